#include "record/violations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/columns.h"
#include "record/sound.h"

static const char path[] = "ledger/violations";

enum { ROWS = 2, NAME_SIZE = 256 };

pc_status pc_violations_allocate(pc_violations* v, const pc_system* system)
{
  v->dataset = H5I_INVALID_HID;
  v->count = pc_violation_count(system);
  v->number = pc_alloc(ROWS * (size_t)v->count, sizeof *v->number);
  return v->number ? PC_OK : PC_OUT_OF_MEMORY;
}

/* As in the summary: corner1.impact_law. */
static void name_law(const pc_violation* law, char name[NAME_SIZE])
{
  snprintf(name, NAME_SIZE, "%s.%s", law->part, pc_violated_name(law->law));
}

/* Names and units of the columns; the arrays have space for all of them. */
static int write_names(hid_t file, const pc_system* system, int count, pc_violation* law,
                       char (*text)[NAME_SIZE], const char** name)
{
  const char** unit = name + count;
  pc_list_violations(system, law);
  for (int i = 0; i < count; i++) {
    name_law(&law[i], text[i]);
    name[i] = text[i];
    unit[i] = law[i].unit;
  }
  pc_columns columns = {.count = count, .name = name, .unit = unit};
  return pc_columns_write(file, path, &columns);
}

int pc_violations_describe(hid_t file, const pc_system* system)
{
  int count = pc_violation_count(system);
  size_t n = (size_t)count;
  pc_violation* law = pc_alloc(n, sizeof *law);
  char(*text)[NAME_SIZE] = pc_alloc(n, sizeof *text);
  const char** name = pc_alloc(2 * n, sizeof *name);
  int result = law && text && name ? write_names(file, system, count, law, text, name) : -1;
  free(name);
  free(text);
  free(law);
  return result;
}

/* A page of 4 KiB takes both numbers of so many columns and their checksum. */
enum { CHUNK_MAX = 255, PAGE = 4096 };

/* It is written again and again: chunks that fit into a page are never parted by a kill, and a
 * value stays with its time. */
static hid_t create_dataset(hid_t file, int count)
{
  int width = count > CHUNK_MAX ? CHUNK_MAX : count;
  hid_t space = H5Screate_simple(2, (hsize_t[]){ROWS, (hsize_t)count}, NULL);
  hid_t creation = pc_checked_properties(2, (hsize_t[]){ROWS, width > 0 ? (hsize_t)width : 1});
  hid_t dataset = H5I_INVALID_HID;
  if (space >= 0 && creation >= 0)
    dataset = H5Dcreate2(file, path, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (creation >= 0) H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  return dataset;
}

int pc_violations_create(pc_violations* v, hid_t file)
{
  v->dataset = create_dataset(file, v->count);
  return v->dataset >= 0 ? pc_violations_write(v) : -1;
}

static int has_shape(const pc_violations* v)
{
  hsize_t size[2] = {0};
  hid_t type = H5Dget_type(v->dataset), space = H5Dget_space(v->dataset);
  int ok = type >= 0 && space >= 0 && H5Tequal(type, H5T_IEEE_F64LE) > 0 &&
           H5Sget_simple_extent_ndims(space) == 2 &&
           H5Sget_simple_extent_dims(space, size, NULL) == 2 && size[0] == ROWS &&
           size[1] == (hsize_t)v->count;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  return ok;
}

int pc_violations_open(pc_violations* v, hid_t file)
{
  v->dataset = pc_open_dataset(file, path, H5P_DEFAULT);
  if (v->dataset < 0 || !has_shape(v)) return -1;
  if (v->count == 0) return 0;
  return H5Dread(v->dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v->number) >= 0 ? 0
                                                                                               : -1;
}

int pc_violations_write(const pc_violations* v)
{
  if (v->count == 0) return 0;
  return H5Dwrite(v->dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v->number) >= 0
             ? 0
             : -1;
}

int pc_violations_close(pc_violations* v)
{
  int ok = v->dataset < 0 || H5Dclose(v->dataset) >= 0;
  v->dataset = H5I_INVALID_HID;
  free(v->number);
  v->number = NULL;
  return ok ? 0 : -1;
}

void pc_violations_see(pc_violations* v, const pc_observation* seen)
{
  for (int i = 0; i < v->count; i++) {
    if (!(seen->violation[i].value > v->number[i])) continue;
    v->number[i] = seen->violation[i].value;
    v->number[v->count + i] = seen->violation[i].t;
  }
}

size_t pc_violations_bytes(const pc_system* system)
{
  size_t longest = 0, count = (size_t)pc_violation_count(system);
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    size_t length = strlen(pc_system_quantity(system, i).name);
    if (length > longest) longest = length;
  }
  return (count / CHUNK_MAX + 1) * PAGE + count * (longest + 32);
}
