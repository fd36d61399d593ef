#include "cli/reproduce/item.h"
const item lobatto_items[] = {{0}};
