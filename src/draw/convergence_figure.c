#include "draw/convergence_figure.h"

#include <math.h>

#include "draw/figure.h"
#include "draw/gnuplot.h"
#include "draw/palette.h"

enum { MARKS_MAX = 8 };

typedef struct drawing {
  const convergence* c;
  figure figure;
} drawing;

/* What can be drawn with a logarithmic axis. */
static int is_drawn(double error)
{
  return isfinite(error) && error > 0;
}

static int has_points(const convergence* c, int p)
{
  for (int i = 0; c->present[p] && i < c->count; i++)
    if (is_drawn(c->error[p][i])) return 1;
  return 0;
}

static void put_data(FILE* s, const convergence* c, int p)
{
  fprintf(s, "$e%d << END\n", p);
  for (int i = 0; i < c->count; i++)
    if (is_drawn(c->error[p][i])) fprintf(s, "%.9g %.9g\n", c->dt[i], c->error[p][i]);
  fputs("END\n", s);
}

/* Lines of slope 1 and 2, through the largest step, a little above all errors there. */
static void put_slopes(FILE* s, const convergence* c)
{
  double low = INFINITY, high = 0, top = 0;
  for (int i = 0; i < c->count; i++) {
    low = fmin(low, c->dt[i]);
    high = fmax(high, c->dt[i]);
    for (int p = 0; p < PART_COUNT; p++)
      if (c->present[p] && is_drawn(c->error[p][i])) top = fmax(top, c->error[p][i]);
  }
  for (int slope = 1; slope <= 2; slope++)
    fprintf(s, "$s%d << END\n%.9g %.9g\n%.9g %.9g\nEND\n", slope, high, 1.6 * top, low,
            1.6 * top * pow(low / high, slope));
  fprintf(s, "set xrange [%.9g:%.9g]\n", low / 1.25, high * 1.25);
}

/* The steps themselves are the marks of the axis, unless they are many. */
static void put_marks(FILE* s, const convergence* c)
{
  for (int i = 0; c->count <= MARKS_MAX && i < c->count; i++)
    fprintf(s, "%s%.9g%s", i ? ", " : "set xtics (", c->dt[i], i + 1 < c->count ? "" : ")\n");
}

static void put_curves(FILE* s, const convergence* c)
{
  fputs(
      "plot $s1 using 1:2 with lines lw 1.4 lc rgb '#999999' dt (8,4) title 'slope 1', "
      "$s2 using 1:2 with lines lw 1.4 lc rgb '#999999' dt (2,3) title 'slope 2'",
      s);
  for (int p = 0; p < PART_COUNT; p++) {
    if (!has_points(c, p)) continue;
    char label[64];
    snprintf(label, sizeof label, "%s, order %.2f", part_name((part)p), c->fit[p].order);
    fprintf(s, ", $e%d using 1:2 with linespoints pt 7 ps 0.9 lw 2.2 lc rgb '%s' title ", p,
            palette_colour(p));
    put_quoted(s, label);
  }
  fputc('\n', s);
}

static pc_status put_convergence(FILE* s, const void* what)
{
  const drawing* d = what;
  const convergence* c = d->c;
  put_figure_terminal(s, &d->figure);
  fputs(
      "set border 3 lw 1 lc rgb '#555555'\n"
      "set tics nomirror scale 0.6 textcolor rgb '#333333'\n"
      "set grid xtics ytics lt 1 lw 0.7 lc rgb '#E8E8E8'\n"
      "set logscale xy\nset format x '%g'\nset format y '%.0e'\n"
      "set key outside right center samplen 2 Left reverse noautotitle\n"
      "set xlabel 'dt [s]'\n",
      s);
  fprintf(s, "set ylabel 'error (%s)'\n", norm_name(c->norm));
  if (*c->title) {
    fputs("set title ", s);
    put_quoted(s, c->title);
    fputc('\n', s);
  }
  for (int p = 0; p < PART_COUNT; p++)
    if (has_points(c, p)) put_data(s, c, p);
  put_slopes(s, c);
  put_marks(s, c);
  put_curves(s, c);
  return PC_OK;
}

int can_draw_convergence(const convergence* c)
{
  for (int p = 0; p < PART_COUNT; p++)
    if (has_points(c, p)) return 1;
  return 0;
}

pc_status draw_convergence(const convergence* c, int svg, FILE* to, pc_error* error)
{
  drawing d = {c, {.width = 1200, .height = 720, .svg = svg}};
  return draw_script(&d.figure, put_convergence, &d, to, error);
}
