#include "collide/mesh_tree.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

/* A complete binary tree in the order of a heap's array is not needed: nodes lie in the order of a
 * walk, so that the left child of a node follows it, and a subtree that is missed is skipped at
 * once. */
typedef struct node {
  pc_bounds bounds;
  int face; /* of a leaf, or -1 */
  int next; /* the node after this subtree */
} node;

struct pc_mesh_tree {
  int count;
  node node[];
};

/* A face with the middle of its box, for sorting along an axis; equal ones by number. */
typedef struct item {
  double key;
  int face;
} item;

static int compare(const void* a, const void* b)
{
  const item *s = a, *t = b;
  if (s->key != t->key) return s->key < t->key ? -1 : 1;
  return (s->face > t->face) - (s->face < t->face);
}

static pc_bounds face_bounds(const pc_polytope* p, int face)
{
  pc_bounds b = pc_bounds_empty();
  for (int i = p->face_first[face]; i < p->face_first[face + 1]; i++)
    pc_bounds_add_point(&b, p->corner[p->face_corner[i]]);
  return b;
}

static int longest_axis(const pc_bounds* b)
{
  int axis = 0;
  for (int i = 1; i < 3; i++)
    if (b->high[i] - b->low[i] > b->high[axis] - b->low[axis]) axis = i;
  return axis;
}

/* Splits at the median along the longest axis; the depth is the logarithm of the number of
 * faces. */
static void build(const pc_polytope* p, pc_mesh_tree* tree, item* items, int count)
{
  int own = tree->count++;
  pc_bounds b = pc_bounds_empty();
  for (int i = 0; i < count; i++) {
    pc_bounds face = face_bounds(p, items[i].face);
    pc_bounds_add(&b, &face);
  }
  tree->node[own].bounds = b;
  tree->node[own].face = count == 1 ? items[0].face : -1;
  if (count > 1) {
    int axis = longest_axis(&b);
    for (int i = 0; i < count; i++) {
      pc_bounds face = face_bounds(p, items[i].face);
      items[i].key = face.low[axis] + face.high[axis];
    }
    qsort(items, (size_t)count, sizeof *items, compare);
    build(p, tree, items, count / 2);
    build(p, tree, items + count / 2, count - count / 2);
  }
  tree->node[own].next = tree->count;
}

pc_status pc_mesh_tree_create(const pc_polytope* mesh, pc_mesh_tree** tree, pc_error* error)
{
  size_t faces = (size_t)mesh->face_count;
  pc_mesh_tree* t = pc_alloc(1, sizeof *t + 2 * faces * sizeof *t->node);
  item* items = pc_alloc(faces, sizeof *items);
  if (!t || !items) {
    free(t);
    free(items);
    return pc_no_memory(error);
  }
  for (int i = 0; i < mesh->face_count; i++) items[i].face = i;
  build(mesh, t, items, mesh->face_count);
  free(items);
  *tree = t;
  return PC_OK;
}

void pc_mesh_tree_destroy(pc_mesh_tree* tree)
{
  free(tree);
}

pc_bounds pc_mesh_tree_bounds(const pc_mesh_tree* tree)
{
  return tree->node[0].bounds;
}

void pc_mesh_tree_visit(const pc_mesh_tree* tree, const pc_bounds* bounds, pc_visit_face* visit,
                        void* user)
{
  for (int i = 0; i < tree->count;) {
    const node* n = &tree->node[i];
    if (!pc_bounds_overlap(&n->bounds, bounds)) {
      i = n->next;
      continue;
    }
    if (n->face >= 0) visit(user, n->face);
    i++;
  }
}
