/* The digest of a run: what a person wants to know first, on one screen. Parts have a fixed largest
 * number of lines, and warnings take those that are left, so that the whole has no more than
 * DIGEST_LINES for any model. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/lines.h"
#include "study/run_report.h"
#include "study/unit_text.h"

enum {
  CONTACTS_MAX = 4, /* in the table */
  FINAL_VALUES = 4,
  NAME_WIDTH = 24
};

/* Violations below a nano of their unit are round-off and what iterations leave: no two machines
 * agree on them, and nobody can measure them. */
static const double MEASURABLE = 1e-9;

/* A contact that carries for so many steps at a time stays closed: its mean force means
 * something. */
static const double STAYS_STEPS = 10;

static void print_text(FILE* to, const char* text, int most)
{
  char shortened[512];
  snprintf(shortened, sizeof shortened, "%.*s%s", most, text,
           (int)strlen(text) > most ? "..." : "");
  put_plain_text(to, shortened);
}

/* The text, filled up to a width; µ is one character wide. */
static void print_right(FILE* to, const char* text, int width)
{
  fprintf(to, "%*s%s", width > text_width(text) ? width - text_width(text) : 0, "", text);
}

/* Written, or to be found. */
static int has_contacts(const pc_system* system)
{
  return pc_system_contact_count(system) > 0 || pc_system_collider_count(system) > 0;
}

static void print_head(const run_report* r, const pc_summary* s, FILE* to)
{
  const char* title = pc_model_title(r->model);
  print_text(to, *title ? title : r->model_path, 90);
  fprintf(to, "\n%s: %s, %ld steps of %s", r->status, r->def->scheme, s->steps,
          with_unit(r->def->settings.dt, "s").text);
  fprintf(to, ", t = %s", with_unit(s->time, "s").text);
  fprintf(to, "; took %s", with_unit(r->seconds, "s").text);
  if (s->steps) fprintf(to, ", %s per step", with_unit(r->seconds / (double)s->steps, "s").text);
  fputc('\n', to);
  if (!r->resumed) return;
  print_label(to, "resumed");
  fprintf(to, "from t = %s; the numbers below are those of the steps after it\n",
          with_unit(r->resumed->t, "s").text);
}

/* ---- accuracy ------------------------------------------------------------------------------- */

/* The largest violation of a law among lengths or among angles. */
static pc_violation worst_of(const run_report* r, pc_violated law, int of_angles)
{
  const pc_violation* list = pc_sim_observation(r->sim)->violation;
  int position = law == PC_VIOLATED_GAP || law == PC_VIOLATED_POSITION;
  pc_violation worst = {.part = ""};
  worst.unit = of_angles ? (position ? "rad" : "rad/s") : (position ? "m" : "m/s");
  for (int i = 0; i < pc_violation_count(r->def->system); i++)
    if (list[i].law == law && (list[i].unit[0] == 'r') == of_angles && list[i].value > worst.value)
      worst = list[i];
  return worst;
}

static void print_violation(pc_violation worst, FILE* to)
{
  if (!(worst.value > MEASURABLE)) {
    fprintf(to, worst.value > 0 ? "< 1 n%s" : "0 %s", worst.unit);
    return;
  }
  fputs(with_unit(worst.value, worst.unit).text, to);
  fputs(" (", to);
  print_text(to, worst.part, NAME_WIDTH);
  fprintf(to, ", %s)", with_unit(worst.t, "s").text);
}

/* Whether the model has such a law for lengths, or for angles. */
static int has_law(const run_report* r, pc_violated law, int of_angles)
{
  const pc_violation* list = pc_sim_observation(r->sim)->violation;
  for (int i = 0; i < pc_violation_count(r->def->system); i++)
    if (list[i].law == law && (list[i].unit[0] == 'r') == of_angles) return 1;
  return 0;
}

/* "penetration 12.3 µm (corner1, 3.2 ms)"; where round-off is largest is of no interest. Angles
 * behind lengths, where there are both. */
static void print_worst(const run_report* r, pc_violated law, const char* what, FILE* to)
{
  int lengths = has_law(r, law, 0), angles = has_law(r, law, 1);
  fprintf(to, "%s ", what);
  if (lengths || !angles) print_violation(worst_of(r, law, 0), to);
  if (lengths && angles) fputs(" and ", to);
  if (angles) print_violation(worst_of(r, law, 1), to);
}

static void print_law(FILE* to, const char* what, double value)
{
  fprintf(to, "%s %s", what, value > MEASURABLE ? with_unit(value, "m/s").text : "< 1 nm/s");
}

/* Of contacts that are written and of those that are found, the deepest. */
static void print_penetration(const run_report* r, FILE* to)
{
  pc_found_tally found = pc_sim_found_tally(r->sim);
  double written = worst_of(r, PC_VIOLATED_GAP, 0).value;
  if (!(found.depth_max > written)) {
    print_worst(r, PC_VIOLATED_GAP, "penetration", to);
    return;
  }
  if (!(found.depth_max > MEASURABLE)) {
    fputs("penetration < 1 nm", to);
    return;
  }
  fprintf(to, "penetration %s (", with_unit(found.depth_max, "m").text);
  print_text(to, found.depth_name, NAME_WIDTH);
  fprintf(to, ", %s)", with_unit(found.depth_time, "s").text);
}

/* Steps that --on-failure subdivided, and those that missed their tolerance by what matters. */
static void print_difficult_steps(const pc_step_trouble* of, FILE* to)
{
  if (!of->noticeable && !of->halved) return;
  print_label(to, "");
  if (of->halved) fprintf(to, "%ld step%s halved", of->halved, plural(of->halved));
  if (of->halved && of->noticeable) fputs(", ", to);
  if (of->noticeable) {
    fprintf(to, "%ld step%s not solved to tolerance (the first is step %ld", of->noticeable,
            plural(of->noticeable), of->first_noticeable);
    if (of->inaccuracy_max > 0) fprintf(to, ", relative error up to %.1e", of->inaccuracy_max);
    fputc(')', to);
  }
  fputc('\n', to);
}

static void print_accuracy(const run_report* r, const pc_summary* s, FILE* to)
{
  const pc_system* system = r->def->system;
  int contacts = has_contacts(system);
  int joints = pc_system_g_count(system) + pc_system_gamma_count(system) > 0;
  print_label(to, "accuracy");
  if (contacts) print_penetration(r, to);
  if (contacts && joints) fputs(", ", to);
  if (pc_system_g_count(system)) print_worst(r, PC_VIOLATED_POSITION, "joints", to);
  if (!pc_system_g_count(system) && joints)
    print_worst(r, PC_VIOLATED_VELOCITY, "joint velocities", to);
  if (!contacts && !joints) fputs("no joints, no contacts", to);
  fputc('\n', to);
  print_label(to, "");
  if (pc_system_contact_count(system)) {
    print_worst(r, PC_VIOLATED_IMPACT, "impact law", to);
    fputs(", ", to);
    print_worst(r, PC_VIOLATED_FRICTION, "friction law", to);
  } else if (contacts) {
    print_law(to, "impact law", s->impact_residual_max);
    print_law(to, ", friction law", s->friction_residual_max);
  } else {
    fprintf(to,
            s->residual_max > MEASURABLE ? "residual of a step %s" : "residual of a step < 1 nN s",
            with_unit(s->residual_max, "N s").text);
  }
  fputc('\n', to);
  if (s->trouble.without_rebound) {
    print_label(to, "");
    fprintf(to,
            "%ld steps with contacts that close without a rebound: no solution with restitution "
            "was found\n",
            s->trouble.without_rebound);
  }
  print_difficult_steps(&s->trouble, to);
}

/* ---- energy --------------------------------------------------------------------------------- */

/* What is below the round-off of the energies counts as nothing. */
static void print_share(FILE* to, const char* what, double value, double available, double noise)
{
  if (fabs(value) <= noise) value = 0;
  fprintf(to, "%s %s", what, with_unit(value, "J").text);
  if (available > 0) fprintf(to, " (%s)", as_percent(value / available).text);
}

static void print_energy(const run_report* r, const pc_summary* s, FILE* to)
{
  pc_verdict v = pc_sim_judge(r->sim);
  double available = v.energy_available;
  double noise = 1e-12 * (available + fabs(s->energy_initial) + fabs(s->energy_final));
  print_label(to, "energy");
  fprintf(to, "%s at the start", with_unit(s->energy_initial, "J").text);
  fprintf(to, ", %s at the end, work ",
          with_unit(fabs(s->energy_final) > noise ? s->energy_final : 0, "J").text);
  fprintf(to, "%s; available for motion ", with_unit(s->balance.work, "J").text);
  fprintf(to, "%s\n", with_unit(available, "J").text);
  print_label(to, "lost");
  if (has_contacts(r->def->system)) {
    print_share(to, "impacts", s->balance.impact, available, noise);
    print_share(to, ", friction", s->balance.friction, available, noise);
    fputs(", ", to);
  }
  print_share(to, "scheme", s->balance.scheme, available, noise);
  fputc('\n', to);
}

/* ---- contacts ------------------------------------------------------------------------------- */

/* A row of the table: a contact of the model, or a pair of shapes (from the number of contacts
 * on). */
typedef struct ranked {
  int index;
  double P;
} ranked;

static pc_contact_tally tally_of(const run_report* r, int index)
{
  int listed = pc_system_contact_count(r->def->system);
  return index < listed ? pc_sim_contact_tally(r->sim, index)
                        : pc_sim_pair(r->sim, index - listed).tally;
}

static void name_of(const run_report* r, int index, char name[NAME_WIDTH + 4])
{
  const pc_system* system = r->def->system;
  int listed = pc_system_contact_count(system);
  if (index < listed) {
    snprintf(name, NAME_WIDTH + 4, "%.*s", NAME_WIDTH, pc_system_contact(system, index).name);
    return;
  }
  pc_pair_tally pair = pc_sim_pair(r->sim, index - listed);
  char both[2 * PC_PAIR_NAME_SIZE];
  snprintf(both, sizeof both, "%.80s - %.80s", pc_system_collider(system, pair.shape[0]).name,
           pc_system_collider(system, pair.shape[1]).name);
  snprintf(name, NAME_WIDTH + 4, "%.*s", NAME_WIDTH, both);
}

/* Those with the largest percussions, the largest first; returns how many there are. */
static int choose_contacts(const run_report* r, ranked chosen[CONTACTS_MAX], int* touched)
{
  int count = 0, listed = pc_system_contact_count(r->def->system);
  *touched = 0;
  for (int k = 0; k < listed + pc_sim_pair_count(r->sim); k++) {
    double P = tally_of(r, k).P_max;
    if (!(P > 0)) continue;
    *touched += k < listed;
    int place = count < CONTACTS_MAX ? count++ : CONTACTS_MAX;
    for (; place > 0 && chosen[place - 1].P < P; place--)
      if (place < CONTACTS_MAX) chosen[place] = chosen[place - 1];
    if (place < CONTACTS_MAX) chosen[place] = (ranked){k, P};
  }
  return count;
}

/* A stop of an angle. */
static int is_angle(const run_report* r, int index)
{
  const pc_system* system = r->def->system;
  return index < pc_system_contact_count(system) && pc_system_contact(system, index).is_angle;
}

static void print_contact(const run_report* r, int index, FILE* to)
{
  pc_contact_tally tally = tally_of(r, index);
  const char* impulse = is_angle(r, index) ? "N m s" : "N s";
  double dt = r->def->settings.dt, steps = (double)tally.steps_closed;
  double at_rest = steps - (double)tally.closings; /* steps without the impact */
  int stays = steps >= STAYS_STEPS * (double)tally.closings && tally.closings > 0;
  char name[NAME_WIDTH + 4];
  name_of(r, index, name);
  print_label(to, "");
  put_plain_text(to, name);
  fprintf(to, "%*s", NAME_WIDTH - text_width(name), "");
  fprintf(to, "%9ld", tally.closings);
  print_right(to, with_unit(tally.P_max, impulse).text, 17);
  print_right(to, with_unit(tally.t_max, "s").text, 13);
  print_right(to, with_unit(steps * dt, "s").text, 13);
  double force = (tally.P_sum - tally.P_closing) / (at_rest * dt);
  print_right(to, stays ? with_unit(force, is_angle(r, index) ? "N m" : "N").text : "-", 14);
  fputc('\n', to);
}

/* Contacts between shapes. */
static void print_found(const run_report* r, const pc_summary* s, FILE* to)
{
  pc_found_tally found = pc_sim_found_tally(r->sim);
  if (pc_system_collider_count(r->def->system) == 0) return;
  print_label(to, "found");
  if (!(found.P_max > 0)) {
    fputs("no shapes touch\n", to);
    return;
  }
  fprintf(to, "%d pair%s of shapes touch, up to %d contact%s at a time, %ld closing%s\n",
          pc_sim_pair_count(r->sim), plural(pc_sim_pair_count(r->sim)), found.closed_max,
          plural(found.closed_max), s->events_closed, plural(s->events_closed));
}

static void print_contacts(const run_report* r, const pc_summary* s, FILE* to)
{
  ranked chosen[CONTACTS_MAX];
  int touched, all = pc_system_contact_count(r->def->system);
  int count = choose_contacts(r, chosen, &touched);
  if (all == 0 && count == 0) return;
  print_label(to, "contacts");
  if (count == 0) {
    fprintf(to, "%d, none of them closes\n", all);
    return;
  }
  fprintf(to, "%-*s%9s%17s%13s%13s%14s\n", NAME_WIDTH, "", "closings", "largest impulse", "at",
          "closed for", "mean force");
  for (int i = 0; i < count; i++) print_contact(r, chosen[i].index, to);
  if (all == 0 || (touched == all && all <= count)) return;
  print_label(to, "");
  fprintf(to, "%d of %d contacts carry impulses, up to %d are active in a step, %ld closing%s\n",
          touched, all, s->contacts_active_max, s->events_closed, plural(s->events_closed));
}

/* ---- what it comes to ----------------------------------------------------------------------- */

/* Whether a quantity says nothing of the motion: what a row of a joint violates and carries, and
 * what a coordinate holds of the last step. */
static int is_aside(const pc_system* system, pc_quantity x)
{
  if (x.kind == PC_QUANTITY_OUTPUT) return 0;
  if (x.kind == PC_QUANTITY_Q || x.kind == PC_QUANTITY_U) return strstr(x.name, ".held") != NULL;
  return x.index < pc_system_g_count(system) + pc_system_gamma_count(system);
}

/* The first values that are recorded; those of the motion come before the others. */
static void print_final(const run_report* r, FILE* to)
{
  int count, printed = 0;
  const int* recorded = pc_model_record(r->model, &count);
  if (count == 0) return;
  print_label(to, "final");
  for (int aside = 0; aside < 2; aside++)
    for (int i = 0; i < count && printed < FINAL_VALUES; i++) {
      pc_quantity x = pc_system_quantity(r->def->system, recorded[i]);
      if (is_aside(r->def->system, x) != aside) continue;
      double value = pc_observe_quantity(pc_sim_observation(r->sim), recorded[i]);
      if (printed++) fputs(", ", to);
      print_text(to, x.name, NAME_WIDTH);
      fprintf(to, " %s", with_unit(value, x.unit).text);
    }
  if (count > FINAL_VALUES) fprintf(to, "; %d more: --full", count - FINAL_VALUES);
  fputc('\n', to);
}

static void print_next(const run_report* r, FILE* to)
{
  print_label(to, "result");
  if (r->result)
    print_text(to, r->result, 200);
  else
    fputs("not kept", to);
  fputc('\n', to);
  print_label(to, "next");
  print_text(to, r->next, 400);
  fputc('\n', to);
}

void print_digest(const run_report* r, FILE* to)
{
  enum { LINES_OF_NEXT = 2 };
  pc_summary s = pc_sim_summary(r->sim);
  lines block;
  begin_lines(&block, to);
  print_head(r, &s, block.file);
  print_accuracy(r, &s, block.file);
  print_energy(r, &s, block.file);
  print_contacts(r, &s, block.file);
  print_found(r, &s, block.file);
  print_final(r, block.file);
  int used = end_lines(&block, LABEL_WIDTH);
  print_warning_lines(r->warning, r->warning_count, DIGEST_LINES - used - LINES_OF_NEXT, to);
  print_next(r, to); /* paths and commands are not broken */
}
