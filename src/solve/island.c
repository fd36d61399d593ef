/* Extraction, scaling and the residual of an island. */
#include "solve/island.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "solve/binary_scale.h"
#include "solve/natural_map.h"
#include "solve/problem.h"

/* A guess larger than this many times the free impulses m_k |b_k| is of no use: its last digits are
 * as large as what is asked for. Heavy on light stacks stay far below. */
static const double guess_max = 1e6;

static double largest_of(int n, const double* x)
{
  double largest = 0;
  for (int i = 0; i < n; i++) largest = pc_larger(largest, fabs(x[i]));
  return largest;
}

/* --- arrays --- */

static pc_status allocate(pc_island* s, pc_arena* arena, int nodes, int rows, int blocks,
                          size_t entries)
{
  size_t n = (size_t)rows, k = (size_t)nodes, e = (size_t)blocks;
  pc_block_matrix* A = &s->A;
  *s = (pc_island){
      .arena = arena, .node_count = nodes, .row_count = rows, .best_residual = INFINITY};
  A->node_count = nodes;
  A->row = pc_arena_ints(arena, k + 1);
  A->start = pc_arena_ints(arena, k + 1);
  A->column = pc_arena_ints(arena, e);
  A->diagonal = pc_arena_ints(arena, k);
  s->bare = (unsigned char*)pc_arena_ints(arena, 2 * k / sizeof(int) + 1);
  s->late = s->bare + k;
  A->place = (size_t*)pc_arena_doubles(arena, e);
  s->node = (pc_problem_node*)pc_arena_doubles(arena, 2 * k);
  A->value = pc_arena_doubles(arena, entries);
  double* vectors = pc_arena_doubles(arena, 5 * n + 2 * k);
  if (!A->row || !A->start || !A->column || !A->diagonal || !s->bare || !A->place || !s->node ||
      !A->value || !vectors)
    return PC_OUT_OF_MEMORY;
  s->b = vectors;
  s->z = s->b + n;
  s->y = s->z + n;
  s->best = s->y + n;
  s->mass = s->best + n;
  s->weight = s->mass + k;
  return PC_OK;
}

_Static_assert(sizeof(size_t) <= sizeof(double) && sizeof(pc_problem_node) <= 2 * sizeof(double),
               "places and nodes are kept in arrays of doubles");

/* --- scaling --- */

/* Nodes, m_k and s_k. */
static void take_nodes(pc_island* s, const pc_problem* problem, const int* member)
{
  double least = 0;
  s->A.row[0] = 0;
  for (int k = 0; k < s->node_count; k++) {
    int from = member[k], size = problem->row[from + 1] - problem->row[from];
    double mass = pc_problem_mass(problem, from);
    if (mass == 0) {
      if (least == 0) least = pc_problem_least_mass(problem);
      mass = least;
    }
    s->node[k] = problem->node[from];
    s->bare[k] = (unsigned char)pc_problem_is_bare(problem, from);
    s->weight[k] = pc_power_near_root(mass);
    s->mass[k] = mass / (s->weight[k] * s->weight[k]);
    s->A.row[k + 1] = s->A.row[k] + size;
    if (!pc_island_is_contact(s, k)) continue;
    s->contact_count++;
    if (size - 1 > s->friction_max) s->friction_max = size - 1;
  }
}

/* A^ = S A S, block row by block row. */
static void take_matrix(pc_island* s, const pc_problem* problem, const pc_islands* islands,
                        const int* member)
{
  int next = 0;
  size_t at = 0;
  for (int k = 0; k < s->node_count; k++) {
    int from = member[k], rows = pc_island_size(s, k);
    s->A.start[k] = next;
    for (int e = problem->start[from]; e < problem->start[from + 1]; e++, next++) {
      int j = islands->local[problem->column[e]], count = rows * pc_island_size(s, j), zero = 1;
      const double* a = &problem->value[problem->place[e]];
      double factor_k = s->weight[k], factor_j = s->weight[j];
      s->A.column[next] = j;
      s->A.place[next] = at;
      if (j == k) s->A.diagonal[k] = next;
      for (int i = 0; i < count; i++) {
        zero &= a[i] == 0;
        s->A.value[at++] = factor_k * a[i] * factor_j;
      }
      if (s->bare[k] && j != k && !zero) s->is_saddle = 1;
    }
  }
  s->A.start[s->node_count] = next;
}

/* What the equality nodes would give row i of contact k if nothing held it: |A| m |b|
 * [velocity]. */
static double driven_speed(const pc_island* s, int k, int i)
{
  const pc_block_matrix* A = &s->A;
  double speed = 0;
  for (int e = A->start[k]; e < A->start[k + 1]; e++) {
    int j = A->column[e], columns = pc_island_size(s, j);
    if (pc_island_is_contact(s, j)) continue;
    const double *a = &A->value[A->place[e]] + i * columns, *b = &s->b[A->row[j]];
    for (int l = 0; l < columns; l++) speed += fabs(a[l]) * s->mass[j] * fabs(b[l]);
  }
  return speed;
}

/* The largest free velocity of the contacts, whose b and those of the equality nodes are taken. */
static void take_speed(pc_island* s)
{
  int driven = s->contact_count < s->node_count;
  for (int k = 0; k < s->node_count; k++) {
    if (!pc_island_is_contact(s, k)) continue;
    for (int i = 0; i < pc_island_size(s, k); i++) {
      double speed = fabs(s->b[s->A.row[k] + i]) + (driven ? driven_speed(s, k, i) : 0);
      s->speed = pc_larger(s->speed, speed / s->weight[k]);
    }
  }
}

/* Powers of two that take b and z of node k to their scaled form. */
static int exponent_of_b(const pc_island* s, int k)
{
  return pc_exponent_of(s->weight[k]) - s->beta;
}

static int exponent_of_z(const pc_island* s, int k)
{
  return -pc_exponent_of(s->weight[k]) - s->beta;
}

static void take_z(pc_island* s, const pc_problem* problem, const int* member, const double* z)
{
  for (int k = 0; k < s->node_count; k++) {
    int from = problem->row[member[k]], to = s->A.row[k], exponent = exponent_of_z(s, k);
    for (int i = 0; i < pc_island_size(s, k); i++)
      s->z[to + i] = pc_times_power_of_two(z[from + i], exponent);
  }
}

/* b in scaled form; beta is found first. */
static void take_b(pc_island* s, const pc_problem* problem, const int* member)
{
  int is_zero = 1;
  for (int k = 0; k < s->node_count; k++) {
    double largest = largest_of(pc_island_size(s, k), &problem->b[problem->row[member[k]]]);
    int exponent = pc_exponent_of(s->weight[k]) + pc_exponent_of(largest);
    if (largest > 0 && (is_zero || exponent > s->beta)) s->beta = exponent;
    is_zero &= !(largest > 0);
  }
  for (int k = 0; k < s->node_count; k++) {
    int from = problem->row[member[k]], to = s->A.row[k], size = pc_island_size(s, k);
    for (int i = 0; i < size; i++)
      s->b[to + i] = pc_times_power_of_two(problem->b[from + i], exponent_of_b(s, k));
    if (!pc_island_is_contact(s, k)) continue;
    s->load = pc_larger(s->load, s->weight[k] * s->mass[k] * largest_of(size, &s->b[to]));
  }
}

/* No guess is better than a useless one. */
static void discard_useless_guess(pc_island* s)
{
  double size = 0, load = 0;
  for (int k = 0; k < s->node_count; k++) {
    int at = s->A.row[k], n = pc_island_size(s, k);
    size = pc_larger(size, s->weight[k] * largest_of(n, &s->z[at]));
    load = pc_larger(load, s->weight[k] * s->mass[k] * largest_of(n, &s->b[at]));
  }
  if (!(size <= guess_max * load)) memset(s->z, 0, (size_t)s->row_count * sizeof(double));
}

pc_status pc_island_extract(const pc_problem* problem, const pc_islands* islands, int i,
                            const double* guess, pc_arena* arena, pc_island* island)
{
  const int* member = &islands->member[islands->first[i]];
  int nodes = islands->first[i + 1] - islands->first[i], rows = 0, blocks = 0;
  size_t entries = 0;
  for (int k = 0; k < nodes; k++) {
    int from = member[k], size = problem->row[from + 1] - problem->row[from];
    rows += size;
    blocks += problem->start[from + 1] - problem->start[from];
    for (int e = problem->start[from]; e < problem->start[from + 1]; e++) {
      int j = problem->column[e];
      entries += (size_t)size * (size_t)(problem->row[j + 1] - problem->row[j]);
    }
  }
  if (allocate(island, arena, nodes, rows, blocks, entries) != PC_OK) return PC_OUT_OF_MEMORY;
  take_nodes(island, problem, member);
  take_matrix(island, problem, islands, member);
  take_b(island, problem, member);
  take_z(island, problem, member, guess);
  take_speed(island);
  discard_useless_guess(island);
  memset(island->best, 0, (size_t)rows * sizeof(double));
  /* In the saddle form bodies come first; in the other one any row may depend on others. */
  for (int k = 0; k < nodes; k++)
    island->late[k] = (unsigned char)(!island->is_saddle || island->bare[k]);
  return PC_OK;
}

pc_status pc_island_analyse(pc_island* s)
{
  return pc_block_lu_analyse(s->lu, &s->A, s->late, NULL);
}

/* A factorisation takes some entries^2 / rows operations: products of matrices, which take a fifth
 * of the time of those of a sweep. */
int pc_island_sweeps_of_factorisation(const pc_island* s)
{
  double entries = (double)pc_block_lu_entry_count(s->lu), rows = s->row_count;
  double sweep = (double)s->A.place[s->A.start[s->node_count] - 1] + 20 * rows;
  double count = 0.2 * entries * entries / rows / sweep;
  return count < PC_SWEEPS_MIN ? PC_SWEEPS_MIN : count < PC_SWEEPS_MAX ? (int)count : PC_SWEEPS_MAX;
}

/* --- the answer at hand --- */

/* y += a x for a block of three rows and columns, the usual one in space. */
static inline void times_3(const double* a, const double* x, double* y)
{
  y[0] += a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
  y[1] += a[3] * x[0] + a[4] * x[1] + a[5] * x[2];
  y[2] += a[6] * x[0] + a[7] * x[1] + a[8] * x[2];
}

void pc_island_dual(pc_island* s)
{
  const pc_block_matrix* A = &s->A;
  for (int k = 0; k < s->node_count; k++) {
    int rows = pc_island_size(s, k);
    double* y = &s->y[A->row[k]];
    memcpy(y, &s->b[A->row[k]], (size_t)rows * sizeof(double));
    for (int e = A->start[k]; e < A->start[k + 1]; e++) {
      int j = A->column[e], columns = pc_island_size(s, j);
      const double *a = &A->value[A->place[e]], *x = &s->z[A->row[j]];
      if (rows == 3 && columns == 3)
        times_3(a, x, y);
      else
        for (int i = 0; i < rows; i++)
          for (int l = 0; l < columns; l++) y[i] += a[i * columns + l] * x[l];
    }
  }
}

/* The size of what adds up to the dual of a row: |b| + |A| (|z| + m |b|), where m_j |b_j| is the
 * size of what may be asked of z_j. */
static double row_size(const pc_island* s, int k, int i)
{
  const pc_block_matrix* A = &s->A;
  double size = fabs(s->b[A->row[k] + i]);
  for (int e = A->start[k]; e < A->start[k + 1]; e++) {
    int j = A->column[e], columns = pc_island_size(s, j);
    const double *a = &A->value[A->place[e]] + i * columns, *x = &s->z[A->row[j]];
    double free = s->mass[j] * largest_of(columns, &s->b[A->row[j]]);
    for (int l = 0; l < columns; l++) size += fabs(a[l]) * (fabs(x[l]) + free);
  }
  return size;
}

static double relative(double worst, double scale)
{
  double residual = worst == 0 ? 0 : worst / scale;
  return isfinite(residual) && isfinite(scale) ? residual : INFINITY;
}

/* The energy that the impulses of contacts exchange, z . (y - b); in the saddle form it is not
 * known. */
static double exchanged_energy(const pc_island* s)
{
  double energy = 0;
  for (int k = 0; k < s->node_count; k++)
    for (int i = s->A.row[k]; i < s->A.row[k + 1] && pc_island_is_contact(s, k) && !s->bare[k]; i++)
      energy += s->z[i] * (s->y[i] - s->b[i]);
  return pc_larger(0, energy);
}

/* What the contacts' deviations are above the round-off of impulses, relative to the velocities at
 * hand. */
static double velocity_residual(const pc_island* s, double round_off)
{
  double worst = 0, energy = exchanged_energy(s);
  for (int k = 0; k < s->node_count; k++) {
    if (!pc_island_is_contact(s, k)) continue;
    const double *z = &s->z[s->A.row[k]], *y = &s->y[s->A.row[k]], mass = s->mass[k];
    double weight = s->weight[k],
           impulse = pc_larger(mass * weight * s->speed, sqrt(mass * energy));
    double deviation = pc_natural_map_of(pc_island_size(s, k) - 1, s->node[k].mu, mass, z, y);
    if (weight * deviation <= round_off || impulse == 0) continue;
    worst = pc_larger(worst, (deviation - round_off / weight) / impulse);
  }
  return relative(worst, 1);
}

/* The first part of pc_problem_residual: contacts, equality nodes with a diagonal block, those
 * without one. What is left of the contacts' laws, and its scale. */
static double relative_deviation(const pc_island* s, double* worst_contact, double* contact_scale)
{
  double worst[3] = {0}, scale[3] = {s->load, 0, 0}, residual = 0;
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_island_size(s, k), class = pc_island_is_contact(s, k) ? 0 : s->bare[k] ? 2 : 1;
    const double *z = &s->z[s->A.row[k]], *y = &s->y[s->A.row[k]];
    double deviation = 0, size = 0;
    if (class == 0) {
      deviation = pc_natural_map_of(n - 1, s->node[k].mu, s->mass[k], z, y);
      size = largest_of(n, z);
    }
    for (int i = 0; class > 0 && i < n; i++) {
      deviation = pc_larger(deviation, s->mass[k] * fabs(y[i]));
      size = pc_larger(size, s->mass[k] * row_size(s, k, i));
    }
    worst[class] = pc_larger(worst[class], s->weight[k] * deviation);
    scale[class] = pc_larger(scale[class], s->weight[k] * size);
  }
  for (int c = 0; c < 3; c++) residual = pc_larger(residual, relative(worst[c], scale[c]));
  *worst_contact = worst[0];
  *contact_scale = scale[0];
  return residual;
}

double pc_island_impulse_residual(const pc_island* s)
{
  double worst, scale;
  return relative_deviation(s, &worst, &scale);
}

double pc_island_violation(pc_island* s)
{
  double worst, scale;
  pc_island_dual(s);
  relative_deviation(s, &worst, &scale);
  return worst;
}

double pc_island_residual(const pc_island* s)
{
  double worst, scale, residual = relative_deviation(s, &worst, &scale);
  double round_off = PC_RESIDUAL_ROUND_OFF * scale;
  return worst > round_off ? pc_larger(residual, velocity_residual(s, round_off)) : residual;
}

double pc_island_offer(pc_island* s, pc_method by)
{
  pc_island_dual(s);
  double residual = pc_island_residual(s);
  if (residual < s->best_residual) {
    memcpy(s->best, s->z, (size_t)s->row_count * sizeof(double));
    s->best_residual = residual;
    s->best_by = by;
  }
  return residual;
}

void pc_island_take_best(pc_island* s)
{
  memcpy(s->z, s->best, (size_t)s->row_count * sizeof(double));
}

/* --- the given problem --- */

void pc_island_unscale(pc_island* s, const pc_problem* problem, const pc_islands* islands, int i,
                       double* z)
{
  const int* member = &islands->member[islands->first[i]];
  int is_exact = 1;
  for (int k = 0; k < s->node_count; k++) {
    int exponent = exponent_of_z(s, k);
    double* to = &z[problem->row[member[k]]];
    for (int l = 0; l < pc_island_size(s, k); l++) {
      double best = s->best[s->A.row[k] + l];
      to[l] = pc_times_power_of_two(best, -exponent);
      is_exact &= pc_times_power_of_two(to[l], exponent) == best;
    }
  }
  if (is_exact) return;
  take_z(s, problem, member, z);
  pc_island_dual(s);
  s->best_residual = pc_island_residual(s);
}

/* That of all nodes as one island. */
static double residual_of_all(const pc_problem* problem, const double* z, pc_arena* arena)
{
  int n = problem->node_count, first[2] = {0, n};
  pc_islands all = {1, first, pc_arena_ints(arena, (size_t)n), NULL};
  pc_island s;
  if (!all.member) return INFINITY;
  for (int k = 0; k < n; k++) all.member[k] = k;
  all.local = all.member;
  if (pc_island_extract(problem, &all, 0, z, arena, &s) != PC_OK) return INFINITY;
  take_z(&s, problem, all.member, z); /* however useless it would be as a guess */
  pc_island_dual(&s);
  return pc_island_residual(&s);
}

double pc_problem_residual(const pc_problem* problem, const double* z)
{
  if (!problem || !z) return NAN;
  enum { BYTES = 1 << 16 };
  pc_arena* arena = pc_arena_create(BYTES);
  double residual = arena ? residual_of_all(problem, z, arena) : INFINITY;
  pc_arena_destroy(arena);
  return residual;
}
