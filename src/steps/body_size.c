#include "steps/body_size.h"
#include "base/length.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "percuss/shape.h"
#include "system/element.h"
#include "system/found.h"
#include "system/inspect.h"

static double reach_of(const pc_shape* shape, int side)
{
  const double* at = shape->at[side].at;
  double round = shape->radius[side];
  for (int i = 0; side == 0 && i < 3; i++) round = fmax(round, shape->semi_axes[i]);
  return pc_length(3, at) + round;
}

/* A plane extends without end, and the point that gives its place says nothing. */
static void reaches_of_elements(const pc_system* system, double* reach)
{
  for (int e = 0; e < pc_system_element_count(system); e++) {
    pc_shape shape = pc_system_shape(system, e);
    if (shape.kind == PC_SHAPE_NONE) continue;
    int sides = shape.kind == PC_SHAPE_PLANE || shape.kind == PC_SHAPE_CURVE ? 1 : 2;
    for (int i = 0; i < sides; i++) {
      int part = shape.at[i].part.index;
      if (part < 0) continue;
      pc_part_kind kind = pc_system_part_info(system, shape.at[i].part).kind;
      if (kind == PC_PART_PLANAR_BODY || kind == PC_PART_SPATIAL_BODY)
        reach[part] = fmax(reach[part], reach_of(&shape, i));
    }
  }
}

/* The reach of the smallest of some bodies, the ground left out. */
static double smallest_of(const double* reach, const int* part, int count)
{
  double size = INFINITY;
  for (int i = 0; i < count; i++)
    if (part[i] >= 0 && reach[part[i]] > 0) size = fmin(size, reach[part[i]]);
  return size;
}

/* The smaller of the round things at a contact; a hole is not among them. Infinity: there are
 * points alone. */
static double radius_of(const pc_shape* shape)
{
  double radius = INFINITY;
  int sides = shape->kind == PC_SHAPE_CIRCLE && !shape->inside ? 2 : 1;
  for (int i = 0; i < sides; i++)
    if (shape->radius[i] > 0) radius = fmin(radius, shape->radius[i]);
  for (int i = 0; i < 3; i++)
    if (shape->semi_axes[i] > 0) radius = fmin(radius, shape->semi_axes[i]);
  return radius;
}

static void sizes_at_contacts(pc_body_sizes* s)
{
  for (int k = 0; k < pc_system_fixed_contact_count(s->system); k++) s->of_contact[k] = INFINITY;
  for (int e = 0; e < pc_system_element_count(s->system); e++) {
    pc_shape shape = pc_system_shape(s->system, e);
    if (shape.kind == PC_SHAPE_NONE || shape.contact < 0) continue;
    int part[2] = {shape.at[0].part.index, shape.at[1].part.index};
    pc_element_view view = pc_system_element(s->system, e);
    double radius = radius_of(&shape);
    if (radius == INFINITY) radius = smallest_of(s->reach, part, 2);
    for (int k = 0; k < view.contact_count; k++) s->of_contact[view.contact_first + k] = radius;
  }
}

pc_status pc_body_sizes_create(pc_body_sizes* s, const pc_system* system)
{
  s->system = system;
  s->reach = pc_alloc((size_t)pc_system_part_count(system), sizeof *s->reach);
  s->of_contact = pc_alloc((size_t)pc_system_fixed_contact_count(system), sizeof *s->of_contact);
  if (!s->reach || !s->of_contact) return PC_OUT_OF_MEMORY;
  reaches_of_elements(system, s->reach);
  const pc_attachment* shapes = pc_system_shapes(system);
  if (shapes->data) shapes->widen(shapes->data, s->reach);
  sizes_at_contacts(s);
  return PC_OK;
}

void pc_body_sizes_clear(pc_body_sizes* s)
{
  free(s->reach);
  free(s->of_contact);
}

double pc_contact_size_at(const pc_body_sizes* s, int contact)
{
  int fixed = pc_system_fixed_contact_count(s->system);
  if (contact < fixed) return s->of_contact[contact];
  /* a found contact is the only one of its element; these elements are behind all others */
  pc_element_view e =
      pc_system_element(s->system, pc_system_element_count(s->system) + contact - fixed);
  const pc_attachment* shapes = pc_system_shapes(s->system);
  return shapes->inner(shapes->data, e.data);
}
