/* The terms of a system against the formulas of its elements written down once more, globally. */
#include "system/terms.h"

#include <string.h>

#include "linalg/dense.h"
#include "parts.h"

enum { N = 6, ROWS = 8 };

/* Bowl "one" sees a (0, 1) and c (3, 4, 5); bowl "two" sees b (2) and c. */
static const int of_one[] = {0, 1, 3, 4, 5}, of_two[] = {2, 3, 4, 5};
static const double q[N] = {0.3, -0.2, 0.7, 1.1, -0.4, 0.25};
static const double u[N] = {1.5, 0.4, -0.8, 0.3, 2.0, -1.2};
static const double a[N] = {0.2, 0.9, -1.0, 0.6, 0.1, 0.5};

static pc_system* two_bowls(void)
{
  pc_system_def def = pc_default_system_def();
  pc_system* system = NULL;
  pc_error error = {0};
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  pc_part_id pa = add_part(system, "a", 2, 0), pb = add_part(system, "b", 1, 0),
             pc = add_part(system, "c", 3, 0);
  CHECK_OK(add_bowl(system, "one", 2, (pc_part_id[]){pa, pc}, 5, "first", &error), error);
  CHECK_OK(add_bowl(system, "two", 2, (pc_part_id[]){pb, pc}, 4, "second", &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  return system;
}

static pc_terms* all_terms(const pc_system* system, double t)
{
  pc_terms* terms = NULL;
  pc_error error = {0};
  CHECK_OK(pc_terms_create(system, PC_TERM_ALL, &terms, &error), error);
  pc_terms_evaluate(terms, &(pc_at){t, q, u, a});
  return terms;
}

static double h_of(int count, const int* index, int i)
{
  double sum = 0;
  int mine = 0;
  for (int k = 0; k < count; k++) {
    sum += q[index[k]];
    if (index[k] == i) mine = 1;
  }
  return mine ? -sum * sum / 2 - q[i] - 0.1 * u[i] : 0;
}

/* The bowls share c, so all six velocities are one body. */
static void the_mass_of_a_body_is_its_part_of_M(void** state)
{
  (void)state;
  pc_system* system = two_bowls();
  pc_terms* terms = all_terms(system, 0.5);
  int first[N + 1];
  assert_int_equal(pc_system_find_bodies(system, first), 1);
  double dense[N * N] = {0}, body[N * N] = {0};
  pc_terms_add_dense(terms, PC_TERM_M, 1, dense);
  pc_terms_add_M_of_body(terms, 0, N, body);
  for (int i = 0; i < N * N; i++) CHECK_NEAR(body[i], dense[i], 0);
  pc_terms_destroy(terms);
  pc_system_destroy(system);
}

/* m, m, m, A, B, C of a body in space, one after the other, and not a matrix of 36 numbers. */
static void the_mass_of_a_body_about_its_centre_is_its_diagonal(void** state)
{
  (void)state;
  enum { BODY = 6 };
  static const double principal[BODY] = {2, 2, 2, 0.1, 0.2, 0.25};
  static const double place[7] = {0, 0, 0, 1}, speed[BODY] = {1, -2, 3, 4, -5, 6};
  pc_system_def def = pc_default_system_def();
  pc_system* system = NULL;
  pc_terms* terms = NULL;
  pc_error error = {0};
  pc_part_id part;
  def.dimension = 3;
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  pc_spatial_body_def body = pc_default_spatial_body_def();
  body.name = "stone";
  body.mass = principal[0];
  for (int i = 0; i < 3; i++) body.inertia[4 * i] = principal[3 + i];
  CHECK_OK(pc_add_spatial_body(system, &body, &part, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  CHECK_OK(pc_terms_create(system, PC_TERM_M | PC_TERM_H, &terms, &error), error);
  pc_terms_evaluate(terms, &(pc_at){0, place, speed, NULL});
  double space[PC_THIN_MOST * PC_THIN_MOST], dense[BODY * BODY] = {0}, momentum[BODY] = {0};
  const double *M = pc_terms_M(terms, 0, space), *thin = pc_terms_thin_M(terms, 0);
  pc_terms_add_dense(terms, PC_TERM_M, 1, dense);
  pc_terms_add_M_times(terms, speed, momentum);
  assert_null(pc_terms_local(terms, 0)->M);
  assert_non_null(thin);
  for (int i = 0; i < BODY; i++) {
    CHECK_NEAR(thin[i], principal[i], 0);
    CHECK_NEAR(momentum[i], principal[i] * speed[i], 0);
    for (int j = 0; j < BODY; j++) {
      CHECK_NEAR(M[i * BODY + j], i == j ? principal[i] : 0, 0);
      CHECK_NEAR(dense[i * BODY + j], M[i * BODY + j], 0);
    }
  }
  pc_terms_destroy(terms);
  pc_system_destroy(system);
}

static void forces_of_several_elements_add_up(void** state)
{
  (void)state;
  pc_system* system = two_bowls();
  pc_terms* terms = all_terms(system, 0.5);
  for (int i = 0; i < N; i++)
    CHECK_NEAR(terms->h[i], h_of(5, of_one, i) + h_of(4, of_two, i), 1e-15);
  pc_terms_destroy(terms);
  pc_system_destroy(system);
}

static void matrices_are_scattered_to_their_coordinates(void** state)
{
  (void)state;
  pc_system* system = two_bowls();
  pc_terms* terms = all_terms(system, 0.5);
  double M[N * N] = {0}, Ma_q[N * N] = {0}, h_q[N * N] = {0}, product[N] = {0};
  pc_terms_add_dense(terms, PC_TERM_M, 1, M);
  pc_terms_add_dense(terms, PC_TERM_MA_Q, 1, Ma_q);
  pc_terms_add_dense(terms, PC_TERM_H_Q, 1, h_q);
  pc_terms_add_M_times(terms, u, product);
  int times[N] = {1, 1, 1, 2, 2, 2};
  double sum_one = q[0] + q[1] + q[3] + q[4] + q[5], sum_two = q[2] + q[3] + q[4] + q[5];
  for (int i = 0; i < N; i++) {
    CHECK_NEAR(M[i * N + i], times[i] * (1 + q[i] * q[i]), 1e-15);
    CHECK_NEAR(Ma_q[i * N + i], times[i] * 2 * q[i] * a[i], 1e-15);
    CHECK_NEAR(product[i], M[i * N + i] * u[i], 1e-15);
  }
  CHECK_NEAR(h_q[3 * N + 4], -sum_one - sum_two, 1e-15);
  CHECK_NEAR(h_q[0 * N + 4], -sum_one, 1e-15);
  CHECK_NEAR(h_q[4 * N + 2], -sum_two, 1e-15);
  CHECK_NEAR(h_q[0 * N + 2], 0, 0);
  pc_terms_destroy(terms);
  pc_system_destroy(system);
}

static void rows_know_their_positions_and_velocities(void** state)
{
  (void)state;
  pc_system* system = two_bowls();
  double t = 0.5;
  pc_terms* terms = all_terms(system, t);
  double g = -t * t, gap = t, gamma = t, g_dot = -2 * t, slip = t * q[2];
  for (int k = 0; k < 4; k++) {
    double x = q[of_two[k]], v = u[of_two[k]];
    g += x * x;
    g_dot += 2 * x * v;
    gamma += x * v;
    gap += (k + 1) * x * x;
    slip += x * x * v;
  }
  CHECK_NEAR(terms->y[1], g, 1e-15); /* rows 0, 1: g; 2, 3: gamma; 4, 5 and 6, 7: contacts */
  CHECK_NEAR(pc_terms_row_velocity(terms, 1, u), g_dot, 1e-15);
  CHECK_NEAR(pc_terms_row_velocity(terms, 3, u), gamma, 1e-15);
  CHECK_NEAR(terms->y[6], gap, 1e-15);
  CHECK_NEAR(terms->y[7], 0, 0);
  CHECK_NEAR(pc_terms_row_velocity(terms, 7, u), slip, 1e-15);
  pc_terms_destroy(terms);
  pc_system_destroy(system);
}

/* y'' = W . u' + zeta: the row velocity differentiated along a motion. */
static void zeta_is_the_rate_of_the_row_velocity(void** state)
{
  (void)state;
  pc_system* system = two_bowls();
  double t = 0.5, step = 1e-6, velocity[2][ROWS], zeta[ROWS];
  pc_terms* terms = all_terms(system, t);
  for (int r = 0; r < ROWS; r++) zeta[r] = terms->zeta[r];
  for (int side = 0; side < 2; side++) {
    double s = side ? step : -step, moved[N];
    for (int i = 0; i < N; i++) moved[i] = q[i] + s * u[i];
    pc_terms_evaluate(terms, &(pc_at){t + s, moved, u, a});
    for (int r = 0; r < ROWS; r++) velocity[side][r] = pc_terms_row_velocity(terms, r, u);
  }
  for (int r = 0; r < ROWS; r++)
    CHECK_NEAR((velocity[1][r] - velocity[0][r]) / (2 * step), zeta[r], 1e-8);
  pc_terms_destroy(terms);
  pc_system_destroy(system);
}

static void derivatives_of_rows_agree_with_differences(void** state)
{
  (void)state;
  pc_system* system = two_bowls();
  double t = 0.5, step = 1e-6, lambda[ROWS] = {1, -2, 0.5, 0.3, 2, -1, 0.7, 1.1};
  double slope[ROWS][N] = {{0}}, W_lambda_q[N * N] = {0}, numeric[N * N] = {0};
  pc_terms* terms = all_terms(system, t);
  pc_terms_add_W_lambda_q(terms, lambda, W_lambda_q);
  for (int r = 0; r < ROWS; r++) {
    double value[N];
    pc_row row = pc_terms_row_velocity_q(terms, r, u, value);
    pc_row_add(row, 1, slope[r]);
  }
  for (int k = 0; k < N; k++) {
    double difference[ROWS] = {0};
    for (int side = -1; side <= 1; side += 2) {
      double moved[N], force[N] = {0};
      memcpy(moved, q, sizeof moved);
      moved[k] += side * step;
      pc_terms_evaluate(terms, &(pc_at){t, moved, u, a});
      for (int r = 0; r < ROWS; r++) {
        difference[r] += side * pc_terms_row_velocity(terms, r, u) / (2 * step);
        pc_row_add(terms->row[r], lambda[r], force);
      }
      for (int i = 0; i < N; i++) numeric[i * N + k] += side * force[i] / (2 * step);
    }
    for (int r = 0; r < ROWS; r++) CHECK_NEAR(slope[r][k], difference[r], 1e-8);
  }
  for (int i = 0; i < N * N; i++) CHECK_NEAR(W_lambda_q[i], numeric[i], 1e-8);
  pc_terms_destroy(terms);
  pc_system_destroy(system);
}

/* The tangent solved by parts equals the dense matrix solved as a whole. */
static void tangent_agrees_with_the_dense_matrix(void** state)
{
  (void)state;
  pc_system* system = two_bowls();
  pc_error error = {0};
  pc_terms* terms = all_terms(system, 0.5);
  pc_assembly* tangent = NULL;
  CHECK_OK(pc_system_create_tangent(system, &tangent, &error), error);
  pc_at at = {0.5, q, u, NULL};
  pc_terms_tangent(terms, &at, 1, 0.3, 0.09, tangent);
  assert_int_equal(pc_assembly_factor(tangent), PC_OK);
  double dense[N * N] = {0}, x[N], y[N];
  int pivot[N];
  pc_terms_add_dense(terms, PC_TERM_M, 1, dense);
  pc_terms_add_dense(terms, PC_TERM_H_U, -0.3, dense);
  pc_terms_add_dense(terms, PC_TERM_H_Q, -0.09, dense);
  memcpy(x, a, sizeof x);
  memcpy(y, a, sizeof y);
  assert_int_equal(pc_lu_factor(N, dense, pivot), PC_OK);
  pc_lu_solve(N, dense, pivot, x);
  pc_assembly_solve(tangent, y);
  for (int i = 0; i < N; i++) CHECK_NEAR(y[i], x[i], 1e-14);
  pc_assembly_destroy(tangent);
  pc_terms_destroy(terms);
  pc_system_destroy(system);
}

static void a_mask_leaves_out_the_rest(void** state)
{
  (void)state;
  pc_system* system = two_bowls();
  pc_terms* terms = NULL;
  pc_error error = {0};
  CHECK_OK(pc_terms_create(system, PC_TERM_Y, &terms, &error), error);
  pc_terms_evaluate(terms, &(pc_at){0.5, q, NULL, NULL});
  assert_null(pc_terms_local(terms, 0)->M);
  assert_null(pc_terms_local(terms, 0)->W);
  assert_true(terms->y[0] != 0);
  assert_null(terms->h);
  pc_terms_destroy(terms);
  pc_system_destroy(system);
}

static void constant_terms_survive_further_evaluations(void** state)
{
  (void)state;
  pc_system* system = two_bowls();
  pc_terms* terms = all_terms(system, 0.5);
  pc_terms_evaluate(terms, &(pc_at){0.7, u, q, a});
  double h_u[N * N] = {0};
  pc_terms_add_dense(terms, PC_TERM_H_U, 1, h_u);
  CHECK_NEAR(h_u[0], -0.1, 0);
  CHECK_NEAR(h_u[3 * N + 3], -0.2, 0);
  assert_int_equal(pc_system_constant(system), PC_TERM_H_U);
  pc_terms_destroy(terms);
  pc_system_destroy(system);
}

static void what_is_not_finite_is_named(void** state)
{
  (void)state;
  pc_system* system = two_bowls();
  pc_terms* terms = all_terms(system, 0.5);
  char where[100];
  assert_int_equal(pc_find_not_finite(terms, &(pc_at){0.5, q, u, NULL}, where, sizeof where), 0);
  double bad[N];
  memcpy(bad, q, sizeof bad);
  bad[2] = NAN;
  assert_int_equal(pc_find_not_finite(terms, &(pc_at){0.5, bad, u, NULL}, where, sizeof where), 1);
  assert_string_equal(where, "the state of 'b'");
  memcpy(bad, q, sizeof bad);
  bad[2] = 1e200; /* its square overflows in the mass matrix of the second bowl alone */
  assert_int_equal(pc_find_not_finite(terms, &(pc_at){0.5, bad, u, NULL}, where, sizeof where), 1);
  assert_string_equal(where, "M of bowl 'two'");
  pc_terms_destroy(terms);
  pc_system_destroy(system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_mass_of_a_body_is_its_part_of_M),
      cmocka_unit_test(the_mass_of_a_body_about_its_centre_is_its_diagonal),
      cmocka_unit_test(forces_of_several_elements_add_up),
      cmocka_unit_test(matrices_are_scattered_to_their_coordinates),
      cmocka_unit_test(rows_know_their_positions_and_velocities),
      cmocka_unit_test(zeta_is_the_rate_of_the_row_velocity),
      cmocka_unit_test(derivatives_of_rows_agree_with_differences),
      cmocka_unit_test(tangent_agrees_with_the_dense_matrix),
      cmocka_unit_test(a_mask_leaves_out_the_rest),
      cmocka_unit_test(constant_terms_survive_further_evaluations),
      cmocka_unit_test(what_is_not_finite_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
