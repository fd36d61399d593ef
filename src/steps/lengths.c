#include "steps/lengths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "steps/body_size.h"
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
  free(l->of_contact);
  l->of_q = l->of_u = l->of_contact = NULL;
}

void pc_lengths_clear(pc_lengths* l)
{
  forget_units(l);
}

/* Marks the coordinates and velocities whose units are metres by 1, and notes whether there are
 * others beside them. Returns 0 if there are velocities of unknown units; coordinates of a
 * quaternion have none. */
static int mark_lengths(pc_lengths* l, const pc_system* system)
{
  int known = 0, metric = 0;
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    pc_quantity quantity = pc_system_quantity(system, i);
    if (quantity.kind == PC_QUANTITY_Q && !strcmp(quantity.unit, "m")) l->of_q[quantity.index] = 1;
    if (quantity.kind != PC_QUANTITY_U) continue;
    int in_metres = !strcmp(quantity.unit, "m/s");
    if (in_metres) l->of_u[quantity.index] = 1;
    metric += in_metres;
    known += in_metres || !strcmp(quantity.unit, "rad/s");
  }
  l->is_mixed = known == l->n_u && metric > 0 && metric < l->n_u;
  return known == l->n_u;
}

/* The longest lever at which the normal of a contact acts on an angle. */
static double lever_of(const pc_lengths* l, pc_row row)
{
  const double* w = row.w;
  double longest = 0;
  for (int b = 0; b < row.block_count; b++)
    for (int i = row.block[b].first; i < row.block[b].first + row.block[b].width; i++, w++)
      if (l->of_u[i] == 0) longest = pc_larger(longest, fabs(*w));
  return longest;
}

/* Of the largest body. */
static pc_status find_size(const pc_system* system, double* size, pc_error* error)
{
  pc_body_sizes sizes = {0};
  pc_status status = pc_body_sizes_create(&sizes, system);
  if (status == PC_OK) *size = 2 * pc_largest(pc_system_part_count(system), sizes.reach);
  pc_body_sizes_clear(&sizes);
  return status == PC_OK ? PC_OK : pc_no_memory(error);
}

/* Whether a row moves with a coordinate in metres: its own unit is a metre then. */
static int is_metric(const double* of_u, pc_row row)
{
  const double* w = row.w;
  for (int b = 0; b < row.block_count; b++)
    for (int i = row.block[b].first; i < row.block[b].first + row.block[b].width; i++, w++)
      if (*w != 0 && of_u[i] == 1) return 1;
  return 0;
}

/* By the contacts at the start. Those that are found do not count: those at hand when a scheme is
 * made anew are not those of the start. Their gaps are lengths. */
static pc_status look_at_contacts(pc_lengths* l, const pc_system* system, double* size,
                                  double* distance, pc_error* error)
{
  pc_terms* terms;
  PC_TRY(pc_terms_create(system, PC_TERM_Y | PC_TERM_W, &terms, error));
  pc_terms_evaluate(terms, &(pc_at){0, pc_system_q0(system), NULL, NULL});
  for (int k = 0; k < l->contact_count; k++) {
    int normal = pc_system_contact_row(system, k);
    pc_row row = pc_terms_row(terms, normal);
    if (!is_metric(l->of_u, row)) continue;
    l->of_contact[k] = 1;
    *size = pc_larger(*size, lever_of(l, row));
    *distance = pc_larger(*distance, fabs(terms->y[normal]));
  }
  pc_terms_destroy(terms);
  return PC_OK;
}

static pc_status find_length(pc_lengths* l, const pc_system* system, pc_error* error)
{
  const double* q = pc_system_q0(system);
  double size = 0, distance = 0;
  PC_TRY(find_size(system, &size, error));
  for (int i = 0; i < l->n_q; i++) distance = pc_larger(distance, l->of_q[i] * fabs(q[i]));
  if (l->contact_count > 0) PC_TRY(look_at_contacts(l, system, &size, &distance, error));
  double length = size > 0 ? size : distance;
  if (length > 0 && isfinite(length)) l->length = length;
  return PC_OK;
}

static void fill_zeros(int n, double* of, double length)
{
  for (int i = 0; i < n; i++)
    if (of[i] == 0) of[i] = length;
}

pc_status pc_lengths_create(pc_lengths* l, const pc_system* system, pc_error* error)
{
  *l = (pc_lengths){.length = 1,
                    .n_q = pc_system_q_count(system),
                    .n_u = pc_system_u_count(system),
                    .contact_count = pc_system_fixed_contact_count(system)};
  l->of_q = pc_alloc((size_t)l->n_q, sizeof *l->of_q);
  l->of_u = pc_alloc((size_t)l->n_u, sizeof *l->of_u);
  l->of_contact = pc_alloc((size_t)l->contact_count, sizeof *l->of_contact);
  if (!l->of_q || !l->of_u || !l->of_contact) return pc_no_memory(error);
  if (mark_lengths(l, system)) PC_TRY(find_length(l, system, error));
  if (l->length == 1) {
    forget_units(l);
    return PC_OK;
  }
  fill_zeros(l->n_q, l->of_q, l->length);
  fill_zeros(l->n_u, l->of_u, l->length);
  fill_zeros(l->contact_count, l->of_contact, l->length);
  return PC_OK;
}

double pc_lengths_largest_in_units(int n, const double* of, const double* x)
{
  double largest = 0;
  for (int i = 0; i < n; i++) largest = pc_larger(largest, of[i] * fabs(x[i]));
  return largest;
}

double pc_lengths_of_row(const pc_lengths* l, pc_row row)
{
  return !l->of_u || is_metric(l->of_u, row) ? 1 : l->length;
}

double pc_lengths_activation(const pc_lengths* l, const pc_scheme_settings* settings)
{
  return isnan(settings->activation_tolerance) ? l->length * ACTIVATION
                                               : settings->activation_tolerance;
}

pc_status pc_find_activation(const pc_system* system, const pc_scheme_settings* settings,
                             double* activation, pc_error* error)
{
  pc_lengths lengths;
  pc_status status = pc_lengths_create(&lengths, system, error);
  *activation = pc_lengths_activation(&lengths, settings);
  pc_lengths_clear(&lengths);
  return status;
}
