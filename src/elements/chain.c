#include "elements/chain.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "elements/part_names.h"

enum { NAME_SIZE = 24, NODE_NAME_SIZE = 256 };

/* root, 1, 2, ..., tip, and an ending */
static void name_node(int node, int last, const char* dot, const char* tail, char text[NAME_SIZE])
{
  if (node == 0)
    snprintf(text, NAME_SIZE, "root%s%s", dot, tail);
  else if (node == last)
    snprintf(text, NAME_SIZE, "tip%s%s", dot, tail);
  else
    snprintf(text, NAME_SIZE, "%d%s%s", node, dot, tail);
}

/* The names and units of all coordinates, or of all velocities; one allocation each. */
typedef struct labels {
  char (*text)[NAME_SIZE];
  const char** list; /* names, then units */
} labels;

static void free_labels(labels* l)
{
  free(l->text);
  free(l->list);
}

static pc_status make_labels(int last, int width, const char* const* tail, const char* const* unit,
                             labels* l)
{
  size_t count = ((size_t)last + 1) * (size_t)width, i = 0;
  l->text = pc_alloc(count, sizeof *l->text);
  l->list = pc_alloc(2 * count, sizeof *l->list);
  if (!l->text || !l->list) return PC_OUT_OF_MEMORY;
  for (int node = 0; node <= last; node++)
    for (int k = 0; k < width; k++, i++) {
      name_node(node, last, ".", tail[k], l->text[i]);
      l->list[i] = l->text[i];
      l->list[count + i] = unit[k];
    }
  return PC_OK;
}

pc_status pc_add_chain(const pc_adding* a, const pc_chain* chain, const double* q0,
                       const double* u0, pc_part_id* id)
{
  labels q = {0}, u = {0};
  int q_count = (chain->last + 1) * chain->q_width, u_count = (chain->last + 1) * chain->u_width;
  pc_status status = make_labels(chain->last, chain->q_width, chain->q_tail, chain->q_unit, &q);
  if (status == PC_OK)
    status = make_labels(chain->last, chain->u_width, chain->u_tail, chain->u_unit, &u);
  if (status == PC_OK) {
    const pc_part_def part = {
        .kind = chain->kind,
        .q_count = q_count,
        .u_count = u_count,
        .q0 = q0,
        .u0 = u0,
        .q_unit = q.list + q_count,
        .u_unit = u.list + u_count,
        .kinematics = chain->kinematics,
    };
    status = pc_add_named_part(a, &part, q.list, u.list, id);
  } else {
    pc_no_memory(a->error);
  }
  free_labels(&q);
  free_labels(&u);
  return status;
}

pc_status pc_add_chain_part(const pc_adding* a, const pc_chain* chain, int node, const double* q0,
                            const double* u0, pc_part_id* id)
{
  char text[NAME_SIZE], name[NODE_NAME_SIZE];
  name_node(node, chain->last, "", "", text);
  snprintf(name, sizeof name, "%.230s.%s", a->name, text);
  const pc_adding adding = {a->system, a->kind, name, a->error};
  const pc_part_def part = {
      .kind = chain->kind,
      .q_count = chain->q_width,
      .u_count = chain->u_width,
      .q0 = q0,
      .u0 = u0,
      .q_unit = chain->q_unit,
      .u_unit = chain->u_unit,
      .kinematics = chain->kinematics,
      .retract = chain->retract,
      .chain = chain->last - node,
  };
  return pc_add_named_part(&adding, &part, chain->q_tail, chain->u_tail, id);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

int pc_chain_last(const pc_system* system, pc_part_id id, const pc_chain_view* view)
{
  const pc_part* part = NULL;
  if (pc_system_part(system, id, &part, NULL) != PC_OK || !part) return -1;
  return part->kind == view->kind ? part->q_count / view->q_width - 1 : -1;
}

pc_status pc_chain_node(pc_system* system, pc_part_id id, const pc_chain_view* view,
                        const char* noun, int node, pc_part_id* node_id, pc_error* error)
{
  const pc_part* part = NULL;
  PC_TRY(pc_system_part(system, id, &part, error));
  int last = pc_chain_last(system, id, view);
  if (node < 0 || node > last)
    return pc_fail(error, PC_BAD_MODEL, "%s '%s' has no node %d; its nodes are 0 to %d", noun,
                   part->name, node, last);
  char text[NAME_SIZE], name[NODE_NAME_SIZE];
  name_node(node, last, "", "", text);
  snprintf(name, sizeof name, "%.230s.%s", part->name, text);
  const pc_window_def window = {id, node * view->q_width, view->q_width, view->node_kind, name};
  return pc_system_add_window(system, &window, node_id, error);
}
