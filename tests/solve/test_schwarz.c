/* Subdomains of heaps with every dimension of friction, with joints and with unsymmetric A have the
 * duals of the island; sweeps and rounds with subdomains are judged independently, and solve heaps
 * that as many sweeps alone do not. */
#include "solve/schwarz.h"

#include "check.h"
#include "solve/lone_island.h"
#include "solve/methods.h"
#include "solve/subdomain.h"

/* --- subdomains --- */

static void fill(dice* d, int n, double* z)
{
  for (int i = 0; i < n; i++) z[i] = uniform(d, -1, 1);
}

/* The dual of the subdomain, computed here, beside that of the island. */
static void check_duals(const pc_subdomain* d, const pc_island* s)
{
  const pc_problem* p = &d->problem;
  for (int k = 0; k < s->node_count; k++) {
    int l = d->local[k];
    if (l < 0) continue;
    assert_int_equal(p->row[l + 1] - p->row[l], pc_island_size(s, k));
    assert_int_equal(p->node[l].kind, s->node[k].kind);
    for (int i = 0; i < pc_island_size(s, k); i++) {
      double y = p->b[p->row[l] + i];
      for (int e = p->start[l]; e < p->start[l + 1]; e++) {
        int j = p->column[e], columns = p->row[j + 1] - p->row[j];
        for (int c = 0; c < columns; c++)
          y += p->value[p->place[e] + (size_t)(i * columns + c)] * d->z[p->row[j] + c];
      }
      CHECK_NEAR(y, s->y[s->A.row[k] + i], 1e-12);
    }
  }
}

static void has_duals_of_island(const heap_options* options)
{
  heap h;
  lone_island l;
  dice d = {7};
  pc_error error = {0};
  make_heap(&h, 3, options);
  lone_island_make(&l, &h, 1e-12);
  pc_island* s = &l.island;
  unsigned char* taken = calloc((size_t)s->node_count, 1);
  int count = 0;
  for (int k = 0; k < s->node_count; k++) count += taken[k] = uniform(&d, 0, 1) < 0.4;
  fill(&d, s->row_count, s->z);
  pc_island_dual(s);
  pc_subdomain part;
  assert_int_equal(pc_subdomain_extract(s, taken, &part), PC_OK);
  assert_int_equal(part.problem.node_count, count);
  CHECK_OK(pc_problem_check(&part.problem, &error), error);
  check_duals(&part, s);
  fill(&d, part.problem.row[count], part.z);
  pc_subdomain_put(&part, s);
  pc_island_dual(s);
  check_duals(&part, s);
  free(taken);
  lone_island_free(&l);
  heap_free(&h);
}

static void a_subdomain_has_the_duals_of_the_island(void** state)
{
  (void)state;
  for (int dimension = 0; dimension <= 3; dimension++) {
    heap_options o = spatial(27, dimension, 0.3);
    has_duals_of_island(&o);
  }
  heap_options hinged = spatial(27, 2, 0.3), skew = hinged, mixed = spatial(27, -1, 0.5);
  hinged.joints = 20;
  skew.skew = 0.1;
  has_duals_of_island(&hinged);
  has_duals_of_island(&skew);
  has_duals_of_island(&mixed);
}

/* --- rounds --- */

static pc_solver* make_solver(void)
{
  pc_error error = {0};
  pc_solver* solver;
  CHECK_OK(pc_solver_create("auto", NULL, &solver, &error), error);
  return solver;
}

/* From nothing. Returns whether the tolerance is met. */
static int is_solved(const heap* h, pc_schwarz_work work)
{
  lone_island l;
  pc_solver* solver = make_solver();
  lone_island_make(&l, h, 1e-10);
  pc_island* s = &l.island;
  size_t entries = pc_block_lu_entry_count(s->lu);
  assert_int_equal(pc_schwarz_solve(solver, s, work, 0), PC_OK);
  assert_true(pc_block_lu_entry_count(s->lu) == entries); /* ordered for the island again */
  int done = pc_island_done(s);
  if (done && l.islands.count == 1) CHECK_NEAR(lone_island_judge(&l, h), 0, 1.01e-10);
  lone_island_free(&l);
  pc_solver_destroy(solver);
  return done;
}

/* Large friction, with which sweeps cycle in one heap of three. Rounds of sweeps alone would solve
 * one of these. */
static void rounds_solve_what_sweeps_do_not(void** state)
{
  (void)state;
  enum { COUNT = 40 };
  int left = 0, helped = 0;
  for (int seed = 1; seed <= COUNT; seed++) {
    heap h;
    heap_options o = spatial(60, 2, 3);
    make_heap(&h, seed, &o);
    if (!is_solved(&h, (pc_schwarz_work){16000, 0})) {
      left++;
      helped += is_solved(&h, (pc_schwarz_work){0, 40});
    }
    heap_free(&h);
  }
  print_message("of %d heaps 16000 sweeps leave %d, 40 rounds solve %d of these\n", COUNT, left,
                helped);
  assert_true(left >= 6 && 3 * helped >= left);
}

static void joints_and_unsymmetric_operators_are_taken(void** state)
{
  (void)state;
  heap_options hinged = spatial(60, 2, 0.3), skew = hinged;
  hinged.joints = 20;
  skew.skew = 0.1;
  for (int seed = 1; seed <= 3; seed++) {
    heap h;
    make_heap(&h, seed, &hinged);
    assert_true(is_solved(&h, (pc_schwarz_work){200, 20}));
    heap_free(&h);
    make_heap(&h, seed, &skew);
    assert_true(is_solved(&h, (pc_schwarz_work){200, 20}));
    heap_free(&h);
  }
}

/* From nothing, with much work allowed; returns the iterations. */
static int iterations_to(const heap* h, double usable)
{
  lone_island l;
  pc_solver* solver = make_solver();
  lone_island_make(&l, h, 1e-12);
  assert_int_equal(pc_schwarz_solve(solver, &l.island, (pc_schwarz_work){20000, 100}, usable),
                   PC_OK);
  assert_true(l.island.best_residual <= pc_larger(usable, 1e-12));
  int iterations = l.island.iterations;
  lone_island_free(&l);
  pc_solver_destroy(solver);
  return iterations;
}

static void a_usable_answer_ends_it(void** state)
{
  (void)state;
  int sooner = 0;
  for (int seed = 1; seed <= 5; seed++) {
    heap h;
    heap_options o = spatial(60, 2, 1.5);
    make_heap(&h, seed, &o);
    int all = iterations_to(&h, 0), some = iterations_to(&h, 1e-2);
    assert_true(some <= all);
    sooner += some < all;
    heap_free(&h);
  }
  assert_true(sooner >= 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_subdomain_has_the_duals_of_the_island),
      cmocka_unit_test(rounds_solve_what_sweeps_do_not),
      cmocka_unit_test(joints_and_unsymmetric_operators_are_taken),
      cmocka_unit_test(a_usable_answer_ends_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
