#include "record/field.h"

#include <string.h>

void pc_print_field(FILE* to, int count, const char* const* text)
{
  int quoted = 0;
  for (int i = 0; i < count; i++) quoted |= strpbrk(text[i], ",\"\r\n") != NULL;
  if (quoted) fputc('"', to);
  for (int i = 0; i < count; i++)
    for (const char* c = text[i]; *c; c++) {
      if (*c == '"') fputc('"', to);
      fputc(*c == '\n' || *c == '\r' ? ' ' : *c, to);
    }
  if (quoted) fputc('"', to);
}
