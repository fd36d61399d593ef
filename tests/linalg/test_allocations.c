/* Nothing allocates after creation and the first factorisation, KLU and LDL included. */
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "check.h"
#include "counting_allocator.h"
#include "linalg/assembly.h"
#include "linalg/delassus.h"
#include "random.h"

static const double element[] = {0.9, 0.2, 0.2, 0.8};

static void round_trip(pc_assembly* chain, double scale, double* x)
{
  fill_chain(chain, scale, element);
  assert_int_equal(pc_assembly_factor(chain), PC_OK);
  pc_assembly_solve(chain, x);
}

static void the_counter_counts(void** state)
{
  (void)state;
  long before = allocations;
  void* volatile memory = malloc(10);
  free(memory);
  assert_int_equal(allocations - before, 1);
}

static void factorising_again_does_not_allocate(void** state)
{
  (void)state;
  const int sizes[] = {2, 6, 40, 60, 1000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int symmetry = PC_UNSYMMETRIC; symmetry <= PC_POSITIVE_DEFINITE; symmetry++) {
      double x[1000];
      random_source source = {3};
      random_numbers(&source, 1000, x);
      pc_assembly* chain = make_chain(sizes[s], (pc_symmetry)symmetry);
      fill_chain(chain, 1, element);
      assert_int_equal(pc_assembly_factor(chain), PC_OK);
      long before = allocations;
      for (int round = 0; round < 5; round++) round_trip(chain, 1 + round, x);
      long after = allocations;
      assert_int_equal(after, before);
      pc_assembly_destroy(chain);
    }
}

static void one_full_matrix_does_not_allocate(void** state)
{
  (void)state;
  enum { FULL = 80 };
  static double value[FULL * FULL], x[FULL];
  const pc_block block = {0, FULL};
  const pc_index_set set = {1, &block, 0};
  random_source source = {4};
  random_numbers(&source, FULL * FULL, value);
  for (int i = 0; i < FULL; i++) value[i * FULL + i] += FULL;
  for (int symmetry = PC_UNSYMMETRIC; symmetry <= PC_POSITIVE_DEFINITE; symmetry++) {
    pc_assembly* assembly = NULL;
    pc_error error = {0};
    CHECK_OK(pc_assembly_create(FULL, 1, &set, (pc_symmetry)symmetry, &assembly, &error), error);
    pc_assembly_add(assembly, 0, 1, value);
    assert_int_equal(pc_assembly_factor(assembly), PC_OK);
    pc_assembly_solve(assembly, x);
    long before = allocations;
    assert_int_equal(pc_assembly_factor(assembly), PC_OK);
    pc_assembly_solve(assembly, x);
    assert_int_equal(allocations, before);
    pc_assembly_destroy(assembly);
  }
}

static void contacts_do_not_allocate(void** state)
{
  (void)state;
  enum { N = 300 };
  pc_error error = {0};
  pc_delassus* delassus = NULL;
  pc_assembly* chain = make_chain(N, PC_POSITIVE_DEFINITE);
  fill_chain(chain, 1, element);
  assert_int_equal(pc_assembly_factor(chain), PC_OK);
  CHECK_OK(pc_delassus_create(N, 2, 2, &delassus, &error), error);
  const pc_block block[] = {{0, 1}, {100, 1}, {200, 1}, {299, 1}};
  const double one = 1;
  pc_row row[4];
  for (int k = 0; k < 4; k++) row[k] = (pc_row){1, &block[k], &one};
  double u[N] = {0}, c[] = {1, 2}, P_b[2] = {0};
  long before = allocations;
  assert_int_equal(pc_delassus_set_bilateral(delassus, chain, 2, row), PC_OK);
  assert_non_null(pc_delassus_set_contacts(delassus, chain, 2, row + 2, NULL));
  pc_delassus_project(delassus, c, u, P_b);
  pc_delassus_apply(delassus, c, u, P_b);
  assert_int_equal(allocations, before);
  pc_delassus_destroy(delassus);
  pc_assembly_destroy(chain);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_counter_counts),
      cmocka_unit_test(factorising_again_does_not_allocate),
      cmocka_unit_test(one_full_matrix_does_not_allocate),
      cmocka_unit_test(contacts_do_not_allocate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
