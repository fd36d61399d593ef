/* A result file of any content: it is refused with a text, or everything in it can be read. */
#undef NDEBUG /* the checks are what this program is for */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/target.h"
#include "percuss/percuss.h"
#include "tests/record/hdf5_leaks.h"

enum { ROWS_MAX = 10000 };

/* Every series, as far as it goes. */
static void read_all(const pc_result* result)
{
  long rows = pc_result_length(result);
  if (rows > ROWS_MAX) rows = ROWS_MAX;
  double* values = malloc((size_t)(rows > 0 ? rows : 1) * sizeof *values);
  if (!values) return;
  for (int i = 0; i < pc_result_series_count(result); i++) {
    pc_error error = {0};
    assert(pc_result_find(result, pc_result_series(result, i).name) >= 0);
    if (pc_result_read(result, i, 0, rows, values, &error) != PC_OK) assert(error.text[0]);
  }
  free(values);
  pc_impact* impact = NULL;
  int count = 0;
  if (pc_result_impacts(result, &impact, &count, NULL) == PC_OK) free(impact);
}

/* A result file has hundreds of pages that hold little each. So the input may list its pieces: an
 * offset (3 bytes, the lowest first), a length (2 bytes), so many bytes; and so on. Between them
 * the file is 0. An input that begins as HDF5 does is the file itself. */
static int write_pieces(int file, const uint8_t* data, size_t size)
{
  enum { HEAD = 5 };
  while (size > HEAD) {
    size_t offset = (size_t)data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16;
    size_t length = (size_t)data[3] | (size_t)data[4] << 8;
    if (length > size - HEAD) length = size - HEAD;
    if (pwrite(file, data + HEAD, length, (off_t)offset) != (ssize_t)length) return 0;
    data += HEAD + length;
    size -= HEAD + length;
  }
  return 1;
}

static int write_file(int file, const uint8_t* data, size_t size)
{
  int whole = size >= 4 && !memcmp(data, "\x89HDF", 4);
  return whole ? write(file, data, size) == (ssize_t)size : write_pieces(file, data, size);
}

/* In memory where there is such a folder: a disk is a hundred times slower. */
static int make_file(char* path, size_t size)
{
  snprintf(path, size, "/dev/shm/percuss-fuzz-XXXXXX");
  int file = mkstemp(path);
  if (file >= 0) return file;
  snprintf(path, size, "/tmp/percuss-fuzz-XXXXXX");
  return mkstemp(path);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  char path[64];
  int file = make_file(path, sizeof path);
  if (file < 0) return 0;
  int written = write_file(file, data, size);
  close(file);
  pc_result* result = NULL;
  pc_error error = {0};
  if (written) {
    pc_status status = pc_result_open(path, &result, &error);
    if (status == PC_OK)
      read_all(result);
    else
      assert(!result && error.status == status && error.text[0]);
  }
  pc_result_close(result);
  unlink(path);
  return 0;
}
