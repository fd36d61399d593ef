#include "schemes/generalized_alpha/curvature.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "linalg/dense.h"

/* A part with kinematics of its own; the first `lead` coordinates have q' = u and do not
 * affect the others. */
typedef struct own_part {
  const pc_part* part;
  int lead;
  double *B, *T;       /* q_count x u_count, u_count x u_count */
  double* scaled_T;    /* q_share T */
  double* slope;       /* dq/dd past the lead */
  double *BB, *column; /* B'B, and a column of T */
} own_part;

/* A matrix at the iterate: an assembly, or what its blocks are made from. */
typedef struct level_matrix {
  pc_stage_tangent* tangent; /* NULL: by blocks */
  pc_stage_motion motion;
  pc_stage_at at;
} level_matrix;

struct pc_alpha_curvature {
  level_matrix smooth;     /* of the smooth motion */
  level_matrix positions;  /* of (65d) */
  pc_stage_blocks* blocks; /* NULL: by assemblies */
  pc_terms* ahead;         /* W_q a little further along the motion ... */
  double ahead_by;         /* ... by this much [s]; 0: not evaluated */
  int* own;                /* per part, or -1 */
  own_part* part;
  int own_count;
  int columns; /* most velocities of such a part past its lead */
  const double **B, **T, **scaled_T;
  double* values;
  double *q, *d;   /* n_q, n_u: a neighbour of the iterate */
  double* along;   /* n_u: v' - u/ahead_by */
  double* slope;   /* n_u: of a row */
  double* scratch; /* n_q + n_u, of the retraction */
};

void pc_alpha_curvature_destroy(pc_alpha_curvature* t)
{
  if (!t) return;
  pc_stage_tangent_destroy(t->smooth.tangent);
  pc_stage_tangent_destroy(t->positions.tangent);
  pc_stage_blocks_destroy(t->blocks);
  pc_terms_destroy(t->ahead);
  void* array[] = {t->own, t->part, (void*)t->B, (void*)t->T, (void*)t->scaled_T, t->values,
                   t->q,   t->d,    t->along,    t->slope,    t->scratch};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(t);
}

static void place_values(own_part* own, double** at)
{
  size_t q = (size_t)own->part->q_count, u = (size_t)own->part->u_count;
  double** array[] = {&own->B, &own->slope, &own->T, &own->scaled_T, &own->BB, &own->column};
  for (int i = 0; i < 6; i++) {
    *array[i] = *at;
    *at += (i < 2 ? q : i < 5 ? u : 1) * u;
  }
}

static pc_status create_own(const pc_system* system, pc_alpha_curvature* t, pc_error* error)
{
  int parts = pc_system_part_count(system);
  size_t size = 0;
  t->own = pc_alloc((size_t)parts, sizeof *t->own);
  t->part = pc_alloc((size_t)parts, sizeof *t->part);
  if (!t->own || !t->part) return pc_no_memory(error);
  for (int p = 0; p < parts; p++) {
    const pc_part* part;
    PC_TRY(pc_system_part(system, (pc_part_id){p}, &part, error));
    t->own[p] = part->kinematics.q_dot ? t->own_count++ : -1;
    if (t->own[p] < 0) continue;
    own_part* own = &t->part[t->own[p]];
    *own = (own_part){.part = part, .lead = part->kinematics.plain};
    size += (size_t)(part->u_count * (2 * part->q_count + 3 * part->u_count + 1));
    if (part->u_count - own->lead > t->columns) t->columns = part->u_count - own->lead;
  }
  size_t own = (size_t)t->own_count;
  t->values = pc_alloc(size, sizeof(double));
  t->B = pc_alloc(own, sizeof *t->B);
  t->T = pc_alloc(own, sizeof *t->T);
  t->scaled_T = pc_alloc(own, sizeof *t->scaled_T);
  if (!t->values || !t->B || !t->T || !t->scaled_T) return pc_no_memory(error);
  double* at = t->values;
  for (int o = 0; o < t->own_count; o++) {
    place_values(&t->part[o], &at);
    t->B[o] = t->part[o].B;
    t->T[o] = t->part[o].T;
    t->scaled_T[o] = t->part[o].scaled_T;
  }
  return PC_OK;
}

/* With more contacts than this, the pattern of the matrices follows those that act. */
enum { LISTED_MAX = 30 };

static pc_status create_matrices(pc_alpha_curvature* t, const pc_alpha_model* m, pc_error* error)
{
  if (m->contacts > LISTED_MAX)
    return pc_stage_blocks_create(m->system, 1, 0, 1, &t->blocks, error);
  PC_TRY(pc_stage_tangent_create(m->system, 1, 1, &t->smooth.tangent, error));
  return pc_stage_tangent_create(m->system, 1, 1, &t->positions.tangent, error);
}

pc_status pc_alpha_curvature_create(const pc_alpha_model* m, pc_alpha_curvature** curvature,
                                    pc_error* error)
{
  *curvature = NULL;
  pc_alpha_curvature* t = pc_alloc(1, sizeof *t);
  if (!t) return pc_no_memory(error);
  t->q = pc_alloc((size_t)m->n_q, sizeof *t->q);
  t->d = pc_alloc((size_t)m->n_u, sizeof *t->d);
  t->slope = pc_alloc((size_t)m->n_u, sizeof *t->slope);
  t->along = pc_alloc((size_t)m->n_u, sizeof *t->along);
  t->scratch = pc_alloc((size_t)m->n_q + (size_t)m->n_u, sizeof *t->scratch);
  pc_status status = t->q && t->d && t->slope && t->along && t->scratch
                         ? create_own(m->system, t, error)
                         : pc_no_memory(error);
  if (status == PC_OK) status = create_matrices(t, m, error);
  if (status == PC_OK)
    status = pc_terms_create(m->system, PC_TERM_W | PC_TERM_W_Q, &t->ahead, error);
  if (status != PC_OK) {
    pc_alpha_curvature_destroy(t);
    return status;
  }
  *curvature = t;
  return PC_OK;
}

static pc_alpha_operator operator_of(const pc_alpha_curvature* t, const level_matrix* matrix)
{
  if (!t->blocks) return pc_alpha_operator_of(pc_stage_tangent_matrix(matrix->tangent));
  return (pc_alpha_operator){.blocks = t->blocks, .at = &matrix->at};
}

pc_alpha_operator pc_alpha_curvature_matrix(const pc_alpha_curvature* t)
{
  return operator_of(t, &t->smooth);
}

pc_alpha_operator pc_alpha_curvature_position_matrix(const pc_alpha_curvature* t)
{
  return operator_of(t, &t->positions);
}

pc_stage_motion pc_alpha_curvature_motion(const pc_alpha_curvature* t)
{
  static const double still = 0, moves = 1;
  return (pc_stage_motion){.m = 1, .v = &still, .c = &moves, .own = t->own, .B = t->B, .T = t->T};
}

/* ---- T ------------------------------------------------------------------------------------ */

/* dq/dd of all parts at once, one velocity of each after the other, by differences. Those that have
 * q' = u are left out: the others are turns, which have no unit of length. */
static void find_slopes(pc_alpha_curvature* t, const pc_alpha_model* m, const pc_state* state,
                        const pc_alpha_step* step, const pc_alpha_iterate* x)
{
  double by = 0;
  for (int o = 0; o < t->own_count; o++) {
    const own_part* own = &t->part[o];
    for (int i = own->lead; i < own->part->u_count; i++)
      by = pc_larger(by, fabs(x->d[own->part->u_first + i]));
  }
  by = sqrt(DBL_EPSILON) * (1 + by);
  for (int c = 0; c < t->columns; c++) {
    pc_copy(m->n_u, x->d, t->d);
    for (int o = 0; o < t->own_count; o++) {
      const own_part* own = &t->part[o];
      if (own->lead + c < own->part->u_count) t->d[own->part->u_first + own->lead + c] += by;
    }
    pc_system_retract(m->system, state->t, step->dt, state->q, t->d, t->scratch, t->q);
    for (int o = 0; o < t->own_count; o++) {
      const own_part* own = &t->part[o];
      int first = own->part->q_first, n_u = own->part->u_count;
      for (int k = own->lead; own->lead + c < n_u && k < own->part->q_count; k++)
        own->slope[k * n_u + own->lead + c] = (t->q[first + k] - x->q[first + k]) / by;
    }
  }
}

/* T = B^+ dq/dd past the lead, with B^+ = (B'B)^-1 B'. */
static pc_status solve_T(const own_part* own, double dq_dv, pc_error* error)
{
  int n_u = own->part->u_count, n_q = own->part->q_count, lead = own->lead, n = n_u - lead;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      double *BB = &own->BB[a * n + b], *T = &own->T[(lead + b) * n_u + lead + a];
      *BB = *T = 0;
      for (int k = lead; k < n_q; k++) {
        *BB += own->B[k * n_u + lead + a] * own->B[k * n_u + lead + b];
        *T += own->B[k * n_u + lead + b] * own->slope[k * n_u + lead + a];
      }
    }
  if (pc_cholesky_factor(n, own->BB) != PC_OK)
    return pc_fail(error, PC_SINGULAR, "B of '%s' has no full rank", own->part->name);
  double* column = own->column;
  for (int a = 0; a < n; a++) {
    for (int b = 0; b < n; b++) column[b] = own->T[(lead + b) * n_u + lead + a];
    pc_cholesky_solve(n, own->BB, column);
    for (int b = 0; b < n; b++) own->T[(lead + b) * n_u + lead + a] = column[b];
  }
  for (int a = 0; a < lead; a++) own->T[a * n_u + a] = 1;
  for (int i = 0; i < n_u * n_u; i++) own->scaled_T[i] = dq_dv * own->T[i];
  return PC_OK;
}

static pc_status find_T(pc_alpha_curvature* t, const pc_alpha_model* m, const pc_state* state,
                        const pc_alpha_step* step, const pc_alpha_iterate* x, pc_error* error)
{
  if (t->own_count == 0) return PC_OK;
  find_slopes(t, m, state, step, x);
  for (int o = 0; o < t->own_count; o++) {
    const own_part* own = &t->part[o];
    own->part->kinematics.B(own->part->user, step->t, x->q + own->part->q_first, own->B);
    PC_TRY(solve_T(own, step->dq_dv, error));
  }
  return PC_OK;
}

/* What is not an assembly is filled and factorised with its constraints. */
static pc_status factor(const pc_alpha_curvature* t, const level_matrix* matrix, pc_error* error)
{
  if (t->blocks) return PC_OK;
  pc_status status = pc_stage_tangent_factor(matrix->tangent, &matrix->at, NULL);
  return status == PC_OK ? PC_OK : pc_fail(error, status, "the scheme's matrix cannot be inverted");
}

pc_status pc_alpha_curvature_factor(pc_alpha_curvature* t, const pc_alpha_model* m,
                                    const pc_terms* terms, const pc_state* state,
                                    const pc_alpha_step* step, const pc_alpha_iterate* x,
                                    pc_error* error)
{
  PC_TRY(find_T(t, m, state, step, x, error));
  level_matrix* matrix = &t->smooth;
  matrix->motion = pc_alpha_curvature_motion(t);
  matrix->motion.v = &step->du_dv;
  matrix->motion.c = &step->dq_dv;
  matrix->motion.T = t->scaled_T;
  matrix->at = (pc_stage_at){.terms = terms, .f = 1, .P = x->lambda, .motion = &matrix->motion};
  return factor(t, matrix, error);
}

pc_status pc_alpha_curvature_factor_positions(pc_alpha_curvature* t, const pc_alpha_model* m,
                                              const pc_terms* terms, const pc_state* state,
                                              const pc_alpha_step* step, const pc_alpha_iterate* x,
                                              pc_error* error)
{
  PC_TRY(find_T(t, m, state, step, x, error));
  level_matrix* matrix = &t->positions;
  matrix->motion = pc_alpha_curvature_motion(t);
  matrix->at = (pc_stage_at){.terms = terms, .f = 0, .P = x->nu, .motion = &matrix->motion};
  return factor(t, matrix, error);
}

/* ---- curvature of rows ----------------------------------------------------------------------- */

/* The third derivative of a constraint along the motion twice is the change of its second one along
 * the motion: with q' = u,  d(zeta)/dq = d/de [d(W u + chi)/dq](q + e u). So one more look at W_q,
 * a little ahead, is enough for all rows. Where q' = B u the orders of differentiation matter, and
 * the term is left out. */
void pc_alpha_evaluate_ahead(pc_alpha_curvature* t, const pc_alpha_model* m,
                             const pc_alpha_step* step, const pc_alpha_iterate* x)
{
  double q = 0, u = 0, by = 0;
  for (int i = 0; t->own_count == 0 && i < m->n_u; i++) {
    q = pc_larger(q, fabs(x->q[i]));
    u = pc_larger(u, fabs(x->u[i]));
  }
  if (u > 0) {
    by = sqrt(DBL_EPSILON) * (q > 0 ? q / u : step->dt);
    for (int i = 0; i < m->n_u; i++) t->q[i] = x->q[i] + by * x->u[i];
    pc_terms_evaluate(t->ahead, &(pc_at){step->t, t->q, x->u, NULL});
  }
  for (int i = 0; i < m->n_u; i++) t->along[i] = x->v_dot[i] - (by > 0 ? x->u[i] / by : 0);
  t->ahead_by = by;
}

void pc_alpha_add_velocity_curvature(const pc_alpha_curvature* t, const pc_terms* terms, int row,
                                     const double* u, double scale, double* out)
{
  pc_stage_motion motion = pc_alpha_curvature_motion(t);
  pc_terms_velocity_slope(terms, row, &motion, u, t->slope);
  pc_terms_add_velocity_row(terms, row, &motion, t->slope, scale, out);
}

void pc_alpha_add_acceleration_curvature(const pc_alpha_curvature* t, const pc_terms* terms,
                                         const pc_alpha_iterate* x, int row, double* out)
{
  double by = t->ahead_by;
  pc_alpha_add_velocity_curvature(t, terms, row, t->along, 1, out);
  if (by > 0) pc_alpha_add_velocity_curvature(t, t->ahead, row, x->u, 1 / by, out);
  if (terms->chi[row] == 0) return;
  double share = by > 0 ? 1 + 1 / by : 1; /* chi counts with u, and not with v' */
  pc_alpha_add_velocity_curvature(t, terms, row, terms->work.zero, -share, out);
}
