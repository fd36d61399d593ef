/* A term that is not a number ends the run, whatever the scheme and wherever among the others it
 * stands: the largest of a list must not pass over a NaN in its first, a middle or its last
 * entry. */
#include <string.h>

#include "base/larger.h"
#include "run.h"

/* A model with three slots; one of them is filled with `bad`, a number up to t = 0.05 s and none
 * after that, the others with `good`. The slot's place in the text is its place in the vectors of
 * the run. */
typedef struct sample {
  const char* what;
  const char* text;
  const char *good, *bad;
  int has_friction; /* which schatzman-paoli does not support */
} sample;

#define COORDINATES                                               \
  "percuss: 1\ncoordinates: {x: {value: 1, velocity: 0.1}, y: 1," \
  " z: {value: 1, velocity: -0.1}}\n"
#define MASS      "kinetic: (x'^2 + y'^2 + z'^2)/2\n"
#define SOMETIMES "sqrt(0.05 - t)"
/* The same without a rate before that: rows that depend on each other stay consistent. */
#define SUDDENLY "if(0.05 - t, 0, sqrt(0.05 - t))"
#define GAP      "{gap: \"%s\", restitution: 0.5}"
#define FLOOR    "{gap: \"%s\", slip: \"x'\", friction: 0.3, restitution: 0.5}"
#define SLIDE    "{gap: y, slip: \"(%s)*x'\", friction: 0.3}"

static const sample samples[] = {
    {"force on a point mass",
     "percuss: 1\nbodies:\n  a: {kind: point, mass: 1, velocity: [1, 0]}\n"
     "  b: {kind: point, mass: 1, position: [0, 1]}\n"
     "  c: {kind: point, mass: 1, position: [0, 2], velocity: [0, 1]}\n"
     "forces:\n  - force: {point: a, value: [\"%s\", 0]}\n"
     "  - force: {point: b, value: [0, \"%s\"]}\n  - force: {point: c, value: [0, \"%s\"]}\n",
     "0.1", SOMETIMES, 0},
    {"force on a body in space",
     "percuss: 1\nspace: spatial\nbodies:\n"
     "  a: {mass: 1, inertia: [1, 2, 2.5], angular_velocity: [1, 2, 3]}\n"
     "  b: {mass: 1, inertia: [1, 2, 2.5], position: [1, 0, 0]}\n"
     "forces:\n  - force: {point: a, value: [\"%s\", 0, 0]}\n"
     "  - force: {point: a, value: [0, 0, \"%s\"]}\n"
     "  - force: {point: b, value: [0, 0, \"%s\"]}\n",
     "0.1", SOMETIMES, 0},
    {"force by a formula", COORDINATES MASS "forces: {x: \"%s\", y: \"%s\", z: \"%s\"}\n", "0.1",
     SOMETIMES, 0},
    {"potential", COORDINATES MASS "potential: x^2 + (%s)*x + y^2 + (%s)*y + (%s)*z\n", "0.1",
     SOMETIMES, 0},
    {"mass",
     COORDINATES "kinetic: (1 + (%s)*x^2)*x'^2/2 + (1 + %s)*y'^2/2 + (1 + (%s)*z^2)*z'^2/2\n",
     "0.1", SOMETIMES, 0},
    {"gap of an open contact",
     COORDINATES MASS "contacts:\n  a: " GAP "\n  b: " GAP "\n  c: " GAP "\n", "x",
     "x + " SOMETIMES, 0},
    {"gap among closed contacts",
     "percuss: 1\ncoordinates: {x: {velocity: 1}, y: 0}\nkinetic: (x'^2 + y'^2)/2\n"
     "forces: {y: -10}\ncontacts:\n  a: " FLOOR "\n  b: " FLOOR "\n  c: " FLOOR "\n",
     "y", "y + " SUDDENLY, 1},
    {"slip of contacts without restitution",
     "percuss: 1\ncoordinates: {x: {velocity: 1}, y: 0}\nkinetic: (x'^2 + y'^2)/2\n"
     "forces: {y: -10}\ncontacts:\n  a: " SLIDE "\n  b: " SLIDE "\n  c: " SLIDE "\n",
     "1", "1 + " SUDDENLY, 1},
    {"drive of a joint",
     "percuss: 1\ngravity: [0, -10]\nbodies:\n  a: {mass: 1, inertia: 1}\n"
     "  b: {mass: 1, inertia: 1, position: [1, 0]}\n  c: {mass: 1, inertia: 1, position: [2, 0]}\n"
     "joints:\n  p: {revolute: {bodies: [ground, a], at: [0, 0]}}\n"
     "  q: {revolute: {bodies: [a, b], at: [1, 0]}}\n"
     "  r: {revolute: {bodies: [b, c], at: [2, 0]}}\n"
     "drives:\n  x: {joint: p, torque: \"%s\"}\n  y: {joint: q, torque: \"%s\"}\n"
     "  z: {joint: r, torque: \"%s\"}\n",
     "0.1", SOMETIMES, 0},
    {"constraint",
     COORDINATES MASS "forces: {y: -1}\nconstraints:\n  a: \"x - 1 - 0.1*t + %s\"\n"
                      "  b: \"y - 1 + %s\"\n  c: \"z - 1 + 0.1*t + %s\"\n",
     "0", SUDDENLY, 0},
};

static void on_failure_continue(pc_scheme_settings* settings)
{
  settings->on_failure = PC_ON_FAILURE_CONTINUE;
}

static void check_run(const sample* s, int slot, const char* scheme,
                      void (*tune)(pc_scheme_settings*))
{
  char text[2000];
  const char* fill[3];
  for (int i = 0; i < 3; i++) fill[i] = i == slot ? s->bad : s->good;
  snprintf(text, sizeof text, s->text, fill[0], fill[1], fill[2]);
  run r = open_text(text, scheme, 0.01, NULL, tune);
  pc_status status = pc_sim_run(r.sim, 0.2, &r.error);
  const pc_state* last = pc_sim_observation(r.sim)->state;
  if (status != PC_NOT_FINITE || !(last->t > 0.015 && last->t < 0.065))
    fail_msg("%s %d of 3 under %s: %s at t = %g: %s", s->what, slot + 1, scheme,
             pc_status_text(status), last->t, r.error.text);
  for (int i = 0; i < pc_system_q_count(pc_model_system(r.model)); i++)
    assert_true(isfinite(last->q[i]));
  close_run(&r);
}

static void every_scheme_stops_at_any_of_them(void** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
    for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++)
      for (int slot = 0; slot < 3; slot++) {
        if (samples[i].has_friction && !strcmp(*scheme, "schatzman-paoli")) continue;
        check_run(&samples[i], slot, *scheme, NULL);
        check_run(&samples[i], slot, *scheme, on_failure_continue);
      }
}

/* Control: without the bad slot the same models run. */
static void without_it_the_models_run(void** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
    for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
      char text[2000];
      const char* good = samples[i].good;
      snprintf(text, sizeof text, samples[i].text, good, good, good);
      run r = open_text(text, *scheme, 0.01, NULL, NULL);
      run_until(&r, 0.2);
      close_run(&r);
    }
}

static void the_larger_one_keeps_what_is_not_a_number(void** state)
{
  (void)state;
  assert_true(isnan(pc_larger(NAN, 0)) && isnan(pc_larger(0, NAN)) && isnan(pc_larger(NAN, NAN)));
  assert_true(isnan(pc_larger(INFINITY, NAN)) && isnan(pc_larger(NAN, -INFINITY)));
  double list[4] = {NAN, 0, 0.5, 2};
  for (int at = 0; at < 4; at++) {
    double largest = 0;
    for (int i = 0; i < 4; i++) largest = pc_larger(largest, list[(i + at) % 4]);
    assert_true(isnan(largest));
  }
  assert_true(pc_larger(1, 2) == 2 && pc_larger(2, 1) == 2 && pc_larger(-1, -2) == -1);
  assert_true(pc_larger(INFINITY, 1) == INFINITY && pc_larger(1, -INFINITY) == 1);
}

/* A force that is infinite from the start: the error names its element under every scheme, not the
 * equations in which it shows first. */
static void a_force_that_is_no_number_at_the_start_is_named(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\nspace: planar\ngravity: [0, -10]\n"
      "bodies: {p: {mass: 1, inertia: 1}, q: {mass: 1, inertia: 1, position: [1, 0]}}\n"
      "forces:\n  weight: {force: {point: q, value: [0.1*q.vx, 0]}}\n"
      "  pole: {force: {point: p, value: [1/p.x, 0]}}\n";
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
    pc_model* model;
    pc_sim* sim = NULL;
    pc_error error = {0};
    CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
    pc_sim_def def = {pc_model_system(model), *scheme, pc_model_settings(model)};
    pc_status status = pc_sim_create(&def, &sim, &error);
    if (status == PC_OK) status = pc_sim_step(sim, &error);
    assert_int_not_equal(status, PC_OK);
    if (!strstr(error.text, "'pole' is not a finite number"))
      fail_msg("%s: %s", *scheme, error.text);
    pc_sim_destroy(sim);
    pc_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_larger_one_keeps_what_is_not_a_number),
      cmocka_unit_test(without_it_the_models_run),
      cmocka_unit_test(every_scheme_stops_at_any_of_them),
      cmocka_unit_test(a_force_that_is_no_number_at_the_start_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
