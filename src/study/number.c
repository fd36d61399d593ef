#include "study/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void format_number(double value, char* text, size_t size)
{
  if (!isfinite(value)) {
    snprintf(text, size, "null");
    return;
  }
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, size, "%.*g", digits, value);
    if (strtod(text, NULL) == value) return;
  }
}
