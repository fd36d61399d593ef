/* Interior point method for Coulomb friction in its second-order cone form.
 *
 * With D = diag(1, mu, ... mu) the friction coefficient is scaled away: z = D r, w = D y. De Saxce's
 * term makes one cone of the two laws (De Saxce and Feng, 1998):
 *
 *     u = w + |w_F| e_N,   r and u in the cone { x_N >= |x_F| },   r o u = 0
 *
 * with the Jordan product o, whose matrix is the arrow Arw(x). Newton's method on
 *
 *     u - w - |w_F| e_N = 0,   r o u = sigma e_N,   and  y = 0 at equality nodes,
 *
 * keeps the derivative of |w_F|, G = I + e_N (w_F/|w_F|)'. Eliminating du = -defect + G D A dz:
 *
 *     (Arw(r) G D A D + Arw(u)) dr = sigma e_N - r o u + Arw(r) defect
 *
 * so that the matrix has the pattern of A, and is regular for redundant contacts as well since u lies inside
 * its cone. Mehrotra's (1992) predictor and corrector use one factorisation. |w_F| may be smoothed along the
 * path, sqrt(|w_F|^2 + smoothing * gap); as friction makes the problem nonmonotone, no choice of the settings
 * does for all problems, and a few are tried in turn. A contact without friction has a cone of one component,
 * and z_F = 0. */
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "solve/methods.h"

/* A way to follow the central path. */
typedef struct ipm_settings {
  int limit;        /* iterations */
  double smoothing; /* of |w_F|, in units of the gap */
  double floor[3]; /* least centring after a predictor step of length above 0.9, above 0.5, below */
  double fraction; /* of the step to the boundary */
  double start;    /* r_N and least u_N, in units of the largest load */
} ipm_settings;

static const ipm_settings tries[] = {
    {60, 0, {0.01, 0.2, 0.7}, 0.9, 1},    {80, 0.03, {0.01, 0.2, 0.7}, 0.9, 1},
    {120, 0.1, {0.01, 0.2, 0.7}, 0.9, 1}, {120, 0.03, {0.05, 0.3, 0.8}, 0.85, 1},
    {120, 0, {0.1, 0.4, 0.9}, 0.8, 1},    {100, 0.03, {0.01, 0.2, 0.7}, 0.9, 10},
};
enum { TRIES = sizeof tries / sizeof tries[0] };

/* Near enough for Newton's method: it is tried when the residual has fallen below this, and by this
 * factor once more each time that it failed. */
static const double near_solution = 1e-4, nearer = 1e-3;
enum { FINISH_ROUNDS = 8 };

/* The proximal term of equality nodes in units of the inverse mass (see newton.c). */
static const double proximal = 1e-9;
static const double rank_tolerance = 1e-13;

typedef struct ipm {
  pc_island* s;
  pc_block_matrix K;   /* the arrays of A, values of its own */
  unsigned char* late; /* nodes */
  double* r;           /* rows: D^-1 z */
  double* u;           /* rows of contacts */
  double* g;           /* friction rows of contacts: w_F / |w_F| */
  double* defect;      /* rows of contacts: u - w - |w_F| e_N */
  double* affine;      /* rows: predictor of r */
  double* centre;      /* rows: dr for sigma = 1 */
  double* A_affine;    /* rows: D A D affine */
  double* A_centre;    /* rows */
  double* du;          /* rows of contacts */
  double* scratch;     /* rows */
  double gap;          /* r . u per contact */
} ipm;

static pc_status prepare(ipm* p, pc_island* s)
{
  size_t rows = (size_t)s->row_count, nodes = (size_t)s->node_count, entries = 0;
  for (int k = 0; k < s->node_count; k++)
    for (int e = s->A.start[k]; e < s->A.start[k + 1]; e++)
      entries += (size_t)(pc_island_size(s, k) * pc_island_size(s, s->A.column[e]));
  *p = (ipm){.s = s, .K = s->A};
  p->K.value = pc_arena_doubles(s->arena, entries);
  p->late = (unsigned char*)pc_arena_ints(s->arena, nodes / sizeof(int) + 1);
  double* next = pc_arena_doubles(s->arena, 10 * rows);
  if (!p->K.value || !p->late || !next) return PC_OUT_OF_MEMORY;
  double** vectors[] = {&p->r,      &p->u,        &p->g,        &p->defect, &p->affine,
                        &p->centre, &p->A_affine, &p->A_centre, &p->du,     &p->scratch};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++, next += rows) *vectors[i] = next;
  for (int k = 0; k < s->node_count; k++) p->late[k] = (unsigned char)(!s->is_saddle || s->bare[k]);
  return pc_block_lu_analyse(s->lu, &p->K, p->late, NULL);
}

/* Rows of the cone of node k: all of a contact, or the normal one where there is no friction. */
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

/* z = D r. */
static void put_answer(ipm* p)
{
  pc_island* s = p->s;
  for (int k = 0; k < s->node_count; k++)
    for (int i = 0; i < pc_island_size(s, k); i++)
      s->z[s->A.row[k] + i] = friction_scale(s, k, i) * p->r[s->A.row[k] + i];
}

/* to = D A D x. */
static void multiply(ipm* p, const double* x, double* to)
{
  pc_island* s = p->s;
  for (int k = 0; k < s->node_count; k++)
    for (int i = s->A.row[k]; i < s->A.row[k + 1]; i++)
      p->scratch[i] = friction_scale(s, k, i - s->A.row[k]) * x[i];
  memset(to, 0, (size_t)s->row_count * sizeof(double));
  pc_block_matrix_times(&s->A, p->scratch, to);
  for (int k = 0; k < s->node_count; k++)
    for (int i = s->A.row[k]; i < s->A.row[k + 1]; i++)
      to[i] *= friction_scale(s, k, i - s->A.row[k]);
}

/* Impulses on the axes of the cones, and duals inside theirs. */
static void begin(ipm* p, double start)
{
  pc_island* s = p->s;
  memset(p->r, 0, (size_t)s->row_count * sizeof(double));
  memset(p->u, 0, (size_t)s->row_count * sizeof(double));
  for (int k = 0; k < s->node_count; k++)
    if (pc_island_is_contact(s, k)) p->r[s->A.row[k]] = start;
  put_answer(p);
  pc_island_dual(s);
  for (int k = 0; k < s->node_count; k++) {
    int n = cone_size(s, k), at = s->A.row[k];
    if (n == 0) continue;
    for (int i = 1; i < n; i++) p->u[at + i] = s->node[k].mu * s->y[at + i];
    p->u[at] = pc_larger(start, 1.5 * length_of(n - 1, &p->u[at + 1]));
  }
}

/* g, the defect and the gap at (r, u); the dual of the island is up to date. */
static void evaluate(ipm* p, double smoothing)
{
  pc_island* s = p->s;
  p->gap = 0;
  for (int k = 0; k < s->node_count; k++)
    for (int i = s->A.row[k]; i < s->A.row[k] + cone_size(s, k); i++) p->gap += p->r[i] * p->u[i];
  p->gap /= s->contact_count;
  for (int k = 0; k < s->node_count; k++) {
    int n = cone_size(s, k), at = s->A.row[k];
    if (n == 0) continue;
    double square = 0;
    for (int i = 1; i < n; i++) {
      double w = s->node[k].mu * s->y[at + i];
      p->g[at + i] = w;
      p->defect[at + i] = p->u[at + i] - w;
      square += w * w;
    }
    double slip = n > 1 ? sqrt(square + smoothing * p->gap + DBL_MIN) : 0;
    for (int i = 1; i < n; i++) p->g[at + i] /= slip;
    p->defect[at] = p->u[at] - s->y[at] - slip;
  }
}

/* to = Arw(x) v. */
static void arrow_times(int n, const double* x, const double* v, double* to)
{
  double first = 0;
  for (int i = 0; i < n; i++) first += x[i] * v[i];
  for (int i = 1; i < n; i++) to[i] = x[0] * v[i] + x[i] * v[0];
  to[0] = first;
}

/* Block row k of a contact: L A D with L = Arw(r) G D, and Arw(u) on the diagonal. Where there is no
 * friction, its rows are dr_F = 0. */
static void contact_row(ipm* p, int k)
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

static void equality_row(ipm* p, int k)
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
  for (int i = 0; i < n; i++) diagonal[i * n + i] += proximal / s->mass[k];
}

/* The predictor, and the direction towards the centre, with one factorisation. */
static int find_directions(ipm* p)
{
  pc_island* s = p->s;
  memset(p->centre, 0, (size_t)s->row_count * sizeof(double));
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_island_size(s, k), size = cone_size(s, k), at = s->A.row[k];
    if (size == 0) {
      equality_row(p, k);
      for (int i = at; i < at + n; i++) p->affine[i] = -s->y[i];
      continue;
    }
    contact_row(p, k);
    /* Arw(r) (defect - u), since r o u = Arw(r) u */
    double rest[PC_CONE_ROWS_MAX];
    for (int i = 0; i < size; i++) rest[i] = p->defect[at + i] - p->u[at + i];
    arrow_times(size, &p->r[at], rest, &p->affine[at]);
    for (int i = size; i < n; i++) p->affine[at + i] = 0;
    p->centre[at] = 1;
  }
  if (pc_block_lu_factor(s->lu, &p->K, rank_tolerance) != PC_OK) return 0;
  pc_block_lu_solve(s->lu, p->affine);
  pc_block_lu_solve(s->lu, p->centre);
  multiply(p, p->affine, p->A_affine);
  multiply(p, p->centre, p->A_centre);
  return 1;
}

/* du = -defect + G (D A D) (affine + sigma centre). */
static void follow(ipm* p, double sigma)
{
  pc_island* s = p->s;
  for (int k = 0; k < s->node_count; k++) {
    int size = cone_size(s, k), at = s->A.row[k];
    double turn = 0;
    for (int i = 0; i < size; i++) {
      double w = p->A_affine[at + i] + sigma * p->A_centre[at + i];
      p->du[at + i] = w - p->defect[at + i];
      if (i > 0) turn += p->g[at + i] * w;
    }
    if (size > 0) p->du[at] += turn;
  }
}

/* The longest step from x along dx within the cone of n components; x lies inside. */
static double step_in_cone(int n, const double* x, const double* dx)
{
  double longest = dx[0] < 0 ? -x[0] / dx[0] : INFINITY;
  if (n == 1) return longest;
  double a = dx[0] * dx[0], b = x[0] * dx[0], c = x[0] * x[0];
  for (int i = 1; i < n; i++) {
    a -= dx[i] * dx[i];
    b -= x[i] * dx[i];
    c -= x[i] * x[i];
  }
  /* a t^2 + 2 b t + c = 0, written so that nothing cancels */
  double discriminant = b * b - a * c;
  if (!(discriminant >= 0)) return longest;
  double q = -(b + (b > 0 ? sqrt(discriminant) : -sqrt(discriminant)));
  double roots[2] = {a != 0 ? q / a : INFINITY, q != 0 ? c / q : INFINITY};
  for (int i = 0; i < 2; i++)
    if (roots[i] > 0 && roots[i] < longest) longest = roots[i];
  return longest;
}

/* The longest step of r along dr and of u along du within all cones. */
static double step_to_boundary(const ipm* p, const double* dr)
{
  const pc_island* s = p->s;
  double longest = INFINITY;
  for (int k = 0; k < s->node_count; k++) {
    int n = cone_size(s, k), at = s->A.row[k];
    if (n == 0) continue;
    longest = fmin(longest, step_in_cone(n, &p->r[at], &dr[at]));
    longest = fmin(longest, step_in_cone(n, &p->u[at], &p->du[at]));
  }
  return longest;
}

/* The gap after a predictor step of length `step`. */
static double gap_after(const ipm* p, double step)
{
  const pc_island* s = p->s;
  double gap = 0;
  for (int k = 0; k < s->node_count; k++)
    for (int i = s->A.row[k]; i < s->A.row[k] + cone_size(s, k); i++)
      gap += (p->r[i] + step * p->affine[i]) * (p->u[i] + step * p->du[i]);
  return pc_larger(0, gap / s->contact_count);
}

/* One predictor and corrector; the dual of the island is up to date. Returns 0 if it cannot go on. */
static int advance(ipm* p, const ipm_settings* settings)
{
  pc_island* s = p->s;
  evaluate(p, settings->smoothing);
  if (!(p->gap > 0) || !find_directions(p)) return 0;
  follow(p, 0);
  double step = fmin(1, step_to_boundary(p, p->affine)), ratio = gap_after(p, step) / p->gap;
  double least = settings->floor[step > 0.9 ? 0 : step > 0.5 ? 1 : 2];
  double sigma = pc_larger(fmin(1, ratio * ratio * ratio), least) * p->gap;

  for (int i = 0; i < s->row_count; i++) p->affine[i] += sigma * p->centre[i];
  follow(p, sigma);
  step = fmin(1, settings->fraction * step_to_boundary(p, p->affine));
  if (!(step > 0)) return 0;
  for (int i = 0; i < s->row_count; i++) p->r[i] += step * p->affine[i];
  for (int k = 0; k < s->node_count; k++)
    for (int i = s->A.row[k]; i < s->A.row[k] + cone_size(s, k); i++) p->u[i] += step * p->du[i];
  return 1;
}

/* Newton's method from the present answer, which is left as it is. */
static pc_status finish(ipm* p)
{
  pc_island* s = p->s;
  pc_status status = pc_newton_solve(s, FINISH_ROUNDS, PC_METHOD_IPM);
  put_answer(p);
  return status;
}

static pc_status attempt(ipm* p, const ipm_settings* settings)
{
  pc_island* s = p->s;
  double threshold = near_solution;
  begin(p, settings->start);
  for (int iteration = 0; iteration < settings->limit; iteration++) {
    put_answer(p);
    double residual = pc_island_offer(s, PC_METHOD_IPM);
    if (pc_island_done(s) || !isfinite(residual)) break;
    if (residual <= threshold) {
      if (finish(p) != PC_OK) return PC_OUT_OF_MEMORY;
      if (pc_island_done(s)) break;
      pc_island_dual(s);
      threshold = nearer * residual;
    }
    s->iterations++;
    if (!advance(p, settings)) break;
  }
  return PC_OK;
}

pc_status pc_ipm_solve(pc_island* s)
{
  ipm p;
  pc_mark mark = pc_arena_mark(s->arena);
  pc_status status = prepare(&p, s);
  for (int i = 0; i < TRIES && status == PC_OK && !pc_island_done(s); i++)
    status = attempt(&p, &tries[i]);
  pc_arena_release(s->arena, mark);
  return status;
}
