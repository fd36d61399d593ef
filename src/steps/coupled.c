#include "steps/coupled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/block_matrix.h"
#include "percuss/solver.h"

/* An unknown of the problem, P or tau, with the row that belongs to it. */
typedef struct unknown {
  pc_row row;
  int position; /* a row of positions, tau; else of velocities, P */
  int place;    /* in P or tau */
  double c;     /* the row's value without unknowns; a gap's is divided by h theta [m/s] */
  int node;     /* of the problem */
} unknown;

/* An unknown on a component of the tangent: the part of its row there, and what it adds to v and d
 * there. */
typedef struct effect {
  int unknown;
  int component, order;
  const int* member; /* of the component */
  size_t place;      /* where its numbers begin in w, v and d, `order` of them */
  int next;          /* of the same component; -1: the last */
} effect;

struct pc_coupled {
  const pc_system* system;
  int accept; /* an answer that is not good enough, rather than none */
  pc_scheme_settings settings;
  int n_u, g_count, bilateral_count, contact_count;
  pc_contact_info* contact;
  size_t contact_capacity;
  pc_solver* solver;
  double* v_free;             /* n_u: the velocity without P and tau */
  double *moved, *force;      /* n_u: scratch, zero between uses */
  double* mass;               /* of the active contacts */
  struct coupled_problem* of; /* the unknowns and what they do */
};

/* The unknowns of an iterate: free ones first, then those of the contacts. */
/* The nodes of the problem. */
typedef struct node_list {
  pc_problem_node* list;
  int* size; /* rows of a node */
  int count;
  size_t capacity;
} node_list;

/* All effects, and their entries one after the other. */
typedef struct effect_list {
  effect* list;
  int count;
  size_t capacity;
  int* head; /* by component of the tangent: its first effect */
  size_t head_capacity;
  double *w, *v, *d;
  size_t entry_count, entry_capacity;
} effect_list;

/* The pattern of S for the free unknowns alone, whose nodes come first. */
typedef struct free_pattern {
  int nodes;
  int *start, *column;
  size_t* place;
  size_t start_capacity, column_capacity;
} free_pattern;

typedef struct coupled_problem {
  unknown* x;
  double *z, *b; /* count: the unknowns themselves, the rows without them */
  int free_count, count;
  size_t capacity;
  node_list nodes;
  effect_list effects;
  double unit; /* tau of a position unknown of 1: see choose_unit */
  pc_edge* edge;
  size_t edge_capacity;
  pc_block_matrix S; /* what each unknown adds to each row, (54) */
  free_pattern free;
} coupled_problem;

static void destroy_problem(coupled_problem* p)
{
  if (!p) return;
  void* array[] = {p->x,
                   p->z,
                   p->b,
                   p->nodes.list,
                   p->nodes.size,
                   p->effects.list,
                   p->effects.head,
                   p->effects.w,
                   p->effects.v,
                   p->effects.d,
                   p->edge,
                   p->free.start,
                   p->free.column,
                   p->free.place};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_block_matrix_free(&p->S);
  free(p);
}

void pc_coupled_destroy(pc_coupled* c)
{
  if (!c) return;
  pc_solver_destroy(c->solver);
  destroy_problem(c->of);
  free(c->contact);
  free(c->v_free);
  free(c->moved);
  free(c->force);
  free(c->mass);
  free(c);
}

/* Space for all rows that the contacts may have at once; what is quadratic in them is sparse. */
static pc_status reserve_unknowns(pc_coupled* c, pc_error* error)
{
  coupled_problem* p = c->of;
  size_t rows = (size_t)c->bilateral_count + (size_t)c->g_count, nodes = rows;
  for (int k = 0; k < c->contact_count; k++) rows += 2 + (size_t)c->contact[k].dimension;
  nodes += 2 * (size_t)c->contact_count;
  const pc_array by_unknown[] = {PC_ARRAY(p->x), PC_ARRAY(p->z), PC_ARRAY(p->b)};
  const pc_array by_node[] = {PC_ARRAY(p->nodes.list), PC_ARRAY(p->nodes.size)};
  if (pc_reserve_arrays(3, by_unknown, &p->capacity, rows) != PC_OK ||
      pc_reserve_arrays(2, by_node, &p->nodes.capacity, nodes) != PC_OK)
    return pc_no_memory(error);
  return PC_OK;
}

pc_status pc_coupled_refit(pc_coupled* c, pc_error* error)
{
  const pc_array by_contact[] = {PC_ARRAY(c->contact), PC_ARRAY(c->mass)};
  c->contact_count = pc_system_contact_count(c->system);
  if (pc_reserve_arrays(2, by_contact, &c->contact_capacity, (size_t)c->contact_count) != PC_OK)
    return pc_no_memory(error);
  for (int k = 0; k < c->contact_count; k++) {
    c->contact[k] = pc_system_contact(c->system, k);
    if (c->settings.frictionless) c->contact[k].dimension = 0;
  }
  return reserve_unknowns(c, error);
}

void pc_coupled_set_friction(pc_coupled* c, const double* mu)
{
  for (int k = 0; k < c->contact_count; k++) c->contact[k].mu = mu[k];
}

static pc_status create_parts(pc_coupled* c, pc_error* error)
{
  size_t n = (size_t)c->n_u;
  c->of = pc_alloc(1, sizeof *c->of);
  c->v_free = pc_alloc(n, sizeof *c->v_free);
  c->moved = pc_alloc(n, sizeof *c->moved);
  c->force = pc_alloc(n, sizeof *c->force);
  if (!c->of || !c->v_free || !c->moved || !c->force) return pc_no_memory(error);
  pc_solver_settings own = pc_default_solver_settings();
  own.tolerance = c->settings.solver_tolerance;
  own.acceptance = c->settings.acceptance;
  PC_TRY(pc_solver_create(c->settings.solver, &own, &c->solver, error));
  return pc_coupled_refit(c, error);
}

pc_status pc_coupled_create(const pc_system* system, const pc_scheme_settings* settings,
                            pc_coupled** coupled, pc_error* error)
{
  *coupled = NULL;
  pc_coupled* c = pc_alloc(1, sizeof *c);
  if (!c) return pc_no_memory(error);
  c->system = system;
  c->settings = *settings;
  c->accept = settings->on_failure == PC_ON_FAILURE_CONTINUE;
  c->n_u = pc_system_u_count(system);
  c->g_count = pc_system_g_count(system);
  c->bilateral_count = c->g_count + pc_system_gamma_count(system);
  pc_status status = create_parts(c, error);
  if (status != PC_OK) {
    pc_coupled_destroy(c);
    return status;
  }
  *coupled = c;
  return PC_OK;
}

/* ---- the unknowns -------------------------------------------------------------------------- */

/* The velocity without P and tau. */
static void free_velocity(pc_coupled* c, pc_theta_step* step)
{
  double* v = c->v_free;
  memcpy(v, step->dv, (size_t)c->n_u * sizeof *v);
  if (step->displaced) pc_theta_step_add_K_times(step, step->dt * step->settings.theta, step->d, v);
  pc_assembly_solve(step->stage.tangent, v);
  for (int i = 0; i < c->n_u; i++) v[i] += step->v[i];
}

static unknown velocity_row(const pc_coupled* c, const pc_theta_step* step, int row, double e)
{
  const pc_terms* terms = step->end.terms;
  pc_row w = pc_terms_row(terms, row);
  double y = terms->chi[row] + e * step->before[row] + pc_row_dot(w, c->v_free);
  return (unknown){.row = w, .place = row, .c = y};
}

static unknown position_row(const pc_coupled* c, const pc_theta_step* step, int row, int place)
{
  const pc_terms* terms = step->end.terms;
  pc_row w = pc_terms_row(terms, row);
  double reach = step->dt * step->settings.theta;
  double move = reach * (pc_row_dot(w, c->v_free) - pc_row_dot(w, step->v));
  if (step->displaced) move -= pc_row_dot(w, step->d);
  return (unknown){
      .row = w, .position = 1, .place = place, .c = (pc_terms_gap(terms, row) + move) / reach};
}

static void add_node(coupled_problem* p, pc_problem_node node)
{
  p->nodes.size[p->nodes.count] = 0;
  p->nodes.list[p->nodes.count++] = node;
}

/* One more unknown of the node that was added last. */
static void add_unknown(coupled_problem* p, unknown x)
{
  x.node = p->nodes.count - 1;
  p->nodes.size[x.node]++;
  p->x[p->count++] = x;
}

/* An unknown without a law, in the node of the one before where both belong to the same joint. */
static void add_free(coupled_problem* p, unknown x)
{
  const unknown* last = p->count ? &p->x[p->count - 1] : NULL;
  if (!last || last->row.block != x.row.block || last->position != x.position)
    add_node(p, (pc_problem_node){.kind = PC_NODE_EQUALITY});
  add_unknown(p, x);
}

/* Joints in velocity and position, and contacts whose gap has to vanish. */
static void collect_free(pc_coupled* c, const pc_theta_step* step, pc_projection* projection)
{
  const pc_projection_role* role = pc_projection_roles(projection);
  coupled_problem* p = c->of;
  p->count = p->nodes.count = 0;
  for (int r = 0; r < c->bilateral_count; r++) add_free(p, velocity_row(c, step, r, 0));
  for (int r = 0; r < c->g_count; r++) add_free(p, position_row(c, step, r, r));
  for (int k = 0; k < c->contact_count; k++)
    if (role[k] == PC_PROJECT_FREE)
      add_free(p, position_row(c, step, c->contact[k].row, c->g_count + k));
  p->free_count = p->count;
  p->free.nodes = p->nodes.count;
}

/* Laws of the active contacts; gaps of those that are, or would be, violated. */
static void collect_contacts(pc_coupled* c, const pc_theta_step* step, pc_projection* projection)
{
  int active_count;
  const int* active = pc_contact_step_active(step->contact_step, &active_count);
  const pc_projection_role* role = pc_projection_roles(projection);
  coupled_problem* p = c->of;
  for (int i = 0; i < active_count; i++) {
    const pc_contact_info* k = &c->contact[active[i]];
    add_node(p, (pc_problem_node){PC_NODE_CONTACT, k->mu});
    for (int d = 0; d <= k->dimension; d++)
      add_unknown(p, velocity_row(c, step, k->row + d, d == 0 ? k->e_N : k->e_F));
  }
  for (int k = 0; k < c->contact_count; k++) {
    if (role[k] != PC_PROJECT_ONE_SIDED) continue;
    unknown gap = position_row(c, step, c->contact[k].row, c->g_count + k);
    double least = fmin(gap.c, step->end.terms->y[c->contact[k].row]);
    if (!pc_projection_candidate(projection, k, least)) continue;
    add_node(p, (pc_problem_node){.kind = PC_NODE_CONTACT});
    add_unknown(p, gap);
  }
}

/* ---- what they do -------------------------------------------------------------------------- */

/* The effect of unknown j on a component: one of those from `from` on, or a new one; -1: no
 * memory. */
static int find_effect(coupled_problem* p, const pc_assembly* tangent, int j, int from,
                       int component)
{
  for (int i = from; i < p->effects.count; i++)
    if (p->effects.list[i].component == component) return i;
  int order = pc_assembly_component_order(tangent, component);
  const pc_array entries[] = {PC_ARRAY(p->effects.w), PC_ARRAY(p->effects.v),
                              PC_ARRAY(p->effects.d)};
  size_t end = p->effects.entry_count + (size_t)order;
  if (pc_reserve((void**)&p->effects.list, &p->effects.capacity, (size_t)p->effects.count + 1,
                 sizeof *p->effects.list) != PC_OK ||
      pc_reserve_arrays(3, entries, &p->effects.entry_capacity, end) != PC_OK)
    return -1;
  memset(p->effects.w + p->effects.entry_count, 0, (size_t)order * sizeof *p->effects.w);
  p->effects.list[p->effects.count] = (effect){j,
                                               component,
                                               order,
                                               pc_assembly_component_members(tangent, component),
                                               p->effects.entry_count,
                                               p->effects.head[component]};
  p->effects.head[component] = p->effects.count;
  p->effects.entry_count = end;
  return p->effects.count++;
}

static pc_status list_effects(coupled_problem* p, const pc_assembly* tangent, pc_error* error)
{
  int components = pc_assembly_component_count(tangent);
  if (pc_reserve((void**)&p->effects.head, &p->effects.head_capacity, (size_t)components,
                 sizeof *p->effects.head) != PC_OK)
    return pc_no_memory(error);
  for (int i = 0; i < components; i++) p->effects.head[i] = -1;
  p->effects.count = 0;
  p->effects.entry_count = 0;
  for (int j = 0; j < p->count; j++) {
    pc_row row = p->x[j].row;
    const double* value = row.w;
    int from = p->effects.count;
    for (int b = 0; b < row.block_count; b++)
      for (int i = 0; i < row.block[b].width; i++, value++) {
        int place, component = pc_assembly_component_of(tangent, row.block[b].first + i, &place);
        int e = find_effect(p, tangent, j, from, component);
        if (e < 0) return pc_no_memory(error);
        p->effects.w[p->effects.list[e].place + (size_t)place] = *value;
      }
  }
  return PC_OK;
}

static double dot(int n, const double* x, const double* y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* The unit of tau. Gaps are counted as velocities, g / (h theta), and tau such that it moves them
 * by about as much as a percussion does: else the round-off of the percussions of heavy bodies, or
 * what a solver may leave of them, would be large beside tau. */
static void choose_unit(coupled_problem* p, double reach)
{
  double by_P = 0, by_tau = 0;
  for (int i = 0, j = 0; j < p->count; j++) {
    double moved = 0;
    for (; i < p->effects.count && p->effects.list[i].unknown == j; i++) {
      const effect* e = &p->effects.list[i];
      moved += dot(e->order, p->effects.w + e->place,
                   (p->x[j].position ? p->effects.d : p->effects.v) + e->place);
    }
    if (p->x[j].position)
      by_tau = pc_larger(by_tau, moved / reach);
    else
      by_P = pc_larger(by_P, moved);
  }
  p->unit = by_P > 0 && by_tau > 0 ? by_P / by_tau : 1;
}

/* v of the effects from `begin` to `end`, all of one position unknown: -h theta Mhat^-1 K d. K lies
 * within the components of Mhat. */
static void add_stiffness(pc_coupled* c, pc_theta_step* step, int begin, int end)
{
  coupled_problem* p = c->of;
  for (const effect* e = p->effects.list + begin; e < p->effects.list + end; e++)
    for (int i = 0; i < e->order; i++) c->moved[e->member[i]] = p->effects.d[e->place + (size_t)i];
  pc_theta_step_add_K_times(step, -step->dt * step->settings.theta, c->moved, c->force);
  for (const effect* e = p->effects.list + begin; e < p->effects.list + end; e++) {
    double* v = p->effects.v + e->place;
    for (int i = 0; i < e->order; i++) {
      v[i] = c->force[e->member[i]];
      c->moved[e->member[i]] = c->force[e->member[i]] = 0;
    }
    pc_assembly_solve_component(step->stage.tangent, e->component, v);
  }
}

/* What each unknown adds to v and d, by components. */
static void compute_effects(pc_coupled* c, pc_theta_step* step, const pc_assembly* metric)
{
  coupled_problem* p = c->of;
  size_t bytes = p->effects.entry_count * sizeof(double);
  if (p->effects.entry_count == 0) return;
  memcpy(p->effects.v, p->effects.w, bytes);
  memcpy(p->effects.d, p->effects.w, bytes);
  for (int i = 0; i < p->effects.count; i++) {
    const effect* e = &p->effects.list[i];
    if (!p->x[e->unknown].position)
      pc_assembly_solve_component(step->stage.tangent, e->component, p->effects.v + e->place);
    else if (metric == step->stage.tangent)
      pc_assembly_solve_component(metric, e->component, p->effects.d + e->place);
  }
  choose_unit(p, step->dt * step->settings.theta);
  for (int begin = 0, end; begin < p->effects.count; begin = end) {
    int j = p->effects.list[begin].unknown;
    for (end = begin; end < p->effects.count && p->effects.list[end].unknown == j; end++)
      for (int i = 0; p->x[j].position && i < p->effects.list[end].order; i++)
        p->effects.d[p->effects.list[end].place + (size_t)i] *= p->unit;
    if (p->x[j].position) add_stiffness(c, step, begin, end);
  }
}

/* Unknowns on the same component act on each other's rows. */
static pc_status shape_matrix(coupled_problem* p, pc_error* error)
{
  int count = 0;
  for (int a = 0; a < p->effects.count; a++)
    for (int b = p->effects.list[a].next; b >= 0; b = p->effects.list[b].next) {
      if (pc_reserve((void**)&p->edge, &p->edge_capacity, (size_t)count + 1, sizeof *p->edge) !=
          PC_OK)
        return pc_no_memory(error);
      p->edge[count++] =
          (pc_edge){p->x[p->effects.list[a].unknown].node, p->x[p->effects.list[b].unknown].node};
    }
  return pc_block_matrix_shape(&p->S, p->nodes.count, p->nodes.size, count, p->edge, error);
}

/* The entry of S in the row of unknown i and the column of unknown j. */
static double* find_entry(const coupled_problem* p, int i, int j)
{
  int a = p->x[i].node, b = p->x[j].node;
  int row = i - p->S.row[a], column = j - p->S.row[b];
  return pc_block_matrix_find(&p->S, a, b) + row * pc_block_matrix_size(&p->S, b) + column;
}

static void add_entry(coupled_problem* p, const effect* a, const effect* b, double reach)
{
  double s = dot(a->order, p->effects.w + a->place, p->effects.v + b->place);
  if (p->x[a->unknown].position && p->x[b->unknown].position)
    s += dot(a->order, p->effects.w + a->place, p->effects.d + b->place) / reach;
  *find_entry(p, a->unknown, b->unknown) += s;
}

/* (54), all rows and unknowns. */
static pc_status compute_matrix(coupled_problem* p, double reach, pc_error* error)
{
  PC_TRY(shape_matrix(p, error));
  for (int a = 0; a < p->effects.count; a++) {
    add_entry(p, &p->effects.list[a], &p->effects.list[a], reach);
    for (int b = p->effects.list[a].next; b >= 0; b = p->effects.list[b].next) {
      add_entry(p, &p->effects.list[a], &p->effects.list[b], reach);
      add_entry(p, &p->effects.list[b], &p->effects.list[a], reach);
    }
  }
  return PC_OK;
}

/* ---- solution ------------------------------------------------------------------------------ */

/* The masses by which the contact problem measures violations. The active contacts come first. */
static void tell_masses(pc_coupled* c, const pc_theta_step* step)
{
  coupled_problem* p = c->of;
  int active_count, j = p->free_count;
  pc_contact_step_active(step->contact_step, &active_count);
  for (int i = 0; i < active_count; i++) {
    double sum = 0;
    int rows = p->nodes.size[p->x[j].node];
    for (int d = 0; d < rows; d++, j++) sum += *find_entry(p, j, j);
    c->mass[i] = sum > 0 ? rows / sum : 0;
  }
  pc_contact_step_set_masses(step->contact_step, c->mass);
}

static pc_status list_free_blocks(coupled_problem* p, pc_error* error)
{
  const pc_array arrays[] = {PC_ARRAY(p->free.column), PC_ARRAY(p->free.place)};
  int count = 0;
  if (pc_reserve((void**)&p->free.start, &p->free.start_capacity, (size_t)p->free.nodes + 1,
                 sizeof *p->free.start) != PC_OK ||
      pc_reserve_arrays(2, arrays, &p->free.column_capacity, (size_t)p->S.start[p->free.nodes]) !=
          PC_OK)
    return pc_no_memory(error);
  for (int k = 0; k < p->free.nodes; k++) {
    p->free.start[k] = count;
    for (int e = p->S.start[k]; e < p->S.start[k + 1] && p->S.column[e] < p->free.nodes; e++) {
      p->free.column[count] = p->S.column[e];
      p->free.place[count++] = p->S.place[e];
    }
  }
  p->free.start[p->free.nodes] = count;
  return PC_OK;
}

/* The free unknowns again, with those of the contacts as they are: a solver leaves of joints what
 * its tolerance allows, but their equations are linear and can be solved to round-off. */
static pc_status finish_free(pc_coupled* c, pc_error* error)
{
  coupled_problem* p = c->of;
  pc_solver_info info;
  if (p->free_count == 0 || p->free_count == p->count) return PC_OK;
  PC_TRY(list_free_blocks(p, error));
  for (int k = 0; k < p->free.nodes; k++)
    for (int e = p->S.start[k]; e < p->S.start[k + 1]; e++) {
      int j = p->S.column[e], rows = p->nodes.size[k], columns = p->nodes.size[j];
      const double* block = p->S.value + p->S.place[e];
      for (int i = 0; j >= p->free.nodes && i < rows; i++, block += columns)
        p->b[p->S.row[k] + i] += dot(columns, block, p->z + p->S.row[j]);
    }
  pc_problem problem = {p->free.nodes,  p->nodes.list, p->S.row,   p->free.start,
                        p->free.column, p->free.place, p->S.value, p->b};
  return pc_solver_solve(c->solver, &problem, p->z, &info, error);
}

static pc_status solve_problem(pc_coupled* c, const pc_theta_step* step, const double* tau,
                               pc_solver_info* solver, pc_error* error)
{
  coupled_problem* p = c->of;
  for (int j = 0; j < p->count; j++) {
    const unknown* x = &p->x[j];
    p->b[j] = x->c;
    p->z[j] = x->position ? tau[x->place] / p->unit : step->P[x->place];
  }
  pc_problem problem = {p->nodes.count, p->nodes.list, p->S.row,   p->S.start,
                        p->S.column,    p->S.place,    p->S.value, p->b};
  PC_TRY(pc_solver_solve(c->solver, &problem, p->z, solver, error));
  if (solver->accepted || (c->accept && isfinite(solver->residual))) return finish_free(c, error);
  return pc_fail(error, isfinite(solver->residual) ? PC_NOT_CONVERGED : PC_NOT_FINITE,
                 "the contact solver (%s) stopped after %d iterations with a residual of %.3g; "
                 "try a smaller dt, another --solver or the decoupled scheme",
                 solver->solver, solver->iterations, solver->residual);
}

/* v, d, P and tau from the unknowns. */
static void distribute(pc_coupled* c, pc_theta_step* step, double* tau)
{
  const coupled_problem* p = c->of;
  size_t n = (size_t)c->n_u;
  memset(step->P, 0, (size_t)step->rows * sizeof *step->P);
  memset(step->d, 0, n * sizeof *step->d);
  memset(tau, 0, (size_t)(c->g_count + c->contact_count) * sizeof *tau);
  memcpy(step->v, c->v_free, n * sizeof *step->v);
  step->displaced = 0;
  for (int j = 0; j < p->count; j++) {
    const unknown* x = &p->x[j];
    if (x->position)
      tau[x->place] = p->z[j] * p->unit;
    else
      step->P[x->place] = p->z[j];
    if (x->position && p->z[j] != 0) step->displaced = 1;
  }
  for (const effect* e = p->effects.list; e < p->effects.list + p->effects.count; e++) {
    const double *v = p->effects.v + e->place, *d = p->effects.d + e->place, z = p->z[e->unknown];
    for (int i = 0; z != 0 && i < e->order; i++) step->v[e->member[i]] += z * v[i];
    if (!p->x[e->unknown].position) continue;
    for (int i = 0; z != 0 && i < e->order; i++) step->d[e->member[i]] += z * d[i];
  }
}

static int has_positions(const coupled_problem* p)
{
  for (int j = 0; j < p->count; j++)
    if (p->x[j].position) return 1;
  return 0;
}

pc_status pc_coupled_solve(pc_coupled* c, pc_theta_step* step, pc_projection* projection,
                           const pc_state* state, pc_step_info* info, pc_error* error)
{
  double* tau = pc_projection_tau(projection);
  pc_solver_info solver;
  PC_TRY(pc_theta_step_factor(step, error));
  pc_theta_step_locate(step, state);
  free_velocity(c, step);
  collect_free(c, step, projection);
  collect_contacts(c, step, projection);
  PC_TRY(list_effects(c->of, step->stage.tangent, error));
  compute_effects(c, step, pc_projection_metric(projection, step));
  PC_TRY(compute_matrix(c->of, step->dt * step->settings.theta, error));
  tell_masses(c, step);
  PC_TRY(solve_problem(c, step, tau, &solver, error));
  distribute(c, step, tau);
  info->iterations[0]++;
  info->iterations[1] += solver.iterations;
  info->iterations[2] += has_positions(c->of);
  pc_contact_step_note(&solver, info);
  return PC_OK;
}
