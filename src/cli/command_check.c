/* percuss check: what can be said about a model before it runs. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check_assemble.h"
#include "cli/cli.h"
#include "cli/run_setup.h"
#include "study/check_report.h"
#include "study/models.h"

enum { SET_MAX = 64 };

typedef struct check {
  const char* name; /* the MODEL argument */
  pc_override override[SET_MAX];
  int override_count;
  int json;
  int assemble;
  int full;
  char path[PATH_MAX];
  pc_model* model;
  pc_check_report report;
} check;

static int take_set(void* into, const char* name, char* value)
{
  (void)name;
  check* c = into;
  char* equals = strchr(value, '=');
  if (!equals || equals == value || !equals[1])
    return complain(EXIT_USAGE, "--set takes NAME=VALUE, not '%s'", value);
  if (c->override_count == SET_MAX)
    return complain(EXIT_USAGE, "more than %d times --set", SET_MAX);
  *equals = '\0';
  c->override[c->override_count++] = (pc_override){value, equals + 1};
  return EXIT_DONE;
}

static int take_json(void* into, const char* name, char* value)
{
  (void)name;
  (void)value;
  check* c = into;
  c->json = 1;
  return EXIT_DONE;
}

static int take_assemble(void* into, const char* name, char* value)
{
  (void)name;
  (void)value;
  ((check*)into)->assemble = 1;
  return EXIT_DONE;
}

static int take_full(void* into, const char* name, char* value)
{
  (void)name;
  (void)value;
  ((check*)into)->full = 1;
  return EXIT_DONE;
}

static int take_model(void* into, char* word)
{
  check* c = into;
  if (c->name)
    return complain(EXIT_USAGE, "one word too many: '%s' (the model is '%s')", word, c->name);
  c->name = word;
  return EXIT_DONE;
}

static const option options[] = {
    {"set", "NAME=VALUE", "change a parameter of the model; repeatable", take_set},
    {"assemble", NULL,
     "adjust the initial values to joints, drives and contacts, and show the changes",
     take_assemble},
    {"full", NULL, "print all keys of the report, one per line", take_full},
    {"json", NULL, "print the report as one JSON object", take_json},
};

const option_set check_option_set = {options, sizeof options / sizeof *options, NULL, take_model};

static int read_model(check* c)
{
  pc_error error = {0};
  int code = refuse_unknown_model(c->name);
  if (code != EXIT_DONE) return code;
  model_path(c->name, c->path, sizeof c->path);
  pc_status status = pc_model_read(c->path, c->override, c->override_count, &c->model, &error);
  if (status == PC_OK) return EXIT_DONE;
  if (status == PC_BAD_MODEL && error.line > 0)
    return complain(EXIT_MODEL, "%s:%d:%d: %s", c->path, error.line, error.column, error.text);
  if (status == PC_BAD_MODEL) return complain(EXIT_MODEL, "%s: %s", c->path, error.text);
  return complain(exit_code(status), "%s", error.text);
}

static int examine(check* c)
{
  pc_error error = {0};
  pc_scheme_settings settings = pc_model_settings(c->model);
  pc_status status =
      pc_check(pc_model_system(c->model), &settings, pc_model_until(c->model), &c->report, &error);
  if (status == PC_OK) return EXIT_DONE;
  /* what has no mass is a fault of the model, as in `run` */
  int code = status == PC_SINGULAR ? EXIT_MODEL : exit_code(status);
  return complain(code, "%s: %s", c->path, error.text);
}

static int print_report(const check* c)
{
  output out = {0};
  check_report report = {c->path, c->name, c->model, &c->report};
  if (c->json || c->full) put_check_report(&report, &out);
  if (c->json)
    output_print_json(&out, stdout);
  else if (c->full)
    output_print_lines(&out, stdout);
  else
    print_check_digest(&report, stdout);
  int failed = out.failed;
  output_free(&out);
  if (failed) return complain(EXIT_FAILED, "out of memory");
  int code = flush_output();
  return code == EXIT_DONE && !c->report.consistent ? EXIT_FAILED : code;
}

int check_command(int argc, char** argv)
{
  check c = {0};
  int code = read_options(&check_option_set, argc, argv, &c);
  if (code == EXIT_DONE && !c.name)
    code = complain(EXIT_USAGE, "check which model? usage: percuss check MODEL [options]");
  if (code == EXIT_DONE) code = read_model(&c);
  if (code == EXIT_DONE && c.assemble) {
    code = show_assembly(c.model, c.path, c.json);
  } else {
    if (code == EXIT_DONE) code = examine(&c);
    if (code == EXIT_DONE) code = print_report(&c);
  }
  pc_check_free(&c.report);
  pc_model_destroy(c.model);
  return code;
}
