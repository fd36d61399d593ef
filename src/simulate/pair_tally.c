#include "simulate/pair_tally.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

void pc_pair_tallies_clear(pc_pair_tallies* t)
{
  free(t->entry);
  *t = (pc_pair_tallies){0};
}

/* The contacts of one pair in one step: they follow each other. */
typedef struct pair_step {
  int shape[2];
  double P, closing, depth; /* `closing`: of the contacts that began to carry */
} pair_step;

/* Sums up the contacts from `at` on that belong to one pair; returns where the next one begins. */
static int sum_up(const pc_found_contacts* found, int at, pair_step* sum)
{
  const pc_shape_contact* c = &found->contact[at];
  *sum = (pair_step){{c->key.shape[0], c->key.shape[1]}, 0, 0, 0};
  for (; at < found->count; at++, c++) {
    if (c->key.shape[0] != sum->shape[0] || c->key.shape[1] != sum->shape[1]) break;
    sum->P += c->P_N;
    if (c->closed) sum->closing += c->P_N;
    if (-c->gap > sum->depth) sum->depth = -c->gap;
  }
  return at;
}

static int compare(const pc_pair_tally* pair, const pair_step* step)
{
  for (int i = 0; i < 2; i++)
    if (pair->shape[i] != step->shape[i]) return pair->shape[i] < step->shape[i] ? -1 : 1;
  return 0;
}

static void add_step(pc_pair_entry* e, const pair_step* sum, long step, double t)
{
  pc_contact_tally* tally = &e->pair.tally;
  tally->steps_closed++;
  tally->closings += e->last != step - 1 || step == 0;
  tally->P_sum += sum->P;
  tally->P_closing += sum->closing;
  e->last = step;
  if (sum->P > tally->P_max) {
    tally->P_max = sum->P;
    tally->t_max = t;
  }
  if (sum->depth > e->pair.depth_max) {
    e->pair.depth_max = sum->depth;
    e->pair.depth_time = t;
  }
}

static int same_pair(const pc_shape_contact* a, const pc_shape_contact* b)
{
  return a->key.shape[0] == b->key.shape[0] && a->key.shape[1] == b->key.shape[1];
}

/* The first of the entries that is not before a pair, by bisection. */
static int bisect(const pc_pair_tallies* p, const pair_step* step)
{
  int low = 0, high = p->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (compare(&p->entry[middle].pair, step) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

typedef struct tally_loop {
  pc_pair_tallies* tallies;
  const pc_found_contacts* found;
  long step;
  double t;
  atomic_int unknown; /* pairs */
} tally_loop;

/* The pairs that begin in this range. */
static void add_some(void* user, int worker, int first, int last)
{
  tally_loop* l = user;
  pc_pair_tallies* p = l->tallies;
  const pc_shape_contact* c = l->found->contact;
  int unknown = 0, at = first, k = -1;
  pair_step sum;
  (void)worker;
  while (at > 0 && at < last && same_pair(&c[at - 1], &c[at])) at++;
  while (at < last) {
    at = sum_up(l->found, at, &sum);
    if (!(sum.P > 0)) continue;
    if (k < 0) k = bisect(p, &sum);
    while (k < p->count && compare(&p->entry[k].pair, &sum) < 0) k++;
    if (k < p->count && compare(&p->entry[k].pair, &sum) == 0)
      add_step(&p->entry[k], &sum, l->step, l->t);
    else
      unknown++;
  }
  if (unknown) atomic_fetch_add(&l->unknown, unknown);
}

/* Contacts that are worth sharing among threads. */
enum { SHARED_LEAST = 256 };

/* Adds to the pairs that are known; returns how many are not. */
static int add_known(pc_pair_tallies* p, const pc_found_contacts* found, long step, double t,
                     pc_threads* threads)
{
  tally_loop loop = {p, found, step, t, 0};
  pc_threads_run(threads, found->count, SHARED_LEAST, add_some, &loop);
  return atomic_load(&loop.unknown);
}

/* Where the contacts of the pair begin that the one before `end` belongs to. */
static int first_of_pair(const pc_found_contacts* found, int end)
{
  const int* shape = found->contact[end - 1].key.shape;
  int at = end - 1;
  for (; at > 0; at--) {
    const int* other = found->contact[at - 1].key.shape;
    if (other[0] != shape[0] || other[1] != shape[1]) break;
  }
  return at;
}

/* Merges the pairs that are not known with the others, for which there is space behind them: from
 * the last one on. */
static void add_unknown(pc_pair_tallies* p, const pc_found_contacts* found, int unknown, long step,
                        double t)
{
  int k = p->count, to = k + unknown;
  pair_step sum;
  p->count = to;
  for (int end = found->count; to > k;) {
    end = first_of_pair(found, end);
    sum_up(found, end, &sum);
    if (!(sum.P > 0)) continue;
    while (k > 0 && compare(&p->entry[k - 1].pair, &sum) > 0) p->entry[--to] = p->entry[--k];
    if (k > 0 && compare(&p->entry[k - 1].pair, &sum) == 0) continue;
    p->entry[--to] = (pc_pair_entry){.pair.shape = {sum.shape[0], sum.shape[1]}, .last = step - 2};
    add_step(&p->entry[to], &sum, step, t);
  }
}

pc_status pc_pair_tallies_add(pc_pair_tallies* p, const pc_found_contacts* found, long step,
                              double t, pc_threads* threads)
{
  int unknown = add_known(p, found, step, t, threads);
  if (unknown == 0) return PC_OK;
  const pc_array entry = PC_ARRAY(p->entry);
  PC_TRY(pc_reserve_arrays(1, &entry, &p->capacity, (size_t)p->count + (size_t)unknown));
  add_unknown(p, found, unknown, step, t);
  return PC_OK;
}
