/* Fewer points for a drawing that looks the same. */
#ifndef PC_DRAW_THIN_H
#define PC_DRAW_THIN_H

/* Both fill `kept` (space for `count`) with the indices of the points to draw, ascending, and
 * return how many. A point that is not finite stands for a gap in the line: of several in a row one
 * is kept. */

/* A function of x, which ascends: of each of `columns` equal parts of its range the first and last
 * point, and the lowest and highest, so that no peak is lost. */
long thin_columns(const double* x, const double* y, long count, int columns, long* kept);

/* Any path: points that lie within dx and dy of the last one kept are left out. */
long thin_path(const double* x, const double* y, long count, double dx, double dy, long* kept);

/* The range of the finite numbers among x (count of them), or the given one if its first number is
 * below its second. */
void find_extent(const double* x, long count, const double* given, double* low, double* high);

#endif
