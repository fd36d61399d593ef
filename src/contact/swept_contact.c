#include "contact/swept_contact.h"

#include "base/inline.h"

enum { WIDTH = PC_SWEPT_WIDTH, SPAN = PC_SWEPT_SPAN, ROWS = PC_SWEPT_ROWS };

/* Two numbers at a time: what every processor of today can do. */
typedef double pair __attribute__((vector_size(16), may_alias));

static inline pair load(const double* x)
{
  return *(const pair*)x;
}

static inline void store(pair x, double* to)
{
  *(pair*)to = x;
}

/* ---- preparation --------------------------------------------------------------------------- */

PC_INLINE double dot(int n, const double* x, const double* y)
{
  double sum = 0;
  for (int j = 0; j < n; j++) sum += x[j] * y[j];
  return sum;
}

static void take_block(int rows, int width, const double* G, const double* F, double* a)
{
  for (int r = 0; r < rows; r++)
    for (int q = 0; q < rows; q++) a[r * rows + q] = dot(width, G + r * width, F + q * width);
}

PC_INLINE double dot_of_pairs(int width, const double* x, const double* y)
{
  pair sum = load(x) * load(y);
  PC_UNROLL
  for (int i = 2; i < width; i += 2) sum += load(x + i) * load(y + i);
  return sum[0] + sum[1];
}

/* The same for bodies in space with friction in a plane, F = G. */
PC_INLINE void take_usual_block(int width, const double* G, double* a)
{
  const double *N = G, *T = G + width, *S = G + 2 * width;
  a[0] = dot_of_pairs(width, N, N);
  a[1] = a[3] = dot_of_pairs(width, T, N);
  a[2] = a[6] = dot_of_pairs(width, S, N);
  a[4] = dot_of_pairs(width, T, T);
  a[5] = a[7] = dot_of_pairs(width, S, T);
  a[8] = dot_of_pairs(width, S, S);
}

void pc_swept_contact_prepare(pc_swept_contact* k, const pc_swept_rows* r)
{
  const double *G = pc_swept_G(r, k), *F = pc_swept_F(r, k);
  double *a = pc_swept_block(r, k), sum = 0;
  if (k->usual == 2)
    take_usual_block(SPAN, G, a);
  else if (k->usual == 1)
    take_usual_block(WIDTH, G, a);
  else
    take_block(k->rows, pc_swept_width(k), G, F, a);
  for (int i = 0; i < k->rows; i++) sum += a[i * (k->rows + 1)];
  k->mass = sum > 0 ? k->rows / sum : 0;
  pc_local_contact_prepare(&k->local, k->rows, a);
}

/* ---- kernels of two numbers at a time ------------------------------------------------------ */

/* The velocities of the bodies of a usual contact. */
typedef struct velocities {
  pair v[WIDTH]; /* 3 of each body */
} velocities;

PC_INLINE void load_all(const pc_swept_contact* k, int bodies, const double* v, velocities* x)
{
  PC_UNROLL
  for (int i = 0; i < 3; i++) x->v[i] = load(v + k->body[0] + 2 * i);
  PC_UNROLL
  for (int i = 3; i < 3 * bodies; i++) x->v[i] = load(v + k->body[1] + 2 * i - WIDTH);
}

/* g . v: pairs with even and with odd numbers are two sums. */
PC_INLINE double product(int bodies, const double* g, const velocities* x)
{
  pair even = load(g) * x->v[0], odd = load(g + 2) * x->v[1];
  even += load(g + 4) * x->v[2];
  if (bodies == 2) {
    odd += load(g + 6) * x->v[3];
    even += load(g + 8) * x->v[4];
    odd += load(g + 10) * x->v[5];
  }
  even += odd;
  return even[0] + even[1];
}

/* v += G' d */
PC_INLINE void apply(const pc_swept_contact* k, int bodies, const double* G, const double* d,
                     const velocities* x, double* v)
{
  pair d_0 = {d[0], d[0]}, d_1 = {d[1], d[1]}, d_2 = {d[2], d[2]};
  int width = bodies * WIDTH;
  PC_UNROLL
  for (int i = 0; i < 3 * bodies; i++) {
    const double* g = G + 2 * i;
    pair sum = load(g) * d_0 + load(g + width) * d_1 + load(g + 2 * width) * d_2;
    store(x->v[i] + sum, v + (i < 3 ? k->body[0] + 2 * i : k->body[1] + 2 * i - WIDTH));
  }
}

/* ---- any contact --------------------------------------------------------------------------- */

PC_INLINE void usual_dual(const pc_swept_contact* k, int bodies, const pc_swept_rows* r, double* y)
{
  const double* G = pc_swept_G(r, k);
  velocities x;
  load_all(k, bodies, r->v, &x);
  for (int i = 0; i < 3; i++) y[i] = k->c[i] + product(bodies, G + i * bodies * WIDTH, &x);
}

void pc_swept_contact_dual(const pc_swept_contact* k, const pc_swept_rows* r, double* y)
{
  const double *G = pc_swept_G(r, k), *v = r->v;
  if (k->usual == 2) {
    usual_dual(k, 2, r, y);
    return;
  }
  if (k->usual == 1) {
    usual_dual(k, 1, r, y);
    return;
  }
  for (int i = 0; i < k->rows; i++) {
    y[i] = k->c[i];
    for (int b = 0; b < 2; G += k->size[b++])
      for (int j = 0; j < k->size[b]; j++) y[i] += G[j] * v[k->body[b] + j];
  }
}

PC_INLINE void usual_push(const pc_swept_contact* k, int bodies, const pc_swept_rows* r,
                          const double* d)
{
  velocities x;
  load_all(k, bodies, r->v, &x);
  apply(k, bodies, pc_swept_G(r, k), d, &x, r->v);
}

void pc_swept_contact_push(const pc_swept_contact* k, const pc_swept_rows* r, const double* d)
{
  const double* F = pc_swept_F(r, k);
  if (k->usual == 2) {
    usual_push(k, 2, r, d);
    return;
  }
  if (k->usual == 1) {
    usual_push(k, 1, r, d);
    return;
  }
  for (int i = 0; i < k->rows; i++)
    for (int b = 0; b < 2; F += k->size[b++])
      for (int j = 0; j < k->size[b]; j++) r->v[k->body[b] + j] += F[j] * d[i];
}

/* ---- the solution of one contact ----------------------------------------------------------- */

/* Where a direction of slip turns by less than this [rad], the next sweep has time for the rest. */
static const double last_turn = 1e-2;

/* From y, the dual at the impulses z: solves the contact with the others held, takes the solution
 * for z and its change for d. Returns whether there is some. */
PC_INLINE int solve(pc_swept_contact* k, int rows, const double* a, const double* y, double* d)
{
  double q[ROWS], z[ROWS];
  int moved = 0;
  for (int i = 0; i < rows; i++) {
    q[i] = y[i];
    for (int j = 0; j < rows; j++) q[i] -= a[i * rows + j] * k->z[j];
  }
  pc_local_contact_solve(&k->local, rows, k->mu, a, q, last_turn, z);
  for (int i = 0; i < rows; i++) {
    d[i] = z[i] - k->z[i];
    k->z[i] = z[i];
    moved |= d[i] != 0;
  }
  return moved;
}

static int solve_usual(pc_swept_contact* k, const double* y, double* d)
{
  return solve(k, 3, k->block, y, d);
}

/* A usual contact that stuck: d = -a^-1 y is all, if it goes on to stick. */
PC_INLINE int stick_on(pc_swept_contact* k, const double* y, double* d)
{
  double z[3];
  if (k->local.mode != PC_CONTACT_STICK || !k->local.is_regular) return 0;
  PC_UNROLL
  for (int i = 0; i < 3; i++) {
    const double* row = k->local.inverse + 3 * i;
    d[i] = -(row[0] * y[0] + row[1] * y[1] + row[2] * y[2]);
    z[i] = k->z[i] + d[i];
  }
  double radius = k->mu * z[0];
  if (!(z[0] > 0 && z[1] * z[1] + z[2] * z[2] <= radius * radius)) return 0;
  PC_UNROLL
  for (int i = 0; i < 3; i++) k->z[i] = z[i];
  return 1;
}

/* Without an impulse and opening, whatever the velocities along the tangents. */
PC_INLINE int stays_open(const pc_swept_contact* k, double y_N)
{
  return y_N >= 0 && k->z[0] == 0;
}

static void relax_any(pc_swept_contact* k, const pc_swept_rows* r)
{
  double y[ROWS], d[ROWS];
  pc_swept_contact_dual(k, r, y);
  if (solve(k, k->rows, pc_swept_block(r, k), y, d)) pc_swept_contact_push(k, r, d);
}

PC_INLINE void relax_usual(pc_swept_contact* k, int bodies, const pc_swept_rows* r)
{
  const double* G = pc_swept_G(r, k);
  velocities x;
  load_all(k, bodies, r->v, &x);
  double d[3], y[3] = {k->c[0] + product(bodies, G, &x)};
  if (stays_open(k, y[0])) return;
  y[1] = k->c[1] + product(bodies, G + bodies * WIDTH, &x);
  y[2] = k->c[2] + product(bodies, G + 2 * bodies * WIDTH, &x);
  if (stick_on(k, y, d) || solve_usual(k, y, d)) apply(k, bodies, G, d, &x, r->v);
}

static void relax_by_pairs(pc_swept_contact* k, int count, const pc_swept_rows* r)
{
  for (pc_swept_contact* end = k + count; k < end; k++) {
    if (k->usual == 2)
      relax_usual(k, 2, r);
    else if (k->usual == 1)
      relax_usual(k, 1, r);
    else
      relax_any(k, r);
  }
}

/* ---- kernels of four numbers at a time ----------------------------------------------------- */

#if defined(__x86_64__) && defined(__GNUC__)

#define WIDE        __attribute__((target("avx")))
#define WIDE_INLINE static inline __attribute__((always_inline, target("avx")))

/* Pairs with even numbers in its lower half, those with odd ones in its upper half. */
typedef double quad __attribute__((vector_size(32), aligned(16), may_alias));

/* The same at any place. */
typedef double loose_quad __attribute__((vector_size(32), aligned(8), may_alias));

WIDE_INLINE quad load_loose(const double* x)
{
  return *(const loose_quad*)x;
}

WIDE_INLINE quad load_4(const double* x)
{
  return *(const quad*)x;
}

/* g . v as two sums, whose sum is the product. */
WIDE_INLINE pair half_product(const double* g, const quad x[3])
{
  quad sum = load_4(g) * x[0];
  sum += load_4(g + 4) * x[1];
  sum += load_4(g + 8) * x[2];
  return (pair){sum[0], sum[1]} + (pair){sum[2], sum[3]};
}

WIDE_INLINE quad four_times(double x)
{
  return (quad){x, x, x, x};
}

WIDE_INLINE void push_4(const pc_swept_contact* k, const double* G, quad d, const quad x[3],
                        double* v)
{
  quad d_0 = four_times(d[0]), d_1 = four_times(d[1]), d_2 = four_times(d[2]), sum[3];
  PC_UNROLL
  for (int i = 0; i < 3; i++) {
    const double* g = G + 4 * i;
    sum[i] = x[i] + (load_4(g) * d_0 + load_4(g + SPAN) * d_1 + load_4(g + 2 * SPAN) * d_2);
  }
  *(quad*)(v + k->body[0]) = sum[0];
  store((pair){sum[1][0], sum[1][1]}, v + k->body[0] + 4);
  store((pair){sum[1][2], sum[1][3]}, v + k->body[1]);
  *(quad*)(v + k->body[1] + 2) = sum[2];
}

/* stick_on by columns of the inverse, which are its rows: the block is symmetric to the last bit,
 * and so is what invert_3 of local_contact.c makes of it. The fourth number means nothing. */
WIDE_INLINE int stick_on_4(pc_swept_contact* k, double y_N, pair y_T, quad* d)
{
  if (k->local.mode != PC_CONTACT_STICK || !k->local.is_regular) return 0;
  const double* inverse = k->local.inverse;
  *d = -(load_loose(inverse) * four_times(y_N) + load_loose(inverse + 3) * four_times(y_T[0]) +
         load_loose(inverse + 6) * four_times(y_T[1]));
  quad z = load_loose(k->z) + *d;
  double radius = k->mu * z[0];
  if (!(z[0] > 0 && z[1] * z[1] + z[2] * z[2] <= radius * radius)) return 0;
  PC_UNROLL
  for (int i = 0; i < 3; i++) k->z[i] = z[i];
  return 1;
}

WIDE_INLINE void relax_two(pc_swept_contact* k, const pc_swept_rows* r)
{
  const double *G = pc_swept_G(r, k), *v_0 = r->v + k->body[0], *v_1 = r->v + k->body[1];
  pair low = load(v_0 + 4), high = load(v_1);
  quad x[3] = {load_4(v_0), {low[0], low[1], high[0], high[1]}, load_4(v_1 + 2)}, d;
  pair half = half_product(G, x);
  double y_N = k->c[0] + (half[0] + half[1]);
  if (stays_open(k, y_N)) return;
  pair t = half_product(G + SPAN, x), s = half_product(G + 2 * SPAN, x);
  pair y_T = (pair){k->c[1], k->c[2]} + ((pair){t[0], s[0]} + (pair){t[1], s[1]});
  if (!stick_on_4(k, y_N, y_T, &d)) {
    double y[3] = {y_N, y_T[0], y_T[1]}, change[3];
    if (!solve_usual(k, y, change)) return;
    d = (quad){change[0], change[1], change[2], 0};
  }
  push_4(k, G, d, x, r->v);
}

WIDE static void relax_by_quads(pc_swept_contact* k, int count, const pc_swept_rows* r)
{
  for (pc_swept_contact* end = k + count; k < end; k++) {
    if (k->usual == 2)
      relax_two(k, r);
    else if (k->usual == 1)
      relax_usual(k, 1, r);
    else
      relax_any(k, r);
  }
}

int pc_swept_is_wide(void)
{
  return __builtin_cpu_supports("avx") != 0;
}

void pc_swept_contacts_relax(pc_swept_contact* k, int count, const pc_swept_rows* r, int wide)
{
  if (wide)
    relax_by_quads(k, count, r);
  else
    relax_by_pairs(k, count, r);
}

#else

int pc_swept_is_wide(void)
{
  return 0;
}

void pc_swept_contacts_relax(pc_swept_contact* k, int count, const pc_swept_rows* r, int wide)
{
  (void)wide;
  relax_by_pairs(k, count, r);
}

#endif
