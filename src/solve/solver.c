/* Names, creation, islands, and which method an island gets. */
#include "percuss/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "solve/contact.h"
#include "solve/dense.h"
#include "solve/dense_island.h"
#include "solve/methods.h"

enum {
  PLANAR = 1,               /* the largest friction dimension of Lemke's method */
  SPATIAL = 3,              /* and of all others */
  GUESS_ROUNDS = 20,        /* Newton iterations from a guess ... */
  GUESS_STAGNATION_MAX = 3, /* ... and without progress */
  DAMPED_ROUNDS = 25,       /* the same with a proximal term, where the guess is near */
  DAMPED_STAGNATION_MAX = 10,
  SWEEPS_MIN = 30, /* of Gauss-Seidel before Newton's method is tried again */
  SWEEPS_MAX = 1000,
  ROUGH_SWEEPS = 8,    /* of a rough answer, in units of a factorisation */
  POLISH_MAX = 200,    /* sweeps on an answer that may be used as it is */
  NEWTON_ROUNDS = 200, /* of Newton's method alone */
  PIVOTING_QUICK =
      120, /* rows up to which Lemke's method takes as long as the interior point method */
  PIVOTING_MAX = 400,   /* and up to which it is worth its time where that fails: 0.1 s */
  PIVOTING_LAST = 800,  /* or where sweeps have failed, too: 1.5 s, as long as a path */
  ARENA_BYTES = 1 << 16 /* to begin with */
};

/* Rounds of sweeps and Newton's method, twice as many sweeps in each. They go on while each leaves
 * at most `progress` of the residual; sweeps that converge like 1/n leave about 0.4, and will not
 * get there. Below `near` a round has to bring two digits. */
typedef struct sweep_rounds {
  int first; /* sweeps of the first round, in units of a factorisation */
  int count;
  double progress, near;
  int goes_on; /* sweeps go on where they ended, not from the best answer */
} sweep_rounds;

/* Before the interior point method is asked, and where it failed. From 1e-4 on it takes few
 * iterations, without friction or with planar friction from 1e-3 on. */
static const sweep_rounds quick_rounds = {1, 4, 0.4, 1e-4, 0}, planar_rounds = {1, 4, 0.4, 1e-3, 0},
                          long_rounds = {16, 4, 0.8, 0, 0};

/* Where impulses are determined, and before the paths of the interior point method. A solution that
 * has ceased to exist leaves answers with a residual of 1e-6 to 1e-4 in its place, from which
 * sweeps have to get away: the residual grows before it falls, and the best answer is the wrong one
 * to go on with. */
static const sweep_rounds determinate_rounds = {4, 3, INFINITY, 0, 1},
                          patient_rounds = {16, 3, INFINITY, 0, 1};
static const double two_digits = 1e-2;

/* An answer to begin the next problem with need not be better than this. */
static const double ROUGHEST = 1e-3;

/* What a solver does with an island that needs one. */
typedef pc_status island_solver(pc_solver* solver, pc_island* island, pc_error* error);

static island_solver by_all_methods, by_newton, by_nsgs, by_ipm, by_lemke, by_prox;

static const struct solver_kind {
  const char* name;
  const char* summary;
  int friction_max;
  island_solver* solve;
} kinds[] = {
    {"auto", "for each island the quickest method that is likely to succeed, then the others",
     SPATIAL, by_all_methods},
    {"newton", "semismooth Newton with line search; quadratic from a good guess; all friction",
     SPATIAL, by_newton},
    {"nsgs", "Gauss-Seidel over the contacts with exact local solutions; all friction", SPATIAL,
     by_nsgs},
    {"ipm", "interior point method; few iterations, redundant contacts, no guess; all friction",
     SPATIAL, by_ipm},
    {"lemke", "Lemke's complementary pivoting, direct and accurate to round-off; planar friction",
     PLANAR, by_lemke},
    {"prox", "fixed point of the projections onto the cones, simple and slow; all friction",
     SPATIAL, by_prox},
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

struct pc_solver {
  const struct solver_kind* kind;
  pc_solver_settings settings;
  pc_arena* arena;
  pc_block_lu* lu;
  pc_dense_solver* planar;  /* small islands, friction dimension 0 and 1 */
  pc_dense_solver* spatial; /* the same, up to 3 */
  pc_dense_solver* large;   /* Lemke's method on larger islands; grows */
  int large_rows;
  int skip_quick;     /* see pc_solver_skip_quick */
  int is_brief;       /* see pc_solver_be_brief */
  int skip_paths;     /* see pc_solver_skip_paths */
  int is_determinate; /* see pc_solver_be_determinate */
  double roughness;   /* see pc_solver_be_rough */
  size_t refused_capacity;
  unsigned char* refused; /* nodes of the last problem: see pc_solver_refused */
};

/* --- names --- */

const char* const pc_method_names[PC_METHOD_COUNT] = {
    [PC_METHOD_DIRECT] = "direct", [PC_METHOD_NEWTON] = "newton",
    [PC_METHOD_LEMKE] = "lemke",   [PC_METHOD_ENUMERATION] = "enumeration",
    [PC_METHOD_NSGS] = "nsgs",     [PC_METHOD_PROX] = "prox",
    [PC_METHOD_IPM] = "ipm"};

const char* pc_method_name(pc_method method)
{
  return (unsigned)method < PC_METHOD_COUNT ? pc_method_names[method] : "unknown";
}

const char* const* pc_solver_names(void)
{
  static const char* const names[] = {"auto", "newton", "nsgs", "ipm", "lemke", "prox", NULL};
  return names;
}

static const struct solver_kind* find_kind(const char* name)
{
  for (int i = 0; i < KIND_COUNT; i++)
    if (name && strcmp(name, kinds[i].name) == 0) return &kinds[i];
  return NULL;
}

const char* pc_solver_summary(const char* name)
{
  const struct solver_kind* kind = find_kind(name);
  return kind ? kind->summary : NULL;
}

int pc_solver_friction_max(const char* name)
{
  const struct solver_kind* kind = find_kind(name);
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
  PC_TRY(pc_dense_solver_create(name ? name : pc_dense_default_solver(rows, PLANAR), rows, rows,
                                PLANAR, settings, &solver->planar, error));
  if (solver->kind->friction_max < SPATIAL) return PC_OK;
  return pc_dense_solver_create(name ? name : pc_dense_default_solver(rows, SPATIAL), rows, rows,
                                SPATIAL, settings, &solver->spatial, error);
}

pc_status pc_solver_create(const char* name, const pc_solver_settings* settings, pc_solver** solver,
                           pc_error* error)
{
  *solver = NULL;
  const struct solver_kind* kind = find_kind(name ? name : "auto");
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

void pc_solver_skip_paths(pc_solver* solver, int skip)
{
  solver->skip_paths = skip;
}

void pc_solver_be_determinate(pc_solver* solver, int is_determinate)
{
  solver->is_determinate = is_determinate;
}

void pc_solver_be_rough(pc_solver* solver, double roughness)
{
  solver->roughness = roughness;
}

/* The largest residual of an answer that may be used. */
static double acceptance(const pc_solver* solver)
{
  double accepted = solver->settings.acceptance;
  return solver->roughness > 0 ? pc_larger(accepted, ROUGHEST) : accepted;
}

/* The residual that was asked for at the creation. */
static double asked(const pc_solver* solver)
{
  return pc_larger(solver->settings.tolerance, PC_TOLERANCE_FLOOR);
}

/* Spatial friction in a time step: see pc_solver_be_determinate. */
static int is_determinate(const pc_solver* solver, const pc_island* s)
{
  return solver->is_determinate && s->friction_max > PLANAR;
}

/* In the plane a rough answer is not worth it for the next problem: a heap of 200 discs under
 * combined-projection took 35 s instead of 15 s, since contacts that a rough answer misplaces cost
 * passes. */
static double roughness_of(const pc_solver* solver, const pc_island* s)
{
  return s->friction_max > PLANAR ? solver->roughness : 0;
}

/* The residual at which the methods end. */
static double wanted(const pc_solver* solver, const pc_island* s)
{
  return pc_larger(asked(solver), roughness_of(solver, s));
}

static int is_rough_answer(const pc_solver* solver, const pc_island* s)
{
  return s->best_residual <= roughness_of(solver, s);
}

/* --- one island --- */

static pc_status memory(pc_status status, pc_error* error)
{
  return status == PC_OK ? PC_OK : pc_no_memory(error);
}

static int is_small(const pc_island* s)
{
  int rows = pc_island_contact_rows(s);
  return rows <= PC_DENSE_ROWS_MAX && s->row_count - rows <= PC_DENSE_ROWS_MAX;
}

static pc_dense_solver* dense_of(const pc_solver* solver, const pc_island* s)
{
  return s->friction_max <= PLANAR ? solver->planar : solver->spatial;
}

/* The dense methods in sequence, with the limits for a quick attempt. */
static pc_status by_quick_dense_methods(pc_solver* solver, pc_island* s)
{
  pc_dense_solver* dense = dense_of(solver, s);
  pc_dense_solver_be_brief(dense, 1);
  pc_status status = pc_dense_island_solve(s, dense, 0);
  pc_dense_solver_be_brief(dense, 0);
  return status;
}

/* The dense methods in sequence, with another limit of iterations. */
static pc_status by_dense_methods(pc_solver* solver, pc_island* s, int limit)
{
  pc_dense_solver* dense = dense_of(solver, s);
  pc_dense_solver_limit(dense, limit);
  pc_status status = pc_dense_island_solve(s, dense, 0);
  pc_dense_solver_limit(dense, solver->settings.max_iterations);
  return status;
}

static int has_guess(const pc_island* s)
{
  for (int i = 0; i < s->row_count; i++)
    if (s->z[i] != 0) return 1;
  return 0;
}

/* Sweeps that cost about as much as one factorisation, which takes some entries^2 / rows
 * operations. */
static int sweeps_of_a_factorisation(const pc_island* s)
{
  double entries = (double)pc_block_lu_entry_count(s->lu), rows = s->row_count;
  double sweep = (double)s->A.place[s->A.start[s->node_count] - 1] + 20 * rows;
  double count = entries * entries / rows / sweep;
  return count < SWEEPS_MIN ? SWEEPS_MIN : count < SWEEPS_MAX ? (int)count : SWEEPS_MAX;
}

/* In a row of bodies they do not, and what Newton's method does not solve is quicker solved by the
 * interior point method than by sweeps. */
static int factorisations_take_long(const pc_island* s)
{
  return sweeps_of_a_factorisation(s) > SWEEPS_MIN;
}

/* Where sweeps begin: with the best answer so far, or with no impulses where these violate the laws
 * less. The residual is relative to the largest impulse and does not tell: a guess from an impact
 * that is over has impulses far above those of a contact that persists. */
static void begin_sweeps(pc_island* s)
{
  memset(s->z, 0, (size_t)s->row_count * sizeof(double));
  if (s->best_residual == INFINITY) return;
  double without = pc_island_violation(s);
  pc_island_take_best(s);
  if (!(pc_island_violation(s) <= without)) memset(s->z, 0, (size_t)s->row_count * sizeof(double));
}

static int is_worth_a_round(const sweep_rounds* rounds, double before, double now)
{
  return now <= (now > rounds->near ? rounds->progress : two_digits) * before;
}

/* Sweeps put contacts right that are on the verge of closing or slipping, and are slow in the end;
 * Newton's method is quick once all contacts are right, but does not get there by itself. */
static pc_status round_of_sweeps(pc_island* s, int sweeps, double* swept)
{
  PC_TRY(pc_nsgs_solve(s, sweeps < s->max_iterations ? sweeps : s->max_iterations));
  memcpy(swept, s->z, (size_t)s->row_count * sizeof(double));
  if (pc_island_done(s)) return PC_OK;
  return pc_newton_solve(s, GUESS_ROUNDS, GUESS_STAGNATION_MAX, PC_METHOD_NEWTON);
}

static pc_status by_rounds(pc_island* s, const sweep_rounds* rounds)
{
  pc_mark mark = pc_arena_mark(s->arena);
  double* swept = pc_arena_doubles(s->arena, (size_t)s->row_count);
  pc_status status = swept ? pc_island_analyse(s) : PC_OUT_OF_MEMORY;
  int sweeps = status == PC_OK ? rounds->first * sweeps_of_a_factorisation(s) : 0;
  for (int i = 0; i < rounds->count && status == PC_OK && !pc_island_done(s); i++, sweeps *= 2) {
    double before = fmin(1, s->best_residual);
    status = round_of_sweeps(s, sweeps, swept);
    pc_island_take_best(s);
    if (!is_worth_a_round(rounds, before, s->best_residual)) break;
    if (rounds->goes_on) memcpy(s->z, swept, (size_t)s->row_count * sizeof(double));
  }
  pc_arena_release(s->arena, mark);
  return status;
}

/* From a guess that is no better than what is wanted, sweeps take less time than Newton's method:
 * at 1700 contacts of a heap of spheres 100 sweeps and 10 factorisations, each as long as they are.
 * From a better one that is tried first. */
static pc_status by_rough_methods(pc_island* s)
{
  if (has_guess(s) && (s->is_saddle || s->best_residual <= ROUGHEST))
    PC_TRY(pc_newton_solve(s, GUESS_ROUNDS, GUESS_STAGNATION_MAX, PC_METHOD_NEWTON));
  if (pc_island_done(s) || s->is_saddle) return PC_OK;
  begin_sweeps(s);
  PC_TRY(pc_island_analyse(s));
  PC_TRY(pc_nsgs_solve(s, ROUGH_SWEEPS * sweeps_of_a_factorisation(s)));
  pc_island_take_best(s);
  return PC_OK;
}

/* An answer this much better than what is accepted is not worth slow methods. */
static const double digits_to_spare = 1e-2;

static double sufficient_residual(const pc_solver* solver)
{
  return digits_to_spare * solver->settings.acceptance;
}

/* Newton's method with a proximal term from an answer that is near. Where friction has one
 * dimension, directions of slip do not turn. */
static pc_status by_damped_newton(const pc_solver* solver, pc_island* s)
{
  if (!is_determinate(solver, s) || !(s->best_residual <= ROUGHEST) ||
      s->best_residual <= sufficient_residual(solver))
    return PC_OK;
  pc_island_take_best(s);
  return pc_newton_solve_damped(s, DAMPED_ROUNDS, DAMPED_STAGNATION_MAX, PC_METHOD_NEWTON);
}

/* Newton's method from the guess, then rounds. */
static pc_status by_newton_and_sweeps(const pc_solver* solver, pc_island* s)
{
  if (has_guess(s))
    PC_TRY(pc_newton_solve(s, GUESS_ROUNDS, GUESS_STAGNATION_MAX, PC_METHOD_NEWTON));
  if (!pc_island_done(s)) PC_TRY(by_damped_newton(solver, s));
  if (pc_island_done(s) || s->is_saddle) return PC_OK;
  begin_sweeps(s);
  PC_TRY(pc_island_analyse(s));
  return by_rounds(s, s->friction_max <= PLANAR ? &planar_rounds
                      : is_determinate(solver, s) && factorisations_take_long(s)
                          ? &determinate_rounds
                          : &quick_rounds);
}

/* The last digits of an answer that may be used as it is are worth some work, but not all that one
 * is willing to do for an answer: a problem whose contacts are nearly infeasible keeps its
 * residual. */
static int sweeps_that_are_left(const pc_solver* solver, const pc_island* s)
{
  int all = solver->settings.max_iterations;
  int usable = s->best_residual <= solver->settings.acceptance || solver->skip_paths;
  return usable && all > POLISH_MAX ? POLISH_MAX : all;
}

/* Sweeps, and Newton's method from there: sweeps put contacts right that are on the verge of
 * closing or slipping, Newton's method the impulses that act over long distances. */
static pc_status by_sweeps_and_newton(const pc_solver* solver, pc_island* s)
{
  PC_TRY(pc_nsgs_solve(s, sweeps_that_are_left(solver, s)));
  if (pc_island_done(s)) return PC_OK;
  pc_island_take_best(s);
  int usable = s->best_residual <= solver->settings.acceptance || solver->skip_paths;
  return pc_newton_solve(s, NEWTON_ROUNDS, usable ? GUESS_STAGNATION_MAX : NEWTON_ROUNDS,
                         PC_METHOD_NEWTON);
}

/* Lemke's method, on an island of any size without friction or with planar friction. */
static pc_status by_pivoting(pc_solver* solver, pc_island* s)
{
  int rows = pc_island_contact_rows(s);
  if (rows > solver->large_rows) {
    pc_dense_solver_destroy(solver->large);
    solver->large_rows = 0;
    PC_TRY(pc_dense_solver_create("lemke", rows, rows, PLANAR, &solver->settings, &solver->large,
                                  NULL));
    solver->large_rows = rows;
  }
  return pc_dense_island_solve(s, solver->large, 1);
}

static int suits_pivoting(const pc_island* s, int rows_max)
{
  return s->friction_max <= PLANAR && s->row_count <= rows_max;
}

/* More sweeps, which in large heaps converge within some thousand; Lemke's method; then the path of
 * the interior point method, which has taken `done` iterations: a factorisation each. */
static pc_status by_long_methods(pc_solver* solver, pc_island* s, int done, double sufficient)
{
  if (!s->is_saddle) {
    pc_island_take_best(s);
    PC_TRY(by_rounds(s, &long_rounds));
  }
  if (s->best_residual > sufficient && s->row_count > PIVOTING_MAX &&
      suits_pivoting(s, PIVOTING_LAST))
    PC_TRY(by_pivoting(solver, s));
  if (s->best_residual <= sufficient) return PC_OK;
  return pc_ipm_follow_other_paths(s, s->iterations - done, sufficient);
}

/* Sweeps for as long as a path of the interior point method takes, in space only: in the plane it
 * takes less. The island has been analysed. */
static pc_status by_patient_rounds(pc_island* s, double sufficient)
{
  if (s->best_residual <= sufficient || s->is_saddle || s->friction_max <= PLANAR ||
      !factorisations_take_long(s))
    return PC_OK;
  pc_island_take_best(s);
  return by_rounds(s, &patient_rounds);
}

/* The interior point method from the guess; where that fails sweeps, or its path, which costs as
 * much as the other starts and succeeds where these do not; then these. */
static pc_status by_interior_points(const pc_solver* solver, pc_island* s, int was_guessed,
                                    double sufficient)
{
  int first = s->iterations;
  if (solver->skip_paths) return pc_ipm_solve_quickly(s, first, sufficient);
  PC_TRY(pc_ipm_solve_from_guess(s, first, sufficient));
  if (is_determinate(solver, s)) sufficient = solver->settings.acceptance;
  if (was_guessed) PC_TRY(by_patient_rounds(s, sufficient));
  if (s->best_residual > sufficient) PC_TRY(pc_ipm_follow_first_paths(s, first, sufficient));
  if (s->best_residual <= sufficient) return PC_OK;
  memset(s->z, 0, (size_t)s->row_count * sizeof(double));
  return pc_ipm_solve_quickly(s, first, sufficient);
}

/* Islands for the sparse methods: quick ones first, then the interior point method, then whatever
 * takes long. A guess that is good enough is an answer that these methods gave before, when a
 * scheme repeats a step: then only its last digits are tried again. */
static pc_status by_sparse_methods(pc_solver* solver, pc_island* s)
{
  double sufficient = sufficient_residual(solver);
  double usable = is_determinate(solver, s) ? solver->settings.acceptance : sufficient;
  int was_guessed = has_guess(s);
  int was_answer = was_guessed && pc_island_offer(s, PC_METHOD_NEWTON) <= usable;
  if (pc_island_done(s)) {
    s->tolerance = asked(solver); /* contacts that persist: all digits are near */
  } else if (s->tolerance > asked(solver)) {
    PC_TRY(by_rough_methods(s));
    if (s->best_residual <= ROUGHEST) return PC_OK;
  }
  if (pc_island_done(s)) return PC_OK;
  PC_TRY(by_newton_and_sweeps(solver, s));
  if (!pc_island_done(s) && suits_pivoting(s, PIVOTING_QUICK)) PC_TRY(by_pivoting(solver, s));
  if (pc_island_done(s) || was_answer || is_rough_answer(solver, s)) return PC_OK;
  if (s->best_residual < INFINITY) pc_island_take_best(s);
  int first = s->iterations;
  if (s->best_residual > sufficient) PC_TRY(by_interior_points(solver, s, was_guessed, sufficient));
  if (s->best_residual > usable && s->row_count > PIVOTING_QUICK && suits_pivoting(s, PIVOTING_MAX))
    PC_TRY(by_pivoting(solver, s));
  if (s->best_residual > usable && !solver->skip_paths)
    PC_TRY(by_long_methods(solver, s, s->iterations - first, usable));
  if (pc_island_done(s) || s->is_saddle) return PC_OK;
  pc_island_take_best(s);
  return by_sweeps_and_newton(solver, s);
}

/* Likewise for small islands. */
static pc_status by_small_methods(pc_solver* solver, pc_island* s)
{
  if (solver->skip_quick && s->friction_max > PLANAR)
    pc_island_offer(s, PC_METHOD_NSGS);
  else
    PC_TRY(by_quick_dense_methods(solver, s));
  if (pc_island_done(s) || is_rough_answer(solver, s)) return PC_OK;
  if (s->best_residual < INFINITY) pc_island_take_best(s);
  int first = s->iterations;
  double sufficient = sufficient_residual(solver);
  PC_TRY(pc_ipm_solve_quickly(s, first, sufficient));
  if (s->best_residual > sufficient && !solver->skip_paths)
    PC_TRY(pc_ipm_follow_first_paths(s, first, sufficient));
  if (s->best_residual > sufficient && !solver->skip_paths)
    PC_TRY(pc_ipm_follow_other_paths(s, first, sufficient));
  if (pc_island_done(s)) return PC_OK;
  pc_island_take_best(s);
  return by_dense_methods(solver, s, sweeps_that_are_left(solver, s));
}

/* What is not within the acceptance limit is worth all the work that is allowed. Without friction
 * the path has no turns, and what it has not solved has no solution. */
static pc_status by_path_to_its_end(pc_solver* solver, pc_island* s, int first)
{
  if (s->best_residual <= acceptance(solver) || s->friction_max == 0 || solver->is_brief)
    return PC_OK;
  return pc_ipm_follow_to_end(s, first);
}

static pc_status by_all_methods(pc_solver* solver, pc_island* s, pc_error* error)
{
  PC_TRY(memory(is_small(s) ? by_small_methods(solver, s) : by_sparse_methods(solver, s), error));
  return memory(by_path_to_its_end(solver, s, s->iterations), error);
}

static pc_status by_newton(pc_solver* solver, pc_island* s, pc_error* error)
{
  int limit = solver->settings.max_iterations;
  return memory(
      pc_newton_solve(s, limit < NEWTON_ROUNDS ? limit : NEWTON_ROUNDS, limit, PC_METHOD_NEWTON),
      error);
}

static pc_status by_ipm(pc_solver* solver, pc_island* s, pc_error* error)
{
  int first = s->iterations;
  PC_TRY(memory(pc_ipm_solve_quickly(s, first, 0), error));
  if (!pc_island_done(s)) PC_TRY(memory(pc_ipm_follow_first_paths(s, first, 0), error));
  if (!pc_island_done(s)) PC_TRY(memory(pc_ipm_follow_other_paths(s, first, 0), error));
  return memory(by_path_to_its_end(solver, s, first), error);
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
  if (is_small(s)) return memory(pc_dense_island_solve(s, dense_of(solver, s), 1), error);
  if (s->is_saddle) return refuse_saddle(solver, s, error);
  return memory(pc_nsgs_solve(s, s->max_iterations), error);
}

static pc_status by_prox(pc_solver* solver, pc_island* s, pc_error* error)
{
  if (is_small(s)) return memory(pc_dense_island_solve(s, dense_of(solver, s), 1), error);
  if (s->is_saddle) return refuse_saddle(solver, s, error);
  return memory(pc_prox_solve(s, s->max_iterations), error);
}

static pc_status by_lemke(pc_solver* solver, pc_island* s, pc_error* error)
{
  return memory(by_pivoting(solver, s), error);
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
  int converged = s->best_residual <= asked(solver);
  int accepted = converged || s->best_residual <= acceptance(solver);
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
  int refused = !pc_island_done(s) && !(s->best_residual <= acceptance(solver));
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
