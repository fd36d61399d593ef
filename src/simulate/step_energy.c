#include "simulate/step_energy.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "contact/contact_problem.h"
#include "system/terms.h"

typedef struct work {
  const pc_system* system;
  double dt;
  int n, joints; /* velocities; rows of joints */
  pc_terms* terms;
  pc_assembly* tangent;
  double *v, *none; /* n; zeros for the rows of joints */
} work;

static pc_status create(work* w, pc_error* error)
{
  unsigned mask = PC_TERM_M | PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U | (w->joints ? PC_TERM_W : 0u);
  w->v = pc_alloc((size_t)w->n, sizeof *w->v);
  w->none = pc_alloc((size_t)w->joints, sizeof *w->none);
  if (!w->v || !w->none) return pc_no_memory(error);
  PC_TRY(pc_terms_create(w->system, mask, &w->terms, error));
  return pc_system_create_tangent(w->system, &w->tangent, error);
}

static void clear(work* w)
{
  pc_assembly_destroy(w->tangent);
  pc_terms_destroy(w->terms);
  free(w->v);
  free(w->none);
}

/* Takes from v what joints do not allow. */
static pc_status hold_joints(work* w, pc_error* error)
{
  pc_contact_problem_def def = {
      .n = w->n, .bilateral_max = w->joints, .settings = pc_default_solver_settings()};
  pc_contact_problem* problem;
  PC_TRY(pc_contact_problem_create(&def, &problem, error));
  pc_status status =
      pc_contact_problem_set_bilateral(problem, w->tangent, w->joints, w->terms->row, error);
  if (status == PC_OK) status = pc_contact_problem_project(problem, w->none, w->v, NULL, error);
  pc_contact_problem_destroy(problem);
  return status;
}

/* With the tangent M - dt c h_u - dt^2 c h_q B: c = 1, or 0 for M alone. Negative where that is
 * singular. */
static pc_status compute(work* w, double c, double* energy, pc_error* error)
{
  const double* h = w->terms->h;
  pc_at at = {0, pc_system_q0(w->system), NULL, NULL};
  *energy = -1;
  pc_terms_tangent(w->terms, &at, 1, c * w->dt, c * w->dt * w->dt, w->tangent);
  if (pc_assembly_factor(w->tangent) != PC_OK) return PC_OK;
  for (int i = 0; i < w->n; i++) w->v[i] = w->dt * h[i];
  pc_assembly_solve(w->tangent, w->v);
  if (w->joints) PC_TRY(hold_joints(w, error));
  double sum = 0;
  for (int i = 0; i < w->n; i++) sum += h[i] * w->v[i];
  *energy = w->dt * sum / 2;
  return PC_OK;
}

/* Forces that push away from a place (an inverted pendulum) may leave no positive tangent in a long
 * step: then they are taken as they are at its start. */
static pc_status compute_either(work* w, double* energy, pc_error* error)
{
  PC_TRY(compute(w, 1, energy, error));
  if (*energy >= 0 && isfinite(*energy)) return PC_OK;
  PC_TRY(compute(w, 0, energy, error));
  if (!(*energy >= 0 && isfinite(*energy))) *energy = 0;
  return PC_OK;
}

pc_status pc_find_step_energy(const pc_system* system, double dt, double* energy, pc_error* error)
{
  work w = {.system = system,
            .dt = dt,
            .n = pc_system_u_count(system),
            .joints = pc_system_g_count(system) + pc_system_gamma_count(system)};
  pc_error why = {0};
  *energy = 0;
  pc_status status = create(&w, &why);
  if (status == PC_OK) {
    pc_terms_evaluate(w.terms, &(pc_at){0, pc_system_q0(system), NULL, NULL});
    status = compute_either(&w, energy, &why);
  }
  clear(&w);
  if (status == PC_OUT_OF_MEMORY) return pc_no_memory(error);
  if (status != PC_OK) *energy = 0; /* rows that are not finite: a step will say so */
  return PC_OK;
}
