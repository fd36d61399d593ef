/* Numbers that look random and are the same everywhere (xorshift64*, Vigna 2016). */
#ifndef PC_TESTS_LINALG_RANDOM_H
#define PC_TESTS_LINALG_RANDOM_H

#include <stdint.h>

typedef struct random_source {
  uint64_t state; /* not 0 */
} random_source;

/* Uniform in [-1, 1). */
static inline double random_number(random_source* source)
{
  source->state ^= source->state >> 12;
  source->state ^= source->state << 25;
  source->state ^= source->state >> 27;
  uint64_t bits = source->state * UINT64_C(2685821657736338717);
  return (double)(bits >> 11) * 0x1p-52 - 1;
}

static inline void random_numbers(random_source* source, int count, double* x)
{
  for (int i = 0; i < count; i++) x[i] = random_number(source);
}

#endif
