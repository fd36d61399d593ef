#include "solve/velocity_sweeps.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

typedef struct contact {
  int rows, width; /* of both bodies together; 0 to SPAN */
  int body[2];     /* where its velocities begin in v, -1: ground */
  int index;       /* as it was given */
  int size[2];     /* velocities of each body */
  double mu;
  double z[ROWS], c[ROWS];
  double a[ROWS * ROWS];
  pc_local_contact local;
  double G[ROWS * SPAN]; /* rows x width */
} contact;

/* A block of the tangent that some contact touches. */
typedef struct body {
  int first, size;         /* of its velocities */
  uint64_t colours;        /* of the contacts on it */
  double L[WIDTH * WIDTH]; /* A^-1 = L U */
  double U[WIDTH * WIDTH];
} body;

struct pc_velocity_sweeps {
  pc_threads* threads;
  const pc_assembly* tangent;
  const pc_cone* cone;
  const pc_row* row;
  int contact_count, body_count, symmetric;
  int first[COLOURS + 1]; /* where the contacts of a colour begin */
  size_t contact_capacity, component_capacity, velocity_capacity, force_capacity;
  contact* contact; /* colour by colour */
  double* F;        /* ROWS x SPAN for each contact, where it is not G */
  int* colour;      /* by index */
  int* place;       /* by index: where it is among the contacts */
  body* body;
  int* body_of;      /* by component, -1: none */
  int* component_of; /* by body */
  double* v;
  const double* u; /* of the solve at hand */
  double* worst;   /* by worker: of the residual, and its scale */
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
  void* array[] = {s->contact,      s->F, s->colour, s->place, s->body, s->body_of,
                   s->component_of, s->v, s->worst,  s->load};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(s);
}

static pc_status reserve(pc_velocity_sweeps* s, int contact_count)
{
  const pc_array by_contact[] = {PC_ARRAY(s->contact), PC_ARRAY(s->colour), PC_ARRAY(s->place)};
  const pc_array by_component[] = {PC_ARRAY(s->body), PC_ARRAY(s->body_of),
                                   PC_ARRAY(s->component_of)};
  const pc_array by_velocity = PC_ARRAY(s->v);
  PC_TRY(pc_reserve_arrays(3, by_contact, &s->contact_capacity, (size_t)contact_count));
  PC_TRY(pc_reserve_arrays(3, by_component, &s->component_capacity,
                           (size_t)pc_assembly_component_count(s->tangent)));
  return pc_reserve_arrays(1, &by_velocity, &s->velocity_capacity,
                           (size_t)pc_assembly_order(s->tangent));
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
    s->body[s->body_count] = (body){.first = first, .size = size};
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

static void invert_bodies(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int b = first; b < last; b++) {
    body* of = &s->body[b];
    int n = of->size;
    double inverse[WIDTH * WIDTH], column[WIDTH];
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) column[i] = i == j;
      pc_assembly_solve_component(s->tangent, s->component_of[b], column);
      for (int i = 0; i < n; i++) inverse[i * n + j] = column[i];
    }
    if (!factor_inverse(n, inverse, of->L, of->U)) of->size = -n;
  }
}

/* Whether L = U' for all bodies. */
static int is_symmetric(const pc_velocity_sweeps* s)
{
  for (int b = 0; b < s->body_count; b++) {
    int n = s->body[b].size;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++)
        if (s->body[b].L[i * n + j] != s->body[b].U[j * n + i]) return 0;
  }
  return 1;
}

static int factor_bodies(pc_velocity_sweeps* s)
{
  pc_threads_run(s->threads, s->body_count, SHARED_LEAST, invert_bodies, s);
  for (int b = 0; b < s->body_count; b++)
    if (s->body[b].size < 0) return 0;
  s->symmetric = is_symmetric(s);
  return 1;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* g = w L, or f = w U', of one body. */
static void times_L(int n, const double* L, const double* w, double* g)
{
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = j; i < n; i++) sum += w[i] * L[i * n + j];
    g[j] = sum;
  }
}

static void times_U(int n, const double* U, const double* w, double* f)
{
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = j; i < n; i++) sum += w[i] * U[j * n + i];
    f[j] = sum;
  }
}

static const double* force_of(const pc_velocity_sweeps* s, const contact* k)
{
  return s->symmetric ? k->G : s->F + (size_t)(k - s->contact) * ROWS * SPAN;
}

static void take_rows(pc_velocity_sweeps* s, contact* k)
{
  const pc_cone* cone = &s->cone[k->index];
  body* of[2];
  int bodies = bodies_of(s, s->row[cone->row], of);
  k->rows = 1 + cone->dimension;
  k->mu = cone->mu;
  k->width = 0;
  for (int b = 0; b < 2; b++) {
    k->body[b] = b < bodies ? of[b]->first : -1;
    k->size[b] = b < bodies ? of[b]->size : 0;
    k->width += k->size[b];
  }
  double* F = s->symmetric ? NULL : s->F + (size_t)(k - s->contact) * ROWS * SPAN;
  for (int r = 0; r < k->rows; r++) {
    const double* w = s->row[cone->row + r].w;
    for (int b = 0, at = r * k->width; b < bodies; at += k->size[b], w += k->size[b++]) {
      times_L(of[b]->size, of[b]->L, w, k->G + at);
      if (F) times_U(of[b]->size, of[b]->U, w, F + at);
    }
  }
}

static void take_contacts(void* user, int worker, int from, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int i = from; i < last; i++) {
    contact* k = &s->contact[i];
    take_rows(s, k);
    const double* F = force_of(s, k);
    for (int r = 0; r < k->rows; r++)
      for (int q = 0; q < k->rows; q++) {
        double sum = 0;
        for (int j = 0; j < k->width; j++) sum += k->G[r * k->width + j] * F[q * k->width + j];
        k->a[r * k->rows + q] = sum;
      }
    pc_local_contact_prepare(&k->local, k->rows, k->a);
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
  s->body_count = 0;
  *fits = 0;
  if (reserve(s, contact_count) != PC_OK) return pc_no_memory(error);
  int components = pc_assembly_component_count(tangent);
  for (int i = 0; i < components; i++) s->body_of[i] = -1;
  if (!colour_contacts(s) || !factor_bodies(s)) return PC_OK;
  const pc_array force = {&s->F, ROWS * SPAN * sizeof *s->F};
  if (!s->symmetric &&
      pc_reserve_arrays(1, &force, &s->force_capacity, (size_t)contact_count) != PC_OK)
    return pc_no_memory(error);
  pc_threads_run(s->threads, contact_count, SHARED_LEAST, take_contacts, s);
  *fits = 1;
  return PC_OK;
}

double pc_velocity_sweeps_mass(const pc_velocity_sweeps* s, int index)
{
  const contact* k = &s->contact[s->place[index]];
  double sum = 0;
  for (int i = 0; i < k->rows; i++) sum += k->a[i * (k->rows + 1)];
  return sum > 0 ? k->rows / sum : 0;
}

/* ---- one contact --------------------------------------------------------------------------- */

/* Two numbers at a time: what every processor of today can do, in an order of summation that is written down here. */
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

static inline pair load(const double* x)
{
  return *(const pair*)x;
}

/* g . x over six velocities, added to the sums of even and odd ones */
static inline pair dot_6(pair sum, const double* g, const double* x)
{
  return sum + load(g) * load(x) + load(g + 2) * load(x + 2) + load(g + 4) * load(x + 4);
}

/* x += f_0 d_0 + f_1 d_1 + f_2 d_2 over six velocities; rows are `width` apart */
static inline void add_6(const double* f, int width, const double* d, double* x)
{
  pair d_0 = {d[0], d[0]}, d_1 = {d[1], d[1]}, d_2 = {d[2], d[2]};
  for (int i = 0; i < WIDTH; i += 2)
    *(pair*)(x + i) +=
        load(f + i) * d_0 + load(f + width + i) * d_1 + load(f + 2 * width + i) * d_2;
}

static inline int is_usual(const contact* k)
{
  return k->rows == 3 && k->size[0] == WIDTH && (k->size[1] == WIDTH || k->size[1] == 0);
}

/* y = c + G v */
static inline void dual_of(const contact* k, const double* v, double* y)
{
  if (is_usual(k)) {
    for (int r = 0; r < 3; r++) {
      const double* g = k->G + r * k->width;
      pair sum = dot_6((pair){0, 0}, g, v + k->body[0]);
      if (k->size[1]) sum = dot_6(sum, g + WIDTH, v + k->body[1]);
      y[r] = k->c[r] + (sum[0] + sum[1]);
    }
    return;
  }
  for (int r = 0; r < k->rows; r++) {
    const double* g = k->G + r * k->width;
    y[r] = k->c[r];
    for (int b = 0; b < 2; g += k->size[b++])
      for (int i = 0; i < k->size[b]; i++) y[r] += g[i] * v[k->body[b] + i];
  }
}

/* v += F' d */
static inline void add_impulse(const contact* k, const double* F, const double* d, double* v)
{
  if (is_usual(k)) {
    add_6(F, k->width, d, v + k->body[0]);
    if (k->size[1]) add_6(F + WIDTH, k->width, d, v + k->body[1]);
    return;
  }
  for (int r = 0; r < k->rows; r++) {
    const double* f = F + r * k->width;
    for (int b = 0; b < 2; f += k->size[b++])
      for (int i = 0; i < k->size[b]; i++) v[k->body[b] + i] += f[i] * d[r];
  }
}

/* Solves the contact with the others held. */
static inline void relax(contact* k, const double* F, double* v)
{
  double y[ROWS], q[ROWS], z[ROWS], d[ROWS];
  int n = k->rows, moved = 0;
  dual_of(k, v, y);
  for (int i = 0; i < n; i++) {
    q[i] = y[i];
    for (int j = 0; j < n; j++) q[i] -= k->a[i * n + j] * k->z[j];
  }
  pc_local_contact_solve(&k->local, n, k->mu, k->a, q, z);
  for (int i = 0; i < n; i++) {
    d[i] = z[i] - k->z[i];
    k->z[i] = z[i];
    moved |= d[i] != 0;
  }
  if (moved) add_impulse(k, F, d, v);
}

/* ---- sweeps -------------------------------------------------------------------------------- */

static void sweep_range(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int i = first; i < last; i++) relax(&s->contact[i], force_of(s, &s->contact[i]), s->v);
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
    const double* u = s->u + of->first;
    double* v = s->v + of->first;
    for (int i = 0; i < of->size; i++) {
      double sum = u[i];
      for (int j = 0; j < i; j++) sum -= of->L[i * of->size + j] * v[j];
      v[i] = sum / of->L[i * (of->size + 1)];
    }
  }
}

/* The largest m |b|, of what the impulses are measured by. */
static void note_loads(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  double largest = 0;
  for (int i = first; i < last; i++) {
    double y[ROWS], mass = pc_velocity_sweeps_mass(s, s->contact[i].index);
    dual_of(&s->contact[i], s->v, y);
    for (int r = 0; r < s->contact[i].rows; r++) largest = pc_larger(largest, mass * fabs(y[r]));
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
  double worst = 0, load = s->load[worker];
  for (int i = first; i < last; i++) {
    const contact* k = &s->contact[i];
    double y[ROWS], mass = pc_velocity_sweeps_mass(s, k->index);
    dual_of(k, s->v, y);
    worst = pc_larger(worst, pc_natural_map_of(k->rows - 1, k->mu, mass, k->z, y));
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

static void begin(pc_velocity_sweeps* s, const double* c, const double* u, const double* P)
{
  s->u = u;
  for (int i = 0; i < s->contact_count; i++) {
    contact* k = &s->contact[i];
    int row = s->cone[k->index].row;
    for (int r = 0; r < k->rows; r++) {
      k->c[r] = c[row + r];
      k->z[r] = P[row + r];
    }
  }
  pc_threads_run(s->threads, s->body_count, SHARED_LEAST, scale_bodies, s);
  for (int i = 0; i < pc_threads_size(s->threads); i++) s->load[i] = 0;
  pc_threads_run(s->threads, s->contact_count, SHARED_LEAST, note_loads, s);
  for_colours(s, add_guess);
}

static void finish(const pc_velocity_sweeps* s, double* u, double* P)
{
  for (int i = 0; i < s->contact_count; i++) {
    const contact* k = &s->contact[i];
    for (int r = 0; r < k->rows; r++) P[s->cone[k->index].row + r] = k->z[r];
  }
  for (int b = 0; b < s->body_count; b++) {
    const body* of = &s->body[b];
    const double* v = s->v + of->first;
    for (int i = 0; i < of->size; i++) {
      double sum = 0;
      for (int j = 0; j <= i; j++) sum += of->L[i * of->size + j] * v[j];
      u[of->first + i] = sum;
    }
  }
}

double pc_velocity_sweeps_solve(pc_velocity_sweeps* s, int count, const double* c, double* u,
                                double* P)
{
  begin(s, c, u, P);
  for (int i = 0; i < count; i++) for_colours(s, sweep_range);
  finish(s, u, P);
  return residual_of(s);
}
