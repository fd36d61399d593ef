/* Numbers as text. */
#ifndef PC_RECORD_NUMBER_H
#define PC_RECORD_NUMBER_H

#include <stdio.h>

/* 17 significant digits, with a point whatever the locale of the embedding program says. */
void pc_print_number(FILE* to, double value);

#endif
