#include "reproduce/item.h"

#include <stdio.h>
#include <string.h>

const char* kind_name(reference_kind kind)
{
  static const char* const names[] = {[NO_KIND] = "none",  [PUBLISHED] = "published",
                                      [FITTED] = "fitted", [INDEPENDENT] = "independent",
                                      [EXACT] = "exact",   [WORDS] = "words"};
  return names[kind];
}

int check_covers(const item_check* c, int run)
{
  int other = c->last ? c->last : c->run;
  if (c->reference && run == c->reference) return 1;
  return (run >= c->run && run <= other) || (run >= other && run <= c->run);
}

const char* fitted_of(const item* one, const item_check* c)
{
  for (int i = 0; one->run[i].model; i++)
    if (one->run[i].fitted && check_covers(c, i)) return one->run[i].fitted;
  return NULL;
}

reference_kind kind_of(const item* one, const item_check* c)
{
  int is_of_paper = c->kind == PUBLISHED || c->kind == WORDS;
  return is_of_paper && fitted_of(one, c) ? FITTED : c->kind;
}

/* An item is called after its paper and its figure: "acary-fig26". */
void item_source(const item* one, char* text, size_t size)
{
  static const struct {
    const char *name, *authors;
  } paper[] = {{"flores", "Flores, Leine, Glocker"},
               {"acary", "Acary"},
               {"rattle", "Breuling, Capobianco, Eugster, Leine"},
               {"lobatto", "Capobianco, Harsch, Leyendecker"},
               {"alpha", "Brüls, Acary, Cardona"},
               {"benchmarks", "Benchmark"}};
  const char *dash = strchr(one->name, '-'), *place = dash ? dash + 1 : "", *authors = "";
  for (size_t i = 0; dash && i < sizeof paper / sizeof *paper; i++)
    if (!strncmp(one->name, paper[i].name, (size_t)(dash - one->name))) authors = paper[i].authors;
  if (one->source)
    snprintf(text, size, "%s, %s", authors, one->source);
  else if (!strncmp(place, "table", 5))
    snprintf(text, size, "%s, Table %s", authors, place + 5);
  else
    snprintf(text, size, "%s, Fig. %s", authors, place + 3);
}
