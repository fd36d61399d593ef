/* Texts and their numbers: an index that grows and finds in constant time. */
#ifndef PC_BASE_TEXT_INDEX_H
#define PC_BASE_TEXT_INDEX_H

#include "percuss/base.h"

typedef struct pc_text_entry {
  const char* text; /* NULL: a free slot */
  int id;
} pc_text_entry;

typedef struct pc_text_index {
  pc_text_entry* slot; /* open addressing */
  int slot_count;      /* a power of 2, or 0 */
  int count;
} pc_text_index;

/* Makes room for one more text. */
pc_status pc_text_index_reserve(pc_text_index* index);

/* Adds a text, for which there is room. It stays the caller's and must not be there yet. */
void pc_text_index_add(pc_text_index* index, const char* text, int id);

/* The number of a text, or -1. */
int pc_text_index_find(const pc_text_index* index, const char* text);
void pc_text_index_clear(pc_text_index* index);

#endif
