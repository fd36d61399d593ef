/* Indices in expressions: names with indices, and sums over one. */
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "formula/curve.h"
#include "formula/parser.h"

enum { TERMS_LENGTH_MAX = 4000000, INDICES_MAX = 3, INDEX_LIMIT = 100000000, NAME_MAX = 160 };

int pc_find_bound_index(const pc_parser* p, const char* name, size_t length, double* value)
{
  for (const pc_bound_index* b = p->bound; b; b = b->outer) {
    if (b->length != length || memcmp(b->name, name, length) != 0) continue;
    *value = b->value;
    return 1;
  }
  return 0;
}

/* A whole number that does not depend on the motion. */
static int is_index(const pc_parser* p, pc_expr expr, int* index)
{
  double value;
  if (!pc_expr_is_number(p->pool, expr, &value) || value != floor(value)) return 0;
  if (!(value >= 0 && value < INDEX_LIMIT)) return 0;
  *index = (int)value;
  return 1;
}

/* "(1,2)" from the text of the brackets; 0 if they do not hold indices. */
static pc_status parse_indices(pc_parser* p, char* text, size_t size, int* are)
{
  size_t used = 0;
  *are = 0;
  p->at++; /* the bracket */
  for (int i = 0; i < INDICES_MAX; i++) {
    pc_expr expr;
    int index;
    if (i > 0 && !pc_parse_take(p, ',')) break;
    PC_TRY(pc_parse_sum(p, &expr));
    if (!is_index(p, expr, &index)) return PC_OK;
    int length = snprintf(text + used, size - used, "%c%d", i ? ',' : '(', index);
    if (length < 0 || (size_t)length >= size - used) return PC_OK;
    used += (size_t)length;
  }
  if (used + 2 > size || !pc_parse_take(p, ')')) return PC_OK;
  text[used] = ')';
  text[used + 1] = 0;
  *are = 1;
  return PC_OK;
}

/* What follows the brackets: ".x", "'" or nothing. */
static size_t scan_tail(const char* s)
{
  if (*s == '\'') return 1;
  return *s == '.' ? (size_t)(pc_scan_name(s) - s) : 0;
}

pc_status pc_parse_indexed_name(pc_parser* p, const char* name, int* found, pc_expr* expr)
{
  const char* bracket = p->at;
  char text[NAME_MAX];
  size_t head = (size_t)(bracket - name);
  int are = 0;
  *found = 0;
  if (head + 2 > sizeof text || !p->lookup) return PC_OK;
  memcpy(text, name, head);
  p->in_index++;
  pc_status status = parse_indices(p, text + head, sizeof text - head, &are);
  p->in_index--;
  size_t tail = status == PC_OK && are ? scan_tail(p->at) : 0;
  if (status == PC_OK && are && strlen(text) + tail < sizeof text) {
    size_t length = strlen(text);
    memcpy(text + length, p->at, tail);
    *found = p->lookup(p->user, p->pool, text, length + tail, expr);
  }
  p->at = *found ? p->at + tail : bracket;
  return status;
}

static const char* const folds[] = {"sum", "largest", "smallest"};

static int fold_number(const char* name, size_t length)
{
  for (int i = 0; i < (int)(sizeof folds / sizeof *folds); i++)
    if (strlen(folds[i]) == length && memcmp(folds[i], name, length) == 0) return i;
  return -1;
}

int pc_is_fold(const char* name, size_t length)
{
  return fold_number(name, length) >= 0;
}

static pc_expr combine(pc_pool* pool, int fold, pc_expr a, pc_expr b)
{
  if (fold == 0) return pc_sum(pool, a, b);
  return pc_select(pool, fold == 1 ? pc_difference(pool, a, b) : pc_difference(pool, b, a), a, b);
}

/* `i, n,`: the index and how many terms there are. */
static pc_status parse_range(pc_parser* p, pc_bound_index* index, int* count)
{
  while (*p->at == ' ') p->at++;
  index->name = p->at;
  const char* end = pc_scan_name(p->at);
  index->length = (size_t)(end - p->at);
  if (!index->length || memchr(index->name, '.', index->length) || end[-1] == '\'' ||
      (*p->at >= '0' && *p->at <= '9'))
    return pc_parse_unexpected(p, "the name of an index");
  p->at = end;
  if (!pc_parse_take(p, ',')) return pc_parse_unexpected(p, "',' and the number of terms");
  while (*p->at == ' ') p->at++;
  const char* start = p->at;
  pc_expr expr;
  PC_TRY(pc_parse_sum(p, &expr));
  if (!is_index(p, expr, count) || *count < 1)
    return pc_parse_error_at(
        p, start,
        pc_fail(p->error, PC_BAD_MODEL, "the number of terms must be a whole number from 1 on"));
  return pc_parse_take(p, ',') ? PC_OK : pc_parse_unexpected(p, "',' and the terms");
}

pc_status pc_parse_fold(pc_parser* p, const char* name, size_t length, pc_expr* expr)
{
  pc_bound_index index = {.outer = p->bound};
  int count = 0, fold = fold_number(name, length);
  PC_TRY(parse_range(p, &index, &count));
  const char* term = p->at;
  p->bound = &index;
  for (int i = 0; i < count; i++) {
    pc_expr value;
    index.value = i;
    p->at = term;
    PC_TRY(pc_parse_sum(p, &value));
    if ((p->term_length += (size_t)(p->at - term)) > TERMS_LENGTH_MAX)
      return pc_parse_error_at(
          p, name,
          pc_fail(p->error, PC_BAD_MODEL, "written out, the terms have more than %d characters",
                  TERMS_LENGTH_MAX));
    *expr = i ? combine(p->pool, fold, *expr, value) : value;
    if (*expr < 0) return pc_no_memory(p->error);
  }
  p->bound = index.outer;
  return pc_parse_take(p, ')') ? PC_OK : pc_parse_unexpected(p, "')'");
}

/* The end of the name of a table or file: what stands before a comma or a bracket, without spaces
 * at its end. */
static const char* scan_table(const char* s)
{
  const char* end = s;
  for (; *s && *s != ',' && *s != ')' && *s != '('; s++)
    if (*s != ' ') end = s + 1;
  return end;
}

pc_status pc_parse_table(pc_parser* p, pc_expr* expr)
{
  char text[NAME_MAX];
  pc_expr x;
  PC_TRY(pc_parse_sum(p, &x));
  if (!pc_parse_take(p, ',')) return pc_parse_unexpected(p, "',' and the name of a table");
  while (*p->at == ' ') p->at++;
  const char *name = p->at, *end = scan_table(name);
  p->at = end;
  int smooth = 0, curve = PC_NO_EXPR;
  if (pc_parse_take(p, ',')) {
    while (*p->at == ' ') p->at++;
    smooth = strncmp(p->at, "smooth", 6) == 0;
    if (!smooth && strncmp(p->at, "linear", 6) != 0)
      return pc_parse_unexpected(p, "'smooth' or 'linear'");
    p->at += 6;
  }
  if (!pc_parse_take(p, ')')) return pc_parse_unexpected(p, "')'");
  int length = snprintf(text, sizeof text, "table(%.*s%s)", (int)(end - name), name,
                        smooth ? ",smooth" : "");
  int fits = length > 0 && (size_t)length < sizeof text && end > name;
  if (!fits || !p->lookup || !p->lookup(p->user, p->pool, text, (size_t)length, &curve))
    return pc_parse_error_at(p, name,
                             pc_fail(p->error, PC_BAD_MODEL, "there is no table '%.*s'",
                                     end - name < 60 ? (int)(end - name) : 60, name));
  *expr = pc_curve_at(p->pool, x, curve, 0);
  return *expr < 0 ? pc_no_memory(p->error) : PC_OK;
}

/* Steele, Lea, Flood 2014: a bijection of 64 bits in which every bit of the result depends on
 * all. */
static uint64_t mix(uint64_t x)
{
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

double pc_random_number(double seed, double index)
{
  uint64_t a, b;
  seed += 0.0; /* -0 is 0 */
  index += 0.0;
  memcpy(&a, &seed, sizeof a);
  memcpy(&b, &index, sizeof b);
  return (double)(mix(mix(a) ^ b) >> 11) * 0x1p-53;
}
