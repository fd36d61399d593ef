/* Polylines and triangle meshes: each of their segments or triangles that is near is a solid of its
 * own. Their inner corners and edges must not catch what slides over them: a contact there counts
 * only if no neighbour is nearer. */
#include "collide/mesh_tree.h"
#include "collide/solid.h"

/* Directions count as parallel to a face below this sine. */
static const double FLAT = 1e-6, ROUND_OFF = 1e-9;

/* ---- neighbours ---------------------------------------------------------------------------- */

/* What the directions from a corner or edge into the surface around it say about a normal. */
typedef struct verdict {
  int against; /* some direction leads along the normal: a neighbour is nearer */
  int below;   /* some direction leads away from it */
  int ends;    /* the surface ends here */
} verdict;

static void judge(verdict* v, pc_v3 direction, pc_v3 outward)
{
  double along = pc_v3_dot(direction, outward), length = pc_v3_length(direction);
  v->against |= along > ROUND_OFF * length;
  v->below |= along < -FLAT * length;
}

static int passes(verdict v)
{
  return !v.against && (v.below || v.ends);
}

/* In the frame of the shape. */
static verdict at_polyline_corner(const pc_polytope* p, int corner, pc_v3 outward)
{
  verdict v = {.ends = corner == 0 || corner == p->corner_count - 1};
  for (int side = -1; side < 2; side += 2) {
    int other = corner + side;
    if (other < 0 || other >= p->corner_count) continue;
    judge(&v, pc_v3_minus(p->corner[other], p->corner[corner]), outward);
  }
  return v;
}

static verdict at_mesh_corner(const pc_polytope* p, int corner, pc_v3 outward)
{
  verdict v = {0};
  for (int i = p->star_first[corner]; i < p->star_first[corner + 1]; i++) {
    const pc_edge* e = &p->edge[p->star[i]];
    int other = e->corner[0] == corner ? e->corner[1] : e->corner[0];
    judge(&v, pc_v3_minus(p->corner[other], p->corner[corner]), outward);
    v.ends |= e->face[1] < 0;
  }
  return v;
}

/* Into each face from its edge: n x d, with d in the direction in which the face runs. */
static verdict at_mesh_edge(const pc_polytope* p, int edge, pc_v3 outward)
{
  const pc_edge* e = &p->edge[edge];
  verdict v = {.ends = e->face[1] < 0};
  pc_v3 d = pc_v3_minus(p->corner[e->corner[1]], p->corner[e->corner[0]]);
  for (int i = 0; i < 2 && e->face[i] >= 0; i++)
    judge(&v, pc_v3_cross(p->normal[e->face[i]], pc_v3_scaled(i ? -1 : 1, d)), outward);
  return v;
}

int pc_ground_allows(const pc_solid* s, pc_feature_ref ref, pc_v3 outward)
{
  const pc_polytope* p = s->collider->geometry->polytope;
  if (pc_v3_dot(outward, s->normal[0]) <= 0) return 0;
  if (ref.kind == PC_FEATURE_FACE) return 1;
  /* The ground does not move, but its body may be turned: normal and outward are both inertial. */
  pc_v3 a = s->corner[0], b = s->corner[1], u = pc_v3_minus(b, a);
  pc_v3 w = pc_v3_cross(s->normal[0], u);
  pc_v3 pa = p->corner[s->corner_id[0]], pb = p->corner[s->corner_id[1]];
  pc_v3 pu = pc_v3_minus(pb, pa), pn = p->normal[s->face_id[0]], pw = pc_v3_cross(pn, pu);
  double square = pc_v3_dot(u, u);
  pc_v3 local = pc_v3_scaled(pc_v3_dot(outward, s->normal[0]), pn);
  local = pc_v3_along(local, pc_v3_dot(outward, u) / square, pu);
  local = pc_v3_along(local, pc_v3_dot(outward, w) / square, pw);
  if (ref.kind == PC_FEATURE_LINE) return passes(at_mesh_edge(p, s->edge_id[ref.index], local));
  if (p->star) return passes(at_mesh_corner(p, s->corner_id[ref.index], local));
  return passes(at_polyline_corner(p, s->corner_id[ref.index], local));
}

int pc_is_behind(const pc_solid* ground, const pc_solid* other, double separation)
{
  for (int i = 0; i < other->corner_count; i++) {
    pc_v3 r = pc_v3_minus(other->corner[i], ground->corner[0]);
    if (pc_v3_dot(ground->normal[0], r) > 0) return 0;
  }
  return separation + other->radius < 0;
}

/* ---- facets -------------------------------------------------------------------------------- */

typedef struct visitor {
  pc_search* search;
  int ground;
  const pc_solid* solid; /* NULL for an ellipsoid or cylinder */
  pc_v3 centre;          /* of the mesh, in its frame, */
  pc_v3 place;           /* and relative to the pair */
} visitor;

/* The edges of the mesh that are the sides of a triangle; 0 for one that the mesh does not know. */
static void name_edges(const pc_polytope* p, int face, const int corner[3], pc_edge edge[3],
                       int id[3])
{
  for (int i = 0; i < 3; i++) {
    int a = corner[i], b = corner[(i + 1) % 3];
    edge[i] = (pc_edge){{i, (i + 1) % 3}, {0, -1}};
    id[i] = 0;
    for (int k = p->star_first[a]; k < p->star_first[a + 1]; k++) {
      const pc_edge* e = &p->edge[p->star[k]];
      int own = e->face[0] == face || e->face[1] == face;
      if (own && (e->corner[0] == b || e->corner[1] == b)) id[i] = p->star[k];
    }
  }
}

/* The frame of a part of ground, and the size of the pair, are those of the part: the centre of the
 * mesh may be far away. */
static void go_to_facet(const visitor* v, pc_v3 at, double extent)
{
  pc_search* s = v->search;
  pc_pose* frame = &s->frame[v->ground];
  pc_v3 place = pc_v3_plus(v->place, pc_pose_turn(frame, pc_v3_minus(at, v->centre)));
  pc_v3_put(place, frame->x);
  s->centre[v->ground] = at;
  s->size = s->collider[1 - v->ground]->geometry->extent + extent + pc_v3_length(place);
}

static void visit(void* user, int face)
{
  visitor* v = user;
  const pc_collider* c = v->search->collider[v->ground];
  const pc_polytope* p = c->geometry->polytope;
  const pc_pose* frame = &v->search->frame[v->ground];
  int count = p->face_first[face + 1] - p->face_first[face];
  const int *id = p->face_corner + p->face_first[face], first[2] = {0, count}, loop[3] = {0, 1, 2};
  pc_v3 corner[3], normal = pc_pose_turn(frame, p->normal[face]), first_corner = p->corner[id[0]];
  pc_edge edge[3];
  int edge_id[3] = {0}, near_edge[3];
  double extent = 0;
  for (int i = 1; i < count; i++)
    extent = fmax(extent, pc_v3_length(pc_v3_minus(p->corner[id[i]], first_corner)));
  go_to_facet(v, first_corner, extent);
  for (int i = 0; i < count; i++)
    corner[i] = pc_pose_apply(frame, pc_v3_minus(p->corner[id[i]], first_corner));
  if (count == 3) name_edges(p, face, id, edge, edge_id);
  pc_solid facet = {.collider = c,
                    .centre = first_corner,
                    .corner_count = count,
                    .edge_count = count == 3 ? 3 : 0,
                    .face_count = 1,
                    .corner = corner,
                    .normal = &normal,
                    .edge = edge,
                    .face_first = first,
                    .face_corner = loop,
                    .corner_id = id,
                    .edge_id = edge_id,
                    .face_id = &face,
                    .near_edge = near_edge,
                    .extent = extent,
                    .one_sided = 1};
  if (!v->solid) {
    const pc_solid* const curved[2] = {v->ground == 0 ? &facet : NULL,
                                       v->ground == 0 ? NULL : &facet};
    pc_collide_curved(v->search, curved);
    return;
  }
  pc_solid pair[2] = {v->ground == 0 ? facet : *v->solid, v->ground == 0 ? *v->solid : facet};
  if (count == 2)
    pc_collide_planar(v->search, pair);
  else
    pc_collide_spatial(v->search, pair);
}

/* Whether two contacts with parts of ground are the same: parts in one plane, or corners and edges
 * that they share. */
static int are_same(const pc_found* a, const pc_found* b, int ground)
{
  uint64_t other = ground ? UINT64_C(0xffffffff) << 32 : UINT64_C(0xffffffff);
  if (a->feature == b->feature) return 1;
  pc_v3 turn = pc_v3_minus(pc_v3_of(a->geometry.n), pc_v3_of(b->geometry.n));
  return (a->feature & other) == (b->feature & other) && pc_v3_length(turn) < ROUND_OFF &&
         a->geometry.side[ground].kind == b->geometry.side[ground].kind;
}

static void drop_same(pc_found_list* list, int first, int ground)
{
  int kept = first;
  for (int i = first; i < list->count; i++) {
    int again = 0;
    for (int k = first; k < kept && !again; k++)
      again = are_same(&list->item[k], &list->item[i], ground);
    if (!again) list->item[kept++] = list->item[i];
  }
  list->count = kept;
}

/* A box in the frame of the mesh around the other shape and the margin, and the round-off of going
 * there. */
static pc_bounds bounds_in_mesh(const visitor* v)
{
  const pc_search* s = v->search;
  const int other = 1 - v->ground;
  pc_bounds around = pc_bounds_empty();
  for (int i = 0; v->solid && i < v->solid->corner_count; i++)
    pc_bounds_add_point(&around, v->solid->corner[i]);
  if (v->solid)
    around = pc_bounds_grown(around, v->solid->radius);
  else
    around = pc_geometry_bounds(s->collider[other]->geometry, &s->frame[other]);
  around = pc_bounds_grown(around, s->margin);
  pc_bounds near = pc_bounds_seen_from(&around, &s->frame[v->ground]);
  const double centre[3] = {v->centre.x, v->centre.y, v->centre.z};
  for (int i = 0; i < 3; i++) near.low[i] += centre[i], near.high[i] += centre[i];
  double size = s->size + s->margin + pc_v3_length(v->centre);
  return pc_bounds_grown(near, 32 * DBL_EPSILON * size);
}

void pc_collide_ground(pc_search* search, int ground, const pc_solid* solid)
{
  visitor v = {search, ground, solid, search->centre[ground], pc_v3_of(search->frame[ground].x)};
  int first = search->found->count;
  pc_bounds near = bounds_in_mesh(&v);
  pc_mesh_tree_visit(search->collider[ground]->geometry->tree, &near, visit, &v);
  drop_same(search->found, first, ground);
}
