/* Verdicts: what was expected beside what came out. */
#ifndef PC_REPRODUCE_VERDICT_H
#define PC_REPRODUCE_VERDICT_H

#include <stdio.h>

#include "reproduce/item_runs.h"

enum { CHECKS_MAX = 128, KINDS_SIZE = 160, REFERENCE_SIZE = 320, MODELS_MAX = 8 };

/* Of one item. */
typedef struct verdict {
  const item* item;
  double ours[CHECKS_MAX];
  int agrees[CHECKS_MAX];
  int left_out[CHECKS_MAX];      /* a run that it looks at was not done */
  int is_partial;                /* some run was not done: there is no figure */
  int check_count;               /* notes too */
  int judged_count;              /* without notes and what was left out */
  int agree_count;               /* of those judged */
  const char* failure;           /* the first run that failed says this; NULL: all were done */
  double seconds;                /* of computing; runs that several items share count for each */
  const char* model[MODELS_MAX]; /* that its runs are of, each once; NULL after the last */
} verdict;

verdict judge(const item_data* data);
int verdict_agrees(const verdict* v);

/* Whether no value differs yet but for a known reason. */
int is_undecided(const item_data* data);

/* How many values of each kind there are, and how many of them agree. */
typedef struct kind_counts {
  int all[KIND_COUNT], agree[KIND_COUNT];
} kind_counts;

kind_counts count_kinds(const verdict* verdicts, int count);

/* "published 60 of 68, fitted 20 of 22, independent 120 of 120, exact 30 of 30, words 80 of 82" */
void format_kinds(const kind_counts* counts, char* text, size_t size);

/* "agrees", "differs", "note" or "left out". */
const char* check_word(const verdict* v, int i);

/* Whether it has differed, and that needs a reason. */
int check_differs(const verdict* v, int i);

/* Why check i differs; "" if it agrees. */
const char* verdict_reason(const verdict* v, int i);

/* Whether the i-th value differs, and no later one for the same reason: several values may share
 * it. */
int reason_ends(const verdict* v, int i);

/* A number for people: "1.324e-4". */
void format_value(double value, char* text, size_t size);

/* The same with as many digits as the tolerance of a check asks for. */
void format_to_tolerance(const item_check* c, double value, char* text, size_t size);

/* What was expected, with the tolerance: "1.324e-4 ± 1e-6", "no drift: ≤ 1e-10". */
void format_expected(const item_check* c, char* text, size_t size);

/* Its kind, and what was fitted: "published", "fitted: Newton tolerance 1e-6". */
void format_reference(const item* one, const item_check* c, char* text, size_t size);

/* ours - expected, or "" where a limit is expected */
void format_difference(const item_check* c, double ours, char* text, size_t size);

/* One JSON object. `changed` is what --set changed, "" if nothing. */
void write_verdict(const verdict* v, const char* changed, FILE* to);

#endif
