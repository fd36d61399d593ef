/* The gnuplot script of an item's figure. */
#include <math.h>
#include <string.h>

#include "draw/axes.h"
#include "draw/figure.h"
#include "draw/gnuplot.h"
#include "draw/marks.h"
#include "reproduce/drawing.h"
#include "reproduce/triangle.h"

enum { TITLE_HEIGHT = 96, PANEL_TITLE_SIZE = 20 };

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
  fputs("\\n{/=14 clipped; in full", s);
  if (below) fprintf(s, " from %.2g", low);
  if (above) fprintf(s, " to %.2g", high);
  fputc('}', s);
}

/* Of a title in pixels. A letter is 0.58 of it wide, and a title is centred above axes that are
 * not in the middle of their panel: it may take 0.66 of the panel's width. */
static double title_size(const drawing* d, const char* title)
{
  int letters = 4;                                            /* "(a) " */
  for (; *title; title++) letters += (*title & 0xC0) != 0x80; /* of UTF-8 the first byte */
  double space = 0.66 * DRAWING_WIDTH / d->item->columns;
  return fmin(PANEL_TITLE_SIZE, space / (0.58 * letters));
}

/* "(a) title"; a panel that is alone has no letter. */
static void put_panel_title(FILE* s, const drawing* d, int p)
{
  const char* title = d->item->panel[p].title;
  fprintf(s, "set title \"{/=%.0f ", floor(title_size(d, title)));
  if (d->panel_count > 1) fprintf(s, "(%c)%s", 'a' + p, *title ? " " : "");
  put_double_quoted(s, title);
  fputc('}', s);
  put_clipping(s, d, p);
  fputs("\"\n", s);
}

static void put_triangles(FILE* s, const drawing* d, int at)
{
  const double* slope = d->item->panel[at].slope;
  triangle placed[SLOPES_MAX];
  for (int i = 0; i < SLOPES_MAX && slope[i] > 0; i++) {
    placed[i] = place_triangle(d, at, slope[i], placed, i);
    put_slope_triangle(s, placed[i].x, placed[i].bottom, slope[i]);
  }
}

static void put_marks(FILE* s, const drawing* d, int at)
{
  const item_panel* p = &d->item->panel[at];
  fputs("unset label\nunset arrow\n", s);
  for (int i = 0; i < p->wall_count; i++) put_level(s, p->wall[i]);
  if (p->logarithmic) put_triangles(s, d, at);
}

static void put_curve(FILE* s, const drawing* d, int p, int i)
{
  const drawn_curve* c = &d->curve[p][i];
  int last = d->curve_count[p] - 1;
  fprintf(s, "%s$c%d_%d using 1:2", i ? ", " : "plot ", p, i);
  put_curve_style(s, c->curve->style, c->colour, c->variant, i, last);
  if (last == 0) return;
  if (c->curve->style == DOTS) { /* too small for a legend: a larger one, of nothing */
    fputs(", NaN", s);
    put_curve_style(s, POINTS, c->colour, 0, 1, last);
  }
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

/* The values of y of a panel: its range, or what the curves have. */
static void find_heights(const drawing* d, int at, double y[2])
{
  const item_panel* p = &d->item->panel[at];
  y[0] = p->y[0] < p->y[1] ? p->y[0] : INFINITY;
  y[1] = p->y[0] < p->y[1] ? p->y[1] : -INFINITY;
  for (int i = 0; i < d->curve_count[at] && !(p->y[0] < p->y[1]); i++)
    for (long k = 0; k < d->curve[at][i].count; k++) {
      double height = d->curve[at][i].y[k];
      if (!isfinite(height) || (p->logarithmic && height <= 0)) continue;
      y[0] = fmin(y[0], height);
      y[1] = fmax(y[1], height);
    }
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
    double heights[2];
    find_heights(d, p, heights);
    put_axes(s, &(axes){at->x_label, at->y_label, at->x, at->y, at->logarithmic, heights});
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
