/* Rows of any widths have the sums of a plain loop, to the last bit. */
#include "check.h"
#include "linalg/row.h"
#include "random.h"

enum { SPACE = 64 };

/* Two runs, of these widths, with something between them. */
typedef struct sample {
  pc_block block[2];
  double w[SPACE], x[SPACE];
  pc_row row;
} sample;

static void fill(sample* s, int first, int second, random_source* random)
{
  s->block[0] = (pc_block){2, first};
  s->block[1] = (pc_block){4 + first, second};
  for (int i = 0; i < SPACE; i++) {
    s->w[i] = random_number(random);
    s->x[i] = random_number(random);
  }
  s->row = (pc_row){2, s->block, s->w};
}

static void a_product_is_that_of_a_loop(void** state)
{
  (void)state;
  random_source random = {5};
  sample s;
  for (int first = 0; first < 9; first++)
    for (int second = 0; second < 9; second++) {
      fill(&s, first, second, &random);
      double want = 0;
      for (int i = 0; i < first + second; i++) want += s.w[i] * s.x[i < first ? 2 + i : 4 + i];
      assert_true(pc_row_dot(s.row, s.x) == want);
    }
}

static void a_sum_is_that_of_a_loop(void** state)
{
  (void)state;
  random_source random = {6};
  sample s;
  for (int first = 0; first < 9; first++)
    for (int second = 0; second < 9; second++) {
      fill(&s, first, second, &random);
      double want[SPACE];
      for (int i = 0; i < SPACE; i++) want[i] = s.x[i];
      for (int i = 0; i < first + second; i++) want[i < first ? 2 + i : 4 + i] += 0.3 * s.w[i];
      pc_row_add(s.row, 0.3, s.x);
      for (int i = 0; i < SPACE; i++) assert_true(s.x[i] == want[i]);
    }
}

static void products_with_columns_are_those_with_each(void** state)
{
  (void)state;
  enum { COLUMNS = 9 };
  random_source random = {7};
  sample s;
  double X[COLUMNS * SPACE], into[COLUMNS];
  for (int i = 0; i < COLUMNS * SPACE; i++) X[i] = random_number(&random);
  for (int n = 0; n <= COLUMNS; n++) {
    fill(&s, n, COLUMNS - n, &random);
    pc_row_dot_columns(s.row, n, X, SPACE, into);
    for (int c = 0; c < n; c++) assert_true(into[c] == pc_row_dot(s.row, X + c * SPACE));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_product_is_that_of_a_loop),
      cmocka_unit_test(a_sum_is_that_of_a_loop),
      cmocka_unit_test(products_with_columns_are_those_with_each),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
