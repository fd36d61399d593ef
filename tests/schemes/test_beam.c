/* Beams in motion: the flexible pendulum of alpha 6.2, what a free beam conserves, statics by
 * damping, and the limit of a stiff rod. */
#include <stdlib.h>

#include "base/rotation.h"
#include "run.h"
#include "system/terms.h"

static const double PI = 3.14159265358979323846;

/* The reference has h = 5e-6 and generalized-alpha; both schemes are of second order here. */
static void pendulum_swings_to_its_stop(void** state)
{
  (void)state;
  run r = open_run("flexible-pendulum", "moreau-jean", 1e-5, NULL, NULL);
  run_until(&r, 0.3);
  CHECK_NEAR(value(&r, "beam.tip.x"), 0.78692727, 1e-8);
  CHECK_NEAR(value(&r, "beam.tip.y"), 0.61704631, 1e-8);
  CHECK_NEAR(value(&r, "beam.tip.angle"), 0.66509648, 5e-7);
  run_until(&r, 0.32702); /* the first closed step of the reference is the next, 0.327025 */
  assert_true(value(&r, "stop.gap") > 0);
  CHECK_NEAR(value(&r, "stop.gap"), 1.0989e-5, 1e-8);
  CHECK_NEAR(value(&r, "stop.gap_velocity"), -3.245673, 2e-5);
  CHECK_NEAR(pc_sim_summary(r.sim).energy_max_increase, 0, 1e-7);
  close_run(&r);
}

/* Damps the stiffest vibrations at once, which theta = 1/2 hardly does: forces come to rest with
 * the beam. */
static void end_of_step(pc_scheme_settings* settings)
{
  settings->theta = 1;
}

static void cantilever_comes_to_rest_as_a_circle(void** state)
{
  (void)state;
  static const char* const sets[][5] = {{"N", "4", "nodes", "2", NULL},
                                        {"N", "3", "nodes", "3", NULL}};
  for (int i = 0; i < 2; i++) {
    run r = open_run("cantilever", "moreau-jean", 0, sets[i], end_of_step);
    run_until(&r, 12);
    CHECK_NEAR(value(&r, "beam.tip.x"), 0, 1e-9);
    CHECK_NEAR(value(&r, "beam.tip.y"), 0, 1e-9);
    CHECK_NEAR(value(&r, "beam.tip.angle"), 2 * PI, 1e-9);
    double EI = 2.1e11 * 0.01 * 1e-9 / 12;
    CHECK_NEAR(value(&r, "clamp.P.3") / 0.01, -2 * PI * EI, 1e-9); /* what the clamp holds */
    close_run(&r);
  }
}

/* ---- a free beam ---------------------------------------------------------------------------- */

/* Momentum (x, y), angular momentum about the origin, and energy. */
static void measure(const pc_system* system, pc_terms* terms, const pc_state* s, double out[4])
{
  int n = pc_system_u_count(system);
  double* p = test_calloc((size_t)n, sizeof *p);
  pc_terms_evaluate(terms, &(pc_at){s->t, s->q, s->u, NULL});
  pc_terms_add_M_times(terms, s->u, p);
  out[0] = out[1] = out[2] = 0;
  for (int i = 0; i < n; i += 3) {
    out[0] += p[i];
    out[1] += p[i + 1];
    out[2] += s->q[i] * p[i + 1] - s->q[i + 1] * p[i] + p[i + 2];
  }
  out[3] = terms->kinetic + terms->potential;
  test_free(p);
}

/* A curved beam that spins so fast that it stretches and straightens: the changes over half a
 * second. */
static void fly(int nodes, double dt, double change[4])
{
  pc_error error = {0};
  pc_system* system;
  pc_system_def space = pc_default_system_def();
  CHECK_OK(pc_system_create(&space, &system, &error), error);
  pc_beam_def def = pc_default_beam_def();
  def.name = "beam";
  def.elements = 6;
  def.nodes = nodes;
  def.turn = 1;
  def.area = 0.01;
  def.inertia = 1e-5;
  def.modulus = 1e5;
  def.velocity[0] = 0.3;
  def.spin[2] = 4;
  pc_part_id beam;
  CHECK_OK(pc_add_beam(system, &def, &beam, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  pc_terms* terms;
  CHECK_OK(pc_terms_create(system, PC_TERM_M | PC_TERM_ENERGY, &terms, &error), error);
  pc_sim_def sim_def = {system, "moreau-jean", pc_default_scheme_settings()};
  sim_def.settings.dt = dt;
  sim_def.settings.tolerance = 1e-14;
  pc_sim* sim;
  CHECK_OK(pc_sim_create(&sim_def, &sim, &error), error);
  double before[4], after[4];
  CHECK_OK(pc_sim_run(sim, dt, &error), error);
  measure(system, terms, pc_sim_observation(sim)->state, before);
  CHECK_OK(pc_sim_run(sim, 0.5, &error), error);
  measure(system, terms, pc_sim_observation(sim)->state, after);
  for (int k = 0; k < 4; k++) change[k] = after[k] - before[k];
  pc_sim_destroy(sim);
  pc_terms_destroy(terms);
  pc_system_destroy(system);
}

static void a_free_beam_keeps_its_momenta_and_its_energy(void** state)
{
  (void)state;
  for (int nodes = 2; nodes <= 3; nodes++) {
    double change[4];
    fly(nodes, 1e-3, change);
    for (int k = 0; k < 3; k++) CHECK_NEAR(change[k], 0, 1e-13);
    assert_true(fabs(change[3]) < 1e-7);
  }
}

/* ---- a free beam in space ------------------------------------------------------------------- */

/* Angular momentum about the origin and energy of a beam in space. */
static void measure_in_space(const pc_system* system, pc_terms* terms, const pc_state* s,
                             double out[7])
{
  int n = pc_system_u_count(system);
  double* p = test_calloc((size_t)n, sizeof *p);
  pc_terms_evaluate(terms, &(pc_at){s->t, s->q, s->u, NULL});
  pc_terms_add_M_times(terms, s->u, p);
  for (int k = 0; k < 6; k++) out[k] = 0;
  for (int i = 0; i < n / 6; i++) {
    double A[9], own[3], around[3];
    pc_rotation_matrix(s->q + 7 * i + 3, A);
    pc_rotation_apply(A, p + 6 * i + 3, own);
    pc_cross(s->q + 7 * i, p + 6 * i, around);
    for (int k = 0; k < 3; k++) {
      out[k] += p[6 * i + k];
      out[3 + k] += own[k] + around[k];
    }
  }
  out[6] = terms->kinetic + terms->potential;
  test_free(p);
}

/* The changes of momentum, angular momentum and energy of a beam that tumbles for half a second. */
static void tumble(int nodes, double dt, double change[7])
{
  pc_error error = {0};
  pc_system* system;
  pc_system_def space = pc_default_system_def();
  space.dimension = 3;
  CHECK_OK(pc_system_create(&space, &system, &error), error);
  pc_beam_def def = pc_default_beam_def();
  def.name = "beam";
  def.elements = 4;
  def.nodes = nodes;
  def.turn = 1;
  def.area = 0.01;
  def.inertia = 1e-5;
  def.inertia_2 = 2e-5;
  def.modulus = 1e5;
  memcpy(def.velocity, (const double[3]){0.3, 0.1, -0.2}, sizeof def.velocity);
  memcpy(def.spin, (const double[3]){3, 2, 4}, sizeof def.spin);
  pc_part_id beam;
  CHECK_OK(pc_add_beam(system, &def, &beam, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  pc_terms* terms;
  CHECK_OK(pc_terms_create(system, PC_TERM_M | PC_TERM_ENERGY, &terms, &error), error);
  pc_sim_def sim_def = {system, "moreau-jean", pc_default_scheme_settings()};
  sim_def.settings.dt = dt;
  sim_def.settings.tolerance = 1e-13;
  pc_sim* sim;
  CHECK_OK(pc_sim_create(&sim_def, &sim, &error), error);
  const pc_state start = {.q = (double*)pc_system_q0(system), .u = (double*)pc_system_u0(system)};
  double before[7], after[7];
  measure_in_space(system, terms, &start, before);
  CHECK_OK(pc_sim_run(sim, 0.5, &error), error);
  measure_in_space(system, terms, pc_sim_observation(sim)->state, after);
  for (int k = 0; k < 7; k++) change[k] = after[k] - before[k];
  pc_sim_destroy(sim);
  pc_terms_destroy(terms);
  pc_system_destroy(system);
}

static void a_tumbling_beam_keeps_its_momenta_and_its_energy(void** state)
{
  (void)state;
  for (int nodes = 2; nodes <= 3; nodes++) {
    double change[7], fine[7];
    tumble(nodes, 1e-3, change);
    tumble(nodes, 5e-4, fine);
    for (int k = 0; k < 3; k++) CHECK_NEAR(change[k], 0, 1e-15);
    for (int k = 3; k < 6; k++) { /* of second order */
      assert_true(fabs(change[k]) < 1e-9);
      CHECK_NEAR(fabs(fine[k]), fabs(change[k]) / 4, 2e-12);
    }
    assert_true(fabs(change[6]) < 1e-7);
  }
}

static void be_content_with_large_forces(pc_scheme_settings* settings)
{
  settings->tolerance = 1e-8; /* of 10 N s */
  settings->theta = 0.5;
  settings->variational.stages = 3;
}

/* The bend as it starts to move: the schemes of order 2 within their error of the one of order
 * 4. */
static void the_bend_moves_alike_under_all_implicit_schemes(void** state)
{
  (void)state;
  static const char* const set[] = {"N", "2", NULL};
  static const char* const scheme[] = {"lobatto", "rattle", "moreau-jean"};
  double z[3];
  for (int i = 0; i < 3; i++) {
    run r = open_run("bend-45", scheme[i], 0.01, set, be_content_with_large_forces);
    run_until(&r, 4);
    z[i] = value(&r, "beam.tip.z");
    assert_true(pc_sim_summary(r.sim).iterations_max[0] <= 4);
    close_run(&r);
  }
  CHECK_NEAR(z[1], z[0], 1.2e-5);
  CHECK_NEAR(z[2], z[0], 1.2e-5);
}

/* Its axial forces have a round-off of 5e-9 N s in a step, which no iteration makes smaller. */
static void a_thousand_elements_run_with_the_default_tolerance(void** state)
{
  (void)state;
  static const char* const set[] = {"N", "1000", NULL};
  static const char* const scheme[] = {"moreau-jean", "generalized-alpha"};
  for (int i = 0; i < 2; i++) {
    run r = open_run("cantilever", scheme[i], 0, set, NULL);
    run_until(&r, 0.1);
    assert_true(pc_sim_summary(r.sim).iterations_max[0] <= 6);
    close_run(&r);
  }
}

/* ---- a mechanism ---------------------------------------------------------------------------- */

/* Forces of a rod that is a thousand times as stiff have a round-off of 1e-10 N s in a step. */
static void be_content(pc_scheme_settings* settings)
{
  settings->tolerance = 1e-9;
}

/* In a guide so wide that nothing is hit: in an impact an elastic rod, however stiff, gives the
 * slider less effective mass than a rigid one. The scheme is of first order with joints: 4.4e-5 rad
 * at 2e-6 s, 2.3e-4 at 1e-5. */
static void a_stiff_rod_moves_the_mechanism_like_a_rigid_one(void** state)
{
  (void)state;
  /* rho A l2 and rho A l2^3/12 + rho I l2 */
  static const char* const rigid[] = {
      "d", "1", "m2", "2700*0.0068^2*0.306", "J2", "2700*0.0068^2*0.306*(0.306^2 + 0.0068^2)/12",
      NULL};
  static const char* const stiff[] = {"d", "1", "E", "7e13", NULL};
  run a = open_run("slider-crank", "moreau-jean", 2e-6, rigid, NULL);
  run b = open_run("flexible-slider-crank", "moreau-jean", 2e-6, stiff, be_content);
  run_until(&a, 0.01);
  run_until(&b, 0.01);
  CHECK_NEAR(value(&b, "crank.angle"), value(&a, "crank.angle"), 1e-4);
  CHECK_NEAR(value(&b, "rod.4.angle"), value(&a, "rod.angle"), 1e-4);
  CHECK_NEAR(value(&b, "slider.x"), value(&a, "slider.x"), 1e-5);
  close_run(&a);
  close_run(&b);
}

/* Two elements that nothing holds, under forces of 0.01 N: round-off of their positions makes 1e-7
 * N, and with so few coordinates a single random perturbation can see half of it. */
static void two_elements_in_flight_are_solved_to_round_off(void** state)
{
  (void)state;
  const char text[] =
      "percuss: 1\nbodies:\n"
      "  beam: {kind: beam, elements: 2, nodes: 3, root: [0, 0], tip: [1, 0], area: 2e-4,\n"
      "         inertia: 1.6667e-9, density: 7800, modulus: 210e9}\n"
      "forces:\n"
      "  f: {force: {point: beam.tip, value: [0, 0.01]}}\n"
      "  g: {force: {point: beam.root, value: [0, 0.01]}}\n"
      "  h: {force: {point: beam.2, value: [0, -0.02]}}\n";
  const double dt[] = {1e-4, 5e-5, 3e-5, 2e-5, 1e-5};
  for (size_t i = 0; i < sizeof dt / sizeof *dt; i++) {
    run r = open_text(text, "generalized-alpha", dt[i], NULL, NULL);
    run_until(&r, 0.1);
    close_run(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum_swings_to_its_stop),
      cmocka_unit_test(cantilever_comes_to_rest_as_a_circle),
      cmocka_unit_test(a_free_beam_keeps_its_momenta_and_its_energy),
      cmocka_unit_test(a_tumbling_beam_keeps_its_momenta_and_its_energy),
      cmocka_unit_test(a_thousand_elements_run_with_the_default_tolerance),
      cmocka_unit_test(the_bend_moves_alike_under_all_implicit_schemes),
      cmocka_unit_test(a_stiff_rod_moves_the_mechanism_like_a_rigid_one),
      cmocka_unit_test(two_elements_in_flight_are_solved_to_round_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
