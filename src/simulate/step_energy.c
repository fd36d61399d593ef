#include "simulate/step_energy.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "contact/contact_problem.h"
#include "steps/consistent_start.h"
#include "system/terms.h"

typedef struct work {
  const pc_system* system;
  double dt;
  int n, joints, contacts; /* velocities; rows of joints; contacts */
  pc_terms* terms;
  pc_assembly* tangent;
  double *v, *none; /* n; zeros for the rows that are held */
  pc_row* held;     /* those of joints, then normals of contacts ... */
  int held_count;
  unsigned char* is_held; /* ... which are these */
} work;

static pc_status create(work* w, unsigned more, pc_error* error)
{
  size_t rows = (size_t)w->joints + (size_t)w->contacts;
  unsigned mask = more | PC_TERM_M | PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U |
                  (rows ? PC_TERM_Y | PC_TERM_W : 0u);
  w->v = pc_alloc((size_t)w->n, sizeof *w->v);
  w->none = pc_alloc(rows, sizeof *w->none);
  w->held = pc_alloc(rows, sizeof *w->held);
  w->is_held = pc_alloc((size_t)w->contacts, sizeof *w->is_held);
  if (!w->v || !w->none || !w->held || !w->is_held) return pc_no_memory(error);
  PC_TRY(pc_terms_create(w->system, mask, &w->terms, error));
  return pc_system_create_tangent(w->system, &w->tangent, error);
}

static void clear(work* w)
{
  pc_assembly_destroy(w->tangent);
  pc_terms_destroy(w->terms);
  free(w->v);
  free(w->none);
  free(w->held);
  free(w->is_held);
}

/* Takes from v what joints and the contacts that are held do not allow. */
static pc_status hold(work* w, pc_error* error)
{
  pc_contact_problem_def def = {
      .n = w->n, .bilateral_max = w->held_count, .settings = pc_default_solver_settings()};
  pc_contact_problem* problem;
  PC_TRY(pc_contact_problem_create(&def, &problem, error));
  pc_status status =
      pc_contact_problem_set_bilateral(problem, w->tangent, w->held_count, w->held, error);
  if (status == PC_OK) status = pc_contact_problem_project(problem, w->none, w->v, NULL, error);
  pc_contact_problem_destroy(problem);
  return status;
}

/* Holds the closed contacts that v would close further; returns how many these are. */
static int press_contacts(work* w)
{
  int before = w->held_count;
  for (int k = 0; k < w->contacts; k++) {
    int row = pc_system_contact(w->system, k).row;
    if (w->is_held[k] || !(w->terms->y[row] <= PC_CLOSED_GAP)) continue;
    pc_row normal = pc_terms_row(w->terms, row);
    if (!(pc_row_dot(normal, w->v) < 0)) continue;
    w->is_held[k] = 1;
    w->held[w->held_count++] = normal;
  }
  return w->held_count - before;
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
  w->held_count = w->joints;
  for (int r = 0; r < w->joints; r++) w->held[r] = pc_terms_row(w->terms, r);
  for (int k = 0; k < w->contacts; k++) w->is_held[k] = 0;
  do {
    for (int i = 0; i < w->n; i++) w->v[i] = w->dt * h[i];
    pc_assembly_solve(w->tangent, w->v);
    if (w->held_count) PC_TRY(hold(w, error));
  } while (press_contacts(w));
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

/* The velocity of least kinetic energy with W' v + chi = 0: T = v'M v/2 = -chi . P/2. */
static pc_status compute_driven(work* w, double* energy, pc_error* error)
{
  double *P = pc_alloc((size_t)w->joints, sizeof *P), sum = 0;
  if (!P) return pc_no_memory(error);
  pc_contact_problem_def def = {
      .n = w->n, .bilateral_max = w->joints, .settings = pc_default_solver_settings()};
  pc_contact_problem* problem = NULL;
  pc_status status = pc_contact_problem_create(&def, &problem, error);
  for (int r = 0; r < w->joints; r++) w->held[r] = pc_terms_row(w->terms, r);
  if (status == PC_OK)
    status = pc_contact_problem_set_bilateral(problem, w->tangent, w->joints, w->held, error);
  if (status == PC_OK) status = pc_contact_problem_project(problem, w->terms->chi, w->v, P, error);
  for (int r = 0; r < w->joints; r++) sum -= w->terms->chi[r] * P[r] / 2;
  if (status == PC_OK && sum > 0 && isfinite(sum)) *energy = sum;
  pc_contact_problem_destroy(problem);
  free(P);
  return status;
}

pc_status pc_find_driven_energy(const pc_system* system, double* energy, pc_error* error)
{
  work w = {.system = system,
            .n = pc_system_u_count(system),
            .joints = pc_system_g_count(system) + pc_system_gamma_count(system)};
  pc_at at = {0, pc_system_q0(system), pc_system_u0(system), NULL};
  pc_error why = {0};
  *energy = 0;
  if (!(pc_system_provides(system) & PC_TERM_CHI) || w.joints == 0) return PC_OK;
  pc_status status = create(&w, PC_TERM_CHI, &why);
  if (status == PC_OK) {
    pc_terms_evaluate(w.terms, &at);
    pc_terms_tangent(w.terms, &at, 1, 0, 0, w.tangent);
    if (pc_assembly_factor(w.tangent) == PC_OK) status = compute_driven(&w, energy, &why);
  }
  clear(&w);
  return status == PC_OUT_OF_MEMORY ? pc_no_memory(error) : PC_OK;
}

pc_status pc_find_step_energy(const pc_system* system, double dt, double* energy, pc_error* error)
{
  work w = {.system = system,
            .dt = dt,
            .n = pc_system_u_count(system),
            .joints = pc_system_g_count(system) + pc_system_gamma_count(system),
            .contacts = pc_system_contact_count(system)};
  pc_error why = {0};
  *energy = 0;
  pc_status status = create(&w, 0, &why);
  if (status == PC_OK) {
    pc_terms_evaluate(w.terms, &(pc_at){0, pc_system_q0(system), NULL, NULL});
    status = compute_either(&w, energy, &why);
  }
  clear(&w);
  if (status == PC_OUT_OF_MEMORY) return pc_no_memory(error);
  if (status != PC_OK) *energy = 0; /* rows that are not finite: a step will say so */
  return PC_OK;
}
