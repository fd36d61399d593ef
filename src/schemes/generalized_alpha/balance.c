#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "schemes/generalized_alpha/alpha.h"
#include "steps/measure.h"

static pc_status find_bodies(pc_alpha_balance* b, const pc_alpha_model* m, pc_error* error)
{
  int* first = pc_alloc((size_t)m->n_u + 1, sizeof *first);
  if (!first) return pc_no_memory(error);
  b->body_count = pc_system_find_bodies(m->system, first);
  b->body = pc_alloc((size_t)b->body_count, sizeof *b->body);
  b->body_of = pc_alloc((size_t)m->n_u, sizeof *b->body_of);
  for (int k = 0; b->body && b->body_of && k < b->body_count; k++) {
    b->body[k] = (pc_alpha_body){.first = first[k], .end = first[k + 1]};
    for (int i = first[k]; i < first[k + 1]; i++) b->body_of[i] = k;
  }
  free(first);
  return b->body && b->body_of ? PC_OK : pc_no_memory(error);
}

pc_status pc_alpha_balance_create(pc_alpha_balance* b, const pc_alpha_model* m, pc_error* error)
{
  double** n_u[] = {&b->residual, &b->impulse_residual, &b->free_acceleration, &b->round_off};
  int bad = 0;
  for (size_t i = 0; i < sizeof n_u / sizeof *n_u; i++)
    bad |= !(*n_u[i] = pc_alloc((size_t)m->n_u, sizeof(double)));
  bad |= !(b->impact_law = pc_alloc((size_t)m->contacts, sizeof(double)));
  bad |= !(b->friction_law = pc_alloc((size_t)m->contacts, sizeof(double)));
  return bad ? pc_no_memory(error) : find_bodies(b, m, error);
}

void pc_alpha_balance_free(pc_alpha_balance* b)
{
  void* array[] = {
      b->body,      b->body_of,    b->residual,    b->impulse_residual, b->free_acceleration,
      b->round_off, b->impact_law, b->friction_law};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

static double largest_of(const pc_alpha_body* b, const double* x)
{
  double largest = 0;
  for (int i = b->first; i < b->end; i++) largest = pc_larger(largest, fabs(x[i]));
  return largest;
}

void pc_alpha_find_round_off(pc_alpha_balance* a, const pc_alpha_model* m, const pc_terms* terms,
                             const double* q, const double* u)
{
  a->has_round_off = 1;
  memset(a->round_off, 0, (size_t)m->n_u * sizeof *a->round_off);
  pc_terms_add_h_magnitude(terms, q, u, a->round_off);
  for (int k = 0; k < a->body_count; k++)
    a->body[k].round_off = PC_ROUND_OFF_OF_FORCES * largest_of(&a->body[k], a->round_off);
}

static void find_round_off(pc_alpha* s)
{
  pc_alpha_find_round_off(&s->balance, &s->model, s->matrix.terms, s->x.q, s->x.u);
}

double pc_alpha_row_round_off(pc_alpha* s, int row)
{
  pc_row of = s->matrix.terms->row[row];
  double round_off = 0;
  if (!s->balance.has_round_off) find_round_off(s);
  for (int b = 0; b < of.block_count; b++)
    for (int i = 0; i < of.block[b].width; i++)
      round_off = pc_larger(round_off,
                            s->balance.body[s->balance.body_of[of.block[b].first + i]].round_off);
  return round_off;
}

double pc_alpha_find_accelerations(pc_alpha* s)
{
  pc_alpha_balance* a = &s->balance;
  double largest = 0;
  if (s->model.rows > 0) { /* M is the one that was factorised last */
    memcpy(a->free_acceleration, s->matrix.terms->h, (size_t)s->model.n_u * sizeof(double));
    pc_assembly_solve(s->matrix.mass, a->free_acceleration);
  }
  for (int i = 0; i < a->body_count; i++) {
    pc_alpha_body* b = &a->body[i];
    b->acceleration = pc_larger(s->model.rows > 0 ? largest_of(b, a->free_acceleration) : 0,
                                largest_of(b, s->x.v_dot));
    largest = pc_larger(largest, b->acceleration);
  }
  return largest;
}

/* A light link between heavy bodies is measured by what goes through it: half of that is at most
 * what a body feels on which nothing else acts. */
static void note_link(pc_alpha* s, pc_row row, double force)
{
  const double* w = row.w;
  for (int k = 0; k < row.block_count; k++)
    for (int i = 0; i < row.block[k].width; i++, w++) {
      pc_alpha_body* b = &s->balance.body[s->balance.body_of[row.block[k].first + i]];
      b->largest = pc_larger(b->largest, fabs(*w * force) / 2);
    }
}

/* r := M x - h - W' force, with the largest term and the largest rest of each body. */
static double find_balance(pc_alpha* s, const double* x, const double* h, const double* force,
                           double* r)
{
  double norm = 0;
  memset(r, 0, (size_t)s->model.n_u * sizeof *r);
  pc_terms_add_M_times(s->matrix.terms, x, r);
  for (int k = 0; k < s->balance.body_count; k++) {
    pc_alpha_body* b = &s->balance.body[k];
    b->largest = largest_of(b, r);
    if (!h) continue;
    b->largest = pc_larger(b->largest, largest_of(b, h));
    for (int i = b->first; i < b->end; i++) r[i] -= h[i];
  }
  for (int row = 0; row < s->model.rows; row++) {
    if (force[row] == 0) continue;
    pc_row_add(s->matrix.terms->row[row], -force[row], r);
    if (s->balance.body_count > 1) note_link(s, s->matrix.terms->row[row], force[row]);
  }
  for (int i = 0; i < s->model.n_u; i++)
    if (!isfinite(r[i])) return r[i];
  for (int k = 0; k < s->balance.body_count; k++) {
    s->balance.body[k].norm = largest_of(&s->balance.body[k], r);
    norm = pc_larger(norm, s->balance.body[k].norm);
  }
  return norm;
}

/* What a balance leaves as a share of `size`, unless that is round-off. */
static double share(const pc_alpha_body* b, double size, double round_off)
{
  if (b->norm <= pc_larger(PC_ROUND_OFF * b->largest, round_off)) return 0;
  return b->norm / pc_larger(size, b->largest);
}

double pc_alpha_smooth_residual(pc_alpha* s, pc_step_info* info)
{
  double norm = find_balance(s, s->x.v_dot, s->matrix.terms->h, s->x.lambda, s->balance.residual),
         worst = 0;
  info->residual = s->step.dt * norm;
  if (!isfinite(norm)) return norm;
  for (int k = 0; k < s->balance.body_count; k++) {
    pc_alpha_body* b = &s->balance.body[k];
    int small = b->norm <= s->model.settings.tolerance * b->largest;
    if (!small && !s->balance.has_round_off) find_round_off(s);
    b->force = b->largest;
    worst = pc_larger(worst, share(b, b->force, small ? 0 : b->round_off));
  }
  return worst;
}

/* The same for M x = W' force: x is measured by `size` and a mass, force over acceleration. */
static double impulse_residual(pc_alpha* s, const double* x, const double* force, double size,
                               double* norm)
{
  double worst = 0;
  *norm = find_balance(s, x, NULL, force, s->balance.impulse_residual);
  if (!isfinite(*norm)) return *norm;
  for (int k = 0; k < s->balance.body_count; k++) {
    const pc_alpha_body* b = &s->balance.body[k];
    double mass = b->force > 0 && b->acceleration > 0 ? b->force / b->acceleration : 0;
    worst = pc_larger(worst, share(b, mass * size, 0));
  }
  return worst;
}

static int any(int count, const double* x)
{
  for (int i = 0; i < count; i++)
    if (x[i] != 0) return 1;
  return 0;
}

double pc_alpha_impulse_residual(pc_alpha* s, pc_step_info* info)
{
  double worst = 0, norm;
  /* (73a) is linear: the position level solves it */
  if (s->model.form.position && !s->model.form.ggl &&
      (any(s->model.n_u, s->x.U) || any(s->model.rows, s->x.nu))) {
    worst = impulse_residual(s, s->x.U, s->x.nu, s->balance.size.position, &norm);
    info->residual = isfinite(norm) ? pc_larger(info->residual, norm / s->step.dt) : norm;
    if (!isfinite(norm)) return norm;
  }
  if (s->model.form.velocity && (any(s->model.n_u, s->x.jump) || any(s->model.rows, s->x.Lambda))) {
    worst = pc_larger(worst,
                      impulse_residual(s, s->x.jump, s->x.Lambda, s->balance.size.velocity, &norm));
    info->residual = isfinite(norm) ? pc_larger(info->residual, norm) : norm;
    if (!isfinite(norm)) return norm;
  }
  return worst;
}
