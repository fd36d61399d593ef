/* Text for a terminal: lines that end at the right margin. What is printed into a block of lines is
 * kept until it ends; a line that is too long continues, indented, on the next one. */
#ifndef PC_STUDY_LINES_H
#define PC_STUDY_LINES_H

#include <stdio.h>

#include "percuss/percuss.h"

enum {
  LINE_WIDTH = 100, /* [characters] */
  LABEL_WIDTH = 10, /* of what a line of a digest is about */
  DIGEST_LINES = 25 /* of a digest at most: one screen */
};

typedef struct lines {
  FILE* file; /* to print into */
  char* text; /* what was printed */
  size_t size;
  FILE* to;
} lines;

/* Where there is no memory for a block, `file` is `to` itself, and no line is broken. */
void begin_lines(lines* block, FILE* to);

/* Breaks the lines, with `indent` spaces before what continues; returns their number. */
int end_lines(lines* block, int indent);

/* The same, but prints them only if they are at most `most`. */
int end_lines_within(lines* block, int indent, int most);

/* "energy    ": the beginning of a line of a digest. */
void print_label(FILE* to, const char* text);

/* "" for one, "s" for any other number. */
const char* plural(long count);

/* Warnings, each with its remedy, as many as fit into `most` lines; where some do not, the last
 * line says how many. */
void print_warning_lines(const pc_warning* warning, int count, int most, FILE* to);

#endif
