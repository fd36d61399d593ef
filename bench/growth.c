/* How the cost of a step grows with the size of a model.
 *
 *     percuss-bench-growth [FAMILY]
 *
 * A family is a model of bench/growth with a parameter N. For every scheme the time of a step (the
 * least of several runs), the memory of the process, active contacts, iterations of the contact
 * solvers, and the exponent p of time ~ N^p: from one size to the next, and fitted over the sizes
 * from 100 on. Each run is a process of its own, so that memory is that of this model alone. */
#include <math.h>
#include <percuss/percuss.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIZES = 4, SCHEMES_MAX = 6, REPEATS = 2 };

static const struct family {
  const char *name, *model;
  pc_override change; /* besides N; without a name: none */
  int steps;
  const char* scheme[SCHEMES_MAX + 1];
  int size[SIZES];
} families[] = {
    {"chain",
     "chain",
     {0},
     20,
     {"moreau", "moreau-jean", "combined-projection", "rattle", "lobatto", "generalized-alpha"},
     {10, 100, 300, 1000}},
    {"chain-on-floor", "chain-on-floor", {0}, 20, {"moreau-jean", "rattle"}, {10, 100, 300, 1000}},
    {"chain-that-slides",
     "chain-on-floor",
     {"v", "1"},
     20,
     {"moreau-jean", "rattle"},
     {10, 100, 300, 1000}},
    {"row", "row", {0}, 20, {"moreau-jean", "rattle"}, {10, 100, 300, 1000}},
    {"row-with-friction", "row", {"mu", "0.3"}, 5, {"moreau-jean"}, {10, 100, 300, 1000}},
    {"pile", "pile", {0}, 20, {"moreau-jean", "combined-projection"}, {10, 100, 300, 1000}},
    {"heap", "heap", {0}, 20, {"moreau-jean"}, {100, 1000, 3000, 10000}},
};
enum { FAMILY_COUNT = sizeof families / sizeof *families };

/* What a run in a process of its own reports. */
typedef struct measurement {
  double seconds;    /* per step; negative: it failed */
  double iterations; /* of the contact solver, per step */
  double residual;
  int contacts;
  double megabytes; /* of the whole process */
} measurement;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static measurement summarise(const pc_sim* sim, double seconds)
{
  pc_summary s = pc_sim_summary(sim);
  measurement m = {.seconds = seconds / (double)s.steps,
                   .residual = s.solver_residual_max,
                   .contacts = s.contacts_active_max};
  for (int i = 0; i < s.phase_count; i++) m.iterations += s.iterations_avg[i];
  return m;
}

static measurement run(const struct family* f, const char* scheme, int n)
{
  char path[128], value[16];
  pc_error error = {0};
  pc_model* model = NULL;
  pc_sim* sim = NULL;
  measurement m = {.seconds = -1};
  snprintf(path, sizeof path, "bench/growth/%s.yaml", f->model);
  snprintf(value, sizeof value, "%d", n);
  pc_override change[] = {{"N", value}, f->change};
  if (pc_model_read(path, change, f->change.name ? 2 : 1, &model, &error) == PC_OK) {
    pc_sim_def def = {pc_model_system(model), scheme, pc_model_settings(model)};
    if (pc_sim_create(&def, &sim, &error) == PC_OK) {
      double started = now();
      if (pc_sim_run(sim, f->steps * def.settings.dt, &error) == PC_OK)
        m = summarise(sim, now() - started);
    }
  }
  if (m.seconds < 0) fprintf(stderr, "%s, N = %d, %s: %s\n", f->name, n, scheme, error.text);
  pc_sim_destroy(sim);
  pc_model_destroy(model);
  return m;
}

static measurement run_in_child(const struct family* f, const char* scheme, int n)
{
  measurement m = {.seconds = -1};
  int ends[2];
  if (pipe(ends) != 0) return m;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    measurement own = run(f, scheme, n);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    own.megabytes = (double)usage.ru_maxrss / 1024;
    _exit(write(ends[1], &own, sizeof own) != (ssize_t)sizeof own);
  }
  close(ends[1]);
  if (child > 0) {
    if (read(ends[0], &m, sizeof m) != (ssize_t)sizeof m) m.seconds = -1;
    waitpid(child, NULL, 0);
  }
  close(ends[0]);
  return m;
}

static measurement best_of(const struct family* f, const char* scheme, int n)
{
  measurement best = run_in_child(f, scheme, n);
  for (int i = 1; i < REPEATS && best.seconds >= 0; i++) {
    measurement m = run_in_child(f, scheme, n);
    if (m.seconds >= 0 && m.seconds < best.seconds) best = m;
  }
  return best;
}

/* The slope of ln y over ln x by least squares. */
static double slope(int count, const double* x, const double* y)
{
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (int i = 0; i < count; i++) mean_x += log(x[i]) / count, mean_y += log(y[i]) / count;
  for (int i = 0; i < count; i++) {
    xx += (log(x[i]) - mean_x) * (log(x[i]) - mean_x);
    xy += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
  }
  return xy / xx;
}

static void print_line(const struct family* f, const char* scheme, int n, const measurement* m)
{
  printf("%-18s %-20s %6d %12.1f %8d %10.1f %9.1e %8.1f", f->name, scheme, n, 1e6 * m->seconds,
         m->contacts, m->iterations, m->residual, m->megabytes);
}

/* All sizes of a family under a scheme; 0 if one fails. */
static int measure(const struct family* f, const char* scheme)
{
  double n[SIZES], seconds[SIZES], memory[SIZES], things[SIZES]; /* bodies and contacts */
  for (int i = 0; i < SIZES; i++) {
    measurement m = best_of(f, scheme, f->size[i]);
    if (m.seconds < 0) return 0;
    n[i] = f->size[i];
    seconds[i] = m.seconds;
    memory[i] = m.megabytes;
    things[i] = n[i] + m.contacts;
    print_line(f, scheme, f->size[i], &m);
    if (i > 0) printf(" %9.2f", slope(2, &n[i - 1], &seconds[i - 1]));
    printf("\n");
  }
  printf(
      "%-18s %-20s time ~ N^%.2f from N = %d on; %.0f times the time for %.0f times the size; "
      "%.3f MB for one more, %.1f kB for each body and each active contact\n",
      f->name, scheme, slope(SIZES - 1, n + 1, seconds + 1), f->size[1],
      seconds[SIZES - 1] / seconds[0], n[SIZES - 1] / n[0],
      (memory[SIZES - 1] - memory[0]) / (n[SIZES - 1] - n[0]),
      1024 * (memory[SIZES - 1] - memory[0]) / (things[SIZES - 1] - things[0]));
  fflush(stdout);
  return 1;
}

int main(int argc, char** argv)
{
  int good = 1;
  printf("%-18s %-20s %6s %12s %8s %10s %9s %8s %9s\n", "family", "scheme", "N", "us/step",
         "contacts", "iterations", "residual", "MB", "exponent");
  for (int i = 0; i < FAMILY_COUNT; i++)
    for (int k = 0; families[i].scheme[k]; k++)
      if (argc < 2 || !strcmp(argv[1], families[i].name))
        good &= measure(&families[i], families[i].scheme[k]);
  return !good;
}
