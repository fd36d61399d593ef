/* Rows of a contact with a floor. That along a fixed direction e, with e' = A'e and the arm r to
 * the contact point in the frame of the body, is (e, r x e'). Turning the body by theta, a vector
 * of its frame, moves
 *
 *     m by [m]x theta,   e' by [e']x theta,   r by R theta,  R = d(reach)/dm [m]x,
 *     r x e' by J theta,  J = -[e']x R + e' r' - (r . e') 1,
 *
 * and theta = S dp. Moving it changes nothing: those entries of W_q are zero and stay so. */
#include "elements/contact_floor.h"

enum { N_Q = 7, N_U = 6 };

/* The directions of the rows but drilling: the normal, then the tangents. */
typedef struct directions {
  int count;
  const double* fixed[3]; /* e */
  double turned[3][3];    /* e' */
} directions;

static inline directions directions_of(const pc_plane_contact* k, const pc_floor_view* v)
{
  const pc_friction* friction = &k->friction;
  directions e = {.count = friction->rows < 2 ? 1 + friction->rows : 3,
                  .fixed = {k->normal, friction->tangent[0], friction->tangent[1]}};
  for (int i = 0; i < 3; i++) e.turned[0][i] = v->m[i];
  for (int d = 1; d < e.count; d++) pc_rotation_apply_inverse(v->A, e.fixed[d], e.turned[d]);
  return e;
}

static inline void put_rows(const directions* e, const double r[3], double* W)
{
  for (int d = 0; d < e->count; d++, W += N_U) {
    for (int i = 0; i < 3; i++) W[i] = e->fixed[d][i];
    pc_cross(r, e->turned[d], W + 3);
  }
}

/* c = a b; all 3 x 3. */
static inline void product(const double a[9], const double b[9], double c[9])
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      c[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
}

/* a = scale [v]x */
static inline void skew(double scale, const double v[3], double a[9])
{
  double x = scale * v[0], y = scale * v[1], z = scale * v[2];
  const double matrix[9] = {0, -z, y, z, 0, -x, -y, x, 0};
  for (int i = 0; i < 9; i++) a[i] = matrix[i];
}

/* The torque's part of W_q of one row: J S. */
static inline void put_slope(const double J[9], const double S[12], double* W_q)
{
  W_q += 3 * N_Q + 3;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++)
      W_q[i * N_Q + k] = J[3 * i] * S[k] + J[3 * i + 1] * S[4 + k] + J[3 * i + 2] * S[8 + k];
}

static inline void put_slopes(const directions* e, const double r[3], const double R[9],
                              const double S[12], double* W_q)
{
  for (int d = 0; d < e->count; d++, W_q += N_U * N_Q) {
    const double* turned = e->turned[d];
    double minus[9], J[9], along = r[0] * turned[0] + r[1] * turned[1] + r[2] * turned[2];
    skew(-1, turned, minus);
    product(minus, R, J);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) J[3 * i + k] += turned[i] * r[k] - (i == k ? along : 0);
    put_slope(J, S, W_q);
  }
}

void pc_put_floor_contact(const pc_plane_contact* k, const pc_floor_view* v, const pc_support* s,
                          const pc_local* l)
{
  double r[3], height = -s->depth, drilling = k->friction.drilling;
  int drills = k->friction.rows == 3;
  for (int i = 0; i < 3; i++) {
    r[i] = k->centre[i] + s->reach[i];
    height += k->normal[i] * (l->q[i] - k->point[i]) + v->m[i] * k->centre[i];
  }
  if (l->y) l->y[0] = height;
  if (!l->W && !l->W_q) return;
  directions e = directions_of(k, v);
  if (l->W) put_rows(&e, r, l->W);
  for (int i = 0; l->W && drills && i < 3; i++) l->W[3 * N_U + 3 + i] = drilling * v->m[i];
  if (!l->W_q) return;
  double m[9], R[9], S[12];
  skew(1, v->m, m);
  product(s->slope, m, R);
  pc_rotation_turn(l->q + 3, S);
  put_slopes(&e, r, R, S, l->W_q);
  if (!drills) return;
  skew(drilling, v->m, m);
  put_slope(m, S, l->W_q + 3 * N_U * N_Q);
}
