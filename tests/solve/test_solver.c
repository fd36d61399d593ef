/* The contact solvers on problems by blocks: every method on the same random heaps, judged by a
 * residual that is computed here from the answer. */
#include "check.h"
#include "solve/heaps.h"
#include "solve/judge.h"
#include "wrapped_allocator.h"

static const heap_options plane = {.planar = 1,
                                   .bodies = 25,
                                   .dimension = 1,
                                   .points_max = 2,
                                   .copies = 1,
                                   .mu_min = 0.1,
                                   .mu_max = 0.6,
                                   .mass_ratio = 100};
static const heap_options space = {.bodies = 27,
                                   .dimension = 2,
                                   .points_max = 2,
                                   .copies = 1,
                                   .mu_min = 0.1,
                                   .mu_max = 0.6,
                                   .mass_ratio = 100};

static pc_solver* make_with(const char* name, double tolerance, int iterations)
{
  pc_error error = {0};
  pc_solver* solver = NULL;
  pc_solver_settings settings = pc_default_solver_settings();
  settings.tolerance = tolerance;
  settings.max_iterations = iterations;
  CHECK_OK(pc_solver_create(name, &settings, &solver, &error), error);
  return solver;
}

static double* zeros(const pc_problem* p)
{
  return calloc((size_t)judge_rows(p) + 1, sizeof(double));
}

static pc_solver_info solve(pc_solver* solver, const pc_problem* p, double* z)
{
  pc_error error = {0};
  pc_solver_info info;
  CHECK_OK(pc_solver_solve(solver, p, z, &info, &error), error);
  return info;
}

/* --- names and settings --- */

static void every_name_has_a_summary(void** state)
{
  (void)state;
  int count = 0, friction[] = {3, 3, 3, 3, 1, 3};
  const char* expected[] = {"auto", "newton", "nsgs", "ipm", "lemke", "prox"};
  for (const char* const* name = pc_solver_names(); *name; name++, count++) {
    assert_string_equal(*name, expected[count]);
    assert_true(strlen(pc_solver_summary(*name)) > 10);
    assert_int_equal(pc_solver_friction_max(*name), friction[count]);
  }
  assert_int_equal(count, 6);
  assert_null(pc_solver_summary("gauss"));
  assert_null(pc_solver_summary(NULL));
  assert_int_equal(pc_solver_friction_max("gauss"), -1);
  for (int m = 0; m < PC_METHOD_COUNT; m++) assert_true(strlen(pc_method_name((pc_method)m)) > 2);
  assert_string_equal(pc_method_name(PC_METHOD_COUNT), "unknown");
}

static void creation_refuses_what_makes_no_sense(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_solver* solver = NULL;
  assert_int_equal(pc_solver_create("gauss", NULL, &solver, &error), PC_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "gauss"));
  pc_solver_settings bad[3];
  for (int i = 0; i < 3; i++) bad[i] = pc_default_solver_settings();
  bad[0].tolerance = NAN;
  bad[1].acceptance = -1;
  bad[2].max_iterations = 0;
  for (int i = 0; i < 3; i++) {
    assert_int_equal(pc_solver_create("ipm", &bad[i], &solver, NULL), PC_BAD_ARGUMENT);
    assert_null(solver);
  }
  CHECK_OK(pc_solver_create(NULL, NULL, &solver, &error), error); /* auto */
  pc_solver_destroy(solver);
  pc_solver_destroy(NULL);
}

/* --- every solver --- */

/* Solves `count` heaps by one solver and returns how many it solves. What it calls solved has to
 * be. */
static int solved_of(const char* name, const heap_options* options, int saddle, int count,
                     double tolerance, int iterations)
{
  dice d = {42};
  int solved = 0;
  pc_solver* solver = make_with(name, tolerance, iterations);
  for (int trial = 0; trial < count; trial++) {
    heap h;
    heap_make(&h, &d, options);
    if (saddle)
      heap_saddle_form(&h);
    else
      heap_percussion_form(&h);
    double* z = zeros(&h.problem);
    pc_solver_info info = solve(solver, &h.problem, z);
    double residual = judge_problem(&h.problem, z);
    solved += info.converged;
    if (info.converged) CHECK_NEAR(residual, 0, 1.01 * tolerance);
    if (info.accepted) CHECK_NEAR(residual, 0, 1.01e-6);
    assert_true(residual <= info.residual * (1 + 1e-6) + 1e-14);
    CHECK_NEAR(pc_problem_residual(&h.problem, z), residual, 1e-9 * residual + 1e-14);
    free(z);
    heap_free(&h);
  }
  pc_solver_destroy(solver);
  return solved;
}

/* What each is good for. Those that iterate are asked for less. */
static void all_solvers_solve_what_they_should(void** state)
{
  (void)state;
  enum { COUNT = 10 };
  const struct {
    const char* name;
    double tolerance;
    int plane, space; /* that many at least */
  } expected[] = {{"auto", 1e-12, 10, 10}, {"ipm", 1e-12, 10, 10}, {"newton", 1e-12, 4, 6},
                  {"nsgs", 1e-6, 7, 8},    {"prox", 1e-6, 4, 6},   {"lemke", 1e-12, 4, 0}};
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    const char* name = expected[i].name;
    int has_space = pc_solver_friction_max(name) > 1;
    int in_plane = solved_of(name, &plane, 0, COUNT, expected[i].tolerance, 10000);
    int in_space = has_space ? solved_of(name, &space, 0, COUNT, expected[i].tolerance, 10000) : 0;
    print_message("%s: %d of %d in the plane, %d in space\n", name, in_plane, COUNT, in_space);
    assert_true(in_plane >= expected[i].plane);
    assert_true(in_space >= expected[i].space);
  }
}

static void large_friction_and_every_dimension_are_solved(void** state)
{
  (void)state;
  for (int dimension = -1; dimension <= 3; dimension++)
    for (int planar = 0; planar < 2; planar++) {
      heap_options o = planar ? plane : space;
      if (planar && dimension > 1) continue;
      o.dimension = dimension;
      o.mu_max = 2;
      o.points_max = 3;
      assert_int_equal(solved_of("auto", &o, 0, 5, 1e-10, 10000), 5);
      assert_int_equal(solved_of("ipm", &o, 0, 5, 1e-10, 10000), 5);
    }
}

static void restitution_is_solved(void** state)
{
  (void)state;
  heap_options o = space;
  o.restitution = 0.5;
  assert_int_equal(solved_of("auto", &o, 0, 10, 1e-10, 10000), 10);
}

static void joints_are_solved_in_both_forms_and_when_redundant(void** state)
{
  (void)state;
  for (int copies = 1; copies <= 2; copies++)
    for (int saddle = 0; saddle < 2; saddle++)
      for (int planar = 0; planar < 2; planar++) {
        heap_options o = planar ? plane : space;
        o.joints = 30;
        o.copies = copies;
        o.dimension = -1;
        assert_int_equal(solved_of("auto", &o, saddle, 4, 1e-10, 10000), 4);
        assert_int_equal(solved_of("ipm", &o, saddle, 4, 1e-10, 10000), 4);
      }
}

static void an_iteration_limit_does_not_lie(void** state)
{
  (void)state;
  for (const char* const* name = pc_solver_names(); *name; name++) {
    heap_options o = plane;
    solved_of(*name, &o, 0, 4, 1e-12, 2);
  }
}

/* --- forms --- */

/* The velocities of contacts do not depend on the form, even where impulses do. */
static void both_forms_give_the_same_velocities(void** state)
{
  (void)state;
  dice d = {7};
  pc_solver* solver = make_with("auto", 1e-12, 10000);
  for (int trial = 0; trial < 20; trial++) {
    heap_options o = trial % 2 ? plane : space;
    o.bodies = 8;
    o.joints = 30;
    o.mu_max = 0.2; /* with little friction there is one solution */
    heap h;
    heap_make(&h, &d, &o);
    heap_percussion_form(&h);
    int rows = judge_rows(&h.problem);
    double *z = zeros(&h.problem), *y = zeros(&h.problem);
    assert_true(solve(solver, &h.problem, z).converged);
    judge_dual(&h.problem, z, y);
    heap_saddle_form(&h);
    int bodies = judge_rows(&h.problem) - rows;
    double *x = zeros(&h.problem), *v = zeros(&h.problem);
    assert_true(solve(solver, &h.problem, x).converged);
    judge_dual(&h.problem, x, v);
    for (int i = 0; i < rows; i++) CHECK_NEAR(v[bodies + i], y[i], 1e-9);
    free(z), free(y), free(x), free(v);
    heap_free(&h);
  }
  pc_solver_destroy(solver);
}

/* x := A^-1 x by elimination with row pivoting, A is destroyed. Returns 0 if it is singular. */
static int eliminate(int n, int columns, double* A, double* x)
{
  for (int s = 0; s < n; s++) {
    int p = s;
    for (int i = s + 1; i < n; i++)
      if (fabs(A[i * n + s]) > fabs(A[p * n + s])) p = i;
    if (fabs(A[p * n + s]) < 1e-6) return 0;
    for (int j = 0; j < n; j++) {
      double t = A[s * n + j];
      A[s * n + j] = A[p * n + j], A[p * n + j] = t;
    }
    for (int j = 0; j < columns; j++) {
      double t = x[s * columns + j];
      x[s * columns + j] = x[p * columns + j], x[p * columns + j] = t;
    }
    for (int i = 0; i < n; i++) {
      double l = i == s ? 0 : A[i * n + s] / A[s * n + s];
      for (int j = 0; j < n && l != 0; j++) A[i * n + j] -= l * A[s * n + j];
      for (int j = 0; j < columns && l != 0; j++) x[i * columns + j] -= l * x[s * columns + j];
    }
  }
  for (int s = 0; s < n; s++)
    for (int j = 0; j < columns; j++) x[s * columns + j] /= A[s * n + s];
  return 1;
}

/* Joints eliminated by hand leave a problem of the contacts alone, which the same impulses
 * solve. */
static void equality_nodes_agree_with_their_elimination(void** state)
{
  (void)state;
  dice d = {8};
  int compared = 0;
  pc_solver* solver = make_with("auto", 1e-12, 10000);
  for (int trial = 0; trial < 20; trial++) {
    heap_options o = plane;
    o.bodies = 9;
    o.joints = 15;
    heap h;
    heap_make(&h, &d, &o);
    heap_percussion_form(&h);
    const pc_problem* p = &h.problem;
    int n = judge_rows(p), e = 0, c = 0, *place = calloc((size_t)n + 1, sizeof(int)), contacts = 0;
    for (int k = 0; k < p->node_count; k++) {
      contacts += p->node[k].kind == PC_NODE_CONTACT;
      for (int i = p->row[k]; i < p->row[k + 1]; i++)
        place[i] = p->node[k].kind == PC_NODE_CONTACT ? c++ : -1 - e++;
    }
    double *A = judge_matrix(p), *E = calloc((size_t)(e * e) + 1, sizeof(double));
    double* X = calloc((size_t)(e * (c + 1)) + 1, sizeof(double)); /* A_ee^-1 (A_ec, b_e) */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        if (place[i] >= 0) continue;
        if (place[j] < 0) E[(-1 - place[i]) * e + -1 - place[j]] = A[i * n + j];
        if (place[j] >= 0) X[(-1 - place[i]) * (c + 1) + place[j]] = A[i * n + j];
      }
    for (int i = 0; i < n; i++)
      if (place[i] < 0) X[(-1 - place[i]) * (c + 1) + c] = p->b[i];
    int regular = eliminate(e, c + 1, E, X);

    /* the reduced problem as one dense block structure */
    pc_problem_node* node = calloc((size_t)contacts + 1, sizeof *node);
    int *row = calloc((size_t)contacts + 1, sizeof(int)),
        *start = calloc((size_t)contacts + 1, sizeof(int));
    int* column = calloc((size_t)(contacts * contacts) + 1, sizeof(int));
    size_t* at = calloc((size_t)(contacts * contacts) + 1, sizeof(size_t));
    double *value = calloc((size_t)(c * c) + 1, sizeof(double)),
           *b = calloc((size_t)c + 1, sizeof(double));
    double *D = calloc((size_t)(c * c) + 1, sizeof(double)), *z = zeros(p),
           *P = calloc((size_t)c + 1, sizeof(double));
    for (int i = 0; i < n; i++) {
      if (place[i] < 0) continue;
      b[place[i]] = p->b[i];
      for (int j = 0; j < n; j++) {
        if (place[j] >= 0) D[place[i] * c + place[j]] += A[i * n + j];
        if (place[j] >= 0) continue;
        const double* x = &X[(-1 - place[j]) * (c + 1)];
        for (int l = 0; l < c; l++) D[place[i] * c + l] -= A[i * n + j] * x[l];
        b[place[i]] -= A[i * n + j] * x[c];
      }
    }
    int count = 0;
    for (int k = 0; k < p->node_count; k++) {
      if (p->node[k].kind != PC_NODE_CONTACT) continue;
      node[count] = p->node[k];
      row[count + 1] = row[count] + p->row[k + 1] - p->row[k];
      count++;
    }
    size_t used = 0;
    for (int i = 0; i < contacts; i++) {
      start[i + 1] = start[i] + contacts;
      for (int j = 0; j < contacts; j++) {
        column[i * contacts + j] = j;
        at[i * contacts + j] = used;
        for (int r = row[i]; r < row[i + 1]; r++)
          for (int l = row[j]; l < row[j + 1]; l++) value[used++] = D[r * c + l];
      }
    }
    pc_problem reduced = {contacts, node, row, start, column, at, value, b};
    assert_true(solve(solver, p, z).converged);
    for (int i = 0; i < n; i++)
      if (place[i] >= 0) P[place[i]] = z[i];
    if (regular) CHECK_NEAR(judge_problem(&reduced, P), 0, 1e-10);
    compared += regular;
    free(place), free(A), free(E), free(X), free(node), free(row), free(start), free(column);
    free(at), free(value), free(b), free(D), free(z), free(P);
    heap_free(&h);
  }
  assert_true(compared >= 10); /* joints that depend on each other cannot be eliminated so simply */
  pc_solver_destroy(solver);
}

static void unsymmetric_operators_are_solved_as_they_are(void** state)
{
  (void)state;
  for (int planar = 0; planar < 2; planar++) {
    heap_options o = planar ? plane : space;
    o.skew = 0.3;
    assert_int_equal(solved_of("auto", &o, 0, 10, 1e-12, 10000), 10);
    assert_int_equal(solved_of("ipm", &o, 0, 10, 1e-12, 10000), 10);
  }
}

/* --- islands --- */

/* Two heaps side by side as one problem: each gets the bits that it gets alone. */
static void islands_do_not_know_each_other(void** state)
{
  (void)state;
  dice d = {10};
  heap_options small = space;
  small.bodies = 4;
  heap one, two, both;
  heap_make(&one, &d, &small);
  heap_make(&two, &d, &space);
  heap_percussion_form(&one);
  heap_percussion_form(&two);
  memset(&both, 0, sizeof both);
  both.dofs = 6;
  both.bodies = one.bodies + two.bodies;
  both.node_count = one.node_count + two.node_count;
  both.node = calloc((size_t)both.node_count, sizeof *both.node);
  both.inverse_mass = calloc((size_t)both.bodies, sizeof *both.inverse_mass);
  memcpy(both.inverse_mass, one.inverse_mass, (size_t)one.bodies * sizeof *one.inverse_mass);
  memcpy(both.inverse_mass + one.bodies, two.inverse_mass,
         (size_t)two.bodies * sizeof *one.inverse_mass);
  for (int k = 0; k < both.node_count; k++) {
    both.node[k] = k < one.node_count ? one.node[k] : two.node[k - one.node_count];
    for (int side = 0; side < 2 && k >= one.node_count; side++)
      if (both.node[k].body[side] >= 0) both.node[k].body[side] += one.bodies;
  }
  heap_percussion_form(&both);
  pc_solver* solver = make_with("auto", 1e-12, 10000);
  double *x = zeros(&one.problem), *y = zeros(&two.problem), *z = zeros(&both.problem);
  pc_solver_info a = solve(solver, &one.problem, x), b = solve(solver, &two.problem, y);
  pc_solver_info c = solve(solver, &both.problem, z);
  int rows = judge_rows(&one.problem), answered = 0;
  assert_memory_equal(z, x, (size_t)rows * sizeof(double));
  assert_memory_equal(z + rows, y, (size_t)judge_rows(&two.problem) * sizeof(double));
  assert_int_equal(c.island_count, a.island_count + b.island_count);
  assert_int_equal(c.iterations, a.iterations + b.iterations);
  CHECK_NEAR(c.residual, fmax(a.residual, b.residual), 0);
  for (int m = 0; m < PC_METHOD_COUNT; m++) {
    assert_int_equal(c.answered[m], a.answered[m] + b.answered[m]);
    answered += c.answered[m];
  }
  assert_int_equal(answered, c.island_count);
  pc_solver_destroy(solver);
  free(x), free(y), free(z);
  heap_free(&one), heap_free(&two), heap_free(&both);
}

static void equalities_alone_are_a_linear_system(void** state)
{
  (void)state;
  dice d = {11};
  for (int saddle = 0; saddle < 2; saddle++) {
    heap_options o = space;
    o.joints = 100;
    o.copies = 2;
    heap h;
    heap_make(&h, &d, &o);
    if (saddle)
      heap_saddle_form(&h);
    else
      heap_percussion_form(&h);
    pc_solver* solver = make_with("auto", 1e-11, 10000);
    double* z = zeros(&h.problem);
    pc_solver_info info = solve(solver, &h.problem, z);
    assert_true(info.converged);
    assert_int_equal(info.answered[PC_METHOD_DIRECT], info.island_count);
    CHECK_NEAR(judge_problem(&h.problem, z), 0, 1.01e-11);
    pc_solver_destroy(solver);
    free(z);
    heap_free(&h);
  }
}

/* --- guesses, repetition, memory --- */

static void a_solution_is_its_own_best_guess(void** state)
{
  (void)state;
  dice d = {12};
  const char* names[] = {"auto", "newton"};
  heap h;
  heap_make(&h, &d, &space);
  heap_percussion_form(&h);
  double* z = zeros(&h.problem);
  pc_solver* first = make_with("auto", 1e-12, 10000);
  assert_true(solve(first, &h.problem, z).converged);
  pc_solver_destroy(first);
  for (int i = 0; i < judge_rows(&h.problem); i++) h.b[i] *= 1 + 1e-7; /* the next step */
  for (int i = 0; i < 2; i++) {
    pc_solver* solver = make_with(names[i], 1e-12, 10000);
    double* x = zeros(&h.problem);
    memcpy(x, z, (size_t)judge_rows(&h.problem) * sizeof(double));
    pc_solver_info info = solve(solver, &h.problem, x);
    assert_true(info.converged);
    assert_true(info.iterations <= 4 * info.island_count);
    CHECK_NEAR(judge_problem(&h.problem, x), 0, 1.01e-12);
    free(x);
    pc_solver_destroy(solver);
  }
  free(z);
  heap_free(&h);
}

static void a_useless_guess_does_no_harm(void** state)
{
  (void)state;
  dice d = {13};
  const double useless[] = {NAN, INFINITY, 1e300, -1e20};
  heap h;
  heap_make(&h, &d, &space);
  heap_percussion_form(&h);
  pc_solver* solver = make_with("auto", 1e-12, 10000);
  for (int i = 0; i < 4; i++) {
    double* z = zeros(&h.problem);
    for (int j = 0; j < judge_rows(&h.problem); j++) z[j] = useless[i];
    assert_true(solve(solver, &h.problem, z).converged);
    CHECK_NEAR(judge_problem(&h.problem, z), 0, 1.01e-12);
    free(z);
  }
  pc_solver_destroy(solver);
  heap_free(&h);
}

static void answers_are_the_same_bit_by_bit(void** state)
{
  (void)state;
  for (const char* const* name = pc_solver_names(); *name; name++) {
    dice d = {14};
    int lemke = !strcmp(*name, "lemke");
    pc_solver *one = make_with(*name, 1e-9, 300), *two = make_with(*name, 1e-9, 300);
    for (int trial = 0; trial < 4; trial++) {
      heap h;
      heap_make(&h, &d, lemke || trial % 2 ? &plane : &space);
      heap_percussion_form(&h);
      double *x = zeros(&h.problem), *y = zeros(&h.problem);
      solve(one, &h.problem, x);
      if (trial >= 2) { /* a solver that has solved other problems before */
        solve(two, &h.problem, y);
        assert_memory_equal(x, y, (size_t)judge_rows(&h.problem) * sizeof(double));
      }
      free(x), free(y);
      heap_free(&h);
    }
    pc_solver_destroy(one), pc_solver_destroy(two);
  }
}

static void nothing_is_allocated_once_the_sizes_have_been_met(void** state)
{
  (void)state;
  for (const char* const* name = pc_solver_names(); *name; name++) {
    dice d = {15};
    int lemke = !strcmp(*name, "lemke");
    pc_solver* solver = make_with(*name, 1e-10, 200);
    heap h[3];
    double* z[3];
    for (int i = 0; i < 3; i++) {
      heap_options o = lemke || i == 1 ? plane : space;
      o.joints = i == 2 ? 20 : 0;
      heap_make(&h[i], &d, &o);
      heap_percussion_form(&h[i]);
      z[i] = zeros(&h[i].problem);
      solve(solver, &h[i].problem, z[i]);
    }
    long before = allocations;
    for (int round = 0; round < 3; round++)
      for (int i = 0; i < 3; i++) {
        memset(z[i], 0, (size_t)judge_rows(&h[i].problem) * sizeof(double));
        solve(solver, &h[i].problem, z[i]);
      }
    assert_int_equal(allocations, before);
    for (int i = 0; i < 3; i++) free(z[i]), heap_free(&h[i]);
    pc_solver_destroy(solver);
  }
}

/* --- what is wrong --- */

static void numbers_that_are_none_are_reported(void** state)
{
  (void)state;
  dice d = {16};
  heap_options o = space;
  o.bodies = 4;
  heap h;
  heap_make(&h, &d, &o);
  heap_percussion_form(&h);
  int rows = judge_rows(&h.problem);
  size_t entries = h.place[h.start[h.problem.node_count] - 1] + 9;
  const double strange[] = {NAN, INFINITY, -INFINITY};
  double* z = zeros(&h.problem);
  for (const char* const* name = pc_solver_names(); *name; name++) {
    if (!strcmp(*name, "lemke")) continue;
    pc_solver* solver = make_with(*name, 1e-10, 100);
    for (size_t i = 0; i < entries + (size_t)rows; i++) {
      double *at = i < entries ? &h.value[i] : &h.b[i - entries], kept = *at;
      pc_error error = {0};
      pc_solver_info info;
      *at = strange[i % 3];
      assert_int_equal(pc_solver_solve(solver, &h.problem, z, &info, &error), PC_NOT_FINITE);
      assert_true(strlen(error.text) > 10);
      assert_false(info.converged || info.accepted);
      for (int j = 0; j < rows; j++) CHECK_NEAR(z[j], 0, 0);
      *at = kept;
    }
    pc_solver_destroy(solver);
  }
  free(z);
  heap_free(&h);
}

static void a_problem_that_is_none_is_refused(void** state)
{
  (void)state;
  dice d = {17};
  heap_options o = space;
  o.bodies = 4;
  heap h;
  heap_make(&h, &d, &o);
  heap_percussion_form(&h);
  pc_solver* solver = make_with("auto", 1e-10, 100);
  double* z = zeros(&h.problem);
  pc_solver_info info;
  pc_error error = {0};
  struct {
    int* at;
    int value;
    const char* says;
  } wrong[] = {{&h.row[1], 0, "rows"},         {&h.row[1], 5, "rows"},
               {&h.row[0], 1, "begin with 0"}, {&h.start[1], -1, "negative"},
               {&h.column[0], 1, "column"},    {&h.column[0], 1000, "column"},
               {&h.column[0], -1, "column"},   {(int*)&h.law[0].kind, 7, "kind"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    int kept = *wrong[i].at;
    *wrong[i].at = wrong[i].value;
    assert_int_equal(pc_solver_solve(solver, &h.problem, z, &info, &error), PC_BAD_ARGUMENT);
    if (!strstr(error.text, wrong[i].says)) fail_msg("%s: not '%s'", error.text, wrong[i].says);
    *wrong[i].at = kept;
  }
  const double mus[] = {-0.1, NAN, INFINITY};
  for (int i = 0; i < 3; i++) {
    double kept = h.law[0].mu;
    h.law[0].mu = mus[i];
    assert_int_equal(pc_solver_solve(solver, &h.problem, z, &info, &error), PC_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "friction coefficient"));
    h.law[0].mu = kept;
  }
  assert_true(solve(solver, &h.problem, z).converged);
  pc_solver_destroy(solver);
  solver = make_with("lemke", 1e-10, 100);
  assert_int_equal(pc_solver_solve(solver, &h.problem, z, &info, &error), PC_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "dimension 0 to 1"));
  pc_solver_destroy(solver);
  free(z);
  heap_free(&h);
}

static void an_empty_problem_is_solved(void** state)
{
  (void)state;
  for (const char* const* name = pc_solver_names(); *name; name++) {
    pc_problem empty = {0};
    double z = 7;
    pc_solver* solver = make_with(*name, 1e-12, 10);
    pc_solver_info info = solve(solver, &empty, &z);
    assert_true(info.converged && info.accepted && info.island_count == 0);
    CHECK_NEAR(z, 7, 0);
    CHECK_NEAR(pc_problem_residual(&empty, &z), 0, 0);
    pc_solver_destroy(solver);
  }
}

/* Large saddle forms are not for sweeps, and said so by name. */
static void sweeps_refuse_large_saddle_forms(void** state)
{
  (void)state;
  dice d = {18};
  heap h;
  heap_make(&h, &d, &space);
  heap_saddle_form(&h);
  const char* names[] = {"nsgs", "prox"};
  for (int i = 0; i < 2; i++) {
    pc_solver* solver = make_with(names[i], 1e-10, 100);
    double* z = zeros(&h.problem);
    pc_solver_info info;
    pc_error error = {0};
    assert_int_equal(pc_solver_solve(solver, &h.problem, z, &info, &error), PC_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, names[i]));
    free(z);
    pc_solver_destroy(solver);
  }
  heap_free(&h);
}

/* Units of mass, length and time do not matter: the residual is met, and for powers of two, which
 * leave all mantissas alone, the answer has the same bits. */
static void scales_do_not_matter(void** state)
{
  (void)state;
  const double factors[] = {0x1p-40, 0x1p30, 1e-12, 1e9};
  for (int i = 0; i < 4; i++) {
    dice d = {19};
    heap h;
    heap_make(&h, &d, &space);
    heap_percussion_form(&h);
    pc_solver* solver = make_with("auto", 1e-12, 10000);
    double *z = zeros(&h.problem), *x = zeros(&h.problem);
    assert_true(solve(solver, &h.problem, z).converged);
    size_t entries = h.place[h.start[h.problem.node_count] - 1] + 9;
    for (size_t k = 0; k < entries; k++) h.value[k] *= factors[i];
    assert_true(solve(solver, &h.problem, x).converged);
    CHECK_NEAR(judge_problem(&h.problem, x), 0, 1.01e-12);
    for (int k = 0; k < judge_rows(&h.problem) && i < 2; k++)
      CHECK_NEAR(x[k] * factors[i], z[k], 0);
    free(z), free(x);
    pc_solver_destroy(solver);
    heap_free(&h);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_name_has_a_summary),
      cmocka_unit_test(creation_refuses_what_makes_no_sense),
      cmocka_unit_test(all_solvers_solve_what_they_should),
      cmocka_unit_test(large_friction_and_every_dimension_are_solved),
      cmocka_unit_test(restitution_is_solved),
      cmocka_unit_test(joints_are_solved_in_both_forms_and_when_redundant),
      cmocka_unit_test(an_iteration_limit_does_not_lie),
      cmocka_unit_test(both_forms_give_the_same_velocities),
      cmocka_unit_test(equality_nodes_agree_with_their_elimination),
      cmocka_unit_test(unsymmetric_operators_are_solved_as_they_are),
      cmocka_unit_test(islands_do_not_know_each_other),
      cmocka_unit_test(equalities_alone_are_a_linear_system),
      cmocka_unit_test(a_solution_is_its_own_best_guess),
      cmocka_unit_test(a_useless_guess_does_no_harm),
      cmocka_unit_test(answers_are_the_same_bit_by_bit),
      cmocka_unit_test(nothing_is_allocated_once_the_sizes_have_been_met),
      cmocka_unit_test(numbers_that_are_none_are_reported),
      cmocka_unit_test(a_problem_that_is_none_is_refused),
      cmocka_unit_test(an_empty_problem_is_solved),
      cmocka_unit_test(sweeps_refuse_large_saddle_forms),
      cmocka_unit_test(scales_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
