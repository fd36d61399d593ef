#include "console/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "study/output.h"

int complain(int code, const char* format, ...)
{
  fflush(stdout);
  char text[4096]; /* what is longer is truncated */
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fputs("percuss: ", stderr);
  put_plain_text(stderr, text);
  fputc('\n', stderr);
  return code;
}

int flush_output(void)
{
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return EXIT_DONE;
  return complain(EXIT_OUTPUT, "cannot write to standard output%s%s", errno ? ": " : "",
                  errno ? strerror(errno) : "");
}

int exit_code(pc_status status)
{
  switch (status) {
    case PC_OK: return EXIT_DONE;
    case PC_BAD_ARGUMENT: return EXIT_USAGE;
    case PC_BAD_MODEL: return EXIT_MODEL;
    case PC_CANNOT_WRITE: return EXIT_OUTPUT;
    default: return EXIT_FAILED;
  }
}

int report(pc_status status, const pc_error* error)
{
  if (status == PC_OK) return EXIT_DONE;
  const char* text = status == PC_OUT_OF_MEMORY ? "no memory" : pc_status_text(status);
  return complain(exit_code(status), "%s", *error->text ? error->text : text);
}
