/* The block-sparse factorisation against the dense one, and what a solution has to fulfil. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linalg/block_lu.h"
#include "linalg/dense.h"
#include "random.h"

enum { NODES_MAX = 40, SIZE_MAX_NODE = 6, EDGES_MAX = 400, ORDER_MAX = NODES_MAX * SIZE_MAX_NODE };

typedef struct sample {
  pc_block_matrix matrix;
  int size[NODES_MAX];
  pc_edge edge[EDGES_MAX];
  int node_count, edge_count;
} sample;

static int whole(random_source* source, int below)
{
  int n = (int)((random_number(source) + 1) / 2 * below);
  return n < 0 ? 0 : n >= below ? below - 1 : n;
}

static void shape(sample* s)
{
  pc_error error = {0};
  CHECK_OK(
      pc_block_matrix_shape(&s->matrix, s->node_count, s->size, s->edge_count, s->edge, &error),
      error);
}

static void random_graph(sample* s, random_source* source)
{
  s->node_count = 1 + whole(source, NODES_MAX);
  s->edge_count = whole(source, 2 * s->node_count);
  for (int i = 0; i < s->node_count; i++) s->size[i] = 1 + whole(source, SIZE_MAX_NODE);
  for (int e = 0; e < s->edge_count; e++)
    s->edge[e] = (pc_edge){whole(source, s->node_count), whole(source, s->node_count)};
  shape(s);
}

static void random_values(sample* s, random_source* source, double diagonal)
{
  pc_block_matrix* m = &s->matrix;
  for (int i = 0; i < m->node_count; i++)
    for (int b = m->start[i]; b < m->start[i + 1]; b++) {
      int rows = pc_block_matrix_size(m, i), columns = pc_block_matrix_size(m, m->column[b]);
      double* a = m->value + m->place[b];
      for (int k = 0; k < rows * columns; k++) a[k] = random_number(source);
      for (int r = 0; m->column[b] == i && r < rows; r++) a[r * rows + r] += diagonal;
    }
}

static void to_dense(const pc_block_matrix* m, double* A)
{
  int n = pc_block_matrix_order(m);
  memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
  for (int i = 0; i < m->node_count; i++)
    for (int b = m->start[i]; b < m->start[i + 1]; b++) {
      int rows = pc_block_matrix_size(m, i), columns = pc_block_matrix_size(m, m->column[b]);
      for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
          A[(m->row[i] + r) * n + m->row[m->column[b]] + c] =
              m->value[m->place[b] + (size_t)(r * columns + c)];
    }
}

static pc_block_lu* make(void)
{
  pc_error error = {0};
  pc_block_lu* lu = NULL;
  CHECK_OK(pc_block_lu_create(&lu, &error), error);
  return lu;
}

/* max |A x - b| / max |x|: entries of A are of order one. */
static double defect(const pc_block_matrix* m, const double* x, const double* b)
{
  double r[ORDER_MAX] = {0}, largest = 0, size = 0;
  int n = pc_block_matrix_order(m);
  pc_block_matrix_times(m, x, r);
  for (int i = 0; i < n; i++) {
    largest = fmax(largest, fabs(r[i] - b[i]));
    size = fmax(size, fabs(x[i]));
  }
  return largest / size;
}

/* A random matrix and vector, by blocks and dense. */
static void compare_with_dense(sample* s, pc_block_lu* lu, random_source* source)
{
  static double A[ORDER_MAX * ORDER_MAX];
  static int pivot[ORDER_MAX];
  double x[ORDER_MAX], y[ORDER_MAX];
  random_values(s, source, 30);
  int n = pc_block_matrix_order(&s->matrix);
  for (int i = 0; i < n; i++) x[i] = y[i] = random_number(source);
  to_dense(&s->matrix, A);
  assert_int_equal(pc_lu_factor(n, A, pivot), PC_OK);
  pc_lu_solve(n, A, pivot, y);
  assert_int_equal(pc_block_lu_analyse(lu, &s->matrix, NULL, NULL), PC_OK);
  assert_int_equal(pc_block_lu_factor(lu, &s->matrix, 0), PC_OK);
  assert_int_equal(pc_block_lu_rank(lu), n);
  pc_block_lu_solve(lu, x);
  for (int i = 0; i < n; i++) CHECK_NEAR(x[i], y[i], 1e-13);
}

static void solutions_are_those_of_the_dense_factorisation(void** state)
{
  (void)state;
  random_source source = {1};
  sample s = {0};
  pc_block_lu* lu = make();
  for (int trial = 0; trial < 200; trial++) {
    random_graph(&s, &source);
    compare_with_dense(&s, lu, &source);
  }
  pc_block_lu_destroy(lu);
  pc_block_matrix_free(&s.matrix);
}

/* Nodes that all act on each other have the same neighbours: they are eliminated as panels. Some
 * others act on a few of them. */
static void nodes_with_the_same_neighbours_are_eliminated_together(void** state)
{
  (void)state;
  random_source source = {11};
  sample s = {0};
  pc_block_lu* lu = make();
  for (int trial = 0; trial < 60; trial++) {
    int dense = 10 + whole(&source, 16);
    s.node_count = dense + whole(&source, 10);
    s.edge_count = 0;
    for (int i = 0; i < s.node_count; i++)
      s.size[i] = trial % 3 == 0 ? 3 : 1 + whole(&source, SIZE_MAX_NODE);
    for (int i = 0; i < dense; i++)
      for (int j = 0; j < i; j++) s.edge[s.edge_count++] = (pc_edge){i, j};
    for (int i = dense; i < s.node_count; i++)
      for (int k = 0; k < 3; k++) s.edge[s.edge_count++] = (pc_edge){i, whole(&source, dense)};
    shape(&s);
    compare_with_dense(&s, lu, &source);
  }
  pc_block_lu_destroy(lu);
  pc_block_matrix_free(&s.matrix);
}

/* Rows that depend on others are found behind a panel as well: a node and its copy. */
static void redundant_rows_are_found_behind_panels(void** state)
{
  (void)state;
  enum { NODES = 24 };
  random_source source = {13};
  sample s = {.node_count = NODES};
  pc_block_lu* lu = make();
  for (int i = 0; i < NODES; i++) s.size[i] = 2;
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < i; j++) s.edge[s.edge_count++] = (pc_edge){i, j};
  shape(&s);
  random_values(&s, &source, 30);
  for (int j = 0; j < NODES; j++) { /* the last node does what the first one does */
    memcpy(pc_block_matrix_find(&s.matrix, NODES - 1, j), pc_block_matrix_find(&s.matrix, 0, j),
           4 * sizeof(double));
    double x[4];
    memcpy(x, pc_block_matrix_find(&s.matrix, j, 0), sizeof x);
    memcpy(pc_block_matrix_find(&s.matrix, j, NODES - 1), x, sizeof x);
  }
  memcpy(pc_block_matrix_find(&s.matrix, NODES - 1, NODES - 1),
         pc_block_matrix_find(&s.matrix, 0, 0), 4 * sizeof(double));
  assert_int_equal(pc_block_lu_analyse(lu, &s.matrix, NULL, NULL), PC_OK);
  assert_int_equal(pc_block_lu_factor(lu, &s.matrix, 1e-11), PC_OK);
  assert_int_equal(pc_block_lu_rank(lu), 2 * NODES - 2);
  pc_block_lu_destroy(lu);
  pc_block_matrix_free(&s.matrix);
}

/* The sign of a determinant by elimination with row exchanges; A is destroyed. */
static int dense_sign(int n, double* A)
{
  int sign = 1;
  for (int s = 0; s < n; s++) {
    int p = s;
    for (int i = s + 1; i < n; i++)
      if (fabs(A[i * n + s]) > fabs(A[p * n + s])) p = i;
    if (p != s) sign = -sign;
    for (int j = 0; p != s && j < n; j++) {
      double t = A[s * n + j];
      A[s * n + j] = A[p * n + j], A[p * n + j] = t;
    }
    if (A[s * n + s] < 0) sign = -sign;
    for (int i = s + 1; i < n; i++) {
      double l = A[i * n + s] / A[s * n + s];
      for (int j = s; j < n; j++) A[i * n + j] -= l * A[s * n + j];
    }
  }
  return sign;
}

static void the_sign_of_the_determinant_is_known(void** state)
{
  (void)state;
  random_source source = {77};
  pc_block_lu* lu = make();
  int signs[2] = {0};
  for (int trial = 0; trial < 60; trial++) {
    static sample s;
    static double A[ORDER_MAX * ORDER_MAX];
    pc_error error = {0};
    random_graph(&s, &source);
    random_values(&s, &source, 0);
    CHECK_OK(pc_block_lu_analyse(lu, &s.matrix, NULL, &error), error);
    assert_int_equal(pc_block_lu_factor(lu, &s.matrix, 0), PC_OK);
    to_dense(&s.matrix, A);
    int sign = dense_sign(pc_block_matrix_order(&s.matrix), A);
    assert_int_equal(pc_block_lu_determinant_sign(lu), sign);
    signs[sign > 0]++;
  }
  assert_true(signs[0] > 10 && signs[1] > 10);
  pc_block_lu_destroy(lu);
}

static void blocks_are_found_where_the_edges_are(void** state)
{
  (void)state;
  sample s = {.node_count = 4, .edge_count = 4, .size = {1, 2, 3, 1}};
  memcpy(s.edge, (pc_edge[]){{2, 0}, {0, 2}, {3, 1}, {1, 1}}, 4 * sizeof(pc_edge));
  shape(&s);
  assert_int_equal(pc_block_matrix_order(&s.matrix), 7);
  assert_int_equal(s.matrix.start[4], 4 + 4);
  assert_non_null(pc_block_matrix_find(&s.matrix, 0, 2));
  assert_non_null(pc_block_matrix_find(&s.matrix, 2, 0));
  assert_null(pc_block_matrix_find(&s.matrix, 0, 1));
  assert_null(pc_block_matrix_find(&s.matrix, 3, 2));
  assert_ptr_equal(pc_block_matrix_find(&s.matrix, 2, 2),
                   s.matrix.value + s.matrix.place[s.matrix.diagonal[2]]);
  pc_block_matrix_free(&s.matrix);
}

/* [M -W; W' 0] of a chain of n bodies of three velocities, joint i (two rows) between bodies i - 1
 * and i; `extra` joints more between the first body and the ground, which repeat joint 0. */
static void chain(sample* s, random_source* source, int bodies, int extra)
{
  int n = bodies;
  s->node_count = 2 * n + extra;
  s->edge_count = 0;
  for (int i = 0; i < s->node_count; i++) s->size[i] = i < n ? 3 : 2;
  for (int j = 0; j < n + extra; j++) {
    int body = j < n ? j : 0;
    s->edge[s->edge_count++] = (pc_edge){n + j, body};
    if (body > 0) s->edge[s->edge_count++] = (pc_edge){body - 1, n + j};
  }
  shape(s);
  for (int i = 0; i < n; i++) {
    double* M = pc_block_matrix_find(&s->matrix, i, i);
    M[0] = M[4] = 1 + i % 3, M[8] = 0.1;
  }
  for (int e = 0; e < s->edge_count; e++) {
    pc_edge edge = s->edge[e];
    int body = edge.i < edge.j ? edge.i : edge.j, joint = edge.i + edge.j - body;
    double* W = pc_block_matrix_find(&s->matrix, body, joint); /* 3 x 2 */
    double* J = pc_block_matrix_find(&s->matrix, joint, body); /* 2 x 3 */
    double sign = joint - n == body || joint >= 2 * n ? 1 : -1;
    double row[2][3] = {{sign, 0, random_number(source)}, {0, sign, random_number(source)}};
    if (joint >= 2 * n) /* as joint 0 */
      memcpy(row, pc_block_matrix_find(&s->matrix, n, 0), sizeof row);
    for (int r = 0; r < 2; r++)
      for (int c = 0; c < 3; c++) J[r * 3 + c] = row[r][c], W[c * 2 + r] = -row[r][c];
  }
}

static void late_nodes_may_have_no_diagonal(void** state)
{
  (void)state;
  random_source source = {7};
  sample s = {0};
  unsigned char late[NODES_MAX];
  pc_block_lu* lu = make();
  for (int n = 1; n <= 19; n++) {
    double x[ORDER_MAX], b[ORDER_MAX];
    chain(&s, &source, n, 0);
    for (int i = 0; i < s.node_count; i++) late[i] = i >= n;
    for (int i = 0; i < 5 * n; i++) x[i] = b[i] = random_number(&source);
    assert_int_equal(pc_block_lu_analyse(lu, &s.matrix, late, NULL), PC_OK);
    assert_int_equal(pc_block_lu_factor(lu, &s.matrix, 1e-11), PC_OK);
    assert_int_equal(pc_block_lu_rank(lu), 5 * n);
    pc_block_lu_solve(lu, x);
    CHECK_NEAR(defect(&s.matrix, x, b), 0, 1e-13);
  }
  pc_block_lu_destroy(lu);
  pc_block_matrix_free(&s.matrix);
}

static void redundant_rows_are_left_out(void** state)
{
  (void)state;
  random_source source = {3};
  sample s = {0};
  unsigned char late[NODES_MAX];
  double x[ORDER_MAX], b[ORDER_MAX];
  int n = 6, extra = 2, order = 5 * n + 2 * extra, redundant = 0;
  pc_block_lu* lu = make();
  chain(&s, &source, n, extra);
  for (int i = 0; i < s.node_count; i++) late[i] = i >= n;
  for (int i = 0; i < order; i++) b[i] = random_number(&source);
  for (int k = 0; k < extra; k++) /* the repeated joints ask for the same */
    for (int r = 0; r < 2; r++) b[5 * n + 2 * k + r] = b[3 * n + r];
  memcpy(x, b, sizeof x);
  assert_int_equal(pc_block_lu_analyse(lu, &s.matrix, late, NULL), PC_OK);
  assert_int_equal(pc_block_lu_factor(lu, &s.matrix, 1e-11), PC_OK);
  assert_int_equal(pc_block_lu_rank(lu), 5 * n);
  pc_block_lu_solve(lu, x);
  CHECK_NEAR(defect(&s.matrix, x, b), 0, 1e-13);
  for (int i = 0; i < order; i++) {
    redundant += pc_block_lu_is_redundant(lu, i);
    if (pc_block_lu_is_redundant(lu, i)) CHECK_NEAR(x[i], 0, 0);
  }
  assert_int_equal(redundant, 2 * extra);
  assert_int_equal(pc_block_lu_factor(lu, &s.matrix, 0) == PC_OK, 0);
  pc_block_lu_destroy(lu);
  pc_block_matrix_free(&s.matrix);
}

static void the_rank_does_not_depend_on_units(void** state)
{
  (void)state;
  sample s = {.node_count = 2, .edge_count = 1, .size = {1, 1}, .edge = {{0, 1}}};
  pc_block_lu* lu = make();
  shape(&s);
  for (int p = -12; p <= 12; p += 4) {
    double a = pow(10, p), b = pow(10, -2 * p);
    *pc_block_matrix_find(&s.matrix, 0, 0) = a * a;
    *pc_block_matrix_find(&s.matrix, 0, 1) = *pc_block_matrix_find(&s.matrix, 1, 0) = 0.5 * a * b;
    *pc_block_matrix_find(&s.matrix, 1, 1) = b * b;
    assert_int_equal(pc_block_lu_analyse(lu, &s.matrix, NULL, NULL), PC_OK);
    assert_int_equal(pc_block_lu_factor(lu, &s.matrix, 1e-11), PC_OK);
    assert_int_equal(pc_block_lu_rank(lu), 2);
    *pc_block_matrix_find(&s.matrix, 0, 1) = *pc_block_matrix_find(&s.matrix, 1, 0) = a * b;
    assert_int_equal(pc_block_lu_factor(lu, &s.matrix, 1e-11), PC_OK);
    assert_int_equal(pc_block_lu_rank(lu), 1);
  }
  pc_block_lu_destroy(lu);
  pc_block_matrix_free(&s.matrix);
}

static void a_chain_has_factors_in_proportion_to_its_length(void** state)
{
  (void)state;
  enum { LONG = 2000 };
  static int size[LONG];
  static pc_edge edge[LONG];
  size_t entries[2];
  pc_block_lu* lu = make();
  for (int k = 0; k < 2; k++) {
    int n = k == 0 ? LONG / 10 : LONG;
    pc_block_matrix m = {0};
    for (int i = 0; i < n; i++) size[i] = 2;
    for (int i = 0; i + 1 < n; i++) edge[i] = (pc_edge){i, i + 1};
    assert_int_equal(pc_block_matrix_shape(&m, n, size, n - 1, edge, NULL), PC_OK);
    assert_int_equal(pc_block_lu_analyse(lu, &m, NULL, NULL), PC_OK);
    entries[k] = pc_block_lu_entry_count(lu);
    pc_block_matrix_free(&m);
  }
  CHECK_NEAR((double)entries[1] / (double)entries[0], 10, 0.1);
  pc_block_lu_destroy(lu);
}

static void numbers_that_are_not_finite_are_reported(void** state)
{
  (void)state;
  random_source source = {5};
  sample s = {0};
  pc_block_lu* lu = make();
  for (int place = 0; place < 3; place++) {
    chain(&s, &source, 5, 0);
    double* block = pc_block_matrix_find(&s.matrix,
                                         place == 0   ? 0
                                         : place == 1 ? 2
                                                      : 4,
                                         place == 0   ? 0
                                         : place == 1 ? 7
                                                      : 4);
    block[0] = place == 1 ? INFINITY : NAN;
    unsigned char late[NODES_MAX] = {0};
    for (int i = 5; i < 10; i++) late[i] = 1;
    assert_int_equal(pc_block_lu_analyse(lu, &s.matrix, late, NULL), PC_OK);
    assert_int_equal(pc_block_lu_factor(lu, &s.matrix, 1e-11), PC_NOT_FINITE);
  }
  pc_block_lu_destroy(lu);
  pc_block_matrix_free(&s.matrix);
}

static void an_empty_matrix_is_fine(void** state)
{
  (void)state;
  pc_block_matrix m = {0};
  pc_block_lu* lu = make();
  assert_int_equal(pc_block_matrix_shape(&m, 0, NULL, 0, NULL, NULL), PC_OK);
  assert_int_equal(pc_block_lu_analyse(lu, &m, NULL, NULL), PC_OK);
  assert_int_equal(pc_block_lu_factor(lu, &m, 0), PC_OK);
  pc_block_lu_solve(lu, NULL);
  pc_block_matrix_free(&m);
  pc_block_lu_destroy(lu);
  pc_block_lu_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_are_those_of_the_dense_factorisation),
      cmocka_unit_test(nodes_with_the_same_neighbours_are_eliminated_together),
      cmocka_unit_test(redundant_rows_are_found_behind_panels),
      cmocka_unit_test(the_sign_of_the_determinant_is_known),
      cmocka_unit_test(blocks_are_found_where_the_edges_are),
      cmocka_unit_test(late_nodes_may_have_no_diagonal),
      cmocka_unit_test(redundant_rows_are_left_out),
      cmocka_unit_test(the_rank_does_not_depend_on_units),
      cmocka_unit_test(a_chain_has_factors_in_proportion_to_its_length),
      cmocka_unit_test(numbers_that_are_not_finite_are_reported),
      cmocka_unit_test(an_empty_matrix_is_fine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
