/* With the depth d = -g_N and its rate d', a closed contact has the normal force
 *
 *     f = k d^n (1 + a d') + c d',  not less than 0,
 *
 * a linear spring and damper (n = 1, a = 0), Hertz (n = 3/2, a = c = 0), Hunt and Crossley (c = 0).
 * Friction is regularised: -mu f s/sqrt(|s|^2 + v^2) for the sliding velocity s and a small speed
 * v.
 *
 * The element inside gives the rows: y, W, chi and their derivatives; here they become h, h_q and
 * h_u. The rows of a rigid body in space are derivatives along its velocities, W = dy/dq B; since y
 * does not depend on the length of the quaternion p, dy/dp = 2 W_w G(p)/|p|^2 with p' = G'w/2. */
#include "elements/compliance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "system/system.h"

enum { ROWS_MAX = 8, PARTS_MAX = 2 }; /* of one element: two contacts with 1 + 3 rows */

typedef struct compliant {
  const pc_element_ops* ops;
  void* data;
  pc_compliance law;
  double mu;
  int contact_count, row_count, dimension[ROWS_MAX];
  int q_count, u_count;
  int part_count;
  pc_block q_run[PARTS_MAX], u_run[PARTS_MAX];          /* of its parts in the system */
  int turn_count, turn_q[PARTS_MAX], turn_u[PARTS_MAX]; /* where quaternions and spins are */
} compliant;

typedef struct scratch {
  double *W, *chi, *y, *W_q, *chi_q, *W_t, *zeta_t, *F_q, *F_u, *rate_q, *y_q;
  void* inside; /* of the element inside */
  const pc_element_ops* ops;
  double memory[];
} scratch;

static pc_status prepare(const void* data, unsigned mask, void** work)
{
  const compliant* c = data;
  size_t n_q = (size_t)c->q_count, n_u = (size_t)c->u_count, rows = (size_t)c->row_count;
  size_t total = rows * (3 * n_u + 3 + n_u * n_q + 4 * n_q);
  (void)mask;
  scratch* s = pc_alloc(1, sizeof *s + total * sizeof *s->memory);
  if (!s) return PC_OUT_OF_MEMORY;
  const struct {
    double** array;
    size_t count;
  } layout[] = {{&s->W, rows * n_u},         {&s->chi, rows},         {&s->y, rows},
                {&s->W_q, rows * n_u * n_q}, {&s->chi_q, rows * n_q}, {&s->W_t, rows * n_u},
                {&s->zeta_t, rows},          {&s->F_q, rows * n_q},   {&s->F_u, rows * n_u},
                {&s->rate_q, rows * n_q},    {&s->y_q, rows * n_q}};
  double* next = s->memory;
  for (size_t i = 0; i < sizeof layout / sizeof *layout; i++) {
    *layout[i].array = next;
    next += layout[i].count;
  }
  s->ops = c->ops;
  if (c->ops->prepare &&
      c->ops->prepare(c->data, PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q, &s->inside) != PC_OK) {
    free(s);
    return PC_OUT_OF_MEMORY;
  }
  *work = s;
  return PC_OK;
}

static void release(void* work)
{
  scratch* s = work;
  if (s->ops->release && s->inside) s->ops->release(s->inside);
  free(s);
}

static void destroy(void* data)
{
  compliant* c = data;
  if (c->ops->destroy)
    c->ops->destroy(c->data);
  else
    free(c->data);
  free(c);
}

/* --- the law -------------------------------------------------------------------------------- */

typedef struct normal_force {
  double f, f_d, f_rate; /* and its derivatives */
  double elastic;        /* k d^n */
  double energy;         /* its potential */
} normal_force;

static normal_force force_of(const pc_compliance* law, double d, double rate)
{
  normal_force n = {0};
  if (d <= 0) return n;
  n.elastic = law->stiffness * pc_pow(d, law->exponent);
  n.energy = n.elastic * d / (law->exponent + 1);
  double slope = law->exponent * n.elastic / d, factor = 1 + law->dissipation * rate;
  double f = n.elastic * factor + law->damping * rate;
  if (f <= 0) return n; /* the force is never tensile */
  n.f = f;
  n.f_d = slope * factor;
  n.f_rate = n.elastic * law->dissipation + law->damping;
  return n;
}

/* --- derivatives ---------------------------------------------------------------------------- */

/* dy/dq from W = dy/dq B. */
static void unfold(const compliant* c, const double* q, const double* W, double* y_q)
{
  int i = 0, j = 0;
  for (int t = 0; t <= c->turn_count; t++) {
    int end = t < c->turn_count ? c->turn_u[t] : c->u_count;
    while (i < end) y_q[j++] = W[i++];
    if (t == c->turn_count) break;
    const double *p = q + j, *w = W + i;
    double scale = 2 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    /* p' = (-v.w, p_0 w + v x w)/2 for p = (p_0, v) and w in the body's frame */
    y_q[j] = scale * (-p[1] * w[0] - p[2] * w[1] - p[3] * w[2]);
    y_q[j + 1] = scale * (p[0] * w[0] - p[3] * w[1] + p[2] * w[2]);
    y_q[j + 2] = scale * (p[3] * w[0] + p[0] * w[1] - p[1] * w[2]);
    y_q[j + 3] = scale * (-p[2] * w[0] + p[1] * w[1] + p[0] * w[2]);
    i += 3;
    j += 4;
  }
}

static double dot(int n, const double* a, const double* b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* d(y')/dq = W_q u + chi_q of a row. */
static void find_rate_q(const compliant* c, const scratch* s, int row, const double* u)
{
  int n_q = c->q_count, n_u = c->u_count;
  double* rate_q = s->rate_q + row * n_q;
  memcpy(rate_q, s->chi_q + row * n_q, (size_t)n_q * sizeof *rate_q);
  for (int i = 0; i < n_u; i++)
    for (int j = 0; j < n_q; j++) rate_q[j] += s->W_q[(row * n_u + i) * n_q + j] * u[i];
}

/* h_q += W' F_q + (dW/dq)' F and h_u += W' F_u of a row. */
static void add_row(const compliant* c, const scratch* s, const pc_local* l, int row, double F)
{
  int n_q = c->q_count, n_u = c->u_count;
  const double *F_q = s->F_q + row * n_q, *F_u = s->F_u + row * n_u;
  for (int i = 0; i < n_u; i++) {
    double W = s->W[row * n_u + i];
    if (l->h) l->h[i] += W * F;
    for (int j = 0; l->h_q && j < n_q; j++)
      l->h_q[i * n_q + j] += W * F_q[j] + s->W_q[(row * n_u + i) * n_q + j] * F;
    for (int j = 0; l->h_u && j < n_u; j++) l->h_u[i * n_u + j] += W * F_u[j];
  }
}

/* The derivatives of f of a normal row. */
static void find_normal_slopes(const compliant* c, const scratch* s, int row, const normal_force* n,
                               int with_q)
{
  int n_q = c->q_count, n_u = c->u_count;
  for (int j = 0; with_q && j < n_q; j++)
    s->F_q[row * n_q + j] = -n->f_d * s->y_q[row * n_q + j] - n->f_rate * s->rate_q[row * n_q + j];
  for (int j = 0; j < n_u; j++) s->F_u[row * n_u + j] = -n->f_rate * s->W[row * n_u + j];
}

/* Friction of the rows behind a normal row. */
static void add_friction(const compliant* c, const scratch* s, const pc_local* l, int normal,
                         int dimension, double f)
{
  int n_q = c->q_count, n_u = c->u_count, first = normal + 1;
  double slip[3], square = c->law.slip_speed * c->law.slip_speed;
  for (int d = 0; d < dimension; d++) {
    slip[d] = dot(n_u, s->W + (first + d) * n_u, l->u) + s->chi[first + d];
    square += slip[d] * slip[d];
  }
  double size = sqrt(square);
  for (int d = 0; d < dimension; d++) {
    int row = first + d;
    for (int j = 0; l->h_q && j < n_q; j++) {
      double along = 0;
      for (int e = 0; e < dimension; e++) along += slip[e] * s->rate_q[(first + e) * n_q + j];
      s->F_q[row * n_q + j] = -c->mu / size *
                              (s->F_q[normal * n_q + j] * slip[d] +
                               f * (s->rate_q[row * n_q + j] - slip[d] * along / square));
    }
    for (int j = 0; l->h_u && j < n_u; j++) {
      double along = 0;
      for (int e = 0; e < dimension; e++) along += slip[e] * s->W[(first + e) * n_u + j];
      s->F_u[row * n_u + j] = -c->mu / size *
                              (s->F_u[normal * n_u + j] * slip[d] +
                               f * (s->W[row * n_u + j] - slip[d] * along / square));
    }
    add_row(c, s, l, row, -c->mu * f * slip[d] / size);
  }
}

/* One contact, whose normal row is `row`. */
static void add_contact(const compliant* c, const scratch* s, const pc_local* l, int row,
                        int dimension)
{
  int n_u = c->u_count;
  double rate = dot(n_u, s->W + row * n_u, l->u) + s->chi[row];
  normal_force n = force_of(&c->law, -s->y[row], -rate);
  if (l->energy) {
    l->energy[1] += n.energy;
    l->energy[2] -= n.elastic * s->chi[row];
  }
  if (n.elastic == 0) return;
  find_normal_slopes(c, s, row, &n, l->h_q != NULL);
  add_row(c, s, l, row, n.f);
  if (dimension > 0) add_friction(c, s, l, row, dimension, n.f);
  for (int i = 0; l->f && i < n_u; i++) l->f[i] -= s->W[row * n_u + i] * n.elastic;
}

static void evaluate(const void* data, pc_local* l)
{
  const compliant* c = data;
  scratch* s = l->work;
  int n_q = c->q_count, n_u = c->u_count, row = 0;
  double own[2 * 6] = {0};
  pc_local in = {.t = l->t, .q = l->q, .u = l->u, .y = s->y, .W = s->W, .chi = s->chi};
  in.work = s->inside;
  if (l->h_q) in.W_q = s->W_q, in.chi_q = s->chi_q, in.W_t = s->W_t, in.zeta_t = s->zeta_t;
  c->ops->evaluate(c->data, &in);
  for (int r = 0; l->h_q && r < c->row_count; r++) {
    find_rate_q(c, s, r, l->u);
    unfold(c, l->q, s->W + r * n_u, s->y_q + r * n_q);
  }
  pc_local out = *l;
  if (l->f) out.h = own; /* all of h, from which the elastic part is taken */
  if (l->h_q) memset(l->h_q, 0, (size_t)(n_u * n_q) * sizeof *l->h_q);
  if (l->h_u) memset(l->h_u, 0, (size_t)(n_u * n_u) * sizeof *l->h_u);
  for (int k = 0; k < c->contact_count; row += 1 + c->dimension[k++])
    add_contact(c, s, &out, row, c->dimension[k]);
  for (int i = 0; l->f && i < n_u; i++) {
    if (l->h) l->h[i] += own[i];
    l->f[i] += own[i];
  }
}

static void shape(const void* data, pc_shape* shape)
{
  const compliant* c = data;
  if (c->ops->shape) c->ops->shape(c->data, shape);
}

static const pc_element_ops ops = {.kind = "compliant contact",
                                   .evaluate = evaluate,
                                   .prepare = prepare,
                                   .release = release,
                                   .destroy = destroy,
                                   .shape = shape};

/* --- adding --------------------------------------------------------------------------------- */

int pc_is_compliant(const pc_element_def* def)
{
  return def->contact_count > 0 && def->contact[0].compliance.stiffness != 0;
}

static pc_status check(const pc_adding* a, const pc_element_def* def)
{
  const pc_contact_law* law = &def->contact[0];
  const pc_compliance* k = &law->compliance;
  PC_TRY(pc_check_positive(a, "compliance.stiffness", k->stiffness));
  PC_TRY(pc_check_not_negative(a, "compliance.damping", k->damping));
  PC_TRY(pc_check_not_negative(a, "compliance.dissipation", k->dissipation));
  if (!(k->exponent >= 1) || !isfinite(k->exponent))
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': compliance.exponent is %g; it must be at least 1", a->kind, law->name,
                   k->exponent);
  if (law->e_N != 0 || law->e_F != 0)
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': a compliant contact has no restitution, it has damping or dissipation",
                   a->kind, law->name);
  if (law->stribeck != 0)
    return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': a compliant contact has no Stribeck curve",
                   a->kind, law->name);
  if (def->contact_dimension[0] == 0) return PC_OK;
  return pc_check_positive(a, "compliance.slip_speed", k->slip_speed);
}

/* How the parts' coordinates lie; the ground has none. */
static pc_status lay_out(const pc_adding* a, const pc_element_def* def, compliant* c)
{
  for (int i = 0; i < def->part_count; i++) {
    const pc_part* part;
    PC_TRY(pc_system_part(a->system, def->part[i], &part, a->error));
    if (!part) continue;
    if (part->kind == PC_PART_SPATIAL_BODY) {
      c->turn_q[c->turn_count] = c->q_count + 3;
      c->turn_u[c->turn_count++] = c->u_count + 3;
    }
    c->q_run[c->part_count] = (pc_block){part->q_first, part->q_count};
    c->u_run[c->part_count++] = (pc_block){part->u_first, part->u_count};
    c->q_count += part->q_count;
    c->u_count += part->u_count;
  }
  return PC_OK;
}

static pc_status fill(const pc_adding* a, const pc_element_def* def, compliant* c)
{
  PC_TRY(check(a, def));
  c->law = def->contact[0].compliance;
  c->mu = def->contact[0].mu;
  c->contact_count = def->contact_count;
  for (int k = 0; k < def->contact_count; k++) {
    c->dimension[k] = def->contact_dimension[k];
    c->row_count += 1 + c->dimension[k];
  }
  return lay_out(a, def, c);
}

pc_status pc_add_compliant(const pc_adding* a, const pc_element_def* def)
{
  compliant* c = pc_alloc(1, sizeof *c);
  if (!c) {
    (def->ops->destroy ? def->ops->destroy : free)(def->data);
    return pc_no_memory(a->error);
  }
  c->ops = def->ops;
  c->data = def->data;
  pc_status status = fill(a, def, c);
  if (status != PC_OK) {
    destroy(c);
    return status;
  }
  const pc_element_def element = {
      .ops = &ops,
      .data = c,
      .name = def->contact[0].name,
      .part_count = def->part_count,
      .part = def->part,
      .provides = PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U | PC_TERM_ENERGY | PC_TERM_F};
  return pc_system_add_element(a->system, &element, a->error);
}

/* --- outputs -------------------------------------------------------------------------------- */

enum { Q_MAX = 14, U_MAX = 12 };

static int gather(int count, const pc_block* run, const double* from, double* to)
{
  int n = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < run[i].width; k++) to[n++] = from[run[i].first + k];
  return n;
}

/* The smallest gap and the sum of the normal forces. */
static void look(const compliant* c, const pc_output_at* at, double* gap, double* force)
{
  double q[Q_MAX], u[U_MAX], W[ROWS_MAX * U_MAX] = {0}, chi[ROWS_MAX] = {0}, y[ROWS_MAX] = {0};
  pc_local in = {.t = at->t, .q = q, .u = u, .y = y, .W = W, .chi = chi};
  int row = 0, n_u = c->u_count;
  gather(c->part_count, c->q_run, at->q, q);
  gather(c->part_count, c->u_run, at->u, u);
  c->ops->evaluate(c->data, &in);
  *gap = y[0];
  *force = 0;
  for (int k = 0; k < c->contact_count; row += 1 + c->dimension[k++]) {
    double rate = dot(n_u, W + row * n_u, u) + chi[row];
    *force += force_of(&c->law, -y[row], -rate).f;
    if (y[row] < *gap) *gap = y[row];
  }
}

static double gap_value(const void* user, const pc_output_at* at)
{
  double gap, force;
  look(user, at, &gap, &force);
  return gap;
}

static double force_value(const void* user, const pc_output_at* at)
{
  double gap, force;
  look(user, at, &gap, &force);
  return force;
}

pc_status pc_add_compliant_outputs(pc_system* system, pc_error* error)
{
  char name[160];
  for (int i = 0; i < system->element_count; i++) {
    const pc_element* e = &system->element[i];
    if (e->ops != &ops) continue;
    pc_output_def gap = {.name = name, .unit = "m", .value = gap_value, .user = e->data};
    pc_output_def force = {.name = name, .unit = "N", .value = force_value, .user = e->data};
    snprintf(name, sizeof name, "%.120s.gap", e->name);
    PC_TRY(pc_add_output(system, &gap, error));
    snprintf(name, sizeof name, "%.120s.force_N", e->name);
    PC_TRY(pc_add_output(system, &force, error));
  }
  return PC_OK;
}
