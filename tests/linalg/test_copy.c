/* Copies of all lengths, short ones by hand and long ones by the C library. */
#include "check.h"
#include "linalg/copy.h"

enum { SIZE = 12 };

static void copies_touch_their_length_and_nothing_else(void** state)
{
  (void)state;
  for (int n = 0; n < SIZE; n++) {
    double from[SIZE], to[SIZE], zeroed[SIZE];
    for (int i = 0; i < SIZE; i++) {
      from[i] = 1 + i;
      to[i] = zeroed[i] = -1;
    }
    pc_copy(n, from, to);
    pc_zero(n, zeroed);
    for (int i = 0; i < SIZE; i++) {
      CHECK_NEAR(to[i], i < n ? from[i] : -1, 0);
      CHECK_NEAR(zeroed[i], i < n ? 0 : -1, 0);
    }
  }
}

static void sameness_is_by_bits(void** state)
{
  (void)state;
  double a[] = {1, 0, 3}, b[] = {1, -0.0, 4};
  assert_true(pc_same(1, a, b));
  assert_false(pc_same(2, a, b)); /* 0 and -0 */
  assert_false(pc_same(3, a, b));
  assert_true(pc_same(0, a, b));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_touch_their_length_and_nothing_else),
      cmocka_unit_test(sameness_is_by_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
