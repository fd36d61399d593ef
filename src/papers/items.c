#include "papers/items.h"

#include <stddef.h>

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
