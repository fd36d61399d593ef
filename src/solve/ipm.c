/* Interior point method: the central path of a frictional contact problem by power series.
 *
 * With D = diag(1, mu, ... mu) the friction coefficient is scaled away: z = D r, w = D y. De
 * Saxce's term makes one cone of the two laws (De Saxce and Feng, 1998):
 *
 *     u = w + |w_F| e,   r and u in the cone { x_N >= |x_F| },   r o u = 0
 *
 * with the Jordan product o, whose matrix is the arrow Arw(x), and e = e_N. A start (r_0, u_0)
 * inside the cones is led to a solution along the curve from t = 1 to t = 0 of
 *
 *     (1)  u - w - s e = t d          (2)  r o u = t c + t^2 f
 *     (3)  s^2 = |w_F|^2 + (eps t)^2  and  y = t c at equality nodes,
 *
 * with c + f = r_0 o u_0, d what the start leaves of (1), and eps a share of the mean of c_N. A
 * contact without friction has a cone of one component, s = 0 and z_F = 0.
 *
 * Friction makes the problem nonmonotone, and the curve turns back in t wherever a solution has
 * ceased to exist. It is followed by its arc length, with ln t as one coordinate and each contact
 * measured relative to its r_N and u_N. All equations are quadratic: the coefficients of the power
 * series of (r, u, w, s, t) in the arc length follow order by order from linear systems with one
 * matrix. With g = w_F/s and G = I + e g',
 *
 *     (Arw(r) G D A D + Arw(u)) r_k = kappa_k - Arw(r) rho_k,   u_k = w_k + s_k e + rho_k,
 *
 * which has the pattern of A and is regular for redundant contacts, since u lies inside its cone.
 * The last coefficient gives the length for which the series holds. What truncation leaves at its
 * end fades along the next one. Forward is where the curve does not go back along itself; as a
 * test, t falls where the determinant has the sign that it had at the start, and rises elsewhere
 * (Allgower and Georg, 1990). Where the two disagree, the step has jumped to another branch of a
 * turn and is halved.
 *
 * The last digits come from Newton's method on proximal problems (newton.c). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/larger.h"
#include "base/status.h"
#include "linalg/pivoting_lu.h"
#include "solve/island.h"
#include "solve/methods.h"

/* Order of the series. Singularities near the curve, where a contact is about to open or to slip,
 * limit the length of a step: higher orders do not pay for their work. */
enum { ORDER = 8 };

/* Distance from the curve at the end of a step, relative to c_N and u_N. */
static const double closeness = 0.1;

/* eps of (3) over the mean of c_N: a larger one rounds off |w_F| where slip is slow, and gives the
 * curve more turns. */
static const double smoothing = 0.03;

/* Distance of a start from the boundary of the cones where it is moved inside, and the impulses of
 * one on their axes; data are of order one. Above the impulses of the solution the curve has fewer
 * turns than below. */
static const double margin = 0.1, axis_impulse = 100;

/* A step is `safety` of the radius that the last coefficient tells, then changed by these factors
 * to the longest that ends close to the curve; below the shortest there is none. */
static const double safety = 0.8, longer = 1.12, shorter = 0.88, shortest = 1e-12;

/* What the last step has left fades along this many of its lengths, at least along the second
 * number: over a very short step it would lead the series away from the curve. */
static const double fade_steps = 2, fade_least = 0.5;

/* Halvings of a step whose end is on another branch, after which the tangent is believed. */
enum { RETRIES_MAX = 6 };

/* A curve with t above the first number, which starts at 1, does not come back; below the second,
 * t has no digits left to fall. */
static const double t_max = 10, t_min = 1e-40;

/* A solution of a linear system that leaves more than the first share of its right side is refined;
 * with more than the second, the series is of no use. */
static const double solution_good = 1e-10, solution_usable = 1e-3;

/* Proximal problems are tried from the first residual on, and again when it has fallen by the
 * second factor; so many rounds, also without progress. */
static const double finish_from = 1e-4, finish_again = 1e-2;
enum { FINISH_ROUNDS = 30 };

/* Series along the curve of (2) with f = 0, and with f the part of r_0 o u_0 beside the axes, which
 * centres the path on the way: twice as many series, but it leads past places where the first one
 * approaches the boundary of a cone. */
enum { PLAIN_SERIES = 150, CENTRED_SERIES = 350 };

/* Sweeps before the start, in units of a factorisation: from an answer that is far from the laws
 * the curve is long. */
enum { SWEEPS = 32 };

/* A direction, or the coefficients of one order: rows, s of each node. */
typedef struct term {
  double *r, *u, *w, *s;
} term;

/* Power series in the arc length; the first coefficients are the point where it begins. */
typedef struct series {
  double *r[ORDER + 1], *u[ORDER + 1], *w[ORDER + 1], *s[ORDER + 1];
  double t[ORDER + 1], l[ORDER + 1]; /* l: of ln t, beyond its first coefficient */
} series;

typedef struct path {
  pc_island* s;
  pc_block_matrix K; /* the arrays of A, values of its own */
  int left;          /* series that it may still take */

  double *c, *f, *d; /* rows, see (1) and (2) */
  double c_mean;     /* of c_N */
  double eps;        /* of (3) */
  double d_size;     /* the largest entry of d */

  series X;         /* the last one */
  double *r, *u, t; /* the point at hand */
  double length;    /* of the last step */
  int has_series;
  int first_sign; /* of the determinant */
  int retries;    /* of the last step */

  double* g;               /* rows: w_F/s */
  double *c_left, *d_left; /* rows: what the point leaves of (2) and (1), over t */
  double *kappa, *rho;     /* rows */
  double* h;               /* nodes */
  double *scratch, *rhs;   /* rows */
  term along;              /* how the curve moves with ln t */
  int is_refined;          /* solutions of the present matrix need it */

  pc_pivoting_lu* pivoting; /* NULL until the factors by blocks had no digits */
  int is_pivoted;           /* it has factors of the present matrix */
} path;

/* Rows of the cone of node k: all of a contact, or the normal one where there is no friction; none
 * of an equality node. */
static int cone_size(const pc_island* s, int k)
{
  if (!pc_island_is_contact(s, k)) return 0;
  return s->node[k].mu > 0 ? pc_island_size(s, k) : 1;
}

/* The entry of D: mu in the friction rows of contacts that have friction. */
static double friction_scale(const pc_island* s, int k, int i)
{
  return i > 0 && cone_size(s, k) > 1 ? s->node[k].mu : 1;
}

static double length_of(int n, const double* x)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static double largest_of(int n, const double* x)
{
  double largest = 0;
  for (int i = 0; i < n; i++) largest = pc_larger(largest, fabs(x[i]));
  return largest;
}

/* to = x o v. */
static void jordan(int n, const double* x, const double* v, double* to)
{
  double first = 0;
  for (int i = 0; i < n; i++) first += x[i] * v[i];
  for (int i = 1; i < n; i++) to[i] = x[0] * v[i] + x[i] * v[0];
  to[0] = first;
}

/* --- memory --- */

static void take_rows(double** vector, double** memory, size_t rows)
{
  *vector = *memory;
  *memory += rows;
}

static void take_term(term* x, double** memory, size_t rows, size_t nodes)
{
  take_rows(&x->r, memory, rows);
  take_rows(&x->u, memory, rows);
  take_rows(&x->w, memory, rows);
  take_rows(&x->s, memory, nodes);
}

static term term_of(const series* X, int k)
{
  return (term){X->r[k], X->u[k], X->w[k], X->s[k]};
}

static pc_status prepare(path* p, pc_island* s)
{
  size_t rows = (size_t)s->row_count, nodes = (size_t)s->node_count;
  *p = (path){.s = s, .K = s->A};
  double** vectors[] = {&p->c,      &p->f,     &p->d,   &p->r, &p->u,       &p->g,  &p->c_left,
                        &p->d_left, &p->kappa, &p->rho, &p->h, &p->scratch, &p->rhs};
  size_t vector_count = sizeof vectors / sizeof *vectors, term_count = ORDER + 2;
  size_t count = vector_count * rows + term_count * (3 * rows + nodes);
  double* memory = pc_arena_doubles(s->arena, count);
  p->K.value = pc_arena_doubles(s->arena, pc_island_entry_count(s));
  if (!memory || !p->K.value) return PC_OUT_OF_MEMORY;
  memset(memory, 0, count * sizeof *memory);
  for (size_t i = 0; i < vector_count; i++) take_rows(vectors[i], &memory, rows);
  for (int k = 0; k <= ORDER; k++) {
    term x;
    take_term(&x, &memory, rows, nodes);
    p->X.r[k] = x.r;
    p->X.u[k] = x.u;
    p->X.w[k] = x.w;
    p->X.s[k] = x.s;
  }
  take_term(&p->along, &memory, rows, nodes);
  return pc_island_analyse(s);
}

/* --- the linear system --- */

/* Block row k of a contact: L A D with L = Arw(r) G D, and Arw(u) on the diagonal. Where there is
 * no friction, its friction rows are dr_F = 0. */
static void contact_row(path* p, int k)
{
  pc_island* s = p->s;
  int n = pc_island_size(s, k), size = cone_size(s, k), at = s->A.row[k];
  const double *r = &p->r[at], *u = &p->u[at], *g = &p->g[at];
  double L[PC_CONE_ROWS_MAX * PC_CONE_ROWS_MAX] = {0};
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      double arrow = i == j ? r[0] : i == 0 ? r[j] : j == 0 ? r[i] : 0;
      double turn = j > 0 ? r[i] * g[j] : 0;
      L[i * n + j] = (arrow + turn) * friction_scale(s, k, j);
    }
  for (int e = s->A.start[k]; e < s->A.start[k + 1]; e++) {
    int j = s->A.column[e], m = pc_island_size(s, j);
    const double* a = &s->A.value[s->A.place[e]];
    double *to = &p->K.value[s->A.place[e]], D[2] = {1, friction_scale(s, j, 1)};
    for (int i = 0; i < n; i++)
      for (int c = 0; c < m; c++) {
        double sum = 0;
        for (int l = 0; l < size; l++) sum += L[i * n + l] * a[l * m + c];
        to[i * m + c] = D[c > 0] * sum;
      }
  }
  double* diagonal = &p->K.value[s->A.place[s->A.diagonal[k]]];
  for (int i = 0; i < size; i++) {
    diagonal[i * n + i] += u[0];
    if (i == 0) continue;
    diagonal[i] += u[i];
    diagonal[i * n] += u[i];
  }
  for (int i = size; i < n; i++) diagonal[i * n + i] = 1;
}

/* Block row k of an equality node: A D. */
static void equality_row(path* p, int k)
{
  pc_island* s = p->s;
  int n = pc_island_size(s, k);
  for (int e = s->A.start[k]; e < s->A.start[k + 1]; e++) {
    int j = s->A.column[e], m = pc_island_size(s, j);
    const double* a = &s->A.value[s->A.place[e]];
    double *to = &p->K.value[s->A.place[e]], D[2] = {1, friction_scale(s, j, 1)};
    for (int i = 0; i < n; i++)
      for (int c = 0; c < m; c++) to[i * m + c] = D[c > 0] * a[i * m + c];
  }
  if (s->is_saddle && !s->bare[k]) return; /* a body */
  double* diagonal = &p->K.value[s->A.place[s->A.diagonal[k]]];
  for (int i = 0; i < n; i++) diagonal[i * n + i] += PC_PROXIMAL / s->mass[k];
}

/* Returns 0 if the matrix at the point has no factors. */
static int factor(path* p)
{
  pc_island* s = p->s;
  for (int k = 0; k < s->node_count; k++) {
    if (pc_island_is_contact(s, k))
      contact_row(p, k);
    else
      equality_row(p, k);
  }
  p->is_refined = p->is_pivoted = 0;
  return pc_block_lu_factor(s->lu, &p->K, PC_PROXIMAL_ROUND_OFF) == PC_OK;
}

/* scratch = rhs - K x; returns its size relative to rhs. */
static double leave(path* p, const double* x)
{
  int rows = p->s->row_count;
  memset(p->scratch, 0, (size_t)rows * sizeof *p->scratch);
  pc_block_matrix_times(&p->K, x, p->scratch);
  for (int i = 0; i < rows; i++) p->scratch[i] = p->rhs[i] - p->scratch[i];
  double size = largest_of(rows, p->rhs);
  return size > 0 ? largest_of(rows, p->scratch) / size : 0;
}

/* Corrects x once. */
static void refine(path* p, double* x)
{
  leave(p, x);
  pc_block_lu_solve(p->s->lu, p->scratch);
  for (int i = 0; i < p->s->row_count; i++) x[i] += p->scratch[i];
}

/* x := K^-1 x. */
static void solve_linear(path* p, double* x)
{
  memcpy(p->rhs, x, (size_t)p->s->row_count * sizeof *x);
  if (p->is_pivoted) {
    pc_pivoting_lu_solve(p->pivoting, x);
    return;
  }
  pc_block_lu_solve(p->s->lu, x);
  if (p->is_refined) refine(p, x);
}

/* Makes the last solution x as good as the factors allow. Near a solution with many contacts on the
 * verge of closing or slipping the factors by blocks may have no digits left: then pivots are
 * sought beyond the blocks. Returns 0 if that fails, too. */
static int improve(path* p, double* x)
{
  if (leave(p, x) <= solution_good) return 1;
  p->is_refined = 1;
  refine(p, x);
  if (leave(p, x) <= solution_usable) return 1;
  if (!p->pivoting && pc_pivoting_lu_create(&p->K, &p->pivoting, NULL) != PC_OK) return 0;
  if (pc_pivoting_lu_factor(p->pivoting, &p->K) != PC_OK) return 0;
  p->is_pivoted = 1;
  memcpy(x, p->rhs, (size_t)p->s->row_count * sizeof *x);
  pc_pivoting_lu_solve(p->pivoting, x);
  return leave(p, x) <= solution_usable;
}

/* to = D A D x. */
static void multiply(path* p, const double* x, double* to)
{
  pc_island* s = p->s;
  for (int k = 0; k < s->node_count; k++)
    for (int i = s->A.row[k]; i < s->A.row[k + 1]; i++)
      p->scratch[i] = friction_scale(s, k, i - s->A.row[k]) * x[i];
  memset(to, 0, (size_t)s->row_count * sizeof *to);
  pc_block_matrix_times(&s->A, p->scratch, to);
  for (int k = 0; k < s->node_count; k++)
    for (int i = s->A.row[k]; i < s->A.row[k + 1]; i++)
      to[i] *= friction_scale(s, k, i - s->A.row[k]);
}

/* kappa - Arw(r) rho; rho receives h in its normal rows. */
static void write_right_side(path* p, double* to)
{
  const pc_island* s = p->s;
  memcpy(to, p->kappa, (size_t)s->row_count * sizeof *to);
  for (int k = 0; k < s->node_count; k++) {
    int n = cone_size(s, k), at = s->A.row[k];
    double part[PC_CONE_ROWS_MAX];
    if (n == 0) continue;
    p->rho[at] += p->h[k];
    jordan(n, &p->r[at], &p->rho[at], part);
    for (int i = 0; i < n; i++) to[at + i] -= part[i];
    for (int i = at + n; i < s->A.row[k + 1]; i++) to[i] = 0;
  }
}

/* w, s and u from r: u - w - s e = rho, s = g w_F + h, where rho contains h e. */
static void complete(path* p, term* x)
{
  const pc_island* s = p->s;
  multiply(p, x->r, x->w);
  for (int k = 0; k < s->node_count; k++) {
    int n = cone_size(s, k), at = s->A.row[k];
    double turn = 0;
    for (int i = 1; i < n; i++) turn += p->g[at + i] * x->w[at + i];
    for (int i = at; i < at + n; i++) x->u[i] = x->w[i] + p->rho[i];
    if (n > 0) x->u[at] += turn;
    x->s[k] = turn + p->h[k];
  }
}

/* Solves du - dw - ds e = rho, r o du + u o dr = kappa, ds = g dw_F + h and, at equality nodes,
 * A D dr = kappa. */
static void solve_order(path* p, term* x)
{
  write_right_side(p, x->r);
  solve_linear(p, x->r);
  complete(p, x);
}

/* --- the curve --- */

/* y of the island at r. */
static void put_answer(path* p)
{
  pc_island* s = p->s;
  for (int k = 0; k < s->node_count; k++)
    for (int i = 0; i < pc_island_size(s, k); i++)
      s->z[s->A.row[k] + i] = friction_scale(s, k, i) * p->r[s->A.row[k] + i];
  pc_island_dual(s);
}

/* w, s by (3) and u - w - s e at the point (rows of `left`); y of the island is up to date. */
static void evaluate(path* p, double* w, double* slip, double* left)
{
  const pc_island* s = p->s;
  for (int k = 0; k < s->node_count; k++) {
    int n = cone_size(s, k), at = s->A.row[k];
    double sum = p->eps * p->t * p->eps * p->t;
    for (int i = at; i < at + n; i++) {
      w[i] = friction_scale(s, k, i - at) * s->y[i];
      left[i] = p->u[i] - w[i];
      if (i > at) sum += w[i] * w[i];
    }
    slip[k] = n > 1 ? sqrt(sum) : 0;
    if (n > 0) left[at] -= slip[k];
  }
}

/* r and u on the axes of the cones. */
static void begin_on_axes(path* p)
{
  pc_island* s = p->s;
  double top = 1;
  memset(p->r, 0, (size_t)s->row_count * sizeof *p->r);
  for (int k = 0; k < s->node_count; k++)
    if (pc_island_is_contact(s, k)) p->r[s->A.row[k]] = axis_impulse;
  put_answer(p);
  for (int k = 0; k < s->node_count; k++)
    for (int i = s->A.row[k]; i < s->A.row[k] + cone_size(s, k); i++)
      top = pc_larger(top, 1.5 * fabs(s->y[i]));
  memset(p->u, 0, (size_t)s->row_count * sizeof *p->u);
  for (int k = 0; k < s->node_count; k++)
    if (pc_island_is_contact(s, k)) p->u[s->A.row[k]] = top;
}

/* r and u from an answer and its dual, moved inside the cones. */
static void begin_nearby(path* p, const double* answer)
{
  pc_island* s = p->s;
  memset(p->r, 0, (size_t)s->row_count * sizeof *p->r);
  for (int k = 0; k < s->node_count; k++) {
    int n = cone_size(s, k), at = s->A.row[k], rows = n == 0 ? pc_island_size(s, k) : n;
    for (int i = 0; i < rows; i++) p->r[at + i] = answer[at + i] / friction_scale(s, k, i);
    if (n > 0) p->r[at] = pc_larger(p->r[at], length_of(n - 1, &p->r[at + 1])) + margin;
  }
  put_answer(p);
  memset(p->u, 0, (size_t)s->row_count * sizeof *p->u);
  for (int k = 0; k < s->node_count; k++) {
    int n = cone_size(s, k), at = s->A.row[k];
    if (n == 0) continue;
    for (int i = 1; i < n; i++) p->u[at + i] = s->node[k].mu * s->y[at + i];
    p->u[at] = length_of(n - 1, &p->u[at + 1]) + pc_larger(0, s->y[at]) + margin;
  }
}

/* c, f, d and eps from the point; `centred`: what r o u has beside the axes fades with t^2. */
static void begin(path* p, int centred)
{
  pc_island* s = p->s;
  p->t = 1;
  p->length = 1;
  p->has_series = p->first_sign = p->retries = 0;
  p->c_mean = p->d_size = 0;
  memset(p->f, 0, (size_t)s->row_count * sizeof *p->f);
  for (int k = 0; k < s->node_count; k++) {
    int n = cone_size(s, k), at = s->A.row[k];
    for (int i = at; i < s->A.row[k + 1]; i++) p->c[i] = n == 0 ? s->y[i] : 0;
    if (n == 0) continue;
    jordan(n, &p->r[at], &p->u[at], &p->c[at]);
    p->c_mean += p->c[at] / s->contact_count;
    for (int i = at + 1; i < at + n && centred; i++) {
      p->f[i] = p->c[i];
      p->c[i] = 0;
    }
  }
  p->eps = smoothing * p->c_mean;
  evaluate(p, p->X.w[0], p->X.s[0], p->d);
  p->d_size = largest_of(s->row_count, p->d);
}

/* The inner product of two directions, relative to r_N and u_N of the point, mean over contacts. */
static double inner(const path* p, term a, term b)
{
  const pc_island* s = p->s;
  double sum = 0;
  for (int k = 0; k < s->node_count; k++) {
    int n = cone_size(s, k), at = s->A.row[k];
    double in_r = 0, in_u = 0;
    for (int i = at; i < at + n; i++) {
      in_r += a.r[i] * b.r[i];
      in_u += a.u[i] * b.u[i];
    }
    if (n > 0) sum += in_r / (p->r[at] * p->r[at]) + in_u / (p->u[at] * p->u[at]);
  }
  return sum / s->contact_count;
}

/* --- the series --- */

/* g at the point, and what it leaves of (1) and (2) over t, beyond d and c + t f. The point lies
 * on the curve of d + d_left and c + c_left. w and s are in `scratch` and `h`. */
static void find_left(path* p)
{
  const pc_island* s = p->s;
  evaluate(p, p->scratch, p->h, p->d_left);
  for (int k = 0; k < s->node_count; k++) {
    int n = cone_size(s, k), at = s->A.row[k], end = s->A.row[k + 1];
    for (int i = at; i < end && n == 0; i++) p->c_left[i] = s->y[i] / p->t - p->c[i];
    if (n == 0) continue;
    jordan(n, &p->r[at], &p->u[at], &p->c_left[at]);
    for (int i = at; i < at + n; i++) {
      if (i > at) p->g[i] = p->scratch[i] / p->h[k];
      p->c_left[i] = p->c_left[i] / p->t - p->c[i] - p->t * p->f[i];
      p->d_left[i] = p->d_left[i] / p->t - p->d[i];
    }
  }
}

/* The derivative of the curve by ln t, for c + c_left and d + d_left. */
static void find_along(path* p)
{
  const pc_island* s = p->s;
  double t = p->t;
  for (int i = 0; i < s->row_count; i++) {
    p->kappa[i] = t * (p->c[i] + p->c_left[i]) + 2 * t * t * p->f[i];
    p->rho[i] = t * (p->d[i] + p->d_left[i]);
  }
  for (int k = 0; k < s->node_count; k++) {
    double slip = p->h[k];
    p->h[k] = slip > 0 ? p->eps * t * p->eps * t / slip : 0;
  }
  solve_order(p, &p->along);
}

/* Whether the last step came in the direction of `along`, by the derivative of its series at its
 * end. */
static int came_along(const path* p)
{
  double sum = 0, power = 1;
  for (int k = 1; k <= ORDER; k++, power *= p->length)
    sum += k * power * (inner(p, term_of(&p->X, k), p->along) + p->X.l[k]);
  return sum > 0;
}

/* x += factor * a. */
static void add(const path* p, double factor, term a, term x)
{
  for (int i = 0; i < p->s->row_count; i++) {
    x.r[i] += factor * a.r[i];
    x.u[i] += factor * a.u[i];
    x.w[i] += factor * a.w[i];
  }
  for (int k = 0; k < p->s->node_count; k++) x.s[k] += factor * a.s[k];
}

/* What lower orders give to order k of (2) and (3), for one contact: sum of r_i o u_k-i, and of
 * w_i w_k-i - s_i s_k-i. */
static double convolve(const path* p, int k, int node, double* product)
{
  const series* X = &p->X;
  int n = cone_size(p->s, node), at = p->s->A.row[node];
  double sum = 0;
  for (int i = 0; i < n; i++) product[i] = 0;
  for (int i = 1; i < k; i++) {
    const double *r = &X->r[i][at], *u = &X->u[k - i][at];
    for (int j = 0; j < n; j++) product[0] += r[j] * u[j];
    for (int j = 1; j < n; j++) {
      product[j] += r[0] * u[j] + r[j] * u[0];
      sum += X->w[i][at + j] * X->w[k - i][at + j];
    }
    sum -= X->s[i][node] * X->s[k - i][node];
  }
  return sum;
}

/* Order k >= 2 of (1) to (3) for l_k = 0, with t_k as far as it is known then. */
static void solve_higher(path* p, int k, double fade)
{
  const pc_island* s = p->s;
  series* X = &p->X;
  double known = 0, square = 0, left = X->t[k - 1] / fade;
  for (int j = 1; j < k; j++) known += j * X->l[j] * X->t[k - j] / k;
  for (int i = 1; i < k; i++) square += X->t[i] * X->t[k - i];
  square += 2 * X->t[0] * known;
  for (int i = 0; i < s->row_count; i++) {
    p->kappa[i] = known * (p->c[i] + p->c_left[i]) + square * p->f[i] - left * p->c_left[i];
    p->rho[i] = known * (p->d[i] + p->d_left[i]) - left * p->d_left[i];
  }
  for (int i = 0; i < s->node_count; i++) {
    double product[PC_CONE_ROWS_MAX], slip = X->s[0][i];
    double sum = convolve(p, k, i, product) + p->eps * p->eps * square;
    for (int j = 0; j < cone_size(s, i); j++) p->kappa[s->A.row[i] + j] -= product[j];
    p->h[i] = slip > 0 ? sum / (2 * slip) : 0;
  }
  X->t[k] = known;
  term x = term_of(X, k);
  solve_order(p, &x);
}

/* All orders from the tangent on, whose component of ln t is l. */
static void expand(path* p, double l)
{
  pc_island* s = p->s;
  series* X = &p->X;
  double fade = fmax(fade_steps * p->length, fade_least);
  size_t bytes = (size_t)s->row_count * sizeof(double);
  memcpy(X->r[0], p->r, bytes);
  memcpy(X->u[0], p->u, bytes);
  evaluate(p, X->w[0], X->s[0], p->rho);
  X->t[0] = p->t;
  X->l[0] = 0;
  for (int i = 0; i < s->row_count; i++) {
    p->kappa[i] = -p->t / fade * p->c_left[i];
    p->rho[i] = -p->t / fade * p->d_left[i];
  }
  memset(p->h, 0, (size_t)s->node_count * sizeof *p->h);
  term tangent = term_of(X, 1);
  solve_order(p, &tangent);
  add(p, l, p->along, tangent);
  X->t[1] = p->t * l;
  X->l[1] = l;
  double norm = inner(p, tangent, p->along) + l;
  for (int k = 2; k <= ORDER; k++) {
    solve_higher(p, k, fade);
    X->l[k] = -inner(p, tangent, term_of(X, k)) / norm; /* at right angles to the tangent */
    add(p, X->l[k], p->along, term_of(X, k));
    X->t[k] += p->t * X->l[k];
  }
  p->has_series = 1;
  p->retries = 0;
}

/* Row i (or node i) of the series after the length a. */
static double value_at(double* const coefficient[], int i, double a)
{
  double sum = coefficient[ORDER][i];
  for (int k = ORDER - 1; k >= 0; k--) sum = sum * a + coefficient[k][i];
  return sum;
}

static double t_at(const path* p, double a)
{
  double sum = 0;
  for (int k = ORDER; k >= 1; k--) sum = (sum + p->X.l[k]) * a;
  return p->X.t[0] * pc_exp(sum);
}

/* Distance from the curve of one contact after the length a; infinite outside the cones. */
static double distance_of(const path* p, int k, double a, double t)
{
  int n = cone_size(p->s, k), at = p->s->A.row[k];
  double r[PC_CONE_ROWS_MAX] = {0}, u[PC_CONE_ROWS_MAX] = {0}, product[PC_CONE_ROWS_MAX];
  double away = 0, square = p->eps * t * p->eps * t;
  for (int i = 0; i < n; i++) {
    r[i] = value_at(p->X.r, at + i, a);
    u[i] = value_at(p->X.u, at + i, a);
  }
  if (!(r[0] > length_of(n - 1, r + 1)) || !(u[0] > length_of(n - 1, u + 1))) return INFINITY;
  jordan(n, r, u, product);
  for (int i = 0; i < n; i++)
    away = pc_larger(away, fabs(product[i] / t - p->c[at + i] - t * p->f[at + i]) / p->c[at]);
  if (n == 1) return away;
  for (int i = 1; i < n; i++) {
    double w = value_at(p->X.w, at + i, a);
    square += w * w;
  }
  double slip = value_at(p->X.s, k, a);
  return pc_larger(away, fabs(sqrt(square) - slip) / pc_larger(u[0], t * p->d_size));
}

/* Whether the series ends inside the cones and close to the curve after the length a. */
static int is_close(const path* p, double a)
{
  double t = t_at(p, a);
  if (!isfinite(t)) return 0;
  for (int k = 0; k < p->s->node_count; k++)
    if (pc_island_is_contact(p->s, k) && !(distance_of(p, k, a, t) <= closeness)) return 0;
  return 1;
}

/* To the end of the series after the length a. */
static void go(path* p, double a)
{
  for (int i = 0; i < p->s->row_count; i++) {
    p->r[i] = value_at(p->X.r, i, a);
    p->u[i] = value_at(p->X.u, i, a);
  }
  p->t = t_at(p, a);
  p->length = a;
  put_answer(p);
}

/* The longest length for which the series holds, or 0. */
static double longest_step(const path* p)
{
  const pc_island* s = p->s;
  double size = pc_larger(fabs(p->X.l[ORDER]), DBL_MIN);
  for (int k = 0; k < s->node_count; k++) {
    int n = cone_size(s, k), at = s->A.row[k];
    if (n == 0) continue;
    size = pc_larger(size, largest_of(n, &p->X.r[ORDER][at]) / p->r[at]);
    size = pc_larger(size, largest_of(n, &p->X.u[ORDER][at]) / p->u[at]);
  }
  double a = safety * pc_exp(-pc_log(size) / ORDER);
  if (is_close(p, a)) {
    while (is_close(p, longer * a)) a *= longer;
    return a;
  }
  while (a > shortest && !is_close(p, a)) a *= shorter;
  return a > shortest ? a : 0;
}

/* One factorisation: to the end of a series from the point, or back to half of the last step.
 * Returns 0 if the curve cannot be followed any farther. */
static int advance(path* p)
{
  find_left(p);
  if (!factor(p)) return 0;
  find_along(p);
  if (!improve(p, p->along.r)) return 0;
  if (p->is_refined) complete(p, &p->along);
  int sign = pc_block_lu_determinant_sign(p->s->lu);
  if (p->first_sign == 0) p->first_sign = sign;
  double l = (sign == p->first_sign ? -1 : 1) / sqrt(inner(p, p->along, p->along) + 1);
  if (p->has_series && came_along(p) != (l > 0)) {
    if (!p->is_pivoted && p->retries++ < RETRIES_MAX) {
      go(p, 0.5 * p->length);
      return 1;
    }
    p->first_sign = -p->first_sign;
    l = -l;
  }
  expand(p, l);
  double a = longest_step(p);
  if (a > 0) go(p, a);
  return a > 0;
}

/* Offers the answer at the point, and once it is near enough what proximal problems make of it;
 * `threshold` is the residual from which this is tried. */
static pc_status offer(path* p, double* threshold)
{
  pc_island* s = p->s;
  pc_island_offer(s, PC_METHOD_IPM);
  double residual = pc_island_impulse_residual(s);
  if (pc_island_done(s) || residual > *threshold) return PC_OK;
  *threshold = finish_again * residual;
  int first = s->iterations, rounds = p->left < FINISH_ROUNDS ? p->left : FINISH_ROUNDS;
  PC_TRY(pc_newton_solve_proximally(s, rounds, rounds, PC_METHOD_IPM));
  p->left -= s->iterations - first;
  put_answer(p);
  return PC_OK;
}

static int is_finished(const pc_island* s, double sufficient)
{
  return pc_island_done(s) || s->best_residual <= sufficient;
}

/* From the point to the end of the curve, at most so many series. */
static pc_status follow(path* p, int series_max, double sufficient)
{
  pc_island* s = p->s;
  double threshold = finish_from;
  for (int i = 0; i < series_max && p->left > 0; i++) {
    PC_TRY(offer(p, &threshold));
    if (is_finished(s, sufficient) || p->left <= 0) break;
    if (!(p->t > t_min) || !(p->t < t_max)) break;
    s->iterations++;
    p->left--;
    if (!advance(p)) break;
  }
  return PC_OK;
}

/* Sweeps, for half of the iterations that a solver has at most. */
static pc_status sweep(path* p)
{
  pc_island* s = p->s;
  int first = s->iterations, half = s->max_iterations / 2;
  int wanted = SWEEPS * pc_island_sweeps_of_factorisation(s);
  if (s->is_saddle) return PC_OK;
  PC_TRY(pc_nsgs_solve(s, wanted < half ? wanted : half, PC_METHOD_IPM));
  int left = s->max_iterations - (s->iterations - first);
  if (left < p->left) p->left = left;
  return PC_OK;
}

/* From where sweeps end, with f = 0 and, where that does not lead to a solution, once more centred
 * on the way; then from the axes of the cones, and from nowhere else. */
static pc_status follow_all(path* p, double* start, double sufficient)
{
  pc_island* s = p->s;
  PC_TRY(sweep(p));
  memcpy(start, s->z, (size_t)s->row_count * sizeof *start);
  int is_far = largest_of(s->row_count, start) == 0;
  for (int centred = 0; centred <= 1 && !is_far && !is_finished(s, sufficient); centred++) {
    begin_nearby(p, start);
    begin(p, centred);
    PC_TRY(follow(p, centred ? CENTRED_SERIES : PLAIN_SERIES, sufficient));
  }
  if (is_finished(s, sufficient)) return PC_OK;
  begin_on_axes(p);
  begin(p, 0);
  return follow(p, s->max_iterations, sufficient);
}

pc_status pc_ipm_solve(pc_island* s, int series_max, double sufficient)
{
  path p;
  pc_mark mark = pc_arena_mark(s->arena);
  double* start = pc_arena_doubles(s->arena, (size_t)s->row_count);
  pc_status status = start ? prepare(&p, s) : PC_OUT_OF_MEMORY;
  p.left = series_max;
  if (status == PC_OK) status = follow_all(&p, start, sufficient);
  pc_pivoting_lu_destroy(p.pivoting);
  pc_arena_release(s->arena, mark);
  return status;
}
