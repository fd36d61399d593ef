/* Rows in space. A part's share of the row of a direction e at an arm r is (e, A' (r x e)); with
 * derivatives by position and turning it is written out here, and taken to the coordinates of the
 * part that counts: those by turning times the 3 x 4 matrix pc_rotation_turn_inertial. */
#include "elements/geometry.h"

enum { N = PC_JET_SIZE };

/* Three numbers and their derivatives, line by line. */
typedef struct three {
  double v[3];
  double d[3][N];
} three;

static inline three three_of(int n, const pc_vec* x, double sign)
{
  three r = {.v = {sign * x->x.v, sign * x->y.v, sign * x->z.v}};
  for (int k = 0; k < n; k++) {
    r.d[0][k] = sign * x->x.d[k];
    r.d[1][k] = sign * x->y.d[k];
    r.d[2][k] = sign * x->z.d[k];
  }
  return r;
}

/* a x b */
static inline three cross(int n, const three* a, const three* b)
{
  static const int next[3] = {1, 2, 0}, last[3] = {2, 0, 1};
  three r;
  for (int i = 0; i < 3; i++) {
    int p = next[i], q = last[i];
    r.v[i] = a->v[p] * b->v[q] - a->v[q] * b->v[p];
    for (int k = 0; k < n; k++)
      r.d[i][k] =
          a->d[p][k] * b->v[q] + a->v[p] * b->d[q][k] - a->d[q][k] * b->v[p] - a->v[q] * b->d[p][k];
  }
  return r;
}

/* A' m in the frame of a body. Turning the body by phi takes A' m to A' (m - phi x m). */
static inline three to_body(int n, const double A[9], int counts, three m)
{
  if (n && counts) {
    m.d[1][3] += m.v[2], m.d[2][3] -= m.v[1];
    m.d[2][4] += m.v[0], m.d[0][4] -= m.v[2];
    m.d[0][5] += m.v[1], m.d[1][5] -= m.v[0];
  }
  three r;
  for (int i = 0; i < 3; i++) {
    r.v[i] = A[i] * m.v[0] + A[3 + i] * m.v[1] + A[6 + i] * m.v[2];
    for (int k = 0; k < n; k++)
      r.d[i][k] = A[i] * m.d[0][k] + A[3 + i] * m.d[1][k] + A[6 + i] * m.d[2][k];
  }
  return r;
}

/* Where a row begins. */
typedef struct target {
  double *W, *W_q; /* NULL: not wanted */
  int n_q;
} target;

/* Three entries from local velocity `first` on, with their derivatives by the part that counts. */
static inline void put(int n, pc_space s, const pc_pair* pair, target to, int first, const three* x)
{
  const pc_place* by = &pair->place[s.part];
  const double* S = s.turn[s.part].S;
  for (int i = 0; i < 3; i++) {
    if (to.W) to.W[first + i] = x->v[i];
    if (!n) continue;
    double* W_q = to.W_q + (first + i) * to.n_q + by->first;
    const double* d = x->d[i];
    for (int k = 0; k < 3; k++) W_q[k] = d[k];
    if (by->kind != PC_PART_SPATIAL_BODY) continue;
    for (int k = 0; k < 4; k++) W_q[3 + k] = d[3] * S[k] + d[4] * S[4 + k] + d[5] * S[8 + k];
  }
}

static inline target row_of(const pc_pair* pair, const pc_local* l, int row, int n)
{
  int n_u = pair->u_count, n_q = pair->q_count;
  return (target){l->W ? l->W + row * n_u : NULL, n ? l->W_q + row * n_u * n_q : NULL, n_q};
}

/* Inlined for n = 0 and n = N below. */
static inline void put_row(int n, pc_space s, const pc_pair* pair, const pc_local* l, int row,
                           const pc_vec* e, int plus, const pc_vec* const arm[2])
{
  target to = row_of(pair, l, row, n);
  for (int part = 0; part < 2; part++) {
    const pc_place* place = &pair->place[part];
    if (place->kind == PC_PLACE_GROUND) continue;
    three force = three_of(n, e, part == plus ? 1 : -1);
    put(n, s, pair, to, place->u_first, &force);
    if (place->kind != PC_PART_SPATIAL_BODY) continue;
    three r = three_of(n, arm[part], 1), m = cross(n, &r, &force);
    three torque = to_body(n, s.turn[part].A, part == s.part, m);
    put(n, s, pair, to, place->u_first + 3, &torque);
  }
}

void pc_put_spatial_row(pc_space s, const pc_pair* pair, const pc_local* l, int row, pc_vec e,
                        int plus, pc_vec plus_arm, pc_vec minus_arm)
{
  const pc_vec* const arm[2] = {plus ? &minus_arm : &plus_arm, plus ? &plus_arm : &minus_arm};
  if (s.n)
    put_row(N, s, pair, l, row, &e, plus, arm);
  else
    put_row(0, s, pair, l, row, &e, plus, arm);
}

/* (e, A' (r x e)) on each part. */
void pc_put_spatial_values(const pc_turn turn[2], const pc_pair* pair, const pc_local* l, int row,
                           const double e[3], int plus, const double arm0[3], const double arm1[3])
{
  if (!l->W) return;
  double* W = l->W + row * pair->u_count;
  for (int part = 0; part < 2; part++) {
    const pc_place* place = &pair->place[part];
    if (place->kind == PC_PLACE_GROUND) continue;
    double sign = part == plus ? 1 : -1, *w = W + place->u_first, m[3];
    for (int i = 0; i < 3; i++) w[i] = sign * e[i];
    if (place->kind != PC_PART_SPATIAL_BODY) continue;
    pc_cross(part ? arm1 : arm0, w, m);
    pc_rotation_apply_inverse(turn[part].A, m, w + 3);
  }
}

void pc_put_spatial_turning_row(pc_space s, const pc_pair* pair, const pc_local* l, int row,
                                pc_vec e, double scale, int plus)
{
  target to = row_of(pair, l, row, s.n);
  for (int part = 0; part < 2; part++) {
    const pc_place* place = &pair->place[part];
    if (place->kind != PC_PART_SPATIAL_BODY) continue;
    three m = three_of(s.n, &e, part == plus ? scale : -scale);
    three torque = to_body(s.n, s.turn[part].A, part == s.part, m);
    put(s.n, s, pair, to, place->u_first + 3, &torque);
  }
}

/* ---- friction ----------------------------------------------------------------------------- */

void pc_put_friction_jets(pc_space s, const pc_pair* pair, const pc_local* l,
                          const pc_friction* friction, pc_vec n, pc_vec t0, pc_vec t1, pc_vec arm0,
                          pc_vec arm1)
{
  pc_put_spatial_row(s, pair, l, 1, t0, 0, arm0, arm1);
  pc_put_spatial_row(s, pair, l, 2, t1, 0, arm0, arm1);
  if (friction->rows < 3) return;
  pc_put_spatial_turning_row(s, pair, l, 3, n, friction->drilling, 0);
}

void pc_put_friction_values(const pc_turn turn[2], const pc_pair* pair, const pc_local* l,
                            const pc_friction* friction, const pc_touch* at, const double t0[3],
                            const double t1[3])
{
  pc_put_spatial_values(turn, pair, l, 1, t0, 0, at->arm[0], at->arm[1]);
  pc_put_spatial_values(turn, pair, l, 2, t1, 0, at->arm[0], at->arm[1]);
  if (friction->rows < 3) return;
  pc_put_spatial_turning_row((pc_space){3, 0, 0, turn}, pair, l, 3, pc_vec_of(at->n),
                             friction->drilling, 0);
}

/* a_0 x + a_1 y + a_2 z for the axes a */
PC_INLINE pc_vec along_axes(pc_space s, const pc_friction* friction, pc_vec v)
{
  pc_vec r = pc_vec_times(s, pc_vec_of(friction->axis[0]), v.x);
  r = pc_vec_plus(s, r, 1, pc_vec_times(s, pc_vec_of(friction->axis[1]), v.y));
  return pc_vec_plus(s, r, 1, pc_vec_times(s, pc_vec_of(friction->axis[2]), v.z));
}

PC_INLINE void put_turning_friction(pc_space s, const pc_pair* pair, const pc_local* l,
                                    const pc_friction* friction, pc_vec n, pc_vec arm0, pc_vec arm1)
{
  pc_jet x = pc_vec_dot(s, n, pc_vec_of(friction->axis[0]));
  pc_jet y = pc_vec_dot(s, n, pc_vec_of(friction->axis[1]));
  pc_jet z = pc_vec_dot(s, n, pc_vec_of(friction->axis[2]));
  double sign = z.v > -0.5 ? 1 : -1;
  pc_jet a = pc_jet_inverse(s.n, pc_jet_affine(s.n, -1, z, -sign)); /* -1/(sign + z) */
  pc_jet xy = pc_jet_times(s.n, pc_jet_times(s.n, x, y), a);
  pc_jet xx = pc_jet_times(s.n, pc_jet_times(s.n, x, x), a);
  pc_jet yy = pc_jet_times(s.n, pc_jet_times(s.n, y, y), a);
  pc_vec t0 = {pc_jet_affine(s.n, sign, xx, 1), pc_jet_affine(s.n, sign, xy, 0),
               pc_jet_affine(s.n, -sign, x, 0)};
  pc_vec t1 = {xy, pc_jet_affine(s.n, 1, yy, sign), pc_jet_affine(s.n, -1, y, 0)};
  pc_put_spatial_friction(s, pair, l, friction, n, along_axes(s, friction, t0),
                          along_axes(s, friction, t1), arm0, arm1);
}

void pc_put_turning_friction_jets(pc_space s, const pc_pair* pair, const pc_local* l,
                                  const pc_friction* friction, pc_vec n, pc_vec arm0, pc_vec arm1)
{
  put_turning_friction((pc_space){3, N, s.part, s.turn}, pair, l, friction, n, arm0, arm1);
}

void pc_put_turning_friction_values(const pc_turn turn[2], const pc_pair* pair, const pc_local* l,
                                    const pc_friction* friction, const pc_touch* at)
{
  put_turning_friction((pc_space){3, 0, 0, turn}, pair, l, friction, pc_vec_of(at->n),
                       pc_vec_of(at->arm[0]), pc_vec_of(at->arm[1]));
}
