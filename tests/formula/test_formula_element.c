/* The terms of formula elements against central differences and closed forms. */
#include "mechanisms.h"
#include "system/terms.h"

/* A point: t, q, u, a. The variables of the formulas are its first 1 + 2n numbers. */
typedef struct point {
  double x[1 + 3 * N_MAX];
} point;

static void evaluate_at(lone_element* e, const point* p)
{
  int n = e->terms->n_u;
  e->l.t = p->x[0];
  for (int i = 0; i < n; i++) {
    e->q[i] = p->x[1 + i];
    e->u[i] = p->x[1 + n + i];
    e->a[i] = p->x[1 + 2 * n + i];
    e->h[i] = 0;
  }
  e->energy[0] = e->energy[1] = e->energy[2] = 0;
  pc_formula_ops.evaluate(e->terms, &e->l);
}

static point random_point(uint64_t* seed)
{
  point p;
  for (int i = 0; i < 1 + 3 * N_MAX; i++) p.x[i] = random_number(seed, -1, 1);
  return p;
}

/* What is differentiated: some number of the element at a point. */
typedef double quantity(lone_element* e, const point* p, int i, int j);

static double of_h(lone_element* e, const point* p, int i, int j)
{
  (void)j;
  return evaluate_at(e, p), e->h[i];
}

/* V - T */
static double of_energy(lone_element* e, const point* p, int i, int j)
{
  (void)i, (void)j;
  return evaluate_at(e, p), e->energy[1] - e->energy[0];
}

static double of_Ma(lone_element* e, const point* p, int i, int j)
{
  (void)j;
  evaluate_at(e, p);
  int n = e->terms->n_u;
  double sum = 0;
  for (int k = 0; k < n; k++) sum += e->M[i * n + k] * e->a[k];
  return sum;
}

static double of_W(lone_element* e, const point* p, int i, int j)
{
  return evaluate_at(e, p), e->W[i * e->terms->n_u + j];
}

static double of_chi(lone_element* e, const point* p, int i, int j)
{
  (void)j;
  return evaluate_at(e, p), e->chi[i];
}

static double of_y(lone_element* e, const point* p, int i, int j)
{
  (void)j;
  return evaluate_at(e, p), e->y[i];
}

/* y' = W u + chi */
static double of_rate(lone_element* e, const point* p, int i, int j)
{
  (void)j;
  evaluate_at(e, p);
  double sum = e->chi[i];
  for (int k = 0; k < e->terms->n_u; k++) sum += e->W[i * e->terms->n_u + k] * e->u[k];
  return sum;
}

/* Central difference of order four in variable v. */
static double slope(quantity* f, lone_element* e, const point* p, int i, int j, int v)
{
  const double h = 1e-3;
  point moved[4] = {*p, *p, *p, *p};
  const double step[4] = {-2 * h, -h, h, 2 * h};
  double value[4];
  for (int k = 0; k < 4; k++) {
    moved[k].x[v] += step[k];
    value[k] = f(e, &moved[k], i, j);
  }
  return (value[0] - 8 * value[1] + 8 * value[2] - value[3]) / (12 * h);
}

#define CHECK_SLOPE(got, f, i, j, v)                    \
  do {                                                  \
    double want_ = slope(f, work, &p, (i), (j), (v));   \
    CHECK_NEAR((got), want_, 1e-8 * (1 + fabs(want_))); \
  } while (0)

/* e holds the terms at p; `work` is a second element to move about. */
static void check_dynamics_slopes(const lone_element* e, lone_element* work, point p)
{
  int n = e->terms->n_u;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      CHECK_SLOPE(e->h_q[i * n + k], of_h, i, 0, 1 + k);
      CHECK_SLOPE(e->h_u[i * n + k], of_h, i, 0, 1 + n + k);
      CHECK_SLOPE(e->Ma_q[i * n + k], of_Ma, i, 0, 1 + k);
      CHECK_NEAR(e->M[i * n + k], e->M[k * n + i], 1e-15);
    }
  CHECK_SLOPE(e->energy[2], of_energy, 0, 0, 0);
}

static int is_position_row(const pc_formula_def* def, int row)
{
  if (row < def->g_count) return 1;
  int r = def->g_count + def->gamma_count;
  for (int k = 0; k < def->contact_count; r += 1 + def->contact[k++].slip_count)
    if (row == r) return 1;
  return 0;
}

static void check_row_slopes(const pc_formula_def* def, const lone_element* e, lone_element* work,
                             point p)
{
  int n = e->terms->n_u;
  for (int r = 0; r < e->terms->row_count; r++) {
    for (int k = 0; k < n; k++) {
      for (int j = 0; j < n; j++) CHECK_SLOPE(e->W_q[(r * n + j) * n + k], of_W, r, j, 1 + k);
      CHECK_SLOPE(e->chi_q[r * n + k], of_chi, r, 0, 1 + k);
      if (is_position_row(def, r)) CHECK_SLOPE(e->W[r * n + k], of_y, r, 0, 1 + k);
    }
    if (is_position_row(def, r)) CHECK_SLOPE(e->chi[r], of_y, r, 0, 0);
    CHECK_SLOPE(e->zeta_t[r], of_rate, r, 0, 0);
  }
}

static void all_derivatives_agree_with_differences(void** state)
{
  (void)state;
  uint64_t seed = 11;
  for (int m = 0; m < MECHANISM_COUNT; m++) {
    parsed p;
    parse_mechanism(mechanisms[m], &p);
    lone_element e, work;
    create_element(&p.def, mechanisms[m]->n, PC_TERM_ALL, &e);
    create_element(&p.def, mechanisms[m]->n, PC_TERM_ALL, &work);
    pc_pool_destroy(p.pool); /* the element does not need it */
    for (int k = 0; k < 3; k++) {
      point at = random_point(&seed);
      evaluate_at(&e, &at);
      check_dynamics_slopes(&e, &work, at);
      check_row_slopes(&p.def, &e, &work, at);
    }
    destroy_element(&e);
    destroy_element(&work);
  }
}

/* Energies, momenta and generalized forces by differences of the energies' texts alone. */
static double T_at(const parsed* p, const point* at)
{
  return evaluate(p->pool, p->def.kinetic, at->x);
}

static double momentum(const parsed* p, const point* at, int n, int i)
{
  const double h = 1e-3; /* exact up to rounding: T is quadratic in u */
  point plus = *at, minus = *at;
  plus.x[1 + n + i] += h;
  minus.x[1 + n + i] -= h;
  return (T_at(p, &plus) - T_at(p, &minus)) / (2 * h);
}

typedef double of_point(const parsed* p, const point* at, int n, int i);

static double kinetic_of(const parsed* p, const point* at, int n, int i)
{
  (void)n;
  (void)i;
  return T_at(p, at);
}

static double potential_of(const parsed* p, const point* at, int n, int i)
{
  (void)n;
  (void)i;
  return evaluate(p->pool, p->def.potential, at->x);
}

static double text_slope(of_point* f, const parsed* p, const point* at, int n, int i, int v)
{
  const double h = 1e-3;
  point m[4] = {*at, *at, *at, *at};
  m[0].x[v] -= 2 * h;
  m[1].x[v] -= h;
  m[2].x[v] += h;
  m[3].x[v] += 2 * h;
  return (f(p, &m[0], n, i) - 8 * f(p, &m[1], n, i) + 8 * f(p, &m[2], n, i) - f(p, &m[3], n, i)) /
         (12 * h);
}

/* Q_i - d/dt dT/du_i + dT/dq_i - dV/dq_i without the accelerations. */
static double lagrange_force(const parsed* p, const point* at, int n, int i)
{
  double h = p->force[i] < 0 ? 0 : evaluate(p->pool, p->force[i], at->x);
  h += text_slope(kinetic_of, p, at, n, i, 1 + i) - text_slope(potential_of, p, at, n, i, 1 + i);
  h -= text_slope(momentum, p, at, n, i, 0);
  for (int j = 0; j < n; j++) h -= text_slope(momentum, p, at, n, i, 1 + j) * at->x[1 + n + j];
  return h;
}

static void mass_and_forces_are_those_of_lagrange(void** state)
{
  (void)state;
  uint64_t seed = 5;
  for (int m = 0; m < MECHANISM_COUNT; m++) {
    parsed p;
    parse_mechanism(mechanisms[m], &p);
    int n = mechanisms[m]->n;
    lone_element e;
    create_element(&p.def, n, PC_TERM_ALL, &e);
    for (int k = 0; k < 3; k++) {
      point at = random_point(&seed);
      evaluate_at(&e, &at);
      CHECK_NEAR(e.energy[0], T_at(&p, &at), 1e-14);
      CHECK_NEAR(e.energy[1], potential_of(&p, &at, n, 0), 1e-14);
      for (int i = 0; i < n; i++) {
        CHECK_NEAR(e.h[i], lagrange_force(&p, &at, n, i), 1e-7);
        for (int j = 0; j < n; j++)
          CHECK_NEAR(e.M[i * n + j], text_slope(momentum, &p, &at, n, i, 1 + n + j), 1e-7);
      }
    }
    destroy_element(&e);
    pc_pool_destroy(p.pool);
  }
}

/* W u + chi is what the text of gamma or slip says. */
static void velocity_rows_have_the_value_of_their_text(void** state)
{
  (void)state;
  parsed p;
  parse_mechanism(&rheonomic, &p);
  lone_element e;
  create_element(&p.def, 3, PC_TERM_ALL, &e);
  uint64_t seed = 9;
  for (int k = 0; k < 5; k++) {
    point at = random_point(&seed);
    for (int r = 0; r < p.def.gamma_count; r++)
      CHECK_NEAR(of_rate(&e, &at, p.def.g_count + r, 0), evaluate(p.pool, p.gamma[r], at.x), 1e-14);
    for (int c = 0; c < p.def.contact_count; c++) {
      int normal = p.def.g_count + p.def.gamma_count + 2 * c;
      CHECK_NEAR(of_rate(&e, &at, normal + 1, 0), evaluate(p.pool, p.contact[c].slip[0], at.x),
                 1e-14);
      CHECK_NEAR(e.y[normal], evaluate(p.pool, p.contact[c].gap, at.x), 1e-14);
      CHECK_NEAR(e.y[normal + 1], 0, 0); /* a slip has no position */
    }
  }
  destroy_element(&e);
  pc_pool_destroy(p.pool);
}

/* Flores et al., eqs. (90)-(97) and (106)-(107), in both ways of writing the kinetic energy. */
static void slider_crank_has_the_published_closed_form(void** state)
{
  (void)state;
  const double* v = parameter_values;
  double l1 = v[0], l2 = v[1], a = v[2], b = v[3], m1 = v[5], m2 = v[6], m3 = v[7];
  double J1 = v[8], J2 = v[9], J3 = v[10], g = v[11];
  uint64_t seed = 2;
  for (int way = 0; way < 2; way++) {
    parsed p;
    parse_mechanism(way ? &slider_crank_by_velocities : &slider_crank, &p);
    lone_element e;
    create_element(&p.def, 3, PC_TERM_ALL, &e);
    for (int k = 0; k < 5; k++) {
      point at = random_point(&seed);
      evaluate_at(&e, &at);
      double th1 = at.x[1], th2 = at.x[2], th3 = at.x[3], w1 = 100 * at.x[4], w2 = at.x[5];
      at.x[4] = w1;
      evaluate_at(&e, &at);
      double c = (m2 / 2 + m3) * l1 * l2;
      double h1 = c * sin(th2 - th1) * w2 * w2 - (m1 / 2 + m2 + m3) * g * l1 * cos(th1);
      double h2 = -c * sin(th2 - th1) * w1 * w1 - (m2 / 2 + m3) * g * l2 * cos(th2);
      const double M[9] = {J1 + (m1 / 4 + m2 + m3) * l1 * l1,
                           c * cos(th2 - th1),
                           0,
                           c * cos(th2 - th1),
                           J2 + (m2 / 4 + m3) * l2 * l2,
                           0,
                           0,
                           0,
                           J3};
      for (int i = 0; i < 9; i++) CHECK_NEAR(e.M[i], M[i], 1e-16);
      CHECK_NEAR(e.h[0], h1, 1e-13);
      CHECK_NEAR(e.h[1], h2, 1e-13);
      CHECK_NEAR(e.h[2], 0, 0);
      if (way) continue;
      CHECK_NEAR(e.W[0], -l1 * cos(th1), 1e-16);
      CHECK_NEAR(e.W[1], -l2 * cos(th2), 1e-16);
      CHECK_NEAR(e.W[2], a * cos(th3) + b * sin(th3), 1e-16);
      CHECK_NEAR(e.W[3], -l1 * sin(th1), 1e-16);
      CHECK_NEAR(e.W[4], -l2 * sin(th2), 1e-16);
      CHECK_NEAR(e.W[5], a * sin(th3) - b * cos(th3), 1e-16);
    }
    destroy_element(&e);
    pc_pool_destroy(p.pool);
  }
}

static void flags_of(const mechanism* m, unsigned* provides, unsigned* constant)
{
  parsed p;
  parse_mechanism(m, &p);
  lone_element e;
  create_element(&p.def, m->n, PC_TERM_ALL, &e);
  *provides = pc_formula_terms_provide(e.terms);
  *constant = pc_formula_terms_constant(e.terms);
  destroy_element(&e);
  pc_pool_destroy(p.pool);
}

static void only_terms_that_can_differ_from_zero_are_provided(void** state)
{
  (void)state;
  unsigned provides, constant;
  unsigned rows = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q;
  flags_of(&ball, &provides, &constant);
  assert_int_equal(provides, PC_TERM_M | PC_TERM_H | PC_TERM_ENERGY | rows);
  assert_int_equal(constant, PC_TERM_M | PC_TERM_H | PC_TERM_W);
  flags_of(&slider_crank, &provides, &constant);
  unsigned others = PC_TERM_F | PC_TERM_ZETA; /* no forces of its own; zeta is the system's */
  assert_int_equal(provides, (PC_TERM_ALL & ~others) | PC_TERM_P | PC_TERM_P_Q);
  assert_int_equal(constant, 0);
  const mechanism spring = {.name = "spring",
                            .n = 2,
                            .variable = {"t", "x", "y", "x'", "y'"},
                            .potential = "3*(x - y)^2/2",
                            .force = {"-2*(x' - y')", "2*(x' - y')"}};
  flags_of(&spring, &provides, &constant);
  assert_int_equal(provides, PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U | PC_TERM_ENERGY | PC_TERM_F);
  assert_int_equal(constant, PC_TERM_H_Q | PC_TERM_H_U);
  const mechanism lift = {.name = "lift", /* W is a number, but chi is not */
                          .n = 1,
                          .variable = {"t", "x", "x'"},
                          .force = {"2 + t"},
                          .gap = {"x - t^2"}};
  flags_of(&lift, &provides, &constant);
  assert_int_equal(provides, PC_TERM_H | PC_TERM_F | rows | PC_TERM_CHI);
  assert_int_equal(constant, 0);
  const mechanism nothing = {.name = "nothing", .n = 1, .variable = {"t", "x", "x'"}};
  flags_of(&nothing, &provides, &constant);
  assert_int_equal(provides, 0);
  const mechanism swing = {.name = "swing",
                           .n = 1,
                           .variable = {"t", "x", "x'"},
                           .kinetic = "(1 + x^2)*x'^2/2",
                           .force = {"-0.5*x'"}};
  flags_of(&swing, &provides, &constant);
  assert_int_equal(provides, PC_TERM_M | PC_TERM_MA_Q | PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U |
                                 PC_TERM_ENERGY | PC_TERM_F | PC_TERM_P | PC_TERM_P_Q);
  assert_int_equal(constant, 0);
}

/* A program for one mask fills what that mask has, and skips what is not asked for any more. */
static void every_mask_gives_the_same_numbers(void** state)
{
  (void)state;
  parsed p;
  parse_mechanism(&rheonomic, &p);
  uint64_t seed = 4;
  point at = random_point(&seed);
  lone_element all;
  create_element(&p.def, 3, PC_TERM_ALL, &all);
  evaluate_at(&all, &at);
  for (unsigned mask = 0; mask <= PC_TERM_ALL; mask += 7) {
    lone_element e;
    create_element(&p.def, 3, mask, &e);
    if (mask % 2) e.l.chi = e.l.h_q = NULL;
    evaluate_at(&e, &at);
    for (int i = 0; i < 9; i++) {
      CHECK_NEAR(e.M[i], mask & PC_TERM_M ? all.M[i] : 0, 0);
      CHECK_NEAR(e.Ma_q[i], mask & PC_TERM_MA_Q ? all.Ma_q[i] : 0, 1e-15);
      CHECK_NEAR(e.h_u[i], mask & PC_TERM_H_U ? all.h_u[i] : 0, 1e-15);
      CHECK_NEAR(e.h_q[i], mask & PC_TERM_H_Q && e.l.h_q ? all.h_q[i] : 0, 1e-15);
      CHECK_NEAR(e.W[i], mask & PC_TERM_W ? all.W[i] : 0, 1e-15);
    }
    destroy_element(&e);
  }
  destroy_element(&all);
  pc_pool_destroy(p.pool);
}

static int changed(int n, const double* from, const double* to)
{
  int count = 0;
  for (int i = 0; i < n; i++) count += from[i] != to[i];
  return count;
}

/* What may be left for later stays as it was, and is then what it is if nothing is left. */
static void derivatives_may_be_left_for_later(void** state)
{
  (void)state;
  parsed p;
  parse_mechanism(&rheonomic, &p);
  uint64_t seed = 5;
  lone_element all, e;
  create_element(&p.def, 3, PC_TERM_ALL, &all);
  create_element(&p.def, 3, PC_TERM_ALL | PC_TERM_LATER, &e);
  for (int k = 0; k < 3; k++) {
    point at = random_point(&seed);
    lone_element before = e;
    evaluate_at(&all, &at);
    evaluate_at(&e, &at);
    assert_int_equal(changed(9, e.M, all.M) + changed(3, e.h, all.h) + changed(9, e.W, all.W), 0);
    assert_int_equal(changed(9, e.h_q, before.h_q) + changed(9, e.Ma_q, before.Ma_q), 0);
    assert_int_equal(changed(27, e.W_q, before.W_q) + changed(9, e.h_u, before.h_u), 0);
    assert_true(changed(9, e.h_q, all.h_q) > 0 && changed(27, e.W_q, all.W_q) > 0);
    pc_formula_ops.evaluate_slopes(e.terms, &e.l);
    assert_int_equal(changed(9, e.h_q, all.h_q) + changed(9, e.Ma_q, all.Ma_q), 0);
    assert_int_equal(changed(27, e.W_q, all.W_q) + changed(9, e.h_u, all.h_u), 0);
    assert_int_equal(changed(3, e.zeta_t, all.zeta_t) + changed(9, e.chi_q, all.chi_q), 0);
  }
  destroy_element(&e);
  destroy_element(&all);
  pc_pool_destroy(p.pool);
}

/* Refusals ------------------------------------------------------------------------------------- */

static void check_refused(const mechanism* m, int line, const char* part)
{
  parsed p;
  parse_mechanism(m, &p);
  pc_formula_terms* terms;
  pc_error error = {0};
  pc_status status =
      pc_formula_terms_create(&p.def, &(pc_formula_layout){m->n, m->n, 0, NULL}, &terms, &error);
  if (status != PC_BAD_MODEL || error.line != line || !strstr(error.text, part))
    print_error("status %d, line %d: %s\n", (int)status, error.line, error.text);
  assert_int_equal(status, PC_BAD_MODEL);
  assert_int_equal(error.line, line);
  assert_non_null(strstr(error.text, part));
  assert_non_null(strstr(error.text, m->name));
  assert_null(terms);
  assert_int_equal(
      pc_formula_terms_create(&p.def, &(pc_formula_layout){m->n, m->n, 0, NULL}, &terms, NULL),
      PC_BAD_MODEL);
  pc_pool_destroy(p.pool);
}

#define MECHANISM(...)                                                            \
  &(const mechanism)                                                              \
  {                                                                               \
    .name = "thing", .n = 2, .variable = {"t", "x", "y", "x'", "y'"}, __VA_ARGS__ \
  }

static void formulas_of_the_wrong_kind_are_refused_by_name(void** state)
{
  (void)state;
  check_refused(MECHANISM(.kinetic = "x'^3"), 0, "kinetic energy is not quadratic");
  check_refused(MECHANISM(.kinetic = "sqrt(1 + x'^2)"), 0, "kinetic energy is not quadratic");
  check_refused(MECHANISM(.kinetic = "x'^2*y'"), 0, "not quadratic");
  check_refused(MECHANISM(.kinetic = "x'^2/2 + 1e-3*x'^4"), 0, "not quadratic");
  check_refused(MECHANISM(.potential = "x*y'"), 0, "the potential depends on a velocity");
  check_refused(MECHANISM(.g = {"x", "y - x'"}), 2, "constraint on the position depends");
  check_refused(MECHANISM(.gamma = {"x'*y'"}), 1, "not linear");
  check_refused(MECHANISM(.gap = {"x", "y", "x + x'"}), 3, "the gap of contact 'touch'");
  check_refused(MECHANISM(.gap = {"x", "y"}, .slip = {"y'", "abs(x')"}), 2, "the slip of contact");
  check_refused(MECHANISM(.gap = {"x"}, .slip = {"x'/sqrt(x'^2 + y'^2)"}), 1, "not linear");
  check_refused(MECHANISM(.gap = {"x/0"}), 1, "not a finite number");
  check_refused(MECHANISM(.potential = "x*log(0)"), 0, "not a finite number");
}

/* Velocities that the simplification cannot remove, but that do not matter. */
static void exotic_texts_of_the_right_kind_are_accepted(void** state)
{
  (void)state;
  parsed p;
  parse_mechanism(
      MECHANISM(.kinetic = "sqrt((1 + x'^2)^2)/2", .potential = "(1 + x'^2)*x/(1 + x'*x')",
                .gap = {"x"}, .slip = {"(x'^2 - 1)/(x' + 1) + y*y'"}),
      &p);
  lone_element e;
  create_element(&p.def, 2, PC_TERM_ALL, &e);
  point at = {{0.1, 0.2, 0.3, 0.7, 0.4, 1, 2}};
  evaluate_at(&e, &at);
  CHECK_NEAR(e.M[0], 1, 1e-14);
  CHECK_NEAR(e.M[3], 0, 1e-14);
  CHECK_NEAR(e.h[0], -1, 1e-14);
  CHECK_NEAR(e.W[2], 1, 1e-14); /* x' - 1 + y y' */
  CHECK_NEAR(e.W[3], 0.3, 1e-14);
  CHECK_NEAR(e.chi[1], -1, 1e-14);
  destroy_element(&e);
  pc_pool_destroy(p.pool);
}

/* 0/0 at rest: what the text means there cannot be told. */
static void texts_without_a_value_at_rest_are_refused(void** state)
{
  (void)state;
  check_refused(MECHANISM(.kinetic = "(x' + y')^3/(x' + y')"), 0, "not quadratic");
  check_refused(MECHANISM(.gap = {"x"}, .slip = {"(x'^2 - y'^2)/(x' + y')"}), 1, "not linear");
  check_refused(MECHANISM(.gamma = {"x'^2/x'"}), 1, "not linear");
}

/* In a system ---------------------------------------------------------------------------------- */

static pc_system* system_with(int n, pc_part_id* part)
{
  pc_error error = {0};
  pc_system_def def = pc_default_system_def();
  pc_system* system;
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  const double zero[N_MAX] = {0};
  static const char* const q_name[] = {"q1", "q2", "q3"};
  static const char* const u_name[] = {"q1'", "q2'", "q3'"};
  static const char* const unit[] = {"", "", ""};
  const pc_part_def coordinates = {.name = "q",
                                   .kind = PC_PART_COORDINATES,
                                   .q_count = n,
                                   .u_count = n,
                                   .q0 = zero,
                                   .u0 = zero,
                                   .q_name = q_name,
                                   .u_name = u_name,
                                   .q_unit = unit,
                                   .u_unit = unit};
  CHECK_OK(pc_system_add_part(system, &coordinates, part, &error), error);
  return system;
}

static void a_system_evaluates_the_element(void** state)
{
  (void)state;
  parsed p;
  parse_mechanism(&slider_crank, &p);
  static const char* const corner[] = {"corner1", "corner2", "corner3", "corner4"};
  for (int k = 0; k < 4; k++) p.contact[k].law.name = corner[k];
  pc_part_id part;
  pc_system* system = system_with(3, &part);
  p.def.part_count = 1;
  p.def.part = &part;
  pc_error error = {0};
  CHECK_OK(pc_add_formula(system, &p.def, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  pc_terms *terms, *later;
  const unsigned mask = PC_TERM_H | PC_TERM_H_Q | PC_TERM_W | PC_TERM_W_Q | PC_TERM_LATER;
  CHECK_OK(pc_terms_create(system, PC_TERM_ALL, &terms, &error), error);
  CHECK_OK(pc_terms_create(system, mask, &later, &error), error);
  lone_element e;
  create_element(&p.def, 3, PC_TERM_ALL, &e);
  pc_pool_destroy(p.pool);
  uint64_t seed = 8;
  for (int k = 0; k < 3; k++) {
    point at = random_point(&seed);
    evaluate_at(&e, &at);
    pc_at where = {.t = at.x[0], .q = at.x + 1, .u = at.x + 4, .a = at.x + 7};
    pc_terms_evaluate(terms, &where);
    for (int i = 0; i < 3; i++) CHECK_NEAR(terms->h[i], e.h[i], 0);
    for (int r = 0; r < 8; r++)
      CHECK_NEAR(pc_terms_row_velocity(terms, r, where.u), of_rate(&e, &at, r, 0), 1e-15);
    CHECK_NEAR(terms->kinetic, e.energy[0], 0);
    pc_terms_evaluate(later, &where);
    pc_terms_evaluate_slopes(later);
    double h_q[9] = {0};
    pc_terms_add_dense(later, PC_TERM_H_Q, 1, h_q);
    for (int i = 0; i < 9; i++) CHECK_NEAR(h_q[i], e.h_q[i], 0);
  }
  destroy_element(&e);
  pc_terms_destroy(terms);
  pc_terms_destroy(later);
  pc_system_destroy(system);
}

static void a_refused_formula_leaves_the_system_alone(void** state)
{
  (void)state;
  parsed p;
  parse_mechanism(MECHANISM(.kinetic = "x'^4"), &p);
  pc_part_id part;
  pc_system* system = system_with(2, &part);
  p.def.part_count = 1;
  p.def.part = &part;
  pc_error error = {0};
  assert_int_equal(pc_add_formula(system, &p.def, &error), PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "formula 'thing'"));
  p.def.kinetic = parse(p.pool, &p.names, "x'^2 + y'^2");
  p.def.name = "";
  assert_int_equal(pc_add_formula(system, &p.def, &error), PC_BAD_MODEL);
  p.def.name = "thing";
  p.def.part = &(pc_part_id){7};
  assert_int_not_equal(pc_add_formula(system, &p.def, &error), PC_OK);
  p.def.part = &part;
  pc_formula_contact contact = {.law = {.name = "c", .mu = -3, .e_N = 0}, .slip_count = 1};
  contact.gap = parse(p.pool, &p.names, "x");
  contact.slip[0] = parse(p.pool, &p.names, "y'");
  p.def.contact = &contact;
  p.def.contact_count = 1;
  assert_int_equal(pc_add_formula(system, &p.def, &error), PC_BAD_MODEL); /* the law */
  contact.slip_count = 4;
  assert_int_equal(pc_add_formula(system, &p.def, &error), PC_BAD_MODEL);
  p.def.contact_count = 0;
  p.def.potential = parse(p.pool, &p.names, "x*y");
  CHECK_OK(pc_add_formula(system, &p.def, &error), error);
  p.def.kinetic = pc_expr_variable(p.pool, 5); /* past the velocities */
  assert_int_equal(pc_add_formula(system, &p.def, &error), PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "variable 5"));
  pc_pool_destroy(p.pool);
  pc_system_destroy(system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_derivatives_agree_with_differences),
      cmocka_unit_test(mass_and_forces_are_those_of_lagrange),
      cmocka_unit_test(velocity_rows_have_the_value_of_their_text),
      cmocka_unit_test(slider_crank_has_the_published_closed_form),
      cmocka_unit_test(only_terms_that_can_differ_from_zero_are_provided),
      cmocka_unit_test(every_mask_gives_the_same_numbers),
      cmocka_unit_test(derivatives_may_be_left_for_later),
      cmocka_unit_test(formulas_of_the_wrong_kind_are_refused_by_name),
      cmocka_unit_test(exotic_texts_of_the_right_kind_are_accepted),
      cmocka_unit_test(texts_without_a_value_at_rest_are_refused),
      cmocka_unit_test(a_system_evaluates_the_element),
      cmocka_unit_test(a_refused_formula_leaves_the_system_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
