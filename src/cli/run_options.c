#include "run_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct option {
  const char* name;
  const char* value; /* NULL: it takes none */
  int (*take)(run_options* options, char* value);
  const char* help;
} option;

static int take_scheme(run_options* o, char* value)
{
  o->scheme = value;
  return EXIT_DONE;
}

static int take_until(run_options* o, char* value)
{
  char* end;
  o->until = strtod(value, &end);
  if (end == value || *end || !isfinite(o->until) || o->until < 0)
    return complain(EXIT_USAGE, "--until is '%s'; it must be a time in s, not negative", value);
  return EXIT_DONE;
}

static int take_set(run_options* o, char* value)
{
  char* equals = strchr(value, '=');
  if (!equals || equals == value || !equals[1])
    return complain(EXIT_USAGE, "--set takes NAME=VALUE, not '%s'", value);
  if (o->override_count == GIVEN_MAX)
    return complain(EXIT_USAGE, "more than %d times --set", GIVEN_MAX);
  *equals = '\0';
  o->override[o->override_count++] = (pc_override){value, equals + 1};
  return EXIT_DONE;
}

static int take_out(run_options* o, char* value)
{
  o->out = value;
  return EXIT_DONE;
}

static int take_every(run_options* o, char* value)
{
  char* end;
  o->every = strtol(value, &end, 10);
  if (end == value || *end || o->every < 1)
    return complain(EXIT_USAGE, "--every is '%s'; it must be a whole number from 1 on", value);
  return EXIT_DONE;
}

static int take_threads(run_options* o, char* value)
{
  (void)o; /* one run is one thread, whatever is allowed */
  char* end;
  long threads = strtol(value, &end, 10);
  if (end == value || *end || threads < 1 || threads > 4096)
    return complain(EXIT_USAGE, "--threads is '%s'; it must be a whole number from 1 on", value);
  return EXIT_DONE;
}

static int take_quiet(run_options* o, char* value)
{
  (void)value;
  o->quiet = 1;
  return EXIT_DONE;
}

static int take_json(run_options* o, char* value)
{
  (void)value;
  o->json = 1;
  return EXIT_DONE;
}

static const option options[] = {
    {"scheme", "NAME", take_scheme, "time-stepping scheme; see 'percuss list schemes'"},
    {"until", "T", take_until, "end time [s]"},
    {"set", "NAME=VALUE", take_set, "another value for a parameter of the model; repeatable"},
    {"out", "FILE.h5", take_out, "record the run in an HDF5 file"},
    {"every", "N", take_every, "record each N-th step (default 1)"},
    {"threads", "N", take_threads,
     "threads that may be used: a single run uses one, and its bits never depend on this"},
    {"json", NULL, take_json, "the summary as one JSON object"},
    {"quiet", NULL, take_quiet, "no progress on the terminal"},
};

enum { OPTION_COUNT = sizeof options / sizeof *options };

static const option* find_option(const char* name)
{
  for (int i = 0; i < OPTION_COUNT; i++)
    if (!strcmp(options[i].name, name)) return &options[i];
  return NULL;
}

static int is_setting(const char* name)
{
  for (int i = 0; i < pc_setting_count(); i++)
    if (!strcmp(pc_setting_at(i).key, name)) return 1;
  return 0;
}

/* All names that may stand behind "--", for suggestions. */
static const char* option_name(int index)
{
  return index < OPTION_COUNT ? options[index].name : pc_setting_at(index - OPTION_COUNT).key;
}

void print_run_options(void)
{
  for (int i = 0; i < OPTION_COUNT; i++) {
    char left[64];
    snprintf(left, sizeof left, "--%s %s", options[i].name,
             options[i].value ? options[i].value : "");
    printf("  %-34s %s\n", left, options[i].help);
  }
  for (int i = 0; i < pc_setting_count(); i++) {
    pc_setting s = pc_setting_at(i);
    char left[80];
    snprintf(left, sizeof left, "--%s %s", s.key, s.values);
    printf("  %-34s %s%s%s%s\n", left, s.help, *s.schemes ? " (" : "", s.schemes,
           *s.schemes ? ")" : "");
  }
}

/* Takes the value of an option: behind '=' or as the next word. NULL if there is none. */
static char* next_value(int argc, char** argv, int* i, char* behind)
{
  if (behind) return behind;
  return *i + 1 < argc ? argv[++*i] : NULL;
}

static int take_option(int argc, char** argv, int* i, run_options* o)
{
  char* name = argv[*i] + 2;
  char* behind = strchr(name, '=');
  if (behind) *behind++ = '\0';
  const option* known = find_option(name);
  if (!known && !is_setting(name))
    return complain(EXIT_USAGE, "there is no option '--%s'%s; see 'percuss help run'", name,
                    did_you_mean(name, OPTION_COUNT + pc_setting_count(), option_name));
  if (known && !known->value) {
    if (behind) return complain(EXIT_USAGE, "--%s takes no value", name);
    return known->take(o, NULL);
  }
  char* value = next_value(argc, argv, i, behind);
  if (!value) return complain(EXIT_USAGE, "--%s needs a value", name);
  if (known) return known->take(o, value);
  if (o->setting_count == GIVEN_MAX) return complain(EXIT_USAGE, "too many options");
  o->setting[o->setting_count++] = (given_setting){name, value};
  return EXIT_DONE;
}

int read_run_options(int argc, char** argv, run_options* o)
{
  *o = (run_options){.until = NAN, .every = 1};
  for (int i = 1; i < argc; i++) {
    if (!strncmp(argv[i], "--", 2) && argv[i][2]) {
      int code = take_option(argc, argv, &i, o);
      if (code != EXIT_DONE) return code;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return complain(EXIT_USAGE, "there is no option '%s'; see 'percuss help run'", argv[i]);
    } else if (o->model) {
      return complain(EXIT_USAGE, "one word too many: '%s' (the model is '%s')", argv[i], o->model);
    } else {
      o->model = argv[i];
    }
  }
  if (!o->model) return complain(EXIT_USAGE, "run which model? usage: percuss run MODEL [options]");
  return EXIT_DONE;
}
