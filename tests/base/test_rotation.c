/* Rotations against differences and against each other. */
#include "base/rotation.h"
#include "check.h"

static const double quaternion[][4] = {{1, 0, 0, 0},        {0.3, -0.7, 1.1, 0.4},
                                       {0, 0, 2, 0},        {-0.9, 0.1, 0.2, -1.7},
                                       {1e-3, 0, 0, -1e-3}, {0.5, 0.5, 0.5, -0.5}};
static const double vector[][3] = {{0, 0, 0},       {1e-9, -2e-9, 1e-10}, {0.01, 0.02, -0.03},
                                   {0.04, 0.01, 0}, {0.3, -1.2, 0.9},     {0.03, 0.04, 0.001},
                                   {-1.5, 2, 1.1},  {3, 0.4, -0.1}};
enum {
  QUATERNIONS = sizeof quaternion / sizeof *quaternion,
  VECTORS = sizeof vector / sizeof *vector
};

static void same(int count, const double* x, const double* y, double tolerance)
{
  for (int i = 0; i < count; i++) CHECK_NEAR(x[i], y[i], tolerance);
}

static void matrix_is_a_rotation_whatever_the_length(void** state)
{
  (void)state;
  for (int k = 0; k < QUATERNIONS; k++) {
    double A[9], B[9], p[4], c[3];
    pc_rotation_matrix(quaternion[k], A);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        CHECK_NEAR(A[3 * i] * A[3 * j] + A[3 * i + 1] * A[3 * j + 1] + A[3 * i + 2] * A[3 * j + 2],
                   i == j, 1e-15);
    pc_cross(A, A + 3, c);
    same(3, c, A + 6, 1e-15);
    for (int i = 0; i < 4; i++) p[i] = -3.7 * quaternion[k][i];
    pc_rotation_matrix(p, B);
    same(9, A, B, 2e-15);
  }
}

/* A turn by 90 degrees about z takes x to y. */
static void turn_about_z_takes_x_to_y(void** state)
{
  (void)state;
  double p[4], A[9], y[3];
  pc_rotation_exp((const double[3]){0, 0, acos(0)}, p);
  pc_rotation_matrix(p, A);
  pc_rotation_apply(A, (const double[3]){1, 0, 0}, y);
  same(3, y, (const double[3]){0, 1, 0}, 1e-15);
  pc_rotation_apply_inverse(A, (const double[3]){0, 1, 0}, y);
  same(3, y, (const double[3]){1, 0, 0}, 1e-15);
}

/* A(p(t + h)) against A + h A [w]x, and |p| constant along p'. */
static void rate_turns_the_matrix_and_keeps_the_length(void** state)
{
  (void)state;
  const double w[3] = {0.4, -1.3, 0.7}, h = 1e-4;
  for (int k = 0; k < QUATERNIONS; k++) {
    double A[9], plus[9], minus[9], rate[4], p[4], column[3], turned[3], along = 0;
    pc_rotation_matrix(quaternion[k], A);
    pc_rotation_rate(quaternion[k], w, rate);
    for (int i = 0; i < 4; i++) along += rate[i] * quaternion[k][i];
    CHECK_NEAR(along, 0, 1e-15);
    for (int i = 0; i < 4; i++) p[i] = quaternion[k][i] + h * rate[i];
    pc_rotation_matrix(p, plus);
    for (int i = 0; i < 4; i++) p[i] = quaternion[k][i] - h * rate[i];
    pc_rotation_matrix(p, minus);
    for (int j = 0; j < 3; j++) {
      const double axis[3] = {j == 0, j == 1, j == 2};
      pc_cross(w, axis, column);
      pc_rotation_apply(A, column, turned);
      for (int i = 0; i < 3; i++)
        CHECK_NEAR((plus[3 * i + j] - minus[3 * i + j]) / (2 * h), turned[i], 1e-8);
    }
  }
}

static void turns_invert_the_rate_in_either_frame(void** state)
{
  (void)state;
  const double w[3] = {0.4, -1.3, 0.7};
  for (int k = 0; k < QUATERNIONS; k++) {
    double rate[4], S[12], A[9], inertial[3];
    pc_rotation_rate(quaternion[k], w, rate);
    pc_rotation_matrix(quaternion[k], A);
    pc_rotation_apply(A, w, inertial);
    for (int frame = 0; frame < 2; frame++) {
      if (frame)
        pc_rotation_turn_inertial(quaternion[k], S);
      else
        pc_rotation_turn(quaternion[k], S);
      for (int i = 0; i < 3; i++) {
        double turn = 0, radial = 0;
        for (int j = 0; j < 4; j++) turn += S[4 * i + j] * rate[j];
        for (int j = 0; j < 4; j++) radial += S[4 * i + j] * quaternion[k][j];
        CHECK_NEAR(turn, frame ? inertial[i] : w[i], 1e-14);
        CHECK_NEAR(radial, 0, 1e-15);
      }
    }
  }
}

static void product_is_the_product_of_the_matrices(void** state)
{
  (void)state;
  for (int k = 0; k + 1 < QUATERNIONS; k++) {
    double A[9], B[9], C[9], p[4], y[3], z[3];
    pc_quaternion_product(quaternion[k], quaternion[k + 1], p);
    pc_rotation_matrix(quaternion[k], A);
    pc_rotation_matrix(quaternion[k + 1], B);
    pc_rotation_matrix(p, C);
    const double x[3] = {0.3, -1, 0.7};
    pc_rotation_apply(B, x, y);
    pc_rotation_apply(A, y, z);
    pc_rotation_apply(C, x, y);
    same(3, y, z, 1e-14);
  }
}

static void logarithm_inverts_the_exponential(void** state)
{
  (void)state;
  for (int k = 0; k < VECTORS; k++) {
    double p[4], v[3];
    pc_rotation_exp(vector[k], p);
    CHECK_NEAR(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3], 1, 1e-15);
    for (int i = 0; i < 4; i++) p[i] *= k % 2 ? -1.5 : 1;
    pc_rotation_log(p, v);
    same(3, v, vector[k], 1e-14);
  }
}

/* T v' against the angular velocity of exp(v + h v'), by fourth-order differences of p. */
static void tangent_is_the_angular_velocity(void** state)
{
  (void)state;
  const double rate[3] = {0.7, -0.2, 0.5}, h = 1e-3;
  const double offset[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
  for (int k = 0; k < VECTORS; k++) {
    double p[4], p_dot[4] = {0, 0, 0, 0}, moved[3], S[12], T[9], w[3];
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i < 3; i++) moved[i] = vector[k][i] + offset[s] * h * rate[i];
      pc_rotation_exp(moved, p);
      for (int i = 0; i < 4; i++) p_dot[i] += weight[s] * p[i] / (12 * h);
    }
    pc_rotation_exp(vector[k], p);
    pc_rotation_turn(p, S);
    pc_rotation_tangent(vector[k], T);
    pc_rotation_apply(T, rate, w);
    for (int i = 0; i < 3; i++) {
      double expected = 0;
      for (int j = 0; j < 4; j++) expected += S[4 * i + j] * p_dot[j];
      CHECK_NEAR(w[i], expected, 1e-11);
    }
  }
}

static void tangent_times_its_inverse_is_one(void** state)
{
  (void)state;
  for (int k = 0; k < VECTORS; k++) {
    double T[9], inverse[9];
    pc_rotation_tangent(vector[k], T);
    pc_rotation_tangent_inverse(vector[k], inverse);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        double sum = 0;
        for (int m = 0; m < 3; m++) sum += T[3 * i + m] * inverse[3 * m + j];
        CHECK_NEAR(sum, i == j, 1e-13);
      }
  }
}

static void basis_is_orthonormal(void** state)
{
  (void)state;
  for (int k = 0; k < QUATERNIONS; k++) {
    double A[9], a[3], b[3], n[3];
    pc_rotation_matrix(quaternion[k], A);
    pc_basis_of(A, a, b);
    pc_cross(a, b, n);
    same(3, n, A, 1e-15);
    CHECK_NEAR(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], 0, 1e-15);
  }
  double a[3], b[3];
  pc_basis_of((const double[3]){0, 0, 1}, a, b);
  same(3, a, (const double[3]){1, 0, 0}, 0);
  same(3, b, (const double[3]){0, 1, 0}, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrix_is_a_rotation_whatever_the_length),
      cmocka_unit_test(turn_about_z_takes_x_to_y),
      cmocka_unit_test(rate_turns_the_matrix_and_keeps_the_length),
      cmocka_unit_test(turns_invert_the_rate_in_either_frame),
      cmocka_unit_test(product_is_the_product_of_the_matrices),
      cmocka_unit_test(logarithm_inverts_the_exponential),
      cmocka_unit_test(tangent_is_the_angular_velocity),
      cmocka_unit_test(tangent_times_its_inverse_is_one),
      cmocka_unit_test(basis_is_orthonormal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
