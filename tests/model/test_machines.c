/* Joints, couplings, drives, limits and friction against closed forms. */
#include "elements/conformance.h"
#include "example.h"

static const double PI = 3.14159265358979323846;

static void check_text(const char* text, double spread)
{
  pc_error error = {0};
  pc_model* model;
  conformance options = default_conformance();
  options.spread = spread;
  options.applied = 1;
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  check_conformance((pc_system*)pc_model_system(model), options);
  pc_model_destroy(model);
}

/* --- derivatives ---------------------------------------------------------------------------- */

static void couplings_and_drives_in_the_plane(void** state)
{
  (void)state;
  check_text(
      "percuss: 1\nbodies:\n"
      "  a: {mass: 1, inertia: 0.3, position: [0.1, 1], angle: 0.4}\n"
      "  b: {mass: 1, inertia: 0.5, position: [2, -0.3], angle: -1.2}\n"
      "joints:\n"
      "  pin: {revolute: {bodies: [a, b], at: [1, 0.5]}}\n"
      "  hub: {revolute: {bodies: [ground, b], at: [2, 0.5]}}\n"
      "  slide: {prismatic: {bodies: [a, b], at: [0, 1], axis: [1, 0.4]}}\n"
      "  g: {gear: {joints: [pin, hub], teeth: [20, 41]}}\n"
      "  h: {gear: {joints: [pin, hub], ratio: -0.3, backlash: 0.1}}\n"
      "  i: {belt: {joints: [pin, hub], radii: [0.2, 0.3], crossed: true}}\n"
      "  j: {rack: {joints: [pin, slide], radius: 0.1}}\n"
      "drives:\n"
      "  d1: {joint: pin, angle: sin(t)}\n"
      "  d2: {joint: pin, rate: t^2}\n"
      "  d3: {joint: slide, displacement: t*0.2}\n"
      "  d4: {joint: slide, speed: cos(t)}\n"
      "  d5: {joint: pin, torque: 3 - pin.rate*pin.angle}\n"
      "  d6: {joint: slide, force: -slide.speed*slide.displacement}\n"
      "  d7: {body: a, vx: t}\n"
      "forces:\n"
      "  f: {joint-friction: {joint: slide, bound: 2 + pin.angle, kinetic: 1, stribeck: 3}}\n"
      "limits: {s: {joint: slide, min: -1, max: 2}, z: {joint: pin, max: 1}}\n",
      0.4);
}

static void couplings_and_drives_in_space(void** state)
{
  (void)state;
  check_text(
      "percuss: 1\nspace: spatial\nbodies:\n"
      "  a: {mass: 1, inertia: [0.2, 0.3, 0.4], position: [1, 0.2, 0.1], "
      "orientation: [0.9, 0.3, -0.4, 0.2]}\n"
      "  b: {mass: 2, inertia: [0.5, 0.3, 0.4], position: [-1, 0.5, 0.6], "
      "orientation: [0.5, -0.3, 0.4, 0.6]}\n"
      "joints:\n"
      "  pin: {revolute: {bodies: [a, b], at: [0.2, 0.1, 0.4], axis: [1, 2, -1]}}\n"
      "  tube: {cylindrical: {bodies: [ground, b], at: [0, 0, 1], axis: [1, 0, 1]}}\n"
      "  slide: {prismatic: {bodies: [a, b], at: [0, 1, 0], axis: [1, 0, 1]}}\n"
      "  thread: {screw: {bodies: [ground, a], at: [0, 1, 0], axis: [1, 1, 1], pitch: 0.7}}\n"
      "  cross: {universal: {bodies: [a, b], at: [0, 1, 0], axis: [1, 1, 1],\n"
      "                      second_axis: [1, -1, 0]}}\n"
      "  g: {gear: {joints: [pin, tube], teeth: [3, 2], internal: true}}\n"
      "  h: {gear: {joints: [pin, tube], ratio: -0.3}}\n"
      "  i: {belt: {joints: [pin, tube], radii: [0.2, 0.3]}}\n"
      "  j: {rack: {joints: [pin, slide], radius: -0.4}}\n"
      "drives:\n"
      "  d1: {joint: pin, angle: sin(t)}\n"
      "  d2: {joint: tube, rate: t^2}\n"
      "  d3: {joint: tube, displacement: t*0.2}\n"
      "  d4: {joint: slide, speed: cos(t)}\n"
      "  d5: {joint: pin, torque: 3 - pin.rate*pin.angle + cross.angle.1*cross.rate.2}\n"
      "  d6: {joint: slide, force: -slide.speed*slide.displacement + cross.angle.2}\n"
      "  d7: {body: a, wy: t}\n"
      "forces:\n"
      "  f: {joint-friction: {joint: tube, coordinate: displacement, bound: 2}}\n"
      "limits:\n"
      "  s: {joint: thread, coordinate: displacement, min: -1, max: 2}\n"
      "  r: {joint: tube, coordinate: displacement, min: -1, friction: 0.3, radius: 0.2}\n"
      "  k: {joint: thread, max: 2, friction: {mu: 0.3, mu_kinetic: 0.2, stribeck: 0.1}, radius: "
      "0.2}\n",
      0.1);
}

/* --- joints --------------------------------------------------------------------------------- */

/* Two shafts at the angle b through a universal joint: where the axis of the cross in the driving
 * shaft starts at right angles to the plane of the shafts, w2 = w1 cos b/(1 - sin(b)^2
 * sin(angle1)^2). */
static void universal_joint_has_its_speed_ratio(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\nparameters: {b: 0.6, w: 3}\nbodies:\n"
      "  in: {mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [w, 0, 0]}\n"
      "  out: {mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [w*cos(b)^2,\n"
      "        w*cos(b)*sin(b), 0]}\n"
      "joints:\n"
      "  left: {revolute: {bodies: [ground, in], at: [0, 0, 0], axis: [1, 0, 0]}}\n"
      "  right: {revolute: {bodies: [ground, out], at: [0, 0, 0],\n"
      "                     axis: [cos(b), sin(b), 0]}}\n"
      "  cross: {universal: {bodies: [in, out], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "                      second_axis: [-sin(b), cos(b), 0]}}\n"
      "drives: {motor: {joint: left, rate: w}}\n"
      "record: [left, right, cross]\n",
      "lobatto", 2e-3, NULL, NULL);
  for (int i = 1; i <= 5; i++) {
    run_until(&r, i);
    double a = value(&r, "left.angle"), c = cos(0.6);
    CHECK_NEAR(a, 3 * i, 1e-7);
    CHECK_NEAR(value(&r, "right.rate"), 3 * c / (1 - sin(0.6) * sin(0.6) * sin(a) * sin(a)), 1e-6);
  }
  assert_true(value(&r, "right.angle") > 4 * PI);
  close_run(&r);
}

/* (J + m (p/2 pi)^2) w' = M on a nut that a thread drives along, over many turns. */
static void screw_over_many_turns(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\nbodies:\n"
      "  nut: {mass: 3, inertia: [0.02, 0.02, 0.02]}\n"
      "joints: {thread: {screw: {bodies: [ground, nut], at: [0, 0, 0],\n"
      "         axis: [0, 0, 1], pitch: 0.3}}}\n"
      "drives: {motor: {joint: thread, torque: 0.5}}\n"
      "record: [thread]\n",
      "lobatto", 1e-3, NULL, NULL);
  double lead = 0.3 / (2 * PI), w = 0.5 / (0.02 + 3 * lead * lead) * 2;
  run_until(&r, 2);
  CHECK_NEAR(value(&r, "thread.rate"), w, 1e-8);
  CHECK_NEAR(value(&r, "thread.angle"), w, 1e-6);
  CHECK_NEAR(value(&r, "thread.displacement"), lead * w, 1e-8);
  assert_true(value(&r, "thread.angle") > 6 * PI);
  close_run(&r);
}

/* A gear in space, whose angles are known up to two turns, over many of them. */
static void teeth_count_turns(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\nbodies:\n"
      "  a: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
      "  b: {mass: 1, inertia: [0.3, 0.3, 0.3], position: [1, 0, 0]}\n"
      "joints:\n"
      "  pa: {revolute: {bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
      "  pb: {revolute: {bodies: [ground, b], at: [1, 0, 0], axis: [0, 0, 1]}}\n"
      "  mesh: {gear: {joints: [pa, pb], teeth: [17, 23]}}\n"
      "drives: {motor: {joint: pa, torque: 2}}\n"
      "record: [pa, pb, mesh]\n",
      "rattle", 1e-3, NULL, NULL);
  double n = 17.0 / 23, w = 2 / (0.1 + n * n * 0.3) * 3;
  run_until(&r, 3);
  CHECK_NEAR(value(&r, "pa.rate"), w, 1e-8);
  CHECK_NEAR(value(&r, "pb.rate"), -n * w, 1e-8);
  CHECK_NEAR(value(&r, "pb.angle"), -n * value(&r, "pa.angle"), 1e-9);
  assert_true(value(&r, "pa.angle") > 8 * PI);
  CHECK_NEAR(value(&r, "mesh.position"), 0, 1e-9);
  close_run(&r);
}

/* A plastic impact of teeth after half the backlash: both angular momenta meet. */
static void backlash_is_taken_up(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nbodies:\n"
      "  a: {mass: 1, inertia: 0.1, spin: 2}\n"
      "  b: {mass: 1, inertia: 0.3, position: [1, 0]}\n"
      "joints:\n"
      "  pa: {revolute: {bodies: [ground, a], at: [0, 0]}}\n"
      "  pb: {revolute: {bodies: [ground, b], at: [1, 0]}}\n"
      "  mesh: {gear: {joints: [pa, pb], ratio: -0.5, backlash: 0.1}}\n",
      "rattle", 1e-3, NULL, NULL);
  run_until(&r, 0.049);
  CHECK_NEAR(value(&r, "a.spin"), 2, 1e-12);
  run_until(&r, 0.06);
  double w = 0.1 * 2 / (0.1 + 0.25 * 0.3);
  CHECK_NEAR(value(&r, "a.spin"), w, 1e-9);
  CHECK_NEAR(value(&r, "b.spin"), -0.5 * w, 1e-9);
  close_run(&r);
}

/* The same with a rack: the pinion goes free by half the play, then both move together. */
static void a_rack_has_backlash(void** state)
{
  (void)state;
  static const char planar[] =
      "percuss: 1\nbodies:\n"
      "  a: {mass: 1, inertia: 0.1, spin: 2}\n"
      "  b: {mass: 3, inertia: 1, position: [1, 0]}\n"
      "joints:\n"
      "  pa: {revolute: {bodies: [ground, a], at: [0, 0]}}\n"
      "  pb: {prismatic: {bodies: [ground, b], axis: [1, 0]}}\n"
      "  mesh: {rack: {joints: [pa, pb], radius: 0.2, backlash: 0.04, restitution: 0.5}}\n"
      "record: [pa, pb, mesh-front, mesh-back]\n";
  static const char spatial[] =
      "percuss: 1\nspace: spatial\nbodies:\n"
      "  a: {mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 0, 2]}\n"
      "  b: {mass: 3, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
      "joints:\n"
      "  pa: {revolute: {bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
      "  pb: {prismatic: {bodies: [ground, b], axis: [1, 0, 0]}}\n"
      "  mesh: {rack: {joints: [pa, pb], radius: 0.2, backlash: 0.04, restitution: 0.5}}\n"
      "record: [pa, pb, mesh-front, mesh-back]\n";
  for (int space = 0; space < 2; space++) {
    run r = open_text(space ? spatial : planar, "rattle", 1e-3, NULL, NULL);
    run_until(&r, 0.049);
    CHECK_NEAR(value(&r, "pb.speed"), 0, 1e-12);
    CHECK_NEAR(value(&r, "mesh-front.gap") + value(&r, "mesh-back.gap"), 0.04, 1e-12);
    run_until(&r, 0.06);
    double P = 1.5 * 0.4 / (0.04 / 0.1 + 1 / 3.); /* approach 0.4 m/s, e = 1/2 */
    CHECK_NEAR(value(&r, "pb.speed"), P / 3, 1e-9);
    CHECK_NEAR(value(&r, "pa.rate"), 2 - 0.2 * P / 0.1, 1e-9);
    close_run(&r);
  }
}

/* What a motor does can be recorded: its formula, or what a sampled one holds of it. */
static void torques_of_motors_are_quantities(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\nbodies: {a: {mass: 1, inertia: 0.5}, b: {mass: 2, inertia: 1}}\n"
      "joints:\n"
      "  pin: {revolute: {bodies: [ground, a], at: [0, 0]}}\n"
      "  rail: {prismatic: {bodies: [ground, b], axis: [1, 0]}}\n"
      "drives:\n"
      "  motor: {joint: pin, torque: 3 - 2*pin.rate}\n"
      "  jack: {joint: rail, force: 4 - rail.speed, sample: 0.1}\n"
      "record: [pin, rail, motor, jack.force]\n";
  run r = open_text(text, "rattle", 1e-3, NULL, NULL);
  run_until(&r, 0.25);
  CHECK_NEAR(value(&r, "motor.torque"), 3 - 2 * value(&r, "pin.rate"), 1e-14);
  CHECK_NEAR(value(&r, "motor.torque"), 3 * exp(-2 / 0.5 * 0.25), 1e-5);
  /* constant over samples: 4, then 4 - v(0.1), 4 - v(0.2) */
  double v = 0.1 * 4 / 2;
  v += 0.1 * (4 - v) / 2;
  CHECK_NEAR(value(&r, "jack.force"), 4 - v, 1e-3);
  close_run(&r);
}

/* The mean force of a contact over a step, of any contact that is asked for it. */
static void forces_of_contacts_are_quantities(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
      "bodies: {bob: {mass: 2, inertia: [0.01, 0.01, 0.005], position: [0, 0, -0.5]}}\n"
      "contacts: {socket: {clearance: spherical, bodies: [ground, bob], at: [0, 0, 0], radius: "
      "0.02, play: 1e-4}}\n"
      "record: [bob, socket.force_N]\n";
  run r = open_text(text, "rattle", 1e-4, NULL, NULL);
  run_until(&r, 0.05);
  CHECK_NEAR(value(&r, "bob.z"), -0.5001, 1e-12);
  CHECK_NEAR(value(&r, "socket.force_N"), 2 * 9.81, 1e-6);
  close_run(&r);
}

/* A finger under force control: F = 2 + (5 - F)/2 at rest. Loads of contacts, joints and motors are
 * known to the formulas of sampled controllers and of outputs, whether they are recorded or not. */
static void loads_are_known_to_controllers_and_outputs(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\ngravity: [0, -9.81]\nbodies: {finger: {mass: 0.2, inertia: 1}}\n"
      "joints: {rail: {prismatic: {bodies: [ground, finger], axis: [1, 0]}}}\n"
      "contacts:\n"
      "  part: {point: [finger, [0.01, 0]], plane: {point: [0.02, 0], normal: [-1, 0]}}\n"
      "drives:\n"
      "  motor: {joint: rail, force: 2 + 0.5*(5 - part.force_N) - 4*rail.speed, sample: 1e-3}\n"
      "  brake: {joint: rail, force: -rail.speed}\n"
      "record:\n"
      "  - {rest: motor.force - part.force_N, weight: rail.force, twice: 2*brake.force}\n"
      "  - rail\n  - part.force_N\n  - motor.force\n";
  run r = open_text(text, "rattle", 1e-4, NULL, NULL);
  run_until(&r, 0.01);
  CHECK_NEAR(value(&r, "twice"), -2 * value(&r, "rail.speed"), 1e-14);
  assert_true(value(&r, "rail.speed") > 0.01);
  run_until(&r, 0.5);
  CHECK_NEAR(value(&r, "part.force_N"), 3, 1e-6);
  CHECK_NEAR(value(&r, "motor.force"), 3, 1e-6);
  CHECK_NEAR(value(&r, "rest"), value(&r, "motor.force") - value(&r, "part.force_N"), 1e-14);
  CHECK_NEAR(value(&r, "weight"), 0.2 * 9.81, 1e-9);
  close_run(&r);
}

static void turn_exactly(pc_scheme_settings* settings)
{
  settings->rotation = PC_ROTATION_EXACT;
}

static void turn_exactly_and_damp(pc_scheme_settings* settings)
{
  settings->rotation = PC_ROTATION_EXACT;
  settings->theta = 0.7;
}

/* A screw that turns by 1.2 rad in a step: the schemes that turn it by the exponential map are
 * exact, with any theta. */
static void screw_in_long_steps(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\nspace: spatial\nbodies: {nut: {mass: 3, inertia: [0.02, 0.02, 0.02],\n"
      "  angular_velocity: [0, 0, 120], velocity: [0, 0, 0.3*120/(2*pi)]}}\n"
      "joints: {thread: {screw: {bodies: [ground, nut], at: [0, 0, 0], axis: [0, 0, 1], pitch: "
      "0.3}}}\n"
      "record: [thread]\n";
  static const char* const schemes[] = {"moreau-jean", "combined-projection", "direct-projection",
                                        "moreau", "generalized-alpha"};
  for (int i = 0; i < 6; i++) {
    run r =
        open_text(text, schemes[i % 5], 1e-2, NULL, i == 5 ? turn_exactly_and_damp : turn_exactly);
    run_until(&r, 1);
    CHECK_NEAR(value(&r, "thread.angle"), 120, 1e-9);
    CHECK_NEAR(value(&r, "thread.displacement"), 0.3 * 120 / (2 * PI), 1e-9);
    close_run(&r);
  }
  run r = open_text(text, "moreau-jean", 1e-2, NULL, NULL); /* (18b) */
  run_until(&r, 1);
  CHECK_NEAR(value(&r, "thread.angle"), 100 * 4 * atan(120 * 1e-2 / 4), 1e-9);
  close_run(&r);
}

/* --- drives, limits ------------------------------------------------------------------------- */

/* n' A diag(J) A' n for the rotation A of a quaternion of any length. */
static double inertia_about(const double p[4], const double J[3], const double n[3])
{
  double s = 1 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]), sum = 0;
  const double A[3][3] = {
      {1 - 2 * s * (p[2] * p[2] + p[3] * p[3]), 2 * s * (p[1] * p[2] - p[0] * p[3]),
       2 * s * (p[1] * p[3] + p[0] * p[2])},
      {2 * s * (p[1] * p[2] + p[0] * p[3]), 1 - 2 * s * (p[1] * p[1] + p[3] * p[3]),
       2 * s * (p[2] * p[3] - p[0] * p[1])},
      {2 * s * (p[1] * p[3] - p[0] * p[2]), 2 * s * (p[2] * p[3] + p[0] * p[1]),
       1 - 2 * s * (p[1] * p[1] + p[2] * p[2])}};
  for (int k = 0; k < 3; k++) {
    double along = A[0][k] * n[0] + A[1][k] * n[1] + A[2][k] * n[2];
    sum += J[k] * along * along;
  }
  return sum;
}

static void a_driven_angle_follows_its_law(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\nbodies:\n"
      "  a: {mass: 1, inertia: [0.1, 0.2, 0.25], position: [1, 0, 0],\n"
      "      orientation: [1, 0.3, 0.2, 0.1]}\n"
      "joints: {pin: {revolute: {bodies: [ground, a], at: [0, 0, 0], axis: [1, 2, "
      "2]}}}\n"
      "drives: {motor: {joint: pin, angle: 4*t^2}}\n"
      "record: [pin, motor, motor.torque]\n",
      "rattle", 1e-3, NULL, NULL);
  run_until(&r, 3);
  /* J about the axis n = (1, 2, 2)/3, in the frame of the body, and m times the square of the
   * distance 1 sin(n, x) */
  double J = inertia_about((const double[4]){1, 0.3, 0.2, 0.1}, (const double[3]){0.1, 0.2, 0.25},
                           (const double[3]){1 / 3., 2 / 3., 2 / 3.});
  CHECK_NEAR(value(&r, "motor.torque"), 8 * (J + 8 / 9.), 1e-6);
  CHECK_NEAR(value(&r, "pin.angle"), 36, 1e-9);
  CHECK_NEAR(value(&r, "pin.rate"), 24, 1e-9);
  CHECK_NEAR(value(&r, "motor.position"), 0, 1e-9);
  close_run(&r);
}

static void a_body_moves_as_prescribed(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\nbodies:\n"
      "  a: {mass: 1, inertia: [0.1, 0.2, 0.25]}\n"
      "drives: {push: {body: a, vx: 0.2*step(t - 0.5)}, turn: {body: a, wz: 0.3}}\n",
      "moreau-jean", 1e-3, NULL, NULL);
  run_until(&r, 1);
  CHECK_NEAR(value(&r, "a.vx"), 0.2, 1e-12);
  CHECK_NEAR(value(&r, "a.x"), 0.1, 2e-4);
  CHECK_NEAR(value(&r, "a.wz"), 0.3, 1e-12);
  close_run(&r);
}

/* A wheel meets its stop after 0.5 s and comes back with e times its speed. */
static void a_limit_throws_back(void** state)
{
  (void)state;
  static const char* const texts[2] = {
      "percuss: 1\nbodies: {a: {mass: 1, inertia: 0.1, spin: 2}}\n"
      "joints: {pin: {revolute: {bodies: [ground, a], at: [0, 0]}}}\n"
      "limits: {stop: {joint: pin, max: 1, min: -1, restitution: 0.25}}\nrecord: [pin, stop-max]\n",
      "percuss: 1\nspace: spatial\n"
      "bodies: {a: {mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 2, 0]}}\n"
      "joints: {pin: {revolute: {bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}}}\n"
      "limits: {stop: {joint: pin, max: 1, min: -1, restitution: 0.25}}\nrecord: [pin, "
      "stop-max]\n"};
  for (int i = 0; i < 2; i++) {
    run r = open_text(texts[i], "rattle", 1e-3, NULL, NULL);
    run_until(&r, 0.49);
    CHECK_NEAR(value(&r, "pin.rate"), 2, 1e-12);
    run_until(&r, 1);
    CHECK_NEAR(value(&r, "pin.rate"), -0.5, 1e-9);
    CHECK_NEAR(value(&r, "pin.angle"), 0.75, 3e-3);
    close_run(&r);
  }
}

static const char* const sliding_schemes[] = {"moreau", "moreau-jean", "combined-projection",
                                              "rattle", "lobatto",     "generalized-alpha"};

/* Stops and motors count turns, in space as in the plane: a wheel meets its stop at 20 rad, does
 * not meet that on the other side, and a motor with a spring brings it to 30 rad. */
static void angles_count_turns(void** state)
{
  (void)state;
#define WHEEL(spin)                                                             \
  "percuss: 1\nspace: spatial\n"                                                \
  "bodies: {a: {mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, " spin \
  ", 0]}}\n"                                                                    \
  "joints: {pin: {revolute: {bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}}}\n"
  static const char stops[] = WHEEL("5") "limits:\n"
                                         "  stop: {joint: pin, max: 20}\n"
                                         "  other: {joint: pin, min: -1}\n"
                                         "record: [pin, stop-max, other-min]\n",
                    motor[] = WHEEL("0") "drives:\n"
                                         "  motor:\n"
                                         "    joint: pin\n"
                                         "    torque: 2*(30 - pin.angle) - 0.8*pin.rate\n"
                                         "record: [pin]\n";
#undef WHEEL
  for (size_t i = 0; i < sizeof sliding_schemes / sizeof *sliding_schemes; i++) {
    run r = open_text(stops, sliding_schemes[i], 1e-3, NULL, NULL);
    run_until(&r, 5);
    CHECK_NEAR(value(&r, "pin.angle"), 20, 2 * 5e-3);
    CHECK_NEAR(value(&r, "other-min.gap"), 21, 2 * 5e-3);
    close_run(&r);
    /* x'' + 8 x' + 20 x = 20 * 30: decay 4 1/s, frequency 2 rad/s */
    r = open_text(motor, sliding_schemes[i], 1e-3, NULL, NULL);
    run_until(&r, 1);
    CHECK_NEAR(value(&r, "pin.angle"), 30 * (1 - exp(-4.) * (cos(2) + 2 * sin(2))), 0.03);
    close_run(&r);
  }
}

#define SLEEVE(velocity, more)                                                                  \
  "percuss: 1\nspace: spatial\nbodies:\n"                                                       \
  "  a: {mass: 2, inertia: [0.05, 0.05, 0.05], " velocity                                       \
  "}\n"                                                                                         \
  "joints: {tube: {cylindrical: {bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}}}\n" more \
  "record: [tube, stop-min, stop-max]\n"

/* A sleeve of mass m that turns falls with v on a shoulder of radius r: the impact takes mu r m v/J
 * of its rate, then its weight mu r m g/J in a second, until it stands. */
static void a_shoulder_brakes_what_turns_on_it(void** state)
{
  (void)state;
  static const char text[] = SLEEVE("velocity: [0, 0, -1], angular_velocity: [0, 0, 6.2]",
                                    "gravity: [0, 0, -9.81]\n"
                                    "limits: {stop: {joint: tube, coordinate: displacement, min: "
                                    "0, max: 1, friction: 0.3, radius: 0.1}}\n");
  const double slower = 0.3 * 0.1 * 2 / 0.05, dt = 1e-3;
  for (size_t i = 0; i < sizeof sliding_schemes / sizeof *sliding_schemes; i++) {
    run r = open_text(text, sliding_schemes[i], dt, NULL, NULL);
    run_until(&r, 0.2);
    CHECK_NEAR(value(&r, "tube.displacement"), 0, 2 * dt);
    CHECK_NEAR(value(&r, "tube.rate"), 6.2 - slower * (1 + 9.81 * 0.2), 2 * slower * 9.81 * dt);
    CHECK_NEAR(value(&r, "stop-min.slip"), 0.1 * value(&r, "tube.rate"), 1e-9);
    run_until(&r, 0.5);
    CHECK_NEAR(value(&r, "tube.rate"), 0, 1e-9);
    CHECK_NEAR(value(&r, "tube.angle"), 5 * 5 / (2 * slower * 9.81), 10 * dt);
    close_run(&r);
  }
}

/* A motor of torque T holds a key of radius r against its stop: the force T/r on its face brakes
 * the sleeve along the axis. */
static void a_stop_of_the_angle_brakes_along_the_axis(void** state)
{
  (void)state;
  static const char text[] =
      SLEEVE("velocity: [0, 0, 1.5]",
             "drives: {motor: {joint: tube, torque: 2}}\n"
             "limits: {stop: {joint: tube, min: -1, max: 0, friction: 0.3, radius: 0.1}}\n");
  for (size_t i = 0; i < sizeof sliding_schemes / sizeof *sliding_schemes; i++) {
    run r = open_text(text, sliding_schemes[i], 1e-3, NULL, NULL);
    run_until(&r, 0.25);
    CHECK_NEAR(value(&r, "tube.speed"), 0.75, 6e-3);
    run_until(&r, 0.6);
    CHECK_NEAR(value(&r, "tube.speed"), 0, 1e-9);
    CHECK_NEAR(value(&r, "tube.displacement"), 0.375, 3e-3);
    close_run(&r);
  }
}

/* --- friction ------------------------------------------------------------------------------- */

/* A wheel is slowed down by T/J and stands still from then on; a motor below T does not move it. */
static void friction_stops_and_holds(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\n"
      "bodies: {a: {mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 2, 0]}}\n"
      "joints: {pin: {revolute: {bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, "
      "0]}}}\n"
      "forces: {drag: {joint-friction: {joint: pin, bound: 0.4}}}\n"
      "drives: {motor: {joint: pin, torque: 0.39*step(t - 1) + 0.11*step(t - 2)}}\n"
      "record: [pin, drag]\n",
      "moreau-jean", 1e-3, NULL, NULL);
  run_until(&r, 0.25);
  CHECK_NEAR(value(&r, "pin.rate"), 1, 1e-9);
  run_until(&r, 1);
  CHECK_NEAR(value(&r, "pin.rate"), 0, 1e-12);
  CHECK_NEAR(value(&r, "pin.angle"), 0.5, 2e-3);
  double held = value(&r, "pin.angle");
  run_until(&r, 2);
  CHECK_NEAR(value(&r, "pin.angle"), held, 1e-12);
  CHECK_NEAR(value(&r, "drag.P_F"), -0.39e-3, 1e-12);
  run_until(&r, 2.5); /* 0.5 against 0.4 */
  CHECK_NEAR(value(&r, "pin.rate"), 0.1 / 0.1 * 0.5, 2e-3);
  close_run(&r);
}

/* At a given rate the drive carries Stribeck's curve. */
static void friction_follows_stribecks_curve(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nbodies: {a: {mass: 1, inertia: 0.1, spin: 0.3}}\n"
      "joints: {pin: {revolute: {bodies: [ground, a], at: [0, 0]}}}\n"
      "forces: {drag: {joint-friction: {joint: pin, bound: 0.4, kinetic: 0.1, "
      "stribeck: 0.2}}}\n"
      "drives: {motor: {joint: pin, rate: 0.3}}\n",
      "moreau-jean", 1e-3, NULL, NULL);
  run_until(&r, 0.1);
  CHECK_NEAR(value(&r, "motor.P") / 1e-3, 0.1 + 0.3 * exp(-2.25), 1e-9);
  close_run(&r);
}

/* A block that a spring moves at the speed V sticks and slips: with D = (F_s - F_k)/k it sticks for
 * 2 D/V and slips for 2 (pi - atan(D w/V))/w. */
static void stick_slip_has_its_period(void** state)
{
  (void)state;
  double k = 50, V = 0.1, w = sqrt(50.0), D = (2.0 - 1.2) / k;
  double period = 2 * D / V + 2 * (PI - atan(D * w / V)) / w;
  run r = open_text(
      "percuss: 1\nbodies: {a: {mass: 1, inertia: 0.1}}\n"
      "joints: {slide: {prismatic: {bodies: [ground, a], axis: [1, 0]}}}\n"
      "forces:\n"
      "  drag: {joint-friction: {joint: slide, bound: 2, kinetic: 1.2, stribeck: "
      "1e-4}}\n"
      "  spring: {force: {point: a, value: [50*(0.1*t - a.x), 0]}}\n",
      "moreau-jean", 1e-4, NULL, NULL);
  double slips[8] = {0}, before = 0;
  int count = 0;
  while (count < 8) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    double v = value(&r, "a.vx");
    if (before == 0 && v > 0) slips[count++] = pc_sim_observation(r.sim)->state->t;
    before = fabs(v) < 1e-12 ? 0 : v;
  }
  CHECK_NEAR((slips[7] - slips[1]) / 6, period, 5e-3 * period);
  close_run(&r);
}

/* --- documentation -------------------------------------------------------------------------- */

static void the_four_bar_of_the_documentation(void** state)
{
  (void)state;
  run r = open_example("four-bar");
  run_until(&r, 3);
  assert_true(fabs(value(&r, "crank.spin")) < 1e-6); /* at rest, held by friction and the motor */
  assert_true(value(&r, "stop-max.gap") > -1e-9);
  close_run(&r);
}

/* m g L/(J + m L^2) = 9.81/0.6 as it begins to fall; the pin holds the rest of the weight. */
static void the_documented_rod_on_a_pin_has_its_forces(void** state)
{
  (void)state;
  run r = open_example("forces");
  const pc_observation* seen = pc_sim_observation(r.sim);
  const pc_system* system = pc_model_system(r.model);
  double alpha = pc_observe_quantity(seen, pc_system_find_quantity(system, "rod.alpha"));
  double load = pc_observe_quantity(seen, pc_system_find_quantity(system, "load"));
  CHECK_NEAR(alpha, -9.81 / 0.6, 1e-12);
  CHECK_NEAR(load, 2 * 9.81 * (1 - 0.5 / 0.6), 1e-12);
  CHECK_OK(pc_sim_run(r.sim, 0.1, &r.error), r.error);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(couplings_and_drives_in_the_plane),
      cmocka_unit_test(couplings_and_drives_in_space),
      cmocka_unit_test(universal_joint_has_its_speed_ratio),
      cmocka_unit_test(screw_over_many_turns),
      cmocka_unit_test(screw_in_long_steps),
      cmocka_unit_test(teeth_count_turns),
      cmocka_unit_test(backlash_is_taken_up),
      cmocka_unit_test(a_rack_has_backlash),
      cmocka_unit_test(torques_of_motors_are_quantities),
      cmocka_unit_test(forces_of_contacts_are_quantities),
      cmocka_unit_test(loads_are_known_to_controllers_and_outputs),
      cmocka_unit_test(a_driven_angle_follows_its_law),
      cmocka_unit_test(a_body_moves_as_prescribed),
      cmocka_unit_test(a_limit_throws_back),
      cmocka_unit_test(angles_count_turns),
      cmocka_unit_test(a_shoulder_brakes_what_turns_on_it),
      cmocka_unit_test(a_stop_of_the_angle_brakes_along_the_axis),
      cmocka_unit_test(friction_stops_and_holds),
      cmocka_unit_test(friction_follows_stribecks_curve),
      cmocka_unit_test(stick_slip_has_its_period),
      cmocka_unit_test(the_four_bar_of_the_documentation),
      cmocka_unit_test(the_documented_rod_on_a_pin_has_its_forces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
