#include "study/run_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  FINAL_MAX = 1000, /* larger systems do not list their final values ... */
  ROWS_MAX = 200    /* ... nor the violations of all rows */
};

void add_report_warning(run_report* r, const pc_warning* warning)
{
  if (r->warning_count < REPORTED_WARNINGS_MAX) r->warning[r->warning_count++] = *warning;
}

void warning_line(const pc_warning* warning, char* line, size_t size)
{
  snprintf(line, size, "%s; %s", warning->text, warning->remedy);
}

static void put_warnings(const run_report* r, output* out)
{
  output_list(out, "warnings");
  for (int i = 0; i < r->warning_count; i++) {
    char line[sizeof r->warning->text + sizeof r->warning->remedy + 4];
    warning_line(&r->warning[i], line, sizeof line);
    output_item(out, line);
  }
}

/* Where the energy went: initial + work - losses = final. */
static void put_balance(const pc_summary* s, output* out)
{
  output_number(out, "ledger.work", s->balance.work);
  output_number(out, "ledger.lost.impact", s->balance.impact);
  output_number(out, "ledger.lost.friction", s->balance.friction);
  output_number(out, "ledger.lost.scheme", s->balance.scheme);
  output_number(out, "ledger.closes",
                s->energy_initial + s->balance.work - s->balance.impact - s->balance.friction -
                    s->balance.scheme - s->energy_final);
}

/* Of a resumed run, the summary covers what came after. */
static void put_resumed(const run_report* r, output* out)
{
  if (!r->resumed) return;
  output_number(out, "resumed.from", r->resumed->t);
  output_count(out, "resumed.step", r->resumed->step);
  output_text(out, "resumed.note",
              r->resumed->finished ? "nothing more to do: the file reaches this time already"
                                   : "this summary covers the steps after it");
}

static void put_summary(const run_report* r, output* out)
{
  pc_summary s = pc_sim_summary(r->sim);
  char key[64];
  output_text(out, "model", r->model_path);
  if (*pc_model_title(r->model)) output_text(out, "title", pc_model_title(r->model));
  output_text(out, "scheme", r->def->scheme);
  output_number(out, "dt", r->def->settings.dt);
  output_count(out, "steps", s.steps);
  output_number(out, "time", s.time);
  output_text(out, "status", r->status);
  put_warnings(r, out);
  put_resumed(r, out);
  output_number(out, "penetration.max", s.penetration_max);
  output_number(out, "penetration.known.max", s.penetration_known_max);
  output_number(out, "penetration.angle.max", s.overrun_max);
  output_number(out, "constraint.position.max", s.constraint_position_max);
  output_number(out, "constraint.angle.max", s.constraint_angle_max);
  output_number(out, "constraint.velocity.max", s.constraint_velocity_max);
  output_number(out, "constraint.rate.max", s.constraint_rate_max);
  if (!isnan(s.constraint_acceleration_max))
    output_number(out, "constraint.acceleration.max", s.constraint_acceleration_max);
  output_number(out, "impact.residual.max", s.impact_residual_max);
  output_number(out, "friction.residual.max", s.friction_residual_max);
  output_number(out, "energy.initial", s.energy_initial);
  output_number(out, "energy.final", s.energy_final);
  output_number(out, "energy.max.increase", s.energy_max_increase);
  for (int i = 0; i < s.phase_count; i++) {
    snprintf(key, sizeof key, "iterations.%s.max", s.phase[i]);
    output_count(out, key, s.iterations_max[i]);
    snprintf(key, sizeof key, "iterations.%s.avg", s.phase[i]);
    output_number(out, key, s.iterations_avg[i]);
  }
  output_number(out, "residual.step.max", s.residual_max);
  output_number(out, "residual.solver.max", s.solver_residual_max);
  output_count(out, "contacts.active.max", s.contacts_active_max);
  output_count(out, "events.closed", s.events_closed);
  output_count(out, "events.opened", s.events_opened);
  output_count(out, "steps_halved", s.trouble.halved);
  if (s.trouble.without_rebound)
    output_count(out, "steps_without_rebound", s.trouble.without_rebound);
  output_count(out, "steps_inaccurate", s.trouble.inaccurate);
  if (s.trouble.first_inaccurate)
    output_count(out, "first_inaccurate_step", s.trouble.first_inaccurate);
  if (s.trouble.inaccurate) output_number(out, "inaccuracy.max", s.trouble.inaccuracy_max);
  for (int m = 0; m < PC_METHOD_COUNT; m++)
    if (s.answered[m]) {
      snprintf(key, sizeof key, "solver.answers.%s", pc_method_name((pc_method)m));
      output_count(out, key, s.answered[m]);
    }
  put_balance(&s, out);
  output_number(out, "wall.seconds", r->seconds);
  output_number(out, "wall.per_step", s.steps ? r->seconds / (double)s.steps : 0);
}

/* violation.PART.LAW.max and .time, for a law that was violated at all. */
static void put_violation(output* out, const pc_violation* v)
{
  char key[256];
  if (v->value <= 0) return;
  snprintf(key, sizeof key, "violation.%s.%s.max", v->part, pc_violated_name(v->law));
  output_number(out, key, v->value);
  snprintf(key, sizeof key, "violation.%s.%s.time", v->part, pc_violated_name(v->law));
  output_number(out, key, v->t);
}

/* The worst of each law. */
static void put_violation_digest(const pc_violation* list, int count, output* out)
{
  for (int law = 0; law < PC_VIOLATED_COUNT; law++) {
    pc_violation worst = {0};
    for (int i = 0; i < count; i++)
      if ((int)list[i].law == law && list[i].value > worst.value) worst = list[i];
    put_violation(out, &worst);
  }
  output_text(out, "violation.note", "the system is large: only the worst of each law is here");
}

/* The largest violation of each constraint row and each contact law. */
static void put_violations(const run_report* r, output* out)
{
  const pc_system* system = r->def->system;
  const pc_violation* list = pc_sim_observation(r->sim)->violation;
  int count = pc_violation_count(system);
  if (pc_system_row_count(system) > ROWS_MAX)
    put_violation_digest(list, count, out);
  else
    for (int i = 0; i < count; i++) put_violation(out, &list[i]);
}

/* ", P_F = 0.1 N s", in brackets if it has several components; nothing without friction. */
static void describe_friction(const pc_event* event, int dimension, const char* unit, char* text,
                              size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < dimension && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%.6g",
                             i               ? ", "
                             : dimension > 1 ? ", P_F = ("
                                             : ", P_F = ",
                             event->P_F[i]);
  if (dimension > 0 && used < size)
    snprintf(text + used, size - used, dimension > 1 ? ") %s" : " %s", unit);
}

/* The contact of an event: its name, or those of the shapes it is between; returns how many
 * components of friction it has. */
static int name_contact(const run_report* r, const pc_event* event, char* name, size_t size)
{
  const pc_system* system = r->def->system;
  if (event->contact == PC_FOUND) {
    snprintf(name, size, "%.40s - %.40s", pc_system_collider(system, event->key.shape[0]).name,
             pc_system_collider(system, event->key.shape[1]).name);
    return pc_system_collider_law(system, event->key.shape[0], event->key.shape[1]).mu < 0 ? 0 : 3;
  }
  pc_contact_info contact = pc_system_contact(system, event->contact);
  snprintf(name, size, "%.60s", contact.name);
  return contact.dimension;
}

/* The unit of a quantity of the contact of an event, such as ".P_N"; `otherwise` between shapes. */
static const char* unit_of(const run_report* r, const pc_event* event, const char* tail,
                           const char* otherwise)
{
  const pc_system* system = r->def->system;
  char name[160];
  if (event->contact == PC_FOUND) return otherwise;
  snprintf(name, sizeof name, "%.140s%s", pc_system_contact(system, event->contact).name, tail);
  int quantity = pc_system_find_quantity(system, name);
  return quantity >= 0 ? pc_system_quantity(system, quantity).unit : otherwise;
}

/* An impact or an opening in words. P_N / dt would be no force: it grows without limit as dt
 * falls. */
static void describe_event(const run_report* r, const pc_event* event, char* text, size_t size)
{
  char friction[96], name[96];
  int dimension = name_contact(r, event, name, sizeof name);
  const char* rubs = unit_of(r, event, dimension > 1 ? ".P_F.1" : ".P_F", "N s");
  const char* speed = unit_of(r, event, ".gap_velocity", "m/s");
  describe_friction(event, dimension, rubs, friction, sizeof friction);
  if (event->kind == PC_CONTACT_CLOSED)
    snprintf(text, size, "t = %.9g s, %s closes: P_N = %.6g %s%s, normal velocity %.6g -> %.6g %s",
             event->t, name, event->P_N, unit_of(r, event, ".P_N", "N s"), friction,
             event->velocity_before, event->velocity_after, speed);
  else if (isnan(event->velocity_before)) /* shapes so far from each other that nothing is known */
    snprintf(text, size, "t = %.9g s, %s opens", event->t, name);
  else
    snprintf(text, size, "t = %.9g s, %s opens: normal velocity %.6g -> %.6g %s", event->t, name,
             event->velocity_before, event->velocity_after, speed);
}

/* The first of them; the result file has all. */
static void put_events(const run_report* r, output* out)
{
  const pc_event* event;
  int shown = 0;
  for (; (event = pc_sim_event(r->sim, shown)) != NULL; shown++) {
    char key[40], text[384];
    snprintf(key, sizeof key, "event.%d", shown + 1);
    describe_event(r, event, text, sizeof text);
    output_text(out, key, text);
  }
  pc_summary s = pc_sim_summary(r->sim);
  long all = s.events_closed + s.events_opened;
  if (all <= shown) return;
  char text[160];
  snprintf(text, sizeof text,
           "%ld more; all of them are in the result file, under /ledger/events%s", all - shown,
           r->result ? "" : " (--out FILE.h5)");
  output_text(out, "event.note", text);
}

static void put_final_value(const run_report* r, int quantity, output* out)
{
  char key[256];
  snprintf(key, sizeof key, "final.%s", pc_system_quantity(r->def->system, quantity).name);
  output_number(out, key, pc_observe_quantity(pc_sim_observation(r->sim), quantity));
}

/* Where there are too many, the outputs alone: they are what the model was made to tell. */
static void put_final_values(const run_report* r, output* out)
{
  int count, listed = 0;
  const int* recorded = pc_model_record(r->model, &count);
  for (int i = 0; i < count && listed < FINAL_MAX; i++) {
    if (count > FINAL_MAX &&
        pc_system_quantity(r->def->system, recorded[i]).kind != PC_QUANTITY_OUTPUT)
      continue;
    put_final_value(r, recorded[i], out);
    listed++;
  }
  if (listed == count) return;
  char text[256];
  snprintf(text, sizeof text,
           "%d values are not listed, for more than %d; name some under 'record:' in the model, or "
           "use --out FILE.h5 and 'percuss export'",
           count - listed, FINAL_MAX);
  output_text(out, "final.note", text);
}

void put_run_report(const run_report* r, output* out)
{
  put_summary(r, out);
  put_violations(r, out);
  put_events(r, out);
  put_final_values(r, out);
}
