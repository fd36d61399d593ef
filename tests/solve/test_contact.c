#include "check.h"
#include "solve/dense_work.h"
#include "solve/local_contact.h"
#include "solve/problems.h"

/* y = a P + q of one contact. */
static void local_velocity(int n, const double* a, const double* q, const double* P, double* y)
{
  for (int i = 0; i < n; i++) {
    y[i] = q[i];
    for (int j = 0; j < n; j++) y[i] += a[i * n + j] * P[j];
  }
}

/* A random block G'G of n rows from `dofs` degrees of freedom. */
static void random_block(dice* d, int n, int dofs, double* a)
{
  double g[4][5];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < dofs; k++) g[i][k] = uniform(d, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i * n + j] = 0;
      for (int k = 0; k < dofs; k++) a[i * n + j] += g[i][k] * g[j][k];
    }
}

static double relative_map(const pc_cone* cone, const double* a, const double* q, const double* P)
{
  int n = 1 + cone->dimension;
  double y[4], trace = 0;
  local_velocity(n, a, q, P, y);
  for (int i = 0; i < n; i++) trace += a[i * n + i];
  double mass = n / trace, scale = fmax(largest_entry(n, P), mass * largest_entry(n, q));
  return pc_natural_map(cone, mass, P, y) / scale;
}

static void frictionless_contact_force_is_never_tensile(void** state)
{
  (void)state;
  pc_cone cone = {.dimension = 0};
  double P = 7;
  pc_contact_solve(&cone, (double[]){4}, (double[]){-2}, &P);
  CHECK_NEAR(P, 0.5, 0);
  pc_contact_solve(&cone, (double[]){4}, (double[]){2}, &P);
  CHECK_NEAR(P, 0, 0);
  pc_contact_solve(&cone, (double[]){0}, (double[]){-2}, &P);
  CHECK_NEAR(P, 0, 0); /* nothing can move it */
}

static void planar_contact_sticks_and_slips_both_ways(void** state)
{
  (void)state;
  pc_cone cone = {.dimension = 1, .mu = 0.5};
  const double a[4] = {2, 0, 0, 2};
  double P[2] = {0, 0};
  pc_contact_solve(&cone, a, (double[]){-1, 0.2}, P);
  CHECK_NEAR(P[0], 0.5, 0);
  CHECK_NEAR(P[1], -0.1, 1e-17);
  pc_contact_solve(&cone, a, (double[]){-1, 4}, P);
  CHECK_NEAR(P[1], -0.25, 0);
  pc_contact_solve(&cone, a, (double[]){-1, -4}, P);
  CHECK_NEAR(P[1], 0.25, 0);
  pc_contact_solve(&cone, a, (double[]){1, -4}, P);
  CHECK_NEAR(P[0], 0, 0);
  CHECK_NEAR(P[1], 0, 0);
}

/* mu a_NF > a_NN: slip in one sense would need a percussion that pulls. */
static void planar_contact_survives_the_paradox_of_painleve(void** state)
{
  (void)state;
  pc_cone cone = {.dimension = 1, .mu = 1.6821094783817299};
  const double a[4] = {4.54, 3.16, 3.16, 2.31}, q[2] = {-0.595, -0.574};
  double P[2] = {0, 0};
  pc_contact_solve(&cone, a, q, P);
  assert_true(relative_map(&cone, a, q, P) < 1e-15);
  assert_true(P[0] > 0);
}

static void random_contacts_are_solved_to_round_off(void** state)
{
  (void)state;
  dice d = {5};
  for (int trial = 0; trial < 20000; trial++) {
    pc_cone cone = {.dimension = 1 + below(&d, 3), .mu = uniform(&d, 0, 1.5)};
    double a[16], q[4], P[4];
    random_block(&d, 1 + cone.dimension, 5, a);
    for (int i = 0; i < 4; i++) {
      q[i] = uniform(&d, -1, 1);
      P[i] = uniform(&d, -1, 1);
    }
    if (below(&d, 4) == 0) cone.mu = 0;
    pc_contact_solve(&cone, a, q, P);
    double found = relative_map(&cone, a, q, P);
    if (!(found <= 1e-13)) print_error("trial %d: %g\n", trial, found);
    assert_true(found <= 1e-13);
  }
}

/* Turns the friction axes by an angle. */
static void turn(double angle, const double* a, const double* q, double* turned_a, double* turned_q)
{
  double c = cos(angle), s = sin(angle);
  const double R[3][3] = {{1, 0, 0}, {0, c, s}, {0, -s, c}};
  for (int i = 0; i < 3; i++) {
    turned_q[i] = 0;
    for (int k = 0; k < 3; k++) turned_q[i] += R[i][k] * q[k];
    for (int j = 0; j < 3; j++) {
      turned_a[3 * i + j] = 0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) turned_a[3 * i + j] += R[i][k] * a[3 * k + l] * R[j][l];
    }
  }
}

static void slip_in_the_plane_does_not_see_the_axes(void** state)
{
  (void)state;
  dice d = {8};
  for (int trial = 0; trial < 2000; trial++) {
    pc_cone cone = {.dimension = 2, .mu = uniform(&d, 0, 0.6)};
    double a[9], b[9], q[3], r[3], P[3] = {0}, Q[3] = {0}, angle = uniform(&d, 0, 7);
    random_block(&d, 3, 4, a);
    for (int i = 0; i < 3; i++) a[4 * i] += 0.5;
    for (int i = 0; i < 3; i++) q[i] = uniform(&d, -1, 1);
    turn(angle, a, q, b, r);
    pc_contact_solve(&cone, a, q, P);
    pc_contact_solve(&cone, b, r, Q);
    CHECK_NEAR(Q[0], P[0], 1e-11);
    CHECK_NEAR(Q[1], cos(angle) * P[1] + sin(angle) * P[2], 1e-11);
    CHECK_NEAR(Q[2], cos(angle) * P[2] - sin(angle) * P[1], 1e-11);
  }
}

static void a_contact_of_a_sweep_keeps_the_inverse_of_its_block(void** state)
{
  (void)state;
  dice d = {7};
  for (int trial = 0; trial < 40; trial++) {
    int n = 2 + trial % 2;
    double a[9];
    pc_local_contact contact;
    random_block(&d, n, 5, a);
    pc_local_contact_prepare(&contact, n, a);
    assert_true(contact.is_regular);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += a[i * n + k] * contact.inverse[k * n + j];
        CHECK_NEAR(sum, i == j, 1e-9);
      }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frictionless_contact_force_is_never_tensile),
      cmocka_unit_test(planar_contact_sticks_and_slips_both_ways),
      cmocka_unit_test(planar_contact_survives_the_paradox_of_painleve),
      cmocka_unit_test(random_contacts_are_solved_to_round_off),
      cmocka_unit_test(a_contact_of_a_sweep_keeps_the_inverse_of_its_block),
      cmocka_unit_test(slip_in_the_plane_does_not_see_the_axes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
