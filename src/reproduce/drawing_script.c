/* The gnuplot script of an item's figure. */
#include <math.h>
#include <string.h>

#include "draw/axes.h"
#include "draw/figure.h"
#include "draw/gnuplot.h"
#include "draw/marks.h"
#include "reproduce/drawing.h"

enum { TITLE_HEIGHT = 96 };

static void put_data(FILE* s, const drawing* d, int p, int i)
{
  const drawn_curve* c = &d->curve[p][i];
  const item_panel* at = &d->item->panel[p];
  fprintf(s, "$c%d_%d << END\n", p, i);
  put_points(s, c->count, c->x, c->y, at->logarithmic, at->period);
  fputs("END\n", s);
}

/* What lies beyond a panel's range is noted in a line below its title, where no curve is. */
static void put_clipping(FILE* s, const drawing* d, int at)
{
  const item_panel* p = &d->item->panel[at];
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < d->curve_count[at]; i++) {
    low = fmin(low, d->curve[at][i].low);
    high = fmax(high, d->curve[at][i].high);
  }
  double slack = 1e-3 * (p->y[1] - p->y[0]);
  int below = low<p->y[0] - slack, above = high> p->y[1] + slack;
  if (!(p->y[0] < p->y[1]) || (!below && !above)) return;
  fprintf(s, "\\n{/=14 clipped; in full from %.2g to %.2g}", low, high);
}

/* "(a) title"; a panel that is alone has no letter. */
static void put_panel_title(FILE* s, const drawing* d, int p)
{
  const char* title = d->item->panel[p].title;
  fputs("set title \"", s);
  if (d->panel_count > 1) fprintf(s, "(%c)%s", 'a' + p, *title ? " " : "");
  put_double_quoted(s, title);
  put_clipping(s, d, p);
  fputs("\"\n", s);
}

/* The curve whose order, from its first to its last point, is nearest to a slope. */
static const drawn_curve* nearest_curve(const drawing* d, int at, double slope)
{
  const drawn_curve* best = NULL;
  double least = INFINITY;
  for (int i = 0; i < d->curve_count[at]; i++) {
    const drawn_curve* c = &d->curve[at][i];
    if (c->count < 3) continue;
    double far = fabs(fit_order(c->x, c->y, (int)c->count).order - slope);
    if (far < least) least = far, best = c;
  }
  return best;
}

/* Of the curves that pass a little below a place, the lowest, so that none crosses the triangle. */
static double lowest_near(const drawing* d, int at, long middle, double place)
{
  double lowest = place;
  for (int i = 0; i < d->curve_count[at]; i++)
    for (long k = middle - 1; k <= middle && k < d->curve[at][i].count; k++) {
      double y = d->curve[at][i].y[k];
      if (y > place / 3) lowest = fmin(lowest, y);
    }
  return lowest;
}

/* A right-angled triangle of the given slope, below the curve that has it: its legs are 1 and the
 * slope. */
static void put_triangle(FILE* s, const drawing* d, int at, double slope)
{
  const drawn_curve* c = nearest_curve(d, at, slope);
  if (!c) return;
  long middle = c->count / 2;
  double first = c->x[middle - 1], x[2] = {fmin(first, c->x[middle]), fmax(first, c->x[middle])};
  double bottom = lowest_near(d, at, middle, fmin(c->y[middle - 1], c->y[middle])) / 3;
  put_slope_triangle(s, x, bottom, slope);
}

static void put_marks(FILE* s, const drawing* d, int at)
{
  const item_panel* p = &d->item->panel[at];
  fputs("unset label\nunset arrow\n", s);
  for (int i = 0; i < p->wall_count; i++) put_level(s, p->wall[i]);
  for (int i = 0; p->logarithmic && i < SLOPES_MAX && p->slope[i] > 0; i++)
    put_triangle(s, d, at, p->slope[i]);
}

static void put_curve(FILE* s, const drawing* d, int p, int i)
{
  const drawn_curve* c = &d->curve[p][i];
  int last = d->curve_count[p] - 1;
  fprintf(s, "%s$c%d_%d using 1:2", i ? ", " : "plot ", p, i);
  put_curve_style(s, c->curve->style, c->colour, c->variant, i, last);
  if (last == 0) return;
  fputs(" title ", s);
  put_quoted(s, c->label);
}

static int row_count(const drawing* d)
{
  return (d->panel_count + d->item->columns - 1) / d->item->columns;
}

static figure frame(const drawing* d, int svg)
{
  int one = row_count(d) == 1 && d->item->columns == 1;
  return (figure){.width = DRAWING_WIDTH,
                  .height = TITLE_HEIGHT +
                            (one ? DRAWING_PANEL_HEIGHT_ONE : DRAWING_PANEL_HEIGHT * row_count(d)),
                  .svg = svg};
}

/* The paper and its figure stand above all panels. */
static void put_multiplot(FILE* s, const drawing* d)
{
  char source[SOURCE_SIZE];
  item_source(d->item, source, sizeof source);
  fprintf(s, "set multiplot layout %d,%d title \"", row_count(d), d->item->columns);
  put_double_quoted(s, source);
  fputs("\\n", s);
  put_double_quoted(s, d->item->title);
  fputs("\\n \" font ',18'\n", s); /* and a line for the legends of the first row */
}

/* A drawing and the kind of file. */
typedef struct drawn_item {
  const drawing* d;
  int svg;
} drawn_item;

static pc_status put_item(FILE* s, const void* what)
{
  const drawn_item* j = what;
  const drawing* d = j->d;
  figure f = frame(d, j->svg);
  put_figure_terminal(s, &f);
  fputs("set termoption enhanced\n", s); /* P_N has a subscript */
  for (int p = 0; p < d->panel_count; p++)
    for (int i = 0; i < d->curve_count[p]; i++) put_data(s, d, p, i);
  put_panel_style(s);
  put_multiplot(s, d);
  for (int p = 0; p < d->panel_count; p++) {
    put_panel_title(s, d, p);
    const item_panel* at = &d->item->panel[p];
    put_axes(s, &(axes){at->x_label, at->y_label, at->x, at->y, at->logarithmic});
    put_marks(s, d, p);
    for (int i = 0; i < d->curve_count[p]; i++) put_curve(s, d, p, i);
    fputc('\n', s);
  }
  fputs("unset multiplot\n", s);
  return PC_OK;
}

pc_status draw_item(const drawing* d, int svg, FILE* to, pc_error* error)
{
  figure f = frame(d, svg);
  const drawn_item what = {d, svg};
  return draw_script(&f, put_item, &what, to, error);
}
