#include "cli/reproduce/item.h"
const item alpha_items[] = {{0}};
