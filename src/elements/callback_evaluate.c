/* Evaluating an element of user code, with central differences for what it does not give.
 *
 * The step of a difference is cbrt(eps) of the size of the coordinate (at least 1), which balances
 * truncation and rounding: an error near 1e-10 of the term. Where W itself comes from differences
 * of y, W_q is a difference of differences, with steps of eps^(1/4) and an error near 1e-7. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/larger.h"
#include "base/memory.h"
#include "elements/callback.h"

typedef struct scratch {
  double *q, *u;      /* a neighbouring point */
  double *high, *low; /* a term on its two sides; high becomes the difference quotient */
  /* For W from y: */
  double* near;           /* a neighbouring q */
  double *y_high, *y_low; /* rows */
  double* y_q;            /* rows x n_q */
  double* B;              /* of one part */
  double *zero, *beta;    /* of one part: no velocity, and q' then */
  /* For the momentum: */
  double *M, *q_dot, *Mu_q; /* n_u x n_u; n_q; n_u x n_q */
  double step, y_step;      /* relative steps of differences, of a term and of y */
  double memory[];
} scratch;

static size_t larger(size_t a, size_t b)
{
  return a > b ? a : b;
}

pc_status pc_callback_prepare(const void* data, unsigned mask, void** work)
{
  (void)mask;
  const pc_callback* c = data;
  size_t n_q = (size_t)c->n_q, n_u = (size_t)c->n_u, rows = (size_t)c->rows;
  size_t most = larger(larger(n_u * n_u, 2), rows * n_u + rows);
  size_t total = 4 * n_q + 3 * n_u + 2 * most + 2 * rows + rows * n_q + 2 * n_q * n_u + n_u * n_u;
  scratch* s = pc_alloc(1, sizeof *s + total * sizeof *s->memory);
  if (!s) return PC_OUT_OF_MEMORY;
  double* next = s->memory;
  const struct {
    double** array;
    size_t count;
  } layout[] = {{&s->q, n_q},       {&s->u, n_u},         {&s->high, most},  {&s->low, most},
                {&s->near, n_q},    {&s->y_high, rows},   {&s->y_low, rows}, {&s->y_q, rows * n_q},
                {&s->B, n_q * n_u}, {&s->zero, n_u},      {&s->beta, n_q},   {&s->M, n_u * n_u},
                {&s->q_dot, n_q},   {&s->Mu_q, n_u * n_q}};
  for (size_t i = 0; i < sizeof layout / sizeof *layout; i++) {
    *layout[i].array = next;
    next += layout[i].count;
  }
  *work = s;
  return PC_OK;
}

void pc_callback_release(void* work)
{
  free(work);
}

static void clear(double* x, int count)
{
  memset(x, 0, (size_t)count * sizeof *x);
}

/* ---- W from differences of y ---------------------------------------------------------------- */

static double step_at(double x, double relative)
{
  return relative * fmax(1, fabs(x));
}

static void compute_y(const pc_callback* c, double t, const double* q, double* y)
{
  clear(y, c->rows);
  c->f.y(c->f.user, t, q, y);
}

static void compute_y_q(const pc_callback* c, scratch* s, double t, const double* q)
{
  memcpy(s->near, q, (size_t)c->n_q * sizeof *q);
  for (int k = 0; k < c->n_q; k++) {
    double high = q[k] + step_at(q[k], s->y_step), low = q[k] - step_at(q[k], s->y_step);
    s->near[k] = high;
    compute_y(c, t, s->near, s->y_high);
    s->near[k] = low;
    compute_y(c, t, s->near, s->y_low);
    s->near[k] = q[k];
    for (int r = 0; r < c->rows; r++)
      s->y_q[r * c->n_q + k] = (s->y_high[r] - s->y_low[r]) / (high - low);
  }
}

/* W = y_q B and chi += y_q beta, part by part. */
static void add_part_rows(const pc_callback* c, scratch* s, const pc_callback_part* p, double t,
                          const double* q, double* W, double* chi)
{
  int plain = !p->kinematics.B;
  if (!plain) {
    clear(s->B, p->q_count * p->u_count);
    p->kinematics.B(p->user, t, q + p->q_first, s->B);
    p->kinematics.q_dot(p->user, t, q + p->q_first, s->zero, s->beta);
  }
  for (int r = 0; r < c->rows; r++) {
    const double* y_q = s->y_q + r * c->n_q + p->q_first;
    double* w = W + r * c->n_u + p->u_first;
    for (int j = 0; j < p->u_count; j++) {
      w[j] = plain ? y_q[j] : 0;
      for (int i = 0; !plain && i < p->q_count; i++) w[j] += y_q[i] * s->B[i * p->u_count + j];
    }
    for (int i = 0; !plain && i < p->q_count; i++) chi[r] += y_q[i] * s->beta[i];
  }
}

static void compute_W(const pc_callback* c, scratch* s, double t, const double* q, double* W,
                      double* chi)
{
  clear(W, c->rows * c->n_u);
  clear(chi, c->rows);
  if (c->f.W) {
    c->f.W(c->f.user, t, q, W, chi);
    return;
  }
  double high = t + step_at(t, s->y_step), low = t - step_at(t, s->y_step);
  compute_y(c, high, q, s->y_high);
  compute_y(c, low, q, s->y_low);
  for (int r = 0; r < c->rows; r++) chi[r] = (s->y_high[r] - s->y_low[r]) / (high - low);
  compute_y_q(c, s, t, q);
  for (int i = 0; i < c->part_count; i++) add_part_rows(c, s, &c->part[i], t, q, W, chi);
}

/* ---- the rate of the momentum ---------------------------------------------------------------- */

/* out += factor M(t + time, q + time q') u */
static void add_momentum(const pc_callback* c, scratch* s, double t, const double* q, double time,
                         int moves, const double* u, double factor, double* out)
{
  int n = c->n_u;
  for (int k = 0; k < c->n_q; k++) s->near[k] = q[k] + (moves ? time * s->q_dot[k] : 0);
  clear(s->M, n * n);
  c->f.M(c->f.user, t + time, s->near, s->M);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) out[j] += factor * s->M[j * n + i] * u[i];
}

/* What M u gains in a unit of time while u stays: the part of (M u)' that h of M u' = h leaves out.
 * By Ma_q where the caller gives it; else by a difference of fourth order along the motion, good to
 * 1e-12. */
static void add_rate(const pc_callback* c, scratch* s, double t, const double* q, const double* u,
                     double* out)
{
  const double step = 1e-4;
  double fastest = 1 / fmax(1, fabs(t));
  for (int i = 0; i < c->part_count; i++) {
    const pc_callback_part* p = &c->part[i];
    if (p->kinematics.q_dot)
      p->kinematics.q_dot(p->user, t, q + p->q_first, u + p->u_first, s->q_dot + p->q_first);
    else
      memcpy(s->q_dot + p->q_first, u + p->u_first, (size_t)p->q_count * sizeof *u);
  }
  int moves = !c->f.Ma_q;
  for (int k = 0; moves && k < c->n_q; k++)
    fastest = pc_larger(fastest, fabs(s->q_dot[k]) / pc_larger(1, fabs(q[k])));
  double time = step / fastest;
  for (int k = -2; k <= 2; k++)
    if (k != 0)
      add_momentum(c, s, t, q, k * time, moves, u,
                   (k % 2 ? 8 : -1) * (k > 0 ? 1 : -1) / (12 * time), out);
  if (moves) return;
  clear(s->Mu_q, c->n_u * c->n_q);
  c->f.Ma_q(c->f.user, t, q, u, s->Mu_q);
  for (int j = 0; j < c->n_u; j++)
    for (int k = 0; k < c->n_q; k++) out[j] += s->Mu_q[j * c->n_q + k] * s->q_dot[k];
}

/* ---- differences of a term ------------------------------------------------------------------- */

/* A term at a point. */
typedef void term_fn(const pc_callback* c, scratch* s, const pc_local* l, double t, const double* q,
                     const double* u, double* out);

static void term_h(const pc_callback* c, scratch* s, const pc_local* l, double t, const double* q,
                   const double* u, double* out)
{
  (void)s, (void)l;
  clear(out, c->n_u);
  if (c->f.h) c->f.h(c->f.user, t, q, u, out);
}

static void term_rate(const pc_callback* c, scratch* s, const pc_local* l, double t,
                      const double* q, const double* u, double* out)
{
  (void)l;
  clear(out, c->n_u);
  add_rate(c, s, t, q, u, out);
}

static void term_M(const pc_callback* c, scratch* s, const pc_local* l, double t, const double* q,
                   const double* u, double* out)
{
  (void)s, (void)l, (void)u;
  clear(out, c->n_u * c->n_u);
  c->f.M(c->f.user, t, q, out);
}

/* W, then chi */
static void term_W(const pc_callback* c, scratch* s, const pc_local* l, double t, const double* q,
                   const double* u, double* out)
{
  (void)l, (void)u;
  compute_W(c, s, t, q, out, out + c->rows * c->n_u);
}

/* The quotient of the two sides, in s->high. */
static const double* quotient(scratch* s, int count, double width)
{
  for (int i = 0; i < count; i++) s->high[i] = (s->high[i] - s->low[i]) / width;
  return s->high;
}

static const double* slope_q(const pc_callback* c, scratch* s, const pc_local* l, term_fn* term,
                             int count, int k)
{
  memcpy(s->q, l->q, (size_t)c->n_q * sizeof *s->q);
  double high = l->q[k] + step_at(l->q[k], s->step), low = l->q[k] - step_at(l->q[k], s->step);
  s->q[k] = high;
  term(c, s, l, l->t, s->q, l->u, s->high);
  s->q[k] = low;
  term(c, s, l, l->t, s->q, l->u, s->low);
  return quotient(s, count, high - low);
}

static const double* slope_u(const pc_callback* c, scratch* s, const pc_local* l, term_fn* term,
                             int count, int k)
{
  memcpy(s->u, l->u, (size_t)c->n_u * sizeof *s->u);
  double high = l->u[k] + step_at(l->u[k], s->step), low = l->u[k] - step_at(l->u[k], s->step);
  s->u[k] = high;
  term(c, s, l, l->t, l->q, s->u, s->high);
  s->u[k] = low;
  term(c, s, l, l->t, l->q, s->u, s->low);
  return quotient(s, count, high - low);
}

static const double* slope_t(const pc_callback* c, scratch* s, const pc_local* l, term_fn* term,
                             int count)
{
  double high = l->t + step_at(l->t, s->step), low = l->t - step_at(l->t, s->step);
  term(c, s, l, high, l->q, l->u, s->high);
  term(c, s, l, low, l->q, l->u, s->low);
  return quotient(s, count, high - low);
}

/* to (n_u x n_q) += d term/dq, to (n_u x n_u) += d term/du */
static void add_slopes_q(const pc_callback* c, scratch* s, const pc_local* l, term_fn* term,
                         double* to)
{
  for (int k = 0; k < c->n_q; k++) {
    const double* slope = slope_q(c, s, l, term, c->n_u, k);
    for (int j = 0; j < c->n_u; j++) to[j * c->n_q + k] += slope[j];
  }
}

static void add_slopes_u(const pc_callback* c, scratch* s, const pc_local* l, term_fn* term,
                         double* to)
{
  for (int k = 0; k < c->n_u; k++) {
    const double* slope = slope_u(c, s, l, term, c->n_u, k);
    for (int j = 0; j < c->n_u; j++) to[j * c->n_u + k] += slope[j];
  }
}

/* ---- terms ---------------------------------------------------------------------------------- */

/* Ma_q (n_u x n_q) = d(M a)/dq */
static void compute_Ma_q(const pc_callback* c, scratch* s, const pc_local* l, const double* a,
                         double* Ma_q)
{
  int n_q = c->n_q, n_u = c->n_u;
  clear(Ma_q, n_u * n_q);
  if (c->f.Ma_q) {
    c->f.Ma_q(c->f.user, l->t, l->q, a, Ma_q);
    return;
  }
  for (int k = 0; k < n_q; k++) {
    const double* M_k = slope_q(c, s, l, term_M, n_u * n_u, k);
    for (int j = 0; j < n_u; j++)
      for (int i = 0; i < n_u; i++) Ma_q[j * n_q + k] += M_k[j * n_u + i] * a[i];
  }
}

static void evaluate_mass(const pc_callback* c, scratch* s, pc_local* l)
{
  if (l->M) term_M(c, s, l, l->t, l->q, l->u, l->M);
  if (l->Ma_q) compute_Ma_q(c, s, l, l->a, l->Ma_q);
  if (l->p_q) compute_Ma_q(c, s, l, l->u, l->p_q);
  if (l->p) add_momentum(c, s, l->t, l->q, 0, 0, l->u, 1, l->p);
}

static void evaluate_forces(const pc_callback* c, scratch* s, pc_local* l)
{
  int n_q = c->n_q, n_u = c->n_u;
  if (l->h && c->f.h) c->f.h(c->f.user, l->t, l->q, l->u, l->h);
  if (l->f) c->f.h(c->f.user, l->t, l->q, l->u, l->f);
  if (l->h_q) clear(l->h_q, n_u * n_q);
  if (l->h_q && c->f.h_q)
    c->f.h_q(c->f.user, l->t, l->q, l->u, l->h_q);
  else if (l->h_q && c->f.h)
    add_slopes_q(c, s, l, term_h, l->h_q);
  if (l->h_u) clear(l->h_u, n_u * n_u);
  if (l->h_u && c->f.h_u)
    c->f.h_u(c->f.user, l->t, l->q, l->u, l->h_u);
  else if (l->h_u && c->f.h)
    add_slopes_u(c, s, l, term_h, l->h_u);
}

/* What makes the force of (M u)' = h of that of M u' = h. */
static void evaluate_rate(const pc_callback* c, scratch* s, pc_local* l)
{
  if (l->h) add_rate(c, s, l->t, l->q, l->u, l->h);
  double step = s->step;
  s->step = sqrt(sqrt(DBL_EPSILON)); /* of slopes of the rate, which is a difference itself */
  if (l->h_q) add_slopes_q(c, s, l, term_rate, l->h_q);
  if (l->h_u) add_slopes_u(c, s, l, term_rate, l->h_u);
  s->step = step;
}

static void term_energy(const pc_callback* c, scratch* s, const pc_local* l, double t,
                        const double* q, const double* u, double* energy)
{
  (void)s;
  (void)l;
  clear(energy, 2);
  c->f.energy(c->f.user, t, q, u, energy);
}

/* The energies of the caller, and what time alone does to them; without them the kinetic energy
 * u'Mu/2 that goes with M. */
static void evaluate_energy(const pc_callback* c, scratch* s, pc_local* l)
{
  if (c->f.energy) {
    c->f.energy(c->f.user, l->t, l->q, l->u, l->energy);
    const double* rate = slope_t(c, s, l, term_energy, 2);
    l->energy[2] = rate[1] - rate[0];
    return;
  }
  int n = c->n_u;
  term_M(c, s, l, l->t, l->q, l->u, s->low);
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) l->energy[0] += l->u[j] * s->low[j * n + k] * l->u[k] / 2;
}

/* W_q, chi_q, W_t and zeta_t. The caller gives W_q at most: the others are differences always. */
static void evaluate_row_slopes(const pc_callback* c, scratch* s, pc_local* l)
{
  int n_q = c->n_q, n_u = c->n_u, entries = c->rows * n_u;
  if (!c->f.W) s->step = s->y_step = sqrt(sqrt(DBL_EPSILON));
  for (int k = 0; k < n_q; k++) {
    const double* slope = slope_q(c, s, l, term_W, entries + c->rows, k);
    for (int i = 0; i < entries; i++) l->W_q[i * n_q + k] = slope[i];
    for (int r = 0; r < c->rows; r++) l->chi_q[r * n_q + k] = slope[entries + r];
  }
  if (c->f.W_q) {
    clear(l->W_q, entries * n_q);
    c->f.W_q(c->f.user, l->t, l->q, l->W_q);
  }
  const double* slope = slope_t(c, s, l, term_W, entries + c->rows);
  for (int r = 0; r < c->rows; r++) {
    l->zeta_t[r] = slope[entries + r];
    for (int j = 0; j < n_u; j++) {
      l->W_t[r * n_u + j] = slope[r * n_u + j];
      l->zeta_t[r] += slope[r * n_u + j] * l->u[j];
    }
  }
}

void pc_callback_evaluate(const void* data, pc_local* l)
{
  const pc_callback* c = data;
  scratch* s = l->work;
  s->step = s->y_step = pc_pow(DBL_EPSILON, 1.0 / 3);
  if (l->M || l->Ma_q || l->p || l->p_q) evaluate_mass(c, s, l);
  if (l->h || l->h_q || l->h_u || l->f) evaluate_forces(c, s, l);
  if (l->momentum) evaluate_rate(c, s, l);
  if (l->energy) evaluate_energy(c, s, l);
  if (l->y && c->f.y) compute_y(c, l->t, l->q, l->y);
  if (l->W) compute_W(c, s, l->t, l->q, l->W, l->chi);
  if (l->W_q) evaluate_row_slopes(c, s, l);
}
