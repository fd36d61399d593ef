/* The command line: one file per subcommand. */
#ifndef PC_CLI_CLI_H
#define PC_CLI_CLI_H

#include <stdio.h>

#include "console/command.h"
#include "console/message.h"
#include "percuss/percuss.h"
#include "study/suggest.h"

/* Ended by a NULL name. */
extern const command commands[];

int run_command(int argc, char** argv);
int check_command(int argc, char** argv);
int list_command(int argc, char** argv);
int help_command(int argc, char** argv);
int plot_command(int argc, char** argv);
int export_command(int argc, char** argv);
int animate_command(int argc, char** argv);
int view_command(int argc, char** argv);
int compare_command(int argc, char** argv);
int converge_command(int argc, char** argv);
int reproduce_command(int argc, char** argv);

/* The i-th item, NULL past the last. */
const char* reproduce_item_name(int i);

int solve_command(int argc, char** argv);
int sweep_command(int argc, char** argv);

extern const option_set run_option_set;
extern const option_set check_option_set;
extern const option_set plot_option_set;
extern const option_set export_option_set;
extern const option_set animate_option_set;
extern const option_set view_option_set;
extern const option_set compare_option_set;
extern const option_set converge_option_set;
extern const option_set reproduce_option_set;
extern const option_set solve_option_set;
extern const option_set sweep_option_set;

#endif
