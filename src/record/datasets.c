/* Which datasets a result file has, and how they come to be there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/columns.h"
#include "record/file.h"
#include "record/recorder.h"
#include "record/series.h"
#include "record/text.h"

typedef struct scalar {
  const char* path;
  pc_column_type type;
  const char* unit;
} scalar;

static const scalar scalars[PC_COLUMN_DATASETS] = {
    [PC_COLUMN_TIME] = {"time", PC_COLUMN_REAL, "s"},
    [PC_COLUMN_STEP] = {"step", PC_COLUMN_LONG, ""},
    [PC_COLUMN_KINETIC] = {"energy/kinetic", PC_COLUMN_REAL, "J"},
    [PC_COLUMN_POTENTIAL] = {"energy/potential", PC_COLUMN_REAL, "J"},
    [PC_COLUMN_TALLY + PC_TALLY_WORK] = {"ledger/energy/work", PC_COLUMN_REAL, "J"},
    [PC_COLUMN_TALLY + PC_TALLY_IMPACT] = {"ledger/energy/impact", PC_COLUMN_REAL, "J"},
    [PC_COLUMN_TALLY + PC_TALLY_FRICTION] = {"ledger/energy/friction", PC_COLUMN_REAL, "J"},
    [PC_COLUMN_TALLY + PC_TALLY_SCHEME] = {"ledger/energy/scheme", PC_COLUMN_REAL, "J"},
    [PC_COLUMN_TALLY + PC_TALLY_STEP_RESIDUAL] = {"residual/step", PC_COLUMN_SINGLE, "N s"},
    [PC_COLUMN_TALLY + PC_TALLY_SOLVER_RESIDUAL] = {"residual/solver", PC_COLUMN_SINGLE, ""},
    [PC_COLUMN_TALLY + PC_TALLY_IMPACT_RESIDUAL] = {"residual/impact", PC_COLUMN_SINGLE, "m/s"},
    [PC_COLUMN_TALLY + PC_TALLY_FRICTION_RESIDUAL] = {"residual/friction", PC_COLUMN_SINGLE, "m/s"},
    [PC_COLUMN_TALLY + PC_TALLY_INACCURATE] = {"inaccurate", PC_COLUMN_BYTE, ""},
    [PC_COLUMN_TALLY + PC_TALLY_SUBSTEPS] = {"substeps", PC_COLUMN_INTEGER, ""},
};

void pc_recorder_column_path(const pc_recorder* r, int column, char* path, size_t size)
{
  if (column < PC_COLUMN_DATASETS)
    snprintf(path, size, "%s", scalars[column].path);
  else if (column < PC_COLUMN_ITERATIONS && r->content.stored[column - PC_COLUMN_DATASETS])
    snprintf(path, size, "%s", r->layout.dataset[column - PC_COLUMN_DATASETS].path);
  else
    path[0] = '\0';
}

pc_column_type pc_recorder_column_type(const pc_recorder* r, int column)
{
  if (column < PC_COLUMN_DATASETS) return scalars[column].type;
  if (column < PC_COLUMN_ITERATIONS)
    return r->layout.dataset[column - PC_COLUMN_DATASETS].residual ? PC_COLUMN_SINGLE
                                                                   : PC_COLUMN_REAL;
  return column < PC_COLUMN_MEMORY ? PC_COLUMN_INTEGER : PC_COLUMN_REAL;
}

static int create_groups(hid_t file)
{
  static const char* const groups[] = {"energy",   "contacts", "constraints",   "iterations",
                                       "residual", "ledger",   "ledger/energy", "ledger/events"};
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    hid_t group = H5Gcreate2(file, groups[i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0 || H5Gclose(group) < 0) return -1;
  }
  return 0;
}

static int create_scalar(pc_column* column, hid_t place, const char* name, const char* unit)
{
  if (pc_column_create(column, place, name) != 0) return -1;
  return pc_write_text(column->dataset, "unit", unit);
}

/* Name, unit and contact of each column; `text` has space for three of each. */
static int write_columns(hid_t file, const pc_layout* layout, const pc_dataset* d,
                         const char** text)
{
  const char **name = text, **unit = text + d->width, **contact = unit + d->width;
  if (pc_dataset_describe(d, layout->system, name, unit) != PC_OK) return -1;
  for (int i = 0; d->contact && i < d->width; i++)
    contact[i] = pc_system_contact(layout->system, d->contact[i]).name;
  pc_columns columns = {.count = d->width, .name = name, .unit = unit, .component = d->component};
  if (d->contact) columns.contact = contact;
  return pc_columns_write(file, d->path, &columns);
}

static int describe_dataset(hid_t file, const pc_layout* layout, const pc_dataset* d)
{
  const char** text = pc_alloc(3 * (size_t)d->width, sizeof *text);
  if (!text) return -1;
  int result = write_columns(file, layout, d, text);
  free(text);
  return result;
}

int pc_recorder_describe_datasets(pc_recorder* r)
{
  for (int i = 0; i < PC_DATASET_COUNT; i++)
    if (r->content.stored[i] && describe_dataset(r->file, &r->layout, &r->layout.dataset[i]) != 0)
      return -1;
  if (pc_violations_describe(r->file, r->layout.system) != 0) return -1;
  if (pc_found_describe(r->file, r->layout.system) != 0) return -1;
  return pc_series_write(r->file, &r->layout, r->content.series, r->content.series_count);
}

int pc_recorder_create_datasets(pc_recorder* r)
{
  if (create_groups(r->file) != 0) return -1;
  for (int i = 0; i < PC_COLUMN_DATASETS; i++)
    if (create_scalar(&r->column[i], r->file, scalars[i].path, scalars[i].unit)) return -1;
  for (int i = 0; i < PC_DATASET_COUNT; i++)
    if (r->content.stored[i] && pc_column_create(&r->column[PC_COLUMN_DATASETS + i], r->file,
                                                 r->layout.dataset[i].path) != 0)
      return -1;
  if (pc_violations_create(&r->violations, r->file) != 0) return -1;
  if (pc_found_create(&r->found, r->file) != 0) return -1;
  return pc_events_create(&r->events, r->file);
}

/* Opens a column that is there, of a resumed run, or creates it. Rows before it existed are 0: that
 * is the row of the initial state at most, which fills no chunk. */
static int open_or_create(pc_column* column, hid_t file, const char* path, long written)
{
  if (H5Lexists(file, path, H5P_DEFAULT) > 0) {
    if (pc_column_open(column, file, path) != 0) return -1;
    return pc_column_take_up(column, written);
  }
  column->begun = (int)(written % column->chunk_rows);
  return create_scalar(column, file, path, "");
}

static int add_iterations(pc_recorder* r, const pc_step_info* info)
{
  char path[64];
  r->phase_count = info->phase_count;
  for (int i = 0; i < info->phase_count; i++) {
    snprintf(path, sizeof path, "iterations/%s", info->phase[i]);
    if (open_or_create(&r->column[PC_COLUMN_ITERATIONS + i], r->file, path, r->rows.written) != 0)
      return -1;
  }
  return 0;
}

pc_status pc_recorder_size_memory(pc_recorder* r, int count)
{
  pc_column* column = &r->column[PC_COLUMN_MEMORY];
  int chunk_rows = column->chunk_rows;
  pc_column_close(column);
  r->memory_count = count;
  return pc_column_allocate(column, count, PC_COLUMN_REAL, r->rows.capacity, chunk_rows);
}

static int add_memory(pc_recorder* r, int count)
{
  if (pc_recorder_size_memory(r, count) != PC_OK) return -1;
  if (count == 0) return 0;
  return create_scalar(&r->column[PC_COLUMN_MEMORY], r->file, "memory", "");
}

int pc_recorder_complete_datasets(pc_recorder* r, const pc_observation* seen)
{
  int count = seen->state->memory_count;
  int phases = r->phase_count == 0 && seen->info->phase_count > 0, memory = r->memory_count < 0;
  if (!memory && r->memory_count != count) {
    pc_fail(&r->error, PC_BAD_ARGUMENT,
            "'%s' has %d numbers of the scheme's memory per row, the state has %d", r->path,
            r->memory_count, count);
    return -1;
  }
  if (!phases && !memory) return 0;
  pc_hdf5_use use = pc_hdf5_begin();
  errno = 0;
  int ok = (!phases || add_iterations(r, seen->info) == 0) &&
           (!memory || add_memory(r, count) == 0) &&
           pc_found_size_memory(&r->found, r->file, seen->found) == 0 &&
           H5Fflush(r->file, H5F_SCOPE_LOCAL) >= 0;
  if (!ok) pc_cannot_write(r->path, errno, &r->error);
  pc_hdf5_end(use);
  return ok ? 0 : -1;
}
