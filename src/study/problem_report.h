/* A friction-contact problem of FCLib under one solver or under all of them, and what is said about
 * it. */
#ifndef PC_STUDY_PROBLEM_REPORT_H
#define PC_STUDY_PROBLEM_REPORT_H

#include <stdio.h>

#include "percuss/percuss.h"
#include "study/output.h"

/* What one solver made of the problem. */
typedef struct outcome {
  const char* name;
  pc_status status; /* PC_BAD_ARGUMENT: it does not take this problem */
  char reason[160];
  pc_solver_info info;
  double residual; /* of the answer as a whole, computed anew */
  int is_solved;   /* this residual is within the tolerance */
  int is_accepted; /* or within the limit of acceptance */
  double seconds;
} outcome;

int problem_rows(const pc_problem* problem);

/* z (a number for each row) holds a guess and receives the answer. */
pc_status solve_problem(const char* solver, const pc_solver_settings* settings,
                        const pc_problem* problem, double* z, outcome* to);

/* "solved", "inaccurate", "failed", "not for this problem" */
const char* outcome_verdict(const outcome* x);

/* What the problem is, and what a solver made of it, as keys that begin with `prefix`. */
void put_problem(output* out, const char* path, const pc_fclib* file);
void put_outcome(output* out, const char* prefix, const outcome* x);

/* The same of one solver, for a person to read. */
void print_outcome(const char* path, const pc_fclib* file, double tolerance, const outcome* x,
                   FILE* to);

/* All solvers side by side, for a person to read. */
void print_outcomes(const char* path, const pc_fclib* file, double tolerance, const outcome* x,
                    int count, FILE* to);

#endif
