/* What there is to tell of a model before it runs: every key, and a digest of one screen. */
#ifndef PC_STUDY_CHECK_REPORT_H
#define PC_STUDY_CHECK_REPORT_H

#include <stdio.h>

#include "percuss/percuss.h"
#include "study/output.h"

typedef struct check_report {
  const char* model_path;
  const char* model_name; /* as it was typed */
  const pc_model* model;
  const pc_check_report* report;
} check_report;

void put_check_report(const check_report* c, output* out);

/* At most DIGEST_LINES lines (study/lines.h). */
void print_check_digest(const check_report* c, FILE* to);

#endif
