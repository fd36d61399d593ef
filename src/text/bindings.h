/* Names with a value that holds for a part of the file only: the indices of a repetition and what
 * its `where` names. */
#ifndef PC_TEXT_BINDINGS_H
#define PC_TEXT_BINDINGS_H

#include "text/expression.h"

struct pc_bindings {
  pc_bindings* next;        /* of the list that owns it */
  const pc_bindings* outer; /* those of the entry around it; NULL: none */
  const char* const* name;
  int count;
  double value[];
};

/* A scope in which these names and those around them are known; `outer` is asked for all others. */
pc_scope pc_bindings_scope(const pc_bindings* bindings, const pc_scope* outer);

/* "i = 3, j = 0", for errors. Truncated where there is no space. */
void pc_bindings_text(const pc_bindings* bindings, char* text, size_t size);

#endif
