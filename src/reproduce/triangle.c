#include "reproduce/triangle.h"

#include <math.h>

/* Of the height of the panel: between a curve and the triangle, and for the number below it. */
static const double MARGIN = 0.03, NUMBER = 0.12;
/* In units of the triangle's length, to its right: the number beside it. */
static const double BESIDE = 0.6;
enum { PLACES = 9 }; /* of x at which curves are looked at */

/* The decades of y that gnuplot shows. */
typedef struct decades {
  double low, high;
} decades;

static decades decades_of(const drawing* d, int at)
{
  decades shown = {INFINITY, -INFINITY};
  for (int i = 0; i < d->curve_count[at]; i++)
    for (long k = 0; k < d->curve[at][i].count; k++) {
      double y = d->curve[at][i].y[k];
      if (!(y > 0) || !isfinite(y)) continue;
      shown.low = fmin(shown.low, floor(log10(y)));
      shown.high = fmax(shown.high, ceil(log10(y)));
    }
  return shown;
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

/* log10 of a curve at x, a straight line between two of its points; NAN: it is not there. */
static double log_height(const drawn_curve* c, double x)
{
  for (long k = 1; k < c->count; k++) {
    double a = c->x[k - 1], b = c->x[k];
    if ((x - a) * (x - b) > 0 || a == b) continue;
    double share = log(x / a) / log(b / a);
    return log10(c->y[k - 1]) + share * log10(c->y[k] / c->y[k - 1]);
  }
  return NAN;
}

/* What triangle and numbers take at x, in decades above and below its bottom. */
static void take_space(const triangle* t, double x, double height, double* below, double* above)
{
  double top = t->slope * log10(fmin(x, t->x[1]) / t->x[0]);
  if (x <= t->x[1] * (1 + 1e-12)) {
    *above = top + MARGIN * height;
    *below = NUMBER * height;
  } else { /* the number beside it, at half its height */
    *above = top / 2 + NUMBER / 2 * height;
    *below = NUMBER / 2 * height - top / 2;
  }
}

/* The x at one of the places, from the triangle's left end to the end of the number beside it. */
static double place_of(const triangle* t, int i)
{
  return t->x[0] * pow(t->x[1] / t->x[0], (1 + BESIDE) * i / (PLACES - 1));
}

static double leg_of(const triangle* t)
{
  return t->slope * log10(t->x[1] / t->x[0]);
}

/* Are two triangles, with their numbers, in each other's way? */
static int overlap(const triangle* t, const triangle* other, double height)
{
  double below = (NUMBER + MARGIN) * height, y = log10(t->bottom), z = log10(other->bottom);
  if (place_of(t, PLACES - 1) < other->x[0] || place_of(other, PLACES - 1) < t->x[0]) return 0;
  return y - below < z + leg_of(other) && z - below < y + leg_of(t);
}

static int avoids_curves(const drawing* d, int at, const triangle* t, double height)
{
  double bottom = log10(t->bottom);
  for (int i = 0; i < PLACES; i++) {
    double x = place_of(t, i), below, above;
    take_space(t, x, height, &below, &above);
    for (int k = 0; k < d->curve_count[at]; k++) {
      double y = log_height(&d->curve[at][k], x);
      if (y > bottom - below && y < bottom + above) return 0;
    }
  }
  return 1;
}

/* What the panel shows already. */
typedef struct panel_space {
  const drawing* d;
  int at;
  const triangle* before;
  int count;
  decades shown;
} panel_space;

static int is_free(const panel_space* p, const triangle* t)
{
  double height = p->shown.high - p->shown.low, bottom = log10(t->bottom);
  if (bottom - NUMBER * height < p->shown.low) return 0;
  if (bottom + leg_of(t) + MARGIN * height > p->shown.high) return 0;
  for (int i = 0; i < p->count; i++)
    if (overlap(t, &p->before[i], height)) return 0;
  return avoids_curves(p->d, p->at, t, height);
}

/* The highest bottom with which the triangle is below a curve. */
static double below_curve(const drawn_curve* c, const triangle* t, double height)
{
  double lowest = INFINITY;
  for (int i = 0; i < PLACES; i++) {
    double x = place_of(t, i), below, above;
    take_space(t, x, height, &below, &above);
    lowest = fmin(lowest, log_height(c, x) - above); /* fmin leaves out what is not a number */
  }
  return lowest;
}

/* The free place that is nearest to a height, half a percent of the panel at a time. */
static triangle move_to_free_place(const panel_space* p, triangle t, double start)
{
  enum { STEPS = 200 };
  double step = (p->shown.high - p->shown.low) / STEPS;
  for (int i = 0; i <= 2 * STEPS; i++) {
    t.bottom = pow(10, start + step * (i % 2 ? i / 2 + 1 : -(i / 2)));
    if (is_free(p, &t)) return t;
  }
  t.bottom = NAN;
  return t;
}

triangle place_triangle(const drawing* d, int at, double slope, const triangle* before, int count)
{
  const drawn_curve* c = nearest_curve(d, at, slope);
  if (!c) return (triangle){{NAN, NAN}, NAN, slope};
  double a = c->x[c->count / 2 - 1], b = c->x[c->count / 2];
  triangle t = {{fmin(a, b), fmax(a, b)}, NAN, slope};
  panel_space p = {d, at, before, count, decades_of(d, at)};
  return move_to_free_place(&p, t, below_curve(c, &t, p.shown.high - p.shown.low));
}
