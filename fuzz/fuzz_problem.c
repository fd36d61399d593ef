/* A file of FCLib of any content: it is refused with a text, or its problem can be solved or is
 * not, with a residual that tells. */
#undef NDEBUG /* the checks are what this program is for */
#include <assert.h>
#include <math.h>

#include "fuzz/file.h"
#include "fuzz/target.h"
#include "percuss/percuss.h"

enum { ROWS_MAX = 600 };

static void solve(const pc_problem* problem)
{
  pc_solver* solver = NULL;
  pc_solver_settings settings = pc_default_solver_settings();
  pc_solver_info info;
  settings.max_iterations = 100;
  int rows = problem->row[problem->node_count];
  double* z = calloc((size_t)rows + 1, sizeof *z);
  if (z && rows <= ROWS_MAX && pc_solver_create("auto", &settings, &solver, NULL) == PC_OK &&
      pc_solver_solve(solver, problem, z, &info, NULL) == PC_OK) {
    double residual = pc_problem_residual(problem, z);
    assert(residual >= 0);
    if (info.converged) assert(residual <= 1.01 * settings.tolerance);
  }
  pc_solver_destroy(solver);
  free(z);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  char path[FUZZ_PATH_SIZE];
  int file = fuzz_make_file(path, "");
  if (file < 0) return 0;
  int written = write(file, data, size) == (ssize_t)size;
  close(file);
  pc_fclib* problem = NULL;
  pc_error error = {0};
  if (written) {
    pc_status status = pc_fclib_read(path, &problem, &error);
    if (status == PC_OK)
      solve(pc_fclib_problem(problem));
    else
      assert(!problem && error.status == status && error.text[0]);
  }
  pc_fclib_free(problem);
  unlink(path);
  return 0;
}
