/* Acary, section 6.4.2: the slider-crank by Newton-Euler's equations, bodies in space with
 * quaternions, with an ideal crank pin. The paper shows no figure of it and says that it
 * corroborates Figs. 23 and 24. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "papers/crank.h"
#include "papers/items.h"
#include "reproduce/measure.h"

enum { SPATIAL, MINIMAL, SPATIAL_RATTLE };

static const item_run runs[] = {
    [SPATIAL] = {"Newton-Euler", "slider-crank-newton-euler", "moreau-jean", 1e-5, 0.138, NULL,
                 NULL, 0, NULL}, /* not more than two turns: beyond, the quaternion begins anew */
    [MINIMAL] = {"minimal", "slider-crank-minimal", "moreau-jean", 1e-5, 0.14, NULL, NULL, 0, NULL},
    [SPATIAL_RATTLE] = {"Newton-Euler, rattle", "slider-crank-newton-euler", "rattle", 1e-5, 0.14,
                        NULL, "tol=1e-10", 0, NULL},
    {0},
};

/* Of the scalar and third part of a quaternion that turns about z from 0 on: turns, up to 2. */
static double turns_of_quaternion(const double* q)
{
  double turns_made = atan2(q[1], q[0]) / 3.14159265358979323846;
  return turns_made < -1e-9 ? turns_made + 2 : turns_made;
}

#define TURNS                                                    \
  {                                                              \
    .of = {"crank.qw", "crank.qz"}, .value = turns_of_quaternion \
  }
#define OF(name)   \
  {                \
    .of = { name } \
  }
#define OF_MM(...)                    \
  {                                   \
    .of = {__VA_ARGS__}, .scale = 1e3 \
  }

/* Of the same thing in both models, and the difference at the same angle of the crank. */
#define TWO_MODELS(title_, symbol, unit, spatial, minimal)          \
  {.title = title_,                                                 \
   .x_label = "crank revolutions",                                  \
   .y_label = symbol " [" unit "]",                                 \
   .x = {0, 2},                                                     \
   CURVES({.run = MINIMAL, .x = REVOLUTIONS, .y = minimal},         \
          {.run = SPATIAL, .x = TURNS, .y = spatial})},             \
  {                                                                 \
    .title = title_ ", difference", .x_label = "crank revolutions", \
    .y_label = "Δ" symbol " [" unit "]", .x = {0, 2},               \
    CURVES({.label = "Newton-Euler minus minimal",                  \
            .run = SPATIAL,                                         \
            .x = TURNS,                                             \
            .y = spatial,                                           \
            .is_difference = 1,                                     \
            .minus = MINIMAL,                                       \
            .minus_x = REVOLUTIONS,                                 \
            .minus_y = minimal})                                    \
  }

static const item_panel panels[] = {
    TWO_MODELS("crank speed", "ω₁", "rad/s", OF("crank.wz"), OF("th1'")),
    TWO_MODELS("connecting-rod speed", "ω₂", "rad/s", OF("rod.wz"), OF("th2'")),
    TWO_MODELS("corner 1", "gap", "mm", OF_MM("corner1.gap"), OF_MM("corner1.gap")),
    {.title = "out of the plane",
     .x_label = "crank revolutions",
     .y_label = "z of the slider [m]",
     .x = {0, 2},
     CURVES({.run = SPATIAL, .x = TURNS, .y = OF("slider.z")})},
    {0},
};

/* A series where the crank has made so many turns: in one model minus in the other. */
static double lead_at_turn(const item_data* data, const item_check* c)
{
  item_check other = *c;
  other.run = MINIMAL;
  other.of = (item_series){.of = {!strcmp(c->of.of[0], "crank.wz") ? "th1'" : "th2'"}};
  other.over = (item_series)REVOLUTIONS;
  return fabs(value_where(data, c) - value_where(data, &other));
}

#define CORROBORATES(turn, name, text)                                                          \
  {                                                                                             \
    .what = text " at " #turn " revolutions, Newton-Euler against minimal coordinates [rad/s]", \
    .says = "perfectly corroborates; 1 % of 150 rad/s", .kind = WORDS, .relation = BELOW,       \
    .expected = 1.5, .ours = lead_at_turn, .run = SPATIAL, .last = MINIMAL, .of = OF(name),     \
    .over = TURNS, .level = turn                                                                \
  }
#define AT_TURN(turn, name, text, value)                                                    \
  {                                                                                         \
    .what = "rattle: " text " at " #turn " revolutions [rad/s]",                            \
    .says = "in the plane, in absolute coordinates", .kind = INDEPENDENT, .relation = NEAR, \
    .expected = value, .tolerance = 1e-3, .ours = value_where, .run = SPATIAL_RATTLE,       \
    .of = OF(name), .over = TURNS, .level = turn                                            \
  }

static const item_check checks[] = {
    CORROBORATES(0.5, "crank.wz", "crank speed"),
    CORROBORATES(1, "crank.wz", "crank speed"),
    CORROBORATES(1.5, "crank.wz", "crank speed"),
    CORROBORATES(1.9, "crank.wz", "crank speed"),
    CORROBORATES(1, "rod.wz", "rod speed"),
    CORROBORATES(1.9, "rod.wz", "rod speed"),
    AT_TURN(0.5, "crank.wz", "crank speed", 149.16812425010716),
    AT_TURN(0.5, "rod.wz", "rod speed", 74.58444895183365),
    AT_TURN(1, "crank.wz", "crank speed", 148.28358934521947),
    AT_TURN(1, "rod.wz", "rod speed", -74.141941298030957),
    AT_TURN(1.9, "crank.wz", "crank speed", 80.431870462229668),
    AT_TURN(1.9, "rod.wz", "rod speed", -33.504733739884003),
    {.what = "minimal coordinates: time of two revolutions [s]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.137569,
     .tolerance = 1e-6,
     .ours = time_reached,
     .run = MINIMAL,
     .of = REVOLUTIONS,
     .level = 2},
    {.what = "largest |z| of the slider [m]",
     .says = "the motion of a planar mechanism stays in its plane",
     .kind = EXACT,
     .relation = BELOW,
     .expected = 1e-12,
     .ours = largest_size,
     .run = SPATIAL,
     .of = OF("slider.z")},
    {0},
};

const item acary_newton_euler_items[] = {
    {"acary-newton-euler", "Slider-crank as bodies in space with an ideal crank pin",
     "dt = 1e-5 s, over two revolutions as Figs. 23 and 24, of which it is the counterpart. Over "
     "revolutions the two formulations agree to 1 % with this step; over time they drift apart by "
     "0.5 % "
     "in two revolutions, since with hinges Moreau-Jean loses energy in first order. RATTLE does "
     "not, "
     "and its spins are those of an independent code for bodies in the plane "
     "(tests/reproduce/lobatto_slider_crank.c, s = 2, dt = 1e-5 s), though orientations are "
     "quaternions "
     "here and angles there.",
     2, runs, panels, checks, "Section 6.4.2"},
    {0},
};
