#include "reproduce/item_runs.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/error.h"
#include "study/models.h"

enum { FIXED_COLUMNS = 8, WORDS_MAX = 16, TEXT_SIZE = 512 };
enum { DT_COLUMN = -1, ENERGY_COLUMN = -2, NO_COLUMN = -3 };

static int same_text(const char* a, const char* b)
{
  return !strcmp(a ? a : "", b ? b : "");
}

static int same_run(const item_run* a, const item_run* b)
{
  return !strcmp(a->model, b->model) && !strcmp(a->scheme, b->scheme) && a->dt == b->dt &&
         a->until == b->until && same_text(a->set, b->set) && same_text(a->settings, b->settings) &&
         a->compared == b->compared;
}

static const run_data* find_run(const study* s, const item_run* spec)
{
  for (int i = 0; i < s->run_count; i++)
    if (same_run(s->run[i].spec, spec)) return &s->run[i];
  return NULL;
}

/* "a=1 b=2" into pairs that point into `text`, a copy; their number. */
static int split_pairs(const char* pairs, char* text, pc_override* pair)
{
  int count = 0;
  snprintf(text, TEXT_SIZE, "%s", pairs ? pairs : "");
  for (char *rest = text, *word; (word = strtok_r(rest, " ", &rest)) && count < WORDS_MAX;) {
    char* equals = strchr(word, '=');
    if (!equals) continue;
    *equals = '\0';
    pair[count++] = (pc_override){word, equals + 1};
  }
  return count;
}

static int has_parameter(const pc_model* model, const char* name)
{
  const char* own;
  double value;
  for (int i = 0; (own = pc_model_parameter(model, i, &value)) != NULL; i++)
    if (!strcmp(own, name)) return 1;
  return 0;
}

/* The parameters that are changed in this model take the place of those that the run sets. */
static int change_pairs(const study* s, const pc_model* model, pc_override* pair, int count)
{
  for (int i = 0; i < s->set_count; i++) {
    if (!has_parameter(model, s->set[i].name)) continue;
    int at = 0;
    while (at < count && strcmp(pair[at].name, s->set[i].name) != 0) at++;
    if (at == WORDS_MAX) continue;
    pair[at] = s->set[i];
    if (at == count) count++;
  }
  return count;
}

static pc_status read_with(run_data* run, const pc_override* set, int count, pc_error* error)
{
  char path[PATH_MAX];
  pc_error why = {0};
  model_path(run->spec->model, path, sizeof path);
  pc_status status = pc_model_read(path, set, count, &run->model, &why);
  if (status == PC_OK) return PC_OK;
  return set_error(error, status == PC_BAD_ARGUMENT ? PC_BAD_MODEL : status, "%s: %s", path,
                   why.text);
}

static pc_status read_model(const study* s, run_data* run, pc_error* error)
{
  char text[TEXT_SIZE];
  pc_override set[WORDS_MAX];
  int count = split_pairs(run->spec->set, text, set);
  pc_status status = read_with(run, set, count, error);
  if (status != PC_OK || s->set_count == 0) return status;
  count = change_pairs(s, run->model, set, count);
  pc_model_destroy(run->model);
  run->model = NULL;
  return read_with(run, set, count, error);
}

static pc_status apply_pairs(const item_run* spec, pc_scheme_settings* settings, pc_error* error)
{
  char text[TEXT_SIZE];
  pc_override pair[WORDS_MAX];
  pc_error why = {0};
  int count = split_pairs(spec->settings, text, pair);
  for (int i = 0; i < count; i++)
    if (pc_set_setting(settings, pair[i].name, pair[i].value, &why) != PC_OK)
      return set_error(error, PC_BAD_MODEL, "%s of %s: %s", pair[i].name, spec->model, why.text);
  settings->dt = spec->dt;
  return PC_OK;
}

static int keep_numbers(void* user, const pc_observation* seen)
{
  run_data* run = user;
  int count;
  const int* recorded = pc_model_record(run->model, &count);
  double* row = run->value + (size_t)run->count * (size_t)run->column_count;
  row[0] = seen->state->t;
  row[1] = seen->kinetic;
  row[2] = seen->potential;
  row[3] = seen->info->acceleration;
  row[4] = seen->info->phase_count ? seen->info->iterations[0] : 0;
  const double* lambda = seen->info->lambda;
  int rows = pc_system_row_count(seen->system);
  row[5] = lambda ? lambda[0] : NAN;
  row[6] = lambda && rows > 1 ? lambda[1] : NAN;
  row[7] = lambda ? lambda[rows - 1] : NAN;
  for (int i = 0; i < count; i++) row[FIXED_COLUMNS + i] = pc_observe_quantity(seen, recorded[i]);
  run->count++;
  return 1;
}

static pc_status prepare_run(const study* s, run_data* run, pc_error* error)
{
  const item_run* spec = run->spec;
  int recorded;
  pc_status status = read_model(s, run, error);
  if (status != PC_OK) return status;
  pc_model_record(run->model, &recorded);
  run->column_count = FIXED_COLUMNS + recorded;
  run->job = (job){.def = {.system = pc_model_system(run->model),
                           .scheme = spec->scheme,
                           .settings = pc_model_settings(run->model)},
                   .until = spec->until,
                   .keep_all = spec->compared,
                   .grid = spec->compared ? &spec->dt : NULL, /* all, with sums of percussions */
                   .grid_count = spec->compared,
                   .observer = keep_numbers,
                   .observer_user = run};
  status = apply_pairs(spec, &run->job.def.settings, error);
  size_t rows = (size_t)pc_step_count(spec->dt, spec->until) + 1;
  run->value = calloc(rows * (size_t)run->column_count, sizeof *run->value);
  return run->value ? status : PC_OUT_OF_MEMORY;
}

static int count_runs(const item* one)
{
  int count = 0;
  while (one->run[count].model) count++;
  return count;
}

static int is_curve(const item_curve* c)
{
  return c->y.of[0] || c->scan;
}

/* Items may share an array of runs; each does those that it draws or measures. */
static int is_used(const item* one, int run)
{
  for (const item_check* c = one->check; c->what; c++)
    if (check_covers(c, run)) return 1;
  for (const item_panel* p = one->panel; p && p->y_label; p++)
    for (const item_curve* c = p->curve; is_curve(c); c++)
      if (c->scan ? check_covers(c->scan, run)
                  : c->run == run || (c->is_difference && c->minus == run))
        return 1;
  return 0;
}

/* Do all names of a series exist? */
static pc_status check_series(const item* one, const run_data* run, const item_series* series,
                              pc_error* error)
{
  for (int i = 0; i < SERIES_NAMES_MAX && series->of[i]; i++)
    if (find_column(run, series->of[i]) == NO_COLUMN)
      return set_error(error, PC_BAD_MODEL, "%s: %s does not record '%s'", one->name,
                       run->spec->model, series->of[i]);
  return PC_OK;
}

static pc_status check_names(const study* s, const item* one, pc_error* error)
{
  item_data data = data_of_item(s, one);
  pc_status status = PC_OK;
  for (const item_check* c = one->check; status == PC_OK && c->what; c++)
    if (c->kind == NO_KIND || c->kind == FITTED)
      status =
          set_error(error, PC_BAD_MODEL, "%s: '%s' has no kind of reference", one->name, c->what);
  for (const item_check* c = one->check; status == PC_OK && c->what; c++)
    for (int i = 0; status == PC_OK && i < 2; i++)
      status = check_series(one, data.run[c->run], i ? &c->over : &c->of, error);
  for (const item_panel* p = one->panel; p && p->y_label; p++)
    for (const item_curve* c = p->curve; status == PC_OK && is_curve(c); c++) {
      status = check_series(one, data.run[c->run], &c->x, error);
      if (status == PC_OK) status = check_series(one, data.run[c->run], &c->y, error);
      if (status == PC_OK && c->is_difference)
        status =
            check_series(one, data.run[c->minus], c->minus_y.of[0] ? &c->minus_y : &c->y, error);
      if (status == PC_OK) status = check_series(one, data.run[c->minus], &c->minus_x, error);
    }
  return status;
}

static pc_status add_run(study* s, const item_run* spec, pc_error* error)
{
  if (find_run(s, spec)) return PC_OK;
  run_data* run = &s->run[s->run_count++];
  run->spec = spec;
  return prepare_run(s, run, error);
}

/* Every change must change something. */
static pc_status check_changes(const study* s, pc_error* error)
{
  for (int i = 0; i < s->set_count; i++) {
    int found = 0;
    for (int k = 0; k < s->run_count; k++) found |= has_parameter(s->run[k].model, s->set[i].name);
    if (!found)
      return set_error(error, PC_BAD_ARGUMENT, "no model of these items has a parameter '%s'",
                       s->set[i].name);
  }
  return PC_OK;
}

pc_status create_study(study* s, const item* const* items, int item_count, const pc_override* set,
                       int set_count, pc_error* error)
{
  pc_status status = PC_OK;
  int most = 0;
  for (int i = 0; i < item_count; i++) most += count_runs(items[i]);
  *s = (study){.run = calloc((size_t)most + 1, sizeof *s->run), .set = set, .set_count = set_count};
  if (!s->run) return PC_OUT_OF_MEMORY;
  for (int i = 0; i < item_count; i++)
    for (int k = 0; status == PC_OK && items[i]->run[k].model; k++)
      if (is_used(items[i], k)) status = add_run(s, &items[i]->run[k], error);
  for (int i = 0; status == PC_OK && i < item_count; i++) status = check_names(s, items[i], error);
  return status == PC_OK ? check_changes(s, error) : status;
}

void free_study(study* s)
{
  for (int i = 0; i < s->run_count; i++) {
    free_states(&s->run[i].job.states);
    free(s->run[i].value);
    pc_model_destroy(s->run[i].model);
  }
  free(s->run);
}

void run_study(study* s, int threads, const batch_monitor* monitor)
{
  job* jobs = calloc((size_t)s->run_count + 1, sizeof *jobs);
  if (!jobs) return; /* no run has begun: all values are NAN */
  for (int i = 0; i < s->run_count; i++) jobs[i] = s->run[i].job;
  run_batch(jobs, s->run_count, threads, monitor);
  for (int i = 0; i < s->run_count; i++) s->run[i].job = jobs[i];
  free(jobs);
}

/* ---- some of the runs ----------------------------------------------------------------------- */

/* What a run takes, roughly: steps times velocities. */
static double effort(const run_data* run)
{
  double steps = (double)pc_step_count(run->spec->dt, run->spec->until);
  return steps * pc_system_u_count(pc_model_system(run->model));
}

static int by_effort(const void* a, const void* b)
{
  double left = effort(a), right = effort(b);
  return (left > right) - (left < right);
}

static int uses(const item_data* data, const run_data* run)
{
  for (int i = 0; i < data->run_count; i++)
    if (data->run[i] == run) return 1;
  return 0;
}

static int is_wanted(const study* s, const item* const* items, int item_count,
                     item_wants_more* wants_more, const run_data* run)
{
  for (int i = 0; i < item_count; i++) {
    item_data data = data_of_item(s, items[i]);
    if (uses(&data, run) && wants_more(&data)) return 1;
  }
  return 0;
}

void run_study_while(study* s, const item* const* items, int item_count,
                     item_wants_more* wants_more, int threads, const batch_monitor* monitor)
{
  qsort(s->run, (size_t)s->run_count, sizeof *s->run, by_effort);
  for (int i = 0; i < s->run_count; i++) {
    s->run[i].left_out = 1;
    s->run[i].job.observer_user = &s->run[i]; /* it has moved */
  }
  for (run_data* run = s->run; run < s->run + s->run_count && !batch_stops(monitor); run++) {
    if (!is_wanted(s, items, item_count, wants_more, run)) continue;
    run_batch(&run->job, 1, threads, monitor);
    run->left_out = 0;
  }
}

item_data data_of_item(const study* s, const item* one)
{
  item_data data = {.item = one, .run_count = count_runs(one)};
  for (int i = 0; i < data.run_count && i < ITEM_RUNS_MAX; i++)
    if (is_used(one, i)) data.run[i] = find_run(s, &one->run[i]);
  return data;
}

/* "d/dt x": of x, its difference quotient over the step that ends here. */
static const char rate_of[] = "d/dt ";

static int is_rate(const char* name)
{
  return !strncmp(name, rate_of, sizeof rate_of - 1);
}

int find_column(const run_data* run, const char* name)
{
  static const char* const fixed[FIXED_COLUMNS] = {
      "time",       "energy.kinetic", "energy.potential", "acceleration",
      "iterations", "lambda.first",   "lambda.second",    "lambda.last"};
  if (is_rate(name)) name += sizeof rate_of - 1;
  if (!strcmp(name, "dt")) return DT_COLUMN;
  if (!strcmp(name, "energy.total")) return ENERGY_COLUMN;
  for (int i = 0; i < FIXED_COLUMNS; i++)
    if (!strcmp(name, fixed[i])) return i;
  int count;
  const int* recorded = pc_model_record(run->model, &count);
  for (int i = 0; i < count; i++)
    if (!strcmp(name, pc_system_quantity(pc_model_system(run->model), recorded[i]).name))
      return FIXED_COLUMNS + i;
  return NO_COLUMN;
}

static double column_value(const run_data* run, int column, long row)
{
  const double* values = run->value + (size_t)row * (size_t)run->column_count;
  if (column == DT_COLUMN) return run->spec->dt;
  return column == ENERGY_COLUMN ? values[1] + values[2] : values[column];
}

double* series_values(const run_data* run, const item_series* series)
{
  int column[SERIES_NAMES_MAX] = {0}, count = 0;
  for (; count < SERIES_NAMES_MAX && series->of[count]; count++)
    column[count] = find_column(run, series->of[count]);
  double* values = calloc((size_t)run->count + 1, sizeof *values);
  double scale = series->scale == 0 ? 1 : series->scale;
  for (long row = 0; values && row < run->count; row++) {
    double of[SERIES_NAMES_MAX] = {0};
    for (int i = 0; i < count; i++) {
      of[i] = column_value(run, column[i], row);
      if (is_rate(series->of[i]))
        of[i] = row > 0 ? (of[i] - column_value(run, column[i], row - 1)) / run->spec->dt : 0;
    }
    if (count == 0) of[0] = column_value(run, 0, row);
    values[row] = scale * (series->value ? series->value(of) : of[0]);
  }
  return values;
}
