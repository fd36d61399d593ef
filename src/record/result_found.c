/* Contacts between shapes of a result file: see found.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/columns.h"
#include "record/found.h"
#include "record/result.h"
#include "record/sound.h"

enum { DIRECTIONS = 3 };

static const char SHAPES[] = "/found/shape";

/* ---- what there is --------------------------------------------------------------------------- */

static pc_status read_shapes(pc_result* r, int count, pc_error* error)
{
  r->shape = pc_alloc(2 * (size_t)count, sizeof *r->shape);
  if (!r->shape) return pc_no_memory(error);
  int ok = pc_columns_read(r->file, SHAPES, "name", count, r->shape) == 0;
  if (ok) r->shape_count = count;
  ok = ok && pc_columns_read(r->file, SHAPES, "body", count, r->shape + count) == 0;
  return ok ? PC_OK : pc_result_damaged(r, "found/shape", error);
}

pc_status pc_result_catalogue_found(pc_result* r, pc_error* error)
{
  if (H5Lexists(r->file, "found", H5P_DEFAULT) <= 0) return PC_OK;
  int count = pc_columns_count(r->file, SHAPES);
  if (count < 0) return pc_result_damaged(r, "found/shape", error);
  PC_TRY(read_shapes(r, count, error));
  long ends[1];
  return pc_result_found_offsets(r, r->length, 0, ends, error);
}

void pc_result_free_found(pc_result* r)
{
  for (int i = 0; r->shape && i < 2 * r->shape_count; i++) free(r->shape[i]);
  free(r->shape);
}

int pc_result_shape_count(const pc_result* r)
{
  if (!r) return 0;
  return r->shape_count;
}

pc_result_shape pc_result_get_shape(const pc_result* r, int shape)
{
  if ((unsigned)shape >= (unsigned)pc_result_shape_count(r)) return (pc_result_shape){0};
  return (pc_result_shape){r->shape[shape], r->shape[r->shape_count + shape]};
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int read_numbers(const pc_result* r, const char* path, long first, long count, int width,
                        double* values)
{
  long rows;
  int columns;
  hsize_t start[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)count, (hsize_t)width};
  hid_t dataset = pc_open_dataset(r->file, path, H5P_DEFAULT);
  if (dataset < 0) return -1;
  int ok = pc_dataset_shape(dataset, width ? 2 : 1, &rows, &columns) == 0 &&
           (!width || columns == width) && first + count <= rows;
  hid_t memory = ok ? H5Screate_simple(width ? 2 : 1, size, NULL) : H5I_INVALID_HID;
  hid_t space = ok ? H5Dget_space(dataset) : H5I_INVALID_HID;
  ok = memory >= 0 && space >= 0 &&
       H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
       H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
  if (space >= 0) H5Sclose(space);
  if (memory >= 0) H5Sclose(memory);
  H5Dclose(dataset);
  return ok ? 0 : -1;
}

int pc_result_read_numbers(const pc_result* r, const char* path, long first, long count, int width,
                           double* values)
{
  if (count == 0) return 0;
  pc_hdf5_use use = pc_hdf5_begin();
  errno = 0;
  int result = read_numbers(r, path, first, count, width, values);
  pc_hdf5_end(use);
  return result;
}

/* Offsets begin with 0 and never descend. */
static int are_offsets(const double* number, long count, long first)
{
  if (first == 0 && number[0] != 0) return 0;
  for (long k = 0; k < count; k++)
    if (!(number[k] >= 0 && number[k] < 9e15) || (k > 0 && number[k] < number[k - 1])) return 0;
  return 1;
}

static int holds_contacts(const pc_result* r, long count)
{
  pc_hdf5_use use = pc_hdf5_begin();
  hid_t dataset = pc_open_dataset(r->file, "found/gap", H5P_DEFAULT);
  int holds = dataset >= 0 && pc_dataset_holds(dataset, 1, count);
  if (dataset >= 0) H5Dclose(dataset);
  pc_hdf5_end(use);
  return holds;
}

pc_status pc_result_found_offsets(const pc_result* r, long first, long count, long* offset,
                                  pc_error* error)
{
  PC_TRY(pc_need(r, "result", error));
  PC_TRY(pc_need(offset, "offset", error));
  if (first < 0 || count < 0 || count > r->length || first > r->length - count)
    return pc_fail(error, PC_BAD_ARGUMENT, "rows: %ld from row %ld on, but '%s' has %ld", count,
                   first, r->path, r->length);
  for (long k = 0; k <= count; k++) offset[k] = 0;
  if (r->shape_count == 0) return PC_OK;
  double* number = pc_alloc((size_t)count + 1, sizeof *number);
  if (!number) return pc_no_memory(error);
  int ok = pc_result_read_numbers(r, "found/offset", first, count + 1, 0, number) == 0 &&
           are_offsets(number, count + 1, first) && holds_contacts(r, (long)number[count]);
  for (long k = 0; ok && k <= count; k++) offset[k] = (long)number[k];
  free(number);
  return ok ? PC_OK : pc_result_damaged(r, "found/offset", error);
}

/* A column of numbers that goes into contacts. */
typedef struct field {
  const char* path;
  int width;
  void (*put)(const double* number, pc_shape_contact* contact);
} field;

static void put_key(const double* x, pc_shape_contact* c)
{
  c->key = pc_key_of_numbers(x);
}

static void put_P(const double* x, pc_shape_contact* c)
{
  for (int i = 0; i < DIRECTIONS; i++) c->P[i] = x[i];
}

static void put_spin(const double* x, pc_shape_contact* c)
{
  c->spin = *x;
}

static void put_point(const double* x, pc_shape_contact* c)
{
  for (int i = 0; i < DIRECTIONS; i++) c->point[i] = x[i];
}

/* After P. */
static void put_normal(const double* x, pc_shape_contact* c)
{
  for (int i = 0; i < DIRECTIONS; i++) {
    c->normal[i] = x[i];
    c->P_N += c->P[i] * x[i];
  }
}

static void put_gap(const double* x, pc_shape_contact* c)
{
  c->gap = *x;
}

static const field fields[] = {{"found/key", PC_KEY_WIDTH, put_key}, {"found/P", 3, put_P},
                               {"found/spin", 0, put_spin},          {"found/point", 3, put_point},
                               {"found/normal", 3, put_normal},      {"found/gap", 0, put_gap}};

static int has_shapes(const pc_result* r, const pc_contact_key* key)
{
  return key->shape[0] >= 0 && key->shape[0] < r->shape_count && key->shape[1] >= 0 &&
         key->shape[1] < r->shape_count;
}

pc_status pc_result_read_found(const pc_result* r, long first, long count,
                               pc_shape_contact* contact, pc_error* error)
{
  double* number = pc_alloc((size_t)count * PC_KEY_WIDTH, sizeof *number);
  if (!number) return pc_no_memory(error);
  for (long k = 0; k < count; k++)
    contact[k] = (pc_shape_contact){.velocity_before = NAN, .velocity_after = NAN};
  pc_status status = PC_OK;
  for (size_t i = 0; i < sizeof fields / sizeof *fields && status == PC_OK; i++) {
    const field* f = &fields[i];
    if (pc_result_read_numbers(r, f->path, first, count, f->width, number) != 0)
      status = pc_result_damaged(r, f->path, error);
    for (long k = 0; k < count && status == PC_OK; k++)
      f->put(number + k * (f->width ? f->width : 1), &contact[k]);
  }
  for (long k = 0; k < count && status == PC_OK; k++)
    if (!has_shapes(r, &contact[k].key)) status = pc_result_damaged(r, "found/key", error);
  free(number);
  return status;
}
