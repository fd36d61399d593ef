/* Remarks on the model, the initial values and the settings, each with a remedy. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/colliders.h"
#include "simulate/check.h"
#include "system/inspect.h"

static const double FRICTION_LARGE = 1.5;
static const double MASS_RATIO_LARGE = 1e6;
/* A dt so many times the estimate is far too large: five steps a period, half the time to a
 * closing. */
static const double DT_FACTOR = 10;
static const double TURN_FACTOR = 50;    /* directions turn by 0.5 rad in a step */
static const double CLOSING_PARTS = 20;  /* of the time to a closing are a sensible step */
static const double STUCK_SHARE = 1e-11; /* of a contact's mobility is left by the joints */

__attribute__((format(printf, 4, 5))) static pc_status warn(pc_checking* c, pc_warning_kind kind,
                                                            const char* remedy, const char* format,
                                                            ...)
{
  pc_check_report* r = c->report;
  if (pc_grow((void**)&r->warning, &r->warning_capacity, r->warning_count, sizeof *r->warning))
    return pc_no_memory(c->error);
  pc_warning* w = &r->warning[r->warning_count++];
  w->kind = kind;
  va_list args;
  va_start(args, format);
  vsnprintf(w->text, sizeof w->text, format, args);
  va_end(args);
  snprintf(w->remedy, sizeof w->remedy, "%s", remedy);
  return PC_OK;
}

/* ---- initial values ------------------------------------------------------------------------- */

static int moves_against_joint(const pc_checking* c, const pc_check_joint* joint)
{
  int index = (int)(joint - c->report->joint);
  for (int row = 0; row < c->bilateral_count; row++)
    if (c->owner[row] == index && !(fabs(pc_terms_row_velocity(c->terms, row, c->u)) <=
                                    pc_rest_tolerance(c->terms, row, c->u)))
      return 1;
  return 0;
}

static pc_status about_joints(pc_checking* c)
{
  for (int i = 0; i < c->report->joint_count; i++) {
    const pc_check_joint* joint = &c->report->joint[i];
    if (!(joint->position <= PC_POSITION_SHARE * c->size))
      PC_TRY(warn(c, PC_WARNING_START, "correct the initial positions or the joint's length",
                  "joint '%s' is violated at the start by %.3g", joint->name, joint->position));
    if (moves_against_joint(c, joint))
      PC_TRY(warn(c, PC_WARNING_START,
                  "correct the initial velocities, or let assemble: true do so: the first step "
                  "would make them jump",
                  "joint '%s' does not admit the initial velocities: its rate is %.3g", joint->name,
                  joint->velocity));
    if (joint->redundant_rows)
      PC_TRY(warn(c, PC_WARNING_REDUNDANT,
                  "the motion is unaffected, the share of each in the forces is not unique; "
                  "remove one if forces matter",
                  "joint '%s' is redundant: %d of its %d rows follow from joints before it",
                  joint->name, joint->redundant_rows, joint->row_count));
  }
  if (c->report->dof == 0 && !(pc_system_provides(c->system) & PC_TERM_CHI)) /* no drive moves it */
    PC_TRY(warn(c, PC_WARNING_MODEL, "remove a joint, or a row of one",
                "the joints leave no degree of freedom"));
  return PC_OK;
}

/* The share of its mobility that the joints leave to the normal of a contact. */
static double mobility(pc_checking* c, int row)
{
  const pc_assembly* M = pc_consistent_start_mass(c->start);
  const pc_row* w = &c->terms->row[row];
  pc_assembly_solve_row(M, *w, c->work);
  double free = pc_row_dot(*w, c->work);
  pc_consistent_start_project(c->start, c->work);
  return free > 0 ? pc_row_dot(*w, c->work) / free : 0;
}

/* Whether the joints leave any freedom to the velocities that a row depends on. A mechanism may
 * start where the joints hold the normal of a contact, as a Geneva wheel does, and move on. */
static int touches_movable(pc_checking* c, int row)
{
  const pc_row* w = &c->terms->row[row];
  for (int b = 0; b < w->block_count; b++)
    for (int i = w->block[b].first; i < w->block[b].first + w->block[b].width; i++) {
      memset(c->work, 0, (size_t)c->report->u_count * sizeof *c->work);
      c->work[i] = 1;
      pc_assembly_solve(pc_consistent_start_mass(c->start), c->work);
      double free = c->work[i];
      pc_consistent_start_project(c->start, c->work);
      if (c->work[i] > STUCK_SHARE * free) return 1;
    }
  return 0;
}

static pc_status about_contact(pc_checking* c, const pc_check_contact* contact,
                               const pc_contact_info* info)
{
  const char* unit = info->is_angle ? "rad" : "m";
  if (contact->gap < -PC_POSITION_SHARE * (info->is_angle ? 1 : c->size))
    PC_TRY(warn(c, PC_WARNING_START, "move the bodies apart, or correct the contact's geometry",
                "contact '%s' penetrates by %.3g %s at the start", info->name, -contact->gap,
                unit));
  if (!strcmp(contact->state, "impact"))
    PC_TRY(warn(c, PC_WARNING_MODEL,
                "give a gap velocity that is not negative if that is not meant",
                "contact '%s' is closed and approaches with %.3g %s/s: an impact in the first step",
                info->name, -contact->gap_velocity, unit));
  if (contact->closed && info->e_N == 1)
    PC_TRY(warn(c, PC_WARNING_MODEL,
                "use a restitution below 1 for a contact that is to stay closed",
                "contact '%s' is closed at the start and has restitution 1: it never comes to rest",
                info->name));
  if (info->mu > FRICTION_LARGE)
    PC_TRY(warn(c, PC_WARNING_MODEL, "check the friction coefficient; dry contacts have 0.05 to 1",
                "contact '%s' has friction %.3g: contacts may jam, and a solution need not exist",
                info->name, info->mu));
  if (mobility(c, info->row) <= STUCK_SHARE && !touches_movable(c, info->row))
    PC_TRY(warn(c, PC_WARNING_MODEL, "remove the contact, or the joint that makes it idle",
                "contact '%s' is between parts that cannot move each other", info->name));
  return PC_OK;
}

static pc_status about_contacts(pc_checking* c)
{
  int bouncing = 0;
  for (int k = 0; k < c->report->contact_count; k++) {
    pc_contact_info info = pc_system_contact(c->system, k);
    PC_TRY(about_contact(c, &c->report->contact[k], &info));
    bouncing += c->report->contact[k].closed && info.e_N > 0;
  }
  if (bouncing > 0 && c->report->closed_count > 1)
    PC_TRY(warn(c, PC_WARNING_MODEL,
                "use restitution 0 for contacts that act together, or compare schemes",
                "%d contacts are closed at the same time, %d of them with restitution: "
                "Newton's law is not well founded for impacts at several places at once",
                c->report->closed_count, bouncing));
  if (!c->report->acceleration.solved)
    PC_TRY(warn(c, PC_WARNING_MODEL,
                "reduce friction or separate the contacts; see 'percuss help run' for solvers",
                "no accelerations and contact forces were found that fit the initial state"));
  return PC_OK;
}

/* ---- the model ------------------------------------------------------------------------------ */

/* Does an element do anything to a part but give it its mass (and weight)? */
static int acts(const pc_element_view* e, int of_user)
{
  if (e->row_count) return 1;
  if (!(e->provides & PC_TERM_H)) return 0;
  return of_user || !(e->provides & PC_TERM_M);
}

/* Whether `part`, or what it is a window on, is one of the parts from `first` to `last`. */
static int belongs(const pc_system* system, int part, int first, int last)
{
  const pc_part* p = NULL;
  if (part >= first && part <= last) return 1;
  return pc_system_part(system, (pc_part_id){part}, &p, NULL) == PC_OK && p->within >= first &&
         p->within <= last;
}

/* Whether one of the parts from `first` to `last` has a shape, and may touch something. */
static int has_shape(const pc_system* system, int first, int last)
{
  const pc_colliders* c = pc_system_colliders(system);
  for (int p = first; c && p <= last && p < c->body_capacity; p++)
    if (c->body[p] >= 0) return 1;
  return 0;
}

/* The nodes of a beam in space count as one. */
static pc_status about_floating(pc_checking* c)
{
  for (int p = 0, last; p < pc_system_part_count(c->system); p = last + 1) {
    const pc_part* part = NULL;
    PC_TRY(pc_system_part(c->system, (pc_part_id){p}, &part, c->error));
    last = p + part->chain;
    if (part->within >= 0) continue;
    int held = has_shape(c->system, p, last);
    for (int i = 0; i < pc_system_element_count(c->system) && !held; i++) {
      pc_element_view e = pc_system_element(c->system, i);
      for (int k = 0; k < e.part_count; k++)
        held |=
            belongs(c->system, e.part[k], p, last) && acts(&e, part->kind == PC_PART_COORDINATES);
    }
    if (!held)
      PC_TRY(warn(c, PC_WARNING_MODEL, "give it a joint, a force or a contact, or remove it",
                  "'%s' has no joint, force or contact: it flies freely", part->name));
  }
  return PC_OK;
}

/* Rigid bodies and point masses: their first velocity is a translation. */
static pc_status about_masses(pc_checking* c)
{
  double least = INFINITY, most = 0;
  const char *light = "", *heavy = "";
  for (int i = 0; i < pc_system_element_count(c->system); i++) {
    pc_element_view e = pc_system_element(c->system, i);
    const pc_part* part = NULL;
    double space[PC_THIN_MOST * PC_THIN_MOST];
    const double* M = pc_terms_M(c->terms, i, space);
    if (e.part_count != 1 || !M) continue;
    PC_TRY(pc_system_part(c->system, (pc_part_id){e.part[0]}, &part, c->error));
    if (part->kind == PC_PART_COORDINATES || part->kind == PC_PART_BAR ||
        part->kind == PC_PART_BEAM)
      continue;
    double mass = M[0];
    if (mass < least) least = mass, light = part->name;
    if (mass > most) most = mass, heavy = part->name;
  }
  if (most > MASS_RATIO_LARGE * least)
    return warn(c, PC_WARNING_MODEL,
                "check the units; fix the heavy one to the ground if it hardly moves",
                "'%s' is %.2g times as heavy as '%s': contact forces lose digits", heavy,
                most / least, light);
  return PC_OK;
}

/* No weight, no force, no velocity, and no joint or contact that moves by a law of time. */
static pc_status about_stillness(pc_checking* c)
{
  if (pc_system_provides(c->system) & (PC_TERM_H | PC_TERM_CHI)) return PC_OK;
  for (int i = 0; i < c->report->u_count; i++)
    if (c->u[i] != 0) return PC_OK;
  return warn(c, PC_WARNING_MODEL, "give gravity, a force or an initial velocity",
              "nothing will move: there is no gravity, no force, no drive and no initial velocity");
}

/* A gap that closes within this share of the run belongs to its start and says nothing about dt. */
static const double START_SHARE = 0.02;

typedef struct step_limit {
  double dt;     /* a sensible step, or NAN */
  double factor; /* so many times that is far too much */
  const char* reason;
} step_limit;

/* The limit that dt exceeds by the most, if it does. */
static step_limit exceeded_limit(const pc_checking* c, double dt)
{
  const pc_check_report* r = c->report;
  const step_limit limit[] = {{r->step.vibration, DT_FACTOR, c->vibration},
                              {r->step.rotation, TURN_FACTOR, "rotation"},
                              {r->step.closing, DT_FACTOR, "closing gap"}};
  step_limit worst = {NAN, 0, NULL};
  double excess = 1;
  for (int i = 0; i < 3; i++) {
    int start = i == 2 && limit[i].dt < START_SHARE / CLOSING_PARTS * c->until;
    double of_this = dt / (limit[i].factor * limit[i].dt);
    if (start || !(of_this > excess)) continue;
    excess = of_this;
    worst = limit[i];
  }
  return worst;
}

static pc_status about_dt(pc_checking* c, double dt)
{
  step_limit limit = exceeded_limit(c, dt);
  if (!limit.reason) return PC_OK;
  int waves = !strcmp(limit.reason, "waves");
  char remedy[160];
  if (!waves)
    snprintf(remedy, sizeof remedy, "use --dt %.1g or less", limit.dt);
  else
    snprintf(
        remedy, sizeof remedy,
        "use --dt %.1g to see waves run through the elements, or fewer elements; schemes that are "
        "not explicit average over them",
        limit.dt);
  return warn(c, waves ? PC_WARNING_MODEL : PC_WARNING_DT, remedy,
              "dt is %.3g s, %.0f times what is suggested (%s)", dt, dt / limit.dt, limit.reason);
}

static pc_status about_run(pc_checking* c)
{
  if (!c->settings) return PC_OK;
  double dt = c->settings->dt;
  PC_TRY(about_dt(c, dt));
  if (c->until < dt)
    PC_TRY(warn(c, PC_WARNING_MODEL, "give a later `until` or a smaller dt",
                "the run ends at %.3g s, before the first step of %.3g s", c->until, dt));
  return PC_OK;
}

static pc_status about_shapes(pc_checking* c)
{
  pc_warning w;
  if (pc_check_describe_hulls(c->system, &w)) PC_TRY(warn(c, w.kind, w.remedy, "%s", w.text));
  if (!pc_check_describe_overlap(c->system, &c->report->found, &w)) return PC_OK;
  return warn(c, w.kind, w.remedy, "%s", w.text);
}

pc_status pc_check_warnings(pc_checking* c)
{
  PC_TRY(about_joints(c));
  PC_TRY(about_contacts(c));
  PC_TRY(about_shapes(c));
  PC_TRY(about_floating(c));
  PC_TRY(about_masses(c));
  PC_TRY(about_stillness(c));
  return about_run(c);
}
