/* JSON for a script element of a page: texts, numbers, and arrays of numbers packed as base64. */
#ifndef PC_DRAW_JSON_H
#define PC_DRAW_JSON_H

#include <stddef.h>
#include <stdio.h>

/* A quoted text. "<" is escaped, so that no text can end the script element. */
void put_json_text(FILE* to, const char* text);

/* Nine significant digits; null where it is not finite. */
void put_json_number(FILE* to, double value);

/* A quoted base64 text of little-endian 32-bit reals, 64-bit reals or 32-bit integers. */
void put_packed_floats(FILE* to, const float* value, size_t count);
void put_packed_doubles(FILE* to, const double* value, size_t count);
void put_packed_ints(FILE* to, const unsigned* value, size_t count);

#endif
