/* Terms against differences of terms. A derivative is the fourth-order central difference
 *     (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / (12 h),
 * which with h = 1e-3 is good to about 1e-12 of a smooth function of size 1; close to a kink, where
 * derivatives are large, the step must be smaller. */
#include "conformance.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "system/system.h"
#include "system/terms.h"

enum { POINTS = 5 };

conformance default_conformance(void)
{
  return (conformance){.spread = 0.4, .tolerance = 1e-9, .step = 1e-3};
}

/* A point of evaluation, and the numbers of the system for short. */
typedef struct point {
  double t;
  double *q, *u, *a;
} point;

typedef struct bench {
  const pc_system* system;
  conformance options;
  int n_q, n_u, rows, size;
  int at_y, at_W, at_chi, at_velocity, at_h, at_Ma, at_p,
      at_potential; /* into a flat vector of terms */
  pc_terms* terms;
  uint64_t random;
} bench;

static double* scratch(int count)
{
  double* x = calloc((size_t)count + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

/* Uniform in [-1, 1]. */
static double draw(bench* b)
{
  b->random = b->random * 6364136223846793005u + 1442695040888963407u;
  return (double)(b->random >> 11) / (double)(1ull << 52) - 1;
}

static point make_point(bench* b)
{
  point p = {draw(b), scratch(b->n_q), scratch(b->n_u), scratch(b->n_u)};
  for (int i = 0; i < b->n_q; i++)
    p.q[i] = pc_system_q0(b->system)[i] + b->options.spread * draw(b);
  for (int i = 0; i < b->n_u; i++) p.u[i] = draw(b);
  for (int i = 0; i < b->n_u; i++) p.a[i] = draw(b);
  return p;
}

static void free_point(point* p)
{
  free(p->q);
  free(p->u);
  free(p->a);
}

static void evaluate(bench* b, const point* p)
{
  pc_terms_evaluate(b->terms, &(pc_at){p->t, p->q, p->u, p->a});
}

/* All terms of level zero at a point, one after the other. */
static void flatten(bench* b, const point* p, double* out)
{
  evaluate(b, p);
  const pc_terms* t = b->terms;
  memset(out, 0, (size_t)b->size * sizeof *out);
  for (int r = 0; r < b->rows; r++) {
    out[b->at_y + r] = t->y[r];
    pc_row_add(t->row[r], 1, out + b->at_W + r * b->n_u);
    out[b->at_chi + r] = t->chi[r];
    out[b->at_velocity + r] = pc_terms_row_velocity(t, r, p->u);
  }
  for (int i = 0; i < b->n_u; i++) out[b->at_h + i] = t->h ? t->h[i] : 0;
  pc_terms_add_M_times(t, p->a, out + b->at_Ma);
  for (int i = 0; t->p && i < b->n_u; i++) out[b->at_p + i] = t->p[i];
  out[b->at_potential] = t->potential;
}

/* The derivative of the flat vector along a direction (dt, dq, du; NULL is zero). */
static void differentiate(bench* b, const point* p, double dt, const double* dq, const double* du,
                          double* out)
{
  static const double offset[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
  double* f = scratch(b->size);
  memset(out, 0, (size_t)b->size * sizeof *out);
  for (int s = 0; s < 4; s++) {
    double h = offset[s] * b->options.step;
    point moved = {p->t + h * dt, scratch(b->n_q), scratch(b->n_u), p->a};
    for (int i = 0; i < b->n_q; i++) moved.q[i] = p->q[i] + (dq ? h * dq[i] : 0);
    for (int i = 0; i < b->n_u; i++) moved.u[i] = p->u[i] + (du ? h * du[i] : 0);
    flatten(b, &moved, f);
    for (int i = 0; i < b->size; i++) out[i] += weight[s] * f[i] / (12 * b->options.step);
    free(moved.q);
    free(moved.u);
  }
  free(f);
}

/* The derivatives by each coordinate (or velocity): count vectors, one after the other. */
static double* jacobian(bench* b, const point* p, int by_u)
{
  int count = by_u ? b->n_u : b->n_q;
  double *all = scratch(count * b->size), *e = scratch(count);
  for (int k = 0; k < count; k++) {
    e[k] = 1;
    differentiate(b, p, 0, by_u ? NULL : e, by_u ? e : NULL, all + k * b->size);
    e[k] = 0;
  }
  free(e);
  return all;
}

/* Within the tolerance, relative to a term larger than 1. */
#define CHECK_TERM(b, got, want) \
  CHECK_NEAR((got), (want), (b)->options.tolerance* fmax(1, fabs(want)))

static int has_position(const bench* b, int row)
{
  if (row < pc_system_g_count(b->system)) return 1;
  for (int k = 0; k < pc_system_contact_count(b->system); k++)
    if (pc_system_contact(b->system, k).row == row) return 1;
  return 0;
}

/* W_r = B' dy_r/dq and chi_r = dy_r/dt + dy_r/dq . beta; h = -B' dV/dq at rest. */
static void check_first_order(bench* b, const point* p, const double* by_q, const double* by_t)
{
  double *zero = scratch(b->n_u), *beta = scratch(b->n_q), *q_dot = scratch(b->n_q);
  double *f = scratch(b->size), *rest = scratch(b->size);
  flatten(b, p, f);
  flatten(b, &(point){p->t, p->q, zero, p->a}, rest);
  pc_system_q_dot(b->system, p->t, p->q, zero, beta);
  for (int r = 0; r < b->rows; r++) {
    if (!has_position(b, r)) {
      CHECK_NEAR(f[b->at_y + r], 0, 0);
      continue;
    }
    double chi = by_t[b->at_y + r];
    for (int i = 0; i < b->n_q; i++) chi += by_q[i * b->size + b->at_y + r] * beta[i];
    CHECK_TERM(b, f[b->at_chi + r], chi);
  }
  for (int j = 0; j < b->n_u; j++) {
    zero[j] = 1;
    pc_system_q_dot(b->system, p->t, p->q, zero, q_dot);
    zero[j] = 0;
    double force = 0;
    for (int i = 0; i < b->n_q; i++)
      force -= by_q[i * b->size + b->at_potential] * (q_dot[i] - beta[i]);
    if (!b->options.applied) CHECK_TERM(b, rest[b->at_h + j], force);
    for (int r = 0; r < b->rows; r++) {
      if (!has_position(b, r)) continue;
      double w = 0;
      for (int i = 0; i < b->n_q; i++) w += by_q[i * b->size + b->at_y + r] * (q_dot[i] - beta[i]);
      CHECK_TERM(b, f[b->at_W + r * b->n_u + j], w);
    }
  }
  free(zero);
  free(beta);
  free(q_dot);
  free(f);
  free(rest);
}

/* W_q, chi_q and the velocity's derivative, row by row. */
static void check_row_derivatives(bench* b, const point* p, const double* by_q)
{
  double *lambda = scratch(b->rows), *W_q = scratch(b->n_u * b->n_q), *zero = scratch(b->n_u);
  double *value = scratch(b->n_q), *chi_q = scratch(b->n_q), *velocity_q = scratch(b->n_q);
  evaluate(b, p);
  for (int r = 0; r < b->rows; r++) {
    lambda[r] = 1;
    memset(W_q, 0, (size_t)(b->n_u * b->n_q) * sizeof *W_q);
    pc_terms_add_W_lambda_q(b->terms, lambda, W_q);
    lambda[r] = 0;
    memset(chi_q, 0, (size_t)b->n_q * sizeof *chi_q);
    memset(velocity_q, 0, (size_t)b->n_q * sizeof *velocity_q);
    pc_row_add(pc_terms_row_velocity_q(b->terms, r, zero, value), 1, chi_q);
    pc_row_add(pc_terms_row_velocity_q(b->terms, r, p->u, value), 1, velocity_q);
    for (int k = 0; k < b->n_q; k++) {
      const double* d = by_q + k * b->size;
      for (int j = 0; j < b->n_u; j++)
        CHECK_TERM(b, W_q[j * b->n_q + k], d[b->at_W + r * b->n_u + j]);
      CHECK_TERM(b, chi_q[k], d[b->at_chi + r]);
      CHECK_TERM(b, velocity_q[k], d[b->at_velocity + r]);
    }
  }
  free(lambda);
  free(W_q);
  free(zero);
  free(value);
  free(chi_q);
  free(velocity_q);
}

/* zeta is the rate of the row velocity along the motion at constant u. */
static void check_zeta(bench* b, const point* p)
{
  double *q_dot = scratch(b->n_q), *rate = scratch(b->size);
  pc_system_q_dot(b->system, p->t, p->q, p->u, q_dot);
  differentiate(b, p, 1, q_dot, NULL, rate);
  evaluate(b, p);
  for (int r = 0; r < b->rows; r++) CHECK_TERM(b, b->terms->zeta[r], rate[b->at_velocity + r]);
  free(q_dot);
  free(rate);
}

static void check_matrix(bench* b, pc_term term, int columns, const double* jacobian_of, int at)
{
  double* X = scratch(b->n_u * columns);
  pc_terms_add_dense(b->terms, term, 1, X);
  for (int j = 0; j < b->n_u; j++)
    for (int k = 0; k < columns; k++)
      CHECK_TERM(b, X[j * columns + k], jacobian_of[k * b->size + at + j]);
  free(X);
}

static void check_kinetic_energy(bench* b, const point* p)
{
  int n = b->n_u;
  double *M = scratch(n * n), energy = 0;
  evaluate(b, p);
  pc_terms_add_dense(b->terms, PC_TERM_M, 1, M);
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) {
      CHECK_NEAR(M[j * n + k], M[k * n + j], 1e-14);
      energy += p->u[j] * M[j * n + k] * p->u[k] / 2;
    }
  CHECK_NEAR(b->terms->kinetic, energy, 1e-12);
  free(M);
}

static void same(const double* x, const double* y, int count)
{
  for (int i = 0; i < count; i++) CHECK_NEAR(x[i], y[i], 0);
}

/* What an element calls constant is the same at two points, each with terms of its own. */
static void check_constant_terms(bench* b, const point* p, const point* other)
{
  pc_error error = {0};
  pc_terms* t[2];
  const point* at[2] = {p, other};
  for (int i = 0; i < 2; i++) {
    CHECK_OK(pc_terms_create(b->system, PC_TERM_ALL, &t[i], &error), error);
    pc_terms_evaluate(t[i], &(pc_at){at[i]->t, at[i]->q, at[i]->u, at[i]->a});
  }
  for (int e = 0; e < b->system->element_count; e++) {
    const pc_element* element = &b->system->element[e];
    const pc_local *x = pc_terms_local(t[0], e), *y = pc_terms_local(t[1], e);
    int n_q = element->q_count, n_u = element->u_count, rows = element->row_count;
    int of_u = element->cell.count * element->cell.u * element->cell.u;
    int of_q = element->cell.count * element->cell.u * element->cell.q;
    double space[2][PC_THIN_MOST * PC_THIN_MOST]; /* for one cell */
    if (element->constant & PC_TERM_M)
      same(pc_terms_M(t[0], e, space[0]), pc_terms_M(t[1], e, space[1]), of_u);
    if (element->constant & PC_TERM_H_Q) same(x->h_q, y->h_q, of_q);
    if (element->constant & PC_TERM_H_U) same(x->h_u, y->h_u, of_u);
    if (element->constant & PC_TERM_W) same(x->W, y->W, rows * n_u);
    if (element->constant & PC_TERM_W_Q) same(x->W_q, y->W_q, rows * n_u * n_q);
  }
  if (pc_system_constant(b->system) & PC_TERM_H) same(t[0]->h, t[1]->h, b->n_u);
  pc_terms_destroy(t[0]);
  pc_terms_destroy(t[1]);
}

/* A term has the same value, whichever other terms are asked for. */
static void check_masks(bench* b, const point* p)
{
  pc_error error = {0};
  double *all = scratch(b->size), *some = scratch(b->size);
  flatten(b, p, all);
  static const unsigned masks[] = {PC_TERM_Y | PC_TERM_W | PC_TERM_H | PC_TERM_M | PC_TERM_ENERGY,
                                   PC_TERM_W | PC_TERM_H | PC_TERM_H_U,
                                   PC_TERM_W | PC_TERM_Y | PC_TERM_W_Q | PC_TERM_H_Q};
  for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
    bench other = *b;
    CHECK_OK(pc_terms_create(b->system, masks[m], &other.terms, &error), error);
    flatten(&other, p, some);
    if (masks[m] & PC_TERM_Y) same(all + b->at_y, some + b->at_y, b->rows);
    if (masks[m] & PC_TERM_H) same(all + b->at_h, some + b->at_h, b->n_u);
    for (int i = 0; i < b->rows * b->n_u; i++)
      CHECK_NEAR(some[b->at_W + i], all[b->at_W + i], 1e-14);
    pc_terms_destroy(other.terms);
  }
  free(all);
  free(some);
}

/* In momentum form: p' = h and M u' = h are the same motion, p_q, h_q and h_u are derivatives. */
static void check_momentum(const bench* of, const point* p)
{
  pc_error error = {0};
  bench b = *of;
  unsigned mask = (PC_TERM_ALL & ~(unsigned)PC_TERM_MA_Q) | PC_TERM_P | PC_TERM_P_Q;
  CHECK_OK(pc_terms_create(b.system, mask, &b.terms, &error), error);
  double *q_dot = scratch(b.n_q), *rate = scratch(b.size), *h = scratch(b.n_u);
  double *Mu = scratch(b.n_u), *by_q = jacobian(&b, p, 0), *by_u = jacobian(&b, p, 1);
  pc_system_q_dot(b.system, p->t, p->q, p->u, q_dot);
  differentiate(&b, p, 1, q_dot, NULL, rate);
  pc_terms_evaluate(of->terms, &(pc_at){p->t, p->q, p->u, p->a});
  for (int i = 0; i < b.n_u; i++) h[i] = of->terms->h[i] + rate[b.at_p + i];
  evaluate(&b, p);
  pc_terms_add_M_times(b.terms, p->u, Mu);
  for (int i = 0; i < b.n_u; i++) {
    CHECK_TERM(&b, b.terms->h[i], h[i]);
    CHECK_TERM(&b, b.terms->p[i], Mu[i]);
  }
  check_matrix(&b, PC_TERM_P_Q, b.n_q, by_q, b.at_p);
  if (b.options.rate_tolerance > 0) b.options.tolerance = b.options.rate_tolerance;
  check_matrix(&b, PC_TERM_H_Q, b.n_q, by_q, b.at_h);
  check_matrix(&b, PC_TERM_H_U, b.n_u, by_u, b.at_h);
  double* array[] = {q_dot, rate, h, Mu, by_q, by_u};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_terms_destroy(b.terms);
}

static void check_point(bench* b, const point* p)
{
  double *by_q = jacobian(b, p, 0), *by_u = jacobian(b, p, 1), *by_t = scratch(b->size);
  differentiate(b, p, 1, NULL, NULL, by_t);
  check_first_order(b, p, by_q, by_t);
  check_row_derivatives(b, p, by_q);
  check_zeta(b, p);
  evaluate(b, p);
  check_matrix(b, PC_TERM_H_Q, b->n_q, by_q, b->at_h);
  check_matrix(b, PC_TERM_H_U, b->n_u, by_u, b->at_h);
  check_matrix(b, PC_TERM_MA_Q, b->n_q, by_q, b->at_Ma);
  check_kinetic_energy(b, p);
  check_masks(b, p);
  check_momentum(b, p);
  free(by_q);
  free(by_u);
  free(by_t);
}

void check_conformance(pc_system* system, conformance options)
{
  pc_error error = {0};
  CHECK_OK(pc_system_freeze(system, &error), error);
  bench b = {.system = system,
             .options = options,
             .n_q = pc_system_q_count(system),
             .n_u = pc_system_u_count(system),
             .rows = pc_system_row_count(system),
             .random = 20240229};
  b.at_W = b.at_y + b.rows;
  b.at_chi = b.at_W + b.rows * b.n_u;
  b.at_velocity = b.at_chi + b.rows;
  b.at_h = b.at_velocity + b.rows;
  b.at_Ma = b.at_h + b.n_u;
  b.at_p = b.at_Ma + b.n_u;
  b.at_potential = b.at_p + b.n_u;
  b.size = b.at_potential + 1;
  CHECK_OK(pc_terms_create(system, PC_TERM_ALL, &b.terms, &error), error);
  for (int i = 0; i < POINTS; i++) {
    point p = make_point(&b), other = make_point(&b);
    check_point(&b, &p);
    check_constant_terms(&b, &p, &other);
    free_point(&p);
    free_point(&other);
  }
  pc_terms_destroy(b.terms);
}
