/* percuss converge: errors of a scheme for several steps against a reference, and their order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/results.h"
#include "cli/run_setup.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "console/replace.h"
#include "draw/convergence_figure.h"
#include "study/convergence_runs.h"
#include "study/exact_reference.h"
#include "study/output.h"
#include "study/stored_reference.h"
#include "study/unit_text.h"

enum { REFERENCE_PARTS = 16 }; /* the reference's step is this part of the smallest, by default */

typedef struct converge {
  run_options run;            /* first: the takers of `run` write into it */
  double reference_dt;        /* NAN: not given */
  const char* reference_file; /* NULL: a run, or the exact motion */
  run_model model;
  convergence_runs runs;
} converge;

static int take_reference_dt(void* into, const char* name, char* value)
{
  return read_steps(name, value, &((converge*)into)->reference_dt, 1) < 0 ? EXIT_USAGE : EXIT_DONE;
}

static int take_reference(void* into, const char* name, char* value)
{
  (void)name;
  ((converge*)into)->runs.exact = strcmp(value, "exact") == 0;
  ((converge*)into)->reference_file = strcmp(value, "exact") == 0 ? NULL : value;
  return EXIT_DONE;
}

static int take_norm(void* into, const char* name, char* value)
{
  (void)name;
  norm n = find_norm(value);
  ((converge*)into)->runs.found.norm = n;
  if (n != NORM_COUNT) return EXIT_DONE;
  return complain(EXIT_USAGE, "--norm is '%s'; it must be max, rattle, lobatto, l1 or l2", value);
}

/* dt is a list here; the other settings are those of a run. */
static int take_setting(void* into, const char* key, char* value)
{
  converge* c = into;
  if (strcmp(key, "dt") != 0) return take_run_setting(&c->run, key, value);
  c->runs.found.count = read_steps(key, value, c->runs.found.dt, STEPS_MAX);
  return c->runs.found.count < 0 ? EXIT_USAGE : EXIT_DONE;
}

static const option options[] = {
    {"scheme", "NAME", "time-stepping scheme; see 'percuss list schemes'", take_run_option},
    {"until", "T", "end time [s]", take_run_option},
    {"norm", "max|rattle|lobatto|l1|l2", "how errors are measured (default max)", take_norm},
    {"reference-dt", "H", "step of the reference [s] (default: the smallest dt / 16)",
     take_reference_dt},
    {"reference", "FILE.h5|exact",
     "a stored result as the reference, or the exact motion of the model file", take_reference},
    {"set", "NAME=VALUE", "change a parameter of the model; repeatable", take_run_option},
    {"out", "FIGURE", "draw the errors over dt, into a .png or .svg file", take_run_option},
    {"threads", "N",
     "runs at a time (default: the cores, up to 8); the result does not depend on it",
     take_run_option},
    {"json", NULL, "print the result as one JSON object", take_run_option},
    {"quiet", NULL, "no progress on the terminal", take_run_option},
};

const option_set converge_option_set = {options, sizeof options / sizeof *options, take_setting,
                                        take_run_model};

static int check_list(const converge* c)
{
  if (c->runs.found.count < 2)
    return complain(EXIT_USAGE, "an order needs two steps at least: --dt H,H,...");
  for (int i = 0; i < c->runs.found.count; i++)
    for (int k = 0; k < i; k++)
      if (c->runs.found.dt[i] == c->runs.found.dt[k])
        return complain(EXIT_USAGE, "--dt has %g twice", c->runs.found.dt[i]);
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
  if ((c->reference_file || c->runs.exact) && !isnan(c->reference_dt))
    return complain(EXIT_USAGE, "--reference and --reference-dt exclude each other");
  code = check_list(c);
  return code == EXIT_DONE ? check_figure(c->run.out) : code;
}

/* The errors asked for are those of the scheme, and from three stages on those of its iteration
 * would hide them. So the variational schemes, which accept what round-off leaves, iterate that far
 * unless --tol is given. */
static const double TIGHT = 1e-14; /* [N s] */

static void tighten(const char* scheme, pc_scheme_settings* settings)
{
  const char* readers = "";
  int variational = pc_scheme_reads(scheme, "velocity-constraints", &readers);
  if (variational && settings->tolerance > TIGHT) settings->tolerance = TIGHT;
}

static int choose_scheme(converge* c)
{
  const char* name = c->run.scheme ? c->run.scheme : pc_model_scheme(c->model.model);
  if (!name) name = pc_default_sim_def().scheme;
  int code = check_scheme(name, c->run.scheme ? EXIT_USAGE : EXIT_MODEL);
  for (int i = 0; code == EXIT_DONE && i < c->run.setting_count; i++) {
    const char* readers = "";
    if (!pc_scheme_reads(name, c->run.setting[i].key, &readers))
      code = complain(EXIT_USAGE, "--%s does nothing in scheme '%s'; it is for: %s",
                      c->run.setting[i].key, name, readers);
  }
  if (code != EXIT_DONE) return code;
  c->runs.model = c->model.model;
  c->runs.def.scheme = name;
  c->runs.def.system = pc_model_system(c->model.model);
  c->runs.def.settings = pc_model_settings(c->model.model);
  tighten(name, &c->runs.def.settings);
  code = apply_settings(&c->run, name, &c->runs.def.settings);
  return code == EXIT_DONE ? choose_until(&c->run, c->model.model, &c->runs.until) : code;
}

static int check_exact(const converge* c)
{
  for (int p = 0; p < PART_COUNT; p++)
    if (has_exact_part(c->model.model, (part)p)) return EXIT_DONE;
  return complain(EXIT_MODEL, "%s has no 'exact:', no exact motion to compare with", c->model.path);
}

static int add_reference(converge* c)
{
  double smallest = INFINITY;
  for (int i = 0; i < c->runs.found.count; i++) smallest = fmin(smallest, c->runs.found.dt[i]);
  if (isnan(c->reference_dt)) c->reference_dt = smallest / REFERENCE_PARTS;
  if (c->reference_dt >= smallest)
    return complain(EXIT_USAGE, "--reference-dt %g is not smaller than all steps: %g",
                    c->reference_dt, smallest);
  const job* reference = add_reference_run(&c->runs, c->reference_dt);
  return check_steps(c->reference_dt, reference->until);
}

static int add_jobs(converge* c)
{
  int code = EXIT_DONE;
  for (int i = 0; code == EXIT_DONE && i < c->runs.found.count; i++) {
    add_convergence_run(&c->runs, c->runs.found.dt[i], c->runs.until);
    code = check_steps(c->runs.found.dt[i], c->runs.until);
  }
  if (code == EXIT_DONE && c->runs.exact) code = check_exact(c);
  if (code == EXIT_DONE && !c->reference_file && !c->runs.exact) code = add_reference(c);
  if (code != EXIT_DONE) return code;
  double bytes = batch_bytes(c->runs.jobs, c->runs.job_count);
  if (bytes <= BATCH_BYTES_MAX) return EXIT_DONE;
  return complain(EXIT_USAGE,
                  "the states of all runs need %.3g GB of memory, more than the 2 GB allowed; take "
                  "larger steps or an earlier --until",
                  bytes / (1 << 30));
}

static int read_reference(converge* c)
{
  if (!c->reference_file) return EXIT_DONE;
  pc_result* result = NULL;
  pc_error error = {0};
  int code = open_result(c->reference_file, &result);
  if (code == EXIT_DONE)
    code = report(read_stored_states(result, c->runs.def.system, &c->runs.stored,
                                     &c->runs.increments, &error),
                  &error);
  pc_result_close(result);
  if (code != EXIT_DONE) return code;
  double end = c->runs.stored.count ? c->runs.stored.t[c->runs.stored.count - 1] : 0;
  for (int i = 0; i < c->runs.found.count; i++) {
    double dt = c->runs.found.dt[i];
    if ((double)pc_step_count(dt, c->runs.until) * dt > end + 1e-6 * dt)
      return complain(EXIT_USAGE, "'%s' ends at %g s, before until = %g s", c->reference_file, end,
                      c->runs.until);
  }
  return EXIT_DONE;
}

static int do_runs(converge* c)
{
  int threads = c->run.threads ? c->run.threads : default_threads();
  batch_monitor monitor = begin_batch(c->run.quiet);
  run_batch(c->runs.jobs, c->runs.job_count, threads, &monitor);
  end_batch(&monitor);
  if (was_interrupted())
    return keep_finished(&c->runs)
               ? EXIT_DONE
               : complain(EXIT_INTERRUPTED, "interrupted before an error could be computed");
  for (int i = 0; i < c->runs.job_count; i++) {
    const job* j = &c->runs.jobs[i];
    if (j->status != PC_OK)
      return complain(exit_code(j->status), "the run with dt = %s failed: %s",
                      with_unit(j->def.settings.dt, "s").text, j->error.text);
  }
  return EXIT_DONE;
}

static void print_notes(const converge* c)
{
  printf("\nscheme %s, norm %s, until %s; the reference is ", c->runs.def.scheme,
         norm_name(c->runs.found.norm), with_unit(c->runs.until, "s").text);
  if (c->reference_file)
    printf("'%s'\n", c->reference_file);
  else if (c->runs.exact)
    printf("the exact motion\n");
  else
    printf("a run with dt = %s\n", with_unit(c->reference_dt, "s").text);
  if (!c->runs.increments && !c->runs.exact && has_part(c->runs.def.system, PART_P_N))
    printf(
        "impulses (percussions) are not compared: the reference does not hold all of its steps\n");
  for (int i = 0; i < c->runs.job_count; i++) { /* steps that --on-failure accepted */
    const pc_summary* s = &c->runs.jobs[i].summary;
    if (c->runs.jobs[i].status == PC_OK && s->trouble.inaccurate > 0)
      printf("dt = %s: %ld of %ld steps did not meet their tolerance, the first is step %ld\n",
             with_unit(c->runs.jobs[i].def.settings.dt, "s").text, s->trouble.inaccurate, s->steps,
             s->trouble.first_inaccurate);
  }
}

static int print_result(const converge* c)
{
  if (c->run.json)
    print_convergence_json(&c->runs.found, stdout);
  else
    print_convergence(&c->runs.found, stdout);
  if (!c->run.json) print_notes(c);
  return flush_output();
}

/* Draws the errors into the file asked for. */
static int draw(const converge* c)
{
  replacement target;
  pc_error error = {0};
  const convergence* found = &c->runs.found;
  if (!can_draw_convergence(found))
    return complain(EXIT_FAILED, "all errors are zero: there is nothing to draw");
  int code = begin_replacement(&target, c->run.out);
  if (code != EXIT_DONE) return code;
  pc_status status = draw_convergence(found, is_svg(c->run.out), target.file, &error);
  return end_replacement(&target, report(status, &error));
}

static int study(converge* c)
{
  pc_error error = {0};
  int code = choose_scheme(c);
  if (code == EXIT_DONE) code = add_jobs(c);
  if (code == EXIT_DONE) code = read_reference(c);
  if (code == EXIT_DONE && c->run.out) code = check_replacement(c->run.out);
  if (code == EXIT_DONE) code = do_runs(c);
  if (code != EXIT_DONE) return code;
  code = report(measure_convergence(&c->runs, &error), &error);
  if (code == EXIT_DONE) code = print_result(c);
  if (code == EXIT_DONE && was_interrupted())
    code = complain(EXIT_INTERRUPTED, "interrupted: only %d of the steps reached the end",
                    c->runs.found.count);
  return code == EXIT_DONE && c->run.out ? draw(c) : code;
}

int converge_command(int argc, char** argv)
{
  converge* c = calloc(1, sizeof *c);
  if (!c) return complain(EXIT_FAILED, "no memory");
  int code = read_converge_options(argc, argv, c);
  if (code == EXIT_DONE) code = read_run_model(&c->run, &c->model);
  if (code == EXIT_DONE) code = study(c);
  free_convergence_runs(&c->runs);
  pc_model_destroy(c->model.model);
  free(c);
  return code;
}
