#include "system/found.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "system/system.h"

typedef struct pc_extension {
  const pc_system* frozen;
  size_t slot_capacity;
  pc_threads* threads;
} pc_extension;

static pc_status reserve(pc_system* s, int count)
{
  const pc_array slots = PC_ARRAY(s->found.slot);
  return pc_reserve_arrays(1, &slots, &s->found.extension->slot_capacity, (size_t)count);
}

pc_status pc_system_extend(const pc_system* frozen, pc_system** extended, pc_error* error)
{
  pc_system* s = *extended = pc_alloc(1, sizeof *s);
  pc_extension* x = pc_alloc(1, sizeof *x);
  if (s && x) {
    *s = *frozen;
    s->found.extension = x;
    x->frozen = frozen;
    if (reserve(s, 0) == PC_OK) return PC_OK;
    pc_system_destroy_extension(s);
  } else {
    free(s);
    free(x);
  }
  *extended = NULL;
  return pc_no_memory(error);
}

void pc_system_destroy_extension(pc_system* s)
{
  if (!s) return;
  free(s->found.slot);
  free(s->found.extension);
  free(s);
}

/* ---- as elements and contacts -------------------------------------------------------------- */

void pc_make_found_element(const pc_system* s, int index, pc_element* e)
{
  pc_found_slot* own = &s->found.slot[index];
  *e = (pc_element){.ops = s->found.ops,
                    .data = own->data,
                    .name = own->name,
                    .part_count = own->parts,
                    .part = own->part,
                    .block_count = own->blocks,
                    .q_block = own->q,
                    .u_block = own->u,
                    .contact_count = 1,
                    .contact_first = s->contact_count - s->found.count + index,
                    .row_count = own->rows,
                    .contact_row_first = own->row,
                    .row_first = own->row,
                    .plain_kinematics = own->plain_kinematics,
                    .provides = PC_FOUND_PROVIDES};
  for (int b = 0; b < own->blocks; b++) {
    e->q_count += own->q[b].width;
    e->u_count += own->u[b].width;
  }
  e->cell = (pc_cell_layout){.count = 1, .q = e->q_count, .u = e->u_count, .parts = own->parts};
}

pc_contact pc_make_found_contact(const pc_system* s, int index)
{
  const pc_found_slot* own = &s->found.slot[index];
  const pc_contact_law law = s->found.ops->law(own->data);
  int dimension = own->rows - 1;
  return (pc_contact){own->name,
                      s->element_count + index,
                      own->row,
                      dimension,
                      dimension ? law.mu : 0,
                      law.e_N,
                      law.e_F,
                      law.e_above,
                      law.stribeck,
                      law.mu_kinetic,
                      0};
}

/* Mostly all have the same number of rows; else by bisection. */
pc_row_place pc_find_found_row(const pc_system* s, int row)
{
  const pc_found_slot* slot = s->found.slot;
  int first = slot[0].row, low = 0, high = s->found.count - 1;
  int middle = (int)((long long)(row - first) * s->found.count / (s->row_count - first));
  while (slot[middle].row > row || slot[middle].row + slot[middle].rows <= row) {
    if (slot[middle].row > row)
      high = middle - 1;
    else
      low = middle + 1;
    middle = low + (high - low) / 2;
  }
  return (pc_row_place){s->element_count + middle, row - slot[middle].row};
}

/* ---- replacing them ------------------------------------------------------------------------ */

/* The runs of coordinates of the parts; runs that touch in q and in u become one. */
static void lay_out_parts(const pc_system* s, const pc_found_contact* c, pc_found_slot* own)
{
  int b = -1;
  own->plain_kinematics = 1;
  for (int i = 0; i < 2; i++) {
    if (c->part[i].index < 0) continue;
    const pc_part* p = &s->part[c->part[i].index];
    own->part[own->parts++] = c->part[i].index;
    if (p->kinematics.q_dot) own->plain_kinematics = 0;
    if (b >= 0 && own->q[b].first + own->q[b].width == p->q_first &&
        own->u[b].first + own->u[b].width == p->u_first) {
      own->q[b].width += p->q_count;
      own->u[b].width += p->u_count;
    } else {
      own->q[++b] = (pc_block){p->q_first, p->q_count};
      own->u[b] = (pc_block){p->u_first, p->u_count};
    }
  }
  own->blocks = (unsigned char)(b + 1);
}

static int same_layout(const pc_found_slot* a, const pc_found_slot* b)
{
  return a->parts == b->parts && a->part[0] == b->part[0] && a->part[1] == b->part[1] &&
         a->row == b->row && a->rows == b->rows && a->law[0] == b->law[0] && a->law[1] == b->law[1];
}

/* Contact number i of those that are found. Returns whether the one that was there before had the
 * same layout, if there was one. */
static int put(pc_system* s, int i, const pc_found_contact* c)
{
  pc_found_slot* own = &s->found.slot[i];
  const pc_found_slot before = *own;
  *own = (pc_found_slot){.data = c->data,
                         .name = c->name,
                         .row = s->found.extension->frozen->row_count + c->row,
                         .entry = c->entry,
                         .law = {c->law[0], c->law[1]},
                         .rows = (unsigned char)(1 + c->dimension)};
  lay_out_parts(s, c, own);
  return same_layout(own, &before);
}

/* Contacts that are worth sharing among threads. */
enum { SHARED_LEAST = 256 };

typedef struct put_loop {
  pc_system* system;
  pc_get_found* get;
  const void* user;
  atomic_int is_same; /* the layout, so far */
  atomic_uint laws;
} put_loop;

static void put_some(void* user, int worker, int first, int last)
{
  put_loop* loop = user;
  int is_same = 1;
  unsigned laws = 0;
  (void)worker;
  for (int i = first; i < last; i++) {
    pc_found_contact c = loop->get(loop->user, i);
    laws |= c.has;
    is_same &= put(loop->system, i, &c);
  }
  if (!is_same) atomic_store(&loop->is_same, 0);
  if (laws) atomic_fetch_or(&loop->laws, laws);
}

pc_status pc_system_set_found(pc_system* s, const pc_element_ops* ops, const pc_found_sizes* sizes,
                              pc_get_found* get, const void* user, pc_error* error)
{
  const int count = sizes->count, count_before = s->found.count, rows_before = s->row_count;
  put_loop loop = {s, get, user, 1, 0};
  s->found.ops = ops;
  s->found.count = 0;
  s->contact_count = s->found.extension->frozen->contact_count;
  s->row_count = s->found.extension->frozen->row_count;
  if (reserve(s, count) != PC_OK) return pc_no_memory(error);
  pc_threads_run(s->found.extension->threads, count, SHARED_LEAST, put_some, &loop);
  s->found.count = count;
  s->found.laws = atomic_load(&loop.laws);
  s->found.entries = (size_t)sizes->entries;
  s->contact_count += count;
  s->row_count += sizes->rows;
  if (!loop.is_same || count != count_before || s->row_count != rows_before) s->found.layout++;
  return PC_OK;
}

unsigned pc_system_laws(const pc_system* s)
{
  unsigned laws = s->found.count ? s->found.laws : 0;
  for (int k = 0; k < s->contact_count - s->found.count; k++)
    laws |= (s->contact[k].e_above != 0 ? (unsigned)PC_LAW_ABOVE : 0u) |
            (s->contact[k].stribeck > 0 ? (unsigned)PC_LAW_CURVE : 0u);
  return laws;
}

void pc_system_set_threads(pc_system* s, pc_threads* threads)
{
  s->found.extension->threads = threads;
}

pc_threads* pc_system_threads(const pc_system* s)
{
  return s->found.extension ? s->found.extension->threads : NULL;
}

int pc_system_is_extended(const pc_system* s)
{
  return s->found.extension != NULL;
}

int pc_system_found_count(const pc_system* s)
{
  return s->found.count;
}

long pc_system_found_layout(const pc_system* s)
{
  return s->found.layout;
}

int pc_system_fixed_contact_count(const pc_system* s)
{
  return s->contact_count - s->found.count;
}

int pc_system_fixed_row_count(const pc_system* s)
{
  return s->found.extension ? s->found.extension->frozen->row_count : s->row_count;
}
