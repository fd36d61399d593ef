/* Acary, section 4.2: empirical orders on the bouncing ball and the oscillator, whose motions are
 * known exactly. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "papers/items.h"
#include "reproduce/item_runs.h"
#include "reproduce/measure.h"

/* Steps longest / 2^j, j = 0 to 7; no step divides the times of the impacts. */
#define STEPS 8
#define FAMILY(model, scheme, longest, until)                            \
  {scheme, model, scheme, longest, until, NULL, NULL, 1, NULL},          \
      {scheme, model, scheme, longest / 2, until, NULL, NULL, 1, NULL},  \
      {scheme, model, scheme, longest / 4, until, NULL, NULL, 1, NULL},  \
      {scheme, model, scheme, longest / 8, until, NULL, NULL, 1, NULL},  \
      {scheme, model, scheme, longest / 16, until, NULL, NULL, 1, NULL}, \
      {scheme, model, scheme, longest / 32, until, NULL, NULL, 1, NULL}, \
      {scheme, model, scheme, longest / 64, until, NULL, NULL, 1, NULL}, \
  {                                                                      \
    scheme, model, scheme, longest / 128, until, NULL, NULL, 1, NULL     \
  }
#define SQRT2 1.41421356237309504880
#define ALL_SCHEMES(model, longest, until)                                                        \
  FAMILY(model, "schatzman-paoli", longest, until), FAMILY(model, "moreau-jean", longest, until), \
      FAMILY(model, "direct-projection", longest, until),                                         \
      FAMILY(model, "combined-projection", longest, until)

enum { PAOLI, MOREAU, DIRECT, COMBINED, SCHEMES };
enum { BALL, OSCILLATOR };

static const item_run runs[] = {
    ALL_SCHEMES("bouncing-ball", 0.1 / SQRT2, 4),
    ALL_SCHEMES("oscillator", 0.01 / SQRT2, 2),
    {0},
};

#define FIRST(model, scheme) (((model)*SCHEMES + (scheme)) * STEPS)
#define ERRORS(model, scheme, norm_)                                                           \
  .run = FIRST(model, scheme), .last = FIRST(model, scheme) + STEPS - 1, .each = error_of_run, \
  .norm = norm_, .part = PART_Q
#define SCANS(model, scheme)                                           \
  {ERRORS(model, scheme, NORM_MAX)}, {ERRORS(model, scheme, NORM_L1)}, \
  {                                                                    \
    ERRORS(model, scheme, NORM_L2)                                     \
  }

static const item_check scans[2][3][3] = {
    {{SCANS(BALL, PAOLI)}, {SCANS(BALL, MOREAU)}, {SCANS(BALL, DIRECT)}},
    {{SCANS(OSCILLATOR, PAOLI)}, {SCANS(OSCILLATOR, MOREAU)}, {SCANS(OSCILLATOR, DIRECT)}}};

#define NORM_PANEL(model, text, i)                                                     \
  {                                                                                    \
    .title = text, .x_label = "dt [s]", .y_label = "error of q [m]", .logarithmic = 1, \
    .slope = {1},                                                                      \
    CURVES({.scan = &scans[model][PAOLI][i], .style = BOTH},                           \
           {.scan = &scans[model][MOREAU][i], .style = BOTH},                          \
           {.scan = &scans[model][DIRECT][i], .style = BOTH})                          \
  }

static const item_panel order_panels[] = {NORM_PANEL(BALL, "ball, uniform norm", 0),
                                          NORM_PANEL(OSCILLATOR, "oscillator, uniform norm", 0),
                                          NORM_PANEL(BALL, "ball, l1", 1),
                                          NORM_PANEL(OSCILLATOR, "oscillator, l1", 1),
                                          NORM_PANEL(BALL, "ball, l2", 2),
                                          NORM_PANEL(OSCILLATOR, "oscillator, l2", 2),
                                          {0}};

#define ORDER(model, scheme, text, norm_)                                              \
  {                                                                                    \
    .what = text, .says = "order one", .kind = WORDS, .relation = NEAR, .expected = 1, \
    .tolerance = 0.1, .ours = order, ERRORS(model, scheme, norm_)                      \
  }
#define ORDERS(model, scheme, text)                                   \
  ORDER(model, scheme, text ": order in the uniform norm", NORM_MAX), \
      ORDER(model, scheme, text ": order in l1", NORM_L1),            \
      ORDER(model, scheme, text ": order in l2", NORM_L2)
#define ERROR_AT(scheme, text, i, value)                                             \
  {                                                                                  \
    .what = "ball, " text, .kind = INDEPENDENT, .relation = NEAR, .expected = value, \
    .tolerance = 1e-3 * value, .ours = error_of_run, .run = FIRST(BALL, scheme) + i, \
    .norm = NORM_MAX, .part = PART_Q                                                 \
  }

/* tests/reproduce/moreau_jean_oscillator.py */
#define OSCILLATOR_ERROR(i, dt_, value)                                                        \
  {                                                                                            \
    .what = "oscillator, Moreau-Jean: largest error at dt = " dt_ " [m]", .kind = INDEPENDENT, \
    .relation = NEAR, .expected = value, .tolerance = 1e-6 * value, .ours = error_of_run,      \
    .run = FIRST(OSCILLATOR, MOREAU) + i, .norm = NORM_MAX, .part = PART_Q                     \
  }

static const item_check order_checks[] = {
    ORDERS(BALL, PAOLI, "ball, Schatzman-Paoli"),
    ORDERS(BALL, MOREAU, "ball, Moreau-Jean"),
    ORDERS(BALL, DIRECT, "ball, direct projection"),
    ORDERS(OSCILLATOR, PAOLI, "oscillator, Schatzman-Paoli"),
    ORDERS(OSCILLATOR, MOREAU, "oscillator, Moreau-Jean"),
    ORDERS(OSCILLATOR, DIRECT, "oscillator, direct projection"),
    ERROR_AT(PAOLI, "Schatzman-Paoli: largest error at dt = 0.0707 [m]", 0, 0.1345),
    ERROR_AT(MOREAU, "Moreau-Jean: largest error at dt = 0.0707 [m]", 0, 0.2766),
    ERROR_AT(DIRECT, "direct projection: largest error at dt = 0.0707 [m]", 0, 0.1603),
    ERROR_AT(COMBINED, "combined projection: largest error at dt = 0.0707 [m]", 0, 0.05698),
    ERROR_AT(PAOLI, "Schatzman-Paoli: largest error at dt = 0.00884 [m]", 3, 0.01757),
    ERROR_AT(MOREAU, "Moreau-Jean: largest error at dt = 0.00884 [m]", 3, 0.03596),
    ERROR_AT(DIRECT, "direct projection: largest error at dt = 0.00884 [m]", 3, 0.02360),
    ERROR_AT(COMBINED, "combined projection: largest error at dt = 0.00884 [m]", 3, 0.00757),
    OSCILLATOR_ERROR(0, "7.07e-3", 0.07609650211206771),
    OSCILLATOR_ERROR(3, "8.84e-4", 0.006904204396076735),
    OSCILLATOR_ERROR(7, "5.52e-5", 0.0005292932501930335),
    {0},
};

#define TAU(model) \
  .run = FIRST(model, DIRECT), .last = FIRST(model, DIRECT) + STEPS - 1, .each = largest_tau

static const item_check tau_scans[] = {{TAU(BALL)}, {TAU(OSCILLATOR)}};

static const item_panel tau_panels[] = {
    {.title = "",
     .x_label = "dt [s]",
     .y_label = "largest τ [m]",
     .logarithmic = 1,
     .slope = {1},
     CURVES({.label = "ball", .scan = &tau_scans[0], .style = BOTH},
            {.label = "oscillator", .scan = &tau_scans[1], .style = BOTH})},
    {0},
};

#define TAU_ORDER(model, text)                                                          \
  {                                                                                     \
    .what = text ": order of τ in dt", .says = "O(h)", .kind = WORDS, .relation = NEAR, \
    .expected = 1, .tolerance = 0.1, .ours = order, TAU(model)                          \
  }

static const item_check tau_checks[] = {
    TAU_ORDER(BALL, "ball"),
    TAU_ORDER(OSCILLATOR, "oscillator"),
    {.what = "ball: largest τ at dt = 0.0707 [m]",
     .says = "the first impact is noticed after step 15, (15 dt)² - 1 below the floor",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 0.125,
     .tolerance = 1e-9,
     .ours = largest_tau,
     .run = FIRST(BALL, DIRECT)},
    {.what = "oscillator: largest τ at dt = 0.00707 [m]",
     .says =
         "the first impact is in step 36: q + dt v - dt² k q/4 for q, v after 35 of the midpoint "
         "rule, with the force between q and the projected place 0",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 0.0283887052824,
     .tolerance = 1e-9,
     .ours = largest_tau,
     .run = FIRST(OSCILLATOR, DIRECT)},
    {.what = "ball: largest τ at dt = 0.0707 after 1.2 s, the rebounds [m]",
     .says = "by the recursion v, -e v, q + dt (v + v')/2, max(0, -q)",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 0.02,
     .tolerance = 1e-9,
     .ours = largest_tau,
     .run = FIRST(BALL, DIRECT),
     .from = 1.2,
     .to = 4},
    {.what = "oscillator: largest τ at dt = 0.00707 after 0.4 s, the rebounds [m]",
     .says = "by the recursion of the midpoint rule with v' = -e v at and behind the stop, and "
             "q' = 0 where it would be below",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 0.00617204231115,
     .tolerance = 1e-9,
     .ours = largest_tau,
     .run = FIRST(OSCILLATOR, DIRECT),
     .from = 0.4,
     .to = 2},
    {0},
};

static const char note[] =
    "Steps 0.1/sqrt(2)/2^j for the ball and 0.01/sqrt(2)/2^j for the oscillator (k = 4 pi^2, c = "
    "0, e = 1/2, "
    "not printed), j = 0 to 7: no impact falls on a grid point. Errors against the exact motions.";

const item acary_order_items[] = {
    {"acary-fig2", "Orders of three schemes in three norms, ball and oscillator", note, 2, runs,
     order_panels, order_checks, NULL},
    {"acary-fig3", "Direct projection: the multiplier τ over dt", note, 1, runs, tau_panels,
     tau_checks, NULL},
    {0},
};
