#include "text/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { FIELD_MAX = 80, COLUMNS_MAX = 1000 };

typedef struct csv {
  const char* at;
  char separator; /* ' ' for any white space */
  pc_table* table;
  int capacity; /* of values */
  pc_error* error;
} csv;

static int is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static int is_end(char c)
{
  return !c || c == '\n';
}

/* The first separator of a line decides for the file: a comma, a semicolon, or white space. */
static char find_separator(const char* line)
{
  size_t length = strcspn(line, "\n");
  if (memchr(line, ';', length)) return ';';
  return memchr(line, ',', length) ? ',' : ' ';
}

/* The next field of the line without blanks around it; 0 at the end of the line. */
static int next_field(csv* c, int first, char* field)
{
  while (is_blank(*c->at)) c->at++;
  if (is_end(*c->at) && (first || c->separator == ' ')) return 0;
  size_t used = 0;
  if (!first && c->separator != ' ') {
    if (*c->at != c->separator) return 0;
    c->at++;
    while (is_blank(*c->at)) c->at++;
  }
  while (!is_end(*c->at) && *c->at != c->separator && !(c->separator == ' ' && is_blank(*c->at))) {
    if (used + 1 < FIELD_MAX) field[used++] = *c->at;
    c->at++;
  }
  while (used && is_blank(field[used - 1])) used--;
  field[used] = 0;
  if (used + 1 == FIELD_MAX) memcpy(field + used - 3, "...", 3); /* too long: no number, no name */
  return 1;
}

static int is_number(const char* field, double* value)
{
  char* end = NULL;
  if (!field[0] || strspn(field, "0123456789.eE+-") != strlen(field)) return 0;
  *value = strtod(field, &end);
  return *end == 0 && isfinite(*value);
}

static pc_status add_value(csv* c, int count, double value)
{
  if (pc_grow((void**)&c->table->value, &c->capacity, count, sizeof value) != PC_OK)
    return pc_no_memory(c->error);
  c->table->value[count] = value;
  return PC_OK;
}

/* The first line, if it holds no number: `names` is 0 otherwise. */
static pc_status read_header(csv* c, int* names)
{
  const char* start = c->at;
  char field[FIELD_MAX];
  double value;
  int count = 0;
  while (next_field(c, count == 0, field))
    if (is_number(field, &value) || !pc_is_name(field, 0) || ++count > COLUMNS_MAX) break;
  *names = count > 0 && is_end(*c->at) && count <= COLUMNS_MAX;
  const char* end = c->at;
  c->at = start;
  if (!*names) return PC_OK;
  c->table->column_name = pc_alloc((size_t)count, sizeof *c->table->column_name);
  if (!c->table->column_name) return pc_no_memory(c->error);
  c->table->columns = count;
  for (int i = 0; i < count && next_field(c, i == 0, field); i++) {
    c->table->column_name[i] = pc_copy_text(field);
    if (!c->table->column_name[i]) return pc_no_memory(c->error);
  }
  c->at = end;
  return PC_OK;
}

static pc_status read_line(csv* c)
{
  pc_table* t = c->table;
  char field[FIELD_MAX];
  double value;
  int count = 0;
  for (; next_field(c, count == 0, field); count++) {
    if (!is_number(field, &value))
      return pc_fail(c->error, PC_BAD_MODEL, "expected a number, found '%s'", field);
    if (count == COLUMNS_MAX)
      return pc_fail(c->error, PC_BAD_MODEL, "more than %d columns", COLUMNS_MAX);
    PC_TRY(add_value(c, t->rows * t->columns + count, value));
  }
  if (!t->columns) t->columns = count;
  if (count != t->columns)
    return pc_fail(c->error, PC_BAD_MODEL, "expected %d numbers, found %d", t->columns, count);
  t->rows++;
  return PC_OK;
}

pc_status pc_read_csv(const char* text, size_t size, pc_table* table, pc_error* error)
{
  csv c = {.at = text, .table = table, .error = error};
  int begun = 0;
  if (strncmp(c.at, "\xef\xbb\xbf", 3) == 0) c.at += 3; /* the mark that some editors write */
  for (error->line = 1; *c.at; error->line++) {
    while (is_blank(*c.at)) c.at++;
    if (!is_end(*c.at) && *c.at != '#') {
      int names = 0;
      if (!begun) c.separator = find_separator(c.at);
      if (!begun++) PC_TRY(read_header(&c, &names));
      if (!names) PC_TRY(read_line(&c));
    }
    c.at += strcspn(c.at, "\n");
    if (!*c.at) break;
    c.at++;
  }
  if (c.at != text + size) return pc_fail(error, PC_BAD_MODEL, "the line contains a zero byte");
  if (table->rows) return PC_OK;
  return pc_fail(error, PC_BAD_MODEL, "there are no numbers");
}
