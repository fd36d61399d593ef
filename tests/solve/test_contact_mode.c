/* The branches of the laws of contact and their linear rows, against differences of the laws. */
#include "check.h"
#include "solve/contact_mode.h"
#include "solve/natural_map.h"
#include "solve/problems.h"

static void branches_are_those_of_the_cone(void** state)
{
  (void)state;
  double t[3] = {7, 7, 7};
  assert_int_equal(pc_contact_mode_of(2, 0.5, (double[]){0, 1, 1}, t), PC_CONTACT_OPEN);
  assert_int_equal(pc_contact_mode_of(2, 0.5, (double[]){-1, 0, 0}, t), PC_CONTACT_OPEN);
  assert_int_equal(pc_contact_mode_of(0, 0.5, (double[]){1}, t), PC_CONTACT_CLOSED);
  assert_int_equal(pc_contact_mode_of(2, 0, (double[]){1, 3, 4}, t), PC_CONTACT_CLOSED);
  assert_int_equal(pc_contact_mode_of(2, 0.6, (double[]){10, 3, 4}, t), PC_CONTACT_STICK);
  assert_int_equal(pc_contact_mode_of(3, 0.6, (double[]){10, 0, 3, 4}, t), PC_CONTACT_STICK);
  CHECK_NEAR(t[0], 7, 0); /* only slip has a direction */
  assert_int_equal(pc_contact_mode_of(2, 0.4, (double[]){10, 3, 4}, t), PC_CONTACT_SLIP);
  CHECK_NEAR(t[0], 0.6, 1e-15);
  CHECK_NEAR(t[1], 0.8, 1e-15);
  assert_int_equal(pc_contact_mode_of(1, 0.4, (double[]){10, -5}, t), PC_CONTACT_SLIP);
  CHECK_NEAR(t[0], -1, 0);
  /* on the boundary it slips, wherever round-off puts it */
  assert_int_equal(pc_contact_mode_of(2, 0.5, (double[]){10, 3, 4}, t), PC_CONTACT_SLIP);
  assert_int_equal(pc_contact_mode_of(2, 0.5, (double[]){NAN, 3, 4}, t), PC_CONTACT_OPEN);
}

/* What a mode demands: open z, closed and stick y_N and so on, at (z, y). */
static void law(pc_contact_mode mode, int d, double mu, double r, const double* z, const double* y,
                double* F)
{
  double p[PC_CONE_ROWS_MAX] = {0};
  for (int i = 0; i <= d; i++) p[i] = z[i] - r * y[i];
  double length = pc_euclidean_norm(d, &p[1]);
  F[0] = mode == PC_CONTACT_OPEN ? z[0] : y[0];
  for (int i = 1; i <= d; i++) {
    F[i] = z[i];
    if (mode == PC_CONTACT_STICK) F[i] = y[i];
    if (mode == PC_CONTACT_SLIP) F[i] = z[i] - mu * z[0] * p[i] / length;
  }
}

static void rows_are_the_derivatives_of_the_laws(void** state)
{
  (void)state;
  dice dd = {3};
  int seen[4] = {0};
  for (int trial = 0; trial < 400; trial++) {
    int d = below(&dd, 4), n = 1 + d;
    double mu = trial % 7 ? uniform(&dd, 0.1, 1.5) : 0, r = uniform(&dd, 0.3, 3);
    double z[4], y[4], p[4], t[3] = {0}, dz[4], dy[4], F[4], G[4];
    for (int i = 0; i < n; i++) {
      z[i] = i == 0 ? uniform(&dd, -0.5, 2) : uniform(&dd, -1, 1);
      y[i] = uniform(&dd, -1, 1);
      dz[i] = uniform(&dd, -1, 1);
      dy[i] = uniform(&dd, -1, 1);
      p[i] = z[i] - r * y[i];
    }
    pc_contact_mode mode = pc_contact_mode_of(d, mu, p, t);
    /* beyond |p_F| the radius is not believed, and below zero there is none: exact elsewhere
     * only */
    int limited = mode == PC_CONTACT_SLIP &&
                  (z[0] <= 0 || (d > 1 && mu * z[0] > pc_euclidean_norm(d, &p[1])));
    if (limited) continue;
    pc_law_rows rows;
    pc_contact_mode_rows(mode, d, mu, r, t, z, y, &rows);
    seen[mode]++;
    law(mode, d, mu, r, z, y, F);
    const double h = 1e-6;
    for (int i = 0; i < n; i++) {
      CHECK_NEAR(rows.rhs[i], -F[i], 1e-14);
      z[i] += h * dz[i];
      y[i] += h * dy[i];
    }
    law(mode, d, mu, r, z, y, F);
    for (int i = 0; i < n; i++) {
      z[i] -= 2 * h * dz[i];
      y[i] -= 2 * h * dy[i];
    }
    law(mode, d, mu, r, z, y, G);
    for (int i = 0; i < n; i++) {
      double slope = 0;
      for (int j = 0; j < n; j++) slope += rows.y[i * n + j] * dy[j] + rows.z[i * n + j] * dz[j];
      CHECK_NEAR(slope, (F[i] - G[i]) / (2 * h), 1e-7);
    }
  }
  for (int m = 0; m < 4; m++) assert_true(seen[m] > 10);
}

/* A point that meets the rows of its own mode is a zero of the natural map. */
static void zeros_of_the_rows_obey_the_laws(void** state)
{
  (void)state;
  const struct {
    double z[3], y[3];
  } points[] = {{{0, 0, 0}, {1, 2, 3}},        /* opens */
                {{2, 0.3, -0.2}, {0, 0, 0}},   /* sticks */
                {{2, 0.6, -0.8}, {0, -3, 4}}}; /* slips, against its friction */
  for (int k = 0; k < 3; k++) {
    double p[3], t[2] = {0};
    for (int i = 0; i < 3; i++) p[i] = points[k].z[i] - points[k].y[i];
    pc_law_rows rows;
    pc_contact_mode mode = pc_contact_mode_of(2, 0.5, p, t);
    pc_contact_mode_rows(mode, 2, 0.5, 1, t, points[k].z, points[k].y, &rows);
    for (int i = 0; i < 3; i++) CHECK_NEAR(rows.rhs[i], 0, 1e-15);
    CHECK_NEAR(pc_natural_map_of(2, 0.5, 1, points[k].z, points[k].y), 0, 1e-15);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(branches_are_those_of_the_cone),
                                     cmocka_unit_test(rows_are_the_derivatives_of_the_laws),
                                     cmocka_unit_test(zeros_of_the_rows_obey_the_laws)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
