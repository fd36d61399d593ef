/* Is a system ready to run? Position, velocity and acceleration level of its initial values. */
#include "simulate/check.h"
#include "base/length.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "percuss/collide.h"

/* The largest coordinate that is no angle; 1 where all are zero. */
double pc_check_size(const pc_system* system)
{
  double size = 0;
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    pc_quantity quantity = pc_system_quantity(system, i);
    if (quantity.kind != PC_QUANTITY_Q || !strcmp(quantity.unit, "rad")) continue;
    size = pc_larger(size, fabs(pc_system_q0(system)[quantity.index]));
  }
  return size > 0 ? size : 1;
}

static const char* velocity_name(const pc_system* system, int index)
{
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    pc_quantity quantity = pc_system_quantity(system, i);
    if (quantity.kind == PC_QUANTITY_U && quantity.index == index) return quantity.name;
  }
  return "";
}

/* Position and velocity of the joints. */
static void check_joints(pc_checking* c)
{
  pc_check_report* r = c->report;
  for (int row = 0; row < c->bilateral_count; row++) {
    pc_check_joint* joint = &c->report->joint[c->owner[row]];
    double g = fabs(c->terms->y[row]);
    double g_dot = fabs(pc_terms_row_velocity(c->terms, row, c->u));
    joint->position = pc_larger(joint->position, g);
    joint->velocity = pc_larger(joint->velocity, g_dot);
    if (g > r->start.position_max) {
      r->start.position_max = g;
      r->start.position_joint = joint->name;
    }
    if (g_dot > r->start.velocity_max) {
      r->start.velocity_max = g_dot;
      r->start.velocity_joint = joint->name;
    }
    if (!(g <= PC_POSITION_SHARE * c->size)) r->consistent = 0;
    if (!(g_dot <= pc_rest_tolerance(c->terms, row, c->u))) r->consistent = 0;
  }
}

static const char* state_name(pc_contact_motion mode)
{
  static const char* const name[] = {"open", "leaving", "impact", "resting", "sliding"};
  return name[mode];
}

static void check_contacts(pc_checking* c)
{
  pc_check_report* r = c->report;
  for (int k = 0; k < r->contact_count; k++) {
    pc_contact_info info = pc_system_contact(c->system, k);
    pc_contact_motion mode = pc_consistent_start_mode(c->start, k);
    double gap = c->terms->y[info.row];
    r->contact[k] = (pc_check_contact){
        .name = info.name,
        .state = state_name(mode),
        .closed = mode != PC_MOTION_OPEN,
        .gap = gap,
        .gap_velocity = pc_terms_row_velocity(c->terms, info.row, c->u),
        .force_normal = c->lambda[info.row],
        .dimension = info.dimension,
    };
    for (int d = 0; d < info.dimension; d++)
      r->contact[k].force_tangent[d] = c->lambda[info.row + 1 + d];
    r->closed_count += mode != PC_MOTION_OPEN;
    r->start.impact_count += mode == PC_MOTION_IMPACT;
    if (!info.is_angle && -gap > r->start.penetration_max) {
      r->start.penetration_max = -gap;
      r->start.penetration_contact = info.name;
    }
    if (gap < -PC_POSITION_SHARE * (info.is_angle ? 1 : c->size)) r->consistent = 0;
  }
}

static pc_status check_shapes(pc_checking* c)
{
  pc_check_report* r = c->report;
  PC_TRY(pc_check_shapes(c->system, c->settings, &r->found, c->error));
  if (r->found.overlap_count == 0) return PC_OK;
  const pc_check_overlap* worst = r->found.overlap;
  r->consistent = 0;
  if (worst->depth > r->start.penetration_max) {
    r->start.penetration_max = worst->depth;
    r->start.penetration_contact = pc_system_collider(c->system, worst->shape[0]).name;
  }
  return PC_OK;
}

static void check_accelerations(pc_checking* c)
{
  pc_check_report* r = c->report;
  int fastest = -1;
  for (int i = 0; i < r->u_count; i++)
    if (fabs(c->a[i]) > r->acceleration.max) {
      r->acceleration.max = fabs(c->a[i]);
      fastest = i;
    }
  if (fastest >= 0) r->acceleration.of = velocity_name(c->system, fastest);
  for (int row = 0; row < c->bilateral_count; row++) {
    double left = pc_row_dot(c->terms->row[row], c->a) + c->terms->zeta[row];
    r->acceleration.constraint_residual =
        pc_larger(r->acceleration.constraint_residual, fabs(left));
    pc_check_joint* joint = &c->report->joint[c->owner[row]];
    joint->force = pc_length(2, (const double[]){joint->force, c->lambda[row]});
  }
}

/* That the contacts have no solution is a finding; everything else that fails ends the check. */
static pc_status solve_start(pc_checking* c)
{
  pc_solver_info info;
  pc_status status =
      pc_consistent_start_solve(c->start, 0, c->q, c->u, c->a, c->lambda, &info, c->error);
  if (status != PC_OK && status != PC_NOT_CONVERGED) return status;
  c->terms = pc_consistent_start_terms(c->start);
  c->report->acceleration.solved = status == PC_OK;
  c->report->acceleration.contact_residual = info.residual;
  return PC_OK;
}

static pc_status examine(pc_checking* c)
{
  PC_TRY(solve_start(c));
  PC_TRY(pc_check_rank(c));
  check_joints(c);
  check_contacts(c);
  PC_TRY(check_shapes(c));
  check_accelerations(c);
  PC_TRY(pc_check_dt(c));
  pc_check_scheme(c);
  return pc_check_warnings(c);
}

static pc_status create_lists(pc_checking* c)
{
  pc_check_report* r = c->report;
  c->a = r->acceleration.value = pc_alloc((size_t)r->u_count, sizeof *c->a);
  c->work = pc_alloc((size_t)r->u_count, sizeof *c->work);
  c->owner = pc_alloc((size_t)c->bilateral_count, sizeof *c->owner);
  c->redundant = pc_alloc((size_t)c->bilateral_count, sizeof *c->redundant);
  c->lambda = pc_alloc((size_t)pc_system_row_count(c->system), sizeof *c->lambda);
  r->joint = pc_alloc((size_t)c->bilateral_count, sizeof *r->joint);
  r->contact = pc_alloc((size_t)r->contact_count, sizeof *r->contact);
  if (!c->a || !c->work || !c->lambda || !c->owner || !c->redundant || !r->joint || !r->contact)
    return pc_no_memory(c->error);
  return pc_consistent_start_create(c->system, NULL, &c->start, c->error);
}

pc_status pc_check(const pc_system* system, const pc_scheme_settings* settings, double until,
                   pc_check_report* report, pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(report, "report", error));
  return pc_check_system(system, settings, until, 0, report, error);
}

pc_status pc_check_system(const pc_system* system, const pc_scheme_settings* settings, double until,
                          int quick, pc_check_report* report, pc_error* error)
{
  *report = (pc_check_report){
      .q_count = pc_system_q_count(system),
      .u_count = pc_system_u_count(system),
      .g_count = pc_system_g_count(system),
      .gamma_count = pc_system_gamma_count(system),
      .contact_count = pc_system_contact_count(system),
      .consistent = 1,
      .start.position_joint = "",
      .start.penetration_contact = "",
      .start.velocity_joint = "",
      .acceleration.of = "",
      .step.reason = "",
  };
  pc_checking c = {.system = system,
                   .settings = settings,
                   .until = until,
                   .quick = quick,
                   .bilateral_count = report->g_count + report->gamma_count,
                   .q = pc_system_q0(system),
                   .u = pc_system_u0(system),
                   .size = pc_check_size(system),
                   .report = report,
                   .error = error};
  pc_status status = create_lists(&c);
  if (status == PC_OK) status = examine(&c);
  free(c.work);
  free(c.lambda);
  free(c.owner);
  free(c.redundant);
  pc_consistent_start_destroy(c.start);
  if (status != PC_OK) pc_check_free(report);
  return status;
}

void pc_check_free(pc_check_report* report)
{
  if (!report) return;
  free(report->acceleration.value);
  free(report->joint);
  free(report->contact);
  free(report->found.overlap);
  free(report->warning);
  *report = (pc_check_report){0};
}

const pc_check_joint* pc_check_find_joint(const pc_check_report* r, const char* name)
{
  if (!r) return NULL;
  for (int i = 0; i < r->joint_count; i++)
    if (!strcmp(r->joint[i].name, name)) return &r->joint[i];
  return NULL;
}

const pc_check_contact* pc_check_find_contact(const pc_check_report* r, const char* name)
{
  if (!r) return NULL;
  for (int i = 0; i < r->contact_count; i++)
    if (!strcmp(r->contact[i].name, name)) return &r->contact[i];
  return NULL;
}
