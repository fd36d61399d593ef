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
 * unknowns for each closed row, with a few solves with A and M for each; steps with more unknowns
 * than a dense problem should have are left to the other methods. It knows what U and jump do to
 * the forces. P is Lambda of a joint and Lambda + v lambda of a contact, whose friction either
 * sticks, xi_F = 0, or slips with P_F along P_F - m xi_F of the last iterate. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/constants.h"
#include "linalg/copy.h"
#include "linalg/dense.h"
#include "schemes/generalized_alpha/alpha.h"

/* What a unit of an unknown does to the motion. */
typedef struct column {
  double *v_dot, *U, *jump; /* n_u each */
} column;

typedef enum level { SMOOTH, POSITION, VELOCITY } level;

typedef struct unknown {
  level level;
  int row;          /* of the system */
  pc_row force;     /* direction */
  pc_row slope;     /* J of a smooth row, W T of a position, Y of a velocity row */
  pc_row curvature; /* of a smooth row: what J has per unit of d */
  double value;     /* of its constraint at the iterate */
  int contact;      /* or -1 */
} unknown;

/* The equations that are left for the unknowns, dense. */
typedef struct equations {
  double *T, *z; /* max x max, max */
  double* scale; /* max: of rows and columns */
  double *tau, *work;
  int* pivot;
} equations;

struct pc_alpha_newton {
  int n, max;
  int count;
  unknown* unknown; /* max */
  column* column;   /* max + 1: the last one is what the iterate itself gives */
  double* columns;
  equations of;
  int* smooth_row;             /* max: the rows of the smooth constraints */
  unsigned char* slips;        /* contacts, at velocity level */
  double* ratio;               /* rows: P_F per P_N of those */
  double **slope, **direction; /* rows: Y, and W_N + ratio W_F */
  double* values;
  double* force;          /* n: right side of the smooth motion */
  double* dv;             /* n: change of v' */
  double *with, *without; /* n: A x, and (M + v C) x */
  double *moved, *still;  /* n_q: B x + beta, and beta */
  double* zero;           /* n */
};

void pc_alpha_newton_destroy(pc_alpha_newton* m)
{
  if (!m) return;
  void* array[] = {m->unknown,   m->column,  m->columns,    m->of.T,  m->of.z,  m->of.scale,
                   m->of.tau,    m->of.work, m->of.pivot,   m->slips, m->ratio, m->slope,
                   m->direction, m->values,  m->smooth_row, m->force, m->dv,    m->with,
                   m->without,   m->moved,   m->still,      m->zero};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(m);
}

static pc_status create_arrays(const pc_alpha* s, pc_alpha_newton* m)
{
  size_t max = (size_t)m->max, n = (size_t)m->n, rows = (size_t)s->model.rows;
  size_t width = 0, place = 0;
  for (size_t r = 0; r < rows; r++) width += (size_t)pc_alpha_row_width(s->matrix.terms->row[r]);
  double** vector[] = {&m->of.z, &m->of.scale, &m->of.tau, &m->of.work};
  int bad = 0;
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    bad |= !(*vector[i] = pc_alloc(max, sizeof(double)));
  bad |= !(m->unknown = pc_alloc(max, sizeof *m->unknown));
  bad |= !(m->column = pc_alloc(max + 1, sizeof *m->column));
  bad |= !(m->columns = pc_alloc(3 * n * (max + 1), sizeof(double)));
  bad |= !(m->of.T = pc_alloc(max * max, sizeof(double)));
  bad |= !(m->of.pivot = pc_alloc(max, sizeof(int)));
  bad |= !(m->slips = pc_alloc((size_t)s->model.contacts, 1));
  bad |= !(m->ratio = pc_alloc(rows, sizeof(double)));
  bad |= !(m->slope = pc_alloc(rows, sizeof *m->slope));
  bad |= !(m->direction = pc_alloc(rows, sizeof *m->direction));
  bad |= !(m->values = pc_alloc(2 * width, sizeof(double)));
  double** of_motion[] = {&m->force, &m->dv, &m->with, &m->without, &m->zero};
  for (size_t i = 0; i < sizeof of_motion / sizeof *of_motion; i++)
    bad |= !(*of_motion[i] = pc_alloc(n, sizeof(double)));
  bad |= !(m->moved = pc_alloc((size_t)s->model.n_q, sizeof(double)));
  bad |= !(m->still = pc_alloc((size_t)s->model.n_q, sizeof(double)));
  bad |= !(m->smooth_row = pc_alloc(max, sizeof(int)));
  if (bad) return PC_OUT_OF_MEMORY;
  for (size_t i = 0; i <= max; i++) {
    double* at = m->columns + 3 * n * i;
    m->column[i] = (column){at, at + n, at + 2 * n};
  }
  for (size_t r = 0; r < rows; r++) {
    m->slope[r] = m->values + place;
    m->direction[r] = m->values + width + place;
    place += (size_t)pc_alpha_row_width(s->matrix.terms->row[r]);
  }
  return PC_OK;
}

/* A dense problem of this size takes some ten milliseconds, and 32 MB hold what it needs. */
enum { UNKNOWNS_MAX = 300, NUMBERS_MAX = 4000000 };

static int largest_problem(const pc_alpha_model* model)
{
  int most = 3 * model->rows < UNKNOWNS_MAX ? 3 * model->rows : UNKNOWNS_MAX;
  int by_memory = NUMBERS_MAX / (3 * model->n_u + UNKNOWNS_MAX) - 1;
  return most < by_memory ? most : by_memory;
}

/* How many unknowns a step has without contacts. */
static int least_problem(const pc_alpha_model* m)
{
  int smooth = m->settings.alpha.strategy > 1 ? m->bilateral : 0;
  return smooth + (m->form.position ? m->g : 0) + (m->form.velocity ? m->bilateral : 0);
}

pc_status pc_alpha_newton_create(const pc_alpha* s, pc_alpha_newton** newton, pc_error* error)
{
  *newton = NULL;
  int max = largest_problem(&s->model);
  if (s->model.rows == 0 || max < least_problem(&s->model)) return PC_OK;
  pc_alpha_newton* m = pc_alloc(1, sizeof *m);
  if (!m) return pc_no_memory(error);
  m->n = s->model.n_u;
  m->max = max;
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
  const pc_alpha_problem* p = &s->problem;
  pc_alpha_collect_smooth(s, at);
  for (int i = 0; i < p->count; i++) {
    int contact = p->row[i] >= s->model.bilateral ? 0 : -1;
    unknown* x = add(m, SMOOTH, p->row[i], contact, p->force[i]);
    x->slope = x->curvature = p->measure[i];
    x->curvature.w = p->curvature[p->row[i]];
    x->value = -p->c[i];
  }
}

static void add_position(pc_alpha_newton* m, pc_alpha* s, int row)
{
  unknown* x = add(m, POSITION, row, -1, s->matrix.terms->row[row]);
  x->slope = pc_alpha_position_row(s, s->matrix.terms, row);
  x->value = s->matrix.terms->y[row] / s->step.dq_dv;
}

static void add_velocity(pc_alpha_newton* m, const pc_alpha* s, const pc_at* at, int row, double e,
                         int contact)
{
  pc_row w = s->matrix.terms->row[row];
  unknown* x = add(m, VELOCITY, row, contact, w);
  memset(m->slope[row], 0, (size_t)pc_alpha_row_width(w) * sizeof(double));
  pc_terms_add_row_velocity_slope(s->matrix.terms, at, row, s->x.u, 1, m->slope[row]);
  x->slope = w;
  x->slope.w = m->slope[row];
  x->value = (pc_terms_row_velocity(s->matrix.terms, row, s->x.u) + e * s->step.before[row]) /
             s->step.du_dv;
}

/* Does the friction of contact k hold? If not, `ratio` has P_F/P_N. */
static int find_slip(pc_alpha_newton* m, const pc_alpha* s, int k)
{
  const pc_contact_info* c = &s->model.contact[k];
  double p[3], length = pc_alpha_augmented_friction(s, k, p);
  if (length <= pc_alpha_friction_limit(s, k)) return 0;
  for (int d = 0; d < c->dimension; d++) m->ratio[c->row + 1 + d] = p[d] * c->mu / length;
  return 1;
}

static void add_contact_velocity(pc_alpha_newton* m, const pc_alpha* s, const pc_at* at, int k)
{
  const pc_contact_info* c = &s->model.contact[k];
  add_velocity(m, s, at, c->row, c->e_N, k);
  m->slips[k] = (unsigned char)(c->dimension && find_slip(m, s, k));
  if (m->slips[k])
    m->unknown[m->count - 1].force = pc_alpha_force_direction(s, k, m->ratio, m->direction[c->row]);
  for (int row = c->row + 1; !m->slips[k] && row <= c->row + c->dimension; row++)
    add_velocity(m, s, at, row, c->e_F, k);
}

/* How many unknowns the closed contacts have at most. */
static int contact_unknowns(const pc_alpha* s)
{
  int count = 0;
  for (int k = 0; k < s->model.contacts; k++) {
    int rows = 1 + s->model.contact[k].dimension;
    if (s->set.level[k] >= PC_ALPHA_A) count++;
    if (s->set.level[k] >= PC_ALPHA_B) count += rows;
    if (s->set.level[k] >= PC_ALPHA_S) count += rows;
  }
  return count;
}

static void collect(pc_alpha_newton* m, pc_alpha* s, const pc_at* at)
{
  m->count = 0;
  collect_smooth(m, s, at);
  for (int r = 0; s->model.form.position && r < s->model.g; r++) add_position(m, s, r);
  for (int r = 0; s->model.form.velocity && r < s->model.bilateral; r++)
    add_velocity(m, s, at, r, 0, -1);
  for (int k = 0; k < s->model.contacts; k++) {
    if (s->set.level[k] >= PC_ALPHA_A) add_position(m, s, s->model.contact[k].row);
    if (s->set.level[k] >= PC_ALPHA_B) add_contact_velocity(m, s, at, k);
  }
}

/* ---- what they do ------------------------------------------------------------------------ */

/* force -= K dU with the K of the matrix with curvature, A = M + v C + q K */
static void add_curved_stiffness(pc_alpha_newton* m, const pc_alpha* s, const double* dU)
{
  pc_zero(m->n, m->with);
  pc_zero(m->n, m->without);
  pc_alpha_saddle_times(s->saddle, dU, m->with);
  pc_terms_add_M_times(s->matrix.terms, dU, m->without);
  pc_terms_add_h_u_times(s->matrix.terms, -s->step.du_dv, dU, m->without);
  for (int i = 0; i < m->n; i++) m->force[i] -= (m->with[i] - m->without[i]) / s->step.dq_dv;
}

/* force -= K dU with K = -h_q B */
static void add_stiffness(pc_alpha_newton* m, const pc_alpha* s, const double* dU)
{
  const double* dq = dU;
  if (!pc_system_plain_kinematics(s->model.system)) {
    pc_system_q_dot(s->model.system, s->step.t, s->x.q, dU, m->moved);
    pc_system_q_dot(s->model.system, s->step.t, s->x.q, m->zero, m->still);
    for (int i = 0; i < s->model.n_q; i++) m->moved[i] -= m->still[i];
    dq = m->moved;
  }
  pc_terms_add_h_q_times(s->matrix.terms, 1, dq, m->force);
}

/* force -= K dU + C djump */
static void add_forces(pc_alpha_newton* m, const pc_alpha* s, const column* c)
{
  if (s->matrix.curvature)
    add_curved_stiffness(m, s, c->U);
  else if (s->model.constant_forces)
    return;
  else
    add_stiffness(m, s, c->U);
  pc_terms_add_h_u_times(s->matrix.terms, 1, c->jump, m->force);
}

/* What half a step of an impulse does to the positions, where it has no part in the smooth motion.
 * P_N of a contact that slips has only its friction there. */
static void move_positions(const pc_alpha_newton* m, const pc_alpha* s, const unknown* x,
                           const column* c)
{
  int contact = x->contact >= 0;
  int normal = contact && x->row == s->model.contact[x->contact].row;
  if (!contact && (x->row < s->model.g || !pc_alpha_joints_move_positions(&s->model))) return;
  if (contact && !pc_alpha_friction_moves_positions(&s->model)) return;
  if (normal && !m->slips[x->contact]) return;
  if (normal) pc_assembly_solve_row(s->matrix.mass, s->matrix.terms->row[x->row], c->U);
  for (int i = 0; i < m->n; i++) c->U[i] = s->step.dt / 2 * (c->jump[i] - c->U[i]);
}

static void fill_column(pc_alpha_newton* m, pc_alpha* s, const unknown* x, const column* c)
{
  size_t size = (size_t)m->n * sizeof(double);
  memset(c->v_dot, 0, 3 * size);
  memset(m->force, 0, size);
  if (x->level == POSITION) pc_assembly_solve_row(s->matrix.mass, x->force, c->U);
  if (x->level == VELOCITY) {
    pc_assembly_solve_row(s->matrix.mass, x->force, c->jump);
    move_positions(m, s, x, c);
  }
  if (x->level == SMOOTH) {
    pc_row_add(x->force, 1, m->force);
    if (x->contact >= 0) pc_assembly_solve_row(s->matrix.mass, x->force, c->jump);
    for (int i = 0; i < m->n; i++) c->jump[i] *= -s->step.du_dv;
  }
  add_forces(m, s, c);
  memcpy(c->v_dot, m->force, size);
  pc_alpha_saddle_solve(s->saddle, NULL, c->v_dot, NULL); /* without constraints */
}

/* The iterate without its U and jump, but for what lambda has in the latter. */
static void fill_last_column(pc_alpha_newton* m, pc_alpha* s, const column* c)
{
  pc_zero(m->n, c->jump);
  for (int k = 0; k < s->model.contacts; k++) {
    const pc_contact_info* of = &s->model.contact[k];
    for (int r = of->row; s->set.level[k] == PC_ALPHA_S && r <= of->row + of->dimension; r++)
      pc_row_add(s->matrix.terms->row[r], -s->step.du_dv * s->x.lambda[r], c->jump);
  }
  pc_assembly_solve(s->matrix.mass, c->jump);
  for (int i = 0; i < m->n; i++) {
    m->force[i] = -s->balance.residual[i];
    c->U[i] = -s->x.U[i];
    c->jump[i] -= s->x.jump[i];
  }
  add_forces(m, s, c);
  pc_copy(m->n, m->force, c->v_dot);
  pc_alpha_saddle_solve(s->saddle, NULL, c->v_dot, NULL); /* without constraints */
}

/* How a constraint changes with a column. */
static double measure(const pc_alpha* s, const unknown* x, const column* c)
{
  pc_row w = s->matrix.terms->row[x->row];
  double q = s->step.dq_dv, v = s->step.du_dv;
  if (x->level == POSITION) return pc_row_dot(x->slope, c->v_dot) + pc_row_dot(x->slope, c->U) / q;
  if (x->level == VELOCITY)
    return pc_row_dot(w, c->v_dot) + pc_row_dot(w, c->jump) / v +
           (q * pc_row_dot(x->slope, c->v_dot) + pc_row_dot(x->slope, c->U)) / v;
  double sum = pc_row_dot(x->slope, c->v_dot);
  pc_alpha_constraint kind = x->contact >= 0 ? PC_ALPHA_ACCELERATION : s->model.form.constraint;
  if (kind == PC_ALPHA_POSITION || !s->matrix.curvature) return sum;
  double curved = pc_row_dot(x->curvature, c->U);
  if (kind != PC_ALPHA_ACCELERATION) return sum + curved / v;
  double spin = pc_row_dot(x->slope, c->jump) - pc_row_dot(w, c->jump);
  return sum + curved + (spin - q * pc_row_dot(x->curvature, c->jump)) / v;
}

/* ---- the solution ------------------------------------------------------------------------ */

/* nu counts by q and P by v, so that all unknowns are forces and all constraints accelerations. */
static double unit(const pc_alpha* s, level of)
{
  return of == POSITION ? s->step.dq_dv : of == VELOCITY ? s->step.du_dv : 1;
}

static pc_status solve(pc_alpha_newton* m, const pc_alpha* s)
{
  int n = m->count, rank;
  for (int i = 0; i < n; i++) {
    m->of.z[i] = -m->unknown[i].value - measure(s, &m->unknown[i], &m->column[m->max]);
    for (int j = 0; j < n; j++)
      m->of.T[i * n + j] = unit(s, m->unknown[j].level) * measure(s, &m->unknown[i], &m->column[j]);
  }
  for (int i = 0; i < n; i++) {
    double diagonal = fabs(m->of.T[i * n + i]);
    m->of.scale[i] = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
  }
  for (int i = 0; i < n; i++) {
    m->of.z[i] *= m->of.scale[i];
    for (int j = 0; j < n; j++) m->of.T[i * n + j] *= m->of.scale[i] * m->of.scale[j];
  }
  PC_TRY(pc_qr_factor(n, m->of.T, m->of.tau, m->of.pivot, PC_RANK_TOLERANCE, &rank));
  pc_qr_solve(n, m->of.T, m->of.tau, m->of.pivot, rank, m->of.z, m->of.work);
  for (int i = 0; i < n; i++) m->of.z[i] *= m->of.scale[i] * unit(s, m->unknown[i].level);
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
  for (int k = 0; k < s->model.contacts; k++) {
    const pc_contact_info* c = &s->model.contact[k];
    if (s->set.level[k] < PC_ALPHA_B) continue;
    for (int row = c->row + 1; m->slips[k] && row <= c->row + c->dimension; row++)
      s->x.Lambda[row] = m->ratio[row] * s->x.Lambda[c->row];
    for (int row = c->row; row <= c->row + c->dimension; row++)
      s->x.Lambda[row] -= s->step.du_dv * s->x.lambda[row];
  }
}

pc_status pc_alpha_newton_iterate(pc_alpha_newton* m, pc_alpha* s, const pc_at* at, pc_error* error)
{
  double* dv = m->dv;
  size_t rows = (size_t)s->model.rows * sizeof(double);
  int smooth = 0;
  if (least_problem(&s->model) + contact_unknowns(s) > m->max)
    return pc_fail(error, PC_NOT_CONVERGED,
                   "more contacts are closed than the monolithic iteration takes");
  if (pc_alpha_saddle_factor(s->saddle, pc_alpha_matrix(&s->matrix, &s->model), 0, NULL, NULL) !=
      PC_OK)
    return pc_fail(error, PC_SINGULAR, "the scheme's matrix cannot be inverted");
  s->problem.held_positions = -1;
  collect(m, s, at);
  fill_last_column(m, s, &m->column[m->max]);
  for (int j = 0; j < m->count; j++) fill_column(m, s, &m->unknown[j], &m->column[j]);
  if (m->count && solve(m, s) != PC_OK)
    return pc_fail(error, PC_NOT_FINITE, "the constraints' equations are not finite");
  pc_zero(s->model.n_u, dv);
  memset(s->x.nu, 0, rows);
  memset(s->x.Lambda, 0, rows);
  add_column(s->model.n_u, 1, &m->column[m->max], dv, s->x.U, s->x.jump);
  for (int j = 0; j < m->count; j++) {
    const unknown* of = &m->unknown[j];
    add_column(s->model.n_u, m->of.z[j], &m->column[j], dv, s->x.U, s->x.jump);
    if (of->level == SMOOTH) m->smooth_row[smooth++] = of->row;
    if (of->level == POSITION) s->x.nu[of->row] = m->of.z[j];
    if (of->level == VELOCITY) s->x.Lambda[of->row] = m->of.z[j];
  }
  pc_alpha_add_smooth(s, dv, smooth, m->smooth_row, m->of.z); /* they are the first */
  read_contacts(m, s);
  pc_alpha_impulses_on_positions(s);
  return PC_OK;
}
