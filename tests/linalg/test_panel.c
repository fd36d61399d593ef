/* Products by panels against three plain loops. */
#include "check.h"
#include "linalg/panel.h"
#include "random.h"

enum { ROWS_MAX = 7, INNER_MAX = 40, COLUMNS_MAX = 50, WIDTH_MAX = 56 };

typedef struct sample {
  int rows, inner, columns;
  double L[ROWS_MAX * INNER_MAX], plain[INNER_MAX * COLUMNS_MAX], U[INNER_MAX * WIDTH_MAX];
} sample;

static void make(sample* s, random_source* source)
{
  *s = (sample){.rows = s->rows, .inner = s->inner, .columns = s->columns};
  for (int i = 0; i < s->rows * s->inner; i++) s->L[i] = random_number(source);
  for (int q = 0; q < s->inner; q++)
    for (int j = 0; j < s->columns; j++)
      s->plain[q * s->columns + j] = s->U[pc_panel_place(s->inner, q, j)] = random_number(source);
}

/* The sums have one order, so that no bit differs. */
static void check_product(const sample* s, int wide)
{
  double C[ROWS_MAX * WIDTH_MAX];
  size_t width = pc_panel_width(s->columns);
  pc_panel_multiply(s->rows, s->inner, s->columns, s->L, s->U, C, wide);
  for (int i = 0; i < s->rows; i++)
    for (int j = 0; j < s->columns; j++) {
      double sum = 0;
      for (int q = 0; q < s->inner; q++)
        sum += s->L[i * s->inner + q] * s->plain[q * s->columns + j];
      CHECK_NEAR(C[(size_t)i * width + (size_t)j], sum, 0);
    }
}

static void products_have_the_bits_of_plain_loops(void** state)
{
  (void)state;
  random_source source = {1};
  sample s;
  for (s.rows = 1; s.rows <= ROWS_MAX; s.rows++)
    for (s.inner = 1; s.inner <= INNER_MAX; s.inner += 13)
      for (s.columns = 1; s.columns <= COLUMNS_MAX; s.columns += 7) {
        make(&s, &source);
        check_product(&s, 0);
        if (pc_panel_is_wide()) check_product(&s, 1);
      }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(products_have_the_bits_of_plain_loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
