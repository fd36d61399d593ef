/* The implicit step on problems whose answers are known: linear contact problems, curves, redundant
 * rows, ties, a bad r, and trouble. */
#include <stdlib.h>

#include "../solve/problems.h"
#include "check.h"
#include "implicit/implicit_step.h"
#include "wrapped_allocator.h"

/* ---- a plant: M (x - u) = W P, y = W'x + c + curvature |x|^2/2 of row 0 ------------------- */

/* Steps are sparse from the first row on. */
static int sparse;

/* Unknowns of a node of the graph. */
enum { GROUP_SIZE = 3 };

typedef struct plant {
  sample s; /* its W, u, inverse mass and contacts; bilateral rows stand behind those of contacts */
  int bilateral_count;
  int bilateral[8];
  double c[ROWS_MAX];
  double curvature;
  double x[DOFS_MAX], kept[2][DOFS_MAX];
  double gradient[DOFS_MAX];
  pc_block block;
  pc_index_set set;
  pc_assembly* mass;
  int size[DOFS_MAX], group[DOFS_MAX], place[DOFS_MAX], unit[ROWS_MAX]; /* of the graph */
  pc_implicit_graph graph;
  double poison; /* added to F */
  pc_implicit_problem problem;
} plant;

static double evaluate(void* user, const double* P, double* F, double* y)
{
  plant* p = user;
  int n = p->s.dof_count;
  double square = 0;
  for (int i = 0; i < n; i++) {
    F[i] = (p->x[i] - p->s.u[i]) / p->s.inverse_mass[i] + p->poison;
    square += p->x[i] * p->x[i];
    for (int r = 0; r < p->problem.row_count; r++) F[i] -= p->s.W[r][i] * P[r];
  }
  for (int r = 0; r < p->problem.row_count; r++) {
    y[r] = p->c[r] + (r == 0 ? p->curvature * square / 2 : 0);
    for (int i = 0; i < n; i++) y[r] += p->s.W[r][i] * p->x[i];
  }
  return 0;
}

static pc_implicit_sizes sizes(void* user)
{
  (void)user;
  return (pc_implicit_sizes){0};
}

static pc_status linearise(void* user, const double* P, const unsigned char* acts, double* F,
                           double* y, pc_block_matrix* blocks, pc_error* error)
{
  (void)P, (void)acts, (void)F, (void)y, (void)error;
  const plant* p = user;
  for (int i = 0; blocks && i < p->s.dof_count; i++) {
    int group = p->group[i], size = p->size[group], k = i - GROUP_SIZE * group;
    pc_block_matrix_find(blocks, group, group)[k * size + k] += 1 / p->s.inverse_mass[i];
  }
  return PC_OK;
}

static int edges(const void* user, const double* P, pc_edge* edge)
{
  (void)user, (void)P, (void)edge;
  return 0;
}

static pc_row column(const void* user, int row)
{
  const plant* p = user;
  return (pc_row){1, &p->block, p->s.W[row]};
}

static pc_row gradient(const void* user, int row)
{
  plant* p = (plant*)(uintptr_t)user;
  for (int i = 0; i < p->s.dof_count; i++)
    p->gradient[i] = p->s.W[row][i] + (row == 0 ? p->curvature * p->x[i] : 0);
  return (pc_row){1, &p->block, p->gradient};
}

static void advance(void* user, double scale, const double* dx)
{
  plant* p = user;
  for (int i = 0; i < p->s.dof_count; i++) p->x[i] += scale * dx[i];
}

static void keep(void* user, int slot)
{
  plant* p = user;
  memcpy(p->kept[slot], p->x, sizeof p->x);
}

static void put_back(void* user, int slot)
{
  plant* p = user;
  memcpy(p->x, p->kept[slot], sizeof p->x);
}

/* Unknowns in groups of three; each contact and each bilateral row is a unit. */
static void make_graph(plant* p)
{
  int groups = 0, units = 0;
  for (int i = 0; i < p->s.dof_count; i++) {
    if (i % GROUP_SIZE == 0) p->size[groups++] = 0;
    p->size[groups - 1]++;
    p->group[i] = groups - 1;
    p->place[i] = i;
  }
  for (int k = 0; k < p->s.problem.contact_count; k++, units++)
    for (int i = 0; i <= p->s.cone[k].dimension; i++) p->unit[p->s.cone[k].row + i] = units;
  for (int i = 0; i < p->bilateral_count; i++) p->unit[p->bilateral[i]] = units++;
  p->graph = (pc_implicit_graph){.group_count = groups,
                                 .size = p->size,
                                 .group = p->group,
                                 .place = p->place,
                                 .unit_count = units,
                                 .unit = p->unit};
}

/* After the sample and the bilateral rows have been filled in. */
static void finish_plant(plant* p)
{
  pc_error error = {0};
  int n = p->s.dof_count;
  double M[DOFS_MAX * DOFS_MAX] = {0};
  p->block = (pc_block){0, n};
  p->set = (pc_index_set){1, &p->block, 0};
  for (int i = 0; i < n; i++) M[i * n + i] = 1 / p->s.inverse_mass[i];
  CHECK_OK(pc_assembly_create(n, 1, &p->set, PC_POSITIVE_DEFINITE, &p->mass, &error), error);
  pc_assembly_add(p->mass, 0, 1, M);
  CHECK_OK(pc_assembly_factor(p->mass), error);
  make_graph(p);
  p->problem = (pc_implicit_problem){.x_count = n,
                                     .row_count = p->s.problem.row_count + p->bilateral_count,
                                     .bilateral_count = p->bilateral_count,
                                     .bilateral = p->bilateral,
                                     .contact_count = p->s.problem.contact_count,
                                     .cone = p->s.cone,
                                     .user = p,
                                     .evaluate = evaluate,
                                     .sizes = sizes,
                                     .linearise = linearise,
                                     .tangent = sparse ? NULL : p->mass,
                                     .graph = &p->graph,
                                     .edges = edges,
                                     .column = column,
                                     .gradient = gradient,
                                     .advance = advance,
                                     .keep = keep,
                                     .put_back = put_back};
}

static void release_plant(plant* p)
{
  pc_assembly_destroy(p->mass);
}

static pc_implicit_step* make_with(int friction, double r, int iterations)
{
  pc_error error = {0};
  pc_implicit_step* stage;
  pc_implicit_settings settings = {
      .tolerance = 1e-11, .max_iterations = iterations, .r = r, .solver_tolerance = 1e-13};
  CHECK_OK(pc_implicit_step_create(DOFS_MAX, ROWS_MAX, CONTACTS_MAX, friction, &settings, &stage,
                                   &error),
           error);
  return stage;
}

static pc_implicit_step* make(int friction)
{
  return make_with(friction, 0, 50);
}

/* From x = u and P = 0, or from where they are. */
static pc_implicit_info solve_from(pc_implicit_step* stage, plant* p, double* P)
{
  pc_error error = {0};
  pc_implicit_info info;
  CHECK_OK(pc_implicit_step_solve(stage, &p->problem, P, &info, &error), error);
  return info;
}

static pc_implicit_info solve(pc_implicit_step* stage, plant* p, double* P)
{
  memcpy(p->x, p->s.u, sizeof p->x);
  memset(P, 0, ROWS_MAX * sizeof *P);
  return solve_from(stage, p, P);
}

/* Contacts of dimension `lowest` to `highest`, at least as many unknowns as rows. */
static void random_plant(dice* d, plant* p, int contacts, int lowest, int highest, double mu)
{
  memset(p, 0, sizeof *p);
  sample_clear(&p->s);
  for (int k = 0; k < contacts; k++) {
    int dimension = lowest + below(d, highest - lowest + 1);
    sample_add(&p->s, dimension, uniform(d, 0, mu));
  }
  sample_randomise(&p->s, d, p->s.problem.row_count + 1 + below(d, 3));
  finish_plant(p);
}

/* ---- linear contact problems -------------------------------------------------------------- */

static void planar_problems_have_the_velocities_of_lemke(void** state)
{
  (void)state;
  pc_error error = {0};
  dice d = {1};
  pc_implicit_step* stage = make(1);
  pc_dense_solver* lemke = NULL;
  CHECK_OK(pc_dense_solver_create("lemke", ROWS_MAX, CONTACTS_MAX, 1, NULL, &lemke, &error), error);
  for (int trial = 0; trial < 300; trial++) {
    plant p;
    double P[ROWS_MAX], want[ROWS_MAX] = {0}, y[ROWS_MAX], y_want[ROWS_MAX];
    random_plant(&d, &p, 1 + below(&d, 5), 0, 1, 0.3); /* few enough to be unique */
    assert_true(solve(stage, &p, P).converged);
    pc_solver_info info;
    pc_dense_solver_solve(lemke, &p.s.problem, want, &info);
    assert_true(info.converged);
    velocity(&p.s, P, y);
    velocity(&p.s, want, y_want);
    for (int r = 0; r < p.s.problem.row_count; r++) CHECK_NEAR(y[r], y_want[r], 1e-9);
    release_plant(&p);
  }
  pc_dense_solver_destroy(lemke);
  pc_implicit_step_destroy(stage);
}

/* Dimension 3 as Contensou friction has it. The judge is the natural map. */
static void problems_of_all_friction_dimensions_are_solved(void** state)
{
  (void)state;
  dice d = {2};
  pc_implicit_step* stage = make(3);
  int most = 0, switched = 0;
  for (int trial = 0; trial < 600; trial++) {
    plant p;
    double P[ROWS_MAX], y[ROWS_MAX];
    random_plant(&d, &p, 1 + below(&d, 6), 0, 3, 0.8);
    pc_implicit_info info = solve(stage, &p, P);
    assert_true(info.converged);
    assert_true(judge(&p.s, P) < 1e-9);
    assert_true(law_violation(&p.s, P, 1, 1) < 1e-9);
    velocity(&p.s, P, y);
    for (int k = 0; k < p.s.problem.contact_count; k++) {
      CHECK_NEAR(pc_implicit_step_normal_violation(stage, &p.s.cone[k], k, y, P), 0, 1e-9);
      CHECK_NEAR(pc_implicit_step_friction_violation(stage, &p.s.cone[k], k, y, P), 0, 1e-9);
    }
    if (info.iterations > most) most = info.iterations;
    switched += info.switched;
    release_plant(&p);
  }
  assert_true(most <= 30);
  assert_true(switched < 60); /* one in twelve: turning slip, where the active set says little */
  pc_implicit_step_destroy(stage);
}

static void at_the_answer_nothing_is_left_to_do(void** state)
{
  (void)state;
  dice d = {3};
  pc_implicit_step* stage = make(2);
  for (int trial = 0; trial < 50; trial++) {
    plant p;
    double P[ROWS_MAX];
    random_plant(&d, &p, 1 + below(&d, 4), 0, 2, 0.5);
    assert_true(solve(stage, &p, P).converged);
    pc_implicit_info again = solve_from(stage, &p, P);
    assert_true(again.converged);
    assert_int_equal(again.iterations, 0);
    release_plant(&p);
  }
  pc_implicit_step_destroy(stage);
}

static void contacts_that_may_not_close_carry_nothing(void** state)
{
  (void)state;
  dice d = {4};
  pc_implicit_step* stage = make(1);
  const unsigned char may_close[CONTACTS_MAX] = {1, 0, 1, 0};
  for (int trial = 0; trial < 50; trial++) {
    plant p;
    double P[ROWS_MAX], y[ROWS_MAX];
    random_plant(&d, &p, 4, 1, 1, 0.3);
    p.problem.may_close = may_close;
    assert_true(solve(stage, &p, P).converged);
    velocity(&p.s, P, y);
    for (int k = 0; k < 4; k++) {
      int r = p.s.cone[k].row;
      if (!may_close[k]) assert_true(P[r] == 0 && P[r + 1] == 0);
      if (!may_close[k]) assert_false(pc_implicit_step_is_closed(stage, k));
      if (may_close[k]) assert_true(fmin(P[r], y[r]) < 1e-10 && P[r] >= 0 && y[r] > -1e-10);
    }
    release_plant(&p);
  }
  pc_implicit_step_destroy(stage);
}

/* ---- bilateral rows and redundancy -------------------------------------------------------- */

/* Contacts, two bilateral rows behind them, and the first of these once more, scaled. */
static void plant_with_joints(dice* d, plant* p, int contacts, int bilateral)
{
  memset(p, 0, sizeof *p);
  sample_clear(&p->s);
  for (int k = 0; k < contacts; k++) sample_add(&p->s, 1, 0.3);
  int rows = p->s.problem.row_count;
  sample_randomise(&p->s, d, rows + 4);
  p->bilateral_count = bilateral;
  for (int b = 0; b < bilateral; b++) {
    p->bilateral[b] = rows + b;
    for (int i = 0; i < p->s.dof_count; i++)
      p->s.W[rows + b][i] = b < 2 ? uniform(d, -1, 1) : 3 * p->s.W[rows][i];
    p->c[rows + b] = b < 2 ? uniform(d, -1, 1) : 3 * p->c[rows];
  }
  finish_plant(p);
}

static void check_plant(plant* p, const double* P)
{
  double F[DOFS_MAX], y[ROWS_MAX];
  evaluate(p, P, F, y);
  for (int i = 0; i < p->s.dof_count; i++) CHECK_NEAR(F[i], 0, 1e-10);
  for (int b = 0; b < p->bilateral_count; b++) CHECK_NEAR(y[p->bilateral[b]], 0, 1e-10);
  for (int k = 0; k < p->s.problem.contact_count; k++) {
    int r = p->s.cone[k].row;
    assert_true(y[r] > -1e-10 && P[r] >= -1e-10 && fmin(P[r], y[r]) < 1e-10);
    if (p->s.cone[k].dimension == 0) continue;
    double reach = p->s.cone[k].mu * P[r];
    assert_true(fabs(P[r + 1]) <= reach + 1e-10);
    if (fabs(y[r + 1]) > 1e-9) CHECK_NEAR(P[r + 1], y[r + 1] > 0 ? -reach : reach, 1e-9);
  }
}

static void joints_hold_beside_contacts_even_twice(void** state)
{
  (void)state;
  dice d = {5};
  pc_implicit_step* stage = make(1);
  for (int trial = 0; trial < 100; trial++) {
    plant p;
    double P[ROWS_MAX], x[DOFS_MAX];
    plant_with_joints(&d, &p, 1 + below(&d, 3), 3);
    pc_implicit_info info = solve(stage, &p, P);
    assert_true(info.converged);
    assert_true(info.redundant >= 1);
    check_plant(&p, P);
    memcpy(x, p.x, sizeof x);
    p.problem.bilateral_count = 2; /* without the third row */
    info = solve(stage, &p, P);
    assert_true(info.converged);
    assert_int_equal(info.redundant, 0);
    for (int i = 0; i < p.s.dof_count; i++) CHECK_NEAR(p.x[i], x[i], 1e-9);
    release_plant(&p);
  }
  pc_implicit_step_destroy(stage);
}

/* Contact k of the copy is contact order[k], all its rows times scale[k]: velocities do not
 * care. */
static void copy_reordered(const plant* from, const int* order, const double* scale, plant* to)
{
  memset(to, 0, sizeof *to);
  sample_clear(&to->s);
  to->s.dof_count = from->s.dof_count;
  memcpy(to->s.inverse_mass, from->s.inverse_mass, sizeof to->s.inverse_mass);
  memcpy(to->s.u, from->s.u, sizeof to->s.u);
  for (int k = 0; k < from->s.problem.contact_count; k++) {
    const pc_cone* c = &from->s.cone[order[k]];
    int row = to->s.problem.row_count;
    sample_add(&to->s, c->dimension, c->mu);
    for (int r = 0; r <= c->dimension; r++)
      for (int i = 0; i < from->s.dof_count; i++)
        to->s.W[row + r][i] = scale[k] * from->s.W[c->row + r][i];
  }
  sample_assemble(&to->s);
  finish_plant(to);
}

/* Four legs of a table that lands: three unknowns, eight rows. */
static void table(plant* p, double vx, double vy, double spin)
{
  memset(p, 0, sizeof *p);
  sample_clear(&p->s);
  p->s.dof_count = 3;
  const double inverse[3] = {0.1, 0.1, 0.8}, u[3] = {vx, vy, spin};
  memcpy(p->s.inverse_mass, inverse, sizeof inverse);
  memcpy(p->s.u, u, sizeof u);
  for (int k = 0; k < 4; k++) {
    const double rows[2][3] = {{0, 1, -0.6 + 0.4 * k}, {1, 0, 0.3}};
    for (int r = 0; r < 2; r++) memcpy(p->s.W[2 * k + r], rows[r], sizeof rows[r]);
    sample_add(&p->s, 1, 0.5);
  }
  sample_assemble(&p->s);
  finish_plant(p);
}

static void redundant_legs_give_the_same_velocities_in_any_order(void** state)
{
  (void)state;
  pc_implicit_step* stage = make(1);
  const int orders[3][4] = {{0, 1, 2, 3}, {2, 0, 3, 1}, {3, 2, 1, 0}};
  const double scales[3][4] = {{1, 1, 1, 1}, {3, 0.2, 1, 7}, {1e3, 1, 1e-3, 1}};
  dice d = {6};
  for (int trial = 0; trial < 100; trial++) {
    double vx = uniform(&d, -1, 1), vy = uniform(&d, -1, 0), spin = uniform(&d, -1, 1);
    double x[DOFS_MAX] = {0}, P[ROWS_MAX];
    plant p;
    table(&p, vx, vy, spin);
    for (int i = 0; i < 3; i++) {
      plant copy;
      copy_reordered(&p, orders[i], scales[i], &copy);
      assert_true(solve(stage, &copy, P).converged);
      assert_true(law_violation(&copy.s, P, 1, 1) < 1e-8);
      if (i == 0) memcpy(x, copy.x, sizeof x);
      for (int c = 0; c < 3; c++) CHECK_NEAR(copy.x[c], x[c], 1e-9);
      release_plant(&copy);
    }
    release_plant(&p);
  }
  pc_implicit_step_destroy(stage);
}

/* ---- a particle and a curve ---------------------------------------------------------------- */

/* With a force towards (0, -h) from a pin at the origin: y = c + x_2 + (x_1^2 + x_2^2)/2, W = (0,
 * 1), so that x_1 = u_1 and x_2 solves a quadratic equation. */
static void curve(plant* p, int is_contact, double u_1, double u_2, double c)
{
  memset(p, 0, sizeof *p);
  sample_clear(&p->s);
  p->s.dof_count = 2;
  p->s.inverse_mass[0] = p->s.inverse_mass[1] = 0.5;
  p->s.u[0] = u_1;
  p->s.u[1] = u_2;
  p->s.W[0][1] = 1;
  p->c[0] = c;
  p->curvature = 1;
  if (is_contact) sample_add(&p->s, 0, 0);
  p->bilateral_count = !is_contact;
  p->bilateral[0] = 0;
  finish_plant(p);
}

static void particle_stays_on_its_curve(void** state)
{
  (void)state;
  pc_implicit_step* stage = make(0);
  for (int is_contact = 0; is_contact < 2; is_contact++)
    for (int i = 0; i < 20; i++) {
      double u_1 = 0.05 * i, u_2 = -1 + 0.02 * i, c = -0.1, P[ROWS_MAX];
      double want = -1 + sqrt(1 - 2 * (c + u_1 * u_1 / 2)); /* of c + x + x^2/2 + u_1^2/2 */
      plant p;
      curve(&p, is_contact, u_1, u_2, c);
      pc_implicit_info info = solve(stage, &p, P);
      /* at u_2 = -1 the gradient vanishes: Newton has no way up */
      if (u_2 < -0.99) {
        release_plant(&p);
        continue;
      }
      assert_true(info.converged);
      assert_true(info.iterations <= 16); /* from -0.98 the way leads over x_2 = 30 */
      CHECK_NEAR(p.x[0], u_1, 1e-11);
      CHECK_NEAR(p.x[1], want, 1e-10);
      CHECK_NEAR(P[0], 2 * (want - u_2), 1e-10);
      release_plant(&p);
    }
  pc_implicit_step_destroy(stage);
}

static int linearised;

static pc_status linearise_and_count(void* user, const double* P, const unsigned char* acts,
                                     double* F, double* y, pc_block_matrix* blocks, pc_error* error)
{
  linearised++;
  return linearise(user, P, acts, F, y, blocks, error);
}

static int keep_linear(void* user, const double* P, const unsigned char* acts, double* y)
{
  (void)user, (void)P, (void)acts, (void)y;
  return 1;
}

static double F_excess(void* user, const double* F, double share)
{
  (void)user, (void)share;
  double left = fmax(fabs(F[0]), fabs(F[1])) / 1e-14;
  return left > 1 ? left : 0;
}

static double y_excess(void* user, int row, double left, double share)
{
  (void)user, (void)row, (void)share;
  return fabs(left) > 1e-14 ? fabs(left) / 1e-14 : 0;
}

/* Newton's method leaves 2e-6, 2e-12 and round-off here: the last step needs no matrices of its
 * own. */
static void matrices_serve_once_more_where_that_is_enough(void** state)
{
  (void)state;
  pc_implicit_step* stage = make(0);
  int steps = 0;
  linearised = 0;
  for (int i = 0; i < 20; i++) {
    double u_1 = 0.01 * i, c = -0.1, want = -1 + sqrt(1 - 2 * (c + u_1 * u_1 / 2)), P[ROWS_MAX];
    plant p;
    curve(&p, 0, u_1, want + 0.002, c);
    p.problem.linearise = linearise_and_count;
    p.problem.keep_linear = keep_linear;
    p.problem.measure.F_excess = F_excess;
    p.problem.measure.y_excess = y_excess;
    p.problem.measure.P_excess = y_excess;
    pc_implicit_info info = solve(stage, &p, P);
    assert_true(info.converged);
    CHECK_NEAR(p.x[1], want, 4e-14);
    steps += info.iterations;
    release_plant(&p);
  }
  assert_true(steps <= 3 * 20);
  assert_true(sparse ? linearised == steps : linearised <= steps - 10);
  pc_implicit_step_destroy(stage);
}

static void particle_above_its_curve_is_free(void** state)
{
  (void)state;
  pc_implicit_step* stage = make(0);
  double P[ROWS_MAX];
  plant p;
  curve(&p, 1, 0.3, 0.2, 0);
  pc_implicit_info info = solve(stage, &p, P);
  assert_true(info.converged);
  assert_int_equal(info.iterations, 0);
  assert_true(P[0] == 0 && p.x[1] == 0.2);
  assert_false(pc_implicit_step_is_closed(stage, 0));
  release_plant(&p);
  pc_implicit_step_destroy(stage);
}

/* ---- ties ---------------------------------------------------------------------------------- */

/* One unknown, one contact, y = u at the start. */
static void drop(plant* p, double u, double tie)
{
  memset(p, 0, sizeof *p);
  sample_clear(&p->s);
  p->s.dof_count = 1;
  p->s.inverse_mass[0] = 1;
  p->s.u[0] = u;
  p->s.W[0][0] = 1;
  sample_add(&p->s, 0, 0);
  finish_plant(p);
  p->problem.tie = tie;
}

static void a_tie_counts_as_closed(void** state)
{
  (void)state;
  pc_implicit_step* stage = make(0);
  const struct {
    double u;
    int closed;
  } want[] = {{-1, 1}, {-1e-16, 1}, {0, 1}, {5e-13, 1}, {2e-12, 0}, {1, 0}};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    plant p;
    double P[ROWS_MAX];
    drop(&p, want[i].u, 1e-12);
    assert_true(solve(stage, &p, P).converged);
    assert_int_equal(pc_implicit_step_is_closed(stage, 0), want[i].closed);
    CHECK_NEAR(P[0], fmax(0, -want[i].u), 1e-12);
    release_plant(&p);
  }
  pc_implicit_step_destroy(stage);
}

/* ---- a bad r, and complementarity steps ------------------------------------------------------ */

/* r decides on the branch. A bad one makes Newton go in circles; complementarity steps end that. */
static void a_bad_r_is_survived(void** state)
{
  (void)state;
  const double bad[] = {1e-6, 1e-3, 1e3, 1e6};
  for (int i = 0; i < 4; i++) {
    dice d = {7};
    pc_implicit_step* stage = make_with(2, bad[i], 100);
    int switched = 0;
    for (int trial = 0; trial < 200; trial++) {
      plant p;
      double P[ROWS_MAX];
      random_plant(&d, &p, 2 + below(&d, 5), 1, 2, 0.8);
      pc_implicit_info info = solve(stage, &p, P);
      assert_true(info.converged);
      assert_true(judge(&p.s, P) < 1e-8);
      switched += info.switched;
      release_plant(&p);
    }
    assert_true(switched > 50);
    pc_implicit_step_destroy(stage);
  }
}

/* ---- trouble --------------------------------------------------------------------------------- */

static void what_does_not_converge_says_so(void** state)
{
  (void)state;
  dice d = {8};
  pc_implicit_step* stage = make_with(1, 0, 1);
  int unsolved = 0;
  for (int trial = 0; trial < 50; trial++) {
    plant p;
    double P[ROWS_MAX];
    random_plant(&d, &p, 4, 1, 1, 0.5);
    pc_implicit_info info = solve(stage, &p, P);
    assert_true(info.iterations <= 1);
    assert_true(info.converged == (info.residual < 1e-11));
    unsolved += !info.converged;
    release_plant(&p);
  }
  assert_true(unsolved > 10);
  pc_implicit_step_destroy(stage);
}

/* x = 1 and x = 2 at once. */
static void infeasible_rows_do_not_converge(void** state)
{
  (void)state;
  pc_implicit_step* stage = make(0);
  plant p;
  double P[ROWS_MAX];
  memset(&p, 0, sizeof p);
  sample_clear(&p.s);
  p.s.dof_count = 1;
  p.s.inverse_mass[0] = 1;
  p.s.W[0][0] = p.s.W[1][0] = 1;
  p.c[0] = -1;
  p.c[1] = -2;
  p.bilateral_count = 2;
  p.bilateral[1] = 1;
  finish_plant(&p);
  pc_implicit_info info = solve(stage, &p, P);
  assert_false(info.converged);
  assert_false(info.accepted);
  assert_true(info.residual > 0.1);
  release_plant(&p);
  pc_implicit_step_destroy(stage);
}

/* Three legs of which two are too short, all loaded: no x closes them, and branches that go by y -
 * P keep them closed until the linearised problem is solved as a whole. */
static void legs_with_an_infeasible_active_set_open(void** state)
{
  (void)state;
  pc_implicit_step* stage = make(0);
  plant p;
  double P[ROWS_MAX] = {0.2, 0.3, 0.5};
  memset(&p, 0, sizeof p);
  sample_clear(&p.s);
  p.s.dof_count = 1;
  p.s.inverse_mass[0] = 1;
  p.s.u[0] = -1;
  for (int i = 0; i < 3; i++) {
    p.s.W[i][0] = 1;
    p.c[i] = 1e-6 * i * i;
    sample_add(&p.s, 0, 0);
  }
  finish_plant(&p);
  pc_implicit_info info = solve_from(stage, &p, P);
  assert_true(info.converged);
  CHECK_NEAR(P[0], 1, 1e-11);
  CHECK_NEAR(P[1], 0, 0);
  CHECK_NEAR(P[2], 0, 0);
  CHECK_NEAR(p.x[0], 0, 1e-11);
  release_plant(&p);
  pc_implicit_step_destroy(stage);
}

/* A block on two belts, one of which moves: both stick at the start, which cannot be. */
static void belts_with_an_infeasible_active_set_slip(void** state)
{
  (void)state;
  pc_implicit_step* stage = make(1);
  plant p;
  double P[ROWS_MAX] = {0.6, 0, 0.4, 0};
  memset(&p, 0, sizeof p);
  sample_clear(&p.s);
  p.s.dof_count = 2;
  p.s.inverse_mass[0] = p.s.inverse_mass[1] = 1;
  p.s.u[1] = -1;
  for (int i = 0; i < 2; i++) {
    p.s.W[2 * i][1] = p.s.W[2 * i + 1][0] = 1;
    sample_add(&p.s, 1, 0.3);
  }
  p.c[3] = 1e-6;
  finish_plant(&p);
  pc_implicit_info info = solve_from(stage, &p, P);
  assert_true(info.converged);
  CHECK_NEAR(P[0] + P[2], 1, 1e-11); /* how they share the load is not unique */
  CHECK_NEAR(p.x[0], P[1] + P[3], 1e-11);
  for (int i = 0; i < 2; i++) {
    double slip = p.x[0] + p.c[2 * i + 1], reach = 0.3 * P[2 * i];
    if (fabs(slip) > 1e-10) CHECK_NEAR(P[2 * i + 1], slip > 0 ? -reach : reach, 1e-11);
    assert_true(fabs(P[2 * i + 1]) <= reach + 1e-11);
  }
  release_plant(&p);
  pc_implicit_step_destroy(stage);
}

static void bad_numbers_are_an_error(void** state)
{
  (void)state;
  dice d = {9};
  pc_implicit_step* stage = make(1);
  plant p;
  double P[ROWS_MAX] = {0};
  pc_error error = {0};
  pc_implicit_info info;
  random_plant(&d, &p, 2, 1, 1, 0.5);
  const double bad[] = {NAN, INFINITY};
  for (int i = 0; i < 2; i++) {
    p.poison = bad[i];
    memcpy(p.x, p.s.u, sizeof p.x);
    assert_int_equal(pc_implicit_step_solve(stage, &p.problem, P, &info, &error), PC_NOT_FINITE);
    assert_false(info.converged);
  }
  p.poison = 0;
  assert_true(solve(stage, &p, P).converged); /* and it recovers */
  release_plant(&p);
  pc_implicit_step_destroy(stage);
}

static pc_status refuse(void* user, const double* P, const unsigned char* acts, double* F,
                        double* y, pc_block_matrix* blocks, pc_error* error)
{
  (void)blocks, (void)user, (void)P, (void)acts, (void)F, (void)y, (void)error;
  return PC_SINGULAR;
}

static void what_cannot_be_linearised_is_an_error(void** state)
{
  (void)state;
  pc_implicit_step* stage = make(0);
  plant p;
  double P[ROWS_MAX] = {0};
  pc_error error = {0};
  pc_implicit_info info;
  drop(&p, -1, 0);
  p.x[0] = -1;
  p.problem.linearise = refuse;
  assert_int_equal(pc_implicit_step_solve(stage, &p.problem, P, &info, &error), PC_SINGULAR);
  release_plant(&p);
  pc_implicit_step_destroy(stage);
  pc_implicit_step_destroy(NULL);
}

/* Once problems of their size have been met. */
static void solving_does_not_allocate(void** state)
{
  (void)state;
  pc_implicit_step *stage = make(2), *badly = make_with(2, 1e6, 50);
  for (int round = 0; round < 2; round++) {
    dice d = {10};
    for (int trial = 0; trial < 40; trial++) {
      plant p;
      double P[ROWS_MAX];
      random_plant(&d, &p, 1 + below(&d, 5), 0, 2, 0.8);
      allocations = 0;
      solve(stage, &p, P);
      solve(badly, &p, P);
      if (round == 1) assert_int_equal(allocations, 0);
      release_plant(&p);
    }
  }
  pc_implicit_step_destroy(stage);
  pc_implicit_step_destroy(badly);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planar_problems_have_the_velocities_of_lemke),
      cmocka_unit_test(problems_of_all_friction_dimensions_are_solved),
      cmocka_unit_test(at_the_answer_nothing_is_left_to_do),
      cmocka_unit_test(contacts_that_may_not_close_carry_nothing),
      cmocka_unit_test(joints_hold_beside_contacts_even_twice),
      cmocka_unit_test(redundant_legs_give_the_same_velocities_in_any_order),
      cmocka_unit_test(particle_stays_on_its_curve),
      cmocka_unit_test(matrices_serve_once_more_where_that_is_enough),
      cmocka_unit_test(particle_above_its_curve_is_free),
      cmocka_unit_test(a_tie_counts_as_closed),
      cmocka_unit_test(a_bad_r_is_survived),
      cmocka_unit_test(what_does_not_converge_says_so),
      cmocka_unit_test(infeasible_rows_do_not_converge),
      cmocka_unit_test(legs_with_an_infeasible_active_set_open),
      cmocka_unit_test(belts_with_an_infeasible_active_set_slip),
      cmocka_unit_test(bad_numbers_are_an_error),
      cmocka_unit_test(what_cannot_be_linearised_is_an_error),
      cmocka_unit_test(solving_does_not_allocate),
  };
  int failed = cmocka_run_group_tests_name("condensed steps", tests, NULL, NULL);
  sparse = 1;
  return failed + cmocka_run_group_tests_name("sparse steps", tests, NULL, NULL);
}
