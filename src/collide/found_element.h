/* The contacts of a set as elements of the system of a step. */
#ifndef PC_COLLIDE_FOUND_ELEMENT_H
#define PC_COLLIDE_FOUND_ELEMENT_H

#include "collide/colliders.h"
#include "collide/contact_set.h"
#include "system/found.h"

/* Puts the contacts of the set into the system, which refers to them until the set is found
 * anew. */
pc_status pc_contact_set_extend(pc_contact_set* set, const pc_colliders* colliders,
                                pc_system* extended, pc_error* error);

#endif
