#include "steps/lengths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "system/found.h"
#include "system/inspect.h"
#include "system/terms.h"

/* The gap up to which a contact counts as closed, where the settings do not say [of the length]. */
static const double ACTIVATION = 1e-10;

/* Every unit counts as a metre. */
static void forget_units(pc_lengths* l)
{
  free(l->of_q);
  free(l->of_u);
  l->of_q = l->of_u = NULL;
}

void pc_lengths_clear(pc_lengths* l)
{
  forget_units(l);
}

/* Marks the coordinates and velocities whose units are metres by 1. Returns 0 if there are
 * velocities of unknown units; coordinates of a quaternion have none. */
static int mark_lengths(pc_lengths* l, const pc_system* system)
{
  int known = 0;
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    pc_quantity quantity = pc_system_quantity(system, i);
    if (quantity.kind == PC_QUANTITY_Q && !strcmp(quantity.unit, "m")) l->of_q[quantity.index] = 1;
    if (quantity.kind != PC_QUANTITY_U) continue;
    int in_metres = !strcmp(quantity.unit, "m/s");
    if (in_metres) l->of_u[quantity.index] = 1;
    known += in_metres || !strcmp(quantity.unit, "rad/s");
  }
  return known == l->n_u;
}

/* The gap of a contact at the start, and the levers of its normal. */
static double length_of_contact(const pc_lengths* l, const pc_terms* terms, int normal)
{
  pc_row row = pc_terms_row(terms, normal);
  const double* w = row.w;
  double length = fabs(terms->y[normal]);
  for (int b = 0; b < row.block_count; b++)
    for (int i = row.block[b].first; i < row.block[b].first + row.block[b].width; i++, w++)
      if (l->of_u[i] == 0) length = pc_larger(length, fabs(*w));
  return length;
}

/* Found contacts do not count: those at hand when a scheme is made anew are not those of the
 * start. */
static pc_status find_length(pc_lengths* l, const pc_system* system, pc_error* error)
{
  const double* q = pc_system_q0(system);
  double length = 0;
  for (int i = 0; i < l->n_q; i++) length = pc_larger(length, l->of_q[i] * fabs(q[i]));
  if (length < 1 && pc_system_fixed_contact_count(system) > 0) {
    pc_terms* terms;
    PC_TRY(pc_terms_create(system, PC_TERM_Y | PC_TERM_W, &terms, error));
    pc_terms_evaluate(terms, &(pc_at){0, q, NULL, NULL});
    for (int k = 0; k < pc_system_fixed_contact_count(system); k++)
      length = pc_larger(length, length_of_contact(l, terms, pc_system_contact_row(system, k)));
    pc_terms_destroy(terms);
  }
  if (length > 0 && length < 1) l->length = length;
  return PC_OK;
}

pc_status pc_lengths_create(pc_lengths* l, const pc_system* system, pc_error* error)
{
  *l = (pc_lengths){1, pc_system_q_count(system), pc_system_u_count(system), NULL, NULL};
  l->of_q = pc_alloc((size_t)l->n_q, sizeof *l->of_q);
  l->of_u = pc_alloc((size_t)l->n_u, sizeof *l->of_u);
  if (!l->of_q || !l->of_u) return pc_no_memory(error);
  if (mark_lengths(l, system)) PC_TRY(find_length(l, system, error));
  if (l->length == 1) {
    forget_units(l);
    return PC_OK;
  }
  for (int i = 0; i < l->n_q; i++)
    if (l->of_q[i] == 0) l->of_q[i] = l->length;
  for (int i = 0; i < l->n_u; i++)
    if (l->of_u[i] == 0) l->of_u[i] = l->length;
  return PC_OK;
}

double pc_lengths_reach_in_units(const pc_lengths* l, const double* q)
{
  double largest = 0;
  for (int i = 0; i < l->n_q; i++) largest = pc_larger(largest, l->of_q[i] * fabs(q[i]));
  return largest;
}

double pc_lengths_activation(const pc_lengths* l, const pc_scheme_settings* settings)
{
  return isnan(settings->activation_tolerance) ? l->length * ACTIVATION
                                               : settings->activation_tolerance;
}

double pc_activation_most(const pc_scheme_settings* settings)
{
  return isnan(settings->activation_tolerance) ? ACTIVATION : settings->activation_tolerance;
}
