/* Acary et al.: the small examples of sections 4, 5 and 6.3. */
#include <math.h>
#include <stddef.h>

#include "reproduce/measure.h"

#define BALL "bouncing-ball"

/* Fig. 4 and 5: a ball that ought to come to rest at t = 3. */
enum { EXPLICIT0, EXPLICIT1, EXPLICIT2, FREE, COMBINED, FREE_MOREAU, FREE_OTHER };

static const item_run balls[] = {
    [EXPLICIT0] = {"γ = 0", BALL, "direct-projection", 0.05, 8, NULL, "gamma=0", 0},
    [EXPLICIT1] = {"γ = 1", BALL, "direct-projection", 0.05, 8, NULL, "gamma=1", 0},
    [EXPLICIT2] = {"γ = 2", BALL, "direct-projection", 0.05, 8, NULL, "gamma=2", 0},
    [FREE] = {"free forecast", BALL, "direct-projection", 0.05, 8, NULL, "forecast=free", 0},
    [COMBINED] = {"combined-projection", BALL, "combined-projection", 0.05, 8, NULL, NULL, 0},
    [FREE_MOREAU] = {"moreau-jean", BALL, "moreau-jean", 0.05, 8, NULL, "forecast=free", 0},
    [FREE_OTHER] = {"moreau-jean", BALL, "moreau-jean", 0.049, 7.84, NULL, "forecast=free", 0},
    {0},
};

static const char ball_note[] =
    "f = -2, e = 1/2, q_0 = 1, v_0 = 0: exactly, the ball rests from t = 3 on. With dt = 0.05 the "
    "first "
    "impact falls on a grid point, so that the tie tolerance decides its step.";

#define BALL_PANELS(text, run_)                                                             \
  {.title = text,                                                                           \
   .x_label = "t [s]",                                                                      \
   .y_label = "q [m], v [m/s]",                                                             \
   .x = {0, 5},                                                                             \
   .curve = (const item_curve[]){{.label = "position", .run = run_, .y = {.of = {"q"}}},    \
                                 {.label = "velocity", .run = run_, .y = {.of = {"q'"}}},   \
                                 {0}}},                                                     \
  {                                                                                         \
    .title = text ", closer", .x_label = "t [s]", .y_label = "q [m], v [m/s]", .x = {3, 5}, \
    .y = {-0.25, 0.25}, .curve = (const item_curve[])                                       \
    {                                                                                       \
      {.label = "position", .run = run_, .y = {.of = {"q"}}, .style = BOTH},                \
          {.label = "velocity", .run = run_, .y = {.of = {"q'"}}, .style = BOTH},           \
      {                                                                                     \
        0                                                                                   \
      }                                                                                     \
    }                                                                                       \
  }

static const item_panel explicit_panels[] = {BALL_PANELS("γ = 0", EXPLICIT0),
                                             BALL_PANELS("γ = 1", EXPLICIT1),
                                             BALL_PANELS("γ = 2", EXPLICIT2),
                                             {0}};

/* Long after the accumulation. */
#define LATE .from = 6, .to = 8

#define CHATTERS(run_, text, low_, high_)                                                       \
  {.what = text ": lowest velocity of the cycle, t > 6 [m/s]",                                  \
   .says = "chattering; by hand and by an independent code",                                    \
   .relation = NEAR,                                                                            \
   .published = low_,                                                                           \
   .tolerance = 1e-4,                                                                           \
   .ours = smallest,                                                                            \
   .run = run_,                                                                                 \
   .of = {.of = {"q'"}},                                                                        \
   LATE},                                                                                       \
  {                                                                                             \
    .what = text ": highest velocity of the cycle [m/s]", .says = "the same", .relation = NEAR, \
    .published = high_, .tolerance = 1e-4, .ours = largest, .run = run_, .of = {.of = {"q'"}},  \
    LATE                                                                                        \
  }

static const item_check explicit_checks[] = {
    CHATTERS(EXPLICIT0, "γ = 0", -0.13333, 0.06667),
    CHATTERS(EXPLICIT1, "γ = 1", -0.06667, 0.03333),
    {.what = "γ = 2: largest speed, t > 6 [m/s]",
     .says = "chattering whatever γ",
     .relation = ABOVE,
     .published = 0.01,
     .ours = largest_size,
     .run = EXPLICIT2,
     .of = {.of = {"q'"}},
     LATE},
    {.what = "Algorithm 2: largest speed, t > 6 [m/s]",
     .says = "the cure of section 5: no chattering",
     .relation = BELOW,
     .published = 1e-12,
     .ours = largest_size,
     .run = COMBINED,
     .of = {.of = {"q'"}},
     LATE},
    {0},
};

static const item_panel free_panels[] = {BALL_PANELS("free forecast", FREE), {0}};

static const char down_again[] =
    "It holds for dt = 0.05 s, whose impacts fall on grid points, not for others. With the free "
    "forecast the impact law acts in the step that would else end below the floor. In this step "
    "the "
    "ball moves by dt (v + v+)/2 = dt v (1 - e)/2, for e < 1 still downwards, and arrives below "
    "the "
    "floor if it was nearer to it than that. Without restrictions the sentence holds for e = 1.";

static const item_check free_checks[] = {
    {.what = "largest speed, t > 6 [m/s]",
     .says = "no chattering",
     .relation = BELOW,
     .published = 1e-12,
     .ours = largest_size,
     .run = FREE,
     .of = {.of = {"q'"}},
     LATE},
    {.what = "height at rest [m]",
     .says = "by an independent code",
     .relation = NEAR,
     .published = 6.12e-4,
     .tolerance = 2e-6,
     .ours = final_value,
     .run = FREE,
     .of = {.of = {"q"}}},
    {.what = "largest τ [m]",
     .says = "identically zero",
     .relation = BELOW,
     .published = 1e-12,
     .ours = largest_tau,
     .run = FREE},
    {.what = "Moreau-Jean with the free forecast: largest violation [m]",
     .says = "the constraint is never violated",
     .relation = BELOW,
     .published = 1e-12,
     .ours = penetration,
     .run = FREE_MOREAU},
    {.what = "the same with dt = 0.049 s [m]",
     .says = "the constraint is never violated",
     .relation = BELOW,
     .published = 1e-12,
     .ours = penetration,
     .run = FREE_OTHER,
     .why = down_again},
    {0},
};

static const item_panel energy_panels[] = {
    {.title = "direct-projection, γ = 0",
     .x_label = "t [s]",
     .y_label = "energy [J]",
     .x = {0, 5},
     .curve = (const item_curve[]){{.label = "kinetic", .y = {.of = {"energy.kinetic"}}},
                                   {.label = "potential", .y = {.of = {"energy.potential"}}},
                                   {.label = "total", .y = {.of = {"energy.total"}}},
                                   {0}}},
    {.title = "closer",
     .x_label = "t [s]",
     .y_label = "energy [J]",
     .x = {3, 5},
     .y = {0, 0.03},
     .curve =
         (const item_curve[]){
             {.label = "kinetic", .y = {.of = {"energy.kinetic"}}, .style = BOTH},
             {.label = "potential", .y = {.of = {"energy.potential"}}, .style = BOTH},
             {.label = "total", .y = {.of = {"energy.total"}}, .style = BOTH},
             {0}}},
    {0},
};

static const item_check energy_checks[] = {
    {.what = "energy at the start [J]",
     .says = "-f q_0",
     .relation = NEAR,
     .published = 2,
     .tolerance = 1e-12,
     .ours = value_at,
     .run = EXPLICIT0,
     .of = {.of = {"energy.total"}}},
    {.what = "largest rise of the potential energy in a step, t > 6 [J]",
     .says = "projections raise it",
     .relation = ABOVE,
     .published = 1e-3,
     .ours = largest_rise,
     .run = EXPLICIT0,
     .of = {.of = {"energy.potential"}},
     LATE},
    {.what = "largest total energy, t > 6 [J]",
     .says = "the energy never vanishes",
     .relation = ABOVE,
     .published = 1e-3,
     .ours = largest,
     .run = EXPLICIT0,
     .of = {.of = {"energy.total"}},
     LATE},
    {0},
};

/* Fig. 7 and what the other schemes make of the same conservative motion. The paper's dt = 0.05
 * is a tie: impacts fall on grid points. */
enum { ELASTIC_PAPER, ELASTIC, ELASTIC_COMBINED, ELASTIC_MOREAU };

static const item_run elastic[] = {
    [ELASTIC_PAPER] = {"direct-projection, dt = 0.05", BALL, "direct-projection", 0.05, 10, "e=1",
                       "activation-tol=0", 0},
    [ELASTIC] = {"direct-projection", BALL, "direct-projection", 0.049, 9.8, "e=1", NULL, 0},
    [ELASTIC_COMBINED] = {"combined-projection", BALL, "combined-projection", 0.049, 9.8, "e=1",
                          NULL, 0},
    [ELASTIC_MOREAU] = {"moreau-jean", BALL, "moreau-jean", 0.049, 9.8, "e=1", NULL, 0},
    {0},
};

static const item_panel elastic_panels[] = {
    {.title = "direct-projection, dt = 0.05 s",
     .x_label = "t [s]",
     .y_label = "energy [J]",
     .curve = (const item_curve[]){{.label = "kinetic", .y = {.of = {"energy.kinetic"}}},
                                   {.label = "potential", .y = {.of = {"energy.potential"}}},
                                   {.label = "total", .y = {.of = {"energy.total"}}},
                                   {0}}},
    {.title = "total energy, dt = 0.049 s",
     .x_label = "t [s]",
     .y_label = "energy [J]",
     .y = {1, 2.4},
     .curve = (const item_curve[]){{.run = ELASTIC_MOREAU, .y = {.of = {"energy.total"}}},
                                   {.run = ELASTIC, .y = {.of = {"energy.total"}}},
                                   {.run = ELASTIC_COMBINED, .y = {.of = {"energy.total"}}},
                                   {0}}},
    {0},
};

static const item_check elastic_checks[] = {
    {.what = "direct projection, dt = 0.05: largest energy [J], of 2",
     .says = "an increase",
     .relation = ABOVE,
     .published = 2.01,
     .ours = largest,
     .run = ELASTIC_PAPER,
     .of = {.of = {"energy.total"}}},
    {.what = "direct projection, dt = 0.049: energy after 200 steps [J]",
     .says = "an increase; by an independent code",
     .relation = NEAR,
     .published = 2.1177,
     .tolerance = 1e-4,
     .ours = final_value,
     .run = ELASTIC,
     .of = {.of = {"energy.total"}}},
    {.what = "combined projection: the same [J]",
     .says = "it dissipates; by an independent code",
     .relation = NEAR,
     .published = 1.2293,
     .tolerance = 1e-4,
     .ours = final_value,
     .run = ELASTIC_COMBINED,
     .of = {.of = {"energy.total"}}},
    {.what = "Moreau-Jean: the same [J]",
     .says = "conserved; by an independent code",
     .relation = NEAR,
     .published = 2,
     .tolerance = 1e-12,
     .ours = final_value,
     .run = ELASTIC_MOREAU,
     .of = {.of = {"energy.total"}}},
    {0},
};

/* Fig. 9 */
enum { BLOCK_DIRECT, BLOCK_COMBINED, BLOCK_MOREAU };

static const item_run blocks[] = {
    [BLOCK_DIRECT] = {"direct-projection", "rocking-block", "direct-projection", 1e-2, 2, NULL,
                      NULL, 0},
    [BLOCK_COMBINED] = {"combined-projection", "rocking-block", "combined-projection", 1e-2, 2,
                        NULL, NULL, 0},
    [BLOCK_MOREAU] = {"moreau-jean", "rocking-block", "moreau-jean", 1e-2, 2, NULL, NULL, 0},
    {0},
};

#define BLOCK_CURVES(name)                                                                    \
  .curve = (const item_curve[])                                                               \
  {                                                                                           \
    {.run = BLOCK_DIRECT, .y = {.of = {name}}}, {.run = BLOCK_COMBINED, .y = {.of = {name}}}, \
    {                                                                                         \
      0                                                                                       \
    }                                                                                         \
  }

static const item_panel block_panels[] = {
    {.title = "height", .x_label = "t [s]", .y_label = "y [m]", BLOCK_CURVES("block.y")},
    {.title = "angle", .x_label = "t [s]", .y_label = "θ [rad]", BLOCK_CURVES("block.angle")},
    {.title = "velocity", .x_label = "t [s]", .y_label = "y' [m/s]", BLOCK_CURVES("block.vy")},
    {.title = "spin", .x_label = "t [s]", .y_label = "θ' [rad/s]", BLOCK_CURVES("block.spin")},
    {.title = "energy", .x_label = "t [s]", .y_label = "T + V [J]", BLOCK_CURVES("energy.total")},
    {0},
};

static const item_check block_checks[] = {
    {.what = "direct projection: largest speed of the centre, t > 1.8 [m/s]",
     .says = "spurious oscillations",
     .relation = ABOVE,
     .published = 0.05,
     .ours = largest_size,
     .run = BLOCK_DIRECT,
     .of = {.of = {"block.vy"}},
     .from = 1.8,
     .to = 2},
    {.what = "combined: largest speed of the centre, t > 1.8 [m/s]",
     .says = "suppressed",
     .relation = BELOW,
     .published = 1e-12,
     .ours = largest_size,
     .run = BLOCK_COMBINED,
     .of = {.of = {"block.vy"}},
     .from = 1.8,
     .to = 2},
    {.what = "combined: height at the end [m]",
     .says = "equilibrium, l/2",
     .relation = NEAR,
     .published = 0.75,
     .tolerance = 1e-12,
     .ours = final_value,
     .run = BLOCK_COMBINED,
     .of = {.of = {"block.y"}}},
    {.what = "combined: angle at the end [rad]",
     .says = "equilibrium",
     .relation = BELOW,
     .published = 1e-12,
     .ours = largest_size,
     .run = BLOCK_COMBINED,
     .of = {.of = {"block.angle"}},
     .from = 1.99,
     .to = 2},
    {.what = "combined minus direct: energy at the end [J]",
     .says = "combined dissipates more",
     .relation = BELOW,
     .published = 0,
     .ours = lead,
     .each = final_value,
     .run = BLOCK_COMBINED,
     .last = BLOCK_DIRECT,
     .of = {.of = {"energy.total"}}},
    {.what = "Moreau-Jean: largest violation [m]",
     .says = "by an independent code",
     .relation = NEAR,
     .published = 1.077e-2,
     .tolerance = 1e-5,
     .ours = penetration,
     .run = BLOCK_MOREAU},
    {0},
};

/* Fig. 20 */
enum { RING_EXPLICIT, RING_MOREAU, RING_COMBINED };

static const item_run rings[] = {
    [RING_EXPLICIT] = {"moreau-jean, explicit W", "ring-pendulum", "moreau-jean", 5e-4, 10, NULL,
                       "evaluation=trapezoid max-iterations=1 on-failure=continue", 0},
    [RING_MOREAU] = {"moreau-jean", "ring-pendulum", "moreau-jean", 5e-4, 10, NULL, NULL, 0},
    [RING_COMBINED] = {"combined-projection", "ring-pendulum", "combined-projection", 5e-4, 10,
                       NULL, NULL, 0},
    {0},
};

/* The gap as a CAD library sees it, which looks for the nearer boundary of the ring's section; a point
 * that is out of it again is at a positive distance. */
static double nearer_boundary(const double* gap)
{
  const double thickness = 2e-3; /* [m] */
  double inner = gap[0], outer = -(gap[0] + thickness);
  return inner > 0 ? inner : outer > 0 ? outer : fmax(inner, outer);
}

#define NEARER                     \
  {                                \
    {"touch.gap"}, nearer_boundary \
  }

static const item_panel ring_panels[] = {
    {.title = "distance to the inner boundary",
     .x_label = "t [s]",
     .y_label = "gap [m]",
     .y = {-4e-3, 1e-3},
     .curve = (const item_curve[]){{.run = RING_MOREAU, .y = {.of = {"touch.gap"}}},
                                   {.run = RING_EXPLICIT, .y = {.of = {"touch.gap"}}},
                                   {.run = RING_COMBINED, .y = {.of = {"touch.gap"}}},
                                   {0}}},
    {.title = "distance to the nearer boundary",
     .x_label = "t [s]",
     .y_label = "gap [m]",
     .x = {0, 2},
     .y = {-1.2e-3, 1e-3},
     .curve = (const item_curve[]){{.run = RING_MOREAU, .y = NEARER},
                                   {.run = RING_EXPLICIT, .y = NEARER},
                                   {.run = RING_COMBINED, .y = NEARER},
                                   {0}}},
    {0},
};

static const item_check ring_checks[] = {
    {.what = "Moreau-Jean: first penetration, t < 0.1 [m]",
     .says = "not too large, O(dt); by an independent code",
     .relation = NEAR,
     .published = 2.661e-4,
     .tolerance = 1e-7,
     .ours = depth,
     .run = RING_MOREAU,
     .of = {.of = {"touch.gap"}},
     .from = 0,
     .to = 0.1},
    {.what = "W taken once a step: deepest gap until 10 s [m]",
     .says = "the drift grows until the pendulum is through the ring, 2e-3 m thick",
     .relation = BELOW,
     .published = -2e-3,
     .ours = smallest,
     .run = RING_EXPLICIT,
     .of = {.of = {"touch.gap"}}},
    {.what = "Newton loop converged: deepest gap until 10 s [m]",
     .says = "the drift grows until the pendulum is through the ring, 2e-3 m thick",
     .relation = BELOW,
     .published = -2e-3,
     .ours = smallest,
     .run = RING_MOREAU,
     .of = {.of = {"touch.gap"}},
     .why = "With W at the end of the step, to convergence, the velocity W u = 0 is tangent to the "
            "circle at "
            "the new point and the drift that is left is of higher order: the first penetration "
            "stays what "
            "it was. The paper's drift appears when W is taken once a step, see above."},
    {.what = "combined projection: largest violation [m]",
     .says = "less than the machine precision",
     .relation = BELOW,
     .published = 1e-14,
     .ours = penetration,
     .run = RING_COMBINED},
    {0},
};

const item acary_items[] = {
    {"acary-fig4", "Bouncing ball, direct projection: chattering with the explicit forecast",
     ball_note, 2, balls, explicit_panels, explicit_checks},
    {"acary-fig5", "Bouncing ball, direct projection: rest with the free forecast", ball_note, 2,
     balls, free_panels, free_checks},
    {"acary-fig6", "Bouncing ball, direct projection: energies", ball_note, 2, balls, energy_panels,
     energy_checks},
    {"acary-fig7", "Elastic ball (e = 1), direct projection: energies",
     "With dt = 0.05 every impact falls on a grid point and round-off decides its step. The first "
     "run "
     "takes g <= 0 literally, as the paper does. With the default tie tolerance of 1e-10 m the "
     "ball is "
     "reflected at once, nothing is projected and the energy stays 2 J; with a step that is no tie "
     "(0.049) it grows whatever the tolerance.",
     2, elastic, elastic_panels, elastic_checks},
    {"acary-fig9", "Rocking block: direct and combined projection",
     "Initial spin 0.2 rad/s: the paper prints 0.2 twice for the angle, meaning angle and spin.", 2,
     blocks, block_panels, block_checks},
    {0},
};

const item acary_ring_items[] = {
    {"acary-fig20", "Pendulum in a ring: the gap under moreau-jean and combined projection",
     "The rod is uniform, of half length sqrt(12 J/m)/2; its upper end is inside the ring. The "
     "ring has no thickness here: the lower panel is the upper one seen from the nearer boundary "
     "of "
     "a ring of 2e-3 m, and means nothing where the curve has become positive again.",
     1, rings, ring_panels, ring_checks},
    {0},
};
