/* Logarithm and exponential by arithmetic alone: the C library's differ in last digits between
 * processors. */
#ifndef PC_STUDY_PORTABLE_MATH_H
#define PC_STUDY_PORTABLE_MATH_H

double portable_log(double x); /* x > 0 and finite */
double portable_exp(double x); /* |x| < 700 */

#endif
