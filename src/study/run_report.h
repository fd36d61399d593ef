/* What there is to tell of a run: every key, for programs, and a digest of one screen, for
 * people. */
#ifndef PC_STUDY_RUN_REPORT_H
#define PC_STUDY_RUN_REPORT_H

#include <stdio.h>

#include "percuss/percuss.h"
#include "study/output.h"

enum { REPORTED_WARNINGS_MAX = 24 };

typedef struct run_report {
  const char* model_path;
  const pc_model* model;
  const pc_sim_def* def;
  const pc_sim* sim;
  const char* status;             /* "done", "doubtful", "failed" or "interrupted" */
  double seconds;                 /* wall clock */
  const char* result;             /* the file that holds the run, or NULL */
  const char* next;               /* a command to type next */
  const pc_resume_state* resumed; /* where it went on from, or NULL */
  pc_warning warning[REPORTED_WARNINGS_MAX];
  int warning_count;
} run_report;

/* One more warning; beyond the capacity they are dropped. */
void add_report_warning(run_report* report, const pc_warning* warning);

/* "text; remedy" */
void warning_line(const pc_warning* warning, char* line, size_t size);

/* Every key of the summary. */
void put_run_report(const run_report* report, output* out);

/* At most DIGEST_LINES lines (study/lines.h) for any model. */
void print_digest(const run_report* report, FILE* to);

#endif
