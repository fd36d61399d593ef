#include "record/checksum.h"

typedef struct triple {
  uint32_t a, b, c;
} triple;

static uint32_t turn(uint32_t x, int bits)
{
  return x << bits | x >> (32 - bits);
}

/* A round for every 12 bytes but the last ones. */
static void mix(triple* t)
{
  static const int bits[6] = {4, 6, 8, 16, 19, 4};
  for (int i = 0; i < 6; i++) {
    t->a = (t->a - t->c) ^ turn(t->c, bits[i]);
    t->c += t->b;
    *t = (triple){t->b, t->c, t->a};
  }
}

static uint32_t finish(triple t)
{
  static const int bits[7] = {14, 11, 25, 16, 4, 14, 24};
  for (int i = 0; i < 7; i++) {
    t.c = (t.c ^ t.b) - turn(t.b, bits[i]);
    t = (triple){t.b, t.c, t.a};
  }
  return t.b; /* the c of the last round */
}

static uint32_t word(const unsigned char* data, size_t size)
{
  uint32_t value = 0;
  for (size_t i = 0; i < size && i < 4; i++) value |= (uint32_t)data[i] << 8 * i;
  return value;
}

static void add(triple* t, const unsigned char* data, size_t size)
{
  t->a += word(data, size);
  if (size > 4) t->b += word(data + 4, size - 4);
  if (size > 8) t->c += word(data + 8, size - 8);
}

uint32_t pc_checksum(const unsigned char* data, size_t size)
{
  uint32_t begin = 0xdeadbeef + (uint32_t)size;
  triple t = {begin, begin, begin};
  for (; size > 12; data += 12, size -= 12) {
    add(&t, data, 12);
    mix(&t);
  }
  if (size == 0) return t.c;
  add(&t, data, size);
  return finish(t);
}
