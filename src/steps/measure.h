/* One measure of convergence: when do the equations of a step hold?
 *
 * An equation holds where what is left of it is a small share, --tol, of the size of its terms, as
 * in CVODE, or what round-off leaves of these terms. The terms of a balance of momentum are the
 * change of momentum in the step and the impulses: all of them shrink with the step, so that what
 * is left of them over a run is a share of its impulses, however many steps it has. The momentum
 * itself is none of them, or a fast body in small steps would not feel its forces; it counts for
 * round-off alone. A row (a joint, a contact) is measured by the velocities in it: every step asks
 * for the whole of these, so that what is left does not add up. Of velocities no more than
 * --abs-tol [m/s, rad/s] may be left, of momenta no more than that times an inertia: it bounds the
 * limit from above, and is not added to it as in CVODE, which would leave all that is slower to
 * the guess.
 *
 * Momenta are asked body by body: a body is a run of velocities that share a kinetic energy. Its
 * equations have one size in common, as one of them may have no terms but round-off, and momenta [N
 * s] and angular momenta [N m s] are made comparable by the roots of their inertias, as the energy
 * does it. So a motion has the same digits whatever the unit of mass is, and a light body beside a
 * heavy one is measured by what happens to itself.
 *
 * A --tol that is given is the papers' one, on which their counts of iterations rest:
 * absolute, in the unit of the equation, on the largest of all of them (--residual tells
 * otherwise).
 *
 * Round-off is counted by one rule: PC_ROUND_OFF of the largest number that is added up on the way
 * to an equation. Stiff forces come from differences of large positions, so that what is added up
 * in them is |dh/dq| |q| and |dh/du| |u|. First a body is forgiven its own; where a loop gets no
 * further, bodies that act on each other have that of the largest among them, and velocities that
 * move no coordinate in a step are none. */
#ifndef PC_STEPS_MEASURE_H
#define PC_STEPS_MEASURE_H

#include <float.h>
#include <math.h>

#include "percuss/scheme.h"
#include "steps/lengths.h"
#include "system/terms.h"

/* Last digits of the largest term: a balance of a few terms, each of which is a sum of some
 * products, is seen to leave up to ten. */
#define PC_ROUND_OFF (16 * DBL_EPSILON)

/* The same for |dh/dq| |q| + |dh/du| |u|, which sums up what cancels: beams and bars stay below
 * that. */
#define PC_ROUND_OFF_OF_FORCES (4 * DBL_EPSILON)

/* The same for a position or velocity along a row, to which the coordinates of two points add
 * up. */
#define PC_ROUND_OFF_OF_ROWS (4 * PC_ROUND_OFF)

typedef struct pc_measure {
  double relative; /* of the size of the terms */
  double
      velocity; /* and of velocities at most this [m/s, rad/s], of momenta this times an inertia */
  double absolute; /* of any equation, in its own unit: the papers' tolerance; 0: not asked for */
  int n_u;
  int has_forces; /* that depend on q or u */
  int body_count;
  int* first;         /* n_u + 1: the first velocity of each body */
  int* body_of;       /* n_u */
  double* inertia;    /* n_u: the diagonal of M at the start; 1 where it is 0 */
  double* root;       /* n_u: its square root, */
  double* inverse;    /* n_u: and 1 over that */
  double* top;        /* bodies: the largest root of each */
  double* change;     /* n_u: the larger of the change of momentum and the impulse of forces */
  double* motion;     /* n_u: the largest of these and the momentum itself */
  double* percussion; /* n_u: the largest percussion */
  double* pace;       /* bodies: the largest motion over the root of its inertia */
  double* forces;     /* n_u: what is added up in h [N]; with has_forces */
  double still;       /* velocities below this move no coordinate in a step, where a loop stalls */
  double last;        /* of the iterate before: the largest residual in units of what it may be */
  int stalls;         /* how often that was not halved in this loop, or rows did not hold */
  pc_lengths lengths;
} pc_measure;

/* An iterate: `terms` (h, h_q, h_u) at (q, v), the residual of the balance [N s]. Round-off alone
 * asks for q and v; where they have to be computed for it, `locate` does so before they are
 * read. */
typedef struct pc_iterate {
  const pc_terms* terms;
  const double *q, *v, *residual;
  double dt;
  void (*locate)(void* user); /* or NULL */
  void* user;
} pc_iterate;

/* The most that may be left of a velocity: --abs-tol, or no bound [m/s, rad/s]. */
static inline double pc_most_velocity(const pc_scheme_settings* settings)
{
  return isnan(settings->absolute_tolerance) ? HUGE_VAL : settings->absolute_tolerance;
}

/* Whether equations are measured by their terms, rather than by the papers' tolerance. */
int pc_is_scaled(const pc_scheme_settings* settings);

/* `terms` have M; they are evaluated at the system's start. */
pc_status pc_measure_create(pc_measure* measure, pc_terms* terms,
                            const pc_scheme_settings* settings, pc_error* error);

/* How much may be left, and no more than that: it cannot measure anything. */
void pc_measure_set_limits(pc_measure* measure, const pc_scheme_settings* settings);
void pc_measure_clear(pc_measure* measure);

/* A new loop. */
void pc_measure_begin(pc_measure* measure);

/* The terms of equation i without percussions: an impulse, a change of momentum, and the
 * velocity. */
static inline void pc_measure_set(pc_measure* m, int i, double impulse, double change, double v)
{
  double momentum = m->inertia[i] * fabs(v), size = fabs(change);
  impulse = fabs(impulse);
  size = impulse > size ? impulse : size;
  m->change[i] = size;
  m->motion[i] = momentum > size ? momentum : size;
  m->percussion[i] = 0;
}

/* Adds the percussion P of a row to the rest of the balance, and notes it. A number that is not
 * finite shows in the residual. */
static inline void pc_measure_add_row(pc_measure* m, pc_row row, double P, double* residual)
{
  const double* w = row.w;
  for (int k = 0; k < row.block_count; k++)
    for (int i = row.block[k].first, end = i + row.block[k].width; i < end; i++) {
      double term = *w++ * P, size = fabs(term);
      residual[i] += term;
      m->percussion[i] = size > m->percussion[i] ? size : m->percussion[i];
    }
}

/* What a momentum in equation i comes to as a velocity of its body, by the energy [1/kg]. */
static inline double pc_measure_velocity(const pc_measure* m, int i)
{
  return m->inverse[i] / m->top[m->body_of[i]];
}

/* The largest term of equation i [N s]. */
static inline double pc_measure_size(const pc_measure* m, int i)
{
  return m->motion[i] > m->percussion[i] ? m->motion[i] : m->percussion[i];
}

/* Whether the balance of momenta holds. */
int pc_measure_holds(pc_measure* measure, const pc_iterate* iterate);

/* How much the terms of momentum on a row's bodies change of its velocity, each by itself [m/s]. */
double pc_measure_row_change(const pc_measure* measure, pc_row row);

/* The balance of momenta holds, but some row does not. */
static inline void pc_measure_miss(pc_measure* m)
{
  m->stalls++;
}

/* After `holds`: whether what is left of a row's velocity is within its limit or round-off: that of
 * the terms of momentum (below a heavy body, a light one is known no better), and what else there
 * may be [m/s]. */
int pc_measure_row_holds(const pc_measure* measure, pc_row row, double left, double round_off);

/* What round-off leaves of a gap among coordinates like these: the coordinates of two points add up
 * to it. */
double pc_position_round_off(const pc_measure* measure, const double* q);

#endif
