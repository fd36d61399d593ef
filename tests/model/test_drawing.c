/* The section `draw`: points of formulas, and what is refused. */
#include <math.h>

#include "example.h"

#define HEAD                                                        \
  "percuss: 1\nparameters: {l: 2}\ncoordinates: {phi: 0.3, y: 1}\n" \
  "kinetic: phi'^2/2 + y'^2/2\npotential: y\ncontacts: {floor: {gap: y}}\ndraw:\n"

static pc_model* read_text(const char* text)
{
  pc_error error = {0};
  pc_model* model;
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  return model;
}

static void points_are_formulas(void** state)
{
  (void)state;
  pc_model* model = read_text(HEAD
                              "  rod: {line: [[0, y], [l*cos(phi), y + l*sin(phi)]]}\n"
                              "  wheel: {circle: [t, 1], radius: l/4}\n"
                              "  roof: {polygon: [[0, 0], [1, 0, 5], [0]]}\n"
                              "  foot: {point: [phi, 0], contact: floor, normal: [y, 2]}\n");
  const double q[2] = {0.7, 3};
  double at[9], radius, normal[3];
  assert_int_equal(pc_model_drawing_count(model), 4);
  pc_drawing rod = pc_model_drawing(model, 0), foot = pc_model_drawing(model, 3);
  assert_string_equal(rod.name, "rod");
  assert_int_equal(rod.kind, PC_DRAWING_LINE);
  assert_int_equal(rod.point_count, 2);
  assert_int_equal(rod.contact, -1);
  pc_model_draw(model, 0, 0, q, at, NULL, NULL);
  CHECK_NEAR(at[1], 3, 0);
  CHECK_NEAR(at[3], 2 * cos(0.7), 1e-15);
  CHECK_NEAR(at[4], 3 + 2 * sin(0.7), 1e-15);
  pc_model_draw(model, 1, 4.5, q, at, &radius, NULL);
  CHECK_NEAR(at[0], 4.5, 0);
  CHECK_NEAR(radius, 0.5, 0);
  pc_model_draw(model, 2, 0, q, at, NULL, NULL);
  CHECK_NEAR(at[5], 5, 0);
  CHECK_NEAR(at[7], 0, 0);
  assert_int_equal(foot.contact, 0);
  pc_model_draw(model, 3, 0, q, at, NULL, normal);
  CHECK_NEAR(at[0], 0.7, 0);
  CHECK_NEAR(normal[0], 3, 0);
  CHECK_NEAR(normal[1], 2, 0);
  pc_model_destroy(model);
}

static void check_refused(const char* entry, const char* says)
{
  char text[1024];
  pc_error error = {0};
  pc_model* model;
  snprintf(text, sizeof text, HEAD "  it: %s\n", entry);
  assert_int_equal(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), PC_BAD_MODEL);
  if (!strstr(error.text, says)) fail_msg("'%s' does not say '%s'", error.text, says);
  assert_int_equal(error.line, 8);
}

static void what_cannot_be_drawn_is_refused(void** state)
{
  (void)state;
  check_refused("3", "expected a mapping");
  check_refused("{}", "found none");
  check_refused("{point: [0, 0], circle: [0, 0], radius: 1}", "found several");
  check_refused("{line: [[0, 0]]}", "2 to");
  check_refused("{polygon: [[0, 0], [1, 1]]}", "3 to");
  check_refused("{point: [phi']}", "positions alone");
  check_refused("{point: [floor.P_N]}", "positions alone");
  check_refused("{point: [0, 0, 0, 0]}", "[x, y]");
  check_refused("{point: [fi, 0]}", "phi");
  check_refused("{circle: [0, 0]}", "radius");
  check_refused("{point: [0, 0], radius: 1}", "circle");
  check_refused("{point: [0, 0], contact: flor}", "floor");
  check_refused("{point: [0, 0], normal: [0, 1]}", "contact");
  check_refused("{poin: [0, 0]}", "point");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_are_formulas),
      cmocka_unit_test(what_cannot_be_drawn_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
