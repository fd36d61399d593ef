/* A convergence, printed: errors by step, and the orders they show. */
#include <math.h>
#include <stdio.h>

#include "study/convergence.h"
#include "study/number.h"
#include "study/unit_text.h"

static void print_array(const double* values, int count, FILE* to)
{
  for (int i = 0; i < count; i++) {
    char text[40];
    format_number(values[i], text, sizeof text);
    fprintf(to, "%s%s", i ? ", " : "[", text);
  }
  fprintf(to, "]");
}

/* "name": {"q": number, ...} */
static void print_fits(const convergence* f, const char* name, int spread, FILE* to)
{
  const char* separator = "";
  fprintf(to, ",\n  \"%s\": {", name);
  for (int p = 0; p < PART_COUNT; p++) {
    if (!f->present[p]) continue;
    char text[40];
    format_number(spread ? f->fit[p].spread : f->fit[p].order, text, sizeof text);
    fprintf(to, "%s\"%s\": %s", separator, part_name((part)p), text);
    separator = ", ";
  }
  fprintf(to, "}");
}

void print_convergence_json(const convergence* f, FILE* to)
{
  const char* separator = "\n";
  fprintf(to, "{\n  \"dt\": ");
  print_array(f->dt, f->count, to);
  fprintf(to, ",\n  \"error\": {");
  for (int p = 0; p < PART_COUNT; p++) {
    if (!f->present[p]) continue;
    fprintf(to, "%s    \"%s\": ", separator, part_name((part)p));
    print_array(f->error[p], f->count, to);
    separator = ",\n";
  }
  fprintf(to, "\n  }");
  print_fits(f, "order", 0, to);
  print_fits(f, "spread", 1, to);
  fprintf(to, "\n}\n");
}

/* A cell of the table; what is not known is a dash. */
static void print_cell(const char* format, double value, FILE* to)
{
  char text[40] = "-";
  if (isfinite(value)) snprintf(text, sizeof text, format, value);
  fprintf(to, "  %12s", text);
}

/* Two digits, without the sign of a zero. */
static double rounded(double value)
{
  return round(100 * value) / 100 + 0.0;
}

static void print_fit(const convergence* f, const char* name, int spread, FILE* to)
{
  fprintf(to, "\n%-12s", name);
  for (int p = 0; p < PART_COUNT; p++)
    if (f->present[p]) print_cell("%.2f", rounded(spread ? f->fit[p].spread : f->fit[p].order), to);
}

void print_convergence(const convergence* f, FILE* to)
{
  fprintf(to, "%-12s", "dt");
  for (int p = 0; p < PART_COUNT; p++)
    if (f->present[p]) fprintf(to, "  %12s", part_name((part)p));
  for (int i = 0; i < f->count; i++) {
    unit_text dt = with_unit(f->dt[i], "s");
    fprintf(to, "\n%s%*s", dt.text, 12 - text_width(dt.text), "");
    for (int p = 0; p < PART_COUNT; p++)
      if (f->present[p]) print_cell("%.3e", f->error[p][i], to);
  }
  print_fit(f, "order", 0, to);
  print_fit(f, "spread", 1, to);
  fputc('\n', to);
}
