#include "text/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

/* --- the scope ------------------------------------------------------------------------------ */

static int find_parameter(void* user, pc_pool* pool, const char* name, size_t length,
                          pc_expr* meaning)
{
  const pc_parameters* p = user;
  int i = pc_names_find(&p->index, name, length);
  if (i < 0) return 0;
  *meaning = pc_expr_number(pool, p->item[i].value);
  return 1;
}

static void list_parameters(const void* user, pc_suggestion* names)
{
  const pc_parameters* p = user;
  for (int i = 0; i < p->count; i++) pc_suggest_add(names, p->item[i].name);
}

pc_scope pc_parameters_scope(const pc_parameters* parameters)
{
  /* The lookup interface takes any user data; these are only read. */
  return (pc_scope){find_parameter, list_parameters, (void*)parameters, NULL};
}

/* --- the names ------------------------------------------------------------------------------ */

static pc_status check_name(const pc_node* key, pc_error* error)
{
  if (!pc_is_name(key->text, 0))
    return pc_fail_at(
        error, key,
        "'%.60s' cannot be the name of a parameter: expected letters, digits and '_', "
        "beginning with a letter",
        key->text);
  if (pc_is_reserved_name(key->text))
    return pc_fail_at(error, key, "a parameter cannot be called '%s': expressions know this name",
                      key->text);
  return PC_OK;
}

static pc_status collect(pc_parameters* p, const pc_node* section, pc_error* error)
{
  p->item = pc_alloc(section ? (size_t)section->count : 0, sizeof *p->item);
  if (!p->item) return pc_no_memory(error);
  for (const pc_node* key = section ? section->first : NULL; key; key = key->next) {
    PC_TRY(check_name(key, error));
    if (key->value->kind != PC_NODE_SCALAR || !key->value->text[0])
      return pc_fail_at(error, key->value,
                        "parameter '%s': expected a number or an expression, "
                        "found %s",
                        key->text, pc_node_describe(key->value));
    if (pc_names_add(&p->index, key->text, p->count) != PC_OK) return pc_no_memory(error);
    p->item[p->count++] =
        (pc_parameter){.name = key->text, .text = key->value->text, .node = key->value};
  }
  pc_names_sort(&p->index);
  return PC_OK;
}

/* --- overrides ------------------------------------------------------------------------------ */

static pc_status fail_with_unknown(const pc_parameters* p, const char* name, pc_error* error)
{
  pc_suggestion names;
  pc_suggest_begin(&names, name);
  list_parameters(p, &names);
  return pc_fail(error, PC_BAD_ARGUMENT, "the model has no parameter '%.60s'%s", name,
                 p->count ? pc_suggest_text(&names, "it has") : "; it has none");
}

static pc_status apply_overrides(pc_parameters* p, const pc_override* override, int count,
                                 pc_error* error)
{
  for (int i = 0; i < count; i++) {
    if (!override[i].name || !override[i].value)
      return pc_fail(error, PC_BAD_ARGUMENT, "an override without a name or a value");
    int k = pc_names_find(&p->index, override[i].name, strlen(override[i].name));
    if (k < 0) return fail_with_unknown(p, override[i].name, error);
    p->item[k].text = override[i].value;
    p->item[k].overridden = 1;
  }
  return PC_OK;
}

/* An error of the override has no place in the file. */
static pc_status fail_with_parameter(const pc_parameter* item, pc_status status, pc_error* error)
{
  if (status == PC_OK || status == PC_OUT_OF_MEMORY) return status;
  pc_prefix_error(error, "parameter '%s': ", item->name);
  if (!item->overridden) return status;
  error->line = error->column = 0;
  return error->status = PC_BAD_ARGUMENT;
}

/* --- who needs whom ------------------------------------------------------------------------- */

typedef struct edge {
  int from, to; /* `to` needs `from` */
} edge;

typedef struct graph {
  const pc_parameters* parameters;
  int reader; /* whose text is being parsed */
  int count, capacity;
  edge* item;
  int failed; /* no memory */
} graph;

static int find_dependency(void* user, pc_pool* pool, const char* name, size_t length,
                           pc_expr* meaning)
{
  graph* g = user;
  int i = pc_names_find(&g->parameters->index, name, length);
  if (i < 0) return 0;
  if (pc_grow((void**)&g->item, &g->capacity, g->count, sizeof *g->item) != PC_OK)
    g->failed = 1;
  else
    g->item[g->count++] = (edge){i, g->reader};
  *meaning = pc_expr_number(pool, 1); /* whatever it is, it will be a number */
  return 1;
}

static void list_dependencies(const void* user, pc_suggestion* names)
{
  list_parameters(((const graph*)user)->parameters, names);
}

static pc_status parse_parameter(graph* g, pc_error* error)
{
  const pc_parameter* item = &g->parameters->item[g->reader];
  pc_scope scope = {find_dependency, list_dependencies, g, NULL};
  pc_pool* pool = pc_pool_create();
  if (!pool) return pc_no_memory(error);
  pc_expr expr = 0;
  pc_status status = item->overridden ? pc_parse_text(&scope, item->text, pool, &expr, error)
                                      : pc_parse_node(&scope, item->node, pool, &expr, error);
  pc_pool_destroy(pool);
  if (g->failed) return pc_no_memory(error);
  return fail_with_parameter(item, status, error);
}

static int compare_edges(const void* a, const void* b)
{
  const edge *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

/* --- values --------------------------------------------------------------------------------- */

/* Every parameter without a value waits for another one, `next`. Whoever follows that as often as
 * there are parameters is on a circle. */
static pc_status fail_with_cycle(const graph* g, int* next, pc_error* error)
{
  const pc_parameters* p = g->parameters;
  for (int e = 0; e < g->count; e++)
    if (!p->item[g->item[e].from].known) next[g->item[e].to] = g->item[e].from;
  int start = 0;
  while (p->item[start].known) start++;
  for (int step = 0; step < p->count; step++) start = next[start];
  for (int i = next[start], end = start; i != end; i = next[i])
    if (i < start) start = i; /* the path begins with the first one of the file */
  char path[300];
  size_t used = (size_t)snprintf(path, sizeof path, "%s", p->item[start].name);
  int overridden = 0, i = start;
  do {
    overridden |= p->item[i].overridden;
    i = next[i];
    if (used < sizeof path)
      used += (size_t)snprintf(path + used, sizeof path - used, " -> %s", p->item[i].name);
  } while (i != start);
  pc_fail_at(error, p->item[start].node, "parameters depend on each other in a circle: %s", path);
  if (!overridden) return PC_BAD_MODEL;
  error->line = error->column = 0;
  return error->status = PC_BAD_ARGUMENT;
}

static pc_status give_value(pc_parameters* p, int i, pc_error* error)
{
  pc_parameter* item = &p->item[i];
  pc_scope scope = pc_parameters_scope(p);
  pc_status status = item->overridden ? pc_number_of_text(&scope, item->text, &item->value, error)
                                      : pc_number_of_node(&scope, item->node, &item->value, error);
  item->known = status == PC_OK;
  return fail_with_parameter(item, status, error);
}

/* Kahn's order: a parameter gets its value once all that it needs have theirs. */
static pc_status give_values(pc_parameters* p, const graph* g, int* waiting, int* ready,
                             pc_error* error)
{
  for (int e = 0; e < g->count; e++) waiting[g->item[e].to]++;
  int ready_count = 0;
  for (int i = 0; i < p->count; i++)
    if (!waiting[i]) ready[ready_count++] = i;
  for (int k = 0; k < ready_count; k++) {
    PC_TRY(give_value(p, ready[k], error));
    int low = 0, high = g->count; /* the first edge from ready[k] */
    while (low < high) {
      int middle = low + (high - low) / 2;
      if (g->item[middle].from < ready[k])
        low = middle + 1;
      else
        high = middle;
    }
    for (int e = low; e < g->count && g->item[e].from == ready[k]; e++)
      if (--waiting[g->item[e].to] == 0) ready[ready_count++] = g->item[e].to;
  }
  return ready_count == p->count ? PC_OK : fail_with_cycle(g, waiting, error);
}

static pc_status resolve(pc_parameters* p, graph* g, pc_error* error)
{
  for (g->reader = 0; g->reader < p->count; g->reader++)
    if (pc_is_expression(p->item[g->reader].text)) PC_TRY(parse_parameter(g, error));
  if (g->count) qsort(g->item, (size_t)g->count, sizeof *g->item, compare_edges);
  int* work = pc_alloc(2 * (size_t)p->count, sizeof *work);
  if (!work) return pc_no_memory(error);
  pc_status status = give_values(p, g, work, work + p->count, error);
  free(work);
  return status;
}

pc_status pc_parameters_read(pc_parameters* parameters, const pc_node* section,
                             const pc_override* override, int override_count, pc_error* error)
{
  if (section && section->kind != PC_NODE_MAPPING)
    return pc_fail_at(error, section,
                      "parameters: expected a mapping of names to numbers, found %s",
                      pc_node_describe(section));
  PC_TRY(collect(parameters, section, error));
  PC_TRY(apply_overrides(parameters, override, override_count, error));
  graph g = {.parameters = parameters};
  pc_status status = resolve(parameters, &g, error);
  free(g.item);
  return status;
}

void pc_parameters_clear(pc_parameters* parameters)
{
  free(parameters->item);
  pc_names_clear(&parameters->index);
  *parameters = (pc_parameters){0};
}
