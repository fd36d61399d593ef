#include "linalg/panel.h"

/* Entries at any place. Where a processor has no such registers, the compiler makes two operations
 * of one. */
typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));

enum { QUADS = PC_PANEL_COLUMNS / 4, ROWS_AT_ONCE = 3 };

#define KERNEL static inline __attribute__((always_inline))

/* Up to three rows, a number that the compiler knows, times one panel. */
KERNEL void multiply_panel(int rows, int inner, const double* L, const double* U, double* C,
                           size_t width)
{
  quad sum[ROWS_AT_ONCE][QUADS] = {0};
  for (int q = 0; q < inner; q++, U += PC_PANEL_COLUMNS)
    for (int i = 0; i < rows; i++) {
      double l = L[i * inner + q];
      for (int k = 0; k < QUADS; k++) sum[i][k] += (quad){l, l, l, l} * ((const quad*)U)[k];
    }
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < QUADS; k++) ((quad*)(C + (size_t)i * width))[k] = sum[i][k];
}

KERNEL void multiply_rows(int rows, int inner, const double* L, const double* U, double* C,
                          size_t width)
{
  size_t panel = (size_t)inner * PC_PANEL_COLUMNS;
  for (size_t column = 0; column < width; column += PC_PANEL_COLUMNS, U += panel)
    multiply_panel(rows, inner, L, U, C + column, width);
}

KERNEL void multiply(int rows, int inner, const double* L, const double* U, double* C, size_t width)
{
  for (; rows >= ROWS_AT_ONCE; rows -= ROWS_AT_ONCE) {
    multiply_rows(ROWS_AT_ONCE, inner, L, U, C, width);
    L += ROWS_AT_ONCE * inner;
    C += ROWS_AT_ONCE * width;
  }
  if (rows == 2) multiply_rows(2, inner, L, U, C, width);
  if (rows == 1) multiply_rows(1, inner, L, U, C, width);
}

#if defined(__x86_64__) && defined(__GNUC__)

__attribute__((target("avx"))) static void multiply_wide(int rows, int inner, const double* L,
                                                         const double* U, double* C, size_t width)
{
  multiply(rows, inner, L, U, C, width);
}

int pc_panel_is_wide(void)
{
  return __builtin_cpu_supports("avx") != 0;
}

#else

#define multiply_wide multiply

int pc_panel_is_wide(void)
{
  return 0;
}

#endif

void pc_panel_multiply(int rows, int inner, int columns, const double* L, const double* U,
                       double* C, int wide)
{
  size_t width = pc_panel_width(columns);
  if (wide)
    multiply_wide(rows, inner, L, U, C, width);
  else
    multiply(rows, inner, L, U, C, width);
}
