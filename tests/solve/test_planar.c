/* Friction of dimension 0 and 1: every solver on the same problems, against brute force. */
#include <stdlib.h>

#include "check.h"
#include "solve/dense_work.h"
#include "solve/problems.h"

enum { SOLUTIONS_MAX = 64 };

/* Velocities of all solutions that brute force finds. */
typedef struct truth {
  int count;
  double y[SOLUTIONS_MAX][ROWS_MAX];
} truth;

static pc_dense_solver* make(const char* name)
{
  pc_error error = {0};
  pc_dense_solver* solver = NULL;
  CHECK_OK(pc_dense_solver_create(name, ROWS_MAX, CONTACTS_MAX, 1, NULL, &solver, &error), error);
  return solver;
}

/* Gauss-Jordan with the largest pivot of all; unknowns without one are zero. */
static void eliminate(int n, double m[][ROWS_MAX + 1], double* x)
{
  int row_of[ROWS_MAX], used[ROWS_MAX] = {0};
  for (int c = 0; c < n; c++) row_of[c] = -1;
  for (int step = 0; step < n; step++) {
    int r = -1, c = -1;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n && !used[i]; j++)
        if (row_of[j] < 0 && (r < 0 || fabs(m[i][j]) > fabs(m[r][c]))) r = i, c = j;
    if (r < 0 || fabs(m[r][c]) < 1e-11) break;
    used[r] = 1;
    row_of[c] = r;
    for (int i = 0; i < n; i++) {
      if (i == r) continue;
      double factor = m[i][c] / m[r][c];
      for (int j = 0; j <= n; j++) m[i][j] -= factor * m[r][j];
    }
  }
  for (int c = 0; c < n; c++) x[c] = row_of[c] < 0 ? 0 : m[row_of[c]][n] / m[row_of[c]][c];
}

/* Solves all rows at once for one combination: each row of P gets its own equation. */
static void solve_combination(const sample* s, int number, double* P)
{
  static double m[ROWS_MAX][ROWS_MAX + 1];
  int n = s->problem.row_count;
  for (int i = 0; i < n; i++) memset(m[i], 0, sizeof m[i]);
  for (int k = 0; k < s->problem.contact_count; k++) {
    const pc_cone* c = &s->cone[k];
    int N = c->row, mode = number % 4; /* open, stick, slip, slip */
    number /= 4;
    for (int i = N; i <= N + c->dimension; i++) {
      int velocity_row = mode == 1 || (mode > 1 && i == N);
      for (int j = 0; j < n && velocity_row; j++) m[i][j] = s->A[i * n + j];
      if (velocity_row) m[i][n] = -s->b[i];
      if (!velocity_row) m[i][i] = 1;
      if (mode > 1 && i > N) m[i][N] = (mode == 2 ? -1 : 1) * c->mu;
    }
  }
  eliminate(n, m, P);
}

static void remember(truth* t, const double* y, int n)
{
  for (int i = 0; i < t->count; i++) {
    double difference = 0;
    for (int j = 0; j < n; j++) difference = fmax(difference, fabs(t->y[i][j] - y[j]));
    if (difference < 1e-8) return;
  }
  if (t->count < SOLUTIONS_MAX) memcpy(t->y[t->count++], y, (size_t)n * sizeof(double));
}

static void brute_force(const sample* s, truth* t)
{
  double P[ROWS_MAX], y[ROWS_MAX];
  int combinations = 1 << (2 * s->problem.contact_count), n = s->problem.row_count;
  t->count = 0;
  for (int number = 0; number < combinations; number++) {
    solve_combination(s, number, P);
    if (law_violation(s, P, 1, 1) > 1e-9) continue;
    velocity(s, P, y);
    remember(t, y, n);
  }
}

/* The distance of y to the nearest known solution. */
static double distance(const truth* t, const double* y, int n)
{
  double nearest = INFINITY;
  for (int i = 0; i < t->count; i++) {
    double difference = 0;
    for (int j = 0; j < n; j++) difference = fmax(difference, fabs(t->y[i][j] - y[j]));
    nearest = fmin(nearest, difference);
  }
  return nearest;
}

/* Up to four contacts, some without friction. */
static void random_problem(dice* d, sample* s)
{
  sample_clear(s);
  int contacts = 1 + below(d, 4);
  for (int k = 0; k < contacts; k++) {
    double mu = below(d, 5) == 0 ? 0 : uniform(d, 0, 2);
    sample_add(s, below(d, 4) == 0 ? 0 : 1, mu);
  }
  sample_randomise(s, d, s->problem.row_count + below(d, 3));
}

/* Fewer degrees of freedom than rows, or contacts that are there twice. */
static void redundant_problem(dice* d, sample* s)
{
  random_problem(d, s);
  int n = s->problem.row_count;
  if (below(d, 2) == 0) {
    sample_randomise(s, d, 2 + below(d, 2));
    return;
  }
  const pc_cone copy = s->cone[0];
  sample_add(s, copy.dimension, copy.mu);
  for (int i = 0; i <= copy.dimension; i++) memcpy(s->W[n + i], s->W[i], sizeof s->W[i]);
  sample_assemble(s);
}

typedef void solve_fn(pc_dense_solver*, const pc_dense_problem*, double*, pc_solver_info*);

/* Success must be true success; returns whether there was one. */
static int solves(solve_fn* solve, pc_dense_solver* solver, const sample* s, double* P)
{
  pc_solver_info info;
  solve(solver, &s->problem, P, &info);
  assert_non_null(info.solver);
  if (!info.converged) return 0;
  assert_true(info.residual <= 1e-12);
  assert_true(judge(s, P) <= 1.01e-12);
  assert_true(pc_dense_residual(&s->problem, P) == info.residual);
  return 1;
}

/* The solvers of pc_solver_names, in its order. */
enum { SOLVER_COUNT = 3 };

static void make_all(pc_dense_solver** solvers)
{
  for (int k = 0; k < SOLVER_COUNT; k++) solvers[k] = make(dense_names[k]);
}

static void destroy_all(pc_dense_solver** solvers)
{
  for (int k = 0; k < SOLVER_COUNT; k++) pc_dense_solver_destroy(solvers[k]);
}

static void every_solver_agrees_with_brute_force(void** state)
{
  (void)state;
  dice d = {11};
  pc_dense_solver* solvers[SOLVER_COUNT];
  make_all(solvers);
  for (int trial = 0; trial < 4000; trial++) {
    static sample s;
    static truth t;
    random_problem(&d, &s);
    brute_force(&s, &t);
    assert_true(t.count > 0);
    for (int k = 0; k < SOLVER_COUNT; k++) {
      double P[ROWS_MAX] = {0}, y[ROWS_MAX];
      assert_true(solves(pc_dense_solver_solve, solvers[k], &s, P));
      velocity(&s, P, y);
      CHECK_NEAR(distance(&t, y, s.problem.row_count), 0, 1e-9);
    }
  }
  destroy_all(solvers);
}

/* Without the warm start by modes and without fallbacks. The iterations may give up where friction
 * couples strongly to the normals (mu up to two), but rarely. */
static void every_solver_stands_on_its_own(void** state)
{
  (void)state;
  const struct {
    const char* name;
    int failures_max;
  } expected[] = {{"lemke", 0}, {"nsgs", 6}, {"prox", 12}};
  for (int k = 0; k < 3; k++) {
    dice d = {12};
    pc_dense_solver* solver = make(expected[k].name);
    int failures = 0;
    for (int trial = 0; trial < 3000; trial++) {
      static sample s;
      double P[ROWS_MAX] = {0};
      random_problem(&d, &s);
      failures += !solves(pc_dense_solver_solve_alone, solver, &s, P);
    }
    if (failures > expected[k].failures_max) print_error("%s: %d\n", expected[k].name, failures);
    assert_true(failures <= expected[k].failures_max);
    pc_dense_solver_destroy(solver);
  }
}

/* Percussions are not unique here, velocities are as good as always. */
static void redundant_contacts_are_solved(void** state)
{
  (void)state;
  dice d = {13};
  pc_dense_solver* solvers[SOLVER_COUNT];
  int unique = 0;
  make_all(solvers);
  for (int trial = 0; trial < 1500; trial++) {
    static sample s;
    static truth t;
    redundant_problem(&d, &s);
    brute_force(&s, &t);
    for (int k = 0; k < SOLVER_COUNT; k++) {
      double P[ROWS_MAX] = {0}, y[ROWS_MAX];
      assert_true(solves(pc_dense_solver_solve, solvers[k], &s, P));
      if (t.count != 1) continue;
      unique++;
      velocity(&s, P, y);
      CHECK_NEAR(distance(&t, y, s.problem.row_count), 0, 1e-9);
    }
  }
  assert_true(unique > 4000);
  destroy_all(solvers);
}

/* A rigid slider (mass, inertia, half length a) whose two right corners touch one wall. */
static void slider(sample* s, double mu, double v_N, double v_F)
{
  const double m = 0.076, J = 2.7e-6, a = 0.05, half_width = 0.025;
  sample_clear(s);
  sample_add(s, 1, mu);
  sample_add(s, 1, mu);
  s->dof_count = 3;
  s->inverse_mass[0] = s->inverse_mass[1] = 1 / m;
  s->inverse_mass[2] = 1 / J;
  for (int k = 0; k < 2; k++) {
    s->W[2 * k][1] = 1;
    s->W[2 * k][2] = k == 0 ? a : -a;
    s->W[2 * k + 1][0] = 1;
    s->W[2 * k + 1][2] = half_width;
  }
  s->u[0] = v_F;
  s->u[1] = v_N;
  sample_assemble(s);
}

static void symmetric_corners_share_a_frictionless_impact_to_round_off(void** state)
{
  (void)state;
  for (const char* const* name = dense_names; *name; name++) {
    pc_dense_solver* solver = make(*name);
    sample s;
    slider(&s, 0, -0.3, 1.7);
    for (int way = 0; way < 2; way++) {
      double P[4] = {0}, m = 0.076;
      assert_true(solves(way ? pc_dense_solver_solve : pc_dense_solver_solve_alone, solver, &s, P));
      CHECK_NEAR(P[0] - P[2], 0, 1e-15 * P[0]);
      CHECK_NEAR(P[0], 0.5 * m * 0.3, 1e-14 * P[0]);
      assert_true(P[1] == 0 && P[3] == 0);
    }
    pc_dense_solver_destroy(solver);
  }
}

/* With friction the corners differ, but a slider in translation must not turn: the torque
 * a (P_N1 - P_N2) + w (P_F1 + P_F2) vanishes, and P_N1 + P_N2 = m |v_N|. */
static void sliding_corners_do_not_turn_the_slider(void** state)
{
  (void)state;
  const double a = 0.05, w = 0.025, m = 0.076, mu = 0.01;
  for (const char* const* name = dense_names; *name; name++) {
    pc_dense_solver* solver = make(*name);
    for (int way = 0; way < 4; way++) {
      int sense = way % 2 ? 1 : -1;
      sample s;
      slider(&s, mu, -0.3, sense * 1.7);
      double P[4] = {0}, sum = m * 0.3, difference = sense * mu * w * sum / a;
      assert_true(
          solves(way < 2 ? pc_dense_solver_solve : pc_dense_solver_solve_alone, solver, &s, P));
      CHECK_NEAR(P[0] + P[2], sum, 1e-14 * sum);
      CHECK_NEAR(P[0] - P[2], difference, 1e-15 * sum);
      CHECK_NEAR(P[1], -sense * mu * P[0], 1e-17);
      CHECK_NEAR(P[3], -sense * mu * P[2], 1e-17);
    }
    pc_dense_solver_destroy(solver);
  }
}

/* Two corners stuck on one wall: three degrees of freedom, four rows. */
static void two_stuck_corners_share_what_is_undetermined(void** state)
{
  (void)state;
  for (const char* const* name = dense_names; *name; name++) {
    pc_dense_solver* solver = make(*name);
    sample s;
    slider(&s, 0.9, -0.3, 0.2);
    double P[4] = {0}, y[4];
    assert_true(solves(pc_dense_solver_solve, solver, &s, P));
    velocity(&s, P, y);
    for (int i = 0; i < 4; i++) CHECK_NEAR(y[i], 0, 1e-13);
    /* and again from the answer: nothing moves */
    double Q[4];
    memcpy(Q, P, sizeof Q);
    assert_true(solves(pc_dense_solver_solve, solver, &s, Q));
    for (int i = 0; i < 4; i++) CHECK_NEAR(Q[i], P[i], 1e-14);
    pc_dense_solver_destroy(solver);
  }
}

/* A pile of equal bodies on the ground: P grows with the depth. */
static void column_of_bodies_carries_its_weight(void** state)
{
  (void)state;
  enum { BODIES = 12 };
  for (const char* const* name = dense_names; *name; name++) {
    pc_dense_solver* solver = make(*name);
    sample s;
    sample_clear(&s);
    for (int k = 0; k < BODIES; k++) sample_add(&s, 1, 0.5);
    s.dof_count = 2 * BODIES;
    for (int k = 0; k < BODIES; k++) {
      for (int side = 0; side < 2; side++) {
        s.W[2 * k + side][2 * k + side] = 1;
        if (k > 0) s.W[2 * k + side][2 * (k - 1) + side] = -1;
      }
      s.inverse_mass[2 * k] = s.inverse_mass[2 * k + 1] = 0.5;
      s.u[2 * k] = -0.01;
    }
    sample_assemble(&s);
    double P[ROWS_MAX] = {0};
    assert_true(solves(pc_dense_solver_solve_alone, solver, &s, P));
    for (int k = 0; k < BODIES; k++) CHECK_NEAR(P[2 * k], 0.02 * (BODIES - k), 1e-12);
    pc_dense_solver_destroy(solver);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_solver_agrees_with_brute_force),
      cmocka_unit_test(every_solver_stands_on_its_own),
      cmocka_unit_test(redundant_contacts_are_solved),
      cmocka_unit_test(symmetric_corners_share_a_frictionless_impact_to_round_off),
      cmocka_unit_test(sliding_corners_do_not_turn_the_slider),
      cmocka_unit_test(two_stuck_corners_share_what_is_undetermined),
      cmocka_unit_test(column_of_bodies_carries_its_weight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
