#include "text/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "text/bindings.h"
#include "text/repeat.h"
#include "text/tables.h"

/* One attempt to parse: remembers the name that was not found, for the suggestion. */
typedef struct attempt {
  const pc_scope* scope;
  char missing[64];
  char indexed[64]; /* what it was with indices: link(2).x is the name link2.x; "" without */
} attempt;

static int find_name(void* user, pc_pool* pool, const char* name, size_t length, pc_expr* meaning)
{
  attempt* a = user;
  char flat[200];
  a->missing[0] = 0;
  for (const pc_scope* s = a->scope; s; s = s->outer)
    if (s->find(s->user, pool, name, length, meaning)) return 1;
  a->indexed[0] = 0;
  if (pc_flat_name(name, length, flat, sizeof flat)) {
    snprintf(a->indexed, sizeof a->indexed, "%.*s", (int)length, name);
    name = flat;
    length = strlen(flat);
    for (const pc_scope* s = a->scope; s; s = s->outer)
      if (s->find(s->user, pool, name, length, meaning)) return 1;
  }
  if (length < sizeof a->missing) {
    memcpy(a->missing, name, length);
    a->missing[length] = 0;
  }
  return 0;
}

/* The parser may ask for a name and go on without it: it is to blame only if the error is there. */
static int error_is_at_missing_name(const attempt* a, const char* text, const pc_error* error)
{
  size_t at = error->column > 0 ? (size_t)error->column - 1 : 0;
  size_t length = strlen(a->missing);
  if (a->indexed[0]) return length > 0 && strncmp(error->text, "unknown function", 16) == 0;
  return length > 0 && at < strlen(text) && strncmp(text + at, a->missing, length) == 0;
}

static pc_status fail_with_missing_name(const attempt* a, pc_status status, pc_error* error)
{
  pc_suggestion names;
  pc_suggest_begin(&names, a->missing);
  for (const pc_scope* s = a->scope; s; s = s->outer) s->list(s->user, &names);
  return pc_fail(
      error, status, "unknown name '%s'%s", a->indexed[0] ? a->indexed : a->missing,
      names.list[0] ? pc_suggest_text(&names, "known here") : "; the model has no parameters");
}

/* Why table(x, NAME) found none. */
static pc_status explain_table(const pc_scope* scope, pc_status status, pc_error* error)
{
  const char* problem = "";
  for (const pc_scope* s = scope; s && !problem[0]; s = s->outer) problem = pc_tables_problem(s);
  size_t used = strlen(error->text);
  snprintf(error->text + used, sizeof error->text - used, ": %s",
           problem[0] ? problem : "tables can be used in numbers and formulas, not in parameters");
  return status;
}

pc_status pc_parse_text(const pc_scope* scope, const char* text, pc_pool* pool, pc_expr* expr,
                        pc_error* error)
{
  attempt a = {.scope = scope};
  *error = (pc_error){0};
  pc_status status = pc_parse(pool, text, find_name, &a, expr, error);
  if (status == PC_OK || status == PC_OUT_OF_MEMORY) return status;
  if (strncmp(error->text, "there is no table", 17) == 0)
    return explain_table(scope, status, error);
  if (error_is_at_missing_name(&a, text, error)) return fail_with_missing_name(&a, status, error);
  return status;
}

/* From a position within the text of a scalar to its place in the file. */
static void place_within(const pc_node* node, pc_error* error)
{
  int column = node->column;
  if (node->exact) {
    column += node->quoted ? 1 : 0;
    for (int i = 0; i + 1 < error->column && node->text[i]; i++)
      column += (node->text[i] & 0xC0) != 0x80;
  }
  pc_place_at(error, node, column);
}

pc_status pc_parse_node(const pc_scope* scope, const pc_node* node, pc_pool* pool, pc_expr* expr,
                        pc_error* error)
{
  if (node->kind != PC_NODE_SCALAR || !node->text[0])
    return pc_fail_at(error, node, "expected an expression, found %s", pc_node_describe(node));
  pc_scope with_indices = pc_bindings_scope(node->bound, scope);
  if (node->bound) scope = &with_indices;
  pc_status status = pc_parse_text(scope, node->text, pool, expr, error);
  if (status == PC_OK || status == PC_OUT_OF_MEMORY) return status;
  error->status = PC_BAD_MODEL;
  place_within(node, error);
  return PC_BAD_MODEL;
}

pc_status pc_evaluate_constant(const pc_pool* pool, pc_expr expr, double* value, pc_error* error)
{
  if (pc_expr_is_number(pool, expr, value)) return PC_OK;
  pc_program* program = NULL;
  if (pc_program_create(pool, 1, &expr, &program) != PC_OK) return pc_no_memory(error);
  double* registers = pc_alloc((size_t)pc_program_register_count(program), sizeof(double));
  if (registers) {
    double no_variable = 0;
    pc_program_load(program, registers);
    pc_program_run(program, &no_variable, registers, value);
  }
  free(registers);
  pc_program_destroy(program);
  return registers ? PC_OK : pc_no_memory(error);
}

/* A plain decimal number, by far the most frequent text. */
static int is_plain_number(const char* text, double* value)
{
  if (!text[0] || strspn(text, "0123456789.eE+-") != strlen(text)) return 0;
  if (!strpbrk(text, "0123456789")) return 0;
  char* end = NULL;
  *value = strtod(text, &end);
  return *end == 0;
}

/* nan, .nan, -inf, .Inf, infinity: numbers for YAML and C, but not for a model. */
static int means_no_finite_number(const char* text)
{
  static const char* const word[] = {"nan", "inf", "infinity"};
  if (*text == '+' || *text == '-') text++;
  if (*text == '.') text++;
  for (size_t w = 0; w < sizeof word / sizeof *word; w++) {
    size_t i = 0;
    while (text[i] && tolower((unsigned char)text[i]) == word[w][i]) i++;
    if (!text[i] && !word[w][i]) return 1;
  }
  return 0;
}

int pc_is_expression(const char* text)
{
  double value = 0;
  return !is_plain_number(text, &value) && !means_no_finite_number(text);
}

static pc_status evaluate_text(const pc_scope* scope, const char* text, double* value,
                               pc_error* error)
{
  pc_pool* pool = pc_pool_create();
  if (!pool) return pc_no_memory(error);
  pc_expr expr = 0;
  pc_status status = pc_parse_text(scope, text, pool, &expr, error);
  if (status == PC_OK) status = pc_evaluate_constant(pool, expr, value, error);
  pc_pool_destroy(pool);
  return status;
}

pc_status pc_number_of_text(const pc_scope* scope, const char* text, double* value, pc_error* error)
{
  *error = (pc_error){0};
  if (means_no_finite_number(text))
    return pc_fail(error, PC_BAD_MODEL, "expected a finite number, found '%s'", text);
  if (!is_plain_number(text, value)) PC_TRY(evaluate_text(scope, text, value, error));
  if (isfinite(*value)) return PC_OK;
  error->column = 1;
  return pc_fail(error, PC_BAD_MODEL, "'%.60s' is %s, not a finite number", text,
                 isnan(*value) ? "not a number" : "infinite");
}

pc_status pc_number_of_node(const pc_scope* scope, const pc_node* node, double* value,
                            pc_error* error)
{
  if (node->kind != PC_NODE_SCALAR || !node->text[0])
    return pc_fail_at(error, node, "expected a number or an expression, found %s",
                      pc_node_describe(node));
  pc_scope with_indices = pc_bindings_scope(node->bound, scope);
  if (node->bound) scope = &with_indices;
  pc_status status = pc_number_of_text(scope, node->text, value, error);
  if (status == PC_OK || status == PC_OUT_OF_MEMORY) return status;
  error->status = PC_BAD_MODEL;
  place_within(node, error);
  return PC_BAD_MODEL;
}
