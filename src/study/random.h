/* Random numbers for samples of parameters: the same bits on every machine, in any order and number
 * of threads.
 *
 * A number is a function of (seed, axis, sample) and of nothing else. No function of the C library
 * is used, whose last digits differ between processors. */
#ifndef PC_STUDY_RANDOM_H
#define PC_STUDY_RANDOM_H

#include <stdint.h>

/* 64 bits that look random for any argument (the finaliser of splitmix64, Steele, Lea, Flood
 * 2014). */
uint64_t mix_bits(uint64_t x);

/* Plain random numbers, uniform in (0, 1), independent for all axes and samples. */
double random_uniform(uint64_t seed, int axis, long sample);

/* Sobol's sequence with the direction numbers of Joe and Kuo (2008), each axis shifted (exclusive
 * or) by bits that depend on the seed: points of (0, 1)^d that fill it evenly, unbiased over
 * seeds. */
enum { SOBOL_AXES_MAX = 21 };
double sobol_uniform(uint64_t seed, int axis, long sample);

/* The standard normal variable that is below its value with probability p, 0 < p < 1, to 1e-15
 * (Wichura, algorithm AS 241, 1988). */
double normal_quantile(double p);

#endif
