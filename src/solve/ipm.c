/* Interior point method for Coulomb friction in its second-order cone form.
 *
 * With D = diag(1, mu, ... mu) the friction coefficient is scaled away: z = D r, w = D y. De
 * Saxce's term makes one cone of the two laws (De Saxce and Feng, 1998):
 *
 *     u = w + |w_F| e_N,   r and u in the cone { x_N >= |x_F| },   r o u = 0
 *
 * with the Jordan product o, whose matrix is the arrow Arw(x). Newton's method on
 *
 *     u - w - |w_F| e_N = 0,   r o u = sigma e_N,   and  y = 0 at equality nodes,
 *
 * keeps the derivative of |w_F|, G = I + e_N g' with g = w_F/|w_F|. Eliminating du = rho + G D A D
 * dr gives
 *
 *     (Arw(r) G D A D + Arw(u)) dr = kappa - Arw(r) rho
 *
 * so that the matrix has the pattern of A, and is regular for redundant contacts as well since u
 * lies inside its cone. Mehrotra's (1992) predictor and corrector use one factorisation. A contact
 * without friction has a cone of one component, and z_F = 0.
 *
 * Friction makes the problem nonmonotone: the path along which r o u vanishes may turn back, where
 * the matrix becomes singular and steps short. Then ipm_path.c follows it. The last digits come
 * from Newton's method (newton.c), which converges from a few iterations before the end. */
#include "solve/ipm.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "solve/methods.h"

/* Steps in a row that are small: there the path turns. */
static const double small_step = 0.05;
enum { SMALL_STEPS_MAX = 3 };

/* Iterations of the quick way without the residual being halved, and in all. Where many contacts
 * are on the verge of closing or slipping, the gap falls by a third in an iteration and the
 * residual as its square root. */
enum { QUICK_STAGNATION_MAX = 30, QUICK_LIMIT = 400 };

/* The same once the residual is sufficient: last digits that come this slowly are not worth a
 * factorisation each. Where nothing is on the verge, a residual is a tenth of the last one. */
enum { SUFFICIENT_STAGNATION_MAX = 3 };

/* Least centring after a predictor step of length above 0.9, above 0.5, below, and the part of the
 * step to the boundary: of a thousand random heaps this solved the most. */
static const double least_centring[] = {0.01, 0.2, 0.7};
static const double boundary_fraction = 0.9;

/* A direction that leaves more than this part of its right side is not used. */
static const double direction_error = 1e-3;

/* How far a guess is moved inside the cones, for data of order one: nearer to the boundary, the
 * first steps are short. */
static const double warm_margin = 0.01;

/* Impulses at the start, for data of order one. Where heavy bodies rest on light ones, impulses are
 * larger than what a contact's own mass and velocity give by the ratio of the masses; from below
 * they are not found. */
static const double starts[] = {1, 1e2, 1e4, 1e6};
enum { STARTS = sizeof starts / sizeof starts[0] };

/* The path is followed ever more closely, first from impulses above those of the solution: from
 * there it has few turns. Of three islands of 207 contacts in a box of spheres that nothing else
 * solves, it took 240 to 550 iterations from 3, 10, 100 and 1000, but 1000 to 2400 from 1, or did
 * not end. With large friction and drilling it is the other way round for 1 in 5 of random
 * heaps. The first two come before other starts of the quick way: of 40 islands of a heap of 200
 * discs to which the guess did not lead, they solved all, these starts none. */
static const pc_ipm_path paths[] = {{100, 0, 0.5, 400, 0},
                                    {100, 0, 0.1, 800, 0},
                                    {1, 0, 0.1, 400, 0},
                                    {100, 0, 0.02, 1600, 0},
                                    {1, 0, 0.02, 800, 0}};
enum { FIRST_PATHS = 2, PATHS = sizeof paths / sizeof paths[0] };

/* And where nothing has helped, as closely as possible and without a limit of its own. */
static const pc_ipm_path last_path = {100, 0, 0.005, INT_MAX, 0};

/* From a z that is no solution, but near to what was one: data are of order one. Of seven islands
 * of 1950 contacts of a heap of spheres whose solution has jumped, it solved six in 98 to 222
 * factorisations; with a margin of 3 and 10 four each, with 0.01 in twice as many. From the axes
 * two of them took 328 and 786. */
static const pc_ipm_path nearby_path = {0, 1, 0.5, 400, 0};

/* Newton's method is tried again when the residual has fallen by this factor since it failed. */
static const double nearer = 1e-2;
enum { FINISH_ROUNDS = 60, FINISH_STAGNATION_MAX = 6 };

/* The same along a path, where many contacts are on the verge of closing or slipping: rounds of
 * proximal problems, and from where it ended. */
enum { PROXIMAL_ROUNDS = 30, PROXIMAL_LAST_ROUNDS = 100, PROXIMAL_STAGNATION_MAX = 60 };

/* --- shared with ipm_path.c --- */

/* The entry of D: mu in the friction rows of contacts that have friction. */
static double friction_scale(const pc_island* s, int k, int i)
{
  return i > 0 && pc_ipm_cone_size(s, k) > 1 ? s->node[k].mu : 1;
}

static double length_of(int n, const double* x)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

void pc_ipm_put_answer(pc_ipm* p)
{
  pc_island* s = p->s;
  for (int k = 0; k < s->node_count; k++)
    for (int i = 0; i < pc_island_size(s, k); i++)
      s->z[s->A.row[k] + i] = friction_scale(s, k, i) * p->r[s->A.row[k] + i];
}

void pc_ipm_begin(pc_ipm* p, double start)
{
  pc_island* s = p->s;
  memset(p->r, 0, (size_t)s->row_count * sizeof(double));
  memset(p->u, 0, (size_t)s->row_count * sizeof(double));
  for (int k = 0; k < s->node_count; k++)
    if (pc_island_is_contact(s, k)) p->r[s->A.row[k]] = start;
  pc_ipm_put_answer(p);
  pc_island_dual(s);
}

void pc_ipm_evaluate(pc_ipm* p, double square)
{
  pc_island* s = p->s;
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_ipm_cone_size(s, k), at = s->A.row[k];
    if (n == 0) continue;
    double sum = square + DBL_MIN; /* at rest the derivative is zero, not none */
    for (int i = 1; i < n; i++) {
      double w = s->node[k].mu * s->y[at + i];
      p->g[at + i] = w;
      p->defect[at + i] = p->u[at + i] - w;
      sum += w * w;
    }
    double slip = n > 1 ? sqrt(sum) : 0;
    for (int i = 1; i < n; i++) p->g[at + i] /= slip;
    p->defect[at] = p->u[at] - s->y[at] - slip;
  }
}

void pc_ipm_arrow_times(int n, const double* x, const double* v, double* to)
{
  double first = 0;
  for (int i = 0; i < n; i++) first += x[i] * v[i];
  for (int i = 1; i < n; i++) to[i] = x[0] * v[i] + x[i] * v[0];
  to[0] = first;
}

/* Block row k of a contact: L A D with L = Arw(r) G D, and Arw(u) on the diagonal. Where there is
 * no friction, its rows are dr_F = 0. */
static void contact_row(pc_ipm* p, int k)
{
  pc_island* s = p->s;
  int n = pc_island_size(s, k), size = pc_ipm_cone_size(s, k), at = s->A.row[k];
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
static void equality_row(pc_ipm* p, int k)
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

int pc_ipm_factor(pc_ipm* p)
{
  pc_island* s = p->s;
  for (int k = 0; k < s->node_count; k++) {
    if (pc_island_is_contact(s, k))
      contact_row(p, k);
    else
      equality_row(p, k);
  }
  p->is_pivoted = 0;
  return pc_block_lu_factor(s->lu, &p->K, PC_PROXIMAL_ROUND_OFF) == PC_OK;
}

static double largest_of(int n, const double* x)
{
  double largest = 0;
  for (int i = 0; i < n; i++) largest = pc_larger(largest, fabs(x[i]));
  return largest;
}

/* What x leaves of K x = rhs, relative to the right side. */
static double error_of(pc_ipm* p, const double* x)
{
  int rows = p->s->row_count;
  memset(p->scratch, 0, (size_t)rows * sizeof(double));
  pc_block_matrix_times(&p->K, x, p->scratch);
  double size = largest_of(rows, p->rhs);
  for (int i = 0; i < rows; i++) p->scratch[i] -= p->rhs[i];
  return size > 0 ? largest_of(rows, p->scratch) / size : 0;
}

/* Factors the matrix with pivots from everywhere. Returns whether there are such factors. */
static int factor_with_pivoting(pc_ipm* p)
{
  if (p->is_pivoted || p->is_singular) return p->is_pivoted;
  p->is_singular = (!p->pivoting && pc_pivoting_lu_create(&p->K, &p->pivoting, NULL) != PC_OK) ||
                   pc_pivoting_lu_factor(p->pivoting, &p->K) != PC_OK;
  return p->is_pivoted = !p->is_singular;
}

/* x := K^-1 x. Near a solution with many contacts on the verge of closing or slipping the factors
 * by blocks may lose all digits: then pivots are sought beyond the blocks. */
static void solve_linear(pc_ipm* p, double* x)
{
  size_t bytes = (size_t)p->s->row_count * sizeof(double);
  memcpy(p->rhs, x, bytes);
  if (!p->is_pivoted) {
    pc_block_lu_solve(p->s->lu, x);
    if (error_of(p, x) <= direction_error || !factor_with_pivoting(p)) return;
  }
  memcpy(x, p->rhs, bytes);
  pc_pivoting_lu_solve(p->pivoting, x);
}

/* to = D A D x. */
static void multiply(pc_ipm* p, const double* x, double* to)
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

void pc_ipm_solve_direction(pc_ipm* p, const double* rho, pc_ipm_direction* to)
{
  pc_island* s = p->s;
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_ipm_cone_size(s, k), at = s->A.row[k];
    double part[PC_CONE_ROWS_MAX];
    if (n == 0) continue;
    pc_ipm_arrow_times(n, &p->r[at], &rho[at], part);
    for (int i = 0; i < n; i++) to->r[at + i] -= part[i];
    for (int i = at + n; i < s->A.row[k + 1]; i++) to->r[i] = 0;
  }
  solve_linear(p, to->r);
  multiply(p, to->r, to->u);
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_ipm_cone_size(s, k), at = s->A.row[k];
    double turn = 0;
    for (int i = 0; i < n; i++) {
      if (i > 0) turn += p->g[at + i] * to->u[at + i];
      to->u[at + i] += rho[at + i];
    }
    if (n > 0) to->u[at] += turn;
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

double pc_ipm_step_to_boundary(const pc_ipm* p, const pc_ipm_direction* along)
{
  const pc_island* s = p->s;
  double longest = INFINITY;
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_ipm_cone_size(s, k), at = s->A.row[k];
    if (n == 0) continue;
    longest = fmin(longest, step_in_cone(n, &p->r[at], &along->r[at]));
    longest = fmin(longest, step_in_cone(n, &p->u[at], &along->u[at]));
  }
  return longest;
}

void pc_ipm_move(pc_ipm* p, const pc_ipm_direction* along, double step)
{
  for (int i = 0; i < p->s->row_count; i++) {
    p->r[i] += step * along->r[i];
    p->u[i] += step * along->u[i];
  }
}

int pc_ipm_offer(pc_ipm* p, double* threshold, pc_status* status)
{
  pc_island* s = p->s;
  pc_ipm_put_answer(p);
  double residual = pc_island_offer(s, PC_METHOD_IPM);
  if (pc_island_done(s) || !isfinite(residual)) return 1;
  residual = pc_island_impulse_residual(s);
  if (residual > *threshold) return 0;
  *threshold = nearer * residual;
  *status = p->is_on_path
                ? pc_newton_solve_proximally(s, PROXIMAL_ROUNDS, PROXIMAL_ROUNDS, PC_METHOD_IPM)
                : pc_newton_solve(s, FINISH_ROUNDS, FINISH_STAGNATION_MAX, PC_METHOD_IPM);
  if (*status != PC_OK || pc_island_done(s)) return 1;
  pc_ipm_put_answer(p);
  pc_island_dual(s);
  return 0;
}

/* --- predictor and corrector --- */

typedef struct quick {
  pc_ipm* p;
  pc_ipm_direction affine, centre; /* the predictor; the direction for sigma = 1 */
  double* rho;                     /* rows */
  int small;                       /* steps in a row that were small */
} quick;

/* r . u per contact after a step along the predictor. */
static double gap_after(const quick* q, double step)
{
  const pc_ipm* p = q->p;
  const pc_island* s = p->s;
  double gap = 0;
  for (int k = 0; k < s->node_count; k++)
    for (int i = s->A.row[k]; i < s->A.row[k] + pc_ipm_cone_size(s, k); i++)
      gap += (p->r[i] + step * q->affine.r[i]) * (p->u[i] + step * q->affine.u[i]);
  return pc_larger(0, gap / s->contact_count);
}

/* The predictor, and the direction towards the centre. */
static void find_directions(quick* q)
{
  pc_ipm* p = q->p;
  pc_island* s = p->s;
  memset(q->centre.r, 0, (size_t)s->row_count * sizeof(double));
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_ipm_cone_size(s, k), at = s->A.row[k];
    for (int i = at; i < s->A.row[k + 1] && n == 0; i++) q->affine.r[i] = -s->y[i];
    if (n == 0) continue;
    pc_ipm_arrow_times(n, &p->r[at], &p->u[at], &q->affine.r[at]);
    for (int i = at; i < at + n; i++) {
      q->affine.r[i] = -q->affine.r[i];
      q->rho[i] = -p->defect[i];
    }
    q->centre.r[at] = 1;
  }
  pc_ipm_solve_direction(p, q->rho, &q->affine);
  memset(q->rho, 0, (size_t)s->row_count * sizeof(double));
  pc_ipm_solve_direction(p, q->rho, &q->centre);
}

/* One predictor and corrector. Returns 0 if it cannot go on. */
static int advance(quick* q)
{
  pc_ipm* p = q->p;
  pc_ipm_evaluate(p, 0);
  double gap = gap_after(q, 0);
  if (!(gap > 0) || !pc_ipm_factor(p)) return 0;
  find_directions(q);
  double step = fmin(1, pc_ipm_step_to_boundary(p, &q->affine)), ratio = gap_after(q, step) / gap;
  double least = least_centring[step > 0.9 ? 0 : step > 0.5 ? 1 : 2];
  double sigma = pc_larger(fmin(1, ratio * ratio * ratio), least) * gap;
  for (int i = 0; i < p->s->row_count; i++) {
    q->affine.r[i] += sigma * q->centre.r[i];
    q->affine.u[i] += sigma * q->centre.u[i];
  }
  step = fmin(1, boundary_fraction * pc_ipm_step_to_boundary(p, &q->affine));
  if (!(step > 0)) return 0;
  pc_ipm_move(p, &q->affine, step);
  q->small = step < small_step ? q->small + 1 : 0;
  return q->small < SMALL_STEPS_MAX;
}

/* u inside its cone: the dual of the present answer, with space to the boundary of at least
 * `margin` and `part` of its friction components. */
static void begin_dual(pc_ipm* p, double margin, double part)
{
  pc_island* s = p->s;
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_ipm_cone_size(s, k), at = s->A.row[k];
    if (n == 0) continue;
    for (int i = 1; i < n; i++) p->u[at + i] = s->node[k].mu * s->y[at + i];
    double length = length_of(n - 1, &p->u[at + 1]);
    p->u[at] = pc_larger(margin, (1 + part) * length);
  }
}

/* Impulses `start` on the axes of the cones, and duals well inside. */
static void begin_cold(pc_ipm* p, double start)
{
  pc_ipm_begin(p, start);
  begin_dual(p, 1, 0.5);
}

void pc_ipm_begin_warm(pc_ipm* p, const double* guess, double margin)
{
  pc_island* s = p->s;
  pc_ipm_begin(p, 0);
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_ipm_cone_size(s, k), at = s->A.row[k];
    int rows = n == 0 ? pc_island_size(s, k) : n;
    for (int i = 0; i < rows; i++) p->r[at + i] = guess[at + i] / friction_scale(s, k, i);
    if (n == 0) continue;
    p->r[at] = pc_larger(p->r[at], length_of(n - 1, &p->r[at + 1])) + margin;
  }
  pc_ipm_put_answer(p);
  pc_island_dual(s);
  begin_dual(p, 0, 0);
  for (int k = 0; k < s->node_count; k++) { /* De Saxce's term, as far as it lies in the cone */
    int n = pc_ipm_cone_size(s, k), at = s->A.row[k];
    if (n > 0) p->u[at] = p->u[at] + pc_larger(0, s->y[at]) + margin;
  }
}

static int is_finished(const pc_island* s, double sufficient)
{
  return pc_island_done(s) || s->best_residual <= sufficient;
}

/* From the start that (r, u) hold. */
static pc_status go_quickly(pc_ipm* p, double sufficient)
{
  pc_island* s = p->s;
  size_t rows = (size_t)s->row_count;
  pc_mark mark = pc_arena_mark(s->arena);
  pc_status status = PC_OK;
  double threshold = PC_IPM_NEAR, *memory = pc_arena_doubles(s->arena, 5 * rows);
  if (!memory) return PC_OUT_OF_MEMORY;
  memset(memory, 0, 5 * rows * sizeof(double));
  quick q = {.p = p,
             .affine = {memory, memory + rows},
             .centre = {memory + 2 * rows, memory + 3 * rows},
             .rho = memory + 4 * rows};
  double milestone = INFINITY;
  for (int iteration = 0, improved = 0;
       iteration < QUICK_LIMIT && s->iterations - p->first < s->max_iterations; iteration++) {
    if (pc_ipm_offer(p, &threshold, &status)) break;
    double residual = pc_island_impulse_residual(s);
    if (residual < 0.5 * milestone) {
      milestone = residual;
      improved = iteration;
    }
    int stagnation_max =
        is_finished(s, sufficient) ? SUFFICIENT_STAGNATION_MAX : QUICK_STAGNATION_MAX;
    if (iteration - improved > stagnation_max) break;
    s->iterations++;
    if (!advance(&q)) break;
  }
  pc_arena_release(s->arena, mark);
  return status;
}

/* --- all of it --- */

static pc_status prepare(pc_ipm* p, pc_island* s)
{
  size_t rows = (size_t)s->row_count, entries = pc_island_entry_count(s);
  *p = (pc_ipm){.s = s, .first = s->iterations, .K = s->A};
  p->K.value = pc_arena_doubles(s->arena, entries);
  p->r = pc_arena_doubles(s->arena, 6 * rows);
  if (!p->K.value || !p->r) return PC_OUT_OF_MEMORY;
  p->u = p->r + rows;
  p->g = p->u + rows;
  p->defect = p->g + rows;
  p->scratch = p->defect + rows;
  p->rhs = p->scratch + rows;
  return pc_island_analyse(s);
}

static int is_zero(int n, const double* x)
{
  for (int i = 0; i < n; i++)
    if (x[i] != 0) return 0;
  return 1;
}

/* From the guess, or from nothing. */
static pc_status go_from_guess(pc_ipm* p, double sufficient)
{
  pc_island* s = p->s;
  memcpy(p->scratch, s->z, (size_t)s->row_count * sizeof(double));
  if (is_zero(s->row_count, s->z))
    begin_cold(p, starts[0]);
  else
    pc_ipm_begin_warm(p, p->scratch, warm_margin);
  return go_quickly(p, sufficient);
}

/* From the guess, and from one cold start after the other. */
static pc_status go_from_starts(pc_ipm* p, double sufficient)
{
  pc_island* s = p->s;
  pc_status status = PC_OK;
  if (!is_zero(s->row_count, s->z)) status = go_from_guess(p, sufficient);
  for (int i = 0; i < STARTS && status == PC_OK && !is_finished(s, sufficient); i++) {
    begin_cold(p, starts[i]);
    status = go_quickly(p, sufficient);
  }
  return status;
}

/* Rounds up to `most` within the limit of iterations. */
static int rounds_left(const pc_ipm* p, int most)
{
  int left = p->s->max_iterations - (p->s->iterations - p->first);
  return left < most ? left : most;
}

/* Paths number `first` to `end`, each continued by proximal problems from the best answer. */
static pc_status follow_some(pc_ipm* p, double sufficient, int first, int end)
{
  pc_island* s = p->s;
  pc_status status = PC_OK;
  p->is_on_path = 1;
  for (int i = first; i < end && status == PC_OK && !is_finished(s, sufficient); i++) {
    pc_ipm_path path = paths[i];
    path.sufficient = sufficient;
    status = pc_ipm_follow_path(p, &path);
    if (status != PC_OK || pc_island_done(s) || s->best_residual == INFINITY) continue;
    pc_island_take_best(s);
    status = pc_newton_solve_proximally(s, rounds_left(p, PROXIMAL_LAST_ROUNDS),
                                        PROXIMAL_STAGNATION_MAX, PC_METHOD_IPM);
  }
  return status;
}

static pc_status follow_nearby(pc_ipm* p, double sufficient)
{
  pc_ipm_path path = nearby_path;
  path.sufficient = sufficient;
  p->is_on_path = 1;
  return pc_ipm_follow_path(p, &path);
}

static pc_status follow_first_paths(pc_ipm* p, double sufficient)
{
  return follow_some(p, sufficient, 0, FIRST_PATHS);
}

static pc_status follow_other_paths(pc_ipm* p, double sufficient)
{
  return follow_some(p, sufficient, FIRST_PATHS, PATHS);
}

static pc_status follow_to_end(pc_ipm* p, double sufficient)
{
  (void)sufficient;
  p->is_on_path = 1;
  return pc_ipm_follow_path(p, &last_path);
}

/* One of these, with what they need. */
static pc_status run(pc_island* s, int first, double sufficient,
                     pc_status (*part)(pc_ipm*, double sufficient))
{
  pc_ipm p;
  pc_mark mark = pc_arena_mark(s->arena);
  pc_status status = prepare(&p, s);
  p.first = first;
  if (status == PC_OK) status = part(&p, sufficient);
  pc_pivoting_lu_destroy(p.pivoting);
  pc_arena_release(s->arena, mark);
  return status;
}

pc_status pc_ipm_solve_from_guess(pc_island* s, int first, double sufficient)
{
  return run(s, first, sufficient, go_from_guess);
}

pc_status pc_ipm_solve_quickly(pc_island* s, int first, double sufficient)
{
  return run(s, first, sufficient, go_from_starts);
}

pc_status pc_ipm_follow_path_nearby(pc_island* s, int first, double sufficient)
{
  return run(s, first, sufficient, follow_nearby);
}

pc_status pc_ipm_follow_first_paths(pc_island* s, int first, double sufficient)
{
  return run(s, first, sufficient, follow_first_paths);
}

pc_status pc_ipm_follow_other_paths(pc_island* s, int first, double sufficient)
{
  return run(s, first, sufficient, follow_other_paths);
}

pc_status pc_ipm_follow_to_end(pc_island* s, int first)
{
  return run(s, first, 0, follow_to_end);
}
