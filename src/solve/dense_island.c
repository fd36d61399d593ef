#include "solve/dense_island.h"
#include "solve/constants.h"

#include <string.h>

#include "linalg/complete_lu.h"

/* The island's matrix, split into rows of contacts (c) and of equalities (e). */
typedef struct split {
  int contacts, equalities;          /* rows */
  int* place;                        /* island's rows: within their part */
  pc_cone* cone;                     /* contacts */
  double *A_cc, *A_ce, *A_ec, *A_ee; /* row-major; A_ec has a further column for b_e */
  double *b_c, *P;
  int* order; /* 2 equalities */
  int rank;
} split;

int pc_island_contact_rows(const pc_island* s)
{
  int rows = 0;
  for (int k = 0; k < s->node_count; k++)
    if (pc_island_is_contact(s, k)) rows += pc_island_size(s, k);
  return rows;
}

static pc_status allocate(pc_island* s, split* d)
{
  size_t words = (sizeof(pc_cone) + sizeof(double) - 1) / sizeof(double);
  d->contacts = pc_island_contact_rows(s);
  d->equalities = s->row_count - d->contacts;
  size_t c = (size_t)d->contacts, e = (size_t)d->equalities,
         count = c * c + 2 * c * e + e * e + 2 * c + e;
  d->place = pc_arena_ints(s->arena, c + e + 2 * e);
  d->cone = (pc_cone*)pc_arena_doubles(s->arena, words * (size_t)s->contact_count);
  d->A_cc = pc_arena_doubles(s->arena, count);
  if (!d->place || !d->cone || !d->A_cc) return PC_OUT_OF_MEMORY;
  memset(d->A_cc, 0, count * sizeof(double));
  d->order = d->place + c + e;
  d->A_ce = d->A_cc + c * c;
  d->A_ec = d->A_ce + c * e;
  d->A_ee = d->A_ec + e * (c + 1);
  d->b_c = d->A_ee + e * e;
  d->P = d->b_c + c;
  return PC_OK;
}

/* Contacts one after the other, and where each row goes. */
static void lay_out(const pc_island* s, split* d)
{
  int c = 0, e = 0;
  pc_cone* cone = d->cone;
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_island_size(s, k), is_contact = pc_island_is_contact(s, k);
    if (is_contact) *cone++ = (pc_cone){c, n - 1, s->node[k].mu};
    for (int i = s->A.row[k]; i < s->A.row[k + 1]; i++) d->place[i] = is_contact ? c++ : e++;
  }
}

/* The entry (i, j) of the island's matrix in its part. */
static double* entry_of(const split* d, int row_is_contact, int column_is_contact, int i, int j)
{
  size_t row = (size_t)d->place[i], column = (size_t)d->place[j];
  size_t c = (size_t)d->contacts, e = (size_t)d->equalities;
  if (row_is_contact)
    return column_is_contact ? &d->A_cc[row * c + column] : &d->A_ce[row * e + column];
  return column_is_contact ? &d->A_ec[row * (c + 1) + column] : &d->A_ee[row * e + column];
}

static void fill(const pc_island* s, split* d)
{
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_island_size(s, k), own = pc_island_is_contact(s, k), first = s->A.row[k];
    for (int e = s->A.start[k]; e < s->A.start[k + 1]; e++) {
      int j = s->A.column[e], m = pc_island_size(s, j), other = pc_island_is_contact(s, j);
      const double* a = &s->A.value[s->A.place[e]];
      for (int i = 0; i < n; i++)
        for (int l = 0; l < m; l++)
          *entry_of(d, own, other, first + i, s->A.row[j] + l) = a[i * m + l];
    }
    for (int i = first; i < first + n; i++) {
      if (own) {
        d->b_c[d->place[i]] = s->b[i];
        d->P[d->place[i]] = s->z[i];
      } else {
        d->A_ec[(size_t)d->place[i] * (size_t)(d->contacts + 1) + (size_t)d->contacts] = s->b[i];
      }
    }
  }
}

/* A_ec := A_ee^-1 (A_ec, b_e), then A_cc and b_c without the equalities. */
static void eliminate(split* d, double* work)
{
  int c = d->contacts, e = d->equalities;
  d->rank = pc_complete_lu_factor(e, d->A_ee, d->order, d->order + e, PC_PIVOT_ROUND_OFF);
  for (int j = 0; j <= c; j++) {
    for (int i = 0; i < e; i++) work[i] = d->A_ec[i * (c + 1) + j];
    pc_complete_lu_solve(e, d->A_ee, d->order, d->order + e, d->rank, work, work + e);
    for (int i = 0; i < e; i++) d->A_ec[i * (c + 1) + j] = work[i];
  }
  for (int i = 0; i < c; i++)
    for (int l = 0; l < e; l++) {
      const double factor = d->A_ce[i * e + l], *X = &d->A_ec[l * (c + 1)];
      if (factor == 0) continue;
      for (int j = 0; j < c; j++) d->A_cc[i * c + j] -= factor * X[j];
      d->b_c[i] -= factor * X[c];
    }
}

/* z from P; z_e = -A_ee^-1 (A_ec P + b_e). */
static void put_answer(pc_island* s, const split* d)
{
  int c = d->contacts;
  for (int k = 0; k < s->node_count; k++)
    for (int i = s->A.row[k]; i < s->A.row[k + 1]; i++) {
      int at = d->place[i];
      if (pc_island_is_contact(s, k)) {
        s->z[i] = d->P[at];
        continue;
      }
      const double* X = &d->A_ec[at * (c + 1)];
      double sum = X[c];
      for (int j = 0; j < c; j++) sum += X[j] * d->P[j];
      s->z[i] = -sum;
    }
}

static pc_method method_of(const pc_solver_info* info)
{
  for (int m = 0; m < PC_METHOD_COUNT; m++)
    if (info->answered[m]) return (pc_method)m;
  return PC_METHOD_DIRECT;
}

pc_status pc_dense_island_solve(pc_island* s, pc_dense_solver* solver, int alone)
{
  split d;
  pc_mark mark = pc_arena_mark(s->arena);
  double* work = pc_arena_doubles(s->arena, 2 * (size_t)s->row_count);
  if (!work || allocate(s, &d) != PC_OK) {
    pc_arena_release(s->arena, mark);
    return PC_OUT_OF_MEMORY;
  }
  lay_out(s, &d);
  fill(s, &d);
  if (d.equalities > 0) eliminate(&d, work);
  pc_dense_problem problem = {d.contacts, s->contact_count, d.cone, d.A_cc, d.b_c};
  pc_solver_info info;
  (alone ? pc_dense_solver_solve_alone : pc_dense_solver_solve)(solver, &problem, d.P, &info);
  put_answer(s, &d);
  s->iterations += info.iterations;
  pc_island_offer(s, method_of(&info));
  pc_arena_release(s->arena, mark);
  return PC_OK;
}
