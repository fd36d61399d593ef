/* An output file that takes its place only when it is complete. */
#ifndef PC_CONSOLE_REPLACE_H
#define PC_CONSOLE_REPLACE_H

#include <limits.h>
#include <stdio.h>

typedef struct replacement {
  FILE* file;             /* write into this */
  const char* argument;   /* the path as it was given, for messages */
  char path[PATH_MAX];    /* the place; a link has been followed */
  char written[PATH_MAX]; /* a new file beside it; "": the place itself, which is no regular file */
} replacement;

/* Opens a new file beside `path`, which is not touched. An exit code; what is wrong has been
 * said. Ctrl-C removes the new file. */
int begin_replacement(replacement* r, const char* path);

/* Whether that is possible, to be known before a long computation. */
int check_replacement(const char* path);

/* EXIT_USAGE, and says so, if `out` is the file `in` under whatever name: what a command reads is
 * not what it may write. Either may be NULL. */
int refuse_input(const char* out, const char* in);

/* Closes the file and moves it to its place. */
int finish_replacement(replacement* r);

/* Closes the file and removes it. */
void drop_replacement(replacement* r);

/* The one if the exit code is EXIT_DONE, else the other; the exit code of both. */
int end_replacement(replacement* r, int code);

#endif
