#include "steps/momenta.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "steps/round_off.h"
#include "steps/small_mass.h"

/* The same for a single velocity [kg m^2], where it turns. */
static const double LIGHT_TO_TURN = 1e-6;

/* A loop that so often did not halve what is left will not do so any more. */
enum { STALLS_MAX = 3 };

void pc_momenta_clear(pc_momenta* b)
{
  free(b->body);
  free(b->weight);
  free(b->own);
  free(b->size);
  free(b->noise);
  free(b->scratch);
  *b = (pc_momenta){0};
}

static void weigh_equations(pc_momenta* b, pc_terms* terms)
{
  double *zero = b->weight, *whole = b->noise; /* both are zero yet */
  pc_terms_evaluate(terms, &(pc_at){0, pc_system_q0(terms->system), zero, NULL});
  pc_terms_inertia(terms, whole);
  pc_terms_own_inertia(terms, b->own);
  for (int i = 0; i < b->n_u; i++) {
    double weight = whole[i] > 0 ? PC_SMALL_MASS / whole[i] : 1;
    if (b->own[i] > 0) weight = pc_larger(weight, LIGHT_TO_TURN / b->own[i]);
    b->weight[i] = pc_larger(1, weight);
  }
}

pc_status pc_momenta_create(pc_momenta* b, pc_terms* terms, pc_error* error)
{
  const pc_system* system = terms->system;
  size_t n_u = (size_t)pc_system_u_count(system), n_q = (size_t)pc_system_q_count(system);
  int* first = pc_alloc(n_u + 1, sizeof *first);
  if (!first) return pc_no_memory(error);
  b->n_u = (int)n_u;
  b->body_count = pc_system_find_bodies(system, first);
  b->body = pc_alloc((size_t)b->body_count, sizeof *b->body);
  b->weight = pc_alloc(n_u, sizeof *b->weight);
  b->own = pc_alloc(n_u, sizeof *b->own);
  b->size = pc_alloc(n_u, sizeof *b->size);
  b->noise = pc_alloc(n_u, sizeof *b->noise);
  b->scratch = pc_alloc(n_q + 2 * n_u, sizeof *b->scratch);
  int made = b->body && b->weight && b->own && b->size && b->noise && b->scratch;
  for (int k = 0; made && k < b->body_count; k++)
    b->body[k] = (pc_momenta_body){first[k], first[k + 1]};
  if (made) weigh_equations(b, terms);
  free(first);
  return made ? PC_OK : pc_no_memory(error);
}

void pc_momenta_begin(pc_momenta* b)
{
  b->last = HUGE_VAL;
  b->stalls = 0;
}

static double largest_of(const pc_momenta_body* body, const double* x)
{
  double largest = 0;
  for (int i = body->first; i < body->end; i++) largest = pc_larger(largest, fabs(x[i]));
  return largest;
}

/* The largest rest in the body's equations, by their weights. */
static double weighted_rest(const pc_momenta* b, const pc_momenta_body* body, const double* rest)
{
  double largest = 0;
  for (int i = body->first; i < body->end; i++)
    largest = pc_larger(largest, b->weight[i] * fabs(rest[i]));
  return largest;
}

/* What round-off leaves of the balance: that of its terms, of stiff forces, and what the last digit
 * of v makes of M v, which in a heavy body is more than that of what changes. */
static void find_noise(pc_momenta* b, const pc_momenta_iterate* at)
{
  double *digit = b->scratch, *momentum = b->scratch + b->n_u;
  pc_forces_round_off(at->terms, at->q, at->v, 0, b->scratch, b->noise);
  for (int i = 0; i < b->n_u; i++)
    b->noise[i] = pc_larger(at->dt * b->noise[i], 16 * DBL_EPSILON * b->size[i]);
  for (int i = 0; i < b->n_u; i++) {
    digit[i] = 4 * DBL_EPSILON * fabs(at->v[i]);
    momentum[i] = 0;
  }
  pc_terms_add_M_times(at->terms, digit, momentum);
  for (int i = 0; i < b->n_u; i++) b->noise[i] = pc_larger(b->noise[i], fabs(momentum[i]));
}

/* The same for the whole system at once. */
static int holds_as_a_whole(const pc_momenta* b, const pc_momenta_iterate* at, double tolerance)
{
  const pc_momenta_body all = {0, b->n_u};
  double rest = largest_of(&all, at->rest);
  return at->stands_still || rest <= tolerance || rest <= largest_of(&all, b->noise);
}

int pc_momenta_holds(pc_momenta* b, const pc_momenta_iterate* at, double tolerance)
{
  const pc_momenta_body all = {0, b->n_u};
  if (weighted_rest(b, &all, at->rest) <= tolerance) return 1;

  double worst = 0;
  find_noise(b, at);
  for (int k = 0; k < b->body_count; k++) {
    const pc_momenta_body* body = &b->body[k];
    if (largest_of(body, at->rest) > largest_of(body, b->noise))
      worst = pc_larger(worst, weighted_rest(b, body, at->rest));
  }
  if (worst <= tolerance) return 1;
  if (worst > b->last / 2) b->stalls++;
  b->last = worst;
  int stalled = at->stands_still || b->stalls >= STALLS_MAX;
  return stalled && holds_as_a_whole(b, at, tolerance);
}

double pc_momenta_row_change(const pc_momenta* b, pc_row row)
{
  const double* w = row.w;
  double sum = 0;
  for (int k = 0; k < row.block_count; k++)
    for (int i = row.block[k].first; i < row.block[k].first + row.block[k].width; i++, w++)
      if (b->own[i] > 0) sum += fabs(*w) * b->size[i] / b->own[i];
  return sum;
}

double pc_momenta_row_noise(const pc_momenta* b, pc_row row)
{
  return 8 * DBL_EPSILON * pc_momenta_row_change(b, row);
}
