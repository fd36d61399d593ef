/* The element made of formulas: one program for each mask that is asked for. */
#include "formula/formula_element.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "formula/program.h"

/* A result and its place in an array of pc_local. */
typedef struct store {
  int offset;
  int from; /* register */
} store;

/* The stores of one slot, two at a time: the last one is done twice where their number is odd. */
typedef struct store_list {
  size_t field; /* offset of the slot's pointer in pc_local */
  const store *store, *end;
} store_list;

/* What a register is read from before the program runs. */
enum { SOURCE_T, SOURCE_Q, SOURCE_U, SOURCE_A, SOURCE_COUNT };
typedef struct source {
  int of, index; /* SOURCE_*, and the place there */
  int to;        /* register */
} source;

typedef struct work {
  pc_program* program;
  source* source;
  int source_count;
  double* registers;
  store* store; /* of all slots, one after the other */
  int list_count;
  int first_count;                /* of these, those that `evaluate` does not leave for later */
  store_list list[PC_SLOT_COUNT]; /* those that are not empty */
} work;

static const size_t fields[PC_SLOT_COUNT] = {
    [PC_SLOT_M] = offsetof(pc_local, M),
    [PC_SLOT_MA_Q] = offsetof(pc_local, Ma_q),
    [PC_SLOT_H] = offsetof(pc_local, h),
    [PC_SLOT_H_Q] = offsetof(pc_local, h_q),
    [PC_SLOT_H_U] = offsetof(pc_local, h_u),
    [PC_SLOT_Y] = offsetof(pc_local, y),
    [PC_SLOT_W] = offsetof(pc_local, W),
    [PC_SLOT_CHI] = offsetof(pc_local, chi),
    [PC_SLOT_W_Q] = offsetof(pc_local, W_q),
    [PC_SLOT_CHI_Q] = offsetof(pc_local, chi_q),
    [PC_SLOT_W_T] = offsetof(pc_local, W_t),
    [PC_SLOT_ZETA_T] = offsetof(pc_local, zeta_t),
    [PC_SLOT_ENERGY] = offsetof(pc_local, energy),
    [PC_SLOT_F] = offsetof(pc_local, f),
    [PC_SLOT_P] = offsetof(pc_local, p),
    [PC_SLOT_P_Q] = offsetof(pc_local, p_q),
    [PC_SLOT_MOMENTUM_H] = offsetof(pc_local, h),
    [PC_SLOT_MOMENTUM_H_Q] = offsetof(pc_local, h_q),
    [PC_SLOT_MOMENTUM_H_U] = offsetof(pc_local, h_u),
};

static double* array_of(const pc_local* l, size_t field)
{
  return *(double* const*)(const void*)((const char*)l + field);
}

static void release(void* memory)
{
  work* w = memory;
  if (!w) return;
  pc_program_destroy(w->program);
  free(w->source);
  free(w->registers);
  free(w->store);
  free(w);
}

/* Whether a slot belongs to PC_TERM_SLOPES. */
static int is_slope(int slot)
{
  static const unsigned char slope[PC_SLOT_COUNT] = {
      [PC_SLOT_MA_Q] = 1,         [PC_SLOT_H_Q] = 1,   [PC_SLOT_H_U] = 1,
      [PC_SLOT_W_Q] = 1,          [PC_SLOT_CHI_Q] = 1, [PC_SLOT_W_T] = 1,
      [PC_SLOT_ZETA_T] = 1,       [PC_SLOT_P_Q] = 1,   [PC_SLOT_MOMENTUM_H_Q] = 1,
      [PC_SLOT_MOMENTUM_H_U] = 1,
  };
  return slope[slot];
}

/* So many stores are made of the entries of a slot. */
static int store_count(const pc_entries* entries)
{
  return (entries->count + 1) / 2 * 2;
}

/* Whether a slot is left for later. */
static int is_later(int slot, unsigned mask)
{
  return mask & PC_TERM_LATER && is_slope(slot);
}

/* Lists the stores of the wanted slots that are left for later, or of those that are not, and their
 * expressions, in the same order. Returns how many there are with those listed before. */
static int list_stores(const pc_formula_terms* terms, unsigned mask, int later, int count, work* w,
                       pc_expr* expr)
{
  for (int s = 0; s < PC_SLOT_COUNT; s++) {
    const pc_entries* entries = &terms->slot[s];
    if (!pc_slot_is_wanted((pc_slot)s, mask) || !entries->count || is_later(s, mask) != later)
      continue;
    int size = store_count(entries);
    const store* own = w->store + count;
    w->list[w->list_count++] = (store_list){fields[s], own, own + size};
    for (int i = 0; i < size; i++, count++) {
      const pc_entry* entry = &entries->entry[i < entries->count ? i : i - 1];
      w->store[count].offset = entry->offset;
      expr[count] = entry->expr;
    }
  }
  return count;
}

/* Variables are numbered t, q, u, a. */
static pc_status list_sources(const pc_formula_terms* terms, work* w)
{
  const int first[SOURCE_COUNT] = {0, 1, 1 + terms->n_q, 1 + terms->n_q + terms->n_u};
  const pc_load* load = pc_program_loads(w->program, &w->source_count);
  w->source = pc_alloc((size_t)w->source_count, sizeof *w->source);
  if (!w->source) return PC_OUT_OF_MEMORY;
  for (int i = 0; i < w->source_count; i++) {
    int of = SOURCE_A;
    while (load[i].variable < first[of]) of--;
    w->source[i] = (source){of, load[i].variable - first[of], load[i].to};
  }
  return PC_OK;
}

static pc_status make_program(const pc_formula_terms* terms, unsigned mask, int count, work* w)
{
  pc_expr* expr = pc_alloc((size_t)count, sizeof *expr);
  w->store = pc_alloc((size_t)count, sizeof *w->store);
  pc_status status = PC_OUT_OF_MEMORY;
  if (expr && w->store) {
    int first = list_stores(terms, mask, 0, 0, w, expr);
    w->first_count = w->list_count;
    list_stores(terms, mask, 1, first, w, expr);
    status = pc_program_create_in_two(terms->pool, count, first, expr, &w->program);
  }
  free(expr);
  PC_TRY(status);
  const int* result = pc_program_results(w->program);
  for (int i = 0; i < count; i++) w->store[i].from = result[i];
  w->registers = pc_alloc((size_t)pc_program_register_count(w->program), sizeof *w->registers);
  if (!w->registers) return PC_OUT_OF_MEMORY;
  pc_program_load(w->program, w->registers);
  return list_sources(terms, w);
}

static pc_status prepare(const void* data, unsigned mask, void** result)
{
  const pc_formula_terms* terms = data;
  *result = NULL;
  int count = 0;
  for (int s = 0; s < PC_SLOT_COUNT; s++)
    if (pc_slot_is_wanted((pc_slot)s, mask)) count += store_count(&terms->slot[s]);
  work* w = pc_alloc(1, sizeof *w);
  if (!w) return PC_OUT_OF_MEMORY;
  pc_status status = make_program(terms, mask, count, w);
  if (status == PC_OK)
    *result = w;
  else
    release(w);
  return status;
}

static void store_results(const work* w, const store_list* list, const store_list* end,
                          const pc_local* l)
{
  const double* r = w->registers;
  for (; list < end; list++) {
    double* to = array_of(l, list->field);
    if (!to) continue; /* constant, and there already */
    const store *s = list->store, *last = list->end;
    do {
      to[s[0].offset] = r[s[0].from];
      to[s[1].offset] = r[s[1].from];
    } while ((s += 2) < last);
  }
}

/* The registers are those of the last evaluation. */
static void evaluate_slopes(const void* data, pc_local* l)
{
  const work* w = l->work;
  (void)data;
  if (w->first_count == w->list_count) return;
  pc_program_compute_later(w->program, w->registers);
  store_results(w, w->list + w->first_count, w->list + w->list_count, l);
}

static void evaluate(const void* data, pc_local* l)
{
  const work* w = l->work;
  (void)data;
  const double* const from[SOURCE_COUNT] = {&l->t, l->q, l->u, l->a};
  for (const source *s = w->source, *end = s + w->source_count; s < end; s++)
    w->registers[s->to] = from[s->of][s->index];
  pc_program_compute(w->program, w->registers);
  store_results(w, w->list, w->list + w->first_count, l);
}

static void destroy(void* data)
{
  pc_formula_terms_destroy(data);
}

const pc_element_ops pc_formula_ops = {
    .kind = "formula",
    .evaluates_all = 1,
    .evaluate = evaluate,
    .evaluate_slopes = evaluate_slopes,
    .prepare = prepare,
    .release = release,
    .destroy = destroy,
};

/* The coordinates of the parts. `body` has space for as many as there are parts. */
static pc_status lay_out(const pc_system* system, const pc_formula_def* def,
                         pc_formula_layout* layout, pc_formula_body* body, pc_error* error)
{
  *layout = (pc_formula_layout){.body = body};
  for (int i = 0; i < def->part_count; i++) {
    const pc_part* part;
    PC_TRY(pc_system_part(system, def->part[i], &part, error));
    if (!part) continue;
    if (part->kind == PC_PART_SPATIAL_BODY)
      body[layout->body_count++] = (pc_formula_body){layout->n_q, layout->n_u};
    else if (part->kinematics.B || part->q_count != part->u_count)
      return pc_fail(error, PC_BAD_MODEL,
                     "formula '%s': the velocities of '%s' are not the rates of its coordinates; "
                     "formulas need q' = u or a rigid body in space",
                     def->name, part->name);
    layout->n_q += part->q_count;
    layout->n_u += part->u_count;
  }
  return PC_OK;
}

static pc_status check_slips(const pc_formula_def* def, pc_error* error)
{
  for (int k = 0; k < def->contact_count; k++) {
    const pc_formula_contact* c = &def->contact[k];
    if (c->slip_count >= 0 && c->slip_count <= 3) continue;
    return pc_fail(error, PC_BAD_MODEL, "contact '%s': %d slips; there may be 0 to 3", c->law.name,
                   c->slip_count);
  }
  return PC_OK;
}

/* Whether local velocity j of the parts is an angular one. */
static int turns(const pc_system* system, const pc_formula_def* def, int j)
{
  for (int i = 0; i < def->part_count; i++) {
    const pc_part* part;
    if (pc_system_part(system, def->part[i], &part, NULL) != PC_OK || !part) continue;
    if (j < part->u_count)
      return (part->kind == PC_PART_PLANAR_BODY && j == 2) ||
             (part->kind == PC_PART_SPATIAL_BODY && j >= 3);
    j -= part->u_count;
  }
  return 0;
}

/* The rows that are angles, as bits: sums of angles with constant factors, one of which is 1
 * or -1. A factor that is a length, as that of a rolling wheel, is another number as a rule. */
static unsigned find_angles(const pc_system* system, const pc_formula_def* def,
                            const pc_formula_terms* terms)
{
  const pc_entries* W = &terms->slot[PC_SLOT_W];
  unsigned other = 0, unit = 0;
  for (int i = 0; i < W->count; i++) {
    int row = W->entry[i].offset / terms->n_u, j = W->entry[i].offset % terms->n_u;
    double factor = 0;
    if (row >= 32) continue;
    if (!pc_expr_is_number(terms->pool, W->entry[i].expr, &factor) || !turns(system, def, j))
      other |= 1u << row;
    else if (factor == 1 || factor == -1)
      unit |= 1u << row;
  }
  return unit & ~other;
}

/* Hands the terms over to the system. */
static pc_status add_terms(pc_system* system, const pc_formula_def* def, pc_formula_terms* terms,
                           pc_error* error)
{
  size_t contacts = (size_t)def->contact_count;
  pc_contact_law* law = pc_alloc(contacts, sizeof *law);
  int* dimension = pc_alloc(contacts, sizeof *dimension);
  if (!law || !dimension) {
    free(law);
    free(dimension);
    pc_formula_terms_destroy(terms);
    return pc_no_memory(error);
  }
  for (int k = 0; k < def->contact_count; k++) {
    law[k] = def->contact[k].law;
    dimension[k] = def->contact[k].slip_count;
  }
  pc_element_def element = {
      .ops = &pc_formula_ops,
      .data = terms,
      .name = def->name,
      .part_count = def->part_count,
      .part = def->part,
      .g_count = def->g_count,
      .gamma_count = def->gamma_count,
      .constraint_name = def->constraint_name,
      .angular = def->angular | find_angles(system, def, terms),
      .contact_count = def->contact_count,
      .contact = law,
      .contact_dimension = dimension,
      .provides = pc_formula_terms_provide(terms),
      .constant = pc_formula_terms_constant(terms),
  };
  pc_status status = pc_system_add_element(system, &element, error);
  free(law);
  free(dimension);
  return status;
}

pc_status pc_add_formula(pc_system* system, const pc_formula_def* def, pc_error* error)
{
  if (!def->name || !def->name[0]) return pc_fail(error, PC_BAD_MODEL, "a formula without a name");
  PC_TRY(check_slips(def, error));
  pc_formula_body* body = pc_alloc((size_t)def->part_count, sizeof *body);
  if (!body) return pc_no_memory(error);
  pc_formula_layout layout;
  pc_formula_terms* terms = NULL;
  pc_status status = lay_out(system, def, &layout, body, error);
  if (status == PC_OK) status = pc_formula_terms_create(def, &layout, &terms, error);
  free(body);
  return status == PC_OK ? add_terms(system, def, terms, error) : status;
}
