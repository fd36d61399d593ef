/* Products of evaluated terms with vectors, for the files of this module; the others are in
 * terms.h. */
#ifndef PC_SYSTEM_PRODUCTS_H
#define PC_SYSTEM_PRODUCTS_H

#include "system/terms.h"

/* p += M u of the elements that do not give their momentum. */
void pc_terms_add_constant_momentum(pc_terms* terms, const double* u);

#endif
