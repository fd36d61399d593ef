#include "reproduce/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/figure.h"
#include "draw/gnuplot.h"
#include "draw/palette.h"
#include "draw/thin.h"
#include "reproduce/measure.h"

enum { WIDTH = 1200, PANEL_HEIGHT_ONE = 560, PANEL_HEIGHT = 430 };

static double* numbers(long count)
{
  return calloc((size_t)count + 1, sizeof(double));
}

/* A measure of several runs over their dt. */
static pc_status scan(drawn_curve* c, const item_data* data)
{
  const item_check* check = c->curve->scan;
  c->x = numbers(ITEM_RUNS_MAX);
  c->y = numbers(ITEM_RUNS_MAX);
  if (!c->x || !c->y) return PC_OUT_OF_MEMORY;
  for (int run = check->run; run <= check->last; run++) {
    c->x[c->count] = data->run[run]->spec->dt;
    c->y[c->count++] = measure_run(data, check, run);
  }
  return PC_OK;
}

static void extent(const double* x, long count, const double* given, double* low, double* high)
{
  *low = INFINITY;
  *high = -INFINITY;
  for (long i = 0; i < count; i++) {
    if (!isfinite(x[i])) continue;
    *low = fmin(*low, x[i]);
    *high = fmax(*high, x[i]);
  }
  if (given[0] < given[1]) {
    *low = given[0];
    *high = given[1];
  }
}

static int ascends(const double* x, long count)
{
  for (long i = 1; i < count; i++)
    if (!(x[i] >= x[i - 1])) return 0;
  return 1;
}

static void leave_out(drawn_curve* c, long first)
{
  c->count -= first;
  memmove(c->x, c->x + first, (size_t)c->count * sizeof *c->x);
  memmove(c->y, c->y + first, (size_t)c->count * sizeof *c->y);
}

/* Keeps only the points within the panel's range of x, and one more on either side. */
static void crop(drawn_curve* c, const item_panel* p)
{
  if (!(p->x[0] < p->x[1]) || !ascends(c->x, c->count)) return;
  long first = 0, last = c->count - 1;
  while (first + 1 < c->count && c->x[first + 1] < p->x[0]) first++;
  while (last > first && c->x[last - 1] > p->x[1]) last--;
  c->count = c->count ? last + 1 : 0;
  leave_out(c, first);
}

static pc_status thin_out(drawn_curve* c, const item_panel* p, int width)
{
  long* kept = calloc((size_t)c->count + 1, sizeof *kept);
  double x[2], y[2];
  if (!kept) return PC_OUT_OF_MEMORY;
  extent(c->x, c->count, p->x, &x[0], &x[1]);
  extent(c->y, c->count, p->y, &y[0], &y[1]);
  long count = ascends(c->x, c->count)
                   ? thin_columns(c->x, c->y, c->count, width, kept)
                   : thin_path(c->x, c->y, c->count, 0.5 * (x[1] - x[0]) / width,
                               0.5 * (y[1] - y[0]) / PANEL_HEIGHT, kept);
  for (long i = 0; i < count; i++) {
    c->x[i] = c->x[kept[i]];
    c->y[i] = c->y[kept[i]];
  }
  c->count = count;
  free(kept);
  return PC_OK;
}

static pc_status sample(drawn_curve* c, const item_panel* p, const item_data* data, int width)
{
  const run_data* run = data->run[c->curve->run];
  c->x = series_values(run, &c->curve->x);
  c->y = series_values(run, &c->curve->y);
  if (!c->x || !c->y) return PC_OUT_OF_MEMORY;
  c->count = run->count;
  if (c->count > 0 && isnan(c->y[0])) leave_out(c, 1); /* what the initial state does not have */
  crop(c, p);
  return thin_out(c, p, width);
}

/* A scheme has one colour in all figures. Further curves of it in a panel have colours that no scheme
 * has, as far in brightness from it as they can be. */
static const char* choose_colour(const char* scheme, int variant)
{
  enum { OTHERS = 3 };
  static const char* const beside_dark[OTHERS] = {"#999933", "#9A9A9A", "#332288"};
  static const char* const beside_light[OTHERS] = {"#332288", "#7A7A7A", "#999933"};
  const char* own = scheme_colour(scheme);
  unsigned red = 0, green = 0, blue = 0;
  if (!own) own = palette_colour(0);
  if (variant == 0) return own;
  sscanf(own, "#%2x%2x%2x", &red, &green, &blue);
  int dark = 0.3 * red + 0.6 * green + 0.1 * blue < 95;
  return (dark ? beside_dark : beside_light)[(variant - 1) % OTHERS];
}

static const char* scheme_of(const item_curve* c, const item_data* data)
{
  return data->run[c->scan ? c->scan->run : c->run]->spec->scheme;
}

/* How many of the curves before are of the same scheme. */
static int count_alike(const drawing* d, int at, int number, const item_data* data,
                       const char* scheme)
{
  int alike = 0;
  for (int i = 0; i < number; i++) alike += !strcmp(scheme_of(d->curve[at][i].curve, data), scheme);
  return alike;
}

/* A label has one colour in all panels that have a legend: that of the first one. */
static int choose_variant(const drawing* d, int at, int number, const item_data* data)
{
  const drawn_curve* c = &d->curve[at][number];
  const char* scheme = scheme_of(c->curve, data);
  for (int p = 0; p < at; p++)
    for (int i = 0; i < d->curve_count[p] && d->curve_count[p] > 1; i++) {
      const drawn_curve* other = &d->curve[p][i];
      if (!strcmp(other->label, c->label) && !strcmp(scheme_of(other->curve, data), scheme))
        return other->variant;
    }
  return count_alike(d, at, number, data, scheme);
}

static pc_status add_curve(drawing* d, int at, const item_curve* drawn, const item_data* data)
{
  int number = d->curve_count[at]++;
  const item_panel* p = &d->item->panel[at];
  const item_run* run = data->run[drawn->scan ? drawn->scan->run : drawn->run]->spec;
  drawn_curve* c = &d->curve[at][number];
  *c = (drawn_curve){.curve = drawn, .label = drawn->label ? drawn->label : run->label};
  c->variant = choose_variant(d, at, number, data);
  c->colour = choose_colour(run->scheme, c->variant);
  return drawn->scan ? scan(c, data) : sample(c, p, data, WIDTH / d->item->columns);
}

pc_status make_drawing(drawing* d, const item_data* data)
{
  pc_status status = PC_OK;
  *d = (drawing){.item = data->item};
  for (const item_panel* p = data->item->panel; p && p->y_label; p++) {
    int at = d->panel_count++;
    for (const item_curve* c = p->curve; status == PC_OK && (c->y.of[0] || c->scan); c++)
      status = add_curve(d, at, c, data);
  }
  return status;
}

void free_drawing(drawing* d)
{
  for (int p = 0; p < d->panel_count; p++)
    for (int i = 0; i < d->curve_count[p]; i++) {
      free(d->curve[p][i].x);
      free(d->curve[p][i].y);
    }
}

static void put_data(FILE* s, const drawing* d, int p, int i)
{
  const drawn_curve* c = &d->curve[p][i];
  int logarithmic = d->item->panel[p].logarithmic;
  fprintf(s, "$c%d_%d << END\n", p, i);
  for (long k = 0; k < c->count; k++) {
    int drawn = isfinite(c->x[k]) && isfinite(c->y[k]) && (!logarithmic || c->y[k] > 0);
    fprintf(s, drawn ? "%.7g %.7g\n" : "\n", c->x[k], c->y[k]);
  }
  fputs("END\n", s);
}

static void put_range(FILE* s, char axis, const double* range)
{
  if (range[0] < range[1])
    fprintf(s, "set %crange [%.9g:%.9g]\n", axis, range[0], range[1]);
  else
    fprintf(s, "set autoscale %c\n", axis);
}

static void put_text(FILE* s, const char* what, const char* text)
{
  fprintf(s, "set %s ", what);
  put_quoted(s, text ? text : "");
  fputc('\n', s);
}

static void put_axes(FILE* s, const item_panel* p)
{
  put_text(s, "title", p->title);
  put_text(s, "xlabel", p->x_label);
  put_text(s, "ylabel", p->y_label);
  put_range(s, 'x', p->x);
  put_range(s, 'y', p->y);
  /* A little air above and below, so that no curve is on the frame. */
  fputs(p->logarithmic ? "unset offsets\n" : "set offsets 0, 0, graph 0.04, graph 0.04\n", s);
  if (!p->logarithmic && !(p->y[0] < p->y[1])) fputs("set autoscale yfix\n", s);
  fputs(p->logarithmic ? "set logscale xy\nset format xy '%.0e'\n"
                       : "unset logscale\nset format xy '%h'\n",
        s);
}

static void put_curve(FILE* s, const drawing* d, int p, int i)
{
  static const struct {
    const char *with, *dash;
  } style[] = {[LINES] = {"lines", "solid"},
               [POINTS] = {"points", "solid"},
               [BOTH] = {"linespoints", "solid"},
               [DASHED] = {"lines", "(9,6)"},
               [DOTTED] = {"lines", "(3,6)"}};
  static const int mark[] = {7, 5, 9, 13};
  const drawn_curve* c = &d->curve[p][i];
  curve_style how = c->curve->style;
  int last = d->curve_count[p] - 1;
  double width = last ? 1.8 + 2.2 * (last - i) / last : 2.2; /* earlier ones show behind later */
  if (how == DOTTED) width = 3.4;                            /* dots are little ink */
  fprintf(s, "%s$c%d_%d using 1:2 with %s lc rgb '%s'", i ? ", " : "plot ", p, i, style[how].with,
          c->colour);
  if (how != POINTS) fprintf(s, " lw %.2f dt %s", width, style[how].dash);
  if (how == POINTS || how == BOTH) fprintf(s, " pt %d ps 0.8", mark[c->variant % 4]);
  if (last == 0) return;
  fputs(" title ", s);
  put_quoted(s, c->label);
}

static int row_count(const drawing* d)
{
  return (d->panel_count + d->item->columns - 1) / d->item->columns;
}

static figure frame(const drawing* d)
{
  int one = row_count(d) == 1 && d->item->columns == 1;
  return (figure){
      .width = WIDTH, .height = one ? PANEL_HEIGHT_ONE : PANEL_HEIGHT * row_count(d), .svg = 1};
}

static pc_status put_item(FILE* s, const void* what)
{
  const drawing* d = what;
  figure f = frame(d);
  put_figure_terminal(s, &f);
  for (int p = 0; p < d->panel_count; p++)
    for (int i = 0; i < d->curve_count[p]; i++) put_data(s, d, p, i);
  fputs(
      "set border 3 lw 1 lc rgb '#555555'\n"
      "set tics nomirror scale 0.6 textcolor rgb '#333333' font ',19'\n"
      "set grid xtics ytics lt 1 lw 0.7 lc rgb '#E8E8E8'\n"
      "set key outside top right horizontal samplen 1.5 font ',17' Left reverse noautotitle\n"
      "set title offset 0,-0.5 font ',20'\n"
      "set xlabel offset 0,0.3 font ',20'\n"
      "set ylabel offset 0,0 font ',20'\n",
      s);
  fprintf(s, "set multiplot layout %d,%d\n", row_count(d), d->item->columns);
  for (int p = 0; p < d->panel_count; p++) {
    put_axes(s, &d->item->panel[p]);
    for (int i = 0; i < d->curve_count[p]; i++) put_curve(s, d, p, i);
    fputc('\n', s);
  }
  fputs("unset multiplot\n", s);
  return PC_OK;
}

pc_status draw_item(const drawing* d, FILE* to, pc_error* error)
{
  figure f = frame(d);
  return draw_script(&f, put_item, d, to, error);
}

static void put_field(FILE* to, const char* text)
{
  fputc('"', to);
  for (; *text; text++) {
    if (*text == '"') fputc('"', to);
    fputc(*text, to);
  }
  fputs("\",", to);
}

void write_points(const drawing* d, FILE* to)
{
  fputs("panel,curve,x,y\n", to);
  for (int p = 0; p < d->panel_count; p++)
    for (int i = 0; i < d->curve_count[p]; i++) {
      const drawn_curve* c = &d->curve[p][i];
      for (long k = 0; k < c->count; k++) {
        fprintf(to, "%d,", p + 1);
        put_field(to, c->label);
        fprintf(to, "%.9g,%.9g\n", c->x[k], c->y[k]);
      }
    }
}
