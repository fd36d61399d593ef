/* Formulas become elements: one of energies, forces and contacts, so that what their formulas share
 * is computed once; and one for each constraint, whose rows then carry its name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/maker.h"
#include "model/sections.h"

/* What one element is made of. */
typedef struct formulas {
  const pc_formula_sections* sections;
  const pc_node* constraint; /* the key of a constraint; NULL: energies, forces, contacts */
  pc_formula_contact* contact;
  const pc_node** contact_key;
  int contact_count;
  pc_expr row; /* of a constraint */
} formulas;

static pc_status parse_energies(pc_maker* m, const pc_formula_sections* s)
{
  m->def.has_kinetic = s->kinetic != NULL;
  if (s->kinetic) PC_TRY(pc_maker_parse(m, s->kinetic, &m->def.kinetic));
  m->def.has_potential = s->potential != NULL;
  if (s->potential) PC_TRY(pc_maker_parse(m, s->potential, &m->def.potential));
  return PC_OK;
}

static pc_status fail_with_force(const pc_reader* r, const pc_node* key)
{
  pc_suggestion names;
  pc_suggest_begin(&names, key->text);
  for (int i = 0; i < r->coordinates.count; i++)
    pc_suggest_add(&names, r->coordinates.entry[i].name);
  return pc_fail_at(r->error, key, "there is no coordinate '%.60s' for this force to act on%s",
                    key->text, pc_suggest_text(&names, "coordinates"));
}

/* A quaternion's components are not coordinates that a force could act on. */
static int takes_force(const pc_reader* r, pc_part_quantity of)
{
  return !of.velocity && of.offset < (pc_part_q_width(r, of.part) == 7 ? 3 : 7);
}

/* `forces: {x: -c*x'}`: generalized forces by the name of their coordinate. */
static pc_status parse_forces(pc_maker* m, const pc_node* section)
{
  if (!section || section->kind != PC_NODE_MAPPING) return PC_OK;
  for (const pc_node* key = section->first; key; key = key->next) {
    if (!pc_is_formula_force(key)) continue;
    pc_part_quantity found;
    if (!pc_find_part_quantity(m->v.r, key->text, strlen(key->text), &found) ||
        !takes_force(m->v.r, found))
      return fail_with_force(m->v.r, key);
    pc_expr expr = 0;
    PC_TRY(pc_maker_parse_force(m, key->value, &expr));
    pc_maker_add_force(m, found.part, found.offset, expr);
  }
  return PC_OK;
}

static pc_status parse_slips(pc_maker* m, const pc_node* slip, pc_formula_contact* contact)
{
  int most = (int)(sizeof contact->slip / sizeof *contact->slip);
  if (slip->kind == PC_NODE_SCALAR) {
    contact->slip_count = 1;
    return pc_maker_parse(m, slip, &contact->slip[0]);
  }
  if (slip->count < 1 || slip->count > most)
    return pc_fail_at(m->v.r->error, slip, "expected 1 to %d sliding velocities, found %d", most,
                      slip->count);
  for (const pc_node* item = slip->first; item; item = item->next)
    PC_TRY(pc_maker_parse(m, item, &contact->slip[contact->slip_count++]));
  return PC_OK;
}

static pc_status check_gap(const pc_maker* m, const pc_node* node, pc_expr gap)
{
  if (m->scanning) return PC_OK;
  for (int i = 1; i <= m->q_count + m->u_count; i++)
    if (pc_expr_depends(m->pool, gap, i)) return PC_OK;
  return pc_fail_at(m->v.r->error, node, "expected a gap that depends on a coordinate");
}

static pc_status parse_contact(pc_maker* m, const pc_node* key, pc_formula_contact* contact)
{
  pc_reader* r = m->v.r;
  const pc_kind* kind = pc_find_kind("contacts", "formula", r->dimension);
  pc_any_def def;
  char what[100];
  snprintf(what, sizeof what, "contact '%s'", key->text);
  kind->set_defaults(&def);
  PC_TRY(pc_read_fields(r, kind->field, key->value, what, &def));
  *contact = (pc_formula_contact){.law = def.formula_contact.law};
  contact->law.name = key->text;
  PC_TRY(pc_maker_parse(m, def.formula_contact.gap, &contact->gap));
  PC_TRY(check_gap(m, def.formula_contact.gap, contact->gap));
  const pc_node* slip = def.formula_contact.slip;
  const pc_node* friction = pc_node_key(key->value, "friction");
  if (friction && !slip)
    return pc_fail_at(r->error, friction, "%s: friction needs 'slip', the sliding velocity", what);
  if (slip && !friction)
    return pc_fail_at(r->error, slip, "%s: 'slip' without 'friction' has no meaning", what);
  return slip ? parse_slips(m, slip, contact) : PC_OK;
}

static pc_status parse_contacts(pc_maker* m, formulas* f)
{
  const pc_node* section = f->sections->contacts;
  f->contact_count = 0;
  for (const pc_node* key = section ? section->first : NULL; key; key = key->next) {
    if (!pc_is_formula_contact(key)) continue;
    int k = f->contact_count++;
    f->contact_key[k] = key;
    PC_TRY(parse_contact(m, key, &f->contact[k]));
  }
  m->def.contact_count = f->contact_count;
  m->def.contact = f->contact;
  return PC_OK;
}

/* `name: g` or `name: {velocity: gamma}`. */
static pc_status parse_constraint(pc_maker* m, formulas* f)
{
  const pc_node* value = f->constraint->value;
  if (value->kind == PC_NODE_SCALAR) {
    m->def.g_count = 1;
    m->def.g = &f->row;
    return pc_maker_parse(m, value, &f->row);
  }
  const pc_kind* kind = pc_find_kind("constraints", "velocity", m->v.r->dimension);
  pc_any_def def;
  char what[100];
  snprintf(what, sizeof what, "constraint '%s'", f->constraint->text);
  kind->set_defaults(&def);
  PC_TRY(pc_read_fields(m->v.r, kind->field, value, what, &def));
  m->def.gamma_count = 1;
  m->def.gamma = &f->row;
  return pc_maker_parse(m, def.velocity_constraint.velocity, &f->row);
}

static pc_status fill(pc_maker* m, void* user)
{
  formulas* f = user;
  if (f->constraint) return parse_constraint(m, f);
  PC_TRY(parse_energies(m, f->sections));
  PC_TRY(parse_forces(m, f->sections->forces));
  return parse_contacts(m, f);
}

/* --- the element ---------------------------------------------------------------------------- */

static const pc_node* any_formula(const formulas* f)
{
  if (f->constraint) return f->constraint;
  if (f->contact_count) return f->contact_key[0];
  return f->sections->kinetic ? f->sections->kinetic : f->sections->potential;
}

/* The formula that an error of pc_add_formula is about. */
static const pc_node* culprit(const formulas* f, const pc_error* error)
{
  const pc_formula_sections* s = f->sections;
  if (f->constraint) return f->constraint;
  if (error->line > 0 && error->line <= f->contact_count) return f->contact_key[error->line - 1];
  if (s->potential && strstr(error->text, "potential")) return s->potential;
  if (s->forces && strstr(error->text, "force")) return s->forces;
  return s->kinetic ? s->kinetic : any_formula(f);
}

/* The file knows formulas and constraints, but not the element that is made of them. */
static void tell_it_of_the_model(const formulas* f, const char* name, pc_error* error)
{
  char prefix[120];
  int length = snprintf(prefix, sizeof prefix, "formula '%s': ", name);
  if (strncmp(error->text, prefix, (size_t)length) == 0)
    memmove(error->text, error->text + length, strlen(error->text + length) + 1);
  if (f->constraint) pc_prefix_error(error, "constraint '%s': ", f->constraint->text);
}

/* Whether an error has a place in the file already: it is not that of the element as a whole. */
static int has_place(const pc_error* error)
{
  return error->column > 0;
}

static pc_status make(pc_reader* r, formulas* f)
{
  const char* name = f->constraint ? f->constraint->text : "formulas";
  int none = 0;
  pc_status status = pc_make_formula(r, name, fill, f, &none);
  if (status == PC_OK && none && any_formula(f))
    return pc_fail_at(r->error, any_formula(f),
                      "expected a formula of coordinates; this one has none");
  if (status == PC_OK || status == PC_OUT_OF_MEMORY || has_place(r->error)) return status;
  status = pc_place_error(r->error, culprit(f, r->error), status);
  tell_it_of_the_model(f, name, r->error);
  return status;
}

static pc_status make_element(pc_reader* r, const pc_formula_sections* sections,
                              const pc_node* constraint)
{
  const pc_node* contacts = constraint ? NULL : sections->contacts;
  size_t count = contacts ? (size_t)contacts->count : 0;
  formulas f = {.sections = sections, .constraint = constraint};
  f.contact = pc_alloc(count, sizeof *f.contact);
  f.contact_key = pc_alloc(count, sizeof *f.contact_key);
  pc_status status = f.contact && f.contact_key ? make(r, &f) : pc_no_memory(r->error);
  free(f.contact);
  free(f.contact_key);
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
