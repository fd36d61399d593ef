/* The exact motion of a model, as a reference of convergence. */
#ifndef PC_STUDY_EXACT_REFERENCE_H
#define PC_STUDY_EXACT_REFERENCE_H

#include "study/convergence.h"

/* Whether the model's `exact:` says anything of this kind. */
int has_exact_part(const pc_model* model, part p);

/* The exact motion at the times of a run, to be freed by the caller; NAN where the model does not
 * give it. */
pc_status make_exact_states(const pc_model* model, const states* run, states* exact,
                            pc_error* error);

#endif
