/* The frames of an animation: the states of a result at regular times, and the percussions between
 * them. */
#ifndef PC_DRAW_MOTION_H
#define PC_DRAW_MOTION_H

#include "percuss/percuss.h"

enum { BAR_CELLS_MAX = 25 }; /* sections that a bar is drawn in */

typedef struct motion {
  const pc_result* result;
  pc_model* model; /* as it was run, with what --set changed */
  const pc_system* system;
  long row_first, row_count; /* of the result */
  double* row_time;          /* [s] */
  int frame_count;
  long* row;     /* of each frame, within the rows above */
  double* q;     /* frame_count x n_q */
  double* P;     /* frame_count x rows of all contacts: sums over the rows up to the frame */
  double* gap;   /* frame_count x contacts */
  double* drawn; /* frame_count x drawn_count x 3: points and normals of the model's drawings */
  int drawn_count;
  double real;     /* time from the first frame to the last [s] */
  double duration; /* of the film [s] */
} motion;

typedef struct motion_options {
  double from, until;   /* [s]; NAN: all */
  double fps, speed;    /* NAN: to be chosen */
  long frames;          /* 0: to be chosen */
  long coordinates_max; /* of all frames together, if these are to be chosen; 0: no limit */
} motion_options;

/* Reads the frames. To be released in any case. */
pc_status read_motion(const pc_result* result, const motion_options* options, motion* m,
                      pc_error* error);
void release_motion(motion* m);

/* Points of parts, of gaps (of a contact at height gap, at x = at[0]) and of the model's
 * drawings. */
pc_part_id gap_of(int contact);
pc_part_id drawn_point(const motion* m, int point);

/* The contact of a gap, or the point of a drawing, that a part stands for; -1: it stands for
 * none. */
int gap_part(const motion* m, pc_part_id part);
int drawn_part(const motion* m, pc_part_id part);

void frame_position(const motion* m, int frame, const pc_point* point, double position[3]);

/* The percussion on the first part of a contact since the frame before, inertial components [N
 * s]. */
pc_status frame_percussion(const motion* m, int frame, const pc_shape* shape, double percussion[3],
                           pc_error* error);

/* Whether a contact carried an impulse since the frame before. */
int frame_has_impulse(const motion* m, int frame, int contact);

/* The node of a bar that is the k-th of those drawn: an index into q. */
int bar_cells(const pc_part_info* bar);
int bar_node(const pc_part_info* bar, int k);

#endif
