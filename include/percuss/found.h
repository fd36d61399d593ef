/// \file
/// Contacts between shapes, as a simulation has found them: what an observer sees of them.
///
/// They come and go, so that they have no number and no name of their own. A *key* says which one
/// it is: two shapes (pc_system_collider gives their names and parts), and the features of both
/// that are near each other. The same features of the same shapes have the same key in every step.
#ifndef PERCUSS_FOUND_H
#define PERCUSS_FOUND_H

#include <stdint.h>

#include "percuss/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// In place of the number of a contact: it was found between shapes.
enum { PC_FOUND = -1 };

/// Which contact between shapes it is.
typedef struct pc_contact_key {
  int shape[2];  ///< colliders of the system, the smaller index first
  /// of the first shape in the upper 32 bits, of the second in the lower ones: its kind (point,
  /// line, face, curved) in bits 28 to 31, below them its index
  uint64_t feature;
} pc_contact_key;

/// -1, 0 or 1: the order in which contacts are listed.
PC_API int pc_contact_key_compare(const pc_contact_key* a, const pc_contact_key* b);

/// A contact between two shapes, as a step leaves it. Of a step that was subdivided, impulses are
/// sums.
typedef struct pc_shape_contact {
  pc_contact_key key;      ///< which contact it is
  double P[3];             ///< impulse on the body of the first shape, inertial components [N s]
  double spin;             ///< about the normal, of Contensou friction: that of its row [N s]
  double P_N;              ///< the part of P along the normal [N s]
  double normal[3];        ///< unit vector from the second shape to the first, as the step began
  double point[3];         ///< at the end of the step, half-way between the shapes [m]
  double gap;              ///< at the end of the step [m]; negative: penetration
  double velocity_before;  ///< of the gap [m/s]; NAN: not known, of a contact that opened
  double velocity_after;   ///< likewise
  int closed;              ///< not 0: it carries an impulse, and carried none in the step before
} pc_shape_contact;

/// The contacts between shapes of a step. The arrays are the simulation's and live until its next
/// step.
typedef struct pc_found_contacts {
  int count;  ///< that carry an impulse, or of which the scheme remembers something; by their keys
  const pc_shape_contact* contact;  ///< `count` of them
  int opened_count;                 ///< that carry none any more, by their keys
  const pc_shape_contact* opened;   ///< `opened_count` of them
  int memory_count;                 ///< numbers that are remembered of each contact
  /// of all contacts, one after the other: P and spin, then what is the scheme's own affair
  const double* memory;
} pc_found_contacts;

#ifdef __cplusplus
}
#endif
#endif
