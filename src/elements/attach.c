#include "elements/attach.h"
#include "base/length.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "elements/compliance.h"

static const double PI = 3.14159265358979323846;

/* ---- checks ------------------------------------------------------------------------------- */

pc_status pc_check_name(const pc_adding* a)
{
  if (a->name && a->name[0]) return PC_OK;
  return pc_fail(a->error, PC_BAD_MODEL, "%s: name is missing", a->kind);
}

pc_status pc_check_finite(const pc_adding* a, const char* field, int count, const double* value)
{
  for (int i = 0; i < count; i++)
    if (!isfinite(value[i]))
      return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': %s is not finite", a->kind, a->name, field);
  return PC_OK;
}

pc_status pc_check_positive(const pc_adding* a, const char* field, double value)
{
  if (value > 0 && isfinite(value)) return PC_OK;
  return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': %s is %g; it must be positive and finite",
                 a->kind, a->name, field, value);
}

pc_status pc_check_not_negative(const pc_adding* a, const char* field, double value)
{
  if (value >= 0 && isfinite(value)) return PC_OK;
  return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': %s is %g; it must be finite and not negative",
                 a->kind, a->name, field, value);
}

pc_status pc_check_planar(const pc_adding* a)
{
  int dimension = pc_system_dimension(a->system);
  if (dimension == 2) return PC_OK;
  return pc_fail(a->error, PC_BAD_MODEL, "%s '%s' needs a planar system; this one has dimension %d",
                 a->kind, a->name, dimension);
}

pc_status pc_check_no_line(const pc_adding* a)
{
  if (pc_system_dimension(a->system) > 1) return PC_OK;
  return pc_fail(a->error, PC_BAD_MODEL,
                 "%s '%s' needs a planar or spatial system; this one has dimension 1", a->kind,
                 a->name);
}

pc_status pc_check_spatial(const pc_adding* a)
{
  int dimension = pc_system_dimension(a->system);
  if (dimension == 3) return PC_OK;
  return pc_fail(a->error, PC_BAD_MODEL,
                 "%s '%s' needs a spatial system; this one has dimension %d", a->kind, a->name,
                 dimension);
}

pc_status pc_check_direction(const pc_adding* a, const char* field, const double vector[3],
                             double unit[3])
{
  int n = pc_system_dimension(a->system);
  PC_TRY(pc_check_finite(a, field, n, vector));
  double largest = 0, length = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(vector[i]));
  if (!(largest > 0))
    return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': %s is zero; it must have a direction", a->kind,
                   a->name, field);
  for (int i = 0; i < 3; i++) unit[i] = i < n ? vector[i] / largest : 0;
  for (int i = 0; i < n; i++) length += unit[i] * unit[i];
  for (int i = 0; i < n; i++) unit[i] /= sqrt(length);
  return PC_OK;
}

static pc_status check_fraction(const pc_adding* a, const char* contact, const char* field,
                                double value)
{
  if (value >= 0 && value <= 1) return PC_OK;
  return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': %s is %g; it must be from 0 to 1", a->kind,
                 contact, field, value);
}

pc_status pc_check_law(const pc_adding* a, const pc_contact_law* law, int* rows)
{
  if (!law->name || !law->name[0])
    return pc_fail(a->error, PC_BAD_MODEL, "%s: name of a contact is missing", a->kind);
  PC_TRY(check_fraction(a, law->name, "e_N", law->e_N));
  PC_TRY(check_fraction(a, law->name, "e_F", law->e_F));
  *rows = 0;
  if (law->mu == PC_FRICTIONLESS) return PC_OK;
  if (!(law->mu >= 0) || !isfinite(law->mu))
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': mu is %g; it must be finite and not negative, or PC_FRICTIONLESS",
                   a->kind, law->name, law->mu);
  *rows = pc_system_dimension(a->system) - 1;
  if (*rows == 0 && law->mu > 0)
    return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': mu is %g, but a line has no tangent", a->kind,
                   law->name, law->mu);
  return PC_OK;
}

/* Drilling friction: RATTLE (59). A disc of radius R under uniform pressure resists turning about
 * its normal as a circle of radius 3 pi R/16 would; the law is a ball in three velocities. */
static pc_status check_drilling(const pc_adding* a, const pc_contact_law* law, const pc_pair* pair,
                                pc_friction* friction)
{
  double R = law->contact_radius;
  if (R == 0) return PC_OK;
  if (!(R > 0) || !isfinite(R))
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': contact_radius is %g; it must be finite and not negative", a->kind,
                   law->name, R);
  if (friction->rows != 2)
    return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': contact_radius needs %s", a->kind, law->name,
                   pair->dimension == 3 ? "a friction coefficient" : "a spatial system");
  if (pair->place[0].kind != PC_PART_SPATIAL_BODY && pair->place[1].kind != PC_PART_SPATIAL_BODY)
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': contact_radius needs a body that can turn, not a point mass", a->kind,
                   law->name);
  friction->rows = 3;
  friction->drilling = 3 * PI / 16 * R;
  return PC_OK;
}

/* ---- places ------------------------------------------------------------------------------- */

static pc_status place_part(const pc_adding* a, pc_holds holds, pc_part_id id, const char* field,
                            pc_pair* pair, pc_place* place)
{
  const pc_part* part;
  if (pc_system_part(a->system, id, &part, NULL) != PC_OK)
    return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': %s: there is no part number %d", a->kind,
                   a->name, field, id.index);
  if (!part) {
    *place = (pc_place){.kind = PC_PLACE_GROUND, .first = pair->q_count, .u_first = pair->u_count};
    return PC_OK;
  }
  if (part->kind == PC_PART_BAR || part->kind == PC_PART_BEAM)
    return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': %s: '%s' is a %s; name one of its nodes",
                   a->kind, a->name, field, part->name, part->kind == PC_PART_BAR ? "bar" : "beam");
  int is_body = part->kind == PC_PART_PLANAR_BODY || part->kind == PC_PART_SPATIAL_BODY;
  if (!is_body && (holds == PC_HOLDS_ANGLES || part->kind != PC_PART_POINT_MASS))
    return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': %s: '%s' is not a %s", a->kind, a->name, field,
                   part->name, holds == PC_HOLDS_ANGLES ? "rigid body" : "body or point mass");
  *place = (pc_place){.kind = part->kind,
                      .first = pair->q_count,
                      .width = part->q_count,
                      .u_first = pair->u_count,
                      .turned = part->kind == PC_PART_SPATIAL_BODY};
  pair->q_count += part->q_count;
  pair->u_count += part->u_count;
  return PC_OK;
}

pc_status pc_attach_pair(const pc_adding* a, pc_holds holds, const pc_part_id part[2],
                         const char* const field[2], pc_pair* pair)
{
  *pair = (pc_pair){.dimension = pc_system_dimension(a->system)};
  for (int i = 0; i < 2; i++)
    PC_TRY(place_part(a, holds, part[i], field[i], pair, &pair->place[i]));
  if (part[0].index != part[1].index) return PC_OK;
  return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': %s and %s are the same%s", a->kind, a->name,
                 field[0], field[1], part[0].index < 0 ? ": the ground" : " part");
}

pc_status pc_attach_one(const pc_adding* a, pc_holds holds, pc_part_id part, const char* field,
                        pc_pair* pair)
{
  *pair = (pc_pair){.dimension = pc_system_dimension(a->system)};
  PC_TRY(place_part(a, holds, part, field, pair, &pair->place[0]));
  PC_TRY(place_part(a, holds, PC_GROUND, field, pair, &pair->place[1]));
  if (pair->place[0].kind != PC_PLACE_GROUND) return PC_OK;
  return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': %s is the ground, which cannot move", a->kind,
                 a->name, field);
}

pc_status pc_attach_contact(const pc_adding* a, const pc_contact_law* law, const pc_part_id part[2],
                            const char* const field[2], pc_pair* pair, pc_friction* friction)
{
  PC_TRY(pc_check_law(a, law, &friction->rows));
  PC_TRY(pc_attach_pair(a, PC_HOLDS_POINTS, part, field, pair));
  return check_drilling(a, law, pair, friction);
}

void pc_choose_plane_tangents(const double normal[3], pc_friction* friction)
{
  pc_basis_of(normal, friction->tangent[0], friction->tangent[1]);
}

void pc_choose_sphere_tangents(const double normal[3], pc_friction* friction)
{
  double length = pc_length(3, normal);
  for (int i = 0; i < 3; i++) friction->axis[2][i] = length > 0 ? normal[i] / length : i == 2;
  pc_basis_of(friction->axis[2], friction->axis[0], friction->axis[1]);
}

void pc_hang_point(pc_place* place, const double at[3])
{
  if (place->kind == PC_PART_PLANAR_BODY && (at[0] != 0 || at[1] != 0)) place->turned = 1;
}

void pc_hang_direction(pc_place* place)
{
  if (place->kind == PC_PART_PLANAR_BODY) place->turned = 1;
}

/* ---- the initial configuration ------------------------------------------------------------ */

/* The part's coordinates, or NULL for the ground. The id has been checked. */
static const double* initial(const pc_system* system, pc_part_id id, int* kind)
{
  const pc_part* part = NULL;
  if (pc_system_part(system, id, &part, NULL) != PC_OK || !part) return NULL;
  *kind = part->kind;
  return pc_system_q0(system) + part->q_first;
}

double pc_initial_angle(const pc_system* system, pc_part_id part)
{
  int kind;
  const double* q = initial(system, part, &kind);
  return q && kind == PC_PART_PLANAR_BODY ? q[2] : 0;
}

void pc_initial_quaternion(const pc_system* system, pc_part_id part, double p[4])
{
  int kind;
  const double* q = initial(system, part, &kind);
  for (int i = 0; i < 4; i++) p[i] = q ? q[3 + i] : i == 0;
}

/* The rotation of a part in the initial configuration. */
static void initial_rotation(const pc_system* system, pc_part_id part, double A[9])
{
  int kind;
  const double* q = initial(system, part, &kind);
  if (q && kind == PC_PART_SPATIAL_BODY) {
    pc_rotation_matrix(q + 3, A);
    return;
  }
  double angle = pc_initial_angle(system, part);
  const double planar[9] = {
      pc_cos(angle), -pc_sin(angle), 0, pc_sin(angle), pc_cos(angle), 0, 0, 0, 1};
  memcpy(A, planar, sizeof planar);
}

void pc_initial_direction_to_part(const pc_system* system, pc_part_id part, const double v[3],
                                  double to[3])
{
  double A[9];
  initial_rotation(system, part, A);
  pc_rotation_apply_inverse(A, v, to);
}

void pc_initial_to_part(const pc_system* system, pc_part_id part, const double at[3], double to[3])
{
  int kind, dimension = pc_system_dimension(system);
  const double* q = initial(system, part, &kind);
  double r[3];
  for (int i = 0; i < 3; i++) r[i] = i < dimension ? at[i] - (q ? q[i] : 0) : 0;
  pc_initial_direction_to_part(system, part, r, to);
}

void pc_initial_from_part(const pc_system* system, pc_part_id part, const double at[3],
                          double to[3])
{
  int kind, dimension = pc_system_dimension(system);
  const double* q = initial(system, part, &kind);
  double A[9], r[3];
  for (int i = 0; i < 3; i++) r[i] = i < dimension ? at[i] : 0;
  initial_rotation(system, part, A);
  pc_rotation_apply(A, r, to);
  for (int i = 0; q && i < dimension; i++) to[i] += q[i];
}

void pc_joint_point(const pc_system* system, const pc_joint_def* def, int i, double to[3])
{
  int n = pc_system_dimension(system);
  if (!def->by_points) {
    pc_initial_to_part(system, def->part[i], def->at, to);
    return;
  }
  for (int k = 0; k < 3; k++) to[k] = k < n ? def->point[i].at[k] : 0;
}

double pc_initial_distance(const pc_system* system, const pc_point* from, const pc_point* to)
{
  double start[3], end[3];
  pc_initial_from_part(system, from->part, from->at, start);
  pc_initial_from_part(system, to->part, to->at, end);
  return pc_distance(3, start, end);
}

void pc_place_shape(const pc_pair* pair, const double at[2][3], pc_shape* shape)
{
  for (int i = 0; i < 2; i++) {
    shape->at[i].part.index = pair->place[i].kind == PC_PLACE_GROUND ? PC_GROUND.index : 0;
    for (int k = 0; k < 3; k++) shape->at[i].at[k] = at[i][k];
  }
}

/* ---- adding ------------------------------------------------------------------------------- */

const pc_element_ops* pc_choose_ops(const pc_adding* a, const pc_element_ops ops[2])
{
  return &ops[pc_system_dimension(a->system) == 3];
}

void pc_next_joint(const pc_system* system, pc_joint_id* id)
{
  if (id) id->index = pc_system_element_count(system);
}

void pc_next_contact(const pc_system* system, const pc_contact_law* law, pc_contact_id* id)
{
  if (id) id->index = law->compliance.stiffness != 0 ? -1 : pc_system_contact_count(system);
}

pc_status pc_add_copy(const pc_adding* a, pc_element_def* def, const void* data, size_t size)
{
  def->data = pc_alloc(1, size);
  if (!def->data) return pc_no_memory(a->error);
  memcpy(def->data, data, size);
  def->name = a->name;
  if (pc_is_compliant(def)) return pc_add_compliant(a, def);
  return pc_system_add_element(a->system, def, a->error);
}
