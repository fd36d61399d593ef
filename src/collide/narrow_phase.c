#include "collide/narrow_phase.h"

#include <float.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/solid.h"

struct pc_narrow_phase {
  pc_v3 *corner[2], *normal[2];
  int* near_edge[2];
  size_t corner_capacity[2], normal_capacity[2], edge_capacity[2];
};

pc_narrow_phase* pc_narrow_phase_create(void)
{
  return pc_alloc(1, sizeof(pc_narrow_phase));
}

void pc_narrow_phase_destroy(pc_narrow_phase* w)
{
  if (!w) return;
  for (int i = 0; i < 2; i++) {
    free(w->corner[i]);
    free(w->normal[i]);
    free(w->near_edge[i]);
  }
  free(w);
}

pc_feature pc_ellipsoid_feature(const pc_collider* c)
{
  return (pc_feature){.kind = PC_FEATURE_CURVED, .curve = c};
}

pc_feature pc_rim_feature(const pc_collider* c, int rim)
{
  double height = (rim ? 1 : -1) * c->geometry->half[0];
  return (pc_feature){.kind = PC_FEATURE_CURVED, .curve = c, .p = {0, 0, height}};
}

/* The core of a shape at its place; 0 if there is no memory. */
static int place(pc_narrow_phase* w, const pc_search* search, int i, pc_solid* s)
{
  const pc_collider* c = search->collider[i];
  const pc_polytope* p = c->geometry->polytope;
  const pc_pose* frame = &search->frame[i];
  const pc_v3 centre = search->centre[i];
  size_t corners = (size_t)p->corner_count, faces = (size_t)p->face_count;
  if (pc_reserve((void**)&w->corner[i], &w->corner_capacity[i], corners, sizeof(pc_v3)) != PC_OK ||
      pc_reserve((void**)&w->normal[i], &w->normal_capacity[i], faces, sizeof(pc_v3)) != PC_OK ||
      pc_reserve((void**)&w->near_edge[i], &w->edge_capacity[i], (size_t)p->edge_count + 1,
                 sizeof(int)) != PC_OK)
    return 0;
  for (int k = 0; k < p->corner_count; k++)
    w->corner[i][k] = pc_pose_apply(frame, pc_v3_minus(p->corner[k], centre));
  for (int k = 0; k < p->face_count; k++) w->normal[i][k] = pc_pose_turn(frame, p->normal[k]);
  *s = (pc_solid){.collider = c,
                  .centre = centre,
                  .corner_count = p->corner_count,
                  .edge_count = p->edge_count,
                  .face_count = p->face_count,
                  .corner = w->corner[i],
                  .normal = w->normal[i],
                  .edge = p->edge,
                  .face_first = p->face_first,
                  .face_corner = p->face_corner,
                  .radius = c->geometry->radius,
                  .extent = c->geometry->extent,
                  .near_edge = w->near_edge[i]};
  return 1;
}

static int is_polytope(const pc_geometry* g)
{
  return g->polytope && !g->tree;
}

/* With a half-space, polyline or mesh as collider `ground`. */
static pc_status collide_with_ground(pc_narrow_phase* w, pc_search* search, int ground,
                                     pc_error* error)
{
  pc_solid solid;
  const pc_geometry *own = search->collider[ground]->geometry,
                    *other = search->collider[1 - ground]->geometry;
  int has_corners = is_polytope(other);
  if (has_corners && !place(w, search, 1 - ground, &solid)) return pc_no_memory(error);
  if (pc_geometry_is_unbounded(own))
    pc_collide_half_space(search, ground, has_corners ? &solid : NULL);
  else
    pc_collide_ground(search, ground, has_corners ? &solid : NULL);
  return search->status == PC_OK ? PC_OK : pc_no_memory(error);
}

static int is_round(const pc_geometry* g)
{
  return g->kind == PC_GEOMETRY_DISC || g->kind == PC_GEOMETRY_SPHERE;
}

static pc_feature ball_of(const pc_collider* c)
{
  const double* x = c->pose.x;
  return (pc_feature){
      .kind = PC_FEATURE_POINT, .radius = c->geometry->radius, .p = {x[0], x[1], x[2]}};
}

/* From the origin of its body. */
static pc_v3 arm_of(const pc_collider* c, const pc_pose* body)
{
  const double* p = c->pose.x;
  if (p[0] == 0 && p[1] == 0 && p[2] == 0) return (pc_v3){0};
  return pc_pose_turn(body, pc_v3_of(p));
}

/* Too far from each other. It is pc_contact_between that decides: this is on the safe side by more
 * than the round-off of both, which is that of the arms and of the difference of the positions. */
static int are_apart(const pc_collider* const c[2], const pc_pose* const body[2], double margin)
{
  pc_v3 apart = pc_v3_minus(pc_v3_of(body[0]->x), pc_v3_of(body[1]->x));
  pc_v3 arm[2] = {arm_of(c[0], body[0]), arm_of(c[1], body[1])};
  pc_v3 r = pc_v3_minus(pc_v3_plus(apart, arm[0]), arm[1]);
  double size = fabs(apart.x) + fabs(apart.y) + fabs(apart.z);
  for (int i = 0; i < 2; i++) size += fabs(arm[i].x) + fabs(arm[i].y) + fabs(arm[i].z);
  double reach = margin + c[0]->geometry->radius + c[1]->geometry->radius + 32 * DBL_EPSILON * size;
  return pc_v3_dot(r, r) > reach * reach * (1 + 32 * DBL_EPSILON);
}

int pc_narrow_phase_takes_balls(const pc_collider* const c[2])
{
  int round[2] = {is_round(c[0]->geometry), is_round(c[1]->geometry)};
  return (round[0] && (round[1] || pc_geometry_is_unbounded(c[1]->geometry))) ||
         (round[1] && pc_geometry_is_unbounded(c[0]->geometry));
}

int pc_narrow_phase_find_balls(const pc_collider* const c[2], const pc_pose* const body[2],
                               double margin, pc_found_ball* found)
{
  pc_contact_geometry* g = found->geometry;
  int ground = pc_geometry_is_unbounded(c[0]->geometry)   ? 0
               : pc_geometry_is_unbounded(c[1]->geometry) ? 1
                                                          : -1;
  if (ground < 0 && are_apart(c, body, margin)) return 0;
  for (int i = 0; i < 2; i++) g->side[i] = i == ground ? pc_plane_feature(c[i]) : ball_of(c[i]);
  pc_v3 up = c[0]->geometry->dimension == 2 ? (pc_v3){0, 1, 0} : (pc_v3){0, 0, 1};
  pc_v3_put(up, g->n); /* for those with the same centre */
  pc_contact_point at = pc_contact_between(g, body);
  pc_v3_put(at.n, g->n);
  found->gap = at.gap;
  found->feature =
      pc_pair_key(pc_feature_key(g->side[0].kind, 0), pc_feature_key(g->side[1].kind, 0));
  return at.gap <= margin;
}

static pc_status collide_balls(const pc_collider* const collider[2], const pc_pose body[2],
                               double margin, pc_found_list* list)
{
  pc_found found = {0};
  pc_found_ball ball = {.geometry = &found.geometry};
  const pc_pose* const at[2] = {&body[0], &body[1]};
  if (!pc_narrow_phase_find_balls(collider, at, margin, &ball)) return PC_OK;
  PC_TRY(pc_reserve((void**)&list->item, &list->capacity, (size_t)list->count + 1,
                    sizeof *list->item));
  found.feature = ball.feature;
  found.gap = ball.gap;
  list->item[list->count++] = found;
  return PC_OK;
}

static pc_status collide_bodies(pc_narrow_phase* w, pc_search* search, pc_error* error)
{
  pc_solid solid[2];
  const pc_solid* given[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) {
    if (!is_polytope(search->collider[i]->geometry)) continue;
    if (!place(w, search, i, &solid[i])) return pc_no_memory(error);
    given[i] = &solid[i];
  }
  if (!given[0] || !given[1])
    pc_collide_curved(search, given);
  else if (search->collider[0]->geometry->dimension == 2)
    pc_collide_planar(search, solid);
  else
    pc_collide_spatial(search, solid);
  return search->status == PC_OK ? PC_OK : pc_no_memory(error);
}

pc_status pc_narrow_phase_find(pc_narrow_phase* w, const pc_collider* const collider[2],
                               const pc_pose body[2], double margin, pc_found_list* found,
                               pc_error* error)
{
  int moves[2];
  if (pc_narrow_phase_takes_balls(collider))
    return collide_balls(collider, body, margin, found) == PC_OK ? PC_OK : pc_no_memory(error);
  for (int i = 0; i < 2; i++) moves[i] = pc_geometry_moves(collider[i]->geometry);
  if (!moves[0] && !moves[1]) return PC_OK;
  pc_search search = pc_search_begin(collider, body, margin, found);
  if (!moves[0] || !moves[1]) return collide_with_ground(w, &search, moves[0] ? 1 : 0, error);
  return collide_bodies(w, &search, error);
}
