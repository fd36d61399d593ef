/* A study: the runs of the chosen items, each done once, and all numbers they give. */
#ifndef PC_REPRODUCE_ITEM_RUNS_H
#define PC_REPRODUCE_ITEM_RUNS_H

#include "reproduce/item.h"
#include "study/batch.h"

/* A run and its numbers, a row per state. */
typedef struct run_data {
  const item_run* spec;
  pc_model* model;
  job job;
  int column_count;
  int left_out;  /* its items have differed before: it is not done */
  long count;    /* rows */
  double* value; /* count x column_count: the fixed columns, then what is recorded */
} run_data;

/* The runs of an item, in its order; NULL: it does not use it. */
struct item_data {
  const item* item;
  const run_data* run[ITEM_RUNS_MAX];
  int run_count;
};

typedef struct study {
  run_data* run;
  int run_count;
  const pc_override* set; /* parameters to change in all models that have them */
  int set_count;
} study;

/* Reads the models of all items, and checks all names. `set` (set_count of them, kept by the
 * caller) goes before what the runs set; a name that no model has is PC_BAD_ARGUMENT. To be freed
 * in any case. */
pc_status create_study(study* s, const item* const* items, int item_count, const pc_override* set,
                       int set_count, pc_error* error);
void free_study(study* s);

/* Does all runs; those that fail have a status. */
void run_study(study* s, int threads, const batch_monitor* monitor);

/* Whether the runs of an item that are done leave something to find out. */
typedef int item_wants_more(const item_data* data);

/* Does the runs with the fewest steps first, and of each item no more after `wants_more` has said
 * no: what is not done is left out. Asked after each run of the item that is done. */
void run_study_while(study* s, const item* const* items, int item_count,
                     item_wants_more* wants_more, int threads, const batch_monitor* monitor);

item_data data_of_item(const study* s, const item* one);

/* The column of a name, -1: dt, -2: energy.total, -3: there is none. */
int find_column(const run_data* run, const char* name);

/* All values of a series, one per row, to be freed; NULL: no memory. Time if it is of nothing. */
double* series_values(const run_data* run, const item_series* series);

#endif
