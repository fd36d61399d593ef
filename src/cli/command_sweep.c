/* percuss sweep: runs of a model with many values of its parameters, a table of what comes out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/run_setup.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "study/clock.h"
#include "study/number.h"
#include "study/random.h"
#include "study/sweep_report.h"

enum { TABLES_MAX = 4096 };

typedef struct command_line {
  run_options run; /* first: options of `run` are read into it */
  const char* collect;
  const char* keep;
  int merge, zip, plain;
  long samples;
  unsigned long long seed;
  sweep_share share;
  char* table[TABLES_MAX]; /* to merge */
  int table_count;
  design design;
  measures measures;
  pc_override fixed[GIVEN_MAX];
  int fixed_count;
  long* kept;
  long kept_count;
  int keep_failed;
  run_model model;
  char* about;
} command_line;

/* --- options ---------------------------------------------------------------------------------- */

static int take_collect(void* into, const char* name, char* value)
{
  (void)name;
  ((command_line*)into)->collect = value;
  return EXIT_DONE;
}

static int take_keep(void* into, const char* name, char* value)
{
  (void)name;
  ((command_line*)into)->keep = value;
  return EXIT_DONE;
}

static int take_flag(void* into, const char* name, char* value)
{
  (void)value;
  command_line* c = into;
  *(!strcmp(name, "zip") ? &c->zip : &c->merge) = 1;
  return EXIT_DONE;
}

static int take_samples(void* into, const char* name, char* value)
{
  char* end;
  long samples = strtol(value, &end, 10);
  if (end == value || *end || samples < 1 || samples > 1000000000)
    return complain(EXIT_USAGE, "--%s is '%s'; it must be a whole number from 1 to 1e9", name,
                    value);
  ((command_line*)into)->samples = samples;
  return EXIT_DONE;
}

static int take_seed(void* into, const char* name, char* value)
{
  char* end;
  ((command_line*)into)->seed = strtoull(value, &end, 10);
  if (end == value || *end || *value == '-')
    return complain(EXIT_USAGE, "--%s is '%s'; it must be a whole number", name, value);
  return EXIT_DONE;
}

static int take_sampling(void* into, const char* name, char* value)
{
  command_line* c = into;
  c->plain = !strcmp(value, "random");
  if (c->plain || !strcmp(value, "sobol")) return EXIT_DONE;
  return complain(EXIT_USAGE, "--%s is '%s'; it must be sobol or random", name, value);
}

static int take_shard(void* into, const char* name, char* value)
{
  sweep_share* s = &((command_line*)into)->share;
  char* end;
  long share = strtol(value, &end, 10), shares = *end == '/' ? strtol(end + 1, &end, 10) : 0;
  if (*end || share < 1 || share > shares || shares > 1000000)
    return complain(EXIT_USAGE, "--%s is '%s'; it must be K/N with K from 1 to N, such as 1/4",
                    name, value);
  *s = (sweep_share){(int)share, (int)shares};
  return EXIT_DONE;
}

/* A model, or with --merge a table. */
static int take_word(void* into, char* word)
{
  command_line* c = into;
  if (c->table_count == TABLES_MAX) return complain(EXIT_USAGE, "more than %d tables", TABLES_MAX);
  c->table[c->table_count++] = word;
  return EXIT_DONE;
}

static const option options[] = {
    {"set", "NAME=VALUES",
     "values of a parameter: A:B:N, log:A:B:N, list:A,B,..., normal(MEAN,DEVIATION), uniform(A,B), "
     "or one for all runs; repeatable",
     take_run_option},
    {"collect", "LIST",
     "what to keep of each run: final.NAME, max(NAME), count(CONTACT.closed), ...", take_collect},
    {"out", "TABLE.csv|h5", "the table", take_run_option},
    {"samples", "N", "samples of the random parameters", take_samples},
    {"seed", "S", "seed of the samples (default 0)", take_seed},
    {"sampling", "sobol|random", "evenly spread or plain random samples (default sobol)",
     take_sampling},
    {"zip", NULL, "take the values of the parameters together, not all combinations", take_flag},
    {"keep", "ROWS|failed|all", "record these runs as TABLE-row17.h5: 0,5,10-19", take_keep},
    {"resume", "TABLE", "complete this table, with the options it was started with",
     take_run_option},
    {"shard", "K/N", "run only the K-th of N shares of the rows", take_shard},
    {"merge", NULL, "merge the named tables into --out", take_flag},
    {"scheme", "NAME", "time-stepping scheme; see 'percuss list schemes'", take_run_option},
    {"until", "T", "end time [s]", take_run_option},
    {"threads", "N", "runs at a time (default: the cores, up to 8; 1 under mpirun)",
     take_run_option},
    {"force", NULL, "replace TABLE even if it is not a table of percuss", take_run_option},
    {"json", NULL, "print the summary as one JSON object", take_run_option},
    {"quiet", NULL, "no progress on the terminal", take_run_option},
};

const option_set sweep_option_set = {options, sizeof options / sizeof *options, take_run_setting,
                                     take_word};

/* --- what varies, what is collected ----------------------------------------------------------- */

static int choose_design(command_line* c)
{
  pc_error error = {0};
  pc_status status = PC_OK;
  c->design.zip = c->zip;
  c->design.samples = c->samples;
  c->design.seed = c->seed;
  c->design.plain = c->plain;
  for (int i = 0; i < c->run.override_count && status == PC_OK; i++) {
    pc_override given = c->run.override[i];
    int taken = 0;
    status = design_add(&c->design, given.name, given.value, &taken, &error);
    if (!taken) c->fixed[c->fixed_count++] = given;
  }
  if (status == PC_OK) status = design_finish(&c->design, &error);
  if (status == PC_OK && !c->collect)
    return complain(EXIT_USAGE, "what to keep of each run? give --collect, such as final.NAME");
  if (status == PC_OK) status = measures_read(&c->measures, c->collect, &error);
  return report(status, &error);
}

/* "0,5,10-19" */
static int read_rows(command_line* c)
{
  for (const char* at = c->keep;; at++) {
    char* end;
    long first = strtol(at, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
    if (end == at || (*end && *end != ',') || first < 0 || last < first || last >= c->design.rows)
      return complain(EXIT_USAGE, "--keep is '%s'; expected rows from 0 to %ld, such as 0,5,10-19",
                      c->keep, c->design.rows - 1);
    long* more = realloc(c->kept, (size_t)(c->kept_count + last - first + 1) * sizeof *more);
    if (!more) return complain(EXIT_FAILED, "no memory");
    c->kept = more;
    while (first <= last) c->kept[c->kept_count++] = first++;
    if (!*end) return EXIT_DONE;
    at = end;
  }
}

static int compare_rows(const void* a, const void* b)
{
  long x = *(const long*)a, y = *(const long*)b;
  return x < y ? -1 : x > y;
}

static int choose_kept(command_line* c)
{
  static char all[32];
  if (!c->keep) return EXIT_DONE;
  c->keep_failed = !strcmp(c->keep, "failed");
  if (c->keep_failed) return EXIT_DONE;
  if (!strcmp(c->keep, "all")) {
    snprintf(all, sizeof all, "0-%ld", c->design.rows - 1);
    c->keep = all;
  }
  int code = read_rows(c);
  if (code == EXIT_DONE) qsort(c->kept, (size_t)c->kept_count, sizeof *c->kept, compare_rows);
  return code;
}

static void name_kept(void* user, long row, char* path, size_t size)
{
  const command_line* c = user;
  const char *dot = strrchr(c->run.out, '.'), *slash = strrchr(c->run.out, '/');
  int stem = dot && (!slash || dot > slash) ? (int)(dot - c->run.out) : (int)strlen(c->run.out);
  snprintf(path, size, "%.*s-row%ld.h5", stem, c->run.out, row);
}

/* --- the runs --------------------------------------------------------------------------------- */

/* Said about the first row, before any is run; the others differ in numbers only. */
static int check_configuration(const command_line* c, const pc_model* model, pc_sim_def* def,
                               double* until)
{
  const char* name = c->run.scheme ? c->run.scheme : pc_model_scheme(model);
  if (name) def->scheme = name;
  def->settings = pc_model_settings(model);
  int code = check_scheme(def->scheme, c->run.scheme ? EXIT_USAGE : EXIT_MODEL);
  if (code == EXIT_DONE) code = apply_settings(&c->run, def->scheme, &def->settings);
  if (code == EXIT_DONE) code = choose_until(&c->run, model, until);
  if (code == EXIT_DONE) code = check_steps(def->settings.dt, *until);
  return code;
}

static pc_status configure(void* user, const pc_model* model, pc_sim_def* def, double* until,
                           pc_error* error)
{
  if (check_configuration(user, model, def, until) == EXIT_DONE) return PC_OK;
  snprintf(error->text, sizeof error->text, "settings that do not fit");
  return PC_BAD_ARGUMENT;
}

/* Everything that can be wrong for all rows. */
static int check_first_row(const command_line* c, const sweep_def* def)
{
  pc_error error = {0};
  pc_model* model = NULL;
  collector* first = NULL;
  pc_sim_def sim = pc_default_sim_def();
  double until;
  pc_status status = sweep_model(def, 0, &model, &error);
  int code = report(status, &error);
  if (code == EXIT_DONE) code = check_configuration(c, model, &sim, &until);
  if (code == EXIT_DONE)
    code = report(collector_create(&c->measures, model, &first, &error), &error);
  collector_destroy(first);
  pc_model_destroy(model);
  return code;
}

/* What two tables must have in common to belong together. */
static int describe(command_line* c)
{
  size_t size = 0;
  FILE* to = open_memstream(&c->about, &size);
  if (!to) return complain(EXIT_FAILED, "no memory");
  const char* slash = strrchr(c->model.path, '/');
  char until[40];
  uint64_t hash = 0;
  for (const char* at = pc_model_text(c->model.model); *at; at++)
    hash = mix_bits(hash ^ (unsigned char)*at);
  fprintf(to, "percuss: %s\nmodel: %s\ntext: %016llx\n", pc_version_text(),
          slash ? slash + 1 : c->model.path, (unsigned long long)hash);
  if (c->run.scheme) fprintf(to, "scheme: %s\n", c->run.scheme);
  format_number(c->run.until, until, sizeof until);
  if (!isnan(c->run.until)) fprintf(to, "until: %s\n", until);
  for (int i = 0; i < c->run.setting_count; i++)
    fprintf(to, "%s: %s\n", c->run.setting[i].key, c->run.setting[i].value);
  for (int i = 0; i < c->run.override_count; i++)
    fprintf(to, "set: %s=%s\n", c->run.override[i].name, c->run.override[i].value);
  if (c->zip) fprintf(to, "zip: yes\n");
  if (c->samples)
    fprintf(to, "samples: %ld\nseed: %llu\nsampling: %s\n", c->samples, c->seed,
            c->plain ? "random" : "sobol");
  fprintf(to, "collect: %s\nrows: %ld\n", c->collect, c->design.rows);
  if (c->share.shares > 1) fprintf(to, "share: %d/%d\n", c->share.share, c->share.shares);
  return fclose(to) == 0 ? EXIT_DONE : complain(EXIT_FAILED, "no memory");
}

/* --- the summary ------------------------------------------------------------------------------ */

static int print_report(const command_line* c, const sweep_report* r, double seconds)
{
  pc_table_content* table = NULL;
  pc_error error = {0};
  int code = report(pc_table_read(c->run.out, &table, &error), &error);
  if (code != EXIT_DONE) return code;
  sweep_end end = {.path = c->run.out,
                   .table = table,
                   .axes = c->design.axis_count,
                   .random = c->samples > 0,
                   .resumed = c->run.resume != NULL,
                   .seconds = seconds};
  (c->run.json ? print_sweep_report_json : print_sweep_report)(&end, r, stdout);
  pc_table_free(table);
  return flush_output();
}

static int end_sweep(const command_line* c, pc_status status, const sweep_report* r,
                     const pc_error* error, double seconds)
{
  if (status != PC_OK && status != PC_STOPPED) return report(status, error);
  int code = print_report(c, r, seconds);
  if (r->processes)
    return complain(EXIT_FAILED, "%d processes did not end; %ld rows are missing, --resume %s",
                    r->processes, r->missing, c->run.out);
  if (status == PC_STOPPED)
    return complain(EXIT_INTERRUPTED, "interrupted: %ld rows are missing, --resume %s", r->missing,
                    c->run.out);
  if (code == EXIT_DONE && r->rows > 0 && r->done + r->doubtful == 0)
    return complain(EXIT_FAILED, "no run reached its end; the table has the reasons");
  return code;
}

static int sweep_with(command_line* c, const team* with)
{
  sweep_session s = {.out = c->run.out,
                     .about = c->about,
                     .resume = c->run.resume != NULL,
                     .force = c->run.force,
                     .share = c->share,
                     .team = with};
  s.threads = c->run.threads ? c->run.threads : with->size > 1 ? 1 : default_threads();
  s.def = (sweep_def){.text = pc_model_text(c->model.model),
                      .fixed = c->fixed,
                      .fixed_count = c->fixed_count,
                      .design = &c->design,
                      .measures = &c->measures,
                      .configure = configure,
                      .user = c,
                      .keep = {c->kept, c->kept_count, c->keep_failed, name_kept, c}};
  int code = check_first_row(c, &s.def);
  if (code != EXIT_DONE) return code;
  pc_error error = {0};
  sweep_report r;
  double started = wall_clock();
  batch_monitor monitor = begin_batch(c->run.quiet || with->rank != 0);
  pc_status status = do_sweep(&s, &monitor, &r, &error);
  end_batch(&monitor);
  if (with->rank != 0) return status == PC_OK ? EXIT_DONE : report(status, &error);
  return end_sweep(c, status, &r, &error, wall_clock() - started);
}

static int run_rows(command_line* c)
{
  pc_error error = {0};
  const team* with = NULL;
  int code = report(team_open(&with, &error), &error);
  if (code != EXIT_DONE) return code;
  code = sweep_with(c, with);
  flush_output();
  with->close(code == EXIT_FAILED || code == EXIT_INTERRUPTED);
  return code;
}

/* --- merging ---------------------------------------------------------------------------------- */

static int merge(const command_line* c)
{
  pc_table_content** table = calloc((size_t)c->table_count + 1, sizeof *table);
  pc_error error = {0};
  pc_status status = table ? PC_OK : PC_OUT_OF_MEMORY;
  long missing = 0;
  for (int i = 0; status == PC_OK && i < c->table_count; i++) {
    status = pc_table_read(c->table[i], &table[i], &error);
    if (status == PC_OK && i > 0)
      status = check_same_sweep(c->table[i], table[0]->about, table[i]->about, &error);
  }
  if (status == PC_OK)
    status = merge_tables(table, c->table_count, c->run.out, c->run.force, &missing, &error);
  for (int i = 0; table && i < c->table_count; i++) pc_table_free(table[i]);
  free(table);
  if (status == PC_OK && missing)
    return complain(EXIT_FAILED, "%ld rows are missing in '%s'", missing, c->run.out);
  return report(status, &error);
}

static int check_words(command_line* c)
{
  if (c->run.out && c->run.resume)
    return complain(EXIT_USAGE, "--resume and --out exclude each other: the table is completed");
  if (c->run.resume) c->run.out = c->run.resume;
  if (!c->run.out) return complain(EXIT_USAGE, "which table? give --out TABLE.csv or TABLE.h5");
  if (c->merge && !c->table_count)
    return complain(EXIT_USAGE, "merge which tables? percuss sweep --merge TABLE... --out TABLE");
  if (!c->merge && c->table_count != 1)
    return complain(EXIT_USAGE,
                    "sweep which model? usage: percuss sweep MODEL --set ... [options]");
  if (!c->merge) c->run.model = c->table[0];
  return EXIT_DONE;
}

static int do_command(int argc, char** argv, command_line* c)
{
  int code = read_options(&sweep_option_set, argc, argv, c);
  if (code == EXIT_DONE) code = check_words(c);
  if (code != EXIT_DONE || c->merge) return code == EXIT_DONE ? merge(c) : code;
  code = choose_design(c);
  if (code == EXIT_DONE) code = choose_kept(c);
  if (code != EXIT_DONE) return code;
  run_options plain = c->run; /* the text is read without the values that vary */
  memcpy(plain.override, c->fixed, sizeof c->fixed);
  plain.override_count = c->fixed_count;
  code = read_run_model(&plain, &c->model);
  if (code == EXIT_DONE) code = describe(c);
  return code == EXIT_DONE ? run_rows(c) : code;
}

int sweep_command(int argc, char** argv)
{
  command_line* c = calloc(1, sizeof *c);
  if (!c) return complain(EXIT_FAILED, "no memory");
  c->run.until = NAN;
  c->run.every = 1;
  c->share = (sweep_share){1, 1};
  int code = do_command(argc, argv, c);
  pc_model_destroy(c->model.model);
  measures_free(&c->measures);
  design_free(&c->design);
  free(c->about);
  free(c->kept);
  free(c);
  return code;
}
