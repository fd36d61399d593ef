#include "text/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "text/csv.h"

/* --- the scope ------------------------------------------------------------------------------ */

const pc_table* pc_tables_find(const pc_tables* tables, const char* name, size_t length)
{
  for (int i = 0; i < tables->count; i++) {
    const pc_table* t = &tables->item[i];
    if (strlen(t->name) == length && strncmp(t->name, name, length) == 0) return t;
  }
  return NULL;
}

static int find_column(const pc_table* t, const char* name, size_t length)
{
  for (int i = 0; t->column_name && i < t->columns; i++)
    if (strlen(t->column_name[i]) == length && strncmp(t->column_name[i], name, length) == 0)
      return i;
  return -1;
}

/* "(3).x" or "(3,1)": the number that is meant, or NULL. */
static const double* find_value(const pc_table* t, const char* text, size_t length)
{
  char copy[80];
  int row = -1, column = -1, used = 0;
  if (length >= sizeof copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  if (sscanf(copy, "(%9d,%9d)%n", &row, &column, &used) != 2 || (size_t)used != length) {
    used = 0;
    if (sscanf(copy, "(%9d).%n", &row, &used) != 1 || !used) return NULL;
    column = find_column(t, copy + used, length - (size_t)used);
  }
  if (row < 0 || row >= t->rows || column < 0 || column >= t->columns) return NULL;
  return &t->value[(size_t)row * (size_t)t->columns + (size_t)column];
}

/* --- curves --------------------------------------------------------------------------------- */

static int say(pc_tables* tables, const char* format, const char* name)
{
  snprintf(tables->problem, sizeof tables->problem, format, name);
  return 0;
}

/* The columns of a table as a curve; NULL, with the reason, if that makes no sense. */
static pc_curve* make_curve(pc_tables* tables, const pc_table* t, const char* column, int smooth)
{
  int y = column ? find_column(t, column, strlen(column)) : 1;
  if (y < 0 || y >= t->columns || t->columns < 2 || t->rows < 2) {
    say(tables, "expected two columns, two rows%s", column ? " and a column of this name" : "");
    return NULL;
  }
  for (int i = 1; i < t->rows; i++)
    if (!(t->value[(size_t)i * (size_t)t->columns] >
          t->value[(size_t)(i - 1) * (size_t)t->columns])) {
      say(tables, "the numbers of its first column must increase%s", "");
      return NULL;
    }
  pc_curve* curve = pc_curve_create(t->rows, t->value, t->value + y, t->columns, smooth);
  if (!curve) say(tables, "out of memory%s", "");
  return curve;
}

static void clear_table(pc_table* t)
{
  for (int c = 0; t->column_name && c < t->columns; c++) free(t->column_name[c]);
  free(t->column_name);
  free(t->value);
  *t = (pc_table){0};
}

/* The curve of a CSV file. */
static pc_curve* read_curve(pc_tables* tables, const char* name, int smooth)
{
  pc_table t = {0};
  pc_error error = {0};
  const pc_node nowhere = {0};
  const pc_file* file = NULL;
  pc_curve* curve = NULL;
  if (!tables->files || pc_files_read(tables->files, &nowhere, name, &file, &error) != PC_OK ||
      pc_read_csv(file->data, file->size, &t, &error) != PC_OK)
    say(tables, "%.150s", error.text);
  else
    curve = make_curve(tables, &t, NULL, smooth);
  clear_table(&t);
  return curve;
}

/* `name` is that of a table, of a table and a column, or of a file. */
static pc_curve* new_curve(pc_tables* tables, const char* name, int smooth)
{
  const char* dot = strchr(name, '.');
  const pc_table* t = pc_tables_find(tables, name, dot ? (size_t)(dot - name) : strlen(name));
  return t ? make_curve(tables, t, dot ? dot + 1 : NULL, smooth) : read_curve(tables, name, smooth);
}

static int keep_curve(pc_tables* tables, const char* text, pc_curve* curve)
{
  char* name = pc_copy_text(text);
  if (!name || pc_grow((void**)&tables->curve, &tables->curve_capacity, tables->curve_count,
                       sizeof *tables->curve) != PC_OK) {
    free(name);
    pc_curve_release(curve);
    return say(tables, "out of memory%s", "");
  }
  tables->curve[tables->curve_count++] = (pc_table_curve){name, curve};
  return 1;
}

/* table(NAME) or table(NAME,smooth) */
static int find_curve(pc_tables* tables, pc_pool* pool, const char* text, size_t length,
                      int* number)
{
  char name[200];
  int i = 0;
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  tables->problem[0] = 0;
  while (i < tables->curve_count && strcmp(tables->curve[i].name, name) != 0) i++;
  if (i == tables->curve_count) {
    char inner[200];
    snprintf(inner, sizeof inner, "%.*s", (int)length - 7, text + 6);
    char* comma = strchr(inner, ',');
    if (comma) *comma = 0;
    pc_curve* curve = new_curve(tables, inner, comma != NULL);
    if (!curve || !keep_curve(tables, name, curve)) return 0;
  }
  *number = pc_pool_add_curve(pool, tables->curve[i].curve);
  return 1;
}

static int find(void* user, pc_pool* pool, const char* name, size_t length, pc_expr* meaning)
{
  pc_tables* tables = user;
  if (length > 7 && strncmp(name, "table(", 6) == 0)
    return find_curve(tables, pool, name, length, meaning);
  size_t head = 0;
  while (head < length && name[head] != '(' && name[head] != '.') head++;
  const pc_table* t = head < length ? pc_tables_find(tables, name, head) : NULL;
  if (!t) return 0;
  if (length - head == 5 && strncmp(name + head, ".rows", 5) == 0) {
    *meaning = pc_expr_number(pool, t->rows);
    return 1;
  }
  const double* value = find_value(t, name + head, length - head);
  if (value) *meaning = pc_expr_number(pool, *value);
  return value != NULL;
}

static void list(const void* user, pc_suggestion* names)
{
  const pc_tables* tables = user;
  for (int i = 0; i < tables->count; i++) {
    char name[128];
    const pc_table* t = &tables->item[i];
    snprintf(name, sizeof name, "%.40s.rows", t->name);
    pc_suggest_add(names, name);
    for (int c = 0; c < t->columns; c++) {
      if (t->column_name)
        snprintf(name, sizeof name, "%.40s(0).%.40s", t->name, t->column_name[c]);
      else
        snprintf(name, sizeof name, "%.40s(0,%d)", t->name, c);
      pc_suggest_add(names, name);
    }
  }
}

pc_scope pc_tables_scope(pc_tables* tables)
{
  return (pc_scope){find, list, tables, NULL};
}

const char* pc_tables_problem(const pc_scope* scope)
{
  return scope->find == find ? ((const pc_tables*)scope->user)->problem : "";
}

/* --- reading -------------------------------------------------------------------------------- */

typedef struct reading {
  const pc_scope* scope;
  pc_files* files;
  pc_error* error;
  const pc_node* key; /* of the table */
} reading;

static pc_status fail(const reading* r, const pc_node* place, const char* text)
{
  return pc_fail_at(r->error, place, "table '%s': %s", r->key->text, text);
}

/* [[1, 2], [3, 4]], or [1, 2] for a single column. */
static pc_status read_rows(const reading* r, const pc_node* rows, pc_table* t)
{
  if (rows->kind != PC_NODE_SEQUENCE || !rows->count)
    return fail(r, rows, "expected a list of rows, [[1, 2], [3, 4]], or the name of a CSV file");
  t->columns = rows->first->kind == PC_NODE_SEQUENCE ? rows->first->count : 1;
  t->value = pc_alloc((size_t)rows->count * (size_t)t->columns, sizeof *t->value);
  if (!t->value) return pc_no_memory(r->error);
  double* value = t->value;
  for (const pc_node* row = rows->first; row; row = row->next, t->rows++) {
    int is_list = row->kind == PC_NODE_SEQUENCE;
    if (row->kind != rows->first->kind || (is_list ? row->count : 1) != t->columns)
      return fail(r, row, "all rows must have as many numbers as the first");
    for (const pc_node* n = is_list ? row->first : row; n; n = is_list ? n->next : NULL)
      PC_TRY(pc_number_of_node(r->scope, n, value++, r->error));
  }
  return PC_OK;
}

static pc_status read_column_names(const reading* r, const pc_node* names, pc_table* t)
{
  if (names->kind != PC_NODE_SEQUENCE || names->count != t->columns)
    return fail(r, names, "columns: expected a list with a name for each column");
  t->column_name = pc_alloc((size_t)t->columns, sizeof *t->column_name);
  if (!t->column_name) return pc_no_memory(r->error);
  int i = 0;
  for (const pc_node* name = names->first; name; name = name->next) {
    if (name->kind != PC_NODE_SCALAR || !pc_is_name(name->text, 0))
      return fail(r, name, "columns: expected names of letters, digits and '_'");
    t->column_name[i] = pc_copy_text(name->text);
    if (!t->column_name[i++]) return pc_no_memory(r->error);
  }
  return PC_OK;
}

static pc_status read_file(const reading* r, const pc_node* name, pc_table* t)
{
  const pc_file* file = NULL;
  PC_TRY(pc_files_read(r->files, name, name->text, &file, r->error));
  pc_error found = {0};
  pc_status status = pc_read_csv(file->data, file->size, t, &found);
  if (status == PC_OUT_OF_MEMORY) return pc_no_memory(r->error);
  if (status == PC_OK) return PC_OK;
  return pc_fail_at(r->error, name, "table '%s': %.200s:%d: %.200s", r->key->text, name->text,
                    found.line, found.text);
}

/* {columns: [x, y], rows: [[1, 2]]} */
static pc_status read_mapping(const reading* r, const pc_node* mapping, pc_table* t)
{
  const pc_node *columns = pc_node_key(mapping, "columns"), *rows = pc_node_key(mapping, "rows");
  for (const pc_node* key = mapping->first; key; key = key->next)
    if (key != columns && key != rows)
      return fail(r, key, "unknown key; expected {columns: [...], rows: [...]}");
  if (!rows) return fail(r, mapping, "expected {columns: [...], rows: [...]}");
  PC_TRY(rows->value->kind == PC_NODE_SCALAR ? read_file(r, rows->value, t)
                                             : read_rows(r, rows->value, t));
  if (t->column_name && columns) return fail(r, columns->value, "the file names its columns");
  return columns ? read_column_names(r, columns->value, t) : PC_OK;
}

static pc_status read_table(const reading* r, pc_table* t)
{
  const pc_node* value = r->key->value;
  t->name = r->key->text;
  if (!pc_is_name(t->name, 0) || pc_is_reserved_name(t->name))
    return pc_fail_at(r->error, r->key,
                      "'%.60s' cannot be the name of a table: expected letters, digits and '_', "
                      "beginning with a letter, and nothing that expressions know",
                      t->name);
  if (value->kind == PC_NODE_MAPPING) return read_mapping(r, value, t);
  return value->kind == PC_NODE_SCALAR && value->text[0] ? read_file(r, value, t)
                                                         : read_rows(r, value, t);
}

pc_status pc_tables_read(pc_tables* tables, const pc_node* section, const pc_scope* scope,
                         pc_files* files, pc_error* error)
{
  tables->files = files;
  if (!section) return PC_OK;
  if (section->kind != PC_NODE_MAPPING)
    return pc_fail_at(error, section, "tables: expected a mapping of names to tables, found %s",
                      pc_node_describe(section));
  tables->item = pc_alloc((size_t)section->count, sizeof *tables->item);
  if (!tables->item) return pc_no_memory(error);
  for (const pc_node* key = section->first; key; key = key->next) {
    reading r = {scope, files, error, key};
    PC_TRY(read_table(&r, &tables->item[tables->count++]));
  }
  return PC_OK;
}

void pc_tables_clear(pc_tables* tables)
{
  for (int i = 0; i < tables->count; i++) clear_table(&tables->item[i]);
  free(tables->item);
  for (int i = 0; i < tables->curve_count; i++) {
    free(tables->curve[i].name);
    pc_curve_release(tables->curve[i].curve);
  }
  free(tables->curve);
  *tables = (pc_tables){0};
}
