/* Problems of FCLib. Matrices are groups of m, n, nz, nzmax, p, i and x: nz is -2 for compressed
 * rows, -1 for compressed columns, and otherwise the number of triplets; where p and i are missing,
 * x holds all m n entries, row by row. */
#include "percuss/fclib.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "record/hdf5.h"

#include "base/memory.h"
#include "base/status.h"
#include "fclib/container.h"
#include "fclib/sparse.h"
#include "record/text.h"

/* Rows of an equality node: the velocities of a body in the plane and in space, the constraints of
 * a joint. Any grouping gives the same answer; this one usually meets the bodies. */
enum { PLANAR_ROWS = 3, SPATIAL_ROWS = 6 };

struct pc_fclib {
  char* path;
  char* title;
  int is_global;
  int dimension; /* rows of a contact */
  int velocities, contact_rows, equalities;
  double* guess; /* of all rows, or NULL */
  pc_blocks blocks;
};

/* Vectors and matrices of either form; what is missing is empty. */
typedef struct parts {
  pc_sparse W, V, R, M, H, G;
  double *mu, *q, *s, *f, *w, *b;
  size_t mu_count, q_count, s_count, f_count, w_count, b_count;
} parts;

static pc_status bad(const pc_container* c, const char* what)
{
  return pc_fail(c->error, PC_BAD_MODEL, "'%s': %s", c->path, what);
}

/* --- numbers --- */

/* What is at a path, which has to be numbers. Their bytes are in the file, so memory for them is
 * bounded by its size. */
static pc_status find_numbers(const pc_container* c, const char* path, pc_stored* s)
{
  char text[200];
  PC_TRY(pc_container_find(c, path, s));
  if ((s->kind == PC_STORED_INTEGERS || s->kind == PC_STORED_REALS) && s->count <= INT_MAX)
    return PC_OK;
  snprintf(text, sizeof text, "'%s' is missing, or is not a list of numbers", path);
  return bad(c, text);
}

/* Whether there is something at a path. */
static pc_status exists(const pc_container* c, const char* path, int* there)
{
  pc_stored s;
  PC_TRY(pc_container_find(c, path, &s));
  *there = s.kind != PC_STORED_NOTHING;
  return PC_OK;
}

/* All numbers of a dataset. The caller frees them, also after an error. */
static pc_status read_doubles(const pc_container* c, const char* path, double** numbers,
                              size_t* count)
{
  pc_stored s;
  PC_TRY(find_numbers(c, path, &s));
  *count = s.count;
  *numbers = pc_alloc(s.count, sizeof **numbers);
  if (!*numbers) return pc_no_memory(c->error);
  return pc_container_read_doubles(c, &s, 0, s.count, *numbers);
}

static pc_status read_ints(const pc_container* c, const char* path, int** numbers, size_t* count)
{
  enum { BLOCK = 256 };
  pc_stored s;
  PC_TRY(find_numbers(c, path, &s));
  *count = s.count;
  *numbers = pc_alloc(s.count, sizeof **numbers);
  if (!*numbers) return pc_no_memory(c->error);
  for (size_t k = 0; k < s.count; k += BLOCK) {
    int64_t block[BLOCK];
    size_t n = s.count - k < BLOCK ? s.count - k : BLOCK;
    PC_TRY(pc_container_read_longs(c, &s, k, n, block));
    for (size_t i = 0; i < n; i++) {
      if (block[i] < INT_MIN || block[i] > INT_MAX)
        return bad(c, "a size or an index is too large");
      (*numbers)[k + i] = (int)block[i];
    }
  }
  return PC_OK;
}

static pc_status read_int(const pc_container* c, const char* path, int* number)
{
  int* numbers = NULL;
  size_t count = 0;
  pc_status status = read_ints(c, path, &numbers, &count);
  if (status == PC_OK && count != 1) status = bad(c, "a size is not one number");
  if (status == PC_OK) *number = numbers[0];
  free(numbers);
  return status;
}

/* --- matrices --- */

typedef struct stored {
  int m, n, nz;
  int *p, *i;
  double* x;
  size_t p_count, i_count, x_count;
} stored;

static pc_status read_stored(const pc_container* c, const char* group, stored* a)
{
  char path[128];
  int there;
  const struct {
    const char* name;
    int* to;
  } sizes[] = {{"m", &a->m}, {"n", &a->n}, {"nz", &a->nz}};
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    snprintf(path, sizeof path, "%s/%s", group, sizes[k].name);
    PC_TRY(read_int(c, path, sizes[k].to));
  }
  snprintf(path, sizeof path, "%s/x", group);
  PC_TRY(read_doubles(c, path, &a->x, &a->x_count));
  snprintf(path, sizeof path, "%s/i", group);
  PC_TRY(exists(c, path, &there));
  if (!there) return PC_OK;
  PC_TRY(read_ints(c, path, &a->i, &a->i_count));
  snprintf(path, sizeof path, "%s/p", group);
  return read_ints(c, path, &a->p, &a->p_count);
}

/* Adds an entry, if it lies within the matrix. */
static int add_entry(pc_sparse* to, int row, int column, double value)
{
  if (row < 0 || row >= to->rows || column < 0 || column >= to->columns) return 0;
  to->entry[to->count++] = (pc_triplet){row, column, value};
  return 1;
}

/* Compressed rows (or columns): the entries of line k are those from p[k] to p[k + 1]. */
static int expand_compressed(const stored* a, int by_rows, pc_sparse* to)
{
  int lines = by_rows ? a->m : a->n;
  if (a->p_count != (size_t)lines + 1 || a->p[0] != 0) return 0;
  for (int k = 0; k < lines; k++) {
    if (a->p[k + 1] < a->p[k] || (size_t)a->p[k + 1] > a->x_count ||
        (size_t)a->p[k + 1] > a->i_count)
      return 0;
    for (int e = a->p[k]; e < a->p[k + 1]; e++)
      if (!add_entry(to, by_rows ? k : a->i[e], by_rows ? a->i[e] : k, a->x[e])) return 0;
  }
  return 1;
}

static int expand_triplets(const stored* a, pc_sparse* to)
{
  size_t count = (size_t)a->nz;
  if (a->p_count < count || a->i_count < count || a->x_count < count) return 0;
  for (size_t e = 0; e < count; e++)
    if (!add_entry(to, a->p[e], a->i[e], a->x[e])) return 0;
  return 1;
}

static int expand_whole(const stored* a, pc_sparse* to)
{
  if ((double)a->m * a->n != (double)a->x_count) return 0;
  for (size_t e = 0; e < a->x_count; e++)
    add_entry(to, (int)(e / (size_t)a->n), (int)(e % (size_t)a->n), a->x[e]);
  return 1;
}

static int expand(const stored* a, pc_sparse* to)
{
  if (a->m < 0 || a->n < 0 || a->nz < -2) return 0;
  if (!a->i) return expand_whole(a, to);
  if (a->nz == -2) return expand_compressed(a, 1, to);
  return a->nz == -1 ? expand_compressed(a, 0, to) : expand_triplets(a, to);
}

static pc_status read_matrix(const pc_container* c, const char* group, pc_sparse* matrix)
{
  stored a = {0};
  pc_status status = read_stored(c, group, &a);
  if (status == PC_OK && pc_sparse_reserve(matrix, a.x_count) != PC_OK)
    status = pc_no_memory(c->error);
  matrix->rows = a.m;
  matrix->columns = a.n;
  if (status == PC_OK && !expand(&a, matrix)) {
    char text[200];
    snprintf(text, sizeof text, "the sizes and indices of the matrix '%s' do not fit together",
             group);
    status = bad(c, text);
  }
  free(a.p);
  free(a.i);
  free(a.x);
  return status;
}

/* --- the two forms --- */

static void free_parts(parts* p)
{
  pc_sparse* matrices[] = {&p->W, &p->V, &p->R, &p->M, &p->H, &p->G};
  double* vectors[] = {p->mu, p->q, p->s, p->f, p->w, p->b};
  for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++) pc_sparse_free(matrices[i]);
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) free(vectors[i]);
}

static pc_status read_local(const pc_container* c, parts* p)
{
  PC_TRY(read_matrix(c, "/fclib_local/W", &p->W));
  PC_TRY(read_doubles(c, "/fclib_local/vectors/q", &p->q, &p->q_count));
  PC_TRY(read_doubles(c, "/fclib_local/vectors/mu", &p->mu, &p->mu_count));
  int there;
  PC_TRY(exists(c, "/fclib_local/V", &there));
  if (!there) return PC_OK;
  PC_TRY(read_matrix(c, "/fclib_local/V", &p->V));
  PC_TRY(read_matrix(c, "/fclib_local/R", &p->R));
  return read_doubles(c, "/fclib_local/vectors/s", &p->s, &p->s_count);
}

static pc_status read_global(const pc_container* c, parts* p)
{
  PC_TRY(read_matrix(c, "/fclib_global/M", &p->M));
  PC_TRY(read_matrix(c, "/fclib_global/H", &p->H));
  PC_TRY(read_doubles(c, "/fclib_global/vectors/f", &p->f, &p->f_count));
  PC_TRY(read_doubles(c, "/fclib_global/vectors/w", &p->w, &p->w_count));
  PC_TRY(read_doubles(c, "/fclib_global/vectors/mu", &p->mu, &p->mu_count));
  int there;
  PC_TRY(exists(c, "/fclib_global/G", &there));
  if (!there) return PC_OK;
  PC_TRY(read_matrix(c, "/fclib_global/G", &p->G));
  return read_doubles(c, "/fclib_global/vectors/b", &p->b, &p->b_count);
}

static int is_of_size(const pc_sparse* a, size_t rows, size_t columns)
{
  return (size_t)a->rows == rows && (size_t)a->columns == columns;
}

/* Whether all parts fit together, and the sizes of the whole. */
static pc_status check_sizes(const pc_container* c, const parts* p, pc_fclib* to)
{
  size_t contacts = to->is_global ? p->w_count : p->q_count;
  size_t equalities = to->is_global ? p->b_count : p->s_count;
  int fits = to->is_global ? is_of_size(&p->M, p->f_count, p->f_count) &&
                                 is_of_size(&p->H, p->f_count, contacts) &&
                                 (equalities == 0 || is_of_size(&p->G, p->f_count, equalities))
                           : is_of_size(&p->W, contacts, contacts) &&
                                 (equalities == 0 || (is_of_size(&p->V, contacts, equalities) &&
                                                      is_of_size(&p->R, equalities, equalities)));
  if (!fits) return bad(c, "the sizes of its matrices and vectors do not fit together");
  if (to->dimension != 2 && to->dimension != 3) return bad(c, "spacedim is not 2 or 3");
  if (contacts == 0) return bad(c, "there are no contacts in it");
  if (p->mu_count * (size_t)to->dimension != contacts)
    return bad(c, "there is not one friction coefficient for each contact");
  if (p->f_count + contacts + equalities > INT_MAX / 2) return bad(c, "it is too large");
  to->velocities = (int)p->f_count;
  to->contact_rows = (int)contacts;
  to->equalities = (int)equalities;
  return PC_OK;
}

/* The whole matrix and vector, with the unknowns in the order of the header. */
static pc_status combine(const parts* p, const pc_fclib* to, pc_sparse* A, double** b)
{
  int v = to->velocities, c = to->contact_rows, l = to->equalities;
  size_t entries =
      p->W.count + 2 * p->V.count + p->R.count + p->M.count + 2 * (p->H.count + p->G.count);
  A->rows = A->columns = v + c + l;
  *b = pc_alloc((size_t)A->rows, sizeof(double));
  if (!*b || pc_sparse_reserve(A, entries) != PC_OK) return PC_OUT_OF_MEMORY;
  pc_sparse_append(A, &p->W, 0, 0, 1, 0);
  pc_sparse_append(A, &p->V, 0, c, 1, 0);
  pc_sparse_append(A, &p->V, c, 0, 1, 1);
  pc_sparse_append(A, &p->R, c, c, 1, 0);
  pc_sparse_append(A, &p->M, 0, 0, 1, 0);
  pc_sparse_append(A, &p->H, 0, v, -1, 0);
  pc_sparse_append(A, &p->H, v, 0, 1, 1);
  pc_sparse_append(A, &p->G, 0, v + c, -1, 0);
  pc_sparse_append(A, &p->G, v + c, 0, 1, 1);
  for (int i = 0; i < v; i++) (*b)[i] = -p->f[i];
  for (int i = 0; i < c; i++) (*b)[v + i] = to->is_global ? p->w[i] : p->q[i];
  for (int i = 0; i < l; i++) (*b)[v + c + i] = to->is_global ? p->b[i] : p->s[i];
  return PC_OK;
}

/* Nodes: contacts, and equality rows in groups of neighbours. Returns how many. */
static int lay_out(const parts* p, const pc_fclib* to, pc_problem_node* node, int* first)
{
  int count = 0, v = to->velocities, c = to->contact_rows, n = v + c + to->equalities;
  int body = to->dimension == 2 ? PLANAR_ROWS : SPATIAL_ROWS;
  const int end[3] = {v, v + c, n}, size[3] = {body, to->dimension, body};
  for (int part = 0, row = 0; part < 3; part++)
    while (row < end[part]) {
      int is_contact = part == 1;
      first[count] = row;
      node[count++] = (pc_problem_node){is_contact ? PC_NODE_CONTACT : PC_NODE_EQUALITY,
                                        is_contact ? p->mu[(row - v) / to->dimension] : 0};
      row = end[part] - row < size[part] ? end[part] : row + size[part];
    }
  first[count] = n;
  return count;
}

static pc_status make_problem(const pc_container* c, const parts* p, pc_fclib* to)
{
  size_t rows = (size_t)to->velocities + (size_t)to->contact_rows + (size_t)to->equalities;
  pc_sparse A = {0};
  double* b = NULL;
  pc_problem_node* node = pc_alloc(rows, sizeof *node);
  int* first = pc_alloc(rows + 1, sizeof *first);
  pc_status status = node && first ? combine(p, to, &A, &b) : PC_OUT_OF_MEMORY;
  if (status == PC_OK) {
    int count = lay_out(p, to, node, first);
    status = pc_blocks_make(&A, count, node, first, b, &to->blocks);
  }
  free(node);
  free(first);
  free(b);
  pc_sparse_free(&A);
  if (status != PC_OK) return pc_no_memory(c->error);
  pc_error own = {0};
  if (pc_problem_check(&to->blocks.problem, &own) == PC_OK) return PC_OK;
  return bad(c, own.text);
}

/* --- reading --- */

/* A title in `text`, "" if there is none that can be shown. */
static pc_status read_title(const pc_container* c, const char* path, char** text)
{
  enum { TITLE_MAX = 200 };
  pc_stored s;
  *text = pc_alloc(TITLE_MAX + 1, 1);
  if (!*text) return pc_no_memory(c->error);
  PC_TRY(pc_container_find(c, path, &s));
  if (s.kind != PC_STORED_TEXT || s.count != 1) return PC_OK;
  char* whole = pc_alloc(s.size + 1, 1);
  if (!whole) return pc_no_memory(c->error);
  pc_status status = pc_container_read_bytes(c, &s, whole);
  for (size_t i = 0; status == PC_OK && i < TITLE_MAX && whole[i]; i++)
    (*text)[i] = whole[i] >= 0 && whole[i] < ' ' ? ' ' : whole[i];
  free(whole);
  return status;
}

static const char* group_of(const pc_fclib* p)
{
  return p->is_global ? "/fclib_global" : "/fclib_local";
}

/* /guess: the unknowns of all rows, or those of the contacts alone. */
static pc_status read_guess(const pc_container* c, pc_fclib* to)
{
  size_t count = 0, contacts = (size_t)to->contact_rows,
         rows = (size_t)to->velocities + contacts + (size_t)to->equalities;
  double* numbers = NULL;
  int there;
  PC_TRY(exists(c, "/guess", &there));
  if (!there) return PC_OK;
  pc_status status = read_doubles(c, "/guess", &numbers, &count);
  if (status == PC_OK && count != rows && count != contacts)
    status = bad(c, "'/guess' has neither one number for each row nor one for each contact's row");
  for (size_t i = 0; status == PC_OK && i < count; i++)
    if (!isfinite(numbers[i])) status = bad(c, "'/guess' holds a number that is not finite");
  if (status == PC_OK && !(to->guess = pc_alloc(rows, sizeof *to->guess)))
    status = pc_no_memory(c->error);
  if (status == PC_OK)
    memcpy(to->guess + (count == rows ? 0 : to->velocities), numbers, count * sizeof *numbers);
  free(numbers);
  return status;
}

static pc_status read_problem(const pc_container* c, pc_fclib* to)
{
  parts p = {0};
  char path[64];
  int is_local;
  PC_TRY(exists(c, "/fclib_global", &to->is_global));
  PC_TRY(exists(c, "/fclib_local", &is_local));
  if (!to->is_global && !is_local)
    return bad(c, "no problem of FCLib in it: neither 'fclib_local' nor 'fclib_global'");
  snprintf(path, sizeof path, "%s/spacedim", group_of(to));
  PC_TRY(read_int(c, path, &to->dimension));
  snprintf(path, sizeof path, "%s/info/title", group_of(to));
  PC_TRY(read_title(c, path, &to->title));
  to->path = pc_copy_text(c->path);
  if (!to->path) return pc_no_memory(c->error);
  pc_status status = to->is_global ? read_global(c, &p) : read_local(c, &p);
  if (status == PC_OK) status = check_sizes(c, &p, to);
  if (status == PC_OK) status = make_problem(c, &p, to);
  if (status == PC_OK) status = read_guess(c, to);
  free_parts(&p);
  return status;
}

pc_status pc_fclib_read(const char* path, pc_fclib** problem, pc_error* error)
{
  PC_TRY(pc_need(problem, "problem", error));
  PC_TRY(pc_need(path, "path", error));
  *problem = NULL;
  pc_fclib* made = pc_alloc(1, sizeof *made);
  if (!made) return pc_no_memory(error);
  pc_container c;
  pc_status status = pc_container_open(&c, path, error);
  if (status == PC_OK) status = read_problem(&c, made);
  pc_container_close(&c);
  if (status != PC_OK)
    pc_fclib_free(made);
  else
    *problem = made;
  return status;
}

void pc_fclib_free(pc_fclib* problem)
{
  if (!problem) return;
  pc_blocks_free(&problem->blocks);
  free(problem->path);
  free(problem->title);
  free(problem->guess);
  free(problem);
}

const pc_problem* pc_fclib_problem(const pc_fclib* problem)
{
  return problem ? &problem->blocks.problem : NULL;
}

const double* pc_fclib_guess(const pc_fclib* problem)
{
  return problem ? problem->guess : NULL;
}

pc_fclib_about pc_fclib_describe(const pc_fclib* problem)
{
  if (!problem) return (pc_fclib_about){0};
  return (pc_fclib_about){.is_global = problem->is_global,
                          .contact_count = problem->contact_rows / problem->dimension,
                          .dimension = problem->dimension - 1,
                          .velocity_count = problem->velocities,
                          .equality_count = problem->equalities,
                          .title = problem->title};
}

/* --- writing --- */

static int write_vector(hid_t group, const char* name, size_t count, const double* x)
{
  hsize_t size = count;
  hid_t space = H5Screate_simple(1, &size, NULL);
  hid_t dataset =
      H5Dcreate2(group, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int written =
      dataset >= 0 && H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0;
  if (dataset >= 0) H5Dclose(dataset);
  if (space >= 0) H5Sclose(space);
  return written;
}

/* The duals of the contacts' rows. */
static void find_velocities(const pc_fclib* p, const double* z, double* u)
{
  const pc_problem* q = &p->blocks.problem;
  for (int k = 0; k < q->node_count; k++) {
    if (q->node[k].kind != PC_NODE_CONTACT) continue;
    for (int i = q->row[k]; i < q->row[k + 1]; i++) {
      double sum = q->b[i];
      for (int e = q->start[k]; e < q->start[k + 1]; e++) {
        int j = q->column[e], columns = q->row[j + 1] - q->row[j];
        const double* a = &q->value[q->place[e]] + (size_t)(i - q->row[k]) * (size_t)columns;
        for (int c = 0; c < columns; c++) sum += a[c] * z[q->row[j] + c];
      }
      u[i - p->velocities] = sum;
    }
  }
}

static int write_solution(const pc_fclib* p, const double* z, hid_t file)
{
  double* u = pc_alloc((size_t)p->contact_rows, sizeof(double));
  hid_t group = H5Gcreate2(file, "/solution", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int written = u && group >= 0;
  if (written) find_velocities(p, z, u);
  const double *r = z + p->velocities, *l = r + p->contact_rows;
  if (written && p->velocities) written = write_vector(group, "v", (size_t)p->velocities, z);
  if (written && p->equalities) written = write_vector(group, "l", (size_t)p->equalities, l);
  if (written) written = write_vector(group, "u", (size_t)p->contact_rows, u);
  if (written) written = write_vector(group, "r", (size_t)p->contact_rows, r);
  if (group >= 0) H5Gclose(group);
  free(u);
  return written;
}

/* Copies what is in a group of the file that was read: numbers and texts, group by group. */
typedef struct copying {
  const pc_container* from;
  hid_t group; /* into which */
  int depth, *left;
} copying;

enum { GROUPS_MAX = 8, OBJECTS_MAX = 1000 }; /* one within the other; in all */

/* Bytes as they come out of the container: integers that fit as 32 bits, or of 64; doubles. */
static pc_status copy_dataset(const copying* to, const char* name, const pc_stored* s)
{
  int is_text = s->kind == PC_STORED_TEXT, is_real = s->kind == PC_STORED_REALS;
  size_t size = is_text ? s->size : 8;
  char* elements = pc_alloc(s->count, size);
  if (!elements) return pc_no_memory(to->from->error);
  pc_status status =
      is_text   ? pc_container_read_bytes(to->from, s, elements)
      : is_real ? pc_container_read_doubles(to->from, s, 0, s->count, (double*)(void*)elements)
                : pc_container_read_longs(to->from, s, 0, s->count, (int64_t*)(void*)elements);
  hsize_t extent[PC_STORED_RANK_MAX];
  for (int i = 0; i < s->rank; i++) extent[i] = s->extent[i];
  int is_long = s->size == 8 || (s->size == 4 && !s->is_signed);
  hid_t text = is_text ? pc_text_type(s->size) : -1;
  hid_t there = is_text ? text : is_real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_LONG;
  hid_t kept = is_text ? text : is_real ? H5T_IEEE_F64LE : is_long ? H5T_STD_I64LE : H5T_STD_I32LE;
  hid_t space = s->rank ? H5Screate_simple(s->rank, extent, NULL) : H5Screate(H5S_SCALAR);
  hid_t set = status == PC_OK && space >= 0 && kept >= 0
                  ? H5Dcreate2(to->group, name, kept, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                  : -1;
  int ok = set >= 0 &&
           (s->count == 0 || H5Dwrite(set, there, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements) >= 0);
  if (set >= 0) H5Dclose(set);
  if (space >= 0) H5Sclose(space);
  if (text >= 0) H5Tclose(text);
  free(elements);
  if (status != PC_OK || ok) return status;
  return pc_fail(to->from->error, PC_CANNOT_WRITE, "HDF5 cannot copy '%.100s'", name);
}

static pc_status copy_member(void* user, const char* name, const pc_stored* member)
{
  const copying* to = user;
  if (to->depth == GROUPS_MAX || --*to->left < 0) return bad(to->from, "its groups have no end");
  if (member->kind == PC_STORED_OTHER) return PC_OK;
  if (member->kind != PC_STORED_GROUP) return copy_dataset(to, name, member);
  copying into = {to->from, H5Gcreate2(to->group, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                  to->depth + 1, to->left};
  if (into.group < 0)
    return pc_fail(to->from->error, PC_CANNOT_WRITE, "HDF5 cannot copy '%.100s'", name);
  pc_status status = pc_container_visit(to->from, member, copy_member, &into);
  H5Gclose(into.group);
  return status;
}

static pc_status copy_problem(const pc_fclib* p, hid_t file, pc_error* error)
{
  pc_container c;
  pc_stored group;
  int left = OBJECTS_MAX;
  pc_status status = pc_container_open(&c, p->path, error);
  copying to = {&c, file, 0, &left};
  if (status == PC_OK) status = pc_container_find(&c, group_of(p), &group);
  if (status == PC_OK) status = copy_member(&to, group_of(p), &group);
  pc_container_close(&c);
  return status;
}

/* The bytes of a file that exists in memory only: HDF5 does not survive a full disk. */
static pc_status take_image(hid_t file, FILE* to, pc_error* error)
{
  if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0) return pc_fail(error, PC_CANNOT_WRITE, "HDF5 fails");
  ssize_t size = H5Fget_file_image(file, NULL, 0);
  char* image = size > 0 ? pc_alloc((size_t)size, 1) : NULL;
  if (!image) return pc_no_memory(error);
  int taken = H5Fget_file_image(file, image, (size_t)size) == size;
  size_t written = taken ? fwrite(image, 1, (size_t)size, to) : 0;
  free(image);
  if (written == (size_t)size && fflush(to) == 0) return PC_OK;
  return pc_fail(error, PC_CANNOT_WRITE, "cannot write the solution: %s",
                 strerror(errno ? errno : EIO));
}

static hid_t create_in_memory(void)
{
  enum { GROW_BY = 1 << 20 };
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
  if (access >= 0 && H5Pset_fapl_core(access, GROW_BY, 0) >= 0)
    file = H5Fcreate("solution", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (access >= 0) H5Pclose(access);
  return file;
}

pc_status pc_fclib_write_solution(const pc_fclib* problem, const double* z, FILE* to,
                                  pc_error* error)
{
  PC_TRY(pc_need(problem, "problem", error));
  PC_TRY(pc_need(z, "z", error));
  PC_TRY(pc_need(to, "to", error));
  PC_TRY(pc_hdf5_load(PC_CANNOT_WRITE, error));
  pc_hdf5_use use = pc_hdf5_begin();
  hid_t file = create_in_memory();
  pc_status status =
      file >= 0 && write_solution(problem, z, file)
          ? copy_problem(problem, file, error)
          : pc_fail(error, PC_CANNOT_WRITE, "HDF5 cannot make a file of the solution");
  errno = 0;
  if (status == PC_OK) status = take_image(file, to, error);
  if (file >= 0) H5Fclose(file);
  pc_hdf5_end(use);
  return status;
}
