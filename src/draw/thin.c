#include "draw/thin.h"

#include <math.h>

static int is_point(const double* x, const double* y, long i)
{
  return isfinite(x[i]) && isfinite(y[i]);
}

/* Indices kept so far, and whether the last of them is a gap. */
typedef struct list {
  long* kept;
  long count;
  int gap;
} list;

static void keep(list* l, long i)
{
  if (l->count > 0 && !l->gap && l->kept[l->count - 1] >= i) return; /* it is there already */
  l->kept[l->count++] = i;
  l->gap = 0;
}

static void keep_gap(list* l, long i)
{
  if (l->count > 0 && !l->gap) l->kept[l->count++] = i;
  l->gap = 1;
}

/* The points from `first` to `last`, all in one column. */
static void keep_column(list* l, const double* y, long first, long last)
{
  long low = first, high = first;
  for (long i = first; i <= last; i++) {
    if (y[i] < y[low]) low = i;
    if (y[i] > y[high]) high = i;
  }
  keep(l, first);
  keep(l, low < high ? low : high);
  keep(l, low < high ? high : low);
  keep(l, last);
}

long thin_columns(const double* x, const double* y, long count, int columns, long* kept)
{
  list l = {kept, 0, 1};
  double span = count > 0 ? x[count - 1] - x[0] : 0;
  double scale = span > 0 ? columns / span : 0;
  long first = 0;
  for (long i = 0; i < count; i++) {
    if (!is_point(x, y, i)) {
      keep_gap(&l, i);
      first = i + 1;
      continue;
    }
    double column = floor((x[i] - x[0]) * scale);
    int ends =
        i + 1 == count || !is_point(x, y, i + 1) || floor((x[i + 1] - x[0]) * scale) > column;
    if (!ends) continue;
    keep_column(&l, y, first, i);
    first = i + 1;
  }
  return l.count;
}

long thin_path(const double* x, const double* y, long count, double dx, double dy, long* kept)
{
  list l = {kept, 0, 1};
  for (long i = 0; i < count; i++) {
    if (!is_point(x, y, i)) {
      keep_gap(&l, i);
      continue;
    }
    int last = i + 1 == count || !is_point(x, y, i + 1);
    long k = l.gap ? i : l.kept[l.count - 1];
    if (l.gap || last || fabs(x[i] - x[k]) > dx || fabs(y[i] - y[k]) > dy) keep(&l, i);
  }
  return l.count;
}

void find_extent(const double* x, long count, const double* given, double* low, double* high)
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
