/* Inside the making of a scene. */
#ifndef PC_CLI_ANIMATE_BUILDER_H
#define PC_CLI_ANIMATE_BUILDER_H

#include "cli/animate/scene.h"

/* What is being built: the scene, and where its parts are. */
typedef struct builder {
  scene* s;
  const pc_system* system;
  pose* pose;
  int pose_count, pose_capacity;
  double size; /* the larger extent of what moves [m] */
  int failed;  /* no memory */
} builder;

/* A point of space on the picture. */
void project(const scene* s, const double at[3], double to[2]);

/* A new shape whose points are to be set; NULL: no memory, which the builder knows then. */
shape* add_shape(builder* b, shape_kind kind, int colour, int points, int closed);

/* Point i of a shape in a frame. */
double* point_of(const shape* x, int frame, int i);

/* Where a part is; NULL: the ground, or a part without a place. */
const pose* find_pose(const builder* b, const char* part);

/* Percussions as wedges. */
void add_arrows(builder* b);

#endif
