/* percuss animate: the mechanism moving. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/film_options.h"
#include "cli/results.h"
#include "console/replace.h"
#include "draw/film.h"

enum { WIDTH_MIN = 200, WIDTH_LARGEST = 4000, FPS_MAX = 120 };

typedef struct animate_options {
  const char* result;
  const char* out;
  const char* title;
  const char* kind; /* the ending of the file: svg, html, png, mp4, webm, gif */
  motion_options motion;
  film_options film;
} animate_options;

static int take_text(void* into, const char* name, char* value)
{
  animate_options* o = into;
  *(strcmp(name, "title") ? &o->out : &o->title) = value;
  return EXIT_DONE;
}

static int take_film(void* into, const char* name, char* value)
{
  animate_options* o = into;
  return take_film_option(&o->motion, name, value, FPS_MAX);
}

static int take_width(void* into, const char* name, char* value)
{
  long width = read_positive(value);
  if (width < WIDTH_MIN || width > WIDTH_LARGEST)
    return complain(EXIT_USAGE, "--%s is '%s'; it must be %d to %d pixels", name, value, WIDTH_MIN,
                    WIDTH_LARGEST);
  ((animate_options*)into)->film.width = (int)width;
  return EXIT_DONE;
}

static int take_view(void* into, const char* name, char* value)
{
  animate_options* o = into;
  char* comma = strchr(value, ',');
  if (comma) *comma = '\0';
  o->film.azimuth = read_number(value);
  o->film.elevation = comma ? read_number(comma + 1) : NAN;
  if (isfinite(o->film.azimuth) && fabs(o->film.elevation) <= 90) return EXIT_DONE;
  return complain(EXIT_USAGE, "--%s must be AZIMUTH,ELEVATION in degrees, the elevation -90 to 90",
                  name);
}

static int take_no_arrows(void* into, const char* name, char* value)
{
  (void)name, (void)value;
  ((animate_options*)into)->film.no_arrows = 1;
  return EXIT_DONE;
}

static int take_result(void* into, char* word)
{
  animate_options* o = into;
  if (o->result)
    return complain(EXIT_USAGE, "one word too many: '%s' (the result is '%s')", word, o->result);
  o->result = word;
  return EXIT_DONE;
}

static const option options[] = {
    {"out", "FILE", "the file to write: .svg, .html, .png, .mp4, .webm or .gif", take_text},
    {"from", "T", "start of the film [s]", take_film},
    {"until", "T", "end of the film [s]", take_film},
    {"to", "T", "the same as --until", take_film},
    {"speed", "X",
     "playback speed: 0.1 is ten times slower than real time (default: so that it takes 6 s or "
     "more)",
     take_film},
    {"fps", "N", "frames per second of the film (default 25)", take_film},
    {"frames", "N", "number of frames; 1: a still picture of the start", take_film},
    {"width", "N", "width in pixels (default 800)", take_width},
    {"view", "A,E", "azimuth and elevation of the view in degrees, in space (default -60,20)",
     take_view},
    {"title", "TEXT", "title above the drawing (default: the model's title)", take_text},
    {"no-arrows", NULL, "do not draw impulses", take_no_arrows},
};

const option_set animate_option_set = {options, sizeof options / sizeof *options, NULL,
                                       take_result};

static int check_options(animate_options* o)
{
  if (!o->result)
    return complain(EXIT_USAGE,
                    "animate which result? usage: percuss animate RESULT.h5 -o FILM.svg");
  if (!o->out)
    return complain(EXIT_USAGE,
                    "draw into which file? give -o FILM.svg, .html, .mp4, .gif or .png");
  if (o->motion.from > o->motion.until) return complain(EXIT_USAGE, "--from is after --until");
  const char* dot = strrchr(o->out, '.');
  static const char* const kinds[] = {"svg", "html", "png", "mp4", "webm", "gif"};
  for (size_t i = 0; dot && i < sizeof kinds / sizeof *kinds; i++)
    if (!strcasecmp(dot + 1, kinds[i])) o->kind = kinds[i];
  if (o->kind) return EXIT_DONE;
  return complain(EXIT_USAGE,
                  "-o is '%s'; a film ends in .svg, .html, .mp4, .webm or .gif, a picture in .png",
                  o->out);
}

static pc_status draw(const animate_options* o, const scene* s, const film_options* film, FILE* to,
                      pc_error* error)
{
  if (!strcmp(o->kind, "svg")) return draw_film(s, film, to, error);
  if (!strcmp(o->kind, "html")) return draw_film_page(s, film, to, error);
  if (!strcmp(o->kind, "png")) return draw_png(s, film, to, error);
  return draw_pixel_film(s, film, o->kind, to, error);
}

static int write_film(const animate_options* o, const scene* s)
{
  replacement target;
  pc_error error = {0};
  film_options film = o->film;
  film.title = o->title ? o->title : pc_model_title(s->motion->model);
  int code = refuse_input(o->out, o->result);
  if (code == EXIT_DONE && !strcmp(o->kind, "png") && strchr(o->out, '%'))
    return report(draw_png_frames(s, &film, o->out, &error), &error);
  if (code == EXIT_DONE) code = begin_replacement(&target, o->out);
  if (code != EXIT_DONE) return code;
  pc_status status = draw(o, s, &film, target.file, &error);
  return end_replacement(&target, report(status, &error));
}

int animate_command(int argc, char** argv)
{
  animate_options o = {.motion = {NAN, NAN, NAN, NAN, 0, 0},
                       .film = {.width = 800, .azimuth = -60, .elevation = 20}};
  pc_result* result = NULL;
  motion m = {0};
  scene s = {0};
  pc_error error = {0};
  int code = read_options(&animate_option_set, argc, argv, &o);
  if (code == EXIT_DONE) code = check_options(&o);
  if (code == EXIT_DONE) code = open_result(o.result, &result);
  if (code == EXIT_DONE) code = report(read_motion(result, &o.motion, &m, &error), &error);
  if (code == EXIT_DONE) code = report(make_scene(&m, &s, &error), &error);
  if (code == EXIT_DONE) code = write_film(&o, &s);
  release_scene(&s);
  release_motion(&m);
  pc_result_close(result);
  return code;
}
