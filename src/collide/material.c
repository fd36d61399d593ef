#include "collide/material.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

typedef struct listed_pair {
  int a, b; /* a <= b */
  pc_material law;
} listed_pair;

struct pc_material_table {
  int count, capacity;
  pc_material* material;
  int pair_count, pair_capacity;
  listed_pair* pair; /* sorted by a, then b */
};

pc_material_table* pc_material_table_create(void)
{
  return pc_alloc(1, sizeof(pc_material_table));
}

void pc_material_table_destroy(pc_material_table* t)
{
  if (!t) return;
  free(t->material);
  free(t->pair);
  free(t);
}

static pc_status check(const char* name, const pc_material* m, pc_error* error)
{
  if (!isfinite(m->mu))
    return pc_fail(error, PC_BAD_MODEL, "material %s: friction is %g", name, m->mu);
  if (!(m->e_N >= 0 && m->e_N <= 1))
    return pc_fail(error, PC_BAD_MODEL, "material %s: restitution is %g; it must be 0 to 1", name,
                   m->e_N);
  if (!(m->e_F >= 0 && m->e_F <= 1))
    return pc_fail(error, PC_BAD_MODEL,
                   "material %s: tangential restitution is %g; it must be 0 to 1", name, m->e_F);
  if (!(m->contact_radius >= 0) || !isfinite(m->contact_radius))
    return pc_fail(error, PC_BAD_MODEL,
                   "material %s: contact radius is %g; it must not be negative", name,
                   m->contact_radius);
  if (!(m->e_above >= 0) || !isfinite(m->e_above))
    return pc_fail(error, PC_BAD_MODEL,
                   "material %s: restitution begins above %g m/s; it must not be negative", name,
                   m->e_above);
  if (!(m->stribeck >= 0) || !isfinite(m->stribeck) || !isfinite(m->mu_kinetic) ||
      (m->stribeck > 0 && m->mu_kinetic < 0))
    return pc_fail(error, PC_BAD_MODEL,
                   "material %s: friction at speed is %g, from %g m/s on; neither may be negative",
                   name, m->mu_kinetic, m->stribeck);
  return PC_OK;
}

pc_status pc_material_table_add(pc_material_table* t, const char* name, const pc_material* m,
                                int* index, pc_error* error)
{
  PC_TRY(check(name, m, error));
  if (pc_grow((void**)&t->material, &t->capacity, t->count, sizeof *t->material) != PC_OK)
    return pc_no_memory(error);
  t->material[t->count] = *m;
  *index = t->count++;
  return PC_OK;
}

/* Where a pair is in the list, or would be. */
static int find_pair(const pc_material_table* t, int a, int b, int* there)
{
  int low = 0, high = t->pair_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    const listed_pair* p = &t->pair[middle];
    if (p->a < a || (p->a == a && p->b < b))
      low = middle + 1;
    else
      high = middle;
  }
  *there = low < t->pair_count && t->pair[low].a == a && t->pair[low].b == b;
  return low;
}

pc_status pc_material_table_set_pair(pc_material_table* t, int a, int b, const pc_material* law,
                                     pc_error* error)
{
  if (a < 0 || b < 0 || a >= t->count || b >= t->count)
    return pc_fail(error, PC_BAD_ARGUMENT, "a pair of materials %d and %d; there are %d", a, b,
                   t->count);
  PC_TRY(check("pair", law, error));
  int there, low = a < b ? a : b, high = a < b ? b : a, at = find_pair(t, low, high, &there);
  if (!there) {
    if (pc_grow((void**)&t->pair, &t->pair_capacity, t->pair_count, sizeof *t->pair) != PC_OK)
      return pc_no_memory(error);
    for (int i = t->pair_count++; i > at; i--) t->pair[i] = t->pair[i - 1];
  }
  t->pair[at] = (listed_pair){low, high, *law};
  return PC_OK;
}

int pc_material_table_count(const pc_material_table* t)
{
  return t->count;
}

/* The coefficient of friction at speed. */
static double at_speed(const pc_material* m)
{
  return m->stribeck > 0 ? m->mu_kinetic : m->mu;
}

pc_material pc_material_between(const pc_material_table* t, int a, int b)
{
  int there, at = find_pair(t, a < b ? a : b, a < b ? b : a, &there);
  if (there) return t->pair[at].law;
  const pc_material *m = &t->material[a], *n = &t->material[b];
  return (pc_material){.mu = m->mu < 0 || n->mu < 0 ? -1 : sqrt(m->mu * n->mu),
                       .e_N = fmin(m->e_N, n->e_N),
                       .e_F = fmin(m->e_F, n->e_F),
                       .contact_radius = fmin(m->contact_radius, n->contact_radius),
                       .e_above = fmax(m->e_above, n->e_above),
                       .stribeck = fmax(m->stribeck, n->stribeck),
                       .mu_kinetic = sqrt(fmax(0, at_speed(m)) * fmax(0, at_speed(n)))};
}
