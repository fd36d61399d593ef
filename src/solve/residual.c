/* The measure of all solvers, and the scaling that makes it the same for all units. */
#include <math.h>
#include <string.h>

#include "solve/work.h"

/* A guess larger than this many times the free percussions m_k |b_k| is of no use: it would hide an
 * error in the measure, which is relative to |P|. Heavy on light stacks stay far below. */
static const double guess_max = 1e6;

/* The larger one; a NaN on either side stays. */
static double larger(double a, double b)
{
  return (b > a || b != b) ? b : a;
}

static double max_norm(int n, const double* x)
{
  double norm = 0;
  for (int i = 0; i < n; i++) norm = larger(norm, fabs(x[i]));
  return norm;
}

static double euclidean_norm(int n, const double* x)
{
  if (n == 1) return fabs(x[0]);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static double dot(int n, const double* x, const double* y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

double pc_natural_map(const pc_cone* cone, double mass, const double* P, const double* y)
{
  double P_N = P[0], free_N = P_N - mass * y[0];
  double norm = fabs(P_N - (free_N <= 0 ? 0 : free_N));
  int d = cone->dimension;
  if (d == 0) return norm;

  double z[PC_CONE_ROWS_MAX - 1];
  for (int i = 0; i < d; i++) z[i] = P[1 + i] - mass * y[1 + i];
  double radius = P_N > 0 ? cone->mu * P_N : 0, length = euclidean_norm(d, z);
  double shrink = length > radius ? radius / length : 1;
  for (int i = 0; i < d; i++) norm = larger(norm, fabs(P[1 + i] - shrink * z[i]));
  return norm;
}

/* The mean of the diagonal of a contact's block [1/kg]. */
static double mean_diagonal(const pc_problem* problem, const pc_cone* cone)
{
  double sum = 0;
  for (int i = 0; i <= cone->dimension; i++) {
    size_t row = (size_t)(cone->row + i);
    sum += problem->A[row * (size_t)problem->row_count + row];
  }
  return sum / (1 + cone->dimension);
}

/* The m of a contact that nothing can move (zero block): that of the most mobile contact, so that
 * the measure stays finite and keeps its unit. */
static double mass_of_immovable(const pc_problem* problem)
{
  double diagonal = 0;
  for (int k = 0; k < problem->contact_count; k++)
    diagonal = larger(diagonal, mean_diagonal(problem, &problem->cone[k]));
  return diagonal > 0 ? 1 / diagonal : 1;
}

static double contact_mass(const pc_problem* problem, const pc_cone* cone, double immovable)
{
  double diagonal = mean_diagonal(problem, cone);
  return diagonal > 0 ? 1 / diagonal : immovable;
}

double pc_problem_residual(const pc_problem* problem, const double* P)
{
  int n = problem->row_count;
  double immovable = mass_of_immovable(problem), worst = 0, scale = 0;
  for (int k = 0; k < problem->contact_count; k++) {
    const pc_cone* cone = &problem->cone[k];
    double y[PC_CONE_ROWS_MAX], mass = contact_mass(problem, cone, immovable);
    for (int i = 0; i <= cone->dimension; i++) {
      int row = cone->row + i;
      y[i] = dot(n, &problem->A[(size_t)row * (size_t)n], P) + problem->b[row];
    }
    worst = larger(worst, pc_natural_map(cone, mass, &P[cone->row], y));
    scale = larger(scale, max_norm(1 + cone->dimension, &P[cone->row]));
    scale = larger(scale, mass * max_norm(1 + cone->dimension, &problem->b[cone->row]));
  }
  if (worst == 0) return isfinite(scale) ? 0 : INFINITY;
  double residual = worst / scale;
  return isfinite(residual) && isfinite(scale) ? residual : INFINITY;
}

/* The power of two next to sqrt(x), for finite x > 0. */
static double power_near_root(double x)
{
  int exponent;
  frexp(x, &exponent);
  return ldexp(1, (exponent >= 0 ? exponent : exponent - 1) / 2);
}

static double power_near(double x)
{
  int exponent;
  frexp(x, &exponent);
  return ldexp(1, exponent);
}

/* A^ = S A S for one contact's rows. Returns 0 * sum of its entries: NaN if one is not finite. */
static double scale_rows(pc_work* work, const pc_problem* problem, const pc_cone* cone, double s)
{
  double poison = 0;
  for (int i = 0; i <= cone->dimension; i++) {
    size_t offset = (size_t)(cone->row + i) * (size_t)problem->row_count;
    const double* from = &problem->A[offset];
    double* to = &work->A[offset];
    for (int j = 0; j < problem->contact_count; j++) {
      const pc_cone* other = &problem->cone[j];
      double factor = s * work->weight[j];
      for (int l = other->row; l <= other->row + other->dimension; l++) {
        to[l] = factor * from[l];
        poison += 0 * to[l];
      }
    }
  }
  return poison;
}

/* b and the guess in scaled form; beta is found first. */
static void scale_vectors(pc_work* work, const pc_problem* problem, const double* guess)
{
  double largest = 0;
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    double norm = max_norm(1 + cone->dimension, &problem->b[cone->row]);
    largest = larger(largest, work->weight[k] * norm);
  }
  work->beta = largest > 0 && isfinite(largest) ? power_near(largest) : 1;
  work->load = 0;
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    double s = work->weight[k], to_b = s / work->beta, to_P = 1 / (s * work->beta);
    for (int i = cone->row; i <= cone->row + cone->dimension; i++) {
      work->b[i] = to_b * problem->b[i];
      work->P[i] = to_P * guess[i];
    }
    double norm = max_norm(1 + cone->dimension, &work->b[cone->row]);
    work->load = larger(work->load, s * work->mass[k] * norm);
  }
}

/* No guess is better than a useless one. */
static void discard_useless_guess(pc_work* work)
{
  double size = 0;
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    size = larger(size, work->weight[k] * max_norm(1 + cone->dimension, &work->P[cone->row]));
  }
  if (!(size <= guess_max * work->load))
    memset(work->P, 0, (size_t)work->row_count * sizeof(double));
}

int pc_work_scale(pc_work* work, const pc_problem* problem, const double* guess)
{
  work->row_count = problem->row_count;
  work->contact_count = problem->contact_count;
  work->cone = problem->cone;
  work->best_residual = INFINITY;
  work->best_by = NULL;
  work->iterations = 0;

  double immovable = mass_of_immovable(problem), poison = 0 * immovable;
  if (poison != 0) return 0;
  for (int k = 0; k < work->contact_count; k++) {
    double mass = contact_mass(problem, &problem->cone[k], immovable);
    work->weight[k] = power_near_root(mass);
    work->mass[k] = mass / (work->weight[k] * work->weight[k]);
  }
  for (int k = 0; k < work->contact_count; k++)
    poison += scale_rows(work, problem, &problem->cone[k], work->weight[k]);
  scale_vectors(work, problem, guess);
  poison += 0 * work->load;
  discard_useless_guess(work);
  return poison == 0;
}

void pc_work_velocity(pc_work* work)
{
  int n = work->row_count;
  for (int i = 0; i < n; i++)
    work->y[i] = dot(n, &work->A[(size_t)i * (size_t)n], work->P) + work->b[i];
}

double pc_work_residual(const pc_work* work)
{
  double worst = 0, scale = work->load;
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    const double *P = &work->P[cone->row], *y = &work->y[cone->row];
    worst = larger(worst, work->weight[k] * pc_natural_map(cone, work->mass[k], P, y));
    scale = larger(scale, work->weight[k] * max_norm(1 + cone->dimension, P));
  }
  if (worst == 0) return isfinite(scale) ? 0 : INFINITY;
  double residual = worst / scale;
  return isfinite(residual) && isfinite(scale) ? residual : INFINITY;
}

double pc_work_offer(pc_work* work, const char* by)
{
  pc_work_velocity(work);
  double residual = pc_work_residual(work);
  if (residual < work->best_residual) {
    memcpy(work->best, work->P, (size_t)work->row_count * sizeof(double));
    work->best_residual = residual;
    work->best_by = by;
  }
  return residual;
}

int pc_work_done(const pc_work* work)
{
  return work->best_residual <= work->tolerance;
}
