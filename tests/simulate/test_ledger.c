/* The ledger: a balance that closes, a scheme's share that vanishes with dt, events, violations,
 * and steps that are subdivided or inaccurate. */
#include <dirent.h>
#include <string.h>

#include "run.h"

static int check_balance(void* user, const pc_observation* seen)
{
  double* energy = user;
  double now = seen->kinetic + seen->potential;
  if (seen->info->step > 0) {
    pc_balance b = seen->balance;
    CHECK_NEAR(*energy + b.work - b.impact - b.friction - b.scheme, now, 1e-13 * (1 + fabs(now)));
  }
  *energy = now;
  return 1;
}

/* Flexible models are stiff for schemes that take forces at given positions: the step they can do,
 * and no damping of the material. */
static const struct {
  const char* name;
  double dt; /* [s] */
  const char* set[5];
} flexible[] = {{"flyball-governor", 1e-5, {0}},
                {"bend-45", 1e-4, {"tau", "0"}},
                {"cantilever", 1e-7, {"tau", "0"}},
                {"elastic-bar", 0.002 / 3, {0}},
                {"flexible-pendulum", 5e-6 / 3, {0}},
                {"flexible-slider-crank", 2e-5 / 30, {0}},
                {"impacting-bar", 0, {"N", "10", "gap", "4.93e-5"}}};

static int is_explicit(const char* scheme)
{
  return !strcmp(scheme, "moreau") || !strcmp(scheme, "rattle") || !strcmp(scheme, "lobatto");
}

static run open_any(const char* model, const char* scheme)
{
  for (size_t i = 0; is_explicit(scheme) && i < sizeof flexible / sizeof *flexible; i++)
    if (!strcmp(model, flexible[i].name))
      return open_run(model, scheme, flexible[i].dt, flexible[i].set, NULL);
  return open_run(model, scheme, 0, NULL, NULL);
}

/* Runs that are left out: what a scheme cannot do yet, or does not promise. */
static const struct {
  const char *model, *scheme;
} left_out[] = {
    /* fails at the first of the sixty contacts of the breaker that close together */
    {"circuit-breaker", "direct-projection"},
    {"circuit-breaker", "generalized-alpha"},
    {"bricard", "moreau-jean"},          /* round-off of redundant joints exceeds the tolerance */
    {"cam-follower", "schatzman-paoli"}, /* percussions on a moving surface are off by O(dt) */
    {"arch", "schatzman-paoli"},         /* the same: the stones turn as they slide */
};

static int is_left_out(const char* model, const char* scheme)
{
  for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
    if (!strcmp(model, left_out[i].model) && !strcmp(scheme, left_out[i].scheme)) return 1;
  return 0;
}

/* 200 steps, of large models 10: in each, and over all, initial energy + work - losses = final
 * energy. */
static void check_run(const char* model, const char* scheme)
{
  enum { LARGE = 100 }; /* velocities */
  run r = open_any(model, scheme);
  int steps = pc_system_u_count(pc_model_system(r.model)) > LARGE ? 10 : 200;
  double energy = 0;
  CHECK_OK(pc_sim_add_observer(r.sim, check_balance, &energy, &r.error), r.error);
  pc_status status = PC_OK;
  for (int i = 0; i < steps && status == PC_OK; i++) status = pc_sim_step(r.sim, &r.error);
  if (status != PC_OK) fail_msg("%s under %s: %s", model, scheme, r.error.text);
  pc_summary s = pc_sim_summary(r.sim);
  double left = s.energy_initial + s.balance.work - s.balance.impact - s.balance.friction -
                s.balance.scheme - s.energy_final;
  double size = fabs(s.energy_initial) + fabs(s.energy_final) + fabs(s.balance.work);
  if (!(fabs(left) <= 1e-12 * (1 + size)))
    fail_msg("%s under %s: %g of %g J are left over", model, scheme, left, size);
  if (!(s.balance.impact + s.balance.friction > -1e-6)) /* contacts only take energy */
    fail_msg("%s under %s: contacts give %g J", model, scheme,
             -s.balance.impact - s.balance.friction);
  close_run(&r);
}

/* Every file in models/, under every scheme. */
static void balance_closes_in_every_model(void** state)
{
  (void)state;
  int count = 0;
  DIR* folder = opendir(PC_SOURCE_DIR "/models");
  assert_non_null(folder);
  for (const struct dirent* file; (file = readdir(folder)) != NULL;) {
    char name[256];
    snprintf(name, sizeof name, "%s", file->d_name);
    char* dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".yaml") != 0) continue;
    *dot = '\0';
    for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++)
      if (!is_left_out(name, *scheme)) check_run(name, *scheme);
    count++;
  }
  closedir(folder);
  assert_true(count >= 24);
}

/* The ball loses (1 - e^2) m v^2/2 in each impact, nothing in friction. */
static void an_impact_loses_what_newton_says(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "moreau-jean", 1e-3, NULL, NULL);
  run_until(&r, 1.5);
  pc_summary s = pc_sim_summary(r.sim);
  CHECK_NEAR(s.balance.impact, 0.75 * 2 * 2 / 2, 5e-3); /* speed 2 at t = 1, to O(dt) */
  CHECK_NEAR(s.balance.friction, 0, 0);
  CHECK_NEAR(s.balance.work, 0, 0);
  CHECK_NEAR(s.balance.scheme, 0, 1e-12); /* theta = 1/2 is exact here */
  close_run(&r);
}

/* A block that slides a distance s loses mu m g cos(angle) s. */
static void friction_takes_force_times_distance(void** state)
{
  (void)state;
  const char* const set[] = {"angle", "0.5", "mu", "0.3", NULL};
  run r = open_run("block-on-incline", "moreau-jean", 1e-3, set, NULL);
  double x = value(&r, "block.x"), y = value(&r, "block.y");
  run_until(&r, 1);
  double distance = hypot(value(&r, "block.x") - x, value(&r, "block.y") - y);
  pc_summary s = pc_sim_summary(r.sim);
  CHECK_NEAR(s.balance.friction, 0.3 * 9.81 * cos(0.5) * distance, 1e-9);
  CHECK_NEAR(s.balance.scheme, 0, 1e-9);
  close_run(&r);
}

/* A driven and damped oscillator: the work is what the force does along the path. */
static void work_is_that_of_applied_forces(void** state)
{
  (void)state;
  const char text[] =
      "percuss: 1\nspace: line\n"
      "bodies: {m: {kind: point, mass: 2, position: [0.3], velocity: [1]}}\n"
      "forces:\n  push: {force: {point: [m, [0]], value: [3*cos(2*t)]}}\n";
  pc_model* model = NULL;
  pc_error error = {0};
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  pc_sim_def def = {pc_model_system(model), "moreau-jean", pc_default_scheme_settings()};
  pc_sim* sim = NULL;
  CHECK_OK(pc_sim_create(&def, &sim, &error), error);
  CHECK_OK(pc_sim_run(sim, 1, &error), error);
  pc_summary s = pc_sim_summary(sim);
  CHECK_NEAR(s.balance.work, s.energy_final - s.energy_initial, 1e-12);
  assert_true(fabs(s.balance.work) > 0.1);
  pc_sim_destroy(sim);
  pc_model_destroy(model);
}

/* A mass whose place is a law of time, a mass on a spring whose other end is moved, and a ball that
 * leaves a rising table: work comes in by joints, potentials, contacts. */
static const char driven[] =
    "percuss: 1\nparameters: {a: 0.1, w: 7, k: 30}\n"
    "coordinates: {x: 0, z: 0.2, y: 0, p: {value: 0.3, velocity: 0.5}}\n"
    "kinetic: 2/2*x'^2 + 3/2*z'^2 + 1/2*y'^2 + (1 + 0.3*t)/2*p'^2\n"
    "potential: k/2*(z - a*sin(w*t))^2 + 10*y\n"
    "constraints:\n  drive: x - a*w*t^2\n"
    "contacts:\n  table: {gap: y - 2*a*t^2, restitution: 0.5}\n";

/* All that stays of it for the scheme is an error that vanishes with dt. The driven mass has
 * 2/2 (2 a w t)^2; M(t) p' keeps its value, so that p' = 0.5/1.3 at t = 1. */
static void work_is_that_of_what_moves_by_a_law_of_time(void** state)
{
  (void)state;
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
    double error[3], dt[3];
    for (int i = 0; i < 3; i++) {
      dt[i] = ldexp(2e-3, -i);
      run r = open_text(driven, *scheme, dt[i], NULL, NULL);
      run_until(&r, 1);
      pc_summary s = pc_sim_summary(r.sim);
      error[i] = fabs(s.balance.scheme);
      assert_true(s.balance.work > 1.5);
      CHECK_NEAR(value(&r, "x'"), 1.4, 0.01);
      CHECK_NEAR(value(&r, "p'"), 0.5 / 1.3, 1e-3);
      close_run(&r);
    }
    double order = fitted_order(3, dt, error);
    print_message("%s: %g of the work are the scheme's, order %g\n", *scheme, error[2], order);
    if (!(error[2] < 0.02 && order > 0.9)) fail_msg("%s: %g J, order %g", *scheme, error[2], order);
  }
}

static void solve_exactly(pc_scheme_settings* settings)
{
  settings->tolerance = 1e-14;
}

/* The scheme's share over a time without impacts, with nothing left for Newton's iteration. */
static double share(const char* model, const char* scheme, double dt, double until)
{
  run r = open_run(model, scheme, dt, NULL, solve_exactly);
  run_until(&r, until);
  double scheme_share = pc_sim_summary(r.sim).balance.scheme;
  close_run(&r);
  return fabs(scheme_share);
}

/* Over three steps, each half of the one before. */
static double order_of_share(const char* model, const char* scheme, double dt, double until)
{
  double step[3], shares[3];
  for (int i = 0; i < 3; i++) {
    step[i] = ldexp(dt, -i);
    shares[i] = share(model, scheme, step[i], until);
  }
  return fitted_order(3, step, shares);
}

/* In smooth motion. Velocity-level constraints cost the schemes of Moreau's kind an order: their
 * percussions act in the directions at one end of the step. rattle and lobatto keep theirs. */
static void the_schemes_share_vanishes_with_its_order(void** state)
{
  (void)state;
  static const struct {
    const char* scheme;
    double free, joints; /* without and with joints */
  } expected[] = {{"moreau", 1, 1},
                  {"moreau-jean", 2, 1},
                  {"schatzman-paoli", 1, 1},
                  {"direct-projection", 2, 1},
                  {"combined-projection", 2, 1},
                  {"rattle", 2, 2},
                  {"lobatto", 4, 4},
                  {"generalized-alpha", 2, 2}};
  int count = 0;
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++, count++) {
    const char* name = expected[count].scheme;
    assert_string_equal(*scheme, name);
    CHECK_NEAR(order_of_share("slider-crank-minimal", name, 8e-5, 0.0016), expected[count].free,
               0.1);
    CHECK_NEAR(order_of_share("slider-crank", name, 7.5e-5, 0.0012), expected[count].joints, 0.1);
  }
}

/* In space, and with joints on velocities: at least that order, or round-off. */
static void the_schemes_share_vanishes_in_space_too(void** state)
{
  (void)state;
  static const char* const spatial[] = {"spinning-top", "rolling-disc", "skate"};
  static const double dt[] = {2e-3, 1e-2, 1e-2}, until[] = {0.1, 0.4, 0.4};
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++)
    for (int m = 0; m < 3; m++) {
      int high = !strcmp(*scheme, "rattle") || !strcmp(*scheme, "generalized-alpha");
      if (!strcmp(*scheme, "lobatto")) {
        assert_true(share(spatial[m], *scheme, dt[m], until[m]) < 1e-8);
        continue;
      }
      double order = order_of_share(spatial[m], *scheme, dt[m], until[m]);
      if (!(order > (high ? 1.9 : 0.9)))
        fail_msg("%s under %s: order %g", spatial[m], *scheme, order);
    }
}

static void events_tell_percussions_and_velocities(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "moreau-jean", 0.01, NULL, NULL);
  run_until(&r, 1.5);
  const pc_event* hit = pc_sim_event(r.sim, 0);
  const pc_event* off = pc_sim_event(r.sim, 1);
  assert_non_null(hit);
  assert_non_null(off);
  assert_int_equal(hit->kind, PC_CONTACT_CLOSED);
  assert_int_equal(off->kind, PC_CONTACT_OPENED);
  CHECK_NEAR(hit->t, 1, 0.02);
  CHECK_NEAR(hit->velocity_after, -0.5 * hit->velocity_before, 1e-12);
  CHECK_NEAR(hit->P_N, hit->velocity_after - hit->velocity_before + 2 * 0.01, 1e-12);
  assert_int_equal(off->step, hit->step + 1);
  assert_null(pc_sim_event(r.sim, 2));
  assert_null(pc_sim_event(r.sim, -1));
  close_run(&r);
}

static void violations_have_their_time(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "moreau-jean", 0.05, NULL, NULL);
  run_until(&r, 4);
  const pc_violation* law = pc_sim_observation(r.sim)->violation;
  assert_int_equal(pc_violation_count(pc_sim_observation(r.sim)->system), 3);
  assert_int_equal(law[0].law, PC_VIOLATED_GAP);
  assert_string_equal(law[0].part, "floor");
  CHECK_NEAR(law[0].value, pc_sim_summary(r.sim).penetration_max, 0);
  assert_true(law[0].t > 0.9 && law[0].t < 3);
  assert_int_equal(law[1].law, PC_VIOLATED_IMPACT);
  CHECK_NEAR(law[1].value, 0, 1e-15);
  close_run(&r);
}

static void one_iteration(pc_scheme_settings* settings)
{
  settings->max_iterations = 2;
  settings->on_failure = PC_ON_FAILURE_HALVE;
}

/* With two Newton iterations a long step fails; subdivided it passes, and agrees with a run
 * that is not subdivided. */
static void a_step_that_fails_is_subdivided_on_request(void** state)
{
  (void)state;
  run halved = open_run("slider-crank-minimal", "moreau-jean", 2e-4, NULL, one_iteration);
  run whole = open_run("slider-crank-minimal", "moreau-jean", 2e-4, NULL, NULL);
  run_until(&halved, 0.002);
  run_until(&whole, 0.002);
  pc_summary s = pc_sim_summary(halved.sim);
  assert_true(s.trouble.halved > 0);
  assert_int_equal(s.steps, 10);
  CHECK_NEAR(s.time, 0.002, 1e-15);
  CHECK_NEAR(value(&halved, "th1"), value(&whole, "th1"), 1e-4);
  CHECK_NEAR(
      s.energy_initial + s.balance.work - s.balance.impact - s.balance.friction - s.balance.scheme,
      s.energy_final, 1e-12);
  close_run(&halved);
  close_run(&whole);
}

static void halve(pc_scheme_settings* settings)
{
  settings->on_failure = PC_ON_FAILURE_HALVE;
}

/* A mass runs against a potential that has no values behind x = 1. A long step ends there, its
 * halves do not: they go on from what was before, with books that close. */
static void a_step_that_is_not_finite_is_subdivided_too(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\ncoordinates: {x: {value: 0.5, velocity: 2}}\nkinetic: x'^2/2\n"
      "potential: -log(1 - x)/2\n";
  run r = open_text(text, "moreau", 0.35, NULL, NULL);
  run_until(&r, 0.35);
  double energy = pc_sim_summary(r.sim).energy_final, x = value(&r, "x"), v = value(&r, "x'");
  assert_int_equal(pc_sim_step(r.sim, &r.error), PC_NOT_FINITE);
  assert_non_null(strstr(r.error.text, "potential energy of "));
  CHECK_NEAR(pc_sim_summary(r.sim).energy_final, energy, 0);
  CHECK_NEAR(value(&r, "x"), x, 0);
  CHECK_NEAR(value(&r, "x'"), v, 0);
  close_run(&r);
  r = open_text(text, "moreau", 0.35, NULL, halve);
  CHECK_OK(pc_sim_add_observer(r.sim, check_balance, &energy, &r.error), r.error);
  run_until(&r, 1.05);
  assert_true(pc_sim_summary(r.sim).trouble.halved > 0);
  assert_true(value(&r, "x") < 1 && value(&r, "x'") < 0);
  close_run(&r);
}

/* The same beside a mass that rests on the floor: whatever the substeps, the floor's percussion
 * over the step is m g dt, and only steps that were subdivided are counted as such. */
static void a_subdivided_step_has_the_percussions_of_all_its_substeps(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\ncoordinates: {x: {value: 0.5, velocity: 2}, y: 0}\nkinetic: (x'^2 + y'^2)/2\n"
      "potential: -log(1 - x)/2 + 10*y\ncontacts: {floor: {gap: y}}\n";
  run r = open_text(text, "moreau", 0.35, NULL, halve);
  run_until(&r, 0.35);
  assert_int_equal(pc_sim_summary(r.sim).trouble.halved, 0);
  CHECK_NEAR(value(&r, "floor.P_N"), 3.5, 1e-12);
  for (int step = 2; step <= 3; step++) {
    long before = pc_sim_summary(r.sim).trouble.halved;
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    int substeps = pc_sim_observation(r.sim)->info->substeps;
    assert_int_equal(pc_sim_summary(r.sim).trouble.halved - before, substeps > 1);
    CHECK_NEAR(value(&r, "floor.P_N"), 3.5, 1e-12);
  }
  assert_true(pc_sim_summary(r.sim).trouble.halved > 0);
  close_run(&r);
}

/* x = t^2 by a constraint: over every step the drive does the work of the change of the kinetic
 * energy, 2 t^2, to round-off, for it is constant acceleration; the scheme neither gives nor
 * takes. */
static void the_work_of_a_drive_is_that_of_its_mean_velocity(void** state)
{
  (void)state;
  run r =
      open_text("percuss: 1\ncoordinates: {x: 0}\nkinetic: x'^2/2\nconstraints: {drive: x - t^2}\n",
                "moreau-jean", 0.1, NULL, NULL);
  run_until(&r, 1);
  pc_summary s = pc_sim_summary(r.sim);
  CHECK_NEAR(s.balance.work, s.energy_final - s.energy_initial, 1e-12);
  CHECK_NEAR(s.balance.scheme, 0, 1e-12);
  CHECK_NEAR(s.energy_final, 2, 0.5); /* the mean velocity of the last step, or that of its end */
  close_run(&r);
}

static void accept_anything(pc_scheme_settings* settings)
{
  settings->max_iterations = 1;
  settings->on_failure = PC_ON_FAILURE_CONTINUE;
}

static void an_inaccurate_step_is_counted_and_named(void** state)
{
  (void)state;
  run r = open_run("slider-crank-minimal", "moreau-jean", 1e-4, NULL, accept_anything);
  run_until(&r, 0.01);
  pc_summary s = pc_sim_summary(r.sim);
  assert_int_equal(s.steps, 100);
  assert_true(s.trouble.inaccurate > 50);
  assert_true(s.trouble.first_inaccurate >= 1 && s.trouble.first_inaccurate <= 5);
  assert_true(s.residual_max > 1e-10);
  close_run(&r);
}

static void go_on_anyway(pc_scheme_settings* settings)
{
  settings->on_failure = PC_ON_FAILURE_CONTINUE;
}

/* A step beyond what rattle can do on a beam: found out within a few steps, and the last state is
 * one of a beam. With a step that it can do nothing is found, however little there is to begin
 * with. */
static void an_unstable_run_is_stopped(void** state)
{
  (void)state;
  for (int i = 0; i < 3; i++) {
    static const char* const schemes[] = {"rattle", "lobatto", "moreau"};
    run r = open_run("flexible-pendulum", schemes[i], 5e-6, NULL, NULL);
    assert_int_equal(pc_sim_run(r.sim, 0.01, &r.error), PC_UNSTABLE);
    assert_non_null(strstr(r.error.text, "unstable: the scheme has created "));
    assert_true(pc_sim_summary(r.sim).energy_final < 1e9);
    close_run(&r);
    r = open_run("flexible-pendulum", schemes[i], 5e-6 / 3, NULL, NULL);
    run_until(&r, 0.01);
    close_run(&r);
  }
  run r = open_run("flexible-pendulum", "rattle", 5e-6, NULL, go_on_anyway);
  run_until(&r, 0.001);
  assert_int_equal(pc_sim_summary(r.sim).trouble.first_inaccurate, 7);
  close_run(&r);
}

/* Far beyond the limit nearly all that is made is in the springs: the energy of a bar of a thousand
 * elements grows by a factor of a million a step, of which the masses have a hundredth and less. */
static void a_run_is_stopped_however_unstable(void** state)
{
  (void)state;
  static const char* const fine[] = {"N", "1000", NULL};
  static const char* const bars[] = {"impacting-bar", "elastic-bar"};
  for (int i = 0; i < 2; i++)
    for (double dt = 2e-3; dt < 1; dt *= 10) {
      run r = open_run(bars[i], "moreau", dt, fine, NULL);
      assert_int_equal(pc_sim_run(r.sim, 12 * dt, &r.error), PC_UNSTABLE);
      close_run(&r);
    }
  run r = open_run("impacting-bar", "moreau", 2e-6, fine, NULL);
  assert_int_equal(pc_sim_run(r.sim, 1e-4, &r.error), PC_UNSTABLE);
  assert_true(pc_sim_summary(r.sim).steps < 12);
  close_run(&r);
}

/* Explicit dampers turn velocities round where dt c/m > 2, and the work booked is then a gain.
 * Beams of a damped material, and a damper among formulas beside something that is driven. */
static void a_damper_that_makes_energy_is_found_out(void** state)
{
  (void)state;
  for (double dt = 8e-7; dt < 1e-4; dt *= 2) {
    run r = open_run("flexible-slider-crank", "moreau", dt, NULL, NULL);
    assert_int_equal(pc_sim_run(r.sim, 100 * dt, &r.error), PC_UNSTABLE);
    assert_true(pc_sim_summary(r.sim).energy_final < 1e30);
    close_run(&r);
  }
  static const char damper[] =
      "percuss: 1\ncoordinates: {x: {value: 0, velocity: 1}, y: 0}\nkinetic: (x'^2 + y'^2)/2\n"
      "forces: {x: -1000*x', y: 50*cos(t)}\n";
  run r = open_text(damper, "moreau", 2.1e-3, NULL, NULL);
  assert_int_equal(pc_sim_run(r.sim, 1, &r.error), PC_UNSTABLE);
  close_run(&r);
  r = open_text(damper, "moreau", 1.9e-3, NULL, NULL);
  run_until(&r, 10);
  close_run(&r);
}

/* A force that turns a motion round over and over, as it may: every fifth of 10^5 steps. */
static void a_force_may_turn_a_motion_round(void** state)
{
  (void)state;
  static const char moved[] =
      "percuss: 1\ncoordinates: {x: 0}\nkinetic: x'^2/2\nforces: {x: cos(t)}\n";
  run r = open_text(moved, "moreau", 0.6, NULL, NULL);
  run_until(&r, 6e4);
  assert_true(pc_sim_summary(r.sim).energy_final < 10);
  close_run(&r);
}

/* All is at rest until a force sets in. In the step where it does, rattle takes its value at the
 * end against a velocity that is not there yet: an error as large as the motion, and no
 * instability. */
static void a_motion_may_begin_late(void** state)
{
  (void)state;
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++)
    for (int power = 0; power < 4; power++) {
      char text[200];
      snprintf(text, sizeof text,
               "percuss: 1\ncoordinates: {x: 0}\nkinetic: x'^2/2\n"
               "forces:\n  x: max(0, t - 0.05)^%d\n",
               power);
      run r = open_text(text, *scheme, 1e-3, NULL, NULL);
      run_until(&r, 0.1);
      assert_true(value(&r, "x'") > 1e-7);
      close_run(&r);
    }
}

static void a_restored_state_goes_on_with_the_same_bits(void** state)
{
  (void)state;
  run whole = open_run("slider-crank", "moreau-jean", 1e-4, NULL, NULL);
  run first = open_run("slider-crank", "moreau-jean", 1e-4, NULL, NULL);
  run second = open_run("slider-crank", "moreau-jean", 1e-4, NULL, NULL);
  run_until(&whole, 0.02);
  run_until(&first, 0.0113);
  const pc_state* s = pc_sim_observation(first.sim)->state;
  CHECK_OK(pc_sim_restore(second.sim, s->step, s->q, s->u, s->P, s->memory, &second.error),
           second.error);
  run_until(&second, 0.02);
  const pc_state *a = pc_sim_observation(whole.sim)->state,
                 *b = pc_sim_observation(second.sim)->state;
  assert_int_equal(a->step, b->step);
  assert_memory_equal(a->q, b->q, 9 * sizeof(double));
  assert_memory_equal(a->u, b->u, 9 * sizeof(double));
  assert_memory_equal(a->P, b->P, 14 * sizeof(double));
  close_run(&whole);
  close_run(&first);
  close_run(&second);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balance_closes_in_every_model),
      cmocka_unit_test(an_impact_loses_what_newton_says),
      cmocka_unit_test(friction_takes_force_times_distance),
      cmocka_unit_test(work_is_that_of_applied_forces),
      cmocka_unit_test(work_is_that_of_what_moves_by_a_law_of_time),
      cmocka_unit_test(the_schemes_share_vanishes_with_its_order),
      cmocka_unit_test(the_schemes_share_vanishes_in_space_too),
      cmocka_unit_test(events_tell_percussions_and_velocities),
      cmocka_unit_test(violations_have_their_time),
      cmocka_unit_test(a_step_that_fails_is_subdivided_on_request),
      cmocka_unit_test(a_step_that_is_not_finite_is_subdivided_too),
      cmocka_unit_test(a_subdivided_step_has_the_percussions_of_all_its_substeps),
      cmocka_unit_test(the_work_of_a_drive_is_that_of_its_mean_velocity),
      cmocka_unit_test(an_inaccurate_step_is_counted_and_named),
      cmocka_unit_test(an_unstable_run_is_stopped),
      cmocka_unit_test(a_run_is_stopped_however_unstable),
      cmocka_unit_test(a_damper_that_makes_energy_is_found_out),
      cmocka_unit_test(a_force_may_turn_a_motion_round),
      cmocka_unit_test(a_motion_may_begin_late),
      cmocka_unit_test(a_restored_state_goes_on_with_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
