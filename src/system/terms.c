/* Evaluating the terms of a system: gather, ask each element, scatter. */
#include "system/terms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/axpy.h"
#include "linalg/copy.h"
#include "system/deferred.h"
#include "system/found.h"
#include "system/gather.h"
#include "system/products.h"
#include "system/system.h"

/* What is asked of an element, of what it provides. */
static unsigned asked_of(const pc_element* e, unsigned mask)
{
  int position_rows = e->g_count + e->contact_count;
  if (mask & PC_TERM_SLIP_Q && e->row_count > position_rows) mask |= PC_TERM_W_Q;
  return mask & e->provides;
}

/* Whether an element has something of its own for what it is asked. */
static int has_own(const pc_element* e, unsigned wanted)
{
  const unsigned vectors = PC_TERM_H | PC_TERM_F | PC_TERM_ENERGY;
  return (wanted & ~vectors) || (wanted && e->ops->prepare);
}

/* Own arrays of one element, as its mask and its provisions ask. */
static pc_status create_local(const pc_element* e, unsigned mask, pc_turns* turns, pc_local* l)
{
  unsigned wanted = asked_of(e, mask);
  size_t n_q = (size_t)e->q_count, n_u = (size_t)e->u_count, rows = (size_t)e->row_count;
  size_t cell_q = (size_t)e->cell.q, cell_u = (size_t)e->cell.u, cells = (size_t)e->cell.count;
  int bad = 0;
#define RESERVE(term, field, count) \
  if (wanted & (term)) bad |= !(l->field = pc_alloc((count), sizeof(double)))
  RESERVE(PC_TERM_M, M, cells * cell_u * cell_u);
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
  return e->ops->prepare && wanted ? e->ops->prepare(e->data, wanted, &l->work) : PC_OK;
}

static void destroy_local(const pc_element* e, pc_local* l)
{
  if (l->work && e->ops->release) e->ops->release(l->work);
  double* array[] = {l->M, l->Ma_q, l->h_q, l->h_u,   l->y,   l->p_q,
                     l->W, l->chi,  l->W_q, l->chi_q, l->W_t, l->zeta_t};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

/* What an element says once and for all. In momentum form its h is another one, of which that is
 * not known. */
static unsigned constant_of(const pc_element* e, unsigned mask)
{
  const unsigned forces = PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U;
  return mask & e->provides & PC_TERM_P ? e->constant & ~forces : e->constant;
}

/* Combinations of h, f and energy. */
enum { SHARED_LOCALS = 8 };

/* What is said about rows. */
static const unsigned ROW_TERMS = PC_TERM_Y | PC_TERM_W | PC_TERM_CHI | PC_TERM_W_Q;

/* What an element is still asked for once what is constant is known. */
static unsigned still_asked_of(const pc_terms* t, const pc_element* e)
{
  unsigned known = constant_of(e, t->mask);
  if (t->mask & PC_TERM_ZETA)
    known &= ~(unsigned)PC_TERM_W_Q; /* it depends on u even where W_q does not change */
  return asked_of(e, t->mask) & ~known;
}

/* An element with these terms to fill. */
static pc_local ask(pc_terms* t, int element, unsigned wanted)
{
  const pc_element* e = &t->system->element[element];
  pc_local l = *pc_terms_local(t, element);
  l.turns = &t->turns;
  if (!(wanted & PC_TERM_M)) l.M = NULL;
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
    int place = has_own(e, asked_of(e, t->mask)) ? locals : find_shared(&shared, wanted, locals);
    if (place == locals) t->asked.local[locals++] = ask(t, i, wanted);
    t->asked.rows_only[count] =
        !(wanted & ~ROW_TERMS) && e->row_first >= 0 && !(t->mask & PC_TERM_ZETA) ? 1 : 0;
    t->asked.place[count] = place;
    t->asked.element[count++] = i;
  }
  t->asked.count = count;
}

/* Whether there is something to say about rows. */
static int sees_rows(const pc_terms* t)
{
  return (t->mask & (PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q | PC_TERM_SLIP_Q)) != 0;
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

/* Bodies that are worth sharing among threads. */
enum { BODIES_LEAST = 512 };

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
  if (t->asked.bodies < BODIES_LEAST) return t->asked.bodies = 0, PC_OK;
  t->asked.energy = pc_alloc((size_t)t->asked.bodies, sizeof *t->asked.energy);
  return t->asked.energy ? PC_OK : PC_OUT_OF_MEMORY;
}

/* How many elements have a local of their own, are asked again and again, and of these have one. */
typedef struct element_counts {
  size_t own, asked, asked_own;
} element_counts;

static element_counts count_elements(const pc_terms* t)
{
  element_counts count = {0};
  for (int i = 0; i < t->system->element_count; i++) {
    const pc_element* e = &t->system->element[i];
    int own = has_own(e, asked_of(e, t->mask)), asked = still_asked_of(t, e) != 0;
    count.own += (size_t)own;
    count.asked += (size_t)asked;
    count.asked_own += (size_t)(own && asked);
  }
  return count;
}

/* *made = space for `count` numbers; 0 if there is no memory. */
static int make(size_t count, double** made)
{
  return (*made = pc_alloc(count, sizeof **made)) != NULL;
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
  if (t->mask & PC_TERM_H) good &= make(n_u, &t->h) && make(n_u, &t->work.h_fixed);
  if (t->mask & PC_TERM_F) good &= make(n_u, &t->f);
  if (t->mask & PC_TERM_P) good &= make(n_u, &t->p);
  return good && make(zeros, &t->work.zero);
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
  t->mass.element = pc_alloc(count.own, sizeof *t->mass.element);
  t->mass.diagonal = pc_alloc(elements, 1);
  for (int i = 0; t->own.place && i < t->own.elements; i++) t->own.place[i] = -1;
  return t->own.place && t->local && t->asked.local && t->asked.element && t->asked.place &&
         t->asked.rows_only && t->mass.element && t->mass.diagonal;
}

/* The local of each element that has one. */
static pc_status make_locals(pc_terms* t)
{
  for (int i = 0; i < t->own.elements; i++) {
    const pc_element* e = &t->system->element[i];
    if (!has_own(e, asked_of(e, t->mask))) continue;
    pc_local* l = &t->local[t->own.place[i] = t->own.count++];
    PC_TRY(create_local(e, t->mask, &t->turns, l));
    if (l->M) t->mass.element[t->mass.count++] = i;
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

/* The pool begins with zeros: what follows from explicit time, chi_q, W_t and zeta_t. Then it has W
 * of all found contacts, and W_q. */
enum { ZEROS = 4 * 14 };

/* How many numbers of W_q a found contact has. */
static size_t slope_count(const pc_terms* t, const pc_element* e)
{
  size_t entries = (size_t)e->row_count * (size_t)e->u_count;
  return asked_of(e, t->mask) & PC_TERM_W_Q ? entries * (size_t)e->q_count : 0;
}

static double* found_W(const pc_terms* t, const pc_found_slot* own)
{
  return t->mask & PC_TERM_W ? t->found.pool + ZEROS + own->entry : NULL;
}

/* Its rows; they do not move with time. */
static void lay_out_found_rows(pc_terms* t, const pc_found_slot* own)
{
  const double* W = found_W(t, own);
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

/* Where the terms of contact `index` lie. */
static pc_local found_local(pc_terms* t, int index, const pc_element* e, double* slopes)
{
  unsigned wanted = asked_of(e, t->mask);
  pc_local l = {.y = wanted & PC_TERM_Y ? t->y + e->row_first : NULL,
                .W = found_W(t, &t->system->found.slot[index])};
  if (l.W) l.chi = t->chi + e->row_first;
  if (wanted & PC_TERM_W_Q) {
    l.W_q = slopes;
    l.chi_q = l.W_t = l.zeta_t = t->found.pool;
  }
  return l;
}

/* Derivatives of rows are asked for, so that found contacts have a pc_local each. */
static int has_slopes(const pc_terms* t)
{
  return (t->mask & (PC_TERM_W_Q | PC_TERM_SLIP_Q)) != 0;
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
    t->local[t->own.count + i] = found_local(t, i, &e, t->found.pool + slopes);
    slopes += slope_count(t, &e);
  }
  return PC_OK;
}

/* Found contacts that are worth sharing among threads. */
enum { SHARED_LEAST = 256 };

pc_status pc_terms_refit(pc_terms* t, pc_error* error)
{
  const pc_system* s = t->system;
  const double *y = t->y, *chi = t->chi;
  const pc_array pool = PC_ARRAY(t->found.pool);
  if (!sees_rows(t)) return PC_OK; /* found contacts have nothing else */
  size_t size = ZEROS + (t->mask & PC_TERM_W ? s->found.entries : 0), slopes = size;
  for (int i = 0; has_slopes(t) && i < s->found.count; i++) {
    pc_element e;
    pc_make_found_element(s, i, &e);
    size += slope_count(t, &e);
  }
  if (reserve_rows(t) != PC_OK ||
      pc_reserve_arrays(1, &pool, &t->found.pool_capacity, size) != PC_OK)
    return pc_no_memory(error);
  if (t->y != y || t->chi != chi) list_elements(t);
  pc_threads_run(pc_system_threads(s), s->found.count, SHARED_LEAST, lay_out_some_found, t);
  if (has_slopes(t) && lay_out_slopes(t, slopes) != PC_OK) return pc_no_memory(error);
  return pc_deferred_fit(t) == PC_OK ? PC_OK : pc_no_memory(error);
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
  free(t);
}

static void scatter_add(int count, const pc_block* block, const double* from, double* x)
{
  for (int b = 0; b < count; b++) {
    pc_axpy(block[b].width, 1, from, x + block[b].first);
    from += block[b].width;
  }
}

/* Local rows to global rows: constraints of position, of velocity, contacts. */
static void scatter_rows(const pc_element* e, const double* from, double* to)
{
  for (int r = 0; r < e->g_count; r++) to[e->g_first + r] = *from++;
  for (int r = 0; r < e->gamma_count; r++) to[e->gamma_first + r] = *from++;
  int rest = e->row_count - e->g_count - e->gamma_count;
  for (int r = 0; r < rest; r++) to[e->contact_row_first + r] = *from++;
}

/* zeta_r = u' W_q q' + chi_q q' + zeta_t */
static void compute_zeta(const pc_element* e, const pc_local* l, const double* q_dot, double* zeta)
{
  int n_q = e->q_count, n_u = e->u_count;
  for (int r = 0; r < e->row_count; r++) {
    double sum = l->zeta_t[r];
    for (int k = 0; k < n_q; k++) {
      double slope = l->chi_q[r * n_q + k];
      for (int j = 0; j < n_u; j++) slope += l->u[j] * l->W_q[(r * n_u + j) * n_q + k];
      sum += slope * q_dot[k];
    }
    zeta[r] = sum;
  }
}

/* What the forces of an element give, if they give. */
static void add_supply(pc_terms* t, int n, const double* f, const double* u)
{
  double power = 0;
  for (int i = 0; i < n; i++) power += f[i] * u[i];
  if (power > 0) t->supply += power;
}

/* Where it is wanted: space for a vector of n numbers in `scratch`, set to zero. Returns what of
 * that is left. */
static double* make_space(int n, double** vector, double* scratch)
{
  if (!*vector) return scratch;
  *vector = scratch;
  pc_zero(n, scratch);
  return scratch + n;
}

/* The velocities, or accelerations, that an element sees; zeros where none are given. */
static inline const double* gather_u(const pc_terms* t, const pc_element* e, const double* u,
                                     double* scratch)
{
  return u ? pc_gather(e->block_count, e->u_block, u, scratch) : t->work.zero;
}

/* One element at a point: gathered, evaluated, scattered. */
static void evaluate_element(pc_terms* t, const pc_element* e, pc_local* l, const pc_at* at)
{
  double* scratch = t->work.scratch;
  l->t = at->t;
  l->q = pc_gather(e->block_count, e->q_block, at->q, scratch);
  scratch += e->q_count;
  l->u = gather_u(t, e, at->u, scratch);
  scratch += e->u_count;
  if (l->Ma_q) {
    l->a = gather_u(t, e, at->a, scratch);
    scratch += e->u_count;
  }
  double energy[3] = {0, 0, 0};
  scratch = make_space(e->u_count, &l->h, scratch);
  scratch = make_space(e->u_count, &l->f, scratch);
  scratch = make_space(e->u_count, &l->p, scratch);
  if (l->energy) l->energy = energy;

  e->ops->evaluate(e->data, l);

  if (l->h) scatter_add(e->block_count, e->u_block, l->h, t->h);
  if (l->f) {
    scatter_add(e->block_count, e->u_block, l->f, t->f);
    add_supply(t, e->u_count, l->f, l->u);
  }
  if (l->p) scatter_add(e->block_count, e->u_block, l->p, t->p);
  t->kinetic += energy[0];
  t->potential += energy[1];
  t->power += energy[2];
  if (l->y && e->row_first < 0) scatter_rows(e, l->y, t->y);
  if (l->chi && e->row_first < 0) scatter_rows(e, l->chi, t->chi);
  if (t->zeta && l->W_q) {
    const double* q_dot = pc_gather(e->block_count, e->q_block, t->work.q_dot, scratch);
    scratch += e->q_count;
    compute_zeta(e, l, q_dot, scratch);
    scatter_rows(e, scratch, t->zeta);
  }
}

/* A found contact, which has rows and nothing else, touches what no other one does, so that threads
 * can share them. */
static void evaluate_found(pc_terms* t, const pc_element* e, pc_local* l, const pc_at* at)
{
  double q[2 * PC_PART_Q_MAX], u[2 * PC_PART_Q_MAX], zeta[PC_FOUND_ROWS_MAX];
  l->t = at->t;
  l->q = pc_gather(e->block_count, e->q_block, at->q, q);
  l->u = t->zeta ? gather_u(t, e, at->u, u) : NULL;
  e->ops->evaluate(e->data, l);
  if (t->zeta && l->W_q) {
    double q_dot[2 * PC_PART_Q_MAX];
    compute_zeta(e, l, pc_gather(e->block_count, e->q_block, t->work.q_dot, q_dot), zeta);
    scatter_rows(e, zeta, t->zeta);
  }
  l->q = l->u = NULL;
}

typedef struct found_loop {
  pc_terms* terms;
  const pc_at* at;
} found_loop;

static void evaluate_some_found(void* user, int worker, int first, int last)
{
  const found_loop* loop = user;
  pc_terms* t = loop->terms;
  const pc_system* s = t->system;
  (void)worker;
  for (int i = first; i < last; i++) {
    pc_element e;
    pc_make_found_element(s, i, &e);
    evaluate_found(t, &e, &t->local[t->own.count + i], loop->at);
  }
}

/* The same without derivatives, which needs no pc_local. */
static void evaluate_some_rows(void* user, int worker, int first, int last)
{
  const found_loop* loop = user;
  const pc_terms* t = loop->terms;
  const pc_system_found* found = &t->system->found;
  (void)worker;
  for (int i = first; i < last; i++) {
    const pc_found_slot* own = &found->slot[i];
    const double* q = loop->at->q + own->q[0].first;
    const double* second = own->blocks > 1 ? loop->at->q + own->q[1].first : NULL;
    found->ops->evaluate_rows(own->data, q, second, t->mask & PC_TERM_Y ? t->y + own->row : NULL,
                              found_W(t, own));
  }
}

/* Whether M of an element, which is there, is that of a body about its centre: it never changes and
 * is diagonal. */
static int has_diagonal_M(const pc_element* e, const double* M)
{
  int n = e->u_count;
  if (!M || e->cell.stride || !(e->constant & PC_TERM_M)) return 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i != j && M[i * n + j] != 0) return 0;
  return 1;
}

/* The first evaluation asks for everything; the constant part of h is gathered in h_fixed. */
static void evaluate_first(pc_terms* t, const pc_at* at)
{
  double* h = t->h;
  for (int i = 0; i < t->system->element_count; i++) {
    const pc_element* e = &t->system->element[i];
    unsigned wanted = asked_of(e, t->mask);
    if (!wanted) continue;
    pc_local l = ask(t, i, wanted);
    t->h = constant_of(e, t->mask) & PC_TERM_H ? t->work.h_fixed : h;
    evaluate_element(t, e, &l, at);
    t->mass.diagonal[i] = (unsigned char)has_diagonal_M(e, l.M);
  }
  t->h = h;
  t->evaluated = 1;
}

/* Element k of those that are listed. */
static inline void evaluate_asked(pc_terms* t, int k, const pc_at* at)
{
  const pc_element* e = &t->system->element[t->asked.element[k]];
  pc_local* l = &t->asked.local[t->asked.place[k]];
  if (!t->asked.rows_only[k]) {
    evaluate_element(t, e, l, at);
    return;
  }
  double* scratch = t->work.scratch;
  l->t = at->t;
  l->q = pc_gather(e->block_count, e->q_block, at->q, scratch);
  l->u = gather_u(t, e, at->u, scratch + e->q_count);
  e->ops->evaluate(e->data, l);
}

/* What can be left for later is. */
static void evaluate_or_defer(pc_terms* t, const pc_at* at)
{
  pc_deferred_begin(t, at);
  for (int k = 0; k < t->asked.count; k++) {
    int element = t->asked.element[k];
    if (t->deferred->is_deferred[element])
      pc_deferred_note(t, element, &t->asked.local[t->asked.place[k]]);
    else
      evaluate_asked(t, k, at);
  }
}

typedef struct body_loop {
  const pc_terms* terms;
  const pc_at* at;
} body_loop;

static void evaluate_bodies(void* user, int worker, int first, int last)
{
  const body_loop* loop = user;
  const pc_terms* t = loop->terms;
  (void)worker;
  for (int k = first; k < last; k++) {
    const pc_element* e = &t->system->element[t->asked.element[k]];
    double* energy = t->asked.energy[k];
    energy[0] = energy[1] = energy[2] = 0;
    pc_local l = {.t = loop->at->t,
                  .q = loop->at->q + e->q_block[0].first,
                  .u = loop->at->u ? loop->at->u + e->u_block[0].first : t->work.zero,
                  .energy = energy};
    e->ops->evaluate(e->data, &l);
  }
}

/* Energies are added up in the order of the elements, whoever evaluates them. */
static void evaluate_listed(pc_terms* t, const pc_at* at)
{
  int bodies = t->asked.bodies;
  body_loop loop = {t, at};
  if (bodies)
    pc_threads_run(pc_system_threads(t->system), bodies, BODIES_LEAST, evaluate_bodies, &loop);
  for (int k = 0; k < bodies; k++) {
    t->kinetic += t->asked.energy[k][0];
    t->potential += t->asked.energy[k][1];
    t->power += t->asked.energy[k][2];
  }
  for (int k = bodies; k < t->asked.count; k++) evaluate_asked(t, k, at);
}

void pc_terms_evaluate(pc_terms* t, const pc_at* at)
{
  const pc_system* s = t->system;
  if (t->zeta) pc_system_q_dot(s, at->t, at->q, at->u ? at->u : t->work.zero, t->work.q_dot);
  if (!t->evaluated) evaluate_first(t, at);
  if (t->mask & PC_TERM_H) pc_copy(s->u_count, t->work.h_fixed, t->h);
  if (t->mask & PC_TERM_F) pc_zero(s->u_count, t->f);
  t->kinetic = t->potential = t->power = t->supply = 0;
  if (t->p) pc_zero(s->u_count, t->p);
  if (t->deferred)
    evaluate_or_defer(t, at);
  else
    evaluate_listed(t, at);
  if (t->p && at->u) pc_terms_add_constant_momentum(t, at->u);
  if (s->found.count == 0 || !sees_rows(t)) return;
  found_loop loop = {t, at};
  if (!pc_deferred_takes_found(t)) {
    pc_threads_run(pc_system_threads(s), s->found.count, SHARED_LEAST,
                   has_slopes(t) ? evaluate_some_found : evaluate_some_rows, &loop);
    return;
  }
  for (int i = 0; i < s->found.count; i++)
    pc_deferred_note(t, s->element_count + i, &t->local[t->own.count + i]);
}

void pc_terms_many_velocities(const pc_terms* t, int first, int last, const double* u,
                              double* velocity)
{
  for (int r = first; r < last;) {
    const pc_row* row = t->row + r;
    int bodies = r < t->deferred_end ? 0 : pc_rows_of_bodies(last - r, row);
    if (bodies == 0) {
      *velocity++ = pc_terms_row_velocity(t, r++, u);
      continue;
    }
    const double *of = u + row->block[0].first, *other = u + row->block[bodies - 1].first;
    if (bodies == 2)
      pc_row_dot_three(2, row, of, other, velocity);
    else
      pc_row_dot_three(1, row, of, NULL, velocity);
    for (int i = 0; i < 3; i++, r++) *velocity++ += t->chi[r];
  }
}

/* ---- looking for what is not finite --------------------------------------------------------- */

static int all_finite(const double* x, int count)
{
  for (int i = 0; x && i < count; i++)
    if (!isfinite(x[i])) return 0;
  return 1;
}

/* The first term of an element that is not finite, or NULL. */
static const char* bad_term(const pc_element* e, const pc_local* l, const pc_terms* t)
{
  int n_u = e->u_count, rows = e->row_count;
  int of_u = e->cell.count * e->cell.u * e->cell.u, of_q = e->cell.count * e->cell.u * e->cell.q;
  if (!all_finite(l->M, of_u)) return "M";
  if (!all_finite(t->h, t->system->u_count)) return "h";
  if (!all_finite(l->h_q, of_q)) return "dh/dq";
  if (!all_finite(l->h_u, of_u)) return "dh/du";
  if (!all_finite(l->y, rows)) return e->contact_count ? "gap" : "g";
  if (!all_finite(l->W, rows * n_u) || !all_finite(l->chi, rows)) return "W";
  if (!isfinite(t->kinetic)) return "kinetic energy";
  if (!isfinite(t->potential)) return "potential energy";
  return NULL;
}

/* Evaluates one element by itself, and names its term that is not finite. */
static int is_bad(pc_terms* t, const pc_element* e, pc_local* l, const pc_at* at, char* where,
                  size_t size)
{
  if (t->h) pc_zero(t->system->u_count, t->h);
  t->kinetic = t->potential = 0;
  evaluate_element(t, e, l, at);
  const char* term = bad_term(e, l, t);
  if (term) snprintf(where, size, "%s of %s '%s'", term, e->ops->kind, e->name);
  return term != NULL;
}

int pc_find_not_finite(pc_terms* t, const pc_at* at, char* where, size_t size)
{
  const pc_system* s = t->system;
  for (int i = 0; i < s->part_count; i++) {
    const pc_part* p = &s->part[i];
    if (!all_finite(at->q + p->q_first, p->q_count) ||
        (at->u && !all_finite(at->u + p->u_first, p->u_count))) {
      snprintf(where, size, "the state of '%s'", p->name);
      return 1;
    }
  }
  t->evaluated = 0; /* ask every element for everything, constant or not */
  int found = 0;
  for (int i = 0; i < s->element_count && !found; i++) {
    unsigned wanted = asked_of(&s->element[i], t->mask);
    pc_local own = ask(t, i, wanted);
    found = wanted && is_bad(t, &s->element[i], &own, at, where, size);
  }
  for (int i = 0; i < s->found.count && !found && sees_rows(t); i++) {
    pc_element e;
    pc_make_found_element(s, i, &e);
    pc_local own = has_slopes(t) ? t->local[t->own.count + i] : found_local(t, i, &e, NULL);
    found = is_bad(t, &e, &own, at, where, size);
  }
  if (t->work.h_fixed) pc_zero(s->u_count, t->work.h_fixed);
  return found;
}
