/* All verdicts on one page. */
#ifndef PC_REPRODUCE_PAGE_H
#define PC_REPRODUCE_PAGE_H

#include "reproduce/verdict.h"

/* An HTML page, self-contained: the pictures, read from FOLDER/<item>.svg, are part of it. `seconds`:
 * wall clock of the whole. */
pc_status write_page(const char* folder, const verdict* verdicts, int count, double seconds,
                     FILE* to, pc_error* error);

/* The verdicts as tables in Markdown, without times: a page of the documentation. */
void write_tables(const verdict* verdicts, int count, FILE* to);

#endif
