#include "record/fletcher.h"

/* Modulo 65535, where only a sum of zeros is 0 (arithmetic in the one's complement). */
static uint32_t reduce(uint64_t sum)
{
  return sum == 0 ? 0 : (uint32_t)((sum - 1) % 65535 + 1);
}

static uint64_t word(const unsigned char* data)
{
  return (uint64_t)(data[0] << 8 | data[1]);
}

/* J. Fletcher (1982): the sum of the words, two bytes each, the higher first; and the sum of these sums. Four words at a
 * time; 64 bits hold the sums of 16 MiB. */
uint32_t pc_fletcher32(const unsigned char* data, size_t size)
{
  enum { BLOCK = 1 << 24 };
  uint64_t sum = 0, sums = 0;
  size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    if (i % BLOCK == 0) {
      sum = reduce(sum);
      sums = reduce(sums);
    }
    uint64_t a = word(data + i), b = word(data + i + 2), c = word(data + i + 4),
             d = word(data + i + 6);
    sums += 4 * (sum + a) + 3 * b + 2 * c + d;
    sum += a + b + c + d;
  }
  for (; i < size; i += 2) {
    sum += i + 1 < size ? word(data + i) : (uint64_t)data[i] << 8;
    sums += sum;
  }
  return reduce(sums) << 16 | reduce(sum);
}
