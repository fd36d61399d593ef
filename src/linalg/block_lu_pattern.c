/* The order of the nodes, the pattern of the factors, panels. */
#include <amd.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/block_lu_inside.h"
#include "linalg/panel.h"

/* Neighbours beyond a panel from which on a product takes less than its blocks one by one. */
enum { PANEL_NEIGHBOURS_MIN = 8 };

static int reserve_ints(pc_lu_ints* array, size_t count)
{
  return pc_reserve((void**)&array->at, &array->capacity, count, sizeof *array->at) == PC_OK;
}

static int reserve_doubles(pc_lu_doubles* array, size_t count)
{
  return pc_reserve((void**)&array->at, &array->capacity, count, sizeof *array->at) == PC_OK;
}

static int reserve_places(size_t** array, size_t* capacity, size_t count)
{
  return pc_reserve((void**)array, capacity, count, sizeof **array) == PC_OK;
}

pc_status pc_block_lu_create(pc_block_lu** lu, pc_error* error)
{
  *lu = pc_alloc(1, sizeof **lu);
  if (!*lu) return pc_no_memory(error);
  (*lu)->known.node_count = -1;
  (*lu)->panels.is_wide = pc_panel_is_wide();
  return PC_OK;
}

void pc_block_lu_destroy(pc_block_lu* lu)
{
  if (!lu) return;
  void* array[] = {lu->known.row.at,  lu->known.start.at, lu->known.column.at,
                   lu->known.late.at, lu->node.at,        lu->place.at,
                   lu->size.at,       lu->start.at,       lu->below.at,
                   lu->diagonal,      lu->lower,          lu->target,
                   lu->value.at,      lu->row.at,         lu->reference.at,
                   lu->redundant.at,  lu->work.at,        lu->scratch.at,
                   lu->x.at,          lu->panels.end.at,  lu->panels.cursor.at,
                   lu->panels.L.at,   lu->panels.U.at,    lu->panels.change.at};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(lu);
}

/* ---- is it the pattern of the last time? --------------------------------------------------- */

static int same_ints(const pc_lu_ints* kept, const int* now, size_t count)
{
  return memcmp(kept->at, now, count * sizeof *now) == 0;
}

static int is_known(const pc_lu_analysed* known, const pc_block_matrix* m,
                    const unsigned char* late)
{
  if (known->node_count != m->node_count || known->has_late != (late != NULL)) return 0;
  size_t n = (size_t)m->node_count;
  if (n == 0) return 1;
  if (!same_ints(&known->start, m->start, n + 1) || !same_ints(&known->row, m->row, n + 1))
    return 0;
  if (!same_ints(&known->column, m->column, (size_t)m->start[n])) return 0;
  for (size_t i = 0; late && i < n; i++)
    if (known->late.at[i] != late[i]) return 0;
  return 1;
}

static int keep_ints(pc_lu_ints* kept, const int* now, size_t count)
{
  if (!reserve_ints(kept, count)) return 0;
  if (count) memcpy(kept->at, now, count * sizeof *now);
  return 1;
}

static int keep_pattern(pc_lu_analysed* known, const pc_block_matrix* m, const unsigned char* late)
{
  size_t n = (size_t)m->node_count;
  known->node_count = -1;
  if (!reserve_ints(&known->late, n)) return 0;
  if (n > 0 &&
      (!keep_ints(&known->row, m->row, n + 1) || !keep_ints(&known->start, m->start, n + 1) ||
       !keep_ints(&known->column, m->column, (size_t)m->start[n])))
    return 0;
  for (size_t i = 0; i < n; i++) known->late.at[i] = late ? late[i] : 0;
  known->has_late = late != NULL;
  return 1;
}

/* ---- order --------------------------------------------------------------------------------- */

/* Approximate minimum degree (Amestoy, Davis, Duff, 1996) on the graph of nodes; `order` receives
 * the node at each position. */
static int order_by_degree(pc_block_lu* lu, const pc_block_matrix* m, int* order)
{
  int n = m->node_count, edges = m->start[n] - n;
  size_t length = (size_t)edges + (size_t)edges / 5 + (size_t)n + 1, nodes = (size_t)n;
  if (!reserve_ints(&lu->work, length + 8 * nodes + nodes)) return 0;
  int *list = lu->work.at, *array = list + length;
  int *first = array, *count = first + n, *weight = count + n, *next = weight + n;
  int *head = next + n, *element = head + n, *degree = element + n, *mark = degree + n;
  int free_place = 0;
  for (int i = 0; i < n; i++) {
    first[i] = free_place;
    for (int k = m->start[i]; k < m->start[i + 1]; k++)
      if (m->column[k] != i) list[free_place++] = m->column[k];
    count[i] = free_place - first[i];
  }
  double control[AMD_CONTROL], info[AMD_INFO];
  amd_defaults(control);
  amd_2(n, first, list, count, (int)length, free_place, weight, next, order, head, element, degree,
        mark, control, info);
  return 1;
}

/* Late nodes that come before one of their neighbours that is not late are put right behind the
 * last of these. */
static int delay_late_nodes(pc_block_lu* lu, const pc_block_matrix* m, const unsigned char* late)
{
  int n = m->node_count, count = 0;
  if (!reserve_ints(&lu->work, 3 * (size_t)n)) return 0;
  int *order = lu->work.at, *waits = order + n,
      *next = waits + n; /* waits: heads of lists, or -1 */
  memcpy(order, lu->node.at, (size_t)n * sizeof *order);
  for (int p = 0; p < n; p++) lu->place.at[order[p]] = p;
  for (int p = 0; p < n; p++) waits[p] = -1;
  for (int p = n - 1; p >= 0; p--) {
    int i = order[p], last = -1;
    for (int k = m->start[i]; late[i] && k < m->start[i + 1]; k++) {
      int j = m->column[k];
      if (!late[j] && lu->place.at[j] > last) last = lu->place.at[j];
    }
    if (last <= p) continue;
    next[i] = waits[last];
    waits[last] = i;
    order[p] = -1 - i; /* not here */
  }
  for (int p = 0; p < n; p++) {
    if (order[p] >= 0) lu->node.at[count++] = order[p];
    for (int i = waits[p]; i >= 0; i = next[i]) lu->node.at[count++] = i;
  }
  return 1;
}

static int order_nodes(pc_block_lu* lu, const pc_block_matrix* m, const unsigned char* late)
{
  int n = m->node_count;
  if (!order_by_degree(lu, m, lu->node.at)) return 0;
  if (late && !delay_late_nodes(lu, m, late)) return 0;
  for (int p = 0; p < n; p++) {
    lu->place.at[lu->node.at[p]] = p;
    lu->size.at[p] = pc_block_matrix_size(m, lu->node.at[p]);
  }
  return 1;
}

/* ---- the pattern of the factors ------------------------------------------------------------ */

/* Adds a position to the list of the one at hand, unless it is marked as being there. */
static int add_below(pc_block_lu* lu, int* mark, int k, int i, size_t* count)
{
  if (i <= k || mark[i] == k) return 1;
  mark[i] = k;
  if (!reserve_ints(&lu->below, *count + 1)) return 0;
  lu->below.at[(*count)++] = i;
  return 1;
}

/* The neighbours of each position: those of the matrix, and those of every position whose first
 * neighbour it is (its children in the elimination tree). Unsorted. */
static int find_fill(pc_block_lu* lu, const pc_block_matrix* m)
{
  int n = lu->n;
  size_t count = 0;
  if (!reserve_ints(&lu->work, 3 * (size_t)n)) return 0;
  int *mark = lu->work.at, *child = mark + n, *sibling = child + n;
  for (int i = 0; i < n; i++) mark[i] = child[i] = -1;
  for (int k = 0; k < n; k++) {
    int node = lu->node.at[k], parent = n;
    lu->start.at[k] = (int)count;
    for (int b = m->start[node]; b < m->start[node + 1]; b++)
      if (!add_below(lu, mark, k, lu->place.at[m->column[b]], &count)) return 0;
    for (int c = child[k]; c >= 0; c = sibling[c])
      for (int e = lu->start.at[c]; e < lu->start.at[c + 1]; e++)
        if (!add_below(lu, mark, k, lu->below.at[e], &count)) return 0;
    if (count > INT_MAX / 2) return 0;
    lu->start.at[k + 1] = (int)count;
    for (int e = lu->start.at[k]; e < lu->start.at[k + 1]; e++)
      if (lu->below.at[e] < parent) parent = lu->below.at[e];
    if (parent == n) continue;
    sibling[k] = child[parent];
    child[parent] = k;
  }
  return 1;
}

/* Sorts all lists by transposing them twice. */
static int sort_below(pc_block_lu* lu)
{
  int n = lu->n, count = lu->start.at[n];
  if (!reserve_ints(&lu->work, 2 * (size_t)n + 1 + (size_t)count)) return 0;
  int *first = lu->work.at, *next = first + n + 1, *list = next + n;
  memset(first, 0, ((size_t)n + 1) * sizeof *first);
  for (int e = 0; e < count; e++) first[lu->below.at[e] + 1]++;
  for (int i = 0; i < n; i++) first[i + 1] += first[i];
  for (int i = 0; i < n; i++) next[i] = first[i];
  for (int k = 0; k < n; k++)
    for (int e = lu->start.at[k]; e < lu->start.at[k + 1]; e++) list[next[lu->below.at[e]]++] = k;
  for (int k = 0; k < n; k++) next[k] = lu->start.at[k];
  for (int i = 0; i < n; i++)
    for (int e = first[i]; e < first[i + 1]; e++) lu->below.at[next[list[e]]++] = i;
  return 1;
}

/* Whether position k + 1 has the neighbours of position k, but for itself. */
static int is_followed_by_alike(const pc_block_lu* lu, int k)
{
  return k + 1 < lu->n && pc_lu_count_below(lu, k) == pc_lu_count_below(lu, k + 1) + 1 &&
         lu->below.at[lu->start.at[k]] == k + 1;
}

/* The end of the panel that begins at k: the next position, if none is worth its product. */
static int end_of_panel(const pc_block_lu* lu, int k)
{
  int end = k + 1, rows = lu->size.at[k];
  while (is_followed_by_alike(lu, end - 1) && rows + lu->size.at[end] <= PC_LU_PANEL_ROWS_MAX)
    rows += lu->size.at[end++];
  return pc_lu_count_below(lu, end - 1) >= PANEL_NEIGHBOURS_MIN ? end : k + 1;
}

static int find_panels(pc_block_lu* lu)
{
  pc_lu_panels* p = &lu->panels;
  size_t neighbours = 0, rows = 0, largest = 0, inner = PC_LU_PANEL_ROWS_MAX;
  if (!reserve_ints(&p->end, (size_t)lu->n)) return 0;
  for (int k = 0; k < lu->n; k = p->end.at[k]) {
    int end = p->end.at[k] = end_of_panel(lu, k);
    if (end == k + 1) continue;
    size_t count = (size_t)pc_lu_count_below(lu, end - 1),
           beyond = (size_t)pc_lu_rows_below(lu, end - 1);
    if (count > neighbours) neighbours = count;
    if (beyond > rows) rows = beyond;
  }
  if (rows == 0) return 1;
  for (int k = 0; k < lu->n; k++)
    if ((size_t)lu->size.at[k] > largest) largest = (size_t)lu->size.at[k];
  size_t width = pc_panel_width((int)rows);
  return reserve_ints(&p->cursor, neighbours) && reserve_doubles(&p->L, largest * inner) &&
         reserve_doubles(&p->U, inner * width) && reserve_doubles(&p->change, largest * width);
}

static int place_values(pc_block_lu* lu)
{
  int n = lu->n, entries = lu->start.at[n];
  size_t place = 0;
  if (!reserve_places(&lu->diagonal, &lu->diagonal_capacity, (size_t)n) ||
      !reserve_places(&lu->lower, &lu->lower_capacity, (size_t)entries))
    return 0;
  for (int k = 0; k < n; k++) {
    size_t size = (size_t)lu->size.at[k];
    lu->diagonal[k] = place;
    place += size * size;
    for (int e = lu->start.at[k]; e < lu->start.at[k + 1]; e++) {
      lu->lower[e] = place;
      place += 2 * size * (size_t)lu->size.at[lu->below.at[e]];
    }
  }
  lu->entry_count = place;
  return reserve_doubles(&lu->value, place);
}

/* The entry of position i among the neighbours of k; it is there. */
static int find_below(const pc_block_lu* lu, int k, int i)
{
  int low = lu->start.at[k], high = lu->start.at[k + 1] - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (lu->below.at[middle] < i)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int find_targets(pc_block_lu* lu, const pc_block_matrix* m)
{
  lu->has_fill = m->start[m->node_count] < m->node_count + 2 * lu->start.at[lu->n];
  if (!reserve_places(&lu->target, &lu->target_capacity, (size_t)m->start[m->node_count])) return 0;
  for (int i = 0; i < m->node_count; i++)
    for (int b = m->start[i]; b < m->start[i + 1]; b++) {
      int p = lu->place.at[i], q = lu->place.at[m->column[b]];
      if (p == q)
        lu->target[b] = lu->diagonal[p];
      else if (p > q)
        lu->target[b] = lu->lower[find_below(lu, q, p)];
      else
        lu->target[b] = pc_lu_upper(lu, p, find_below(lu, p, q));
    }
  return 1;
}

static int reserve_nodes(pc_block_lu* lu, const pc_block_matrix* m)
{
  size_t n = (size_t)m->node_count, rows = (size_t)pc_block_matrix_order(m), largest = 0;
  for (int i = 0; i < m->node_count; i++)
    if ((size_t)pc_block_matrix_size(m, i) > largest) largest = (size_t)pc_block_matrix_size(m, i);
  return reserve_ints(&lu->node, n) && reserve_ints(&lu->place, n) && reserve_ints(&lu->size, n) &&
         reserve_ints(&lu->start, n + 1) && reserve_ints(&lu->below, 1) &&
         reserve_ints(&lu->row, n + 1) && reserve_ints(&lu->redundant, rows) &&
         reserve_doubles(&lu->reference, rows) && reserve_doubles(&lu->x, largest) &&
         reserve_doubles(&lu->scratch, 2 * largest * largest + 2 * largest) &&
         reserve_ints(&lu->work, 2 * largest);
}

pc_status pc_block_lu_analyse(pc_block_lu* lu, const pc_block_matrix* m, const unsigned char* late,
                              pc_error* error)
{
  if (is_known(&lu->known, m, late)) return PC_OK;
  lu->n = m->node_count;
  lu->entry_count = 0;
  if (!keep_pattern(&lu->known, m, late) || !reserve_nodes(lu, m)) return pc_no_memory(error);
  lu->start.at[0] = 0;
  if (lu->n > 0) {
    memcpy(lu->row.at, m->row, ((size_t)lu->n + 1) * sizeof *m->row);
    if (!order_nodes(lu, m, late) || !find_fill(lu, m) || !sort_below(lu) || !find_panels(lu) ||
        !place_values(lu) || !find_targets(lu, m))
      return pc_no_memory(error);
  }
  lu->known.node_count = m->node_count;
  return PC_OK;
}
