/* A model under several schemes: one run each, beside a reference.
 *
 * The reference is the run with the least uncertainty among candidates with a small step. A candidate runs a
 * second time with a larger step; a scheme of order 1 or more is nearer to the limit of small steps than
 * these two are to each other (for twice the step; for k times the step, than 1/(k - 1) of that). */
#ifndef PC_STUDY_COMPARISON_H
#define PC_STUDY_COMPARISON_H

#include <stdio.h>

#include "study/batch.h"
#include "study/output.h"

enum { SCHEMES_MAX = 16, CANDIDATES_MAX = 4, COMPARED_QUANTITIES_MAX = 256 };

/* A run that may serve as the reference, and the one that shows how accurate it is. */
typedef struct candidate {
  const char* scheme;
  double dt;          /* [s] */
  int factor;         /* the other run's step is so many times as large; 0: there is none */
  double uncertainty; /* in the norm of the distance; NAN: not known */
} candidate;

typedef struct comparison {
  const pc_system* system;
  const char* scheme[SCHEMES_MAX];
  int scheme_count;
  int quantity[COMPARED_QUANTITIES_MAX]; /* kept of each run: first those shown in the table */
  int quantity_count, shown_count;
  candidate candidate[CANDIDATES_MAX]; /* in the order of preference */
  int candidate_count;
  int reference; /* the candidate that was chosen, or -1: none reached the end */
  /* One per scheme, then for each candidate that with its step and that with the larger one. */
  job jobs[SCHEMES_MAX + 2 * CANDIDATES_MAX];
  double cost[SCHEMES_MAX]; /* processor time of a step [s] */
} comparison;

/* The job of a candidate: with its own step, or with the larger one. */
job* candidate_job(comparison* c, int i, int larger);

/* The factor of the larger step of a candidate that takes `steps` steps: the smallest that divides them. */
int larger_step_factor(long steps);

/* Does all runs, then measures what a step of each scheme costs, as measure_costs does. Returns how
 * many schemes reached the end. */
int run_comparison(comparison* c, int threads, int repeats, double seconds,
                   const batch_monitor* monitor);
void free_comparison(comparison* c);

/* The job of the reference, or NULL. */
const job* reference_job(const comparison* c);

/* Did run i reach the end? */
int is_compared(const comparison* c, int i);

/* "done", "interrupted", "refused" (the scheme cannot have the model) or "failed". */
const char* job_status_word(const job* j);

/* A table of numbers, a column per scheme: first the fixed rows, then the final values of the
 * quantities shown. */
enum {
  PENETRATION_ROW = 0,
  JOINT_ROW = 1,
  CHANGE_ROW = 4,
  ITERATION_ROW = 5,
  WALL_ROW = 6,
  COST_ROW = 7,
  DISTANCE_ROW = 8,
  FINAL_ROW = 9 /* the first of the final values */
};
int comparison_row_count(const comparison* c);
void name_comparison_row(const comparison* c, int row, const char** unit, char* name, size_t size);
double comparison_value(const comparison* c, int row, int i);

/* The comparison for people, and as keys. `repeats`: of the runs for the cost. */
void print_comparison(const comparison* c, int repeats, FILE* to);
void put_comparison(const comparison* c, output* out);

#endif
