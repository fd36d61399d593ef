#include "record/table.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/sound.h"

static const pc_table_ops* format_of(const char* path)
{
  const char* dot = strrchr(path, '.');
  int hdf5 = dot && (!strcasecmp(dot, ".h5") || !strcasecmp(dot, ".hdf5"));
  return hdf5 ? &pc_table_hdf5 : &pc_table_csv;
}

static void free_columns(pc_table_column* column, int count)
{
  for (int i = 0; column && i < count; i++) {
    free((char*)column[i].name);
    free((char*)column[i].unit);
  }
  free(column);
}

static void destroy(pc_table* t)
{
  free_columns(t->column, t->column_count);
  free(t->path);
  free(t);
}

static pc_status copy_columns(pc_table* t, const pc_table_def* def)
{
  t->column = pc_alloc((size_t)def->column_count, sizeof *t->column);
  if (!t->column) return PC_OUT_OF_MEMORY;
  for (int i = 0; i < def->column_count; i++) {
    const pc_table_column* from = &def->column[i];
    t->column[i] =
        (pc_table_column){pc_copy_text(from->name), pc_copy_text(from->unit), from->is_list};
    t->column_count++;
    if (!t->column[i].name || !t->column[i].unit) return PC_OUT_OF_MEMORY;
  }
  return PC_OK;
}

static pc_status prepare(const pc_table_def* def, pc_table** table, pc_error* error)
{
  *table = NULL;
  if (!def->path || !def->path[0]) return pc_fail(error, PC_BAD_ARGUMENT, "path: none is given");
  pc_table* t = pc_alloc(1, sizeof *t);
  if (!t) return pc_no_memory(error);
  t->ops = format_of(def->path);
  t->path = pc_copy_text(def->path);
  if (t->path && copy_columns(t, def) == PC_OK) {
    *table = t;
    return PC_OK;
  }
  destroy(t);
  return pc_no_memory(error);
}

/* Closes what was made by half. */
static pc_status begin(pc_table** table, const pc_table_def* def,
                       pc_status (*open)(pc_table*, const pc_table_def*, pc_error*),
                       pc_error* error)
{
  pc_status status = open(*table, def, error);
  if (status == PC_OK) return PC_OK;
  (*table)->ops->close(*table, NULL);
  destroy(*table);
  *table = NULL;
  return status;
}

pc_status pc_table_create(const pc_table_def* def, pc_table** table, pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  PC_TRY(pc_need(table, "table", error));
  PC_TRY(prepare(def, table, error));
  return begin(table, def, (*table)->ops->create, error);
}

static pc_status compare_columns(const pc_table_def* def, const pc_table_content* there,
                                 pc_error* error)
{
  int same = def->column_count == there->column_count;
  for (int i = 0; same && i < def->column_count; i++)
    same = !strcmp(def->column[i].name, there->column[i].name);
  if (same) return PC_OK;
  return pc_fail(error, PC_BAD_ARGUMENT, "cannot resume '%s': it has other columns", def->path);
}

pc_status pc_table_resume(const pc_table_def* def, pc_table** table, pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  PC_TRY(pc_need(table, "table", error));
  *table = NULL;
  pc_table_content* there = NULL;
  PC_TRY(pc_table_read(def->path, &there, error));
  pc_status status = compare_columns(def, there, error);
  pc_table_free(there);
  if (status == PC_OK) status = prepare(def, table, error);
  return status == PC_OK ? begin(table, def, (*table)->ops->resume, error) : status;
}

pc_status pc_table_append(pc_table* t, const pc_table_row* row, pc_error* error)
{
  PC_TRY(pc_need(t, "table", error));
  PC_TRY(pc_need(row, "row", error));
  return t->ops->append(t, row, error);
}

pc_status pc_table_flush(pc_table* t, pc_error* error)
{
  PC_TRY(pc_need(t, "table", error));
  return t->ops->flush(t, error);
}

pc_status pc_table_close(pc_table* t, pc_error* error)
{
  if (!t) return PC_OK;
  pc_status status = t->ops->flush(t, error);
  pc_status closed = t->ops->close(t, status == PC_OK ? error : NULL);
  destroy(t);
  return status == PC_OK ? closed : status;
}

/* --- reading ---------------------------------------------------------------------------------- */

pc_status pc_table_damaged(const char* path, const char* what, pc_error* error)
{
  return pc_fail(error, PC_BAD_MODEL, "'%s' is no table of percuss, or damaged: %s", path, what);
}

pc_status pc_table_allocate(pc_table_content* c, long rows, size_t numbers, pc_error* error)
{
  size_t n = (size_t)rows;
  c->row = pc_alloc(n, sizeof *c->row);
  c->status = pc_alloc(n, sizeof *c->status);
  c->note = pc_alloc(n, sizeof *c->note);
  c->first = pc_alloc(n * (size_t)c->column_count + 1, sizeof *c->first);
  c->number = pc_alloc(numbers, sizeof *c->number);
  int ok = c->row && c->status && c->note && c->first && c->number;
  return ok ? PC_OK : pc_no_memory(error);
}

pc_status pc_table_name_column(pc_table_content* c, const char* name, const char* unit, int is_list,
                               pc_error* error)
{
  pc_table_column* more = realloc(c->column, (size_t)(c->column_count + 1) * sizeof *more);
  if (!more) return pc_no_memory(error);
  c->column = more;
  pc_table_column* next = &c->column[c->column_count++];
  *next = (pc_table_column){pc_copy_text(name), pc_copy_text(unit), is_list};
  return next->name && next->unit ? PC_OK : pc_no_memory(error);
}

pc_status pc_table_read(const char* path, pc_table_content** content, pc_error* error)
{
  PC_TRY(pc_need(path, "path", error));
  PC_TRY(pc_need(content, "content", error));
  *content = NULL;
  pc_table_content* c = pc_alloc(1, sizeof *c);
  if (!c) return pc_no_memory(error);
  pc_status status = format_of(path)->read(path, c, error);
  if (status == PC_OK)
    *content = c;
  else
    pc_table_free(c);
  return status;
}

void pc_table_free(pc_table_content* c)
{
  if (!c) return;
  for (long i = 0; i < c->count; i++) {
    free(c->status[i]);
    free(c->note[i]);
  }
  free_columns(c->column, c->column_count);
  free(c->about);
  free(c->row);
  free(c->status);
  free(c->note);
  free(c->first);
  free(c->number);
  free(c);
}

int pc_is_table(const char* path)
{
  char begin[sizeof PC_TABLE_MARK] = "";
  int descriptor = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  if (descriptor < 0) return 0;
  ssize_t size = read(descriptor, begin, sizeof begin - 1);
  int hdf5 = format_of(path) == &pc_table_hdf5 && pc_begins_as_result(descriptor);
  close(descriptor);
  if (size == sizeof begin - 1 && !memcmp(begin, PC_TABLE_MARK, sizeof begin - 1)) return 1;
  if (!hdf5) return 0;
  pc_table_content* content = NULL;
  pc_status status = pc_table_read(path, &content, NULL);
  pc_table_free(content);
  return status == PC_OK;
}
