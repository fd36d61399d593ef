/* percuss export: a result as text columns or for ParaView. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/results.h"
#include "console/interrupt.h"
#include "console/replace.h"
#include "draw/vtk_shapes.h"

enum { COLUMNS_MAX = 1024 };

typedef struct export_options {
  const char* result;
  const char* csv;
  const char* vtk;
  const char* found;
  const char* column[COLUMNS_MAX];
  int column_count; /* 0: all that is recorded */
  long every;
} export_options;

static int take_csv(void* into, const char* name, char* value)
{
  (void)name;
  ((export_options*)into)->csv = value;
  return EXIT_DONE;
}

static int take_vtk(void* into, const char* name, char* value)
{
  (void)name;
  ((export_options*)into)->vtk = value;
  return EXIT_DONE;
}

static int take_found(void* into, const char* name, char* value)
{
  (void)name;
  ((export_options*)into)->found = value;
  return EXIT_DONE;
}

static int take_columns(void* into, const char* name, char* value)
{
  export_options* o = into;
  int count = split_names(name, value, o->column + o->column_count, COLUMNS_MAX - o->column_count);
  if (count < 0) return EXIT_USAGE;
  o->column_count += count;
  return EXIT_DONE;
}

static int take_every(void* into, const char* name, char* value)
{
  (void)name;
  export_options* o = into;
  o->every = read_positive(value);
  if (o->every > 0) return EXIT_DONE;
  return complain(EXIT_USAGE, "--every is '%s'; it must be a whole number from 1 on", value);
}

static int take_result(void* into, char* word)
{
  export_options* o = into;
  if (o->result)
    return complain(EXIT_USAGE, "one word too many: '%s' (the result is '%s')", word, o->result);
  o->result = word;
  return EXIT_DONE;
}

static const option options[] = {
    {"csv", "FILE", "comma-separated columns; - is standard output", take_csv},
    {"found", "FILE", "contacts between shapes as comma-separated columns; - is standard output",
     take_found},
    {"vtk", "DIR", "the bodies' motion for ParaView, with shapes and contacts between them",
     take_vtk},
    {"columns", "NAME,...",
     "what the CSV file holds besides the time; 'percuss plot RESULT --list'", take_columns},
    {"every", "N", "every N-th row, and the last one (default 1)", take_every},
};

const option_set export_option_set = {options, sizeof options / sizeof *options, NULL, take_result};

/* Time first, then what was asked for. The caller frees it. */
static int choose_columns(const export_options* o, const pc_result* r, int** series, int* count)
{
  int all = pc_result_series_count(r);
  *series = calloc((size_t)(all + o->column_count) + 1, sizeof **series);
  *count = 0;
  if (!*series) return complain(EXIT_FAILED, "no memory");
  (*series)[(*count)++] = 0;
  for (int i = 0; i < o->column_count; i++) {
    int found;
    int code = find_named_series(r, o->column[i], &found);
    if (code != EXIT_DONE) return code;
    if (found != 0) (*series)[(*count)++] = found;
  }
  for (int i = 1; o->column_count == 0 && i < all; i++)
    if (pc_result_series(r, i).recorded) (*series)[(*count)++] = i;
  return EXIT_DONE;
}

/* A file with another ending may be anything: it is not replaced. */
static int refuse_other_file(const char* path)
{
  const char* end = strrchr(path, '.');
  struct stat found;
  if ((end && !strcmp(end, ".csv")) || stat(path, &found) || !S_ISREG(found.st_mode) ||
      found.st_size == 0)
    return EXIT_DONE;
  return complain(EXIT_OUTPUT,
                  "cannot write '%s': there is a file, and it would be lost; only one whose name "
                  "ends in .csv is replaced",
                  path);
}

/* Series, or contacts between shapes. */
static int write_csv(const export_options* o, const pc_result* r, const int* series, int count)
{
  replacement target = {.file = stdout};
  const char* path = o->csv ? o->csv : o->found;
  int to_stdout = !strcmp(path, "-");
  int code = to_stdout ? EXIT_DONE : refuse_input(path, o->result);
  if (code == EXIT_DONE && !to_stdout) code = refuse_other_file(path);
  if (code == EXIT_DONE && !to_stdout) code = begin_replacement(&target, path);
  if (code != EXIT_DONE) return code;
  pc_error error = {0};
  errno = 0;
  pc_status status = o->csv ? pc_result_write_csv(r, series, count, o->every, target.file, &error)
                            : pc_result_write_found_csv(r, o->every, target.file, &error);
  const char* reason = strerror(errno ? errno : EIO);
  if (status == PC_OK) return to_stdout ? EXIT_DONE : finish_replacement(&target);
  if (!to_stdout) drop_replacement(&target);
  if (status == PC_CANNOT_WRITE)
    return to_stdout ? complain(EXIT_OUTPUT, "cannot write to standard output: %s", reason)
                     : complain(EXIT_OUTPUT, "cannot write '%s': %s", path, reason);
  return complain(exit_code(status), "%s", error.text);
}

static int export_csv(const export_options* o, const pc_result* r)
{
  int *series, count;
  int code = choose_columns(o, r, &series, &count);
  if (code == EXIT_DONE) code = write_csv(o, r, series, count);
  free(series);
  return code;
}

static int go_on(void* user)
{
  (void)user;
  return !was_interrupted();
}

static int export_vtk(const export_options* o, const pc_result* r)
{
  pc_error error = {0};
  catch_interrupts();
  pc_status status = pc_result_write_vtk(r, o->vtk, o->every, go_on, NULL, &error);
  if (status == PC_OK) status = write_vtk_shapes(r, o->vtk, o->every, go_on, NULL, &error);
  if (status == PC_STOPPED) return complain(EXIT_INTERRUPTED, "%s", error.text);
  return status == PC_OK ? EXIT_DONE : complain(exit_code(status), "%s", error.text);
}

static int check_options(const export_options* o)
{
  if (!o->result)
    return complain(EXIT_USAGE, "export which result? usage: percuss export RESULT.h5 --csv FILE");
  if (!o->csv && !o->vtk && !o->found)
    return complain(EXIT_USAGE, "export to what? give --csv FILE, --found FILE or --vtk DIR");
  if (!!o->csv + !!o->vtk + !!o->found > 1)
    return complain(EXIT_USAGE, "--csv and --vtk and --found: one at a time");
  if (!o->csv && o->column_count)
    return complain(EXIT_USAGE, "--columns is for --csv; --vtk writes all bodies");
  if (!*(o->csv ? o->csv : o->vtk ? o->vtk : o->found))
    return complain(EXIT_USAGE, "--%s: the name is empty",
                    o->csv   ? "csv"
                    : o->vtk ? "vtk"
                             : "found");
  return EXIT_DONE;
}

int export_command(int argc, char** argv)
{
  export_options o = {.every = 1};
  pc_result* result = NULL;
  int code = read_options(&export_option_set, argc, argv, &o);
  if (code == EXIT_DONE) code = check_options(&o);
  if (code == EXIT_DONE) code = open_result(o.result, &result);
  if (code == EXIT_DONE)
    code = o.csv   ? export_csv(&o, result)
           : o.vtk ? export_vtk(&o, result)
                   : write_csv(&o, result, NULL, 0);
  pc_result_close(result);
  return code;
}
