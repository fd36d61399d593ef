#include "system/inspect.h"

#include "system/system.h"

int pc_system_element_count(const pc_system* s)
{
  if (!s) return 0;
  return s->element_count;
}

pc_element_view pc_system_element(const pc_system* s, int element)
{
  pc_element found;
  const pc_element* e = pc_system_element_at(s, element, &found);
  return (pc_element_view){.name = e->name,
                           .kind = e->ops->kind,
                           .part_count = e->part_count,
                           .part = e->part,
                           .row_count = e->row_count,
                           .constraint_count = e->g_count + e->gamma_count,
                           .contact_first = e->contact_first,
                           .contact_count = e->contact_count,
                           .provides = e->provides,
                           .data = e->data};
}

/* The contact of a local row behind the constraints of an element. */
static const char* contact_name(const pc_system* s, const pc_element* e, int local)
{
  int k = e->contact_first, first = e->g_count + e->gamma_count;
  pc_contact c = pc_system_contact_at(s, k);
  while (local > first + c.dimension) {
    first += 1 + c.dimension;
    c = pc_system_contact_at(s, ++k);
  }
  return c.name;
}

const char* pc_system_row_name(const pc_system* s, int row)
{
  pc_element found;
  pc_row_place place = pc_system_row_place(s, row);
  const pc_element* e = pc_system_element_at(s, place.element, &found);
  int local = place.local;
  if (local >= e->g_count + e->gamma_count) return contact_name(s, e, local);
  return e->constraint_name ? e->constraint_name[local] : e->name;
}

int pc_system_same_owner(const pc_system* s, int a, int b)
{
  return pc_system_row_place(s, a).element == pc_system_row_place(s, b).element &&
         pc_system_row_name(s, a) == pc_system_row_name(s, b);
}

int pc_system_contact_row(const pc_system* s, int contact)
{
  int fixed = s->contact_count - s->found.count;
  return contact < fixed ? s->contact[contact].row : s->found.slot[contact - fixed].row;
}

int pc_system_contact_end(const pc_system* s, int contact)
{
  int fixed = s->contact_count - s->found.count;
  if (contact < fixed) return s->contact[contact].row + 1 + s->contact[contact].dimension;
  const pc_found_slot* found = &s->found.slot[contact - fixed];
  return found->row + found->rows;
}
