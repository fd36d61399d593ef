#include "study/sweep_report.h"

#include "study/lines.h"
#include "study/number.h"
#include "study/output.h"
#include "study/unit_text.h"

static long not_done(const sweep_report* r)
{
  return r->there - r->done - r->doubtful;
}

/* A text in quotes, as JSON has them. */
static void print_name(const char* name, FILE* to)
{
  putc('"', to);
  for (; *name; name++) fprintf(to, *name == '"' || *name == '\\' ? "\\%c" : "%c", *name);
  putc('"', to);
}

static void print_number(const char* key, double value, const char* behind, FILE* to)
{
  char text[40];
  format_number(value, text, sizeof text);
  fprintf(to, "\"%s\": %s%s", key, text, behind);
}

static void print_statistics_json(const sweep_end* end, FILE* to)
{
  const pc_table_content* t = end->table;
  const char* before = "";
  for (int k = end->axes; k < t->column_count; k++) {
    column_statistics s;
    if (t->column[k].is_list || find_statistics(t, k, &s) < 2) continue;
    fprintf(to, "%s\n    ", before);
    print_name(t->column[k].name, to);
    fprintf(to, ": {");
    print_number("mean", s.mean, ", ", to);
    print_number("mean_error", s.mean_error, ", ", to);
    print_number("spread", s.spread, ", ", to);
    print_number("spread_error", s.spread_error, ", ", to);
    print_number("min", s.min, ", ", to);
    print_number("max", s.max, "}", to);
    before = ",";
  }
}

void print_sweep_report_json(const sweep_end* end, const sweep_report* r, FILE* to)
{
  fprintf(to, "{\n  \"table\": ");
  print_name(end->path, to);
  fprintf(to, ",\n  \"rows\": %ld,\n  \"done\": %ld,\n  \"doubtful\": %ld,\n  ", r->rows, r->done,
          r->doubtful);
  fprintf(to, "\"not_done\": %ld,\n  \"missing\": %ld,\n  ", not_done(r), r->missing);
  if (end->resumed) fprintf(to, "\"resumed\": %ld,\n  ", r->resumed);
  print_number("seconds", end->seconds, ",\n  \"statistics\": {", to);
  print_statistics_json(end, to);
  fprintf(to, "\n  }\n}\n");
}

/* The statistics of a column: "max(corner1.P_N): 60 mN s ± 220 µN s, spread ..." */
static void print_column(const pc_table_column* column, const column_statistics* s, int random,
                         FILE* to)
{
  const char* unit = column->unit;
  put_plain_text(to, column->name);
  fprintf(to, ": mean %s", with_unit(s->mean, unit).text);
  if (random) {
    fprintf(to, " ± %s", with_unit(s->mean_error, unit).text);
    fprintf(to, ", spread %s", with_unit(s->spread, unit).text);
    fprintf(to, " ± %s", with_unit(s->spread_error, unit).text);
  }
  fprintf(to, ", from %s", with_unit(s->min, unit).text);
  fprintf(to, " to %s\n", with_unit(s->max, unit).text);
}

static void print_statistics(const sweep_end* end, FILE* to)
{
  enum { SHOWN_MAX = 10 }; /* of two lines at most */
  const pc_table_content* t = end->table;
  int count = 0;
  for (int k = end->axes; k < t->column_count; k++) {
    column_statistics s;
    if (t->column[k].is_list || find_statistics(t, k, &s) < 2) continue;
    if (count++ < SHOWN_MAX) print_column(&t->column[k], &s, end->random, to);
  }
  if (count > SHOWN_MAX) fprintf(to, "%d more columns: --json\n", count - SHOWN_MAX);
}

void print_sweep_report(const sweep_end* end, const sweep_report* r, FILE* to)
{
  enum { INDENT = 2 };
  lines block;
  begin_lines(&block, to);
  put_plain_text(block.file, end->path);
  fprintf(block.file, ": %ld row%s, %ld done, ", r->rows, plural(r->rows), r->done);
  if (r->doubtful) fprintf(block.file, "%ld doubtful, ", r->doubtful);
  fprintf(block.file, "%ld not done, %ld missing; took %s\n", not_done(r), r->missing,
          with_unit(end->seconds, "s").text);
  print_statistics(end, block.file);
  end_lines(&block, INDENT);
}
