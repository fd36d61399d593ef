/* Acary, section 6.5: the circuit breaker in space, every pin with play. The paper has words and
 * pictures only. */
#include <math.h>
#include <stddef.h>

#include "reproduce/item_runs.h"
#include "reproduce/measure.h"

#define MODEL        "circuit-breaker"
#define CP           "combined-projection"
#define SLIPPERY_SET "trip=0 latch_mu=0"

enum { TRIP, CLOSED, SLIPPERY, SLIPPERY_CP, SLIPPERY_MJ, HALF, TWICE, FOUR_TIMES };

static const item_run runs[] = {
    [TRIP] = {"tripped", MODEL, CP, 2e-6, 9e-3, NULL, NULL, 0},
    [CLOSED] = {"closed", MODEL, CP, 2e-6, 4e-3, "trip=0", NULL, 0},
    [SLIPPERY] = {"latch without friction", MODEL, "rattle", 1e-6, 6e-3, SLIPPERY_SET, NULL, 0},
    [SLIPPERY_CP] = {"the same, combined-projection", MODEL, CP, 1e-6, 6e-3, SLIPPERY_SET, NULL, 0},
    [SLIPPERY_MJ] = {"the same, moreau-jean", MODEL, "moreau-jean", 1e-6, 6e-3, SLIPPERY_SET, NULL,
                     0},
    [HALF] = {"clearances x 0.5", MODEL, CP, 2e-6, 2e-3, "trip=0 clearance=0.5", NULL, 0},
    [TWICE] = {"clearances x 2", MODEL, CP, 2e-6, 2e-3, "trip=0 clearance=2", NULL, 0},
    [FOUR_TIMES] = {"clearances x 4", MODEL, CP, 2e-6, 2e-3, "trip=0 clearance=4", NULL, 0},
    {0},
};

static const char note[] =
    "Data of the public example (mm, g, ms) in SI units; corrected are the centre of the trip"
    " bar, mass and inertia of the needle, inertia of the plunger. Analytic gaps of rings, "
    "arcs and bounded faces instead of a CAD library; the hook's face ends at its edge, 0.457"
    " mm from the bar's edge at the start, where the rectangle of the example goes on for "
    "0.081 mm. The paper describes what it sees: times and displacements were estimated "
    "independently from the geometry and from a model in the plane, which opens at 6.9 ms. In"
    " space the bar leans on the hook by its nose and leans in its plays, and the contacts "
    "part at 7.2 ms under all schemes. Without friction in the latch it is the bar's motion "
    "after the impacts of the first millisecond that opens it, against the friction of its "
    "pin, with a twentieth of its energy left: rattle opens it with all steps and clearances "
    "that were tried, moreau-jean and combined-projection, which lose energy in plays in "
    "proportion to dt, in most cases (docs/theory/moreau-jean.md has the forces and a table).";

/* Of {x, y, z} of plate and hook [m]: how far the farther one is from where it was. */
static double farther(const double* p)
{
  static const double plate[3] = {0.00346941849, 0.00424696718, 0.004993605},
                      hook[3] = {0.00568192919, 0.00783505461, 0.008382473};
  double a = 0, b = 0;
  for (int i = 0; i < 3; i++) {
    a += (p[i] - plate[i]) * (p[i] - plate[i]);
    b += (p[3 + i] - hook[i]) * (p[3 + i] - hook[i]);
  }
  return sqrt(fmax(a, b));
}

/* Of {qx, qy} of plate, hook, bar and rod: the largest tilt out of the plane, to first order
 * [rad]. */
static double tilt(const double* p)
{
  double largest = 0;
  for (int i = 0; i < 8; i += 2) largest = fmax(largest, 2 * hypot(p[i], p[i + 1]));
  return largest;
}

static double speed(const double* v)
{
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Masses [kg] and entries of inertia xx, yy, zz, xy, xz, yz [kg m^2] of the public example, with
 * the corrections of the note. */
typedef struct table_body {
  const char* velocity[6]; /* of its centre, in space; its spin, in its own frame */
  double mass, inertia[6];
} table_body;

#define TABLE_BODY(name, ...)                                                             \
  {                                                                                       \
    {name ".vx", name ".vy", name ".vz", name ".wx", name ".wy", name ".wz"}, __VA_ARGS__ \
  }

static const table_body table[] = {
    TABLE_BODY(
        "handle", 1.3e-3,
        {38.91182e-9, 27.959058e-9, 41.931367e-9, -6.0150893e-9, -0.28917964e-9, -1.9219978e-9}),
    TABLE_BODY("rod", 0.5e-3,
               {2.455011e-9, 21.62942e-9, 20.9176e-9, 0.31330348e-9, -1.465067e-9, 0.68441857e-9}),
    TABLE_BODY(
        "hook", 0.09e-3,
        {0.30507502e-9, 0.4419299e-9, 0.620631e-9, 0.08178143e-9, -0.054128496e-9, 0.019009435e-9}),
    TABLE_BODY(
        "plate", 1.35e-3,
        {29.772412e-9, 25.09582e-9, 37.698441e-9, 3.5465101e-9, 0.47496642e-9, 0.60505649e-9}),
    TABLE_BODY(
        "moving-contact", 2.5e-3,
        {23.767882e-9, 177.0225e-9, 182.55743e-9, 0.85414908e-9, -11.814918e-9, -0.14361701e-9}),
    TABLE_BODY(
        "trip-bar", 0.77e-3,
        {18.429238e-9, 31.822293e-9, 27.636361e-9, -1.9231011e-9, 5.9362999e-9, -0.53010733e-9}),
    TABLE_BODY("plunger", 0.8e-3, {1.953e-9, 11.17e-9, 11.17e-9, 0, 0, 0}),
    TABLE_BODY("needle", 0.39e-3, {8.3897e-9, 0.19193e-9, 8.3897e-9, 0, 0, 0}),
};

static double kinetic_energy(const table_body* of, const double* v)
{
  const double *J = of->inertia, *w = v + 3;
  double turning = J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2] +
                   2 * (J[3] * w[0] * w[1] + J[4] * w[0] * w[2] + J[5] * w[1] * w[2]);
  return (of->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + turning) / 2;
}

enum { TABLE_BODIES = sizeof table / sizeof *table };

/* The kinetic energy of a state by the table. */
static double energy_by_table(const double* state, int column[TABLE_BODIES][6])
{
  double sum = 0;
  for (int b = 0; b < TABLE_BODIES; b++) {
    double v[6];
    for (int i = 0; i < 6; i++) v[i] = state[column[b][i]];
    sum += kinetic_energy(&table[b], v);
  }
  return sum;
}

/* The largest share by which the kinetic energy of a state, which the run has from the masses of
 * its model, is another one than by the masses of the table. */
static double energy_off_the_table(const item_data* data, const item_check* c)
{
  const run_data* run = data->run[c->run];
  int column[TABLE_BODIES][6], kinetic = find_column(run, "energy.kinetic");
  for (int b = 0; b < TABLE_BODIES; b++)
    for (int i = 0; i < 6; i++) {
      column[b][i] = find_column(run, table[b].velocity[i]);
      if (column[b][i] < 0) return NAN;
    }
  double most = 0;
  for (long i = 0; i < run->count; i++) {
    const double* state = run->value + (size_t)i * (size_t)run->column_count;
    double T = state[kinetic], off = T > 0 ? fabs(energy_by_table(state, column) / T - 1) : 0;
    if (isnan(off)) return NAN;
    most = fmax(most, off);
  }
  return most;
}

#define SPEED(body)                                            \
  {                                                            \
    .of = {body ".vx", body ".vy", body ".vz"}, .value = speed \
  }
#define SPIN(body)       \
  {                      \
    .of = { body ".wz" } \
  }
#define GAP                                    \
  {                                            \
    .of = {"contacts-touch.gap"}, .scale = 1e3 \
  }
#define FARTHER                                                                              \
  {                                                                                          \
    .of = {"plate.x", "plate.y", "plate.z", "hook.x", "hook.y", "hook.z"}, .value = farther, \
    .scale = 1e3                                                                             \
  }
#define TILT                                                   \
  {                                                            \
    .of = {"plate.qx",    "plate.qy",    "hook.qx", "hook.qy", \
           "trip-bar.qx", "trip-bar.qy", "rod.qx",  "rod.qy"}, \
    .value = tilt, .scale = 1e3                                \
  }
#define MS                       \
  {                              \
    .of = {"time"}, .scale = 1e3 \
  }

#define NO_PENETRATION(run_, text)                                                          \
  {                                                                                         \
    .what = "largest penetration, " text " [m]",                                            \
    .says = "accurately, with respect to the clearances", .kind = WORDS, .relation = BELOW, \
    .expected = 1e-9, .ours = penetration, .run = run_                                      \
  }
#define OPENS(run_, scheme)                                                                      \
  {                                                                                              \
    .what = "latch without friction: largest gap of the contacts, " scheme " [mm]",              \
    .says = "it is friction that holds it: without, it opens", .kind = WORDS, .relation = ABOVE, \
    .expected = 3, .ours = largest, .run = run_, .of = GAP                                       \
  }
#define MORE_TILT(small, large, text)                                                           \
  {                                                                                             \
    .what = "largest tilt of plate, hook, bar and rod with clearances " text,                   \
    .says = "the effect of the clearances on the out-of-plane motion: it grows", .kind = WORDS, \
    .relation = ABOVE, .expected = 1.2, .ours = ratio, .each = largest, .run = large,           \
    .last = small, .of = TILT, .to = 2e-3                                                       \
  }

/* dt F/m and dt J^-1 M with the forces of the springs at the start. In the step they change by
 * less than 1e-5 of themselves. */
#define FIRST_STEP(text, value, ...)                                                       \
  {                                                                                        \
    .what = "closed, after the first step: " text,                                         \
    .says = "Newton and Euler, with the springs alone: no pin touches yet", .kind = EXACT, \
    .relation = NEAR, .expected = value, .tolerance = 1e-5 * value, .ours = value_at,      \
    .run = CLOSED, .of = __VA_ARGS__, .from = 2e-6                                         \
  }

static const item_check checks[] = {
    FIRST_STEP("speed of the handle's centre [m/s]", 0.00206992512, SPEED("handle")),
    FIRST_STEP("spin of the handle [rad/s]", 0.530156780, SPIN("handle")),
    FIRST_STEP("speed of the plate's centre [m/s]", 0.0508896313, SPEED("plate")),
    FIRST_STEP("spin of the plate [rad/s]", 4.02278401, SPIN("plate")),
    FIRST_STEP("speed of the moving contact's centre [m/s]", 0.0199193590, SPEED("moving-contact")),
    FIRST_STEP("spin of the trip bar, with its sign [rad/s]", 1.16622844,
               {.of = {"trip-bar.wz"}, .scale = -1}),
    {.what = "closed: farthest that plate and hook move [mm]",
     .says = "closed, the equilibrium is guaranteed by friction in the latch, within the plays",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 0.25,
     .ours = largest,
     .run = CLOSED,
     .of = FARTHER},
    {.what = "closed: gap of the contacts at the end [mm]",
     .says = "closed, the equilibrium is guaranteed by friction in the latch",
     .kind = WORDS,
     .relation = BELOW,
     .expected = 1e-6,
     .ours = final_value,
     .run = CLOSED,
     .of = GAP},
    OPENS(SLIPPERY, "rattle"),
    OPENS(SLIPPERY_CP, "combined-projection"),
    OPENS(SLIPPERY_MJ, "moreau-jean"),
    {.what = "tripped: the contacts part by 0.05 mm at [s]",
     .says = "not before the plunger has turned the bar off the hook, 5.5 ms by the geometry",
     .kind = EXACT,
     .relation = ABOVE,
     .expected = 5.5e-3,
     .ours = time_reached,
     .run = TRIP,
     .of = GAP,
     .from = 3e-4,
     .to = 9e-3,
     .level = 0.05},
    {.what = "tripped: largest gap of the contacts [mm]",
     .says = "it opens the circuit",
     .kind = WORDS,
     .relation = ABOVE,
     .expected = 3,
     .ours = largest,
     .run = TRIP,
     .of = GAP},
    {.what = "tripped: kinetic energy, by the masses and inertias of the public example and the"
             " recorded velocities: largest relative difference from that of the run",
     .says = "v·m v/2 + ω·J ω/2 of all eight bodies",
     .kind = EXACT,
     .relation = BELOW,
     .expected = 1e-9,
     .ours = energy_off_the_table,
     .run = TRIP},
    NO_PENETRATION(TRIP, "tripped"),
    NO_PENETRATION(CLOSED, "closed"),
    MORE_TILT(HALF, CLOSED, "x 1, of that x 0.5"),
    MORE_TILT(CLOSED, TWICE, "x 2, of that x 1"),
    MORE_TILT(TWICE, FOUR_TIMES, "x 4, of that x 2"),
    {0},
};

static const item_panel panels[] = {
    {.title = "gap of the contacts",
     .x_label = "t [ms]",
     .y_label = "[mm]",
     CURVES({.run = TRIP, .x = MS, .y = GAP}, {.run = CLOSED, .x = MS, .y = GAP, .style = DASHED},
            {.run = SLIPPERY, .x = MS, .y = GAP, .style = DOTTED})},
    {.title = "tilt out of the plane",
     .x_label = "t [ms]",
     .y_label = "[mrad]",
     .x = {0, 2},
     CURVES({.run = HALF, .x = MS, .y = TILT},
            {.label = "clearances x 1", .run = CLOSED, .x = MS, .y = TILT},
            {.run = TWICE, .x = MS, .y = TILT}, {.run = FOUR_TIMES, .x = MS, .y = TILT})},
    {0},
};

const item acary_breaker_items[] = {
    {"acary-circuit-breaker",
     "Circuit breaker in space: latched by friction, tripped, out of the plane", note, 2, runs,
     panels, checks, "Section 6.5"},
    {0},
};
