/* Curves through points, y(x), with their derivatives: what table(x, ...) is in an expression. */
#ifndef PC_FORMULA_CURVE_H
#define PC_FORMULA_CURVE_H

#include "base/export.h"
#include "formula/formula.h"

/* Never changes, and is shared by all pools and programs that use it: the last one to release it
 * frees it. */
typedef struct pc_curve pc_curve;

/* Straight lines between the points, or a natural cubic spline (smooth), whose second derivative is
 * continuous. Beyond its ends a curve is straight. There must be at least two points, with x
 * increasing; y of a point is `stride` numbers behind that of the one before, and x likewise. NULL
 * without memory. */
PC_SIBLING_API pc_curve* pc_curve_create(int count, const double* x, const double* y, int stride,
                                         int smooth);
pc_curve* pc_curve_retain(pc_curve* curve);
PC_SIBLING_API void pc_curve_release(pc_curve* curve); /* NULL is fine */

/* Its derivative of an order from 0 on. */
PC_SIBLING_API double pc_curve_value(const pc_curve* curve, int order, double x);

/* The number of a curve in a pool, which keeps it; negative without memory. */
PC_SIBLING_API int pc_pool_add_curve(pc_pool* pool, pc_curve* curve);

/* A derivative of a curve of the pool at `x`. */
pc_expr pc_curve_at(pc_pool* pool, pc_expr x, int curve, int order);

#endif
