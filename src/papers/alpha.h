/* What the items of the generalized-alpha paper share. */
#ifndef PC_PAPERS_ALPHA_H
#define PC_PAPERS_ALPHA_H

#define SCHEME "generalized-alpha"

/* A quantity under both methods. */
#define PVV_PVA(pvv, pva, ...) \
  CURVES({.run = pvv, .y = __VA_ARGS__}, {.run = pva, .y = __VA_ARGS__})

/* A panel of their difference, for they coincide. */
#define PVA_MINUS_PVV(pvv, pva, title_, label_, ...)        \
  {                                                         \
    .title = title_, .x_label = "t [s]", .y_label = label_, \
    CURVES({.label = "PVA minus PVV",                       \
            .run = pva,                                     \
            .y = __VA_ARGS__,                               \
            .is_difference = 1,                             \
            .minus = pvv})                                  \
  }

/* The same by marks at the steps. */
/* Of what changes from step to step. */
#define PVV_PVA_DOTS(pvv, pva, ...)                     \
  CURVES({.run = pvv, .y = __VA_ARGS__, .style = DOTS}, \
         {.run = pva, .y = __VA_ARGS__, .style = DOTS})

#define PVV_PVA_POINTS(pvv, pva, ...)                     \
  CURVES({.run = pvv, .y = __VA_ARGS__, .style = POINTS}, \
         {.run = pva, .y = __VA_ARGS__, .style = POINTS})

/* Mean force over a step, of {percussion, dt}. */
static inline double per_step(const double* of)
{
  return of[0] / of[1];
}

#endif
