/* The benchmark models against values that were computed independently: minimal coordinates or
 * index 1 with projection, high-order integrators, events located to round-off, impact laws by
 * enumeration. */
#include "run.h"

static const double PI = 3.14159265358979323846;

typedef struct expected {
  const char* quantity;
  double value, tolerance;
} expected;

static void check_values(const run* r, const expected* e)
{
  for (; e->quantity; e++) CHECK_NEAR(value(r, e->quantity), e->value, e->tolerance);
}

static void check_run(const char* model, const char* scheme, double dt, double until,
                      const char* const* set, const expected* e)
{
  run r = open_run(model, scheme, dt, set, NULL);
  run_until(&r, until);
  check_values(&r, e);
  close_run(&r);
}

/* --- smooth mechanisms ---------------------------------------------------------------------- */

static void tighten(pc_scheme_settings* s)
{
  s->tolerance = 1e-14;
}

/* With projections as (58) prints them. */
static void tighten_in_identity(pc_scheme_settings* s)
{
  tighten(s);
  s->metric = PC_METRIC_IDENTITY;
}

static void andrews_squeezer(void** state)
{
  (void)state;
  check_run("andrews-squeezer", "rattle", 5e-6, 0.02, NULL,
            (expected[]){{"K1.angle", 8.1849058897, 5e-6},
                         {"K3.angle", 0.2095369134, 1e-6},
                         {"K5.angle", 0.5225369172, 1e-6},
                         {"K7.angle", 1.086275109, 1e-6},
                         {NULL, 0, 0}});
  /* 3e-8 is what the step of 4e-5 s leaves, by the order of the scheme */
  run r = open_run("andrews-squeezer", "lobatto", 4e-5, NULL, tighten);
  run_until(&r, 0.03);
  CHECK_NEAR(value(&r, "K1.angle"), 15.81077119515, 1e-7);
  close_run(&r);
  /* with the tolerance of the model: 1e-10 N m s alone would be 2e-4 rad/s to the lightest body */
  check_run("andrews-squeezer", "lobatto", 2e-5, 0.03, NULL,
            (expected[]){{"K1.angle", 15.81077119515, 1e-8},
                         {"K3.angle", 0.04082224012, 1e-9},
                         {"K5.angle", 0.5244099659, 1e-9},
                         {"K7.angle", 1.048080741, 1e-9},
                         {NULL, 0, 0}});
}

/* N windows of one freedom, through their singular horizontal position, with default tolerances;
 * the model turns the other way. */
static void n_four_bars(void** state)
{
  (void)state;
  static const struct {
    const char* N;
    const char* last;
    double dt, at[2];
  } cases[] = {{"1", "upright1.angle", 5e-3, {3.4053529879, 6.3603473263}},
               {"2", "upright2.angle", 5e-3, {3.3378708031, 6.3410333613}},
               {"40", "upright40.angle", 5e-3, {3.2572069249, 6.317658442}}};
  for (int i = 0; i < 3; i++) {
    const char* const set[] = {"N", cases[i].N, NULL};
    run r = open_run("n-four-bar", "lobatto", cases[i].dt, set, NULL);
    for (int k = 0; k < 2; k++) {
      run_until(&r, 1 + k);
      CHECK_NEAR(fabs(value(&r, "upright0.angle")), cases[i].at[k], 1e-8);
      CHECK_NEAR(fabs(value(&r, cases[i].last)), cases[i].at[k], 1e-8);
    }
    close_run(&r);
  }
}

static void bricards_mechanism(void** state)
{
  (void)state;
  check_run("bricard", "lobatto", 1e-2, 1, NULL,
            (expected[]){{"P3.x", 0.51050146119, 1e-8},
                         {"P3.y", -1.6491675994, 1e-8},
                         {"P3.z", 0.14012311455, 1e-8},
                         {NULL, 0, 0}});
  check_run("bricard", "lobatto", 1e-2, 10, NULL,
            (expected[]){{"P3.x", 0.99999996381, 1e-9},
                         {"P3.y", -1.0002690127, 1e-9},
                         {"P3.z", 0.99973095112, 1e-9},
                         {NULL, 0, 0}});
}

static void flyball_governor(void** state)
{
  (void)state;
  check_run("flyball-governor", "generalized-alpha", 1e-3, 0.1, NULL,
            (expected[]){
                {"slider.z", 0.5238364756, 5e-6}, {"shaft.wz", 6.103717809, 1e-4}, {NULL, 0, 0}});
  check_run("flyball-governor", "lobatto", 1e-3, 1, NULL,
            (expected[]){
                {"slider.z", 0.5014209224, 1e-8}, {"shaft.wz", 6.271125742, 1e-8}, {NULL, 0, 0}});
  static const char* const soft[] = {"k", "4000", "c", "200", "omega0", "0.32*pi", NULL};
  check_run("flyball-governor", "lobatto", 2e-3, 0.1, soft,
            (expected[]){
                {"slider.z", 0.4602759614, 1e-9}, {"shaft.wz", 1.055647903, 1e-9}, {NULL, 0, 0}});
  check_run("flyball-governor", "lobatto", 2e-3, 10, soft,
            (expected[]){
                {"slider.z", 0.2327428755, 1e-8}, {"shaft.wz", 1.719679833, 1e-8}, {NULL, 0, 0}});
}

static void slider_crank_in_space(void** state)
{
  (void)state;
  check_run("slider-crank-iftomm", "lobatto", 1e-3, 1, NULL,
            (expected[]){
                {"slider.x", 0.2337647503, 1e-8}, {"crank.turn", 10.48407384, 1e-8}, {NULL, 0, 0}});
  check_run("slider-crank-iftomm", "lobatto", 1e-3, 5, NULL,
            (expected[]){
                {"slider.x", 0.2546500855, 1e-8}, {"crank.turn", 51.36943989, 1e-8}, {NULL, 0, 0}});
}

static void rattleback_and_tippe_top(void** state)
{
  (void)state;
  check_run("rattleback", "lobatto", 2e-4, 0.5, NULL,
            (expected[]){{"stone.wx", 8.69260295, 1e-3},
                         {"stone.wy", 0.0429046937, 1e-3},
                         {"stone.wz", -3.96843252, 1e-4},
                         {NULL, 0, 0}});
  check_run("tippe-top", "generalized-alpha", 1e-4, 0.1, NULL,
            (expected[]){{"top.wx", 0.636994257, 2e-3},
                         {"top.wy", -3.72330988, 2e-3},
                         {"top.wz", 178.414711, 1e-3},
                         {NULL, 0, 0}});
}

/* --- friction and impact -------------------------------------------------------------------- */

static void woodpecker(void** state)
{
  (void)state;
  check_run("woodpecker", "rattle", 1e-5, 0.15, NULL,
            (expected[]){{"y", -0.0206857961, 2e-5},
                         {"sleeve", -0.1034482759, 1e-9},
                         {"bird", -0.3103296661, 5e-4},
                         {NULL, 0, 0}});
}

static void sliding_rod(void** state)
{
  (void)state;
  check_run("painleve-rod", "rattle", 1e-4, 0.1, NULL,
            (expected[]){{"rod.x", 0.36106539462, 1e-8},
                         {"rod.angle", 0.89420894621, 1e-8},
                         {"rod.vx", 0.82721327506, 1e-7},
                         {"rod.spin", -2.0296764441, 1e-7},
                         {NULL, 0, 0}});
  static const char* const other_way[] = {"v", "-1", NULL};
  check_run("painleve-rod", "rattle", 1e-4, 0.1, other_way,
            (expected[]){{"rod.x", 0.19046332008, 1e-8},
                         {"rod.vx", -0.59842837606, 1e-7},
                         {"rod.spin", -0.62881619269, 1e-7},
                         {NULL, 0, 0}});
  /* no force can keep the tip on the floor: it stops at once */
  static const char* const paradox[] = {"mu", "2", "theta", "atan(2)", "v", "-1", NULL};
  check_run("painleve-rod", "moreau-jean", 1e-5, 1e-5, paradox,
            (expected[]){{"rod.vx", -0.6, 4e-4},
                         {"rod.vy", 0.3, 4e-4},
                         {"rod.spin", 1.3416407865, 4e-4},
                         {NULL, 0, 0}});
}

static void sliding_and_spinning_puck(void** state)
{
  (void)state;
  check_run(
      "contensou-puck", "rattle", 5e-5, 0.5, NULL,
      (expected[]){{"puck.vx", 0.16649735, 2e-5}, {"puck.wz", 5.76395388, 2e-4}, {NULL, 0, 0}});
}

/* One bounce in a period: the ball comes with 2 pi g/(w (1 + e)). */
static void ball_on_a_table(void** state)
{
  (void)state;
  run r = open_run("vibrating-table", "rattle", 2e-4, NULL, NULL);
  double P = 0;
  while (pc_sim_observation(r.sim)->state->t < 8) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    if (value(&r, "table.P_N") > 0.1) P = value(&r, "table.P_N");
  }
  CHECK_NEAR(P, 2 * PI * 9.81 / (10 * PI), 0.02);
  close_run(&r);
}

/* --- clearances ----------------------------------------------------------------------------- */

static void slider_crank_with_play(void** state)
{
  (void)state;
  static const char* const wide[] = {"r", "5e-3", NULL};
  check_run("slider-crank-clearance", "rattle", 1e-5, 0.008, NULL,
            (expected[]){{"crank.angle", 0.798431989, 2e-4},
                         {"rod.angle", -0.363207571, 2e-4},
                         {"slider.x", 0.393289469, 2e-4},
                         {NULL, 0, 0}});
  check_run("slider-crank-clearance", "rattle", 1e-5, 0.05, wide,
            (expected[]){{"crank.angle", 4.14894584, 1e-4},
                         {"rod.angle", 0.453046444, 1e-4},
                         {"slider.x", 0.190166613, 1e-4},
                         {NULL, 0, 0}});
  /* the first impact of the pin: its percussion is the independent code's at this step */
  run r = open_run("slider-crank-clearance", "moreau-jean", 1e-5, NULL, NULL);
  run_until(&r, 5e-4);
  const pc_event* first = pc_sim_event(r.sim, 0);
  assert_non_null(first);
  CHECK_NEAR(first->t, 4.7e-4, 1e-12);
  CHECK_NEAR(first->P_N, 0.2500919033, 1e-7);
  close_run(&r);
}

/* The independent implementation of both schemes, dt = 1e-5, to 0.16 s: first percussions of the
 * pin and of two corners, how often pin and corners close, and the energy. */
static void slider_crank_with_play_step_by_step(void** state)
{
  (void)state;
  static const struct {
    const char* scheme;
    double first[3];
    int closings[5];
    double energy;
  } cases[] = {
      {"moreau-jean", {0.2500919033, 0.0554578337, 0.0549060145}, {1, 27, 27, 24, 24}, 6.517689},
      {"combined-projection",
       {0.2452144033, 0.0552793071, 0.0547292642},
       {1, 29, 29, 28, 28},
       6.528058}};
  static const char* const contact[] = {"crank-pin.P_N", "corner1.P_N", "corner2.P_N",
                                        "corner3.P_N", "corner4.P_N"};
  for (int c = 0; c < 2; c++) {
    run r = open_run("slider-crank-clearance", cases[c].scheme, 1e-5, NULL, tighten_in_identity);
    int closings[5] = {0};
    double before[5] = {0};
    for (int step = 0; step < 16000; step++) {
      CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
      for (int k = 0; k < 5; k++) {
        double P = value(&r, contact[k]);
        if (P > 0 && before[k] == 0 && closings[k]++ == 0 && k < 3)
          CHECK_NEAR(P, cases[c].first[k], 1e-9);
        before[k] = P;
      }
    }
    for (int k = 0; k < 5; k++) assert_int_equal(closings[k], cases[c].closings[k]);
    CHECK_NEAR(pc_sim_summary(r.sim).energy_final, cases[c].energy, 2e-6);
    close_run(&r);
  }
}

/* A spin out of the plane: nothing overlaps with schemes that hold gaps, and Moreau-Jean's
 * penetration follows dt. */
static void tilted_slider_crank_has_no_overlap(void** state)
{
  (void)state;
  static const char* const plays[] = {"5e-4", "5e-3"};
  static const char* const schemes[] = {"combined-projection", "rattle"};
  for (int i = 0; i < 4; i++) {
    const char* const set[] = {"r", plays[i / 2], "tilt", "1", NULL};
    run r = open_run("slider-crank-spatial", schemes[i % 2], 1e-5, set, NULL);
    run_until(&r, 0.012);
    assert_true(pc_sim_summary(r.sim).penetration_max < 1e-9);
    assert_true(fabs(value(&r, "rod.z")) > 1e-6);
    close_run(&r);
  }
  double depth[2];
  for (int i = 0; i < 2; i++) {
    static const char* const set[] = {"tilt", "1", NULL};
    run r = open_run("slider-crank-spatial", "moreau-jean", i ? 1e-6 : 1e-5, set, NULL);
    run_until(&r, 6e-4);
    depth[i] = pc_sim_summary(r.sim).penetration_max;
    close_run(&r);
  }
  /* it closes with 2.2 m/s: one step until it is seen, and half of one at the mean velocity */
  assert_true(depth[0] > 1e-6 && depth[0] < 1.5e-5 * 2.21 && depth[1] < 1.5e-6 * 2.21);
}

/* The largest difference between the mechanism in space and that in the plane at 4 ms [m]. */
static double from_plane(const char* scheme, double dt, void (*tune)(pc_scheme_settings*))
{
  static const char* const same[] = {"crank.x", "rod.y", "rod.x", "slider.x", "slider.y"};
  double largest = 0;
  run plane = open_run("slider-crank-clearance", scheme, dt, NULL, NULL);
  run space = open_run("slider-crank-spatial", scheme, dt, NULL, tune);
  run_until(&plane, 0.004);
  run_until(&space, 0.004);
  for (int i = 0; i < 5; i++)
    largest = fmax(largest, fabs(value(&space, same[i]) - value(&plane, same[i])));
  CHECK_NEAR(value(&space, "rod.z"), 0, 1e-12);
  close_run(&plane);
  close_run(&space);
  return largest;
}

static void turn_as_published(pc_scheme_settings* settings)
{
  settings->rotation = PC_ROTATION_MIDPOINT;
}

/* Without a disturbance the mechanism in space moves as that in the plane: to round-off where its
 * model asks for exact rotations, else up to what quaternions make of an angle: in a step a turn by
 * w dt about a fixed axis is short of it by (w dt)^3/48, which is of second order. With a
 * disturbance it leaves the plane and nothing overlaps. */
static void slider_crank_with_play_in_space(void** state)
{
  (void)state;
  static const char* const schemes[] = {"rattle", "combined-projection"};
  for (int i = 0; i < 2; i++) {
    double coarse = from_plane(schemes[i], 1e-5, turn_as_published);
    double fine = from_plane(schemes[i], 2.5e-6, turn_as_published);
    assert_true(coarse < 1e-9);
    assert_true(fine < coarse / 6);
  }
  assert_true(from_plane("moreau-jean", 1e-5, NULL) < 1e-12);
  assert_true(from_plane("combined-projection", 1e-5, NULL) < 1e-12);
  static const char* const tilted[] = {"tilt", "1", NULL};
  run r = open_run("slider-crank-spatial", "rattle", 1e-5, tilted, NULL);
  run_until(&r, 0.004);
  assert_true(fabs(value(&r, "rod.z")) > 1e-8);
  assert_true(pc_sim_summary(r.sim).penetration_max < 1e-9);
  close_run(&r);
}

/* In the parallelogram the rocker follows the crank within what the play allows. */
static void four_bar_with_play(void** state)
{
  (void)state;
  run r = open_run("four-bar-clearance", "rattle", 2e-4, NULL, NULL);
  double largest = 0;
  while (pc_sim_observation(r.sim)->state->t < 0.3) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    largest = fmax(largest, fabs(value(&r, "error")));
  }
  CHECK_NEAR(value(&r, "crank.angle"), 20 * 0.3 * 0.3 / 2, 1e-9);
  /* the play along the rod, over the height of the rocker's pin */
  assert_true(largest > 1e-4 && largest < 1.05 * 2e-4 / (0.2 * cos(0.9)));
  assert_true(pc_sim_summary(r.sim).penetration_max < 1e-9);
  close_run(&r);
}

/* The largest gap of a contact over a run. */
static double largest_gap(const char* model, const char* const* set, const char* contact,
                          double until)
{
  run r = open_run(model, "rattle", 1e-4, set, NULL);
  double largest = 0;
  while (pc_sim_observation(r.sim)->state->t < until) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    largest = fmax(largest, value(&r, contact));
  }
  close_run(&r);
  return largest;
}

/* w^2 = (m g + F0 + k ecc)/(m ecc), at 83.5 rad/s. */
static void follower_leaves_its_cam(void** state)
{
  (void)state;
  double w = sqrt((0.5 * 9.81 + 20 + 1000 * 0.01) / (0.5 * 0.01));
  char below[40], above[40];
  snprintf(below, sizeof below, "%.17g", 0.98 * w);
  snprintf(above, sizeof above, "%.17g", 1.02 * w);
  const char* const slow[] = {"w", below, NULL};
  const char* const fast[] = {"w", above, NULL};
  assert_true(largest_gap("cam-follower", slow, "face.gap", 0.2) < 1e-8);
  assert_true(largest_gap("cam-follower", fast, "face.gap", 0.2) > 1e-6);
}

/* A = T/(J n W^2) */
static void teeth_rattle_above_their_ripple(void** state)
{
  (void)state;
  double A = 0.5 / (0.01 * 17 / 23 * 150 * 150);
  char below[40], above[40];
  snprintf(below, sizeof below, "%.17g", 0.97 * A);
  snprintf(above, sizeof above, "%.17g", 1.03 * A);
  const char* const quiet[] = {"A", below, "backlash", "1e-2", NULL};
  const char* const loud[] = {"A", above, "backlash", "1e-2", NULL};
  /* from the middle of the backlash the load first takes the second wheel to the teeth */
  run r = open_run("gear-rattle", "rattle", 1e-4, quiet, NULL);
  run_until(&r, 0.2);
  double gap[2] = {value(&r, "mesh-front.gap"), value(&r, "mesh-back.gap")};
  CHECK_NEAR(fmin(gap[0], gap[1]), 0, 1e-9);
  close_run(&r);
  for (int i = 0; i < 2; i++) {
    run s = open_run("gear-rattle", "rattle", 1e-4, i ? loud : quiet, NULL);
    const char* flank = gap[0] < gap[1] ? "mesh-front.gap" : "mesh-back.gap";
    double largest = 0;
    run_until(&s, 0.2);
    while (pc_sim_observation(s.sim)->state->t < 0.4) {
      CHECK_OK(pc_sim_step(s.sim, &s.error), s.error);
      largest = fmax(largest, value(&s, flank));
    }
    if (i)
      assert_true(largest > 1e-6);
    else
      assert_true(largest < 1e-8);
    close_run(&s);
  }
}

/* The angle of the wheel of a Geneva drive of four slots without play, the driver at x. */
static double geneva_angle(double x)
{
  return -atan2(sin(x), sqrt(2) - cos(x));
}

/* With each turn of the driver the wheel goes on by a quarter of a turn: as the closed form says
 * within the play of pin and slot, at most 1 + sqrt(2) times as fast as the driver, and it rests in
 * between. */
static void geneva_wheel(void** state)
{
  (void)state;
  run r = open_run("geneva-wheel", "rattle", 2e-4, NULL, NULL);
  double fastest = 0, off = 0, drift = 0;
  while (pc_sim_observation(r.sim)->state->t < 1.4) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    double turn = value(&r, "driver.angle"), x = remainder(turn, 2 * PI);
    double wheel = value(&r, "wheel.angle") + PI / 2 * round(turn / (2 * PI));
    fastest = fmax(fastest, -value(&r, "wheel.spin"));
    if (fabs(x) < 0.9 * PI / 4)
      off = fmax(off, fabs(wheel - geneva_angle(x)) * sqrt(3 - 2 * sqrt(2) * cos(x)));
    else if (fabs(x) > 1.1 * PI / 4)
      drift = fmax(drift, fabs(fabs(wheel) - PI / 4));
  }
  CHECK_NEAR(value(&r, "index"), 2, 0.01); /* quarters of a turn at 1.4 s */
  CHECK_NEAR(off, 1e-4 / 0.05, 2e-5);      /* play/a at the pin's distance from the wheel's shaft */
  assert_true(drift < 0.01);
  CHECK_NEAR(fastest, 2 * PI * (1 + sqrt(2)), 0.05 * 2 * PI * (1 + sqrt(2)));
  assert_true(pc_sim_summary(r.sim).penetration_max < 1e-9);
  close_run(&r);
}

/* A pin that slides along the wall of its bore, without friction: normals at the end of the step
 * take v (1 - cos(v dt/r)) of its speed in a step, with the play r, so that v' = -v^3 dt/(2 r^2).
 * Schemes with normals at both ends take nothing. */
static void pin_in_its_bore(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\nparameters: {r: 2e-5}\n"
      "bodies: {pin: {mass: 1, inertia: 1e-4, position: [r, 0], velocity: [0, 0.1]}}\n"
      "contacts: {bore: {disc: pin, radius: 1e-3, other: ground, other_radius: 1e-3 + r, inside: "
      "true}}\n"
      "record: [pin, bore]\n";
  static const char* const schemes[] = {"moreau-jean", "combined-projection", "rattle", "lobatto",
                                        "generalized-alpha"};
  for (int i = 0; i < 5; i++) {
    run r = open_text(text, schemes[i], 1e-6, NULL, NULL);
    run_until(&r, 1e-3);
    double lost = i < 2 ? 5000. * 5000. * 1e-6 * 1e-3 : 0;
    CHECK_NEAR(hypot(value(&r, "pin.vx"), value(&r, "pin.vy")), 0.1 / sqrt(1 + lost), 1e-6);
    close_run(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(andrews_squeezer),
      cmocka_unit_test(n_four_bars),
      cmocka_unit_test(bricards_mechanism),
      cmocka_unit_test(flyball_governor),
      cmocka_unit_test(slider_crank_in_space),
      cmocka_unit_test(rattleback_and_tippe_top),
      cmocka_unit_test(woodpecker),
      cmocka_unit_test(sliding_rod),
      cmocka_unit_test(sliding_and_spinning_puck),
      cmocka_unit_test(ball_on_a_table),
      cmocka_unit_test(slider_crank_with_play),
      cmocka_unit_test(slider_crank_with_play_step_by_step),
      cmocka_unit_test(slider_crank_with_play_in_space),
      cmocka_unit_test(tilted_slider_crank_has_no_overlap),
      cmocka_unit_test(pin_in_its_bore),
      cmocka_unit_test(four_bar_with_play),
      cmocka_unit_test(follower_leaves_its_cam),
      cmocka_unit_test(teeth_rattle_above_their_ripple),
      cmocka_unit_test(geneva_wheel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
