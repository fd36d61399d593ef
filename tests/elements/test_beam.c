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

static void hang_things_on(pc_system* s, pc_part_id beam, int last, pc_part_id body)
{
  pc_error error = {0};
  pc_joint_def joint = pc_default_joint_def();
  joint.name = "clamp";
  joint.part[1] = beam_node(s, beam, 0);
  CHECK_OK(pc_add_fixed(s, &joint, NULL, &error), error);
  joint.name = "pin";
  joint.part[0] = beam_node(s, beam, last);
  joint.part[1] = body;
  joint.at[0] = 1.9, joint.at[1] = 0.8; /* off the node */
  CHECK_OK(pc_add_revolute(s, &joint, NULL, &error), error);
  pc_disc_plane_def plane = pc_default_disc_plane_def();
  plane.law.name = "floor";
  plane.law.mu = 0.3;
  plane.centre = (pc_point){beam_node(s, beam, 1), {0.1, -0.2, 0}};
  plane.plane.normal[1] = 1;
  CHECK_OK(pc_add_disc_plane(s, &plane, NULL, &error), error);
  pc_torque_def torque = pc_default_torque_def();
  torque.name = "moment";
  torque.part = beam_node(s, beam, last);
  torque.torque[0] = pc_constant_signal(0.4);
  CHECK_OK(pc_add_torque(s, &torque, &error), error);
  pc_spring_def spring = pc_default_spring_def();
  spring.name = "spring";
  spring.point[0] = (pc_point){beam_node(s, beam, last - 1), {0.1, 0.2, 0}};
  spring.point[1] = (pc_point){beam_node(s, beam, last), {0.3, -0.1, 0}};
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

/* A straight cantilever of length 1 along x with EI = 1 and EA = 1/thin, and its coordinates. */
static scene make_cantilever(int elements, int nodes, double thin, double** q)
{
  pc_beam_def def = pc_default_beam_def();
  def.name = "beam";
  def.elements = elements;
  def.nodes = nodes;
  def.inertia = thin;
  def.modulus = 1 / thin;
  scene s = make_scene(&def);
  *q = test_malloc((size_t)s.n * sizeof **q);
  memcpy(*q, pc_system_q0(s.system), (size_t)s.n * sizeof **q);
  return s;
}

/* The same, with a moment at its tip that bends it by an angle. */
static scene bent_beam(int elements, int nodes, double angle, double** q)
{
  enum { STEPS = 10 };
  scene s = make_cantilever(elements, nodes, 1e-4, q);
  for (int k = 1; k <= STEPS; k++)
    assert_true(balance(&s, (const double[3]){0, 0, angle * k / STEPS}, *q) < 100);
  return s;
}

/* The largest distance of a node from the arc that the continuum takes. */
static double error_of_bending(int elements, int nodes, double angle)
{
  double* q;
  scene s = bent_beam(elements, nodes, angle, &q);
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
    scene s = bent_beam(16, nodes, 2 * PI, &q);
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

/* Linear theory of Timoshenko's beam: P/(3 EI) + P/(G A_s) at the tip. One Gauss point makes
 * elements of two nodes softer in bending by the factor 1 - 1/(4 N^2); three nodes are exact. */
static void a_small_load_deflects_the_tip_as_linear_theory_says(void** state)
{
  (void)state;
  double P = 1e-5, thin = 1e-3, shear = P * thin * 2 * 1.3 * 6 / 5;
  for (int nodes = 2; nodes <= 3; nodes++)
    for (int N = 1; N <= 5; N++) {
      double *q, bending = P / 3 * (nodes == 2 ? 1 - 1.0 / (4 * N * N) : 1);
      scene s = make_cantilever(N, nodes, thin, &q);
      balance(&s, (const double[3]){0, P, 0}, q);
      CHECK_NEAR(q[s.n - 2], bending + shear, 1e-14);
      test_free(q);
      free_scene(&s);
    }
}

/* The elastica: tip of a cantilever under a transverse force P, L = EI = 1; Mattiasson, Int. J.
 * Numer. Methods Eng. 17 (1981), table I, where all digits are significant. */
static void large_deflections_are_those_of_the_elastica(void** state)
{
  (void)state;
  static const double table[][3] = {
      {1, 0.05643, 0.30172}, {2, 0.16064, 0.49346}, {5, 0.38763, 0.71379}, {10, 0.55500, 0.81061}};
  for (int nodes = 2; nodes <= 3; nodes++) {
    double* q;
    scene s = make_cantilever(nodes == 2 ? 100 : 20, nodes, 1e-7, &q);
    int row = 0;
    for (int P = 1; P <= 10; P++) {
      assert_true(balance(&s, (const double[3]){0, P, 0}, q) < 100);
      if (P != (int)table[row][0]) continue;
      double tolerance = nodes == 2 ? 4e-5 : 6e-6;
      CHECK_NEAR(1 - q[s.n - 3], table[row][1], tolerance);
      CHECK_NEAR(q[s.n - 2], table[row][2], tolerance);
      row++;
    }
    assert_int_equal(row, 4);
    test_free(q);
    free_scene(&s);
  }
}

/* The smallest w^2 of K x = w^2 M x on the free coordinates, by inverse iteration. */
static double lowest_frequency(scene* s, const double* q)
{
  int n = s->n, free = n - 3;
  size_t size = (size_t)n * (size_t)n;
  double *K = test_calloc(size, sizeof *K), *x = test_calloc((size_t)n, sizeof *x);
  double *Mx = test_calloc((size_t)n, sizeof *Mx), square = 0;
  int* pivot = test_malloc((size_t)n * sizeof *pivot);
  pc_terms_evaluate(s->terms, &(pc_at){0, q, NULL, NULL});
  pc_terms_add_dense(s->terms, PC_TERM_H_Q, -1, K);
  for (int i = 0; i < free; i++)
    for (int j = 0; j < free; j++) K[i * free + j] = K[(i + 3) * n + j + 3];
  assert_int_equal(pc_lu_factor(free, K, pivot), PC_OK);
  for (int i = 4; i < n; i += 3) x[i] = 1;
  for (int k = 0; k < 60; k++) {
    double above = 0, below = 0;
    memset(Mx, 0, (size_t)n * sizeof *Mx);
    pc_terms_add_M_times(s->terms, x, Mx);
    for (int i = 3; i < n; i++) above += x[i] * Mx[i];
    pc_lu_solve(free, K, pivot, Mx + 3);
    for (int i = 3; i < n; i++) below = fmax(below, fabs(Mx[i]));
    for (int i = 0; i < n; i++) x[i] = i < 3 ? 0 : Mx[i] / below;
    double product = 0;
    memset(Mx, 0, (size_t)n * sizeof *Mx);
    pc_terms_add_M_times(s->terms, x, Mx);
    for (int i = 3; i < n; i++) product += x[i] * Mx[i];
    square = sqrt(above / product) / below; /* |x| in M before and after */
  }
  test_free(K);
  test_free(x);
  test_free(Mx);
  test_free(pivot);
  return sqrt(square);
}

/* The end conditions of Timoshenko's cantilever at a frequency: y = (w, angle, moment, shear
 * force),
 *     w' = angle + Q/GA_s, angle' = M/EI, M' = -Q - rho I om^2 angle, Q' = -rho A om^2 w,
 * is integrated from the clamp for M(0) = 1 and for Q(0) = 1; the beam vibrates where the
 * determinant of M and Q at the tip vanishes. */
static double end_conditions(double frequency, double thin)
{
  enum { STEPS = 1000 };
  double end[2][2], square = frequency * frequency, soft = thin * 2 * 1.3 * 6 / 5;
  for (int k = 0; k < 2; k++) {
    double y[4] = {0, 0, k == 0, k == 1}, h = 1.0 / STEPS;
    for (int i = 0; i < STEPS; i++) {
      double slope[4] = {0}, sum[4] = {0}, at[4];
      static const double reach[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
      for (int stage = 0; stage < 4; stage++) { /* Runge and Kutta */
        for (int j = 0; j < 4; j++) at[j] = y[j] + h * reach[stage] * slope[j];
        slope[0] = at[1] + soft * at[3];
        slope[1] = at[2];
        slope[2] = -at[3] - thin * square * at[1];
        slope[3] = -square * at[0];
        for (int j = 0; j < 4; j++) sum[j] += weight[stage] * slope[j];
      }
      for (int j = 0; j < 4; j++) y[j] += h / 6 * sum[j];
    }
    end[k][0] = y[2];
    end[k][1] = y[3];
  }
  return end[0][0] * end[1][1] - end[0][1] * end[1][0];
}

static double frequency_of_timoshenko(double thin)
{
  double low = 3, high = 4;
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    if (end_conditions(low, thin) * end_conditions(middle, thin) > 0)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void the_first_frequency_is_that_of_timoshenko_s_beam(void** state)
{
  (void)state;
  double b = 1.875104068711961, thin = 1e-4; /* cos b cosh b = -1 */
  CHECK_NEAR(frequency_of_timoshenko(1e-12), b * b, 1e-9);
  double want = frequency_of_timoshenko(thin), error[2][2];
  assert_true(want < b * b * (1 - 5e-4)); /* shear and rotary inertia are felt */
  for (int nodes = 2; nodes <= 3; nodes++)
    for (int k = 0; k < 2; k++) {
      double* q;
      scene s = make_cantilever(8 << k, nodes, thin, &q);
      error[nodes - 2][k] = fabs(lowest_frequency(&s, q) - want) / want;
      test_free(q);
      free_scene(&s);
    }
  CHECK_NEAR(error[0][0] / error[0][1], 4, 0.1);
  assert_true(error[0][1] < 5e-4);
  CHECK_NEAR(error[1][0] / error[1][1], 16, 0.5);
  assert_true(error[1][1] < 5e-7);
}

/* ---- names and refusals --------------------------------------------------------------------- */

static void nodes_have_names_and_places(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(2);
  pc_beam_def def = beam_def("beam", 2, 3);
  def.velocity[0] = 0.5;
  def.spin[2] = 2;
  pc_part_id beam = add_beam(s, &def);
  assert_int_equal(pc_beam_last_node(s, beam), 4);
  assert_int_equal(pc_beam_last_node(s, PC_GROUND), -1);
  assert_int_equal(pc_bar_elements(s, beam), 0);
  assert_int_equal(beam_node(s, beam, 4).index, beam_node(s, beam, 4).index);
  CHECK_OK(pc_system_freeze(s, &error), error);
  static const char* const name[] = {"root", "1", "2", "3", "tip"};
  static const char* const tail[] = {"x", "y", "angle", "vx", "vy", "spin"};
  for (int i = 0; i < 5; i++) {
    double share = i / 4.0, angle = atan2(0.9, 1.2);
    double want[] = {0.5 + 1.2 * share, -0.2 + 0.9 * share, angle,
                     0.5 - 1.8 * share, 2.4 * share,        2};
    for (int k = 0; k < 6; k++) {
      char text[32];
      snprintf(text, sizeof text, "beam.%s.%s", name[i], tail[k]);
      int index = pc_system_find_quantity(s, text);
      assert_true(index >= 0);
      pc_quantity quantity = pc_system_quantity(s, index);
      const double* x = k < 3 ? pc_system_q0(s) : pc_system_u0(s);
      CHECK_NEAR(x[quantity.index], want[k], 1e-15);
    }
  }
  pc_system_destroy(s);
}

static void an_arc_ends_at_its_tip(void** state)
{
  (void)state;
  pc_beam_def def = beam_def("beam", 7, 2);
  for (def.turn = -6; def.turn < 6.1; def.turn += 0.75) {
    scene s = make_scene(&def);
    const double* q = pc_system_q0(s.system);
    CHECK_NEAR(q[s.n - 3], def.tip[0], 1e-13);
    CHECK_NEAR(q[s.n - 2], def.tip[1], 1e-13);
    CHECK_NEAR(q[s.n - 1] - q[2], def.turn, 1e-14);
    free_scene(&s);
  }
}

static void refuse(pc_status status, const pc_error* error, const char* text)
{
  if (status == PC_OK || strcmp(error->text, text) != 0)
    fail_msg("status %d: '%s', not '%s'", (int)status, error->text, text);
}

static void refuse_beam(int dimension, const pc_beam_def* def, const char* text)
{
  pc_error error = {0};
  pc_part_id id;
  pc_system* s = make_system(dimension);
  refuse(pc_add_beam(s, def, &id, &error), &error, text);
  pc_system_destroy(s);
}

static void beams_that_make_no_sense_are_refused(void** state)
{
  (void)state;
  const pc_beam_def good = beam_def("beam", 2, 2);
  pc_beam_def def = good;
  refuse_beam(1, &def, "beam 'beam' needs a plane or space; this system is a line");
  def.name = "";
  refuse_beam(2, &def, "beam: name is missing");
  def = good, def.elements = 0;
  refuse_beam(2, &def, "beam 'beam': elements is 0; it must be from 1 to 1000000");
  def = good, def.nodes = 4;
  refuse_beam(2, &def, "beam 'beam': nodes is 4; it must be 2 or 3");
  def = good, def.inertia = 0;
  refuse_beam(2, &def, "beam 'beam': inertia is 0; it must be positive and finite");
  def = good, def.poisson = 0.6;
  refuse_beam(2, &def, "beam 'beam': poisson is 0.6; it must be above -1 and at most 0.5");
  def = good, def.damping = -1;
  refuse_beam(2, &def, "beam 'beam': damping is -1; it must be finite and not negative");
  def = good, def.turn = 7;
  refuse_beam(2, &def, "beam 'beam': turn is 7; it must be between -2 pi and 2 pi");
  def = good, memcpy(def.tip, def.root, sizeof def.tip);
  refuse_beam(2, &def, "beam 'beam': root and tip are in one place");
  def = good, def.spin[2] = NAN;
  refuse_beam(2, &def, "beam 'beam': spin is not finite");
}

static void nothing_but_nodes_can_be_held(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(2);
  pc_beam_def def = beam_def("beam", 4, 2);
  pc_part_id beam = add_beam(s, &def), id;
  refuse(pc_beam_node(s, beam, 5, &id, &error), &error,
         "beam 'beam' has no node 5; its nodes are 0 to 4");
  refuse(pc_beam_node(s, PC_GROUND, 0, &id, &error), &error, "part number -1 is not a beam");
  pc_joint_def joint = pc_default_joint_def();
  joint.name = "clamp";
  joint.part[1] = beam;
  refuse(pc_add_fixed(s, &joint, NULL, &error), &error,
         "fixed 'clamp': part[1]: 'beam' is a beam; name one of its nodes");
  pc_system_destroy(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_of_a_beam_and_of_what_hangs_on_it),
      cmocka_unit_test(forces_of_a_beam_come_from_its_energy),
      cmocka_unit_test(a_rigid_motion_strains_nothing),
      cmocka_unit_test(a_moment_rolls_the_cantilever_up_into_a_circle),
      cmocka_unit_test(the_circle_converges_with_the_order_of_the_element),
      cmocka_unit_test(a_small_load_deflects_the_tip_as_linear_theory_says),
      cmocka_unit_test(large_deflections_are_those_of_the_elastica),
      cmocka_unit_test(the_first_frequency_is_that_of_timoshenko_s_beam),
      cmocka_unit_test(nodes_have_names_and_places),
      cmocka_unit_test(an_arc_ends_at_its_tip),
      cmocka_unit_test(beams_that_make_no_sense_are_refused),
      cmocka_unit_test(nothing_but_nodes_can_be_held),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
