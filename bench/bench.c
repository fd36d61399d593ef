/* Time per step of models under schemes, without recording.
 *
 *     percuss-bench                              every case below under every scheme, as a table
 *     percuss-bench --repeat MODEL SCHEME STEPS  one line of it
 *     percuss-bench MODEL.yaml SCHEME [STEPS]    a run in a fresh process: steps, us per step
 *
 * A case is run several times, more often where it is short. The median is what an ordinary run
 * takes, the minimum what the machine can do at best. */
#include <math.h>
#include <percuss/percuss.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct bench_case {
  const char* model;
  long steps; /* 0: as many as the model says */
} bench_case;

static const bench_case cases[] = {{"bouncing-ball", 0},
                                   {"bouncing-ball", 200000}, /* it rests from step 60 on */
                                   {"oscillator", 0},
                                   {"rocking-block", 0},
                                   {"slider-roller", 0},
                                   {"slider-crank-minimal", 0},
                                   {"slider-crank", 0},
                                   {"block-on-incline", 0},
                                   {"four-legged-table", 0},
                                   {"rotating-ball", 0},
                                   {"ring-pendulum", 0},
                                   {"impacting-bar", 0},
                                   {"pendulum", 0},
                                   {"bouncing-pendulum", 0},
                                   {"elastic-bar", 0},
                                   {"flexible-pendulum", 2000},
                                   {"slope", 0},
                                   {"tippedisk", 0},
                                   {"spinning-top", 0}};

enum {
  CASE_COUNT = sizeof cases / sizeof *cases,
  REPEATS_MIN = 7,
  REPEATS_MAX = 500,
  STEPS_WANTED = 40000 /* in all repeats together, at least */
};

/* Processor time: what else the machine does is not counted. */
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
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

static int compare(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static int repeats_for(long steps)
{
  long wanted = steps > 0 ? STEPS_WANTED / steps : 0;
  return wanted < REPEATS_MIN ? REPEATS_MIN : wanted > REPEATS_MAX ? REPEATS_MAX : (int)wanted;
}

/* Runs a case and prints its line; 0 if it fails. */
static int measure(const bench_case* c, const char* scheme)
{
  char path[256];
  double sample[REPEATS_MAX];
  long steps = c->steps;
  int count = REPEATS_MIN;
  snprintf(path, sizeof path, "models/%s.yaml", c->model);
  for (int i = 0; i < count; i++) {
    steps = c->steps;
    double seconds = run_once(path, scheme, &steps);
    if (seconds < 0 || steps < 1) return 0;
    sample[i] = 1e6 * seconds / (double)steps;
    if (i == 0) count = repeats_for(steps);
  }
  qsort(sample, (size_t)count, sizeof *sample, compare);
  printf("%-22s %-20s %8ld %12.3f %12.3f\n", c->model, scheme, steps, sample[count / 2], sample[0]);
  fflush(stdout);
  return 1;
}

static int is_one_of(const char* name, const char* const* list)
{
  for (; *list; list++)
    if (!strcmp(name, *list)) return 1;
  return 0;
}

/* Schemes that take forces at given positions would need steps of 1e-7 to 1e-4 s for the waves in
 * bars and beams, where these models have longer ones. */
static int is_too_stiff(const char* model, const char* scheme)
{
  static const char* const elastic[] = {"impacting-bar", "elastic-bar", "flexible-pendulum", NULL};
  static const char* const takes_forces[] = {"moreau", "rattle", "lobatto", NULL};
  return is_one_of(model, elastic) && is_one_of(scheme, takes_forces);
}

static int measure_all(void)
{
  int good = 1;
  printf("%-22s %-20s %8s %12s %12s\n", "model", "scheme", "steps", "us(median)", "us(best)");
  for (int i = 0; i < CASE_COUNT; i++)
    for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++)
      if (!is_too_stiff(cases[i].model, *scheme)) good &= measure(&cases[i], *scheme);
  return good;
}

int main(int argc, char** argv)
{
  if (argc == 5 && !strcmp(argv[1], "--repeat")) {
    bench_case c = {argv[2], strtol(argv[4], NULL, 10)};
    return !measure(&c, argv[3]);
  }
  if (argc < 3) return !measure_all();
  long steps = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
  double seconds = run_once(argv[1], argv[2], &steps);
  if (seconds >= 0) printf("%ld %.3f\n", steps, 1e6 * seconds / (double)steps);
  return seconds < 0;
}
