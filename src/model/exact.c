#include "model/exact.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { ENTRIES_MAX = 4096 }; /* names are looked for one after the other */

/* The names that formulas may use besides the parameters: t, and what has been read so far. */
typedef struct known {
  const pc_node** key;
  pc_expr* expr;
  int count;
} known;

typedef struct making {
  const pc_reader* r;
  pc_exact* exact;
  pc_pool* pool;
  pc_scope scope;
  known known;
} making;

static int find_name(void* user, pc_pool* pool, const char* name, size_t length, pc_expr* meaning)
{
  const known* k = &((making*)user)->known;
  if (length == 1 && name[0] == 't') {
    *meaning = pc_expr_variable(pool, 0);
    return 1;
  }
  for (int i = 0; i < k->count; i++) {
    if (strlen(k->key[i]->text) != length || strncmp(k->key[i]->text, name, length) != 0) continue;
    *meaning = k->expr[i];
    return 1;
  }
  return 0;
}

static void list_names(const void* user, pc_suggestion* names)
{
  const known* k = &((const making*)user)->known;
  for (int i = 0; i < k->count; i++) pc_suggest_add(names, k->key[i]->text);
  pc_suggest_add(names, "t");
}

static pc_status parse(making* m, const pc_node* key, pc_expr* expr)
{
  pc_status status = pc_parse_node(&m->scope, key->value, m->pool, expr, m->r->error);
  if (status != PC_OK && status != PC_OUT_OF_MEMORY)
    pc_prefix_error(m->r->error, "exact %s: ", key->text);
  return status;
}

static void remember(making* m, const pc_node* key, pc_expr expr)
{
  known* k = &m->known;
  k->key[k->count] = key;
  k->expr[k->count++] = expr;
}

static pc_status read_part(making* m, const pc_node* key)
{
  pc_error* error = m->r->error;
  if (!pc_is_name(key->text, 0) || pc_is_reserved_name(key->text))
    return pc_fail_at(error, key, "'%.60s' cannot be a name in formulas", key->text);
  if (pc_names_find(&m->r->parameters->index, key->text, strlen(key->text)) >= 0)
    return pc_fail_at(error, key, "the name '%s' is taken already by a parameter", key->text);
  if (pc_system_find_quantity(m->r->system, key->text) >= 0)
    return pc_fail_at(error, key, "the name '%s' is taken already by a quantity of the model",
                      key->text);
  pc_expr expr;
  PC_TRY(parse(m, key, &expr));
  remember(m, key, expr);
  return PC_OK;
}

static int is_comparable(pc_quantity_kind kind)
{
  return kind == PC_QUANTITY_Q || kind == PC_QUANTITY_U || kind == PC_QUANTITY_ROW_P;
}

static pc_status fail_with_quantity(const making* m, const pc_node* key)
{
  const pc_system* system = m->r->system;
  pc_suggestion names;
  pc_suggest_begin(&names, key->text);
  for (int i = 0; i < pc_system_quantity_count(system); i++)
    if (is_comparable(pc_system_quantity(system, i).kind))
      pc_suggest_add(&names, pc_system_quantity(system, i).name);
  return pc_fail_at(m->r->error, key,
                    "exact: '%.60s' is no coordinate, velocity or percussion of the model%s",
                    key->text, pc_suggest_text(&names, "these are"));
}

static pc_status read_quantity(making* m, const pc_node* key)
{
  const pc_system* system = m->r->system;
  int quantity = pc_system_find_quantity(system, key->text);
  if (quantity < 0 || !is_comparable(pc_system_quantity(system, quantity).kind))
    return fail_with_quantity(m, key);
  pc_expr expr;
  PC_TRY(parse(m, key, &expr));
  pc_exact_entry* entry = &m->exact->item[m->exact->count];
  entry->quantity = quantity;
  pc_status status = pc_formula_signal(m->pool, expr, &entry->value);
  if (status == PC_BAD_ARGUMENT)
    return pc_fail_at(m->r->error, key->value, "exact %s: the formula is too long", key->text);
  if (status != PC_OK) return pc_no_memory(m->r->error);
  m->exact->count++;
  remember(m, key, expr);
  return PC_OK;
}

static int is_where(const pc_node* key)
{
  return strcmp(key->text, "where") == 0 && key->value->kind == PC_NODE_MAPPING;
}

static pc_status read_all(making* m, const pc_node* section)
{
  size_t count = (size_t)section->count, parts = 0;
  for (const pc_node* key = section->first; key; key = key->next)
    if (is_where(key)) parts = (size_t)key->value->count;
  if (count + parts > ENTRIES_MAX)
    return pc_fail_at(m->r->error, section, "exact: expected at most %d formulas", ENTRIES_MAX);
  m->exact->item = pc_alloc(count, sizeof *m->exact->item);
  m->known.key = pc_alloc(count + parts, sizeof *m->known.key);
  m->known.expr = pc_alloc(count + parts, sizeof *m->known.expr);
  m->pool = pc_pool_create();
  if (!m->exact->item || !m->known.key || !m->known.expr || !m->pool)
    return pc_no_memory(m->r->error);
  for (const pc_node* key = section->first; key; key = key->next)
    for (const pc_node* part = is_where(key) ? key->value->first : NULL; part; part = part->next)
      PC_TRY(read_part(m, part));
  for (const pc_node* key = section->first; key; key = key->next)
    if (!is_where(key)) PC_TRY(read_quantity(m, key));
  return PC_OK;
}

pc_status pc_read_exact(const pc_reader* r, const pc_node* section, pc_exact* exact)
{
  if (!section) return PC_OK;
  if (section->kind != PC_NODE_MAPPING)
    return pc_fail_at(r->error, section,
                      "exact: expected a mapping of quantities to formulas of t, found %s",
                      pc_node_describe(section));
  making m = {.r = r, .exact = exact};
  m.scope = (pc_scope){find_name, list_names, &m, &r->scope};
  pc_status status = read_all(&m, section);
  pc_pool_destroy(m.pool);
  free(m.known.key);
  free(m.known.expr);
  return status;
}

void pc_exact_clear(pc_exact* exact)
{
  for (int i = 0; i < exact->count; i++) {
    pc_signal* s = &exact->item[i].value;
    if (s->destroy) s->destroy(s->user);
  }
  free(exact->item);
  *exact = (pc_exact){0};
}

int pc_exact_value(const pc_exact* exact, int quantity, double t, double* value)
{
  for (int i = 0; i < exact->count; i++) {
    const pc_exact_entry* entry = &exact->item[i];
    if (entry->quantity != quantity) continue;
    const pc_signal* s = &entry->value;
    *value = s->value ? s->value(s->user, t) : s->constant;
    return 1;
  }
  return 0;
}
