/* Derivatives: the chain rule, once for each pair of an expression and a variable.
 *
 * The walk keeps its own stack, so that a long sum does not become a deep recursion. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/curve.h"
#include "formula/pool.h"

enum { FIRST_MEMOS = 256 };

static pc_memo* find_memo(const pc_pool* pool, pc_expr expr, int variable)
{
  unsigned mask = (unsigned)pool->memo_slots - 1;
  unsigned i = ((unsigned)expr * 2654435761u + (unsigned)variable * 40503u) & mask;
  while (pool->memo[i].expr != PC_NO_EXPR &&
         (pool->memo[i].expr != expr || pool->memo[i].variable != variable))
    i = (i + 1) & mask;
  return &pool->memo[i];
}

static int grow_memos(pc_pool* pool)
{
  pc_memo* old = pool->memo;
  int old_slots = pool->memo_slots;
  int slots = old_slots ? 2 * old_slots : FIRST_MEMOS;
  pc_memo* memo = pc_alloc((size_t)slots, sizeof *memo);
  if (!memo) return 0;
  for (int i = 0; i < slots; i++) memo[i].expr = PC_NO_EXPR;
  pool->memo = memo;
  pool->memo_slots = slots;
  for (int i = 0; i < old_slots; i++)
    if (old[i].expr != PC_NO_EXPR) *find_memo(pool, old[i].expr, old[i].variable) = old[i];
  free(old);
  return 1;
}

static int remember(pc_pool* pool, pc_expr expr, int variable, pc_expr derivative)
{
  if (2 * pool->memo_count >= pool->memo_slots && !grow_memos(pool)) return 0;
  *find_memo(pool, expr, variable) = (pc_memo){expr, variable, derivative};
  pool->memo_count++;
  return 1;
}

/* What is known without a rule: PC_NO_EXPR if nothing. */
static pc_expr known(pc_pool* pool, pc_expr expr, int variable)
{
  if (!(pool->node[expr].variables & pc_variable_bit(variable))) return pc_expr_number(pool, 0);
  if (pool->node[expr].op == PC_OP_VARIABLE)
    return pc_expr_number(pool, pool->node[expr].arg[0] == variable);
  return pool->memo_slots && find_memo(pool, expr, variable)->expr != PC_NO_EXPR
             ? find_memo(pool, expr, variable)->derivative
             : PC_NO_EXPR;
}

static pc_expr one_plus(pc_pool* pool, pc_expr a)
{
  return pc_sum(pool, pc_expr_number(pool, 1), a);
}

static pc_expr one_minus(pc_pool* pool, pc_expr a)
{
  return pc_difference(pool, pc_expr_number(pool, 1), a);
}

static pc_expr square(pc_pool* pool, pc_expr a)
{
  return pc_product(pool, a, a);
}

static pc_expr inverse(pc_pool* pool, pc_expr a)
{
  return pc_quotient(pool, pc_expr_number(pool, 1), a);
}

/* f'(a) of a function of one operand; `f` is f(a). */
static pc_expr slope(pc_pool* pool, pc_op op, pc_expr f, pc_expr a)
{
  switch (op) {
    case PC_OP_SIN: return pc_function(pool, PC_OP_COS, a);
    case PC_OP_COS: return pc_negative(pool, pc_function(pool, PC_OP_SIN, a));
    case PC_OP_TAN: return one_plus(pool, square(pool, f));
    case PC_OP_ASIN:
    case PC_OP_ACOS: {
      pc_expr root = pc_function(pool, PC_OP_SQRT, one_minus(pool, square(pool, a)));
      return op == PC_OP_ASIN ? inverse(pool, root) : pc_negative(pool, inverse(pool, root));
    }
    case PC_OP_ATAN: return inverse(pool, one_plus(pool, square(pool, a)));
    case PC_OP_SINH: return pc_function(pool, PC_OP_COSH, a);
    case PC_OP_COSH: return pc_function(pool, PC_OP_SINH, a);
    case PC_OP_TANH: return one_minus(pool, square(pool, f));
    case PC_OP_EXP: return f;
    case PC_OP_LOG: return inverse(pool, a);
    case PC_OP_SQRT: return pc_quotient(pool, pc_expr_number(pool, 0.5), f);
    case PC_OP_ABS: return pc_function(pool, PC_OP_SIGN, a);
    default: return pc_expr_number(pool, 0); /* sign, floor */
  }
}

/* (a/b)' = a'/b - a b'/b^2 */
static pc_expr quotient_rule(pc_pool* pool, pc_expr a, pc_expr b, pc_expr da, pc_expr db)
{
  pc_expr top = pc_product(pool, a, db), bottom = square(pool, b);
  pc_expr second = pc_quotient(pool, top, bottom);
  return pc_difference(pool, pc_quotient(pool, da, b), second);
}

/* (a^b)' = b a^(b-1) a' + log(a) a^b b' */
static pc_expr power_rule(pc_pool* pool, pc_expr f, const pc_expr arg[3], const pc_expr d[3])
{
  pc_expr a = arg[0], b = arg[1];
  pc_expr reduced = pc_power(pool, a, pc_difference(pool, b, pc_expr_number(pool, 1)));
  pc_expr first = pc_product(pool, pc_product(pool, b, reduced), d[0]);
  if (pc_expr_is_number(pool, b, NULL)) return first;
  pc_expr growth = pc_product(pool, pc_function(pool, PC_OP_LOG, a), f);
  return pc_sum(pool, first, pc_product(pool, growth, d[1]));
}

/* atan2(y, x)' = (x y' - y x') / (x^2 + y^2) */
static pc_expr atan2_rule(pc_pool* pool, const pc_expr arg[3], const pc_expr d[3])
{
  pc_expr y = arg[0], x = arg[1];
  pc_expr x_dy = pc_product(pool, x, d[0]), y_dx = pc_product(pool, y, d[1]);
  pc_expr turn = pc_difference(pool, x_dy, y_dx);
  pc_expr xx = square(pool, x), yy = square(pool, y);
  return pc_quotient(pool, turn, pc_sum(pool, xx, yy));
}

/* (a b)' = a' b + a b' */
static pc_expr product_rule(pc_pool* pool, pc_expr a, pc_expr b, pc_expr da, pc_expr db)
{
  pc_expr first = pc_product(pool, da, b), second = pc_product(pool, a, db);
  return pc_sum(pool, first, second);
}

/* The derivative of a node from those of its operands. */
static pc_expr apply_rule(pc_pool* pool, pc_expr expr, const pc_expr d[3])
{
  pc_node n = pool->node[expr]; /* a copy: the pool may move */
  const pc_expr* arg = n.arg;
  switch (n.op) {
    case PC_OP_ADD: return pc_sum(pool, d[0], d[1]);
    case PC_OP_SUB: return pc_difference(pool, d[0], d[1]);
    case PC_OP_NEG: return pc_negative(pool, d[0]);
    case PC_OP_MUL: return product_rule(pool, arg[0], arg[1], d[0], d[1]);
    case PC_OP_DIV: return quotient_rule(pool, arg[0], arg[1], d[0], d[1]);
    case PC_OP_POW: return power_rule(pool, expr, arg, d);
    case PC_OP_ATAN2: return atan2_rule(pool, arg, d);
    case PC_OP_SELECT: return pc_select(pool, arg[0], d[1], d[2]);
    case PC_OP_CURVE: return pc_product(pool, pc_curve_at(pool, arg[0], arg[1], arg[2] + 1), d[0]);
    default: return pc_product(pool, slope(pool, n.op, expr, arg[0]), d[0]);
  }
}

static int push(pc_pool* pool, int depth, pc_expr expr)
{
  if (pc_grow((void**)&pool->stack, &pool->stack_capacity, depth, sizeof *pool->stack)) return 0;
  pool->stack[depth] = expr;
  return 1;
}

/* The derivatives of the operands; if one is not known yet, returns its place, else -1. */
static int operand_derivatives(pc_pool* pool, pc_expr expr, int variable, pc_expr d[3])
{
  pc_node n = pool->node[expr];
  for (int k = 0; k < pc_operand_count(n.op); k++) {
    d[k] = known(pool, n.arg[k], variable);
    if (d[k] == PC_NO_EXPR) return k;
  }
  return -1;
}

pc_expr pc_derivative(pc_pool* pool, pc_expr expr, int variable)
{
  if (expr < 0 || variable < 0) return PC_NO_EXPR;
  pc_expr result = known(pool, expr, variable);
  if (result != PC_NO_EXPR) return result;
  int depth = 0;
  if (!push(pool, depth++, expr)) return PC_NO_EXPR;
  while (depth) {
    pc_expr top = pool->stack[depth - 1];
    pc_expr d[3] = {PC_NO_EXPR, PC_NO_EXPR, PC_NO_EXPR};
    int missing = operand_derivatives(pool, top, variable, d);
    if (missing >= 0) {
      /* a number that could not be made for lack of memory would be missing for ever */
      if (pc_operand_count(pool->node[pool->node[top].arg[missing]].op) == 0) return PC_NO_EXPR;
      if (!push(pool, depth++, pool->node[top].arg[missing])) return PC_NO_EXPR;
      continue;
    }
    result = apply_rule(pool, top, d);
    if (result < 0 || !remember(pool, top, variable, result)) return PC_NO_EXPR;
    depth--;
  }
  return result;
}
