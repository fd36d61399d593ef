#include "collide/contact_set.h"

#include <string.h>

#include "collide/shapes.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include "counting_allocator.h"
#else
static long allocations;
#endif

/* ---- spheres in a box, as in scenes (a) ---------------------------------------------------- */

typedef struct heap {
  pc_world* world;
  int count;
  double *q, *u, *radius, half;
} heap;

static double fraction(double x)
{
  return x - floor(x);
}

static int add_shape(pc_world* w, const pc_geometry_def* def)
{
  int index;
  pc_error error = {0};
  CHECK_OK(pc_world_add_geometry(w, make_shape(def), &index, &error), error);
  return index;
}

static int add_collider(pc_world* w, int geometry, int body, pc_pose pose, int material)
{
  int index;
  pc_error error = {0};
  pc_collider c = {.geometry = w->geometry[geometry],
                   .body = body,
                   .pose = pose,
                   .material = material,
                   .group = 1,
                   .mask = 1};
  CHECK_OK(pc_world_add_collider(w, "shape", &c, &index, &error), error);
  return index;
}

static int add_material(pc_world* w, double mu, double e)
{
  int index;
  pc_error error = {0};
  CHECK_OK(pc_material_table_add(w->material, "stone", &(pc_material){.mu = mu, .e_N = e}, &index,
                                 &error),
           error);
  return index;
}

static int add_body(pc_world* w, int dimension)
{
  int index, width = w->body_count;
  pc_error error = {0};
  pc_world_body body = {PC_CARRIER_BODY, (4 * dimension - 5) * width, (3 * dimension - 3) * width};
  CHECK_OK(pc_world_add_body(w, &body, &index, &error), error);
  return index;
}

static heap make_heap(int n, int k)
{
  heap h = {.world = pc_world_create(3), .count = n, .half = 0.06 * k};
  h.q = calloc(7 * (size_t)n, sizeof *h.q);
  h.u = calloc(6 * (size_t)n, sizeof *h.u);
  h.radius = calloc((size_t)n, sizeof *h.radius);
  int stone = add_material(h.world, 0.5, 0);
  for (int i = 0; i < n; i++) {
    double* q = h.q + 7 * i;
    h.radius[i] = 0.045 + 0.010 * fraction((i + 1) * 0.6180339887498949);
    /* nearer than in the scene, so that many touch */
    q[0] = (i % k + 0.5) * 0.09 - h.half + 0.03 +
           0.03 * (fraction((i + 1) * 0.7548776662466927) - 0.5);
    q[1] = (i / k % k + 0.5) * 0.09 - h.half + 0.03 +
           0.03 * (fraction((i + 1) * 0.5698402909980532) - 0.5);
    q[2] = 0.04 + 0.09 * (i / k / k);
    q[3] = 1;
    h.u[6 * i + 2] = -0.5 * fraction(i * 0.37);
    int body = add_body(h.world, 3);
    int shape =
        add_shape(h.world, &(pc_geometry_def){.kind = PC_GEOMETRY_SPHERE, .radius = h.radius[i]});
    add_collider(h.world, shape, body, pc_pose_identity(), stone);
  }
  static const double normal[5][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  int wall = add_shape(h.world, &(pc_geometry_def){.kind = PC_GEOMETRY_HALF_SPACE});
  for (int i = 0; i < 5; i++) {
    const double point[3] = {-h.half * normal[i][0], -h.half * normal[i][1], 0};
    add_collider(h.world, wall, PC_COLLIDER_GROUND, pc_pose_of_plane(3, point, normal[i]), stone);
  }
  pc_world_freeze(h.world);
  return h;
}

static void destroy_heap(heap* h)
{
  pc_world_destroy(h->world);
  free(h->q);
  free(h->u);
  free(h->radius);
}

static pc_contact_set* make_set(const pc_world* w)
{
  pc_contact_set* set;
  pc_error error = {0};
  CHECK_OK(pc_contact_set_create(w, NULL, &set, &error), error);
  return set;
}

static void find_in(pc_contact_set* set, const double* q, const double* u, double dt, double margin)
{
  pc_error error = {0};
  CHECK_OK(pc_contact_set_find(set, q, u, dt, &(pc_find_settings){.factor = 1, .margin = margin},
                               &error),
           error);
}

static void all_contacts_of_spheres_in_a_box_are_found(void** state)
{
  (void)state;
  const double dt = 0.002, margin = 0.001;
  heap h = make_heap(200, 5);
  pc_contact_set* set = make_set(h.world);
  find_in(set, h.q, h.u, dt, margin);
  int at = 0, touching = 0;
  for (int i = 0; i < h.count; i++)
    for (int k = i + 1; k < h.count + 5; k++) {
      double gap, reach = margin + dt * fabs(h.u[6 * i + 2]);
      const double *a = h.q + 7 * i, *b = h.q + 7 * k;
      if (k < h.count) {
        gap = sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2)) - h.radius[i] -
              h.radius[k];
        reach += dt * fabs(h.u[6 * k + 2]);
      } else {
        int wall = k - h.count;
        gap = (wall == 0  ? a[2]
               : wall < 3 ? h.half + (wall == 1 ? 1 : -1) * a[0]
                          : h.half + (wall == 3 ? 1 : -1) * a[1]) -
              h.radius[i];
      }
      if (fabs(gap - reach) < 1e-12) continue;
      if (gap > reach) continue;
      assert_true(at < pc_contact_set_count(set));
      const pc_set_contact* c = pc_contact_set_get(set, at++);
      assert_int_equal(c->key.shape[0], i);
      assert_int_equal(c->key.shape[1], k);
      CHECK_NEAR(c->gap, gap, 1e-14);
      assert_int_equal(c->rows, 3);
      assert_int_equal(c->row, 3 * (at - 1));
      touching++;
    }
  assert_int_equal(at, pc_contact_set_count(set));
  assert_int_equal(pc_contact_set_row_count(set), 3 * at);
  assert_true(touching > 300);
  pc_contact_set_destroy(set);
  destroy_heap(&h);
}

static void nothing_is_allocated_in_a_second_search(void** state)
{
  (void)state;
  heap h = make_heap(500, 8);
  pc_contact_set* set = make_set(h.world);
  find_in(set, h.q, h.u, 0.002, 0.002);
  long before = allocations;
  for (int step = 0; step < 10; step++) {
    for (int i = 0; i < h.count; i++) h.q[7 * i + 2] += 0.0001;
    find_in(set, h.q, h.u, 0.002, 0.001);
  }
  assert_int_equal(allocations, before);
  pc_contact_set_destroy(set);
  destroy_heap(&h);
}

/* Bits of all numbers; what lies between them does not count. */
static void check_same_geometry(const pc_contact_geometry* a, const pc_contact_geometry* b)
{
  for (int i = 0; i < 2; i++) {
    const pc_feature *f = &a->side[i], *g = &b->side[i];
    assert_int_equal(f->kind, g->kind);
    assert_memory_equal(&f->radius, &g->radius, sizeof f->radius);
    assert_memory_equal(f->p, g->p, sizeof f->p);
    assert_memory_equal(f->d, g->d, sizeof f->d);
  }
  assert_memory_equal(a->n, b->n, sizeof a->n);
}

/* The set is a function of q, u and dt: a fresh one has the same bits as one that found other
 * contacts before. */
static void earlier_searches_do_not_matter(void** state)
{
  (void)state;
  heap h = make_heap(300, 6);
  pc_contact_set *used = make_set(h.world), *fresh = make_set(h.world);
  find_in(used, h.q, h.u, 0.1, 0.1);
  find_in(used, h.q, h.u, 0.002, 0.001);
  find_in(fresh, h.q, h.u, 0.002, 0.001);
  assert_int_equal(pc_contact_set_count(used), pc_contact_set_count(fresh));
  for (int i = 0; i < pc_contact_set_count(used); i++) {
    const pc_set_contact *a = pc_contact_set_get(used, i), *b = pc_contact_set_get(fresh, i);
    assert_int_equal(pc_contact_key_compare(&a->key, &b->key), 0);
    check_same_geometry(&a->geometry, &b->geometry);
    if (i)
      assert_int_equal(pc_contact_key_compare(&pc_contact_set_get(used, i - 1)->key, &a->key), -1);
  }
  pc_contact_set_destroy(used);
  pc_contact_set_destroy(fresh);
  destroy_heap(&h);
}

/* ---- who meets ----------------------------------------------------------------------------- */

static int contacts_of_three(uint32_t group, uint32_t mask, int excluded)
{
  pc_world* w = pc_world_create(2);
  pc_error error = {0};
  double q[9] = {0, 0, 0, 0.1, 0, 0, 0.2, 0, 0}, u[9] = {0};
  int stone = add_material(w, 0.5, 0),
      disc = add_shape(w, &(pc_geometry_def){.kind = PC_GEOMETRY_DISC, .radius = 1});
  for (int i = 0; i < 3; i++) {
    add_body(w, 2);
    int c = add_collider(w, disc, i, pc_pose_identity(), stone);
    if (i == 0) w->collider[c].group = group, w->collider[c].mask = mask;
  }
  add_collider(w, disc, 0, pc_pose_planar(0.5, 0, 0), stone); /* a second shape on the first body */
  w->collider[3].group = 0;
  if (excluded) CHECK_OK(pc_world_exclude(w, 2, 1, &error), error);
  pc_world_freeze(w);
  pc_contact_set* set = make_set(w);
  find_in(set, q, u, 0.01, 0);
  int count = pc_contact_set_count(set);
  pc_contact_set_destroy(set);
  pc_world_destroy(w);
  return count;
}

static void groups_masks_and_joints_decide_who_meets(void** state)
{
  (void)state;
  assert_int_equal(contacts_of_three(1, 1, 0), 3);
  assert_int_equal(contacts_of_three(2, 1, 0), 1); /* in no group that the others look for */
  assert_int_equal(contacts_of_three(1, 2, 0),
                   1); /* looks for a group in which the others are not */
  assert_int_equal(contacts_of_three(3, 3, 0), 3);
  assert_int_equal(contacts_of_three(1, 1, 1), 2); /* two are tied by a joint */
}

static void colliders_that_make_no_sense_are_refused(void** state)
{
  (void)state;
  pc_world* w = pc_world_create(2);
  pc_error error = {0};
  int index, stone = add_material(w, 0.5, 0);
  add_body(w, 2);
  int plane = add_shape(w, &(pc_geometry_def){.kind = PC_GEOMETRY_HALF_PLANE});
  int ball = add_shape(w, &(pc_geometry_def){.kind = PC_GEOMETRY_SPHERE, .radius = 1});
  pc_collider c = {
      .geometry = w->geometry[plane], .body = 0, .pose = pc_pose_identity(), .material = stone};
  assert_int_equal(pc_world_add_collider(w, "floor", &c, &index, &error), PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "'floor': a half-plane cannot move"));
  c.geometry = w->geometry[ball];
  assert_int_equal(pc_world_add_collider(w, "ball", &c, &index, &error), PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "3 dimensions in a model of 2"));
  c = (pc_collider){
      .geometry = w->geometry[plane], .body = 7, .pose = pc_pose_identity(), .material = stone};
  assert_int_equal(pc_world_add_collider(w, "x", &c, &index, &error), PC_BAD_ARGUMENT);
  c.body = PC_COLLIDER_GROUND, c.material = 3;
  assert_int_equal(pc_world_add_collider(w, "x", &c, &index, &error), PC_BAD_ARGUMENT);
  c.material = stone, c.pose.x[1] = NAN;
  assert_int_equal(pc_world_add_collider(w, "x", &c, &index, &error), PC_BAD_MODEL);
  pc_world_destroy(w);
}

static void pairs_of_materials_follow_the_rules(void** state)
{
  (void)state;
  pc_material_table* t = pc_material_table_create();
  pc_error error = {0};
  const pc_material given[3] = {
      {0.4, 0.5, 0.1, 0.02, 3, 0.1, 0.2}, {0.9, 0.2, 0.3, 0.01, 2, 0, 0}, {-1, 1, 0, 0, 0, 0, 0}};
  int index;
  for (int i = 0; i < 3; i++)
    CHECK_OK(pc_material_table_add(t, "m", &given[i], &index, &error), error);
  pc_material m = pc_material_between(t, 1, 0);
  CHECK_NEAR(m.mu, 0.6, 1e-15);
  CHECK_NEAR(m.e_N, 0.2, 0);
  CHECK_NEAR(m.e_F, 0.1, 0);
  CHECK_NEAR(m.contact_radius, 0.01, 0);
  CHECK_NEAR(m.e_above, 3, 0);
  CHECK_NEAR(m.stribeck, 0.1, 0);
  CHECK_NEAR(m.mu_kinetic, sqrt(0.2 * 0.9), 1e-15);
  CHECK_NEAR(pc_material_between(t, 0, 0).mu, 0.4, 1e-15);
  assert_true(pc_material_between(t, 0, 2).mu < 0);
  CHECK_OK(pc_material_table_set_pair(t, 1, 0, &(pc_material){.mu = 0.05}, &error), error);
  CHECK_OK(pc_material_table_set_pair(t, 2, 2, &(pc_material){.mu = 0.7}, &error), error);
  CHECK_OK(pc_material_table_set_pair(t, 0, 1, &(pc_material){.mu = 0.06}, &error), error);
  CHECK_NEAR(pc_material_between(t, 0, 1).mu, 0.06, 0);
  CHECK_NEAR(pc_material_between(t, 1, 0).e_N, 0, 0);
  CHECK_NEAR(pc_material_between(t, 2, 2).mu, 0.7, 0);
  assert_int_equal(pc_material_table_set_pair(t, 0, 3, &given[0], &error), PC_BAD_ARGUMENT);
  assert_int_equal(pc_material_table_add(t, "wood", &(pc_material){.e_N = 1.5}, &index, &error),
                   PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "material wood: restitution is 1.5"));
  assert_int_equal(pc_material_table_add(t, "wood", &(pc_material){.mu = NAN}, &index, &error),
                   PC_BAD_MODEL);
  pc_material_table_destroy(t);
}

/* ---- what persists ------------------------------------------------------------------------- */

/* The vector of an impulse is the same in the frames of both. */
static void impulses_have_inertial_components(void** state)
{
  (void)state;
  heap h = make_heap(200, 5);
  pc_contact_set* set = make_set(h.world);
  random_source r = {401};
  find_in(set, h.q, h.u, 0.002, 0.001);
  for (int i = 0; i < pc_contact_set_count(set); i++) {
    const pc_set_contact* c = pc_contact_set_get(set, i);
    const double P[4] = {random_number(&r), random_number(&r), random_number(&r), 0};
    double component[4], again[4] = {0};
    pc_contact_set_to_inertial(set, i, P, component);
    pc_v3 n = pc_v3_of(c->geometry.n), t[2], f = pc_v3_scaled(P[0], n);
    pc_contact_tangents(3, c->geometry.n, n, t);
    for (int k = 1; k < 3; k++) f = pc_v3_along(f, P[k], t[k - 1]);
    CHECK_NEAR(pc_v3_length(pc_v3_minus(f, pc_v3_of(component))), 0, 1e-15);
    pc_contact_set_from_inertial(set, i, component, again);
    for (int k = 0; k < 3; k++) CHECK_NEAR(again[k], P[k], 1e-15);
  }
  assert_true(pc_contact_set_count(set) > 100);
  pc_contact_set_destroy(set);
  destroy_heap(&h);
}

/* A ball that would pass a wall within a step is found by it: the margin follows its speed. */
/* Two bricks on one, all edges flush: positions that differ by round-off give the same keys. */
static void flush_bricks_keep_their_keys(void** state)
{
  (void)state;
  enum { BRICKS = 3, TRIALS = 200 };
  pc_world* w = pc_world_create(3);
  int stone = add_material(w, 0.5, 0);
  int brick = add_shape(w, &(pc_geometry_def){.kind = PC_GEOMETRY_BOX, .size = {0.4, 0.2, 0.2}});
  double q[7 * BRICKS] = {0}, u[6 * BRICKS] = {0};
  for (int i = 0; i < BRICKS; i++) {
    add_collider(w, brick, add_body(w, 3), pc_pose_identity(), stone);
    q[7 * i] = i ? 0.201 * (2 * i - 3) : 0;
    q[7 * i + 2] = i ? 0.3 : 0.1;
    q[7 * i + 3] = 1;
  }
  pc_world_freeze(w);
  pc_contact_set *first = make_set(w), *set = make_set(w);
  find_in(first, q, u, 0, 1e-6);
  assert_int_equal(pc_contact_set_count(first), 8);
  for (int trial = 0; trial < TRIALS; trial++) {
    double near[7 * BRICKS];
    for (int i = 0; i < 7 * BRICKS; i++) near[i] = q[i] + 1e-15 * sin(37.0 * trial + 5.1 * i);
    find_in(set, near, u, 0, 1e-6);
    assert_int_equal(pc_contact_set_count(set), 8);
    for (int i = 0; i < 8; i++)
      assert_int_equal(pc_contact_key_compare(&pc_contact_set_get(first, i)->key,
                                              &pc_contact_set_get(set, i)->key),
                       0);
  }
  pc_contact_set_destroy(first);
  pc_contact_set_destroy(set);
  pc_world_destroy(w);
}

/* A ball of radius 0.01 whose coordinates are q[0..6], and a thin wall at x = `at`. */
static pc_world* ball_before_wall(double at)
{
  pc_world* w = pc_world_create(3);
  int stone = add_material(w, 0.5, 0);
  add_body(w, 3);
  add_collider(w, add_shape(w, &(pc_geometry_def){.kind = PC_GEOMETRY_SPHERE, .radius = 0.01}), 0,
               pc_pose_identity(), stone);
  pc_pose wall = pc_pose_identity();
  wall.x[0] = at;
  add_collider(w, add_shape(w, &(pc_geometry_def){.kind = PC_GEOMETRY_BOX, .size = {0.001, 1, 1}}),
               PC_COLLIDER_GROUND, wall, stone);
  pc_world_freeze(w);
  return w;
}

static void fast_bodies_meet_what_is_on_their_way(void** state)
{
  (void)state;
  pc_world* w = ball_before_wall(1);
  pc_contact_set* set = make_set(w);
  const double q[7] = {0, 0, 0, 1};
  double u[6] = {900};
  find_in(set, q, u, 0.001, 0);
  assert_int_equal(pc_contact_set_count(set), 0);
  u[0] = 1000;
  find_in(set, q, u, 0.001, 0);
  assert_int_equal(pc_contact_set_count(set), 1);
  CHECK_NEAR(pc_contact_set_get(set, 0)->gap, 1 - 0.01 - 0.0005, 1e-15);
  pc_block ub[2], qb[2];
  assert_int_equal(pc_contact_set_blocks(set, 0, ub, qb), 1);
  assert_int_equal(ub[0].width, 6);
  assert_int_equal(qb[0].width, 7);
  double W[18], gap;
  pc_contact_set_rows(set, 0, q, &gap, W, NULL);
  CHECK_NEAR(W[0], -1, 1e-15);
  pc_contact_set_destroy(set);
  pc_world_destroy(w);
}

/* A ball of radius 0.01 that was thought to move by 1e-4: it can pass through a thin wall that is
 * not in the set only if it moves by half of its radius beyond that. */
static void passing_takes_half_a_shape_more_than_was_looked_for(void** state)
{
  (void)state;
  pc_world* w = ball_before_wall(0.012);
  pc_contact_set* set = make_set(w);
  const double q[7] = {0, 0, 0, 1};
  double u[6] = {0.1}, q_end[7] = {0, 0, 0, 1};
  find_in(set, q, u, 0.001, 0);
  assert_int_equal(pc_contact_set_count(set), 0);
  q_end[0] = 0.0050;
  assert_false(pc_contact_set_may_pass(set, q, q_end));
  assert_false(pc_contact_set_covers(set, q, q_end, u, 0.001));
  q_end[0] = 0.0052;
  assert_true(pc_contact_set_may_pass(set, q, q_end));
  q_end[0] = 1e-4;
  assert_true(pc_contact_set_covers(set, q, q_end, u, 0.001));
  pc_contact_set_destroy(set);
  pc_world_destroy(w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_contacts_of_spheres_in_a_box_are_found),
      cmocka_unit_test(nothing_is_allocated_in_a_second_search),
      cmocka_unit_test(earlier_searches_do_not_matter),
      cmocka_unit_test(groups_masks_and_joints_decide_who_meets),
      cmocka_unit_test(colliders_that_make_no_sense_are_refused),
      cmocka_unit_test(pairs_of_materials_follow_the_rules),
      cmocka_unit_test(impulses_have_inertial_components),
      cmocka_unit_test(flush_bricks_keep_their_keys),
      cmocka_unit_test(fast_bodies_meet_what_is_on_their_way),
      cmocka_unit_test(passing_takes_half_a_shape_more_than_was_looked_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
