/* A table of any content, as text or HDF5: it is refused with a text, or its cells can be read. */
#undef NDEBUG /* the checks are what this program is for */
#include <assert.h>

#include "fuzz/file.h"
#include "fuzz/target.h"
#include "percuss/percuss.h"
#include "tests/record/hdf5_leaks.h"

/* All that it holds, as a reader does it. */
static void read_cells(const pc_table_content* c)
{
  double sum = 0;
  for (long i = 0; i < c->count; i++) {
    assert(c->status[i] && c->note[i]);
    for (int k = 0; k < c->column_count; k++) {
      const size_t* first = &c->first[i * c->column_count + k];
      assert(first[0] <= first[1]);
      for (size_t n = first[0]; n < first[1]; n++) sum += c->number[n];
    }
  }
  char text[64]; /* so that the sum is needed */
  assert(snprintf(text, sizeof text, "%g", sum) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  char path[FUZZ_PATH_SIZE];
  int is_text = size == 0 || data[0] == '#';
  int file = fuzz_make_file(path, is_text ? ".csv" : ".h5");
  if (file < 0) return 0;
  int written =
      is_text ? write(file, data, size) == (ssize_t)size : fuzz_write_hdf5(file, data, size);
  close(file);
  pc_table_content* content = NULL;
  pc_error error = {0};
  if (written && pc_table_read(path, &content, &error) == PC_OK)
    read_cells(content);
  else
    assert(!written || (!content && error.text[0]));
  pc_table_free(content);
  unlink(path);
  return 0;
}
