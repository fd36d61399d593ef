#include "collide/polytope.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

pc_polytope* pc_polytope_create(int corners, int faces, int face_corners)
{
  size_t vectors = (size_t)corners + (size_t)faces,
         indices = (size_t)faces + 1 + (size_t)face_corners;
  pc_polytope* p =
      pc_alloc(1, sizeof *p + vectors * sizeof *p->corner + indices * sizeof *p->face_first);
  if (!p) return NULL;
  p->corner_count = corners;
  p->face_count = faces;
  p->corner = (pc_v3*)(void*)(p + 1);
  p->normal = p->corner + corners;
  p->face_first = (int*)(void*)(p->normal + faces);
  p->face_corner = p->face_first + faces + 1;
  return p;
}

void pc_polytope_destroy(pc_polytope* p)
{
  if (!p) return;
  free(p->edge);
  free(p->star_first);
  free(p->star);
  free(p);
}

/* ---- edges --------------------------------------------------------------------------------- */

/* A side of a face, for sorting: those of an edge come side by side. */
typedef struct side {
  int low, high; /* corners */
  int face;
  int forward; /* the face runs from low to high */
} side;

static int compare_sides(const void* a, const void* b)
{
  const side *s = a, *t = b;
  if (s->low != t->low) return s->low < t->low ? -1 : 1;
  if (s->high != t->high) return s->high < t->high ? -1 : 1;
  return (s->face > t->face) - (s->face < t->face);
}

static void list_sides(const pc_polytope* p, side* list)
{
  for (int f = 0; f < p->face_count; f++) {
    int first = p->face_first[f], end = p->face_first[f + 1];
    for (int i = first; i < end; i++) {
      int a = p->face_corner[i], b = p->face_corner[i + 1 < end ? i + 1 : first];
      *list++ = a < b ? (side){a, b, f, 1} : (side){b, a, f, 0};
    }
  }
}

/* An edge of the face of a side and, if there is one, of another face. */
static pc_edge edge_of(const side* s, int other)
{
  int from = s->forward ? s->low : s->high;
  return (pc_edge){{from, s->low + s->high - from}, {s->face, other}};
}

static void join_sides(pc_polytope* p, const side* list, int count)
{
  for (int i = 0; i < count;) {
    int end = i + 1;
    while (end < count && list[end].low == list[i].low && list[end].high == list[i].high) end++;
    if (end == i + 2 && list[i].forward != list[i + 1].forward)
      p->edge[p->edge_count++] = edge_of(&list[i], list[i + 1].face);
    else
      for (int k = i; k < end; k++) p->edge[p->edge_count++] = edge_of(&list[k], -1);
    i = end;
  }
}

/* Newell's normal: the sum of the cross products of successive corners, about the first one. */
static pc_v3 face_normal(const pc_polytope* p, int f)
{
  int first = p->face_first[f], end = p->face_first[f + 1];
  pc_v3 origin = p->corner[p->face_corner[first]], sum = {0};
  for (int i = first + 1; i + 1 < end; i++) {
    pc_v3 a = pc_v3_minus(p->corner[p->face_corner[i]], origin);
    pc_v3 b = pc_v3_minus(p->corner[p->face_corner[i + 1]], origin);
    sum = pc_v3_plus(sum, pc_v3_cross(a, b));
  }
  return sum;
}

pc_status pc_polytope_connect(pc_polytope* p, const char* what, pc_error* error)
{
  int sides = p->face_first[p->face_count];
  for (int f = 0; f < p->face_count; f++) {
    pc_v3 normal = face_normal(p, f);
    if (!(pc_v3_length(normal) > 0))
      return pc_fail(error, PC_BAD_MODEL, "%s: face %d has no area", what, f);
    p->normal[f] = pc_v3_unit(normal, normal);
  }
  side* list = pc_alloc((size_t)sides, sizeof *list);
  p->edge = pc_alloc((size_t)sides, sizeof *p->edge);
  p->edge_count = 0;
  if (!list || !p->edge) {
    free(list);
    return pc_no_memory(error);
  }
  list_sides(p, list);
  qsort(list, (size_t)sides, sizeof *list, compare_sides);
  join_sides(p, list, sides);
  free(list);
  return PC_OK;
}

pc_status pc_polytope_list_stars(pc_polytope* p, pc_error* error)
{
  int* first = p->star_first = pc_alloc((size_t)p->corner_count + 2, sizeof *first);
  p->star = pc_alloc(2 * (size_t)p->edge_count, sizeof *p->star);
  if (!first || !p->star) return pc_no_memory(error);
  for (int e = 0; e < p->edge_count; e++)
    for (int i = 0; i < 2; i++) first[p->edge[e].corner[i] + 2]++;
  for (int i = 0; i < p->corner_count; i++) first[i + 2] += first[i + 1];
  for (int e = 0; e < p->edge_count; e++)
    for (int i = 0; i < 2; i++) p->star[first[p->edge[e].corner[i] + 1]++] = e;
  return PC_OK;
}

/* ---- simple ones --------------------------------------------------------------------------- */

const pc_polytope* pc_polytope_point(void)
{
  static const pc_v3 origin = {0, 0, 0};
  static const int no_face = 0;
  static const pc_polytope point = {
      .corner_count = 1, .corner = (pc_v3*)&origin, .face_first = (int*)&no_face};
  return &point;
}

static pc_polytope* planar_segment(double half)
{
  pc_polytope* p = pc_polytope_create(2, 2, 4);
  if (!p) return NULL;
  p->corner[0].x = -half;
  p->corner[1].x = half;
  for (int f = 0; f < 2; f++) {
    p->face_first[f + 1] = 2 * (f + 1);
    p->face_corner[2 * f] = f;
    p->face_corner[2 * f + 1] = 1 - f;
    p->normal[f].y = f ? 1 : -1;
  }
  return p;
}

pc_polytope* pc_polytope_segment(int dimension, double half)
{
  if (dimension == 2) return planar_segment(half);
  pc_polytope* p = pc_polytope_create(2, 0, 0);
  if (!p) return NULL;
  p->edge = pc_alloc(1, sizeof *p->edge);
  if (!p->edge) {
    pc_polytope_destroy(p);
    return NULL;
  }
  p->corner[0].z = -half;
  p->corner[1].z = half;
  p->edge_count = 1;
  p->edge[0] = (pc_edge){{0, 1}, {-1, -1}};
  return p;
}

pc_polytope* pc_polytope_box(const double half[3])
{
  static const int face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  pc_polytope* p = pc_polytope_create(8, 6, 24);
  if (!p) return NULL;
  for (int i = 0; i < 8; i++)
    p->corner[i] =
        (pc_v3){i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]};
  for (int f = 0; f < 6; f++) {
    p->face_first[f + 1] = 4 * (f + 1);
    for (int i = 0; i < 4; i++) p->face_corner[4 * f + i] = face[f][i];
  }
  if (pc_polytope_connect(p, "box", NULL) == PC_OK) {
    for (int f = 0; f < 6; f++) { /* exactly along the axes */
      double sign = f & 1 ? 1 : -1;
      p->normal[f] = (pc_v3){f / 2 == 0 ? sign : 0, f / 2 == 1 ? sign : 0, f / 2 == 2 ? sign : 0};
    }
    return p;
  }
  pc_polytope_destroy(p);
  return NULL;
}

pc_polytope* pc_polytope_polygon(int count, const double* corner)
{
  pc_polytope* p = pc_polytope_create(count, count, 2 * count);
  if (!p) return NULL;
  for (int i = 0; i < count; i++) p->corner[i] = (pc_v3){corner[2 * i], corner[2 * i + 1], 0};
  for (int i = 0; i < count; i++) {
    int next = i + 1 < count ? i + 1 : 0;
    pc_v3 d = pc_v3_minus(p->corner[next], p->corner[i]);
    p->face_first[i + 1] = 2 * (i + 1);
    p->face_corner[2 * i] = i;
    p->face_corner[2 * i + 1] = next;
    p->normal[i] = pc_v3_unit((pc_v3){d.y, -d.x, 0}, (pc_v3){0});
  }
  return p;
}
