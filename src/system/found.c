#include "system/found.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "system/system.h"

/* What a found element points to. */
typedef struct slot {
  int part[2];
  pc_block q[2], u[2];
} slot;

typedef struct pc_extension {
  const pc_system* frozen;
  size_t element_capacity, contact_capacity, row_capacity, slot_capacity;
  slot* slot;
  pc_threads* threads;
} pc_extension;

/* Own arrays for what found contacts are appended to. */
static pc_status reserve(pc_system* s, int count, int rows)
{
  pc_extension* x = s->found.extension;
  const pc_system* f = x->frozen;
  const pc_array element = PC_ARRAY(s->element), contact = PC_ARRAY(s->contact),
                 row = PC_ARRAY(s->row), slots = PC_ARRAY(x->slot);
  PC_TRY(pc_reserve_arrays(1, &element, &x->element_capacity, (size_t)(f->element_count + count)));
  PC_TRY(pc_reserve_arrays(1, &contact, &x->contact_capacity, (size_t)(f->contact_count + count)));
  PC_TRY(pc_reserve_arrays(1, &row, &x->row_capacity, (size_t)(f->row_count + rows)));
  return pc_reserve_arrays(1, &slots, &x->slot_capacity, (size_t)count);
}

pc_status pc_system_extend(const pc_system* frozen, pc_system** extended, pc_error* error)
{
  pc_system* s = *extended = pc_alloc(1, sizeof *s);
  pc_extension* x = pc_alloc(1, sizeof *x);
  if (s && x) {
    *s = *frozen;
    s->element = NULL;
    s->contact = NULL;
    s->row = NULL;
    s->found.extension = x;
    x->frozen = frozen;
    if (reserve(s, 0, 0) == PC_OK) {
      for (int i = 0; i < frozen->element_count; i++) s->element[i] = frozen->element[i];
      for (int i = 0; i < frozen->contact_count; i++) s->contact[i] = frozen->contact[i];
      for (int i = 0; i < frozen->row_count; i++) s->row[i] = frozen->row[i];
      return PC_OK;
    }
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
  free(s->element);
  free(s->contact);
  free(s->row);
  free(s->found.extension->slot);
  free(s->found.extension);
  free(s);
}

/* The runs of coordinates of the parts; runs that touch in q and in u become one. */
static void lay_out_parts(const pc_system* s, const pc_found_contact* c, slot* own, pc_element* e)
{
  e->part = own->part;
  e->q_block = own->q;
  e->u_block = own->u;
  e->plain_kinematics = 1;
  for (int i = 0; i < 2; i++) {
    if (c->part[i].index < 0) continue;
    const pc_part* p = &s->part[c->part[i].index];
    int b = e->block_count - 1;
    own->part[e->part_count++] = c->part[i].index;
    if (p->kinematics.q_dot) e->plain_kinematics = 0;
    e->q_count += p->q_count;
    e->u_count += p->u_count;
    if (b >= 0 && own->q[b].first + own->q[b].width == p->q_first &&
        own->u[b].first + own->u[b].width == p->u_first) {
      own->q[b].width += p->q_count;
      own->u[b].width += p->u_count;
    } else {
      own->q[++b] = (pc_block){p->q_first, p->q_count};
      own->u[b] = (pc_block){p->u_first, p->u_count};
      e->block_count++;
    }
  }
  e->cell.count = 1;
  e->cell.q = e->q_count;
  e->cell.u = e->u_count;
  e->cell.parts = e->part_count;
}

static int same_law(const pc_contact* a, const pc_contact* b)
{
  return a->mu == b->mu && a->e_N == b->e_N && a->e_F == b->e_F && a->e_above == b->e_above &&
         a->stribeck == b->stribeck && a->mu_kinetic == b->mu_kinetic;
}

/* Contact number i of those that are found. Returns whether the one that was there before had the
 * same layout, if there was one. */
static int put(pc_system* s, const pc_element_ops* ops, int i, const pc_found_contact* c)
{
  const pc_system* f = s->found.extension->frozen;
  int index = s->element_count + i, rows = 1 + c->dimension, row = f->row_count + c->row;
  const slot before = s->found.extension->slot[i];
  const pc_contact contact_before = s->contact[f->contact_count + i];
  int parts_before = s->element[index].part_count;
  pc_element* e = &s->element[index];
  *e = (pc_element){.ops = ops,
                    .data = c->data,
                    .name = c->name,
                    .contact_count = 1,
                    .contact_first = f->contact_count + i,
                    .row_count = rows,
                    .contact_row_first = row,
                    .row_first = row,
                    .entry_first = c->entry,
                    .provides = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q};
  lay_out_parts(s, c, &s->found.extension->slot[i], e);
  s->contact[f->contact_count + i] =
      (pc_contact){c->name, index,  row,        c->dimension, c->dimension ? c->mu : 0,
                   c->e_N,  c->e_F, c->e_above, c->stribeck,  c->mu_kinetic};
  for (int r = 0; r < rows; r++) s->row[row + r] = (pc_row_place){index, r};
  const slot* own = &s->found.extension->slot[i];
  const pc_contact* contact = &s->contact[f->contact_count + i];
  return e->part_count == parts_before && own->part[0] == before.part[0] &&
         (e->part_count < 2 || own->part[1] == before.part[1]) &&
         contact->row == contact_before.row && contact->dimension == contact_before.dimension &&
         same_law(contact, &contact_before);
}

/* Contacts that are worth sharing among threads. */
enum { SHARED_LEAST = 256 };

typedef struct put_loop {
  pc_system* system;
  const pc_element_ops* ops;
  pc_get_found* get;
  const void* user;
  atomic_int is_same; /* the layout, so far */
} put_loop;

static void put_some(void* user, int worker, int first, int last)
{
  put_loop* loop = user;
  int is_same = 1;
  (void)worker;
  for (int i = first; i < last; i++) {
    pc_found_contact c = loop->get(loop->user, i);
    is_same &= put(loop->system, loop->ops, i, &c);
  }
  if (!is_same) atomic_store(&loop->is_same, 0);
}

pc_status pc_system_set_found(pc_system* s, const pc_element_ops* ops, const pc_found_sizes* sizes,
                              pc_get_found* get, const void* user, pc_error* error)
{
  const int count = sizes->count, count_before = s->found.count, rows_before = s->row_count;
  put_loop loop = {s, ops, get, user, 1};
  s->found.count = 0;
  s->contact_count = s->found.extension->frozen->contact_count;
  s->row_count = s->found.extension->frozen->row_count;
  if (reserve(s, count, sizes->rows) != PC_OK) return pc_no_memory(error);
  pc_threads_run(s->found.extension->threads, count, SHARED_LEAST, put_some, &loop);
  s->found.count = count;
  s->found.entries = (size_t)sizes->entries;
  s->contact_count += count;
  s->row_count += sizes->rows;
  if (!loop.is_same || count != count_before || s->row_count != rows_before) s->found.layout++;
  return PC_OK;
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
