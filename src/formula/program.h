/* The inside of a program, for those who place the results themselves. */
#ifndef PC_FORMULA_PROGRAM_H
#define PC_FORMULA_PROGRAM_H

#include "formula/formula.h"

/* Computes all registers. The value of expression i is then registers[pc_program_results()[i]]. */
void pc_program_compute(const pc_program* program, const double* variable, double* registers);
const int* pc_program_results(const pc_program* program);

#endif
