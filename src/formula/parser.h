/* The inside of the parser: what parse.c and parse_index.c share. */
#ifndef PC_FORMULA_PARSER_H
#define PC_FORMULA_PARSER_H

#include "formula/pool.h"

/* An index of a fold, sum(i, n, ...), while its terms are read. */
typedef struct pc_bound_index {
  const char* name;
  size_t length;
  double value;
  const struct pc_bound_index* outer;
} pc_bound_index;

typedef struct pc_parser {
  pc_pool* pool;
  const char* text;
  const char* at;
  int depth;
  size_t term_length; /* characters of all terms of folds so far */
  int in_index;       /* how many brackets of indexed names are open */
  const pc_bound_index* bound;
  pc_lookup* lookup;
  void* user;
  pc_error* error;
} pc_parser;

pc_status pc_parse_sum(pc_parser* p, pc_expr* expr);

/* Notes where the error is and returns its status. */
pc_status pc_parse_error_at(pc_parser* p, const char* where, pc_status status);

/* "expected ..., not '...'": the next character is not what was expected. */
pc_status pc_parse_unexpected(pc_parser* p, const char* expected);

/* Whether the next character is `c`, which is then taken. */
int pc_parse_take(pc_parser* p, char c);

/* The end of a name without hyphens that starts at `s`. */
const char* pc_scan_name(const char* s);

/* The value of an index that is bound here. */
int pc_find_bound_index(const pc_parser* p, const char* name, size_t length, double* value);

/* A name with indices, link(i-1).x: `name` is its beginning, and the parser is at the bracket.
 * `*found` is 0, and the parser where it was, if it means nothing. */
pc_status pc_parse_indexed_name(pc_parser* p, const char* name, int* found, pc_expr* expr);

/* sum(i, n, f), largest(i, n, f), smallest(i, n, f) over i = 0 .. n-1: whether a name is one of
 * these; the call behind its bracket. */
int pc_is_fold(const char* name, size_t length);
pc_status pc_parse_fold(pc_parser* p, const char* name, size_t length, pc_expr* expr);

/* table(x, NAME) or table(x, NAME, smooth), behind its bracket. */
pc_status pc_parse_table(pc_parser* p, pc_expr* expr);

/* A number from 0 to 1, 1 excluded, that looks random and depends on nothing but these two. */
double pc_random_number(double seed, double index);

#endif
