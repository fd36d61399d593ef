#include "steps/consistent_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "contact/contact_problem.h"
#include "linalg/copy.h"
#include "system/inspect.h"
#include "system/stages.h"

struct pc_consistent_start {
  const pc_system* system;
  int n_u, rows, bilateral_count, contact_count;
  pc_contact_info* contact; /* all of the system */
  pc_contact_motion* mode;  /* of each contact */
  pc_terms* terms;
  pc_assembly* M;
  pc_contact_problem* problem;

  /* The unknowns of the contact problem. Friction that slides is none: a sliding contact has one
   * unknown, its normal force, which acts along W_N - mu W_F s, with s the direction of slip. */
  int row_count, cone_count;
  int* place; /* the system's row of each */
  pc_row *row, *force;
  double* drive; /* the values of the directions of sliding contacts */
  /* by rows of the system, contacts only: force per unit of its contact's normal force */
  double* friction_ratio;
  pc_cone* cone;
  double* c; /* zeta */
  double* P;
  double* none;  /* zeros, for the bilateral rows */
  double* share; /* forces of the bilateral rows that contact forces cause */
};

static pc_status create_problem(pc_consistent_start* s, const char* solver, pc_error* error)
{
  pc_contact_problem_def def = {.n = s->n_u,
                                .bilateral_max = s->bilateral_count,
                                .contact_max = s->rows - s->bilateral_count,
                                .solver = solver,
                                .settings = pc_default_solver_settings()};
  for (int k = 0; k < s->contact_count; k++)
    if (s->contact[k].dimension > def.friction) def.friction = s->contact[k].dimension;
  return pc_contact_problem_create(&def, &s->problem, error);
}

static pc_status create_arrays(pc_consistent_start* s)
{
  size_t contacts = (size_t)s->contact_count, rows = (size_t)(s->rows - s->bilateral_count);
  size_t width = 0;
  for (int k = 0; k < s->contact_count; k++)
    width += (size_t)pc_system_row_width(s->system, pc_system_contact_row(s->system, k));
  s->contact = pc_alloc(contacts, sizeof *s->contact);
  s->mode = pc_alloc(contacts, sizeof *s->mode);
  s->cone = pc_alloc(contacts, sizeof *s->cone);
  s->place = pc_alloc(rows, sizeof *s->place);
  s->row = pc_alloc(rows, sizeof *s->row);
  s->force = pc_alloc(rows, sizeof *s->force);
  s->drive = pc_alloc(width, sizeof *s->drive);
  s->friction_ratio = pc_alloc(rows, sizeof *s->friction_ratio);
  s->c = pc_alloc(rows, sizeof *s->c);
  s->P = pc_alloc(rows, sizeof *s->P);
  s->none = pc_alloc((size_t)s->bilateral_count, sizeof *s->none);
  s->share = pc_alloc((size_t)s->bilateral_count, sizeof *s->share);
  int made = s->contact && s->mode && s->cone && s->place && s->row && s->force && s->drive &&
             s->friction_ratio && s->c && s->P && s->none && s->share;
  return made ? PC_OK : PC_OUT_OF_MEMORY;
}

static pc_status create_parts(pc_consistent_start* s, const char* solver, pc_error* error)
{
  const pc_system* system = s->system;
  if (create_arrays(s) != PC_OK) return pc_no_memory(error);
  for (int k = 0; k < s->contact_count; k++) s->contact[k] = pc_system_contact(system, k);
  unsigned mask = PC_TERM_M | PC_TERM_H | PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q | PC_TERM_ZETA;
  PC_TRY(pc_terms_create(system, mask, &s->terms, error));
  PC_TRY(pc_system_create_tangent(system, &s->M, error));
  return create_problem(s, solver, error);
}

pc_status pc_consistent_start_create(const pc_system* system, const char* solver,
                                     pc_consistent_start** start, pc_error* error)
{
  *start = NULL;
  pc_consistent_start* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->system = system;
  s->n_u = pc_system_u_count(system);
  s->rows = pc_system_row_count(system);
  s->bilateral_count = pc_system_g_count(system) + pc_system_gamma_count(system);
  s->contact_count = pc_system_contact_count(system);
  pc_status status = create_parts(s, solver, error);
  if (status != PC_OK) {
    pc_consistent_start_destroy(s);
    return status;
  }
  *start = s;
  return PC_OK;
}

void pc_consistent_start_destroy(pc_consistent_start* s)
{
  if (!s) return;
  void* array[] = {s->contact, s->mode,           s->cone, s->place, s->row,  s->force,
                   s->drive,   s->friction_ratio, s->c,    s->P,     s->none, s->share};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_terms_destroy(s->terms);
  pc_assembly_destroy(s->M);
  pc_contact_problem_destroy(s->problem);
  free(s);
}

/* ---- which contacts are closed -------------------------------------------------------------- */

double pc_rest_tolerance(const pc_terms* terms, int row, const double* u)
{
  pc_row r = terms->row[row];
  double scale = fabs(terms->chi[row]);
  const double* w = r.w;
  for (int b = 0; b < r.block_count; b++)
    for (int i = 0; i < r.block[b].width; i++) scale += fabs(*w++ * u[r.block[b].first + i]);
  return pc_larger(PC_REST_SHARE * scale, PC_REST_SPEED);
}

static int slips(const pc_terms* terms, const pc_contact_info* c, const double* u)
{
  for (int d = 1; d <= c->dimension; d++)
    if (fabs(pc_terms_row_velocity(terms, c->row + d, u)) > pc_rest_tolerance(terms, c->row + d, u))
      return 1;
  return 0;
}

static pc_contact_motion find_mode(const pc_terms* terms, const pc_contact_info* c, const double* u)
{
  if (!(terms->y[c->row] <= PC_CLOSED_GAP)) return PC_MOTION_OPEN;
  double speed = pc_terms_row_velocity(terms, c->row, u);
  double tolerance = pc_rest_tolerance(terms, c->row, u);
  if (speed > tolerance) return PC_MOTION_LEAVING;
  if (speed < -tolerance) return PC_MOTION_IMPACT;
  return slips(terms, c, u) ? PC_MOTION_SLIDING : PC_MOTION_RESTING;
}

pc_status pc_consistent_start_evaluate(pc_consistent_start* s, double t, const double* q,
                                       const double* u, pc_error* error)
{
  pc_at at = {t, q, u, NULL};
  pc_terms_evaluate(s->terms, &at);
  pc_terms_tangent(s->terms, &at, 1, 0, 0, s->M);
  pc_status status = pc_assembly_factor(s->M);
  char where[256];
  if (pc_find_not_finite(s->terms, &at, where, sizeof where))
    return pc_fail(error, PC_NOT_FINITE, "%s is not finite", where);
  pc_terms_evaluate(s->terms, &at); /* the search has left them incomplete */
  if (status != PC_OK) {
    pc_find_massless(s->terms, where, sizeof where);
    return pc_fail(error, status, "the mass matrix cannot be inverted: %s", where);
  }
  for (int k = 0; k < s->contact_count; k++) s->mode[k] = find_mode(s->terms, &s->contact[k], u);
  return PC_OK;
}

/* ---- the contact problem at acceleration level ----------------------------------------------- */

/* -mu gamma_F/|gamma_F| for the friction rows of a sliding contact. */
static void set_friction_ratio(pc_consistent_start* s, const pc_contact_info* c, const double* u)
{
  double square = 0, *friction_ratio = s->friction_ratio + c->row + 1 - s->bilateral_count;
  for (int d = 0; d < c->dimension; d++) {
    friction_ratio[d] = pc_terms_row_velocity(s->terms, c->row + 1 + d, u);
    square += friction_ratio[d] * friction_ratio[d];
  }
  for (int d = 0; d < c->dimension; d++) friction_ratio[d] *= -c->mu / sqrt(square);
}

/* W_N - mu W_F s of a sliding contact, at `value`. */
static pc_row sliding_force(const pc_consistent_start* s, const pc_contact_info* c, double* value)
{
  pc_row normal = s->terms->row[c->row];
  const double* friction_ratio = s->friction_ratio + c->row - s->bilateral_count;
  int width = pc_system_row_width(s->system, c->row);
  for (int i = 0; i < width; i++) {
    value[i] = normal.w[i];
    for (int d = 1; d <= c->dimension; d++)
      value[i] += friction_ratio[d] * s->terms->row[c->row + d].w[i];
  }
  return (pc_row){normal.block_count, normal.block, value};
}

static void add_contact(pc_consistent_start* s, int k, const double* u, double** value)
{
  const pc_contact_info* c = &s->contact[k];
  int slides = s->mode[k] == PC_MOTION_SLIDING, dimension = slides ? 0 : c->dimension;
  s->cone[s->cone_count++] = (pc_cone){s->row_count, dimension, slides ? 0 : c->mu};
  for (int d = 0; d <= dimension; d++, s->row_count++) {
    s->place[s->row_count] = c->row + d;
    s->row[s->row_count] = s->force[s->row_count] = s->terms->row[c->row + d];
    s->c[s->row_count] = s->terms->zeta[c->row + d];
    s->P[s->row_count] = 0;
  }
  if (!slides) return;
  set_friction_ratio(s, c, u);
  s->force[s->row_count - 1] = sliding_force(s, c, *value);
  *value += pc_system_row_width(s->system, c->row);
}

/* The closed contacts; those that slide make the operator unsymmetric. Returns whether there are
 * any. */
static int collect_contacts(pc_consistent_start* s, const double* u)
{
  double* value = s->drive;
  int sliding = 0;
  s->row_count = s->cone_count = 0;
  for (int k = 0; k < s->contact_count; k++) {
    sliding |= s->mode[k] == PC_MOTION_SLIDING;
    if (s->mode[k] == PC_MOTION_SLIDING || s->mode[k] == PC_MOTION_RESTING)
      add_contact(s, k, u, &value);
  }
  return sliding;
}

/* Forces on all rows of the contacts. */
static void expand(const pc_consistent_start* s, double* lambda)
{
  for (int r = 0; r < s->row_count; r++) lambda[s->place[r]] = s->P[r];
  for (int k = 0; k < s->contact_count; k++) {
    const pc_contact_info* c = &s->contact[k];
    if (s->mode[k] != PC_MOTION_SLIDING) continue;
    for (int d = 1; d <= c->dimension; d++)
      lambda[c->row + d] = s->friction_ratio[c->row + d - s->bilateral_count] * lambda[c->row];
  }
}

/* a and lambda with the forces of joints alone. */
static pc_status solve_joints(pc_consistent_start* s, double* a, double* lambda, pc_error* error)
{
  memset(lambda, 0, (size_t)s->rows * sizeof *lambda);
  memcpy(a, s->terms->h, (size_t)s->n_u * sizeof *a);
  pc_assembly_solve(s->M, a);
  PC_TRY(
      pc_contact_problem_set_bilateral(s->problem, s->M, s->bilateral_count, s->terms->row, error));
  return pc_contact_problem_project(s->problem, s->terms->zeta, a, lambda, error);
}

/* Adds the forces of contacts, and of joints because of them, to a and lambda with the forces of
 * joints alone. */
static pc_status solve_contacts(pc_consistent_start* s, const double* u, double* a, double* lambda,
                                pc_solver_info* info, pc_error* error)
{
  int sliding = collect_contacts(s, u);
  if (s->cone_count == 0) return PC_OK;
  PC_TRY(pc_contact_problem_set_contacts(s->problem, s->cone_count, s->cone, s->row,
                                         sliding ? s->force : NULL, error));
  pc_zero(s->bilateral_count, s->share); /* also the solver's guess */
  PC_TRY(
      pc_contact_problem_solve(s->problem, s->terms->zeta, s->c, a, s->share, s->P, info, error));
  if (info->accepted) {
    for (int r = 0; r < s->bilateral_count; r++) lambda[r] += s->share[r];
    expand(s, lambda);
    return PC_OK;
  }
  PC_TRY(solve_joints(s, a, lambda, error));
  return pc_fail(error, PC_NOT_CONVERGED,
                 "no contact forces were found that fit the state (%s, residual %.3g)",
                 info->solver, info->residual);
}

pc_status pc_consistent_start_solve(pc_consistent_start* s, double t, const double* q,
                                    const double* u, double* a, double* lambda,
                                    pc_solver_info* info, pc_error* error)
{
  *info = (pc_solver_info){.converged = 1, .accepted = 1};
  PC_TRY(pc_consistent_start_evaluate(s, t, q, u, error));
  PC_TRY(solve_joints(s, a, lambda, error));
  return solve_contacts(s, u, a, lambda, info, error);
}

/* ---- after a step ---------------------------------------------------------------------------- */

/* Friction is that of slip if it lies on the border of its cone, up to the accuracy of solvers. */
static const double ON_THE_CONE = 1 - 1e-6;

static int held_by_friction(const pc_contact_info* c, const double* P)
{
  double square = 0;
  for (int d = 1; d <= c->dimension; d++) square += P[c->row + d] * P[c->row + d];
  return sqrt(square) < ON_THE_CONE * c->mu * P[c->row];
}

/* `a` is the acceleration without forces of contacts. */
static pc_contact_motion find_mode_after(const pc_terms* terms, const pc_contact_info* c,
                                         const pc_state* state, double dt, const double* a)
{
  if (!(state->P[c->row] > 0)) return find_mode(terms, c, state->u);
  double speed = pc_terms_row_velocity(terms, c->row, state->u);
  double change = dt * (pc_row_dot(terms->row[c->row], a) + terms->zeta[c->row]);
  double tolerance = pc_larger(pc_rest_tolerance(terms, c->row, state->u), fabs(change));
  if (speed > tolerance) return PC_MOTION_LEAVING;
  if (speed < -tolerance) return PC_MOTION_IMPACT;
  return held_by_friction(c, state->P) || !slips(terms, c, state->u) ? PC_MOTION_RESTING
                                                                     : PC_MOTION_SLIDING;
}

pc_status pc_consistent_start_solve_after(pc_consistent_start* s, const pc_state* state, double dt,
                                          double* a, double* lambda)
{
  pc_solver_info info = {.converged = 1, .accepted = 1};
  PC_TRY(pc_consistent_start_evaluate(s, state->t, state->q, state->u, NULL));
  PC_TRY(solve_joints(s, a, lambda, NULL));
  for (int k = 0; k < s->contact_count; k++)
    s->mode[k] = find_mode_after(s->terms, &s->contact[k], state, dt, a);
  return solve_contacts(s, state->u, a, lambda, &info, NULL);
}

/* ---- looking at it -------------------------------------------------------------------------- */

pc_contact_motion pc_consistent_start_mode(const pc_consistent_start* s, int contact)
{
  return s->mode[contact];
}

const pc_terms* pc_consistent_start_terms(const pc_consistent_start* s)
{
  return s->terms;
}

const pc_assembly* pc_consistent_start_mass(const pc_consistent_start* s)
{
  return s->M;
}

void pc_consistent_start_project(pc_consistent_start* s, double* x)
{
  if (pc_contact_problem_project(s->problem, s->none, x, NULL, NULL) != PC_OK)
    for (int i = 0; i < s->n_u; i++) x[i] = NAN;
}

pc_status pc_consistent_start_rank(pc_consistent_start* s, int* rank, pc_error* error)
{
  return pc_contact_problem_rank(s->problem, rank, error);
}
