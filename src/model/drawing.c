#include "model/drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/outputs.h"

enum { POINTS_MAX = 1000 };

#define ROW(key, about, otherwise, help)                        \
  {                                                             \
    key, PC_FIELD_WORD, 0, PC_ANY, about, otherwise, help, NULL \
  }

static const pc_field table[] = {
    ROW("point", "position", "none", "a dot there"),
    ROW("line", "list of positions", "none", "a line through them"),
    ROW("circle", "position", "none", "a circle around it"),
    ROW("polygon", "list of positions", "none", "an area with these corners"),
    ROW("radius", "formula [m]", "required", "of a circle"),
    ROW("contact", "name", "none", "of a point: the contact that is there"),
    ROW("normal", "direction", "up", "of a contact's normal impulse"),
    {NULL, PC_FIELD_WORD, 0, PC_ANY, NULL, NULL, NULL, NULL}};

/* What a drawing can be, in the order of pc_drawing_kind. */
static const char* const kinds[] = {"point", "line", "circle", "polygon"};
static const int fewest[] = {1, 2, 1, 3};

/* ---- numbers ------------------------------------------------------------------------------ */

static pc_status add_number(pc_reader* r, pc_drawing_entry* d, const pc_node* node)
{
  pc_output_def* number = &d->number[d->number_count];
  if (node)
    PC_TRY(pc_make_output(r, node, number));
  else
    *number = (pc_output_def){0}; /* zero */
  d->number_count++;
  return PC_OK;
}

/* [x, y]: one to three formulas; what is missing is zero. */
static pc_status add_vector(pc_reader* r, pc_drawing_entry* d, const pc_node* node)
{
  if (node->kind != PC_NODE_SEQUENCE || node->count < 1 || node->count > 3)
    return pc_fail_at(
        r->error, node, "expected [x, y] or [x, y, z], found %s",
        node->kind == PC_NODE_SEQUENCE ? "a list of another length" : pc_node_describe(node));
  const pc_node* item = node->first;
  for (int i = 0; i < 3; i++) {
    PC_TRY(add_number(r, d, item));
    if (item) item = item->next;
  }
  return PC_OK;
}

static pc_status add_points(pc_reader* r, pc_drawing_entry* d, const pc_node* node)
{
  int several = d->about.kind == PC_DRAWING_LINE || d->about.kind == PC_DRAWING_POLYGON;
  if (!several) return add_vector(r, d, node);
  for (const pc_node* point = node->first; point; point = point->next)
    PC_TRY(add_vector(r, d, point));
  return PC_OK;
}

static pc_status count_points(const pc_reader* r, const pc_node* node, pc_drawing* about)
{
  int several = about->kind == PC_DRAWING_LINE || about->kind == PC_DRAWING_POLYGON;
  about->point_count = several ? node->count : 1;
  if (!several) return PC_OK;
  if (node->kind != PC_NODE_SEQUENCE || node->count < fewest[about->kind] ||
      node->count > POINTS_MAX)
    return pc_fail_at(
        r->error, node, "expected a list of %d to %d positions, found %s", fewest[about->kind],
        POINTS_MAX,
        node->kind == PC_NODE_SEQUENCE ? "another number of them" : pc_node_describe(node));
  return PC_OK;
}

/* ---- an entry ----------------------------------------------------------------------------- */

/* The one of `kinds` that an entry has. */
static pc_status find_shape(const pc_reader* r, const pc_node* entry, pc_drawing_kind* kind,
                            const pc_node** value)
{
  int found = 0;
  for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++) {
    const pc_node* key = pc_node_key(entry, kinds[i]);
    if (!key) continue;
    found++;
    *kind = (pc_drawing_kind)i;
    *value = key->value;
  }
  if (found == 1) return PC_OK;
  return pc_fail_at(r->error, entry, "expected one of point, line, circle, polygon, found %s",
                    found ? "several" : "none");
}

static pc_status find_contact(const pc_reader* r, const pc_node* name, int* contact)
{
  pc_suggestion names;
  const char* text = name->kind == PC_NODE_SCALAR ? name->text : "";
  pc_suggest_begin(&names, text);
  for (int k = 0; k < pc_system_contact_count(r->system); k++) {
    const char* its = pc_system_contact(r->system, k).name;
    if (!strcmp(its, text)) {
      *contact = k;
      return PC_OK;
    }
    pc_suggest_add(&names, its);
  }
  return pc_fail_at(r->error, name, "there is no contact '%.60s'%s", text,
                    pc_suggest_text(&names, "contacts"));
}

/* The radius of a circle; contact and normal of a point. */
static pc_status add_rest(pc_reader* r, pc_drawing_entry* d, const pc_node* entry)
{
  static const char* const key[] = {"radius", "contact", "normal"};
  const pc_node* value[3];
  for (int i = 0; i < 3; i++) {
    const pc_node* found = pc_node_key(entry, key[i]);
    value[i] = found ? found->value : NULL;
    int fits = d->about.kind == (i == 0 ? PC_DRAWING_CIRCLE : PC_DRAWING_POINT);
    if (found && !fits)
      return pc_fail_at(r->error, found, "only a %s has a %s", i == 0 ? "circle" : "point", key[i]);
  }
  if (d->about.kind == PC_DRAWING_CIRCLE) {
    if (!value[0]) return pc_fail_at(r->error, entry, "a circle needs a radius");
    return add_number(r, d, value[0]);
  }
  if (value[1]) PC_TRY(find_contact(r, value[1], &d->about.contact));
  if (!value[2]) return PC_OK;
  if (!value[1]) return pc_fail_at(r->error, value[2], "a normal needs a contact");
  d->about.has_normal = 1;
  return add_vector(r, d, value[2]);
}

static pc_status fill_entry(pc_reader* r, pc_drawing_entry* d, const pc_node* entry)
{
  const pc_node* value = NULL;
  if (entry->kind != PC_NODE_MAPPING)
    return pc_fail_at(r->error, entry, "expected a mapping, found %s", pc_node_describe(entry));
  PC_TRY(pc_check_keys(r, table, entry, "drawing"));
  PC_TRY(find_shape(r, entry, &d->about.kind, &value));
  PC_TRY(count_points(r, value, &d->about));
  d->number = pc_alloc(3 * ((size_t)d->about.point_count + 1), sizeof *d->number);
  if (!d->number) return pc_no_memory(r->error);
  PC_TRY(add_points(r, d, value));
  return add_rest(r, d, entry);
}

pc_status pc_read_drawings(pc_reader* r, const pc_node* section, pc_drawings* drawings)
{
  if (!section) return PC_OK;
  if (section->kind != PC_NODE_MAPPING)
    return pc_fail_at(r->error, section, "draw: expected a mapping, found %s",
                      pc_node_describe(section));
  for (const pc_node* key = section->first; key; key = key->next) {
    if (pc_grow((void**)&drawings->item, &drawings->capacity, drawings->count,
                sizeof *drawings->item) != PC_OK)
      return pc_no_memory(r->error);
    pc_drawing_entry* d = &drawings->item[drawings->count++];
    *d = (pc_drawing_entry){.about = {.name = key->text, .contact = -1}};
    pc_status status = fill_entry(r, d, key->value);
    if (status == PC_BAD_MODEL) pc_prefix_error(r->error, "draw '%.60s': ", key->text);
    PC_TRY(status);
  }
  return PC_OK;
}

void pc_drawings_clear(pc_drawings* drawings)
{
  for (int i = 0; i < drawings->count; i++) {
    pc_drawing_entry* d = &drawings->item[i];
    for (int k = 0; k < d->number_count; k++)
      if (d->number[k].destroy) d->number[k].destroy(d->number[k].user);
    free(d->number);
  }
  free(drawings->item);
}
