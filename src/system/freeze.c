/* Freezing a system: rows are numbered, and their quantities named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "system/system.h"

/* Where the rows of an element begin if they are all of one kind, as most are, else -1. */
static int find_row_first(const pc_element* e)
{
  if (e->g_count == e->row_count) return e->g_first;
  if (e->gamma_count == e->row_count) return e->gamma_first;
  return e->g_count + e->gamma_count == 0 ? e->contact_row_first : -1;
}

static pc_status number_rows(pc_system* s)
{
  s->g_count = s->gamma_count = s->row_count = 0;
  for (int i = 0; i < s->element_count; i++) s->row_count += s->element[i].row_count;
  s->row = pc_alloc((size_t)s->row_count, sizeof *s->row);
  if (!s->row) return PC_OUT_OF_MEMORY;
  int row = 0;
  for (int i = 0; i < s->element_count; i++) {
    s->element[i].g_first = row;
    for (int r = 0; r < s->element[i].g_count; r++) s->row[row++] = (pc_row_place){i, r};
  }
  s->g_count = row;
  for (int i = 0; i < s->element_count; i++) {
    pc_element* e = &s->element[i];
    e->gamma_first = row;
    for (int r = 0; r < e->gamma_count; r++) s->row[row++] = (pc_row_place){i, e->g_count + r};
  }
  s->gamma_count = row - s->g_count;
  for (int i = 0; i < s->element_count; i++) {
    pc_element* e = &s->element[i];
    e->contact_row_first = row;
    int local = e->g_count + e->gamma_count;
    for (int k = 0; k < e->contact_count; k++) {
      pc_contact* contact = &s->contact[e->contact_first + k];
      contact->row = row;
      for (int r = 0; r <= contact->dimension; r++) s->row[row++] = (pc_row_place){i, local++};
    }
    e->row_first = find_row_first(e);
  }
  return PC_OK;
}

/* name + what, and a number if there is more than one row of this name. */
static pc_status add_row_quantity(pc_system* s, const char* name, const char* what, int number,
                                  const char* unit, pc_quantity_kind kind, int row)
{
  char tail[64];
  if (number > 0)
    snprintf(tail, sizeof tail, ".%s.%d", what, number);
  else
    snprintf(tail, sizeof tail, ".%s", what);
  return pc_system_add_quantity(s, name, tail, unit, kind, row);
}

/* Of a row that is a length or an angle. */
typedef struct row_units {
  const char *position, *velocity, *impulse;
} row_units;

static const row_units* units_of(unsigned angular, int row)
{
  static const row_units of_length = {"m", "m/s", "N s"}, of_angle = {"rad", "rad/s", "N m s"};
  return row < 32 && (angular >> row & 1u) ? &of_angle : &of_length;
}

static pc_status name_constraints(pc_system* s, const pc_element* e)
{
  int count = e->g_count + e->gamma_count;
  for (int r = 0; r < count; r++) {
    const char* name = e->constraint_name ? e->constraint_name[r] : e->name;
    int number = e->constraint_name || count == 1 ? 0 : r + 1;
    int row = r < e->g_count ? e->g_first + r : e->gamma_first + r - e->g_count;
    const row_units* unit = units_of(e->angular, r);
    if (r < e->g_count)
      PC_TRY(add_row_quantity(s, name, "position", number, unit->position, PC_QUANTITY_ROW_POSITION,
                              row));
    PC_TRY(add_row_quantity(s, name, "velocity", number, unit->velocity, PC_QUANTITY_ROW_VELOCITY,
                            row));
    PC_TRY(add_row_quantity(s, name, "P", number, unit->impulse, PC_QUANTITY_ROW_P, row));
  }
  return PC_OK;
}

static pc_status name_contact(pc_system* s, const pc_contact* c)
{
  const row_units* normal = units_of(c->angular, 0);
  PC_TRY(
      add_row_quantity(s, c->name, "gap", 0, normal->position, PC_QUANTITY_ROW_POSITION, c->row));
  PC_TRY(add_row_quantity(s, c->name, "gap_velocity", 0, normal->velocity, PC_QUANTITY_ROW_VELOCITY,
                          c->row));
  for (int d = 1; d <= c->dimension; d++)
    PC_TRY(add_row_quantity(s, c->name, "slip", c->dimension > 1 ? d : 0,
                            units_of(c->angular, d)->velocity, PC_QUANTITY_ROW_VELOCITY,
                            c->row + d));
  PC_TRY(add_row_quantity(s, c->name, "P_N", 0, normal->impulse, PC_QUANTITY_ROW_P, c->row));
  for (int d = 1; d <= c->dimension; d++)
    PC_TRY(add_row_quantity(s, c->name, "P_F", c->dimension > 1 ? d : 0,
                            units_of(c->angular, d)->impulse, PC_QUANTITY_ROW_P, c->row + d));
  return PC_OK;
}

pc_status pc_system_close_rows(pc_system* s, pc_error* error)
{
  PC_TRY(pc_need(s, "system", error));
  if (s->closed) return PC_OK;
  if (s->u_count == 0) return pc_fail(error, PC_BAD_MODEL, "there is nothing that can move");
  if (number_rows(s) != PC_OK) return pc_no_memory(error);
  s->closed = 1;
  for (int i = 0; i < s->element_count; i++)
    if (name_constraints(s, &s->element[i]) != PC_OK) return pc_no_memory(error);
  for (int i = 0; i < s->contact_count; i++)
    if (name_contact(s, &s->contact[i]) != PC_OK) return pc_no_memory(error);
  return PC_OK;
}

/* Arrays grow in advance, and now they will not grow any more. */
static pc_status trim(pc_system* s)
{
  pc_system_capacity* has = &s->capacity;
  PC_TRY(pc_trim((void**)&s->part, &has->part, s->part_count, sizeof *s->part));
  PC_TRY(pc_trim((void**)&s->element, &has->element, s->element_count, sizeof *s->element));
  PC_TRY(pc_trim((void**)&s->contact, &has->contact, s->contact_count, sizeof *s->contact));
  PC_TRY(pc_trim((void**)&s->start.q, &has->q, s->q_count, sizeof *s->start.q));
  return pc_trim((void**)&s->start.u, &has->u, s->u_count, sizeof *s->start.u);
}

/* Terms that some element provides, and those of them that never change. */
static void note_terms(pc_system* s)
{
  unsigned provides = 0, constant = PC_TERM_ALL;
  for (int i = 0; i < s->element_count; i++) {
    provides |= s->element[i].provides;
    constant &= s->element[i].constant | ~s->element[i].provides;
  }
  s->terms.provides = provides;
  s->terms.constant = constant & provides;
}

pc_status pc_system_freeze(pc_system* s, pc_error* error)
{
  PC_TRY(pc_need(s, "system", error));
  if (s->frozen) return PC_OK;
  PC_TRY(pc_system_close_rows(s, error));
  PC_TRY(pc_quantities_freeze(&s->quantity, error));
  if (s->shapes.data) PC_TRY(s->shapes.freeze(s->shapes.data, s, error));
  if (trim(s) != PC_OK) return pc_no_memory(error);
  pc_text_index_clear(&s->names.parts); /* no name will be added any more */
  note_terms(s);
  s->frozen = 1;
  return PC_OK;
}
