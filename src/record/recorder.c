/* The result file as an observer. Every recorded state is one row of every dataset; rows wait in
 * memory, in buffers of bounded size, and are written together when these are full. The file is
 * flushed after some of these writes, or when rows have waited long enough: what HDF5 has to write
 * then costs as much as a thousand rows.
 *
 * The row after the waiting ones always takes the state seen last: recording it means counting it.
 * So the last state of a run can be recorded on closing whatever `every` is. */
#include "record/recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/attribute.h"
#include "record/complete.h"
#include "record/file.h"
#include "record/text.h"

enum {
  SERIES_MAX = 256,       /* of a run that records everything; beyond it, the columns must do */
  ROWS_MAX = 4096,        /* that a kill may cost */
  BUFFER_BYTES = 1 << 22, /* in memory, all datasets together; at least one row is kept */
  /* Rows of a chunk, at most. Real numbers and their checksum just fit into two pages, or into one
   * if nobody knows how many rows there will be: the last chunk takes its space even if it is not
   * full. */
  CHUNK_MAX = 1023,
  SHORT_CHUNK_MAX = 511
};

pc_recorder_def pc_default_recorder_def(void)
{
  return (pc_recorder_def){.every = 1, .flush_seconds = 60};
}

static pc_status check_def(const pc_recorder_def* def, pc_error* error)
{
  if (!def->path || !def->path[0]) return pc_fail(error, PC_BAD_ARGUMENT, "path: none is given");
  if (!def->system) return pc_fail(error, PC_BAD_ARGUMENT, "system: none is given");
  if (def->every < 1)
    return pc_fail(error, PC_BAD_ARGUMENT, "every: %ld, must be 1 or more", def->every);
  if (def->quantity_count < 0)
    return pc_fail(error, PC_BAD_ARGUMENT, "quantity_count: %d, must not be negative",
                   def->quantity_count);
  if (def->chunk_rows < 0)
    return pc_fail(error, PC_BAD_ARGUMENT, "chunk_rows: %d, must not be negative", def->chunk_rows);
  if (def->expected_rows < 0)
    return pc_fail(error, PC_BAD_ARGUMENT, "expected_rows: %ld, must not be negative",
                   def->expected_rows);
  if (!(def->flush_seconds >= 0))
    return pc_fail(error, PC_BAD_ARGUMENT, "flush_seconds: %g, must not be negative",
                   def->flush_seconds);
  int count = pc_system_quantity_count(def->system);
  for (int i = 0; i < def->quantity_count; i++)
    if (def->quantity[i] < 0 || def->quantity[i] >= count)
      return pc_fail(error, PC_BAD_ARGUMENT, "quantity: %d, the system has 0 to %d",
                     def->quantity[i], count - 1);
  return PC_OK;
}

/* The quantities to record, each once. */
static pc_status list_series(pc_recorder* r, const pc_recorder_def* def, pc_error* error)
{
  int count = pc_system_quantity_count(def->system);
  char* listed = pc_alloc((size_t)count, 1);
  r->content.series = pc_alloc((size_t)def->quantity_count, sizeof *r->content.series);
  pc_status status = listed && r->content.series ? PC_OK : pc_no_memory(error);
  for (int i = 0; status == PC_OK && i < def->quantity_count; i++)
    if (!listed[def->quantity[i]]++)
      r->content.series[r->content.series_count++] =
          pc_system_quantity(def->system, def->quantity[i]);
  r->content.everything = r->content.series_count == count;
  free(listed);
  return status;
}

/* Many thousand views would cost more than all the rest of the run: only those stay that are no
 * column under their own name. */
static pc_status limit_series(pc_recorder* r, pc_error* error)
{
  if (!r->content.everything || r->content.series_count <= SERIES_MAX) return PC_OK;
  const char** column = pc_alloc((size_t)r->content.series_count, sizeof *column);
  if (!column || pc_layout_name_columns(&r->layout, r->content.series, r->content.series_count,
                                        column) != PC_OK) {
    free(column);
    return pc_no_memory(error);
  }
  int kept = 0;
  for (int i = 0; i < r->content.series_count; i++)
    if (strcmp(r->content.series[i].name, column[i]) != 0)
      r->content.series[kept++] = r->content.series[i];
  r->content.series_count = kept;
  free(column);
  return PC_OK;
}

/* What a run needs to go on is stored in any case, the rest if it is listed. Without a list all
 * is. */
static void choose_datasets(pc_recorder* r)
{
  for (int k = 0; k < PC_DATASET_COUNT; k++) {
    pc_quantity_kind kind = r->layout.dataset[k].kind;
    r->content.stored[k] = r->content.everything || r->content.series_count == 0 ||
                           kind == PC_QUANTITY_Q || kind == PC_QUANTITY_U ||
                           kind == PC_QUANTITY_ROW_P;
  }
  for (int i = 0; i < r->content.series_count; i++) {
    int column;
    const pc_dataset* d = pc_layout_find(&r->layout, &r->content.series[i], &column);
    if (d) r->content.stored[d - r->layout.dataset] = 1;
  }
}

static int width_of(const pc_recorder* r, int column)
{
  if (column == PC_COLUMN_MEMORY) return 0; /* as long as no state was seen */
  int vector = column >= PC_COLUMN_DATASETS && column < PC_COLUMN_ITERATIONS;
  if (!vector) return PC_SCALAR;
  int k = column - PC_COLUMN_DATASETS;
  return r->content.stored[k] ? r->layout.dataset[k].width : 0;
}

/* As many rows as fit into the memory allowed. */
static int rows_of_memory(const pc_recorder* r)
{
  size_t bytes = sizeof(double); /* never zero; one more number per row makes no difference */
  for (int i = 0; i < r->column_count; i++) {
    int width = width_of(r, i);
    bytes += sizeof(double) * (width == PC_SCALAR ? 1 : (size_t)width);
  }
  size_t rows = BUFFER_BYTES / bytes;
  return rows < 1 ? 1 : rows > CHUNK_MAX ? CHUNK_MAX : (int)rows;
}

/* What a run of so many rows takes in the file, if a chunk has `chunk_rows`. */
static size_t bytes_of_run(const pc_recorder* r, long rows, int chunk_rows)
{
  size_t bytes = 0, chunks = (size_t)((rows + chunk_rows - 1) / chunk_rows);
  for (int i = 0; i < r->column_count; i++)
    bytes += chunks * pc_chunk_bytes(width_of(r, i), pc_recorder_column_type(r, i), chunk_rows);
  return bytes;
}

/* Rows of a chunk, the same for all columns: many, for each chunk costs a call of HDF5 and a write;
 * but such that little is wasted in the last chunk, and in the last page of each. */
static int choose_chunk_rows(const pc_recorder* r, long expected)
{
  int most = rows_of_memory(r), limit = expected > 0 ? CHUNK_MAX : SHORT_CHUNK_MAX;
  if (most > limit) most = limit;
  if (expected == 0) return most;
  if (most > expected) most = (int)expected;
  int best = most;
  for (int rows = most - 1; rows > most / 2; rows--)
    if (bytes_of_run(r, expected, rows) < bytes_of_run(r, expected, best)) best = rows;
  return best;
}

/* Buffers hold a chunk: one that is full when it is written is written once. */
static pc_status allocate_columns(pc_recorder* r, const pc_recorder_def* def, pc_error* error)
{
  r->column_count = PC_COLUMN_COUNT;
  r->column = pc_alloc((size_t)r->column_count, sizeof *r->column);
  if (!r->column) return pc_no_memory(error);
  int chunk_rows = def->chunk_rows > 0 ? 0 : choose_chunk_rows(r, def->expected_rows);
  r->rows.capacity = chunk_rows > 0 ? chunk_rows : def->chunk_rows;
  for (int i = 0; i < r->column_count; i++)
    if (pc_column_allocate(&r->column[i], width_of(r, i), pc_recorder_column_type(r, i),
                           r->rows.capacity, chunk_rows) != PC_OK)
      return pc_no_memory(error);
  if (pc_violations_allocate(&r->violations, r->layout.system) != PC_OK) return pc_no_memory(error);
  if (pc_found_allocate(&r->found, r->layout.system, r->rows.capacity) != PC_OK)
    return pc_no_memory(error);
  return pc_events_allocate(&r->events, r->layout.system) == PC_OK ? PC_OK : pc_no_memory(error);
}

static int describe_file(pc_recorder* r, const pc_recorder_def* def)
{
  hid_t file = r->file;
  if (pc_write_text(file, "percuss_version", pc_version_text()) != 0 ||
      pc_write_integer(file, "format_version", PC_FORMAT_VERSION) != 0)
    return -1;
  if (def->model_text && pc_store_text(file, "model", def->model_text) != 0) return -1;
  if (def->options && pc_store_text(file, "options", def->options) != 0) return -1;
  if (pc_write_long(file, "every", def->every) != 0 ||
      pc_write_integer(file, "everything", r->content.everything) != 0)
    return -1;
  return pc_recorder_describe_datasets(r);
}

int pc_recorder_close_file(pc_recorder* r)
{
  int ok = pc_events_close(&r->events) == 0;
  ok = pc_found_close(&r->found) == 0 && ok;
  ok = pc_violations_close(&r->violations) == 0 && ok;
  if (r->column)
    for (int i = 0; i < r->column_count; i++) ok = pc_column_close(&r->column[i]) == 0 && ok;
  if (r->complete >= 0) ok = H5Dclose(r->complete) >= 0 && ok;
  if (r->file >= 0) ok = pc_file_close(r->file) == 0 && ok;
  r->file = r->complete = H5I_INVALID_HID;
  return ok ? 0 : -1;
}

void pc_recorder_destroy(pc_recorder* r)
{
  if (!r) return;
  pc_layout_destroy(&r->layout);
  free(r->column);
  free(r->content.series);
  free(r->resumed.state);
  pc_found_free(&r->resumed.found);
  free(r->path);
  free(r);
}

/* HDF5's own share, in pages of 4 KiB (see file.c): a dataset's header, its continuation and the
 * root of its index; or the nodes of the index that a flush may add, and the rest of a chunk's last
 * page. */
enum { DATASET_BYTES = 3 * 4096, FILE_BYTES = 1 << 16 };

static size_t length_of(const char* text)
{
  return text ? strlen(text) : 0;
}

/* At most what the file takes before its first row: the attributes with all names (contact names
 * are parts of them), twice because HDF5 stores texts in blocks. */
static size_t bytes_of_header(const pc_recorder* r, const pc_recorder_def* def)
{
  size_t bytes = FILE_BYTES + DATASET_BYTES * (size_t)(r->column_count + PC_EVENT_COLUMN_COUNT);
  bytes += 2 * DATASET_BYTES + pc_violations_bytes(def->system);
  bytes += pc_found_header_bytes(def->system);
  bytes += DATASET_BYTES * (size_t)r->content.series_count;
  bytes += 2 * (length_of(def->model_text) + length_of(def->options));
  for (int i = 0; i < pc_system_quantity_count(def->system); i++)
    bytes += 2 * (3 * 64 + 3 * strlen(pc_system_quantity(def->system, i).name));
  return bytes;
}

/* At most what writing full buffers adds to the file. */
static size_t bytes_of_flush(const pc_recorder* r)
{
  size_t bytes = FILE_BYTES + DATASET_BYTES * PC_EVENT_COLUMN_COUNT;
  if (r->events.waiting > 0) bytes += pc_events_chunk_bytes(&r->events);
  bytes += pc_found_chunk_bytes(&r->found);
  for (int i = 0; i < r->column_count; i++)
    bytes += DATASET_BYTES + pc_column_chunk_bytes(&r->column[i]);
  return bytes;
}

/* To some milliseconds, which is all it takes: it is asked for with every step. */
static double wall_clock(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static pc_status build(pc_recorder* r, const pc_recorder_def* def, pc_error* error)
{
  r->every = def->every;
  r->flushes = (pc_flushes){.every = def->chunk_rows > 0 ? def->chunk_rows : ROWS_MAX,
                            .seconds = def->flush_seconds,
                            .last = wall_clock()};
  r->path = pc_copy_text(def->path);
  if (!r->path) return pc_no_memory(error);
  PC_TRY(pc_layout_create(&r->layout, def->system, error));
  PC_TRY(list_series(r, def, error));
  choose_datasets(r);
  PC_TRY(limit_series(r, error));
  return allocate_columns(r, def, error);
}

pc_status pc_recorder_prepare(const pc_recorder_def* def, pc_recorder** recorder, pc_error* error)
{
  *recorder = NULL;
  PC_TRY(check_def(def, error));
  pc_recorder* r = *recorder = pc_alloc(1, sizeof *r);
  if (!r) return pc_no_memory(error);
  r->file = r->complete = r->violations.dataset = H5I_INVALID_HID;
  r->resumed.next_step = r->memory_count = -1;
  return build(r, def, error);
}

/* Everything but what only the first states define: first what never changes, then what grows. */
static int fill_file(pc_recorder* r, const pc_recorder_def* def)
{
  if (describe_file(r, def) != 0) return -1;
  r->file = pc_file_finish_description(r->file, r->path, bytes_of_header(r, def));
  if (r->file < 0) return -1;
  r->complete = pc_complete_create(r->file);
  if (r->complete < 0 || pc_recorder_create_datasets(r) != 0) return -1;
  return H5Fflush(r->file, H5F_SCOPE_LOCAL) >= 0 ? 0 : -1;
}

pc_status pc_recorder_create_file(pc_recorder* r, const pc_recorder_def* def, pc_error* error)
{
  PC_TRY(pc_file_create(r->path, bytes_of_header(r, def), def->force, &r->file, error));
  r->began = 1;
  errno = 0;
  return fill_file(r, def) == 0 ? PC_OK : pc_cannot_write(r->path, errno, error);
}

pc_status pc_recorder_create(const pc_recorder_def* def, pc_recorder** recorder, pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  PC_TRY(pc_need(recorder, "recorder", error));
  *recorder = NULL;
  PC_TRY(pc_hdf5_load(PC_CANNOT_WRITE, error));
  pc_recorder* r;
  pc_hdf5_use use = pc_hdf5_begin();
  pc_status status = pc_recorder_prepare(def, &r, error);
  if (status == PC_OK) status = pc_recorder_create_file(r, def, error);
  if (status == PC_OK) {
    *recorder = r;
  } else if (r) {
    int began = r->began;
    pc_recorder_close_file(r);
    if (began) unlink(r->path); /* a file without its datasets is useless */
    pc_recorder_destroy(r);
  }
  pc_hdf5_end(use);
  return status;
}

int pc_recorder_commit(pc_recorder* r, long rows, long events)
{
  if (H5Fflush(r->file, H5F_SCOPE_LOCAL) < 0) return -1;
  if (pc_complete_write(r->complete, (pc_complete){rows, events}) != 0) return -1;
  return H5Fflush(r->file, H5F_SCOPE_LOCAL) >= 0 ? 0 : -1;
}

/* The rows that wait, of all columns. */
static int write_rows(pc_recorder* r, int last)
{
  int (*write)(pc_column*, long, int) = last ? pc_column_finish : pc_column_write;
  for (int i = 0; i < r->column_count; i++)
    if (r->column[i].dataset >= 0 && write(&r->column[i], r->rows.written, r->rows.waiting) != 0)
      return -1;
  if (pc_found_write(&r->found, r->rows.written, r->rows.waiting) != 0) return -1;
  r->rows.written += r->rows.waiting;
  r->rows.waiting = 0;
  return 0;
}

/* The events that wait, and that all this is in the file. */
static int commit(pc_recorder* r)
{
  if (pc_events_write(&r->events) != 0 || pc_violations_write(&r->violations) != 0) return -1;
  r->events.written += r->events.waiting;
  r->events.waiting = 0;
  r->flushes.rows = r->rows.written;
  r->flushes.last = wall_clock();
  return pc_recorder_commit(r, r->rows.written, r->events.written);
}

typedef enum extent { ROWS, ALL, FOR_EVER } extent;

/* Rows, or all that waits and a commit, or that for the last time; if there is space for all of
 * it. */
static int write_waiting(pc_recorder* r, extent what)
{
  pc_hdf5_use use = pc_hdf5_begin();
  int reason = pc_file_reserve(r->file, bytes_of_flush(r)), failed = reason != 0;
  errno = 0;
  if (!failed && (write_rows(r, what == FOR_EVER) != 0 || (what != ROWS && commit(r) != 0))) {
    failed = 1;
    reason = errno;
  }
  pc_hdf5_end(use);
  if (failed) pc_cannot_write(r->path, reason, &r->error);
  return failed ? -1 : 0;
}

static int flush(pc_recorder* r)
{
  int nothing = r->rows.written + r->rows.waiting == r->flushes.rows && r->events.waiting == 0;
  r->flushes.last = wall_clock();
  return nothing ? 0 : write_waiting(r, ALL);
}

/* Records the state seen last. Rows are written when they are a multiple of `capacity`, which is a
 * full chunk, also if a flush came before that because it was due. */
static int keep(pc_recorder* r)
{
  r->rows.unkept = 0;
  r->rows.waiting++;
  pc_found_keep(&r->found);
  r->tally = (pc_tally){0};
  long rows = r->rows.written + r->rows.waiting;
  if (rows % r->rows.capacity != 0) return 0;
  return rows - r->flushes.rows >= r->flushes.every ? flush(r) : write_waiting(r, ROWS);
}

static int keep_event(pc_recorder* r, const pc_event* event)
{
  if (event->kind == PC_NO_EVENT) return 0;
  if (pc_events_full(&r->events) && flush(r) != 0) return -1;
  pc_events_add(&r->events, event);
  return 0;
}

/* The events of the step, each in its place before the row of the step. */
static int keep_events(pc_recorder* r, const pc_observation* seen)
{
  for (int k = 0; k < pc_system_contact_count(seen->system); k++) {
    pc_event event = pc_observe_event(seen, k);
    if (keep_event(r, &event) != 0) return -1;
  }
  for (int i = 0; i < pc_found_event_count(seen); i++) {
    pc_event event = pc_observe_found_event(seen, i);
    if (keep_event(r, &event) != 0) return -1;
  }
  return 0;
}

/* Space for the contacts between shapes of the step. */
static int make_space(pc_recorder* r, const pc_observation* seen)
{
  if (pc_found_fits(&r->found, seen->found)) return 0;
  if (flush(r) != 0) return -1;
  if (pc_found_reserve(&r->found, seen->found) == 0) return 0;
  pc_no_memory(&r->error);
  return -1;
}

static void fill_row(pc_recorder* r, const pc_observation* seen)
{
  pc_column* c = r->column;
  int row = r->rows.waiting;
  *pc_column_row(&c[PC_COLUMN_TIME], row) = seen->state->t;
  *pc_column_row(&c[PC_COLUMN_STEP], row) = (double)seen->info->step;
  *pc_column_row(&c[PC_COLUMN_KINETIC], row) = seen->kinetic;
  *pc_column_row(&c[PC_COLUMN_POTENTIAL], row) = seen->potential;
  for (int i = 0; i < PC_TALLY_COUNT; i++)
    *pc_column_row(&c[PC_COLUMN_TALLY + i], row) = r->tally.value[i];
  for (int i = 0; i < PC_DATASET_COUNT; i++)
    if (r->content.stored[i])
      pc_dataset_fill(&r->layout.dataset[i], seen, pc_column_row(&c[PC_COLUMN_DATASETS + i], row));
  for (int i = 0; i < r->phase_count; i++)
    *pc_column_row(&c[PC_COLUMN_ITERATIONS + i], row) =
        i < seen->info->phase_count ? seen->info->iterations[i] : 0;
  pc_found_fill(&r->found, seen->found, row);
  if (r->memory_count > 0)
    memcpy(pc_column_row(&c[PC_COLUMN_MEMORY], row), seen->state->memory,
           (size_t)r->memory_count * sizeof(double));
}

/* A resumed file goes on with one step and no other. */
static int follows(pc_recorder* r, long step)
{
  if (r->resumed.next_step >= 0 && step != r->resumed.next_step) {
    pc_fail(&r->error, PC_BAD_ARGUMENT, "'%s' continues with step %ld, not with %ld", r->path,
            r->resumed.next_step, step);
    return 0;
  }
  r->resumed.next_step = -1;
  return 1;
}

/* Rows and events that wait for too long. */
static int flush_when_due(pc_recorder* r)
{
  return wall_clock() - r->flushes.last < r->flushes.seconds ? 0 : flush(r);
}

int pc_recorder_observe(void* recorder, const pc_observation* seen)
{
  if (!recorder || !seen) return 0;
  pc_recorder* r = recorder;
  if (r->error.status != PC_OK) return 0;
  if (!follows(r, seen->info->step) || pc_recorder_complete_datasets(r, seen) != 0) return 0;
  /* a flush moves the place of the row that is filled below: it comes first */
  if (flush_when_due(r) != 0 || keep_events(r, seen) != 0 || make_space(r, seen) != 0) return 0;
  pc_tally_add(&r->tally, seen);
  pc_violations_see(&r->violations, seen);
  fill_row(r, seen);
  r->rows.unkept = 1;
  if (seen->info->step % r->every != 0) return 1;
  return keep(r) == 0;
}

pc_status pc_recorder_close(pc_recorder* recorder, pc_error* error)
{
  if (!recorder) return PC_OK;
  pc_recorder* r = recorder;
  pc_hdf5_use use = pc_hdf5_begin();
  if (r->error.status == PC_OK && r->rows.unkept) keep(r);
  if (r->error.status == PC_OK) write_waiting(r, FOR_EVER);
  errno = 0;
  if (pc_recorder_close_file(r) != 0 && r->error.status == PC_OK)
    pc_cannot_write(r->path, errno, &r->error);
  pc_hdf5_end(use);
  pc_status status = r->error.status;
  if (error && status != PC_OK) *error = r->error;
  pc_recorder_destroy(r);
  return status;
}
