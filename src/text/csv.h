/* Tables of numbers as text: CSV with commas, semicolons, tabs or spaces. */
#ifndef PC_TEXT_CSV_H
#define PC_TEXT_CSV_H

#include "text/tables.h"

/* A text of `size` bytes that ends with a zero byte, and has no other: else it is refused.
 *
 * Fills rows, columns, values and column names of an empty table. A first line that holds names
 * says what the columns are called; empty lines and those that begin with '#' are passed over.
 * `error->line` is the line. What the table holds after an error is released with it. */
pc_status pc_read_csv(const char* text, size_t size, pc_table* table, pc_error* error);

#endif
