#include "collide/broad_phase.h"

#include "check.h"
#include "linalg/random.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include "counting_allocator.h"
#define COUNTED 1
#else
#include <stdlib.h>
#define COUNTED 0
static long allocations;
#endif

static pc_bounds random_box(random_source* r, double spread, double size)
{
  pc_bounds b;
  for (int i = 0; i < 3; i++) {
    double half = size * (random_number(r) + 1) / 2;
    double middle = spread * random_number(r);
    b.low[i] = middle - half;
    b.high[i] = middle + half;
  }
  return b;
}

/* Every pair of the slow computation is there, once, in order, and no other. */
static void check_pairs(int count, const pc_bounds* b, int half_spaces, const pc_half_space* h,
                        const pc_couple* pair, int pair_count)
{
  int at = 0;
  for (int i = 0; i < count; i++)
    for (int k = i + 1; k < count; k++) {
      int expected =
          pc_bounds_overlap(&b[i], &b[k]) && isfinite(b[i].low[0]) && isfinite(b[k].low[0]);
      for (int s = 0; s < half_spaces; s++) {
        int other = h[s].index == i ? k : h[s].index == k ? i : -1;
        if (other < 0 || !isfinite(b[other].low[0])) continue;
        for (int c = 0; c < 8; c++) { /* the corners of the box */
          double x[3] = {c & 1 ? b[other].low[0] : b[other].high[0],
                         c & 2 ? b[other].low[1] : b[other].high[1],
                         c & 4 ? b[other].low[2] : b[other].high[2]};
          if (h[s].n[0] * x[0] + h[s].n[1] * x[1] + h[s].n[2] * x[2] <= h[s].offset) expected = 1;
        }
      }
      int found = at < pair_count && pair[at].a == i && pair[at].b == k;
      assert_int_equal(found, expected);
      at += found;
    }
  assert_int_equal(at, pair_count);
}

static void all_overlapping_boxes_are_found(void** state)
{
  (void)state;
  enum { MOST = 300 };
  random_source r = {13};
  pc_bounds box[MOST];
  pc_broad_phase* phase = pc_broad_phase_create(NULL);
  for (int trial = 0; trial < 300; trial++) {
    int count = trial % MOST, pair_count;
    for (int i = 0; i < count; i++)
      box[i] = random_box(&r, 1, trial % 3 ? 0.2 : 0.02 + (i % 10 == 0));
    if (trial % 5 == 0) /* flat, as in the plane */
      for (int i = 0; i < count; i++) box[i].low[2] = box[i].high[2] = 0;
    if (trial % 7 == 0) /* all the same */
      for (int i = 0; i < count; i++) box[i] = box[0];
    if (count > 20)
      box[7].low[0] = NAN,
      box[9] = (pc_bounds){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const pc_half_space h[2] = {{9, {0, 0, 1}, -0.3}, {9, {0.6, 0, -0.8}, -0.8}};
    int half_spaces = count > 20 ? 1 + (trial & 1) : 0;
    if (half_spaces == 2) half_spaces = 1; /* one half-space per shape */
    const pc_couple* pair;
    pc_error error;
    CHECK_OK(pc_broad_phase_find(phase, count, box, half_spaces, &h[trial & 1], &pair, &pair_count,
                                 &error),
             error);
    check_pairs(count, box, half_spaces, &h[trial & 1], pair, pair_count);
  }
  pc_broad_phase_destroy(phase);
}

/* Boxes of the size of spheres in a heap: on a grid of pitch 1, half a pitch and a bit wide. */
static int heap(int n, pc_bounds* box)
{
  int k = (int)ceil(cbrt(n));
  random_source r = {19};
  for (int i = 0; i < n; i++) {
    const double x[3] = {i % k + 0.2 * random_number(&r), i / k % k + 0.2 * random_number(&r),
                         i / k / k + 0.2 * random_number(&r)};
    for (int a = 0; a < 3; a++) box[i].low[a] = x[a] - 0.55, box[i].high[a] = x[a] + 0.55;
  }
  return n;
}

static void nothing_is_allocated_when_the_arrays_have_grown(void** state)
{
  (void)state;
  enum { N = 2000 };
  pc_bounds* box = malloc(N * sizeof *box);
  assert_non_null(box);
  pc_broad_phase* phase = pc_broad_phase_create(NULL);
  const pc_couple* pair;
  int count;
  heap(N, box);
  assert_int_equal(pc_broad_phase_find(phase, N, box, 0, NULL, &pair, &count, NULL), PC_OK);
  long before = allocations;
  for (int i = 0; i < 10; i++) {
    box[i].low[0] -= 0.01;
    assert_int_equal(pc_broad_phase_find(phase, N, box, 0, NULL, &pair, &count, NULL), PC_OK);
  }
  assert_int_equal(allocations, before);
  pc_broad_phase_destroy(phase);
  free(box);
}

/* Comparisons per box grow with the logarithm of their number, not with the number. */
static void work_grows_linearly_but_for_a_logarithm(void** state)
{
  (void)state;
  enum { MOST = 100000 };
  pc_bounds* box = malloc(MOST * sizeof *box);
  assert_non_null(box);
  pc_broad_phase* phase = pc_broad_phase_create(NULL);
  const pc_couple* pair;
  int count;
  double per_box[4], pairs[4];
  for (int i = 0, n = 100; i < 4; i++, n *= 10) {
    heap(n, box);
    assert_int_equal(pc_broad_phase_find(phase, n, box, 0, NULL, &pair, &count, NULL), PC_OK);
    per_box[i] = (double)pc_broad_phase_comparisons(phase) / n;
    pairs[i] = (double)count / n;
  }
  assert_true(pairs[3] < 12 && pairs[3] > 2); /* a heap, at any size */
  assert_true(per_box[2] < 2 * per_box[1]);
  assert_true(per_box[3] < 1.5 * per_box[2]);
  pc_broad_phase_destroy(phase);
  free(box);
}

/* The same boxes after others give the same pairs. */
static void earlier_calls_do_not_matter(void** state)
{
  (void)state;
  enum { N = 500 };
  random_source r = {43};
  pc_bounds box[N], other[N];
  for (int i = 0; i < N; i++) box[i] = random_box(&r, 1, 0.1), other[i] = random_box(&r, 3, 0.5);
  pc_broad_phase *fresh = pc_broad_phase_create(NULL), *used = pc_broad_phase_create(NULL);
  const pc_couple *a, *b;
  int a_count, b_count;
  assert_int_equal(pc_broad_phase_find(used, N, other, 0, NULL, &b, &b_count, NULL), PC_OK);
  assert_int_equal(pc_broad_phase_find(used, N, box, 0, NULL, &b, &b_count, NULL), PC_OK);
  assert_int_equal(pc_broad_phase_find(fresh, N, box, 0, NULL, &a, &a_count, NULL), PC_OK);
  assert_int_equal(a_count, b_count);
  for (int i = 0; i < a_count; i++) assert_true(a[i].a == b[i].a && a[i].b == b[i].b);
  pc_broad_phase_destroy(fresh);
  pc_broad_phase_destroy(used);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_overlapping_boxes_are_found),
      cmocka_unit_test(nothing_is_allocated_when_the_arrays_have_grown),
      cmocka_unit_test(work_grows_linearly_but_for_a_logarithm),
      cmocka_unit_test(earlier_calls_do_not_matter),
  };
  (void)COUNTED;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
