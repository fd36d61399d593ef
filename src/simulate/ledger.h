/* The ledger of a run: energy balance, events of contacts, largest violations, and their sums. */
#ifndef PC_SIMULATE_LEDGER_H
#define PC_SIMULATE_LEDGER_H

#include "percuss/simulate.h"
#include "simulate/pair_tally.h"
#include "simulate/scale.h"

enum { PC_EVENTS_KEPT = 32 };

/* The rows of a contact: its normal row and the friction rows behind it. */
typedef struct pc_ledger_contact {
  int normal;
  int dimension;
} pc_ledger_contact;

/* The energy of a run against what can account for it. */
typedef struct pc_energy_growth {
  double gain;      /* largest E - E_0 - supply, or E - E_0 - work, so far [J] ... */
  double time;      /* ... and when [s] */
  double lowest;    /* smallest V so far [J] */
  double available; /* E_0 + supply - lowest: what could be motion if nothing were lost [J] */
  double kinetic;   /* largest T so far [J] */
  double magnitude; /* largest T + |V|: round-off is a share of it [J] */
  double friction;  /* lost in friction, see add_friction in ledger.c [J] */
} pc_energy_growth;

/* Of the found contacts of a step: how many carry an impulse, the largest one, and which contact it
 * belongs to. */
typedef struct pc_found_extremes {
  int closed, P_at;
  double P;
} pc_found_extremes;

typedef struct pc_ledger {
  const pc_system* system;                      /* of the step */
  int g_count, constraint_count, contact_count; /* of the system, without found contacts */
  pc_ledger_contact* contact;
  pc_contact_tally* tally;     /* of each of these contacts */
  pc_found_tally found;        /* of the others */
  pc_pair_tallies pairs;       /* and by pairs of shapes */
  pc_found_extremes* extremes; /* work, by worker */
  pc_scales scales;            /* the measure of violations */
  pc_energy_growth growth;
  pc_summary sum;
  double energy;                  /* at the last observation */
  long iterations[PC_PHASES_MAX]; /* in all */
  pc_event event[PC_EVENTS_KEPT];
  int event_count;
  pc_violation* violation; /* of every law, see pc_list_violations */
} pc_ledger;

/* `system` is that of a step: found contacts count in sums and largest values. */
pc_status pc_ledger_create(pc_ledger* ledger, const pc_system* system, pc_error* error);
void pc_ledger_clear(pc_ledger* ledger); /* releases what it holds */

/* A new book, from this state on. */
void pc_ledger_begin(pc_ledger* ledger, const pc_observation* seen);

/* The energy-growth monitor: spurious energy, which the scheme makes. It is a part of the state, so
 * that a run that goes on from a state is stopped where the whole one is. */
enum { PC_MONITOR_SIZE = 4 };
void pc_monitor_begin(double monitor[PC_MONITOR_SIZE], const pc_observation* seen);

/* Energy that the scheme has made until the step just seen, if all motion has come to be of its
 * making [J], else 0. To be asked after every step. */
double pc_spurious_energy(double monitor[PC_MONITOR_SIZE], const pc_observation* seen);

/* Whether the last step, at least, looks like that. */
int pc_monitor_suspects(const double monitor[PC_MONITOR_SIZE]);

/* One more step, with its balance. */
void pc_ledger_add(pc_ledger* ledger, const pc_observation* seen);

pc_summary pc_ledger_summary(const pc_ledger* ledger, const pc_observation* seen);

/* Adds what found contacts lose in a step. */
void pc_add_found_losses(const pc_ledger* ledger, const pc_observation* seen, const double* before,
                         double* impact, double* friction);

/* Adds the balance of a step (or a substep of one) from `energy`, where rows had the velocities
 * `before`, to the observation, with `work` in between; the supply is left to the caller. Contacts
 * lose what their percussions do against the mean of the velocities before and after; whatever else
 * is missing is the scheme's. It closes by construction. */
static inline void pc_add_balance(const pc_ledger* l, const pc_observation* seen,
                                  const double* before, double energy, double work,
                                  pc_balance* balance)
{
  const double *P = seen->state->P, *y_dot = seen->y_dot;
  double impact = 0, friction = 0;
  for (int k = 0; k < l->contact_count; k++) {
    int normal = l->contact[k].normal, end = normal + l->contact[k].dimension;
    impact += -P[normal] * (y_dot[normal] + before[normal]) / 2;
    for (int row = normal + 1; row <= end; row++)
      friction += -P[row] * (y_dot[row] + before[row]) / 2;
  }
  if (seen->found) pc_add_found_losses(l, seen, before, &impact, &friction);
  balance->work += work;
  balance->impact += impact;
  balance->friction += friction;
  balance->scheme += energy + work - impact - friction - (seen->kinetic + seen->potential);
}

#endif
