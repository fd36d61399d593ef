/* What the parts of a solver share: solver.c makes one and divides a problem into islands, auto.c
 * is the sequence of methods for an island. */
#ifndef PC_SOLVE_SOLVER_INSIDE_H
#define PC_SOLVE_SOLVER_INSIDE_H

#include "base/larger.h"
#include "solve/dense.h"
#include "solve/dense_island.h"
#include "solve/methods.h"

enum {
  PC_FRICTION_PLANAR = 1,  /* the largest friction dimension of Lemke's method */
  PC_FRICTION_SPATIAL = 3, /* and of all others */
  PC_NEWTON_ROUNDS = 200   /* of Newton's method alone */
};

/* An answer to begin the next problem with need not be better than this. */
#define PC_ROUGHEST 1e-3

struct pc_solver {
  const struct pc_solver_kind* kind;
  pc_solver_settings settings;
  pc_arena* arena;
  pc_block_lu* lu;
  pc_dense_solver* planar;  /* small islands, friction dimension 0 and 1 */
  pc_dense_solver* spatial; /* the same, up to 3 */
  pc_dense_solver* large;   /* Lemke's method on larger islands; grows */
  int large_rows;
  int skip_quick;     /* see pc_solver_skip_quick */
  int is_brief;       /* see pc_solver_be_brief */
  int is_determinate; /* see pc_solver_be_determinate */
  double roughness;   /* see pc_solver_be_rough */
  size_t refused_capacity;
  unsigned char* refused; /* nodes of the last problem: see pc_solver_refused */
};

/* The largest residual of an answer that may be used. */
static inline double pc_solver_acceptance(const pc_solver* solver)
{
  double accepted = solver->settings.acceptance;
  return solver->roughness > 0 ? pc_larger(accepted, PC_ROUGHEST) : accepted;
}

/* The residual that was asked for at the creation. */
static inline double pc_solver_asked(const pc_solver* solver)
{
  return pc_larger(solver->settings.tolerance, PC_TOLERANCE_FLOOR);
}

/* In the plane a rough answer is not worth it for the next problem: a heap of 200 discs under
 * combined-projection took 35 s instead of 15 s, since contacts that a rough answer misplaces cost
 * passes. */
static inline double pc_solver_roughness(const pc_solver* solver, const pc_island* s)
{
  return s->friction_max > PC_FRICTION_PLANAR ? solver->roughness : 0;
}

/* For the dense methods. */
static inline int pc_solver_is_small(const pc_island* s)
{
  int rows = pc_island_contact_rows(s);
  return rows <= PC_DENSE_ROWS_MAX && s->row_count - rows <= PC_DENSE_ROWS_MAX;
}

static inline pc_dense_solver* pc_solver_dense_of(const pc_solver* solver, const pc_island* s)
{
  return s->friction_max <= PC_FRICTION_PLANAR ? solver->planar : solver->spatial;
}

/* The sequence of `auto`. PC_OUT_OF_MEMORY. */
pc_status pc_auto_solve(pc_solver* solver, pc_island* island);

/* Its quick methods on a part of an island that it divides further: what they leave is improved in
 * the next round. Nodes are ordered for the part afterwards. PC_OUT_OF_MEMORY. */
pc_status pc_auto_solve_quickly(pc_solver* solver, pc_island* part);

/* Lemke's method, on an island of any size without friction or with planar friction.
 * PC_OUT_OF_MEMORY. */
pc_status pc_auto_pivot(pc_solver* solver, pc_island* island);

#endif
