/* What a run remembers of found contacts from one step to the next, by their keys: the impulse, and
 * what the scheme keeps for each row and each contact. Sorted by key.
 *
 * Numbers that belong to rows are kept in inertial components, since tangents are chosen anew in
 * every step: three of them, and the one of the row of spin. */
#ifndef PC_SIMULATE_CONTACT_MEMORY_H
#define PC_SIMULATE_CONTACT_MEMORY_H

#include "base/threads.h"
#include "collide/contact_set.h"
#include "percuss/found.h"
#include "schemes/scheme.h"

typedef struct pc_contact_memory {
  int by_row, by_contact; /* numbers of the scheme for each row, for each contact */
  int stride;             /* numbers for a contact: 4 (1 + by_row) + by_contact */
  int count;
  size_t capacity, value_capacity, contact_capacity;
  pc_contact_key* key;
  double* value;             /* stride for each, and space for all contacts of a set */
  pc_shape_contact* contact; /* what is seen of each: see found.h; only of substeps */
} pc_contact_memory;

void pc_contact_memory_clear(pc_contact_memory* memory); /* releases what it holds */

/* A scheme's memory by rows and contacts of the system of a step: `fixed` and `all` rows and
 * contacts. */
typedef struct pc_memory_sizes {
  pc_memory_layout layout;
  int fixed_rows, rows, fixed_contacts, contacts;
} pc_memory_sizes;

/* All numbers of a scheme's memory. */
size_t pc_memory_size(const pc_memory_sizes* sizes);

/* P (all rows) of the found contacts, and the scheme's memory: `fixed` is that of the system
 * without found contacts, `all` with those of the set; and the other way. Threads, which may be
 * NULL, share the work. */
void pc_contact_memory_recall(const pc_contact_memory* memory, const pc_contact_set* set,
                              const pc_memory_sizes* sizes, const double* fixed, double* P,
                              double* all, pc_threads* threads);
pc_status pc_contact_memory_remember(pc_contact_memory* memory, const pc_contact_set* set,
                                     const pc_memory_sizes* sizes, const double* P,
                                     const double* all, double* fixed, pc_threads* threads);

pc_status pc_contact_memory_copy(const pc_contact_memory* from, pc_contact_memory* to);

/* The first contact whose key is not less, by bisection. */
int pc_contact_memory_find(const pc_contact_memory* memory, const pc_contact_key* key);

/* Space for so many contacts; and for what is seen of them. */
pc_status pc_contact_memory_reserve(pc_contact_memory* memory, int count);
pc_status pc_contact_memory_reserve_seen(pc_contact_memory* memory, int count);

/* sum = a + b: impulses add up, what else there is comes from b, which is later. */
pc_status pc_contact_memory_add(const pc_contact_memory* a, const pc_contact_memory* b,
                                pc_contact_memory* sum);

#endif
