#include "draw/axes.h"

#include <math.h>

#include "draw/gnuplot.h"

void put_label(FILE* s, const char* what, const char* text)
{
  fprintf(s, "set %s ", what);
  put_quoted(s, text ? text : "");
  fputc('\n', s);
}

void put_panel_style(FILE* s)
{
  fputs(
      "set border 3 lw 1 lc rgb '#555555'\n"
      "set tics nomirror scale 0.6 textcolor rgb '#333333' font ',17'\n"
      "set grid xtics ytics lt 1 lw 0.7 lc rgb '#E8E8E8'\n"
      "set key outside top right horizontal samplen 1.5 font ',17' Left reverse noautotitle\n"
      "set title offset 0,-0.5 font ',20'\n"
      "set xlabel offset 0,0.3 font ',20'\n"
      "set ylabel offset 0,0 font ',20'\n",
      s);
}

static void put_range(FILE* s, char axis, const double* range)
{
  if (range[0] < range[1])
    fprintf(s, "set %crange [%.9g:%.9g]\n", axis, range[0], range[1]);
  else
    fprintf(s, "set autoscale %c\n", axis);
}

/* At most six marks on an axis with a given range, where gnuplot would put labels into each
 * other. */
static void put_marks_of_x(FILE* s, const axes* a)
{
  double range = a->x[1] - a->x[0];
  if (!(range > 0) || a->logarithmic) {
    fputs("set xtics autofreq\n", s);
    return;
  }
  double power = pow(10, floor(log10(range / 5))), share = range / 5 / power;
  fprintf(s, "set xtics %.9g\n", power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10));
}

void put_axes(FILE* s, const axes* a)
{
  put_label(s, "xlabel", a->x_label);
  put_label(s, "ylabel", a->y_label);
  put_range(s, 'x', a->x);
  put_marks_of_x(s, a);
  put_range(s, 'y', a->y);
  /* A margin above and below, so that no curve is on the frame. */
  fputs(a->logarithmic ? "unset offsets\n" : "set offsets 0, 0, graph 0.04, graph 0.04\n", s);
  if (!a->logarithmic && !(a->y[0] < a->y[1])) fputs("set autoscale yfix\n", s);
  fputs(a->logarithmic ? "set logscale xy\nset format xy '10^{%T}'\n"
                       : "unset logscale\nset format xy '%h'\n",
        s);
}

void put_points(FILE* s, long count, const double* x, const double* y, int logarithmic,
                double period)
{
  for (long k = 0; k < count; k++) {
    int drawn = isfinite(x[k]) && isfinite(y[k]) && (!logarithmic || y[k] > 0);
    if (period > 0 && k > 0 && fabs(y[k] - y[k - 1]) > period / 2) fputc('\n', s);
    fprintf(s, drawn ? "%.7g %.7g\n" : "\n", x[k], y[k]);
  }
}
