/* The models that come with percuss: they load, have the names others rely on, and are the
 * equations of the papers. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "percuss/model.h"
#include "system/terms.h"

typedef struct known_model {
  const char* name;
  const char* parameters; /* those that others rely on */
  const char* quantities;
  int q_count, g_count, contact_count;
} known_model;

static const known_model known_models[] = {
    {"bouncing-ball", "f e q0 v0", "q q' floor.gap floor.P_N", 1, 0, 1},
    {"oscillator", "m k c e q0 v0", "q q' stop.gap stop.P_N", 1, 0, 1},
    {"rocking-block", "l L m e y0 theta0 omega0 g", "block.y block.angle block.spin A.gap B.gap", 3,
     0, 2},
    {"slider-roller", "m R J mu e y0 torque g",
     "slider.y roller.angle roller.spin touch.gap touch.slip touch.P_F", 6, 4, 1},
    {"slider-crank-minimal", "l1 l2 a b d m1 m2 m3 J1 J2 J3 mu e g w1 w2 w3",
     "th1 th2 th3 th1' th2' th3' corner1.gap corner2.P_N corner3.slip corner4.P_F", 3, 0, 4},
    {"slider-crank", "l1 l2 a b d m1 m2 m3 J1 J2 J3 mu e g w1 w2 w3 phi3",
     "crank.x crank.angle rod.spin slider.angle corner1.gap corner4.gap_velocity", 9, 6, 4},
    {"slider-crank-newton-euler", "l1 l2 a b d m1 m2 m3 J1 J2 J3 Jx1 Jx2 Jx3 mu e g w1 w2",
     "crank.qw crank.qz crank.wz rod.wz slider.x slider.z corner1.gap corner3.P_N", 21, 15, 4},
    {"rotating-ball", "R m mu e omega y0 g", "ball.x ball.y ball.spin floor.gap floor.slip", 3, 0,
     1},
    {"block-on-incline", "angle mu e g", "block.x block.vx A.gap B.P_F", 3, 0, 2},
    {"four-legged-table", "mu e g", "table.y leg1.gap leg2.gap leg3.gap leg4.gap", 3, 0, 4},
    {"impacting-bar", "N L S rho E v0 gap e",
     "bar.root.x bar.1.x bar.999.vx bar.tip.x bar.tip.vx wall.gap wall.P_N", 1001, 0, 1},
    {"ring-pendulum", "R m1 J1 m2 J2 mu e g gap omega",
     "ring.spin rod.x rod.y rod.angle touch.gap touch.slip touch.P_F", 6, 2, 1},
    {"flexible-pendulum", "N E rho A I nu L xmin ag e",
     "beam.root.angle beam.1.x beam.3.vy beam.tip.x beam.tip.y beam.tip.angle beam.tip.spin "
     "pivot.P.1 stop.gap stop.gap_velocity stop.P_N",
     15, 2, 1},
    {"cantilever", "N nodes L A I E nu rho tau turns ramp force",
     "beam.root.x beam.8.angle beam.tip.x beam.tip.y beam.tip.angle clamp.P.3", 51, 3, 0},
    {"bend-45", "N nodes R turn A I J ks E nu rho tau F ramp",
     "beam.root.x beam.4.qw beam.tip.x beam.tip.y beam.tip.z beam.tip.wx clamp.P.6", 63, 6, 0},
    {"flexible-slider-crank", "l1 l2 a b d m1 m3 J1 J3 N E A I nu rho tau mu e g w1 w2 w3 phi3",
     "crank.x crank.angle rod.root.x rod.4.angle rod.tip.spin slider.angle corner1.gap", 33, 6, 4},
    {"slider-crank-clearance", "r mu e e_pin",
     "crank.angle rod.spin slider.x crank-pin.gap corner1.P_N corner2.gap corner3.gap corner4.P_F",
     9, 4, 5},
    {"slider-crank-spatial", "r mu e e_pin tilt",
     "crank.x rod.y rod.z slider.x pin-low.gap pin-high.2.gap rear.P_N front.2.P_F.2", 21, 10, 8},
    {"circuit-breaker-planar", "trip latch_mu clearance",
     "handle.angle rod.x hook.y plate.angle moving-contact.angle trip-bar.x contacts-touch.gap", 18,
     0, 20},
    {"circuit-breaker", "trip latch_mu clearance",
     "handle.x rod.qz hook.vy plate.wz moving-contact.z trip-bar.x plunger.vx needle.z "
     "contacts-touch.gap latch-hook-edge-lower.P_N plunger-bearing.2.gap",
     56, 0, 82},
    {"andrews-squeezer", "torque", "K1.angle K7.spin", 21, 20, 0},
    {"bricard", "", "rod1.x rod5.wz P3.x P3.y P3.z", 35, 30, 0},
    {"flyball-governor", "k c omega0", "slider.z shaft.wz arm1.x arm2.z", 28, 20, 0},
    {"slider-crank-iftomm", "omega0", "crank.wx rod.x slider.x crank.turn", 21, 17, 0},
    {"woodpecker", "mu", "y sleeve bird beak.P_N", 3, 0, 3},
    {"vibrating-table", "e gamma w", "ball ball' table.gap", 1, 0, 1},
    {"painleve-rod", "mu theta v", "rod.x rod.spin tip.gap tip.P_F", 3, 0, 1},
    {"rattleback", "spin", "stone.wz table.P_N", 7, 0, 1},
    {"tippe-top", "mu", "top.wz belly.P_N stem.gap", 7, 0, 2},
    {"four-bar-clearance", "r mu e", "crank.angle rocker.angle loose.gap error", 9, 7, 1},
    {"cam-follower", "w e", "cam.angle follower.y face.gap", 6, 5, 1},
    {"gear-rattle", "backlash A e", "first.spin second.angle mesh-front.gap mesh-back.P_N", 6, 5,
     2},
    {"geneva-wheel", "w play lock mu e T",
     "driver.angle wheel.angle wheel.spin front.gap back.P_N horn7.gap edge1.gap index", 7, 5, 13},
    {"contensou-puck", "mu R J v0 w0", "puck.vx puck.wz ice.P_F.3", 7, 0, 1},
    {"n-four-bar", "N", "upright0.angle upright2.spin coupler1.x coupler2.y", 15, 14, 0},
    {"spheres-in-a-box", "N mu", "ball0.x ball99.wz", 700, 0, 0},
    {"brick-wall", "mu", "brick0_0.x brick9_10.wz", 735, 0, 0},
    {"capsule-chain", "mu", "link0.x link49.wz base.P.1", 350, 150, 0},
    {"box-on-incline", "mu angle direction", "block.x block.wz", 7, 0, 0},
    {"dominoes", "N mu e", "domino0.angle domino39.spin dominoes.fallen", 120, 0, 0},
    {"arch", "N mu missing", "stone0.x stone14.spin arch.drop", 45, 0, 0},
    {"card-house", "N mu e", "card0_0_0.x card2_0_1.spin deck1_0.y house.drop", 45, 0, 0},
    {"newtons-cradle", "N mu e", "ball0.x ball4.spin first last", 15, 10, 0},
    {"galton-board", "N mu e", "ball0.x ball19.vy spread", 60, 0, 0},
    {"gripper", "mu e force", "block.y hand.vy slip", 12, 7, 0},
};

static pc_model* load(const char* name, const pc_override* override, int count)
{
  char path[500];
  snprintf(path, sizeof path, "%s/models/%s.yaml", PC_SOURCE_DIR, name);
  pc_model* model = NULL;
  pc_error error = {0};
  pc_status status = pc_model_read(path, override, count, &model, &error);
  if (status != PC_OK) print_error("%s:%d:%d: %s\n", path, error.line, error.column, error.text);
  assert_int_equal(status, PC_OK);
  return model;
}

/* Calls `check` for each word of a text. */
static void each_word(const char* text, const pc_model* model,
                      void (*check)(const pc_model* model, const char* word))
{
  char copy[400];
  snprintf(copy, sizeof copy, "%s", text);
  for (char* word = strtok(copy, " "); word; word = strtok(NULL, " ")) check(model, word);
}

static void has_parameter(const pc_model* model, const char* name)
{
  for (int i = 0; pc_model_parameter(model, i, NULL); i++)
    if (strcmp(pc_model_parameter(model, i, NULL), name) == 0) return;
  fail_msg("%s: no parameter %s", pc_model_title(model), name);
}

static void has_quantity(const pc_model* model, const char* name)
{
  if (pc_system_find_quantity(pc_model_system(model), name) < 0)
    fail_msg("%s: no quantity %s", pc_model_title(model), name);
}

static void all_models_load_with_the_names_others_rely_on(void** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof known_models / sizeof *known_models; i++) {
    const known_model* known = &known_models[i];
    pc_model* model = load(known->name, NULL, 0);
    const pc_system* system = pc_model_system(model);
    assert_int_equal(pc_system_q_count(system), known->q_count);
    assert_int_equal(pc_system_g_count(system), known->g_count);
    assert_int_equal(pc_system_contact_count(system), known->contact_count);
    each_word(known->parameters, model, has_parameter);
    each_word(known->quantities, model, has_quantity);
    assert_non_null(pc_model_scheme(model));
    assert_true(pc_model_until(model) > 0);
    assert_true(pc_model_settings(model).dt > 0);
    int recorded = 0;
    pc_model_record(model, &recorded);
    int all = pc_system_quantity_count(system);
    if (all > 1000 && strstr(known->name, "bar"))
      assert_int_equal(recorded, 7); /* of a bar its ends and the contact */
    assert_in_range(recorded, 1, all);
    pc_model_destroy(model);
  }
}

static pc_terms* terms_of(const pc_model* model)
{
  pc_terms* terms = NULL;
  pc_error error = {0};
  CHECK_OK(pc_terms_create(pc_model_system(model), PC_TERM_ALL & ~(unsigned)PC_TERM_MA_Q, &terms,
                           &error),
           error);
  return terms;
}

/* Numbers between -1 and 1 from a small generator of our own, the same everywhere. */
static double random_number(unsigned* seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 23) - 1;
}

static int row_of(const pc_model* model, const char* quantity)
{
  const pc_system* system = pc_model_system(model);
  int i = pc_system_find_quantity(system, quantity);
  assert_true(i >= 0);
  return pc_system_quantity(system, i).index;
}

/* RATTLE (46), (47), (48), (49), up to the signs of g and of a sliding direction. */
static void check_slider_crank(const pc_model* model, pc_terms* terms, const double q[9],
                               const double u[9])
{
  const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, d = 0.052;
  pc_terms_evaluate(terms, &(pc_at){.q = q, .u = u});
  double g[6] = {q[0] - l1 / 2 * cos(q[2]),
                 q[1] - l1 / 2 * sin(q[2]),
                 q[0] + l1 / 2 * cos(q[2]) - q[3] + l2 / 2 * cos(q[5]),
                 q[1] + l1 / 2 * sin(q[2]) - q[4] + l2 / 2 * sin(q[5]),
                 q[3] + l2 / 2 * cos(q[5]) - q[6],
                 q[4] + l2 / 2 * sin(q[5]) - q[7]};
  const char* pin[] = {"base.position.1",      "base.position.2",      "crank-pin.position.1",
                       "crank-pin.position.2", "wrist-pin.position.1", "wrist-pin.position.2"};
  for (int i = 0; i < 6; i++) CHECK_NEAR(fabs(terms->y[row_of(model, pin[i])]), fabs(g[i]), 1e-15);
  double s = sin(q[8]), c = cos(q[8]);
  double g_N[4] = {d / 2 - (q[7] - a * s + b * c), d / 2 - (q[7] + a * s + b * c),
                   d / 2 + (q[7] - a * s - b * c), d / 2 + (q[7] + a * s - b * c)};
  double gamma_F[4] = {u[6] + u[8] * (a * s - b * c), u[6] - u[8] * (a * s + b * c),
                       u[6] + u[8] * (a * s + b * c), u[6] - u[8] * (a * s - b * c)};
  for (int k = 0; k < 4; k++) {
    char name[32];
    snprintf(name, sizeof name, "corner%d.gap", k + 1);
    int row = row_of(model, name);
    CHECK_NEAR(terms->y[row], g_N[k], 1e-15);
    CHECK_NEAR(fabs(pc_terms_row_velocity(terms, row + 1, u)), fabs(gamma_F[k]), 1e-15);
  }
  double h[9] = {0, -0.038 * 9.81, 0, 0, -0.038 * 9.81, 0, 0, -0.076 * 9.81, 0};
  for (int i = 0; i < 9; i++) CHECK_NEAR(terms->h[i], h[i], 1e-16);
}

static void slider_crank_is_that_of_the_paper(void** state)
{
  (void)state;
  pc_model* model = load("slider-crank", NULL, 0);
  pc_terms* terms = terms_of(model);
  const double q0[9] = {0.0765, 0, 0, 0.306, 0, 0, 0.459, 0, 0.017};
  const double u0[9] = {0, 11.475, 150, 0, 11.475, -75, 0, 0, 0};
  for (int i = 0; i < 9; i++) {
    CHECK_NEAR(pc_system_q0(pc_model_system(model))[i], q0[i], 1e-16);
    CHECK_NEAR(pc_system_u0(pc_model_system(model))[i], u0[i], 1e-14);
  }
  check_slider_crank(model, terms, q0, u0);
  unsigned seed = 1;
  for (int trial = 0; trial < 20; trial++) {
    double q[9], u[9];
    for (int i = 0; i < 9; i++) q[i] = random_number(&seed);
    for (int i = 0; i < 9; i++) u[i] = random_number(&seed);
    check_slider_crank(model, terms, q, u);
  }
  pc_contact_info corner = pc_system_contact(pc_model_system(model), 0);
  assert_string_equal(corner.name, "corner1");
  CHECK_NEAR(corner.mu, 0.01, 0);
  CHECK_NEAR(corner.e_N, 0.4, 0);
  CHECK_NEAR(corner.e_F, 0, 0);
  pc_terms_destroy(terms);
  pc_model_destroy(model);
}

/* Flores (90) to (97), (98) to (104), (106) to (113). */
static void check_minimal_slider_crank(const pc_model* model, pc_terms* terms, const double q[3],
                                       const double u[3])
{
  const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, d = 0.052, gravity = 9.81;
  const double m1 = 0.038, m2 = 0.038, m3 = 0.076;
  pc_terms_evaluate(terms, &(pc_at){.q = q, .u = u});
  double M12 = (m2 / 2 + m3) * l1 * l2 * cos(q[1] - q[0]);
  double M[9] = {7.4e-5 + (m1 / 4 + m2 + m3) * l1 * l1,
                 M12,
                 0,
                 M12,
                 5.9e-4 + (m2 / 4 + m3) * l2 * l2,
                 0,
                 0,
                 0,
                 2.7e-6};
  double got[9] = {0};
  pc_terms_add_dense(terms, PC_TERM_M, 1, got);
  for (int i = 0; i < 9; i++) CHECK_NEAR(got[i], M[i], 1e-17);
  double k = (m2 / 2 + m3) * l1 * l2 * sin(q[1] - q[0]);
  double h[3] = {k * u[1] * u[1] - (m1 / 2 + m2 + m3) * gravity * l1 * cos(q[0]),
                 -k * u[0] * u[0] - (m2 / 2 + m3) * gravity * l2 * cos(q[1]), 0};
  for (int i = 0; i < 3; i++) CHECK_NEAR(terms->h[i], h[i], 1e-14);
  double s3 = sin(q[2]), c3 = cos(q[2]), y = l1 * sin(q[0]) + l2 * sin(q[1]);
  double y_rate = l1 * cos(q[0]) * u[0] + l2 * cos(q[1]) * u[1];
  double x_rate = -l1 * sin(q[0]) * u[0] - l2 * sin(q[1]) * u[1];
  double g_N[4] = {d / 2 - y + a * s3 - b * c3, d / 2 - y - a * s3 - b * c3,
                   d / 2 + y - a * s3 - b * c3, d / 2 + y + a * s3 - b * c3};
  double g_N_rate[4] = {-y_rate + (a * c3 + b * s3) * u[2], -y_rate + (-a * c3 + b * s3) * u[2],
                        y_rate + (-a * c3 + b * s3) * u[2], y_rate + (a * c3 + b * s3) * u[2]};
  double slip[4] = {x_rate + (a * s3 - b * c3) * u[2], x_rate + (-a * s3 - b * c3) * u[2],
                    x_rate + (a * s3 + b * c3) * u[2], x_rate + (-a * s3 + b * c3) * u[2]};
  for (int i = 0; i < 4; i++) {
    int row = pc_system_contact(pc_model_system(model), i).row;
    CHECK_NEAR(terms->y[row], g_N[i], 1e-15);
    CHECK_NEAR(pc_terms_row_velocity(terms, row, u), g_N_rate[i], 1e-14);
    CHECK_NEAR(pc_terms_row_velocity(terms, row + 1, u), slip[i], 1e-14);
  }
}

static void minimal_slider_crank_is_that_of_the_paper(void** state)
{
  (void)state;
  pc_model* model = load("slider-crank-minimal", NULL, 0);
  pc_terms* terms = terms_of(model);
  unsigned seed = 2;
  for (int trial = 0; trial < 20; trial++) {
    double q[3], u[3];
    for (int i = 0; i < 3; i++) q[i] = 3 * random_number(&seed);
    for (int i = 0; i < 3; i++) u[i] = 10 * random_number(&seed);
    check_minimal_slider_crank(model, terms, q, u);
  }
  pc_terms_destroy(terms);
  pc_model_destroy(model);
}

/* Acary (9). */
static void rocking_block_has_the_gaps_of_the_paper(void** state)
{
  (void)state;
  pc_model* model = load("rocking-block", NULL, 0);
  pc_terms* terms = terms_of(model);
  const double q[3] = {0.3, 1.1, 0.4}, u[3] = {0};
  pc_terms_evaluate(terms, &(pc_at){.q = q, .u = u});
  CHECK_NEAR(terms->y[row_of(model, "A.gap")], 1.1 - 0.75 * cos(0.4) + 0.5 * sin(0.4), 1e-15);
  CHECK_NEAR(terms->y[row_of(model, "B.gap")], 1.1 - 0.75 * cos(0.4) - 0.5 * sin(0.4), 1e-15);
  assert_int_equal(pc_system_contact(pc_model_system(model), 0).dimension, 0);
  pc_terms_destroy(terms);
  pc_model_destroy(model);
}

static double initial_row(const pc_model* model, const char* quantity)
{
  pc_terms* terms = terms_of(model);
  const pc_system* system = pc_model_system(model);
  pc_terms_evaluate(terms, &(pc_at){.q = pc_system_q0(system), .u = pc_system_u0(system)});
  double y = terms->y[row_of(model, quantity)];
  pc_terms_destroy(terms);
  return y;
}

static void contacts_start_where_they_should(void** state)
{
  (void)state;
  pc_model* model = load("slider-roller", NULL, 0);
  CHECK_NEAR(initial_row(model, "touch.gap"), 0.1, 1e-15);
  pc_model_destroy(model);
  for (int tilt = 0; tilt < 5; tilt++) {
    char angle[16];
    snprintf(angle, sizeof angle, "%d/10", tilt);
    model = load("block-on-incline", &(pc_override){"angle", angle}, 1);
    CHECK_NEAR(initial_row(model, "A.gap"), 0, 1e-16);
    CHECK_NEAR(initial_row(model, "B.gap"), 0, 1e-16);
    pc_model_destroy(model);
  }
  model = load("rotating-ball", &(pc_override){"y0", "3*R"}, 1);
  CHECK_NEAR(initial_row(model, "floor.gap"), 0.2, 1e-15);
  pc_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_models_load_with_the_names_others_rely_on),
      cmocka_unit_test(slider_crank_is_that_of_the_paper),
      cmocka_unit_test(minimal_slider_crank_is_that_of_the_paper),
      cmocka_unit_test(rocking_block_has_the_gaps_of_the_paper),
      cmocka_unit_test(contacts_start_where_they_should),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
