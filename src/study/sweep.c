#include "study/sweep.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/clock.h"
#include "study/error.h"

/* Rows that may be complete before their turn, and rows that a thread takes at a time. */
enum { WINDOW = 1024, TAKE = 8, THREADS_MAX = 256, NOTE_SIZE = 300 };

/* What came of a run. */
typedef struct outcome {
  int ready;
  long row;
  const char* status;
  char note[NOTE_SIZE];
  double** value;
  int* count;
} outcome;

/* What the threads share. */
typedef struct sweep {
  const sweep_def* def;
  const sweep_flow* flow;
  const batch_monitor* monitor;
  pthread_mutex_t lock;    /* of all that follows */
  pthread_cond_t advanced; /* the window has moved, or the end has come */
  outcome* window;         /* WINDOW of them; that of turn n is n % WINDOW */
  long taken, put;         /* turns */
  long row[TAKE];          /* rows that were taken, not yet begun */
  int row_count;
  int ended; /* nothing more to take, or an error */
  pc_status status;
  pc_error error;
  long rows;             /* expected */
  double started, shown; /* [s] */
} sweep;

int sweep_column_count(const sweep_def* def)
{
  return def->design->axis_count + def->measures->count;
}

/* The unit of a parameter is not known. */
void sweep_columns(const sweep_def* def, const pc_model* model, pc_table_column* column)
{
  int axes = def->design->axis_count;
  for (int i = 0; i < axes; i++) column[i] = (pc_table_column){def->design->axis[i].name, "", 0};
  for (int i = 0; i < def->measures->count; i++) {
    const measure* m = &def->measures->item[i];
    column[axes + i] = (pc_table_column){m->name, measure_unit(m, model), measure_is_list(m)};
  }
}

/* --- one run ---------------------------------------------------------------------------------- */

enum { NUMBER_SIZE = 32 };

pc_status sweep_model(const sweep_def* def, long row, pc_model** model, pc_error* error)
{
  int axes = def->design->axis_count, count = def->fixed_count + axes;
  *model = NULL;
  double value[AXES_MAX];
  char text[AXES_MAX][NUMBER_SIZE];
  pc_override* override = calloc((size_t)count + 1, sizeof *override);
  if (!override) return set_error(error, PC_OUT_OF_MEMORY, "no memory");
  memcpy(override, def->fixed, (size_t)def->fixed_count * sizeof *override);
  design_row(def->design, row, value);
  for (int i = 0; i < axes; i++) {
    snprintf(text[i], NUMBER_SIZE, "%.17g", value[i]);
    override[def->fixed_count + i] = (pc_override){def->design->axis[i].name, text[i]};
  }
  const char** name = NULL;
  pc_model_extension collected = {.record_count = measures_names(def->measures, &name)};
  collected.record = name;
  pc_status status = collected.record_count < 0
                         ? set_error(error, PC_OUT_OF_MEMORY, "no memory")
                         : pc_model_read_text_extended(def->text, strlen(def->text), override,
                                                       count, &collected, model, error);
  free(name);
  free(override);
  return status;
}

/* A run in progress. */
typedef struct run {
  sweep* of;
  pc_model* model;
  pc_sim_def def;
  double until;
  collector* collector;
  pc_sim* sim;
  pc_recorder* recorder;
} run;

static int observe_stop(void* user, const pc_observation* seen)
{
  (void)seen;
  run* r = user;
  return !batch_stops(r->of->monitor);
}

static pc_status open_recorder(run* r, long row, pc_error* error)
{
  const sweep_keep* keep = &r->of->def->keep;
  char path[4096];
  pc_recorder_def def = pc_default_recorder_def();
  keep->path(keep->user, row, path, sizeof path);
  def.path = path;
  def.system = r->def.system;
  def.quantity = pc_model_record(r->model, &def.quantity_count);
  def.model_text = pc_model_text(r->model);
  def.expected_rows = 1 + pc_step_count(r->def.settings.dt, r->until);
  pc_status status = pc_recorder_create(&def, &r->recorder, error);
  return status == PC_OK ? pc_sim_add_observer(r->sim, pc_recorder_observe, r->recorder, error)
                         : status;
}

static pc_status close_recorder(run* r, pc_error* error)
{
  pc_status status = pc_recorder_close(r->recorder, error);
  r->recorder = NULL;
  return status;
}

static pc_status prepare(run* r, long row, pc_error* error)
{
  const sweep_def* def = r->of->def;
  pc_status status = sweep_model(def, row, &r->model, error);
  r->def = pc_default_sim_def();
  if (status == PC_OK) {
    r->def.system = pc_model_system(r->model);
    status = def->configure(def->user, r->model, &r->def, &r->until, error);
  }
  if (status == PC_OK) status = collector_create(def->measures, r->model, &r->collector, error);
  if (status == PC_OK) status = pc_sim_create(&r->def, &r->sim, error);
  if (status == PC_OK) status = pc_sim_add_observer(r->sim, collector_observe, r->collector, error);
  if (status == PC_OK) status = pc_sim_add_observer(r->sim, observe_stop, r, error);
  return status;
}

static void release(run* r)
{
  if (r->recorder) close_recorder(r, NULL);
  collector_destroy(r->collector);
  pc_sim_destroy(r->sim);
  pc_model_destroy(r->model);
}

static const char* word_for(pc_status status, int doubtful)
{
  switch (status) {
    case PC_OK: return doubtful ? "doubtful" : "done";
    case PC_UNSTABLE: return "unstable";
    case PC_BAD_MODEL:
    case PC_BAD_ARGUMENT: return "bad model";
    case PC_OUT_OF_MEMORY: return "no memory";
    default: return "failed";
  }
}

static double* copy_numbers(const double* from, int count)
{
  double* copy = malloc((size_t)(count ? count : 1) * sizeof *copy);
  if (copy && count) memcpy(copy, from, (size_t)count * sizeof *copy);
  return copy;
}

/* The values of the axes, and those collected; of a run that failed, they are no numbers (a list is
 * empty). */
static int fill_values(const sweep_def* def, const run* r, pc_status status, outcome* o)
{
  static const double none = NAN;
  double value[AXES_MAX];
  int axes = def->design->axis_count;
  design_row(def->design, o->row, value);
  for (int i = 0; i < axes; i++) {
    o->count[i] = 1;
    if (!(o->value[i] = copy_numbers(&value[i], 1))) return 0;
  }
  for (int i = 0; i < def->measures->count; i++) {
    int count = !measure_is_list(&def->measures->item[i]);
    const double* from = &none;
    if (status == PC_OK) from = collector_values(r->collector, i, &count);
    o->count[axes + i] = count;
    if (!(o->value[axes + i] = copy_numbers(from, count))) return 0;
  }
  return 1;
}

static int is_kept(const sweep_keep* keep, long row)
{
  long low = 0, high = keep->count;
  while (low < high) {
    long middle = low + (high - low) / 2;
    if (keep->row[middle] == row) return 1;
    if (keep->row[middle] < row)
      low = middle + 1;
    else
      high = middle;
  }
  return 0;
}

/* The run itself, recorded or not. A recorder that fails ends the sweep: `*fatal`. */
static pc_status do_run(run* r, long row, int keep, pc_status* fatal, pc_error* error)
{
  pc_status status = prepare(r, row, error);
  if (status == PC_OK && keep) status = *fatal = open_recorder(r, row, error);
  if (status == PC_OK) status = pc_sim_run(r->sim, r->until, error);
  if (r->recorder && *fatal == PC_OK) {
    pc_error closing = {0};
    *fatal = close_recorder(r, &closing);
    if (*fatal != PC_OK) *error = closing;
  }
  return *fatal == PC_OK ? status : *fatal;
}

/* How the run ended, with the reason where it failed or is doubtful. A doubtful run keeps its
 * numbers. */
static void tell_end(const run* r, pc_status status, const pc_error* why, outcome* o)
{
  pc_verdict verdict = {0};
  if (status == PC_OK) verdict = pc_sim_judge(r->sim);
  const char* note = verdict.doubt_count > 0 ? verdict.doubt[0].text : "";
  if (status != PC_OK) note = why->text;
  o->status = word_for(status, verdict.doubt_count > 0);
  snprintf(o->note, sizeof o->note, "%.*s", NOTE_SIZE - 1, note);
}

static pc_status fill_outcome(const run* r, pc_status status, outcome* o, pc_error* why)
{
  tell_end(r, status, why, o);
  if (status == PC_OK) {
    pc_summary summary = pc_sim_summary(r->sim);
    collector_finish(r->collector, &summary);
  }
  if (fill_values(r->of->def, r, status, o)) return PC_OK;
  return set_error(why, PC_OUT_OF_MEMORY, "no memory");
}

/* PC_STOPPED, or an error that ends the sweep; what goes wrong in the run alone is in the
 * outcome. */
static pc_status do_row(sweep* s, outcome* o, pc_error* error)
{
  const sweep_keep* keep = &s->def->keep;
  run r = {.of = s};
  pc_status fatal = PC_OK;
  pc_error why = {0};
  int kept = is_kept(keep, o->row);
  pc_status status = do_run(&r, o->row, kept, &fatal, &why);
  if (fatal == PC_OK && status != PC_STOPPED) fatal = fill_outcome(&r, status, o, &why);
  if (fatal == PC_OK && status != PC_STOPPED && strcmp(o->status, "done") != 0 && keep->failed &&
      !kept) {
    run again = {.of = s};
    status = do_run(&again, o->row, 1, &fatal, &why);
    release(&again);
  }
  release(&r);
  if (fatal != PC_OK) *error = why;
  return fatal != PC_OK ? fatal : status == PC_STOPPED ? PC_STOPPED : PC_OK;
}

/* --- taking turns ----------------------------------------------------------------------------- */

static void clear(const sweep_def* def, outcome* o)
{
  for (int i = 0; i < sweep_column_count(def); i++) {
    free(o->value[i]);
    o->value[i] = NULL;
  }
  o->ready = 0;
  o->note[0] = '\0';
}

static void end(sweep* s, pc_status status, const pc_error* error)
{
  if (s->status == PC_OK && status != PC_OK) {
    s->status = status;
    if (error) s->error = *error;
  }
  s->ended = 1;
  pthread_cond_broadcast(&s->advanced);
}

/* Hands over one row. */
static pc_status put(sweep* s, outcome* o)
{
  pc_error error = {0};
  pc_table_row row = {o->row, o->status, o->note, (const double* const*)o->value, o->count};
  pc_status status = s->flow->put(s->flow->user, &row, &error);
  if (status == PC_OK)
    clear(s->def, o);
  else
    end(s, status, &error);
  return status;
}

/* Hands over what is complete, in order. Under the lock. */
static void put_ready(sweep* s)
{
  while (s->put < s->taken && s->window[s->put % WINDOW].ready && s->status == PC_OK) {
    if (put(s, &s->window[s->put % WINDOW]) != PC_OK) return;
    s->put++;
    pthread_cond_broadcast(&s->advanced);
  }
}

/* After an interruption: rows that were complete before those in front of them. */
static void put_rest(sweep* s)
{
  for (; s->put < s->taken; s->put++) {
    outcome* o = &s->window[s->put % WINDOW];
    if (o->ready && put(s, o) != PC_OK) return;
  }
}

static void show(sweep* s)
{
  double now = wall_clock();
  if (!s->monitor || !s->monitor->show || now - s->shown < 0.2 || s->put == 0) return;
  s->shown = now;
  double share = (double)s->put / (double)s->rows;
  s->monitor->show(s->monitor->user, share, (int)s->rows, (now - s->started) * (1 / share - 1));
}

/* The next turn, or NULL at the end. */
static outcome* take_turn(sweep* s)
{
  pthread_mutex_lock(&s->lock);
  while (!s->ended && s->taken - s->put >= WINDOW) pthread_cond_wait(&s->advanced, &s->lock);
  if (!s->ended && s->row_count == 0) {
    long count = batch_stops(s->monitor) ? 0 : s->flow->take(s->flow->user, s->row, TAKE);
    s->row_count = (int)count;
    if (count == 0) end(s, PC_OK, NULL);
  }
  outcome* o = NULL;
  if (!s->ended) {
    o = &s->window[s->taken++ % WINDOW];
    o->row = s->row[0];
    memmove(s->row, s->row + 1, (size_t)--s->row_count * sizeof *s->row);
  }
  pthread_mutex_unlock(&s->lock);
  return o;
}

static void* work(void* user)
{
  sweep* s = user;
  for (outcome* o; (o = take_turn(s)) != NULL;) {
    pc_error error = {0};
    pc_status status = do_row(s, o, &error);
    pthread_mutex_lock(&s->lock);
    if (status == PC_OK) {
      o->ready = 1;
      put_ready(s);
      show(s);
    } else {
      end(s, status, &error);
    }
    pthread_mutex_unlock(&s->lock);
  }
  return NULL;
}

static pc_status allocate(sweep* s, pc_error* error)
{
  size_t columns = (size_t)sweep_column_count(s->def);
  s->window = calloc(WINDOW, sizeof *s->window);
  if (!s->window) return set_error(error, PC_OUT_OF_MEMORY, "no memory");
  for (int i = 0; i < WINDOW; i++) {
    s->window[i].value = calloc(columns, sizeof(double*));
    s->window[i].count = calloc(columns, sizeof(int));
    if (!s->window[i].value || !s->window[i].count)
      return set_error(error, PC_OUT_OF_MEMORY, "no memory");
  }
  return PC_OK;
}

static void free_window(sweep* s)
{
  for (int i = 0; s->window && i < WINDOW; i++) {
    if (s->window[i].value) clear(s->def, &s->window[i]);
    free(s->window[i].value);
    free(s->window[i].count);
  }
  free(s->window);
}

/* This thread works too; if others cannot be had, it does all. */
static void work_together(sweep* s, int threads)
{
  pthread_t other[THREADS_MAX];
  int others = 0;
  while (others < threads - 1 && others < THREADS_MAX &&
         pthread_create(&other[others], NULL, work, s) == 0)
    others++;
  work(s);
  for (int i = 0; i < others; i++) pthread_join(other[i], NULL);
}

pc_status run_sweep(const sweep_def* def, const sweep_flow* flow, long rows, int threads,
                    const batch_monitor* monitor, pc_error* error)
{
  sweep s = {.def = def, .flow = flow, .monitor = monitor, .rows = rows};
  s.started = s.shown = wall_clock();
  pthread_mutex_init(&s.lock, NULL);
  pthread_cond_init(&s.advanced, NULL);
  pc_status status = allocate(&s, error);
  if (status == PC_OK) {
    work_together(&s, threads);
    if (s.status == PC_OK || s.status == PC_STOPPED) put_rest(&s);
    status = s.status;
    if (status == PC_OK && batch_stops(monitor)) status = PC_STOPPED;
    if (status != PC_OK && error) *error = s.error;
  }
  free_window(&s);
  pthread_cond_destroy(&s.advanced);
  pthread_mutex_destroy(&s.lock);
  return status;
}
