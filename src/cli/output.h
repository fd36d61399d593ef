/* A summary: dotted keys with numbers and texts, printed as lines or as one nested JSON object. */
#ifndef PC_CLI_OUTPUT_H
#define PC_CLI_OUTPUT_H

#include <stdio.h>

typedef struct entry {
  char* key;
  char* text; /* as JSON: a number, null or a quoted text */
  int is_text;
} entry;

typedef struct output {
  entry* entry;
  int count, capacity;
  int failed; /* no memory: nothing is printed */
} output;

void output_text(output* out, const char* key, const char* text);
void output_number(output* out, const char* key, double value); /* not finite: null */
void output_count(output* out, const char* key, long value);

/* The text with control characters as \n, \t or \x1b. */
void put_plain_text(FILE* to, const char* text);

/* key: value lines; control characters are escaped */
void output_print_lines(const output* out, FILE* to);

/* One JSON object, nested by the dots of the keys. A key that is both a value and the beginning of
 * others keeps the others flat. */
void output_print_json(const output* out, FILE* to);

void output_free(output* out);

#endif
