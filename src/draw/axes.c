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

/* 1, 2 or 5 times a power of ten that is not below a distance. */
static double round_distance(double distance)
{
  double power = pow(10, floor(log10(distance))), share = distance / power;
  return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

enum { MARKS_OF_X = 5, MARKS_OF_Y = 7, DECADES = 7 }; /* parts of an axis at most */

/* Few marks, where gnuplot would put labels into each other; what has no range has gnuplot's. */
static void put_marks(FILE* s, char axis, double range, int parts)
{
  if (range > 0 && isfinite(range))
    fprintf(s, "set %ctics %.9g\n", axis, round_distance(range / parts));
  else
    fprintf(s, "set %ctics autofreq\n", axis);
}

/* On a logarithmic axis every second power of ten where all of them are too many. */
static void put_decades(FILE* s, const double* y)
{
  if (y[1] > pow(10, DECADES) * y[0])
    fputs("set ytics 100\n", s);
  else
    fputs("set ytics autofreq\n", s);
}

static void put_all_marks(FILE* s, const axes* a)
{
  put_marks(s, 'x', a->logarithmic ? 0 : a->x[1] - a->x[0], MARKS_OF_X);
  if (a->logarithmic)
    put_decades(s, a->heights);
  else
    put_marks(s, 'y', a->heights[1] - a->heights[0], MARKS_OF_Y);
}

void put_axes(FILE* s, const axes* a)
{
  put_label(s, "xlabel", a->x_label);
  put_label(s, "ylabel", a->y_label);
  put_range(s, 'x', a->x);
  put_range(s, 'y', a->y);
  put_all_marks(s, a);
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
