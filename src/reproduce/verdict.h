/* Verdicts: what was published beside what came out. */
#ifndef PC_REPRODUCE_VERDICT_H
#define PC_REPRODUCE_VERDICT_H

#include <stdio.h>

#include "reproduce/item_runs.h"

enum { CHECKS_MAX = 64 };

/* Of one item. */
typedef struct verdict {
  const item* item;
  double ours[CHECKS_MAX];
  int agrees[CHECKS_MAX];
  int check_count, agree_count;
  const char* failure; /* the first run that failed says this; NULL: all were done */
  double seconds;      /* of computing; runs that several items share count for each */
} verdict;

verdict judge(const item_data* data);
int verdict_agrees(const verdict* v);

/* Why check i differs; "" if it agrees. */
const char* verdict_reason(const verdict* v, int i);

/* Whether the i-th value differs, and no later one for the same reason: several values may share it. */
int reason_ends(const verdict* v, int i);

/* A number for people: "1.324e-4". */
void format_value(double value, char* text, size_t size);

/* What was published, with the tolerance: "1.324e-4 ± 1e-6", "≤ 1e-10", or the paper's words. */
void format_published(const item_check* c, char* text, size_t size);

/* ours - published, or "" where the paper prints no number */
void format_difference(const item_check* c, double ours, char* text, size_t size);

/* One JSON object. */
void write_verdict(const verdict* v, FILE* to);

#endif
