/* How the theta schemes weigh the forces of a step, compared with a step by hand. */
#include "run.h"

static void three_quarters(pc_scheme_settings* settings)
{
  settings->theta = 0.75;
  settings->evaluation = PC_EVALUATION_TRAPEZOID;
}

static void three_quarters_mid(pc_scheme_settings* settings)
{
  settings->theta = 0.75;
}

/* A force t on a mass of 1 kg, one step of 0.1 s from t = 0: dt ((1 - theta) 0 + theta dt) by its
 * ends, and the same by its value at the theta point; a force t^2 tells the two apart. */
static void the_force_is_weighed_by_theta(void** state)
{
  (void)state;
  static const struct {
    const char* text;
    void (*tune)(pc_scheme_settings*);
    double u;
  } known[] = {{"percuss: 1\ncoordinates: {x: 0}\nkinetic: x'^2/2\nforces: {x: t}\n",
                three_quarters, 7.5e-3},
               {"percuss: 1\ncoordinates: {x: 0}\nkinetic: x'^2/2\nforces: {x: t^2}\n",
                three_quarters, 7.5e-4},
               {"percuss: 1\ncoordinates: {x: 0}\nkinetic: x'^2/2\nforces: {x: t^2}\n",
                three_quarters_mid, 5.625e-4}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    run r = open_text(known[i].text, "moreau-jean", 0.1, NULL, known[i].tune);
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    CHECK_NEAR(pc_sim_observation(r.sim)->state->u[0], known[i].u, 1e-15);
    pc_sim_destroy(r.sim);
    pc_model_destroy(r.model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_force_is_weighed_by_theta)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
