/* The lengths by which violations are judged: a penetration by the shape that is penetrated, a gap
 * between joined parts by the bodies that the joint joins. Angles are judged by the radian. */
#ifndef PC_SIMULATE_SCALE_H
#define PC_SIMULATE_SCALE_H

#include "steps/body_size.h"

/* The measure of a violation: `size` [m], or [rad] of an angle; infinity where no length is
 * known. */
typedef struct pc_scale {
  double size;
  const char* of; /* "the inner radius of the shape", in texts */
} pc_scale;

/* The rows of a joint that are lengths, or those that are angles. */
typedef struct pc_row_group {
  int row; /* its first */
  int is_angle;
  pc_scale scale;
  double max, t; /* largest norm of its rows so far, and when */
  double square; /* work */
} pc_row_group;

typedef struct pc_scales {
  pc_scale* of_contact; /* of each contact that is not found */
  int* group_of;        /* of each row of position constraints */
  pc_row_group* group;
  int group_count, row_count;
} pc_scales;

pc_status pc_scales_create(pc_scales* scales, const pc_system* system, pc_error* error);
void pc_scales_clear(pc_scales* scales);

/* The largest violation of each joint, from the positions y of its rows. */
void pc_scales_note_joints(pc_scales* scales, const double* y, double t);
void pc_scales_begin(pc_scales* scales); /* forgets what was noted */

#endif
