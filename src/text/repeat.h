/* Many of a kind: entries with `repeat`, `where` and `when` are written out, and names with indices
 * become names.
 *
 *     link(i):
 *       repeat: {i: N}             i = 0 .. N-1; {i: [1, N]}: 1 to N; {i: pins}: rows of a table
 *       where: {x: i*l}            names for numbers of this entry
 *       when: i > 0                only those for which this holds
 *       ...
 *
 * becomes link0, link1, ...: the rest of the reader sees a file without repetitions. What the
 * indices are is kept with the nodes (`pc_node.bound`), where expressions find it. */
#ifndef PC_TEXT_REPEAT_H
#define PC_TEXT_REPEAT_H

#include "text/bindings.h"
#include "text/tables.h"

enum {
  PC_REPEAT_MAX = 200000,        /* entries of one file, counting those that `when` leaves out */
  PC_REPEAT_NODES_MAX = 8000000, /* values of the file that is written out */
};

/* What the nodes of a tree that has been written out refer to. */
typedef struct pc_repetitions {
  pc_bindings* bindings;
  char** text; /* names of indices */
  int text_count, text_capacity;
  const char*** names; /* lists of them */
  int names_count, names_capacity;
} pc_repetitions;

/* Writes out all sections of the file but those whose names cannot be repeated (parameters, tables,
 * simulate, exact). */
pc_status pc_repeat(pc_repetitions* made, pc_node* root, const pc_scope* scope,
                    const pc_tables* tables, pc_error* error);
void pc_repetitions_clear(pc_repetitions* made);

/* Frees the indices if no node of the tree refers to any, as when the sections that were written
 * out have been destroyed. */
void pc_repetitions_release(pc_repetitions* made, const pc_node* root);

/* link(2,0).x as the name link2_0.x; 0 if there is no space, or it is no such name. */
int pc_flat_name(const char* name, size_t length, char* flat, size_t size);

#endif
