#include "check.h"
#include "solve/problems.h"

/* One planar contact with A = diag(2, 2). */
static sample block(double mu, double b_N, double b_F)
{
  sample s;
  sample_clear(&s);
  sample_add(&s, 1, mu);
  *sample_entry(&s, 0, 0) = *sample_entry(&s, 1, 1) = 2;
  s.b[0] = b_N;
  s.b[1] = b_F;
  return s;
}

/* The pointers of a copied sample still show to the original. */
static double residual_of(sample* s, const double* P)
{
  s->problem.cone = s->cone;
  s->problem.A = s->A;
  s->problem.b = s->b;
  return pc_dense_residual(&s->problem, P);
}

static void residual_of_nothing_is_zero(void** state)
{
  (void)state;
  sample s = block(0.3, 0, 0);
  CHECK_NEAR(residual_of(&s, (double[]){0, 0}), 0, 0);
  pc_dense_problem empty = {0};
  CHECK_NEAR(pc_dense_residual(&empty, NULL), 0, 0);
}

static void residual_vanishes_for_stick_slip_and_open(void** state)
{
  (void)state;
  sample stick = block(0.5, -1, 0.2);
  CHECK_NEAR(residual_of(&stick, (double[]){0.5, -0.1}), 0, 1e-16);
  sample slip = block(0.5, -1, 4);
  CHECK_NEAR(residual_of(&slip, (double[]){0.5, -0.25}), 0, 1e-16);
  sample open = block(0.5, 1, 4);
  CHECK_NEAR(residual_of(&open, (double[]){0, 0}), 0, 0);
}

static void residual_has_the_value_of_the_definition(void** state)
{
  (void)state;
  /* m = 1/2, P = 0: natural map (-1/2, 0), scale m |b| = 2. */
  sample s = block(0.5, -1, 4);
  CHECK_NEAR(residual_of(&s, (double[]){0, 0}), 0.25, 1e-16);
  /* wrong sense of friction: P_F = 1/4, y_F = 4.5, z = -2, projected to -1/4 */
  CHECK_NEAR(residual_of(&s, (double[]){0.5, 0.25}), 0.25, 1e-16);
  /* pulling: |P_N| counts */
  sample open = block(0, 1, 0);
  CHECK_NEAR(residual_of(&open, (double[]){-1, 0}), 1, 1e-16);
}

/* A body in a corner of floor and wall, whose friction of 1 may hold any impulse: two contacts of
 * one body with unit inverse mass, the tangent of each along the normal of the other. */
static sample corner(double b_floor, double b_wall)
{
  sample s;
  sample_clear(&s);
  sample_add(&s, 1, 1);
  sample_add(&s, 1, 1);
  for (int i = 0; i < 4; i++) *sample_entry(&s, i, i) = 1;
  *sample_entry(&s, 0, 3) = *sample_entry(&s, 3, 0) = 1; /* the wall's tangent points up */
  *sample_entry(&s, 1, 2) = *sample_entry(&s, 2, 1) =
      1; /* the floor's tangent points off the wall */
  s.b[0] = s.b[3] = b_floor;
  s.b[1] = s.b[2] = b_wall;
  return s;
}

/* Impulses of 1e9 that cancel each other leave the laws violated by the whole velocity: relative to
 * the impulses that is 1e-9, to the velocities at hand 1. */
static void impulses_that_cancel_do_not_hide_an_error(void** state)
{
  (void)state;
  sample s = corner(-1, -1);
  double jam = 1e9, P[4] = {jam, -jam, jam, -jam};
  assert_true(residual_of(&s, P) > 0.5);
  s = corner(-1, 0); /* falls on the floor only: the same impulses may be added to the solution */
  double solution[4] = {1 + jam, -jam, jam, -jam};
  assert_true(residual_of(&s, solution) < 1e-12);
}

static void residual_does_not_depend_on_units(void** state)
{
  (void)state;
  dice d = {1};
  for (int trial = 0; trial < 100; trial++) {
    sample s;
    sample_clear(&s);
    for (int k = 0; k < 3; k++) {
      int dimension = below(&d, 3);
      sample_add(&s, dimension, uniform(&d, 0, 1));
    }
    sample_randomise(&s, &d, 5);
    double P[ROWS_MAX], scaled[ROWS_MAX];
    for (int i = 0; i < s.problem.row_count; i++) P[i] = uniform(&d, -1, 1);
    double before = residual_of(&s, P);
    CHECK_NEAR(before, judge(&s, P), 1e-13 * before);
    sample_scale(&s, 1e12, 1e-12);
    for (int i = 0; i < s.problem.row_count; i++) scaled[i] = 1e-24 * P[i];
    CHECK_NEAR(residual_of(&s, scaled), before, 1e-12 * before);
  }
}

static void residual_of_an_immovable_contact_is_finite(void** state)
{
  (void)state;
  sample s;
  sample_clear(&s);
  sample_add(&s, 1, 0.5);
  sample_add(&s, 1, 0.5);
  *sample_entry(&s, 0, 0) = *sample_entry(&s, 1, 1) = 4;
  s.b[0] = -4;
  s.b[2] = 1; /* opens, and slides */
  s.b[3] = 3;
  CHECK_NEAR(residual_of(&s, (double[]){1, 0, 0, 0}), 0, 1e-16);
  s.b[2] = -1; /* closes, and nothing can stop it: m = 1/4, m |b_N| = 1/4, scale 1 */
  CHECK_NEAR(residual_of(&s, (double[]){1, 0, 0, 0}), 0.25, 1e-16);
  memset(s.A, 0, sizeof s.A);
  assert_true(isfinite(residual_of(&s, (double[]){1, 0, 0, 0})));
}

static void residual_of_what_is_not_a_number_is_infinite(void** state)
{
  (void)state;
  double zero[2] = {0, 0};
  sample s = block(0.5, -1, 0.2);
  assert_true(residual_of(&s, (double[]){NAN, 0}) == INFINITY);
  assert_true(residual_of(&s, (double[]){0, INFINITY}) == INFINITY);
  s.b[1] = NAN;
  assert_true(residual_of(&s, zero) == INFINITY);
  s = block(0.5, 1, 0.2);
  s.A[2] = NAN;
  assert_true(residual_of(&s, zero) == INFINITY);
  s = block(0.5, 1, 0.2);
  s.b[0] = INFINITY;
  assert_true(residual_of(&s, zero) == INFINITY);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(residual_of_nothing_is_zero),
      cmocka_unit_test(residual_vanishes_for_stick_slip_and_open),
      cmocka_unit_test(residual_has_the_value_of_the_definition),
      cmocka_unit_test(impulses_that_cancel_do_not_hide_an_error),
      cmocka_unit_test(residual_does_not_depend_on_units),
      cmocka_unit_test(residual_of_an_immovable_contact_is_finite),
      cmocka_unit_test(residual_of_what_is_not_a_number_is_infinite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
