/* What the items of the generalized-alpha paper share. */
#ifndef PC_REPRODUCE_ALPHA_H
#define PC_REPRODUCE_ALPHA_H

#define SCHEME "generalized-alpha"

/* A quantity under both methods. */
#define PVV_PVA(pvv, pva, ...)                                      \
  .curve = (const item_curve[])                                     \
  {                                                                 \
    {.run = pvv, .y = __VA_ARGS__}, {.run = pva, .y = __VA_ARGS__}, \
    {                                                               \
      0                                                             \
    }                                                               \
  }

/* The same by marks at the steps. */
#define PVV_PVA_POINTS(pvv, pva, ...)                    \
  .curve = (const item_curve[])                          \
  {                                                      \
    {.run = pvv, .y = __VA_ARGS__, .style = POINTS},     \
        {.run = pva, .y = __VA_ARGS__, .style = POINTS}, \
    {                                                    \
      0                                                  \
    }                                                    \
  }

/* Mean force over a step, of {percussion, dt}. */
static inline double per_step(const double* of)
{
  return of[0] / of[1];
}

#endif
