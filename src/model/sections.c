#include "model/sections.h"
#include "model/friction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/geometry.h"
#include "model/shapes.h"
#include "system/element.h"

/* --- names of elements ---------------------------------------------------------------------- */

pc_status pc_claim_name(pc_reader* r, const char* name, const pc_node* node, const char* what)
{
  if (!pc_is_name(name, 1))
    return pc_fail_at(r->error, node,
                      "'%.60s' cannot be the name of a %s: expected letters, digits, '_' and '-', "
                      "beginning with a letter",
                      name, what);
  if (strcmp(name, "ground") == 0)
    return pc_fail_at(r->error, node, "a %s cannot be called 'ground': that is the inertial frame",
                      what);
  if (pc_grow((void**)&r->claims.entry, &r->claims.capacity, r->claims.count,
              sizeof *r->claims.entry) != PC_OK)
    return pc_no_memory(r->error);
  char* text = pc_copy_text(name);
  if (!text) return pc_no_memory(r->error);
  r->claims.entry[r->claims.count++] = (pc_claim){text, node};
  return PC_OK;
}

static int compare_claims(const void* a, const void* b)
{
  const pc_claim *x = a, *y = b;
  int order = strcmp(x->text, y->text);
  if (order) return order;
  if (x->node->line != y->node->line) return x->node->line < y->node->line ? -1 : 1;
  return (x->node->column > y->node->column) - (x->node->column < y->node->column);
}

pc_status pc_check_claims(pc_reader* r)
{
  if (r->claims.count)
    qsort(r->claims.entry, (size_t)r->claims.count, sizeof *r->claims.entry, compare_claims);
  for (int i = 1; i < r->claims.count; i++)
    if (strcmp(r->claims.entry[i - 1].text, r->claims.entry[i].text) == 0)
      return pc_fail_at(r->error, r->claims.entry[i].node,
                        "the name '%s' is taken already at line %d", r->claims.entry[i].text,
                        r->claims.entry[i - 1].node->line);
  return PC_OK;
}

void pc_reader_clear(pc_reader* r)
{
  for (int i = 0; i < r->claims.count; i++) free(r->claims.entry[i].text);
  free(r->claims.entry);
  free(r->bodies.entry);
  free(r->coordinates.entry);
  pc_names_clear(&r->bodies.names);
  pc_names_clear(&r->coordinates.names);
  for (int i = 0; i < r->joints.count; i++) free(r->joints.entry[i].name);
  free(r->joints.entry);
  for (int i = 0; i < r->joint_names.count; i++) free(r->joint_names.text[i]);
  free(r->joint_names.text);
  free(r->forces.entry);
  free(r->points.entry);
  pc_names_clear(&r->points.names);
  free(r->outputs.entry);
  free(r->held.entry);
  pc_names_clear(&r->shapes.materials);
  pc_geometries_clear(&r->shapes);
  for (int i = 0; i < r->texts.count; i++) free(r->texts.text[i]);
  free(r->texts.text);
}

/* --- one element ---------------------------------------------------------------------------- */

static pc_status fail_unless_mapping(const pc_reader* r, const pc_node* node, const char* what,
                                     const char* of)
{
  if (node->kind == PC_NODE_MAPPING) return PC_OK;
  return pc_fail_at(r->error, node, "%s: expected a mapping of %s, found %s", what, of,
                    pc_node_describe(node));
}

typedef struct element {
  const pc_kind* kind;
  const char* name;
  const pc_node* place;  /* for errors of the element as a whole */
  const pc_node* fields; /* its mapping */
  const pc_node*
      collide; /* of a joint: whether the bodies that it ties may touch; NULL: not said */
} element;

/* What an element is called in errors: "body", "revolute", "contact". */
static const char* noun(const pc_kind* kind)
{
  if (strcmp(kind->about.section, "bodies") == 0) return "body";
  return strcmp(kind->about.section, "contacts") == 0 ? "contact" : kind->about.name;
}

static pc_status read_element(pc_reader* r, const element* e, pc_any_def* def)
{
  char what[160];
  snprintf(what, sizeof what, "%s '%s'", noun(e->kind), e->name);
  e->kind->set_defaults(def);
  def->name = e->name;
  return pc_read_fields(r, e->kind->field, e->fields, what, def);
}

static int has_coordinates(const char* kind)
{
  static const char* const kinds[] = {"revolute", "prismatic", "cylindrical",
                                      "planar",   "universal", "screw"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kind, kinds[i]) == 0) return 1;
  return 0;
}

pc_status pc_note_joint(pc_reader* r, const char* kind, const char* name, const pc_joint_def* def)
{
  if (pc_grow((void**)&r->joint_names.text, &r->joint_names.capacity, r->joint_names.count,
              sizeof *r->joint_names.text) != PC_OK)
    return pc_no_memory(r->error);
  r->joint_names.text[r->joint_names.count] = pc_copy_text(name);
  if (!r->joint_names.text[r->joint_names.count++]) return pc_no_memory(r->error);
  if (!has_coordinates(kind)) return PC_OK;
  if (pc_grow((void**)&r->joints.entry, &r->joints.capacity, r->joints.count,
              sizeof *r->joints.entry) != PC_OK)
    return pc_no_memory(r->error);
  char* own = pc_copy_text(name);
  if (!own) return pc_no_memory(r->error);
  pc_joint_entry* joint = &r->joints.entry[r->joints.count++];
  *joint = (pc_joint_entry){.name = own, .kind = kind};
  for (int i = 0; i < 2; i++) joint->part[i] = def->part[i];
  const double* second = strcmp(kind, "universal") == 0 ? def->second_axis : NULL;
  pc_joint_frame_of(r->system, def, second, &joint->frame);
  return PC_OK;
}

/* The two parts that a joint ties; 0 if its kind ties none by itself. */
static int parts_of_joint(const char* kind, const pc_any_def* def, pc_part_id part[2])
{
  static const char* const by_bodies[] = {"revolute",    "spherical", "prismatic", "universal",
                                          "cylindrical", "planar",    "fixed"};
  for (size_t i = 0; i < sizeof by_bodies / sizeof *by_bodies; i++)
    if (strcmp(kind, by_bodies[i]) == 0) {
      memcpy(part, def->joint.part, 2 * sizeof *part);
      return 1;
    }
  for (int i = 0; i < 2; i++) part[i] = def->distance.point[i].part;
  return strcmp(kind, "distance") == 0;
}

/* `collide: true` or `false` beside the kind of a joint. */
static pc_status set_collide(pc_reader* r, const element* e, const pc_any_def* def)
{
  pc_part_id part[2];
  if (!e->collide) return PC_OK;
  int is_true = e->collide->kind == PC_NODE_SCALAR && strcmp(e->collide->text, "true") == 0;
  if (!is_true && !(e->collide->kind == PC_NODE_SCALAR && strcmp(e->collide->text, "false") == 0))
    return pc_fail_at(r->error, e->collide, "joint '%s', collide: expected true or false", e->name);
  if (!parts_of_joint(e->kind->about.name, def, part))
    return pc_fail_at(r->error, e->collide, "joint '%s': a joint of kind %s has no collide",
                      e->name, e->kind->about.name);
  return pc_place_error(
      r->error, e->collide,
      (is_true ? pc_allow_parts : pc_exclude_parts)(r->system, part[0], part[1], r->error));
}

/* `points` instead of `bodies` and `at` of a joint, or of one with play. */
static void take_points(const element* e, pc_any_def* def)
{
  if (!pc_node_key(e->fields, "points") || !pc_is_alternative(e->kind->field, "bodies")) return;
  int is_joint = strcmp(e->kind->about.section, "joints") == 0;
  const pc_point* point = is_joint ? def->joint.point : def->clearance.point;
  pc_part_id* part = is_joint ? def->joint.part : def->clearance.part;
  for (int i = 0; i < 2; i++) part[i] = point[i].part;
  *(is_joint ? &def->joint.by_points : &def->clearance.by_points) = 1;
}

static pc_status add_element(pc_reader* r, const element* e, pc_part_id* id)
{
  pc_any_def def;
  PC_TRY(read_element(r, e, &def));
  take_points(e, &def);
  if (e->kind->make) return e->kind->make(r, &def, e->place, e->fields);
  PC_TRY(pc_place_error(r->error, e->place, e->kind->add(r->system, &def, id, r->error)));
  if (strcmp(e->kind->about.section, "contacts") == 0)
    return pc_read_rolling_friction(r, e->kind, &def, e->place, e->fields);
  if (strcmp(e->kind->about.section, "joints") != 0) return PC_OK;
  PC_TRY(set_collide(r, e, &def));
  return pc_note_joint(r, e->kind->about.name, e->name, &def.joint);
}

/* --- bodies --------------------------------------------------------------------------------- */

/* The spaces that kinds of this name are for, as a text; NULL: there is no such kind. */
static const char* spaces_of(const char* section, const char* name)
{
  static const char* const text[8] = {NULL,
                                      "line",
                                      "planar",
                                      "line or space: planar",
                                      "spatial",
                                      "line or space: spatial",
                                      "planar or space: spatial",
                                      "line, planar or spatial"};
  unsigned spaces = 0;
  for (int d = 1; d <= 3; d++)
    if (pc_find_kind(section, name, d)) spaces |= 1u << (d - 1);
  return text[spaces];
}

static pc_status choose_body_kind(const pc_reader* r, const pc_node* key, const pc_kind** kind)
{
  char what[100];
  snprintf(what, sizeof what, "body '%s'", key->text);
  PC_TRY(fail_unless_mapping(r, key->value, what, "its properties"));
  const pc_node* word = pc_node_key(key->value, "kind");
  const char* name = "rigid";
  if (word && word->value->kind == PC_NODE_SCALAR) name = word->value->text;
  const char* spaces = spaces_of("bodies", name);
  if (!spaces || (word && word->value->kind != PC_NODE_SCALAR))
    return pc_fail_at(r->error, word->value, "body '%s': expected kind: rigid, point, bar or beam",
                      key->text);
  *kind = pc_find_kind("bodies", name, r->dimension);
  if (*kind) return PC_OK;
  return pc_fail_at(r->error, key, "body '%s': a body of kind: %s needs space: %s", key->text, name,
                    spaces);
}

/* The shapes come first, for the mass of the body may be theirs. */
static pc_status add_body_with(pc_reader* r, const element* e, pc_any_def* def,
                               pc_body_entry* entry, pc_body_shapes* shapes)
{
  PC_TRY(pc_read_body_shapes(r, e->place, e->kind, def, shapes));
  PC_TRY(pc_read_fixed(r, e->place, &entry->is_fixed));
  entry->frame = pc_pose_of_body(r, e->kind, def);
  memcpy(entry->centre, shapes->centre, sizeof entry->centre);
  entry->id = PC_GROUND;
  if (!entry->is_fixed)
    PC_TRY(pc_place_error(r->error, e->place, e->kind->add(r->system, def, &entry->id, r->error)));
  return pc_add_body_shapes(r, e->name, entry->id, &entry->frame, shapes);
}

static pc_status add_shaped_body(pc_reader* r, const element* e, pc_body_entry* entry)
{
  pc_any_def def;
  pc_body_shapes shapes = {0};
  PC_TRY(read_element(r, e, &def));
  pc_status status = add_body_with(r, e, &def, entry, &shapes);
  pc_body_shapes_clear(&shapes);
  return status;
}

static pc_status read_body(pc_reader* r, const pc_node* key)
{
  PC_TRY(pc_claim_name(r, key->text, key, "body"));
  element e = {.name = key->text, .place = key, .fields = key->value};
  PC_TRY(choose_body_kind(r, key, &e.kind));
  pc_body_entry* entry = &r->bodies.entry[r->bodies.count];
  entry->name = key->text;
  entry->is_point = strcmp(e.kind->about.name, "point") == 0;
  const char* kind = e.kind->about.name;
  entry->chain = strcmp(kind, "bar") == 0 || strcmp(kind, "beam") == 0 ? kind : NULL;
  entry->is_spatial = r->dimension == 3 && !entry->is_point;
  if (entry->chain)
    PC_TRY(add_element(r, &e, &entry->id));
  else
    PC_TRY(add_shaped_body(r, &e, entry));
  if (pc_names_add(&r->bodies.names, key->text, r->bodies.count++) != PC_OK)
    return pc_no_memory(r->error);
  return PC_OK;
}

pc_status pc_read_bodies(pc_reader* r, const pc_node* section)
{
  if (!section) return PC_OK;
  PC_TRY(fail_unless_mapping(r, section, "bodies", "names to bodies"));
  r->bodies.entry = pc_alloc((size_t)section->count, sizeof *r->bodies.entry);
  if (!r->bodies.entry) return pc_no_memory(r->error);
  for (const pc_node* key = section->first; key; key = key->next) PC_TRY(read_body(r, key));
  pc_names_sort(&r->bodies.names);
  return PC_OK;
}

/* --- coordinates ---------------------------------------------------------------------------- */

static pc_status check_coordinate_name(pc_reader* r, const pc_node* key)
{
  PC_TRY(pc_claim_name(r, key->text, key, "coordinate"));
  if (strchr(key->text, '-'))
    return pc_fail_at(r->error, key,
                      "a coordinate cannot be called '%s': in an expression '-' is a minus",
                      key->text);
  if (pc_is_reserved_name(key->text))
    return pc_fail_at(r->error, key,
                      "a coordinate cannot be called '%s': expressions know this name", key->text);
  if (strcmp(key->text, "time") == 0)
    return pc_fail_at(r->error, key,
                      "a coordinate cannot be called 'time': results call the time so");
  if (pc_names_find(&r->parameters->index, key->text, strlen(key->text)) >= 0)
    return pc_fail_at(r->error, key, "a coordinate cannot be called '%s': so is a parameter",
                      key->text);
  return PC_OK;
}

/* A part with one coordinate, whose quantities are called x and x'. */
pc_status pc_add_coordinate(pc_reader* r, const pc_coordinate_def* c)
{
  if (pc_grow((void**)&r->coordinates.entry, &r->coordinates.capacity, r->coordinates.count,
              sizeof *r->coordinates.entry) != PC_OK)
    return pc_no_memory(r->error);
  char velocity[80];
  snprintf(velocity, sizeof velocity, "%s'", c->name);
  const char* no_unit = "";
  const char* u_name = velocity;
  pc_part_def part = {.name = c->name,
                      .kind = PC_PART_COORDINATES,
                      .q_count = 1,
                      .u_count = 1,
                      .q0 = &c->value,
                      .u0 = &c->velocity,
                      .q_name = &c->name,
                      .u_name = &u_name,
                      .q_unit = &no_unit,
                      .u_unit = &no_unit};
  pc_coordinate_entry* entry = &r->coordinates.entry[r->coordinates.count];
  entry->name = c->name;
  PC_TRY(pc_system_add_part(r->system, &part, &entry->id, r->error));
  r->coordinates.count++;
  return PC_OK;
}

/* `x: {value: 1, velocity: 0}`, or `x: 1`. */
static pc_status read_coordinate(pc_reader* r, const pc_node* key)
{
  PC_TRY(check_coordinate_name(r, key));
  element e = {pc_find_kind("coordinates", "coordinate", r->dimension), key->text, key, key->value,
               NULL};
  pc_any_def def;
  if (key->value->kind == PC_NODE_SCALAR) {
    def.coordinate = (pc_coordinate_def){.name = key->text};
    PC_TRY(pc_number_of_node(&r->scope, key->value, &def.coordinate.value, r->error));
  } else {
    PC_TRY(read_element(r, &e, &def));
  }
  PC_TRY(pc_place_error(r->error, key, pc_add_coordinate(r, &def.coordinate)));
  if (pc_names_add(&r->coordinates.names, key->text, r->coordinates.count - 1) != PC_OK)
    return pc_no_memory(r->error);
  return PC_OK;
}

pc_status pc_read_coordinates(pc_reader* r, const pc_node* section)
{
  if (!section) return PC_OK;
  PC_TRY(fail_unless_mapping(r, section, "coordinates", "names to initial values"));
  for (const pc_node* key = section->first; key; key = key->next) PC_TRY(read_coordinate(r, key));
  pc_names_sort(&r->coordinates.names);
  return PC_OK;
}

/* --- points --------------------------------------------------------------------------------- */

static pc_status check_point(const pc_reader* r, const pc_node* key, const pc_point* point)
{
  for (int i = 0; i < r->bodies.count; i++)
    if (!r->bodies.entry[i].chain && !r->bodies.entry[i].is_fixed &&
        r->bodies.entry[i].id.index == point->part.index)
      return PC_OK;
  return pc_fail_at(r->error, key->value,
                    "point '%s': expected a point of a rigid body or point mass, not of %s",
                    key->text, point->part.index < 0 ? "the ground" : "a node of a bar or beam");
}

pc_status pc_read_points(pc_reader* r, const pc_node* section)
{
  if (!section) return PC_OK;
  PC_TRY(fail_unless_mapping(r, section, "points", "names to points of bodies"));
  r->points.entry = pc_alloc((size_t)section->count, sizeof *r->points.entry);
  if (!r->points.entry) return pc_no_memory(r->error);
  for (const pc_node* key = section->first; key; key = key->next) {
    PC_TRY(pc_claim_name(r, key->text, key, "point"));
    pc_point_entry* entry = &r->points.entry[r->points.count];
    entry->name = key->text;
    if (pc_read_point(r, key->value, &entry->point) != PC_OK) {
      pc_prefix_error(r->error, "point '%s': ", key->text);
      return r->error->status;
    }
    PC_TRY(check_point(r, key, &entry->point));
    if (pc_names_add(&r->points.names, key->text, r->points.count++) != PC_OK)
      return pc_no_memory(r->error);
  }
  pc_names_sort(&r->points.names);
  return PC_OK;
}

/* --- joints and forces ---------------------------------------------------------------------- */

/* The other section that has such a kind, by its name or its first key; NULL: none. */
static const char* section_with(const char* section, const char* found)
{
  for (const pc_kind* k = pc_kinds; k->field; k++)
    if (strcmp(k->about.section, section) != 0 &&
        (strcmp(k->about.name, found) == 0 ||
         (k->field->path && strcmp(k->field->path, found) == 0)))
      return k->about.section;
  return NULL;
}

static pc_status fail_with_kind(const pc_reader* r, const char* section, const pc_node* place,
                                const char* found)
{
  const char* spaces = spaces_of(section, found);
  if (spaces)
    return pc_fail_at(r->error, place, "%s: '%s' needs space: %s", section, found, spaces);
  pc_suggestion names;
  pc_suggest_begin(&names, found);
  for (const pc_kind* k = pc_kinds; k->field; k++)
    if (strcmp(k->about.section, section) == 0 && (k->spaces >> r->dimension & 1u))
      pc_suggest_add(&names, k->about.name);
  if (!found[0])
    return pc_fail_at(r->error, place, "%s: expected a kind%s", section,
                      pc_suggest_text(&names, "kinds"));
  const char* other = section_with(section, found);
  if (other) return pc_fail_at(r->error, place, "%s: '%s' belongs to '%s'", section, found, other);
  return pc_fail_at(r->error, place, "%s: there is no kind '%.60s'%s", section, found,
                    pc_suggest_text(&names, "kinds"));
}

/* An entry is a mapping of one kind to its fields; in a list it may have a name besides. */
static pc_status read_entry(const pc_reader* r, const char* section, const pc_node* entry,
                            int in_list, element* e)
{
  PC_TRY(fail_unless_mapping(r, entry, section, "a kind to its properties"));
  for (const pc_node* key = entry->first; key; key = key->next) {
    if (in_list && strcmp(key->text, "name") == 0) {
      if (key->value->kind != PC_NODE_SCALAR)
        return pc_fail_at(r->error, key->value, "expected a name, found %s",
                          pc_node_describe(key->value));
      e->name = key->value->text;
      e->place = key->value;
      continue;
    }
    if (strcmp(key->text, "collide") == 0 && strcmp(section, "joints") == 0) {
      e->collide = key->value;
      continue;
    }
    const pc_kind* kind = pc_find_kind(section, key->text, r->dimension);
    if (!kind) return fail_with_kind(r, section, key, key->text);
    if (e->kind)
      return pc_fail_at(r->error, key, "%s: an entry is of one kind; '%s' is a second one", section,
                        key->text);
    e->kind = kind;
    e->fields = key->value;
    if (!e->place) e->place = key;
  }
  return e->kind ? PC_OK : fail_with_kind(r, section, entry, "");
}

/* How many kinds there are; every list of unnamed elements counts per kind. */
enum { KINDS_MAX = 96 };

typedef struct list {
  const char* name; /* "joints" */
  const char* what; /* "joint" */
  int has_rows;     /* its elements have recorded quantities, so names must differ */
  int* number;      /* of each kind, so far */
} list;

static pc_status add_entry(pc_reader* r, const list* l, element* e)
{
  char name[80];
  int number = ++l->number[e->kind - pc_kinds];
  if (!e->name) {
    snprintf(name, sizeof name, "%s-%d", e->kind->about.name, number);
    e->name = name;
  }
  if (l->has_rows) PC_TRY(pc_claim_name(r, e->name, e->place, l->what));
  return add_element(r, e, NULL);
}

static pc_status read_list(pc_reader* r, const list* l, const pc_node* section)
{
  for (const pc_node* item = section->first; item; item = item->next) {
    element e = {0};
    if (section->kind == PC_NODE_MAPPING) {
      if (!l->has_rows && pc_is_formula_force(item)) continue;
      e.name = item->text;
      e.place = item;
    }
    const pc_node* entry = section->kind == PC_NODE_MAPPING ? item->value : item;
    PC_TRY(read_entry(r, l->name, entry, section->kind == PC_NODE_SEQUENCE, &e));
    PC_TRY(add_entry(r, l, &e));
  }
  return PC_OK;
}

static pc_status read_section(pc_reader* r, list l, const pc_node* section)
{
  int number[KINDS_MAX] = {0};
  if (!section) return PC_OK;
  if (section->kind == PC_NODE_SCALAR)
    return pc_fail_at(r->error, section, "%s: expected a list or a mapping, found %s", l.name,
                      pc_node_describe(section));
  l.number = number;
  return read_list(r, &l, section);
}

pc_status pc_read_joints(pc_reader* r, const pc_node* section)
{
  return read_section(r, (list){"joints", "joint", 1, NULL}, section);
}

pc_status pc_read_forces(pc_reader* r, const pc_node* section)
{
  return read_section(r, (list){"forces", "force", 0, NULL}, section);
}

pc_status pc_read_drives(pc_reader* r, const char* name, const char* kind, const pc_node* section)
{
  if (!section) return PC_OK;
  PC_TRY(fail_unless_mapping(r, section, name, "names to their properties"));
  for (const pc_node* key = section->first; key; key = key->next) {
    element e = {pc_find_kind(name, kind, r->dimension), key->text, key, key->value, NULL};
    if (!e.kind) return pc_fail_at(r->error, key, "%s need space: %s", name, spaces_of(name, kind));
    PC_TRY(pc_claim_name(r, key->text, key, kind));
    PC_TRY(fail_unless_mapping(r, key->value, name, "its properties"));
    PC_TRY(add_element(r, &e, NULL));
  }
  return PC_OK;
}

int pc_is_formula_force(const pc_node* key)
{
  return key->value && key->value->kind == PC_NODE_SCALAR;
}

/* --- contacts ------------------------------------------------------------------------------- */

int pc_is_formula_contact(const pc_node* key)
{
  return key->value && key->value->kind == PC_NODE_MAPPING && pc_node_key(key->value, "gap");
}

/* "clearance" is that of a revolute joint; NULL: there is no such. */
static const char* clearance_kind_name(const pc_node* contact)
{
  const pc_node* play = pc_node_key(contact, "clearance")->value;
  const char* word = play->kind == PC_NODE_SCALAR ? play->text : "";
  if (strcmp(word, "revolute") == 0) return "clearance";
  if (strcmp(word, "prismatic") == 0) return "clearance-prismatic";
  return strcmp(word, "spherical") == 0 ? "clearance-spherical" : NULL;
}

/* Which kind a contact is follows from its keys. In space a disc has an edge. */
static const char* contact_kind_name(const pc_node* contact, int dimension)
{
  if (pc_node_key(contact, "gap")) return "formula";
  if (pc_node_key(contact, "disc")) {
    if (pc_node_key(contact, "plane")) return dimension == 3 ? "edge-plane" : "disc-plane";
    return pc_node_key(contact, "other") ? "disc-disc" : NULL;
  }
  if (pc_node_key(contact, "sphere")) {
    if (pc_node_key(contact, "plane")) return "sphere-plane";
    return pc_node_key(contact, "other") ? "sphere-sphere" : NULL;
  }
  if (pc_node_key(contact, "clearance")) return clearance_kind_name(contact);
  if (pc_node_key(contact, "arc")) {
    if (pc_node_key(contact, "cylinder")) return "arc-cylinder";
    if (pc_node_key(contact, "bore")) return "arc-bore";
    if (pc_node_key(contact, "face")) return "arc-face";
    return pc_node_key(contact, "wedge") ? "arc-wedge" : NULL;
  }
  if (pc_node_key(contact, "ellipsoid"))
    return pc_node_key(contact, "plane") ? "ellipsoid-plane" : NULL;
  if (!pc_node_key(contact, "point")) return NULL;
  if (pc_node_key(contact, "plane")) return "point-plane";
  if (pc_node_key(contact, "circle")) return "point-circle";
  return pc_node_key(contact, "curve") ? "point-curve" : NULL;
}

/* A contact of no kind: a misspelt key is the likeliest reason. */
static pc_status fail_with_contact(const pc_reader* r, const pc_node* key)
{
  for (const pc_node* k = key->value->first; k; k = k->next) {
    pc_suggestion names;
    pc_suggest_begin(&names, k->text);
    for (const pc_kind* kind = pc_kinds; kind->field; kind++)
      for (const pc_field* f = kind->field; f->path; f++)
        if (strcmp(kind->about.section, "contacts") == 0) pc_suggest_add(&names, f->path);
    if (names.distance == 0) continue;
    return pc_fail_at(r->error, k, "contact '%s': unknown key '%.60s'%s%s%s", key->text, k->text,
                      names.best[0] ? "; did you mean '" : "", names.best,
                      names.best[0] ? "'?" : "");
  }
  return pc_fail_at(r->error, key,
                    "contact '%s': expected point with plane, circle or curve; disc or sphere with "
                    "plane or other; ellipsoid with plane; arc with cylinder, bore, face or wedge; "
                    "clearance; or gap",
                    key->text);
}

pc_status pc_read_contacts(pc_reader* r, const pc_node* section)
{
  if (!section) return PC_OK;
  PC_TRY(fail_unless_mapping(r, section, "contacts", "names to contacts"));
  for (const pc_node* key = section->first; key; key = key->next) {
    PC_TRY(pc_claim_name(r, key->text, key, "contact"));
    PC_TRY(fail_unless_mapping(r, key->value, "contacts", "its properties"));
    if (pc_is_formula_contact(key)) continue;
    const char* name = contact_kind_name(key->value, r->dimension);
    if (!name && pc_node_key(key->value, "clearance"))
      return pc_fail_at(r->error, pc_node_key(key->value, "clearance")->value,
                        "contact '%s': expected clearance: revolute, prismatic or spherical",
                        key->text);
    if (!name) return fail_with_contact(r, key);
    element e = {pc_find_kind("contacts", name, r->dimension), key->text, key, key->value, NULL};
    if (!e.kind)
      return pc_fail_at(r->error, key, "contact '%s': '%s' needs space: %s", key->text, name,
                        spaces_of("contacts", name));
    PC_TRY(add_element(r, &e, NULL));
  }
  return PC_OK;
}
