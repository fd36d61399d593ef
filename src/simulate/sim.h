/* The inside of pc_sim, for the files of this module. */
#ifndef PC_SIMULATE_SIM_H
#define PC_SIMULATE_SIM_H

#include "percuss/simulate.h"
#include "schemes/scheme.h"
#include "simulate/depths.h"
#include "simulate/finder.h"
#include "simulate/forces.h"
#include "simulate/ledger.h"
#include "system/loads.h"

typedef struct pc_observer_entry {
  pc_observer* see;
  void* user;
} pc_observer_entry;

typedef struct pc_sim_observers {
  pc_observer_entry* entry;
  int count, capacity;
} pc_sim_observers;

/* The array that is the state: q, u, memory and P; P of found contacts is its end. */
typedef struct pc_sim_storage {
  int size;        /* without found contacts */
  size_t capacity; /* of what was allocated */
  int qu_count;    /* of q and u together, with which it begins */
  double* good;    /* its copy before the step: what a failed step goes back to */
} pc_sim_storage;

/* Rows at the state, with those of found contacts. */
typedef struct pc_sim_rows {
  int count;
  size_t capacity;    /* of the arrays of velocities and y */
  int move_with_time; /* some do */
  /* Of y_dot and its copies: the rows, and as many again where rows move with time, whose chi lie
   * behind. */
  int velocity_count;
  double *y, *y_dot;
  double* y_dot_before; /* at the state before the step */
} pc_sim_rows;

/* A step that was subdivided: where the substep at hand began. Empty where steps are not. */
typedef struct pc_sim_substep {
  double* state; /* before it, to go back to */
  double* y_dot; /* rows, before a later substep than the first */
  const double*
      y_dot_before; /* that, or those before the step: the velocities before the substep at hand */
  double* P;        /* rows for each level of halving: percussions of substeps already done */
} pc_sim_substep;

typedef struct pc_sim_outputs {
  double* value;     /* at the state */
  double* turns;     /* of each, the end of the memory: multiples of its period */
  int read_forces;   /* some of them read accelerations or forces ... */
  pc_forces* forces; /* ... which are these; NULL before the first time, or without memory */
  pc_loads* loads;   /* of elements; NULL: no output reads them */
} pc_sim_outputs;

/* Coefficients of friction that depend on the sliding speed. */
typedef struct pc_sim_friction {
  int has_curves; /* some contacts of the step do; else the rest is not needed */
  double* mu;     /* work: of each contact of the step */
  size_t capacity;
} pc_sim_friction;

/* What flows into the system, at the state and before the substep at hand. */
typedef struct pc_sim_energy {
  double power, power_before;   /* of explicit time in the energies [W] */
  double supply, supply_before; /* of forces that give energy [W] */
  double before;                /* T + V before the substep at hand [J] */
  double step;   /* what the forces give to the system at rest in one step, see step_energy.h [J] */
  double driven; /* what drives prescribe at the start, likewise [J] */
} pc_sim_energy;

struct pc_sim {
  const pc_system* system;      /* of the user */
  const pc_system* step_system; /* what the scheme sees: with the contacts of the step */
  pc_finder* finder;            /* NULL: the system has no shapes */
  pc_depths* depths;            /* of them at the states so far; NULL likewise */
  const pc_scheme_ops* ops;
  void* scheme;
  pc_scheme_settings settings;
  pc_state state; /* in `storage` */
  pc_sim_storage storage;
  double* monitor; /* a part of the memory, behind that of the scheme */
  double* held;    /* work: values of held quantities */
  pc_sim_outputs outputs;
  pc_sim_friction friction;
  pc_sim_rows rows;
  pc_sim_substep substep;
  pc_sim_energy energy;
  pc_terms* terms; /* what is looked at and the scheme has not; NULL if it has everything */
  pc_step_info info;
  pc_observation seen;
  pc_ledger ledger;
  pc_sim_observers observers;
  int looked; /* `seen` is of this step, not of the state before it */
  /* all that was last observed: an open contact whose gap is NaN shows nowhere else */
  int is_finite;
  int shown; /* the initial state has been shown to the observers */
};

/* A step is halved at most this often: to 1/1024 of its length. */
enum { PC_HALVINGS_MAX = 10 };

/* Checks the masses of the system and creates the scheme. */
pc_status pc_sim_create_scheme(pc_sim* sim, pc_error* error);

/* How many numbers the scheme keeps in the state's memory; and tells them to the finder. */
int pc_sim_scheme_memory(const pc_sim* sim);
void pc_sim_set_layout(pc_sim* sim);

/* Begins at the state, of which the scheme has no memory yet, with a new ledger. */
pc_status pc_sim_begin(pc_sim* sim, pc_error* error);

/* The scheme's memory, as it is at a state that no step has reached. */
pc_status pc_sim_start_memory(pc_sim* sim, pc_error* error);

/* Looks at the state for the first time. */
pc_status pc_sim_look_at_start(pc_sim* sim, pc_error* error);

/* Finds the contacts of a step of length dt from the state on; all that follows from them is
 * pc_sim_fit. */
pc_status pc_sim_find(pc_sim* sim, double dt, pc_error* error);

/* Fits everything to the contacts that were found: arrays, scheme, the percussions that begin the
 * step; and looks at the rows. */
pc_status pc_sim_fit(pc_sim* sim, pc_error* error);

/* The state as the scheme sees it: with the memory of found contacts. */
static inline pc_state pc_sim_scheme_state(const pc_sim* sim)
{
  pc_state state = sim->state;
  if (sim->finder) state.memory = sim->finder->work;
  return state;
}

/* The rows of contacts between shapes at the state; `before`: velocities of the rows before the
 * step, or the substep of one. */
pc_found_rows pc_sim_found_rows(const pc_sim* sim, const double* before);

/* Positions and velocities of all rows and the energies, at the state. */
void pc_sim_observe(pc_sim* sim);

/* The same of gaps and velocities of rows alone, where contacts were found anew at a state that has
 * been observed. */
void pc_sim_observe_rows(pc_sim* sim);

/* The outputs at the state. A periodic one is taken nearest to its value before, `before` not 0, or
 * with the turns that the memory holds. */
void pc_sim_compute_outputs(pc_sim* sim, int follow);

/* Gives the scheme the coefficients of friction at the rows' velocities, where they depend on
 * them. */
pc_status pc_sim_set_friction(pc_sim* sim, pc_error* error);

/* Whether a coefficient of friction depends on the sliding speed. */
int pc_has_friction_curves(const pc_system* system);

/* Held quantities that are due take their values at the state; those of impulses only on demand. */
void pc_sim_hold(pc_sim* sim, int with_impulses);

/* Names what is not finite: a term at the last good state or on the way to the next one (then it
 * returns 1), else the part whose motion is not. Allocates. */
int pc_sim_locate(const pc_sim* sim, char* where, size_t size);

#endif
