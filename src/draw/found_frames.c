#include "draw/found_frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 256 }; /* that are read at a time */

void release_found_frames(found_frames* f)
{
  free(f->first);
  free(f->item);
  *f = (found_frames){0};
}

void name_shapes(const pc_result* result, const int shape[2], char name[PAIR_NAME_SIZE])
{
  snprintf(name, PAIR_NAME_SIZE, "%.80s - %.80s", pc_result_get_shape(result, shape[0]).name,
           pc_result_get_shape(result, shape[1]).name);
}

static pc_status reserve(found_frames* f, size_t more)
{
  if (f->count + more <= f->capacity) return PC_OK;
  size_t capacity = (f->count + more) * 3 / 2;
  found_impulse* larger = realloc(f->item, capacity * sizeof *larger);
  if (!larger) return PC_OUT_OF_MEMORY;
  f->item = larger;
  f->capacity = capacity;
  return PC_OK;
}

static pc_status read_contacts(const pc_result* r, long first, long count, found_frames* to,
                               pc_error* error)
{
  pc_shape_contact* contact = malloc(((size_t)count + 1) * sizeof *contact);
  pc_status status = contact ? reserve(to, (size_t)count) : PC_OUT_OF_MEMORY;
  if (status == PC_OK) status = pc_result_read_found(r, first, count, contact, error);
  for (long k = 0; status == PC_OK && k < count; k++) {
    found_impulse* p = &to->item[to->count++];
    *p = (found_impulse){.key = contact[k].key};
    memcpy(p->at, contact[k].point, sizeof p->at);
    memcpy(p->P, contact[k].P, sizeof p->P);
  }
  free(contact);
  return status;
}

/* Appends all contacts of rows of the result, one row after the other. */
static pc_status read_rows(const pc_result* r, long row, long end, found_frames* to,
                           pc_error* error)
{
  pc_status status = PC_OK;
  for (; status == PC_OK && row < end; row += ROWS) {
    long offset[ROWS + 1], count = end - row < ROWS ? end - row : ROWS;
    status = pc_result_found_offsets(r, row, count, offset, error);
    if (status == PC_OK) status = read_contacts(r, offset[0], offset[count] - offset[0], to, error);
  }
  return status;
}

static int by_key(const void* a, const void* b)
{
  return pc_contact_key_compare(&((const found_impulse*)a)->key, &((const found_impulse*)b)->key);
}

/* Adds up what belongs to one contact; it hardly moves within a frame. Contacts without an impulse
 * go. */
static size_t merge(found_impulse* item, size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count;) {
    found_impulse sum = item[i];
    size_t k = i + 1;
    for (; k < count && by_key(&item[k], &sum) == 0; k++)
      for (int d = 0; d < 3; d++) sum.P[d] += item[k].P[d];
    sum.size = sqrt(sum.P[0] * sum.P[0] + sum.P[1] * sum.P[1] + sum.P[2] * sum.P[2]);
    if (sum.size > 0) item[kept++] = sum;
    i = k;
  }
  return kept;
}

static int larger_first(const void* a, const void* b)
{
  const found_impulse *x = a, *y = b;
  if (x->size != y->size) return x->size < y->size ? 1 : -1;
  return by_key(a, b);
}

/* The contacts of a frame, from number `first` on: each once, at most `most` of them. */
static void finish_frame(found_frames* f, size_t first, size_t most)
{
  found_impulse* item = f->item + first;
  size_t count = f->count - first;
  if (count == 0) return;
  qsort(item, count, sizeof *item, by_key);
  count = merge(item, count);
  if (count > most) {
    qsort(item, count, sizeof *item, larger_first);
    f->left_out += count - most;
    count = most;
    qsort(item, count, sizeof *item, by_key);
  }
  f->count = first + count;
}

pc_status read_found_frames(const motion* m, size_t most, found_frames* f, pc_error* error)
{
  *f = (found_frames){.first = calloc((size_t)m->frame_count + 1, sizeof *f->first)};
  if (!f->first) return PC_OUT_OF_MEMORY;
  pc_status status = PC_OK;
  long row = 0;
  for (int k = 0; k < m->frame_count && status == PC_OK; k++) {
    size_t first = f->first[k] = f->count;
    long end = m->row[k] + 1;
    if (pc_result_shape_count(m->result) > 0)
      status = read_rows(m->result, m->row_first + row, m->row_first + end, f, error);
    if (status == PC_OK) finish_frame(f, first, most);
    f->first[k + 1] = f->count;
    row = end;
  }
  return status;
}
