/* What the tests of formulas share: texts with named variables, and random numbers. */
#ifndef PC_TESTS_FORMULAS_H
#define PC_TESTS_FORMULAS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "formula/formula.h"

/* The meaning of names: a NULL-terminated list of variables, numbered as listed, and parameters
 * after them. Keeps the name that was refused last. */
typedef struct names {
  const char* const* variable;
  const char* const* parameter; /* may be NULL */
  const double* value;
  char refused[80];
} names;

static int find_text(const char* const* list, const char* name, size_t length)
{
  for (int i = 0; list && list[i]; i++)
    if (strlen(list[i]) == length && !memcmp(list[i], name, length)) return i;
  return -1;
}

static int look_up(void* user, pc_pool* pool, const char* name, size_t length, pc_expr* meaning)
{
  names* n = user;
  int i = find_text(n->variable, name, length);
  if (i >= 0) {
    *meaning = pc_expr_variable(pool, i);
    return 1;
  }
  i = find_text(n->parameter, name, length);
  if (i >= 0) {
    *meaning = pc_expr_number(pool, n->value[i]);
    return 1;
  }
  snprintf(n->refused, sizeof n->refused, "%.*s", (int)(length < 79 ? length : 79), name);
  return 0;
}

/* An expression that must be in order. */
static inline pc_expr parse(pc_pool* pool, names* n, const char* text)
{
  pc_error error = {0};
  pc_expr expr;
  pc_status status = pc_parse(pool, text, look_up, n, &expr, &error);
  if (status != PC_OK) print_error("%s: column %d: %s\n", text, error.column, error.text);
  assert_int_equal(status, PC_OK);
  return expr;
}

static inline double evaluate(const pc_pool* pool, pc_expr expr, const double* variable)
{
  pc_program* program;
  assert_int_equal(pc_program_create(pool, 1, &expr, &program), PC_OK);
  double* registers = calloc((size_t)pc_program_register_count(program) + 1, sizeof *registers);
  double value;
  pc_program_load(program, registers);
  pc_program_run(program, variable, registers, &value);
  free(registers);
  pc_program_destroy(program);
  return value;
}

/* The same numbers in every run, in [low, high). */
static inline double random_number(uint64_t* seed, double low, double high)
{
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

#endif
