#include "system/inspect.h"

#include "system/system.h"

int pc_system_element_count(const pc_system* s)
{
  return s->element_count;
}

pc_element_view pc_system_element(const pc_system* s, int element)
{
  const pc_element* e = &s->element[element];
  return (pc_element_view){.name = e->name,
                           .kind = e->ops->kind,
                           .part_count = e->part_count,
                           .part = e->part,
                           .row_count = e->row_count,
                           .constraint_count = e->g_count + e->gamma_count,
                           .provides = e->provides,
                           .data = e->data};
}

/* The contact of a local row behind the constraints of an element. */
static const char* contact_name(const pc_system* s, const pc_element* e, int local)
{
  int k = e->contact_first;
  for (int first = e->g_count + e->gamma_count; local > first + s->contact[k].dimension; k++)
    first += 1 + s->contact[k].dimension;
  return s->contact[k].name;
}

const char* pc_system_row_name(const pc_system* s, int row)
{
  const pc_element* e = &s->element[s->row[row].element];
  int local = s->row[row].local;
  if (local >= e->g_count + e->gamma_count) return contact_name(s, e, local);
  return e->constraint_name ? e->constraint_name[local] : e->name;
}

int pc_system_same_owner(const pc_system* s, int a, int b)
{
  return s->row[a].element == s->row[b].element &&
         pc_system_row_name(s, a) == pc_system_row_name(s, b);
}

int pc_system_contact_row(const pc_system* s, int contact)
{
  return s->contact[contact].row;
}

int pc_system_contact_end(const pc_system* s, int contact)
{
  return s->contact[contact].row + 1 + s->contact[contact].dimension;
}
