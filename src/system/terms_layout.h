/* Where the terms of elements and of found contacts lie: what laying them out (terms_layout.c) and
 * evaluating them (terms.c) share. */
#ifndef PC_SYSTEM_TERMS_LAYOUT_H
#define PC_SYSTEM_TERMS_LAYOUT_H

#include "system/system.h"
#include "system/terms.h"

/* What is asked of an element, of what it provides. */
static inline unsigned pc_terms_asked_of(const pc_element* e, unsigned mask)
{
  int position_rows = e->g_count + e->contact_count;
  if (mask & PC_TERM_SLIP_Q && e->row_count > position_rows) mask |= PC_TERM_W_Q;
  return mask & e->provides;
}

/* Whether its diagonal is all that is kept of M of an element. */
static inline int pc_terms_is_thin(const pc_element* e)
{
  return e->diagonal_M && !e->cell.stride && (e->constant & PC_TERM_M) &&
         e->u_count <= PC_THIN_MOST;
}

/* What an element says once and for all. In momentum form its h is another one, of which that is
 * not known. */
static inline unsigned pc_terms_constant_of(const pc_element* e, unsigned mask)
{
  const unsigned forces = PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U;
  return mask & e->provides & PC_TERM_P ? e->constant & ~forces : e->constant;
}

/* Whether an element may leave its derivatives to evaluate_slopes. */
static inline int pc_terms_leave_slopes_of(const pc_terms* t, const pc_element* e)
{
  return t->mask & PC_TERM_LATER && e->ops->evaluate_slopes;
}

/* Where an element puts these terms; the others are NULL. */
pc_local pc_terms_ask(pc_terms* terms, int element, unsigned wanted);

/* Whether there is something to say about rows. */
static inline int pc_terms_see_rows(const pc_terms* t)
{
  return (t->mask & (PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q | PC_TERM_SLIP_Q)) != 0;
}

/* The pool begins with zeros: what follows from explicit time, chi_q, W_t and zeta_t. Then it has W
 * of all found contacts, and W_q. */
enum { PC_TERMS_ZEROS = 4 * 14 };

static inline double* pc_terms_found_W(const pc_terms* t, const pc_found_slot* own)
{
  return t->mask & PC_TERM_W ? t->found.pool + PC_TERMS_ZEROS + own->entry : NULL;
}

/* Where the terms of contact `index` lie. */
static inline pc_local pc_terms_found_local(pc_terms* t, int index, const pc_element* e,
                                            double* slopes)
{
  unsigned wanted = pc_terms_asked_of(e, t->mask);
  pc_local l = {.y = wanted & PC_TERM_Y ? t->y + e->row_first : NULL,
                .W = pc_terms_found_W(t, &t->system->found.slot[index])};
  if (l.W) l.chi = t->chi + e->row_first;
  if (wanted & PC_TERM_W_Q) {
    l.W_q = slopes;
    l.chi_q = l.W_t = l.zeta_t = t->found.pool;
  }
  return l;
}

/* Derivatives of rows are asked for, so that found contacts have a pc_local each. */
static inline int pc_terms_have_slopes(const pc_terms* t)
{
  return (t->mask & (PC_TERM_W_Q | PC_TERM_SLIP_Q)) != 0;
}

/* Bodies that are worth sharing among threads. */
enum { PC_TERMS_BODIES_LEAST = 512 };

/* Found contacts that are worth sharing among threads. */
enum { PC_TERMS_FOUND_LEAST = 256 };

#endif
