/* The elastic bar: its derivatives, its matrices against Acary (71), and what hangs on its
 * nodes. */
#include <string.h>

#include "conformance.h"
#include "scene.h"
#include "system/terms.h"

enum { ELEMENTS = 4, NODES = ELEMENTS + 1 };

static pc_bar_def bar_def(const char* name)
{
  pc_bar_def def = pc_default_bar_def();
  def.name = name;
  def.elements = ELEMENTS;
  def.root[0] = 0.5;
  def.tip[0] = 2.1;
  def.area = 0.3;
  def.density = 1.7;
  def.modulus = 2.9;
  def.velocity[0] = -0.2;
  return def;
}

static pc_part_id add_bar(pc_system* system, const pc_bar_def* def)
{
  pc_error error = {0};
  pc_part_id id;
  CHECK_OK(pc_add_bar(system, def, &id, &error), error);
  return id;
}

static pc_part_id node_of(pc_system* system, pc_part_id bar, int node)
{
  pc_error error = {0};
  pc_part_id id;
  CHECK_OK(pc_bar_node(system, bar, node, &id, &error), error);
  return id;
}

static void add_spring(pc_system* system, const char* name, pc_part_id from, pc_part_id to)
{
  pc_error error = {0};
  pc_spring_def def = pc_default_spring_def();
  def.name = name;
  def.point[0].part = from;
  def.point[1].part = to;
  def.stiffness = 1.9;
  def.damping = 0.4;
  def.length = 0;
  CHECK_OK(pc_add_spring(system, &def, &error), error);
}

static void add_fixed(pc_system* system, const char* name, pc_part_id first, pc_part_id second)
{
  pc_error error = {0};
  pc_joint_def def = pc_default_joint_def();
  def.name = name;
  def.part[0] = first;
  def.part[1] = second;
  CHECK_OK(pc_add_fixed(system, &def, NULL, &error), error);
}

static void add_wall(pc_system* system, pc_part_id node)
{
  pc_error error = {0};
  pc_disc_plane_def def = pc_default_disc_plane_def();
  def.law.name = "wall";
  def.centre.part = node;
  def.plane.point[0] = 3;
  def.plane.normal[0] = -2;
  CHECK_OK(pc_add_disc_plane(system, &def, NULL, &error), error);
}

static void add_force(pc_system* system, pc_part_id node)
{
  pc_error error = {0};
  pc_force_def def = pc_default_force_def();
  def.name = "push";
  def.point.part = node;
  def.force[0] = pc_constant_signal(0.7);
  CHECK_OK(pc_add_force(system, &def, &error), error);
}

static void derivatives_of_a_bar_and_of_what_hangs_on_it(void** state)
{
  (void)state;
  for (int turned = 0; turned < 2; turned++) {
    pc_system* s = make_system(1);
    pc_part_id mass = make_mass(s, "mass", -3, 0, 0);
    pc_bar_def def = bar_def("bar");
    if (turned) def.tip[0] = -1.3;
    pc_part_id bar = add_bar(s, &def);
    def = bar_def("other");
    def.elements = 1;
    pc_part_id other = add_bar(s, &def);
    add_fixed(s, "clamp", PC_GROUND, node_of(s, bar, 0));
    add_fixed(s, "weld", node_of(s, bar, 2), node_of(s, other, 1));
    add_wall(s, node_of(s, bar, ELEMENTS));
    add_force(s, node_of(s, bar, 1));
    add_spring(s, "to-mass", node_of(s, bar, 3), mass);
    add_spring(s, "neighbours", node_of(s, bar, 3), node_of(s, bar, 2));
    add_spring(s, "in-order", node_of(s, bar, 0), node_of(s, bar, 1));
    conformance options = default_conformance();
    options.applied = 1;
    check_conformance(s, options);
    pc_system_destroy(s);
  }
}

static void matrices_are_those_of_linear_rods(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(1);
  pc_bar_def def = bar_def("bar");
  add_bar(s, &def);
  CHECK_OK(pc_system_freeze(s, &error), error);
  pc_terms* t;
  CHECK_OK(pc_terms_create(s, PC_TERM_M | PC_TERM_H | PC_TERM_H_Q, &t, &error), error);
  pc_terms_evaluate(t, &(pc_at){0, pc_system_q0(s), NULL, NULL});
  double M[NODES * NODES] = {0}, K[NODES * NODES] = {0};
  pc_terms_add_dense(t, PC_TERM_M, 1, M);
  pc_terms_add_dense(t, PC_TERM_H_Q, -1, K);
  double l = 0.4, m = 1.7 * 0.3 * l / 6, k = 2.9 * 0.3 / l;
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < NODES; j++) {
      int ends = i == 0 || i == ELEMENTS ? 1 : 2; /* elements that meet in node i */
      double beside = i - j == 1 || j - i == 1;
      CHECK_NEAR(M[i * NODES + j], i == j ? 2 * ends * m : beside * m, 1e-15);
      CHECK_NEAR(K[i * NODES + j], i == j ? ends * k : -beside * k, 1e-14);
    }
  double weight = 0;
  for (int i = 0; i < NODES; i++) weight += t->h[i];
  CHECK_NEAR(weight, 1.7 * 0.3 * 1.6 * 0.3, 1e-14); /* rho S L g */
  pc_terms_destroy(t);
  pc_system_destroy(s);
}

/* The tangent of a bar is sparse; its solutions are those of the dense matrix. */
static void tangent_of_a_long_bar_solves_its_equations(void** state)
{
  (void)state;
  enum { COUNT = 61 };
  pc_error error = {0};
  pc_system* s = make_system(1);
  make_mass(s, "mass", 0, 0, 0);
  pc_bar_def def = bar_def("bar");
  def.elements = COUNT - 2;
  add_bar(s, &def);
  CHECK_OK(pc_system_freeze(s, &error), error);
  pc_terms* t;
  pc_assembly* A;
  CHECK_OK(pc_terms_create(s, PC_TERM_M | PC_TERM_H_Q, &t, &error), error);
  CHECK_OK(pc_system_create_tangent(s, &A, &error), error);
  pc_at at = {0, pc_system_q0(s), NULL, NULL};
  pc_terms_evaluate(t, &at);
  pc_terms_tangent(t, &at, 1, 0, 0.01, A);
  assert_int_equal(pc_assembly_factor(A), PC_OK);
  double x[COUNT], solved[COUNT], dense[COUNT * COUNT] = {0}, product[COUNT] = {0};
  for (int i = 0; i < COUNT; i++) x[i] = solved[i] = sin(i);
  pc_assembly_solve(A, solved);
  pc_terms_add_dense(t, PC_TERM_M, 1, dense);
  pc_terms_add_dense(t, PC_TERM_H_Q, -0.01, dense);
  pc_terms_add_M_times(t, solved, product);
  pc_terms_add_h_q_times(t, -0.01, solved, product);
  for (int i = 0; i < COUNT; i++) {
    double sum = 0;
    for (int j = 0; j < COUNT; j++) sum += dense[i * COUNT + j] * solved[j];
    CHECK_NEAR(sum, x[i], 1e-10);
    CHECK_NEAR(product[i], x[i], 1e-10);
  }
  pc_assembly_destroy(A);
  pc_terms_destroy(t);
  pc_system_destroy(s);
}

static void nodes_have_names_and_places(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(1);
  pc_bar_def def = bar_def("bar");
  pc_part_id bar = add_bar(s, &def);
  assert_int_equal(pc_bar_elements(s, bar), ELEMENTS);
  assert_int_equal(pc_bar_elements(s, PC_GROUND), 0);
  pc_part_id tip = node_of(s, bar, ELEMENTS), again = node_of(s, bar, ELEMENTS);
  assert_int_equal(tip.index, again.index);
  CHECK_OK(pc_system_freeze(s, &error), error);
  assert_int_equal(pc_system_q_count(s), NODES);
  assert_int_equal(pc_system_quantity_count(s), 2 * NODES);
  static const char* const name[] = {"bar.root", "bar.1", "bar.2", "bar.3", "bar.tip"};
  for (int i = 0; i < NODES; i++) {
    char text[32];
    snprintf(text, sizeof text, "%s.x", name[i]);
    pc_quantity x = pc_system_quantity(s, pc_system_find_quantity(s, text));
    snprintf(text, sizeof text, "%s.vx", name[i]);
    pc_quantity vx = pc_system_quantity(s, pc_system_find_quantity(s, text));
    assert_int_equal(x.kind, PC_QUANTITY_Q);
    assert_int_equal(vx.kind, PC_QUANTITY_U);
    assert_string_equal(vx.unit, "m/s");
    CHECK_NEAR(pc_system_q0(s)[x.index], 0.5 + 0.4 * i, 1e-15);
    CHECK_NEAR(pc_system_u0(s)[vx.index], -0.2, 0);
  }
  pc_system_destroy(s);
}

static void refuse(pc_status status, const pc_error* error, const char* text)
{
  if (status == PC_OK || strcmp(error->text, text) != 0)
    fail_msg("status %d: '%s', not '%s'", (int)status, error->text, text);
}

static void refuse_bar(int dimension, const pc_bar_def* def, const char* text)
{
  pc_error error = {0};
  pc_part_id id;
  pc_system* s = make_system(dimension);
  refuse(pc_add_bar(s, def, &id, &error), &error, text);
  pc_system_destroy(s);
}

static void bars_that_make_no_sense_are_refused(void** state)
{
  (void)state;
  const pc_bar_def good = bar_def("bar");
  pc_bar_def def = good;
  refuse_bar(2, &def, "bar 'bar' needs a line; this system has dimension 2");
  def.name = "";
  refuse_bar(1, &def, "bar: name is missing");
  def = good, def.elements = 0;
  refuse_bar(1, &def, "bar 'bar': elements is 0; it must be from 1 to 1000000");
  def = good, def.area = 0;
  refuse_bar(1, &def, "bar 'bar': area is 0; it must be positive and finite");
  def = good, def.density = -1;
  refuse_bar(1, &def, "bar 'bar': density is -1; it must be positive and finite");
  def = good, def.modulus = NAN;
  refuse_bar(1, &def, "bar 'bar': modulus is nan; it must be positive and finite");
  def = good, def.tip[0] = def.root[0];
  refuse_bar(1, &def, "bar 'bar': root and tip are in one place");
  def = good, def.velocity[0] = INFINITY;
  refuse_bar(1, &def, "bar 'bar': velocity is not finite");
}

static void nothing_but_nodes_can_be_held(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(1);
  pc_part_id mass = make_mass(s, "mass", -3, 0, 0), id;
  pc_bar_def def = bar_def("bar");
  pc_part_id bar = add_bar(s, &def);
  refuse(pc_bar_node(s, bar, NODES, &id, &error), &error,
         "bar 'bar' has no node 5; its nodes are 0 to 4");
  refuse(pc_bar_node(s, mass, 0, &id, &error), &error, "part number 0 is not a bar");
  refuse(pc_bar_node(s, node_of(s, bar, 1), 0, &id, &error), &error, "part number 2 is not a bar");
  pc_joint_def joint = pc_default_joint_def();
  joint.name = "clamp";
  joint.part[1] = bar;
  refuse(pc_add_fixed(s, &joint, NULL, &error), &error,
         "fixed 'clamp': part[1]: 'bar' is a bar; name one of its nodes");
  pc_callback_def callback = pc_default_callback_def();
  callback.name = "callback";
  callback.part_count = 2;
  callback.part = (const pc_part_id[]){bar, node_of(s, bar, 1)};
  refuse(pc_add_callback(s, &callback, &error), &error,
         "callback 'callback' has 'bar.1' on both sides");
  pc_system_destroy(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_of_a_bar_and_of_what_hangs_on_it),
      cmocka_unit_test(matrices_are_those_of_linear_rods),
      cmocka_unit_test(tangent_of_a_long_bar_solves_its_equations),
      cmocka_unit_test(nodes_have_names_and_places),
      cmocka_unit_test(bars_that_make_no_sense_are_refused),
      cmocka_unit_test(nothing_but_nodes_can_be_held),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
