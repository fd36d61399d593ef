#include <stddef.h>
#include "cli/reproduce/item.h"
const item acary_bar_items[] = {{0}};
