/* What a result file holds: which numbers of an observation go into which dataset. */
#ifndef PC_RECORD_LAYOUT_H
#define PC_RECORD_LAYOUT_H

#include "percuss/simulate.h"

/* The datasets with one row per recorded state and several columns. */
enum { PC_DATASET_COUNT = 11 };

/* A dataset: a selection from q, u, the rows' positions, velocities or percussions, or the
 * outputs. */
typedef struct pc_dataset {
  const char* path; /* in the file, without the leading slash */
  pc_quantity_kind kind;
  int width;
  const int* index;     /* width indices into the array of this kind; NULL: 0, 1, 2 ... */
  const int* contact;   /* the contact of each column, or NULL */
  const int* component; /* the friction component of each column, from 1, or NULL */
  int residual;         /* not 0: numbers that ought to be 0, for which 32 bits do */
  int missing;          /* columns from here on have no such number and hold NaN */
} pc_dataset;

typedef struct pc_layout {
  const pc_system* system;
  pc_dataset dataset[PC_DATASET_COUNT];
  /* Of the contacts: their normal rows, then all friction rows, each with contact and component. */
  int* normal_row;
  int* normal_contact;
  int* friction_row;
  int* friction_contact;
  int* friction_component;
} pc_layout;

pc_status pc_layout_create(pc_layout* layout, const pc_system* system, pc_error* error);
void pc_layout_destroy(pc_layout* layout);

/* The numbers of an observation that a kind of quantity points into. */
const double* pc_observed_numbers(const pc_observation* seen, pc_quantity_kind kind);

/* The row of a dataset for this observation, `width` numbers. */
void pc_dataset_fill(const pc_dataset* dataset, const pc_observation* seen, double* row);

/* The dataset that has a quantity as a column, or NULL. */
const pc_dataset* pc_layout_find(const pc_layout* layout, const pc_quantity* quantity, int* column);

/* What the columns of these quantities are called: their own names, unless another quantity is the
 * same number. Those of no dataset get "". The texts are the system's. */
pc_status pc_layout_name_columns(const pc_layout* layout, const pc_quantity* quantity, int count,
                                 const char** name);

/* Names and units (width of each, "" where there is none) of the columns of a dataset. The texts
 * are the system's. */
pc_status pc_dataset_describe(const pc_dataset* dataset, const pc_system* system, const char** name,
                              const char** unit);

#endif
