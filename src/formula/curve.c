#include "formula/curve.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/pool.h"

enum { POWERS = 4 };

struct pc_curve {
  atomic_int users;
  int segments;       /* the straight lines beyond the ends included */
  double* start;      /* where segments begin; the first one begins at its end */
  double* polynomial; /* of x - start: POWERS coefficients each */
};

/* Second derivatives M_i of the natural spline, by elimination: with h_i = x_{i+1} - x_i, h_{i-1}
 * M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 ((y_{i+1}-y_i)/h_i - (y_i-y_{i-1})/h_{i-1}). */
static void solve_spline(int n, const double* x, const double* y, double* M, double* upper)
{
  M[0] = M[n - 1] = upper[0] = 0;
  for (int i = 1; i < n - 1; i++) {
    double before = x[i] - x[i - 1], after = x[i + 1] - x[i];
    double right = 6 * ((y[i + 1] - y[i]) / after - (y[i] - y[i - 1]) / before);
    double pivot = 2 * (before + after) - before * upper[i - 1];
    upper[i] = after / pivot;
    M[i] = (right - before * M[i - 1]) / pivot;
  }
  for (int i = n - 2; i > 0; i--) M[i] -= upper[i] * M[i + 1];
}

static void set_segment(pc_curve* c, int segment, double start, double value, double slope,
                        double second, double third)
{
  double* p = c->polynomial + POWERS * segment;
  c->start[segment] = start;
  p[0] = value;
  p[1] = slope;
  p[2] = second / 2;
  p[3] = third / 6;
}

static void set_segments(pc_curve* c, int n, const double* x, const double* y, const double* M)
{
  double slope = 0, end = 0;
  for (int i = 0; i + 1 < n; i++) {
    double h = x[i + 1] - x[i];
    slope = (y[i + 1] - y[i]) / h - h * (2 * M[i] + M[i + 1]) / 6;
    set_segment(c, i + 1, x[i], y[i], slope, M[i], (M[i + 1] - M[i]) / h);
    if (i == 0) set_segment(c, 0, x[0], y[0], slope, 0, 0);
    end = slope + h * (M[i] + M[i + 1]) / 2;
  }
  set_segment(c, n, x[n - 1], y[n - 1], end, 0, 0);
}

pc_curve* pc_curve_create(int count, const double* x, const double* y, int stride, int smooth)
{
  size_t n = (size_t)count;
  pc_curve* c = pc_alloc(1, sizeof *c);
  double* work = pc_alloc(4 * n, sizeof *work);
  if (c) {
    atomic_init(&c->users, 1);
    c->segments = count + 1;
    c->start = pc_alloc(n + 1, sizeof *c->start);
    c->polynomial = pc_alloc(POWERS * (n + 1), sizeof *c->polynomial);
  }
  if (!c || !work || !c->start || !c->polynomial) {
    free(work);
    pc_curve_release(c);
    return NULL;
  }
  for (size_t i = 0; i < n; i++) {
    work[i] = x[i * (size_t)stride];
    work[n + i] = y[i * (size_t)stride];
  }
  if (smooth) solve_spline(count, work, work + n, work + 2 * n, work + 3 * n);
  set_segments(c, count, work, work + n, work + 2 * n);
  free(work);
  return c;
}

pc_curve* pc_curve_retain(pc_curve* curve)
{
  atomic_fetch_add(&curve->users, 1);
  return curve;
}

void pc_curve_release(pc_curve* curve)
{
  if (!curve || atomic_fetch_sub(&curve->users, 1) > 1) return;
  free(curve->start);
  free(curve->polynomial);
  free(curve);
}

double pc_curve_value(const pc_curve* curve, int order, double x)
{
  int low = 0, high = curve->segments; /* the segment is in [low, high) */
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (x >= curve->start[middle])
      low = middle;
    else
      high = middle;
  }
  const double* p = curve->polynomial + POWERS * low;
  double d = x - curve->start[low];
  switch (order) {
    case 0: return p[0] + d * (p[1] + d * (p[2] + d * p[3]));
    case 1: return p[1] + d * (2 * p[2] + d * 3 * p[3]);
    case 2: return 2 * p[2] + d * 6 * p[3];
    case 3: return 6 * p[3];
    default: return 0;
  }
}

int pc_pool_add_curve(pc_pool* pool, pc_curve* curve)
{
  for (int i = 0; i < pool->curve_count; i++)
    if (pool->curve[i] == curve) return i;
  if (pc_grow((void**)&pool->curve, &pool->curve_capacity, pool->curve_count,
              sizeof *pool->curve) != PC_OK) {
    pool->failed = 1;
    return PC_NO_EXPR;
  }
  pool->curve[pool->curve_count] = pc_curve_retain(curve);
  return pool->curve_count++;
}

pc_expr pc_curve_at(pc_pool* pool, pc_expr x, int curve, int order)
{
  double value;
  if (x < 0 || curve < 0) return PC_NO_EXPR;
  if (order >= POWERS) return pc_expr_number(pool, 0);
  if (pc_expr_is_number(pool, x, &value))
    return pc_expr_number(pool, pc_curve_value(pool->curve[curve], order, value));
  return pc_intern(pool, PC_OP_CURVE, x, curve, order);
}
