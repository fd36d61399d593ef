/* Accelerations and forces as outputs: closed forms of bodies at rest, in contact and on joints,
 * and the independent code's numbers for the pendulum of the alpha paper. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "percuss/percuss.h"

typedef struct run {
  pc_model* model;
  pc_sim* sim;
  pc_error error;
} run;

enum { NAMES_MAX = 8 };

/* A model with these outputs (up to NULL), under a scheme. */
static run begin(pc_model* model, const char* scheme, double dt, pc_constraints constraints)
{
  run r = {.model = model};
  pc_sim_def def = {pc_model_system(model), scheme, pc_model_settings(model)};
  if (dt > 0) def.settings.dt = dt;
  def.settings.alpha.constraints = constraints;
  def.settings.frictionless = !strcmp(scheme, "schatzman-paoli");
  CHECK_OK(pc_sim_create(&def, &r.sim, &r.error), r.error);
  return r;
}

static pc_model_extension with_names(const char* const* name)
{
  pc_model_extension more = {.record = name};
  while (name[more.record_count]) more.record_count++;
  return more;
}

static run begin_text(const char* text, const char* scheme, double dt, const char* const* name)
{
  pc_model* model = NULL;
  pc_error error = {0};
  pc_model_extension more = with_names(name);
  CHECK_OK(pc_model_read_text_extended(text, strlen(text), NULL, 0, &more, &model, &error), error);
  return begin(model, scheme, dt, PC_CONSTRAINTS_PVA);
}

static run begin_file(const char* file, const char* scheme, pc_constraints constraints,
                      const pc_override* set, int count, const char* const* name)
{
  char path[512];
  pc_model* model = NULL;
  pc_error error = {0};
  pc_model_extension more = with_names(name);
  snprintf(path, sizeof path, "%s/models/%s.yaml", PC_SOURCE_DIR, file);
  CHECK_OK(pc_model_read_extended(path, set, count, &more, &model, &error), error);
  return begin(model, scheme, 0, constraints);
}

static void go(run* r, double until)
{
  CHECK_OK(pc_sim_run(r->sim, until, &r->error), r->error);
}

static double get(const run* r, const char* name)
{
  int quantity = pc_system_find_quantity(pc_model_system(r->model), name);
  if (quantity < 0) fail_msg("there is no '%s'", name);
  return pc_observe_quantity(pc_sim_observation(r->sim), quantity);
}

static void end(run* r)
{
  pc_sim_destroy(r->sim);
  pc_model_destroy(r->model);
}

/* ---- contacts ------------------------------------------------------------------------------- */

static void a_ball_at_rest_presses_with_its_weight(void** state)
{
  (void)state;
  static const char* const name[] = {"ball.ay", "floor.lambda_N", "floor.gap_acceleration", NULL};
  const char* text =
      "percuss: 1\ngravity: [0, -10]\nbodies:\n"
      "  ball: {kind: point, mass: 3, position: [0, 0.05]}\n"
      "contacts:\n  floor: {point: ball, plane: {point: [0, 0], normal: [0, 1]}, restitution: 0}\n";
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
    if (!strcmp(*scheme, "direct-projection")) continue; /* it never comes to rest, as published */
    run r = begin_text(text, *scheme, 1e-2, name);
    CHECK_NEAR(get(&r, "ball.ay"), -10, 1e-13);
    CHECK_NEAR(get(&r, "floor.lambda_N"), 0, 0);
    go(&r, 0.05);
    CHECK_NEAR(get(&r, "ball.ay"), -10, 1e-12);
    CHECK_NEAR(get(&r, "floor.gap_acceleration"), -10, 1e-12);
    go(&r, 1);
    CHECK_NEAR(get(&r, "ball.ay"), 0, 1e-10);
    CHECK_NEAR(get(&r, "floor.gap_acceleration"), 0, 1e-10);
    CHECK_NEAR(get(&r, "floor.lambda_N"), 30, 1e-9);
    end(&r);
  }
}

/* In the step of an impact the ball has left already. */
static void an_impact_is_no_force(void** state)
{
  (void)state;
  static const char* const name[] = {"q''", "floor.lambda_N", NULL};
  static const char* const schemes[] = {"moreau", "moreau-jean", "rattle", "lobatto"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    run r = begin_file("bouncing-ball", schemes[i], PC_CONSTRAINTS_PVA, NULL, 0, name);
    while (get(&r, "floor.P_N") <= 0) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    assert_true(get(&r, "q'") > 0.5);
    CHECK_NEAR(get(&r, "floor.lambda_N"), 0, 0);
    CHECK_NEAR(get(&r, "q''"), -2, 1e-12);
    end(&r);
  }
}

static void check_block(const char* scheme, double angle, double mu, double until)
{
  static const char* const name[] = {
      "block.ax",   "block.ay",   "A.lambda_N",          "A.lambda_F",
      "B.lambda_N", "B.lambda_F", "B.slip_acceleration", NULL};
  char text[2][32];
  snprintf(text[0], sizeof text[0], "%.17g", angle);
  snprintf(text[1], sizeof text[1], "%.17g", mu);
  pc_override set[] = {{"angle", text[0]}, {"mu", text[1]}};
  run r = begin_file("block-on-incline", scheme, PC_CONSTRAINTS_PVA, set, 2, name);
  go(&r, until);
  double normal = 9.81 * cos(angle), down = 9.81 * sin(angle), held = fmin(down, mu * normal);
  CHECK_NEAR(get(&r, "A.lambda_N") + get(&r, "B.lambda_N"), normal, 1e-7);
  CHECK_NEAR(fabs(get(&r, "A.lambda_F") + get(&r, "B.lambda_F")), held, 1e-7);
  CHECK_NEAR(get(&r, "block.ax"), (down - held) * cos(angle), 1e-7);
  CHECK_NEAR(get(&r, "block.ay"), -(down - held) * sin(angle), 1e-7);
  CHECK_NEAR(fabs(get(&r, "B.slip_acceleration")), down - held, 1e-7);
  /* moments about the centre: friction acts height/2 below it, the corners are width/2 away */
  CHECK_NEAR(get(&r, "B.lambda_N") - get(&r, "A.lambda_N"), held * 0.05 / 0.1, 1e-6);
  end(&r);
}

static void a_block_on_an_incline_is_held_or_slides(void** state)
{
  (void)state;
  static const char* const schemes[] = {"moreau", "moreau-jean", "combined-projection",
                                        "rattle", "lobatto",     "generalized-alpha"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    check_block(schemes[i], 0.2, 0.3, 0.02);
    check_block(schemes[i], 0.4, 0.3, 0.02);
  }
}

/* Rows of a wheel on a circle differ between the points of a step: moreau leaves a gap velocity. */
static void a_bead_in_a_ring_is_pressed_by_the_centrifugal_force(void** state)
{
  (void)state;
  static const char* const name[] = {"ring.lambda_N", NULL};
  const char* text =
      "percuss: 1\nbodies:\n  bead: {kind: point, mass: 2, position: [0, -1], velocity: [3, 0]}\n"
      "contacts:\n  ring: {gap: '1 - sqrt(bead.x^2 + bead.y^2)', restitution: 0}\n";
  static const char* const schemes[] = {"moreau", "moreau-jean", "rattle", "lobatto"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    run r = begin_text(text, schemes[i], 1e-4, name);
    go(&r, 0.1);
    CHECK_NEAR(get(&r, "ring.lambda_N"), 18, 0.02);
    end(&r);
  }
}

/* ---- joints ---------------------------------------------------------------------------------- */

/* A rod on a pin: alpha = g L cos(angle)/(L^2 + J/m), here with gravity along +y; the pin carries
 * m (a - g). */
static void check_pin(const run* r, double tolerance)
{
  double angle = get(r, "rod.angle"), spin = get(r, "rod.spin");
  double alpha = 10 * cos(angle) / 1.1;
  double ax = -alpha * sin(angle) - spin * spin * cos(angle);
  double ay = alpha * cos(angle) - spin * spin * sin(angle);
  CHECK_NEAR(get(r, "rod.alpha"), alpha, tolerance);
  CHECK_NEAR(get(r, "rod.ax"), ax, tolerance);
  CHECK_NEAR(get(r, "rod.ay"), ay, tolerance);
  CHECK_NEAR(fabs(get(r, "pin.lambda.1")), fabs(ax), tolerance);
  CHECK_NEAR(fabs(get(r, "pin.lambda.2")), fabs(ay - 10), tolerance);
  CHECK_NEAR(get(r, "pin.acceleration.1"), 0, tolerance);
  CHECK_NEAR(get(r, "pin.acceleration.2"), 0, tolerance);
}

static const char* const pin_names[] = {"rod.ax",
                                        "rod.ay",
                                        "rod.alpha",
                                        "pin.lambda.1",
                                        "pin.lambda.2",
                                        "pin.acceleration.1",
                                        "pin.acceleration.2",
                                        NULL};

static void a_pin_carries_what_turns_the_rod(void** state)
{
  (void)state;
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
    run r = begin_file("pendulum", *scheme, PC_CONSTRAINTS_PVA, NULL, 0, pin_names);
    check_pin(&r, 1e-11);
    go(&r, 0.1);
    /* the others let the constraint drift, and the rod is shorter or longer than it was */
    int drifts = !strcmp(*scheme, "moreau") || !strcmp(*scheme, "moreau-jean");
    check_pin(&r, drifts ? 2.0 : 1e-9);
    end(&r);
  }
}

/* A rod on a pin whose tip lies on a floor without friction: pin and floor carry half its weight
 * each. */
static void a_pin_and_a_floor_share_the_weight(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\ngravity: [0, -9.81]\nbodies: {rod: {mass: 0.6, inertia: 0.02, position: [0.3, "
      "0]}}\n"
      "joints: {pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}}\n"
      "contacts: {tip: {point: [rod, [0.3, 0]], plane: {point: [0, 0], normal: [0, 1]}}}\n"
      "simulate: {scheme: rattle, dt: 1e-3, until: 1}\n";
  static const char* const name[] = {"pin.lambda.1", "pin.lambda.2", "tip.lambda_N", NULL};
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
    run r = begin_text(text, *scheme, 1e-3, name);
    for (int k = 0; k < 2; k++) {
      CHECK_NEAR(get(&r, "pin.lambda.1"), 0, 1e-9);
      CHECK_NEAR(get(&r, "pin.lambda.2"), 0.3 * 9.81, 1e-9);
      CHECK_NEAR(get(&r, "tip.lambda_N"), 0.3 * 9.81, 1e-9);
      if (k == 0) go(&r, 0.01);
    }
    end(&r);
  }
}

/* From the independent implementation: h = 2e-3, rho = 0.9, T = 4. */
static void the_pendulum_of_the_paper_has_the_published_schemes_forces(void** state)
{
  (void)state;
  static const struct {
    pc_constraints constraints;
    double lambda[2];
  } known[] = {{PC_CONSTRAINTS_P, {-83.93640692802336, -69.0206902406748}},
               {PC_CONSTRAINTS_V, {-83.88811439529674, -69.11663354090747}},
               {PC_CONSTRAINTS_PV, {-83.9471303817813, -68.99905804622502}},
               {PC_CONSTRAINTS_PVA, {-83.94779796782076, -68.99534585882148}}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    run r = begin_file("pendulum", "generalized-alpha", known[i].constraints, NULL, 0, pin_names);
    go(&r, 4);
    CHECK_NEAR(get(&r, "pin.lambda.1"), known[i].lambda[0], 1e-6);
    CHECK_NEAR(get(&r, "pin.lambda.2"), known[i].lambda[1], 1e-6);
    end(&r);
  }
}

/* The end of the bouncing pendulum: lambda = (-10, -10, 10), alpha.json. */
static void the_bouncing_pendulum_comes_to_rest_on_its_stop(void** state)
{
  (void)state;
  static const char* const name[] = {"pin.lambda.1", "pin.lambda.2", "stop.lambda_N", NULL};
  run r = begin_file("bouncing-pendulum", "generalized-alpha", PC_CONSTRAINTS_PVA, NULL, 0, name);
  go(&r, pc_model_until(r.model));
  CHECK_NEAR(fabs(get(&r, "pin.lambda.1")), 10, 1e-4);
  CHECK_NEAR(fabs(get(&r, "pin.lambda.2")), 10, 1e-4);
  CHECK_NEAR(get(&r, "stop.lambda_N"), 10, 1e-4);
  end(&r);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void formulas_of_outputs_know_accelerations_and_forces(void** state)
{
  (void)state;
  static const char* const none[] = {NULL};
  const char* text =
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\nbodies:\n"
      "  top: {mass: 2, inertia: [1, 2, 3], position: [0, 0, 1], angular_velocity: [0.5, 0.4, 0]}\n"
      "record: [top.az, top.alpha_z, {twice: 2*top.az, spin: top.alpha_z*3}]\n";
  run r = begin_text(text, "moreau-jean", 1e-3, none);
  CHECK_NEAR(get(&r, "top.az"), -10, 1e-13);
  CHECK_NEAR(get(&r, "twice"), -20, 1e-13);
  CHECK_NEAR(get(&r, "top.alpha_z"), (1.0 - 2.0) / 3 * 0.5 * 0.4, 1e-13); /* Euler */
  CHECK_NEAR(get(&r, "spin"), (1.0 - 2.0) * 0.5 * 0.4, 1e-13);
  end(&r);
}

static void contacts_that_are_found_count(void** state)
{
  (void)state;
  static const char* const name[] = {"box.ay", NULL};
  const char* text =
      "percuss: 1\ngravity: [0, -10]\nmaterials: {steel: {friction: 0.3, restitution: 0}}\n"
      "bodies:\n  box: {mass: 2, inertia: 0.1, position: [0, 0.52], "
      "shape: {box: [1, 1], material: steel}}\n"
      "shapes:\n  ground: {half-plane: [0, 1], material: steel}\n";
  static const char* const schemes[] = {"moreau-jean", "rattle", "generalized-alpha"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    run r = begin_text(text, schemes[i], 1e-2, name);
    go(&r, 0.04);
    CHECK_NEAR(get(&r, "box.ay"), -10, 1e-12);
    go(&r, 0.5);
    CHECK_NEAR(get(&r, "box.ay"), 0, 1e-8);
    end(&r);
  }
}

static void a_program_adds_them_by_name(void** state)
{
  (void)state;
  pc_system* system = NULL;
  pc_error error = {0};
  pc_system_def def = pc_default_system_def();
  def.dimension = 2;
  def.gravity[1] = -10;
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  pc_body_def body = pc_default_body_def();
  body.name = "b";
  body.mass = 1;
  body.inertia = 1;
  pc_part_id id;
  CHECK_OK(pc_add_body(system, &body, &id, &error), error);
  static const char* const wrong[] = {"b.az", "b", "ay", "b.lambda", "c.ay", "b.ay.1", "", "b''"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_int_equal(pc_add_force_output(system, wrong[i], &error), PC_BAD_ARGUMENT);
  CHECK_OK(pc_add_force_output(system, "b.ay", &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  int quantity = pc_system_find_quantity(system, "b.ay");
  assert_string_equal(pc_system_quantity(system, quantity).unit, "m/s^2");
  pc_sim* sim = NULL;
  pc_sim_def run_def = pc_default_sim_def();
  run_def.system = system;
  CHECK_OK(pc_sim_create(&run_def, &sim, &error), error);
  CHECK_NEAR(pc_observe_quantity(pc_sim_observation(sim), quantity), -10, 1e-14);
  pc_sim_destroy(sim);
  pc_system_destroy(system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_at_rest_presses_with_its_weight),
      cmocka_unit_test(an_impact_is_no_force),
      cmocka_unit_test(a_block_on_an_incline_is_held_or_slides),
      cmocka_unit_test(a_bead_in_a_ring_is_pressed_by_the_centrifugal_force),
      cmocka_unit_test(a_pin_carries_what_turns_the_rod),
      cmocka_unit_test(a_pin_and_a_floor_share_the_weight),
      cmocka_unit_test(the_pendulum_of_the_paper_has_the_published_schemes_forces),
      cmocka_unit_test(the_bouncing_pendulum_comes_to_rest_on_its_stop),
      cmocka_unit_test(formulas_of_outputs_know_accelerations_and_forces),
      cmocka_unit_test(contacts_that_are_found_count),
      cmocka_unit_test(a_program_adds_them_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
