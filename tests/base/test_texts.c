/* Texts side by side in the memory of their owner. */
#include "base/texts.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

static void texts_stay_where_they_are(void** state)
{
  enum { COUNT = 20000 };
  static char* kept[COUNT];
  char name[32], want[64];
  pc_texts texts = {0};
  (void)state;
  for (int i = 0; i < COUNT; i++) {
    snprintf(name, sizeof name, "ball(%d)", i);
    kept[i] = pc_texts_add(&texts, name, i % 2 ? ".vx" : "");
    assert_non_null(kept[i]);
  }
  for (int i = 0; i < COUNT; i++) {
    snprintf(want, sizeof want, "ball(%d)%s", i, i % 2 ? ".vx" : "");
    assert_string_equal(kept[i], want);
  }
  pc_texts_clear(&texts);
  assert_null(texts.last);
}

static void long_texts_and_empty_ones(void** state)
{
  static char longer[100000];
  pc_texts texts = {0};
  (void)state;
  pc_texts_clear(&texts); /* nothing */
  memset(longer, 'x', sizeof longer - 1);
  const char* empty = pc_texts_add(&texts, "", "");
  const char* kept = pc_texts_add(&texts, longer, "y");
  const char* after = pc_texts_add(&texts, "after", "");
  assert_int_equal(strlen(kept), sizeof longer);
  assert_int_equal(kept[sizeof longer - 1], 'y');
  assert_string_equal(empty, "");
  assert_string_equal(after, "after");
  pc_texts_clear(&texts);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_stay_where_they_are),
      cmocka_unit_test(long_texts_and_empty_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
