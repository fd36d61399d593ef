#include "steps/anderson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { DEPTH = 8 }; /* differences that are remembered */

/* A difference of residuals of which less than this share is left by those before it says nothing
 * new. */
static const double DEPENDENT = 1e-10;

struct pc_anderson {
  int n;
  int evaluations; /* of this loop that were mixed */
  int count;       /* differences at hand */
  int next;        /* where the next one goes */
  double* x;       /* n: the last x, */
  double* f;       /* n: its residual, */
  double* g;       /* n: and G(x) */
  double* df;      /* DEPTH x n */
  double* dg;      /* DEPTH x n */
  double* base;    /* DEPTH x n: df made orthonormal */
};

void pc_anderson_destroy(pc_anderson* a)
{
  if (!a) return;
  double* array[] = {a->x, a->f, a->g, a->df, a->dg, a->base};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(a);
}

pc_status pc_anderson_create(int n, pc_anderson** anderson, pc_error* error)
{
  *anderson = NULL;
  pc_anderson* a = pc_alloc(1, sizeof *a);
  if (!a) return pc_no_memory(error);
  size_t size = (size_t)n, all = DEPTH * size;
  *a = (pc_anderson){.n = n,
                     .x = pc_alloc(size, sizeof(double)),
                     .f = pc_alloc(size, sizeof(double)),
                     .g = pc_alloc(size, sizeof(double)),
                     .df = pc_alloc(all, sizeof(double)),
                     .dg = pc_alloc(all, sizeof(double)),
                     .base = pc_alloc(all, sizeof(double))};
  if (!a->x || !a->f || !a->g || !a->df || !a->dg || !a->base) {
    pc_anderson_destroy(a);
    return pc_no_memory(error);
  }
  *anderson = a;
  return PC_OK;
}

void pc_anderson_begin(pc_anderson* a)
{
  a->evaluations = a->count = a->next = 0;
}

void pc_anderson_note(pc_anderson* a, const double* x)
{
  memcpy(a->x, x, (size_t)a->n * sizeof *x);
}

const double* pc_anderson_noted(const pc_anderson* a)
{
  return a->x;
}

static double dot(int n, const double* weight, const double* x, const double* y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += weight[i] * x[i] * y[i];
  return sum;
}

/* The difference to the residual and the G before; f and g become the present ones. */
static void remember(pc_anderson* a, const double* g)
{
  int n = a->n, first = a->evaluations++ == 0;
  double *df = a->df + (size_t)a->next * (size_t)n, *dg = a->dg + (size_t)a->next * (size_t)n;
  for (int i = 0; i < n; i++) {
    double f = g[i] - a->x[i];
    df[i] = f - a->f[i];
    dg[i] = g[i] - a->g[i];
    a->f[i] = f;
    a->g[i] = g[i];
  }
  if (first) return;
  a->next = (a->next + 1) % DEPTH;
  if (a->count < DEPTH) a->count++;
}

/* The k-th difference, the latest first. */
static int recent(const pc_anderson* a, int k)
{
  return (a->next - 1 - k + 2 * DEPTH) % DEPTH;
}

/* Gram and Schmidt, twice, on difference k against those before it; R holds the coefficients.
 * Returns whether something of it is left. */
static int orthogonalise(pc_anderson* a, const double* weight, int k, double R[DEPTH][DEPTH])
{
  int n = a->n;
  const double* df = a->df + (size_t)recent(a, k) * (size_t)n;
  double *b = a->base + (size_t)k * (size_t)n, size = sqrt(dot(n, weight, df, df));
  memcpy(b, df, (size_t)n * sizeof *b);
  for (int j = 0; j < k; j++) R[j][k] = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < k; j++) {
      const double* other = a->base + (size_t)j * (size_t)n;
      double r = dot(n, weight, other, b);
      for (int i = 0; i < n; i++) b[i] -= r * other[i];
      R[j][k] += r;
    }
  R[k][k] = sqrt(dot(n, weight, b, b));
  if (!(R[k][k] > DEPENDENT * size)) return 0;
  for (int i = 0; i < n; i++) b[i] /= R[k][k];
  return 1;
}

int pc_anderson_mix(pc_anderson* a, const double* weight, double* g)
{
  double R[DEPTH][DEPTH], gamma[DEPTH];
  int n = a->n, rank = 0;
  remember(a, g);
  while (rank < a->count && orthogonalise(a, weight, rank, R)) rank++;
  if (rank == 0) return 0;
  for (int k = rank - 1; k >= 0; k--) { /* min |f - df gamma| */
    gamma[k] = dot(n, weight, a->base + (size_t)k * (size_t)n, a->f);
    for (int j = k + 1; j < rank; j++) gamma[k] -= R[k][j] * gamma[j];
    gamma[k] /= R[k][k];
  }
  for (int k = 0; k < rank; k++) {
    const double* dg = a->dg + (size_t)recent(a, k) * (size_t)n;
    for (int i = 0; i < n; i++) g[i] -= gamma[k] * dg[i];
  }
  return 1;
}
