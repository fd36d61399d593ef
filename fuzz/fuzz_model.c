/* A model file of any content: it is refused with a place and a text, or it can be simulated. */
#undef NDEBUG /* the checks are what this program is for */
#include <assert.h>
#include <math.h>

#include "fuzz/target.h"
#include "percuss/percuss.h"

enum { STEPS = 3, SIZE_MAX_TO_RUN = 60 };

static int is_small(const pc_system* system)
{
  return pc_system_u_count(system) + pc_system_row_count(system) <= SIZE_MAX_TO_RUN;
}

static void check(const pc_model* model)
{
  pc_check_report report = {0};
  pc_error error = {0};
  pc_scheme_settings settings = pc_model_settings(model);
  pc_status status =
      pc_check(pc_model_system(model), &settings, pc_model_until(model), &report, &error);
  if (status == PC_OK)
    pc_check_free(&report);
  else
    assert(error.status == status && error.text[0]);
}

/* A few steps; that a model of random numbers fails to converge is no bug. */
static void simulate(const pc_model* model)
{
  const char* scheme = pc_model_scheme(model);
  pc_sim_def def = pc_default_sim_def();
  def.system = pc_model_system(model);
  def.settings = pc_model_settings(model);
  if (scheme) def.scheme = scheme;
  def.settings.max_iterations = 10;
  pc_sim* sim = NULL;
  pc_error error = {0};
  if (pc_sim_create(&def, &sim, &error) != PC_OK) return;
  for (int i = 0; i < STEPS && pc_sim_step(sim, &error) == PC_OK; i++) {
    const pc_observation* seen = pc_sim_observation(sim);
    for (int k = 0; k < pc_system_u_count(def.system); k++) assert(isfinite(seen->state->u[k]));
  }
  pc_sim_destroy(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  pc_model* model = NULL;
  pc_error error = {0};
  pc_status status = pc_model_read_text((const char*)data, size, NULL, 0, &model, &error);
  if (status == PC_OK) {
    if (is_small(pc_model_system(model))) {
      check(model);
      simulate(model);
    }
  } else {
    assert(!model && error.status == status && error.text[0]);
    assert(status == PC_BAD_MODEL && error.line >= 1 && error.column >= 1);
  }
  pc_model_destroy(model);
  return 0;
}
