/* Stage 2: the velocity at the end of the step. It is linear in u and P but for the laws. */
#include <math.h>

#include "base/larger.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "schemes/variational.h"

static const pc_terms* end_terms(const pc_variational* v)
{
  return v->terms[v->m];
}

static double evaluate(void* user, const double* P, double* F, double* y)
{
  pc_variational* v = user;
  const pc_terms* end = end_terms(v);
  double* inertial = v->limits.inertial;
  for (int i = 0; i < v->n_u; i++) {
    v->velocities.jump[i] = v->velocities.u[i] - v->velocities.u_1[i];
    inertial[i] = 0;
  }
  pc_terms_add_M_times(end, v->velocities.jump, inertial);
  for (int i = 0; i < v->n_u; i++) F[i] = inertial[i] - v->velocities.known[i];
  for (int r = 0; r < v->rows; r++) {
    y[r] = pc_variational_may_act(v, r)
               ? pc_terms_row_velocity(end, r, v->velocities.u) + v->laws.e[r] * v->laws.before[r]
               : 0;
    if (P[r] != v->velocities.P_sum[r])
      pc_row_add(pc_terms_row(end, r), v->velocities.P_sum[r] - P[r], F);
  }
  return 0;
}

static pc_implicit_sizes sizes(void* user)
{
  const pc_variational* v = user;
  pc_implicit_sizes size = {.speed = pc_lengths_speed(&v->limits.measure.lengths, v->velocities.u)};
  for (int i = 0; i < v->n_u; i++) {
    double term = pc_larger(fabs(v->limits.inertial[i]), fabs(v->velocities.known[i]));
    size.scale = pc_larger(size.scale, v->limits.F_weight[i] * term);
  }
  size.floor = PC_ROUND_OFF * pc_larger(size.speed, size.scale);
  return size;
}

static pc_status linearise(void* user, const double* P, const unsigned char* acts, double* F,
                           double* y, pc_block_matrix* blocks, pc_error* error)
{
  pc_variational* v = user;
  (void)P, (void)acts, (void)y;
  if (blocks) {
    pc_stage_at at = {.terms = end_terms(v), .motion = &v->motion->motion[0]};
    pc_stage_blocks_add(v->velocities.blocks, &at, F, blocks);
    return PC_OK;
  }
  if (v->velocities.factored) return PC_OK;
  pc_terms_tangent(
      end_terms(v),
      &(pc_at){v->motion->t[v->m], v->motion->Q + v->m * v->n_q, v->velocities.u, NULL}, 1, 0, 0,
      v->velocities.mass);
  pc_status status = pc_assembly_factor(v->velocities.mass);
  if (status != PC_OK) return pc_fail(error, status, "the mass matrix cannot be inverted");
  v->velocities.factored = 1;
  return PC_OK;
}

static int edges(const void* user, const double* P, pc_edge* edge)
{
  const pc_variational* v = user;
  return pc_stage_blocks_edges(v->velocities.blocks, P, edge);
}

static pc_row row_of(const void* user, int row)
{
  return pc_terms_row(end_terms(user), row);
}

static void advance(void* user, double scale, const double* dx)
{
  pc_variational* v = user;
  for (int i = 0; i < v->n_u; i++) v->velocities.u[i] += scale * dx[i];
}

static void keep(void* user, int slot)
{
  pc_variational* v = user;
  pc_copy(v->n_u, v->velocities.u, v->kept + slot * v->n_u);
}

static void put_back(void* user, int slot)
{
  pc_variational* v = user;
  pc_copy(v->n_u, v->kept + slot * v->n_u, v->velocities.u);
}

/* With u_1 = V_s: p_n and the impulses of all stages but the last, less the momentum of V_s. */
static void know_momentum(pc_variational* v)
{
  const pc_terms* end = end_terms(v);
  for (int i = 0; i < v->n_u; i++) {
    v->velocities.u_1[i] = v->motion->V[v->m * v->n_u + i];
    v->velocities.known[i] += v->start.p[i] - end->p[i];
    for (int j = 0; j < v->m; j++)
      v->velocities.known[i] += v->tableau->b[j] * v->step.dt * v->terms[j]->h[i];
  }
  for (int j = 0; j < v->m; j++)
    for (int r = 0; r < v->rows; r++)
      if (v->positions.P[j * v->rows + r] != 0)
        pc_row_add(pc_terms_row(pc_variational_stage_rows(v, j), r),
                   v->positions.P[j * v->rows + r], v->velocities.known);
}

static void gather_known(pc_variational* v)
{
  double f = v->tableau->b[v->m] * v->step.dt;
  for (int i = 0; i < v->n_u; i++) {
    v->velocities.known[i] = f * end_terms(v)->h[i];
    v->velocities.u_1[i] = v->step.state->u[i];
  }
  if (v->form.momentum)
    know_momentum(v);
  else
    for (int j = 0; j < v->m; j++)
      for (int i = 0; i < v->n_u; i++) v->velocities.u_1[i] += v->positions.w[j * v->n_u + i];
  pc_zero(v->rows, v->velocities.P_sum);
  for (int j = 0; j < v->m; j++)
    for (int r = 0; r < v->rows; r++) v->velocities.P_sum[r] += v->positions.P[j * v->rows + r];
}

/* What the last digit of u makes of M u: a heavy body has a momentum, of which the tolerance can be
 * less than that. It is no matter of other bodies, and each equation has its own. Returns NULL
 * where it is below the tolerance anyway, as a relative one always is. */
static const double* find_noise(pc_variational* v)
{
  double largest = 0;
  double tolerance = v->limits.scaled ? pc_most_velocity(&v->settings) : v->settings.tolerance;
  if (tolerance == HUGE_VAL) return NULL;
  for (int i = 0; i < v->n_u; i++) {
    v->velocities.jump[i] = PC_ROUND_OFF * fabs(v->velocities.u_1[i]);
    v->limits.noise[i] = 0;
  }
  pc_terms_add_M_times(end_terms(v), v->velocities.jump, v->limits.noise);
  for (int i = 0; i < v->n_u; i++) {
    v->limits.noise[i] = fabs(v->limits.noise[i]);
    largest = pc_larger(largest, v->limits.F_weight[i] * v->limits.noise[i]);
  }
  return largest < tolerance ? NULL : v->limits.noise;
}

void pc_begin_velocities(pc_variational* v)
{
  gather_known(v);
  if (!v->form.constant_M) v->velocities.factored = 0;
  v->velocities.problem.measure.F_noise = find_noise(v);
}

pc_implicit_problem pc_velocity_problem(pc_variational* v)
{
  return (pc_implicit_problem){.x_count = v->n_u,
                               .row_count = v->rows,
                               .bilateral_count = v->bilateral,
                               .bilateral = v->velocities.bilateral,
                               .contact_count = v->contacts,
                               .cone = v->velocities.cone,
                               .may_close = v->laws.closed,
                               .measure.F_weight = v->limits.F_weight,
                               .measure.P_weight = v->limits.P_weight,
                               .measure.F_excess = v->limits.scaled ? pc_velocity_excess : NULL,
                               .measure.y_excess = pc_velocity_row_excess,
                               .measure.P_excess = pc_velocity_percussion_excess,
                               .linear = 1,
                               .user = v,
                               .evaluate = evaluate,
                               .sizes = sizes,
                               .linearise = linearise,
                               .tangent = v->velocities.mass,
                               .graph = &v->velocities.graph,
                               .edges = edges,
                               .column = row_of,
                               .gradient = row_of,
                               .advance = advance,
                               .keep = keep,
                               .put_back = put_back};
}
