#include "linalg/sparse_lu.h"

#include <float.h>
#include <klu.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

/* Pivots are kept as long as the entries of U grow at most this much more than they did when the
 * pivots were chosen: two of sixteen digits. */
static const double GROWTH_LIMIT = 100;

struct pc_sparse_lu {
  const pc_pattern* pattern;
  klu_common common;
  klu_symbolic* symbolic;
  klu_numeric* numeric; /* NULL: no pivots chosen yet */
  double growth;        /* reciprocal, when the pivots were chosen */
  double least_share;   /* of its column that a pivot must have, times the order */
};

pc_status pc_sparse_lu_create(const pc_pattern* pattern, pc_sparse_lu** lu, pc_error* error)
{
  pc_sparse_lu* made = pc_alloc(1, sizeof *made);
  if (!made) return pc_no_memory(error);
  made->pattern = pattern;
  made->least_share = DBL_EPSILON;
  klu_defaults(&made->common);
  made->symbolic = klu_analyze(pattern->order, pattern->start, pattern->row, &made->common);
  if (!made->symbolic) {
    free(made);
    return pc_no_memory(error);
  }
  *lu = made;
  return PC_OK;
}

void pc_sparse_lu_destroy(pc_sparse_lu* lu)
{
  if (!lu) return;
  klu_free_numeric(&lu->numeric, &lu->common);
  klu_free_symbolic(&lu->symbolic, &lu->common);
  free(lu);
}

static int is_finite(int count, const double* value)
{
  for (int k = 0; k < count; k++)
    if (!isfinite(value[k])) return 0;
  return 1;
}

/* Whether each pivot stands out from the round-off of its column, in the rows' scaling. */
static int pivots_stand_out(const pc_sparse_lu* lu, const double* value)
{
  const pc_pattern* pattern = lu->pattern;
  const double* pivot = lu->numeric->Udiag;
  const double* scale = lu->numeric->Rs;
  const int* place = lu->numeric->Pinv;
  for (int k = 0; k < pattern->order; k++) {
    int j = lu->symbolic->Q[k];
    double most = 0;
    for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
      /* KLU leaves the scale factors in the order of the pivots */
      double a = fabs(value[p]) / (scale ? scale[place[pattern->row[p]]] : 1);
      most = a > most ? a : most;
    }
    double tiny = pattern->order * lu->least_share * most;
    if (!(fabs(pivot[k]) > tiny) || !(fabs(pivot[k]) <= DBL_MAX)) return 0;
  }
  return 1;
}

static double reciprocal_growth(pc_sparse_lu* lu, double* value)
{
  const pc_pattern* pattern = lu->pattern;
  if (!klu_rgrowth(pattern->start, pattern->row, value, lu->symbolic, lu->numeric, &lu->common))
    return 0;
  return lu->common.rgrowth;
}

/* With the pivots of the last time; false if they do not suit these values. */
static int refactor(pc_sparse_lu* lu, double* value)
{
  const pc_pattern* pattern = lu->pattern;
  if (!klu_refactor(pattern->start, pattern->row, value, lu->symbolic, lu->numeric, &lu->common))
    return 0;
  if (lu->common.status != KLU_OK) return 0;
  if (!(reciprocal_growth(lu, value) * GROWTH_LIMIT >= lu->growth)) return 0;
  return pivots_stand_out(lu, value);
}

static pc_status factor_anew(pc_sparse_lu* lu, double* value)
{
  const pc_pattern* pattern = lu->pattern;
  klu_free_numeric(&lu->numeric, &lu->common);
  lu->numeric = klu_factor(pattern->start, pattern->row, value, lu->symbolic, &lu->common);
  if (lu->common.status == KLU_SINGULAR) return PC_SINGULAR;
  if (!lu->numeric) return PC_OUT_OF_MEMORY;
  lu->growth = reciprocal_growth(lu, value);
  if (pivots_stand_out(lu, value)) return PC_OK;
  klu_free_numeric(&lu->numeric, &lu->common); /* pivots that nothing should be measured by */
  return PC_SINGULAR;
}

pc_status pc_sparse_lu_factor(pc_sparse_lu* lu, const double* value)
{
  /* KLU reads the values only, but its interface does not say so */
  double* entry = (double*)value;
  if (!is_finite(lu->pattern->start[lu->pattern->order], value)) return PC_NOT_FINITE;
  if (lu->numeric && refactor(lu, entry)) return PC_OK;
  return factor_anew(lu, entry);
}

void pc_sparse_lu_accept_any(pc_sparse_lu* lu)
{
  lu->least_share = 0;
}

void pc_sparse_lu_solve(pc_sparse_lu* lu, double* x)
{
  int order = lu->pattern->order;
  klu_solve(lu->symbolic, lu->numeric, order, 1, x, &lu->common);
}
