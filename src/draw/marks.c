#include "draw/marks.h"

#include <math.h>

void put_curve_style(FILE* s, curve_style how, const char* colour, int variant, int i, int last)
{
  static const struct {
    const char *with, *dash;
  } style[] = {[LINES] = {"lines", "solid"},      [POINTS] = {"points", "solid"},
               [BOTH] = {"linespoints", "solid"}, [DASHED] = {"lines", "(9,6)"},
               [DOTTED] = {"lines", "(3,6)"},     [DOTS] = {"points", "solid"}};
  static const int mark[] = {7, 5, 9, 13};
  double width = last ? 1.8 + 2.2 * (last - i) / last : 2.2;
  if (how == DOTTED) width = 3.4; /* dots are little ink */
  fprintf(s, " with %s lc rgb '%s'", style[how].with, colour);
  if (how == DOTS) fputs(" pt 7 ps 0.35", s);
  if (how != POINTS && how != DOTS) fprintf(s, " lw %.2f dt %s", width, style[how].dash);
  int open = how == POINTS && i == 0 && last > 0; /* a ring around the marks of later curves */
  if (how == POINTS || how == BOTH)
    fprintf(s, " pt %d ps %.1f", open ? 6 : mark[variant % 4], open ? 1.4 : 0.8);
  if (open) fputs(" lw 1.5", s);
}

void put_level(FILE* s, double y)
{
  fprintf(s,
          "set arrow from graph 0,first %.9g to graph 1,first %.9g nohead lw 1.6 dt (6,5) "
          "lc rgb '#777777' back\n",
          y, y);
}

void put_slope_triangle(FILE* s, const double x[2], double bottom, double slope)
{
  double top = bottom * pow(x[1] / x[0], slope);
  if (!(bottom > 0) || !isfinite(top)) return;
  const double corner[4][2] = {{x[0], bottom}, {x[1], bottom}, {x[1], top}, {x[0], bottom}};
  for (int i = 0; i < 3; i++)
    fprintf(s, "set arrow from %.9g,%.9g to %.9g,%.9g nohead lw 1.5 lc rgb '#444444' front\n",
            corner[i][0], corner[i][1], corner[i + 1][0], corner[i + 1][1]);
  fprintf(s, "set label '%g' at %.9g,%.9g left offset 0.4,0 font ',17' front\n", slope, x[1],
          sqrt(bottom * top));
  fprintf(s, "set label '1' at %.9g,%.9g center offset 0,-0.6 font ',17' front\n",
          sqrt(x[0] * x[1]), bottom);
}

void put_double_quoted(FILE* s, const char* text)
{
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', s);
    fputc(*text, s);
  }
}
