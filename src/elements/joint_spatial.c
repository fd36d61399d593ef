/* Joints in space: spherical, universal, revolute, cylindrical, planar, prismatic and fixed.
 *
 * Each part carries a point and a triad of axes a_0, a_1, a_2 (on part 0) and b_0, b_1, b_2 (on
 * part 1) that agree at the start; a_0 is the joint's axis. The rows are made of
 *   - the vector r = c_1 - c_0 of the points: its three components in the inertial axes, or, where
 *     the joint slides along a_0, a_1 . r and a_2 . r, or, where it slides across a_0, a_0 . r
 *     alone; these change as a_i . (v_1 - v_0) with both velocities taken of material points at
 *     c_1;
 *   - the cosines a_0 . b_1 (all that a universal joint keeps at 0), a_0 . b_2 (the axes stay
 *     parallel) and a_1 . b_2 (no turn about them), which change as (b x a) . (w_1 - w_0). */
#include "elements/joint_spatial.h"

#include <math.h>

#include "base/status.h"

typedef struct spatial_joint {
  pc_pair pair;
  double at[2][3];      /* the point in the frame of each part */
  double axis[2][3][3]; /* the triads in the frame of each part */
  int slides;           /* 0: not at all, 1: along a_0, 2: along a_1 and a_2 */
  int turning_rows;     /* 0: spherical, 1: universal, 2: about a_0, 3: no turn at all */
} spatial_joint;

PC_INLINE void put_position_rows(pc_space s, const spatial_joint* j, const pc_scene* scene,
                                 const pc_two_points* c, const pc_local* l)
{
  static const double inertial[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int rows = 3 - j->slides;
  pc_vec arm0 = j->slides ? pc_vec_plus(s, c->arm[0], 1, c->r) : c->arm[0];
  for (int i = 0; i < rows; i++) {
    pc_vec e = pc_vec_of(inertial[i]);
    if (j->slides) e = pc_frame_vec(s, &scene->frame[0], j->axis[0][j->slides == 1 ? i + 1 : 0]);
    if (l->y) l->y[i] = pc_vec_dot(s, e, c->r).v;
    if (l->W || s.n) pc_put_row(s, scene, l, i, e, 1, c->arm[1], arm0);
  }
}

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  static const int angle[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  const spatial_joint* j = data;
  pc_scene scene = pc_scene_at(s, &j->pair, l->q, l->turns);
  pc_two_points c = pc_two_points_at(s, &scene, j->at, l->q);
  put_position_rows(s, j, &scene, &c, l);
  int row = 3 - j->slides;
  for (int i = 0; i < j->turning_rows; i++, row++) {
    pc_vec a = pc_frame_vec(s, &scene.frame[0], j->axis[0][angle[i][0]]);
    pc_vec b = pc_frame_vec(s, &scene.frame[1], j->axis[1][angle[i][1]]);
    if (l->y) l->y[row] = pc_vec_dot(s, a, b).v;
    pc_vec e = pc_vec_cross(s, b, a);
    if (l->W || s.n) pc_put_spatial_turning_row(s, scene.pair, l, row, e, 1, 1);
  }
}

static void evaluate(const void* data, pc_local* l)
{
  const spatial_joint* j = data;
  pc_run_spatial_kernel(kernel, data, &j->pair, l, l->W_q != NULL);
}

static void shape(const void* data, pc_shape* s)
{
  const spatial_joint* j = data;
  s->kind = j->slides ? PC_SHAPE_SLIDE : j->turning_rows == 3 ? PC_SHAPE_WELD : PC_SHAPE_PIN;
  pc_place_shape(&j->pair, j->at, s);
  for (int k = 0; k < 3; k++) s->axis[k] = j->axis[0][0][k];
}

static const pc_element_ops spherical_ops = {
    .kind = "spherical", .evaluate = evaluate, .shape = shape};
static const pc_element_ops revolute_ops = {
    .kind = "revolute", .evaluate = evaluate, .shape = shape};
static const pc_element_ops universal_ops = {
    .kind = "universal", .evaluate = evaluate, .shape = shape};
static const pc_element_ops cylindrical_ops = {
    .kind = "cylindrical", .evaluate = evaluate, .shape = shape};
static const pc_element_ops planar_ops = {.kind = "planar", .evaluate = evaluate, .shape = shape};
static const pc_element_ops prismatic_ops = {
    .kind = "prismatic", .evaluate = evaluate, .shape = shape};
static const pc_element_ops fixed_ops = {.kind = "fixed", .evaluate = evaluate, .shape = shape};

/* The point and the triad in both parts' frames, from the initial configuration. `at` is NULL for
 * the point of the definition; `second` is the second axis, or NULL: any. */
static void place_joint(const pc_system* system, const pc_joint_def* def, const double at[3],
                        const double axis[3], const double second[3], spatial_joint* j)
{
  double triad[3][3];
  for (int k = 0; k < 3; k++) triad[0][k] = axis[k];
  pc_basis_of(axis, triad[1], triad[2]);
  for (int k = 0; second && k < 3; k++) triad[1][k] = second[k];
  if (second) pc_cross(triad[0], triad[1], triad[2]);
  for (int i = 0; i < 2; i++) {
    if (at)
      pc_initial_to_part(system, def->part[i], at, j->at[i]);
    else
      pc_joint_point(system, def, i, j->at[i]);
    for (int k = 0; k < 3; k++)
      pc_initial_direction_to_part(system, def->part[i], triad[k], j->axis[i][k]);
  }
}

static pc_status add(const pc_adding* a, const pc_element_ops* ops, const pc_joint_def* def,
                     const double at[3], const double axis[3], const double second[3],
                     spatial_joint* j)
{
  pc_holds holds = j->turning_rows ? PC_HOLDS_ANGLES : PC_HOLDS_POINTS;
  PC_TRY(
      pc_attach_pair(a, holds, def->part, (const char* const[]){"part[0]", "part[1]"}, &j->pair));
  place_joint(a->system, def, at, axis, second, j);
  int first_angle = 3 - j->slides, turns = j->pair.place[0].turned || j->pair.place[1].turned;
  pc_element_def element = {
      .ops = ops,
      .part_count = 2,
      .part = def->part,
      .g_count = first_angle + j->turning_rows,
      .angular = ((1u << j->turning_rows) - 1) << first_angle,
      .provides = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q,
      .constant = turns ? 0 : PC_TERM_W | PC_TERM_W_Q,
  };
  return pc_add_copy(a, &element, j, sizeof *j);
}

static const double Z[3] = {0, 0, 1};

pc_status pc_add_spherical(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                           pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_joint(system, id);
  pc_adding a = {system, spherical_ops.kind, def->name, error};
  PC_TRY(pc_check_name(&a));
  PC_TRY(pc_check_spatial(&a));
  PC_TRY(pc_check_finite(&a, "at", 3, def->at));
  return add(&a, &spherical_ops, def, NULL, Z, NULL, &(spatial_joint){0});
}

pc_status pc_add_spatial_revolute(const pc_adding* a, const pc_joint_def* def)
{
  double axis[3];
  PC_TRY(pc_check_finite(a, "at", 3, def->at));
  PC_TRY(pc_check_direction(a, "axis", def->axis, axis));
  return add(a, &revolute_ops, def, NULL, axis, NULL, &(spatial_joint){.turning_rows = 2});
}

pc_status pc_add_spatial_prismatic(const pc_adding* a, const pc_joint_def* def)
{
  double axis[3];
  PC_TRY(pc_check_finite(a, "at", 3, def->at));
  PC_TRY(pc_check_direction(a, "axis", def->axis, axis));
  return add(a, &prismatic_ops, def, NULL, axis, NULL,
             &(spatial_joint){.turning_rows = 3, .slides = 1});
}

/* A joint about or along one axis that exists in space alone. */
static pc_status add_about_axis(pc_system* system, const pc_element_ops* ops,
                                const pc_joint_def* def, spatial_joint j, pc_error* error)
{
  pc_adding a = {system, ops->kind, def->name, error};
  double axis[3];
  PC_TRY(pc_check_name(&a));
  PC_TRY(pc_check_spatial(&a));
  PC_TRY(pc_check_finite(&a, "at", 3, def->at));
  PC_TRY(pc_check_direction(&a, "axis", def->axis, axis));
  return add(&a, ops, def, NULL, axis, NULL, &j);
}

pc_status pc_add_cylindrical(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                             pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_joint(system, id);
  return add_about_axis(system, &cylindrical_ops, def,
                        (spatial_joint){.turning_rows = 2, .slides = 1}, error);
}

pc_status pc_add_planar(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                        pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_joint(system, id);
  return add_about_axis(system, &planar_ops, def, (spatial_joint){.turning_rows = 2, .slides = 2},
                        error);
}

/* Axes that are at right angles but for rounding of their components. */
static const double SQUARE = 1e-6;

pc_status pc_add_universal(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                           pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_joint(system, id);
  pc_adding a = {system, universal_ops.kind, def->name, error};
  double axis[3], second[3];
  PC_TRY(pc_check_name(&a));
  PC_TRY(pc_check_spatial(&a));
  PC_TRY(pc_check_finite(&a, "at", 3, def->at));
  PC_TRY(pc_check_direction(&a, "axis", def->axis, axis));
  PC_TRY(pc_check_direction(&a, "second_axis", def->second_axis, second));
  double cosine = axis[0] * second[0] + axis[1] * second[1] + axis[2] * second[2];
  if (fabs(cosine) > SQUARE)
    return pc_fail(error, PC_BAD_MODEL,
                   "%s '%s': axis and second_axis are not at right angles: their cosine is %g",
                   a.kind, a.name, cosine);
  for (int k = 0; k < 3; k++) second[k] -= cosine * axis[k];
  return add(&a, &universal_ops, def, NULL, axis, second, &(spatial_joint){.turning_rows = 1});
}

/* The common point is the centre of part 1, or of part 0 where part 1 is the ground. */
pc_status pc_add_spatial_fixed(const pc_adding* a, const pc_joint_def* def)
{
  const pc_part* part = NULL;
  double at[3];
  int own = pc_system_part(a->system, def->part[1], &part, NULL) == PC_OK && part ? 1 : 0;
  pc_initial_from_part(a->system, def->part[own], (const double[3]){0, 0, 0}, at);
  return add(a, &fixed_ops, def, at, Z, NULL, &(spatial_joint){.turning_rows = 3});
}
