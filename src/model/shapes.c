#include "model/shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/geometry.h"

/* --- materials ------------------------------------------------------------------------------ */

static pc_material material_of(const pc_contact_law* law)
{
  return (pc_material){law->mu,      law->e_N,      law->e_F,       law->contact_radius,
                       law->e_above, law->stribeck, law->mu_kinetic};
}

static pc_status find_material(const pc_reader* r, const pc_node* place, const char* name,
                               size_t length, pc_material_id* id)
{
  id->index = pc_names_find(&r->shapes.materials, name, length);
  if (id->index >= 0) return PC_OK;
  char text[64];
  pc_suggestion names;
  snprintf(text, sizeof text, "%.*s", (int)(length < 60 ? length : 60), name);
  pc_suggest_begin(&names, text);
  for (int i = 0; i < r->shapes.materials.count; i++)
    pc_suggest_add(&names, r->shapes.materials.item[i].text);
  return pc_fail_at(r->error, place, "there is no material '%s'%s", text,
                    r->shapes.materials.count ? pc_suggest_text(&names, "materials")
                                              : "; the section materials has none");
}

static pc_status read_law(const pc_reader* r, const pc_node* key, pc_material* material)
{
  char what[100];
  pc_any_def def;
  snprintf(what, sizeof what, "material '%.60s'", key->text);
  const pc_kind* kind = pc_find_kind("materials", "material", r->dimension);
  if (!kind) return pc_fail_at(r->error, key, "materials need space: planar or space: spatial");
  kind->set_defaults(&def);
  PC_TRY(pc_read_fields(r, kind->field, key->value, what, &def));
  *material = material_of(&def.law);
  return PC_OK;
}

static pc_status read_material(pc_reader* r, const pc_node* key)
{
  pc_material material;
  pc_material_id id = {0};
  PC_TRY(read_law(r, key, &material));
  if (!pc_is_name(key->text, 1))
    return pc_fail_at(r->error, key,
                      "'%.60s' cannot be the name of a material: expected letters, digits, '_' "
                      "and '-', or a pair such as steel/ice",
                      key->text);
  PC_TRY(pc_place_error(r->error, key,
                        pc_add_material(r->system, key->text, &material, &id, r->error)));
  if (pc_names_add(&r->shapes.materials, key->text, id.index) != PC_OK)
    return pc_no_memory(r->error);
  return PC_OK;
}

/* steel/ice: the law between two materials. */
static pc_status read_pair(pc_reader* r, const pc_node* key)
{
  pc_material material;
  pc_material_id a, b;
  const char* slash = strchr(key->text, '/');
  PC_TRY(read_law(r, key, &material));
  PC_TRY(find_material(r, key, key->text, (size_t)(slash - key->text), &a));
  PC_TRY(find_material(r, key, slash + 1, strlen(slash + 1), &b));
  return pc_place_error(r->error, key, pc_set_material_pair(r->system, a, b, &material, r->error));
}

pc_status pc_read_materials(pc_reader* r, const pc_node* section)
{
  if (!section) return PC_OK;
  if (section->kind != PC_NODE_MAPPING)
    return pc_fail_at(r->error, section, "materials: expected a mapping of names to laws, found %s",
                      pc_node_describe(section));
  for (const pc_node* key = section->first; key; key = key->next)
    if (!strchr(key->text, '/')) PC_TRY(read_material(r, key));
  pc_names_sort(&r->shapes.materials);
  for (const pc_node* key = section->first; key; key = key->next)
    if (strchr(key->text, '/')) PC_TRY(read_pair(r, key));
  return PC_OK;
}

/* The material called default, or one without friction and restitution. */
static pc_status default_material(pc_reader* r, pc_material_id* id)
{
  id->index = pc_names_find(&r->shapes.materials, "default", strlen("default"));
  if (id->index >= 0) return PC_OK;
  if (!r->shapes.has_smooth) {
    pc_material smooth = pc_default_material();
    PC_TRY(pc_add_material(r->system, "default", &smooth, &r->shapes.smooth, r->error));
    r->shapes.has_smooth = 1;
  }
  *id = r->shapes.smooth;
  return PC_OK;
}

/* --- groups --------------------------------------------------------------------------------- */

static pc_status group_bit(pc_reader* r, const pc_node* node, int belongs, uint32_t* bits)
{
  pc_group_names* g = &r->shapes.groups;
  if (node->kind != PC_NODE_SCALAR || !pc_is_name(node->text, 1))
    return pc_fail_at(r->error, node, "expected the name of a group, or a list of names");
  int i = 0;
  while (i < g->count && strcmp(g->name[i], node->text) != 0) i++;
  if (i == PC_GROUPS_MAX)
    return pc_fail_at(r->error, node, "more than %d groups of shapes", PC_GROUPS_MAX);
  if (i == g->count) {
    g->name[g->count++] = node->text;
    g->place[i] = node;
    g->belongs[i] = 0;
  }
  g->belongs[i] |= belongs;
  *bits |= (uint32_t)1 << i;
  return PC_OK;
}

static pc_status read_groups(pc_reader* r, const pc_node* node, int belongs, uint32_t* bits)
{
  *bits = 0;
  if (node->kind != PC_NODE_SEQUENCE) return group_bit(r, node, belongs, bits);
  for (const pc_node* item = node->first; item; item = item->next)
    PC_TRY(group_bit(r, item, belongs, bits));
  return PC_OK;
}

pc_status pc_check_groups(const pc_reader* r)
{
  const pc_group_names* g = &r->shapes.groups;
  for (int i = 1; i < g->count; i++) {
    if (g->belongs[i]) continue;
    pc_suggestion names;
    pc_suggest_begin(&names, g->name[i]);
    for (int k = 0; k < g->count; k++)
      if (g->belongs[k] || k == 0) pc_suggest_add(&names, g->name[k]);
    return pc_fail_at(r->error, g->place[i], "no shape is in the group '%s'%s", g->name[i],
                      pc_suggest_text(&names, "groups"));
  }
  return PC_OK;
}

/* --- one shape ------------------------------------------------------------------------------ */

/* A key of the shape, or else of its body. */
static const pc_node* find_key(const pc_node* shape, const pc_node* body, const char* name)
{
  const pc_node* key = pc_node_key(shape, name);
  if (!key && body) key = pc_node_key(body, name);
  return key;
}

static pc_status read_who(pc_reader* r, const pc_node* shape, const pc_node* body,
                          pc_placed_shape* s)
{
  if (!r->shapes.groups.count) { /* the first group is that of shapes which name none */
    r->shapes.groups.name[0] = "default";
    r->shapes.groups.place[0] = shape;
    r->shapes.groups.count = 1;
  }
  const pc_node *material = find_key(shape, body, "material"),
                *group = find_key(shape, body, "group"), *meets = find_key(shape, body, "meets");
  s->group = 1;
  s->mask = UINT32_MAX;
  if (group) PC_TRY(read_groups(r, group->value, 1, &s->group));
  if (meets) PC_TRY(read_groups(r, meets->value, 0, &s->mask));
  if (!material) return default_material(r, &s->material);
  if (material->value->kind != PC_NODE_SCALAR)
    return pc_fail_at(r->error, material->value, "expected the name of a material, found %s",
                      pc_node_describe(material->value));
  const char* name = material->value->text;
  return find_material(r, material->value, name, strlen(name), &s->material);
}

static pc_status fail_with_shape(const pc_reader* r, const pc_node* node, const char* what)
{
  pc_suggestion names;
  const pc_node* first = node->kind == PC_NODE_MAPPING ? node->first : NULL;
  pc_suggest_begin(&names, first ? first->text : "");
  for (const pc_kind* k = pc_kinds; k->field; k++)
    if (strcmp(k->about.section, "shapes") == 0 && (k->spaces >> r->dimension & 1u))
      pc_suggest_add(&names, k->about.name);
  return pc_fail_at(r->error, node, "%s: expected a shape such as {%s}%s", what,
                    r->dimension == 3 ? "sphere: 0.1" : "disc: 0.1",
                    r->dimension == 1 ? "; shapes need space: planar or space: spatial"
                                      : pc_suggest_text(&names, "shapes"));
}

static const pc_kind* choose_kind(const pc_reader* r, const pc_node* node)
{
  if (node->kind != PC_NODE_MAPPING) return NULL;
  for (const pc_node* key = node->first; key; key = key->next) {
    const pc_kind* kind = pc_find_kind("shapes", key->text, r->dimension);
    if (kind) return kind;
  }
  return NULL;
}

/* `body` is the mapping of the body whose keys hold for all its shapes; NULL: none. */
static pc_status read_shape(pc_reader* r, const pc_node* node, const pc_node* body,
                            const char* what, pc_placed_shape* s)
{
  pc_any_def def;
  const pc_kind* kind = choose_kind(r, node);
  if (!kind) return fail_with_shape(r, node, what);
  kind->set_defaults(&def);
  PC_TRY(pc_read_fields(r, kind->field, node, what, &def));
  *s = (pc_placed_shape){.place = node, .density = def.shape.density, .mass = def.shape.mass};
  pc_status status = read_who(r, node, body, s);
  if (status == PC_OK)
    status = pc_make_geometry(r, kind->about.name, node, &def.shape, &s->geometry, &s->form);
  if (status == PC_OK) status = pc_make_pose(r, kind->about.name, node, &def.shape, &s->pose);
  if (status == PC_BAD_MODEL) pc_prefix_error(r->error, "%s: ", what);
  return status;
}

/* --- the shapes of a body ------------------------------------------------------------------- */

static pc_status read_all_shapes(pc_reader* r, const pc_node* key, pc_body_shapes* shapes)
{
  const pc_node *one = pc_node_key(key->value, "shape"), *all = pc_node_key(key->value, "shapes");
  char what[120];
  if (all && all->value->kind != PC_NODE_SEQUENCE)
    return pc_fail_at(r->error, all->value,
                      "body '%s', shapes: expected a list of shapes, found %s", key->text,
                      pc_node_describe(all->value));
  int count = (one ? 1 : 0) + (all ? all->value->count : 0);
  shapes->item = pc_alloc((size_t)count, sizeof *shapes->item);
  if (!shapes->item) return pc_no_memory(r->error);
  snprintf(what, sizeof what, "body '%s', shape", key->text);
  if (one) PC_TRY(read_shape(r, one->value, key->value, what, &shapes->item[shapes->count++]));
  for (const pc_node* item = all ? all->value->first : NULL; item; item = item->next)
    PC_TRY(read_shape(r, item, key->value, what, &shapes->item[shapes->count++]));
  return PC_OK;
}

/* What the shapes weigh together. Without any density theirs is `otherwise`. */
static pc_status weigh(const pc_reader* r, const pc_node* key, const pc_body_shapes* shapes,
                       double otherwise, pc_mass_properties* sum)
{
  *sum = (pc_mass_properties){0};
  for (int i = 0; i < shapes->count; i++) {
    const pc_placed_shape* s = &shapes->item[i];
    pc_mass_properties own;
    double density = isfinite(s->density) ? s->density : isfinite(s->mass) ? 1 : otherwise;
    if (!isfinite(density))
      return pc_fail_at(
          r->error, s->place,
          "body '%s': its mass is not given, and neither is the density of this shape", key->text);
    PC_TRY(pc_place_error(r->error, s->place, pc_geometry_mass(s->form, density, &own, r->error)));
    if (isfinite(s->mass)) pc_mass_scale(&own, s->mass);
    pc_mass_add(sum, &own, &s->pose);
  }
  return PC_OK;
}

static pc_status read_density(const pc_reader* r, const pc_node* key, double* density)
{
  const pc_node* given = pc_node_key(key->value, "density");
  *density = NAN;
  if (!given) return PC_OK;
  pc_status status = pc_number_of_node(&r->scope, given->value, density, r->error);
  if (status == PC_OK && !(*density > 0))
    status = pc_fail_at(r->error, given->value, "it is %g, but must be positive", *density);
  if (status == PC_BAD_MODEL) pc_prefix_error(r->error, "body '%s', density: ", key->text);
  return status;
}

static int is_given(const pc_node* key, const char* field)
{
  return pc_node_key(key->value, field) != NULL;
}

static double* mass_of(const pc_reader* r, const pc_kind* kind, pc_any_def* def)
{
  if (strcmp(kind->about.name, "point") == 0) return &def->point_mass.mass;
  return r->dimension == 3 ? &def->spatial_body.mass : &def->body.mass;
}

static double* position_of(const pc_reader* r, const pc_kind* kind, pc_any_def* def)
{
  if (strcmp(kind->about.name, "point") == 0) return def->point_mass.position;
  return r->dimension == 3 ? def->spatial_body.position : def->body.position;
}

pc_pose pc_pose_of_body(const pc_reader* r, const pc_kind* kind, const pc_any_def* def)
{
  const double turn[4] = {1, 0, 0, 0};
  if (strcmp(kind->about.name, "point") == 0)
    return pc_pose_in_space(def->point_mass.position, turn);
  if (r->dimension == 3)
    return pc_pose_in_space(def->spatial_body.position, def->spatial_body.orientation);
  return pc_pose_in_plane(def->body.position[0], def->body.position[1], def->body.angle);
}

/* The frame of a body has its origin in the centre of mass. */
static void move_to_centre(const pc_reader* r, const pc_kind* kind, pc_any_def* def,
                           const pc_mass_properties* mass, pc_body_shapes* shapes)
{
  pc_pose frame = pc_pose_of_body(r, kind, def);
  double* position = position_of(r, kind, def);
  memcpy(shapes->centre, mass->centre, sizeof shapes->centre);
  for (int i = 0; i < r->dimension; i++)
    for (int k = 0; k < 3; k++) position[i] += frame.A[3 * i + k] * mass->centre[k];
}

static void set_inertia(const pc_reader* r, const pc_mass_properties* mass, pc_any_def* def)
{
  if (r->dimension == 3)
    memcpy(def->spatial_body.inertia, mass->inertia, sizeof mass->inertia);
  else
    def->body.inertia = mass->inertia[8];
}

static pc_status fail_without_mass(const pc_reader* r, const pc_node* key, const char* missing)
{
  return pc_fail_at(r->error, key->value,
                    "body '%s': '%s' is missing: %s of the body, or a shape that it follows from",
                    key->text, missing, missing);
}

static pc_status complete(const pc_reader* r, const pc_node* key, const pc_kind* kind,
                          pc_any_def* def, pc_body_shapes* shapes)
{
  int is_point = strcmp(kind->about.name, "point") == 0;
  int has_mass = is_given(key, "mass"), has_inertia = is_point || is_given(key, "inertia");
  if (has_mass && has_inertia) return PC_OK;
  if (!shapes->count) return fail_without_mass(r, key, has_mass ? "inertia" : "mass");
  pc_mass_properties mass;
  double density = NAN;
  PC_TRY(read_density(r, key, &density));
  PC_TRY(weigh(r, key, shapes, has_mass && !isfinite(density) ? 1 : density, &mass));
  if (has_mass) pc_mass_scale(&mass, *mass_of(r, kind, def));
  *mass_of(r, kind, def) = mass.mass;
  if (!has_inertia) set_inertia(r, &mass, def);
  move_to_centre(r, kind, def, &mass, shapes);
  return PC_OK;
}

pc_status pc_read_fixed(const pc_reader* r, const pc_node* key, int* fixed)
{
  const pc_node* node = pc_node_key(key->value, "fixed");
  *fixed = 0;
  if (!node) return PC_OK;
  *fixed = node->value->kind == PC_NODE_SCALAR && strcmp(node->value->text, "true") == 0;
  if (*fixed || (node->value->kind == PC_NODE_SCALAR && strcmp(node->value->text, "false") == 0))
    return PC_OK;
  return pc_fail_at(r->error, node->value, "body '%s', fixed: expected true or false", key->text);
}

pc_status pc_read_body_shapes(pc_reader* r, const pc_node* key, const pc_kind* kind,
                              pc_any_def* def, pc_body_shapes* shapes)
{
  int fixed;
  PC_TRY(read_all_shapes(r, key, shapes));
  PC_TRY(pc_read_fixed(r, key, &fixed));
  return fixed ? PC_OK : complete(r, key, kind, def, shapes);
}

void pc_body_shapes_clear(pc_body_shapes* shapes)
{
  free(shapes->item);
  *shapes = (pc_body_shapes){0};
}

/* --- colliders ------------------------------------------------------------------------------ */

static pc_status add_collider(pc_reader* r, const char* name, pc_part_id part, pc_pose pose,
                              const pc_placed_shape* s)
{
  pc_collider_def def = pc_default_collider_def();
  def.name = name;
  def.part = part;
  def.geometry = s->geometry;
  def.pose = pose;
  def.material = s->material;
  def.group = s->group;
  def.mask = s->mask;
  return pc_place_error(r->error, s->place, pc_add_collider(r->system, &def, NULL, r->error));
}

pc_status pc_add_body_shapes(pc_reader* r, const char* body, pc_part_id part, const pc_pose* frame,
                             const pc_body_shapes* shapes)
{
  char name[128];
  for (int i = 0; i < shapes->count; i++) {
    pc_pose pose = shapes->item[i].pose;
    for (int k = 0; k < 3; k++) pose.x[k] -= shapes->centre[k];
    if (part.index < 0) pose = pc_compose_poses(frame, &pose);
    if (shapes->count == 1)
      snprintf(name, sizeof name, "%s", body);
    else
      snprintf(name, sizeof name, "%.100s.shape%d", body, i);
    PC_TRY(add_collider(r, name, part, pose, &shapes->item[i]));
  }
  return PC_OK;
}

/* A shape of the section: on the ground, or on the body that it names. */
static pc_status read_own_shape(pc_reader* r, const pc_node* key)
{
  char what[100];
  pc_placed_shape s;
  pc_point origin = {.part = PC_GROUND};
  snprintf(what, sizeof what, "shape '%.60s'", key->text);
  PC_TRY(read_shape(r, key->value, NULL, what, &s));
  const pc_node* body = pc_node_key(key->value, "body");
  if (body && body->value->kind != PC_NODE_SCALAR)
    return pc_fail_at(r->error, body->value, "%s, body: expected the name of a body", what);
  if (body && pc_read_point(r, body->value, &origin) != PC_OK) {
    pc_prefix_error(r->error, "%s, body: ", what);
    return r->error->status;
  }
  int i = body ? pc_names_find(&r->bodies.names, body->value->text, strlen(body->value->text)) : -1;
  if (i >= 0 && r->bodies.entry[i].is_fixed)
    s.pose = pc_compose_poses(&r->bodies.entry[i].frame, &s.pose);
  else
    for (int k = 0; k < 3; k++) s.pose.x[k] += origin.at[k];
  return add_collider(r, key->text, origin.part, s.pose, &s);
}

pc_status pc_read_shapes(pc_reader* r, const pc_node* section)
{
  if (!section) return PC_OK;
  if (section->kind != PC_NODE_MAPPING)
    return pc_fail_at(r->error, section, "shapes: expected a mapping of names to shapes, found %s",
                      pc_node_describe(section));
  for (const pc_node* key = section->first; key; key = key->next) {
    if (!pc_is_name(key->text, 1))
      return pc_fail_at(r->error, key,
                        "'%.60s' cannot be the name of a shape: expected letters, digits, '_' and "
                        "'-', beginning with a letter",
                        key->text);
    PC_TRY(read_own_shape(r, key));
  }
  return PC_OK;
}
