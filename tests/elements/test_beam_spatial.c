/* The beam in space: its derivatives, what it must not feel, and statics with known answers. */
#include <string.h>

#include "base/rotation.h"
#include "conformance.h"
#include "linalg/dense.h"
#include "scene.h"
#include "system/terms.h"

static const double PI = 3.14159265358979323846;

enum { Q = 7, U = 6 }; /* of a node */

static pc_beam_def beam_def(int elements, int nodes)
{
  pc_beam_def def = pc_default_beam_def();
  def.name = "beam";
  def.elements = elements;
  def.nodes = nodes;
  memcpy(def.root, (const double[3]){0.5, -0.2, 0.3}, sizeof def.root);
  memcpy(def.tip, (const double[3]){1.7, 0.7, -0.4}, sizeof def.tip);
  memcpy(def.up, (const double[3]){0.1, 0.3, 0.8}, sizeof def.up);
  def.area = 0.3;
  def.inertia = 0.07;
  def.inertia_2 = 0.05;
  def.torsion = 0.09;
  def.density = 1.7;
  def.modulus = 2.9;
  def.poisson = 0.2;
  return def;
}

static void hang_things_on(pc_system* s, pc_part_id beam, int last)
{
  pc_error error = {0};
  pc_joint_def joint = pc_default_joint_def();
  joint.name = "clamp";
  joint.part[1] = beam_node(s, beam, 0);
  CHECK_OK(pc_add_fixed(s, &joint, NULL, &error), error);
  joint.name = "ball";
  joint.part[0] = beam_node(s, beam, last);
  joint.part[1] = make_mass(s, "mass", 1.9, 0.8, -0.3);
  memcpy(joint.at, (const double[3]){1.9, 0.8, -0.3}, sizeof joint.at); /* off the node */
  CHECK_OK(pc_add_spherical(s, &joint, NULL, &error), error);
  pc_disc_plane_def plane = pc_default_disc_plane_def();
  plane.law.name = "floor";
  plane.law.mu = 0.3;
  plane.centre = (pc_point){beam_node(s, beam, 1), {0.1, -0.2, 0.05}};
  plane.plane.normal[1] = 1;
  CHECK_OK(pc_add_disc_plane(s, &plane, NULL, &error), error);
  pc_spring_def spring = pc_default_spring_def();
  spring.name = "spring";
  spring.point[0] = (pc_point){beam_node(s, beam, last - 1), {0.1, 0.2, 0}};
  spring.point[1] = (pc_point){beam_node(s, beam, last), {0.3, -0.1, 0.2}};
  spring.stiffness = 1.9;
  spring.damping = 0.4;
  CHECK_OK(pc_add_spring(s, &spring, &error), error);
}

static void what_hangs_on_a_node_has_its_derivatives(void** state)
{
  (void)state;
  pc_system* s = make_system(3);
  pc_beam_def def = beam_def(2, 2);
  hang_things_on(s, add_beam(s, &def), 2);
  conformance options = default_conformance();
  options.spread = 0.1;
  options.applied = 1;
  check_conformance(s, options);
  pc_system_destroy(s);
}

/* The tangent, assembled cell by cell, solves the equations that M and h_q B make. */
static void the_tangent_of_a_long_beam_solves_its_equations(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(3);
  pc_beam_def def = beam_def(30, 2);
  def.turn = 2;
  add_beam(s, &def);
  CHECK_OK(pc_system_freeze(s, &error), error);
  pc_terms* t;
  pc_assembly* A;
  CHECK_OK(pc_terms_create(s, PC_TERM_M | PC_TERM_H_Q | PC_TERM_H_U, &t, &error), error);
  CHECK_OK(pc_system_create_tangent(s, &A, &error), error);
  int n = pc_system_u_count(s), n_q = pc_system_q_count(s);
  double *x = test_malloc((size_t)n * sizeof *x), *product = test_calloc((size_t)n, sizeof *x);
  double* rate = test_malloc((size_t)n_q * sizeof *rate);
  for (int i = 0; i < n; i++) x[i] = sin(i);
  pc_at at = {0, pc_system_q0(s), NULL, NULL};
  pc_terms_evaluate(t, &at);
  pc_terms_tangent(t, &at, 1, 0, 0.01, A);
  assert_int_equal(pc_assembly_factor(A), PC_OK);
  pc_assembly_solve(A, x);
  pc_system_q_dot(s, 0, at.q, x, rate);
  pc_terms_add_M_times(t, x, product);
  pc_terms_add_h_q_times(t, -0.01, rate, product);
  for (int i = 0; i < n; i++) CHECK_NEAR(product[i], sin(i), 1e-9);
  test_free(x);
  test_free(product);
  test_free(rate);
  pc_assembly_destroy(A);
  pc_terms_destroy(t);
  pc_system_destroy(s);
}

static void derivatives_of_a_spatial_beam(void** state)
{
  (void)state;
  for (int nodes = 2; nodes <= 3; nodes++)
    for (int damped = 0; damped < 2; damped++) {
      pc_system* s = make_system(3);
      make_mass(s, "mass", 0, 0, 0);
      pc_beam_def def = beam_def(2, nodes);
      def.turn = damped ? -1.1 : 0.7;
      def.damping = damped ? 0.6 : 0;
      add_beam(s, &def);
      conformance options = default_conformance();
      options.spread = 0.2;
      check_conformance(s, options);
      pc_system_destroy(s);
    }
}

/* A system without gravity, with one beam, and its terms. */
typedef struct scene {
  pc_system* system;
  pc_terms* terms;
  int nodes, n_q, n_u;
  double* q; /* the configuration */
} scene;

static scene make_scene(const pc_beam_def* def)
{
  pc_error error = {0};
  scene s = {0};
  pc_system_def system = pc_default_system_def();
  system.dimension = 3;
  CHECK_OK(pc_system_create(&system, &s.system, &error), error);
  s.nodes = pc_beam_last_node(s.system, add_beam(s.system, def)) + 1;
  CHECK_OK(pc_system_freeze(s.system, &error), error);
  CHECK_OK(pc_terms_create(s.system, PC_TERM_ALL, &s.terms, &error), error);
  s.n_q = pc_system_q_count(s.system);
  s.n_u = pc_system_u_count(s.system);
  s.q = test_malloc((size_t)s.n_q * sizeof *s.q);
  memcpy(s.q, pc_system_q0(s.system), (size_t)s.n_q * sizeof *s.q);
  return s;
}

static void free_scene(scene* s)
{
  test_free(s->q);
  pc_terms_destroy(s->terms);
  pc_system_destroy(s->system);
}

/* Moves and turns all nodes; some of the quaternions change their sign and their length. */
static void move_rigidly(scene* s)
{
  double p[4], A[9];
  pc_rotation_exp((const double[3]){1.3, -0.7, 2.1}, p);
  pc_rotation_matrix(p, A);
  for (int i = 0; i < s->nodes; i++) {
    double *q = s->q + Q * i, turned[3], scale = (i % 2 ? -1 : 1) * (1 + 0.3 * i);
    pc_rotation_apply(A, q, turned);
    for (int k = 0; k < 3; k++) q[k] = turned[k] + 5 - k;
    pc_quaternion_product(p, q + 3, q + 3);
    for (int k = 3; k < Q; k++) q[k] *= scale;
  }
}

static void a_rigid_motion_strains_nothing(void** state)
{
  (void)state;
  for (int nodes = 2; nodes <= 3; nodes++) {
    pc_beam_def def = beam_def(4, nodes);
    def.turn = 1.9;
    def.damping = 0.7;
    memcpy(def.spin, (const double[3]){0.4, -1.1, 0.9}, sizeof def.spin);
    scene s = make_scene(&def);
    move_rigidly(&s);
    pc_terms_evaluate(s.terms, &(pc_at){0, s.q, NULL, NULL});
    CHECK_NEAR(s.terms->potential, 0, 1e-26);
    for (int i = 0; i < s.n_u; i++) CHECK_NEAR(s.terms->h[i], 0, 1e-13);
    /* spinning does not damp */
    pc_terms_evaluate(s.terms, &(pc_at){0, pc_system_q0(s.system), pc_system_u0(s.system), NULL});
    for (int i = 0; i < s.n_u; i++) CHECK_NEAR(s.terms->f[i], 0, 1e-14);
    free_scene(&s);
  }
}

/* ---- statics -------------------------------------------------------------------------------- */

/* -h_q B without the root, dense. */
static void stiffness(scene* s, double* K)
{
  int n = s->n_u - U;
  double* H = test_calloc((size_t)(s->n_u * s->n_q), sizeof *H);
  double* e = test_calloc((size_t)s->n_u, sizeof *e);
  double* rate = test_malloc((size_t)s->n_q * sizeof *rate);
  pc_terms_add_dense(s->terms, PC_TERM_H_Q, -1, H);
  for (int j = 0; j < n; j++) {
    e[U + j] = 1;
    pc_system_q_dot(s->system, 0, s->q, e, rate);
    e[U + j] = 0;
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = 0; k < s->n_q; k++) sum += H[(U + i) * s->n_q + k] * rate[k];
      K[i * n + j] = sum;
    }
  }
  test_free(H);
  test_free(e);
  test_free(rate);
}

/* One step of Newton's method for h + load = 0 with the root clamped, of which the largest change
 * is returned. `load` acts on the tip: a force and a moment in its frame. */
static double improve(scene* s, const double load[U])
{
  int n = s->n_u - U;
  double *K = test_malloc((size_t)(n * n) * sizeof *K), *r = test_malloc((size_t)n * sizeof *r);
  int* pivot = test_malloc((size_t)n * sizeof *pivot);
  double change = 0;
  pc_terms_evaluate(s->terms, &(pc_at){0, s->q, NULL, NULL});
  stiffness(s, K);
  for (int i = 0; i < n; i++) r[i] = s->terms->h[U + i] + (i >= n - U ? load[i - n + U] : 0);
  assert_int_equal(pc_lu_factor(n, K, pivot), PC_OK);
  pc_lu_solve(n, K, pivot, r);
  for (int i = 0; i < n; i++) change = fmax(change, fabs(r[i]));
  for (int i = 1; i < s->nodes; i++) {
    double *q = s->q + Q * i, turn[4];
    for (int k = 0; k < 3; k++) q[k] += r[U * (i - 1) + k];
    pc_rotation_exp(r + U * (i - 1) + 3, turn);
    pc_quaternion_product(q + 3, turn, q + 3);
  }
  test_free(K);
  test_free(r);
  test_free(pivot);
  return change;
}

static void balance(scene* s, const double load[U], double tolerance)
{
  for (int i = 0; i < 60; i++)
    if (improve(s, load) < tolerance) return;
  fail_msg("no equilibrium");
}

/* The bend of Bathe and Bolourchi, Int. J. Numer. Methods Eng. 14 (1979): an eighth of a circle of
 * radius 100 in the x-y plane, clamped where it runs along y, square section of side 1, E = 1e7, G
 * = E/2, with a force along z at its tip. EI = GJ and the full area for shear as in Simo and
 * Vu-Quoc (1986), whose tip is at (22.33, 58.84, 40.08) for 300 and (15.79, 47.23, 53.37) for 600,
 * with eight elements of two nodes. */
static void bend_45(int elements, int nodes, double tip[2][3])
{
  pc_beam_def def = pc_default_beam_def();
  def.name = "beam";
  def.elements = elements;
  def.nodes = nodes;
  def.tip[0] = 100 * (1 - cos(PI / 4));
  def.tip[1] = 100 * sin(PI / 4);
  def.turn = -PI / 4;
  def.inertia = 1.0 / 12;
  def.modulus = 1e7;
  def.poisson = 0;
  def.shear_factor = 1;
  scene s = make_scene(&def);
  for (int k = 1; k <= 10; k++) {
    balance(&s, (const double[U]){0, 0, 60.0 * k}, 1e-9);
    if (k % 5 == 0) memcpy(tip[k / 5 - 1], s.q + s.n_q - Q, 3 * sizeof **tip);
  }
  free_scene(&s);
}

static void the_bend_ends_where_the_literature_has_it(void** state)
{
  (void)state;
  static const double published[2][3] = {{22.33, 58.84, 40.08}, {15.79, 47.23, 53.37}};
  double tip[2][3];
  bend_45(8, 2, tip);
  for (int load = 0; load < 2; load++)
    for (int k = 0; k < 3; k++) CHECK_NEAR(tip[load][k], published[load][k], 0.15);
}

/* Against 32 elements of three nodes. */
static void the_bend_converges_with_the_order_of_the_element(void** state)
{
  (void)state;
  static const double limit[3] = {15.684798, 47.150439, 53.474849};
  for (int nodes = 2; nodes <= 3; nodes++) {
    double error[2], tip[2][3];
    for (int i = 0; i < 2; i++) {
      bend_45(4 << i, nodes, tip);
      error[i] = 0;
      for (int k = 0; k < 3; k++) error[i] = hypot(error[i], tip[1][k] - limit[k]);
    }
    CHECK_NEAR(log2(error[0] / error[1]), nodes == 2 ? 2 : 4, 0.1);
  }
}

/* A cantilever along x with different stiffnesses, bent and twisted a little: linear theory. */
static void small_loads_act_as_linear_theory_says(void** state)
{
  (void)state;
  double P = 1e-6, E = 2.6, G = 1, A = 0.5, I_3 = 0.02, I_2 = 0.03, J = 0.04, shear = G * A * 0.8;
  pc_beam_def def = pc_default_beam_def();
  def.name = "beam";
  def.elements = 3;
  def.nodes = 3;
  def.area = A;
  def.inertia = I_3;
  def.inertia_2 = I_2;
  def.torsion = J;
  def.modulus = E;
  def.shear_factor = 0.8;
  for (int k = 0; k < U; k++) {
    double load[U] = {0};
    load[k] = P;
    scene s = make_scene(&def);
    balance(&s, load, 1e-13);
    const double* tip = s.q + s.n_q - Q;
    double turn[3];
    pc_rotation_log(tip + 3, turn);
    const double got[U] = {tip[0] - 1, tip[1], tip[2], turn[0], turn[1], turn[2]};
    double want[U][U] = {{1 / (E * A)},
                         {0, 1 / (3 * E * I_3) + 1 / shear, 0, 0, 0, 1 / (2 * E * I_3)},
                         {0, 0, 1 / (3 * E * I_2) + 1 / shear, 0, -1 / (2 * E * I_2)},
                         {0, 0, 0, 1 / (G * J)},
                         {0, 0, -1 / (2 * E * I_2), 0, 1 / (E * I_2)},
                         {0, 1 / (2 * E * I_3), 0, 0, 0, 1 / (E * I_3)}};
    for (int i = 0; i < U; i++) CHECK_NEAR(got[i] / P, want[k][i], 1e-3);
    free_scene(&s);
  }
}

static void nodes_are_bodies_with_names_and_places(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(3);
  pc_beam_def def = beam_def(2, 2);
  def.turn = 1.2;
  memcpy(def.velocity, (const double[3]){1, 2, 3}, sizeof def.velocity);
  memcpy(def.spin, (const double[3]){0.4, -1.1, 0.9}, sizeof def.spin);
  pc_part_id beam = add_beam(s, &def), tip;
  assert_int_equal(pc_beam_last_node(s, beam), 2);
  CHECK_OK(pc_beam_node(s, beam, 2, &tip, &error), error);
  assert_int_equal(pc_beam_last_node(s, tip), -1);
  assert_int_equal(pc_beam_node(s, beam, 3, &tip, &error), PC_BAD_MODEL);
  assert_string_equal(error.text, "beam 'beam' has no node 3; its nodes are 0 to 2");
  CHECK_OK(pc_system_freeze(s, &error), error);
  static const char* const name[] = {"beam.root.qw", "beam.1.x", "beam.tip.z", "beam.tip.wz"};
  for (int i = 0; i < 4; i++) assert_true(pc_system_find_quantity(s, name[i]) >= 0);
  const double *q = pc_system_q0(s) + 2 * Q, *u = pc_system_u0(s) + 2 * U;
  double A[9], w[3], r[3], around[3], chord[3], left = 0;
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(q[k], def.tip[k], 1e-14);
    chord[k] = r[k] = def.tip[k] - def.root[k];
  }
  pc_cross(def.spin, r, around);
  pc_rotation_matrix(q + 3, A);
  pc_rotation_apply(A, u + 3, w);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(u[k], def.velocity[k] + around[k], 1e-14);
    CHECK_NEAR(w[k], def.spin[k], 1e-14);
    left += A[3 * k] * chord[k] / sqrt(1.2 * 1.2 + 0.9 * 0.9 + 0.7 * 0.7);
  }
  CHECK_NEAR(left, cos(0.6), 1e-14); /* the tip's tangent is half the turn off the chord */
  pc_system_destroy(s);
}

static void refuse(const pc_beam_def* def, const char* text)
{
  pc_error error = {0};
  pc_part_id id;
  pc_system* s = make_system(3);
  if (pc_add_beam(s, def, &id, &error) != PC_BAD_MODEL || strcmp(error.text, text) != 0)
    fail_msg("'%s', not '%s'", error.text, text);
  pc_system_destroy(s);
}

static void spatial_beams_that_make_no_sense_are_refused(void** state)
{
  (void)state;
  pc_beam_def def = beam_def(2, 2);
  for (int k = 0; k < 3; k++) def.up[k] = 3 * (def.tip[k] - def.root[k]);
  refuse(&def, "beam 'beam': up must have a direction that is not along the beam");
  memset(def.up, 0, sizeof def.up);
  refuse(&def, "beam 'beam': up must have a direction that is not along the beam");
  def = beam_def(2, 2), def.torsion = -1;
  refuse(&def, "beam 'beam': torsion is -1; it must be finite and not negative");
  def = beam_def(2, 2), def.inertia_2 = NAN;
  refuse(&def, "beam 'beam': inertia_2 is nan; it must be finite and not negative");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_of_a_spatial_beam),
      cmocka_unit_test(what_hangs_on_a_node_has_its_derivatives),
      cmocka_unit_test(the_tangent_of_a_long_beam_solves_its_equations),
      cmocka_unit_test(a_rigid_motion_strains_nothing),
      cmocka_unit_test(the_bend_ends_where_the_literature_has_it),
      cmocka_unit_test(the_bend_converges_with_the_order_of_the_element),
      cmocka_unit_test(small_loads_act_as_linear_theory_says),
      cmocka_unit_test(nodes_are_bodies_with_names_and_places),
      cmocka_unit_test(spatial_beams_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
