#include "reproduce/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/palette.h"
#include "draw/thin.h"
#include "reproduce/measure.h"

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

/* What is drawn of a panel is what is in its range; what is not is to be said. */
static void note_clipping(drawn_curve* c, const item_panel* p)
{
  c->low = INFINITY;
  c->high = -INFINITY;
  if (!(p->y[0] < p->y[1])) return;
  for (long i = 0; i < c->count; i++) {
    if (p->x[0] < p->x[1] && (c->x[i] < p->x[0] || c->x[i] > p->x[1])) continue;
    if (!isfinite(c->y[i])) continue;
    c->low = fmin(c->low, c->y[i]);
    c->high = fmax(c->high, c->y[i]);
  }
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
  find_extent(c->x, c->count, p->x, &x[0], &x[1]);
  find_extent(c->y, c->count, p->y, &y[0], &y[1]);
  long count = ascends(c->x, c->count)
                   ? thin_columns(c->x, c->y, c->count, width, kept)
                   : thin_path(c->x, c->y, c->count, 0.5 * (x[1] - x[0]) / width,
                               0.5 * (y[1] - y[0]) / DRAWING_PANEL_HEIGHT, kept);
  for (long i = 0; i < count; i++) {
    c->x[i] = c->x[kept[i]];
    c->y[i] = c->y[kept[i]];
  }
  c->count = count;
  free(kept);
  return PC_OK;
}

/* Of ascending times the last that is not after t; count > 0. */
static long find_before(const double* times, long count, double t)
{
  long low = 0, high = count;
  while (high - low > 1) {
    long middle = low + (high - low) / 2;
    if (times[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* y becomes the difference to the same of another run, which is linear between its states. Both are
 * taken at the same time, or at the same x. */
static pc_status subtract(drawn_curve* c, const run_data* run, const run_data* other)
{
  const item_curve* of = c->curve;
  static const item_series at_time = {0};
  double* t = series_values(run, of->minus_x.of[0] ? &of->x : &at_time);
  double* time = series_values(other, &of->minus_x);
  double* y = series_values(other, of->minus_y.of[0] ? &of->minus_y : &of->y);
  pc_status status = t && time && y ? PC_OK : PC_OUT_OF_MEMORY;
  for (long i = 0; status == PC_OK && i < c->count; i++) {
    double tie = of->minus_x.of[0] ? 0 : 1e-9 * run->spec->dt;
    long k = find_before(time, other->count, t[i] + tie);
    double share = k + 1 < other->count ? (t[i] - time[k]) / (time[k + 1] - time[k]) : 0;
    if (share < 1e-6) share = 0;
    c->y[i] -= share > 0 ? y[k] + share * (y[k + 1] - y[k]) : y[k];
  }
  free(t);
  free(time);
  free(y);
  return status;
}

static pc_status sample(drawn_curve* c, const item_panel* p, const item_data* data, int width)
{
  const run_data* run = data->run[c->curve->run];
  c->x = series_values(run, &c->curve->x);
  c->y = series_values(run, &c->curve->y);
  if (!c->x || !c->y) return PC_OUT_OF_MEMORY;
  c->count = run->count;
  if (c->curve->is_difference && subtract(c, run, data->run[c->curve->minus]) != PC_OK)
    return PC_OUT_OF_MEMORY;
  if (c->count > 0 && isnan(c->y[0])) leave_out(c, 1); /* what the initial state does not have */
  note_clipping(c, p);
  crop(c, p);
  return thin_out(c, p, width);
}

enum { OTHERS = 5 }; /* colours beside that of the scheme */

/* A scheme has one colour in all figures. Further curves of it in a panel have colours that no
 * scheme has, as far in brightness from it as they can be. */
static const char* choose_colour(const char* scheme, int variant)
{
  static const char* const beside_dark[OTHERS] = {"#999933", "#9A9A9A", "#332288", "#DDAA77",
                                                  "#77AADD"};
  static const char* const beside_light[OTHERS] = {"#332288", "#7A7A7A", "#999933", "#661100",
                                                   "#AA4499"};
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

/* Has another label of the scheme this variant in an earlier panel with a legend, or in this
 * one? */
static int is_taken(const drawing* d, int at, int number, const item_data* data, int variant)
{
  const drawn_curve* c = &d->curve[at][number];
  const char* scheme = scheme_of(c->curve, data);
  for (int p = 0; p <= at; p++)
    for (int i = 0; i < (p == at ? number : d->curve_count[p]); i++) {
      const drawn_curve* other = &d->curve[p][i];
      if (p < at && d->curve_count[p] == 1) continue;
      if (other->variant == variant && strcmp(other->label, c->label) != 0 &&
          !strcmp(scheme_of(other->curve, data), scheme))
        return 1;
    }
  return 0;
}

/* A label has one colour in all panels that have a legend: that of the first one. Labels of
 * different panels share colours only if there are more than colours. */
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
  int first = count_alike(d, at, number, data, scheme);
  if (first == 0) return 0; /* the scheme's own colour */
  for (int variant = first; variant <= OTHERS; variant++)
    if (!is_taken(d, at, number, data, variant)) return variant;
  return first;
}

static pc_status add_curve(drawing* d, int at, const item_curve* drawn, const item_data* data)
{
  int number = d->curve_count[at]++;
  const item_panel* p = &d->item->panel[at];
  /* the item's own: a run that it shares with others can have another label there */
  const item_run* run = &d->item->run[drawn->scan ? drawn->scan->run : drawn->run];
  drawn_curve* c = &d->curve[at][number];
  *c = (drawn_curve){.curve = drawn, .label = drawn->label ? drawn->label : run->label};
  c->variant = choose_variant(d, at, number, data);
  c->colour = choose_colour(run->scheme, c->variant);
  return drawn->scan ? scan(c, data) : sample(c, p, data, DRAWING_WIDTH / d->item->columns);
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
