/* The commands of the program: one table feeds the parser, the help pages, the man page and the
 * completion. */
#ifndef PC_CONSOLE_COMMAND_H
#define PC_CONSOLE_COMMAND_H

#include "console/options.h"

typedef struct command {
  const char* name;
  const char* arguments; /* "MODEL [options]" */
  const char* summary;
  const char* details;               /* a few lines for its help page, or "" */
  const option_set* options;         /* NULL: it takes words only */
  int (*run)(int argc, char** argv); /* argv[0] is the command's name */
  const char* (*word)(
      int i); /* words to complete, besides files; NULL past the last. May be NULL */
} command;

/* In a table that is ended by a NULL name; NULL: there is none. */
const command* find_command(const command* commands, const char* name);

/* percuss(1) and the completion for bash, to standard output: the build calls 'percuss help --man'
 * and 'percuss help --completion'. */
void print_man_page(const command* commands);
void print_completion(const command* commands);

#endif
