/* The measure of all solvers, and the scaling that makes it the same for all units. */
#include <math.h>

#include "base/inline.h"
#include "base/larger.h"
#include "linalg/copy.h"
#include "solve/binary_scale.h"
#include "solve/dense_work.h"
#include "solve/natural_map.h"

/* A guess larger than this many times the free percussions m_k |b_k| is of no use: its last digits
 * are as large as what is asked for. Heavy on light stacks stay far below. */
static const double guess_max = 1e6;

/* The larger one of numbers that are finite, or whose NaNs show elsewhere. */
static double larger_number(double a, double b)
{
  return b > a ? b : a;
}

static double max_norm(int n, const double* x)
{
  double norm = 0;
  for (int i = 0; i < n; i++) norm = larger_number(norm, fabs(x[i]));
  return norm;
}

static int all_finite(int n, const double* x)
{
  int bad = 0;
  for (int i = 0; i < n; i++) bad |= !(fabs(x[i]) <= DBL_MAX);
  return !bad;
}

static double dot(int n, const double* x, const double* y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static inline double natural_map(const pc_cone* cone, double mass, const double* P, const double* y)
{
  return pc_natural_map_of(cone->dimension, cone->mu, mass, P, y);
}

double pc_natural_map(const pc_cone* cone, double mass, const double* P, const double* y)
{
  return natural_map(cone, mass, P, y);
}

/* The inverse of the mean of the diagonal of a contact's block [kg], or zero if nothing can move it
 * (zero block). */
PC_INLINE double mean_mass(const pc_dense_problem* problem, int row, int dimension)
{
  size_t step = (size_t)problem->row_count + 1;
  const double* diagonal = problem->A + (size_t)row * step;
  double sum = 0;
  for (int i = 0; i <= dimension; i++, diagonal += step) sum += *diagonal;
  return sum > 0 ? (1 + dimension) / sum : 0;
}

static double contact_mass(const pc_dense_problem* problem, const pc_cone* cone)
{
  return mean_mass(problem, cone->row, cone->dimension);
}

/* The m of a contact that nothing can move: the least of the others, so that the measure stays
 * finite and keeps its unit. */
static double mass_of_immovable(const pc_dense_problem* problem)
{
  double least = INFINITY;
  for (int k = 0; k < problem->contact_count; k++) {
    double mass = contact_mass(problem, &problem->cone[k]);
    if (mass > 0 && mass < least) least = mass;
  }
  return least < INFINITY ? least : 1;
}

/* worst / scale, and infinity for anything that is not a finite number. */
static double relative(double worst, double scale)
{
  double residual = worst == 0 ? 0 : worst / scale;
  return isfinite(residual) && isfinite(scale) ? residual : INFINITY;
}

/* A contact of a problem as it is given: m, y and the natural map. */
typedef struct judged {
  double mass, deviation, y[PC_CONE_ROWS_MAX];
} judged;

/* `dimension` is that of the contact; a constant shortens the loops over its rows. */
PC_INLINE judged judge(const pc_dense_problem* problem, const pc_cone* cone, int dimension,
                       const double* P)
{
  int n = problem->row_count;
  judged c = {.mass = mean_mass(problem, cone->row, dimension)};
  if (c.mass == 0) c.mass = mass_of_immovable(problem);
  for (int i = 0; i <= dimension; i++) {
    int row = cone->row + i;
    c.y[i] = dot(n, &problem->A[(size_t)row * (size_t)n], P) + problem->b[row];
  }
  c.deviation = pc_natural_map_of(dimension, cone->mu, c.mass, &P[cone->row], c.y);
  return c;
}

/* The impulse that goes with the velocities at hand: the largest free one, and that of the energy
 * that the percussions exchange. */
static double impulse_of(double mass, double speed, double energy)
{
  return larger_number(mass * speed, sqrt(mass * larger_number(0, energy)));
}

/* What the deviations are above the round-off of percussions, relative to the velocities at
 * hand. */
static double excess_of_velocities(const pc_dense_problem* problem, const double* P, double energy,
                                   double round_off)
{
  double worst = 0, speed = max_norm(problem->row_count, problem->b);
  for (int k = 0; k < problem->contact_count; k++) {
    const pc_cone* cone = &problem->cone[k];
    judged c = judge(problem, cone, cone->dimension, P);
    double impulse = impulse_of(c.mass, speed, energy);
    if (c.deviation > round_off && impulse > 0)
      worst = pc_larger(worst, relative(c.deviation - round_off, impulse));
  }
  return worst;
}

/* Of the contacts so far: the worst deviation, the largest percussion, at hand or free, and the
 * energy that they exchange. */
typedef struct extent {
  double worst, scale, energy;
} extent;

PC_INLINE extent with_contact(extent so_far, const pc_dense_problem* problem, const pc_cone* cone,
                              int dimension, const double* P)
{
  const double *own = &P[cone->row], *b = &problem->b[cone->row];
  judged c = judge(problem, cone, dimension, P);
  extent e = so_far;
  double largest = 0, load = 0;
  for (int i = 0; i <= dimension; i++) {
    largest = larger_number(largest, fabs(own[i]));
    load = larger_number(load, fabs(b[i]));
    e.energy += own[i] * (c.y[i] - b[i]);
  }
  e.worst = pc_larger(e.worst, c.deviation);
  e.scale = larger_number(larger_number(e.scale, largest), c.mass * load);
  return e;
}

/* One contact, in loops of constant length. */
PC_INLINE extent of_one(const pc_dense_problem* problem, int dimension, const double* P)
{
  const pc_dense_problem one = {1 + dimension, 1, problem->cone, problem->A, problem->b};
  return with_contact((extent){0, 0, 0}, &one, one.cone, dimension, P);
}

PC_INLINE extent of_all(const pc_dense_problem* problem, const double* P)
{
  if (problem->row_count == 1) return of_one(problem, 0, P);
  if (problem->row_count == 2 && problem->contact_count == 1) return of_one(problem, 1, P);
  extent all = {0, 0, 0};
  const pc_cone* cone = problem->cone;
  for (int k = 0; k < problem->contact_count; k++, cone++) switch (cone->dimension) {
      case 0: all = with_contact(all, problem, cone, 0, P); break;
      case 1: all = with_contact(all, problem, cone, 1, P); break;
      case 2: all = with_contact(all, problem, cone, 2, P); break;
      default: all = with_contact(all, problem, cone, cone->dimension, P);
    }
  return all;
}

double pc_dense_residual(const pc_dense_problem* problem, const double* P)
{
  extent all = of_all(problem, P);
  double residual = relative(all.worst, all.scale), round_off = PC_RESIDUAL_ROUND_OFF * all.scale;
  if (!(all.worst > round_off)) return residual;
  return pc_larger(residual, excess_of_velocities(problem, P, all.energy, round_off));
}

/* m_k and s_k of all contacts. */
static void scale_masses(pc_work* work, const pc_dense_problem* problem)
{
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &problem->cone[k];
    double mass = contact_mass(problem, cone);
    if (mass == 0) mass = mass_of_immovable(problem);
    double s = pc_power_near_root(mass);
    work->weight[k] = s;
    work->mass[k] = mass / (s * s);
    for (int i = cone->row; i <= cone->row + cone->dimension; i++) work->row_weight[i] = s;
  }
}

/* A^ = S A S. Returns whether all its entries are finite. */
static int scale_matrix(pc_work* work, const pc_dense_problem* problem)
{
  int bad = 0;
  size_t n = (size_t)work->row_count;
  const double *from = problem->A, *s = work->row_weight;
  double* to = work->A;
  for (size_t i = 0; i < n; i++, from += n, to += n)
    for (size_t j = 0; j < n; j++) {
      to[j] = s[i] * from[j] * s[j];
      bad |= !(fabs(to[j]) <= DBL_MAX);
    }
  return !bad;
}

/* b and the guess in scaled form; beta is found first. */
static void scale_vectors(pc_work* work, const pc_dense_problem* problem, const double* guess)
{
  const double* s = work->row_weight;
  double largest = 0;
  for (int i = 0; i < work->row_count; i++)
    largest = larger_number(largest, s[i] * fabs(problem->b[i]));
  work->beta = largest >= DBL_MIN && largest <= DBL_MAX ? pc_power_below(largest) : 1;
  work->load = work->speed = 0;
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    double to_b = work->weight[k] / work->beta, to_P = 1 / (work->weight[k] * work->beta);
    for (int i = cone->row; i <= cone->row + cone->dimension; i++) {
      work->b[i] = to_b * problem->b[i];
      work->P[i] = to_P * guess[i];
    }
    double norm = max_norm(1 + cone->dimension, &work->b[cone->row]);
    work->load = larger_number(work->load, work->weight[k] * work->mass[k] * norm);
    work->speed = larger_number(work->speed, norm / work->weight[k]);
  }
}

/* No guess is better than a useless one. */
static void discard_useless_guess(pc_work* work)
{
  double size = 0;
  for (int i = 0; i < work->row_count; i++)
    size = pc_larger(size, work->row_weight[i] * fabs(work->P[i]));
  if (!(size <= guess_max * work->load)) pc_zero(work->row_count, work->P);
}

int pc_work_scale(pc_work* work, const pc_dense_problem* problem, const double* guess)
{
  work->row_count = problem->row_count;
  work->contact_count = problem->contact_count;
  work->cone = problem->cone;
  work->best_residual = INFINITY;
  work->iterations = 0;
  scale_masses(work, problem);
  if (!scale_matrix(work, problem)) return 0;
  scale_vectors(work, problem, guess);
  discard_useless_guess(work);
  return all_finite(work->row_count, work->b);
}

void pc_work_velocity(pc_work* work)
{
  int n = work->row_count;
  for (int i = 0; i < n; i++)
    work->y[i] = dot(n, &work->A[(size_t)i * (size_t)n], work->P) + work->b[i];
}

/* What the deviations are above the round-off of percussions, relative to the velocities at
 * hand. */
static double velocity_residual(const pc_work* work, double round_off)
{
  double worst = 0, energy = 0;
  for (int i = 0; i < work->row_count; i++) energy += work->P[i] * (work->y[i] - work->b[i]);
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    const double *P = &work->P[cone->row], *y = &work->y[cone->row], weight = work->weight[k];
    double impulse = impulse_of(work->mass[k], weight * work->speed, energy);
    double deviation = natural_map(cone, work->mass[k], P, y);
    if (weight * deviation <= round_off || impulse == 0) continue;
    worst = pc_larger(worst, (deviation - round_off / weight) / impulse);
  }
  return relative(worst, 1);
}

double pc_work_residual(const pc_work* work)
{
  double worst = 0, scale = work->load;
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    const double *P = &work->P[cone->row], *y = &work->y[cone->row];
    worst = pc_larger(worst, work->weight[k] * natural_map(cone, work->mass[k], P, y));
    scale = larger_number(scale, work->weight[k] * max_norm(1 + cone->dimension, P));
  }
  double residual = relative(worst, scale), round_off = PC_RESIDUAL_ROUND_OFF * scale;
  return worst > round_off ? pc_larger(residual, velocity_residual(work, round_off)) : residual;
}

double pc_work_offer(pc_work* work, pc_method by)
{
  pc_work_velocity(work);
  double residual = pc_work_residual(work);
  if (residual < work->best_residual) {
    pc_copy(work->row_count, work->P, work->best);
    work->best_residual = residual;
    work->best_by = by;
  }
  return residual;
}

int pc_work_done(const pc_work* work)
{
  return work->best_residual <= work->tolerance;
}
