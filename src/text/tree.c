#include "text/tree.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/memory.h"
#include "base/status.h"
#include "text/bindings.h"

/* A collection that is still open. */
typedef struct frame {
  pc_node* node;
  pc_node* last;    /* its last item or key */
  int awaits_value; /* of the key `last` */
} frame;

typedef struct builder {
  yaml_parser_t parser;
  const char* text;
  size_t size;
  pc_node* root;
  frame open[PC_TREE_DEPTH_MAX];
  int depth;
  int node_count;
  int document_count;
  pc_error* error;
} builder;

static int to_int(size_t value)
{
  return value < INT_MAX ? (int)value : INT_MAX;
}

static pc_status fail_at_mark(builder* b, yaml_mark_t mark, const char* format, ...)
{
  char text[sizeof b->error->text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  b->error->line = to_int(mark.line + 1);
  b->error->column = to_int(mark.column + 1);
  return pc_fail(b->error, PC_BAD_MODEL, "%s", text);
}

/* The place of a byte of the text: the reader of libyaml knows offsets only. */
static yaml_mark_t mark_of_offset(const builder* b, size_t offset)
{
  yaml_mark_t mark = {offset, 0, 0};
  for (size_t i = 0; i < offset && i < b->size; i++) {
    unsigned char c = (unsigned char)b->text[i];
    if (c == '\n') {
      mark.line++;
      mark.column = 0;
    } else if ((c & 0xC0) != 0x80) { /* not the continuation of a character */
      mark.column++;
    }
  }
  return mark;
}

static pc_status fail_with_parser(builder* b)
{
  const yaml_parser_t* p = &b->parser;
  const char* problem = p->problem ? p->problem : "unknown problem";
  if (p->error == YAML_MEMORY_ERROR) return pc_no_memory(b->error);
  if (p->error == YAML_READER_ERROR)
    return fail_at_mark(b, mark_of_offset(b, p->problem_offset), "the file is not a text: %s",
                        problem);
  if (p->context)
    return fail_at_mark(b, p->problem_mark, "not valid YAML: %s, %s that begins at line %d",
                        problem, p->context, to_int(p->context_mark.line + 1));
  return fail_at_mark(b, p->problem_mark, "not valid YAML: %s", problem);
}

/* Hangs a node into the innermost open collection. From here on the tree owns it. */
static pc_status attach(builder* b, pc_node* node, yaml_mark_t mark)
{
  if (b->depth == 0) {
    b->root = node;
    return PC_OK;
  }
  frame* f = &b->open[b->depth - 1];
  if (f->awaits_value) {
    f->last->value = node;
    f->awaits_value = 0;
    return PC_OK;
  }
  *(f->last ? &f->last->next : &f->node->first) = node;
  f->last = node;
  f->node->count++;
  if (f->node->kind != PC_NODE_MAPPING) return PC_OK;
  f->awaits_value = 1;
  if (node->kind != PC_NODE_SCALAR)
    return fail_at_mark(b, mark, "expected a key, found %s", pc_node_describe(node));
  return PC_OK;
}

static pc_status add_node(builder* b, pc_node_kind kind, yaml_mark_t mark, pc_node** added)
{
  if (++b->node_count > PC_TREE_NODES_MAX)
    return fail_at_mark(b, mark, "the file has more than %d entries", PC_TREE_NODES_MAX);
  pc_node* node = pc_alloc(1, sizeof *node);
  if (!node) return pc_no_memory(b->error);
  node->kind = kind;
  node->line = to_int(mark.line + 1);
  node->column = to_int(mark.column + 1);
  *added = node;
  return attach(b, node, mark);
}

static pc_status refuse_extras(builder* b, const yaml_event_t* event, const yaml_char_t* anchor,
                               const yaml_char_t* tag)
{
  if (anchor)
    return fail_at_mark(b, event->start_mark, "anchors ('&%.40s') are not allowed in a model file",
                        (const char*)anchor);
  if (tag)
    return fail_at_mark(b, event->start_mark, "tags ('%.40s') are not allowed in a model file",
                        (const char*)tag);
  return PC_OK;
}

static pc_status open_collection(builder* b, const yaml_event_t* event, pc_node_kind kind)
{
  const yaml_char_t* anchor = event->data.mapping_start.anchor;
  const yaml_char_t* tag = event->data.mapping_start.tag;
  if (kind == PC_NODE_SEQUENCE) {
    anchor = event->data.sequence_start.anchor;
    tag = event->data.sequence_start.tag;
  }
  PC_TRY(refuse_extras(b, event, anchor, tag));
  if (b->depth == PC_TREE_DEPTH_MAX)
    return fail_at_mark(b, event->start_mark, "lists and mappings are nested more than %d deep",
                        PC_TREE_DEPTH_MAX);
  pc_node* node = NULL;
  PC_TRY(add_node(b, kind, event->start_mark, &node));
  b->open[b->depth++] = (frame){.node = node};
  return PC_OK;
}

/* Whether position i of the text is column + i (+ 1 after a quote) of the file. */
static int stands_as_it_is(const yaml_event_t* event, int quoted)
{
  if (event->start_mark.line != event->end_mark.line) return 0;
  size_t characters = 0;
  for (size_t i = 0; i < event->data.scalar.length; i++)
    characters += (event->data.scalar.value[i] & 0xC0) != 0x80;
  return event->end_mark.column - event->start_mark.column == characters + (quoted ? 2 : 0);
}

static pc_status add_scalar(builder* b, const yaml_event_t* event)
{
  PC_TRY(refuse_extras(b, event, event->data.scalar.anchor, event->data.scalar.tag));
  const char* value = (const char*)event->data.scalar.value;
  if (strlen(value) != event->data.scalar.length)
    return fail_at_mark(b, event->start_mark, "a text with a NUL character");
  pc_node* node = NULL;
  PC_TRY(add_node(b, PC_NODE_SCALAR, event->start_mark, &node));
  node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  node->exact = stands_as_it_is(event, node->quoted);
  node->text = pc_copy_text(value);
  return node->text ? PC_OK : pc_no_memory(b->error);
}

static int compare_keys(const void* a, const void* b)
{
  const pc_node* x = *(const pc_node* const*)a;
  const pc_node* y = *(const pc_node* const*)b;
  int order = strcmp(x->text, y->text);
  if (order) return order;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return x->column < y->column ? -1 : 1;
}

/* Of all keys that come twice, the second one that stands first in the file is reported. */
static pc_status refuse_duplicates(builder* b, const pc_node* mapping)
{
  const pc_node** key = pc_alloc((size_t)mapping->count, sizeof(pc_node*));
  if (!key) return pc_no_memory(b->error);
  int n = 0;
  for (const pc_node* k = mapping->first; k; k = k->next) key[n++] = k;
  qsort(key, (size_t)n, sizeof(pc_node*), compare_keys);
  const pc_node *first = NULL, *second = NULL;
  for (int i = 1; i < n; i++) {
    if (strcmp(key[i - 1]->text, key[i]->text) != 0) continue;
    if (second && (key[i]->line > second->line ||
                   (key[i]->line == second->line && key[i]->column > second->column)))
      continue;
    first = key[i - 1];
    second = key[i];
  }
  free(key);
  if (!second) return PC_OK;
  return pc_fail_at(b->error, second, "'%.60s' stands here a second time; the first is at line %d",
                    second->text, first->line);
}

static pc_status close_collection(builder* b)
{
  const pc_node* node = b->open[--b->depth].node;
  return node->kind == PC_NODE_MAPPING ? refuse_duplicates(b, node) : PC_OK;
}

static pc_status take_event(builder* b, const yaml_event_t* event)
{
  switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
      if (b->document_count++ == 0) return PC_OK;
      return fail_at_mark(b, event->start_mark,
                          "a second document begins here; a model file holds one");
    case YAML_ALIAS_EVENT:
      return fail_at_mark(b, event->start_mark,
                          "aliases ('*%.40s') are not allowed in a model file",
                          (const char*)event->data.alias.anchor);
    case YAML_SCALAR_EVENT: return add_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT: return open_collection(b, event, PC_NODE_SEQUENCE);
    case YAML_MAPPING_START_EVENT: return open_collection(b, event, PC_NODE_MAPPING);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return close_collection(b);
    default: return PC_OK;
  }
}

static pc_status build(builder* b)
{
  for (int more = 1; more;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&b->parser, &event)) return fail_with_parser(b);
    more = event.type != YAML_STREAM_END_EVENT;
    pc_status status = take_event(b, &event);
    yaml_event_delete(&event);
    PC_TRY(status);
  }
  if (!b->root) return fail_at_mark(b, (yaml_mark_t){0}, "the file is empty");
  return PC_OK;
}

/* Bytes that some editors put before a text in UTF-8; the parser, once it is given the encoding,
 * takes them for a part of the text. */
static size_t byte_order_mark(const char* text, size_t size)
{
  return size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

pc_status pc_tree_read(const char* text, size_t size, pc_node** root, pc_error* error)
{
  pc_error ignored = {0};
  size_t mark = byte_order_mark(text, size);
  builder b = {.text = text + mark, .size = size - mark, .error = error ? error : &ignored};
  *root = NULL;
  if (size > PC_TREE_SIZE_MAX)
    return fail_at_mark(&b, (yaml_mark_t){0}, "the file is larger than %d MiB",
                        PC_TREE_SIZE_MAX >> 20);
  if (!yaml_parser_initialize(&b.parser)) return pc_no_memory(error);
  yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&b.parser, (const unsigned char*)b.text, b.size);
  pc_status status = build(&b);
  yaml_parser_delete(&b.parser);
  if (status == PC_OK)
    *root = b.root;
  else
    pc_tree_destroy(b.root);
  return status;
}

/* Recursion is as deep as the tree: PC_TREE_DEPTH_MAX. */
void pc_tree_destroy(pc_node* node)
{
  while (node) {
    pc_node* next = node->next;
    pc_tree_destroy(node->first);
    pc_tree_destroy(node->value);
    free(node->text);
    free(node);
    node = next;
  }
}

const pc_node* pc_node_key(const pc_node* mapping, const char* key)
{
  for (const pc_node* k = mapping->first; k; k = k->next)
    if (strcmp(k->text, key) == 0) return k;
  return NULL;
}

const char* pc_node_describe(const pc_node* node)
{
  switch (node->kind) {
    case PC_NODE_SEQUENCE: return "a list";
    case PC_NODE_MAPPING: return "a mapping";
    case PC_NODE_SCALAR: break;
  }
  return node->text && !node->text[0] ? "nothing" : "a single value";
}

/* An error has one file, the one that was asked for: the name of another one is a part of the
 * text. */
static void name_file(pc_error* error, const pc_node* node)
{
  char place[300];
  if (!node->file) return;
  snprintf(place, sizeof place, "%.200s:%d:%d: ", node->file, node->line, node->column);
  if (strncmp(error->text, place, strlen(place)) != 0) pc_prefix_error(error, "%s", place);
}

void pc_place_at(pc_error* error, const pc_node* node, int column)
{
  error->line = node->file ? 1 : node->line;
  error->column = node->file ? 1 : column;
  char indices[120];
  if (node->bound && !strstr(error->text, " (where ")) {
    size_t used = strlen(error->text);
    pc_bindings_text(node->bound, indices, sizeof indices);
    if (used < sizeof error->text)
      snprintf(error->text + used, sizeof error->text - used, " (where %s)", indices);
  }
  name_file(error, node);
}

pc_status pc_fail_at(pc_error* error, const pc_node* node, const char* format, ...)
{
  if (!error) return PC_BAD_MODEL;
  char text[sizeof error->text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  pc_fail(error, PC_BAD_MODEL, "%s", text);
  pc_place_at(error, node, node->column);
  return PC_BAD_MODEL;
}

void pc_prefix_error(pc_error* error, const char* format, ...)
{
  char text[2 * sizeof error->text];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, sizeof error->text, format, args);
  va_end(args);
  size_t used = length < (int)sizeof error->text ? (size_t)length : sizeof error->text - 1;
  memcpy(text + used, error->text, sizeof error->text);
  memcpy(error->text, text, sizeof error->text - 1); /* its last byte is zero for good */
}

pc_status pc_place_error(pc_error* error, const pc_node* node, pc_status status)
{
  if (status == PC_OK || status == PC_OUT_OF_MEMORY) return status;
  error->status = PC_BAD_MODEL;
  pc_place_at(error, node, node->column);
  return PC_BAD_MODEL;
}
