/* atan2 and what follows from it: the angle of (b, a) with 0 <= a <= b is that of the nearest k/16
 * and a rest below 1/32, of which Taylor's series has seven terms. */
#include <math.h>

#include "base/elementary.h"
#include "base/twofold.h"

static const pc_twofold pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const pc_twofold half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/* atan(k/16) */
static const pc_twofold angle_of[17] = {{0, 0},
                                        {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
                                        {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                        {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
                                        {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                        {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
                                        {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                        {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
                                        {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                        {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
                                        {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                        {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
                                        {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                        {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
                                        {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                        {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
                                        {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

/* atan(a/b), 0 <= a <= b */
static pc_twofold first_octant(pc_twofold a, pc_twofold b)
{
  int k = (int)(a.hi / b.hi * 16 + 0.5);
  pc_twofold c = {k / 16.0, 0};
  pc_twofold above = pc_twofold_add(a, pc_twofold_negate(pc_twofold_multiply(c, b)));
  pc_twofold t = pc_twofold_divide(above, pc_twofold_add(b, pc_twofold_multiply(c, a)));
  double z = t.hi * t.hi;
  double series =
      -1.0 / 3 + z * (1.0 / 5 + z * (-1.0 / 7 + z * (1.0 / 9 + z * (-1.0 / 11 + z * (1.0 / 13)))));
  pc_twofold rest = pc_fast_sum(t.hi, t.lo + t.hi * z * series);
  return pc_twofold_add(angle_of[k], rest);
}

/* The angle of (x, y) from the x axis, 0 to pi; y is not negative. */
static double upper_half(pc_twofold y, pc_twofold x)
{
  pc_twofold across = x.hi < 0 ? pc_twofold_negate(x) : x;
  pc_twofold angle = y.hi <= across.hi
                         ? first_octant(y, across)
                         : pc_twofold_add(half_pi, pc_twofold_negate(first_octant(across, y)));
  if (x.hi < 0) angle = pc_twofold_add(pi, pc_twofold_negate(angle));
  return angle.hi + angle.lo;
}

/* Both finite, not both zero; scaled so that the larger is near 1. */
static double positive_angle(double y, double x)
{
  int exponent_y, exponent_x;
  frexp(y, &exponent_y);
  frexp(x, &exponent_x);
  if (x > 0 && y > 0 && exponent_y < exponent_x - 60) return y / x; /* may be subnormal */
  int larger = y > fabs(x) ? exponent_y : exponent_x;
  return upper_half((pc_twofold){ldexp(y, -larger), 0}, (pc_twofold){ldexp(x, -larger), 0});
}

double pc_atan2(double y, double x)
{
  if (isnan(x) || isnan(y)) return x + y;
  if (isinf(x) || isinf(y)) /* the directions of the corners */
    return pc_atan2(isinf(y) ? copysign(1, y) : copysign(0, y), isinf(x) ? copysign(1, x) : 0.0);
  if (y == 0) return signbit(x) ? copysign(pi.hi, y) : y;
  return copysign(positive_angle(fabs(y), x), y);
}

double pc_atan(double x)
{
  if (fabs(x) < 0x1p-27 || isnan(x)) return x;
  return pc_atan2(x, 1);
}

/* sqrt(1 - x^2) */
static pc_twofold other_side(double x)
{
  pc_twofold square = pc_exact_product(x, x);
  pc_twofold rest = pc_twofold_add((pc_twofold){1, 0}, pc_twofold_negate(square));
  if (!(rest.hi > 0)) return (pc_twofold){0, 0};
  double root = sqrt(rest.hi);
  pc_twofold back = pc_exact_product(root, root);
  return pc_fast_sum(root, ((rest.hi - back.hi) - back.lo + rest.lo) / (2 * root));
}

double pc_asin(double x)
{
  if (fabs(x) < 0x1p-27) return x;
  if (!(fabs(x) <= 1)) return isnan(x) ? x : (double)NAN;
  return copysign(upper_half((pc_twofold){fabs(x), 0}, other_side(x)), x);
}

double pc_acos(double x)
{
  if (!(fabs(x) <= 1)) return isnan(x) ? x : (double)NAN;
  if (x == 1) return 0;
  return upper_half(other_side(x), (pc_twofold){x, 0});
}
