/* The length of a model: what an absolute tolerance of positions is a share of.
 *
 * Gaps of 1e-10 m are none in a machine of a metre, and large in one of a micrometre. The length is
 * the largest that the start shows: coordinates in metres, gaps of contacts, and the levers at
 * which these act on angles. It counts up to a metre: larger models keep tolerances in metres,
 * which ask for more digits. Where units are not known, as of coordinates in formulas, or all
 * lengths are zero, it is a metre. */
#ifndef PC_STEPS_LENGTHS_H
#define PC_STEPS_LENGTHS_H

#include "base/larger.h"
#include "percuss/scheme.h"
#include "percuss/system.h"

typedef struct pc_lengths {
  double length; /* [m], above 0 and at most 1 */
  int n_q, n_u;  /* of the system */
  double* of_q;  /* n_q: the length of a unit of each coordinate [m]: 1 of metres, else `length`; */
  double* of_u;  /* n_u: the same of velocities, times a second. Both NULL where all are 1 */
} pc_lengths;

/* The system is evaluated at its start. */
pc_status pc_lengths_create(pc_lengths* lengths, const pc_system* system, pc_error* error);
void pc_lengths_clear(pc_lengths* lengths);

/* The largest coordinate as a length [m]; the first of them where units have lengths of their
 * own. */
double pc_lengths_reach_in_units(const pc_lengths* lengths, const double* q);

static inline double pc_lengths_reach(const pc_lengths* lengths, const double* q)
{
  return lengths->of_q ? pc_lengths_reach_in_units(lengths, q) : pc_largest(lengths->n_q, q);
}

/* The gap up to which a contact counts as closed [m]: `activation_tolerance`, or 1e-10 of the
 * length where it was not given. */
double pc_lengths_activation(const pc_lengths* lengths, const pc_scheme_settings* settings);

/* The same for a model of a metre or more: it is at most this for any model [m]. */
double pc_activation_most(const pc_scheme_settings* settings);

#endif
