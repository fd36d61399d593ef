#include "elements/beam_section.h"

#include <string.h>

#include "base/rotation.h"

enum { D = PC_SECTION_D, P = PC_SECTION_P, R = PC_SECTION_R, SIZE = PC_SECTION_SIZE };

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* |P|^2 A(P) n = (p^2 - v.v) n + 2 (v.n) v + 2 p v x n, for P = (p, v) */
static void turn(const double p[4], const double n[3], double out[3])
{
  const double* v = p + 1;
  double square = p[0] * p[0] - dot(v, v), along = 2 * dot(v, n), across[3];
  pc_cross(v, n, across);
  for (int i = 0; i < 3; i++) out[i] = square * n[i] + along * v[i] + 2 * p[0] * across[i];
}

/* The gradient of phi = n . |P|^2 A(P)'D, which is D . |P|^2 A(P) n. */
static void slope_of_gamma(const double* z, const double n[3], double* out)
{
  const double *p = z + P, *v = p + 1, *d = z + D;
  double across[3], nd = dot(n, d), vd = dot(v, d), vn = dot(v, n);
  turn(p, n, out + D);
  pc_cross(n, d, across);
  out[P] += 2 * p[0] * nd + 2 * dot(v, across);
  for (int i = 0; i < 3; i++)
    out[P + 1 + i] += 2 * (n[i] * vd + d[i] * vn - v[i] * nd + p[0] * across[i]);
}

/* The gradient of psi = n . 2 Q(P)'R = 2 n . (p r - r_0 v - v x r), for R = (r_0, r). */
static void slope_of_kappa(const double* z, const double n[3], double* out)
{
  const double *p = z + P, *v = p + 1, *r = z + R + 1;
  double r_n[3], n_v[3];
  pc_cross(r, n, r_n);
  pc_cross(n, v, n_v);
  out[P] += 2 * dot(n, r);
  out[R] -= 2 * dot(n, v);
  for (int i = 0; i < 3; i++) {
    out[P + 1 + i] -= 2 * (z[R] * n[i] + r_n[i]);
    out[R + 1 + i] += 2 * (p[0] * n[i] - n_v[i]);
  }
}

void pc_section_strain(pc_section* s, int slopes)
{
  const double *z = s->z, *p = z + P;
  double A[9], m = 0;
  for (int i = 0; i < 4; i++) m += p[i] * p[i];
  s->square = m;
  pc_rotation_matrix(p, A);
  pc_rotation_apply_inverse(A, z + D, s->strain);
  double S[12];
  pc_rotation_turn(p, S);
  for (int k = 0; k < 3; k++) {
    s->strain[3 + k] = 0;
    for (int i = 0; i < 4; i++) s->strain[3 + k] += S[4 * k + i] * z[R + i];
  }
  if (!slopes) return;
  memset(s->slope, 0, sizeof s->slope);
  for (int k = 0; k < 6; k++) {
    const double axis[3] = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
    if (k < 3)
      slope_of_gamma(z, axis, s->slope[k]);
    else
      slope_of_kappa(z, axis, s->slope[k]);
    for (int i = 0; i < 4; i++) s->slope[k][P + i] -= 2 * s->strain[k] * p[i];
    for (int i = 0; i < SIZE; i++) s->slope[k][i] /= m;
  }
}

/* H[a + i][b + j] += scale * [n]x, and its transpose below the diagonal. */
static void add_cross(int a, int b, double scale, const double n[3], double H[SIZE][SIZE])
{
  const double X[3][3] = {{0, -n[2], n[1]}, {n[2], 0, -n[0]}, {-n[1], n[0], 0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      H[a + i][b + j] += scale * X[i][j];
      H[b + j][a + i] += scale * X[i][j];
    }
}

static void add_both(int i, int j, double value, double H[SIZE][SIZE])
{
  H[i][j] += value;
  H[j][i] += value;
}

/* phi_zz */
static void add_gamma(const double* z, const double n[3], double H[SIZE][SIZE])
{
  const double *p = z + P, *v = p + 1, *d = z + D;
  double n_d[3], v_n[3], nd = dot(n, d), vn = dot(v, n);
  pc_cross(n, d, n_d);
  pc_cross(v, n, v_n);
  H[P][P] += 2 * nd;
  for (int i = 0; i < 3; i++) {
    add_both(P, P + 1 + i, 2 * n_d[i], H);
    add_both(P, D + i, 2 * (p[0] * n[i] + v_n[i]), H);
    H[P + 1 + i][P + 1 + i] -= 2 * nd;
    add_both(D + i, P + 1 + i, 2 * vn, H);
    for (int j = 0; j < 3; j++) {
      H[P + 1 + i][P + 1 + j] += 2 * (n[i] * d[j] + d[i] * n[j]);
      add_both(D + i, P + 1 + j, 2 * (v[i] * n[j] - n[i] * v[j]), H);
    }
  }
  add_cross(D, P + 1, -2 * p[0], n, H);
}

/* psi_zz */
static void add_kappa(const double n[3], double H[SIZE][SIZE])
{
  for (int i = 0; i < 3; i++) {
    add_both(P, R + 1 + i, 2 * n[i], H);
    add_both(R, P + 1 + i, -2 * n[i], H);
  }
  add_cross(P + 1, R + 1, 2, n, H);
}

void pc_section_curvature(const pc_section* s, const double n[6], double H[SIZE][SIZE])
{
  const double* p = s->z + P;
  double along[SIZE] = {0}, total = 0;
  memset(H, 0, SIZE * sizeof *H);
  add_gamma(s->z, n, H);
  add_kappa(n + 3, H);
  for (int k = 0; k < 6; k++) {
    total += n[k] * s->strain[k];
    for (int i = 0; i < SIZE; i++) along[i] += n[k] * s->slope[k][i];
  }
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < 4; j++) add_both(i, P + j, -2 * along[i] * p[j], H);
  for (int i = 0; i < 4; i++) H[P + i][P + i] -= 2 * total;
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) H[i][j] /= s->square;
}

/* y_z is linear in z for kappa, and quadratic for Gamma, whose derivative along z' is therefore
 * y_z(z + z') - y_z(z) - y_z(z'). */
static void add_slope_rate(const pc_section* s, const double* rate, int k, double* out)
{
  const double axis[3] = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
  double both[SIZE], sum[SIZE] = {0}, old[SIZE] = {0}, new[SIZE] = {0};
  if (k >= 3) {
    slope_of_kappa(rate, axis, out);
    return;
  }
  for (int i = 0; i < SIZE; i++) both[i] = s->z[i] + rate[i];
  slope_of_gamma(both, axis, sum);
  slope_of_gamma(s->z, axis, old);
  slope_of_gamma(rate, axis, new);
  for (int i = 0; i < SIZE; i++) out[i] += sum[i] - old[i] - new[i];
}

void pc_section_slope_rate(const pc_section* s, const double rate[SIZE], double out[6][SIZE])
{
  const double *p = s->z + P, *r = rate + P;
  double m_rate = 2 * (p[0] * r[0] + p[1] * r[1] + p[2] * r[2] + p[3] * r[3]);
  memset(out, 0, 6 * sizeof *out);
  for (int k = 0; k < 6; k++) {
    double e_rate = 0;
    for (int i = 0; i < SIZE; i++) e_rate += s->slope[k][i] * rate[i];
    add_slope_rate(s, rate, k, out[k]);
    for (int i = 0; i < SIZE; i++) out[k][i] -= s->slope[k][i] * m_rate;
    for (int i = 0; i < 4; i++) out[k][P + i] -= 2 * (e_rate * p[i] + s->strain[k] * r[i]);
    for (int i = 0; i < SIZE; i++) out[k][i] /= s->square;
  }
}
