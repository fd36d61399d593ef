#include "model/field.h"
#include "base/length.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "percuss/shape.h"
#include "text/names.h"

const char* pc_field_key(const pc_field* field)
{
  const char* dot = strrchr(field->path, '.');
  return dot ? dot + 1 : field->path;
}

/* --- numbers and vectors -------------------------------------------------------------------- */

static pc_status check_range(const pc_reader* r, const pc_field* f, const pc_node* node,
                             double value)
{
  switch (f->range) {
    case PC_ANY: return PC_OK;
    case PC_POSITIVE:
      if (value > 0) return PC_OK;
      return pc_fail_at(r->error, node, "it is %g, but must be positive", value);
    case PC_NOT_NEGATIVE:
      if (value >= 0) return PC_OK;
      return pc_fail_at(r->error, node, "it is %g, but must not be negative", value);
    case PC_FROM_0_TO_1:
      if (value >= 0 && value <= 1) return PC_OK;
      return pc_fail_at(r->error, node, "it is %g, but must be from 0 to 1", value);
  }
  return PC_OK;
}

static pc_status read_number(const pc_reader* r, const pc_field* f, const pc_node* node,
                             double* value)
{
  PC_TRY(pc_number_of_node(&r->scope, node, value, r->error));
  return check_range(r, f, node, *value);
}

static pc_status read_count(const pc_reader* r, const pc_node* node, int* count)
{
  double value = 0;
  PC_TRY(pc_number_of_node(&r->scope, node, &value, r->error));
  if (!(value >= 1 && value <= INT_MAX) || floor(value) != value)
    return pc_fail_at(r->error, node, "it is %g, but must be a whole number from 1 on", value);
  *count = (int)value;
  return PC_OK;
}

static const char* vector_text(int dimension)
{
  static const char* const text[] = {"", "[x]", "[x, y]", "[x, y, z]"};
  return text[dimension];
}

/* The items of a vector, or of a number that stands for one in one dimension. */
static pc_status vector_items(const pc_reader* r, const pc_node* node, const pc_node** item)
{
  if (r->dimension == 1 && node->kind == PC_NODE_SCALAR) {
    item[0] = node;
    return PC_OK;
  }
  if (node->kind != PC_NODE_SEQUENCE)
    return pc_fail_at(r->error, node, "expected a list of %d numbers, %s, found %s", r->dimension,
                      vector_text(r->dimension), pc_node_describe(node));
  if (node->count != r->dimension)
    return pc_fail_at(r->error, node, "expected %d numbers, %s, found %d", r->dimension,
                      vector_text(r->dimension), node->count);
  int i = 0;
  for (const pc_node* n = node->first; n; n = n->next) item[i++] = n;
  return PC_OK;
}

pc_status pc_read_vector(const pc_reader* r, const pc_node* node, double* vector)
{
  const pc_node* item[3];
  PC_TRY(vector_items(r, node, item));
  for (int i = 0; i < r->dimension; i++)
    PC_TRY(pc_number_of_node(&r->scope, item[i], &vector[i], r->error));
  return PC_OK;
}

/* The numbers of a list of a given length. */
static pc_status read_numbers(const pc_reader* r, const pc_node* list, double* value)
{
  for (const pc_node* item = list->first; item; item = item->next)
    PC_TRY(pc_number_of_node(&r->scope, item, value++, r->error));
  return PC_OK;
}

/* [xx, yy, zz], [xx, yy, zz, xy, xz, yz], or three rows of three numbers. */
static pc_status read_inertia(const pc_reader* r, const pc_node* node, double inertia[9])
{
  double n[6] = {0, 0, 0, 0, 0, 0};
  int rows = node->kind == PC_NODE_SEQUENCE && node->count == 3;
  for (const pc_node* row = node->first; rows && row; row = row->next)
    rows = row->kind == PC_NODE_SEQUENCE && row->count == 3;
  for (const pc_node* row = node->first; rows && row; row = row->next, inertia += 3)
    PC_TRY(read_numbers(r, row, inertia));
  if (rows) return PC_OK;
  if (node->kind != PC_NODE_SEQUENCE || (node->count != 3 && node->count != 6))
    return pc_fail_at(r->error, node,
                      "expected [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or three rows of three "
                      "numbers, found %s",
                      pc_node_describe(node));
  PC_TRY(read_numbers(r, node, n));
  const double full[9] = {n[0], n[3], n[4], n[3], n[1], n[5], n[4], n[5], n[2]};
  memcpy(inertia, full, sizeof full);
  return PC_OK;
}

/* {axis: [x, y, z], angle: a} */
static pc_status read_axis_and_angle(const pc_reader* r, const pc_node* node, double p[4])
{
  const pc_node *axis = pc_node_key(node, "axis"), *angle = pc_node_key(node, "angle");
  double v[3], a;
  for (const pc_node* key = node->first; key; key = key->next)
    if (key != axis && key != angle)
      return pc_fail_at(r->error, key, "unknown key '%.60s'; expected axis and angle", key->text);
  if (!axis || !angle)
    return pc_fail_at(r->error, node, "'%s' is missing; expected {axis: [x, y, z], angle: a}",
                      axis ? "angle" : "axis");
  PC_TRY(pc_read_vector(r, axis->value, v));
  PC_TRY(pc_number_of_node(&r->scope, angle->value, &a, r->error));
  double length = pc_length(3, v);
  if (!(length > 0))
    return pc_fail_at(r->error, axis->value, "the axis is zero; it must have a direction");
  p[0] = pc_cos(a / 2);
  for (int i = 0; i < 3; i++) p[i + 1] = pc_sin(a / 2) * v[i] / length;
  return PC_OK;
}

static pc_status read_turn(const pc_reader* r, const pc_node* node, double p[4])
{
  if (node->kind == PC_NODE_MAPPING) return read_axis_and_angle(r, node, p);
  if (node->kind != PC_NODE_SEQUENCE || node->count != 4)
    return pc_fail_at(r->error, node,
                      "expected a quaternion [w, x, y, z] or {axis: [x, y, z], angle: a}, found %s",
                      pc_node_describe(node));
  PC_TRY(read_numbers(r, node, p));
  if (p[0] == 0 && p[1] == 0 && p[2] == 0 && p[3] == 0)
    return pc_fail_at(r->error, node, "the quaternion is zero; it must have a length");
  return PC_OK;
}

static pc_status read_flag(const pc_reader* r, const pc_node* node, int* flag)
{
  if (node->kind == PC_NODE_SCALAR && strcmp(node->text, "true") == 0)
    *flag = 1;
  else if (node->kind == PC_NODE_SCALAR && strcmp(node->text, "false") == 0)
    *flag = 0;
  else
    return pc_fail_at(r->error, node, "expected true or false");
  return PC_OK;
}

/* --- bodies and points ---------------------------------------------------------------------- */

static pc_status fail_with_body(const pc_reader* r, const pc_node* node)
{
  pc_suggestion names;
  pc_suggest_begin(&names, node->text);
  for (int i = 0; i < r->bodies.count; i++) pc_suggest_add(&names, r->bodies.entry[i].name);
  pc_suggest_add(&names, "ground");
  return pc_fail_at(r->error, node, "there is no body '%.60s'%s", node->text,
                    pc_suggest_text(&names, "bodies"));
}

/* The number of a node of a chain: root, tip, 0, 1, ..., or -1. */
static int node_number(const char* text, int last)
{
  if (strcmp(text, "root") == 0) return 0;
  if (strcmp(text, "tip") == 0) return last;
  if (text[0] < '0' || text[0] > '9') return -1;
  char* end;
  long number = strtol(text, &end, 10);
  return *end == 0 && number <= last ? (int)number : -1;
}

/* A bar or beam has no single place: joints, forces and contacts hold on to its nodes. */
static pc_status read_chain_node(const pc_reader* r, const pc_node* node, const pc_body_entry* body,
                                 const char* text, pc_part_id* id)
{
  int is_bar = strcmp(body->chain, "bar") == 0;
  int last = is_bar ? pc_bar_elements(r->system, body->id) : pc_beam_last_node(r->system, body->id);
  int number = node_number(text, last);
  if (number < 0)
    return pc_fail_at(r->error, node,
                      "%s '%s' has no node '%.40s': expected root, tip or a number from 0 to %d",
                      body->chain, body->name, text, last);
  pc_status status = is_bar ? pc_bar_node(r->system, body->id, number, id, r->error)
                            : pc_beam_node(r->system, body->id, number, id, r->error);
  return pc_place_error(r->error, node, status);
}

static pc_status read_body(const pc_reader* r, const pc_node* node, pc_part_id* id)
{
  if (node->kind != PC_NODE_SCALAR || !node->text[0])
    return pc_fail_at(r->error, node, "expected the name of a body, found %s",
                      pc_node_describe(node));
  *id = PC_GROUND;
  if (strcmp(node->text, "ground") == 0) return PC_OK;
  size_t head = strcspn(node->text, ".");
  int i = pc_names_find(&r->bodies.names, node->text, head);
  if (i < 0 || (node->text[head] && !r->bodies.entry[i].chain)) return fail_with_body(r, node);
  if (r->bodies.entry[i].chain && !node->text[head])
    return pc_fail_at(r->error, node,
                      "'%s' is a %s: expected one of its nodes, such as %s.root or %s.tip",
                      node->text, r->bodies.entry[i].chain, node->text, node->text);
  if (r->bodies.entry[i].chain)
    return read_chain_node(r, node, &r->bodies.entry[i], node->text + head + 1, id);
  *id = r->bodies.entry[i].id;
  return PC_OK;
}

/* Whether components or points are given in the frame of the body that a field names. */
static int names_frame(const pc_field* field)
{
  const char* key = pc_field_key(field);
  return strcmp(key, "frame") == 0 || strcmp(key, "part") == 0;
}

/* A body that is fixed is a part of the ground, so that its frame is the inertial one: where its
 * own is another, what is given in it would be taken for something else. */
static pc_status check_frame(const pc_reader* r, const pc_field* field, const pc_node* node)
{
  int i = pc_names_find(&r->bodies.names, node->text, strlen(node->text));
  if (i < 0 || !r->bodies.entry[i].is_fixed || !names_frame(field)) return PC_OK;
  const pc_pose* pose = &r->bodies.entry[i].frame;
  int same = 1;
  for (int k = 0; k < 3; k++) same &= pose->x[k] == 0;
  for (int k = 0; k < 9; k++) same &= pose->A[k] == (k % 4 == 0);
  if (same) return PC_OK;
  return pc_fail_at(
      r->error, node,
      "'%.60s' is fixed, a part of the ground: say ground, and what is in its frame in "
      "the inertial one",
      node->text);
}

static pc_status read_body_field(const pc_reader* r, const pc_field* field, const pc_node* node,
                                 pc_part_id* id)
{
  PC_TRY(read_body(r, node, id));
  return check_frame(r, field, node);
}

/* Points of a body are given in the frame of its shapes. Its own frame has its origin in the centre
 * of mass; that of a body which is ground is the inertial one. */
static void move_point(const pc_reader* r, const char* name, pc_point* point)
{
  int i = pc_names_find(&r->bodies.names, name, strcspn(name, "."));
  if (i < 0) return;
  const pc_body_entry* body = &r->bodies.entry[i];
  double at[3] = {point->at[0], point->at[1], point->at[2]};
  for (int k = 0; k < 3; k++) point->at[k] -= body->centre[k];
  for (int k = 0; k < 3 && body->is_fixed; k++)
    point->at[k] = body->frame.x[k] + body->frame.A[3 * k] * at[0] +
                   body->frame.A[3 * k + 1] * at[1] + body->frame.A[3 * k + 2] * at[2];
}

/* [body, [x, y]], or just the body's name for the origin of its frame. */
pc_status pc_read_point(const pc_reader* r, const pc_node* node, pc_point* point)
{
  for (int i = 0; i < 3; i++) point->at[i] = 0;
  int is_name = node->kind == PC_NODE_SCALAR && node->text[0];
  if (!is_name && (node->kind != PC_NODE_SEQUENCE || node->count != 2))
    return pc_fail_at(r->error, node, "expected a point of a body, [body, %s]",
                      vector_text(r->dimension));
  const pc_node* body = is_name ? node : node->first;
  PC_TRY(read_body(r, body, &point->part));
  if (!is_name) PC_TRY(pc_read_vector(r, node->first->next, point->at));
  move_point(r, body->text, point);
  return PC_OK;
}

static pc_status check_pair(const pc_reader* r, const pc_node* node, const char* what)
{
  if (node->kind == PC_NODE_SEQUENCE && node->count == 2) return PC_OK;
  return pc_fail_at(r->error, node, "expected a list of two %s, found %s%s", what,
                    pc_node_describe(node),
                    node->kind == PC_NODE_SEQUENCE ? " of another length" : "");
}

static pc_status check_different(const pc_reader* r, const pc_node* node, pc_part_id a,
                                 pc_part_id b)
{
  if (a.index != b.index) return PC_OK;
  return pc_fail_at(r->error, node, "expected two different bodies");
}

static pc_status read_bodies(const pc_reader* r, const pc_node* node, pc_part_id id[2])
{
  PC_TRY(check_pair(r, node, "bodies"));
  PC_TRY(read_body(r, node->first, &id[0]));
  PC_TRY(read_body(r, node->first->next, &id[1]));
  return check_different(r, node, id[0], id[1]);
}

static pc_status read_points(const pc_reader* r, const pc_node* node, pc_point point[2])
{
  PC_TRY(check_pair(r, node, "points"));
  PC_TRY(pc_read_point(r, node->first, &point[0]));
  PC_TRY(pc_read_point(r, node->first->next, &point[1]));
  return check_different(r, node, point[0].part, point[1].part);
}

/* --- functions of t, and of x and y --------------------------------------------------------- */

/* Variables of an expression by their names: number i is the i-th. */
static int find_variable(void* user, pc_pool* pool, const char* name, size_t length,
                         pc_expr* meaning)
{
  const char* const* variable = user;
  for (int i = 0; variable[i]; i++) {
    if (strlen(variable[i]) != length || strncmp(variable[i], name, length) != 0) continue;
    *meaning = pc_expr_variable(pool, i);
    return 1;
  }
  return 0;
}

static void list_variables(const void* user, pc_suggestion* names)
{
  for (const char* const* v = user; *v; v++) pc_suggest_add(names, *v);
}

static pc_scope variables_scope(const pc_reader* r, const char* const* variable)
{
  return (pc_scope){find_variable, list_variables, (void*)variable, &r->scope};
}

static pc_status check_compiled(const pc_reader* r, const pc_node* node, pc_status status)
{
  if (status == PC_OK) return PC_OK;
  if (status == PC_OUT_OF_MEMORY) return pc_no_memory(r->error);
  return pc_fail_at(r->error, node, "the expression is too long");
}

static pc_status make_signal(const pc_reader* r, pc_pool* pool, const pc_node* node,
                             pc_signal* signal)
{
  static const char* const time[] = {"t", NULL};
  pc_scope scope = variables_scope(r, time);
  pc_expr expr = 0;
  PC_TRY(pc_parse_node(&scope, node, pool, &expr, r->error));
  if (pc_expr_depends(pool, expr, 0))
    return check_compiled(r, node, pc_formula_signal(pool, expr, signal));
  *signal = pc_constant_signal(0); /* t may be there all the same: 0*sin(t) */
  return pc_number_of_node(&scope, node, &signal->constant, r->error);
}

pc_status pc_read_signal(const pc_reader* r, const pc_node* node, pc_signal* signal)
{
  if (node->kind == PC_NODE_SCALAR && node->text[0] && !pc_is_expression(node->text)) {
    *signal = pc_constant_signal(0);
    return pc_number_of_node(&r->scope, node, &signal->constant, r->error);
  }
  pc_pool* pool = pc_pool_create();
  if (!pool) return pc_no_memory(r->error);
  pc_status status = make_signal(r, pool, node, signal);
  pc_pool_destroy(pool);
  return status;
}

pc_status pc_is_of_time(const pc_reader* r, const pc_node* node, int* is)
{
  static const char* const time[] = {"t", NULL};
  pc_scope scope = variables_scope(r, time);
  pc_pool* pool = pc_pool_create();
  pc_expr expr = 0;
  pc_error ignored = {0};
  pc_status status = pool ? pc_parse_node(&scope, node, pool, &expr, &ignored) : PC_OUT_OF_MEMORY;
  pc_pool_destroy(pool);
  *is = status == PC_OK;
  return status == PC_OUT_OF_MEMORY ? pc_no_memory(r->error) : PC_OK;
}

static pc_status read_signals(const pc_reader* r, const pc_node* node, pc_signal* signal)
{
  const pc_node* item[3];
  PC_TRY(vector_items(r, node, item));
  for (int i = 0; i < r->dimension; i++) PC_TRY(pc_read_signal(r, item[i], &signal[i]));
  return PC_OK;
}

static pc_status read_curve(const pc_reader* r, const pc_node* node, pc_gap_field* field)
{
  static const char* const place[] = {"x", "y", NULL};
  pc_scope scope = variables_scope(r, place);
  pc_pool* pool = pc_pool_create();
  if (!pool) return pc_no_memory(r->error);
  pc_expr expr = 0;
  pc_status status = pc_parse_node(&scope, node, pool, &expr, r->error);
  if (status == PC_OK && !pc_expr_depends(pool, expr, 0) && !pc_expr_depends(pool, expr, 1))
    status = pc_fail_at(r->error, node, "expected an expression of x and y");
  if (status == PC_OK) status = check_compiled(r, node, pc_formula_gap_field(pool, expr, field));
  pc_pool_destroy(pool);
  return status;
}

/* --- formulas: kept as nodes ---------------------------------------------------------------- */

static pc_status keep_formula(const pc_reader* r, const pc_node* node, int several,
                              const pc_node** kept)
{
  if (node->kind != PC_NODE_SCALAR && !(several && node->kind == PC_NODE_SEQUENCE))
    return pc_fail_at(r->error, node, "expected an expression%s, found %s",
                      several ? " or a list of them" : "", pc_node_describe(node));
  *kept = node;
  return PC_OK;
}

static pc_status keep_vector(const pc_reader* r, const pc_node* node, const pc_node** kept)
{
  const pc_node* item[3];
  PC_TRY(vector_items(r, node, item));
  for (int i = 0; i < r->dimension; i++) {
    const pc_node* ignored;
    PC_TRY(keep_formula(r, item[i], 0, &ignored));
  }
  *kept = node;
  return PC_OK;
}

/* --- joints --------------------------------------------------------------------------------- */

static pc_status read_joint(const pc_reader* r, const pc_node* node, int* joint)
{
  if (node->kind != PC_NODE_SCALAR || !node->text[0])
    return pc_fail_at(r->error, node, "expected the name of a joint, found %s",
                      pc_node_describe(node));
  for (*joint = 0; *joint < r->joints.count; ++*joint)
    if (strcmp(r->joints.entry[*joint].name, node->text) == 0) return PC_OK;
  pc_suggestion names;
  pc_suggest_begin(&names, node->text);
  for (int i = 0; i < r->joints.count; i++) pc_suggest_add(&names, r->joints.entry[i].name);
  return pc_fail_at(r->error, node, "there is no joint '%.60s' with coordinates%s", node->text,
                    pc_suggest_text(&names, "joints"));
}

static pc_status read_joints(const pc_reader* r, const pc_node* node, int joint[2])
{
  PC_TRY(check_pair(r, node, "joints"));
  PC_TRY(read_joint(r, node->first, &joint[0]));
  PC_TRY(read_joint(r, node->first->next, &joint[1]));
  if (joint[0] != joint[1]) return PC_OK;
  return pc_fail_at(r->error, node, "expected two different joints");
}

static pc_status read_two_numbers(const pc_reader* r, const pc_field* f, const pc_node* node,
                                  double value[2])
{
  PC_TRY(check_pair(r, node, "numbers"));
  PC_TRY(read_number(r, f, node->first, &value[0]));
  return read_number(r, f, node->first->next, &value[1]);
}

/* --- mappings ------------------------------------------------------------------------------- */

int pc_is_alternative(const pc_field* table, const char* key)
{
  if (strcmp(key, "bodies") != 0 && strcmp(key, "at") != 0) return 0;
  int has_points = 0, has_bodies = 0;
  for (const pc_field* f = table; f->path; f++) {
    has_points |= strcmp(f->path, "points") == 0;
    has_bodies |= strcmp(f->path, "bodies") == 0;
  }
  return has_points && has_bodies;
}

/* What is required is there, and nothing twice. */
static pc_status check_required(const pc_reader* r, const pc_field* table, const pc_node* mapping,
                                const char* what)
{
  for (const pc_field* f = table; f->path; f++) {
    const char* key = pc_field_key(f);
    const pc_node* given = pc_node_key(mapping, key);
    int replaced = pc_node_key(mapping, "points") && pc_is_alternative(table, key);
    if (replaced && given)
      return pc_fail_at(r->error, given, "%s: give 'points' or '%s', not both", what, key);
    if (!f->otherwise && !given && !replaced)
      return pc_fail_at(r->error, mapping, "%s: '%s' is missing: %s", what, key, f->help);
  }
  return PC_OK;
}

static pc_status read_all(const pc_reader* r, const pc_field* table, const pc_node* mapping,
                          const char* what, char* definition);

/* Where the first field of a group is. */
static double* first_of_group(const pc_field* f, void* to)
{
  return (double*)(void*)((char*)to + f->group->offset);
}

static pc_status read_value(const pc_reader* r, const pc_field* f, const pc_node* node, void* to)
{
  switch (f->type) {
    case PC_FIELD_NUMBER: return read_number(r, f, node, to);
    case PC_FIELD_COUNT: return read_count(r, node, to);
    case PC_FIELD_VECTOR: return pc_read_vector(r, node, to);
    case PC_FIELD_INERTIA: return read_inertia(r, node, to);
    case PC_FIELD_TURN: return read_turn(r, node, to);
    case PC_FIELD_BODY: return read_body_field(r, f, node, to);
    case PC_FIELD_BODIES: return read_bodies(r, node, to);
    case PC_FIELD_POINT: return pc_read_point(r, node, to);
    case PC_FIELD_POINTS: return read_points(r, node, to);
    case PC_FIELD_SIGNAL: return pc_read_signal(r, node, to);
    case PC_FIELD_SIGNALS: return read_signals(r, node, to);
    case PC_FIELD_CURVE: return read_curve(r, node, to);
    case PC_FIELD_FLAG: return read_flag(r, node, to);
    case PC_FIELD_FORMULA: return keep_formula(r, node, 0, to);
    case PC_FIELD_FORMULAS: return keep_formula(r, node, 1, to);
    case PC_FIELD_VECTOR_FORMULA: return keep_vector(r, node, to);
    case PC_FIELD_JOINT: return read_joint(r, node, to);
    case PC_FIELD_JOINTS: return read_joints(r, node, to);
    case PC_FIELD_PAIR: return read_two_numbers(r, f, node, to);
    case PC_FIELD_LAW: return read_number(r, f->group, node, first_of_group(f, to));
    case PC_FIELD_WORD:
    case PC_FIELD_GROUP: break;
  }
  return PC_OK;
}

static pc_status read_field(const pc_reader* r, const pc_field* f, const pc_node* node,
                            const char* what, void* to)
{
  int is_law = f->type == PC_FIELD_LAW && node->kind == PC_NODE_MAPPING;
  if (f->type == PC_FIELD_GROUP || is_law) {
    char group[200];
    snprintf(group, sizeof group, "%s, %s", what, pc_field_key(f));
    return read_all(r, f->group, node, group, to);
  }
  pc_status status = read_value(r, f, node, to);
  if (status == PC_BAD_MODEL) pc_prefix_error(r->error, "%s, %s: ", what, pc_field_key(f));
  return status;
}

static void release_signal(pc_signal* signal)
{
  if (signal->destroy) signal->destroy(signal->user);
}

/* Signals and curves own memory until an element takes them over. */
static void release(const pc_reader* r, const pc_field* table, char* at)
{
  for (const pc_field* f = table; f->path; f++) {
    void* to = at + f->offset;
    if (f->type == PC_FIELD_SIGNAL) release_signal(to);
    if (f->type == PC_FIELD_SIGNALS)
      for (int i = 0; i < r->dimension; i++) release_signal((pc_signal*)to + i);
    pc_gap_field* curve = to;
    if (f->type == PC_FIELD_CURVE && curve->destroy) curve->destroy(curve->user);
    if (f->type == PC_FIELD_GROUP) release(r, f->group, to);
  }
}

static const pc_field* find_field(const pc_field* table, const char* key)
{
  for (const pc_field* f = table; f->path; f++)
    if (strcmp(pc_field_key(f), key) == 0) return f;
  return NULL;
}

pc_status pc_check_keys(const pc_reader* r, const pc_field* table, const pc_node* mapping,
                        const char* what)
{
  for (const pc_node* key = mapping->first; key; key = key->next) {
    if (find_field(table, key->text)) continue;
    pc_suggestion names;
    pc_suggest_begin(&names, key->text);
    for (const pc_field* f = table; f->path; f++) pc_suggest_add(&names, pc_field_key(f));
    return pc_fail_at(r->error, key, "%s: unknown key '%.60s'%s%s", what, key->text,
                      pc_comma_hint(key->text), pc_suggest_text(&names, "allowed"));
  }
  return PC_OK;
}

static pc_status read_all(const pc_reader* r, const pc_field* table, const pc_node* mapping,
                          const char* what, char* definition)
{
  if (mapping->kind != PC_NODE_MAPPING)
    return pc_fail_at(r->error, mapping, "%s: expected a mapping, found %s", what,
                      pc_node_describe(mapping));
  PC_TRY(pc_check_keys(r, table, mapping, what));
  for (const pc_node* key = mapping->first; key; key = key->next) {
    const pc_field* f = find_field(table, key->text);
    PC_TRY(read_field(r, f, key->value, what, definition + f->offset));
  }
  return check_required(r, table, mapping, what);
}

pc_status pc_read_fields(const pc_reader* r, const pc_field* table, const pc_node* mapping,
                         const char* what, void* definition)
{
  pc_status status = read_all(r, table, mapping, what, definition);
  if (status != PC_OK) release(r, table, definition);
  return status;
}

pc_status pc_note_force(pc_reader* r, const pc_point at[2])
{
  pc_force_list* list = &r->forces;
  if (pc_grow((void**)&list->entry, &list->capacity, list->count, sizeof *list->entry) != PC_OK)
    return pc_no_memory(r->error);
  list->entry[list->count++] =
      (pc_force_entry){pc_system_element_count(r->system) - 1, {at[0], at[1]}};
  return PC_OK;
}
