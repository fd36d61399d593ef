/* A geometrically exact beam in the plane (Reissner, J. Appl. Math. Phys. 23, 1972; Simo, Comput.
 * Methods Appl. Mech. Eng. 49, 1985).
 *
 * A cross section has a place r and an angle; both are interpolated between nodes (x, y, angle),
 * r = sum N_i r_i, angle = sum N_i angle_i. With c and s of the angle and D = dr/ds,
 *
 *     Gamma_1 = c D_x + s D_y     elongation (1 without strain)
 *     Gamma_2 = c D_y - s D_x     shear
 *     kappa   = d(angle)/ds       bending
 *
 * and with their values e_0 without strain the energy per length is
 *
 *     (EA (Gamma_1 - Gamma_1o)^2 + G A_s (Gamma_2 - Gamma_2o)^2 + EI (kappa - kappa_o)^2) / 2.
 *
 * With damping tau a stress is C (e - e_0 + tau e'). All of it is a function of z = (D_x, D_y,
 * angle, d(angle)/ds) at the Gauss points, so that force and tangent are J'n and J'CJ + n.d2e/dz2
 * there. The mass matrix is the consistent one; it does not change. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "elements/beam.h"
#include "elements/chain.h"

typedef struct beam {
  int elements;
  pc_beam_shape shape;
  double stiffness[3];               /* EA, G A_s [N], EI [N m^2] */
  double relaxed[PC_BEAM_POINTS][3]; /* strains of the configuration without stress */
  double damping;                    /* tau [s] */
  double line_mass;                  /* rho A [kg/m] */
  double line_inertia;               /* rho I [kg m] */
  double gravity[2];
} beam;

/* ---- a cross section ------------------------------------------------------------------------ */

/* z and its strains. As a rate: z' and e'. */
typedef struct section {
  double z[4];
  double strain[3];
} section;

/* At a Gauss point of an element whose coordinates begin at q. */
static void interpolate(const pc_beam_shape* s, int g, const double* q, double z[4])
{
  for (int k = 0; k < 4; k++) z[k] = 0;
  for (int i = 0; i < s->nodes; i++, q += 3) {
    z[0] += s->slope[g][i] * q[0];
    z[1] += s->slope[g][i] * q[1];
    z[2] += s->N[g][i] * q[2];
    z[3] += s->slope[g][i] * q[2];
  }
}

typedef struct frame {
  double c, s;
} frame;

static frame strain_of(section* x)
{
  frame f;
  pc_sin_cos(x->z[2], &f.s, &f.c);
  x->strain[0] = f.c * x->z[0] + f.s * x->z[1];
  x->strain[1] = f.c * x->z[1] - f.s * x->z[0];
  x->strain[2] = x->z[3];
  return f;
}

/* e' = J z' */
static void strain_rate_of(frame f, const section* x, section* rate)
{
  const double* v = rate->z;
  rate->strain[0] = f.c * v[0] + f.s * v[1] + x->strain[1] * v[2];
  rate->strain[1] = f.c * v[1] - f.s * v[0] - x->strain[0] * v[2];
  rate->strain[2] = v[3];
}

/* J'n: the force that works on z. */
static void force_on(frame f, const section* x, const double n[3], double force[4])
{
  force[0] = f.c * n[0] - f.s * n[1];
  force[1] = f.s * n[0] + f.c * n[1];
  force[2] = n[0] * x->strain[1] - n[1] * x->strain[0];
  force[3] = n[2];
}

/* J'C(J + tau d(e')/dz) + n.d2e/dz2 by D and the angle, which alone are coupled; J'CJ where there
 * are no rates. */
static void tangent_of(const beam* b, frame f, const section* x, const section* rate,
                       const double n[3], double K[3][3])
{
  const double J[2][3] = {{f.c, f.s, x->strain[1]}, {-f.s, f.c, -x->strain[0]}};
  double E[2][3];
  memcpy(E, J, sizeof E);
  if (rate) {
    const double *v = rate->z, tau = b->damping, w = tau * v[2];
    E[0][0] -= f.s * w;
    E[0][1] += f.c * w;
    E[0][2] += tau * (f.c * v[1] - f.s * v[0]) - w * x->strain[0];
    E[1][0] -= f.c * w;
    E[1][1] -= f.s * w;
    E[1][2] -= tau * (f.c * v[0] + f.s * v[1]) + w * x->strain[1];
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      K[i][j] = b->stiffness[0] * J[0][i] * E[0][j] + b->stiffness[1] * J[1][i] * E[1][j];
  if (!n) return;
  double along[2] = {-f.s * n[0] - f.c * n[1], f.c * n[0] - f.s * n[1]};
  for (int i = 0; i < 2; i++) {
    K[i][2] += along[i];
    K[2][i] += along[i];
  }
  K[2][2] -= n[0] * x->strain[0] + n[1] * x->strain[1];
}

/* ---- an element ----------------------------------------------------------------------------- */

/* h -= the force on z, at the nodes */
static void spread_force(const pc_beam_shape* s, int g, const double force[4], double* h)
{
  double w = s->weight[g];
  for (int i = 0; i < s->nodes; i++, h += 3) {
    double N = w * s->N[g][i], slope = w * s->slope[g][i];
    h[0] -= slope * force[0];
    h[1] -= slope * force[1];
    h[2] -= N * force[2] + slope * force[3];
  }
}

/* cell -= scale times the matrix of z, at the nodes; `bending` is its last diagonal entry. */
static void spread_tangent(const pc_beam_shape* s, int g, double scale, double K[3][3],
                           double bending, double* cell)
{
  double w = scale * s->weight[g], by[PC_BEAM_NODES][3];
  int width = 3 * s->nodes;
  for (int i = 0; i < s->nodes; i++) {
    by[i][0] = by[i][1] = s->slope[g][i];
    by[i][2] = s->N[g][i];
  }
  for (int i = 0; i < s->nodes; i++)
    for (int a = 0; a < 3; a++) {
      double* line = cell + (3 * i + a) * width;
      for (int j = 0; j < s->nodes; j++)
        for (int c = 0; c < 3; c++) line[3 * j + c] -= w * by[i][a] * K[a][c] * by[j][c];
      for (int j = 0; a == 2 && j < s->nodes; j++)
        line[3 * j + 2] -= w * bending * s->slope[g][i] * s->slope[g][j];
    }
}

/* The terms of one element, of which `l` holds the places. */
static void add_point(const beam* b, int g, const pc_local* l)
{
  section x, rate;
  interpolate(&b->shape, g, l->q, x.z);
  frame f = strain_of(&x);
  double n[3], viscous[3] = {0, 0, 0}, force[4], K[3][3], strain_energy = 0;
  for (int k = 0; k < 3; k++) {
    double e = x.strain[k] - b->relaxed[g][k];
    n[k] = b->stiffness[k] * e;
    strain_energy += n[k] * e / 2;
  }
  if (l->energy) l->energy[1] += b->shape.weight[g] * strain_energy;
  if (b->damping > 0 && (l->h || l->h_q || l->f)) {
    interpolate(&b->shape, g, l->u, rate.z);
    strain_rate_of(f, &x, &rate);
    for (int k = 0; k < 3; k++) viscous[k] = b->stiffness[k] * b->damping * rate.strain[k];
    for (int k = 0; k < 3; k++) n[k] += viscous[k];
  }
  if (l->h) {
    force_on(f, &x, n, force);
    spread_force(&b->shape, g, force, l->h);
  }
  if (l->f) {
    force_on(f, &x, viscous, force);
    spread_force(&b->shape, g, force, l->f);
  }
  if (l->h_q) {
    tangent_of(b, f, &x, b->damping > 0 ? &rate : NULL, n, K);
    spread_tangent(&b->shape, g, 1, K, b->stiffness[2], l->h_q);
  }
  if (l->h_u) {
    tangent_of(b, f, &x, NULL, NULL, K);
    spread_tangent(&b->shape, g, b->damping, K, b->stiffness[2], l->h_u);
  }
}

static void fill_mass(const beam* b, double* cell)
{
  int nodes = b->shape.nodes, width = 3 * nodes;
  for (int i = 0; i < nodes; i++)
    for (int j = 0; j < nodes; j++) {
      double* at = cell + 3 * i * width + 3 * j;
      at[0] = at[width + 1] = b->line_mass * b->shape.mass[i][j];
      at[2 * width + 2] = b->line_inertia * b->shape.mass[i][j];
    }
}

static void add_weight(const beam* b, double* h)
{
  for (int i = 0; i < b->shape.nodes; i++, h += 3)
    for (int k = 0; k < 2; k++) h[k] += b->line_mass * b->shape.load[i] * b->gravity[k];
}

static void add_motion_and_height(const beam* b, const double* q, const double* u, double* energy)
{
  int nodes = b->shape.nodes;
  for (int i = 0; i < nodes; i++) {
    const double *u_i = u + 3 * i, *q_i = q + 3 * i;
    for (int j = 0; j < nodes; j++) {
      const double* u_j = u + 3 * j;
      energy[0] +=
          b->shape.mass[i][j] / 2 *
          (b->line_mass * (u_i[0] * u_j[0] + u_i[1] * u_j[1]) + b->line_inertia * u_i[2] * u_j[2]);
    }
    energy[1] -=
        b->line_mass * b->shape.load[i] * (b->gravity[0] * q_i[0] + b->gravity[1] * q_i[1]);
  }
}

/* ---- the beam ------------------------------------------------------------------------------- */

/* The next element's places. */
static void advance(pc_local* l, int stride, int area)
{
  l->q += stride;
  l->u += stride;
  if (l->h) l->h += stride;
  if (l->f) l->f += stride;
  if (l->M) l->M += area;
  if (l->h_q) l->h_q += area;
  if (l->h_u) l->h_u += area;
}

static void evaluate(const void* data, pc_local* local)
{
  const beam* b = data;
  pc_local l = *local;
  int nodes = b->shape.nodes, area = 9 * nodes * nodes;
  int strained = l.h || l.f || l.h_q || l.h_u || l.energy;
  for (int c = 0; c < b->elements; c++) {
    if (l.M) fill_mass(b, l.M);
    if (l.h) add_weight(b, l.h);
    if (l.energy) add_motion_and_height(b, l.q, l.u, l.energy);
    if (l.h_q) memset(l.h_q, 0, (size_t)area * sizeof *l.h_q);
    if (l.h_u) memset(l.h_u, 0, (size_t)area * sizeof *l.h_u);
    for (int g = 0; strained && g < b->shape.points; g++) add_point(b, g, &l);
    advance(&l, 3 * (nodes - 1), area);
  }
}

static const pc_element_ops ops = {.kind = "beam", .evaluate = evaluate};

/* Coordinates and velocities of a node: the beam moves like a rigid body that turns about its
 * root. */
static void place_node(const pc_beam_def* def, double length, double share, double q[3],
                       double u[3])
{
  double chord[2] = {def->tip[0] - def->root[0], def->tip[1] - def->root[1]};
  double first = pc_atan2(chord[1], chord[0]) - def->turn / 2, place[2], angle, r[2];
  pc_beam_arc(length, def->turn, share, place, &angle);
  r[0] = pc_cos(first) * place[0] - pc_sin(first) * place[1];
  r[1] = pc_sin(first) * place[0] + pc_cos(first) * place[1];
  for (int k = 0; def->turn == 0 && k < 2; k++) r[k] = share * chord[k]; /* exact on the axes */
  double spin = def->spin[2];
  q[0] = def->root[0] + r[0];
  q[1] = def->root[1] + r[1];
  q[2] = first + angle;
  u[0] = def->velocity[0] - spin * r[1];
  u[1] = def->velocity[1] + spin * r[0];
  u[2] = spin;
}

static pc_status add_part(const pc_adding* a, const pc_beam_def* def, double length, beam* b,
                          pc_part_id* id)
{
  int last = def->elements * (def->nodes - 1);
  size_t count = 3 * ((size_t)last + 1);
  double* number = pc_alloc(2 * count, sizeof *number); /* coordinates, then velocities */
  if (!number) return pc_no_memory(a->error);
  for (int i = 0; i <= last; i++)
    place_node(def, length, (double)i / last, number + 3 * i, number + count + 3 * i);
  for (int g = 0; g < b->shape.points; g++) { /* the same in all elements of an arc */
    section x;
    interpolate(&b->shape, g, number, x.z);
    strain_of(&x);
    memcpy(b->relaxed[g], x.strain, sizeof x.strain);
  }
  const pc_chain chain = {
      .kind = PC_PART_BEAM,
      .last = last,
      .q_width = 3,
      .u_width = 3,
      .q_tail = (const char* const[]){"x", "y", "angle"},
      .u_tail = (const char* const[]){"vx", "vy", "spin"},
      .q_unit = (const char* const[]){"m", "m", "rad"},
      .u_unit = (const char* const[]){"m/s", "m/s", "rad/s"},
  };
  pc_status status = pc_add_chain(a, &chain, number, number + count, id);
  free(number);
  return status;
}

pc_status pc_add_planar_beam(const pc_adding* a, const pc_beam_def* def, pc_part_id* id)
{
  double length = pc_beam_length(def, 2), E = def->modulus, G = E / (2 * (1 + def->poisson));
  const double* g = pc_system_gravity(a->system);
  beam b = {
      .elements = def->elements,
      .shape = pc_beam_shape_of(def->nodes, length / def->elements),
      .stiffness = {E * def->area, G * def->shear_factor * def->area, E * def->inertia},
      .damping = def->damping,
      .line_mass = def->density * def->area,
      .line_inertia = def->density * def->inertia,
      .gravity = {g[0], g[1]},
  };
  PC_TRY(pc_check_positive(a, "the mass of an element", b.line_mass * b.shape.weight[0]));
  PC_TRY(pc_check_positive(a, "the inertia of an element", b.line_inertia * b.shape.weight[0]));
  PC_TRY(add_part(a, def, length, &b, id));
  unsigned damped = def->damping > 0 ? PC_TERM_H_U | PC_TERM_F : 0u;
  pc_element_def element = {
      .ops = &ops,
      .part_count = 1,
      .part = id,
      .cells = {def->elements, 3 * (def->nodes - 1), 3 * def->nodes},
      .provides = PC_TERM_M | PC_TERM_H | PC_TERM_H_Q | PC_TERM_ENERGY | damped,
      .constant = PC_TERM_M,
  };
  return pc_add_copy(a, &element, &b, sizeof b);
}
