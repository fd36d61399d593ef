/* Flores, Leine, Glocker: Moreau's midpoint scheme on the slider-crank with clearance. */
#include <stddef.h>

#include "reproduce/crank.h"
#include "reproduce/measure.h"

#define MODEL "slider-crank-minimal"

/* The paper prints neither step nor end; with 1e-5 s a step more or less cannot be seen. */
static const item_run runs[] = {
    {"moreau, dt = 1e-5 s", MODEL, "moreau", 1e-5, 0.14, NULL, NULL, 0},
    {"moreau-jean, dt = 1e-5 s", MODEL, "moreau-jean", 1e-5, 0.14, NULL, NULL, 0},
    {0},
};

static const char note[] =
    "The paper prints no step and no end time: dt = 1e-5 s, and the two revolutions of the crank "
    "that "
    "its axes show. d = 2 (b + c) = 0.052 m, which Table 1 lacks.";

#define CORNER(title_, name, place)                                                   \
  {                                                                                   \
    .title = title_, .x_label = "crank revolutions", .y_label = "y / c", .x = {0, 2}, \
    .y = {-1.2, 1.2}, .curve = (const item_curve[])                                   \
    {                                                                                 \
      {.x = REVOLUTIONS, .y = {{name}, place}},                                       \
      {                                                                               \
        0                                                                             \
      }                                                                               \
    }                                                                                 \
  }

static const item_panel corners[] = {
    CORNER("corner 1", "corner1.gap", upper_corner),
    CORNER("corner 2", "corner2.gap", upper_corner),
    CORNER("corner 3", "corner3.gap", lower_corner),
    CORNER("corner 4", "corner4.gap", lower_corner),
    {0},
};

static const item_check corner_checks[] = {
    {.what = "closings of corner 1, the upper wall",
     .says = "free motion, impacts with rebound, permanent contact",
     .relation = ABOVE,
     .published = 3,
     .ours = closing_count,
     .of = {.of = {"corner1.P_N"}}},
    {.what = "closings of corner 3, the lower wall",
     .says = "free motion, impacts with rebound, permanent contact",
     .relation = ABOVE,
     .published = 3,
     .ours = closing_count,
     .of = {.of = {"corner3.P_N"}}},
    {.what = "largest angle of the slider [rad]",
     .says = "all corners move alike",
     .relation = BELOW,
     .published = 1e-11,
     .ours = largest_size,
     .of = {.of = {"th3"}}},
    {.what = "largest |y / c|",
     .says = "the walls at 1",
     .relation = NEAR,
     .published = 1,
     .tolerance = 0.02,
     .ours = largest_size,
     .of = {{"corner1.gap"}, upper_corner}},
    {.what = "largest difference of corner 1 to moreau-jean before the second impact [m]",
     .says = "the same mechanics",
     .relation = BELOW,
     .published = 2e-5,
     .ours = difference,
     .run = 0,
     .last = 1,
     .from = 1e-9,
     .to = 0.004,
     .of = {.of = {"corner1.gap"}}},
    {0},
};

static const item_panel speeds[] = {
    {.title = "crank speed",
     .x_label = "crank revolutions",
     .y_label = "ω₁ [rad/s]",
     .x = {0, 2},
     .curve = (const item_curve[]){{.x = REVOLUTIONS, .y = {.of = {"th1'"}}}, {0}}},
    {.title = "connecting-rod speed",
     .x_label = "crank revolutions",
     .y_label = "ω₂ [rad/s]",
     .x = {0, 2},
     .curve = (const item_curve[]){{.x = REVOLUTIONS, .y = {.of = {"th2'"}}}, {0}}},
    {.title = "connecting-rod portrait",
     .x_label = "θ₂ [rad]",
     .y_label = "ω₂ [rad/s]",
     .curve = (const item_curve[]){{.x = {.of = {"th2"}}, .y = {.of = {"th2'"}}}, {0}}},
    {.title = "slider portrait",
     .x_label = "x [m]",
     .y_label = "y [m]",
     .curve = (const item_curve[]){{.x = SLIDER_X, .y = SLIDER_Y}, {0}}},
    {0},
};

static const item_check speed_checks[] = {
    {.what = "crank speed at the start [rad/s]",
     .relation = NEAR,
     .published = 150,
     .tolerance = 1e-9,
     .ours = value_at,
     .of = {.of = {"th1'"}}},
    {.what = "rod speed at the start [rad/s]",
     .relation = NEAR,
     .published = -75,
     .tolerance = 1e-9,
     .ours = value_at,
     .of = {.of = {"th2'"}}},
    {.what = "smallest crank speed in two revolutions [rad/s]",
     .says = "it keeps turning",
     .relation = ABOVE,
     .published = 50,
     .ours = smallest,
     .of = {.of = {"th1'"}}},
    {.what = "largest jump of the rod's speed in a step [rad/s]; smooth motion: 0.1",
     .says = "discontinuities at impacts",
     .relation = ABOVE,
     .published = 1,
     .ours = largest_rise,
     .of = {.of = {"th2'"}}},
    {.what = "longest time of corner 1 within c/1000 of its wall [s]; a revolution: 0.07",
     .says = "permanent contact for long periods",
     .relation = ABOVE,
     .published = 0.005,
     .ours = longest_below,
     .of = {.of = {"corner1.gap"}},
     .level = 1e-6},
    {.what = "longest time of corner 3 within c/1000 of its wall [s]",
     .says = "permanent contact for long periods",
     .relation = ABOVE,
     .published = 0.005,
     .ours = longest_below,
     .of = {.of = {"corner3.gap"}},
     .level = 1e-6},
    {0},
};

const item flores_items[] = {
    {"flores-fig10", "Slider-crank: dimensionless motion of the slider's corners", note, 2, runs,
     corners, corner_checks},
    {"flores-fig11", "Slider-crank: speeds and portraits over two crank revolutions", note, 2, runs,
     speeds, speed_checks},
    {0},
};
