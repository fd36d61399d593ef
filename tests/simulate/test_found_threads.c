/* Threads share the work on found contacts, and not a bit of the result depends on how many they
 * are; a given number of sweeps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static int threads, sweeps; /* of the next run */

static void tune(pc_scheme_settings* s)
{
  s->threads = threads;
  s->sweeps = sweeps;
}

/* The last state of a run: t, then q and u. */
typedef struct outcome {
  int count;
  double* state;
  pc_summary summary;
  pc_found_tally found;
  int pair_count;
  double pair_sum; /* of the impulses of all pairs of shapes */
} outcome;

static outcome run_to(double until, const char* model, const char* const* set, const char* scheme)
{
  run r = open_run(model, scheme, 0, set, tune);
  CHECK_OK(pc_sim_run(r.sim, until, &r.error), r.error);
  const pc_system* system = pc_model_system(r.model);
  const pc_state* state = pc_sim_observation(r.sim)->state;
  size_t n_q = (size_t)pc_system_q_count(system), n_u = (size_t)pc_system_u_count(system);
  outcome o = {(int)(n_q + n_u),         malloc((n_q + n_u) * sizeof(double)),
               pc_sim_summary(r.sim),    pc_sim_found_tally(r.sim),
               pc_sim_pair_count(r.sim), 0};
  for (int i = 0; i < o.pair_count; i++) o.pair_sum += pc_sim_pair(r.sim, i).tally.P_sum;
  assert_non_null(o.state);
  memcpy(o.state, state->q, n_q * sizeof(double));
  memcpy(o.state + n_q, state->u, n_u * sizeof(double));
  close_run(&r);
  return o;
}

static void check_same(const char* model, const char* const* set, const char* scheme, double until)
{
  threads = 1;
  outcome one = run_to(until, model, set, scheme);
  for (threads = 2; threads <= 3; threads++) {
    outcome more = run_to(until, model, set, scheme);
    assert_int_equal(more.count, one.count);
    assert_memory_equal(more.state, one.state, (size_t)one.count * sizeof(double));
    assert_int_equal(more.summary.events_closed, one.summary.events_closed);
    assert_int_equal(more.summary.events_opened, one.summary.events_opened);
    assert_true(more.summary.penetration_max == one.summary.penetration_max);
    assert_memory_equal(&more.summary.balance, &one.summary.balance, sizeof one.summary.balance);
    assert_memory_equal(&more.found, &one.found, sizeof one.found);
    assert_int_equal(more.pair_count, one.pair_count);
    assert_true(more.pair_sum == one.pair_sum);
    free(more.state);
  }
  free(one.state);
}

static const char* const spheres[] = {"N", "700", NULL};

static void sweeps_have_the_same_bits_for_any_number_of_threads(void** state)
{
  (void)state;
  sweeps = 10;
  check_same("spheres-in-a-box", spheres, "moreau-jean", 0.3);
  check_same("brick-wall", NULL, "moreau-jean", 0.02);
  sweeps = 0;
}

static void solutions_have_the_same_bits_for_any_number_of_threads(void** state)
{
  (void)state;
  sweeps = 0;
  check_same("spheres-in-a-box", spheres, "moreau-jean", 0.12);
  check_same("spheres-in-a-box", spheres, "combined-projection", 0.12);
}

/* The more sweeps, the nearer to what the solvers give. */
static void many_sweeps_are_a_solution(void** state)
{
  (void)state;
  static const char* const few[] = {"N", "60", NULL};
  const int counts[] = {20, 200, 2000};
  double last = 1;
  threads = 1;
  for (int i = 0; i < 3; i++) {
    sweeps = counts[i];
    outcome o = run_to(0.3, "spheres-in-a-box", few, "moreau-jean");
    assert_true(o.summary.trouble.inaccuracy_max < last / 5);
    assert_true(o.summary.trouble.inaccurate > 0 || o.summary.trouble.inaccuracy_max == 0);
    last = o.summary.trouble.inaccuracy_max;
    free(o.state);
  }
  assert_true(last < 1e-6);
  sweeps = 0;
}

/* Two balls that touch, of which the upper one slides off. */
static const char SLIDING[] =
    "percuss: 1\n"
    "space: spatial\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  low: {mass: 1, shape: {sphere: 0.1}, position: [0, 0, 0]}\n"
    "  high: {mass: 2, shape: {sphere: 0.1}, position: [0.06, 0, 0.16], velocity: [1, 0, -2]}\n"
    "simulate: {scheme: moreau-jean, dt: 1e-2, until: 1}\n";

/* The normal of one contact problem a step is that at its start: there the balls do not approach
 * each other any more. Solved to the end, the step takes that at its end. */
static void sweeps_take_normals_at_the_start_of_a_step(void** state)
{
  (void)state;
  threads = 1;
  for (sweeps = 50; sweeps >= 0; sweeps -= 50) {
    run r = open_text(SLIDING, "moreau-jean", 1e-2, NULL, tune);
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    const double *q = pc_sim_observation(r.sim)->state->q, *u = pc_sim_observation(r.sim)->state->u;
    double x = sweeps ? 0.06 : q[7] - q[0], z = sweeps ? 0.16 : q[9] - q[2];
    double approach = (x * (u[6] - u[0]) + z * (u[8] - u[2])) / sqrt(x * x + z * z);
    CHECK_NEAR(approach, 0, 1e-9);
    assert_int_equal(pc_sim_observation(r.sim)->found->count, 1);
    close_run(&r);
  }
  sweeps = 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sweeps_have_the_same_bits_for_any_number_of_threads),
      cmocka_unit_test(solutions_have_the_same_bits_for_any_number_of_threads),
      cmocka_unit_test(many_sweeps_are_a_solution),
      cmocka_unit_test(sweeps_take_normals_at_the_start_of_a_step)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
