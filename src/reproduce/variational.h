/* What the items of RATTLE and of the Lobatto family share: both papers have the same ball and the same
 * slider-crank. */
#ifndef PC_REPRODUCE_VARIATIONAL_H
#define PC_REPRODUCE_VARIATIONAL_H

#include "reproduce/measure.h"

/* A panel: one quantity of a run over time. */
#define OVER_TIME(run_, text, label_, name)                                             \
  {                                                                                     \
    .title = text, .x_label = "t [s]", .y_label = label_, .curve = (const item_curve[]) \
    {                                                                                   \
      {.run = run_, .y = {.of = {name}}},                                               \
      {                                                                                 \
        0                                                                               \
      }                                                                                 \
    }                                                                                   \
  }

/* The panels of the slider's corners. */
#define CORNERS(run_)                                                             \
  OVER_TIME(run_, "corner 1: gap", "g₁ [m]", "corner1.gap"),                      \
      OVER_TIME(run_, "corner 1: its rate", "g₁' [m/s]", "corner1.gap_velocity"), \
      OVER_TIME(run_, "corner 3: gap", "g₃ [m]", "corner3.gap"),                  \
      OVER_TIME(run_, "corner 3: its rate", "g₃' [m/s]", "corner3.gap_velocity")

/* Checks of the ball that sticks at its first impact, case 3. */
#define STICKING_BALL(run_)                                                               \
  {.what = "case 3: ΔP_F of the impact [N s]",                                            \
   .says = "sticking: -2/7 m R ω",                                                        \
   .relation = NEAR,                                                                      \
   .published = -2.0 / 7,                                                                 \
   .tolerance = 1e-8,                                                                     \
   .ours = smallest,                                                                      \
   .run = run_,                                                                           \
   .of = {.of = {"floor.P_F"}}},                                                          \
  {                                                                                       \
    .what = "case 3: friction after the impact [N s]", .says = "zero", .relation = BELOW, \
    .published = 1e-9, .ours = largest_size, .run = run_, .of = {.of = {"floor.P_F"}},    \
    .from = 0.44, .to = 1.11                                                              \
  }

#endif
