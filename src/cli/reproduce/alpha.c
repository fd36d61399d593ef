/* Bruels, Acary, Cardona: nonsmooth generalized-alpha with constraints at three levels. */
#include <stddef.h>

#include "cli/reproduce/measure.h"

#define SCHEME "generalized-alpha"

/* Section 5: smooth pendulum. */
enum { P, V, PV, PVA, P_ZERO, V_ZERO, PV_ZERO, PVA_ZERO };

#define PENDULUM(label_, settings_)                         \
  {                                                         \
    label_, "pendulum", SCHEME, 2e-3, 4, NULL, settings_, 0 \
  }

static const item_run pendulums[] = {
    [P] = PENDULUM("P", "rho=0.9 constraints=p tol=1e-13"),
    [V] = PENDULUM("V", "rho=0.9 constraints=v tol=1e-13"),
    [PV] = PENDULUM("PV", "rho=0.9 constraints=pv tol=1e-13"),
    [PVA] = PENDULUM("PVA", "rho=0.9 constraints=pva tol=1e-13"),
    [P_ZERO] = PENDULUM("P", "rho=0.9 constraints=p tol=1e-13 initial=zero"),
    [V_ZERO] = PENDULUM("V", "rho=0.9 constraints=v tol=1e-13 initial=zero"),
    [PV_ZERO] = PENDULUM("PV", "rho=0.9 constraints=pv tol=1e-13 initial=zero"),
    [PVA_ZERO] = PENDULUM("PVA", "rho=0.9 constraints=pva tol=1e-13 initial=zero"),
    {0},
};

#define FOUR(first, second, third, fourth, name)                                                  \
  .curve = (const item_curve[])                                                                   \
  {                                                                                               \
    {.run = first, .y = {{name}}}, {.run = second, .y = {{name}}}, {.run = third, .y = {{name}}}, \
        {.run = fourth, .y = {{name}}},                                                           \
    {                                                                                             \
      0                                                                                           \
    }                                                                                             \
  }

#define LEVEL(text, label_, name, from_, to_)                                \
  {                                                                          \
    .title = text, .x_label = "t [s]", .y_label = label_, .x = {from_, to_}, \
    FOUR(P, V, PV, PVA, name)                                                \
  }

static const item_panel level_panels[] = {
    LEVEL("position", "g [m]", "pin.position.1", 0, 4),
    LEVEL("position, at the start", "g [m]", "pin.position.1", 0, 0.2),
    LEVEL("velocity", "g′ [m/s]", "pin.velocity.1", 0, 4),
    LEVEL("velocity, at the start", "g′ [m/s]", "pin.velocity.1", 0, 0.2),
    LEVEL("acceleration", "|g″| [m/s²]", "acceleration", 0, 4),
    {.title = "acceleration, at the start, without P",
     .x_label = "t [s]",
     .y_label = "|g″| [m/s²]",
     .x = {0, 0.2},
     .curve = (const item_curve[]){{.run = V, .y = {{"acceleration"}}},
                                   {.run = PV, .y = {{"acceleration"}}},
                                   {.run = PVA, .y = {{"acceleration"}}},
                                   {0}}},
    {0},
};

#define AT_MOST(run_, text, name, value)                                              \
  {                                                                                   \
    .what = text, .says = "machine precision", .relation = BELOW, .published = value, \
    .ours = largest_size, .run = run_, .of = {                                        \
      {name}                                                                          \
    }                                                                                 \
  }
#define ABOUT(run_, text, measure_, value, near_)                                         \
  {                                                                                       \
    .what = text, .says = "by an independent code", .relation = NEAR, .published = value, \
    .tolerance = near_, .ours = measure_, .run = run_                                     \
  }
#define FINAL(run_, text, name, value)                                                    \
  {                                                                                       \
    .what = text, .says = "by an independent code", .relation = NEAR, .published = value, \
    .tolerance = 1e-8, .ours = final_value, .run = run_, .of = {                          \
      {name}                                                                              \
    }                                                                                     \
  }

/* At 2 s. */
#define FINAL_AT(run_, text, name, value)                                                 \
  {                                                                                       \
    .what = text, .says = "by an independent code", .relation = NEAR, .published = value, \
    .tolerance = 1e-8, .ours = value_at, .run = run_, .of = {{name}}, .from = 2           \
  }

/* Mean force over a step, of {percussion, dt}. */
static double per_step(const double* of)
{
  return of[0] / of[1];
}

static const item_check level_checks[] = {
    AT_MOST(P, "P: position [m]", "pin.position.1", 1e-12),
    ABOUT(P, "P: velocity [m/s]", joint_velocity, 6.55e-4, 1e-6),
    ABOUT(P, "P: acceleration [m/s²]", joint_acceleration, 4.44, 0.01),
    ABOUT(V, "V: position, a drift [m]", joint_violation, 5.88e-5, 1e-7),
    AT_MOST(V, "V: velocity [m/s]", "pin.velocity.1", 1e-11),
    ABOUT(V, "V: acceleration [m/s²]", joint_acceleration, 2.57e-2, 1e-4),
    AT_MOST(PV, "PV: position [m]", "pin.position.1", 1e-12),
    AT_MOST(PV, "PV: velocity [m/s]", "pin.velocity.1", 1e-11),
    ABOUT(PV, "PV: acceleration [m/s²]", joint_acceleration, 2.60e-2, 1e-4),
    AT_MOST(PVA, "PVA: position [m]", "pin.position.1", 1e-12),
    AT_MOST(PVA, "PVA: velocity [m/s]", "pin.velocity.1", 1e-11),
    AT_MOST(PVA, "PVA: acceleration [m/s²]", "acceleration", 1e-9),
    FINAL(P, "P: angle at 4 s [rad]", "rod.angle", 38.3808081340),
    FINAL(V, "V: angle at 4 s [rad]", "rod.angle", 38.3817774240),
    FINAL(PV, "PV: angle at 4 s [rad]", "rod.angle", 38.3805889928),
    FINAL(PVA, "PVA: angle at 4 s [rad]", "rod.angle", 38.3805571930),
    {0},
};

#define ZERO(text, label_, name, from_, to_)                                 \
  {                                                                          \
    .title = text, .x_label = "t [s]", .y_label = label_, .x = {from_, to_}, \
    FOUR(P_ZERO, V_ZERO, PV_ZERO, PVA_ZERO, name)                            \
  }

static const item_panel zero_panels[] = {
    ZERO("acceleration", "|g″| [m/s²]", "acceleration", 0, 4),
    ZERO("acceleration, at the start", "|g″| [m/s²]", "acceleration", 0, 0.1),
    ZERO("multiplier", "λ₁ [N]", "lambda.first", 0, 4),
    ZERO("multiplier, at the start", "λ₁ [N]", "lambda.first", 0, 0.1),
    {0},
};

static const item_check zero_checks[] = {
    ABOUT(P_ZERO, "P: acceleration [m/s²]", joint_acceleration, 85.6, 0.1),
    ABOUT(V_ZERO, "V: acceleration [m/s²]", joint_acceleration, 85.7, 0.1),
    ABOUT(PV_ZERO, "PV: acceleration [m/s²]", joint_acceleration, 85.7, 0.1),
    AT_MOST(PVA_ZERO, "PVA: acceleration [m/s²]", "acceleration", 1e-9),
    {.what = "P: changes of sign of λ₁ from step to step, t < 0.05 s",
     .says = "large spurious oscillations",
     .relation = ABOVE,
     .published = 20,
     .ours = turns,
     .run = P_ZERO,
     .of = {{"lambda.first"}},
     .from = 1e-9,
     .to = 0.05},
    {.what = "PVA: the same",
     .says = "none",
     .relation = BELOW,
     .published = 1,
     .ours = turns,
     .run = PVA_ZERO,
     .of = {{"lambda.first"}},
     .from = 1e-9,
     .to = 0.05},
    {0},
};

/* Section 6.1: bouncing pendulum. */
enum { BOUNCE_PVA, BOUNCE_PVA2, BOUNCE_PVA1, BOUNCE_PVV, SHARP_PVA, SHARP_PVV };

#define BOUNCE(label_, settings_)                                    \
  {                                                                  \
    label_, "bouncing-pendulum", SCHEME, 1e-3, 4, NULL, settings_, 0 \
  }

static const item_run bounces[] = {
    [BOUNCE_PVA] = BOUNCE("PVA", "rho=0.9 constraints=pva strategy=3 tol=1e-12"),
    [BOUNCE_PVA2] = BOUNCE("PVA, strategy 2", "rho=0.9 constraints=pva strategy=2 tol=1e-12"),
    [BOUNCE_PVA1] = BOUNCE("PVA, strategy 1", "rho=0.9 constraints=pva strategy=1 tol=1e-12"),
    [BOUNCE_PVV] = BOUNCE("PVV", "rho=0.9 constraints=pvv tol=1e-12"),
    [SHARP_PVA] = BOUNCE("PVA", "rho=1 constraints=pva strategy=3 tol=1e-12"),
    [SHARP_PVV] = BOUNCE("PVV", "rho=1 constraints=pvv tol=1e-12"),
    {0},
};

static const char bounce_note[] = "e = 0.8 and gravity along +y are not printed; they fit Fig. 5.";
static const char impulse_note[] =
    "e = 0.8 and gravity along +y are not printed; they fit Fig. 5. Λ₁ is what the joint's "
    "percussion of a "
    "step is more than dt λ₁.";

#define PVV_PVA(pvv, pva, ...)                                      \
  .curve = (const item_curve[])                                     \
  {                                                                 \
    {.run = pvv, .y = __VA_ARGS__}, {.run = pva, .y = __VA_ARGS__}, \
    {                                                               \
      0                                                             \
    }                                                               \
  }

static const item_panel gap_panels[] = {
    {.title = "position level",
     .x_label = "t [s]",
     .y_label = "g₃ [m]",
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, {{"stop.gap"}})},
    {.title = "velocity level",
     .x_label = "t [s]",
     .y_label = "g₃′ [m/s]",
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, {{"stop.gap_velocity"}})},
    {0},
};

#define IMPACT(n_, value, exact_)                                                         \
  {                                                                                       \
    .what = "PVA: impact " #n_ " [s]", .says = "by an independent code; exactly " exact_, \
    .relation = NEAR, .published = value, .tolerance = 1.01e-3, .ours = nth_impact,       \
    .run = BOUNCE_PVA, .of = {{"stop.gap_velocity"}}, .n = n_                             \
  }

static const item_check gap_checks[] = {
    IMPACT(1, 0.352, "0.35119"),
    IMPACT(2, 0.947, "0.94474"),
    IMPACT(3, 1.447, "1.44342"),
    IMPACT(4, 1.863, "1.85830"),
    FINAL_AT(BOUNCE_PVA, "PVA: angle at 2 s [rad]", "rod.angle", 0.6876414456),
    FINAL_AT(BOUNCE_PVV, "PVV: angle at 2 s [rad]", "rod.angle", 0.6878735136),
    {.what = "PVA: largest |gap| after 3.7 s [m]",
     .says = "closed after an accumulation",
     .relation = BELOW,
     .published = 1e-10,
     .ours = largest_size,
     .run = BOUNCE_PVA,
     .of = {{"stop.gap"}},
     .from = 3.7,
     .to = 4},
    {0},
};

static const item_panel acceleration_panels[] = {
    {.title = "bilateral constraint, acceleration",
     .x_label = "t [s]",
     .y_label = "|g″| [m/s²]",
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, {{"acceleration"}})},
    {.title = "at the first impact",
     .x_label = "t [s]",
     .y_label = "|g″| [m/s²]",
     .x = {0.34, 0.42},
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, {{"acceleration"}})},
    {.title = "multiplier",
     .x_label = "t [s]",
     .y_label = "λ₁ [N]",
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, {{"lambda.first"}})},
    {.title = "at the first impact",
     .x_label = "t [s]",
     .y_label = "λ₁ [N]",
     .x = {0.34, 0.42},
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, {{"lambda.first"}})},
    {0},
};

/* In the free flight after the first impact. */
#define FLIGHT .from = 0.36, .to = 0.46

static const item_check acceleration_checks[] = {
    ABOUT(BOUNCE_PVV, "PVV: acceleration of the joint [m/s²]", joint_acceleration, 7.24, 0.01),
    ABOUT(BOUNCE_PVA1, "PVA, strategy 1: acceleration of the joint [m/s²]", joint_acceleration,
          15.8, 0.1),
    AT_MOST(BOUNCE_PVA, "PVA: acceleration of the joint [m/s²]", "acceleration", 1e-9),
    AT_MOST(BOUNCE_PVA2, "PVA, strategy 2: acceleration of the joint [m/s²]", "acceleration", 1e-9),
    {.what = "PVV: turns of λ₁ in the 0.1 s after the first impact",
     .says = "oscillations",
     .relation = ABOVE,
     .published = 20,
     .ours = turns,
     .run = BOUNCE_PVV,
     .of = {{"lambda.first"}},
     FLIGHT},
    {.what = "PVA: the same",
     .says = "none",
     .relation = BELOW,
     .published = 1,
     .ours = turns,
     .run = BOUNCE_PVA,
     .of = {{"lambda.first"}},
     FLIGHT},
    {.what = "PVA: λ₁ at the end [N]",
     .says = "by an independent code",
     .relation = NEAR,
     .published = -10,
     .tolerance = 1e-4,
     .ours = final_value,
     .run = BOUNCE_PVA,
     .of = {{"lambda.first"}}},
    {0},
};

/* What the step's percussion is more than the smooth force gives. */
static double relative_impulse(const double* of)
{
  return of[0] - of[1] * of[2];
}

#define LAMBDA                                          \
  {                                                     \
    {"pin.P.1", "lambda.first", "dt"}, relative_impulse \
  }

static const item_panel impulse_panels[] = {
    {.title = "contact force",
     .x_label = "t [s]",
     .y_label = "λ₃ [N]",
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, {{"lambda.last"}})},
    {.title = "relative impulse of the joint",
     .x_label = "t [s]",
     .y_label = "Λ₁ [N s]",
     .y = {-0.05, 0.05},
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, LAMBDA)},
    {0},
};

static const item_check impulse_checks[] = {
    {.what = "PVA: |Λ₁| at the end [N s]",
     .says = "equal to zero",
     .relation = BELOW,
     .published = 1e-6,
     .ours = largest_size,
     .run = BOUNCE_PVA,
     .of = LAMBDA,
     .from = 3.9,
     .to = 4},
    {.what = "PVV: |Λ₁| at the end [N s]",
     .says = "not zero",
     .relation = ABOVE,
     .published = 1e-3,
     .ours = largest_size,
     .run = BOUNCE_PVV,
     .of = LAMBDA,
     .from = 3.9,
     .to = 4},
    {.what = "total reaction at the end, PVA minus PVV [N]",
     .says = "the same",
     .relation = NEAR,
     .published = 0,
     .tolerance = 0.01,
     .ours = lead,
     .each = final_value,
     .run = BOUNCE_PVA,
     .last = BOUNCE_PVV,
     .of = {{"pin.P.1", "dt"}, per_step}},
    {.what = "last open step, PVA minus PVV [s]",
     .says = "a later stabilization: 3.646, 3.544",
     .relation = NEAR,
     .published = 0.102,
     .tolerance = 2e-3,
     .ours = lead,
     .each = last_above,
     .run = BOUNCE_PVA,
     .last = BOUNCE_PVV,
     .of = {{"stop.gap"}},
     .level = 1e-12},
    {0},
};

static const item_panel sharp_panels[] = {
    {.title = "multiplier, ρ = 1",
     .x_label = "t [s]",
     .y_label = "λ₁ [N]",
     PVV_PVA(SHARP_PVV, SHARP_PVA, {{"lambda.first"}})},
    {.title = "bilateral constraint, acceleration",
     .x_label = "t [s]",
     .y_label = "|g″| [m/s²]",
     PVV_PVA(SHARP_PVV, SHARP_PVA, {{"acceleration"}})},
    {0},
};

static const item_check sharp_checks[] = {
    AT_MOST(SHARP_PVA, "PVA: acceleration of the joint [m/s²]", "acceleration", 1e-9),
    {.what = "PVV: turns of λ₁ in the last second before rest, [2.5, 3.5] s",
     .says = "strong oscillations that never disappear",
     .relation = ABOVE,
     .published = 500,
     .ours = turns,
     .run = SHARP_PVV,
     .of = {{"lambda.first"}},
     .from = 2.5,
     .to = 3.5},
    {.what = "PVA: turns of λ₁ in the 0.1 s after the first impact",
     .says = "none",
     .relation = BELOW,
     .published = 1,
     .ours = turns,
     .run = SHARP_PVA,
     .of = {{"lambda.first"}},
     FLIGHT},
    {0},
};

/* Section 6.2: flexible pendulum. */
enum { BEAM_PVA, BEAM_PVV };

static const item_run beams[] = {
    [BEAM_PVA] = {"PVA", "flexible-pendulum", SCHEME, 5e-6, 0.4, NULL, "rho=0.8 constraints=pva",
                  0},
    [BEAM_PVV] = {"PVV", "flexible-pendulum", SCHEME, 5e-6, 0.4, NULL, "rho=0.8 constraints=pvv",
                  0},
    {0},
};

static const char beam_note[] =
    "Gravity 10 m/s^2 along +y and the end at 0.4 s are not printed; 10 fits the first contact at "
    "0.327 s. "
    "After that contact the motion is sensitive to the last bits.";

static const item_panel beam_gap_panels[] = {
    {.title = "position",
     .x_label = "t [s]",
     .y_label = "g [m]",
     PVV_PVA(BEAM_PVV, BEAM_PVA, {{"stop.gap"}})},
    {.title = "first contact",
     .x_label = "t [s]",
     .y_label = "g [m]",
     .x = {0.325, 0.35},
     .y = {-0.0005, 0.003},
     PVV_PVA(BEAM_PVV, BEAM_PVA, {{"stop.gap"}})},
    {.title = "velocity",
     .x_label = "t [s]",
     .y_label = "g′ [m/s]",
     PVV_PVA(BEAM_PVV, BEAM_PVA, {{"stop.gap_velocity"}})},
    {.title = "first contact",
     .x_label = "t [s]",
     .y_label = "g′ [m/s]",
     .x = {0.325, 0.35},
     PVV_PVA(BEAM_PVV, BEAM_PVA, {{"stop.gap_velocity"}})},
    {0},
};

static const char beam_end[] =
    "Not found with any variant, here or by an independent code (PVA 0.34671, PVV 0.3461): after "
    "the first "
    "impact the closings follow each other within micro-seconds and the last one depends on the "
    "last bits. "
    "The interval is right to 2 ms.";

static const item_check beam_gap_checks[] = {
    {.what = "PVA: first contact [s]",
     .says = "0.327; by an independent code",
     .relation = NEAR,
     .published = 0.327025,
     .tolerance = 5.01e-6,
     .ours = closing_time,
     .run = BEAM_PVA,
     .n = 1,
     .of = {{"stop.P_N"}}},
    {.what = "PVV: first contact [s]",
     .says = "0.327; by an independent code",
     .relation = NEAR,
     .published = 0.327025,
     .tolerance = 5.01e-6,
     .ours = closing_time,
     .run = BEAM_PVV,
     .n = 1,
     .of = {{"stop.P_N"}}},
    {.what = "PVA: end of the first contact phase [s]",
     .relation = NEAR,
     .published = 0.348,
     .tolerance = 5e-4,
     .ours = last_above,
     .run = BEAM_PVA,
     .of = {{"stop.P_N"}},
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
     .of = {{"stop.P_N"}},
     .level = 1e-12,
     .from = 0.32,
     .to = 0.36,
     .why = beam_end},
    {.what = "PVA: closings in the first contact phase",
     .says = "not permanently closed",
     .relation = ABOVE,
     .published = 5,
     .ours = closing_count,
     .run = BEAM_PVA,
     .of = {{"stop.P_N"}},
     .from = 0.32,
     .to = 0.36},
    {.what = "x of the tip at 0.3 s [m]",
     .says = "by an independent code",
     .relation = NEAR,
     .published = 0.78692727,
     .tolerance = 1e-7,
     .ours = value_at,
     .run = BEAM_PVA,
     .of = {{"beam.tip.x"}},
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
     .y_label = "[N]",
     PVV_PVA(BEAM_PVV, BEAM_PVA, REACTION)},
    {.title = "first contact",
     .x_label = "t [s]",
     .y_label = "[N]",
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
     .of = {{"stop.P_N"}}},
    {.what = "PVA: impulse of the first contact phase [N s]",
     .says = "by an independent code, to 3 %",
     .relation = NEAR,
     .published = 2.9011,
     .tolerance = 0.087,
     .ours = total,
     .run = BEAM_PVA,
     .of = {{"stop.P_N"}},
     .from = 0.32,
     .to = 0.36},
    {.what = "PVV: impulse of the first contact phase [N s]",
     .says = "by an independent code, to 3 %",
     .relation = NEAR,
     .published = 2.9358,
     .tolerance = 0.088,
     .ours = total,
     .run = BEAM_PVV,
     .of = {{"stop.P_N"}},
     .from = 0.32,
     .to = 0.36},
    {0},
};

static const item_panel beam_energy_panels[] = {
    {.title = "velocity",
     .x_label = "t [s]",
     .y_label = "g′ [m/s]",
     PVV_PVA(BEAM_PVV, BEAM_PVA, {{"stop.gap_velocity"}})},
    {.title = "first contact",
     .x_label = "t [s]",
     .y_label = "g′ [m/s]",
     .x = {0.325, 0.35},
     PVV_PVA(BEAM_PVV, BEAM_PVA, {{"stop.gap_velocity"}})},
    {.title = "energy",
     .x_label = "t [s]",
     .y_label = "[J]",
     PVV_PVA(BEAM_PVV, BEAM_PVA, {{"energy.total"}})},
    {.title = "first contact",
     .x_label = "t [s]",
     .y_label = "[J]",
     .x = {0.325, 0.35},
     PVV_PVA(BEAM_PVV, BEAM_PVA, {{"energy.total"}})},
    {0},
};

static const item_check beam_energy_checks[] = {
    {.what = "PVA: energy lost until 0.4 s [J]",
     .says = "by an independent code, to 6 %",
     .relation = NEAR,
     .published = -1.0445,
     .tolerance = 0.06,
     .ours = final_value,
     .run = BEAM_PVA,
     .of = {{"energy.total"}}},
    {.what = "PVV: energy lost until 0.4 s [J]",
     .says = "by an independent code, to 6 %",
     .relation = NEAR,
     .published = -0.9966,
     .tolerance = 0.06,
     .ours = final_value,
     .run = BEAM_PVV,
     .of = {{"energy.total"}}},
    {.what = "energy at 0.4 s, PVV minus PVA [J]",
     .says = "PVV decays faster",
     .relation = BELOW,
     .published = 0,
     .ours = lead,
     .each = final_value,
     .run = BEAM_PVV,
     .last = BEAM_PVA,
     .of = {{"energy.total"}},
     .why = "Not found, here or by an independent code: nearly all energy is lost in the impacts "
            "of the "
            "first contact phase, and how much depends on their sequence, which differs from the "
            "first "
            "microseconds on. Which of the two loses more changes with the step."},
    {0},
};

/* Section 6.3: elastic bar. */
enum { BAR_PVA, BAR_PVV, BAR_LOOSE, BAR_PAPER };

static const item_run bars[] = {
    [BAR_PVA] = {"PVA", "elastic-bar", SCHEME, 2e-3, 2.5, "d0=5.01", "rho=0.8 constraints=pva", 0},
    [BAR_PVV] = {"PVV", "elastic-bar", SCHEME, 2e-3, 2.5, "d0=5.01", "rho=0.8 constraints=pvv", 0},
    [BAR_LOOSE] = {"PVV, loose", "elastic-bar", SCHEME, 2e-3, 2.5, "d0=5.01",
                   "rho=0.8 constraints=pvv tol=1.8e-2", 0},
    [BAR_PAPER] = {"PVA, d₀ = 5", "elastic-bar", SCHEME, 2e-3, 2.5, NULL, "rho=0.8 constraints=pva",
                   0},
    {0},
};

static const char bar_note[] =
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
     PVV_PVA(BAR_PVV, BAR_PVA, {{"wall.gap"}})},
    {.title = "its velocity",
     .x_label = "t [s]",
     .y_label = "g′ [m/s]",
     PVV_PVA(BAR_PVV, BAR_PVA, {{"wall.gap_velocity"}})},
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
     .of = {{"wall.gap"}}},
    {.what = "PVV: time of contact [s]",
     .says = "2/3, to two steps",
     .relation = NEAR,
     .published = 2.0 / 3,
     .tolerance = 4e-3,
     .ours = time_below,
     .run = BAR_PVV,
     .level = 1e-9,
     .of = {{"wall.gap"}}},
    {.what = "PVA with d₀ = 5: first closed step [s]",
     .says = "0.5, to a step",
     .relation = NEAR,
     .published = 0.5,
     .tolerance = 2.01e-3,
     .ours = closing_time,
     .run = BAR_PAPER,
     .n = 1,
     .of = {{"wall.P_N"}}},
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
         "tolerance that counts, and the paper does not print it: 3e-2 of the contact force "
         "(1.8e-2 N s) "
         "gives what is below, 1e-2 N s 3.21, 1e-3 N s 4.28, and the 1e-7 N s of this run this "
         "number. What the paper concludes holds: PVV needs many times the iterations of PVA."},
    {.what = "PVV with a tolerance of 3e-2 of the contact force: mean Newton iterations",
     .relation = NEAR,
     .published = 2.94,
     .tolerance = 0.01,
     .ours = iterations_avg,
     .run = BAR_LOOSE,
     .stage = "newton"},
    {0},
};

static const item_panel bar_energy_panels[] = {
    {.title = "",
     .x_label = "t [s]",
     .y_label = "energy [J]",
     PVV_PVA(BAR_PVV, BAR_PVA, {{"energy.total"}})},
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
     .of = {{"energy.total"}}},
    {.what = "PVV: energy at the end [J]",
     .says = "by an independent code",
     .relation = NEAR,
     .published = 497.0021,
     .tolerance = 1e-3,
     .ours = final_value,
     .run = BAR_PVV,
     .of = {{"energy.total"}}},
    {.what = "PVA: share of the energy lost",
     .says = "conserved exactly",
     .relation = BELOW,
     .published = 0.01,
     .ours = lost_share,
     .run = BAR_PVA,
     .of = {{"energy.total"}}},
    {0},
};

const item alpha_items[] = {
    {"alpha-fig2", "Pendulum: constraints at three levels under P, V, PV and PVA", "", 2, pendulums,
     level_panels, level_checks},
    {"alpha-fig3", "Pendulum with wrong initial accelerations: oscillations of all but PVA", "", 2,
     pendulums, zero_panels, zero_checks},
    {"alpha-fig5", "Bouncing pendulum: gap and its velocity under PVV and PVA", bounce_note, 2,
     bounces, gap_panels, gap_checks},
    {"alpha-fig6", "Bouncing pendulum: joint at acceleration level, and its multiplier",
     bounce_note, 2, bounces, acceleration_panels, acceleration_checks},
    {"alpha-fig7", "Bouncing pendulum: contact force and relative impulse", impulse_note, 2,
     bounces, impulse_panels, impulse_checks},
    {"alpha-fig8", "Bouncing pendulum without numerical damping (ρ = 1)", bounce_note, 2, bounces,
     sharp_panels, sharp_checks},
    {"alpha-fig10", "Flexible pendulum: gap and its velocity under PVV and PVA", beam_note, 2,
     beams, beam_gap_panels, beam_gap_checks},
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
