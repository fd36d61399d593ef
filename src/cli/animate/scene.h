/* A scene: shapes that move, as the points of their outlines on the picture in every frame. */
#ifndef PC_CLI_ANIMATE_SCENE_H
#define PC_CLI_ANIMATE_SCENE_H

#include "cli/animate/pose.h"

typedef enum shape_kind {
  SHAPE_WALL,  /* a plane of the ground: a polygon, its free side first */
  SHAPE_BODY,  /* a filled outline */
  SHAPE_LINK,  /* a thick line */
  SHAPE_LINE,  /* a thin line: a spoke, a rod, a spring */
  SHAPE_JOINT, /* a small circle: one point */
  SHAPE_MASS,  /* a dot: one point */
  SHAPE_ARROW  /* a percussion: a wedge of three points */
} shape_kind;

typedef struct shape {
  shape_kind kind;
  int colour; /* number of the body; -1: the ground */
  int closed;
  int point_count;
  double* point; /* frames x point_count x 2, on the picture [m] */
} shape;

typedef struct scene {
  const char* title;
  frames frames;
  shape* shape;
  int shape_count, shape_capacity;
  double low[2], high[2]; /* what must be seen [m] */
  int spatial;
} scene;

/* Builds it from a result, whose model says what the mechanism looks like. An exit code; what is
 * wrong has been said. To be freed in any case. */
int build_scene(scene* s, const pc_model* model);
void free_scene(scene* s);

#endif
