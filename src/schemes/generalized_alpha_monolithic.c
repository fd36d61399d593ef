/* One Newton iteration for all three levels of (65), sets given.
 *
 * With A = M + v C + q K (v = dt gamma s, q = dt^2 beta s), C = -f_u and K = -f_q B:
 *
 *     A dv' + K dU + C djump = -r + W' dlambda
 *     U + dU = M^-1 W' nu,     jump + djump = M^-1 (W' P - v W' lambda over the contacts)
 *     S:  c + J dv' + D dU/v  or  + D dU + Z djump = 0     (velocity or acceleration rows)
 *     A:  g/q + W T (dv' + dU/q) = 0
 *     B:  (y' + e y'_n)/v + W (dv' + djump/v) + Y (q/v dv' + dU/v) = 0,     Y = d(W u + chi)/dq B
 *
 * dv', dU and djump are eliminated: what is left is a dense problem for z = (dlambda, nu, P), three
 * unknowns for each closed row, with a few solves with A and M for each. So it costs as much per
 * coordinate as a sweep does, and it knows what U and jump do to the forces. P is Lambda of a joint
 * and Lambda + v lambda of a contact, whose friction either sticks, xi_F = 0, or slips with P_F along
 * P_F - m xi_F of the last iterate. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/dense.h"
#include "schemes/generalized_alpha.h"

static const double RANK_TOLERANCE = 1e-11;

/* What a unit of an unknown does to the motion. */
typedef struct column {
  double *v_dot, *U, *jump; /* n_u each */
} column;

typedef enum level { SMOOTH, POSITION, VELOCITY } level;

typedef struct unknown {
  level level;
  int row;      /* of the system */
  pc_row force; /* direction */
  pc_row slope; /* J of a smooth row, W T of a position, Y of a velocity row */
  pc_row bend;  /* of a smooth row: what J has per unit of d */
  double value; /* of its constraint at the iterate */
  int contact;  /* or -1 */
} unknown;

struct pc_alpha_newton {
  int n, max;
  int count;
  unknown* unknown; /* max */
  column* column;   /* max + 1: the last one is what the iterate itself gives */
  double* columns;
  double *T, *z, *scale, *tau, *work;
  int* pivot;
  unsigned char* slips;   /* contacts, at velocity level */
  double* drag;           /* rows: P_F per P_N of those */
  double **slope, **pull; /* rows: room for Y and for W_N + drag W_F */
  double* values;
  double* push; /* n */
};

void pc_alpha_newton_destroy(pc_alpha_newton* m)
{
  if (!m) return;
  void* array[] = {m->unknown, m->column, m->columns, m->T,     m->z,    m->scale,  m->tau, m->work,
                   m->pivot,   m->slips,  m->drag,    m->slope, m->pull, m->values, m->push};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(m);
}

static pc_status create_arrays(const pc_alpha* s, pc_alpha_newton* m)
{
  size_t max = (size_t)m->max, n = (size_t)m->n, rows = (size_t)s->rows;
  size_t width = (size_t)(s->rows ? s->slope[s->rows - 1] - s->slope_values : 0);
  for (int b = 0; s->rows && b < s->terms->row[s->rows - 1].block_count; b++)
    width += (size_t)s->terms->row[s->rows - 1].block[b].width;
  double** vector[] = {&m->z, &m->scale, &m->tau, &m->work};
  int bad = 0;
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    bad |= !(*vector[i] = pc_alloc(max, sizeof(double)));
  bad |= !(m->unknown = pc_alloc(max, sizeof *m->unknown));
  bad |= !(m->column = pc_alloc(max + 1, sizeof *m->column));
  bad |= !(m->columns = pc_alloc(3 * n * (max + 1), sizeof(double)));
  bad |= !(m->T = pc_alloc(max * max, sizeof(double)));
  bad |= !(m->pivot = pc_alloc(max, sizeof(int)));
  bad |= !(m->slips = pc_alloc((size_t)s->contacts, 1));
  bad |= !(m->drag = pc_alloc(rows, sizeof(double)));
  bad |= !(m->slope = pc_alloc(rows, sizeof *m->slope));
  bad |= !(m->pull = pc_alloc(rows, sizeof *m->pull));
  bad |= !(m->values = pc_alloc(2 * width, sizeof(double)));
  bad |= !(m->push = pc_alloc(n, sizeof(double)));
  if (bad) return PC_OUT_OF_MEMORY;
  for (size_t i = 0; i <= max; i++) {
    double* at = m->columns + 3 * n * i;
    m->column[i] = (column){at, at + n, at + 2 * n};
  }
  for (size_t r = 0; r < rows; r++) { /* laid out as the smooth level's slopes are */
    m->slope[r] = m->values + (s->slope[r] - s->slope_values);
    m->pull[r] = m->slope[r] + width;
  }
  return PC_OK;
}

int pc_alpha_newton_is_small(const pc_alpha* s)
{
  const double limit = 4e6; /* numbers: 32 MB */
  double max = 3.0 * s->rows;
  return s->rows > 0 && (max + 1) * (max + 3.0 * s->n_u) <= limit;
}

pc_status pc_alpha_newton_create(const pc_alpha* s, pc_alpha_newton** newton, pc_error* error)
{
  *newton = NULL;
  pc_alpha_newton* m = pc_alloc(1, sizeof *m);
  if (!m) return pc_no_memory(error);
  m->n = s->n_u;
  m->max = 3 * s->rows;
  if (create_arrays(s, m) != PC_OK) {
    pc_alpha_newton_destroy(m);
    return pc_no_memory(error);
  }
  *newton = m;
  return PC_OK;
}

/* ---- the unknowns and their constraints -------------------------------------------------- */

static unknown* add(pc_alpha_newton* m, level of, int row, int contact, pc_row force)
{
  unknown* x = &m->unknown[m->count++];
  *x = (unknown){.level = of, .row = row, .force = force, .contact = contact};
  return x;
}

static void collect_smooth(pc_alpha_newton* m, pc_alpha* s, const pc_at* at)
{
  int count = pc_alpha_collect_smooth(s, at);
  for (int i = 0; i < count; i++) {
    unknown* x = add(m, SMOOTH, s->place[i], s->place[i] >= s->bilateral ? 0 : -1, s->force[i]);
    x->slope = x->bend = s->measure[i];
    x->bend.w = s->bend[s->place[i]];
    x->value = -s->c_row[i];
  }
}

static void add_position(pc_alpha_newton* m, pc_alpha* s, int row)
{
  unknown* x = add(m, POSITION, row, -1, s->terms->row[row]);
  x->slope = pc_alpha_turned_row(s, s->terms, row);
  x->value = s->terms->y[row] / s->q_share;
}

static void add_velocity(pc_alpha_newton* m, const pc_alpha* s, const pc_at* at, int row, double e,
                         int contact)
{
  pc_row w = s->terms->row[row];
  unknown* x = add(m, VELOCITY, row, contact, w);
  int width = 0;
  for (int b = 0; b < w.block_count; b++) width += w.block[b].width;
  memset(m->slope[row], 0, (size_t)width * sizeof(double));
  pc_terms_add_row_velocity_slope(s->terms, at, row, s->u, 1, m->slope[row]);
  x->slope = w;
  x->slope.w = m->slope[row];
  x->value = (pc_terms_row_velocity(s->terms, row, s->u) + e * s->before[row]) / s->v_share;
}

/* Does the friction of contact k hold? If not, `drag` has P_F/P_N. */
static int find_slip(pc_alpha_newton* m, const pc_alpha* s, int k)
{
  const pc_contact_info* c = &s->contact[k];
  double p[3], length = pc_alpha_augmented_friction(s, k, p);
  if (length <= pc_alpha_friction_limit(s, k)) return 0;
  for (int d = 0; d < c->dimension; d++) m->drag[c->row + 1 + d] = p[d] * c->mu / length;
  return 1;
}

static void add_contact_velocity(pc_alpha_newton* m, const pc_alpha* s, const pc_at* at, int k)
{
  const pc_contact_info* c = &s->contact[k];
  add_velocity(m, s, at, c->row, c->e_N, k);
  m->slips[k] = (unsigned char)(c->dimension && find_slip(m, s, k));
  if (m->slips[k]) m->unknown[m->count - 1].force = pc_alpha_pull(s, k, m->drag, m->pull[c->row]);
  for (int row = c->row + 1; !m->slips[k] && row <= c->row + c->dimension; row++)
    add_velocity(m, s, at, row, c->e_F, k);
}

static void collect(pc_alpha_newton* m, pc_alpha* s, const pc_at* at)
{
  m->count = 0;
  collect_smooth(m, s, at);
  for (int r = 0; s->form.position && r < s->g; r++) add_position(m, s, r);
  for (int r = 0; s->form.velocity && r < s->bilateral; r++) add_velocity(m, s, at, r, 0, -1);
  for (int k = 0; k < s->contacts; k++) {
    if (s->level[k] >= PC_ALPHA_A) add_position(m, s, s->contact[k].row);
    if (s->level[k] >= PC_ALPHA_B) add_contact_velocity(m, s, at, k);
  }
}

/* ---- what they do ------------------------------------------------------------------------ */

/* push -= K dU with the K of the exact matrix, A = M + v C + q K */
static void add_exact_stiffness(pc_alpha_newton* m, pc_alpha* s, const double* dU)
{
  double *with = s->room, *without = s->d;
  memset(with, 0, (size_t)m->n * sizeof *with);
  memset(without, 0, (size_t)m->n * sizeof *without);
  pc_assembly_times(pc_alpha_matrix(s), dU, with);
  pc_terms_add_M_times(s->terms, dU, without);
  pc_terms_add_h_u_times(s->terms, -s->v_share, dU, without);
  for (int i = 0; i < m->n; i++) m->push[i] -= (with[i] - without[i]) / s->q_share;
}

/* push -= K dU + C djump */
static void add_forces(pc_alpha_newton* m, pc_alpha* s, const column* c)
{
  if (s->exact) {
    add_exact_stiffness(m, s, c->U);
    pc_terms_add_h_u_times(s->terms, 1, c->jump, m->push);
    return;
  }
  if (s->same_matrix) return;
  const double* dq = c->U;
  if (!pc_system_plain_kinematics(s->system)) {
    double *moved = s->room, *still = s->q_room;
    memset(s->d, 0, (size_t)s->n_u * sizeof *s->d);
    pc_system_q_dot(s->system, s->t, s->q, c->U, moved);
    pc_system_q_dot(s->system, s->t, s->q, s->d, still);
    for (int i = 0; i < s->n_q; i++) moved[i] -= still[i];
    dq = moved;
  }
  pc_terms_add_h_q_times(s->terms, 1, dq, m->push);
  pc_terms_add_h_u_times(s->terms, 1, c->jump, m->push);
}

/* What half a step of an impulse does to the positions, where it has no part in the smooth motion. P_N
 * of a contact that slips has only its friction there. */
static void push_positions(const pc_alpha_newton* m, pc_alpha* s, const unknown* x, const column* c)
{
  int contact = x->contact >= 0;
  int normal = contact && x->row == s->contact[x->contact].row;
  if (!contact && (x->row < s->g || !pc_alpha_joints_push(s))) return;
  if (contact && !pc_alpha_friction_pushes(s)) return;
  if (normal && !m->slips[x->contact]) return;
  if (normal) pc_assembly_solve_row(s->mass, s->terms->row[x->row], c->U);
  for (int i = 0; i < m->n; i++) c->U[i] = s->dt / 2 * (c->jump[i] - c->U[i]);
}

static void fill_column(pc_alpha_newton* m, pc_alpha* s, const unknown* x, const column* c)
{
  size_t size = (size_t)m->n * sizeof(double);
  memset(c->v_dot, 0, 3 * size);
  memset(m->push, 0, size);
  if (x->level == POSITION) pc_assembly_solve_row(s->mass, x->force, c->U);
  if (x->level == VELOCITY) {
    pc_assembly_solve_row(s->mass, x->force, c->jump);
    push_positions(m, s, x, c);
  }
  if (x->level == SMOOTH) {
    pc_row_add(x->force, 1, m->push);
    if (x->contact >= 0) pc_assembly_solve_row(s->mass, x->force, c->jump);
    for (int i = 0; i < m->n; i++) c->jump[i] *= -s->v_share;
  }
  add_forces(m, s, c);
  memcpy(c->v_dot, m->push, size);
  pc_assembly_solve(pc_alpha_matrix(s), c->v_dot);
}

/* The iterate without its U and jump, but for what lambda has in the latter. */
static void fill_last_column(pc_alpha_newton* m, pc_alpha* s, const column* c)
{
  memset(c->jump, 0, (size_t)m->n * sizeof(double));
  for (int k = 0; k < s->contacts; k++) {
    const pc_contact_info* of = &s->contact[k];
    for (int r = of->row; s->level[k] == PC_ALPHA_S && r <= of->row + of->dimension; r++)
      pc_row_add(s->terms->row[r], -s->v_share * s->lambda[r], c->jump);
  }
  pc_assembly_solve(s->mass, c->jump);
  for (int i = 0; i < m->n; i++) {
    m->push[i] = -s->residual[i];
    c->U[i] = -s->U[i];
    c->jump[i] -= s->jump[i];
  }
  add_forces(m, s, c);
  memcpy(c->v_dot, m->push, (size_t)m->n * sizeof(double));
  pc_assembly_solve(pc_alpha_matrix(s), c->v_dot);
}

/* How a constraint changes with a column. */
static double measure(const pc_alpha* s, const unknown* x, const column* c)
{
  pc_row w = s->terms->row[x->row];
  double q = s->q_share, v = s->v_share;
  if (x->level == POSITION) return pc_row_dot(x->slope, c->v_dot) + pc_row_dot(x->slope, c->U) / q;
  if (x->level == VELOCITY)
    return pc_row_dot(w, c->v_dot) + pc_row_dot(w, c->jump) / v +
           (q * pc_row_dot(x->slope, c->v_dot) + pc_row_dot(x->slope, c->U)) / v;
  double sum = pc_row_dot(x->slope, c->v_dot);
  pc_alpha_row kind = x->contact >= 0 ? PC_ALPHA_ACCELERATION : s->form.row;
  if (kind == PC_ALPHA_POSITION || !s->exact) return sum;
  double bend = pc_row_dot(x->bend, c->U);
  if (kind != PC_ALPHA_ACCELERATION) return sum + bend / v;
  double spin = pc_row_dot(x->slope, c->jump) - pc_row_dot(w, c->jump);
  return sum + bend + (spin - q * pc_row_dot(x->bend, c->jump)) / v;
}

/* ---- the solution ------------------------------------------------------------------------ */

/* nu counts by q and P by v, so that all unknowns are forces and all constraints accelerations. */
static double unit(const pc_alpha* s, level of)
{
  return of == POSITION ? s->q_share : of == VELOCITY ? s->v_share : 1;
}

static pc_status solve(pc_alpha_newton* m, const pc_alpha* s)
{
  int n = m->count, rank;
  for (int i = 0; i < n; i++) {
    m->z[i] = -m->unknown[i].value - measure(s, &m->unknown[i], &m->column[m->max]);
    for (int j = 0; j < n; j++)
      m->T[i * n + j] = unit(s, m->unknown[j].level) * measure(s, &m->unknown[i], &m->column[j]);
  }
  for (int i = 0; i < n; i++) {
    double diagonal = fabs(m->T[i * n + i]);
    m->scale[i] = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
  }
  for (int i = 0; i < n; i++) {
    m->z[i] *= m->scale[i];
    for (int j = 0; j < n; j++) m->T[i * n + j] *= m->scale[i] * m->scale[j];
  }
  PC_TRY(pc_qr_factor(n, m->T, m->tau, m->pivot, RANK_TOLERANCE, &rank));
  pc_qr_solve(n, m->T, m->tau, m->pivot, rank, m->z, m->work);
  for (int i = 0; i < n; i++) m->z[i] *= m->scale[i] * unit(s, m->unknown[i].level);
  return PC_OK;
}

static void add_column(int n, double scale, const column* c, double* v_dot, double* U, double* jump)
{
  for (int i = 0; i < n; i++) {
    v_dot[i] += scale * c->v_dot[i];
    U[i] += scale * c->U[i];
    jump[i] += scale * c->jump[i];
  }
}

/* Lambda = P - v lambda of the contacts, P_F of those that slip. */
static void read_contacts(pc_alpha_newton* m, pc_alpha* s)
{
  for (int k = 0; k < s->contacts; k++) {
    const pc_contact_info* c = &s->contact[k];
    if (s->level[k] < PC_ALPHA_B) continue;
    for (int row = c->row + 1; m->slips[k] && row <= c->row + c->dimension; row++)
      s->Lambda[row] = m->drag[row] * s->Lambda[c->row];
    for (int row = c->row; row <= c->row + c->dimension; row++)
      s->Lambda[row] -= s->v_share * s->lambda[row];
  }
}

pc_status pc_alpha_newton_iterate(pc_alpha_newton* m, pc_alpha* s, const pc_at* at, pc_error* error)
{
  double* x = s->residual; /* read by fill_last_column, then dv' */
  size_t rows = (size_t)s->rows * sizeof(double);
  int smooth = 0;
  collect(m, s, at);
  fill_last_column(m, s, &m->column[m->max]);
  for (int j = 0; j < m->count; j++) fill_column(m, s, &m->unknown[j], &m->column[j]);
  if (m->count && solve(m, s) != PC_OK)
    return pc_fail(error, PC_NOT_FINITE, "the constraints' equations are not finite");
  memset(x, 0, (size_t)s->n_u * sizeof *x);
  memset(s->nu, 0, rows);
  memset(s->Lambda, 0, rows);
  add_column(s->n_u, 1, &m->column[m->max], x, s->U, s->jump);
  for (int j = 0; j < m->count; j++) {
    const unknown* of = &m->unknown[j];
    add_column(s->n_u, m->z[j], &m->column[j], x, s->U, s->jump);
    if (of->level == SMOOTH) s->place[smooth++] = of->row;
    if (of->level == POSITION) s->nu[of->row] = m->z[j];
    if (of->level == VELOCITY) s->Lambda[of->row] = m->z[j];
  }
  pc_alpha_add_smooth(s, smooth, x, m->z); /* they are the first */
  read_contacts(m, s);
  pc_alpha_push_positions(s);
  return PC_OK;
}
