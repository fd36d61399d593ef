/* Impacts: the rows in which a contact closes. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/result.h"

enum {
  NUMBERS_MAX = 1 << 17, /* percussions in memory at a time: 1 MiB */
  ROWS_MAX = 1 << 12     /* rows whose contacts between shapes are in memory at a time, or fewer */
};

typedef struct impacts {
  pc_impact* item;
  int count, capacity;
} impacts;

static pc_status add(impacts* found, const pc_impact* impact)
{
  PC_TRY(pc_grow((void**)&found->item, &found->capacity, found->count, sizeof *found->item));
  found->item[found->count++] = *impact;
  return PC_OK;
}

/* ---- contacts of the model ------------------------------------------------------------------- */

/* Compares a row of percussions with the one before it. */
static pc_status compare(impacts* found, const double* before, const double* now, int contacts,
                         long row)
{
  for (int k = 0; k < contacts; k++)
    if (now[k] > 0 && !(before[k] > 0))
      PC_TRY(add(found, &(pc_impact){.row = row, .contact = k, .P_N = now[k]}));
  return PC_OK;
}

/* Block by block, each with the last row of the one before it. */
static pc_status scan(const pc_result* r, long block, double* P_N, impacts* found, pc_error* error)
{
  size_t contacts = (size_t)r->contact_count;
  for (long first = 0; first + 1 < r->length; first += block - 1) {
    long count = r->length - first < block ? r->length - first : block;
    PC_TRY(pc_result_read_P_N(r, first, count, P_N, error));
    for (long k = 1; k < count; k++) {
      const double* now = P_N + (size_t)k * contacts;
      if (compare(found, now - contacts, now, r->contact_count, first + k) != PC_OK)
        return pc_no_memory(error);
    }
  }
  return PC_OK;
}

static pc_status scan_listed(const pc_result* r, impacts* found, pc_error* error)
{
  if (r->contact_count == 0) return PC_OK;
  long block = NUMBERS_MAX / r->contact_count;
  if (block < 2) block = 2;
  double* P_N = pc_alloc((size_t)block * (size_t)r->contact_count, sizeof *P_N);
  if (!P_N) return pc_no_memory(error);
  pc_status status = scan(r, block, P_N, found, error);
  free(P_N);
  return status;
}

/* ---- contacts between shapes ----------------------------------------------------------------- */

/* The contacts of some rows; those of row k are from offset[k] - offset[0] on. */
typedef struct block {
  long first, rows, length;
  long offset[ROWS_MAX + 1];
  pc_shape_contact* contact;
  size_t capacity;
} block;

/* The rows from `first` on: two at least, and as many more as a limit on contacts allows. */
static pc_status read_block(const pc_result* r, long first, block* b, pc_error* error)
{
  b->first = first;
  b->rows = r->length - first < ROWS_MAX ? r->length - first : ROWS_MAX;
  PC_TRY(pc_result_found_offsets(r, first, b->rows, b->offset, error));
  while (b->rows > 2 && b->offset[b->rows] - b->offset[0] > NUMBERS_MAX) b->rows--;
  b->length = b->offset[b->rows] - b->offset[0];
  if (pc_reserve((void**)&b->contact, &b->capacity, (size_t)b->length, sizeof *b->contact) != PC_OK)
    return pc_no_memory(error);
  return pc_result_read_found(r, b->offset[0], b->length, b->contact, error);
}

/* Rows are sorted by keys. */
static pc_status compare_found(impacts* found, const block* b, long row)
{
  long before = b->offset[row - 1] - b->offset[0], middle = b->offset[row] - b->offset[0];
  long end = b->offset[row + 1] - b->offset[0];
  for (long k = middle, i = before; k < end; k++) {
    const pc_shape_contact* c = &b->contact[k];
    if (!(c->P_N > 0)) continue;
    while (i < middle && pc_contact_key_compare(&b->contact[i].key, &c->key) < 0) i++;
    int known = i < middle && pc_contact_key_compare(&b->contact[i].key, &c->key) == 0;
    if (known && b->contact[i].P_N > 0) continue;
    PC_TRY(add(found, &(pc_impact){.row = b->first + row,
                                   .contact = PC_FOUND,
                                   .found = b->offset[0] + k,
                                   .shape = {c->key.shape[0], c->key.shape[1]},
                                   .P_N = c->P_N}));
  }
  return PC_OK;
}

static pc_status scan_found(const pc_result* r, impacts* found, pc_error* error)
{
  if (r->shape_count == 0) return PC_OK;
  block* b = pc_alloc(1, sizeof *b);
  if (!b) return pc_no_memory(error);
  pc_status status = PC_OK;
  for (long first = 0; first + 1 < r->length && status == PC_OK; first += b->rows - 1) {
    status = read_block(r, first, b, error);
    for (long row = 1; status == PC_OK && row < b->rows; row++)
      if (compare_found(found, b, row) != PC_OK) status = pc_no_memory(error);
  }
  free(b->contact);
  free(b);
  return status;
}

/* ---- both ------------------------------------------------------------------------------------ */

/* By rows, and within a row in the order in which they were found. */
static int by_row(const void* x, const void* y)
{
  const pc_impact *a = x, *b = y;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  if ((a->contact < 0) != (b->contact < 0)) return a->contact < 0 ? 1 : -1;
  if (a->contact >= 0) return a->contact - b->contact;
  return (a->found > b->found) - (a->found < b->found);
}

pc_status pc_result_impacts(const pc_result* r, pc_impact** impact, int* count, pc_error* error)
{
  PC_TRY(pc_need(r, "result", error));
  PC_TRY(pc_need(impact, "impact", error));
  PC_TRY(pc_need(count, "count", error));
  *impact = NULL;
  *count = 0;
  impacts found = {0};
  pc_status status = scan_listed(r, &found, error);
  int listed = found.count;
  if (status == PC_OK) status = scan_found(r, &found, error);
  if (status != PC_OK) {
    free(found.item);
    return status;
  }
  if (listed > 0 && found.count > listed)
    qsort(found.item, (size_t)found.count, sizeof *found.item, by_row);
  *impact = found.item;
  *count = found.count;
  return PC_OK;
}
