/* Fields of comma-separated columns. */
#ifndef PC_RECORD_FIELD_H
#define PC_RECORD_FIELD_H

#include <stdio.h>

/* The texts, one after the other, as one field: in quotes if it contains what would end it (RFC
 * 4180). An end of a line becomes a blank, so that every row stays on a line of its own. */
void pc_print_field(FILE* to, int count, const char* const* text);

#endif
