/* Alone, a process writes the table itself. With others, each writes a part of its own beside the
 * table, and process 0 puts them together at the end; so whatever process is killed, all rows that
 * were complete are in some file, and --resume finds them. */
#include "study/sweep_session.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/clock.h"
#include "study/error.h"

/* Tables of HDF5 take longer to flush, so that is done at intervals [s]. */
static const double flush_interval = 0.5;

/* --- rows in and out -------------------------------------------------------------------------- */

typedef struct stream {
  const sweep_session* session;
  const long* row; /* to do, ascending */
  long count, next;
  pc_table* table;
  int text; /* a table of text: flushed row by row */
  double flushed;
} stream;

static long take_rows(void* user, long* row, long most)
{
  stream* s = user;
  const team* t = s->session->team;
  if (t->size > 1) s->next = t->take(most);
  long count = s->count - s->next;
  count = count < 0 ? 0 : count < most ? count : most;
  for (long i = 0; i < count; i++) row[i] = s->row[s->next + i];
  if (t->size == 1) s->next += count;
  return count;
}

static pc_status put_row(void* user, const pc_table_row* row, pc_error* error)
{
  stream* s = user;
  pc_status status = pc_table_append(s->table, row, error);
  double now = wall_clock();
  if (status != PC_OK || (!s->text && now - s->flushed < flush_interval)) return status;
  s->flushed = now;
  return pc_table_flush(s->table, error);
}

/* --- parts ------------------------------------------------------------------------------------ */

/* table.part-3.csv */
static void name_part(const char* path, const char* which, char* part, size_t size)
{
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
  snprintf(part, size, "%.*s.part-%s%s", stem, path, which, path + stem);
}

/* The table, if there is one, and the parts of processes that could not put them together. */
static void list_files(const char* path, glob_t* files)
{
  char pattern[PATH_MAX];
  name_part(path, "[0-9]*", pattern, sizeof pattern);
  *files = (glob_t){0};
  if (access(path, F_OK) == 0) glob(path, GLOB_NOSORT, NULL, files);
  glob(pattern, files->gl_pathc ? GLOB_APPEND : 0, NULL, files);
}

/* Reads tables of this sweep; those of another are refused. A part that was killed before its first
 * line is none. */
static pc_status read_tables(const sweep_session* s, char* const* path, size_t count,
                             pc_table_content** table, int* tables, pc_error* error)
{
  *tables = 0;
  for (size_t i = 0; i < count; i++) {
    pc_table_content* content;
    pc_status status = pc_table_read(path[i], &content, error);
    if (status == PC_BAD_MODEL && strcmp(path[i], s->out) != 0) continue;
    if (status == PC_OK) {
      table[(*tables)++] = content;
      status = check_same_sweep(path[i], s->about, content->about, error);
    }
    if (status != PC_OK) return status;
  }
  return PC_OK;
}

/* Puts parts into the table. They are removed once it is in its place, unless a process may still
 * be writing (rows that are there twice are the same). A table whose rows are not in their order is
 * written again. */
static pc_status gather(const sweep_session* s, int writing, pc_error* error)
{
  glob_t files;
  list_files(s->out, &files);
  pc_table_content** table = calloc(files.gl_pathc + 1, sizeof *table);
  int count = 0;
  long missing;
  pc_status status = table ? read_tables(s, files.gl_pathv, files.gl_pathc, table, &count, error)
                           : set_error(error, PC_OUT_OF_MEMORY, "no memory");
  if (status == PC_OK && count > 0 &&
      (files.gl_pathc > 1 || !is_ascending(table[0]) || strcmp(files.gl_pathv[0], s->out) != 0))
    status = merge_tables(table, count, s->out, s->force, &missing, error);
  for (size_t i = 0; status == PC_OK && !writing && i < files.gl_pathc; i++)
    if (strcmp(files.gl_pathv[i], s->out) != 0) remove(files.gl_pathv[i]);
  for (int i = 0; i < count; i++) pc_table_free(table[i]);
  free(table);
  globfree(&files);
  return status;
}

/* --- the table -------------------------------------------------------------------------------- */

static pc_status read_existing(const sweep_session* s, pc_table_content** there, pc_error* error)
{
  *there = NULL;
  if (!s->resume) return PC_OK;
  pc_status status = PC_OK;
  if (s->team->rank == 0) status = gather(s, 0, error);
  s->team->meet();
  if (status == PC_OK) status = pc_table_read(s->out, there, error);
  if (status == PC_OK) status = check_same_sweep(s->out, s->about, (*there)->about, error);
  return status;
}

static pc_status open_table(const sweep_session* s, int append, pc_table** table, pc_error* error)
{
  int count = sweep_column_count(&s->def), together = s->team->size > 1;
  char part[PATH_MAX], rank[16];
  pc_table_column* column = calloc((size_t)count + 1, sizeof *column);
  pc_model* model = NULL;
  pc_status status = column ? sweep_model(&s->def, 0, &model, error)
                            : set_error(error, PC_OUT_OF_MEMORY, "no memory");
  if (status == PC_OK) {
    sweep_columns(&s->def, model, column);
    snprintf(rank, sizeof rank, "%d", s->team->rank);
    name_part(s->out, rank, part, sizeof part);
    pc_table_def def = {together ? part : s->out, s->about, column, count, s->force || together};
    status = append && !together ? pc_table_resume(&def, table, error)
                                 : pc_table_create(&def, table, error);
  }
  pc_model_destroy(model);
  free(column);
  return status;
}

/* Before anything is removed: a new sweep takes the place of a table, and of parts that were left
 * of it. */
static pc_status clear_place(const sweep_session* s, pc_error* error)
{
  if (s->resume || s->team->rank != 0) return PC_OK;
  if (s->team->size > 1 && access(s->out, F_OK) == 0) {
    if (!s->force && !pc_is_table(s->out))
      return set_error(error, PC_CANNOT_WRITE,
                       "cannot write '%s': there is a file that is no table of percuss, and it "
                       "would be lost; --force replaces it",
                       s->out);
    remove(s->out);
  }
  glob_t files;
  list_files(s->out, &files);
  for (size_t i = 0; i < files.gl_pathc; i++)
    if (strcmp(files.gl_pathv[i], s->out) != 0) remove(files.gl_pathv[i]);
  globfree(&files);
  return PC_OK;
}

static void make_report(const sweep_session* s, const pc_table_content* t, sweep_report* report)
{
  long rows = s->def.design->rows, share = s->share.share - 1;
  report->rows = (rows - share + s->share.shares - 1) / s->share.shares;
  report->there = t->count;
  report->missing = report->rows - t->count;
  for (long i = 0; i < t->count; i++) {
    report->done += !strcmp(t->status[i], "done");
    report->doubtful += !strcmp(t->status[i], "doubtful");
  }
}

/* The rows of this process, into its file. */
static pc_status do_rows(const sweep_session* s, const batch_monitor* monitor, stream* rows,
                         int append, pc_error* error)
{
  pc_status status = open_table(s, append, &rows->table, error);
  if (status != PC_OK) return status;
  sweep_flow flow = {take_rows, put_row, rows};
  long expected = rows->count / s->team->size + 1;
  status = run_sweep(&s->def, &flow, expected, s->threads, monitor, error);
  pc_error closing = {0};
  pc_status closed = pc_table_close(rows->table, &closing);
  if ((status == PC_OK || status == PC_STOPPED) && closed != PC_OK) {
    *error = closing;
    return closed;
  }
  return status;
}

/* A process that is gone is given up after a minute, or ten times as long as the rows took so
 * far. */
static int wait_for_others(const sweep_session* s, const batch_monitor* monitor, double started)
{
  double longest_silence = 60 + 10 * (wall_clock() - started);
  return s->team->finish(longest_silence, monitor ? monitor->stop : NULL,
                         monitor ? monitor->user : NULL);
}

static pc_status put_together(const sweep_session* s, sweep_report* report, pc_error* error)
{
  pc_table_content* table = NULL;
  if (s->team->rank != 0) return PC_OK;
  pc_status status = gather(s, report->processes > 0, error);
  if (status == PC_OK) status = pc_table_read(s->out, &table, error);
  if (status == PC_OK) make_report(s, table, report);
  pc_table_free(table);
  return status;
}

pc_status do_sweep(const sweep_session* s, const batch_monitor* monitor, sweep_report* report,
                   pc_error* error)
{
  pc_table_content* there = NULL;
  long* row = NULL;
  double started = wall_clock();
  stream rows = {.session = s};
  const char* dot = strrchr(s->out, '.');
  rows.text = !dot || (strcmp(dot, ".h5") != 0 && strcmp(dot, ".hdf5") != 0);
  *report = (sweep_report){0};
  pc_status status = clear_place(s, error);
  s->team->meet();
  if (status == PC_OK) status = read_existing(s, &there, error);
  if (status == PC_OK)
    status = find_missing_rows(there, s->def.design->rows, s->share, &row, &rows.count, error);
  report->resumed = there ? there->count : 0;
  rows.row = row;
  if (status == PC_OK) status = do_rows(s, monitor, &rows, there != NULL, error);
  report->processes = wait_for_others(s, monitor, started);
  if (status == PC_OK || status == PC_STOPPED) {
    pc_status gathered = put_together(s, report, error);
    if (gathered != PC_OK) status = gathered;
  }
  pc_table_free(there);
  free(row);
  return status;
}
