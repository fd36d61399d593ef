/* What pairs of shapes have carried: of every pair that has touched, sorted by shapes. */
#ifndef PC_SIMULATE_PAIR_TALLY_H
#define PC_SIMULATE_PAIR_TALLY_H

#include "base/threads.h"
#include "percuss/simulate.h"

/* A pair, and the step in which it carried an impulse last. */
typedef struct pc_pair_entry {
  pc_pair_tally pair;
  long last;
} pc_pair_entry;

typedef struct pc_pair_tallies {
  int count;
  size_t capacity;
  pc_pair_entry* entry;
} pc_pair_tallies;

void pc_pair_tallies_clear(pc_pair_tallies* tallies); /* releases what it holds */

/* The contacts of a step that ends at t. Threads, which may be NULL, share the work.
 * PC_OUT_OF_MEMORY. */
pc_status pc_pair_tallies_add(pc_pair_tallies* tallies, const pc_found_contacts* found, long step,
                              double t, pc_threads* threads);

#endif
