/* The balances (65a), (65d), (65g), body by body, and the size of their terms.
 *
 * What may be left of a balance is a share of the forces on the same body: beside a heavy machine a
 * light oscillator would otherwise be left to itself, its own forces being below the tolerance. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "schemes/generalized_alpha.h"
#include "schemes/round_off.h"

pc_status pc_alpha_create_bodies(pc_alpha* s, pc_error* error)
{
  int* first = pc_alloc((size_t)s->n_u + 1, sizeof *first);
  if (!first) return pc_no_memory(error);
  s->body_count = pc_system_find_bodies(s->system, first);
  s->body = pc_alloc((size_t)s->body_count, sizeof *s->body);
  s->body_of = pc_alloc((size_t)s->n_u, sizeof *s->body_of);
  for (int b = 0; s->body && s->body_of && b < s->body_count; b++) {
    s->body[b] = (pc_alpha_body){.first = first[b], .end = first[b + 1]};
    for (int i = first[b]; i < first[b + 1]; i++) s->body_of[i] = b;
  }
  free(first);
  return s->body && s->body_of ? PC_OK : pc_no_memory(error);
}

static double largest_of(const pc_alpha_body* b, const double* x)
{
  double largest = 0;
  for (int i = b->first; i < b->end; i++) largest = pc_larger(largest, fabs(x[i]));
  return largest;
}

static void find_noise(pc_alpha* s, unsigned drawings)
{
  s->has_noise = 1;
  for (int k = 0; k < s->body_count; k++) s->body[k].noise = 0;
  for (unsigned n = 0; n < drawings; n++) {
    pc_forces_round_off(s->terms, s->q, s->u, n, s->room + s->n_u, s->room);
    for (int k = 0; k < s->body_count; k++) {
      pc_alpha_body* b = &s->body[k];
      b->noise = pc_larger(b->noise, largest_of(b, s->room));
    }
  }
}

/* Enough for the worst signs of the five or so coordinates whose round-off meets in one force. */
enum { ALL_DRAWINGS = 32 };

double pc_alpha_exhausted_residual(pc_alpha* s, pc_step_info* info)
{
  for (int k = 0; k < s->body_count; k++) s->body[k].usual_noise = s->body[k].noise;
  find_noise(s, ALL_DRAWINGS);
  double residual = pc_alpha_smooth_residual(s, info);
  for (int k = 0; k < s->body_count; k++) s->body[k].noise = s->body[k].usual_noise;
  return residual; /* the sets and the next iterations go on as they did */
}

double pc_alpha_noise(pc_alpha* s, int row)
{
  pc_row of = s->terms->row[row];
  double noise = 0;
  if (!s->has_noise) find_noise(s, 1);
  for (int b = 0; b < of.block_count; b++)
    for (int i = 0; i < of.block[b].width; i++)
      noise = pc_larger(noise, s->body[s->body_of[of.block[b].first + i]].noise);
  return noise;
}

double pc_alpha_find_accelerations(pc_alpha* s)
{
  double largest = 0;
  if (s->rows > 0) { /* M is the one that was factorised last */
    memcpy(s->room, s->terms->h, (size_t)s->n_u * sizeof *s->room);
    pc_assembly_solve(s->mass, s->room);
  }
  for (int i = 0; i < s->body_count; i++) {
    pc_alpha_body* b = &s->body[i];
    b->acceleration = pc_larger(s->rows > 0 ? largest_of(b, s->room) : 0, largest_of(b, s->v_dot));
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
      pc_alpha_body* b = &s->body[s->body_of[row.block[k].first + i]];
      b->largest = pc_larger(b->largest, fabs(*w * force) / 2);
    }
}

/* r := M x - push - W' force, with the largest term and the largest rest of each body. */
static double find_balance(pc_alpha* s, const double* x, const double* push, const double* force,
                           double* r)
{
  double norm = 0;
  memset(r, 0, (size_t)s->n_u * sizeof *r);
  pc_terms_add_M_times(s->terms, x, r);
  for (int k = 0; k < s->body_count; k++) {
    pc_alpha_body* b = &s->body[k];
    b->largest = largest_of(b, r);
    if (!push) continue;
    b->largest = pc_larger(b->largest, largest_of(b, push));
    for (int i = b->first; i < b->end; i++) r[i] -= push[i];
  }
  for (int row = 0; row < s->rows; row++) {
    if (force[row] == 0) continue;
    pc_row_add(s->terms->row[row], -force[row], r);
    if (s->body_count > 1) note_link(s, s->terms->row[row], force[row]);
  }
  for (int i = 0; i < s->n_u; i++)
    if (!isfinite(r[i])) return r[i];
  for (int k = 0; k < s->body_count; k++) {
    s->body[k].norm = largest_of(&s->body[k], r);
    norm = pc_larger(norm, s->body[k].norm);
  }
  return norm;
}

/* What a balance leaves as a share of `size`, unless that is round-off. */
static double share(const pc_alpha_body* b, double size, double noise)
{
  if (b->norm <= pc_larger(16 * DBL_EPSILON * b->largest, noise)) return 0;
  return b->norm / pc_larger(size, b->largest);
}

double pc_alpha_smooth_residual(pc_alpha* s, pc_step_info* info)
{
  double norm = find_balance(s, s->v_dot, s->terms->h, s->lambda, s->residual), worst = 0;
  info->residual = s->dt * norm;
  if (!isfinite(norm)) return norm;
  for (int k = 0; k < s->body_count; k++) {
    pc_alpha_body* b = &s->body[k];
    int small = b->norm <= s->settings.tolerance * b->largest;
    if (!small && !s->has_noise) find_noise(s, 1);
    b->force = b->largest;
    worst = pc_larger(worst, share(b, b->force, small ? 0 : b->noise));
  }
  return worst;
}

/* The same for M x = W' force: x is measured by `size` and a mass, force over acceleration. */
static double impulse_residual(pc_alpha* s, const double* x, const double* force, double size,
                               double* norm)
{
  double worst = 0;
  *norm = find_balance(s, x, NULL, force, s->room);
  if (!isfinite(*norm)) return *norm;
  for (int k = 0; k < s->body_count; k++) {
    const pc_alpha_body* b = &s->body[k];
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
  if (s->form.position && (any(s->n_u, s->U) || any(s->rows, s->nu))) {
    worst = impulse_residual(s, s->U, s->nu, s->size.position, &norm);
    info->residual = isfinite(norm) ? pc_larger(info->residual, norm / s->dt) : norm;
    if (!isfinite(norm)) return norm;
  }
  if (s->form.velocity && (any(s->n_u, s->jump) || any(s->rows, s->Lambda))) {
    worst = pc_larger(worst, impulse_residual(s, s->jump, s->Lambda, s->size.velocity, &norm));
    info->residual = isfinite(norm) ? pc_larger(info->residual, norm) : norm;
    if (!isfinite(norm)) return norm;
  }
  return worst;
}
