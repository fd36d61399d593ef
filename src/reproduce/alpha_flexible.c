/* Bruels, Acary, Cardona, sections 6.2 and 6.3: a flexible pendulum and an elastic bar. */
#include <math.h>
#include <stddef.h>

#include "reproduce/alpha.h"
#include "reproduce/measure.h"

/* Section 6.2: flexible pendulum. */
enum { BEAM_PVA, BEAM_PVV, BEAM_PVA_FINE, BEAM_PVV_FINE };

static const item_run beams[] = {
    [BEAM_PVA] = {"PVA", "flexible-pendulum", SCHEME, 5e-6, 0.4, NULL,
                  "rho=0.8 constraints=pva tol=1e-8", 0},
    [BEAM_PVV] = {"PVV", "flexible-pendulum", SCHEME, 5e-6, 0.4, NULL,
                  "rho=0.8 constraints=pvv tol=1e-8", 0},
    [BEAM_PVA_FINE] = {"PVA", "flexible-pendulum", SCHEME, 2.5e-6, 0.4, NULL,
                       "rho=0.8 constraints=pva tol=1e-8", 0},
    [BEAM_PVV_FINE] = {"PVV", "flexible-pendulum", SCHEME, 2.5e-6, 0.4, NULL,
                       "rho=0.8 constraints=pvv tol=1e-8", 0},
    {0},
};

static const char beam_note[] =
    "Gravity 10 m/s^2 along +y and the end at 0.4 s are not printed; 10 fits the first contact at "
    "0.327 s. The tolerance is 1e-8 of the step's forces: their round-off is 2e-9 of them. "
    "After that contact the motion is sensitive to the last bits.";

/* Of the gap: the change of its velocity over a step. An impact is no acceleration. */
static double contact_acceleration(const double* of)
{
  int impact = of[1] > 0 && fabs(of[0]) > 1;
  return impact ? NAN : of[0];
}

#define CONTACT_ACCELERATION                                     \
  {                                                              \
    {"d/dt stop.gap_velocity", "stop.P_N"}, contact_acceleration \
  }

static const item_panel beam_gap_panels[] = {
    {.title = "position",
     .x_label = "t [s]",
     .y_label = "g [m]",
     PVV_PVA(BEAM_PVV, BEAM_PVA, {.of = {"stop.gap"}})},
    {.title = "first contact",
     .x_label = "t [s]",
     .y_label = "g [m]",
     .x = {0.325, 0.35},
     .y = {-0.0005, 0.003},
     PVV_PVA(BEAM_PVV, BEAM_PVA, {.of = {"stop.gap"}})},
    {.title = "velocity",
     .x_label = "t [s]",
     .y_label = "g′ [m/s]",
     PVV_PVA(BEAM_PVV, BEAM_PVA, {.of = {"stop.gap_velocity"}})},
    {.title = "first contact",
     .x_label = "t [s]",
     .y_label = "g′ [m/s]",
     .x = {0.325, 0.35},
     PVV_PVA(BEAM_PVV, BEAM_PVA, {.of = {"stop.gap_velocity"}})},
    {.title = "acceleration",
     .x_label = "t [s]",
     .y_label = "g″ [m/s²]",
     .y = {-30000, 30000},
     PVV_PVA(BEAM_PVV, BEAM_PVA, CONTACT_ACCELERATION)},
    {.title = "first contact",
     .x_label = "t [s]",
     .y_label = "g″ [m/s²]",
     .x = {0.325, 0.35},
     .y = {-30000, 30000},
     PVV_PVA(BEAM_PVV, BEAM_PVA, CONTACT_ACCELERATION)},
    {0},
};

static const char beam_end[] =
    "The last percussion, to a step of 5e-6 s. An independent code has 0.34671 (PVA) and 0.3461 "
    "(PVV), "
    "half the step here 0.3462 and 0.3458: the closings follow each other within micro-seconds and "
    "the last one depends on the last bits. It leaves the wall slowly: 0.348 s is when the gap has "
    "grown to 1 mm (below), 1/300 of the height of the figure.";

static const item_check beam_gap_checks[] = {
    {.what = "PVA: first contact [s]",
     .says = "0.327; by an independent code",
     .relation = NEAR,
     .published = 0.327025,
     .tolerance = 5.01e-6,
     .ours = closing_time,
     .run = BEAM_PVA,
     .n = 1,
     .of = {.of = {"stop.P_N"}}},
    {.what = "PVV: first contact [s]",
     .says = "0.327; by an independent code",
     .relation = NEAR,
     .published = 0.327025,
     .tolerance = 5.01e-6,
     .ours = closing_time,
     .run = BEAM_PVV,
     .n = 1,
     .of = {.of = {"stop.P_N"}}},
    {.what = "PVA: end of the first contact phase [s]",
     .relation = NEAR,
     .published = 0.348,
     .tolerance = 5e-4,
     .ours = last_above,
     .run = BEAM_PVA,
     .of = {.of = {"stop.P_N"}},
     .level = 1e-12,
     .from = 0.32,
     .to = 0.36,
     .why = beam_end},
    {.what = "PVV: end of the first contact phase [s]",
     .relation = NEAR,
     .published = 0.348,
     .tolerance = 5e-4,
     .ours = last_above,
     .run = BEAM_PVV,
     .of = {.of = {"stop.P_N"}},
     .level = 1e-12,
     .from = 0.32,
     .to = 0.36,
     .why = beam_end},
    {.what = "PVA: gap of 1 mm after the first contact phase [s]",
     .says = "the end of the contact as a figure of 0.3 m shows it",
     .relation = NEAR,
     .published = 0.348,
     .tolerance = 5e-4,
     .ours = time_reached,
     .run = BEAM_PVA,
     .of = {.of = {"stop.gap"}},
     .level = 1e-3,
     .from = 0.346,
     .to = 0.36},
    {.what = "PVV: gap of 1 mm after the first contact phase [s]",
     .says = "the end of the contact as a figure of 0.3 m shows it",
     .relation = NEAR,
     .published = 0.348,
     .tolerance = 5e-4,
     .ours = time_reached,
     .run = BEAM_PVV,
     .of = {.of = {"stop.gap"}},
     .level = 1e-3,
     .from = 0.346,
     .to = 0.36},
    {.what = "PVA: mean Newton iterations",
     .says = "very close to one",
     .relation = NEAR,
     .published = 1,
     .tolerance = 0.05,
     .ours = iterations_avg,
     .run = BEAM_PVA,
     .stage = "newton"},
    {.what = "PVV: mean Newton iterations",
     .says = "very close to one",
     .relation = NEAR,
     .published = 1,
     .tolerance = 0.05,
     .ours = iterations_avg,
     .run = BEAM_PVV,
     .stage = "newton"},
    {.what = "PVA: largest smooth force of the contact [N]",
     .says = "active at acceleration level for some time",
     .relation = ABOVE,
     .published = 1,
     .ours = largest_size,
     .run = BEAM_PVA,
     .of = {.of = {"lambda.last"}}},
    {.what = "PVV: the same [N]",
     .says = "never active at acceleration level",
     .relation = BELOW,
     .published = 0,
     .ours = largest_size,
     .run = BEAM_PVV,
     .of = {.of = {"lambda.last"}}},
    {.what = "PVA: closings in the first contact phase",
     .says = "not permanently closed",
     .relation = ABOVE,
     .published = 5,
     .ours = closing_count,
     .run = BEAM_PVA,
     .of = {.of = {"stop.P_N"}},
     .from = 0.32,
     .to = 0.36},
    {.what = "x of the tip at 0.3 s [m]",
     .says = "by an independent code",
     .relation = NEAR,
     .published = 0.78692727,
     .tolerance = 1e-7,
     .ours = value_at,
     .run = BEAM_PVA,
     .of = {.of = {"beam.tip.x"}},
     .from = 0.3},
    {.what = "PVA: largest penetration [m]",
     .says = "none",
     .relation = BELOW,
     .published = 1e-10,
     .ours = penetration,
     .run = BEAM_PVA},
    {0},
};

#define REACTION                 \
  {                              \
    {"stop.P_N", "dt"}, per_step \
  }

static const item_panel beam_force_panels[] = {
    {.title = "reaction force",
     .x_label = "t [s]",
     .y_label = "reaction [N]",
     PVV_PVA(BEAM_PVV, BEAM_PVA, REACTION)},
    {.title = "first contact",
     .x_label = "t [s]",
     .y_label = "reaction [N]",
     .x = {0.325, 0.35},
     PVV_PVA(BEAM_PVV, BEAM_PVA, REACTION)},
    {0},
};

static const item_check beam_force_checks[] = {
    {.what = "PVA: first impulse [N s]",
     .says = "by an independent code",
     .relation = NEAR,
     .published = 0.1837319,
     .tolerance = 2e-5,
     .ours = first_positive,
     .run = BEAM_PVA,
     .of = {.of = {"stop.P_N"}}},
    {.what = "PVA: impulse of the first contact phase [N s]",
     .says = "by an independent code, to 3 %",
     .relation = NEAR,
     .published = 2.9011,
     .tolerance = 0.087,
     .ours = total,
     .run = BEAM_PVA,
     .of = {.of = {"stop.P_N"}},
     .from = 0.32,
     .to = 0.36},
    {.what = "PVV: impulse of the first contact phase [N s]",
     .says = "by an independent code, to 3 %",
     .relation = NEAR,
     .published = 2.9358,
     .tolerance = 0.088,
     .ours = total,
     .run = BEAM_PVV,
     .of = {.of = {"stop.P_N"}},
     .from = 0.32,
     .to = 0.36},
    {0},
};

static const item_panel beam_energy_panels[] = {
    {.title = "velocity",
     .x_label = "t [s]",
     .y_label = "g′ [m/s]",
     PVV_PVA(BEAM_PVV, BEAM_PVA, {.of = {"stop.gap_velocity"}})},
    {.title = "first contact",
     .x_label = "t [s]",
     .y_label = "g′ [m/s]",
     .x = {0.325, 0.35},
     PVV_PVA(BEAM_PVV, BEAM_PVA, {.of = {"stop.gap_velocity"}})},
    {.title = "energy",
     .x_label = "t [s]",
     .y_label = "energy [J]",
     PVV_PVA(BEAM_PVV, BEAM_PVA, {.of = {"energy.total"}})},
    {.title = "first contact",
     .x_label = "t [s]",
     .y_label = "energy [J]",
     .x = {0.325, 0.35},
     PVV_PVA(BEAM_PVV, BEAM_PVA, {.of = {"energy.total"}})},
    {0},
};

static const char rises[] =
    "Not to the last digit. Between the impacts, and nowhere else, it rises by up to 4e-5 J in a "
    "step, "
    "by 2e-3 J in all, of 1 J that is lost: what a scheme with rho < 1 never increases is not the "
    "mechanical energy while the highest modes ring. In a figure of 1 J the curve is monotonous.";

static const item_check beam_energy_checks[] = {
    {.what = "PVA: energy lost until 0.4 s [J]",
     .says = "by an independent code, to 6 %",
     .relation = NEAR,
     .published = -1.0445,
     .tolerance = 0.06,
     .ours = final_value,
     .run = BEAM_PVA,
     .of = {.of = {"energy.total"}}},
    {.what = "PVV: energy lost until 0.4 s [J]",
     .says = "by an independent code, to 6 %",
     .relation = NEAR,
     .published = -0.9966,
     .tolerance = 0.06,
     .ours = final_value,
     .run = BEAM_PVV,
     .of = {.of = {"energy.total"}}},
    {.what = "energy at 0.4 s, PVV minus PVA [J]",
     .says = "PVV decays faster",
     .relation = BELOW,
     .published = 0,
     .ours = lead,
     .each = final_value,
     .run = BEAM_PVV,
     .last = BEAM_PVA,
     .of = {.of = {"energy.total"}},
     .why =
         "Nearly all energy is lost in the impacts of the first contact phase, and how much "
         "depends "
         "on their sequence, which differs from the first microseconds on: which of the two loses "
         "more is a matter of the step. Half of it turns the sign (below); 1e-5 and 4e-6 s give "
         "+0.125 and +0.021 J. An independent code has +0.048 J at the paper's step."},
    {.what = "the same with half the step, 2.5e-6 s [J]",
     .says = "PVV decays faster",
     .relation = BELOW,
     .published = 0,
     .ours = lead,
     .each = final_value,
     .run = BEAM_PVV_FINE,
     .last = BEAM_PVA_FINE,
     .of = {.of = {"energy.total"}}},
    {.what = "PVV: largest rise of the energy in a step [J]",
     .says = "it decays monotonously; 1e-6 of what is lost",
     .relation = BELOW,
     .published = 1e-6,
     .ours = largest_rise,
     .run = BEAM_PVV,
     .of = {.of = {"energy.total"}},
     .why = rises},
    {.what = "PVA: largest rise of the energy in a step [J]",
     .says = "it decays monotonously; 1e-6 of what is lost",
     .relation = BELOW,
     .published = 1e-6,
     .ours = largest_rise,
     .run = BEAM_PVA,
     .of = {.of = {"energy.total"}},
     .why = rises},
    {0},
};

/* Section 6.3: elastic bar. */
enum { BAR_PVA, BAR_PVV, BAR_LOOSE, BAR_LOOSE_PVA, BAR_PAPER };

static const item_run bars[] = {
    [BAR_PVA] = {"PVA", "elastic-bar", SCHEME, 2e-3, 2.5, "d0=5.01", "rho=0.8 constraints=pva", 0},
    [BAR_PVV] = {"PVV", "elastic-bar", SCHEME, 2e-3, 2.5, "d0=5.01", "rho=0.8 constraints=pvv", 0},
    [BAR_LOOSE] = {"PVV, loose", "elastic-bar", SCHEME, 2e-3, 2.5, "d0=5.01",
                   "rho=0.8 constraints=pvv tol=3e-2", 0},
    [BAR_LOOSE_PVA] = {"PVA, loose", "elastic-bar", SCHEME, 2e-3, 2.5, "d0=5.01",
                       "rho=0.8 constraints=pva tol=3e-2", 0},
    [BAR_PAPER] = {"PVA, d₀ = 5", "elastic-bar", SCHEME, 2e-3, 2.5, NULL, "rho=0.8 constraints=pva",
                   0},
    {0},
};

static const char bar_note[] =
    "The captions of Figs. 14 to 16 were not at hand: which shows what is a guess. "
    "d_0 = 5.01 m: with the paper's 5 m the tip arrives exactly on step 250 and round-off decides. "
    "Area 1 "
    "m^2 and the end at 2.5 s are not printed. Exactly, the contact lasts 2/3 s with a force of "
    "300 N.";

#define FORCE                    \
  {                              \
    {"wall.P_N", "dt"}, per_step \
  }

static const item_panel bar_gap_panels[] = {
    {.title = "gap",
     .x_label = "t [s]",
     .y_label = "g [m]",
     PVV_PVA(BAR_PVV, BAR_PVA, {.of = {"wall.gap"}})},
    {.title = "its velocity",
     .x_label = "t [s]",
     .y_label = "g′ [m/s]",
     PVV_PVA(BAR_PVV, BAR_PVA, {.of = {"wall.gap_velocity"}})},
    {0},
};

static const item_check bar_gap_checks[] = {
    {.what = "PVA: time of contact [s]",
     .says = "2/3, to two steps",
     .relation = NEAR,
     .published = 2.0 / 3,
     .tolerance = 4e-3,
     .ours = time_below,
     .run = BAR_PVA,
     .level = 1e-9,
     .of = {.of = {"wall.gap"}}},
    {.what = "PVV: time of contact [s]",
     .says = "2/3, to two steps",
     .relation = NEAR,
     .published = 2.0 / 3,
     .tolerance = 4e-3,
     .ours = time_below,
     .run = BAR_PVV,
     .level = 1e-9,
     .of = {.of = {"wall.gap"}}},
    {.what = "PVA with d₀ = 5: first closed step [s]",
     .says = "0.5, to a step",
     .relation = NEAR,
     .published = 0.5,
     .tolerance = 2.01e-3,
     .ours = closing_time,
     .run = BAR_PAPER,
     .n = 1,
     .of = {.of = {"wall.P_N"}}},
    {.what = "PVA: largest penetration [m]",
     .says = "exactly satisfied",
     .relation = BELOW,
     .published = 1e-9,
     .ours = penetration,
     .run = BAR_PVA},
    {.what = "PVV: largest penetration [m]",
     .says = "exactly satisfied",
     .relation = BELOW,
     .published = 1e-9,
     .ours = penetration,
     .run = BAR_PVV},
    {0},
};

static const item_panel bar_force_panels[] = {
    {.title = "",
     .x_label = "t [s]",
     .y_label = "contact force [N]",
     PVV_PVA(BAR_PVV, BAR_PVA, FORCE)},
    {0},
};

static const item_check bar_force_checks[] = {
    {.what = "PVA: force at 1 s [N]",
     .says = "exactly 300",
     .relation = NEAR,
     .published = 300,
     .tolerance = 0.01,
     .ours = value_at,
     .run = BAR_PVA,
     .of = FORCE,
     .from = 1},
    {.what = "PVV: force at 1 s [N]",
     .says = "exactly 300",
     .relation = NEAR,
     .published = 300,
     .tolerance = 0.01,
     .ours = value_at,
     .run = BAR_PVV,
     .of = FORCE,
     .from = 1},
    {.what = "PVA: mean Newton iterations",
     .relation = NEAR,
     .published = 0.80,
     .tolerance = 0.005,
     .ours = iterations_avg,
     .run = BAR_PVA,
     .stage = "newton"},
    {.what = "PVV: mean Newton iterations",
     .relation = NEAR,
     .published = 2.94,
     .tolerance = 0.005,
     .ours = iterations_avg,
     .run = BAR_PVV,
     .stage = "newton",
     .why =
         "A count of sweeps, which for PVV converge linearly, some four per decade, so it is the "
         "tolerance that counts, and the paper does not print it: 3e-2 of the largest force "
         "gives what is below, 1e-2 3.48, 1e-3 4.55, and the 1e-10 of this run this number, as in "
         "an "
         "independent code (12.32). What the paper concludes holds: PVV needs many times the "
         "iterations of PVA."},
    {.what = "PVV with a tolerance of 3e-2 of the largest force: mean Newton iterations",
     .relation = NEAR,
     .published = 2.94,
     .tolerance = 0.01,
     .ours = iterations_avg,
     .run = BAR_LOOSE,
     .stage = "newton"},
    {.what = "PVA with this tolerance: mean Newton iterations",
     .relation = NEAR,
     .published = 0.80,
     .tolerance = 0.005,
     .ours = iterations_avg,
     .run = BAR_LOOSE_PVA,
     .stage = "newton"},
    {.what = "PVV with this tolerance, within the contact, 0.51 to 1.16 s: mean Newton iterations",
     .says = "about 10",
     .relation = NEAR,
     .published = 10,
     .tolerance = 1,
     .ours = mean,
     .run = BAR_LOOSE,
     .of = {.of = {"iterations"}},
     .from = 0.51,
     .to = 1.16,
     .why =
         "Near to it. 10 within the contact and 2.94 on the whole fit each other if the other 915 "
         "of 1250 steps take 0.36; here they take 0.8, the bar still vibrates."},
    {0},
};

static const item_panel bar_energy_panels[] = {
    {.title = "",
     .x_label = "t [s]",
     .y_label = "energy [J]",
     PVV_PVA(BAR_PVV, BAR_PVA, {.of = {"energy.total"}})},
    {0},
};

static const item_check bar_energy_checks[] = {
    {.what = "PVA: energy at the end [J], of 500",
     .says = "by an independent code",
     .relation = NEAR,
     .published = 497.0590,
     .tolerance = 1e-3,
     .ours = final_value,
     .run = BAR_PVA,
     .of = {.of = {"energy.total"}}},
    {.what = "PVV: energy at the end [J]",
     .says = "by an independent code",
     .relation = NEAR,
     .published = 497.0021,
     .tolerance = 1e-3,
     .ours = final_value,
     .run = BAR_PVV,
     .of = {.of = {"energy.total"}}},
    {.what = "PVA: share of the energy lost",
     .says = "conserved exactly",
     .relation = BELOW,
     .published = 0.01,
     .ours = lost_share,
     .run = BAR_PVA,
     .of = {.of = {"energy.total"}}},
    {0},
};

const item alpha_flexible_items[] = {
    {"alpha-fig10", "Flexible pendulum: gap, its velocity and acceleration under PVV and PVA",
     beam_note, 2, beams, beam_gap_panels, beam_gap_checks},
    {"alpha-fig11", "Flexible pendulum: reaction force", beam_note, 2, beams, beam_force_panels,
     beam_force_checks},
    {"alpha-fig12", "Flexible pendulum: velocity level and energy", beam_note, 2, beams,
     beam_energy_panels, beam_energy_checks},
    {"alpha-fig14", "Elastic bar: gap and its velocity under PVV and PVA", bar_note, 2, bars,
     bar_gap_panels, bar_gap_checks},
    {"alpha-fig15", "Elastic bar: contact force under PVV and PVA", bar_note, 1, bars,
     bar_force_panels, bar_force_checks},
    {"alpha-fig16", "Elastic bar: energy under PVV and PVA", bar_note, 1, bars, bar_energy_panels,
     bar_energy_checks},
    {0},
};
