#include <math.h>
#include <stdlib.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "schemes/generalized_alpha/alpha.h"

pc_status pc_alpha_balance_create(pc_alpha_balance* b, const pc_alpha_model* m, pc_terms* terms,
                                  pc_error* error)
{
  double** n_u[] = {&b->residual, &b->momentum, &b->free_acceleration, &b->u_terms, &b->round_off};
  int bad = 0;
  for (size_t i = 0; i < sizeof n_u / sizeof *n_u; i++)
    bad |= !(*n_u[i] = pc_alloc((size_t)m->n_u, sizeof(double)));
  bad |= !(b->q_terms = pc_alloc((size_t)m->n_q, sizeof(double)));
  bad |= !(b->impact_law = pc_alloc((size_t)m->contacts, sizeof(double)));
  bad |= !(b->friction_law = pc_alloc((size_t)m->contacts, sizeof(double)));
  if (bad) return pc_no_memory(error);
  b->scaled = pc_is_scaled(&m->settings);
  PC_TRY(pc_measure_create(&b->forces, terms, &m->settings, error));
  PC_TRY(pc_measure_create(&b->positions, terms, &m->settings, error));
  PC_TRY(pc_measure_create(&b->impulses, terms, &m->settings, error));
  PC_TRY(pc_measure_create(&b->velocities, terms, &m->settings, error));
  b->positions.has_forces = b->impulses.has_forces = 0; /* there is no h in them */
  return PC_OK;
}

void pc_alpha_balance_free(pc_alpha_balance* b)
{
  double* array[] = {b->residual, b->momentum,  b->free_acceleration, b->q_terms,
                     b->u_terms,  b->round_off, b->impact_law,        b->friction_law};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_measure_clear(&b->forces);
  pc_measure_clear(&b->positions);
  pc_measure_clear(&b->impulses);
  pc_measure_clear(&b->velocities);
}

void pc_alpha_begin_balance(pc_alpha_balance* b)
{
  pc_measure_begin(&b->forces);
  pc_measure_begin(&b->positions);
  pc_measure_begin(&b->impulses);
  b->has_round_off = 0;
  b->progress = (pc_alpha_progress){.best = HUGE_VAL, .last = HUGE_VAL};
}

/* ---- round-off ------------------------------------------------------------------------------ */

void pc_alpha_find_round_off(pc_alpha_balance* b, const pc_alpha_model* m, const pc_terms* terms,
                             const double* q, const double* u)
{
  b->has_round_off = 1;
  pc_zero(m->n_u, b->round_off);
  pc_terms_add_h_magnitude(terms, q, u, b->round_off);
}

double pc_alpha_body_round_off(const pc_alpha_balance* b, int k)
{
  double largest = 0;
  for (int i = b->forces.first[k]; i < b->forces.first[k + 1]; i++)
    largest = pc_larger(largest, b->round_off[i]);
  return PC_ROUND_OFF_OF_FORCES * largest;
}

double pc_alpha_row_round_off(pc_alpha* s, int row)
{
  pc_alpha_balance* b = &s->balance;
  pc_row of = s->matrix.terms->row[row];
  double round_off = 0;
  if (!b->has_round_off) pc_alpha_find_round_off(b, &s->model, s->matrix.terms, s->x.q, s->x.u);
  for (int k = 0; k < of.block_count; k++)
    for (int i = of.block[k].first; i < of.block[k].first + of.block[k].width; i++)
      round_off = pc_larger(round_off, pc_alpha_body_round_off(b, b->forces.body_of[i]));
  return round_off;
}

/* ---- sizes of the whole system -------------------------------------------------------------- */

/* A light link between heavy bodies is measured by what goes through it: half of that is at most
 * what a body feels on which nothing else acts. */
static double largest_force(const pc_alpha* s)
{
  const pc_measure* m = &s->balance.forces;
  double motion = pc_largest(s->model.n_u, m->motion),
         links = m->body_count > 1 ? pc_largest(s->model.n_u, m->percussion) / 2 : 0;
  return pc_larger(motion, links) / s->step.dt;
}

static double largest_acceleration(pc_alpha* s)
{
  double a = pc_largest(s->model.n_u, s->x.v_dot), *free = s->balance.free_acceleration;
  if (s->model.rows == 0) return a;
  pc_copy(s->model.n_u, s->matrix.terms->h, free);
  pc_assembly_solve(s->matrix.mass, free); /* M is the one that was factorised last */
  return pc_larger(a, pc_largest(s->model.n_u, free));
}

/* After the terms of (65a). */
static void find_sizes(pc_alpha* s)
{
  pc_alpha_sizes* size = &s->balance.size;
  double u = pc_largest(s->model.n_u, s->x.u), q = pc_largest(s->model.n_q, s->x.q);
  size->force = largest_force(s);
  size->acceleration = largest_acceleration(s);
  size->position = pc_larger(q, s->step.dt * pc_larger(u, s->step.dt * size->acceleration));
  size->velocity = pc_larger(u, sqrt(size->acceleration * size->position));
}

/* ---- the balances --------------------------------------------------------------------------- */

static double larger_size(double a, double b)
{
  a = fabs(a);
  b = fabs(b);
  return a > b ? a : b;
}

/* A body that an impact stops at the origin has the round-off of where it came from, and so have
 * forces on it. */
static void find_motion_terms(void* alpha)
{
  pc_alpha* s = alpha;
  for (int i = 0; i < s->model.n_q; i++)
    s->balance.q_terms[i] = larger_size(s->step.q_n[i], s->x.q[i]);
  for (int i = 0; i < s->model.n_u; i++)
    s->balance.u_terms[i] = larger_size(s->x.smooth[i], s->x.u[i]);
}

/* What is left of a balance as a share of its terms on the same body, unless it is their round-off:
 * the largest. All is finite. */
static double largest_share(const pc_measure* m, const double* residual)
{
  double worst = 0;
  for (int k = 0; k < m->body_count; k++) {
    double left = 0, size = 0;
    for (int i = m->first[k]; i < m->first[k + 1]; i++) {
      left = larger_size(left, m->inverse[i] * residual[i]);
      size = larger_size(size, m->inverse[i] * pc_measure_size(m, i));
    }
    if (left > PC_ROUND_OFF * size) worst = larger_size(worst, left / size);
  }
  return worst;
}

/* Of the balance that was computed, as a momentum [N s]; not finite where any is not. */
static double largest_rest(const pc_alpha* s)
{
  double largest = 0, sum = 0;
  for (int i = 0; i < s->model.n_u; i++) {
    largest = larger_size(largest, s->balance.momentum[i]);
    sum += s->balance.momentum[i] - s->balance.momentum[i]; /* 0, or not a number */
  }
  return largest + sum;
}

/* residual := scale (M x - h - W' force), with the terms of each equation, of which M u is one. */
static void compute_balance(pc_alpha* s, pc_measure* m, double scale, const double* x,
                            const double* h, const double* force, const double* u, double* residual)
{
  pc_zero(s->model.n_u, residual);
  pc_terms_add_M_times(s->matrix.terms, x, residual);
  for (int i = 0; i < s->model.n_u; i++) {
    double change = scale * residual[i], impulse = h ? scale * h[i] : 0;
    pc_measure_set(m, i, impulse, change, u ? u[i] : 0);
    residual[i] = change - impulse;
  }
  for (int r = 0; r < s->model.rows; r++)
    if (force[r] != 0) pc_measure_add_row(m, s->matrix.terms->row[r], -scale * force[r], residual);
}

/* Whether the balance whose residual was computed holds. Not scaled, `absolute` of it may be left
 * [N s]. */
static int balance_holds(pc_alpha* s, pc_measure* m, double absolute)
{
  if (!s->balance.scaled) m->absolute = pc_larger(absolute, DBL_MIN);
  m->stalls =
      s->balance.progress.stalled; /* sweeps that do not halve a residual may well converge */
  return pc_measure_holds(m, &(pc_iterate){s->matrix.terms, s->balance.q_terms, s->balance.u_terms,
                                           s->balance.momentum, s->step.dt, find_motion_terms, s});
}

/* Where the residual is round-off it goes up and down. */
static void note_progress(pc_alpha_progress* p, double residual)
{
  p->forecast = residual > 0 ? residual * residual / p->last : 0;
  p->last = residual;
  p->stalled++;
  if (!(residual < 0.5 * p->best)) return;
  p->best = residual;
  p->stalled = 0;
}

static int note_share(pc_alpha* s, pc_alpha_equation equation, double share)
{
  s->balance.violation = (pc_alpha_violation){equation, 0, share};
  return 0;
}

int pc_alpha_forces_hold(pc_alpha* s, double tolerance, pc_step_info* info)
{
  pc_alpha_balance* b = &s->balance;
  compute_balance(s, &b->forces, s->step.dt, s->x.v_dot, s->matrix.terms->h, s->x.lambda, NULL,
                  b->momentum);
  double per_step = 1 / s->step.dt;
  for (int i = 0; i < s->model.n_u; i++) b->residual[i] = per_step * b->momentum[i];
  info->residual = largest_rest(s);
  if (!isfinite(info->residual)) return 0;
  if (!b->scaled) find_sizes(s);
  double share = largest_share(&b->forces, b->momentum);
  note_progress(&b->progress, share);
  if (balance_holds(s, &b->forces, tolerance * s->step.dt * b->size.force)) return 1;
  return note_share(s, PC_ALPHA_FORCES, share);
}

static int any(int count, const double* x)
{
  for (int i = 0; i < count; i++)
    if (x[i] != 0) return 1;
  return 0;
}

/* With friction Lambda is the difference of the whole impulse, for which the laws are, and the part
 * of lambda in it (pc_alpha_friction_level): its last digits are those of these, however small it
 * is. At rest it is nothing but round-off. */
static void note_whole_impulses(pc_alpha* s)
{
  const pc_measure* forces = &s->balance.forces;
  pc_measure* m = &s->balance.impulses;
  for (int i = 0; i < s->model.n_u; i++)
    m->percussion[i] = larger_size(m->percussion[i], forces->percussion[i]);
}

/* Whether M x = W' force, times `scale`, holds; if both are zero it does. */
static int impulses_hold(pc_alpha* s, pc_measure* m, double scale, const double* x,
                         const double* force, double absolute, pc_step_info* info)
{
  if (!any(s->model.n_u, x) && !any(s->model.rows, force)) return 1;
  compute_balance(s, m, scale, x, NULL, force, s->x.u, s->balance.momentum);
  if (s->model.has_friction && m == &s->balance.impulses) note_whole_impulses(s);
  info->residual = pc_larger(info->residual, largest_rest(s));
  if (!isfinite(info->residual)) return 0;
  return balance_holds(s, m, absolute) ||
         note_share(s, PC_ALPHA_IMPULSES, largest_share(m, s->balance.momentum));
}

/* Rows are measured by the velocities, by what forces change of them in a step, and by impulses. */
static void measure_velocities(pc_alpha* s)
{
  const pc_measure* forces = &s->balance.forces;
  pc_measure* m = &s->balance.velocities;
  for (int k = 0; k < m->body_count; k++) {
    double pace = 0;
    for (int i = m->first[k]; i < m->first[k + 1]; i++) {
      m->motion[i] = larger_size(forces->motion[i], m->inertia[i] * s->x.u[i]);
      m->percussion[i] = forces->percussion[i];
      pace = larger_size(pace, m->inverse[i] * m->motion[i]);
    }
    m->pace[k] = pace;
  }
}

/* (73a) is linear: the position level solves it. */
int pc_alpha_impulses_hold(pc_alpha* s, double tolerance, pc_step_info* info)
{
  pc_alpha_balance* b = &s->balance;
  double dt = s->step.dt, a = b->size.acceleration, mass = a > 0 ? b->size.force / a : 0;
  measure_velocities(s);
  if (!s->model.form.ggl && !impulses_hold(s, &b->positions, 1 / dt, s->x.U, s->x.nu,
                                           tolerance * mass * b->size.position / dt, info))
    return 0;
  return impulses_hold(s, &b->impulses, 1, s->x.jump, s->x.Lambda,
                       tolerance * mass * b->size.velocity, info);
}
