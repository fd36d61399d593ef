/* The length of a model: what an absolute tolerance of positions is a share of, and what makes
 * angles and lengths comparable.
 *
 * Gaps of 1e-10 m are none in a machine of a metre, and large in one of a micrometre. The length is
 * the diameter of the largest body, by the geometry of its joints, contacts and shapes, or the
 * longest lever at which a contact acts on an angle, at the start. Neither depends on where the
 * origin is. Where nothing has a size, as among points, it is the largest coordinate or gap. Where
 * units are not known, as of coordinates in formulas, or all lengths are zero, it is 1. */
#ifndef PC_STEPS_LENGTHS_H
#define PC_STEPS_LENGTHS_H

#include "base/larger.h"
#include "linalg/row.h"
#include "percuss/scheme.h"
#include "percuss/system.h"

typedef struct pc_lengths {
  double length; /* [m], above 0 */
  int n_q, n_u;  /* of the system */
  double* of_q;  /* n_q: the length of a unit of each coordinate [m]: 1 of metres, else `length`; */
  double* of_u;  /* n_u: the same of velocities, times a second. Both NULL where all are 1 */
  int contact_count;  /* of those that are not found */
  int is_mixed;       /* there are velocities in metres and in radians a second */
  double* of_contact; /* the length of a unit of each gap: 1, or `length` of an angle; or NULL */
} pc_lengths;

/* The system is evaluated at its start. */
pc_status pc_lengths_create(pc_lengths* lengths, const pc_system* system, pc_error* error);
void pc_lengths_clear(pc_lengths* lengths);

/* The largest of some numbers as a length, or as a velocity [m, m/s]; `of` is of_q or of_u. */
double pc_lengths_largest_in_units(int n, const double* of, const double* x);

/* The largest coordinate as a length [m], */
static inline double pc_lengths_reach(const pc_lengths* lengths, const double* q)
{
  return lengths->of_q ? pc_lengths_largest_in_units(lengths->n_q, lengths->of_q, q)
                       : pc_largest(lengths->n_q, q);
}

/* and the largest velocity [m/s]; of accelerations likewise. */
static inline double pc_lengths_speed(const pc_lengths* lengths, const double* u)
{
  return lengths->of_u ? pc_lengths_largest_in_units(lengths->n_u, lengths->of_u, u)
                       : pc_largest(lengths->n_u, u);
}

/* A velocity, or a displacement along it, as a length. */
static inline double pc_lengths_of_u(const pc_lengths* lengths, int i)
{
  return lengths->of_u ? lengths->of_u[i] : 1;
}

/* The length of a unit of a contact's gap, found or not. */
static inline double pc_lengths_of_gap(const pc_lengths* lengths, int contact)
{
  return lengths->of_contact && contact < lengths->contact_count ? lengths->of_contact[contact] : 1;
}

/* The length of a unit of a row: `length` of an angle, 1 of all else. */
double pc_lengths_of_row(const pc_lengths* lengths, pc_row row);

/* The gap up to which a contact counts as closed [m]: `activation_tolerance`, or 1e-10 of the
 * length where it was not given. */
double pc_lengths_activation(const pc_lengths* lengths, const pc_scheme_settings* settings);

/* The same of a system whose lengths are not at hand. */
pc_status pc_find_activation(const pc_system* system, const pc_scheme_settings* settings,
                             double* activation, pc_error* error);

#endif
