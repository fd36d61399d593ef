/* A model file and the same system built by calls are the same system. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "model/kinds.h"
#include "percuss/elements.h"
#include "percuss/model.h"
#include "system/terms.h"

static pc_model* read_text(const char* text)
{
  pc_model* model = NULL;
  pc_error error = {0};
  pc_status status = pc_model_read_text(text, strlen(text), NULL, 0, &model, &error);
  if (status != PC_OK) print_error("%d:%d: %s\n", error.line, error.column, error.text);
  assert_int_equal(status, PC_OK);
  return model;
}

static pc_terms* terms_at_start(const pc_system* system, double t)
{
  pc_terms* terms = NULL;
  pc_error error = {0};
  CHECK_OK(pc_terms_create(system, PC_TERM_M | PC_TERM_H | PC_TERM_Y | PC_TERM_W | PC_TERM_ENERGY,
                           &terms, &error),
           error);
  pc_terms_evaluate(terms, &(pc_at){t, pc_system_q0(system), pc_system_u0(system), NULL});
  return terms;
}

/* Same names, initial values, terms at some time. */
static void check_same(const pc_system* a, const pc_system* b, double t)
{
  assert_int_equal(pc_system_quantity_count(a), pc_system_quantity_count(b));
  assert_int_equal(pc_system_row_count(a), pc_system_row_count(b));
  for (int i = 0; i < pc_system_quantity_count(a); i++)
    assert_string_equal(pc_system_quantity(a, i).name, pc_system_quantity(b, i).name);
  int n = pc_system_u_count(a);
  for (int i = 0; i < n; i++) {
    CHECK_NEAR(pc_system_q0(a)[i], pc_system_q0(b)[i], 0);
    CHECK_NEAR(pc_system_u0(a)[i], pc_system_u0(b)[i], 0);
  }
  pc_terms *x = terms_at_start(a, t), *y = terms_at_start(b, t);
  for (int i = 0; i < n; i++) CHECK_NEAR(x->h[i], y->h[i], 1e-14 * (1 + fabs(y->h[i])));
  for (int r = 0; r < pc_system_row_count(a); r++) {
    CHECK_NEAR(x->y[r], y->y[r], 1e-15);
    CHECK_NEAR(pc_terms_row_velocity(x, r, pc_system_u0(a)),
               pc_terms_row_velocity(y, r, pc_system_u0(b)), 1e-14);
  }
  CHECK_NEAR(x->kinetic, y->kinetic, 1e-14);
  CHECK_NEAR(x->potential, y->potential, 1e-13);
  for (int i = 0; i < pc_system_contact_count(a); i++) {
    pc_contact_info c = pc_system_contact(a, i), d = pc_system_contact(b, i);
    CHECK_NEAR(c.mu, d.mu, 0);
    CHECK_NEAR(c.e_N, d.e_N, 0);
    CHECK_NEAR(c.e_above, d.e_above, 0);
    CHECK_NEAR(c.e_F, d.e_F, 0);
  }
  pc_terms_destroy(x);
  pc_terms_destroy(y);
}

static pc_system* planar_system(const double gravity[2])
{
  pc_system_def def = pc_default_system_def();
  memcpy(def.gravity, gravity, 2 * sizeof *gravity);
  pc_system* system = NULL;
  pc_error error = {0};
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  return system;
}

/* Bodies a and b, turned and moving, and the point mass p. */
#define THREE_BODIES                                                                          \
  "percuss: 1\n"                                                                              \
  "parameters: {m: 2}\n"                                                                      \
  "gravity: [1, -9.81]\n"                                                                     \
  "bodies:\n"                                                                                 \
  "  a: {mass: m, inertia: m/8, position: [0.5, 1], angle: 0.3, velocity: [1, 2], spin: 3}\n" \
  "  b: {mass: 3, inertia: 1, position: [2, m], spin: -1}\n"                                  \
  "  p: {kind: point, mass: 0.5, position: [3, 1], velocity: [0, -m]}\n"

static void add_three_bodies(pc_system* system, pc_part_id id[3])
{
  pc_error error = {0};
  pc_body_def a = {"a", 2, 0.25, {0.5, 1}, 0.3, {1, 2}, 3};
  pc_body_def b = {"b", 3, 1, {2, 2}, 0, {0, 0}, -1};
  pc_point_mass_def p = {"p", 0.5, {3, 1, 0}, {0, -2, 0}};
  CHECK_OK(pc_add_body(system, &a, &id[0], &error), error);
  CHECK_OK(pc_add_body(system, &b, &id[1], &error), error);
  CHECK_OK(pc_add_point_mass(system, &p, &id[2], &error), error);
}

static void joints_are_those_of_the_calls(void** state)
{
  (void)state;
  pc_model* model =
      read_text(THREE_BODIES
                "joints:\n"
                "  - revolute: {bodies: [ground, a], at: [0.1, 0.2]}\n"
                "  - {name: guide, prismatic: {bodies: [a, b], at: [1, 1], axis: [1, m]}}\n"
                "  - fixed: {bodies: [b, ground]}\n"
                "  - distance: {points: [[a, [0.1, 0]], p], length: 1.5}\n"
                "  - revolute: {bodies: [a, b], at: [0, 0]}\n");
  pc_system* system = planar_system((double[]){1, -9.81});
  pc_part_id id[3];
  pc_error error = {0};
  add_three_bodies(system, id);
  pc_joint_def pin = {
      "revolute-1", {PC_GROUND, id[0]}, {0.1, 0.2, 0}, {0}, {0}, 0, {{{0}, {0}}, {{0}, {0}}}};
  pc_joint_def guide = {"guide", {id[0], id[1]},          {1, 1, 0}, {1, 2, 0}, {0},
                        0,       {{{0}, {0}}, {{0}, {0}}}};
  pc_joint_def weld = {"fixed-1", {id[1], PC_GROUND}, {0}, {0}, {0}, 0, {{{0}, {0}}, {{0}, {0}}}};
  pc_distance_def rod = {"distance-1", {{id[0], {0.1, 0, 0}}, {id[2], {0}}}, 1.5};
  pc_joint_def second = {"revolute-2", {id[0], id[1]}, {0}, {0}, {0}, 0, {{{0}, {0}}, {{0}, {0}}}};
  CHECK_OK(pc_add_revolute(system, &pin, NULL, &error), error);
  CHECK_OK(pc_add_prismatic(system, &guide, NULL, &error), error);
  CHECK_OK(pc_add_fixed(system, &weld, NULL, &error), error);
  CHECK_OK(pc_add_distance(system, &rod, NULL, &error), error);
  CHECK_OK(pc_add_revolute(system, &second, NULL, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  check_same(pc_model_system(model), system, 0);
  pc_system_destroy(system);
  pc_model_destroy(model);
}

static double two_t(const void* user, double t)
{
  (void)user;
  return 2 * t;
}

static void forces_are_those_of_the_calls(void** state)
{
  (void)state;
  pc_model* model =
      read_text(THREE_BODIES
                "forces:\n"
                "  s: {spring: {points: [[a, [0, 1]], [b, [1, 0]]], stiffness: 10*m, damping: 3, "
                "length: 1}}\n"
                "  r: {rotational-spring: {bodies: [a, b], stiffness: 5, damping: 1, angle: 0.1}}\n"
                "  f: {force: {point: [a, [0.2, 0.1]], value: [m*t, 7]}}\n"
                "  q: {torque: {body: b, value: '2*t'}}\n");
  pc_system* system = planar_system((double[]){1, -9.81});
  pc_part_id id[3];
  pc_error error = {0};
  add_three_bodies(system, id);
  pc_spring_def s = {"s", {{id[0], {0, 1, 0}}, {id[1], {1, 0, 0}}}, 20, 3, 1};
  pc_rotational_spring_def r = {"r", {id[0], id[1]}, 5, 1, 0.1, {0}};
  pc_signal ramp = {.value = two_t};
  pc_force_def f = {"f", {id[0], {0.2, 0.1, 0}}, {ramp, pc_constant_signal(7)}};
  pc_torque_def q = {.name = "q", .part = id[1], .torque = {ramp}};
  CHECK_OK(pc_add_spring(system, &s, &error), error);
  CHECK_OK(pc_add_rotational_spring(system, &r, &error), error);
  CHECK_OK(pc_add_force(system, &f, &error), error);
  CHECK_OK(pc_add_torque(system, &q, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  check_same(pc_model_system(model), system, 0.7);
  pc_system_destroy(system);
  pc_model_destroy(model);
}

/* y - x^2 above its curve, as a signed distance to first order: f/|grad f|. */
static void parabola(const void* user, const double at[2], double* gap, double gradient[2],
                     double hessian[4])
{
  (void)user;
  double x = at[0], n = sqrt(1 + 4 * x * x), f = at[1] - x * x;
  *gap = f / n;
  gradient[0] = -2 * x / n - f * 4 * x / (n * n * n);
  gradient[1] = 1 / n;
  for (int i = 0; i < 4; i++) hessian[i] = 0; /* not compared here */
}

static void contacts_are_those_of_the_calls(void** state)
{
  (void)state;
  pc_model* model = read_text(
      THREE_BODIES
      "contacts:\n"
      "  c1: {point: [a, [1, 2]], plane: {point: [0, 1], normal: [1, 1]}, friction: m/10}\n"
      "  c2: {disc: [b, [0.1, 0]], radius: 0.2, plane: {part: a, point: [0, 0], normal: [0, -3]},\n"
      "       friction: 0, restitution: {value: 0.5, above: 2}, restitution_tangential: 0.25}\n"
      "  c3: {disc: a, radius: 0.1, other: [b, [0, 1]], other_radius: 3, inside: true}\n"
      "  c4: {point: p, circle: {centre: [1, 1], radius: 7}, friction: 0.3}\n"
      "  c5: {point: p, circle: {part: b, radius: 0.5, inside: false}}\n"
      "  c6: {point: [p, [0, 0]], curve: {f: y - x^2}, friction: 0.1}\n");
  pc_system* system = planar_system((double[]){1, -9.81});
  pc_part_id id[3];
  pc_error error = {0};
  add_three_bodies(system, id);
  const double none = PC_FRICTIONLESS;
  pc_disc_plane_def c1 = {{"c1", 0.2, 0, 0, 0, 0, 0, 0, {0, 1, 0, 0, 0}},
                          {id[0], {1, 2, 0}},
                          0,
                          {PC_GROUND, {0, 1, 0}, {1, 1, 0}}};
  pc_disc_plane_def c2 = {{"c2", 0, 0.5, 0.25, 0, 2, 0, 0, {0, 1, 0, 0, 0}},
                          {id[1], {0.1, 0, 0}},
                          0.2,
                          {id[0], {0}, {0, -3, 0}}};
  pc_disc_disc_def c3 = {{"c3", none, 0, 0, 0, 0, 0, 0, {0, 1, 0, 0, 0}},
                         {{id[0], {0}}, {id[1], {0, 1, 0}}},
                         {0.1, 3},
                         1};
  pc_disc_disc_def c4 = {{"c4", 0.3, 0, 0, 0, 0, 0, 0, {0, 1, 0, 0, 0}},
                         {{id[2], {0}}, {PC_GROUND, {1, 1, 0}}},
                         {0, 7},
                         1};
  pc_disc_disc_def c5 = {
      {"c5", none, 0, 0, 0, 0, 0, 0, {0, 1, 0, 0, 0}}, {{id[2], {0}}, {id[1], {0}}}, {0, 0.5}, 0};
  pc_point_curve_def c6 = {{"c6", 0.1, 0, 0, 0, 0, 0, 0, {0, 1, 0, 0, 0}},
                           {id[2], {0}},
                           PC_GROUND,
                           {parabola, NULL, NULL}};
  CHECK_OK(pc_add_disc_plane(system, &c1, NULL, &error), error);
  CHECK_OK(pc_add_disc_plane(system, &c2, NULL, &error), error);
  CHECK_OK(pc_add_disc_disc(system, &c3, NULL, &error), error);
  CHECK_OK(pc_add_disc_disc(system, &c4, NULL, &error), error);
  CHECK_OK(pc_add_disc_disc(system, &c5, NULL, &error), error);
  CHECK_OK(pc_add_point_curve(system, &c6, NULL, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  check_same(pc_model_system(model), system, 0);
  pc_system_destroy(system);
  pc_model_destroy(model);
}

static double row_value(const pc_model* model, const pc_terms* terms, const char* name)
{
  const pc_system* system = pc_model_system(model);
  int i = pc_system_find_quantity(system, name);
  if (i < 0) fail_msg("no quantity %s", name);
  pc_quantity quantity = pc_system_quantity(system, i);
  return quantity.kind == PC_QUANTITY_ROW_POSITION
             ? terms->y[quantity.index]
             : pc_terms_row_velocity(terms, quantity.index, pc_system_u0(system));
}

/* Formulas of coordinates and of bodies; constraints under their own names. */
static void formulas_and_bodies_can_be_mixed(void** state)
{
  (void)state;
  pc_model* model = read_text(THREE_BODIES
                              "coordinates: {s: {value: 0.25, velocity: 2}, w: 4}\n"
                              "kinetic: 3/2*s'^2 + w'^2/2\n"
                              "potential: 5*(s - a.angle)^2\n"
                              "forces:\n"
                              "  a.x: -7*p.vy\n"
                              "  w: t*s'\n"
                              "constraints:\n"
                              "  gear: a.angle - 2*s + t\n"
                              "  skate: {velocity: p.vx - s*b.spin + 3}\n"
                              "contacts:\n"
                              "  stop: {gap: p.y - s^2 - 0.5, slip: a.vx + s', friction: 0.5}\n");
  const pc_system* system = pc_model_system(model);
  assert_int_equal(pc_system_g_count(system), 1);
  assert_int_equal(pc_system_gamma_count(system), 1);
  pc_terms* terms = terms_at_start(system, 0.5);
  CHECK_NEAR(row_value(model, terms, "gear.position"), 0.3 - 0.5 + 0.5, 1e-15);
  CHECK_NEAR(row_value(model, terms, "gear.velocity"), 3 - 4 + 1, 1e-14);
  CHECK_NEAR(row_value(model, terms, "skate.velocity"), 0 + 0.25 + 3, 1e-14);
  assert_int_equal(pc_system_find_quantity(system, "skate.position"), -1);
  CHECK_NEAR(row_value(model, terms, "stop.gap"), 1 - 0.0625 - 0.5, 1e-15);
  CHECK_NEAR(row_value(model, terms, "stop.gap_velocity"), -2 - 2 * 0.25 * 2, 1e-14);
  CHECK_NEAR(row_value(model, terms, "stop.slip"), 1 + 2, 1e-14);
  /* u: a (0 to 2), b (3 to 5), p (6, 7), s (8), w (9) */
  CHECK_NEAR(terms->h[0], 2 * 1 + 14, 1e-14);
  CHECK_NEAR(terms->h[2], 10 * (0.25 - 0.3), 1e-14);
  CHECK_NEAR(terms->h[8], -10 * (0.25 - 0.3), 1e-14);
  CHECK_NEAR(terms->h[9], 0.5 * 2, 1e-14);
  double M[100] = {0};
  pc_terms_add_dense(terms, PC_TERM_M, 1, M);
  CHECK_NEAR(M[0], 2, 0);
  CHECK_NEAR(M[88], 3, 0);
  CHECK_NEAR(M[99], 1, 0);
  pc_terms_destroy(terms);
  pc_model_destroy(model);
}

static void on_a_line_a_number_is_a_vector(void** state)
{
  (void)state;
  pc_model* model = read_text(
      "percuss: 1\nspace: line\ngravity: -2\n"
      "bodies: {p: {kind: point, mass: 2, position: 1, velocity: [3]}}\n"
      "contacts: {floor: {point: p, plane: {point: 0, normal: 1}}}\n");
  const pc_system* system = pc_model_system(model);
  assert_int_equal(pc_system_dimension(system), 1);
  pc_terms* terms = terms_at_start(system, 0);
  CHECK_NEAR(row_value(model, terms, "floor.gap"), 1, 0);
  CHECK_NEAR(row_value(model, terms, "floor.gap_velocity"), 3, 0);
  CHECK_NEAR(terms->h[0], -4, 0);
  pc_terms_destroy(terms);
  pc_model_destroy(model);
}

static void nodes_of_a_bar_stand_for_bodies(void** state)
{
  (void)state;
  pc_model* model = read_text(
      "percuss: 1\nspace: line\nparameters: {N: 4}\n"
      "bodies:\n"
      "  bar: {kind: bar, elements: 2*N, root: 3, tip: 1, area: 0.5, density: 4, modulus: 9}\n"
      "  p: {kind: point, mass: 2, position: 1}\n"
      "joints:\n"
      "  clamp: {fixed: {bodies: [ground, bar.root]}}\n"
      "  rod: {distance: {points: [bar.2, [p, 0.25]]}}\n"
      "forces: {push: {force: {point: bar.7, value: 6}}}\n"
      "contacts: {wall: {point: [bar.tip, 0.125], plane: {part: p, point: -2, normal: 1}}}\n");
  const pc_system* system = pc_model_system(model);
  assert_int_equal(pc_system_q_count(system), 10);
  assert_int_equal(pc_system_g_count(system), 2);
  pc_terms* terms = terms_at_start(system, 0);
  CHECK_NEAR(row_value(model, terms, "clamp.position"), 0, 0);
  CHECK_NEAR(row_value(model, terms, "rod.position"), 0, 1e-15);
  CHECK_NEAR(row_value(model, terms, "wall.gap"), 2.125, 1e-15);
  for (int i = 0; i < 10; i++) CHECK_NEAR(terms->h[i], i == 7 ? 6 : 0, 1e-13);
  pc_terms_destroy(terms);
  pc_model_destroy(model);
}

static void in_space_there_are_point_masses(void** state)
{
  (void)state;
  pc_model* model = read_text(
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\n"
      "bodies: {p: {kind: point, mass: 2, position: [1, 2, 3]}}\n"
      "contacts:\n  floor: {sphere: p, radius: 0.5, friction: 0.3,\n"
      "          plane: {point: [0, 0, 1], normal: [0, 0, 1]}}\n"
      "record: [floor.slip, p.z]\n");
  assert_int_equal(pc_system_contact(pc_model_system(model), 0).dimension, 2);
  int count = 0;
  const int* record = pc_model_record(model, &count);
  assert_int_equal(count, 3);
  assert_string_equal(pc_system_quantity(pc_model_system(model), record[0]).name, "floor.slip.1");
  assert_string_equal(pc_system_quantity(pc_model_system(model), record[1]).name, "floor.slip.2");
  assert_string_equal(pc_system_quantity(pc_model_system(model), record[2]).name, "p.z");
  pc_model_destroy(model);
}

static void in_space_there_are_bodies_joints_and_contacts(void** state)
{
  (void)state;
  pc_model* model = read_text(
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\n"
      "bodies:\n"
      "  a: {mass: 2, inertia: [1, 2, 2.5], position: [1, 2, 3], orientation: [0, 0, 0, -7]}\n"
      "  b: {mass: 3, inertia: [1, 2, 2.5, 0.1, 0.2, 0.3], position: [0, 0, 5],\n"
      "      orientation: {axis: [0, 0, 2], angle: pi/2}, angular_velocity: [0, 0, 2]}\n"
      "  c: {mass: 1, inertia: [[2, 0.1, 0], [0.1, 2, 0], [0, 0, 2]], velocity: [1, 0, 0]}\n"
      "joints:\n"
      "  ball: {spherical: {bodies: [a, ground], at: [1, 2, 0]}}\n"
      "  hinge: {revolute: {bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
      "  roll: {rolling: {centre: c, radius: 2, plane: {point: [0, 0, -2], normal: [0, 0, 1]}}}\n"
      "forces:\n"
      "  motor: {torque: {body: b, value: [1, 0, 2*t]}}\n"
      "  jet: {torque: {body: b, value: [0, 5, 0], in_body_frame: true}}\n"
      "contacts:\n"
      "  f1: {sphere: b, radius: 1, plane: {point: [0, 0, 0], normal: [0, 0, 1]},\n"
      "       friction: {mu: 0.3, contact_radius: 0.5}}\n"
      "  f2: {disc: b, radius: 2, axis: [1, 0, 0], plane: {point: [0, 0, 0], normal: [0, 0, 1]},\n"
      "       friction: 0.2}\n"
      "  f3: {ellipsoid: a, semi_axes: [1, 2, 0.5], plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
      "  f4: {sphere: a, radius: 0.5, other: b, other_radius: 0.25, friction: {mu: 0.1}}\n");
  const pc_system* system = pc_model_system(model);
  assert_int_equal(pc_system_q_count(system), 21);
  assert_int_equal(pc_system_u_count(system), 18);
  assert_int_equal(pc_system_g_count(system), 3 + 5 + 1);
  assert_int_equal(pc_system_gamma_count(system), 2);
  const int dimension[4] = {3, 2, 0, 2};
  for (int k = 0; k < 4; k++)
    assert_int_equal(pc_system_contact(system, k).dimension, dimension[k]);
  const double* q = pc_system_q0(system);
  CHECK_NEAR(q[6], -1, 0);
  CHECK_NEAR(q[7 + 3], sqrt(0.5), 1e-15);
  CHECK_NEAR(q[7 + 6], sqrt(0.5), 1e-15);
  pc_terms* terms = terms_at_start(system, 3);
  CHECK_NEAR(row_value(model, terms, "f1.gap"), 4, 1e-15);
  CHECK_NEAR(row_value(model, terms, "f1.slip.3"), 3 * acos(-1) / 16 * 0.5 * 2, 1e-15);
  CHECK_NEAR(row_value(model, terms, "f2.gap"), 3, 1e-15);
  CHECK_NEAR(row_value(model, terms, "f3.gap"), 2.5, 1e-15);
  CHECK_NEAR(row_value(model, terms, "f4.gap"), 3 - 0.75, 1e-15);
  CHECK_NEAR(row_value(model, terms, "roll.position.1"), 0, 1e-15);
  CHECK_NEAR(row_value(model, terms, "roll.velocity.2"), 1, 1e-15);
  /* b is turned by 90 degrees about z: the inertial x axis is its -y axis; w x Theta w besides */
  CHECK_NEAR(terms->h[6 + 3], 0 + 4 * 0.3, 1e-14);
  CHECK_NEAR(terms->h[6 + 4], -1 + 5 - 4 * 0.2, 1e-14);
  CHECK_NEAR(terms->h[6 + 5], 6, 1e-14);
  pc_terms_destroy(terms);
  pc_model_destroy(model);
}

static void run_settings_are_read_and_may_be_expressions(void** state)
{
  (void)state;
  const char* text =
      "percuss: 1\ntitle: 'Ball: one'\nparameters: {h: 2e-3}\n"
      "bodies: {a: {mass: 1, inertia: 1}}\n"
      "simulate: {scheme: moreau-jean, dt: h/4, until: 100*h, theta: 3/4,\n"
      "           evaluation: trapezoid, max-iterations: 7, solver: nsgs}\n"
      "record: [a.y, a, a.x]\n";
  pc_model* model = read_text(text);
  assert_string_equal(pc_model_title(model), "Ball: one");
  assert_string_equal(pc_model_text(model), text);
  assert_string_equal(pc_model_scheme(model), "moreau-jean");
  pc_scheme_settings settings = pc_model_settings(model);
  CHECK_NEAR(settings.dt, 5e-4, 0);
  CHECK_NEAR(settings.theta, 0.75, 0);
  assert_int_equal(settings.evaluation, PC_EVALUATION_TRAPEZOID);
  assert_int_equal(settings.max_iterations, 7);
  assert_string_equal(settings.solver, "nsgs");
  CHECK_NEAR(pc_model_until(model), 0.2, 1e-16);
  int count = 0;
  assert_int_equal(pc_model_record(model, &count)[0], 1);
  assert_int_equal(count, 6); /* each once */
  pc_model_destroy(model);
  model = read_text("percuss: 1\nbodies: {a: {mass: 1, inertia: 1}}\n");
  assert_null(pc_model_scheme(model));
  assert_true(isnan(pc_model_until(model)));
  assert_string_equal(pc_model_title(model), "");
  pc_model_destroy(model);
}

/* --- the tables ------------------------------------------------------------------------------ */

static int begins_with(const char* text, const char* beginning)
{
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* The type for a person says what the reader does. */
static void check_field(const pc_field* f)
{
  assert_non_null(f->about);
  assert_true(strlen(f->help) > 5);
  if (f->type != PC_FIELD_NUMBER) return;
  switch (f->range) {
    case PC_ANY: assert_true(begins_with(f->about, "number")); break;
    case PC_POSITIVE: assert_true(begins_with(f->about, "positive number")); break;
    case PC_NOT_NEGATIVE: assert_true(begins_with(f->about, "number, not negative")); break;
    case PC_FROM_0_TO_1: assert_true(begins_with(f->about, "number from 0 to 1")); break;
  }
}

static void tables_say_what_the_reader_does(void** state)
{
  (void)state;
  for (const pc_kind* k = pc_kinds; k->field; k++) {
    assert_true(k->spaces != 0 && (k->spaces & ~(unsigned)PC_EVERYWHERE) == 0);
    for (int d = 1; d <= 3; d++) /* one kind of a name in each space */
      if (k->spaces >> d & 1u)
        assert_ptr_equal(pc_find_kind(k->about.section, k->about.name, d), k);
    for (const pc_field* f = k->field; f->path; f++) {
      check_field(f);
      for (const pc_field* g = f->group; g && g->path; g++) check_field(g);
    }
  }
}

static void the_documentation_has_every_key_of_every_kind(void** state)
{
  (void)state;
  FILE* file = fopen(PC_SOURCE_DIR "/docs/model-file.md", "rb");
  assert_non_null(file);
  char* page = calloc(1, 1 << 18);
  assert_true(fread(page, 1, (1 << 18) - 1, file) > 1000);
  fclose(file);
  int kinds = 0;
  for (; pc_model_element_kind(kinds); kinds++) {
    pc_element_key key;
    for (int i = 0; pc_model_element_key(kinds, i, &key); i++) {
      char row[600];
      snprintf(row, sizeof row, "| `%s` | %s | %s | %s |\n", key.key, key.type, key.presence,
               key.help);
      if (!strstr(page, row)) fail_msg("docs/model-file.md lacks: %s", row);
    }
  }
  assert_true(kinds > 15);
  assert_int_equal(pc_model_element_key(kinds, 0, &(pc_element_key){0}), 0);
  assert_int_equal(pc_model_element_key(0, -1, &(pc_element_key){0}), 0);
  free(page);
}

static double exact(const pc_model* model, const char* name, double t)
{
  double value = NAN;
  int quantity = pc_system_find_quantity(pc_model_system(model), name);
  return pc_model_exact(model, quantity, t, &value) ? value : NAN;
}

/* Formulas of t, of the parameters after overriding, and of what stands above them. */
static void exact_motions_are_formulas_of_time(void** state)
{
  (void)state;
  const char text[] =
      "percuss: 1\nparameters: {g: 10}\ncoordinates: {x: 0, y: 1, z: 0}\n"
      "kinetic: (x'^2 + y'^2 + z'^2)/2\npotential: g*y\ncontacts: {floor: {gap: y}}\n"
      "exact:\n  y: 1 - drop\n  y': -g*t\n  x: 7\n  floor.P_N: y' + half\n"
      "  where: {half: g/2, drop: half*t^2}\n";
  pc_model* model = NULL;
  pc_error error = {0};
  pc_override twenty = {"g", "20"};
  CHECK_OK(pc_model_read_text(text, strlen(text), &twenty, 1, &model, &error), error);
  CHECK_NEAR(exact(model, "y", 0.5), 1 - 2.5, 1e-15);
  CHECK_NEAR(exact(model, "y'", 0.5), -10, 1e-15);
  CHECK_NEAR(exact(model, "x", 3), 7, 0);
  CHECK_NEAR(exact(model, "floor.P_N", 1), -10, 1e-15);
  assert_true(isnan(exact(model, "z", 0)));
  assert_true(isnan(exact(model, "floor.gap", 0)));
  pc_model_destroy(model);
  model = read_text("percuss: 1\ncoordinates: {x: 0}\nkinetic: x'^2\n");
  assert_true(isnan(exact(model, "x", 0)));
  pc_model_destroy(model);
  /* a name is not another one that begins with it */
  model = read_text(
      "percuss: 1\ncoordinates: {x2: 0, x: 0, y: 0}\nkinetic: x2'^2 + x'^2 + y'^2\n"
      "exact: {x2: 5, x: 7, y: x + 1}\n");
  CHECK_NEAR(exact(model, "y", 0), 8, 0);
  pc_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_are_those_of_the_calls),
      cmocka_unit_test(forces_are_those_of_the_calls),
      cmocka_unit_test(contacts_are_those_of_the_calls),
      cmocka_unit_test(formulas_and_bodies_can_be_mixed),
      cmocka_unit_test(on_a_line_a_number_is_a_vector),
      cmocka_unit_test(nodes_of_a_bar_stand_for_bodies),
      cmocka_unit_test(in_space_there_are_point_masses),
      cmocka_unit_test(in_space_there_are_bodies_joints_and_contacts),
      cmocka_unit_test(run_settings_are_read_and_may_be_expressions),
      cmocka_unit_test(tables_say_what_the_reader_does),
      cmocka_unit_test(the_documentation_has_every_key_of_every_kind),
      cmocka_unit_test(exact_motions_are_formulas_of_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
