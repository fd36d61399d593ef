/* Parts and an element made for the tests of the system: every term is a simple known function. */
#ifndef PC_TESTS_PARTS_H
#define PC_TESTS_PARTS_H

#include "check.h"
#include "system/element.h"

#include <stdlib.h>

/* A part with n coordinates q' = u named a.1 ...; values start at `from`. */
static inline pc_part_id add_part(pc_system* system, const char* name, int n, double from)
{
  double q0[8], u0[8];
  char q_text[8][32], u_text[8][32];
  const char *q_name[8], *u_name[8], *unit[8];
  for (int i = 0; i < n; i++) {
    q0[i] = from + i;
    u0[i] = -from - i;
    snprintf(q_text[i], sizeof q_text[i], "%s.%d", name, i + 1);
    snprintf(u_text[i], sizeof u_text[i], "%s.%d'", name, i + 1);
    q_name[i] = q_text[i];
    u_name[i] = u_text[i];
    unit[i] = "m";
  }
  pc_part_def def = {.name = name,
                     .q_count = n,
                     .u_count = n,
                     .q0 = q0,
                     .u0 = u0,
                     .q_name = q_name,
                     .u_name = u_name,
                     .q_unit = unit,
                     .u_unit = unit};
  pc_part_id id;
  pc_error error = {0};
  CHECK_OK(pc_system_add_part(system, &def, &id, &error), error);
  return id;
}

/* The element "bowl" on local n coordinates, with one row of each sort and a frictional contact:
 *     V = (sum q)^3/6 + sum q^2/2,   h = -dV/dq - u/10,
 *     g = sum q^2 - t^2,   gamma = sum q_i u_i + t,   g_N = sum (i + 1) q_i^2 + t,
 *     slip = sum q_i^2 u_i + t q_0
 *     M = diag(1 + q_i^2) */
typedef struct bowl {
  int n;
} bowl;

static inline void bowl_rows(const bowl* b, pc_local* l)
{
  int n = b->n;
  const double *q = l->q, *u = l->u;
  if (l->y) {
    l->y[0] = -l->t * l->t;
    l->y[2] = l->t;
    for (int i = 0; i < n; i++) {
      l->y[0] += q[i] * q[i];
      l->y[2] += (i + 1) * q[i] * q[i];
    }
  }
  for (int i = 0; l->W && i < n; i++) {
    l->W[0 * n + i] = 2 * q[i];
    l->W[1 * n + i] = q[i];
    l->W[2 * n + i] = 2 * (i + 1) * q[i];
    l->W[3 * n + i] = q[i] * q[i];
  }
  if (l->chi) {
    l->chi[0] = -2 * l->t;
    l->chi[1] = l->t;
    l->chi[2] = 1;
    l->chi[3] = l->t * q[0];
  }
  for (int i = 0; l->W_q && i < n; i++) {
    l->W_q[(0 * n + i) * n + i] = 2;
    l->W_q[(1 * n + i) * n + i] = 1;
    l->W_q[(2 * n + i) * n + i] = 2 * (i + 1);
    l->W_q[(3 * n + i) * n + i] = 2 * q[i];
  }
  if (l->chi_q) l->chi_q[3 * n] = l->t;
  if (l->zeta_t) {
    l->zeta_t[0] = -2;
    l->zeta_t[1] = 1;
    l->zeta_t[2] = 0;
    l->zeta_t[3] = q[0];
  }
  (void)u;
}

static inline void bowl_evaluate(const void* data, pc_local* l)
{
  const bowl* b = data;
  int n = b->n;
  double sum = 0, square = 0;
  for (int i = 0; i < n; i++) {
    sum += l->q[i];
    square += l->q[i] * l->q[i];
  }
  for (int i = 0; i < n; i++) {
    double m = 1 + l->q[i] * l->q[i];
    if (l->M) l->M[i * n + i] = m;
    if (l->Ma_q) l->Ma_q[i * n + i] = 2 * l->q[i] * l->a[i];
    if (l->h) l->h[i] = -sum * sum / 2 - l->q[i] - 0.1 * l->u[i];
    for (int j = 0; l->h_q && j < n; j++) l->h_q[i * n + j] = -sum - (i == j);
    if (l->h_u) l->h_u[i * n + i] = -0.1;
    if (l->energy) l->energy[0] += m * l->u[i] * l->u[i] / 2;
  }
  if (l->energy) l->energy[1] = sum * sum * sum / 6 + square / 2;
  bowl_rows(b, l);
}

static const pc_element_ops bowl_ops = {.kind = "bowl", .evaluate = bowl_evaluate};

static inline pc_status add_bowl(pc_system* system, const char* name, int part_count,
                                 const pc_part_id* part, int n, const char* contact_name,
                                 pc_error* error)
{
  bowl* data = malloc(sizeof *data);
  data->n = n;
  pc_contact_law law = {.name = contact_name, .mu = 0.3, .e_N = 0.5, .e_F = 0.25};
  int dimension = 1;
  pc_element_def def = {
      .ops = &bowl_ops,
      .data = data,
      .name = name,
      .part_count = part_count,
      .part = part,
      .g_count = 1,
      .gamma_count = 1,
      .contact_count = 1,
      .contact = &law,
      .contact_dimension = &dimension,
      .provides = PC_TERM_M | PC_TERM_MA_Q | PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U | PC_TERM_ENERGY,
      .constant = PC_TERM_H_U};
  return pc_system_add_element(system, &def, error);
}

#endif
