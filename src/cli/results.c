#include "cli/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

int split_names(const char* given_to, char* text, const char** name, int max)
{
  int count = 0;
  for (char* at = text; at; count++) {
    char* comma = strchr(at, ',');
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
  pc_status status = pc_result_open(path, result, &error);
  return status == PC_OK ? EXIT_DONE : complain(exit_code(status), "%s", error.text);
}

int find_series(const pc_result* result, const char* name, int* series)
{
  *series = pc_result_find(result, name);
  if (*series >= 0) return EXIT_DONE;
  suggestion near = suggestion_for(name);
  for (int i = 0; i < pc_result_series_count(result); i++)
    suggest(&near, pc_result_series(result, i).name);
  return complain(EXIT_USAGE, "'%s' has no '%s'%s; see 'percuss plot %s --list'",
                  pc_result_path(result), name, suggestion_text(&near), pc_result_path(result));
}

long read_positive(const char* text)
{
  char* end;
  errno = 0;
  long value = strtol(text, &end, 10);
  return end == text || *end || errno || value < 1 ? -1 : value;
}
