/* percuss check: what can be said about a model before it runs. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "study/models.h"
#include "study/output.h"

enum { SET_MAX = 64, LIST_MAX = 200 }; /* longer lists of joints or contacts are not printed */

typedef struct check {
  const char* name; /* the MODEL argument */
  pc_override override[SET_MAX];
  int override_count;
  int json;
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

static int take_model(void* into, char* word)
{
  check* c = into;
  if (c->name)
    return complain(EXIT_USAGE, "one word too many: '%s' (the model is '%s')", word, c->name);
  c->name = word;
  return EXIT_DONE;
}

static const option options[] = {
    {"set", "NAME=VALUE", "another value for a parameter of the model; repeatable", take_set},
    {"json", NULL, "the report as one JSON object", take_json},
};

const option_set check_option_set = {options, sizeof options / sizeof *options, NULL, take_model};

static int read_model(check* c)
{
  pc_error error = {0};
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

/* ---- the report as keys ---------------------------------------------------------------------- */

/* prefix.name.what; what is too long for a line is cut. */
static const char* key_of(char* key, size_t size, const char* prefix, const char* name,
                          const char* what)
{
  snprintf(key, size, "%s.%s.%s", prefix, name, what);
  return key;
}

static void put_freedom(const pc_check_report* r, output* out)
{
  output_count(out, "coordinates", r->q_count);
  output_count(out, "velocities", r->u_count);
  output_count(out, "constraints.position", r->g_count);
  output_count(out, "constraints.velocity", r->gamma_count);
  output_count(out, "constraints.rank", r->rank);
  output_count(out, "dof", r->dof);
  char key[256];
  for (int i = 0; i < r->joint_count; i++)
    if (r->joint[i].redundant_rows) {
      snprintf(key, sizeof key, "redundant.%s", r->joint[i].name);
      output_count(out, key, r->joint[i].redundant_rows);
    }
  output_count(out, "contacts.count", r->contact_count);
  output_count(out, "contacts.closed", r->closed_count);
}

/* A violation, and who has it. */
static void put_worst(output* out, const char* level, const char* of, double value,
                      const char* name)
{
  char key[64];
  snprintf(key, sizeof key, "%s.max", level);
  output_number(out, key, value);
  snprintf(key, sizeof key, "%s.%s", level, of);
  if (*name) output_text(out, key, name);
}

static void put_consistency(const pc_check_report* r, output* out)
{
  put_worst(out, "position", "joint", r->position_max, r->position_joint);
  put_worst(out, "penetration", "contact", r->penetration_max, r->penetration_contact);
  put_worst(out, "velocity", "joint", r->velocity_max, r->velocity_joint);
  output_count(out, "velocity.impacts", r->impact_count);
  output_text(out, "acceleration.solved", r->acceleration_solved ? "yes" : "no");
  put_worst(out, "acceleration", "of", r->acceleration_max, r->acceleration_of);
  output_number(out, "acceleration.constraint", r->acceleration_constraint);
  output_number(out, "acceleration.contact", r->acceleration_contact);
}

/* The consistent start: u' of every velocity. */
static void put_accelerations(const check* c, output* out)
{
  const pc_system* system = pc_model_system(c->model);
  const pc_check_report* r = &c->report;
  if (!r->acceleration_solved || r->u_count > LIST_MAX) return;
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    pc_quantity x = pc_system_quantity(system, i);
    char key[256];
    if (x.kind != PC_QUANTITY_U) continue;
    snprintf(key, sizeof key, "acceleration.%s", x.name);
    output_number(out, key, r->acceleration[x.index] + 0.0); /* no -0 */
  }
}

static void put_joints(const pc_check_report* r, output* out)
{
  char key[256];
  for (int i = 0; r->joint_count <= LIST_MAX && i < r->joint_count; i++) {
    const pc_check_joint* joint = &r->joint[i];
    output_number(out, key_of(key, sizeof key, "joint", joint->name, "position"), joint->position);
    output_number(out, key_of(key, sizeof key, "joint", joint->name, "velocity"), joint->velocity);
    output_number(out, key_of(key, sizeof key, "joint", joint->name, "force"), joint->force);
  }
}

/* Every contact with its state and gap, a closed one with its forces. */
static void put_contacts(const pc_check_report* r, output* out)
{
  char key[256];
  for (int i = 0; r->contact_count <= LIST_MAX && i < r->contact_count; i++) {
    const pc_check_contact* c = &r->contact[i];
    output_text(out, key_of(key, sizeof key, "contact", c->name, "state"), c->state);
    output_number(out, key_of(key, sizeof key, "contact", c->name, "gap"), c->gap);
    output_number(out, key_of(key, sizeof key, "contact", c->name, "gap_velocity"),
                  c->gap_velocity);
    if (!c->closed) continue;
    output_number(out, key_of(key, sizeof key, "contact", c->name, "force.normal"),
                  c->force_normal + 0.0);
    for (int d = 0; d < c->dimension; d++) {
      char what[32] = "force.tangent";
      if (c->dimension > 1) snprintf(what, sizeof what, "force.tangent.%d", d + 1);
      output_number(out, key_of(key, sizeof key, "contact", c->name, what),
                    c->force_tangent[d] + 0.0);
    }
  }
}

static void put_dt(const check* c, output* out)
{
  const pc_check_report* r = &c->report;
  output_number(out, "dt.estimate", r->dt);
  output_text(out, "dt.decided_by", *r->dt_reason ? r->dt_reason : "nothing: no time scale found");
  output_number(out, "dt.vibration", r->dt_vibration);
  output_number(out, "dt.rotation", r->dt_rotation);
  output_number(out, "dt.closing", r->dt_closing);
  output_number(out, "dt.explicit", r->dt_explicit);
  output_number(out, "dt.model", pc_model_settings(c->model).dt);
  output_number(out, "rate.max", r->rate_max);
}

/* As keys in JSON, as lines of their own in text. */
static void put_warnings(const check* c, output* out)
{
  output_count(out, "warnings.count", c->report.warning_count);
  for (int i = 0; c->json && i < c->report.warning_count; i++) {
    char key[64];
    snprintf(key, sizeof key, "warnings.%d.text", i + 1);
    output_text(out, key, c->report.warning[i].text);
    snprintf(key, sizeof key, "warnings.%d.remedy", i + 1);
    output_text(out, key, c->report.warning[i].remedy);
  }
}

static int print_report(const check* c)
{
  output out = {0};
  output_text(&out, "model", c->path);
  if (*pc_model_title(c->model)) output_text(&out, "title", pc_model_title(c->model));
  output_text(&out, "status", c->report.consistent ? "consistent" : "inconsistent");
  put_freedom(&c->report, &out);
  put_consistency(&c->report, &out);
  put_accelerations(c, &out);
  put_joints(&c->report, &out);
  put_contacts(&c->report, &out);
  put_dt(c, &out);
  put_warnings(c, &out);
  if (c->json) {
    output_print_json(&out, stdout);
  } else {
    output_print_lines(&out, stdout);
    for (int i = 0; i < c->report.warning_count; i++)
      printf("warning: %s; %s\n", c->report.warning[i].text, c->report.warning[i].remedy);
  }
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
  if (code == EXIT_DONE) code = examine(&c);
  if (code == EXIT_DONE) code = print_report(&c);
  pc_check_free(&c.report);
  pc_model_destroy(c.model);
  return code;
}
