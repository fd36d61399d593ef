#include "study/sweep_table.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/error.h"

static pc_status no_memory(pc_error* error)
{
  return set_error(error, PC_OUT_OF_MEMORY, "no memory");
}

pc_status find_missing_rows(const pc_table_content* there, long rows, sweep_share share, long** row,
                            long* count, pc_error* error)
{
  char* known = calloc((size_t)rows + 1, 1);
  *row = malloc(((size_t)rows / (size_t)share.shares + 1) * sizeof **row);
  *count = 0;
  if (!known || !*row) {
    free(known);
    return no_memory(error);
  }
  for (long i = 0; there && i < there->count; i++)
    if (there->row[i] >= 0 && there->row[i] < rows) known[there->row[i]] = 1;
  for (long i = share.share - 1; i < rows; i += share.shares)
    if (!known[i]) (*row)[(*count)++] = i;
  free(known);
  return PC_OK;
}

/* --- descriptions ----------------------------------------------------------------------------- */

/* A line of a text, without its end; *at moves behind it. 0 after the last. */
static int next_line(const char** at, const char** line, size_t* length)
{
  if (!**at) return 0;
  *line = *at;
  *length = strcspn(*at, "\n");
  *at += *length + ((*at)[*length] == '\n');
  return 1;
}

/* The next line that is not about a share; an empty one at the end. */
static void next_common(const char** at, const char** line, size_t* length)
{
  while (next_line(at, line, length))
    if (strncmp(*line, "share: ", 7) != 0) return;
  *line = "";
  *length = 0;
}

pc_status check_same_sweep(const char* path, const char* about, const char* other, pc_error* error)
{
  const char *a, *b;
  size_t a_length, b_length;
  do {
    next_common(&about, &a, &a_length);
    next_common(&other, &b, &b_length);
    if (a_length != b_length || memcmp(a, b, a_length) != 0)
      return set_error(error, PC_BAD_ARGUMENT,
                       "'%s' is a table of another sweep: it has '%.*s', not '%.*s'", path,
                       (int)b_length, b, (int)a_length, a);
  } while (a_length > 0);
  return PC_OK;
}

void read_about(const char* about, const char* name, char* value, size_t size)
{
  const char* line;
  size_t length, used = strlen(name);
  *value = '\0';
  while (next_line(&about, &line, &length))
    if (length > used + 1 && !strncmp(line, name, used) && line[used] == ':') {
      snprintf(value, size, "%.*s", (int)(length - used - 2), line + used + 2);
      return;
    }
}

/* --- merging ---------------------------------------------------------------------------------- */

/* A row of one of the tables. */
typedef struct place {
  const pc_table_content* table;
  long index;
} place;

static long number_of(const place* p)
{
  return p->table->row[p->index];
}

static int compare(const void* a, const void* b)
{
  long x = number_of(a), y = number_of(b);
  return x < y ? -1 : x > y;
}

static const double* cell(const place* p, int column, int* count)
{
  const size_t* first = &p->table->first[p->index * p->table->column_count + column];
  *count = (int)(first[1] - first[0]);
  return p->table->number + first[0];
}

/* The same bits. */
static int same_row(const place* a, const place* b)
{
  int same = !strcmp(a->table->status[a->index], b->table->status[b->index]);
  for (int k = 0; same && k < a->table->column_count; k++) {
    int m, n;
    const double *x = cell(a, k, &m), *y = cell(b, k, &n);
    same = m == n && !memcmp(x, y, (size_t)m * sizeof *x);
  }
  return same;
}

static pc_status append(pc_table* to, const place* p, const double** value, int* count,
                        pc_error* error)
{
  for (int k = 0; k < p->table->column_count; k++) value[k] = cell(p, k, &count[k]);
  pc_table_row row = {number_of(p), p->table->status[p->index], p->table->note[p->index], value,
                      count};
  return pc_table_append(to, &row, error);
}

static pc_status append_all(pc_table* to, const place* p, long count, long* kept, pc_error* error)
{
  int columns = count ? p->table->column_count : 0;
  const double** value = calloc((size_t)columns + 1, sizeof *value);
  int* length = calloc((size_t)columns + 1, sizeof *length);
  pc_status status = value && length ? PC_OK : no_memory(error);
  *kept = 0;
  for (long i = 0; i < count && status == PC_OK; i++) {
    if (i == 0 || number_of(&p[i]) != number_of(&p[i - 1])) {
      status = append(to, &p[i], value, length, error);
      ++*kept;
    } else if (!same_row(&p[i], &p[i - 1])) {
      status = set_error(error, PC_BAD_ARGUMENT, "row %ld is there twice, with other numbers",
                         number_of(&p[i]));
    }
  }
  free(value);
  free(length);
  return status;
}

static place* list_places(pc_table_content* const* part, int count, long* total)
{
  *total = 0;
  for (int i = 0; i < count; i++) *total += part[i]->count;
  place* p = malloc(((size_t)*total + 1) * sizeof *p);
  for (long i = 0, n = 0; p && i < count; i++)
    for (long k = 0; k < part[i]->count; k++) p[n++] = (place){part[i], k};
  if (p) qsort(p, (size_t)*total, sizeof *p, compare);
  return p;
}

/* Beside the file, with the same ending. */
static void name_beside(const char* path, char* beside, size_t size)
{
  const char* slash = strrchr(path, '/');
  int folder = slash ? (int)(slash - path + 1) : 0;
  snprintf(beside, size, "%.*s.new-%s", folder, path, path + folder);
}

/* Without the line about a share. */
static char* common_about(const char* about)
{
  char* text = calloc(strlen(about) + 2, 1); /* the last line may lack its end */
  const char* line;
  size_t length, used = 0;
  for (next_common(&about, &line, &length); text && length; next_common(&about, &line, &length))
    used += (size_t)sprintf(text + used, "%.*s\n", (int)length, line);
  return text;
}

static pc_status write_merged(const pc_table_def* def, const place* p, long count, long* kept,
                              pc_error* error)
{
  pc_table* table = NULL;
  pc_status status = pc_table_create(def, &table, error);
  if (status != PC_OK) return status;
  status = append_all(table, p, count, kept, error);
  pc_status closed = pc_table_close(table, status == PC_OK ? error : NULL);
  return status == PC_OK ? closed : status;
}

static int has_same_columns(const pc_table_content* a, const pc_table_content* b)
{
  int same = a->column_count == b->column_count;
  for (int k = 0; same && k < a->column_count; k++)
    same = !strcmp(a->column[k].name, b->column[k].name) &&
           !a->column[k].is_list == !b->column[k].is_list;
  return same;
}

pc_status merge_tables(pc_table_content* const* part, int count, const char* path, int force,
                       long* missing, pc_error* error)
{
  char beside[PATH_MAX], rows[32];
  for (int i = 1; i < count; i++)
    if (!has_same_columns(part[0], part[i]))
      return set_error(error, PC_BAD_ARGUMENT, "the tables to be merged have different columns");
  if (!force && access(path, F_OK) == 0 && !pc_is_table(path))
    return set_error(error, PC_CANNOT_WRITE,
                     "cannot write '%s': there is a file that is no table of percuss, and it would "
                     "be lost; --force replaces it",
                     path);
  long total, kept = 0;
  place* p = list_places(part, count, &total);
  char* about = common_about(part[0]->about);
  name_beside(path, beside, sizeof beside);
  pc_table_def def = {beside, about, part[0]->column, part[0]->column_count, 1};
  pc_status status = p && about ? write_merged(&def, p, total, &kept, error) : no_memory(error);
  if (status == PC_OK && rename(beside, path) != 0)
    status = set_error(error, PC_CANNOT_WRITE, "cannot write '%s': %s", path, strerror(errno));
  if (status != PC_OK) remove(beside);
  if (about) read_about(about, "rows", rows, sizeof rows);
  *missing = about ? strtol(rows, NULL, 10) - kept : 0;
  free(p);
  free(about);
  return status;
}

int is_ascending(const pc_table_content* table)
{
  for (long i = 1; i < table->count; i++)
    if (table->row[i] <= table->row[i - 1]) return 0;
  return 1;
}

/* --- statistics ------------------------------------------------------------------------------- */

/* The error of the spread follows from the fourth moment, for any distribution. */
long find_statistics(const pc_table_content* t, int column, column_statistics* s)
{
  double n = 0, mean = 0, squares = 0, fourth = 0;
  *s = (column_statistics){.min = INFINITY, .max = -INFINITY};
  for (int round = 0; round < 2; round++) {
    for (long i = 0; i < t->count; i++) {
      double x = t->number[t->first[i * t->column_count + column]];
      if (strcmp(t->status[i], "done") != 0 || !isfinite(x)) continue;
      double d = x - mean;
      if (round == 0) {
        n++;
        mean += d / n;
        s->min = fmin(s->min, x);
        s->max = fmax(s->max, x);
      } else {
        squares += d * d;
        fourth += d * d * d * d;
      }
    }
  }
  s->mean = n > 0 ? mean : NAN;
  s->spread = n > 1 ? sqrt(squares / (n - 1)) : NAN;
  s->mean_error = s->spread / sqrt(n);
  double excess = fourth / n - s->spread * s->spread * s->spread * s->spread;
  s->spread_error = s->spread > 0 ? sqrt(fmax(excess, 0) / n) / (2 * s->spread) : 0;
  return (long)n;
}
