#include "steps/coupled.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/constants.h"
#include "linalg/dense.h"
#include "solve/dense.h"

/* An unknown of the problem, P or tau, with the row that belongs to it. */
typedef struct unknown {
  pc_row row;
  int position; /* a row of positions, tau; else of velocities, P */
  int place;    /* in P or tau */
  double c;     /* the row's value without unknowns; a gap's is divided by h theta [m/s] */
} unknown;

struct pc_coupled {
  const pc_system* system;
  int accept; /* an answer that is not good enough, rather than none */
  pc_scheme_settings settings;
  int n_u, g_count, bilateral_count, contact_count;
  int contact_max, row_max, friction; /* that there is space for */
  pc_contact_info* contact;
  pc_dense_solver* solver; /* NULL if there are no contacts */

  unknown* x; /* free ones first, then those of the contacts */
  int free_count, count;
  double *v, *d;           /* count x n_u: what each unknown adds to v and to d */
  double unit;             /* tau of a position unknown of 1: see choose_unit */
  double* S;               /* count x count: what each unknown adds to each row */
  double *v_free, *column; /* n_u; one column of the free rows */

  double *Q, *tau, *scale, *work; /* the free block of S, scaled and factorised */
  int* pivot;
  int rank;

  double *A, *b, *P; /* the contact problem */
  pc_cone* cone;
  int cone_count;
  double* mass; /* of the active contacts */
};

/* Releases what depends on the number of contacts. */
static void clear(pc_coupled* c)
{
  pc_dense_solver_destroy(c->solver);
  void** array[] = {(void**)&c->contact, (void**)&c->x,      (void**)&c->v,      (void**)&c->d,
                    (void**)&c->S,       (void**)&c->v_free, (void**)&c->column, (void**)&c->Q,
                    (void**)&c->tau,     (void**)&c->scale,  (void**)&c->work,   (void**)&c->pivot,
                    (void**)&c->A,       (void**)&c->b,      (void**)&c->P,      (void**)&c->cone,
                    (void**)&c->mass};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
    free(*array[i]);
    *array[i] = NULL;
  }
  c->solver = NULL;
}

void pc_coupled_destroy(pc_coupled* c)
{
  if (!c) return;
  clear(c);
  free(c);
}

/* `all` unknowns, of which up to `bound` are free. */
static pc_status create_arrays(pc_coupled* c, size_t bound, size_t all, pc_error* error)
{
  size_t n = (size_t)c->n_u;
  double** array[] = {&c->v,   &c->d,     &c->S,    &c->v_free, &c->column, &c->Q,
                      &c->tau, &c->scale, &c->work, &c->A,      &c->b,      &c->P};
  size_t size[] = {all * n, all * n, all * all, n,         bound, bound * bound,
                   bound,   bound,   bound,     all * all, all,   all};
  int bad = 0;
  for (int i = 0; i < 12; i++) bad |= !(*array[i] = pc_alloc(size[i], sizeof(double)));
  size_t contacts = (size_t)c->contact_max;
  bad |= !(c->x = pc_alloc(all, sizeof *c->x));
  bad |= !(c->pivot = pc_alloc(bound, sizeof *c->pivot));
  bad |= !(c->cone = pc_alloc(2 * contacts, sizeof *c->cone));
  bad |= !(c->mass = pc_alloc(contacts, sizeof *c->mass));
  bad |= !(c->contact = pc_alloc(contacts, sizeof *c->contact));
  return bad ? pc_no_memory(error) : PC_OK;
}

/* The rows of the contacts of the system, twice for normals, and their largest friction. */
static int count_rows(const pc_coupled* c, int* friction)
{
  int rows = 0;
  *friction = 0;
  for (int k = 0; k < c->contact_count; k++) {
    int dimension = c->settings.frictionless ? 0 : pc_system_contact(c->system, k).dimension;
    rows += 2 + dimension;
    if (dimension > *friction) *friction = dimension;
  }
  return rows;
}

/* Memory for contact_max contacts with row_max rows. */
static pc_status create_parts(pc_coupled* c, int friction, pc_error* error)
{
  size_t joints = (size_t)c->bilateral_count + (size_t)c->g_count;
  PC_TRY(create_arrays(c, joints + (size_t)c->contact_max, joints + (size_t)c->row_max, error));
  if (c->row_max == 0) return PC_OK;
  const char* name =
      c->settings.solver ? c->settings.solver : pc_dense_default_solver(c->row_max, friction);
  pc_solver_settings own = pc_default_solver_settings();
  own.tolerance = c->settings.solver_tolerance;
  return pc_dense_solver_create(name, c->row_max, 2 * c->contact_max, friction, &own, &c->solver,
                                error);
}

/* All is dense here: where there are more contacts than ever before, it is made anew. */
pc_status pc_coupled_refit(pc_coupled* c, pc_error* error)
{
  int friction, rows;
  c->contact_count = pc_system_contact_count(c->system);
  rows = count_rows(c, &friction);
  if (rows > c->row_max || c->contact_count > c->contact_max || friction > c->friction) {
    clear(c);
    c->row_max = rows + rows / 2;
    c->contact_max = c->contact_count + c->contact_count / 2;
    c->friction = friction;
    PC_TRY(create_parts(c, friction, error));
  }
  for (int k = 0; k < c->contact_count; k++) {
    c->contact[k] = pc_system_contact(c->system, k);
    if (c->settings.frictionless) c->contact[k].dimension = 0;
  }
  return PC_OK;
}

void pc_coupled_set_friction(pc_coupled* c, const double* mu)
{
  for (int k = 0; k < c->contact_count; k++) c->contact[k].mu = mu[k];
}

pc_status pc_coupled_create(const pc_system* system, const pc_scheme_settings* settings,
                            pc_coupled** coupled, pc_error* error)
{
  *coupled = NULL;
  pc_coupled* c = pc_alloc(1, sizeof *c);
  if (!c) return pc_no_memory(error);
  c->system = system;
  c->settings = *settings;
  c->accept = settings->on_failure == PC_ON_FAILURE_CONTINUE;
  c->n_u = pc_system_u_count(system);
  c->g_count = pc_system_g_count(system);
  c->bilateral_count = c->g_count + pc_system_gamma_count(system);
  c->contact_max = c->contact_count = pc_system_contact_count(system);
  c->row_max = count_rows(c, &c->friction);
  pc_status status = create_parts(c, c->friction, error);
  if (status == PC_OK) status = pc_coupled_refit(c, error);
  if (status != PC_OK) {
    pc_coupled_destroy(c);
    return status;
  }
  *coupled = c;
  return PC_OK;
}

/* The velocity without P and tau. */
static void free_velocity(pc_coupled* c, pc_theta_step* step)
{
  double* v = c->v_free;
  memcpy(v, step->dv, (size_t)c->n_u * sizeof *v);
  if (step->displaced) pc_theta_step_add_K_times(step, step->dt * step->settings.theta, step->d, v);
  pc_assembly_solve(step->tangent, v);
  for (int i = 0; i < c->n_u; i++) v[i] += step->v[i];
}

static void add_velocity_row(pc_coupled* c, const pc_theta_step* step, int row, double e)
{
  const pc_terms* terms = step->end_terms;
  pc_row w = terms->row[row];
  c->x[c->count++] =
      (unknown){w, 0, row, terms->chi[row] + e * step->before[row] + pc_row_dot(w, c->v_free)};
}

static unknown position_row(const pc_coupled* c, const pc_theta_step* step, int row, int place)
{
  const pc_terms* terms = step->end_terms;
  pc_row w = terms->row[row];
  double reach = step->dt * step->settings.theta;
  double move = reach * (pc_row_dot(w, c->v_free) - pc_row_dot(w, step->v));
  if (step->displaced) move -= pc_row_dot(w, step->d);
  return (unknown){w, 1, place, (terms->y[row] + move) / reach};
}

/* Joints in velocity and position, and contacts whose gap has to vanish. */
static void collect_free(pc_coupled* c, const pc_theta_step* step, pc_projection* projection)
{
  const pc_projection_role* role = pc_projection_roles(projection);
  c->count = 0;
  for (int r = 0; r < c->bilateral_count; r++) add_velocity_row(c, step, r, 0);
  for (int r = 0; r < c->g_count; r++) c->x[c->count++] = position_row(c, step, r, r);
  for (int k = 0; k < c->contact_count; k++)
    if (role[k] == PC_PROJECT_FREE)
      c->x[c->count++] = position_row(c, step, c->contact[k].row, c->g_count + k);
  c->free_count = c->count;
}

/* Laws of the active contacts; gaps of those that are, or would be, violated. */
static void collect_contacts(pc_coupled* c, const pc_theta_step* step, pc_projection* projection)
{
  int active_count;
  const int* active = pc_contact_step_active(step->contact_step, &active_count);
  const pc_projection_role* role = pc_projection_roles(projection);
  c->cone_count = 0;
  for (int i = 0; i < active_count; i++) {
    const pc_contact_info* k = &c->contact[active[i]];
    c->cone[c->cone_count++] = (pc_cone){c->count - c->free_count, k->dimension, k->mu};
    for (int d = 0; d <= k->dimension; d++)
      add_velocity_row(c, step, k->row + d, d == 0 ? k->e_N : k->e_F);
  }
  for (int k = 0; k < c->contact_count; k++) {
    if (role[k] != PC_PROJECT_ONE_SIDED) continue;
    unknown gap = position_row(c, step, c->contact[k].row, c->g_count + k);
    double least = fmin(gap.c, step->end_terms->y[c->contact[k].row]);
    if (!pc_projection_candidate(projection, k, least)) continue;
    c->cone[c->cone_count++] = (pc_cone){c->count - c->free_count, 0, 0};
    c->x[c->count++] = gap;
  }
}

/* The unit of tau. Gaps are counted as velocities, g / (h theta), and tau such that it moves them by
 * about as much as a percussion does: else the round-off of the percussions of heavy bodies, or
 * what a solver may leave of them, would be large beside tau. */
static void choose_unit(pc_coupled* c, double reach)
{
  double by_P = 0, by_tau = 0;
  size_t n = (size_t)c->n_u;
  for (size_t j = 0; j < (size_t)c->count; j++)
    if (c->x[j].position)
      by_tau = pc_larger(by_tau, pc_row_dot(c->x[j].row, c->d + j * n) / reach);
    else
      by_P = pc_larger(by_P, pc_row_dot(c->x[j].row, c->v + j * n));
  c->unit = by_P > 0 && by_tau > 0 ? by_P / by_tau : 1;
}

/* What each unknown does: rows of v and d. */
static void compute_effects(pc_coupled* c, pc_theta_step* step, const pc_assembly* metric)
{
  double reach = step->dt * step->settings.theta;
  size_t n = (size_t)c->n_u;
  for (size_t j = 0; j < (size_t)c->count; j++)
    if (c->x[j].position)
      pc_assembly_solve_row(metric, c->x[j].row, c->d + j * n);
    else
      pc_assembly_solve_row(step->tangent, c->x[j].row, c->v + j * n);
  choose_unit(c, reach);
  for (size_t j = 0; j < (size_t)c->count; j++) {
    if (!c->x[j].position) continue;
    double *v = c->v + j * n, *d = c->d + j * n;
    for (size_t i = 0; i < n; i++) d[i] *= c->unit;
    memset(v, 0, n * sizeof *v);
    pc_theta_step_add_K_times(step, -reach, d, v);
    pc_assembly_solve(step->tangent, v);
  }
}

/* (54), all rows and unknowns. */
static void compute_matrix(pc_coupled* c, const pc_theta_step* step)
{
  double reach = step->dt * step->settings.theta;
  size_t n = (size_t)c->n_u, count = (size_t)c->count;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) {
      double s = pc_row_dot(c->x[i].row, c->v + j * n);
      if (c->x[i].position && c->x[j].position) s += pc_row_dot(c->x[i].row, c->d + j * n) / reach;
      c->S[i * count + j] = s;
    }
}

/* The free block of S, scaled from both sides so that its rank does not depend on units. */
static pc_status factor_free(pc_coupled* c)
{
  size_t free_count = (size_t)c->free_count, count = (size_t)c->count;
  for (size_t i = 0; i < free_count; i++) {
    double diagonal = fabs(c->S[i * count + i]);
    c->scale[i] = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
  }
  for (size_t i = 0; i < free_count; i++)
    for (size_t j = 0; j < free_count; j++)
      c->Q[i * free_count + j] = c->scale[i] * c->scale[j] * c->S[i * count + j];
  return pc_qr_factor(c->free_count, c->Q, c->tau, c->pivot, PC_RANK_TOLERANCE, &c->rank);
}

static void solve_free(const pc_coupled* c, double* r)
{
  for (int i = 0; i < c->free_count; i++) r[i] *= c->scale[i];
  pc_qr_solve(c->free_count, c->Q, c->tau, c->pivot, c->rank, r, c->work);
  for (int i = 0; i < c->free_count; i++) r[i] *= c->scale[i];
}

/* A and b of the contacts after elimination of the free unknowns, with S overwritten: its upper
 * right block holds S_ff^-1 S_fc afterwards, P of the free ones their values without contacts. */
static void eliminate_free(pc_coupled* c)
{
  double* column = c->column;
  size_t f = (size_t)c->free_count, count = (size_t)c->count, contacts = count - f;
  for (size_t i = 0; i < f; i++) c->P[i] = -c->x[i].c;
  if (f > 0) solve_free(c, c->P);
  for (size_t j = f; j < count && f > 0; j++) {
    for (size_t i = 0; i < f; i++) column[i] = c->S[i * count + j];
    solve_free(c, column);
    for (size_t i = 0; i < f; i++) c->S[i * count + j] = column[i];
  }
  for (size_t i = 0; i < contacts; i++) {
    const double* row = c->S + (f + i) * count;
    c->b[i] = c->x[f + i].c;
    for (size_t k = 0; k < f; k++) c->b[i] += row[k] * c->P[k];
    for (size_t j = 0; j < contacts; j++) {
      double a = row[f + j];
      for (size_t k = 0; k < f; k++) a -= row[k] * c->S[k * count + f + j];
      c->A[i * contacts + j] = a;
    }
  }
}

/* The masses by which the contact stage measures violations. */
static void compute_masses(pc_coupled* c, const pc_theta_step* step)
{
  int active_count, contacts = c->count - c->free_count;
  pc_contact_step_active(step->contact_step, &active_count);
  for (int i = 0; i < active_count; i++) {
    double sum = 0;
    int rows = 1 + c->cone[i].dimension;
    for (int d = 0; d < rows; d++)
      sum += c->A[(size_t)(c->cone[i].row + d) * (size_t)(contacts + 1)];
    c->mass[i] = sum > 0 ? rows / sum : 0;
  }
  pc_contact_step_set_masses(step->contact_step, c->mass);
}

static pc_status solve_contacts(pc_coupled* c, const pc_theta_step* step, const double* tau,
                                pc_solver_info* solver, pc_error* error)
{
  int f = c->free_count, contacts = c->count - f;
  *solver = (pc_solver_info){.converged = 1};
  compute_masses(c, step);
  if (contacts == 0) return PC_OK;
  for (int j = 0; j < contacts; j++) {
    const unknown* x = &c->x[f + j];
    c->P[f + j] = x->position ? tau[x->place] / c->unit : step->P[x->place];
  }
  pc_dense_problem problem = {contacts, c->cone_count, c->cone, c->A, c->b};
  pc_dense_solver_solve(c->solver, &problem, c->P + f, solver);
  if (!solver->converged && !(c->accept && isfinite(solver->residual)))
    return pc_fail(error, isfinite(solver->residual) ? PC_NOT_CONVERGED : PC_NOT_FINITE,
                   "the contact solver (%s) stopped after %d iterations with a residual of %.3g; "
                   "try a smaller dt, another --solver or the decoupled scheme",
                   solver->solver, solver->iterations, solver->residual);
  for (int i = 0; i < f; i++)
    for (int j = 0; j < contacts; j++)
      c->P[i] -= c->S[(size_t)i * (size_t)c->count + (size_t)(f + j)] * c->P[f + j];
  return PC_OK;
}

/* v, d, P and tau from the unknowns. */
static void distribute(pc_coupled* c, pc_theta_step* step, double* tau)
{
  size_t n = (size_t)c->n_u;
  memset(step->P, 0, (size_t)step->rows * sizeof *step->P);
  memset(step->d, 0, n * sizeof *step->d);
  memset(tau, 0, (size_t)(c->g_count + c->contact_count) * sizeof *tau);
  memcpy(step->v, c->v_free, n * sizeof *step->v);
  step->displaced = 0;
  for (int j = 0; j < c->count; j++) {
    const double *v = c->v + (size_t)j * n, *d = c->d + (size_t)j * n;
    double x = c->P[j];
    if (c->x[j].position)
      tau[c->x[j].place] = x * c->unit;
    else
      step->P[c->x[j].place] = x;
    if (x == 0) continue;
    for (size_t i = 0; i < n; i++) step->v[i] += x * v[i];
    if (!c->x[j].position) continue;
    for (size_t i = 0; i < n; i++) step->d[i] += x * d[i];
    step->displaced = 1;
  }
}

pc_status pc_coupled_solve(pc_coupled* c, pc_theta_step* step, pc_projection* projection,
                           const pc_state* state, pc_step_info* info, pc_error* error)
{
  double* tau = pc_projection_tau(projection);
  pc_solver_info solver;
  PC_TRY(pc_theta_step_factor(step, error));
  pc_theta_step_locate(step, state);
  free_velocity(c, step);
  collect_free(c, step, projection);
  collect_contacts(c, step, projection);
  compute_effects(c, step, pc_projection_metric(projection, step));
  compute_matrix(c, step);
  if (factor_free(c) != PC_OK)
    return pc_fail(error, PC_NOT_FINITE, "the equations of joints are not finite");
  eliminate_free(c);
  PC_TRY(solve_contacts(c, step, tau, &solver, error));
  distribute(c, step, tau);
  info->iterations[0]++;
  info->iterations[1] += solver.iterations;
  for (int j = 0; j < c->count; j++)
    if (c->x[j].position) {
      info->iterations[2]++;
      break;
    }
  info->solver_residual = pc_larger(info->solver_residual, solver.residual);
  info->inaccurate = !solver.converged;
  return PC_OK;
}
