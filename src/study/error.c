#include "study/error.h"

#include <stdarg.h>
#include <stdio.h>

pc_status set_error(pc_error* error, pc_status status, const char* format, ...)
{
  if (!error) return status;
  *error = (pc_error){.status = status};
  va_list args;
  va_start(args, format);
  vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
  return status;
}
