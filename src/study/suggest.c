#include "study/suggest.h"

#include <stdio.h>
#include <string.h>

#include "percuss/percuss.h"

suggestion suggestion_for(const char* wrong)
{
  return (suggestion){.wrong = wrong, .distance = 2 + (int)strlen(wrong) / 3};
}

void suggest(suggestion* s, const char* name)
{
  int d = pc_edit_distance(s->wrong, name);
  if (d >= s->distance) return;
  s->distance = d;
  s->name = name;
  snprintf(s->text, sizeof s->text, " (did you mean '%.40s'?)", name);
}

const char* suggestion_text(const suggestion* s)
{
  return s->text;
}
