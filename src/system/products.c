/* Products of evaluated terms with vectors, and their matrices as dense ones. */
#include "system/products.h"

#include <math.h>

#include "base/larger.h"
#include "system/gather.h"
#include "system/system.h"

/* y += a x */
static inline void add_scaled(int n, double a, const double* restrict x, double* restrict y)
{
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}

pc_row pc_terms_row_velocity_q(const pc_terms* t, int row, const double* u, double* value)
{
  pc_row_place place = pc_system_row_place(t->system, row);
  pc_element found;
  const pc_element* e = pc_system_element_at(t->system, place.element, &found);
  const pc_local* l = pc_terms_local(t, place.element);
  int n_q = e->q_count;
  pc_terms_complete_slopes(t, place.element);
  const double* W_q = l->W_q + (size_t)place.local * (size_t)e->u_count * (size_t)n_q;
  for (int k = 0; k < n_q; k++) value[k] = l->chi_q[place.local * n_q + k];
  for (int b = 0; b < e->block_count; b++)
    for (int i = 0; i < e->u_block[b].width; i++, W_q += n_q)
      add_scaled(n_q, u[e->u_block[b].first + i], W_q, value);
  return (pc_row){e->block_count, e->q_block, value};
}

const double* pc_terms_M(const pc_terms* t, int element, double space[PC_THIN_MOST * PC_THIN_MOST])
{
  const double* diagonal = pc_terms_thin_M(t, element);
  if (!diagonal) return pc_terms_local(t, element)->M;
  int n = t->system->element[element].u_count;
  for (int i = 0; i < n * n; i++) space[i] = 0;
  for (int i = 0; i < n; i++) space[i * (n + 1)] = diagonal[i];
  return space;
}

/* The global index of each local coordinate, one after the other. */
typedef struct walk {
  const pc_block* block;
  int b, i;
} walk;

static int next(walk* w)
{
  int index = w->block[w->b].first + w->i;
  if (++w->i == w->block[w->b].width) {
    w->i = 0;
    w->b++;
  }
  return index;
}

void pc_terms_add_W_lambda_q(const pc_terms* t, const double* lambda, double* out)
{
  const pc_system* s = t->system;
  for (int row = 0; row < s->row_count; row++) {
    pc_row_place place = pc_system_row_place(s, row);
    pc_element found;
    const pc_element* e = pc_system_element_at(s, place.element, &found);
    pc_terms_complete_slopes(t, place.element);
    const double* slope = pc_terms_local(t, place.element)->W_q +
                          (size_t)place.local * (size_t)e->u_count * (size_t)e->q_count;
    walk of_u = {e->u_block, 0, 0};
    for (int j = 0; j < e->u_count; j++) {
      double* line = out + (size_t)next(&of_u) * (size_t)s->q_count;
      walk of_q = {e->q_block, 0, 0};
      for (int k = 0; k < e->q_count; k++) line[next(&of_q)] += lambda[row] * *slope++;
    }
  }
}

void pc_terms_add_dense(const pc_terms* t, pc_term term, double scale, double* out)
{
  const pc_system* s = t->system;
  for (int i = 0; i < s->element_count; i++) {
    const pc_element* e = &s->element[i];
    const pc_local* l = pc_terms_local(t, i);
    double M[PC_THIN_MOST * PC_THIN_MOST];
    int over_q = term == PC_TERM_H_Q || term == PC_TERM_MA_Q || term == PC_TERM_P_Q;
    const double* value = term == PC_TERM_M     ? pc_terms_M(t, i, M)
                          : term == PC_TERM_H_Q ? l->h_q
                          : term == PC_TERM_H_U ? l->h_u
                          : term == PC_TERM_P_Q ? l->p_q
                                                : l->Ma_q;
    if (!value) continue;
    int columns = over_q ? e->cell.q : e->cell.u;
    size_t stride = (size_t)(over_q ? s->q_count : s->u_count);
    for (int c = 0; c < e->cell.count; c++) {
      walk of_row = {e->u_block, 0, c * e->cell.stride};
      for (int j = 0; j < e->cell.u; j++) {
        double* line = out + (size_t)next(&of_row) * stride;
        walk of_column = {over_q ? e->q_block : e->u_block, 0,
                          c * (over_q ? e->cell.q_stride : e->cell.stride)};
        for (int k = 0; k < columns; k++) line[next(&of_column)] += scale * *value++;
      }
    }
  }
}

void pc_terms_add_M_of_body(const pc_terms* t, int first, int count, double* out)
{
  for (int i = 0; i < t->system->element_count; i++) {
    const pc_element* e = &t->system->element[i];
    double M[PC_THIN_MOST * PC_THIN_MOST];
    const double* value = pc_terms_M(t, i, M);
    if (!value || e->block_count == 0) continue;
    if (e->u_block[0].first < first || e->u_block[0].first >= first + count) continue;
    for (int c = 0; c < e->cell.count; c++) {
      walk of_row = {e->u_block, 0, c * e->cell.stride};
      for (int j = 0; j < e->cell.u; j++) {
        double* line = out + (size_t)(next(&of_row) - first) * (size_t)count;
        walk of_column = {e->u_block, 0, c * e->cell.stride};
        for (int k = 0; k < e->cell.u; k++) line[next(&of_column) - first] += *value++;
      }
    }
  }
}

/* The columns of the cells of a matrix. */
typedef struct columns {
  int stride, width;
} columns;

/* out += scale * A x for cells of finite elements, which lie in one run of coordinates. */
static inline void add_cells(int count, columns row, columns column, const double* A, double scale,
                             const double* x, double* out)
{
  for (int c = 0; c < count; c++) {
    for (int j = 0; j < row.width; j++) {
      double sum = 0;
      for (int k = 0; k < column.width; k++) sum += *A++ * x[k];
      out[j] += scale * sum;
    }
    x += column.stride;
    out += row.stride;
  }
}

/* out (over the element's u) += scale * A x, with A n_u x n_u (or n_q) or cells of it; x is
 * local. */
static void add_product(const pc_element* e, const double* A, int over_q, double scale,
                        const double* x, double* out)
{
  if (e->cell.stride == 1 && e->cell.u == 2) { /* bars */
    const columns both = {1, 2};
    add_cells(e->cell.count, both, both, A, scale, x, out + e->u_block[0].first);
    return;
  }
  if (e->cell.stride) {
    const columns u = {e->cell.stride, e->cell.u}, q = {e->cell.q_stride, e->cell.q};
    add_cells(e->cell.count, u, over_q ? q : u, A, scale, x, out + e->u_block[0].first);
    return;
  }
  int count = over_q ? e->q_count : e->u_count;
  for (int b = 0; b < e->block_count; b++) {
    double* to = out + e->u_block[b].first;
    int rows = e->u_block[b].width;
    if (count == 3 && rows == 3) { /* a body in the plane */
      const columns body = {0, 3};
      add_cells(1, body, body, A, scale, x, to);
      return;
    }
    for (int j = 0; j < rows; j++) {
      double sum = 0;
      for (int k = 0; k < count; k++) sum += *A++ * x[k];
      to[j] += scale * sum;
    }
  }
}

/* out += M x for a diagonal M, whose numbers are `stride` apart. */
static void add_diagonal_product(const pc_element* e, const double* M, int stride, const double* x,
                                 double* out)
{
  for (int b = 0; b < e->block_count; b++)
    for (int j = e->u_block[b].first, end = j + e->u_block[b].width; j < end; j++, M += stride)
      out[j] += *M * x[j];
}

/* out += M x of an element that has one. */
static void add_M_product(const pc_terms* t, int element, const double* x, double* out)
{
  const pc_element* e = &t->system->element[element];
  const double *thin = pc_terms_thin_M(t, element), *M = pc_terms_local(t, element)->M;
  if (thin) {
    add_diagonal_product(e, thin, 1, x, out);
  } else if (t->mass.diagonal[element]) {
    add_diagonal_product(e, M, e->u_count + 1, x, out);
  } else {
    const double* own = pc_gather(e->block_count, e->u_block, x, t->work.scratch);
    add_product(e, M, 0, 1, own, out);
  }
}

void pc_terms_add_M_times(const pc_terms* t, const double* x, double* out)
{
  for (int k = 0; k < t->mass.count; k++) add_M_product(t, t->mass.element[k], x, out);
}

void pc_terms_add_constant_momentum(pc_terms* t, const double* u)
{
  for (int k = 0; k < t->mass.count; k++)
    if (!pc_terms_local(t, t->mass.element[k])->momentum)
      add_M_product(t, t->mass.element[k], u, t->p);
}

/* The sum of all entries of a matrix: n_u x n_u, or cells of it. */
static double sum_of_entries(const pc_element* e, const double* A)
{
  int count = e->cell.stride ? e->cell.count * e->cell.u * e->cell.u : e->u_count * e->u_count;
  double sum = 0;
  for (int i = 0; i < count; i++) sum += A[i];
  return sum;
}

void pc_terms_inertia(const pc_terms* t, double* inertia)
{
  for (int i = 0; i < t->system->u_count; i++) inertia[i] = 0;
  for (int i = 0; i < t->system->element_count; i++) {
    const pc_element* e = &t->system->element[i];
    double space[PC_THIN_MOST * PC_THIN_MOST];
    const double* M = pc_terms_M(t, i, space);
    if (!M) continue;
    double own = sum_of_entries(e, M);
    for (int b = 0; b < e->block_count; b++)
      for (int j = 0; j < e->u_block[b].width; j++) {
        double* there = &inertia[e->u_block[b].first + j];
        *there = pc_larger(*there, own);
      }
  }
}

void pc_terms_own_inertia(const pc_terms* t, double* inertia)
{
  for (int i = 0; i < t->system->u_count; i++) inertia[i] = 0;
  for (int i = 0; i < t->system->element_count; i++) {
    const pc_element* e = &t->system->element[i];
    double space[PC_THIN_MOST * PC_THIN_MOST];
    const double* M = pc_terms_M(t, i, space);
    if (!M) continue;
    double whole = e->cell.stride ? sum_of_entries(e, M) : 0;
    for (int b = 0, k = 0; b < e->block_count; b++)
      for (int j = 0; j < e->u_block[b].width; j++, k++)
        inertia[e->u_block[b].first + j] += e->cell.stride ? whole : M[k * (e->u_count + 1)];
  }
}

void pc_terms_add_h_q_times(const pc_terms* t, double scale, const double* x, double* out)
{
  for (int i = 0; i < t->system->element_count; i++) {
    const pc_element* e = &t->system->element[i];
    if (!pc_terms_local(t, i)->h_q) continue;
    const double* own = pc_gather(e->block_count, e->q_block, x, t->work.scratch);
    add_product(e, pc_terms_local(t, i)->h_q, 1, scale, own, out);
  }
}

void pc_terms_add_h_u_times(const pc_terms* t, double scale, const double* x, double* out)
{
  for (int i = 0; i < t->system->element_count; i++) {
    const pc_element* e = &t->system->element[i];
    if (!pc_terms_local(t, i)->h_u) continue;
    const double* own = pc_gather(e->block_count, e->u_block, x, t->work.scratch);
    add_product(e, pc_terms_local(t, i)->h_u, 0, scale, own, out);
  }
}

/* out (rows) += |A| |x| for a dense matrix */
static inline void add_absolute_rows(int rows, int columns_of_A, const double* A, const double* x,
                                     double* out)
{
  for (int i = 0; i < rows; i++, A += columns_of_A) {
    double sum = 0;
    for (int k = 0; k < columns_of_A; k++) sum += fabs(A[k] * x[k]);
    out[i] += sum;
  }
}

/* out (over the element's u) += |A| |x|, with A as above. */
static void add_absolute_product(const pc_element* e, const double* A, int over_q, const double* x,
                                 double* out)
{
  if (e->cell.stride) {
    int rows = e->cell.u, width = over_q ? e->cell.q : rows;
    int stride = over_q ? e->cell.q_stride : e->cell.stride;
    double* at = out + e->u_block[0].first;
    if (rows == 2 && width == 2 && stride == 1) { /* bars */
      for (int c = 0; c < e->cell.count; c++, A += 4) {
        at[c] += fabs(A[0] * x[c]) + fabs(A[1] * x[c + 1]);
        at[c + 1] += fabs(A[2] * x[c]) + fabs(A[3] * x[c + 1]);
      }
      return;
    }
    for (int c = 0; c < e->cell.count; c++)
      add_absolute_rows(rows, width, A + c * rows * width, x + c * stride, at + c * e->cell.stride);
    return;
  }
  int width = over_q ? e->q_count : e->u_count;
  for (int b = 0; b < e->block_count; A += e->u_block[b++].width * width)
    add_absolute_rows(e->u_block[b].width, width, A, x, out + e->u_block[b].first);
}

void pc_terms_add_h_magnitude(const pc_terms* t, const double* q, const double* u, double* out)
{
  for (int i = 0; i < t->system->element_count; i++) {
    const pc_element* e = &t->system->element[i];
    if (pc_terms_local(t, i)->h_q)
      add_absolute_product(e, pc_terms_local(t, i)->h_q, 1,
                           pc_gather(e->block_count, e->q_block, q, t->work.scratch), out);
    if (pc_terms_local(t, i)->h_u)
      add_absolute_product(e, pc_terms_local(t, i)->h_u, 0,
                           pc_gather(e->block_count, e->u_block, u, t->work.scratch), out);
  }
}
