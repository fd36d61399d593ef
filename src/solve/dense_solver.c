/* Creation of the dense solvers, and the sequence in which they are tried: modes of the guess, the
 * solver asked for, then the others. */
#include "base/larger.h"
#include "linalg/copy.h"
#include "solve/dense.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "solve/dense_work.h"

enum {
  METHODS_MAX = 4,
  LEMKE_ROWS_MAX = 60,     /* where Lemke is the default */
  FALLBACK_ROWS_MAX = 200, /* where its tableau is small enough to be kept for emergencies */
  LINE_ROUNDS = 3,         /* rounds of the warm start by modes, planar and spatial */
  PLANE_ROUNDS = 8,
  ATTEMPT_ROUNDS = 8,      /* between sweeps */
  QUICK_ROUNDS = 20,       /* rounds of a brief search in space ... */
  QUICK_STAGNATION_MAX = 3 /* ... of which so many in a row may not halve the residual */
};

struct pc_dense_solver {
  const pc_dense_ops* method[METHODS_MAX]; /* the first is the one asked for */
  void* scratch[METHODS_MAX];
  int method_count;
  int row_max;
  int contact_max;
  int dimension;
  int is_brief; /* see pc_dense_solver_be_brief */
  pc_solver_settings settings;
  pc_work work;
  double* start; /* row_max: the guess, scaled */
  double* doubles;
  int* ints;
};

static const pc_dense_ops* const sequences[][METHODS_MAX] = {
    {&pc_dense_lemke, &pc_dense_enumeration, &pc_dense_nsgs, &pc_dense_prox},
    {&pc_dense_nsgs, &pc_dense_prox, &pc_dense_lemke, &pc_dense_enumeration},
    {&pc_dense_prox, &pc_dense_nsgs, &pc_dense_lemke, &pc_dense_enumeration},
};

enum { SEQUENCE_COUNT = sizeof sequences / sizeof sequences[0] };

const char* pc_dense_default_solver(int row_count, int friction_dimension)
{
  if (friction_dimension > pc_dense_lemke.max_dimension) return pc_dense_nsgs.name;
  return row_count <= LEMKE_ROWS_MAX ? pc_dense_lemke.name : pc_dense_nsgs.name;
}

/* The sequence that begins with a solver; for other methods, the default one. */
static const pc_dense_ops* const* find_sequence(const char* name, int row_max, int dimension)
{
  if (!name || !pc_solver_summary(name)) return NULL;
  for (int i = 0; i < SEQUENCE_COUNT; i++)
    if (strcmp(name, sequences[i][0]->name) == 0) return sequences[i];
  return find_sequence(pc_dense_default_solver(row_max, dimension), row_max, dimension);
}

/* Arrays of the shared work, taken from one block of doubles and one of ints. */
static pc_status allocate_work(pc_dense_solver* solver)
{
  size_t n = (size_t)solver->row_max, contacts = (size_t)solver->contact_max;
  solver->doubles = pc_alloc(2 * n * n + 9 * n + 2 * contacts, sizeof(double));
  solver->ints = pc_alloc(2 * n + contacts, sizeof(int));
  pc_work* work = &solver->work;
  work->modes.mode = pc_alloc(contacts, sizeof(pc_contact_mode));
  if (!solver->doubles || !solver->ints || !work->modes.mode) return PC_OUT_OF_MEMORY;

  double* next = solver->doubles;
  work->A = next, next += n * n;
  work->modes.K = next, next += n * n;
  double** vectors[] = {
      &work->b,         &work->P,         &work->y,          &work->best,
      &solver->start,   &work->modes.rhs, &work->modes.full, &work->modes.direction,
      &work->row_weight};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) *vectors[i] = next, next += n;
  work->mass = next, next += contacts;
  work->weight = next;
  work->modes.row_order = solver->ints;
  work->modes.column_order = solver->ints + n;
  work->modes.unknowns = solver->ints + 2 * n;
  return PC_OK;
}

/* The methods that support this friction dimension, and are not too large to be kept in reserve. */
static pc_status allocate_methods(pc_dense_solver* solver, const pc_dense_ops* const* sequence)
{
  for (int i = 0; i < METHODS_MAX; i++) {
    const pc_dense_ops* ops = sequence[i];
    if (ops->max_dimension < solver->dimension) continue;
    if (i > 0 && ops == &pc_dense_lemke && solver->row_max > FALLBACK_ROWS_MAX) continue;
    size_t bytes = ops->scratch ? ops->scratch(solver->row_max, solver->contact_max) : 0;
    void* scratch = pc_alloc(bytes, 1);
    if (!scratch) return PC_OUT_OF_MEMORY;
    solver->method[solver->method_count] = ops;
    solver->scratch[solver->method_count++] = scratch;
  }
  return PC_OK;
}

static pc_status check_arguments(const char* name, int row_max, int contact_max, int dimension,
                                 const pc_solver_settings* settings, pc_error* error)
{
  const pc_dense_ops* const* sequence = find_sequence(name, row_max, dimension);
  if (!sequence) return pc_fail(error, PC_BAD_ARGUMENT, "unknown solver '%s'", name ? name : "");
  if (dimension < 0 || dimension > sequence[0]->max_dimension)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "solver '%s' takes friction of dimension 0 to %d, not %d", name,
                   sequence[0]->max_dimension, dimension);
  if (row_max < 0 || contact_max < 0)
    return pc_fail(error, PC_BAD_ARGUMENT, "solver '%s': negative size", name);
  if (settings && !(settings->tolerance > 0 && settings->max_iterations > 0))
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "solver '%s': tolerance and max_iterations must be positive", name);
  return PC_OK;
}

pc_status pc_dense_solver_create(const char* name, int row_max, int contact_max,
                                 int friction_dimension, const pc_solver_settings* settings,
                                 pc_dense_solver** solver, pc_error* error)
{
  *solver = NULL;
  PC_TRY(check_arguments(name, row_max, contact_max, friction_dimension, settings, error));
  pc_dense_solver* made = pc_alloc(1, sizeof *made);
  if (!made) return pc_no_memory(error);
  made->row_max = row_max;
  made->contact_max = contact_max < row_max ? contact_max : row_max; /* a row each at least */
  made->dimension = friction_dimension;
  made->settings = settings ? *settings : pc_default_solver_settings();
  if (allocate_work(made) != PC_OK ||
      allocate_methods(made, find_sequence(name, row_max, friction_dimension)) != PC_OK) {
    pc_dense_solver_destroy(made);
    return pc_no_memory(error);
  }
  *solver = made;
  return PC_OK;
}

void pc_dense_solver_destroy(pc_dense_solver* solver)
{
  if (!solver) return;
  for (int i = 0; i < solver->method_count; i++) free(solver->scratch[i]);
  free(solver->work.modes.mode);
  free(solver->doubles);
  free(solver->ints);
  free(solver);
}

/* The problem has the layout of the header and the sizes that the solver was made for. */
static int fits(const pc_dense_solver* solver, const pc_dense_problem* problem)
{
  if (problem->row_count > solver->row_max || problem->contact_count > solver->contact_max)
    return 0;
  int row = 0;
  for (int k = 0; k < problem->contact_count; k++) {
    const pc_cone* cone = &problem->cone[k];
    if (cone->row != row || cone->dimension < 0 || cone->dimension > solver->dimension) return 0;
    if (!(cone->mu >= 0 && cone->mu <= DBL_MAX)) return 0;
    row += 1 + cone->dimension;
  }
  return row == problem->row_count;
}

/* How a solve ended that gave an answer. */
static void tell(const pc_dense_solver* solver, pc_method by, int iterations, double residual,
                 double tolerance, pc_solver_info* info)
{
  *info = (pc_solver_info){.converged = residual <= tolerance,
                           .iterations = iterations,
                           .residual = residual,
                           .solver = pc_method_names[by],
                           .island_count = 1};
  info->accepted = info->converged || residual <= solver->settings.acceptance;
  info->inaccurate_count = info->accepted && !info->converged;
  info->answered[by] = 1;
}

static pc_solver_info failure(const pc_dense_solver* solver, const pc_dense_problem* problem,
                              double* P)
{
  pc_zero(problem->row_count, P);
  return (pc_solver_info){
      .residual = INFINITY, .solver = solver->method[0]->name, .island_count = 1};
}

/* Without percussions no contact closes: nothing to solve. Numbers that are not finite are no
 * answer. */
static int free_motion_is_admissible(const pc_dense_problem* problem)
{
  int n = problem->row_count, finite = 1;
  for (int k = 0; k < problem->contact_count; k++)
    if (!(problem->b[problem->cone[k].row] >= 0)) return 0;
  for (int i = 0; i < n; i++) finite &= fabs(problem->b[i]) <= DBL_MAX;
  for (int i = 0; i < n * n; i++) finite &= fabs(problem->A[i]) <= DBL_MAX;
  return finite;
}

static void copy(int n, const double* from, double* to)
{
  pc_copy(n, from, to);
}

/* The modes of the guess if they do, else method by method, each from the best so far. */
static void try_in_sequence(pc_dense_solver* solver)
{
  pc_work* work = &solver->work;
  int n = work->row_count,
      in_space = solver->dimension > 1; /* Newton's method turns slip directions */
  int rounds = !in_space ? LINE_ROUNDS : solver->is_brief ? QUICK_ROUNDS : PLANE_ROUNDS;
  copy(n, work->P, solver->start);
  double found = pc_modes_search(work, rounds, PC_METHOD_NEWTON);
  if (pc_work_done(work) && (found <= PC_RESIDUAL_ROUND_OFF || (solver->is_brief && in_space)))
    return;

  copy(n, solver->start, work->P);
  pc_work_offer(work, PC_METHOD_DIRECT);
  int methods = solver->is_brief && in_space ? 1 : solver->method_count;
  for (int i = 0; i < methods; i++) {
    copy(n, i == 0 ? solver->start : work->best, work->P);
    solver->method[i]->solve(work, solver->scratch[i]);
    if (pc_work_done(work)) return;
  }
}

/* The solver asked for and nothing else. */
static void first_method(pc_dense_solver* solver)
{
  pc_work_offer(&solver->work, PC_METHOD_DIRECT);
  solver->method[0]->solve(&solver->work, solver->scratch[0]);
}

/* P = beta s P^, exact but for underflow. */
static void unscale(const pc_work* work, double* P)
{
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    double factor = work->beta * work->weight[k];
    for (int i = cone->row; i <= cone->row + cone->dimension; i++) P[i] = factor * work->best[i];
  }
}

static int limit_of(const pc_dense_solver* solver)
{
  int all = solver->settings.max_iterations;
  int quick = solver->dimension > 1 ? PC_QUICK_ITERATIONS_SPATIAL : PC_QUICK_ITERATIONS;
  return solver->is_brief && quick < all ? quick : all;
}

static void solve_by(pc_dense_solver* solver, const pc_dense_problem* problem, double* P,
                     pc_solver_info* info, void (*method)(pc_dense_solver*))
{
  pc_work* work = &solver->work;
  work->tolerance = pc_larger(solver->settings.tolerance, PC_TOLERANCE_FLOOR);
  work->max_iterations = limit_of(solver);
  work->modes.r = 1;
  int brief = solver->is_brief && solver->dimension > 1;
  work->modes.trials = brief ? 1 : PC_MODES_TRIALS;
  work->modes.stagnation_max = brief ? QUICK_STAGNATION_MAX : INT_MAX;
  work->modes.attempt_rounds = brief ? QUICK_ROUNDS : ATTEMPT_ROUNDS;
  int is_sound = fits(solver, problem);
  if (is_sound && free_motion_is_admissible(problem)) {
    pc_zero(problem->row_count, P);
    tell(solver, PC_METHOD_DIRECT, 0, 0, work->tolerance, info);
    return;
  }
  if (!is_sound || !pc_work_scale(work, problem, P)) {
    *info = failure(solver, problem, P);
    return;
  }
  method(solver);
  if (work->best_residual ==
      INFINITY) { /* the data are finite, but what follows from them overflows */
    *info = failure(solver, problem, P);
    return;
  }
  unscale(work, P);
  tell(solver, work->best_by, work->iterations, work->best_residual, work->tolerance, info);
}

/* A single contact has a closed form. It is taken if it meets the tolerance; otherwise (and for
 * problems that make no sense) the sequence of methods decides. */
static int solve_single(const pc_dense_solver* solver, const pc_dense_problem* problem, double* P,
                        pc_solver_info* info)
{
  const pc_cone* cone = problem->cone;
  if (problem->contact_count != 1 || cone->row != 0 || cone->dimension < 0 ||
      cone->dimension >= PC_CONE_ROWS_MAX || problem->row_count != 1 + cone->dimension ||
      !(cone->mu >= 0 && isfinite(cone->mu)))
    return 0;
  double answer[PC_CONE_ROWS_MAX];
  pc_contact_solve(cone, problem->A, problem->b, answer);
  double residual = pc_dense_residual(problem, answer);
  if (!(residual <= solver->settings.tolerance) && !(residual <= PC_TOLERANCE_FLOOR)) return 0;
  for (int i = 0; i <= cone->dimension; i++) P[i] = answer[i];
  tell(solver, PC_METHOD_DIRECT, 1, residual, INFINITY, info);
  return 1;
}

void pc_dense_solver_solve(pc_dense_solver* solver, const pc_dense_problem* problem, double* P,
                           pc_solver_info* info)
{
  if (solve_single(solver, problem, P, info)) return;
  solve_by(solver, problem, P, info, try_in_sequence);
}

void pc_dense_solver_solve_alone(pc_dense_solver* solver, const pc_dense_problem* problem,
                                 double* P, pc_solver_info* info)
{
  solve_by(solver, problem, P, info, first_method);
}

void pc_dense_solver_limit(pc_dense_solver* solver, int max_iterations)
{
  solver->settings.max_iterations = max_iterations;
}

void pc_dense_solver_be_brief(pc_dense_solver* solver, int is_brief)
{
  solver->is_brief = is_brief;
}
