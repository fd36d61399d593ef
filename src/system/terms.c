/* Evaluating the terms of a system: gather, ask each element, scatter. */
#include "system/terms.h"

#include <math.h>
#include <stdio.h>

#include "base/inline.h"
#include "linalg/axpy.h"
#include "linalg/copy.h"
#include "system/deferred.h"
#include "system/found.h"
#include "system/gather.h"
#include "system/products.h"
#include "system/terms_layout.h"

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

/* zeta_r = u' W_q q' + chi_q q' + zeta_t; sizes that are constants shorten the loops. */
PC_INLINE void compute_zeta_of(int n_q, int n_u, int row_count, const pc_local* l,
                               const double* restrict q_dot, double* restrict zeta)
{
  const double *chi_q = l->chi_q, *W_q = l->W_q, *u = l->u;
  for (int r = 0; r < row_count; r++, chi_q += n_q, W_q += n_u * n_q) {
    double sum = l->zeta_t[r];
    for (int k = 0; k < n_q; k++) {
      double slope = chi_q[k];
      for (int j = 0; j < n_u; j++) slope += u[j] * W_q[j * n_q + k];
      sum += slope * q_dot[k];
    }
    zeta[r] = sum;
  }
}

/* Bodies in the plane, alone and in pairs, have loops of constant length. */
static void compute_zeta(const pc_element* e, const pc_local* l, const double* q_dot, double* zeta)
{
  int n_q = e->q_count, n_u = e->u_count, rows = e->row_count;
  if (n_q == 3 && n_u == 3)
    compute_zeta_of(3, 3, rows, l, q_dot, zeta);
  else if (n_q == 6 && n_u == 6)
    compute_zeta_of(6, 6, rows, l, q_dot, zeta);
  else
    compute_zeta_of(n_q, n_u, rows, l, q_dot, zeta);
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
                              pc_terms_found_W(t, own));
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

/* Keeps the diagonal of an M that was evaluated, if that is all of it. */
static void keep_diagonal(pc_terms* t, int element, const double* M)
{
  int n = t->system->element[element].u_count;
  double* kept = t->mass.entry + t->mass.thin[element];
  for (int i = 0; i < n; i++) kept[i] = M[i * (n + 1)];
}

/* The first evaluation asks for everything; the constant part of h is gathered in h_fixed, or is
 * all that h will ever be. */
static void evaluate_first(pc_terms* t, const pc_at* at)
{
  double *h = t->h, *fixed = t->work.h_fixed ? t->work.h_fixed : h;
  for (int i = 0; i < t->system->element_count; i++) {
    const pc_element* e = &t->system->element[i];
    unsigned wanted = pc_terms_asked_of(e, t->mask);
    if (!wanted) continue;
    pc_local l = pc_terms_ask(t, i, wanted);
    t->h = pc_terms_constant_of(e, t->mask) & PC_TERM_H ? fixed : h;
    evaluate_element(t, e, &l, at);
    if (pc_terms_leave_slopes_of(t, e)) e->ops->evaluate_slopes(e->data, &l);
    if (l.M && pc_terms_thin_M(t, i)) keep_diagonal(t, i, l.M);
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
    pc_threads_run(pc_system_threads(t->system), bodies, PC_TERMS_BODIES_LEAST, evaluate_bodies,
                   &loop);
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
  if (t->work.h_fixed) pc_copy(s->u_count, t->work.h_fixed, t->h);
  if (t->mask & s->terms.provides & PC_TERM_F) pc_zero(s->u_count, t->f); /* else it stays so */
  t->kinetic = t->potential = t->power = t->supply = 0;
  if (t->p) pc_zero(s->u_count, t->p);
  if (t->deferred)
    evaluate_or_defer(t, at);
  else
    evaluate_listed(t, at);
  if (t->p && at->u) pc_terms_add_constant_momentum(t, at->u);
  if (s->found.count == 0 || !pc_terms_see_rows(t)) return;
  found_loop loop = {t, at};
  if (!pc_deferred_takes_found(t)) {
    pc_threads_run(pc_system_threads(s), s->found.count, PC_TERMS_FOUND_LEAST,
                   pc_terms_have_slopes(t) ? evaluate_some_found : evaluate_some_rows, &loop);
    return;
  }
  for (int i = 0; i < s->found.count; i++)
    pc_deferred_note(t, s->element_count + i, &t->local[t->own.count + i]);
}

void pc_terms_evaluate_left_slopes(pc_terms* t)
{
  for (int k = 0; k < t->asked.count; k++) {
    const pc_element* e = &t->system->element[t->asked.element[k]];
    if (e->ops->evaluate_slopes)
      e->ops->evaluate_slopes(e->data, &t->asked.local[t->asked.place[k]]);
  }
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
  if (pc_terms_leave_slopes_of(t, e)) e->ops->evaluate_slopes(e->data, l);
  const char* term = bad_term(e, l, t);
  if (term) snprintf(where, size, "%s of %s '%s'", term, e->ops->kind, e->name);
  return term != NULL;
}

void pc_terms_evaluate_force(pc_terms* t, int element, const pc_at* at)
{
  const pc_element* e = &t->system->element[element];
  unsigned wanted = pc_terms_asked_of(e, t->mask);
  pc_local own = pc_terms_ask(t, element, wanted);
  t->evaluated = 0; /* of what is constant, t has the share of this element alone */
  pc_zero(t->system->u_count, t->work.h_fixed ? t->work.h_fixed : t->h);
  pc_zero(t->system->u_count, t->h);
  if (wanted & PC_TERM_H) evaluate_element(t, e, &own, at);
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
    unsigned wanted = pc_terms_asked_of(&s->element[i], t->mask);
    pc_local own = pc_terms_ask(t, i, wanted);
    found = wanted && is_bad(t, &s->element[i], &own, at, where, size);
  }
  for (int i = 0; i < s->found.count && !found && pc_terms_see_rows(t); i++) {
    pc_element e;
    pc_make_found_element(s, i, &e);
    pc_local own =
        pc_terms_have_slopes(t) ? t->local[t->own.count + i] : pc_terms_found_local(t, i, &e, NULL);
    found = is_bad(t, &e, &own, at, where, size);
  }
  if (t->h) pc_zero(s->u_count, t->work.h_fixed ? t->work.h_fixed : t->h);
  return found;
}
