/* LU of a small dense matrix with complete pivoting, which finds the rank. */
#ifndef PC_LINALG_COMPLETE_LU_H
#define PC_LINALG_COMPLETE_LU_H

/* Factors in place (n x n, row-major); `row` and `column` receive the order of the pivots, n each.
 * A pivot below `tolerance` times the first one ends the elimination. Returns the rank. */
int pc_complete_lu_factor(int n, double* A, int* row, int* column, double tolerance);

/* x := A^-1 x; unknowns beyond the rank are zero, equations beyond it left out. `work` has n
 * entries. */
void pc_complete_lu_solve(int n, const double* LU, const int* row, const int* column, int rank,
                          double* x, double* work);

#endif
