/* Stage 1: positions, and the velocities of the stages. */
#include <math.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "schemes/variational.h"

static int is_velocity_constraint(const pc_variational* v, int row)
{
  return row >= v->g_count && row < v->bilateral;
}

/* gamma at stage `stage`, (51), or its moment over all stages: sum_i b_i c_i^j gamma_i. For s = 2
 * that is the mean of both ends, which restores order 2; for more stages these moments are those
 * that Lobatto quadrature takes of gamma = 0 against polynomials, and the order 2s - 2 with it. */
static int averages(const pc_variational* v)
{
  return v->settings.variational.velocity_constraints == PC_VELOCITY_AVERAGED;
}

static double row_velocity(const pc_variational* v, int stage, int row)
{
  return pc_terms_row_velocity(pc_variational_stage_rows(v, stage), row,
                               v->motion->V + stage * v->n_u);
}

static double law(const pc_variational* v, int j, int row)
{
  if (pc_variational_is_position(v, row)) return pc_terms_gap(v->terms[j + 1], row);
  if (!is_velocity_constraint(v, row) || !averages(v)) return row_velocity(v, j + 1, row);
  double sum = 0;
  for (int i = 0; i < v->s; i++) sum += v->positions.moment[j * v->s + i] * row_velocity(v, i, row);
  return sum;
}

/* The slopes of the velocities of all rows that act. Velocity constraints act at all stages. */
static void compute_slopes(pc_variational* v, const unsigned char* acts)
{
  const pc_stage_kinematics* k = v->motion;
  for (int i = 1; i < v->s; i++) {
    for (int r = 0; r < v->rows; r++)
      if (!pc_variational_is_position(v, r) && (!acts || acts[(i - 1) * v->rows + r]))
        pc_terms_velocity_slope(v->terms[i], r, &k->motion[i], k->V + i * v->n_u,
                                pc_variational_slope(v, i, r));
  }
}

/* What the kinematic defect of stage i contributes to the velocity of a row. */
static double defect_velocity(const pc_variational* v, int i, int row)
{
  pc_row w = v->start.terms->row[row];
  return pc_row_dot((pc_row){w.block_count, w.block, pc_variational_slope(v, i, row)},
                    v->motion->theta + i * v->n_u);
}

static double defect(const pc_variational* v, int j, int row)
{
  if (pc_variational_is_position(v, row))
    return pc_row_dot(pc_terms_row(v->terms[j + 1], row), v->motion->theta + (j + 1) * v->n_u);
  if (!is_velocity_constraint(v, row) || !averages(v)) return defect_velocity(v, j + 1, row);
  double sum = 0;
  for (int i = 1; i < v->s; i++)
    sum += v->positions.moment[j * v->s + i] * defect_velocity(v, i, row);
  return sum;
}

/* Terms of all stages at the iterate. Those of the first change with V alone. */
static void evaluate_terms(pc_variational* v)
{
  const pc_stage_kinematics* k = v->motion;
  for (int i = 0; i < v->s; i++) {
    if (i == 0 && !(v->form.provides & PC_TERM_H_U)) continue;
    const double* w = i < v->n ? v->positions.w + i * v->n_u : v->zero;
    pc_terms_evaluate(v->terms[i], &(pc_at){k->t[i], k->Q + i * v->n_q, k->V + i * v->n_u, w});
  }
}

/* p_n, from the terms of the first stage, which has the same coordinates: p is M u and what does
 * not depend on u. */
static void find_momentum(pc_variational* v)
{
  const double* u = v->step.state->u;
  double* change = v->limits.inertial; /* free until the equations are written */
  for (int i = 0; i < v->n_u; i++) change[i] = u[i] - v->motion->V[i];
  pc_copy(v->n_u, v->terms[0]->p, v->start.p);
  pc_terms_add_M_times(v->terms[0], change, v->start.p);
  v->start.has_p = 1;
}

/* F = sum_i L_ji (p_i - p_n), in loops of constant length where s is a constant. */
PC_INLINE void combine_momenta(const pc_variational* v, int s, int j, double* restrict F)
{
  const double *L = v->tableau->L + j * s, *p_n = v->start.p;
  for (int i = 0, n_u = v->n_u; i < n_u; i++) {
    double sum = 0;
    for (int l = 0; l < s; l++) sum += L[l] * (v->terms[l]->p[i] - p_n[i]);
    F[i] = sum;
  }
}

/* M_j w_j, or the momenta in its place. */
static double* inertial_terms(const pc_variational* v, int j)
{
  double* inertial = v->limits.inertial + j * v->n_u;
  if (!v->form.momentum) {
    pc_zero(v->n_u, inertial);
    pc_terms_add_M_times(v->terms[j], v->positions.w + j * v->n_u, inertial);
  } else if (v->s == 3) { /* lobatto as it is by default */
    combine_momenta(v, 3, j, inertial);
  } else {
    combine_momenta(v, v->s, j, inertial);
  }
  return inertial;
}

/* M_j w_j (or the momenta) - b_j dt h_j - W_j P_j. */
static void residual(const pc_variational* v, int j, const double* P, double* F)
{
  const double *inertial = inertial_terms(v, j), *h = v->terms[j]->h;
  double f = v->tableau->b[j] * v->step.dt;
  for (int i = 0; i < v->n_u; i++) F[i] = inertial[i] - f * h[i];
  for (int r = 0; r < v->rows; r++)
    if (P[r] != 0) pc_row_add(pc_terms_row(pc_variational_stage_rows(v, j), r), -P[r], F);
}

/* The largest term in it, by its weight. */
static double largest_term(const pc_variational* v, int j)
{
  const double *inertial = v->limits.inertial + j * v->n_u, *h = v->terms[j]->h;
  double largest = 0, f = v->tableau->b[j] * v->step.dt;
  for (int i = 0; i < v->n_u; i++)
    largest =
        pc_larger(largest, v->limits.F_weight[i] * pc_larger(fabs(inertial[i]), fabs(f * h[i])));
  return largest;
}

/* The laws of stage j + 1. Of a contact that is open and has no percussion the gap may be a bound,
 * and its sliding velocities are left. The normal is the first row of a contact. */
static void write_laws(const pc_variational* v, int j, const double* P, double* y)
{
  const double* gap = v->terms[j + 1]->y;
  const unsigned char* normal = v->laws.normal;
  int idle = 0;
  for (int r = 0; r < v->bilateral; r++) y[r] = law(v, j, r);
  for (int r = v->bilateral, rows = v->rows; r < rows; r++) {
    if (normal[r]) idle = pc_variational_is_idle(v, j, r, P);
    y[r] = !idle ? law(v, j, r) : normal[r] ? gap[r] : 0;
  }
}

static double evaluate(void* user, const double* P, double* F, double* y)
{
  pc_variational* v = user;
  double own = pc_stage_kinematics_evaluate(v->motion, v->step.state->u, v->positions.w);
  evaluate_terms(v);
  if (v->form.momentum && !v->start.has_p) find_momentum(v);
  for (int j = 0; j < v->m; j++) {
    residual(v, j, P + j * v->rows, F + j * v->n_u);
    write_laws(v, j, P + j * v->rows, y + j * v->rows);
  }
  if (v->form.momentum) pc_copy(v->n_u, inertial_terms(v, v->m), F + v->m * v->n_u);
  return own;
}

/* In the last equation of momentum form the momenta themselves are what is large. */
static pc_implicit_sizes sizes(void* user)
{
  const pc_variational* v = user;
  pc_implicit_sizes size = {0};
  for (int i = 0; i < v->s; i++)
    size.speed = pc_larger(size.speed,
                           pc_lengths_speed(&v->limits.measure.lengths, v->motion->V + i * v->n_u));
  for (int j = 0; j < v->m; j++) size.scale = pc_larger(size.scale, largest_term(v, j));
  double reach = pc_variational_reach(v), length = v->limits.measure.lengths.length;
  if (v->limits.scaled) reach *= pc_larger(size.speed, size.scale) / length;
  double largest = pc_larger(pc_larger(reach, size.speed), size.scale);
  for (int i = 0; v->form.momentum && i < v->n_u; i++)
    largest = pc_larger(largest, v->limits.F_weight[i] * fabs(v->start.p[i]));
  size.floor = PC_ROUND_OFF * largest;
  return size;
}

/* What evaluate left of the laws that act: gaps that are bounds, and sliding velocities. */
static void complete_laws(const pc_variational* v, const double* P, const unsigned char* acts,
                          double* y)
{
  for (int j = 0; j < v->m; j++)
    for (int r = v->bilateral, l = j * v->rows + r; r < v->rows; r++, l++)
      if ((!acts || acts[l]) && pc_variational_is_idle(v, j, r, P + j * v->rows))
        y[l] = law(v, j, r);
}

static pc_status linearise(void* user, const double* P, const unsigned char* acts, double* F,
                           double* y, pc_block_matrix* blocks, pc_error* error)
{
  pc_variational* v = user;
  PC_TRY(pc_stage_kinematics_linearise(v->motion, error));
  for (int i = 0; i < v->s; i++) pc_terms_evaluate_slopes(v->terms[i]);
  for (int j = 0; j < v->n; j++)
    v->positions.at[j] = (pc_stage_at){.terms = v->terms[j],
                                       .f = j < v->m ? v->tableau->b[j] * v->step.dt : 0,
                                       .P = j < v->m ? P + j * v->rows : NULL,
                                       .motion = &v->motion->motion[j],
                                       .L = v->form.momentum ? v->tableau->L + j * v->s : NULL};
  if (blocks) pc_stage_blocks_add(v->positions.blocks, v->positions.at, F, blocks);
  int constant = v->n == 1 && v->form.constant_M && !(v->form.provides & PC_TERM_H_U);
  if (!blocks && (!constant || !v->positions.factored)) {
    pc_status status = pc_stage_tangent_factor(v->positions.tangent, v->positions.at, F);
    if (status != PC_OK) return pc_fail(error, status, "the scheme's matrix cannot be inverted");
    v->positions.factored = 1;
  }
  complete_laws(v, P, acts, y);
  compute_slopes(v, acts);
  for (int l = 0; v->motion->has_defect && l < v->m * v->rows; l++)
    if (!acts || acts[l]) y[l] += defect(v, l / v->rows, l % v->rows);
  return PC_OK;
}

/* Where Q follows from w exactly, which bodies with a quaternion do not do, the defect is
 * round-off. */
static int keep_linear(void* user, const double* P, const unsigned char* acts, double* y)
{
  pc_variational* v = user;
  if (v->motion->has_defect) return 0;
  pc_stage_kinematics_keep_linear(v->motion);
  complete_laws(v, P, acts, y);
  return 1;
}

static int edges(const void* user, const double* P, pc_edge* edge)
{
  const pc_variational* v = user;
  return pc_stage_blocks_edges(v->positions.blocks, P, edge);
}

static pc_row column(const void* user, int index)
{
  const pc_variational* v = user;
  int j = index / v->rows, r = index % v->rows;
  pc_row row = pc_terms_row(pc_variational_stage_rows(v, j), r);
  return (pc_row){row.block_count, v->positions.block[r] + j * row.block_count, row.w};
}

static pc_row gradient(const void* user, int index)
{
  const pc_variational* v = user;
  int j = index / v->rows, r = index % v->rows, width = pc_system_row_width(v->system, r);
  const pc_stage_kinematics* k = v->motion;
  const pc_stage_motion* motion = &k->motion[j + 1];
  for (int i = 0; i < v->n * width; i++) v->positions.gradient[i] = 0;
  if (pc_variational_is_position(v, r))
    pc_terms_add_position_row(v->terms[j + 1], r, motion, 1, v->positions.gradient);
  else if (!is_velocity_constraint(v, r) || !averages(v))
    pc_terms_add_velocity_row(v->terms[j + 1], r, motion, pc_variational_slope(v, j + 1, r), 1,
                              v->positions.gradient);
  else
    for (int i = 0; i < v->s; i++)
      pc_terms_add_velocity_row(pc_variational_stage_rows(v, i), r, &k->motion[i],
                                i == 0 ? NULL : pc_variational_slope(v, i, r),
                                v->positions.moment[j * v->s + i], v->positions.gradient);
  return (pc_row){v->n * v->start.terms->row[r].block_count, v->positions.block[r],
                  v->positions.gradient};
}

static void advance(void* user, double scale, const double* dx)
{
  pc_variational* v = user;
  for (int i = 0; i < v->n * v->n_u; i++) v->positions.w[i] += scale * dx[i];
  pc_stage_kinematics_advance(v->motion, scale, dx);
}

static void keep(void* user, int slot)
{
  pc_variational* v = user;
  pc_copy(v->n * v->n_u, v->positions.w, v->kept + slot * v->n * v->n_u);
  pc_stage_kinematics_keep(v->motion, slot);
}

static void put_back(void* user, int slot)
{
  pc_variational* v = user;
  pc_copy(v->n * v->n_u, v->kept + slot * v->n * v->n_u, v->positions.w);
  pc_stage_kinematics_put_back(v->motion, slot);
}

/* Units of the rows, which have been evaluated at the start of the step; of contacts that are far
 * from closing they need not be. */
static void find_units(pc_variational* v)
{
  const pc_lengths* lengths = &v->limits.measure.lengths;
  for (int i = 0; i < v->m * v->rows; i++) {
    int r = i % v->rows, k = v->laws.contact_of[r], is_position = pc_variational_is_position(v, r);
    double unit = !is_position ? 1
                  : k >= 0     ? pc_lengths_of_gap(lengths, k)
                               : pc_lengths_of_row(lengths, pc_terms_row(v->start.terms, r));
    v->limits.y_unit[i] = is_position ? unit / v->step.dt : 1;
    v->limits.y_per_length[i] = is_position ? unit / lengths->length : 0;
  }
  v->limits.unit_dt = v->step.dt;
}

void pc_begin_positions(pc_variational* v)
{
  if (v->step.dt != v->limits.unit_dt) find_units(v);
}

pc_implicit_problem pc_position_problem(pc_variational* v)
{
  return (pc_implicit_problem){
      .x_count = v->n * v->n_u,
      .row_count = v->m * v->rows,
      .bilateral_count = v->m * v->bilateral,
      .bilateral = v->positions.bilateral,
      .contact_count = v->m * v->contacts,
      .cone = v->positions.cone,
      .tie = v->limits.activation,
      .measure.F_weight = v->limits.F_weight,
      .measure.P_weight = v->limits.P_weight,
      .measure.y_unit = v->limits.y_unit,
      .measure.y_per_length = v->limits.y_per_length,
      .measure.own_per_length = 1 / v->limits.measure.lengths.length,
      .measure.F_excess = v->limits.scaled ? pc_position_excess : NULL,
      .measure.y_excess = pc_position_row_excess,
      .measure.P_excess = pc_position_percussion_excess,
      .user = v,
      .evaluate = evaluate,
      .sizes = sizes,
      .linearise = linearise,
      .keep_linear = v->limits.scaled ? keep_linear : NULL,
      .tangent = v->positions.tangent ? pc_stage_tangent_matrix(v->positions.tangent) : NULL,
      .graph = &v->positions.graph,
      .edges = edges,
      .column = column,
      .gradient = gradient,
      .advance = advance,
      .keep = keep,
      .put_back = put_back};
}
