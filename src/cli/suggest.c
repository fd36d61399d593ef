/* "Did you mean": the name nearest to a wrong one. */
#include <string.h>

#include "cli.h"

enum { LENGTH_MAX = 40 };

/* The number of letters to insert, delete or replace. */
static int distance(const char* a, const char* b)
{
  size_t n = strlen(a), m = strlen(b);
  if (n > LENGTH_MAX || m > LENGTH_MAX) return LENGTH_MAX;
  int row[LENGTH_MAX + 1];
  for (size_t j = 0; j <= m; j++) row[j] = (int)j;
  for (size_t i = 1; i <= n; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= m; j++) {
      int replace = diagonal + (a[i - 1] != b[j - 1]);
      int insert = row[j - 1] + 1, delete = row[j] + 1;
      diagonal = row[j];
      row[j] = replace < insert ? replace : insert;
      if (delete < row[j]) row[j] = delete;
    }
  }
  return row[m];
}

suggestion suggestion_for(const char* wrong)
{
  return (suggestion){.wrong = wrong, .distance = 2 + (int)strlen(wrong) / 3};
}

void suggest(suggestion* s, const char* name)
{
  int d = distance(s->wrong, name);
  if (d >= s->distance) return;
  s->distance = d;
  snprintf(s->text, sizeof s->text, "; did you mean '%.40s'?", name);
}

const char* suggestion_text(const suggestion* s)
{
  return s->text;
}
