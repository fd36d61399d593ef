/* The drawings of the model file: shapes whose points are formulas. A line that depends neither on
 * coordinates nor on time belongs to the ground; others are bodies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/scene.h"

/* Whether points stay where they are, whatever moves: seen by other coordinates at another time,
 * so that a picture of a single frame shows the same as a film. */
static pc_status find_out_if_it_stays(const motion* m, int drawing, int count, int* stays)
{
  int n = pc_system_q_count(m->system);
  size_t numbers = 3 * (size_t)count;
  double* q = malloc(((size_t)n + 2 * numbers) * sizeof *q);
  if (!q) return PC_OUT_OF_MEMORY;
  double *here = q + n, *there = here + numbers, t = m->row_time[m->row[0]];
  pc_model_draw(m->model, drawing, t, m->q, here, NULL, NULL);
  for (int i = 0; i < n; i++) q[i] = m->q[i] + 0.1 + 0.01 * (i % 7);
  pc_model_draw(m->model, drawing, t + 0.37, q, there, NULL, NULL);
  *stays = !memcmp(here, there, numbers * sizeof *here);
  free(q);
  return PC_OK;
}

static int is_body_named(const pc_system* system, int part, const char* name)
{
  pc_part_info p = pc_system_part_info(system, (pc_part_id){part});
  return p.kind != PC_PART_COORDINATES && !strcmp(p.name, name);
}

/* The body of this name, or the ground. */
static pc_part_id find_body(const scene* s, const char* name)
{
  const pc_system* system = s->motion->system;
  for (int i = 0; i < pc_system_part_count(system); i++)
    if (is_body_named(system, i, name)) return (pc_part_id){i};
  return PC_GROUND;
}

int is_drawn(const scene* s, pc_part_id part)
{
  const pc_model* model = s->motion->model;
  for (int i = 0; part.index >= 0 && i < pc_model_drawing_count(model); i++)
    if (is_body_named(s->motion->system, part.index, pc_model_drawing(model, i).name)) return 1;
  return 0;
}

static pc_status choose_layer(const scene* s, int drawing, layer* to)
{
  pc_drawing d = pc_model_drawing(s->motion->model, drawing);
  int stays;
  *to = d.kind == PC_DRAWING_POINT ? LAYER_TOUCH : LAYER_BODY;
  if (d.kind != PC_DRAWING_LINE) return PC_OK;
  pc_status status = find_out_if_it_stays(s->motion, drawing, d.point_count, &stays);
  if (status == PC_OK) *to = stays ? LAYER_GROUND : LAYER_LINK;
  return status;
}

static double radius_of(const motion* m, int drawing)
{
  double position[3], radius;
  pc_model_draw(m->model, drawing, m->row_time[m->row[0]], m->q, position, &radius, NULL);
  return fabs(radius);
}

/* Where the impulse of a contact acts and along what; the normal is behind the point. */
static void add_place(scene* s, const pc_drawing* d, int first)
{
  pc_shape* shape = &s->contact[s->contact_count++];
  *shape = (pc_shape){.contact = d->contact};
  shape->at[0].part = drawn_point(s->motion, first);
  shape->at[1].part = drawn_point(s->motion, first + 1);
}

static pc_status add_drawing(scene* s, int drawing, int first)
{
  pc_drawing d = pc_model_drawing(s->motion->model, drawing);
  int part = find_body(s, d.name).index;
  int colour = part < 0 ? drawing : s->part_colour[part];
  layer on;
  pc_status status = choose_layer(s, drawing, &on);
  item* it = status == PC_OK ? add_item(s, on, colour, d.point_count) : NULL;
  if (!it) return PC_OUT_OF_MEMORY;
  it->closed = d.kind == PC_DRAWING_POLYGON;
  if (d.kind == PC_DRAWING_CIRCLE) it->radius = radius_of(s->motion, drawing);
  for (int i = 0; i < d.point_count; i++) it->point[i].part = drawn_point(s->motion, first + i);
  if (d.contact >= 0) add_place(s, &d, first);
  return PC_OK;
}

pc_status add_drawings(scene* s)
{
  int first = 0;
  for (int i = 0; i < pc_model_drawing_count(s->motion->model); i++) {
    pc_drawing d = pc_model_drawing(s->motion->model, i);
    if (add_drawing(s, i, first) != PC_OK) return PC_OUT_OF_MEMORY;
    first += d.point_count + (d.contact >= 0);
  }
  return PC_OK;
}
