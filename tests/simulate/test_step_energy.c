/* What forces give to a system at rest in one step, against closed forms. */
#include "simulate/step_energy.h"

#include "run.h"

static double energy_of(const char* text, double dt)
{
  pc_model* model = NULL;
  pc_error error = {0};
  double energy = -1;
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  CHECK_OK(pc_find_step_energy(pc_model_system(model), dt, &energy, &error), error);
  pc_model_destroy(model);
  return energy;
}

/* A weight falls freely: m (g dt)^2/2, however it spins: what it has of its own is not given. */
static void a_weight_falls(void** state)
{
  (void)state;
  const char text[] =
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\n"
      "bodies: {b: {mass: 3, inertia: [0.1, 0.2, 0.3], angular_velocity: [20, 30, 40]}}\n";
  CHECK_NEAR(energy_of(text, 0.1), 3 * 1.0 / 2, 1e-12);
}

/* A spring of 500 N/m, stretched by 0.2 m: (dt F)^2/2/(m + dt^2 k), at most its own energy. */
static void a_spring_gives_what_it_has(void** state)
{
  (void)state;
  const char text[] =
      "percuss: 1\nspace: line\n"
      "bodies: {m: {kind: point, mass: 2, position: [1.2]}}\n"
      "forces: {s: {spring: {points: [[ground, [0]], [m, [0]]], stiffness: 500, length: 1}}}\n";
  CHECK_NEAR(energy_of(text, 0.1), 100.0 / 2 / (2 + 5), 1e-9);
  CHECK_NEAR(energy_of(text, 1e3), 500 * 0.04 / 2, 1e-6);
}

/* A drive of 8 N m that its rate brakes by 2 N m s, on a crank of 1e-3 kg m^2 whose pin carries a
 * rod of 3 kg: the pin, 0.5 m off the axis, moves across the rod, whose mass there, at its end, is
 * a quarter: (dt T)^2/2/(J + m/4 l^2 + dt c). Without the joints it would be 250 times as much. */
static void joints_and_feedback_hold_back(void** state)
{
  (void)state;
  const char text[] =
      "percuss: 1\nspace: planar\n"
      "bodies:\n"
      "  crank: {mass: 1, inertia: 1e-3}\n"
      "  rod: {mass: 3, inertia: 0.25, position: [1, 0]}\n" /* of length 1 m: m/12 */
      "joints:\n"
      "  base: {revolute: {bodies: [ground, crank], at: [0, 0]}}\n"
      "  pin: {revolute: {bodies: [crank, rod], at: [0.5, 0]}}\n"
      "drives: {motor: {joint: base, torque: 8 - 2*base.rate}}\n";
  double mass = 1e-3 + 3.0 / 4 * 0.25;
  CHECK_NEAR(energy_of(text, 0.01), 0.08 * 0.08 / 2 / (mass + 0.02), 1e-12);
}

/* A force that pushes away leaves no positive tangent in a long step: taken as it is at the start,
 * (dt F)^2/2/m with F = 500*0.2. */
static void a_force_that_pushes_away(void** state)
{
  (void)state;
  const char text[] =
      "percuss: 1\ncoordinates: {q: {value: 0.2}}\nkinetic: q'^2\npotential: -250*q^2\n";
  CHECK_NEAR(energy_of(text, 0.1), 100.0 / 2 / 2, 1e-9);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_weight_falls),
      cmocka_unit_test(a_spring_gives_what_it_has),
      cmocka_unit_test(joints_and_feedback_hold_back),
      cmocka_unit_test(a_force_that_pushes_away),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
