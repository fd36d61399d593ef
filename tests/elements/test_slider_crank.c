/* The slider-crank of the nonsmooth RATTLE paper, section 5.2: its constraints (47), gaps (48) and
 * slip velocities (49), with the paper's letters, against the elements that make it. */
#include "scene.h"
#include "system/terms.h"

static const double L1 = 0.153, L2 = 0.306, A = 0.05, B = 0.025, D = 0.052;

static pc_part_id add_bar(pc_system* s, const char* name, double x, double angle)
{
  pc_error error = {0};
  pc_body_def def = pc_default_body_def();
  def.name = name;
  def.position[0] = x;
  def.angle = angle;
  pc_part_id id;
  CHECK_OK(pc_add_body(s, &def, &id, &error), error);
  return id;
}

static void add_pin(pc_system* s, const char* name, pc_part_id a, pc_part_id b, double x)
{
  pc_error error = {0};
  pc_joint_def def = pc_default_joint_def();
  def.name = name;
  def.part[0] = a;
  def.part[1] = b;
  def.at[0] = x;
  CHECK_OK(pc_add_revolute(s, &def, NULL, &error), error);
}

static void add_corner(pc_system* s, const char* name, pc_part_id slider, double x, double y)
{
  pc_error error = {0};
  pc_disc_plane_def def = pc_default_disc_plane_def();
  def.law = (pc_contact_law){.name = name, .mu = 0.01, .e_N = 0.4};
  def.centre = (pc_point){slider, {x, y, 0}};
  def.plane.point[1] = y > 0 ? D / 2 : -D / 2;
  def.plane.normal[1] = y > 0 ? -3 : 3; /* any length */
  CHECK_OK(pc_add_disc_plane(s, &def, NULL, &error), error);
}

static pc_system* make_slider_crank(void)
{
  pc_error error = {0};
  pc_system_def def = pc_default_system_def();
  pc_system* s;
  CHECK_OK(pc_system_create(&def, &s, &error), error);
  pc_part_id crank = add_bar(s, "crank", L1 / 2, 0);
  pc_part_id rod = add_bar(s, "rod", L1 + L2 / 2, 0);
  pc_part_id slider = add_bar(s, "slider", L1 + L2, 0.017);
  add_pin(s, "pin1", PC_GROUND, crank, 0);
  add_pin(s, "pin2", rod, crank, L1);
  add_pin(s, "pin3", slider, rod, L1 + L2);
  add_corner(s, "corner1", slider, -A, B);
  add_corner(s, "corner2", slider, A, B);
  add_corner(s, "corner3", slider, -A, -B);
  add_corner(s, "corner4", slider, A, -B);
  CHECK_OK(pc_system_freeze(s, &error), error);
  return s;
}

static void constraints_gaps_and_slips_are_those_of_the_paper(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_slider_crank();
  pc_terms* t;
  CHECK_OK(pc_terms_create(s, PC_TERM_Y | PC_TERM_W, &t, &error), error);
  const double q[9] = {0.07, 0.02, 0.9, 0.31, -0.01, -0.4, 0.45, 0.001, 0.03};
  const double u[9] = {1, 2, -3, 0.4, 5, 6, -0.7, 0.8, 9};
  pc_terms_evaluate(t, &(pc_at){0, q, u, NULL});

  double c1 = cos(q[2]), s1 = sin(q[2]), c2 = cos(q[5]), s2 = sin(q[5]);
  const double g[6] = {
      q[0] - L1 / 2 * c1,
      q[1] - L1 / 2 * s1,
      q[0] + L1 / 2 * c1 - (q[3] - L2 / 2 * c2),
      q[1] + L1 / 2 * s1 - (q[4] - L2 / 2 * s2),
      q[3] + L2 / 2 * c2 - q[6],
      q[4] + L2 / 2 * s2 - q[7],
  };
  for (int i = 0; i < 6; i++) CHECK_NEAR(t->y[i], g[i], 1e-15);

  double y3 = q[7], c3 = cos(q[8]), s3 = sin(q[8]);
  const double g_N[4] = {D / 2 - (y3 - A * s3 + B * c3), D / 2 - (y3 + A * s3 + B * c3),
                         D / 2 + (y3 - A * s3 - B * c3), D / 2 + (y3 + A * s3 - B * c3)};
  /* Our tangent of an upper wall points to -x: its slip has the opposite sign. */
  const double gamma_F[4] = {-(u[6] + u[8] * (A * s3 - B * c3)), -(u[6] - u[8] * (A * s3 + B * c3)),
                             u[6] + u[8] * (A * s3 + B * c3), u[6] - u[8] * (A * s3 - B * c3)};
  for (int k = 0; k < 4; k++) {
    int row = pc_system_contact(s, k).row;
    CHECK_NEAR(t->y[row], g_N[k], 1e-15);
    CHECK_NEAR(pc_terms_row_velocity(t, row + 1, u), gamma_F[k], 1e-14);
  }
  pc_terms_destroy(t);
  pc_system_destroy(s);
}

/* g_1' = u_x1 + l1/2 sin(phi1) u_phi1, and so on: (47) differentiated by hand. */
static void constraint_velocities_are_derivatives_of_the_paper(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_slider_crank();
  pc_terms* t;
  CHECK_OK(pc_terms_create(s, PC_TERM_W, &t, &error), error);
  const double q[9] = {0.07, 0.02, 0.9, 0.31, -0.01, -0.4, 0.45, 0.001, 0.03};
  const double u[9] = {1, 2, -3, 0.4, 5, 6, -0.7, 0.8, 9};
  pc_terms_evaluate(t, &(pc_at){0, q, u, NULL});
  double x1 = L1 / 2 * cos(q[2]), y1 = L1 / 2 * sin(q[2]);
  double x2 = L2 / 2 * cos(q[5]), y2 = L2 / 2 * sin(q[5]);
  const double g_dot[6] = {
      u[0] + y1 * u[2],
      u[1] - x1 * u[2],
      u[0] - y1 * u[2] - u[3] - y2 * u[5],
      u[1] + x1 * u[2] - u[4] + x2 * u[5],
      u[3] - y2 * u[5] - u[6],
      u[4] + x2 * u[5] - u[7],
  };
  for (int i = 0; i < 6; i++) CHECK_NEAR(pc_terms_row_velocity(t, i, u), g_dot[i], 1e-14);
  pc_terms_destroy(t);
  pc_system_destroy(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constraints_gaps_and_slips_are_those_of_the_paper),
      cmocka_unit_test(constraint_velocities_are_derivatives_of_the_paper),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
