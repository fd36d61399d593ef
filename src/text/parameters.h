/* The `parameters:` of a model file: named numbers that may depend on each other in any order. */
#ifndef PC_TEXT_PARAMETERS_H
#define PC_TEXT_PARAMETERS_H

#include "percuss/model.h"
#include "text/expression.h"
#include "text/names.h"

typedef struct pc_parameter {
  const char* name;
  const char* text;    /* of the file, or of an override */
  const pc_node* node; /* its value in the file */
  int overridden;
  int known; /* `value` is there */
  double value;
} pc_parameter;

typedef struct pc_parameters {
  int count;
  pc_parameter* item; /* in the order of the file */
  pc_names index;
} pc_parameters;

/* Reads the section (NULL: none) and gives every parameter its value. Names and texts stay with the
 * tree and with the overrides, which are not needed any more once this has returned, except for the
 * names. An override that makes no sense is a PC_BAD_ARGUMENT without line. */
pc_status pc_parameters_read(pc_parameters* parameters, const pc_node* section,
                             const pc_override* override, int override_count, pc_error* error);
void pc_parameters_clear(pc_parameters* parameters);

/* A scope in which the names are the parameters' values. */
pc_scope pc_parameters_scope(const pc_parameters* parameters);

#endif
