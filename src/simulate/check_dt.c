/* A sensible time step, from the time scales that the system has at its start.
 *
 * Vibration: the motion is linearised with the joints held,
 *
 *     v' = u,   u' = P M^-1 ((h_q + (W lambda)_q - (M a)_q) B v + h_u u),
 *
 * where P takes out what the joints do not let through and (W lambda)_q is the stiffness of the
 * joints' forces (a pendulum has no other). Its largest |eigenvalue| is the fastest frequency or
 * rate of decay. Up to DENSE_MAX velocities all eigenvalues are computed; beyond that, the mean
 * growth of a power iteration gives the largest, and only h_q counts as stiffness.
 *
 * Waves: the fastest vibrations of bars and beams belong to the mesh, not to the body, and what damping
 * of the material does to them is over at once. If they do vibrate, the limit is Courant's: 2/omega is
 * about the time of a wave from node to node; if they only decay, what vibrates is slower, a motion of
 * the body, and limits dt as any other. Schemes that take forces
 * at given positions can be unstable from 2/|eigenvalue| on, whatever the eigenvalue stands for.
 *
 * Rotation: how fast the rows of W turn, |W'|/|W| in the metric of M^-1: a rate without regard to
 * what the coordinates are. A disc that spins on a plane does not count; a crank does.
 *
 * Closing gap: the first time at which a gap becomes zero with its present velocity and
 * acceleration. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/dense.h"
#include "simulate/check.h"
#include "system/inspect.h"

static const double PI = 3.14159265358979323846;

enum {
  DENSE_MAX = 200,    /* velocities */
  POWER_STEPS = 400,  /* of the power iteration, ... */
  POWER_WARM_UP = 100 /* ... of which the first are not counted */
};

static const double PERIOD_SHARE = 1.0 / 50;
static const double TURN = 0.01; /* rad */
static const double CLOSING_SHARE = 1.0 / 20;
/* A rate below this is nobody's time scale but round-off [1/s]. */
static const double RATE_MIN = 1e-6;
/* A gap that closes within this share of every other limit closes in the first step, whatever dt. */
static const double CLOSING_MIN = 1e-2;

typedef struct linearised {
  pc_checking* c;
  int n_q, n_u;
  pc_terms* terms;    /* h_q, h_u, (M a)_q, W_q at the start */
  pc_assembly* h_u;   /* NULL: no force depends on velocity */
  double* stiffness;  /* n_u x n_q: (W lambda)_q - (M a)_q, or NULL */
  double *drift, *dq; /* n_q: q'(0), B v */
  double *zero, *r;   /* n_u */
  double* x;          /* 2 n_u: a vector v, u, and ... */
  double* next;       /* ... its rate */
} linearised;

static void destroy(linearised* l)
{
  pc_terms_destroy(l->terms);
  pc_assembly_destroy(l->h_u);
  double* array[] = {l->stiffness, l->drift, l->dq, l->zero, l->r, l->x, l->next};
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
  l->r = pc_alloc(n_u, sizeof(double));
  l->x = pc_alloc(2 * n_u, sizeof(double));
  l->next = pc_alloc(2 * n_u, sizeof(double));
  if (!l->drift || !l->dq || !l->zero || !l->r || !l->x || !l->next) return pc_no_memory(c->error);
  PC_TRY(pc_terms_create(c->system, mask, &l->terms, c->error));
  pc_at at = {0, c->q, c->u, c->a};
  pc_terms_evaluate(l->terms, &at);
  pc_system_q_dot(c->system, 0, c->q, l->zero, l->drift);
  if (pc_system_provides(c->system) & PC_TERM_H_U) {
    PC_TRY(pc_system_create_tangent(c->system, &l->h_u, c->error));
    pc_terms_tangent(l->terms, &at, 0, -1, 0, l->h_u);
  }
  return l->n_u <= DENSE_MAX ? fill_stiffness(l) : PC_OK;
}

/* next := the rate of x = (v, u) */
static void apply(linearised* l)
{
  pc_checking* c = l->c;
  int n_u = l->n_u, n_q = l->n_q;
  const double* u = l->x + n_u;
  pc_system_q_dot(c->system, 0, c->q, l->x, l->dq);
  for (int k = 0; k < n_q; k++) l->dq[k] -= l->drift[k]; /* B v: q' is affine in u */
  memset(l->r, 0, (size_t)n_u * sizeof *l->r);
  pc_terms_add_h_q_times(l->terms, 1, l->dq, l->r);
  for (int i = 0; l->stiffness && i < n_u; i++)
    for (int k = 0; k < n_q; k++)
      l->r[i] += l->stiffness[(size_t)i * (size_t)n_q + (size_t)k] * l->dq[k];
  if (l->h_u) pc_assembly_times(l->h_u, u, l->r);
  pc_assembly_solve(pc_consistent_start_mass(c->start), l->r);
  pc_consistent_start_project(c->start, l->r);
  memcpy(l->next, u, (size_t)n_u * sizeof *u);
  memcpy(l->next + n_u, l->r, (size_t)n_u * sizeof *u);
}

/* `rate` := the largest |eigenvalue|, `frequency` := the largest imaginary part */
static pc_status all_eigenvalues(linearised* l, double* rate, double* frequency)
{
  int n = 2 * l->n_u;
  double* A = pc_alloc((size_t)n * (size_t)n, sizeof *A);
  double* work = pc_alloc(6 * (size_t)n, sizeof *work);
  pc_status status = A && work ? PC_OK : pc_no_memory(l->c->error);
  for (int j = 0; status == PC_OK && j < n; j++) {
    memset(l->x, 0, (size_t)n * sizeof *l->x);
    l->x[j] = 1;
    /* v and u both keep to what the joints let through: a direction that they block is no motion */
    pc_consistent_start_project(l->c->start, l->x + (j < l->n_u ? 0 : l->n_u));
    apply(l);
    for (int i = 0; i < n; i++) A[(size_t)i * (size_t)n + (size_t)j] = l->next[i];
  }
  if (status == PC_OK) {
    status = pc_spectral_radius(n, A, work, rate);
    if (status != PC_OK) pc_fail(l->c->error, status, "the linearised motion has no eigenvalues");
    for (int i = 0; status == PC_OK && i < n; i++) *frequency = fmax(*frequency, work[n + i]);
  }
  free(A);
  free(work);
  return status;
}

static double norm(int n, const double* x)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* Mean growth per step of a power iteration from a vector without pattern. Complex pairs make the
 * growth swing, which the mean over many steps evens out. */
static void power_iteration(linearised* l, double* rate)
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
    if (before == 0) {
      *rate = 0;
      return;
    }
    for (int i = 0; i < n; i++) l->x[i] /= before;
    apply(l);
    memcpy(l->x, l->next, (size_t)n * sizeof *l->x);
    double after = norm(n, l->x);
    if (step >= POWER_WARM_UP && after > 0) sum += log(after);
  }
  *rate = exp(sum / (POWER_STEPS - POWER_WARM_UP));
}

/* Bars, and beams in the plane or in space (chains of nodes). */
static int has_finite_elements(const pc_system* system)
{
  for (int p = 0; p < pc_system_part_count(system); p++) {
    const pc_part* part = NULL;
    if (pc_system_part(system, (pc_part_id){p}, &part, NULL) != PC_OK) return 0;
    if (part->kind == PC_PART_BAR || part->kind == PC_PART_BEAM || part->chain > 0) return 1;
  }
  return 0;
}

static pc_status check_vibration(pc_checking* c)
{
  linearised l = {.c = c, .n_q = c->report->q_count, .n_u = c->report->u_count};
  double rate = 0, frequency = 0;
  pc_status status = create(&l);
  if (status == PC_OK) {
    if (l.n_u <= DENSE_MAX)
      status = all_eigenvalues(&l, &rate, &frequency);
    else
      power_iteration(&l, &rate);
  }
  if (l.n_u > DENSE_MAX) frequency = rate;
  destroy(&l);
  if (status != PC_OK) return status;
  pc_check_report* r = c->report;
  r->rate_max = rate > RATE_MIN ? rate : 0;
  r->dt_explicit = rate > RATE_MIN ? 2 / rate : NAN;
  int elements = has_finite_elements(c->system), waves = elements && frequency > rate / 2;
  double counted = elements ? frequency : rate;
  if (counted > RATE_MIN) r->dt_vibration = (waves ? 2 : PERIOD_SHARE * 2 * PI) / counted;
  c->vibration = waves ? "waves" : "vibration";
  return PC_OK;
}

/* ---- rotation ------------------------------------------------------------------------------- */

/* turn (n_u) := the rate of change of W_r. `unit` has n_u zeros, `value` room for n_q numbers. */
static void row_rate(const pc_checking* c, int r, double* unit, double* value, double* turn)
{
  const pc_terms* terms = c->terms;
  pc_row row = terms->row[r];
  double still = pc_row_dot(pc_terms_row_velocity_q(terms, r, unit, value), terms->q_dot);
  memset(turn, 0, (size_t)c->report->u_count * sizeof *turn);
  for (int b = 0; b < row.block_count; b++)
    for (int i = row.block[b].first; i < row.block[b].first + row.block[b].width; i++) {
      unit[i] = 1;
      turn[i] = pc_row_dot(pc_terms_row_velocity_q(terms, r, unit, value), terms->q_dot) - still;
      unit[i] = 0;
    }
}

/* x' M^-1 x; `work` has n_u entries. */
static double inverse_square(const pc_checking* c, const double* x, double* work)
{
  int n = c->report->u_count;
  memcpy(work, x, (size_t)n * sizeof *work);
  pc_assembly_solve(pc_consistent_start_mass(c->start), work);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += work[i] * x[i];
  return sum;
}

static pc_status check_rotation(pc_checking* c)
{
  size_t n_u = (size_t)c->report->u_count;
  double* unit = pc_alloc(4 * n_u + (size_t)c->report->q_count, sizeof *unit);
  if (!unit) return pc_no_memory(c->error);
  double *turn = unit + n_u, *w = turn + n_u, *work = w + n_u, *value = work + n_u;
  double fastest = 0; /* squared */
  for (int r = 0; r < pc_system_row_count(c->system); r++) {
    row_rate(c, r, unit, value, turn);
    memset(w, 0, n_u * sizeof *w);
    pc_row_add(c->terms->row[r], 1, w);
    double size = inverse_square(c, w, work);
    if (size > 0) fastest = fmax(fastest, inverse_square(c, turn, work) / size);
  }
  free(unit);
  if (sqrt(fastest) > RATE_MIN) c->report->dt_rotation = TURN / sqrt(fastest);
  return PC_OK;
}

/* ---- closing gaps --------------------------------------------------------------------------- */

/* The first positive zero of g + v t + a t^2/2 for g > 0, or infinity. */
static double first_zero(double g, double v, double a)
{
  double square = v * v - 2 * a * g;
  if (square < 0) return INFINITY;
  double denominator = -v + sqrt(square); /* t = 2 g/(-v + sqrt(v^2 - 2 a g)), without cancelling */
  return denominator > 0 ? 2 * g / denominator : INFINITY;
}

/* The smallest limit of gaps that close later than `least`. */
static void check_closing(pc_checking* c, double least)
{
  for (int k = 0; k < c->report->contact_count; k++) {
    const pc_check_contact* contact = &c->report->contact[k];
    if (contact->closed) continue;
    int row = pc_system_contact(c->system, k).row;
    double a = pc_row_dot(c->terms->row[row], c->a) + c->terms->zeta[row];
    double limit = CLOSING_SHARE * first_zero(contact->gap, contact->gap_velocity, a);
    if (!isfinite(limit) || limit < least) continue;
    if (!(c->report->dt_closing <= limit)) c->report->dt_closing = limit;
  }
}

pc_status pc_check_dt(pc_checking* c)
{
  pc_check_report* r = c->report;
  r->dt = r->dt_vibration = r->dt_rotation = r->dt_closing = NAN;
  PC_TRY(check_vibration(c));
  PC_TRY(check_rotation(c));
  double other = fmin(r->dt_vibration, r->dt_rotation); /* fmin passes over NAN */
  check_closing(c, isnan(other) ? 0 : CLOSING_MIN * other);
  r->dt = fmin(other, r->dt_closing);
  if (r->dt == r->dt_vibration) r->dt_reason = c->vibration;
  if (r->dt == r->dt_rotation) r->dt_reason = "rotation";
  if (r->dt == r->dt_closing) r->dt_reason = "closing gap";
  return PC_OK;
}
