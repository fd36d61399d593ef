/* percuss check --assemble: initial values that fit, and what was changed. */
#ifndef PC_CLI_CHECK_ASSEMBLE_H
#define PC_CLI_CHECK_ASSEMBLE_H

#include "percuss/percuss.h"

/* Assembles a model and prints what that changes. Returns an exit code. */
int show_assembly(const pc_model* model, const char* path, int json);

#endif
