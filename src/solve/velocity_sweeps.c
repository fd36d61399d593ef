#include "solve/velocity_sweeps.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "solve/local_contact.h"
#include "solve/natural_map.h"

enum {
  WIDTH = 6,        /* the most velocities of a body */
  SPAN = 2 * WIDTH, /* entries of a row over both bodies */
  ROWS = PC_CONE_ROWS_MAX,
  COLOURS = 64,       /* more contacts on one body than this are done one after the other, */
  LAST = COLOURS - 1, /* in this colour */
  SHARED_LEAST = 192  /* contacts of a colour, or bodies, that are worth sharing among threads */
};

/* Its block a (rows x rows) and its rows G (rows x width) lie in a pool, in the order of the sweeps. */
typedef struct contact {
  int rows, width; /* of both bodies together; 0 to SPAN */
  int body[2];     /* where its velocities begin in v, -1: ground */
  int index;       /* as it was given */
  int size[2];     /* velocities of each body */
  double mu;
  double mass; /* see pc_velocity_sweeps_mass */
  size_t place;
  double z[ROWS], c[ROWS];
  pc_local_contact local;
} contact;

/* A block of the tangent that some contact touches. A^-1 = L U, with the same diagonal of both; mostly that is all. */
typedef struct body {
  int first, size;    /* of its velocities */
  int at;             /* where these are in v: at an even place, so that pairs are aligned */
  int factors;        /* where its L and U begin among all, in units of FACTORS, or ... */
  uint64_t colours;   /* of the contacts on it */
  double root[WIDTH]; /* the diagonal of L and U */
} body;

enum {
  FACTORS = 2 * WIDTH * WIDTH, /* numbers of L and U */
  DIAGONAL = -1,               /* ... L = U is diagonal, */
  SINGULAR = -2                /* ... or there are none */
};

struct pc_velocity_sweeps {
  pc_threads* threads;
  const pc_assembly* tangent;
  const pc_cone* cone;
  const pc_row* row;
  int contact_count, body_count, velocity_count, symmetric;
  int first[COLOURS + 1]; /* where the contacts of a colour begin */
  size_t contact_capacity, component_capacity, velocity_capacity, pool_capacity, force_capacity;
  contact* contact; /* colour by colour */
  double* pool;     /* a and G of the contacts, one after the other */
  double* F;        /* as long as the pool, rows where G has its own; only where it is not G */
  int* colour;      /* by index */
  int (*pair)[2];   /* by index: the bodies, -1: none */
  int* place;       /* by index: where it is among the contacts */
  body* body;
  double* factors; /* FACTORS numbers of each body whose block is not diagonal */
  size_t factor_capacity;
  int* body_of;      /* by component, -1: none */
  int* component_of; /* by body */
  double* v;
  const double* given_c; /* of the solve at hand */
  double *u, *P;
  double* worst; /* by worker: of the residual, and its scale */
  double* load;
};

/* ---- creation ------------------------------------------------------------------------------ */

pc_status pc_velocity_sweeps_create(pc_threads* threads, pc_velocity_sweeps** sweeps,
                                    pc_error* error)
{
  pc_velocity_sweeps* s = *sweeps = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->threads = threads;
  s->worst = pc_alloc((size_t)pc_threads_size(threads), sizeof *s->worst);
  s->load = pc_alloc((size_t)pc_threads_size(threads), sizeof *s->load);
  if (s->worst && s->load) return PC_OK;
  pc_velocity_sweeps_destroy(s);
  *sweeps = NULL;
  return pc_no_memory(error);
}

void pc_velocity_sweeps_destroy(pc_velocity_sweeps* s)
{
  if (!s) return;
  void* array[] = {s->factors, s->contact, s->pool,         s->F, s->colour, s->place, s->pair,
                   s->body,    s->body_of, s->component_of, s->v, s->worst,  s->load};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(s);
}

static pc_status reserve(pc_velocity_sweeps* s, int contact_count)
{
  const pc_array by_contact[] = {PC_ARRAY(s->contact), PC_ARRAY(s->colour), PC_ARRAY(s->place),
                                 PC_ARRAY(s->pair)};
  const pc_array by_component[] = {PC_ARRAY(s->body), PC_ARRAY(s->body_of),
                                   PC_ARRAY(s->component_of)};
  const pc_array by_velocity = PC_ARRAY(s->v);
  PC_TRY(pc_reserve_arrays(4, by_contact, &s->contact_capacity, (size_t)contact_count));
  PC_TRY(pc_reserve_arrays(3, by_component, &s->component_capacity,
                           (size_t)pc_assembly_component_count(s->tangent)));
  return pc_reserve_arrays(1, &by_velocity, &s->velocity_capacity,
                           2 * (size_t)pc_assembly_order(s->tangent));
}

/* ---- bodies and colours -------------------------------------------------------------------- */

/* The body whose velocities begin at an index, or NULL where they are not a block of their own. */
static body* body_at(pc_velocity_sweeps* s, int first)
{
  int place, component = pc_assembly_component_of(s->tangent, first, &place);
  int size = pc_assembly_component_order(s->tangent, component);
  if (place != 0 || size > WIDTH) return NULL;
  if (pc_assembly_component_members(s->tangent, component)[size - 1] != first + size - 1)
    return NULL;
  if (s->body_of[component] < 0) {
    s->component_of[s->body_count] = component;
    s->body[s->body_count] = (body){.first = first, .size = size, .at = s->velocity_count};
    s->velocity_count += size + size % 2;
    s->body_of[component] = s->body_count++;
  }
  return &s->body[s->body_of[component]];
}

/* The bodies that a row touches, one or two: a run may be that of both. -1: they are not free bodies. */
static int bodies_of(pc_velocity_sweeps* s, pc_row row, body* of[2])
{
  int count = 0;
  for (int b = 0; b < row.block_count; b++) {
    int at = row.block[b].first, end = at + row.block[b].width;
    while (at < end) {
      if (count == 2 || !(of[count] = body_at(s, at))) return -1;
      at += of[count++]->size;
    }
    if (at != end) return -1;
  }
  return count;
}

/* The first colour that no contact on these bodies has; the last one may be shared. */
static int choose_colour(body* const* of, int count)
{
  uint64_t taken = 0;
  int colour = 0;
  for (int i = 0; i < count; i++) taken |= of[i]->colours;
  while (colour < LAST && taken >> colour & 1) colour++;
  for (int i = 0; i < count; i++) of[i]->colours |= (uint64_t)1 << colour;
  return colour;
}

/* Returns 0 if some contact touches what is not a free body. */
static int colour_contacts(pc_velocity_sweeps* s)
{
  int count[COLOURS] = {0};
  for (int k = 0; k < s->contact_count; k++) {
    body* of[2];
    int bodies = bodies_of(s, s->row[s->cone[k].row], of);
    if (bodies < 0) return 0;
    for (int b = 0; b < 2; b++) s->pair[k][b] = b < bodies ? (int)(of[b] - s->body) : -1;
    s->colour[k] = choose_colour(of, bodies);
    count[s->colour[k]]++;
  }
  s->first[0] = 0;
  for (int i = 0; i < COLOURS; i++) s->first[i + 1] = s->first[i] + count[i];
  memset(count, 0, sizeof count);
  for (int k = 0; k < s->contact_count; k++) {
    int colour = s->colour[k];
    s->place[k] = s->first[colour] + count[colour]++;
    s->contact[s->place[k]].index = k;
  }
  return 1;
}

/* Of a body whose block is not diagonal, else NULL. */
static const double* L_of(const pc_velocity_sweeps* s, const body* of)
{
  return of->factors < 0 ? NULL : s->factors + (size_t)of->factors * FACTORS;
}

static const double* U_of(const pc_velocity_sweeps* s, const body* of)
{
  return L_of(s, of) + WIDTH * WIDTH;
}

/* A^-1 = L U with equal diagonals of both factors; 0 if a pivot is not positive. */
static int factor_inverse(int n, const double* inverse, double* L, double* U)
{
  double M[WIDTH * WIDTH];
  memcpy(M, inverse, (size_t)(n * n) * sizeof *M);
  memset(L, 0, WIDTH * WIDTH * sizeof *L);
  memset(U, 0, WIDTH * WIDTH * sizeof *U);
  for (int k = 0; k < n; k++) {
    double root = sqrt(M[k * n + k]);
    if (!(root > 0)) return 0;
    for (int i = k; i < n; i++) {
      L[i * n + k] = M[i * n + k] / root;
      U[k * n + i] = M[k * n + i] / root;
    }
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++) M[i * n + j] -= L[i * n + k] * U[k * n + j];
  }
  return 1;
}

/* A diagonal block, as that of a sphere, is soon inverted. */
static int is_diagonal(int n, const double* A)
{
  for (int i = 0; A && i < n; i++)
    for (int j = 0; j < n; j++)
      if (i == j ? !(A[i * n + j] > 0) : A[i * n + j] != 0) return 0;
  return A != NULL;
}

static void invert_diagonals(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int b = first; b < last; b++) {
    body* of = &s->body[b];
    const double* A = pc_assembly_component_entries(s->tangent, s->component_of[b]);
    of->factors = is_diagonal(of->size, A) ? DIAGONAL : 0;
    for (int i = 0; i < of->size && of->factors == DIAGONAL; i++)
      of->root[i] = 1 / sqrt(A[i * (of->size + 1)]);
  }
}

static void invert_others(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int b = first; b < last; b++) {
    body* of = &s->body[b];
    int n = of->size;
    if (of->factors == DIAGONAL) continue;
    double inverse[WIDTH * WIDTH], column[WIDTH], *L = s->factors + (size_t)of->factors * FACTORS;
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) column[i] = i == j;
      pc_assembly_solve_component(s->tangent, s->component_of[b], column);
      for (int i = 0; i < n; i++) inverse[i * n + j] = column[i];
    }
    if (!factor_inverse(n, inverse, L, L + WIDTH * WIDTH)) of->factors = SINGULAR;
    for (int i = 0; i < n; i++) of->root[i] = L[i * (n + 1)];
  }
}

/* Whether L = U' for all bodies. */
static int is_symmetric(const pc_velocity_sweeps* s)
{
  for (int b = 0; b < s->body_count; b++) {
    int n = s->body[b].size;
    if (s->body[b].factors == DIAGONAL) continue;
    const double *L = L_of(s, &s->body[b]), *U = U_of(s, &s->body[b]);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++)
        if (L[i * n + j] != U[j * n + i]) return 0;
  }
  return 1;
}

/* *fits: all blocks have factors. */
static pc_status factor_bodies(pc_velocity_sweeps* s, int* fits)
{
  const pc_array factors = {&s->factors, FACTORS * sizeof *s->factors};
  int others = 0;
  pc_threads_run(s->threads, s->body_count, SHARED_LEAST, invert_diagonals, s);
  for (int b = 0; b < s->body_count; b++)
    if (s->body[b].factors != DIAGONAL) s->body[b].factors = others++;
  PC_TRY(pc_reserve_arrays(1, &factors, &s->factor_capacity, (size_t)others));
  if (others) pc_threads_run(s->threads, s->body_count, SHARED_LEAST, invert_others, s);
  for (int b = 0; b < s->body_count; b++)
    if (s->body[b].factors == SINGULAR) return PC_OK;
  s->symmetric = is_symmetric(s);
  *fits = 1;
  return PC_OK;
}

/* ---- rows ---------------------------------------------------------------------------------- */

PC_INLINE void scale(int n, const double* w, const double* root, double* g)
{
  for (int j = 0; j < n; j++) g[j] = w[j] * root[j];
}

/* g = w L, or f = w U', of one body. */
static inline void times_L(const pc_velocity_sweeps* s, const body* of, const double* w, double* g)
{
  int n = of->size;
  if (of->factors == DIAGONAL) {
    if (n == WIDTH)
      scale(WIDTH, w, of->root, g);
    else
      scale(n, w, of->root, g);
    return;
  }
  const double* L = L_of(s, of);
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = j; i < n; i++) sum += w[i] * L[i * n + j];
    g[j] = sum;
  }
}

static void times_U(const pc_velocity_sweeps* s, const body* of, const double* w, double* f)
{
  int n = of->size;
  if (of->factors == DIAGONAL) {
    scale(n, w, of->root, f);
    return;
  }
  const double* U = U_of(s, of);
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = j; i < n; i++) sum += w[i] * U[j * n + i];
    f[j] = sum;
  }
}

/* Two numbers at a time: what every processor of today can do, in an order of summation that is written down here. */
typedef double pair __attribute__((vector_size(16), may_alias));

static inline pair load(const double* x)
{
  return *(const pair*)x;
}

/* Numbers of the block a, made even: what follows it is aligned as it is. */
static inline int block_size(int rows)
{
  return rows * rows + rows * rows % 2;
}

static inline const double* block_of(const pc_velocity_sweeps* s, const contact* k)
{
  return s->pool + k->place;
}

static inline const double* rows_of(const pc_velocity_sweeps* s, const contact* k)
{
  return s->pool + k->place + block_size(k->rows);
}

static inline const double* force_of(const pc_velocity_sweeps* s, const contact* k)
{
  return (s->symmetric ? s->pool : s->F) + k->place + block_size(k->rows);
}

/* The sizes of all contacts and their places in the pool; returns the size of the pool. */
static size_t lay_out_contacts(pc_velocity_sweeps* s)
{
  size_t place = 0;
  for (int i = 0; i < s->contact_count; i++) {
    contact* k = &s->contact[i];
    const pc_cone* cone = &s->cone[k->index];
    k->rows = 1 + cone->dimension;
    k->mu = cone->mu;
    k->width = 0;
    for (int b = 0; b < 2; b++) {
      int own = s->pair[k->index][b];
      k->body[b] = own >= 0 ? s->body[own].at : -1;
      k->size[b] = own >= 0 ? s->body[own].size : 0;
      k->width += k->size[b];
    }
    int rows = k->rows * k->width;
    k->place = place;
    place += (size_t)(block_size(k->rows) + rows + rows % 2);
  }
  return place;
}

static pc_status reserve_pool(pc_velocity_sweeps* s)
{
  const pc_array pool = PC_ARRAY(s->pool), force = PC_ARRAY(s->F);
  size_t size = lay_out_contacts(s);
  PC_TRY(pc_reserve_arrays(1, &pool, &s->pool_capacity, size));
  return s->symmetric ? PC_OK : pc_reserve_arrays(1, &force, &s->force_capacity, size);
}

static void take_rows(pc_velocity_sweeps* s, const contact* k)
{
  const int* own = s->pair[k->index];
  size_t at = k->place + (size_t)block_size(k->rows);
  for (int r = 0; r < k->rows; r++) {
    const double* w = s->row[s->cone[k->index].row + r].w;
    for (int b = 0; b < 2 && own[b] >= 0; at += (size_t)k->size[b], w += k->size[b++]) {
      times_L(s, &s->body[own[b]], w, s->pool + at);
      if (!s->symmetric) times_U(s, &s->body[own[b]], w, s->F + at);
    }
  }
}

PC_INLINE double dot(int n, const double* x, const double* y)
{
  double sum = 0;
  for (int j = 0; j < n; j++) sum += x[j] * y[j];
  return sum;
}

/* a = G F' */
static void take_block(int rows, int width, const double* G, const double* F, double* a)
{
  for (int r = 0; r < rows; r++)
    for (int q = 0; q < rows; q++) a[r * rows + q] = dot(width, G + r * width, F + q * width);
}

/* The same for two bodies in space with friction in a plane, F = G. */
static void take_usual_block(const double* G, double* a)
{
  for (int r = 0; r < 3; r++)
    for (int q = 0; q <= r; q++) {
      pair sum = {0, 0};
      for (int i = 0; i < SPAN; i += 2) sum += load(G + r * SPAN + i) * load(G + q * SPAN + i);
      a[3 * r + q] = a[3 * q + r] = sum[0] + sum[1];
    }
}

static void take_contacts(void* user, int worker, int from, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int i = from; i < last; i++) {
    contact* k = &s->contact[i];
    take_rows(s, k);
    const double *G = rows_of(s, k), *F = force_of(s, k);
    double *a = s->pool + k->place, sum = 0;
    if (k->rows == 3 && k->width == SPAN && s->symmetric)
      take_usual_block(G, a);
    else
      take_block(k->rows, k->width, G, F, a);
    for (int r = 0; r < k->rows; r++) sum += a[r * (k->rows + 1)];
    k->mass = sum > 0 ? k->rows / sum : 0;
    pc_local_contact_prepare(&k->local, k->rows, a);
  }
}

pc_status pc_velocity_sweeps_set(pc_velocity_sweeps* s, const pc_assembly* tangent,
                                 int contact_count, const pc_cone* cone, const pc_row* row,
                                 int* fits, pc_error* error)
{
  s->tangent = tangent;
  s->cone = cone;
  s->row = row;
  s->contact_count = contact_count;
  s->body_count = s->velocity_count = 0;
  *fits = 0;
  if (reserve(s, contact_count) != PC_OK) return pc_no_memory(error);
  int components = pc_assembly_component_count(tangent);
  for (int i = 0; i < components; i++) s->body_of[i] = -1;
  if (!colour_contacts(s)) return PC_OK;
  if (factor_bodies(s, fits) != PC_OK) return pc_no_memory(error);
  if (!*fits) return PC_OK;
  if (reserve_pool(s) != PC_OK) return pc_no_memory(error);
  pc_threads_run(s->threads, contact_count, SHARED_LEAST, take_contacts, s);
  return PC_OK;
}

double pc_velocity_sweeps_mass(const pc_velocity_sweeps* s, int index)
{
  return s->contact[s->place[index]].mass;
}

/* ---- one contact --------------------------------------------------------------------------- */

/* A body in space, or two of them, with friction in a plane. */
static inline int is_usual(const contact* k)
{
  return k->rows == 3 && k->size[0] == WIDTH && (k->size[1] == WIDTH || k->size[1] == 0);
}

/* The velocities of the bodies of a usual contact, as pairs. */
typedef struct usual {
  int count; /* pairs: 3 of each body */
  pair v[WIDTH];
} usual;

PC_INLINE usual load_usual(const contact* k, int bodies, const double* v)
{
  usual x = {.count = bodies * WIDTH / 2};
  PC_UNROLL
  for (int i = 0; i < x.count; i++)
    x.v[i] = load(v + k->body[i >= WIDTH / 2] + 2 * (i % (WIDTH / 2)));
  return x;
}

/* y = c + G v */
PC_INLINE void usual_dual(const contact* k, const double* G, const usual* x, double* y)
{
  PC_UNROLL
  for (int r = 0; r < 3; r++, G += 2 * x->count) {
    pair sum = {0, 0};
    PC_UNROLL
    for (int i = 0; i < x->count; i++) sum += load(G + 2 * i) * x->v[i];
    y[r] = k->c[r] + (sum[0] + sum[1]);
  }
}

/* v += F' d */
PC_INLINE void usual_impulse(const contact* k, const double* F, const double* d, const usual* x,
                             double* v)
{
  pair d_0 = {d[0], d[0]}, d_1 = {d[1], d[1]}, d_2 = {d[2], d[2]};
  int width = 2 * x->count;
  PC_UNROLL
  for (int i = 0; i < x->count; i++) {
    const double* f = F + 2 * i;
    *(pair*)(v + k->body[i >= WIDTH / 2] + 2 * (i % (WIDTH / 2))) =
        x->v[i] + (load(f) * d_0 + load(f + width) * d_1 + load(f + 2 * width) * d_2);
  }
}

/* The same for any contact. */
static void dual_of(const contact* k, const double* G, const double* v, double* y)
{
  if (is_usual(k)) {
    usual x = load_usual(k, k->size[1] ? 2 : 1, v);
    usual_dual(k, G, &x, y);
    return;
  }
  for (int r = 0; r < k->rows; r++) {
    y[r] = k->c[r];
    for (int b = 0; b < 2; G += k->size[b++])
      for (int i = 0; i < k->size[b]; i++) y[r] += G[i] * v[k->body[b] + i];
  }
}

static void add_impulse(const contact* k, const double* F, const double* d, double* v)
{
  if (is_usual(k)) {
    usual x = load_usual(k, k->size[1] ? 2 : 1, v);
    usual_impulse(k, F, d, &x, v);
    return;
  }
  for (int r = 0; r < k->rows; r++)
    for (int b = 0; b < 2; F += k->size[b++])
      for (int i = 0; i < k->size[b]; i++) v[k->body[b] + i] += F[i] * d[r];
}

/* Where a direction of slip turns by less than this [rad], the next sweep has time for the rest. */
static const double last_turn = 1e-2;

/* From y, the dual at the impulses z: solves the contact with the others held, takes the solution for z and its change for d.
 * Returns whether there is some. */
PC_INLINE int solve_one(contact* k, int rows, const double* a, const double* y, double* d)
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

PC_INLINE void relax_usual(const pc_velocity_sweeps* s, contact* k, int bodies)
{
  double y[3], d[3];
  usual x = load_usual(k, bodies, s->v);
  usual_dual(k, rows_of(s, k), &x, y);
  if (solve_one(k, 3, block_of(s, k), y, d)) usual_impulse(k, force_of(s, k), d, &x, s->v);
}

static void relax(const pc_velocity_sweeps* s, contact* k)
{
  double y[ROWS], d[ROWS];
  dual_of(k, rows_of(s, k), s->v, y);
  if (solve_one(k, k->rows, block_of(s, k), y, d)) add_impulse(k, force_of(s, k), d, s->v);
}

/* ---- sweeps -------------------------------------------------------------------------------- */

static void sweep_range(void* user, int worker, int first, int last)
{
  const pc_velocity_sweeps* s = user;
  (void)worker;
  for (int i = first; i < last; i++) {
    contact* k = &s->contact[i];
    if (!is_usual(k))
      relax(s, k);
    else if (k->size[1])
      relax_usual(s, k, 2);
    else
      relax_usual(s, k, 1);
  }
}

/* The contacts of a colour, as indices from 0 on. */
typedef struct colour_loop {
  pc_velocity_sweeps* sweeps;
  pc_threads_task* task;
  int first;
} colour_loop;

static void do_colour(void* user, int worker, int first, int last)
{
  colour_loop* loop = user;
  loop->task(loop->sweeps, worker, loop->first + first, loop->first + last);
}

/* A task on all contacts, colour by colour. */
static void for_colours(pc_velocity_sweeps* s, pc_threads_task* task)
{
  for (int i = 0; i < COLOURS; i++) {
    int count = s->first[i + 1] - s->first[i];
    if (count == 0) continue;
    colour_loop loop = {s, task, s->first[i]};
    pc_threads_run(i < LAST ? s->threads : NULL, count, SHARED_LEAST, do_colour, &loop);
  }
}

/* v = L^-1 u */
static void scale_bodies(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int b = first; b < last; b++) {
    const body* of = &s->body[b];
    const double *u = s->u + of->first, *L = L_of(s, of);
    double* v = s->v + of->at;
    for (int i = 0; i < of->size; i++) {
      double sum = u[i];
      for (int j = 0; j < i && of->factors != DIAGONAL; j++) sum -= L[i * of->size + j] * v[j];
      v[i] = sum / of->root[i];
    }
  }
}

/* The largest m |b|, of what the impulses are measured by. */
static void note_loads(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  double largest = s->load[worker];
  for (int i = first; i < last; i++) {
    const contact* k = &s->contact[i];
    double y[ROWS];
    dual_of(k, rows_of(s, k), s->v, y);
    for (int r = 0; r < k->rows; r++) largest = pc_larger(largest, k->mass * fabs(y[r]));
  }
  s->load[worker] = largest;
}

static void add_guess(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int i = first; i < last; i++)
    add_impulse(&s->contact[i], force_of(s, &s->contact[i]), s->contact[i].z, s->v);
}

static void measure(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  double worst = s->worst[worker], load = s->load[worker];
  for (int i = first; i < last; i++) {
    const contact* k = &s->contact[i];
    double y[ROWS];
    dual_of(k, rows_of(s, k), s->v, y);
    worst = pc_larger(worst, pc_natural_map_of(k->rows - 1, k->mu, k->mass, k->z, y));
    for (int r = 0; r < k->rows; r++) load = pc_larger(load, fabs(k->z[r]));
  }
  s->worst[worker] = worst;
  s->load[worker] = load;
}

static double residual_of(pc_velocity_sweeps* s)
{
  double worst = 0, load = 0;
  for (int i = 0; i < pc_threads_size(s->threads); i++) s->worst[i] = 0;
  pc_threads_run(s->threads, s->contact_count, SHARED_LEAST, measure, s);
  for (int i = 0; i < pc_threads_size(s->threads); i++) {
    worst = pc_larger(worst, s->worst[i]);
    load = pc_larger(load, s->load[i]);
  }
  double residual = worst == 0 ? 0 : worst / load;
  return isfinite(residual) ? residual : INFINITY;
}

static void take_guess(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int i = first; i < last; i++) {
    contact* k = &s->contact[i];
    int row = s->cone[k->index].row;
    for (int r = 0; r < k->rows; r++) {
      k->c[r] = s->given_c[row + r];
      k->z[r] = s->P[row + r];
    }
  }
}

static void begin(pc_velocity_sweeps* s, const double* c, double* u, double* P)
{
  s->u = u;
  s->given_c = c;
  s->P = P;
  pc_threads_run(s->threads, s->contact_count, SHARED_LEAST, take_guess, s);
  pc_threads_run(s->threads, s->body_count, SHARED_LEAST, scale_bodies, s);
  for (int i = 0; i < pc_threads_size(s->threads); i++) s->load[i] = 0;
  pc_threads_run(s->threads, s->contact_count, SHARED_LEAST, note_loads, s);
  for_colours(s, add_guess);
}

static void put_impulses(void* user, int worker, int first, int last)
{
  const pc_velocity_sweeps* s = user;
  (void)worker;
  for (int i = first; i < last; i++) {
    const contact* k = &s->contact[i];
    for (int r = 0; r < k->rows; r++) s->P[s->cone[k->index].row + r] = k->z[r];
  }
}

/* u = L v */
static void put_velocities(void* user, int worker, int first, int last)
{
  const pc_velocity_sweeps* s = user;
  (void)worker;
  for (int b = first; b < last; b++) {
    const body* of = &s->body[b];
    const double *v = s->v + of->at, *L = L_of(s, of);
    for (int i = 0; i < of->size; i++) {
      double sum = 0;
      for (int j = 0; j < i && of->factors != DIAGONAL; j++) sum += L[i * of->size + j] * v[j];
      s->u[of->first + i] = sum + of->root[i] * v[i];
    }
  }
}

double pc_velocity_sweeps_solve(pc_velocity_sweeps* s, int count, const double* c, double* u,
                                double* P)
{
  begin(s, c, u, P);
  for (int i = 0; i < count; i++) for_colours(s, sweep_range);
  pc_threads_run(s->threads, s->contact_count, SHARED_LEAST, put_impulses, s);
  pc_threads_run(s->threads, s->body_count, SHARED_LEAST, put_velocities, s);
  return residual_of(s);
}
