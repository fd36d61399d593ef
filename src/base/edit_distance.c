#include <ctype.h>
#include <string.h>

#include "percuss/base.h"

enum { LENGTH_MAX = 63, FAR = 99 };

static int least(int a, int b)
{
  return a < b ? a : b;
}

static int differ(char a, char b)
{
  return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/* Optimal string alignment, three rows of its table at a time. */
int pc_edit_distance(const char* a, const char* b)
{
  if (!a || !b) return 0;
  size_t m = strlen(a), n = strlen(b);
  if (m > LENGTH_MAX || n > LENGTH_MAX) return FAR;
  int row[3][LENGTH_MAX + 1];
  int *before = row[0], *above = row[1], *here = row[2];
  for (size_t j = 0; j <= n; j++) above[j] = (int)j;
  for (size_t i = 1; i <= m; i++) {
    here[0] = (int)i;
    for (size_t j = 1; j <= n; j++) {
      int d = above[j - 1] + differ(a[i - 1], b[j - 1]);
      d = least(d, least(above[j], here[j - 1]) + 1);
      if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) && !differ(a[i - 2], b[j - 1]))
        d = least(d, before[j - 2] + 1);
      here[j] = d;
    }
    int* free_row = before;
    before = above;
    above = here;
    here = free_row;
  }
  return above[n];
}
