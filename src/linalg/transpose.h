/* A := A' in place, n x n: between row-major and column-major. */
#ifndef PC_LINALG_TRANSPOSE_H
#define PC_LINALG_TRANSPOSE_H

static inline void pc_transpose(int n, double* A)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double a = A[i * n + j];
      A[i * n + j] = A[j * n + i];
      A[j * n + i] = a;
    }
}

#endif
