/* Numbers as text that reads back as the same number. */
#ifndef PC_STUDY_NUMBER_H
#define PC_STUDY_NUMBER_H

#include <stddef.h>

/* The shortest text that reads back as the same number; "null" if it is not finite. */
void format_number(double value, char* text, size_t size);

#endif
