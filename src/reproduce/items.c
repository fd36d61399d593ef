#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "reproduce/item.h"

static const item* const papers[] = {flores_items,
                                     acary_order_items,
                                     acary_items,
                                     acary_bar_items,
                                     acary_ring_items,
                                     acary_crank_items,
                                     acary_newton_euler_items,
                                     acary_play_items,
                                     acary_breaker_items,
                                     rattle_items,
                                     lobatto_items,
                                     alpha_items,
                                     alpha_flexible_items,
                                     benchmark_items};

enum { PAPER_COUNT = sizeof papers / sizeof *papers };

const item* item_at(int i)
{
  for (int p = 0; p < PAPER_COUNT; p++)
    for (const item* one = papers[p]; one->name; one++)
      if (i-- == 0) return one;
  return NULL;
}

const char* kind_name(reference_kind kind)
{
  static const char* const names[] = {[NO_KIND] = "none",
                                      [PUBLISHED] = "published",
                                      [INDEPENDENT] = "independent",
                                      [EXACT] = "exact",
                                      [WORDS] = "words"};
  return names[kind];
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
