#include "base/text_index.h"

#include "check.h"

enum { COUNT = 5000 };

static void every_text_is_found_and_no_other(void** state)
{
  (void)state;
  static char text[COUNT][16];
  pc_text_index index = {0};
  assert_int_equal(pc_text_index_find(&index, "a0"), -1);
  for (int i = 0; i < COUNT; i++) {
    snprintf(text[i], sizeof text[i], "a%d", i);
    assert_int_equal(pc_text_index_find(&index, text[i]), -1);
    assert_int_equal(pc_text_index_reserve(&index), PC_OK);
    pc_text_index_add(&index, text[i], i);
  }
  for (int i = 0; i < COUNT; i++) assert_int_equal(pc_text_index_find(&index, text[i]), i);
  assert_int_equal(pc_text_index_find(&index, "a5000"), -1);
  assert_int_equal(pc_text_index_find(&index, ""), -1);
  pc_text_index_clear(&index);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_text_is_found_and_no_other)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
