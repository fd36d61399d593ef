/* Any text as an expression: it is refused at a column within the text, or it can be
 * differentiated twice, compiled and evaluated. */
#undef NDEBUG /* the checks are what this program is for */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "formula/formula.h"
#include "fuzz/target.h"

enum { VARIABLES = 3, LENGTH_MAX = 4096 };

static int find_variable(void* user, pc_pool* pool, const char* name, size_t length,
                         pc_expr* meaning)
{
  static const char* const known[VARIABLES] = {"x", "y", "x'"};
  (void)user;
  for (int i = 0; i < VARIABLES; i++)
    if (strlen(known[i]) == length && !memcmp(known[i], name, length)) {
      *meaning = pc_expr_variable(pool, i);
      return 1;
    }
  return 0;
}

static void evaluate(const pc_pool* pool, int count, const pc_expr* expr, double* out)
{
  static const double points[][VARIABLES] = {{0, 0, 0}, {1, -2, 3}, {1e300, -1e-300, 0.5}};
  pc_program* program = NULL;
  if (pc_program_create(pool, count, expr, &program) != PC_OK) return;
  size_t registers = (size_t)pc_program_register_count(program);
  double* work = calloc(registers + 1, sizeof *work);
  if (work) {
    pc_program_load(program, work);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
      pc_program_run(program, points[i], work, out);
  }
  free(work);
  pc_program_destroy(program);
}

static void differentiate_and_evaluate(pc_pool* pool, pc_expr expr)
{
  pc_expr list[3] = {expr};
  double out[3];
  list[1] = pc_derivative(pool, expr, 0);
  if (list[1] < 0) return;
  list[2] = pc_derivative(pool, list[1], 1);
  if (list[2] < 0) return;
  evaluate(pool, 3, list, out);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  if (size > LENGTH_MAX) return 0;
  char* text = malloc(size + 1);
  pc_pool* pool = pc_pool_create();
  if (text && pool) {
    memcpy(text, data, size);
    text[size] = '\0';
    pc_expr expr = -1;
    pc_error error = {0};
    if (pc_parse(pool, text, find_variable, NULL, &expr, &error) == PC_OK)
      differentiate_and_evaluate(pool, expr);
    else
      assert(error.text[0] && error.column >= 1 && (size_t)error.column <= strlen(text) + 1);
  }
  pc_pool_destroy(pool);
  free(text);
  return 0;
}
