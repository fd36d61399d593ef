/* A YAML text as a small tree of scalars, sequences and mappings, each with its place in the file.
 *
 * Only what a model file needs: one document, no anchors, no tags, no key twice in a mapping, and
 * limits on size, depth and number of nodes, so that no text can cost more than it is worth. */
#ifndef PC_TEXT_TREE_H
#define PC_TEXT_TREE_H

#include <stddef.h>

#include "percuss/base.h"

enum {
  PC_TREE_SIZE_MAX = 16 << 20, /* bytes of a file */
  PC_TREE_DEPTH_MAX = 64,
  PC_TREE_NODES_MAX = 1000000
};

typedef enum pc_node_kind { PC_NODE_SCALAR, PC_NODE_SEQUENCE, PC_NODE_MAPPING } pc_node_kind;

typedef struct pc_node pc_node;
typedef struct pc_bindings pc_bindings;

struct pc_node {
  pc_node_kind kind;
  int line, column;         /* from 1; of the first character */
  int quoted;               /* a scalar in quotes, or a block */
  int exact;                /* the text stands in the file as it is, on one line */
  char* text;               /* of a scalar; UTF-8 without NUL */
  int count;                /* items of a sequence, pairs of a mapping */
  pc_node* first;           /* first item, or first key */
  pc_node* next;            /* next item, or next key */
  pc_node* value;           /* of a key */
  const pc_bindings* bound; /* the indices of the repetition that wrote it; NULL: none */
  const char* file;         /* that it stands in, if another file includes it; else NULL */
};

/* Reads a text. The tree is the caller's. */
pc_status pc_tree_read(const char* text, size_t size, pc_node** root, pc_error* error);
void pc_tree_destroy(pc_node* node); /* NULL is fine */

/* The key of a mapping, or NULL. */
const pc_node* pc_node_key(const pc_node* mapping, const char* key);

/* "a mapping", "a list", "nothing", "a single value": for "expected ..., found ...". */
const char* pc_node_describe(const pc_node* node);

/* A PC_BAD_MODEL at the place of a node. */
pc_status pc_fail_at(pc_error* error, const pc_node* node, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/* Gives an error the line of a node and a column: for a node of an included file these are a part
 * of the text, as are the indices of a repetition. */
void pc_place_at(pc_error* error, const pc_node* node, int column);

/* Puts words before the text of an error: "body 'crank', mass: ". */
void pc_prefix_error(pc_error* error, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

/* Gives an error without a place the place of a node, and makes it one of the model. */
pc_status pc_place_error(pc_error* error, const pc_node* node, pc_status status);

#endif
