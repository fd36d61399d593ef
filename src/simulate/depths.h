/* How deep shapes are in each other at the states of a run, whatever contacts the steps to them
 * knew: the contacts that are found for the next step tell it. */
#ifndef PC_SIMULATE_DEPTHS_H
#define PC_SIMULATE_DEPTHS_H

#include "collide/contact_set.h"

/* A pair of shapes at one state. */
typedef struct pc_depth {
  int shape[2];
  double depth; /* [m] */
} pc_depth;

/* A penetration that is remembered. */
typedef struct pc_deepest {
  pc_depth of;
  double t;     /* [s] */
  double share; /* of the inner radius of its smaller shape */
  double way;   /* by how much its shapes had moved at most since the state before [m] */
} pc_deepest;

typedef struct pc_depths {
  const pc_system* system;
  double* q;              /* of the state looked at last */
  long state;             /* its step; -1: none */
  pc_depth *before, *now; /* pairs that were deep at the state before it, and at it; by shapes */
  int before_count, now_count;
  size_t before_capacity, now_capacity;
  pc_deepest largest, worst; /* by depth, by share */
  pc_deepest sudden; /* deepest beyond what the motion since the state before explains, by share */
} pc_depths;

pc_status pc_depths_create(const pc_system* system, pc_depths** depths, pc_error* error);
void pc_depths_destroy(pc_depths* depths); /* NULL is fine */

/* Nothing has been looked at. */
void pc_depths_begin(pc_depths* depths);

/* A state q at time t after so many steps, and the contacts that were found there. */
pc_status pc_depths_look(pc_depths* depths, const pc_contact_set* set, const double* q, double t,
                         long step, pc_error* error);

/* "box - floor" */
void pc_depths_name(const pc_depths* depths, const pc_depth* of, char* name, size_t size);

#endif
