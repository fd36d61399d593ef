/* Terms from user code: with and without derivatives, with and without W, with kinematics. */
#include <string.h>

#include "conformance.h"
#include "scene.h"
#include "system/terms.h"

/* ---- a mass in polar coordinates q = (r, phi) --------------------------------------------------
 * One row of each kind: g = r - 1 - t/5, a velocity constraint, and the contact with a floor that
 * moves up and down. */

enum { ROWS = 4 };
static const double MASS = 1.4, WEIGHT = 3;

static void polar_M(const void* user, double t, const double* q, double* M)
{
  (void)user, (void)t;
  M[0] = MASS;
  M[3] = MASS * q[0] * q[0];
}

static void polar_Ma_q(const void* user, double t, const double* q, const double* a, double* Ma_q)
{
  (void)user, (void)t;
  Ma_q[2] = 2 * MASS * q[0] * a[1];
}

static void polar_h(const void* user, double t, const double* q, const double* u, double* h)
{
  (void)user, (void)t;
  h[0] = MASS * q[0] * u[1] * u[1] - WEIGHT * sin(q[1]);
  h[1] = -2 * MASS * q[0] * u[0] * u[1] - WEIGHT * q[0] * cos(q[1]);
}

static void polar_h_q(const void* user, double t, const double* q, const double* u, double* h_q)
{
  (void)user, (void)t;
  h_q[0] = MASS * u[1] * u[1];
  h_q[1] = -WEIGHT * cos(q[1]);
  h_q[2] = -2 * MASS * u[0] * u[1] - WEIGHT * cos(q[1]);
  h_q[3] = WEIGHT * q[0] * sin(q[1]);
}

static void polar_h_u(const void* user, double t, const double* q, const double* u, double* h_u)
{
  (void)user, (void)t;
  h_u[1] = 2 * MASS * q[0] * u[1];
  h_u[2] = -2 * MASS * q[0] * u[1];
  h_u[3] = -2 * MASS * q[0] * u[0];
}

static void polar_energy(const void* user, double t, const double* q, const double* u,
                         double energy[2])
{
  (void)user, (void)t;
  energy[0] = MASS * (u[0] * u[0] + q[0] * q[0] * u[1] * u[1]) / 2;
  energy[1] = WEIGHT * q[0] * sin(q[1]);
}

static void polar_y(const void* user, double t, const double* q, double* y)
{
  (void)user;
  y[0] = q[0] - 1 - t / 5;
  y[2] = q[0] * sin(q[1]) - sin(2 * t) / 10;
}

static void polar_W(const void* user, double t, const double* q, double* W, double* chi)
{
  (void)user;
  const double rows[ROWS][2] = {
      {1, 0}, {q[0] * t, 2}, {sin(q[1]), q[0] * cos(q[1])}, {cos(q[1]), -q[0] * sin(q[1])}};
  memcpy(W, rows, sizeof rows);
  chi[0] = -0.2;
  chi[1] = t * t * q[1];
  chi[2] = -cos(2 * t) / 5;
}

static void polar_W_q(const void* user, double t, const double* q, double* W_q)
{
  (void)user;
  const double rows[ROWS][2][2] = {
      {{0, 0}, {0, 0}},
      {{t, 0}, {0, 0}},
      {{0, cos(q[1])}, {cos(q[1]), -q[0] * sin(q[1])}},
      {{0, -sin(q[1])}, {-sin(q[1]), -q[0] * cos(q[1])}},
  };
  memcpy(W_q, rows, sizeof rows);
}

static pc_part_id add_polar_coordinates(pc_system* s)
{
  pc_error error = {0};
  pc_coordinates_def def = pc_default_coordinates_def();
  def.name = "polar";
  def.q_count = def.u_count = 2;
  def.q0 = (const double[]){1.2, 0.7};
  def.u0 = (const double[]){0, 0};
  pc_part_id id;
  CHECK_OK(pc_add_coordinates(s, &def, &id, &error), error);
  return id;
}

static pc_callback_def polar_def(const pc_part_id* part, const pc_contact_law* law)
{
  pc_callback_def def = pc_default_callback_def();
  def.name = "mass";
  def.part_count = 1;
  def.part = part;
  def.g_count = def.gamma_count = def.contact_count = 1;
  def.contact = law;
  def.M = polar_M;
  def.h = polar_h;
  def.energy = polar_energy;
  def.y = polar_y;
  def.W = polar_W;
  return def;
}

static void give_derivatives(pc_callback_def* def)
{
  def->Ma_q = polar_Ma_q;
  def->h_q = polar_h_q;
  def->h_u = polar_h_u;
  def->W_q = polar_W_q;
}

static pc_system* polar_system(int derivatives)
{
  pc_error error = {0};
  pc_system* s = make_system(2);
  make_mass(s, "bystander", 0, 0, 0);
  pc_part_id id = add_polar_coordinates(s);
  pc_contact_law law = {.name = "floor", .mu = 0.3};
  pc_callback_def def = polar_def(&id, &law);
  if (derivatives) give_derivatives(&def);
  CHECK_OK(pc_add_callback(s, &def, &error), error);
  return s;
}

static void callback_conforms_with_and_without_derivatives(void** state)
{
  (void)state;
  for (int derivatives = 0; derivatives < 2; derivatives++) {
    pc_system* s = polar_system(derivatives);
    conformance options = default_conformance();
    options.tolerance = 1e-8; /* of second-order differences */
    options.rate_tolerance = 1e-7;
    check_conformance(s, options);
    pc_system_destroy(s);
  }
}

static void differences_agree_with_given_derivatives(void** state)
{
  (void)state;
  pc_error error = {0};
  const double q[4] = {0, 0, 1.3, 0.4}, u[4] = {0, 0, 0.8, -1.1}, a[4] = {0, 0, 0.5, 2};
  pc_system* s[2];
  pc_terms* t[2];
  for (int i = 0; i < 2; i++) {
    s[i] = polar_system(i);
    CHECK_OK(pc_system_freeze(s[i], &error), error);
    CHECK_OK(pc_terms_create(s[i], PC_TERM_ALL, &t[i], &error), error);
    pc_terms_evaluate(t[i], &(pc_at){0.9, q, u, a});
  }
  const pc_local *x = pc_terms_local(t[0], 1), *y = pc_terms_local(t[1], 1);
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(x->Ma_q[i], y->Ma_q[i], 1e-8);
    CHECK_NEAR(x->h_q[i], y->h_q[i], 1e-8);
    CHECK_NEAR(x->h_u[i], y->h_u[i], 1e-8);
  }
  for (int i = 0; i < ROWS * 4; i++) CHECK_NEAR(x->W_q[i], y->W_q[i], 1e-8);
  for (int i = 0; i < 2; i++) {
    pc_terms_destroy(t[i]);
    pc_system_destroy(s[i]);
  }
}

/* Only rows with a position, and no W: y alone describes them. */
static void polar_positions(const void* user, double t, const double* q, double* y)
{
  (void)user;
  y[0] = q[0] - 1 - t / 5;
  y[1] = q[0] * sin(q[1]) - sin(2 * t) / 10;
}

static void rows_with_positions_need_no_W(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(2);
  pc_part_id id = add_polar_coordinates(s);
  pc_contact_law law = {.name = "floor", .mu = PC_FRICTIONLESS};
  pc_callback_def def = polar_def(&id, &law);
  def.gamma_count = 0;
  def.y = polar_positions;
  def.W = NULL;
  CHECK_OK(pc_add_callback(s, &def, &error), error);
  conformance options = default_conformance();
  options.tolerance = 1e-6; /* of differences of differences */
  check_conformance(s, options);
  pc_system_destroy(s);
}

static void kinetic_energy_goes_with_the_mass_matrix(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(2);
  pc_part_id id = add_polar_coordinates(s);
  pc_callback_def def = pc_default_callback_def();
  def.name = "mass";
  def.part_count = 1;
  def.part = &id;
  def.M = polar_M;
  CHECK_OK(pc_add_callback(s, &def, &error), error);
  check_conformance(s, (conformance){.spread = 0.3, .tolerance = 1e-8, .step = 1e-3});
  pc_system_destroy(s);
}

/* ---- a turntable whose angle is a unit complex number --------------------------------------- *
 * Two coordinates (cos, sin), one velocity, on a base that turns at a rate of its own:
 * q' = z x q (u + rate). */

static const double RATE = 0.3, STIFFNESS = 2;

static void complex_q_dot(const void* user, double t, const double* q, const double* u,
                          double* q_dot)
{
  (void)t;
  double rate = *(const double*)user;
  q_dot[0] = -q[1] * (u[0] + rate);
  q_dot[1] = q[0] * (u[0] + rate);
}

static void complex_B(const void* user, double t, const double* q, double* B)
{
  (void)user, (void)t;
  B[0] = -q[1];
  B[1] = q[0];
}

static void complex_M(const void* user, double t, const double* q, double* M)
{
  (void)user, (void)t, (void)q;
  M[0] = 0.6;
}

/* V = k q_0 q_1: the force is -B' dV/dq. */
static void complex_h(const void* user, double t, const double* q, const double* u, double* h)
{
  (void)user, (void)t, (void)u;
  h[0] = -STIFFNESS * (q[0] * q[0] - q[1] * q[1]);
}

static void complex_energy(const void* user, double t, const double* q, const double* u,
                           double energy[2])
{
  (void)user, (void)t;
  energy[0] = 0.3 * u[0] * u[0];
  energy[1] = STIFFNESS * q[0] * q[1];
}

static void complex_y(const void* user, double t, const double* q, double* y)
{
  (void)user;
  y[0] = q[1] + 0.2 - t * q[0] / 4;
}

static void complex_W(const void* user, double t, const double* q, double* W, double* chi)
{
  (void)user;
  W[0] = q[0] + t * q[1] / 4;
  chi[0] = W[0] * RATE - q[0] / 4;
}

static void kinematics_of_a_unit_complex_number(void** state)
{
  (void)state;
  for (int with_W = 0; with_W < 2; with_W++) {
    pc_error error = {0};
    pc_system* s = make_system(2);
    make_mass(s, "bystander", 0, 0, 0);
    pc_coordinates_def part = pc_default_coordinates_def();
    part.name = "table";
    part.q_count = 2;
    part.u_count = 1;
    part.q0 = (const double[]){cos(0.5), sin(0.5)};
    part.u0 = (const double[]){0.1};
    part.q_name = (const char* const[]){"table.cos", "table.sin"};
    part.kinematics = (pc_kinematics){.q_dot = complex_q_dot, .B = complex_B};
    part.user = &RATE;
    pc_part_id id;
    CHECK_OK(pc_add_coordinates(s, &part, &id, &error), error);
    pc_contact_law law = {.name = "stop", .mu = PC_FRICTIONLESS};
    pc_callback_def def = pc_default_callback_def();
    def.name = "table";
    def.part_count = 1;
    def.part = &id;
    def.contact_count = 1;
    def.contact = &law;
    def.M = complex_M;
    def.h = complex_h;
    def.energy = complex_energy;
    def.y = complex_y;
    if (with_W) def.W = complex_W;
    CHECK_OK(pc_add_callback(s, &def, &error), error);
    conformance options = default_conformance();
    options.tolerance = with_W ? 1e-8 : 1e-6;
    check_conformance(s, options);
    assert_true(pc_system_find_quantity(s, "table.sin") >= 0);
    assert_true(pc_system_find_quantity(s, "table.u.1") >= 0);
    pc_system_destroy(s);
  }
}

/* ---- several parts --------------------------------------------------------------------------- */

static void gear_y(const void* user, double t, const double* q, double* y)
{
  (void)user, (void)t;
  y[0] = q[2] - 2 * q[5] + q[6] * q[7]; /* angles of two bodies, and a product of polar ones */
}

static void callback_couples_parts_of_all_kinds(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(2);
  pc_part_id part[3];
  part[1] = make_body(s, "a", 0, 0, 0);
  part[2] = add_polar_coordinates(s);
  part[0] = make_body(s, "b", 1, 1, 1);
  pc_callback_def def = pc_default_callback_def();
  def.name = "gear";
  def.part_count = 3;
  def.part = part;
  def.g_count = 1;
  def.y = gear_y;
  CHECK_OK(pc_add_callback(s, &def, &error), error);
  check_conformance(s, (conformance){.spread = 0.4, .tolerance = 1e-6, .step = 1e-3});
  pc_system_destroy(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(callback_conforms_with_and_without_derivatives),
      cmocka_unit_test(differences_agree_with_given_derivatives),
      cmocka_unit_test(rows_with_positions_need_no_W),
      cmocka_unit_test(kinetic_energy_goes_with_the_mass_matrix),
      cmocka_unit_test(kinematics_of_a_unit_complex_number),
      cmocka_unit_test(callback_couples_parts_of_all_kinds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
