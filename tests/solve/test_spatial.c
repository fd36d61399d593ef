/* Friction of dimension 2 and 3: a plane of contact, and one with drilling. */
#include "check.h"
#include "solve/dense_work.h"
#include "solve/problems.h"

static pc_dense_solver* make(const char* name, int dimension)
{
  pc_error error = {0};
  pc_dense_solver* solver = NULL;
  CHECK_OK(pc_dense_solver_create(name, ROWS_MAX, CONTACTS_MAX, dimension, NULL, &solver, &error),
           error);
  return solver;
}

/* Success must be true success; returns whether there was one. */
static int solves(pc_dense_solver* solver, const sample* s, double* P)
{
  pc_solver_info info;
  pc_dense_solver_solve(solver, &s->problem, P, &info);
  if (!info.converged) return 0;
  assert_true(judge(s, P) <= 1.01e-12);
  assert_true(pc_dense_residual(&s->problem, P) == info.residual);
  return 1;
}

static void random_problem(dice* d, sample* s, int contacts, int dimension, double mu_max)
{
  sample_clear(s);
  for (int k = 0; k < contacts; k++) {
    int own = below(d, 4) == 0 ? below(d, dimension) : dimension; /* all compilers roll alike */
    sample_add(s, own, uniform(d, 0, mu_max));
  }
  sample_randomise(s, d, 3 + below(d, 4 * contacts));
}

static const struct {
  const char* name;
  int dimension;
} spatial[] = {{"nsgs", 2}, {"prox", 2}, {"nsgs", 3}, {"prox", 3}};

enum { SPATIAL_COUNT = sizeof spatial / sizeof spatial[0] };

/* No iteration is certain to converge with spatial friction. Over many seeds 6 of 160000 such
 * problems stay unsolved, one of them (trial 1801) here. Failures are reported as such. */
static void random_problems_are_solved(void** state)
{
  (void)state;
  for (int k = 0; k < SPATIAL_COUNT; k++) {
    dice d = {21};
    pc_dense_solver* solver = make(spatial[k].name, spatial[k].dimension);
    int failures = 0;
    for (int trial = 0; trial < 2000; trial++) {
      static sample s;
      double P[ROWS_MAX] = {0};
      random_problem(&d, &s, 1 + below(&d, 5), spatial[k].dimension, 1);
      failures += !solves(solver, &s, P);
    }
    if (failures > 1) print_error("%s, %d: %d\n", spatial[k].name, spatial[k].dimension, failures);
    assert_true(failures <= 1);
    pc_dense_solver_destroy(solver);
  }
}

static void answers_obey_the_laws_case_by_case(void** state)
{
  (void)state;
  for (int k = 0; k < SPATIAL_COUNT; k++) {
    dice d = {22};
    pc_dense_solver* solver = make(spatial[k].name, spatial[k].dimension);
    for (int trial = 0; trial < 500; trial++) {
      static sample s;
      double P[ROWS_MAX] = {0};
      random_problem(&d, &s, 1 + below(&d, 3), spatial[k].dimension, 0.5);
      assert_true(solves(solver, &s, P));
      double size = fmax(1e-2, largest_entry(s.problem.row_count, P));
      CHECK_NEAR(law_violation(&s, P, size, 1), 0, 1e-9);
    }
    pc_dense_solver_destroy(solver);
  }
}

/* Turns the two friction rows of each contact by its own angle. */
static void turn_axes(sample* s, const double* angle)
{
  for (int k = 0; k < s->problem.contact_count; k++) {
    double c = cos(angle[k]), sn = sin(angle[k]);
    double *x = s->W[s->cone[k].row + 1], *y = s->W[s->cone[k].row + 2];
    for (int i = 0; i < s->dof_count; i++) {
      double old = x[i];
      x[i] = c * old + sn * y[i];
      y[i] = c * y[i] - sn * old;
    }
  }
  sample_assemble(s);
}

static void friction_in_the_plane_does_not_see_the_axes(void** state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    dice d = {23};
    pc_dense_solver* solver = make(spatial[k].name, 2);
    for (int trial = 0; trial < 300; trial++) {
      static sample s;
      double P[ROWS_MAX] = {0}, Q[ROWS_MAX] = {0}, angle[3];
      sample_clear(&s);
      for (int i = 0; i < 3; i++) sample_add(&s, 2, uniform(&d, 0, 0.4));
      sample_randomise(&s, &d, 14);
      for (int i = 0; i < 3; i++) angle[i] = uniform(&d, -3, 3);
      assert_true(solves(solver, &s, P));
      turn_axes(&s, angle);
      assert_true(solves(solver, &s, Q));
      for (int i = 0; i < 3; i++) {
        double c = cos(angle[i]), sn = sin(angle[i]);
        const double *p = &P[3 * i], *q = &Q[3 * i];
        CHECK_NEAR(q[0], p[0], 1e-8);
        CHECK_NEAR(q[1], c * p[1] + sn * p[2], 1e-8);
        CHECK_NEAR(q[2], c * p[2] - sn * p[1], 1e-8);
      }
    }
    pc_dense_solver_destroy(solver);
  }
}

/* A ball of unit mass and A = I: the answer in closed form, in each dimension. */
static void single_contact_slips_against_its_velocity(void** state)
{
  (void)state;
  for (int k = 0; k < SPATIAL_COUNT; k++) {
    int dimension = spatial[k].dimension;
    pc_dense_solver* solver = make(spatial[k].name, dimension);
    sample s;
    sample_clear(&s);
    sample_add(&s, dimension, 0.3);
    s.dof_count = 1 + dimension;
    for (int i = 0; i <= dimension; i++) s.W[i][i] = s.inverse_mass[i] = 1;
    s.u[0] = -2;
    s.u[1] = 3;
    s.u[2] = -4;
    sample_assemble(&s);
    double P[4] = {0};
    assert_true(solves(solver, &s, P));
    CHECK_NEAR(P[0], 2, 1e-14);
    CHECK_NEAR(P[1], -0.6 * 0.6, 1e-14);
    CHECK_NEAR(P[2], 0.6 * 0.8, 1e-14);
    s.u[1] = s.u[2] = 0.2; /* within the cone: sticks */
    sample_assemble(&s);
    assert_true(solves(solver, &s, P));
    CHECK_NEAR(P[1], -0.2, 1e-14);
    CHECK_NEAR(P[2], -0.2, 1e-14);
    pc_dense_solver_destroy(solver);
  }
}

/* Four legs of a table on the floor: six degrees of freedom, twelve rows. */
static void table(sample* s, double v_x, double v_y)
{
  const double leg[4][2] = {{1, 0.5}, {-1, 0.5}, {-1, -0.5}, {1, -0.5}};
  const double height = 0.7;
  sample_clear(s);
  s->dof_count = 6; /* x y z, spins about x y z */
  for (int i = 0; i < 6; i++) s->inverse_mass[i] = i < 3 ? 0.1 : 0.4;
  for (int k = 0; k < 4; k++) {
    sample_add(s, 2, 0.5);
    double x = leg[k][0], y = leg[k][1];
    const double rows[3][6] = {
        {0, 0, 1, y, -x, 0}, {1, 0, 0, 0, -height, -y}, {0, 1, 0, height, 0, x}};
    memcpy(s->W[3 * k], rows[0], sizeof rows[0]);
    memcpy(s->W[3 * k + 1], rows[1], sizeof rows[1]);
    memcpy(s->W[3 * k + 2], rows[2], sizeof rows[2]);
  }
  s->u[0] = v_x;
  s->u[1] = v_y;
  s->u[2] = -0.1;
  sample_assemble(s);
}

static void four_legs_carry_the_table_and_stop_it(void** state)
{
  (void)state;
  for (int k = 0; k < SPATIAL_COUNT; k++) {
    pc_dense_solver* solver = make(spatial[k].name, spatial[k].dimension);
    sample s;
    table(&s, 0.01, -0.02);
    double P[12] = {0}, y[12], sum = 0;
    assert_true(solves(solver, &s, P));
    velocity(&s, P, y);
    for (int i = 0; i < 12; i++) CHECK_NEAR(y[i], 0, 1e-11);
    for (int i = 0; i < 12; i += 3) sum += P[i];
    CHECK_NEAR(sum, 0.1 * 10, 1e-10);
    pc_dense_solver_destroy(solver);
  }
}

static void four_legs_slide_with_the_friction_of_the_weight(void** state)
{
  (void)state;
  for (int k = 0; k < SPATIAL_COUNT; k++) {
    pc_dense_solver* solver = make(spatial[k].name, spatial[k].dimension);
    sample s;
    table(&s, 0.3, -0.4);
    double P[12] = {0}, sum[3] = {0};
    assert_true(solves(solver, &s, P));
    for (int i = 0; i < 12; i++) sum[i % 3] += P[i];
    CHECK_NEAR(sum[0], 1, 1e-10);
    CHECK_NEAR(sum[1], -0.5 * 0.6, 1e-10);
    CHECK_NEAR(sum[2], 0.5 * 0.8, 1e-10);
    pc_dense_solver_destroy(solver);
  }
}

/* Boxes on each other, four corners each: twelve rows and six degrees of freedom per box. */
static void stack(sample* s, int boxes)
{
  const double corner[4][2] = {{0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}, {0.5, -0.5}};
  sample_clear(s);
  s->dof_count = 6 * boxes;
  for (int i = 0; i < s->dof_count; i++) s->inverse_mass[i] = i % 6 < 3 ? 0.5 : 3;
  for (int i = 2; i < s->dof_count; i += 6) s->u[i] = -0.01;
  for (int k = 0; k < 4 * boxes; k++) {
    sample_add(s, 2, 0.4);
    double x = corner[k % 4][0], y = corner[k % 4][1];
    for (int below_it = 0; below_it < 2 && k / 4 >= below_it; below_it++) {
      double z = below_it ? 0.5 : -0.5, sign = below_it ? -1 : 1;
      const double rows[3][6] = {{0, 0, 1, y, -x, 0}, {1, 0, 0, 0, z, -y}, {0, 1, 0, -z, 0, x}};
      for (int i = 0; i < 18; i++)
        s->W[3 * k + i / 6][6 * (k / 4 - below_it) + i % 6] = sign * rows[i / 6][i % 6];
    }
  }
}

static void stack_of_boxes_rests_slides_and_tumbles(void** state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    pc_dense_solver* solver = make(spatial[k].name, 2);
    for (int trial = 0; trial < 15; trial++) {
      static sample s;
      dice d = {24};
      int boxes = 1 + trial / 3;
      double P[ROWS_MAX] = {0}, weight = 0;
      stack(&s, boxes);
      for (int i = 0; i < boxes && trial % 3 == 1; i++) s.u[6 * i] = 0.3 * (i + 1); /* slide */
      for (int i = 0; i < s.dof_count && trial % 3 == 2; i++) s.u[i] += uniform(&d, -0.05, 0.05);
      sample_assemble(&s);
      assert_true(solves(solver, &s, P));
      for (int i = 0; i < 4; i++) weight += P[3 * i];
      if (trial % 3 == 0) CHECK_NEAR(weight, 0.02 * boxes, 1e-12); /* rests */
    }
    pc_dense_solver_destroy(solver);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_problems_are_solved),
      cmocka_unit_test(answers_obey_the_laws_case_by_case),
      cmocka_unit_test(friction_in_the_plane_does_not_see_the_axes),
      cmocka_unit_test(single_contact_slips_against_its_velocity),
      cmocka_unit_test(four_legs_carry_the_table_and_stop_it),
      cmocka_unit_test(four_legs_slide_with_the_friction_of_the_weight),
      cmocka_unit_test(stack_of_boxes_rests_slides_and_tumbles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
