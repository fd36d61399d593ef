/* Contacts that carry an impulse (percussion), frame by frame: which one, where, and the impulse since the frame
 * before. Where there are too many for a page, the smallest impulses are left out. */
#include <math.h>
#include <stdlib.h>

#include "draw/json.h"
#include "draw/view.h"

typedef struct push {
  int frame;
  unsigned contact; /* of the scene */
  float at[3];      /* [m] */
  float impulse[3]; /* on the first part [N s] */
  float size;
} push;

typedef struct pushes {
  push* item;
  size_t count, capacity;
} pushes;

static push* add_push(pushes* p)
{
  if (p->count == p->capacity) {
    size_t capacity = p->capacity ? 2 * p->capacity : 1024;
    push* larger = realloc(p->item, capacity * sizeof *larger);
    if (!larger) return NULL;
    p->item = larger;
    p->capacity = capacity;
  }
  return &p->item[p->count++];
}

/* The impulse of a contact in a frame, unless it is zero. */
static pc_status find_push(const scene* s, int frame, int contact, pushes* to, pc_error* error)
{
  const motion* m = s->motion;
  const pc_shape* shape = &s->contact[contact];
  const double* q = m->q + (size_t)frame * (size_t)pc_system_q_count(m->system);
  double x[3], P[3];
  pc_status status = frame_percussion(m, frame, shape, P, error);
  if (status != PC_OK) return status;
  if (shape->kind == PC_SHAPE_NONE)
    frame_position(m, frame, &shape->at[0], x);
  else
    pc_shape_contact_point(m->system, shape, q, x);
  push* one = add_push(to);
  if (!one) return PC_OUT_OF_MEMORY;
  *one = (push){.frame = frame, .contact = (unsigned)contact};
  one->size = (float)hypot(hypot(P[0], P[1]), P[2]);
  for (int i = 0; i < 3; i++) {
    one->at[i] = (float)x[i];
    one->impulse[i] = (float)P[i];
  }
  return PC_OK;
}

static pc_status find_pushes(const scene* s, pushes* to, pc_error* error)
{
  pc_status status = PC_OK;
  for (int k = 0; k < s->motion->frame_count; k++)
    for (int c = 0; status == PC_OK && c < s->contact_count; c++)
      if (frame_is_pushed(s->motion, k, s->contact[c].contact))
        status = find_push(s, k, c, to, error);
  return status;
}

static int descending(const void* a, const void* b)
{
  float x = *(const float*)a, y = *(const float*)b;
  return (x < y) - (x > y);
}

/* Keeps the `most` largest, in their order. */
static pc_status keep_largest(pushes* p, size_t most)
{
  if (p->count <= most) return PC_OK;
  float* size = malloc(p->count * sizeof *size);
  if (!size) return PC_OUT_OF_MEMORY;
  for (size_t i = 0; i < p->count; i++) size[i] = p->item[i].size;
  qsort(size, p->count, sizeof *size, descending);
  float least = size[most];
  size_t kept = 0;
  for (size_t i = 0; i < p->count; i++)
    if (p->item[i].size > least) p->item[kept++] = p->item[i];
  p->count = kept;
  free(size);
  return PC_OK;
}

static void put_vectors(FILE* to, const pushes* p, int impulses, float* scratch)
{
  for (size_t i = 0; i < p->count; i++)
    for (size_t d = 0; d < 3; d++)
      scratch[3 * i + d] = impulses ? p->item[i].impulse[d] : p->item[i].at[d];
  put_packed_floats(to, scratch, 3 * p->count);
}

/* `first` of each frame, then the contacts, points and impulses. */
static pc_status put_pushes(FILE* to, const scene* s, const pushes* p, size_t left_out)
{
  size_t frames = (size_t)s->motion->frame_count;
  unsigned* number = calloc(frames + 1 + p->count, sizeof *number);
  float* vector = calloc(3 * p->count + 1, sizeof *vector);
  pc_status status = number && vector ? PC_OK : PC_OUT_OF_MEMORY;
  if (status == PC_OK) {
    for (size_t i = 0; i < p->count; i++) number[p->item[i].frame + 1]++;
    for (size_t k = 0; k < frames; k++) number[k + 1] += number[k];
    for (size_t i = 0; i < p->count; i++) number[frames + 1 + i] = p->item[i].contact;
    fprintf(to, "\"left_out\":%zu,\"first\":", left_out);
    put_packed_ints(to, number, frames + 1);
    fputs(",\"contact\":", to);
    put_packed_ints(to, number + frames + 1, p->count);
    fputs(",\"at\":", to);
    put_vectors(to, p, 0, vector);
    fputs(",\"impulse\":", to);
    put_vectors(to, p, 1, vector);
  }
  free(number);
  free(vector);
  return status;
}

pc_status put_view_contacts(FILE* to, const scene* s, size_t most, pc_error* error)
{
  pushes p = {0};
  pc_status status = find_pushes(s, &p, error);
  size_t all = p.count;
  if (status == PC_OK) status = keep_largest(&p, most);
  fputs("\"contacts\":{\"names\":[", to);
  for (int c = 0; c < s->contact_count; c++) {
    if (c) fputc(',', to);
    put_json_text(to, pc_system_contact(s->motion->system, s->contact[c].contact).name);
  }
  fputs("],", to);
  if (status == PC_OK) status = put_pushes(to, s, &p, all - p.count);
  fputs("},\n", to);
  free(p.item);
  return status;
}
