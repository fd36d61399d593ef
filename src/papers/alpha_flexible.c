/* Bruels, Acary, Cardona, sections 6.2 and 6.3: a flexible pendulum and an elastic bar. */
#include <math.h>
#include <stddef.h>

#include "papers/alpha.h"
#include "papers/items.h"
#include "reproduce/measure.h"

/* Section 6.2: flexible pendulum. */
enum { BEAM_PVA, BEAM_PVV, BEAM_PVA_FINE, BEAM_PVV_FINE };

#define GRAVITY "gravity 10 m/s² along +y"

static const item_run beams[] = {
    [BEAM_PVA] = {"PVA", "flexible-pendulum", SCHEME, 5e-6, 0.4, NULL,
                  "rho=0.8 constraints=pva tol=1e-8", 0, GRAVITY},
    [BEAM_PVV] = {"PVV", "flexible-pendulum", SCHEME, 5e-6, 0.4, NULL,
                  "rho=0.8 constraints=pvv tol=1e-8", 0, GRAVITY},
    [BEAM_PVA_FINE] = {"PVA", "flexible-pendulum", SCHEME, 2.5e-6, 0.4, NULL,
                       "rho=0.8 constraints=pva tol=1e-8", 0, GRAVITY},
    [BEAM_PVV_FINE] = {"PVV", "flexible-pendulum", SCHEME, 2.5e-6, 0.4, NULL,
                       "rho=0.8 constraints=pvv tol=1e-8", 0, GRAVITY},
    {0},
};

static const char beam_note[] =
    "Gravity 10 m/s^2 along +y and the end at 0.4 s are not printed; 10 fits the first contact at "
    "0.327 s. The tolerance is 1e-8 of the step's forces: their round-off is 2e-9 of them. "
    "After that contact the motion is sensitive: 1e-10 m/s^2 more gravity moves the end of the "
    "first "
    "contact phase by 0.4 ms.";

/* Of the gap: the change of its velocity over a step. An impact is no acceleration. */
static double contact_acceleration(const double* of)
{
  int impact = of[1] > 0 && fabs(of[0]) > 1;
  return impact ? NAN : of[0];
}

#define CONTACT_ACCELERATION                                                                   \
  {                                                                                            \
    .of = {"d/dt stop.gap_velocity", "stop.P_N"}, .value = contact_acceleration, .scale = 1e-3 \
  }

#define MS                       \
  {                              \
    .of = {"time"}, .scale = 1e3 \
  }
/* Both methods over milliseconds. */
#define BEAMS(style_, ...)                                              \
  CURVES({.run = BEAM_PVV, .x = MS, .y = __VA_ARGS__, .style = style_}, \
         {.run = BEAM_PVA, .x = MS, .y = __VA_ARGS__, .style = style_})
#define BEAM_PANEL(text, label_, ...)                                                \
  {                                                                                  \
    .title = text, .x_label = "t [ms]", .y_label = label_, BEAMS(LINES, __VA_ARGS__) \
  }
#define BEAM_ZOOM(text, label_, from_, to_, style_, ...)                      \
  {                                                                           \
    .title = text, .x_label = "t [ms]", .y_label = label_, .x = {from_, to_}, \
    BEAMS(style_, __VA_ARGS__)                                                \
  }

static const item_panel beam_gap_panels[] = {
    BEAM_PANEL("position", "g [mm]", {.of = {"stop.gap"}, .scale = 1e3}),
    BEAM_ZOOM("position, first contact", "g [mm]", 326.5, 348, LINES,
              {.of = {"stop.gap"}, .scale = 1e3}),
    BEAM_PANEL("velocity", "g′ [m/s]", {.of = {"stop.gap_velocity"}}),
    BEAM_ZOOM("velocity, first contact", "g′ [m/s]", 326.9, 327.5, POINTS,
              {.of = {"stop.gap_velocity"}}),
    BEAM_ZOOM("acceleration", "g″ [km/s²]", 0, 400, DOTS, CONTACT_ACCELERATION),
    BEAM_ZOOM("acceleration, first contact", "g″ [km/s²]", 326.9, 327.5, POINTS,
              CONTACT_ACCELERATION),
    {0},
};

static const char beam_end[] =
    "No variant of this beam ends its first contact at 0.348 s. An independent code has 0.34671 "
    "(PVA) and 0.3461 (PVV). Here: half the step 0.3462 and 0.3458; gravity, area, second moment, "
    "density or shear area changed by 1 % or more 0.3460 to 0.3466; 2, 3, 5, 6, 7, 8, 10, 16 "
    "linear "
    "elements 0.3388, 0.3459, 0.3421, 0.3420, 0.3433, 0.3439, 0.3450, 0.3454; quadratic ones, 4 "
    "and "
    "8, 0.3463 and 0.3467, the last with PVV and PVA alike, so that 0.3467 is what the continuous "
    "beam tends to. Softer beams end it later, but no stiffness is singled out: between 0.80 and "
    "0.92 "
    "of the printed modulus the end goes up and down from 0.3470 to 0.3484 s, in 16 of 22 runs "
    "within 0.5 ms of 0.348. The paper does not print the interpolation and integration of its "
    "elements; why it has 0.348 is not known.";

/* A rebound of the tip depends on the one before it: only the first few are the same everywhere. */
#define CLOSES_AT(run_, n_, text, time)                                                       \
  {                                                                                           \
    .what = text, .kind = INDEPENDENT, .relation = NEAR, .expected = time, .tolerance = 1e-9, \
    .ours = closing_time, .run = run_, .n = n_, .of = {                                       \
      .of = {"stop.P_N"}                                                                      \
    }                                                                                         \
  }

static const item_check beam_gap_checks[] = {
    CLOSES_AT(BEAM_PVA, 2, "PVA: second closing [s]", 0.327375),
    CLOSES_AT(BEAM_PVA, 3, "PVA: third closing [s]", 0.32744),
    CLOSES_AT(BEAM_PVV, 2, "PVV: second closing [s]", 0.327375),
    CLOSES_AT(BEAM_PVV, 3, "PVV: third closing [s]", 0.32744),
    {.what = "PVA: beginning of the first contact phase [s]",
     .kind = PUBLISHED,
     .relation = NEAR,
     .expected = 0.327,
     .tolerance = 5e-4,
     .ours = closing_time,
     .run = BEAM_PVA,
     .n = 1,
     .of = {.of = {"stop.P_N"}}},
    {.what = "velocity of the gap in the last step before it [m/s]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = -3.245673,
     .tolerance = 1e-5,
     .ours = value_at,
     .run = BEAM_PVA,
     .of = {.of = {"stop.gap_velocity"}},
     .from = 0.32702},
    {.what = "y of the tip at 0.3 s [m]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.61704631,
     .tolerance = 1e-7,
     .ours = value_at,
     .run = BEAM_PVA,
     .of = {.of = {"beam.tip.y"}},
     .from = 0.3},
    {.what = "PVA: first contact [s]",
     .says = "0.327 is printed",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.327025,
     .tolerance = 1e-9,
     .ours = closing_time,
     .run = BEAM_PVA,
     .n = 1,
     .of = {.of = {"stop.P_N"}}},
    {.what = "PVV: first contact [s]",
     .says = "0.327 is printed",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.327025,
     .tolerance = 1e-9,
     .ours = closing_time,
     .run = BEAM_PVV,
     .n = 1,
     .of = {.of = {"stop.P_N"}}},
    {.what = "PVA: end of the first contact phase [s]",
     .kind = PUBLISHED,
     .relation = NEAR,
     .expected = 0.348,
     .tolerance = 5e-4,
     .ours = last_above,
     .run = BEAM_PVA,
     .of = {.of = {"stop.P_N"}},
     .level = 1e-12,
     .from = 0.32,
     .to = 0.36,
     .why = beam_end},
    {.what = "PVV: end of the first contact phase [s]",
     .kind = PUBLISHED,
     .relation = NEAR,
     .expected = 0.348,
     .tolerance = 5e-4,
     .ours = last_above,
     .run = BEAM_PVV,
     .of = {.of = {"stop.P_N"}},
     .level = 1e-12,
     .from = 0.32,
     .to = 0.36,
     .why = beam_end},
    {.what = "PVA: end of the first contact phase [s]",
     .says = "its closings are sensitive: to 1.5 ms",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.346705,
     .tolerance = 1.5e-3,
     .ours = last_above,
     .run = BEAM_PVA,
     .of = {.of = {"stop.P_N"}},
     .level = 1e-12,
     .from = 0.32,
     .to = 0.36},
    {.what = "PVV: end of the first contact phase [s]",
     .says = "its closings are sensitive: to 1.5 ms",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.3461,
     .tolerance = 1.5e-3,
     .ours = last_above,
     .run = BEAM_PVV,
     .of = {.of = {"stop.P_N"}},
     .level = 1e-12,
     .from = 0.32,
     .to = 0.36},
    {.what = "PVA: mean Newton iterations",
     .says = "very close to one",
     .kind = WORDS,
     .relation = NEAR,
     .expected = 1,
     .tolerance = 0.05,
     .ours = iterations_avg,
     .run = BEAM_PVA,
     .phase = "newton"},
    {.what = "PVV: mean Newton iterations",
     .says = "very close to one",
     .kind = WORDS,
     .relation = NEAR,
     .expected = 1,
     .tolerance = 0.05,
     .ours = iterations_avg,
     .run = BEAM_PVV,
     .phase = "newton"},
    {.what = "PVA: largest smooth force of the contact [N]",
     .says = "active at acceleration level for some time",
     .kind = WORDS,
     .relation = ABOVE,
     .expected = 1,
     .ours = largest_size,
     .run = BEAM_PVA,
     .of = {.of = {"lambda.last"}}},
    {.what = "PVV: the same [N]",
     .says = "never active at acceleration level",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 0,
     .ours = largest_size,
     .run = BEAM_PVV,
     .of = {.of = {"lambda.last"}}},
    {.what = "PVA: closings in the first contact phase",
     .says = "not permanently closed",
     .kind = WORDS,
     .relation = ABOVE,
     .expected = 5,
     .ours = closing_count,
     .run = BEAM_PVA,
     .of = {.of = {"stop.P_N"}},
     .from = 0.32,
     .to = 0.36},
    {.what = "x of the tip at 0.3 s [m]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.78692727,
     .tolerance = 1e-7,
     .ours = value_at,
     .run = BEAM_PVA,
     .of = {.of = {"beam.tip.x"}},
     .from = 0.3},
    {.what = "PVA: largest penetration [m]",
     .says = "none",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 1e-10,
     .ours = penetration,
     .run = BEAM_PVA},
    {0},
};

#define REACTION                                               \
  {                                                            \
    .of = {"stop.P_N", "dt"}, .value = per_step, .scale = 1e-3 \
  }

static const item_panel beam_force_panels[] = {
    BEAM_PANEL("reaction force", "reaction [kN]", REACTION),
    BEAM_ZOOM("first contact", "reaction [kN]", 326.5, 348, LINES, REACTION),
    {0},
};

static const item_check beam_force_checks[] = {
    {.what = "PVA: first impulse [N s]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.1837319,
     .tolerance = 1e-7,
     .ours = first_positive,
     .run = BEAM_PVA,
     .of = {.of = {"stop.P_N"}}},
    {.what = "PVA: impulse of the first contact phase [N s]",
     .says = "to 3 %",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 2.9011,
     .tolerance = 0.087,
     .ours = total,
     .run = BEAM_PVA,
     .of = {.of = {"stop.P_N"}},
     .from = 0.32,
     .to = 0.36},
    {.what = "PVV: impulse of the first contact phase [N s]",
     .says = "to 3 %",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 2.9358,
     .tolerance = 0.088,
     .ours = total,
     .run = BEAM_PVV,
     .of = {.of = {"stop.P_N"}},
     .from = 0.32,
     .to = 0.36},
    {0},
};

static const item_panel beam_energy_panels[] = {
    BEAM_PANEL("velocity", "g′ [m/s]", {.of = {"stop.gap_velocity"}}),
    BEAM_ZOOM("velocity, first contact", "g′ [m/s]", 326.5, 348, LINES,
              {.of = {"stop.gap_velocity"}}),
    BEAM_PANEL("energy", "energy [J]", {.of = {"energy.total"}}),
    BEAM_ZOOM("energy, first contact", "energy [J]", 326.5, 348, LINES, {.of = {"energy.total"}}),
    {0},
};

static const char rises[] =
    "Not to the last digit. Between the impacts, and nowhere else, it rises by up to 4e-5 J in a "
    "step, "
    "by 2e-3 J in all, of 1 J that is lost: what a scheme with rho < 1 never increases is not the "
    "mechanical energy while the highest modes ring. In a figure of 1 J the curve is monotonous.";

static const char sequence[] =
    "Which of the two loses more depends on the step; why the paper's run at this step is on the "
    "other side is not known. Nearly all energy goes in the impacts, 0.83 to 1.04 J; what the "
    "schemes "
    "lose between them is at most 0.04 J (the ledger), so that numerical dissipation, the paper's "
    "explanation, does not decide. The impacts that take most are the same to 1 % of the loss "
    "where "
    "gravity is changed by 1e-7 m/s², others under PVA than under PVV (at 336 ms 0.19 and 0.10 J), "
    "and others for every step: so the difference has a sign at each step, and none in the limit. "
    "Means over five runs with gravity changed by up to 2e-7 m/s² are +0.129, +0.006, -0.038, "
    "+0.022, "
    "+0.020, +0.012, -0.080, -0.002, +0.008 J for 1e-5, 8e-6, 6.25e-6, 5e-6, 4e-6, 3.125e-6, "
    "2.5e-6, "
    "2e-6, 1.25e-6 s, with a scatter of 0.001 to 0.044 J. An independent code has +0.048 J at the "
    "paper's step.";

static const item_check beam_energy_checks[] = {
    {.what = "PVA: energy lost until 0.4 s [J]",
     .says = "to 6 %",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = -1.0445,
     .tolerance = 0.06,
     .ours = final_value,
     .run = BEAM_PVA,
     .of = {.of = {"energy.total"}}},
    {.what = "PVV: energy lost until 0.4 s [J]",
     .says = "to 6 %",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = -0.9966,
     .tolerance = 0.06,
     .ours = final_value,
     .run = BEAM_PVV,
     .of = {.of = {"energy.total"}}},
    {.what = "energy at 0.4 s, PVV minus PVA [J]",
     .says = "PVV decays faster",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 0,
     .ours = lead,
     .each = final_value,
     .run = BEAM_PVV,
     .last = BEAM_PVA,
     .of = {.of = {"energy.total"}},
     .why = sequence},
    {.what = "the same with half the step, 2.5e-6 s [J]",
     .says = "PVV decays faster",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 0,
     .ours = lead,
     .each = final_value,
     .run = BEAM_PVV_FINE,
     .last = BEAM_PVA_FINE,
     .of = {.of = {"energy.total"}},
     .is_note = 1},
    {.what = "PVV: largest rise of the energy in a step [J]",
     .says = "it decays monotonously; 1e-6 of what is lost",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 1e-6,
     .ours = largest_rise,
     .run = BEAM_PVV,
     .of = {.of = {"energy.total"}},
     .why = rises},
    {.what = "PVA: largest rise of the energy in a step [J]",
     .says = "it decays monotonously; 1e-6 of what is lost",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 1e-6,
     .ours = largest_rise,
     .run = BEAM_PVA,
     .of = {.of = {"energy.total"}},
     .why = rises},
    {0},
};

/* Section 6.3: elastic bar. */
enum {
  BAR_PVA,
  BAR_PVV,
  BAR_PAPER,
  BAR_PAPER_PVV,
  BAR_COUNTED,
  BAR_COUNTED_PVV,
  BAR_LOOSE,
  BAR_LOOSE_PVA
};

static const item_run bars[] = {
    [BAR_PVA] = {"PVA", "elastic-bar", SCHEME, 2e-3, 2.5, "d0=5.01", "rho=0.8 constraints=pva", 0,
                 NULL},
    [BAR_PVV] = {"PVV", "elastic-bar", SCHEME, 2e-3, 2.5, "d0=5.01", "rho=0.8 constraints=pvv", 0,
                 NULL},
    [BAR_PAPER] = {"PVA", "elastic-bar", SCHEME, 2e-3, 2.5, NULL, "rho=0.8 constraints=pva", 0,
                   NULL},
    [BAR_PAPER_PVV] = {"PVV", "elastic-bar", SCHEME, 2e-3, 2.5, NULL, "rho=0.8 constraints=pvv", 0,
                       NULL},
    [BAR_COUNTED] = {"PVA", "elastic-bar", SCHEME, 2e-3, 2.5, NULL, "rho=0.8 constraints=pva", 0,
                     "end at 2.5 s"},
    [BAR_COUNTED_PVV] = {"PVV", "elastic-bar", SCHEME, 2e-3, 2.5, NULL, "rho=0.8 constraints=pvv",
                         0, "end at 2.5 s"},
    [BAR_LOOSE] = {"PVV, loose", "elastic-bar", SCHEME, 2e-3, 2.5, NULL,
                   "rho=0.8 constraints=pvv tol=3e-2", 0, "end at 2.5 s, tol=3e-2"},
    [BAR_LOOSE_PVA] = {"PVA, loose", "elastic-bar", SCHEME, 2e-3, 2.5, NULL,
                       "rho=0.8 constraints=pva tol=3e-2", 0, "end at 2.5 s, tol=3e-2"},
    {0},
};

static const char bar_note[] =
    "The captions of Figs. 14 to 16 were not at hand: which shows what is a guess. Drawn with the "
    "paper's "
    "d_0 = 5 m. Its tip arrives exactly on step 250, so that round-off decides the step of the "
    "contact: "
    "numbers of the independent code are compared with d_0 = 5.01 m. Area 1 m^2 and the end at "
    "2.5 s are not printed. Exactly, the contact lasts 2/3 s with a force of 300 N.";

#define FORCE                                   \
  {                                             \
    .of = {"wall.P_N", "dt"}, .value = per_step \
  }

static const item_panel bar_gap_panels[] = {
    {.title = "gap",
     .x_label = "t [s]",
     .y_label = "g [m]",
     PVV_PVA(BAR_PAPER_PVV, BAR_PAPER, {.of = {"wall.gap"}})},
    {.title = "its velocity",
     .x_label = "t [s]",
     .y_label = "g′ [m/s]",
     PVV_PVA(BAR_PAPER_PVV, BAR_PAPER, {.of = {"wall.gap_velocity"}})},
    PVA_MINUS_PVV(BAR_PAPER_PVV, BAR_PAPER, "gap, PVA minus PVV", "Δg [mm]",
                  {.of = {"wall.gap"}, .scale = 1e3}),
    PVA_MINUS_PVV(BAR_PAPER_PVV, BAR_PAPER, "its velocity, PVA minus PVV", "Δg′ [m/s]",
                  {.of = {"wall.gap_velocity"}}),
    {0},
};

/* The tip arrives with 10 m/s, by 0.502 s; e = 0. */
#define AT_REST(run_, text)                                                           \
  {                                                                                   \
    .what = text ": largest |g′| within the contact, 0.502 to 1.16 s [m/s]",          \
    .says = "e = 0: from its first closed step on the tip is at rest", .kind = EXACT, \
    .relation = BELOW, .expected = 1e-9, .ours = largest_size, .run = run_,           \
    .of = {.of = {"wall.gap_velocity"}}, .from = 0.5019, .to = 1.16                   \
  }

static const item_check bar_gap_checks[] = {
    {.what = "PVA, d₀ = 5: time of contact [s]",
     .says = "2/3, to two steps; without the state at 0.5 s, a tie",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 2.0 / 3,
     .tolerance = 4e-3,
     .ours = time_below,
     .run = BAR_PAPER,
     .level = 1e-9,
     .of = {.of = {"wall.gap"}},
     .from = 0.501,
     .to = 2.5},
    {.what = "PVV, d₀ = 5: time of contact [s]",
     .says = "2/3, to two steps; without the state at 0.5 s, a tie",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 2.0 / 3,
     .tolerance = 4e-3,
     .ours = time_below,
     .run = BAR_PAPER_PVV,
     .level = 1e-9,
     .of = {.of = {"wall.gap"}},
     .from = 0.501,
     .to = 2.5},
    {.what = "PVA, d₀ = 5.01: first closed step [s]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.502,
     .tolerance = 1e-9,
     .ours = closing_time,
     .run = BAR_PVA,
     .n = 1,
     .of = {.of = {"wall.P_N"}}},
    {.what = "PVA, d₀ = 5.01: time of contact, 335 steps [s]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.670,
     .tolerance = 1e-9,
     .ours = time_below,
     .run = BAR_PVA,
     .level = 1e-9,
     .of = {.of = {"wall.gap"}}},
    {.what = "PVA, d₀ = 5.01: time of contact [s]",
     .says = "2/3, to two steps",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 2.0 / 3,
     .tolerance = 4e-3,
     .ours = time_below,
     .run = BAR_PVA,
     .level = 1e-9,
     .of = {.of = {"wall.gap"}}},
    {.what = "PVV, d₀ = 5.01: time of contact [s]",
     .says = "2/3, to two steps",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 2.0 / 3,
     .tolerance = 4e-3,
     .ours = time_below,
     .run = BAR_PVV,
     .level = 1e-9,
     .of = {.of = {"wall.gap"}}},
    {.what = "PVA with d₀ = 5: first closed step [s]",
     .says = "0.5, to a step",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 0.5,
     .tolerance = 2.01e-3,
     .ours = closing_time,
     .run = BAR_PAPER,
     .n = 1,
     .of = {.of = {"wall.P_N"}}},
    AT_REST(BAR_PVA, "PVA, d₀ = 5.01"),
    AT_REST(BAR_PVV, "PVV, d₀ = 5.01"),
    AT_REST(BAR_PAPER, "PVA, d₀ = 5"),
    AT_REST(BAR_PAPER_PVV, "PVV, d₀ = 5"),
    {.what = "PVA: largest penetration [m]",
     .says = "exactly satisfied",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 1e-9,
     .ours = penetration,
     .run = BAR_PAPER},
    {.what = "PVV: largest penetration [m]",
     .says = "exactly satisfied",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 1e-9,
     .ours = penetration,
     .run = BAR_PAPER_PVV},
    {0},
};

static const item_panel bar_force_panels[] = {
    {.title = "contact force",
     .x_label = "t [s]",
     .y_label = "contact force [N]",
     .wall = {300},
     .wall_count = 1,
     PVV_PVA(BAR_PAPER_PVV, BAR_PAPER, FORCE)},
    PVA_MINUS_PVV(BAR_PAPER_PVV, BAR_PAPER, "PVA minus PVV", "ΔF [N]", FORCE),
    {0},
};

#define FORCE_AT(run_, text, time, value)                                                      \
  {                                                                                            \
    .what = text, .kind = INDEPENDENT, .relation = NEAR, .expected = value, .tolerance = 1e-5, \
    .ours = value_at, .run = run_, .of = FORCE, .from = time                                   \
  }

static const item_check bar_force_checks[] = {
    FORCE_AT(BAR_PVA, "PVA, d₀ = 5.01: force of the first closed step [N]", 0.502, 167.4315780648),
    FORCE_AT(BAR_PVA, "PVA, d₀ = 5.01: of the second [N]", 0.504, 268.8390289175),
    FORCE_AT(BAR_PVA, "PVA, d₀ = 5.01: of the third [N]", 0.506, 321.2527547477),
    FORCE_AT(BAR_PVV, "PVV, d₀ = 5.01: force of the first closed step [N]", 0.502, 167.4315780589),
    FORCE_AT(BAR_PVV, "PVV, d₀ = 5.01: of the second [N]", 0.504, 268.8390289091),
    {.what = "PVA, d₀ = 5: mean force within the contact, 0.55 to 1.1 s [N]",
     .says = "300",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 300,
     .tolerance = 0.5,
     .ours = mean,
     .run = BAR_PAPER,
     .of = FORCE,
     .from = 0.55,
     .to = 1.1},
    {.what = "PVV, d₀ = 5: mean force within the contact, 0.55 to 1.1 s [N]",
     .says = "300",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 300,
     .tolerance = 0.5,
     .ours = mean,
     .run = BAR_PAPER_PVV,
     .of = FORCE,
     .from = 0.55,
     .to = 1.1},
    {.what = "PVA, d₀ = 5.01: force at 1 s [N]",
     .says = "exactly 300",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 300,
     .tolerance = 0.01,
     .ours = value_at,
     .run = BAR_PVA,
     .of = FORCE,
     .from = 1},
    {.what = "PVV, d₀ = 5.01: force at 1 s [N]",
     .says = "exactly 300",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 300,
     .tolerance = 0.01,
     .ours = value_at,
     .run = BAR_PVV,
     .of = FORCE,
     .from = 1},
    {.what = "PVA: mean Newton iterations",
     .kind = PUBLISHED,
     .relation = NEAR,
     .expected = 0.80,
     .tolerance = 0.005,
     .ours = iterations_avg,
     .run = BAR_COUNTED,
     .phase = "newton"},
    {.what = "PVV: mean Newton iterations",
     .kind = PUBLISHED,
     .relation = NEAR,
     .expected = 2.94,
     .tolerance = 0.005,
     .ours = iterations_avg,
     .run = BAR_COUNTED_PVV,
     .phase = "newton",
     .why =
         "A count of sweeps, which for PVV converge linearly, some four per decade, so it is the "
         "tolerance that counts, and the paper does not print it: 3e-2 of the largest force "
         "gives what is below, 1e-2 3.48, 1e-3 4.55, and the 1e-10 of this run this number, as in "
         "an "
         "independent code (12.32). What the paper concludes holds: PVV needs many times the "
         "iterations of PVA."},
    {.what = "PVV with a tolerance of 3e-2 of the largest force: mean Newton iterations",
     .kind = PUBLISHED,
     .relation = NEAR,
     .expected = 2.94,
     .tolerance = 0.01,
     .ours = iterations_avg,
     .run = BAR_LOOSE,
     .phase = "newton"},
    {.what = "PVA with this tolerance: mean Newton iterations",
     .kind = PUBLISHED,
     .relation = NEAR,
     .expected = 0.80,
     .tolerance = 0.005,
     .ours = iterations_avg,
     .run = BAR_LOOSE_PVA,
     .phase = "newton"},
    {.what = "PVV with this tolerance, within the contact, 0.51 to 1.16 s: mean Newton iterations",
     .says = "about 10",
     .kind = WORDS,
     .relation = NEAR,
     .expected = 10,
     .tolerance = 1,
     .ours = mean,
     .run = BAR_LOOSE,
     .of = {.of = {"iterations"}},
     .from = 0.51,
     .to = 1.16},
    {.what = "mean iterations of PVV / those of PVA",
     .says = "PVV needs 2.94/0.80 = 3.7 times as many",
     .kind = WORDS,
     .relation = ABOVE,
     .expected = 3.6,
     .ours = ratio,
     .each = iterations_avg,
     .phase = "newton",
     .run = BAR_COUNTED_PVV,
     .last = BAR_COUNTED},
    {0},
};

static const item_panel bar_energy_panels[] = {
    {.title = "energy",
     .x_label = "t [s]",
     .y_label = "energy [J]",
     PVV_PVA(BAR_PAPER_PVV, BAR_PAPER, {.of = {"energy.total"}})},
    PVA_MINUS_PVV(BAR_PAPER_PVV, BAR_PAPER, "PVA minus PVV", "ΔE [mJ]",
                  {.of = {"energy.total"}, .scale = 1e3}),
    {0},
};

#define ENERGY_AFTER(run_, text, value)                                                    \
  {                                                                                        \
    .what = text ": energy after the first closed step [J]", .kind = INDEPENDENT,          \
    .relation = NEAR, .expected = value, .tolerance = 1e-6, .ours = value_at, .run = run_, \
    .of = {.of = {"energy.total"}}, .from = 0.502                                          \
  }

static const item_check bar_energy_checks[] = {
    ENERGY_AFTER(BAR_PVA, "PVA, d₀ = 5.01", 498.3105906338),
    ENERGY_AFTER(BAR_PVV, "PVV, d₀ = 5.01", 498.3105906339),
    {.what = "PVA, d₀ = 5.01: energy at the end [J], of 500",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 497.0590,
     .tolerance = 1e-3,
     .ours = final_value,
     .run = BAR_PVA,
     .of = {.of = {"energy.total"}}},
    {.what = "PVV, d₀ = 5.01: energy at the end [J]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 497.0021,
     .tolerance = 1e-3,
     .ours = final_value,
     .run = BAR_PVV,
     .of = {.of = {"energy.total"}}},
    {.what = "PVA: share of the energy lost",
     .says = "conserved exactly",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 0.01,
     .ours = lost_share,
     .run = BAR_PAPER,
     .of = {.of = {"energy.total"}}},
    {0},
};

const item alpha_flexible_items[] = {
    {"alpha-fig10", "Flexible pendulum: gap, its velocity and acceleration under PVV and PVA",
     beam_note, 2, beams, beam_gap_panels, beam_gap_checks, NULL},
    {"alpha-fig11", "Flexible pendulum: reaction force", beam_note, 2, beams, beam_force_panels,
     beam_force_checks, NULL},
    {"alpha-fig12", "Flexible pendulum: velocity level and energy", beam_note, 2, beams,
     beam_energy_panels, beam_energy_checks, NULL},
    {"alpha-fig14", "Elastic bar: gap and its velocity under PVV and PVA", bar_note, 2, bars,
     bar_gap_panels, bar_gap_checks, NULL},
    {"alpha-fig15", "Elastic bar: contact force under PVV and PVA", bar_note, 2, bars,
     bar_force_panels, bar_force_checks, NULL},
    {"alpha-fig16", "Elastic bar: energy under PVV and PVA", bar_note, 2, bars, bar_energy_panels,
     bar_energy_checks, NULL},
    {0},
};
