/* Every model under every scheme and every solver: the invariants of the velocity-level schemes,
 * and the same motion from every solver. */
#include <string.h>

#include "run.h"

enum { STEPS = 400, N_MAX = 16 };

static const char* solver;

static void choose_solver(pc_scheme_settings* settings)
{
  settings->solver = solver;
  settings->absolute_tolerance = 1e-10;
}

static int is_variational(const char* scheme)
{
  return !strcmp(scheme, "rattle") || !strcmp(scheme, "lobatto");
}

/* What the variational schemes promise on top: no penetration, joints at both levels. `allowed` is
 * the residual that they stop at. */
static int check_positions(const pc_observation* seen, double allowed)
{
  int bad = 0;
  for (int r = 0; r < pc_system_g_count(seen->system); r++)
    bad |= !(fabs(seen->y[r]) <= allowed) || !(fabs(seen->y_dot[r]) <= allowed);
  for (int k = 0; k < pc_system_contact_count(seen->system); k++)
    bad |= !(seen->y[pc_system_contact(seen->system, k).row] >= -allowed);
  if (bad) print_error("step %ld: positions\n", seen->info->step);
  return bad;
}

/* What must hold after every step, whatever the motion. The friction cone: to round-off where a
 * contact solver projects on it, to the residual of the step where Newton finds it. */
static int check_step(void* user, const pc_observation* seen)
{
  int variational = is_variational(user);
  const pc_step_info* info = seen->info;
  double slack = variational ? info->residual : 0;
  if (info->step == 0) return 1;
  /* sweeps by themselves converge slowly where contacts are redundant: their limit of iterations
   * ends some steps a little above the tolerance of 1e-12 */
  int sweeps = solver && (!strcmp(solver, "prox") || !strcmp(solver, "nsgs"));
  int bad = !(info->impact_residual < 1e-9) || !(info->friction_residual < 1e-9) ||
            !(info->solver_residual <= (sweeps ? 1e-10 : 1e-12));
  for (int k = 0; k < pc_system_contact_count(seen->system); k++) {
    pc_contact_info c = pc_system_contact(seen->system, k);
    double P_N = seen->state->P[c.row];
    bad |= !(P_N >= 0);
    if (c.dimension == 1) /* in the cone to round-off */
      bad |= !(fabs(seen->state->P[c.row + 1]) <= c.mu * P_N * (1 + 1e-12) + 1e-18 + slack);
  }
  if (variational) bad |= check_positions(seen, 1e-10);
  if (bad)
    print_error("step %ld: impact %g, friction %g, solver %g\n", info->step, info->impact_residual,
                info->friction_residual, info->solver_residual);
  return !bad;
}

static void final_state(const char* model, const char* scheme, const char* with, double* q,
                        double* u)
{
  solver = with;
  run r = open_run(model, scheme, 0, suited(model), choose_solver);
  CHECK_OK(pc_sim_add_observer(r.sim, check_step, (void*)(uintptr_t)scheme, &r.error), r.error);
  double dt = pc_model_settings(r.model).dt;
  if (pc_sim_run(r.sim, STEPS * dt, &r.error) != PC_OK)
    fail_msg("%s under %s with %s: %s", model, scheme, with, r.error.text);
  const pc_state* state = pc_sim_observation(r.sim)->state;
  memcpy(q, state->q, (size_t)pc_system_q_count(pc_model_system(r.model)) * sizeof *q);
  memcpy(u, state->u, (size_t)pc_system_u_count(pc_model_system(r.model)) * sizeof *u);
  close_run(&r);
}

/* How far two solvers may be apart [m]. generalized-alpha remembers forces contact by contact:
 * where legs share an impact in a way that is not unique, the step of the impact and the next one
 * differ by a hundredth of v0 dt. */
static double same_position(const char* model, const char* scheme)
{
  int shared = !strcmp(model, "four-legged-table") && !strcmp(scheme, "generalized-alpha");
  return shared ? 2 * 0.01 * 0.2 * 1e-3 : 1e-8;
}

static void every_solver_gives_the_same_motion(void** state)
{
  (void)state;
  for (int m = 0; m < MODEL_COUNT; m++)
    for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
      double q[N_MAX] = {0}, u[N_MAX] = {0};
      final_state(models[m], *scheme, "lemke", q, u);
      for (int s = 0; s < 2; s++) {
        double other_q[N_MAX] = {0}, other_u[N_MAX] = {0};
        const char* with = s ? "prox" : "nsgs";
        final_state(models[m], *scheme, with, other_q, other_u);
        double limit = same_position(models[m], *scheme);
        for (int i = 0; i < N_MAX; i++)
          if (!(fabs(q[i] - other_q[i]) < limit) || !(fabs(u[i] - other_u[i]) < 1e-6))
            fail_msg("%s under %s: %s differs from lemke by %g in q, %g in u", models[m], *scheme,
                     with, other_q[i] - q[i], other_u[i] - u[i]);
      }
    }
}

/* Without contact forces' restitution, friction only takes energy; e <= 1 never gives any. The
 * scheme's own share vanishes with dt, so it is compared with that of half the step. */
static double rise(const char* model, const char* scheme, double dt, double until)
{
  run r = open_run(model, scheme, dt, NULL, NULL);
  run_until(&r, until);
  double increase = pc_sim_summary(r.sim).energy_max_increase;
  close_run(&r);
  return increase;
}

static void energy_does_not_rise_but_for_the_scheme_itself(void** state)
{
  (void)state;
  /* linear systems under theta = 1/2: never, to round-off */
  assert_true(rise("bouncing-ball", "moreau-jean", 0.05, 4) < 1e-13);
  assert_true(rise("oscillator", "moreau-jean", 1e-3, 2) < 1e-12);
  assert_true(rise("slider-roller", "moreau-jean", 5e-3, 0.4) < 0.05); /* work of the torque */
  /* the nonlinear mechanism: less and less */
  double coarse = rise("slider-crank-minimal", "moreau-jean", 1e-4, 0.1);
  double fine = rise("slider-crank-minimal", "moreau-jean", 2.5e-5, 0.1);
  assert_true(fine < coarse / 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_solver_gives_the_same_motion),
      cmocka_unit_test(energy_does_not_rise_but_for_the_scheme_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
