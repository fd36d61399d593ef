/* The slider-crank with play in absolute coordinates under the s-stage Lobatto IIIA-IIIB scheme, s
 * = 2 (RATTLE) or 3: a second implementation, written from the equations of Capobianco, Harsch,
 * Leyendecker (47), (50), (52) to (59), (67) and sharing nothing with the library. Dense, with a
 * Jacobian by central differences: slow and simple. Prints "time name value" for the states that
 * the items compare with, and "turn name value" for the spins where the crank has made a quarter, a
 * half ... of a turn.
 *
 *   lobatto_slider_crank STAGES DT UNTIL PHI3      (angle of the slider at the start [rad])
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 9, G = 6, C = 4, R = G + 2 * C, S_MAX = 3, X_MAX = (S_MAX - 1) * (N + R) };

/* Table 2 of RATTLE, Table 1 of Lobatto */
static const double l1 = 0.153, l2 = 0.306, a3 = 0.05, b3 = 0.025, d = 0.052;
static const double mass[N] = {0.038, 0.038, 7.4e-5, 0.038, 0.038, 5.9e-4, 0.076, 0.076, 2.7e-6};
static const double mu = 0.01, e = 0.4, gravity = 9.81;
static const double side[C][2] = {{-1, 1}, {1, 1}, {-1, -1}, {1, -1}}; /* of the corners */

static const double A2[2][2] = {{0, 0}, {0.5, 0.5}}, b2[2] = {0.5, 0.5};
static const double A3[3][3] = {
    {0, 0, 0}, {5.0 / 24, 1.0 / 3, -1.0 / 24}, {1.0 / 6, 2.0 / 3, 1.0 / 6}};
static const double b_3[3] = {1.0 / 6, 2.0 / 3, 1.0 / 6};

typedef struct method {
  int s;
  double A[S_MAX][S_MAX], Ahat[S_MAX][S_MAX], b[S_MAX], dt;
} method;

static method make_method(int s, double dt)
{
  method m = {.s = s, .dt = dt};
  for (int i = 0; i < s; i++) {
    m.b[i] = s == 2 ? b2[i] : b_3[i];
    for (int j = 0; j < s; j++) m.A[i][j] = s == 2 ? A2[i][j] : A3[i][j];
  }
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++) m.Ahat[i][j] = m.b[j] - m.b[j] * m.A[j][i] / m.b[i]; /* (46) */
  return m;
}

/* Pins: ground-crank, crank-rod, rod-slider. */
static void joint_gaps(const double* q, double* g)
{
  double c1 = cos(q[2]), s1 = sin(q[2]), c2 = cos(q[5]), s2 = sin(q[5]);
  g[0] = q[0] - l1 / 2 * c1;
  g[1] = q[1] - l1 / 2 * s1;
  g[2] = q[3] - l2 / 2 * c2 - q[0] - l1 / 2 * c1;
  g[3] = q[4] - l2 / 2 * s2 - q[1] - l1 / 2 * s1;
  g[4] = q[6] - q[3] - l2 / 2 * c2;
  g[5] = q[7] - q[4] - l2 / 2 * s2;
}

static void corner_gaps(const double* q, double* g)
{
  for (int k = 0; k < C; k++) {
    double y = q[7] + side[k][0] * a3 * sin(q[8]) + side[k][1] * b3 * cos(q[8]);
    g[k] = d / 2 - side[k][1] * y;
  }
}

/* Columns: joints, normals, tangents (along x, of the corner). */
static void directions(const double* q, double W[N][R])
{
  memset(W, 0, sizeof(double) * N * R);
  double c1 = l1 / 2 * cos(q[2]), s1 = l1 / 2 * sin(q[2]);
  double c2 = l2 / 2 * cos(q[5]), s2 = l2 / 2 * sin(q[5]);
  W[0][0] = W[1][1] = 1, W[2][0] = s1, W[2][1] = -c1;
  W[3][2] = W[4][3] = 1, W[0][2] = W[1][3] = -1;
  W[5][2] = s2, W[5][3] = -c2, W[2][2] = s1, W[2][3] = -c1;
  W[6][4] = W[7][5] = 1, W[3][4] = W[4][5] = -1, W[5][4] = s2, W[5][5] = -c2;
  for (int k = 0; k < C; k++) {
    double x = side[k][0] * a3, y = side[k][1] * b3, c = cos(q[8]), s = sin(q[8]);
    W[7][G + k] = -side[k][1];
    W[8][G + k] = -side[k][1] * (x * c - y * s);
    W[6][G + C + k] = 1;
    W[8][G + C + k] = -x * s - y * c;
  }
}

static double along(double W[N][R], int column, const double* v)
{
  double sum = 0;
  for (int i = 0; i < N; i++) sum += W[i][column] * v[i];
  return sum;
}

/* Gaussian elimination with row pivots; 0 if the matrix is singular. b becomes the solution. */
static int solve(int n, double* A, double* b)
{
  for (int i = 0; i < n; i++) {
    int p = i;
    for (int k = i + 1; k < n; k++)
      if (fabs(A[k * n + i]) > fabs(A[p * n + i])) p = k;
    if (A[p * n + i] == 0) return 0;
    for (int j = 0; j < n && p != i; j++) {
      double t = A[i * n + j];
      A[i * n + j] = A[p * n + j], A[p * n + j] = t;
    }
    double t = b[i];
    b[i] = b[p], b[p] = t;
    for (int k = i + 1; k < n; k++) {
      double f = A[k * n + i] / A[i * n + i];
      for (int j = i; f != 0 && j < n; j++) A[k * n + j] -= f * A[i * n + j];
      b[k] -= f * b[i];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= A[i * n + j] * b[j];
    b[i] /= A[i * n + i];
  }
  return 1;
}

typedef struct step {
  const method* m;
  double q[N], v[N];
  double Q[S_MAX][N], V[S_MAX][N], R[S_MAX][R];
  int closed[S_MAX][C],
      slip[S_MAX][C]; /* the branches; slip: 0 stick, or the sign of the velocity */
} step;

/* b-weighted force of stage j without the last multipliers: dt f + W R. */
static void force(const step* s, int j, double* F)
{
  double W[N][R];
  directions(s->Q[j], W);
  for (int i = 0; i < N; i++) {
    F[i] = i % 3 == 1 ? -mass[i] * gravity * s->m->dt : 0;
    for (int k = 0; k < R; k++) F[i] += W[i][k] * s->R[j][k];
  }
}

static void stage_velocities(step* s)
{
  double F[S_MAX][N];
  for (int j = 0; j + 1 < s->m->s; j++) force(s, j, F[j]);
  for (int i = 0; i < s->m->s; i++)
    for (int k = 0; k < N; k++) {
      s->V[i][k] = s->v[k];
      for (int j = 0; j + 1 < s->m->s; j++) s->V[i][k] += s->m->Ahat[i][j] * F[j][k] / mass[k];
    }
}

/* Chooses the branches of (52) and (58) where it is told to, then the residual of the chosen
 * ones. */
static void position_residual(step* s, const double* x, double r, int choose, double* out)
{
  int n = 0;
  for (int i = 1; i < s->m->s; i++) memcpy(s->Q[i], x + (i - 1) * (N + R), sizeof s->Q[i]);
  for (int i = 1; i < s->m->s; i++) memcpy(s->R[i - 1], x + (i - 1) * (N + R) + N, sizeof s->R[0]);
  memcpy(s->Q[0], s->q, sizeof s->q);
  stage_velocities(s);
  for (int i = 1; i < s->m->s; i++) {
    double W[N][R], g[C], *P = s->R[i - 1];
    for (int k = 0; k < N; k++) {
      out[n] = s->Q[i][k] - s->q[k];
      for (int j = 0; j < s->m->s; j++) out[n] -= s->m->dt * s->m->A[i][j] * s->V[j][k];
      n++;
    }
    joint_gaps(s->Q[i], out + n);
    n += G;
    corner_gaps(s->Q[i], g);
    directions(s->Q[i], W);
    for (int k = 0; k < C; k++) {
      double slip = along(W, G + C + k, s->V[i]), limit = mu * fmax(0, P[G + k]);
      if (choose) {
        s->closed[i][k] = r * g[k] - P[G + k] <= 1e-12;
        double trial = 0.05 * slip - P[G + C + k];
        s->slip[i][k] = fabs(trial) <= limit ? 0 : trial > 0 ? 1 : -1;
      }
      int closed = s->closed[i][k], way = s->slip[i][k];
      out[n++] = closed ? g[k] : P[G + k];
      out[n++] = !closed ? P[G + C + k] : way ? P[G + C + k] + way * mu * P[G + k] : slip;
    }
  }
}

/* One Newton iteration on the chosen branches; the size of the residual before. */
static double iterate(step* s, double* x, double prox, int n)
{
  double r[X_MAX], up[X_MAX], down[X_MAX], size = 0;
  static double J[X_MAX * X_MAX];
  position_residual(s, x, prox, 1, r);
  for (int i = 0; i < n; i++) size = fmax(size, fabs(r[i]));
  for (int k = 0; k < n; k++) {
    double keep = x[k], h = 1e-5;
    x[k] = keep + h;
    position_residual(s, x, prox, 0, up);
    x[k] = keep - h;
    position_residual(s, x, prox, 0, down);
    x[k] = keep;
    for (int i = 0; i < n; i++) J[i * n + k] = (up[i] - down[i]) / (2 * h);
  }
  if (!solve(n, J, r)) return NAN;
  for (int i = 0; i < n; i++) x[i] -= r[i];
  return size;
}

/* The proximal parameter decides only which branches are tried: if they go round in a circle,
 * another one is taken. */
static int solve_positions(step* s, double* x)
{
  static const double prox[] = {1, 100, 1e-2, 1e4, 10, 0.1, 1000};
  int n = (s->m->s - 1) * (N + R);
  double start[X_MAX], r[X_MAX];
  memcpy(start, x, sizeof start);
  for (size_t p = 0; p < sizeof prox / sizeof *prox; p++, memcpy(x, start, sizeof start))
    for (int i = 0; i < 40; i++)
      if (iterate(s, x, prox[p], n) < 1e-13) {
        position_residual(s, x, prox[p], 1, r);
        return 1;
      }
  return 0;
}

/* (50), (56), (59): the last multipliers, linear on each branch. */
static int solve_velocities(step* s, const int* closed, double* v_new)
{
  const method* m = s->m;
  int last = m->s - 1, way[C] = {0}, on[C];
  double W[N][R], W0[N][R], F[N], base[N];
  directions(s->Q[last], W);
  directions(s->q, W0);
  memset(s->R[last], 0, sizeof s->R[last]);
  memcpy(base, s->v, sizeof base);
  for (int j = 0; j < m->s; j++) {
    force(s, j, F);
    for (int k = 0; k < N; k++) base[k] += m->b[j] * F[k] / mass[k];
  }
  double before[2 * C] = {0}; /* b-weighted multipliers of the earlier stages */
  for (int j = 0; j < last; j++)
    for (int k = 0; k < 2 * C; k++) before[k] += m->b[j] * s->R[j][G + k];
  for (int k = 0; k < C; k++) on[k] = closed[k], way[k] = s->slip[last][k];
  for (int it = 0; it < 60; it++) {
    double J[R * R] = {0}, x[R] = {0};
    /* unknowns: b_s R^s. Rows y = W' (base + M^-1 W x). */
    for (int i = 0; i < R; i++) {
      int k = (i - G) % C, normal = i < G + C;
      double own = 0;
      if (i >= G && normal) own = e * along(W0, i, s->v);
      int law = i < G || (closed[k] && on[k] && (normal || way[k] == 0));
      if (law) {
        x[i] = -(along(W, i, base) + own);
        for (int j = 0; j < R; j++)
          for (int p = 0; p < N; p++) J[i * R + j] += W[p][i] * W[p][j] / mass[p];
      } else {
        J[i * R + i] = 1;
        x[i] = -before[i - G];
        if (!normal && closed[k] && on[k]) {
          J[i * R + G + k] = way[k] * mu;
          x[i] -= way[k] * mu * before[k];
        }
      }
    }
    if (!solve(R, J, x)) return 0;
    int changed = 0;
    for (int p = 0; p < N; p++) {
      v_new[p] = base[p];
      for (int j = 0; j < R; j++) v_new[p] += W[p][j] * x[j] / mass[p];
    }
    for (int k = 0; k < C; k++) {
      if (!closed[k]) continue;
      double P = before[k] + x[G + k], T = before[C + k] + x[G + C + k];
      double xi = along(W, G + k, v_new) + e * along(W0, G + k, s->v);
      double trial = 0.05 * along(W, G + C + k, v_new) - T, limit = mu * fmax(0, P);
      int now = 0.05 * xi - P <= 1e-14, dir = fabs(trial) <= limit + 1e-14 ? 0 : trial > 0 ? 1 : -1;
      if (!now) dir = way[k];
      changed |= now != on[k] || dir != way[k];
      on[k] = now, way[k] = dir;
    }
    if (!changed) return 1;
  }
  return 0;
}

static void print_state(double t, const double* q, const double* v)
{
  static const char* const body[] = {"crank", "rod", "slider"};
  for (int i = 0; i < 3; i++)
    printf("%.9g %s.angle %.17g\n%.9g %s.spin %.17g\n", t, body[i], q[3 * i + 2], t, body[i],
           v[3 * i + 2]);
  printf("%.9g slider.x %.17g\n%.9g slider.y %.17g\n", t, q[6], t, q[7]);
}

static int is_printed(double t, double dt)
{
  static const double times[] = {1e-3, 2e-3, 4e-3, 0.01, 0.02, 0.04, 0.0838};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    if (fabs(t - times[i]) < dt / 4) return 1;
  return 0;
}

/* Spins where the crank passes one of the turns within a step, linear in between. */
static void print_turns(const step* s, const double* q, const double* v)
{
  static const double turns[] = {0.25, 0.5, 1, 1.5, 1.9};
  const double turn = 2 * 3.14159265358979323846;
  for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
    double angle = turns[i] * turn, share = (angle - s->q[2]) / (q[2] - s->q[2]);
    if (!(s->q[2] < angle && angle <= q[2])) continue;
    printf("turn%g crank.spin %.17g\n", turns[i], s->v[2] + share * (v[2] - s->v[2]));
    printf("turn%g rod.spin %.17g\n", turns[i], s->v[5] + share * (v[5] - s->v[5]));
  }
}

int main(int argc, char** argv)
{
  if (argc != 5) return 2;
  method m = make_method(atoi(argv[1]), atof(argv[2]));
  step s = {.m = &m,
            .q = {l1 / 2, 0, 0, l1 + l2 / 2, 0, 0, l1 + l2, 0, atof(argv[4])},
            .v = {0, l1 / 2 * 150, 150, 0, l1 * 150 - l2 / 2 * 75, -75, 0, l1 * 150 - l2 * 75, 0}};
  static double x[X_MAX];
  double v_new[N];
  long count = lround(atof(argv[3]) / m.dt);
  for (long n = 1; n <= count; n++) {
    for (int i = 1; i < m.s; i++) memcpy(x + (i - 1) * (N + R), s.q, sizeof s.q);
    if (!solve_positions(&s, x)) return fprintf(stderr, "step %ld: positions\n", n), 1;
    int closed[C] = {0};
    for (int k = 0; k < C; k++) closed[k] = s.closed[m.s - 1][k]; /* (67) */
    if (!solve_velocities(&s, closed, v_new))
      return fprintf(stderr, "step %ld: velocities\n", n), 1;
    print_turns(&s, s.Q[m.s - 1], v_new);
    memcpy(s.q, s.Q[m.s - 1], sizeof s.q);
    memcpy(s.v, v_new, sizeof s.v);
    if (is_printed((double)n * m.dt, m.dt)) print_state((double)n * m.dt, s.q, s.v);
  }
  return 0;
}
