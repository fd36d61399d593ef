/* All verdicts on one page. */
#ifndef PC_CLI_REPRODUCE_PAGE_H
#define PC_CLI_REPRODUCE_PAGE_H

#include "cli/reproduce/verdict.h"

/* DIR/index.html, self-contained: the pictures, DIR/<item>.svg, are part of it. `seconds`: wall
 * clock of the whole. An exit code; what is wrong has been said. */
int write_page(const char* folder, const verdict* verdicts, int count, double seconds);

/* DIR/reproduction.md: the verdicts as tables, without times: a page of the documentation. */
int write_tables(const char* folder, const verdict* verdicts, int count);

#endif
