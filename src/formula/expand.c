/* Expanding sums of velocities, and sin^2 + cos^2 = 1.
 *
 * A kinetic energy is often written as masses times squares of the velocities of points. Its second
 * derivatives are then correct but long, and the terms of the Lagrangian that cancel do not meet,
 * because they hide in factors. Written out as a sum of (function of q) u_i u_j they do: products
 * and powers of sums that contain a given variable are distributed; other factors stay whole. */
#include <float.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/pool.h"

enum { TERMS_MAX = 64, FACTORS_MAX = 32 };

typedef struct expr_list {
  int count;
  pc_expr expr[TERMS_MAX];
} expr_list;

/* The variables whose sums are distributed. */
typedef struct range {
  int first, count;
} range;

static int is_sum(const pc_pool* pool, pc_expr e)
{
  return pool->node[e].op == PC_OP_ADD || pool->node[e].op == PC_OP_SUB;
}

/* The terms of a sum with their signs; returns 0 if they are too many or memory is short. */
static int list_terms(pc_pool* pool, pc_expr e, expr_list* list)
{
  list->count = 0;
  int negative = pool->node[e].op == PC_OP_NEG && is_sum(pool, pool->node[e].arg[0]);
  if (negative) e = pool->node[e].arg[0];
  while (is_sum(pool, e)) {
    if (list->count == TERMS_MAX - 1) return 0;
    pc_node n = pool->node[e];
    int minus = (n.op == PC_OP_SUB) != negative;
    pc_expr term = minus ? pc_negative(pool, n.arg[1]) : n.arg[1];
    if (term < 0) return 0;
    list->expr[list->count++] = term;
    e = n.arg[0];
  }
  pc_expr first = negative ? pc_negative(pool, e) : e;
  list->expr[list->count++] = first;
  return first >= 0;
}

/* The same for an operand that is to be distributed; else the operand alone. */
static int list_operand(pc_pool* pool, pc_expr e, range r, expr_list* list)
{
  if (pc_depends_on_any(pool, e, r.first, r.count)) return list_terms(pool, e, list);
  list->count = 1;
  list->expr[0] = e;
  return 1;
}

/* a op b, MUL or DIV, term by term; a divisor stays whole. */
static pc_expr distribute(pc_pool* pool, pc_op op, pc_expr a, pc_expr b, range r)
{
  if (a < 0 || b < 0) return PC_NO_EXPR;
  const pc_expr whole[3] = {a, b, PC_NO_EXPR};
  expr_list of_a, of_b = {1, {b}};
  if (!list_operand(pool, a, r, &of_a) || (op == PC_OP_MUL && !list_operand(pool, b, r, &of_b)) ||
      of_a.count * of_b.count > TERMS_MAX)
    return pc_construct(pool, op, whole);
  pc_expr sum = pc_expr_number(pool, 0);
  for (int i = 0; i < of_a.count; i++)
    for (int j = 0; j < of_b.count; j++) {
      const pc_expr pair[3] = {of_a.expr[i], of_b.expr[j], PC_NO_EXPR};
      sum = pc_sum(pool, sum, pc_construct(pool, op, pair));
    }
  return sum;
}

/* A node whose operands are expanded already. */
static pc_expr expand_node(pc_pool* pool, pc_op op, const pc_expr arg[3], range r)
{
  double n;
  if (op == PC_OP_MUL || op == PC_OP_DIV) return distribute(pool, op, arg[0], arg[1], r);
  if (op != PC_OP_POW || !pc_expr_is_number(pool, arg[1], &n) || (n != 2 && n != 3))
    return pc_construct(pool, op, arg);
  pc_expr square = distribute(pool, PC_OP_MUL, arg[0], arg[0], r);
  return n == 2 ? square : distribute(pool, PC_OP_MUL, square, arg[0], r);
}

/* The factors of a term, its number and sign among them. */
static int list_factors(pc_pool* pool, pc_expr e, expr_list* list)
{
  list->count = 0;
  if (pool->node[e].op == PC_OP_NEG) {
    list->expr[list->count++] = pc_expr_number(pool, -1);
    e = pool->node[e].arg[0];
  }
  for (;;) {
    pc_node n = pool->node[e];
    if (list->count >= FACTORS_MAX - 2) return 0;
    if (n.op != PC_OP_MUL) break;
    /* a product is number * chain, or chain * factor */
    int number = pool->node[n.arg[0]].op == PC_OP_NUMBER;
    list->expr[list->count++] = number ? n.arg[0] : n.arg[1];
    e = number ? n.arg[1] : n.arg[0];
  }
  list->expr[list->count++] = e;
  return list->expr[0] >= 0;
}

/* Whether two terms are equal, up to the rounding of their numbers. */
static int nearly_equal(pc_pool* pool, pc_expr a, pc_expr b)
{
  if (a == b) return 1;
  expr_list f[2];
  double c[2] = {1, 1};
  pc_expr core[2];
  const pc_expr term[2] = {a, b};
  for (int k = 0; k < 2; k++) {
    if (term[k] < 0 || !list_factors(pool, term[k], &f[k])) return 0;
    core[k] = pc_expr_number(pool, 1);
    for (int i = 0; i < f[k].count; i++) {
      double number;
      if (pc_expr_is_number(pool, f[k].expr[i], &number))
        c[k] *= number;
      else
        core[k] = pc_product(pool, core[k], f[k].expr[i]);
    }
  }
  return core[0] == core[1] && fabs(c[0] - c[1]) <= 4 * DBL_EPSILON * fabs(c[0]);
}

/* The angle a of sin(a)^2, else PC_NO_EXPR. */
static pc_expr angle_of_squared_sine(const pc_pool* pool, pc_expr e)
{
  const pc_node* n = &pool->node[e];
  double exponent;
  if (n->op != PC_OP_POW || pool->node[n->arg[0]].op != PC_OP_SIN) return PC_NO_EXPR;
  if (!pc_expr_is_number(pool, n->arg[1], &exponent) || exponent != 2) return PC_NO_EXPR;
  return pool->node[n->arg[0]].arg[0];
}

/* If term i is r sin(a)^2 and another is r cos(a)^2, both become r. */
static int merge_term(pc_pool* pool, expr_list* terms, int i)
{
  expr_list f;
  if (!list_factors(pool, terms->expr[i], &f)) return 0;
  for (int k = 0; k < f.count; k++) {
    pc_expr angle = angle_of_squared_sine(pool, f.expr[k]);
    if (angle == PC_NO_EXPR) continue;
    pc_expr rest = pc_expr_number(pool, 1);
    for (int m = 0; m < f.count; m++)
      if (m != k) rest = pc_product(pool, rest, f.expr[m]);
    pc_expr cosine = pc_function(pool, PC_OP_COS, angle);
    pc_expr twin = pc_product(pool, rest, pc_product(pool, cosine, cosine));
    for (int j = 0; j < terms->count; j++) {
      if (j == i || !nearly_equal(pool, terms->expr[j], twin)) continue;
      terms->expr[i] = rest;
      terms->expr[j] = terms->expr[--terms->count];
      return 1;
    }
  }
  return 0;
}

static pc_expr merge_sines(pc_pool* pool, pc_expr e)
{
  expr_list terms;
  if (e < 0 || !list_terms(pool, e, &terms)) return e;
  int merged = 0;
  for (int i = 0; i < terms.count; i++)
    if (merge_term(pool, &terms, i)) {
      merged = 1;
      i = -1; /* the sum is shorter: look again from the start */
    }
  if (!merged) return e;
  pc_expr sum = pc_expr_number(pool, 0);
  for (int i = 0; i < terms.count; i++) sum = pc_sum(pool, sum, terms.expr[i]);
  return sum;
}

pc_expr pc_expand(pc_pool* pool, pc_expr expr, int first, int count)
{
  if (expr < 0) return PC_NO_EXPR;
  const range r = {first, count};
  int* place = pc_alloc((size_t)expr + 1, sizeof *place);
  char* marks = pc_needed_nodes(pool, expr);
  pc_expr result = PC_NO_EXPR;
  for (int i = 0; place && marks && i <= expr; i++) {
    if (!marks[i]) continue;
    pc_node n = pool->node[i];
    for (int k = 0; k < pc_operand_count(n.op); k++) n.arg[k] = place[n.arg[k]];
    place[i] = pc_operand_count(n.op) ? expand_node(pool, n.op, n.arg, r) : i;
    if (place[i] < 0) break;
    if (i == expr) result = merge_sines(pool, place[i]);
  }
  free(place);
  free(marks);
  return result;
}
