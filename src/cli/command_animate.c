/* percuss animate: the mechanism moving. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/film.h"
#include "cli/replace.h"
#include "cli/results.h"
#include "cli/xml.h"

enum { WIDTH_MIN = 200, WIDTH_LARGEST = 4000, FPS_MAX = 120 };

typedef struct animate_options {
  const char* result;
  const char* out;
  const char* title;
  int html;
  motion_options motion;
  film_options film;
} animate_options;

/* A finite number, or NAN. */
static double read_number(const char* text)
{
  char* end;
  double value = strtod(text, &end);
  return end != text && !*end && isfinite(value) ? value : NAN;
}

static int take_text(void* into, const char* name, char* value)
{
  animate_options* o = into;
  *(strcmp(name, "title") ? &o->out : &o->title) = value;
  return EXIT_DONE;
}

static int take_time(void* into, const char* name, char* value)
{
  animate_options* o = into;
  double time = read_number(value);
  if (isnan(time)) return complain(EXIT_USAGE, "--%s is '%s'; it must be a time in s", name, value);
  *(strcmp(name, "from") ? &o->motion.until : &o->motion.from) = time;
  return EXIT_DONE;
}

static int take_rate(void* into, const char* name, char* value)
{
  animate_options* o = into;
  double rate = read_number(value);
  int fps = !strcmp(name, "fps");
  if (!(rate > 0) || (fps && rate > FPS_MAX))
    return complain(EXIT_USAGE, "--%s is '%s'; it must be a positive number%s", name, value,
                    fps ? ", 120 at most" : "");
  *(fps ? &o->motion.fps : &o->motion.speed) = rate;
  return EXIT_DONE;
}

static int take_frames(void* into, const char* name, char* value)
{
  animate_options* o = into;
  o->motion.frames = read_positive(value);
  if (o->motion.frames > 0) return EXIT_DONE;
  return complain(EXIT_USAGE, "--%s is '%s'; it must be a whole number from 1 on", name, value);
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

static int take_result(void* into, char* word)
{
  animate_options* o = into;
  if (o->result)
    return complain(EXIT_USAGE, "one word too many: '%s' (the result is '%s')", word, o->result);
  o->result = word;
  return EXIT_DONE;
}

static const option options[] = {
    {"out", "FILE", "the file to write, .svg or .html", take_text},
    {"from", "T", "leave out what is before [s]", take_time},
    {"until", "T", "leave out what is after [s]", take_time},
    {"speed", "X", "of the film: 0.1 is ten times slower than real time (default: 6 s or more)",
     take_rate},
    {"fps", "N", "frames per second of the film (default 25)", take_rate},
    {"frames", "N", "so many frames; 1: a still picture of the start", take_frames},
    {"width", "N", "in pixels (default 800)", take_width},
    {"view", "A,E", "in space: azimuth and elevation of the eye in degrees (default -60,20)",
     take_view},
    {"title", "TEXT", "above the drawing (default: the model's title)", take_text},
};

const option_set animate_option_set = {options, sizeof options / sizeof *options, NULL,
                                       take_result};

static int check_options(animate_options* o)
{
  if (!o->result)
    return complain(EXIT_USAGE,
                    "animate which result? usage: percuss animate RESULT.h5 -o FILM.svg");
  if (!o->out) return complain(EXIT_USAGE, "draw into which file? give -o FILM.svg or FILM.html");
  if (o->motion.from > o->motion.until) return complain(EXIT_USAGE, "--from is after --until");
  const char* dot = strrchr(o->out, '.');
  o->html = dot && !strcasecmp(dot, ".html");
  if (o->html || (dot && !strcasecmp(dot, ".svg"))) return EXIT_DONE;
  if (dot && (!strcasecmp(dot, ".gif") || !strcasecmp(dot, ".mp4") || !strcasecmp(dot, ".webm")))
    return complain(EXIT_USAGE,
                    "-o is '%s'; films are drawings, not pixels: a .svg plays by itself wherever "
                    "a %s does, a .html also stops and seeks",
                    o->out, dot);
  return complain(EXIT_USAGE, "-o is '%s'; a film ends in .svg or .html", o->out);
}

/* ---- the page with a player --------------------------------------------------------------- */

static void put_page_head(const char* title, FILE* to)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>", to);
  put_xml_text(to, title);
  fputs(
      "</title>\n"
      "<style>body{margin:1rem auto;max-width:60rem;padding:0 1rem;background:#F4F4F2;"
      "color:#333;font-family:Helvetica,Arial,sans-serif}"
      "#film{position:relative}#film>svg{display:block;width:100%;height:auto;"
      "max-height:calc(100vh - 6rem)}"
      "#controls{display:flex;gap:1rem;align-items:center;margin-top:1rem}"
      "#time{position:absolute;height:2.5rem;margin:0;opacity:0;cursor:pointer;"
      "-webkit-appearance:none;appearance:none}"
      "#time::-webkit-slider-thumb{-webkit-appearance:none;width:1px;height:2.5rem}"
      "#time::-moz-range-thumb{width:1px;border:0}"
      "button{font-size:1rem;padding:.4rem 1rem;min-width:6rem}</style>\n"
      "</head>\n<body>\n<div id=\"film\">\n",
      to);
}

/* The film's own clock is the only state: the slider reads it and sets it. The slider itself is
 * not seen: it lies on the film's line of time, whose knob and ticks show where it is. */
static void put_page_foot(const motion* m, FILE* to)
{
  fprintf(to,
          "<input id=\"time\" type=\"range\" min=\"0\" max=\"%.6g\" step=\"any\" value=\"0\" "
          "aria-label=\"time\"/></div>\n",
          m->duration);
  fputs(
      "<div id=\"controls\"><button id=\"play\" type=\"button\">Pause</button>"
      "<span>space: play or pause; left, right: a frame; or drag the time</span></div>\n",
      to);
  fprintf(to, "<script>\nconst length = %.6g, frame = %.9g;\n", m->duration,
          m->duration / fmax(1, m->frame_count - 1));
  fputs(
      "const film = document.querySelector('#film > svg'), line = film.querySelector('.time');\n"
      "const play = document.getElementById('play'), time = document.getElementById('time');\n"
      "let runs = true;\n"
      "function set(on) {\n"
      "  runs = on;\n"
      "  play.textContent = on ? 'Pause' : 'Play';\n"
      "  if (on) film.unpauseAnimations(); else film.pauseAnimations();\n"
      "}\n"
      "function show(t) {\n"
      "  set(false);\n"
      "  time.value = Math.max(0, Math.min(t, 0.9999 * length));\n"
      "  film.setCurrentTime(Number(time.value));\n"
      "}\n"
      "play.onclick = () => set(!runs);\n"
      "time.oninput = () => show(Number(time.value));\n"
      "document.onkeydown = key => {\n"
      "  if (key.key === ' ') set(!runs);\n"
      "  else if (key.key === 'ArrowLeft') show(Number(time.value) - frame);\n"
      "  else if (key.key === 'ArrowRight') show(Number(time.value) + frame);\n"
      "  else return;\n"
      "  key.preventDefault();\n"
      "};\n"
      "function lay() {\n"
      "  const on = line.getBoundingClientRect(), from = time.parentNode.getBoundingClientRect();\n"
      "  time.style.left = on.left - from.left + 'px';\n"
      "  time.style.width = on.width + 'px';\n"
      "  time.style.top = on.top - from.top - time.offsetHeight / 2 + 'px';\n"
      "}\n"
      "function follow() {\n"
      "  if (runs) time.value = film.getCurrentTime() % length;\n"
      "  requestAnimationFrame(follow);\n"
      "}\n"
      "if (line) {\n"
      "  window.onresize = lay;\n"
      "  lay();\n"
      "  follow();\n"
      "} else {\n"
      "  document.getElementById('controls').remove();\n"
      "  time.remove();\n"
      "}\n"
      "</script>\n</body>\n</html>\n",
      to);
}

static int write_film(const animate_options* o, const scene* s)
{
  replacement target;
  film_options film = o->film;
  film.title = o->title ? o->title : pc_model_title(s->motion->model);
  int code = refuse_input(o->out, o->result);
  if (code == EXIT_DONE) code = begin_replacement(&target, o->out);
  if (code != EXIT_DONE) return code;
  if (o->html) put_page_head(film.title, target.file);
  code = draw_film(s, &film, target.file);
  if (o->html) put_page_foot(s->motion, target.file);
  if (code == EXIT_DONE) return finish_replacement(&target);
  drop_replacement(&target);
  return code;
}

int animate_command(int argc, char** argv)
{
  animate_options o = {.motion = {NAN, NAN, NAN, NAN, 0},
                       .film = {.width = 800, .azimuth = -60, .elevation = 20}};
  pc_result* result = NULL;
  motion m = {0};
  scene s = {0};
  int code = read_options(&animate_option_set, argc, argv, &o);
  if (code == EXIT_DONE) code = check_options(&o);
  if (code == EXIT_DONE) code = open_result(o.result, &result);
  if (code == EXIT_DONE) code = read_motion(result, &o.motion, &m);
  if (code == EXIT_DONE) code = make_scene(&m, &s);
  if (code == EXIT_DONE) code = write_film(&o, &s);
  release_scene(&s);
  release_motion(&m);
  pc_result_close(result);
  return code;
}
