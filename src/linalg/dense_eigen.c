/* Eigenvalues of a dense matrix, by LAPACK: Francis' QR iteration on the balanced matrix. */
#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"

pc_status pc_spectral_radius(int n, double* A, double* work, double* radius)
{
  *radius = 0;
  if (n == 0) return PC_OK;
  for (int i = 0; i < n * n; i++)
    if (!isfinite(A[i])) return PC_NOT_FINITE;
  double* re = work;
  double* im = work + n;
  /* A' has the same eigenvalues, so that row-major does not matter. */
  if (LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, A, n, re, im, NULL, 1, NULL, 1,
                         work + 2 * n, 4 * n) != 0)
    return PC_NOT_CONVERGED;
  for (int i = 0; i < n; i++) *radius = fmax(*radius, hypot(re[i], im[i]));
  return PC_OK;
}
