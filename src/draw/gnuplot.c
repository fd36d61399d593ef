#include "draw/gnuplot.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "draw/process.h"
#include "study/control_character.h"
#include "study/error.h"

/* Its SVG has texts as CDATA, which "]]>" would end: that gets a blank. */
void put_quoted(FILE* script, const char* text)
{
  fputc('\'', script);
  for (int length = 1, brackets = 0; *text; text += length) {
    if (*text == '\'') fputc('\'', script);
    if (*text == '>' && brackets >= 2) fputc(' ', script);
    brackets = *text == ']' ? brackets + 1 : 0;
    fputc(control_code(text, &length) ? ' ' : *text, script);
  }
  fputc('\'', script);
}

pc_status find_gnuplot(pc_error* error)
{
  FILE *script = tmpfile(), *figure = tmpfile();
  pc_status status = script && figure ? run_gnuplot(script, figure, error)
                                      : set_error(error, PC_CANNOT_WRITE, "no temporary file: %s",
                                                  strerror(errno));
  if (script) fclose(script);
  if (figure) fclose(figure);
  return status;
}

pc_status run_gnuplot(FILE* script, FILE* figure, pc_error* error)
{
  if (fflush(script) != 0 || ferror(script) || lseek(fileno(script), 0, SEEK_SET) != 0)
    return set_error(error, PC_CANNOT_WRITE, "cannot write a temporary file for gnuplot: %s",
                     strerror(errno));
  /* No files of the user's (-d): a figure looks the same for everybody. */
  char name[] = "gnuplot", defaults[] = "-d";
  char* arguments[] = {name, defaults, NULL};
  return run_program(arguments, fileno(script), fileno(figure), "draws the figures", "gnuplot-nox",
                     error);
}
