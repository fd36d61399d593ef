#include "steps/stage_kinematics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "linalg/dense.h"
#include "system/element.h"

/* A part with q' = B(t,q) u + beta(t,q). */
typedef struct pc_own_kinematics {
  const pc_part* part;
  int lead;        /* coordinates in front with q' = u, that have no part in what follows */
  int n_q, n_u;    /* the others */
  double* B;       /* s matrices of the whole part */
  double* K;       /* s matrices of the whole part: dq'/dq */
  double* A;       /* (m n_q)^2: delta_ij I - dt a_ij K_j, factorised; i, j past the first stage */
  int* pivot;      /* m n_q */
  double* S;       /* (n n_u) columns of m n_q: dQ/dw */
  double* T;       /* s x n matrices of the whole part: B^+ S */
  double* scratch; /* m n_q, and n_u squared */
} own_kinematics;

static void destroy_own(own_kinematics* own)
{
  free(own->B);
  free(own->K);
  free(own->A);
  free(own->pivot);
  free(own->S);
  free(own->T);
  free(own->scratch);
}

static pc_status create_own(const pc_stage_kinematics* k, const pc_part* part, own_kinematics* own)
{
  size_t s = (size_t)k->s, m = (size_t)k->m, n = (size_t)k->n;
  size_t q = (size_t)part->q_count, u = (size_t)part->u_count;
  own->part = part;
  own->lead = part->kinematics.plain;
  own->n_q = part->q_count - own->lead;
  own->n_u = part->u_count - own->lead;
  own->B = pc_alloc(s * q * u, sizeof(double));
  own->K = pc_alloc(s * q * q, sizeof(double));
  own->A = pc_alloc(m * q * m * q + 3 * q, sizeof(double));
  own->pivot = pc_alloc(m * q, sizeof(int));
  own->S = pc_alloc(n * u * m * q, sizeof(double));
  own->T = pc_alloc(s * n * u * u, sizeof(double));
  own->scratch = pc_alloc(m * q + u * u, sizeof(double));
  return own->B && own->K && own->A && own->pivot && own->S && own->T && own->scratch
             ? PC_OK
             : PC_OUT_OF_MEMORY;
}

static pc_status create_own_parts(pc_stage_kinematics* k, pc_error* error)
{
  int parts = pc_system_part_count(k->system);
  k->own.of = pc_alloc((size_t)parts, sizeof(int));
  k->own.part = pc_alloc((size_t)parts, sizeof(own_kinematics));
  if (!k->own.of || !k->own.part) return pc_no_memory(error);
  for (int p = 0; p < parts; p++) {
    const pc_part* part;
    PC_TRY(pc_system_part(k->system, (pc_part_id){p}, &part, error));
    k->own.of[p] = -1;
    if (!part->kinematics.q_dot) continue;
    k->own.of[p] = k->own.count++;
    if (create_own(k, part, &k->own.part[k->own.of[p]]) != PC_OK) return pc_no_memory(error);
  }
  size_t pointers = (size_t)k->s * (size_t)k->own.count;
  k->own.B = pc_alloc(pointers, sizeof *k->own.B);
  k->own.T = pc_alloc(pointers, sizeof *k->own.T);
  if (!k->own.B || !k->own.T) return pc_no_memory(error);
  for (int i = 0; i < k->s; i++)
    for (int o = 0; o < k->own.count; o++) {
      const own_kinematics* own = &k->own.part[o];
      const pc_part* part = own->part;
      k->own.B[i * k->own.count + o] = own->B + i * part->q_count * part->u_count;
      k->own.T[i * k->own.count + o] = own->T + i * k->n * part->u_count * part->u_count;
    }
  return PC_OK;
}

static pc_status create_arrays(pc_stage_kinematics* k, pc_error* error)
{
  size_t s = (size_t)k->s, n = (size_t)k->n, n_q = (size_t)k->n_q, n_u = (size_t)k->n_u;
  int bad = 0;
  bad |= !(k->t = pc_alloc(s, sizeof(double)));
  bad |= !(k->v = pc_alloc(s * n, sizeof(double)));
  bad |= !(k->c = pc_alloc(s * n, sizeof(double)));
  bad |= !(k->Q = pc_alloc(s * n_q, sizeof(double)));
  bad |= !(k->V = pc_alloc(s * n_u, sizeof(double)));
  bad |= !(k->q_dot = pc_alloc(s * n_q, sizeof(double)));
  bad |= !(k->defect = pc_alloc(s * n_q, sizeof(double)));
  bad |= !(k->theta = pc_alloc(s * n_u, sizeof(double)));
  bad |= !(k->correction = pc_alloc(s * n_q, sizeof(double)));
  bad |= !(k->kept = pc_alloc(2 * (s - 1) * n_q, sizeof(double)));
  if (bad) return pc_no_memory(error);
  for (int i = 0; i < k->s; i++)
    for (int l = 0; l < k->n; l++)
      k->v[i * k->n + l] =
          k->n == k->s ? i == l : k->tableau->a_hat[i * k->s + l] / k->tableau->b[l];
  return PC_OK;
}

/* All of the motions but theta stays where it is. */
static pc_status create_motions(pc_stage_kinematics* k, pc_error* error)
{
  k->motion = pc_alloc((size_t)k->s, sizeof *k->motion);
  if (!k->motion) return pc_no_memory(error);
  for (int i = 0; i < k->s; i++)
    k->motion[i] = (pc_stage_motion){.m = k->n,
                                     .v = k->v + i * k->n,
                                     .c = i == 0 ? NULL : k->c + i * k->n,
                                     .own = k->own.of,
                                     .B = k->own.B + i * k->own.count,
                                     .T = k->own.T + i * k->own.count};
  return PC_OK;
}

pc_status pc_stage_kinematics_create(const pc_system* system, const pc_tableau* tableau,
                                     int free_velocities, pc_stage_kinematics** kinematics,
                                     pc_error* error)
{
  *kinematics = NULL;
  pc_stage_kinematics* k = pc_alloc(1, sizeof *k);
  if (!k) return pc_no_memory(error);
  k->system = system;
  k->tableau = tableau;
  k->s = tableau->s;
  k->m = tableau->s - 1;
  k->n = free_velocities ? k->s : k->m;
  k->n_q = pc_system_q_count(system);
  k->n_u = pc_system_u_count(system);
  pc_status status = create_arrays(k, error);
  if (status == PC_OK) status = create_own_parts(k, error);
  if (status == PC_OK) status = create_motions(k, error);
  if (status != PC_OK) {
    pc_stage_kinematics_destroy(k);
    return status;
  }
  *kinematics = k;
  return PC_OK;
}

void pc_stage_kinematics_destroy(pc_stage_kinematics* k)
{
  if (!k) return;
  for (int o = 0; k->own.part && o < k->own.count; o++) destroy_own(&k->own.part[o]);
  void* array[] = {k->t,
                   k->v,
                   k->c,
                   k->Q,
                   k->V,
                   k->q_dot,
                   k->defect,
                   k->theta,
                   k->own.of,
                   k->own.part,
                   (void*)k->own.B,
                   (void*)k->own.T,
                   k->motion,
                   k->correction,
                   k->kept};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(k);
}

/* B of a part at stage i. */
static void evaluate_B(const pc_stage_kinematics* k, const own_kinematics* own, int i)
{
  const pc_part* part = own->part;
  part->kinematics.B(part->user, k->t[i], k->Q + i * k->n_q + part->q_first,
                     own->B + i * part->q_count * part->u_count);
}

void pc_stage_kinematics_begin(pc_stage_kinematics* k, double t, double dt, const double* q)
{
  const pc_tableau* tableau = k->tableau;
  k->predicted = 0;
  for (int i = 0; i < k->s; i++) {
    k->t[i] = t + tableau->c[i] * dt;
    pc_copy(k->n_q, q, k->Q + (size_t)i * (size_t)k->n_q);
  }
  for (int o = 0; o < k->own.count; o++) evaluate_B(k, &k->own.part[o], 0);
  if (dt == k->dt) return;
  k->dt = dt;
  for (int i = 0; i < k->s; i++)
    for (int l = 0; l < k->n; l++) {
      double sum = 0;
      for (int j = 0; j < k->s; j++) sum += tableau->a[i * k->s + j] * k->v[j * k->n + l];
      k->c[i * k->n + l] = dt * sum;
    }
}

/* V of stage i: u + sum_l v_il w_l. */
PC_INLINE void combine_velocities(const pc_stage_kinematics* k, int i, int n, const double* u,
                                  const double* w)
{
  const double* v = k->v + i * n;
  double* V = k->V + i * k->n_u;
  if (n == k->s) { /* V of the stages are free: v is the identity */
    for (int j = 0; j < k->n_u; j++) V[j] = u[j] + w[i * k->n_u + j];
    return;
  }
  for (int j = 0; j < k->n_u; j++) {
    double sum = u[j];
    for (int l = 0; l < n; l++) sum += v[l] * w[l * k->n_u + j];
    V[j] = sum;
  }
}

/* What Q of the stages lacks, whose q' are given; returns the largest [m]. */
PC_INLINE double find_defects(pc_stage_kinematics* k, int s, const double* q_dot)
{
  int n_q = k->n_q;
  double largest = 0, size = 0;
  for (int i = 1; i < s; i++)
    for (int j = 0; j < n_q; j++) {
      double move = 0;
      for (int l = 0; l < s; l++) move += k->tableau->a[i * s + l] * q_dot[l * n_q + j];
      double defect = k->Q[j] + k->dt * move - k->Q[i * n_q + j];
      k->defect[i * n_q + j] = defect;
      double length = k->of_q ? k->of_q[j] : 1;
      largest = pc_larger(largest, length * fabs(defect));
      size = pc_larger(size, length * fabs(k->Q[i * n_q + j]));
    }
  k->has_defect = !(largest <= 2 * DBL_EPSILON * size); /* else it is round-off */
  return k->has_defect ? largest : 0;
}

/* With s stages and n increments, in loops of constant length where these are constants. */
PC_INLINE double evaluate(pc_stage_kinematics* k, int s, int n, const double* u, const double* w)
{
  for (int i = 0; i < s; i++) combine_velocities(k, i, n, u, w);
  if (k->own.count == 0) return find_defects(k, s, k->V); /* q' = u */
  for (int i = 0; i < s; i++)
    pc_system_q_dot(k->system, k->t[i], k->Q + i * k->n_q, k->V + i * k->n_u,
                    k->q_dot + i * k->n_q);
  return find_defects(k, s, k->q_dot);
}

double pc_stage_kinematics_evaluate(pc_stage_kinematics* k, const double* u, const double* w)
{
  if (k->predicted) { /* for this w: V is there, and the defect is round-off */
    k->predicted = k->has_defect = 0;
    return 0;
  }
  /* rattle, and lobatto as it is by default, in both forms */
  if (k->s == 2 && k->n == 1) return evaluate(k, 2, 1, u, w);
  if (k->s == 3 && k->n == 2) return evaluate(k, 3, 2, u, w);
  if (k->s == 3 && k->n == 3) return evaluate(k, 3, 3, u, w);
  return evaluate(k, k->s, k->n, u, w);
}

void pc_stage_kinematics_predict(pc_stage_kinematics* k, const double* u, const double* w)
{
  for (int pass = 0; pass < (k->own.count ? 2 : 1); pass++) {
    pc_stage_kinematics_evaluate(k, u, w);
    for (int i = k->n_q; i < k->s * k->n_q; i++) k->Q[i] += k->defect[i];
  }
  k->predicted = k->own.count == 0;
}

int pc_stage_kinematics_correct(pc_stage_kinematics* k, const double* u, const double* w)
{
  enum { PASSES = 64 };
  if (k->own.count == 0 || !k->has_defect) return 0;
  double left = HUGE_VAL, last;
  int pass = 0;
  do {
    last = left;
    for (int i = k->n_q; i < k->s * k->n_q; i++) k->Q[i] += k->defect[i];
    left = pc_stage_kinematics_evaluate(k, u, w);
  } while (left > 0 && left < last && ++pass < PASSES);
  return 1;
}

/* K = dq'/dq by central differences: exact for kinematics that are linear in q. */
static void difference_K(const own_kinematics* own, double t, const double* q, const double* u,
                         double* K, double* scratch)
{
  const pc_kinematics* kinematics = &own->part->kinematics;
  int n = own->part->q_count;
  double *at = scratch, *ahead = scratch + n, *back = scratch + 2 * n;
  pc_copy(n, q, at);
  for (int c = 0; c < n; c++) {
    double step = 1e-5 * (1 + fabs(q[c]));
    at[c] = q[c] + step;
    kinematics->q_dot(own->part->user, t, at, u, ahead);
    at[c] = q[c] - step;
    kinematics->q_dot(own->part->user, t, at, u, back);
    at[c] = q[c];
    for (int r = 0; r < n; r++) K[r * n + c] = (ahead[r] - back[r]) / (2 * step);
  }
}

/* B and K of a part at all stages but the first, whose Q is given. */
static void evaluate_own(const pc_stage_kinematics* k, own_kinematics* own)
{
  const pc_part* part = own->part;
  for (int i = 1; i < k->s; i++) {
    const double *q = k->Q + i * k->n_q + part->q_first, *u = k->V + i * k->n_u + part->u_first;
    double* K = own->K + i * part->q_count * part->q_count;
    evaluate_B(k, own, i);
    if (part->kinematics.q_dot_q)
      part->kinematics.q_dot_q(part->user, k->t[i], q, u, K);
    else
      difference_K(own, k->t[i], q, u, K, own->A);
  }
}

/* The part of a whole matrix that belongs to the coordinates past the leading ones. */
static const double* past_lead(const double* matrix, int lead, int columns)
{
  return matrix + lead * columns + lead;
}

/* What follows is inlined into linearise_sized(), for sizes that are constants there. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef struct sizes {
  int lead;
  int n_q, n_u; /* past them */
} sizes;

ALWAYS_INLINE void fill_A(const pc_stage_kinematics* k, own_kinematics* own, sizes of)
{
  int n = of.n_q, m = k->m, order = m * n, stride = of.lead + n;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      double scale = k->dt * k->tableau->a[(i + 1) * k->s + j + 1];
      const double* K = past_lead(own->K + (j + 1) * stride * stride, of.lead, stride);
      for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
          own->A[(i * n + r) * order + j * n + c] = (i == j && r == c) - scale * K[r * stride + c];
    }
}

/* S: the columns of dQ/dw. */
ALWAYS_INLINE void solve_own(const pc_stage_kinematics* k, own_kinematics* own, sizes of)
{
  int n = of.n_q, n_u = of.n_u, m = k->m, stride = of.lead + n_u;
  for (int l = 0; l < k->n; l++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < k->s; j++) {
        double f = k->dt * k->tableau->a[(i + 1) * k->s + j] * k->v[j * k->n + l];
        const double* B = past_lead(own->B + j * (of.lead + n) * stride, of.lead, stride);
        for (int u = 0; u < n_u; u++) {
          double* column = own->S + ((l * n_u + u) * m + i) * n;
          for (int r = 0; r < n; r++) column[r] = (j == 0 ? 0 : column[r]) + f * B[r * stride + u];
        }
      }
  for (int c = 0; c < k->n * n_u; c++) pc_lu_solve(m * n, own->A, own->pivot, own->S + c * m * n);
}

/* x (n_u) = (B'B)^-1 B' d with B'B factorised. */
ALWAYS_INLINE void into_velocities(sizes of, const double* B, const double* BB, const double* d,
                                   double* x)
{
  int stride = of.lead + of.n_u;
  for (int u = 0; u < of.n_u; u++) {
    double sum = 0;
    for (int r = 0; r < of.n_q; r++) sum += B[r * stride + u] * d[r];
    x[u] = sum;
  }
  pc_cholesky_solve(of.n_u, BB, x);
}

/* T at stage i: c_l I for the leading coordinates, B^+ S for the others. */
ALWAYS_INLINE void fill_T(const pc_stage_kinematics* k, own_kinematics* own, sizes of, int i,
                          const double* B, const double* BB)
{
  int n = of.n_q, n_u = of.n_u, m = k->m, lead = of.lead, stride = lead + n_u;
  double* x = own->scratch; /* n_u <= m n_q */
  for (int l = 0; l < k->n; l++) {
    double* T = own->T + (i * k->n + l) * stride * stride;
    for (int a = 0; a < lead; a++) T[a * stride + a] = k->c[i * k->n + l];
    for (int u = 0; u < n_u; u++) {
      into_velocities(of, B, BB, own->S + ((l * n_u + u) * m + i - 1) * n, x);
      for (int a = 0; a < n_u; a++) T[(lead + a) * stride + lead + u] = x[a];
    }
  }
}

/* T, and theta = B^+ defect, at every stage past the first. */
ALWAYS_INLINE pc_status project_own(const pc_stage_kinematics* k, own_kinematics* own, sizes of,
                                    pc_error* error)
{
  const pc_part* part = own->part;
  int n = of.n_q, n_u = of.n_u, lead = of.lead, stride = lead + n_u;
  double* BB = own->scratch + k->m * n;
  for (int i = 1; i < k->s; i++) {
    const double* B = past_lead(own->B + i * (lead + n) * stride, lead, stride);
    for (int a = 0; a < n_u; a++)
      for (int b = 0; b <= a; b++) {
        double sum = 0;
        for (int r = 0; r < n; r++) sum += B[r * stride + a] * B[r * stride + b];
        BB[a * n_u + b] = sum;
      }
    if (pc_cholesky_factor(n_u, BB) != PC_OK)
      return pc_fail(error, PC_SINGULAR, "B of '%s' has no full rank", part->name);
    fill_T(k, own, of, i, B, BB);
    const double* defect = k->defect + i * k->n_q + part->q_first;
    double* theta = k->theta + i * k->n_u + part->u_first;
    for (int a = 0; a < lead; a++) theta[a] = defect[a];
    into_velocities(of, B, BB, defect + lead, theta + lead);
  }
  return PC_OK;
}

/* The defect of the part once the equations of all its stages are taken together: A^-1 defect. */
ALWAYS_INLINE void correct_own(const pc_stage_kinematics* k, own_kinematics* own, sizes of)
{
  int n = of.n_q, first = own->part->q_first + of.lead;
  if (!k->has_defect) return;
  for (int i = 0; i < k->m; i++)
    pc_copy(n, k->defect + (i + 1) * k->n_q + first, own->scratch + i * n);
  pc_lu_solve(k->m * n, own->A, own->pivot, own->scratch);
  for (int i = 0; i < k->m; i++)
    pc_copy(n, own->scratch + i * n, k->defect + (i + 1) * k->n_q + first);
}

ALWAYS_INLINE pc_status linearise_sized(const pc_stage_kinematics* k, own_kinematics* own, sizes of,
                                        pc_error* error)
{
  fill_A(k, own, of);
  if (pc_lu_factor(k->m * of.n_q, own->A, own->pivot) != PC_OK)
    return pc_fail(error, PC_SINGULAR, "the kinematics of '%s' cannot be solved: dt is too long",
                   own->part->name);
  solve_own(k, own, of);
  correct_own(k, own, of);
  return project_own(k, own, of, error);
}

/* A rigid body, (x, p), gets loops of constant length, which the compiler unrolls. */
static pc_status linearise_own(const pc_stage_kinematics* k, own_kinematics* own, pc_error* error)
{
  evaluate_own(k, own);
  if (own->lead == 3 && own->n_q == 4 && own->n_u == 3)
    return linearise_sized(k, own, (sizes){3, 4, 3}, error);
  return linearise_sized(k, own, (sizes){own->lead, own->n_q, own->n_u}, error);
}

/* theta of parts with q' = u: the defect itself. */
static void copy_defect(pc_stage_kinematics* k)
{
  for (int p = 0; p < pc_system_part_count(k->system); p++) {
    const pc_part* part;
    if (k->own.of[p] >= 0 || pc_system_part(k->system, (pc_part_id){p}, &part, NULL) != PC_OK)
      continue;
    for (int i = 1; i < k->s; i++)
      pc_copy(part->u_count, k->defect + i * k->n_q + part->q_first,
              k->theta + i * k->n_u + part->u_first);
  }
}

void pc_stage_kinematics_keep_linear(pc_stage_kinematics* k)
{
  for (int i = 1; i < k->s; i++) k->motion[i].theta = NULL;
  k->has_correction = 0;
}

pc_status pc_stage_kinematics_linearise(pc_stage_kinematics* k, pc_error* error)
{
  for (int o = 0; o < k->own.count; o++) PC_TRY(linearise_own(k, &k->own.part[o], error));
  for (int i = 1; i < k->s; i++) k->motion[i].theta = k->has_defect ? k->theta + i * k->n_u : NULL;
  k->has_correction = k->has_defect;
  if (!k->has_defect) return PC_OK;
  pc_copy(k->s * k->n_q, k->defect, k->correction);
  if (k->own.count == 0)
    pc_copy(k->s * k->n_u, k->defect, k->theta);
  else
    copy_defect(k);
  return PC_OK;
}

static void advance_plain(pc_stage_kinematics* k, int q_first, int u_first, int count, double scale,
                          const double* dw)
{
  for (int i = 1; i < k->s; i++)
    for (int l = 0; l < k->n; l++) {
      double c = scale * k->c[i * k->n + l];
      double* Q = k->Q + i * k->n_q + q_first;
      const double* x = dw + l * k->n_u + u_first;
      for (int j = 0; j < count; j++) Q[j] += c * x[j];
    }
}

/* Q of a part with kinematics of its own. */
static void advance_own(pc_stage_kinematics* k, const own_kinematics* own, double scale,
                        const double* dw)
{
  const pc_part* part = own->part;
  int n = own->n_q, n_u = own->n_u, m = k->m;
  int q_first = part->q_first + own->lead, u_first = part->u_first + own->lead;
  advance_plain(k, part->q_first, part->u_first, own->lead, scale, dw);
  for (int l = 0; l < k->n; l++)
    for (int u = 0; u < n_u; u++) {
      double x = scale * dw[l * k->n_u + u_first + u];
      const double* column = own->S + (l * n_u + u) * m * n;
      for (int i = 0; i < m; i++)
        for (int r = 0; r < n; r++) k->Q[(i + 1) * k->n_q + q_first + r] += x * column[i * n + r];
    }
}

void pc_stage_kinematics_advance(pc_stage_kinematics* k, double scale, const double* dw)
{
  for (int i = k->n_q; k->has_correction && i < k->s * k->n_q; i++)
    k->Q[i] += scale * k->correction[i];
  if (k->own.count == 0) {
    advance_plain(k, 0, 0, k->n_u, scale, dw);
    return;
  }
  for (int p = 0; p < pc_system_part_count(k->system); p++) {
    const pc_part* part;
    if (pc_system_part(k->system, (pc_part_id){p}, &part, NULL) != PC_OK || part->within >= 0)
      continue;
    if (k->own.of[p] >= 0)
      advance_own(k, &k->own.part[k->own.of[p]], scale, dw);
    else
      advance_plain(k, part->q_first, part->u_first, part->u_count, scale, dw);
  }
}

static size_t kept_size(const pc_stage_kinematics* k)
{
  return (size_t)k->m * (size_t)k->n_q;
}

void pc_stage_kinematics_keep(pc_stage_kinematics* k, int slot)
{
  size_t size = kept_size(k);
  memcpy(k->kept + (size_t)slot * size, k->Q + k->n_q, size * sizeof *k->Q);
}

void pc_stage_kinematics_put_back(pc_stage_kinematics* k, int slot)
{
  size_t size = kept_size(k);
  memcpy(k->Q + k->n_q, k->kept + (size_t)slot * size, size * sizeof *k->Q);
}
