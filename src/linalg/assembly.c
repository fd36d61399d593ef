/* Components side by side: one pool holds the entries of all of them, dense (row-major), sparse
 * (compressed columns) or diagonal, so that clearing is one loop and adding a matrix is one loop
 * through a precomputed map, or none if its index set is a whole dense component.
 *
 * An assembly belongs to one thread at a time, for solving too: the solves share a scratch vector,
 * and KLU keeps a workspace. */
#include "linalg/assembly.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/axpy.h"
#include "linalg/banded_lu.h"
#include "linalg/components.h"
#include "linalg/copy.h"
#include "linalg/dense.h"
#include "linalg/pattern.h"
#include "linalg/sparse_cholesky.h"
#include "linalg/sparse_lu.h"

/* Larger components are sparse. Measured on beams of four velocities per element (factor + solve in
 * us, dense / KLU): order 16: 1.0 / 1.2; order 24: 2.9 / 1.8; order 36: 8.8 / 2.8.
 * LDL likewise. Fuller matrices meet later, so the limit is at the upper end. */
enum { DENSE_MAX = 24 };

/* What a large component has besides. */
typedef struct sparse_part {
  pc_pattern pattern;
  pc_banded_lu* banded;         /* NULL unless unsymmetric and a narrow band */
  pc_sparse_lu* lu;             /* NULL unless otherwise sparse and unsymmetric */
  pc_sparse_cholesky* cholesky; /* NULL unless positive definite */
} sparse_part;

typedef struct component {
  int order;
  int first;              /* the index of its first member */
  int start;              /* of its members among all, and of its pivots */
  unsigned char in_a_run; /* its members are first, first + 1, ..: solved in place */
  unsigned char is_thin;  /* its diagonal alone is kept, as that of its entries and factors */
  unsigned char diagonal; /* dense and positive definite, nothing was off the diagonal */
  size_t entry;           /* where its entries begin in the pool */
  size_t factor;          /* where its factors begin, if dense or thin */
  sparse_part* sparse;    /* NULL: it is not */
} component;

typedef struct set_map {
  int size;   /* number of entries: order squared, or order: those of the diagonal */
  int stride; /* of these in the matrix that is added: 1, or order + 1 */
  int first;  /* where they begin in the pool, if they lie there as they come */
  int* place; /* else: the place of each; NULL if not needed */
} set_map;

/* What solves write to. */
typedef struct scratch {
  double* x;      /* one component */
  uint64_t* seen; /* for each component: the last row solve that met it */
  uint64_t now;
} scratch;

struct pc_assembly {
  int n;
  int set_count;
  set_map* set;
  pc_symmetry symmetry;
  pc_components parts; /* without its sets, and without `local` where all components are in runs */
  unsigned char* begins; /* n + 1: whether a group begins there, see pc_assembly_find_groups */
  component* component;  /* parts.count */
  size_t entry_count;
  double* entry;
  double* factor;
  int* pivot; /* n, unless symmetric */
  scratch* scratch;
  long factor_count;
  int is_shared; /* all components are small and in one run: solving one touches no other memory */
};

static int is_sparse(const component* part)
{
  return part->sparse != NULL;
}

/* The index of each of its places. */
static const int* members(const pc_assembly* assembly, const component* part)
{
  return assembly->parts.member + part->start;
}

/* ---- creation ---------------------------------------------------------------------------- */

/* What is known of a component by its index sets. */
typedef struct set_kind {
  int largest;   /* order of the largest matrix on it */
  int diagonals; /* matrices that are diagonal; if there is another one: negative */
} set_kind;

static set_kind* find_kinds(const pc_components* parts, const pc_index_set* set)
{
  set_kind* kind = pc_alloc((size_t)parts->count, sizeof *kind);
  if (!kind) return NULL;
  for (int s = 0; s < parts->set_count; s++) {
    int order = parts->set_start[s + 1] - parts->set_start[s];
    if (order == 0) continue;
    set_kind* own = &kind[parts->of[parts->set_index[parts->set_start[s]]]];
    if (order > own->largest) own->largest = order;
    own->diagonals = set[s].is_diagonal && own->diagonals >= 0 ? own->diagonals + 1 : -1;
  }
  return kind;
}

/* Renumbers a component in a fill-reducing order; its pattern is made anew. */
static pc_status order_for_cholesky(pc_assembly* assembly, int c, pc_error* error)
{
  component* part = &assembly->component[c];
  int* order = pc_alloc(2 * (size_t)part->order, sizeof(int));
  if (!order) return pc_no_memory(error);
  pc_status status = pc_sparse_order(&part->sparse->pattern, order, error);
  if (status == PC_OK) {
    pc_components_reorder(&assembly->parts, c, order, order + part->order);
    pc_pattern_free(&part->sparse->pattern);
    status = pc_pattern_create(&assembly->parts, c, &part->sparse->pattern, error);
  }
  free(order);
  return status;
}

static pc_status make_sparse(pc_assembly* assembly, int c, pc_error* error)
{
  sparse_part* s = assembly->component[c].sparse = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  PC_TRY(pc_pattern_create(&assembly->parts, c, &s->pattern, error));
  if (assembly->symmetry == PC_UNSYMMETRIC)
    return pc_is_banded(&s->pattern) ? pc_banded_lu_create(&s->pattern, &s->banded, error)
                                     : pc_sparse_lu_create(&s->pattern, &s->lu, error);
  PC_TRY(order_for_cholesky(assembly, c, error));
  return pc_sparse_cholesky_create(&s->pattern, &s->cholesky, error);
}

static int is_contiguous(int order, const int* member)
{
  for (int k = 1; k < order; k++)
    if (member[k] != member[0] + k) return 0;
  return 1;
}

/* How a component is kept. One matrix that fills half of either dimension leaves little to gain
 * from sparsity. */
static pc_status make_component(pc_assembly* assembly, int c, set_kind kind, size_t* factor_count,
                                pc_error* error)
{
  component* part = &assembly->component[c];
  part->start = assembly->parts.start[c];
  part->order = assembly->parts.start[c + 1] - part->start;
  part->entry = assembly->entry_count;
  part->factor = *factor_count;
  part->is_thin = assembly->symmetry == PC_POSITIVE_DEFINITE && kind.diagonals == 1;
  if (part->order > DENSE_MAX && kind.largest < part->order / 2) {
    PC_TRY(make_sparse(assembly, c, error));
    assembly->entry_count += (size_t)part->sparse->pattern.start[part->order];
  } else {
    size_t order = (size_t)part->order, size = part->is_thin ? order : order * order;
    assembly->entry_count += size;
    *factor_count += size;
  }
  part->first = members(assembly, part)[0];
  part->in_a_run = is_contiguous(part->order, members(assembly, part)) ? 1 : 0;
  if (!part->in_a_run || part->order > DENSE_MAX) assembly->is_shared = 0;
  if (assembly->entry_count > INT_MAX)
    return pc_fail(error, PC_BAD_ARGUMENT, "a matrix of order %d has too many entries",
                   assembly->n);
  return PC_OK;
}

static pc_status make_components(pc_assembly* assembly, const pc_index_set* set, pc_error* error)
{
  int count = assembly->parts.count, unsymmetric = assembly->symmetry == PC_UNSYMMETRIC;
  set_kind* kind = find_kinds(&assembly->parts, set);
  assembly->component = pc_alloc((size_t)count, sizeof(component));
  if (unsymmetric) assembly->pivot = pc_alloc((size_t)assembly->n, sizeof(int));
  if (!assembly->component || (unsymmetric && !assembly->pivot) || !kind) {
    free(kind);
    return pc_no_memory(error);
  }
  size_t factor_count = 0;
  pc_status status = PC_OK;
  assembly->is_shared = 1;
  for (int c = 0; c < count && status == PC_OK; c++)
    status = make_component(assembly, c, kind[c], &factor_count, error);
  free(kind);
  PC_TRY(status);
  assembly->entry = pc_alloc(assembly->entry_count, sizeof(double));
  assembly->factor = pc_alloc(factor_count, sizeof(double));
  return assembly->entry && assembly->factor ? PC_OK : pc_no_memory(error);
}

/* Whether the matrix on `index` lies in the pool just as it comes. */
static int is_whole(const pc_assembly* assembly, const component* part, int order, const int* index)
{
  if (is_sparse(part) || part->order != order) return 0;
  return memcmp(index, members(assembly, part), (size_t)order * sizeof *index) == 0;
}

static pc_status make_map(const pc_assembly* assembly, int s, set_map* map, pc_error* error)
{
  const pc_components* parts = &assembly->parts;
  const int* index = parts->set_index + parts->set_start[s];
  int order = parts->set_start[s + 1] - parts->set_start[s];
  if (order == 0) return PC_OK;
  const component* part = &assembly->component[parts->of[index[0]]];
  if (order > 46340) /* its square is not an int */
    return pc_fail(error, PC_BAD_ARGUMENT, "index set %d: order %d is too large", s, order);
  map->size = part->is_thin ? order : order * order;
  map->stride = part->is_thin ? order + 1 : 1;
  map->first = (int)part->entry;
  if (part->is_thin || is_whole(assembly, part, order, index)) return PC_OK;
  map->place = pc_alloc((size_t)map->size, sizeof(int));
  if (!map->place) return pc_no_memory(error);
  for (int a = 0; a < order; a++)
    for (int b = 0; b < order; b++) {
      int i = parts->local[index[a]], j = parts->local[index[b]];
      int place =
          is_sparse(part) ? pc_pattern_find(&part->sparse->pattern, i, j) : i * part->order + j;
      map->place[a * order + b] = map->first + place;
    }
  return PC_OK;
}

static pc_status make_scratch(pc_assembly* assembly, pc_error* error)
{
  scratch* made = pc_alloc(1, sizeof *made);
  assembly->scratch = made;
  if (!made) return pc_no_memory(error);
  int most = 0;
  for (int c = 0; c < assembly->parts.count; c++)
    if (assembly->component[c].order > most) most = assembly->component[c].order;
  made->x = pc_alloc((size_t)most, sizeof(double));
  made->seen = pc_alloc((size_t)assembly->parts.count, sizeof *made->seen);
  return made->x && made->seen ? PC_OK : pc_no_memory(error);
}

/* A set is a list of indices; a run of it begins where the one before is not the predecessor. */
static pc_status mark_groups(pc_assembly* assembly, pc_error* error)
{
  const pc_components* parts = &assembly->parts;
  unsigned char* begins = assembly->begins = pc_alloc((size_t)assembly->n + 1, 1);
  if (!begins) return pc_no_memory(error);
  for (int s = 0; s < assembly->set_count; s++)
    for (int k = parts->set_start[s]; k < parts->set_start[s + 1]; k++) {
      int i = parts->set_index[k];
      if (k == parts->set_start[s] || parts->set_index[k - 1] != i - 1) begins[i] = 1;
      if (k + 1 == parts->set_start[s + 1] || parts->set_index[k + 1] != i + 1) begins[i + 1] = 1;
    }
  return PC_OK;
}

/* Releases what was needed to make the maps: the sets, and places that follow from runs. */
static void release_lists(pc_assembly* assembly)
{
  int in_runs = 1;
  for (int c = 0; c < assembly->parts.count; c++) in_runs &= assembly->component[c].in_a_run;
  pc_components_release_sets(&assembly->parts);
  if (!in_runs) return;
  free(assembly->parts.local);
  assembly->parts.local = NULL;
}

static pc_status fill(pc_assembly* assembly, const pc_index_set* set, pc_error* error)
{
  int set_count = assembly->set_count;
  assembly->set = pc_alloc((size_t)set_count, sizeof(set_map));
  if (!assembly->set) return pc_no_memory(error);
  PC_TRY(pc_components_find(assembly->n, set_count, set, &assembly->parts, error));
  PC_TRY(make_components(assembly, set, error));
  for (int s = 0; s < set_count; s++) PC_TRY(make_map(assembly, s, &assembly->set[s], error));
  PC_TRY(mark_groups(assembly, error));
  release_lists(assembly);
  return make_scratch(assembly, error);
}

pc_status pc_assembly_create(int n, int set_count, const pc_index_set* set, pc_symmetry symmetry,
                             pc_assembly** assembly, pc_error* error)
{
  if (n < 0 || set_count < 0)
    return pc_fail(error, PC_BAD_ARGUMENT, "a matrix of order %d from %d index sets", n, set_count);
  pc_assembly* made = pc_alloc(1, sizeof *made);
  if (!made) return pc_no_memory(error);
  made->n = n;
  made->set_count = set_count;
  made->symmetry = symmetry;
  pc_status status = fill(made, set, error);
  if (status == PC_OK)
    *assembly = made;
  else
    pc_assembly_destroy(made);
  return status;
}

void pc_assembly_destroy(pc_assembly* assembly)
{
  if (!assembly) return;
  for (int c = 0; assembly->component && c < assembly->parts.count; c++) {
    sparse_part* s = assembly->component[c].sparse;
    if (!s) continue;
    pc_banded_lu_destroy(s->banded);
    pc_sparse_lu_destroy(s->lu);
    pc_sparse_cholesky_destroy(s->cholesky);
    pc_pattern_free(&s->pattern);
    free(s);
  }
  for (int s = 0; assembly->set && s < assembly->set_count; s++) free(assembly->set[s].place);
  if (assembly->scratch) {
    free(assembly->scratch->x);
    free(assembly->scratch->seen);
  }
  free(assembly->scratch);
  free(assembly->set);
  free(assembly->component);
  free(assembly->begins);
  free(assembly->entry);
  free(assembly->factor);
  free(assembly->pivot);
  pc_components_free(&assembly->parts);
  free(assembly);
}

int pc_assembly_is_symmetric(const pc_assembly* assembly)
{
  return assembly->symmetry == PC_POSITIVE_DEFINITE;
}

int pc_assembly_order(const pc_assembly* assembly)
{
  return assembly->n;
}

/* ---- entries ----------------------------------------------------------------------------- */

void pc_assembly_clear(pc_assembly* assembly)
{
  memset(assembly->entry, 0, assembly->entry_count * sizeof *assembly->entry);
}

void pc_assembly_add(pc_assembly* assembly, int set, double scale, const double* restrict value)
{
  set_map map = assembly->set[set];
  if (map.place) {
    double* restrict entry = assembly->entry;
    for (int k = 0; k < map.size; k++) entry[map.place[k]] += scale * value[k];
  } else if (map.stride == 1) {
    pc_axpy(map.size, scale, value, assembly->entry + map.first);
  } else {
    for (int k = 0; k < map.size; k++)
      assembly->entry[map.first + k] += scale * value[k * map.stride];
  }
}

int pc_assembly_is_one_set(const pc_assembly* assembly)
{
  const set_map* map = assembly->set;
  return assembly->set_count == 1 && !map->place && map->stride == 1 &&
         (size_t)map->size == assembly->entry_count;
}

void pc_assembly_put(pc_assembly* assembly, const double* value)
{
  memcpy(assembly->entry, value, assembly->entry_count * sizeof *value);
}

static void times_dense(int order, const int* member, const double* A, const double* x, double* y)
{
  for (int i = 0; i < order; i++) {
    double sum = 0;
    for (int j = 0; j < order; j++) sum += A[i * order + j] * x[member[j]];
    y[member[i]] += sum;
  }
}

/* The same with zeros off the diagonal. */
static void times_thin(int order, const int* member, const double* A, const double* x, double* y)
{
  for (int i = 0; i < order; i++) y[member[i]] += 0 + A[i] * x[member[i]];
}

static void times_sparse(const pc_pattern* pattern, const int* member, const double* A,
                         const double* x, double* y)
{
  for (int j = 0; j < pattern->order; j++) {
    double x_j = x[member[j]];
    for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++)
      y[member[pattern->row[p]]] += A[p] * x_j;
  }
}

int pc_assembly_find_groups(const pc_assembly* assembly, int* first)
{
  int n = assembly->n, count = 0;
  for (int i = 0; i < n; i++)
    if (assembly->begins[i] || i == 0) first[count++] = i;
  first[count] = n;
  return count;
}

static void visit_sparse(const pc_pattern* pattern, const int* member, const double* A,
                         pc_entry_visitor visit, void* user)
{
  for (int j = 0; j < pattern->order; j++)
    for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++)
      visit(user, member[pattern->row[p]], member[j], A[p]);
}

/* A component that is thin has zeros beside what is kept. */
static void visit_dense(const component* part, const int* member, const double* A,
                        pc_entry_visitor visit, void* user)
{
  for (int j = 0; j < part->order; j++)
    for (int i = 0; i < part->order; i++) {
      double value = !part->is_thin ? A[i * part->order + j] : i == j ? A[i] : 0;
      visit(user, member[i], member[j], value);
    }
}

void pc_assembly_visit(const pc_assembly* assembly, pc_entry_visitor visit, void* user)
{
  for (int c = 0; c < assembly->parts.count; c++) {
    const component* part = &assembly->component[c];
    const double* A = assembly->entry + part->entry;
    if (is_sparse(part))
      visit_sparse(&part->sparse->pattern, members(assembly, part), A, visit, user);
    else
      visit_dense(part, members(assembly, part), A, visit, user);
  }
}

void pc_assembly_times(const pc_assembly* assembly, const double* x, double* y)
{
  for (int c = 0; c < assembly->parts.count; c++) {
    const component* part = &assembly->component[c];
    const double* A = assembly->entry + part->entry;
    if (is_sparse(part))
      times_sparse(&part->sparse->pattern, members(assembly, part), A, x, y);
    else if (part->is_thin)
      times_thin(part->order, members(assembly, part), A, x, y);
    else
      times_dense(part->order, members(assembly, part), A, x, y);
  }
}

/* ---- factorisation and solution ---------------------------------------------------------- */

/* Whether there are zeros alone beside the diagonal, as in the mass matrix of a body about its
 * centre. */
static int is_diagonal(int n, const double* A)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (A[i * n + j] != 0) return 0;
  return 1;
}

static pc_status factor_sparse(const sparse_part* s, const double* entry)
{
  if (s->banded) return pc_banded_lu_factor(s->banded, entry);
  if (s->lu) return pc_sparse_lu_factor(s->lu, entry);
  return pc_sparse_cholesky_factor(s->cholesky, entry);
}

/* One number after the other, as Cholesky's method does it without others beside the diagonal. */
static pc_status factor_thin(int order, const double* entry, double* factor)
{
  for (int i = 0; i < order; i++) {
    factor[i] = entry[i];
    PC_TRY(pc_cholesky_factor(1, &factor[i]));
  }
  return PC_OK;
}

static pc_status factor_component(pc_assembly* assembly, component* part)
{
  const double* entry = assembly->entry + part->entry;
  if (part->sparse) return factor_sparse(part->sparse, entry);
  double* factor = assembly->factor + part->factor;
  if (part->is_thin) return factor_thin(part->order, entry, factor);
  pc_copy(part->order * part->order, entry, factor);
  if (assembly->symmetry == PC_POSITIVE_DEFINITE) {
    part->diagonal = is_diagonal(part->order, entry) ? 1 : 0;
    return pc_cholesky_factor(part->order, factor);
  }
  return pc_lu_factor(part->order, factor, assembly->pivot + part->start);
}

pc_status pc_assembly_factor(pc_assembly* assembly)
{
  assembly->factor_count++;
  for (int c = 0; c < assembly->parts.count; c++)
    PC_TRY(factor_component(assembly, &assembly->component[c]));
  return PC_OK;
}

long pc_assembly_factor_count(const pc_assembly* assembly)
{
  return assembly->factor_count;
}

/* What pc_cholesky_solve does with a diagonal factor, which has reciprocals, `stride` apart. */
static inline void solve_diagonal(int n, const double* L, int stride, double* x)
{
  for (int i = 0; i < n; i++, L += stride) x[i] = x[i] * *L * *L;
}

/* The component has more than a diagonal. */
static void solve_full(const pc_assembly* assembly, const component* part, double* x)
{
  const double* factor = assembly->factor + part->factor;
  const sparse_part* s = part->sparse;
  if (s && s->banded)
    pc_banded_lu_solve(s->banded, x);
  else if (s && s->lu)
    pc_sparse_lu_solve(s->lu, x);
  else if (s)
    pc_sparse_cholesky_solve(s->cholesky, x);
  else if (assembly->symmetry == PC_POSITIVE_DEFINITE)
    pc_cholesky_solve(part->order, factor, x);
  else
    pc_lu_solve(part->order, factor, assembly->pivot + part->start, x);
}

/* x has the component's own numbering. */
static inline void solve_local(const pc_assembly* assembly, const component* part, double* x)
{
  if (part->is_thin)
    solve_diagonal(part->order, assembly->factor + part->factor, 1, x);
  else if (part->diagonal)
    solve_diagonal(part->order, assembly->factor + part->factor, part->order + 1, x);
  else
    solve_full(assembly, part, x);
}

static inline void solve_component(const pc_assembly* assembly, const component* part, double* x)
{
  if (part->in_a_run) {
    solve_local(assembly, part, x + part->first);
    return;
  }
  double* work = assembly->scratch->x;
  const int* member = members(assembly, part);
  for (int k = 0; k < part->order; k++) work[k] = x[member[k]];
  solve_local(assembly, part, work);
  for (int k = 0; k < part->order; k++) x[member[k]] = work[k];
}

void pc_assembly_solve(const pc_assembly* assembly, double* x)
{
  for (int c = 0; c < assembly->parts.count; c++)
    solve_component(assembly, &assembly->component[c], x);
}

typedef struct solve_loop {
  const pc_assembly* assembly;
  double* x;
} solve_loop;

static void solve_some(void* user, int worker, int first, int last)
{
  const solve_loop* l = user;
  (void)worker;
  for (int c = first; c < last; c++) solve_component(l->assembly, &l->assembly->component[c], l->x);
}

void pc_assembly_solve_by(const pc_assembly* assembly, pc_threads* threads, double* x)
{
  enum { SHARED_LEAST = 512 };
  if (!threads || !assembly->is_shared) {
    pc_assembly_solve(assembly, x);
    return;
  }
  solve_loop loop = {assembly, x};
  pc_threads_run(threads, assembly->parts.count, SHARED_LEAST, solve_some, &loop);
}

/* Whether two runs have nothing in common. */
static int are_apart(pc_block a, pc_block b)
{
  return a.first + a.width <= b.first || b.first + b.width <= a.first;
}

/* x := A^-1 w where all runs of the row are made of whole components, as with joints and contacts
 * of bodies that no force couples: each is solved where it lies. Returns 0, with x = 0 as it was
 * given, if they are not. */
static int solve_whole(const pc_assembly* assembly, pc_row row, double* x)
{
  const double* w = row.w;
  if (row.block_count > 2 || (row.block_count == 2 && !are_apart(row.block[0], row.block[1])))
    return 0;
  for (int b = 0; b < row.block_count; b++)
    for (int first = row.block[b].first, end = first + row.block[b].width; first < end;) {
      const component* part = &assembly->component[assembly->parts.of[first]];
      if (!part->in_a_run || part->first != first || first + part->order > end) {
        for (int done = 0; done < b; done++)
          pc_zero(row.block[done].width, x + row.block[done].first);
        pc_zero(first - row.block[b].first, x + row.block[b].first);
        return 0;
      }
      for (int i = 0; i < part->order; i++) x[first + i] = *w++;
      solve_local(assembly, part, x + first);
      first += part->order;
    }
  return 1;
}

void pc_assembly_solve_row(const pc_assembly* assembly, pc_row w, double* x)
{
  int is_one = assembly->parts.count == 1;
  pc_zero(assembly->n, x);
  if (!is_one && solve_whole(assembly, w, x)) return;
  pc_row_add(w, 1, x);
  if (is_one) {
    solve_component(assembly, assembly->component, x);
    return;
  }
  scratch* work = assembly->scratch;
  uint64_t now = ++work->now;
  for (int b = 0; b < w.block_count; b++) {
    int end = w.block[b].first + w.block[b].width;
    for (int i = w.block[b].first; i < end; i++) {
      int c = assembly->parts.of[i];
      const component* part = &assembly->component[c];
      if (work->seen[c] != now) solve_component(assembly, part, x);
      work->seen[c] = now;
      if (part->in_a_run) i = part->first + part->order - 1;
    }
  }
}

int pc_assembly_component_count(const pc_assembly* assembly)
{
  return assembly->parts.count;
}

int pc_assembly_component_of(const pc_assembly* assembly, int index, int* place)
{
  const int c = assembly->parts.of[index], *local = assembly->parts.local;
  *place = local ? local[index] : index - assembly->component[c].first;
  return c;
}

int pc_assembly_component_order(const pc_assembly* assembly, int c)
{
  return assembly->component[c].order;
}

const int* pc_assembly_component_members(const pc_assembly* assembly, int c)
{
  return members(assembly, &assembly->component[c]);
}

const double* pc_assembly_component_entries(const pc_assembly* assembly, int c)
{
  const component* part = &assembly->component[c];
  return is_sparse(part) || part->is_thin ? NULL : assembly->entry + part->entry;
}

const double* pc_assembly_component_diagonal(const pc_assembly* assembly, int c)
{
  const component* part = &assembly->component[c];
  return part->is_thin ? assembly->entry + part->entry : NULL;
}

void pc_assembly_solve_component(const pc_assembly* assembly, int c, double* x)
{
  solve_local(assembly, &assembly->component[c], x);
}

pc_status pc_assembly_create_identity(int n, pc_assembly** unity, pc_error* error)
{
  *unity = NULL;
  pc_index_set* set = pc_alloc((size_t)n, sizeof *set);
  pc_block* block = pc_alloc((size_t)n, sizeof *block);
  pc_status status = PC_OK;
  if (!set || !block) status = pc_no_memory(error);
  for (int i = 0; status == PC_OK && i < n; i++) {
    block[i] = (pc_block){i, 1};
    set[i] = (pc_index_set){1, &block[i], 1};
  }
  if (status == PC_OK) status = pc_assembly_create(n, n, set, PC_POSITIVE_DEFINITE, unity, error);
  for (int i = 0; status == PC_OK && i < n; i++) pc_assembly_add(*unity, i, 1, &(double){1});
  if (status == PC_OK) status = pc_assembly_factor(*unity);
  free(set);
  free(block);
  return status;
}
