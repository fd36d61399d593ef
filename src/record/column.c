#include "record/column.h"

#include <stdlib.h>

#include "base/memory.h"

/* A row of a chunk is cut where it would be longer: HDF5 allows 4 GiB per chunk. */
enum { CHUNK_WIDTH_MAX = 65536 };

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

/* Rows without end; a dataset without columns may not have 0 as its largest width. */
static hid_t growing_space(const pc_column* column)
{
  hsize_t width = (hsize_t)column->width;
  hsize_t size[2] = {0, width};
  hsize_t largest[2] = {H5S_UNLIMITED, width ? width : H5S_UNLIMITED};
  return H5Screate_simple(rank(column), size, largest);
}

static int chunk_width(const pc_column* column)
{
  int width = column->width < CHUNK_WIDTH_MAX ? column->width : CHUNK_WIDTH_MAX;
  return width > 0 ? width : 1;
}

size_t pc_column_chunk_bytes(const pc_column* column)
{
  size_t width = (size_t)chunk_width(column);
  size_t chunks = ((size_t)column->width + width - 1) / width;
  return chunks * width * (size_t)column->capacity * sizeof(double);
}

static int set_chunks(const pc_column* column, hid_t creation)
{
  hsize_t chunk[2] = {(hsize_t)column->capacity, (hsize_t)chunk_width(column)};
  return H5Pset_chunk(creation, rank(column), chunk) >= 0;
}

int pc_column_create(pc_column* column, hid_t group, const char* name, pc_column_type type)
{
  hid_t space = growing_space(column);
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  if (space >= 0 && creation >= 0 && access >= 0 && set_chunks(column, creation) &&
      H5Pset_chunk_cache(access, 1 /* slot */, 0 /* bytes */, H5D_CHUNK_CACHE_W0_DEFAULT) >= 0)
    column->dataset =
        H5Dcreate2(group, name, type == PC_COLUMN_INTEGER ? H5T_STD_I32LE : H5T_IEEE_F64LE, space,
                   H5P_DEFAULT, creation, access);
  if (access >= 0) H5Pclose(access);
  if (creation >= 0) H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  return column->dataset >= 0 ? 0 : -1;
}

double* pc_column_row(const pc_column* column, int row)
{
  return column->buffer + (size_t)row * (size_t)column->width;
}

int pc_column_write(pc_column* column, long first, int count)
{
  hsize_t width = (hsize_t)column->width;
  hsize_t all[2] = {(hsize_t)(first + count), width};
  if (H5Dset_extent(column->dataset, all) < 0) return -1;
  if (count == 0 || width == 0) return 0;
  hsize_t start[2] = {(hsize_t)first, 0};
  hsize_t size[2] = {(hsize_t)count, width};
  hid_t memory = H5Screate_simple(rank(column), size, NULL);
  hid_t file = H5Dget_space(column->dataset);
  int ok =
      memory >= 0 && file >= 0 &&
      H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
      H5Dwrite(column->dataset, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, column->buffer) >= 0;
  if (file >= 0) H5Sclose(file);
  if (memory >= 0) H5Sclose(memory);
  return ok ? 0 : -1;
}

int pc_column_close(pc_column* column)
{
  int ok = 1;
  if (column->buffer && column->dataset >= 0) ok = H5Dclose(column->dataset) >= 0;
  free(column->buffer);
  *column = (pc_column){H5I_INVALID_HID, 0, 0, 0, NULL};
  return ok ? 0 : -1;
}
