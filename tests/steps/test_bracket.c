/* Fixed points of maps that jump: a relay whose state follows from its own output. */
#include "steps/bracket.h"

#include <math.h>

#include "check.h"

enum { N = 2 };

static const double weight[N] = {1, 3};

/* G(x) = a where the switch is on, b where it is off; it is on where h.x < level. P is 1 or -1. On
 * the line between a and b the fixed point of the closed graph has h.x = level. */
static void relay(const double* x, double level, double* g, double* P)
{
  const double a[N] = {1, 0.5}, b[N] = {-2, -0.7};
  int on = 2 * x[0] + 0.3 * x[1] < level;
  for (int i = 0; i < N; i++) g[i] = on ? a[i] : b[i];
  P[0] = on ? 1 : -1;
}

static void a_jump_is_bracketed_and_its_ends_combined(void** state)
{
  (void)state;
  const double level = 0.4;
  pc_error error = {0};
  pc_bracket* b = NULL;
  CHECK_OK(pc_bracket_create(N, &b, &error), error);
  CHECK_OK(pc_bracket_fit(b, 1, &error), error);
  double x[N] = {0, 3}, P[1], off = 1, beside = 1, friction = 1;
  int combined = 0;
  pc_bracket_begin(b);
  for (int i = 0; i < 60; i++) {
    double g[N];
    relay(x, level, g, P);
    int bracketed = pc_bracket_next(b, weight, x, P, g);
    if (bracketed && pc_bracket_combine(b, g, P)) {
      off = fabs(2 * g[0] + 0.3 * g[1] - level);
      beside = fabs(g[0] + 0.5 - 1.5 * P[0]) + fabs(g[1] + 0.1 - 0.6 * P[0]);
      friction = P[0];
      combined++;
      pc_bracket_refine(b);
    }
    for (int k = 0; k < N; k++) x[k] = g[k];
  }
  assert_true(combined >= 3);
  assert_true(off < 1e-4);
  assert_true(beside < 1e-12);     /* on the segment between a and b, in step with P, ... */
  assert_true(fabs(friction) < 1); /* ... and not at an end of it */
  pc_bracket_destroy(b);
}

/* Where the iteration converges from one side there is nothing to bracket. */
static void residuals_along_each_other_are_left(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_bracket* b = NULL;
  CHECK_OK(pc_bracket_create(N, &b, &error), error);
  CHECK_OK(pc_bracket_fit(b, 0, &error), error);
  double x[N] = {4, 1};
  pc_bracket_begin(b);
  for (int i = 0; i < 10; i++) {
    double g[N] = {x[0] / 2, x[1] / 2}, same[N] = {x[0] / 2, x[1] / 2};
    assert_int_equal(pc_bracket_next(b, weight, x, NULL, g), 0);
    assert_memory_equal(g, same, sizeof g);
    for (int k = 0; k < N; k++) x[k] = g[k];
  }
  pc_bracket_destroy(b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_jump_is_bracketed_and_its_ends_combined),
      cmocka_unit_test(residuals_along_each_other_are_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
