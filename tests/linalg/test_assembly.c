#include "linalg/assembly.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "check.h"
#include "random.h"

enum { LONG = 1000, STRIDE = 11, MIXED = 260, MIXED_SETS = 400 };

static const double mass[] = {2. / 6, 1. / 6, 1. / 6, 2. / 6};
static const double convection[] = {0.9, -0.4, -1.3, 0.8}; /* unsymmetric, regular when summed */

/* Solves with a known solution and returns the largest residual relative to |A| |x| ~ 10 |x|. */
static double chain_residual(const pc_assembly* chain, uint64_t seed)
{
  static double want[LONG], x[LONG], r[LONG];
  int n = pc_assembly_order(chain);
  random_source source = {seed};
  random_numbers(&source, n, want);
  memcpy(x, want, sizeof x);
  pc_assembly_solve(chain, x);
  memset(r, 0, sizeof r);
  pc_assembly_times(chain, x, r);
  double most = 0, size = 1;
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(r[i] - want[i])), size = fmax(size, fabs(x[i]));
  return most / (10 * size);
}

static void finite_element_chains_of_all_sizes_are_solved(void** state)
{
  (void)state;
  const int sizes[] = {2, 3, 10, 24, 25, 40, 60, 200, LONG};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int kind = 0; kind < 4; kind++) {
      pc_symmetry symmetry = kind % 2 ? PC_POSITIVE_DEFINITE : PC_UNSYMMETRIC;
      pc_assembly* chain = make_strided_chain(sizes[s], kind / 2 ? STRIDE : 1, symmetry);
      for (int round = 0; round < 4; round++) { /* analysed once, factorised four times */
        fill_chain(chain, pow(10, 3 * round), mass);
        assert_int_equal(pc_assembly_factor(chain), PC_OK);
        CHECK_NEAR(chain_residual(chain, 5) / pow(10, 3 * round), 0, 20 * DBL_EPSILON);
      }
      pc_assembly_destroy(chain);
    }
}

static void unsymmetric_chain_is_refactorised_with_other_values(void** state)
{
  (void)state;
  const double off_diagonal[] = {1e-12, 1, -1, 1e-12}; /* the old pivots are useless here */
  const double* element[] = {convection, mass, off_diagonal, convection, off_diagonal, mass};
  for (int stride = 1; stride <= STRIDE; stride += STRIDE - 1) {
    pc_assembly* chain = make_strided_chain(LONG, stride, PC_UNSYMMETRIC);
    for (int round = 0; round < 6; round++) {
      fill_chain(chain, 1, element[round]);
      assert_int_equal(pc_assembly_factor(chain), PC_OK);
      CHECK_NEAR(chain_residual(chain, 6), 0, 100 * DBL_EPSILON);
    }
    pc_assembly_destroy(chain);
  }
}

static void singular_chain_is_told_and_forgotten(void** state)
{
  (void)state;
  const double stiffness[] = {1, -1, -1, 1}; /* free at both ends: rigid motion */
  const double indefinite[] = {1, 2, 2, 1};
  for (int n = 5; n <= LONG; n *= 14)
    for (int kind = 0; kind < 4; kind++) {
      pc_symmetry symmetry = kind % 2 ? PC_POSITIVE_DEFINITE : PC_UNSYMMETRIC;
      pc_assembly* chain = make_strided_chain(n, kind / 2 ? STRIDE : 1, symmetry);
      for (int round = 0; round < 2; round++) {
        fill_chain(chain, 1, stiffness);
        assert_int_equal(pc_assembly_factor(chain), PC_SINGULAR);
        pc_assembly_clear(chain);
        assert_int_equal(pc_assembly_factor(chain), PC_SINGULAR);
        fill_chain(chain, 1, indefinite);
        if (symmetry == PC_POSITIVE_DEFINITE)
          assert_int_equal(pc_assembly_factor(chain), PC_SINGULAR);
        fill_chain(chain, NAN, mass);
        assert_int_equal(pc_assembly_factor(chain), PC_NOT_FINITE);
        fill_chain(chain, INFINITY, mass);
        assert_int_equal(pc_assembly_factor(chain), PC_NOT_FINITE);
        fill_chain(chain, 1, mass);
        assert_int_equal(pc_assembly_factor(chain), PC_OK);
        CHECK_NEAR(chain_residual(chain, 7), 0, 20 * DBL_EPSILON);
      }
      pc_assembly_destroy(chain);
    }
}

/* Small blocks, one scattered component and one sparse one in the same matrix; some sets are out of
 * order, some name an index twice. */
typedef struct mixture {
  int count;
  pc_index_set set[MIXED_SETS];
  pc_block block[MIXED_SETS][2];
  pc_assembly* assembly;
  double dense[MIXED * MIXED];
} mixture;

static void add_set(mixture* m, pc_block a, pc_block b)
{
  m->block[m->count][0] = a;
  m->block[m->count][1] = b;
  m->set[m->count] = (pc_index_set){b.width ? 2 : 1, m->block[m->count], 0};
  m->count++;
}

static void make_mixture(mixture* m, pc_symmetry symmetry)
{
  const pc_block none = {0, 0};
  pc_error error = {0};
  memset(m, 0, sizeof *m);
  for (int i = 0; i < 60; i += 6) add_set(m, (pc_block){i, 6}, none);
  for (int i = 60; i < 90; i += 3) add_set(m, (pc_block){i, 3}, none);
  for (int i = 90; i < 100; i++) add_set(m, (pc_block){i, 1}, none);
  add_set(m, (pc_block){63, 3}, (pc_block){0, 6});  /* joins two blocks, in the wrong order */
  add_set(m, (pc_block){12, 6}, (pc_block){12, 6}); /* both ends on the same body */
  add_set(m, (pc_block){95, 1}, (pc_block){90, 2});
  for (int i = 100; i + 4 <= MIXED; i += 2) /* a beam on the even and one on the odd places */
    add_set(m, (pc_block){i, 1}, (pc_block){i + 2, 1});
  for (int i = 101; i + 2 < MIXED; i += 2) add_set(m, (pc_block){i, 1}, (pc_block){i + 2, 1});
  CHECK_OK(pc_assembly_create(MIXED, m->count, m->set, symmetry, &m->assembly, &error), error);
}

static int expand(const pc_index_set* set, int* index)
{
  int count = 0;
  for (int b = 0; b < set->block_count; b++)
    for (int i = 0; i < set->block[b].width; i++) index[count++] = set->block[b].first + i;
  return count;
}

static void fill_mixture(mixture* m, random_source* source, int symmetric)
{
  pc_assembly_clear(m->assembly);
  memset(m->dense, 0, sizeof m->dense);
  for (int s = 0; s < m->count; s++) {
    int index[12], order = expand(&m->set[s], index);
    double value[144];
    random_numbers(source, order * order, value);
    for (int i = 0; i < order; i++) {
      for (int j = 0; j < i && symmetric; j++) value[i * order + j] = value[j * order + i];
      value[i * order + i] += 13;
    }
    pc_assembly_add(m->assembly, s, 0.5, value);
    for (int i = 0; i < order; i++)
      for (int j = 0; j < order; j++)
        m->dense[index[i] * MIXED + index[j]] += 0.5 * value[i * order + j];
  }
}

/* A x = b with the dense copy. */
static double mixture_residual(const mixture* m, const double* x, const double* b)
{
  double most = 0;
  for (int i = 0; i < MIXED; i++) {
    double sum = -b[i];
    for (int j = 0; j < MIXED; j++) sum += m->dense[i * MIXED + j] * x[j];
    most = fmax(most, fabs(sum));
  }
  return most;
}

static void mixed_components_are_one_matrix(void** state)
{
  (void)state;
  static mixture m;
  for (int symmetry = PC_UNSYMMETRIC; symmetry <= PC_POSITIVE_DEFINITE; symmetry++) {
    random_source source = {11};
    make_mixture(&m, (pc_symmetry)symmetry);
    assert_false(pc_assembly_is_one_set(m.assembly));
    for (int round = 0; round < 3; round++) {
      double b[MIXED], x[MIXED], y[MIXED] = {0};
      fill_mixture(&m, &source, symmetry == PC_POSITIVE_DEFINITE);
      random_numbers(&source, MIXED, b);
      memcpy(x, b, sizeof x);
      assert_int_equal(pc_assembly_factor(m.assembly), PC_OK);
      pc_assembly_solve(m.assembly, x);
      CHECK_NEAR(mixture_residual(&m, x, b), 0, 1e-14);
      pc_assembly_times(m.assembly, x, y);
      for (int i = 0; i < MIXED; i++) CHECK_NEAR(y[i], b[i], 1e-14);
    }
    pc_assembly_destroy(m.assembly);
  }
}

static void row_solves_are_solves(void** state)
{
  (void)state;
  static mixture m;
  const pc_block places[][2] = {{{0, 3}, {63, 3}},   {{6, 12}, {110, 1}}, {{58, 5}, {93, 5}},
                                {{101, 9}, {40, 1}}, {{0, 130}, {0, 0}},  {{150, 1}, {3, 2}}};
  for (int symmetry = PC_UNSYMMETRIC; symmetry <= PC_POSITIVE_DEFINITE; symmetry++) {
    random_source source = {12};
    make_mixture(&m, (pc_symmetry)symmetry);
    fill_mixture(&m, &source, symmetry == PC_POSITIVE_DEFINITE);
    assert_int_equal(pc_assembly_factor(m.assembly), PC_OK);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
      double w[130], x[MIXED], want[MIXED] = {0};
      random_numbers(&source, 130, w);
      random_numbers(&source, MIXED, x);
      pc_row row = {2, places[k], w};
      pc_row_add(row, 1, want);
      pc_assembly_solve(m.assembly, want);
      pc_assembly_solve_row(m.assembly, row, x);
      for (int i = 0; i < MIXED; i++) CHECK_NEAR(x[i], want[i], 0);
    }
    pc_assembly_destroy(m.assembly);
  }
}

static void matrices_add_up(void** state)
{
  (void)state;
  const pc_block block[] = {{0, 2}, {1, 2}};
  const pc_index_set set[] = {{1, &block[0], 0}, {1, &block[1], 0}};
  const double ones[] = {2, 1, 1, 2};
  pc_assembly* assembly = NULL;
  pc_error error = {0};
  CHECK_OK(pc_assembly_create(3, 2, set, PC_POSITIVE_DEFINITE, &assembly, &error), error);
  pc_assembly_add(assembly, 0, 1, ones);
  pc_assembly_add(assembly, 0, 2, ones);
  pc_assembly_add(assembly, 1, 4, ones);
  double x[] = {1, 10, 100}, y[] = {0, 0, 1};
  pc_assembly_times(assembly, x, y); /* {6 3 0; 3 14 4; 0 4 8} x */
  CHECK_NEAR(y[0], 36, 0);
  CHECK_NEAR(y[1], 543, 0);
  CHECK_NEAR(y[2], 841, 0);
  pc_assembly_destroy(assembly);
}

static void note_visit(void* user, int i, int j, double value)
{
  double* sum = user;
  *sum += (1 + i + 10 * j) * value + 1;
}

/* A matrix that is diagonal by declaration is the same matrix, bit by bit, also beside others on
 * the same indices. */
static void declared_diagonals_are_the_same_matrix(void** state)
{
  (void)state;
  const double diagonal[] = {3, 0, 0, 0, 0.7, 0, 0, 0, 11}, full[] = {2, 1, 1, 2};
  const pc_block block[] = {{0, 3}, {3, 3}, {5, 2}};
  double x[2][7], y[2][7], visits[2] = {0, 0};
  pc_error error = {0};
  for (int declared = 0; declared < 2; declared++) {
    const pc_index_set set[] = {
        {1, &block[0], declared}, {1, &block[1], declared}, {1, &block[2], 0}};
    pc_assembly* A = NULL;
    CHECK_OK(pc_assembly_create(7, 3, set, PC_POSITIVE_DEFINITE, &A, &error), error);
    assert_true((pc_assembly_component_diagonal(A, 0) != NULL) == declared);
    assert_true((pc_assembly_component_entries(A, 0) == NULL) == declared);
    assert_null(pc_assembly_component_diagonal(A, 1)); /* it has a full matrix as well */
    pc_assembly_add(A, 0, 0.3, diagonal);
    pc_assembly_add(A, 0, 1.1, diagonal);
    pc_assembly_add(A, 1, 1, diagonal);
    pc_assembly_add(A, 2, 1, full);
    assert_int_equal(pc_assembly_factor(A), PC_OK);
    for (int i = 0; i < 7; i++) x[declared][i] = y[declared][i] = 1.0 / (3 + i);
    pc_assembly_solve(A, x[declared]);
    pc_assembly_times(A, x[declared], y[declared]);
    pc_assembly_visit(A, note_visit, &visits[declared]);
    pc_assembly_clear(A);
    pc_assembly_add(A, 1, 1, diagonal);
    pc_assembly_add(A, 2, 1, full);
    assert_int_equal(pc_assembly_factor(A), PC_SINGULAR);
    pc_assembly_destroy(A);
  }
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  assert_memory_equal(y[0], y[1], sizeof y[0]);
  CHECK_NEAR(visits[0], visits[1], 0);
}

static void one_large_full_matrix_is_solved(void** state)
{
  (void)state;
  enum { FULL = 90 };
  static double value[FULL * FULL], b[FULL], x[FULL], r[FULL];
  const pc_block block = {0, FULL};
  const pc_index_set set = {1, &block, 0};
  random_source source = {13};
  pc_assembly* assembly = NULL;
  pc_error error = {0};
  CHECK_OK(pc_assembly_create(FULL, 1, &set, PC_UNSYMMETRIC, &assembly, &error), error);
  random_numbers(&source, FULL * FULL, value);
  for (int i = 0; i < FULL; i++) value[i * FULL + i] += FULL;
  random_numbers(&source, FULL, b);
  memcpy(x, b, sizeof x);
  pc_assembly_add(assembly, 0, 1, value);
  assert_int_equal(pc_assembly_factor(assembly), PC_OK);
  pc_assembly_solve(assembly, x);
  pc_assembly_times(assembly, x, r);
  for (int i = 0; i < FULL; i++) CHECK_NEAR(r[i], b[i], 1e-14);
  for (int i = 0; i < FULL * FULL; i++) value[i] *= 2; /* half the solution, by the other way */
  assert_true(pc_assembly_is_one_set(assembly));
  pc_assembly_put(assembly, value);
  assert_int_equal(pc_assembly_factor(assembly), PC_OK);
  pc_assembly_solve(assembly, b);
  for (int i = 0; i < FULL; i++) CHECK_NEAR(2 * b[i], x[i], 0);
  pc_assembly_destroy(assembly);
}

static void an_index_without_entries_makes_it_singular(void** state)
{
  (void)state;
  const pc_block block = {0, 1};
  const pc_index_set set = {1, &block, 0};
  const double one = 1;
  for (int symmetry = PC_UNSYMMETRIC; symmetry <= PC_POSITIVE_DEFINITE; symmetry++) {
    pc_assembly* assembly = NULL;
    pc_error error = {0};
    CHECK_OK(pc_assembly_create(2, 1, &set, (pc_symmetry)symmetry, &assembly, &error), error);
    pc_assembly_add(assembly, 0, 1, &one);
    assert_int_equal(pc_assembly_factor(assembly), PC_SINGULAR);
    pc_assembly_destroy(assembly);
  }
}

static void empty_matrices_and_bad_sets(void** state)
{
  (void)state;
  pc_assembly* assembly = NULL;
  pc_error error = {0};
  CHECK_OK(pc_assembly_create(0, 0, NULL, PC_UNSYMMETRIC, &assembly, &error), error);
  pc_assembly_clear(assembly);
  assert_int_equal(pc_assembly_factor(assembly), PC_OK);
  pc_assembly_solve(assembly, NULL);
  pc_assembly_destroy(assembly);
  pc_assembly_destroy(NULL);
  const pc_block bad[] = {{2, 2}, {-1, 2}, {0, -1}, {INT32_MAX, 1}};
  for (int k = 0; k < 4; k++) {
    pc_index_set set = {1, &bad[k], 0};
    assert_int_equal(pc_assembly_create(3, 1, &set, PC_UNSYMMETRIC, &assembly, &error),
                     PC_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "index set 0"));
  }
  assert_int_equal(pc_assembly_create(-1, 0, NULL, PC_UNSYMMETRIC, &assembly, NULL),
                   PC_BAD_ARGUMENT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finite_element_chains_of_all_sizes_are_solved),
      cmocka_unit_test(unsymmetric_chain_is_refactorised_with_other_values),
      cmocka_unit_test(singular_chain_is_told_and_forgotten),
      cmocka_unit_test(mixed_components_are_one_matrix),
      cmocka_unit_test(row_solves_are_solves),
      cmocka_unit_test(matrices_add_up),
      cmocka_unit_test(declared_diagonals_are_the_same_matrix),
      cmocka_unit_test(one_large_full_matrix_is_solved),
      cmocka_unit_test(an_index_without_entries_makes_it_singular),
      cmocka_unit_test(empty_matrices_and_bad_sets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
