/* Contact problems for the tests, and an independent judge of their solutions.
 *
 * Nothing here uses the library beyond the problem's type: the judge is written from the laws in
 * percuss/solver.h. */
#ifndef PC_TESTS_SOLVE_PROBLEMS_H
#define PC_TESTS_SOLVE_PROBLEMS_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "solve/dense.h"

enum { ROWS_MAX = 64, CONTACTS_MAX = 32, DOFS_MAX = 64 };

/* A problem with its own storage: A = W' M^-1 W, b = W' u + c. */
typedef struct sample {
  pc_dense_problem problem;
  pc_cone cone[CONTACTS_MAX];
  double A[ROWS_MAX * ROWS_MAX];
  double b[ROWS_MAX];
  double W[ROWS_MAX][DOFS_MAX]; /* a row per direction */
  double inverse_mass[DOFS_MAX];
  double u[DOFS_MAX];
  int dof_count;
} sample;

/* The solvers of the dense sequence. */
static const char* const dense_names[] __attribute__((unused)) = {"lemke", "nsgs", "prox", NULL};

/* Deterministic random numbers (splitmix64). */
typedef struct dice {
  uint64_t state;
} dice;

static inline uint64_t roll(dice* d)
{
  uint64_t z = (d->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Uniform in [lo, hi). */
static inline double uniform(dice* d, double lo, double hi)
{
  return lo + (hi - lo) * (double)(roll(d) >> 11) * 0x1p-53;
}

static inline int below(dice* d, int n)
{
  return (int)(roll(d) % (uint64_t)n);
}

static inline void sample_clear(sample* s)
{
  memset(s, 0, sizeof *s);
  s->problem.cone = s->cone;
  s->problem.A = s->A;
  s->problem.b = s->b;
}

static inline void sample_add(sample* s, int dimension, double mu)
{
  s->cone[s->problem.contact_count++] =
      (pc_cone){.row = s->problem.row_count, .dimension = dimension, .mu = mu};
  s->problem.row_count += 1 + dimension;
}

static inline double* sample_entry(sample* s, int i, int j)
{
  return &s->A[i * s->problem.row_count + j];
}

/* A and b from W, M^-1 and u. */
static inline void sample_assemble(sample* s)
{
  int n = s->problem.row_count;
  for (int i = 0; i < n; i++) {
    s->b[i] = 0;
    for (int k = 0; k < s->dof_count; k++) s->b[i] += s->W[i][k] * s->u[k];
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < s->dof_count; k++) sum += s->W[i][k] * s->inverse_mass[k] * s->W[j][k];
      *sample_entry(s, i, j) = sum;
    }
  }
}

/* Random W, mass and free velocity; the contacts have been added. */
static inline void sample_randomise(sample* s, dice* d, int dof_count)
{
  s->dof_count = dof_count;
  for (int k = 0; k < dof_count; k++) {
    s->inverse_mass[k] = exp(uniform(d, -2, 2));
    s->u[k] = uniform(d, -1, 1);
  }
  for (int i = 0; i < s->problem.row_count; i++)
    for (int k = 0; k < dof_count; k++) s->W[i][k] = uniform(d, -1, 1);
  sample_assemble(s);
}

/* Multiplies A by a and b by c. */
static inline void sample_scale(sample* s, double a, double c)
{
  int n = s->problem.row_count;
  for (int i = 0; i < n * n; i++) s->A[i] *= a;
  for (int i = 0; i < n; i++) s->b[i] *= c;
}

static inline void velocity(const sample* s, const double* P, double* y)
{
  int n = s->problem.row_count;
  for (int i = 0; i < n; i++) {
    y[i] = s->b[i];
    for (int j = 0; j < n; j++) y[i] += s->A[i * n + j] * P[j];
  }
}

/* The laws, case by case and not by the natural map: the worst violation over all contacts,
 * percussions relative to `P_size`, velocities to `y_size`. */
static inline double law_violation(const sample* s, const double* P, double P_size, double y_size)
{
  double y[ROWS_MAX], worst = 0;
  velocity(s, P, y);
  for (int k = 0; k < s->problem.contact_count; k++) {
    const pc_cone* c = &s->cone[k];
    int r = c->row;
    double p_N = P[r] / P_size, y_N = y[r] / y_size, p_F = 0, y_F = 0, angle = 0;
    for (int i = 1; i <= c->dimension; i++) {
      p_F += P[r + i] * P[r + i];
      y_F += y[r + i] * y[r + i];
    }
    p_F = sqrt(p_F) / P_size;
    y_F = sqrt(y_F) / y_size;
    double found = fmax(fmax(-p_N, -y_N), fmin(p_N, y_N));
    found = fmax(found, p_F - c->mu * p_N); /* in the cone */
    /* either no slip, or friction is at its limit and opposes it */
    for (int i = 1; i <= c->dimension; i++) {
      double t = y_F > 0 ? y[r + i] / y_size / y_F : 0;
      angle = fmax(angle, fabs(P[r + i] / P_size + c->mu * p_N * t));
    }
    if (c->dimension > 0) found = fmax(found, fmin(y_F, angle));
    if (!(found <= worst)) worst = found;
  }
  return worst;
}

static inline double largest_entry(int n, const double* x)
{
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

/* The measure of the header, written once more. */
static inline double judge(const sample* s, const double* P)
{
  double y[ROWS_MAX], mass[CONTACTS_MAX], own[CONTACTS_MAX] = {0}, worst = 0, scale = 0, mobile = 0;
  double speed = 0, energy = 0;
  int n = s->problem.row_count;
  velocity(s, P, y);
  for (int k = 0; k < s->problem.contact_count; k++) {
    mass[k] = 0;
    for (int i = s->cone[k].row; i <= s->cone[k].row + s->cone[k].dimension; i++)
      mass[k] += s->A[i * n + i] / (1 + s->cone[k].dimension);
    mobile = fmax(mobile, mass[k]);
  }
  for (int k = 0; k < s->problem.contact_count; k++) {
    const pc_cone* c = &s->cone[k];
    double m = 1 / (mass[k] > 0 ? mass[k] : (mobile > 0 ? mobile : 1)), norm = 0;
    for (int i = c->row; i <= c->row + c->dimension; i++) {
      if (i > c->row) norm = hypot(norm, P[i] - m * y[i]);
      scale = fmax(scale, fmax(fabs(P[i]), m * fabs(s->b[i])));
      speed = fmax(speed, fabs(s->b[i]));
      energy += P[i] * (y[i] - s->b[i]);
    }
    double f = P[c->row] - fmax(0, P[c->row] - m * y[c->row]);
    own[k] = fabs(f);
    double radius = c->mu * fmax(0, P[c->row]);
    for (int i = c->row + 1; i <= c->row + c->dimension; i++) {
      double z = P[i] - m * y[i];
      f = P[i] - (norm > radius ? z * radius / norm : z);
      if (!(fabs(f) <= own[k])) own[k] = fabs(f);
    }
    if (!(own[k] <= worst)) worst = own[k];
    mass[k] = m;
  }
  double residual = worst == 0 ? 0 : worst / scale;
  for (int k = 0; k < s->problem.contact_count; k++) {
    double impulse = fmax(mass[k] * speed, sqrt(mass[k] * fmax(0, energy)));
    double above = own[k] - 64 * DBL_EPSILON * scale;
    if (above > 0 && impulse > 0) residual = fmax(residual, above / impulse);
  }
  return residual;
}

#endif
