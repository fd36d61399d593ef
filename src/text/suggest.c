#include "text/suggest.h"

#include <stdio.h>
#include <string.h>

#include "percuss/base.h"

enum { LENGTH_MAX = 63, FAR = 99 };

void pc_suggest_begin(pc_suggestion* s, const char* wanted)
{
  memset(s, 0, sizeof *s);
  s->wanted = wanted;
  s->distance = FAR;
}

void pc_suggest_add(pc_suggestion* s, const char* name)
{
  size_t length = strlen(name);
  if (length > LENGTH_MAX) return;
  int distance = pc_edit_distance(s->wanted, name);
  size_t longer = strlen(s->wanted) > length ? strlen(s->wanted) : length;
  if (distance < s->distance && distance <= (int)(longer + 1) / 3) {
    s->distance = distance;
    memcpy(s->best, name, length + 1);
  }
  size_t used = strlen(s->list);
  if (s->full) return;
  if (used + length + 8 > sizeof s->list) { /* space for ", " and ", ..." */
    s->full = 1;
    memcpy(s->list + used, ", ...", 6);
    return;
  }
  snprintf(s->list + used, sizeof s->list - used, "%s%s", used ? ", " : "", name);
}

const char* pc_suggest_text(pc_suggestion* s, const char* what)
{
  if (!s->list[0]) return "";
  if (s->best[0])
    snprintf(s->text, sizeof s->text, "; did you mean '%s'? %s: %s", s->best, what, s->list);
  else
    snprintf(s->text, sizeof s->text, "; %s: %s", what, s->list);
  return s->text;
}
