/* Figures of tables: points over a parameter (of a list all values: a bifurcation diagram), a
 * histogram, a map of two parameters. Runs that did not end as they should are marked at the
 * axis. */
#ifndef PC_DRAW_TABLE_FIGURE_H
#define PC_DRAW_TABLE_FIGURE_H

#include <stdio.h>

#include "percuss/percuss.h"

typedef enum table_style { TABLE_POINTS, TABLE_HISTOGRAM, TABLE_MAP } table_style;

enum { TABLE_COLUMNS_MAX = 16 };

typedef struct table_figure {
  const pc_table_content* table;
  table_style style;
  int x;      /* column */
  int second; /* column: the other parameter of a map */
  int y[TABLE_COLUMNS_MAX], y_count;
  const char* title; /* "" : none */
  int width, height, svg;
} table_figure;

/* The column of this name, or the only one whose name begins with it. PC_BAD_ARGUMENT with what
 * there is. */
pc_status find_table_column(const pc_table_content* table, const char* name, int* column,
                            pc_error* error);

/* Draws it into an open file. */
pc_status draw_table(const table_figure* f, FILE* to, pc_error* error);

#endif
