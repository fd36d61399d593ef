/* The inside of a pool: nodes, and the constructors that simplify.
 *
 * Operands of a node have smaller numbers than the node, so that ascending numbers are an order of
 * evaluation. Equal nodes are one node. What the constructors of simplify.c return is canonical
 * (see there), which is what makes equal expressions equal nodes. */
#ifndef PC_FORMULA_POOL_H
#define PC_FORMULA_POOL_H

#include <math.h>
#include <stdint.h>

#include "formula/formula.h"

typedef enum pc_op {
  PC_OP_NUMBER,
  PC_OP_VARIABLE, /* arg[0] is its number */
  PC_OP_ADD,
  PC_OP_SUB,
  PC_OP_NEG,
  PC_OP_MUL,
  PC_OP_DIV,
  PC_OP_POW,
  PC_OP_ATAN2,  /* atan2(arg[0], arg[1]) */
  PC_OP_SELECT, /* arg[0] >= 0 ? arg[1] : arg[2] */
  PC_OP_SIN,    /* from here on: one operand */
  PC_OP_COS,
  PC_OP_TAN,
  PC_OP_ASIN,
  PC_OP_ACOS,
  PC_OP_ATAN,
  PC_OP_SINH,
  PC_OP_COSH,
  PC_OP_TANH,
  PC_OP_EXP,
  PC_OP_LOG,
  PC_OP_SQRT,
  PC_OP_ABS,
  PC_OP_SIGN, /* -1, 0, 1 */
  PC_OP_FLOOR,
  PC_OP_CURVE /* arg[1] is the number of a curve of the pool, arg[2] the order of its derivative */
} pc_op;

/* What a constructor returns without memory, and passes on when it is handed one. */
enum { PC_NO_EXPR = -1 };

typedef struct pc_node {
  pc_op op;
  int arg[3];         /* operands, PC_NO_EXPR where there is none */
  double value;       /* of a number */
  uint64_t variables; /* bit v: contains variable v < 63; bit 63: contains one from 63 on */
} pc_node;

/* The derivative of an expression, once it is known. */
typedef struct pc_memo {
  int expr; /* PC_NO_EXPR: a free slot */
  int variable;
  int derivative;
} pc_memo;

struct pc_pool {
  pc_node* node;
  int count, capacity;
  int* slot; /* open addressing over the nodes; PC_NO_EXPR: free */
  int slot_count;
  pc_memo* memo; /* open addressing */
  int memo_count, memo_slots;
  struct pc_curve** curve; /* those that nodes use; own references */
  int curve_count, curve_capacity;
  int* stack; /* of pc_derivative */
  int stack_capacity;
  int failed; /* a node found no space */
};

static inline int pc_op_is_function(pc_op op)
{
  return op >= PC_OP_SIN;
}

/* How many operands of a node are expressions. */
static inline int pc_operand_count(pc_op op)
{
  if (op == PC_OP_NUMBER || op == PC_OP_VARIABLE) return 0;
  if (op == PC_OP_NEG || pc_op_is_function(op)) return 1;
  return op == PC_OP_SELECT ? 3 : 2;
}

/* The bit of a variable in pc_node.variables. */
static inline uint64_t pc_variable_bit(int variable)
{
  return UINT64_C(1) << (variable < 63 ? variable : 63);
}

/* The value of a node from those of its operands; not for numbers and variables. */
double pc_op_value(pc_op op, double a, double b, double c);

/* The node that is given, new or found, not simplified. */
pc_expr pc_intern(pc_pool* pool, pc_op op, pc_expr a, pc_expr b, pc_expr c);

/* The same if it exists already, else PC_NO_EXPR. */
pc_expr pc_find(const pc_pool* pool, pc_op op, pc_expr a, pc_expr b, pc_expr c);

/* Copies expressions, and nothing else, into an empty pool; a negative one stays as it is. */
pc_status pc_pool_import(pc_pool* empty, const pc_pool* from, int count, const pc_expr* expr,
                         pc_expr* copy);

/* Whether an expression contains one of the variables first .. first+count-1. */
int pc_depends_on_any(const pc_pool* pool, pc_expr expr, int first, int count);

/* For each node up to `expr`, whether `expr` needs it; to be freed; NULL without memory. */
char* pc_needed_nodes(const pc_pool* pool, pc_expr expr);

/* The largest variable number that the pool contains, or -1. */
int pc_pool_variable_max(const pc_pool* pool);

/* The expression with 0 in the place of the variables first .. first+count-1. */
pc_expr pc_without_variables(pc_pool* pool, pc_expr expr, int first, int count);

/* The expression with its sums of the variables first .. first+count-1 written out. */
pc_expr pc_expand(pc_pool* pool, pc_expr expr, int first, int count);

/* Constructors. */
pc_expr pc_sum(pc_pool* pool, pc_expr a, pc_expr b);
pc_expr pc_difference(pc_pool* pool, pc_expr a, pc_expr b);
pc_expr pc_negative(pc_pool* pool, pc_expr a);
pc_expr pc_product(pc_pool* pool, pc_expr a, pc_expr b);
pc_expr pc_quotient(pc_pool* pool, pc_expr a, pc_expr b);
pc_expr pc_power(pc_pool* pool, pc_expr a, pc_expr b);
pc_expr pc_expr_atan2(pc_pool* pool, pc_expr y, pc_expr x);
pc_expr pc_select(pc_pool* pool, pc_expr s, pc_expr a, pc_expr b); /* s >= 0 ? a : b */
pc_expr pc_function(pc_pool* pool, pc_op op, pc_expr a);           /* of one operand */

/* The node `op` of these operands, by the constructor in charge. */
pc_expr pc_construct(pc_pool* pool, pc_op op, const pc_expr arg[3]);

#endif
