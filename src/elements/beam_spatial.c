/* A geometrically exact beam in space (Simo, Comput. Methods Appl. Mech. Eng. 49, 1985; Simo and
 * Vu-Quoc, ibid. 58, 1986).
 *
 * A node has a place, a quaternion p_i, a velocity in the inertial frame and an angular velocity in
 * its own, as a rigid body has; each node is a part. In an element
 *
 *     r = sum N_i r_i,   P = sum N_i n_i,   n_i = +- p_i/|p_i|,
 *
 * with the signs that put all n_i on the side of the first; the frame of a cross section is that of
 * P/|P|. A common rotation of all nodes multiplies P by its quaternion, so that the strains do not
 * feel it. Their derivatives are in beam_section.h. With n = C(e - e_0 + tau e') and f = e_z'n,
 *
 *     h of r_i:  -sum w N_i' f_D,   of the angular velocity:  -sum w Q(n_i)'(N_i f_P + N_i' f_R)/2.
 *
 * The angular velocity of a cross section is taken as sum N_i w_i, each in the frame of its node.
 * Then the mass matrix is constant, and the equations of motion (Hamel's) have the gyroscopic
 * torques L_i x w_i with L_i = dT/dw_i. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rotation.h"
#include "base/status.h"
#include "elements/beam.h"
#include "elements/beam_section.h"
#include "elements/body_spatial.h"
#include "elements/chain.h"

enum { Q_NODE = 7, U_NODE = 6, D = PC_SECTION_D, P = PC_SECTION_P, R = PC_SECTION_R };
enum { SIZE = PC_SECTION_SIZE };

typedef struct beam {
  int elements;
  pc_beam_shape shape;
  double stiffness[6];               /* EA, GA_s, GA_s [N], GJ, EI_2, EI_3 [N m^2] */
  double relaxed[PC_BEAM_POINTS][6]; /* strains of the configuration without stress */
  double damping;                    /* tau [s] */
  double line_mass;                  /* rho A [kg/m] */
  double line_inertia[3];            /* rho (I_2 + I_3), rho I_2, rho I_3 [kg m] */
  double gravity[3];
} beam;

/* ---- an element ----------------------------------------------------------------------------- */

/* The orientations of an element's nodes. */
typedef struct nodes {
  double unit[PC_BEAM_NODES][4];    /* n_i */
  double scale[PC_BEAM_NODES];      /* n_i = scale p_i */
  double half[PC_BEAM_NODES][4][3]; /* n_i' = half w_i: Q(n_i)/2 */
} nodes;

static void orient(const beam* b, const double* q, nodes* n)
{
  for (int i = 0; i < b->shape.nodes; i++) {
    const double *p = q + Q_NODE * i + 3, *first = q + 3;
    double square = 0, side = 0;
    for (int k = 0; k < 4; k++) {
      square += p[k] * p[k];
      side += p[k] * first[k];
    }
    n->scale[i] = (side < 0 ? -1 : 1) / sqrt(square);
    for (int k = 0; k < 4; k++) n->unit[i][k] = n->scale[i] * p[k];
    for (int k = 0; k < 3; k++) {
      double column[4];
      pc_rotation_rate(n->unit[i], (const double[3]){k == 0, k == 1, k == 2}, column);
      for (int j = 0; j < 4; j++) n->half[i][j][k] = column[j];
    }
  }
}

/* z, from places and n_i. */
static void interpolate(const pc_beam_shape* s, int g, const double* q, const nodes* n, double* z)
{
  for (int k = 0; k < SIZE; k++) z[k] = 0;
  for (int i = 0; i < s->nodes; i++) {
    for (int k = 0; k < 3; k++) z[D + k] += s->slope[g][i] * q[Q_NODE * i + k];
    for (int k = 0; k < 4; k++) {
      z[P + k] += s->N[g][i] * n->unit[i][k];
      z[R + k] += s->slope[g][i] * n->unit[i][k];
    }
  }
}

/* z', from the velocities. */
static void interpolate_rate(const pc_beam_shape* s, int g, const double* u, const nodes* n,
                             double* z)
{
  for (int k = 0; k < SIZE; k++) z[k] = 0;
  for (int i = 0; i < s->nodes; i++) {
    const double *v = u + U_NODE * i, *w = v + 3;
    for (int k = 0; k < 3; k++) z[D + k] += s->slope[g][i] * v[k];
    for (int k = 0; k < 4; k++) {
      const double* half = n->half[i][k];
      double rate = half[0] * w[0] + half[1] * w[1] + half[2] * w[2];
      z[P + k] += s->N[g][i] * rate;
      z[R + k] += s->slope[g][i] * rate;
    }
  }
}

/* h -= the force f on z, at the nodes; `node_force` (if not NULL) becomes that on each n_i. */
static void spread_force(const pc_beam_shape* s, int g, const nodes* n, const double* f, double* h,
                         double (*node_force)[4])
{
  double w = s->weight[g];
  for (int i = 0; i < s->nodes; i++, h += U_NODE) {
    double on[4];
    for (int k = 0; k < 3; k++) h[k] -= w * s->slope[g][i] * f[D + k];
    for (int k = 0; k < 4; k++) on[k] = w * (s->N[g][i] * f[P + k] + s->slope[g][i] * f[R + k]);
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 4; j++) h[3 + k] -= n->half[i][j][k] * on[j];
    if (node_force) memcpy(node_force[i], on, sizeof on);
  }
}

/* The block of nodes i and j, over places and n, of a matrix over z, its rows already over places
 * and angular velocities. */
static void spread_block(const pc_beam_shape* s, int g, const nodes* n, int i, int j,
                         double K[SIZE][SIZE], double block[U_NODE][Q_NODE])
{
  double w = s->weight[g], a = s->slope[g][i], b = s->slope[g][j];
  double A = s->N[g][i], B = s->N[g][j], line[Q_NODE][Q_NODE];
  for (int r = 0; r < Q_NODE; r++)
    for (int c = 0; c < Q_NODE; c++) {
      int at = P + c - 3; /* of n in P; R is 4 further */
      double x = c < 3 ? b * K[r][c] : B * K[r][at] + b * K[r][at + 4], y = 0;
      if (r >= 3) y = c < 3 ? b * K[r + 4][c] : B * K[r + 4][at] + b * K[r + 4][at + 4];
      line[r][c] = w * (r < 3 ? a * x : A * x + a * y);
    }
  for (int c = 0; c < Q_NODE; c++)
    for (int k = 0; k < 3; k++) {
      block[k][c] = line[k][c];
      block[3 + k][c] = 0;
      for (int r = 0; r < 4; r++) block[3 + k][c] += n->half[i][r][k] * line[3 + r][c];
    }
}

/* Where rows are `width` long: cell -= the block, whose columns of n_j become columns of p_j. */
static void put_over_q(const nodes* n, int j, double block[U_NODE][Q_NODE], double* cell, int width)
{
  const double* unit = n->unit[j];
  for (int r = 0; r < U_NODE; r++, cell += width) {
    double along = 0;
    for (int k = 0; k < 4; k++) along += block[r][3 + k] * unit[k];
    for (int k = 0; k < 3; k++) cell[k] -= block[r][k];
    for (int k = 0; k < 4; k++) cell[3 + k] -= n->scale[j] * (block[r][3 + k] - along * unit[k]);
  }
}

/* The same, with columns of the angular velocity, times a factor. */
static void put_over_u(const nodes* n, int j, double scale, double block[U_NODE][Q_NODE],
                       double* cell, int width)
{
  for (int r = 0; r < U_NODE; r++, cell += width)
    for (int k = 0; k < 3; k++) {
      cell[k] -= scale * block[r][k];
      for (int c = 0; c < 4; c++) cell[3 + k] -= scale * block[r][3 + c] * n->half[j][c][k];
    }
}

/* What the change of n_i does to Q(n_i)'node_force/2, and, with damping, that of n_j to n_j' =
 * Q(n_j) w/2: both are linear in n. Added to a block over n. */
static void add_node_force(const double node_force[4], double block[U_NODE][Q_NODE])
{
  double half[4][3]; /* Q(n)'g = -Q(g)'n */
  for (int k = 0; k < 3; k++) {
    double column[4];
    pc_rotation_rate(node_force, (const double[3]){k == 0, k == 1, k == 2}, column);
    for (int j = 0; j < 4; j++) half[j][k] = column[j];
  }
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 4; j++) block[3 + k][3 + j] -= half[j][k];
}

static void add_turning(const double w[3], double scale, double viscous[U_NODE][Q_NODE],
                        double block[U_NODE][Q_NODE])
{
  for (int c = 0; c < 4; c++) {
    double rate[4];
    pc_rotation_rate((const double[4]){c == 0, c == 1, c == 2, c == 3}, w, rate);
    for (int r = 0; r < U_NODE; r++)
      for (int k = 0; k < 4; k++) block[r][3 + c] += scale * viscous[r][3 + k] * rate[k];
  }
}

/* ---- a Gauss point -------------------------------------------------------------------------- */

/* A Gauss point of an element whose places are in `l`. */
typedef struct point {
  const beam* b;
  int g;
  const nodes* n;
  pc_section x;
  double rate[SIZE]; /* z', with damping */
  double stress[6];  /* with its viscous part */
  double viscous[6];
} point;

static void stress_of(point* p, const double* u, double* energy)
{
  const beam* b = p->b;
  double stored = 0;
  for (int k = 0; k < 6; k++) {
    double e = p->x.strain[k] - b->relaxed[p->g][k];
    p->stress[k] = b->stiffness[k] * e;
    p->viscous[k] = 0;
    stored += p->stress[k] * e / 2;
  }
  if (energy) *energy += b->shape.weight[p->g] * stored;
  if (!(b->damping > 0)) return;
  interpolate_rate(&b->shape, p->g, u, p->n, p->rate);
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < SIZE; i++)
      p->viscous[k] += b->damping * b->stiffness[k] * p->x.slope[k][i] * p->rate[i];
    p->stress[k] += p->viscous[k];
  }
}

/* C = e_z' C e_z */
static void material_tangent(const point* p, double C[SIZE][SIZE])
{
  memset(C, 0, SIZE * sizeof *C);
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < SIZE; i++) {
      double x = p->b->stiffness[k] * p->x.slope[k][i];
      for (int j = 0; j < SIZE; j++) C[i][j] += x * p->x.slope[k][j];
    }
}

/* K = C + n.e_zz, and with damping + tau e_z' C e_zz z' */
static void full_tangent(const point* p, double C[SIZE][SIZE], double K[SIZE][SIZE])
{
  pc_section_curvature(&p->x, p->stress, K);
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) K[i][j] += C[i][j];
  if (!(p->b->damping > 0)) return;
  double turned[6][SIZE];
  pc_section_slope_rate(&p->x, p->rate, turned);
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < SIZE; i++) {
      double x = p->b->damping * p->b->stiffness[k] * p->x.slope[k][i];
      for (int j = 0; j < SIZE; j++) K[i][j] += x * turned[k][j];
    }
}

static void force_of(const point* p, const double stress[6], double f[SIZE])
{
  for (int i = 0; i < SIZE; i++) {
    f[i] = 0;
    for (int k = 0; k < 6; k++) f[i] += stress[k] * p->x.slope[k][i];
  }
}

static void add_tangents(const point* p, double (*node_force)[4], const pc_local* l)
{
  const pc_beam_shape* s = &p->b->shape;
  double C[SIZE][SIZE], K[SIZE][SIZE], block[U_NODE][Q_NODE], viscous[U_NODE][Q_NODE];
  int q_width = Q_NODE * s->nodes, u_width = U_NODE * s->nodes, damped = p->b->damping > 0;
  material_tangent(p, C);
  if (l->h_q) full_tangent(p, C, K);
  for (int i = 0; i < s->nodes; i++)
    for (int j = 0; j < s->nodes; j++) {
      if (damped) spread_block(s, p->g, p->n, i, j, C, viscous);
      if (damped && l->h_u)
        put_over_u(p->n, j, p->b->damping, viscous, l->h_u + U_NODE * (i * u_width + j), u_width);
      if (!l->h_q) continue;
      spread_block(s, p->g, p->n, i, j, K, block);
      if (i == j) add_node_force(node_force[i], block);
      if (damped) add_turning(l->u + U_NODE * j + 3, p->b->damping, viscous, block);
      put_over_q(p->n, j, block, l->h_q + U_NODE * i * q_width + Q_NODE * j, q_width);
    }
}

static void add_point(const beam* b, int g, const nodes* n, const pc_local* l)
{
  point p = {.b = b, .g = g, .n = n};
  int tangents = l->h_q || (l->h_u && b->damping > 0);
  double f[SIZE], node_force[PC_BEAM_NODES][4], unused[U_NODE * PC_BEAM_NODES];
  interpolate(&b->shape, g, l->q, n, p.x.z);
  pc_section_strain(&p.x, l->h || l->f || tangents);
  stress_of(&p, l->u, l->energy ? &l->energy[1] : NULL);
  if (l->h || l->h_q) {
    force_of(&p, p.stress, f);
    spread_force(&b->shape, g, n, f, l->h ? l->h : unused, node_force);
  }
  if (l->f) {
    force_of(&p, p.viscous, f);
    spread_force(&b->shape, g, n, f, l->f, NULL);
  }
  if (tangents) add_tangents(&p, node_force, l);
}

/* ---- inertia -------------------------------------------------------------------------------- */

static void fill_mass(const beam* b, double* cell)
{
  int count = b->shape.nodes, width = U_NODE * count;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++)
      for (int k = 0; k < 3; k++) {
        double* at = cell + (U_NODE * i + k) * width + U_NODE * j + k;
        at[0] = b->line_mass * b->shape.mass[i][j];
        at[3 * width + 3] = b->line_inertia[k] * b->shape.mass[i][j];
      }
}

/* L_i = sum_j m_ij Theta w_j */
static void angular_momentum(const beam* b, int i, const double* u, double L[3])
{
  for (int k = 0; k < 3; k++) {
    L[k] = 0;
    for (int j = 0; j < b->shape.nodes; j++)
      L[k] += b->shape.mass[i][j] * b->line_inertia[k] * u[U_NODE * j + 3 + k];
  }
}

/* d(L_i x w_i): column k of w_j is m_ij (Theta e_k) x w_i, and L_i x e_k for j = i. */
static void add_gyroscopic(const beam* b, const double* u, double* cell)
{
  int count = b->shape.nodes, width = U_NODE * count;
  for (int i = 0; i < count; i++) {
    double L[3], column[3];
    angular_momentum(b, i, u, L);
    for (int j = 0; j < count; j++)
      for (int k = 0; k < 3; k++) {
        double* at = cell + (U_NODE * i + 3) * width + U_NODE * j + 3 + k;
        double axis[3] = {k == 0, k == 1, k == 2};
        if (i == j) {
          pc_cross(L, axis, column);
          for (int r = 0; r < 3; r++) at[r * width] += column[r];
        }
        axis[k] = b->shape.mass[i][j] * b->line_inertia[k];
        pc_cross(axis, u + U_NODE * i + 3, column);
        for (int r = 0; r < 3; r++) at[r * width] += column[r];
      }
  }
}

static void add_torques_and_weight(const beam* b, const double* u, double* h)
{
  for (int i = 0; i < b->shape.nodes; i++) {
    double L[3], torque[3];
    angular_momentum(b, i, u, L);
    pc_cross(L, u + U_NODE * i + 3, torque);
    for (int k = 0; k < 3; k++) {
      h[U_NODE * i + k] += b->line_mass * b->shape.load[i] * b->gravity[k];
      h[U_NODE * i + 3 + k] += torque[k];
    }
  }
}

static void add_motion_and_height(const beam* b, const double* q, const double* u, double* energy)
{
  int count = b->shape.nodes;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      double v = u[U_NODE * i + k], w = u[U_NODE * i + 3 + k];
      for (int j = 0; j < count; j++)
        energy[0] +=
            b->shape.mass[i][j] / 2 *
            (b->line_mass * v * u[U_NODE * j + k] + b->line_inertia[k] * w * u[U_NODE * j + 3 + k]);
      energy[1] -= b->line_mass * b->shape.load[i] * b->gravity[k] * q[Q_NODE * i + k];
    }
}

/* ---- the beam ------------------------------------------------------------------------------- */

/* The next element's places. */
static void advance(pc_local* l, int count)
{
  int steps = count - 1;
  l->q += Q_NODE * steps;
  l->u += U_NODE * steps;
  if (l->h) l->h += U_NODE * steps;
  if (l->f) l->f += U_NODE * steps;
  if (l->M) l->M += U_NODE * U_NODE * count * count;
  if (l->h_u) l->h_u += U_NODE * U_NODE * count * count;
  if (l->h_q) l->h_q += U_NODE * Q_NODE * count * count;
}

static void evaluate(const void* data, pc_local* local)
{
  const beam* b = data;
  pc_local l = *local;
  int count = b->shape.nodes, strained = l.h || l.f || l.h_q || l.h_u || l.energy;
  size_t squares = (size_t)count * (size_t)count;
  for (int c = 0; c < b->elements; c++) {
    nodes n;
    if (l.M) fill_mass(b, l.M);
    if (l.h) add_torques_and_weight(b, l.u, l.h);
    if (l.energy) add_motion_and_height(b, l.q, l.u, l.energy);
    if (l.h_q) memset(l.h_q, 0, U_NODE * Q_NODE * squares * sizeof *l.h_q);
    if (l.h_u) memset(l.h_u, 0, U_NODE * U_NODE * squares * sizeof *l.h_u);
    if (l.h_u) add_gyroscopic(b, l.u, l.h_u);
    if (strained) orient(b, l.q, &n);
    for (int g = 0; strained && g < b->shape.points; g++) add_point(b, g, &n, &l);
    advance(&l, count);
  }
}

static const pc_element_ops ops = {.kind = "beam", .evaluate = evaluate};

/* ---- adding --------------------------------------------------------------------------------- */

/* The strains of the first element, which are those of all on an arc. */
static void relax(beam* b, const pc_beam_def* def, const pc_beam_base* e)
{
  double q[Q_NODE * PC_BEAM_NODES], u[U_NODE];
  nodes n;
  for (int i = 0; i < b->shape.nodes; i++)
    pc_beam_place_node(def, e, (double)i / (b->shape.nodes - 1) / b->elements, q + Q_NODE * i, u);
  orient(b, q, &n);
  for (int g = 0; g < b->shape.points; g++) {
    pc_section x;
    interpolate(&b->shape, g, q, &n, x.z);
    pc_section_strain(&x, 0);
    memcpy(b->relaxed[g], x.strain, sizeof x.strain);
  }
}

static pc_status add_nodes(const pc_adding* a, const pc_beam_def* def, const pc_beam_base* e,
                           int last, pc_part_id* id)
{
  const pc_chain chain = {
      .kind = PC_PART_SPATIAL_BODY,
      .last = last,
      .q_width = Q_NODE,
      .u_width = U_NODE,
      .q_tail = (const char* const[]){"x", "y", "z", "qw", "qx", "qy", "qz"},
      .u_tail = (const char* const[]){"vx", "vy", "vz", "wx", "wy", "wz"},
      .q_unit = (const char* const[]){"m", "m", "m", "", "", "", ""},
      .u_unit = (const char* const[]){"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"},
      .kinematics = pc_spatial_kinematics,
      .retract = pc_spatial_retract,
  };
  for (int i = 0; i <= last; i++) {
    double q[Q_NODE], u[U_NODE];
    pc_beam_place_node(def, e, (double)i / last, q, u);
    PC_TRY(pc_add_chain_part(a, &chain, i, q, u, &id[i]));
  }
  return PC_OK;
}

static pc_status make_beam(const pc_adding* a, const pc_beam_def* def, const pc_beam_base* e,
                           beam* b)
{
  double E = def->modulus, G = E / (2 * (1 + def->poisson)), A = def->area;
  double I_3 = def->inertia, I_2 = def->inertia_2 > 0 ? def->inertia_2 : I_3;
  double J = def->torsion > 0 ? def->torsion : I_2 + I_3, shear = G * A * def->shear_factor;
  const double* g = pc_system_gravity(a->system);
  *b = (beam){
      .elements = def->elements,
      .shape = pc_beam_shape_of(def->nodes, e->length / def->elements),
      .stiffness = {E * A, shear, shear, G * J, E * I_2, E * I_3},
      .damping = def->damping,
      .line_mass = def->density * A,
      .line_inertia = {def->density * (I_2 + I_3), def->density * I_2, def->density * I_3},
      .gravity = {g[0], g[1], g[2]},
  };
  PC_TRY(pc_check_positive(a, "the mass of an element", b->line_mass * b->shape.weight[0]));
  for (int k = 0; k < 3; k++)
    PC_TRY(
        pc_check_positive(a, "the inertia of an element", b->line_inertia[k] * b->shape.weight[0]));
  relax(b, def, e);
  return PC_OK;
}

pc_status pc_add_spatial_beam(const pc_adding* a, const pc_beam_def* def, pc_part_id* id)
{
  pc_beam_base e;
  beam b;
  PC_TRY(pc_beam_find_base(a, def, &e));
  PC_TRY(make_beam(a, def, &e, &b));
  int last = def->elements * (def->nodes - 1);
  pc_part_id* node = pc_alloc((size_t)last + 1, sizeof *node);
  if (!node) return pc_no_memory(a->error);
  pc_status status = add_nodes(a, def, &e, last, node);
  if (status == PC_OK) {
    *id = node[0];
    unsigned damped = def->damping > 0 ? (unsigned)PC_TERM_F : 0u;
    pc_element_def element = {
        .ops = &ops,
        .part_count = last + 1,
        .part = node,
        .cells = {def->elements, U_NODE * (def->nodes - 1), U_NODE * def->nodes},
        .provides = PC_TERM_M | PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U | PC_TERM_ENERGY | damped,
        .constant = PC_TERM_M,
    };
    status = pc_add_copy(a, &element, &b, sizeof b);
  }
  free(node);
  return status;
}
