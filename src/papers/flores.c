/* Flores, Leine, Glocker: Moreau's midpoint scheme on the slider-crank with clearance. The numbers
 * of the independent code are those of tests/reproduce/moreau_slider_crank.py. */
#include <stddef.h>

#include "papers/crank.h"
#include "papers/items.h"
#include "reproduce/measure.h"

#define MODEL "slider-crank-minimal"

/* The paper prints neither step nor end; with 1e-5 s a step more or less cannot be seen. */
enum { FINE, COARSE };

static const item_run runs[] = {
    [FINE] = {"moreau, dt = 1e-5 s", MODEL, "moreau", 1e-5, 0.14, NULL, NULL, 0, NULL},
    [COARSE] = {"moreau, dt = 1e-4 s", MODEL, "moreau", 1e-4, 0.2, NULL, NULL, 0, NULL},
    {0},
};

static const char note[] =
    "The paper prints no step and no end time: dt = 1e-5 s, and the two revolutions of the crank "
    "that its axes show. d = 2 (b + c) = 0.052 m, which Table 1 lacks. The independent code is "
    "tests/reproduce/moreau_slider_crank.py, with the same steps. J3 has no influence: both "
    "corners "
    "of a side always meet their wall together, the percussions have no moment about the slider's "
    "centre, and its angle stays 0; whoever turns the slider at the start sees J3 (rattle-fig5).";

#define CORNER(title_, name, place)                                                   \
  {                                                                                   \
    .title = title_, .x_label = "crank revolutions", .y_label = "y / c", .x = {0, 2}, \
    .y = {-1.2, 1.2}, .wall = {-1, 1}, .wall_count = 2,                               \
    CURVES({.x = REVOLUTIONS, .y = {.of = {name}, .value = place}})                   \
  }

static const item_panel corners[] = {
    CORNER("corner 1", "corner1.gap", upper_corner),
    CORNER("corner 2", "corner2.gap", upper_corner),
    CORNER("corner 3", "corner3.gap", lower_corner),
    CORNER("corner 4", "corner4.gap", lower_corner),
    {0},
};

/* A state of the independent code. Both follow the same sequence of impacts; what is left is
 * round-off that the rebounds have magnified, far below these tolerances. */
#define STATE(run_, time, name, text, value, near_)                                             \
  {                                                                                             \
    .what = text, .kind = INDEPENDENT, .relation = NEAR, .expected = value, .tolerance = near_, \
    .ours = value_at, .run = run_, .of = {.of = {name}}, .from = time                           \
  }
#define GAP(time, text, value) \
  STATE(FINE, time, "corner1.gap", "gap of corner 1 at " text " [m]", value, 1e-9)

static const item_check corner_checks[] = {
    GAP(0.003, "3 ms", 8.550412777460006e-05),
    GAP(0.005, "5 ms", 1.300261290805814e-04),
    GAP(0.02, "20 ms", 1.581250530317234e-04),
    GAP(0.07, "70 ms", 1.7147206800502378e-03),
    GAP(0.14, "140 ms", 1.4105499164723083e-03),
    STATE(FINE, 0.05, "corner3.gap", "gap of corner 3 at 50 ms [m]", 2.002040048218672e-03, 1e-9),
    {.what = "first percussion of corner 1 [N s]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.05603825768300652,
     .tolerance = 1e-9,
     .ours = first_positive,
     .run = FINE,
     .of = {.of = {"corner1.P_N"}}},
    {.what = "first percussion of corner 2 [N s]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.05548066307919552,
     .tolerance = 1e-9,
     .ours = first_positive,
     .run = FINE,
     .of = {.of = {"corner2.P_N"}}},
    {.what = "largest violation, dt = 1e-5 s [m]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 8.810634707485943e-06,
     .tolerance = 1e-9,
     .ours = penetration,
     .run = FINE},
    {.what = "largest violation, dt = 1e-4 s [m]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 1.4306870206318156e-04,
     .tolerance = 1e-9,
     .ours = penetration,
     .run = COARSE},
    {.what = "closings of corner 1, the upper wall",
     .says = "free motion, impacts with rebound, permanent contact",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 42,
     .ours = closing_count,
     .of = {.of = {"corner1.P_N"}}},
    {.what = "closings of corner 3, the lower wall",
     .says = "the same; pressed lightly, it opens and closes often",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 157,
     .ours = closing_count,
     .of = {.of = {"corner3.P_N"}}},
    {.what = "largest angle of the slider [rad]",
     .says = "all corners move alike",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 1e-11,
     .ours = largest_size,
     .of = {.of = {"th3"}}},
    {0},
};

static const item_panel speeds[] = {
    {.title = "crank speed",
     .x_label = "crank revolutions",
     .y_label = "ω₁ [rad/s]",
     .x = {0, 2},
     CURVES({.x = REVOLUTIONS, .y = {.of = {"th1'"}}})},
    {.title = "connecting-rod speed",
     .x_label = "crank revolutions",
     .y_label = "ω₂ [rad/s]",
     .x = {0, 2},
     CURVES({.x = REVOLUTIONS, .y = {.of = {"th2'"}}})},
    {.title = "connecting-rod portrait",
     .x_label = "θ₂ [rad]",
     .y_label = "ω₂ [rad/s]",
     CURVES({.x = {.of = {"th2"}}, .y = {.of = {"th2'"}}})},
    {.title = "slider portrait",
     .x_label = "x [mm]",
     .y_label = "y [mm]",
     .wall = {-1, 1},
     .wall_count = 2,
     .y = {-1.2, 1.2},
     CURVES({.x = SLIDER_X_MM, .y = SLIDER_Y_MM})},
    {0},
};

#define RATES(time, text, crank, rod)                                        \
  STATE(FINE, time, "th1'", "crank speed at " text " [rad/s]", crank, 1e-5), \
      STATE(FINE, time, "th2'", "rod speed at " text " [rad/s]", rod, 1e-5)

static const item_check speed_checks[] = {
    RATES(0.002, "2 ms", 120.43129353973478, -56.453277404828924),
    RATES(0.01, "10 ms", 67.41920985262838, -21.493265312528223),
    RATES(0.05, "50 ms", 68.4818603551607, -3.076431220202652),
    RATES(0.1, "100 ms", 134.3170385773873, 62.085449082966626),
    RATES(0.14, "140 ms", 115.10974793002504, -53.61344793491137),
    STATE(COARSE, 0.2, "th1'", "dt = 1e-4 s: crank speed at 200 ms [rad/s]", 59.90880671955488,
          1e-5),
    STATE(COARSE, 0.2, "th2'", "dt = 1e-4 s: rod speed at 200 ms [rad/s]", -14.274256196892658,
          1e-5),
    {.what = "time of two revolutions [s]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.13783642880669633,
     .tolerance = 1e-8,
     .ours = time_reached,
     .of = REVOLUTIONS,
     .level = 2},
    {.what = "largest jump of the rod's speed in a step [rad/s]; smooth motion: 0.1",
     .says = "discontinuities at impacts",
     .kind = WORDS,
     .relation = ABOVE,
     .expected = 1,
     .ours = largest_rise,
     .of = {.of = {"th2'"}}},
    {.what = "longest time in which corner 1 is pressed to its wall in every step [s]; a "
             "revolution: 0.07",
     .says = "permanent contact for long periods",
     .kind = WORDS,
     .relation = ABOVE,
     .expected = 0.005,
     .ours = longest_within,
     .of = {.of = {"corner1.gap"}},
     .level = 1e-5},
    {.what = "the same of corner 3 [s]",
     .says = "permanent contact for long periods",
     .kind = WORDS,
     .relation = ABOVE,
     .expected = 0.005,
     .ours = longest_within,
     .of = {.of = {"corner3.gap"}},
     .level = 1e-5},
    {0},
};

const item flores_items[] = {
    {"flores-fig10", "Slider-crank: dimensionless motion of the slider's corners", note, 2, runs,
     corners, corner_checks, NULL},
    {"flores-fig11", "Slider-crank: speeds and portraits over two crank revolutions", note, 2, runs,
     speeds, speed_checks, NULL},
    {0},
};
