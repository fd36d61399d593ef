/* Result files, read. */
#include "record/result.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/attribute.h"
#include "record/file.h"
#include "record/sound.h"
#include "record/text.h"

/* What cannot be read for want of memory is not damaged. HDF5 does not tell the two apart; the
 * allocator does, by errno, which is set to 0 before a file is opened or read. */
pc_status pc_result_damaged(const pc_result* r, const char* what, pc_error* error)
{
  if (errno == ENOMEM) return pc_no_memory(error);
  return pc_fail(error, PC_BAD_MODEL, "'%s' is damaged: cannot read '%s' in it", r->path, what);
}

static pc_status cannot_read(const char* path, int reason, pc_error* error)
{
  char text[128];
  if (strerror_r(reason, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", reason);
  return pc_fail(error, PC_BAD_MODEL, "cannot read '%s': %s", path, text);
}

/* HDF5 does not say why it cannot open a file, so the common reasons are looked for before. */
static pc_status check_file(const char* path, pc_error* error)
{
  struct stat what;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return cannot_read(path, errno, error);
  int known = fstat(descriptor, &what) == 0, begins = pc_begins_as_result(descriptor);
  int locked = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(descriptor);
  if (known && S_ISDIR(what.st_mode)) return cannot_read(path, EISDIR, error);
  if (known && !S_ISREG(what.st_mode))
    return pc_fail(error, PC_BAD_MODEL, "cannot read '%s': not a regular file", path);
  if (locked)
    return pc_fail(error, PC_BAD_MODEL, "cannot read '%s': another program is writing it", path);
  if (!begins)
    return pc_fail(error, PC_BAD_MODEL,
                   "'%s' is not a result of percuss: no HDF5 file, or one made by another program",
                   path);
  return PC_OK;
}

static pc_status open_file(pc_result* r, pc_error* error)
{
  PC_TRY(check_file(r->path, error));
  r->file = H5Fopen(r->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (r->file >= 0) return PC_OK;
  return pc_fail(error, PC_BAD_MODEL, "'%s' is damaged or truncated: HDF5 cannot open it", r->path);
}

static pc_status check_version(const pc_result* r, pc_error* error)
{
  long version;
  if (pc_read_long(r->file, "format_version", &version) != 0 ||
      H5Aexists(r->file, "percuss_version") <= 0)
    return pc_fail(error, PC_BAD_MODEL, "'%s' is not a result of percuss, but another HDF5 file",
                   r->path);
  if (version == PC_FORMAT_VERSION) return PC_OK;
  return pc_fail(error, PC_BAD_MODEL,
                 "'%s' is a result in format version %ld; this percuss (%s) reads version %d",
                 r->path, version, pc_version_text(), PC_FORMAT_VERSION);
}

/* A text in the file that need not be there. */
static pc_status read_optional(const pc_result* r, const char* name, char** text, pc_error* error)
{
  if (H5Lexists(r->file, name, H5P_DEFAULT) > 0) {
    if (pc_load_text(r->file, name, text) != 0) return pc_result_damaged(r, name, error);
    return PC_OK;
  }
  *text = pc_copy_text("");
  return *text ? PC_OK : pc_no_memory(error);
}

static pc_status build(pc_result* r, const char* path, pc_error* error)
{
  r->path = pc_copy_text(path);
  if (!r->path) return pc_no_memory(error);
  PC_TRY(open_file(r, error));
  PC_TRY(check_version(r, error));
  PC_TRY(read_optional(r, "model", &r->model, error));
  PC_TRY(read_optional(r, "options", &r->options, error));
  return pc_result_catalogue(r, error);
}

pc_status pc_result_open(const char* path, pc_result** result, pc_error* error)
{
  PC_TRY(pc_need(result, "result", error));
  *result = NULL;
  if (!path || !path[0]) return pc_fail(error, PC_BAD_ARGUMENT, "path: none is given");
  PC_TRY(pc_hdf5_load(PC_BAD_MODEL, error));
  pc_result* r = pc_alloc(1, sizeof *r);
  if (!r) return pc_no_memory(error);
  r->file = H5I_INVALID_HID;
  pc_hdf5_use use = pc_hdf5_begin();
  errno = 0;
  pc_status status = build(r, path, error);
  pc_hdf5_end(use);
  if (status == PC_OK)
    *result = r;
  else
    pc_result_close(r);
  return status;
}

void pc_result_close(pc_result* r)
{
  if (!r) return;
  pc_hdf5_use use = pc_hdf5_begin();
  if (r->file >= 0) H5Fclose(r->file);
  pc_hdf5_end(use);
  for (int i = 0; i < r->source_count; i++) {
    free(r->source[i].path);
    free(r->source[i].added);
  }
  for (int i = 0; i < r->contact_count; i++) free(r->contact[i]);
  for (int i = 0; i < r->text_count; i++) free(r->text[i]);
  pc_result_free_found(r);
  free(r->source);
  free(r->sorted);
  free(r->contact);
  free(r->text);
  free(r->path);
  free(r->model);
  free(r->options);
  free(r);
}

const char* pc_result_path(const pc_result* r)
{
  if (!r) return NULL;
  return r->path;
}

const char* pc_result_model(const pc_result* r)
{
  if (!r) return NULL;
  return r->model;
}

const char* pc_result_options(const pc_result* r)
{
  if (!r) return NULL;
  return r->options;
}

long pc_result_every(const pc_result* r, long every, long row)
{
  long last = pc_result_length(r) - 1;
  if (row > last || row < 0 || every <= 0) return last + 1;
  long behind = row % every;
  return behind == 0 ? row : every - behind <= last - row ? row + (every - behind) : last;
}

long pc_result_length(const pc_result* r)
{
  if (!r) return 0;
  return r->length;
}

int pc_result_series_count(const pc_result* r)
{
  if (!r) return 0;
  return r->source_count;
}

pc_series pc_result_series(const pc_result* r, int series)
{
  if ((unsigned)series >= (unsigned)pc_result_series_count(r)) return (pc_series){0};
  const pc_source* s = &r->source[series];
  return (pc_series){s->name, s->unit, s->recorded};
}

/* The first of this name, as two of the same name differ in their index only. */
int pc_result_find(const pc_result* r, const char* name)
{
  if (!r || !name) return 0;
  int low = 0, high = r->sorted_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (strcmp(r->sorted[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  int found = low < r->sorted_count && !strcmp(r->sorted[low].name, name);
  return found ? r->sorted[low].index : -1;
}

int pc_result_contact_count(const pc_result* r)
{
  if (!r) return 0;
  return r->contact_count;
}

const char* pc_result_contact(const pc_result* r, int contact)
{
  if ((unsigned)contact >= (unsigned)pc_result_contact_count(r)) return NULL;
  return r->contact[contact];
}

/* A block of a dataset: `count` rows from `first` on, `width` columns from `column` on. Rank 1 if
 * `column` is -1. */
static int read_block(hid_t file, const char* path, long first, long count, int column, int width,
                      double* values)
{
  int rank = column < 0 ? 1 : 2;
  hsize_t start[2] = {(hsize_t)first, column < 0 ? 0 : (hsize_t)column};
  hsize_t size[2] = {(hsize_t)count, (hsize_t)width};
  hid_t dataset = pc_open_dataset(file, path, H5P_DEFAULT);
  if (dataset < 0) return -1;
  hid_t memory = H5Screate_simple(rank, size, NULL);
  hid_t space = H5Dget_space(dataset);
  int ok = memory >= 0 && space >= 0 &&
           H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
           H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
  if (space >= 0) H5Sclose(space);
  if (memory >= 0) H5Sclose(memory);
  H5Dclose(dataset);
  return ok ? 0 : -1;
}

static pc_status check_rows(const pc_result* r, long first, long count, pc_error* error)
{
  if (first >= 0 && count >= 0 && first <= r->length && count <= r->length - first) return PC_OK;
  return pc_fail(error, PC_BAD_ARGUMENT, "rows: %ld from row %ld on, but '%s' has %ld", count,
                 first, r->path, r->length);
}

static pc_status read_quietly(const pc_result* r, const char* path, long first, long count,
                              int column, int width, double* values, pc_error* error)
{
  PC_TRY(check_rows(r, first, count, error));
  if (count == 0 || width == 0) return PC_OK;
  pc_hdf5_use use = pc_hdf5_begin();
  errno = 0;
  int failed = read_block(r->file, path, first, count, column, width, values) != 0;
  pc_hdf5_end(use);
  return failed ? pc_result_damaged(r, path, error) : PC_OK;
}

/* Adds the numbers of another dataset of rank 1. */
static pc_status add_line(const pc_result* r, const char* path, long first, long count,
                          double* values, pc_error* error)
{
  double* more = pc_alloc((size_t)count, sizeof *more);
  if (!more) return pc_no_memory(error);
  pc_status status = read_quietly(r, path, first, count, -1, 1, more, error);
  for (long k = 0; status == PC_OK && k < count; k++) values[k] += more[k];
  free(more);
  return status;
}

pc_status pc_result_read(const pc_result* r, int series, long first, long count, double* values,
                         pc_error* error)
{
  PC_TRY(pc_need(r, "result", error));
  if (series < 0 || series >= r->source_count)
    return pc_fail(error, PC_BAD_ARGUMENT, "series: %d, '%s' has 0 to %d", series, r->path,
                   r->source_count - 1);
  const pc_source* s = &r->source[series];
  PC_TRY(read_quietly(r, s->path, first, count, s->column, 1, values, error));
  return s->added ? add_line(r, s->added, first, count, values, error) : PC_OK;
}

/* How many of the series are columns of one dataset, one after the other. */
static int count_neighbours(const pc_result* r, const int* series, int count)
{
  const pc_source* first = &r->source[series[0]];
  int n = 1;
  if (first->column < 0 || first->added) return 1;
  for (; n < count; n++) {
    const pc_source* s = &r->source[series[n]];
    if (s->column != first->column + n || strcmp(s->path, first->path) != 0) break;
  }
  return n;
}

pc_status pc_result_read_neighbours(const pc_result* r, const int* series, int count, long first,
                                    long rows, double* lines, double* scratch, int* done,
                                    pc_error* error)
{
  int width = *done = count_neighbours(r, series, count);
  if (width == 1) return pc_result_read(r, series[0], first, rows, lines, error);
  const pc_source* s = &r->source[series[0]];
  PC_TRY(read_quietly(r, s->path, first, rows, s->column, width, scratch, error));
  for (int i = 0; i < width; i++)
    for (long k = 0; k < rows; k++) lines[(long)i * rows + k] = scratch[k * width + i];
  return PC_OK;
}

int pc_result_table_width(const pc_result* r, const char* table)
{
  if (!r || !table) return 0;
  long rows;
  int columns = -1;
  pc_hdf5_use use = pc_hdf5_begin();
  errno = 0;
  hid_t dataset = pc_open_dataset(r->file, table, H5P_DEFAULT);
  if (dataset >= 0 && pc_dataset_shape(dataset, 2, &rows, &columns) != 0) columns = -1;
  if (dataset >= 0) H5Dclose(dataset);
  pc_hdf5_end(use);
  return columns;
}

pc_status pc_result_read_table(const pc_result* r, const char* table, long first, long count,
                               int width, double* values, pc_error* error)
{
  PC_TRY(pc_need(r, "result", error));
  PC_TRY(pc_need(table, "table", error));
  int columns = pc_result_table_width(r, table);
  if (columns < 0) return pc_result_damaged(r, table, error);
  if (columns != width)
    return pc_fail(error, PC_BAD_MODEL, "'%s' does not fit its model: '%s' has %d columns, not %d",
                   r->path, table, columns, width);
  return read_quietly(r, table, first, count, 0, width, values, error);
}

pc_status pc_result_read_P_N(const pc_result* r, long first, long count, double* P_N,
                             pc_error* error)
{
  PC_TRY(pc_need(r, "result", error));
  return read_quietly(r, "contacts/P_N", first, count, 0, r->contact_count, P_N, error);
}
