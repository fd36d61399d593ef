#include "text/bindings.h"

#include <stdio.h>
#include <string.h>

static int find(void* user, pc_pool* pool, const char* name, size_t length, pc_expr* meaning)
{
  for (const pc_bindings* b = user; b; b = b->outer)
    for (int i = 0; i < b->count; i++) {
      if (strlen(b->name[i]) != length || strncmp(b->name[i], name, length) != 0) continue;
      *meaning = pc_expr_number(pool, b->value[i]);
      return 1;
    }
  return 0;
}

static void list(const void* user, pc_suggestion* names)
{
  for (const pc_bindings* b = user; b; b = b->outer)
    for (int i = 0; i < b->count; i++) pc_suggest_add(names, b->name[i]);
}

pc_scope pc_bindings_scope(const pc_bindings* bindings, const pc_scope* outer)
{
  /* The lookup interface takes any user data; these are only read. */
  return (pc_scope){find, list, (void*)bindings, outer};
}

void pc_bindings_text(const pc_bindings* bindings, char* text, size_t size)
{
  size_t used = 0;
  text[0] = 0;
  for (const pc_bindings* b = bindings; b; b = b->outer)
    for (int i = 0; i < b->count && used + 1 < size; i++) {
      int length = snprintf(text + used, size - used, "%s%s = %g", used ? ", " : "", b->name[i],
                            b->value[i]);
      if (length < 0) return;
      used += (size_t)length;
    }
}
