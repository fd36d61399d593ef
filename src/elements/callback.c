/* Adding an element whose terms are functions of the caller. */
#include "elements/callback.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "elements/attach.h"

static void destroy(void* data)
{
  pc_callback* c = data;
  if (c->f.destroy) c->f.destroy(c->f.user);
  free(c->part);
  free(c);
}

static const pc_element_ops ops = {
    .kind = "callback",
    .evaluate = pc_callback_evaluate,
    .prepare = pc_callback_prepare,
    .release = pc_callback_release,
    .destroy = destroy,
};

static pc_status check_counts(const pc_adding* a, const pc_callback_def* def)
{
  PC_TRY(pc_check_name(a));
  const struct {
    const char* field;
    int count, least;
    const void* list;
  } entry[] = {{"part", def->part_count, 1, def->part},
               {"g", def->g_count, 0, def},
               {"gamma", def->gamma_count, 0, def},
               {"contact", def->contact_count, 0, def->contact}};
  for (int i = 0; i < 4; i++) {
    if (entry[i].count < entry[i].least)
      return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': %s_count is %d; it must be at least %d",
                     a->kind, a->name, entry[i].field, entry[i].count, entry[i].least);
    if (entry[i].count > 0 && !entry[i].list)
      return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': %s is missing", a->kind, a->name,
                     entry[i].field);
  }
  return PC_OK;
}

/* Which functions the rows need. W may be missing where differences of y can stand in for it: if
 * all rows have a position. */
static pc_status check_functions(const pc_adding* a, const pc_callback_def* def, int friction)
{
  if (def->g_count + def->contact_count > 0 && !def->y)
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': y is missing, but there are %d rows with a "
                   "position",
                   a->kind, a->name, def->g_count + def->contact_count);
  if (def->gamma_count + friction > 0 && !def->W)
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': W is missing, but there are %d rows without a "
                   "position",
                   a->kind, a->name, def->gamma_count + friction);
  const struct {
    const char *derivative, *of;
    int bad;
  } entry[] = {{"Ma_q", "M", def->Ma_q && !def->M},
               {"constant_mass", "M", def->constant_mass && !def->M},
               {"h_q", "h", def->h_q && !def->h},
               {"h_u", "h", def->h_u && !def->h},
               {"W_q", "W", def->W_q && !def->W}};
  for (int i = 0; i < 5; i++)
    if (entry[i].bad)
      return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': %s is given, but %s is missing", a->kind,
                     a->name, entry[i].derivative, entry[i].of);
  return PC_OK;
}

/* The parts as they lie among the local coordinates. */
static pc_status place_parts(const pc_adding* a, const pc_callback_def* def, pc_callback* c)
{
  for (int i = 0; i < def->part_count; i++) {
    const pc_part* part = NULL;
    if (pc_system_part(a->system, def->part[i], &part, NULL) != PC_OK)
      return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': part[%d]: there is no part number %d",
                     a->kind, a->name, i, def->part[i].index);
    if (!part)
      return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': part[%d] is the ground, which cannot move",
                     a->kind, a->name, i);
    c->part[i] = (pc_callback_part){c->n_q,        part->q_count,    c->n_u,
                                    part->u_count, part->kinematics, part->user};
    c->n_q += part->q_count;
    c->n_u += part->u_count;
  }
  return PC_OK;
}

static pc_status check_laws(const pc_adding* a, const pc_callback_def* def, int* dimension,
                            int* friction)
{
  *friction = 0;
  for (int k = 0; k < def->contact_count; k++) {
    PC_TRY(pc_check_law(a, &def->contact[k], &dimension[k]));
    if (def->contact[k].contact_radius != 0)
      return pc_fail(a->error, PC_BAD_MODEL,
                     "%s '%s': contact_radius is given, but the rows of a callback are its own",
                     a->kind, def->contact[k].name);
    *friction += dimension[k];
  }
  return PC_OK;
}

/* Everything but the addition itself. */
static pc_status fill(const pc_adding* a, const pc_callback_def* def, pc_callback* c,
                      int* dimension)
{
  int friction;
  PC_TRY(check_laws(a, def, dimension, &friction));
  PC_TRY(check_functions(a, def, friction));
  PC_TRY(place_parts(a, def, c));
  c->rows = def->g_count + def->gamma_count + def->contact_count + friction;
  return PC_OK;
}

static unsigned provided(const pc_callback* c)
{
  unsigned terms = 0;
  if (c->f.M) terms |= PC_TERM_M | PC_TERM_ENERGY;
  if (c->f.M && !c->f.constant_mass) terms |= PC_TERM_MA_Q;
  if (c->f.M && !c->f.constant_mass)
    terms |= PC_TERM_P | PC_TERM_P_Q | PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U;
  if (c->f.h) terms |= PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U;
  if (c->f.energy) terms |= PC_TERM_ENERGY;
  if (c->f.h && !c->f.energy) terms |= PC_TERM_F; /* no potential: all of h does work */
  if (c->rows) terms |= PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q | PC_TERM_CHI;
  return terms;
}

static pc_status add(const pc_adding* a, const pc_callback_def* def, pc_callback* c, int* dimension)
{
  pc_status status = fill(a, def, c, dimension);
  if (status != PC_OK) {
    destroy(c);
    return status;
  }
  const pc_element_def element = {
      .ops = &ops,
      .data = c,
      .name = def->name,
      .part_count = def->part_count,
      .part = def->part,
      .g_count = def->g_count,
      .gamma_count = def->gamma_count,
      .contact_count = def->contact_count,
      .contact = def->contact,
      .contact_dimension = dimension,
      .provides = provided(c),
      .constant = def->constant_mass ? PC_TERM_M : 0,
  };
  return pc_system_add_element(a->system, &element, a->error);
}

pc_status pc_add_callback(pc_system* system, const pc_callback_def* def, pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  pc_adding a = {system, ops.kind, def->name, error};
  pc_status status = check_counts(&a, def);
  pc_callback* c = NULL;
  int* dimension = NULL;
  if (status == PC_OK) {
    c = pc_alloc(1, sizeof *c);
    dimension = pc_alloc((size_t)def->contact_count, sizeof *dimension);
    if (c) c->part = pc_alloc((size_t)def->part_count, sizeof *c->part);
    if (!c || !dimension || !c->part) status = pc_no_memory(error);
  }
  if (status != PC_OK) {
    if (c) free(c->part);
    free(c);
    if (def->destroy) def->destroy(def->user);
  } else {
    c->f = *def;
    c->part_count = def->part_count;
    status = add(&a, def, c, dimension);
  }
  free(dimension);
  return status;
}
