/* Positions with the same neighbours, eliminated together: the product of L and U of all of them is
 * made for one neighbour after the other, and taken off its blocks. */
#include <math.h>
#include <string.h>

#include "linalg/block_lu_inside.h"
#include "linalg/panel.h"

/* U of the positions from k to `end`, for the neighbours beyond. Returns the rows of the panel. */
static int gather_upper(pc_block_lu* lu, int k, int end)
{
  double* U = lu->panels.U.at;
  int inner = 0, row = 0, beyond = pc_lu_count_below(lu, end - 1),
      columns = pc_lu_rows_below(lu, end - 1);
  for (int l = k; l < end; l++) inner += lu->size.at[l];
  memset(U, 0, (size_t)inner * pc_panel_width(columns) * sizeof *U);
  for (int l = k; l < end; row += lu->size.at[l], l++)
    for (int e = lu->start.at[l + 1] - beyond, column = 0; e < lu->start.at[l + 1]; e++) {
      const double* block = lu->value.at + pc_lu_upper(lu, l, e);
      int width = lu->size.at[lu->below.at[e]];
      for (int i = 0; i < lu->size.at[l]; i++)
        for (int j = 0; j < width; j++) U[pc_panel_place(inner, row + i, column + j)] = *block++;
      column += width;
    }
  return inner;
}

/* L of the same positions for neighbour number a beyond the panel. */
static void gather_lower(pc_block_lu* lu, int k, int end, int inner, int a)
{
  int beyond = pc_lu_count_below(lu, end - 1), column = 0;
  for (int l = k; l < end; column += lu->size.at[l], l++) {
    int e = lu->start.at[l + 1] - beyond + a, rows = lu->size.at[lu->below.at[e]];
    const double* block = lu->value.at + lu->lower[e];
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < lu->size.at[l]; j++) lu->panels.L.at[i * inner + column + j] = *block++;
  }
}

static inline void subtract_rows(int rows, int columns, const double* change, size_t width,
                                 double* to)
{
  for (int i = 0; i < rows; i++, change += width, to += columns)
    for (int j = 0; j < columns; j++) to[j] -= change[j];
}

/* to (rows x columns) -= a block of the product; contacts in space in a loop of constant length. */
static void subtract_change(int rows, int columns, const double* change, size_t width, double* to)
{
  if (rows == 3 && columns == 3)
    subtract_rows(3, 3, change, width, to);
  else
    subtract_rows(rows, columns, change, width, to);
}

/* The blocks of neighbour number a beyond the panel and all others lose the product. */
static void scatter_change(pc_block_lu* lu, int first, int count, int a, size_t width)
{
  const int* below = lu->below.at + first;
  int i = below[a], rows = lu->size.at[i], e = lu->start.at[i], *cursor = lu->panels.cursor.at;
  const double* change = lu->panels.change.at;
  double *value = lu->value.at, *reference = lu->reference.at + lu->row.at[lu->node.at[i]];
  for (int b = 0; b < count; b++) {
    int j = below[b], columns = lu->size.at[j];
    if (b < a) {
      while (lu->below.at[cursor[b]] != i) cursor[b]++;
      subtract_change(rows, columns, change, width, value + lu->lower[cursor[b]]);
    } else if (b > a) {
      while (lu->below.at[e] != j) e++;
      subtract_change(rows, columns, change, width, value + pc_lu_upper(lu, i, e));
    } else {
      for (int r = 0; r < rows; r++) reference[r] += fabs(change[(size_t)r * width + (size_t)r]);
      subtract_change(rows, columns, change, width, value + lu->diagonal[i]);
    }
    change += columns;
  }
}

void pc_block_lu_update_beyond(pc_block_lu* lu, int k, int end)
{
  pc_lu_panels* p = &lu->panels;
  int first = lu->start.at[end - 1], count = pc_lu_count_below(lu, end - 1);
  int columns = pc_lu_rows_below(lu, end - 1), inner = gather_upper(lu, k, end);
  for (int b = 0; b < count; b++) p->cursor.at[b] = lu->start.at[lu->below.at[first + b]];
  for (int a = 0; a < count; a++) {
    int rows = lu->size.at[lu->below.at[first + a]];
    gather_lower(lu, k, end, inner, a);
    pc_panel_multiply(rows, inner, columns, p->L.at, p->U.at, p->change.at, p->is_wide);
    scatter_change(lu, first, count, a, pc_panel_width(columns));
  }
}
