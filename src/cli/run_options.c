#include "cli/run_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static int take_scheme(void* into, const char* name, char* value)
{
  (void)name;
  run_options* o = into;
  o->scheme = value;
  return EXIT_DONE;
}

static int take_until(void* into, const char* name, char* value)
{
  (void)name;
  run_options* o = into;
  char* end;
  o->until = strtod(value, &end);
  if (end == value || *end || !isfinite(o->until) || o->until < 0)
    return complain(EXIT_USAGE, "--until is '%s'; it must be a time in s, not negative", value);
  return EXIT_DONE;
}

static int take_set(void* into, const char* name, char* value)
{
  (void)name;
  run_options* o = into;
  char* equals = strchr(value, '=');
  if (!equals || equals == value || !equals[1])
    return complain(EXIT_USAGE, "--set takes NAME=VALUE, not '%s'", value);
  if (o->override_count == GIVEN_MAX)
    return complain(EXIT_USAGE, "more than %d times --set", GIVEN_MAX);
  *equals = '\0';
  o->override[o->override_count++] = (pc_override){value, equals + 1};
  return EXIT_DONE;
}

static int take_out(void* into, const char* name, char* value)
{
  (void)name;
  run_options* o = into;
  o->out = value;
  return EXIT_DONE;
}

static int take_resume(void* into, const char* name, char* value)
{
  (void)name;
  run_options* o = into;
  o->resume = value;
  return EXIT_DONE;
}

static int take_every(void* into, const char* name, char* value)
{
  (void)name;
  run_options* o = into;
  char* end;
  o->every = strtol(value, &end, 10);
  if (end == value || *end || o->every < 1)
    return complain(EXIT_USAGE, "--every is '%s'; it must be a whole number from 1 on", value);
  return EXIT_DONE;
}

static int take_record(void* into, const char* name, char* value)
{
  (void)name;
  run_options* o = into;
  char* rest = NULL;
  for (char* word = strtok_r(value, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    if (o->record_count == GIVEN_MAX)
      return complain(EXIT_USAGE, "--record: more than %d quantities", GIVEN_MAX);
    o->record[o->record_count++] = word;
  }
  return EXIT_DONE;
}

static int take_threads(void* into, const char* name, char* value)
{
  (void)name;
  run_options* o = into;
  char* end;
  long threads = strtol(value, &end, 10);
  if (end == value || *end || threads < 1 || threads > 4096)
    return complain(EXIT_USAGE, "--threads is '%s'; it must be a whole number from 1 to 4096",
                    value);
  o->threads = (int)threads;
  return EXIT_DONE;
}

static int take_quiet(void* into, const char* name, char* value)
{
  (void)name;
  run_options* o = into;
  (void)value;
  o->quiet = 1;
  return EXIT_DONE;
}

static int take_force(void* into, const char* name, char* value)
{
  (void)name;
  run_options* o = into;
  (void)value;
  o->force = 1;
  return EXIT_DONE;
}

static int take_json(void* into, const char* name, char* value)
{
  (void)name;
  run_options* o = into;
  (void)value;
  o->json = 1;
  return EXIT_DONE;
}

static int take_full(void* into, const char* name, char* value)
{
  (void)name;
  (void)value;
  ((run_options*)into)->full = 1;
  return EXIT_DONE;
}

static int take_strict(void* into, const char* name, char* value)
{
  (void)name;
  (void)value;
  ((run_options*)into)->strict = 1;
  return EXIT_DONE;
}

int take_run_setting(void* into, const char* name, char* value)
{
  run_options* o = into;
  if (o->setting_count == GIVEN_MAX) return complain(EXIT_USAGE, "too many options");
  o->setting[o->setting_count++] = (pc_given_setting){name, value};
  return EXIT_DONE;
}

int take_run_model(void* into, char* word)
{
  run_options* o = into;
  if (o->model)
    return complain(EXIT_USAGE, "one word too many: '%s' (the model is '%s')", word, o->model);
  o->model = word;
  return EXIT_DONE;
}

static const option options[] = {
    {"scheme", "NAME", "time-stepping scheme; see 'percuss list schemes'", take_scheme},
    {"until", "T", "end time [s]", take_until},
    {"set", "NAME=VALUE", "change a parameter of the model; repeatable", take_set},
    {"out", "FILE.h5", "record the run in an HDF5 file", take_out},
    {"force", NULL, "replace FILE.h5 even if it is not a result of percuss", take_force},
    {"record", "NAME,...", "further quantities to record, such as rod.ax or pin.lambda.1",
     take_record},
    {"every", "N", "record every N-th step (default 1)", take_every},
    {"resume", "FILE.h5",
     "continue the run recorded in this file, with the options it was recorded with", take_resume},
    {"threads", "N",
     "threads for contacts between shapes (default 1); the result does not depend on it",
     take_threads},
    {"full", NULL, "print all keys of the summary, one per line", take_full},
    {"json", NULL, "print the summary as one JSON object", take_json},
    {"strict", NULL, "exit code 1 if the result is doubtful", take_strict},
    {"quiet", NULL, "no progress on the terminal", take_quiet},
};

const option_set run_option_set = {options, sizeof options / sizeof *options, take_run_setting,
                                   take_run_model};

int take_run_option(void* into, const char* name, char* value)
{
  for (int i = 0; i < run_option_set.count; i++)
    if (!strcmp(options[i].name, name)) return options[i].take(into, name, value);
  return complain(EXIT_USAGE, "there is no option '--%s'", name);
}

int read_run_options(int argc, char** argv, run_options* o)
{
  *o = (run_options){.until = NAN, .every = 1};
  int code = read_options(&run_option_set, argc, argv, o);
  if (code != EXIT_DONE) return code;
  if (!o->model) return complain(EXIT_USAGE, "run which model? usage: percuss run MODEL [options]");
  if (o->out && o->resume)
    return complain(
        EXIT_USAGE,
        "--resume and --out exclude each other: a resumed run continues in its own file");
  return EXIT_DONE;
}
