/* Kernels with loops of constant length. */
#ifndef PC_BASE_INLINE_H
#define PC_BASE_INLINE_H

/* Kernels must be inlined for constants as the number of components to reach them, and the loops
 * over components unrolled before the compiler decides what lives in registers. */
#define PC_INLINE static inline __attribute__((always_inline))
/* What happens rarely, next to what happens in every step: out of its way, so that the latter keeps
 * its variables in registers and saves none for the former. */
#define PC_RARE static __attribute__((noinline, cold))
#if defined(__clang__)
#define PC_UNROLL _Pragma("clang loop unroll(full)")
#else
#define PC_UNROLL _Pragma("GCC unroll 6")
#endif

#endif
