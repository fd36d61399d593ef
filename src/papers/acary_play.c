/* Acary, section 6.4.2: the slider-crank with play in its guide and in the crank pin, in space,
 * Figs. 27 to 30. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "papers/items.h"
#include "reproduce/item_runs.h"
#include "reproduce/measure.h"

/* Projections as (58) prints them. */
#define IDENTITY "metric=identity"

#define PLANE "slider-crank-clearance"
#define SPACE "slider-crank-spatial"
#define MJ    "moreau-jean"
#define CP    "combined-projection"

/* In the plane and in space, Moreau-Jean and Algorithm 2 with dt = 1e-5; with a spin of 1 rad/s out
 * of the plane. */
enum {
  MJ_PLANE,
  MJ_PLANE_6,
  C_PLANE,
  C_WIDE_PLANE,
  MJ_WIDE_PLANE,
  MJ_SPACE,
  C_SPACE,
  C_WIDE_SPACE,
  C_TILTED,
  C_WIDE_TILTED,
  MJ_TILTED,
  IDEAL
};

static const item_run runs[] = {
    [MJ_PLANE] = {"in the plane", PLANE, MJ, 1e-5, 0.16, "r=5e-4", NULL, 0, NULL},
    [MJ_PLANE_6] = {"in the plane, dt = 1e-6", PLANE, MJ, 1e-6, 0.02, "r=5e-4", NULL, 0, NULL},
    [C_PLANE] = {"in the plane", PLANE, CP, 1e-5, 0.16, "r=5e-4", IDENTITY, 0, NULL},
    [C_WIDE_PLANE] = {"in the plane", PLANE, CP, 1e-5, 0.16, "r=5e-3", IDENTITY, 0, NULL},
    [MJ_WIDE_PLANE] = {"moreau-jean", PLANE, MJ, 1e-5, 0.16, "r=5e-3", NULL, 0, NULL},
    [MJ_SPACE] = {"in space", SPACE, MJ, 1e-5, 0.16, "r=5e-4", NULL, 0, NULL},
    [C_SPACE] = {"in space", SPACE, CP, 1e-5, 0.16, "r=5e-4", IDENTITY, 0, NULL},
    [C_WIDE_SPACE] = {"in space", SPACE, CP, 1e-5, 0.16, "r=5e-3", IDENTITY, 0, NULL},
    [C_TILTED] = {"in space, tilted", SPACE, CP, 1e-5, 0.16, "r=5e-4 tilt=1", IDENTITY, 0, NULL},
    [C_WIDE_TILTED] = {"in space, tilted", SPACE, CP, 1e-5, 0.16, "r=5e-3 tilt=1", IDENTITY, 0,
                       NULL},
    [MJ_TILTED] = {"in space, tilted", SPACE, MJ, 1e-5, 5e-4, "r=5e-4 tilt=1", NULL, 0, NULL},
    [IDEAL] = {"ideal pin", "slider-crank", "rattle", 1e-5, 0.05, "phi3=0", "tol=1e-10", 0, NULL},
    {0},
};

static const char note[] =
    "Data of Table 2 with J_2 = 5.9e-4 kg m^2 (Flores; 8.9e-4 is a misprint) and J_x3 = 2.7e-6 "
    "kg m^2, since no "
    "body has the printed 1e-5. The ring of the crank is two circles around the pin of the rod, "
    "the slider two "
    "circles in a round bore: analytic gaps instead of a CAD library. Without a disturbance the "
    "motion in space is "
    "that in the plane until round-off has grown to the plays; that in the plane was computed "
    "independently.";

/* ---- series --------------------------------------------------------------------------------- */

static double sum_of_two(const double* x)
{
  return x[0] + x[1];
}

static double smaller_of_two(const double* x)
{
  return fmin(x[0], x[1]);
}

/* Of {qw, qz} of a body that turns about z [rad]. */
static double turn_about_z(const double* p)
{
  return 2 * atan2(p[1], p[0]);
}

/* The farthest that the centre of an end of the slider is off the axis, of {y, z, qx, qy, qz} and
 * qw. */
static double off_axis(const double* x)
{
  const double a = 0.05; /* half its length [m] */
  double along_y = 2 * (x[2] * x[3] + x[5] * x[4]), along_z = 2 * (x[2] * x[4] - x[5] * x[3]);
  double far = 0;
  for (int end = -1; end <= 1; end += 2)
    far = fmax(far, hypot(x[0] + end * a * along_y, x[1] + end * a * along_z));
  return far;
}

#define MS                       \
  {                              \
    .of = {"time"}, .scale = 1e3 \
  }
#define SERIES(name) \
  {                  \
    .of = { name }   \
  }
#define OFF_AXIS                                                                        \
  {                                                                                     \
    .of = {"slider.y", "slider.z", "slider.qx", "slider.qy", "slider.qz", "slider.qw"}, \
    .value = off_axis, .scale = 1e3                                                     \
  }
#define PIN_IN_SPACE                                           \
  {                                                            \
    .of = {"pin-low.P_N", "pin-high.P_N"}, .value = sum_of_two \
  }

/* ---- checks --------------------------------------------------------------------------------- */

#define INDEPENDENTLY(text, measure, run_, series, value, near_)                                \
  {                                                                                             \
    .what = text, .kind = INDEPENDENT, .relation = NEAR, .expected = value, .tolerance = near_, \
    .ours = measure, .run = run_, .of = series                                                  \
  }
#define CLOSINGS(run_, name, count)                                             \
  INDEPENDENTLY(name ": closings in 0.16 s, in the plane", closing_count, run_, \
                SERIES(name ".P_N"), count, 0)
#define TURNS(run_, revolutions, text, value)                                            \
  {                                                                                      \
    .what = "time of " text ", in the plane [s]", .kind = INDEPENDENT, .relation = NEAR, \
    .expected = value, .tolerance = 1.5e-6, .ours = time_reached, .run = run_,           \
    .of = SERIES("crank.angle"), .level = 6.28318530717958648 * (revolutions)            \
  }
#define NO_PENETRATION(run_, text, most)                                                \
  {                                                                                     \
    .what = "largest penetration, " text " [m]", .says = "no violation", .kind = WORDS, \
    .relation = BELOW, .expected = most, .ours = penetration, .run = run_               \
  }
/* Of the rod's speed, which varies by 149 rad/s in the nominal motion: with an ideal pin. */
#define FROM_NOMINAL(text, run_, relation_, words)                                           \
  {                                                                                          \
    .what = text                                                                             \
        ", in the plane: farthest that the rod's speed is from the nominal one in 50 ms "    \
        "[rad/s]",                                                                           \
    .says = words, .kind = WORDS, .relation = relation_, .expected = 20, .ours = difference, \
    .run = run_, .last = IDEAL, .of = SERIES("rod.spin"), .to = 0.05                         \
  }
/* In space while the symmetry lasts: the percussions of both circles of the ring. */
#define FIRST_IMPACT(plane, space, text, time_, P)                                              \
  INDEPENDENTLY(text ": first percussion of the crank pin, in the plane [N s]", first_positive, \
                plane, SERIES("crank-pin.P_N"), P, 1e-8),                                       \
      INDEPENDENTLY(text ": the same in space [N s]", first_positive, space, PIN_IN_SPACE, P,   \
                    1e-6),                                                                      \
  {                                                                                             \
    .what = text ": its time, in space [s]", .kind = INDEPENDENT, .relation = NEAR,             \
    .expected = time_, .tolerance = 1e-9, .ours = closing_time, .run = space, .n = 1,           \
    .of = PIN_IN_SPACE                                                                          \
  }
/* The paper's first observation. Gravity changes the spins by less than this. */
#define CONSTANT_AT_FIRST(run_, end)                                                         \
  {.what = "crank speed before the first impact: largest change [rad/s]",                    \
   .says = "constant and equal to the prescribed values",                                    \
   .kind = WORDS,                                                                            \
   .relation = BELOW,                                                                        \
   .expected = 0.2,                                                                          \
   .ours = spread,                                                                           \
   .run = run_,                                                                              \
   .of = SERIES("crank.wz"),                                                                 \
   .to = end},                                                                               \
  {                                                                                          \
    .what = "connecting-rod speed before the first impact: largest change [rad/s]",          \
    .says = "constant and equal to the prescribed values", .kind = WORDS, .relation = BELOW, \
    .expected = 2e-3, .ours = spread, .run = run_, .of = SERIES("rod.wz"), .to = end         \
  }

static const char lost_why[] =
    "The contact is not lost here, nor in the independent computation: its pin closes once and "
    "stays closed in all time-stepping runs, under Moreau-Jean with dt = 1e-5 as with 1e-6, and a "
    "penetration of 0.03 mm does not disturb an analytic gap. What the paper reports comes from "
    "the distances of its "
    "CAD library, as it says itself. The event-driven solution is marginal there: an impact of the "
    "corners at 0.141225 s, the end of the second revolution, just lifts the pin off.";

/* tests/reproduce/hinged_rod.py, until the pin first touches its ring: with any play. */
#define FREE_AT(run_, name, text, value, near_)                                               \
  {                                                                                           \
    .what = "tilted, free until 0.45 ms: " text, .kind = INDEPENDENT, .relation = NEAR,       \
    .expected = value, .tolerance = near_, .ours = value_at, .run = run_, .of = SERIES(name), \
    .from = 4.5e-4                                                                            \
  }
#define FREE_WHILE_TILTED(run_)                                                           \
  FREE_AT(run_, "rod.wx", "spin of the rod about its axis [rad/s]", 1.00011951124, 1e-5), \
      FREE_AT(run_, "rod.wy", "its spin out of the plane [rad/s]", -0.03331298762, 1e-6), \
      FREE_AT(run_, "rod.z", "its centre out of the plane [m]", 1.005910945e-8, 1e-12)
/* tests/reproduce/lobatto_slider_crank.c with the same step */
#define NOMINAL_AT(time, text, value)                                                       \
  {                                                                                         \
    .what = "ideal pin: speed of the rod at " text " [rad/s]", .kind = INDEPENDENT,         \
    .relation = NEAR, .expected = value, .tolerance = 1e-5, .ours = value_at, .run = IDEAL, \
    .of = SERIES("rod.spin"), .from = time                                                  \
  }
/* By symmetry, for as long as round-off does not break it. */
#define AS_IN_THE_PLANE(space, plane, text, name)                                           \
  {                                                                                         \
    .what = text, .says = "by symmetry the same", .kind = EXACT, .relation = BELOW,         \
    .expected = 1e-12, .ours = difference, .run = space, .last = plane, .of = SERIES(name), \
    .to = 0.005                                                                             \
  }

static const item_check view_checks[] = {
    {.what = "gap of the crank pin at the start [mm]",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 0.5,
     .tolerance = 1e-9,
     .ours = value_at,
     .run = C_TILTED,
     .of = {.of = {"pin-low.gap"}, .scale = 1e3}},
    {.what = "gap of the slider's end at the start [mm]",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 1,
     .tolerance = 1e-9,
     .ours = value_at,
     .run = C_TILTED,
     .of = {.of = {"rear.gap"}, .scale = 1e3}},
    {.what = "motion in space and in the plane, 5 ms: largest difference of the slider's place [m]",
     .says = "an ideal joint corroborates the planar results; by symmetry so does one with play",
     .kind = EXACT,
     .relation = BELOW,
     .expected = 1e-12,
     .ours = difference,
     .run = C_SPACE,
     .last = C_PLANE,
     .of = SERIES("slider.x"),
     .to = 0.005},
    {.what = "the same of the crank's place [m]",
     .kind = EXACT,
     .relation = BELOW,
     .expected = 1e-12,
     .ours = difference,
     .run = C_SPACE,
     .last = C_PLANE,
     .of = SERIES("crank.y"),
     .to = 0.005},
    FREE_WHILE_TILTED(C_TILTED),
    {.what = "tilted: largest motion of the rod out of the plane [mm]",
     .says = "cylinders allow out-of-plane motions; the play of the slider, 1 mm",
     .kind = WORDS,
     .relation = ABOVE,
     .expected = 1,
     .ours = largest_size,
     .run = C_TILTED,
     .of = {.of = {"rod.z"}, .scale = 1e3}},
    {.what = "tilted: farthest that an end of the slider is off the axis [mm]",
     .says = "its play, 1 mm, and b (1 - cos φ) for a circle of b = 25 mm tilted by φ, "
             "a sin φ ≤ 1.005 mm",
     .kind = EXACT,
     .relation = BELOW,
     .expected = 1.00506,
     .ours = largest_size,
     .run = C_TILTED,
     .of = OFF_AXIS},
    NO_PENETRATION(C_TILTED, "tilted", 1e-10),
    {0},
};

/* The largest depth of a gap, whose rate is `over`, by what follows by hand from the first state
 * behind the wall: in the step from there the contact acts, its velocity ends at zero, and it moves
 * by the mean of both. */
static double depth_by_hand(const item_data* data, const item_check* c)
{
  const run_data* run = data->run[c->run];
  double *gap = series_values(run, &c->of), *rate = series_values(run, &c->over), expected = NAN;
  long k = 0;
  while (gap && rate && k < run->count && gap[k] > 0) k++;
  if (gap && rate && k < run->count) expected = -(gap[k] + run->spec->dt * rate[k] / 2);
  free(gap);
  free(rate);
  item_check deepest = *c;
  deepest.over = (item_series){{0}, NULL, 0};
  return depth(data, &deepest) / expected;
}

#define BY_HAND(run_, text, near_)                                                                \
  {                                                                                               \
    .what = text ", in the plane: penetration of the pin over that by hand",                      \
    .says =                                                                                       \
        "g + dt g'/2 of the first state behind the wall, on a wall that is straight: its radius " \
        "is r, and the pin moves along it by a share of that in a step",                          \
    .kind = EXACT, .relation = NEAR, .expected = 1, .tolerance = near_, .ours = depth_by_hand,    \
    .run = run_, .of = SERIES("crank-pin.gap"), .over = SERIES("crank-pin.gap_velocity"),         \
    .to = 0.02                                                                                    \
  }

static const item_check moreau_checks[] = {
    CONSTANT_AT_FIRST(MJ_SPACE, 4.5e-4),
    FREE_WHILE_TILTED(MJ_TILTED),
    FIRST_IMPACT(MJ_PLANE, MJ_SPACE, "dt = 1e-5", 4.7e-4, 0.2500919033),
    INDEPENDENTLY("first percussion of corner 1, in the plane [N s]", first_positive, MJ_PLANE,
                  SERIES("corner1.P_N"), 0.0554578337, 1e-8),
    INDEPENDENTLY("first percussion of corner 2, in the plane [N s]", first_positive, MJ_PLANE,
                  SERIES("corner2.P_N"), 0.0549060145, 1e-8),
    INDEPENDENTLY("largest penetration of the pin in 0.16 s, in the plane [m]", depth, MJ_PLANE,
                  SERIES("crank-pin.gap"), 2.70e-5, 5e-8),
    INDEPENDENTLY("the same of corner 1 [m]", depth, MJ_PLANE, SERIES("corner1.gap"), 9.7e-6, 5e-8),
    {.what = "largest penetration in space [m]",
     .says = "that in the plane, by symmetry: it is that of the first impact",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 2.70e-5,
     .tolerance = 5e-8,
     .ours = penetration,
     .run = MJ_SPACE},
    BY_HAND(MJ_PLANE, "dt = 1e-5", 2e-2),
    BY_HAND(MJ_PLANE_6, "dt = 1e-6", 2e-3),
    CLOSINGS(MJ_PLANE, "crank-pin", 1),
    CLOSINGS(MJ_PLANE, "corner1", 27),
    CLOSINGS(MJ_PLANE, "corner3", 24),
    TURNS(MJ_PLANE, 2, "two revolutions", 0.141960),
    INDEPENDENTLY("energy at 0.16 s, in the plane [J]", final_value, MJ_PLANE,
                  SERIES("energy.total"), 6.517689, 2e-6),
    {.what = "largest gap of the pin after 0.1 s, of both its circles, in space [mm]",
     .says = "the contact is lost before the end of the second revolution",
     .kind = WORDS,
     .relation = ABOVE,
     .expected = 0.1,
     .ours = largest,
     .run = MJ_SPACE,
     .of = {.of = {"pin-low.gap", "pin-high.gap"}, .value = smaller_of_two, .scale = 1e3},
     .from = 0.1,
     .to = 0.1411,
     .why = lost_why},
    {0},
};

static const item_check combined_checks[] = {
    CONSTANT_AT_FIRST(C_SPACE, 4.5e-4),
    FREE_WHILE_TILTED(C_TILTED),
    FIRST_IMPACT(C_PLANE, C_SPACE, "dt = 1e-5", 4.6e-4, 0.2452144033),
    NO_PENETRATION(C_PLANE, "in the plane", 1e-10),
    NO_PENETRATION(C_SPACE, "in space", 1e-10),
    NO_PENETRATION(C_TILTED, "in space, tilted", 1e-10),
    CLOSINGS(C_PLANE, "crank-pin", 1),
    CLOSINGS(C_PLANE, "corner1", 29),
    CLOSINGS(C_PLANE, "corner3", 28),
    TURNS(C_PLANE, 2, "two revolutions", 0.141826),
    INDEPENDENTLY("energy at 0.16 s, in the plane [J]", final_value, C_PLANE,
                  SERIES("energy.total"), 6.528058, 2e-6),
    {.what = "largest gap of the pin after its first impact, to 0.14 s, in the plane [mm]",
     .says = "the problem is solved: the contact is kept",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 1e-6,
     .ours = largest,
     .run = C_PLANE,
     .of = {.of = {"crank-pin.gap"}, .scale = 1e3},
     .from = 5e-4,
     .to = 0.14},
    {0},
};

static const item_check wide_checks[] = {
    CONSTANT_AT_FIRST(C_WIDE_SPACE, 1.4e-3),
    FREE_WHILE_TILTED(C_WIDE_TILTED),
    AS_IN_THE_PLANE(C_WIDE_SPACE, C_WIDE_PLANE,
                    "motion in space and in the plane, 5 ms: largest difference of the slider's "
                    "place [m]",
                    "slider.x"),
    AS_IN_THE_PLANE(C_WIDE_SPACE, C_WIDE_PLANE, "the same of the crank's place [m]", "crank.y"),
    NO_PENETRATION(C_WIDE_PLANE, "in the plane", 1e-10),
    NO_PENETRATION(C_WIDE_SPACE, "in space", 1e-10),
    NO_PENETRATION(C_WIDE_TILTED, "in space, tilted", 1e-10),
    CLOSINGS(C_WIDE_PLANE, "crank-pin", 1),
    CLOSINGS(C_WIDE_PLANE, "corner1", 23),
    CLOSINGS(C_WIDE_PLANE, "corner3", 22),
    TURNS(C_WIDE_PLANE, 1, "one revolution", 0.081975),
    INDEPENDENTLY("energy at 0.16 s, in the plane [J]", final_value, C_WIDE_PLANE,
                  SERIES("energy.total"), 5.111492, 2e-6),
    INDEPENDENTLY("moreau-jean: energy at 0.16 s, in the plane [J]", final_value, MJ_WIDE_PLANE,
                  SERIES("energy.total"), 5.093087, 2e-6),
    {.what = "r = 5e-3: first percussion of the pin, in the plane [N s]",
     .says = "exact impact: 0.5665499780",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.5665499780,
     .tolerance = 0.01,
     .ours = first_positive,
     .run = C_WIDE_PLANE,
     .of = SERIES("crank-pin.P_N")},
    NOMINAL_AT(0.01, "10 ms", -21.501398177639945),
    NOMINAL_AT(0.02, "20 ms", 1.3825653252026249),
    NOMINAL_AT(0.04, "40 ms", 41.492462282468118),
    FROM_NOMINAL("r = 5e-3", C_WIDE_PLANE, ABOVE, "larger oscillations around the nominal motion"),
    FROM_NOMINAL("r = 5e-4", C_PLANE, BELOW, "smaller ones"),
    {0},
};

/* ---- panels --------------------------------------------------------------------------------- */

#define SPEED(title_, label, plane, space, of_plane, of_space)              \
  {                                                                         \
    .title = title_, .x_label = "t [ms]", .y_label = label,                 \
    CURVES({.run = plane, .x = MS, .y = SERIES(of_plane)},                  \
           {.run = space, .x = MS, .y = SERIES(of_space), .style = DASHED}) \
  }
#define PORTRAITS(plane, space)                                                                \
  {.title = "connecting-rod portrait",                                                         \
   .x_label = "θ₂ [rad]",                                                                      \
   .y_label = "ω₂ [rad/s]",                                                                    \
   .curve =                                                                                    \
       (const item_curve[]){{.run = plane, .x = SERIES("rod.angle"), .y = SERIES("rod.spin")}, \
                            {.run = space,                                                     \
                             .x = {.of = {"rod.qw", "rod.qz"}, .value = turn_about_z},         \
                             .y = SERIES("rod.wz"),                                            \
                             .style = DASHED},                                                 \
                            {0}}},                                                             \
  {                                                                                            \
    .title = "slider portrait", .x_label = "x [mm]", .y_label = "y [mm]", .wall = {-1, 1},     \
    .wall_count = 2,                                                                           \
    CURVES({.run = plane,                                                                      \
            .x = {.of = {"slider.x"}, .scale = 1e3},                                           \
            .y = {.of = {"slider.y"}, .scale = 1e3}},                                          \
           {.run = space,                                                                      \
            .x = {.of = {"slider.x"}, .scale = 1e3},                                           \
            .y = {.of = {"slider.y"}, .scale = 1e3},                                           \
            .style = DASHED})                                                                  \
  }
/* For as long as the motions are the same they are drawn on each other. */
#define SPACE_MINUS_PLANE(title_, label_, plane, space, of_plane, of_space) \
  {                                                                         \
    .title = title_, .x_label = "t [ms]", .y_label = label_,                \
    CURVES({.label = "in space minus in the plane",                         \
            .run = space,                                                   \
            .x = MS,                                                        \
            .y = SERIES(of_space),                                          \
            .is_difference = 1,                                             \
            .minus = plane,                                                 \
            .minus_y = SERIES(of_plane)})                                   \
  }
#define MOTION(plane, space)                                                                     \
  SPEED("crank speed", "ω₁ [rad/s]", plane, space, "crank.spin", "crank.wz"),                    \
      SPEED("connecting-rod speed", "ω₂ [rad/s]", plane, space, "rod.spin", "rod.wz"),           \
      PORTRAITS(plane, space),                                                                   \
      SPACE_MINUS_PLANE("crank speed, space - plane", "Δω₁ [rad/s]", plane, space, "crank.spin", \
                        "crank.wz"),                                                             \
      SPACE_MINUS_PLANE("rod speed, space - plane", "Δω₂ [rad/s]", plane, space, "rod.spin",     \
                        "rod.wz")

static const item_panel view_panels[] = {
    {.title = "centres, seen along z",
     .x_label = "x [mm]",
     .y_label = "y [mm]",
     CURVES({.label = "crank",
             .run = C_TILTED,
             .x = {.of = {"crank.x"}, .scale = 1e3},
             .y = {.of = {"crank.y"}, .scale = 1e3}},
            {.label = "rod",
             .run = C_TILTED,
             .x = {.of = {"rod.x"}, .scale = 1e3},
             .y = {.of = {"rod.y"}, .scale = 1e3},
             .style = DASHED},
            {.label = "slider",
             .run = C_TILTED,
             .x = {.of = {"slider.x"}, .scale = 1e3},
             .y = {.of = {"slider.y"}, .scale = 1e3},
             .style = DOTTED})},
    {.title = "out of the plane, tilted start",
     .x_label = "t [ms]",
     .y_label = "z [mm]",
     .wall = {-1, 1},
     .wall_count = 2,
     CURVES({.label = "rod", .run = C_TILTED, .x = MS, .y = {.of = {"rod.z"}, .scale = 1e3}},
            {.label = "slider",
             .run = C_TILTED,
             .x = MS,
             .y = {.of = {"slider.z"}, .scale = 1e3},
             .style = DASHED})},
    {.title = "percussions of the pin",
     .x_label = "t [ms]",
     .y_label = "P_N [mN s]",
     CURVES({.label = "lower circle",
             .run = C_TILTED,
             .x = MS,
             .y = {.of = {"pin-low.P_N"}, .scale = 1e3}},
            {.label = "upper circle",
             .run = C_TILTED,
             .x = MS,
             .y = {.of = {"pin-high.P_N"}, .scale = 1e3},
             .style = DASHED})},
    {0},
};

static const item_panel moreau_panels[] = {MOTION(MJ_PLANE, MJ_SPACE), {0}};
static const item_panel combined_panels[] = {MOTION(C_PLANE, C_SPACE), {0}};
static const item_panel wide_panels[] = {MOTION(C_WIDE_PLANE, C_WIDE_SPACE), {0}};

const item acary_play_items[] = {
    {"acary-fig27", "Slider-crank with play, in space: geometry and motion out of the plane", note,
     2, runs, view_panels, view_checks, NULL},
    {"acary-fig28", "Slider-crank with play of 0.5 mm, moreau-jean, dt = 1e-5 s", note, 2, runs,
     moreau_panels, moreau_checks, NULL},
    {"acary-fig29", "Slider-crank with play of 0.5 mm, combined-projection, dt = 1e-5 s", note, 2,
     runs, combined_panels, combined_checks, NULL},
    {"acary-fig30", "Slider-crank with play of 5 mm, combined-projection, dt = 1e-5 s", note, 2,
     runs, wide_panels, wide_checks, NULL},
    {0},
};
