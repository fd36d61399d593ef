/* The inside of a program, for those who place the results themselves. */
#ifndef PC_FORMULA_PROGRAM_H
#define PC_FORMULA_PROGRAM_H

#include "formula/formula.h"

/* A variable, and the register that is to hold it. */
typedef struct pc_load {
  int variable;
  int to;
} pc_load;

/* The variables that a program reads. */
const pc_load* pc_program_loads(const pc_program* program, int* count);

/* A program in two parts: the first computes the first `first` expressions alone. */
pc_status pc_program_create_in_two(const pc_pool* pool, int count, int first, const pc_expr* expr,
                                   pc_program** program);

/* Computes registers from those of variables, all of them if the program is in one part. The value
 * of expression i is then registers[pc_program_results()[i]]. */
void pc_program_compute(const pc_program* program, double* registers);

/* After that, the second part. */
void pc_program_compute_later(const pc_program* program, double* registers);
const int* pc_program_results(const pc_program* program);

#endif
