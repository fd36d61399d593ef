/* The index set I of the combined projection and activation, Acary, Algorithm 2: the contacts that
 * act in a pass of the projected step, and what a pass makes of it,
 *
 *     I := I and all contacts with g_k+1 <= 0                                          (66)
 *
 * With a tolerance that somebody asks for I is empty at first, and the passes are those of the
 * paper. Else there are shortcuts: I begins with the contacts that are closed and do not open, and
 * a pass ends as soon as contacts are expected to come in. The outcome is the same as long as
 * Newton's iteration contracts; where it does not, a contact may come in a step early. */
#ifndef PC_STEPS_COMBINED_SET_H
#define PC_STEPS_COMBINED_SET_H

#include "steps/projection.h"

typedef struct pc_combined_set {
  const pc_system* system;
  int has_shortcuts;
  int pass_count;    /* of this step */
  int is_cut;        /* the pass at hand has ended early: pc_combined_set_grow_early */
  int has_converged; /* one has not */
  size_t capacity;
  char* active; /* for each contact: whether it is in I */
  double* gap;  /* of each contact at the iterate before */
  int* normal;  /* the normal row of each contact */
  int* next;    /* the next contact in a list of percussions, -1 at its end */
  int* first;   /* n_u: the first one of those whose rows begin at this velocity */
} pc_combined_set;

pc_status pc_combined_set_create(pc_combined_set* set, const pc_system* system,
                                 const pc_scheme_settings* settings, pc_error* error);
void pc_combined_set_clear(pc_combined_set* set);

/* Fits the set to the found contacts of the system after these have changed. */
pc_status pc_combined_set_refit(pc_combined_set* set, pc_error* error);

/* The first set of a step. */
void pc_combined_set_begin(pc_combined_set* set, const pc_theta_step* theta);

/* Makes the set the theta step's active contacts. */
void pc_combined_set_activate(pc_combined_set* set, pc_theta_step* theta);

/* (66) for an iterate of a pass that has not converged: contacts come in that are expected to
 * violate their gaps at the end of the pass. Returns how many; the pass may end then. */
int pc_combined_set_grow_early(pc_combined_set* set, const pc_theta_step* theta);

/* After a pass: whether the set has become another one. */
int pc_combined_set_change(pc_combined_set* set, pc_theta_step* theta, pc_projection* projection);

/* The guess of the percussions for the next pass. */
void pc_combined_set_guess(const pc_combined_set* set, pc_theta_step* theta, const pc_state* state);

#endif
