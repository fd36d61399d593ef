#include "draw/json.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "study/control_character.h"

void put_json_text(FILE* to, const char* text)
{
  fputc('"', to);
  for (int length = 1; *text; text += length) {
    unsigned code = control_code(text, &length);
    if (*text == '"' || *text == '\\')
      fprintf(to, "\\%c", *text);
    else if (code || *text == '<')
      fprintf(to, "\\u%04x", code ? code : (unsigned)'<');
    else
      fputc(*text, to);
  }
  fputc('"', to);
}

void put_json_number(FILE* to, double value)
{
  if (isfinite(value))
    fprintf(to, "%.9g", value);
  else
    fputs("null", to);
}

/* ---- base64 ------------------------------------------------------------------------------- */

/* Bytes on their way: three become four characters. */
typedef struct packer {
  FILE* to;
  unsigned bits;
  int count;
} packer;

static void put_group(packer* p, int characters)
{
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int i = 0; i < 4; i++)
    fputc(i < characters ? digit[p->bits >> (18 - 6 * i) & 63] : '=', p->to);
  p->bits = 0;
  p->count = 0;
}

static void pack(packer* p, uint64_t value, int bytes)
{
  for (int i = 0; i < bytes; i++) {
    p->bits |= (unsigned)(value >> 8 * i & 255) << (16 - 8 * p->count);
    if (++p->count == 3) put_group(p, 4);
  }
}

static void finish(packer* p)
{
  if (p->count > 0) put_group(p, p->count + 1);
  fputc('"', p->to);
}

static packer start(FILE* to)
{
  fputc('"', to);
  return (packer){.to = to};
}

void put_packed_floats(FILE* to, const float* value, size_t count)
{
  packer p = start(to);
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &value[i], sizeof bits);
    pack(&p, bits, 4);
  }
  finish(&p);
}

void put_packed_doubles(FILE* to, const double* value, size_t count)
{
  packer p = start(to);
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &value[i], sizeof bits);
    pack(&p, bits, 8);
  }
  finish(&p);
}

void put_packed_ints(FILE* to, const unsigned* value, size_t count)
{
  packer p = start(to);
  for (size_t i = 0; i < count; i++) pack(&p, value[i], 4);
  finish(&p);
}
