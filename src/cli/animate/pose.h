/* Where the parts of a system are in the frames of a film, read from a result. */
#ifndef PC_CLI_ANIMATE_POSE_H
#define PC_CLI_ANIMATE_POSE_H

#include "percuss/percuss.h"

/* A body's frame in all frames of the film: origin and axes. */
typedef struct pose {
  char name[128];
  double* origin; /* 3 numbers a frame [m] */
  double* axes;   /* 9 numbers a frame: the columns are the body's axes, one after the other */
} pose;

/* Frames: rows of the result, evenly spaced in time. */
typedef struct frames {
  const pc_result* result;
  int count;
  long* row;    /* count */
  double* time; /* count [s] */
} frames;

/* `wanted` frames between two times. An exit code; what is wrong has been said. To be freed in any
 * case. */
int choose_frames(frames* f, const pc_result* r, double from, double to, int wanted);
void free_frames(frames* f);

/* A series in all frames: `count` numbers into `values`, `stride` apart; 0 if there is no such. */
int read_frames(const frames* f, const char* name, double* values, int stride);

/* The pose of a part by its recorded quantities; 0 if it has no place, -1: no memory. */
int read_pose(const frames* f, const char* name, pose* p);
void free_pose(pose* p);

/* A point or a direction of a part in space; a NULL pose is the ground. */
void place_point(const pose* p, int frame, const double at[3], double to[3]);
void place_direction(const pose* p, int frame, const double v[3], double to[3]);

#endif
