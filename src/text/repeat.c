#include "text/repeat.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "text/condition.h"
#include "text/names.h"

enum { INDICES_MAX = 4, BINDINGS_MAX = 40, NAME_SIZE = 160 };

typedef struct writer {
  pc_repetitions* made;
  const pc_scope* scope; /* of the whole file */
  const pc_tables* tables;
  pc_names families; /* names that stand before a bracket in a key, such as link */
  int entry_count;
  int node_count;
  pc_error* error;
} writer;

static pc_status write_out(writer* w, pc_node* node, const pc_bindings* bound);

/* --- names with indices --------------------------------------------------------------------- */

int pc_flat_name(const char* name, size_t length, char* flat, size_t size)
{
  const char* open = memchr(name, '(', length);
  if (!open || length >= size) return 0;
  size_t used = 0;
  for (size_t i = 0; i < length; i++) {
    if (name[i] == '(' || name[i] == ')') continue;
    flat[used++] = name[i] == ',' ? '_' : name[i];
  }
  flat[used] = 0;
  return 1;
}

/* A text of the form link(...) or link(...).x as a whole. */
typedef struct indexed {
  size_t head;             /* length of the name before the bracket */
  const char *open, *tail; /* the bracket; what follows the closing one */
} indexed;

static int is_name_character(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '\'';
}

static int is_indexed(const char* text, indexed* x)
{
  char head[64];
  x->open = strchr(text, '(');
  if (!x->open || x->open - text >= (int)sizeof head) return 0;
  x->head = (size_t)(x->open - text);
  memcpy(head, text, x->head);
  head[x->head] = 0;
  if (!pc_is_name(head, 1) || pc_is_reserved_name(head)) return 0;
  int depth = 0;
  const char* c = x->open;
  do depth += (*c == '(') - (*c == ')');
  while (depth && *++c);
  if (!*c) return 0;
  for (x->tail = ++c; *c; c++)
    if (!is_name_character(*c)) return 0;
  return 1;
}

/* One index, a text up to `end`, as a number behind `flat`. */
static pc_status write_index(const writer* w, const pc_node* node, const pc_scope* scope,
                             const char* begin, const char* end, char* flat)
{
  double value;
  char text[NAME_SIZE];
  size_t length = (size_t)(end - begin);
  if (length >= sizeof text)
    return pc_fail_at(w->error, node, "'%.60s': the index is too long", node->text);
  memcpy(text, begin, length);
  text[length] = 0;
  pc_status status = pc_number_of_text(scope, text, &value, w->error);
  if (status == PC_BAD_MODEL) pc_prefix_error(w->error, "'%.60s': ", node->text);
  PC_TRY(pc_place_error(w->error, node, status));
  if (value != floor(value) || value < 0 || value >= PC_REPEAT_MAX)
    return pc_fail_at(w->error, node,
                      "'%.60s': the index is %g, but must be a whole number from 0 on", node->text,
                      value);
  sprintf(flat + strlen(flat), "%d", (int)value);
  return PC_OK;
}

/* The end of an index: a comma outside of brackets, or the bracket that closes. */
static const char* index_end(const char* c)
{
  for (int depth = 0; depth > 0 || (*c != ',' && *c != ')'); c++)
    depth += (*c == '(') - (*c == ')');
  return c;
}

/* Gives a node the name that its indices make. */
static pc_status flatten(const writer* w, pc_node* node, const indexed* x)
{
  char flat[2 * NAME_SIZE] = "";
  pc_scope scope = pc_bindings_scope(node->bound, w->scope);
  memcpy(flat, node->text, x->head);
  const char* c = x->open;
  for (int i = 0; i < INDICES_MAX && *c != ')'; i++) {
    const char* end = index_end(c + 1);
    if (i) strcat(flat, "_");
    PC_TRY(write_index(w, node, &scope, c + 1, end, flat));
    c = end;
  }
  if (*c != ')' || strlen(flat) + strlen(x->tail) >= NAME_SIZE)
    return pc_fail_at(w->error, node, "'%.60s': expected at most %d indices and a short name",
                      node->text, INDICES_MAX);
  strcat(flat, x->tail);
  char* text = pc_copy_text(flat);
  if (!text) return pc_no_memory(w->error);
  free(node->text);
  node->text = text;
  node->exact = 0;
  return PC_OK;
}

/* A name that is nearly one that is repeated. What is neither is left to whoever reads the node. */
static pc_status refuse_misspelt(const writer* w, const pc_node* node, const indexed* x)
{
  char head[64];
  pc_suggestion names;
  memcpy(head, node->text, x->head);
  head[x->head] = 0;
  if (pc_tables_find(w->tables, head, x->head)) return PC_OK;
  pc_suggest_begin(&names, head);
  for (int i = 0; i < w->families.count; i++) pc_suggest_add(&names, w->families.item[i].text);
  if (!names.best[0]) return PC_OK;
  return pc_fail_at(w->error, node, "there is no '%s(...)'%s", head,
                    pc_suggest_text(&names, "repeated are"));
}

static pc_status resolve_name(const writer* w, pc_node* node)
{
  indexed x;
  if (!node->text || !is_indexed(node->text, &x)) return PC_OK;
  if (pc_names_find(&w->families, node->text, x.head) >= 0) return flatten(w, node, &x);
  return refuse_misspelt(w, node, &x);
}

static pc_status collect_family(writer* w, const pc_node* node)
{
  indexed x;
  if (node->kind != PC_NODE_SCALAR || !is_indexed(node->text, &x)) return PC_OK;
  if (pc_grow((void**)&w->made->text, &w->made->text_capacity, w->made->text_count,
              sizeof *w->made->text) != PC_OK)
    return pc_no_memory(w->error);
  char* head = pc_copy_text(node->text);
  if (!head) return pc_no_memory(w->error);
  head[x.head] = 0;
  w->made->text[w->made->text_count++] = head;
  return pc_names_add(&w->families, head, 0) == PC_OK ? PC_OK : pc_no_memory(w->error);
}

/* Families are named by keys, and in lists by `name:`. */
static pc_status collect_families(writer* w, const pc_node* node)
{
  for (const pc_node* item = node->first; item; item = item->next) {
    const pc_node* value = node->kind == PC_NODE_MAPPING ? item->value : item;
    if (node->kind == PC_NODE_MAPPING) PC_TRY(collect_family(w, item));
    if (node->kind == PC_NODE_MAPPING && strcmp(item->text, "name") == 0)
      PC_TRY(collect_family(w, value));
    PC_TRY(collect_families(w, value));
  }
  return PC_OK;
}

/* --- one repeated entry --------------------------------------------------------------------- */

static int is_control(const char* key)
{
  return strcmp(key, "repeat") == 0 || strcmp(key, "where") == 0 || strcmp(key, "when") == 0;
}

static int has_control(const pc_node* entry)
{
  if (entry->kind != PC_NODE_MAPPING) return 0;
  for (const pc_node* key = entry->first; key; key = key->next)
    if (is_control(key->text)) return 1;
  return 0;
}

typedef struct job {
  writer* w;
  pc_node* collection;            /* to which the copies go */
  pc_node** link;                 /* where the next one goes */
  pc_node* entry;                 /* what is copied: an item, or a key with its value */
  pc_node *repeat, *where, *when; /* keys that have been taken out of it; may be NULL */
  pc_bindings* work;              /* with space for all names of this entry */
} job;

/* Takes the keys that control the repetition out of an entry. */
static void take_controls(job* j, pc_node* mapping)
{
  for (pc_node** link = &mapping->first; *link;) {
    pc_node* key = *link;
    if (!is_control(key->text)) {
      link = &key->next;
      continue;
    }
    *link = key->next;
    key->next = NULL;
    mapping->count--;
    *(key->text[0] == 'r'                          ? &j->repeat
      : key->text[2] == 'e' && key->text[3] == 'r' ? &j->where
                                                   : &j->when) = key;
  }
}

/* {repeat: ..., value: x} stands for x, repeated. */
static void unwrap(job* j, pc_node* mapping)
{
  pc_node* key = mapping->first;
  if (mapping->count != 1 || strcmp(key->text, "value") != 0) return;
  pc_node* value = key->value;
  key->value = NULL;
  if (mapping == j->entry)
    j->entry = value;
  else
    j->entry->value = value;
  pc_tree_destroy(mapping);
}

static pc_status check_binding_name(const writer* w, const pc_node* key, const pc_bindings* bound)
{
  pc_pool* pool = pc_pool_create();
  if (!pool) return pc_no_memory(w->error);
  pc_expr ignored;
  pc_scope scope = pc_bindings_scope(bound, w->scope);
  int known = 0;
  for (const pc_scope* s = &scope; s && !known; s = s->outer)
    known = s->find(s->user, pool, key->text, strlen(key->text), &ignored);
  pc_pool_destroy(pool);
  if (!pc_is_name(key->text, 0) || pc_is_reserved_name(key->text))
    return pc_fail_at(w->error, key,
                      "'%.60s' cannot be the name of an index%s: expected letters, digits and '_', "
                      "beginning with a letter, and nothing that expressions know",
                      key->text, pc_comma_hint(key->text));
  if (!known) return PC_OK;
  return pc_fail_at(w->error, key, "the name '%.60s' is taken already: choose another one",
                    key->text);
}

static pc_status keep_name(writer* w, const pc_node* key, const char** name)
{
  if (pc_grow((void**)&w->made->text, &w->made->text_capacity, w->made->text_count,
              sizeof *w->made->text) != PC_OK)
    return pc_no_memory(w->error);
  char* text = pc_copy_text(key->text);
  if (!text) return pc_no_memory(w->error);
  w->made->text[w->made->text_count++] = text;
  *name = text;
  return PC_OK;
}

static pc_status make_names(job* j, const pc_bindings* outer, int count)
{
  writer* w = j->w;
  j->work = pc_alloc(1, sizeof *j->work + (size_t)count * sizeof *j->work->value);
  const char** name = pc_alloc((size_t)count, sizeof *name);
  if (!j->work || !name ||
      pc_grow((void**)&w->made->names, &w->made->names_capacity, w->made->names_count,
              sizeof *w->made->names) != PC_OK) {
    free(name);
    return pc_no_memory(w->error);
  }
  w->made->names[w->made->names_count++] = name;
  j->work->outer = outer;
  j->work->name = name;
  for (int part = 0; part < 2; part++) {
    const pc_node* mapping = part ? j->where : j->repeat;
    for (const pc_node* key = mapping ? mapping->value->first : NULL; key; key = key->next) {
      PC_TRY(check_binding_name(w, key, j->work));
      PC_TRY(keep_name(w, key, name++));
      j->work->count++;
    }
  }
  j->work->count = 0;
  return PC_OK;
}

static pc_status check_controls(job* j)
{
  static const char* const form[] = {"{i: N}", "{x: expression}"};
  pc_error* error = j->w->error;
  for (int part = 0; part < 2; part++) {
    const pc_node* key = part ? j->where : j->repeat;
    if (key && (key->value->kind != PC_NODE_MAPPING || !key->value->count))
      return pc_fail_at(error, key->value, "%s: expected a mapping such as %s, found %s", key->text,
                        form[part], pc_node_describe(key->value));
  }
  if (j->repeat && j->repeat->value->count > INDICES_MAX)
    return pc_fail_at(error, j->repeat->value, "repeat: expected at most %d indices", INDICES_MAX);
  if (j->where && j->where->value->count > BINDINGS_MAX)
    return pc_fail_at(error, j->where->value, "where: expected at most %d names", BINDINGS_MAX);
  if (!j->repeat || j->collection->kind != PC_NODE_MAPPING) return PC_OK;
  indexed x;
  if (is_indexed(j->entry->text, &x)) return PC_OK;
  if (strchr(j->entry->text, '('))
    return pc_fail_at(error, j->entry,
                      "'%.60s' cannot be a name with an index: expected letters, digits, '_' and "
                      "'-' before the bracket, beginning with a letter, and no function",
                      j->entry->text);
  return pc_fail_at(error, j->entry,
                    "'%.60s' is repeated, so its name needs the index: '%.60s(%.20s)'",
                    j->entry->text, j->entry->text, j->repeat->value->first->text);
}

static pc_status read_whole(const job* j, const pc_node* node, double* value)
{
  pc_scope scope = pc_bindings_scope(j->work, j->w->scope);
  PC_TRY(pc_number_of_node(&scope, node, value, j->w->error));
  if (*value == floor(*value) && fabs(*value) < INT_MAX) return PC_OK;
  return pc_fail_at(j->w->error, node, "repeat: it is %g, but must be a whole number", *value);
}

/* N: 0 .. N-1; [a, b]: a .. b; the name of a table: its rows. */
static pc_status read_range(const job* j, const pc_node* node, double* first, double* last)
{
  *first = 0;
  if (node->kind == PC_NODE_SEQUENCE && node->count == 2) {
    PC_TRY(read_whole(j, node->first, first));
    return read_whole(j, node->first->next, last);
  }
  if (node->kind != PC_NODE_SCALAR)
    return pc_fail_at(j->w->error, node,
                      "repeat: expected a number, [first, last] or the name of a table, found %s",
                      pc_node_describe(node));
  const pc_table* table = pc_tables_find(j->w->tables, node->text, strlen(node->text));
  if (table)
    *last = table->rows;
  else
    PC_TRY(read_whole(j, node, last));
  *last -= 1;
  return PC_OK;
}

/* --- copies --------------------------------------------------------------------------------- */

static pc_status copy_node(writer* w, const pc_node* from, const pc_bindings* bound, pc_node** made)
{
  if (++w->node_count > PC_REPEAT_NODES_MAX)
    return pc_fail_at(w->error, from, "written out, the model has more than %d values",
                      PC_REPEAT_NODES_MAX);
  pc_node* node = pc_alloc(1, sizeof *node);
  if (!node) return pc_no_memory(w->error);
  *made = node;
  *node = *from;
  node->first = node->next = node->value = NULL;
  node->bound = bound;
  if (from->text && !(node->text = pc_copy_text(from->text))) return pc_no_memory(w->error);
  if (from->value) PC_TRY(copy_node(w, from->value, bound, &node->value));
  pc_node** link = &node->first;
  for (const pc_node* item = from->first; item; item = item->next) {
    PC_TRY(copy_node(w, item, bound, link));
    link = &(*link)->next;
  }
  return PC_OK;
}

/* A copy of the names and values at hand, for the nodes of one entry. */
static pc_status keep_bindings(const job* j, const pc_bindings** kept)
{
  size_t size = sizeof *j->work + (size_t)j->work->count * sizeof *j->work->value;
  pc_bindings* copy = pc_alloc(1, size);
  if (!copy) return pc_no_memory(j->w->error);
  memcpy(copy, j->work, size);
  copy->next = j->w->made->bindings;
  j->w->made->bindings = copy;
  *kept = copy;
  return PC_OK;
}

static pc_status add_copy(job* j)
{
  const pc_bindings* bound = NULL;
  PC_TRY(keep_bindings(j, &bound));
  pc_node** link = j->link;
  pc_node* rest = *link;
  pc_node* copy = NULL;
  pc_status status = copy_node(j->w, j->entry, bound, &copy);
  *link = copy ? copy : rest;
  if (copy) {
    copy->next = rest;
    j->collection->count++;
    j->link = &copy->next;
  }
  PC_TRY(status);
  if (j->collection->kind != PC_NODE_MAPPING) return write_out(j->w, copy, bound);
  PC_TRY(resolve_name(j->w, copy));
  return write_out(j->w, copy->value, bound);
}

/* All indices have their values. */
static pc_status add_one(job* j)
{
  writer* w = j->w;
  int holds = 1;
  if (++w->entry_count > PC_REPEAT_MAX)
    return pc_fail_at(w->error, j->repeat ? j->repeat : j->entry,
                      "repeat: more than %d entries in this file", PC_REPEAT_MAX);
  pc_scope scope = pc_bindings_scope(j->work, w->scope);
  for (const pc_node* key = j->where ? j->where->value->first : NULL; key; key = key->next) {
    double value = 0;
    PC_TRY(pc_number_of_node(&scope, key->value, &value, w->error));
    j->work->value[j->work->count++] = value;
  }
  if (j->when) PC_TRY(pc_condition_of_node(&scope, j->when->value, &holds, w->error));
  return holds ? add_copy(j) : PC_OK;
}

/* Runs through the indices from `key` on; the last runs fastest. */
static pc_status enumerate(job* j, const pc_node* key)
{
  int level = j->work->count;
  if (!key) {
    pc_status status = add_one(j);
    j->work->count = level;
    return status;
  }
  double first = 0, last = 0;
  PC_TRY(read_range(j, key->value, &first, &last));
  if (last - first >= PC_REPEAT_MAX)
    return pc_fail_at(j->w->error, key->value, "repeat: it is %.0f times, but at most %d will do",
                      last - first + 1, PC_REPEAT_MAX);
  for (double i = first; i <= last; i++) {
    j->work->count = level + 1;
    j->work->value[level] = i;
    PC_TRY(enumerate(j, key->next));
  }
  j->work->count = level;
  return PC_OK;
}

/* `*link` is the entry; on return it is the one behind its copies. */
static pc_status repeat_entry(writer* w, pc_node* collection, pc_node*** link,
                              const pc_bindings* outer)
{
  job j = {.w = w, .collection = collection, .link = *link, .entry = **link};
  *j.link = j.entry->next;
  j.entry->next = NULL;
  collection->count--;
  pc_node* mapping = collection->kind == PC_NODE_MAPPING ? j.entry->value : j.entry;
  take_controls(&j, mapping);
  pc_status status = check_controls(&j);
  unwrap(&j, mapping);
  int count = (j.repeat ? j.repeat->value->count : 0) + (j.where ? j.where->value->count : 0);
  if (status == PC_OK) status = make_names(&j, outer, count);
  if (status == PC_OK) status = enumerate(&j, j.repeat ? j.repeat->value->first : NULL);
  free(j.work);
  pc_tree_destroy(j.entry);
  pc_tree_destroy(j.repeat);
  pc_tree_destroy(j.where);
  pc_tree_destroy(j.when);
  *link = j.link;
  return status;
}

/* --- the file ------------------------------------------------------------------------------- */

static pc_status write_out(writer* w, pc_node* node, const pc_bindings* bound)
{
  if (node->kind == PC_NODE_SCALAR) return resolve_name(w, node);
  for (pc_node** link = &node->first; *link;) {
    pc_node* item = *link;
    pc_node* entry = node->kind == PC_NODE_MAPPING ? item->value : item;
    if (has_control(entry)) {
      PC_TRY(repeat_entry(w, node, &link, bound));
      continue;
    }
    if (node->kind == PC_NODE_MAPPING) PC_TRY(resolve_name(w, item));
    PC_TRY(write_out(w, entry, bound));
    link = &item->next;
  }
  return PC_OK;
}

static int can_repeat(const char* section)
{
  static const char* const not [] = {"percuss", "title",    "include", "parameters",
                                     "tables",  "simulate", "exact",   "space"};
  for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
    if (strcmp(section, not [i]) == 0) return 0;
  return 1;
}

pc_status pc_repeat(pc_repetitions* made, pc_node* root, const pc_scope* scope,
                    const pc_tables* tables, pc_error* error)
{
  writer w = {.made = made, .scope = scope, .tables = tables, .error = error};
  pc_status status = PC_OK;
  for (pc_node* key = root->first; key && status == PC_OK; key = key->next)
    if (can_repeat(key->text)) status = collect_families(&w, key->value);
  pc_names_sort(&w.families);
  for (pc_node* key = root->first; key && status == PC_OK; key = key->next)
    if (can_repeat(key->text)) status = write_out(&w, key->value, NULL);
  pc_names_clear(&w.families);
  return status;
}

static void free_bindings(pc_repetitions* made)
{
  for (pc_bindings *b = made->bindings, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  made->bindings = NULL;
}

static int has_bindings(const pc_node* node)
{
  if (!node) return 0;
  if (node->bound || has_bindings(node->value)) return 1;
  for (const pc_node* item = node->first; item; item = item->next)
    if (has_bindings(item)) return 1;
  return 0;
}

void pc_repetitions_release(pc_repetitions* made, const pc_node* root)
{
  if (!has_bindings(root)) free_bindings(made);
}

void pc_repetitions_clear(pc_repetitions* made)
{
  free_bindings(made);
  for (int i = 0; i < made->text_count; i++) free(made->text[i]);
  for (int i = 0; i < made->names_count; i++) free((void*)made->names[i]);
  free(made->text);
  free(made->names);
  *made = (pc_repetitions){0};
}
