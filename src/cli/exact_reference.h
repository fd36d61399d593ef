/* The exact motion of a model, as a reference of convergence. */
#ifndef PC_CLI_EXACT_REFERENCE_H
#define PC_CLI_EXACT_REFERENCE_H

#include "cli/convergence.h"

/* Whether the model's `exact:` says anything of this kind. */
int has_exact_part(const pc_model* model, part p);

/* The exact motion at the times of a run, to be freed by the caller; NAN where the model does not
 * give it. The exit code; what is wrong has been said. */
int make_exact_states(const pc_model* model, const states* run, states* exact);

#endif
