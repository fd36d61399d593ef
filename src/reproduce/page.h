/* All verdicts on one page. */
#ifndef PC_REPRODUCE_PAGE_H
#define PC_REPRODUCE_PAGE_H

#include "reproduce/verdict.h"

/* An HTML page, self-contained: the pictures, read from FOLDER/<item>.svg, are part of it.
 * `changed`: the parameters that --set changed, "" if none. `seconds`: wall clock of the whole. */
pc_status write_page(const char* folder, const verdict* verdicts, int count, const char* changed,
                     double seconds, FILE* to, pc_error* error);

/* The verdicts as tables in Markdown, without times: a page of the documentation. */
void write_tables(const verdict* verdicts, int count, const char* changed, FILE* to);

#endif
