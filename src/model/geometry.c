#include "model/geometry.h"
#include "base/length.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/mesh_file.h"

enum { RECENT = 8, CORNERS_MAX = 100000 }; /* equal shapes mostly follow each other */

/* --- corners and files ---------------------------------------------------------------------- */

static pc_status read_corners(const pc_reader* r, const pc_node* list, pc_geometry_def* def,
                              double** corner)
{
  if (list->kind != PC_NODE_SEQUENCE || list->count > CORNERS_MAX)
    return pc_fail_at(r->error, list, "expected a list of at most %d corners, found %s",
                      CORNERS_MAX, pc_node_describe(list));
  *corner = pc_alloc((size_t)list->count * (size_t)r->dimension, sizeof **corner);
  if (!*corner) return pc_no_memory(r->error);
  double* to = *corner;
  for (const pc_node* item = list->first; item; item = item->next, to += r->dimension)
    PC_TRY(pc_read_vector(r, item, to));
  def->corner = *corner;
  def->corner_count = list->count;
  return PC_OK;
}

static pc_status read_triangles(const pc_reader* r, const pc_node* name, double scale,
                                pc_triangles* triangles)
{
  const pc_file* file = NULL;
  PC_TRY(pc_files_read(r->shapes.files, name, name->text, &file, r->error));
  PC_TRY(pc_place_error(
      r->error, name, pc_triangles_parse(name->text, file->data, file->size, triangles, r->error)));
  for (int i = 0; i < 3 * triangles->corner_count; i++) triangles->corner[i] *= scale;
  return PC_OK;
}

/* --- geometries ----------------------------------------------------------------------------- */

static int is_same(const pc_known_geometry* known, const pc_geometry_def* def, const char* file,
                   double scale)
{
  if (known->kind != def->kind) return 0;
  if (file || known->file)
    return file && known->file && !strcmp(file, known->file) && known->scale == scale;
  return known->radius == def->radius && known->length == def->length &&
         memcmp(known->size, def->size, sizeof def->size) == 0;
}

/* Geometries of files are all looked at, for they are few and large; of the others the last
 * ones. */
static const pc_known_geometry* find_known(const pc_shape_reader* s, const pc_geometry_def* def,
                                           const char* file, double scale)
{
  int oldest = file || s->known_count < RECENT ? 0 : s->known_count - RECENT;
  for (int i = s->known_count - 1; i >= oldest; i--)
    if (is_same(&s->known[i], def, file, scale)) return &s->known[i];
  return NULL;
}

static pc_status add_known(pc_reader* r, const pc_geometry_def* def, const char* file, double scale,
                           pc_geometry* geometry, pc_geometry_id id)
{
  pc_shape_reader* s = &r->shapes;
  if (pc_grow((void**)&s->known, &s->known_capacity, s->known_count, sizeof *s->known) != PC_OK)
    return pc_no_memory(r->error);
  pc_known_geometry* known = &s->known[s->known_count++];
  *known = (pc_known_geometry){.kind = def->kind,
                               .radius = def->radius,
                               .length = def->length,
                               .file = file,
                               .scale = scale,
                               .form = geometry,
                               .id = id};
  memcpy(known->size, def->size, sizeof def->size);
  return PC_OK;
}

static pc_geometry_kind kind_of(const pc_reader* r, const char* name)
{
  int kind = 0;
  while (kind + 1 < PC_GEOMETRY_KINDS &&
         (pc_geometry_kind_dimension((pc_geometry_kind)kind) != r->dimension ||
          strcmp(pc_geometry_kind_name((pc_geometry_kind)kind), name) != 0))
    kind++;
  return (pc_geometry_kind)kind;
}

/* Reads what is not a plain number, and makes a geometry of all. */
static pc_status create(pc_reader* r, const pc_node* value, pc_geometry_def* def, const char* file,
                        double scale, pc_geometry** geometry)
{
  double* corner = NULL;
  pc_triangles triangles = {0};
  pc_status status = PC_OK;
  int has_corners = def->kind == PC_GEOMETRY_POLYGON || def->kind == PC_GEOMETRY_POLYLINE ||
                    def->kind == PC_GEOMETRY_POLYHEDRON;
  if (file) {
    status = read_triangles(r, value, scale, &triangles);
    def->corner_count = triangles.corner_count;
    def->corner = triangles.corner;
    def->triangle_count = triangles.triangle_count;
    def->triangle = triangles.triangle;
  } else if (has_corners) {
    status = read_corners(r, value, def, &corner);
  }
  if (status == PC_OK)
    status = pc_place_error(r->error, value, pc_geometry_create(def, geometry, r->error));
  pc_triangles_release(&triangles);
  free(corner);
  return status;
}

pc_status pc_make_geometry(pc_reader* r, const char* kind, const pc_node* shape,
                           const pc_shape_def* shape_def, pc_geometry_id* id,
                           const pc_geometry** form)
{
  const pc_node* value = pc_node_key(shape, kind)->value;
  pc_geometry_def def = shape_def->geometry;
  def.kind = kind_of(r, kind);
  int may_be_file = def.kind == PC_GEOMETRY_POLYHEDRON || def.kind == PC_GEOMETRY_MESH;
  const char* file = may_be_file && value->kind == PC_NODE_SCALAR ? value->text : NULL;
  if (def.kind == PC_GEOMETRY_MESH && !file)
    return pc_fail_at(r->error, value, "expected the name of an STL or OBJ file");
  int is_plain = !pc_node_key(shape, "polygon") && !pc_node_key(shape, "polyline") &&
                 !(def.kind == PC_GEOMETRY_POLYHEDRON && !file);
  const pc_known_geometry* known =
      is_plain ? find_known(&r->shapes, &def, file, shape_def->scale) : NULL;
  if (known) {
    *id = known->id;
    *form = known->form;
    return PC_OK;
  }
  pc_geometry* geometry = NULL;
  PC_TRY(create(r, value, &def, file, shape_def->scale, &geometry));
  *form = geometry;
  PC_TRY(pc_place_error(r->error, value, pc_add_geometry(r->system, geometry, id, r->error)));
  return is_plain ? add_known(r, &def, file, shape_def->scale, geometry, *id) : PC_OK;
}

void pc_geometries_clear(pc_shape_reader* shapes)
{
  free(shapes->known);
  shapes->known = NULL;
  shapes->known_count = shapes->known_capacity = 0;
}

/* --- poses ---------------------------------------------------------------------------------- */

static int normalise(double v[3])
{
  double length = pc_length(3, v);
  if (!(length > 0)) return 0;
  for (int i = 0; i < 3; i++) v[i] /= length;
  return 1;
}

/* The quaternion that turns the third axis into a unit vector, the short way. */
static void turn_to(const double axis[3], double turn[4])
{
  turn[0] = 1 + axis[2];
  turn[1] = -axis[1];
  turn[2] = axis[0];
  turn[3] = 0;
  if (turn[0] > 1e-12) return;
  turn[0] = 0; /* half a turn, about any axis across */
  turn[1] = 1;
  turn[2] = 0;
}

pc_status pc_make_pose(const pc_reader* r, const char* kind, const pc_node* shape,
                       const pc_shape_def* def, pc_pose* pose)
{
  double normal[3] = {def->normal[0], def->normal[1], def->normal[2]};
  double axis[3] = {def->axis[0], def->axis[1], def->axis[2]}, turn[4];
  const pc_node* value = pc_node_key(shape, kind)->value;
  const pc_node* along = pc_node_key(shape, "axis");
  memcpy(turn, def->orientation, sizeof turn);
  if (strncmp(kind, "half-", 5) == 0) {
    if (!normalise(normal)) return pc_fail_at(r->error, value, "the normal must not be zero");
    *pose = pc_pose_of_plane(r->dimension, def->position, normal);
    return PC_OK;
  }
  if (along && pc_node_key(shape, "orientation"))
    return pc_fail_at(r->error, along, "expected either an axis or an orientation");
  if (along && !normalise(axis))
    return pc_fail_at(r->error, along->value, "the axis must not be zero");
  if (along) turn_to(axis, turn);
  *pose = r->dimension == 3 ? pc_pose_in_space(def->position, turn)
                            : pc_pose_in_plane(def->position[0], def->position[1], def->angle);
  return PC_OK;
}

pc_pose pc_compose_poses(const pc_pose* outer, const pc_pose* inner)
{
  pc_pose pose = {{0}, {0}};
  for (int i = 0; i < 3; i++) {
    pose.x[i] = outer->x[i];
    for (int k = 0; k < 3; k++) pose.x[i] += outer->A[3 * i + k] * inner->x[k];
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) pose.A[3 * i + j] += outer->A[3 * i + k] * inner->A[3 * k + j];
  }
  return pose;
}
