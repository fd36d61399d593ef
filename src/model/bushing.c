/* A bushing: springs and dampers between two bodies along and about the axes of the first. Along
 * each axis it is what a motor is in a joint with that axis, whose force depends on the
 * displacement or the angle since the start. */
#include <string.h>

#include "base/status.h"
#include "model/maker.h"
#include "model/makers.h"

enum { AXES = 3 };

/* The displacements and angles of a bushing, names that only its formulas know. */
typedef struct bushing_scope {
  int dimension;
  pc_expr displacement[AXES], angle[AXES];
} bushing_scope;

static const char* const displacement_name[AXES] = {"x", "y", "z"};
static const char* const angle_name[AXES] = {"ax", "ay", "az"};

static int is_name(const char* name, size_t length, const char* known)
{
  return strlen(known) == length && strncmp(name, known, length) == 0;
}

static int find_name(void* user, pc_pool* pool, const char* name, size_t length, pc_expr* meaning)
{
  const bushing_scope* s = user;
  (void)pool;
  for (int i = 0; i < s->dimension; i++) {
    if (is_name(name, length, displacement_name[i])) return *meaning = s->displacement[i], 1;
    if (s->dimension == 3 && is_name(name, length, angle_name[i])) return *meaning = s->angle[i], 1;
  }
  if (s->dimension == 3 || !is_name(name, length, "angle")) return 0;
  *meaning = s->angle[0];
  return 1;
}

static void list_names(const void* user, pc_suggestion* names)
{
  const bushing_scope* s = user;
  for (int i = 0; i < s->dimension; i++) pc_suggest_add(names, displacement_name[i]);
  for (int i = 0; s->dimension == 3 && i < AXES; i++) pc_suggest_add(names, angle_name[i]);
  if (s->dimension < 3) pc_suggest_add(names, "angle");
}

typedef struct making {
  const pc_bushing_def* def;
  const pc_node* place;
  double axis[AXES][3]; /* of the first body, in the frame of its part */
} making;

/* The bushing as joints, one for each axis of the first body. */
typedef struct axis_joints {
  pc_joint_entry joint[AXES];
  pc_joint_view view[AXES];
} axis_joints;

static pc_status view_axes(pc_maker* m, const making* what, axis_joints* a)
{
  const pc_bushing_def* def = what->def;
  pc_expr_frame f[2];
  for (int k = 0; k < 2; k++)
    if (!pc_variables_frame(&m->v, m->pool, def->joint.part[k], &f[k]))
      return pc_fail_at(m->v.r->error, what->place,
                        "bushing '%s' cannot hold a node of a bar or beam", def->name);
  for (int i = 0; i < AXES; i++) {
    pc_joint_entry* j = &a->joint[i];
    *j = (pc_joint_entry){.part = {def->joint.part[0], def->joint.part[1]}};
    pc_joint_frame_of(m->v.r->system, &def->joint, NULL, &j->frame);
    memcpy(j->frame.axis[0][0], what->axis[i], sizeof what->axis[i]);
    a->view[i] = (pc_joint_view){j, {f[0], f[1]}};
  }
  return PC_OK;
}

/* Names the bushing in an error about one of its formulas. */
static pc_status parse(pc_maker* m, const making* what, const char* key, bushing_scope* names,
                       const pc_node* node, pc_expr* to)
{
  pc_scope scope = {find_name, list_names, names, &m->v.scope};
  m->takes_loads = 1;
  m->wanted_by = node;
  pc_status status = pc_parse_node(&scope, node, m->pool, to, m->v.r->error);
  m->takes_loads = 0;
  if (status == PC_BAD_MODEL)
    pc_prefix_error(m->v.r->error, "bushing '%s', %s: ", what->def->name, key);
  return status;
}

/* One kind of its coordinates: displacements or angles. */
typedef struct coordinates {
  pc_joint_coordinate which;
  int count;
  const pc_node *stiffness, *damping; /* NULL: 0 */
  const char *stiffness_key, *damping_key;
} coordinates;

/* The formula of axis i: an item of a list, or the only one. */
static const pc_node* formula_of(const pc_node* value, int i)
{
  if (!value || value->kind == PC_NODE_SCALAR) return value;
  const pc_node* item = value->first;
  while (i-- > 0 && item) item = item->next;
  return item;
}

/* -k x - c x' along or about each axis. */
static pc_status add_springs(pc_maker* m, const making* what, const axis_joints* a,
                             bushing_scope* names, const coordinates* c)
{
  pc_pool* pool = m->pool;
  for (int i = 0; i < c->count; i++) {
    const pc_node *k = formula_of(c->stiffness, i), *d = formula_of(c->damping, i);
    pc_expr factor = 0, force = pc_expr_number(pool, 0);
    if (k) {
      pc_expr x = pc_coordinate_of(pool, &a->view[i], c->which);
      PC_TRY(parse(m, what, c->stiffness_key, names, k, &factor));
      force = pc_expr_of(pool, force, '-', pc_expr_of(pool, factor, '*', x));
    }
    if (d) {
      pc_expr v = pc_coordinate_rate(pool, &a->view[i], c->which);
      PC_TRY(parse(m, what, c->damping_key, names, d, &factor));
      force = pc_expr_of(pool, force, '-', pc_expr_of(pool, factor, '*', v));
    }
    if (k || d) pc_maker_add_joint_force(m, &a->view[i], c->which, force);
  }
  return PC_OK;
}

static pc_status fill_bushing(pc_maker* m, void* user)
{
  const making* what = user;
  const pc_bushing_def* def = what->def;
  int dimension = m->v.r->dimension, angles = dimension == 3 ? 3 : 1;
  axis_joints a;
  bushing_scope names = {.dimension = dimension};
  PC_TRY(view_axes(m, what, &a));
  for (int i = 0; i < dimension; i++)
    names.displacement[i] = pc_coordinate_of(m->pool, &a.view[i], PC_COORDINATE_DISPLACEMENT);
  for (int i = 0; i < angles; i++)
    names.angle[i] = pc_coordinate_of(m->pool, &a.view[i], PC_COORDINATE_ANGLE);
  const coordinates kinds[] = {
      {PC_COORDINATE_DISPLACEMENT, dimension, def->stiffness, def->damping, "stiffness", "damping"},
      {PC_COORDINATE_ANGLE, angles, def->angular_stiffness, def->angular_damping,
       "angular_stiffness", "angular_damping"}};
  for (int i = 0; i < 2; i++) PC_TRY(add_springs(m, what, &a, &names, &kinds[i]));
  return PC_OK;
}

/* A body that is fixed is a part of the ground, in whose frame its axes are turned. */
static void find_axes(const pc_reader* r, const pc_node* fields, making* what)
{
  const pc_node* first = pc_node_key(fields, "bodies")->value->first;
  int b = pc_names_find(&r->bodies.names, first->text, strlen(first->text));
  for (int i = 0; i < AXES; i++)
    for (int k = 0; k < 3; k++)
      what->axis[i][k] =
          b >= 0 && r->bodies.entry[b].is_fixed ? r->bodies.entry[b].frame.A[3 * k + i] : i == k;
}

pc_status pc_make_bushing(pc_reader* r, const pc_any_def* def, const pc_node* place,
                          const pc_node* fields)
{
  making what = {.def = &def->bushing, .place = place};
  find_axes(r, fields, &what);
  if (!what.def->stiffness && !what.def->damping && !what.def->angular_stiffness &&
      !what.def->angular_damping)
    return pc_fail_at(r->error, place,
                      "bushing '%s': give at least one of 'stiffness', 'damping', "
                      "'angular_stiffness' and 'angular_damping'",
                      def->name);
  pc_status status = pc_make_formula(r, def->name, fill_bushing, &what, NULL);
  if (status != PC_OK && status != PC_OUT_OF_MEMORY && !r->error->column)
    status = pc_place_error(r->error, place, status);
  PC_TRY(status);
  pc_point at[2];
  pc_joint_frame frame;
  pc_joint_frame_of(r->system, &what.def->joint, NULL, &frame);
  for (int i = 0; i < 2; i++) {
    at[i] = (pc_point){.part = what.def->joint.part[i]};
    memcpy(at[i].at, frame.at[i], sizeof at[i].at);
  }
  return pc_note_force(r, at);
}
