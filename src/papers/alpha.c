/* Bruels, Acary, Cardona: nonsmooth generalized-alpha with constraints at three levels. */
#include <math.h>
#include <stddef.h>

#include "papers/alpha.h"
#include "papers/items.h"
#include "reproduce/measure.h"

/* Section 5: smooth pendulum. */
enum {
  P,
  V,
  PV,
  PVA,
  P_ZERO,
  V_ZERO,
  PV_ZERO,
  PVA_ZERO,
  P_STEPS, /* four steps, from 2e-3 s on halved */
  V_STEPS = P_STEPS + 4,
  PV_STEPS = V_STEPS + 4,
  V_SHIFTED = PV_STEPS + 4, /* the same with a_0 = v'((alpha_m - alpha_f) h) */
  PV_SHIFTED = V_SHIFTED + 4
};

/* The transient is over after a second. */
#define STEPS(label_, settings_, fitted_)                                 \
  {label_, "pendulum", SCHEME, 2e-3, 1, NULL, settings_, 0, fitted_},     \
      {label_, "pendulum", SCHEME, 1e-3, 1, NULL, settings_, 0, fitted_}, \
      {label_, "pendulum", SCHEME, 5e-4, 1, NULL, settings_, 0, fitted_}, \
  {                                                                       \
    label_, "pendulum", SCHEME, 2.5e-4, 1, NULL, settings_, 0, fitted_    \
  }
#define SHIFTED "a start with a = v'((α_m - α_f) h) (printed: v'(0))"

#define PENDULUM(label_, settings_)                               \
  {                                                               \
    label_, "pendulum", SCHEME, 2e-3, 4, NULL, settings_, 0, NULL \
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
    [P_STEPS] = STEPS("P", "rho=0.9 constraints=p tol=1e-13", NULL),
    [V_STEPS] = STEPS("V", "rho=0.9 constraints=v tol=1e-13", NULL),
    [PV_STEPS] = STEPS("PV", "rho=0.9 constraints=pv tol=1e-13", NULL),
    [V_SHIFTED] = STEPS("V, shifted", "rho=0.9 constraints=v tol=1e-13 initial=shifted", SHIFTED),
    [PV_SHIFTED] =
        STEPS("PV, shifted", "rho=0.9 constraints=pv tol=1e-13 initial=shifted", SHIFTED),
    {0},
};

/* Of the pendulum: g_1'' of its pin, with its sign, from the smooth motion M v' = h + W lambda.
 * Forces of the pin and of the stop, angle, spin; L = 1 m, m = 1 kg, J = 0.1 kg m^2. */
static double pin_acceleration(const double* of)
{
  const double L = 1, m = 1, J = 0.1;
  double c = cos(of[3]), s = sin(of[3]);
  double x = (of[0] + of[2]) / m, angle = L * (of[0] * s - of[1] * c) / J;
  return x + L * s * angle + L * c * of[4] * of[4];
}

/* The same without a stop. */
static double free_pin_acceleration(const double* of)
{
  const double stopless[] = {of[0], of[1], 0, of[2], of[3]};
  return pin_acceleration(stopless);
}

#define PIN_ACCELERATION                                                             \
  {                                                                                  \
    .of = {"lambda.first", "lambda.second", "lambda.last", "rod.angle", "rod.spin"}, \
    .value = pin_acceleration                                                        \
  }
#define FREE_PIN_ACCELERATION                                         \
  {                                                                   \
    .of = {"lambda.first", "lambda.second", "rod.angle", "rod.spin"}, \
    .value = free_pin_acceleration                                    \
  }

#define FOUR(first, second, third, fourth, style_, ...)      \
  CURVES({.run = first, .y = __VA_ARGS__, .style = style_},  \
         {.run = second, .y = __VA_ARGS__, .style = style_}, \
         {.run = third, .y = __VA_ARGS__, .style = style_},  \
         {.run = fourth, .y = __VA_ARGS__, .style = style_})

#define LEVEL(text, label_, from_, to_, style_, ...)                         \
  {                                                                          \
    .title = text, .x_label = "t [s]", .y_label = label_, .x = {from_, to_}, \
    FOUR(P, V, PV, PVA, style_, __VA_ARGS__)                                 \
  }

#define AMPLITUDE(first) .each = joint_acceleration, .run = first, .last = first + 3

static const item_check amplitudes[] = {{AMPLITUDE(P_STEPS)},
                                        {AMPLITUDE(V_STEPS)},
                                        {AMPLITUDE(PV_STEPS)},
                                        {AMPLITUDE(V_SHIFTED)},
                                        {AMPLITUDE(PV_SHIFTED)}};

static const item_panel level_panels[] = {
    LEVEL("position", "g₁ [µm]", 0, 4, LINES, {.of = {"pin.position.1"}, .scale = 1e6}),
    LEVEL("position, at the start", "g₁ [µm]", 0, 0.1, POINTS,
          {.of = {"pin.position.1"}, .scale = 1e6}),
    LEVEL("velocity", "g₁′ [mm/s]", 0, 4, LINES, {.of = {"pin.velocity.1"}, .scale = 1e3}),
    LEVEL("velocity, at the start", "g₁′ [mm/s]", 0, 0.1, POINTS,
          {.of = {"pin.velocity.1"}, .scale = 1e3}),
    LEVEL("acceleration", "g₁″ [m/s²]", 0, 4, DOTS, FREE_PIN_ACCELERATION),
    {.title = "acceleration, start, without P",
     .x_label = "t [s]",
     .y_label = "g₁″ [m/s²]",
     .x = {0, 0.1},
     CURVES({.run = V, .y = FREE_PIN_ACCELERATION, .style = POINTS},
            {.run = PV, .y = FREE_PIN_ACCELERATION, .style = POINTS},
            {.run = PVA, .y = FREE_PIN_ACCELERATION, .style = POINTS})},
    {.title = "largest acceleration over the step",
     .x_label = "h [s]",
     .y_label = "|g″| [m/s²]",
     .logarithmic = 1,
     .slope = {1, 2},
     CURVES({.scan = &amplitudes[0], .style = BOTH}, {.scan = &amplitudes[1], .style = BOTH},
            {.scan = &amplitudes[2], .style = BOTH}, {.scan = &amplitudes[3], .style = BOTH},
            {.scan = &amplitudes[4], .style = BOTH})},
    {0},
};

#define AT_MOST(run_, text, name, value)                                         \
  {                                                                              \
    .what = text, .says = "machine precision", .kind = WORDS, .relation = BELOW, \
    .expected = value, .ours = largest_size, .run = run_, .of = {                \
      .of = {name}                                                               \
    }                                                                            \
  }
#define ABOUT(run_, text, measure_, value, near_)                                               \
  {                                                                                             \
    .what = text, .kind = INDEPENDENT, .relation = NEAR, .expected = value, .tolerance = near_, \
    .ours = measure_, .run = run_                                                               \
  }
#define FINAL(run_, text, name, value)                                                         \
  {                                                                                            \
    .what = text, .kind = INDEPENDENT, .relation = NEAR, .expected = value, .tolerance = 1e-8, \
    .ours = final_value, .run = run_, .of = {                                                  \
      .of = {name}                                                                             \
    }                                                                                          \
  }

/* At 2 s. */
#define FINAL_AT(run_, text, name, value)                                                      \
  {                                                                                            \
    .what = text, .kind = INDEPENDENT, .relation = NEAR, .expected = value, .tolerance = 1e-8, \
    .ours = value_at, .run = run_, .of = {.of = {name}}, .from = 2                             \
  }

static const char shifted[] =
    "It holds with a shifted start only (below). a_n stands for v' at t_n + (alpha_m - alpha_f) h, "
    "so a_0 = v'_0, which the paper takes, is wrong by (alpha_m - alpha_f) h v''(0). V and PV take "
    "this error into v'_1 and from there into g'' from step to step, with the spectral radius of "
    "the scheme: "
    "a transient of first order. With a_0 = v'((alpha_m - alpha_f) h) it is of second order.";

#define DECREASE(first, text, claim, value, why_)                                  \
  {                                                                                \
    .what = text ": order of the largest |g″| in h", .says = claim, .kind = WORDS, \
    .relation = NEAR, .expected = value, .tolerance = 0.1, .ours = order,          \
    .each = joint_acceleration, .run = first + 1, .last = first + 3, .why = why_   \
  }

static const item_check level_checks[] = {
    DECREASE(P_STEPS, "P", "as O(h)", 1, NULL),
    DECREASE(V_STEPS, "V", "as fast as O(h²)", 2, shifted),
    DECREASE(PV_STEPS, "PV", "similar to V", 2, shifted),
    DECREASE(V_SHIFTED, "V, shifted start", "O(h²)", 2, NULL),
    DECREASE(PV_SHIFTED, "PV, shifted start", "O(h²)", 2, NULL),
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
    FINAL(P, "P: λ₁ at 4 s [N]", "lambda.first", -83.9364069280),
    FINAL(PVA, "PVA: λ₁ at 4 s [N]", "lambda.first", -83.9477979678),
    FINAL(P, "P: angle at 4 s [rad]", "rod.angle", 38.3808081340),
    FINAL(V, "V: angle at 4 s [rad]", "rod.angle", 38.3817774240),
    FINAL(PV, "PV: angle at 4 s [rad]", "rod.angle", 38.3805889928),
    FINAL(PVA, "PVA: angle at 4 s [rad]", "rod.angle", 38.3805571930),
    {0},
};

#define ZERO(text, label_, from_, to_, style_, ...)                          \
  {                                                                          \
    .title = text, .x_label = "t [s]", .y_label = label_, .x = {from_, to_}, \
    FOUR(P_ZERO, V_ZERO, PV_ZERO, PVA_ZERO, style_, __VA_ARGS__)             \
  }

static const item_panel zero_panels[] = {
    ZERO("acceleration", "g₁″ [m/s²]", 0, 4, DOTS, FREE_PIN_ACCELERATION),
    ZERO("acceleration, at the start", "g₁″ [m/s²]", 0, 0.1, POINTS, FREE_PIN_ACCELERATION),
    ZERO("multiplier", "λ₁ [N]", 0, 4, DOTS, {.of = {"lambda.first"}}),
    ZERO("multiplier, at the start", "λ₁ [N]", 0, 0.1, POINTS, {.of = {"lambda.first"}}),
    {0},
};

static const item_check zero_checks[] = {
    FINAL(P_ZERO, "P: angle at 4 s [rad]", "rod.angle", 38.34052383183),
    FINAL(V_ZERO, "V: angle at 4 s [rad]", "rod.angle", 38.34149480486),
    FINAL(PV_ZERO, "PV: angle at 4 s [rad]", "rod.angle", 38.34031301766),
    FINAL(PVA_ZERO, "PVA: angle at 4 s [rad]", "rod.angle", 38.33611807731),
    FINAL(PVA_ZERO, "PVA: spin at 4 s [rad/s]", "rod.spin", 10.07615162381),
    ABOUT(P_ZERO, "P: acceleration [m/s²]", joint_acceleration, 85.6, 0.1),
    ABOUT(V_ZERO, "V: acceleration [m/s²]", joint_acceleration, 85.7, 0.1),
    ABOUT(PV_ZERO, "PV: acceleration [m/s²]", joint_acceleration, 85.7, 0.1),
    AT_MOST(PVA_ZERO, "PVA: acceleration [m/s²]", "acceleration", 1e-9),
    {.what = "P: turns of λ₁ from step to step, t < 0.05 s",
     .says = "large spurious oscillations",
     .kind = WORDS,
     .relation = ABOVE,
     .expected = 20,
     .ours = turns,
     .run = P_ZERO,
     .of = {.of = {"lambda.first"}},
     .from = 1e-9,
     .to = 0.05},
    {.what = "PVA: the same",
     .says = "none",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 1,
     .ours = turns,
     .run = PVA_ZERO,
     .of = {.of = {"lambda.first"}},
     .from = 1e-9,
     .to = 0.05},
    {0},
};

/* Section 6.1: bouncing pendulum. */
enum { BOUNCE_PVA, BOUNCE_PVA2, BOUNCE_PVA1, BOUNCE_PVV, SHARP_PVA, SHARP_PVV };

#define BOUNCE(label_, settings_)                                                                 \
  {                                                                                               \
    label_, "bouncing-pendulum", SCHEME, 1e-3, 4, NULL, settings_, 0, "e = 0.8, gravity along +y" \
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
static const char unseen_note[] =
    "e = 0.8 and gravity along +y are not printed; they fit Fig. 5. The caption of this figure was "
    "not at "
    "hand: what it shows was taken from the text.";
static const char impulse_note[] =
    "The caption of this figure was not at hand: what it shows was taken from the text. "
    "e = 0.8 and gravity along +y are not printed; they fit Fig. 5. Λ₁ is what the joint's "
    "percussion of a "
    "step is more than dt λ₁.";

static const item_panel gap_panels[] = {
    {.title = "position level",
     .x_label = "t [s]",
     .y_label = "g₃ [m]",
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, {.of = {"stop.gap"}})},
    {.title = "velocity level",
     .x_label = "t [s]",
     .y_label = "g₃′ [m/s]",
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, {.of = {"stop.gap_velocity"}})},
    PVA_MINUS_PVV(BOUNCE_PVV, BOUNCE_PVA, "position level, PVA minus PVV", "Δg₃ [mm]",
                  {.of = {"stop.gap"}, .scale = 1e3}),
    PVA_MINUS_PVV(BOUNCE_PVV, BOUNCE_PVA, "velocity level, PVA minus PVV", "Δg₃′ [m/s]",
                  {.of = {"stop.gap_velocity"}}),
    {0},
};

#define IMPACT(n_, value, exact_)                                                                  \
  {                                                                                                \
    .what = "PVA: impact " #n_ " [s]", .says = "exactly " exact_, .kind = INDEPENDENT,             \
    .relation = NEAR, .expected = value, .tolerance = 1e-9, .ours = nth_impact, .run = BOUNCE_PVA, \
    .of = {.of = {"stop.gap_velocity"}}, .n = n_                                                   \
  }

static const item_check gap_checks[] = {
    IMPACT(1, 0.352, "0.35119"),
    IMPACT(2, 0.947, "0.94474"),
    IMPACT(3, 1.447, "1.44342"),
    IMPACT(4, 1.863, "1.85830"),
    FINAL_AT(BOUNCE_PVA, "PVA: spin at 2 s [rad/s]", "rod.spin", -0.2412280705),
    FINAL_AT(BOUNCE_PVV, "PVV: spin at 2 s [rad/s]", "rod.spin", -0.2137869754),
    FINAL_AT(BOUNCE_PVA2, "PVA, strategy 2: angle at 2 s [rad]", "rod.angle", 0.6878738955),
    FINAL_AT(BOUNCE_PVA1, "PVA, strategy 1: angle at 2 s [rad]", "rod.angle", 0.6885451604),
    FINAL_AT(BOUNCE_PVA, "PVA: angle at 2 s [rad]", "rod.angle", 0.6876414456),
    FINAL_AT(BOUNCE_PVV, "PVV: angle at 2 s [rad]", "rod.angle", 0.6878735136),
    {.what = "PVA: largest |gap| after 3.7 s [m]",
     .says = "closed after an accumulation",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 1e-10,
     .ours = largest_size,
     .run = BOUNCE_PVA,
     .of = {.of = {"stop.gap"}},
     .from = 3.7,
     .to = 4},
    {0},
};

static const item_panel acceleration_panels[] = {
    {.title = "bilateral constraint, acceleration",
     .x_label = "t [s]",
     .y_label = "g₁″ [m/s²]",
     PVV_PVA_DOTS(BOUNCE_PVV, BOUNCE_PVA, PIN_ACCELERATION)},
    {.title = "at the first impact",
     .x_label = "t [s]",
     .y_label = "g₁″ [m/s²]",
     .x = {0.345, 0.395},
     PVV_PVA_POINTS(BOUNCE_PVV, BOUNCE_PVA, PIN_ACCELERATION)},
    {.title = "multiplier",
     .x_label = "t [s]",
     .y_label = "λ₁ [N]",
     PVV_PVA_DOTS(BOUNCE_PVV, BOUNCE_PVA, {.of = {"lambda.first"}})},
    {.title = "at the first impact",
     .x_label = "t [s]",
     .y_label = "λ₁ [N]",
     .x = {0.345, 0.395},
     PVV_PVA_POINTS(BOUNCE_PVV, BOUNCE_PVA, {.of = {"lambda.first"}})},
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
     .kind = WORDS,
     .relation = ABOVE,
     .expected = 50,
     .ours = turns,
     .run = BOUNCE_PVV,
     .of = {.of = {"lambda.first"}},
     FLIGHT},
    {.what = "PVA: the same",
     .says = "none",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 1,
     .ours = turns,
     .run = BOUNCE_PVA,
     .of = {.of = {"lambda.first"}},
     FLIGHT},
    {.what = "PVA: λ₁ at the end [N]",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = -10,
     .tolerance = 1e-8,
     .ours = final_value,
     .run = BOUNCE_PVA,
     .of = {.of = {"lambda.first"}}},
    {0},
};

/* What the step's percussion is more than the smooth force gives. */
static double relative_impulse(const double* of)
{
  return of[0] - of[1] * of[2];
}

#define LAMBDA                                                         \
  {                                                                    \
    .of = {"pin.P.1", "lambda.first", "dt"}, .value = relative_impulse \
  }

static const item_panel impulse_panels[] = {
    {.title = "contact force",
     .x_label = "t [s]",
     .y_label = "λ₃ [N]",
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, {.of = {"lambda.last"}})},
    {.title = "relative impulse of the joint",
     .x_label = "t [s]",
     .y_label = "Λ₁ [N s]",
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, LAMBDA)},
    {.title = "contact force, at the end",
     .x_label = "t [s]",
     .y_label = "λ₃ [N]",
     .x = {3.4, 4},
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, {.of = {"lambda.last"}})},
    {.title = "relative impulse, enlarged",
     .x_label = "t [s]",
     .y_label = "Λ₁ [N s]",
     .y = {-0.05, 0.05},
     PVV_PVA(BOUNCE_PVV, BOUNCE_PVA, LAMBDA)},
    {0},
};

static const item_check impulse_checks[] = {
    {.what = "PVA: |Λ₁| at the end [N s]",
     .says = "equal to zero",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 1e-6,
     .ours = largest_size,
     .run = BOUNCE_PVA,
     .of = LAMBDA,
     .from = 3.9,
     .to = 4},
    {.what = "PVV: |Λ₁| at the end [N s]",
     .says =
         "not zero; at rest at 45 degrees h (10 - 50/11) N: the smooth motion is without the stop",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 1e-3 * 60 / 11,
     .tolerance = 1e-9,
     .ours = largest_size,
     .run = BOUNCE_PVV,
     .of = LAMBDA,
     .from = 3.9,
     .to = 4},
    {.what = "total reaction at the end, PVA minus PVV [N]",
     .says = "the same",
     .kind = WORDS,
     .relation = NEAR,
     .expected = 0,
     .tolerance = 1e-6,
     .ours = lead,
     .each = final_value,
     .run = BOUNCE_PVA,
     .last = BOUNCE_PVV,
     .of = {.of = {"pin.P.1", "dt"}, .value = per_step}},
    {.what = "last open step, PVA minus PVV [s]",
     .says = "a later stabilization; 3.646 - 3.544",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 0.102,
     .tolerance = 1e-9,
     .ours = lead,
     .each = last_above,
     .run = BOUNCE_PVA,
     .last = BOUNCE_PVV,
     .of = {.of = {"stop.gap"}},
     .level = 1e-12},
    {0},
};

static const item_panel sharp_panels[] = {
    {.title = "multiplier, ρ = 1",
     .x_label = "t [s]",
     .y_label = "λ₁ [N]",
     PVV_PVA_DOTS(SHARP_PVV, SHARP_PVA, {.of = {"lambda.first"}})},
    {.title = "multiplier, after the first impact",
     .x_label = "t [s]",
     .y_label = "λ₁ [N]",
     .x = {0.345, 0.375},
     PVV_PVA_POINTS(SHARP_PVV, SHARP_PVA, {.of = {"lambda.first"}})},
    {.title = "bilateral constraint, acceleration",
     .x_label = "t [s]",
     .y_label = "g₁″ [m/s²]",
     PVV_PVA_DOTS(SHARP_PVV, SHARP_PVA, PIN_ACCELERATION)},
    {.title = "acceleration, after the first impact",
     .x_label = "t [s]",
     .y_label = "g₁″ [m/s²]",
     .x = {0.345, 0.375},
     PVV_PVA_POINTS(SHARP_PVV, SHARP_PVA, PIN_ACCELERATION)},
    {0},
};

static const item_check sharp_checks[] = {
    FINAL_AT(SHARP_PVA, "PVA: angle at 2 s [rad]", "rod.angle", 0.68764187014),
    FINAL_AT(SHARP_PVA, "PVA: spin at 2 s [rad/s]", "rod.spin", -0.24122497169),
    FINAL_AT(SHARP_PVV, "PVV: angle at 2 s [rad]", "rod.angle", 0.68787667192),
    FINAL_AT(SHARP_PVV, "PVV: spin at 2 s [rad/s]", "rod.spin", -0.21376599906),
    AT_MOST(SHARP_PVA, "PVA: acceleration of the joint [m/s²]", "acceleration", 1e-9),
    {.what = "PVV: turns of λ₁ in the last second before rest, [2.5, 3.5] s",
     .says = "strong oscillations that never disappear",
     .kind = WORDS,
     .relation = ABOVE,
     .expected = 990,
     .ours = turns,
     .run = SHARP_PVV,
     .of = {.of = {"lambda.first"}},
     .from = 2.5,
     .to = 3.5},
    {.what = "PVA: turns of λ₁ in the 0.1 s after the first impact",
     .says = "none",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 1,
     .ours = turns,
     .run = SHARP_PVA,
     .of = {.of = {"lambda.first"}},
     FLIGHT},
    {0},
};

const item alpha_items[] = {
    {"alpha-fig2", "Pendulum: constraints at three levels under P, V, PV and PVA", "", 2, pendulums,
     level_panels, level_checks, NULL},
    {"alpha-fig3", "Pendulum with wrong initial accelerations: oscillations of all but PVA", "", 2,
     pendulums, zero_panels, zero_checks, NULL},
    {"alpha-fig5", "Bouncing pendulum: gap and its velocity under PVV and PVA", bounce_note, 2,
     bounces, gap_panels, gap_checks, NULL},
    {"alpha-fig6", "Bouncing pendulum: joint at acceleration level, and its multiplier",
     bounce_note, 2, bounces, acceleration_panels, acceleration_checks, NULL},
    {"alpha-fig7", "Bouncing pendulum: contact force and relative impulse", impulse_note, 2,
     bounces, impulse_panels, impulse_checks, NULL},
    {"alpha-fig8", "Bouncing pendulum without numerical damping (ρ = 1)", unseen_note, 2, bounces,
     sharp_panels, sharp_checks, NULL},
    {0},
};
