/* The shapes of a system by the parts that they belong to, so that a scene of N bodies takes N
 * steps to make. */
#include <stdlib.h>

#include "draw/scene.h"

/* The ground is behind all parts. */
static int slot_of(const pc_system* system, pc_part_id part)
{
  return part.index >= 0 ? part.index : pc_system_part_count(system);
}

const int* shapes_of_part(const scene* s, pc_part_id part, int* count)
{
  int slot = slot_of(s->motion->system, part);
  *count = s->part_first[slot + 1] - s->part_first[slot];
  return s->part_shape + s->part_first[slot];
}

/* Bodies, bars and beams have colours of their own; nodes have that of their beam. */
static void choose_colours(scene* s)
{
  const pc_system* system = s->motion->system;
  int colour = -1;
  for (int i = 0; i < pc_system_part_count(system); i++) {
    pc_part_info p = pc_system_part_info(system, (pc_part_id){i});
    colour += p.within < 0 && p.kind != PC_PART_COORDINATES;
    s->part_colour[i] = colour;
    for (int k = 0; k < p.chain; k++) s->part_colour[++i] = colour;
  }
}

/* Counting sort: how many ends each part has, then where each end goes. */
static void sort_ends(scene* s, int elements)
{
  const pc_system* system = s->motion->system;
  int slots = pc_system_part_count(system) + 1;
  for (int k = 0; k < 2 * elements; k++)
    if (s->shape[k / 2].kind) s->part_first[slot_of(system, s->shape[k / 2].at[k % 2].part) + 1]++;
  for (int i = 0; i < slots; i++) s->part_first[i + 1] += s->part_first[i];
  for (int k = 2 * elements - 1; k >= 0; k--) {
    if (!s->shape[k / 2].kind) continue;
    int slot = slot_of(system, s->shape[k / 2].at[k % 2].part);
    s->part_shape[--s->part_first[slot + 1]] = k;
  }
  /* Each entry has moved down to the first of its part: shift them back by one. */
  for (int i = 0; i < slots; i++) s->part_first[i] = s->part_first[i + 1];
  int total = 0;
  for (int k = 0; k < 2 * elements; k++) total += s->shape[k / 2].kind != PC_SHAPE_NONE;
  s->part_first[slots] = total;
}

pc_status make_scene_index(scene* s)
{
  const pc_system* system = s->motion->system;
  int elements = pc_system_element_count(system), parts = pc_system_part_count(system);
  s->shape = calloc((size_t)elements + 1, sizeof *s->shape);
  s->part_first = calloc((size_t)parts + 3, sizeof *s->part_first);
  s->part_shape = calloc(2 * (size_t)elements + 1, sizeof *s->part_shape);
  s->part_colour = calloc((size_t)parts + 1, sizeof *s->part_colour);
  s->part_shaped = calloc((size_t)parts + 1, sizeof *s->part_shaped);
  if (!s->shape || !s->part_first || !s->part_shape || !s->part_colour || !s->part_shaped)
    return PC_OUT_OF_MEMORY;
  for (int c = 0; c < pc_system_collider_count(system); c++) {
    int part = pc_system_collider(system, c).part.index;
    if (part >= 0) s->part_shaped[part] = 1;
  }
  for (int e = 0; e < elements; e++) s->shape[e] = pc_system_shape(system, e);
  sort_ends(s, elements);
  choose_colours(s);
  return PC_OK;
}

void release_scene_index(scene* s)
{
  free(s->shape);
  free(s->part_first);
  free(s->part_shape);
  free(s->part_colour);
  free(s->part_shaped);
}
