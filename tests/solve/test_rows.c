/* Long rows and tall stacks.
 *
 * Long rows of discs that touch each other and a floor, hit at one end. The impulse passes from
 * disc to disc and friction takes its part at each, so that it falls off like a geometric series:
 * beyond some hundred discs most contacts are on the verge of closing and of slipping at once, and
 * A has dependent rows. */
#include <math.h>

#include "check.h"
#include "percuss/solver.h"
#include "solve/heaps.h"
#include "solve/judge.h"

/* Discs of mass 1 and diameter 1 on a floor, the first of which moves by 1 along the row. */
static void make_row(heap* h, int discs, double weight, double mu)
{
  dice d = {1};
  heap_options o = {.planar = 1, .dimension = 1, .mu_min = mu, .mu_max = mu};
  memset(h, 0, sizeof *h);
  h->dofs = 3;
  h->bodies = discs;
  h->position = calloc((size_t)discs, sizeof *h->position);
  h->inverse_mass = calloc((size_t)discs, sizeof *h->inverse_mass);
  h->u = calloc((size_t)discs, sizeof *h->u);
  for (int i = 0; i < discs; i++) {
    h->position[i][0] = i;
    h->inverse_mass[i][0] = h->inverse_mass[i][1] = 1;
    h->inverse_mass[i][2] = 8; /* 1 / (m r^2 / 2) */
    h->u[i][0] = i == 0;
    h->u[i][1] = -weight;
  }
  const double up[3] = {0, 1, 0}, along[3] = {1, 0, 0};
  for (int i = 0; i < discs; i++) {
    heap_contact(h, &d, &o, -1, i, (double[]){i, -0.5, 0}, up);
    if (i > 0) heap_contact(h, &d, &o, i - 1, i, (double[]){i - 0.5, 0, 0}, along);
  }
  heap_percussion_form(h);
}

/* Boxes of side 1, each on four corners of the one below; every second one is heavier by `ratio`,
 * or all become heavier from the lowest to the highest. */
static void make_stack(heap* h, int boxes, double ratio, int alternate)
{
  dice d = {1};
  heap_options o = {.dimension = 2, .mu_min = 0.5, .mu_max = 0.5};
  const double up[3] = {0, 1, 0};
  memset(h, 0, sizeof *h);
  h->dofs = 6;
  h->bodies = boxes;
  h->position = calloc((size_t)boxes, sizeof *h->position);
  h->inverse_mass = calloc((size_t)boxes, sizeof *h->inverse_mass);
  h->u = calloc((size_t)boxes, sizeof *h->u);
  for (int i = 0; i < boxes; i++) {
    double mass = pow(ratio, alternate ? i % 2 : (double)i / (boxes - 1));
    h->position[i][1] = i + 0.5;
    for (int c = 0; c < 6; c++) h->inverse_mass[i][c] = (c < 3 ? 1 : 6) / mass;
    h->u[i][1] = -0.01;
    h->u[i][0] = 1e-3 * (i % 3);
    for (int c = 0; c < 4; c++)
      heap_contact(h, &d, &o, i - 1, i, (double[]){c % 2 - 0.5, i, c / 2 - 0.5}, up);
  }
  heap_percussion_form(h);
}

static void solves(const char* name, const heap* h, double tolerance)
{
  pc_error error = {0};
  pc_solver* solver = NULL;
  pc_solver_info info;
  pc_solver_settings settings = pc_default_solver_settings();
  settings.tolerance = tolerance;
  double* z = calloc((size_t)judge_rows(&h->problem), sizeof *z);
  CHECK_OK(pc_solver_create(name, &settings, &solver, &error), error);
  CHECK_OK(pc_solver_solve(solver, &h->problem, z, &info, &error), error);
  print_message("%s, %d bodies: %.1e after %d iterations\n", name, h->bodies, info.residual,
                info.iterations);
  assert_true(info.converged);
  CHECK_NEAR(judge_problem(&h->problem, z), 0, 1.01 * tolerance);
  pc_solver_destroy(solver);
  free(z);
}

static void a_long_row_is_solved_from_nothing(void** state)
{
  (void)state;
  for (int discs = 100; discs <= 800; discs *= 2) {
    heap h;
    make_row(&h, discs, 0.00981, 0.3);
    solves("ipm", &h, 1e-8);
    solves("auto", &h, 1e-8);
    heap_free(&h);
  }
}

static void without_friction_the_row_moves_as_one(void** state)
{
  (void)state;
  heap h;
  make_row(&h, 800, 0.00981, 0);
  solves("ipm", &h, 1e-12);
  solves("auto", &h, 1e-12);
  heap_free(&h);
}

static void heavy_boxes_rest_on_light_ones(void** state)
{
  (void)state;
  for (int boxes = 4; boxes <= 16; boxes *= 2)
    for (int alternate = 0; alternate < 2; alternate++) {
      heap h;
      make_stack(&h, boxes, 1e6, alternate);
      /* Impulses are up to 3000 times what the energy of the boxes gives the light ones, so that
       * this is better than 1e-10 of the impulses. Rows depend on each other to 1e-9 here, which is
       * the proximal term of Newton's method. */
      solves("ipm", &h, 1e-7);
      solves("auto", &h, 1e-7);
      heap_free(&h);
    }
}

/* The step after the impact: the row is at rest on the floor, but for the speed of a roll, and the
 * guess has the impulses of the impact, a hundred times those of the weight. */
static void impulses_of_an_impact_do_no_harm_to_the_next_step(void** state)
{
  (void)state;
  heap h;
  make_row(&h, 800, 0.00981, 0.3);
  size_t rows = (size_t)judge_rows(&h.problem);
  double* z = calloc(rows, sizeof *z);
  pc_error error = {0};
  pc_solver* solver = NULL;
  pc_solver_info info;
  CHECK_OK(pc_solver_create("auto", NULL, &solver, &error), error);
  CHECK_OK(pc_solver_solve(solver, &h.problem, z, &info, &error), error);
  for (int k = 0; k < h.problem.node_count; k++) {
    double* b = &h.b[h.problem.row[k]];
    int is_foot = h.node[k].body[0] < 0 || h.node[k].body[1] < 0;
    b[0] = is_foot ? -0.00981 : 0;
    b[1] = is_foot && k < 600 && k % 4 == 0 ? 1e-3 : 0;
  }
  CHECK_OK(pc_solver_solve(solver, &h.problem, z, &info, &error), error);
  print_message("after %d iterations\n", info.iterations);
  assert_true(info.converged);
  assert_true(info.iterations <= 200); /* sweeps are most of them; it took 3400 factorisations */
  pc_solver_destroy(solver);
  free(z);
  heap_free(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_long_row_is_solved_from_nothing),
      cmocka_unit_test(without_friction_the_row_moves_as_one),
      cmocka_unit_test(heavy_boxes_rest_on_light_ones),
      cmocka_unit_test(impulses_of_an_impact_do_no_harm_to_the_next_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
