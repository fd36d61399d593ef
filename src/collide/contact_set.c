#include "collide/contact_set.h"

#include <float.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "collide/neighbours.h"
#include "collide/passage.h"

static const double DRILLING =
    3 * 3.14159265358979323846 / 16; /* of Contensou friction, as in elements */

/* Contacts of a set: each has up to 48 entries of W, which are counted. */
enum { MOST = INT_MAX / 48 };

/* What one thread finds. */
typedef struct seeker {
  pc_narrow_phase* narrow;
  pc_found_list found; /* of one pair */
  int material[2];     /* of the pair before, and their law */
  pc_material law;
  int count;
  pc_set_contact* contact;
  size_t capacity;
  pc_status status;
} seeker;

/* What one of them has found in a chunk of the pairs: some of its contacts, in the order of their
 * keys. */
typedef struct run {
  int pair; /* the first of the chunk: runs are in the order of these */
  const seeker* by;
  int first, count;         /* among the seeker's contacts */
  int rows, entries;        /* of all of them */
  int at, row_at, entry_at; /* where they begin among all of the set */
} run;

struct pc_contact_set {
  const pc_world* world;
  pc_threads* threads;
  pc_neighbours* neighbours;
  pc_broad_phase* broad;   /* of pc_contact_set_find_farther, once there is one */
  seeker* seeker;          /* by worker */
  pc_neighbour_list near;  /* of the search at hand: pairs of those near each other, or ... */
  const pc_couple* couple; /* ... those with a shape that may move farther */
  unsigned char* farther;  /* of the colliders: see pc_contact_set_find_farther */
  pc_pose* body;           /* of the world, at q */
  double* reach;           /* of the colliders: how far they may move in the step [m], */
  double* way;             /* and how far they have: see pc_contact_set_passed [m] */
  pc_bounds* bounds;       /* of the colliders, grown by it */
  int half_space_count;
  pc_half_space* half_space;
  int count, row_count, entry_count;
  pc_set_contact** contact; /* in the order of their keys; they stay where they were found */
  size_t capacity;
  run* run; /* of the search at hand */
  atomic_int run_count;
};

static int create_seekers(pc_contact_set* s)
{
  int count = pc_threads_size(s->threads);
  s->seeker = pc_alloc((size_t)count, sizeof *s->seeker);
  s->run = pc_alloc((size_t)pc_threads_chunks(s->threads), sizeof *s->run);
  for (int i = 0; s->seeker && i < count; i++) {
    if (!(s->seeker[i].narrow = pc_narrow_phase_create())) return 0;
    s->seeker[i].material[0] = -1;
  }
  return s->seeker && s->run;
}

pc_status pc_contact_set_create(const pc_world* world, pc_threads* threads, pc_contact_set** set,
                                pc_error* error)
{
  pc_contact_set* s = *set = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  size_t colliders = (size_t)world->collider_count;
  s->world = world;
  s->threads = threads;
  s->neighbours = pc_neighbours_create(world, threads);
  s->farther = pc_alloc(colliders, 1);
  s->body = pc_alloc((size_t)world->body_count, sizeof *s->body);
  s->reach = pc_alloc(colliders, sizeof *s->reach);
  s->way = pc_alloc(colliders, sizeof *s->way);
  s->bounds = pc_alloc(colliders, sizeof *s->bounds);
  s->half_space = pc_alloc(pc_world_count_unbounded(world), sizeof *s->half_space);
  if (create_seekers(s) && s->neighbours && s->farther && s->body && s->reach && s->way &&
      s->bounds && s->half_space)
    return PC_OK;
  pc_contact_set_destroy(s);
  *set = NULL;
  return pc_no_memory(error);
}

void pc_contact_set_destroy(pc_contact_set* s)
{
  if (!s) return;
  pc_neighbours_destroy(s->neighbours);
  pc_broad_phase_destroy(s->broad);
  for (int i = 0; s->seeker && i < pc_threads_size(s->threads); i++) {
    pc_narrow_phase_destroy(s->seeker[i].narrow);
    free(s->seeker[i].found.item);
    free(s->seeker[i].contact);
  }
  free(s->seeker);
  free(s->farther);
  free(s->body);
  free(s->reach);
  free(s->way);
  free(s->bounds);
  free(s->half_space);
  free(s->contact);
  free(s->run);
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

/* The angle between two orientations of a body in space [rad], or a little more: half of it is the
 * angle between their quaternions, whose lengths do not matter. */
static double turn_between(const double p[4], const double r[4])
{
  double chord = 0, l = 1 / length_of(4, p), k = 1 / length_of(4, r);
  for (int i = 0; i < 4; i++) chord += (l * p[i] - k * r[i]) * (l * p[i] - k * r[i]);
  double x = sqrt(chord) / 2;
  if (x > 0.5) return 4 * pc_asin(fmin(x, 1));
  return 4 * x *
         (1 + x * x / 6 + x * x * (x * x) / 10); /* above its series, x + x^3/6 + 3x^5/40 + ... */
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

double pc_world_way(const pc_world* w, int collider, const double* q, const double* q_end)
{
  return way_of(w, &w->collider[collider], q, q_end);
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
  pc_v3 on = pc_v3_of(pose->x);
  h.offset = pc_v3_dot(n, on) + s->reach[collider] +
             32 * DBL_EPSILON * (pc_v3_length(on) + s->reach[collider]);
  return h;
}

/* Bodies, colliders or pairs that are worth sharing among threads. */
enum { SHARED_LEAST = 128 };

/* Where and how fast everything is. */
typedef struct placing {
  pc_contact_set* set;
  const double *q, *u;
  double dt;
  const pc_find_settings* settings;
} placing;

static pc_pose pose_of(const pc_contact_set* s, const pc_collider* c)
{
  pc_pose body = c->body == PC_COLLIDER_GROUND ? pc_pose_identity() : s->body[c->body];
  return pc_pose_product(&body, &c->pose);
}

static int is_round(const pc_geometry* g)
{
  return g->kind == PC_GEOMETRY_DISC || g->kind == PC_GEOMETRY_SPHERE;
}

/* The box around a shape; the orientation of a round one does not matter. */
static pc_bounds bounds_of(const pc_contact_set* s, const pc_collider* c)
{
  if (c->body != PC_COLLIDER_GROUND && is_round(c->geometry)) {
    pc_bounds b = pc_bounds_empty();
    pc_bounds_add_point(&b, pc_pose_apply(&s->body[c->body], pc_v3_of(c->pose.x)));
    return pc_bounds_grown(b, c->geometry->radius);
  }
  pc_pose pose = pose_of(s, c);
  return pc_geometry_bounds(c->geometry, &pose);
}

/* The round-off of the sides of a box, from the coordinates of the world that they are computed
 * with, and of a comparison with a plane: boxes may only be too large. */
static double round_off_of(const pc_contact_set* s, const pc_collider* c)
{
  double most = arm_of(c);
  for (int i = 0; c->body != PC_COLLIDER_GROUND && i < 3; i++)
    most = fmax(most, fabs(s->body[c->body].x[i]));
  return 32 * DBL_EPSILON * most;
}

static void place_bodies(void* user, int worker, int first, int last)
{
  const placing* p = user;
  (void)worker;
  for (int i = first; i < last; i++) p->set->body[i] = pc_world_body_pose(p->set->world, i, p->q);
}

static void place_colliders(void* user, int worker, int first, int last)
{
  const placing* p = user;
  pc_contact_set* s = p->set;
  (void)worker;
  for (int i = first; i < last; i++) {
    const pc_collider* c = &s->world->collider[i];
    s->reach[i] = reach_of(s->world, c, p->q, p->u, p->dt, p->settings);
    s->bounds[i] = pc_bounds_grown(bounds_of(s, c), s->reach[i] + round_off_of(s, c));
  }
}

static void place_all(pc_contact_set* s, const double* q, const double* u, double dt,
                      const pc_find_settings* settings)
{
  const pc_world* w = s->world;
  placing p = {s, q, u, dt, settings};
  pc_threads_run(s->threads, w->body_count, SHARED_LEAST, place_bodies, &p);
  pc_threads_run(s->threads, w->collider_count, SHARED_LEAST, place_colliders, &p);
  s->half_space_count = 0;
  for (int i = 0; i < w->collider_count; i++) {
    if (!pc_geometry_is_unbounded(w->collider[i].geometry)) continue;
    pc_pose pose = pose_of(s, &w->collider[i]);
    s->half_space[s->half_space_count++] = half_space_of(s, i, &pose);
  }
}

/* ---- contacts ------------------------------------------------------------------------------ */

static unsigned char carrier_of(const pc_world* w, int body)
{
  return (unsigned char)(body == PC_COLLIDER_GROUND ? PC_CARRIER_GROUND : w->body[body].carrier);
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

/* Half of the way through both shapes [m], if they can get there in the step, else INFINITY. */
static double depth_of(const pc_contact_set* s, const pc_set_contact* c)
{
  const pc_collider* of = s->world->collider;
  int a = c->key.shape[0], b = c->key.shape[1];
  double half = (of[a].geometry->inner + of[b].geometry->inner) / 2;
  return s->reach[a] + s->reach[b] - c->gap > half && c->gap > -half ? half : INFINITY;
}

/* Mostly that of the pair before. */
static const pc_material* law_between(const pc_contact_set* s, int a, int b, seeker* of)
{
  if (of->material[0] != a || of->material[1] != b) {
    of->material[0] = a;
    of->material[1] = b;
    of->law = pc_material_between(s->world->material, a, b);
  }
  return &of->law;
}

/* Space for so many contacts more. */
static pc_status reserve_contacts(seeker* to, int count)
{
  if (to->count > MOST - count) return PC_OUT_OF_MEMORY;
  return pc_reserve((void**)&to->contact, &to->capacity, (size_t)to->count + (size_t)count,
                    sizeof *to->contact);
}

/* What a contact of a pair has but its geometry. */
static void describe(const pc_contact_set* s, pc_couple pair, uint64_t feature, double gap,
                     seeker* by, pc_set_contact* c)
{
  const pc_world* w = s->world;
  const pc_collider *a = &w->collider[pair.a], *b = &w->collider[pair.b];
  const pc_material* law = law_between(s, a->material, b->material, by);
  c->key = (pc_contact_key){{pair.a, pair.b}, feature};
  c->world = w;
  c->carrier[0] = carrier_of(w, a->body);
  c->carrier[1] = carrier_of(w, b->body);
  c->rows = (unsigned char)(1 + friction_rows(w, law));
  c->above = law->e_above != 0;
  c->curve = law->stribeck > 0;
  c->gap = gap;
}

static pc_status append(const pc_contact_set* s, pc_couple pair, seeker* to)
{
  PC_TRY(reserve_contacts(to, to->found.count));
  sort_found(&to->found);
  for (int i = 0; i < to->found.count; i++) {
    const pc_found* f = &to->found.item[i];
    pc_set_contact* c = &to->contact[to->count++];
    describe(s, pair, f->feature, f->gap, to, c);
    c->geometry = f->geometry;
  }
  return PC_OK;
}

static const pc_pose* place_of(const pc_contact_set* s, const pc_collider* c)
{
  static const pc_pose ground = {.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  return c->body == PC_COLLIDER_GROUND ? &ground : &s->body[c->body];
}

/* The one contact of discs and spheres is found where it stays. */
static pc_status find_balls(const pc_contact_set* s, pc_couple pair,
                            const pc_collider* const collider[2], seeker* to)
{
  const pc_pose* const body[2] = {place_of(s, collider[0]), place_of(s, collider[1])};
  PC_TRY(reserve_contacts(to, 1));
  pc_set_contact* c = &to->contact[to->count];
  pc_found_ball found = {.geometry = &c->geometry};
  double margin = s->reach[pair.a] + s->reach[pair.b];
  if (!pc_narrow_phase_find_balls(collider, body, margin, &found)) return PC_OK;
  describe(s, pair, found.feature, found.gap, to, c);
  to->count++;
  return PC_OK;
}

static pc_status find_pair(const pc_contact_set* s, pc_couple pair, seeker* to)
{
  const pc_collider* const collider[2] = {&s->world->collider[pair.a], &s->world->collider[pair.b]};
  if (pc_narrow_phase_takes_balls(collider)) return find_balls(s, pair, collider, to);
  const pc_pose body[2] = {*place_of(s, collider[0]), *place_of(s, collider[1])};
  to->found.count = 0;
  double margin = s->reach[pair.a] + s->reach[pair.b];
  PC_TRY(pc_narrow_phase_find(to->narrow, collider, body, margin, &to->found, NULL));
  return to->found.count ? append(s, pair, to) : PC_OK;
}

static pc_step_bounds step_bounds(const pc_contact_set* s)
{
  return (pc_step_bounds){s->bounds, s->reach, s->half_space_count, s->half_space};
}

/* Entries of W. */
static int entries_of(const pc_set_contact* c)
{
  return c->rows * (pc_carrier_u_count(c->carrier[0], c->world->dimension) +
                    pc_carrier_u_count(c->carrier[1], c->world->dimension));
}

/* Notes what a seeker has found in a chunk: all from `first` on. */
static void note_run(pc_contact_set* s, const seeker* by, int pair, int first)
{
  run* r = &s->run[atomic_fetch_add(&s->run_count, 1)];
  *r = (run){.pair = pair, .by = by, .first = first, .count = by->count - first};
  for (int i = first; i < by->count; i++) {
    const pc_set_contact* c = &by->contact[i];
    r->rows += c->rows;
    r->entries += entries_of(c);
  }
}

static void find_pairs(void* user, int worker, int first, int last)
{
  pc_contact_set* s = user;
  const pc_step_bounds step = step_bounds(s);
  seeker* to = &s->seeker[worker];
  int before = to->count;
  for (int i = first; i < last && to->status == PC_OK; i++)
    if (pc_neighbours_overlap(&s->near, i, &step)) to->status = find_pair(s, s->near.pair[i], to);
  note_run(s, to, first, before);
}

static void find_couples(void* user, int worker, int first, int last)
{
  pc_contact_set* s = user;
  seeker* to = &s->seeker[worker];
  int before = to->count;
  for (int i = first; i < last && to->status == PC_OK; i++)
    if (pc_world_meets(s->world, s->couple[i].a, s->couple[i].b))
      to->status = find_pair(s, s->couple[i], to);
  note_run(s, to, first, before);
}

/* Whoever found them: the order of the pairs is that of the keys. */
static void sort_runs(int count, run* r)
{
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && r[k].pair < r[k - 1].pair; k--) {
      run swapped = r[k];
      r[k] = r[k - 1];
      r[k - 1] = swapped;
    }
}

/* Lists the contacts of runs, and numbers their rows and entries of W. */
static void list_runs(void* user, int worker, int first, int last)
{
  pc_contact_set* s = user;
  (void)worker;
  for (const run *r = s->run + first, *end = s->run + last; r < end; r++) {
    int row = r->row_at, entry = r->entry_at;
    for (int i = 0; i < r->count; i++) {
      pc_set_contact* c = s->contact[r->at + i] = &r->by->contact[r->first + i];
      c->row = row;
      c->entry = entry;
      row += c->rows;
      entry += entries_of(c);
    }
  }
}

/* What all have found, sorted by key. */
static pc_status gather(pc_contact_set* s)
{
  int runs = atomic_load(&s->run_count);
  size_t count = 0;
  for (int i = 0; i < pc_threads_size(s->threads); i++) {
    PC_TRY(s->seeker[i].status);
    count += (size_t)s->seeker[i].count;
  }
  if (count > MOST) return PC_OUT_OF_MEMORY;
  PC_TRY(pc_reserve((void**)&s->contact, &s->capacity, count, sizeof *s->contact));
  sort_runs(runs, s->run);
  for (int i = 0; i < runs; i++) {
    run* r = &s->run[i];
    r->at = s->count;
    r->row_at = s->row_count;
    r->entry_at = s->entry_count;
    s->count += r->count;
    s->row_count += r->rows;
    s->entry_count += r->entries;
  }
  pc_threads_run(s->threads, runs, 2, list_runs, s);
  return PC_OK;
}

/* The contacts of all pairs of a list. */
static pc_status find(pc_contact_set* s, int pair_count, pc_threads_task* task, pc_error* error)
{
  s->count = s->row_count = s->entry_count = 0;
  atomic_store(&s->run_count, 0);
  for (int i = 0; i < pc_threads_size(s->threads); i++) {
    s->seeker[i].count = 0;
    s->seeker[i].status = PC_OK;
  }
  pc_threads_run(s->threads, pair_count, SHARED_LEAST, task, s);
  return gather(s) == PC_OK ? PC_OK : pc_no_memory(error);
}

pc_status pc_contact_set_find(pc_contact_set* s, const double* q, const double* u, double dt,
                              const pc_find_settings* settings, pc_error* error)
{
  place_all(s, q, u, dt, settings);
  const pc_step_bounds step = step_bounds(s);
  PC_TRY(pc_neighbours_find(s->neighbours, &step, &s->near, error));
  return find(s, s->near.count, find_pairs, error);
}

pc_status pc_contact_set_find_farther(pc_contact_set* s, const pc_contact_set* set, const double* q,
                                      const double* u, double dt, const pc_find_settings* settings,
                                      pc_error* error)
{
  int count;
  if (!s->broad && !(s->broad = pc_broad_phase_create(s->threads))) return pc_no_memory(error);
  place_all(s, q, u, dt, settings);
  for (int i = 0; i < s->world->collider_count; i++) s->farther[i] = s->reach[i] > set->reach[i];
  PC_TRY(pc_broad_phase_find_marked(s->broad, s->world->collider_count, s->bounds, s->farther,
                                    s->half_space_count, s->half_space, &s->couple, &count, error));
  return find(s, count, find_couples, error);
}

/* A step that was done, and what is not as it should be: looked for by all threads. */
typedef struct end_loop {
  const pc_contact_set* set;
  const double *q, *q_end, *u_end;
  double dt;
  atomic_int least; /* of the indices that were found; INT_MAX: none */
} end_loop;

static void note_index(end_loop* l, int index)
{
  int least = atomic_load(&l->least);
  while (index < least && !atomic_compare_exchange_weak(&l->least, &least, index)) continue;
}

static void look_for_far(void* user, int worker, int first, int last)
{
  end_loop* l = user;
  const pc_contact_set* s = l->set;
  (void)worker;
  for (int i = first; i < last; i++) {
    const pc_collider* c = &s->world->collider[i];
    double reach = s->reach[i];
    if (l->dt * speed_of(s->world, c, l->u_end) <= reach &&
        way_of(s->world, c, l->q, l->q_end) <= reach)
      continue;
    note_index(l, i);
    return;
  }
}

int pc_contact_set_covers(const pc_contact_set* s, const double* q, const double* q_end,
                          const double* u_end, double dt)
{
  end_loop loop = {s, q, q_end, u_end, dt, INT_MAX};
  pc_threads_run(s->threads, s->world->collider_count, SHARED_LEAST, look_for_far, &loop);
  return atomic_load(&loop.least) == INT_MAX;
}

/* Shapes that are not in the set are farther from each other than both together were thought to
 * move: to get half-way through both (see depth_of), one of them has to exceed that by half of its
 * own depth. */
static void look_for_passing(void* user, int worker, int first, int last)
{
  end_loop* l = user;
  const pc_contact_set* s = l->set;
  (void)worker;
  for (int i = first; i < last; i++) {
    const pc_collider* c = &s->world->collider[i];
    if (way_of(s->world, c, l->q, l->q_end) <= s->reach[i] + c->geometry->inner / 2) continue;
    note_index(l, i);
    return;
  }
}

int pc_contact_set_may_pass(const pc_contact_set* s, const double* q, const double* q_end)
{
  end_loop loop = {s, q, q_end, NULL, 0, INT_MAX};
  pc_threads_run(s->threads, s->world->collider_count, SHARED_LEAST, look_for_passing, &loop);
  return atomic_load(&loop.least) < INT_MAX;
}

/* By the row of a contact: deeper than half of the way at the end, or on the other side. */
static int has_passed(const end_loop* l, int contact)
{
  const pc_set_contact* c = l->set->contact[contact];
  double depth = depth_of(l->set, c);
  if (depth == INFINITY) return 0;
  pc_contact_point at = pc_contact_set_point(l->set, contact, l->q_end);
  return at.gap < -depth || pc_v3_dot(at.n, pc_v3_of(c->geometry.n)) < 0;
}

static int is_first_of_pair(const pc_contact_set* s, int contact)
{
  if (contact == 0) return 1;
  const int *shape = s->contact[contact]->key.shape, *other = s->contact[contact - 1]->key.shape;
  return shape[0] != other[0] || shape[1] != other[1];
}

/* The least gap of the pair whose first contact this is, where it was found. */
static double gap_of_pair(const pc_contact_set* s, int contact)
{
  double least = s->contact[contact]->gap;
  for (int i = contact + 1; i < s->count && !is_first_of_pair(s, i); i++)
    least = fmin(least, s->contact[i]->gap);
  return least;
}

/* By where the shapes are on their way. The rows of a contact are of features that were near at the
 * start: of a body that turns by much, others may get through; and who passes by turns the normal,
 * too. */
static int passes(const end_loop* l, int contact, seeker* by)
{
  const pc_contact_set* s = l->set;
  const int* shape = s->contact[contact]->key.shape;
  const pc_collider *a = &s->world->collider[shape[0]], *b = &s->world->collider[shape[1]];
  double half = (a->geometry->inner + b->geometry->inner) / 2;
  pc_passage p = {s->world, {shape[0], shape[1]}, l->q, l->q_end, 0, half};
  p.way = s->way[shape[0]] + s->way[shape[1]];
  double gap = gap_of_pair(s, contact);
  if (!(gap - p.way < -half && gap > -half)) return 0;
  return pc_passage_is_deep(&p, by->narrow, &by->found) ||
         (!pc_passage_is_resolved(&p) && has_passed(l, contact));
}

/* Ground of facets is not convex, and has no inside. */
static int is_of_facets(const pc_contact_set* s, const int shape[2])
{
  return s->world->collider[shape[0]].geometry->tree || s->world->collider[shape[1]].geometry->tree;
}

static void look_for_passed(void* user, int worker, int first, int last)
{
  end_loop* l = user;
  const pc_contact_set* s = l->set;
  for (int i = first; i < last; i++) {
    int facets = is_of_facets(s, s->contact[i]->key.shape);
    if (facets ? !has_passed(l, i) : !is_first_of_pair(s, i) || !passes(l, i, &s->seeker[worker]))
      continue;
    note_index(l, i);
    return;
  }
}

/* A ball about the centre of its body does not move by turning. */
static double way_of_shape(const pc_world* w, const pc_collider* c, const end_loop* l)
{
  const double* x = c->pose.x;
  if (c->body == PC_COLLIDER_GROUND || !is_round(c->geometry) || x[0] != 0 || x[1] != 0 ||
      x[2] != 0)
    return way_of(w, c, l->q, l->q_end);
  const double *from = l->q + w->body[c->body].q_first, *to = l->q_end + w->body[c->body].q_first;
  double square = 0;
  for (int i = 0; i < w->dimension; i++) square += (from[i] - to[i]) * (from[i] - to[i]);
  return sqrt(square);
}

static void measure_ways(void* user, int worker, int first, int last)
{
  const end_loop* l = user;
  const pc_contact_set* s = l->set;
  (void)worker;
  for (int i = first; i < last; i++) s->way[i] = way_of_shape(s->world, &s->world->collider[i], l);
}

int pc_contact_set_passed(pc_contact_set* s, const double* q, const double* q_end)
{
  end_loop loop = {s, q, q_end, NULL, 0, INT_MAX};
  if (s->count == 0) return -1;
  pc_threads_run(s->threads, s->world->collider_count, SHARED_LEAST, measure_ways, &loop);
  pc_threads_run(s->threads, s->count, SHARED_LEAST, look_for_passed, &loop);
  int least = atomic_load(&loop.least);
  return least < INT_MAX ? least : -1;
}

int pc_contact_set_contains(const pc_contact_set* s, const pc_contact_set* part)
{
  int at = 0;
  for (int i = 0; i < part->count; i++, at++) {
    while (at < s->count && pc_compare_keys(&s->contact[at]->key, &part->contact[i]->key) < 0) at++;
    if (at == s->count || pc_compare_keys(&s->contact[at]->key, &part->contact[i]->key) != 0)
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

int pc_contact_set_entry_count(const pc_contact_set* s)
{
  return s->entry_count;
}

const pc_set_contact* pc_contact_set_get(const pc_contact_set* s, int contact)
{
  return s->contact[contact];
}

pc_set_contact* pc_contact_set_at(pc_contact_set* s, int contact)
{
  return s->contact[contact];
}

/* ---- rows ---------------------------------------------------------------------------------- */

int pc_contact_set_blocks(const pc_contact_set* s, int contact, pc_block u[2], pc_block q[2])
{
  const pc_set_contact* c = s->contact[contact];
  const pc_world* w = s->world;
  int count = 0;
  for (int i = 0; i < 2; i++) {
    int of = pc_set_contact_body(c, i);
    if (of == PC_COLLIDER_GROUND) continue;
    const pc_world_body* body = &w->body[of];
    u[count] = (pc_block){body->u_first, pc_carrier_u_count(body->carrier, w->dimension)};
    q[count++] = (pc_block){body->q_first, pc_carrier_q_count(body->carrier, w->dimension)};
  }
  return count;
}

void pc_contact_set_rows(const pc_contact_set* s, int contact, const double* q, double* gap,
                         double* W, double* W_q)
{
  const pc_set_contact* c = s->contact[contact];
  const double* of_body[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) {
    int body = pc_set_contact_body(c, i);
    if (body != PC_COLLIDER_GROUND) of_body[i] = q + s->world->body[body].q_first;
  }
  pc_set_contact_rows(c, of_body, gap, W, W_q);
}

void pc_set_contact_rows(const pc_set_contact* c, const double* const q[2], double* gap, double* W,
                         double* W_q)
{
  const pc_contact_bodies bodies = {
      c->world->dimension, {c->carrier[0], c->carrier[1]}, {q[0], q[1]}};
  pc_contact_friction friction = {c->rows - 1, 0};
  if (c->rows == 4) friction.contensou_radius = DRILLING * pc_set_contact_law(c).contact_radius;
  pc_contact_rows(&c->geometry, &bodies, &friction, gap, W, W_q);
}

/* A sphere about the centre of its body has no use for an orientation. */
static pc_pose pose_for(const pc_world* w, int body, const pc_feature* f, const double* q)
{
  if (body == PC_COLLIDER_GROUND || f->kind != PC_FEATURE_POINT || f->p[0] != 0 || f->p[1] != 0 ||
      f->p[2] != 0)
    return pc_world_body_pose(w, body, q);
  pc_pose pose = pc_pose_identity();
  for (int i = 0; i < w->dimension; i++) pose.x[i] = q[w->body[body].q_first + i];
  return pose;
}

pc_contact_point pc_contact_set_point(const pc_contact_set* s, int contact, const double* q)
{
  const pc_set_contact* c = s->contact[contact];
  const pc_pose body[2] = {pose_for(s->world, pc_set_contact_body(c, 0), &c->geometry.side[0], q),
                           pose_for(s->world, pc_set_contact_body(c, 1), &c->geometry.side[1], q)};
  return pc_contact_at(&c->geometry, body);
}

/* ---- what persists ------------------------------------------------------------------------- */

int pc_contact_key_compare(const pc_contact_key* a, const pc_contact_key* b)
{
  if (!a || !b) return 0;
  return pc_compare_keys(a, b);
}

void pc_contact_set_to_inertial(const pc_contact_set* s, int contact, const double* P,
                                double component[4])
{
  const pc_set_contact* c = s->contact[contact];
  pc_v3 n = pc_v3_of(c->geometry.n), t[2], sum = pc_v3_scaled(P[0], n);
  pc_reference_tangents(c->world->dimension, c->geometry.n, t);
  for (int k = 1; k < c->rows && k < 3; k++) sum = pc_v3_along(sum, P[k], t[k - 1]);
  pc_v3_put(sum, component);
  component[3] = c->rows == 4 ? P[3] : 0;
}

void pc_contact_set_from_inertial(const pc_contact_set* s, int contact, const double component[4],
                                  double* P)
{
  const pc_set_contact* c = s->contact[contact];
  pc_v3 n = pc_v3_of(c->geometry.n), t[2], sum = pc_v3_of(component);
  pc_reference_tangents(c->world->dimension, c->geometry.n, t);
  P[0] = pc_v3_dot(n, sum);
  for (int k = 1; k < c->rows && k < 3; k++) P[k] = pc_v3_dot(t[k - 1], sum);
  if (c->rows == 4) P[3] = component[3];
}
