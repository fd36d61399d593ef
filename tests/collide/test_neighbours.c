/* Pairs that are kept from step to step are those that a search in every step finds. */
#include "collide/neighbours.h"

#include "check.h"
#include "collide/shapes.h"
#include "linalg/random.h"

enum { BALLS = 150, COLLIDERS = BALLS + 1, STEPS = 200 };

/* Balls of one group, every third of another one that meets only itself, above a floor. */
static pc_world* make_world(void)
{
  pc_world* w = pc_world_create(3);
  pc_error error = {0};
  int stone, ball, floor, body, index;
  CHECK_OK(pc_material_table_add(w->material, "stone", &(pc_material){0}, &stone, &error), error);
  CHECK_OK(pc_world_add_geometry(
               w, make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_SPHERE, .radius = 0.05}), &ball,
               &error),
           error);
  CHECK_OK(pc_world_add_geometry(w, make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_HALF_SPACE}),
                                 &floor, &error),
           error);
  for (int i = 0; i < BALLS; i++) {
    uint32_t group = i % 3 ? 1 : 2;
    CHECK_OK(pc_world_add_body(w, &(pc_world_body){PC_CARRIER_BODY, 7 * i, 6 * i}, &body, &error),
             error);
    pc_collider c = {.geometry = w->geometry[ball],
                     .body = body,
                     .pose = pc_pose_identity(),
                     .material = stone,
                     .group = group,
                     .mask = group | 4};
    CHECK_OK(pc_world_add_collider(w, "ball", &c, &index, &error), error);
  }
  pc_collider c = {.geometry = w->geometry[floor],
                   .body = PC_COLLIDER_GROUND,
                   .pose = pc_pose_identity(),
                   .material = stone,
                   .group = 4,
                   .mask = 7};
  CHECK_OK(pc_world_add_collider(w, "floor", &c, &index, &error), error);
  pc_world_freeze(w);
  return w;
}

/* Places and velocities of the balls, in steps of 1. */
typedef struct scene {
  double x[BALLS][3], v[BALLS][3];
  pc_bounds bounds[COLLIDERS];
  double reach[COLLIDERS];
} scene;

static void scatter(scene* s, random_source* r)
{
  for (int i = 0; i < BALLS; i++)
    for (int k = 0; k < 3; k++) {
      s->x[i][k] = 0.3 * (random_number(r) + 1);
      s->v[i][k] = 0.002 * random_number(r);
    }
}

static void advance(scene* s, random_source* r)
{
  for (int i = 0; i < BALLS; i++) {
    double speed = 0;
    for (int k = 0; k < 3; k++) {
      s->x[i][k] += s->v[i][k];
      s->v[i][k] += 2e-4 * random_number(r);
      speed += s->v[i][k] * s->v[i][k];
      s->bounds[i].low[k] = s->x[i][k] - 0.05;
      s->bounds[i].high[k] = s->x[i][k] + 0.05;
    }
    s->reach[i] = sqrt(speed);
    s->bounds[i] = pc_bounds_grown(s->bounds[i], s->reach[i]);
  }
  s->bounds[BALLS] = (pc_bounds){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

/* The pairs of the list that overlap are those of the broad phase that meet. */
static void check_step(const pc_world* w, const pc_step_bounds* step, const pc_neighbour_list* list,
                       pc_broad_phase* phase)
{
  const pc_couple* pair;
  pc_error error = {0};
  int pair_count, at = 0;
  CHECK_OK(pc_broad_phase_find(phase, COLLIDERS, step->bounds, step->half_space_count,
                               step->half_space, &pair, &pair_count, &error),
           error);
  for (int i = 0; i < pair_count; i++) {
    if (!pc_world_meets(w, pair[i].a, pair[i].b)) continue;
    while (at < list->count && !pc_neighbours_overlap(list, at, step)) at++;
    assert_true(at < list->count);
    assert_int_equal(list->pair[at].a, pair[i].a);
    assert_int_equal(list->pair[at].b, pair[i].b);
    at++;
  }
  for (; at < list->count; at++) assert_false(pc_neighbours_overlap(list, at, step));
}

static void kept_pairs_are_those_of_a_search_in_every_step(void** state)
{
  (void)state;
  static scene s;
  random_source r = {5};
  pc_world* w = make_world();
  pc_neighbours* n = pc_neighbours_create(w, NULL);
  pc_broad_phase* phase = pc_broad_phase_create(NULL);
  pc_half_space floor = {BALLS, {0, 0, 1}, 0.01};
  pc_error error = {0};
  scatter(&s, &r);
  for (int i = 0; i < STEPS; i++) {
    advance(&s, &r);
    if (i == 50) s.x[7][1] += 0.2;   /* a leap, */
    if (i == 90) floor.offset = 0.1; /* a plane that has moved */
    const pc_step_bounds step = {s.bounds, s.reach, 1, &floor};
    pc_neighbour_list list;
    CHECK_OK(pc_neighbours_find(n, &step, &list, &error), error);
    check_step(w, &step, &list, phase);
  }
  assert_true(pc_neighbours_searches(n) >= 3 && pc_neighbours_searches(n) < STEPS / 2);
  pc_broad_phase_destroy(phase);
  pc_neighbours_destroy(n);
  pc_world_destroy(w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kept_pairs_are_those_of_a_search_in_every_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
