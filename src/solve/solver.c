/* Names, creation, islands. */
#include "percuss/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "solve/contact.h"
#include "solve/solver_inside.h"

enum { ARENA_BYTES = 1 << 16 }; /* to begin with */

/* What a solver does with an island that needs one. */
typedef pc_status island_solver(pc_solver* solver, pc_island* island, pc_error* error);

static island_solver by_all_methods, by_newton, by_nsgs, by_ipm, by_lemke, by_prox;

static const struct pc_solver_kind {
  const char* name;
  const char* summary;
  int friction_max;
  island_solver* solve;
} kinds[] = {
    {"auto", "for each island the quickest method that is likely to succeed, then the others",
     PC_FRICTION_SPATIAL, by_all_methods},
    {"newton", "semismooth Newton with line search; quadratic from a good guess; all friction",
     PC_FRICTION_SPATIAL, by_newton},
    {"nsgs", "Gauss-Seidel over the contacts with exact local solutions; all friction",
     PC_FRICTION_SPATIAL, by_nsgs},
    {"ipm", "interior point method; few iterations, redundant contacts, no guess; all friction",
     PC_FRICTION_SPATIAL, by_ipm},
    {"lemke", "Lemke's complementary pivoting, direct and accurate to round-off; planar friction",
     PC_FRICTION_PLANAR, by_lemke},
    {"prox", "fixed point of the projections onto the cones, simple and slow; all friction",
     PC_FRICTION_SPATIAL, by_prox},
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

/* --- names --- */

const char* const pc_method_names[PC_METHOD_COUNT] = {
    [PC_METHOD_DIRECT] = "direct", [PC_METHOD_NEWTON] = "newton",
    [PC_METHOD_LEMKE] = "lemke",   [PC_METHOD_ENUMERATION] = "enumeration",
    [PC_METHOD_NSGS] = "nsgs",     [PC_METHOD_PROX] = "prox",
    [PC_METHOD_IPM] = "ipm",       [PC_METHOD_ADMM] = "admm"};

const char* pc_method_name(pc_method method)
{
  return (unsigned)method < PC_METHOD_COUNT ? pc_method_names[method] : "unknown";
}

const char* const* pc_solver_names(void)
{
  static const char* const names[] = {"auto", "newton", "nsgs", "ipm", "lemke", "prox", NULL};
  return names;
}

static const struct pc_solver_kind* find_kind(const char* name)
{
  for (int i = 0; i < KIND_COUNT; i++)
    if (name && strcmp(name, kinds[i].name) == 0) return &kinds[i];
  return NULL;
}

const char* pc_solver_summary(const char* name)
{
  const struct pc_solver_kind* kind = find_kind(name);
  return kind ? kind->summary : NULL;
}

int pc_solver_friction_max(const char* name)
{
  const struct pc_solver_kind* kind = find_kind(name);
  return kind ? kind->friction_max : -1;
}

/* --- creation --- */

pc_solver_settings pc_default_solver_settings(void)
{
  return (pc_solver_settings){.tolerance = 1e-12, .acceptance = 1e-6, .max_iterations = 10000};
}

static pc_status allocate(pc_solver* solver, pc_error* error)
{
  const char* name = solver->kind->solve == by_all_methods ? NULL : solver->kind->name;
  const pc_solver_settings* settings = &solver->settings;
  int rows = PC_DENSE_ROWS_MAX;
  solver->arena = pc_arena_create(ARENA_BYTES);
  if (!solver->arena) return pc_no_memory(error);
  PC_TRY(pc_block_lu_create(&solver->lu, error));
  PC_TRY(pc_dense_solver_create(name ? name : pc_dense_default_solver(rows, PC_FRICTION_PLANAR),
                                rows, rows, PC_FRICTION_PLANAR, settings, &solver->planar, error));
  if (solver->kind->friction_max < PC_FRICTION_SPATIAL) return PC_OK;
  return pc_dense_solver_create(name ? name : pc_dense_default_solver(rows, PC_FRICTION_SPATIAL),
                                rows, rows, PC_FRICTION_SPATIAL, settings, &solver->spatial, error);
}

pc_status pc_solver_create(const char* name, const pc_solver_settings* settings, pc_solver** solver,
                           pc_error* error)
{
  PC_TRY(pc_need(solver, "solver", error));
  *solver = NULL;
  const struct pc_solver_kind* kind = find_kind(name ? name : "auto");
  if (!kind) return pc_fail(error, PC_BAD_ARGUMENT, "unknown solver '%s'", name);
  pc_solver_settings own = settings ? *settings : pc_default_solver_settings();
  if (!(own.tolerance > 0 && own.acceptance >= 0 && own.max_iterations > 0))
    return pc_fail(
        error, PC_BAD_ARGUMENT,
        "solver '%s': tolerance and max_iterations must be positive, acceptance not negative",
        kind->name);
  pc_solver* made = pc_alloc(1, sizeof *made);
  if (!made) return pc_no_memory(error);
  made->kind = kind;
  made->settings = own;
  pc_status status = allocate(made, error);
  if (status != PC_OK) {
    pc_solver_destroy(made);
    return status;
  }
  *solver = made;
  return PC_OK;
}

void pc_solver_destroy(pc_solver* solver)
{
  if (!solver) return;
  pc_dense_solver_destroy(solver->planar);
  pc_dense_solver_destroy(solver->spatial);
  pc_dense_solver_destroy(solver->large);
  pc_block_lu_destroy(solver->lu);
  pc_arena_destroy(solver->arena);
  free(solver->refused);
  free(solver);
}

int pc_solver_refused(const pc_solver* solver, int node)
{
  return solver->refused[node];
}

void pc_solver_skip_quick(pc_solver* solver, int skip)
{
  solver->skip_quick = skip;
}

void pc_solver_be_brief(pc_solver* solver)
{
  solver->is_brief = 1;
}

void pc_solver_be_determinate(pc_solver* solver, int is_determinate)
{
  solver->is_determinate = is_determinate;
}

void pc_solver_be_rough(pc_solver* solver, double roughness)
{
  solver->roughness = roughness;
}

/* The residual at which the methods end. */
static double wanted(const pc_solver* solver, const pc_island* s)
{
  return pc_larger(pc_solver_asked(solver), pc_solver_roughness(solver, s));
}

/* --- one island --- */

static pc_status memory(pc_status status, pc_error* error)
{
  return status == PC_OK ? PC_OK : pc_no_memory(error);
}

static pc_status by_all_methods(pc_solver* solver, pc_island* s, pc_error* error)
{
  return memory(pc_auto_solve(solver, s), error);
}

static pc_status by_newton(pc_solver* solver, pc_island* s, pc_error* error)
{
  int limit = solver->settings.max_iterations;
  return memory(pc_newton_solve(s, limit < PC_NEWTON_ROUNDS ? limit : PC_NEWTON_ROUNDS, limit,
                                PC_METHOD_NEWTON),
                error);
}

static pc_status by_ipm(pc_solver* solver, pc_island* s, pc_error* error)
{
  return memory(pc_ipm_solve(s, solver->settings.max_iterations, 0), error);
}

static pc_status refuse_saddle(const pc_solver* solver, const pc_island* s, pc_error* error)
{
  return pc_fail(
      error, PC_BAD_ARGUMENT,
      "solver '%s' does not take an island of %d rows in which nodes have no diagonal block; "
      "use newton, ipm or auto",
      solver->kind->name, s->row_count);
}

static pc_status by_nsgs(pc_solver* solver, pc_island* s, pc_error* error)
{
  if (pc_solver_is_small(s))
    return memory(pc_dense_island_solve(s, pc_solver_dense_of(solver, s), 1), error);
  if (s->is_saddle) return refuse_saddle(solver, s, error);
  return memory(pc_nsgs_solve(s, s->max_iterations, PC_METHOD_NSGS), error);
}

static pc_status by_prox(pc_solver* solver, pc_island* s, pc_error* error)
{
  if (pc_solver_is_small(s))
    return memory(pc_dense_island_solve(s, pc_solver_dense_of(solver, s), 1), error);
  if (s->is_saddle) return refuse_saddle(solver, s, error);
  return memory(pc_prox_solve(s, s->max_iterations), error);
}

static pc_status by_lemke(pc_solver* solver, pc_island* s, pc_error* error)
{
  return memory(pc_auto_pivot(solver, s), error);
}

/* Without impulses no contact closes, and there is nothing else. */
static int free_motion_is_admissible(const pc_island* s)
{
  if (s->contact_count < s->node_count) return 0;
  for (int k = 0; k < s->node_count; k++)
    if (!(s->b[s->A.row[k]] >= 0)) return 0;
  return 1;
}

/* Islands that need no iteration. Leaves the others. */
static pc_status solve_directly(pc_island* s)
{
  if (s->contact_count == 0) return pc_equality_solve(s);
  if (free_motion_is_admissible(s)) {
    memset(s->z, 0, (size_t)s->row_count * sizeof(double));
    pc_island_offer(s, PC_METHOD_DIRECT);
  } else if (s->node_count == 1) {
    double* guess = s->y; /* the dual is computed anew by the offer */
    memcpy(guess, s->z, (size_t)s->row_count * sizeof(double));
    pc_cone cone = {0, s->row_count - 1, s->node[0].mu};
    pc_contact_solve(&cone, s->A.value, s->b, s->z);
    s->iterations++;
    pc_island_offer(s, PC_METHOD_DIRECT);
  }
  return PC_OK;
}

static pc_status solve_island(pc_solver* solver, pc_island* s, pc_error* error)
{
  s->lu = solver->lu;
  s->tolerance = wanted(solver, s);
  s->max_iterations = solver->settings.max_iterations;
  PC_TRY(memory(solve_directly(s), error));
  if (pc_island_done(s) || s->contact_count == 0) return PC_OK;
  return solver->kind->solve(solver, s, error);
}

/* --- all of them --- */

static void add(const pc_solver* solver, const pc_island* s, pc_solver_info* info)
{
  int converged = s->best_residual <= pc_solver_asked(solver);
  int accepted = converged || s->best_residual <= pc_solver_acceptance(solver);
  info->converged &= converged;
  info->accepted &= accepted;
  info->inaccurate_count += accepted && !converged;
  info->iterations += s->iterations;
  info->island_count++;
  if (s->best_residual < INFINITY) info->answered[s->best_by]++;
  if (info->island_count > 1 && !(s->best_residual > info->residual)) return;
  info->residual = s->best_residual;
  info->solver = s->best_residual < INFINITY ? pc_method_name(s->best_by) : solver->kind->name;
}

static pc_status check_friction(const pc_solver* solver, const pc_problem* problem, pc_error* error)
{
  for (int k = 0; k < problem->node_count; k++) {
    int d = problem->row[k + 1] - problem->row[k] - 1;
    if (problem->node[k].kind == PC_NODE_CONTACT && d > solver->kind->friction_max)
      return pc_fail(error, PC_BAD_ARGUMENT,
                     "solver '%s' takes friction of dimension 0 to %d, contact %d has %d",
                     solver->kind->name, solver->kind->friction_max, k, d);
  }
  return PC_OK;
}

static void note_refused(pc_solver* solver, const pc_islands* islands, int i, const pc_island* s)
{
  int refused = !pc_island_done(s) && !(s->best_residual <= pc_solver_acceptance(solver));
  for (int k = islands->first[i]; k < islands->first[i + 1]; k++)
    solver->refused[islands->member[k]] = (unsigned char)refused;
}

static pc_status solve_all(pc_solver* solver, const pc_problem* problem, double* z,
                           pc_solver_info* info, pc_error* error)
{
  pc_islands islands;
  const pc_array by_node[] = {PC_ARRAY(solver->refused)};
  PC_TRY(
      memory(pc_reserve_arrays(1, by_node, &solver->refused_capacity, (size_t)problem->node_count),
             error));
  PC_TRY(memory(pc_find_islands(problem, solver->arena, &islands), error));
  for (int i = 0; i < islands.count; i++) {
    pc_mark mark = pc_arena_mark(solver->arena);
    pc_island island;
    PC_TRY(memory(pc_island_extract(problem, &islands, i, z, solver->arena, &island), error));
    PC_TRY(solve_island(solver, &island, error));
    pc_island_unscale(&island, problem, &islands, i, z);
    add(solver, &island, info);
    note_refused(solver, &islands, i, &island);
    pc_arena_release(solver->arena, mark);
  }
  return PC_OK;
}

pc_status pc_solver_solve(pc_solver* solver, const pc_problem* problem, double* z,
                          pc_solver_info* info, pc_error* error)
{
  PC_TRY(pc_need(solver, "solver", error));
  PC_TRY(pc_need(problem, "problem", error));
  PC_TRY(pc_need(z, "z", error));
  PC_TRY(pc_need(info, "info", error));
  pc_mark mark = pc_arena_mark(solver->arena);
  *info =
      (pc_solver_info){.converged = 1, .accepted = 1, .solver = pc_method_name(PC_METHOD_DIRECT)};
  pc_status status = pc_problem_check(problem, error);
  if (status == PC_OK) status = check_friction(solver, problem, error);
  if (status == PC_OK) status = solve_all(solver, problem, z, info, error);
  pc_arena_release(solver->arena, mark);
  if (status == PC_OK) return PC_OK;
  *info = (pc_solver_info){.residual = INFINITY, .solver = solver->kind->name};
  if (status != PC_BAD_ARGUMENT && problem->node_count > 0)
    memset(z, 0, (size_t)problem->row[problem->node_count] * sizeof(double));
  return status;
}
