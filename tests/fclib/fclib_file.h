/* Files of FCLib, written for the tests: a random heap in any form and storage, whole or
 * damaged. */
#ifndef PC_TESTS_FCLIB_FCLIB_FILE_H
#define PC_TESTS_FCLIB_FCLIB_FILE_H

#include <hdf5.h>
#include <stdlib.h>

#include "solve/heaps.h"
#include "solve/judge.h"

typedef enum storage { BY_ROWS, BY_COLUMNS, TRIPLETS, WHOLE, STORAGES } storage;

/* A dense matrix, to be stored in some way. */
typedef struct dense {
  int m, n;
  double* x;
} dense;

static inline dense dense_make(int m, int n)
{
  return (dense){m, n, calloc((size_t)m * (size_t)n + 1, sizeof(double))};
}

static inline double* dense_at(dense* a, int i, int j)
{
  return &a->x[(size_t)i * (size_t)a->n + (size_t)j];
}

static inline void put_numbers(hid_t at, const char* name, hid_t type, size_t count, const void* x)
{
  hsize_t size = count;
  hid_t space = H5Screate_simple(1, &size, NULL);
  hid_t set = H5Dcreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
  H5Dclose(set);
  H5Sclose(space);
}

static inline void put_int(hid_t at, const char* name, int value)
{
  put_numbers(at, name, H5T_NATIVE_INT, 1, &value);
}

static inline void put_doubles(hid_t at, const char* name, int count, const double* x)
{
  put_numbers(at, name, H5T_NATIVE_DOUBLE, (size_t)count, x);
}

static inline void put_matrix(hid_t at, const char* name, dense* a, storage how)
{
  hid_t group = H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  size_t all = (size_t)a->m * (size_t)a->n, count = 0;
  int lines = how == BY_COLUMNS ? a->n : a->m, across = how == BY_COLUMNS ? a->m : a->n;
  int *p = calloc(all + (size_t)lines + 1, sizeof(int)), *i = calloc(all + 1, sizeof(int));
  double* x = calloc(all + 1, sizeof(double));
  for (int k = 0; k < lines; k++) {
    for (int l = 0; l < across; l++) {
      double value = how == BY_COLUMNS ? *dense_at(a, l, k) : *dense_at(a, k, l);
      if (value == 0) continue;
      if (how == TRIPLETS) p[count] = k;
      i[count] = l;
      x[count++] = value;
    }
    if (how != TRIPLETS) p[k + 1] = (int)count;
  }
  put_int(group, "m", a->m);
  put_int(group, "n", a->n);
  put_int(group, "nzmax", (int)count);
  put_int(group, "nz", how == BY_ROWS ? -2 : how == BY_COLUMNS ? -1 : (int)count);
  if (how == WHOLE) {
    put_doubles(group, "x", (int)all, a->x);
  } else {
    put_numbers(group, "p", H5T_NATIVE_INT, how == TRIPLETS ? count : (size_t)lines + 1, p);
    put_numbers(group, "i", H5T_NATIVE_INT, count, i);
    put_doubles(group, "x", (int)count, x);
  }
  free(p), free(i), free(x);
  H5Gclose(group);
}

/* How files are made; 0 as HDF5 does by default, with its oldest structures. */
static hid_t file_access;

static inline hid_t begin_file(const char* path, const char* form, int spacedim, hid_t* group)
{
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, file_access);
  *group = H5Gcreate2(file, form, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  put_int(*group, "spacedim", spacedim);
  hid_t info = H5Gcreate2(*group, "info", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const char title[] = "a heap";
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, sizeof title);
  hid_t set = H5Dcreate2(info, "title", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, title);
  H5Dclose(set), H5Sclose(space), H5Tclose(type), H5Gclose(info);
  return file;
}

/* Rows of contacts and of joints, in this order. */
static inline void count_rows(const heap* h, int* contacts, int* joints, int* place)
{
  *contacts = *joints = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < h->node_count; k++) {
      if (h->node[k].is_contact != !pass) continue;
      place[k] = pass ? *joints : *contacts;
      *(pass ? joints : contacts) += h->node[k].rows;
    }
}

/* The local form: W r + V l + q, V' r + R l + s. */
static inline void write_local(heap* h, const char* path, storage how)
{
  heap_percussion_form(h);
  int c, l, *place = calloc((size_t)h->node_count + 1, sizeof(int)), mus = 0;
  count_rows(h, &c, &l, place);
  dense W = dense_make(c, c), V = dense_make(c, l), R = dense_make(l, l);
  double *q = calloc((size_t)c + 1, sizeof(double)), *s = calloc((size_t)l + 1, sizeof(double));
  double* mu = calloc((size_t)h->node_count + 1, sizeof(double));
  for (int k = 0; k < h->node_count; k++) {
    const heap_node* a = &h->node[k];
    if (a->is_contact) mu[mus++] = a->mu;
    for (int i = 0; i < a->rows; i++) (a->is_contact ? q : s)[place[k] + i] = a->b[i];
    for (int e = h->start[k]; e < h->start[k + 1]; e++) {
      int j = h->column[e];
      const heap_node* b = &h->node[j];
      dense* to = a->is_contact ? (b->is_contact ? &W : &V) : &R;
      if (!a->is_contact && b->is_contact) continue; /* V' */
      for (int r = 0; r < a->rows; r++)
        for (int col = 0; col < b->rows; col++)
          *dense_at(to, place[k] + r, place[j] + col) =
              h->value[h->place[e] + (size_t)(r * b->rows + col)];
    }
  }
  hid_t group, file = begin_file(path, "fclib_local", h->dofs == 3 ? 2 : 3, &group);
  put_matrix(group, "W", &W, how);
  if (l) put_matrix(group, "V", &V, how);
  if (l) put_matrix(group, "R", &R, how);
  hid_t vectors = H5Gcreate2(group, "vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  put_doubles(vectors, "q", c, q);
  put_doubles(vectors, "mu", mus, mu);
  if (l) put_doubles(vectors, "s", l, s);
  H5Gclose(vectors), H5Gclose(group), H5Fclose(file);
  free(W.x), free(V.x), free(R.x), free(q), free(s), free(mu), free(place);
}

/* The global form: M v = H r + G l + f with f = M u, H' v, G' v. Restitution is left out: w = b =
 * 0. */
static inline void write_global(heap* h, const char* path, storage how)
{
  int c, l, *place = calloc((size_t)h->node_count + 1, sizeof(int)), mus = 0,
            n = h->bodies * h->dofs;
  count_rows(h, &c, &l, place);
  dense M = dense_make(n, n), H = dense_make(n, c), G = dense_make(n, l);
  double *f = calloc((size_t)n + 1, sizeof(double)),
         *zero = calloc((size_t)(c + l) + 1, sizeof(double));
  double* mu = calloc((size_t)h->node_count + 1, sizeof(double));
  for (int i = 0; i < n; i++) {
    double mass = 1 / h->inverse_mass[i / h->dofs][i % h->dofs];
    *dense_at(&M, i, i) = mass;
    f[i] = mass * h->u[i / h->dofs][i % h->dofs];
  }
  for (int k = 0; k < h->node_count; k++) {
    const heap_node* a = &h->node[k];
    if (a->is_contact) mu[mus++] = a->mu;
    for (int side = 0; side < 2; side++)
      for (int r = 0; r < a->rows && a->body[side] >= 0; r++)
        for (int d = 0; d < h->dofs; d++)
          *dense_at(a->is_contact ? &H : &G, a->body[side] * h->dofs + d, place[k] + r) =
              a->W[side][r][d];
  }
  hid_t group, file = begin_file(path, "fclib_global", h->dofs == 3 ? 2 : 3, &group);
  put_matrix(group, "M", &M, how);
  put_matrix(group, "H", &H, how);
  if (l) put_matrix(group, "G", &G, how);
  hid_t vectors = H5Gcreate2(group, "vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  put_doubles(vectors, "f", n, f);
  put_doubles(vectors, "w", c, zero);
  put_doubles(vectors, "mu", mus, mu);
  if (l) put_doubles(vectors, "b", l, zero);
  H5Gclose(vectors), H5Gclose(group), H5Fclose(file);
  free(M.x), free(H.x), free(G.x), free(f), free(zero), free(mu), free(place);
}

static inline void make_fclib_heap(heap* h, int planar, int joints, uint64_t seed)
{
  dice d = {seed};
  heap_options o = {.planar = planar,
                    .bodies = 8,
                    .dimension = planar ? 1 : 2,
                    .points_max = 2,
                    .joints = joints,
                    .copies = 1,
                    .mu_min = 0.1,
                    .mu_max = 0.3,
                    .mass_ratio = 10};
  heap_make(h, &d, &o);
}

#endif
