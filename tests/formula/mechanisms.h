/* Systems described by formulas, as a user would write them, shared by the tests of the element. */
#ifndef PC_TESTS_MECHANISMS_H
#define PC_TESTS_MECHANISMS_H

#include "formula/formula_element.h"
#include "formulas.h"

enum { N_MAX = 3, ROWS_MAX = 8 };

typedef struct mechanism {
  const char* name;
  int n;
  const char* variable[2 * N_MAX + 2]; /* t, q, u */
  const char* kinetic;                 /* NULL: none, and so for all texts */
  const char* potential;
  const char* force[N_MAX];
  const char* g[ROWS_MAX]; /* NULL-terminated, as those below */
  const char* gamma[ROWS_MAX];
  const char* gap[ROWS_MAX];
  const char* slip[ROWS_MAX]; /* one for each gap, or NULL */
} mechanism;

/* Flores, Leine, Glocker (2010), table 1 and eqs. (87)-(105). */
static const char* const parameter_names[] = {"l1", "l2", "a",  "b",  "d",  "m1", "m2",
                                              "m3", "J1", "J2", "J3", "gr", NULL};
static const double parameter_values[] = {0.153, 0.306, 0.05,   0.025,  0.052,  0.038,
                                          0.038, 0.076, 7.4e-5, 5.9e-4, 2.7e-6, 9.81};

static const mechanism slider_crank = {
    .name = "slider-crank",
    .n = 3,
    .variable = {"t", "th1", "th2", "th3", "th1'", "th2'", "th3'"},
    .kinetic =
        "(J1 + (m1/4 + m2 + m3)*l1^2)/2*th1'^2 + (J2 + (m2/4 + m3)*l2^2)/2*th2'^2"
        " + J3/2*th3'^2 + (m2/2 + m3)*l1*l2*cos(th2 - th1)*th1'*th2'",
    .potential = "(m1/2 + m2 + m3)*gr*l1*sin(th1) + (m2/2 + m3)*gr*l2*sin(th2)",
    .gap = {"d/2 - l1*sin(th1) - l2*sin(th2) + a*sin(th3) - b*cos(th3)",
            "d/2 - l1*sin(th1) - l2*sin(th2) - a*sin(th3) - b*cos(th3)",
            "d/2 + l1*sin(th1) + l2*sin(th2) - a*sin(th3) - b*cos(th3)",
            "d/2 + l1*sin(th1) + l2*sin(th2) + a*sin(th3) - b*cos(th3)"},
    .slip = {"-l1*sin(th1)*th1' - l2*sin(th2)*th2' + (a*sin(th3) - b*cos(th3))*th3'",
             "-l1*sin(th1)*th1' - l2*sin(th2)*th2' + (-a*sin(th3) - b*cos(th3))*th3'",
             "-l1*sin(th1)*th1' - l2*sin(th2)*th2' + (a*sin(th3) + b*cos(th3))*th3'",
             "-l1*sin(th1)*th1' - l2*sin(th2)*th2' + (-a*sin(th3) + b*cos(th3))*th3'"},
};

/* The same energies, from the velocities of the centres of mass. */
static const mechanism slider_crank_by_velocities = {
    .name = "slider-crank by velocities",
    .n = 3,
    .variable = {"t", "th1", "th2", "th3", "th1'", "th2'", "th3'"},
    .kinetic =
        "J1/2*th1'^2 + J2/2*th2'^2 + J3/2*th3'^2"
        " + m1/2*((l1/2*sin(th1)*th1')^2 + (l1/2*cos(th1)*th1')^2)"
        " + m2/2*((l1*sin(th1)*th1' + l2/2*sin(th2)*th2')^2"
        " + (l1*cos(th1)*th1' + l2/2*cos(th2)*th2')^2)"
        " + m3/2*((l1*sin(th1)*th1' + l2*sin(th2)*th2')^2"
        " + (l1*cos(th1)*th1' + l2*cos(th2)*th2')^2)",
    .potential =
        "gr*(m1*l1/2*sin(th1) + m2*(l1*sin(th1) + l2/2*sin(th2))"
        " + m3*(l1*sin(th1) + l2*sin(th2)))",
};

static const mechanism double_pendulum = {
    .name = "double pendulum",
    .n = 2,
    .variable = {"t", "a1", "a2", "a1'", "a2'"},
    .kinetic = "a1'^2 + a2'^2/2 + a1'*a2'*cos(a1 - a2)",
    .potential = "-2*gr*cos(a1) - gr*cos(a2)",
    .force = {"-0.1*a1'*abs(a1')", "-0.2*(a2' - a1') + sin(3*t)"},
    .g = {"sin(a1) + sin(a2) - 0.3"},
    .gap = {"cos(a1) + cos(a2)"},
};

/* Explicit time wherever it can appear, and velocities that enter linearly. */
static const mechanism rheonomic = {
    .name = "rheonomic",
    .n = 3,
    .variable = {"t", "x", "y", "w", "x'", "y'", "w'"},
    .kinetic =
        "(1 + 0.3*sin(t))/2*(x'^2 + y'^2) + exp(0.2*x)*(w' + 0.5*t*y)^2/2"
        " + cos(2*t)*x*y' + t^2*y + 2*x'*w'*sin(w)",
    .potential = "x^2*cos(t) + y*w*t",
    .force = {"-x'^3 + t", NULL, "x*y'*w' - w'*t^2"},
    .g = {"x^2 + y^2 - (1 + t^2)", "w - x*sin(t)"},
    .gamma = {"x' - w'*cos(w) + 0.3*sin(t)*y", "y*x' - x*y' + t*w"},
    .gap = {"y - 0.1*sin(5*t) - x^2*t", "w + x*y"},
    .slip = {"x' - t*w'*y + x*cos(t)", "exp(-t)*(w' + x*x') + y*t"},
};

/* A point above a floor: nearly everything is constant. */
static const mechanism ball = {
    .name = "ball",
    .n = 1,
    .variable = {"t", "q", "q'"},
    .kinetic = "m1/2*q'^2",
    .potential = "m1*gr*q",
    .gap = {"q"},
};

static const mechanism* const mechanisms[] = {
    &slider_crank, &slider_crank_by_velocities, &double_pendulum, &rheonomic, &ball,
};
enum { MECHANISM_COUNT = sizeof mechanisms / sizeof *mechanisms };

/* The expressions of a mechanism, and space for its definition. */
typedef struct parsed {
  pc_pool* pool;
  names names;
  pc_expr force[N_MAX], g[ROWS_MAX], gamma[ROWS_MAX];
  pc_formula_contact contact[ROWS_MAX];
  pc_formula_def def;
} parsed;

static inline int parse_list(parsed* p, const char* const* text, pc_expr* expr)
{
  int count = 0;
  while (text[count]) {
    expr[count] = parse(p->pool, &p->names, text[count]);
    count++;
  }
  return count;
}

static inline void parse_mechanism(const mechanism* m, parsed* p)
{
  *p = (parsed){.pool = pc_pool_create()};
  p->names = (names){m->variable, parameter_names, parameter_values, ""};
  p->def = (pc_formula_def){.name = m->name, .pool = p->pool, .force = p->force};
  p->def.g = p->g;
  p->def.gamma = p->gamma;
  p->def.contact = p->contact;
  p->def.has_kinetic = m->kinetic != NULL;
  p->def.has_potential = m->potential != NULL;
  if (m->kinetic) p->def.kinetic = parse(p->pool, &p->names, m->kinetic);
  if (m->potential) p->def.potential = parse(p->pool, &p->names, m->potential);
  for (int i = 0; i < m->n; i++)
    p->force[i] = m->force[i] ? parse(p->pool, &p->names, m->force[i]) : -1;
  p->def.g_count = parse_list(p, m->g, p->g);
  p->def.gamma_count = parse_list(p, m->gamma, p->gamma);
  for (int k = 0; m->gap[k]; k++) {
    pc_formula_contact* c = &p->contact[p->def.contact_count++];
    c->law = (pc_contact_law){.name = "touch", .mu = 0.1, .e_N = 0.5};
    c->gap = parse(p->pool, &p->names, m->gap[k]);
    c->slip_count = m->slip[k] != NULL;
    if (m->slip[k]) c->slip[0] = parse(p->pool, &p->names, m->slip[k]);
  }
}

/* An element of its own, with arrays for all its terms. */
typedef struct lone_element {
  pc_formula_terms* terms;
  pc_local l;
  double q[N_MAX], u[N_MAX], a[N_MAX];
  double M[N_MAX * N_MAX], Ma_q[N_MAX * N_MAX], h[N_MAX], h_q[N_MAX * N_MAX], h_u[N_MAX * N_MAX];
  double y[ROWS_MAX], W[ROWS_MAX * N_MAX], chi[ROWS_MAX], W_q[ROWS_MAX * N_MAX * N_MAX];
  double chi_q[ROWS_MAX * N_MAX], zeta_t[ROWS_MAX], energy[3];
} lone_element;

static inline void create_element(const pc_formula_def* def, int n, unsigned mask, lone_element* e)
{
  *e = (lone_element){0};
  pc_error error = {0};
  CHECK_OK(pc_formula_terms_create(def, &(pc_formula_layout){n, n, 0, NULL}, &e->terms, &error),
           error);
  assert_in_range(e->terms->row_count, 0, ROWS_MAX);
  e->l = (pc_local){.q = e->q,
                    .u = e->u,
                    .a = e->a,
                    .M = e->M,
                    .Ma_q = e->Ma_q,
                    .h = e->h,
                    .h_q = e->h_q,
                    .h_u = e->h_u,
                    .y = e->y,
                    .W = e->W,
                    .chi = e->chi,
                    .W_q = e->W_q,
                    .chi_q = e->chi_q,
                    .zeta_t = e->zeta_t,
                    .energy = e->energy};
  assert_int_equal(pc_formula_ops.prepare(e->terms, mask, &e->l.work), PC_OK);
}

static inline void destroy_element(lone_element* e)
{
  pc_formula_ops.release(e->l.work);
  pc_formula_ops.destroy(e->terms);
}

#endif
