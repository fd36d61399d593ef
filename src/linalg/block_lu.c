/* Right-looking elimination, block by block.
 *
 * Nodes are renumbered by the order of their elimination ("positions"). Position k keeps its
 * diagonal block, which becomes its inverse, and for every position i > k that is its neighbour, by
 * the matrix or by fill, two blocks: L_ik = A_ik D_k^-1 and U_ki = A_ki. Eliminating k changes the
 * blocks of all pairs of these: A_ij -= L_ik U_kj.
 *
 * Positions in a row that have the same neighbours beyond them (a supernode) are a panel: what they
 * do to the pairs of these neighbours is one product of matrices, of which each entry is fetched
 * and stored once. */
#include "linalg/block_lu.h"

#include <amd.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/panel.h"

/* A block whose determinant keeps this share of the product of its rows' sizes loses two digits at
 * most where its inverse is made without pivoting. */
static const double FAR_FROM_SINGULAR = 1e-2;

/* Rows of a panel, at most: within it elimination goes block by block, as without panels. */
enum { PANEL_ROWS_MAX = 36 };

/* Neighbours beyond a panel from which on a product takes less than its blocks one by one. */
enum { PANEL_NEIGHBOURS_MIN = 8 };

/* An array of ints or doubles that grows. */
typedef struct int_array {
  int* at;
  size_t capacity;
} int_array;

typedef struct double_array {
  double* at;
  size_t capacity;
} double_array;

/* What has been analysed last, to find out whether it is met again. */
typedef struct analysed {
  int node_count; /* -1: nothing */
  int has_late;
  int_array row, start, column, late;
} analysed;

/* Panels, and what their products need. */
typedef struct panels {
  int_array end;       /* n: of the panel that begins at a position, the position after its last */
  int_array cursor;    /* for each neighbour beyond a panel: a place in its own list */
  double_array L;      /* rows of one neighbour */
  double_array U;      /* of all of them, see panel.h */
  double_array change; /* the product of these */
  int is_wide;
} panels;

struct pc_block_lu {
  analysed known;
  int n; /* nodes */

  /* The pattern of the factors, by positions. */
  int_array node;   /* n: the node at a position */
  int_array place;  /* n: the position of a node */
  int_array size;   /* n: rows of a position */
  int_array start;  /* n + 1: where the neighbours of a position begin in ... */
  int_array below;  /* ... this list, increasing */
  size_t* diagonal; /* n: where the diagonal block of a position begins in `value` */
  size_t* lower;    /* for each entry of `below`: where L_ik begins in `value`; U_ki follows it */
  size_t* target;   /* for each block of the matrix: where it goes */
  int has_fill;     /* some blocks of the factors are none of the matrix */
  size_t diagonal_capacity, lower_capacity, target_capacity;
  size_t entry_count;
  double_array value;
  panels panels;

  /* Of the last factorisation. */
  int_array row;          /* n: the first row of a node in the matrix */
  double_array reference; /* rows, by node: the size of the terms that make up a pivot */
  int_array redundant;    /* rows, by node */
  int rank;
  int sign; /* of the determinant, but for rows that were left out */

  int_array work;       /* ordering, pivoting */
  double_array scratch; /* a diagonal block, its scales, a vector */
  double_array x;       /* one node */
};

static int reserve_ints(int_array* array, size_t count)
{
  return pc_reserve((void**)&array->at, &array->capacity, count, sizeof *array->at) == PC_OK;
}

static int reserve_doubles(double_array* array, size_t count)
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

static int same_ints(const int_array* kept, const int* now, size_t count)
{
  return memcmp(kept->at, now, count * sizeof *now) == 0;
}

static int is_known(const analysed* known, const pc_block_matrix* m, const unsigned char* late)
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

static int keep_ints(int_array* kept, const int* now, size_t count)
{
  if (!reserve_ints(kept, count)) return 0;
  if (count) memcpy(kept->at, now, count * sizeof *now);
  return 1;
}

static int keep_pattern(analysed* known, const pc_block_matrix* m, const unsigned char* late)
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

static int count_below(const pc_block_lu* lu, int k)
{
  return lu->start.at[k + 1] - lu->start.at[k];
}

/* Whether position k + 1 has the neighbours of position k, but for itself. */
static int is_followed_by_alike(const pc_block_lu* lu, int k)
{
  return k + 1 < lu->n && count_below(lu, k) == count_below(lu, k + 1) + 1 &&
         lu->below.at[lu->start.at[k]] == k + 1;
}

/* The rows of the neighbours of position k. */
static int rows_below(const pc_block_lu* lu, int k)
{
  int rows = 0;
  for (int e = lu->start.at[k]; e < lu->start.at[k + 1]; e++) rows += lu->size.at[lu->below.at[e]];
  return rows;
}

/* The end of the panel that begins at k: the next position, if none is worth its product. */
static int end_of_panel(const pc_block_lu* lu, int k)
{
  int end = k + 1, rows = lu->size.at[k];
  while (is_followed_by_alike(lu, end - 1) && rows + lu->size.at[end] <= PANEL_ROWS_MAX)
    rows += lu->size.at[end++];
  return count_below(lu, end - 1) >= PANEL_NEIGHBOURS_MIN ? end : k + 1;
}

static int find_panels(pc_block_lu* lu)
{
  panels* p = &lu->panels;
  size_t neighbours = 0, rows = 0, largest = 0, inner = PANEL_ROWS_MAX;
  if (!reserve_ints(&p->end, (size_t)lu->n)) return 0;
  for (int k = 0; k < lu->n; k = p->end.at[k]) {
    int end = p->end.at[k] = end_of_panel(lu, k);
    if (end == k + 1) continue;
    size_t count = (size_t)count_below(lu, end - 1), beyond = (size_t)rows_below(lu, end - 1);
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

/* Where U_ki begins, given where L_ik does. */
static size_t upper_of(const pc_block_lu* lu, int k, int e)
{
  return lu->lower[e] + (size_t)lu->size.at[k] * (size_t)lu->size.at[lu->below.at[e]];
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
        lu->target[b] = upper_of(lu, p, find_below(lu, p, q));
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

/* ---- factorisation ------------------------------------------------------------------------- */

static void load(pc_block_lu* lu, const pc_block_matrix* m)
{
  if (lu->has_fill) memset(lu->value.at, 0, lu->entry_count * sizeof(double));
  for (int i = 0; i < lu->n; i++) {
    int rows = pc_block_matrix_size(m, i);
    for (int b = m->start[i]; b < m->start[i + 1]; b++) {
      int size = rows * pc_block_matrix_size(m, m->column[b]);
      const double* from = m->value + m->place[b];
      double* to = lu->value.at + lu->target[b];
      for (int k = 0; k < size; k++) to[k] = from[k];
    }
    const double* diagonal = m->value + m->place[m->diagonal[i]];
    for (int r = 0; r < rows; r++) lu->reference.at[m->row[i] + r] = fabs(diagonal[r * rows + r]);
  }
}

/* C -= A B with A of p x q and B of q x r. Terms are subtracted in the order of k, whatever the
 * size: the short ways have the same bits. */
static void subtract_long(int p, int q, int r, const double* restrict A, const double* restrict B,
                          double* restrict C)
{
  for (int i = 0; i < p; i++, A += q, C += r) {
    const double* b = B;
    for (int k = 0; k < q; k++, b += r) {
      double a = A[k];
      for (int j = 0; j < r; j++) C[j] -= a * b[j];
    }
  }
}

/* The same with a number in a register for each entry of C, for a known q of 1 to 3. */
static inline void subtract_short(int p, int q, int r, const double* restrict A,
                                  const double* restrict B, double* restrict C)
{
  for (int i = 0; i < p; i++, A += q, C += r)
    for (int j = 0; j < r; j++) {
      double c = C[j] - A[0] * B[j];
      if (q > 1) c -= A[1] * B[r + j];
      if (q > 2) c -= A[2] * B[2 * r + j];
      C[j] = c;
    }
}

static inline void subtract_product(int p, int q, int r, const double* restrict A,
                                    const double* restrict B, double* restrict C)
{
  switch (q) {
    case 1: subtract_short(p, 1, r, A, B, C); break;
    case 2: subtract_short(p, 2, r, A, B, C); break;
    case 3: subtract_short(p, 3, r, A, B, C); break;
    default: subtract_long(p, q, r, A, B, C);
  }
}

/* The largest entry of the lower right part from (s, s) on, brought to that corner. The two lists
 * of pivots note the exchange. */
static double bring_pivot(int n, double* B, int s, int* row, int* column)
{
  int p = s, q = s;
  double largest = 0;
  for (int i = s; i < n; i++)
    for (int j = s; j < n; j++)
      if (!(fabs(B[i * n + j]) <= largest)) {
        largest = fabs(B[i * n + j]);
        p = i, q = j;
      }
  for (int j = 0; p != s && j < n; j++) {
    double t = B[s * n + j];
    B[s * n + j] = B[p * n + j], B[p * n + j] = t;
  }
  for (int i = 0; q != s && i < n; i++) {
    double t = B[i * n + s];
    B[i * n + s] = B[i * n + q], B[i * n + q] = t;
  }
  int t = row[s];
  row[s] = row[p], row[p] = t;
  t = column[s];
  column[s] = column[q], column[q] = t;
  return largest;
}

/* L U of B with complete pivoting; the rank is where the largest entry left is below `tolerance`,
 * or no number (-1). Complete pivoting costs little in a block of a few rows and tells the rank. */
static int factor_small(int n, double* B, double tolerance, int* row, int* column)
{
  for (int i = 0; i < n; i++) row[i] = column[i] = i;
  for (int s = 0; s < n; s++) {
    double size = bring_pivot(n, B, s, row, column);
    if (!(size <= HUGE_VAL) || size == HUGE_VAL) return -1;
    if (size <= tolerance) return s;
    double inverse = 1 / B[s * n + s];
    for (int i = s + 1; i < n; i++) {
      double l = B[i * n + s] *= inverse;
      for (int j = s + 1; j < n; j++) B[i * n + j] -= l * B[s * n + j];
    }
  }
  return n;
}

/* Column c of the inverse of the first `rank` pivots of L U, in the order of the pivots. */
static void invert_column(int n, int rank, const double* LU, int c, double* x)
{
  for (int i = 0; i < rank; i++) {
    double sum = i == c;
    for (int j = c; j < i; j++) sum -= LU[i * n + j] * x[j];
    x[i] = i < c ? 0 : sum;
  }
  for (int i = rank - 1; i >= 0; i--) {
    double sum = x[i];
    for (int j = i + 1; j < rank; j++) sum -= LU[i * n + j] * x[j];
    x[i] = sum / LU[i * n + i];
  }
}

/* Three rows, by cofactors: see invert_small. */
static int invert_three(const double* reference, double* D)
{
  double C[9] = {D[4] * D[8] - D[5] * D[7], D[2] * D[7] - D[1] * D[8], D[1] * D[5] - D[2] * D[4],
                 D[5] * D[6] - D[3] * D[8], D[0] * D[8] - D[2] * D[6], D[2] * D[3] - D[0] * D[5],
                 D[3] * D[7] - D[4] * D[6], D[1] * D[6] - D[0] * D[7], D[0] * D[4] - D[1] * D[3]};
  double determinant = D[0] * C[0] + D[1] * C[3] + D[2] * C[6];
  double size = reference[0] * reference[1] * reference[2];
  if (!(fabs(determinant) > FAR_FROM_SINGULAR * size)) return 0;
  double inverse = 1 / determinant;
  for (int i = 0; i < 9; i++) D[i] = inverse * C[i];
  return determinant > 0 ? 1 : -1;
}

/* Blocks of up to three rows that are far from singular, for the reference sizes of their pivots,
 * have a short way. Returns the sign of the determinant, or 0 if it was not taken. */
static int invert_small(int n, const double* reference, double* D)
{
  if (n == 3) return invert_three(reference, D);
  if (n == 1) {
    if (!(fabs(D[0]) > FAR_FROM_SINGULAR * reference[0])) return 0;
    D[0] = 1 / D[0];
    return D[0] > 0 ? 1 : -1;
  }
  double determinant = D[0] * D[3] - D[1] * D[2];
  if (!(fabs(determinant) > FAR_FROM_SINGULAR * reference[0] * reference[1])) return 0;
  double inverse = 1 / determinant, first = D[0];
  D[0] = inverse * D[3];
  D[3] = inverse * first;
  D[1] *= -inverse;
  D[2] *= -inverse;
  return determinant > 0 ? 1 : -1;
}

/* -1 for an odd permutation of n numbers, else 1. */
static int parity(int n, const int* order)
{
  int sign = 1;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (order[j] < order[i]) sign = -sign;
  return sign;
}

/* Replaces the diagonal block of position k by its inverse, in which rows that are redundant are
 * left out. Rows are scaled by the size of what a pivot is made of: the rank must not depend on
 * units. */
static pc_status invert_diagonal(pc_block_lu* lu, int k, double tolerance)
{
  int n = lu->size.at[k], node = lu->node.at[k], *row = lu->work.at, *column = row + n;
  double *D = lu->value.at + lu->diagonal[k], *B = lu->scratch.at, *scale = B + n * n,
         *x = scale + n;
  const double* reference = lu->reference.at + lu->row.at[node];
  int* redundant = lu->redundant.at + lu->row.at[node];
  /* With tolerance 0 a pivot must be zero to be missed: three rows then have their largest
   * pivots. */
  int sign = n <= (tolerance > 0 ? 3 : 2) ? invert_small(n, reference, D) : 0;
  if (sign) {
    for (int i = 0; i < n; i++) redundant[i] = 0;
    lu->sign *= sign;
    lu->rank += n;
    return PC_OK;
  }
  for (int i = 0; i < n; i++) scale[i] = reference[i] > 0 ? 1 / sqrt(reference[i]) : 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) B[i * n + j] = scale[i] * D[i * n + j] * scale[j];
  int rank = factor_small(n, B, tolerance, row, column);
  if (rank < 0) return PC_NOT_FINITE;
  int optional = tolerance > 0 && (!lu->known.has_late || lu->known.late.at[node]);
  if (rank < n && !optional) return PC_SINGULAR;
  lu->rank += rank;
  lu->sign *= parity(n, row) * parity(n, column);
  for (int i = 0; i < rank; i++)
    if (B[i * n + i] < 0) lu->sign = -lu->sign;
  for (int i = 0; i < n; i++) redundant[i] = 0;
  for (int i = rank; i < n; i++) redundant[row[i]] = 1;
  memset(D, 0, (size_t)(n * n) * sizeof *D);
  for (int c = 0; c < rank; c++) {
    invert_column(n, rank, B, c, x);
    for (int i = 0; i < rank; i++)
      D[column[i] * n + row[c]] = scale[column[i]] * x[i] * scale[row[c]];
  }
  return PC_OK;
}

/* L := A D, in place through `x`. */
static inline void scale_rows(int rows, int n, const double* D, double* x, double* L)
{
  for (int r = 0; r < rows; r++, L += n) {
    for (int c = 0; c < n; c++) {
      double sum = 0;
      for (int i = 0; i < n; i++) sum += L[i] * D[i * n + c];
      x[c] = sum;
    }
    for (int c = 0; c < n; c++) L[c] = x[c];
  }
}

/* Loops of constant length for joints and bodies in the plane. */
static void scale_lower(int rows, int n, const double* D, double* x, double* L)
{
  double few[3];
  switch (n) {
    case 1: scale_rows(rows, 1, D, few, L); break;
    case 2: scale_rows(rows, 2, D, few, L); break;
    case 3: scale_rows(rows, 3, D, few, L); break;
    default: scale_rows(rows, n, D, x, L);
  }
}

/* D (p x p) -= L U, whose own diagonal counts as a term of the pivots. */
static inline void subtract_from_diagonal(int p, int q, const double* L, const double* U, double* D,
                                          double* reference)
{
  for (int r = 0; r < p; r++, L += q, D += p) {
    double before = D[r];
    for (int k = 0; k < q; k++)
      for (int c = 0; c < p; c++) D[c] -= L[k] * U[k * p + c];
    reference[r] += fabs(D[r] - before);
  }
}

/* The diagonal block of position i loses L_ik U_ki. */
static void update_diagonal(pc_block_lu* lu, int i, int q, const double* L, const double* U)
{
  int p = lu->size.at[i];
  double* D = lu->value.at + lu->diagonal[i];
  double* reference = lu->reference.at + lu->row.at[lu->node.at[i]];
  if (p == 2 && q == 3)
    subtract_from_diagonal(2, 3, L, U, D, reference);
  else if (p == 3 && q == 2)
    subtract_from_diagonal(3, 2, L, U, D, reference);
  else if (p == 2 && q == 2)
    subtract_from_diagonal(2, 2, L, U, D, reference);
  else if (p == 3 && q == 3)
    subtract_from_diagonal(3, 3, L, U, D, reference);
  else
    subtract_from_diagonal(p, q, L, U, D, reference);
}

/* What eliminating position k does to the pairs of its neighbours of which one is among the first
 * `count`. */
static void update_pairs(pc_block_lu* lu, int k, int count)
{
  const int *below = lu->below.at, *size = lu->size.at;
  int first = lu->start.at[k], end = lu->start.at[k + 1], q = size[k];
  double* value = lu->value.at;
  for (int a = first; a < first + count; a++) {
    int i = below[a], p = size[i], e = lu->start.at[i];
    const double *L_i = value + lu->lower[a], *U_i = value + upper_of(lu, k, a);
    update_diagonal(lu, i, q, L_i, U_i);
    for (int b = a + 1; b < end; b++) {
      int j = below[b], r = size[j];
      while (below[e] != j) e++;
      subtract_product(p, q, r, L_i, value + upper_of(lu, k, b), value + upper_of(lu, i, e));
      subtract_product(r, q, p, value + lu->lower[b], U_i, value + lu->lower[e]);
    }
  }
}

/* ---- panels -------------------------------------------------------------------------------- */

/* U of the positions from k to `end`, for the neighbours beyond. Returns the rows of the panel. */
static int gather_upper(pc_block_lu* lu, int k, int end)
{
  double* U = lu->panels.U.at;
  int inner = 0, row = 0, beyond = count_below(lu, end - 1), columns = rows_below(lu, end - 1);
  for (int l = k; l < end; l++) inner += lu->size.at[l];
  memset(U, 0, (size_t)inner * pc_panel_width(columns) * sizeof *U);
  for (int l = k; l < end; row += lu->size.at[l], l++)
    for (int e = lu->start.at[l + 1] - beyond, column = 0; e < lu->start.at[l + 1]; e++) {
      const double* block = lu->value.at + upper_of(lu, l, e);
      int width = lu->size.at[lu->below.at[e]];
      for (int i = 0; i < lu->size.at[l]; i++)
        for (int j = 0; j < width; j++) U[pc_panel_place(inner, row + i, column + j)] = *block++;
      column += width;
    }
  return inner;
}

/* L of the same positions for neighbour number a beyond the panel. */
static void gather_lower(pc_block_lu* lu, int k, int end, int inner, int a)
{
  int beyond = count_below(lu, end - 1), column = 0;
  for (int l = k; l < end; column += lu->size.at[l], l++) {
    int e = lu->start.at[l + 1] - beyond + a, rows = lu->size.at[lu->below.at[e]];
    const double* block = lu->value.at + lu->lower[e];
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < lu->size.at[l]; j++) lu->panels.L.at[i * inner + column + j] = *block++;
  }
}

static inline void subtract_rows(int rows, int columns, const double* change, size_t width,
                                 double* to)
{
  for (int i = 0; i < rows; i++, change += width, to += columns)
    for (int j = 0; j < columns; j++) to[j] -= change[j];
}

/* to (rows x columns) -= a block of the product; contacts in space in a loop of constant length. */
static void subtract_change(int rows, int columns, const double* change, size_t width, double* to)
{
  if (rows == 3 && columns == 3)
    subtract_rows(3, 3, change, width, to);
  else
    subtract_rows(rows, columns, change, width, to);
}

/* The blocks of neighbour number a beyond the panel and all others lose the product. */
static void scatter_change(pc_block_lu* lu, int first, int count, int a, size_t width)
{
  const int* below = lu->below.at + first;
  int i = below[a], rows = lu->size.at[i], e = lu->start.at[i], *cursor = lu->panels.cursor.at;
  const double* change = lu->panels.change.at;
  double *value = lu->value.at, *reference = lu->reference.at + lu->row.at[lu->node.at[i]];
  for (int b = 0; b < count; b++) {
    int j = below[b], columns = lu->size.at[j];
    if (b < a) {
      while (lu->below.at[cursor[b]] != i) cursor[b]++;
      subtract_change(rows, columns, change, width, value + lu->lower[cursor[b]]);
    } else if (b > a) {
      while (lu->below.at[e] != j) e++;
      subtract_change(rows, columns, change, width, value + upper_of(lu, i, e));
    } else {
      for (int r = 0; r < rows; r++) reference[r] += fabs(change[(size_t)r * width + (size_t)r]);
      subtract_change(rows, columns, change, width, value + lu->diagonal[i]);
    }
    change += columns;
  }
}

/* What eliminating the panel from k to `end` does to the pairs of the neighbours beyond it. */
static void update_beyond(pc_block_lu* lu, int k, int end)
{
  panels* p = &lu->panels;
  int first = lu->start.at[end - 1], count = count_below(lu, end - 1);
  int columns = rows_below(lu, end - 1), inner = gather_upper(lu, k, end);
  for (int b = 0; b < count; b++) p->cursor.at[b] = lu->start.at[lu->below.at[first + b]];
  for (int a = 0; a < count; a++) {
    int rows = lu->size.at[lu->below.at[first + a]];
    gather_lower(lu, k, end, inner, a);
    pc_panel_multiply(rows, inner, columns, p->L.at, p->U.at, p->change.at, p->is_wide);
    scatter_change(lu, first, count, a, pc_panel_width(columns));
  }
}

/* Inverts the diagonal block of position k and makes L of its lower blocks. */
static pc_status eliminate(pc_block_lu* lu, int k, double tolerance)
{
  pc_status status = invert_diagonal(lu, k, tolerance);
  if (status != PC_OK) return status;
  const double* D = lu->value.at + lu->diagonal[k];
  for (int e = lu->start.at[k]; e < lu->start.at[k + 1]; e++)
    scale_lower(lu->size.at[lu->below.at[e]], lu->size.at[k], D, lu->scratch.at,
                lu->value.at + lu->lower[e]);
  return PC_OK;
}

pc_status pc_block_lu_factor(pc_block_lu* lu, const pc_block_matrix* m, double tolerance)
{
  lu->rank = 0;
  lu->sign = 1;
  load(lu, m);
  for (int k = 0, end; k < lu->n; k = end) {
    end = lu->panels.end.at[k];
    int is_panel = end > k + 1;
    for (int l = k; l < end; l++) {
      PC_TRY(eliminate(lu, l, tolerance));
      update_pairs(lu, l, is_panel ? end - 1 - l : count_below(lu, l));
    }
    if (is_panel) update_beyond(lu, k, end);
  }
  return PC_OK;
}

int pc_block_lu_rank(const pc_block_lu* lu)
{
  return lu->rank;
}

int pc_block_lu_determinant_sign(const pc_block_lu* lu)
{
  return lu->sign;
}

int pc_block_lu_is_redundant(const pc_block_lu* lu, int row)
{
  return lu->redundant.at[row];
}

size_t pc_block_lu_entry_count(const pc_block_lu* lu)
{
  return lu->entry_count;
}

/* ---- solution ------------------------------------------------------------------------------ */

/* y -= B x with B of rows x columns. */
static void subtract_times(int rows, int columns, const double* B, const double* x, double* y)
{
  for (int r = 0; r < rows; r++, B += columns) {
    double sum = 0;
    for (int c = 0; c < columns; c++) sum += B[c] * x[c];
    y[r] -= sum;
  }
}

void pc_block_lu_solve(const pc_block_lu* lu, double* x)
{
  const double* value = lu->value.at;
  const int *below = lu->below.at, *size = lu->size.at, *row = lu->row.at, *node = lu->node.at;
  for (int k = 0; k < lu->n; k++)
    for (int e = lu->start.at[k]; e < lu->start.at[k + 1]; e++)
      subtract_times(size[below[e]], size[k], value + lu->lower[e], x + row[node[k]],
                     x + row[node[below[e]]]);
  for (int k = lu->n - 1; k >= 0; k--) {
    double *x_k = x + row[node[k]], *right = lu->x.at;
    const double* D = value + lu->diagonal[k];
    for (int e = lu->start.at[k]; e < lu->start.at[k + 1]; e++)
      subtract_times(size[k], size[below[e]], value + upper_of(lu, k, e), x + row[node[below[e]]],
                     x_k);
    memcpy(right, x_k, (size_t)size[k] * sizeof *right);
    for (int r = 0; r < size[k]; r++, D += size[k]) {
      double sum = 0;
      for (int c = 0; c < size[k]; c++) sum += D[c] * right[c];
      x_k[r] = sum;
    }
  }
}
