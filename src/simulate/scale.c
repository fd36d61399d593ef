#include "simulate/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "percuss/shape.h"
#include "system/found.h"
#include "system/inspect.h"
#include "system/stages.h"
#include "system/terms.h"

static const pc_scale OF_ANGLES = {1, "a radian"};

/* ---- bodies --------------------------------------------------------------------------------- */

/* What is known of the parts, while the scales are made. */
typedef struct bodies {
  const pc_system* system;
  double* radius; /* of each part: how far it extends from its centre [m]; 0: unknown */
  double all;     /* the diagonal of the box around what is placed at the start [m] */
} bodies;

static int is_rigid(const pc_system* system, int part)
{
  pc_part_kind kind = pc_system_part_info(system, (pc_part_id){part}).kind;
  return kind == PC_PART_PLANAR_BODY || kind == PC_PART_SPATIAL_BODY;
}

/* A body reaches at least as far as its radius of gyration, whatever is attached to it. */
static void widen_by_inertia(bodies* b, const pc_terms* terms)
{
  for (int e = 0; e < pc_system_element_count(b->system); e++) {
    pc_element_view view = pc_system_element(b->system, e);
    double space[PC_THIN_MOST * PC_THIN_MOST];
    if (view.part_count != 1 || !is_rigid(b->system, view.part[0])) continue;
    const double* M = pc_terms_M(terms, e, space);
    if (!M || !(M[0] > 0)) continue;
    int n = pc_system_part_info(b->system, (pc_part_id){view.part[0]}).u_count;
    double inertia = 0;
    for (int i = n == 3 ? 2 : 3; i < n; i++) inertia = pc_larger(inertia, M[i * n + i]);
    double* radius = &b->radius[view.part[0]];
    *radius = pc_larger(*radius, sqrt(inertia / M[0]));
  }
}

static void widen_box(double box[2][3], const double x[3])
{
  for (int i = 0; i < 3; i++) {
    box[0][i] = fmin(box[0][i], x[i]);
    box[1][i] = fmax(box[1][i], x[i]);
  }
}

/* The parts and the points of joints, forces and contacts, but for the places of planes. */
static double diagonal_of(const pc_system* system)
{
  const double* q = pc_system_q0(system);
  double box[2][3], x[3], A[9], square = 0;
  for (int i = 0; i < 3; i++) box[0][i] = INFINITY, box[1][i] = -INFINITY;
  for (int p = 0; p < pc_system_part_count(system); p++) {
    if (pc_system_part_info(system, (pc_part_id){p}).kind == PC_PART_COORDINATES) continue;
    pc_part_pose(system, (pc_part_id){p}, q, x, A);
    widen_box(box, x);
  }
  for (int e = 0; e < pc_system_element_count(system); e++) {
    pc_shape shape = pc_system_shape(system, e);
    int places = shape.kind == PC_SHAPE_NONE                                    ? 0
                 : shape.kind == PC_SHAPE_PLANE || shape.kind == PC_SHAPE_CURVE ? 1
                                                                                : 2;
    for (int i = 0; i < places; i++) {
      pc_point_position(system, &shape.at[i], q, x);
      widen_box(box, x);
    }
  }
  for (int i = 0; i < 3; i++)
    if (box[1][i] > box[0][i]) square += (box[1][i] - box[0][i]) * (box[1][i] - box[0][i]);
  return sqrt(square);
}

/* The smaller of some bodies, or all of the mechanism where none has a known size. */
static pc_scale joined(const bodies* b, const int* part, int count)
{
  pc_scale scale = {INFINITY, "the body"};
  for (int i = 0; i < count; i++)
    if (part[i] >= 0 && b->radius[part[i]] > 0)
      scale.size = fmin(scale.size, 2 * b->radius[part[i]]);
  if (scale.size == INFINITY && b->all > 0) scale = (pc_scale){b->all, "the mechanism"};
  return scale;
}

/* ---- contacts ------------------------------------------------------------------------------- */

/* Of a contact that has a place: the radius of a shape, or of the body that a point is of. */
static pc_scale of_place(const pc_shape* shape, double size)
{
  int is_round = shape->radius[0] > 0 || shape->semi_axes[0] > 0;
  return (pc_scale){size, is_round ? "the radius of the shape" : "the reach of the body"};
}

/* Of a stop: as of a point on the smaller body. */
static pc_scale of_stop(const bodies* b, const int* part, int count)
{
  pc_scale scale = joined(b, part, count);
  return (pc_scale){scale.size / 2, "the reach of the body"};
}

static void measure_contacts(pc_scales* s, const bodies* b, const pc_body_sizes* sizes)
{
  for (int e = 0; e < pc_system_element_count(b->system); e++) {
    pc_element_view view = pc_system_element(b->system, e);
    pc_shape shape = pc_system_shape(b->system, e);
    for (int k = 0; k < view.contact_count; k++) {
      int contact = view.contact_first + k;
      s->of_contact[contact] = pc_system_contact(b->system, contact).is_angle ? OF_ANGLES
                               : shape.kind != PC_SHAPE_NONE
                                   ? of_place(&shape, sizes->of_contact[contact])
                                   : of_stop(b, view.part, view.part_count);
    }
  }
}

/* ---- joints --------------------------------------------------------------------------------- */

/* The group of a row, a new one where its joint or its unit is another than that of the row
 * before. */
static pc_row_group* group_of_row(pc_scales* s, const pc_system* system, int row, int is_angle)
{
  for (int k = s->group_count - 1; k >= 0; k--) {
    if (!pc_system_same_owner(system, s->group[k].row, row)) break;
    if (s->group[k].is_angle == is_angle) return &s->group[k];
  }
  s->group[s->group_count] = (pc_row_group){.row = row, .is_angle = is_angle};
  return &s->group[s->group_count++];
}

static void measure_joints(pc_scales* s, const bodies* b)
{
  for (int i = 0; i < pc_system_quantity_count(b->system); i++) {
    pc_quantity x = pc_system_quantity(b->system, i);
    if (x.kind != PC_QUANTITY_ROW_POSITION || x.index >= s->row_count) continue;
    int is_angle = !strcmp(x.unit, "rad");
    pc_row_group* group = group_of_row(s, b->system, x.index, is_angle);
    s->group_of[x.index] = (int)(group - s->group);
    pc_element_view view = pc_system_element(b->system, pc_system_row_element(b->system, x.index));
    group->scale = is_angle ? OF_ANGLES : joined(b, view.part, view.part_count);
  }
}

void pc_scales_begin(pc_scales* s)
{
  for (int k = 0; k < s->group_count; k++) s->group[k].max = s->group[k].t = 0;
}

void pc_scales_note_joints(pc_scales* s, const double* y, double t)
{
  for (int k = 0; k < s->group_count; k++) s->group[k].square = 0;
  for (int r = 0; r < s->row_count; r++) s->group[s->group_of[r]].square += y[r] * y[r];
  for (int k = 0; k < s->group_count; k++) {
    pc_row_group* group = &s->group[k];
    if (!(group->square > group->max * group->max)) continue;
    group->max = sqrt(group->square);
    group->t = t;
  }
}

/* ---- the whole ------------------------------------------------------------------------------ */

static pc_status measure(pc_scales* s, const pc_system* system, pc_error* error)
{
  pc_terms* terms;
  pc_body_sizes sizes = {0};
  PC_TRY(pc_terms_create(system, PC_TERM_M, &terms, error));
  pc_terms_evaluate(terms, &(pc_at){0, pc_system_q0(system), pc_system_u0(system), NULL});
  pc_status status = pc_body_sizes_create(&sizes, system);
  if (status == PC_OK) {
    bodies b = {system, sizes.reach, diagonal_of(system)};
    widen_by_inertia(&b, terms);
    measure_contacts(s, &b, &sizes);
    measure_joints(s, &b);
  }
  pc_body_sizes_clear(&sizes);
  pc_terms_destroy(terms);
  return status == PC_OK ? PC_OK : pc_no_memory(error);
}

pc_status pc_scales_create(pc_scales* s, const pc_system* system, pc_error* error)
{
  *s = (pc_scales){.row_count = pc_system_g_count(system)};
  size_t rows = (size_t)s->row_count;
  s->of_contact = pc_alloc((size_t)pc_system_fixed_contact_count(system), sizeof *s->of_contact);
  s->group_of = pc_alloc(rows, sizeof *s->group_of);
  s->group = pc_alloc(rows, sizeof *s->group);
  if (!s->of_contact || !s->group_of || !s->group) return pc_no_memory(error);
  return measure(s, system, error);
}

void pc_scales_clear(pc_scales* s)
{
  free(s->of_contact);
  free(s->group_of);
  free(s->group);
  *s = (pc_scales){0};
}
