/* Arnoldi's method: a basis of x, A x, A^2 x, ... that is orthonormal in a given metric, and the
 * projection of A on it, whose eigenvalues (Ritz values) approximate the outer ones of A. */
#ifndef PC_LINALG_KRYLOV_H
#define PC_LINALG_KRYLOV_H

#include "percuss/base.h"

/* y := A x, both of n entries. */
typedef void (*pc_map)(void* user, const double* x, double* y);

typedef struct pc_krylov {
  int n, max;
  pc_map apply, weigh; /* A, and the metric: symmetric and positive definite */
  void* user;
  int count;       /* vectors that A was applied to: the order of the projection */
  int is_complete; /* A maps the span of the basis on itself: Ritz values are eigenvalues */
  double* V;       /* (max + 1) x n: the basis, by rows */
  double* H;       /* max x (max + 1): column j of the projection is row j */
  double* work;    /* n */
} pc_krylov;

/* Begins with x (n entries). PC_OUT_OF_MEMORY leaves nothing to free; PC_NOT_FINITE. */
pc_status pc_krylov_create(pc_krylov* krylov, const double* x, pc_error* error);
void pc_krylov_free(pc_krylov* krylov);

/* `count` more vectors, or as many as there are. PC_NOT_FINITE. */
pc_status pc_krylov_extend(pc_krylov* krylov, int count, pc_error* error);

/* The Ritz values re + i im (krylov->max entries each). */
pc_status pc_krylov_values(const pc_krylov* krylov, long double* re, long double* im,
                           pc_error* error);

/* The largest Ritz value of a symmetric A (self-adjoint in the metric), and its vector x (n
 * entries, of length 1), which costs far more; NULL: it is not wanted. */
pc_status pc_krylov_largest(const pc_krylov* krylov, double* value, double* x, pc_error* error);

#endif
