/* Problems of FCLib. Matrices are groups of m, n, nz, nzmax, p, i and x: nz is -2 for compressed
 * rows, -1 for compressed columns, and otherwise the number of triplets; where p and i are missing,
 * x holds all m n entries, row by row. */
#include "percuss/fclib.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "record/hdf5.h"

#include "base/memory.h"
#include "base/status.h"
#include "fclib/sparse.h"
#include "record/file.h"

/* Rows of an equality node: the velocities of a body in the plane and in space, the constraints of
 * a joint. Any grouping gives the same answer; this one usually meets the bodies. */
enum { PLANAR_ROWS = 3, SPATIAL_ROWS = 6 };

/* No file holds more numbers than this many times its bytes: deflate makes a thousand of one at
 * most. */
enum { NUMBERS_PER_BYTE = 1100 };

struct pc_fclib {
  char* path;
  char* title;
  const char* group; /* "fclib_local" or "fclib_global" */
  int is_global;
  int dimension; /* rows of a contact */
  int velocities, contact_rows, equalities;
  pc_blocks blocks;
};

/* A file that is being read. */
typedef struct reader {
  const char* path;
  hid_t file;
  double bytes; /* of the file */
  pc_error* error;
} reader;

/* Vectors and matrices of either form; what is missing is empty. */
typedef struct parts {
  pc_sparse W, V, R, M, H, G;
  double *mu, *q, *s, *f, *w, *b;
  size_t mu_count, q_count, s_count, f_count, w_count, b_count;
} parts;

static pc_status bad(const reader* r, const char* what)
{
  return pc_fail(r->error, PC_BAD_MODEL, "'%s': %s", r->path, what);
}

/* --- datasets --- */

/* Whether all links of a path exist. */
static int exists(const reader* r, const char* path)
{
  char part[128];
  size_t length = strlen(path);
  if (length >= sizeof part) return 0;
  for (size_t i = 1; i <= length; i++) {
    if (path[i] != '/' && path[i] != '\0') continue;
    memcpy(part, path, i);
    part[i] = '\0';
    if (H5Lexists(r->file, part, H5P_DEFAULT) <= 0) return 0;
  }
  return 1;
}

/* Opens a dataset of numbers and says how many there are. */
static pc_status open_numbers(const reader* r, const char* path, hid_t* dataset, size_t* count)
{
  char text[200];
  snprintf(text, sizeof text, "'%s' is missing, or is not a list of numbers", path);
  *dataset = exists(r, path) ? H5Dopen2(r->file, path, H5P_DEFAULT) : -1;
  if (*dataset < 0) return bad(r, text);
  hid_t space = H5Dget_space(*dataset), type = H5Dget_type(*dataset);
  hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  int is_number = class == H5T_INTEGER || class == H5T_FLOAT;
  if (!is_number || points < 0 || (double)points > NUMBERS_PER_BYTE * r->bytes ||
      points > INT_MAX) {
    H5Dclose(*dataset);
    if (is_number && points > 0)
      snprintf(text, sizeof text, "'%s' claims to hold %lld numbers", path, (long long)points);
    return bad(r, text);
  }
  *count = (size_t)points;
  return PC_OK;
}

/* All numbers of a dataset, as doubles or ints. The caller frees them. */
static pc_status read_numbers(const reader* r, const char* path, hid_t type, size_t size,
                              void** numbers, size_t* count)
{
  hid_t dataset;
  *numbers = NULL;
  PC_TRY(open_numbers(r, path, &dataset, count));
  *numbers = pc_alloc(*count, size);
  int read = *numbers && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *numbers) >= 0;
  H5Dclose(dataset);
  if (!*numbers) return pc_no_memory(r->error);
  if (read) return PC_OK;
  char text[200];
  snprintf(text, sizeof text, "'%s' cannot be read", path);
  return bad(r, text);
}

static pc_status read_doubles(const reader* r, const char* path, double** numbers, size_t* count)
{
  return read_numbers(r, path, H5T_NATIVE_DOUBLE, sizeof(double), (void**)numbers, count);
}

static pc_status read_ints(const reader* r, const char* path, int** numbers, size_t* count)
{
  return read_numbers(r, path, H5T_NATIVE_INT, sizeof(int), (void**)numbers, count);
}

static pc_status read_int(const reader* r, const char* path, int* number)
{
  int* numbers;
  size_t count;
  pc_status status = read_ints(r, path, &numbers, &count);
  if (status == PC_OK && count != 1) status = bad(r, "a size is not one number");
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

static pc_status read_stored(const reader* r, const char* group, stored* a)
{
  char path[128];
  const struct {
    const char* name;
    int* to;
  } sizes[] = {{"m", &a->m}, {"n", &a->n}, {"nz", &a->nz}};
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    snprintf(path, sizeof path, "%s/%s", group, sizes[k].name);
    PC_TRY(read_int(r, path, sizes[k].to));
  }
  snprintf(path, sizeof path, "%s/x", group);
  PC_TRY(read_doubles(r, path, &a->x, &a->x_count));
  snprintf(path, sizeof path, "%s/i", group);
  if (!exists(r, path)) return PC_OK;
  PC_TRY(read_ints(r, path, &a->i, &a->i_count));
  snprintf(path, sizeof path, "%s/p", group);
  return read_ints(r, path, &a->p, &a->p_count);
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

static pc_status read_matrix(const reader* r, const char* group, pc_sparse* matrix)
{
  stored a = {0};
  pc_status status = read_stored(r, group, &a);
  if (status == PC_OK && pc_sparse_reserve(matrix, a.x_count) != PC_OK)
    status = pc_no_memory(r->error);
  matrix->rows = a.m;
  matrix->columns = a.n;
  if (status == PC_OK && !expand(&a, matrix)) {
    char text[200];
    snprintf(text, sizeof text, "the sizes and indices of the matrix '%s' do not fit together",
             group);
    status = bad(r, text);
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

static pc_status read_local(const reader* r, parts* p)
{
  PC_TRY(read_matrix(r, "/fclib_local/W", &p->W));
  PC_TRY(read_doubles(r, "/fclib_local/vectors/q", &p->q, &p->q_count));
  PC_TRY(read_doubles(r, "/fclib_local/vectors/mu", &p->mu, &p->mu_count));
  if (!exists(r, "/fclib_local/V")) return PC_OK;
  PC_TRY(read_matrix(r, "/fclib_local/V", &p->V));
  PC_TRY(read_matrix(r, "/fclib_local/R", &p->R));
  return read_doubles(r, "/fclib_local/vectors/s", &p->s, &p->s_count);
}

static pc_status read_global(const reader* r, parts* p)
{
  PC_TRY(read_matrix(r, "/fclib_global/M", &p->M));
  PC_TRY(read_matrix(r, "/fclib_global/H", &p->H));
  PC_TRY(read_doubles(r, "/fclib_global/vectors/f", &p->f, &p->f_count));
  PC_TRY(read_doubles(r, "/fclib_global/vectors/w", &p->w, &p->w_count));
  PC_TRY(read_doubles(r, "/fclib_global/vectors/mu", &p->mu, &p->mu_count));
  if (!exists(r, "/fclib_global/G")) return PC_OK;
  PC_TRY(read_matrix(r, "/fclib_global/G", &p->G));
  return read_doubles(r, "/fclib_global/vectors/b", &p->b, &p->b_count);
}

static int is_of_size(const pc_sparse* a, size_t rows, size_t columns)
{
  return (size_t)a->rows == rows && (size_t)a->columns == columns;
}

/* Whether all parts fit together, and the sizes of the whole. */
static pc_status check_sizes(const reader* r, const parts* p, pc_fclib* to)
{
  size_t contacts = to->is_global ? p->w_count : p->q_count;
  size_t equalities = to->is_global ? p->b_count : p->s_count;
  int fits = to->is_global ? is_of_size(&p->M, p->f_count, p->f_count) &&
                                 is_of_size(&p->H, p->f_count, contacts) &&
                                 (equalities == 0 || is_of_size(&p->G, p->f_count, equalities))
                           : is_of_size(&p->W, contacts, contacts) &&
                                 (equalities == 0 || (is_of_size(&p->V, contacts, equalities) &&
                                                      is_of_size(&p->R, equalities, equalities)));
  if (!fits) return bad(r, "the sizes of its matrices and vectors do not fit together");
  if (to->dimension != 2 && to->dimension != 3) return bad(r, "spacedim is not 2 or 3");
  if (contacts == 0) return bad(r, "there are no contacts in it");
  if (p->mu_count * (size_t)to->dimension != contacts)
    return bad(r, "there is not one friction coefficient for each contact");
  if (p->f_count + contacts + equalities > INT_MAX / 2) return bad(r, "it is too large");
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

static pc_status make_problem(const reader* r, const parts* p, pc_fclib* to)
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
  if (status != PC_OK) return pc_no_memory(r->error);
  pc_error own = {0};
  if (pc_problem_check(&to->blocks.problem, &own) == PC_OK) return PC_OK;
  return bad(r, own.text);
}

/* --- reading --- */

static pc_status open_file(reader* r)
{
  struct stat what;
  int descriptor = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  int reason = descriptor < 0 || fstat(descriptor, &what) != 0 ? errno : 0;
  if (descriptor >= 0) close(descriptor);
  if (reason == 0 && S_ISDIR(what.st_mode)) reason = EISDIR;
  if (reason != 0) {
    char text[128];
    if (strerror_r(reason, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", reason);
    return pc_fail(r->error, PC_BAD_MODEL, "cannot read '%s': %s", r->path, text);
  }
  if (!S_ISREG(what.st_mode) || H5Fis_hdf5(r->path) <= 0)
    return bad(r, "this is not an HDF5 file, so it holds no problem of FCLib");
  r->bytes = (double)what.st_size;
  r->file = H5Fopen(r->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  return r->file >= 0 ? PC_OK : bad(r, "it is damaged or truncated: HDF5 cannot open it");
}

/* The text of a dataset, or "" if there is none; NULL for want of memory. */
static char* read_title(const reader* r, const char* path)
{
  enum { TITLE_MAX = 200 };
  char* text = pc_alloc(TITLE_MAX + 1, 1);
  hid_t dataset = text && exists(r, path) ? H5Dopen2(r->file, path, H5P_DEFAULT) : -1;
  if (dataset < 0) return text;
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  size_t size = type >= 0 ? H5Tget_size(type) : 0;
  int fixed = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
              space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
  char* whole = fixed && (double)size <= NUMBERS_PER_BYTE * r->bytes ? pc_alloc(size + 1, 1) : NULL;
  if (whole && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, whole) >= 0)
    for (size_t i = 0; i < TITLE_MAX && i < size && whole[i]; i++)
      text[i] = whole[i] >= 0 && whole[i] < ' ' ? ' ' : whole[i];
  free(whole);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  H5Dclose(dataset);
  return text;
}

static pc_status read_problem(reader* r, pc_fclib* to)
{
  parts p = {0};
  char path[64];
  PC_TRY(open_file(r));
  to->is_global = exists(r, "/fclib_global");
  if (!to->is_global && !exists(r, "/fclib_local"))
    return bad(r, "no problem of FCLib in it: neither 'fclib_local' nor 'fclib_global'");
  to->group = to->is_global ? "/fclib_global" : "/fclib_local";
  snprintf(path, sizeof path, "%s/spacedim", to->group);
  PC_TRY(read_int(r, path, &to->dimension));
  snprintf(path, sizeof path, "%s/info/title", to->group);
  to->title = read_title(r, path);
  to->path = pc_copy_text(r->path);
  if (!to->title || !to->path) return pc_no_memory(r->error);
  pc_status status = to->is_global ? read_global(r, &p) : read_local(r, &p);
  if (status == PC_OK) status = check_sizes(r, &p, to);
  if (status == PC_OK) status = make_problem(r, &p, to);
  free_parts(&p);
  return status;
}

pc_status pc_fclib_read(const char* path, pc_fclib** problem, pc_error* error)
{
  *problem = NULL;
  PC_TRY(pc_hdf5_load(PC_BAD_MODEL, error));
  pc_fclib* made = pc_alloc(1, sizeof *made);
  if (!made) return pc_no_memory(error);
  pc_hdf5_use use = pc_hdf5_begin();
  reader r = {.path = path, .file = -1, .error = error};
  pc_status status = read_problem(&r, made);
  if (r.file >= 0) H5Fclose(r.file);
  pc_hdf5_end(use);
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
  free(problem);
}

const pc_problem* pc_fclib_problem(const pc_fclib* problem)
{
  return &problem->blocks.problem;
}

pc_fclib_about pc_fclib_describe(const pc_fclib* problem)
{
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
  pc_hdf5_use use = pc_hdf5_begin();
  pc_status status = PC_OK;
  hid_t from = H5Fopen(problem->path, H5F_ACC_RDONLY, H5P_DEFAULT), file = create_in_memory();
  if (from < 0)
    status = pc_fail(error, PC_BAD_MODEL, "cannot read '%s' again", problem->path);
  else if (file < 0 || !write_solution(problem, z, file) ||
           H5Ocopy(from, problem->group, file, problem->group, H5P_DEFAULT, H5P_DEFAULT) < 0)
    status = pc_fail(error, PC_CANNOT_WRITE, "HDF5 cannot make a file of the solution");
  errno = 0;
  if (status == PC_OK) status = take_image(file, to, error);
  if (file >= 0) H5Fclose(file);
  if (from >= 0) H5Fclose(from);
  pc_hdf5_end(use);
  return status;
}
