#include "record/number.h"

#include <locale.h>
#include <string.h>

void pc_print_number(FILE* to, double value)
{
  char text[64];
  snprintf(text, sizeof text, "%.17g", value);
  const char* point = localeconv()->decimal_point;
  char* at = *point && strcmp(point, ".") != 0 ? strstr(text, point) : NULL;
  if (!at) {
    fputs(text, to);
    return;
  }
  fprintf(to, "%.*s.%s", (int)(at - text), text, at + strlen(point));
}
