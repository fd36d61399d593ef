/* Impacts: the steps in which a contact closes. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/result.h"

enum { NUMBERS_MAX = 1 << 17 }; /* percussions in memory at a time: 1 MiB */

typedef struct impacts {
  pc_impact* item;
  int count, capacity;
} impacts;

/* Compares a row of percussions with the one before it. */
static pc_status compare(impacts* found, const double* before, const double* now, int contacts,
                         long row)
{
  for (int k = 0; k < contacts; k++) {
    if (!(now[k] > 0) || before[k] > 0) continue;
    PC_TRY(pc_grow((void**)&found->item, &found->capacity, found->count, sizeof *found->item));
    found->item[found->count++] = (pc_impact){row, k};
  }
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

pc_status pc_result_impacts(const pc_result* r, pc_impact** impact, int* count, pc_error* error)
{
  *impact = NULL;
  *count = 0;
  if (r->contact_count == 0) return PC_OK;
  long block = NUMBERS_MAX / r->contact_count;
  if (block < 2) block = 2;
  double* P_N = pc_alloc((size_t)block * (size_t)r->contact_count, sizeof *P_N);
  if (!P_N) return pc_no_memory(error);
  impacts found = {0};
  pc_status status = scan(r, block, P_N, &found, error);
  free(P_N);
  if (status == PC_OK) {
    *impact = found.item;
    *count = found.count;
  } else {
    free(found.item);
  }
  return status;
}
