#include "linalg/sparse_cholesky.h"

#include <amd.h>
#include <float.h>
#include <ldl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

struct pc_sparse_cholesky {
  const pc_pattern* pattern;
  int* column;      /* order + 1: where the columns of L begin */
  int* parent;      /* order: the elimination tree */
  int* count;       /* order: entries of each column of L; set by each factorisation */
  int* row;         /* rows of L, and ... */
  double* value;    /* ... values, the unit diagonal left out */
  double* pivot;    /* order: D */
  double* work;     /* order: zero between factorisations */
  int *list, *flag; /* order: workspaces */
};

pc_status pc_sparse_order(const pc_pattern* pattern, int* order, pc_error* error)
{
  int status = amd_order(pattern->order, pattern->start, pattern->row, order, NULL, NULL);
  return status == AMD_OK ? PC_OK : pc_no_memory(error);
}

static pc_status create_arrays(pc_sparse_cholesky* c, pc_error* error)
{
  size_t n = (size_t)c->pattern->order;
  c->column = pc_alloc(n + 1, sizeof(int));
  int** of_order[] = {&c->parent, &c->count, &c->list, &c->flag};
  int bad = !c->column;
  for (size_t i = 0; i < sizeof of_order / sizeof *of_order; i++)
    bad |= !(*of_order[i] = pc_alloc(n, sizeof(int)));
  bad |= !(c->pivot = pc_alloc(n, sizeof(double)));
  bad |= !(c->work = pc_alloc(n, sizeof(double)));
  return bad ? pc_no_memory(error) : PC_OK;
}

/* LDL counts with int: whether the entries of L stay below INT_MAX. */
static int fits(const pc_sparse_cholesky* c)
{
  long long sum = 0;
  for (int j = 0; j < c->pattern->order; j++) sum += c->count[j];
  return sum < INT_MAX;
}

static pc_status analyse(pc_sparse_cholesky* c, pc_error* error)
{
  const pc_pattern* p = c->pattern;
  ldl_symbolic(p->order, p->start, p->row, c->column, c->parent, c->count, c->flag, NULL, NULL);
  if (!fits(c)) return pc_fail(error, PC_OUT_OF_MEMORY, "a matrix fills up too much");
  size_t entries = (size_t)c->column[p->order];
  c->row = pc_alloc(entries, sizeof(int));
  c->value = pc_alloc(entries, sizeof(double));
  return c->row && c->value ? PC_OK : pc_no_memory(error);
}

pc_status pc_sparse_cholesky_create(const pc_pattern* pattern, pc_sparse_cholesky** cholesky,
                                    pc_error* error)
{
  pc_sparse_cholesky* made = pc_alloc(1, sizeof *made);
  if (!made) return pc_no_memory(error);
  made->pattern = pattern;
  pc_status status = create_arrays(made, error);
  if (status == PC_OK) status = analyse(made, error);
  if (status != PC_OK) {
    pc_sparse_cholesky_destroy(made);
    return status;
  }
  *cholesky = made;
  return PC_OK;
}

void pc_sparse_cholesky_destroy(pc_sparse_cholesky* c)
{
  if (!c) return;
  void* array[] = {c->column, c->parent, c->count, c->row, c->value,
                   c->pivot,  c->work,   c->list,  c->flag};
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
static int pivots_stand_out(const pc_sparse_cholesky* c, const double* value)
{
  const pc_pattern* pattern = c->pattern;
  for (int j = 0; j < pattern->order; j++) {
    double tiny = pattern->order * DBL_EPSILON * value[pc_pattern_find(pattern, j, j)];
    if (!(c->pivot[j] > tiny) || c->pivot[j] < DBL_MIN) return 0;
  }
  return 1;
}

pc_status pc_sparse_cholesky_factor(pc_sparse_cholesky* c, const double* value)
{
  const pc_pattern* p = c->pattern;
  if (!is_finite(p->start[p->order], value)) return PC_NOT_FINITE;
  /* LDL's interface has no const; it reads the matrix only */
  int done = ldl_numeric(p->order, p->start, p->row, (double*)value, c->column, c->parent, c->count,
                         c->row, c->value, c->pivot, c->work, c->list, c->flag, NULL, NULL);
  if (done < p->order) return PC_SINGULAR;
  return pivots_stand_out(c, value) ? PC_OK : PC_SINGULAR;
}

void pc_sparse_cholesky_solve(pc_sparse_cholesky* c, double* x)
{
  int n = c->pattern->order;
  ldl_lsolve(n, x, c->column, c->row, c->value);
  ldl_dsolve(n, x, c->pivot);
  ldl_ltsolve(n, x, c->column, c->row, c->value);
}
