/* Rotations in space: quaternions, rotation matrices and rotation vectors.
 *
 * A quaternion p = (p_0, v) is scalar first. The rotation it stands for is that of p/|p|, so that
 * its length does not matter. A rotation matrix A (3 x 3, row-major) takes components in the turned
 * frame to those in the frame it turned from. Angular velocities w are in the turned frame:
 *     A' = A [w]x,   p' = Q(p) w/2,   w = 2 Q(p)' p'/|p|^2
 * with Q(p) = (-v'; p_0 1 + [v]x), for which Q'Q = |p|^2 1 and Q'p = 0: p' has no part along p, and
 * |p| stays what it is, also where p' is taken at the midpoint of a step. */
#ifndef PC_BASE_ROTATION_H
#define PC_BASE_ROTATION_H

/* A of p/|p|. */
static inline void pc_rotation_matrix(const double p[4], double A[9])
{
  double w = p[0], x = p[1], y = p[2], z = p[3];
  double s = 2 / (w * w + x * x + y * y + z * z);
  A[0] = 1 - s * (y * y + z * z);
  A[1] = s * (x * y - w * z);
  A[2] = s * (x * z + w * y);
  A[3] = s * (x * y + w * z);
  A[4] = 1 - s * (x * x + z * z);
  A[5] = s * (y * z - w * x);
  A[6] = s * (x * z - w * y);
  A[7] = s * (y * z + w * x);
  A[8] = 1 - s * (x * x + y * y);
}

/* p_dot = Q(p) w/2 */
static inline void pc_rotation_rate(const double p[4], const double w[3], double p_dot[4])
{
  p_dot[0] = -(p[1] * w[0] + p[2] * w[1] + p[3] * w[2]) / 2;
  p_dot[1] = (p[0] * w[0] + p[2] * w[2] - p[3] * w[1]) / 2;
  p_dot[2] = (p[0] * w[1] + p[3] * w[0] - p[1] * w[2]) / 2;
  p_dot[3] = (p[0] * w[2] + p[1] * w[1] - p[2] * w[0]) / 2;
}

/* Q(p)/2 (4 x 3): p_dot by w; and p_dot by p (4 x 4), in which it is linear too. Rows of a matrix
 * lie `stride` apart. */
static inline void pc_rotation_rate_w(const double p[4], double* matrix, int stride)
{
  double a = p[0] / 2, x = p[1] / 2, y = p[2] / 2, z = p[3] / 2;
  const double Q[4][3] = {{-x, -y, -z}, {a, -z, y}, {z, a, -x}, {-y, x, a}};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) matrix[i * stride + k] = Q[i][k];
}

static inline void pc_rotation_rate_p(const double w[3], double* matrix, int stride)
{
  double x = w[0] / 2, y = w[1] / 2, z = w[2] / 2;
  const double K[4][4] = {{0, -x, -y, -z}, {x, 0, z, -y}, {y, -z, 0, x}, {z, y, -x, 0}};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++) matrix[i * stride + k] = K[i][k];
}

/* S (3 x 4), which takes a change of p to the turn it means, as a vector of the turned frame:
 * S = 2 Q(p)'/|p|^2, so that w = S p'. */
static inline void pc_rotation_turn(const double p[4], double S[12])
{
  double s = 2 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  double w = s * p[0], x = s * p[1], y = s * p[2], z = s * p[3];
  const double turn[12] = {-x, w, z, -y, -y, -z, w, x, -z, y, -x, w};
  for (int i = 0; i < 12; i++) S[i] = turn[i];
}

/* The same as a vector of the frame it turned from: A S. */
static inline void pc_rotation_turn_inertial(const double p[4], double S[12])
{
  double s = 2 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  double w = s * p[0], x = s * p[1], y = s * p[2], z = s * p[3];
  const double turn[12] = {-x, w, -z, y, -y, z, w, -x, -z, -y, x, w};
  for (int i = 0; i < 12; i++) S[i] = turn[i];
}

/* y = A x and y = A' x; y must not be x. */
static inline void pc_rotation_apply(const double A[9], const double x[3], double y[3])
{
  for (int i = 0; i < 3; i++) y[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}

static inline void pc_rotation_apply_inverse(const double A[9], const double x[3], double y[3])
{
  for (int i = 0; i < 3; i++) y[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

/* c = a x b; c must not be a or b. */
static inline void pc_cross(const double a[3], const double b[3], double c[3])
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* r = a b, the rotation b seen from the frame that a turned; r may be a or b. */
void pc_quaternion_product(const double a[4], const double b[4], double r[4]);

/* The unit quaternion of a rotation vector v (turn by |v| about v), and the rotation vector, of
 * length pi at most, of a quaternion of any length. */
void pc_rotation_exp(const double v[3], double p[4]);
void pc_rotation_log(const double p[4], double v[3]);

/* The tangent of the exponential map: w = T(v) v' (3 x 3, row-major), in the turned frame. Its
 * inverse exists for |v| < 2 pi. */
void pc_rotation_tangent(const double v[3], double T[9]);
void pc_rotation_tangent_inverse(const double v[3], double T[9]);

/* Two unit vectors a, b with a x b = n for a unit vector n, after Duff et al., Building an
 * orthonormal basis, revisited, JCGT 6 (2017). For n = (0, 0, 1) they are (1, 0, 0), (0, 1, 0). */
void pc_basis_of(const double n[3], double a[3], double b[3]);

#endif
