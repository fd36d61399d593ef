/* Memory for the terms of a system: which elements are asked, and where their answers go. */
#include "system/terms_layout.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "system/deferred.h"
#include "system/found.h"

/* Whether an element has something of its own for what it is asked. */
static int has_own(const pc_element* e, unsigned wanted)
{
  unsigned elsewhere = PC_TERM_H | PC_TERM_F | PC_TERM_ENERGY;
  if (pc_terms_is_thin(e)) elsewhere |= PC_TERM_M;
  return (wanted & ~elsewhere) || (wanted && e->ops->prepare);
}

/* Own arrays of one element, as its mask and its provisions ask. */
static pc_status create_local(const pc_element* e, unsigned mask, pc_turns* turns, pc_local* l)
{
  unsigned wanted = pc_terms_asked_of(e, mask);
  int has_M = !pc_terms_is_thin(e);
  size_t n_q = (size_t)e->q_count, n_u = (size_t)e->u_count, rows = (size_t)e->row_count;
  size_t cell_q = (size_t)e->cell.q, cell_u = (size_t)e->cell.u, cells = (size_t)e->cell.count;
  int bad = 0;
#define RESERVE(term, field, count) \
  if (wanted & (term)) bad |= !(l->field = pc_alloc((count), sizeof(double)))
  RESERVE(has_M ? PC_TERM_M : 0, M, cells * cell_u * cell_u);
  RESERVE(PC_TERM_MA_Q, Ma_q, cells * cell_u * cell_q);
  RESERVE(PC_TERM_H_Q, h_q, cells * cell_u * cell_q);
  RESERVE(PC_TERM_H_U, h_u, cells * cell_u * cell_u);
  RESERVE(PC_TERM_P_Q, p_q, cells * cell_u * cell_q);
  RESERVE(PC_TERM_Y, y, rows);
  RESERVE(PC_TERM_W, W, rows * n_u);
  RESERVE(PC_TERM_W, chi, rows);
  RESERVE(PC_TERM_W_Q, W_q, rows * n_u * n_q);
  RESERVE(PC_TERM_W_Q, chi_q, rows * n_q);
  RESERVE(PC_TERM_W_Q, W_t, rows * n_u);
  RESERVE(PC_TERM_W_Q, zeta_t, rows);
#undef RESERVE
  l->momentum = (wanted & PC_TERM_P) != 0;
  l->turns = turns;
  if (bad) return PC_OUT_OF_MEMORY;
  if (!e->ops->prepare || !wanted) return PC_OK;
  return e->ops->prepare(e->data, wanted | (mask & PC_TERM_LATER), &l->work);
}

static void destroy_local(const pc_element* e, pc_local* l)
{
  if (l->work && e->ops->release) e->ops->release(l->work);
  double* array[] = {l->M, l->Ma_q, l->h_q, l->h_u,   l->y,   l->p_q,
                     l->W, l->chi,  l->W_q, l->chi_q, l->W_t, l->zeta_t};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

/* Combinations of h, f and energy. */
enum { SHARED_LOCALS = 8 };

/* What is said about rows. */
static const unsigned ROW_TERMS = PC_TERM_Y | PC_TERM_W | PC_TERM_CHI | PC_TERM_W_Q;

/* What an element is still asked for once what is constant is known. */
static unsigned still_asked_of(const pc_terms* t, const pc_element* e)
{
  unsigned known = pc_terms_constant_of(e, t->mask);
  if (t->mask & PC_TERM_ZETA)
    known &= ~(unsigned)PC_TERM_W_Q; /* it depends on u even where W_q does not change */
  return pc_terms_asked_of(e, t->mask) & ~known;
}

pc_local pc_terms_ask(pc_terms* t, int element, unsigned wanted)
{
  const pc_element* e = &t->system->element[element];
  pc_local l = *pc_terms_local(t, element);
  l.turns = &t->turns;
  if (!(wanted & PC_TERM_M)) l.M = NULL;
  if (wanted & PC_TERM_M && pc_terms_thin_M(t, element)) {
    pc_zero(PC_THIN_MOST * PC_THIN_MOST, t->work.M);
    l.M = t->work.M;
  }
  if (!(wanted & PC_TERM_H_Q)) l.h_q = NULL;
  if (!(wanted & PC_TERM_H_U)) l.h_u = NULL;
  if (!(wanted & PC_TERM_W)) l.W = l.chi = NULL;
  if (!(wanted & PC_TERM_W_Q)) l.W_q = l.chi_q = l.W_t = l.zeta_t = NULL;
  if (l.y && e->row_first >= 0) l.y = t->y + e->row_first; /* nothing to scatter */
  if (l.chi && e->row_first >= 0) l.chi = t->chi + e->row_first;
  /* These mark that something is wanted; the place is set later. */
  l.h = wanted & PC_TERM_H ? t->work.scratch : NULL;
  l.energy = wanted & PC_TERM_ENERGY ? t->work.scratch : NULL;
  l.f = wanted & PC_TERM_F ? t->work.scratch : NULL;
  l.p = wanted & PC_TERM_P ? t->work.scratch : NULL;
  return l;
}

/* The local of those that have nothing of their own and are asked for the same: one for all. */
typedef struct shared_local {
  unsigned wanted[SHARED_LOCALS]; /* 0: none yet */
  int place[SHARED_LOCALS];
} shared_local;

/* Where it is, or is to be: at `next`, if there is none yet. */
static int find_shared(shared_local* shared, unsigned wanted, int next)
{
  int i = 0;
  while (shared->wanted[i] && shared->wanted[i] != wanted) i++;
  if (shared->wanted[i]) return shared->place[i];
  shared->wanted[i] = wanted;
  return shared->place[i] = next;
}

/* Lists the elements that have something to say that is not constant. */
static void list_elements(pc_terms* t)
{
  shared_local shared = {0};
  int count = 0, locals = 0;
  for (int i = 0; i < t->system->element_count; i++) {
    const pc_element* e = &t->system->element[i];
    unsigned wanted = still_asked_of(t, e);
    if (!wanted) continue;
    int place =
        has_own(e, pc_terms_asked_of(e, t->mask)) ? locals : find_shared(&shared, wanted, locals);
    if (place == locals) t->asked.local[locals++] = pc_terms_ask(t, i, wanted);
    if (wanted & PC_TERM_SLOPES && pc_terms_leave_slopes_of(t, e)) t->leaves_slopes = 1;
    t->asked.rows_only[count] =
        !(wanted & ~ROW_TERMS) && e->row_first >= 0 && !(t->mask & PC_TERM_ZETA) ? 1 : 0;
    t->asked.place[count] = place;
    t->asked.element[count++] = i;
  }
  t->asked.count = count;
}

/* Rows of W' stay where they are: their values are always where the element writes them. Those of
 * found contacts do so until contacts are found anew. */
static void lay_out_rows(pc_terms* t)
{
  const pc_system* s = t->system;
  for (int r = 0; r < pc_system_fixed_row_count(s); r++) {
    const pc_element* e = &s->element[s->row[r].element];
    const double* W = pc_terms_local(t, s->row[r].element)->W;
    t->row[r] = (pc_row){e->block_count, e->u_block,
                         W ? W + (size_t)s->row[r].local * (size_t)e->u_count : NULL};
  }
}

static pc_status reserve_rows(pc_terms* t)
{
  const pc_array array[] = {PC_ARRAY(t->y), PC_ARRAY(t->chi), PC_ARRAY(t->row),
                            PC_ARRAY(t->unasked), PC_ARRAY(t->zeta)};
  return pc_reserve_arrays(t->mask & PC_TERM_ZETA ? 5 : 4, array, &t->found.row_capacity,
                           (size_t)t->system->row_count);
}

/* Whether an element can be evaluated by any thread: a rigid body, of which nothing but energies is
 * asked. */
static int is_shared_body(const pc_terms* t, int k)
{
  const pc_element* e = &t->system->element[t->asked.element[k]];
  return e->diagonal_M && e->block_count == 1 && still_asked_of(t, e) == PC_TERM_ENERGY;
}

/* Space for the energies of the bodies that come first in the list, if threads are to share
 * them. */
static pc_status reserve_energies(pc_terms* t)
{
  if (!pc_system_threads(t->system)) return PC_OK;
  while (t->asked.bodies < t->asked.count && is_shared_body(t, t->asked.bodies)) t->asked.bodies++;
  if (t->asked.bodies < PC_TERMS_BODIES_LEAST) return t->asked.bodies = 0, PC_OK;
  t->asked.energy = pc_alloc((size_t)t->asked.bodies, sizeof *t->asked.energy);
  return t->asked.energy ? PC_OK : PC_OUT_OF_MEMORY;
}

/* How many elements have a local of their own, are asked again and again, and of these have one;
 * and how many have a thin M, with how many numbers. */
typedef struct element_counts {
  size_t own, asked, asked_own, thin, thin_entries;
} element_counts;

static element_counts count_elements(const pc_terms* t)
{
  element_counts count = {0};
  for (int i = 0; i < t->system->element_count; i++) {
    const pc_element* e = &t->system->element[i];
    int own = has_own(e, pc_terms_asked_of(e, t->mask)), asked = still_asked_of(t, e) != 0;
    count.own += (size_t)own;
    count.asked += (size_t)asked;
    count.asked_own += (size_t)(own && asked);
    if (!(pc_terms_asked_of(e, t->mask) & PC_TERM_M) || !pc_terms_is_thin(e)) continue;
    count.thin++;
    count.thin_entries += (size_t)e->u_count;
  }
  return count;
}

/* *made = space for `count` numbers; 0 if there is no memory. */
static int make(size_t count, double** made)
{
  return (*made = pc_alloc(count, sizeof **made)) != NULL;
}

/* Whether h is constant, as that of bodies under gravity alone. */
static int has_constant_h(const pc_terms* t)
{
  for (int i = 0; i < t->system->element_count; i++)
    if (still_asked_of(t, &t->system->element[i]) & PC_TERM_H) return 0;
  return 1;
}

static int make_vectors(pc_terms* t)
{
  size_t n_u = (size_t)t->system->u_count, n_q = (size_t)t->system->q_count;
  size_t scratch = pc_system_scratch_size(t->system), zeros = scratch;
  int good = make(scratch, &t->work.scratch);
  if (t->mask & PC_TERM_ZETA) {
    good &= make(n_q, &t->work.q_dot);
    if (n_u > zeros) zeros = n_u;
  }
  if (t->mask & PC_TERM_H)
    good &= make(n_u, &t->h) && (has_constant_h(t) || make(n_u, &t->work.h_fixed));
  if (t->mask & PC_TERM_F) good &= make(n_u, &t->f);
  if (t->mask & PC_TERM_P) good &= make(n_u, &t->p);
  return good && make(zeros, &t->work.zero);
}

/* Space for the masses, of which it lists those that are thin. */
static int make_masses(pc_terms* t, const element_counts* count)
{
  int elements = t->system->element_count, entries = 0;
  t->mass.element = pc_alloc(count->own + count->thin, sizeof *t->mass.element);
  t->mass.diagonal = pc_alloc((size_t)elements, 1);
  if (!t->mass.element || !t->mass.diagonal || count->thin == 0)
    return t->mass.element && t->mass.diagonal;
  t->mass.thin = pc_alloc((size_t)elements, sizeof *t->mass.thin);
  if (!t->mass.thin || !make(count->thin_entries, &t->mass.entry)) return 0;
  for (int i = 0; i < elements; i++) {
    const pc_element* e = &t->system->element[i];
    int is_thin = (pc_terms_asked_of(e, t->mask) & PC_TERM_M) && pc_terms_is_thin(e);
    t->mass.thin[i] = is_thin ? entries : -1;
    if (is_thin) entries += e->u_count;
  }
  return 1;
}

static int make_lists(pc_terms* t)
{
  const element_counts count = count_elements(t);
  size_t elements = (size_t)t->system->element_count;
  t->own.elements = t->system->element_count;
  t->own.place = pc_alloc(elements, sizeof *t->own.place);
  t->local = pc_alloc(count.own, sizeof *t->local);
  t->found.local_capacity = count.own;
  t->asked.local = pc_alloc(count.asked_own + SHARED_LOCALS, sizeof *t->asked.local);
  t->asked.element = pc_alloc(count.asked, sizeof *t->asked.element);
  t->asked.place = pc_alloc(count.asked, sizeof *t->asked.place);
  t->asked.rows_only = pc_alloc(count.asked, 1);
  for (int i = 0; t->own.place && i < t->own.elements; i++) t->own.place[i] = -1;
  return t->own.place && t->local && t->asked.local && t->asked.element && t->asked.place &&
         t->asked.rows_only && make_masses(t, &count);
}

/* The local of each element that has one. */
static pc_status make_locals(pc_terms* t)
{
  for (int i = 0; i < t->own.elements; i++) {
    const pc_element* e = &t->system->element[i];
    if (has_own(e, pc_terms_asked_of(e, t->mask)))
      PC_TRY(create_local(e, t->mask, &t->turns, &t->local[t->own.place[i] = t->own.count++]));
    if (pc_terms_thin_M(t, i) || pc_terms_local(t, i)->M) t->mass.element[t->mass.count++] = i;
  }
  return PC_OK;
}

static pc_status fill(pc_terms* t)
{
  if (!make_vectors(t) || !make_lists(t) || reserve_rows(t) != PC_OK) return PC_OUT_OF_MEMORY;
  PC_TRY(make_locals(t));
  list_elements(t);
  PC_TRY(reserve_energies(t));
  lay_out_rows(t);
  return t->system->found.count ? pc_terms_refit(t, NULL) : PC_OK;
}

/* ---- found contacts ------------------------------------------------------------------------- */

/* How many numbers of W_q a found contact has. */
static size_t slope_count(const pc_terms* t, const pc_element* e)
{
  size_t entries = (size_t)e->row_count * (size_t)e->u_count;
  return pc_terms_asked_of(e, t->mask) & PC_TERM_W_Q ? entries * (size_t)e->q_count : 0;
}

/* Its rows; they do not move with time. */
static void lay_out_found_rows(pc_terms* t, const pc_found_slot* own)
{
  const double* W = pc_terms_found_W(t, own);
  int width = own->u[0].width + (own->blocks > 1 ? own->u[1].width : 0);
  for (int r = 0; r < own->rows; r++) {
    t->row[own->row + r] = (pc_row){own->blocks, own->u, W ? W + r * width : NULL};
    t->chi[own->row + r] = 0;
  }
}

static void lay_out_some_found(void* user, int worker, int first, int last)
{
  pc_terms* t = user;
  (void)worker;
  for (int i = first; i < last; i++) lay_out_found_rows(t, &t->system->found.slot[i]);
}

static pc_status lay_out_slopes(pc_terms* t, size_t slopes)
{
  const pc_system* s = t->system;
  const pc_array local = PC_ARRAY(t->local);
  size_t locals = (size_t)t->own.count + (size_t)s->found.count;
  PC_TRY(pc_reserve_arrays(1, &local, &t->found.local_capacity, locals));
  for (int i = 0; i < s->found.count; i++) {
    pc_element e;
    pc_make_found_element(s, i, &e);
    t->local[t->own.count + i] = pc_terms_found_local(t, i, &e, t->found.pool + slopes);
    slopes += slope_count(t, &e);
  }
  return PC_OK;
}

pc_status pc_terms_refit(pc_terms* t, pc_error* error)
{
  const pc_system* s = t->system;
  const double *y = t->y, *chi = t->chi;
  const pc_array pool = PC_ARRAY(t->found.pool);
  if (!pc_terms_see_rows(t)) return PC_OK; /* found contacts have nothing else */
  size_t size = PC_TERMS_ZEROS + (t->mask & PC_TERM_W ? s->found.entries : 0), slopes = size;
  for (int i = 0; pc_terms_have_slopes(t) && i < s->found.count; i++) {
    pc_element e;
    pc_make_found_element(s, i, &e);
    size += slope_count(t, &e);
  }
  if (reserve_rows(t) != PC_OK ||
      pc_reserve_arrays(1, &pool, &t->found.pool_capacity, size) != PC_OK)
    return pc_no_memory(error);
  if (t->y != y || t->chi != chi) list_elements(t);
  pc_threads_run(pc_system_threads(s), s->found.count, PC_TERMS_FOUND_LEAST, lay_out_some_found, t);
  if (pc_terms_have_slopes(t) && lay_out_slopes(t, slopes) != PC_OK) return pc_no_memory(error);
  return pc_deferred_fit(t) == PC_OK ? PC_OK : pc_no_memory(error);
}

pc_spare pc_terms_spare(const pc_terms* t)
{
  if (t->found.pool_capacity <= PC_TERMS_ZEROS) return (pc_spare){NULL, 0};
  return (pc_spare){t->found.pool + PC_TERMS_ZEROS,
                    (t->found.pool_capacity - PC_TERMS_ZEROS) * sizeof *t->found.pool};
}

pc_status pc_terms_create(const pc_system* s, unsigned mask, pc_terms** terms, pc_error* error)
{
  *terms = NULL;
  pc_terms* t = pc_alloc(1, sizeof *t);
  if (!t) return pc_no_memory(error);
  t->system = s;
  t->mask = mask;
  for (int k = 0; k < PC_TURNS; k++) t->turns.of[k].cosine = 1; /* the angle is 0 */
  if (fill(t) != PC_OK) {
    pc_terms_destroy(t);
    return pc_no_memory(error);
  }
  *terms = t;
  return PC_OK;
}

void pc_terms_destroy(pc_terms* t)
{
  if (!t) return;
  for (int i = 0; t->own.count > 0 && i < t->own.elements; i++)
    if (t->own.place[i] >= 0) destroy_local(&t->system->element[i], &t->local[t->own.place[i]]);
  double* array[] = {t->h,          t->f,        t->p,    t->work.h_fixed,
                     t->y,          t->chi,      t->zeta, t->work.scratch,
                     t->work.q_dot, t->work.zero};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_deferred_destroy(t->deferred);
  free(t->found.pool);
  free(t->row);
  free(t->unasked);
  free(t->local);
  free(t->own.place);
  free(t->asked.local);
  free(t->asked.element);
  free(t->asked.place);
  free(t->asked.rows_only);
  free(t->asked.energy);
  free(t->mass.element);
  free(t->mass.diagonal);
  free(t->mass.thin);
  free(t->mass.entry);
  free(t);
}
