#include "simulate/contact_memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"

enum { COMPONENTS = 4 };

void pc_contact_memory_clear(pc_contact_memory* m)
{
  free(m->key);
  free(m->value);
  free(m->contact);
}

static pc_status reserve_values(pc_contact_memory* m, int count)
{
  const pc_array value = {&m->value, (size_t)m->stride * sizeof *m->value};
  return pc_reserve_arrays(1, &value, &m->value_capacity, (size_t)count);
}

static pc_status reserve_keys(pc_contact_memory* m, int count)
{
  const pc_array key = PC_ARRAY(m->key);
  return pc_reserve_arrays(1, &key, &m->capacity, (size_t)count);
}

pc_status pc_contact_memory_reserve(pc_contact_memory* m, int count)
{
  PC_TRY(reserve_values(m, count));
  return reserve_keys(m, count);
}

pc_status pc_contact_memory_reserve_seen(pc_contact_memory* m, int count)
{
  const pc_array contact = PC_ARRAY(m->contact);
  return pc_reserve_arrays(1, &contact, &m->contact_capacity, (size_t)count);
}

static double* value_of(const pc_contact_memory* m, int index)
{
  return m->value + (size_t)index * (size_t)m->stride;
}

size_t pc_memory_size(const pc_memory_sizes* s)
{
  return (size_t)s->layout.plain + (size_t)s->layout.by_row * (size_t)s->rows +
         (size_t)s->layout.by_contact * (size_t)s->contacts;
}

/* ---- fixed rows and contacts --------------------------------------------------------------- */

/* A run of numbers that fixed rows or contacts have in the memory without found contacts, and in
 * that with them. */
typedef struct run {
  int count;
  size_t fixed, all; /* where it begins */
} run;

static int run_count(const pc_memory_sizes* s)
{
  return 1 + s->layout.by_row + s->layout.by_contact;
}

static run run_at(const pc_memory_sizes* s, int index)
{
  size_t plain = (size_t)s->layout.plain;
  if (index == 0) return (run){s->layout.plain, 0, 0};
  size_t r = (size_t)(index <= s->layout.by_row ? index - 1 : s->layout.by_row);
  size_t k = (size_t)(index <= s->layout.by_row ? 0 : index - 1 - s->layout.by_row);
  return (run){index <= s->layout.by_row ? s->fixed_rows : s->fixed_contacts,
               plain + r * (size_t)s->fixed_rows + k * (size_t)s->fixed_contacts,
               plain + r * (size_t)s->rows + k * (size_t)s->contacts};
}

/* ---- one contact --------------------------------------------------------------------------- */

/* Where the scheme keeps a number of a row, or of a contact. */
static size_t row_place(const pc_memory_sizes* s, int index, int row)
{
  return run_at(s, 1 + index).all + (size_t)row;
}

static size_t contact_place(const pc_memory_sizes* s, int index, int contact)
{
  return run_at(s, 1 + s->layout.by_row + index).all + (size_t)contact;
}

static void recall_one(const pc_contact_set* set, int index, const pc_memory_sizes* s,
                       const double* value, double* P, double* all)
{
  int row = s->fixed_rows + pc_contact_set_get(set, index)->row;
  pc_contact_set_from_inertial(set, index, value, P + row);
  if (P[row] < 0) P[row] = 0; /* along a normal that has turned around */
  for (int i = 0; i < s->layout.by_row; i++)
    pc_contact_set_from_inertial(set, index, value += COMPONENTS, all + row_place(s, i, row));
  value += COMPONENTS;
  for (int i = 0; i < s->layout.by_contact; i++)
    all[contact_place(s, i, s->fixed_contacts + index)] = value[i];
}

static void remember_one(const pc_contact_set* set, int index, const pc_memory_sizes* s,
                         const double* P, const double* all, double* value)
{
  int row = s->fixed_rows + pc_contact_set_get(set, index)->row;
  pc_contact_set_to_inertial(set, index, P + row, value);
  for (int i = 0; i < s->layout.by_row; i++)
    pc_contact_set_to_inertial(set, index, all + row_place(s, i, row), value += COMPONENTS);
  value += COMPONENTS;
  for (int i = 0; i < s->layout.by_contact; i++)
    value[i] = all[contact_place(s, i, s->fixed_contacts + index)];
}

/* ---- all contacts -------------------------------------------------------------------------- */

/* Contacts that are worth sharing among threads. */
enum { SHARED_LEAST = 256 };

typedef struct memory_loop {
  const pc_contact_memory* memory;
  const pc_contact_set* set;
  const pc_memory_sizes* sizes;
  double *P, *all;                /* to recall, */
  const double *given, *remember; /* to remember: the same */
  atomic_int count;               /* of those with something to remember */
} memory_loop;

int pc_contact_memory_find(const pc_contact_memory* m, const pc_contact_key* key)
{
  int low = 0, high = m->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (pc_compare_keys(&m->key[middle], key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void recall_some(void* user, int worker, int first, int last)
{
  const memory_loop* l = user;
  const pc_contact_memory* m = l->memory;
  int at = pc_contact_memory_find(m, &pc_contact_set_get(l->set, first)->key);
  (void)worker;
  for (int i = first; i < last; i++) {
    const pc_contact_key* key = &pc_contact_set_get(l->set, i)->key;
    while (at < m->count && pc_compare_keys(&m->key[at], key) < 0) at++;
    if (at == m->count) break;
    if (pc_compare_keys(&m->key[at], key) == 0)
      recall_one(l->set, i, l->sizes, value_of(m, at), l->P, l->all);
  }
}

void pc_contact_memory_recall(const pc_contact_memory* m, const pc_contact_set* set,
                              const pc_memory_sizes* s, const double* fixed, double* P, double* all,
                              pc_threads* threads)
{
  memory_loop loop = {.memory = m, .set = set, .sizes = s, .P = P, .all = all};
  memset(all, 0, pc_memory_size(s) * sizeof *all);
  for (int i = 0; i < run_count(s); i++)
    pc_copy(run_at(s, i).count, fixed + run_at(s, i).fixed, all + run_at(s, i).all);
  pc_zero(s->rows - s->fixed_rows, P + s->fixed_rows);
  pc_threads_run(threads, pc_contact_set_count(set), SHARED_LEAST, recall_some, &loop);
}

static int is_zero(int count, const double* value)
{
  for (int i = 0; i < count; i++)
    if (value[i] != 0) return 0;
  return 1;
}

/* The values of contact i of the set, in place i of the memory. */
static void remember_some(void* user, int worker, int first, int last)
{
  memory_loop* l = user;
  int count = 0;
  (void)worker;
  for (int i = first; i < last; i++) {
    double* value = value_of(l->memory, i);
    remember_one(l->set, i, l->sizes, l->given, l->remember, value);
    count += !is_zero(l->memory->stride, value);
  }
  atomic_fetch_add(&l->count, count);
}

/* Closes up the values of contacts that have some, of all of the set; there is space for them. */
static void close_up(pc_contact_memory* m, const pc_contact_set* set)
{
  m->count = 0;
  for (int i = 0; i < pc_contact_set_count(set); i++) {
    const double* value = value_of(m, i);
    if (is_zero(m->stride, value)) continue;
    if (m->count < i) pc_copy(m->stride, value, value_of(m, m->count));
    m->key[m->count++] = pc_contact_set_get(set, i)->key;
  }
}

pc_status pc_contact_memory_remember(pc_contact_memory* m, const pc_contact_set* set,
                                     const pc_memory_sizes* s, const double* P, const double* all,
                                     double* fixed, pc_threads* threads)
{
  memory_loop loop = {.memory = m, .set = set, .sizes = s, .given = P, .remember = all};
  m->count = 0;
  PC_TRY(reserve_values(m, pc_contact_set_count(set)));
  for (int i = 0; i < run_count(s); i++)
    pc_copy(run_at(s, i).count, all + run_at(s, i).all, fixed + run_at(s, i).fixed);
  pc_threads_run(threads, pc_contact_set_count(set), SHARED_LEAST, remember_some, &loop);
  PC_TRY(reserve_keys(m, atomic_load(&loop.count)));
  close_up(m, set);
  return PC_OK;
}

pc_status pc_contact_memory_copy(const pc_contact_memory* from, pc_contact_memory* to)
{
  PC_TRY(pc_contact_memory_reserve(to, from->count));
  PC_TRY(pc_contact_memory_reserve_seen(to, from->count));
  memcpy(to->key, from->key, (size_t)from->count * sizeof *to->key);
  memcpy(to->contact, from->contact, (size_t)from->count * sizeof *to->contact);
  pc_copy(from->count * from->stride, from->value, to->value);
  to->count = from->count;
  return PC_OK;
}

/* Walks through two sorted memories: which of them has the next key, -1, 1 or 0 for both. */
static int next_of(const pc_contact_memory* a, int i, const pc_contact_memory* b, int k)
{
  if (i == a->count) return 1;
  return k == b->count ? -1 : pc_compare_keys(&a->key[i], &b->key[k]);
}

/* Of a contact that two substeps of a step have: impulses add up. */
static pc_shape_contact joined(const pc_shape_contact* first, const pc_shape_contact* second)
{
  pc_shape_contact c = *second;
  for (int i = 0; i < 3; i++) c.P[i] += first->P[i];
  c.spin += first->spin;
  c.P_N += first->P_N;
  c.velocity_before = first->velocity_before;
  return c;
}

pc_status pc_contact_memory_add(const pc_contact_memory* a, const pc_contact_memory* b,
                                pc_contact_memory* sum)
{
  PC_TRY(pc_contact_memory_reserve(sum, a->count + b->count));
  PC_TRY(pc_contact_memory_reserve_seen(sum, a->count + b->count));
  sum->count = 0;
  for (int i = 0, k = 0; i < a->count || k < b->count;) {
    int order = next_of(a, i, b, k);
    double* value = value_of(sum, sum->count);
    sum->contact[sum->count] = order < 0    ? a->contact[i]
                               : order == 0 ? joined(&a->contact[i], &b->contact[k])
                                            : b->contact[k];
    sum->key[sum->count++] = order < 0 ? a->key[i] : b->key[k];
    pc_copy(sum->stride, order < 0 ? value_of(a, i) : value_of(b, k), value);
    for (int c = 0; order == 0 && c < COMPONENTS; c++) value[c] += value_of(a, i)[c];
    i += order <= 0;
    k += order >= 0;
  }
  return PC_OK;
}
