#include "schemes/generalized_alpha/contact_problem.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

pc_status pc_alpha_contact_problem_create(pc_alpha_contact_problem* c, const pc_alpha_model* m,
                                          pc_error* error)
{
  *c = (pc_alpha_contact_problem){.solver_name = m->settings.solver,
                                  .settings = pc_default_solver_settings(),
                                  .n = m->n_u,
                                  .bilateral = m->bilateral};
  c->settings.tolerance = m->settings.solver_tolerance;
  for (int k = 0; k < m->contacts; k++)
    if (m->contact[k].dimension > c->friction) c->friction = m->contact[k].dimension;
  c->cone = pc_alloc((size_t)m->contacts, sizeof *c->cone);
  c->contact = pc_alloc((size_t)m->contacts, sizeof *c->contact);
  c->zero = pc_alloc((size_t)m->bilateral, sizeof *c->zero);
  return c->cone && c->contact && c->zero ? PC_OK : pc_no_memory(error);
}

static void free_rows(pc_alpha_contact_problem* c)
{
  double** array[] = {&c->X, &c->Y, &c->D, &c->b, &c->P};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
    free(*array[i]);
    *array[i] = NULL;
  }
  pc_solver_destroy(c->solver);
  c->solver = NULL;
  c->row_capacity = 0;
}

void pc_alpha_contact_problem_free(pc_alpha_contact_problem* c)
{
  free_rows(c);
  free(c->cone);
  free(c->contact);
  free(c->zero);
}

/* Twice what is needed, so that a growing heap allocates a few times only. */
static pc_status reserve(pc_alpha_contact_problem* c, int rows, pc_error* error)
{
  if (rows <= c->row_capacity) return PC_OK;
  size_t count = 2 * (size_t)rows;
  free_rows(c);
  c->X = pc_alloc(count * (size_t)c->n, sizeof(double));
  c->Y = pc_alloc(count * (size_t)c->bilateral, sizeof(double));
  c->D = pc_alloc(count * count, sizeof(double));
  c->b = pc_alloc(count, sizeof(double));
  c->P = pc_alloc(count, sizeof(double));
  if (!c->X || !c->Y || !c->D || !c->b || !c->P) return pc_no_memory(error);
  const char* name = c->solver_name ? c->solver_name : pc_default_solver((int)count, c->friction);
  PC_TRY(
      pc_solver_create(name, (int)count, (int)count, c->friction, &c->settings, &c->solver, error));
  c->row_capacity = (int)count;
  return PC_OK;
}

void pc_alpha_contact_problem_begin(pc_alpha_contact_problem* c)
{
  c->cone_count = 0;
}

void pc_alpha_contact_problem_add(pc_alpha_contact_problem* c, int k, int row, int dimension,
                                  double mu)
{
  c->contact[c->cone_count] = k;
  c->cone[c->cone_count++] = (pc_cone){row, dimension, mu};
}

static void fill(pc_alpha_contact_problem* c, pc_alpha_saddle* saddle, const pc_assembly* A,
                 const pc_alpha_problem* p, int joints, int rows)
{
  const pc_row *force = p->force + joints, *measure = p->measure + joints;
  for (int j = 0; j < rows; j++) {
    double* X = c->X + (size_t)j * (size_t)c->n;
    pc_assembly_solve_row(A, force[j], X);
    pc_alpha_saddle_solve(saddle, c->zero, X, c->Y + (size_t)j * (size_t)c->bilateral);
    for (int i = 0; i < rows; i++)
      c->D[(size_t)i * (size_t)rows + (size_t)j] = pc_row_dot(measure[i], X);
    c->b[j] = pc_row_dot(measure[j], p->x) - p->c[joints + j];
    c->P[j] = p->y[joints + j];
  }
}

static void apply(const pc_alpha_contact_problem* c, pc_alpha_problem* p, int joints, int rows)
{
  for (int j = 0; j < rows; j++) {
    const double *X = c->X + (size_t)j * (size_t)c->n, *Y = c->Y + (size_t)j * (size_t)c->bilateral;
    double P = p->y[joints + j] = c->P[j];
    for (int i = 0; P != 0 && i < c->n; i++) p->x[i] += P * X[i];
    for (int i = 0; P != 0 && i < joints; i++) p->y[i] += P * Y[i];
  }
}

pc_status pc_alpha_contact_problem_solve(pc_alpha_contact_problem* c, pc_alpha_saddle* saddle,
                                         const pc_assembly* A, pc_alpha_problem* p, int joints,
                                         pc_solver_info* info, pc_error* error)
{
  int rows = p->count - joints;
  *info = (pc_solver_info){.converged = 1};
  for (int i = 0; i < c->cone_count; i++) c->cone[i].row -= joints;
  if (pc_alpha_saddle_factor(saddle, A, joints, p->force, p->measure) != PC_OK)
    return pc_fail(error, PC_NOT_FINITE, "the constraints' equations are not finite");
  pc_alpha_saddle_solve(saddle, p->c, p->x, p->y);
  if (rows == 0) return PC_OK;
  PC_TRY(reserve(c, rows, error));
  fill(c, saddle, A, p, joints, rows);
  pc_problem problem = {rows, c->cone_count, c->cone, c->D, c->b};
  pc_solver_solve(c->solver, &problem, c->P, info);
  apply(c, p, joints, rows);
  return PC_OK;
}
