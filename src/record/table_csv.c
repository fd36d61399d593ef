/* Tables as text. Lines of comment tell where the table comes from; then names, then a line per
 * row. The values of a list are separated by blanks. Numbers have as many digits as it takes to
 * read back the same bits. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/file.h"
#include "record/table.h"

/* What waits to be written. */
typedef struct csv {
  int descriptor;
  off_t size; /* of the file, all of it complete lines */
  char* text;
  size_t length, capacity;
  int failed; /* not 0: no memory for a row */
} csv;

/* --- a growing text --------------------------------------------------------------------------- */

static void put(csv* c, const char* text, size_t length)
{
  if (c->length + length > c->capacity) {
    size_t more = 2 * (c->length + length) + 4096;
    char* larger = realloc(c->text, more);
    if (!larger) {
      c->failed = 1;
      return;
    }
    c->text = larger;
    c->capacity = more;
  }
  memcpy(c->text + c->length, text, length);
  c->length += length;
}

static void put_text(csv* c, const char* text)
{
  put(c, text, strlen(text));
}

/* In quotes if it has to be; a line has no end in it. */
static void put_field(csv* c, const char* text)
{
  if (!strpbrk(text, ",\"\n\r")) {
    put_text(c, text);
    return;
  }
  put_text(c, "\"");
  for (; *text; text++) {
    if (*text == '"') put_text(c, "\"");
    put(c, *text == '\n' || *text == '\r' ? " " : text, 1);
  }
  put_text(c, "\"");
}

static void put_number(csv* c, double value)
{
  char text[40];
  int length = 0;
  for (int digits = 15; digits <= 17; digits++) {
    length = snprintf(text, sizeof text, "%.*g", digits, value);
    if (!(strtod(text, NULL) != value)) break; /* not a number is equal to none */
  }
  put(c, text, (size_t)length);
}

static void put_lines(csv* c, const char* about)
{
  for (const char* at = about; *at;) {
    size_t length = strcspn(at, "\n");
    put_text(c, "# ");
    put(c, at, length);
    put_text(c, "\n");
    at += length + (at[length] == '\n');
  }
}

static void put_header(csv* c, const pc_table* t, const char* about)
{
  put_text(c, PC_TABLE_MARK);
  put_lines(c, about);
  put_text(c, "# units: ");
  for (int i = 0; i < t->column_count; i++) {
    put_text(c, ",");
    put_field(c, t->column[i].unit);
  }
  put_text(c, "\n# lists: ");
  for (int i = 0; i < t->column_count; i++) put_text(c, t->column[i].is_list ? "1" : "0");
  put_text(c, "\nrow");
  for (int i = 0; i < t->column_count; i++) {
    put_text(c, ",");
    put_field(c, t->column[i].name);
  }
  put_text(c, ",status,note\n");
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Whole lines or nothing: what a full disk lets through of them is taken back. */
static pc_status write_out(pc_table* t, csv* c, pc_error* error)
{
  size_t done = 0;
  while (done < c->length) {
    ssize_t written =
        pwrite(c->descriptor, c->text + done, c->length - done, c->size + (off_t)done);
    if (written <= 0 && errno != EINTR) {
      int reason = written < 0 ? errno : ENOSPC;
      if (ftruncate(c->descriptor, c->size) != 0) reason = errno;
      return pc_cannot_write(t->path, reason, error);
    }
    if (written > 0) done += (size_t)written;
  }
  c->size += (off_t)done;
  c->length = 0;
  return PC_OK;
}

static pc_status flush(pc_table* t, pc_error* error)
{
  csv* c = t->inside;
  if (c->failed) return pc_no_memory(error);
  return write_out(t, c, error);
}

static pc_status append(pc_table* t, const pc_table_row* row, pc_error* error)
{
  csv* c = t->inside;
  char number[32];
  put(c, number, (size_t)snprintf(number, sizeof number, "%ld", row->row));
  for (int k = 0; k < t->column_count; k++) {
    put_text(c, ",");
    for (int i = 0; i < row->count[k]; i++) {
      if (i) put_text(c, " ");
      put_number(c, row->value[k][i]);
    }
  }
  put_text(c, ",");
  put_field(c, row->status);
  put_text(c, ",");
  put_field(c, row->note);
  put_text(c, "\n");
  return c->failed ? pc_no_memory(error) : PC_OK;
}

static pc_status open_file(pc_table* t, int flags, csv** inside, pc_error* error)
{
  csv* c = *inside = t->inside = pc_alloc(1, sizeof *c);
  if (!c) return pc_no_memory(error);
  c->descriptor = open(t->path, flags | O_CLOEXEC, 0666);
  if (c->descriptor < 0) return pc_cannot_write(t->path, errno, error);
  if (flock(c->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return pc_fail(error, PC_CANNOT_WRITE, "cannot write '%s': another program has it open",
                   t->path);
  return PC_OK;
}

static pc_status refuse_other_files(const pc_table* t, const csv* c, pc_error* error)
{
  char begin[sizeof PC_TABLE_MARK] = "";
  ssize_t size = pread(c->descriptor, begin, sizeof begin - 1, 0);
  struct stat what;
  if (fstat(c->descriptor, &what) == 0 && !S_ISREG(what.st_mode)) return PC_OK;
  if (size == 0 || !strcmp(begin, PC_TABLE_MARK)) return PC_OK;
  return pc_fail(error, PC_CANNOT_WRITE,
                 "cannot write '%s': there is a file that is no table of percuss, and it would be "
                 "lost; --force replaces it",
                 t->path);
}

static pc_status create(pc_table* t, const pc_table_def* def, pc_error* error)
{
  csv* c;
  PC_TRY(open_file(t, O_RDWR | O_CREAT, &c, error));
  if (!def->force) PC_TRY(refuse_other_files(t, c, error));
  if (ftruncate(c->descriptor, 0) != 0 && errno != EINVAL)
    return pc_cannot_write(t->path, errno, error);
  put_header(c, t, def->about);
  return flush(t, error);
}

/* Up to the end of the last complete line. */
static pc_status resume(pc_table* t, const pc_table_def* def, pc_error* error)
{
  (void)def;
  csv* c;
  char byte = 0;
  PC_TRY(open_file(t, O_RDWR, &c, error));
  c->size = lseek(c->descriptor, 0, SEEK_END);
  while (c->size > 0 && pread(c->descriptor, &byte, 1, c->size - 1) == 1 && byte != '\n') c->size--;
  return ftruncate(c->descriptor, c->size) == 0 ? PC_OK : pc_cannot_write(t->path, errno, error);
}

static pc_status close_table(pc_table* t, pc_error* error)
{
  csv* c = t->inside;
  int reason = 0;
  if (!c) return PC_OK;
  if (c->descriptor >= 0 && close(c->descriptor) != 0) reason = errno;
  free(c->text);
  free(c);
  t->inside = NULL;
  return reason ? pc_cannot_write(t->path, reason, error) : PC_OK;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* A text that is read from its beginning. */
typedef struct reading {
  const char* path;
  char* text;
  char* at;
  pc_table_content* content;
  size_t row_capacity, status_capacity, note_capacity, first_capacity,
      number_capacity; /* of the content's arrays */
  pc_error* error;
} reading;

static pc_status cannot_read(const reading* r, int reason)
{
  char text[128];
  if (strerror_r(reason, text, sizeof text) != 0) text[0] = '\0';
  return pc_fail(r->error, PC_BAD_MODEL, "cannot read '%s': %s", r->path, text);
}

/* Lines and fields end with a zero byte in memory, so there must be none in the file. */
static pc_status load(reading* r)
{
  FILE* file = fopen(r->path, "rb");
  if (!file) return cannot_read(r, errno);
  size_t size = 0, capacity = 0, got = 0;
  do {
    size += got;
    if (size + 65536 > capacity) {
      char* larger = realloc(r->text, capacity = 2 * capacity + 131072);
      if (!larger) {
        fclose(file);
        return pc_no_memory(r->error);
      }
      r->text = larger;
    }
    got = fread(r->text + size, 1, capacity - size - 1, file);
  } while (got > 0);
  int reason = ferror(file) ? errno : 0;
  fclose(file);
  if (reason != 0) return cannot_read(r, reason);
  while (size > 0 && r->text[size - 1] != '\n') size--; /* the rest of a truncated line */
  r->text[size] = '\0';
  r->at = r->text;
  if (strlen(r->text) == size) return PC_OK;
  long line = 1;
  for (const char* c = r->text; *c; c++) line += *c == '\n';
  char text[64];
  snprintf(text, sizeof text, "line %ld contains a zero byte", line);
  return pc_table_damaged(r->path, text, r->error);
}

/* The next line, ended by a 0, or NULL. */
static char* next_line(reading* r)
{
  if (!*r->at) return NULL;
  char* line = r->at;
  r->at += strcspn(r->at, "\n");
  if (*r->at) *r->at++ = '\0';
  return line;
}

/* The next field of a line, without its quotes; *at moves behind it and is NULL after the last
 * one. */
static char* next_field(char** at)
{
  char *field = *at, *to = field, *from = field;
  if (*from != '"') {
    to = from += strcspn(from, ",");
  } else {
    for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
      if (*from == '"') from++;
      *to++ = *from;
    }
    if (*from) from++;
  }
  *at = *from == ',' ? from + 1 : NULL;
  *to = '\0';
  return field;
}

static int begins(const char* line, const char* word)
{
  return strncmp(line, word, strlen(word)) == 0;
}

/* The comment, without its marks, as it was given. */
static pc_status read_about(reading* r, char** units, char** lists, char** names)
{
  char* line = next_line(r);
  size_t used = 0;
  if (!line || !begins(line, "# percuss sweep table 1"))
    return pc_table_damaged(r->path, "it does not begin as one", r->error);
  char* about = r->content->about = pc_alloc(strlen(r->at) + 1, 1);
  if (!about) return pc_no_memory(r->error);
  while ((line = next_line(r)) != NULL && *line == '#') {
    if (begins(line, "# units: ")) {
      *units = line + strlen("# units: ");
    } else if (begins(line, "# lists: ")) {
      *lists = line + strlen("# lists: ");
    } else {
      used += (size_t)sprintf(about + used, "%s\n", line + strspn(line, "# "));
    }
  }
  *names = line;
  return line && *units && *lists
             ? PC_OK
             : pc_table_damaged(r->path, "its first lines are missing", r->error);
}

static pc_status read_header(reading* r)
{
  char *units = NULL, *lists = NULL, *names = NULL;
  PC_TRY(read_about(r, &units, &lists, &names));
  if (strcmp(next_field(&names), "row") != 0 || !names)
    return pc_table_damaged(r->path, "its names do not begin with 'row'", r->error);
  next_field(&units);
  int count = (int)strlen(lists);
  for (int i = 0; i < count; i++) {
    if (!names || !units) return pc_table_damaged(r->path, "names are missing", r->error);
    const char *name = next_field(&names), *unit = next_field(&units);
    PC_TRY(pc_table_name_column(r->content, name, unit, lists[i] == '1', r->error));
  }
  return PC_OK;
}

/* Makes space for one more row. */
static pc_status reserve_row(reading* r)
{
  pc_table_content* c = r->content;
  size_t rows = (size_t)c->count + 1;
  int ok = pc_reserve((void**)&c->row, &r->row_capacity, rows, sizeof *c->row) == PC_OK &&
           pc_reserve((void**)&c->status, &r->status_capacity, rows, sizeof *c->status) == PC_OK &&
           pc_reserve((void**)&c->note, &r->note_capacity, rows, sizeof *c->note) == PC_OK &&
           pc_reserve((void**)&c->first, &r->first_capacity, rows * (size_t)c->column_count + 1,
                      sizeof *c->first) == PC_OK;
  return ok ? PC_OK : pc_no_memory(r->error);
}

static pc_status add_number(reading* r, size_t* used, double value)
{
  pc_table_content* c = r->content;
  if (pc_reserve((void**)&c->number, &r->number_capacity, *used + 1, sizeof value) != PC_OK)
    return pc_no_memory(r->error);
  c->number[(*used)++] = value;
  return PC_OK;
}

static pc_status read_row(reading* r, char* line, size_t* used)
{
  pc_table_content* c = r->content;
  long row = c->count;
  char* end;
  const char* field = next_field(&line);
  PC_TRY(reserve_row(r));
  c->row[row] = strtol(field, &end, 10);
  if (end == field || *end) return pc_table_damaged(r->path, "a row has no number", r->error);
  for (int k = 0; k < c->column_count; k++) {
    if (!line) return pc_table_damaged(r->path, "a row is too short", r->error);
    size_t first = c->first[row * c->column_count + k] = *used;
    for (field = next_field(&line); *field; field = end + strspn(end, " ")) {
      double value = strtod(field, &end);
      if (end == field || (*end && *end != ' '))
        return pc_table_damaged(r->path, "a value is no number", r->error);
      PC_TRY(add_number(r, used, value));
    }
    if (!c->column[k].is_list && *used - first != 1)
      return pc_table_damaged(r->path, "a cell does not hold one number", r->error);
  }
  const char* status = line ? next_field(&line) : "";
  const char* note = line ? next_field(&line) : "";
  c->status[row] = pc_copy_text(status);
  c->note[row] = pc_copy_text(note);
  c->count++;
  return c->status[row] && c->note[row] ? PC_OK : pc_no_memory(r->error);
}

static pc_status read_rows(reading* r)
{
  size_t used = 0;
  PC_TRY(reserve_row(r));
  if (pc_reserve((void**)&r->content->number, &r->number_capacity, 1, sizeof(double)) != PC_OK)
    return pc_no_memory(r->error);
  for (char* line; (line = next_line(r)) != NULL;)
    if (*line) PC_TRY(read_row(r, line, &used));
  r->content->first[r->content->count * r->content->column_count] = used;
  return PC_OK;
}

static pc_status read_table(const char* path, pc_table_content* content, pc_error* error)
{
  reading r = {.path = path, .content = content, .error = error};
  pc_status status = load(&r);
  if (status == PC_OK) status = read_header(&r);
  if (status == PC_OK) status = read_rows(&r);
  free(r.text);
  return status;
}

const pc_table_ops pc_table_csv = {create, resume, append, flush, close_table, read_table};
