/* Is the play of a contact too small for the step?
 *
 * The pin in a bore goes round within its play r: the normal of their contact turns by v dt/r in a
 * step, v being the velocity of the pin's centre along the bore. Where that is a good part of a
 * radian, what a step linearises is not what it meets, and its iteration may fail. */
#ifndef PC_STEPS_TURNING_CONTACT_H
#define PC_STEPS_TURNING_CONTACT_H

#include "system/terms.h"

typedef struct pc_turning_contact {
  int contact;  /* -1: none turns by much */
  int alone;    /* if one of its bodies stopped; else with the motion of both */
  double angle; /* by which its normal would turn in the step [rad] */
  double dt; /* a step in which it turns by a tenth of a radian, or by one radian if `alone` [s] */
} pc_turning_contact;

/* The contact, closed or about to close, whose normal turns most in a step of length dt from (t, q,
 * u): by more than a fifth of a radian. If there is none, one whose normal would turn by more than
 * two if one of its bodies stopped. Directions are compared in units in which velocities count by
 * their inertia. */
pc_status pc_find_turning_contact(const pc_system* system, double t, const double* q,
                                  const double* u, double dt, pc_turning_contact* found,
                                  pc_error* error);

#endif
