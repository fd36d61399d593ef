/* The part of the check that every run begins with. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "schemes/scheme.h"
#include "simulate/check.h"
#include "system/inspect.h"

enum { SMALL = 300 };                /* velocities or rows up to which everything is examined */
static const double STEP_TURN = 0.5; /* rad: a body's angle is short by half a percent */

typedef struct warnings {
  pc_warning* list;
  int capacity, count;
} warnings;

static pc_warning* add(warnings* w, pc_warning_kind kind)
{
  if (w->count == w->capacity) return NULL;
  w->list[w->count].kind = kind;
  return &w->list[w->count++];
}

/* One warning for all redundant joints: the first of them by name. */
static void add_redundant(warnings* w, const pc_check_report* report)
{
  int joints = 0;
  const char* first = NULL;
  for (int i = 0; i < report->joint_count; i++)
    if (report->joint[i].redundant_rows && joints++ == 0) first = report->joint[i].name;
  pc_warning* to = joints ? add(w, PC_WARNING_REDUNDANT) : NULL;
  if (!to) return;
  if (joints == 1)
    snprintf(to->text, sizeof to->text, "joint '%.80s' is redundant", first);
  else
    snprintf(to->text, sizeof to->text, "%d joints are redundant, the first is '%.80s'", joints,
             first);
  snprintf(to->remedy, sizeof to->remedy,
           "the motion is unaffected, but the joints' forces are not unique; 'percuss check' lists "
           "them");
}

static void add_unstable(warnings* w, const pc_sim_def* def, const pc_check_report* report)
{
  const pc_scheme_ops* ops = pc_find_scheme(def->scheme);
  double dt = def->settings.dt, limit = NAN;
  if (ops && ops->explicit_forces == PC_EXPLICIT_ALL) limit = report->step.explicit_limit;
  if (ops && ops->explicit_forces == PC_EXPLICIT_POSITIONS) limit = report->step.positions_limit;
  if (!(dt > limit)) return;
  pc_warning* to = add(w, PC_WARNING_DT);
  if (!to) return;
  snprintf(to->text, sizeof to->text,
           "dt is %.3g s: %s can be unstable above %.2g s, where forces change with %.3g 1/s", dt,
           def->scheme, limit, 2 / limit);
  snprintf(to->remedy, sizeof to->remedy,
           "use --dt %.1g, or an implicit scheme such as moreau-jean", limit / 2);
}

static void add_examined(warnings* w, const pc_sim_def* def, const pc_check_report* report)
{
  for (int i = 0; i < report->warning_count; i++) {
    const pc_warning* from = &report->warning[i];
    if (from->kind != PC_WARNING_START && from->kind != PC_WARNING_DT) continue;
    pc_warning* to = add(w, from->kind);
    if (to) *to = *from;
  }
  add_unstable(w, def, report);
  add_redundant(w, report);
}

/* Joints and contacts of a large system: how many are violated, and the worst. */
static void add_violated(warnings* w, const pc_system* system, const pc_terms* terms, int rows,
                         int contacts)
{
  double limit = PC_POSITION_SHARE * pc_check_size(system);
  int count = 0, worst = -1;
  double largest = 0;
  for (int i = 0; i < rows; i++) {
    int row = contacts ? pc_system_contact(system, i).row : i;
    double violation = contacts ? -terms->y[row] : fabs(terms->y[row]);
    if (!(violation > limit)) continue;
    count++;
    if (violation > largest) largest = violation, worst = row;
  }
  pc_warning* to = worst >= 0 ? add(w, PC_WARNING_START) : NULL;
  if (!to) return;
  snprintf(to->text, sizeof to->text, "%d %s at the start, '%.80s' by %.3g m", count,
           contacts ? "contacts penetrate" : "rows of joints are violated",
           pc_system_row_name(system, worst), largest);
  snprintf(to->remedy, sizeof to->remedy, "correct the initial positions");
}

static void add_jumping(warnings* w, const pc_system* system, const pc_terms* terms, int rows)
{
  const double* u = pc_system_u0(system);
  int count = 0, first = -1;
  for (int row = 0; row < rows; row++)
    if (!(fabs(pc_terms_row_velocity(terms, row, u)) <= pc_rest_tolerance(terms, row, u)))
      if (count++ == 0) first = row;
  pc_warning* to = count ? add(w, PC_WARNING_START) : NULL;
  if (!to) return;
  snprintf(to->text, sizeof to->text,
           "%d rows of joints do not admit the initial velocities, the first is of '%.80s'", count,
           pc_system_row_name(system, first));
  snprintf(to->remedy, sizeof to->remedy,
           "correct the initial velocities, or let assemble: true do so: the first step would make "
           "them jump");
}

static pc_status look_at_rows(warnings* w, const pc_system* system, pc_error* error)
{
  pc_terms* terms;
  PC_TRY(pc_terms_create(system, PC_TERM_Y | PC_TERM_W, &terms, error));
  pc_terms_evaluate(terms, &(pc_at){0, pc_system_q0(system), pc_system_u0(system), NULL});
  int g = pc_system_g_count(system);
  add_violated(w, system, terms, g, 0);
  add_jumping(w, system, terms, g + pc_system_gamma_count(system));
  add_violated(w, system, terms, pc_system_contact_count(system), 1);
  pc_terms_destroy(terms);
  return PC_OK;
}

static pc_status look_at_shapes(warnings* w, const pc_sim_def* def, pc_error* error)
{
  pc_check_found found;
  pc_warning warning;
  pc_status status = pc_check_shapes(def->system, &def->settings, &found, error);
  if (status == PC_OK && pc_check_describe_overlap(def->system, &found, &warning)) {
    pc_warning* to = add(w, warning.kind);
    if (to) *to = warning;
  }
  free(found.overlap);
  return status;
}

/* Whether a scheme turns quaternions by q' = B u at points of the step: 4 atan(w dt/4) for w dt. */
static int turns_short(const pc_sim_def* def)
{
  static const char* const schemes[] = {"rattle", "moreau-jean", "direct-projection",
                                        "combined-projection"};
  for (int i = 0; i < 4; i++)
    if (!strcmp(def->scheme, schemes[i]))
      return i == 0 || def->settings.rotation != PC_ROTATION_EXACT;
  return 0;
}

/* Rows of joints and contacts do not show a body that turns about its axis. */
static pc_status look_at_turning(warnings* w, const pc_sim_def* def, pc_error* error)
{
  const double* u = pc_system_u0(def->system);
  const char* name = "";
  double turn = 0;
  for (int i = 0; i < pc_system_part_count(def->system); i++) {
    const pc_part* part = NULL;
    PC_TRY(pc_system_part(def->system, (pc_part_id){i}, &part, error));
    if (part->kind != PC_PART_SPATIAL_BODY || part->u_count != 6) continue;
    const double* spin = u + part->u_first + 3;
    double angle =
        def->settings.dt * sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
    if (angle > turn) turn = angle, name = part->name;
  }
  pc_warning* to = turn > STEP_TURN && turns_short(def) ? add(w, PC_WARNING_DT) : NULL;
  if (!to) return PC_OK;
  snprintf(to->text, sizeof to->text,
           "'%.80s' turns by %.2g rad in a step, and its angle will be short by up to %.1g %%",
           name, turn, 100 * (1 - 4 * pc_atan2(turn / 4, 1) / turn));
  snprintf(to->remedy, sizeof to->remedy, "use a smaller dt, lobatto, generalized-alpha%s",
           strcmp(def->scheme, "rattle") ? ", or --rotation exact" : " or moreau");
  return PC_OK;
}

static void look_at_hulls(warnings* w, const pc_system* system)
{
  pc_warning warning;
  if (!pc_check_describe_hulls(system, &warning)) return;
  pc_warning* to = add(w, warning.kind);
  if (to) *to = warning;
}

pc_status pc_check_run(const pc_sim_def* def, double until, pc_warning* list, int capacity,
                       int* count, pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  PC_TRY(pc_need(count, "count", error));
  const pc_system* system = def->system;
  warnings w = {list, capacity, 0};
  pc_status status;
  if (pc_system_u_count(system) > SMALL || pc_system_row_count(system) > SMALL) {
    status = look_at_rows(&w, system, error);
    if (status == PC_OK) status = look_at_shapes(&w, def, error);
  } else {
    pc_check_report report;
    status = pc_check_system(system, &def->settings, until, 1, &report, error);
    if (status == PC_OK) {
      add_examined(&w, def, &report);
      pc_check_free(&report);
    }
  }
  if (status == PC_OK) status = look_at_turning(&w, def, error);
  if (status == PC_OK) look_at_hulls(&w, system);
  *count = w.count;
  return status;
}
