/* The result file as an observer. Every recorded state is one row of every dataset; rows wait in
 * memory, in buffers of bounded size, and are written and flushed together when these are full.
 *
 * The row after the waiting ones always takes the state seen last: recording it means counting it.
 * So the last state of a run can be recorded on closing whatever `every` is. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"
#include "percuss/record.h"
#include "record/attribute.h"
#include "record/column.h"
#include "record/file.h"
#include "record/layout.h"

enum {
  ROWS_MAX = 1024,        /* in memory, and in a chunk of the file */
  BUFFER_BYTES = 1 << 22, /* in memory, all datasets together; at least one row is kept */
};

/* The columns: three scalars, the layout's datasets, the iterations, the series. */
enum {
  TIME,
  KINETIC,
  POTENTIAL,
  DATASETS,
  ITERATIONS = DATASETS + PC_DATASET_COUNT,
  SERIES = ITERATIONS + PC_STAGES_MAX
};

struct pc_recorder {
  char* path;
  hid_t file; /* negative: none */
  pc_layout layout;
  pc_quantity* series;
  int series_count;
  int stage_count; /* 0: no step was seen yet */
  pc_column* column;
  int column_count;
  long every;
  int capacity; /* rows of the buffers */
  int waiting;  /* rows in the buffers that are recorded, but not written */
  int unkept;   /* not 0: the row after these holds a state that is not recorded */
  long written; /* rows in the file */
  pc_error error;
};

pc_recorder_def pc_default_recorder_def(void)
{
  return (pc_recorder_def){.every = 1};
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
  size_t count = (size_t)pc_system_quantity_count(def->system);
  char* listed = pc_alloc(count, 1);
  r->series = pc_alloc((size_t)def->quantity_count, sizeof *r->series);
  if (listed && r->series)
    for (int i = 0; i < def->quantity_count; i++) {
      int quantity = def->quantity[i];
      if (listed[quantity]++) continue;
      r->series[r->series_count++] = pc_system_quantity(def->system, quantity);
    }
  pc_status status = listed && r->series ? PC_OK : pc_no_memory(error);
  free(listed);
  return status;
}

static int width_of(const pc_recorder* r, int column)
{
  int vector = column >= DATASETS && column < ITERATIONS;
  return vector ? r->layout.dataset[column - DATASETS].width : PC_SCALAR;
}

/* As many rows as fit into the memory allowed. */
static int choose_capacity(const pc_recorder* r)
{
  size_t bytes = 0;
  for (int i = 0; i < r->column_count; i++) {
    int width = width_of(r, i);
    bytes += sizeof(double) * (width == PC_SCALAR ? 1 : (size_t)width);
  }
  size_t rows = BUFFER_BYTES / bytes;
  return rows < 1 ? 1 : rows > ROWS_MAX ? ROWS_MAX : (int)rows;
}

static pc_status allocate_columns(pc_recorder* r, pc_error* error)
{
  r->column_count = SERIES + r->series_count;
  r->column = pc_alloc((size_t)r->column_count, sizeof *r->column);
  if (!r->column) return pc_no_memory(error);
  r->capacity = choose_capacity(r);
  for (int i = 0; i < r->column_count; i++)
    if (pc_column_allocate(&r->column[i], width_of(r, i), r->capacity) != PC_OK)
      return pc_no_memory(error);
  return PC_OK;
}

static int create_groups(hid_t file)
{
  static const char* const groups[] = {"energy", "contacts", "constraints", "iterations", "series"};
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    hid_t group = H5Gcreate2(file, groups[i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0 || H5Gclose(group) < 0) return -1;
  }
  return 0;
}

static int write_file_attributes(hid_t file, const pc_recorder_def* def)
{
  if (pc_write_text(file, "percuss_version", pc_version_text()) != 0 ||
      pc_write_integer(file, "format_version", PC_FORMAT_VERSION) != 0)
    return -1;
  if (def->model_text && pc_write_text(file, "model", def->model_text) != 0) return -1;
  if (def->options && pc_write_text(file, "options", def->options) != 0) return -1;
  return 0;
}

static int create_scalar(pc_column* column, hid_t place, const char* name, pc_column_type type,
                         const char* unit)
{
  if (pc_column_create(column, place, name, type) != 0) return -1;
  return pc_write_text(column->dataset, "unit", unit);
}

/* The contact of each column by its name, from the indices. `name` is scratch, one per column. */
static int write_contacts(hid_t object, const pc_layout* layout, const pc_dataset* d,
                          const char** name)
{
  for (int i = 0; i < d->width; i++)
    name[i] = pc_system_contact(layout->system, d->contact[i]).name;
  return pc_write_texts(object, "contact", d->width, name);
}

static int create_dataset(pc_column* column, hid_t file, const pc_layout* layout,
                          const pc_dataset* d)
{
  size_t width = (size_t)d->width;
  const char** text = pc_alloc(2 * width, sizeof *text);
  if (!text) return -1;
  const char **name = text, **unit = text + width;
  pc_dataset_describe(d, layout->system, name, unit);
  int ok = pc_column_create(column, file, d->path, PC_COLUMN_REAL) == 0 &&
           pc_write_texts(column->dataset, "names", d->width, name) == 0 &&
           pc_write_texts(column->dataset, "unit", d->width, unit) == 0;
  if (ok && d->contact) ok = write_contacts(column->dataset, layout, d, name) == 0;
  if (ok && d->component)
    ok = pc_write_integers(column->dataset, "component", d->width, d->component) == 0;
  free(text);
  return ok ? 0 : -1;
}

static int create_series(pc_recorder* r)
{
  hid_t group = H5Gopen2(r->file, "series", H5P_DEFAULT);
  if (group < 0) return -1;
  int ok = 1;
  for (int i = 0; i < r->series_count && ok; i++)
    ok = create_scalar(&r->column[SERIES + i], group, r->series[i].name, PC_COLUMN_REAL,
                       r->series[i].unit) == 0;
  return H5Gclose(group) >= 0 && ok ? 0 : -1;
}

/* Everything but the iterations: their names are known with the first step. */
static int fill_file(pc_recorder* r, const pc_recorder_def* def)
{
  pc_column* c = r->column;
  if (create_groups(r->file) != 0 || write_file_attributes(r->file, def) != 0 ||
      create_scalar(&c[TIME], r->file, "time", PC_COLUMN_REAL, "s") != 0 ||
      create_scalar(&c[KINETIC], r->file, "energy/kinetic", PC_COLUMN_REAL, "J") != 0 ||
      create_scalar(&c[POTENTIAL], r->file, "energy/potential", PC_COLUMN_REAL, "J") != 0)
    return -1;
  for (int i = 0; i < PC_DATASET_COUNT; i++)
    if (create_dataset(&c[DATASETS + i], r->file, &r->layout, &r->layout.dataset[i]) != 0)
      return -1;
  if (create_series(r) != 0) return -1;
  return H5Fflush(r->file, H5F_SCOPE_LOCAL) >= 0 ? 0 : -1;
}

/* Closes the datasets and the file. -1 if they could not be closed as they should be. */
static int close_file(pc_recorder* r)
{
  int ok = 1;
  if (r->column)
    for (int i = 0; i < r->column_count; i++) ok = pc_column_close(&r->column[i]) == 0 && ok;
  if (r->file >= 0) ok = pc_file_close(r->file) == 0 && ok;
  r->file = H5I_INVALID_HID;
  return ok ? 0 : -1;
}

static void destroy(pc_recorder* r)
{
  pc_layout_destroy(&r->layout);
  free(r->column);
  free(r->series);
  free(r->path);
  free(r);
}

/* HDF5's own share: a dataset's header and the nodes of its index that a flush may add. */
enum { DATASET_BYTES = 8192, FILE_BYTES = 1 << 16 };

static size_t length_of(const char* text)
{
  return text ? strlen(text) : 0;
}

/* At most what the file takes before its first row: the attributes with all names (contact names
 * are parts of them), twice because HDF5 stores texts in blocks. */
static size_t bytes_of_header(const pc_recorder* r, const pc_recorder_def* def)
{
  size_t bytes = FILE_BYTES + DATASET_BYTES * (size_t)r->column_count;
  bytes += 2 * (length_of(def->model_text) + length_of(def->options));
  for (int i = 0; i < pc_system_quantity_count(def->system); i++)
    bytes += 2 * (3 * 64 + 2 * strlen(pc_system_quantity(def->system, i).name));
  return bytes;
}

/* At most what writing full buffers adds to the file. */
static size_t bytes_of_flush(const pc_recorder* r)
{
  size_t bytes = FILE_BYTES;
  for (int i = 0; i < r->column_count; i++)
    bytes += DATASET_BYTES + pc_column_chunk_bytes(&r->column[i]);
  return bytes;
}

static pc_status build(pc_recorder* r, const pc_recorder_def* def, pc_error* error)
{
  r->every = def->every;
  r->path = pc_copy_text(def->path);
  if (!r->path) return pc_no_memory(error);
  PC_TRY(pc_layout_create(&r->layout, def->system, error));
  PC_TRY(list_series(r, def, error));
  PC_TRY(allocate_columns(r, error));
  PC_TRY(pc_file_create(r->path, bytes_of_header(r, def), &r->file, error));
  errno = 0;
  return fill_file(r, def) == 0 ? PC_OK : pc_cannot_write(r->path, errno, error);
}

pc_status pc_recorder_create(const pc_recorder_def* def, pc_recorder** recorder, pc_error* error)
{
  *recorder = NULL;
  PC_TRY(check_def(def, error));
  pc_recorder* r = pc_alloc(1, sizeof *r);
  if (!r) return pc_no_memory(error);
  r->file = H5I_INVALID_HID;
  pc_silence silence = pc_silence_begin();
  pc_status status = build(r, def, error);
  if (status == PC_OK) {
    *recorder = r;
  } else {
    int began = r->file >= 0;
    close_file(r);
    if (began) unlink(r->path); /* a file without its datasets is of no use */
    destroy(r);
  }
  pc_silence_end(silence);
  return status;
}

static int write_columns(pc_recorder* r)
{
  for (int i = 0; i < r->column_count; i++)
    if (r->column[i].dataset >= 0 && pc_column_write(&r->column[i], r->written, r->waiting) != 0)
      return -1;
  return H5Fflush(r->file, H5F_SCOPE_LOCAL) >= 0 ? 0 : -1;
}

/* Writes the waiting rows of all columns, if there is room for all of them. */
static int flush(pc_recorder* r)
{
  if (r->waiting == 0) return 0;
  int reason = pc_file_reserve(r->file, bytes_of_flush(r));
  if (reason == 0) {
    errno = 0;
    if (write_columns(r) == 0) {
      r->written += r->waiting;
      r->waiting = 0;
      return 0;
    }
    reason = errno;
  }
  pc_cannot_write(r->path, reason, &r->error);
  return -1;
}

/* Records the state seen last. */
static int keep(pc_recorder* r)
{
  r->unkept = 0;
  r->waiting++;
  if (r->waiting < r->capacity) return 0;
  pc_silence silence = pc_silence_begin();
  int result = flush(r);
  pc_silence_end(silence);
  return result;
}

/* The scheme's iterations get their datasets when their names are known. Rows before that are 0. */
static int create_iterations(pc_recorder* r, const pc_step_info* info)
{
  pc_silence silence = pc_silence_begin();
  errno = 0;
  hid_t group = H5Gopen2(r->file, "iterations", H5P_DEFAULT);
  int ok = group >= 0;
  for (int i = 0; i < info->stage_count && ok; i++)
    ok = create_scalar(&r->column[ITERATIONS + i], group, info->stage[i], PC_COLUMN_INTEGER, "") ==
         0;
  if (!ok) pc_cannot_write(r->path, errno, &r->error);
  if (group >= 0) H5Gclose(group);
  r->stage_count = info->stage_count;
  pc_silence_end(silence);
  return ok ? 0 : -1;
}

static void fill_row(pc_recorder* r, const pc_observation* seen)
{
  pc_column* c = r->column;
  int row = r->waiting;
  *pc_column_row(&c[TIME], row) = seen->state->t;
  *pc_column_row(&c[KINETIC], row) = seen->kinetic;
  *pc_column_row(&c[POTENTIAL], row) = seen->potential;
  for (int i = 0; i < PC_DATASET_COUNT; i++)
    pc_dataset_fill(&r->layout.dataset[i], seen, pc_column_row(&c[DATASETS + i], row));
  for (int i = 0; i < r->stage_count; i++)
    *pc_column_row(&c[ITERATIONS + i], row) =
        i < seen->info->stage_count ? seen->info->iterations[i] : 0;
  for (int i = 0; i < r->series_count; i++)
    *pc_column_row(&c[SERIES + i], row) =
        pc_observed_numbers(seen, r->series[i].kind)[r->series[i].index];
}

int pc_recorder_observe(void* recorder, const pc_observation* seen)
{
  pc_recorder* r = recorder;
  if (r->error.status != PC_OK) return 0;
  if (r->stage_count == 0 && seen->info->stage_count > 0 && create_iterations(r, seen->info) != 0)
    return 0;
  fill_row(r, seen);
  r->unkept = 1;
  if (seen->info->step % r->every != 0) return 1;
  return keep(r) == 0;
}

pc_status pc_recorder_close(pc_recorder* recorder, pc_error* error)
{
  if (!recorder) return PC_OK;
  pc_recorder* r = recorder;
  pc_silence silence = pc_silence_begin();
  if (r->error.status == PC_OK && r->unkept) keep(r);
  if (r->error.status == PC_OK) flush(r);
  errno = 0;
  if (close_file(r) != 0 && r->error.status == PC_OK) pc_cannot_write(r->path, errno, &r->error);
  pc_silence_end(silence);
  pc_status status = r->error.status;
  if (error && status != PC_OK) *error = r->error;
  destroy(r);
  return status;
}
