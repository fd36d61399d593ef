/* A summary: dotted keys with numbers and texts, printed as lines or as one nested JSON object. */
#ifndef PC_STUDY_OUTPUT_H
#define PC_STUDY_OUTPUT_H

#include <stdio.h>

typedef enum output_kind { OUTPUT_NUMBER, OUTPUT_TEXT, OUTPUT_LIST } output_kind;

typedef struct entry {
  char* key;
  char* text;
  output_kind kind;
} entry;

typedef struct output {
  entry* entry;
  int count, capacity;
  int failed; /* no memory: nothing is printed */
} output;

void output_text(output* out, const char* key, const char* text);
void output_number(output* out, const char* key, double value); /* not finite: null */
void output_count(output* out, const char* key, long value);

/* A list of texts: begins one that is empty, and adds a text to the list that was begun last. */
void output_list(output* out, const char* key);
void output_item(output* out, const char* text);

/* The text with control characters as \n, \t or \x1b. */
void put_plain_text(FILE* to, const char* text);

/* key: value lines; control characters are escaped */
void output_print_lines(const output* out, FILE* to);

/* One JSON object, nested by the dots of the keys. A key that is both a value and the beginning of
 * others keeps the others flat. */
void output_print_json(const output* out, FILE* to);

void output_free(output* out);

#endif
