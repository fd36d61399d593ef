/* The contact problem of schemes: what an answer has to fulfil, condensed or sparse. */
#include "contact/contact_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* A chain of bodies of three velocities each, hinged to each other and to the ground, each on a
 * floor with friction: rows with runs (body i - 1, body i) and (body i). */
enum { BODIES = 100, N = 3 * BODIES, JOINTS = 2 * BODIES, CONTACTS = 2 * BODIES };

typedef struct chain {
  int count;
  pc_assembly* M;
  pc_block run[BODIES][2];
  double joint_w[JOINTS][6], contact_w[CONTACTS][3];
  pc_row joint[JOINTS], contact[CONTACTS];
  pc_cone cone[BODIES];
  double c_b[JOINTS], c_c[CONTACTS], free[N];
} chain;

static double wave(int i, double f)
{
  return sin(1 + f * i);
}

static void make_rows(chain* s)
{
  for (int i = 0; i < s->count; i++) {
    int first = i > 0 ? 0 : 1; /* the first body is hinged to the ground */
    s->run[i][0] = (pc_block){3 * (i - 1), 3};
    s->run[i][1] = (pc_block){3 * i, 3};
    for (int r = 0; r < 2; r++) {
      double *w = s->joint_w[2 * i + r], *own = w + 3;
      w[r] = -1, w[2] = r ? -0.5 : 0.1 * wave(i, 2);
      own[r] = 1, own[2] = r ? -0.5 : 0.1 * wave(i, 3);
      s->joint[2 * i + r] = (pc_row){2 - first, &s->run[i][first], w + 3 * first};
      double* floor = s->contact_w[2 * i + r];
      floor[0] = r, floor[1] = 1 - r, floor[2] = 0.2 * wave(i, 5 + r);
      s->contact[2 * i + r] = (pc_row){1, &s->run[i][1], floor};
      s->c_b[2 * i + r] = 0.01 * wave(i, 7 + r);
      s->c_c[2 * i + r] = 0.02 * wave(i, 11 + r);
    }
    s->cone[i] = (pc_cone){2 * i, 1, 0.3};
  }
}

static void set_up(chain* s, int count)
{
  pc_error error = {0};
  pc_index_set set[BODIES] = {{0}};
  memset(s, 0, sizeof *s);
  s->count = count;
  make_rows(s);
  for (int i = 0; i < count; i++) set[i] = (pc_index_set){1, &s->run[i][1], 0};
  CHECK_OK(pc_assembly_create(3 * count, count, set, PC_POSITIVE_DEFINITE, &s->M, &error), error);
  for (int i = 0; i < count; i++) {
    double m = 1 + 0.5 * wave(i, 4), M[9] = {m, 0, 0, 0, m, 0, 0, 0, 0.1 * m};
    pc_assembly_add(s->M, i, 1, M);
  }
  assert_int_equal(pc_assembly_factor(s->M), PC_OK);
  for (int i = 0; i < 3 * count; i++) s->free[i] = 0.3 * wave(i, 1) - (i % 3 == 1);
}

static pc_contact_problem* create(const chain* s, const char* solver)
{
  pc_error error = {0};
  pc_contact_problem* p = NULL;
  pc_contact_problem_def def = {.n = 3 * s->count,
                                .bilateral_max = 2 * s->count,
                                .contact_max = 2 * s->count,
                                .friction = 1,
                                .solver = solver,
                                .settings = pc_default_solver_settings()};
  CHECK_OK(pc_contact_problem_create(&def, &p, &error), error);
  return p;
}

/* |M (u - u_free) - W P|, the joints' equations and the laws of the contacts, each from the
 * answer. */
static double residual(const chain* s, int contacts, const double* u, const double* P_b,
                       const double* P_c)
{
  double change[N], r[N] = {0}, worst = 0;
  for (int i = 0; i < 3 * s->count; i++) change[i] = u[i] - s->free[i];
  pc_assembly_times(s->M, change, r);
  for (int j = 0; j < 2 * s->count; j++) {
    pc_row_add(s->joint[j], -P_b[j], r);
    worst = fmax(worst, fabs(pc_row_dot(s->joint[j], u) + s->c_b[j]));
  }
  for (int k = 0; k < contacts; k++) {
    const double* P = P_c + 2 * k;
    double y_N = pc_row_dot(s->contact[2 * k], u) + s->c_c[2 * k];
    double y_F = pc_row_dot(s->contact[2 * k + 1], u) + s->c_c[2 * k + 1];
    double p = P[1] - y_F, limit = 0.3 * P[0];
    for (int d = 0; d < 2; d++) pc_row_add(s->contact[2 * k + d], -P[d], r);
    worst = fmax(worst, fabs(P[0] - fmax(0, P[0] - y_N)));
    worst = fmax(worst, fabs(P[1] - fmax(-limit, fmin(limit, p))));
  }
  for (int i = 0; i < 3 * s->count; i++) worst = fmax(worst, fabs(r[i]));
  return worst;
}

static void solve(const chain* s, const char* solver, int contacts, double* u)
{
  pc_error error = {0};
  double P_b[JOINTS] = {0}, P_c[CONTACTS] = {0};
  pc_solver_info info;
  pc_contact_problem* p = create(s, solver);
  memcpy(u, s->free, sizeof s->free);
  CHECK_OK(pc_contact_problem_set_bilateral(p, s->M, 2 * s->count, s->joint, &error), error);
  CHECK_OK(pc_contact_problem_set_contacts(p, contacts, s->cone, s->contact, NULL, &error), error);
  CHECK_OK(pc_contact_problem_solve(p, s->c_b, s->c_c, u, P_b, P_c, &info, &error), error);
  if (!info.converged) fail_msg("%s left %g", info.solver, info.residual);
  CHECK_NEAR(residual(s, contacts, u, P_b, P_c), 0, 1e-10);
  pc_contact_problem_destroy(p);
}

/* 10 bodies are condensed, 100 are sparse; a few contacts on many joints, and none. */
static void answers_fulfil_all_equations(void** state)
{
  (void)state;
  static chain s;
  const int bodies[] = {1, 10, 29, 31, BODIES};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    double u[N];
    set_up(&s, bodies[i]);
    for (int contacts = 0; contacts <= bodies[i]; contacts += 1 + bodies[i] / 3)
      solve(&s, NULL, contacts, u);
    solve(&s, NULL, bodies[i], u);
    pc_assembly_destroy(s.M);
  }
}

static void a_solver_by_name_gives_the_velocities_of_the_condensed_problem(void** state)
{
  (void)state;
  static chain s;
  double u[N], other[N];
  set_up(&s, 12);
  solve(&s, NULL, 12, u);
  solve(&s, "ipm", 12, other);
  for (int i = 0; i < 3 * s.count; i++) CHECK_NEAR(other[i], u[i], 1e-9);
  pc_assembly_destroy(s.M);
}

static void redundant_joints_are_counted(void** state)
{
  (void)state;
  static chain s;
  const int bodies[] = {10, 60};
  for (int k = 0; k < 2; k++) {
    pc_error error = {0};
    int rank = 0;
    set_up(&s, bodies[k]);
    pc_contact_problem* p = create(&s, NULL);
    pc_row row[JOINTS];
    memcpy(row, s.joint, sizeof row);
    row[2 * bodies[k] - 1] = row[2 * bodies[k] - 2]; /* the last joint says the same twice */
    CHECK_OK(pc_contact_problem_set_bilateral(p, s.M, 2 * bodies[k], row, &error), error);
    CHECK_OK(pc_contact_problem_rank(p, &rank, &error), error);
    assert_int_equal(rank, 2 * bodies[k] - 1);
    pc_contact_problem_destroy(p);
    pc_assembly_destroy(s.M);
  }
}

static void projection_needs_no_contacts(void** state)
{
  (void)state;
  static chain s;
  const int bodies[] = {5, 80};
  for (int k = 0; k < 2; k++) {
    pc_error error = {0};
    double u[N], P_b[JOINTS] = {0};
    set_up(&s, bodies[k]);
    pc_contact_problem* p = create(&s, NULL);
    memcpy(u, s.free, sizeof u);
    CHECK_OK(pc_contact_problem_set_bilateral(p, s.M, 2 * bodies[k], s.joint, &error), error);
    CHECK_OK(pc_contact_problem_project(p, s.c_b, u, P_b, &error), error);
    CHECK_NEAR(residual(&s, 0, u, P_b, NULL), 0, 1e-11);
    pc_contact_problem_destroy(p);
    pc_assembly_destroy(s.M);
  }
}

/* u that the impulses give with the rows as they are. */
static void velocity_of(const chain* s, int contacts, const double* P_b, const double* P_c,
                        double* u)
{
  memset(u, 0, N * sizeof *u);
  for (int j = 0; j < 2 * s->count; j++) pc_row_add(s->joint[j], P_b[j], u);
  for (int j = 0; j < 2 * contacts; j++) pc_row_add(s->contact[j], P_c[j], u);
  pc_assembly_solve(s->M, u);
  for (int i = 0; i < 3 * s->count; i++) u[i] += s->free[i];
}

/* Turns all rows by about a thousandth after a solve, and corrects the solution by the factors of
 * that. */
static void correct_after_change(int bodies, int contacts)
{
  static chain s;
  double u[N], P_b[JOINTS] = {0}, P_c[CONTACTS] = {0};
  pc_error error = {0};
  pc_solver_info info;
  set_up(&s, bodies);
  pc_contact_problem* p = create(&s, NULL);
  memcpy(u, s.free, sizeof s.free);
  CHECK_OK(pc_contact_problem_set_bilateral(p, s.M, 2 * bodies, s.joint, &error), error);
  CHECK_OK(pc_contact_problem_set_contacts(p, contacts, s.cone, s.contact, NULL, &error), error);
  CHECK_OK(pc_contact_problem_solve(p, s.c_b, s.c_c, u, P_b, P_c, &info, &error), error);
  assert_true(pc_contact_problem_can_correct(p));
  for (int j = 0; j < 2 * bodies; j++) {
    s.joint_w[j][5] += 0.001 * wave(j, 13);
    s.contact_w[j][2] += 0.001 * wave(j, 17);
  }
  velocity_of(&s, contacts, P_b, P_c, u);
  double first = residual(&s, contacts, u, P_b, P_c);
  assert_true(first > 1e-5);
  for (int i = 0; i < 7; i++) {
    CHECK_OK(pc_contact_problem_correct(p, s.c_b, s.c_c, u, P_b, P_c, &info, &error), error);
    assert_true(info.converged);
    velocity_of(&s, contacts, P_b, P_c, u);
    if (i == 0) assert_true(residual(&s, contacts, u, P_b, P_c) < 0.2 * first);
  }
  CHECK_NEAR(residual(&s, contacts, u, P_b, P_c), 0, 1e-10);
  pc_contact_problem_destroy(p);
  pc_assembly_destroy(s.M);
}

/* Condensed with contacts and without, and joints alone by sparse elimination. */
static void kept_factors_correct_what_small_changes_of_the_rows_leave(void** state)
{
  (void)state;
  correct_after_change(10, 10);
  correct_after_change(10, 0);
  correct_after_change(BODIES, 0);
}

/* Sweeps over the contacts alone, with so many bytes of the memory of their rows to use. */
static void sweep(chain* s, size_t bytes, double* u, double* P)
{
  pc_error error = {0};
  pc_solver_info info;
  pc_contact_problem* p = NULL;
  pc_contact_problem_def def = {.n = 3 * s->count,
                                .contact_max = 2 * s->count,
                                .friction = 1,
                                .sweeps = 30,
                                .settings = pc_default_solver_settings()};
  int taken;
  memcpy(u, s->free, sizeof s->free);
  memset(P, 0, CONTACTS * sizeof *P);
  CHECK_OK(pc_contact_problem_create(&def, &p, &error), error);
  CHECK_OK(pc_contact_problem_set_bilateral(p, s->M, 0, NULL, &error), error);
  CHECK_OK(pc_contact_problem_set_swept(p, s->count, s->cone, s->contact,
                                        (pc_spare){s->contact_w, bytes}, &taken, &error),
           error);
  assert_true(taken);
  CHECK_OK(pc_contact_problem_solve(p, NULL, s->c_c, u, NULL, P, &info, &error), error);
  pc_contact_problem_destroy(p);
}

static void sweeps_give_the_same_bits_in_the_memory_of_their_rows(void** state)
{
  (void)state;
  static chain s;
  double u[N], P[CONTACTS], own_u[N], own_P[CONTACTS];
  const size_t bytes[] = {1000, sizeof s.contact_w};
  set_up(&s, BODIES);
  sweep(&s, 0, own_u, own_P);
  assert_true(own_P[0] > 0 && own_P[CONTACTS - 2] > 0);
  for (int i = 0; i < 2; i++) {
    pc_assembly_destroy(s.M);
    set_up(&s, BODIES);
    const double first = s.contact_w[0][2];
    sweep(&s, bytes[i], u, P);
    assert_true(s.contact_w[0][2] != first); /* it was used */
    assert_memory_equal(u, own_u, sizeof u);
    assert_memory_equal(P, own_P, sizeof P);
  }
  pc_assembly_destroy(s.M);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_fulfil_all_equations),
      cmocka_unit_test(a_solver_by_name_gives_the_velocities_of_the_condensed_problem),
      cmocka_unit_test(redundant_joints_are_counted),
      cmocka_unit_test(projection_needs_no_contacts),
      cmocka_unit_test(kept_factors_correct_what_small_changes_of_the_rows_leave),
      cmocka_unit_test(sweeps_give_the_same_bits_in_the_memory_of_their_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
