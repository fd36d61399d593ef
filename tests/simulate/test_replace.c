/* Going on with another system, and elements that a program adds to a model file. */
#include <string.h>

#include "run.h"

static const char pendulum[] =
    "percuss: 1\n"
    "parameters: {k: 0, l: 1}\n"
    "coordinates: {phi: {value: 1, velocity: 0.5}}\n"
    "kinetic: phi'^2/2\n"
    "potential: -cos(phi)/l\n"
    "forces: {phi: -k*phi - 0.1*k*phi'}\n";

static void spring(const void* user, double t, const double* q, const double* u, double* h)
{
  (void)t;
  double k = *(const double*)user;
  h[0] = -k * q[0] - 0.1 * k * u[0];
}

static pc_status add_spring(void* user, pc_system* system, pc_error* error)
{
  pc_part_id part;
  if (pc_system_find_part(system, "phi", &part, error) != PC_OK) return error->status;
  pc_callback_def def = pc_default_callback_def();
  def.name = "spring";
  def.part = &part;
  def.part_count = 1;
  def.user = user;
  def.h = spring;
  return pc_add_callback(system, &def, error);
}

static pc_model* read_pendulum(const char* k, const pc_model_extension* extension)
{
  pc_model* model = NULL;
  pc_error error = {0};
  pc_override override = {"k", k};
  CHECK_OK(pc_model_read_text_extended(pendulum, sizeof pendulum - 1, &override, 1, extension,
                                       &model, &error),
           error);
  return model;
}

static pc_sim* simulate(const pc_model* model, const char* scheme, double dt)
{
  pc_sim* sim = NULL;
  pc_error error = {0};
  pc_sim_def def = {pc_model_system(model), scheme, pc_default_scheme_settings()};
  def.settings.dt = dt;
  CHECK_OK(pc_sim_create(&def, &sim, &error), error);
  return sim;
}

static const char* const schemes[] = {"moreau", "moreau-jean", "rattle", "lobatto",
                                      "generalized-alpha"};

/* The force of a program is as good as the same formula in the file. */
static void a_program_extends_a_model_file(void** state)
{
  (void)state;
  double k = 20;
  const pc_model_extension extension = {.add = add_spring, .user = &k};
  pc_model *of_file = read_pendulum("20", NULL), *of_program = read_pendulum("0", &extension);
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    pc_error error = {0};
    pc_sim* sim[2] = {simulate(of_file, schemes[i], 1e-3), simulate(of_program, schemes[i], 1e-3)};
    for (int m = 0; m < 2; m++) CHECK_OK(pc_sim_run(sim[m], 2, &error), error);
    CHECK_NEAR(pc_sim_observation(sim[1])->state->q[0], pc_sim_observation(sim[0])->state->q[0],
               1e-11);
    for (int m = 0; m < 2; m++) pc_sim_destroy(sim[m]);
  }
  pc_model_destroy(of_file);
  pc_model_destroy(of_program);
}

static pc_status refuse(void* user, pc_system* system, pc_error* error)
{
  pc_part_id part;
  (void)user;
  return pc_system_find_part(system, "psi", &part, error);
}

static void an_extension_can_refuse(void** state)
{
  (void)state;
  pc_model* model = NULL;
  pc_error error = {0};
  const pc_model_extension extension = {.add = refuse};
  assert_int_equal(pc_model_read_text_extended(pendulum, sizeof pendulum - 1, NULL, 0, &extension,
                                               &model, &error),
                   PC_BAD_ARGUMENT);
  assert_null(model);
  assert_non_null(strstr(error.text, "'psi'"));
}

/* From the initial state the replaced system runs as if it had been there at once, in the same
 * place. */
static void another_system_takes_over_at_the_start(void** state)
{
  (void)state;
  pc_model *first = read_pendulum("0", NULL), *second = read_pendulum("20", NULL);
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    pc_error error = {0};
    pc_sim *replaced = simulate(first, schemes[i], 0.01),
           *plain = simulate(second, schemes[i], 0.01);
    const double* q = pc_sim_observation(replaced)->state->q;
    CHECK_OK(pc_sim_replace_system(replaced, pc_model_system(second), &error), error);
    CHECK_OK(pc_sim_run(replaced, 1, &error), error);
    CHECK_OK(pc_sim_run(plain, 1, &error), error);
    assert_ptr_equal(q, pc_sim_observation(replaced)->state->q);
    CHECK_NEAR(q[0], pc_sim_observation(plain)->state->q[0], 0);
    CHECK_NEAR(pc_sim_summary(replaced).energy_final, pc_sim_summary(plain).energy_final, 0);
    pc_sim_destroy(replaced);
    pc_sim_destroy(plain);
  }
  pc_model_destroy(first);
  pc_model_destroy(second);
}

static void another_system_takes_over_during_a_run(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_model *first = read_pendulum("0", NULL), *second = read_pendulum("20", NULL);
  pc_sim *replaced = simulate(first, "rattle", 0.01), *restored = simulate(second, "rattle", 0.01);
  CHECK_OK(pc_sim_run(replaced, 1, &error), error);
  const pc_state* s = pc_sim_observation(replaced)->state;
  CHECK_OK(pc_sim_restore(restored, s->step, s->q, s->u, s->P, NULL, &error), error);
  CHECK_OK(pc_sim_replace_system(replaced, pc_model_system(second), &error), error);
  assert_int_equal(s->step, 100);
  CHECK_OK(pc_sim_run_steps(replaced, 50, &error), error);
  CHECK_OK(pc_sim_run(restored, 1.5, &error), error);
  CHECK_NEAR(s->t, 1.5, 1e-14);
  CHECK_NEAR(s->q[0], pc_sim_observation(restored)->state->q[0], 0);
  assert_int_equal(pc_sim_summary(replaced).steps, pc_sim_summary(restored).steps);
  pc_sim_destroy(replaced);
  pc_sim_destroy(restored);
  pc_model_destroy(first);
  pc_model_destroy(second);
}

static void a_system_that_does_not_fit_changes_nothing(void** state)
{
  (void)state;
  static const char massless[] = "percuss: 1\ncoordinates: {x: 0}\nkinetic: 0*x'^2\n";
  pc_model *model = read_pendulum("3", NULL), *bad = NULL;
  pc_error error = {0};
  run other = open_run("bouncing-ball", "moreau-jean", 0.1, NULL, NULL);
  CHECK_OK(pc_model_read_text(massless, sizeof massless - 1, NULL, 0, &bad, &error), error);
  pc_sim *sim = simulate(model, "generalized-alpha", 0.01),
         *plain = simulate(model, "generalized-alpha", 0.01);
  CHECK_OK(pc_sim_run(sim, 0.5, &error), error);
  assert_int_equal(pc_sim_replace_system(sim, pc_model_system(other.model), &error),
                   PC_BAD_ARGUMENT);
  assert_int_equal(pc_sim_replace_system(sim, pc_model_system(bad), &error), PC_BAD_MODEL);
  CHECK_OK(pc_sim_run(sim, 1, &error), error);
  CHECK_OK(pc_sim_run(plain, 1, &error), error);
  CHECK_NEAR(pc_sim_observation(sim)->state->q[0], pc_sim_observation(plain)->state->q[0], 0);
  assert_int_equal(pc_sim_summary(sim).steps, 100);
  pc_sim_destroy(sim);
  pc_sim_destroy(plain);
  close_run(&other);
  pc_model_destroy(model);
  pc_model_destroy(bad);
}

static const char discs[] =
    "percuss: 1\n"
    "parameters: {g: 9.81}\n"
    "gravity: [0, -g]\n"
    "materials: {default: {friction: 0.3}}\n"
    "bodies: {a: {mass: 1, inertia: 0.005, position: [0, 0.1]}, b: {mass: 1, inertia: 0.005, "
    "position: [0.01, 0.31]}}\n"
    "shapes: {rim-a: {disc: 0.1, body: a}, rim-b: {disc: 0.1, body: b}, floor: {half-plane: [0, "
    "1]}}\n";

static pc_model* read_discs(const char* g)
{
  pc_model* model = NULL;
  pc_error error = {0};
  pc_override override = {"g", g};
  CHECK_OK(pc_model_read_text(discs, sizeof discs - 1, &override, 1, &model, &error), error);
  return model;
}

/* Contacts are found anew; a run that had the other system from this state on does the same. */
static void another_system_takes_over_contacts_that_are_found(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_model *first = read_discs("9.81"), *second = read_discs("-3");
  pc_sim *replaced = simulate(first, "moreau-jean", 1e-3),
         *restored = simulate(second, "moreau-jean", 1e-3);
  CHECK_OK(pc_sim_run(replaced, 0.2, &error), error);
  const pc_state* s = pc_sim_observation(replaced)->state;
  CHECK_OK(pc_sim_restore(restored, s->step, s->q, s->u, s->P, NULL, &error), error);
  CHECK_OK(pc_sim_replace_system(replaced, pc_model_system(second), &error), error);
  CHECK_OK(pc_sim_run(replaced, 0.6, &error), error);
  CHECK_OK(pc_sim_run(restored, 0.6, &error), error);
  for (int i = 0; i < 6; i++) CHECK_NEAR(s->q[i], pc_sim_observation(restored)->state->q[i], 1e-9);
  assert_true(s->q[4] > 0.35); /* they rise */
  pc_sim_destroy(replaced);
  pc_sim_destroy(restored);
  pc_model_destroy(first);
  pc_model_destroy(second);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_program_extends_a_model_file),
      cmocka_unit_test(an_extension_can_refuse),
      cmocka_unit_test(another_system_takes_over_at_the_start),
      cmocka_unit_test(another_system_takes_over_during_a_run),
      cmocka_unit_test(another_system_takes_over_contacts_that_are_found),
      cmocka_unit_test(a_system_that_does_not_fit_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
