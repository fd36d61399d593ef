/* Runs of the model files, for tests of schemes and simulations. */
#ifndef PC_TESTS_RUN_H
#define PC_TESTS_RUN_H

#include "check.h"
#include "percuss/percuss.h"

#include <string.h>

/* The models that every scheme has to run with every solver; friction in space is not for every
 * solver. */
static const char* const models[] = {"bouncing-ball", "oscillator",           "rocking-block",
                                     "slider-roller", "slider-crank-minimal", "slider-crank",
                                     "rotating-ball", "block-on-incline",     "four-legged-table",
                                     "ring-pendulum", "impacting-bar",        "slope",
                                     "skate",         "rolling-disc",         "spinning-top",
                                     "pendulum",      "bouncing-pendulum",    "elastic-bar"};

enum { MODEL_COUNT = sizeof models / sizeof *models };

/* The parameters with which every scheme can run one of them, NULL for its own. An explicit scheme
 * takes a bar's dt up to dt = 2/omega = L/(N sqrt(3 E/rho)): 55 elements at the 2e-6 s of
 * impacting-bar, 96 at the 2e-3 s of elastic-bar; and the gap is no multiple of what the bar moves
 * in a step, where round-off would decide when it closes. */
static inline const char* const* suited(const char* model)
{
  static const char* const bar[] = {"N", "10", "gap", "4.93e-5", NULL};
  static const char* const elastic[] = {"N", "10", "d0", "5.01", NULL};
  if (strcmp(model, "elastic-bar") == 0) return elastic;
  return strcmp(model, "impacting-bar") == 0 ? bar : NULL;
}

typedef struct run {
  pc_model* model;
  pc_sim* sim;
  pc_error error;
} run;

/* Parameters as name, value, ..., NULL; NULL for none. */
static inline int list_overrides(const char* const* set, pc_override override[16])
{
  int count = 0;
  for (; set && set[2 * count]; count++)
    override[count] = (pc_override){set[2 * count], set[2 * count + 1]};
  return count;
}

static inline void make_sim(run* r, const char* scheme, double dt,
                            void (*tune)(pc_scheme_settings*))
{
  pc_sim_def def = {pc_model_system(r->model), scheme, pc_model_settings(r->model)};
  if (dt > 0) def.settings.dt = dt;
  def.settings.frictionless = !strcmp(scheme, "schatzman-paoli"); /* it would refuse friction */
  if (tune) tune(&def.settings);
  CHECK_OK(pc_sim_create(&def, &r->sim, &r->error), r->error);
}

/* A simulation of models/<name>.yaml, not yet started. `set` lists parameters as name, value, ...,
 * NULL; NULL for those that suit every scheme. Settings are changed by `tune` (may be NULL). */
static inline run open_run(const char* name, const char* scheme, double dt, const char* const* set,
                           void (*tune)(pc_scheme_settings*))
{
  run r = {0};
  char path[512];
  pc_override override[16] = {{0}};
  int count = list_overrides(set ? set : suited(name), override);
  snprintf(path, sizeof path, "%s/models/%s.yaml", PC_SOURCE_DIR, name);
  CHECK_OK(pc_model_read(path, override, count, &r.model, &r.error), r.error);
  make_sim(&r, scheme, dt, tune);
  return r;
}

/* The same for a model that is given as a text. */
static inline run open_text(const char* text, const char* scheme, double dt, const char* const* set,
                            void (*tune)(pc_scheme_settings*))
{
  run r = {0};
  pc_override override[16] = {{0}};
  int count = list_overrides(set, override);
  CHECK_OK(pc_model_read_text(text, strlen(text), override, count, &r.model, &r.error), r.error);
  make_sim(&r, scheme, dt, tune);
  return r;
}

static inline void close_run(run* r)
{
  pc_sim_destroy(r->sim);
  pc_model_destroy(r->model);
}

static inline void run_until(run* r, double until)
{
  CHECK_OK(pc_sim_run(r->sim, until, &r->error), r->error);
}

/* The present value of a quantity such as "slider.angle". */
static inline double value(const run* r, const char* name)
{
  int index = pc_system_find_quantity(pc_model_system(r->model), name);
  if (index < 0) fail_msg("no quantity '%s'", name);
  return pc_observe_quantity(pc_sim_observation(r->sim), index);
}

/* Slope of log(error) against log(dt) by least squares. */
static inline double fitted_order(int count, const double* dt, const double* error)
{
  double x = 0, y = 0, xx = 0, xy = 0;
  for (int i = 0; i < count; i++) {
    double a = log(dt[i]), b = log(error[i]);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (count * xy - x * y) / (count * xx - x * x);
}

#endif
