/* The options of `percuss run`. */
#ifndef PC_CLI_RUN_OPTIONS_H
#define PC_CLI_RUN_OPTIONS_H

#include "percuss/percuss.h"

enum { GIVEN_MAX = 64 };

typedef struct run_options {
  const char* model;
  const char* scheme; /* NULL: the model's, or the default */
  double until;       /* NAN: the model's */
  const char* out;
  int force;          /* replace a file at `out` that is no result of percuss */
  const char* resume; /* a result file to go on with; not together with `out` */
  long every;
  int threads; /* 0: not given */
  int quiet;
  int json;
  int full;                      /* all keys, as lines */
  int strict;                    /* a doubtful result is a failure */
  const char* record[GIVEN_MAX]; /* quantities besides those of the model */
  int record_count;
  pc_override override[GIVEN_MAX];
  int override_count;
  pc_given_setting setting[GIVEN_MAX]; /* kept as texts until the model is read */
  int setting_count;
} run_options;

/* Fills `options` from the command's arguments. An exit code; what is wrong has been said. */
int read_run_options(int argc, char** argv, run_options* options);

/* For the tables of other commands, whose structure begins with a run_options: the options of `run`
 * by the same names, the settings of the schemes, and the model. */
int take_run_option(void* into, const char* name, char* value);
int take_run_setting(void* into, const char* key, char* value);
int take_run_model(void* into, char* word);

#endif
