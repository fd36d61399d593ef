/* Materials: the law of contact between two shapes from what they are made of.
 *
 * A pair of materials that is listed has its own law. For one that is not, friction is the
 * geometric mean of both coefficients, restitution, normal and tangential, the smaller of both
 * (energy is lost in the softer one), the speed from which on they rebound the larger, and the
 * contact radius the smaller. A material without friction has none with any other. */
#ifndef PC_COLLIDE_MATERIAL_H
#define PC_COLLIDE_MATERIAL_H

#include "base/export.h"
#include "percuss/collide.h"

typedef struct pc_material_table pc_material_table;

pc_material_table* pc_material_table_create(void); /* NULL if there is no memory */
void pc_material_table_destroy(pc_material_table* table);

/* Adds a material, whose index is the number of those before it, or says what is wrong with it
 * (`name`, in texts). */
pc_status pc_material_table_add(pc_material_table* table, const char* name,
                                const pc_material* material, int* index, pc_error* error);

/* The law of a pair of materials, which may be the same one twice. A later law replaces an earlier
 * one. */
pc_status pc_material_table_set_pair(pc_material_table* table, int a, int b, const pc_material* law,
                                     pc_error* error);

int pc_material_table_count(const pc_material_table* table);

/* The law between two materials. */
pc_material pc_material_between(const pc_material_table* table, int a, int b);

#endif
