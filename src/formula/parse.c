/* Text to expressions, by recursive descent:
 *
 *     sum     = product { ("+" | "-") product }
 *     product = sign { ("*" | "/") sign }
 *     sign    = ("-" | "+") sign | power
 *     power   = atom [ "^" sign ]          so -x^2 is -(x^2), 2^3^2 is 2^(3^2), 2^-1 is 1/2
 *     atom    = number | name [ "(" sum { "," sum } ")" ] | "(" sum ")"
 *               | function "(" sum { "," sum } ")"
 *
 * A text may come from anywhere: its length and its nesting are limited, and no byte of it that is
 * not plain ASCII ends up in a message. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "formula/parser.h"

enum { LENGTH_MAX = 1 << 16, DEPTH_MAX = 200, NUMBER_MAX = 400, HYPHENS_MAX = 8, SHOWN_MAX = 64 };

typedef pc_parser parser;

/* The character classes of the C locale, whatever the locale of the program. */
static int is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static int is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_space(parser* p)
{
  while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r') p->at++;
}

pc_status pc_parse_error_at(parser* p, const char* where, pc_status status)
{
  if (p->error) p->error->column = (int)(where - p->text) + 1;
  return status;
}

pc_status pc_parse_unexpected(parser* p, const char* expected)
{
  unsigned char c = (unsigned char)*p->at;
  pc_status status;
  if (!c)
    status = pc_fail(p->error, PC_BAD_MODEL, "expected %s, but the text ends", expected);
  else if (c < ' ' || c > '~')
    status = pc_fail(p->error, PC_BAD_MODEL, "expected %s, not the byte 0x%02x", expected, c);
  else
    status = pc_fail(p->error, PC_BAD_MODEL, "expected %s, not '%c'", expected, c);
  return pc_parse_error_at(p, p->at, status);
}

/* Every constructor passes through here: a missing expression means a lack of memory. */
static pc_status made(parser* p, pc_expr result, pc_expr* expr)
{
  *expr = result;
  return result < 0 ? pc_no_memory(p->error) : PC_OK;
}

int pc_parse_take(parser* p, char c)
{
  skip_space(p);
  if (*p->at != c) return 0;
  p->at++;
  return 1;
}

static pc_status enter(parser* p)
{
  if (++p->depth <= DEPTH_MAX) return PC_OK;
  return pc_parse_error_at(p, p->at,
                           pc_fail(p->error, PC_BAD_MODEL, "nested more than %d deep", DEPTH_MAX));
}

/* The end of the number that starts at `s`: digits, a point, digits, an exponent. */
static const char* scan_number(const char* s)
{
  while (is_digit(*s)) s++;
  if (*s == '.') s++;
  while (is_digit(*s)) s++;
  if (*s != 'e' && *s != 'E') return s;
  const char* exponent = s + 1;
  if (*exponent == '+' || *exponent == '-') exponent++;
  if (!is_digit(*exponent)) return s;
  while (is_digit(*exponent)) exponent++;
  return exponent;
}

static pc_status parse_number(parser* p, pc_expr* expr)
{
  const char* start = p->at;
  size_t length = (size_t)(scan_number(start) - start);
  char digits[NUMBER_MAX + 32];
  const char* point = localeconv()->decimal_point; /* what strtod wants to see */
  size_t point_length = strlen(point), used = 0;
  if (length > NUMBER_MAX || point_length > 16)
    return pc_parse_error_at(p, start,
                             pc_fail(p->error, PC_BAD_MODEL, "a number of %zu digits", length));
  for (size_t i = 0; i < length; i++) {
    if (start[i] != '.') {
      digits[used++] = start[i];
      continue;
    }
    memcpy(digits + used, point, point_length);
    used += point_length;
  }
  digits[used] = 0;
  double value = strtod(digits, NULL);
  if (!isfinite(value))
    return pc_parse_error_at(p, start, pc_fail(p->error, PC_BAD_MODEL, "the number is too large"));
  p->at += length;
  return made(p, pc_expr_number(p->pool, value), expr);
}

/* Functions by name. MIN, MAX, STEP and IF are SELECTs in the pool; MOD, FRAC, CEIL and ROUND are
 * made of FLOOR. */
typedef enum builtin { BY_OP, ATAN2, MIN, MAX, STEP, IF, MOD, FRAC, CEIL, ROUND, RANDOM } builtin;

enum { ARGUMENTS_MAX = 3 };

typedef struct function_name {
  const char* name;
  builtin kind;
  pc_op op;
  int count; /* arguments */
} function_name;

static const function_name functions[] = {
    {"sin", BY_OP, PC_OP_SIN, 1},
    {"cos", BY_OP, PC_OP_COS, 1},
    {"tan", BY_OP, PC_OP_TAN, 1},
    {"asin", BY_OP, PC_OP_ASIN, 1},
    {"acos", BY_OP, PC_OP_ACOS, 1},
    {"atan", BY_OP, PC_OP_ATAN, 1},
    {"sinh", BY_OP, PC_OP_SINH, 1},
    {"cosh", BY_OP, PC_OP_COSH, 1},
    {"tanh", BY_OP, PC_OP_TANH, 1},
    {"exp", BY_OP, PC_OP_EXP, 1},
    {"log", BY_OP, PC_OP_LOG, 1},
    {"sqrt", BY_OP, PC_OP_SQRT, 1},
    {"abs", BY_OP, PC_OP_ABS, 1},
    {"sign", BY_OP, PC_OP_SIGN, 1},
    {"floor", BY_OP, PC_OP_FLOOR, 1},
    {"atan2", ATAN2, 0, 2},
    {"min", MIN, 0, 2},
    {"max", MAX, 0, 2},
    {"step", STEP, 0, 1},
    {"if", IF, 0, 3},
    {"mod", MOD, 0, 2},
    {"frac", FRAC, 0, 1},
    {"ceil", CEIL, 0, 1},
    {"round", ROUND, 0, 1},
    {"random", RANDOM, 0, 2},
};

static int is_name(const char* name, const char* s, size_t length)
{
  return strlen(name) == length && !memcmp(name, s, length);
}

static const function_name* find_function(const char* s, size_t length)
{
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (is_name(functions[i].name, s, length)) return &functions[i];
  return NULL;
}

static pc_expr floor_of(pc_pool* pool, pc_expr a)
{
  return pc_function(pool, PC_OP_FLOOR, a);
}

static pc_expr step_of(pc_pool* pool, pc_expr a)
{
  pc_expr one = pc_expr_number(pool, 1);
  return pc_select(pool, a, one, pc_expr_number(pool, 0));
}

static pc_expr random_of(pc_pool* pool, pc_expr a, pc_expr b)
{
  double seed = 0, index = 0;
  pc_expr_is_number(pool, a, &seed);
  pc_expr_is_number(pool, b, &index);
  return pc_expr_number(pool, pc_random_number(seed, index));
}

static pc_expr call(pc_pool* pool, const function_name* f, const pc_expr arg[ARGUMENTS_MAX])
{
  pc_expr a = arg[0], b = arg[1];
  switch (f->kind) {
    case ATAN2: return pc_expr_atan2(pool, a, b);
    case MIN: return pc_select(pool, pc_difference(pool, b, a), a, b);
    case MAX: return pc_select(pool, pc_difference(pool, a, b), a, b);
    case STEP: return step_of(pool, a);
    case IF: return pc_select(pool, a, b, arg[2]);
    case MOD: /* of the sign of b */
      return pc_difference(pool, a, pc_product(pool, b, floor_of(pool, pc_quotient(pool, a, b))));
    case FRAC: return pc_difference(pool, a, floor_of(pool, a));
    case CEIL: return pc_negative(pool, floor_of(pool, pc_negative(pool, a)));
    case ROUND: return floor_of(pool, pc_sum(pool, a, pc_expr_number(pool, 0.5)));
    case RANDOM: return random_of(pool, a, b);
    case BY_OP: break;
  }
  return pc_function(pool, f->op, a);
}

static pc_status parse_call(parser* p, const function_name* f, pc_expr* expr)
{
  static const char* const wanted[] = {"", "',' and a second argument", "',' and a third argument"};
  pc_expr arg[ARGUMENTS_MAX] = {PC_NO_EXPR, PC_NO_EXPR, PC_NO_EXPR};
  for (int i = 0; i < f->count; i++) {
    if (i > 0 && !pc_parse_take(p, ',')) return pc_parse_unexpected(p, wanted[i]);
    PC_TRY(pc_parse_sum(p, &arg[i]));
  }
  if (!pc_parse_take(p, ')')) return pc_parse_unexpected(p, "')'");
  double ignored;
  for (int i = 0; f->kind == RANDOM && i < f->count; i++)
    if (!pc_expr_is_number(p->pool, arg[i], &ignored))
      return pc_parse_error_at(
          p, p->at - 1,
          pc_fail(p->error, PC_BAD_MODEL, "random(seed, i) is of numbers that stay as they are"));
  return made(p, call(p->pool, f, arg), expr);
}

const char* pc_scan_name(const char* s)
{
  while (is_letter(*s) || is_digit(*s) || *s == '.') s++;
  return *s == '\'' ? s + 1 : s;
}

static pc_status unknown(parser* p, const char* what, const char* name, size_t length)
{
  int shown = length > SHOWN_MAX ? SHOWN_MAX : (int)length;
  const char* more = length > SHOWN_MAX ? "..." : "";
  pc_status status =
      pc_fail(p->error, PC_BAD_MODEL, "unknown %s '%.*s%s'", what, shown, name, more);
  return pc_parse_error_at(p, name, status);
}

/* What a name without brackets means: an index of a fold, or whatever the caller says. */
static int ask(parser* p, const char* name, size_t length, pc_expr* meaning)
{
  double value;
  if (pc_find_bound_index(p, name, length, &value)) {
    *meaning = pc_expr_number(p->pool, value);
    return 1;
  }
  return p->lookup && p->lookup(p->user, p->pool, name, length, meaning);
}

/* A name with hyphens and an index, far-link(2).x. What is no index, as in x-sin(t), is not an
 * error: then the hyphen is a minus. Within the brackets of another name hyphens are always that,
 * so that nothing is read more than twice. */
static int look_up_indexed(parser* p, const char* end, pc_expr* meaning)
{
  const char* start = p->at;
  pc_error* error = p->error;
  pc_error ignored = {0};
  const pc_bound_index* bound = p->bound;
  int found = 0, depth = p->depth;
  if (*end != '(' || p->in_index) return 0;
  p->error = &ignored;
  p->at = end;
  if (pc_parse_indexed_name(p, start, &found, meaning) != PC_OK) found = 0;
  p->error = error;
  p->depth = depth;
  p->bound = bound;
  if (!found) p->at = start;
  return found;
}

/* Takes the longest name that the lookup knows, with hyphens between letters; the shortest is asked
 * for last, so that the last call is about the name in the error. A `reserved` name itself, such as
 * pi, is not asked for. */
static int look_up(parser* p, int reserved, pc_expr* meaning)
{
  const char* start = p->at;
  const char* end[HYPHENS_MAX + 1] = {pc_scan_name(start)};
  int count = 1;
  while (count <= HYPHENS_MAX && end[count - 1][-1] != '\'' && *end[count - 1] == '-' &&
         is_letter(end[count - 1][1])) {
    end[count] = pc_scan_name(end[count - 1] + 1);
    count++;
  }
  if (count > 1 && look_up_indexed(p, end[count - 1], meaning)) return 1;
  for (int i = count - 1; i >= (reserved ? 1 : 0); i--) {
    if (!ask(p, start, (size_t)(end[i] - start), meaning)) continue;
    p->at = end[i];
    return 1;
  }
  return 0;
}

/* sin(x), sum(i, n, x), link(2).x: the parser is behind the bracket. */
static pc_status parse_brackets(parser* p, const char* name, const char* end, pc_expr* expr)
{
  size_t length = (size_t)(end - name);
  const function_name* f = find_function(name, length);
  if (f) return parse_call(p, f, expr);
  if (is_name("table", name, length)) return pc_parse_table(p, expr);
  if (pc_is_fold(name, length)) return pc_parse_fold(p, name, length, expr);
  int found = 0;
  p->at = end;
  if (*end == '(') PC_TRY(pc_parse_indexed_name(p, name, &found, expr));
  return found ? made(p, *expr, expr) : unknown(p, "function", name, length);
}

static pc_status parse_name(parser* p, pc_expr* expr)
{
  const char* start = p->at;
  const char* end = pc_scan_name(start);
  size_t length = (size_t)(end - start);
  int is_function =
      find_function(start, length) || pc_is_fold(start, length) || is_name("table", start, length);
  int is_pi = is_name("pi", start, length);
  p->at = end;
  if (pc_parse_take(p, '(')) return parse_brackets(p, start, end, expr);
  p->at = start;
  pc_expr meaning = PC_NO_EXPR;
  if (look_up(p, is_function || is_pi, &meaning)) return made(p, meaning, expr);
  p->at = end;
  skip_space(p);
  if (is_function) return pc_parse_unexpected(p, "'(' after the name of a function");
  if (is_pi) return made(p, pc_expr_number(p->pool, pc_acos(-1.0)), expr);
  return unknown(p, "name", start, length);
}

static pc_status parse_atom(parser* p, pc_expr* expr)
{
  skip_space(p);
  char c = *p->at;
  if (is_digit(c) || (c == '.' && is_digit(p->at[1]))) return parse_number(p, expr);
  if (is_letter(c)) return parse_name(p, expr);
  if (!pc_parse_take(p, '(')) return pc_parse_unexpected(p, "a number, a name or '('");
  PC_TRY(pc_parse_sum(p, expr));
  return pc_parse_take(p, ')') ? PC_OK : pc_parse_unexpected(p, "')'");
}

static pc_status parse_sign(parser* p, pc_expr* expr)
{
  PC_TRY(enter(p));
  if (pc_parse_take(p, '-')) {
    PC_TRY(parse_sign(p, expr));
    PC_TRY(made(p, pc_negative(p->pool, *expr), expr));
  } else if (pc_parse_take(p, '+')) {
    PC_TRY(parse_sign(p, expr));
  } else {
    PC_TRY(parse_atom(p, expr));
    if (pc_parse_take(p, '^')) {
      pc_expr exponent;
      PC_TRY(parse_sign(p, &exponent));
      PC_TRY(made(p, pc_power(p->pool, *expr, exponent), expr));
    }
  }
  p->depth--;
  return PC_OK;
}

static pc_status parse_product(parser* p, pc_expr* expr)
{
  PC_TRY(parse_sign(p, expr));
  for (;;) {
    int times = pc_parse_take(p, '*');
    if (!times && !pc_parse_take(p, '/')) return PC_OK;
    pc_expr b;
    PC_TRY(parse_sign(p, &b));
    pc_expr a = *expr;
    PC_TRY(made(p, times ? pc_product(p->pool, a, b) : pc_quotient(p->pool, a, b), expr));
  }
}

pc_status pc_parse_sum(parser* p, pc_expr* expr)
{
  PC_TRY(parse_product(p, expr));
  for (;;) {
    int plus = pc_parse_take(p, '+');
    if (!plus && !pc_parse_take(p, '-')) return PC_OK;
    pc_expr b;
    PC_TRY(parse_product(p, &b));
    pc_expr a = *expr;
    PC_TRY(made(p, plus ? pc_sum(p->pool, a, b) : pc_difference(p->pool, a, b), expr));
  }
}

pc_status pc_parse(pc_pool* pool, const char* text, pc_lookup* lookup, void* user, pc_expr* expr,
                   pc_error* error)
{
  parser p = {.pool = pool, .text = text, .at = text, .lookup = lookup, .user = user};
  p.error = error;
  if (strnlen(text, LENGTH_MAX + 1) > LENGTH_MAX)
    return pc_parse_error_at(&p, text,
                             pc_fail(error, PC_BAD_MODEL, "longer than %d characters", LENGTH_MAX));
  PC_TRY(pc_parse_sum(&p, expr));
  skip_space(&p);
  return *p.at ? pc_parse_unexpected(&p, "an operator or the end") : PC_OK;
}
