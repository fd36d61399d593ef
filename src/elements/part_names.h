/* Adding a part whose quantities are called after it. */
#ifndef PC_ELEMENTS_PART_NAMES_H
#define PC_ELEMENTS_PART_NAMES_H

#include "elements/attach.h"

/* Adds `def` under the name of `adding`; its quantities are called <name>.<q_tail> and
 * <name>.<u_tail>. A NULL list of tails leaves the names of `def` as they are. */
pc_status pc_add_named_part(const pc_adding* adding, const pc_part_def* def,
                            const char* const* q_tail, const char* const* u_tail, pc_part_id* id);

#endif
