#include "elements/part_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

static void free_names(char** name, int count)
{
  for (int i = 0; name && i < count; i++) free(name[i]);
  free(name);
}

/* head.tail[0], head.tail[1], ...; NULL without memory. */
static char** make_names(const char* head, const char* const* tail, int count)
{
  char** name = pc_alloc((size_t)count, sizeof *name);
  for (int i = 0; name && i < count; i++) {
    size_t size = strlen(head) + strlen(tail[i]) + 2;
    name[i] = malloc(size);
    if (!name[i]) {
      free_names(name, i);
      return NULL;
    }
    snprintf(name[i], size, "%s.%s", head, tail[i]);
  }
  return name;
}

pc_status pc_add_named_part(const pc_adding* a, const pc_part_def* def, const char* const* q_tail,
                            const char* const* u_tail, pc_part_id* id)
{
  pc_part_def part = *def;
  part.name = a->name;
  char** q_name = q_tail ? make_names(a->name, q_tail, def->q_count) : NULL;
  char** u_name = u_tail ? make_names(a->name, u_tail, def->u_count) : NULL;
  if (q_name) part.q_name = (const char* const*)q_name;
  if (u_name) part.u_name = (const char* const*)u_name;
  pc_status status = (q_tail && !q_name) || (u_tail && !u_name)
                         ? pc_no_memory(a->error)
                         : pc_system_add_part(a->system, &part, id, a->error);
  free_names(q_name, def->q_count);
  free_names(u_name, def->u_count);
  return status;
}
