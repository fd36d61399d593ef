/* Kernels with loops of constant length. */
#ifndef PC_BASE_INLINE_H
#define PC_BASE_INLINE_H

/* Kernels must be inlined for constants as the number of components to reach them, and the loops
 * over components unrolled before the compiler decides what lives in registers. */
#define PC_INLINE static inline __attribute__((always_inline))
/* Another way than the shortest, which so keeps its variables in registers and saves none for it;
 * and one that is hardly ever taken, so that it need not be fast itself. */
#define PC_APART static __attribute__((noinline))
#define PC_RARE  static __attribute__((noinline, cold))
#if defined(__clang__)
#define PC_UNROLL _Pragma("clang loop unroll(full)")
#else
#define PC_UNROLL _Pragma("GCC unroll 6")
#endif

#endif
