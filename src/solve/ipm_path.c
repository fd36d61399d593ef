/* The central path, followed round its turning points.
 *
 * From a start x_0 = (r_0, u_0) inside the cones the equations of ipm.c are deformed by a parameter
 * t from 1 to 0,
 *
 *     H(x, t):   u - w - |w_F|_t e_N = t d_0,   r o u = t c_0,   y = t y_0 at equality nodes,
 *
 * with d_0, c_0, y_0 such that x_0 solves them for t = 1, and |w_F|_t = sqrt(|w_F|^2 + (gap_0
 * t)^2). The zeros of H are a smooth curve that leads from x_0 to a solution. It may turn back in
 * t, so it is followed by its arc length (Allgower and Georg, 1990), with ln t as the last
 * coordinate and each contact measured relative to its r_N and u_N. A step is a predictor along the
 * tangent, then correctors in the plane at right angles to it until the iterate is close to the
 * curve again; if they do not get there, the step is taken back and shortened.
 *
 * Which way is forward is told by the sign of the determinant of H_x: t falls where it is what it
 * was at the start and rises where it is the opposite. So an iterate that has jumped from one
 * branch of a turn to the other still goes the right way.
 *
 * The start is on the axes of the cones, or an answer that is near to what was a solution before
 * the problem changed, moved inside the cones: then the curve leads past the place where that
 * solution has ceased to exist to the next one. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/larger.h"
#include "solve/ipm.h"

/* Farther from the curve than this, relative to the gap, a corrector is not expected to return. */
static const double lost = 0.9;

enum { CORRECTORS_MAX = 6, CORRECTORS_FEW = 1, CORRECTORS_MANY = 3 };

/* Arc length of the first step and of the longest and the shortest one; growth and reduction of
 * steps. */
static const double first_step = 0.5, longest_step = 2, shortest_step = 1e-4;
static const double growth = 1.5, reduction = 0.7, taken_back = 0.4;

/* Part of the step to the boundary of the cones. */
static const double boundary_fraction = 0.8;

/* Beyond this t the curve does not come back: it starts at 1. */
static const double t_max = 10;

/* A point of the curve with its tangent. */
typedef struct point {
  double *r, *u; /* rows */
  double t;
  pc_ipm_direction tangent;
  double tangent_t; /* of ln t */
} point;

typedef struct path {
  pc_ipm* p;
  double *d_0, *c_0, *y_0;           /* rows */
  double gap_0;                      /* the mean of (r o u)_N at the start */
  double d_size;                     /* the largest of d_0 */
  double* rho;                       /* rows */
  pc_ipm_direction along, corrector; /* dx / d ln t; towards the curve at fixed t */
  pc_ipm_direction tangent;
  double t, tangent_t;
  point kept; /* where the last step began */
  double step;
  double closeness;
  int correctors; /* since the last predictor */
  int has_stepped;
  int first_sign; /* of the determinant at the start */
} path;

static pc_status allocate(path* c, pc_ipm* p)
{
  size_t rows = (size_t)p->s->row_count;
  *c = (path){.p = p, .t = 1, .tangent_t = -1, .step = first_step};
  double** vectors[] = {&c->d_0,
                        &c->c_0,
                        &c->y_0,
                        &c->rho,
                        &c->along.r,
                        &c->along.u,
                        &c->corrector.r,
                        &c->corrector.u,
                        &c->tangent.r,
                        &c->tangent.u,
                        &c->kept.r,
                        &c->kept.u,
                        &c->kept.tangent.r,
                        &c->kept.tangent.u};
  size_t count = sizeof vectors / sizeof vectors[0];
  double* memory = pc_arena_doubles(p->s->arena, count * rows);
  if (!memory) return PC_OUT_OF_MEMORY;
  memset(memory, 0, count * rows * sizeof(double));
  for (size_t i = 0; i < count; i++) *vectors[i] = memory + i * rows;
  return PC_OK;
}

static void copy(const path* c, const double* from, double* to)
{
  memcpy(to, from, (size_t)c->p->s->row_count * sizeof(double));
}

/* The square of what smooths |w_F| at t. */
static double smoothing(const path* c)
{
  return c->gap_0 * c->t * c->gap_0 * c->t;
}

/* r and u on the axes of the cones, with impulses `start`. */
static void begin_on_axes(path* c, double start)
{
  pc_ipm* p = c->p;
  pc_island* s = p->s;
  double top = 1;
  pc_ipm_begin(p, start);
  for (int k = 0; k < s->node_count; k++)
    for (int i = s->A.row[k]; i < s->A.row[k] + pc_ipm_cone_size(s, k); i++)
      top = pc_larger(top, 1.5 * fabs(s->y[i]));
  for (int k = 0; k < s->node_count; k++)
    if (pc_island_is_contact(s, k)) p->u[s->A.row[k]] = top;
}

/* r and u from z and its dual, moved inside the cones. */
static void begin_nearby(path* c, double margin)
{
  copy(c, c->p->s->z, c->rho);
  pc_ipm_begin_warm(c->p, c->rho, margin);
}

/* What the start leaves of the equations: c_0 and the mean of its normal components, d_0, y_0. */
static void begin(path* c, const pc_ipm_path* how)
{
  pc_ipm* p = c->p;
  pc_island* s = p->s;
  if (how->start > 0)
    begin_on_axes(c, how->start);
  else
    begin_nearby(c, how->margin);
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_ipm_cone_size(s, k), at = s->A.row[k];
    if (n == 0) continue;
    pc_ipm_arrow_times(n, &p->r[at], &p->u[at], &c->c_0[at]);
    c->gap_0 += c->c_0[at] / s->contact_count;
  }
  pc_ipm_evaluate(p, smoothing(c));
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_ipm_cone_size(s, k), at = s->A.row[k];
    for (int i = at; i < s->A.row[k + 1] && n == 0; i++) c->y_0[i] = s->y[i];
    for (int i = at; i < at + n; i++) {
      c->d_0[i] = p->defect[i];
      c->d_size = pc_larger(c->d_size, fabs(p->defect[i]));
    }
  }
}

/* The residual of H at the present point: right sides of the corrector. Returns how far the point
 * is from the curve, relative to the gap. */
static double evaluate(path* c)
{
  pc_ipm* p = c->p;
  pc_island* s = p->s;
  double distance = 0, t = c->t;
  pc_ipm_evaluate(p, smoothing(c));
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_ipm_cone_size(s, k), at = s->A.row[k];
    double* kappa = &c->corrector.r[at];
    for (int i = 0; i < pc_island_size(s, k) && n == 0; i++)
      kappa[i] = t * c->y_0[at + i] - s->y[at + i];
    if (n == 0) continue;
    pc_ipm_arrow_times(n, &p->r[at], &p->u[at], kappa);
    for (int i = 0; i < n; i++) {
      kappa[i] = t * c->c_0[at + i] - kappa[i];
      c->rho[at + i] = t * c->d_0[at + i] - p->defect[at + i];
      distance = pc_larger(distance, fabs(kappa[i]) / (t * c->gap_0));
      distance = pc_larger(distance, fabs(c->rho[at + i]) / (t * c->d_size));
    }
  }
  return distance;
}

/* The corrector at fixed t, and how the curve moves with ln t. */
static void find_directions(path* c)
{
  pc_ipm* p = c->p;
  pc_island* s = p->s;
  double t = c->t;
  pc_ipm_solve_direction(p, c->rho, &c->corrector);
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_ipm_cone_size(s, k), at = s->A.row[k];
    for (int i = at; i < s->A.row[k + 1]; i++) {
      c->along.r[i] = t * (n == 0 ? c->y_0[i] : c->c_0[i]);
      c->rho[i] = t * c->d_0[i];
    }
    if (n < 2) continue;
    /* t d|w_F|_t / dt = (gap_0 t)^2 / |w_F|_t, with |w_F|_t as it is in the defect */
    double slip = p->u[at] - s->y[at] - p->defect[at];
    c->rho[at] += smoothing(c) / slip;
  }
  pc_ipm_solve_direction(p, c->rho, &c->along);
}

/* The inner product of two directions, relative to r_N and u_N, per contact. */
static double inner(const path* c, const pc_ipm_direction* a, const pc_ipm_direction* b)
{
  const pc_ipm* p = c->p;
  const pc_island* s = p->s;
  double sum = 0;
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_ipm_cone_size(s, k), at = s->A.row[k];
    double in_r = 0, in_u = 0;
    for (int i = at; i < at + n; i++) {
      in_r += a->r[i] * b->r[i];
      in_u += a->u[i] * b->u[i];
    }
    if (n > 0) sum += in_r / (p->r[at] * p->r[at]) + in_u / (p->u[at] * p->u[at]);
  }
  return sum / s->contact_count;
}

static void keep(path* c)
{
  copy(c, c->p->r, c->kept.r);
  copy(c, c->p->u, c->kept.u);
  copy(c, c->tangent.r, c->kept.tangent.r);
  copy(c, c->tangent.u, c->kept.tangent.u);
  c->kept.t = c->t;
  c->kept.tangent_t = c->tangent_t;
}

/* To where the last step began, to try a shorter one. */
static void go_back(path* c)
{
  copy(c, c->kept.r, c->p->r);
  copy(c, c->kept.u, c->p->u);
  copy(c, c->kept.tangent.r, c->tangent.r);
  copy(c, c->kept.tangent.u, c->tangent.u);
  c->t = c->kept.t;
  c->tangent_t = c->kept.tangent_t;
  c->step *= taken_back;
  c->correctors = 0;
  c->has_stepped = 0;
}

/* The tangent at a point of the curve, forward, and the length of the next step. */
static void turn_forward(path* c)
{
  int sign = pc_block_lu_determinant_sign(c->p->s->lu);
  if (c->first_sign == 0) c->first_sign = sign;
  double length = sqrt(inner(c, &c->along, &c->along) + 1);
  double factor = (sign == c->first_sign ? -1 : 1) / length;
  for (int i = 0; i < c->p->s->row_count; i++) {
    c->tangent.r[i] = factor * c->along.r[i];
    c->tangent.u[i] = factor * c->along.u[i];
  }
  c->tangent_t = factor;
  if (c->has_stepped && c->correctors <= CORRECTORS_FEW) c->step *= growth;
  if (c->has_stepped && c->correctors >= CORRECTORS_MANY) c->step *= reduction;
  c->step = fmin(c->step, longest_step);
}

/* Moves by `length` along the tangent, and onto the curve as far as the linear equations tell. */
static void move(path* c, double length)
{
  pc_ipm* p = c->p;
  double onto = inner(c, &c->corrector, &c->tangent), along = inner(c, &c->along, &c->tangent);
  double change = (length - onto) / (along + c->tangent_t); /* of ln t */
  for (int i = 0; i < p->s->row_count; i++) {
    c->corrector.r[i] += change * c->along.r[i];
    c->corrector.u[i] += change * c->along.u[i];
  }
  double part = fmin(1, boundary_fraction * pc_ipm_step_to_boundary(p, &c->corrector));
  if (length > 0) {
    if (fabs(part * change) > longest_step) part = longest_step / fabs(change);
    c->step *= part;
  }
  pc_ipm_move(p, &c->corrector, part);
  c->t *= pc_exp(part * change);
}

/* One factorisation: a predictor where the point is close to the curve, else a corrector. Returns 0
 * if it cannot go on. */
static int advance(path* c)
{
  double distance = evaluate(c);
  if (c->first_sign != 0 && (!(distance <= lost) || c->correctors > CORRECTORS_MAX)) {
    go_back(c);
    pc_ipm_put_answer(c->p);
    pc_island_dual(c->p->s);
    return c->step >= shortest_step;
  }
  if (!(c->t < t_max) || !pc_ipm_factor(c->p)) return 0;
  find_directions(c);
  if (distance > c->closeness) {
    c->correctors++;
    move(c, 0);
    return 1;
  }
  keep(c);
  turn_forward(c);
  c->correctors = 0;
  c->has_stepped = 1;
  move(c, c->step);
  return 1;
}

pc_status pc_ipm_follow_path(pc_ipm* p, const pc_ipm_path* how)
{
  path c;
  pc_island* s = p->s;
  pc_mark mark = pc_arena_mark(s->arena);
  pc_status status = allocate(&c, p);
  double threshold = PC_IPM_NEAR;
  c.closeness = how->closeness;
  if (status == PC_OK) begin(&c, how);
  for (int iteration = 0;
       iteration < how->limit && s->iterations - p->first < s->max_iterations && status == PC_OK;
       iteration++) {
    if (pc_ipm_offer(p, &threshold, &status) || s->best_residual <= how->sufficient) break;
    s->iterations++;
    if (!advance(&c)) break;
  }
  pc_arena_release(s->arena, mark);
  return status;
}
