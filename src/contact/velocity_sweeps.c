#include "contact/velocity_sweeps.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "contact/swept_contact.h"
#include "solve/natural_map.h"

enum {
  WIDTH = PC_SWEPT_WIDTH,
  ROWS = PC_SWEPT_ROWS,
  COLOURS = 64,       /* more contacts on one body than this are done one after the other, */
  LAST = COLOURS - 1, /* in this colour */
  SHARED_LEAST = 192  /* contacts of a colour, or bodies, that are worth sharing among threads */
};

typedef pc_swept_contact contact;

/* A block of the tangent. A^-1 = L U, with the same diagonal of both; mostly that is all. */
typedef struct body {
  int first, size;    /* of its velocities; size 0: too large a block, or not in one run */
  int at;             /* where these are in v: at an even place, so that pairs are aligned */
  int factors;        /* where its L and U begin among all, in units of FACTORS, or ... */
  double root[WIDTH]; /* the diagonal of L and U */
} body;

enum {
  FACTORS = 2 * WIDTH * WIDTH, /* numbers of L and U */
  DIAGONAL = -1,               /* ... L = U is diagonal, */
  SINGULAR = -2                /* ... or there are none */
};

/* The blocks of the tangent, as long as its factors are the same. */
typedef struct bodies {
  const pc_assembly* tangent; /* whose blocks these are, */
  long factor_count;          /* and of which of its factorisations */
  int count;
  body* item;
  uint64_t* colours; /* of the contacts on each; none: no contact touches it */
  size_t capacity;
  double* factors; /* FACTORS numbers of each body whose block is not diagonal */
  size_t factor_capacity;
} bodies;

/* By the index of a contact as it was given. */
typedef struct given {
  int (*pair)[2]; /* the bodies, -1: none */
  uint32_t* pool; /* where its rows are in the pool; before that is known, how long they are */
  int* place;     /* where it is among the contacts; before that is known, its colour */
  int* order;     /* the other way: the index of the contact at a place */
} given;

/* The contacts, colour by colour. The first ones are in memory that was lent. */
typedef struct contact_list {
  contact* spare;
  int spare_count;
  contact* own; /* those behind them */
  size_t capacity;
} contact_list;

/* What the solve at hand is about. */
typedef struct solve {
  const double* c;
  double *u, *P;
  double* worst; /* by worker: of the residual, and its scale */
  double* load;
} solve;

struct pc_velocity_sweeps {
  pc_threads* threads;
  int wide;
  const pc_cone* cone;
  const pc_row* row;
  int contact_count;
  int first[COLOURS + 1]; /* where the contacts of a colour begin */
  contact_list contact;
  given given;
  size_t given_capacity, velocity_capacity, pool_capacity, force_capacity;
  pc_swept_rows rows;
  bodies bodies;
  solve solve;
};

/* The contact at a place. */
static inline contact* contact_at(const pc_velocity_sweeps* s, int place)
{
  const contact_list* of = &s->contact;
  return place < of->spare_count ? &of->spare[place] : &of->own[place - of->spare_count];
}

/* ---- creation ------------------------------------------------------------------------------ */

pc_status pc_velocity_sweeps_create(pc_threads* threads, pc_velocity_sweeps** sweeps,
                                    pc_error* error)
{
  pc_velocity_sweeps* s = *sweeps = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->threads = threads;
  s->wide = pc_swept_is_wide();
  s->solve.worst = pc_alloc((size_t)pc_threads_size(threads), sizeof *s->solve.worst);
  s->solve.load = pc_alloc((size_t)pc_threads_size(threads), sizeof *s->solve.load);
  if (s->solve.worst && s->solve.load) return PC_OK;
  pc_velocity_sweeps_destroy(s);
  *sweeps = NULL;
  return pc_no_memory(error);
}

void pc_velocity_sweeps_destroy(pc_velocity_sweeps* s)
{
  if (!s) return;
  void* array[] = {s->bodies.factors, s->contact.own,    s->rows.pool,  s->rows.F,
                   s->given.pool,     s->given.place,    s->given.pair, s->given.order,
                   s->bodies.item,    s->bodies.colours, s->rows.v,     s->solve.worst,
                   s->solve.load};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(s);
}

static pc_status reserve(pc_velocity_sweeps* s, int contact_count)
{
  const pc_array by_contact[] = {PC_ARRAY(s->given.pair), PC_ARRAY(s->given.pool),
                                 PC_ARRAY(s->given.place), PC_ARRAY(s->given.order)};
  return pc_reserve_arrays(4, by_contact, &s->given_capacity, (size_t)contact_count);
}

/* As many contacts as there is space for are in the memory that was lent. */
static pc_status reserve_contacts(pc_velocity_sweeps* s, pc_spare spare)
{
  contact_list* to = &s->contact;
  const pc_array own = PC_ARRAY(to->own);
  size_t count = (size_t)s->contact_count, fit = spare.bytes / sizeof *to->spare;
  to->spare = spare.memory;
  to->spare_count = (int)(fit < count ? fit : count);
  return pc_reserve_arrays(1, &own, &to->capacity, count - (size_t)to->spare_count);
}

/* ---- bodies and colours -------------------------------------------------------------------- */

/* The bodies that a row touches, one or two: a run may be that of both. -1: they are not free
 * bodies. */
static int bodies_of(const pc_velocity_sweeps* s, pc_row row, int of[2])
{
  int count = 0;
  for (int b = 0; b < row.block_count; b++) {
    int at = row.block[b].first, end = at + row.block[b].width;
    while (at < end) {
      int place, own = pc_assembly_component_of(s->bodies.tangent, at, &place);
      const body* own_body = &s->bodies.item[own];
      if (count == 2 || place != 0 || own_body->size == 0 || own_body->factors == SINGULAR)
        return -1;
      at += own_body->size;
      of[count++] = own;
    }
    if (at != end) return -1;
  }
  return count;
}

/* The first colour that no contact on these bodies has; the last one may be shared. */
static int choose_colour(uint64_t* colours, const int* of, int count)
{
  uint64_t taken = 0;
  int colour = 0;
  for (int i = 0; i < count; i++) taken |= colours[of[i]];
  while (colour < LAST && taken >> colour & 1) colour++;
  for (int i = 0; i < count; i++) colours[of[i]] |= (uint64_t)1 << colour;
  return colour;
}

enum { NOT_FREE = -2 };

static void find_pairs(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int k = first; k < last; k++) {
    int of[2], touched = bodies_of(s, s->row[s->cone[k].row], of), width = 0;
    for (int b = 0; b < 2; b++) {
      s->given.pair[k][b] = b < touched ? of[b] : -1;
      if (b < touched) width += s->bodies.item[of[b]].size;
    }
    if (touched < 0) s->given.pair[k][0] = NOT_FREE;
    s->given.pool[k] = (uint32_t)pc_swept_size(1 + s->cone[k].dimension, width);
  }
}

/* The order of the contacts, colour by colour. Returns 0 if some contact touches what is not a free
 * body. */
static int colour_contacts(pc_velocity_sweeps* s)
{
  int count[COLOURS] = {0};
  memset(s->bodies.colours, 0, (size_t)s->bodies.count * sizeof *s->bodies.colours);
  pc_threads_run(s->threads, s->contact_count, SHARED_LEAST, find_pairs, s);
  for (int k = 0; k < s->contact_count; k++) {
    const int* of = s->given.pair[k];
    if (of[0] == NOT_FREE) return 0;
    int colour = choose_colour(s->bodies.colours, of, (of[0] >= 0) + (of[1] >= 0));
    s->given.place[k] = colour;
    count[colour]++;
  }
  s->first[0] = 0;
  for (int i = 0; i < COLOURS; i++) s->first[i + 1] = s->first[i] + count[i];
  memset(count, 0, sizeof count);
  for (int k = 0; k < s->contact_count; k++) {
    int colour = s->given.place[k], place = s->first[colour] + count[colour]++;
    s->given.place[k] = place;
    s->given.order[place] = k;
  }
  return 1;
}

/* Of a body whose block is not diagonal, else NULL. */
static const double* L_of(const pc_velocity_sweeps* s, const body* of)
{
  return of->factors < 0 ? NULL : s->bodies.factors + (size_t)of->factors * FACTORS;
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

/* The diagonal of a block that has nothing else and is positive, and how far its numbers are apart;
 * NULL: it is another one. It is soon inverted. */
static const double* diagonal_of(const pc_velocity_sweeps* s, int b, int* stride)
{
  int n = s->bodies.item[b].size;
  const double *A = pc_assembly_component_entries(s->bodies.tangent, b),
               *d = pc_assembly_component_diagonal(s->bodies.tangent, b);
  *stride = d ? 1 : n + 1;
  if (!d) d = A;
  for (int i = 0; d && i < n; i++)
    if (!(d[i * *stride] > 0)) return NULL;
  for (int i = 0; A && i < n * n; i++)
    if (i % (n + 1) != 0 && A[i] != 0) return NULL;
  return d;
}

static void invert_diagonals(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int b = first; b < last; b++) {
    body* of = &s->bodies.item[b];
    int stride;
    const double* d = of->size ? diagonal_of(s, b, &stride) : NULL;
    of->factors = of->size == 0 || d ? DIAGONAL : 0;
    for (int i = 0; i < of->size && d; i++, d += stride) /* often the same as the one before */
      of->root[i] = i && d[0] == d[-stride] ? of->root[i - 1] : 1 / sqrt(d[0]);
  }
}

static void invert_others(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int b = first; b < last; b++) {
    body* of = &s->bodies.item[b];
    int n = of->size;
    if (of->factors == DIAGONAL) continue;
    double inverse[WIDTH * WIDTH], column[WIDTH],
        *L = s->bodies.factors + (size_t)of->factors * FACTORS;
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) column[i] = i == j;
      pc_assembly_solve_component(s->bodies.tangent, b, column);
      for (int i = 0; i < n; i++) inverse[i * n + j] = column[i];
    }
    if (!factor_inverse(n, inverse, L, L + WIDTH * WIDTH)) of->factors = SINGULAR;
    for (int i = 0; i < n; i++) of->root[i] = L[i * (n + 1)];
  }
}

/* Whether L = U' for all bodies. */
static int is_symmetric(const pc_velocity_sweeps* s)
{
  for (int b = 0; b < s->bodies.count; b++) {
    int n = s->bodies.item[b].size;
    if (s->bodies.item[b].factors < 0) continue;
    const double *L = L_of(s, &s->bodies.item[b]), *U = U_of(s, &s->bodies.item[b]);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++)
        if (L[i * n + j] != U[j * n + i]) return 0;
  }
  return 1;
}

/* Where the bodies are; returns how many numbers v has. */
static int lay_out_bodies(bodies* all)
{
  int at = 0;
  for (int b = 0; b < all->count; b++) {
    int size = pc_assembly_component_order(all->tangent, b);
    const int* member = pc_assembly_component_members(all->tangent, b);
    int fits = size <= WIDTH && member[size - 1] == member[0] + size - 1;
    all->item[b] = (body){.first = member[0], .size = fits ? size : 0, .at = at};
    if (fits) at += size + size % 2;
  }
  return at;
}

/* The blocks of the tangent and their factors. */
static pc_status take_bodies(pc_velocity_sweeps* s, const pc_assembly* tangent)
{
  bodies* all = &s->bodies;
  const pc_array by_body[] = {PC_ARRAY(all->item), PC_ARRAY(all->colours)};
  const pc_array by_velocity = PC_ARRAY(s->rows.v),
                 factors = {&all->factors, FACTORS * sizeof *all->factors};
  int others = 0;
  if (all->tangent == tangent && all->factor_count == pc_assembly_factor_count(tangent))
    return PC_OK;
  all->tangent = NULL;
  all->count = pc_assembly_component_count(tangent);
  PC_TRY(pc_reserve_arrays(2, by_body, &all->capacity, (size_t)all->count));
  all->tangent = tangent;
  size_t velocities = (size_t)lay_out_bodies(all);
  pc_threads_run(s->threads, all->count, SHARED_LEAST, invert_diagonals, s);
  for (int b = 0; b < all->count; b++)
    if (all->item[b].factors != DIAGONAL) all->item[b].factors = others++;
  all->tangent = NULL; /* until all is there */
  PC_TRY(pc_reserve_arrays(1, &by_velocity, &s->velocity_capacity, velocities));
  PC_TRY(pc_reserve_arrays(1, &factors, &all->factor_capacity, (size_t)others));
  all->tangent = tangent;
  all->factor_count = pc_assembly_factor_count(tangent);
  if (others) pc_threads_run(s->threads, all->count, SHARED_LEAST, invert_others, s);
  s->rows.symmetric = is_symmetric(s);
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

/* How many bodies in space a contact with friction in a plane has; 0 if it is another one. */
static int count_usual(const pc_velocity_sweeps* s, const contact* k)
{
  if (!s->rows.symmetric || k->rows != 3 || k->size[0] != WIDTH) return 0;
  return k->size[1] == WIDTH ? 2 : k->size[1] == 0;
}

/* The places of all contacts in the pool, in pairs of numbers; returns its size. */
static size_t lay_out_pool(pc_velocity_sweeps* s)
{
  size_t place = 0;
  for (int i = 0; i < s->contact_count; i++) {
    uint32_t* of = &s->given.pool[s->given.order[i]];
    size_t size = *of;
    *of = (uint32_t)(place / 2);
    place += size;
  }
  return place;
}

static pc_status reserve_pool(pc_velocity_sweeps* s)
{
  const pc_array pool = PC_ARRAY(s->rows.pool), force = PC_ARRAY(s->rows.F);
  size_t size = lay_out_pool(s);
  PC_TRY(pc_reserve_arrays(1, &pool, &s->pool_capacity, size));
  return s->rows.symmetric ? PC_OK : pc_reserve_arrays(1, &force, &s->force_capacity, size);
}

/* G and F of the contacts in a range of places. */
static void take_rows(void* user, int worker, int first, int last)
{
  const pc_velocity_sweeps* s = user;
  (void)worker;
  for (int i = first; i < last; i++) {
    int index = s->given.order[i], rows = 1 + s->cone[index].dimension;
    const int* own = s->given.pair[index];
    size_t at = 2 * (size_t)s->given.pool[index];
    for (int r = 0; r < rows; r++) {
      const double* w = s->row[s->cone[index].row + r].w;
      for (int b = 0; b < 2 && own[b] >= 0; b++) {
        const body* of = &s->bodies.item[own[b]];
        times_L(s, of, w, s->rows.pool + at);
        if (!s->rows.symmetric) times_U(s, of, w, s->rows.F + at);
        at += (size_t)of->size;
        w += of->size;
      }
    }
  }
}

static void take_contact(const pc_velocity_sweeps* s, int index, contact* k)
{
  const int* own = s->given.pair[index];
  k->place = s->given.pool[index];
  k->rows = (unsigned char)(1 + s->cone[index].dimension);
  k->mu = s->cone[index].mu;
  for (int b = 0; b < 2; b++) {
    k->body[b] = own[b] >= 0 ? s->bodies.item[own[b]].at : -1;
    k->size[b] = (unsigned char)(own[b] >= 0 ? s->bodies.item[own[b]].size : 0);
  }
  k->usual = (unsigned char)count_usual(s, k);
}

/* After all rows have been read. */
static void take_contacts(void* user, int worker, int first, int last)
{
  const pc_velocity_sweeps* s = user;
  (void)worker;
  for (int i = first; i < last; i++) {
    contact* k = contact_at(s, i);
    take_contact(s, s->given.order[i], k);
    pc_swept_contact_prepare(k, &s->rows);
  }
}

pc_status pc_velocity_sweeps_set(pc_velocity_sweeps* s, const pc_assembly* tangent,
                                 int contact_count, const pc_cone* cone, const pc_row* row,
                                 pc_spare spare, int* fits, pc_error* error)
{
  s->cone = cone;
  s->row = row;
  s->contact_count = contact_count;
  *fits = 0;
  if (reserve(s, contact_count) != PC_OK || take_bodies(s, tangent) != PC_OK)
    return pc_no_memory(error);
  if (!colour_contacts(s)) return PC_OK;
  *fits = 1;
  if (reserve_pool(s) != PC_OK || reserve_contacts(s, spare) != PC_OK) return pc_no_memory(error);
  pc_threads_run(s->threads, contact_count, SHARED_LEAST, take_rows, s);
  pc_threads_run(s->threads, contact_count, SHARED_LEAST, take_contacts, s);
  return PC_OK;
}

double pc_velocity_sweeps_mass(const pc_velocity_sweeps* s, int index)
{
  return contact_at(s, s->given.place[index])->mass;
}

const double* pc_velocity_sweeps_dual(const pc_velocity_sweeps* s, int index)
{
  return contact_at(s, s->given.place[index])->c;
}

/* ---- sweeps -------------------------------------------------------------------------------- */

static void sweep_range(void* user, int worker, int first, int last)
{
  const pc_velocity_sweeps* s = user;
  const int end = s->contact.spare_count, between = end < first ? first : end < last ? end : last;
  (void)worker;
  if (first < between)
    pc_swept_contacts_relax(contact_at(s, first), between - first, &s->rows, s->wide);
  if (between < last)
    pc_swept_contacts_relax(contact_at(s, between), last - between, &s->rows, s->wide);
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
    const body* of = &s->bodies.item[b];
    if (s->bodies.colours[b] == 0) continue;
    const double *u = s->solve.u + of->first, *L = L_of(s, of);
    double* v = s->rows.v + of->at;
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
  double largest = s->solve.load[worker];
  for (int i = first; i < last; i++) {
    const contact* k = contact_at(s, i);
    double y[ROWS];
    pc_swept_contact_dual(k, &s->rows, y);
    for (int r = 0; r < k->rows; r++) largest = pc_larger(largest, k->mass * fabs(y[r]));
  }
  s->solve.load[worker] = largest;
}

static void add_guess(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int i = first; i < last; i++)
    pc_swept_contact_push(contact_at(s, i), &s->rows, contact_at(s, i)->z);
}

/* The dual takes the place of c, which is not needed any more. */
static void measure(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  double worst = s->solve.worst[worker], load = s->solve.load[worker];
  for (int i = first; i < last; i++) {
    contact* k = contact_at(s, i);
    double y[ROWS];
    pc_swept_contact_dual(k, &s->rows, y);
    worst = pc_larger(worst, pc_natural_map_of(k->rows - 1, k->mu, k->mass, k->z, y));
    for (int r = 0; r < k->rows; r++) {
      load = pc_larger(load, fabs(k->z[r]));
      k->c[r] = y[r];
    }
  }
  s->solve.worst[worker] = worst;
  s->solve.load[worker] = load;
}

static double residual_of(pc_velocity_sweeps* s)
{
  double worst = 0, load = 0;
  for (int i = 0; i < pc_threads_size(s->threads); i++) s->solve.worst[i] = 0;
  pc_threads_run(s->threads, s->contact_count, SHARED_LEAST, measure, s);
  for (int i = 0; i < pc_threads_size(s->threads); i++) {
    worst = pc_larger(worst, s->solve.worst[i]);
    load = pc_larger(load, s->solve.load[i]);
  }
  double residual = worst == 0 ? 0 : worst / load;
  return isfinite(residual) ? residual : INFINITY;
}

static void take_guess(void* user, int worker, int first, int last)
{
  pc_velocity_sweeps* s = user;
  (void)worker;
  for (int i = first; i < last; i++) {
    contact* k = contact_at(s, i);
    int row = s->cone[s->given.order[i]].row;
    for (int r = 0; r < k->rows; r++) {
      k->c[r] = s->solve.c[row + r];
      k->z[r] =
          k->z[0] == 0 && r > 0 ? 0 : s->solve.P[row + r]; /* no friction where nothing presses */
    }
  }
}

static void begin(pc_velocity_sweeps* s, const double* c, double* u, double* P)
{
  s->solve.u = u;
  s->solve.c = c;
  s->solve.P = P;
  pc_threads_run(s->threads, s->contact_count, SHARED_LEAST, take_guess, s);
  pc_threads_run(s->threads, s->bodies.count, SHARED_LEAST, scale_bodies, s);
  for (int i = 0; i < pc_threads_size(s->threads); i++) s->solve.load[i] = 0;
  pc_threads_run(s->threads, s->contact_count, SHARED_LEAST, note_loads, s);
  for_colours(s, add_guess);
}

static void put_impulses(void* user, int worker, int first, int last)
{
  const pc_velocity_sweeps* s = user;
  (void)worker;
  for (int i = first; i < last; i++) {
    const contact* k = contact_at(s, i);
    for (int r = 0; r < k->rows; r++) s->solve.P[s->cone[s->given.order[i]].row + r] = k->z[r];
  }
}

/* u = L v */
static void put_velocities(void* user, int worker, int first, int last)
{
  const pc_velocity_sweeps* s = user;
  (void)worker;
  for (int b = first; b < last; b++) {
    const body* of = &s->bodies.item[b];
    if (s->bodies.colours[b] == 0) continue;
    const double *v = s->rows.v + of->at, *L = L_of(s, of);
    for (int i = 0; i < of->size; i++) {
      double sum = 0;
      for (int j = 0; j < i && of->factors != DIAGONAL; j++) sum += L[i * of->size + j] * v[j];
      s->solve.u[of->first + i] = sum + of->root[i] * v[i];
    }
  }
}

double pc_velocity_sweeps_solve(pc_velocity_sweeps* s, int count, const double* c, double* u,
                                double* P)
{
  begin(s, c, u, P);
  for (int i = 0; i < count; i++) for_colours(s, sweep_range);
  pc_threads_run(s->threads, s->contact_count, SHARED_LEAST, put_impulses, s);
  pc_threads_run(s->threads, s->bodies.count, SHARED_LEAST, put_velocities, s);
  return residual_of(s);
}
