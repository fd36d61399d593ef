/* No scheme gets worse with smaller steps: beside closed forms, over a ladder of steps down to 1e-8
 * of a run, what a scheme's own order does not explain is a share of 1e-9 of what the forces have
 * done, and round-off. */
#include <float.h>

#include "run.h"

/* A motion whose velocities are known. */
typedef struct motion {
  const char* name;
  const char* text;
  void (*velocity)(double t, double* u);
  double acceleration; /* the largest [m/s^2, rad/s^2] */
  double rate;         /* at which it changes [1/s] */
  double speed;        /* the largest [m/s] */
  int has_joints, has_damping;
} motion;

static const char spring_text[] =
    "percuss: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "bodies: {p: {kind: point, mass: 1, position: [2, 0]}}\n"
    "forces: {s: {spring: {points: [ground, p], stiffness: 100, length: 0}}}\n";
static void on_a_spring(double t, double* u)
{
  u[0] = -20 * sin(10 * t);
  u[1] = -0.981 * sin(10 * t);
}

/* Two bodies on a spring that fly past at 1 km/s. */
static const char boosted_text[] =
    "percuss: 1\nspace: line\n"
    "bodies:\n"
    "  a: {kind: point, mass: 1, position: 0, velocity: 1000}\n"
    "  b: {kind: point, mass: 1, position: 1, velocity: 1000}\n"
    "forces: {s: {spring: {points: [a, b], stiffness: 50, length: 0.5}}}\n";
static void boosted(double t, double* u)
{
  u[0] = 1000 + 2.5 * sin(10 * t);
  u[1] = 1000 - 2.5 * sin(10 * t);
}

static const char weak_text[] =
    "percuss: 1\nspace: planar\ngravity: [0, -1e-3]\n"
    "bodies: {p: {kind: point, mass: 1, velocity: [1000, 0]}}\n";
static void weak_force_on_a_fast_body(double t, double* u)
{
  u[0] = 1000;
  u[1] = -1e-3 * t;
}

static const char air_text[] =
    "percuss: 1\nspace: line\n"
    "bodies: {p: {kind: point, mass: 1, velocity: 10}}\n"
    "forces: {d: {force: {point: p, value: [-0.1*p.vx^2]}}}\n";
static void air_resistance(double t, double* u)
{
  u[0] = 10 / (1 + t);
}

/* A symmetric top in free flight: its angular velocity turns at (C - A)/A w_3 about its axis. */
static const char top_text[] =
    "percuss: 1\nspace: spatial\n"
    "bodies: {p: {mass: 1, inertia: [0.1, 0.1, 0.15], angular_velocity: [1, 0, 10]}}\n";
static void symmetric_top(double t, double* u)
{
  for (int i = 0; i < 6; i++) u[i] = 0;
  u[3] = cos(5 * t);
  u[4] = sin(5 * t);
  u[5] = 10;
}

static const char turning_text[] =
    "percuss: 1\nspace: planar\n"
    "bodies: {p: {mass: 1, inertia: 0.1, position: [1, 0], velocity: [0, 3], spin: 3}}\n"
    "joints: {j: {revolute: {bodies: [ground, p], at: [0, 0]}}}\n";
static void turning_about_a_pin(double t, double* u)
{
  u[0] = -3 * sin(3 * t);
  u[1] = 3 * cos(3 * t);
  u[2] = 3;
}

static const char sliding_text[] =
    "percuss: 1\nspace: planar\ngravity: [3, -10]\n"
    "bodies: {p: {mass: 1, inertia: 0.1, velocity: [5, 0]}}\n"
    "contacts: {c: {point: p, plane: {point: [0, 0], normal: [0, 1]}, friction: 0.2}}\n";
static void sliding(double t, double* u)
{
  u[0] = 5 + t;
  u[1] = u[2] = 0;
}

static const motion motions[] = {
    {"spring", spring_text, on_a_spring, 200, 10, 20, 0, 0},
    {"boosted", boosted_text, boosted, 25, 10, 1000, 0, 0},
    {"weak", weak_text, weak_force_on_a_fast_body, 1e-3, 0, 1000, 0, 0},
    {"air", air_text, air_resistance, 10, 2, 10, 0, 1},
    {"top", top_text, symmetric_top, 5, 10, 10, 0, 1},
    {"turning", turning_text, turning_about_a_pin, 9, 3, 3, 1, 0},
    {"sliding", sliding_text, sliding, 1, 0, 5, 0, 0},
};
enum { MOTIONS = sizeof motions / sizeof *motions };

/* The velocities of moreau and of theta schemes with joints are of first order; moreau takes
 * velocities of which forces depend at the start of the step. */
static int order_of(const motion* m, const char* scheme)
{
  int is_explicit = !strcmp(scheme, "moreau"), late = !strcmp(scheme, "schatzman-paoli");
  int by_stages = !strcmp(scheme, "rattle") || !strcmp(scheme, "lobatto") ||
                  !strcmp(scheme, "generalized-alpha");
  return late || (is_explicit && m->has_damping) || (m->has_joints && !by_stages) ? 1 : 2;
}

/* The error of the velocities after so many steps may be what the order of the scheme explains, and
 * shares of what the forces have done, of the change of velocity and of round-off. */
static void check(const motion* m, const char* scheme, double dt, int steps)
{
  run r = open_text(m->text, scheme, dt, NULL, NULL);
  for (int k = 0; k < steps; k++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
  const pc_state* state = pc_sim_observation(r.sim)->state;
  int late = !strcmp(scheme, "schatzman-paoli"); /* its velocities are those half a step ago */
  double exact[6], T = steps * dt, done = m->acceleration * T, error = 0;
  m->velocity(T - (late ? dt / 2 : 0), exact);
  for (int i = 0; i < pc_system_u_count(pc_model_system(r.model)); i++)
    error = fmax(error, fabs(state->u[i] - exact[i]));
  double by_order = order_of(m, scheme) == 1 ? dt : m->rate * dt * m->rate * dt * T;
  by_order *= 2 * m->acceleration * (1 + m->rate * T);
  double round_off = 16 * DBL_EPSILON * m->speed * steps;
  if (!(error <= by_order + 1e-9 * done + round_off))
    fail_msg(
        "%s under %s: %d steps of %g s leave %g m/s, of %g by its order, %g of the forces "
        "and %g of round-off",
        m->name, scheme, steps, dt, error, by_order, 1e-9 * done, round_off);
  close_run(&r);
}

static void few_steps_of_any_length_are_as_good_as_their_order(void** state)
{
  (void)state;
  for (int k = 0; k < MOTIONS; k++)
    for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++)
      for (double dt = 1e-3; dt > 0.9e-8; dt /= 10)
        if (motions[k].velocity != sliding || strcmp(*scheme, "schatzman-paoli") != 0)
          check(&motions[k], *scheme, dt, 100);
}

/* What is left in a step adds up over a run. */
static void many_steps_are_as_good_as_their_order(void** state)
{
  (void)state;
  for (int k = 0; k < MOTIONS; k++)
    for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++)
      if (motions[k].velocity != sliding || strcmp(*scheme, "schatzman-paoli") != 0)
        check(&motions[k], *scheme, 1e-5, 20000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_steps_of_any_length_are_as_good_as_their_order),
      cmocka_unit_test(many_steps_are_as_good_as_their_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
