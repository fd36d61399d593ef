/* An independent judge of answers to contact problems by blocks, written from percuss/solver.h. */
#ifndef PC_TESTS_SOLVE_JUDGE_H
#define PC_TESTS_SOLVE_JUDGE_H

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "percuss/solver.h"

static inline int judge_rows(const pc_problem* p)
{
  return p->node_count ? p->row[p->node_count] : 0;
}

/* The whole matrix; the caller frees it. */
static inline double* judge_matrix(const pc_problem* p)
{
  size_t n = (size_t)judge_rows(p);
  double* A = calloc(n * n + 1, sizeof *A);
  for (int k = 0; k < p->node_count; k++)
    for (int e = p->start[k]; e < p->start[k + 1]; e++) {
      int j = p->column[e], columns = p->row[j + 1] - p->row[j];
      for (int r = 0; r < p->row[k + 1] - p->row[k]; r++)
        for (int c = 0; c < columns; c++)
          A[(size_t)(p->row[k] + r) * n + (size_t)(p->row[j] + c)] =
              p->value[p->place[e] + (size_t)(r * columns + c)];
    }
  return A;
}

/* y = A z + b */
static inline void judge_dual(const pc_problem* p, const double* z, double* y)
{
  size_t n = (size_t)judge_rows(p);
  double* A = judge_matrix(p);
  for (size_t i = 0; i < n; i++) {
    y[i] = p->b[i];
    for (size_t j = 0; j < n; j++) y[i] += A[i * n + j] * z[j];
  }
  free(A);
}

/* The mass of a node: from its diagonal, or from the equality nodes that act on it. 0: none. */
static inline double judge_mass(const pc_problem* p, const double* A, int k)
{
  size_t n = (size_t)judge_rows(p);
  double own = 0, borrowed = 0;
  int bare = 1;
  for (int r = p->row[k]; r < p->row[k + 1]; r++)
    for (int c = p->row[k]; c < p->row[k + 1]; c++) {
      double a = A[(size_t)r * n + (size_t)c];
      if (a != 0) bare = 0;
      if (r == c) own += p->node[k].kind == PC_NODE_CONTACT ? a : fabs(a);
    }
  for (int j = 0; j < p->node_count && bare; j++)
    for (int l = p->row[j]; l < p->row[j + 1]; l++)
      for (int r = p->row[k]; r < p->row[k + 1]; r++) {
        double pivot = A[(size_t)l * n + (size_t)l];
        if (j == k || p->node[j].kind != PC_NODE_EQUALITY || pivot == 0) continue;
        borrowed -= A[(size_t)r * n + (size_t)l] * A[(size_t)l * n + (size_t)r] / pivot;
      }
  double trace = bare ? fabs(borrowed) : own;
  return trace > 0 ? (p->row[k + 1] - p->row[k]) / trace : 0;
}

static inline int judge_is_bare(const pc_problem* p, const double* A, int k)
{
  size_t n = (size_t)judge_rows(p);
  for (int r = p->row[k]; r < p->row[k + 1]; r++)
    for (int c = p->row[k]; c < p->row[k + 1]; c++)
      if (A[(size_t)r * n + (size_t)c] != 0) return 0;
  return 1;
}

/* The residual of the header. */
static inline double judge_problem(const pc_problem* p, const double* z)
{
  size_t n = (size_t)judge_rows(p);
  double *A = judge_matrix(p), *y = calloc(n + 1, sizeof *y);
  double *mass = calloc((size_t)p->node_count + 1, sizeof *mass), least = INFINITY;
  double* deviation = calloc((size_t)p->node_count + 1, sizeof *deviation);
  double worst[3] = {0}, scale[3] = {0}, residual = 0, speed = 0, energy = 0;
  judge_dual(p, z, y);
  for (int k = 0; k < p->node_count; k++) {
    mass[k] = judge_mass(p, A, k);
    if (mass[k] > 0 && mass[k] < least) least = mass[k];
  }
  for (int k = 0; k < p->node_count; k++)
    if (mass[k] == 0) mass[k] = least < INFINITY ? least : 1;
  for (int k = 0; k < p->node_count; k++) {
    int first = p->row[k], end = p->row[k + 1];
    double m = mass[k], length = 0;
    if (p->node[k].kind == PC_NODE_EQUALITY) {
      int class = judge_is_bare(p, A, k) ? 2 : 1;
      for (int i = first; i < end; i++) {
        double size = fabs(p->b[i]);
        for (int j = 0; j < p->node_count; j++) {
          double load = 0;
          for (int l = p->row[j]; l < p->row[j + 1]; l++)
            load = fmax(load, mass[j] * fabs(p->b[l]));
          for (int l = p->row[j]; l < p->row[j + 1]; l++)
            size += fabs(A[(size_t)i * n + (size_t)l]) * (fabs(z[l]) + load);
        }
        worst[class] = fmax(worst[class], m * fabs(y[i]));
        scale[class] = fmax(scale[class], m * size);
      }
      continue;
    }
    for (int i = first; i < end; i++) {
      double driven = fabs(p->b[i]);
      for (int j = 0; j < p->node_count; j++)
        for (int l = p->row[j]; l < p->row[j + 1] && p->node[j].kind == PC_NODE_EQUALITY; l++)
          driven += fabs(A[(size_t)i * n + (size_t)l]) * mass[j] * fabs(p->b[l]);
      speed = fmax(speed, driven);
      if (!judge_is_bare(p, A, k)) energy += z[i] * (y[i] - p->b[i]);
      scale[0] = fmax(scale[0], fmax(fabs(z[i]), m * fabs(p->b[i])));
    }
    deviation[k] = fabs(z[first] - fmax(0, z[first] - m * y[first]));
    for (int i = first + 1; i < end; i++) length = hypot(length, z[i] - m * y[i]);
    double radius = p->node[k].mu * fmax(0, z[first]);
    for (int i = first + 1; i < end; i++) {
      double free_F = z[i] - m * y[i];
      double nearest = length > radius ? free_F * radius / length : free_F;
      deviation[k] = fmax(deviation[k], fabs(z[i] - nearest));
    }
    worst[0] = fmax(worst[0], deviation[k]);
  }
  for (int c = 0; c < 3; c++)
    if (worst[c] > 0) residual = fmax(residual, worst[c] / scale[c]);
  for (int k = 0; k < p->node_count; k++) {
    double above = deviation[k] - 64 * DBL_EPSILON * scale[0];
    double impulse = fmax(mass[k] * speed, sqrt(mass[k] * fmax(0, energy)));
    if (above > 0 && impulse > 0) residual = fmax(residual, above / impulse);
  }
  free(A), free(y), free(mass), free(deviation);
  return residual;
}

#endif
