#include "collide/contact_set.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "collide/broad_phase.h"

static const double DRILLING =
    3 * 3.14159265358979323846 / 16; /* of Contensou friction, as in elements */

struct pc_contact_set {
  const pc_world* world;
  pc_broad_phase* broad;
  pc_narrow_phase* narrow;
  pc_found_list found; /* of one pair */
  pc_pose* body;       /* of the world, at q */
  double* reach;       /* of the colliders: how far they may move in the step [m] */
  pc_bounds* bounds;   /* of the colliders, grown by it */
  int half_space_count;
  pc_half_space* half_space;
  int count, row_count;
  pc_set_contact* contact;
  size_t capacity;
};

pc_status pc_contact_set_create(const pc_world* world, pc_contact_set** set, pc_error* error)
{
  pc_contact_set* s = *set = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  size_t colliders = (size_t)world->collider_count;
  s->world = world;
  s->broad = pc_broad_phase_create();
  s->narrow = pc_narrow_phase_create();
  s->body = pc_alloc((size_t)world->body_count, sizeof *s->body);
  s->reach = pc_alloc(colliders, sizeof *s->reach);
  s->bounds = pc_alloc(colliders, sizeof *s->bounds);
  s->half_space = pc_alloc(colliders, sizeof *s->half_space);
  if (s->broad && s->narrow && s->body && s->reach && s->bounds && s->half_space) return PC_OK;
  pc_contact_set_destroy(s);
  *set = NULL;
  return pc_no_memory(error);
}

void pc_contact_set_destroy(pc_contact_set* s)
{
  if (!s) return;
  pc_broad_phase_destroy(s->broad);
  pc_narrow_phase_destroy(s->narrow);
  free(s->found.item);
  free(s->body);
  free(s->reach);
  free(s->bounds);
  free(s->half_space);
  free(s->contact);
  free(s);
}

/* ---- how far, and where -------------------------------------------------------------------- */

static double length_of(int count, const double* x)
{
  double square = 0;
  for (int i = 0; i < count; i++) square += x[i] * x[i];
  return sqrt(square);
}

/* How far a point of a body is from its centre at most. */
static double arm_of(const pc_collider* c)
{
  return length_of(3, c->pose.x) + c->geometry->reach;
}

/* The largest speed of a point of a shape: |v| + |w| times its distance from the centre of the
 * body. */
static double speed_of(const pc_world* w, const pc_collider* c, const double* u)
{
  if (c->body == PC_COLLIDER_GROUND) return 0;
  const pc_world_body* body = &w->body[c->body];
  const double* own = u + body->u_first;
  double speed = length_of(w->dimension, own);
  if (body->carrier != PC_CARRIER_BODY) return speed;
  double spin = w->dimension == 2 ? fabs(own[2]) : length_of(3, own + 3);
  return speed + spin * arm_of(c);
}

/* The angle between two orientations of a body in space [rad]: half of it is the angle between their
 * quaternions, whose lengths do not matter. */
static double turn_between(const double p[4], const double r[4])
{
  double chord = 0, l = length_of(4, p), k = length_of(4, r);
  for (int i = 0; i < 4; i++) chord += (p[i] / l - r[i] / k) * (p[i] / l - r[i] / k);
  return 4 * pc_asin(fmin(sqrt(chord) / 2, 1));
}

/* How far the points of a shape are from each other for two places of its body, at most. */
static double way_of(const pc_world* w, const pc_collider* c, const double* q, const double* q_end)
{
  if (c->body == PC_COLLIDER_GROUND) return 0;
  const pc_world_body* body = &w->body[c->body];
  const double *a = q + body->q_first, *b = q_end + body->q_first;
  double square = 0;
  for (int i = 0; i < w->dimension; i++) square += (a[i] - b[i]) * (a[i] - b[i]);
  if (body->carrier != PC_CARRIER_BODY) return sqrt(square);
  double turn = w->dimension == 2 ? fabs(a[2] - b[2]) : turn_between(a + 3, b + 3);
  return sqrt(square) + turn * arm_of(c);
}

/* How far a shape may move in a step. */
static double reach_of(const pc_world* w, const pc_collider* c, const double* q, const double* u,
                       double dt, const pc_find_settings* settings)
{
  if (c->body == PC_COLLIDER_GROUND) return settings->margin / 2;
  double way = dt * (speed_of(w, c, u) + dt * settings->acceleration);
  if (settings->u_end) way = fmax(way, dt * speed_of(w, c, settings->u_end));
  if (settings->q_end) way = fmax(way, way_of(w, c, q, settings->q_end));
  return settings->factor * way + settings->margin / 2;
}

/* The plane of a half-space, moved up by what everything may sink towards it. */
static pc_half_space half_space_of(const pc_contact_set* s, int collider, const pc_pose* pose)
{
  pc_half_space h = {.index = collider};
  pc_v3 up = s->world->dimension == 2 ? (pc_v3){0, 1, 0} : (pc_v3){0, 0, 1};
  pc_v3 n = pc_pose_turn(pose, up);
  pc_v3_put(n, h.n);
  h.offset = pc_v3_dot(n, pc_v3_of(pose->x)) + s->reach[collider];
  return h;
}

static void place_all(pc_contact_set* s, const double* q, const double* u, double dt,
                      const pc_find_settings* settings)
{
  const pc_world* w = s->world;
  s->half_space_count = 0;
  for (int i = 0; i < w->body_count; i++) s->body[i] = pc_world_body_pose(w, i, q);
  for (int i = 0; i < w->collider_count; i++) {
    const pc_collider* c = &w->collider[i];
    pc_pose body = c->body == PC_COLLIDER_GROUND ? pc_pose_identity() : s->body[c->body];
    pc_pose pose = pc_pose_product(&body, &c->pose);
    s->reach[i] = reach_of(w, c, q, u, dt, settings);
    s->bounds[i] = pc_bounds_grown(pc_geometry_bounds(c->geometry, &pose), s->reach[i]);
    if (pc_geometry_is_unbounded(c->geometry))
      s->half_space[s->half_space_count++] = half_space_of(s, i, &pose);
  }
}

/* ---- contacts ------------------------------------------------------------------------------ */

static pc_carrier carrier_of(const pc_world* w, int body)
{
  return body == PC_COLLIDER_GROUND ? PC_CARRIER_GROUND : w->body[body].carrier;
}

static int friction_rows(const pc_world* w, const pc_material* law)
{
  if (law->mu < 0) return 0;
  return w->dimension - 1 + (w->dimension == 3 && law->contact_radius > 0);
}

static int compare_features(const void* x, const void* y)
{
  const pc_found *a = x, *b = y;
  return (a->feature > b->feature) - (a->feature < b->feature);
}

/* Few at a time: insertion, since the library's sort may allocate. */
static void sort_found(pc_found_list* list)
{
  for (int i = 1; i < list->count; i++) {
    pc_found moving = list->item[i];
    int k = i;
    for (; k > 0 && compare_features(&list->item[k - 1], &moving) > 0; k--)
      list->item[k] = list->item[k - 1];
    list->item[k] = moving;
  }
}

/* Half of the way through both shapes, if they can get there in the step. */
static double depth_of(const pc_contact_set* s, pc_couple pair, double gap)
{
  const pc_collider* c = s->world->collider;
  double half = (c[pair.a].geometry->inner + c[pair.b].geometry->inner) / 2;
  return s->reach[pair.a] + s->reach[pair.b] - gap > half && gap > -half ? half : INFINITY;
}

static pc_status append(pc_contact_set* s, pc_couple pair, pc_error* error)
{
  const pc_world* w = s->world;
  const pc_collider *a = &w->collider[pair.a], *b = &w->collider[pair.b];
  pc_material law = pc_material_between(w->material, a->material, b->material);
  if (s->count > INT_MAX / 8 - s->found.count) return pc_no_memory(error);
  if (pc_reserve((void**)&s->contact, &s->capacity, (size_t)(s->count + s->found.count),
                 sizeof *s->contact) != PC_OK)
    return pc_no_memory(error);
  sort_found(&s->found);
  for (int i = 0; i < s->found.count; i++) {
    const pc_found* f = &s->found.item[i];
    pc_set_contact* c = &s->contact[s->count++];
    *c = (pc_set_contact){.key = {{pair.a, pair.b}, f->feature},
                          .body = {a->body, b->body},
                          .carrier = {carrier_of(w, a->body), carrier_of(w, b->body)},
                          .dimension = w->dimension,
                          .rows = 1 + friction_rows(w, &law),
                          .row = s->row_count,
                          .law = law,
                          .gap = f->gap,
                          .depth = depth_of(s, pair, f->gap),
                          .geometry = f->geometry};
    s->row_count += c->rows;
  }
  return PC_OK;
}

static pc_status find_pair(pc_contact_set* s, pc_couple pair, pc_error* error)
{
  const pc_collider* const collider[2] = {&s->world->collider[pair.a], &s->world->collider[pair.b]};
  pc_pose body[2];
  for (int i = 0; i < 2; i++)
    body[i] =
        collider[i]->body == PC_COLLIDER_GROUND ? pc_pose_identity() : s->body[collider[i]->body];
  s->found.count = 0;
  double margin = s->reach[pair.a] + s->reach[pair.b];
  PC_TRY(pc_narrow_phase_find(s->narrow, collider, body, margin, &s->found, error));
  return s->found.count ? append(s, pair, error) : PC_OK;
}

pc_status pc_contact_set_find(pc_contact_set* s, const double* q, const double* u, double dt,
                              const pc_find_settings* settings, pc_error* error)
{
  const pc_couple* pair;
  int pair_count;
  s->count = s->row_count = 0;
  place_all(s, q, u, dt, settings);
  PC_TRY(pc_broad_phase_find(s->broad, s->world->collider_count, s->bounds, s->half_space_count,
                             s->half_space, &pair, &pair_count, error));
  for (int i = 0; i < pair_count; i++)
    if (pc_world_meets(s->world, pair[i].a, pair[i].b)) PC_TRY(find_pair(s, pair[i], error));
  return PC_OK;
}

int pc_contact_set_covers(const pc_contact_set* s, const double* q, const double* q_end,
                          const double* u_end, double dt)
{
  const pc_world* w = s->world;
  for (int i = 0; i < w->collider_count; i++) {
    const pc_collider* c = &w->collider[i];
    if (!(dt * speed_of(w, c, u_end) <= s->reach[i] && way_of(w, c, q, q_end) <= s->reach[i]))
      return 0;
  }
  return 1;
}

int pc_contact_set_passed(const pc_contact_set* s, const double* q_end)
{
  for (int i = 0; i < s->count; i++) {
    const pc_set_contact* c = &s->contact[i];
    if (c->depth == INFINITY) continue;
    pc_contact_point at = pc_contact_set_point(s, i, q_end);
    if (at.gap < -c->depth || pc_v3_dot(at.n, pc_v3_of(c->geometry.n)) < 0) return i;
  }
  return -1;
}

int pc_contact_set_contains(const pc_contact_set* s, const pc_contact_set* part)
{
  int at = 0;
  for (int i = 0; i < part->count; i++, at++) {
    while (at < s->count && pc_contact_key_compare(&s->contact[at].key, &part->contact[i].key) < 0)
      at++;
    if (at == s->count || pc_contact_key_compare(&s->contact[at].key, &part->contact[i].key) != 0)
      return 0;
  }
  return 1;
}

int pc_contact_set_count(const pc_contact_set* s)
{
  return s->count;
}

int pc_contact_set_row_count(const pc_contact_set* s)
{
  return s->row_count;
}

const pc_set_contact* pc_contact_set_get(const pc_contact_set* s, int contact)
{
  return &s->contact[contact];
}

pc_set_contact* pc_contact_set_at(pc_contact_set* s, int contact)
{
  return &s->contact[contact];
}

/* ---- rows ---------------------------------------------------------------------------------- */

int pc_contact_set_blocks(const pc_contact_set* s, int contact, pc_block u[2], pc_block q[2])
{
  const pc_set_contact* c = &s->contact[contact];
  const pc_world* w = s->world;
  int count = 0;
  for (int i = 0; i < 2; i++) {
    if (c->body[i] == PC_COLLIDER_GROUND) continue;
    const pc_world_body* body = &w->body[c->body[i]];
    u[count] = (pc_block){body->u_first, pc_carrier_u_count(body->carrier, w->dimension)};
    q[count++] = (pc_block){body->q_first, pc_carrier_q_count(body->carrier, w->dimension)};
  }
  return count;
}

void pc_contact_set_rows(const pc_contact_set* s, int contact, const double* q, double* gap,
                         double* W, double* W_q)
{
  const pc_set_contact* c = &s->contact[contact];
  const double* of_body[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++)
    if (c->body[i] != PC_COLLIDER_GROUND) of_body[i] = q + s->world->body[c->body[i]].q_first;
  pc_set_contact_rows(c, of_body, gap, W, W_q);
}

void pc_set_contact_rows(const pc_set_contact* c, const double* const q[2], double* gap, double* W,
                         double* W_q)
{
  const pc_contact_bodies bodies = {c->dimension, {c->carrier[0], c->carrier[1]}, {q[0], q[1]}};
  pc_contact_friction friction = {c->rows - 1, DRILLING * c->law.contact_radius};
  pc_contact_rows(&c->geometry, &bodies, &friction, gap, W, W_q);
}

pc_contact_point pc_contact_set_point(const pc_contact_set* s, int contact, const double* q)
{
  const pc_set_contact* c = &s->contact[contact];
  const pc_pose body[2] = {pc_world_body_pose(s->world, c->body[0], q),
                           pc_world_body_pose(s->world, c->body[1], q)};
  return pc_contact_at(&c->geometry, body);
}

/* ---- what persists ------------------------------------------------------------------------- */

int pc_contact_key_compare(const pc_contact_key* a, const pc_contact_key* b)
{
  for (int i = 0; i < 2; i++)
    if (a->shape[i] != b->shape[i]) return a->shape[i] < b->shape[i] ? -1 : 1;
  return (a->feature > b->feature) - (a->feature < b->feature);
}

void pc_contact_set_to_inertial(const pc_contact_set* s, int contact, const double* P,
                                double component[4])
{
  const pc_set_contact* c = &s->contact[contact];
  pc_v3 n = pc_v3_of(c->geometry.n), t[2], sum = pc_v3_scaled(P[0], n);
  pc_contact_tangents(c->dimension, c->geometry.n, n, t);
  for (int k = 1; k < c->rows && k < 3; k++) sum = pc_v3_along(sum, P[k], t[k - 1]);
  pc_v3_put(sum, component);
  component[3] = c->rows == 4 ? P[3] : 0;
}

void pc_contact_set_from_inertial(const pc_contact_set* s, int contact, const double component[4],
                                  double* P)
{
  const pc_set_contact* c = &s->contact[contact];
  pc_v3 n = pc_v3_of(c->geometry.n), t[2], sum = pc_v3_of(component);
  pc_contact_tangents(c->dimension, c->geometry.n, n, t);
  P[0] = pc_v3_dot(n, sum);
  for (int k = 1; k < c->rows && k < 3; k++) P[k] = pc_v3_dot(t[k - 1], sum);
  if (c->rows == 4) P[3] = component[3];
}
