/* Compliant contact: what an element has as contacts becomes forces. */
#ifndef PC_ELEMENTS_COMPLIANCE_H
#define PC_ELEMENTS_COMPLIANCE_H

#include "elements/attach.h"

/* Whether the contacts of an element are compliant: they share one law. */
int pc_is_compliant(const pc_element_def* def);

/* Adds the element `def`, whose data it takes, with forces in the place of its contacts. */
pc_status pc_add_compliant(const pc_adding* adding, const pc_element_def* def);

/* Adds the outputs <name>.gap [m] and <name>.force_N [N] of all compliant contacts of a system
 * whose rows are closed. Where an element has two contacts, the gap is the smaller one and the
 * force is the sum. */
PC_SIBLING_API pc_status pc_add_compliant_outputs(pc_system* system, pc_error* error);

#endif
