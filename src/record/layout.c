#include "record/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

static int count_friction_rows(const pc_system* system)
{
  int count = 0;
  for (int k = 0; k < pc_system_contact_count(system); k++)
    count += pc_system_contact(system, k).dimension;
  return count;
}

static pc_status list_contact_rows(pc_layout* l, int contacts, int frictions)
{
  size_t n = (size_t)contacts, f = (size_t)frictions;
  l->normal_row = pc_alloc(n, sizeof(int));
  l->normal_contact = pc_alloc(n, sizeof(int));
  l->friction_row = pc_alloc(f, sizeof(int));
  l->friction_contact = pc_alloc(f, sizeof(int));
  l->friction_component = pc_alloc(f, sizeof(int));
  if (!l->normal_row || !l->normal_contact || !l->friction_row || !l->friction_contact ||
      !l->friction_component)
    return PC_OUT_OF_MEMORY;
  for (int k = 0, column = 0; k < contacts; k++) {
    pc_contact_info contact = pc_system_contact(l->system, k);
    l->normal_row[k] = contact.row;
    l->normal_contact[k] = k;
    for (int d = 1; d <= contact.dimension; d++, column++) {
      l->friction_row[column] = contact.row + d;
      l->friction_contact[column] = k;
      l->friction_component[column] = d;
    }
  }
  return PC_OK;
}

/* All numbers of a kind. */
static pc_dataset whole_dataset(const char* path, pc_quantity_kind kind, int count)
{
  return (pc_dataset){.path = path, .kind = kind, .width = count, .missing = count};
}

static pc_dataset normal_dataset(const pc_layout* l, const char* path, pc_quantity_kind kind,
                                 int count)
{
  return (pc_dataset){.path = path,
                      .kind = kind,
                      .width = count,
                      .index = l->normal_row,
                      .contact = l->normal_contact,
                      .missing = count};
}

static pc_dataset friction_dataset(const pc_layout* l, const char* path, pc_quantity_kind kind,
                                   int count)
{
  pc_dataset d = normal_dataset(l, path, kind, count);
  d.index = l->friction_row;
  d.contact = l->friction_contact;
  d.component = l->friction_component;
  return d;
}

/* Of the constraints. */
enum { POSITIONS = 7, VELOCITIES };

pc_status pc_layout_create(pc_layout* l, const pc_system* system, pc_error* error)
{
  *l = (pc_layout){.system = system};
  int contacts = pc_system_contact_count(system), frictions = count_friction_rows(system);
  if (list_contact_rows(l, contacts, frictions) != PC_OK) {
    pc_layout_destroy(l);
    return pc_no_memory(error);
  }
  int n_q = pc_system_q_count(system), n_u = pc_system_u_count(system);
  int n_g = pc_system_g_count(system), bilateral = n_g + pc_system_gamma_count(system);
  const pc_dataset all[PC_DATASET_COUNT] = {
      {.path = "q", .kind = PC_QUANTITY_Q, .width = n_q, .missing = n_q},
      {.path = "u", .kind = PC_QUANTITY_U, .width = n_u, .missing = n_u},
      normal_dataset(l, "contacts/gap", PC_QUANTITY_ROW_POSITION, contacts),
      normal_dataset(l, "contacts/gap_velocity", PC_QUANTITY_ROW_VELOCITY, contacts),
      normal_dataset(l, "contacts/P_N", PC_QUANTITY_ROW_P, contacts),
      friction_dataset(l, "contacts/slip", PC_QUANTITY_ROW_VELOCITY, frictions),
      friction_dataset(l, "contacts/P_F", PC_QUANTITY_ROW_P, frictions),
      [POSITIONS] = whole_dataset("constraints/position", PC_QUANTITY_ROW_POSITION, bilateral),
      [VELOCITIES] = whole_dataset("constraints/velocity", PC_QUANTITY_ROW_VELOCITY, bilateral),
      whole_dataset("constraints/P", PC_QUANTITY_ROW_P, bilateral),
      whole_dataset("outputs", PC_QUANTITY_OUTPUT, pc_system_output_count(system)),
  };
  memcpy(l->dataset, all, sizeof all);
  l->dataset[POSITIONS].missing = n_g; /* a constraint on velocities has no position */
  l->dataset[POSITIONS].residual = l->dataset[VELOCITIES].residual = 1;
  return PC_OK;
}

void pc_layout_destroy(pc_layout* l)
{
  free(l->normal_row);
  free(l->normal_contact);
  free(l->friction_row);
  free(l->friction_contact);
  free(l->friction_component);
  *l = (pc_layout){0};
}

const double* pc_observed_numbers(const pc_observation* seen, pc_quantity_kind kind)
{
  switch (kind) {
    case PC_QUANTITY_Q: return seen->state->q;
    case PC_QUANTITY_U: return seen->state->u;
    case PC_QUANTITY_ROW_POSITION: return seen->y;
    case PC_QUANTITY_ROW_VELOCITY: return seen->y_dot;
    case PC_QUANTITY_ROW_P: return seen->state->P;
    case PC_QUANTITY_OUTPUT: return seen->output;
  }
  return NULL;
}

void pc_dataset_fill(const pc_dataset* d, const pc_observation* seen, double* row)
{
  const double* from = pc_observed_numbers(seen, d->kind);
  if (!d->index && d->missing > 0) memcpy(row, from, (size_t)d->missing * sizeof *row);
  for (int i = 0; d->index && i < d->missing; i++) row[i] = from[d->index[i]];
  for (int i = d->missing; i < d->width; i++) row[i] = NAN;
}

/* The column that holds entry `index` of the array, or -1. Indices ascend. */
static int find_column(const pc_dataset* d, int index)
{
  if (!d->index) return index < d->width ? index : -1;
  int low = 0, high = d->width;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (d->index[middle] == index) return middle;
    if (d->index[middle] < index)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

/* The quantity that gives each column its name: the first of its place, or -1. */
static void name_columns(const pc_dataset* d, const pc_system* system, int* quantity)
{
  for (int i = 0; i < d->width; i++) quantity[i] = -1;
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    pc_quantity candidate = pc_system_quantity(system, i);
    int column = candidate.kind == d->kind ? find_column(d, candidate.index) : -1;
    if (column >= 0 && quantity[column] < 0) quantity[column] = i;
  }
}

pc_status pc_dataset_describe(const pc_dataset* d, const pc_system* system, const char** name,
                              const char** unit)
{
  int* quantity = pc_alloc((size_t)d->width, sizeof *quantity);
  if (!quantity) return PC_OUT_OF_MEMORY;
  name_columns(d, system, quantity);
  for (int i = 0; i < d->width; i++) {
    int known = quantity[i] >= 0;
    name[i] = known ? pc_system_quantity(system, quantity[i]).name : "";
    unit[i] = known ? pc_system_quantity(system, quantity[i]).unit : "";
  }
  free(quantity);
  return PC_OK;
}

const pc_dataset* pc_layout_find(const pc_layout* l, const pc_quantity* quantity, int* column)
{
  for (int k = 0; k < PC_DATASET_COUNT; k++) {
    const pc_dataset* d = &l->dataset[k];
    *column = quantity->kind == d->kind ? find_column(d, quantity->index) : -1;
    if (*column >= 0 && *column < d->missing) return d;
  }
  return NULL;
}

/* The names of all columns, side by side. */
static pc_status list_names(const pc_layout* l, const char*** name)
{
  size_t count = 0;
  for (int k = 0; k < PC_DATASET_COUNT; k++) count += (size_t)l->dataset[k].width;
  *name = pc_alloc(2 * count, sizeof **name);
  if (!*name) return PC_OUT_OF_MEMORY;
  const char **at = *name, **unit = *name + count;
  for (int k = 0; k < PC_DATASET_COUNT; k++) {
    if (pc_dataset_describe(&l->dataset[k], l->system, at, unit) != PC_OK) return PC_OUT_OF_MEMORY;
    at += l->dataset[k].width;
  }
  return PC_OK;
}

pc_status pc_layout_name_columns(const pc_layout* l, const pc_quantity* quantity, int count,
                                 const char** name)
{
  const char** all = NULL;
  pc_status status = list_names(l, &all);
  for (int i = 0; status == PC_OK && i < count; i++) {
    int column = 0, before = 0;
    const pc_dataset* d = pc_layout_find(l, &quantity[i], &column);
    for (const pc_dataset* k = l->dataset; d && k < d; k++) before += k->width;
    name[i] = d ? all[before + column] : "";
  }
  free(all);
  return status;
}
