/* Building a system: parts and elements are added, then the layout is fixed once. */
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

pc_system_def pc_default_system_def(void)
{
  return (pc_system_def){.dimension = 2};
}

pc_status pc_system_create(const pc_system_def* def, pc_system** system, pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  PC_TRY(pc_need(system, "system", error));
  *system = NULL;
  if (def->dimension < 1 || def->dimension > 3)
    return pc_fail(error, PC_BAD_MODEL, "dimension is %d; it must be 1, 2 or 3", def->dimension);
  for (int i = 0; i < def->dimension; i++)
    if (!isfinite(def->gravity[i]))
      return pc_fail(error, PC_BAD_MODEL, "gravity is not a finite vector");
  pc_system* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->dimension = def->dimension;
  for (int i = 0; i < def->dimension; i++) s->gravity[i] = def->gravity[i];
  s->terms.plain_kinematics = 1;
  *system = s;
  return PC_OK;
}

static void destroy_data(const pc_element_ops* ops, void* data)
{
  if (ops->destroy)
    ops->destroy(data);
  else
    free(data);
}

static void clear_element(pc_element* e)
{
  destroy_data(e->ops, e->data);
  free(e->q_block); /* and u_block and part: see make_lists */
  for (int i = 0; e->constraint_name && i < e->g_count + e->gamma_count; i++)
    free(e->constraint_name[i]);
  free(e->constraint_name);
}

void pc_system_destroy(pc_system* s)
{
  if (!s) return;
  for (int i = 0; i < s->element_count; i++) clear_element(&s->element[i]);
  pc_texts_clear(&s->names.all);
  pc_text_index_clear(&s->names.parts);
  pc_outputs_clear(s);
  free(s->held.item);
  if (s->shapes.data) s->shapes.destroy(s->shapes.data);
  free(s->element);
  free(s->part);
  free(s->contact);
  pc_quantities_clear(&s->quantity);
  free(s->row);
  free(s->start.q);
  free(s->start.u);
  free(s);
}

pc_status pc_system_check_open(const pc_system* s, pc_error* error)
{
  if (s->frozen)
    return pc_fail(error, PC_BAD_ARGUMENT, "the system is frozen: nothing can be added to it");
  if (s->closed)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "the rows of the system are numbered: only outputs can be added to it");
  return PC_OK;
}

pc_status pc_system_attach_shapes(pc_system* s, const pc_attachment* shapes, pc_error* error)
{
  PC_TRY(pc_system_check_open(s, error));
  s->shapes = *shapes;
  return PC_OK;
}

const pc_attachment* pc_system_shapes(const pc_system* s)
{
  return &s->shapes;
}

/* Appends numbers to a growing array. */
static pc_status append(double** array, int* capacity, int count, int more, const double* value)
{
  for (int i = 0; i < more; i++) {
    PC_TRY(pc_grow((void**)array, capacity, count + i, sizeof **array));
    (*array)[count + i] = value[i];
  }
  return PC_OK;
}

static pc_status check_part_name(const pc_system* s, const char* name, pc_error* error)
{
  PC_TRY(pc_system_check_open(s, error));
  if (!name || !name[0]) return pc_fail(error, PC_BAD_MODEL, "a part without a name");
  if (pc_text_index_find(&s->names.parts, name) >= 0)
    return pc_fail(error, PC_BAD_MODEL, "the name '%s' is used twice", name);
  return PC_OK;
}

static pc_status check_part(const pc_system* s, const pc_part_def* def, pc_error* error)
{
  PC_TRY(check_part_name(s, def->name, error));
  if (!def->kinematics.q_dot && def->q_count != def->u_count)
    return pc_fail(error, PC_BAD_MODEL,
                   "'%s' has %d coordinates and %d velocities, but no kinematics between them",
                   def->name, def->q_count, def->u_count);
  for (int i = 0; i < def->q_count; i++)
    if (!isfinite(def->q0[i]))
      return pc_fail(error, PC_BAD_MODEL, "'%s': initial position is not finite", def->name);
  for (int i = 0; i < def->u_count; i++)
    if (!isfinite(def->u0[i]))
      return pc_fail(error, PC_BAD_MODEL, "'%s': initial velocity is not finite", def->name);
  return PC_OK;
}

/* The quantities of a part; none is left behind if there is no space for all. */
static pc_status add_part_quantities(pc_system* s, const pc_part_def* def)
{
  int before = s->quantity.count;
  pc_status status = PC_OK;
  for (int i = 0; i < def->q_count && status == PC_OK; i++)
    status = pc_system_add_quantity(s, def->q_name[i], "", def->q_unit[i], PC_QUANTITY_Q,
                                    s->q_count + i);
  for (int i = 0; i < def->u_count && status == PC_OK; i++)
    status = pc_system_add_quantity(s, def->u_name[i], "", def->u_unit[i], PC_QUANTITY_U,
                                    s->u_count + i);
  if (status != PC_OK) pc_quantities_drop(&s->quantity, before);
  return status;
}

pc_status pc_system_add_part(pc_system* s, const pc_part_def* def, pc_part_id* id, pc_error* error)
{
  PC_TRY(check_part(s, def, error));
  char* name = pc_texts_add(&s->names.all, def->name, "");
  if (!name || pc_grow((void**)&s->part, &s->capacity.part, s->part_count, sizeof *s->part) ||
      pc_text_index_reserve(&s->names.parts) ||
      append(&s->start.q, &s->capacity.q, s->q_count, def->q_count, def->q0) ||
      append(&s->start.u, &s->capacity.u, s->u_count, def->u_count, def->u0) ||
      add_part_quantities(s, def))
    return pc_no_memory(error);
  *id = (pc_part_id){s->part_count};
  pc_text_index_add(&s->names.parts, name, s->part_count);
  s->part[s->part_count++] = (pc_part){.name = name,
                                       .kind = def->kind,
                                       .q_first = s->q_count,
                                       .q_count = def->q_count,
                                       .u_first = s->u_count,
                                       .u_count = def->u_count,
                                       .kinematics = def->kinematics,
                                       .retract = def->retract,
                                       .user = def->user,
                                       .chain = def->chain,
                                       .within = -1};
  s->q_count += def->q_count;
  s->u_count += def->u_count;
  if (def->kinematics.q_dot) s->terms.plain_kinematics = 0;
  return PC_OK;
}

/* A part's window on these coordinates, or -1. */
static int find_window(const pc_system* s, const pc_window_def* def, int q_first)
{
  for (int i = 0; i < s->part_count; i++) {
    const pc_part* p = &s->part[i];
    if (p->within == def->part.index && p->q_first == q_first && p->q_count == def->count &&
        p->kind == def->kind)
      return i;
  }
  return -1;
}

static pc_status check_window(const pc_system* s, const pc_window_def* def, pc_error* error)
{
  const pc_part* of = NULL;
  PC_TRY(pc_system_part(s, def->part, &of, error));
  if (!of || of->within >= 0 || of->kinematics.q_dot)
    return pc_fail(error, PC_BAD_ARGUMENT, "'%s' cannot be a part of '%s'", def->name,
                   of ? of->name : "ground");
  if (def->count < 1 || def->first < 0 || def->first > of->q_count - def->count)
    return pc_fail(error, PC_BAD_ARGUMENT, "'%s' has no %d coordinates from number %d on", of->name,
                   def->count, def->first);
  return PC_OK;
}

pc_status pc_system_add_window(pc_system* s, const pc_window_def* def, pc_part_id* id,
                               pc_error* error)
{
  PC_TRY(check_window(s, def, error));
  pc_part window = s->part[def->part.index];
  window.q_first += def->first;
  id->index = find_window(s, def, window.q_first);
  if (id->index >= 0) return PC_OK;
  PC_TRY(check_part_name(s, def->name, error));
  window.name = pc_texts_add(&s->names.all, def->name, "");
  if (!window.name ||
      pc_grow((void**)&s->part, &s->capacity.part, s->part_count, sizeof *s->part) ||
      pc_text_index_reserve(&s->names.parts))
    return pc_no_memory(error);
  window.kind = def->kind;
  window.u_first += def->first;
  window.q_count = window.u_count = def->count;
  window.within = def->part.index;
  *id = (pc_part_id){s->part_count};
  pc_text_index_add(&s->names.parts, window.name, s->part_count);
  s->part[s->part_count++] = window;
  return PC_OK;
}

pc_status pc_system_part(const pc_system* s, pc_part_id id, const pc_part** part, pc_error* error)
{
  if (id.index < -1 || id.index >= s->part_count)
    return pc_fail(error, PC_BAD_ARGUMENT, "there is no part number %d", id.index);
  *part = id.index < 0 ? NULL : &s->part[id.index];
  return PC_OK;
}

int pc_system_part_count(const pc_system* s)
{
  if (!s) return 0;
  return s->part_count;
}

const double* pc_system_gravity(const pc_system* s)
{
  return s ? s->gravity : NULL;
}

/* Space for the runs and the parts of an element, in one piece: there may be many elements with
 * one part. */
static pc_status make_lists(int part_count, pc_element* e)
{
  size_t parts = (size_t)part_count;
  e->q_block = pc_alloc(parts, 2 * sizeof *e->q_block + sizeof *e->part);
  if (!e->q_block) return PC_OUT_OF_MEMORY;
  e->u_block = e->q_block + parts;
  e->part = (void*)(e->u_block + parts);
  return PC_OK;
}

/* The runs of coordinates of an element's parts; runs that touch in q and in u become one. */
static void lay_out_blocks(const pc_system* s, pc_element* e)
{
  e->plain_kinematics = 1;
  for (int i = 0; i < e->part_count; i++) {
    const pc_part* p = &s->part[e->part[i]];
    if (p->kinematics.q_dot) e->plain_kinematics = 0;
    e->q_count += p->q_count;
    e->u_count += p->u_count;
    int b = e->block_count - 1;
    if (b >= 0 && e->q_block[b].first + e->q_block[b].width == p->q_first &&
        e->u_block[b].first + e->u_block[b].width == p->u_first) {
      e->q_block[b].width += p->q_count;
      e->u_block[b].width += p->u_count;
    } else {
      e->q_block[++b] = (pc_block){p->q_first, p->q_count};
      e->u_block[b] = (pc_block){p->u_first, p->u_count};
      e->block_count++;
    }
  }
}

static int overlap(const pc_part* a, const pc_part* b)
{
  return a->q_first < b->q_first + b->q_count && b->q_first < a->q_first + a->q_count;
}

/* Whether cells can be counted in parts, where parts have kinematics of their own. */
static int equal_parts(const pc_system* s, const pc_element* e)
{
  const pc_part* first = &s->part[e->part[0]];
  for (int i = 1; i < e->part_count && !e->plain_kinematics; i++) {
    const pc_part* p = &s->part[e->part[i]];
    if (p->q_count != first->q_count || p->u_count != first->u_count) return 0;
  }
  return 1;
}

static pc_status lay_out_cells(const pc_system* s, const pc_element_def* def, pc_element* e,
                               pc_error* error)
{
  pc_cells c = def->cells;
  e->cell.count = 1;
  e->cell.q = e->q_count;
  e->cell.u = e->u_count;
  e->cell.parts = e->part_count;
  if (c.count == 0) return PC_OK;
  const pc_part* part = &s->part[e->part[0]];
  int u = part->u_count, q = part->q_count; /* of a part: the same for all, or q' = u */
  if (e->plain_kinematics) u = q = 1;
  if (c.count < 0 || c.width < 1 || c.stride < 1 || e->block_count != 1 || c.width % u ||
      c.stride % u || (long long)(c.count - 1) * c.stride + c.width != e->u_count ||
      !equal_parts(s, e))
    return pc_fail(error, PC_BAD_ARGUMENT, "%s '%s': %d cells do not cover %d velocities",
                   def->ops->kind, def->name, c.count, e->u_count);
  e->cell.count = c.count;
  e->cell.stride = c.stride;
  e->cell.u = c.width;
  e->cell.q = c.width / u * q;
  e->cell.q_stride = c.stride / u * q;
  e->cell.parts = c.width / u;
  e->cell.part_stride = c.stride / u;
  return PC_OK;
}

static pc_status copy_parts(const pc_system* s, const pc_element_def* def, pc_element* e,
                            pc_error* error)
{
  if (make_lists(def->part_count, e) != PC_OK) return pc_no_memory(error);
  int end = 0; /* of the coordinates of the parts so far */
  for (int i = 0; i < def->part_count; i++) {
    const pc_part* part = NULL;
    PC_TRY(pc_system_part(s, def->part[i], &part, error));
    if (!part) continue;
    int known = e->part_count; /* parts in the order of their coordinates cannot overlap */
    if (known && part->q_first >= end) known = 0;
    if (part->q_first + part->q_count > end) end = part->q_first + part->q_count;
    for (int j = 0; j < known; j++)
      if (overlap(&s->part[e->part[j]], part))
        return pc_fail(error, PC_BAD_MODEL, "%s '%s' has '%s' on both sides", def->ops->kind,
                       def->name, part->name);
    e->part[e->part_count++] = def->part[i].index;
  }
  if (e->part_count == 0)
    return pc_fail(error, PC_BAD_MODEL, "%s '%s' touches nothing that can move", def->ops->kind,
                   def->name);
  lay_out_blocks(s, e);
  return lay_out_cells(s, def, e, error);
}

static pc_status copy_constraint_names(const pc_element_def* def, pc_element* e, pc_error* error)
{
  int count = def->g_count + def->gamma_count;
  if (!def->constraint_name || count == 0) return PC_OK;
  e->constraint_name = pc_alloc((size_t)count, sizeof *e->constraint_name);
  if (!e->constraint_name) return pc_no_memory(error);
  for (int i = 0; i < count; i++)
    if (!(e->constraint_name[i] = pc_copy_text(def->constraint_name[i])))
      return pc_no_memory(error);
  return PC_OK;
}

static pc_status check_law(const pc_contact_law* law, int dimension, pc_error* error)
{
  if (!law->name || !law->name[0]) return pc_fail(error, PC_BAD_MODEL, "a contact without a name");
  if (dimension > 0 && !(law->mu >= 0 && isfinite(law->mu)))
    return pc_fail(error, PC_BAD_MODEL, "contact '%s': friction is %g; it must not be negative",
                   law->name, law->mu);
  if (!(law->e_N >= 0 && law->e_N <= 1))
    return pc_fail(error, PC_BAD_MODEL, "contact '%s': restitution is %g; it must be from 0 to 1",
                   law->name, law->e_N);
  if (!(law->e_F >= 0 && law->e_F <= 1))
    return pc_fail(error, PC_BAD_MODEL,
                   "contact '%s': tangential restitution is %g; it must be from 0 to 1", law->name,
                   law->e_F);
  if (!(law->e_above >= 0 && isfinite(law->e_above)))
    return pc_fail(
        error, PC_BAD_MODEL,
        "contact '%s': restitution begins above %g m/s; it must be a speed, not negative",
        law->name, law->e_above);
  if (!(law->stribeck >= 0 && isfinite(law->stribeck)))
    return pc_fail(error, PC_BAD_MODEL,
                   "contact '%s': Stribeck's speed is %g m/s; it must not be negative", law->name,
                   law->stribeck);
  if (law->compliance.stiffness != 0)
    return pc_fail(error, PC_BAD_MODEL, "contact '%s': contacts of this kind cannot be compliant",
                   law->name);
  if (law->stribeck == 0 && law->mu_kinetic != 0)
    return pc_fail(error, PC_BAD_MODEL,
                   "contact '%s': kinetic friction needs Stribeck's speed, from which on it acts",
                   law->name);
  if (law->stribeck > 0 && !(law->mu_kinetic >= 0 && isfinite(law->mu_kinetic)))
    return pc_fail(error, PC_BAD_MODEL,
                   "contact '%s': kinetic friction is %g; it must not be negative", law->name,
                   law->mu_kinetic);
  return PC_OK;
}

static pc_status add_contacts(pc_system* s, const pc_element_def* def, pc_element* e,
                              pc_error* error)
{
  for (int k = 0; k < def->contact_count; k++) {
    const pc_contact_law* law = &def->contact[k];
    int dimension = def->contact_dimension[k];
    PC_TRY(check_law(law, dimension, error));
    if (pc_grow((void**)&s->contact, &s->capacity.contact, s->contact_count, sizeof *s->contact))
      return pc_no_memory(error);
    char* name = pc_texts_add(&s->names.all, law->name, "");
    if (!name) return pc_no_memory(error);
    unsigned angular = e->row_count < 32 ? def->angular >> e->row_count : 0;
    s->contact[s->contact_count++] = (pc_contact){name,
                                                  s->element_count,
                                                  0,
                                                  dimension,
                                                  dimension ? law->mu : 0,
                                                  law->e_N,
                                                  law->e_F,
                                                  law->e_above,
                                                  law->stribeck,
                                                  law->mu_kinetic,
                                                  angular & ((2u << dimension) - 1)};
    e->row_count += 1 + dimension;
  }
  return PC_OK;
}

/* The element of a body has the name of its part. */
static pc_status copy_name(pc_system* s, const pc_element_def* def, pc_element* e, pc_error* error)
{
  char* known = s->part[e->part[0]].name;
  e->name = strcmp(known, def->name) ? pc_texts_add(&s->names.all, def->name, "") : known;
  return e->name ? PC_OK : pc_no_memory(error);
}

static pc_status fill_element(pc_system* s, const pc_element_def* def, pc_element* e,
                              pc_error* error)
{
  PC_TRY(pc_system_check_open(s, error));
  if (!def->name || !def->name[0])
    return pc_fail(error, PC_BAD_MODEL, "a %s without a name", def->ops->kind);
  PC_TRY(copy_parts(s, def, e, error));
  PC_TRY(copy_name(s, def, e, error));
  e->g_count = def->g_count;
  e->gamma_count = def->gamma_count;
  e->contact_count = def->contact_count;
  e->contact_first = s->contact_count;
  e->row_count = def->g_count + def->gamma_count;
  e->provides = def->provides;
  e->constant = def->constant & def->provides;
  e->angular = def->angular;
  e->diagonal_M = def->diagonal_M;
  PC_TRY(copy_constraint_names(def, e, error));
  PC_TRY(add_contacts(s, def, e, error));
  if (e->row_count) e->provides |= PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q;
  return PC_OK;
}

pc_status pc_system_add_element(pc_system* s, const pc_element_def* def, pc_error* error)
{
  pc_element element = {.ops = def->ops, .data = def->data};
  int contacts_before = s->contact_count;
  pc_status status = fill_element(s, def, &element, error);
  if (status == PC_OK && pc_grow((void**)&s->element, &s->capacity.element, s->element_count,
                                 sizeof *s->element) != PC_OK)
    status = pc_no_memory(error);
  if (status != PC_OK) {
    s->contact_count = contacts_before;
    clear_element(&element);
    return status;
  }
  s->element[s->element_count++] = element;
  return PC_OK;
}

static size_t scratch_size(const pc_element* e)
{
  size_t local =
      2 * (size_t)(e->q_count + e->u_count) + 3 * (size_t)e->u_count + 4 * (size_t)e->row_count;
  return e->plain_kinematics ? local : local + (size_t)e->cell.u * (size_t)(e->cell.q + e->cell.u);
}

size_t pc_system_scratch_size(const pc_system* s)
{
  /* The largest contact that can be found: two bodies in space, with friction and spin. */
  const pc_element found = {
      .q_count = 14, .u_count = 12, .row_count = 4, .cell = {.q = 14, .u = 12}};
  size_t most = s->found.extension ? scratch_size(&found) : 0;
  for (int i = 0; i < s->element_count; i++) {
    size_t local = scratch_size(&s->element[i]);
    if (local > most) most = local;
  }
  return most;
}

/* ---- reading a frozen system -------------------------------------------------------------- */

int pc_system_dimension(const pc_system* s)
{
  if (!s) return 0;
  return s->dimension;
}

int pc_system_q_count(const pc_system* s)
{
  if (!s) return 0;
  return s->q_count;
}

int pc_system_u_count(const pc_system* s)
{
  if (!s) return 0;
  return s->u_count;
}

int pc_system_g_count(const pc_system* s)
{
  if (!s) return 0;
  return s->g_count;
}

int pc_system_gamma_count(const pc_system* s)
{
  if (!s) return 0;
  return s->gamma_count;
}

int pc_system_contact_count(const pc_system* s)
{
  if (!s) return 0;
  return s->contact_count;
}

int pc_system_row_count(const pc_system* s)
{
  if (!s) return 0;
  return s->row_count;
}

const double* pc_system_q0(const pc_system* s)
{
  if (!s) return NULL;
  return s->start.q;
}

const double* pc_system_u0(const pc_system* s)
{
  if (!s) return NULL;
  return s->start.u;
}

pc_contact_info pc_system_contact(const pc_system* s, int contact)
{
  if ((unsigned)contact >= (unsigned)pc_system_contact_count(s)) return (pc_contact_info){0};
  const pc_contact c = pc_system_contact_at(s, contact);
  return (pc_contact_info){c.name, c.row,     c.dimension, c.mu,         c.e_N,
                           c.e_F,  c.e_above, c.stribeck,  c.mu_kinetic, (int)(c.angular & 1u)};
}

pc_status pc_system_find_contact(const pc_system* s, const char* name, pc_contact_id* contact,
                                 pc_error* error)
{
  PC_TRY(pc_need(s, "system", error));
  PC_TRY(pc_need(name, "name", error));
  for (int i = 0; i < s->contact_count; i++)
    if (!strcmp(pc_system_contact_at(s, i).name, name)) {
      contact->index = i;
      return PC_OK;
    }
  return pc_fail(error, PC_BAD_ARGUMENT, "there is no contact '%.60s'", name);
}

pc_joint_info pc_system_joint(const pc_system* s, pc_joint_id joint)
{
  if ((unsigned)joint.index >= (unsigned)pc_system_element_count(s)) return (pc_joint_info){0};
  const pc_element* e = &s->element[joint.index];
  return (pc_joint_info){e->name,    e->ops->kind,   e->g_first,
                         e->g_count, e->gamma_first, e->gamma_count};
}

pc_status pc_system_find_joint(const pc_system* s, const char* name, pc_joint_id* joint,
                               pc_error* error)
{
  PC_TRY(pc_need(s, "system", error));
  PC_TRY(pc_need(name, "name", error));
  for (int i = 0; i < s->element_count; i++)
    if (s->element[i].g_count + s->element[i].gamma_count > 0 &&
        !strcmp(s->element[i].name, name)) {
      joint->index = i;
      return PC_OK;
    }
  return pc_fail(error, PC_BAD_ARGUMENT, "there is no joint '%.60s'", name);
}

void pc_system_set_start(pc_system* s, const double* q, const double* u)
{
  if (s->q_count) memcpy(s->start.q, q, (size_t)s->q_count * sizeof *q);
  if (s->u_count) memcpy(s->start.u, u, (size_t)s->u_count * sizeof *u);
}
