/* The `tables:` of a model file: rows of numbers, in the file or in a CSV file. */
#ifndef PC_TEXT_TABLES_H
#define PC_TEXT_TABLES_H

#include "formula/curve.h"
#include "text/expression.h"
#include "text/files.h"
#include "text/names.h"

typedef struct pc_table {
  const char* name;
  int rows, columns;
  double* value;      /* row by row */
  char** column_name; /* one for each column, or NULL */
} pc_table;

/* A curve that an expression has asked for: table(NAME) or table(NAME,smooth). */
typedef struct pc_table_curve {
  char* name;
  pc_curve* curve;
} pc_table_curve;

typedef struct pc_tables {
  pc_table* item; /* in the order of the file */
  int count;
  pc_files* files;
  pc_table_curve* curve;
  int curve_count, curve_capacity;
  char problem[200]; /* why the last curve that was asked for is none; "" otherwise */
} pc_tables;

/* Reads the section (NULL: none). Numbers of the model file may be expressions of `scope`. */
pc_status pc_tables_read(pc_tables* tables, const pc_node* section, const pc_scope* scope,
                         pc_files* files, pc_error* error);
void pc_tables_clear(pc_tables* tables);

/* NULL if there is none of this name. */
const pc_table* pc_tables_find(const pc_tables* tables, const char* name, size_t length);

/* A scope in which pins(3).x, pins(3,1) and pins.rows are numbers, and table(NAME) is a curve: of a
 * table's first and second column, of its first and a named one (NAME is pins.y), or of those of a
 * CSV file. */
pc_scope pc_tables_scope(pc_tables* tables);

/* Why a curve is none, if the scope is that of tables; else "". */
const char* pc_tables_problem(const pc_scope* scope);

#endif
