#include "base/memory.h"
#include "base/status.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static void arena_gives_back_what_was_taken_after_a_mark(void** state)
{
  (void)state;
  pc_arena* arena = pc_arena_create(256);
  double* kept = pc_arena_doubles(arena, 4);
  for (int i = 0; i < 4; i++) kept[i] = i;
  pc_mark mark = pc_arena_mark(arena);
  double* first = pc_arena_doubles(arena, 10);
  pc_arena_release(arena, mark);
  double* second = pc_arena_doubles(arena, 10);
  assert_ptr_equal(first, second);
  for (int i = 0; i < 4; i++) CHECK_NEAR(kept[i], i, 0);
  pc_arena_destroy(arena);
}

static void arena_grows_and_keeps_older_memory_in_place(void** state)
{
  (void)state;
  pc_arena* arena = pc_arena_create(64);
  double* small = pc_arena_doubles(arena, 8);
  small[7] = 42;
  double* large = pc_arena_doubles(arena, 100000);
  assert_non_null(large);
  large[99999] = 1;
  assert_int_equal((uintptr_t)large % 32, 0);
  CHECK_NEAR(small[7], 42, 0);
  pc_mark mark = pc_arena_mark(arena);
  int* ints = pc_arena_ints(arena, 3);
  pc_arena_release(arena, mark);
  assert_ptr_equal(ints, pc_arena_ints(arena, 3));
  pc_arena_destroy(arena);
  pc_arena_destroy(NULL);
}

static void sizes_that_overflow_are_refused(void** state)
{
  (void)state;
  pc_arena* arena = pc_arena_create(0);
  assert_null(pc_arena_doubles(arena, SIZE_MAX / 4));
  assert_non_null(pc_arena_doubles(arena, 0));
  pc_arena_destroy(arena);
  assert_null(pc_alloc(SIZE_MAX / 2, 16));
}

static void growing_array_keeps_its_items(void** state)
{
  (void)state;
  int* items = NULL;
  int capacity = 0;
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(pc_grow((void**)&items, &capacity, i, sizeof *items), PC_OK);
    assert_int_equal(items[i], 0);
    items[i] = i;
  }
  for (int i = 0; i < 1000; i++) assert_int_equal(items[i], i);
  free(items);
}

static void trimmed_array_keeps_its_items_and_no_more(void** state)
{
  (void)state;
  int *item = NULL, capacity = 0;
  for (int i = 0; i < 9; i++) {
    assert_int_equal(pc_grow((void**)&item, &capacity, i, sizeof *item), PC_OK);
    item[i] = i;
  }
  assert_true(capacity > 9);
  assert_int_equal(pc_trim((void**)&item, &capacity, 9, sizeof *item), PC_OK);
  assert_int_equal(capacity, 9);
  for (int i = 0; i < 9; i++) assert_int_equal(item[i], i);
  /* nothing would be left */
  assert_int_equal(pc_trim((void**)&item, &capacity, 0, sizeof *item), PC_OK);
  assert_int_equal(capacity, 9);
  assert_int_equal(pc_grow((void**)&item, &capacity, 9, sizeof *item), PC_OK);
  assert_true(capacity > 9);
  free(item);
}

static void errors_carry_their_text(void** state)
{
  (void)state;
  pc_error error = {0};
  assert_int_equal(pc_fail(&error, PC_BAD_MODEL, "mass is %g", -1.5), PC_BAD_MODEL);
  assert_string_equal(error.text, "mass is -1.5");
  assert_int_equal(error.status, PC_BAD_MODEL);
  assert_int_equal(pc_fail(NULL, PC_NOT_FINITE, "nobody listens"), PC_NOT_FINITE);
  char longer[2000];
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = 0;
  pc_fail(&error, PC_BAD_MODEL, "%s", longer);
  assert_int_equal(strlen(error.text), sizeof error.text - 1);
  for (int s = PC_OK; s <= PC_STOPPED + 1; s++)
    assert_true(strlen(pc_status_text((pc_status)s)) > 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arena_gives_back_what_was_taken_after_a_mark),
      cmocka_unit_test(arena_grows_and_keeps_older_memory_in_place),
      cmocka_unit_test(sizes_that_overflow_are_refused),
      cmocka_unit_test(growing_array_keeps_its_items),
      cmocka_unit_test(trimmed_array_keeps_its_items_and_no_more),
      cmocka_unit_test(errors_carry_their_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
