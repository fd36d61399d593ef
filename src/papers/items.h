/* The figures, tables and examples of the papers and the benchmarks, as data. */
#ifndef PC_PAPERS_ITEMS_H
#define PC_PAPERS_ITEMS_H

#include "reproduce/item.h"

/* The items of each paper, ended by one without a name. */
extern const item acary_order_items[], acary_items[], acary_bar_items[], acary_ring_items[],
    acary_crank_items[], acary_newton_euler_items[], acary_play_items[], acary_breaker_items[];
extern const item flores_items[], rattle_items[], lobatto_items[], alpha_items[],
    alpha_flexible_items[], benchmark_items[];

/* The i-th of all items, NULL past the last. */
const item* item_at(int i);

#endif
