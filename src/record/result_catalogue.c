/* The table of contents of a result file: which series there are and where their numbers lie.
 *
 * The names come from the datasets with columns. /columns/series lists which of them the model
 * records, and other names of theirs. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/attribute.h"
#include "record/columns.h"
#include "record/complete.h"
#include "record/result.h"
#include "record/sound.h"
#include "record/text.h"

static const char* const tables[] = {"q",
                                     "u",
                                     "contacts/gap",
                                     "contacts/gap_velocity",
                                     "contacts/slip",
                                     "contacts/P_N",
                                     "contacts/P_F",
                                     "constraints/position",
                                     "constraints/velocity",
                                     "constraints/P",
                                     "outputs"};

/* With a `record:` list, a file has those beyond the state only if the list names one of their
 * columns. */
enum { ALWAYS = 2 };

enum { TABLE_COUNT = sizeof tables / sizeof *tables };

int pc_dataset_shape(hid_t dataset, int rank, long* rows, int* columns)
{
  hsize_t size[2] = {0, 1};
  hid_t space = H5Dget_space(dataset);
  hid_t type = H5Dget_type(dataset);
  H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  int ok = space >= 0 && (class == H5T_FLOAT || class == H5T_INTEGER) &&
           H5Sget_simple_extent_ndims(space) == rank &&
           H5Sget_simple_extent_dims(space, size, NULL) == rank && size[0] <= LONG_MAX &&
           size[1] <= INT_MAX;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (!ok) return -1;
  *rows = (long)size[0];
  *columns = (int)size[1];
  return 0;
}

int pc_dataset_holds(hid_t dataset, int rank, long rows)
{
  long all;
  int columns;
  if (rows < 0 || pc_dataset_shape(dataset, rank, &all, &columns) != 0 || all < rows) return 0;
  hid_t type = H5Dget_type(dataset);
  hsize_t row = type >= 0 ? (hsize_t)H5Tget_size(type) * (hsize_t)columns : 0;
  if (type >= 0) H5Tclose(type);
  return row == 0 || H5Dget_storage_size(dataset) / row >= (hsize_t)rows;
}

/* All datasets of a file grow together; one that was truncated decides how much can be read. */
static int limit_length(pc_result* r, hid_t dataset, int rank, long rows)
{
  if (rows < r->length) r->length = rows;
  return pc_dataset_holds(dataset, rank, r->length);
}

/* The result keeps a text that it was given; NULL if there is no memory (and then it is freed). */
static const char* keep_text(pc_result* r, char* text)
{
  if (text && pc_grow((void**)&r->text, &r->text_capacity, r->text_count, sizeof *r->text) == PC_OK)
    return r->text[r->text_count++] = text;
  free(text);
  return NULL;
}

static char* join(const char* a, const char* between, const char* b)
{
  size_t size = strlen(a) + strlen(between) + strlen(b) + 1;
  char* text = pc_alloc(size, 1);
  if (text) snprintf(text, size, "%s%s%s", a, between, b);
  return text;
}

/* One more series; takes over `name` and `unit`, which may be NULL for want of memory. */
static pc_source* add_source(pc_result* r, char* name, char* unit, const char* path)
{
  const char* kept_name = keep_text(r, name);
  const char* kept_unit = keep_text(r, unit);
  if (!kept_name || !kept_unit ||
      pc_grow((void**)&r->source, &r->source_capacity, r->source_count, sizeof *r->source) != PC_OK)
    return NULL;
  pc_source* s = &r->source[r->source_count];
  *s = (pc_source){.name = kept_name, .unit = kept_unit, .path = pc_copy_text(path), .column = -1};
  if (!s->path) return NULL;
  r->source_count++;
  return s;
}

/* A dataset of rank 1 as a series. */
static pc_status add_line(pc_result* r, const char* path, const char* name, pc_error* error)
{
  long rows;
  int columns;
  char* unit = NULL;
  hid_t dataset = pc_open_dataset(r->file, path, H5P_DEFAULT);
  int ok = dataset >= 0 && pc_dataset_shape(dataset, 1, &rows, &columns) == 0 &&
           limit_length(r, dataset, 1, rows) && pc_read_text(dataset, "unit", &unit) == 0;
  if (dataset >= 0) H5Dclose(dataset);
  if (!ok) return pc_result_damaged(r, path, error);
  return add_source(r, pc_copy_text(name), unit, path) ? PC_OK : pc_no_memory(error);
}

/* Names and units of the columns; on failure nothing is left. `text` has space for twice as
 * many. */
static int read_columns(const pc_result* r, const char* path, int columns, char** text)
{
  if (pc_columns_read(r->file, path, "name", columns, text) != 0) return -1;
  if (pc_columns_read(r->file, path, "unit", columns, text + columns) == 0) return 0;
  for (int i = 0; i < columns; i++) free(text[i]);
  return -1;
}

/* A series per column that has a name (constraints on velocities have no position, and none);
 * takes over the texts. */
static pc_status add_columns(pc_result* r, const char* path, int columns, char** text,
                             pc_error* error)
{
  int failed = 0;
  for (int i = 0; i < columns; i++) {
    if (!*text[i]) {
      free(text[i]);
      free(text[columns + i]);
      continue;
    }
    pc_source* s = add_source(r, text[i], text[columns + i], path);
    if (s) {
      s->column = i;
      s->recorded = r->everything;
    } else {
      failed = 1;
    }
  }
  return failed ? pc_no_memory(error) : PC_OK;
}

static pc_status add_table(pc_result* r, const char* path, pc_error* error)
{
  long rows;
  int columns;
  hid_t dataset = pc_open_dataset(r->file, path, H5P_DEFAULT);
  if (dataset < 0 || pc_dataset_shape(dataset, 2, &rows, &columns) != 0 ||
      !limit_length(r, dataset, 2, rows)) {
    if (dataset >= 0) H5Dclose(dataset);
    return pc_result_damaged(r, path, error);
  }
  char** text = pc_alloc(2 * (size_t)columns, sizeof *text);
  int ok = text && read_columns(r, path, columns, text) == 0;
  H5Dclose(dataset);
  pc_status status = !text ? pc_no_memory(error)
                     : !ok ? pc_result_damaged(r, path, error)
                           : add_columns(r, path, columns, text, error);
  free(text);
  return status;
}

static pc_status read_contacts(pc_result* r, pc_error* error)
{
  long rows;
  int columns = 0;
  hid_t dataset = pc_open_dataset(r->file, "contacts/P_N", H5P_DEFAULT);
  int ok = dataset >= 0 && pc_dataset_shape(dataset, 2, &rows, &columns) == 0;
  r->contact = ok ? pc_alloc((size_t)columns, sizeof *r->contact) : NULL;
  if (r->contact && pc_columns_read(r->file, "contacts/P_N", "contact", columns, r->contact) == 0)
    r->contact_count = columns;
  else
    ok = 0;
  if (dataset >= 0) H5Dclose(dataset);
  return ok ? PC_OK : pc_result_damaged(r, "contacts/P_N", error);
}

static int by_name(const void* a, const void* b)
{
  const pc_named *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : x->index - y->index;
}

/* The lookup of all sources so far. */
static pc_status sort_names(pc_result* r, pc_error* error)
{
  free(r->sorted);
  r->sorted_count = 0;
  r->sorted = pc_alloc((size_t)r->source_count, sizeof *r->sorted);
  if (!r->sorted) return pc_no_memory(error);
  r->sorted_count = r->source_count;
  for (int i = 0; i < r->source_count; i++) r->sorted[i] = (pc_named){r->source[i].name, i};
  qsort(r->sorted, (size_t)r->source_count, sizeof *r->sorted, by_name);
  return PC_OK;
}

/* A row of /columns/series: the name of a column, or another name for one. Takes over `name` and
 * `unit`. */
static pc_status add_recorded(pc_result* r, char* name, char* unit, const char* column,
                              pc_error* error)
{
  int known = pc_result_find(r, column);
  if (known < 0 || !strcmp(name, column)) {
    free(name);
    free(unit);
    if (known < 0) return pc_result_damaged(r, "columns/series", error);
    r->source[known].recorded = 1;
    return PC_OK;
  }
  pc_source* s = add_source(r, name, unit, r->source[known].path);
  if (!s) return pc_no_memory(error);
  s->column = r->source[known].column;
  s->recorded = 1;
  return PC_OK;
}

/* `text` has space for three of each series. */
static pc_status read_series(pc_result* r, int count, char** text, pc_error* error)
{
  char **unit = text + count, **column = unit + count;
  if (read_columns(r, "series", count, text) != 0)
    return pc_result_damaged(r, "columns/series", error);
  int ok = pc_columns_read(r->file, "series", "column", count, column) == 0;
  pc_status status = ok ? PC_OK : pc_result_damaged(r, "columns/series", error);
  for (int i = 0; i < count; i++) {
    if (status == PC_OK) {
      status = add_recorded(r, text[i], unit[i], column[i], error);
    } else {
      free(text[i]);
      free(unit[i]);
    }
    if (ok) free(column[i]);
  }
  return status;
}

static pc_status add_series(pc_result* r, pc_error* error)
{
  int count = pc_columns_count(r->file, "series");
  if (count < 0) return pc_result_damaged(r, "columns/series", error);
  char** text = pc_alloc(3 * (size_t)count, sizeof *text);
  if (!text) return pc_no_memory(error);
  pc_status status = read_series(r, count, text, error);
  free(text);
  return status;
}

static pc_status add_iteration(pc_result* r, const char* path, const char* phase, pc_error* error)
{
  char* name = join("iterations", ".", phase);
  pc_status status = name ? add_line(r, path, name, error) : pc_no_memory(error);
  free(name);
  return status;
}

typedef pc_status add_member(pc_result* r, const char* path, const char* name, pc_error* error);

static pc_status add_group(pc_result* r, const char* group, add_member* add, pc_error* error)
{
  pc_names member;
  if (pc_list_members(r->file, group, &member) != 0) return pc_result_damaged(r, group, error);
  pc_status status = PC_OK;
  for (int i = 0; i < member.count && status == PC_OK; i++) {
    char* path = join(group, "/", member.name[i]);
    status = path ? add(r, path, member.name[i], error) : pc_no_memory(error);
    free(path);
  }
  pc_names_free(&member);
  return status;
}

static pc_status add_energies(pc_result* r, pc_error* error)
{
  PC_TRY(add_line(r, "energy/kinetic", "energy.kinetic", error));
  PC_TRY(add_line(r, "energy/potential", "energy.potential", error));
  PC_TRY(add_line(r, "energy/kinetic", "energy.total", error));
  pc_source* total = &r->source[r->source_count - 1];
  total->added = pc_copy_text("energy/potential");
  return total->added ? PC_OK : pc_no_memory(error);
}

/* How many rows there are: those that were flushed with all their columns. A dataset may be ahead
 * of that in the file of a killed run. And whether all quantities count as recorded. */
static pc_status read_extent(pc_result* r, pc_error* error)
{
  pc_complete complete;
  if (pc_complete_read(r->file, &complete) != 0) return pc_result_damaged(r, "complete", error);
  r->length = complete.rows;
  long everything;
  if (pc_read_long(r->file, "everything", &everything) != 0)
    return pc_result_damaged(r, "everything", error);
  r->everything = everything != 0;
  return PC_OK;
}

/* If its columns are described but it is not there, or the other way round, something is missing:
 * then reading it fails. */
static int is_stored(const pc_result* r, const char* path)
{
  return pc_columns_count(r->file, path) >= 0 || H5Lexists(r->file, path, H5P_DEFAULT) > 0;
}

/* Whoever looks for a row by its time relies on times that increase. */
static pc_status check_times(const pc_result* r, pc_error* error)
{
  enum { BLOCK = 4096 };
  double time[BLOCK], before = -INFINITY;
  for (long row = 0; row < r->length; row += BLOCK) {
    long count = r->length - row < BLOCK ? r->length - row : BLOCK;
    if (pc_result_read_numbers(r, "time", row, count, 0, time) != 0)
      return pc_result_damaged(r, "time", error);
    for (long k = 0; k < count; before = time[k++])
      if (!isfinite(time[k]) || !(time[k] > before))
        return pc_fail(error, PC_BAD_MODEL, "'%s' is damaged: its times do not increase at row %ld",
                       r->path, row + k);
  }
  return PC_OK;
}

pc_status pc_result_catalogue(pc_result* r, pc_error* error)
{
  PC_TRY(read_extent(r, error));
  PC_TRY(add_line(r, "time", "time", error));
  for (int i = 0; i < TABLE_COUNT; i++)
    if (i < ALWAYS || is_stored(r, tables[i])) PC_TRY(add_table(r, tables[i], error));
  PC_TRY(read_contacts(r, error));
  PC_TRY(pc_result_catalogue_found(r, error));
  PC_TRY(sort_names(r, error));
  PC_TRY(add_series(r, error));
  PC_TRY(add_energies(r, error));
  PC_TRY(add_group(r, "iterations", add_iteration, error));
  PC_TRY(check_times(r, error));
  return sort_names(r, error);
}
