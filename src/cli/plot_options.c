#include "cli/plot_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/results.h"
#include "cli/run_setup.h"

enum { SIZE_MIN = 200, SIZE_MAX_PIXELS = 8000 };

static int take_x(void* into, const char* name, char* value)
{
  (void)name;
  ((plot_options*)into)->figure.x = value;
  return EXIT_DONE;
}

static int take_y(void* into, const char* name, char* value)
{
  result_figure_def* o = &((plot_options*)into)->figure;
  if (o->panel_count == PANELS_MAX)
    return complain(EXIT_USAGE, "more than %d panels (--y)", PANELS_MAX);
  int count = split_names(name, value, o->panel[o->panel_count].name, NAMES_MAX);
  if (count < 0) return EXIT_USAGE;
  o->panel[o->panel_count++].count = count;
  return EXIT_DONE;
}

static int take_out(void* into, const char* name, char* value)
{
  (void)name;
  ((plot_options*)into)->out = value;
  return EXIT_DONE;
}

static int take_title(void* into, const char* name, char* value)
{
  (void)name;
  ((plot_options*)into)->figure.title = value;
  return EXIT_DONE;
}

static int take_size(void* into, const char* name, char* value)
{
  (void)name;
  result_figure_def* o = &((plot_options*)into)->figure;
  char rest;
  if (sscanf(value, "%5dx%5d%c", &o->width, &o->height, &rest) == 2 && o->width >= SIZE_MIN &&
      o->width <= SIZE_MAX_PIXELS && o->height >= SIZE_MIN && o->height <= SIZE_MAX_PIXELS)
    return EXIT_DONE;
  return complain(EXIT_USAGE, "--size is '%s'; it must be WIDTHxHEIGHT, each %d to %d pixels",
                  value, SIZE_MIN, SIZE_MAX_PIXELS);
}

/* --from, --until and its old name, --to */
static int take_time(void* into, const char* name, char* value)
{
  result_figure_def* o = &((plot_options*)into)->figure;
  char* end;
  double time = strtod(value, &end);
  if (end == value || *end || !isfinite(time))
    return complain(EXIT_USAGE, "--%s is '%s'; it must be a time in s", name, value);
  *(!strcmp(name, "from") ? &o->from : &o->until) = time;
  return EXIT_DONE;
}

/* --impacts, --no-impacts */
static int take_impacts(void* into, const char* name, char* value)
{
  (void)value;
  ((plot_options*)into)->figure.impacts = !strcmp(name, "impacts");
  return EXIT_DONE;
}

static int take_histogram(void* into, const char* name, char* value)
{
  (void)name;
  (void)value;
  ((plot_options*)into)->histogram = 1;
  return EXIT_DONE;
}

static int take_map(void* into, const char* name, char* value)
{
  (void)name;
  ((plot_options*)into)->map = value;
  return EXIT_DONE;
}

static int take_list(void* into, const char* name, char* value)
{
  (void)name;
  (void)value;
  ((plot_options*)into)->list = 1;
  return EXIT_DONE;
}

static int take_result(void* into, char* word)
{
  plot_options* o = into;
  if (o->path_count == RESULTS_MAX)
    return complain(EXIT_USAGE, "more than %d results", RESULTS_MAX);
  o->path[o->path_count++] = word;
  return EXIT_DONE;
}

static const option options[] = {
    {"y", "NAME,...", "a panel with these quantities; repeatable", take_y},
    {"x", "NAME", "horizontal axis (default: time, or the first column of a table)", take_x},
    {"out", "FIGURE", "the file to write, .png or .svg", take_out},
    {"list", NULL, "list the quantities that can be drawn, with units, and draw nothing",
     take_list},
    {"from", "T", "start of the figure [s]", take_time},
    {"until", "T", "end of the figure [s]", take_time},
    {"to", "T", "the same as --until", take_time},
    {"title", "TEXT", "title above the figure (default: the model's title)", take_title},
    {"size", "WxH", "size in pixels (default: 1200 wide, height by the number of panels)",
     take_size},
    {"histogram", NULL, "distribution of the values of --y in a table", take_histogram},
    {"map", "NAME", "--y as colour over --x and this column of a table", take_map},
    {"impacts", NULL, "mark all impacts", take_impacts},
    {"no-impacts", NULL, "mark no impacts", take_impacts},
};

const option_set plot_option_set = {options, sizeof options / sizeof *options, NULL, take_result};

int read_plot_options(int argc, char** argv, plot_options* o)
{
  *o = (plot_options){.figure = {.from = NAN, .until = NAN, .impacts = -1}};
  int code = read_options(&plot_option_set, argc, argv, o);
  if (code != EXIT_DONE) return code;
  if (o->path_count == 0)
    return complain(EXIT_USAGE,
                    "plot which result? usage: percuss plot RESULT.h5 --y NAME -o FIGURE.png");
  if (o->list) return EXIT_DONE;
  if (o->figure.panel_count == 0)
    return complain(EXIT_USAGE,
                    "draw what? give --y NAME; 'percuss plot %s --list' shows the names",
                    o->path[0]);
  if (o->figure.from > o->figure.until) return complain(EXIT_USAGE, "--from is after --until");
  if (!o->out)
    return complain(EXIT_USAGE, "draw into which file? give -o FIGURE.png or FIGURE.svg");
  o->figure.svg = is_svg(o->out);
  return check_figure(o->out);
}
