/* Rings and arcs against closed forms: gaps of a circle and a cylinder, and where they touch. */
#include <math.h>

#include "elements/arc_surface.h"
#include "elements/geometry.h"
#include "model/example.h"
#include "system/terms.h"

/* A circle of radius a about c1 with the axis turned by A about x, in the frame of a cylinder of
 * radius b along z. */
static pc_arc tilted_circle(double a, double A, double x, double y)
{
  return (pc_arc){
      .centre = {x, y, 0.3}, .e1 = {1, 0, 0}, .e2 = {0, cos(A), sin(A)}, .radius = a, .angle = 7};
}

static double gap_of(pc_surface_kind kind, double b, const pc_arc* arc, int second)
{
  pc_surface s = {.kind = kind, .axis = {0, 0, 1}, .second = {1, 0, 0}, .radius = b};
  double x[3], slope[3];
  pc_surface_value v;
  pc_arc_place(arc, pc_nearest_on_arc(&s, arc, second).f, x, slope);
  pc_surface_at(&s, x, &v);
  return v.distance;
}

/* The smallest gap over a fine grid of the circle. */
static double sampled_gap(pc_surface_kind kind, double b, const pc_arc* arc)
{
  double least = INFINITY;
  for (int i = 0; i < 200000; i++) {
    double x[3], slope[3];
    pc_arc_place(arc, i * 2 * 3.14159265358979323846 / 200000, x, slope);
    double rho = hypot(x[0], x[1]), gap = kind == PC_SURFACE_BORE ? b - rho : rho - b;
    if (gap < least) least = gap;
  }
  return least;
}

static void aligned_circles(void** state)
{
  (void)state;
  pc_arc c = tilted_circle(1, 0, 0.03, -0.04);
  CHECK_NEAR(gap_of(PC_SURFACE_BORE, 1.1, &c, 0), 1.1 - 1 - 0.05, 1e-15);
  CHECK_NEAR(gap_of(PC_SURFACE_CYLINDER, 0.9, &c, 0), 1 - 0.9 - 0.05, 1e-15);
  CHECK_NEAR(gap_of(PC_SURFACE_BORE, 1.1, &c, 1), 1.1 - 1 + 0.05, 1e-15);
  c = tilted_circle(1, 0, 0, 0); /* concentric: the same everywhere */
  CHECK_NEAR(gap_of(PC_SURFACE_BORE, 1.1, &c, 0), 0.1, 1e-15);
}

/* Centred but tilted: the ring in a bore touches at both ends of its major axis, the ring on a pin
 * at those of its minor axis. */
static void tilted_circles_touch_twice(void** state)
{
  (void)state;
  pc_arc c = tilted_circle(1, 0.3, 0, 0);
  for (int second = 0; second < 2; second++) {
    CHECK_NEAR(gap_of(PC_SURFACE_BORE, 1.1, &c, second), 0.1, 1e-15);
    CHECK_NEAR(gap_of(PC_SURFACE_CYLINDER, 0.9, &c, second), cos(0.3) - 0.9, 1e-15);
  }
}

static void circles_in_any_place(void** state)
{
  (void)state;
  for (int i = 0; i < 60; i++) {
    double A = 0.9 * sin(i), x = 0.3 * sin(2.3 * i), y = 0.2 * cos(1.7 * i);
    pc_arc c = tilted_circle(1, A, x, y);
    for (int bore = 0; bore < 2; bore++) {
      pc_surface_kind kind = bore ? PC_SURFACE_BORE : PC_SURFACE_CYLINDER;
      CHECK_NEAR(gap_of(kind, 0.8, &c, 0), sampled_gap(kind, 0.8, &c), 1e-9);
      assert_true(gap_of(kind, 0.8, &c, 1) >= gap_of(kind, 0.8, &c, 0) - 1e-15);
    }
  }
}

/* Off the rectangle the distance is that to its edge or, below it, to the body's side; on it that
 * to its plane, or out through the nearest side. */
static void a_face_is_bounded(void** state)
{
  (void)state;
  pc_surface s = {.kind = PC_SURFACE_FACE,
                  .axis = {0, 0, 1},
                  .second = {1, 0, 0},
                  .third = {0, 1, 0},
                  .half = {2, 1}};
  const double at[6][3] = {{1, 0.5, 0.2},    {1, 0.5, -0.2}, {2.3, 0, 0.4},
                           {2.3, -1.4, 1.2}, {2.3, 0, -0.4}, {1.9, -0.3, -0.4}};
  const double distance[6] = {0.2, -0.2, 0.5, 1.3, 0.3, -0.1};
  for (int i = 0; i < 6; i++) {
    pc_surface_value v;
    pc_surface_at(&s, at[i], &v);
    CHECK_NEAR(v.distance, distance[i], 1e-15);
  }
}

/* Of a sector of 120 degrees about x: over its round face the distance is that to the circle,
 * beside it that to the edge at its end or to its side; within, out through the nearer of both. */
static void a_sector_is_bounded(void** state)
{
  (void)state;
  const double r = sqrt(3) / 2;
  pc_surface s = {.kind = PC_SURFACE_CYLINDER,
                  .axis = {0, 0, 1},
                  .second = {1, 0, 0},
                  .third = {0, 1, 0},
                  .radius = 2,
                  .cosine = 0.5,
                  .sine = r};
  const double at[7][3] = {
      {2.3, 0, 1},                                  /* over the face */
      {1, -2 * r - 0.4, 0},                         /* beside the edge at (1, -sqrt(3)) */
      {0.5 - r * 0.2, r + 0.5 * 0.2, -3},           /* beside the middle of a side */
      {-0.3, -0.1, 0},                              /* behind the axis */
      {1.9, 0.2, 0},                                /* within, near the face */
      {0.5 * 0.9 + r * 0.05, r * 0.9 - 0.025, 2},   /* within, near a side */
      {0.5 * 2 + r * 0.05, -2 * r + 0.5 * 0.05, 0}, /* within, near the end of the face */
  };
  const double distance[7] = {
      0.3, 0.4, 0.2, sqrt(0.1), sqrt(1.9 * 1.9 + 0.04) - 2, -0.05, sqrt(4 + 0.0025) - 2};
  for (int i = 0; i < 7; i++) {
    pc_surface_value v;
    pc_surface_at(&s, at[i], &v);
    CHECK_NEAR(v.distance, distance[i], 1e-15);
  }
}

/* An arc that is pushed over the edge of a face, down beside it and back under it: the gap is the
 * least one of all its points, and has no jumps. */
static void an_arc_passes_the_edge_of_a_face(void** state)
{
  (void)state;
  enum { PLACES = 400, SAMPLES = 20000 };
  pc_surface s = {.kind = PC_SURFACE_FACE,
                  .axis = {0, 0, 1},
                  .second = {1, 0, 0},
                  .third = {0, 1, 0},
                  .half = {0.1, 2}};
  double before = 0;
  for (int i = 0; i < PLACES; i++) {
    double turn = 2 * 3.14159265358979323846 * i / PLACES;
    pc_arc arc = {.centre = {0.1 + 0.02 * cos(turn), 0.03, 0.45 + 0.07 * sin(turn)},
                  .e1 = {0.02, 1, 0},
                  .e2 = {0.01, 0, -1},
                  .radius = 0.5,
                  .angle = 3.14159265358979323846};
    double x[3], slope[3], least = INFINITY;
    pc_surface_value v;
    pc_arc_place(&arc, pc_nearest_on_arc(&s, &arc, 0).f, x, slope);
    pc_surface_at(&s, x, &v);
    double gap = v.distance;
    for (int k = 0; k <= SAMPLES; k++) {
      pc_arc_place(&arc, k * arc.angle / SAMPLES, x, slope);
      pc_surface_at(&s, x, &v);
      least = fmin(least, v.distance);
    }
    assert_true(gap <= least + 1e-12 && gap >= least - 1e-5);
    double moved = 0.072 * 2 * 3.14159265358979323846 / PLACES;
    assert_true(i == 0 || fabs(gap - before) <= moved);
    before = gap;
  }
}

static void a_wedge_is_round_at_its_edge(void** state)
{
  (void)state;
  pc_surface s = {.kind = PC_SURFACE_WEDGE, .axis = {1, 0, 0}, .second = {0, 1, 0}, .radius = 0.5};
  const double at[3][3] = {{0.3, -2, 7}, {-1, 0.2, 1}, {0.1, 0.3, 0}};
  const double distance[3] = {0.3, 0.2, 0.5}; /* the last: 1.0 from the centre (-0.5, -0.5) */
  for (int i = 0; i < 3; i++) {
    pc_surface_value v;
    pc_surface_at(&s, at[i], &v);
    CHECK_NEAR(v.distance, distance[i], 1e-15);
  }
}

/* A lever that hangs on a pin through a bore with play swings and does not fall through. */
static void the_pin_of_the_documentation(void** state)
{
  (void)state;
  run r = open_example("pin-in-bore");
  run_until(&r, 0.3);
  pc_summary sum = pc_sim_summary(r.sim);
  assert_true(sum.penetration_max < 1e-9);
  assert_true(value(&r, "lever.z") < -0.1);
  CHECK_NEAR(value(&r, "lever.y"), 0, 1e-9); /* nothing pushes it along the pin */
  double arm = hypot(value(&r, "lever.x"), value(&r, "lever.z"));
  assert_true(fabs(arm - 0.3) < 1e-3); /* within the play, 0.5 mm */
  CHECK_NEAR(value(&r, "near.P_N"), value(&r, "far.P_N"), 1e-9);
  assert_true(value(&r, "near.P_N") > 0);
  close_run(&r);
}

/* A four-bar with a loose pin: the pin stays within its play of the bore. */
static void a_joint_with_play_in_the_plane(void** state)
{
  (void)state;
  run r = open_example("clearance");
  run_until(&r, 0.3);
  pc_summary sum = pc_sim_summary(r.sim);
  assert_true(sum.penetration_max < 1e-9);
  assert_true(sum.events_closed > 0);
  double gap = value(&r, "loose.gap");
  assert_true(gap > -1e-9 && gap < 4e-4);
  assert_true(fabs(value(&r, "crank.angle")) > 0.1);
  close_run(&r);
}

/* A shaft in a bore of the ground, tilted by gravity until its edges touch, and pushed to a
 * collar. */
static void a_joint_with_play_in_space(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\ngravity: [0, -10, 0]\n"
      "bodies: {shaft: {mass: 1, inertia: [1e-3, 1e-2, 1e-2], position: [0.1, 0, 0]}}\n"
      "contacts:\n"
      "  bearing: {clearance: revolute, bodies: [ground, shaft], at: [0, 0, 0],\n"
      "            axis: [1, 0, 0], radius: 0.01, play: 1e-4, length: 0.04,\n"
      "            axial: 2e-3}\n"
      "forces: {push: {force: {point: shaft, value: [5, 0, 0]}}}\n",
      "rattle", 1e-4, NULL, NULL);
  run_until(&r, 0.5);
  /* at rest: moments about one edge and the other, at -0.02 and 0.02, of the weight at 0.1 */
  CHECK_NEAR(value(&r, "bearing-high.P_N") / 1e-4, 10 * 0.12 / 0.04, 0.2);
  CHECK_NEAR(value(&r, "bearing-low.P_N") / 1e-4, 10 * 0.08 / 0.04, 0.2);
  CHECK_NEAR(value(&r, "bearing-low-end.P_N") / 1e-4, 5, 0.1);
  CHECK_NEAR(value(&r, "shaft.vy"), 0, 1e-6);
  CHECK_NEAR(value(&r, "shaft.wz"), 0, 1e-4);
  /* it leans by A until l/2 sin A + R (1 - cos A) is the play */
  double A = -2 * atan2(value(&r, "shaft.qz"), value(&r, "shaft.qw"));
  CHECK_NEAR(0.02 * sin(A) + 0.01 * (1 - cos(A)), 1e-4, 1e-9);
  close_run(&r);
}

/* A number in [-1, 1]. */
static double next(unsigned* seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) / 8388608.0 - 1;
}

/* A ring around a pin, a disc over a face and one in a bore, between two bodies. */
static const char* const three_contacts =
    "percuss: 1\nspace: spatial\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1e-2, 1e-2, 1e-2], position: [0.1, 0, 0]}\n"
    "  b: {mass: 1, inertia: [1e-2, 1e-2, 1e-2], position: [0, 0.1, 0]}\n"
    "contacts:\n"
    "  pin: {arc: [a, [-0.1, 0, 0.02]], radius: 0.05, axis: [0, 0, 1], friction: 0.3,\n"
    "        cylinder: {part: b, point: [0, -0.1, 0], axis: [0, 0, 1], radius: 0.049}}\n"
    "  face: {arc: [a, [0, 0, 0.2]], radius: 0.05, axis: [0, 1, 0], friction: 0.3, offset: 1e-3,\n"
    "         face: {part: b, centre: [0.1, 0, 0.14], normal: [0, 0, 1], edge: [1, 0, 0],\n"
    "                size: [0.1, 0.3]}}\n"
    "  bore: {arc: [b, [0, 0, -0.1]], radius: 0.05, axis: [0, 0, 1],\n"
    "         bore: {part: ground, point: [0, 0.1, 0], axis: [0, 0, 1], radius: 0.052}}\n";

static void check_same_rows(const pc_terms* late, const pc_terms* now, const double* u)
{
  double slope[2][PC_PAIR_Q_MAX];
  for (int r = 0; r < pc_system_row_count(now->system); r++) {
    assert_true(pc_terms_row_velocity(late, r, u) == pc_terms_row_velocity(now, r, u));
    int width = 0;
    pc_row by_q = pc_terms_row_velocity_q(late, r, u, slope[0]);
    pc_terms_row_velocity_q(now, r, u, slope[1]);
    for (int b = 0; b < by_q.block_count; b++) width += by_q.block[b].width;
    assert_memory_equal(slope[0], slope[1], (size_t)width * sizeof(double));
  }
}

/* Terms that are evaluated when they are asked for have the bits of those that are evaluated at
 * once, and bounds of gaps are below them. */
static void terms_that_are_deferred_have_the_same_bits(void** state)
{
  (void)state;
  enum { N_Q = 14, N_U = 12 };
  run r = open_text(three_contacts, "rattle", 1e-4, NULL, NULL);
  const pc_system* system = pc_model_system(r.model);
  const unsigned mask = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q;
  const double reach = 1e-4;
  pc_terms *late, *now;
  CHECK_OK(pc_terms_create(system, mask, &late, &r.error), r.error);
  CHECK_OK(pc_terms_create(system, mask, &now, &r.error), r.error);
  CHECK_OK(pc_terms_defer(late, reach, &r.error), r.error);
  double q[N_Q], u[N_U];
  int bounds = 0;
  unsigned seed = 7;
  memcpy(q, pc_system_q0(system), sizeof q);
  for (int n = 0; n < 400; n++) {
    double far = n % 4 ? 2e-5 : 1e-3;
    for (int i = 0; i < N_Q; i++) q[i] = pc_system_q0(system)[i] + far * next(&seed);
    for (int i = 0; i < N_U; i++) u[i] = next(&seed);
    pc_terms_evaluate(late, &(pc_at){0, q, u, NULL});
    pc_terms_evaluate(now, &(pc_at){0, q, u, NULL});
    for (int k = 0; k < pc_system_contact_count(system); k++) {
      int row = pc_system_contact(system, k).row;
      assert_true(late->y[row] <= now->y[row]);
      assert_true(late->y[row] == now->y[row] || late->y[row] > reach);
      bounds += late->y[row] != now->y[row];
    }
    if (n % 3 == 0) check_same_rows(late, now, u);
    if (n % 3 == 1) pc_terms_complete(late);
    for (int row = 0; n % 3 && row < pc_system_row_count(system); row++)
      assert_true(pc_terms_gap(late, row) == now->y[row]);
  }
  assert_true(bounds > 100);
  pc_terms_destroy(late);
  pc_terms_destroy(now);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(aligned_circles),
      cmocka_unit_test(tilted_circles_touch_twice),
      cmocka_unit_test(circles_in_any_place),
      cmocka_unit_test(a_face_is_bounded),
      cmocka_unit_test(a_sector_is_bounded),
      cmocka_unit_test(an_arc_passes_the_edge_of_a_face),
      cmocka_unit_test(a_wedge_is_round_at_its_edge),
      cmocka_unit_test(terms_that_are_deferred_have_the_same_bits),
      cmocka_unit_test(the_pin_of_the_documentation),
      cmocka_unit_test(a_joint_with_play_in_the_plane),
      cmocka_unit_test(a_joint_with_play_in_space),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
