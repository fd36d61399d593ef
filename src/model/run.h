/* The sections `simulate:` and `record:`. */
#ifndef PC_MODEL_RUN_H
#define PC_MODEL_RUN_H

#include "model/field.h"
#include "percuss/model.h"

typedef struct pc_run_def {
  const char* scheme; /* static storage; NULL: none is named */
  pc_scheme_settings settings;
  double until; /* [s]; NAN: none is given */
  int* record;  /* quantities, the caller's to free */
  int record_count;
} pc_run_def;

pc_status pc_read_simulate(const pc_reader* r, const pc_node* section, pc_run_def* run);

/* The names of quantities; a name that is the beginning of several, up to a dot, stands for all of
 * them. Without the section, or if it is a mapping: everything. What `more` (may be NULL) asks for
 * comes last. Outputs of joints and forces that are named are added to the system, whose rows must
 * be closed. */
pc_status pc_read_record(pc_reader* r, const pc_node* section, const pc_model_extension* more,
                         pc_run_def* run);

#endif
