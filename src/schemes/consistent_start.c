#include "schemes/consistent_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"

struct pc_consistent_start {
  const pc_system* system;
  int n_u, rows, bilateral_count, contact_count;
  pc_contact_info* contact; /* all of the system */
  pc_contact_mode* mode;    /* of each contact */
  pc_terms* terms;
  pc_assembly* M;
  pc_delassus* delassus;
  pc_solver* solver; /* NULL if there are no contacts */

  /* Rows of the closed contacts, normal and friction, one contact after the other ... */
  int full_count;
  int* place; /* the system's row of each */
  pc_row* row;
  double* y;     /* accelerations without contact forces */
  double* force; /* their forces */

  /* ... of which the problem has fewer: friction that slides is no unknown. Unknown j acts on row
   * own[j]; of a sliding contact it drags along the friction rows behind it, by `drag`. */
  int problem_count, cone_count;
  int* own;
  double* drag; /* of each full row: force per unit of its contact's normal force */
  pc_cone* cone;
  double* A;
  double* b;
  double* P;
};

static pc_status create_solver(pc_consistent_start* s, const char* name, pc_error* error)
{
  int rows = s->rows - s->bilateral_count, friction = 0;
  for (int k = 0; k < s->contact_count; k++)
    if (s->contact[k].dimension > friction) friction = s->contact[k].dimension;
  if (rows == 0) return PC_OK;
  pc_solver_settings settings = pc_default_solver_settings();
  return pc_solver_create(name ? name : pc_default_solver(rows, friction), rows, s->contact_count,
                          friction, &settings, &s->solver, error);
}

static pc_status create_arrays(pc_consistent_start* s)
{
  size_t contacts = (size_t)s->contact_count, rows = (size_t)(s->rows - s->bilateral_count);
  s->contact = pc_alloc(contacts, sizeof *s->contact);
  s->mode = pc_alloc(contacts, sizeof *s->mode);
  s->cone = pc_alloc(contacts, sizeof *s->cone);
  s->place = pc_alloc(rows, sizeof *s->place);
  s->own = pc_alloc(rows, sizeof *s->own);
  s->row = pc_alloc(rows, sizeof *s->row);
  double** vector[] = {&s->y, &s->force, &s->drag, &s->b, &s->P};
  int bad = !s->contact || !s->mode || !s->cone || !s->place || !s->own || !s->row;
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    bad |= !(*vector[i] = pc_alloc(rows, sizeof(double)));
  bad |= !(s->A = pc_alloc(rows * rows, sizeof *s->A));
  return bad ? PC_OUT_OF_MEMORY : PC_OK;
}

static pc_status create_parts(pc_consistent_start* s, const char* solver, pc_error* error)
{
  const pc_system* system = s->system;
  if (create_arrays(s) != PC_OK) return pc_no_memory(error);
  for (int k = 0; k < s->contact_count; k++) s->contact[k] = pc_system_contact(system, k);
  unsigned mask = PC_TERM_M | PC_TERM_H | PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q | PC_TERM_ZETA;
  PC_TRY(pc_terms_create(system, mask, &s->terms, error));
  PC_TRY(pc_system_create_tangent(system, &s->M, error));
  PC_TRY(pc_delassus_create(s->n_u, s->bilateral_count, s->rows - s->bilateral_count, &s->delassus,
                            error));
  return create_solver(s, solver, error);
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
  void* array[] = {s->contact, s->mode,  s->cone, s->place, s->own, s->row,
                   s->y,       s->force, s->drag, s->b,     s->P,   s->A};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_terms_destroy(s->terms);
  pc_assembly_destroy(s->M);
  pc_delassus_destroy(s->delassus);
  pc_solver_destroy(s->solver);
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

static pc_contact_mode find_mode(const pc_terms* terms, const pc_contact_info* c, const double* u)
{
  if (!(terms->y[c->row] <= PC_CLOSED_GAP)) return PC_CONTACT_OPEN;
  double speed = pc_terms_row_velocity(terms, c->row, u);
  double tolerance = pc_rest_tolerance(terms, c->row, u);
  if (speed > tolerance) return PC_CONTACT_LEAVING;
  if (speed < -tolerance) return PC_CONTACT_IMPACT;
  return slips(terms, c, u) ? PC_CONTACT_SLIDING : PC_CONTACT_RESTING;
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

/* -mu gamma_F/|gamma_F| for the friction rows of a sliding contact, which begin at full row `at`. */
static void set_drag(pc_consistent_start* s, const pc_contact_info* c, int at, const double* u)
{
  double square = 0;
  for (int d = 0; d < c->dimension; d++) {
    double slip = pc_terms_row_velocity(s->terms, c->row + 1 + d, u);
    s->drag[at + d] = slip;
    square += slip * slip;
  }
  for (int d = 0; d < c->dimension; d++) s->drag[at + d] *= -c->mu / sqrt(square);
}

/* The full rows of the closed contacts, and those that are unknowns of the problem. */
static void collect_rows(pc_consistent_start* s, const double* u)
{
  s->full_count = s->problem_count = s->cone_count = 0;
  for (int k = 0; k < s->contact_count; k++) {
    const pc_contact_info* c = &s->contact[k];
    int slides = s->mode[k] == PC_CONTACT_SLIDING;
    if (!slides && s->mode[k] != PC_CONTACT_RESTING) continue;
    int dimension = slides ? 0 : c->dimension;
    s->cone[s->cone_count++] = (pc_cone){s->problem_count, dimension, slides ? 0 : c->mu};
    for (int d = 0; d <= dimension; d++) s->own[s->problem_count++] = s->full_count + d;
    for (int d = 0; d <= c->dimension; d++) {
      s->place[s->full_count + d] = c->row + d;
      s->row[s->full_count + d] = s->terms->row[c->row + d];
      s->drag[s->full_count + d] = 0;
    }
    if (slides) set_drag(s, c, s->full_count + 1, u);
    s->full_count += 1 + c->dimension;
  }
}

/* The forces on the full rows that unknown j stands for end before this full row. */
static int end_of(const pc_consistent_start* s, int j)
{
  return j + 1 < s->problem_count ? s->own[j + 1] : s->full_count;
}

/* The unit force of a sliding contact is W_N - mu W_F s: the columns of its friction rows are added
 * to that of its normal, the rows of its friction are left out, and A is not symmetric. */
static void reduce(pc_consistent_start* s, const double* D)
{
  int n = s->problem_count, full = s->full_count;
  for (int i = 0; i < n; i++) {
    const double* line = D + (size_t)s->own[i] * (size_t)full;
    s->b[i] = s->y[s->own[i]];
    s->P[i] = 0;
    for (int j = 0; j < n; j++) {
      double sum = line[s->own[j]];
      for (int r = s->own[j] + 1; r < end_of(s, j); r++) sum += s->drag[r] * line[r];
      s->A[(size_t)i * (size_t)n + (size_t)j] = sum;
    }
  }
}

static void expand(pc_consistent_start* s)
{
  for (int j = 0; j < s->problem_count; j++) {
    s->force[s->own[j]] = s->P[j];
    for (int r = s->own[j] + 1; r < end_of(s, j); r++) s->force[r] = s->drag[r] * s->P[j];
  }
}

static pc_status solve_contacts(pc_consistent_start* s, const double* u, double* a, double* lambda,
                                pc_solver_info* info, pc_error* error)
{
  collect_rows(s, u);
  if (s->full_count == 0) return PC_OK;
  const double* D = pc_delassus_set_contacts(s->delassus, s->M, s->full_count, s->row);
  for (int r = 0; r < s->full_count; r++)
    s->y[r] = pc_row_dot(s->row[r], a) + s->terms->zeta[s->place[r]];
  reduce(s, D);
  pc_problem problem = {s->problem_count, s->cone_count, s->cone, s->A, s->b};
  pc_solver_solve(s->solver, &problem, s->P, info);
  if (!info->converged)
    return pc_fail(error, PC_NOT_CONVERGED,
                   "no contact forces were found that fit the state (%s, residual %.3g)",
                   info->solver, info->residual);
  expand(s);
  pc_delassus_apply(s->delassus, s->force, a, lambda);
  for (int r = 0; r < s->full_count; r++) lambda[s->place[r]] = s->force[r];
  return PC_OK;
}

pc_status pc_consistent_start_solve(pc_consistent_start* s, double t, const double* q,
                                    const double* u, double* a, double* lambda,
                                    pc_solver_info* info, pc_error* error)
{
  *info = (pc_solver_info){.converged = 1};
  PC_TRY(pc_consistent_start_evaluate(s, t, q, u, error));
  memset(lambda, 0, (size_t)s->rows * sizeof *lambda);
  memcpy(a, s->terms->h, (size_t)s->n_u * sizeof *a);
  pc_assembly_solve(s->M, a);
  if (pc_delassus_set_bilateral(s->delassus, s->M, s->bilateral_count, s->terms->row) != PC_OK)
    return pc_fail(error, PC_NOT_FINITE, "the joints' equations are not finite");
  if (s->bilateral_count) pc_delassus_project(s->delassus, s->terms->zeta, a, lambda);
  return solve_contacts(s, u, a, lambda, info, error);
}

/* ---- looking at it -------------------------------------------------------------------------- */

pc_contact_mode pc_consistent_start_mode(const pc_consistent_start* s, int contact)
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

pc_delassus* pc_consistent_start_delassus(pc_consistent_start* s)
{
  return s->delassus;
}
