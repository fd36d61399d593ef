/* Products of a few rows with a matrix that is kept by panels of columns, for eliminations.
 *
 * A matrix U of `inner` rows and `columns` columns is kept in panels of PC_PANEL_COLUMNS columns,
 * one after the other, each row by row; the last one is filled up with zeros. Four numbers are
 * multiplied at a time where the processor can: every sum is added up in the order of the rows of
 * U, so that the bits do not depend on it. */
#ifndef PC_LINALG_PANEL_H
#define PC_LINALG_PANEL_H

#include <stddef.h>

enum { PC_PANEL_COLUMNS = 8 };

/* The columns of a row with those that fill up the last panel. */
static inline size_t pc_panel_width(int columns)
{
  size_t panels = ((size_t)columns + PC_PANEL_COLUMNS - 1) / PC_PANEL_COLUMNS;
  return panels * PC_PANEL_COLUMNS;
}

/* Where entry (row, column) of U is. */
static inline size_t pc_panel_place(int inner, int row, int column)
{
  size_t panel = (size_t)column / PC_PANEL_COLUMNS, in_panel = (size_t)column % PC_PANEL_COLUMNS;
  return (panel * (size_t)inner + (size_t)row) * PC_PANEL_COLUMNS + in_panel;
}

/* C = L U. L has `rows` rows of `inner` entries, C rows of pc_panel_width(columns). `wide` is what
 * pc_panel_is_wide returns, or 0. */
void pc_panel_multiply(int rows, int inner, int columns, const double* L, const double* U,
                       double* C, int wide);

/* Whether this processor multiplies four numbers at a time. */
int pc_panel_is_wide(void);

#endif
