/* The inside of tables: one way to write each format, one way to read each. */
#ifndef PC_RECORD_TABLE_H
#define PC_RECORD_TABLE_H

#include "percuss/table.h"

/* With these words a table of text begins. */
#define PC_TABLE_MARK "# percuss sweep table 1\n"

typedef struct pc_table_ops {
  pc_status (*create)(pc_table* table, const pc_table_def* def, pc_error* error);
  /* The columns have been compared. */
  pc_status (*resume)(pc_table* table, const pc_table_def* def, pc_error* error);
  pc_status (*append)(pc_table* table, const pc_table_row* row, pc_error* error);
  pc_status (*flush)(pc_table* table, pc_error* error);
  pc_status (*close)(pc_table* table, pc_error* error); /* also one that was made by half */
  pc_status (*read)(const char* path, pc_table_content* content, pc_error* error);
} pc_table_ops;

extern const pc_table_ops pc_table_csv;
extern const pc_table_ops pc_table_hdf5;

struct pc_table {
  const pc_table_ops* ops;
  char* path;
  pc_table_column* column; /* texts are its own */
  int column_count;
  void* inside; /* of the format */
};

/* For readers: memory for the cells of so many rows and numbers, names of columns. */
pc_status pc_table_allocate(pc_table_content* content, long rows, size_t numbers, pc_error* error);
pc_status pc_table_name_column(pc_table_content* content, const char* name, const char* unit,
                               int is_list, pc_error* error);

pc_status pc_table_damaged(const char* path, const char* what, pc_error* error);

#endif
