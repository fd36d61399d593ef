/* Anderson's acceleration on fixed point iterations whose solutions are known. */
#include "steps/anderson.h"

#include <math.h>

#include "check.h"

enum { N = 3 };

static const double weight[N] = {1, 4, 0.25};

/* G(x) = c + B x, whose fixed point is (1, 2, 3) for all rates; the slopes are the eigenvalues of
 * B. */
static void map(const double* slope, const double* x, double* g)
{
  for (int i = 0; i < N; i++) g[i] = (i + 1) * (1 - slope[i]) + slope[i] * x[i];
}

/* Iterations until all entries are within 1e-12, at most 100. */
static int iterate(const double* slope, int accelerated)
{
  pc_error error = {0};
  pc_anderson* a = NULL;
  double x[N] = {0, 0, 0};
  int count = 0;
  CHECK_OK(pc_anderson_create(N, &a, &error), error);
  pc_anderson_begin(a);
  for (; count < 100; count++) {
    double g[N];
    if (fabs(x[0] - 1) < 1e-12 && fabs(x[1] - 2) < 1e-12 && fabs(x[2] - 3) < 1e-12) break;
    pc_anderson_note(a, x);
    map(slope, x, g);
    if (accelerated) pc_anderson_mix(a, weight, g);
    for (int i = 0; i < N; i++) x[i] = g[i];
  }
  pc_anderson_destroy(a);
  return count;
}

/* Without round-off a linear map of N directions takes N + 1 differences: as many as GMRES. */
static void linear_maps_take_as_many_steps_as_directions(void** state)
{
  (void)state;
  const double slow[N] = {0.9, 0.99, -0.95}, diverging[N] = {-3, 1.5, 0.2};
  assert_int_equal(iterate(slow, 0), 100);
  assert_int_equal(iterate(diverging, 0), 100);
  assert_true(iterate(slow, 1) <= N + 4);
  assert_true(iterate(diverging, 1) <= N + 4);
}

/* cos(x) = x by the iteration x := 5 cos(x) - 4 x, which diverges. */
static void a_nonlinear_map_that_diverges_is_solved(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_anderson* a = NULL;
  double x = 0.5, one = 1;
  CHECK_OK(pc_anderson_create(1, &a, &error), error);
  pc_anderson_begin(a);
  for (int i = 0; i < 20; i++) {
    double g = 5 * cos(x) - 4 * x;
    pc_anderson_note(a, &x);
    pc_anderson_mix(a, &one, &g);
    x = g;
  }
  CHECK_NEAR(x, 0.73908513321516064, 1e-12);
  pc_anderson_destroy(a);
}

static void a_new_loop_forgets_the_old_one(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_anderson* a = NULL;
  double x = 1, g = 2, one = 1;
  CHECK_OK(pc_anderson_create(1, &a, &error), error);
  for (int loop = 0; loop < 2; loop++) {
    pc_anderson_begin(a);
    pc_anderson_note(a, &x);
    g = 2;
    assert_false(pc_anderson_mix(a, &one, &g)); /* nothing to learn from yet */
    CHECK_NEAR(g, 2, 0);
    pc_anderson_note(a, &g);
    double next = 2.5;
    assert_true(pc_anderson_mix(a, &one, &next));
  }
  pc_anderson_destroy(a);
  pc_anderson_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_maps_take_as_many_steps_as_directions),
      cmocka_unit_test(a_nonlinear_map_that_diverges_is_solved),
      cmocka_unit_test(a_new_loop_forgets_the_old_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
