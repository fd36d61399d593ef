#include "linalg/sparse_rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/krylov.h"
#include "linalg/saddle_lu.h"

enum {
  STEP = 8,          /* vectors after which Ritz values are compared with those before */
  KRYLOV_MAX = 120,  /* vectors at most, ... */
  FAR_MAX = 60,      /* ... and for the circle, which is a bound only */
  SUPPORTS_MAX = 24, /* values of s that are tried */
  NEARER_MAX = 16,   /* points from which kappa is looked for */
  POINTS_MAX = 4     /* points from which vibrations are looked for */
};

/* A Ritz value that moved less than this share of it has converged: a tenth of what is promised. */
static const double CONVERGED = 1e-4;

/* No better bound is looked for, and no higher vibration, within this share of it. */
static const double CLOSE_ENOUGH = 2e-3;

/* The point lies above the circle by this share of its radius: not on an eigenvalue. */
static const double ABOVE = 1e-3;

typedef struct motion {
  const pc_sparse_quadratic* p;
  pc_error* error;
  pc_saddle_lu* mass;
  double* start;          /* 2 n: a vector without pattern that the constraints let through */
  double *force, *vector; /* n; n */
  double scale;           /* displacements count by this rate in the state (scale v, u) [1/s] */
  double s;               /* of the circle [1/s] */
  pc_saddle_lu* shifted;  /* for maps that are inverses */
  double complex sigma;
  double* pair; /* 2 n: complex */
} motion;

static void destroy(motion* m)
{
  pc_saddle_lu_destroy(m->mass);
  pc_saddle_lu_destroy(m->shifted);
  double* array[] = {m->start, m->force, m->vector, m->pair};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

/* x without pattern, n entries in [-1/2, 1/2) */
static void scatter(int n, double* x)
{
  unsigned random = 12345;
  for (int i = 0; i < n; i++) {
    random = random * 1103515245u + 12345u;
    x[i] = (double)(random >> 16) / 65536.0 - 0.5;
  }
}

static double dot(int n, const double* x, const double* y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* y := scale A x; a missing A is zero. */
static void set_product(const pc_sparse_matrix* A, double scale, const double* x, int n, double* y)
{
  memset(y, 0, (size_t)n * sizeof *y);
  if (A) pc_sparse_matrix_times(A, scale, x, y);
}

/* x' A x; `work` has n entries. */
static double quotient(const pc_sparse_matrix* A, const double* x, int n, double* work)
{
  set_product(A, 1, x, n, work);
  return dot(n, x, work);
}

/* ---- the metric, and the maps --------------------------------------------------------------- */

static void weigh(void* user, const double* x, double* y)
{
  const motion* m = user;
  set_product(m->p->M, 1, x, m->p->n, y);
}

static void weigh_state(void* user, const double* x, double* y)
{
  const motion* m = user;
  weigh(user, x, y);
  weigh(user, x + m->p->n, y + m->p->n);
}

/* The rate of the state (scale v, u). */
static void apply_motion(void* user, const double* x, double* y)
{
  motion* m = user;
  int n = m->p->n;
  for (int i = 0; i < n; i++) y[i] = m->scale * x[n + i];
  set_product(m->p->K, 1 / m->scale, x, n, y + n);
  if (m->p->D) pc_sparse_matrix_times(m->p->D, 1, x + n, y + n);
  pc_saddle_lu_solve(m->mass, y + n);
}

/* M^-1 (-K + s D), symmetric parts: its largest eigenvalue is kappa(s). */
static void apply_bound(void* user, const double* x, double* y)
{
  motion* m = user;
  set_product(m->p->K, -0.5, x, m->p->n, y);
  pc_sparse_matrix_transposed_times(m->p->K, -0.5, x, y);
  if (m->p->D) {
    pc_sparse_matrix_times(m->p->D, 0.5 * m->s, x, y);
    pc_sparse_matrix_transposed_times(m->p->D, 0.5 * m->s, x, y);
  }
  pc_saddle_lu_solve(m->mass, y);
}

/* (beta M + K - s D)^-1 M: its eigenvalues are 1/(beta - kappa) for all eigenvalues kappa of the
 * map above, if K and D are symmetric. */
static void apply_near(void* user, const double* x, double* y)
{
  motion* m = user;
  weigh(user, x, y);
  pc_saddle_lu_solve(m->shifted, y);
}

/* M^-1 (D - D')/2 */
static void apply_gyroscopic(void* user, const double* x, double* y)
{
  motion* m = user;
  set_product(m->p->D, 0.5, x, m->p->n, y);
  pc_sparse_matrix_transposed_times(m->p->D, -0.5, x, y);
  pc_saddle_lu_solve(m->mass, y);
}

/* The imaginary part of (A - sigma)^-1: of (scale v, u) for the load (scale f, g), with
 * u = f + sigma v and (sigma^2 M - sigma D - K) v = -M g + D f - sigma M f + W' mu. */
static void apply_inverse(void* user, const double* x, double* y)
{
  motion* m = user;
  int n = m->p->n;
  double* r = m->force;
  set_product(m->p->M, -1, x + n, n, r);
  if (m->p->D) pc_sparse_matrix_times(m->p->D, 1 / m->scale, x, r);
  set_product(m->p->M, -1 / m->scale, x, n, m->vector);
  for (int i = 0; i < n; i++) {
    m->pair[2 * i] = r[i] + creal(m->sigma) * m->vector[i];
    m->pair[2 * i + 1] = cimag(m->sigma) * m->vector[i];
  }
  pc_saddle_lu_solve(m->shifted, m->pair);
  for (int i = 0; i < n; i++) {
    double re = m->pair[2 * i], im = m->pair[2 * i + 1];
    y[i] = m->scale * im;
    y[n + i] = creal(m->sigma) * im + cimag(m->sigma) * re;
  }
}

/* ---- the largest |lambda| ------------------------------------------------------------------- */

typedef struct ritz {
  int count;
  long double re[KRYLOV_MAX], im[KRYLOV_MAX];
} ritz;

static int has_converged(const ritz* before, long double re, long double im)
{
  for (int i = 0; i < before->count; i++)
    if (hypotl(before->re[i] - re, before->im[i] - im) <= CONVERGED * hypotl(re, im)) return 1;
  return 0;
}

static double largest(const ritz* of)
{
  long double most = 0;
  for (int i = 0; i < of->count; i++)
    most = fmaxl(most, hypotl(of->re[i], of->im[i])); /* all are finite */
  return (double)most;
}

/* Ritz values until the largest converges twice in a row; those of the last two times. */
static pc_status find_largest(pc_krylov* k, ritz* now, ritz* before, pc_error* error)
{
  for (int converged = 0; converged < 2 && !k->is_complete && k->count < k->max;) {
    *before = *now;
    PC_TRY(pc_krylov_extend(k, STEP, error));
    PC_TRY(pc_krylov_values(k, now->re, now->im, error));
    now->count = k->count;
    converged =
        fabs(largest(now) - largest(before)) <= CONVERGED * largest(now) ? converged + 1 : 0;
  }
  if (k->is_complete) *before = *now;
  return PC_OK;
}

static pc_status largest_of(motion* m, int n, pc_map apply, pc_map metric, ritz* now, ritz* before)
{
  pc_krylov k = {.n = n, .max = KRYLOV_MAX, .apply = apply, .weigh = metric, .user = m};
  PC_TRY(pc_krylov_create(&k, m->start, m->error));
  pc_status status = find_largest(&k, now, before, m->error);
  pc_krylov_free(&k);
  return status;
}

/* The largest imaginary part that has converged by itself and is not beyond a bound: where
 * gyroscopic forces or light damping put the fastest vibration on the border of the spectrum. */
static double highest_on_border(const ritz* now, const ritz* before, double bound)
{
  double most = 0;
  for (int i = 0; i < now->count; i++) {
    double im = (double)fabsl(now->im[i]);
    for (int j = 0; j < before->count; j++)
      if (im <= bound && im > most && fabsl(before->im[j] - im) <= CONVERGED * im &&
          fabsl(before->re[j] - now->re[i]) <= CONVERGED * im)
        most = im;
  }
  return most;
}

/* ---- the circle ----------------------------------------------------------------------------- */

typedef struct support {
  double k, c; /* a line below the convex kappa: k - s c, which touches it where it was found */
} support;

/* Extends a basis until its largest Ritz value converges twice in a row; its vector is in m->vector
 * then. */
static pc_status find_extreme(motion* m, pc_krylov* k, double* value)
{
  *value = 0; /* no motion at all */
  for (int converged = 0; converged < 2 && !k->is_complete && k->count < k->max;) {
    double before = *value;
    PC_TRY(pc_krylov_extend(k, STEP + k->count / 4, m->error));
    PC_TRY(pc_krylov_largest(k, value, NULL, m->error));
    converged = fabs(*value - before) <= CONVERGED * fabs(*value) ? converged + 1 : 0;
  }
  return pc_krylov_largest(k, value, m->vector, m->error);
}

static support support_of(motion* m)
{
  return (support){-quotient(m->p->K, m->vector, m->p->n, m->force),
                   -quotient(m->p->D, m->vector, m->p->n, m->force)};
}

/* kappa(0): the largest squared frequency without damping. */
static pc_status find_far(motion* m, double* kappa, support* at)
{
  pc_krylov k = {.n = m->p->n, .max = FAR_MAX, .apply = apply_bound, .weigh = weigh, .user = m};
  PC_TRY(pc_krylov_create(&k, m->start, m->error));
  pc_status status = find_extreme(m, &k, kappa);
  pc_krylov_free(&k);
  *at = support_of(m);
  return status;
}

/* The largest kappa below beta, to a share of beta - kappa. */
static pc_status find_below(motion* m, double beta, double* kappa)
{
  double theta = 0;
  pc_combination of = {beta, 1, -m->s};
  pc_saddle_lu_destroy(m->shifted);
  PC_TRY(pc_saddle_lu_create(m->p, of, 0, &m->shifted, m->error));
  pc_krylov k = {.n = m->p->n, .max = FAR_MAX, .apply = apply_near, .weigh = weigh, .user = m};
  PC_TRY(pc_krylov_create(&k, m->start, m->error));
  pc_status status = find_extreme(m, &k, &theta);
  pc_krylov_free(&k);
  *kappa = theta > 0 ? beta - 1 / theta : -INFINITY;
  return status;
}

/* kappa(s) for s > 0, to a share of what the circle is measured by, and the line that belongs to
 * it. Damping only lessens kappa, so that kappa(0), `most`, is above it; from there the point that
 * it is seen from comes nearer. Other eigenvalues may be 1e10 times as large and negative: it would
 * not stand out without. */
static pc_status find_kappa(motion* m, double most, double* kappa, support* at)
{
  double beta = most * (1 + ABOVE);
  for (int step = 0; step < NEARER_MAX; step++) {
    PC_TRY(find_below(m, beta, kappa));
    *at = support_of(m);
    double off = beta - *kappa, wanted = CLOSE_ENOUGH * fabs(*kappa + m->s * m->s) / 2;
    if (!(10 * CONVERGED * off > wanted)) break;
    beta = *kappa + off / 100;
  }
  return PC_OK;
}

/* The square of the radius, as far as the supports know it: a lower bound. */
static double square_by(int count, const support* of, double s)
{
  double most = -INFINITY;
  for (int i = 0; i < count; i++) most = fmax(most, of[i].k - s * of[i].c); /* all are finite */
  return most + s * s;
}

static void try_s(int count, const support* of, double s, double* best_s, double* least)
{
  if (!(s >= 0)) return;
  double square = square_by(count, of, s);
  if (square < *least) {
    *least = square;
    *best_s = s;
  }
}

/* Where they have their least: in the vertex of a parabola or where two of them meet. */
static double minimise(int count, const support* of, double* least)
{
  double s = 0;
  *least = square_by(count, of, 0);
  for (int i = 0; i < count; i++) {
    try_s(count, of, of[i].c / 2, &s, least);
    for (int j = 0; j < i; j++)
      if (of[i].c != of[j].c)
        try_s(count, of, (of[i].k - of[j].k) / (of[i].c - of[j].c), &s, least);
  }
  return s;
}

/* The smallest circle: its s in m->s, and the square of its radius; negative or zero: nothing
 * vibrates. By supporting lines: kappa is convex. */
static pc_status find_circle(motion* m, double* square)
{
  support of[SUPPORTS_MAX];
  double s = 0, least = -INFINITY, best_s = 0, most;
  m->s = 0;
  PC_TRY(find_far(m, &most, &of[0]));
  *square = most;
  for (int count = 1; count < SUPPORTS_MAX && m->p->D && most > 0; count++) {
    double kappa;
    s = minimise(count, of, &least);
    if (*square - least <= CLOSE_ENOUGH * fabs(*square) || s == m->s) break;
    m->s = s;
    PC_TRY(find_kappa(m, most, &kappa, &of[count]));
    if (kappa + s * s < *square) {
      *square = kappa + s * s;
      best_s = s;
    }
  }
  m->s = best_s;
  return PC_OK;
}

/* ---- vibrations ----------------------------------------------------------------------------- */

/* The largest |theta| that has not converged: what is larger is known, all of it. */
static long double largest_open(const ritz* now, const ritz* before)
{
  long double most = 0;
  for (int i = 0; i < now->count; i++)
    if (!has_converged(before, now->re[i], now->im[i]))
      most = fmaxl(most, hypotl(now->re[i], now->im[i]));
  return most;
}

/* Im lambda of theta = b/((lambda + s)^2 + b^2) */
static double height(double b, long double re, long double im)
{
  long double complex theta = re + im * I;
  return (double)fabsl(cimagl(csqrtl(b / theta - (long double)b * b)));
}

/* The highest vibration that is known. */
static double highest(const ritz* now, double b, long double from)
{
  double most = 0;
  for (int i = 0; i < now->count; i++)
    if (hypotl(now->re[i], now->im[i]) > from) most = fmax(most, height(b, now->re[i], now->im[i]));
  return most;
}

/* Whether what is known, |(lambda + s)^2 + b^2| < b/from, covers the part of the circle of radius b
 * above a height: its corners on the circle are farthest, 2 b sqrt(b^2 - height^2). */
static int covers(double b, double above, long double from)
{
  double width = b > above ? sqrt((b - above) * (b + above)) : 0;
  return from * 2 * width <= 1;
}

static pc_status look(pc_krylov* k, double b, double* found, int* is_sure, pc_error* error)
{
  ritz of[2] = {0};
  *found = 0;
  *is_sure = 0;
  for (int step = 0; !*is_sure && !k->is_complete && k->count < k->max; step++) {
    ritz *now = &of[step % 2], *before = &of[1 - step % 2];
    PC_TRY(pc_krylov_extend(k, STEP, error));
    PC_TRY(pc_krylov_values(k, now->re, now->im, error));
    now->count = k->count;
    long double from = k->is_complete ? 0 : largest_open(now, before);
    *found = fmax(*found, highest(now, b, from));
    *is_sure = k->is_complete || covers(b, *found * (1 + CLOSE_ENOUGH), from);
  }
  return PC_OK;
}

/* From -s + i b. */
static pc_status look_from(motion* m, double b, double* found, int* is_sure)
{
  m->sigma = -m->s + b * I;
  m->scale = cabs(m->sigma);
  pc_combination of = {m->sigma * m->sigma, -1, -m->sigma};
  pc_saddle_lu_destroy(m->shifted);
  PC_TRY(pc_saddle_lu_create(m->p, of, 1, &m->shifted, m->error));
  pc_krylov k = {
      .n = 2 * m->p->n, .max = KRYLOV_MAX, .apply = apply_inverse, .weigh = weigh_state, .user = m};
  PC_TRY(pc_krylov_create(&k, m->start, m->error));
  pc_status status = look(&k, b, found, is_sure, m->error);
  pc_krylov_free(&k);
  return status;
}

/* From the top of the circle; where that does not see enough, from lower points, down to what was
 * found. */
static pc_status find_frequency(motion* m, double radius, double* frequency)
{
  double b = radius * (1 + ABOVE);
  for (int point = 0; point < POINTS_MAX; point++) {
    double found;
    int is_sure;
    PC_TRY(look_from(m, b, &found, &is_sure));
    *frequency = fmax(*frequency, found);
    if (is_sure || *frequency >= (1 - CLOSE_ENOUGH) * radius) break;
    b = fmax((1 + ABOVE) * *frequency, b / 3);
  }
  return PC_OK;
}

/* ---- all ------------------------------------------------------------------------------------ */

static pc_status create(motion* m)
{
  int n = m->p->n;
  m->start = pc_alloc(2 * (size_t)n, sizeof(double));
  m->force = pc_alloc((size_t)n, sizeof(double));
  m->vector = pc_alloc((size_t)n, sizeof(double));
  m->pair = pc_alloc(2 * (size_t)n, sizeof(double));
  if (!m->start || !m->force || !m->vector || !m->pair) return pc_no_memory(m->error);
  PC_TRY(pc_saddle_lu_create(m->p, (pc_combination){1, 0, 0}, 0, &m->mass, m->error));
  scatter(2 * n, m->start);
  for (int half = 0; half < 2; half++) {
    double* x = m->start + half * n;
    set_product(m->p->M, 1, x, n, m->force);
    pc_saddle_lu_solve(m->mass, m->force);
    memcpy(x, m->force, (size_t)n * sizeof *x);
  }
  return PC_OK;
}

/* The rate that the vector without pattern has [1/s]; 0: there are no forces, or is no motion. */
static double typical_rate(motion* m)
{
  int n = m->p->n;
  const double* x = m->start;
  double mass = quotient(m->p->M, x, n, m->force), k = fabs(quotient(m->p->K, x, n, m->force));
  double c = fabs(quotient(m->p->D, x, n, m->force));
  return mass > 0 ? fmax(sqrt(k / mass), c / mass) : 0;
}

/* What gyroscopic forces can add to the radius [1/s]. */
static pc_status find_gyroscopic(motion* m, double* rate)
{
  ritz now = {0}, before = {0};
  if (m->p->D) PC_TRY(largest_of(m, m->p->n, apply_gyroscopic, weigh, &now, &before));
  *rate = largest(&now);
  return PC_OK;
}

/* The bound for rough answers. */
static pc_status bound_frequency(motion* m, pc_rates* rates)
{
  double kappa;
  support at;
  m->s = 0;
  PC_TRY(find_far(m, &kappa, &at));
  double undamped = kappa > 0 ? sqrt(kappa) : 0;
  rates->rate = fmax(rates->rate, m->p->D ? 0 : undamped);
  rates->frequency = undamped;
  if (rates->rate > undamped) rates->frequency = undamped * (undamped / rates->rate);
  return PC_OK;
}

static pc_status find_rates(motion* m, pc_rates* rates)
{
  ritz now = {0}, before = {0};
  m->scale = typical_rate(m);
  if (m->scale == 0) return PC_OK;
  PC_TRY(largest_of(m, 2 * m->p->n, apply_motion, weigh_state, &now, &before));
  rates->rate = largest(&now);
  if (m->p->is_rough) return bound_frequency(m, rates);
  double square = 0, gyroscopic = 0;
  PC_TRY(find_circle(m, &square));
  PC_TRY(find_gyroscopic(m, &gyroscopic));
  double radius = (square > 0 ? sqrt(square) : 0) + gyroscopic;
  rates->frequency = highest_on_border(&now, &before, radius * (1 + ABOVE));
  if (radius > 0) PC_TRY(find_frequency(m, radius, &rates->frequency));
  rates->rate = fmax(rates->rate, rates->frequency);
  return PC_OK;
}

pc_status pc_sparse_rates(const pc_sparse_quadratic* problem, pc_rates* rates, pc_error* error)
{
  motion m = {.p = problem, .error = error};
  *rates = (pc_rates){0};
  pc_status status = create(&m);
  if (status == PC_OK) status = find_rates(&m, rates);
  destroy(&m);
  return status;
}
