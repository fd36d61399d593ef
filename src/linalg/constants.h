/* Constants that more than one file or module uses to tell dependent rows from independent ones. */
#ifndef PC_LINALG_CONSTANTS_H
#define PC_LINALG_CONSTANTS_H

/* A row counts as dependent on others if less than this share of its (scaled) diagonal entry of S =
 * W A^-1 W' is left by them. S holds squares: rows that are parallel to 3e-6 are still told apart,
 * while round-off of the solves, amplified by a condition of the tangent of up to 1e5, is not. */
#define PC_RANK_TOLERANCE 1e-11

/* Where every row keeps at least this share, the rank is beyond doubt, and a factorisation that
 * does not reveal it, which is several times cheaper, is accurate. */
#define PC_REGULAR_SHARE 1e-5

#endif
