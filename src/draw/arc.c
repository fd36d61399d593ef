/* Contacts of arcs in space: the arc, an edge of a body, and the pin, bore or face that it
 * touches. */
#include <math.h>
#include <string.h>

#include "draw/scene.h"

enum { ARC_POINTS = 40 };
static const double WHOLE = 2 * 3.14159265358979323846;

/* An arc of a circle around c from the vector a on, towards b. */
static pc_status add_circle(scene* s, int colour, pc_point c, const double a[3], const double b[3],
                            double angle)
{
  int whole = angle >= WHOLE, count = whole ? ARC_POINTS : ARC_POINTS + 1;
  item* line = add_item(s, LAYER_MARK, colour, count);
  if (!line) return PC_OUT_OF_MEMORY;
  line->closed = whole;
  for (int k = 0; k < count; k++) {
    double f = fmin(angle, WHOLE) * k / ARC_POINTS;
    line->point[k] = c;
    for (int i = 0; i < 3; i++) line->point[k].at[i] += a[i] * cos(f) + b[i] * sin(f);
  }
  return PC_OK;
}

/* The point of the surface's axis beside the centre of the arc, at the start. */
static pc_point beside_arc(const scene* s, const pc_shape* shape)
{
  double c[3], x[3], A[9], along = 0;
  const double* q = s->motion->q;
  pc_point_position(s->motion->system, &shape->at[0], q, c);
  pc_part_pose(s->motion->system, shape->at[1].part, q, x, A);
  pc_point at = shape->at[1];
  for (int i = 0; i < 3; i++) {
    double own = A[i] * (c[0] - x[0]) + A[3 + i] * (c[1] - x[1]) + A[6 + i] * (c[2] - x[2]);
    along += shape->axis[i] * (own - shape->at[1].at[i]);
  }
  for (int i = 0; i < 3; i++) at.at[i] += along * shape->axis[i];
  return at;
}

/* A pin as long as it is wide, seen from outside; of a bore its edge. */
static pc_status add_pin_or_bore(scene* s, const pc_shape* shape, int colour)
{
  double a[3], b[3];
  pc_point middle = beside_arc(s, shape);
  span(shape->axis, shape->radius[1], a, b);
  pc_status status = add_circle(s, colour, middle, a, b, WHOLE);
  if (status != PC_OK || shape->surface == PC_SURFACE_BORE) return status;
  item* pin = add_item(s, LAYER_BODY, colour, 2);
  if (!pin) return PC_OUT_OF_MEMORY;
  pin->where = IN_PAGE;
  pin->solid = SOLID_CYLINDER;
  pin->size[0] = shape->radius[1];
  for (int k = 0; k < 2; k++) {
    pin->point[k] = middle;
    for (int i = 0; i < 3; i++)
      pin->point[k].at[i] += (k ? 1 : -1) * shape->radius[1] * shape->axis[i];
  }
  return PC_OK;
}

static pc_status add_face(scene* s, const pc_shape* shape, int colour)
{
  item* face = add_item(s, LAYER_BODY, colour, 4);
  if (!face) return PC_OUT_OF_MEMORY;
  const double *n = shape->axis, *e = shape->across;
  face->closed = 1;
  for (int k = 0; k < 4; k++) {
    face->point[k] = shape->at[1];
    double a = (k == 1 || k == 2 ? 0.5 : -0.5) * shape->size[0],
           b = (k >= 2 ? 0.5 : -0.5) * shape->size[1];
    for (int i = 0; i < 3; i++)
      face->point[k].at[i] +=
          a * e[i] + b * (n[(i + 1) % 3] * e[(i + 2) % 3] - n[(i + 2) % 3] * e[(i + 1) % 3]);
  }
  return PC_OK;
}

pc_status add_arc(scene* s, const pc_shape* shape)
{
  if (shape->other) return PC_OK; /* the first contact of the circle has drawn it */
  double a[3], b[3];
  int on[2] = {shape->at[0].part.index, shape->at[1].part.index}, colour[2];
  for (int i = 0; i < 2; i++) colour[i] = on[i] >= 0 ? s->part_colour[on[i]] : -1;
  const double *r = shape->rim, *e = shape->start;
  for (int i = 0; i < 3; i++) {
    a[i] = shape->radius[0] * e[i];
    b[i] = shape->radius[0] * (r[(i + 1) % 3] * e[(i + 2) % 3] - r[(i + 2) % 3] * e[(i + 1) % 3]);
  }
  pc_status status = add_circle(s, colour[0], shape->at[0], a, b, shape->angle);
  if (status != PC_OK || shape->surface == PC_SURFACE_WEDGE) return status;
  return shape->surface == PC_SURFACE_FACE ? add_face(s, shape, colour[1])
                                           : add_pin_or_bore(s, shape, colour[1]);
}
