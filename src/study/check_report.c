#include "study/check_report.h"

#include <math.h>
#include <string.h>

#include "study/lines.h"
#include "study/unit_text.h"

enum {
  LIST_MAX = 200,  /* longer lists of joints or contacts are not printed */
  CONTACTS_MAX = 4 /* in the digest */
};

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

/* Shapes, and those that overlap, the deepest first. */
static void put_shapes(const check_report* c, output* out)
{
  const pc_system* system = pc_model_system(c->model);
  const pc_check_found* f = &c->report->found;
  if (f->shape_count == 0) return;
  output_count(out, "found.shapes", f->shape_count);
  output_count(out, "found.pairs", f->pair_count);
  output_count(out, "found.closed", f->closed_count);
  output_count(out, "found.overlaps", f->overlap_count);
  for (int i = 0; i < f->overlap_count && i < LIST_MAX; i++) {
    char key[64], text[200];
    snprintf(text, sizeof text, "%.80s - %.80s",
             pc_system_collider(system, f->overlap[i].shape[0]).name,
             pc_system_collider(system, f->overlap[i].shape[1]).name);
    snprintf(key, sizeof key, "found.overlap.%d.shapes", i + 1);
    output_text(out, key, text);
    snprintf(key, sizeof key, "found.overlap.%d.depth", i + 1);
    output_number(out, key, f->overlap[i].depth);
  }
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
  put_worst(out, "position", "joint", r->start.position_max, r->start.position_joint);
  put_worst(out, "penetration", "contact", r->start.penetration_max, r->start.penetration_contact);
  put_worst(out, "velocity", "joint", r->start.velocity_max, r->start.velocity_joint);
  output_count(out, "velocity.impacts", r->start.impact_count);
  output_text(out, "acceleration.solved", r->acceleration.solved ? "yes" : "no");
  put_worst(out, "acceleration", "of", r->acceleration.max, r->acceleration.of);
  output_number(out, "acceleration.constraint", r->acceleration.constraint_residual);
  output_number(out, "acceleration.contact", r->acceleration.contact_residual);
}

/* The consistent start: u' of every velocity. */
static void put_accelerations(const check_report* c, output* out)
{
  const pc_system* system = pc_model_system(c->model);
  const pc_check_report* r = c->report;
  if (!r->acceleration.solved || r->u_count > LIST_MAX) return;
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    pc_quantity x = pc_system_quantity(system, i);
    char key[256];
    if (x.kind != PC_QUANTITY_U) continue;
    snprintf(key, sizeof key, "acceleration.%s", x.name);
    output_number(out, key, r->acceleration.value[x.index] + 0.0); /* no -0 */
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

static void put_dt(const check_report* c, output* out)
{
  const pc_check_report* r = c->report;
  output_number(out, "dt.estimate", r->step.dt);
  output_text(out, "dt.decided_by",
              *r->step.reason ? r->step.reason : "nothing: no time scale found");
  output_number(out, "dt.vibration", r->step.vibration);
  output_number(out, "dt.rotation", r->step.rotation);
  output_number(out, "dt.closing", r->step.closing);
  output_number(out, "dt.explicit", r->step.explicit_limit);
  output_number(out, "dt.model", pc_model_settings(c->model).dt);
  output_number(out, "rate.max", r->step.rate_max);
  output_text(out, "scheme.recommended", r->scheme);
  output_text(out, "scheme.reason", r->scheme_reason);
}

static void put_warnings(const check_report* c, output* out)
{
  output_count(out, "warnings.count", c->report->warning_count);
  for (int i = 0; i < c->report->warning_count; i++) {
    char key[64];
    snprintf(key, sizeof key, "warnings.%d.text", i + 1);
    output_text(out, key, c->report->warning[i].text);
    snprintf(key, sizeof key, "warnings.%d.remedy", i + 1);
    output_text(out, key, c->report->warning[i].remedy);
  }
}

void put_check_report(const check_report* c, output* out)
{
  output_text(out, "model", c->model_path);
  if (*pc_model_title(c->model)) output_text(out, "title", pc_model_title(c->model));
  output_text(out, "status", c->report->consistent ? "consistent" : "inconsistent");
  put_freedom(c->report, out);
  put_shapes(c, out);
  put_consistency(c->report, out);
  put_accelerations(c, out);
  put_joints(c->report, out);
  put_contacts(c->report, out);
  put_dt(c, out);
  put_warnings(c, out);
}

/* ---- the digest ----------------------------------------------------------------------------- */

/* Joints mix lengths and angles. */
static void print_off(FILE* to, const char* what, double value, const char* unit, const char* who)
{
  if (value < 1e-9)
    fprintf(to, value > 0 ? "%s < 1 n%s" : "%s 0 %s", what, unit);
  else
    fprintf(to, "%s %s", what, with_unit(value, unit).text);
  if (value < 1e-9 || !*who) return;
  fputs(" (", to);
  put_plain_text(to, who);
  fputc(')', to);
}

static void print_freedom(const pc_check_report* r, FILE* to)
{
  int rows = r->g_count + r->gamma_count;
  print_label(to, "freedom");
  fprintf(to, "%d degree%s of freedom: %d velocities, %d row%s of joints", r->dof, plural(r->dof),
          r->u_count - r->held_count, rows, plural(rows));
  if (r->rank < rows) fprintf(to, ", %d of them redundant", rows - r->rank);
  fputc('\n', to);
}

/* Of a velocity, "m/s"; "" if nobody knows it. */
static const char* unit_of(const pc_system* system, const char* velocity)
{
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    pc_quantity q = pc_system_quantity(system, i);
    if (q.kind == PC_QUANTITY_U && !strcmp(q.name, velocity))
      return strstr(q.unit, "/s") ? q.unit : "";
  }
  return "";
}

static void print_start(const check_report* c, FILE* to)
{
  const pc_check_report* r = c->report;
  print_label(to, "start");
  if (r->joint_count) {
    print_off(to, "joint errors", r->start.position_max, "m", r->start.position_joint);
    print_off(to, ",", r->start.velocity_max, "m/s", r->start.velocity_joint);
    fputs("; ", to);
  }
  if (r->contact_count || r->found.shape_count) {
    print_off(to, "penetration", r->start.penetration_max, "m", r->start.penetration_contact);
    fputs("; ", to);
  }
  if (r->acceleration.solved) {
    const char* unit = unit_of(pc_model_system(c->model), r->acceleration.of);
    fprintf(to, "largest acceleration %s%.4g%s%s%s",
            r->found.closed_count ? "without contacts between shapes " : "", r->acceleration.max,
            *unit ? " " : "", unit, *unit ? "^2" : "");
    if (*r->acceleration.of) {
      fputs(" (", to);
      put_plain_text(to, r->acceleration.of);
      fputc(')', to);
    }
  } else {
    fputs("no accelerations found", to);
  }
  fputc('\n', to);
}

/* Those that are closed. */
static void print_closed(const pc_check_report* r, const pc_system* system, FILE* to)
{
  if (!r->contact_count) return;
  print_label(to, "contacts");
  fprintf(to, "%d, %d of them closed\n", r->contact_count, r->closed_count);
  for (int i = 0, shown = 0; i < r->contact_count && shown < CONTACTS_MAX; i++) {
    const pc_check_contact* c = &r->contact[i];
    if (!c->closed) continue;
    shown++;
    print_label(to, "");
    put_plain_text(to, c->name);
    int is_angle = pc_system_contact(system, i).is_angle;
    fprintf(to, ": %s, normal %s %s\n", c->state, is_angle ? "torque" : "force",
            with_unit(c->force_normal + 0.0, is_angle ? "N m" : "N").text);
  }
}

static void print_shapes(const pc_check_report* r, FILE* to)
{
  const pc_check_found* f = &r->found;
  if (f->shape_count == 0) return;
  print_label(to, "shapes");
  fprintf(to, "%d, %d pairs may touch in the first step, %d contacts are closed", f->shape_count,
          f->pair_count, f->closed_count);
  if (f->overlap_count) fprintf(to, "; %d pairs overlap", f->overlap_count);
  fputc('\n', to);
}

static void print_advice(const check_report* c, FILE* to)
{
  const pc_check_report* r = c->report;
  double dt = pc_model_settings(c->model).dt;
  const char* scheme = pc_model_scheme(c->model);
  print_label(to, "dt");
  if (isfinite(r->step.dt))
    fprintf(to, "%s is suggested (%s); ", with_unit(r->step.dt, "s").text, r->step.reason);
  else
    fputs("no time scale found; ", to);
  fprintf(to, "the model has %s\n", with_unit(dt, "s").text);
  print_label(to, "scheme");
  fprintf(to, "%s is suggested: %s", r->scheme, r->scheme_reason);
  if (scheme && strcmp(scheme, r->scheme) != 0) fprintf(to, "; the model has %s", scheme);
  fputc('\n', to);
}

void print_check_digest(const check_report* c, FILE* to)
{
  enum { LINES_OF_NEXT = 1 };
  const pc_check_report* r = c->report;
  const char* title = pc_model_title(c->model);
  lines block;
  begin_lines(&block, to);
  put_plain_text(block.file, *title ? title : c->model_path);
  fprintf(block.file, "\n%s\n",
          r->consistent ? "consistent: ready to run"
                        : "inconsistent: the initial values violate a joint or a contact");
  print_freedom(r, block.file);
  print_start(c, block.file);
  print_closed(r, pc_model_system(c->model), block.file);
  print_shapes(r, block.file);
  print_advice(c, block.file);
  int used = end_lines(&block, LABEL_WIDTH);
  print_warning_lines(r->warning, r->warning_count, DIGEST_LINES - used - LINES_OF_NEXT, to);
  print_label(to, "next");
  fputs("percuss run ", to);
  put_plain_text(to, c->model_name);
  fputc('\n', to);
}
