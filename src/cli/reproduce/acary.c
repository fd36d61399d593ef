#include <stddef.h>
#include "cli/reproduce/item.h"
const item acary_items[] = {{0}};
