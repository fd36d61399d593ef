#include "contact/contact_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "contact/velocity_sweeps.h"
#include "linalg/block_lu.h"
#include "linalg/constants.h"
#include "linalg/copy.h"
#include "linalg/delassus.h"
#include "linalg/percussion_form.h"
#include "solve/constants.h"
#include "solve/methods.h"

/* Small problems have at most so many rows of each kind (cubes of 60 take as long as a few hundred
 * sparse blocks) ... */
enum { SMALL_ROWS = 60 };

/* ... and rows of A^-1 W of at most so many entries in all: they fit into the second-level
 * cache. */
enum { SMALL_ENTRIES = 1 << 15 };

/* The dense way. */
typedef struct condensed {
  int row_max; /* of either kind; 0: no problem is small enough */
  pc_delassus* delassus;
  pc_dense_solver* solver; /* NULL without contacts */
  const double* D;         /* of the contacts */
  int has_held;            /* normals whose entry of D is zero: joints hold the contact */
  double* b;               /* row_max */
  double* P;               /* row_max: the change of percussions by a correction */
} condensed;

/* The sparse way. Nodes: first those of the bilateral rows, then the contacts. */
typedef struct sparse {
  pc_percussion_form* form;
  pc_block_lu* lu; /* of the bilateral rows alone */
  int factored;    /* it belongs to the rows at hand */
  int computed;    /* and so does the form, for bilateral rows and contacts */
  pc_solver* solver;
  size_t capacity;       /* of the arrays that follow, and of b and z */
  pc_row *row, *force;   /* bilateral_max + contact_max: all rows one after the other */
  int* first;            /* nodes + 1 */
  pc_problem_node* node; /* nodes */
  int node_count, bilateral_nodes, row_count;
  double *b, *z; /* rows */
} sparse;

struct pc_contact_problem {
  pc_contact_problem_def def;
  const pc_assembly* tangent;
  int bilateral_count;
  const pc_row* bilateral;
  int contact_count, contact_rows;
  const pc_cone* cone;
  const pc_row *contact, *force; /* force may be NULL */
  int by_name;                   /* the solver is not "auto" */
  int small;                     /* the problem at hand is */
  int swept;                     /* it goes to the sweeps below */
  pc_velocity_sweeps* sweeps;    /* NULL: no number of sweeps was asked for */
  condensed condensed;
  sparse sparse;
};

/* ---- creation ------------------------------------------------------------------------------ */

static int smaller(int a, int b)
{
  return a < b ? a : b;
}

static pc_status create_condensed(pc_contact_problem* p, pc_error* error)
{
  const pc_contact_problem_def* def = &p->def;
  condensed* c = &p->condensed;
  int rows = smaller(SMALL_ROWS, SMALL_ENTRIES / (def->n > 0 ? def->n : 1));
  int bilateral = def->grows ? rows : smaller(rows, def->bilateral_max);
  int contact = def->grows ? rows : smaller(rows, def->contact_max);
  c->row_max = rows;
  c->b = pc_alloc((size_t)contact, sizeof *c->b);
  c->P = pc_alloc((size_t)contact, sizeof *c->P);
  if (!c->b || !c->P) return pc_no_memory(error);
  PC_TRY(pc_delassus_create(def->n, bilateral, contact, &c->delassus, error));
  if (contact == 0) return PC_OK;
  PC_TRY(pc_dense_solver_create("auto", contact, contact, def->friction, &def->settings, &c->solver,
                                error));
  pc_dense_solver_be_brief(c->solver, 1);
  return PC_OK;
}

static pc_status reserve_sparse(pc_contact_problem* p, int bilateral_count, int contact_rows,
                                pc_error* error)
{
  sparse* s = &p->sparse;
  size_t rows = (size_t)bilateral_count + (size_t)contact_rows;
  const pc_array array[] = {PC_ARRAY(s->row),  PC_ARRAY(s->force), PC_ARRAY(s->first),
                            PC_ARRAY(s->node), PC_ARRAY(s->b),     PC_ARRAY(s->z)};
  if (pc_reserve_arrays(6, array, &s->capacity, rows + 1) != PC_OK) return pc_no_memory(error);
  return PC_OK;
}

/* Sweeps rarely need the sparse way: its memory grows when they do. */
pc_status pc_contact_problem_reserve(pc_contact_problem* p, int bilateral_max, int contact_max,
                                     pc_error* error)
{
  return p->sweeps ? PC_OK : reserve_sparse(p, bilateral_max, contact_max, error);
}

static pc_status create_sparse(pc_contact_problem* p, pc_error* error)
{
  const pc_contact_problem_def* def = &p->def;
  sparse* s = &p->sparse;
  PC_TRY(pc_contact_problem_reserve(p, def->bilateral_max, def->contact_max, error));
  PC_TRY(pc_percussion_form_create(&s->form, error));
  PC_TRY(pc_block_lu_create(&s->lu, error));
  return pc_solver_create(def->solver, &def->settings, &s->solver, error);
}

/* With a number of sweeps, every answer of theirs is used. Where they are not those of free bodies,
 * they are those of the solver "nsgs". */
static pc_status create_sweeps(pc_contact_problem* p, pc_error* error)
{
  if (p->def.sweeps == 0) return PC_OK;
  p->def.solver = "nsgs";
  p->def.settings.max_iterations = p->def.sweeps;
  p->def.settings.acceptance = HUGE_VAL;
  return pc_velocity_sweeps_create(p->def.threads, &p->sweeps, error);
}

pc_status pc_contact_problem_create(const pc_contact_problem_def* def, pc_contact_problem** problem,
                                    pc_error* error)
{
  *problem = NULL;
  pc_contact_problem* p = pc_alloc(1, sizeof *p);
  if (!p) return pc_no_memory(error);
  p->def = *def;
  pc_status status = create_sweeps(p, error);
  p->by_name = p->def.solver && strcmp(p->def.solver, "auto") != 0;
  if (status == PC_OK) status = create_condensed(p, error);
  if (status == PC_OK) status = create_sparse(p, error);
  if (status != PC_OK) {
    pc_contact_problem_destroy(p);
    return status;
  }
  *problem = p;
  return PC_OK;
}

void pc_contact_problem_destroy(pc_contact_problem* p)
{
  if (!p) return;
  sparse* s = &p->sparse;
  pc_delassus_destroy(p->condensed.delassus);
  pc_dense_solver_destroy(p->condensed.solver);
  free(p->condensed.b);
  free(p->condensed.P);
  pc_percussion_form_destroy(s->form);
  pc_block_lu_destroy(s->lu);
  pc_solver_destroy(s->solver);
  pc_velocity_sweeps_destroy(p->sweeps);
  void* array[] = {s->row, s->force, s->first, s->node, s->b, s->z};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(p);
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* A solver that was asked for by its name works alone, on islands: contacts are then never
 * condensed. */
static int is_small(const pc_contact_problem* p, int contact_rows)
{
  int most = p->condensed.row_max;
  if (contact_rows > 0 && p->by_name) return 0;
  return p->bilateral_count <= most && contact_rows <= most;
}

/* Bilateral rows in nodes: those that follow each other on the same runs, which are those of a
 * joint. */
static void list_bilateral_nodes(pc_contact_problem* p)
{
  sparse* s = &p->sparse;
  s->node_count = 0;
  for (int r = 0; r < p->bilateral_count; r++) {
    s->row[r] = s->force[r] = p->bilateral[r];
    if (r > 0 && p->bilateral[r].block == p->bilateral[r - 1].block) continue;
    s->node[s->node_count] = (pc_problem_node){PC_NODE_EQUALITY, 0};
    s->first[s->node_count++] = r;
  }
  s->first[s->node_count] = p->bilateral_count;
  s->bilateral_nodes = s->node_count;
  s->row_count = p->bilateral_count;
}

static void list_contact_nodes(pc_contact_problem* p)
{
  sparse* s = &p->sparse;
  s->node_count = s->bilateral_nodes;
  s->row_count = p->bilateral_count + p->contact_rows;
  for (int k = 0; k < p->contact_count; k++) {
    s->node[s->node_count] = (pc_problem_node){PC_NODE_CONTACT, p->cone[k].mu};
    s->first[s->node_count++] = p->bilateral_count + p->cone[k].row;
  }
  s->first[s->node_count] = s->row_count;
  for (int r = 0; r < p->contact_rows; r++) {
    s->row[p->bilateral_count + r] = p->contact[r];
    s->force[p->bilateral_count + r] = p->force ? p->force[r] : p->contact[r];
  }
}

static pc_status compute_form(pc_contact_problem* p, int node_count, const pc_row* force,
                              pc_error* error)
{
  sparse* s = &p->sparse;
  pc_row_nodes nodes = {node_count, s->first, force, s->row};
  return pc_percussion_form_compute(s->form, p->tangent, &nodes, error);
}

/* The matrix of the bilateral rows alone, factorised. */
static pc_status factor_bilateral(pc_contact_problem* p, pc_error* error)
{
  sparse* s = &p->sparse;
  if (s->factored) return PC_OK;
  s->computed = 0;
  PC_TRY(compute_form(p, s->bilateral_nodes, s->row, error));
  const pc_block_matrix* S = pc_percussion_form_matrix(s->form);
  PC_TRY(pc_block_lu_analyse(s->lu, S, NULL, error));
  pc_status status = pc_block_lu_factor(s->lu, S, PC_RANK_TOLERANCE);
  if (status != PC_OK) return pc_fail(error, status, "the joints' equations are not finite");
  s->factored = 1;
  return PC_OK;
}

pc_status pc_contact_problem_set_bilateral(pc_contact_problem* p, const pc_assembly* tangent,
                                           int count, const pc_row* row, pc_error* error)
{
  p->tangent = tangent;
  p->bilateral_count = count;
  p->bilateral = row;
  p->contact_count = p->contact_rows = 0;
  p->condensed.D = NULL;
  p->sparse.factored = p->sparse.computed = 0;
  p->small = is_small(p, 0);
  p->swept = 0;
  if (!p->small) {
    PC_TRY(reserve_sparse(p, count, 0, error));
    list_bilateral_nodes(p);
    return PC_OK;
  }
  pc_status status = pc_delassus_set_bilateral(p->condensed.delassus, tangent, count, row);
  return status == PC_OK ? PC_OK
                         : pc_fail(error, PC_NOT_FINITE, "the joints' equations are not finite");
}

/* Joints and contacts as nodes of the block-sparse problem. */
static pc_status set_sparse_contacts(pc_contact_problem* p, pc_error* error)
{
  PC_TRY(reserve_sparse(p, p->bilateral_count, p->contact_rows, error));
  if (is_small(p, 0)) list_bilateral_nodes(p); /* it was small without contacts */
  list_contact_nodes(p);
  PC_TRY(compute_form(p, p->sparse.node_count, p->force ? p->sparse.force : p->sparse.row, error));
  p->sparse.computed = 1;
  p->sparse.factored = 0; /* the form has another pattern now */
  return PC_OK;
}

/* Of D: nothing can move the contact along this row. */
static int has_zero_diagonal(const pc_contact_problem* p, int row)
{
  return p->condensed.D[(size_t)row * ((size_t)p->contact_rows + 1)] == 0;
}

pc_status pc_contact_problem_set_swept(pc_contact_problem* p, int contact_count,
                                       const pc_cone* cone, const pc_row* row, pc_spare spare,
                                       int* taken, pc_error* error)
{
  p->contact_count = contact_count;
  p->cone = cone;
  p->contact = row;
  p->force = NULL;
  p->sparse.computed = 0;
  p->swept = 0;
  if (p->sweeps && contact_count > 0 && p->bilateral_count == 0)
    PC_TRY(pc_velocity_sweeps_set(p->sweeps, p->tangent, contact_count, cone, row, spare, &p->swept,
                                  error));
  *taken = p->swept;
  return PC_OK;
}

pc_status pc_contact_problem_set_contacts(pc_contact_problem* p, int contact_count,
                                          const pc_cone* cone, const pc_row* row,
                                          const pc_row* force, pc_error* error)
{
  const pc_cone* last = cone + contact_count - 1;
  int swept = 0;
  if (!force)
    PC_TRY(pc_contact_problem_set_swept(p, contact_count, cone, row, (pc_spare){NULL, 0}, &swept,
                                        error));
  p->contact_count = contact_count;
  p->contact_rows = contact_count > 0 ? last->row + 1 + last->dimension : 0;
  p->cone = cone;
  p->contact = row;
  p->force = force;
  p->sparse.computed = 0;
  p->small = is_small(p, p->contact_rows);
  p->swept = swept;
  if (swept) return PC_OK;
  if (p->small) {
    p->condensed.D =
        pc_delassus_set_contacts(p->condensed.delassus, p->tangent, p->contact_rows, row, force);
    p->condensed.has_held = 0;
    for (int k = 0; k < contact_count; k++)
      p->condensed.has_held |= has_zero_diagonal(p, cone[k].row);
    return PC_OK;
  }
  return set_sparse_contacts(p, error);
}

/* ---- solution ------------------------------------------------------------------------------ */

static pc_status project_sparse(pc_contact_problem* p, const double* c_b, double* u, double* P_b,
                                pc_error* error)
{
  sparse* s = &p->sparse;
  PC_TRY(factor_bilateral(p, error));
  for (int r = 0; r < p->bilateral_count; r++) s->z[r] = -pc_row_dot(p->bilateral[r], u) - c_b[r];
  pc_block_lu_solve(s->lu, s->z);
  pc_percussion_form_apply(s->form, s->z, u);
  for (int r = 0; P_b && r < p->bilateral_count; r++) P_b[r] += s->z[r];
  return PC_OK;
}

pc_status pc_contact_problem_project(pc_contact_problem* p, const double* c_b, double* u,
                                     double* P_b, pc_error* error)
{
  if (p->bilateral_count == 0) return PC_OK;
  if (!is_small(p, 0)) return project_sparse(p, c_b, u, P_b, error);
  pc_delassus_project(p->condensed.delassus, c_b, u, P_b);
  return PC_OK;
}

/* A normal percussion below zero is what a solver's tolerance allows: that contact is open. */
static void open_pulling_contacts(const pc_contact_problem* p, double* P_c)
{
  for (int k = 0; k < p->contact_count; k++)
    if (P_c[p->cone[k].row] < 0) pc_zero(1 + p->cone[k].dimension, P_c + p->cone[k].row);
}

/* How many impulses the laws leave open on the branches of the guess: all of a contact that sticks,
 * the normal one of a contact that slips, none of an open one. Without a guess all rows. */
static int unknown_impulses(const pc_contact_problem* p, const double* P_c)
{
  int count = p->bilateral_count, closed = 0;
  for (int k = 0; k < p->contact_count; k++) {
    const pc_cone* cone = &p->cone[k];
    double t[PC_CONE_ROWS_MAX - 1];
    pc_contact_mode mode = pc_contact_mode_of(cone->dimension, cone->mu, P_c + cone->row, t);
    count += mode == PC_CONTACT_STICK ? 1 + cone->dimension : mode != PC_CONTACT_OPEN;
    closed += mode != PC_CONTACT_OPEN;
  }
  return closed > 0 ? count : p->sparse.row_count;
}

static pc_status solve_sparse(pc_contact_problem* p, const double* c_b, const double* c_c,
                              double* u, double* P_b, double* P_c, pc_solver_info* info,
                              pc_error* error)
{
  sparse* s = &p->sparse;
  int joints = p->bilateral_count;
  const pc_block_matrix* A = pc_percussion_form_matrix(s->form);
  for (int r = 0; r < s->row_count; r++)
    s->b[r] = pc_row_dot(s->row[r], u) + (r < joints ? c_b[r] : c_c[r - joints]);
  pc_problem problem = {s->node_count, s->node,  A->row,   A->start,
                        A->column,     A->place, A->value, s->b};
  pc_copy(p->contact_rows, P_c, s->z + joints);
  pc_solver_be_determinate(s->solver, unknown_impulses(p, P_c) <= p->def.n);
  PC_TRY(pc_solver_solve(s->solver, &problem, s->z, info, error));
  open_pulling_contacts(p, s->z + joints);
  pc_percussion_form_apply(s->form, s->z, u);
  for (int r = 0; P_b && r < joints; r++) P_b[r] += s->z[r];
  pc_copy(p->contact_rows, s->z + joints, P_c);
  return PC_OK;
}

/* What the quick dense methods left unsolved goes to the methods of the block-sparse problem, which
 * has the interior point method. u fulfils the joints' equations already. */
static pc_status solve_unsolved(pc_contact_problem* p, const double* c_b, const double* c_c,
                                double* u, double* P_b, double* P_c, pc_solver_info* info,
                                pc_error* error)
{
  int iterations = info->iterations;
  if (!p->sparse.computed) PC_TRY(set_sparse_contacts(p, error));
  pc_zero(p->bilateral_count, p->sparse.z);
  pc_solver_skip_quick(p->sparse.solver, 1);
  pc_status status = solve_sparse(p, c_b, c_c, u, P_b, P_c, info, error);
  pc_solver_skip_quick(p->sparse.solver, 0);
  info->iterations += iterations;
  return status;
}

/* y without contact forces, as it is to be taken, of a normal row whose contact is held by joints:
 * no force can change y, and a y below zero that is round-off, of its terms or of what it stands
 * for, is zero. */
static double held_offset(const pc_contact_problem* p, int row, double y, double c, const double* u)
{
  if (!(y < 0)) return y;
  pc_row w = p->contact[row];
  double size = fabs(c);
  const double* of = w.w;
  for (int k = 0; k < w.block_count; k++)
    for (int i = 0; i < w.block[k].width; i++, of++) size += fabs(*of * u[w.block[k].first + i]);
  return y >= -pc_larger(p->def.held_tolerance, PC_RESIDUAL_ROUND_OFF * size) ? 0 : y;
}

/* b = c + W u of all rows. */
PC_INLINE void fill_offsets(const pc_contact_problem* p, const double* c_c, const double* u)
{
  double* b = p->condensed.b;
  for (int r = 0; r < p->contact_rows; r++) b[r] = c_c[r] + pc_row_dot(p->contact[r], u);
  for (int k = 0; p->condensed.has_held && k < p->contact_count; k++) {
    int row = p->cone[k].row;
    if (has_zero_diagonal(p, row)) b[row] = held_offset(p, row, b[row], c_c[row], u);
  }
}

static pc_status solve_condensed(pc_contact_problem* p, const double* c_b, const double* c_c,
                                 double* u, double* P_b, double* P_c, pc_solver_info* info,
                                 pc_error* error)
{
  condensed* c = &p->condensed;
  if (p->bilateral_count) pc_delassus_project(c->delassus, c_b, u, P_b);
  if (p->contact_count == 0) return PC_OK;
  fill_offsets(p, c_c, u);
  pc_dense_problem problem = {p->contact_rows, p->contact_count, p->cone, c->D, c->b};
  pc_dense_solver_solve(c->solver, &problem, P_c, info);
  if (!info->converged && isfinite(info->residual))
    return solve_unsolved(p, c_b, c_c, u, P_b, P_c, info, error);
  open_pulling_contacts(p, P_c);
  pc_delassus_apply(c->delassus, P_c, u, P_b);
  return PC_OK;
}

int pc_contact_problem_can_correct(const pc_contact_problem* p)
{
  return !p->swept && (p->small || p->contact_count == 0);
}

/* b of the contacts for whole percussions, of which u has P_c already. */
static void fill_correction(const pc_contact_problem* p, const double* c_c, const double* u,
                            const double* P_c)
{
  int rows = p->contact_rows;
  double* b = p->condensed.b;
  const double* D = p->condensed.D;
  fill_offsets(p, c_c, u);
  for (int r = 0; r < rows; r++, D += rows)
    for (int i = 0; i < rows; i++) b[r] -= D[i] * P_c[i];
}

pc_status pc_contact_problem_correct(pc_contact_problem* p, const double* c_b, const double* c_c,
                                     double* u, double* P_b, double* P_c, pc_solver_info* info,
                                     pc_error* error)
{
  condensed* c = &p->condensed;
  *info = (pc_solver_info){.converged = 1, .accepted = 1};
  PC_TRY(pc_contact_problem_project(p, c_b, u, P_b, error));
  if (p->contact_count == 0) return PC_OK;
  fill_correction(p, c_c, u, P_c);
  pc_copy(p->contact_rows, P_c, c->P);
  pc_dense_problem problem = {p->contact_rows, p->contact_count, p->cone, c->D, c->b};
  pc_dense_solver_solve(c->solver, &problem, P_c, info);
  open_pulling_contacts(p, P_c);
  for (int r = 0; r < p->contact_rows; r++) c->P[r] = P_c[r] - c->P[r];
  pc_delassus_apply(c->delassus, c->P, u, P_b);
  return PC_OK;
}

void pc_contact_problem_be_rough(pc_contact_problem* p, double roughness)
{
  pc_solver_be_rough(p->sparse.solver, roughness);
}

int pc_contact_problem_refused(const pc_contact_problem* p, int contact)
{
  return pc_solver_refused(p->sparse.solver, p->sparse.bilateral_nodes + contact);
}

/* So many sweeps as were asked for. */
static pc_status solve_by_sweeps(pc_contact_problem* p, const double* c_c, double* u, double* P_c,
                                 pc_solver_info* info)
{
  double residual = pc_velocity_sweeps_solve(p->sweeps, p->def.sweeps, c_c, u, P_c);
  *info = (pc_solver_info){.converged = residual <= p->def.settings.tolerance,
                           .accepted = isfinite(residual),
                           .iterations = p->def.sweeps,
                           .residual = residual,
                           .solver = pc_method_name(PC_METHOD_NSGS),
                           .island_count = 1};
  info->inaccurate_count = info->accepted && !info->converged;
  info->answered[PC_METHOD_NSGS] = 1;
  return PC_OK;
}

pc_status pc_contact_problem_solve(pc_contact_problem* p, const double* c_b, const double* c_c,
                                   double* u, double* P_b, double* P_c, pc_solver_info* info,
                                   pc_error* error)
{
  if (p->contact_count == 0) *info = (pc_solver_info){.converged = 1, .accepted = 1};
  if (p->swept && p->contact_count > 0) return solve_by_sweeps(p, c_c, u, P_c, info);
  if (!p->small && p->contact_count > 0) {
    for (int r = 0; r < p->bilateral_count; r++) p->sparse.z[r] = P_b ? P_b[r] : 0;
    if (P_b) pc_zero(p->bilateral_count, P_b);
    return solve_sparse(p, c_b, c_c, u, P_b, P_c, info, error);
  }
  if (P_b) pc_zero(p->bilateral_count, P_b);
  if (p->small) return solve_condensed(p, c_b, c_c, u, P_b, P_c, info, error);
  return project_sparse(p, c_b, u, P_b, error);
}

double pc_contact_problem_mass(const pc_contact_problem* p, int contact)
{
  double sum = 0;
  int rows = 1 + p->cone[contact].dimension;
  if (p->swept) return pc_velocity_sweeps_mass(p->sweeps, contact);
  if (p->small) {
    size_t at = (size_t)p->cone[contact].row, next = (size_t)p->contact_rows + 1;
    for (int d = 0; d < rows; d++) sum += p->condensed.D[(at + (size_t)d) * next];
  } else {
    const pc_block_matrix* A = pc_percussion_form_matrix(p->sparse.form);
    const double* block = A->value + A->place[A->diagonal[p->sparse.bilateral_nodes + contact]];
    for (int d = 0; d < rows; d++) sum += block[d * (rows + 1)];
  }
  return sum > 0 ? rows / sum : 0;
}

const double* pc_contact_problem_dual(const pc_contact_problem* p, int contact)
{
  return p->swept ? pc_velocity_sweeps_dual(p->sweeps, contact) : NULL;
}

pc_status pc_contact_problem_rank(pc_contact_problem* p, int* rank, pc_error* error)
{
  if (is_small(p, 0)) {
    *rank = pc_delassus_rank(p->condensed.delassus);
    return PC_OK;
  }
  PC_TRY(factor_bilateral(p, error));
  *rank = pc_block_lu_rank(p->sparse.lu);
  return PC_OK;
}
