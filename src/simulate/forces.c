#include "simulate/forces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "steps/consistent_start.h"

struct pc_forces {
  int n_u, rows;
  pc_consistent_start* at_state;
  double *a, *y_ddot, *lambda;
};

pc_status pc_forces_create(const pc_system* system, const pc_scheme_settings* settings,
                           pc_forces** forces, pc_error* error)
{
  *forces = NULL;
  pc_forces* f = pc_alloc(1, sizeof *f);
  if (!f) return pc_no_memory(error);
  f->n_u = pc_system_u_count(system);
  f->rows = pc_system_row_count(system);
  f->a = pc_alloc((size_t)f->n_u, sizeof *f->a);
  f->y_ddot = pc_alloc((size_t)f->rows, sizeof *f->y_ddot);
  f->lambda = pc_alloc((size_t)f->rows, sizeof *f->lambda);
  pc_status status = f->a && f->y_ddot && f->lambda
                         ? pc_consistent_start_create(system, settings->solver, &f->at_state, error)
                         : pc_no_memory(error);
  if (status != PC_OK) {
    pc_forces_destroy(f);
    return status;
  }
  *forces = f;
  return PC_OK;
}

void pc_forces_destroy(pc_forces* f)
{
  if (!f) return;
  pc_consistent_start_destroy(f->at_state);
  free(f->a);
  free(f->y_ddot);
  free(f->lambda);
  free(f);
}

static void forget(pc_forces* f)
{
  for (int i = 0; i < f->n_u; i++) f->a[i] = NAN;
  for (int r = 0; r < f->rows; r++) f->y_ddot[r] = f->lambda[r] = NAN;
}

/* The unknowns of a scheme that has them. */
static pc_status copy_from_scheme(pc_forces* f, const pc_scheme_ops* ops, void* scheme,
                                  const pc_state* state)
{
  const double *a, *lambda;
  ops->forces(scheme, state, &a, &lambda);
  memcpy(f->a, a, (size_t)f->n_u * sizeof *a);
  if (f->rows) memcpy(f->lambda, lambda, (size_t)f->rows * sizeof *lambda);
  return pc_consistent_start_evaluate(f->at_state, state->t, state->q, state->u, NULL);
}

void pc_forces_compute(pc_forces* f, const pc_scheme_ops* ops, void* scheme, const pc_state* state,
                       double dt)
{
  pc_status status = ops->forces
                         ? copy_from_scheme(f, ops, scheme, state)
                         : pc_consistent_start_solve_after(f->at_state, state, dt, f->a, f->lambda);
  if (status != PC_OK) {
    forget(f);
    return;
  }
  const pc_terms* terms = pc_consistent_start_terms(f->at_state);
  for (int r = 0; r < f->rows; r++) f->y_ddot[r] = pc_row_dot(terms->row[r], f->a) + terms->zeta[r];
}

void pc_forces_show(const pc_forces* f, pc_output_at* at)
{
  at->a = f ? f->a : NULL;
  at->y_ddot = f ? f->y_ddot : NULL;
  at->lambda = f ? f->lambda : NULL;
}
