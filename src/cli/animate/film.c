#include "cli/animate/film.h"

#include <math.h>
#include <string.h>

#include "cli/palette.h"

enum { WIDTH = 800, HEIGHT_MIN = 160, HEIGHT_MAX = 700, FOOT = 34 };

/* From the scene to the picture. */
typedef struct view {
  double scale, left, top; /* pixels per m; the scene's point in the upper left corner */
  int height;
} view;

static view choose_view(const scene* s)
{
  double width = s->high[0] - s->low[0], height = s->high[1] - s->low[1];
  double margin = 0.12 * fmax(fmax(width, height), 1e-12);
  width += 2 * margin;
  height += 2 * margin;
  double pixels = WIDTH * height / width;
  view v = {.height = (int)fmin(fmax(pixels, HEIGHT_MIN), HEIGHT_MAX)};
  v.scale = fmin(WIDTH / width, v.height / height);
  v.left = 0.5 * (s->low[0] + s->high[0]) - 0.5 * WIDTH / v.scale;
  v.top = 0.5 * (s->low[1] + s->high[1]) + 0.5 * v.height / v.scale;
  return v;
}

static void put_number(FILE* to, double x)
{
  char text[40];
  snprintf(text, sizeof text, "%.1f", x);
  size_t length = strlen(text);
  if (text[length - 1] == '0') text[length - 2] = '\0'; /* .0 */
  fputs(!strcmp(text, "-0") ? "0" : text, to);
}

static double picture_x(const view* v, const double* point)
{
  return (point[0] - v->left) * v->scale;
}

static double picture_y(const view* v, const double* point)
{
  return (v->top - point[1]) * v->scale;
}

static const double* point_of(const shape* x, int frame, int i)
{
  return x->point + 2 * ((size_t)frame * (size_t)x->point_count + (size_t)i);
}

static void put_points(const view* v, const shape* x, int frame, FILE* to)
{
  for (int i = 0; i < x->point_count; i++) {
    if (i) fputc(' ', to);
    put_number(to, picture_x(v, point_of(x, frame, i)));
    fputc(',', to);
    put_number(to, picture_y(v, point_of(x, frame, i)));
  }
}

static int moves(const scene* s, const shape* x)
{
  size_t numbers = 2 * (size_t)x->point_count;
  for (int f = 1; f < s->frames.count; f++)
    if (memcmp(x->point, point_of(x, f, 0), numbers * sizeof *x->point) != 0) return 1;
  return 0;
}

static void begin_values(const char* attribute, double duration, FILE* to)
{
  fprintf(to, "<animate attributeName=\"%s\" dur=\"%gs\" repeatCount=\"indefinite\" values=\"",
          attribute, duration);
}

static void animate_points(const scene* s, const view* v, const shape* x, double duration, FILE* to)
{
  if (!moves(s, x)) return;
  begin_values("points", duration, to);
  for (int f = 0; f < s->frames.count; f++) {
    if (f) fputc(';', to);
    put_points(v, x, f, to);
  }
  fputs("\"/>", to);
}

static void animate_centre(const scene* s, const view* v, const shape* x, double duration, FILE* to)
{
  for (int k = 0; k < 2 && moves(s, x); k++) {
    begin_values(k ? "cy" : "cx", duration, to);
    for (int f = 0; f < s->frames.count; f++) {
      if (f) fputc(';', to);
      const double* point = point_of(x, f, 0);
      put_number(to, k ? picture_y(v, point) : picture_x(v, point));
    }
    fputs("\"/>", to);
  }
}

static void put_circle(const scene* s, const view* v, const shape* x, double duration, FILE* to)
{
  fputs("<circle cx=\"", to);
  put_number(to, picture_x(v, point_of(x, 0, 0)));
  fputs("\" cy=\"", to);
  put_number(to, picture_y(v, point_of(x, 0, 0)));
  if (x->kind == SHAPE_JOINT)
    fputs("\" r=\"4.5\" fill=\"#fff\" stroke=\"#333\" stroke-width=\"2\">", to);
  else
    fprintf(to, "\" r=\"3\" fill=\"%s\">", palette_colour(x->colour));
  animate_centre(s, v, x, duration, to);
  fputs("</circle>\n", to);
}

static void put_style(const shape* x, FILE* to)
{
  const char* colour = x->colour < 0 ? "#555" : palette_colour(x->colour);
  switch (x->kind) {
    case SHAPE_WALL: fputs("fill=\"#d5d5d5\" stroke=\"#888\" stroke-width=\"1\"", to); break;
    case SHAPE_ARROW: fputs("fill=\"#c00000\"", to); break;
    case SHAPE_BODY:
      fprintf(to, "fill=\"%s\" fill-opacity=\"0.25\" stroke=\"%s\" stroke-width=\"2\"", colour,
              colour);
      break;
    case SHAPE_LINK:
      fprintf(to,
              "fill=\"none\" stroke=\"%s\" stroke-width=\"7\" stroke-opacity=\"0.7\" "
              "stroke-linecap=\"round\" stroke-linejoin=\"round\"",
              colour);
      break;
    default: fprintf(to, "fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"", colour); break;
  }
}

static void put_outline(const scene* s, const view* v, const shape* x, double duration, FILE* to)
{
  const char* element = x->closed ? "polygon" : "polyline";
  fprintf(to, "<%s ", element);
  put_style(x, to);
  fputs(" points=\"", to);
  put_points(v, x, 0, to);
  fputs("\">", to);
  animate_points(s, v, x, duration, to);
  fprintf(to, "</%s>\n", element);
}

static void put_escaped(FILE* to, const char* text)
{
  for (; *text; text++) {
    if (*text == '<')
      fputs("&lt;", to);
    else if (*text == '&')
      fputs("&amp;", to);
    else
      fputc(*text, to);
  }
}

/* Below the picture: what it is, and how far it has come. */
static void put_foot(const scene* s, const view* v, double duration, FILE* to)
{
  double first = s->frames.time[0], last = s->frames.time[s->frames.count - 1];
  int y = v->height + FOOT;
  fprintf(to,
          "<rect x=\"0\" y=\"%d\" width=\"%d\" height=\"3\" fill=\"#eee\"/>"
          "<rect x=\"0\" y=\"%d\" width=\"0\" height=\"3\" fill=\"#0072B2\">"
          "<animate attributeName=\"width\" dur=\"%gs\" repeatCount=\"indefinite\" "
          "values=\"0;%d\"/></rect>\n",
          y - 3, WIDTH, y - 3, duration, WIDTH);
  fprintf(to, "<text x=\"8\" y=\"%d\">", y - 12);
  put_escaped(to, s->title);
  fprintf(to, "</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%g to %g s in %g s</text>\n",
          WIDTH - 8, y - 12, first, last, duration);
}

void write_svg(const scene* s, double duration, FILE* to)
{
  view v = choose_view(s);
  fprintf(
      to,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
      "font-family=\"sans-serif\" font-size=\"14\" fill=\"#333\">\n<title>",
      WIDTH, v.height + FOOT, WIDTH, v.height + FOOT);
  put_escaped(to, s->title);
  fprintf(to, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH,
          v.height + FOOT);
  fprintf(to, "<svg width=\"%d\" height=\"%d\">\n", WIDTH, v.height); /* clips the walls */
  for (int i = 0; i < s->shape_count; i++) {
    const shape* x = &s->shape[i];
    if (x->kind == SHAPE_JOINT || x->kind == SHAPE_MASS)
      put_circle(s, &v, x, duration, to);
    else
      put_outline(s, &v, x, duration, to);
  }
  fputs("</svg>\n", to);
  put_foot(s, &v, duration, to);
  fputs("</svg>\n", to);
}

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>";

static const char page_style[] =
    "</title><style>body{font:16px system-ui,sans-serif;max-width:820px;margin:2em auto}"
    "svg{max-width:100%;height:auto}.bar{display:flex;gap:1em;align-items:center}"
    "input{flex:1}output{min-width:8em;text-align:right;font-variant-numeric:tabular-nums}</style>"
    "</head><body>\n";

static const char page_player[] =
    "<div class=\"bar\"><button id=\"play\">pause</button>"
    "<input id=\"seek\" type=\"range\" min=\"0\" max=\"1\" step=\"0.001\" value=\"0\">"
    "<output id=\"time\"></output></div>\n<script>\n"
    "const film = document.querySelector('svg'), seek = document.getElementById('seek'),\n"
    "  play = document.getElementById('play'), time = document.getElementById('time');\n"
    "const show = () => {\n"
    "  const x = film.getCurrentTime() % duration / duration;\n"
    "  if (!film.animationsPaused()) seek.value = x;\n"
    "  time.value = (first + x * (last - first)).toPrecision(4) + ' s';\n"
    "  requestAnimationFrame(show);\n"
    "};\n"
    "play.onclick = () => {\n"
    "  const paused = film.animationsPaused();\n"
    "  paused ? film.unpauseAnimations() : film.pauseAnimations();\n"
    "  play.textContent = paused ? 'pause' : 'play';\n"
    "};\n"
    "seek.oninput = () => {\n"
    "  film.pauseAnimations(); play.textContent = 'play';\n"
    "  film.setCurrentTime(Math.min(seek.value, 0.9999) * duration);\n"
    "};\n"
    "show();\n</script>\n</body></html>\n";

void write_html(const scene* s, double duration, FILE* to)
{
  fputs(page_head, to);
  put_escaped(to, s->title);
  fputs(page_style, to);
  write_svg(s, duration, to);
  fprintf(to, "<script>const duration = %.9g, first = %.9g, last = %.9g;</script>\n", duration,
          s->frames.time[0], s->frames.time[s->frames.count - 1]);
  fputs(page_player, to);
}
