/* The nodes of a pool, each once. */
#include "formula/pool.h"
#include "formula/curve.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { NODES_MAX = 1 << 22, FIRST_SLOTS = 256 };

static int* free_slots(int count)
{
  int* slot = pc_alloc((size_t)count, sizeof *slot);
  for (int i = 0; slot && i < count; i++) slot[i] = PC_NO_EXPR;
  return slot;
}

pc_pool* pc_pool_create(void)
{
  pc_pool* pool = pc_alloc(1, sizeof *pool);
  if (!pool) return NULL;
  pool->slot_count = FIRST_SLOTS;
  pool->slot = free_slots(FIRST_SLOTS);
  if (pool->slot) return pool;
  free(pool);
  return NULL;
}

void pc_pool_destroy(pc_pool* pool)
{
  if (!pool) return;
  for (int i = 0; i < pool->curve_count; i++) pc_curve_release(pool->curve[i]);
  free(pool->curve);
  free(pool->node);
  free(pool->slot);
  free(pool->memo);
  free(pool->stack);
  free(pool);
}

/* A mixing of all that makes a node what it is. Numbers are compared by their bits, so that a NaN
 * equals itself. */
static uint64_t hash(const pc_node* n)
{
  uint64_t bits;
  memcpy(&bits, &n->value, sizeof bits);
  uint64_t h = UINT64_C(0x9e3779b97f4a7c15) * ((uint64_t)n->op + 1);
  const uint64_t word[4] = {(uint64_t)n->arg[0], (uint64_t)n->arg[1], (uint64_t)n->arg[2], bits};
  for (int i = 0; i < 4; i++) {
    h = (h ^ word[i]) * UINT64_C(0xff51afd7ed558ccd);
    h ^= h >> 32;
  }
  return h;
}

static int same(const pc_node* a, const pc_node* b)
{
  return a->op == b->op && !memcmp(a->arg, b->arg, sizeof a->arg) &&
         !memcmp(&a->value, &b->value, sizeof a->value);
}

/* The slot that holds the node, or the free one where it belongs. */
static int* find_slot(const pc_pool* pool, const pc_node* n)
{
  unsigned mask = (unsigned)pool->slot_count - 1;
  unsigned i = (unsigned)hash(n) & mask;
  while (pool->slot[i] != PC_NO_EXPR && !same(&pool->node[pool->slot[i]], n)) i = (i + 1) & mask;
  return &pool->slot[i];
}

static pc_status grow_slots(pc_pool* pool)
{
  int* old = pool->slot;
  int* slot = free_slots(2 * pool->slot_count);
  if (!slot) return PC_OUT_OF_MEMORY;
  pool->slot = slot;
  pool->slot_count *= 2;
  for (int i = 0; i < pool->count; i++) *find_slot(pool, &pool->node[i]) = i;
  free(old);
  return PC_OK;
}

static pc_expr out_of_memory(pc_pool* pool)
{
  pool->failed = 1;
  return PC_NO_EXPR;
}

int pc_pool_failed(const pc_pool* pool)
{
  return pool->failed;
}

static pc_expr add_node(pc_pool* pool, const pc_node* n)
{
  int* slot = find_slot(pool, n);
  if (*slot != PC_NO_EXPR) return *slot;
  if (pool->count == NODES_MAX) return out_of_memory(pool);
  if (pc_grow((void**)&pool->node, &pool->capacity, pool->count, sizeof *n))
    return out_of_memory(pool);
  if (2 * pool->count >= pool->slot_count) {
    if (grow_slots(pool)) return out_of_memory(pool);
    slot = find_slot(pool, n);
  }
  pool->node[pool->count] = *n;
  return *slot = pool->count++;
}

pc_expr pc_expr_number(pc_pool* pool, double value)
{
  double plain = value == 0 ? 0 : value; /* no -0 */
  pc_node n = {.op = PC_OP_NUMBER, .arg = {PC_NO_EXPR, PC_NO_EXPR, PC_NO_EXPR}, .value = plain};
  return add_node(pool, &n);
}

pc_expr pc_expr_variable(pc_pool* pool, int variable)
{
  if (variable < 0) return PC_NO_EXPR;
  pc_node n = {.op = PC_OP_VARIABLE,
               .arg = {variable, PC_NO_EXPR, PC_NO_EXPR},
               .variables = pc_variable_bit(variable)};
  return add_node(pool, &n);
}

/* The node with its set of variables; operands that are missing or failed are allowed here. */
static pc_node make_node(const pc_pool* pool, pc_op op, pc_expr a, pc_expr b, pc_expr c)
{
  pc_node n = {.op = op, .arg = {a, b, c}};
  for (int i = 0; i < pc_operand_count(op); i++)
    if (n.arg[i] >= 0) n.variables |= pool->node[n.arg[i]].variables;
  return n;
}

pc_expr pc_intern(pc_pool* pool, pc_op op, pc_expr a, pc_expr b, pc_expr c)
{
  pc_node n = make_node(pool, op, a, b, c);
  for (int i = 0; i < pc_operand_count(op); i++)
    if (n.arg[i] < 0) return PC_NO_EXPR;
  return add_node(pool, &n);
}

pc_expr pc_find(const pc_pool* pool, pc_op op, pc_expr a, pc_expr b, pc_expr c)
{
  pc_node n = make_node(pool, op, a, b, c);
  return *find_slot(pool, &n);
}

int pc_expr_is_number(const pc_pool* pool, pc_expr expr, double* value)
{
  if (expr < 0 || pool->node[expr].op != PC_OP_NUMBER) return 0;
  if (value) *value = pool->node[expr].value;
  return 1;
}

/* Marks what the marked nodes need; marks has `count` entries. */
static void mark_operands(const pc_pool* pool, int count, char* marks)
{
  for (int i = count - 1; i >= 0; i--) {
    const pc_node* n = &pool->node[i];
    for (int k = 0; marks[i] && k < pc_operand_count(n->op); k++) marks[n->arg[k]] = 1;
  }
}

char* pc_needed_nodes(const pc_pool* pool, pc_expr expr)
{
  char* marks = pc_alloc((size_t)expr + 1, 1);
  if (!marks) return NULL;
  marks[expr] = 1;
  mark_operands(pool, expr + 1, marks);
  return marks;
}

/* A walk over what `expr` needs, for variables that have no bit of their own. */
static int contains(const pc_pool* pool, pc_expr expr, int first, int last)
{
  char* marks = pc_needed_nodes(pool, expr);
  if (!marks) return 1; /* the careful answer */
  int found = 0;
  for (int i = 0; i <= expr && !found; i++) {
    const pc_node* n = &pool->node[i];
    found = marks[i] && n->op == PC_OP_VARIABLE && n->arg[0] >= first && n->arg[0] < last;
  }
  free(marks);
  return found;
}

int pc_depends_on_any(const pc_pool* pool, pc_expr expr, int first, int count)
{
  if (expr < 0 || first < 0) return 0;
  uint64_t shared = pc_variable_bit(63);
  uint64_t own = 0, has = pool->node[expr].variables;
  for (int v = first; v < first + count && v < 63; v++) own |= pc_variable_bit(v);
  if (has & own) return 1;
  if (first + count <= 63 || !(has & shared)) return 0;
  return contains(pool, expr, first, first + count);
}

int pc_expr_depends(const pc_pool* pool, pc_expr expr, int variable)
{
  return pc_depends_on_any(pool, expr, variable, 1);
}

int pc_pool_variable_max(const pc_pool* pool)
{
  int max = -1;
  for (int i = 0; i < pool->count; i++)
    if (pool->node[i].op == PC_OP_VARIABLE && pool->node[i].arg[0] > max)
      max = pool->node[i].arg[0];
  return max;
}

/* Ascending numbers keep their order, so what was canonical stays canonical. */
static pc_status copy_marked(pc_pool* to, const pc_pool* from, const char* marks, int* copy)
{
  for (int i = 0; i < from->count; i++) {
    if (!marks[i]) continue;
    pc_node n = from->node[i];
    for (int k = 0; k < pc_operand_count(n.op); k++) n.arg[k] = copy[n.arg[k]];
    if (n.op == PC_OP_CURVE) {
      n.arg[1] = pc_pool_add_curve(to, from->curve[n.arg[1]]);
      if (n.arg[1] < 0) return PC_OUT_OF_MEMORY;
    }
    copy[i] = add_node(to, &n);
    if (copy[i] < 0) return PC_OUT_OF_MEMORY;
  }
  return PC_OK;
}

pc_status pc_pool_import(pc_pool* empty, const pc_pool* from, int count, const pc_expr* expr,
                         pc_expr* copy)
{
  char* marks = pc_alloc((size_t)from->count, 1);
  int* place = pc_alloc((size_t)from->count, sizeof *place);
  pc_status status = marks && place ? PC_OK : PC_OUT_OF_MEMORY;
  if (status == PC_OK) {
    for (int i = 0; i < count; i++)
      if (expr[i] >= 0) marks[expr[i]] = 1;
    mark_operands(from, from->count, marks);
    status = copy_marked(empty, from, marks, place);
    for (int i = 0; i < count; i++) copy[i] = expr[i] < 0 ? expr[i] : place[expr[i]];
  }
  free(marks);
  free(place);
  return status;
}

/* The nodes that `expr` needs, rebuilt in ascending order. */
static pc_expr rebuild(pc_pool* pool, pc_expr expr, int first, int last, const char* marks,
                       int* place)
{
  for (int i = 0; i <= expr; i++) {
    if (!marks[i]) continue;
    pc_node n = pool->node[i];
    int gone = n.op == PC_OP_VARIABLE && n.arg[0] >= first && n.arg[0] < last;
    for (int k = 0; k < pc_operand_count(n.op); k++) n.arg[k] = place[n.arg[k]];
    if (gone)
      place[i] = pc_expr_number(pool, 0);
    else
      place[i] = pc_operand_count(n.op) ? pc_construct(pool, n.op, n.arg) : i;
    if (place[i] < 0) return PC_NO_EXPR;
  }
  return place[expr];
}

pc_expr pc_without_variables(pc_pool* pool, pc_expr expr, int first, int count)
{
  if (expr < 0) return PC_NO_EXPR;
  char* marks = pc_needed_nodes(pool, expr);
  int* place = pc_alloc((size_t)expr + 1, sizeof *place);
  pc_expr result = PC_NO_EXPR;
  if (marks && place) result = rebuild(pool, expr, first, first + count, marks, place);
  free(marks);
  free(place);
  return result;
}
