/* The condition of an entry, `when: i > 0 and i < N - 1`. */
#ifndef PC_TEXT_CONDITION_H
#define PC_TEXT_CONDITION_H

#include "text/expression.h"

/* Comparisons of numbers with < <= > >= == !=, tied by `and` and, weaker, `or`; or a number, which
 * holds if it is not zero; or true or false. */
pc_status pc_condition_of_node(const pc_scope* scope, const pc_node* node, int* holds,
                               pc_error* error);

#endif
