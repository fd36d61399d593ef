#include "linalg/sparse_cholesky.h"

#include <amd.h>
#include <float.h>
#include <ldl.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

/* A = L D L' by LDL's up-looking method: all memory is ours and is known from the pattern. */
struct pc_sparse_cholesky {
  const pc_pattern* pattern;
  int* start;    /* order + 1: columns of L */
  int* parent;   /* order: the elimination tree */
  int* count;    /* order: entries of a column of L */
  int* flag;     /* order: scratch, as the next one */
  int* list;     /* order */
  int* row;      /* of the entries of L */
  double* L;     /* without its unit diagonal */
  double* D;     /* order */
  double* dense; /* order: scratch */
};

pc_status pc_sparse_order(const pc_pattern* pattern, int* order, pc_error* error)
{
  int status = amd_order(pattern->order, pattern->start, pattern->row, order, NULL, NULL);
  return status == AMD_OK || status == AMD_OK_BUT_JUMBLED ? PC_OK : pc_no_memory(error);
}

pc_status pc_sparse_cholesky_create(const pc_pattern* pattern, pc_sparse_cholesky** cholesky,
                                    pc_error* error)
{
  pc_sparse_cholesky* made = pc_alloc(1, sizeof *made);
  if (!made) return pc_no_memory(error);
  size_t n = (size_t)pattern->order;
  made->pattern = pattern;
  int** array[] = {&made->start, &made->parent, &made->count, &made->flag, &made->list};
  int bad = 0;
  for (size_t i = 0; i < sizeof array / sizeof *array; i++)
    bad |= !(*array[i] = pc_alloc(n + 1, sizeof(int)));
  bad |= !(made->D = pc_alloc(n, sizeof *made->D));
  bad |= !(made->dense = pc_alloc(n, sizeof *made->dense));
  if (!bad) {
    ldl_symbolic(pattern->order, pattern->start, pattern->row, made->start, made->parent,
                 made->count, made->flag, NULL, NULL);
    size_t entries = (size_t)made->start[n];
    bad |= !(made->row = pc_alloc(entries, sizeof *made->row));
    bad |= !(made->L = pc_alloc(entries, sizeof *made->L));
  }
  if (bad) {
    pc_sparse_cholesky_destroy(made);
    return pc_no_memory(error);
  }
  *cholesky = made;
  return PC_OK;
}

void pc_sparse_cholesky_destroy(pc_sparse_cholesky* c)
{
  if (!c) return;
  void* array[] = {c->start, c->parent, c->count, c->flag, c->list, c->row, c->L, c->D, c->dense};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(c);
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
  for (int j = 0; j < pattern->order; j++) {
    double tiny = pattern->order * DBL_EPSILON * value[pc_pattern_find(pattern, j, j)];
    if (!(cholesky->D[j] > tiny) || cholesky->D[j] < DBL_MIN) return 0;
  }
  return 1;
}

pc_status pc_sparse_cholesky_factor(pc_sparse_cholesky* c, const double* value)
{
  const pc_pattern* p = c->pattern;
  if (!is_finite(p->start[p->order], value)) return PC_NOT_FINITE;
  int done = ldl_numeric(p->order, p->start, p->row, (double*)value, c->start, c->parent, c->count,
                         c->row, c->L, c->D, c->dense, c->list, c->flag, NULL, NULL);
  return done == p->order && pivots_stand_out(c, value) ? PC_OK : PC_SINGULAR;
}

void pc_sparse_cholesky_solve(const pc_sparse_cholesky* c, double* x)
{
  int n = c->pattern->order;
  ldl_lsolve(n, x, c->start, c->row, c->L);
  ldl_dsolve(n, x, c->D);
  ldl_ltsolve(n, x, c->start, c->row, c->L);
}
