#include "text/include.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { DEPTH_MAX = 8, INCLUDES_MAX = 100 };

typedef struct including {
  pc_files* files;
  pc_error* error;
  int count;
} including;

/* Every node knows its file; the name stays with `files`. */
static void name_nodes(pc_node* node, const char* file)
{
  for (; node; node = node->next) {
    node->file = file;
    name_nodes(node->first, file);
    name_nodes(node->value, file);
  }
}

static pc_node* find_key(pc_node* mapping, const char* key)
{
  pc_node* k = mapping->first;
  while (k && strcmp(k->text, key) != 0) k = k->next;
  return k;
}

/* Takes the first item of a collection out of it. */
static pc_node* take_first(pc_node* collection)
{
  pc_node* item = collection->first;
  if (!item) return NULL;
  collection->first = item->next;
  collection->count--;
  item->next = NULL;
  return item;
}

/* Whether what the including file says replaces what the included one does. */
static int may_replace(const char* section)
{
  return strcmp(section, "parameters") == 0 || strcmp(section, "simulate") == 0;
}

static int compare_keys(const void* a, const void* b)
{
  return strcmp((*(const pc_node* const*)a)->text, (*(const pc_node* const*)b)->text);
}

/* The keys of a mapping, sorted; the caller frees them. */
static const pc_node** sort_keys(const pc_node* mapping)
{
  const pc_node** key = pc_alloc((size_t)mapping->count, sizeof(pc_node*));
  int count = 0;
  for (const pc_node* k = key ? mapping->first : NULL; k; k = k->next) key[count++] = k;
  if (count) qsort(key, (size_t)count, sizeof(pc_node*), compare_keys);
  return key;
}

/* Moves the entries of an included section before those of the including one. */
static pc_status merge_entries(including* g, const char* section, pc_node* into, pc_node* from)
{
  int is_mapping = into->kind == PC_NODE_MAPPING, known_count = into->count;
  const pc_node** known = is_mapping ? sort_keys(into) : NULL;
  if (is_mapping && !known) return pc_no_memory(g->error);
  pc_status status = PC_OK;
  pc_node** link = &into->first;
  for (pc_node* item; status == PC_OK && (item = take_first(from));) {
    const pc_node** twin = is_mapping && known_count ? bsearch(&item, known, (size_t)known_count,
                                                               sizeof *known, compare_keys)
                                                     : NULL;
    if (twin && !may_replace(section))
      status = pc_fail_at(g->error, *twin, "'%.60s' stands in %.100s, too, at line %d", item->text,
                          item->file ? item->file : "another file", item->line);
    if (twin) {
      pc_tree_destroy(item);
      continue;
    }
    item->next = *link;
    *link = item;
    link = &item->next;
    into->count++;
  }
  free(known);
  return status;
}

static pc_status merge_section(including* g, pc_node* root, pc_node* key)
{
  pc_node* own = find_key(root, key->text);
  pc_status status = PC_OK;
  if (strcmp(key->text, "percuss") == 0 || strcmp(key->text, "title") == 0) own = key;
  if (!own) {
    key->next = root->first;
    root->first = key;
    root->count++;
    return PC_OK;
  }
  if (own != key && own->value->kind == key->value->kind && key->value->kind != PC_NODE_SCALAR &&
      strcmp(key->text, "gravity") != 0)
    status = merge_entries(g, key->text, own->value, key->value);
  pc_tree_destroy(key);
  return status;
}

static pc_status include_all(including* g, pc_node* root, const char* folder, int depth);

/* "parts/" of "parts/leg.yaml": what that file includes is relative to it. */
static char* folder_of(const char* folder, const char* name)
{
  const char* slash = strrchr(name, '/');
  size_t length = slash ? (size_t)(slash - name) + 1 : 0;
  size_t before = name[0] == '/' ? 0 : strlen(folder);
  char* path = pc_alloc(before + length + 1, 1);
  if (!path) return NULL;
  memcpy(path, folder, before);
  memcpy(path + before, name, length);
  return path;
}

static char* join(const char* folder, const char* name)
{
  size_t needed = strlen(folder) + strlen(name) + 1;
  char* path = pc_alloc(needed, 1);
  if (path) snprintf(path, needed, "%s%s", name[0] == '/' ? "" : folder, name);
  return path;
}

static pc_status read_tree(including* g, const pc_node* place, const char* path, pc_node** tree)
{
  const pc_file* file = NULL;
  pc_error found = {0};
  PC_TRY(pc_files_read(g->files, place, path, &file, g->error));
  pc_status status = pc_tree_read(file->data, file->size, tree, &found);
  if (status == PC_OUT_OF_MEMORY) return pc_no_memory(g->error);
  if (status != PC_OK)
    return pc_fail_at(g->error, place, "%.200s:%d:%d: %.250s", path, found.line, found.column,
                      found.text);
  if ((*tree)->kind != PC_NODE_MAPPING || !pc_node_key(*tree, "percuss"))
    return pc_fail_at(g->error, place, "'%.200s' is not a model file: 'percuss: 1' is missing",
                      path);
  name_nodes(*tree, file->name);
  return PC_OK;
}

static pc_status include_one(including* g, pc_node* root, const pc_node* place, const char* folder,
                             int depth)
{
  if (place->kind != PC_NODE_SCALAR || !place->text[0])
    return pc_fail_at(g->error, place, "include: expected the name of a file, found %s",
                      pc_node_describe(place));
  if (depth >= DEPTH_MAX || ++g->count > INCLUDES_MAX)
    return pc_fail_at(g->error, place,
                      "include: files include each other %d deep, or more than %d in all",
                      DEPTH_MAX, INCLUDES_MAX);
  pc_node* tree = NULL;
  char* path = join(folder, place->text);
  char* inner = folder_of(folder, place->text);
  pc_status status = path && inner ? PC_OK : pc_no_memory(g->error);
  if (status == PC_OK) status = read_tree(g, place, path, &tree);
  if (status == PC_OK) status = include_all(g, tree, inner, depth + 1);
  while (status == PC_OK && tree->first) status = merge_section(g, root, take_first(tree));
  pc_tree_destroy(tree);
  free(path);
  free(inner);
  return status;
}

/* Takes the section out of a file, and what it names into it. */
static pc_status include_all(including* g, pc_node* root, const char* folder, int depth)
{
  if (root->kind != PC_NODE_MAPPING) return PC_OK;
  pc_node** link = &root->first;
  while (*link && strcmp((*link)->text, "include") != 0) link = &(*link)->next;
  pc_node* section = *link;
  if (!section) return PC_OK;
  *link = section->next;
  section->next = NULL;
  root->count--;
  pc_status status = PC_OK;
  const pc_node* value = section->value;
  if (value->kind == PC_NODE_SEQUENCE)
    for (const pc_node* item = value->first; item && status == PC_OK; item = item->next)
      status = include_one(g, root, item, folder, depth);
  else
    status = include_one(g, root, value, folder, depth);
  pc_tree_destroy(section);
  return status;
}

pc_status pc_include(pc_node* root, pc_files* files, pc_error* error)
{
  including g = {.files = files, .error = error};
  return include_all(&g, root, "", 0);
}
