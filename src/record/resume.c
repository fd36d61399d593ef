/* Going on with the file of a run that ended early.
 *
 * A row is a complete state, so a run can go on from any of them. But what a row sums up since the
 * row before it can only be summed up again from a row on the grid of `every`: hence the last of
 * those is where the run goes on, and what lies beyond it in the file is dropped. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/attribute.h"
#include "record/complete.h"
#include "record/file.h"
#include "record/number.h"
#include "record/recorder.h"
#include "record/sound.h"
#include "record/text.h"

enum { PATH_SIZE = 256 };

/* --- is it the same run? ---------------------------------------------------------------------- */

/* A line of a text, without its end. */
typedef struct line {
  const char* text;
  int length;
} line;

/* The next line from *at on, which moves behind it; 0 if there is none. */
static int next_line(const char** at, line* next)
{
  if (**at == '\0') return 0;
  next->text = *at;
  next->length = (int)strcspn(*at, "\n");
  *at += next->length;
  if (**at == '\n') ++*at;
  return 1;
}

static int same(line a, line b)
{
  return a.length == b.length && memcmp(a.text, b.text, (size_t)a.length) == 0;
}

/* The name in "name=value". */
static line name_of(line option)
{
  const char* equals = memchr(option.text, '=', (size_t)option.length);
  return (line){option.text, equals ? (int)(equals - option.text) : option.length};
}

/* The line of `options` that names the same option, or an empty one. */
static line find_option(const char* options, line option)
{
  line candidate;
  while (next_line(&options, &candidate))
    if (same(name_of(candidate), name_of(option))) return candidate;
  return (line){"", 0};
}

/* The first option of `options` that is not the same in `others`; 0 if there is none. */
static int find_difference(const char* options, const char* others, line* mine, line* other)
{
  static const line until = {"until", 5};
  while (next_line(&options, mine)) {
    *other = find_option(others, *mine);
    if (!same(name_of(*mine), until) && !same(*mine, *other)) return 1;
  }
  return 0;
}

#define WAY_OUT "resume with the options of before, or record a new file"

static pc_status check_options(const pc_recorder* r, const char* written, const char* now,
                               pc_error* error)
{
  line was = {"", 0}, is = {"", 0};
  if (!find_difference(written, now, &was, &is) && !find_difference(now, written, &is, &was))
    return PC_OK;
  if (is.length == 0)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "cannot resume '%s': it was written with %.*s, this run is without; " WAY_OUT,
                   r->path, was.length, was.text);
  if (was.length == 0)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "cannot resume '%s': it was written without %.*s; " WAY_OUT, r->path, is.length,
                   is.text);
  return pc_fail(error, PC_BAD_ARGUMENT,
                 "cannot resume '%s': it was written with %.*s, this run has %.*s; " WAY_OUT,
                 r->path, was.length, was.text, is.length, is.text);
}

/* The first line in which two texts differ, from 1. */
static int first_different_line(const char* a, const char* b)
{
  line x, y;
  int number = 1;
  while (next_line(&a, &x) && next_line(&b, &y) && same(x, y)) number++;
  return number;
}

static pc_status check_model(const pc_recorder* r, const char* written, const char* now,
                             pc_error* error)
{
  if (strcmp(written, now) == 0) return PC_OK;
  return pc_fail(error, PC_BAD_ARGUMENT,
                 "cannot resume '%s': it was written from another model text, line %d differs; "
                 "resume with the text in its dataset 'model', or record a new file",
                 r->path, first_different_line(written, now));
}

/* NULL where there is none. One that is there and cannot be read is no other text but damage. */
static pc_status read_text(const pc_recorder* r, hid_t file, const char* name, char** text,
                           pc_error* error)
{
  *text = NULL;
  errno = 0;
  if (H5Lexists(file, name, H5P_DEFAULT) <= 0 || pc_load_text(file, name, text) == 0) return PC_OK;
  *text = NULL;
  if (errno == ENOMEM) return pc_no_memory(error);
  return pc_fail(error, PC_BAD_MODEL, "'%s' is damaged: cannot read '%s' in it", r->path, name);
}

static pc_status check_texts(const pc_recorder* r, const pc_recorder_def* def, hid_t file,
                             pc_error* error)
{
  char *model = NULL, *options = NULL;
  pc_status status = read_text(r, file, "model", &model, error);
  if (status == PC_OK) status = read_text(r, file, "options", &options, error);
  if (status == PC_OK)
    status = check_model(r, model ? model : "", def->model_text ? def->model_text : "", error);
  if (status == PC_OK)
    status = check_options(r, options ? options : "", def->options ? def->options : "", error);
  free(model);
  free(options);
  return status;
}

/* The contents of /memory depend on the version of percuss. */
static pc_status check_program(const pc_recorder* r, hid_t file, pc_error* error)
{
  char* written = NULL;
  if (pc_read_text(file, "percuss_version", &written) != 0)
    return pc_fail(error, PC_BAD_MODEL,
                   "cannot resume '%s': cannot read the version of percuss that wrote it", r->path);
  int same = !strcmp(written, pc_version_text());
  pc_status status = PC_OK;
  if (!same)
    status = pc_fail(error, PC_BAD_MODEL,
                     "cannot resume '%s': percuss %s wrote it, this is %s; resume with that "
                     "version, or record a new file",
                     r->path, written, pc_version_text());
  free(written);
  return status;
}

static pc_status check_version(const pc_recorder* r, hid_t file, pc_error* error)
{
  long version;
  if (pc_read_long(file, "format_version", &version) != 0 ||
      H5Aexists(file, "percuss_version") <= 0)
    return pc_fail(error, PC_BAD_MODEL,
                   "cannot resume '%s': it is not a result of percuss, or the run was "
                   "stopped before anything was recorded; record a new file",
                   r->path);
  if (version == PC_FORMAT_VERSION) return check_program(r, file, error);
  return pc_fail(error, PC_BAD_MODEL,
                 "cannot resume '%s': it has version %ld of the format, this percuss writes "
                 "version %d; record a new file",
                 r->path, version, PC_FORMAT_VERSION);
}

static pc_status check_every(const pc_recorder* r, hid_t file, pc_error* error)
{
  long every;
  if (pc_read_long(file, "every", &every) != 0)
    return pc_fail(error, PC_BAD_MODEL, "cannot resume '%s': it has no attribute 'every'", r->path);
  if (every == r->every) return PC_OK;
  return pc_fail(error, PC_BAD_ARGUMENT,
                 "cannot resume '%s': it was written with every=%ld, this run has "
                 "every=%ld; " WAY_OUT,
                 r->path, every, r->every);
}

/* `complete` comes before the texts: it is written after them when a file is made. */
static pc_status check_content(const pc_recorder* r, const pc_recorder_def* def, hid_t file,
                               pc_complete* complete, pc_error* error)
{
  PC_TRY(check_version(r, file, error));
  if (pc_complete_read(file, complete) != 0)
    return pc_fail(error, PC_BAD_MODEL,
                   "cannot resume '%s': nothing is recorded in it; record a new file", r->path);
  PC_TRY(check_texts(r, def, file, error));
  return check_every(r, file, error);
}

/* Without writing anything: a file that does not fit stays as it is. `rows` are those that it says
 * are complete. */
static pc_status check_file(const pc_recorder* r, const pc_recorder_def* def, long* rows,
                            pc_error* error)
{
  PC_TRY(pc_file_examine(r->path, error));
  hid_t file = pc_file_open(r->path, 0);
  if (file < 0) return pc_fail(error, PC_BAD_MODEL, "cannot resume '%s': it is damaged", r->path);
  pc_complete complete = {0};
  pc_status status = check_content(r, def, file, &complete, error);
  *rows = complete.rows;
  H5Fclose(file);
  return status;
}

/* --- its datasets ----------------------------------------------------------------------------- */

static pc_status damaged(const pc_recorder* r, const char* path, pc_error* error)
{
  return pc_fail(error, PC_BAD_MODEL,
                 "cannot resume '%s': /%s is missing or damaged; record a new file", r->path, path);
}

/* A dataset that cannot be gone on with: it is not there, or not as percuss makes it. */
static pc_status unfit(const pc_recorder* r, const char* path, pc_error* error)
{
  hid_t dataset = pc_open_dataset(r->file, path, H5P_DEFAULT);
  if (dataset < 0) return damaged(r, path, error);
  H5Dclose(dataset);
  return pc_fail(error, PC_BAD_MODEL,
                 "cannot resume '%s': /%s has another shape, type or storage than percuss gives "
                 "it; record a new file",
                 r->path, path);
}

/* The width of /memory is known to the file alone. */
static pc_status open_memory(pc_recorder* r, pc_error* error)
{
  if (H5Lexists(r->file, "memory", H5P_DEFAULT) <= 0) return PC_OK;
  hid_t dataset = pc_open_dataset(r->file, "memory", H5P_DEFAULT);
  if (dataset < 0) return damaged(r, "memory", error);
  int width = pc_dataset_width(dataset);
  H5Dclose(dataset);
  if (width < 0) return damaged(r, "memory", error);
  if (pc_recorder_size_memory(r, width) != PC_OK) return pc_no_memory(error);
  int opened = pc_column_open(&r->column[PC_COLUMN_MEMORY], r->file, "memory") == 0;
  return opened ? PC_OK : damaged(r, "memory", error);
}

/* All but the iterations: these are opened when their names are known. */
static pc_status open_datasets(pc_recorder* r, pc_error* error)
{
  char path[PATH_SIZE];
  for (int i = 0; i < r->column_count; i++) {
    pc_recorder_column_path(r, i, path, sizeof path);
    if (*path && pc_column_open(&r->column[i], r->file, path) != 0) return unfit(r, path, error);
  }
  if (pc_events_open(&r->events, r->file) != 0) return damaged(r, "ledger/events", error);
  if (pc_found_open(&r->found, r->file) != 0) return damaged(r, "found", error);
  if (pc_violations_open(&r->violations, r->file) != 0)
    return damaged(r, "ledger/violations", error);
  r->complete = pc_complete_open(r->file);
  if (r->complete < 0) return damaged(r, "complete", error);
  if (r->column[PC_COLUMN_TIME].chunk_rows < r->rows.capacity)
    r->rows.capacity = r->column[PC_COLUMN_TIME].chunk_rows; /* see pc_recorder_observe */
  return open_memory(r, error);
}

/* Does something to each dataset of /iterations; -1 as soon as it fails, at the one in `at`. */
static int visit_iterations(const pc_recorder* r, int (*visit)(hid_t dataset, long* rows),
                            long* rows, char at[PATH_SIZE])
{
  pc_names phase;
  snprintf(at, PATH_SIZE, "iterations");
  if (pc_list_members(r->file, "iterations", &phase) != 0) return -1;
  int ok = 1;
  for (int i = 0; i < phase.count && ok; i++) {
    snprintf(at, PATH_SIZE, "iterations/%s", phase.name[i]);
    hid_t dataset = pc_open_dataset(r->file, at, H5P_DEFAULT);
    ok = dataset >= 0 && visit(dataset, rows) == 0;
    if (dataset >= 0) H5Dclose(dataset);
  }
  pc_names_free(&phase);
  return ok ? 0 : -1;
}

static int take_shortest(hid_t dataset, long* rows)
{
  long length = pc_dataset_rows(dataset);
  if (length >= 0 && length < *rows) *rows = length;
  return length >= 0 ? 0 : -1;
}

/* A block of rows that is gone on with is read when it is written. */
static int read_row(hid_t dataset, long row)
{
  hsize_t first = (hsize_t)row, one = 1;
  int number;
  hid_t from = H5Dget_space(dataset), to = H5Screate_simple(1, &one, NULL);
  int ok = from >= 0 && to >= 0 &&
           H5Sselect_hyperslab(from, H5S_SELECT_SET, &first, NULL, &one, NULL) >= 0 &&
           H5Dread(dataset, H5T_NATIVE_INT, to, from, H5P_DEFAULT, &number) >= 0;
  if (from >= 0) H5Sclose(from);
  if (to >= 0) H5Sclose(to);
  return ok ? 0 : -1;
}

/* To rows[0] from rows[1]. */
static int renew(hid_t dataset, long* rows)
{
  if (pc_dataset_renew(dataset, rows[0], rows[1]) != 0) return -1;
  return rows[0] > 0 ? read_row(dataset, rows[0] - 1) : 0;
}

/* Rows that are complete in all datasets: those that were committed, unless some were dropped
 * since, and their events. */
static pc_status count_rows(pc_recorder* r, long* rows, long* events, pc_error* error)
{
  pc_complete complete;
  if (pc_complete_read(r->file, &complete) != 0) return damaged(r, "complete", error);
  *rows = complete.rows;
  *events = complete.events;
  for (int i = 0; i < r->column_count; i++)
    if (r->column[i].dataset >= 0 && take_shortest(r->column[i].dataset, rows) != 0)
      return damaged(r, "time or another dataset", error);
  for (int i = 0; i < r->events.column_count; i++)
    if (take_shortest(r->events.column[i].dataset, events) != 0)
      return damaged(r, "ledger/events", error);
  char path[PATH_SIZE];
  if (visit_iterations(r, take_shortest, rows, path) != 0) return damaged(r, path, error);
  for (int i = 0; i < r->column_count; i++) {
    pc_recorder_column_path(r, i, path, sizeof path);
    if (*path && !pc_column_holds(&r->column[i], *rows)) return damaged(r, path, error);
  }
  return PC_OK;
}

/* --- where it goes on ------------------------------------------------------------------------- */

/* The step of a row. Rows are at 0, every, 2 every ...; only the last one may be off that grid. */
static pc_status read_step(const pc_recorder* r, long row, int last, long* step, pc_error* error)
{
  double number;
  if (pc_column_read(&r->column[PC_COLUMN_STEP], row, &number) != 0)
    return damaged(r, "step", error);
  *step = pc_long_of(number);
  long grid = row * r->every;
  int sound = *step == grid || (last && *step<grid&& * step> grid - r->every);
  return sound ? PC_OK : damaged(r, "step", error);
}

/* The number of rows to keep; the last of them is the one to go on from. */
static pc_status choose_row(const pc_recorder* r, long until_step, long* rows,
                            pc_resume_state* resume, pc_error* error)
{
  if (*rows == 0) return PC_OK;
  PC_TRY(read_step(r, *rows - 1, 1, &resume->step, error));
  resume->finished = resume->step >= until_step;
  if (resume->finished) return PC_OK;
  if (resume->step % r->every != 0) {
    --*rows;
    PC_TRY(read_step(r, *rows - 1, 0, &resume->step, error));
  }
  if (resume->step == 0) *rows = 0; /* the initial state will be seen again */
  return PC_OK;
}

/* Puts a dataset's columns where they belong in q, u or P. `row` is scratch, the widest row. */
static int restore_dataset(const pc_recorder* r, int which, long at, double* numbers, double* row)
{
  const pc_dataset* d = &r->layout.dataset[which];
  if (pc_column_read(&r->column[PC_COLUMN_DATASETS + which], at, row) != 0) return -1;
  for (int i = 0; i < d->width; i++) numbers[d->index ? d->index[i] : i] = row[i];
  return 0;
}

static pc_status read_state(pc_recorder* r, long row, pc_resume_state* resume, pc_error* error)
{
  const pc_system* system = r->layout.system;
  size_t n_q = (size_t)pc_system_q_count(system), n_u = (size_t)pc_system_u_count(system);
  size_t n_P = (size_t)pc_system_row_count(system);
  size_t n_memory = r->memory_count > 0 ? (size_t)r->memory_count : 0;
  size_t widest = n_q + n_u + n_P;
  double* q = r->resumed.state = pc_alloc(2 * widest + n_memory, sizeof *q);
  if (!q) return pc_no_memory(error);
  double *u = q + n_q, *P = u + n_u, *memory = P + n_P, *scratch = memory + n_memory;
  for (int i = 0; i < PC_DATASET_COUNT; i++) {
    pc_quantity_kind kind = r->layout.dataset[i].kind;
    double* numbers = kind == PC_QUANTITY_Q       ? q
                      : kind == PC_QUANTITY_U     ? u
                      : kind == PC_QUANTITY_ROW_P ? P
                                                  : NULL;
    if (numbers && restore_dataset(r, i, row, numbers, scratch) != 0)
      return damaged(r, r->layout.dataset[i].path, error);
  }
  if (n_memory && pc_column_read(&r->column[PC_COLUMN_MEMORY], row, memory) != 0)
    return damaged(r, "memory", error);
  if (pc_column_read(&r->column[PC_COLUMN_TIME], row, &resume->t) != 0)
    return damaged(r, "time", error);
  resume->q = q;
  resume->u = u;
  resume->P = P;
  resume->memory = memory;
  resume->memory_count = (int)n_memory;
  errno = 0;
  if (pc_found_restore(&r->found, row + 1, &r->resumed.found) != 0)
    return errno == ENOMEM ? pc_no_memory(error) : damaged(r, "found", error);
  resume->found = r->resumed.found;
  return PC_OK;
}

/* Fails at the column whose path is in `at`, which is empty otherwise. */
static int trim_columns(pc_recorder* r, long rows, char at[PATH_SIZE])
{
  for (int i = 0; i < r->column_count; i++) {
    pc_column* column = &r->column[i];
    if (column->dataset < 0) continue;
    if (pc_column_renew(column, rows) == 0 && pc_column_take_up(column, rows) == 0) continue;
    pc_recorder_column_path(r, i, at, PATH_SIZE);
    return -1;
  }
  return 0;
}

/* First the file says how much of it counts, then the rest goes: whenever this is interrupted, it
 * can be done again. */
static int trim(pc_recorder* r, long rows, char at[PATH_SIZE])
{
  long lengths[2] = {rows, rows + 2L * r->rows.capacity + PC_CHUNK_ROWS_MAX};
  if (pc_recorder_commit(r, rows, r->events.written) != 0) return -1;
  if (trim_columns(r, rows, at) != 0) return -1;
  if (visit_iterations(r, renew, lengths, at) != 0) return -1;
  snprintf(at, PATH_SIZE, "ledger/events");
  if (pc_events_trim(&r->events) != 0) return -1;
  snprintf(at, PATH_SIZE, "found");
  if (pc_found_trim(&r->found, rows) != 0) return -1;
  *at = '\0';
  r->rows.written = r->flushes.rows = rows;
  return H5Fflush(r->file, H5F_SCOPE_LOCAL) >= 0 ? 0 : -1;
}

/* Where the system has nothing to complain about, it is what is there that cannot be read. */
static pc_status trim_to(pc_recorder* r, long rows, pc_error* error)
{
  char at[PATH_SIZE] = "";
  errno = 0;
  if (trim(r, rows, at) == 0) return PC_OK;
  return errno == 0 && *at ? damaged(r, at, error) : pc_cannot_write(r->path, errno, error);
}

static pc_status append(pc_recorder* r, long until_step, pc_resume_state* resume, pc_error* error)
{
  long rows = 0, events = 0;
  errno = 0;
  r->file = pc_file_open(r->path, 1);
  if (r->file < 0) return pc_cannot_write(r->path, errno, error);
  PC_TRY(open_datasets(r, error));
  PC_TRY(count_rows(r, &rows, &events, error));
  PC_TRY(choose_row(r, until_step, &rows, resume, error));
  if (pc_found_count(&r->found, rows) != 0) return damaged(r, "found", error);
  if (rows > 0) {
    PC_TRY(read_state(r, rows - 1, resume, error));
    if (r->memory_count < 0) r->memory_count = 0;
  }
  if (pc_events_count(&r->events, rows > 0 ? events : 0, resume->step) != 0)
    return damaged(r, "ledger/events", error);
  r->resumed.next_step = rows > 0 ? resume->step + 1 : 0;
  return trim_to(r, rows, error);
}

/* A file without rows may have been interrupted while it was made: it is made again. */
static pc_status go_on(pc_recorder* r, const pc_recorder_def* def, long until_step,
                       pc_resume_state* resume, pc_error* error)
{
  long rows = 0;
  PC_TRY(check_file(r, def, &rows, error));
  if (rows > 0) return append(r, until_step, resume, error);
  r->resumed.next_step = 0;
  return pc_recorder_create_file(r, def, error);
}

pc_status pc_recorder_resume(const pc_recorder_def* def, long until_step, pc_resume_state* resume,
                             pc_recorder** recorder, pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  PC_TRY(pc_need(resume, "resume", error));
  PC_TRY(pc_need(recorder, "recorder", error));
  *recorder = NULL;
  *resume = (pc_resume_state){0};
  PC_TRY(pc_hdf5_load(PC_CANNOT_WRITE, error));
  pc_recorder* r;
  pc_hdf5_use use = pc_hdf5_begin();
  pc_status status = pc_recorder_prepare(def, &r, error);
  if (status == PC_OK) status = go_on(r, def, until_step, resume, error);
  if (status == PC_OK) {
    *recorder = r;
  } else if (r) {
    *resume = (pc_resume_state){0};
    pc_recorder_close_file(r);
    pc_recorder_destroy(r);
  }
  pc_hdf5_end(use);
  return status;
}
