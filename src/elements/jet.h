/* First-order jets: a number with its derivatives by local coordinates of an element.
 *
 * The geometry of every element is written once, in jets. Where no derivative is wanted, the number
 * n of components is the constant 0: the compiler then removes them, and what is left is plain
 * arithmetic. Otherwise n is PC_JET_SIZE, also a constant, so that the loops become vector code. */
#ifndef PC_ELEMENTS_JET_H
#define PC_ELEMENTS_JET_H

#include <math.h>

#include "base/inline.h"

enum { PC_JET_SIZE = 6 }; /* two planar bodies, or one spatial body */

typedef struct pc_jet {
  double v;
  double d[PC_JET_SIZE];
} pc_jet;

PC_INLINE pc_jet pc_jet_number(double v)
{
  return (pc_jet){.v = v};
}

/* A number that depends on one coordinate alone. */
PC_INLINE pc_jet pc_jet_of(int n, double v, int coordinate, double slope)
{
  pc_jet r = {.v = v};
  PC_UNROLL
  for (int i = 0; i < n; i++) r.d[i] = i == coordinate ? slope : 0;
  return r;
}

/* a + scale * b */
PC_INLINE pc_jet pc_jet_plus(int n, pc_jet a, double scale, pc_jet b)
{
  pc_jet r = {.v = a.v + scale * b.v};
  PC_UNROLL
  for (int i = 0; i < n; i++) r.d[i] = a.d[i] + scale * b.d[i];
  return r;
}

/* scale * a + shift */
PC_INLINE pc_jet pc_jet_affine(int n, double scale, pc_jet a, double shift)
{
  pc_jet r = {.v = scale * a.v + shift};
  PC_UNROLL
  for (int i = 0; i < n; i++) r.d[i] = scale * a.d[i];
  return r;
}

PC_INLINE pc_jet pc_jet_times(int n, pc_jet a, pc_jet b)
{
  pc_jet r = {.v = a.v * b.v};
  PC_UNROLL
  for (int i = 0; i < n; i++) r.d[i] = a.d[i] * b.v + a.v * b.d[i];
  return r;
}

/* 1/a */
PC_INLINE pc_jet pc_jet_inverse(int n, pc_jet a)
{
  pc_jet r = {.v = 1 / a.v};
  PC_UNROLL
  for (int i = 0; i < n; i++) r.d[i] = -r.v * r.v * a.d[i];
  return r;
}

/* sqrt(a); the derivative at 0 is taken as 0. */
PC_INLINE pc_jet pc_jet_sqrt(int n, pc_jet a)
{
  pc_jet r = {.v = sqrt(a.v)};
  double slope = r.v > 0 ? 0.5 / r.v : 0;
  PC_UNROLL
  for (int i = 0; i < n; i++) r.d[i] = slope * a.d[i];
  return r;
}

#endif
