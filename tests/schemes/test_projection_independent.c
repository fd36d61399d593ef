/* direct-projection against a program of its own: the rocking block of Acary, section 5.3, with
 * (28) solved by plain fixed-point iterations and enumeration. */
#include <math.h>

#include "run.h"

/* ---- the block: q = (x, y, angle), corners (+-L/2, -l/2), gap = height of a corner ----------- */

static const double HEIGHT = 1.5, WIDTH = 1, RESTITUTION = 0.5, GRAVITY = 9.81, THETA = 0.5;

static const double inertia[3] = {1, 1, (1.5 * 1.5 + 1) / 12};

static double gap(const double* q, int k)
{
  double a = (k == 0 ? 1 : -1) * WIDTH / 2, b = -HEIGHT / 2;
  return q[1] + a * sin(q[2]) + b * cos(q[2]);
}

static void gradient(const double* q, int k, double G[3])
{
  double a = (k == 0 ? 1 : -1) * WIDTH / 2, b = -HEIGHT / 2;
  G[0] = 0;
  G[1] = 1;
  G[2] = a * cos(q[2]) - b * sin(q[2]);
}

static double dot(const double* a, const double* b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* 0 <= A z + b _|_ z >= 0 with two unknowns, those allowed; by trying all four. */
static void complementarity(double A[2][2], const double b[2], const int allowed[2], double z[2])
{
  for (int set = 0; set < 4; set++) {
    int on[2] = {set & 1, set >> 1};
    if ((on[0] && !allowed[0]) || (on[1] && !allowed[1])) continue;
    z[0] = z[1] = 0;
    double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    if (set == 3) {
      z[0] = (-A[1][1] * b[0] + A[0][1] * b[1]) / det;
      z[1] = (A[1][0] * b[0] - A[0][0] * b[1]) / det;
    } else if (on[0] || on[1]) {
      int i = on[1];
      z[i] = -b[i] / A[i][i];
    }
    int good = z[0] >= 0 && z[1] >= 0;
    for (int i = 0; i < 2; i++)
      if (allowed[i] && !on[i] && A[i][0] * z[0] + A[i][1] * z[1] + b[i] < -1e-14) good = 0;
    if (good) return;
  }
  fail_msg("no solution of two complementarities");
}

typedef struct block {
  double q[3], v[3];
} block;

typedef struct variant {
  int after, free, identity;
} variant;

/* v = v_free + M^-1 G P with G at q. */
static void solve_velocity(const block* at, const double* q, const double* v_free,
                           const int active[2], double* v)
{
  double G[2][3], A[2][2], b[2], P[2];
  for (int i = 0; i < 2; i++) gradient(q, i, G[i]);
  for (int i = 0; i < 2; i++) {
    double before[3];
    gradient(at->q, i, before);
    b[i] = dot(G[i], v_free) + RESTITUTION * dot(before, at->v);
    for (int j = 0; j < 2; j++)
      A[i][j] = G[i][1] * G[j][1] / inertia[1] + G[i][2] * G[j][2] / inertia[2];
  }
  complementarity(A, b, active, P);
  for (int c = 0; c < 3; c++) v[c] = v_free[c] + (G[0][c] * P[0] + G[1][c] * P[1]) / inertia[c];
}

/* q = base + N G(q) tau, 0 <= g(q) _|_ tau >= 0, from the q at hand; N is the inverse of the mass
 * or the identity. */
static void project(const double* base, int identity, double* q)
{
  static const int both[2] = {1, 1};
  for (int n = 0; n < 400; n++) {
    double G[2][3], NG[2][3], A[2][2], b[2], tau[2];
    for (int i = 0; i < 2; i++) gradient(q, i, G[i]);
    for (int i = 0; i < 2; i++) {
      b[i] = gap(q, i);
      for (int c = 0; c < 3; c++) b[i] += G[i][c] * (base[c] - q[c]);
      for (int c = 0; c < 3; c++) NG[i][c] = identity ? G[i][c] : G[i][c] / inertia[c];
    }
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) A[i][j] = dot(G[i], NG[j]);
    complementarity(A, b, both, tau);
    for (int c = 0; c < 3; c++) q[c] = base[c] + NG[0][c] * tau[0] + NG[1][c] * tau[1];
  }
}

static void step(block* x, double h, variant how)
{
  double v_free[3] = {x->v[0], x->v[1] - h * GRAVITY, x->v[2]}, v[3], q[3], base[3];
  int active[2];
  for (int i = 0; i < 2; i++) {
    double G[3], forecast = gap(x->q, i);
    gradient(x->q, i, G);
    if (how.free) forecast += h * (THETA * dot(G, v_free) + (1 - THETA) * dot(G, x->v));
    active[i] = forecast <= 1e-10;
  }
  memcpy(v, v_free, sizeof v);
  memcpy(q, x->q, sizeof q);
  for (int n = 0; n < 400; n++) {
    solve_velocity(x, q, v_free, active, v);
    for (int c = 0; c < 3; c++) base[c] = x->q[c] + h * (THETA * v[c] + (1 - THETA) * x->v[c]);
    memcpy(q, base, sizeof q);
    if (!how.after) project(base, how.identity, q);
  }
  if (how.after) project(base, how.identity, q);
  memcpy(x->q, q, sizeof q);
  memcpy(x->v, v, sizeof v);
}

/* ---- the comparison -------------------------------------------------------------------------- */

static pc_scheme_settings wanted;

static void tune(pc_scheme_settings* settings)
{
  settings->project = wanted.project;
  settings->forecast = wanted.forecast;
  settings->coupled = wanted.coupled;
  settings->gamma = 0; /* (61) without a look ahead, whatever the depth */
  settings->metric = wanted.metric;
  settings->tolerance = 1e-12;
}

static void compare_metric(variant how, int coupled)
{
  block x = {{0, 1, 0.2}, {0, 0, 0.2}};
  wanted = pc_default_scheme_settings();
  wanted.project = how.after ? PC_PROJECT_AFTER : PC_PROJECT_IN;
  wanted.forecast = how.free ? PC_FORECAST_FREE : PC_FORECAST_EXPLICIT;
  wanted.coupled = coupled;
  if (how.identity) wanted.metric = PC_METRIC_IDENTITY;
  run r = open_run("rocking-block", "direct-projection", 0.05, NULL, tune);
  int impacts = 0;
  for (int n = 0; n < 40; n++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    step(&x, 0.05, how);
    const pc_state* s = pc_sim_observation(r.sim)->state;
    impacts += s->P[0] > 0 || s->P[1] > 0;
    for (int c = 0; c < 3; c++) {
      CHECK_NEAR(s->q[c], x.q[c], 1e-9);
      CHECK_NEAR(s->u[c], x.v[c], 1e-8);
    }
  }
  assert_true(impacts > 3);
  close_run(&r);
}

static void compare(variant how, int coupled)
{
  for (how.identity = 0; how.identity < 2; how.identity++) compare_metric(how, coupled);
}

static void projection_within_the_loop(void** state)
{
  (void)state;
  compare((variant){.after = 0}, 0);
  compare((variant){.after = 0}, 1);
}

static void projection_after_the_loop(void** state)
{
  (void)state;
  compare((variant){.after = 1}, 0);
}

static void free_forecast(void** state)
{
  (void)state;
  compare((variant){.free = 1}, 0);
  compare((variant){.free = 1}, 1);
  compare((variant){.after = 1, .free = 1}, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(projection_within_the_loop),
      cmocka_unit_test(projection_after_the_loop),
      cmocka_unit_test(free_forecast),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
