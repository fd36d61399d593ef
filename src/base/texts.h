/* Texts that live as long as their owner: many short ones side by side, without the memory that an
 * allocation for each would take. */
#ifndef PC_BASE_TEXTS_H
#define PC_BASE_TEXTS_H

#include <stddef.h>

#include "base/export.h"

/* All zero: empty. */
typedef struct pc_texts {
  struct pc_text_chunk* last; /* the one that is being filled; it knows the one before */
} pc_texts;

/* A copy of head and tail as one text; NULL if there is no memory. */
PC_SIBLING_API char* pc_texts_add(pc_texts* texts, const char* head, const char* tail);

/* Releases all of them. */
PC_SIBLING_API void pc_texts_clear(pc_texts* texts);

#endif
