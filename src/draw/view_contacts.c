/* Contacts that carry an impulse (percussion), frame by frame: which one, where, and the impulse
 * since the frame before. Where there are too many for a page, the smallest impulses are left
 * out. */
#include <math.h>
#include <stdlib.h>

#include "draw/found_frames.h"
#include "draw/json.h"
#include "draw/view.h"

typedef struct impulse {
  int frame;
  /* of the scene; behind these, those between shapes, from 0 on where they are not numbered yet */
  unsigned contact;
  pc_contact_key key; /* of a contact between shapes; else shapes are -1 */
  float at[3];        /* [m] */
  float impulse[3];   /* on the first part [N s] */
  float size;
} impulse;

typedef struct impulse_list {
  impulse* item;
  size_t count, capacity;
} impulse_list;

static impulse* add_impulse(impulse_list* p)
{
  if (p->count == p->capacity) {
    size_t capacity = p->capacity ? 2 * p->capacity : 1024;
    impulse* larger = realloc(p->item, capacity * sizeof *larger);
    if (!larger) return NULL;
    p->item = larger;
    p->capacity = capacity;
  }
  return &p->item[p->count++];
}

/* The impulse of a contact in a frame, unless it is zero. */
static pc_status find_impulse(const scene* s, int frame, int contact, impulse_list* to,
                              pc_error* error)
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
  impulse* one = add_impulse(to);
  if (!one) return PC_OUT_OF_MEMORY;
  *one = (impulse){.frame = frame, .contact = (unsigned)contact, .key.shape = {-1, -1}};
  one->size = (float)hypot(hypot(P[0], P[1]), P[2]);
  for (int i = 0; i < 3; i++) {
    one->at[i] = (float)x[i];
    one->impulse[i] = (float)P[i];
  }
  return PC_OK;
}

/* The impulses between shapes in a frame. */
static pc_status add_found(const found_frames* found, int frame, impulse_list* to)
{
  for (size_t i = found->first[frame]; i < found->first[frame + 1]; i++) {
    const found_impulse* from = &found->item[i];
    impulse* one = add_impulse(to);
    if (!one) return PC_OUT_OF_MEMORY;
    *one = (impulse){.frame = frame, .key = from->key, .size = (float)from->size};
    for (int d = 0; d < 3; d++) {
      one->at[d] = (float)from->at[d];
      one->impulse[d] = (float)from->P[d];
    }
  }
  return PC_OK;
}

static pc_status find_impulses(const scene* s, size_t most, impulse_list* to, size_t* left_out,
                               pc_error* error)
{
  found_frames found;
  pc_status status = read_found_frames(s->motion, most, &found, error);
  for (int k = 0; status == PC_OK && k < s->motion->frame_count; k++) {
    for (int c = 0; status == PC_OK && c < s->contact_count; c++)
      if (frame_has_impulse(s->motion, k, s->contact[c].contact))
        status = find_impulse(s, k, c, to, error);
    if (status == PC_OK) status = add_found(&found, k, to);
  }
  *left_out = found.left_out;
  release_found_frames(&found);
  return status;
}

static int by_key(const void* a, const void* b)
{
  return pc_contact_key_compare(a, b);
}

/* Numbers the contacts between shapes behind those of the scene, each key one; `count`: how many
 * there are. */
static pc_status number_found(impulse_list* p, int contacts, unsigned* count)
{
  pc_contact_key* key = malloc((p->count + 1) * sizeof *key);
  size_t n = 0, kept = 0;
  if (!key) return PC_OUT_OF_MEMORY;
  for (size_t i = 0; i < p->count; i++)
    if (p->item[i].key.shape[0] >= 0) key[n++] = p->item[i].key;
  qsort(key, n, sizeof *key, by_key);
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || by_key(&key[kept - 1], &key[i]) != 0) key[kept++] = key[i];
  for (size_t i = 0; i < p->count; i++) {
    impulse* one = &p->item[i];
    if (one->key.shape[0] < 0) continue;
    const pc_contact_key* place = bsearch(&one->key, key, kept, sizeof *key, by_key);
    one->contact = (unsigned)contacts + (unsigned)(place - key);
  }
  *count = (unsigned)kept;
  free(key);
  return PC_OK;
}

static int descending(const void* a, const void* b)
{
  float x = *(const float*)a, y = *(const float*)b;
  return (x < y) - (x > y);
}

/* Keeps the `most` largest, in their order. */
static pc_status keep_largest(impulse_list* p, size_t most)
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

static void put_vectors(FILE* to, const impulse_list* p, int impulses, float* scratch)
{
  for (size_t i = 0; i < p->count; i++)
    for (size_t d = 0; d < 3; d++)
      scratch[3 * i + d] = impulses ? p->item[i].impulse[d] : p->item[i].at[d];
  put_packed_floats(to, scratch, 3 * p->count);
}

/* `first` of each frame, then the contacts, points and impulses. */
static pc_status put_impulses(FILE* to, const scene* s, const impulse_list* p, size_t left_out)
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
  impulse_list p = {0};
  unsigned found = 0;
  size_t left_out = 0, of_frame = 4 * most / (size_t)s->motion->frame_count + 100;
  pc_status status = find_impulses(s, of_frame, &p, &left_out, error);
  size_t all = p.count + left_out;
  if (status == PC_OK) status = keep_largest(&p, most);
  if (status == PC_OK) status = number_found(&p, s->contact_count, &found);
  fputs("\"contacts\":{\"names\":[", to);
  for (int c = 0; c < s->contact_count; c++) {
    if (c) fputc(',', to);
    put_json_text(to, pc_system_contact(s->motion->system, s->contact[c].contact).name);
  }
  fprintf(to, "],\"found\":%u,", found);
  if (status == PC_OK) status = put_impulses(to, s, &p, all - p.count);
  fputs("},\n", to);
  free(p.item);
  return status;
}
