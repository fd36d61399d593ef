/* Elementary functions by arithmetic alone, so that a run has the same bits on every processor:
 * those of the C library differ in last digits between processors with and without fused
 * multiply-add. +, -, *, / and sqrt are exact to half a unit everywhere (IEEE 754), and so are
 * floor, frexp and ldexp. Lengths are those of base/length.h, not hypot's.
 *
 * Errors are below one unit in the last place; signs, zeros, infinities and NaN are as in C. */
#ifndef PC_BASE_ELEMENTARY_H
#define PC_BASE_ELEMENTARY_H

#include "base/export.h"

PC_SIBLING_API double pc_sin(double x);
PC_SIBLING_API double pc_cos(double x);
/* Both at once. */
PC_SIBLING_API void pc_sin_cos(double x, double* sine, double* cosine);
PC_SIBLING_API double pc_tan(double x);
PC_SIBLING_API double pc_asin(double x);
PC_SIBLING_API double pc_acos(double x);
PC_SIBLING_API double pc_atan(double x);
PC_SIBLING_API double pc_atan2(double y, double x);
PC_SIBLING_API double pc_exp(double x);
PC_SIBLING_API double pc_log(double x);
PC_SIBLING_API double pc_pow(double x, double y);
PC_SIBLING_API double pc_sinh(double x);
PC_SIBLING_API double pc_cosh(double x);
PC_SIBLING_API double pc_tanh(double x);

#endif
