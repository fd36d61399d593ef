/* A result file of any content: it is refused with a text, or everything in it can be read. */
#undef NDEBUG /* the checks are what this program is for */
#include <assert.h>

#include "fuzz/file.h"
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

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  char path[FUZZ_PATH_SIZE];
  int file = fuzz_make_file(path, "");
  if (file < 0) return 0;
  int written = fuzz_write_hdf5(file, data, size);
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
