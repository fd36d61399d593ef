/* The frequencies and rates of decay that the system has at its start.
 *
 * The motion is linearised with the joints held,
 *
 *     v' = u,   M u' = (h_q + (W lambda)_q - (M a)_q) B v + h_u u + W' lambda',   W u = 0,
 *
 * where (W lambda)_q is the stiffness of the joints' forces (a pendulum has no other). Its largest
 * |eigenvalue| is the fastest frequency or rate of decay. Up to DENSE_MAX velocities all
 * eigenvalues are computed (linalg/quadratic_eigen.h); beyond that, the mean growth of a power
 * iteration gives the largest, and only h_q counts as stiffness.
 *
 * Waves: the fastest vibrations of bars and beams belong to the mesh, not to the body, and what
 * damping of the material does to them is over at once. If they do vibrate, the limit is Courant's:
 * 2/omega is about the time of a wave from node to node; if they only decay, what vibrates is
 * slower, a motion of the body, and limits dt as any other. Schemes that take forces at given
 * positions can be unstable from 2/|eigenvalue| on, whatever the eigenvalue stands for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/quadratic_eigen.h"
#include "simulate/check.h"
#include "system/inspect.h"

static const double PI = 3.14159265358979323846;

enum {
  DENSE_MAX = 200,    /* velocities */
  QUICK_MAX = 24,     /* the same where a run waits for the answer */
  POWER_STEPS = 400,  /* of the power iteration, ... */
  POWER_WARM_UP = 100 /* ... of which the first are not counted */
};

static const double PERIOD_SHARE = 1.0 / 50;

typedef struct linearised {
  pc_checking* c;
  int n_q, n_u;
  pc_terms* terms;    /* h_q, h_u, (M a)_q, W_q at the start */
  pc_assembly* h_u;   /* NULL: no force depends on velocity */
  double* stiffness;  /* n_u x n_q: (W lambda)_q - (M a)_q, or NULL */
  double *drift, *dq; /* n_q: q'(0), B v */
  double* zero;       /* n_u */
  double* x;          /* 2 n_u: a vector v, u, and ... */
  double* next;       /* ... its rate */
} linearised;

static int dense_max(const pc_checking* c)
{
  return c->quick ? QUICK_MAX : DENSE_MAX;
}

static void destroy(linearised* l)
{
  pc_terms_destroy(l->terms);
  pc_assembly_destroy(l->h_u);
  double* array[] = {l->stiffness, l->drift, l->dq, l->zero, l->x, l->next};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

/* The joints' share of the stiffness; contacts may open and are left out. */
static pc_status fill_stiffness(linearised* l)
{
  pc_checking* c = l->c;
  size_t rows = (size_t)pc_system_row_count(c->system), bilateral = (size_t)c->bilateral_count;
  l->stiffness = pc_alloc((size_t)l->n_u * (size_t)l->n_q, sizeof *l->stiffness);
  double* lambda = pc_alloc(rows, sizeof *lambda);
  if (!l->stiffness || !lambda) {
    free(lambda);
    return pc_no_memory(c->error);
  }
  memcpy(lambda, c->lambda, bilateral * sizeof *lambda);
  pc_terms_add_W_lambda_q(l->terms, lambda, l->stiffness);
  pc_terms_add_dense(l->terms, PC_TERM_MA_Q, -1, l->stiffness);
  free(lambda);
  return PC_OK;
}

static pc_status create(linearised* l)
{
  pc_checking* c = l->c;
  unsigned mask = PC_TERM_H_Q | PC_TERM_H_U | PC_TERM_MA_Q | PC_TERM_W | PC_TERM_W_Q;
  size_t n_q = (size_t)l->n_q, n_u = (size_t)l->n_u;
  l->drift = pc_alloc(n_q, sizeof(double));
  l->dq = pc_alloc(n_q, sizeof(double));
  l->zero = pc_alloc(n_u, sizeof(double));
  l->x = pc_alloc(2 * n_u, sizeof(double));
  l->next = pc_alloc(2 * n_u, sizeof(double));
  if (!l->drift || !l->dq || !l->zero || !l->x || !l->next) return pc_no_memory(c->error);
  PC_TRY(pc_terms_create(c->system, mask, &l->terms, c->error));
  pc_at at = {0, c->q, c->u, c->a};
  pc_terms_evaluate(l->terms, &at);
  pc_system_q_dot(c->system, 0, c->q, l->zero, l->drift);
  if (pc_system_provides(c->system) & PC_TERM_H_U) {
    PC_TRY(pc_system_create_tangent(c->system, &l->h_u, c->error));
    pc_terms_tangent(l->terms, &at, 0, -1, 0, l->h_u);
  }
  return l->n_u <= dense_max(c) ? fill_stiffness(l) : PC_OK;
}

/* r := (h_q + (W lambda)_q - (M a)_q) B v, the force of a displacement v */
static void apply_stiffness(linearised* l, const double* v, double* r)
{
  pc_checking* c = l->c;
  int n_u = l->n_u, n_q = l->n_q;
  pc_system_q_dot(c->system, 0, c->q, v, l->dq);
  for (int k = 0; k < n_q; k++) l->dq[k] -= l->drift[k]; /* B v: q' is affine in u */
  memset(r, 0, (size_t)n_u * sizeof *r);
  pc_terms_add_h_q_times(l->terms, 1, l->dq, r);
  for (int i = 0; l->stiffness && i < n_u; i++)
    for (int k = 0; k < n_q; k++)
      r[i] += l->stiffness[(size_t)i * (size_t)n_q + (size_t)k] * l->dq[k];
}

/* ---- all eigenvalues ------------------------------------------------------------------------ */

typedef struct matrices {
  double *M, *K, *D; /* n_u x n_u */
  double* W;         /* bilateral rows x n_u */
} matrices;

/* Column j of a matrix := x */
static void set_column(int n, int j, const double* x, double* A)
{
  for (int i = 0; i < n; i++) A[(size_t)i * (size_t)n + (size_t)j] = x[i];
}

static void fill_matrices(linearised* l, const matrices* m)
{
  int n = l->n_u;
  const pc_assembly* mass = pc_consistent_start_mass(l->c->start);
  double *unit = l->x, *column = l->next;
  for (int j = 0; j < n; j++) {
    memset(unit, 0, (size_t)n * sizeof *unit);
    unit[j] = 1;
    memset(column, 0, (size_t)n * sizeof *column);
    pc_assembly_times(mass, unit, column);
    set_column(n, j, column, m->M);
    apply_stiffness(l, unit, column);
    set_column(n, j, column, m->K);
    if (!l->h_u) continue;
    memset(column, 0, (size_t)n * sizeof *column);
    pc_assembly_times(l->h_u, unit, column);
    set_column(n, j, column, m->D);
  }
  for (int r = 0; r < l->c->bilateral_count; r++)
    pc_row_add(l->c->terms->row[r], 1, m->W + (size_t)r * (size_t)n);
}

static pc_status all_eigenvalues(linearised* l, pc_rates* rates)
{
  size_t n = (size_t)l->n_u, rows = (size_t)l->c->bilateral_count;
  double* all = pc_alloc((3 * n + rows) * n, sizeof *all);
  if (!all) return pc_no_memory(l->c->error);
  matrices m = {all, all + n * n, all + 2 * n * n, all + 3 * n * n};
  fill_matrices(l, &m);
  pc_quadratic problem = {l->n_u, m.M, m.K, l->h_u ? m.D : NULL, l->c->bilateral_count, m.W};
  pc_status status = pc_quadratic_rates(&problem, rates, l->c->error);
  free(all);
  return status;
}

/* ---- the largest by iteration --------------------------------------------------------------- */

/* next := the rate of x = (v, u), with or without what depends on velocities */
static void apply(linearised* l, int damped)
{
  pc_checking* c = l->c;
  int n_u = l->n_u;
  const double* u = l->x + n_u;
  double* r = l->next + n_u;
  apply_stiffness(l, l->x, r);
  if (damped && l->h_u) pc_assembly_times(l->h_u, u, r);
  pc_assembly_solve(pc_consistent_start_mass(c->start), r);
  pc_consistent_start_project(c->start, r);
  memcpy(l->next, u, (size_t)n_u * sizeof *u);
}

static double norm(int n, const double* x)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* Mean growth per step of a power iteration from a vector without pattern. Complex pairs make the
 * growth swing, which the mean over many steps evens out. */
static double power_iteration(linearised* l, int damped)
{
  int n = 2 * l->n_u;
  unsigned random = 12345;
  for (int i = 0; i < n; i++) {
    random = random * 1103515245u + 12345u;
    l->x[i] = (double)(random >> 16) / 65536.0 - 0.5;
  }
  for (int half = 0; half < 2; half++)
    pc_consistent_start_project(l->c->start, l->x + half * l->n_u);
  double sum = 0;
  for (int step = 0; step < POWER_STEPS; step++) {
    double before = norm(n, l->x);
    if (before == 0) return 0;
    for (int i = 0; i < n; i++) l->x[i] /= before;
    apply(l, damped);
    memcpy(l->x, l->next, (size_t)n * sizeof *l->x);
    double after = norm(n, l->x);
    if (step >= POWER_WARM_UP && after > 0) sum += pc_log(after);
  }
  return pc_exp(sum / (POWER_STEPS - POWER_WARM_UP));
}

/* With damping D = tau K a mode of frequency w vibrates with w sqrt(1 - (tau w/2)^2) <= 1/tau, and
 * decays with tau w^2 where that is fast: tau from the largest rate and the largest w, and so a
 * bound for the frequencies, whatever modes there are. */
static pc_rates largest_rates(linearised* l)
{
  double undamped = power_iteration(l, 0);
  pc_rates rates = {undamped, undamped};
  if (!l->h_u) return rates;
  rates.rate = power_iteration(l, 1);
  if (rates.rate > undamped) rates.frequency = undamped * (undamped / rates.rate);
  return rates;
}

/* Bars, and beams in the plane or in space (chains of nodes). */
int pc_check_has_elements(const pc_system* system)
{
  for (int p = 0; p < pc_system_part_count(system); p++) {
    const pc_part* part = NULL;
    if (pc_system_part(system, (pc_part_id){p}, &part, NULL) != PC_OK) return 0;
    if (part->kind == PC_PART_BAR || part->kind == PC_PART_BEAM || part->chain > 0) return 1;
  }
  return 0;
}

pc_status pc_check_vibration(pc_checking* c)
{
  linearised l = {.c = c, .n_q = c->report->q_count, .n_u = c->report->u_count};
  pc_rates rates = {0};
  pc_status status = create(&l);
  if (status == PC_OK && l.n_u <= dense_max(c))
    status = all_eigenvalues(&l, &rates);
  else if (status == PC_OK)
    rates = largest_rates(&l);
  destroy(&l);
  if (status != PC_OK) return status;
  pc_check_report* r = c->report;
  double rate = rates.rate, frequency = rates.frequency;
  r->step.rate_max = rate > PC_RATE_MIN ? rate : 0;
  r->step.explicit_limit = rate > PC_RATE_MIN ? 2 / rate : NAN;
  r->step.positions_limit = frequency > PC_RATE_MIN ? 2 / frequency : NAN;
  int elements = pc_check_has_elements(c->system), waves = elements && frequency > rate / 2;
  /* What only decays is no motion to resolve, and an implicit scheme can pass over it. */
  double counted = frequency > PC_RATE_MIN || elements ? frequency : rate;
  if (counted > PC_RATE_MIN) r->step.vibration = (waves ? 2 : PERIOD_SHARE * 2 * PI) / counted;
  c->vibration = waves ? "waves" : "vibration";
  return PC_OK;
}
