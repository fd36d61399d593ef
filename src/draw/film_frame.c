/* The frame of a film: title, scale, axes, the line of time with its impacts, and a clock. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/film.h"
#include "draw/xml.h"
#include "study/unit_text.h"

/* ---- numbers for people ------------------------------------------------------------------- */

/* The largest of 1, 2, 5 times a power of ten that is not above. */
static double round_down(double value)
{
  double decade = pow(10, floor(log10(value))), lead = value / decade;
  return decade * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

/* "50 times slower than real time", or without the last words. */
static void describe_speed(double speed, int narrow, char* text, size_t size)
{
  const char* than = narrow ? "" : " than real time";
  if (fabs(speed - 1) < 1e-6)
    snprintf(text, size, "real time");
  else if (speed < 1)
    snprintf(text, size, "%.0f times slower%s", 1 / speed, than);
  else
    snprintf(text, size, "%.3g times faster%s", speed, than);
}

/* ---- the title ---------------------------------------------------------------------------- */

/* The value of "key=value" among the lines of the run's options, or "". */
static void find_option(const pc_result* r, const char* key, char* value, size_t size)
{
  size_t length = strlen(key);
  value[0] = '\0';
  for (const char* line = pc_result_options(r); line && *line; line = strchr(line, '\n')) {
    line += strspn(line, "\n");
    if (!strncmp(line, key, length) && line[length] == '=')
      snprintf(value, size, "%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
  }
}

enum { NARROW = 520, MARGIN = 18 }; /* pixels: long lines are truncated */

/* A long title becomes smaller, so that it fits, and what is below it is no larger. */
void choose_letters(const film_options* o, page* p)
{
  const double largest = 18, smallest = 9,
               em = 0.6; /* the mean width of bold letters over their height */
  double fits = (o->width - 2 * MARGIN) / (em * fmax(1, text_width(o->title)));
  p->title = fmax(smallest, fmin(largest, fits));
  p->text = fmin(15, fmax(smallest + 1, p->title - 1));
}

static void draw_title(const scene* s, const page* p, const film_options* o, FILE* to)
{
  const motion* m = s->motion;
  char scheme[48], dt[48], speed[64];
  find_option(m->result, "scheme", scheme, sizeof scheme);
  find_option(m->result, "dt", dt, sizeof dt);
  fprintf(to, "<text x=\"%d\" y=\"24\" font-size=\"%.3g\" font-weight=\"bold\" fill=\"#222222\">",
          MARGIN, p->title);
  put_xml_text(to, o->title);
  fprintf(to, "</text>\n<text x=\"%d\" y=\"44\" font-size=\"%.3g\" fill=\"#333333\">", MARGIN,
          p->text);
  put_xml_text(to, scheme);
  if (*dt) fprintf(to, ", dt = %s", with_unit(strtod(dt, NULL), "s").text);
  if (m->frame_count > 1 && m->real > 0) {
    describe_speed(m->real / m->duration, o->width < NARROW, speed, sizeof speed);
    fprintf(to, "; %s", speed);
  }
  fputs("</text>\n", to);
}

/* ---- scale and axes ----------------------------------------------------------------------- */

static void draw_scale(const page* p, FILE* to)
{
  double length = round_down(0.2 * p->width / p->scale), pixels = length * p->scale;
  const char* unit = length >= 0.1 ? "m" : length >= 1e-3 ? "mm" : "µm";
  double shown = length >= 0.1 ? length : length >= 1e-3 ? 1e3 * length : 1e6 * length;
  double x = p->width - 18 - pixels, y = p->foot - 8;
  fprintf(to,
          "<path d=\"M%.1f %.1fv8m0-4h%.1fm0-4v8\" fill=\"none\" stroke=\"#333333\" "
          "stroke-width=\"2\"/>\n<text x=\"%.1f\" y=\"%.1f\" font-size=\"15\" fill=\"#333333\" "
          "text-anchor=\"middle\">%g %s</text>\n",
          x, y - 4, pixels, x + pixels / 2, y - 9, shown, unit);
}

/* The directions of the inertial axes; those that point at the eye are left out. */
static void draw_axes(const scene* s, const page* p, FILE* to)
{
  int axes = s->abstract ? 0 : pc_system_dimension(s->motion->system);
  double x = 36, y = p->foot - 14;
  for (int i = 0; i < axes; i++)
    if (p->up[i] < -0.2)
      y = fmin(y, p->foot - 20 + 30 * p->up[i]); /* space for one that points down */
  for (int i = 0; i < axes; i++) {
    double dx = 30 * p->right[i], dy = -30 * p->up[i], length = hypot(dx, dy);
    if (length < 6) continue;
    fprintf(to,
            "<path d=\"M%.1f %.1fl%.1f %.1f\" stroke=\"#333333\" stroke-width=\"2\" "
            "stroke-linecap=\"round\"/><text x=\"%.1f\" y=\"%.1f\" font-size=\"15\" "
            "font-style=\"italic\" fill=\"#333333\" text-anchor=\"middle\">%c</text>\n",
            x, y, dx, dy, x + dx * (1 + 9 / length), y + dy * (1 + 9 / length) + 5, "xyz"[i]);
  }
}

/* Names of the contacts, which are all that a model of formulas shows. */
static void draw_names(const scene* s, const page* p, FILE* to)
{
  for (int i = 0; s->abstract && i < s->contact_count; i++) {
    double at[2], floor[3] = {s->contact[i].at[0].at[0], 0, 0};
    on_page(p, floor, at);
    fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"15\" fill=\"#333333\">", at[0] + 16,
            at[1] + 32);
    put_xml_text(to, pc_system_contact(s->motion->system, s->contact[i].contact).name);
    fputs("</text>\n", to);
  }
}

/* ---- time --------------------------------------------------------------------------------- */

/* Times as they are shown: a unit, and so many digits. */
typedef struct clock_face {
  const motion* motion;
  double factor;
  const char* unit;
  int digits, decimals; /* all characters of the number, and those behind the point */
  int place;            /* the digit that is being drawn */
} clock_face;

static clock_face choose_face(const motion* m)
{
  double last = m->row_time[m->row_count - 1], step = m->real / fmax(1, m->frame_count - 1);
  clock_face f = {.motion = m, .factor = 1, .unit = "s"};
  if (last > 0 && last < 0.5) f = (clock_face){.motion = m, .factor = 1e3, .unit = "ms"};
  if (last > 0 && last < 0.5e-3) f = (clock_face){.motion = m, .factor = 1e6, .unit = "µs"};
  if (m->frame_count == 1) step = 1e-3 * last; /* a still picture */
  double fine = step > 0 ? -log10(step * f.factor) : 0;
  f.decimals = fine > 0 ? (int)fmin(6, ceil(fine)) : 0;
  f.digits = snprintf(NULL, 0, "%.*f", f.decimals, fabs(last) * f.factor);
  return f;
}

/* As wide for every frame: blanks in front. */
static void print_time(const clock_face* f, int frame, char* text, size_t size)
{
  double t = f->motion->row_time[f->motion->row[frame]] * f->factor;
  snprintf(text, size, "%*.*f", f->digits, f->decimals, t);
}

enum { DIGIT_WIDTH = 11, POINT_WIDTH = 6, DIGIT_HEIGHT = 24, TIME_SIZE = 400 };
enum { BLANK = 10 }; /* the place below the ten digits of a strip */

static int is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static void put_digit(FILE* to, const void* user, int frame)
{
  const clock_face* f = user;
  char text[TIME_SIZE];
  print_time(f, frame, text, sizeof text);
  int digit = is_digit(text[f->place]) ? text[f->place] - '0' : BLANK;
  fprintf(to, "0 %d", -digit * DIGIT_HEIGHT);
}

/* A digit is a strip of all ten, shifted behind the window of the clock to the right one in every
 * frame. The window is a clip path: a nested <svg> would have a time of its own, which a player
 * that pauses the film or sets its time does not reach. */
static void draw_digit(const page* p, clock_face* f, double x, double y, FILE* to)
{
  fprintf(to, "<g transform=\"translate(%.1f %.1f)\"><g class=\"digit\" transform=\"translate(", x,
          y);
  put_digit(to, f, p->frame);
  fputs(")\">", to);
  for (int d = 0; d < 10; d++)
    fprintf(to, "<text x=\"%.1f\" y=\"%d\">%d</text>", DIGIT_WIDTH / 2.0, 18 + d * DIGIT_HEIGHT, d);
  if (p->frames > 1)
    put_animation(to, p, "animateTransform attributeName=\"transform\" type=\"translate\"", 1,
                  put_digit, f);
  fputs("</g></g>\n", to);
}

static double draw_clock(const motion* m, const page* p, FILE* to)
{
  clock_face f = choose_face(m);
  char text[TIME_SIZE];
  print_time(&f, 0, text, sizeof text);
  int length = (int)strlen(text);
  double width = length * DIGIT_WIDTH - (f.decimals > 0 ? DIGIT_WIDTH - POINT_WIDTH : 0);
  double left = p->width - 18 - 34 - width, x = left, y = p->foot + 24;
  fprintf(to,
          "<clipPath id=\"clock\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>"
          "</clipPath>\n<g font-size=\"18\" fill=\"#222222\" text-anchor=\"middle\">"
          "<g clip-path=\"url(#clock)\">\n",
          left, y, width, DIGIT_HEIGHT);
  for (f.place = 0; f.place < length; f.place++) {
    int moves = is_digit(text[f.place]) || text[f.place] == ' ';
    double wide = moves ? DIGIT_WIDTH : POINT_WIDTH;
    if (moves)
      draw_digit(p, &f, x, y, to);
    else
      fprintf(to, "<text x=\"%.1f\" y=\"%.1f\">%c</text>\n", x + wide / 2, y + 18, text[f.place]);
    x += wide;
  }
  fprintf(to, "</g><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"start\">%s</text></g>\n", x + 7,
          y + 18, f.unit);
  return left;
}

enum { TICKS_MAX = 400 };

/* Rows in which a contact closes, as ticks along the line of time. */
static void draw_impacts(const motion* m, double x, double width, double y, FILE* to)
{
  pc_impact* impact;
  int count;
  long last = -1;
  if (pc_result_impacts(m->result, &impact, &count, NULL) != PC_OK) return;
  fputs("<path class=\"impacts\" stroke=\"#D55E00\" stroke-width=\"1.5\" d=\"M0 0", to);
  for (int i = 0; i < count; i++) {
    long row = impact[i].row - m->row_first;
    if (row < 0 || row >= m->row_count) continue;
    long tick = lround((m->row_time[row] - m->row_time[0]) / m->real * TICKS_MAX);
    if (tick == last) continue;
    last = tick;
    fprintf(to, "M%.1f %.1fv-10", x + width * (m->row_time[row] - m->row_time[0]) / m->real, y);
  }
  fputs("\"/>\n", to);
  free(impact);
}

static void draw_time(const motion* m, const page* p, FILE* to)
{
  double left = 24, y = p->foot + 40, right = draw_clock(m, p, to) - 24;
  if (p->frames < 2 || !(m->real > 0)) return;
  draw_impacts(m, left, right - left, y, to);
  fprintf(to,
          "<path class=\"time\" d=\"M%.1f %.1fH%.1f\" stroke=\"#BBBBBB\" stroke-width=\"4\" "
          "stroke-linecap=\"round\"/>\n",
          left, y, right);
  double part = (m->row_time[m->row[p->frame]] - m->row_time[0]) / m->real;
  fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\" fill=\"#333333\">",
          left + part * (right - left), y);
  if (!p->still)
    fprintf(to,
            "<animate attributeName=\"cx\" dur=\"%.6gs\" repeatCount=\"indefinite\" "
            "values=\"%.1f;%.1f\"/>",
            p->duration, left, right);
  fputs("</circle>\n", to);
}

void draw_frame(const scene* s, const page* p, const film_options* o, FILE* to)
{
  draw_title(s, p, o, to);
  draw_scale(p, to);
  draw_axes(s, p, to);
  draw_names(s, p, to);
  draw_time(s->motion, p, to);
}
