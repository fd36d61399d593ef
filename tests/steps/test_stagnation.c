/* A loop stands still where neither q nor the residual gets anywhere, and only there. */
#include "check.h"

#include <float.h>

#include "steps/stagnation.h"

static void a_loop_that_gets_somewhere_does_not_stand_still(void** state)
{
  (void)state;
  pc_stagnation s = {0};
  pc_error error = {0};
  double q[2] = {1, -1000}, moved[2] = {1 + 1e-11, -1000};
  CHECK_OK(pc_stagnation_create(&s, 2, &error), error);
  pc_stagnation_begin(&s);
  CHECK_NEAR(pc_stagnation_cancelled(&s, q, 1e-3), 0, 0);     /* the first iterate */
  CHECK_NEAR(pc_stagnation_cancelled(&s, q, 4.9e-4), 0, 0);   /* the residual falls */
  CHECK_NEAR(pc_stagnation_cancelled(&s, moved, 1e-3), 0, 0); /* q moves */
  pc_stagnation_begin(&s);
  CHECK_NEAR(pc_stagnation_cancelled(&s, moved, 1e-3), 0, 0); /* the first of another loop */
  pc_stagnation_clear(&s);
}

static void round_off_is_where_it_ends(void** state)
{
  (void)state;
  pc_stagnation s = {0};
  pc_error error = {0};
  double q[2] = {1, -1000}, next[2] = {1, -1000 * (1 + 4 * DBL_EPSILON)};
  CHECK_OK(pc_stagnation_create(&s, 2, &error), error);
  pc_stagnation_begin(&s);
  CHECK_NEAR(pc_stagnation_cancelled(&s, q, 6e-9), 0, 0);
  double cancelled = pc_stagnation_cancelled(&s, next, 5e-9);
  CHECK_NEAR(cancelled * 8 * DBL_EPSILON, 5e-9, 1e-20);
  pc_stagnation_clear(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loop_that_gets_somewhere_does_not_stand_still),
      cmocka_unit_test(round_off_is_where_it_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
