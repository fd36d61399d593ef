/* What the items of RATTLE and of the Lobatto family share: both papers have the same ball and the
 * same slider-crank. */
#ifndef PC_PAPERS_VARIATIONAL_H
#define PC_PAPERS_VARIATIONAL_H

#include "reproduce/measure.h"

#define MS                       \
  {                              \
    .of = {"time"}, .scale = 1e3 \
  }

/* A panel: one quantity of a run over time. */
#define OVER_TIME(run_, text, label_, name, scale_)                      \
  {                                                                      \
    .title = text, .x_label = "t [ms]", .y_label = label_,               \
    CURVES({.run = run_, .x = MS, .y = {.of = {name}, .scale = scale_}}) \
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
    .wall = {-1, 1}, .wall_count = 2,                                                            \
    CURVES({.run = run_,                                                                         \
            .x = {.of = {"slider.x"}, .scale = 1e3},                                             \
            .y = {.of = {"slider.y"}, .scale = 1e3}})                                            \
  }

/* A state of the independent code, tests/reproduce/lobatto_slider_crank.c, with the same step: both
 * solve their equations to 1e-12 or better, and rebounds magnify what is left. */
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

/* The panels of the ball: its gap; a percussion of cases 2 and 3. */
#define BALL_GAP(run_)                                     \
  {                                                        \
    .title = "", .x_label = "t [s]", .y_label = "gap [m]", \
    CURVES({.run = run_, .y = {.of = {"floor.gap"}}})      \
  }
#define BALL_PERCUSSION(text, label_, name, case2, case3)                            \
  {                                                                                  \
    .title = text, .x_label = "t [s]", .y_label = label_,                            \
    CURVES({.run = case2, .y = {.of = {name}}}, {.run = case3, .y = {.of = {name}}}) \
  }

/* Checks of the ball that bounces ever lower, case 1. Landings on grid points are ties; closed is
 * what the tie rule of 1e-10 m calls closed. */
#define IMPACT(run_, n_, value)                                                             \
  {                                                                                         \
    .what = "impact " #n_ " [s]", .kind = INDEPENDENT, .relation = NEAR, .expected = value, \
    .tolerance = 1e-9, .ours = closing_time, .run = run_, .n = n_, .of = {                  \
      .of = {"floor.P_N"}                                                                   \
    }                                                                                       \
  }
#define FIRST_IMPACT(run_)                                                                    \
  {                                                                                           \
    .what = "first impact [s]",                                                               \
    .says = "it lands at sqrt(2 (y_0 - R)/g) = 0.42836 s, the end of step 43", .kind = EXACT, \
    .relation = NEAR, .expected = 0.43, .tolerance = 1e-9, .ours = closing_time, .run = run_, \
    .n = 1, .of = {                                                                           \
      .of = {"floor.P_N"}                                                                     \
    }                                                                                         \
  }
#define OVERCOME(run_)                                                                             \
  {                                                                                                \
    .what = "largest gap after the accumulation point, t > 1.3 [m]",                               \
    .says = "it is overcome; exactly at 1.285 s", .kind = EXACT, .relation = BELOW,                \
    .expected = 1e-8, .ours = largest_size, .run = run_, .of = {.of = {"floor.gap"}}, .from = 1.3, \
    .to = 1.5                                                                                      \
  }

/* Checks of the ball that slides at its first impact, case 2. */
#define SLIDING_IMPACT(run_)                                                                       \
  {                                                                                                \
    .what = "case 2: ΔP_N of the impact [N s]", .says = "m g 0.43 s", .kind = EXACT,               \
    .relation = NEAR, .expected = 4.2183, .tolerance = 1e-4, .ours = largest, .run = run_, .of = { \
      .of = {"floor.P_N"}                                                                          \
    }                                                                                              \
  }
#define ROLLING_BALL(run_)                                                                        \
  {.what = "case 2: last time with friction [s]",                                                 \
   .says = "step 73, then it rolls",                                                              \
   .kind = WORDS,                                                                                 \
   .relation = NEAR,                                                                              \
   .expected = 0.73,                                                                              \
   .tolerance = 1e-9,                                                                             \
   .ours = last_above,                                                                            \
   .run = run_,                                                                                   \
   .of = {.of = {"floor.P_F"}},                                                                   \
   .level = 1e-9},                                                                                \
  {                                                                                               \
    .what = "case 2: velocity of the rolling ball [m/s]", .says = "-2/7 R ω", .kind = EXACT,      \
    .relation = NEAR, .expected = -10.0 / 7, .tolerance = 1e-8, .ours = final_value, .run = run_, \
    .of = {                                                                                       \
      .of = {"ball.vx"}                                                                           \
    }                                                                                             \
  }

/* Checks of the ball that sticks at its first impact, case 3. */
#define STICKING_BALL(run_)                                                           \
  {.what = "case 3: ΔP_F of the impact [N s]",                                        \
   .says = "sticking: -2/7 m R ω",                                                    \
   .kind = EXACT,                                                                     \
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
