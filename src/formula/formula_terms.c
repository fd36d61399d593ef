/* From energies, forces, constraints and gaps to the local terms of an element, by Lagrange:
 *
 *     M   = d2T/du2
 *     h   = Q + dT/dq - dV/dq - (d2T/du dq) u - d2T/du dt
 *     W   = dg/dq, dgamma/du, dgap/dq, dslip/du
 *     chi = dg/dt, gamma(u=0), dgap/dt, slip(u=0)
 *
 * and where the momentum p = dT/du depends on q or t, p itself and h = Q + dT/dq - dV/dq of p' = h,
 * and all their derivatives, exact, as expressions. Where q' = B u, as for rigid bodies in space,
 * the derivatives by q in V, g and gap are those along the velocities, B' d/dq; T does not involve
 * such bodies, which bring their own inertia. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "formula/formula_element.h"
#include "formula/pool.h"

typedef struct builder {
  const pc_formula_def* def;
  pc_formula_terms* terms;
  pc_pool* pool;
  const pc_formula_layout* layout;
  int n_q, n_u;
  pc_error* error;
  int momentum; /* p' differs from M u' */
  pc_expr* own; /* the definition's expressions in our pool: T, V, n_u forces, g, gamma, contacts */
} builder;

enum { OWN_KINETIC, OWN_POTENTIAL, OWN_FORCE };

/* Numbers of the variables of coordinate and velocity j. */
static int var_q(int j)
{
  return 1 + j;
}

static int var_u(const builder* b, int j)
{
  return 1 + b->n_q + j;
}

static int var_a(const builder* b, int j)
{
  return 1 + b->n_q + b->n_u + j;
}

/* A derivative in our pool; negative without memory, like all expressions. */
static pc_expr d(const builder* b, pc_expr expr, int variable)
{
  return pc_derivative(b->pool, expr, variable);
}

/* A velocity's place: the coordinate whose rate it is, or a component of an angular velocity. */
typedef struct velocity_place {
  int q;          /* -1: an angular velocity */
  int quaternion; /* first coordinate of the quaternion that it turns */
  int component;  /* 0, 1, 2 */
} velocity_place;

static velocity_place place_of(const builder* b, int j)
{
  int shift = 0; /* of coordinates against velocities */
  for (int i = 0; i < b->layout->body_count; i++) {
    pc_formula_body body = b->layout->body[i];
    if (j < body.u_first + 3) break;
    if (j < body.u_first + 6) return (velocity_place){-1, body.q_first + 3, j - body.u_first - 3};
    shift++;
  }
  return (velocity_place){j + shift, -1, 0};
}

/* (B' df/dq)_j: how f(q) changes with velocity j. For an angular velocity it is the sum over the
 * quaternion p of df/dp times the column of Q(p)/2, see base/rotation.h. */
static pc_expr along(const builder* b, pc_expr f, int j)
{
  static const int entry[3][4] = {{-2, 1, 4, -3}, {-3, -4, 1, 2}, {-4, 3, -2, 1}};
  velocity_place place = place_of(b, j);
  if (place.q >= 0) return d(b, f, var_q(place.q));
  pc_pool* pool = b->pool;
  pc_expr sum = pc_expr_number(pool, 0), half = pc_expr_number(pool, 0.5);
  for (int k = 0; k < 4; k++) {
    int e = entry[place.component][k];
    pc_expr p = pc_expr_variable(pool, var_q(place.quaternion + (e < 0 ? -e : e) - 1));
    pc_expr slope = d(b, f, var_q(place.quaternion + k));
    pc_expr part = pc_product(pool, half, pc_product(pool, p, slope));
    sum = e < 0 ? pc_difference(pool, sum, part) : pc_sum(pool, sum, part);
  }
  return sum;
}

/* sum + x * variable */
static pc_expr add_times(const builder* b, pc_expr sum, pc_expr x, int variable)
{
  return pc_sum(b->pool, sum, pc_product(b->pool, x, pc_expr_variable(b->pool, variable)));
}

/* Notes an entry of a term. */
static pc_status put(builder* b, pc_slot slot, int offset, pc_expr expr)
{
  if (expr < 0) return pc_no_memory(b->error);
  double value;
  int number = pc_expr_is_number(b->pool, expr, &value);
  if (number && value == 0) return PC_OK;
  if (number && !isfinite(value))
    return pc_fail(b->error, PC_BAD_MODEL,
                   "formula '%s': a term or its derivative is not a finite number (%g); look for "
                   "a division by zero or a root or logarithm of a number out of range",
                   b->def->name, value);
  pc_entries* list = &b->terms->slot[slot];
  if (pc_grow((void**)&list->entry, &list->capacity, list->count, sizeof *list->entry))
    return pc_no_memory(b->error);
  list->entry[list->count++] = (pc_entry){offset, expr};
  return PC_OK;
}

/* Independence of the velocities --------------------------------------------------------------- */

/* A fixed sequence of numbers between -1 and 1. */
static double next_number(uint64_t* seed)
{
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(int64_t)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* Whether the two results of a program agree at random points, up to rounding; 0 if they never are
 * finite either. `scratch` has space for the variables and the registers. */
static int agree(const pc_program* program, int variables, double* scratch)
{
  enum { POINTS = 24 };
  double* registers = scratch + variables;
  pc_program_load(program, registers);
  uint64_t seed = 20;
  int judged = 0;
  for (int k = 0; k < POINTS; k++) {
    double scale = k % 3 == 0 ? 1 : k % 3 == 1 ? 0.1 : 10;
    for (int i = 0; i < variables; i++) scratch[i] = scale * next_number(&seed);
    double v[2], largest = 0;
    pc_program_run(program, scratch, registers, v);
    if (!isfinite(v[0]) || !isfinite(v[1])) continue;
    judged++;
    for (int i = 0; i < pc_program_register_count(program); i++)
      if (isfinite(registers[i])) largest = fmax(largest, fabs(registers[i]));
    if (fabs(v[0] - v[1]) > 1e-8 * (fabs(v[0]) + fabs(v[1])) + 1e-13 * largest) return 0;
  }
  return judged > 0;
}

/* The expression without velocities. If its text contains some, they must not matter: this is
 * what simplification could not show and random points decide. PC_BAD_MODEL, without a text, if
 * they do matter. */
static pc_status free_of_velocity(builder* b, pc_expr expr, pc_expr* result)
{
  *result = expr;
  if (expr < 0) return pc_no_memory(b->error);
  if (!pc_depends_on_any(b->pool, expr, var_u(b, 0), b->n_u)) return PC_OK;
  pc_expr pair[2] = {expr, pc_without_variables(b->pool, expr, var_u(b, 0), b->n_u)};
  pc_program* program = NULL;
  if (pair[1] < 0 || pc_program_create(b->pool, 2, pair, &program)) return pc_no_memory(b->error);
  int variables = 1 + b->n_q + 2 * b->n_u;
  double* scratch =
      pc_alloc((size_t)variables + (size_t)pc_program_register_count(program), sizeof *scratch);
  int same = scratch && agree(program, variables, scratch);
  pc_program_destroy(program);
  if (!scratch) return pc_no_memory(b->error);
  free(scratch);
  *result = pair[1];
  return same ? PC_OK : PC_BAD_MODEL;
}

/* Adds the text to a PC_BAD_MODEL of free_of_velocity. `index` counts the formulas of a kind. */
static pc_status explain(builder* b, pc_status status, int index, const char* kind,
                         const char* name, const char* what)
{
  if (status != PC_BAD_MODEL) return status;
  if (b->error) b->error->line = index + 1;
  return pc_fail(b->error, status, "formula '%s': %s%s%s%s %s", b->def->name, kind,
                 name ? " '" : "", name ? name : "", name ? "'" : "", what);
}

/* Mass and forces ------------------------------------------------------------------------------ */

/* Row i of M and of d(M a)/dq; p is the momentum dT/du_i. */
static pc_status build_mass_row(builder* b, int i, pc_expr p)
{
  int n_u = b->n_u, n_q = b->n_q;
  pc_expr Ma = pc_expr_number(b->pool, 0);
  for (int j = 0; j < n_u; j++) {
    pc_expr m;
    pc_status status = free_of_velocity(b, d(b, p, var_u(b, j)), &m);
    PC_TRY(explain(b, status, -1, "the kinetic energy", NULL,
                   "is not quadratic in the velocities; write it as a sum of products of at most "
                   "two of them"));
    PC_TRY(put(b, PC_SLOT_M, i * n_u + j, m));
    Ma = add_times(b, Ma, m, var_a(b, j));
  }
  for (int k = 0; k < n_q; k++) PC_TRY(put(b, PC_SLOT_MA_Q, i * n_q + k, d(b, Ma, var_q(k))));
  return PC_OK;
}

/* What p' has besides M u': sum_j dp/dq_j u_j + dp/dt. */
static pc_expr rate_of(const builder* b, pc_expr p)
{
  pc_expr rate = d(b, p, 0);
  for (int j = 0; j < b->n_u; j++) rate = add_times(b, rate, along(b, p, j), var_u(b, j));
  return rate;
}

/* h_i and its derivatives, in three slots one after the other. */
static pc_status put_force(builder* b, int slot, int i, pc_expr h)
{
  int n_u = b->n_u, n_q = b->n_q;
  PC_TRY(put(b, (pc_slot)slot, i, h));
  for (int k = 0; k < n_q; k++) PC_TRY(put(b, (pc_slot)(slot + 1), i * n_q + k, d(b, h, var_q(k))));
  for (int k = 0; k < n_u; k++)
    PC_TRY(put(b, (pc_slot)(slot + 2), i * n_u + k, d(b, h, var_u(b, k))));
  return PC_OK;
}

/* p_i, its derivatives, and the force of p_i' = h_i. */
static pc_status build_momentum(builder* b, int i, pc_expr p, pc_expr h)
{
  PC_TRY(put(b, PC_SLOT_P, i, p));
  for (int k = 0; k < b->n_q; k++) PC_TRY(put(b, PC_SLOT_P_Q, i * b->n_q + k, d(b, p, var_q(k))));
  return put_force(b, PC_SLOT_MOMENTUM_H, i, h);
}

/* h_i = Q_i - dV/dq_i + dT/dq_i - sum_j dp_i/dq_j u_j - dp_i/dt */
static pc_status build_force(builder* b, int i, pc_expr potential, pc_expr p)
{
  pc_expr force = b->own[OWN_FORCE + i];
  pc_expr h = force < 0 ? pc_expr_number(b->pool, 0) : force;
  if (force >= 0) PC_TRY(put(b, PC_SLOT_F, i, force));
  if (b->def->has_potential) h = pc_difference(b->pool, h, along(b, potential, i));
  if (b->def->has_kinetic) {
    h = pc_sum(b->pool, h, along(b, b->own[OWN_KINETIC], i));
    if (b->momentum) PC_TRY(build_momentum(b, i, p, h));
    h = pc_difference(b->pool, h, rate_of(b, p));
  }
  return put_force(b, PC_SLOT_H, i, h);
}

/* Notes whether p depends on q or t, so that momentum form differs. */
static pc_status look_for_rates(builder* b)
{
  for (int i = 0; i < b->n_u; i++) {
    double value = 1;
    pc_expr rate = rate_of(b, d(b, b->own[OWN_KINETIC], var_u(b, i)));
    if (rate < 0) return pc_no_memory(b->error);
    b->momentum |= !pc_expr_is_number(b->pool, rate, &value) || value != 0;
  }
  return PC_OK;
}

/* A kinetic energy of quaternions would need the equations of quasi-velocities. */
static pc_status check_kinetic(builder* b)
{
  for (int i = 0; i < b->layout->body_count; i++) {
    pc_formula_body body = b->layout->body[i];
    if (pc_depends_on_any(b->pool, b->own[OWN_KINETIC], var_q(body.q_first), 7) ||
        pc_depends_on_any(b->pool, b->own[OWN_KINETIC], var_u(b, body.u_first), 6))
      return pc_fail(b->error, PC_BAD_MODEL,
                     "formula '%s': the kinetic energy depends on a rigid body in space, which "
                     "brings its own; leave it to the body's mass and inertia",
                     b->def->name);
  }
  return PC_OK;
}

static pc_status build_dynamics(builder* b)
{
  pc_expr potential = b->own[OWN_POTENTIAL], power = pc_expr_number(b->pool, 0);
  if (b->def->has_potential) {
    pc_status status = free_of_velocity(b, potential, &potential);
    PC_TRY(explain(b, status, -1, "the potential", NULL,
                   "depends on a velocity; make it a function of time and coordinates, and give "
                   "damping as a force"));
    PC_TRY(put(b, PC_SLOT_ENERGY, 1, potential));
    power = d(b, potential, 0);
  }
  if (b->def->has_kinetic) {
    PC_TRY(check_kinetic(b));
    /* written out, so that what cancels in h does so here and not at every evaluation */
    b->own[OWN_KINETIC] = pc_expand(b->pool, b->own[OWN_KINETIC], var_u(b, 0), b->n_u);
    PC_TRY(put(b, PC_SLOT_ENERGY, 0, b->own[OWN_KINETIC]));
    power = pc_difference(b->pool, power, d(b, b->own[OWN_KINETIC], 0));
    PC_TRY(look_for_rates(b));
  }
  PC_TRY(put(b, PC_SLOT_ENERGY, 2, power));
  for (int i = 0; i < b->n_u; i++) {
    pc_expr p = PC_NO_EXPR;
    if (b->def->has_kinetic) {
      p = d(b, b->own[OWN_KINETIC], var_u(b, i));
      PC_TRY(build_mass_row(b, i, p));
    }
    PC_TRY(build_force(b, i, potential, p));
  }
  return PC_OK;
}

/* Rows ----------------------------------------------------------------------------------------- */

/* Adds to the row's zeta_t the part of one entry of W, and notes the entry and its derivatives. */
static pc_status build_W(builder* b, int row, int j, pc_expr w, pc_expr* zeta_t)
{
  int entry = row * b->n_u + j;
  PC_TRY(put(b, PC_SLOT_W, entry, w));
  for (int k = 0; k < b->n_q; k++)
    PC_TRY(put(b, PC_SLOT_W_Q, entry * b->n_q + k, d(b, w, var_q(k))));
  *zeta_t = add_times(b, *zeta_t, d(b, w, 0), var_u(b, j));
  return put(b, PC_SLOT_W_T, entry, d(b, w, 0));
}

static pc_status build_chi(builder* b, int row, pc_expr chi, pc_expr zeta_t)
{
  PC_TRY(put(b, PC_SLOT_CHI, row, chi));
  for (int k = 0; k < b->n_q; k++)
    PC_TRY(put(b, PC_SLOT_CHI_Q, row * b->n_q + k, d(b, chi, var_q(k))));
  return put(b, PC_SLOT_ZETA_T, row, pc_sum(b->pool, zeta_t, d(b, chi, 0)));
}

/* A row of position: a constraint g or a gap. */
static pc_status build_position_row(builder* b, int row, pc_expr expr)
{
  pc_expr f;
  PC_TRY(free_of_velocity(b, expr, &f));
  PC_TRY(put(b, PC_SLOT_Y, row, f));
  pc_expr zeta_t = pc_expr_number(b->pool, 0);
  for (int j = 0; j < b->n_u; j++) PC_TRY(build_W(b, row, j, along(b, f, j), &zeta_t));
  return build_chi(b, row, d(b, f, 0), zeta_t);
}

/* A row of velocity: gamma or a slip. */
static pc_status build_velocity_row(builder* b, int row, pc_expr f)
{
  pc_expr zeta_t = pc_expr_number(b->pool, 0);
  for (int j = 0; j < b->n_u; j++) {
    pc_expr w;
    PC_TRY(free_of_velocity(b, d(b, f, var_u(b, j)), &w));
    PC_TRY(build_W(b, row, j, w, &zeta_t));
  }
  pc_expr chi = pc_without_variables(b->pool, f, var_u(b, 0), b->n_u);
  return build_chi(b, row, chi, zeta_t);
}

/* Whether the error is ours to explain, or has its text already. */
static pc_status explain_row(builder* b, pc_status status, int index, const char* kind,
                             const char* name, const char* what)
{
  int explained = b->error && b->error->text[0];
  if (status == PC_BAD_MODEL && explained) {
    b->error->line = index + 1;
    return status;
  }
  return explain(b, status, index, kind, name, what);
}

static pc_status build_constraints(builder* b, const pc_expr* own)
{
  const pc_formula_def* def = b->def;
  for (int r = 0; r < def->g_count + def->gamma_count; r++) {
    const char* name = def->constraint_name ? def->constraint_name[r] : NULL;
    pc_status status =
        r < def->g_count ? build_position_row(b, r, own[r]) : build_velocity_row(b, r, own[r]);
    PC_TRY(explain_row(b, status, r, "constraint", name,
                       r < def->g_count
                           ? "on the position depends on a velocity; give it as a constraint on "
                             "the velocity"
                           : "on the velocity is not linear in the velocities"));
  }
  return PC_OK;
}

static pc_status build_contacts(builder* b, const pc_expr* own)
{
  int row = b->def->g_count + b->def->gamma_count;
  for (int k = 0; k < b->def->contact_count; k++) {
    const pc_formula_contact* c = &b->def->contact[k];
    pc_status status = build_position_row(b, row++, *own++);
    PC_TRY(explain_row(b, status, k, "the gap of contact", c->law.name,
                       "depends on a velocity; make it a function of time and coordinates"));
    for (int s = 0; s < c->slip_count; s++) {
      status = build_velocity_row(b, row++, *own++);
      PC_TRY(explain_row(b, status, k, "the slip of contact", c->law.name,
                         "is not linear in the velocities; divide by no speed, the direction is "
                         "the contact law's affair"));
    }
  }
  b->terms->row_count = row;
  return PC_OK;
}

/* The whole ------------------------------------------------------------------------------------ */

/* Copies the definition's expressions into our own pool. */
static pc_status import_all(builder* b)
{
  const pc_formula_def* def = b->def;
  int count = OWN_FORCE + b->n_u + def->g_count + def->gamma_count;
  for (int k = 0; k < def->contact_count; k++) count += 1 + def->contact[k].slip_count;
  b->own = pc_alloc((size_t)count, sizeof *b->own);
  if (!b->own) return pc_no_memory(b->error);
  pc_expr* e = b->own;
  *e++ = def->has_kinetic ? def->kinetic : PC_NO_EXPR;
  *e++ = def->has_potential ? def->potential : PC_NO_EXPR;
  for (int i = 0; i < b->n_u; i++) *e++ = def->force ? def->force[i] : PC_NO_EXPR;
  for (int i = 0; i < def->g_count; i++) *e++ = def->g[i];
  for (int i = 0; i < def->gamma_count; i++) *e++ = def->gamma[i];
  for (int k = 0; k < def->contact_count; k++) {
    *e++ = def->contact[k].gap;
    for (int s = 0; s < def->contact[k].slip_count; s++) *e++ = def->contact[k].slip[s];
  }
  if (pc_pool_import(b->pool, def->pool, count, b->own, b->own)) return pc_no_memory(b->error);
  if (pc_pool_variable_max(b->pool) > b->n_q + b->n_u)
    return pc_fail(b->error, PC_BAD_MODEL,
                   "formula '%s' uses variable %d; with %d coordinates the last one is %d",
                   def->name, pc_pool_variable_max(b->pool), b->n_q, b->n_q + b->n_u);
  return PC_OK;
}

static pc_status build(builder* b)
{
  PC_TRY(import_all(b));
  PC_TRY(build_dynamics(b));
  const pc_expr* rows = b->own + OWN_FORCE + b->n_u;
  PC_TRY(build_constraints(b, rows));
  return build_contacts(b, rows + b->def->g_count + b->def->gamma_count);
}

pc_status pc_formula_terms_create(const pc_formula_def* def, const pc_formula_layout* layout,
                                  pc_formula_terms** terms, pc_error* error)
{
  *terms = NULL;
  pc_error own = {0}; /* its text tells whether something has been explained */
  builder b = {.def = def, .layout = layout, .n_q = layout->n_q, .n_u = layout->n_u, .error = &own};
  b.terms = pc_alloc(1, sizeof *b.terms);
  if (!b.terms) return pc_no_memory(error);
  b.terms->n_q = layout->n_q;
  b.terms->n_u = layout->n_u;
  b.pool = b.terms->pool = pc_pool_create();
  pc_status status = b.pool ? build(&b) : pc_no_memory(&own);
  free(b.own);
  if (status == PC_OK) {
    *terms = b.terms;
    return PC_OK;
  }
  pc_formula_terms_destroy(b.terms);
  if (error) *error = own;
  return status;
}

void pc_formula_terms_destroy(pc_formula_terms* terms)
{
  if (!terms) return;
  pc_pool_destroy(terms->pool);
  for (int s = 0; s < PC_SLOT_COUNT; s++) free(terms->slot[s].entry);
  free(terms);
}

/* The term that a slot belongs to. */
static unsigned term_of(pc_slot slot)
{
  static const unsigned term[PC_SLOT_COUNT] = {
      [PC_SLOT_M] = PC_TERM_M,
      [PC_SLOT_MA_Q] = PC_TERM_MA_Q,
      [PC_SLOT_H] = PC_TERM_H,
      [PC_SLOT_H_Q] = PC_TERM_H_Q,
      [PC_SLOT_H_U] = PC_TERM_H_U,
      [PC_SLOT_Y] = PC_TERM_Y,
      [PC_SLOT_W] = PC_TERM_W,
      [PC_SLOT_CHI] = PC_TERM_W,
      [PC_SLOT_W_Q] = PC_TERM_W_Q,
      [PC_SLOT_CHI_Q] = PC_TERM_W_Q,
      [PC_SLOT_W_T] = PC_TERM_W_Q,
      [PC_SLOT_ZETA_T] = PC_TERM_W_Q,
      [PC_SLOT_ENERGY] = PC_TERM_ENERGY,
      [PC_SLOT_F] = PC_TERM_F,
      [PC_SLOT_P] = PC_TERM_P,
      [PC_SLOT_P_Q] = PC_TERM_P_Q,
      [PC_SLOT_MOMENTUM_H] = PC_TERM_H,
      [PC_SLOT_MOMENTUM_H_Q] = PC_TERM_H_Q,
      [PC_SLOT_MOMENTUM_H_U] = PC_TERM_H_U,
  };
  return term[slot];
}

int pc_slot_is_wanted(pc_slot slot, unsigned mask)
{
  int is_force = slot == PC_SLOT_H || slot == PC_SLOT_H_Q || slot == PC_SLOT_H_U;
  if (slot >= PC_SLOT_MOMENTUM_H && !(mask & PC_TERM_P)) return 0;
  if (is_force && mask & PC_TERM_P) return 0;
  return (mask & term_of(slot)) != 0;
}

unsigned pc_formula_terms_provide(const pc_formula_terms* terms)
{
  unsigned provides = terms->row_count ? PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q : 0;
  for (int s = 0; s < PC_SLOT_COUNT; s++)
    if (terms->slot[s].count) provides |= term_of((pc_slot)s);
  if (terms->slot[PC_SLOT_CHI].count) provides |= PC_TERM_CHI;
  return provides;
}

static int all_numbers(const pc_formula_terms* terms, pc_slot slot)
{
  const pc_entries* list = &terms->slot[slot];
  int numbers = 1;
  for (int i = 0; i < list->count && numbers; i++)
    numbers = pc_expr_is_number(terms->pool, list->entry[i].expr, NULL);
  return numbers;
}

unsigned pc_formula_terms_constant(const pc_formula_terms* terms)
{
  unsigned constant = 0;
  const pc_slot alone[] = {PC_SLOT_M, PC_SLOT_H, PC_SLOT_H_Q, PC_SLOT_H_U};
  for (int i = 0; i < 4; i++)
    if (all_numbers(terms, alone[i])) constant |= term_of(alone[i]);
  if (all_numbers(terms, PC_SLOT_W) && all_numbers(terms, PC_SLOT_CHI)) constant |= PC_TERM_W;
  return constant & pc_formula_terms_provide(terms);
}
