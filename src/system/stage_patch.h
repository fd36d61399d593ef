/* One element's share in the matrix of several stages, for the files that assemble it. */
#ifndef PC_SYSTEM_STAGE_PATCH_H
#define PC_SYSTEM_STAGE_PATCH_H

#include "system/stages.h"
#include "system/system.h"

/* An element, or one of its cells. */
typedef struct pc_patch {
  const pc_element* e;
  int index; /* of the element */
  int cell;
  int n_u, n_q;
} pc_patch;

/* A matrix that has the factor scale * factor[l] in the block of stage l. */
typedef struct pc_multiple {
  double scale;
  const double* factor; /* m */
  const double* A;      /* n_u x n_u */
} pc_multiple;

/* Memory for the matrices of one patch, whichever of the system it is. */
typedef struct pc_patch_work {
  double* big; /* (m n_u)^2: of all stages */
  double* K;   /* n_u (n_q + n_u): its bracket at one stage, over coordinates and then velocities */
  double* block;         /* n_u^2: of one pair of stages */
  pc_multiple* multiple; /* 2 m + 2: of which those of one stage are sums */
} pc_patch_work;

pc_status pc_patch_work_create(const pc_system* system, int m, pc_patch_work* work,
                               pc_error* error);
void pc_patch_work_free(pc_patch_work* work);

/* Whether an element has a say in the matrix: by its mass and damping, and, if there are stages
 * whose coordinates move, by its stiffness and its rows. */
int pc_element_couples(const pc_element* element, int moves);

/* The matrix of the patch, order m n_u, in work->big; its unknowns are stage by stage. F (m n_u of
 * the system) += what the kinematic defect adds to the equations; NULL where there is none. */
void pc_patch_fill(const pc_system* system, const pc_patch* patch, int m, const pc_stage_at* stage,
                   const pc_patch_work* work, double* F);

#endif
