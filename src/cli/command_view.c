/* percuss view: a page that shows results moving. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/film_options.h"
#include "cli/results.h"
#include "console/replace.h"
#include "draw/view.h"

enum { RESULTS_MAX = 8, NAMES_MAX = 64, FPS_MAX = 240 };

typedef struct view_command_options {
  const char* path[RESULTS_MAX];
  int count;
  const char* out;
  int open;
  const char* name[NAMES_MAX];
  view_options view;
} view_command_options;

static int take_text(void* into, const char* name, char* value)
{
  view_command_options* o = into;
  *(strcmp(name, "title") ? &o->out : &o->view.title) = value;
  return EXIT_DONE;
}

static int take_open(void* into, const char* name, char* value)
{
  (void)name;
  (void)value;
  ((view_command_options*)into)->open = 1;
  return EXIT_DONE;
}

static int take_film(void* into, const char* name, char* value)
{
  view_command_options* o = into;
  return take_film_option(&o->view.motion, name, value, FPS_MAX);
}

static int take_names(void* into, const char* name, char* value)
{
  view_command_options* o = into;
  int count =
      split_names(name, value, o->name + o->view.series_count, NAMES_MAX - o->view.series_count);
  if (count < 0) return EXIT_USAGE;
  o->view.series = o->name;
  o->view.series_count += count;
  return EXIT_DONE;
}

static int take_result(void* into, char* word)
{
  view_command_options* o = into;
  if (o->count == RESULTS_MAX)
    return complain(EXIT_USAGE, "%d results at most on one page; '%s' is one more", RESULTS_MAX,
                    word);
  o->path[o->count++] = word;
  return EXIT_DONE;
}

static const option options[] = {
    {"out", "FILE", "the page to write, .html", take_text},
    {"open", NULL, "open it in the browser", take_open},
    {"y", "NAME,...", "the quantities to plot (default: what the model records)", take_names},
    {"from", "T", "start of the film [s]", take_film},
    {"until", "T", "end of the film [s]", take_film},
    {"speed", "X", "initial playback speed: 0.1 is ten times slower than real time", take_film},
    {"fps", "N", "frames per second of the film (default 60)", take_film},
    {"frames", "N", "number of frames", take_film},
    {"title", "TEXT", "title of the page (default: the model's title)", take_text},
};

const option_set view_option_set = {options, sizeof options / sizeof *options, NULL, take_result};

/* Whether all results can be read: a file that is missing is reported first. */
static int try_to_open(const view_command_options* o)
{
  int code = EXIT_DONE;
  for (int i = 0; i < o->count && code == EXIT_DONE; i++) {
    pc_result* result = NULL;
    code = open_result(o->path[i], &result);
    pc_result_close(result);
  }
  return code;
}

static int check_options(const view_command_options* o)
{
  const char* dot = o->out ? strrchr(o->out, '.') : NULL;
  if (o->count == 0)
    return complain(EXIT_USAGE, "view which result? usage: percuss view RESULT.h5 -o VIEW.html");
  if (!o->out) {
    int code = try_to_open(o);
    return code != EXIT_DONE ? code
                             : complain(EXIT_USAGE, "write into which file? give -o VIEW.html");
  }
  if (!dot || (strcasecmp(dot, ".html") != 0 && strcasecmp(dot, ".htm") != 0))
    return complain(EXIT_USAGE, "-o is '%s'; a page ends in .html", o->out);
  if (o->view.motion.from > o->view.motion.until)
    return complain(EXIT_USAGE, "--from is after --until");
  for (int i = 0; i < o->count; i++) {
    int code = refuse_input(o->out, o->path[i]);
    if (code != EXIT_DONE) return code;
  }
  return EXIT_DONE;
}

static int write_page(const view_command_options* o, pc_result* const* result)
{
  replacement target;
  pc_error error = {0};
  int code = begin_replacement(&target, o->out);
  if (code != EXIT_DONE) return code;
  pc_status status =
      draw_view((const pc_result* const*)result, o->count, &o->view, target.file, &error);
  return end_replacement(&target, report(status, &error));
}

/* The desktop's browser, in place of this program: there is nothing left to do. */
static int open_browser(const char* path)
{
  execlp("xdg-open", "xdg-open", path, (char*)NULL);
  return complain(EXIT_FAILED, "'%s' is written, but there is no xdg-open to show it", path);
}

int view_command(int argc, char** argv)
{
  view_command_options o = {.view.motion = {NAN, NAN, 60, NAN, 0, 0}};
  pc_result* result[RESULTS_MAX] = {NULL};
  int code = read_options(&view_option_set, argc, argv, &o);
  if (code == EXIT_DONE) code = check_options(&o);
  for (int i = 0; code == EXIT_DONE && i < o.count; i++) code = open_result(o.path[i], &result[i]);
  if (code == EXIT_DONE) code = write_page(&o, result);
  for (int i = 0; i < o.count; i++) pc_result_close(result[i]);
  return code == EXIT_DONE && o.open ? open_browser(o.out) : code;
}
