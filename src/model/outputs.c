#include "model/outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "elements/compliance.h"
#include "model/held.h"
#include "model/reactions.h"
#include "model/variables.h"
#include "system/element.h"
#include "system/forces.h"

/* --- the variables of an output ------------------------------------------------------------- */

typedef struct output_variables {
  pc_variables v;
  int count, capacity;
  pc_output_source* source;
  int no_memory; /* for one of them */
} output_variables;

/* The variable of a source, a new one if it has not been met. */
static pc_expr variable_of(output_variables* o, pc_pool* pool, pc_output_source source)
{
  int i = 0;
  while (i < o->count && (o->source[i].kind != source.kind || o->source[i].index != source.index ||
                          o->source[i].on != source.on))
    i++;
  if (i == o->count && pc_grow((void**)&o->source, &o->capacity, i, sizeof *o->source) != PC_OK) {
    o->no_memory = 1;
    return -1;
  }
  if (i == o->count) o->source[o->count++] = source;
  return pc_expr_variable(pool, i);
}

static pc_expr get(pc_variables* v, pc_pool* pool, pc_part_quantity of)
{
  const pc_part* part = NULL;
  if (pc_system_part(v->r->system, pc_part_id_of(v->r, of.part), &part, NULL) != PC_OK || !part)
    return -1;
  pc_output_source source = {.kind = of.velocity ? PC_QUANTITY_U : PC_QUANTITY_Q,
                             .index = (of.velocity ? part->u_first : part->q_first) + of.offset};
  return variable_of((output_variables*)(void*)v, pool, source);
}

/* Accelerations and forces. */
static int find_force(output_variables* o, pc_pool* pool, const char* name, pc_expr* meaning)
{
  pc_force_source force;
  if (!pc_find_force(o->v.r->system, name, &force)) return 0;
  pc_output_source source = {.kind = PC_SOURCE_FORCES + (int)force.kind, .index = force.index};
  *meaning = variable_of(o, pool, source);
  return 1;
}

/* --- loads, as percussions over a step -------------------------------------------------------- */

static int is_joint(const pc_reader* r, const char* name)
{
  for (int i = 0; i < r->joint_names.count; i++)
    if (strcmp(r->joint_names.text[i], name) == 0) return 1;
  return 0;
}

static pc_expr percussion_of(output_variables* o, pc_pool* pool, pc_quantity q)
{
  return variable_of(o, pool, (pc_output_source){.kind = (int)q.kind, .index = q.index});
}

static pc_expr over_step(output_variables* o, pc_pool* pool, pc_expr P)
{
  pc_expr dt =
      variable_of(o, pool, (pc_output_source){.kind = PC_QUANTITY_Q, .index = PC_SOURCE_DT});
  return pc_expr_of(pool, P, '/', dt);
}

/* What a joint carries: the size of its percussions of one unit. */
static int joint_load(output_variables* o, pc_pool* pool, const char* joint, const char* of_rows,
                      pc_expr* load)
{
  const pc_system* system = o->v.r->system;
  pc_expr sum = pc_expr_number(pool, 0);
  size_t length = strlen(joint);
  int known = 0;
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    pc_quantity q = pc_system_quantity(system, i);
    if (q.kind != PC_QUANTITY_ROW_P || strcmp(q.unit, of_rows) != 0 ||
        strncmp(q.name, joint, length) != 0 || strncmp(q.name + length, ".P", 2) != 0 ||
        (q.name[length + 2] && q.name[length + 2] != '.'))
      continue;
    pc_expr P = percussion_of(o, pool, q);
    sum = pc_expr_of(pool, sum, '+', pc_expr_of(pool, P, '*', P));
    known = 1;
  }
  if (known) *load = over_step(o, pool, pc_expr_root(pool, sum));
  return known;
}

/* What the row <name>.<tail> carries, with its sign: of a drive, or the normal of a contact. */
static int row_load(output_variables* o, pc_pool* pool, const char* name, const char* tail,
                    const char* unit, pc_expr* load)
{
  char percussion[160];
  snprintf(percussion, sizeof percussion, "%s.%s", name, tail);
  int row = pc_system_find_quantity(o->v.r->system, percussion);
  if (row < 0) return 0;
  pc_quantity q = pc_system_quantity(o->v.r->system, row);
  if (q.kind != PC_QUANTITY_ROW_P || strcmp(q.unit, unit) != 0) return 0;
  *load = over_step(o, pool, percussion_of(o, pool, q));
  return 1;
}

/* The motor whose torque or force is called so, or NULL. */
static const pc_output_entry* find_motor(const pc_reader* r, const char* name)
{
  for (int i = 0; i < r->outputs.count; i++)
    if (r->outputs.entry[i].of_motor && strcmp(r->outputs.entry[i].name, name) == 0)
      return &r->outputs.entry[i];
  return NULL;
}

/* What a motor puts on its coordinate: its formula or, if that is sampled, what it holds. */
static int motor_load(output_variables* o, pc_pool* pool, const char* name, const char* of,
                      pc_expr* load)
{
  enum { DEPTH_MAX = 16 }; /* of motors that depend on each other */
  const pc_output_entry* motor = find_motor(o->v.r, name);
  pc_error ignored = {0};
  char held[160];
  if (!motor || o->v.depth >= DEPTH_MAX) return 0;
  snprintf(held, sizeof held, "%s.held", of);
  int sampled = pc_system_find_quantity(o->v.r->system, held);
  if (sampled >= 0) {
    *load = percussion_of(o, pool, pc_system_quantity(o->v.r->system, sampled));
    return 1;
  }
  o->v.depth++;
  pc_status status = pc_parse_node(&o->v.scope, motor->value, pool, load, &ignored);
  o->v.depth--;
  if (status == PC_OUT_OF_MEMORY) *load = -1;
  return status == PC_OK || status == PC_OUT_OF_MEMORY;
}

static pc_expr source_variable(void* user, pc_pool* pool, pc_output_source source)
{
  return variable_of(user, pool, source);
}

static const char* find_reaction(output_variables* o, pc_pool* pool, const char* name,
                                 pc_expr* load)
{
  pc_source_variables v = {o->v.r, pool, source_variable, o};
  return pc_find_reaction(&v, name, load);
}

/* <name>.force or <name>.torque of a joint, a drive or a motor. */
static int find_size(output_variables* o, pc_pool* pool, const char* name, const char* of,
                     const char* of_rows, pc_expr* load)
{
  if (!is_joint(o->v.r, of))
    return row_load(o, pool, of, "P", of_rows, load) || motor_load(o, pool, name, of, load);
  if (!joint_load(o, pool, of, of_rows, load)) return 0;
  if (pc_has_joint_point(o->v.r, of)) find_reaction(o, pool, name, load);
  return 1;
}

/* pin.force, pin.torque, drive.torque, motor.force, floor.force_N, spring.force,
 * pin.on.rod.force.x: its unit, NULL if there is no such load. */
static const char* find_load(output_variables* o, pc_pool* pool, const char* name, pc_expr* load)
{
  char of[128];
  const char* dot = strrchr(name, '.');
  if (!dot || (size_t)(dot - name) >= sizeof of) return NULL;
  memcpy(of, name, (size_t)(dot - name));
  of[dot - name] = 0;
  if (strcmp(dot, ".force_N") == 0)
    return row_load(o, pool, of, "P_N", "N s", load)     ? "N"
           : row_load(o, pool, of, "P_N", "N m s", load) ? "N m"
                                                         : NULL;
  int torque = strcmp(dot, ".torque") == 0;
  if ((torque || strcmp(dot, ".force") == 0) &&
      find_size(o, pool, name, of, torque ? "N m s" : "N s", load))
    return torque ? "N m" : "N";
  return is_joint(o->v.r, of) ? NULL : find_reaction(o, pool, name, load);
}

/* t, and the quantities of the system: gaps, percussions, nodes of beams. */
static int find(pc_variables* v, pc_pool* pool, const char* name, size_t length, pc_expr* meaning)
{
  output_variables* o = (output_variables*)(void*)v;
  char text[128];
  if (length >= sizeof text) return 0;
  memcpy(text, name, length);
  text[length] = 0;
  if (strcmp(text, "t") == 0) {
    *meaning =
        variable_of(o, pool, (pc_output_source){.kind = PC_QUANTITY_Q, .index = PC_SOURCE_T});
    return 1;
  }
  int quantity = pc_system_find_quantity(v->r->system, text);
  pc_quantity q = {.kind = PC_QUANTITY_OUTPUT};
  if (quantity >= 0) q = pc_system_quantity(v->r->system, quantity);
  if (q.kind == PC_QUANTITY_OUTPUT)
    return find_load(o, pool, text, meaning) != NULL ||
           (quantity < 0 && find_force(o, pool, text, meaning));
  *meaning = variable_of(o, pool, (pc_output_source){.kind = (int)q.kind, .index = q.index});
  return 1;
}

static void list(const pc_variables* v, pc_suggestion* names)
{
  for (int i = 0; i < pc_system_quantity_count(v->r->system); i++) {
    pc_quantity q = pc_system_quantity(v->r->system, i);
    if (q.kind != PC_QUANTITY_OUTPUT) pc_suggest_add(names, q.name);
  }
}

/* --- adding --------------------------------------------------------------------------------- */

/* An output in the making. */
typedef struct making {
  output_variables o;
  pc_pool* pool;
} making;

static pc_status begin(making* m, pc_reader* r)
{
  *m = (making){.o = {.v = {.get = get, .find = find, .list = list}}};
  pc_variables_begin(&m->o.v, r);
  m->pool = pc_pool_create();
  return m->pool ? PC_OK : pc_no_memory(r->error);
}

static void end(making* m)
{
  pc_pool_destroy(m->pool);
  free(m->o.source);
}

static pc_status add(making* m, const char* name, const char* unit, double period, pc_expr expr)
{
  pc_reader* r = m->o.v.r;
  if (m->o.no_memory || pc_pool_failed(m->pool)) return pc_no_memory(r->error);
  pc_output_def def = {.name = name, .unit = unit, .period = period};
  if (pc_formula_output(m->pool, expr, m->o.count, m->o.source, &def) != PC_OK)
    return pc_no_memory(r->error);
  return pc_add_output(r->system, &def, r->error);
}

/* --- own outputs ---------------------------------------------------------------------------- */

static pc_status note_value(const pc_reader* r, const pc_node* key, pc_output_entry* entry)
{
  const pc_node* value = key->value;
  entry->value = value;
  if (value->kind == PC_NODE_SCALAR) return PC_OK;
  const pc_kind* kind = pc_find_kind("record", "output", r->dimension);
  char what[100];
  snprintf(what, sizeof what, "output '%.60s'", key->text);
  pc_any_def def;
  kind->set_defaults(&def);
  PC_TRY(pc_read_fields(r, kind->field, value, what, &def));
  entry->value = def.output.value;
  if (!def.output.unit) return PC_OK;
  if (def.output.unit->kind != PC_NODE_SCALAR || strlen(def.output.unit->text) > 30)
    return pc_fail_at(r->error, def.output.unit, "%s, unit: expected a short text, found %s", what,
                      pc_node_describe(def.output.unit));
  entry->unit = def.output.unit->text;
  return PC_OK;
}

/* tip, or tip.x */
static int is_output_name(const char* text)
{
  char head[64];
  const char* dot = strchr(text, '.');
  size_t length = dot ? (size_t)(dot - text) : strlen(text);
  if (length >= sizeof head) return 0;
  memcpy(head, text, length);
  head[length] = 0;
  if (!pc_is_name(head, 1) || pc_is_reserved_name(text) || strcmp(text, "time") == 0) return 0;
  return !dot || pc_is_name(dot + 1, 1);
}

static pc_status note_outputs(pc_reader* r, const pc_node* mapping)
{
  for (const pc_node* key = mapping->first; key; key = key->next) {
    if (strcmp(key->text, "unit") == 0 || strcmp(key->text, "value") == 0)
      return pc_fail_at(r->error, key,
                        "'%s' cannot be the name of an output; one with a unit is {name: {value: "
                        "formula, unit: text}}",
                        key->text);
    if (!is_output_name(key->text))
      return pc_fail_at(r->error, key,
                        "'%.60s' cannot be the name of an output: expected letters, digits, '_' "
                        "and '-', beginning with a letter, and nothing that expressions know",
                        key->text);
    if (pc_grow((void**)&r->outputs.entry, &r->outputs.capacity, r->outputs.count,
                sizeof *r->outputs.entry))
      return pc_no_memory(r->error);
    pc_output_entry* entry = &r->outputs.entry[r->outputs.count++];
    *entry = (pc_output_entry){.name = key->text, .key = key, .unit = ""};
    PC_TRY(note_value(r, key, entry));
  }
  return PC_OK;
}

pc_status pc_list_outputs(pc_reader* r, const pc_node* section)
{
  if (!section) return PC_OK;
  if (section->kind == PC_NODE_MAPPING) return note_outputs(r, section);
  for (const pc_node* item = section->first; item; item = item->next)
    if (item->kind == PC_NODE_MAPPING) PC_TRY(note_outputs(r, item));
  return PC_OK;
}

/* The period of an own output that is another name of an angle; it counts turns, too. */
static double period_of(making* m, const pc_node* value)
{
  pc_derived derived;
  if (value->kind != PC_NODE_SCALAR) return 0;
  return pc_find_derived(&m->o.v, m->pool, value->text, strlen(value->text), &derived)
             ? derived.period
             : 0;
}

static pc_status add_own(making* m, const pc_output_entry* entry)
{
  pc_reader* r = m->o.v.r;
  pc_expr expr = 0;
  if (pc_system_find_quantity(r->system, entry->name) >= 0)
    return pc_fail_at(r->error, entry->key, "output '%s': a quantity of the model is called so",
                      entry->name);
  m->o.v.own_output = entry->name;
  pc_status status = pc_parse_node(&m->o.v.scope, entry->value, m->pool, &expr, r->error);
  if (status != PC_OK) {
    if (status == PC_BAD_MODEL) pc_prefix_error(r->error, "output '%s': ", entry->name);
    return status;
  }
  double period = period_of(m, entry->value);
  return pc_place_error(r->error, entry->key, add(m, entry->name, entry->unit, period, expr));
}

/* Whether the variables are t and coordinates alone. */
static int is_of_positions(const output_variables* o)
{
  for (int i = 0; i < o->count; i++)
    if (o->source[i].kind != PC_QUANTITY_Q || o->source[i].index == PC_SOURCE_DT) return 0;
  return 1;
}

pc_status pc_make_output(pc_reader* r, const pc_node* node, pc_output_def* def)
{
  making m;
  pc_expr expr = 0;
  *def = (pc_output_def){0};
  PC_TRY(begin(&m, r));
  pc_status status = pc_parse_node(&m.o.v.scope, node, m.pool, &expr, r->error);
  if (status == PC_OK && !is_of_positions(&m.o))
    status = pc_fail_at(r->error, node, "expected a formula of t and of positions alone");
  if (status == PC_OK) {
    status = m.o.no_memory ? PC_OUT_OF_MEMORY
                           : pc_formula_output(m.pool, expr, m.o.count, m.o.source, def);
  }
  end(&m);
  return status == PC_OUT_OF_MEMORY ? pc_no_memory(r->error) : status;
}

/* --- points and joints ---------------------------------------------------------------------- */

static pc_status add_derived(making* m, const char* name, int* known)
{
  pc_derived derived;
  *known = pc_find_derived(&m->o.v, m->pool, name, strlen(name), &derived);
  return *known ? add(m, name, derived.unit, derived.period, derived.expr) : PC_OK;
}

static pc_status try_joint_output(making* m, const char* name, int* known)
{
  char joint[128];
  const char* dot = strchr(name, '.');
  pc_expr load = 0;
  *known = 0;
  if (!dot || (size_t)(dot - name) >= sizeof joint) return PC_OK;
  const char* unit = find_load(&m->o, m->pool, name, &load);
  if (unit) {
    *known = 1;
    return add(m, name, unit, 0, load);
  }
  memcpy(joint, name, (size_t)(dot - name));
  joint[dot - name] = 0;
  return is_joint(m->o.v.r, joint) ? add_derived(m, name, known) : PC_OK;
}

static pc_status add_joint_output(pc_reader* r, const char* name, int* known)
{
  making m;
  PC_TRY(begin(&m, r));
  pc_status status = try_joint_output(&m, name, known);
  end(&m);
  return status;
}

pc_status pc_add_named_output(pc_reader* r, const char* name, int* quantity)
{
  int known = 0;
  pc_force_source force;
  *quantity = -1;
  pc_status status = add_joint_output(r, name, &known);
  if (status == PC_OK && !known && pc_find_force(r->system, name, &force)) {
    status = pc_add_force_output(r->system, name, r->error);
    known = 1;
  }
  if (status == PC_OK && known) *quantity = pc_system_quantity_count(r->system) - 1;
  return status;
}

pc_status pc_add_command_output(pc_reader* r, const pc_held_entry* entry, int* quantity,
                                int* of_impulses)
{
  making m;
  pc_expr expr = 0;
  PC_TRY(begin(&m, r));
  pc_status status = pc_parse_node(&m.o.v.scope, entry->value, m.pool, &expr, r->error);
  if (status == PC_OK)
    status = pc_place_error(r->error, entry->place, add(&m, entry->name, entry->unit, 0, expr));
  *quantity = pc_system_quantity_count(r->system) - 1;
  for (int i = 0; i < m.o.count; i++)
    *of_impulses |=
        m.o.source[i].kind == PC_QUANTITY_ROW_P || m.o.source[i].kind == PC_SOURCE_MEAN_FORCE;
  end(&m);
  return status;
}

pc_status pc_add_joint_outputs(pc_reader* r, const char* joint)
{
  static const char* const tails[] = {
      "angle",          "angle.1",        "angle.2", "rate",    "rate.1",  "rate.2", "displacement",
      "displacement.1", "displacement.2", "speed",   "speed.1", "speed.2", "force",  "torque"};
  for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
    char name[128];
    int known;
    snprintf(name, sizeof name, "%.80s.%s", joint, tails[i]);
    if (!is_joint(r, joint) && !find_motor(r, name)) continue;
    if (pc_system_find_quantity(r->system, name) < 0) PC_TRY(add_joint_output(r, name, &known));
  }
  return PC_OK;
}

static pc_status add_point(pc_reader* r, const char* name)
{
  making m;
  int known = 0;
  PC_TRY(begin(&m, r));
  pc_status status = add_derived(&m, name, &known);
  end(&m);
  return status;
}

pc_status pc_add_outputs(pc_reader* r)
{
  PC_TRY(pc_system_close_rows(r->system, r->error));
  PC_TRY(pc_add_compliant_outputs(r->system, r->error));
  char name[128];
  int of_points = r->points.count * 2 * r->dimension;
  for (int i = 0; i < of_points && pc_list_derived(r, i, name, sizeof name); i++)
    PC_TRY(add_point(r, name));
  for (int i = 0; i < r->outputs.count; i++) {
    making m;
    if (r->outputs.entry[i].of_motor) continue;
    PC_TRY(begin(&m, r));
    pc_status status = add_own(&m, &r->outputs.entry[i]);
    end(&m);
    PC_TRY(status);
  }
  return pc_close_held(r);
}
