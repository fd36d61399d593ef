#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "percuss/version.h"

const char* pc_status_text(pc_status status)
{
  switch (status) {
    case PC_OK: return "ok";
    case PC_OUT_OF_MEMORY: return "out of memory";
    case PC_BAD_ARGUMENT: return "bad argument";
    case PC_BAD_MODEL: return "bad model";
    case PC_NOT_CONVERGED: return "not converged";
    case PC_NOT_FINITE: return "not a finite number";
    case PC_SINGULAR: return "singular matrix";
    case PC_CANNOT_WRITE: return "cannot write";
    case PC_STOPPED: return "stopped";
    case PC_UNSTABLE: return "unstable";
  }
  return "unknown status";
}

pc_status pc_fail(pc_error* error, pc_status status, const char* format, ...)
{
  if (!error) return status;
  error->status = status;
  va_list args;
  va_start(args, format);
  vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
  return status;
}

pc_status pc_need(const void* given, const char* name, pc_error* error)
{
  return given ? PC_OK : pc_fail(error, PC_BAD_ARGUMENT, "%s: none is given", name);
}

pc_status pc_no_memory(pc_error* error)
{
  return pc_fail(error, PC_OUT_OF_MEMORY, "out of memory");
}

int pc_version(void)
{
  return PC_VERSION;
}

const char* pc_version_text(void)
{
  return PC_VERSION_TEXT;
}
