/* What a sweep keeps of each run: numbers that are collected while it runs.
 *
 *     final.NAME                    the value of a quantity at the end; also time,
 *                                   energy.kinetic, energy.potential, energy.total
 *     max(NAME) min(NAME)           over all states; maxabs(NAME): of the magnitude
 *     mean(NAME) std(NAME) sum(NAME)   over the steps: mean, standard deviation, sum
 *     count(CONTACT.closed)         how often a contact closes; or .opened
 *     at(CONTACT.closed: NAME)      the values at these events, a list
 *     section(NAME=VALUE: NAME)     the values when the first quantity rises through VALUE (of
 *                                   an angle: modulo a turn), a list
 *     every(PERIOD: NAME)           the values at the multiples of a period [s], a list
 *     penetration.max, energy.max.increase, steps ...   of the summary, see summary_names
 *
 * Values between two steps are interpolated linearly. VALUE and PERIOD may be expressions in the
 * model's parameters. Behind NAME of a list there may be `, last=N`, `, first=N`, `, after=TIME`,
 * and in a section `, falling`. */
#ifndef PC_STUDY_COLLECT_H
#define PC_STUDY_COLLECT_H

#include "percuss/percuss.h"

typedef enum measure_kind {
  MEASURE_FINAL,
  MEASURE_MAX,
  MEASURE_MIN,
  MEASURE_MAXABS,
  MEASURE_MEAN,
  MEASURE_STD,
  MEASURE_SUM,
  MEASURE_COUNT,
  MEASURE_SUMMARY,
  MEASURE_AT,
  MEASURE_SECTION,
  MEASURE_EVERY
} measure_kind;

/* One of them, as it was asked for. */
typedef struct measure {
  char* name; /* the whole text: the name of the column */
  measure_kind kind;
  char* of;    /* the quantity whose values are collected; of a count NULL */
  char* where; /* the contact, or the quantity of a section */
  char* value; /* the value of a section, or the period: an expression */
  int opened;  /* not 0: the event is an opening */
  int falling;
  long first, last; /* of a list, at most so many; 0: all */
  double after;     /* [s] */
} measure;

typedef struct measures {
  measure* item;
  int count;
} measures;

/* Reads a list, separated by commas. PC_BAD_ARGUMENT with what is wrong; to be freed also then. */
pc_status measures_read(measures* m, const char* text, pc_error* error);
void measures_free(measures* m);

/* The names of the quantities of measures (NULL: none): how many, or -1 without memory. The list is
 * to be freed, the names are the measures'. */
int measures_names(const measures* m, const char*** name);

int measure_is_list(const measure* m);

/* The unit of a column, in terms of a model. */
const char* measure_unit(const measure* m, const pc_model* model);

/* Numbers of a run as they are collected. */
typedef struct collector collector;

/* For one run of a model, which must outlive it. PC_BAD_ARGUMENT if it has no such quantity or
 * contact. */
pc_status collector_create(const measures* m, const pc_model* model, collector** c,
                           pc_error* error);
void collector_destroy(collector* c); /* NULL is fine */

/* An observer; `user` is the collector. */
int collector_observe(void* user, const pc_observation* seen);

/* The end of the run: measures of the summary get their values. */
void collector_finish(collector* c, const pc_summary* summary);

/* The numbers of a measure: one, or any number of a list. They live as long as the collector. */
const double* collector_values(const collector* c, int number, int* count);

#endif
