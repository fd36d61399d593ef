#include "linalg/sparse_cholesky.h"

#include <cholmod.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

struct pc_sparse_cholesky {
  const pc_pattern* pattern;
  cholmod_common common;
  cholmod_factor* factor;
  cholmod_dense* solution; /* these three belong to CHOLMOD and live from solve to solve */
  cholmod_dense* work_y;
  cholmod_dense* work_e;
};

/* The simplicial method: our components are chains and meshes of few degrees of freedom per node,
 * and the supernodal method allocates in every factorisation. */
static void start(cholmod_common* common)
{
  cholmod_start(common);
  common->print = 0;
  common->supernodal = CHOLMOD_SIMPLICIAL;
  common->final_asis = 0;
  common->final_super = 0;
  common->final_ll = 1;
  common->grow2 = 0;
  common->nmethods = 1;
}

/* The pattern with values as CHOLMOD sees it; of the full matrix it reads the upper triangle. */
static cholmod_sparse view(const pc_pattern* pattern, const double* value)
{
  return (cholmod_sparse){
      .nrow = (size_t)pattern->order,
      .ncol = (size_t)pattern->order,
      .nzmax = (size_t)pattern->start[pattern->order],
      .p = pattern->start,
      .i = pattern->row,
      .x = (double*)value,
      .stype = 1,
      .itype = CHOLMOD_INT,
      .xtype = value ? CHOLMOD_REAL : CHOLMOD_PATTERN,
      .dtype = CHOLMOD_DOUBLE,
      .sorted = 1,
      .packed = 1,
  };
}

pc_status pc_sparse_order(const pc_pattern* pattern, int* order, pc_error* error)
{
  cholmod_common common;
  start(&common);
  common.method[0].ordering = CHOLMOD_AMD;
  cholmod_sparse A = view(pattern, NULL);
  cholmod_factor* factor = cholmod_analyze(&A, &common);
  if (factor) memcpy(order, factor->Perm, (size_t)pattern->order * sizeof *order);
  cholmod_free_factor(&factor, &common);
  pc_status status = common.status < CHOLMOD_OK ? pc_no_memory(error) : PC_OK;
  cholmod_finish(&common);
  return status;
}

pc_status pc_sparse_cholesky_create(const pc_pattern* pattern, pc_sparse_cholesky** cholesky,
                                    pc_error* error)
{
  pc_sparse_cholesky* made = pc_alloc(1, sizeof *made);
  if (!made) return pc_no_memory(error);
  made->pattern = pattern;
  start(&made->common);
  made->common.method[0].ordering = CHOLMOD_NATURAL;
  made->common.postorder = 0;
  cholmod_sparse A = view(pattern, NULL);
  made->factor = cholmod_analyze(&A, &made->common);
  if (!made->factor) {
    pc_sparse_cholesky_destroy(made);
    return pc_no_memory(error);
  }
  *cholesky = made;
  return PC_OK;
}

void pc_sparse_cholesky_destroy(pc_sparse_cholesky* cholesky)
{
  if (!cholesky) return;
  cholmod_free_dense(&cholesky->solution, &cholesky->common);
  cholmod_free_dense(&cholesky->work_y, &cholesky->common);
  cholmod_free_dense(&cholesky->work_e, &cholesky->common);
  cholmod_free_factor(&cholesky->factor, &cholesky->common);
  cholmod_finish(&cholesky->common);
  free(cholesky);
}

static int is_finite(int count, const double* value)
{
  for (int k = 0; k < count; k++)
    if (!isfinite(value[k])) return 0;
  return 1;
}

/* Whether each pivot stands out from the round-off of the diagonal entry it started from. */
static int pivots_stand_out(const pc_sparse_cholesky* cholesky, const double* value)
{
  const pc_pattern* pattern = cholesky->pattern;
  const int* column = cholesky->factor->p;
  const double* L = cholesky->factor->x;
  for (int j = 0; j < pattern->order; j++) {
    double pivot = L[column[j]] * L[column[j]];
    double tiny = pattern->order * DBL_EPSILON * value[pc_pattern_find(pattern, j, j)];
    if (!(pivot > tiny) || pivot < DBL_MIN) return 0;
  }
  return 1;
}

pc_status pc_sparse_cholesky_factor(pc_sparse_cholesky* cholesky, const double* value)
{
  const pc_pattern* pattern = cholesky->pattern;
  if (!is_finite(pattern->start[pattern->order], value)) return PC_NOT_FINITE;
  cholmod_sparse A = view(pattern, value);
  cholmod_factorize(&A, cholesky->factor, &cholesky->common);
  if (cholesky->common.status < CHOLMOD_OK) return PC_OUT_OF_MEMORY;
  if (cholesky->factor->minor < (size_t)pattern->order) return PC_SINGULAR;
  if (!pivots_stand_out(cholesky, value)) return PC_SINGULAR;
  if (cholesky->solution) return PC_OK;
  /* one solve, so that later ones find their workspace */
  cholmod_dense* zero = cholmod_zeros((size_t)pattern->order, 1, CHOLMOD_REAL, &cholesky->common);
  int done = zero && cholmod_solve2(CHOLMOD_A, cholesky->factor, zero, NULL, &cholesky->solution,
                                    NULL, &cholesky->work_y, &cholesky->work_e, &cholesky->common);
  cholmod_free_dense(&zero, &cholesky->common);
  return done ? PC_OK : PC_OUT_OF_MEMORY;
}

void pc_sparse_cholesky_solve(pc_sparse_cholesky* cholesky, double* x)
{
  size_t order = (size_t)cholesky->pattern->order;
  cholmod_dense b = {.nrow = order,
                     .ncol = 1,
                     .nzmax = order,
                     .d = order,
                     .x = x,
                     .xtype = CHOLMOD_REAL,
                     .dtype = CHOLMOD_DOUBLE};
  cholmod_solve2(CHOLMOD_A, cholesky->factor, &b, NULL, &cholesky->solution, NULL,
                 &cholesky->work_y, &cholesky->work_e, &cholesky->common);
  memcpy(x, cholesky->solution->x, order * sizeof *x);
}
