/* A model under several schemes: one run each, beside a reference. */
#ifndef PC_STUDY_COMPARISON_H
#define PC_STUDY_COMPARISON_H

#include "study/batch.h"

enum { SCHEMES_MAX = 16, COMPARED_QUANTITIES_MAX = 256 };

typedef struct comparison {
  const pc_system* system;
  const char* scheme[SCHEMES_MAX];
  int scheme_count;
  int quantity[COMPARED_QUANTITIES_MAX]; /* kept of each run: first those shown in the table */
  int quantity_count, shown_count;
  job jobs[SCHEMES_MAX + 1]; /* one per scheme, then that of the reference */
  double cost[SCHEMES_MAX];  /* processor time of a step [s] */
} comparison;

/* Does all runs, then measures what a step of each scheme costs, as measure_costs does. Returns how
 * many schemes reached the end. */
int run_comparison(comparison* c, int threads, int repeats, double seconds,
                   const batch_monitor* monitor);
void free_comparison(comparison* c);

/* Did run i, a scheme's or the reference's, reach the end? */
int is_compared(const comparison* c, int i);

/* "done", "interrupted", "refused" (the scheme cannot have the model) or "failed". */
const char* job_status_word(const job* j);

/* A table of numbers, a column per scheme: first the fixed rows, then the final values of the
 * quantities shown. */
enum { WALL_ROW = 6, COST_ROW = 7 }; /* both times of a step; their values are in s, not in us */
int comparison_row_count(const comparison* c);
void name_comparison_row(const comparison* c, int row, const char** unit, char* name, size_t size);
double comparison_value(const comparison* c, int row, int i);

#endif
