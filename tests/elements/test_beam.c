/* The planar beam: its derivatives, what it must not feel, and statics with known answers. */
#include <string.h>

#include "conformance.h"
#include "linalg/dense.h"
#include "scene.h"
#include "system/terms.h"

static const double PI = 3.14159265358979323846;

static pc_beam_def beam_def(const char* name, int elements, int nodes)
{
  pc_beam_def def = pc_default_beam_def();
  def.name = name;
  def.elements = elements;
  def.nodes = nodes;
  def.root[0] = 0.5;
  def.root[1] = -0.2;
  def.tip[0] = 1.7;
  def.tip[1] = 0.7;
  def.area = 0.3;
  def.inertia = 0.07;
  def.density = 1.7;
  def.modulus = 2.9;
  def.poisson = 0.2;
  return def;
}

static pc_part_id add_beam(pc_system* system, const pc_beam_def* def)
{
  pc_error error = {0};
  pc_part_id id;
  CHECK_OK(pc_add_beam(system, def, &id, &error), error);
  return id;
}

static pc_part_id node_of(pc_system* system, pc_part_id beam, int node)
{
  pc_error error = {0};
  pc_part_id id;
  CHECK_OK(pc_beam_node(system, beam, node, &id, &error), error);
  return id;
}

static void hang_things_on(pc_system* s, pc_part_id beam, int last, pc_part_id body)
{
  pc_error error = {0};
  pc_joint_def joint = pc_default_joint_def();
  joint.name = "clamp";
  joint.part[1] = node_of(s, beam, 0);
  CHECK_OK(pc_add_fixed(s, &joint, &error), error);
  joint.name = "pin";
  joint.part[0] = node_of(s, beam, last);
  joint.part[1] = body;
  joint.at[0] = 1.9, joint.at[1] = 0.8; /* off the node */
  CHECK_OK(pc_add_revolute(s, &joint, &error), error);
  pc_disc_plane_def plane = pc_default_disc_plane_def();
  plane.law.name = "floor";
  plane.law.mu = 0.3;
  plane.centre = (pc_point){node_of(s, beam, 1), {0.1, -0.2, 0}};
  plane.plane.normal[1] = 1;
  CHECK_OK(pc_add_disc_plane(s, &plane, &error), error);
  pc_torque_def torque = pc_default_torque_def();
  torque.name = "moment";
  torque.part = node_of(s, beam, last);
  torque.torque = pc_constant_signal(0.4);
  CHECK_OK(pc_add_torque(s, &torque, &error), error);
  pc_spring_def spring = pc_default_spring_def();
  spring.name = "spring";
  spring.point[0] = (pc_point){node_of(s, beam, last - 1), {0.1, 0.2, 0}};
  spring.point[1] = (pc_point){node_of(s, beam, last), {0.3, -0.1, 0}};
  spring.stiffness = 1.9;
  spring.damping = 0.4;
  CHECK_OK(pc_add_spring(s, &spring, &error), error);
}

static void derivatives_of_a_beam_and_of_what_hangs_on_it(void** state)
{
  (void)state;
  for (int nodes = 2; nodes <= 3; nodes++)
    for (int curved = 0; curved < 2; curved++) {
      pc_system* s = make_system(2);
      pc_part_id body = make_body(s, "body", 2, 1, 0.3);
      pc_beam_def def = beam_def("beam", 3, nodes);
      def.turn = curved ? -1.3 : 0;
      def.damping = curved ? 0.6 : 0;
      hang_things_on(s, add_beam(s, &def), 3 * (nodes - 1), body);
      conformance options = default_conformance();
      options.applied = 1;
      check_conformance(s, options);
      pc_system_destroy(s);
    }
}

/* Without anything applied, h = -dV/dq of the beam alone, at rest. */
static void forces_of_a_beam_come_from_its_energy(void** state)
{
  (void)state;
  for (int nodes = 2; nodes <= 3; nodes++) {
    pc_system* s = make_system(2);
    pc_beam_def def = beam_def("beam", 2, nodes);
    def.turn = 2;
    def.damping = 0.3;
    add_beam(s, &def);
    check_conformance(s, default_conformance());
    pc_system_destroy(s);
  }
}

/* A system without gravity, with one beam, and its terms. */
typedef struct scene {
  pc_system* system;
  pc_terms* terms;
  pc_part_id beam;
  int n;
} scene;

static scene make_scene(const pc_beam_def* def)
{
  pc_error error = {0};
  scene s = {0};
  pc_system_def system = pc_default_system_def();
  CHECK_OK(pc_system_create(&system, &s.system, &error), error);
  s.beam = add_beam(s.system, def);
  CHECK_OK(pc_system_freeze(s.system, &error), error);
  CHECK_OK(pc_terms_create(s.system, PC_TERM_ALL, &s.terms, &error), error);
  s.n = pc_system_q_count(s.system);
  return s;
}

static void free_scene(scene* s)
{
  pc_terms_destroy(s->terms);
  pc_system_destroy(s->system);
}

static void a_rigid_motion_strains_nothing(void** state)
{
  (void)state;
  for (int nodes = 2; nodes <= 3; nodes++) {
    pc_beam_def def = beam_def("beam", 5, nodes);
    def.turn = 1.9;
    def.damping = 0.7;
    def.velocity[0] = 0.4;
    def.spin[2] = -1.3;
    scene s = make_scene(&def);
    double *q = test_calloc((size_t)s.n, sizeof *q), c = cos(2.6), k = sin(2.6);
    const double *q0 = pc_system_q0(s.system), *u0 = pc_system_u0(s.system);
    for (int i = 0; i < s.n; i += 3) { /* turned by 2.6 + 2 pi and moved */
      q[i] = c * q0[i] - k * q0[i + 1] + 3;
      q[i + 1] = k * q0[i] + c * q0[i + 1] - 7;
      q[i + 2] = q0[i + 2] + 2.6 + 2 * PI;
    }
    pc_terms_evaluate(s.terms, &(pc_at){0, q, NULL, NULL});
    CHECK_NEAR(s.terms->potential, 0, 1e-27);
    for (int i = 0; i < s.n; i++) CHECK_NEAR(s.terms->h[i], 0, 1e-13);
    pc_terms_evaluate(s.terms, &(pc_at){0, q0, u0, NULL}); /* nor does spinning damp */
    for (int i = 0; i < s.n; i++) CHECK_NEAR(s.terms->h[i], 0, 1e-14);
    double L = 1.5 * 0.95 / sin(0.95), m = 1.7 * 0.3 * L, mass = 0;
    for (int i = 0; i < s.n; i++) q[i] = i % 3 == 1;
    double* p = test_calloc((size_t)s.n, sizeof *p);
    pc_terms_add_M_times(s.terms, q, p);
    for (int i = 1; i < s.n; i += 3) mass += p[i];
    CHECK_NEAR(mass, m, 1e-14);
    test_free(p);
    test_free(q);
    free_scene(&s);
  }
}

/* ---- statics -------------------------------------------------------------------------------- */

/* Newton's method for h + load = 0 with the root clamped. `load` acts on the tip: force and moment.
 * Returns the number of iterations. */
static int balance(scene* s, const double load[3], double* q)
{
  int n = s->n, free = n - 3, iteration = 0;
  size_t size = (size_t)n * (size_t)n;
  double *K = test_malloc(size * sizeof *K), *r = test_malloc((size_t)n * sizeof *r);
  int* pivot = test_malloc((size_t)n * sizeof *pivot);
  for (double change = 1; change > 1e-13 && iteration < 100; iteration++) {
    pc_terms_evaluate(s->terms, &(pc_at){0, q, NULL, NULL});
    memset(K, 0, size * sizeof *K);
    pc_terms_add_dense(s->terms, PC_TERM_H_Q, -1, K);
    for (int i = 0; i < free; i++) {
      r[i] = s->terms->h[i + 3] + (i >= free - 3 ? load[i - free + 3] : 0);
      for (int j = 0; j < free; j++) K[i * free + j] = K[(i + 3) * n + j + 3];
    }
    assert_int_equal(pc_lu_factor(free, K, pivot), PC_OK);
    pc_lu_solve(free, K, pivot, r);
    change = 0;
    for (int i = 0; i < free; i++) {
      q[i + 3] += r[i];
      change = fmax(change, fabs(r[i]));
    }
  }
  test_free(K);
  test_free(r);
  test_free(pivot);
  return iteration;
}

/* A cantilever of length 1 along x, with a moment at its tip that bends it by an angle. */
static scene bend(int elements, int nodes, double angle, double** q)
{
  pc_beam_def def = pc_default_beam_def();
  def.name = "beam";
  def.elements = elements;
  def.nodes = nodes;
  def.inertia = 1e-4;
  def.modulus = 1e4; /* EI = 1, EA = 1e4 */
  scene s = make_scene(&def);
  *q = test_malloc((size_t)s.n * sizeof **q);
  memcpy(*q, pc_system_q0(s.system), (size_t)s.n * sizeof **q);
  enum { STEPS = 10 };
  for (int k = 1; k <= STEPS; k++)
    assert_true(balance(&s, (const double[3]){0, 0, angle * k / STEPS}, *q) < 100);
  return s;
}

/* The largest distance of a node from the arc that the continuum takes. */
static double error_of_bending(int elements, int nodes, double angle)
{
  double* q;
  scene s = bend(elements, nodes, angle, &q);
  int last = elements * (nodes - 1);
  double error = 0;
  for (int i = 0; i <= last; i++) {
    double at = angle * i / last;
    error = fmax(error, hypot(q[3 * i] - sin(at) / angle, q[3 * i + 1] - (1 - cos(at)) / angle));
    CHECK_NEAR(q[3 * i + 2], at, 1e-9);
  }
  test_free(q);
  free_scene(&s);
  return error;
}

static void a_moment_rolls_the_cantilever_up_into_a_circle(void** state)
{
  (void)state;
  for (int nodes = 2; nodes <= 3; nodes++) {
    double* q;
    scene s = bend(16, nodes, 2 * PI, &q);
    CHECK_NEAR(q[s.n - 3], 0, 1e-10);
    CHECK_NEAR(q[s.n - 2], 0, 1e-10);
    CHECK_NEAR(q[s.n - 1], 2 * PI, 1e-10);
    test_free(q);
    free_scene(&s);
  }
}

static void the_circle_converges_with_the_order_of_the_element(void** state)
{
  (void)state;
  for (int nodes = 2; nodes <= 3; nodes++) {
    double coarse = error_of_bending(8, nodes, 2 * PI), fine = error_of_bending(16, nodes, 2 * PI);
    double finer = error_of_bending(32, nodes, 2 * PI);
    CHECK_NEAR(log2(coarse / fine), nodes == 2 ? 2 : 4, 0.1);
    CHECK_NEAR(log2(fine / finer), nodes == 2 ? 2 : 4, 0.05);
  }
  assert_true(error_of_bending(80, 3, 2 * PI) < 1e-8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_of_a_beam_and_of_what_hangs_on_it),
      cmocka_unit_test(forces_of_a_beam_come_from_its_energy),
      cmocka_unit_test(a_rigid_motion_strains_nothing),
      cmocka_unit_test(a_moment_rolls_the_cantilever_up_into_a_circle),
      cmocka_unit_test(the_circle_converges_with_the_order_of_the_element),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
