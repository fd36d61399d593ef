/* Forces and torques of given size in the inertial frame. They have no potential energy. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "elements/attach.h"

static double signal_at(const pc_signal* signal, double t)
{
  return signal->value ? signal->value(signal->user, t) : signal->constant;
}

static void destroy_signal(const pc_signal* signal)
{
  if (signal->destroy) signal->destroy(signal->user);
}

/* ---- force -------------------------------------------------------------------------------- */

typedef struct force {
  pc_place place;
  int dimension;
  double at[3];
  pc_signal component[3];
} force;

static void evaluate_force(const void* data, pc_local* l)
{
  const force* f = data;
  double F[3] = {0, 0, 0};
  for (int i = 0; i < f->dimension; i++) F[i] = signal_at(&f->component[i], l->t);
  double* const to[] = {l->h, l->f};
  for (int k = 0; k < 2; k++)
    for (int i = 0; to[k] && i < f->dimension; i++) to[k][i] += F[i];
  if (!f->place.turned) return;
  pc_frame frame = pc_frame_at(&f->place, l->q);
  pc_vec arm = pc_frame_vec((pc_space){2, 0}, &frame, f->at);
  for (int k = 0; k < 2; k++)
    if (to[k]) to[k][2] += arm.x.v * F[1] - arm.y.v * F[0];
  if (l->h_q) l->h_q[8] = -arm.x.v * F[0] - arm.y.v * F[1]; /* d(moment)/d(angle) */
}

static void destroy_force(void* data)
{
  force* f = data;
  for (int i = 0; i < 3; i++) destroy_signal(&f->component[i]);
  free(f);
}

static const pc_element_ops force_ops = {
    .kind = "force", .evaluate = evaluate_force, .destroy = destroy_force};

static pc_status check_components(const pc_adding* a, const pc_force_def* def, int dimension)
{
  static const char* const field[3] = {"force[0]", "force[1]", "force[2]"};
  for (int i = 0; i < 3; i++) {
    const pc_signal* s = &def->force[i];
    if (!s->value) PC_TRY(pc_check_finite(a, field[i], 1, &s->constant));
    if (i >= dimension && (s->value || s->constant != 0))
      return pc_fail(a->error, PC_BAD_MODEL,
                     "%s '%s': %s is given, but the system has dimension %d", a->kind, a->name,
                     field[i], dimension);
  }
  return PC_OK;
}

/* Everything but the addition itself, which takes the signals over. */
static pc_status prepare_force(const pc_adding* a, const pc_force_def* def, force** data)
{
  force f = {.dimension = pc_system_dimension(a->system)};
  PC_TRY(pc_check_name(a));
  PC_TRY(pc_check_finite(a, "point.at", f.dimension, def->point.at));
  PC_TRY(check_components(a, def, f.dimension));
  PC_TRY(pc_attach_one(a, PC_HOLDS_POINTS, def->point.part, "point.part", &f.place));
  for (int i = 0; i < 3; i++) f.component[i] = def->force[i];
  for (int i = 0; i < f.dimension; i++) f.at[i] = def->point.at[i];
  pc_hang_point(&f.place, f.at);
  *data = pc_alloc(1, sizeof **data);
  if (!*data) return pc_no_memory(a->error);
  **data = f;
  return PC_OK;
}

pc_status pc_add_force(pc_system* system, const pc_force_def* def, pc_error* error)
{
  pc_adding a = {system, force_ops.kind, def->name, error};
  force* data;
  pc_status status = prepare_force(&a, def, &data);
  if (status != PC_OK) {
    for (int i = 0; i < 3; i++) destroy_signal(&def->force[i]);
    return status;
  }
  int steady = !def->force[0].value && !def->force[1].value && !def->force[2].value;
  const pc_element_def element = {
      .ops = &force_ops,
      .data = data,
      .name = def->name,
      .part_count = 1,
      .part = &def->point.part,
      .provides = PC_TERM_H | PC_TERM_F | (data->place.turned ? (unsigned)PC_TERM_H_Q : 0u),
      .constant = steady && !data->place.turned ? PC_TERM_H : 0,
  };
  return pc_system_add_element(system, &element, error);
}

/* ---- torque ------------------------------------------------------------------------------- */

static void evaluate_torque(const void* data, pc_local* l)
{
  const pc_signal* torque = data;
  if (l->h) l->h[2] += signal_at(torque, l->t);
  if (l->f) l->f[2] += signal_at(torque, l->t);
}

static void destroy_torque(void* data)
{
  destroy_signal(data);
  free(data);
}

static const pc_element_ops torque_ops = {
    .kind = "torque", .evaluate = evaluate_torque, .destroy = destroy_torque};

static pc_status prepare_torque(const pc_adding* a, const pc_torque_def* def, pc_signal** data)
{
  PC_TRY(pc_check_name(a));
  PC_TRY(pc_check_planar(a));
  if (!def->torque.value) PC_TRY(pc_check_finite(a, "torque", 1, &def->torque.constant));
  pc_place place;
  PC_TRY(pc_attach_one(a, PC_HOLDS_ANGLES, def->part, "part", &place));
  *data = pc_alloc(1, sizeof **data);
  if (!*data) return pc_no_memory(a->error);
  **data = def->torque;
  return PC_OK;
}

pc_status pc_add_torque(pc_system* system, const pc_torque_def* def, pc_error* error)
{
  pc_adding a = {system, torque_ops.kind, def->name, error};
  pc_signal* data;
  pc_status status = prepare_torque(&a, def, &data);
  if (status != PC_OK) {
    destroy_signal(&def->torque);
    return status;
  }
  const pc_element_def element = {
      .ops = &torque_ops,
      .data = data,
      .name = def->name,
      .part_count = 1,
      .part = &def->part,
      .provides = PC_TERM_H | PC_TERM_F,
      .constant = def->torque.value ? 0 : PC_TERM_H,
  };
  return pc_system_add_element(system, &element, error);
}
