/* percuss converge: errors of a scheme for several steps against a reference, and their order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/batch.h"
#include "cli/cli.h"
#include "cli/convergence_figure.h"
#include "cli/exact_reference.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/replace.h"
#include "cli/results.h"
#include "cli/run_setup.h"

enum { REFERENCE_PARTS = 16 }; /* the reference's step is this part of the smallest, by default */

typedef struct converge {
  run_options run;            /* first: the takers of `run` write into it */
  double reference_dt;        /* NAN: not given */
  const char* reference_file; /* NULL: a run, or the exact motion */
  int exact;                  /* the model's exact motion is the reference */
  convergence found;
  run_model model;
  pc_sim_def def;
  double until;
  job jobs[STEPS_MAX + 1]; /* one per step, then that of the reference */
  int job_count;
  states stored;  /* of the reference file */
  int increments; /* the reference holds the percussions of all its steps */
} converge;

static int take_reference_dt(void* into, const char* name, char* value)
{
  return read_steps(name, value, &((converge*)into)->reference_dt, 1) < 0 ? EXIT_USAGE : EXIT_DONE;
}

static int take_reference(void* into, const char* name, char* value)
{
  (void)name;
  ((converge*)into)->exact = strcmp(value, "exact") == 0;
  ((converge*)into)->reference_file = strcmp(value, "exact") == 0 ? NULL : value;
  return EXIT_DONE;
}

static int take_norm(void* into, const char* name, char* value)
{
  (void)name;
  norm n = find_norm(value);
  ((converge*)into)->found.norm = n;
  if (n != NORM_COUNT) return EXIT_DONE;
  return complain(EXIT_USAGE, "--norm is '%s'; it must be max, rattle, lobatto, l1 or l2", value);
}

/* dt is a list here; the other settings are those of a run. */
static int take_setting(void* into, const char* key, char* value)
{
  converge* c = into;
  if (strcmp(key, "dt") != 0) return take_run_setting(&c->run, key, value);
  c->found.count = read_steps(key, value, c->found.dt, STEPS_MAX);
  return c->found.count < 0 ? EXIT_USAGE : EXIT_DONE;
}

static const option options[] = {
    {"scheme", "NAME", "time-stepping scheme; see 'percuss list schemes'", take_run_option},
    {"until", "T", "end time [s]", take_run_option},
    {"norm", "max|rattle|lobatto|l1|l2", "how errors are measured (default max)", take_norm},
    {"reference-dt", "H", "step of the reference [s] (default: the smallest dt / 16)",
     take_reference_dt},
    {"reference", "FILE.h5|exact",
     "a stored result as the reference, or the exact motion of the model file", take_reference},
    {"set", "NAME=VALUE", "another value for a parameter of the model; repeatable",
     take_run_option},
    {"out", "FIGURE", "draw the errors over dt, into a .png or .svg file", take_run_option},
    {"threads", "N", "runs at a time (default: the cores, up to 8); no result depends on it",
     take_run_option},
    {"json", NULL, "the result as one JSON object", take_run_option},
    {"quiet", NULL, "no progress on the terminal", take_run_option},
};

const option_set converge_option_set = {options, sizeof options / sizeof *options, take_setting,
                                        take_run_model};

static int check_list(const converge* c)
{
  if (c->found.count < 2)
    return complain(EXIT_USAGE, "an order needs two steps at least: --dt H,H,...");
  for (int i = 0; i < c->found.count; i++)
    for (int k = 0; k < i; k++)
      if (c->found.dt[i] == c->found.dt[k])
        return complain(EXIT_USAGE, "--dt has %g twice", c->found.dt[i]);
  return EXIT_DONE;
}

static int read_converge_options(int argc, char** argv, converge* c)
{
  c->run = (run_options){.until = NAN, .every = 1};
  c->reference_dt = NAN;
  int code = read_options(&converge_option_set, argc, argv, c);
  if (code != EXIT_DONE) return code;
  if (!c->run.model)
    return complain(EXIT_USAGE,
                    "converge which model? usage: percuss converge MODEL --dt H,H,... [options]");
  if ((c->reference_file || c->exact) && !isnan(c->reference_dt))
    return complain(EXIT_USAGE, "--reference and --reference-dt exclude each other");
  code = check_list(c);
  return code == EXIT_DONE ? check_figure(c->run.out) : code;
}

/* The errors asked for are those of the scheme, and from three stages on those of its iteration would hide
 * them. So the variational schemes, which accept what round-off leaves, iterate that far unless --tol
 * is given. */
static const double TIGHT = 1e-14; /* [N s] */

static void tighten(const char* scheme, pc_scheme_settings* settings)
{
  const char* readers = "";
  int variational = scheme_reads(scheme, "velocity-constraints", &readers);
  if (variational && settings->tolerance > TIGHT) settings->tolerance = TIGHT;
}

static int choose_scheme(converge* c)
{
  const char* name = c->run.scheme ? c->run.scheme : pc_model_scheme(c->model.model);
  if (!name) name = pc_default_sim_def().scheme;
  int code = check_scheme(name, c->run.scheme ? EXIT_USAGE : EXIT_MODEL);
  for (int i = 0; code == EXIT_DONE && i < c->run.setting_count; i++) {
    const char* readers = "";
    if (!scheme_reads(name, c->run.setting[i].key, &readers))
      code = complain(EXIT_USAGE, "--%s does nothing in scheme '%s'; it is for: %s",
                      c->run.setting[i].key, name, readers);
  }
  if (code != EXIT_DONE) return code;
  c->def.scheme = name;
  c->def.system = pc_model_system(c->model.model);
  c->def.settings = pc_model_settings(c->model.model);
  tighten(name, &c->def.settings);
  code = apply_settings(&c->run, name, &c->def.settings);
  return code == EXIT_DONE ? choose_until(&c->run, c->model.model, &c->until) : code;
}

static int check_exact(const converge* c)
{
  for (int p = 0; p < PART_COUNT; p++)
    if (has_exact_part(c->model.model, (part)p)) return EXIT_DONE;
  return complain(EXIT_MODEL, "%s has no 'exact:', no exact motion to compare with", c->model.path);
}

static int add_job(converge* c, double dt, double until)
{
  job* j = &c->jobs[c->job_count++];
  *j = (job){.def = c->def, .until = until, .keep_all = 1};
  j->def.settings.dt = dt;
  return check_steps(dt, until);
}

/* The reference lasts until all others have ended, if `until` is no multiple of its step too. */
static int add_reference(converge* c)
{
  double smallest = INFINITY;
  for (int i = 0; i < c->found.count; i++) smallest = fmin(smallest, c->found.dt[i]);
  if (isnan(c->reference_dt)) c->reference_dt = smallest / REFERENCE_PARTS;
  if (c->reference_dt >= smallest)
    return complain(EXIT_USAGE, "--reference-dt %g is not smaller than all steps: %g",
                    c->reference_dt, smallest);
  double end = (double)pc_step_count(c->reference_dt, c->until) * c->reference_dt;
  c->increments = 1;
  int code =
      add_job(c, c->reference_dt,
              end < c->until - 1e-6 * c->reference_dt ? c->until + c->reference_dt : c->until);
  c->jobs[c->found.count].grid = c->found.dt;
  c->jobs[c->found.count].grid_count = c->found.count;
  return code;
}

static int add_jobs(converge* c)
{
  int code = EXIT_DONE;
  for (int i = 0; code == EXIT_DONE && i < c->found.count; i++)
    code = add_job(c, c->found.dt[i], c->until);
  if (code == EXIT_DONE && c->exact) code = check_exact(c);
  if (code == EXIT_DONE && !c->reference_file && !c->exact) code = add_reference(c);
  if (code != EXIT_DONE) return code;
  double bytes = batch_bytes(c->jobs, c->job_count);
  if (bytes <= BATCH_BYTES_MAX) return EXIT_DONE;
  return complain(EXIT_USAGE,
                  "the states of all runs need %.3g GB of memory, more than the 2 GB allowed; take "
                  "larger steps or an earlier --until",
                  bytes / (1 << 30));
}

/* Reads a column of the reference into every `columns`-th place. */
static int read_column(const pc_result* r, int series, double* to, int columns, int column,
                       double* buffer)
{
  pc_error error = {0};
  long length = pc_result_length(r);
  pc_status status = pc_result_read(r, series, 0, length, buffer, &error);
  if (status != PC_OK) return complain(exit_code(status), "%s", error.text);
  for (long i = 0; i < length; i++) to[(size_t)i * (size_t)columns + (size_t)column] = buffer[i];
  return EXIT_DONE;
}

/* All coordinates, velocities and percussions of the model, by their names. */
static int read_columns(converge* c, const pc_result* r, double* buffer)
{
  states* s = &c->stored;
  int code = read_column(r, 0, s->t, 1, 0, buffer);
  for (int i = 0; code == EXIT_DONE && i < pc_system_quantity_count(c->def.system); i++) {
    pc_quantity x = pc_system_quantity(c->def.system, i);
    int is_q = x.kind == PC_QUANTITY_Q, is_u = x.kind == PC_QUANTITY_U;
    if (!is_q && !is_u && x.kind != PC_QUANTITY_ROW_P) continue;
    int series = pc_result_find(r, x.name);
    if (series < 0)
      return complain(EXIT_MODEL, "'%s' has no '%s': it is a result of another model",
                      pc_result_path(r), x.name);
    code = read_column(r, series,
                       is_q   ? s->q
                       : is_u ? s->u
                              : s->P,
                       is_q   ? s->q_count
                       : is_u ? s->u_count
                              : s->P_count,
                       x.index, buffer);
  }
  return code;
}

/* Are there rows for all steps? Else percussions between the rows are not known. */
static int has_all_steps(const converge* c, const pc_result* r)
{
  const char* line = strstr(pc_result_options(r), "dt=");
  const states* s = &c->stored;
  return line && s->count > 1 && s->t[1] - s->t[0] < 1.000001 * strtod(line + 3, NULL);
}

static void sum_up(states* s)
{
  size_t columns = (size_t)s->P_count;
  for (size_t i = columns; i < (size_t)s->count * columns; i++)
    s->P_sum[i] = s->P_sum[i - columns] + s->P[i];
}

static int fill_stored(converge* c, const pc_result* r)
{
  states* s = &c->stored;
  const pc_system* system = c->def.system;
  s->count = pc_result_length(r);
  s->q_count = pc_system_q_count(system);
  s->u_count = pc_system_u_count(system);
  s->P_count = pc_system_row_count(system);
  double bytes = 8.0 * (double)s->count * (1.0 + s->q_count + s->u_count + 2.0 * s->P_count);
  if (bytes > BATCH_BYTES_MAX)
    return complain(EXIT_USAGE, "'%s' needs %.3g GB of memory, more than the 2 GB allowed",
                    pc_result_path(r), bytes / (1 << 30));
  double* buffer = calloc((size_t)s->count + 1, sizeof *buffer);
  int code =
      buffer && create_states(s, s->count, 1) ? EXIT_DONE : complain(EXIT_FAILED, "no memory");
  if (code == EXIT_DONE) code = read_columns(c, r, buffer);
  free(buffer);
  if (code == EXIT_DONE) sum_up(s);
  if (code == EXIT_DONE) c->increments = has_all_steps(c, r);
  return code;
}

static int read_reference(converge* c)
{
  if (!c->reference_file) return EXIT_DONE;
  pc_result* result = NULL;
  int code = open_result(c->reference_file, &result);
  if (code == EXIT_DONE) code = fill_stored(c, result);
  pc_result_close(result);
  if (code != EXIT_DONE) return code;
  double end = c->stored.count ? c->stored.t[c->stored.count - 1] : 0;
  for (int i = 0; i < c->found.count; i++) {
    double dt = c->found.dt[i];
    if ((double)pc_step_count(dt, c->until) * dt > end + 1e-6 * dt)
      return complain(EXIT_USAGE, "'%s' ends at %g s, before until = %g s", c->reference_file, end,
                      c->until);
  }
  return EXIT_DONE;
}

static void swap_jobs(job* a, job* b)
{
  job other = *a;
  *a = *b;
  *b = other;
}

/* After Ctrl-C: the runs that are through come first, the reference behind them. Returns whether there
 * is something to compare. */
static int keep_finished(converge* c)
{
  convergence* f = &c->found;
  int asked = f->count, has_reference_run = c->job_count > asked;
  f->count = 0;
  for (int i = 0; i < asked; i++) {
    if (c->jobs[i].status != PC_OK) continue;
    f->dt[f->count] = f->dt[i];
    swap_jobs(&c->jobs[f->count++], &c->jobs[i]);
  }
  if (!has_reference_run) return f->count > 0;
  swap_jobs(&c->jobs[f->count], &c->jobs[asked]);
  return f->count > 0 && c->jobs[f->count].status == PC_OK;
}

static int do_runs(converge* c)
{
  int threads = c->run.threads ? c->run.threads : default_threads();
  run_batch(c->jobs, c->job_count, threads, c->run.quiet);
  if (was_interrupted())
    return keep_finished(c)
               ? EXIT_DONE
               : complain(EXIT_INTERRUPTED, "interrupted before there was an error to tell");
  for (int i = 0; i < c->job_count; i++) {
    const job* j = &c->jobs[i];
    if (j->status != PC_OK)
      return complain(exit_code(j->status), "the run with dt = %g failed: %s", j->def.settings.dt,
                      j->error.text);
  }
  return EXIT_DONE;
}

static int is_wanted(const converge* c, part p)
{
  int paper = p == PART_P_N_PAPER || p == PART_P_F_PAPER;
  if (c->exact) return has_exact_part(c->model.model, p);
  if (paper && c->found.norm != NORM_RATTLE) return 0;
  if ((p == PART_P_N || p == PART_P_F) && !c->increments) return 0;
  return has_part(c->def.system, p);
}

/* The errors of one run. */
static int measure_run(converge* c, int i)
{
  convergence* f = &c->found;
  const states* run = &c->jobs[i].states;
  const states* reference = c->reference_file ? &c->stored : &c->jobs[f->count].states;
  states exact = {0};
  int code = c->exact ? make_exact_states(c->model.model, run, &exact) : EXIT_DONE;
  for (int p = 0; code == EXIT_DONE && p < PART_COUNT; p++)
    if (f->present[p])
      f->error[p][i] =
          measure_error(c->def.system, run, c->exact ? &exact : reference, f->norm, (part)p);
  free_states(&exact);
  return code;
}

static int measure(converge* c)
{
  convergence* f = &c->found;
  int code = EXIT_DONE;
  f->title = pc_model_title(c->model.model);
  for (int p = 0; p < PART_COUNT; p++) f->present[p] = is_wanted(c, (part)p);
  for (int i = 0; code == EXIT_DONE && i < f->count; i++) code = measure_run(c, i);
  for (int p = 0; p < PART_COUNT; p++)
    if (f->present[p]) f->fit[p] = fit_order(f->dt, f->error[p], f->count);
  return code;
}

static void print_array(const double* values, int count)
{
  for (int i = 0; i < count; i++) {
    char text[40];
    format_number(values[i], text, sizeof text);
    printf("%s%s", i ? ", " : "[", text);
  }
  printf("]");
}

/* "name": {"q": number, ...} */
static void print_fits(const convergence* f, const char* name, int spread)
{
  const char* separator = "";
  printf(",\n  \"%s\": {", name);
  for (int p = 0; p < PART_COUNT; p++) {
    if (!f->present[p]) continue;
    char text[40];
    format_number(spread ? f->fit[p].spread : f->fit[p].order, text, sizeof text);
    printf("%s\"%s\": %s", separator, part_name((part)p), text);
    separator = ", ";
  }
  printf("}");
}

static void print_json(const convergence* f)
{
  const char* separator = "\n";
  printf("{\n  \"dt\": ");
  print_array(f->dt, f->count);
  printf(",\n  \"error\": {");
  for (int p = 0; p < PART_COUNT; p++) {
    if (!f->present[p]) continue;
    printf("%s    \"%s\": ", separator, part_name((part)p));
    print_array(f->error[p], f->count);
    separator = ",\n";
  }
  printf("\n  }");
  print_fits(f, "order", 0);
  print_fits(f, "spread", 1);
  printf("\n}\n");
}

/* A cell of the table; what is not known is a dash. */
static void print_cell(const char* format, double value)
{
  char text[40] = "-";
  if (isfinite(value)) snprintf(text, sizeof text, format, value);
  printf("  %12s", text);
}

static void print_notes(const converge* c)
{
  printf("\nscheme %s, norm %s, until %g s; the reference is ", c->def.scheme,
         norm_name(c->found.norm), c->until);
  if (c->reference_file)
    printf("'%s'\n", c->reference_file);
  else if (c->exact)
    printf("the exact motion\n");
  else
    printf("a run with dt = %g\n", c->reference_dt);
  if (!c->increments && !c->exact && has_part(c->def.system, PART_P_N))
    printf("percussions are not compared: the reference holds not all of its steps\n");
  for (int i = 0; i < c->job_count; i++) { /* what --on-failure let pass */
    const pc_summary* s = &c->jobs[i].summary;
    if (c->jobs[i].status == PC_OK && s->steps_inaccurate > 0)
      printf("dt = %g: %ld of %ld steps did not meet their tolerance, the first is step %ld\n",
             c->jobs[i].def.settings.dt, s->steps_inaccurate, s->steps, s->first_inaccurate);
  }
}

static void print_table(const converge* c)
{
  const convergence* f = &c->found;
  printf("%-12s", "dt [s]");
  for (int p = 0; p < PART_COUNT; p++)
    if (f->present[p]) printf("  %12s", part_name((part)p));
  for (int i = 0; i < f->count; i++) {
    printf("\n%-12.6g", f->dt[i]);
    for (int p = 0; p < PART_COUNT; p++)
      if (f->present[p]) print_cell("%.4e", f->error[p][i]);
  }
  printf("\n%-12s", "order");
  for (int p = 0; p < PART_COUNT; p++)
    if (f->present[p]) print_cell("%.3f", f->fit[p].order);
  printf("\n%-12s", "spread");
  for (int p = 0; p < PART_COUNT; p++)
    if (f->present[p]) print_cell("%.3f", f->fit[p].spread);
  printf("\n");
  print_notes(c);
}

static int print_result(const converge* c)
{
  if (c->run.json)
    print_json(&c->found);
  else
    print_table(c);
  return flush_output();
}

static int study(converge* c)
{
  int code = choose_scheme(c);
  if (code == EXIT_DONE) code = add_jobs(c);
  if (code == EXIT_DONE) code = read_reference(c);
  if (code == EXIT_DONE && c->run.out) code = check_replacement(c->run.out);
  if (code == EXIT_DONE) code = do_runs(c);
  if (code != EXIT_DONE) return code;
  code = measure(c);
  if (code == EXIT_DONE) code = print_result(c);
  if (code == EXIT_DONE && was_interrupted())
    code = complain(EXIT_INTERRUPTED, "interrupted: only %d of the steps reached the end",
                    c->found.count);
  return code == EXIT_DONE && c->run.out ? draw_convergence(&c->found, c->run.out) : code;
}

int converge_command(int argc, char** argv)
{
  converge* c = calloc(1, sizeof *c);
  if (!c) return complain(EXIT_FAILED, "no memory");
  int code = read_converge_options(argc, argv, c);
  if (code == EXIT_DONE) code = read_run_model(&c->run, &c->model);
  if (code == EXIT_DONE) code = study(c);
  for (int i = 0; i < c->job_count; i++) free_states(&c->jobs[i].states);
  free_states(&c->stored);
  pc_model_destroy(c->model.model);
  free(c);
  return code;
}
