/* Constructors that keep expressions canonical.
 *
 * A sum is a chain ((t1 + t2) - t3) ..., its terms sorted by the number of their node, the plain
 * number last, equal terms merged (x + 2 x is 3 x, x - x is 0), the first one positive: the sum of
 * the other sign is its NEG. A product is c (f1 f2 ...), a positive number times sorted factors,
 * with integer powers collected, and NEG or a quotient outside of it. So signs and numbers move
 * outwards, where they meet and cancel: the Coriolis terms of a Lagrangian fold to their closed
 * form, and sin(a-b) and sin(b-a) are one node and its NEG.
 *
 * Values may change by rounding, nothing else: no quotient is cancelled, no root of a square
 * taken. A product with the number 0 is 0, as the derivative of what does not vary needs it. */
#include <stdlib.h>

#include "base/elementary.h"
#include "formula/curve.h"
#include "formula/pool.h"

/* Longer chains stay as they are written: the cost of sorting is bounded, whatever the text. */
enum { CHAIN_MAX = 64, EXPONENT_MAX = 1024 };

static double number_or(const pc_pool* pool, pc_expr e, double otherwise)
{
  double value = otherwise;
  pc_expr_is_number(pool, e, &value);
  return value;
}

static int is_number(const pc_pool* pool, pc_expr e, double value)
{
  double v;
  return pc_expr_is_number(pool, e, &v) && v == value;
}

double pc_op_value(pc_op op, double a, double b, double c)
{
  switch (op) {
    case PC_OP_ADD: return a + b;
    case PC_OP_SUB: return a - b;
    case PC_OP_NEG: return -a;
    case PC_OP_MUL: return a * b;
    case PC_OP_DIV: return a / b;
    case PC_OP_POW: return pc_pow(a, b);
    case PC_OP_ATAN2: return pc_atan2(a, b);
    case PC_OP_SELECT: return a >= 0 ? b : c;
    case PC_OP_SIN: return pc_sin(a);
    case PC_OP_COS: return pc_cos(a);
    case PC_OP_TAN: return pc_tan(a);
    case PC_OP_ASIN: return pc_asin(a);
    case PC_OP_ACOS: return pc_acos(a);
    case PC_OP_ATAN: return pc_atan(a);
    case PC_OP_SINH: return pc_sinh(a);
    case PC_OP_COSH: return pc_cosh(a);
    case PC_OP_TANH: return pc_tanh(a);
    case PC_OP_EXP: return pc_exp(a);
    case PC_OP_LOG: return pc_log(a);
    case PC_OP_SQRT: return sqrt(a);
    case PC_OP_ABS: return fabs(a);
    case PC_OP_SIGN: return a > 0 ? 1 : a < 0 ? -1 : a;
    case PC_OP_FLOOR: return floor(a);
    case PC_OP_CURVE:
    case PC_OP_NUMBER:
    case PC_OP_VARIABLE: break;
  }
  return NAN;
}

/* Splits off sign and number: e = coefficient * core. A number is its own coefficient of core
 * PC_NO_EXPR. */
static pc_expr split(const pc_pool* pool, pc_expr e, double* coefficient)
{
  *coefficient = 1;
  if (pool->node[e].op == PC_OP_NEG) {
    *coefficient = -1;
    e = pool->node[e].arg[0];
  }
  const pc_node* n = &pool->node[e];
  if (n->op == PC_OP_NUMBER) {
    *coefficient *= n->value;
    return PC_NO_EXPR;
  }
  if (n->op != PC_OP_MUL || pool->node[n->arg[0]].op != PC_OP_NUMBER) return e;
  *coefficient *= pool->node[n->arg[0]].value;
  return n->arg[1];
}

/* coefficient * core, the inverse of split; core is canonical, without sign and number. */
static pc_expr scaled(pc_pool* pool, double coefficient, pc_expr core)
{
  if (core == PC_NO_EXPR) return pc_expr_number(pool, coefficient);
  if (coefficient == 0) return pc_expr_number(pool, 0);
  double size = coefficient < 0 ? -coefficient : coefficient;
  pc_expr e = core;
  if (size != 1) e = pc_intern(pool, PC_OP_MUL, pc_expr_number(pool, size), core, PC_NO_EXPR);
  return coefficient < 0 ? pc_intern(pool, PC_OP_NEG, e, PC_NO_EXPR, PC_NO_EXPR) : e;
}

/* A product of coefficients that neither overflows nor underflows. */
static int safe_product(double a, double b, double* c)
{
  *c = a * b;
  return a == 0 || b == 0 || isnormal(*c);
}

/* Sums ------------------------------------------------------------------------------------- */

typedef struct term {
  pc_expr core; /* PC_NO_EXPR: the plain number */
  double coefficient;
} term;

typedef struct sum {
  int count;
  term term[CHAIN_MAX];
} sum;

/* Adds a term at its sorted place; returns 0 if there is no space. */
static int add_term(sum* s, pc_expr core, double coefficient)
{
  int i = s->count;
  /* as unsigned, PC_NO_EXPR is the largest core: the plain number comes last */
  while (i > 0 && (unsigned)s->term[i - 1].core > (unsigned)core) i--;
  if (i > 0 && s->term[i - 1].core == core) {
    double c = s->term[i - 1].coefficient + coefficient;
    if (!isfinite(c) && isfinite(coefficient)) return 0;
    s->term[i - 1].coefficient = c;
    return 1;
  }
  if (s->count == CHAIN_MAX) return 0;
  for (int k = s->count++; k > i; k--) s->term[k] = s->term[k - 1];
  s->term[i] = (term){core, coefficient};
  return 1;
}

/* Adds all terms of sign * e. */
static int gather_terms(const pc_pool* pool, pc_expr e, double sign, sum* s)
{
  if (pool->node[e].op == PC_OP_NEG) {
    e = pool->node[e].arg[0];
    sign = -sign;
  }
  double c;
  while (pool->node[e].op == PC_OP_ADD || pool->node[e].op == PC_OP_SUB) {
    const pc_node* n = &pool->node[e];
    pc_expr core = split(pool, n->arg[1], &c);
    if (!add_term(s, core, n->op == PC_OP_ADD ? sign * c : -sign * c)) return 0;
    e = n->arg[0];
  }
  pc_expr core = split(pool, e, &c);
  return add_term(s, core, sign * c);
}

static pc_expr build_sum(pc_pool* pool, sum* s)
{
  int used = 0;
  for (int i = 0; i < s->count; i++)
    if (s->term[i].coefficient != 0) s->term[used++] = s->term[i];
  if (used == 0) return pc_expr_number(pool, 0);
  if (used == 1) return scaled(pool, s->term[0].coefficient, s->term[0].core);
  double sign = s->term[0].coefficient < 0 ? -1 : 1;
  pc_expr e = scaled(pool, sign * s->term[0].coefficient, s->term[0].core);
  for (int i = 1; i < used; i++) {
    double c = sign * s->term[i].coefficient;
    pc_expr t = scaled(pool, c < 0 ? -c : c, s->term[i].core);
    e = pc_intern(pool, c < 0 ? PC_OP_SUB : PC_OP_ADD, e, t, PC_NO_EXPR);
  }
  return sign < 0 ? pc_intern(pool, PC_OP_NEG, e, PC_NO_EXPR, PC_NO_EXPR) : e;
}

static pc_expr add_or_subtract(pc_pool* pool, pc_op op, pc_expr a, pc_expr b)
{
  if (a < 0 || b < 0) return PC_NO_EXPR;
  if (is_number(pool, b, 0)) return a;
  if (is_number(pool, a, 0)) return op == PC_OP_ADD ? b : pc_negative(pool, b);
  sum s = {0};
  if (gather_terms(pool, a, 1, &s) && gather_terms(pool, b, op == PC_OP_ADD ? 1 : -1, &s))
    return build_sum(pool, &s);
  return pc_intern(pool, op, a, b, PC_NO_EXPR);
}

pc_expr pc_sum(pc_pool* pool, pc_expr a, pc_expr b)
{
  return add_or_subtract(pool, PC_OP_ADD, a, b);
}

pc_expr pc_difference(pc_pool* pool, pc_expr a, pc_expr b)
{
  return add_or_subtract(pool, PC_OP_SUB, a, b);
}

pc_expr pc_negative(pc_pool* pool, pc_expr a)
{
  if (a < 0) return PC_NO_EXPR;
  if (pool->node[a].op == PC_OP_NEG) return pool->node[a].arg[0];
  if (pool->node[a].op == PC_OP_NUMBER) return pc_expr_number(pool, -pool->node[a].value);
  return pc_intern(pool, PC_OP_NEG, a, PC_NO_EXPR, PC_NO_EXPR);
}

/* Products --------------------------------------------------------------------------------- */

typedef struct factor {
  pc_expr base;
  int exponent; /* positive */
} factor;

typedef struct product {
  double coefficient;
  int count;
  factor factor[CHAIN_MAX];
} product;

static int add_factor(product* p, pc_expr base, int exponent)
{
  int i = p->count;
  while (i > 0 && p->factor[i - 1].base > base) i--;
  if (i > 0 && p->factor[i - 1].base == base) {
    if (p->factor[i - 1].exponent > EXPONENT_MAX - exponent) return 0;
    p->factor[i - 1].exponent += exponent;
    return 1;
  }
  if (p->count == CHAIN_MAX) return 0;
  for (int k = p->count++; k > i; k--) p->factor[k] = p->factor[k - 1];
  p->factor[i] = (factor){base, exponent};
  return 1;
}

/* The exponent of a power node if it is an integer that we collect, else 0. */
static int integer_exponent(const pc_pool* pool, pc_expr exponent)
{
  double n = number_or(pool, exponent, 0);
  return n == floor(n) && n >= 2 && n <= EXPONENT_MAX ? (int)n : 0;
}

/* Adds one factor, which may be a power, to the power `times`. */
static int gather_factor(const pc_pool* pool, pc_expr e, int times, product* p)
{
  const pc_node* n = &pool->node[e];
  int exponent = n->op == PC_OP_POW ? integer_exponent(pool, n->arg[1]) : 0;
  if (!exponent) return add_factor(p, e, times);
  if (exponent > EXPONENT_MAX / times) return 0;
  return add_factor(p, n->arg[0], exponent * times);
}

/* Adds all factors of e^times. */
static int gather_factors(const pc_pool* pool, pc_expr e, int times, product* p)
{
  double c;
  e = split(pool, e, &c);
  if (times != 1) {
    double power = pc_pow(c, times);
    if (c != 0 && !isnormal(power)) return 0;
    c = power;
  }
  if (!safe_product(p->coefficient, c, &p->coefficient)) return 0;
  if (e == PC_NO_EXPR) return 1;
  while (pool->node[e].op == PC_OP_MUL) {
    if (!gather_factor(pool, pool->node[e].arg[1], times, p)) return 0;
    e = pool->node[e].arg[0];
  }
  return gather_factor(pool, e, times, p);
}

static pc_expr build_factor(pc_pool* pool, factor f)
{
  if (f.exponent == 1) return f.base;
  return pc_intern(pool, PC_OP_POW, f.base, pc_expr_number(pool, f.exponent), PC_NO_EXPR);
}

static pc_expr build_product(pc_pool* pool, const product* p)
{
  if (p->count == 0) return pc_expr_number(pool, p->coefficient);
  if (p->coefficient == 0) return pc_expr_number(pool, 0);
  pc_expr e = build_factor(pool, p->factor[0]);
  for (int i = 1; i < p->count; i++)
    e = pc_intern(pool, PC_OP_MUL, e, build_factor(pool, p->factor[i]), PC_NO_EXPR);
  return e < 0 ? PC_NO_EXPR : scaled(pool, p->coefficient, e);
}

/* e = coefficient * numerator / denominator, where the denominator may be PC_NO_EXPR for 1. */
static pc_expr split_quotient(pc_pool* pool, pc_expr e, pc_expr* denominator)
{
  double c;
  pc_expr core = split(pool, e, &c);
  *denominator = PC_NO_EXPR;
  if (core == PC_NO_EXPR || pool->node[core].op != PC_OP_DIV) return e;
  pc_node n = pool->node[core];
  *denominator = n.arg[1];
  return pc_product(pool, pc_expr_number(pool, c), n.arg[0]);
}

pc_expr pc_product(pc_pool* pool, pc_expr a, pc_expr b)
{
  if (a < 0 || b < 0) return PC_NO_EXPR;
  if (is_number(pool, a, 1)) return b;
  if (is_number(pool, b, 1)) return a;
  int scaling = pool->node[a].op == PC_OP_NUMBER || pool->node[b].op == PC_OP_NUMBER;
  if (!scaling) { /* (n/d) b = (n b)/d */
    pc_expr d;
    pc_expr n = split_quotient(pool, a, &d);
    if (d >= 0) return pc_quotient(pool, pc_product(pool, n, b), d);
    n = split_quotient(pool, b, &d);
    if (d >= 0) return pc_quotient(pool, pc_product(pool, a, n), d);
  }
  product p = {.coefficient = 1};
  if (gather_factors(pool, a, 1, &p) && gather_factors(pool, b, 1, &p))
    return build_product(pool, &p);
  return pc_intern(pool, PC_OP_MUL, a, b, PC_NO_EXPR);
}

/* Whether dividing by it is the same as multiplying with its inverse, to the last bit. */
static int is_power_of_two(double x)
{
  int exponent;
  double mantissa = frexp(x, &exponent);
  return fabs(mantissa) == 0.5 && abs(exponent) < 1000;
}

/* numerator / number */
static pc_expr divide_by_number(pc_pool* pool, pc_expr a, double number)
{
  double c;
  pc_expr core = split(pool, a, &c);
  if (core == PC_NO_EXPR) return pc_expr_number(pool, c / number);
  if (number == 1) return a;
  int merge = fabs(c) != 1 || is_power_of_two(number);
  if (merge && isnormal(c / number)) return scaled(pool, c / number, core);
  if (merge) return pc_intern(pool, PC_OP_DIV, a, pc_expr_number(pool, number), PC_NO_EXPR);
  pc_expr e = pc_intern(pool, PC_OP_DIV, core, pc_expr_number(pool, fabs(number)), PC_NO_EXPR);
  return c * number < 0 ? pc_negative(pool, e) : e;
}

pc_expr pc_quotient(pc_pool* pool, pc_expr a, pc_expr b)
{
  if (a < 0 || b < 0) return PC_NO_EXPR;
  double value;
  if (pc_expr_is_number(pool, b, &value)) return divide_by_number(pool, a, value);
  if (is_number(pool, a, 0)) return a;
  pc_expr d;
  pc_expr n = split_quotient(pool, b, &d); /* a/(n/d) = (a d)/n */
  if (d >= 0) return pc_quotient(pool, pc_product(pool, a, d), n);
  n = split_quotient(pool, a, &d); /* (n/d)/b = n/(d b) */
  if (d >= 0) return pc_quotient(pool, n, pc_product(pool, d, b));
  double ca, cb;
  pc_expr core_a = split(pool, a, &ca), core_b = split(pool, b, &cb);
  if (!isnormal(ca / cb)) return pc_intern(pool, PC_OP_DIV, a, b, PC_NO_EXPR);
  if (core_a == PC_NO_EXPR) core_a = pc_expr_number(pool, 1);
  pc_expr e = pc_intern(pool, PC_OP_DIV, core_a, core_b, PC_NO_EXPR);
  return e < 0 ? PC_NO_EXPR : scaled(pool, ca / cb, e);
}

static pc_expr integer_power(pc_pool* pool, pc_expr a, int n)
{
  pc_expr d;
  pc_expr numerator = split_quotient(pool, a, &d);
  if (numerator < 0) return PC_NO_EXPR;
  if (d >= 0) {
    pc_expr top = integer_power(pool, numerator, n), bottom = integer_power(pool, d, n);
    return pc_quotient(pool, top, bottom);
  }
  product p = {.coefficient = 1};
  if (gather_factors(pool, a, n, &p)) return build_product(pool, &p);
  return pc_intern(pool, PC_OP_POW, a, pc_expr_number(pool, n), PC_NO_EXPR);
}

pc_expr pc_power(pc_pool* pool, pc_expr a, pc_expr b)
{
  if (a < 0 || b < 0) return PC_NO_EXPR;
  double base, n;
  int known_base = pc_expr_is_number(pool, a, &base);
  if (!pc_expr_is_number(pool, b, &n))
    return known_base && base == 1 ? a : pc_intern(pool, PC_OP_POW, a, b, PC_NO_EXPR);
  if (known_base) return pc_expr_number(pool, pc_pow(base, n));
  if (n == 0) return pc_expr_number(pool, 1);
  if (n == 1) return a;
  if (n == 0.5) return pc_function(pool, PC_OP_SQRT, a);
  if (n == -0.5 || (n < 0 && n == floor(n))) {
    pc_expr one = pc_expr_number(pool, 1);
    return pc_quotient(pool, one, pc_power(pool, a, pc_expr_number(pool, -n)));
  }
  if (integer_exponent(pool, b)) return integer_power(pool, a, (int)n);
  return pc_intern(pool, PC_OP_POW, a, b, PC_NO_EXPR);
}

/* Functions -------------------------------------------------------------------------------- */

pc_expr pc_expr_atan2(pc_pool* pool, pc_expr y, pc_expr x)
{
  double vy, vx;
  if (pc_expr_is_number(pool, y, &vy) && pc_expr_is_number(pool, x, &vx))
    return pc_expr_number(pool, pc_atan2(vy, vx));
  return pc_intern(pool, PC_OP_ATAN2, y, x, PC_NO_EXPR);
}

pc_expr pc_select(pc_pool* pool, pc_expr s, pc_expr a, pc_expr b)
{
  if (s < 0 || a < 0 || b < 0) return PC_NO_EXPR;
  double value;
  if (pc_expr_is_number(pool, s, &value)) return value >= 0 ? a : b;
  return a == b ? a : pc_intern(pool, PC_OP_SELECT, s, a, b);
}

/* f(-x): -1 if it is -f(x), 1 if it is f(x), 0 if neither. */
static int parity(pc_op op)
{
  switch (op) {
    case PC_OP_SIN:
    case PC_OP_TAN:
    case PC_OP_ASIN:
    case PC_OP_ATAN:
    case PC_OP_SINH:
    case PC_OP_TANH:
    case PC_OP_SIGN: return -1;
    case PC_OP_COS:
    case PC_OP_COSH:
    case PC_OP_ABS: return 1;
    default: return 0;
  }
}

pc_expr pc_function(pc_pool* pool, pc_op op, pc_expr a)
{
  if (a < 0) return PC_NO_EXPR;
  double value;
  if (pc_expr_is_number(pool, a, &value)) return pc_expr_number(pool, pc_op_value(op, value, 0, 0));
  int p = parity(op);
  if (!p || pool->node[a].op != PC_OP_NEG) return pc_intern(pool, op, a, PC_NO_EXPR, PC_NO_EXPR);
  pc_expr e = pc_intern(pool, op, pool->node[a].arg[0], PC_NO_EXPR, PC_NO_EXPR);
  return p < 0 ? pc_negative(pool, e) : e;
}

pc_expr pc_construct(pc_pool* pool, pc_op op, const pc_expr arg[3])
{
  switch (op) {
    case PC_OP_ADD: return pc_sum(pool, arg[0], arg[1]);
    case PC_OP_SUB: return pc_difference(pool, arg[0], arg[1]);
    case PC_OP_NEG: return pc_negative(pool, arg[0]);
    case PC_OP_MUL: return pc_product(pool, arg[0], arg[1]);
    case PC_OP_DIV: return pc_quotient(pool, arg[0], arg[1]);
    case PC_OP_POW: return pc_power(pool, arg[0], arg[1]);
    case PC_OP_ATAN2: return pc_expr_atan2(pool, arg[0], arg[1]);
    case PC_OP_SELECT: return pc_select(pool, arg[0], arg[1], arg[2]);
    case PC_OP_CURVE: return pc_curve_at(pool, arg[0], arg[1], arg[2]);
    default: return pc_function(pool, op, arg[0]);
  }
}
