#include "simulate/pair_tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void pc_pair_tallies_clear(pc_pair_tallies* t)
{
  free(t->entry);
  free(t->spare);
  *t = (pc_pair_tallies){0};
}

/* The contacts of one pair in one step: they follow each other. */
typedef struct pair_step {
  int shape[2];
  double P, depth;
} pair_step;

/* Sums up the contacts from `at` on that belong to one pair; returns where the next one begins. */
static int sum_up(const pc_found_contacts* found, int at, pair_step* sum)
{
  const pc_shape_contact* c = &found->contact[at];
  *sum = (pair_step){{c->key.shape[0], c->key.shape[1]}, 0, 0};
  for (; at < found->count; at++, c++) {
    if (c->key.shape[0] != sum->shape[0] || c->key.shape[1] != sum->shape[1]) break;
    sum->P += c->P_N;
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

/* Adds to the pairs that are known; returns how many are not. */
static int add_known(pc_pair_tallies* p, const pc_found_contacts* found, long step, double t)
{
  int unknown = 0;
  pair_step sum;
  for (int at = 0, k = 0; at < found->count;) {
    at = sum_up(found, at, &sum);
    if (!(sum.P > 0)) continue;
    while (k < p->count && compare(&p->entry[k].pair, &sum) < 0) k++;
    if (k < p->count && compare(&p->entry[k].pair, &sum) == 0)
      add_step(&p->entry[k], &sum, step, t);
    else
      unknown++;
  }
  return unknown;
}

/* Merges the pairs that are not known with the others. */
static void add_unknown(pc_pair_tallies* p, const pc_found_contacts* found, long step, double t)
{
  int k = 0, count = 0;
  pair_step sum;
  for (int at = 0; at < found->count;) {
    at = sum_up(found, at, &sum);
    if (!(sum.P > 0)) continue;
    while (k < p->count && compare(&p->entry[k].pair, &sum) < 0) p->spare[count++] = p->entry[k++];
    if (k < p->count && compare(&p->entry[k].pair, &sum) == 0) continue;
    p->spare[count] = (pc_pair_entry){.pair.shape = {sum.shape[0], sum.shape[1]}, .last = step - 2};
    add_step(&p->spare[count++], &sum, step, t);
  }
  while (k < p->count) p->spare[count++] = p->entry[k++];
  pc_pair_entry* entry = p->entry;
  size_t capacity = p->capacity;
  p->entry = p->spare;
  p->capacity = p->spare_capacity;
  p->spare = entry;
  p->spare_capacity = capacity;
  p->count = count;
}

pc_status pc_pair_tallies_add(pc_pair_tallies* p, const pc_found_contacts* found, long step,
                              double t)
{
  int unknown = add_known(p, found, step, t);
  if (unknown == 0) return PC_OK;
  const pc_array spare = PC_ARRAY(p->spare);
  pc_status status =
      pc_reserve_arrays(1, &spare, &p->spare_capacity, (size_t)p->count + (size_t)unknown);
  if (status == PC_OK) add_unknown(p, found, step, t);
  return status;
}
