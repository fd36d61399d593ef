/* The local terms of an element made of formulas, as expressions and as a program. */
#ifndef PC_FORMULA_FORMULA_ELEMENT_H
#define PC_FORMULA_FORMULA_ELEMENT_H

#include "formula/formula.h"
#include "system/element.h"

/* The arrays of pc_local that can be filled, in its order; those of h once more in momentum
 * form. */
typedef enum pc_slot {
  PC_SLOT_M,
  PC_SLOT_MA_Q,
  PC_SLOT_H,
  PC_SLOT_H_Q,
  PC_SLOT_H_U,
  PC_SLOT_Y,
  PC_SLOT_W,
  PC_SLOT_CHI,
  PC_SLOT_W_Q,
  PC_SLOT_CHI_Q,
  PC_SLOT_W_T,
  PC_SLOT_ZETA_T,
  PC_SLOT_ENERGY,
  PC_SLOT_F,
  PC_SLOT_P,
  PC_SLOT_P_Q,
  PC_SLOT_MOMENTUM_H,
  PC_SLOT_MOMENTUM_H_Q,
  PC_SLOT_MOMENTUM_H_U,
  PC_SLOT_COUNT
} pc_slot;

/* An entry that is not the number 0. */
typedef struct pc_entry {
  int offset; /* within its array */
  pc_expr expr;
} pc_entry;

typedef struct pc_entries {
  int count, capacity;
  pc_entry* entry;
} pc_entries;

/* All terms, in a pool of their own. Variables: 0 is t, then n_q of q, n_u of u, n_u of a. */
typedef struct pc_formula_terms {
  pc_pool* pool;
  int n_q, n_u;
  int row_count; /* g, gamma, contacts */
  pc_entries slot[PC_SLOT_COUNT];
} pc_formula_terms;

/* Where a rigid body in space has its coordinates (x, y, z, then the quaternion) and velocities. */
typedef struct pc_formula_body {
  int q_first, u_first;
} pc_formula_body;

/* The coordinates of the parts. All but those of the bodies listed have q' = u. */
typedef struct pc_formula_layout {
  int n_q, n_u;
  int body_count;
  const pc_formula_body* body; /* in the order of their coordinates */
} pc_formula_layout;

/* Errors as pc_add_formula. */
pc_status pc_formula_terms_create(const pc_formula_def* def, const pc_formula_layout* layout,
                                  pc_formula_terms** terms, pc_error* error);
void pc_formula_terms_destroy(pc_formula_terms* terms); /* NULL is fine */

/* Whether a slot is filled for a mask. */
int pc_slot_is_wanted(pc_slot slot, unsigned mask);

/* Terms with an entry that is not the number 0; those all of whose entries are numbers. */
unsigned pc_formula_terms_provide(const pc_formula_terms* terms);
unsigned pc_formula_terms_constant(const pc_formula_terms* terms);

/* The element, whose data are pc_formula_terms. */
extern const pc_element_ops pc_formula_ops;

#endif
