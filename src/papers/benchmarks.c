/* Benchmarks of multibody dynamics: smooth mechanisms, friction and impact, against solutions of
 * their equations of motion that were computed independently, with minimal coordinates or exact
 * projection, integrators of high order and events located to round-off. */
#include <stddef.h>

#include "papers/items.h"
#include "reproduce/measure.h"

#define SERIES(name) \
  {                  \
    .of = { name }   \
  }
#define AT(text, run_, name, time_, value, near_)                                               \
  {                                                                                             \
    .what = text, .kind = INDEPENDENT, .relation = NEAR, .expected = value, .tolerance = near_, \
    .ours = value_at, .run = run_, .of = SERIES(name), .from = (time_)                          \
  }
#define CURVE(label_, run_, name)                      \
  {                                                    \
    .label = label_, .run = run_, .y = {.of = {name} } \
  }
/* Over milliseconds, or in millimetres. */
#define MS_CURVE(label_, run_, name)                                                        \
  {                                                                                         \
    .label = label_, .run = run_, .x = {.of = {"time"}, .scale = 1e3}, .y = {.of = {name} } \
  }
#define MM_CURVE(run_, name)                        \
  {                                                 \
    .run = run_, .y = {.of = {name}, .scale = 1e3 } \
  }
#define END \
  {         \
    0       \
  }

static const char note[] =
    "The tolerance is what the order of the scheme leaves at this dt, or the digits of the "
    "reference.";

/* ---- Andrews' squeezer -------------------------------------------------------------------- */

enum { SQUEEZER_LOBATTO, SQUEEZER_RATTLE };

static const item_run squeezer_runs[] = {
    [SQUEEZER_LOBATTO] = {"lobatto", "andrews-squeezer", "lobatto", 2e-5, 0.03, NULL, NULL, 0,
                          NULL},
    [SQUEEZER_RATTLE] = {"rattle", "andrews-squeezer", "rattle", 1e-5, 0.03, NULL, NULL, 0, NULL},
    {0},
};

static const item_check squeezer_checks[] = {
    AT("lobatto: beta at 0.02 s [rad]", SQUEEZER_LOBATTO, "K1.angle", 0.02, 8.1849058897, 1e-8),
    AT("lobatto: gamma at 0.02 s [rad]", SQUEEZER_LOBATTO, "K3.angle", 0.02, 0.2095369134, 1e-8),
    AT("lobatto: delta at 0.02 s [rad]", SQUEEZER_LOBATTO, "K5.angle", 0.02, 0.5225369172, 1e-8),
    AT("lobatto: epsilon at 0.02 s [rad]", SQUEEZER_LOBATTO, "K7.angle", 0.02, 1.086275109, 1e-8),
    AT("lobatto: beta' at 0.02 s [rad/s]", SQUEEZER_LOBATTO, "K1.spin", 0.02, 726.558343, 1e-5),
    AT("lobatto: beta at 0.03 s [rad]", SQUEEZER_LOBATTO, "K1.angle", 0.03, 15.81077119515, 1e-8),
    AT("lobatto: gamma at 0.03 s [rad]", SQUEEZER_LOBATTO, "K3.angle", 0.03, 0.04082224012, 1e-8),
    AT("lobatto: delta at 0.03 s [rad]", SQUEEZER_LOBATTO, "K5.angle", 0.03, 0.5244099659, 1e-8),
    AT("lobatto: epsilon at 0.03 s [rad]", SQUEEZER_LOBATTO, "K7.angle", 0.03, 1.048080741, 1e-8),
    AT("rattle: beta at 0.03 s [rad]", SQUEEZER_RATTLE, "K1.angle", 0.03, 15.81077119515, 5e-5),
    {0},
};

static const item_panel squeezer_panels[] = {
    {.title = "levers",
     .x_label = "t [ms]",
     .y_label = "angle [rad]",
     .x = {0, 30},
     .curve = (const item_curve[]){MS_CURVE("γ", SQUEEZER_LOBATTO, "K3.angle"),
                                   MS_CURVE("δ", SQUEEZER_LOBATTO, "K5.angle"),
                                   MS_CURVE("ε", SQUEEZER_LOBATTO, "K7.angle"), END}},
    {.title = "crank",
     .x_label = "t [ms]",
     .y_label = "β [rad]",
     .x = {0, 30},
     .curve = (const item_curve[]){MS_CURVE("β", SQUEEZER_LOBATTO, "K1.angle"), END}},
    {0},
};

/* ---- N-four-bar --------------------------------------------------------------------------- */

enum { ONE_BAR, TWO_BARS, FORTY_BARS, TWO_BARS_RATTLE };

static const item_run bars_runs[] = {
    [ONE_BAR] = {"N = 1", "n-four-bar", "lobatto", 2e-3, 10, "N=1", NULL, 0, NULL},
    [TWO_BARS] = {"N = 2", "n-four-bar", "lobatto", 2e-3, 10, "N=2", NULL, 0, NULL},
    [FORTY_BARS] = {"N = 40", "n-four-bar", "lobatto", 4e-3, 2, "N=40", NULL, 0, NULL},
    [TWO_BARS_RATTLE] = {"N = 2, rattle", "n-four-bar", "rattle", 1e-3, 10, "N=2", NULL, 0, NULL},
    {0},
};

/* The uprights fall towards +x: their angle is negative. */
static const item_check bars_checks[] = {
    AT("N = 1, lobatto: angle at 1 s [rad]", ONE_BAR, "upright0.angle", 1, -3.4053529879, 1e-8),
    AT("N = 1, lobatto: angle at 2 s [rad]", ONE_BAR, "upright0.angle", 2, -6.3603473263, 1e-8),
    AT("N = 1, lobatto: angle at 10 s [rad]", ONE_BAR, "upright0.angle", 10, -31.914741298, 1e-7),
    AT("N = 2, lobatto: angle at 1 s [rad]", TWO_BARS, "upright0.angle", 1, -3.3378708031, 1e-8),
    AT("N = 2, lobatto: angle at 2 s [rad]", TWO_BARS, "upright0.angle", 2, -6.3410333613, 1e-8),
    AT("N = 2, lobatto: angle at 10 s [rad]", TWO_BARS, "upright0.angle", 10, -31.750597187, 1e-7),
    AT("N = 2, rattle: angle at 2 s [rad]", TWO_BARS_RATTLE, "upright0.angle", 2, -6.3410333613,
       5e-6),
    AT("N = 40, lobatto: angle at 1 s [rad]", FORTY_BARS, "upright0.angle", 1, -3.2572069249, 1e-7),
    AT("N = 40, lobatto: angle at 2 s [rad]", FORTY_BARS, "upright0.angle", 2, -6.317658442, 1e-7),
    AT("N = 40, lobatto: angle of the last upright at 2 s [rad]", FORTY_BARS, "upright40.angle", 2,
       -6.317658442, 1e-7),
    AT("N = 2: energy at 10 s [J]", TWO_BARS, "energy.total", 10, 35.835, 1e-6),
    {0},
};

static const item_panel bars_panels[] = {
    {.title = "fall of the uprights, past the horizontal",
     .x_label = "t [s]",
     .y_label = "angle [rad]",
     .x = {0, 2},
     .curve = (const item_curve[]){CURVE("N = 1", ONE_BAR, "upright0.angle"),
                                   CURVE("N = 40", FORTY_BARS, "upright40.angle"), END}},
    {0},
};

/* ---- Bricard ------------------------------------------------------------------------------ */

enum { BRICARD };

static const item_run bricard_runs[] = {
    [BRICARD] = {"lobatto", "bricard", "lobatto", 5e-3, 5, NULL, NULL, 0, NULL},
    {0},
};

static const item_check bricard_checks[] = {
    AT("P3.x at 0.5 s [m]", BRICARD, "P3.x", 0.5, 0.96828367911, 1e-8),
    AT("P3.y at 0.5 s [m]", BRICARD, "P3.y", 0.5, -1.2246251594, 1e-8),
    AT("P3.z at 0.5 s [m]", BRICARD, "P3.z", 0.5, 0.75014660944, 1e-8),
    AT("P3.x at 1 s [m]", BRICARD, "P3.x", 1, 0.51050146119, 1e-8),
    AT("P3.y at 1 s [m]", BRICARD, "P3.y", 1, -1.6491675994, 1e-8),
    AT("P3.z at 1 s [m]", BRICARD, "P3.z", 1, 0.14012311455, 1e-8),
    AT("P3.x at 2 s [m]", BRICARD, "P3.x", 2, -0.96934034478, 1e-8),
    AT("P3.y at 5 s [m]", BRICARD, "P3.y", 5, -1.0000672577, 1e-8),
    AT("P3.z at 5 s [m]", BRICARD, "P3.z", 5, 0.99993274004, 1e-8),
    AT("energy at 5 s [J]", BRICARD, "energy.total", 5, -29.43, 1e-7),
    {0},
};

static const item_panel bricard_panels[] = {
    {.title = "the corner P3",
     .x_label = "t [s]",
     .y_label = "coordinate [m]",
     .curve = (const item_curve[]){CURVE("x", BRICARD, "P3.x"), CURVE("y", BRICARD, "P3.y"),
                                   CURVE("z", BRICARD, "P3.z"), END}},
    {0},
};

/* ---- flyball governor --------------------------------------------------------------------- */

enum { GOVERNOR, GOVERNOR_SOFT };

static const item_run governor_runs[] = {
    [GOVERNOR] = {"A05", "flyball-governor", "generalized-alpha", 5e-4, 2, NULL, NULL, 0, NULL},
    [GOVERNOR_SOFT] = {"soft", "flyball-governor", "lobatto", 2e-3, 10,
                       "k=4000 c=200 omega0=0.32*pi", NULL, 0, NULL},
    {0},
};

static const item_check governor_checks[] = {
    AT("generalized-alpha: height at 0.1 s [m]", GOVERNOR, "slider.z", 0.1, 0.5238364756, 2e-7),
    AT("generalized-alpha: speed at 0.1 s [rad/s]", GOVERNOR, "shaft.wz", 0.1, 6.103717809, 1e-6),
    AT("generalized-alpha: height at 1 s [m]", GOVERNOR, "slider.z", 1, 0.5014209224, 5e-7),
    AT("generalized-alpha: speed at 1 s [rad/s]", GOVERNOR, "shaft.wz", 1, 6.271125742, 5e-6),
    AT("generalized-alpha: height at 2 s [m]", GOVERNOR, "slider.z", 2, 0.5059092943, 1e-6),
    AT("soft, lobatto: height at 0.1 s [m]", GOVERNOR_SOFT, "slider.z", 0.1, 0.4602759614, 1e-8),
    AT("soft, lobatto: speed at 0.1 s [rad/s]", GOVERNOR_SOFT, "shaft.wz", 0.1, 1.055647903, 1e-8),
    AT("soft, lobatto: height at 1 s [m]", GOVERNOR_SOFT, "slider.z", 1, 0.4930961061, 1e-8),
    AT("soft, lobatto: height at 2 s [m]", GOVERNOR_SOFT, "slider.z", 2, 0.4830668771, 1e-8),
    AT("soft, lobatto: height at 10 s [m]", GOVERNOR_SOFT, "slider.z", 10, 0.2327428755, 1e-8),
    AT("soft, lobatto: speed at 10 s [rad/s]", GOVERNOR_SOFT, "shaft.wz", 10, 1.719679833, 1e-7),
    {0},
};

static const item_panel governor_panels[] = {
    {.title = "soft springs",
     .x_label = "t [s]",
     .y_label = "z of the slider [m]",
     .curve = (const item_curve[]){CURVE("height", GOVERNOR_SOFT, "slider.z"), END}},
    {.title = "stiff springs",
     .x_label = "t [s]",
     .y_label = "z of the slider [m]",
     .curve = (const item_curve[]){CURVE("height", GOVERNOR, "slider.z"), END}},
    {0},
};

/* ---- slider-crank in space ---------------------------------------------------------------- */

enum { IFTOMM };

static const item_run iftomm_runs[] = {
    [IFTOMM] = {"lobatto", "slider-crank-iftomm", "lobatto", 1e-3, 5, NULL, NULL, 0, NULL},
    {0},
};

static const item_check iftomm_checks[] = {
    AT("angle of the crank at 0.1 s [rad]", IFTOMM, "crank.turn", 0.1, 0.5520438379, 1e-8),
    AT("slider at 0.1 s [m]", IFTOMM, "slider.x", 0.1, 0.226369016, 1e-8),
    AT("angle of the crank at 1 s [rad]", IFTOMM, "crank.turn", 1, 10.48407384, 1e-7),
    AT("slider at 1 s [m]", IFTOMM, "slider.x", 1, 0.2337647503, 1e-8),
    AT("angle of the crank at 5 s [rad]", IFTOMM, "crank.turn", 5, 51.36943989, 1e-6),
    AT("slider at 5 s [m]", IFTOMM, "slider.x", 5, 0.2546500855, 1e-8),
    {0},
};

static const item_panel iftomm_panels[] = {
    {.title = "the slider",
     .x_label = "t [s]",
     .y_label = "x [mm]",
     .curve = (const item_curve[]){MM_CURVE(IFTOMM, "slider.x"), END}},
    {0},
};

/* ---- woodpecker --------------------------------------------------------------------------- */

enum { WOODPECKER };

static const item_run woodpecker_runs[] = {
    [WOODPECKER] = {"rattle", "woodpecker", "rattle", 2e-6, 0.3, NULL, NULL, 0, NULL},
    {0},
};

static const item_check woodpecker_checks[] = {
    AT("y at 0.15 s [m]", WOODPECKER, "y", 0.15, -0.0206857961, 5e-6),
    AT("sleeve at 0.15 s [rad]", WOODPECKER, "sleeve", 0.15, -0.1034482759, 1e-9),
    AT("bird at 0.15 s [rad]", WOODPECKER, "bird", 0.15, -0.3103296661, 1e-4),
    AT("y' at 0.15 s [m/s]", WOODPECKER, "y'", 0.15, -0.30247801, 5e-4),
    AT("bird' at 0.15 s [rad/s]", WOODPECKER, "bird'", 0.15, -7.8882437, 2e-3),
    {.what = "first impact of the beak in the limit cycle [N s]",
     .says = "as the cycle's, which the start is near",
     .kind = INDEPENDENT,
     .relation = NEAR,
     .expected = 1.284503e-3,
     .tolerance = 5e-6,
     .ours = largest,
     .run = WOODPECKER,
     .of = SERIES("beak.P_N"),
     .from = 0.15,
     .to = 0.3},
    {0},
};

static const item_panel woodpecker_panels[] = {
    {.title = "sleeve and bird",
     .x_label = "t [s]",
     .y_label = "angle [rad]",
     .curve = (const item_curve[]){CURVE("sleeve", WOODPECKER, "sleeve"),
                                   CURVE("bird", WOODPECKER, "bird"), END}},
    {.title = "the toy sinks",
     .x_label = "t [s]",
     .y_label = "y [mm]",
     .curve = (const item_curve[]){MM_CURVE(WOODPECKER, "y"), END}},
    {0},
};

/* ---- ball on a vibrating table ------------------------------------------------------------ */

enum { BEFORE_DOUBLING, AFTER_DOUBLING };

static const item_run table_runs[] = {
    [BEFORE_DOUBLING] = {"gamma = 1.5", "vibrating-table", "rattle", 1e-4, 20, "gamma=1.5", NULL, 0,
                         NULL},
    [AFTER_DOUBLING] = {"gamma = 1.6", "vibrating-table", "rattle", 1e-4, 20, "gamma=1.6", NULL, 0,
                        NULL},
    {0},
};

/* One bounce in a period comes with 2 pi g/(w (1 + e)), and takes (1 + e) times that. */
static const item_check table_checks[] = {
    {.what = "gamma = 1.5: largest impulse in the last 4 s [N s]",
     .says = "one bounce in a period: 2 pi g/w",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 1.962,
     .tolerance = 2e-3,
     .ours = largest,
     .run = BEFORE_DOUBLING,
     .of = SERIES("table.P_N"),
     .from = 16,
     .to = 20},
    {.what = "gamma = 1.5: bounces in the last 4 s",
     .says = "one in a period of 0.2 s",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 20,
     .tolerance = 0,
     .ours = closing_count,
     .run = BEFORE_DOUBLING,
     .of = SERIES("table.P_N"),
     .from = 16,
     .to = 20},
    {.what = "gamma = 1.6: larger impulse of the two that alternate [N s]",
     .says = "beyond the period doubling at 1.526823701, by the exact map",
     .kind = EXACT,
     .relation = NEAR,
     .expected = 2.0487671,
     .tolerance = 1e-3,
     .ours = largest,
     .run = AFTER_DOUBLING,
     .of = SERIES("table.P_N"),
     .from = 16,
     .to = 20},
    {0},
};

static const item_panel table_panels[] = {
    {.title = "before and after the period doubling",
     .x_label = "t [s]",
     .y_label = "height [mm]",
     .x = {19, 20},
     .curve =
         (const item_curve[]){
             {.run = BEFORE_DOUBLING, .y = {.of = {"ball"}, .scale = 1e3}},
             {.run = AFTER_DOUBLING, .y = {.of = {"ball"}, .scale = 1e3}, .style = DASHED},
             END}},
    {0},
};

/* ---- sliding rod -------------------------------------------------------------------------- */

enum { ROD_AWAY, ROD_TOWARDS, ROD_PARADOX };

static const item_run rod_runs[] = {
    [ROD_AWAY] = {"v = 1", "painleve-rod", "rattle", 1e-4, 0.1, NULL, NULL, 0, NULL},
    [ROD_TOWARDS] = {"v = -1", "painleve-rod", "rattle", 1e-4, 0.1, "v=-1", NULL, 0, NULL},
    [ROD_PARADOX] = {"paradox", "painleve-rod", "rattle", 1e-5, 1e-4, "mu=2 theta=atan(2) v=-1",
                     NULL, 0, NULL},
    {0},
};

static const item_check rod_checks[] = {
    AT("v = 1: x at 0.1 s [m]", ROD_AWAY, "rod.x", 0.1, 0.36106539462, 1e-8),
    AT("v = 1: angle at 0.1 s [rad]", ROD_AWAY, "rod.angle", 0.1, 0.89420894621, 1e-8),
    AT("v = 1: velocity at 0.1 s [m/s]", ROD_AWAY, "rod.vx", 0.1, 0.82721327506, 1e-7),
    AT("v = 1: spin at 0.1 s [rad/s]", ROD_AWAY, "rod.spin", 0.1, -2.0296764441, 1e-7),
    AT("v = -1: x at 0.1 s [m]", ROD_TOWARDS, "rod.x", 0.1, 0.19046332008, 1e-8),
    AT("v = -1: angle at 0.1 s [rad]", ROD_TOWARDS, "rod.angle", 0.1, 0.96952950843, 1e-8),
    AT("v = -1: velocity at 0.1 s [m/s]", ROD_TOWARDS, "rod.vx", 0.1, -0.59842837606, 1e-7),
    AT("v = -1: spin at 0.1 s [rad/s]", ROD_TOWARDS, "rod.spin", 0.1, -0.62881619269, 1e-7),
    AT("Painleve's paradox: velocity after the first step [m/s]", ROD_PARADOX, "rod.vx", 1e-5, -0.6,
       5e-4),
    AT("Painleve's paradox: velocity upwards [m/s]", ROD_PARADOX, "rod.vy", 1e-5, 0.3, 5e-4),
    AT("Painleve's paradox: spin [rad/s]", ROD_PARADOX, "rod.spin", 1e-5, 1.3416407865, 5e-4),
    {0},
};

static const item_panel rod_panels[] = {
    {.title = "spin of the sliding rod",
     .x_label = "t [s]",
     .y_label = "ω [rad/s]",
     .curve = (const item_curve[]){{.run = ROD_AWAY, .y = SERIES("rod.spin")},
                                   {.run = ROD_TOWARDS, .y = SERIES("rod.spin"), .style = DASHED},
                                   END}},
    {0},
};

/* ---- rattleback, tippe top ---------------------------------------------------------------- */

enum { STONE, STONE_OTHER_WAY, TOP };

static const item_run top_runs[] = {
    [STONE] = {"spin -5", "rattleback", "lobatto", 2e-4, 0.5, "spin=-5", NULL, 0, NULL},
    [STONE_OTHER_WAY] = {"spin 5", "rattleback", "lobatto", 2e-4, 0.5, "spin=5", NULL, 0, NULL},
    [TOP] = {"generalized-alpha", "tippe-top", "generalized-alpha", 5e-5, 0.2, NULL, NULL, 0, NULL},
    {0},
};

static const item_check top_checks[] = {
    AT("rattleback, spin -5: w_x at 0.5 s [rad/s]", STONE, "stone.wx", 0.5, 8.69260295, 1e-3),
    AT("rattleback, spin -5: w_y at 0.5 s [rad/s]", STONE, "stone.wy", 0.5, 0.0429046937, 1e-3),
    AT("rattleback, spin -5: w_z at 0.5 s [rad/s]", STONE, "stone.wz", 0.5, -3.96843252, 1e-4),
    AT("rattleback, spin 5: w_x at 0.5 s [rad/s]", STONE_OTHER_WAY, "stone.wx", 0.5, -0.718974659,
       1e-3),
    AT("rattleback, spin 5: w_y at 0.5 s [rad/s]", STONE_OTHER_WAY, "stone.wy", 0.5, -0.289233885,
       1e-3),
    AT("rattleback, spin 5: w_z at 0.5 s [rad/s]", STONE_OTHER_WAY, "stone.wz", 0.5, 5.27486978,
       1e-4),
    AT("tippe top: w_x at 0.01 s [rad/s]", TOP, "top.wx", 0.01, 1.83391073, 1e-3),
    AT("tippe top: w_y at 0.01 s [rad/s]", TOP, "top.wy", 0.01, 1.40334274, 1e-3),
    AT("tippe top: w_z at 0.01 s [rad/s]", TOP, "top.wz", 0.01, 179.623715, 1e-3),
    AT("tippe top: w_x at 0.1 s [rad/s]", TOP, "top.wx", 0.1, 0.636994257, 1e-3),
    AT("tippe top: w_y at 0.1 s [rad/s]", TOP, "top.wy", 0.1, -3.72330988, 1e-3),
    AT("tippe top: w_x at 0.2 s [rad/s]", TOP, "top.wx", 0.2, -12.0675552, 1e-3),
    AT("tippe top: w_y at 0.2 s [rad/s]", TOP, "top.wy", 0.2, -8.11511603, 1e-3),
    AT("tippe top: w_z at 0.2 s [rad/s]", TOP, "top.wz", 0.2, 176.823258, 1e-3),
    {0},
};

static const item_panel top_panels[] = {
    {.title = "rattleback: spin about its axis",
     .x_label = "t [s]",
     .y_label = "ω [rad/s]",
     .curve =
         (const item_curve[]){{.run = STONE, .y = SERIES("stone.wz")},
                              {.run = STONE_OTHER_WAY, .y = SERIES("stone.wz"), .style = DASHED},
                              END}},
    {.title = "tippe top",
     .x_label = "t [s]",
     .y_label = "ω [rad/s]",
     .curve = (const item_curve[]){CURVE("ω_x", TOP, "top.wx"), CURVE("ω_y", TOP, "top.wy"), END}},
    {0},
};

/* ---- puck --------------------------------------------------------------------------------- */

enum { PUCK, PUCK_EQUAL, PUCK_SLOW };

static const item_run puck_runs[] = {
    [PUCK] = {"uniform disc", "contensou-puck", "rattle", 5e-5, 0.8, NULL, NULL, 0, NULL},
    [PUCK_EQUAL] = {"k = 1", "contensou-puck", "rattle", 5e-5, 0.8, "J=0.0034697828", NULL, 0,
                    NULL},
    [PUCK_SLOW] = {"slow spin", "contensou-puck", "rattle", 5e-5, 0.8, "v0=2 w0=5", NULL, 0, NULL},
    {0},
};

#define STOPS(text, run_, time_, distance)                                                      \
  {.what = text ": it stops at [s]",                                                            \
   .kind = INDEPENDENT,                                                                         \
   .relation = NEAR,                                                                            \
   .expected = time_,                                                                           \
   .tolerance = 1e-4,                                                                           \
   .ours = last_above,                                                                          \
   .run = run_,                                                                                 \
   .of = SERIES("puck.vx"),                                                                     \
   .level = 1e-9},                                                                              \
  {                                                                                             \
    .what = text ": distance [m]", .kind = INDEPENDENT, .relation = NEAR, .expected = distance, \
    .tolerance = 5e-5, .ours = final_value, .run = run_, .of = SERIES("puck.x")                 \
  }

static const item_check puck_checks[] = {
    AT("uniform disc: velocity at 0.5 s [m/s]", PUCK, "puck.vx", 0.5, 0.16649735, 2e-5),
    AT("uniform disc: spin at 0.5 s [rad/s]", PUCK, "puck.wz", 0.5, 5.76395388, 2e-4),
    STOPS("uniform disc", PUCK, 0.6764668379, 0.2918858881),
    STOPS("k = 1", PUCK_EQUAL, 0.525072168, 0.262536084),
    STOPS("slow spin", PUCK_SLOW, 0.6974328104, 0.6900975481),
    {0},
};

static const item_panel puck_panels[] = {
    {.title = "sliding",
     .x_label = "t [s]",
     .y_label = "v [m/s]",
     .curve = (const item_curve[]){CURVE("v", PUCK, "puck.vx"), END}},
    {.title = "the spin stops at the same time",
     .x_label = "t [s]",
     .y_label = "ω [rad/s]",
     .curve = (const item_curve[]){CURVE("ω", PUCK, "puck.wz"), END}},
    {0},
};

/* ---- all ---------------------------------------------------------------------------------- */

const item benchmark_items[] = {
    {"benchmarks-andrews", "Andrews' squeezing mechanism: seven bodies, stiff, fast", note, 2,
     squeezer_runs, squeezer_panels, squeezer_checks, "Andrews' squeezer"},
    {"benchmarks-four-bars", "N-four-bar linkage: through its singular position", note, 1,
     bars_runs, bars_panels, bars_checks, "IFToMM A02"},
    {"benchmarks-bricard", "Bricard's mechanism: redundant hinges", note, 1, bricard_runs,
     bricard_panels, bricard_checks, "IFToMM A04"},
    {"benchmarks-governor", "Flyball governor with stiff and soft springs", note, 2, governor_runs,
     governor_panels, governor_checks, "IFToMM A05"},
    {"benchmarks-crank", "Slider-crank in space with a universal joint", note, 1, iftomm_runs,
     iftomm_panels, iftomm_checks, "IFToMM spatial slider-crank"},
    {"benchmarks-woodpecker", "Woodpecker toy: impacts, stick and slip", note, 2, woodpecker_runs,
     woodpecker_panels, woodpecker_checks, "woodpecker toy"},
    {"benchmarks-table", "Ball on a vibrating table: period doubling", note, 1, table_runs,
     table_panels, table_checks, "vibrating table"},
    {"benchmarks-rod", "Sliding rod, regular and in Painlevé's paradox", note, 1, rod_runs,
     rod_panels, rod_checks, "sliding rod"},
    {"benchmarks-tops", "Rattleback and tippe top", note, 2, top_runs, top_panels, top_checks,
     "rattleback, tippe top"},
    {"benchmarks-puck", "Sliding and spinning puck (Contensou)", note, 2, puck_runs, puck_panels,
     puck_checks, "Contensou's puck"},
    {0},
};
