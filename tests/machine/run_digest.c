/* run_digest [--scheme NAME] [--steps N] [--trace] [--set NAME=VALUE] [--SETTING VALUE] MODEL...
 *
 * Runs each model file under one scheme or all, with settings as `percuss run` has them (--threads
 * 2), and prints a line per run: model, scheme, a digest of every bit of every state (t, q, u,
 * impulses, memory, energies, the balance, rows, outputs, contacts that were found), and how it
 * ended. Two builds that print the same lines have computed the same bits (tools/same-bits). With
 * --trace there is a line per step as well, so that a comparison shows where two builds part. A run
 * goes to the model's end, but takes at most N steps (1000), and fewer of a large system. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "percuss/percuss.h"

enum { STEPS = 1000, SMALL = 12, GIVEN_MAX = 16 };

typedef struct options {
  long steps;
  const char* scheme; /* NULL: all */
  int trace;
  pc_override override[GIVEN_MAX]; /* of parameters */
  pc_given_setting setting[GIVEN_MAX];
  int override_count, setting_count;
} options;

/* FNV-1a of 64 bits, a word at a time. */
typedef uint64_t digest;

static void add_word(digest* d, uint64_t word)
{
  for (int i = 0; i < 64; i += 8) *d = (*d ^ (word >> i & 0xff)) * UINT64_C(0x100000001b3);
}

/* The sign and payload of a NaN are the processor's; that it is one is the run's. */
static void add_numbers(digest* d, long count, const double* x)
{
  for (long i = 0; i < count; i++) {
    uint64_t word;
    memcpy(&word, x + i, sizeof word);
    add_word(d, isnan(x[i]) ? UINT64_MAX : word);
  }
}

static void add_found(digest* d, const pc_found_contacts* found)
{
  add_word(d, (uint64_t)found->count);
  for (int i = 0; i < found->count; i++) {
    const pc_shape_contact* c = found->contact + i;
    add_word(d, (uint64_t)c->key.shape[0]);
    add_word(d, (uint64_t)c->key.shape[1]);
    add_word(d, c->key.feature);
    add_numbers(d, 3, c->P);
    add_numbers(d, 3, c->normal);
    add_numbers(d, 3, c->point);
    add_numbers(d, 1, &c->gap);
    add_numbers(d, 1, &c->velocity_before);
    add_numbers(d, 1, &c->velocity_after);
  }
  add_numbers(d, (long)found->count * found->memory_count, found->memory);
}

typedef struct tally {
  digest bits;
  const char *model, *scheme;
  int trace;
} tally;

static int observe(void* user, const pc_observation* seen)
{
  tally* sum = user;
  digest* d = &sum->bits;
  const pc_state* s = seen->state;
  int rows = pc_system_row_count(seen->system);
  add_numbers(d, 1, &s->t);
  add_numbers(d, pc_system_q_count(seen->system), s->q);
  add_numbers(d, pc_system_u_count(seen->system), s->u);
  add_numbers(d, rows, s->P);
  add_numbers(d, s->memory_count, s->memory);
  add_numbers(d, rows, seen->y);
  add_numbers(d, rows, seen->y_dot);
  add_numbers(d, pc_system_output_count(seen->system), seen->output);
  add_numbers(d, 1, &seen->kinetic);
  add_numbers(d, 1, &seen->potential);
  const double balance[] = {seen->balance.work, seen->balance.impact, seen->balance.friction,
                            seen->balance.scheme, seen->balance.supply};
  add_numbers(d, 5, balance);
  if (seen->found) add_found(d, seen->found);
  if (sum->trace)
    printf("%s %s step %ld %016" PRIx64 "\n", sum->model, sum->scheme, seen->info->step, *d);
  return 1;
}

/* To the end of the run, but at most `most` steps, and fewer of a large system. */
static long steps_of(const pc_model* model, const pc_sim_def* def, long most)
{
  long all = pc_step_count(def->settings.dt, pc_model_until(model));
  long few = most * SMALL / (SMALL + pc_system_u_count(def->system));
  return all >= 0 && all < few ? all : few;
}

static pc_status run(const pc_model* model, const options* o, tally* sum, pc_error* error)
{
  pc_sim_def def = {pc_model_system(model), sum->scheme, pc_model_settings(model)};
  def.settings.frictionless |= !strcmp(sum->scheme, "schatzman-paoli"); /* it refuses friction */
  pc_status status = pc_set_given(&def.settings, sum->scheme, o->setting, o->setting_count, error);
  pc_sim* sim = NULL;
  if (!status) status = pc_sim_create(&def, &sim, error);
  if (!status) status = pc_sim_add_observer(sim, observe, sum, error);
  if (!status) {
    status = pc_sim_run_steps(sim, steps_of(model, &def, o->steps), error);
  }
  pc_sim_destroy(sim);
  return status;
}

/* The file's name without folders and ending, in `name`. */
static void name_model(const char* path, char* name, size_t size)
{
  const char* slash = strrchr(path, '/');
  snprintf(name, size, "%s", slash ? slash + 1 : path);
  char* dot = strrchr(name, '.');
  if (dot) *dot = '\0';
}

static void run_model(const char* path, const options* o)
{
  char name[256];
  name_model(path, name, sizeof name);
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
    if (o->scheme && strcmp(o->scheme, *scheme) != 0) continue;
    pc_error error = {0};
    pc_model* model;
    pc_status status = pc_model_read(path, o->override, o->override_count, &model, &error);
    tally sum = {UINT64_C(0xcbf29ce484222325), name, *scheme, o->trace};
    if (!status) {
      status = run(model, o, &sum, &error);
      pc_model_destroy(model);
    }
    printf("%s %s %016" PRIx64 " %s\n", name, *scheme, sum.bits, status ? error.text : "done");
    fflush(stdout);
  }
}

/* Takes NAME=VALUE apart, in place. */
static int add_override(options* o, char* text)
{
  char* value = strchr(text, '=');
  if (!value || o->override_count == GIVEN_MAX) return 0;
  *value = '\0';
  o->override[o->override_count++] = (pc_override){text, value + 1};
  return 1;
}

static int add_option(options* o, const char* key, char* value)
{
  if (!strcmp(key, "set")) return add_override(o, value);
  if (!strcmp(key, "scheme"))
    o->scheme = value;
  else if (!strcmp(key, "steps"))
    o->steps = strtol(value, NULL, 10);
  else if (o->setting_count < GIVEN_MAX)
    o->setting[o->setting_count++] = (pc_given_setting){key, value};
  else
    return 0;
  return 1;
}

int main(int argc, char** argv)
{
  options o = {.steps = STEPS};
  int i = 1;
  for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
    if (!strcmp(argv[i], "--trace"))
      o.trace = 1;
    else if (i + 1 == argc || !add_option(&o, argv[i] + 2, argv[i + 1])) {
      fprintf(stderr, "run_digest: %s needs a value\n", argv[i]);
      return 2;
    } else
      i++;
  }
  for (; i < argc; i++) run_model(argv[i], &o);
  return 0;
}
