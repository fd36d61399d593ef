/* Which parameters vary in a sweep, and the values that they have in each row of its table.
 *
 * An axis is a parameter with several values:
 *
 *     0.001:0.008:40         40 values from 0.001 to 0.008, evenly
 *     log:1e-3:1:30          30 values, each the same multiple of the one before
 *     list:0.1,0.2,0.5       these
 *     normal(0.3,0.02)       random: mean and standard deviation
 *     uniform(0.2,0.4)       random: between two values
 *
 * The axes with given values make a grid, in which the last one varies fastest; or they are taken
 * together, the first value of each, then the second (`zip`). For each point of it there are
 * `samples` samples of the random axes. Rows count from 0. */
#ifndef PC_STUDY_DESIGN_H
#define PC_STUDY_DESIGN_H

#include <stdint.h>

#include "percuss/base.h"

typedef enum axis_kind { AXIS_VALUES, AXIS_NORMAL, AXIS_UNIFORM } axis_kind;

typedef struct axis {
  const char* name; /* the caller's */
  axis_kind kind;
  long count; /* of the values */
  double* value;
  double a, b; /* mean and standard deviation, or both ends */
} axis;

enum { AXES_MAX = 64 };

typedef struct design {
  axis axis[AXES_MAX];
  int axis_count;
  int zip;
  long samples; /* of the random axes; 0: not given */
  uint64_t seed;
  int plain; /* plain random numbers instead of Sobol's sequence */
  long grid; /* points of the axes with values; from design_finish */
  long rows;
} design;

/* Takes the values of a parameter, if the text is one of the above; else `*taken` is 0, and it is a
 * value for all rows. PC_BAD_ARGUMENT with what is wrong. */
pc_status design_add(design* d, const char* name, const char* text, int* taken, pc_error* error);

/* Counts the rows, once all axes are there. */
pc_status design_finish(design* d, pc_error* error);

/* The values of all axes in a row. */
void design_row(const design* d, long row, double* value);

void design_free(design* d);

#endif
