/* A rotational spring and damper in the plane: T = k (angle_1 - angle_0 - angle) + c (spin_1 -
 * spin_0) turns part 0 forward and part 1 back. */
#include "base/status.h"
#include "elements/attach.h"
#include "elements/rotational_spring.h"

typedef struct rotational_spring {
  pc_pair pair;
  double stiffness, damping, angle;
} rotational_spring;

/* matrix += -scale w w', where w is 1 for the angle of part 1 and -1 for that of part 0 */
static void put_coupling(const pc_pair* pair, double scale, double* matrix)
{
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      if (pair->place[i].width && pair->place[k].width)
        matrix[(pair->place[i].first + 2) * pair->q_count + pair->place[k].first + 2] =
            i == k ? -scale : scale;
}

static void evaluate(const void* data, pc_local* l)
{
  const rotational_spring* f = data;
  double twist = pc_pair_angle(&f->pair, l->q) - f->angle;
  if (l->energy) l->energy[1] += f->stiffness * twist * twist / 2;
  if (l->h) {
    double torque = f->stiffness * twist + f->damping * pc_pair_angle(&f->pair, l->u);
    if (f->pair.place[0].width) l->h[f->pair.place[0].first + 2] += torque;
    if (f->pair.place[1].width) l->h[f->pair.place[1].first + 2] -= torque;
  }
  if (l->f) {
    double torque = f->damping * pc_pair_angle(&f->pair, l->u);
    if (f->pair.place[0].width) l->f[f->pair.place[0].first + 2] += torque;
    if (f->pair.place[1].width) l->f[f->pair.place[1].first + 2] -= torque;
  }
  if (l->h_q) put_coupling(&f->pair, f->stiffness, l->h_q);
  if (l->h_u) put_coupling(&f->pair, f->damping, l->h_u);
}

static const pc_element_ops ops = {.kind = "rotational spring", .evaluate = evaluate};

pc_status pc_add_rotational_spring(pc_system* system, const pc_rotational_spring_def* def,
                                   pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  pc_adding a = {system, ops.kind, def->name, error};
  PC_TRY(pc_check_name(&a));
  PC_TRY(pc_check_no_line(&a));
  PC_TRY(pc_check_not_negative(&a, "stiffness", def->stiffness));
  PC_TRY(pc_check_not_negative(&a, "damping", def->damping));
  PC_TRY(pc_check_finite(&a, "angle", 1, &def->angle));
  if (pc_system_dimension(system) == 3) return pc_add_spatial_rotational_spring(&a, def);
  rotational_spring data = {
      .stiffness = def->stiffness, .damping = def->damping, .angle = def->angle};
  PC_TRY(pc_attach_pair(&a, PC_HOLDS_ANGLES, def->part, (const char* const[]){"part[0]", "part[1]"},
                        &data.pair));
  pc_element_def element = {
      .ops = &ops,
      .part_count = 2,
      .part = def->part,
      .provides = PC_TERM_H | PC_TERM_ENERGY | (def->stiffness > 0 ? (unsigned)PC_TERM_H_Q : 0u) |
                  (def->damping > 0 ? (unsigned)(PC_TERM_H_U | PC_TERM_F) : 0u),
      .constant = PC_TERM_H_Q | PC_TERM_H_U,
  };
  return pc_add_copy(&a, &element, &data, sizeof data);
}
