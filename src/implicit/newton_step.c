/* A Newton step on given branches, condensed to the percussions that act. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/inline.h"
#include "base/larger.h"
#include "implicit/inside.h"
#include "linalg/axpy.h"
#include "linalg/dense.h"

static void act(pc_implicit_step* s, int row)
{
  s->active.place[row] = s->active.count;
  s->active.acts[row] = 1;
  s->active.row[s->active.count++] = row;
}

/* Bilateral rows first, then all rows of each closed contact. */
void pc_implicit_list_active(pc_implicit_step* s)
{
  const pc_implicit_problem* p = s->problem;
  s->active.count = s->active.closed_count = 0;
  memset(s->active.acts, 0, (size_t)p->row_count);
  for (int i = 0; i < p->bilateral_count; i++) act(s, p->bilateral[i]);
  for (int k = 0; k < p->contact_count; k++) {
    if (s->laws.mode[k] == PC_CONTACT_OPEN) continue;
    s->active.closed[s->active.closed_count++] = k;
    act(s, p->cone[k].row);
    for (int i = 1; i <= p->cone[k].dimension; i++) act(s, p->cone[k].row + i);
  }
}

/* It is taken back from F, too. */
PC_APART void drop_percussion(pc_implicit_step* s, int row, double P)
{
  s->dP[row] = -P;
  pc_row_add(s->problem->column(s->problem->user, row), P, s->F);
}

void pc_implicit_drop_percussions(pc_implicit_step* s, const double* P)
{
  const pc_implicit_problem* p = s->problem;
  memset(s->dP, 0, (size_t)p->row_count * sizeof *s->dP);
  for (int k = 0, count = s->held ? 0 : p->contact_count; k < count; k++) {
    if (s->laws.mode[k] != PC_CONTACT_OPEN) continue;
    for (int row = p->cone[k].row, end = row + p->cone[k].dimension; row <= end; row++)
      if (P[row] != 0) drop_percussion(s, row, P[row]);
  }
}

int pc_implicit_is_condensed(const pc_implicit_step* s)
{
  return s->dense.row_count == s->active.count &&
         !memcmp(s->dense.row, s->active.row, (size_t)s->active.count * sizeof *s->active.row);
}

void pc_implicit_condense(pc_implicit_step* s, int known)
{
  const pc_implicit_problem* p = s->problem;
  int n = s->active.count;
  size_t width = (size_t)p->x_count;
  memcpy(s->dx, s->F, width * sizeof *s->dx);
  pc_assembly_solve(p->tangent, s->dx);
  for (int c = 0; !known && c < n; c++)
    pc_assembly_solve_row(p->tangent, p->column(p->user, s->active.row[c]),
                          s->dense.X + (size_t)c * width);
  for (int i = 0; i < n; i++) {
    pc_row gradient = p->gradient(p->user, s->active.row[i]);
    s->dense.b[i] = s->y[s->active.row[i]] - pc_row_dot(gradient, s->dx);
    if (!known) pc_row_dot_columns(gradient, n, s->dense.X, width, s->dense.D + i * n);
    s->dense.row[i] = s->active.row[i];
  }
  s->dense.row_count = n;
}

void pc_implicit_choose_r(pc_implicit_step* s)
{
  const pc_implicit_problem* p = s->problem;
  int n = s->active.count;
  for (int c = 0; c < s->active.closed_count; c++) {
    int k = s->active.closed[c];
    const pc_cone* cone = &p->cone[k];
    int i = s->active.place[cone->row];
    double G = fabs(s->dense.D[i * n + i]), G_F = 0;
    for (int f = 1; f <= cone->dimension; f++)
      G_F = pc_larger(G_F, fabs(s->dense.D[(i + f) * n + i + f]));
    s->laws.G_F[k] = G_F;
    if (s->settings.r > 0) G = G_F = 1 / s->settings.r;
    if (G > 0) s->laws.r_N[k] = s->laws.r_factor / G;
    if (G_F > 0) s->laws.r_F[k] = s->laws.r_factor / G_F;
  }
}

/* Row i of the system: y_i + G dx = 0. */
static void equation_of_y(pc_implicit_step* s, int i)
{
  int n = s->active.count;
  memcpy(s->dense.K + i * n, s->dense.D + i * n, (size_t)n * sizeof *s->dense.K);
  s->dense.b[i] = -s->dense.b[i];
}

/* Row i of the system: P_i + dP_i = 0. */
static void equation_of_P(pc_implicit_step* s, int i, const double* P)
{
  int n = s->active.count;
  memset(s->dense.K + i * n, 0, (size_t)n * sizeof *s->dense.K);
  s->dense.K[i * n + i] = 1;
  s->dense.b[i] = -P[s->active.row[i]];
}

/* Rows of slip, P_F + mu P_N t = 0 with t = p/|p|, p = r y_F - P_F, dt = (I - t t') dp/|p|. */
static void equations_of_slip(pc_implicit_step* s, int k, const double* P)
{
  const pc_cone* cone = &s->problem->cone[k];
  const double* t = s->laws.slip + 3 * k;
  int n = s->active.count, d = cone->dimension, i = s->active.place[cone->row];
  double r = s->laws.r_F[k], P_N = P[cone->row], ahead[3], residual[3];
  double turn = d > 1 ? cone->mu * P_N / s->laws.trial_friction[k] : 0;
  for (int f = 0; f < d; f++) /* dp without percussions */
    ahead[f] = r * (s->dense.b[i + 1 + f] - s->y_there[cone->row + 1 + f]);
  for (int f = 0; f < d; f++) {
    double* K = s->dense.K + (i + 1 + f) * n;
    memset(K, 0, (size_t)n * sizeof *K);
    K[i] = cone->mu * t[f];
    K[i + 1 + f] += 1;
    residual[f] = P[cone->row + 1 + f] + cone->mu * P_N * t[f];
    for (int e = 0; turn != 0 && e < d; e++) {
      double across = turn * ((e == f) - t[f] * t[e]);
      pc_axpy(n, across * r, s->dense.D + (i + 1 + e) * n, K);
      K[i + 1 + e] -= across;
      residual[f] += across * ahead[e];
    }
  }
  for (int f = 0; f < d; f++) s->dense.b[i + 1 + f] = -residual[f];
}

/* The system of the active set, K dP = b. */
static void write_equations(pc_implicit_step* s, const double* P)
{
  const pc_implicit_problem* p = s->problem;
  for (int i = 0; i < p->bilateral_count; i++) equation_of_y(s, i);
  for (int c = 0; c < s->active.closed_count; c++) {
    int k = s->active.closed[c];
    const pc_cone* cone = &p->cone[k];
    int i = s->active.place[cone->row];
    equation_of_y(s, i);
    if (s->laws.mode[k] == PC_CONTACT_SLIP) equations_of_slip(s, k, P);
    for (int f = 1; s->laws.mode[k] == PC_CONTACT_STICK && f <= cone->dimension; f++)
      equation_of_y(s, i + f);
    for (int f = 1; s->laws.mode[k] == PC_CONTACT_CLOSED && f <= cone->dimension; f++)
      equation_of_P(s, i + f, P);
  }
}

/* It is made from the bits of the number: calls of frexp and ldexp take seventy instructions. */
double pc_implicit_unit_weight(double d)
{
  uint64_t bits;
  if (!isnormal(d)) return 1;
  memcpy(&bits, &d, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1022; /* |d| = m 2^exponent, 1/2 <= m < 1 */
  bits = (uint64_t)(1023 - exponent / 2) << 52;
  memcpy(&d, &bits, sizeof d);
  return d;
}

/* Whether the friction rows of a law are in units of P. */
static int is_of_P(pc_contact_mode law)
{
  return law == PC_CONTACT_SLIP || law == PC_CONTACT_CLOSED;
}

/* Unknowns in units that make D's diagonal one, equations likewise: those of y by the weight, those
 * of P by its inverse. */
static void scale_equations(pc_implicit_step* s)
{
  const pc_implicit_problem* p = s->problem;
  int n = s->active.count;
  for (int i = 0; i < n; i++) s->dense.weight[i] = pc_implicit_unit_weight(s->dense.D[i * n + i]);
  for (int i = 0; i < n; i++) s->dense.work[i] = s->dense.weight[i];
  for (int j = 0; j < s->active.closed_count; j++)
    for (int k = s->active.closed[j], f = 1; is_of_P(s->laws.mode[k]) && f <= p->cone[k].dimension;
         f++) {
      int i = s->active.place[p->cone[k].row] + f;
      s->dense.work[i] = 1 / s->dense.weight[i];
    }
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < n; c++) s->dense.K[i * n + c] *= s->dense.work[i] * s->dense.weight[c];
    s->dense.b[i] *= s->dense.work[i];
  }
}

void pc_implicit_solve_dense(pc_implicit_step* s, int n, double* b)
{
  size_t size = (size_t)n * (size_t)n * sizeof *s->dense.K;
  s->redundant = 0;
  if (n == 0) return;
  memcpy(s->dense.copy, s->dense.K, size);
  if (pc_lu_factor(n, s->dense.K, s->dense.pivot) == PC_OK &&
      pc_lu_smallest_pivot(n, s->dense.K) > PC_IMPLICIT_RANK_SHARE) {
    pc_lu_solve(n, s->dense.K, s->dense.pivot, b);
    return;
  }
  int rank;
  double* lapack = s->dense.copy + (size_t)s->dense.row_max * (size_t)s->dense.row_max;
  if (pc_least_norm_solve(n, s->dense.copy, b, PC_IMPLICIT_RANK_SHARE, &rank, s->dense.pivot,
                          lapack) != PC_OK) {
    for (int i = 0; i < n; i++) b[i] = NAN;
    return;
  }
  s->redundant = n - rank;
}

void pc_implicit_finish_step(pc_implicit_step* s)
{
  int width = s->problem->x_count;
  for (int j = 0; j < width; j++) s->dx[j] = -s->dx[j];
  for (int c = 0; c < s->active.count; c++)
    pc_axpy(width, s->dP[s->active.row[c]], s->dense.X + (size_t)c * (size_t)width, s->dx);
}

void pc_implicit_newton_step(pc_implicit_step* s, const double* P, int known)
{
  pc_implicit_drop_percussions(s, P);
  pc_implicit_condense(s, known);
  pc_implicit_choose_r(s);
  write_equations(s, P);
  scale_equations(s);
  pc_implicit_solve_dense(s, s->active.count, s->dense.b);
  for (int i = 0; i < s->active.count; i++)
    s->dP[s->active.row[i]] = s->dense.weight[i] * s->dense.b[i];
  pc_implicit_finish_step(s);
}
