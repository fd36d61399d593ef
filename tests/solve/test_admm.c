/* Alternating directions on heaps with every dimension of friction, with joints and with
 * unsymmetric A: the answer is judged independently, a solution is a fixed point, and from a rough
 * answer they lead to where proximal problems end. */
#include "check.h"
#include "solve/admm.h"
#include "solve/lone_island.h"
#include "solve/methods.h"

enum { HEAPS = 6 };

/* Iterations alone, from nothing. */
static void converges(const heap_options* options)
{
  static const double tolerance = 1e-8;
  int judged = 0;
  for (int seed = 1; seed <= HEAPS; seed++) {
    heap h;
    lone_island l;
    pc_admm admm;
    make_heap(&h, seed, options);
    if (lone_island_make(&l, &h, tolerance)) {
      assert_int_equal(pc_admm_prepare(&admm, &l.island), PC_OK);
      pc_admm_begin(&admm);
      pc_admm_iterate(&admm, 20000);
      assert_true(pc_island_done(&l.island));
      assert_int_equal(l.island.best_by, PC_METHOD_ADMM);
      CHECK_NEAR(lone_island_judge(&l, &h), 0, 1.01 * tolerance);
      judged++;
    }
    lone_island_free(&l);
    heap_free(&h);
  }
  assert_true(judged >= HEAPS / 2);
}

static void iterations_converge_for_every_friction(void** state)
{
  (void)state;
  for (int dimension = 0; dimension <= 3; dimension++) {
    heap_options o = spatial(27, dimension, 0.3);
    converges(&o);
  }
}

static void joints_and_unsymmetric_operators_are_taken(void** state)
{
  (void)state;
  heap_options hinged = spatial(27, 2, 0.3), skew = hinged;
  hinged.joints = 20;
  skew.skew = 0.1;
  converges(&hinged);
  converges(&skew);
}

static void a_solution_stays(void** state)
{
  (void)state;
  heap h;
  lone_island l;
  pc_admm admm;
  heap_options o = spatial(60, 2, 0.5);
  make_heap(&h, 1, &o);
  lone_island_make(&l, &h, 1e-13);
  pc_island* s = &l.island;
  assert_int_equal(pc_ipm_solve(s, 100, 0), PC_OK);
  assert_true(pc_island_done(s));
  pc_island_take_best(s);
  assert_int_equal(pc_admm_prepare(&admm, s), PC_OK);
  pc_admm_begin(&admm);
  s->tolerance = 0; /* go on */
  pc_admm_iterate(&admm, 100);
  pc_island_dual(s);
  CHECK_NEAR(pc_island_residual(s), 0, 1e-12);
  lone_island_free(&l);
  heap_free(&h);
}

/* Whether proximal problems solve a heap from where sweeps end, and with iterations in between. */
static int is_solved(const heap* h, int iterations)
{
  lone_island l;
  pc_admm admm;
  lone_island_make(&l, h, 1e-12);
  pc_island* s = &l.island;
  assert_int_equal(pc_nsgs_solve(s, 100, PC_METHOD_NSGS), PC_OK);
  assert_int_equal(pc_admm_prepare(&admm, s), PC_OK);
  pc_admm_begin(&admm);
  if (iterations > 0 && !pc_island_done(s)) pc_admm_iterate(&admm, iterations);
  if (!pc_island_done(s))
    assert_int_equal(pc_newton_solve_proximally(s, 40, 12, PC_METHOD_NEWTON), PC_OK);
  int done = pc_island_done(s);
  if (done && l.islands.count == 1) CHECK_NEAR(lone_island_judge(&l, h), 0, 1.01e-12);
  lone_island_free(&l);
  return done;
}

static void they_lead_to_where_proximal_problems_end(void** state)
{
  (void)state;
  enum { COUNT = 20 };
  int without = 0, with = 0;
  for (int seed = 1; seed <= COUNT; seed++) {
    heap h;
    heap_options o = spatial(120, 2, 0.8);
    make_heap(&h, seed, &o);
    without += is_solved(&h, 0);
    with += is_solved(&h, 300);
    heap_free(&h);
  }
  print_message("of %d heaps proximal problems solve %d after sweeps, %d after 300 iterations\n",
                COUNT, without, with);
  assert_true(with >= without + 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(iterations_converge_for_every_friction),
      cmocka_unit_test(joints_and_unsymmetric_operators_are_taken),
      cmocka_unit_test(a_solution_stays),
      cmocka_unit_test(they_lead_to_where_proximal_problems_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
