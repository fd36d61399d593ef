#include "collide/solid.h"

#include "base/memory.h"
#include "base/status.h"

static int id_of(const int* id, int index)
{
  return id ? id[index] : index;
}

/* From the centre of shape 1 to that of shape 0. What is on the ground may be far from the origin,
 * and is subtracted first: its body does not turn, so that the differences lose nothing. */
static pc_v3 difference_of_centres(const pc_collider* const c[2], const pc_pose body[2])
{
  pc_v3 arm[2], r = pc_v3_minus(pc_v3_of(body[0].x), pc_v3_of(body[1].x));
  for (int i = 0; i < 2; i++)
    arm[i] = pc_pose_turn(&body[i], pc_pose_apply(&c[i]->pose, c[i]->geometry->centre));
  if (c[1]->body == PC_COLLIDER_GROUND) return pc_v3_plus(pc_v3_minus(r, arm[1]), arm[0]);
  return pc_v3_minus(pc_v3_plus(r, arm[0]), arm[1]);
}

pc_search pc_search_begin(const pc_collider* const collider[2], const pc_pose body[2],
                          double margin, pc_found_list* found)
{
  pc_search s = {.body = body, .margin = margin, .found = found, .status = PC_OK};
  pc_v3 r = difference_of_centres(collider, body);
  /* The centre of a mesh may be far from the part of it that is near the other shape. */
  int origin = pc_geometry_moves(collider[1]->geometry) ? 1 : 0;
  pc_v3_put(origin ? r : pc_v3_scaled(-1, r), s.frame[1 - origin].x);
  for (int i = 0; i < 2; i++) {
    const pc_geometry* g = collider[i]->geometry;
    s.collider[i] = collider[i];
    s.own[i] = (pc_collider){.geometry = g, .pose = pc_pose_identity()};
    s.centre[i] = g->centre;
    pc_rotation_product(body[i].A, collider[i]->pose.A, s.frame[i].A);
    s.size += g->extent;
  }
  s.size += pc_v3_length(r);
  return s;
}

pc_feature pc_solid_feature(const pc_solid* s, pc_feature_ref ref, uint32_t* key)
{
  const pc_polytope* p = s->collider->geometry->polytope;
  pc_feature f = {.kind = ref.kind, .radius = s->radius};
  pc_v3 at = {0}, direction = {0};
  int id;
  if (ref.kind == PC_FEATURE_POINT) {
    id = id_of(s->corner_id, ref.index);
    at = p->corner[id];
  } else if (ref.kind == PC_FEATURE_LINE) {
    id = id_of(s->edge_id, ref.index);
    at = p->corner[p->edge[id].corner[0]];
    direction = pc_v3_unit(pc_v3_minus(p->corner[p->edge[id].corner[1]], at), (pc_v3){1, 0, 0});
  } else {
    id = id_of(s->face_id, ref.index);
    at = p->corner[p->face_corner[p->face_first[id]]];
    direction = p->normal[id];
  }
  pc_v3_put(pc_v3_minus(at, s->centre), f.p);
  pc_v3_put(direction, f.d);
  *key = pc_feature_key(ref.kind, id);
  return f;
}

int pc_make_contact(const pc_search* search, const pc_solid solid[2], const pc_feature_ref ref[2],
                    pc_v3 n, pc_found* candidate)
{
  uint32_t key[2];
  pc_contact_geometry* g = &candidate->geometry;
  for (int i = 0; i < 2; i++) g->side[i] = pc_solid_feature(&solid[i], ref[i], &key[i]);
  pc_v3_put(n, g->n);
  pc_contact_point at = pc_contact_at(g, search->frame);
  pc_v3_put(at.n, g->n);
  candidate->gap = at.gap;
  candidate->feature = pc_pair_key(key[0], key[1]);
  return at.gap <= search->margin;
}

/* A feature of a shape in the frame of its body. */
static void put_on_body(const pc_search* search, int i, pc_feature* f)
{
  const pc_collider* c = search->collider[i];
  pc_v3 own = pc_v3_plus(search->centre[i], pc_v3_of(f->p));
  pc_v3_put(pc_pose_apply(&c->pose, own), f->p);
  if (f->kind == PC_FEATURE_CURVED)
    f->curve = c;
  else if (f->kind != PC_FEATURE_POINT)
    pc_v3_put(pc_pose_turn(&c->pose, pc_v3_of(f->d)), f->d);
}

void pc_append(pc_search* search, const pc_found* found)
{
  pc_found_list* list = search->found;
  if (search->status != PC_OK) return;
  search->status =
      pc_reserve((void**)&list->item, &list->capacity, (size_t)list->count + 1, sizeof *list->item);
  if (search->status != PC_OK) return;
  pc_found* f = &list->item[list->count++];
  *f = *found;
  for (int i = 0; i < 2; i++) put_on_body(search, i, &f->geometry.side[i]);
  f->gap = pc_contact_at(&f->geometry, search->body).gap;
}

/* ---- which of many ------------------------------------------------------------------------- */

/* The middle between the two points of a contact, without its part along n. */
static pc_v3 place_of(const pc_search* search, const pc_found* f, pc_v3 n)
{
  pc_contact_point at = pc_contact_at(&f->geometry, search->frame);
  return pc_v3_across(pc_v3_along(at.c[1], at.gap / 2, at.n), n);
}

static int drop_same_places(int count, pc_v3* place, int* kept, double same)
{
  int left = 0;
  for (int i = 0; i < count; i++) {
    int again = 0;
    for (int k = 0; k < left && !again; k++)
      again = pc_v3_length(pc_v3_minus(place[i], place[kept[k]])) <= same;
    if (!again) kept[left++] = i;
  }
  return left;
}

/* Twice the area that a place adds to what is spanned already: its distance from a point, its
 * triangle with a side, the largest triangle outside of a triangle. */
static double gain(int chosen, const pc_v3 c[PC_PATCH], pc_v3 x, pc_v3 n)
{
  pc_v3 r = pc_v3_minus(x, c[0]);
  if (chosen == 1) return pc_v3_dot(r, r);
  pc_v3 side = pc_v3_minus(c[1], c[0]);
  double area = pc_v3_dot(n, pc_v3_cross(side, r));
  if (chosen == 2) return fabs(area);
  double orientation = pc_v3_dot(n, pc_v3_cross(side, pc_v3_minus(c[2], c[0])));
  double sign = orientation < 0 ? -1 : 1, most = 0;
  for (int i = 0; i < 3; i++) {
    pc_v3 along = pc_v3_minus(c[(i + 1) % 3], c[i]);
    most = fmax(most, -sign * pc_v3_dot(n, pc_v3_cross(along, pc_v3_minus(x, c[i]))));
  }
  return most;
}

/* Areas that differ by less are equal, and the one listed first is taken: the choice must not hang
 * on round-off, so that contacts at rest keep their keys. */
static const double TIE = 1e-9;

/* Moves the best of the candidates to position `chosen`. */
static int choose(int chosen, int count, int* kept, const pc_v3* place, pc_v3 n, double same)
{
  pc_v3 c[PC_PATCH];
  int best = -1;
  double most = same * same; /* all gains are areas */
  for (int i = 0; i < chosen; i++) c[i] = place[kept[i]];
  for (int i = chosen; i < count; i++) {
    double g = gain(chosen, c, place[kept[i]], n);
    if (g > (1 + TIE) * most) most = g, best = i;
  }
  if (best < 0) return 0;
  int swap = kept[chosen];
  kept[chosen] = kept[best];
  kept[best] = swap;
  return 1;
}

void pc_append_patch(pc_search* search, int dimension, int count, const pc_found* candidate,
                     pc_v3 n, double same)
{
  enum { MOST = 64 };
  pc_v3 place[MOST];
  int kept[MOST];
  if (count > MOST) count = MOST;
  for (int i = 0; i < count; i++) place[i] = place_of(search, &candidate[i], n);
  count = drop_same_places(count, place, kept, same);
  int most = dimension == 2 ? 2 : PC_PATCH, chosen = count < most ? count : most;
  if (count > most)
    for (chosen = 1; chosen < most && choose(chosen, count, kept, place, n, same);) chosen++;
  for (int i = 0; i < chosen; i++) pc_append(search, &candidate[kept[i]]);
}

/* Gaps that differ by less than this part of what counts as the same place differ by round-off. */
static const double SAME_GAP = 1e-3;

/* Of equally near ones the first listed: which of them has the smaller gap is round-off. */
static void nearest_first(int count, pc_found* candidate, double same)
{
  int first = 0;
  for (int i = 1; i < count; i++)
    if (candidate[i].gap < candidate[first].gap - SAME_GAP * same) first = i;
  pc_found found = candidate[first];
  for (int i = first; i > 0; i--) candidate[i] = candidate[i - 1];
  candidate[0] = found;
}

/* Normals that differ by less are the same. */
static const double SAME_DIRECTION = 1e-9;

/* The candidate of the patch at the place of the nearest contact, with its normal; 0 if there is
 * none. Where corners touch, contacts with faces that are turned against each other are at the same
 * place: only one of them separates the shapes. */
static int find_in_patch(const pc_search* search, int count, const pc_found* candidate, pc_v3 n,
                         double same)
{
  pc_v3 nearest = place_of(search, &candidate[0], n);
  for (int i = 1; i < count; i++)
    if (fabs(candidate[i].gap - candidate[0].gap) <= SAME_GAP * same &&
        pc_v3_length(pc_v3_minus(pc_v3_of(candidate[i].geometry.n), n)) <= SAME_DIRECTION &&
        pc_v3_length(pc_v3_minus(place_of(search, &candidate[i], n), nearest)) <= same)
      return i;
  return 0;
}

/* The first candidate gives way to another one. */
static int replace_first(int count, pc_found* candidate, int by)
{
  candidate[0] = candidate[by];
  for (int i = by; i < count - 1; i++) candidate[i] = candidate[i + 1];
  return count - 1;
}

static double deepest(int count, const pc_found* candidate)
{
  double least = candidate[0].gap;
  for (int i = 1; i < count; i++) least = fmin(least, candidate[i].gap);
  return least;
}

static int are_bodies(const pc_search* search)
{
  return pc_geometry_moves(search->collider[0]->geometry) &&
         pc_geometry_moves(search->collider[1]->geometry);
}

int pc_order_candidates(const pc_search* search, int count, pc_found* candidate,
                        pc_nearest_place place, pc_v3 n, double same)
{
  if (count <= 1) return count;
  if (place == PC_NEAREST_FIRST) {
    int again = find_in_patch(search, count, candidate, n, same);
    return again ? replace_first(count, candidate, again) : count;
  }
  if (place == PC_NEAREST_BESIDE) {
    if (are_bodies(search) && deepest(count, candidate) < candidate[0].gap - same) return count;
    count = replace_first(count, candidate, 1);
  }
  nearest_first(count, candidate, same);
  return count;
}

/* ---- faces --------------------------------------------------------------------------------- */

int pc_is_over_face(const pc_solid* s, int face, pc_v3 x, double tolerance, int dimension)
{
  int first = s->face_first[face], end = s->face_first[face + 1];
  if (dimension == 2) {
    pc_v3 a = s->corner[s->face_corner[first]], b = s->corner[s->face_corner[first + 1]];
    pc_v3 along = pc_v3_minus(b, a);
    double length = pc_v3_length(along), at = pc_v3_dot(along, pc_v3_minus(x, a));
    return at >= -tolerance * length && at <= length * (length + tolerance);
  }
  for (int i = first; i < end; i++) {
    pc_v3 a = s->corner[s->face_corner[i]],
          b = s->corner[s->face_corner[i + 1 < end ? i + 1 : first]];
    pc_v3 along = pc_v3_minus(b, a), out = pc_v3_cross(along, s->normal[face]);
    if (pc_v3_dot(out, pc_v3_minus(x, a)) > tolerance * pc_v3_length(along)) return 0;
  }
  return 1;
}
