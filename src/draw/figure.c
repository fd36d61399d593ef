/* The gnuplot script of a figure. */
#include "draw/figure.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "draw/gnuplot.h"
#include "draw/palette.h"
#include "draw/thin.h"
#include "study/error.h"

/* Where panels have several names and there are several runs, colours tell the names and dashes the
 * runs. */
static const char* const dashes[] = {"solid",  "(8,4)", "(8,3,2,3)",     "(2,3)",
                                     "(24,4)", "(4,8)", "(8,3,2,3,2,3)", "(24,4,2,4)"};
enum { DASH_COUNT = sizeof dashes / sizeof *dashes };

static int font_size(const figure* f)
{
  int size = f->width / 70;
  return size < 8 ? 8 : size;
}

void put_figure_terminal(FILE* s, const figure* f)
{
  int font = font_size(f);
  double scale = fmax(0.85, font / 17.0); /* of lines and marks; 1 at the default width */
  fprintf(s, "set encoding utf8\n");
  if (f->svg)
    fprintf(s,
            "set terminal svg noenhanced size %d,%d font 'sans-serif,%d' linewidth %.2f "
            "background '#ffffff'\n",
            f->width, f->height, font, scale);
  else
    fprintf(s,
            "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {\n"
            "  set terminal pngcairo noenhanced size %d,%d font 'sans,%d' linewidth %.2f\n"
            "} else {\n"
            "  set terminal png noenhanced size %d,%d font 'sans,%d' linewidth %.2f truecolor\n"
            "}\n",
            f->width, f->height, font, scale, f->width, f->height, font, scale);
}

/* "name [unit]"; either may be empty. */
static void put_label(FILE* s, const char* name, const char* unit)
{
  char text[256];
  if (*unit)
    snprintf(text, sizeof text, "%s%s[%s]", name, *name ? " " : "", unit);
  else
    snprintf(text, sizeof text, "%s", name);
  put_quoted(s, text);
}

static int one_unit(const panel* p)
{
  for (int i = 1; i < p->name_count; i++)
    if (strcmp(p->curve[i].unit, p->curve[0].unit) != 0) return 0;
  return 1;
}

/* "gap" from "corner1.gap" */
static const char* after_dot(const char* name)
{
  const char* dot = strchr(name, '.');
  return dot ? dot + 1 : name;
}

static int same_part(const char* a, const char* b)
{
  size_t length = strcspn(a, ".");
  return length == strcspn(b, ".") && !strncmp(a, b, length);
}

/* What the names of a panel have in common: "gap" of corner1.gap and corner2.gap, "slider" of
 * slider.x and slider.y; or "". */
static void common_word(const panel* p, char* word, size_t size)
{
  const char* name = p->curve[0].name;
  int what = 1, part = 1;
  for (int i = 1; i < p->name_count; i++) {
    what &= !strcmp(after_dot(p->curve[i].name), after_dot(name));
    part &= same_part(p->curve[i].name, name);
  }
  if (what)
    snprintf(word, size, "%s", after_dot(name));
  else
    snprintf(word, size, "%.*s", part ? (int)strcspn(name, ".") : 0, name);
}

/* The axis names what all curves have in common, the legend the rest. */
static void put_axis_label(FILE* s, const panel* p)
{
  const curve* c = &p->curve[0];
  char word[128];
  common_word(p, word, sizeof word);
  fputs("set ylabel ", s);
  put_label(s, p->name_count == 1 ? c->name : word, one_unit(p) ? c->unit : "");
  fputc('\n', s);
}

static int colours_tell_runs(const figure* f)
{
  for (int i = 0; i < f->panel_count; i++)
    if (f->panel[i].name_count > 1) return 0;
  return 1;
}

static void widen(int* longest, const char* name, const char* unit)
{
  int length = (int)strlen(name) + (*unit ? (int)strlen(unit) + 3 : 0);
  if (length > *longest) *longest = length;
}

/* How many columns and rows the largest legend of the panels needs, so that there is space for it
 * above them: gnuplot leaves out what does not fit. A letter is 0.83 of the font's size wide, as
 * gnuplot reckons it; 15 letters are the margins of the figure, 5 are the sample before a text. */
static void measure_legend(const figure* f, int* columns, int* rows)
{
  int longest = 0, most = 0, by_run = colours_tell_runs(f);
  for (int r = 0; r < f->run_count && f->run_count > 1; r++) widen(&longest, f->run[r].label, "");
  for (int i = 0; i < f->panel_count; i++) {
    const panel* p = &f->panel[i];
    int names = !by_run && p->name_count > 1 ? p->name_count : 0;
    for (int k = 0; k < names; k++)
      widen(&longest, p->curve[k].name, one_unit(p) ? "" : p->curve[k].unit);
    if (names > most) most = names;
  }
  if (f->run_count > 1) most += f->run_count;
  double letters = f->width / (0.83 * font_size(f)) - 15;
  *columns = (int)fmax(1, letters / (longest + 5));
  *rows = (most + *columns - 1) / *columns;
}

int figure_height(const figure* f)
{
  int columns, rows;
  measure_legend(f, &columns, &rows);
  int more = rows > 1 ? (int)(1.6 * font_size(f) * (rows - 1)) : 0;
  return f->panel_count == 1 ? 720 + more : 200 + (330 + more) * f->panel_count;
}

static void extend(const double* values, long count, double* low, double* high)
{
  for (long i = 0; i < count; i++) {
    if (!isfinite(values[i])) continue;
    if (values[i] < *low) *low = values[i];
    if (values[i] > *high) *high = values[i];
  }
}

/* The points of a curve that make a difference in the drawing. */
static long thin(const figure* f, const curve* c, long* kept)
{
  const plot_run* run = c->run;
  if (f->over_time) return thin_columns(run->x, c->y, run->count, f->width, kept);
  double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
  extend(run->x, run->count, &x[0], &x[1]);
  extend(c->y, run->count, &y[0], &y[1]);
  return thin_path(run->x, c->y, run->count, 0.5 * (x[1] - x[0]) / f->width,
                   0.5 * (y[1] - y[0]) / f->height, kept);
}

static void put_point(FILE* s, double x, double y)
{
  if (isfinite(x) && isfinite(y))
    fprintf(s, "%.9g %.9g\n", x, y);
  else
    fputc('\n', s); /* interrupts the line */
}

/* A data block by the name of $<kind><panel>_<curve>. */
static void put_points(FILE* s, char kind, int panel_number, int number, const curve* c,
                       const long* row, long count)
{
  fprintf(s, "$%c%d_%d << END\n", kind, panel_number, number);
  for (long k = 0; k < count; k++) put_point(s, c->run->x[row[k]], c->y[row[k]]);
  fputs("END\n", s);
}

static pc_status put_data(FILE* s, const figure* f, int panel_number)
{
  const panel* p = &f->panel[panel_number];
  for (int i = 0; i < p->curve_count; i++) {
    const curve* c = &p->curve[i];
    long* kept = calloc((size_t)c->run->count + 1, sizeof *kept);
    if (!kept) return PC_OUT_OF_MEMORY;
    put_points(s, 'c', panel_number, i, c, kept, thin(f, c, kept));
    free(kept);
    if (!f->over_time && c->run->impact_count > 0)
      put_points(s, 'i', panel_number, i, c, c->run->impact, c->run->impact_count);
  }
  return PC_OK;
}

static const char* run_colour(const figure* f, int run)
{
  return f->run[run].colour ? f->run[run].colour : palette_colour(run);
}

/* Over time an impact is a faint line through all panels: grey, or in the tint of its run. */
static void put_impact_lines(FILE* s, const figure* f)
{
  for (int r = 0; f->over_time && r < f->run_count; r++) {
    const plot_run* run = &f->run[r];
    double pixel = (run->x[run->count - 1] - run->x[0]) / f->width, last = -INFINITY;
    for (int k = 0; k < run->impact_count; k++) {
      double x = run->x[run->impact[k]];
      if (x - last < pixel) continue;
      last = x;
      fprintf(s, "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead back ", x, x);
      if (f->run_count > 1)
        fprintf(s, "lw 1 lc rgb '#A0%s'\n", run_colour(f, r) + 1);
      else
        fprintf(s, "lw 0.8 lc rgb '#CFCFCF'\n");
    }
  }
}

static void put_range(FILE* s, const figure* f)
{
  double low = INFINITY, high = -INFINITY;
  for (int r = 0; r < f->run_count; r++) extend(f->run[r].x, f->run[r].count, &low, &high);
  if (f->over_time && low < high) fprintf(s, "set xrange [%.9g:%.9g]\n", low, high);
}

static void put_style(FILE* s)
{
  fputs(
      "set border 3 lw 1 lc rgb '#555555'\n"
      "set tics nomirror scale 0.6 textcolor rgb '#333333'\n"
      "set grid xtics ytics lt 1 lw 0.7 lc rgb '#E8E8E8'\n"
      "set xlabel offset 0,0.5\n"
      "set xtics offset 0,0.2\n"
      "set ytics offset 0.4,0\n"
      "set key at graph 1,1 right bottom horizontal samplen 1.6 Left reverse noautotitle\n",
      s);
}

/* Curves often coincide for a while. Earlier ones are wider, so that they show behind later
 * ones. */
static double line_width(const figure* f, const panel* p, const curve* c)
{
  int last = (f->run_count > 1 ? f->run_count : p->name_count) - 1;
  int i = f->run_count > 1 ? (int)(c->run - f->run) : c->number;
  return last == 0 ? 2.2 : 1.9 + 1.3 * (last - i) / last;
}

static void put_curve(FILE* s, const figure* f, int panel_number, int i)
{
  const panel* p = &f->panel[panel_number];
  const curve* c = &p->curve[i];
  int run = (int)(c->run - f->run), by_run = colours_tell_runs(f);
  const char* colour = by_run ? run_colour(f, run) : palette_colour(c->number);
  fprintf(s, "%s$c%d_%d using 1:2 with lines lw %.2f lc rgb '%s' dt %s", i ? ", " : "plot ",
          panel_number, i, line_width(f, p, c), colour,
          by_run ? "solid" : dashes[run % DASH_COUNT]);
  if (by_run && f->run_count > 1) {
    fputs(" title ", s);
    put_quoted(s, c->run->label);
  } else if (p->name_count > 1 && run == 0) {
    fputs(" title ", s);
    put_label(s, c->name, one_unit(p) ? "" : c->unit);
  }
  if (!f->over_time && c->run->impact_count > 0)
    fprintf(s, ", $i%d_%d using 1:2 with points pt 7 ps 0.8 lc rgb '%s'", panel_number, i, colour);
}

/* Where dashes tell the runs: their legend. */
static void put_dashes(FILE* s, const figure* f)
{
  for (int r = 0; r < f->run_count && f->run_count > 1 && !colours_tell_runs(f); r++) {
    fprintf(s, ", NaN with lines lw 1.6 lc rgb '#333333' dt %s title ", dashes[r % DASH_COUNT]);
    put_quoted(s, f->run[r].label);
  }
}

static void put_panel(FILE* s, const figure* f, int panel_number)
{
  const panel* p = &f->panel[panel_number];
  int lowest = panel_number + 1 == f->panel_count;
  put_axis_label(s, p);
  fputs(lowest ? "set format x '%h'\nset xlabel " : "set format x ''\nset xlabel ", s);
  put_label(s, lowest ? f->x_name : "", lowest ? f->x_unit : "");
  fputc('\n', s);
  for (int i = 0; i < p->curve_count; i++) put_curve(s, f, panel_number, i);
  put_dashes(s, f);
  fputc('\n', s);
}

static pc_status put_figure_script(FILE* s, const void* what)
{
  const figure* f = what;
  put_figure_terminal(s, f);
  put_style(s);
  put_range(s, f);
  put_impact_lines(s, f);
  for (int i = 0; i < f->panel_count; i++) {
    pc_status status = put_data(s, f, i);
    if (status != PC_OK) return status;
  }
  int columns, rows;
  measure_legend(f, &columns, &rows);
  fprintf(s, "set key maxcols %d\n", columns);
  fprintf(s, "set multiplot layout %d,1 margins char 12, char 3, char 3.3, char %.1f ",
          f->panel_count, 0.7 + (*f->title ? 1.3 : 0) + (rows ? 0.2 + rows : 0));
  fprintf(s, "spacing char 1, char %.1f", 1.2 + rows);
  if (*f->title) {
    fputs(" title ", s);
    put_quoted(s, f->title);
    fputs(" offset 0,0.3", s);
  }
  fputc('\n', s);
  for (int i = 0; i < f->panel_count; i++) put_panel(s, f, i);
  fputs("unset multiplot\n", s);
  return PC_OK;
}

/* gnuplot does not notice a full disk: a figure is there when its end is. */
static int is_complete(const figure* f, FILE* figure_file)
{
  const char* end = f->svg ? "</svg>" : "IEND\xAE\x42\x60\x82";
  size_t length = strlen(end);
  char tail[32] = "";
  struct stat what;
  int descriptor = fileno(figure_file);
  if (fstat(descriptor, &what) != 0 || !S_ISREG(what.st_mode)) return 1; /* not known */
  off_t first = what.st_size > 16 ? what.st_size - 16 : 0;
  ssize_t got = pread(descriptor, tail, 16, first);
  for (ssize_t i = 0; i + (ssize_t)length <= got; i++)
    if (!memcmp(tail + i, end, length)) return 1;
  return 0;
}

pc_status draw_script(const figure* f, put_script* put, const void* what, FILE* to, pc_error* error)
{
  FILE* script = tmpfile();
  if (!script) return set_error(error, PC_CANNOT_WRITE, "no temporary file: %s", strerror(errno));
  pc_status status = put(script, what);
  if (status == PC_OK) status = run_gnuplot(script, to, error);
  if (status == PC_OK && !is_complete(f, to))
    status = set_error(error, PC_CANNOT_WRITE,
                       "gnuplot could not write all of the figure; is the disk full?");
  fclose(script);
  return status;
}

pc_status draw_figure(const figure* f, FILE* to, pc_error* error)
{
  return draw_script(f, put_figure_script, f, to, error);
}
