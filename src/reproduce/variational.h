/* What the items of RATTLE and of the Lobatto family share: both papers have the same ball and the same
 * slider-crank. */
#ifndef PC_REPRODUCE_VARIATIONAL_H
#define PC_REPRODUCE_VARIATIONAL_H

#include "reproduce/measure.h"

#define MS                       \
  {                              \
    .of = {"time"}, .scale = 1e3 \
  }

/* A panel: one quantity of a run over time. */
#define OVER_TIME(run_, text, label_, name, scale_)                                      \
  {                                                                                      \
    .title = text, .x_label = "t [ms]", .y_label = label_, .curve = (const item_curve[]) \
    {                                                                                    \
      {.run = run_, .x = MS, .y = {.of = {name}, .scale = scale_}},                      \
      {                                                                                  \
        0                                                                                \
      }                                                                                  \
    }                                                                                    \
  }

/* The panels of the slider's corners. */
#define CORNERS(run_)                                                                \
  OVER_TIME(run_, "corner 1: gap", "g₁ [mm]", "corner1.gap", 1e3),                   \
      OVER_TIME(run_, "corner 1: its rate", "g₁' [m/s]", "corner1.gap_velocity", 1), \
      OVER_TIME(run_, "corner 3: gap", "g₃ [mm]", "corner3.gap", 1e3),               \
      OVER_TIME(run_, "corner 3: its rate", "g₃' [m/s]", "corner3.gap_velocity", 1)

/* The slider's centre, between the places where its upper and lower corners touch the walls. */
#define PATH(run_)                                                                               \
  {                                                                                              \
    .title = "path of the slider", .x_label = "x₃ [mm]", .y_label = "y₃ [mm]", .y = {-1.2, 1.2}, \
    .wall = {-1, 1}, .wall_count = 2, .curve = (const item_curve[])                              \
    {                                                                                            \
      {.run = run_,                                                                              \
       .x = {.of = {"slider.x"}, .scale = 1e3},                                                  \
       .y = {.of = {"slider.y"}, .scale = 1e3}},                                                 \
      {                                                                                          \
        0                                                                                        \
      }                                                                                          \
    }                                                                                            \
  }

/* A state of the independent code, tests/reproduce/lobatto_slider_crank.c, with the same step: both solve
 * their equations to 1e-12 or better, and rebounds magnify what is left. */
#define CRANK_STATE(run_, time, name, text, value)                                             \
  {                                                                                            \
    .what = text, .kind = INDEPENDENT, .relation = NEAR, .expected = value, .tolerance = 1e-7, \
    .ours = value_at, .run = run_, .of = {.of = {name}}, .from = time                          \
  }

#define CRANK_WORDS(run_)                                                                      \
  {.what = "largest penetration [m]",                                                          \
   .says = "none",                                                                             \
   .kind = WORDS,                                                                              \
   .relation = BELOW,                                                                          \
   .expected = 1e-8,                                                                           \
   .ours = penetration,                                                                        \
   .run = run_},                                                                               \
  {                                                                                            \
    .what = "largest angle of the slider, t > 0.01 s [rad]", .says = "stabilized at t ≈ 0.01", \
    .kind = WORDS, .relation = BELOW, .expected = 1e-8, .ours = largest_size, .run = run_,     \
    .of = {.of = {"slider.angle"}}, .from = 0.01, .to = 0.0838                                 \
  }

/* Checks of the ball that sticks at its first impact, case 3. */
#define STICKING_BALL(run_)                                                           \
  {.what = "case 3: ΔP_F of the impact [N s]",                                        \
   .says = "sticking: -2/7 m R ω",                                                    \
   .kind = WORDS,                                                                     \
   .relation = NEAR,                                                                  \
   .expected = -2.0 / 7,                                                              \
   .tolerance = 1e-8,                                                                 \
   .ours = smallest,                                                                  \
   .run = run_,                                                                       \
   .of = {.of = {"floor.P_F"}}},                                                      \
  {                                                                                   \
    .what = "case 3: friction after the impact [N s]", .says = "zero", .kind = WORDS, \
    .relation = BELOW, .expected = 1e-9, .ours = largest_size, .run = run_,           \
    .of = {.of = {"floor.P_F"}}, .from = 0.44, .to = 1.11                             \
  }

#endif
