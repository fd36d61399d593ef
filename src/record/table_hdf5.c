/* Tables as HDF5 files, with the columns and the care of result files: rows are in the file when
 * /complete says so.
 *
 *     /row /status                   numbers of the rows; how runs ended: a line of /statuses
 *     /values/<column>               a number per row
 *     /lists/<column>/end, /value    where the list of a row ends in `value`
 *     /note/end, /text               likewise, bytes of text
 *     /about                         where the table comes from;  /columns/table: names and units
 *
 * In the names of datasets, / is written as |. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/attribute.h"
#include "record/column.h"
#include "record/columns.h"
#include "record/complete.h"
#include "record/file.h"
#include "record/result.h"
#include "record/sound.h"
#include "record/table.h"
#include "record/text.h"

enum { TABLE_VERSION = 1, CAPACITY = 1024, PATH_SIZE = 512 };

static const char* const statuses[] = {"done",      "doubtful",  "failed", "unstable",
                                       "bad model", "no memory", "other"};

enum { STATUS_COUNT = sizeof statuses / sizeof *statuses };

static int code_of(const char* status)
{
  int code = 0;
  while (code < STATUS_COUNT - 1 && strcmp(statuses[code], status) != 0) code++;
  return code;
}

/* Columns of one number per row: row, status, the end of the note, then one for each column of the
 * table. */
enum { ROW, STATUS, NOTE_END, VALUES };

/* Numbers of which a row has any count: text of the notes, then one for each column of the table
 * (empty where it is no list). */
typedef struct pile {
  pc_column column;
  long written; /* in the file */
  int waiting;
} pile;

typedef struct hdf5_table {
  hid_t file, complete;
  pc_column* column; /* VALUES + column_count */
  pile* pile;        /* 1 + column_count */
  int waiting;       /* rows */
  long written;
} hdf5_table;

static void path_of(const pc_table_column* c, const char* what, char path[PATH_SIZE])
{
  int used = snprintf(path, PATH_SIZE, "%s/", c->is_list ? "lists" : "values");
  snprintf(path + used, PATH_SIZE - (size_t)used, "%s%s", c->name, what);
  size_t length = strlen(c->name);
  for (char* at = path + used; *at && at < path + used + length; at++)
    if (*at == '/') *at = '|';
}

static int pile_count(const pc_table* t)
{
  return 1 + t->column_count;
}

static pc_status allocate(pc_table* t, pc_error* error)
{
  hdf5_table* h = t->inside = pc_alloc(1, sizeof *h);
  if (!h) return pc_no_memory(error);
  h->file = h->complete = H5I_INVALID_HID;
  h->column = pc_alloc((size_t)VALUES + (size_t)t->column_count, sizeof *h->column);
  h->pile = pc_alloc((size_t)pile_count(t), sizeof *h->pile);
  if (!h->column || !h->pile) return pc_no_memory(error);
  for (int i = 0; i < VALUES + t->column_count; i++) {
    int list = i == ROW || i == NOTE_END || (i >= VALUES && t->column[i - VALUES].is_list);
    pc_column_type type = i == STATUS ? PC_COLUMN_BYTE : list ? PC_COLUMN_LONG : PC_COLUMN_REAL;
    if (pc_column_allocate(&h->column[i], PC_SCALAR, type, CAPACITY, 0) != PC_OK)
      return pc_no_memory(error);
  }
  for (int i = 0; i < pile_count(t); i++)
    if (pc_column_allocate(&h->pile[i].column, PC_SCALAR, i ? PC_COLUMN_REAL : PC_COLUMN_BYTE,
                           CAPACITY, 0) != PC_OK)
      return pc_no_memory(error);
  return PC_OK;
}

/* --- the datasets ----------------------------------------------------------------------------- */

typedef int open_column(pc_column* column, hid_t file, const char* path);

/* Creates or opens them all; -1 if HDF5 refuses. */
static int open_columns(const pc_table* t, open_column* open)
{
  hdf5_table* h = t->inside;
  char path[PATH_SIZE];
  if (open(&h->column[ROW], h->file, "row") != 0 ||
      open(&h->column[STATUS], h->file, "status") != 0)
    return -1;
  if (open(&h->column[NOTE_END], h->file, "note/end") != 0 ||
      open(&h->pile[0].column, h->file, "note/text") != 0)
    return -1;
  for (int k = 0; k < t->column_count; k++) {
    path_of(&t->column[k], t->column[k].is_list ? "/end" : "", path);
    if (open(&h->column[VALUES + k], h->file, path) != 0) return -1;
    path_of(&t->column[k], "/value", path);
    if (t->column[k].is_list && open(&h->pile[1 + k].column, h->file, path) != 0) return -1;
  }
  return 0;
}

static int make_group(hid_t file, const char* path)
{
  hid_t group = H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return group >= 0 && H5Gclose(group) >= 0 ? 0 : -1;
}

static int make_groups(const pc_table* t, hid_t file)
{
  char path[PATH_SIZE];
  if (make_group(file, "values") || make_group(file, "lists") || make_group(file, "note"))
    return -1;
  for (int k = 0; k < t->column_count; k++) {
    path_of(&t->column[k], "", path);
    if (t->column[k].is_list && make_group(file, path) != 0) return -1;
  }
  return 0;
}

static int describe(const pc_table* t, hid_t file, const char* about)
{
  char words[256] = "";
  for (int i = 0, used = 0; i < STATUS_COUNT; i++)
    used += snprintf(words + used, sizeof words - (size_t)used, "%s\n", statuses[i]);
  size_t n = (size_t)t->column_count;
  const char** text = pc_alloc(2 * n, sizeof *text);
  if (!text) return -1;
  for (size_t k = 0; k < n; k++) {
    text[k] = t->column[k].name;
    text[n + k] = t->column[k].unit;
  }
  pc_columns columns = {.count = t->column_count, .name = text, .unit = text + n};
  int ok = pc_write_text(file, "percuss_version", pc_version_text()) == 0 &&
           pc_write_integer(file, "table_version", TABLE_VERSION) == 0 &&
           pc_store_text(file, "about", about) == 0 &&
           pc_store_text(file, "statuses", words) == 0 &&
           pc_columns_write(file, "table", &columns) == 0;
  free(text);
  return ok ? 0 : -1;
}

/* At most what a flush, or the beginning of the file, adds to it. */
static size_t bytes_of_flush(const pc_table* t)
{
  const hdf5_table* h = t->inside;
  enum { DATASET_BYTES = 3 * 4096, FILE_BYTES = 1 << 17 };
  size_t bytes = FILE_BYTES;
  for (int i = 0; i < VALUES + t->column_count; i++)
    bytes += DATASET_BYTES + pc_column_chunk_bytes(&h->column[i]);
  for (int i = 0; i < pile_count(t); i++)
    bytes += DATASET_BYTES + pc_column_chunk_bytes(&h->pile[i].column);
  return bytes;
}

static int fill_file(pc_table* t, const pc_table_def* def)
{
  hdf5_table* h = t->inside;
  if (describe(t, h->file, def->about) != 0) return -1;
  h->file = pc_file_finish_description(h->file, t->path, bytes_of_flush(t));
  if (h->file < 0 || make_groups(t, h->file) != 0 || open_columns(t, pc_column_create) != 0)
    return -1;
  h->complete = pc_complete_create(h->file);
  return h->complete >= 0 && H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0 ? 0 : -1;
}

static pc_status create_quietly(pc_table* t, const pc_table_def* def, pc_error* error)
{
  hdf5_table* h = t->inside;
  size_t bytes = bytes_of_flush(t) + 2 * strlen(def->about);
  PC_TRY(pc_file_create(t->path, bytes, def->force, &h->file, error));
  errno = 0;
  return fill_file(t, def) == 0 ? PC_OK : pc_cannot_write(t->path, errno, error);
}

static pc_status create(pc_table* t, const pc_table_def* def, pc_error* error)
{
  PC_TRY(pc_hdf5_load(PC_CANNOT_WRITE, error));
  PC_TRY(allocate(t, error));
  pc_hdf5_use use = pc_hdf5_begin();
  pc_status status = create_quietly(t, def, error);
  pc_hdf5_end(use);
  return status;
}

/* --- writing ---------------------------------------------------------------------------------- */

static int write_pile(pile* p)
{
  if (p->waiting == 0) return 0;
  if (pc_column_write(&p->column, p->written, p->waiting) != 0) return -1;
  p->written += p->waiting;
  p->waiting = 0;
  return 0;
}

static int write_all(const pc_table* t)
{
  hdf5_table* h = t->inside;
  for (int i = 0; i < pile_count(t); i++)
    if (write_pile(&h->pile[i]) != 0) return -1;
  for (int i = 0; i < VALUES + t->column_count; i++)
    if (pc_column_write(&h->column[i], h->written, h->waiting) != 0) return -1;
  if (H5Fflush(h->file, H5F_SCOPE_LOCAL) < 0) return -1;
  if (pc_complete_write(h->complete, (pc_complete){h->written + h->waiting, 0}) != 0) return -1;
  if (H5Fflush(h->file, H5F_SCOPE_LOCAL) < 0) return -1;
  h->written += h->waiting;
  h->waiting = 0;
  return 0;
}

/* Does something with the file, if there is space for what it may write. */
static pc_status write_if_space(pc_table* t, int (*write)(const pc_table*), pc_error* error)
{
  hdf5_table* h = t->inside;
  pc_hdf5_use use = pc_hdf5_begin();
  int reason = pc_file_reserve(h->file, bytes_of_flush(t));
  int failed = reason != 0;
  errno = 0;
  if (!failed && write(t) != 0) {
    failed = 1;
    reason = errno;
  }
  pc_hdf5_end(use);
  return failed ? pc_cannot_write(t->path, reason, error) : PC_OK;
}

static pc_status flush(pc_table* t, pc_error* error)
{
  hdf5_table* h = t->inside;
  return h->waiting > 0 ? write_if_space(t, write_all, error) : PC_OK;
}

static int write_piles(const pc_table* t)
{
  hdf5_table* h = t->inside;
  for (int i = 0; i < pile_count(t); i++)
    if (write_pile(&h->pile[i]) != 0) return -1;
  return 0;
}

/* Long lists go into the file before their row, which counts once it is complete. */
static pc_status add_to_pile(pc_table* t, pile* p, double number, pc_error* error)
{
  if (p->waiting == CAPACITY) PC_TRY(write_if_space(t, write_piles, error));
  *pc_column_row(&p->column, p->waiting++) = number;
  return PC_OK;
}

static void set(hdf5_table* h, int column, double number)
{
  *pc_column_row(&h->column[column], h->waiting) = number;
}

static pc_status append(pc_table* t, const pc_table_row* row, pc_error* error)
{
  hdf5_table* h = t->inside;
  set(h, ROW, (double)row->row);
  set(h, STATUS, code_of(row->status));
  for (const char* c = row->note; *c; c++) PC_TRY(add_to_pile(t, &h->pile[0], *c, error));
  set(h, NOTE_END, (double)(h->pile[0].written + h->pile[0].waiting));
  for (int k = 0; k < t->column_count; k++) {
    pile* p = &h->pile[1 + k];
    int list = t->column[k].is_list;
    for (int i = 0; list && i < row->count[k]; i++)
      PC_TRY(add_to_pile(t, p, row->value[k][i], error));
    set(h, VALUES + k, list ? (double)(p->written + p->waiting) : row->value[k][0]);
  }
  return ++h->waiting == CAPACITY ? flush(t, error) : PC_OK;
}

static pc_status close_table(pc_table* t, pc_error* error)
{
  hdf5_table* h = t->inside;
  if (!h) return PC_OK;
  pc_hdf5_use use = pc_hdf5_begin();
  int ok = 1;
  for (int i = 0; h->column && i < VALUES + t->column_count; i++)
    ok = pc_column_close(&h->column[i]) == 0 && ok;
  for (int i = 0; h->pile && i < pile_count(t); i++)
    ok = pc_column_close(&h->pile[i].column) == 0 && ok;
  if (h->complete >= 0) ok = H5Dclose(h->complete) >= 0 && ok;
  if (h->file >= 0) ok = pc_file_close(h->file) == 0 && ok;
  pc_hdf5_end(use);
  free(h->column);
  free(h->pile);
  free(h);
  t->inside = NULL;
  return ok ? PC_OK : pc_cannot_write(t->path, errno, error);
}

/* --- writing on ------------------------------------------------------------------------------- */

static int take_up(pc_column* column, long rows)
{
  return pc_column_renew(column, rows) == 0 ? pc_column_take_up(column, rows) : -1;
}

/* Ends of lists that follow each other; numbers that a long can hold. */
static int are_ends(const double* end, long rows)
{
  double last = 0;
  for (long i = 0; i < rows; last = end[i++])
    if (!(end[i] >= last && end[i] < 9e15)) return 0;
  return 1;
}

/* A pile ends where the last row's list does. */
static int take_up_pile(pile* p, const pc_column* end, long rows)
{
  double last = 0;
  if (rows > 0 && pc_column_read(end, rows - 1, &last) != 0) return -1;
  if (!are_ends(&last, 1)) return -1;
  p->written = (long)last;
  return take_up(&p->column, p->written);
}

static int take_up_all(const pc_table* t, long rows)
{
  hdf5_table* h = t->inside;
  if (take_up_pile(&h->pile[0], &h->column[NOTE_END], rows) != 0) return -1;
  for (int k = 0; k < t->column_count; k++)
    if (t->column[k].is_list && take_up_pile(&h->pile[1 + k], &h->column[VALUES + k], rows) != 0)
      return -1;
  for (int i = 0; i < VALUES + t->column_count; i++)
    if (take_up(&h->column[i], rows) != 0) return -1;
  h->written = rows;
  return H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0 ? 0 : -1;
}

static pc_status resume_quietly(pc_table* t, pc_error* error)
{
  hdf5_table* h = t->inside;
  pc_complete complete;
  PC_TRY(pc_file_examine(t->path, error));
  errno = 0;
  h->file = pc_file_open(t->path, 1);
  if (h->file < 0) return pc_cannot_write(t->path, errno, error);
  h->complete = pc_complete_open(h->file);
  if (h->complete < 0 || pc_complete_read(h->file, &complete) != 0 ||
      open_columns(t, pc_column_open) != 0)
    return pc_table_damaged(t->path, "a dataset is missing", error);
  return take_up_all(t, complete.rows) == 0 ? PC_OK : pc_cannot_write(t->path, errno, error);
}

static pc_status resume(pc_table* t, const pc_table_def* def, pc_error* error)
{
  (void)def;
  PC_TRY(pc_hdf5_load(PC_CANNOT_WRITE, error));
  PC_TRY(allocate(t, error));
  pc_hdf5_use use = pc_hdf5_begin();
  pc_status status = resume_quietly(t, error);
  pc_hdf5_end(use);
  return status;
}

/* --- reading ---------------------------------------------------------------------------------- */

typedef struct reading {
  const char* path;
  hid_t file;
  pc_table_content* content;
  long rows;
  pc_error* error;
} reading;

/* All numbers of a dataset of rank 1, `count` of them, to be freed; NULL if there are fewer. */
static double* read_numbers(hid_t file, const char* path, long count)
{
  hid_t dataset = pc_open_dataset(file, path, H5P_DEFAULT);
  if (dataset < 0) return NULL;
  double* number =
      pc_dataset_holds(dataset, 1, count) ? pc_alloc((size_t)count, sizeof *number) : NULL;
  hid_t memory = H5Screate_simple(1, &(hsize_t){(hsize_t)count}, NULL),
        space = H5Dget_space(dataset);
  int ok = number && memory >= 0 && space >= 0;
  if (ok && count > 0)
    ok = H5Sselect_hyperslab(space, H5S_SELECT_SET, &(hsize_t){0}, NULL, &(hsize_t){(hsize_t)count},
                             NULL) >= 0 &&
         H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, number) >= 0;
  if (space >= 0) H5Sclose(space);
  if (memory >= 0) H5Sclose(memory);
  H5Dclose(dataset);
  if (ok) return number;
  free(number);
  return NULL;
}

static pc_status read_names(reading* r)
{
  int count = pc_columns_count(r->file, "table");
  if (count < 0) return pc_table_damaged(r->path, "the names of its columns", r->error);
  char** text = pc_alloc(2 * (size_t)count, sizeof *text);
  if (!text) return pc_no_memory(r->error);
  pc_status status = PC_OK;
  if (pc_columns_read(r->file, "table", "name", count, text) != 0 ||
      pc_columns_read(r->file, "table", "unit", count, text + count) != 0)
    status = pc_table_damaged(r->path, "the names of its columns", r->error);
  for (int k = 0; k < count && status == PC_OK; k++) {
    char path[PATH_SIZE];
    path_of(&(pc_table_column){text[k], "", 1}, "", path);
    int list = H5Lexists(r->file, path, H5P_DEFAULT) > 0;
    status = pc_table_name_column(r->content, text[k], text[count + k], list, r->error);
  }
  for (int i = 0; i < 2 * count; i++) free(text[i]);
  free(text);
  return status;
}

/* A column as it is in the file: the numbers, or the ends of the lists and all that is in them. */
typedef struct stored {
  double* end; /* NULL: one number per row */
  double* number;
} stored;

static int read_stored(const reading* r, int k, stored* s)
{
  const pc_table_column* c = &r->content->column[k];
  char path[PATH_SIZE];
  path_of(c, c->is_list ? "/end" : "", path);
  double* own = read_numbers(r->file, path, r->rows);
  if (!own) return -1;
  if (!c->is_list) {
    s->number = own;
    return 0;
  }
  s->end = own;
  path_of(c, "/value", path);
  if (!are_ends(own, r->rows)) return -1;
  s->number = read_numbers(r->file, path, r->rows ? (long)own[r->rows - 1] : 0);
  return s->number ? 0 : -1;
}

static long begin_of(const stored* s, long row)
{
  return !s->end ? row : row > 0 ? (long)s->end[row - 1] : 0;
}

static long end_of(const stored* s, long row)
{
  return s->end ? (long)s->end[row] : row + 1;
}

static void fill_cells(const reading* r, const stored* s)
{
  pc_table_content* c = r->content;
  size_t used = 0;
  for (long i = 0; i < r->rows; i++)
    for (int k = 0; k < c->column_count; k++) {
      c->first[i * c->column_count + k] = used;
      for (long j = begin_of(&s[k], i); j < end_of(&s[k], i); j++)
        c->number[used++] = s[k].number[j];
    }
  c->first[r->rows * c->column_count] = used;
}

static pc_status read_cells(reading* r, stored* s)
{
  size_t numbers = 0;
  for (int k = 0; k < r->content->column_count; k++) {
    if (read_stored(r, k, &s[k]) != 0)
      return pc_table_damaged(r->path, r->content->column[k].name, r->error);
    numbers += r->rows ? (size_t)end_of(&s[k], r->rows - 1) : 0;
  }
  PC_TRY(pc_table_allocate(r->content, r->rows, numbers, r->error));
  fill_cells(r, s);
  return PC_OK;
}

static char* text_between(const double* byte, long from, long to)
{
  char* text = pc_alloc((size_t)(to - from) + 1, 1);
  for (long i = from; text && i < to; i++)
    text[i - from] = byte[i] >= SCHAR_MIN && byte[i] <= UCHAR_MAX ? (char)(int)byte[i] : '?';
  return text;
}

static pc_status fill_rows(reading* r, const double* row, const double* status, const stored* note)
{
  pc_table_content* c = r->content;
  for (long i = 0; i < r->rows; i++) {
    int code = status[i] >= 0 && status[i] < STATUS_COUNT ? (int)status[i] : STATUS_COUNT - 1;
    c->row[i] = row[i] >= 0 && row[i] < 9e15 ? (long)row[i] : -1;
    c->status[i] = pc_copy_text(statuses[code]);
    c->note[i] = text_between(note->number, begin_of(note, i), end_of(note, i));
    c->count++;
    if (!c->status[i] || !c->note[i]) return pc_no_memory(r->error);
  }
  return PC_OK;
}

static pc_status read_rows(reading* r)
{
  double* row = read_numbers(r->file, "row", r->rows);
  double* status = read_numbers(r->file, "status", r->rows);
  stored note = {.end = read_numbers(r->file, "note/end", r->rows)};
  if (note.end && are_ends(note.end, r->rows))
    note.number = read_numbers(r->file, "note/text", r->rows ? (long)note.end[r->rows - 1] : 0);
  pc_status result = row && status && note.number
                         ? fill_rows(r, row, status, &note)
                         : pc_table_damaged(r->path, "row, status or note", r->error);
  free(row);
  free(status);
  free(note.end);
  free(note.number);
  return result;
}

static pc_status read_content(reading* r)
{
  long version;
  pc_complete complete;
  if (pc_read_long(r->file, "table_version", &version) != 0 || version != TABLE_VERSION)
    return pc_table_damaged(r->path, "it has no table_version, or another one", r->error);
  if (pc_complete_read(r->file, &complete) != 0 ||
      pc_load_text(r->file, "about", &r->content->about) != 0)
    return pc_table_damaged(r->path, "complete or about", r->error);
  r->rows = complete.rows;
  PC_TRY(read_names(r));
  size_t columns = (size_t)r->content->column_count;
  stored* s = pc_alloc(columns, sizeof *s);
  if (!s) return pc_no_memory(r->error);
  pc_status status = read_cells(r, s);
  for (size_t k = 0; k < columns; k++) {
    free(s[k].end);
    free(s[k].number);
  }
  free(s);
  return status == PC_OK ? read_rows(r) : status;
}

/* HDF5 does not say why it cannot open a file. */
static pc_status check_file(const char* path, pc_error* error)
{
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  char reason[128] = "";
  if (descriptor < 0) {
    if (strerror_r(errno, reason, sizeof reason) != 0) reason[0] = '\0';
    return pc_fail(error, PC_BAD_MODEL, "cannot read '%s': %s", path, reason);
  }
  int begins = pc_begins_as_result(descriptor);
  close(descriptor);
  return begins ? PC_OK
                : pc_table_damaged(path, "it is no HDF5 file, or of another program", error);
}

static pc_status read_table(const char* path, pc_table_content* content, pc_error* error)
{
  PC_TRY(pc_hdf5_load(PC_BAD_MODEL, error));
  reading r = {.path = path, .content = content, .error = error};
  pc_hdf5_use use = pc_hdf5_begin();
  pc_status status = check_file(path, error);
  if (status == PC_OK) {
    r.file = pc_file_open(path, 0);
    status = r.file >= 0 ? read_content(&r) : pc_table_damaged(path, "HDF5 cannot open it", error);
    if (r.file >= 0) H5Fclose(r.file);
  }
  pc_hdf5_end(use);
  return status;
}

const pc_table_ops pc_table_hdf5 = {create, resume, append, flush, close_table, read_table};
