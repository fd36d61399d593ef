#include "record/fletcher.h"

#include <string.h>

/* Modulo 65535, where only a sum of zeros is 0 (arithmetic in the one's complement). */
static uint32_t reduce(uint64_t sum)
{
  return sum == 0 ? 0 : (uint32_t)((sum - 1) % 65535 + 1);
}

static uint64_t word(const unsigned char* data)
{
  return (uint64_t)(data[0] << 8 | data[1]);
}

enum { WORDS = 32 }; /* taken at a time: 32 bits hold their sums */

/* The words of a group, and each times the number of sums that it is part of: loops that compilers
 * make vectors of. */
static void add_group(const unsigned char* data, uint64_t* sum, uint64_t* sums)
{
  uint16_t w[WORDS];
  uint32_t plain = 0, weighted = 0;
  memcpy(w, data, sizeof w);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (uint32_t i = 0; i < WORDS; i++) w[i] = (uint16_t)(w[i] << 8 | w[i] >> 8);
#endif
  for (uint32_t i = 0; i < WORDS; i++) {
    plain += w[i];
    weighted += (WORDS - i) * w[i];
  }
  *sums += WORDS * *sum + weighted;
  *sum += plain;
}

/* J. Fletcher (1982): the sum of the words, two bytes each, the higher first; and the sum of these
 * sums. 64 bits hold the sums of 16 MiB. */
uint32_t pc_fletcher32(const unsigned char* data, size_t size)
{
  enum { BLOCK = 1 << 24 };
  uint64_t sum = 0, sums = 0;
  size_t i = 0;
  for (; i + 2 * WORDS <= size; i += 2 * WORDS) {
    if (i % BLOCK == 0) {
      sum = reduce(sum);
      sums = reduce(sums);
    }
    add_group(data + i, &sum, &sums);
  }
  for (; i < size; i += 2) {
    sum += i + 1 < size ? word(data + i) : (uint64_t)data[i] << 8;
    sums += sum;
  }
  return reduce(sums) << 16 | reduce(sum);
}
