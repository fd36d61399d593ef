/* Numbers for people: four digits, and a prefix of the unit instead of a power of ten. */
#ifndef PC_STUDY_UNIT_TEXT_H
#define PC_STUDY_UNIT_TEXT_H

#include <stddef.h>

enum { UNIT_TEXT_SIZE = 48 };

typedef struct unit_text {
  char text[UNIT_TEXT_SIZE];
} unit_text;

/* "12.34 µm" for 1.234e-5 and "m"; "< 1 pm" for what is smaller than any measurement, "0 m" for 0,
 * "-" for what is not finite. Without a unit, or with one that takes no prefix (kg), a plain
 * number. */
unit_text with_unit(double value, const char* unit);

/* "4.2 %" for 0.042; "-" for what is not finite. */
unit_text as_percent(double share);

/* Whether a byte of a text in UTF-8 continues a character: µ takes two bytes. */
int is_continuation(char byte);

/* How many characters of a terminal a text in UTF-8 takes: µ is one. */
int text_width(const char* text);

#endif
