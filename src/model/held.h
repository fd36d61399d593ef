/* Held quantities of a model file: what forces use of the last step, and sampled controllers. */
#ifndef PC_MODEL_HELD_H
#define PC_MODEL_HELD_H

#include "model/field.h"

/* Whether a name can be that of a load or a gap: pin.force, floor.P_N. Whether there is such a
 * quantity is only known when all elements have been read. */
int pc_is_load_name(const pc_reader* r, const char* name, size_t length);

/* Loads of joints, for suggestions. */
void pc_list_loads(const pc_reader* r, pc_suggestion* names);

/* The coordinate that holds the quantity, among those of the reader; -1: none does. */
int pc_find_held(const pc_reader* r, const char* name, size_t length);

/* A coordinate <name>.held for a quantity of the last step, which `place` uses. */
pc_status pc_hold_load(pc_reader* r, const char* name, const pc_node* place);

/* The coordinate that holds it, a new one if there is none yet. */
pc_status pc_held_load(pc_reader* r, const char* name, const pc_node* place, int* coordinate);

/* A copy of a text that lives as long as the reader; NULL without memory. */
const char* pc_keep_text(pc_reader* r, const char* text);

/* A controller: its output, what it holds, and how long. */
typedef struct pc_controller_def {
  const char* name;     /* <name>.command is the output, <name>.held what acts */
  const pc_node* value; /* a formula of any quantity */
  const char* unit;
  double sample; /* [s], positive */
  double delay;  /* [s], 0 or a multiple of `sample` */
  const pc_node* place;
} pc_controller_def;

/* `coordinate` is what acts, among those of the reader. */
pc_status pc_hold_command(pc_reader* r, const pc_controller_def* def, int* coordinate);

/* Says what the coordinates hold, when all outputs have been added. */
pc_status pc_close_held(pc_reader* r);

#endif
