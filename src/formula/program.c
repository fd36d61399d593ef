/* Compiling a list of expressions to a tape, and running it.
 *
 * Registers come in three runs: the constants, which stay; the variables, copied at the start; one
 * for each instruction. The tape contains what the results need and nothing else. A product that
 * only one sum uses is computed by the instruction of that sum, with both roundings, so that no bit
 * depends on it.
 *
 * The tape can be in two parts, of which the second computes what the first results do not need.
 *
 * Finding out what an instruction does takes longer than doing it. So instructions of the same kind
 * are put together in runs, which are loops: one joins the first run of its kind in which, or
 * before which, all is there that it waits for. */
#include "formula/program.h"
#include "formula/curve.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "formula/pool.h"

/* Instructions past those of the pool. */
typedef enum code_op {
  CODE_MUL_ADD = PC_OP_CURVE + 1, /* a b + c */
  CODE_MUL_SUB,                   /* a b - c */
  CODE_SUB_MUL,                   /* c - a b */
  CODE_POWER,                     /* a to the integer b */
  CODE_SINCOS,                    /* sin(a) and, into register c, cos(a) */
  CODE_END
} code_op;

enum { POWER_MAX = 16 }; /* larger integer exponents go to pow() */

typedef struct code {
  int op;
  int run;     /* the number of its run: those of the second part come after all others */
  int to;      /* register of its own: instructions are made in the order of these */
  int a, b, c; /* registers */
} code;

struct pc_program {
  int constant_count, load_count, code_count, result_count, register_count;
  double* constant;
  pc_load* load;
  code* code;
  int later;        /* where the instructions that the first results do not need begin */
  int* result;      /* registers */
  pc_curve** curve; /* own references */
  int curve_count;
};

/* What is known about a node of the pool while compiling. */
typedef struct plan {
  int uses;   /* by other nodes and as a result; 0: not needed */
  int early;  /* the first results need it */
  int merged; /* the one node that uses it computes it */
  int place;  /* register, once it has one: else -1 */
} plan;

typedef struct compiler {
  const pc_pool* pool;
  pc_program* program;
  int count; /* of nodes to look at */
  plan* plan;
  int* run_of; /* by register: where it is computed */
  int* run;    /* what the instructions of each run do, negative in the second part */
  int run_count;
} compiler;

void pc_program_destroy(pc_program* program)
{
  if (!program) return;
  free(program->constant);
  free(program->load);
  free(program->code);
  free(program->result);
  for (int i = 0; i < program->curve_count; i++) pc_curve_release(program->curve[i]);
  free(program->curve);
  free(program);
}

int pc_program_register_count(const pc_program* program)
{
  return program->register_count;
}

/* A product of two operands, which can merge with a sum. */
static int as_product(const pc_pool* pool, pc_expr e, pc_expr* a, pc_expr* b)
{
  const pc_node* n = &pool->node[e];
  double exponent;
  *a = n->arg[0];
  *b = n->op == PC_OP_MUL ? n->arg[1] : n->arg[0];
  if (n->op == PC_OP_MUL) return 1;
  return n->op == PC_OP_POW && pc_expr_is_number(pool, n->arg[1], &exponent) && exponent == 2;
}

/* Who is needed, and by how many others, from the top down; the first `first` results are early. */
static void count_uses(compiler* c, const pc_expr* expr, int count, int first)
{
  for (int i = 0; i < count; i++) {
    c->plan[expr[i]].uses++;
    c->plan[expr[i]].early |= i < first;
  }
  for (int i = c->count - 1; i >= 0; i--) {
    const pc_node* n = &c->pool->node[i];
    for (int k = 0; c->plan[i].uses && k < pc_operand_count(n->op); k++) {
      c->plan[n->arg[k]].uses++;
      c->plan[n->arg[k]].early |= c->plan[i].early;
    }
  }
}

/* Decides who merges into its only user. */
static void make_plan(compiler* c)
{
  const pc_pool* pool = c->pool;
  for (int i = c->count - 1; i >= 0; i--) {
    if (!c->plan[i].uses) continue;
    const pc_node* n = &pool->node[i];
    pc_expr x = n->arg[0], a, b;
    if (n->op == PC_OP_NEG && pool->node[x].op == PC_OP_SUB && c->plan[x].uses == 1)
      c->plan[x].merged = 1;
    if (n->op != PC_OP_ADD && n->op != PC_OP_SUB) continue;
    /* the second operand first: a chain of sums keeps its products there */
    for (int k = 1; k >= 0; k--) {
      x = n->arg[k];
      if (c->plan[x].uses != 1 || !as_product(pool, x, &a, &b)) continue;
      c->plan[x].merged = 1;
      break;
    }
  }
}

/* Which of b and c are registers that an instruction reads. */
static int reads_b(int op)
{
  return op != CODE_POWER && op != PC_OP_CURVE && op != CODE_SINCOS;
}

static int reads_c(int op)
{
  return op == CODE_MUL_ADD || op == CODE_MUL_SUB || op == CODE_SUB_MUL || op == PC_OP_SELECT;
}

/* The run that an instruction joins, or begins, if that is not to be before `from`. */
static int find_run(compiler* c, int op, int early, int from)
{
  int kind = early ? op : -op, run = from;
  while (run < c->run_count && c->run[run] != kind) run++;
  if (run == c->run_count) c->run[c->run_count++] = kind;
  return run;
}

/* Appends an instruction with a register of its own. */
static void emit(compiler* c, pc_expr e, int op, int a, int b, int third)
{
  pc_program* p = c->program;
  int from = c->run_of[a], early = c->plan[e].early;
  if (reads_b(op) && c->run_of[b] > from) from = c->run_of[b];
  if (reads_c(op) && c->run_of[third] > from) from = c->run_of[third];
  int run = find_run(c, op, early, from), to = p->register_count++;
  c->plan[e].place = to;
  c->run_of[to] = run;
  p->code[p->code_count++] = (code){op, early ? run : c->count + 1 + run, to, a, b, third};
}

static int place(const compiler* c, pc_expr e)
{
  return c->plan[e].place;
}

/* x + y or x - y, one of which may be a merged product. */
static void emit_sum(compiler* c, pc_expr e, int subtract, pc_expr x, pc_expr y)
{
  pc_expr a, b;
  if (c->plan[y].merged && as_product(c->pool, y, &a, &b))
    emit(c, e, subtract ? CODE_SUB_MUL : CODE_MUL_ADD, place(c, a), place(c, b), place(c, x));
  else if (c->plan[x].merged && as_product(c->pool, x, &a, &b))
    emit(c, e, subtract ? CODE_MUL_SUB : CODE_MUL_ADD, place(c, a), place(c, b), place(c, y));
  else
    emit(c, e, subtract ? PC_OP_SUB : PC_OP_ADD, place(c, x), place(c, y), 0);
}

static void emit_power(compiler* c, pc_expr e)
{
  const pc_node* n = &c->pool->node[e];
  int base = place(c, n->arg[0]);
  double exponent = 0;
  pc_expr_is_number(c->pool, n->arg[1], &exponent);
  if (exponent == 2)
    emit(c, e, PC_OP_MUL, base, base, 0);
  else if (exponent == floor(exponent) && exponent > 2 && exponent <= POWER_MAX)
    emit(c, e, CODE_POWER, base, (int)exponent, 0);
  else
    emit(c, e, PC_OP_POW, base, place(c, n->arg[1]), 0);
}

/* Sine and cosine of the same angle in one instruction, whichever comes first. */
static void emit_sine(compiler* c, pc_expr e)
{
  pc_op op = c->pool->node[e].op;
  pc_expr angle = c->pool->node[e].arg[0];
  pc_op other = op == PC_OP_SIN ? PC_OP_COS : PC_OP_SIN;
  pc_expr twin = pc_find(c->pool, other, angle, PC_NO_EXPR, PC_NO_EXPR);
  if (twin < 0 || twin >= c->count || !c->plan[twin].uses) {
    emit(c, e, (int)op, place(c, angle), 0, 0);
    return;
  }
  pc_expr sine = op == PC_OP_SIN ? e : twin, cosine = op == PC_OP_SIN ? twin : e;
  c->plan[sine].early |= c->plan[cosine].early;
  emit(c, sine, CODE_SINCOS, place(c, angle), 0, 0);
  c->plan[cosine].place = c->program->register_count++;
  c->run_of[c->plan[cosine].place] = c->run_of[c->plan[sine].place];
  c->program->code[c->program->code_count - 1].c = c->plan[cosine].place;
}

static void emit_node(compiler* c, pc_expr e)
{
  const pc_node* n = &c->pool->node[e];
  const pc_expr* arg = n->arg;
  const pc_node* first = &c->pool->node[arg[0]];
  switch (n->op) {
    case PC_OP_ADD:
    case PC_OP_SUB: emit_sum(c, e, n->op == PC_OP_SUB, arg[0], arg[1]); break;
    case PC_OP_NEG:
      if (c->plan[arg[0]].merged) /* -(x - y) = y - x */
        emit_sum(c, e, 1, first->arg[1], first->arg[0]);
      else
        emit(c, e, PC_OP_NEG, place(c, arg[0]), 0, 0);
      break;
    case PC_OP_POW: emit_power(c, e); break;
    case PC_OP_CURVE: emit(c, e, PC_OP_CURVE, place(c, arg[0]), arg[1], arg[2]); break;
    case PC_OP_SIN:
    case PC_OP_COS: emit_sine(c, e); break;
    case PC_OP_SELECT:
      emit(c, e, PC_OP_SELECT, place(c, arg[0]), place(c, arg[1]), place(c, arg[2]));
      break;
    case PC_OP_MUL:
    case PC_OP_DIV:
    case PC_OP_ATAN2: emit(c, e, (int)n->op, place(c, arg[0]), place(c, arg[1]), 0); break;
    default: emit(c, e, (int)n->op, place(c, arg[0]), 0, 0);
  }
}

/* Constants and variables first: their number decides where the other registers begin. */
static void place_leaves(compiler* c)
{
  pc_program* p = c->program;
  for (int i = 0; i < c->count; i++) {
    const pc_node* n = &c->pool->node[i];
    if (!c->plan[i].uses || n->op != PC_OP_NUMBER) continue;
    c->plan[i].place = p->constant_count;
    p->constant[p->constant_count++] = n->value;
  }
  for (int i = 0; i < c->count; i++) {
    const pc_node* n = &c->pool->node[i];
    if (!c->plan[i].uses || n->op != PC_OP_VARIABLE) continue;
    c->plan[i].place = p->constant_count + p->load_count;
    p->load[p->load_count++] = (pc_load){n->arg[0], c->plan[i].place};
  }
  p->register_count = p->constant_count + p->load_count;
}

static pc_status allocate(compiler* c, int result_count)
{
  int numbers = 0, variables = 0, others = 0;
  for (int i = 0; i < c->count; i++) {
    if (!c->plan[i].uses) continue;
    numbers += c->pool->node[i].op == PC_OP_NUMBER;
    variables += c->pool->node[i].op == PC_OP_VARIABLE;
    others += pc_operand_count(c->pool->node[i].op) > 0;
  }
  pc_program* p = c->program;
  p->constant = pc_alloc((size_t)numbers, sizeof *p->constant);
  p->load = pc_alloc((size_t)variables, sizeof *p->load);
  p->code = pc_alloc((size_t)others + 2, sizeof *p->code);
  p->result = pc_alloc((size_t)result_count, sizeof *p->result);
  p->curve = pc_alloc((size_t)c->pool->curve_count, sizeof *p->curve);
  if (!p->constant || !p->load || !p->code || !p->result || !p->curve) return PC_OUT_OF_MEMORY;
  for (int i = 0; i < c->pool->curve_count; i++)
    p->curve[p->curve_count++] = pc_curve_retain(c->pool->curve[i]);
  return PC_OK;
}

static int compare(const void* x, const void* y)
{
  const code *a = x, *b = y;
  if (a->run != b->run) return a->run < b->run ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

/* Sorts the tape and ends both of its parts. `end` comes after all runs of the first. */
static void sort(pc_program* p, int end)
{
  int count = p->code_count;
  p->code[count] = (code){.op = CODE_END, .run = end};
  qsort(p->code, (size_t)count + 1, sizeof *p->code, compare);
  p->code[count + 1] = (code){.op = CODE_END};
  while (p->code[p->later].op != CODE_END) p->later++;
  p->later++;
}

static pc_status compile(compiler* c, const pc_expr* expr, int count, int first)
{
  for (int i = 0; i < c->count; i++) c->plan[i].place = -1;
  count_uses(c, expr, count, first);
  make_plan(c);
  if (allocate(c, count)) return PC_OUT_OF_MEMORY;
  place_leaves(c);
  for (int i = 0; i < c->count; i++)
    if (c->plan[i].uses && !c->plan[i].merged && c->plan[i].place < 0) emit_node(c, i);
  for (int i = 0; i < count; i++) c->program->result[i] = place(c, expr[i]);
  c->program->result_count = count;
  sort(c->program, c->count);
  return PC_OK;
}

pc_status pc_program_create(const pc_pool* pool, int count, const pc_expr* expr,
                            pc_program** program)
{
  return pc_program_create_in_two(pool, count, count, expr, program);
}

pc_status pc_program_create_in_two(const pc_pool* pool, int count, int first, const pc_expr* expr,
                                   pc_program** program)
{
  *program = NULL;
  int top = -1;
  for (int i = 0; i < count; i++) {
    if (expr[i] < 0 || expr[i] >= pool->count) return PC_BAD_ARGUMENT;
    if (expr[i] > top) top = expr[i];
  }
  compiler c = {.pool = pool, .count = top + 1};
  c.program = pc_alloc(1, sizeof *c.program);
  c.plan = pc_alloc((size_t)c.count, sizeof *c.plan);
  c.run_of = pc_alloc((size_t)c.count, sizeof *c.run_of); /* of leaves: 0 */
  c.run = pc_alloc((size_t)c.count, sizeof *c.run);
  pc_status status =
      c.program && c.plan && c.run_of && c.run ? compile(&c, expr, count, first) : PC_OUT_OF_MEMORY;
  free(c.plan);
  free(c.run_of);
  free(c.run);
  if (status == PC_OK)
    *program = c.program;
  else
    pc_program_destroy(c.program);
  return status;
}

void pc_program_load(const pc_program* program, double* registers)
{
  for (int i = 0; i < program->constant_count; i++) registers[i] = program->constant[i];
}

const int* pc_program_results(const pc_program* program)
{
  return program->result;
}

/* By squaring. */
static double integer_power(double x, int n)
{
  double result = n & 1 ? x : 1;
  while (n >>= 1) {
    x *= x;
    if (n & 1) result *= x;
  }
  return result;
}

/* The instructions of a run: all that follow and are of the same kind. */
#define EACH(...)          \
  do __VA_ARGS__;          \
  while ((++i)->op == op); \
  break

/* From instruction i on to an end. */
static void compute(const pc_program* program, const code* i, double* r)
{
  for (;;) {
    const int op = i->op;
    switch (op) {
      case CODE_END: return;
      case PC_OP_ADD: EACH(r[i->to] = r[i->a] + r[i->b]);
      case PC_OP_SUB: EACH(r[i->to] = r[i->a] - r[i->b]);
      case PC_OP_NEG: EACH(r[i->to] = -r[i->a]);
      case PC_OP_MUL: EACH(r[i->to] = r[i->a] * r[i->b]);
      case PC_OP_DIV: EACH(r[i->to] = r[i->a] / r[i->b]);
      case CODE_MUL_ADD: EACH(r[i->to] = r[i->a] * r[i->b] + r[i->c]);
      case CODE_MUL_SUB: EACH(r[i->to] = r[i->a] * r[i->b] - r[i->c]);
      case CODE_SUB_MUL: EACH(r[i->to] = r[i->c] - r[i->a] * r[i->b]);
      case CODE_POWER: EACH(r[i->to] = integer_power(r[i->a], i->b));
      case PC_OP_POW: EACH(r[i->to] = pc_pow(r[i->a], r[i->b]));
      case PC_OP_SELECT: EACH(r[i->to] = r[i->a] >= 0 ? r[i->b] : r[i->c]);
      case PC_OP_SQRT: EACH(r[i->to] = sqrt(r[i->a]));
      case PC_OP_SIN: EACH(r[i->to] = pc_sin(r[i->a]));
      case PC_OP_COS: EACH(r[i->to] = pc_cos(r[i->a]));
      case PC_OP_CURVE: EACH(r[i->to] = pc_curve_value(program->curve[i->b], i->c, r[i->a]));
      case CODE_SINCOS: EACH(pc_sin_cos(r[i->a], &r[i->to], &r[i->c]));
      default: EACH(r[i->to] = pc_op_value((pc_op)op, r[i->a], r[i->b], 0));
    }
  }
}

void pc_program_compute(const pc_program* program, double* registers)
{
  compute(program, program->code, registers);
}

void pc_program_compute_later(const pc_program* program, double* registers)
{
  compute(program, program->code + program->later, registers);
}

const pc_load* pc_program_loads(const pc_program* program, int* count)
{
  *count = program->load_count;
  return program->load;
}

void pc_program_run(const pc_program* program, const double* variable, double* registers,
                    double* out)
{
  for (int i = 0; i < program->load_count; i++)
    registers[program->load[i].to] = variable[program->load[i].variable];
  pc_program_compute(program, registers);
  for (int i = 0; i < program->result_count; i++) out[i] = registers[program->result[i]];
}
