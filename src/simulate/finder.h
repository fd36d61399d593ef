/* The contacts that a simulation finds: the system of a step, and what is remembered of the steps
 * before. */
#ifndef PC_SIMULATE_FINDER_H
#define PC_SIMULATE_FINDER_H

#include "base/threads.h"
#include "collide/contact_set.h"
#include "simulate/contact_memory.h"

typedef struct pc_finder {
  const pc_system* frozen;
  pc_system* system; /* of the step: what schemes see */
  pc_threads* threads;
  pc_contact_set* set;
  pc_contact_set* probe; /* for a second look, once there is one: see pc_finder_misses */
  pc_find_settings settings;
  pc_choice choice;        /* of the scheme */
  pc_memory_layout layout; /* of the scheme's memory */
  size_t work_capacity;
  double* work;           /* the scheme's memory with that of found contacts */
  pc_contact_memory now;  /* of the state: what begins the next step */
  pc_contact_memory good; /* before the step: what a failed step goes back to */
  int is_kept;            /* `good` is that of the state as well, and `now` is not used */
  pc_contact_memory substeps,
      sum; /* of the substeps of a step that was subdivided, and space to add them up */
  size_t contact_capacity, opened_capacity;
  pc_shape_contact* contact; /* what is seen of those of the state: see pc_finder_compare */
  pc_shape_contact* opened;  /* since `good` */
  pc_found_contacts seen;    /* what observers see of the state */
} pc_finder;

/* *finder is NULL for a system without shapes. The layout of the scheme's memory is told later. */
pc_status pc_finder_create(const pc_system* system, const pc_scheme_settings* settings,
                           pc_finder** finder, pc_error* error);
void pc_finder_destroy(pc_finder* finder); /* NULL is fine */
void pc_finder_set_layout(pc_finder* finder, pc_memory_layout layout);

/* Finds the contacts of a step of length dt from (q, u) on and puts them into the system. */
pc_status pc_finder_find(pc_finder* finder, const double* q, const double* u, double dt,
                         pc_error* error);

/* What is closed at (q, u) goes into `probe`; the system stays as it is. */
pc_status pc_finder_look_around(pc_finder* finder, const double* q, const double* u,
                                pc_error* error);
void pc_finder_forget_probe(pc_finder* finder); /* gives its memory back */

/* After a step from (q, u) to (q_end, u_end): whether something moved so much farther than it was
 * expected to that it may have met what is not in the set. Then the set is replaced by one that has
 * it all. Unless something may have passed through something else, this does not matter where the
 * contacts are chosen at the start, or at the end and none of them is closed there. */
typedef struct pc_finder_step {
  const double *q, *u, *q_end, *u_end;
  double dt;
} pc_finder_step;

pc_status pc_finder_misses(pc_finder* finder, const pc_finder_step* step, int* misses,
                           pc_error* error);

/* Whether two shapes have passed through each other, or nearly so, on the way from q to q_end: an
 * error that names them. */
pc_status pc_finder_check_passage(const pc_finder* finder, const double* q, const double* q_end,
                                  pc_error* error);

/* P of the found rows (all rows are given) and the scheme's memory with them, in `work`, from what
 * is remembered and the memory without them; and the other way. */
pc_status pc_finder_recall(pc_finder* finder, const double* memory, double* P, pc_error* error);
pc_status pc_finder_remember(pc_finder* finder, const double* P, double* memory, pc_error* error);

/* Impulses of substeps of a step add up: a new sum, one substep more, and the sum as what is
 * remembered. */
void pc_finder_begin_substeps(pc_finder* finder);
pc_status pc_finder_add_substep(pc_finder* finder, pc_error* error);
pc_status pc_finder_end_substeps(pc_finder* finder, pc_error* error);

/* What is remembered becomes what a failed step goes back to; and the way back. */
void pc_finder_keep(pc_finder* finder);
void pc_finder_go_back(pc_finder* finder);

/* Nothing is remembered. */
void pc_finder_forget(pc_finder* finder);

/* For a scheme without friction: an error that names two shapes between which there would be
 * some. */
pc_status pc_refuse_found_laws(const pc_system* system, const pc_scheme_settings* settings,
                               pc_error* error);

/* What contact `index` of those that a system of a step has found is between: "box - floor". */
void pc_name_found(const pc_system* system, int index, char* name, size_t size);

/* The rows of the system of a step, or of a substep of one, at its end. */
typedef struct pc_found_rows {
  const double *q, *P, *y, *y_dot, *y_dot_before;
} pc_found_rows;

/* What is seen of the contacts of a substep, whose sums are those of the step. */
pc_status pc_finder_look_at_substep(pc_finder* finder, const pc_found_rows* rows, pc_error* error);

/* What is seen of the contacts that are remembered, which are all in the set. */
pc_status pc_finder_look(pc_finder* finder, const pc_found_rows* rows, pc_error* error);

/* Shows what is remembered to observers; contacts that opened are none. */
void pc_finder_show(pc_finder* finder);

/* The same after a step, with its rows: which contacts began and ceased to carry an impulse since
 * `pc_finder_keep`. Until then what is seen is of the state before the step, so that a step that
 * fails has not changed it. Of a step that was subdivided it is the sum over its substeps, and the
 * rows before it were others. */
pc_status pc_finder_compare(pc_finder* finder, const pc_found_rows* rows, int is_subdivided,
                            pc_error* error);

/* What is remembered becomes this. PC_BAD_ARGUMENT: keys are not sorted, or not of this system, or
 * there are other numbers of each. */
pc_status pc_finder_restore(pc_finder* finder, const pc_found_contacts* found, pc_error* error);

#endif
