/* Which methods an island gets under `auto`, and in which order (docs/solvers/README.md). */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "solve/admm.h"
#include "solve/schwarz.h"
#include "solve/solver_inside.h"

enum {
  GUESS_ROUNDS = 20,        /* Newton iterations from a guess ... */
  GUESS_STAGNATION_MAX = 3, /* ... and without progress */
  DAMPED_ROUNDS = 25,       /* the same with a proximal term, where the guess is near */
  DAMPED_STAGNATION_MAX = 10,
  ADMM_ROUNDS = 4,      /* of sweeps, alternating directions and proximal problems: */
  ADMM_SWEEPS = 8,      /* sweeps of each, in units of a factorisation, */
  ADMM_FIRST = 150,     /* iterations of the first, twice as many in the next, */
  PROXIMAL_ROUNDS = 40, /* and those on proximal problems ... */
  PROXIMAL_STAGNATION_MAX = 12,
  SCHWARZ_SWEEPS = 2000, /* and rounds with subdomains */
  SCHWARZ_ROUNDS = 4,
  ROUGH_SWEEPS = 8, /* of a rough answer, in units of a factorisation */
  POLISH_MAX = 200, /* sweeps on an answer that may be used as it is */
  PIVOTING_QUICK =
      120, /* rows up to which Lemke's method takes as long as the interior point method */
  PIVOTING_MAX = 400, /* and up to which it is worth its time where that fails: 0.1 s */
  IPM_BRIEF = 60      /* factorisations of the interior point method on linearisations */
};

/* Rounds of sweeps and Newton's method, twice as many sweeps in each. They go on while each leaves
 * at most `progress` of the residual; sweeps that converge like 1/n leave about 0.4, and will not
 * get there. Below `near` a round has to bring two digits. */
typedef struct sweep_rounds {
  int first; /* sweeps of the first round, in units of a factorisation */
  int count;
  double progress, near;
} sweep_rounds;

/* Before the interior point method is asked. From 1e-4 on it takes few iterations, without friction
 * or with planar friction from 1e-3 on. */
static const sweep_rounds quick_rounds = {1, 4, 0.4, 1e-4}, planar_rounds = {1, 4, 0.4, 1e-3};
static const double two_digits = 1e-2;

/* --- what is enough --- */

/* Spatial friction in a time step: see pc_solver_be_determinate. */
static int is_determinate(const pc_solver* solver, const pc_island* s)
{
  return solver->is_determinate && s->friction_max > PC_FRICTION_PLANAR;
}

static int is_rough_answer(const pc_solver* solver, const pc_island* s)
{
  return s->best_residual <= pc_solver_roughness(solver, s);
}

/* --- one method after the other --- */

/* The dense methods in sequence, with the limits for a quick attempt. */
static pc_status by_quick_dense_methods(pc_solver* solver, pc_island* s)
{
  pc_dense_solver* dense = pc_solver_dense_of(solver, s);
  pc_dense_solver_be_brief(dense, 1);
  pc_status status = pc_dense_island_solve(s, dense, 0);
  pc_dense_solver_be_brief(dense, 0);
  return status;
}

/* The dense methods in sequence, with another limit of iterations. */
static pc_status by_dense_methods(pc_solver* solver, pc_island* s, int limit)
{
  pc_dense_solver* dense = pc_solver_dense_of(solver, s);
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

/* In a row of bodies they do not, and what Newton's method does not solve is quicker solved by the
 * interior point method than by sweeps. */
static int factorisations_take_long(const pc_island* s)
{
  return pc_island_sweeps_of_factorisation(s) > PC_SWEEPS_MIN;
}

/* Factorisations that the interior point method may take. One that takes long counts as the sweeps
 * that it takes, in units of PC_SWEEPS_MIN. */
static int ipm_iterations(const pc_solver* solver, const pc_island* s)
{
  if (solver->is_brief) return IPM_BRIEF;
  return (int)((double)s->max_iterations * PC_SWEEPS_MIN / pc_island_sweeps_of_factorisation(s));
}

/* Of a time step, with spatial friction and determined impulses. The nodes have been ordered. */
static int is_large_heap(const pc_solver* solver, const pc_island* s)
{
  return is_determinate(solver, s) && !s->is_saddle && factorisations_take_long(s);
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
 * Newton's method is quick once all contacts are right, but does not get there by itself. Until the
 * tolerance is met, or after the first round a residual of `usable`. */
static pc_status by_rounds(pc_island* s, const sweep_rounds* rounds, double usable)
{
  PC_TRY(pc_island_analyse(s));
  int sweeps = rounds->first * pc_island_sweeps_of_factorisation(s);
  for (int i = 0; i < rounds->count && !pc_island_done(s); i++, sweeps *= 2) {
    double before = fmin(1, s->best_residual);
    PC_TRY(
        pc_nsgs_solve(s, sweeps < s->max_iterations ? sweeps : s->max_iterations, PC_METHOD_NSGS));
    if (!pc_island_done(s))
      PC_TRY(pc_newton_solve(s, GUESS_ROUNDS, GUESS_STAGNATION_MAX, PC_METHOD_NEWTON));
    pc_island_take_best(s);
    if (!is_worth_a_round(rounds, before, s->best_residual) || s->best_residual <= usable) break;
  }
  return PC_OK;
}

/* A solution that has ceased to exist leaves answers with a residual of 1e-6 to 1e-4 in its place,
 * and the residual grows before it falls on the way to the next one: each method begins where the
 * one before ended, not with the best answer. Sweeps put right what is far from the laws,
 * alternating directions cross what sweeps would creep along, and proximal problems lead to the
 * solution from there more often than Newton's method. */
static pc_status round_of_admm(pc_admm* admm, int sweeps, int iterations)
{
  pc_island* s = admm->s;
  PC_TRY(pc_nsgs_solve(s, sweeps < s->max_iterations ? sweeps : s->max_iterations, PC_METHOD_NSGS));
  if (pc_island_done(s)) return PC_OK;
  pc_admm_begin(admm);
  pc_admm_iterate(admm, iterations);
  if (pc_island_done(s)) return PC_OK;
  return pc_newton_solve_proximally(s, PROXIMAL_ROUNDS, PROXIMAL_STAGNATION_MAX, PC_METHOD_NEWTON);
}

/* Proximal problems that end nearer than this have left the place of the old solution; from others
 * they have come back to it. */
static const double left_behind = 1e-5;

/* Where the next round begins. */
static void leave_round(const pc_admm* admm)
{
  pc_island* s = admm->s;
  pc_island_dual(s);
  if (!(pc_island_residual(s) <= left_behind))
    memcpy(s->z, admm->x, (size_t)s->row_count * sizeof(double));
}

/* Where impulses are determined and factorisations take long: until a residual of `usable`. */
static pc_status by_alternating_directions(pc_island* s, double usable)
{
  pc_admm admm;
  pc_mark mark = pc_arena_mark(s->arena);
  pc_status status = pc_admm_prepare(&admm, s);
  int sweeps = ADMM_SWEEPS * pc_island_sweeps_of_factorisation(s), iterations = ADMM_FIRST;
  for (int i = 0; i < ADMM_ROUNDS && status == PC_OK; i++, iterations *= 2) {
    status = round_of_admm(&admm, sweeps, iterations);
    if (pc_island_done(s) || s->best_residual <= usable) break;
    leave_round(&admm);
  }
  pc_arena_release(s->arena, mark);
  if (s->best_residual < INFINITY) pc_island_take_best(s);
  return status;
}

/* A large heap, from z. What one of these does not solve in a second, another one often does. */
static pc_status by_methods_of_large_heaps(pc_solver* solver, pc_island* s)
{
  double usable = solver->settings.acceptance;
  pc_schwarz_work work = {SCHWARZ_SWEEPS, SCHWARZ_ROUNDS};
  PC_TRY(pc_schwarz_solve(solver, s, work, usable));
  if (pc_island_done(s) || s->best_residual <= usable) return PC_OK;
  return by_alternating_directions(s, usable);
}

/* From a guess that is no better than what is wanted, sweeps take less time than Newton's method:
 * at 1700 contacts of a heap of spheres 100 sweeps and 10 factorisations, each as long as they are.
 * From a better one that is tried first. */
static pc_status by_rough_methods(pc_island* s)
{
  if (has_guess(s) && (s->is_saddle || s->best_residual <= PC_ROUGHEST))
    PC_TRY(pc_newton_solve(s, GUESS_ROUNDS, GUESS_STAGNATION_MAX, PC_METHOD_NEWTON));
  if (pc_island_done(s) || s->is_saddle) return PC_OK;
  begin_sweeps(s);
  PC_TRY(pc_island_analyse(s));
  PC_TRY(pc_nsgs_solve(s, ROUGH_SWEEPS * pc_island_sweeps_of_factorisation(s), PC_METHOD_NSGS));
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
  if (!is_determinate(solver, s) || !(s->best_residual <= PC_ROUGHEST) ||
      s->best_residual <= sufficient_residual(solver))
    return PC_OK;
  pc_island_take_best(s);
  return pc_newton_solve_damped(s, DAMPED_ROUNDS, DAMPED_STAGNATION_MAX, PC_METHOD_NEWTON);
}

/* Newton's method from the guess, then rounds. Before those of alternating directions damping is
 * left out: of 13 islands of a heap of spheres it brought 4 within 1e-6, sweeps and proximal
 * problems 9. */
static pc_status by_newton_and_sweeps(pc_solver* solver, pc_island* s)
{
  if (has_guess(s))
    PC_TRY(pc_newton_solve(s, GUESS_ROUNDS, GUESS_STAGNATION_MAX, PC_METHOD_NEWTON));
  if (pc_island_done(s)) return PC_OK;
  PC_TRY(pc_island_analyse(s));
  int is_large = is_large_heap(solver, s);
  if (!is_large) PC_TRY(by_damped_newton(solver, s));
  if (pc_island_done(s) || s->is_saddle) return PC_OK;
  begin_sweeps(s);
  if (s->friction_max <= PC_FRICTION_PLANAR) return by_rounds(s, &planar_rounds, 0);
  if (is_large) return by_methods_of_large_heaps(solver, s);
  return by_rounds(s, &quick_rounds, is_determinate(solver, s) ? solver->settings.acceptance : 0);
}

/* The last digits of an answer that may be used as it is are worth some work, but not all that one
 * is willing to do for an answer: a problem whose contacts are nearly infeasible keeps its
 * residual. */
static int sweeps_that_are_left(const pc_solver* solver, const pc_island* s)
{
  int all = solver->settings.max_iterations;
  int usable = s->best_residual <= solver->settings.acceptance;
  return usable && all > POLISH_MAX ? POLISH_MAX : all;
}

/* Sweeps, and Newton's method from there: sweeps put contacts right that are on the verge of
 * closing or slipping, Newton's method the impulses that act over long distances. */
static pc_status by_sweeps_and_newton(const pc_solver* solver, pc_island* s)
{
  PC_TRY(pc_nsgs_solve(s, sweeps_that_are_left(solver, s), PC_METHOD_NSGS));
  if (pc_island_done(s)) return PC_OK;
  pc_island_take_best(s);
  int usable = s->best_residual <= solver->settings.acceptance;
  return pc_newton_solve(s, PC_NEWTON_ROUNDS, usable ? GUESS_STAGNATION_MAX : PC_NEWTON_ROUNDS,
                         PC_METHOD_NEWTON);
}

pc_status pc_auto_pivot(pc_solver* solver, pc_island* s)
{
  int rows = pc_island_contact_rows(s);
  if (rows > solver->large_rows) {
    pc_dense_solver_destroy(solver->large);
    solver->large_rows = 0;
    PC_TRY(pc_dense_solver_create("lemke", rows, rows, PC_FRICTION_PLANAR, &solver->settings,
                                  &solver->large, NULL));
    solver->large_rows = rows;
  }
  return pc_dense_island_solve(s, solver->large, 1);
}

static int suits_pivoting(const pc_island* s, int rows_max)
{
  return s->friction_max <= PC_FRICTION_PLANAR && s->row_count <= rows_max;
}

/* The last digits of a guess that may be used as it is; of a rough one, those that are near. */
static pc_status refine_guess(const pc_solver* solver, pc_island* s, int is_rough)
{
  PC_TRY(pc_newton_solve(s, GUESS_ROUNDS, GUESS_STAGNATION_MAX, PC_METHOD_NEWTON));
  return pc_island_done(s) || is_rough ? PC_OK : by_damped_newton(solver, s);
}

/* Islands for the sparse methods: quick ones first, then the interior point method, then whatever
 * takes long. A guess that is good enough is an answer that these methods gave before, when a
 * scheme repeats a step: then only its last digits are tried again. */
static pc_status by_sparse_methods(pc_solver* solver, pc_island* s)
{
  double sufficient = sufficient_residual(solver);
  double usable = is_determinate(solver, s) ? solver->settings.acceptance : sufficient;
  int was_guessed = has_guess(s), is_rough = s->tolerance > pc_solver_asked(solver);
  int was_answer = was_guessed && pc_island_offer(s, PC_METHOD_NEWTON) <= usable;
  if (is_rough && pc_island_done(s)) {
    s->tolerance = pc_solver_asked(solver); /* contacts that persist: all digits are near */
    was_answer = 1;
  } else if (is_rough) {
    PC_TRY(by_rough_methods(s));
    if (s->best_residual <= PC_ROUGHEST) return PC_OK;
  }
  if (pc_island_done(s)) return PC_OK;
  if (was_answer && is_determinate(solver, s)) return refine_guess(solver, s, is_rough);
  PC_TRY(by_newton_and_sweeps(solver, s));
  if (!pc_island_done(s) && suits_pivoting(s, PIVOTING_QUICK)) PC_TRY(pc_auto_pivot(solver, s));
  if (pc_island_done(s) || was_answer || is_rough_answer(solver, s)) return PC_OK;
  if (s->best_residual < INFINITY) pc_island_take_best(s);
  if (s->best_residual > usable) PC_TRY(pc_ipm_solve(s, ipm_iterations(solver, s), usable));
  if (s->best_residual > usable && s->row_count > PIVOTING_QUICK && suits_pivoting(s, PIVOTING_MAX))
    PC_TRY(pc_auto_pivot(solver, s));
  if (pc_island_done(s) || s->is_saddle) return PC_OK;
  pc_island_take_best(s);
  return by_sweeps_and_newton(solver, s);
}

/* Likewise for small islands. */
static pc_status by_small_methods(pc_solver* solver, pc_island* s)
{
  if (solver->skip_quick && s->friction_max > PC_FRICTION_PLANAR)
    pc_island_offer(s, PC_METHOD_NSGS);
  else
    PC_TRY(by_quick_dense_methods(solver, s));
  if (pc_island_done(s) || is_rough_answer(solver, s)) return PC_OK;
  if (s->best_residual < INFINITY) pc_island_take_best(s);
  PC_TRY(pc_ipm_solve(s, solver->is_brief ? IPM_BRIEF : s->max_iterations,
                      sufficient_residual(solver)));
  if (pc_island_done(s)) return PC_OK;
  pc_island_take_best(s);
  return by_dense_methods(solver, s, sweeps_that_are_left(solver, s));
}

/* By the methods that islands of this size get. */
static pc_status by_usual_methods(pc_solver* solver, pc_island* s)
{
  return pc_solver_is_small(s) ? by_small_methods(solver, s) : by_sparse_methods(solver, s);
}

pc_status pc_auto_solve_quickly(pc_solver* solver, pc_island* s)
{
  int is_brief = solver->is_brief, is_determinate = solver->is_determinate;
  solver->is_brief = 1;
  solver->is_determinate = 0;
  pc_status status = by_usual_methods(solver, s);
  solver->is_brief = is_brief;
  solver->is_determinate = is_determinate;
  return status;
}

pc_status pc_auto_solve(pc_solver* solver, pc_island* s)
{
  return by_usual_methods(solver, s);
}
