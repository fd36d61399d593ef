/* The frequencies and rates of decay that the system has at its start.
 *
 * The motion is linearised with the joints held,
 *
 *     v' = u,   M u' = (h_q + (W lambda)_q - (M a)_q) B v + h_u u + W' lambda',   W u = 0,
 *
 * where (W lambda)_q is the stiffness of the joints' forces (a pendulum has no other). Its largest
 * |eigenvalue| is the fastest frequency or rate of decay. Up to DENSE_MAX velocities all
 * eigenvalues are computed (linalg/quadratic_eigen.h); beyond that, the largest and the one of the
 * fastest vibration (linalg/sparse_rates.h). A run does not wait for the latter: a bound will do.
 *
 * Waves: the fastest vibrations of bars and beams belong to the mesh, not to the body, and what
 * damping of the material does to them is over at once. If they do vibrate, the limit is Courant's:
 * 2/omega is about the time of a wave from node to node; if they only decay, what vibrates is
 * slower, a motion of the body, and limits dt as any other. Schemes that take forces at given
 * positions can be unstable from 2/|eigenvalue| on, whatever the eigenvalue stands for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/sparse_rates.h"
#include "simulate/check.h"
#include "system/inspect.h"

static const double PI = 3.14159265358979323846;

enum {
  DENSE_MAX = 200, /* velocities */
  QUICK_MAX = 24   /* the same where a run waits for the answer */
};

static const double PERIOD_SHARE = 1.0 / 50;

typedef struct linearised {
  pc_checking* c;
  int n;                    /* velocities */
  pc_sparse_matrix M, K, D; /* D without entries: no force depends on velocity */
  pc_row* row;              /* of the joints, those that are independent */
  int row_count;
} linearised;

static void destroy(linearised* l)
{
  pc_sparse_matrix_free(&l->M);
  pc_sparse_matrix_free(&l->K);
  pc_sparse_matrix_free(&l->D);
  free(l->row);
}

/* ---- the matrices --------------------------------------------------------------------------- */

static void add_entry(void* user, int i, int j, double value)
{
  if (value != 0) pc_entries_add(user, i, j, value);
}

static pc_status copy(int n, const pc_assembly* from, pc_sparse_matrix* to, pc_error* error)
{
  pc_entries entries = {0};
  pc_assembly_visit(from, add_entry, &entries);
  pc_status status = pc_sparse_matrix_create(n, &entries, to, error);
  pc_entries_free(&entries);
  return status;
}

/* d(W_ri)/dq B, what a row changes with in its entry i (velocity i), times its force: a line of the
 * stiffness over the velocities of the row. `unit` (n) is all zero, `line` has n entries. */
static void add_line(const linearised* l, pc_terms* terms, int r, int i, double* unit, double* line,
                     pc_entries* entries)
{
  pc_row row = l->c->terms->row[r];
  pc_at at = {0, l->c->q, l->c->u, l->c->a};
  memset(line, 0, (size_t)l->n * sizeof *line);
  pc_terms_add_row_velocity_slope(terms, &at, r, unit, -l->c->lambda[r], line); /* chi_q alone */
  unit[i] = 1;
  pc_terms_add_row_velocity_slope(terms, &at, r, unit, l->c->lambda[r], line);
  unit[i] = 0;
  for (int b = 0; b < row.block_count; b++)
    for (int k = 0; k < row.block[b].width; k++)
      add_entry(entries, i, row.block[b].first + k, *line++);
}

/* The joints' share of the stiffness; contacts may open and are left out. */
static void add_joints(const linearised* l, pc_terms* terms, double* work, pc_entries* entries)
{
  for (int r = 0; r < l->c->bilateral_count; r++) {
    pc_row row = l->c->terms->row[r];
    if (l->c->lambda[r] == 0) continue;
    for (int b = 0; b < row.block_count; b++)
      for (int k = 0; k < row.block[b].width; k++)
        add_line(l, terms, r, row.block[b].first + k, work, work + l->n, entries);
  }
}

/* K, with the assembly as a place to sum up in. */
static pc_status fill_stiffness(linearised* l, pc_terms* terms, pc_assembly* sum)
{
  pc_at at = {0, l->c->q, l->c->u, l->c->a};
  double* work = pc_alloc(2 * (size_t)l->n, sizeof *work);
  if (!work) return pc_no_memory(l->c->error);
  pc_entries entries = {0};
  pc_terms_stiffness(terms, &at, sum);
  pc_assembly_visit(sum, add_entry, &entries);
  add_joints(l, terms, work, &entries);
  pc_status status = pc_sparse_matrix_create(l->n, &entries, &l->K, l->c->error);
  pc_entries_free(&entries);
  free(work);
  return status;
}

static pc_status fill_from(linearised* l, pc_terms* terms, pc_assembly* sum)
{
  pc_checking* c = l->c;
  pc_at at = {0, c->q, c->u, c->a};
  pc_terms_evaluate(terms, &at);
  PC_TRY(copy(l->n, pc_consistent_start_mass(c->start), &l->M, c->error));
  PC_TRY(fill_stiffness(l, terms, sum));
  pc_terms_tangent(terms, &at, 0, -1, 0, sum);
  return copy(l->n, sum, &l->D, c->error);
}

static pc_status create(linearised* l)
{
  pc_checking* c = l->c;
  unsigned mask = PC_TERM_H_Q | PC_TERM_H_U | PC_TERM_MA_Q | PC_TERM_W | PC_TERM_W_Q;
  pc_terms* terms = NULL;
  pc_assembly* sum = NULL;
  l->row = pc_alloc((size_t)c->bilateral_count, sizeof *l->row);
  if (!l->row) return pc_no_memory(c->error);
  for (int r = 0; r < c->bilateral_count; r++)
    if (!c->redundant[r]) l->row[l->row_count++] = c->terms->row[r];
  pc_status status = pc_terms_create(c->system, mask, &terms, c->error);
  if (status == PC_OK) status = pc_system_create_tangent(c->system, &sum, c->error);
  if (status == PC_OK) status = fill_from(l, terms, sum);
  pc_assembly_destroy(sum);
  pc_terms_destroy(terms);
  return status;
}

/* ---- eigenvalues ---------------------------------------------------------------------------- */

static int has_damping(const linearised* l)
{
  return l->D.pattern.start[l->n] > 0;
}

/* A row-major dense matrix of zeros becomes a sparse one. */
static void fill_dense(const pc_sparse_matrix* from, double* A)
{
  int n = from->pattern.order;
  for (int j = 0; j < n; j++)
    for (int p = from->pattern.start[j]; p < from->pattern.start[j + 1]; p++)
      A[(size_t)from->pattern.row[p] * (size_t)n + (size_t)j] = from->value[p];
}

/* All of them. */
static pc_status dense_rates(const linearised* l, pc_rates* rates)
{
  size_t n = (size_t)l->n, rows = (size_t)l->row_count;
  double* M = pc_alloc((3 * n + rows) * n, sizeof *M);
  if (!M) return pc_no_memory(l->c->error);
  double *K = M + n * n, *D = K + n * n, *W = D + n * n;
  fill_dense(&l->M, M);
  fill_dense(&l->K, K);
  fill_dense(&l->D, D);
  for (int r = 0; r < l->row_count; r++) pc_row_add(l->row[r], 1, W + (size_t)r * n);
  pc_quadratic problem = {l->n, M, K, has_damping(l) ? D : NULL, l->row_count, W};
  pc_status status = pc_quadratic_rates(&problem, rates, l->c->error);
  free(M);
  return status;
}

static pc_status find_rates(const linearised* l, pc_rates* rates)
{
  if (l->n <= (l->c->quick ? QUICK_MAX : DENSE_MAX)) return dense_rates(l, rates);
  pc_sparse_quadratic problem = {l->n,         &l->M,  &l->K,      has_damping(l) ? &l->D : NULL,
                                 l->row_count, l->row, l->c->quick};
  return pc_sparse_rates(&problem, rates, l->c->error);
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
  linearised l = {.c = c, .n = c->report->u_count};
  pc_rates rates = {0};
  pc_status status = create(&l);
  if (status == PC_OK) status = find_rates(&l, &rates);
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
