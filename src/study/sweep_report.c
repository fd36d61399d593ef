#include "study/sweep_report.h"

#include "study/number.h"

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

static void print_statistics(const sweep_end* end, FILE* to)
{
  const pc_table_content* t = end->table;
  for (int k = end->axes; k < t->column_count; k++) {
    column_statistics s;
    if (t->column[k].is_list || find_statistics(t, k, &s) < 2) continue;
    if (end->random)
      fprintf(to, "%s: %.6g +- %.2g, spread %.4g +- %.2g, from %.6g to %.6g %s\n",
              t->column[k].name, s.mean, s.mean_error, s.spread, s.spread_error, s.min, s.max,
              t->column[k].unit);
    else
      fprintf(to, "%s: from %.6g to %.6g, mean %.6g %s\n", t->column[k].name, s.min, s.max, s.mean,
              t->column[k].unit);
  }
}

void print_sweep_report(const sweep_end* end, const sweep_report* r, FILE* to)
{
  fprintf(to, "%s: %ld rows, %ld done, ", end->path, r->rows, r->done);
  if (r->doubtful) fprintf(to, "%ld doubtful, ", r->doubtful);
  fprintf(to, "%ld not done, %ld missing; %.3g s\n", not_done(r), r->missing, end->seconds);
  print_statistics(end, to);
}
