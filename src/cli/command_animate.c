/* percuss animate: the mechanism of a result, moving. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/animate/film.h"
#include "cli/cli.h"
#include "cli/replace.h"
#include "cli/results.h"

enum { SETS_MAX = 64, FRAMES_MAX = 10000 };

typedef struct animate {
  const char* result;
  const char* out;
  double from, to; /* NAN: not given */
  double duration;
  int frames;
} animate;

static int take_out(void* into, const char* name, char* value)
{
  (void)name;
  ((animate*)into)->out = value;
  return EXIT_DONE;
}

static int read_time(const char* name, const char* text, double least, double* value)
{
  char* end;
  *value = strtod(text, &end);
  if (end != text && !*end && isfinite(*value) && *value >= least) return EXIT_DONE;
  return complain(EXIT_USAGE, "--%s is '%s'; it must be a time in s, at least %g", name, text,
                  least);
}

static int take_from(void* into, const char* name, char* value)
{
  return read_time(name, value, 0, &((animate*)into)->from);
}

static int take_to(void* into, const char* name, char* value)
{
  return read_time(name, value, 0, &((animate*)into)->to);
}

static int take_duration(void* into, const char* name, char* value)
{
  return read_time(name, value, 0.1, &((animate*)into)->duration);
}

static int take_frames(void* into, const char* name, char* value)
{
  long frames = read_positive(value);
  if (frames < 2 || frames > FRAMES_MAX)
    return complain(EXIT_USAGE, "--%s is '%s'; it must be a whole number from 2 to %d", name, value,
                    FRAMES_MAX);
  ((animate*)into)->frames = (int)frames;
  return EXIT_DONE;
}

static int take_result(void* into, char* word)
{
  animate* a = into;
  if (a->result)
    return complain(EXIT_USAGE, "one word too many: '%s' (the result is '%s')", word, a->result);
  a->result = word;
  return EXIT_DONE;
}

static const option options[] = {
    {"out", "FILE.svg|html", "the film: a picture that moves, or a page with a player", take_out},
    {"from", "T", "begin at this time [s]", take_from},
    {"to", "T", "end at this time [s]", take_to},
    {"duration", "S", "length of the film [s] (default 8)", take_duration},
    {"frames", "N", "number of frames (default 200)", take_frames},
};

const option_set animate_option_set = {options, sizeof options / sizeof *options, NULL,
                                       take_result};

static int ends_in(const char* path, const char* ending)
{
  const char* dot = strrchr(path, '.');
  return dot && !strcasecmp(dot, ending);
}

static int read_animate_options(int argc, char** argv, animate* a)
{
  *a = (animate){.from = NAN, .to = NAN, .duration = 8, .frames = 200};
  int code = read_options(&animate_option_set, argc, argv, a);
  if (code != EXIT_DONE) return code;
  if (!a->result || !a->out)
    return complain(EXIT_USAGE, "usage: percuss animate RESULT.h5 -o FILE.svg|html [options]");
  if (ends_in(a->out, ".svg") || ends_in(a->out, ".html")) return EXIT_DONE;
  return complain(EXIT_USAGE, "-o is '%s'; a film ends in .svg or .html", a->out);
}

/* The parameters that were set for the run: lines set:NAME=VALUE. `text` is cut at line ends. */
static int find_sets(char* text, pc_override* set)
{
  int count = 0;
  for (char *rest = text, *line; (line = strtok_r(rest, "\n", &rest)) && count < SETS_MAX;) {
    char* equals = strchr(line, '=');
    if (strncmp(line, "set:", 4) != 0 || !equals) continue;
    *equals = '\0';
    set[count++] = (pc_override){line + 4, equals + 1};
  }
  return count;
}

/* The model that the result was made from. */
static int read_model(const pc_result* r, pc_model** model)
{
  pc_override set[SETS_MAX];
  pc_error error = {0};
  const char* text = pc_result_model(r);
  char* options_text = strdup(pc_result_options(r));
  if (!options_text) return complain(EXIT_FAILED, "no memory");
  int count = find_sets(options_text, set);
  pc_status status = pc_model_read_text(text, strlen(text), set, count, model, &error);
  free(options_text);
  if (status == PC_OK) return EXIT_DONE;
  return complain(EXIT_MODEL, "the model in '%s' cannot be read: %s", pc_result_path(r),
                  error.text);
}

static int write_film(const animate* a, const scene* s)
{
  replacement target;
  int code = begin_replacement(&target, a->out);
  if (code != EXIT_DONE) return code;
  if (ends_in(a->out, ".svg"))
    write_svg(s, a->duration, target.file);
  else
    write_html(s, a->duration, target.file);
  return finish_replacement(&target);
}

int animate_command(int argc, char** argv)
{
  animate a;
  pc_result* result = NULL;
  pc_model* model = NULL;
  scene s = {0};
  int code = read_animate_options(argc, argv, &a);
  if (code == EXIT_DONE) code = open_result(a.result, &result);
  if (code == EXIT_DONE) code = read_model(result, &model);
  if (code == EXIT_DONE) code = choose_frames(&s.frames, result, a.from, a.to, a.frames);
  if (code == EXIT_DONE) code = build_scene(&s, model);
  if (code == EXIT_DONE) code = write_film(&a, &s);
  free_scene(&s);
  pc_model_destroy(model);
  pc_result_close(result);
  return code;
}
