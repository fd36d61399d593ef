/* What is said of a sweep when it has ended. */
#ifndef PC_STUDY_SWEEP_REPORT_H
#define PC_STUDY_SWEEP_REPORT_H

#include <stdio.h>

#include "study/sweep_session.h"

typedef struct sweep_end {
  const char* path; /* of the table */
  const pc_table_content* table;
  int axes;    /* the first columns are parameters */
  int random;  /* some of them are random: means have errors */
  int resumed; /* the table was completed */
  double seconds;
} sweep_end;

/* The counts of the rows and statistics of each column that is collected and no list: for people,
 * or as one JSON object. */
void print_sweep_report(const sweep_end* end, const sweep_report* r, FILE* to);
void print_sweep_report_json(const sweep_end* end, const sweep_report* r, FILE* to);

#endif
