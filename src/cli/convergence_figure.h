/* Errors over steps with logarithmic axes, beside lines of slope 1 and 2. */
#ifndef PC_CLI_CONVERGENCE_FIGURE_H
#define PC_CLI_CONVERGENCE_FIGURE_H

#include "cli/convergence.h"

enum { STEPS_MAX = 64 };

/* What `percuss converge` found. */
typedef struct convergence {
  const char* title;
  norm norm;
  int count;
  double dt[STEPS_MAX];
  int present[PART_COUNT];
  double error[PART_COUNT][STEPS_MAX];
  fit fit[PART_COUNT];
} convergence;

/* Draws it into a .png or .svg file. An exit code; what is wrong has been said. */
int draw_convergence(const convergence* c, const char* path);

#endif
