#include "collide/broad_phase.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/inline.h"
#include "base/memory.h"
#include "base/status.h"

enum { CELLS = 1 << 21, DIGIT = 11, DIGITS = 1 << DIGIT, FEW = 200, LEAF = 4 };

/* A place on the curve. */
typedef struct item {
  uint64_t code;
  int index;
  int node; /* the leaf that it is in */
} item;

/* Nodes lie in the order of a walk: the first child follows its parent, and `next` is past the
 * subtree. */
typedef struct node {
  pc_bounds bounds;
  int leaf; /* its first position in the sorted order, or -1 */
  int last; /* largest position in the subtree */
  int next;
} node;

/* Pairs that one thread has found. */
typedef struct pair_list {
  pc_couple* pair;
  int count;
  size_t capacity;
  long comparisons;
  pc_status status;
} pair_list;

struct pc_broad_phase {
  pc_threads* threads;
  pair_list* found;            /* by worker; the first has all of them at the end */
  const pc_bounds* bounds;     /* of the call at hand, */
  const unsigned char* marked; /* NULL: all are */
  item *items, *spare;
  node* nodes;
  int node_count;
  int* begin; /* of the counting sort of pairs */
  long comparisons;
  size_t item_capacity, spare_capacity, node_capacity, begin_capacity;
};

pc_broad_phase* pc_broad_phase_create(pc_threads* threads)
{
  pc_broad_phase* p = pc_alloc(1, sizeof *p);
  if (!p) return NULL;
  p->threads = threads;
  p->found = pc_alloc((size_t)pc_threads_size(threads), sizeof *p->found);
  if (p->found) return p;
  free(p);
  return NULL;
}

void pc_broad_phase_destroy(pc_broad_phase* p)
{
  if (!p) return;
  for (int i = 0; i < pc_threads_size(p->threads); i++) free(p->found[i].pair);
  free(p->found);
  free(p->items);
  free(p->spare);
  free(p->nodes);
  free(p->begin);
  free(p);
}

/* ---- order along the curve ----------------------------------------------------------------- */

/* The 21 bits of x with two zeros after each. */
static uint64_t spread(uint64_t x)
{
  x = (x | x << 32) & UINT64_C(0x1f00000000ffff);
  x = (x | x << 16) & UINT64_C(0x1f0000ff0000ff);
  x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
  x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
  return (x | x << 2) & UINT64_C(0x1249249249249249);
}

static int is_finite(const pc_bounds* b)
{
  for (int i = 0; i < 3; i++)
    if (!isfinite(b->low[i]) || !isfinite(b->high[i])) return 0;
  return 1;
}

/* Lists all that is finite, with the box around it; returns how many that are. */
static int list_items(pc_broad_phase* p, int count, pc_bounds* all)
{
  int listed = 0;
  *all = pc_bounds_empty();
  for (int i = 0; i < count; i++) {
    if (!is_finite(&p->bounds[i])) continue;
    pc_bounds_add(all, &p->bounds[i]);
    p->items[listed++].index = i;
  }
  return listed;
}

/* The places of the items on the curve. What is not a number, as in a box of infinite width, is at
 * its beginning. */
static void place_items(pc_broad_phase* p, int count, const pc_bounds* all)
{
  double scale[3];
  for (int k = 0; k < 3; k++) {
    double width = all->high[k] - all->low[k];
    scale[k] = width > 0 ? (CELLS - 1) / width : 0;
  }
  for (int i = 0; i < count; i++) {
    const pc_bounds* box = &p->bounds[p->items[i].index];
    uint64_t cell[3];
    for (int k = 0; k < 3; k++) {
      double middle = box->low[k] / 2 + box->high[k] / 2;
      double x = (middle - all->low[k]) * scale[k];
      cell[k] = x > 0 ? (uint64_t)(x < CELLS - 1 ? x : CELLS - 1) : 0;
    }
    p->items[i].code = spread(cell[0]) | spread(cell[1]) << 1 | spread(cell[2]) << 2;
  }
}

/* Insertion, which few items take less time for than counting sorts for their tables; stable as
 * well. */
static void sort_few(item* items, int count)
{
  for (int i = 1; i < count; i++) {
    item moving = items[i];
    int k = i;
    for (; k > 0 && items[k - 1].code > moving.code; k--) items[k] = items[k - 1];
    items[k] = moving;
  }
}

/* Counting sorts by 11 bits at a time; stable, so that equal codes stay in the order of their
 * numbers. Digits that all items share are passed over. */
static void sort_items(pc_broad_phase* p, int count)
{
  if (count <= FEW) {
    sort_few(p->items, count);
    return;
  }
  for (int shift = 0; shift < 63; shift += DIGIT) {
    int start[DIGITS] = {0};
    for (int i = 0; i < count; i++) start[p->items[i].code >> shift & (DIGITS - 1)]++;
    if (start[p->items[0].code >> shift & (DIGITS - 1)] == count) continue;
    for (int d = 0, sum = 0; d < DIGITS; d++) {
      int here = start[d];
      start[d] = sum;
      sum += here;
    }
    for (int i = 0; i < count; i++)
      p->spare[start[p->items[i].code >> shift & (DIGITS - 1)]++] = p->items[i];
    item* swap = p->items;
    p->items = p->spare;
    p->spare = swap;
  }
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* Over the sorted positions from `first` up to `end`, of which a leaf has LEAF at most; the depth
 * is the logarithm of their number. */
static void build(pc_broad_phase* p, const pc_bounds* bounds, int first, int end)
{
  int own = p->node_count++;
  node* n = &p->nodes[own];
  n->last = end - 1;
  if (end - first <= LEAF) {
    n->leaf = first;
    n->bounds = bounds[p->items[first].index];
    for (int i = first; i < end; i++) {
      pc_bounds_add(&n->bounds, &bounds[p->items[i].index]);
      p->items[i].node = own;
    }
  } else {
    n->leaf = -1;
    int middle = first + (end - first) / 2;
    build(p, bounds, first, middle);
    int right = p->node_count;
    build(p, bounds, middle, end);
    n->bounds = p->nodes[own + 1].bounds;
    pc_bounds_add(&n->bounds, &p->nodes[right].bounds);
  }
  n->next = p->node_count;
}

static pc_status add_pair(pair_list* to, int i, int k)
{
  if (to->count == INT_MAX || pc_reserve((void**)&to->pair, &to->capacity, (size_t)to->count + 1,
                                         sizeof *to->pair) != PC_OK)
    return PC_OUT_OF_MEMORY;
  to->pair[to->count++] = i < k ? (pc_couple){i, k} : (pc_couple){k, i};
  return PC_OK;
}

static const pc_bounds* box_at(const pc_broad_phase* p, int position)
{
  return &p->bounds[p->items[position].index];
}

/* The boxes at the positions from `first` to `last` that overlap the one at `position`. */
PC_INLINE pc_status look_into(const pc_broad_phase* p, int position, int first, int last,
                              pair_list* to)
{
  const pc_bounds box = *box_at(p, position);
  to->comparisons += last - first + 1;
  for (int i = first; i <= last; i++)
    if (pc_bounds_overlap(box_at(p, i), &box))
      PC_TRY(add_pair(to, p->items[position].index, p->items[i].index));
  return PC_OK;
}

/* The pairs of boxes of two leaves. */
static pc_status cross(const pc_broad_phase* p, const node* own, const node* other, pair_list* to)
{
  to->comparisons += own->last - own->leaf + 1;
  for (int i = own->leaf; i <= own->last; i++)
    if (pc_bounds_overlap(box_at(p, i), &other->bounds))
      PC_TRY(look_into(p, i, other->leaf, other->last, to));
  return PC_OK;
}

/* All pairs with a box of this leaf and one at a later position: these are in the leaf itself and
 * in the nodes that come after it. */
static pc_status walk(const pc_broad_phase* p, const node* own, pair_list* to)
{
  for (int i = own->leaf; i < own->last; i++) PC_TRY(look_into(p, i, i + 1, own->last, to));
  for (int i = own->next; i < p->node_count;) {
    const node* n = &p->nodes[i];
    to->comparisons++;
    if (!pc_bounds_overlap(&n->bounds, &own->bounds)) {
      i = n->next;
      continue;
    }
    if (n->leaf >= 0) PC_TRY(cross(p, own, n, to));
    i++;
  }
  return PC_OK;
}

/* All boxes that overlap the one at `position`, which is marked, and are at later positions or not
 * marked. */
static pc_status walk_marked(const pc_broad_phase* p, int position, pair_list* to)
{
  pc_bounds box = *box_at(p, position);
  for (int i = 0; i < p->node_count;) {
    const node* n = &p->nodes[i];
    to->comparisons++;
    if (!pc_bounds_overlap(&n->bounds, &box)) {
      i = n->next;
      continue;
    }
    for (int k = n->leaf; n->leaf >= 0 && k <= n->last; k++)
      if (k > position || !p->marked[p->items[k].index]) PC_TRY(look_into(p, position, k, k, to));
    i++;
  }
  return PC_OK;
}

/* Of the positions where leaves begin, or of those that are marked. */
static void walk_range(void* user, int worker, int first, int last)
{
  pc_broad_phase* p = user;
  pair_list* to = &p->found[worker];
  for (int i = first; i < last && to->status == PC_OK; i++) {
    const node* leaf = &p->nodes[p->items[i].node];
    if (!p->marked && leaf->leaf == i) to->status = walk(p, leaf, to);
    if (p->marked && p->marked[p->items[i].index]) to->status = walk_marked(p, i, to);
  }
}

/* Boxes that are worth sharing among threads. */
enum { SHARED_LEAST = 256 };

/* What the threads have found, behind what the first one has; its order is arbitrary until it is
 * sorted. */
static pc_status gather_pairs(pc_broad_phase* p)
{
  pair_list* all = &p->found[0];
  size_t count = 0;
  for (int i = 0; i < pc_threads_size(p->threads); i++) {
    PC_TRY(p->found[i].status);
    count += (size_t)p->found[i].count;
    p->comparisons += p->found[i].comparisons;
  }
  if (count > INT_MAX ||
      pc_reserve((void**)&all->pair, &all->capacity, count, sizeof *all->pair) != PC_OK)
    return PC_OUT_OF_MEMORY;
  for (int i = 1; i < pc_threads_size(p->threads); i++) {
    if (p->found[i].count == 0) continue;
    memcpy(all->pair + all->count, p->found[i].pair, (size_t)p->found[i].count * sizeof *all->pair);
    all->count += p->found[i].count;
  }
  return PC_OK;
}

/* ---- half-spaces --------------------------------------------------------------------------- */

static pc_status add_half_space(pc_broad_phase* p, const pc_half_space* h, int listed)
{
  int all = !p->marked || p->marked[h->index];
  for (int i = 0; i < listed; i++) {
    int index = p->items[i].index;
    if (pc_half_space_overlaps(h, &p->bounds[index]) && (all || p->marked[index]) &&
        index != h->index)
      PC_TRY(add_pair(&p->found[0], index, h->index));
  }
  return PC_OK;
}

/* ---- the order of pairs -------------------------------------------------------------------- */

/* One counting sort of the pairs, by b or by a, from one array into the other. */
static void sort_pairs_by(int by_a, int count, int* begin, int pair_count, const pc_couple* from,
                          pc_couple* to)
{
  memset(begin, 0, ((size_t)count + 1) * sizeof *begin);
  for (int i = 0; i < pair_count; i++) begin[(by_a ? from[i].a : from[i].b) + 1]++;
  for (int i = 0; i < count; i++) begin[i + 1] += begin[i];
  for (int i = 0; i < pair_count; i++) to[begin[by_a ? from[i].a : from[i].b]++] = from[i];
}

static pc_status sort_pairs(pc_broad_phase* p, int count, pc_error* error)
{
  const pair_list* all = &p->found[0];
  const size_t bytes = all->capacity * sizeof(pc_couple);
  if (pc_reserve((void**)&p->nodes, &p->node_capacity, bytes / sizeof *p->nodes + 1,
                 sizeof *p->nodes) != PC_OK ||
      pc_reserve((void**)&p->begin, &p->begin_capacity, (size_t)count + 1, sizeof(int)) != PC_OK)
    return pc_no_memory(error);
  pc_couple* spare = (void*)p->nodes; /* the tree has been walked through */
  sort_pairs_by(0, count, p->begin, all->count, all->pair, spare);
  sort_pairs_by(1, count, p->begin, all->count, spare, all->pair);
  return PC_OK;
}

/* A leaf of a tree that has others has two boxes at least: there are not more nodes than boxes. */
static pc_status reserve(pc_broad_phase* p, int count, pc_error* error)
{
  size_t n = (size_t)count;
  if (pc_reserve((void**)&p->items, &p->item_capacity, n, sizeof *p->items) == PC_OK &&
      pc_reserve((void**)&p->spare, &p->spare_capacity, n, sizeof *p->spare) == PC_OK &&
      pc_reserve((void**)&p->nodes, &p->node_capacity, n, sizeof *p->nodes) == PC_OK)
    return PC_OK;
  return pc_no_memory(error);
}

pc_status pc_broad_phase_find(pc_broad_phase* p, int count, const pc_bounds* bounds,
                              int half_space_count, const pc_half_space* half_space,
                              const pc_couple** pairs, int* pair_count, pc_error* error)
{
  return pc_broad_phase_find_marked(p, count, bounds, NULL, half_space_count, half_space, pairs,
                                    pair_count, error);
}

static void begin(pc_broad_phase* p, const pc_bounds* bounds, const unsigned char* marked)
{
  p->node_count = 0;
  p->comparisons = 0;
  p->bounds = bounds;
  p->marked = marked;
  for (int i = 0; i < pc_threads_size(p->threads); i++) {
    p->found[i].count = 0;
    p->found[i].comparisons = 0;
    p->found[i].status = PC_OK;
  }
}

pc_status pc_broad_phase_find_marked(pc_broad_phase* p, int count, const pc_bounds* bounds,
                                     const unsigned char* marked, int half_space_count,
                                     const pc_half_space* half_space, const pc_couple** pairs,
                                     int* pair_count, pc_error* error)
{
  pc_bounds all;
  begin(p, bounds, marked);
  PC_TRY(reserve(p, count, error));
  int listed = list_items(p, count, &all);
  if (listed > 1) {
    place_items(p, listed, &all);
    sort_items(p, listed);
    build(p, bounds, 0, listed);
    pc_threads_run(p->threads, listed, SHARED_LEAST, walk_range, p);
  }
  for (int i = 0; i < half_space_count; i++)
    if (add_half_space(p, &half_space[i], listed) != PC_OK) return pc_no_memory(error);
  if (gather_pairs(p) != PC_OK) return pc_no_memory(error);
  PC_TRY(sort_pairs(p, count, error));
  *pairs = p->found[0].pair;
  *pair_count = p->found[0].count;
  return PC_OK;
}

int pc_broad_phase_keep(pc_broad_phase* p, pc_keep_couple* keep, const void* user)
{
  pair_list* all = &p->found[0];
  int count = 0;
  for (int i = 0; i < all->count; i++)
    if (keep(user, all->pair[i])) all->pair[count++] = all->pair[i];
  return all->count = count;
}

long pc_broad_phase_comparisons(const pc_broad_phase* p)
{
  return p->comparisons;
}
