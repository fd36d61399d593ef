#include "system/deferred.h"

#include <stdlib.h>

#include "base/inline.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "system/found.h"
#include "system/gather.h"

/* Whether an element has contacts and nothing else, whose rows lie side by side, and something that
 * is worth being left for later: W that never changes is evaluated once, and one that does is soon
 * evaluated with the gap, unless its derivatives are asked for as well. */
static int can_be_deferred(const pc_terms* t, const pc_element* e)
{
  const unsigned rows = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q | PC_TERM_CHI;
  int slopes =
      t->mask & (PC_TERM_W_Q | PC_TERM_SLIP_Q) && (~e->constant & (PC_TERM_W | PC_TERM_W_Q));
  int leaves = (slopes && !e->ops->evaluates_all) || e->ops->least_gap;
  return e->contact_count > 0 && e->g_count + e->gamma_count == 0 && e->row_first >= 0 &&
         !(e->provides & ~rows) && leaves;
}

int pc_deferred_takes_found(const pc_terms* t)
{
  return t->deferred && t->mask & (PC_TERM_W_Q | PC_TERM_SLIP_Q);
}

pc_status pc_deferred_fit(pc_terms* t)
{
  pc_deferred* d = t->deferred;
  if (!d) return PC_OK;
  const pc_array array[] = {PC_ARRAY(d->is_deferred), PC_ARRAY(d->left), PC_ARRAY(d->asked)};
  int found = pc_deferred_takes_found(t);
  int count = found ? pc_system_all_elements(t->system) : t->system->element_count;
  t->deferred_from = pc_system_g_count(t->system) + pc_system_gamma_count(t->system);
  t->deferred_end = found ? t->system->row_count : pc_system_fixed_row_count(t->system);
  if (!found && d->count == count) return PC_OK;
  d->count = count;
  PC_TRY(pc_reserve_arrays(3, array, &d->capacity, (size_t)count));
  for (int i = 0; i < count; i++) {
    d->is_deferred[i] =
        i >= t->system->element_count || can_be_deferred(t, &t->system->element[i]) ? 1 : 0;
    d->left[i] = d->asked[i] = 0;
  }
  return PC_OK;
}

void pc_deferred_destroy(pc_deferred* d)
{
  if (!d) return;
  free(d->q);
  free(d->zero);
  free(d->scratch);
  free(d->is_deferred);
  free(d->left);
  free(d->asked);
  free(d);
}

pc_status pc_terms_defer(pc_terms* t, double reach, pc_error* error)
{
  if (t->zeta) return PC_OK; /* made of all W_q in any case */
  pc_deferred* d = t->deferred = pc_alloc(1, sizeof *d);
  if (!d) return pc_no_memory(error);
  size_t scratch = pc_system_scratch_size(t->system); /* more than an element has velocities */
  d->reach = reach;
  d->q = pc_alloc((size_t)t->system->q_count, sizeof *d->q);
  d->zero = pc_alloc(scratch, sizeof *d->zero);
  d->scratch = pc_alloc(scratch, sizeof *d->scratch);
  d->local.u = d->zero;
  if (!d->q || !d->zero || !d->scratch || pc_deferred_fit(t) != PC_OK) return pc_no_memory(error);
  int count = 0;
  for (int i = 0; i < t->system->element_count; i++) count += d->is_deferred[i];
  if (count > 0 || (pc_deferred_takes_found(t) && pc_system_is_extended(t->system))) return PC_OK;
  pc_deferred_destroy(d);
  t->deferred = NULL;
  t->deferred_end = 0;
  return PC_OK;
}

void pc_deferred_begin(pc_terms* t, const pc_at* at)
{
  t->deferred->t = at->t;
  pc_copy(t->system->q_count, at->q, t->deferred->q);
}

/* The element's coordinates, with nothing asked for. */
PC_INLINE pc_local* local_at(pc_deferred* d, const pc_element* e, const pc_local* own)
{
  pc_local* l = &d->local;
  l->t = d->t;
  l->q = pc_gather(e->block_count, e->q_block, d->q, d->scratch);
  l->work = own->work;
  l->turns = own->turns;
  return l;
}

static void ask_for_rows(const pc_terms* t, const pc_element* e, const pc_local* own, pc_local* l)
{
  l->W = own->W;
  l->chi = t->chi + e->row_first;
}

/* The normal rows of the contacts. */
static void set_gaps(const pc_terms* t, const pc_element* e, double gap)
{
  for (int k = 0; k < e->contact_count; k++)
    t->y[pc_system_contact_at(t->system, e->contact_first + k).row] = gap;
}

/* The gaps, or a bound; returns which of W and Y that leaves of PC_LEFT_W | PC_LEFT_Y. */
PC_INLINE unsigned evaluate_gaps(pc_terms* t, int element, const pc_element* e, int with_rows)
{
  pc_deferred* d = t->deferred;
  const pc_local* own = pc_terms_local(t, element);
  pc_local* l = local_at(d, e, own);
  double bound = e->ops->least_gap ? e->ops->least_gap(e->data, l) : -1;
  if (bound > d->reach && bound > 0) {
    set_gaps(t, e, bound);
    return PC_LEFT_Y | PC_LEFT_W;
  }
  l->y = t->y + e->row_first;
  if (with_rows) ask_for_rows(t, e, own, l);
  e->ops->evaluate(e->data, l);
  l->y = l->W = l->chi = NULL;
  return with_rows ? 0 : PC_LEFT_W;
}

void pc_deferred_note(pc_terms* t, int element, const pc_local* asked)
{
  pc_deferred* d = t->deferred;
  pc_element found;
  const pc_element* e = pc_system_element_at(t->system, element, &found);
  unsigned left = (asked->W ? PC_LEFT_W : 0u) | (asked->W_q ? PC_LEFT_W_Q : 0u);
  if (asked->y)
    left = (left & PC_LEFT_W_Q) |
           (evaluate_gaps(t, element, e, asked->W && d->asked[element]) & (left | PC_LEFT_Y));
  d->left[element] = (unsigned char)left;
  d->asked[element] = 0;
  for (int r = 0; r < e->row_count; r++) t->unasked[e->row_first + r] = 1;
}

void pc_deferred_complete(const pc_terms* t, int element, unsigned what)
{
  pc_deferred* d = t->deferred;
  what &= d->left[element];
  if (!what) return;
  pc_element found;
  const pc_element* e = pc_system_element_at(t->system, element, &found);
  const pc_local* own = pc_terms_local(t, element);
  pc_local* l = local_at(d, e, own);
  if (what & PC_LEFT_Y) l->y = t->y + e->row_first;
  if (what & PC_LEFT_W) ask_for_rows(t, e, own, l);
  if (what & PC_LEFT_W_Q) {
    l->W_q = own->W_q, l->chi_q = own->chi_q;
    l->W_t = own->W_t, l->zeta_t = own->zeta_t;
  }
  e->ops->evaluate(e->data, l);
  l->y = l->W = l->chi = l->W_q = l->chi_q = l->W_t = l->zeta_t = NULL;
  d->left[element] &= (unsigned char)~what;
}

void pc_terms_complete_row(const pc_terms* t, int row)
{
  int element = pc_system_row_place(t->system, row).element;
  t->deferred->asked[element] = 1;
  t->unasked[row] = 0;
  if (t->deferred->left[element] & PC_LEFT_W) pc_deferred_complete(t, element, PC_LEFT_W);
}

void pc_terms_complete_slopes(const pc_terms* t, int element)
{
  if (t->deferred && element < t->deferred->count) pc_deferred_complete(t, element, PC_LEFT_W_Q);
}

void pc_terms_complete_gap(const pc_terms* t, int row)
{
  pc_deferred_complete(t, pc_system_row_place(t->system, row).element, PC_LEFT_Y);
}

void pc_terms_complete_left(pc_terms* t)
{
  const pc_deferred* d = t->deferred;
  for (int i = 0; i < d->count; i++)
    if (d->left[i]) pc_deferred_complete(t, i, PC_LEFT_Y | PC_LEFT_W);
}
