/* Accelerations and forces by name. They are no quantities of a system of their own: an output is
 * made of one when it is asked for, so that simulations compute them only then. */
#ifndef PC_SYSTEM_FORCES_H
#define PC_SYSTEM_FORCES_H

#include "base/export.h"
#include "percuss/system.h"

typedef enum pc_force_kind {
  PC_FORCE_ACCELERATION,     /* u' */
  PC_FORCE_ROW_ACCELERATION, /* g'', gamma', g_N'', gamma_F' */
  PC_FORCE_ROW               /* lambda */
} pc_force_kind;

typedef struct pc_force_source {
  pc_force_kind kind;
  int index; /* into u or the rows */
  const char* unit;
} pc_force_source;

/* What the name means in this system, whose rows are closed; 0: nothing. */
PC_SIBLING_API int pc_find_force(const pc_system* system, const char* name,
                                 pc_force_source* source);

/* Its value. */
PC_SIBLING_API double pc_force_value(pc_force_kind kind, int index, const pc_output_at* at);

/* Whether an output of the system has `forces`. */
int pc_system_has_force_outputs(const pc_system* system);

#endif
