#include "steps/bracket.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"

/* Residuals point against each other where the cosine of their angle is below this. */
static const double AGAINST = -0.5;

/* Two points closer than this part of where the search began are combined. */
static const double CLOSE = 1e-3;

/* Each refinement goes so much further; it looks first some widths of the one before from where
 * that ended. */
static const double CLOSER = 16;

/* A point on the line x_0 + s e, and what G makes of it. */
typedef struct end {
  double s;
  double f; /* residual along e, in units of e: positive at the low end, negative at the high one */
  double* g; /* n */
  double* P; /* rows */
} end;

struct pc_bracket {
  int n, rows;
  size_t capacity;
  double close;  /* where the ends are combined */
  int refines;   /* the search began near the solution of another */
  int known;     /* points at hand: 0, 1, or 2, which is a bracket */
  end low, high; /* s = 0 and 1 at first */
  double jump;   /* f_low - f_high, one point before */
  double tried;  /* s of the point to try */
  double* x;     /* n: x_0 */
  double* e;     /* n; before there is a bracket, the residual of x_0 */
};

void pc_bracket_destroy(pc_bracket* b)
{
  if (!b) return;
  double* array[] = {b->x, b->e, b->low.g, b->low.P, b->high.g, b->high.P};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(b);
}

pc_status pc_bracket_create(int n, pc_bracket** bracket, pc_error* error)
{
  pc_bracket* b = *bracket = pc_alloc(1, sizeof *b);
  if (!b) return pc_no_memory(error);
  double** array[] = {&b->x, &b->e, &b->low.g, &b->high.g};
  int bad = 0;
  b->n = n;
  for (int i = 0; i < 4; i++) bad |= !(*array[i] = pc_alloc((size_t)n, sizeof(double)));
  if (!bad) return PC_OK;
  pc_bracket_destroy(b);
  *bracket = NULL;
  return pc_no_memory(error);
}

pc_status pc_bracket_fit(pc_bracket* b, int rows, pc_error* error)
{
  const pc_array array[] = {PC_ARRAY(b->low.P), PC_ARRAY(b->high.P)};
  b->rows = rows;
  b->known = 0;
  pc_status status = pc_reserve_arrays(2, array, &b->capacity, (size_t)rows);
  return status == PC_OK ? PC_OK : pc_no_memory(error);
}

void pc_bracket_begin(pc_bracket* b)
{
  b->known = b->refines = 0;
  b->close = CLOSE;
}

void pc_bracket_refine(pc_bracket* b)
{
  b->known = 0;
  b->refines = 1;
  b->close /= CLOSER;
}

static void set_end(const pc_bracket* b, end* to, double s, double f, const double* g,
                    const double* P)
{
  to->s = s;
  to->f = f;
  pc_copy(b->n, g, to->g);
  pc_copy(b->rows, P, to->P);
}

/* The first point, or one more whose residual does not point against that of the last. */
static void keep_point(pc_bracket* b, const double* x, const double* g, const double* P)
{
  pc_copy(b->n, x, b->x);
  for (int i = 0; i < b->n; i++) b->e[i] = g[i] - x[i];
  set_end(b, &b->low, 0, 0, g, P);
  b->known = 1;
}

/* e from the point at hand to x. Returns whether the residuals are against each other, along e as
 * well. */
static int open_bracket(pc_bracket* b, const double* weight, const double* x, const double* g,
                        const double* P)
{
  double before = 0, now = 0, both = 0, along_before = 0, along_now = 0, square = 0;
  for (int i = 0; i < b->n; i++) {
    double e = x[i] - b->x[i], f = g[i] - x[i];
    before += weight[i] * b->e[i] * b->e[i];
    now += weight[i] * f * f;
    both += weight[i] * f * b->e[i];
    along_before += weight[i] * e * b->e[i];
    along_now += weight[i] * e * f;
    square += weight[i] * e * e;
  }
  if (!(both < AGAINST * sqrt(before * now)) || !(along_before > 0) || !(along_now < 0)) return 0;
  for (int i = 0; i < b->n; i++) b->e[i] = x[i] - b->x[i];
  b->low.f = along_before / square;
  set_end(b, &b->high, 1, along_now / square, g, P);
  b->jump = HUGE_VAL;
  b->known = 2;
  return 1;
}

/* An end moves to the point that was tried. */
static void move_end(pc_bracket* b, const double* weight, const double* x, const double* g,
                     const double* P)
{
  double square = 0, along = 0;
  for (int i = 0; i < b->n; i++) {
    square += weight[i] * b->e[i] * b->e[i];
    along += weight[i] * b->e[i] * (g[i] - x[i]);
  }
  along /= square;
  b->jump = b->low.f - b->high.f;
  set_end(b, along > 0 ? &b->low : &b->high, b->tried, along, g, P);
}

/* By regula falsi where f becomes flatter as the ends come closer, else the middle. A refinement
 * begins near the low end, where it began. */
static double next_place(const pc_bracket* b)
{
  if (b->refines && b->low.s == 0 && b->high.s == 1) return 8 * CLOSER * b->close;
  double jump = b->low.f - b->high.f, share = jump < b->jump / 2 ? b->low.f / jump : 0.5;
  return b->low.s + share * (b->high.s - b->low.s);
}

int pc_bracket_next(pc_bracket* b, const double* weight, const double* x, const double* P,
                    double* g)
{
  if (b->known == 2) {
    move_end(b, weight, x, g, P);
  } else if (b->known == 0 || !open_bracket(b, weight, x, g, P)) {
    keep_point(b, x, g, P);
    return 0;
  }
  b->tried = next_place(b);
  for (int i = 0; i < b->n; i++) g[i] = b->x[i] + b->tried * b->e[i];
  return 1;
}

int pc_bracket_combine(const pc_bracket* b, double* g, double* P)
{
  double jump = b->low.f - b->high.f;
  if (b->known < 2 || !(fabs(b->high.s - b->low.s) < b->close)) return 0;
  double share = b->low.f / jump;
  for (int i = 0; i < b->n; i++) g[i] = b->low.g[i] + share * (b->high.g[i] - b->low.g[i]);
  for (int r = 0; r < b->rows; r++) P[r] = b->low.P[r] + share * (b->high.P[r] - b->low.P[r]);
  return 1;
}
