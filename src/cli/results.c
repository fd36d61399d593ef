#include "cli/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "draw/series.h"

int split_names(const char* given_to, char* text, const char** name, int max)
{
  int count = 0;
  for (char* at = text; at; count++) {
    char* comma = at;
    for (int depth = 0; *comma && (*comma != ',' || depth > 0); comma++)
      depth += (*comma == '(') - (*comma == ')'); /* names of columns may have commas in brackets */
    comma = *comma ? comma : NULL;
    if (comma) *comma++ = '\0';
    if (!*at) return complain(EXIT_USAGE, "--%s: a name is empty", given_to), -1;
    if (count == max) return complain(EXIT_USAGE, "--%s: more than %d names", given_to, max), -1;
    name[count] = at;
    at = comma;
  }
  return count;
}

int open_result(const char* path, pc_result** result)
{
  pc_error error = {0};
  return report(pc_result_open(path, result, &error), &error);
}

int find_named_series(const pc_result* result, const char* name, int* series)
{
  pc_error error = {0};
  return report(find_series(result, name, series, &error), &error);
}

long read_positive(const char* text)
{
  char* end;
  errno = 0;
  long value = strtol(text, &end, 10);
  return end == text || *end || errno || value < 1 ? -1 : value;
}
