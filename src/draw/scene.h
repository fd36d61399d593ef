/* What an animation shows: outlines through points that move with parts. */
#ifndef PC_DRAW_SCENE_H
#define PC_DRAW_SCENE_H

#include "draw/motion.h"

/* How an item is drawn; in the order in which they lie on each other. */
typedef enum layer {
  LAYER_GROUND,  /* a surface that does not move */
  LAYER_GRID,    /* lines on a ground in space */
  LAYER_GUIDE,   /* the line that something slides along */
  LAYER_SHEET,   /* a ring, a curve that a body carries: no filling */
  LAYER_BODY,    /* an area with an edge */
  LAYER_LINK,    /* a thick line with round ends */
  LAYER_MARK,    /* a line on a body that shows how it turns */
  LAYER_SPRING,  /* a zigzag */
  LAYER_ROD,     /* a massless rod */
  LAYER_SUPPORT, /* of a pin on the ground */
  LAYER_PIN,
  LAYER_WELD,
  LAYER_TOUCH, /* a point of contact */
  LAYER_COUNT
} layer;

/* A body of space that only the viewer draws as such; the film draws outlines. */
typedef enum solid {
  SOLID_NONE,
  SOLID_ELLIPSOID, /* size: its semi-axes */
  SOLID_CYLINDER,  /* between the two points; size[0]: its radius */
  SOLID_BOX,       /* size: its lengths */
  SOLID_FACES      /* those of `geometry`, whose corners are the points */
} solid;

/* Where an item is drawn. */
typedef enum where { IN_FILM_AND_PAGE, IN_FILM, IN_PAGE } where;

typedef struct item {
  layer layer;
  where where;
  solid solid;    /* around the only point */
  double size[3]; /* of the solid [m] */
  double turn[9]; /* rotation of the solid in its part, row-major; zero: none */
  const pc_geometry* geometry;
  int colour;      /* of a body: 0, 1, ... */
  int closed;      /* a path that ends where it begins */
  int silhouette;  /* the convex hull of the points as they are seen */
  double radius;   /* not 0: a circle around the only point [m] */
  pc_point* point; /* count; owned */
  int count;
} item;

typedef struct scene {
  const motion* motion;
  item* item;
  int count, capacity;
  pc_shape* contact; /* those with percussions to show, owned */
  int contact_count;
  pc_shape* shape; /* of all elements, owned */
  /* of each part and of the ground behind them: first index into part_shape; owned */
  int* part_first;
  int* part_shape;            /* 2 x element + end, for all ends of shapes by parts; owned */
  unsigned char* part_shaped; /* of each part: not 0 if it has a collider; owned */
  int* part_colour;           /* of each part, owned */
  double low[3], high[3];     /* of the box around all that moves [m] */
  double size;                /* a length of the mechanism, for what has no size of its own [m] */
  int abstract;               /* formulas only: every contact is a ball above a floor */
} scene;

/* Makes the scene of a motion. To be released in any case. */
pc_status make_scene(const motion* m, scene* s, pc_error* error);
void release_scene(scene* s);

/* For the files that make it: an item with space for points, or NULL if there is no memory. */
item* add_item(scene* s, layer on, int colour, int count);

/* The shapes that a part takes part in, in the order of the elements: `count` numbers 2 x element +
 * end. PC_GROUND is fine. */
const int* shapes_of_part(const scene* s, pc_part_id part, int* count);

/* The index of shapes by parts, in draw/scene_index.c. It fails only for lack of memory. */
pc_status make_scene_index(scene* s);
void release_scene_index(scene* s);

/* The outline of a body from what hangs on it, in draw/outline.c. It fails only for lack of memory,
 * as add_surface does. */
typedef struct hanging {
  double (*at)[3]; /* points of joints, forces and contacts, in the body's frame */
  int count;
  int contacts; /* the first ones are points of contact */
} hanging;

pc_status add_outline(scene* s, pc_part_id part, int colour, const hanging* h);

/* Surfaces of contacts, in draw/surface.c. */
pc_status add_surface(scene* s, const pc_shape* shape, int colour);

/* Arcs and the pins, bores and faces that they touch, in draw/arc.c. */
pc_status add_arc(scene* s, const pc_shape* shape);

/* The shapes of bodies and ground that find their contacts, in draw/collider.c; the largest
 * distance of a point of one from its origin, 0 if it has no end; and whether a point of a part is
 * within or near one of its shapes. */
pc_status add_colliders(scene* s);
double collider_reach(const pc_geometry* geometry);
int is_within_collider(const scene* s, pc_part_id part, const double at[3]);

/* The drawings of the model file, in draw/drawing.c, and whether one has the name of a part: then
 * it is drawn in place of what its joints and contacts tell about its shape. */
pc_status add_drawings(scene* s);
int is_drawn(const scene* s, pc_part_id part);

/* Two vectors of length r across a unit vector and each other. */
void span(const double n[3], double r, double a[3], double b[3]);

#endif
