/* Consistent initial values. Positions by Newton's method: with g and W at q, the displacement d
 * nearest to zero in the metric of M that solves
 *
 *     M d = W tau,   g + W' d = 0 (joints),   0 <= g_N + W_N' d  _|_  tau >= 0 (contacts),
 *
 * and q moves by d, or by half of it, a quarter, ... until the violation gets smaller. Velocities
 * are one such problem:
 *
 *     M (u+ - u) = W P,   W' u+ + chi = 0,   0 <= W_N' u+ + chi_N _|_ P >= 0 (closed contacts). */
#include "percuss/assemble.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "contact/contact_problem.h"
#include "simulate/check.h"
#include "steps/consistent_start.h"

enum { ITERATIONS_MAX = 100, HALVINGS_MAX = 20 };

/* A violation of this many last digits of the largest coordinate is none. */
static const double ROUND_OFF = 16 * DBL_EPSILON;

typedef struct assembling {
  const pc_system* system;
  pc_error* error;
  pc_assemble_report* report;
  int n_q, n_u, g_count, bilateral_count, contact_count;
  pc_terms* terms;
  pc_assembly* M;
  pc_contact_problem* problem;
  double size;                /* of the coordinates */
  double *d, *scratch, *next; /* n_u; n_q + n_u; n_q */
  double *c_b, *c_c, *P_c;    /* by rows of the problem */
  pc_row* row;                /* of contacts */
  pc_cone* cone;
} assembling;

static void release(assembling* a)
{
  pc_terms_destroy(a->terms);
  pc_assembly_destroy(a->M);
  pc_contact_problem_destroy(a->problem);
  void* array[] = {a->d, a->scratch, a->next, a->c_b, a->c_c, a->P_c, a->row, a->cone};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

static pc_status create_arrays(assembling* a)
{
  size_t n_q = (size_t)a->n_q, n_u = (size_t)a->n_u, contacts = (size_t)a->contact_count;
  a->d = pc_alloc(n_u, sizeof *a->d);
  a->scratch = pc_alloc(n_q + n_u, sizeof *a->scratch);
  a->next = pc_alloc(n_q, sizeof *a->next);
  a->c_b = pc_alloc((size_t)a->bilateral_count, sizeof *a->c_b);
  a->c_c = pc_alloc(contacts, sizeof *a->c_c);
  a->P_c = pc_alloc(contacts, sizeof *a->P_c);
  a->row = pc_alloc(contacts, sizeof *a->row);
  a->cone = pc_alloc(contacts, sizeof *a->cone);
  a->report->q = pc_alloc(n_q, sizeof *a->report->q);
  a->report->u = pc_alloc(n_u, sizeof *a->report->u);
  int made = a->d && a->scratch && a->next && a->c_b && a->c_c && a->P_c && a->row && a->cone &&
             a->report->q && a->report->u;
  return made ? PC_OK : pc_no_memory(a->error);
}

static pc_status create(assembling* a)
{
  const pc_system* system = a->system;
  a->n_q = pc_system_q_count(system);
  a->n_u = pc_system_u_count(system);
  a->g_count = pc_system_g_count(system);
  a->bilateral_count = a->g_count + pc_system_gamma_count(system);
  a->contact_count = pc_system_contact_count(system);
  PC_TRY(create_arrays(a));
  memcpy(a->report->q, pc_system_q0(system), (size_t)a->n_q * sizeof(double));
  memcpy(a->report->u, pc_system_u0(system), (size_t)a->n_u * sizeof(double));
  for (int i = 0; i < a->n_q; i++) a->size = pc_larger(a->size, fabs(a->report->q[i]));
  if (!(a->size > 0)) a->size = 1;
  unsigned mask = PC_TERM_M | PC_TERM_Y | PC_TERM_W;
  PC_TRY(pc_terms_create(system, mask, &a->terms, a->error));
  PC_TRY(pc_system_create_tangent(system, &a->M, a->error));
  pc_contact_problem_def def = {.n = a->n_u,
                                .bilateral_max = a->bilateral_count,
                                .contact_max = a->contact_count,
                                .settings = pc_default_solver_settings()};
  return pc_contact_problem_create(&def, &a->problem, a->error);
}

/* Terms at q; M is factorised. */
static pc_status evaluate(assembling* a, const double* q)
{
  pc_at at = {0, q, a->report->u, NULL};
  char where[256];
  pc_terms_evaluate(a->terms, &at);
  pc_terms_tangent(a->terms, &at, 1, 0, 0, a->M);
  pc_status status = pc_assembly_factor(a->M);
  if (status == PC_OK) return PC_OK;
  if (pc_find_not_finite(a->terms, &at, where, sizeof where))
    return pc_fail(a->error, PC_NOT_FINITE, "%s is not finite", where);
  pc_terms_evaluate(a->terms, &at);
  pc_find_massless(a->terms, where, sizeof where);
  return pc_fail(a->error, status, "the mass matrix cannot be inverted: %s", where);
}

static int normal_row(const assembling* a, int contact)
{
  return pc_system_contact(a->system, contact).row;
}

/* The largest violation of a position, and its row (-1: none). */
static double violation(const assembling* a, int* worst)
{
  double largest = 0;
  *worst = -1;
  for (int i = 0; i < a->g_count + a->contact_count; i++) {
    int row = i < a->g_count ? i : normal_row(a, i - a->g_count);
    double off = i < a->g_count ? fabs(a->terms->y[row]) : -a->terms->y[row];
    if (off <= largest) continue;
    largest = off; /* what is no number is the largest, too */
    *worst = row;
  }
  return largest;
}

static const char* name_of_row(const assembling* a, int row)
{
  for (int i = 0; i < pc_system_quantity_count(a->system); i++) {
    pc_quantity quantity = pc_system_quantity(a->system, i);
    if (quantity.kind == PC_QUANTITY_ROW_POSITION && quantity.index == row) return quantity.name;
  }
  return "";
}

/* x := x plus the nearest change that fulfils the rows: c_b + W_b' x = 0 for `bilateral` rows, and
 * those of `contacts` contacts in row and c_c. */
static pc_status solve(assembling* a, int bilateral, int contacts, double* x)
{
  pc_solver_info info = {0};
  memset(a->P_c, 0, (size_t)contacts * sizeof *a->P_c);
  for (int k = 0; k < contacts; k++) a->cone[k] = (pc_cone){k, 0, 0};
  PC_TRY(pc_contact_problem_set_bilateral(a->problem, a->M, bilateral, a->terms->row, a->error));
  if (!contacts) return pc_contact_problem_project(a->problem, a->c_b, x, NULL, a->error);
  PC_TRY(pc_contact_problem_set_contacts(a->problem, contacts, a->cone, a->row, NULL, a->error));
  return pc_contact_problem_solve(a->problem, a->c_b, a->c_c, x, NULL, a->P_c, &info, a->error);
}

/* One displacement. Contacts that are open stay out; should it close one, that comes in next
 * time. */
static pc_status find_displacement(assembling* a)
{
  int contacts = 0;
  for (int r = 0; r < a->g_count; r++) a->c_b[r] = a->terms->y[r];
  for (int k = 0; k < a->contact_count; k++) {
    int row = normal_row(a, k);
    if (a->terms->y[row] > 0) continue;
    a->row[contacts] = a->terms->row[row];
    a->c_c[contacts++] = a->terms->y[row];
  }
  memset(a->d, 0, (size_t)a->n_u * sizeof *a->d);
  return solve(a, a->g_count, contacts, a->d);
}

/* Moves q by d or a part of it; `*moved` is 0 if no part makes the violation smaller. */
static pc_status move(assembling* a, double* off, int* worst, int* moved)
{
  *moved = 0;
  for (int n = 0; n < HALVINGS_MAX; n++) {
    double before = *off;
    int row;
    pc_system_retract(a->system, 0, 1, a->report->q, a->d, a->scratch, a->next);
    PC_TRY(evaluate(a, a->next));
    double after = violation(a, &row);
    if (after < before) {
      memcpy(a->report->q, a->next, (size_t)a->n_q * sizeof *a->next);
      *off = after;
      *worst = row;
      *moved = 1;
      return PC_OK;
    }
    for (int i = 0; i < a->n_u; i++) a->d[i] /= 2;
  }
  return evaluate(a, a->report->q);
}

static pc_status assemble_positions(assembling* a)
{
  pc_assemble_report* r = a->report;
  int worst, moved = 1;
  PC_TRY(evaluate(a, r->q));
  double off = violation(a, &worst);
  r->position_before = off;
  while (moved && off > ROUND_OFF * a->size && r->iterations < ITERATIONS_MAX) {
    PC_TRY(find_displacement(a));
    PC_TRY(move(a, &off, &worst, &moved));
    r->iterations++;
  }
  r->position_after = off;
  r->worst = worst < 0 ? "" : name_of_row(a, worst);
  if (off <= PC_POSITION_SHARE * a->size) return PC_OK;
  return pc_fail(a->error, PC_NOT_CONVERGED,
                 "cannot be assembled: '%s' is still off by %.3g after %d iterations; start from "
                 "other values, or look for joints that are incompatible",
                 r->worst, off, r->iterations);
}

/* The largest violation of a velocity. */
static double velocity_violation(const assembling* a, const double* u)
{
  double largest = 0;
  for (int r = 0; r < a->bilateral_count; r++)
    largest = pc_larger(largest, fabs(pc_terms_row_velocity(a->terms, r, u)));
  for (int k = 0; k < a->contact_count; k++) {
    int row = normal_row(a, k);
    if (a->terms->y[row] <= PC_CLOSED_GAP)
      largest = pc_larger(largest, -pc_terms_row_velocity(a->terms, row, u));
  }
  return largest;
}

static pc_status assemble_velocities(assembling* a)
{
  pc_assemble_report* r = a->report;
  int contacts = 0;
  r->velocity_before = velocity_violation(a, r->u);
  for (int i = 0; i < a->bilateral_count; i++) a->c_b[i] = a->terms->chi[i];
  for (int k = 0; k < a->contact_count; k++) {
    int row = normal_row(a, k);
    if (!(a->terms->y[row] <= PC_CLOSED_GAP)) continue;
    a->row[contacts] = a->terms->row[row];
    a->c_c[contacts++] = a->terms->chi[row];
  }
  if (r->velocity_before > 0) PC_TRY(solve(a, a->bilateral_count, contacts, r->u));
  r->velocity_after = velocity_violation(a, r->u);
  double size = 1;
  for (int i = 0; i < a->n_u; i++) size = pc_larger(size, fabs(r->u[i]));
  if (r->velocity_after <= PC_POSITION_SHARE * size) return PC_OK;
  return pc_fail(a->error, PC_NOT_CONVERGED,
                 "cannot be assembled: no velocities fit all joints, drives and closed contacts; "
                 "what is left is %.3g",
                 r->velocity_after);
}

pc_status pc_assemble(const pc_system* system, pc_assemble_report* report, pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(report, "report", error));
  pc_error ignored = {0};
  assembling a = {.system = system, .report = report, .error = error ? error : &ignored};
  *report = (pc_assemble_report){.worst = ""};
  pc_status status = create(&a);
  if (status == PC_OK) status = assemble_positions(&a);
  if (status == PC_OK) status = assemble_velocities(&a);
  release(&a);
  if (status != PC_OK) pc_assemble_free(report);
  return status;
}

void pc_assemble_free(pc_assemble_report* report)
{
  if (!report) return;
  free(report->q);
  free(report->u);
  report->q = report->u = NULL;
}
