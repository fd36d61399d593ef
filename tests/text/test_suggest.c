#include "text/suggest.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

static void the_edit_distance_counts_letters(void** state)
{
  (void)state;
  assert_int_equal(pc_edit_distance("", ""), 0);
  assert_int_equal(pc_edit_distance("gravty", "gravity"), 1);
  assert_int_equal(pc_edit_distance("angel", "angle"), 1); /* two letters swapped */
  assert_int_equal(pc_edit_distance("Mass", "mass"), 0);   /* capitals do not count */
  assert_int_equal(pc_edit_distance("kitten", "sitting"), 3);
  assert_int_equal(pc_edit_distance("abc", ""), 3);
  assert_int_equal(pc_edit_distance("", "abc"), 3);
}

static void a_near_name_is_suggested_and_a_far_one_is_not(void** state)
{
  (void)state;
  pc_suggestion s;
  pc_suggest_begin(&s, "mux");
  pc_suggest_add(&s, "e");
  pc_suggest_add(&s, "mu");
  assert_string_equal(pc_suggest_text(&s, "it has"), "; did you mean 'mu'? it has: e, mu");
  pc_suggest_begin(&s, "q");
  pc_suggest_add(&s, "x");
  assert_string_equal(pc_suggest_text(&s, "it has"), "; it has: x");
  pc_suggest_begin(&s, "q");
  assert_string_equal(pc_suggest_text(&s, "it has"), "");
}

static void the_list_is_truncated_but_the_best_name_is_kept(void** state)
{
  (void)state;
  pc_suggestion s;
  pc_suggest_begin(&s, "contact999");
  for (int i = 0; i < 1000; i++) {
    char name[32];
    snprintf(name, sizeof name, "contact%d", i);
    pc_suggest_add(&s, name);
  }
  const char* text = pc_suggest_text(&s, "names");
  assert_non_null(strstr(text, "did you mean 'contact999'?"));
  assert_non_null(strstr(text, ", ..."));
  assert_true(strlen(text) < 400);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_edit_distance_counts_letters),
      cmocka_unit_test(a_near_name_is_suggested_and_a_far_one_is_not),
      cmocka_unit_test(the_list_is_truncated_but_the_best_name_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
