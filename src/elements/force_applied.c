/* Forces and torques of given components. They have no potential energy. */
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
  pc_pair pair; /* with the ground */
  double at[3];
  pc_signal component[3];
} force;

/* A local evaluation whose only row is the wrench of F, which takes the place of u. */
PC_INLINE void force_kernel(const void* data, pc_local* l, pc_space s)
{
  const force* f = data;
  pc_scene scene = pc_scene_at(s, &f->pair, l->q, l->turns);
  pc_vec F = pc_vec_of(l->u), arm = pc_frame_vec(s, &scene.frame[0], f->at);
  pc_put_spatial_row(s, scene.pair, l, 0, F, 0, arm, arm);
}

static void evaluate_spatial(const force* f, const double F[3], pc_local* l)
{
  double h[PC_PAIR_U_MAX];
  pc_local row = {.q = l->q, .u = F, .W = h, .W_q = l->h_q};
  pc_run_spatial_kernel(force_kernel, f, &f->pair, &row, l->h_q != NULL);
  for (int i = 0; l->h && i < f->pair.u_count; i++) l->h[i] += h[i];
  for (int i = 0; l->f && i < f->pair.u_count; i++) l->f[i] += h[i];
}

static void evaluate_planar(const force* f, const double F[3], pc_local* l)
{
  double* const to[] = {l->h, l->f};
  for (int k = 0; k < 2; k++)
    for (int i = 0; to[k] && i < f->pair.dimension; i++) to[k][i] += F[i];
  if (!f->pair.place[0].turned) return;
  const pc_space s = {2, 0, 0, NULL};
  pc_frame frame = pc_frame_at(s, &f->pair, 0, l->q, l->turns);
  pc_vec arm = pc_frame_vec(s, &frame, f->at);
  for (int k = 0; k < 2; k++)
    if (to[k]) to[k][2] += arm.x.v * F[1] - arm.y.v * F[0];
  if (l->h_q) l->h_q[8] = -arm.x.v * F[0] - arm.y.v * F[1]; /* d(moment)/d(angle) */
}

static void evaluate_force(const void* data, pc_local* l)
{
  const force* f = data;
  double F[3] = {0, 0, 0};
  for (int i = 0; i < f->pair.dimension; i++) F[i] = signal_at(&f->component[i], l->t);
  if (f->pair.dimension == 3)
    evaluate_spatial(f, F, l);
  else
    evaluate_planar(f, F, l);
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
  force f = {0};
  int n = pc_system_dimension(a->system);
  PC_TRY(pc_check_name(a));
  PC_TRY(pc_check_finite(a, "point.at", n, def->point.at));
  PC_TRY(check_components(a, def, n));
  PC_TRY(pc_attach_one(a, PC_HOLDS_POINTS, def->point.part, "point.part", &f.pair));
  for (int i = 0; i < 3; i++) f.component[i] = def->force[i];
  for (int i = 0; i < n; i++) f.at[i] = def->point.at[i];
  pc_hang_point(&f.pair.place[0], f.at);
  *data = pc_alloc(1, sizeof **data);
  if (!*data) return pc_no_memory(a->error);
  **data = f;
  return PC_OK;
}

pc_status pc_add_force(pc_system* system, const pc_force_def* def, pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_adding a = {system, force_ops.kind, def->name, error};
  force* data;
  pc_status status = prepare_force(&a, def, &data);
  if (status != PC_OK) {
    for (int i = 0; i < 3; i++) destroy_signal(&def->force[i]);
    return status;
  }
  int steady = !def->force[0].value && !def->force[1].value && !def->force[2].value;
  int turned = data->pair.place[0].turned;
  const pc_element_def element = {
      .ops = &force_ops,
      .data = data,
      .name = def->name,
      .part_count = 1,
      .part = &def->point.part,
      .provides = PC_TERM_H | PC_TERM_F | (turned ? (unsigned)PC_TERM_H_Q : 0u),
      .constant = steady && !turned ? PC_TERM_H : 0,
  };
  return pc_system_add_element(system, &element, error);
}

/* ---- torque ------------------------------------------------------------------------------- */

typedef struct torque {
  pc_pair pair;           /* with the ground */
  int with_body;          /* a vector of the body's frame */
  pc_signal component[3]; /* in the plane only the first */
} torque;

/* A local evaluation whose only row is the torque in the body's frame; T takes the place of u. */
PC_INLINE void torque_kernel(const void* data, pc_local* l, pc_space s)
{
  const torque* f = data;
  pc_scene scene = pc_scene_at(s, &f->pair, l->q, l->turns);
  pc_put_spatial_turning_row(s, scene.pair, l, 0, pc_vec_of(l->u), 1, 0);
}

static void evaluate_torque(const void* data, pc_local* l)
{
  const torque* f = data;
  int planar = f->pair.dimension == 2, first = planar ? 2 : 3, count = planar ? 1 : 3;
  double T[3], h[PC_PAIR_U_MAX];
  for (int i = 0; i < count; i++) T[i] = h[first + i] = signal_at(&f->component[i], l->t);
  if (!planar && !f->with_body) {
    pc_local row = {.q = l->q, .u = T, .W = h, .W_q = l->h_q};
    pc_run_spatial_kernel(torque_kernel, f, &f->pair, &row, l->h_q != NULL);
  }
  for (int i = first; l->h && i < first + count; i++) l->h[i] += h[i];
  for (int i = first; l->f && i < first + count; i++) l->f[i] += h[i];
}

static void destroy_torque(void* data)
{
  torque* f = data;
  for (int i = 0; i < 3; i++) destroy_signal(&f->component[i]);
  free(f);
}

static const pc_element_ops torque_ops = {
    .kind = "torque", .evaluate = evaluate_torque, .destroy = destroy_torque};

/* Everything but the addition itself, which takes the signals over. */
static pc_status prepare_torque(const pc_adding* a, const pc_torque_def* def, torque** data)
{
  static const char* const field[3] = {"torque[0]", "torque[1]", "torque[2]"};
  torque f = {.with_body = def->in_body_frame};
  PC_TRY(pc_check_name(a));
  PC_TRY(pc_check_no_line(a));
  PC_TRY(pc_attach_one(a, PC_HOLDS_ANGLES, def->part, "part", &f.pair));
  int count = f.pair.dimension == 2 ? 1 : 3;
  for (int i = 0; i < 3; i++) {
    const pc_signal* s = &def->torque[i];
    if (!s->value) PC_TRY(pc_check_finite(a, field[i], 1, &s->constant));
    if (i >= count && (s->value || s->constant != 0))
      return pc_fail(a->error, PC_BAD_MODEL,
                     "%s '%s': %s is given, but in the plane there is one component", a->kind,
                     a->name, field[i]);
    f.component[i] = *s;
  }
  *data = pc_alloc(1, sizeof **data);
  if (!*data) return pc_no_memory(a->error);
  **data = f;
  return PC_OK;
}

pc_status pc_add_torque(pc_system* system, const pc_torque_def* def, pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  pc_adding a = {system, torque_ops.kind, def->name, error};
  torque* data;
  pc_status status = prepare_torque(&a, def, &data);
  if (status != PC_OK) {
    for (int i = 0; i < 3; i++) destroy_signal(&def->torque[i]);
    return status;
  }
  int steady = !def->torque[0].value && !def->torque[1].value && !def->torque[2].value;
  int turns = data->pair.dimension == 3 && !data->with_body;
  const pc_element_def element = {
      .ops = &torque_ops,
      .data = data,
      .name = def->name,
      .part_count = 1,
      .part = &def->part,
      .provides = PC_TERM_H | PC_TERM_F | (turns ? (unsigned)PC_TERM_H_Q : 0u),
      .constant = steady && !turns ? PC_TERM_H : 0,
  };
  return pc_system_add_element(system, &element, error);
}
