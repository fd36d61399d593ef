/* Pivots from the whole column: matrices on which an elimination by blocks loses its digits. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "linalg/block_lu.h"
#include "linalg/pivoting_lu.h"
#include "random.h"

enum { NODES = 30, SIZE = 2, ORDER = NODES * SIZE };

/* A chain of nodes with random blocks, and `small` times random numbers in the diagonal ones. */
static void make_chain(pc_block_matrix* m, random_source* source, double small)
{
  pc_error error = {0};
  int size[NODES];
  pc_edge edge[NODES - 1];
  for (int k = 0; k < NODES; k++) size[k] = SIZE;
  for (int k = 0; k + 1 < NODES; k++) edge[k] = (pc_edge){k, k + 1};
  CHECK_OK(pc_block_matrix_shape(m, NODES, size, NODES - 1, edge, &error), error);
  for (int k = 0; k < NODES; k++)
    for (int e = m->start[k]; e < m->start[k + 1]; e++)
      for (int i = 0; i < SIZE * SIZE; i++)
        m->value[m->place[e] + (size_t)i] = (m->column[e] == k ? small : 1) * random_number(source);
}

/* The largest component of A x - b, relative to that of x; the entries of A are of order one. */
static double error_of(const pc_block_matrix* m, const double* x, const double* b)
{
  double y[ORDER] = {0}, largest = 0, size = 0;
  pc_block_matrix_times(m, x, y);
  for (int i = 0; i < ORDER; i++) {
    largest = fmax(largest, fabs(y[i] - b[i]));
    size = fmax(size, fabs(x[i]));
  }
  return largest / size;
}

static void digits_are_kept_where_diagonal_blocks_nearly_vanish(void** state)
{
  (void)state;
  pc_error error = {0};
  random_source source = {12345};
  pc_block_matrix m = {0};
  pc_block_lu* blocks = NULL;
  pc_pivoting_lu* lu = NULL;
  double b[ORDER], x[ORDER];
  make_chain(&m, &source, 1e-14);
  for (int i = 0; i < ORDER; i++) b[i] = random_number(&source);

  CHECK_OK(pc_block_lu_create(&blocks, &error), error);
  CHECK_OK(pc_block_lu_analyse(blocks, &m, NULL, &error), error);
  assert_int_equal(pc_block_lu_factor(blocks, &m, 0), PC_OK);
  memcpy(x, b, sizeof x);
  pc_block_lu_solve(blocks, x);
  assert_true(error_of(&m, x, b) > 1e-6); /* why the other one exists */

  CHECK_OK(pc_pivoting_lu_create(&m, &lu, &error), error);
  assert_int_equal(pc_pivoting_lu_factor(lu, &m), PC_OK);
  memcpy(x, b, sizeof x);
  pc_pivoting_lu_solve(lu, x);
  CHECK_NEAR(error_of(&m, x, b), 0, 1e-14);
  pc_block_lu_destroy(blocks);
  pc_pivoting_lu_destroy(lu);
  pc_block_matrix_free(&m);
}

static void other_values_of_the_same_pattern_follow(void** state)
{
  (void)state;
  pc_error error = {0};
  random_source source = {777};
  pc_block_matrix m = {0};
  pc_pivoting_lu* lu = NULL;
  make_chain(&m, &source, 1);
  CHECK_OK(pc_pivoting_lu_create(&m, &lu, &error), error);
  for (int trial = 0; trial < 20; trial++) {
    double b[ORDER], x[ORDER];
    make_chain(&m, &source, trial % 2 ? 1 : 1e-9);
    for (int i = 0; i < ORDER; i++) x[i] = b[i] = random_number(&source);
    assert_int_equal(pc_pivoting_lu_factor(lu, &m), PC_OK);
    pc_pivoting_lu_solve(lu, x);
    CHECK_NEAR(error_of(&m, x, b), 0, 1e-13);
  }
  pc_pivoting_lu_destroy(lu);
  pc_block_matrix_free(&m);
}

static void singular_and_infinite_matrices_are_refused(void** state)
{
  (void)state;
  pc_error error = {0};
  random_source source = {5};
  pc_block_matrix m = {0};
  pc_pivoting_lu* lu = NULL;
  make_chain(&m, &source, 1);
  CHECK_OK(pc_pivoting_lu_create(&m, &lu, &error), error);
  double* first = &m.value[m.place[m.diagonal[0]]];
  *first = NAN;
  assert_int_equal(pc_pivoting_lu_factor(lu, &m), PC_NOT_FINITE);
  for (int e = m.start[0]; e < m.start[1]; e++)
    memset(&m.value[m.place[e]], 0, SIZE * SIZE * sizeof(double));
  assert_int_equal(pc_pivoting_lu_factor(lu, &m), PC_SINGULAR);
  pc_pivoting_lu_destroy(lu);
  pc_block_matrix_free(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(digits_are_kept_where_diagonal_blocks_nearly_vanish),
      cmocka_unit_test(other_values_of_the_same_pattern_follow),
      cmocka_unit_test(singular_and_infinite_matrices_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
