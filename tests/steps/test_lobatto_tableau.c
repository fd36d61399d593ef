/* The Lobatto IIIA-IIIB coefficients, computed from the nodes, against the order conditions. */
#include "check.h"
#include "steps/lobatto_tableau.h"

static const int sizes[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 20};
enum { SIZE_COUNT = sizeof sizes / sizeof *sizes };

static pc_tableau* make(int s)
{
  pc_error error = {0};
  pc_tableau* t;
  CHECK_OK(pc_tableau_create(s, &t, &error), error);
  assert_int_equal(t->s, s);
  return t;
}

typedef void check_fn(const pc_tableau* t);

static void for_all_sizes(check_fn* check)
{
  for (int i = 0; i < SIZE_COUNT; i++) {
    pc_tableau* t = make(sizes[i]);
    check(t);
    pc_tableau_destroy(t);
  }
}

/* B(2s-2): sum_i b_i c_i^(k-1) = 1/k, and not one power more. */
static double quadrature_defect(const pc_tableau* t, int k)
{
  double sum = 0;
  for (int i = 0; i < t->s; i++) sum += t->b[i] * pow(t->c[i], k - 1);
  return sum - 1.0 / k;
}

static void check_quadrature(const pc_tableau* t)
{
  for (int k = 1; k <= 2 * t->s - 2; k++) CHECK_NEAR(quadrature_defect(t, k), 0, 2e-15);
  if (t->s <= 5) assert_true(fabs(quadrature_defect(t, 2 * t->s - 1)) > 1e-6);
}

static void quadrature_has_order_2s_minus_2(void** state)
{
  (void)state;
  for_all_sizes(check_quadrature);
}

/* C(n): sum_j a_ij c_j^(k-1) = c_i^k/k for k <= n. */
static void check_C(const pc_tableau* t, const double* a, int n)
{
  for (int k = 1; k <= n; k++)
    for (int i = 0; i < t->s; i++) {
      double sum = 0;
      for (int j = 0; j < t->s; j++) sum += a[i * t->s + j] * pow(t->c[j], k - 1);
      CHECK_NEAR(sum, pow(t->c[i], k) / k, 1e-14);
    }
}

/* D(n): sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k)/k for k <= n. */
static void check_D(const pc_tableau* t, const double* a, int n)
{
  for (int k = 1; k <= n; k++)
    for (int j = 0; j < t->s; j++) {
      double sum = 0;
      for (int i = 0; i < t->s; i++) sum += t->b[i] * pow(t->c[i], k - 1) * a[i * t->s + j];
      CHECK_NEAR(sum, t->b[j] * (1 - pow(t->c[j], k)) / k, 1e-14);
    }
}

static void check_IIIA(const pc_tableau* t)
{
  check_C(t, t->a, t->s);
  check_D(t, t->a, t->s - 2);
}

static void check_IIIB(const pc_tableau* t)
{
  check_C(t, t->a_hat, t->s - 2);
  check_D(t, t->a_hat, t->s);
}

static void simplifying_assumptions_of_IIIA_hold(void** state)
{
  (void)state;
  for_all_sizes(check_IIIA);
}

static void simplifying_assumptions_of_IIIB_hold(void** state)
{
  (void)state;
  for_all_sizes(check_IIIB);
}

static void check_symplectic(const pc_tableau* t)
{
  for (int i = 0; i < t->s; i++)
    for (int j = 0; j < t->s; j++)
      CHECK_NEAR(t->b[i] * t->a_hat[i * t->s + j] + t->b[j] * t->a[j * t->s + i], t->b[i] * t->b[j],
                 1e-16);
}

static void the_pair_is_symplectic(void** state)
{
  (void)state;
  for_all_sizes(check_symplectic);
}

/* With x = sum_j a^_ij/b_j k_j, rows of L give back k, and 0 in the last place. */
static void check_inverse(const pc_tableau* t)
{
  int s = t->s;
  for (int r = 0; r < s; r++)
    for (int j = 0; j < s - 1; j++) {
      double sum = 0;
      for (int i = 0; i < s; i++) sum += t->L[r * s + i] * t->a_hat[i * s + j] / t->b[j];
      CHECK_NEAR(sum, r == j, 1e-13);
    }
}

static void L_solves_IIIB_for_the_forces(void** state)
{
  (void)state;
  for_all_sizes(check_inverse);
}

/* What the splitting into two stages rests on is exact: Q_1 = q_n, Q_s = q_n+1, V without F_s. */
static void check_structure(const pc_tableau* t)
{
  int s = t->s;
  assert_true(t->c[0] == 0 && t->c[s - 1] == 1);
  for (int i = 0; i < s; i++) {
    assert_true(t->b[i] > 0);
    assert_true(i == 0 || t->c[i] > t->c[i - 1]);
    assert_true(t->a[i] == 0);
    assert_true(t->a[(s - 1) * s + i] == t->b[i]);
    assert_true(t->a_hat[i * s + s - 1] == 0);
    CHECK_NEAR(t->a_hat[i * s], t->b[0], 1e-16);
  }
}

static void first_and_last_rows_and_columns_are_exact(void** state)
{
  (void)state;
  for_all_sizes(check_structure);
}

static void check_symmetry(const pc_tableau* t)
{
  int s = t->s;
  for (int i = 0; i < s; i++) {
    CHECK_NEAR(t->c[i] + t->c[s - 1 - i], 1, 1.2e-16);
    CHECK_NEAR(t->b[i], t->b[s - 1 - i], 0);
    for (int j = 0; j < s; j++) {
      int opposite = (s - 1 - i) * s + s - 1 - j;
      CHECK_NEAR(t->a[i * s + j] + t->a[opposite], t->b[j], 1e-15);
      CHECK_NEAR(t->a_hat[i * s + j] + t->a_hat[opposite], t->b[j], 1e-14);
    }
  }
}

static void both_methods_are_symmetric(void** state)
{
  (void)state;
  for_all_sizes(check_symmetry);
}

static void check_values(int s, const double* c, const double* b, const double* a,
                         const double* a_hat)
{
  pc_tableau* t = make(s);
  for (int i = 0; i < s; i++) {
    CHECK_NEAR(t->c[i], c[i], 2e-16);
    CHECK_NEAR(t->b[i], b[i], 2e-16);
  }
  for (int i = 0; i < s * s; i++) {
    CHECK_NEAR(t->a[i], a[i], 2e-16);
    CHECK_NEAR(t->a_hat[i], a_hat[i], 6e-16);
  }
  pc_tableau_destroy(t);
}

/* Hairer, Wanner: Solving Ordinary Differential Equations II, tables IV.5.7 to IV.5.10. */
static void published_values_come_out(void** state)
{
  (void)state;
  const double r = sqrt(5);
  check_values(2, (double[]){0, 1}, (double[]){0.5, 0.5}, (double[]){0, 0, 0.5, 0.5},
               (double[]){0.5, 0, 0.5, 0});
  check_values(3, (double[]){0, 0.5, 1}, (double[]){1. / 6, 2. / 3, 1. / 6},
               (double[]){0, 0, 0, 5. / 24, 1. / 3, -1. / 24, 1. / 6, 2. / 3, 1. / 6},
               (double[]){1. / 6, -1. / 6, 0, 1. / 6, 1. / 3, 0, 1. / 6, 5. / 6, 0});
  const double a_4[] = {0,
                        0,
                        0,
                        0,
                        (11 + r) / 120,
                        (25 - r) / 120,
                        (25 - 13 * r) / 120,
                        (-1 + r) / 120,
                        (11 - r) / 120,
                        (25 + 13 * r) / 120,
                        (25 + r) / 120,
                        (-1 - r) / 120,
                        1. / 12,
                        5. / 12,
                        5. / 12,
                        1. / 12};
  const double a_hat_4[] = {1. / 12, (-1 - r) / 24,       (-1 + r) / 24,       0,
                            1. / 12, (25 + r) / 120,      (25 - 13 * r) / 120, 0,
                            1. / 12, (25 + 13 * r) / 120, (25 - r) / 120,      0,
                            1. / 12, (11 - r) / 24,       (11 + r) / 24,       0};
  check_values(4, (double[]){0, (5 - r) / 10, (5 + r) / 10, 1},
               (double[]){1. / 12, 5. / 12, 5. / 12, 1. / 12}, a_4, a_hat_4);
}

static void fewer_than_two_stages_are_refused(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_tableau* t;
  for (int s = -1; s < 2; s++) {
    assert_int_equal(pc_tableau_create(s, &t, &error), PC_BAD_ARGUMENT);
    assert_null(t);
  }
  pc_tableau_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quadrature_has_order_2s_minus_2),
      cmocka_unit_test(simplifying_assumptions_of_IIIA_hold),
      cmocka_unit_test(simplifying_assumptions_of_IIIB_hold),
      cmocka_unit_test(the_pair_is_symplectic),
      cmocka_unit_test(L_solves_IIIB_for_the_forces),
      cmocka_unit_test(first_and_last_rows_and_columns_are_exact),
      cmocka_unit_test(both_methods_are_symmetric),
      cmocka_unit_test(published_values_come_out),
      cmocka_unit_test(fewer_than_two_stages_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
