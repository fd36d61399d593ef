/* A model under several schemes: one run each, beside a reference.
 *
 * The reference is the run with the least uncertainty among candidates with a small step h. A
 * candidate runs again with a step k h. Where the error is C h^p with p >= 1, it is at most 1/(k -
 * 1) of the difference of the two runs: in smooth motion one such run with k about 2 will do. An
 * impact leaves an error c h whose c depends on where within its step the impact falls, so that two
 * runs can agree by accident: then more runs with other k are made, and twice the largest of these
 * shares counts. */
#ifndef PC_STUDY_COMPARISON_H
#define PC_STUDY_COMPARISON_H

#include <stdio.h>

#include "study/batch.h"
#include "study/output.h"

enum {
  SCHEMES_MAX = 16,
  CANDIDATES_MAX = 4,
  CHECKS_MAX = 4, /* runs with a larger step */
  COMPARED_QUANTITIES_MAX = 256
};

/* A run that may serve as the reference, and those that show how accurate it is. */
typedef struct candidate {
  const char* scheme;
  double dt;          /* [s] */
  int checks;         /* how many others there are */
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
  /* One per scheme, then for each candidate that with its step and those with larger ones. */
  job jobs[SCHEMES_MAX + (1 + CHECKS_MAX) * CANDIDATES_MAX];
  double cost[SCHEMES_MAX]; /* processor time of a step [s] */
} comparison;

/* The job of a candidate: 0 with its own step, else the check of this number. */
job* candidate_job(comparison* c, int i, int check);

/* The steps that check 1 ... CHECKS_MAX takes where the candidate takes `steps`: fewer, and not a
 * multiple; 0 if there are too few for that. */
long steps_of_check(long steps, int check);

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
