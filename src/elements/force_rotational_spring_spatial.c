/* A rotational spring and damper in space, about an axis that each part carries: a on part 0, b on
 * part 1, which agree at the start, as those of a revolute joint.
 *
 * The twist is measured from where there is no torque. With the quaternion r = (w, v) of the turn
 * from there, in the frame of part 0, it is 2 atan2(a . v, w): where a and b agree the angle about
 * them, elsewhere that of the turn which is left when the shortest one from a to b is taken off.
 * Its rate is e . (w_1 - w_0) with
 *     e = (a + b)/(1 + a . b),
 * as the rate of the angle between the shafts of a homokinetic joint. So the torque is -k twist e,
 * has the energy k twist^2/2 wherever the parts are, and has no meaning at b = -a alone.
 *
 * Quaternions follow a body without a jump, and r and -r are one rotation: the twist runs from -2
 * pi to 2 pi, through a full turn either way, and jumps there. */
#include "base/elementary.h"
#include "base/status.h"
#include "elements/attach.h"
#include "elements/rotational_spring.h"
#include "elements/spring_force.h"

static const double TURN = 6.28318530717958647692;

typedef struct rotational_spring {
  pc_pair pair;
  double axis[2][3];   /* unit vectors a and b in the frame of each part */
  double from_rest[4]; /* of the frame of part 0 seen from that of part 1, without torque */
  double stiffness, damping;
} rotational_spring;

static void quaternion_of(const pc_place* place, const double* q, double p[4])
{
  static const double none[4] = {1, 0, 0, 0};
  const double* from = place->width ? q + place->first + 3 : none;
  for (int i = 0; i < 4; i++) p[i] = from[i];
}

/* conj(p_0) p_1: part 1 seen from part 0. */
static void relative_turn(const double p_0[4], const double p_1[4], double r[4])
{
  const double back[4] = {p_0[0], -p_0[1], -p_0[2], -p_0[3]};
  pc_quaternion_product(back, p_1, r);
}

static double twist_of(const rotational_spring* f, const double* q)
{
  double p_0[4], p_1[4], r[4];
  const double* a = f->axis[0];
  quaternion_of(&f->pair.place[0], q, p_0);
  quaternion_of(&f->pair.place[1], q, p_1);
  relative_turn(p_0, p_1, r);
  pc_quaternion_product(r, f->from_rest, r);
  return 2 * pc_atan2(a[0] * r[1] + a[1] * r[2] + a[2] * r[3], r[0]);
}

/* The row of the twist. */
PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const rotational_spring* f = data;
  pc_scene scene = pc_scene_at(s, &f->pair, l->q, l->turns);
  pc_vec a = pc_frame_vec(s, &scene.frame[0], f->axis[0]);
  pc_vec b = pc_frame_vec(s, &scene.frame[1], f->axis[1]);
  pc_jet size = pc_jet_affine(s.n, 1, pc_vec_dot(s, a, b), 1);
  pc_vec e = pc_vec_times(s, pc_vec_plus(s, a, 1, b), pc_jet_inverse(s.n, size));
  pc_put_spatial_turning_row(s, scene.pair, l, 0, e, 1, 1);
}

static void add_forces(const rotational_spring* f, double twist, const pc_local* l)
{
  /* The kernel writes what turns alone. */
  double w[PC_PAIR_U_MAX] = {0}, w_q[PC_PAIR_U_MAX * PC_PAIR_Q_MAX] = {0};
  pc_local row = {.q = l->q, .W = w, .W_q = w_q};
  pc_run_spatial_kernel(kernel, f, &f->pair, &row, l->h_q != NULL);
  pc_spring_force_row x = {f->pair.q_count, f->pair.u_count, w, w_q};
  pc_spring_force p = {0};
  pc_spring_force_clear(l, x);
  pc_spring_force_stretch(&f->pair, l, f->stiffness, twist, x, &p);
  pc_spring_force_damp(l, f->damping, x, &p);
  pc_spring_force_add(l, x, &p);
}

static void evaluate(const void* data, pc_local* l)
{
  const rotational_spring* f = data;
  double twist = twist_of(f, l->q);
  if (l->energy) l->energy[1] += f->stiffness * twist * twist / 2;
  if (l->h || l->h_q || l->h_u || l->f) add_forces(f, twist, l);
}

static const pc_element_ops ops = {.kind = "rotational spring", .evaluate = evaluate};

/* The axis in both frames, and the turn `angle` about it away from the initial configuration. */
static void place_spring(const pc_adding* a, const pc_rotational_spring_def* def,
                         const double axis[3], rotational_spring* f)
{
  double p[2][4], start[4], rest[4], turn[3];
  for (int i = 0; i < 2; i++) {
    pc_initial_direction_to_part(a->system, def->part[i], axis, f->axis[i]);
    pc_initial_quaternion(a->system, def->part[i], p[i]);
  }
  relative_turn(p[1], p[0], start);
  for (int k = 0; k < 3; k++) turn[k] = -def->angle * f->axis[0][k];
  pc_rotation_exp(turn, rest);
  pc_quaternion_product(start, rest, f->from_rest);
}

pc_status pc_add_spatial_rotational_spring(const pc_adding* a, const pc_rotational_spring_def* def)
{
  rotational_spring data = {.stiffness = def->stiffness, .damping = def->damping};
  double axis[3];
  PC_TRY(pc_check_direction(a, "axis", def->axis, axis));
  if (!(fabs(def->angle) < TURN))
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': angle is %g; it must be less than a full turn, 2 pi, either way",
                   a->kind, a->name, def->angle);
  PC_TRY(pc_attach_pair(a, PC_HOLDS_ANGLES, def->part, (const char* const[]){"part[0]", "part[1]"},
                        &data.pair));
  place_spring(a, def, axis, &data);
  pc_element_def element = {
      .ops = &ops,
      .part_count = 2,
      .part = def->part,
      .provides = PC_TERM_H | PC_TERM_ENERGY | PC_TERM_H_Q |
                  (def->damping > 0 ? (unsigned)(PC_TERM_H_U | PC_TERM_F) : 0u),
  };
  return pc_add_copy(a, &element, &data, sizeof data);
}
