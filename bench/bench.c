/* Time per step of models under schemes, without recording.
 *
 *     percuss-bench [MODEL.yaml SCHEME [STEPS]]
 *
 * With arguments: one run, for callgrind. Without: every model of models/ that is listed below under
 * every scheme, the best of several runs, as a table. */
#include <math.h>
#include <percuss/percuss.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char* const models[] = {"bouncing-ball",    "oscillator",           "rocking-block",
                                     "slider-roller",    "slider-crank-minimal", "slider-crank",
                                     "block-on-incline", "four-legged-table",    "rotating-ball",
                                     "ring-pendulum",    "impacting-bar"};

enum { MODEL_COUNT = sizeof models / sizeof *models, REPEATS = 7, STEPS_MIN = 30000 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds for `steps` steps from the initial state (0: those of the model); negative on failure. */
static double run_once(const char* path, const char* scheme, long* steps)
{
  pc_error error = {0};
  pc_model* model = NULL;
  pc_sim* sim = NULL;
  double seconds = -1;
  if (pc_model_read(path, NULL, 0, &model, &error) == PC_OK) {
    pc_sim_def def = {pc_model_system(model), scheme, pc_model_settings(model)};
    def.settings.frictionless = !strcmp(scheme, "schatzman-paoli"); /* it would refuse friction */
    double until = *steps ? (double)*steps * def.settings.dt : pc_model_until(model);
    *steps = pc_step_count(def.settings.dt, until);
    if (pc_sim_create(&def, &sim, &error) == PC_OK) {
      double started = now();
      if (pc_sim_run(sim, until, &error) == PC_OK) seconds = now() - started;
    }
  }
  if (seconds < 0) fprintf(stderr, "%s under %s: %s\n", path, scheme, error.text);
  pc_sim_destroy(sim);
  pc_model_destroy(model);
  return seconds;
}

/* The best of several runs, more of them where they are short: noise only ever adds time. */
static double best_per_step(const char* path, const char* scheme)
{
  double best = INFINITY;
  int repeats = REPEATS;
  for (int i = 0; i < repeats; i++) {
    long steps = 0;
    double seconds = run_once(path, scheme, &steps);
    if (seconds < 0) return NAN;
    if (steps && seconds / (double)steps < best) best = seconds / (double)steps;
    if (i == 0 && steps && steps < STEPS_MIN / REPEATS) repeats = (int)(STEPS_MIN / steps);
  }
  return best;
}

/* An explicit scheme would need steps of 1e-7 s for the waves in the bar. */
static int is_too_stiff(const char* model, const char* scheme)
{
  return !strcmp(model, "impacting-bar") && !strcmp(scheme, "moreau");
}

int main(int argc, char** argv)
{
  if (argc >= 3) {
    long steps = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
    double seconds = run_once(argv[1], argv[2], &steps);
    if (seconds >= 0) printf("%ld\n", steps);
    return seconds < 0;
  }
  printf("%-22s %-20s %14s\n", "model", "scheme", "us per step");
  int failed = 0;
  for (int i = 0; i < MODEL_COUNT; i++)
    for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
      if (is_too_stiff(models[i], *scheme)) continue;
      char path[256];
      snprintf(path, sizeof path, "models/%s.yaml", models[i]);
      double seconds = best_per_step(path, *scheme);
      printf("%-22s %-20s %14.3f\n", models[i], *scheme, 1e6 * seconds);
      fflush(stdout);
      failed |= isnan(seconds);
    }
  return failed;
}
