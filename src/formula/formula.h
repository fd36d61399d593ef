/* Expressions: parsed once into a pool, differentiated there exactly, compiled to a short program.
 *
 * A pool holds expressions as a directed acyclic graph in which equal subexpressions are one node
 * (sin(th1) is computed once, however often a model writes it). Derivatives are forward mode by
 * source transformation: `pc_derivative` applies the chain rule once, when the model is read, and
 * gives another expression of the pool, so that any order is exact and costs no more than its
 * simplified text. A program evaluates a list of expressions without allocating.
 *
 * The order in which nodes are made decides the order of summation, and C leaves the order of
 * arguments to the compiler: of the arguments of one call at most one makes nodes (tools/lint). */
#ifndef PC_FORMULA_FORMULA_H
#define PC_FORMULA_FORMULA_H

#include <stddef.h>

#include "base/export.h"
#include "percuss/elements.h"

typedef struct pc_pool pc_pool;

/* An expression of a pool. */
typedef int pc_expr;

PC_SIBLING_API pc_pool* pc_pool_create(void); /* NULL without memory */
PC_SIBLING_API void pc_pool_destroy(pc_pool* pool);
/* Whether some expression could not be made for want of memory. */
PC_SIBLING_API int pc_pool_failed(const pc_pool* pool);

/* Building blocks. They return a negative number when there is no memory. */
PC_SIBLING_API pc_expr pc_expr_number(pc_pool* pool, double value);
/* `variable` is any number >= 0 the caller likes. */
PC_SIBLING_API pc_expr pc_expr_variable(pc_pool* pool, int variable);

/* Tells what a name in a text means; returns 0 if it means nothing. A name may contain letters,
 * digits, '_' and '.', and end in "'" for a velocity. Where '-' stands between letters, the longer
 * name with the hyphen is asked for first. A name with indices, such as link(i-1).x, is asked for
 * with the numbers that they are, link(2).x; several have a comma and no space between them. The
 * table of table(x, NAME) is asked for as table(NAME) or table(NAME,smooth); it means the number of
 * a curve of the pool (curve.h). */
typedef int pc_lookup(void* user, pc_pool* pool, const char* name, size_t length, pc_expr* meaning);

/* Parses a text. Known without the caller: numbers, + - * / ^ and unary minus, parentheses, pi, and
 * the functions sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign floor ceil
 * round frac mod min max step if (step(x) is 0 below 0, 1 from 0 on; if(x, a, b) is a for x >= 0,
 * else b), random(seed, i) of numbers, and sum(i, n, f), largest(i, n, f), smallest(i, n, f) over i
 * = 0 .. n-1. `lookup` may be NULL. On error `error->column` is the position within the text (from
 * 1), and the text of the error says what was expected. For "unknown name '...'" the last call of
 * `lookup` was about the name that is to blame, so a caller who keeps the last refused name in
 * `user` can add a suggestion. */
PC_SIBLING_API pc_status pc_parse(pc_pool* pool, const char* text, pc_lookup* lookup, void* user,
                                  pc_expr* expr, pc_error* error);

/* d expr / d variable, simplified. Negative without memory. */
pc_expr pc_derivative(pc_pool* pool, pc_expr expr, int variable);

/* Whether an expression is a number, and which; whether it contains a variable. */
PC_SIBLING_API int pc_expr_is_number(const pc_pool* pool, pc_expr expr, double* value);
PC_SIBLING_API int pc_expr_depends(const pc_pool* pool, pc_expr expr, int variable);

/* A compiled list of expressions. It is const while it runs; the caller brings registers. */
typedef struct pc_program pc_program;

PC_SIBLING_API pc_status pc_program_create(const pc_pool* pool, int count, const pc_expr* expr,
                                           pc_program** program);
PC_SIBLING_API void pc_program_destroy(pc_program* program);
PC_SIBLING_API int pc_program_register_count(const pc_program* program);

/* out[i] = value of expression i; `variable` is indexed by the numbers given to pc_expr_variable.
 * `registers` has pc_program_register_count entries and must have been set up once by
 * pc_program_load (it holds the constants). */
PC_SIBLING_API void pc_program_load(const pc_program* program, double* registers);
PC_SIBLING_API void pc_program_run(const pc_program* program, const double* variable,
                                   double* registers, double* out);

/* A number that depends on t (variable 0) as a signal; a gap in x, y (variables 0, 1) made of any
 * f(x, y) that is positive on the free side: f/|grad f|. Both own what they need; they run on the
 * stack of whoever calls them, so a formula that needs more than PC_SIGNAL_REGISTERS numbers and
 * intermediate results, or that contains another variable, is refused with PC_BAD_ARGUMENT. */
enum { PC_SIGNAL_REGISTERS = 1024 };

PC_SIBLING_API pc_status pc_formula_signal(pc_pool* pool, pc_expr expr, pc_signal* signal);
PC_SIBLING_API pc_status pc_formula_gap_field(pc_pool* pool, pc_expr f, pc_gap_field* field);

/* The element made of formulas. Its variables are numbered: 0 is t, 1 .. n_q the coordinates of the
 * parts (one part after the other), n_q+1 .. n_q+n_u their velocities. */
typedef struct pc_formula_contact {
  pc_contact_law law;
  pc_expr gap;     /* of t, q */
  int slip_count;  /* 0 to 3 friction rows */
  pc_expr slip[3]; /* of t, q, u: linear in u */
} pc_formula_contact;

typedef struct pc_formula_def {
  const char* name;
  const pc_pool* pool; /* stays the caller's; what is needed of it is copied */
  int part_count;
  const pc_part_id* part; /* parts with q' = u, and rigid bodies in space */
  int has_kinetic;
  pc_expr kinetic; /* quadratic in u: M = d2T/du2 */
  int has_potential;
  pc_expr potential;    /* of t, q */
  const pc_expr* force; /* n_u generalized forces; NULL: none; a negative entry: none */
  int g_count;
  const pc_expr* g; /* of t, q */
  int gamma_count;
  const pc_expr* gamma;               /* of t, q, u: linear in u */
  const char* const* constraint_name; /* g_count + gamma_count names; NULL: numbered */
  int contact_count;
  const pc_formula_contact* contact;
  /* bit r: row r, constraints first, then gap and slips of each contact, is known to be an angle
   * (for units); of others it is found out */
  unsigned angular;
} pc_formula_def;

/* Adds it. The forces on a rigid body in space are those on its velocities: three of the inertial
 * frame, three torques of its own frame. PC_BAD_MODEL with a text that names the formula if the
 * kinetic energy is not quadratic in the velocities, a slip or gamma not linear in them, a gap
 * depends on them. `error->line` is set to the index of the offending contact or constraint plus
 * one where one is to blame. */
PC_SIBLING_API pc_status pc_add_formula(pc_system* system, const pc_formula_def* def,
                                        pc_error* error);

#endif
