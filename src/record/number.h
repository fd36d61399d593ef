/* Numbers as text, and whole numbers out of a file. */
#ifndef PC_RECORD_NUMBER_H
#define PC_RECORD_NUMBER_H

#include <limits.h>
#include <stdio.h>

/* 17 significant digits, with a point whatever the locale of the embedding program says. */
void pc_print_number(FILE* to, double value);

/* Whole numbers that a file keeps as doubles; the least one where it is none that they hold. */
static inline long pc_long_of(double value)
{
  return value > -9.2e18 && value < 9.2e18 ? (long)value : LONG_MIN;
}

static inline int pc_int_of(double value)
{
  return value > (double)INT_MIN - 1 && value < (double)INT_MAX + 1 ? (int)value : INT_MIN;
}

#endif
