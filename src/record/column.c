#include "record/column.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/fletcher.h"
#include "record/sound.h"

/* A row of a chunk is split where it would be longer: HDF5 allows 4 GiB per chunk. */
enum { CHUNK_WIDTH_MAX = 65536 };

/* A chunk carries a checksum. One that is written again, because a flush has left it half full,
 * must not become unreadable if a kill interrupts the write. A chunk that fits into a page, with
 * which its place begins (see file.c), is written as a whole or not at all. A larger one has no
 * checksum before it is full or the file is closed: HDF5 keeps, with the address of each chunk, a
 * mask of the filters that were not applied to it. Of a write that was interrupted then only rows
 * that were not there before are undefined. */
enum {
  PAGE = 4096, /* [bytes] */
  CHECKSUM_BYTES = 4,
  CHUNK_BYTES_MIN = 64, /* from here on, a place begins with a page */
  WITHOUT_CHECKSUM = 1  /* mask of filters: the first one is not applied */
};

static int rank(const pc_column* column)
{
  return column->scalar ? 1 : 2;
}

/* One row, and space for rows without end: of what grows in one direction alone, HDF5 keeps an
 * index (an extensible array) in which an entry never moves. So an interrupted flush cannot lose
 * chunks that were there before. A dataset without columns may not have 0 as its largest width. */
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

static size_t size_in_file(pc_column_type type)
{
  static const size_t size[] = {[PC_COLUMN_REAL] = sizeof(double),
                                [PC_COLUMN_SINGLE] = sizeof(float),
                                [PC_COLUMN_INTEGER] = sizeof(int32_t),
                                [PC_COLUMN_BYTE] = sizeof(int8_t),
                                [PC_COLUMN_LONG] = sizeof(int64_t)};
  return size[type];
}

/* Rows of a chunk that fills a page, or as many as may wait if that is less. */
static int rows_of_a_page(const pc_column* column)
{
  size_t row = (size_t)chunk_width(column) * size_in_file(column->type);
  int most = (int)((PAGE - CHECKSUM_BYTES) / row);
  int least = (int)(CHUNK_BYTES_MIN / size_in_file(column->type)) + 1;
  int rows = column->capacity > least ? column->capacity : least;
  return most < 1 ? 1 : rows < most ? rows : most;
}

static size_t chunk_bytes(const pc_column* column)
{
  return (size_t)column->chunk_rows * (size_t)chunk_width(column) * size_in_file(column->type) +
         CHECKSUM_BYTES;
}

/* Buffers for chunks of so many rows. */
static pc_status make_buffers(pc_column* column, int chunk_rows)
{
  free(column->buffer);
  free(column->chunk);
  column->chunk_rows = chunk_rows;
  /* and one number more, see write_from_buffer */
  column->buffer = pc_alloc((size_t)(chunk_rows + column->capacity) * (size_t)column->width + 1,
                            sizeof *column->buffer);
  column->chunk = pc_alloc(chunk_bytes(column), 1);
  return column->buffer && column->chunk ? PC_OK : PC_OUT_OF_MEMORY;
}

pc_status pc_column_allocate(pc_column* column, int width, pc_column_type type, int capacity,
                             int chunk_rows)
{
  int scalar = width == PC_SCALAR;
  *column = (pc_column){.dataset = H5I_INVALID_HID, .type = type, .scalar = scalar};
  column->width = scalar ? 1 : width;
  column->capacity = capacity;
  return make_buffers(column, chunk_rows > 0 ? chunk_rows : rows_of_a_page(column));
}

pc_status pc_column_reserve(pc_column* column, int capacity)
{
  size_t rows = (size_t)column->chunk_rows + (size_t)capacity, width = (size_t)column->width;
  if (capacity <= column->capacity) return PC_OK;
  double* buffer = realloc(column->buffer, (rows * width + 1) * sizeof *buffer);
  if (!buffer) return PC_OUT_OF_MEMORY;
  column->buffer = buffer;
  column->capacity = capacity;
  return PC_OK;
}

static size_t in_pages(size_t bytes)
{
  return (bytes + PAGE - 1) / PAGE * PAGE;
}

size_t pc_chunk_bytes(int width, pc_column_type type, int rows)
{
  size_t numbers = (size_t)(width == PC_SCALAR ? 1 : width) * (size_t)rows;
  return numbers > 0 ? in_pages(numbers * size_in_file(type) + CHECKSUM_BYTES) : 0;
}

size_t pc_column_chunk_bytes(const pc_column* column)
{
  size_t width = (size_t)chunk_width(column), rows = (size_t)column->chunk_rows;
  size_t across = ((size_t)column->width + width - 1) / width;
  size_t down = (size_t)column->capacity / rows + 2; /* the first and the last may be begun only */
  return across * down * in_pages(chunk_bytes(column));
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
    case PC_COLUMN_SINGLE: return H5T_IEEE_F32LE;
    case PC_COLUMN_BYTE: return H5T_STD_I8LE;
    case PC_COLUMN_LONG: return H5T_STD_I64LE;
    default: return H5T_IEEE_F64LE;
  }
}

enum { LITTLE_ENDIAN_MACHINE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };

static uint64_t bits_of(pc_column_type type, double number)
{
  uint64_t bits = 0;
  float single = (float)number;
  uint32_t short_bits;
  memcpy(&bits, &number, sizeof bits);
  memcpy(&short_bits, &single, sizeof short_bits);
  if (type == PC_COLUMN_REAL) return bits;
  return type == PC_COLUMN_SINGLE ? short_bits : (uint64_t)(int64_t)number;
}

/* Numbers as they are in the file, the lowest byte first. */
static void put_numbers(pc_column_type type, const double* from, size_t count, unsigned char* to)
{
  size_t size = size_in_file(type);
  if (type == PC_COLUMN_REAL && LITTLE_ENDIAN_MACHINE) {
    memcpy(to, from, count * size);
    return;
  }
  if (type == PC_COLUMN_SINGLE && LITTLE_ENDIAN_MACHINE) {
    for (size_t k = 0; k < count; k++, to += sizeof(float)) {
      float number = (float)from[k];
      memcpy(to, &number, sizeof number);
    }
    return;
  }
  for (size_t k = 0; k < count; k++, to += size) {
    uint64_t bits = bits_of(type, from[k]);
    for (size_t i = 0; i < size; i++) to[i] = (unsigned char)(bits >> 8 * i);
  }
}

/* The chunk with `height` rows of the buffer from `row` on, then zeros; its first column is column
 * `x` of the dataset. */
static void fill_chunk(const pc_column* column, int row, int height, int x)
{
  size_t size = size_in_file(column->type), width = (size_t)chunk_width(column);
  size_t stride = (size_t)column->width,
         used = stride - (size_t)x < width ? stride - (size_t)x : width;
  const double* from = column->buffer + (size_t)row * stride + x;
  size_t rows = (size_t)height, end = rows * width * size;
  memset(column->chunk + end, 0, chunk_bytes(column) - end);
  if (used == stride) {
    put_numbers(column->type, from, rows * stride, column->chunk);
    return;
  }
  memset(column->chunk, 0, end);
  for (size_t i = 0; i < rows; i++)
    put_numbers(column->type, from + i * stride, used, column->chunk + i * width * size);
}

static int put_chunk(hid_t dataset, unsigned mask, long row, int x, size_t bytes, const void* chunk)
{
  hsize_t place[2] = {(hsize_t)row, (hsize_t)x};
  return H5Dwrite_chunk(dataset, H5P_DEFAULT, mask, place, bytes, chunk) >= 0 ? 0 : -1;
}

static void put_checksum(unsigned char* chunk, size_t bytes)
{
  uint32_t sum = pc_fletcher32(chunk, bytes);
  for (int i = 0; i < CHECKSUM_BYTES; i++) chunk[bytes + (size_t)i] = (unsigned char)(sum >> 8 * i);
}

/* A full chunk of numbers that are in the buffer as they are in the file. The checksum stands for a
 * moment in place of the row that follows, for which the buffer has space. */
static int write_from_buffer(const pc_column* column, long first, int row)
{
  unsigned char* chunk = (unsigned char*)(column->buffer + (size_t)row * (size_t)column->width);
  unsigned char kept[CHECKSUM_BYTES];
  size_t bytes = chunk_bytes(column), sum_at = bytes - CHECKSUM_BYTES;
  memcpy(kept, chunk + sum_at, sizeof kept);
  put_checksum(chunk, sum_at);
  int result = put_chunk(column->dataset, 0, first + row, 0, bytes, chunk);
  memcpy(chunk + sum_at, kept, sizeof kept);
  return result;
}

/* Row 0 of the buffer is row `first` of the dataset. `last`: the chunk will not be written
 * again. */
static int write_chunk(const pc_column* column, long first, int row, int height, int x, int last)
{
  size_t bytes = chunk_bytes(column), sum_at = bytes - CHECKSUM_BYTES;
  int full = height == column->chunk_rows, sealed = last || full || bytes <= PAGE;
  if (full && column->type == PC_COLUMN_REAL && column->width <= CHUNK_WIDTH_MAX &&
      LITTLE_ENDIAN_MACHINE)
    return write_from_buffer(column, first, row);
  fill_chunk(column, row, height, x);
  if (sealed) put_checksum(column->chunk, sum_at);
  return put_chunk(column->dataset, sealed ? 0 : WITHOUT_CHECKSUM, first + row, x, bytes,
                   column->chunk);
}

/* Creation properties: chunks with a checksum. Their places are chosen when they are written, and
 * nothing is written in advance. */
static hid_t creation_properties(const pc_column* column)
{
  hsize_t chunk[2] = {(hsize_t)column->chunk_rows, (hsize_t)chunk_width(column)};
  hid_t creation = pc_checked_properties(rank(column), chunk);
  if (creation >= 0 && (H5Pset_alloc_time(creation, H5D_ALLOC_TIME_INCR) < 0 ||
                        H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) < 0)) {
    H5Pclose(creation);
    return H5I_INVALID_HID;
  }
  return creation;
}

/* Removes all rows of the dataset but the first `rows`. */
static int trim(const pc_column* column, long rows)
{
  hsize_t size[2] = {(hsize_t)rows, (hsize_t)column->width};
  if (pc_dataset_rows(column->dataset) == rows) return 0;
  return H5Dset_extent(column->dataset, size) >= 0 ? 0 : -1;
}

/* The index of the chunks is made together with the dataset, by a chunk that is removed at once:
 * made with the first rows, an interrupted flush could leave a header that refers to an index that
 * is not there. Nobody reads that chunk, so it need not be complete. */
static int make_index(const pc_column* column)
{
  size_t bytes = chunk_bytes(column) < CHUNK_BYTES_MIN ? chunk_bytes(column) : CHUNK_BYTES_MIN;
  if (column->width > 0 && put_chunk(column->dataset, 0, 0, 0, bytes, column->chunk) != 0)
    return -1;
  return trim(column, 0);
}

int pc_column_create(pc_column* column, hid_t group, const char* name)
{
  hid_t space = growing_space(column), creation = creation_properties(column);
  hid_t access = access_properties();
  if (space >= 0 && creation >= 0 && access >= 0)
    column->dataset =
        H5Dcreate2(group, name, type_in_file(column->type), space, H5P_DEFAULT, creation, access);
  if (access >= 0) H5Pclose(access);
  if (creation >= 0) H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  return column->dataset >= 0 ? make_index(column) : -1;
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

/* The rows of a chunk, if the dataset is stored as percuss stores it, with a checksum; else 0. */
static int stored_chunk_rows(const pc_column* column, hid_t creation)
{
  hsize_t chunk[2] = {0, (hsize_t)chunk_width(column)};
  int ok = H5Pall_filters_avail(creation) > 0 && H5Pget_nfilters(creation) == 1 &&
           H5Pget_filter_by_id2(creation, H5Z_FILTER_FLETCHER32, &(unsigned){0}, &(size_t){0}, NULL,
                                0, NULL, NULL) >= 0 &&
           H5Pget_chunk(creation, 2, chunk) == rank(column) && chunk[0] <= PC_CHUNK_ROWS_MAX &&
           chunk[1] == (hsize_t)chunk_width(column);
  return ok ? (int)chunk[0] : 0;
}

static int is_fit(pc_column* column, hid_t dataset)
{
  hsize_t size[2];
  if (sizes_of(dataset, size) != rank(column) || size[1] != (hsize_t)column->width) return 0;
  hid_t found = H5Dget_type(dataset), creation = H5Dget_create_plist(dataset);
  int same = found >= 0 && H5Tequal(found, type_in_file(column->type)) > 0;
  int rows = same && creation >= 0 ? stored_chunk_rows(column, creation) : 0;
  if (found >= 0) H5Tclose(found);
  if (creation >= 0) H5Pclose(creation);
  return rows > 0 && (rows == column->chunk_rows || make_buffers(column, rows) == PC_OK);
}

int pc_column_open(pc_column* column, hid_t group, const char* name)
{
  hid_t access = access_properties();
  hid_t dataset = access < 0 ? access : pc_open_dataset(group, name, access);
  if (access >= 0) H5Pclose(access);
  if (dataset >= 0 && !is_fit(column, dataset)) {
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
  hsize_t height = (hsize_t)column->chunk_rows, width = (hsize_t)chunk_width(column);
  hsize_t down = ((hsize_t)rows + height - 1) / height;
  hsize_t across = ((hsize_t)column->width + width - 1) / width;
  return H5Dget_storage_size(column->dataset) >= down * across * chunk_bytes(column);
}

/* The same chunk without its checksum, which stays where it is. */
static int drop_checksum(hid_t dataset, long row, int x)
{
  hsize_t place[2] = {(hsize_t)row, (hsize_t)x}, bytes = 0;
  uint32_t mask = 0;
  if (H5Dget_chunk_storage_size(dataset, place, &bytes) < 0 || bytes <= PAGE) return 0;
  unsigned char* chunk = pc_alloc((size_t)bytes, 1);
  int ok = chunk && H5Dread_chunk(dataset, H5P_DEFAULT, place, &mask, chunk) >= 0 &&
           put_chunk(dataset, WITHOUT_CHECKSUM, row, x, (size_t)bytes, chunk) == 0;
  free(chunk);
  return ok ? 0 : -1;
}

/* Chunks of the first `rows` rows that are not full get ready to be written again. */
static int drop_checksums(hid_t dataset, long rows)
{
  hsize_t size[2], chunk[2] = {0, 1};
  hid_t creation = H5Dget_create_plist(dataset);
  if (creation < 0) return -1;
  int ok = sizes_of(dataset, size) > 0 && H5Pget_chunk(creation, 2, chunk) > 0 && chunk[0] > 0;
  long part = ok ? rows % (long)chunk[0] : 0;
  for (hsize_t x = 0; ok && part > 0 && x < size[1]; x += chunk[1])
    ok = drop_checksum(dataset, rows - part, (int)x) == 0;
  H5Pclose(creation);
  return ok && H5Fflush(dataset, H5F_SCOPE_LOCAL) >= 0 ? 0 : -1;
}

/* HDF5 writes the last chunk again when rows of it are removed, with a checksum: so that is dropped
 * before, because an interrupted write would leave a wrong one, and after. */
int pc_dataset_renew(hid_t dataset, long rows, long beyond)
{
  hsize_t size[2];
  if (sizes_of(dataset, size) < 1 || drop_checksums(dataset, rows) != 0) return -1;
  size[0] = (hsize_t)beyond;
  if (H5Dset_extent(dataset, size) < 0) return -1;
  size[0] = (hsize_t)rows;
  if (H5Dset_extent(dataset, size) < 0 || H5Fflush(dataset, H5F_SCOPE_LOCAL) < 0) return -1;
  return drop_checksums(dataset, rows);
}

int pc_column_renew(const pc_column* column, long rows)
{
  return pc_dataset_renew(column->dataset, rows, rows + column->capacity + column->chunk_rows);
}

/* Reads `count` rows of the dataset from `first` on. */
static int read_rows(const pc_column* column, long first, int count, double* into)
{
  hsize_t start[2] = {(hsize_t)first, 0};
  hsize_t size[2] = {(hsize_t)count, (hsize_t)column->width};
  hid_t memory = H5Screate_simple(rank(column), size, NULL);
  hid_t file = H5Dget_space(column->dataset);
  int ok = memory >= 0 && file >= 0 &&
           H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
           H5Dread(column->dataset, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, into) >= 0;
  if (file >= 0) H5Sclose(file);
  if (memory >= 0) H5Sclose(memory);
  return ok ? 0 : -1;
}

int pc_column_take_up(pc_column* column, long rows)
{
  column->begun = (int)(rows % column->chunk_rows);
  if (column->begun == 0 || column->width == 0) return 0;
  return read_rows(column, rows - column->begun, column->begun, column->buffer);
}

/* Every chunk of the buffer's first `rows` rows, which begin with row `first` of the dataset. */
static int write_chunks(const pc_column* column, long first, int rows, int last)
{
  for (int row = 0; row < rows; row += column->chunk_rows) {
    int height = rows - row < column->chunk_rows ? rows - row : column->chunk_rows;
    for (int x = 0; x < column->width; x += chunk_width(column))
      if (write_chunk(column, first, row, height, x, last) != 0) return -1;
  }
  return 0;
}

static int write_rows(pc_column* column, long first, int count, int last)
{
  hsize_t all[2] = {(hsize_t)(first + count), (hsize_t)column->width};
  if (H5Dset_extent(column->dataset, all) < 0) return -1;
  int rows = column->begun + count, rest = rows % column->chunk_rows;
  if ((count > 0 || last) && write_chunks(column, first - column->begun, rows, last) != 0)
    return -1;
  size_t width = (size_t)column->width;
  memmove(column->buffer, column->buffer + (size_t)(rows - rest) * width,
          (size_t)rest * width * sizeof *column->buffer);
  column->begun = rest;
  return 0;
}

int pc_column_write(pc_column* column, long first, int count)
{
  return write_rows(column, first, count, 0);
}

int pc_column_finish(pc_column* column, long first, int count)
{
  return write_rows(column, first, count, 1);
}

int pc_column_read_rows(const pc_column* column, long first, int count, double* numbers)
{
  return column->width == 0 || count == 0 ? 0 : read_rows(column, first, count, numbers);
}

int pc_column_read(const pc_column* column, long row, double* numbers)
{
  return pc_column_read_rows(column, row, 1, numbers);
}

int pc_column_close(pc_column* column)
{
  int ok = 1;
  if (column->buffer && column->dataset >= 0) ok = H5Dclose(column->dataset) >= 0;
  free(column->buffer);
  free(column->chunk);
  *column = (pc_column){.dataset = H5I_INVALID_HID};
  return ok ? 0 : -1;
}
