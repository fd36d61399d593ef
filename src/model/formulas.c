/* Formulas become elements: one of energies, forces and contacts, so that what their formulas share
 * is computed once; and one for each constraint, whose rows then carry its name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/sections.h"

/* An element in the making. Its parts are the coordinates of formulas and the bodies that its
 * formulas speak of; which these are is found by a first, scanning pass over the formulas. */
typedef struct making {
  pc_reader* r;
  const pc_formula_sections* sections;
  const pc_node* constraint; /* the key of a constraint; NULL: energies, forces, contacts */
  int scanning;
  int* first; /* of each coordinate and body: its first local q, or -1 where it does not occur */
  int q_count;
  pc_pool* pool;
  pc_scope scope;
  pc_formula_def def;
  pc_part_id* part;
  pc_expr* force;
  pc_formula_contact* contact;
  const pc_node** contact_key;
  pc_expr row; /* of a constraint */
} making;

/* --- what names mean ------------------------------------------------------------------------ */

static int part_total(const pc_reader* r)
{
  return r->coordinate_count + r->body_count;
}

static int part_width(const pc_reader* r, int part)
{
  if (part < r->coordinate_count) return 1;
  const pc_body_entry* body = &r->body[part - r->coordinate_count];
  if (body->chain) return 0;      /* too wide: formulas do not speak of bars and beams */
  if (body->is_spatial) return 0; /* nor of bodies whose q' is not u */
  return body->is_point ? r->dimension : 3;
}

/* The last parts of the recorded names of a body, positions and velocities. */
static const char* const* body_tails(const pc_body_entry* body, int velocity)
{
  static const char* const rigid[2][3] = {{"x", "y", "angle"}, {"vx", "vy", "spin"}};
  static const char* const point[2][3] = {{"x", "y", "z"}, {"vx", "vy", "vz"}};
  return body->is_point ? point[velocity] : rigid[velocity];
}

typedef struct quantity {
  int part, offset, velocity;
} quantity;

static int find_body_quantity(const pc_reader* r, const char* name, size_t length, quantity* found)
{
  size_t dot = length;
  while (dot > 0 && name[dot - 1] != '.') dot--;
  if (dot < 2) return 0;
  int b = pc_names_find(&r->bodies, name, dot - 1);
  if (b < 0) return 0;
  int width = part_width(r, r->coordinate_count + b);
  for (int velocity = 0; velocity < 2; velocity++)
    for (int i = 0; i < width; i++) {
      const char* tail = body_tails(&r->body[b], velocity)[i];
      if (strlen(tail) != length - dot || strncmp(tail, name + dot, length - dot) != 0) continue;
      *found = (quantity){r->coordinate_count + b, i, velocity};
      return 1;
    }
  return 0;
}

/* x, x' of a coordinate; crank.angle, crank.spin of a body. */
static int find_quantity(const pc_reader* r, const char* name, size_t length, quantity* found)
{
  int velocity = length > 1 && name[length - 1] == '\'';
  int i = pc_names_find(&r->coordinates, name, length - (size_t)velocity);
  *found = (quantity){i, 0, velocity};
  return i >= 0 || find_body_quantity(r, name, length, found);
}

/* Variables are numbered t, q, u; while scanning they are only noted, and
 * any numbers will do that differ. */
static int find_variable(void* user, pc_pool* pool, const char* name, size_t length,
                         pc_expr* meaning)
{
  making* m = user;
  quantity found;
  int variable = 0;
  if (length != 1 || name[0] != 't') {
    if (!find_quantity(m->r, name, length, &found)) return 0;
    if (m->scanning) m->first[found.part] = 0;
    variable = m->scanning
                   ? 1 + 6 * found.part + 3 * found.velocity + found.offset
                   : 1 + (found.velocity ? m->q_count : 0) + m->first[found.part] + found.offset;
  }
  *meaning = pc_expr_variable(pool, variable);
  return 1;
}

static void suggest_tailed(pc_suggestion* names, const char* head, const char* tail)
{
  char name[80];
  snprintf(name, sizeof name, "%s%s", head, tail);
  pc_suggest_add(names, name);
}

static void list_variables(const void* user, pc_suggestion* names)
{
  const pc_reader* r = ((const making*)user)->r;
  for (int i = 0; i < r->coordinate_count; i++) {
    pc_suggest_add(names, r->coordinate[i].name);
    suggest_tailed(names, r->coordinate[i].name, "'");
  }
  for (int b = 0; b < r->body_count; b++)
    for (int k = 0; k < 2 * part_width(r, r->coordinate_count + b); k++) {
      char tail[16];
      snprintf(tail, sizeof tail, ".%s", body_tails(&r->body[b], k % 2)[k / 2]);
      suggest_tailed(names, r->body[b].name, tail);
    }
  pc_suggest_add(names, "t");
}

/* --- the formulas --------------------------------------------------------------------------- */

static pc_status parse(making* m, const pc_node* node, pc_expr* expr)
{
  return pc_parse_node(&m->scope, node, m->pool, expr, m->r->error);
}

static pc_status parse_energies(making* m)
{
  const pc_formula_sections* s = m->sections;
  m->def.has_kinetic = s->kinetic != NULL;
  if (s->kinetic) PC_TRY(parse(m, s->kinetic, &m->def.kinetic));
  m->def.has_potential = s->potential != NULL;
  if (s->potential) PC_TRY(parse(m, s->potential, &m->def.potential));
  return PC_OK;
}

static pc_status fail_with_force(making* m, const pc_node* key)
{
  pc_suggestion names;
  pc_suggest_begin(&names, key->text);
  for (int i = 0; i < m->r->coordinate_count; i++) pc_suggest_add(&names, m->r->coordinate[i].name);
  return pc_fail_at(m->r->error, key, "there is no coordinate '%.60s' for this force to act on%s",
                    key->text, pc_suggest_text(&names, "coordinates"));
}

/* `forces: {x: -c*x'}`: generalized forces by the name of their coordinate. */
static pc_status parse_forces(making* m)
{
  const pc_node* section = m->sections->forces;
  if (!section || section->kind != PC_NODE_MAPPING) return PC_OK;
  for (const pc_node* key = section->first; key; key = key->next) {
    if (!pc_is_formula_force(key)) continue;
    quantity found;
    if (!find_quantity(m->r, key->text, strlen(key->text), &found) || found.velocity)
      return fail_with_force(m, key);
    pc_expr expr = 0;
    PC_TRY(parse(m, key->value, &expr));
    if (m->scanning)
      m->first[found.part] = 0;
    else
      m->force[m->first[found.part] + found.offset] = expr;
  }
  return PC_OK;
}

static pc_status parse_slips(making* m, const pc_node* slip, pc_formula_contact* contact)
{
  int most = (int)(sizeof contact->slip / sizeof *contact->slip);
  if (slip->kind == PC_NODE_SCALAR) {
    contact->slip_count = 1;
    return parse(m, slip, &contact->slip[0]);
  }
  if (slip->count < 1 || slip->count > most)
    return pc_fail_at(m->r->error, slip, "expected 1 to %d sliding velocities, found %d", most,
                      slip->count);
  for (const pc_node* item = slip->first; item; item = item->next)
    PC_TRY(parse(m, item, &contact->slip[contact->slip_count++]));
  return PC_OK;
}

static pc_status check_gap(const making* m, const pc_node* node, pc_expr gap)
{
  if (m->scanning) return PC_OK;
  for (int i = 1; i <= 2 * m->q_count; i++)
    if (pc_expr_depends(m->pool, gap, i)) return PC_OK;
  return pc_fail_at(m->r->error, node, "expected a gap that depends on a coordinate");
}

static pc_status parse_contact(making* m, const pc_node* key, pc_formula_contact* contact)
{
  const pc_kind* kind = pc_find_kind("contacts", "formula", m->r->dimension);
  pc_any_def def;
  char what[100];
  snprintf(what, sizeof what, "contact '%s'", key->text);
  kind->set_defaults(&def);
  PC_TRY(pc_read_fields(m->r, kind->field, key->value, what, &def));
  *contact = (pc_formula_contact){.law = def.formula_contact.law};
  contact->law.name = key->text;
  PC_TRY(parse(m, def.formula_contact.gap, &contact->gap));
  PC_TRY(check_gap(m, def.formula_contact.gap, contact->gap));
  const pc_node* slip = def.formula_contact.slip;
  const pc_node* friction = pc_node_key(key->value, "friction");
  if (friction && !slip)
    return pc_fail_at(m->r->error, friction, "%s: friction needs 'slip', the sliding velocity",
                      what);
  if (slip && !friction)
    return pc_fail_at(m->r->error, slip, "%s: 'slip' without 'friction' has no meaning", what);
  return slip ? parse_slips(m, slip, contact) : PC_OK;
}

static pc_status parse_contacts(making* m)
{
  const pc_node* section = m->sections->contacts;
  m->def.contact_count = 0;
  for (const pc_node* key = section ? section->first : NULL; key; key = key->next) {
    if (!pc_is_formula_contact(key)) continue;
    int k = m->def.contact_count++;
    m->contact_key[k] = key;
    PC_TRY(parse_contact(m, key, &m->contact[k]));
  }
  return PC_OK;
}

/* `name: g` or `name: {velocity: gamma}`. */
static pc_status parse_constraint(making* m)
{
  const pc_node* value = m->constraint->value;
  if (value->kind == PC_NODE_SCALAR) {
    m->def.g_count = 1;
    m->def.g = &m->row;
    return parse(m, value, &m->row);
  }
  const pc_kind* kind = pc_find_kind("constraints", "velocity", m->r->dimension);
  pc_any_def def;
  char what[100];
  snprintf(what, sizeof what, "constraint '%s'", m->constraint->text);
  kind->set_defaults(&def);
  PC_TRY(pc_read_fields(m->r, kind->field, value, what, &def));
  m->def.gamma_count = 1;
  m->def.gamma = &m->row;
  return parse(m, def.velocity_constraint.velocity, &m->row);
}

static pc_status parse_all(making* m)
{
  if (m->constraint) return parse_constraint(m);
  PC_TRY(parse_energies(m));
  PC_TRY(parse_forces(m));
  return parse_contacts(m);
}

/* --- the element ---------------------------------------------------------------------------- */

static pc_status allocate(making* m)
{
  int parts = part_total(m->r);
  const pc_node* contacts = m->sections->contacts;
  size_t contact_count = contacts && !m->constraint ? (size_t)contacts->count : 0;
  m->first = pc_alloc((size_t)parts, sizeof *m->first);
  m->part = pc_alloc((size_t)parts, sizeof *m->part);
  m->force = pc_alloc(3 * (size_t)parts, sizeof *m->force);
  m->contact = pc_alloc(contact_count, sizeof *m->contact);
  m->contact_key = pc_alloc(contact_count, sizeof *m->contact_key);
  if (!m->first || !m->part || !m->force || !m->contact || !m->contact_key)
    return pc_no_memory(m->r->error);
  for (int i = 0; i < parts; i++) m->first[i] = -1;
  for (int i = 0; i < 3 * parts; i++) m->force[i] = -1;
  return PC_OK;
}

/* One pass over the formulas, with a pool of its own. */
static pc_status pass(making* m, int scanning)
{
  m->scanning = scanning;
  pc_pool_destroy(m->pool);
  m->pool = pc_pool_create();
  if (!m->pool) return pc_no_memory(m->r->error);
  return parse_all(m);
}

/* Numbers the coordinates of the parts that occur. */
static void lay_out(making* m)
{
  for (int i = 0; i < part_total(m->r); i++) {
    if (m->first[i] < 0) continue;
    m->first[i] = m->q_count;
    m->q_count += part_width(m->r, i);
    m->part[m->def.part_count++] = i < m->r->coordinate_count
                                       ? m->r->coordinate[i].id
                                       : m->r->body[i - m->r->coordinate_count].id;
  }
}

static const pc_node* any_formula(const making* m)
{
  if (m->constraint) return m->constraint;
  if (m->def.contact_count) return m->contact_key[0];
  if (m->sections->kinetic) return m->sections->kinetic;
  return m->sections->potential;
}

/* The formula that an error of pc_add_formula is about. */
static const pc_node* culprit(const making* m, const pc_error* error)
{
  if (m->constraint) return m->constraint;
  if (error->line > 0 && error->line <= m->def.contact_count)
    return m->contact_key[error->line - 1];
  if (m->sections->potential && strstr(error->text, "potential")) return m->sections->potential;
  if (m->sections->forces && strstr(error->text, "force")) return m->sections->forces;
  return m->sections->kinetic ? m->sections->kinetic : any_formula(m);
}

/* The file knows formulas and constraints, but not the element that is made of them. */
static void tell_it_of_the_model(const making* m, pc_error* error)
{
  char prefix[120];
  int length = snprintf(prefix, sizeof prefix, "formula '%s': ", m->def.name);
  if (strncmp(error->text, prefix, (size_t)length) == 0)
    memmove(error->text, error->text + length, strlen(error->text + length) + 1);
  if (m->constraint) pc_prefix_error(error, "constraint '%s': ", m->constraint->text);
}

static pc_status make(making* m)
{
  pc_error* error = m->r->error;
  PC_TRY(allocate(m));
  PC_TRY(pass(m, 1));
  lay_out(m);
  if (m->def.part_count == 0) {
    const pc_node* formula = any_formula(m);
    if (!formula) return PC_OK;
    return pc_fail_at(error, formula, "expected a formula of coordinates; this one has none");
  }
  PC_TRY(pass(m, 0));
  m->def.name = m->constraint ? m->constraint->text : "formulas";
  m->def.pool = m->pool;
  m->def.part = m->part;
  m->def.force = m->constraint ? NULL : m->force;
  m->def.contact = m->contact;
  *error = (pc_error){0};
  pc_status status = pc_add_formula(m->r->system, &m->def, error);
  if (status == PC_OK || status == PC_OUT_OF_MEMORY) return status;
  status = pc_place_error(error, culprit(m, error), status);
  tell_it_of_the_model(m, error);
  return status;
}

static pc_status make_element(pc_reader* r, const pc_formula_sections* sections,
                              const pc_node* constraint)
{
  making m = {.r = r, .sections = sections, .constraint = constraint};
  m.scope = (pc_scope){find_variable, list_variables, &m, &r->scope};
  pc_status status = make(&m);
  pc_pool_destroy(m.pool);
  free(m.first);
  free(m.part);
  free(m.force);
  free(m.contact);
  free(m.contact_key);
  return status;
}

pc_status pc_read_formulas(pc_reader* r, const pc_formula_sections* sections)
{
  PC_TRY(make_element(r, sections, NULL));
  const pc_node* constraints = sections->constraints;
  if (!constraints) return PC_OK;
  if (constraints->kind != PC_NODE_MAPPING)
    return pc_fail_at(r->error, constraints,
                      "constraints: expected a mapping of names to formulas, found %s",
                      pc_node_describe(constraints));
  for (const pc_node* key = constraints->first; key; key = key->next) {
    PC_TRY(pc_claim_name(r, key->text, key, "constraint"));
    PC_TRY(make_element(r, sections, key));
  }
  return PC_OK;
}
