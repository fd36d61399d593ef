/* Accelerations and forces that fit a state, against closed forms. */
#include <string.h>

#include "check.h"
#include "percuss/percuss.h"
#include "steps/consistent_start.h"

typedef struct start {
  pc_model* model;
  pc_consistent_start* solver;
  double a[16], lambda[16];
  pc_solver_info info;
  pc_error error;
  pc_status status;
} start;

static start begin(const char* text)
{
  start s = {0};
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &s.model, &s.error), s.error);
  const pc_system* system = pc_model_system(s.model);
  CHECK_OK(pc_consistent_start_create(system, NULL, &s.solver, &s.error), s.error);
  s.status = pc_consistent_start_solve(s.solver, 0, pc_system_q0(system), pc_system_u0(system), s.a,
                                       s.lambda, &s.info, &s.error);
  return s;
}

static void end(start* s)
{
  pc_consistent_start_destroy(s->solver);
  pc_model_destroy(s->model);
}

/* RATTLE, section 5.3: a mass on the slope y = exp(-x) at x = 0, cases 1 to 3. */
static start slope(double speed)
{
  char text[1024];
  snprintf(text, sizeof text,
           "percuss: 1\n"
           "coordinates: {x: {value: 0, velocity: %.17g}, y: {value: 1, velocity: %.17g}}\n"
           "kinetic: pi/2*(x'^2 + y'^2)\n"
           "potential: pi*10*y\n"
           "contacts:\n"
           "  slope: {gap: (y - exp(-x))/sqrt(1 + exp(-2*x)),\n"
           "          slip: (x' - exp(-x)*y')/sqrt(1 + exp(-2*x)), friction: 0.3}\n",
           speed / sqrt(2), -speed / sqrt(2));
  return begin(text);
}

/* At 45 degrees the mass presses with m (g/sqrt(2) + speed^2 kappa), kappa = 1/(2 sqrt(2)): the
 * curve is convex seen from above. Slip along t = (1, -1)/sqrt(2). */
static void check_slope(double speed)
{
  const double pi = acos(-1.0), mu = 0.3;
  start s = slope(speed);
  CHECK_OK(s.status, s.error);
  double normal = pi * (10 / sqrt(2) + speed * speed / (2 * sqrt(2)));
  double direction = speed < 0 ? -1 : 1; /* at rest it begins to slide down */
  CHECK_NEAR(s.lambda[0], normal, 1e-12 * normal);
  CHECK_NEAR(s.lambda[1], -direction * mu * normal, 1e-12 * normal);
  /* Newton's law along the tangent */
  double along = (s.a[0] - s.a[1]) / sqrt(2);
  CHECK_NEAR(along, 10 / sqrt(2) - direction * mu * normal / pi, 1e-12 * 10);
  assert_int_equal(pc_consistent_start_mode(s.solver, 0),
                   speed == 0 ? PC_MOTION_RESTING : PC_MOTION_SLIDING);
  end(&s);
}

static void a_mass_on_a_slope_starts_as_in_the_paper(void** state)
{
  (void)state;
  check_slope(0);
  check_slope(1);
  check_slope(-1);
}

/* A rod, half of it 1 m long, stands at 1 rad on its tip, which slides: Painleve's example. */
static start painleve(double mu, double speed)
{
  char text[1024];
  const double angle = 1.0;
  snprintf(text, sizeof text,
           "percuss: 1\n"
           "gravity: [0, -10]\n"
           "bodies:\n"
           "  rod: {mass: 1, inertia: 1/3, angle: %.17g, position: [%.17g, %.17g], velocity: "
           "[%.17g, 0]}\n"
           "contacts:\n"
           "  tip: {point: [rod, [-1, 0]], plane: {point: [0, 0], normal: [0, 1]}, friction: "
           "%.17g}\n",
           angle, cos(angle), sin(angle), speed, mu);
  return begin(text);
}

static void a_sliding_rod_has_the_force_of_the_closed_form(void** state)
{
  (void)state;
  const double c = cos(1.0), s1 = sin(1.0);
  for (int sign = -1; sign <= 1; sign += 2) {
    start s = painleve(0.2, 2.0 * sign);
    CHECK_OK(s.status, s.error);
    /* The force N (friction, 1) at r = (-c, -s) turns the rod with r x (friction, 1)/J and lifts
     * the tip by 1/m + turn * r_x per unit of N; the problem is not symmetric. */
    double friction = -0.2 * sign;
    double torque = -c + s1 * friction;
    double rise = 1 + torque / (1.0 / 3) * -c;
    CHECK_NEAR(s.lambda[0], 10 / rise, 1e-11);
    CHECK_NEAR(s.lambda[1], friction * s.lambda[0], 1e-12);
    end(&s);
  }
}

/* mu so large that the normal force would pull the tip down: no solution. */
static void painleves_rod_is_reported(void** state)
{
  (void)state;
  start s = painleve(3, 2);
  start t = painleve(3, -2);
  assert_true((s.status == PC_NOT_CONVERGED) != (t.status == PC_NOT_CONVERGED));
  const start* none = s.status == PC_NOT_CONVERGED ? &s : &t;
  assert_false(none->info.converged);
  CHECK_NEAR(none->lambda[0], 0, 0);
  CHECK_NEAR(none->a[1], -10, 0);
  end(&s);
  end(&t);
}

/* A bob swings on a string: tension m (g cos + v^2/l), whether in cartesian rows or not. */
static void a_swinging_bob_tightens_its_string(void** state)
{
  (void)state;
  start s = begin(
      "percuss: 1\n"
      "gravity: [0, -10]\n"
      "bodies:\n"
      "  bob: {kind: point, mass: 2, position: [0, -1.5], velocity: [3, 0]}\n"
      "joints:\n"
      "  string: {distance: {points: [[ground, [0, 0]], bob]}}\n");
  CHECK_OK(s.status, s.error);
  CHECK_NEAR(s.a[1], 9 / 1.5, 1e-12);
  CHECK_NEAR(s.a[0], 0, 1e-12);
  CHECK_NEAR(fabs(s.lambda[0]), 2 * (10 + 9 / 1.5), 1e-12);
  end(&s);
}

/* The simulation's own elimination finds the rank that `percuss check` reports. */
static void a_doubled_pin_shares_its_force(void** state)
{
  (void)state;
  start s = begin(
      "percuss: 1\n"
      "gravity: [0, -10]\n"
      "bodies:\n"
      "  rod: {mass: 2, inertia: 0.5, position: [1, 0]}\n"
      "joints:\n"
      "  pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}\n"
      "  twin: {revolute: {bodies: [ground, rod], at: [0, 0]}}\n");
  CHECK_OK(s.status, s.error);
  int rank = 0;
  CHECK_OK(pc_consistent_start_rank(s.solver, &rank, &s.error), s.error);
  assert_int_equal(rank, 2);
  CHECK_NEAR(s.a[2], -8, 1e-12);
  CHECK_NEAR(s.lambda[1] + s.lambda[3], 2 * (10 - 8), 1e-12);
  end(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mass_on_a_slope_starts_as_in_the_paper),
      cmocka_unit_test(a_sliding_rod_has_the_force_of_the_closed_form),
      cmocka_unit_test(painleves_rod_is_reported),
      cmocka_unit_test(a_swinging_bob_tightens_its_string),
      cmocka_unit_test(a_doubled_pin_shares_its_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
