/* Names and what they stand for: an index that is filled, sorted once and then asked. */
#ifndef PC_TEXT_NAMES_H
#define PC_TEXT_NAMES_H

#include <stddef.h>

#include "percuss/base.h"

typedef struct pc_name {
  const char* text; /* stays the caller's */
  int id;
} pc_name;

typedef struct pc_names {
  int count, capacity;
  pc_name* item;
} pc_names;

pc_status pc_names_add(pc_names* names, const char* text, int id);
void pc_names_sort(pc_names* names);
void pc_names_clear(pc_names* names);

/* The id of a name, or -1. The index must be sorted. */
int pc_names_find(const pc_names* names, const char* text, size_t length);

/* Letters, digits and '_', not beginning with a digit; `dashes` allows '-' inside, too. */
int pc_is_name(const char* text, int dashes);

/* Names that every expression knows: t, pi and the functions. */
int pc_is_reserved_name(const char* text);

/* What to say of a key that no name can be: within braces, an expression with a comma that is not
 * in quotes falls apart into keys. "" where that is not it. */
const char* pc_comma_hint(const char* key);

#endif
