/* Lines that end at the right margin, warnings within a number of lines, numbers for people. */
#include "study/lines.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "study/unit_text.h"

/* What is printed of a text whose lines are broken. */
static char* broken(const char* text, int indent, int most, int* count)
{
  char* out = NULL;
  size_t size;
  FILE* to = open_memstream(&out, &size);
  lines block;
  begin_lines(&block, to);
  fputs(text, block.file);
  *count = end_lines_within(&block, indent, most);
  fclose(to);
  return out;
}

static void check_widths(const char* text)
{
  char line[400];
  for (; *text; text += strcspn(text, "\n") + 1) {
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    assert_true(text_width(line) <= LINE_WIDTH);
  }
}

static void short_lines_stay_as_they_are(void** state)
{
  (void)state;
  int count;
  char* out = broken("one\n\n  three\n", 10, 99, &count);
  assert_string_equal(out, "one\n\n  three\n");
  assert_int_equal(count, 3);
  free(out);
}

static void long_lines_break_behind_commas_and_keep_units(void** state)
{
  (void)state;
  int count;
  char* out = broken(
      "final     some.long.name.x -13.36 mm, some.long.name.y 42.06 mm, some.long.name.angle 1.271 "
      "rad, some.long.name.vx < 1 pm/s; 87 more: --full\n",
      10, 99, &count);
  assert_string_equal(
      out,
      "final     some.long.name.x -13.36 mm, some.long.name.y 42.06 mm, some.long.name.angle 1.271 "
      "rad,\n          some.long.name.vx < 1 pm/s; 87 more: --full\n");
  assert_int_equal(count, 2);
  free(out);
  /* Without a comma: not between a number and its unit. */
  out = broken(
      "the motion of this mechanism without any comma in its text has a penetration of at most 120 "
      "micrometres here\n",
      4, 99, &count);
  assert_non_null(strstr(out, "\n    120 micrometres here\n"));
  check_widths(out);
  free(out);
}

/* A micro sign takes two bytes and one column, and is not parted. */
static void width_counts_characters(void** state)
{
  (void)state;
  char text[420] = "";
  int count;
  for (int i = 0; i < 100; i++) strcat(text, "µ");
  strcat(text, "\n");
  char* out = broken(text, 2, 99, &count);
  assert_int_equal(count, 1);
  free(out);
  memmove(text + 1, text, strlen(text) + 1);
  text[0] = 'x';
  out = broken(text, 2, 99, &count);
  assert_int_equal(count, 2);
  assert_non_null(strstr(out, "\n  µ\n"));
  check_widths(out);
  free(out);
}

static void more_than_the_limit_is_not_printed(void** state)
{
  (void)state;
  int count;
  char* out = broken("a\nb\nc\n", 0, 2, &count);
  assert_string_equal(out, "");
  assert_int_equal(count, 3);
  free(out);
}

static void warnings_that_do_not_fit_are_counted(void** state)
{
  (void)state;
  pc_warning w[3] = {{.text = "first", .remedy = "do this"},
                     {.text = "second", .remedy = "do that"},
                     {.text = "third", .remedy = "do more"}};
  const struct {
    int most;
    const char* last;
  } cases[] = {{6, "          do more\n"},
               {5, "          1 more warning: --full\n"},
               {4, "          2 more warnings: --full\n"},
               {2, "warning   3 warnings: --full\n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char* out = NULL;
    size_t size;
    FILE* to = open_memstream(&out, &size);
    print_warning_lines(w, 3, cases[i].most, to);
    fclose(to);
    int count = 0;
    for (const char* c = out; *c; c++) count += *c == '\n';
    assert_true(count <= cases[i].most);
    assert_string_equal(out + strlen(out) - strlen(cases[i].last), cases[i].last);
    free(out);
  }
}

static void percents_have_no_exponent(void** state)
{
  (void)state;
  const struct {
    double share;
    const char* text;
  } cases[] = {{1, "100 %"},     {0.9951, "100 %"}, {0.994, "99 %"},   {0.042, "4.2 %"},
               {-2.5, "-250 %"}, {0, "0 %"},        {1e-5, "< 0.1 %"}, {-1e-5, "< 0.1 %"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(as_percent(cases[i].share).text, cases[i].text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_lines_stay_as_they_are),
      cmocka_unit_test(long_lines_break_behind_commas_and_keep_units),
      cmocka_unit_test(width_counts_characters),
      cmocka_unit_test(more_than_the_limit_is_not_printed),
      cmocka_unit_test(warnings_that_do_not_fit_are_counted),
      cmocka_unit_test(percents_have_no_exponent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
