/* The section `exact:`: a motion that is known, as formulas of t. */
#ifndef PC_MODEL_EXACT_H
#define PC_MODEL_EXACT_H

#include "model/field.h"

typedef struct pc_exact_entry {
  int quantity;
  pc_signal value;
} pc_exact_entry;

typedef struct pc_exact {
  pc_exact_entry* item; /* in the order of the file */
  int count;
} pc_exact;

/* Coordinates, velocities and percussions by their names. `where`, a mapping, gives names to parts
 * of the formulas; a formula may use t, the parameters, and what stands above it. The system must
 * be frozen. NULL: there is no such section. */
pc_status pc_read_exact(const pc_reader* r, const pc_node* section, pc_exact* exact);
void pc_exact_clear(pc_exact* exact);

/* 0 if there is nothing about this quantity. */
int pc_exact_value(const pc_exact* exact, int quantity, double t, double* value);

#endif
