#include "record/column.h"

#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"
#include "record/sound.h"

/* A row of a chunk is cut where it would be longer: HDF5 allows 4 GiB per chunk. */
enum { CHUNK_WIDTH_MAX = 65536 };

/* A chunk carries a checksum. One that is written again, because a flush has left it half full, must not
 * be parted by a kill: its old rows would go with the new ones. So it fits into a page, with which its
 * place begins (see file.c), or holds one row, which is written once. */
enum {
  PAGE = 4096, /* [bytes] */
  CHECKSUM_BYTES = 4,
  CHUNK_ROWS_MIN = 16 /* from 64 bytes on, a place begins with a page */
};

pc_status pc_column_allocate(pc_column* column, int width, int capacity)
{
  int scalar = width == PC_SCALAR;
  int numbers = scalar ? 1 : width;
  *column = (pc_column){H5I_INVALID_HID, scalar, numbers, capacity, NULL};
  column->buffer = pc_alloc((size_t)capacity, sizeof(double) * (size_t)numbers);
  return column->buffer ? PC_OK : PC_OUT_OF_MEMORY;
}

static int rank(const pc_column* column)
{
  return column->scalar ? 1 : 2;
}

/* One row, and room for rows without end: of what grows in one direction alone, HDF5 keeps an index
 * (an extensible array) in which an entry never moves. So a flush that is cut off cannot lose chunks
 * that were there before. A dataset without columns may not have 0 as its largest width. */
static hid_t growing_space(const pc_column* column)
{
  hsize_t width = (hsize_t)column->width;
  hsize_t size[2] = {1, width};
  hsize_t largest[2] = {H5S_UNLIMITED, width ? width : 1};
  return H5Screate_simple(rank(column), size, largest);
}

static int chunk_width(const pc_column* column)
{
  int width = column->width < CHUNK_WIDTH_MAX ? column->width : CHUNK_WIDTH_MAX;
  return width > 0 ? width : 1;
}

static int chunk_rows(const pc_column* column)
{
  int most = PC_CHUNK_ROWS_MAX / chunk_width(column);
  int rows = column->capacity > CHUNK_ROWS_MIN ? column->capacity : CHUNK_ROWS_MIN;
  return most < 1 ? 1 : rows < most ? rows : most;
}

_Static_assert(PC_CHUNK_ROWS_MAX * sizeof(double) + CHECKSUM_BYTES <= PAGE, "in one page");

size_t pc_column_chunk_bytes(const pc_column* column)
{
  size_t width = (size_t)chunk_width(column), rows = (size_t)chunk_rows(column);
  size_t across = ((size_t)column->width + width - 1) / width;
  size_t down = (size_t)column->capacity / rows + 2; /* the first and the last may be begun only */
  size_t pages = (rows * width * sizeof(double) + CHECKSUM_BYTES + PAGE - 1) / PAGE;
  return across * down * pages * PAGE;
}

/* No cache: a row is written once. */
static hid_t access_properties(void)
{
  hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  if (access >= 0 &&
      H5Pset_chunk_cache(access, 1 /* slot */, 0 /* bytes */, H5D_CHUNK_CACHE_W0_DEFAULT) < 0) {
    H5Pclose(access);
    return H5I_INVALID_HID;
  }
  return access;
}

static hid_t type_in_file(pc_column_type type)
{
  switch (type) {
    case PC_COLUMN_INTEGER: return H5T_STD_I32LE;
    case PC_COLUMN_LONG: return H5T_STD_I64LE;
    default: return H5T_IEEE_F64LE;
  }
}

/* The index of the chunks is made together with the dataset, by a row that goes at once: made with the
 * first rows, a flush that is cut off could leave a header that refers to an index that is not there. */
int pc_column_create(pc_column* column, hid_t group, const char* name, pc_column_type type)
{
  hid_t space = growing_space(column);
  hsize_t chunk[2] = {(hsize_t)chunk_rows(column), (hsize_t)chunk_width(column)};
  hid_t creation = pc_checked_properties(rank(column), chunk);
  hid_t access = access_properties();
  if (space >= 0 && creation >= 0 && access >= 0)
    column->dataset =
        H5Dcreate2(group, name, type_in_file(type), space, H5P_DEFAULT, creation, access);
  if (access >= 0) H5Pclose(access);
  if (creation >= 0) H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  return column->dataset >= 0 ? pc_column_trim(column, 0) : -1;
}

/* Sizes of a dataset, {rows, width}, width 1 at rank 1; returns its rank or -1. */
static int sizes_of(hid_t dataset, hsize_t size[2])
{
  hid_t space = H5Dget_space(dataset);
  if (space < 0) return -1;
  size[0] = size[1] = 1;
  int dimensions = H5Sget_simple_extent_ndims(space);
  if (dimensions < 1 || dimensions > 2 || H5Sget_simple_extent_dims(space, size, NULL) < 0)
    dimensions = -1;
  H5Sclose(space);
  return dimensions;
}

/* Whether the numbers are stored as percuss stores them, with a checksum. */
static int has_type(hid_t dataset, pc_column_type type)
{
  hid_t found = H5Dget_type(dataset), creation = H5Dget_create_plist(dataset);
  int same = found >= 0 && H5Tequal(found, type_in_file(type)) > 0;
  int checked = creation >= 0 && H5Pall_filters_avail(creation) > 0 &&
                H5Pget_nfilters(creation) == 1 &&
                H5Pget_filter_by_id2(creation, H5Z_FILTER_FLETCHER32, &(unsigned){0}, &(size_t){0},
                                     NULL, 0, NULL, NULL) >= 0;
  if (found >= 0) H5Tclose(found);
  if (creation >= 0) H5Pclose(creation);
  return same && checked;
}

int pc_column_open(pc_column* column, hid_t group, const char* name, pc_column_type type)
{
  hid_t access = access_properties();
  hid_t dataset = access < 0 ? access : pc_open_dataset(group, name, access);
  if (access >= 0) H5Pclose(access);
  hsize_t size[2];
  if (dataset >= 0 && (sizes_of(dataset, size) != rank(column) ||
                       size[1] != (hsize_t)column->width || !has_type(dataset, type))) {
    H5Dclose(dataset);
    dataset = H5I_INVALID_HID;
  }
  column->dataset = dataset;
  return dataset >= 0 ? 0 : -1;
}

long pc_dataset_rows(hid_t dataset)
{
  hsize_t size[2];
  return sizes_of(dataset, size) < 1 ? -1 : (long)size[0];
}

int pc_dataset_width(hid_t dataset)
{
  hsize_t size[2];
  return sizes_of(dataset, size) < 1 || size[1] > INT_MAX ? -1 : (int)size[1];
}

int pc_column_holds(const pc_column* column, long rows)
{
  if (pc_dataset_rows(column->dataset) < rows) return 0;
  if (column->width == 0 || rows == 0) return 1;
  hsize_t chunk[2] = {1, 1};
  hid_t creation = H5Dget_create_plist(column->dataset);
  hid_t type = H5Dget_type(column->dataset);
  int ok = creation >= 0 && type >= 0 && H5Pget_chunk(creation, 2, chunk) == rank(column);
  if (ok) {
    hsize_t down = ((hsize_t)rows + chunk[0] - 1) / chunk[0];
    hsize_t across = ((hsize_t)column->width + chunk[1] - 1) / chunk[1];
    hsize_t bytes = down * across * (chunk[0] * chunk[1] * H5Tget_size(type) + CHECKSUM_BYTES);
    ok = H5Dget_storage_size(column->dataset) >= bytes;
  }
  if (type >= 0) H5Tclose(type);
  if (creation >= 0) H5Pclose(creation);
  return ok;
}

int pc_column_trim(const pc_column* column, long rows)
{
  hsize_t size[2] = {(hsize_t)rows, (hsize_t)column->width};
  if (pc_dataset_rows(column->dataset) == rows) return 0;
  return H5Dset_extent(column->dataset, size) >= 0 ? 0 : -1;
}

int pc_column_renew(const pc_column* column, long rows)
{
  long beyond = rows + column->capacity + chunk_rows(column);
  hsize_t size[2] = {(hsize_t)beyond, (hsize_t)column->width};
  if (H5Dset_extent(column->dataset, size) < 0) return -1;
  return pc_column_trim(column, rows);
}

double* pc_column_row(const pc_column* column, int row)
{
  return column->buffer + (size_t)row * (size_t)column->width;
}

/* Moves `count` rows of the dataset from `first` on between file and memory. */
static int transfer(const pc_column* column, long first, int count, double* into,
                    const double* from)
{
  hsize_t start[2] = {(hsize_t)first, 0};
  hsize_t size[2] = {(hsize_t)count, (hsize_t)column->width};
  hid_t memory = H5Screate_simple(rank(column), size, NULL);
  hid_t file = H5Dget_space(column->dataset);
  int ok = memory >= 0 && file >= 0 &&
           H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0;
  if (ok && from)
    ok = H5Dwrite(column->dataset, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, from) >= 0;
  if (ok && into)
    ok = H5Dread(column->dataset, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, into) >= 0;
  if (file >= 0) H5Sclose(file);
  if (memory >= 0) H5Sclose(memory);
  return ok ? 0 : -1;
}

int pc_column_write(pc_column* column, long first, int count)
{
  hsize_t all[2] = {(hsize_t)(first + count), (hsize_t)column->width};
  if (H5Dset_extent(column->dataset, all) < 0) return -1;
  if (count == 0 || column->width == 0) return 0;
  return transfer(column, first, count, NULL, column->buffer);
}

int pc_column_read(const pc_column* column, long row, double* numbers)
{
  return column->width == 0 ? 0 : transfer(column, row, 1, numbers, NULL);
}

int pc_column_close(pc_column* column)
{
  int ok = 1;
  if (column->buffer && column->dataset >= 0) ok = H5Dclose(column->dataset) >= 0;
  free(column->buffer);
  *column = (pc_column){H5I_INVALID_HID, 0, 0, 0, NULL};
  return ok ? 0 : -1;
}
