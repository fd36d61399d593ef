#include "text/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

pc_status pc_names_add(pc_names* names, const char* text, int id)
{
  PC_TRY(pc_grow((void**)&names->item, &names->capacity, names->count, sizeof *names->item));
  names->item[names->count++] = (pc_name){text, id};
  return PC_OK;
}

static int compare_names(const void* a, const void* b)
{
  return strcmp(((const pc_name*)a)->text, ((const pc_name*)b)->text);
}

void pc_names_sort(pc_names* names)
{
  if (names->count > 1)
    qsort(names->item, (size_t)names->count, sizeof *names->item, compare_names);
}

void pc_names_clear(pc_names* names)
{
  free(names->item);
  *names = (pc_names){0};
}

int pc_names_find(const pc_names* names, const char* text, size_t length)
{
  int low = 0, high = names->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    const char* name = names->item[middle].text;
    int order = strncmp(name, text, length);
    if (order == 0 && name[length]) order = 1;
    if (order == 0) return names->item[middle].id;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

static int is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int pc_is_name(const char* text, int dashes)
{
  if (!is_letter(text[0])) return 0;
  size_t length = strlen(text);
  if (length > 60 || text[length - 1] == '-') return 0;
  for (const char* c = text + 1; *c; c++) {
    int digit = *c >= '0' && *c <= '9';
    if (!is_letter(*c) && !digit && !(dashes && *c == '-')) return 0;
  }
  return 1;
}

int pc_is_reserved_name(const char* text)
{
  static const char* const reserved[] = {
      "t",     "pi",    "sin",    "cos",  "tan",     "asin",     "acos", "atan",
      "atan2", "sinh",  "cosh",   "tanh", "exp",     "log",      "sqrt", "abs",
      "sign",  "min",   "max",    "step", "floor",   "if",       "mod",  "frac",
      "ceil",  "round", "random", "sum",  "largest", "smallest", "table"};
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    if (strcmp(text, reserved[i]) == 0) return 1;
  return 0;
}

const char* pc_comma_hint(const char* key)
{
  return strchr(key, ')') ? " (an expression with a comma needs quotes)" : "";
}
