#include "draw/table_figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/figure.h"
#include "draw/gnuplot.h"
#include "draw/palette.h"
#include "study/error.h"
#include "study/suggest.h"

pc_status find_table_column(const pc_table_content* t, const char* name, int* column,
                            pc_error* error)
{
  int found = 0;
  suggestion near = suggestion_for(name);
  for (int k = 0; k < t->column_count; k++) {
    suggest(&near, t->column[k].name);
    if (!strcmp(t->column[k].name, name)) {
      *column = k;
      return PC_OK;
    }
    if (strncmp(t->column[k].name, name, strlen(name)) != 0) continue;
    *column = k;
    found++;
  }
  if (found == 1) return PC_OK;
  return set_error(error, PC_BAD_ARGUMENT, "the table has %s '%s'%s; --list shows the columns",
                   found ? "more than one column that begins with" : "no column", name,
                   suggestion_text(&near));
}

static const double* cell(const pc_table_content* t, long row, int column, long* count)
{
  const size_t* first = &t->first[row * t->column_count + column];
  *count = (long)(first[1] - first[0]);
  return t->number + first[0];
}

/* A number of a column that is no list; NAN where there is none. */
static double number_of(const pc_table_content* t, long row, int column)
{
  long count;
  const double* number = cell(t, row, column, &count);
  return count > 0 ? number[0] : NAN;
}

static int is_done(const pc_table_content* t, long row)
{
  return !strcmp(t->status[row], "done");
}

static void put_label(FILE* s, const char* axis, const pc_table_column* c)
{
  char text[512];
  snprintf(text, sizeof text, *c->unit ? "%s [%s]" : "%s%s", c->name, c->unit);
  fprintf(s, "set %s ", axis);
  put_quoted(s, text);
  fputc('\n', s);
}

static void put_style(FILE* s, const table_figure* f)
{
  figure frame = {.width = f->width, .height = f->height, .svg = f->svg};
  put_figure_terminal(s, &frame);
  fputs(
      "set border 3 lw 1 lc rgb '#555555'\n"
      "set tics nomirror scale 0.6 textcolor rgb '#333333'\n"
      "set key outside top center horizontal samplen 1 noautotitle\n",
      s);
  if (f->style != TABLE_MAP) fputs("set grid xtics ytics lt 1 lw 0.7 lc rgb '#E8E8E8'\n", s);
  if (!*f->title) return;
  fputs("set title ", s);
  put_quoted(s, f->title);
  fputc('\n', s);
}

/* --- points ----------------------------------------------------------------------------------- */

static long put_points(FILE* s, const table_figure* f, int k)
{
  long points = 0;
  fprintf(s, "$y%d << END\n", k);
  for (long i = 0; i < f->table->count; i++) {
    long count;
    const double* y = cell(f->table, i, f->y[k], &count);
    double x = number_of(f->table, i, f->x);
    for (long j = 0; isfinite(x) && j < count; j++) {
      if (!isfinite(y[j])) continue;
      fprintf(s, "%.9g %.9g\n", x, y[j]);
      points++;
    }
  }
  fputs("END\n", s);
  return points;
}

/* Red marks at the axis, where runs failed or are doubtful. */
static void put_failures(FILE* s, const table_figure* f)
{
  enum { MARKS_MAX = 2000 };
  int marks = 0;
  for (long i = 0; i < f->table->count && marks < MARKS_MAX; i++) {
    double x = number_of(f->table, i, f->x);
    if (is_done(f->table, i) || !isfinite(x)) continue;
    fprintf(s, "set arrow from %.9g, graph 0 to %.9g, graph 0.02 nohead lw 1.5 lc rgb '#D00000'\n",
            x, x);
    marks++;
  }
}

static pc_status put_scatter(FILE* s, const table_figure* f)
{
  long points = 0;
  put_failures(s, f);
  for (int k = 0; k < f->y_count; k++) points += put_points(s, f, k);
  if (points == 0) return PC_BAD_ARGUMENT;
  double size = points > 5000 ? 0.2 : points > 500 ? 0.35 : 0.7;
  put_label(s, "xlabel", &f->table->column[f->x]);
  if (f->y_count == 1) put_label(s, "ylabel", &f->table->column[f->y[0]]);
  for (int k = 0; k < f->y_count; k++) {
    fprintf(s, "%s $y%d using 1:2 with points pt 7 ps %.2f lc rgb '%s'", k ? "," : "plot", k, size,
            palette_colour(k));
    if (f->y_count > 1) {
      fputs(" title ", s);
      put_quoted(s, f->table->column[f->y[k]].name);
    }
  }
  fputc('\n', s);
  return PC_OK;
}

/* --- histogram -------------------------------------------------------------------------------- */

enum { BINS_MAX = 100 };

typedef struct bins {
  double low, high;
  long count[BINS_MAX];
  long all;
  int bins;
} bins;

/* Does something for each number of the column. */
static void visit(const table_figure* f, void (*see)(bins* b, double x), bins* b)
{
  for (long i = 0; i < f->table->count; i++) {
    long count;
    const double* y = cell(f->table, i, f->y[0], &count);
    for (long j = 0; j < count; j++)
      if (isfinite(y[j])) see(b, y[j]);
  }
}

static void find_range(bins* b, double x)
{
  b->low = fmin(b->low, x);
  b->high = fmax(b->high, x);
  b->all++;
}

static void count_in_bin(bins* b, double x)
{
  int bin = (int)((double)b->bins * (x - b->low) / (b->high - b->low));
  b->count[bin < b->bins ? bin : b->bins - 1]++;
}

/* As many bins as the root of the numbers, within limits. */
static pc_status put_histogram(FILE* s, const table_figure* f)
{
  bins b = {.low = INFINITY, .high = -INFINITY};
  visit(f, find_range, &b);
  if (b.all == 0) return PC_BAD_ARGUMENT;
  if (!(b.high > b.low)) b.high = b.low + (b.low != 0 ? 1e-3 * fabs(b.low) : 1);
  b.bins = (int)fmin(fmax(sqrt((double)b.all), 10), BINS_MAX);
  visit(f, count_in_bin, &b);
  double width = (b.high - b.low) / b.bins;
  fputs("$h << END\n", s);
  for (int i = 0; i < b.bins; i++) fprintf(s, "%.9g %ld\n", b.low + (i + 0.5) * width, b.count[i]);
  fputs("END\n", s);
  put_label(s, "xlabel", &f->table->column[f->y[0]]);
  fprintf(s,
          "set ylabel 'runs'\nset boxwidth %.9g\nset style fill solid 0.8 border rgb '#ffffff'\n"
          "set yrange [0:*]\nplot $h using 1:2 with boxes lc rgb '%s'\n",
          width, palette_colour(0));
  return PC_OK;
}

/* --- map -------------------------------------------------------------------------------------- */

static int compare(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

/* The values of a column, sorted, each once; to be freed. */
static double* distinct(const pc_table_content* t, int column, long* count)
{
  double* value = malloc(((size_t)t->count + 1) * sizeof *value);
  *count = 0;
  if (!value) return NULL;
  for (long i = 0; i < t->count; i++) value[i] = number_of(t, i, column);
  qsort(value, (size_t)t->count, sizeof *value, compare);
  for (long i = 0; i < t->count; i++)
    if (i == 0 || value[i] != value[i - 1]) value[(*count)++] = value[i];
  return value;
}

/* Half the distance to the neighbour on this side. */
static double half_way(const double* value, long count, long i, int side)
{
  if (count == 1) return 0.5;
  long other = i + side;
  if (other < 0 || other >= count) other = i - side;
  return 0.5 * fabs(value[other] - value[i]);
}

static long place_of(const double* value, long count, double x)
{
  const double* found = bsearch(&x, value, (size_t)count, sizeof x, compare);
  return found ? found - value : 0;
}

/* Each run is a box between the values half way to its neighbours: so values need not be even. */
static pc_status put_map(FILE* s, const table_figure* f)
{
  const pc_table_content* t = f->table;
  long nx, ny, boxes = 0;
  double *x = distinct(t, f->x, &nx), *y = distinct(t, f->second, &ny);
  fputs("$m << END\n", s);
  for (long i = 0; x && y && i < t->count; i++) {
    double at = number_of(t, i, f->x), over = number_of(t, i, f->second);
    double z = number_of(t, i, f->y[0]);
    if (!isfinite(z)) continue;
    long a = place_of(x, nx, at), b = place_of(y, ny, over);
    fprintf(s, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", at, over, at - half_way(x, nx, a, -1),
            at + half_way(x, nx, a, 1), over - half_way(y, ny, b, -1), over + half_way(y, ny, b, 1),
            z);
    boxes++;
  }
  fputs("END\n", s);
  free(x);
  free(y);
  if (boxes == 0) return PC_BAD_ARGUMENT;
  put_label(s, "xlabel", &t->column[f->x]);
  put_label(s, "ylabel", &t->column[f->second]);
  put_label(s, "cblabel", &t->column[f->y[0]]);
  fputs(
      "set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725')\n"
      "set style fill solid 1 noborder\nset autoscale fix\n"
      "plot $m using 1:2:3:4:5:6:7 with boxxyerror palette\n",
      s);
  return PC_OK;
}

/* --- all of them ------------------------------------------------------------------------------ */

static pc_status put_script_of_table(FILE* s, const void* what)
{
  const table_figure* f = what;
  put_style(s, f);
  switch (f->style) {
    case TABLE_HISTOGRAM: return put_histogram(s, f);
    case TABLE_MAP: return put_map(s, f);
    default: return put_scatter(s, f);
  }
}

pc_status draw_table(const table_figure* f, FILE* to, pc_error* error)
{
  figure frame = {.width = f->width, .height = f->height, .svg = f->svg};
  pc_status status = draw_script(&frame, put_script_of_table, f, to, error);
  if (status != PC_BAD_ARGUMENT) return status;
  return set_error(error, status, "'%s' has no finite values to draw",
                   f->table->column[f->y[0]].name);
}
