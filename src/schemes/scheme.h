/* What a scheme is: formulas behind a table of a few functions. */
#ifndef PC_SCHEMES_SCHEME_H
#define PC_SCHEMES_SCHEME_H

#include "percuss/scheme.h"
#include "system/terms.h"

/* Which forces a scheme takes at given states, so that it can be unstable above 2/(their largest
 * rate). */
typedef enum pc_explicit {
  PC_EXPLICIT_NONE,
  PC_EXPLICIT_POSITIONS, /* those of springs; dampers do no harm */
  PC_EXPLICIT_ALL
} pc_explicit;

/* How the memory of a scheme is ordered: numbers that have nothing to do with rows, then so many
 * for each row, one row after the other, and so many for each contact. */
typedef struct pc_memory_layout {
  int plain;
  int by_row;
  int by_contact;
} pc_memory_layout;

/* What decides on the contacts that act in a step. Found contacts are those that the velocities at
 * its start lead to; where the step makes a body faster, it may come upon others. */
typedef enum pc_choice {
  PC_CHOOSES_WITHIN,   /* gaps at any time of the step: others may have a part in it */
  PC_CHOOSES_AT_START, /* the state at its start: others have none */
  PC_CHOOSES_AT_END    /* gaps at its end: others have one if they are closed there */
} pc_choice;

typedef struct pc_scheme_ops {
  const char* name;
  const char* summary; /* one line for a person */
  int phase_count;     /* of its iterations, with their names */
  const char* phase[PC_PHASES_MAX];
  pc_explicit explicit_forces;
  int has_no_friction;   /* nor restitution above a speed only: its laws are those of positions */
  int has_accelerations; /* it has accelerations and tells the constraints' violation in them */

  /* Everything a step needs is allocated here. */
  pc_status (*create)(const pc_system* system, const pc_scheme_settings* settings, void** scheme,
                      pc_error* error);
  void (*destroy)(void* scheme);

  /* For schemes that remember more than q, u and P (else NULL): how many numbers state->memory
   * has, and what they are at a state that was not reached by a step. */
  int (*memory_count)(const void* scheme);
  pc_memory_layout (*memory_layout)(const void* scheme); /* NULL: all of them are plain */
  pc_status (*start)(void* scheme, pc_state* state, double dt, pc_error* error);

  /* Advances the state by dt and fills the numbers of `info`. On failure the state is
   * untouched and `error` says why (simulate adds step and time). Does not allocate. */
  pc_status (*step)(void* scheme, pc_state* state, double dt, pc_step_info* info, pc_error* error);

  /* Fits the scheme to the found contacts of its system (system/found.h) after these have changed.
   * What it knows of rows and contacts of a step before is lost. Allocates where there are more
   * of them than ever before, or where their sparsity pattern is another one. */
  pc_status (*refit)(void* scheme, pc_error* error);

  /* Where the scheme looks for the contacts that act in a step. NULL: PC_CHOOSES_WITHIN. */
  pc_choice (*chooses)(const void* scheme);

  /* Other coefficients of friction, one for each contact, from the next step on. NULL: the scheme
   * does not support friction. */
  void (*set_friction)(void* scheme, const double* mu);

  /* For schemes that begin a step with the rows at its start, or end it with those at its end (else
   * NULL): terms at the state with PC_TERM_Y and PC_TERM_W in their mask, and with PC_TERM_ENERGY
   * if that comes for little; no row is deferred. Simulate looks at them instead of evaluating the
   * same once more. They are valid until the next step; the mask is always the same. */
  const pc_terms* (*rows)(void* scheme, const pc_state* state);

  /* For schemes with accelerations and smooth forces as unknowns (else NULL): those of the state,
   * n_u and all rows. */
  void (*forces)(void* scheme, const pc_state* state, const double** a, const double** lambda);
} pc_scheme_ops;

/* NULL if there is no scheme of this name. */
const pc_scheme_ops* pc_find_scheme(const char* name);

extern const pc_scheme_ops pc_moreau;
extern const pc_scheme_ops pc_moreau_jean;
extern const pc_scheme_ops pc_schatzman_paoli;
extern const pc_scheme_ops pc_direct_projection;
extern const pc_scheme_ops pc_combined_projection;
extern const pc_scheme_ops pc_rattle;
extern const pc_scheme_ops pc_lobatto;
extern const pc_scheme_ops pc_generalized_alpha;

#endif
