/* Which runs are to be doubted, and which are not. */
#include "percuss/check.h"
#include "run.h"

#include <math.h>

static run open_scene(const char* text, const char* scheme, double dt)
{
  run r = {0};
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &r.model, &r.error), r.error);
  make_sim(&r, scheme, dt, NULL);
  return r;
}

static void end_of_step(pc_scheme_settings* settings)
{
  settings->theta = 1;
}

static int doubts_about(const pc_verdict* v, const char* what)
{
  for (int i = 0; i < v->doubt_count; i++)
    if (strstr(v->doubt[i].text, what)) return 1;
  return 0;
}

/* The ellipsoid of the random scenes that ended with a million times its energy. */
static void energy_from_nothing_is_doubted(void** state)
{
  (void)state;
  run r = open_scene(
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
      "bodies:\n"
      "  b: {mass: 1, inertia: [0.0114, 0.0206, 0.0292], position: [0, 0, 0.45],\n"
      "      orientation: [-1.9, 1.28, -0.1, -0.31], angular_velocity: [-13.3, 8.4, -15.4]}\n"
      "contacts:\n"
      "  c: {ellipsoid: b, semi_axes: [0.31, 0.22, 0.084],\n"
      "      plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.11, restitution: 1}\n",
      "moreau", 0.0435);
  run_until(&r, 0.5);
  pc_verdict v = pc_sim_judge(r.sim);
  pc_summary s = pc_sim_summary(r.sim);
  assert_true(v.energy_gain >= s.energy_final - s.energy_initial);
  assert_true(v.energy_gain > 0.05 * v.energy_available);
  assert_true(doubts_about(&v, "energy rises without work"));
  assert_int_equal(v.doubt[0].kind, PC_WARNING_RESULT);
  close_run(&r);
}

/* What is available to a ball that falls: m g h, whatever potential the origin has. */
static void available_is_what_a_fall_sets_free(void** state)
{
  (void)state;
  run r = open_scene(
      "percuss: 1\ngravity: [0, -10]\n"
      "bodies: {a: {kind: point, mass: 2, position: [0, 1001]}}\n"
      "contacts: {f: {point: a, plane: {point: [0, 1000], normal: [0, 1]}, restitution: 0.5}}\n",
      "rattle", 1e-3);
  run_until(&r, 1);
  pc_verdict v = pc_sim_judge(r.sim);
  CHECK_NEAR(v.energy_available, 20, 1e-6);
  assert_int_equal(v.doubt_count, 0);
  close_run(&r);
}

/* A drive does work: the energy that it brings is not made from nothing, and dampers that take it
 * away again do not count against it. */
static void work_is_no_gain(void** state)
{
  (void)state;
  run r = open_scene(
      "percuss: 1\nspace: line\n"
      "bodies: {m: {kind: point, mass: 2, position: [0.3]}}\n"
      "forces:\n"
      "  push: {force: {point: [m, [0]], value: [3*cos(2*t)]}}\n"
      "  damper: {spring: {points: [[ground, [0]], [m, [0]]], stiffness: 100, damping: 5, length: "
      "0}}\n",
      "moreau-jean", 1e-3);
  run_until(&r, 5);
  pc_verdict v = pc_sim_judge(r.sim);
  pc_summary s = pc_sim_summary(r.sim);
  assert_true(s.balance.work < 0); /* the damper took more than was pushed in */
  assert_true(s.balance.supply > 0);
  assert_true(v.energy_gain <= 1e-4 * v.energy_available);
  assert_int_equal(v.doubt_count, 0);
  close_run(&r);
}

/* A drive that is held at an angle like a spring, in steps that are far too long for it: by its
 * torque alone the crank without its joints would have 400 J after one step, which nothing may be
 * measured by. */
static void a_controlled_drive_lends_nothing(void** state)
{
  (void)state;
  run r = open_scene(
      "percuss: 1\ngravity: [0, -9.81]\n"
      "bodies:\n"
      "  crank: {mass: 0.18, inertia: 2e-3, position: [0, 2.085]}\n"
      "  rod: {mass: 0.31, inertia: 0.0253, position: [0.23, 2.27], angle: 0.41}\n"
      "  rocker: {mass: 2.9, inertia: 0.01, position: [0.46, 2.185]}\n"
      "joints:\n"
      "  base: {revolute: {bodies: [ground, crank], at: [0, 2]}}\n"
      "  pin1: {revolute: {bodies: [crank, rod], at: [0, 2.17]}}\n"
      "  pin2: {revolute: {bodies: [rod, rocker], at: [0.46, 2.37]}}\n"
      "  pivot: {revolute: {bodies: [ground, rocker], at: [0.46, 2]}}\n"
      "drives: {motor: {joint: base, torque: 32*(1 - base.angle) - 1.1*base.rate}}\n"
      "forces: {drag: {joint-friction: {joint: pivot, bound: 1.36}}}\n",
      "generalized-alpha", 0.039);
  run_until(&r, 4);
  pc_verdict v = pc_sim_judge(r.sim);
  assert_true(v.energy_available < 10);
  /* the work of the drive is what the scheme makes of it: energies follow, and none is gained */
  assert_true(v.energy_gain < 0.05 * v.energy_available);
  assert_true(fabs(pc_sim_summary(r.sim).balance.work) < 1);
  assert_int_equal(v.doubt_count, 0);
  close_run(&r);
}

/* A push that is over gives nothing more: what it gave is available, and no more than that. */
static void supply_ends_with_the_force(void** state)
{
  (void)state;
  run r = open_scene(
      "percuss: 1\nspace: line\n"
      "bodies: {m: {kind: point, mass: 2, position: [0]}}\n"
      "forces: {push: {force: {point: [m, [0]], value: [3*step(1 - t)]}}}\n",
      "moreau-jean", 1e-3);
  run_until(&r, 5);
  pc_verdict v = pc_sim_judge(r.sim);
  CHECK_NEAR(pc_sim_summary(r.sim).balance.supply, 2.25, 0.01); /* 3 N over 0.75 m */
  CHECK_NEAR(v.energy_available, 2.25, 0.01);
  assert_int_equal(v.doubt_count, 0);
  close_run(&r);
}

/* What forces have stored in springs is available, too, and a damped beam that a moment bends
 * slowly has hardly any motion. With theta = 1 each step stretches it along a tangent, and its
 * energy is ten times what it should be. */
static void stored_energy_is_available(void** state)
{
  (void)state;
  run r = open_run("cantilever", "moreau-jean", 0, NULL, NULL);
  run_until(&r, 4);
  pc_verdict v = pc_sim_judge(r.sim);
  CHECK_NEAR(v.energy_available, 4.35, 0.05);
  assert_int_equal(v.doubt_count, 0);
  close_run(&r);
  r = open_run("cantilever", "moreau-jean", 0, NULL, end_of_step);
  run_until(&r, 4);
  v = pc_sim_judge(r.sim);
  assert_true(doubts_about(&v, "energy rises without work"));
  close_run(&r);
}

/* A force on a free body, with theta = 1: its work is along the path of the step, as that of a
 * weight is, so that both lose the same. */
static void work_is_along_the_path(void** state)
{
  (void)state;
  run by_force = open_scene(
      "percuss: 1\nspace: line\nbodies: {m: {kind: point, mass: 2}}\n"
      "forces: {push: {force: {point: [m, [0]], value: [-20]}}}\nsimulate: {theta: 1}\n",
      "moreau-jean", 0.1);
  run by_weight = open_scene(
      "percuss: 1\nspace: line\ngravity: [-10]\nbodies: {m: {kind: point, mass: 2}}\n"
      "simulate: {theta: 1}\n",
      "moreau-jean", 0.1);
  run_until(&by_force, 1);
  run_until(&by_weight, 1);
  double lost = pc_sim_summary(by_weight.sim).balance.scheme;
  CHECK_NEAR(lost, 10, 1e-12); /* m (g dt)^2/2 in each of 10 steps */
  CHECK_NEAR(pc_sim_summary(by_force.sim).balance.scheme, lost, 1e-12);
  close_run(&by_force);
  close_run(&by_weight);
}

/* The same spring beside a flywheel that a drive turns: its 50 kJ are the drive's. */
static void a_driven_flywheel_lends_nothing(void** state)
{
  (void)state;
  run r = open_scene(
      "percuss: 1\n"
      "bodies: {m: {mass: 1, inertia: 1, position: [1.1, 0]},\n"
      "         wheel: {mass: 1, inertia: 0.1, position: [5, 0], spin: 1000}}\n"
      "joints: {axle: {revolute: {bodies: [ground, wheel], at: [5, 0]}}}\n"
      "drives: {motor: {joint: axle, rate: 1000}}\n"
      "forces: {s: {spring: {points: [ground, m], stiffness: 1e4, length: 1}}}\n",
      "moreau", 0.0196);
  run_until(&r, 0.2);
  pc_verdict v = pc_sim_judge(r.sim);
  assert_true(pc_sim_summary(r.sim).energy_initial > 5e4);
  assert_true(v.energy_available < 60);
  assert_true(doubts_about(&v, "energy rises without work"));
  close_run(&r);
}

static void as_printed(pc_scheme_settings* settings)
{
  settings->gamma = 0;
}

/* A ball of 20 cm meets a floor with 4.3 m/s: in steps of 10 ms moreau-jean sinks in by 2.3 cm,
 * where gamma is given, so that it does not look ahead. */
static void deep_penetration_is_doubted(void** state)
{
  (void)state;
  run r = open_run("rotating-ball", "moreau-jean", 1e-2, NULL, as_printed);
  run_until(&r, 1);
  pc_verdict v = pc_sim_judge(r.sim);
  assert_true(doubts_about(&v, "penetrates"));
  close_run(&r);
  r = open_run("rotating-ball", "moreau-jean", 1e-2, NULL, NULL);
  run_until(&r, 1);
  v = pc_sim_judge(r.sim);
  assert_int_equal(v.doubt_count, 0);
  close_run(&r);
  r = open_run("rotating-ball", "moreau-jean", 1e-3, NULL, as_printed);
  run_until(&r, 1);
  v = pc_sim_judge(r.sim);
  assert_int_equal(v.doubt_count, 0);
  close_run(&r);
}

/* A polygon falls on its corners under rattle in steps of 47 ms: at t = 0.5628 s a corner that the
 * step did not know of is 21.2 mm below the floor, half of the polygon's half-axis. By its recorded
 * angle and height. */
static void depth_of_the_state_is_doubted(void** state)
{
  (void)state;
  static const double corner[][2] = {{0.0426, 0.0012},  {0.0161, 0.0344},   {-0.0268, 0.0285},
                                     {-0.0420, 0.0023}, {-0.0145, -0.0349}, {0.0181, -0.0337}};
  run r = open_scene(
      "percuss: 1\ngravity: [0, -9.81]\n"
      "bodies: {b: {mass: 0.0895, inertia: 5.233e-4, position: [0, 0.3], angle: 2.445,\n"
      "  velocity: [0.81, -0.58], spin: -5.748, shape: {polygon: [[0.0426, 0.0012], [0.0161, "
      "0.0344],\n"
      "  [-0.0268, 0.0285], [-0.0420, 0.0023], [-0.0145, -0.0349], [0.0181, -0.0337]]}}}\n"
      "shapes: {floor: {half-plane: [0, 1]}}\n",
      "rattle", 0.0469);
  double deepest = 0;
  for (int step = 0; step < 30; step++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    const double* q = pc_sim_observation(r.sim)->state->q;
    for (int i = 0; i < 6; i++)
      deepest = fmax(deepest, -(q[1] + sin(q[2]) * corner[i][0] + cos(q[2]) * corner[i][1]));
    CHECK_NEAR(pc_sim_summary(r.sim).penetration_max, deepest, 1e-12);
  }
  pc_verdict v = pc_sim_judge(r.sim);
  assert_true(deepest > 0.01);
  assert_true(pc_sim_summary(r.sim).penetration_known_max < 1e-9);
  assert_true(doubts_about(&v, "'b - floor' penetrates by"));
  assert_non_null(strstr(v.doubt[0].remedy, "did not act on this contact"));
  close_run(&r);
}

/* A thin plate on a long arm sinks into the floor by 15 % of its thickness, 0.5 % of the body. */
static void depth_is_measured_by_the_shape(void** state)
{
  (void)state;
  run r = open_scene(
      "percuss: 1\n"
      "bodies: {arm: {mass: 1, inertia: 0.1, position: [0, 0.011], velocity: [0, -0.4], shapes: [\n"
      "  {box: [0.1, 0.02]}, {disc: 0.05, position: [0, 0.38]}]}}\n"
      "shapes: {floor: {half-plane: [0, 1]}}\n",
      "moreau", 0.02);
  run_until(&r, 0.1);
  pc_verdict v = pc_sim_judge(r.sim);
  CHECK_NEAR(pc_sim_summary(r.sim).penetration_max, 0.003, 1e-9);
  assert_int_equal(v.doubt_count, 1);
  assert_true(doubts_about(&v, "30 % of the inner radius of the smaller shape, 0.01 m"));
  close_run(&r);
}

/* A hinge that explicit steps leave 0.35 m apart, on a rod of a metre. */
static void joints_that_come_apart_are_doubted(void** state)
{
  (void)state;
  run r = open_scene(
      "percuss: 1\ngravity: [0, -9.81]\n"
      "bodies: {rod: {mass: 1, inertia: 0.0833, position: [0.5, 0]}}\n"
      "joints: {pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}}\n",
      "moreau", 0.02);
  double apart = 0;
  for (int step = 0; step < 500; step++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    const double* q = pc_sim_observation(r.sim)->state->q;
    apart = fmax(apart, hypot(q[0] - 0.5 * cos(q[2]), q[1] - 0.5 * sin(q[2])));
  }
  pc_verdict v = pc_sim_judge(r.sim);
  char text[80];
  snprintf(text, sizeof text, "joint 'pin' is %.3g m apart", apart);
  assert_true(apart > 0.1);
  assert_int_equal(v.doubt_count, 1);
  assert_true(doubts_about(&v, text));
  close_run(&r);
}

/* A rod at 10 rad/s meets a stop at 0.55 rad in steps of 2 rad: 1.45 rad beyond it at the end of
 * the first, and another one in the step that stops it. */
static void a_stop_of_an_angle_is_judged_by_the_radian(void** state)
{
  (void)state;
  static const double dt[] = {0.2, 0.01};
  for (int i = 0; i < 2; i++) {
    run r = open_scene(
        "percuss: 1\n"
        "bodies: {rod: {mass: 1, inertia: 0.1, spin: 10}}\n"
        "joints: {pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}}\n"
        "limits: {stop: {joint: pin, max: 0.55}}\n",
        "moreau-jean", dt[i]);
    run_until(&r, 1);
    pc_verdict v = pc_sim_judge(r.sim);
    pc_summary s = pc_sim_summary(r.sim);
    assert_true(s.penetration_max == 0);
    assert_int_equal(v.doubt_count, s.overrun_max > 0.1);
    assert_int_equal(s.overrun_max > 0.1, i == 0);
    if (i == 0) assert_true(doubts_about(&v, "stop 'stop-max' is overrun by 2.45 rad"));
    close_run(&r);
  }
}

/* A spring makes energy in steps that are too long; a brake with a bound of 30 kN m on another body
 * moves nothing, and its preload is not available for motion. */
static void a_preload_lends_nothing(void** state)
{
  (void)state;
  run r = open_scene(
      "percuss: 1\n"
      "bodies: {m: {mass: 1, inertia: 1, position: [1.1, 0]},\n"
      "         wheel: {mass: 1, inertia: 0.1, position: [5, 0]}}\n"
      "joints: {axle: {revolute: {bodies: [ground, wheel], at: [5, 0]}}}\n"
      "forces:\n"
      "  s: {spring: {points: [ground, m], stiffness: 1e4, length: 1}}\n"
      "  brake: {joint-friction: {joint: axle, bound: 3e4}}\n",
      "moreau", 0.0196);
  run_until(&r, 0.5);
  pc_verdict v = pc_sim_judge(r.sim);
  assert_true(v.energy_available < 60); /* 1e4 0.1^2/2 = 50 J in the spring */
  assert_true(doubts_about(&v, "energy rises without work"));
  close_run(&r);
}

/* Newton's law for the normal and Coulomb's for the tangent create energy where they are coupled
 * (Kane's paradox): a rod falls on its tip, without gravity. */
static void friction_that_gives_is_doubted(void** state)
{
  (void)state;
  run r = open_scene(
      "percuss: 1\n"
      "bodies: {rod: {mass: 1, inertia: 0.03, position: [0, 0.31], angle: 1.25,\n"
      "               velocity: [0.65, -2.3], spin: -0.21}}\n"
      "contacts: {tip: {point: [rod, [-0.3, 0]], plane: {point: [0, 0], normal: [0, 1]},\n"
      "                 friction: 1.26, restitution: 1}}\n",
      "moreau-jean", 1e-4);
  run_until(&r, 0.1);
  pc_verdict v = pc_sim_judge(r.sim);
  pc_summary s = pc_sim_summary(r.sim);
  assert_true(s.balance.friction < -0.05 * v.energy_available);
  assert_true(doubts_about(&v, "friction gives energy"));
  assert_true(doubts_about(&v, "energy rises without work"));
  close_run(&r);
}

/* A rod falls on its tip without gravity and sticks: det G = 26 of gnn = gtt = 13.5, gnt = 12.5
 * [1/kg]. Friction turns the slip of -0.5 m/s round and gives 0.0913 J, the normal direction takes
 * 0.1521 J in the same impact: all in all the contact takes a tenth of the energy. Nothing is
 * wrong with that. */
static void friction_that_gives_less_than_its_impact_takes_is_not_doubted(void** state)
{
  (void)state;
  run r = open_scene(
      "percuss: 1\n"
      "bodies: {rod: {mass: 1, inertia: 0.01, position: [0, 0.5], velocity: [-0.5, -1]}}\n"
      "contacts: {tip: {point: [rod, [0.125^0.5, -0.125^0.5]],\n"
      "                 plane: {point: [0, 0], normal: [0, 1]}, friction: 1, restitution: 0.3}}\n",
      "moreau-jean", 1e-4);
  run_until(&r, 0.2);
  pc_verdict v = pc_sim_judge(r.sim);
  pc_summary s = pc_sim_summary(r.sim);
  CHECK_NEAR(s.balance.friction, -0.5 * (13.5 * -0.5 + 12.5 * 1.3) / 26 / 2, 1e-4); /* to O(dt) */
  CHECK_NEAR(s.balance.impact, 0.35 * (13.5 * 1.3 - 12.5 * 0.5) / 26, 1e-4);
  assert_true(s.balance.friction < -0.05 * v.energy_available);
  assert_int_equal(v.doubt_count, 0);
  close_run(&r);
}

/* Random scenes. A force pushes a sledge to and fro between two stops, whose impacts give energy
 * with this scheme and step: that is measured by the motion, and not by what the motor of a mill
 * gives to its damper. */
static void impacts_that_give_are_doubted(void** state)
{
  (void)state;
  run r = open_scene(
      "percuss: 1\n"
      "bodies: {sledge: {mass: 0.4411, inertia: 1, velocity: [0.5518, 0]},\n"
      "         mill: {kind: point, mass: 1, position: [0, 9]}}\n"
      "joints: {rail: {prismatic: {bodies: [ground, sledge], axis: [1, 0]}}}\n"
      "forces: {f: {force: {point: sledge, value: [8.4 - 34*t, 0]}},\n"
      "         motor: {force: {point: mill, value: [2000, 0]}},\n"
      "         load: {force: {point: mill, value: [-2000*mill.vx, 0]}}}\n"
      "limits: {stops: {joint: rail, min: -0.3, max: 0.3, restitution: 1}}\n",
      "schatzman-paoli", 0.04025);
  run_until(&r, 4.4);
  pc_verdict v = pc_sim_judge(r.sim);
  pc_summary s = pc_sim_summary(r.sim);
  assert_true(s.balance.impact < 0 && -s.balance.impact < 0.05 * v.energy_available);
  assert_true(doubts_about(&v, "impacts give energy"));
  close_run(&r);
}

/* Two oscillators with a damper between elastic stops: the energy that the scheme makes is less
 * than the damper takes, so that the energy never rises above its start. */
static void energy_made_behind_a_damper_is_doubted(void** state)
{
  (void)state;
  run r = open_scene(
      "percuss: 1\n"
      "coordinates: {x: {value: 0.1, velocity: -0.5173}, y: {value: 0.3, velocity: 0.3175}}\n"
      "kinetic: 4.627*x'^2 + 1.449*y'^2\npotential: 2.886*(y - x - 0.2)^2\n"
      "forces: {x: -0.8477*x'}\ncontacts:\n  left: {gap: x, restitution: 1}\n"
      "  middle: {gap: y - x - 0.05, restitution: 1}\n  right: {gap: 0.5 - y, restitution: 1}\n",
      "lobatto", 0.04778);
  run_until(&r, 6.59);
  pc_verdict v = pc_sim_judge(r.sim);
  pc_summary s = pc_sim_summary(r.sim);
  assert_true(s.energy_final < s.energy_initial);
  assert_true(doubts_about(&v, "energy rises without work"));
  close_run(&r);
}

static void one_iteration(pc_scheme_settings* settings)
{
  settings->max_iterations = 1;
  settings->acceptance = 1e-10;
  settings->on_failure = PC_ON_FAILURE_CONTINUE;
}

static void steps_without_a_solution_are_doubted(void** state)
{
  (void)state;
  run r = open_run("slider-crank", "rattle", 1e-3, NULL, one_iteration);
  run_until(&r, 0.02);
  pc_verdict v = pc_sim_judge(r.sim);
  assert_true(pc_sim_summary(r.sim).trouble.inaccurate > 0);
  assert_true(doubts_about(&v, "used without a solution"));
  close_run(&r);
}

/* A block at rest: nothing but round-off, which is a large share of nothing. */
static void rest_is_not_doubted(void** state)
{
  (void)state;
  static const char* const schemes[] = {"moreau",           "moreau-jean", "direct-projection",
                                        "rattle",           "lobatto",     "combined-projection",
                                        "generalized-alpha"};
  for (int i = 0; i < 7; i++) {
    run r = open_run("block-on-incline", schemes[i], 0, NULL, NULL);
    run_until(&r, 0.3);
    pc_verdict v = pc_sim_judge(r.sim);
    if (v.doubt_count) fail_msg("%s: %s", schemes[i], v.doubt[0].text);
    close_run(&r);
  }
}

/* The models as their files have them; each ends where its file says or after 3000 steps. */
static void no_model_is_doubted(void** state)
{
  (void)state;
  for (int i = 0; i < MODEL_COUNT; i++) {
    run r = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s.yaml", PC_SOURCE_DIR, models[i]);
    CHECK_OK(pc_model_read(path, NULL, 0, &r.model, &r.error), r.error);
    make_sim(&r, pc_model_scheme(r.model), 0, NULL);
    run_until(&r, fmin(pc_model_until(r.model), 3000 * pc_model_settings(r.model).dt));
    pc_verdict v = pc_sim_judge(r.sim);
    if (v.doubt_count) fail_msg("%s: %s", models[i], v.doubt[0].text);
    close_run(&r);
  }
}

/* ---- what a run says before it begins -------------------------------------------------------- */

static int warnings_of(const char* text, const char* scheme, double dt, pc_warning list[8])
{
  pc_model* model = NULL;
  pc_error error = {0};
  int count = 0;
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  pc_sim_def def = {pc_model_system(model), scheme, pc_model_settings(model)};
  def.settings.dt = dt;
  CHECK_OK(pc_check_run(&def, 1, list, 8, &count, &error), error);
  pc_model_destroy(model);
  return count;
}

static const char pendulum[] =
    "percuss: 1\ngravity: [0, -9.81]\n"
    "bodies: {rod: {mass: 1, inertia: 0.01, position: [0.5, 0], velocity: [%s, 0]}}\n"
    "joints:\n  pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}\n%s";

static void a_run_says_what_is_wrong_with_its_start(void** state)
{
  (void)state;
  char text[512];
  pc_warning w[8];
  snprintf(text, sizeof text, pendulum, "0", "");
  assert_int_equal(warnings_of(text, "moreau-jean", 1e-3, w), 0);
  snprintf(text, sizeof text, pendulum, "1", "");
  assert_int_equal(warnings_of(text, "moreau-jean", 1e-3, w), 1);
  assert_int_equal(w[0].kind, PC_WARNING_START);
  assert_non_null(strstr(w[0].text, "'pin' does not admit the initial velocities"));
  snprintf(text, sizeof text, pendulum, "0",
           "  again: {revolute: {bodies: [ground, rod], at: [0, 0]}}\n");
  assert_int_equal(warnings_of(text, "moreau-jean", 1e-3, w), 1);
  assert_int_equal(w[0].kind, PC_WARNING_REDUNDANT);
}

/* A spring of 1e6 N/m on 1 kg: 1000 rad/s, so 2 ms is the limit of an explicit scheme. */
static void explicit_schemes_have_a_limit(void** state)
{
  (void)state;
  const char text[] =
      "percuss: 1\nspace: line\n"
      "bodies: {m: {kind: point, mass: 1, position: [1.1]}}\n"
      "forces: {s: {spring: {points: [[ground, [0]], [m, [0]]], stiffness: 1e6, length: 1}}}\n";
  pc_warning w[8];
  int count = warnings_of(text, "moreau", 2.1e-3, w);
  assert_true(count > 0 && strstr(w[count - 1].text, "unstable above 0.002 s"));
  count = warnings_of(text, "generalized-alpha", 2.1e-3, w); /* 3 steps a period */
  assert_int_equal(count, 1);
  assert_int_equal(w[0].kind, PC_WARNING_DT);
  assert_int_equal(warnings_of(text, "moreau", 1e-3, w), 0);
  assert_int_equal(warnings_of(text, "generalized-alpha", 1e-3, w), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_from_nothing_is_doubted),
      cmocka_unit_test(available_is_what_a_fall_sets_free),
      cmocka_unit_test(work_is_no_gain),
      cmocka_unit_test(a_controlled_drive_lends_nothing),
      cmocka_unit_test(supply_ends_with_the_force),
      cmocka_unit_test(stored_energy_is_available),
      cmocka_unit_test(work_is_along_the_path),
      cmocka_unit_test(deep_penetration_is_doubted),
      cmocka_unit_test(depth_of_the_state_is_doubted),
      cmocka_unit_test(depth_is_measured_by_the_shape),
      cmocka_unit_test(joints_that_come_apart_are_doubted),
      cmocka_unit_test(a_stop_of_an_angle_is_judged_by_the_radian),
      cmocka_unit_test(a_preload_lends_nothing),
      cmocka_unit_test(a_driven_flywheel_lends_nothing),
      cmocka_unit_test(friction_that_gives_is_doubted),
      cmocka_unit_test(friction_that_gives_less_than_its_impact_takes_is_not_doubted),
      cmocka_unit_test(impacts_that_give_are_doubted),
      cmocka_unit_test(energy_made_behind_a_damper_is_doubted),
      cmocka_unit_test(steps_without_a_solution_are_doubted),
      cmocka_unit_test(rest_is_not_doubted),
      cmocka_unit_test(no_model_is_doubted),
      cmocka_unit_test(a_run_says_what_is_wrong_with_its_start),
      cmocka_unit_test(explicit_schemes_have_a_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
