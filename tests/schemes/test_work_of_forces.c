/* The work of forces in the books converges to what they do with the order of the scheme. */
#include "run.h"

typedef struct work_case {
  const char* text;
  double (*exact)(void); /* the work in 1 s [J] */
  int is_damped, has_joints;
} work_case;

/* A force that is applied as a function of the place: x = cos(w t) + sin(w t)/w, w^2 = 10. */
static double of_place(void)
{
  double w = sqrt(10), v = cos(w) - w * sin(w);
  return (v * v - 1) / 2;
}

/* v = 2/(1 + t) */
static double of_velocity(void)
{
  return -1.5;
}

static double of_time(void)
{
  double v = 2 + (1 - cos(7)) / 7;
  return (v * v - 4) / 2;
}

/* The angle of a pendulum, its speed, the work of all but gravity: their derivatives. */
static void swing(double t, const double x[3], double d[3])
{
  double torque = cos(x[0]) * sin(5 * t) - 3 * sin(x[0]) * sin(x[0]) - 0.3 * x[1];
  d[0] = x[1];
  d[1] = (torque - 9.81 * cos(x[0])) / 1.1;
  d[2] = torque * x[1];
}

/* By 4000 steps of the classical Runge-Kutta method: to 1e-12. */
static double of_all_on_a_pendulum(void)
{
  double x[3] = {0}, k[4][3], y[3];
  const double h = 1.0 / 4000, share[] = {0, 0.5, 0.5, 1},
               weight[] = {1 / 6., 1 / 3., 1 / 3., 1 / 6.};
  for (int n = 0; n < 4000; n++) {
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i < 3; i++) y[i] = x[i] + (s ? h * share[s] * k[s - 1][i] : 0);
      swing(h * (n + share[s]), y, k[s]);
    }
    for (int s = 0; s < 4; s++)
      for (int i = 0; i < 3; i++) x[i] += h * weight[s] * k[s][i];
  }
  return x[2];
}

static const work_case cases[] = {
    {"percuss: 1\nspace: line\nbodies: {m: {kind: point, mass: 1, position: 1, velocity: 1}}\n"
     "forces: {s: {force: {point: m, value: [-10*m.x]}}}\n",
     of_place, 0, 0},
    {"percuss: 1\nspace: line\nbodies: {m: {kind: point, mass: 1, velocity: 2}}\n"
     "forces: {s: {force: {point: m, value: [-0.5*m.vx^2]}}}\n",
     of_velocity, 1, 0},
    {"percuss: 1\nspace: line\nbodies: {m: {kind: point, mass: 1, velocity: 2}}\n"
     "forces: {s: {force: {point: m, value: [sin(7*t)]}}}\n",
     of_time, 0, 0},
    {"percuss: 1\nspace: planar\ngravity: [0, -9.81]\n"
     "bodies: {p: {mass: 1, inertia: 0.1, position: [1, 0]}}\n"
     "joints: {j: {revolute: {bodies: [ground, p], at: [0, 0]}}}\n"
     "forces:\n  s: {force: {point: p, value: [3*p.y, sin(5*t)]}}\n"
     "  d: {torque: {body: p, value: -0.3*p.spin}}\n",
     of_all_on_a_pendulum, 1, 1},
};
enum { CASES = sizeof cases / sizeof *cases };

/* The work of schatzman-paoli is that up to half a step ago, moreau evaluates forces with the
 * velocity at the start of the step, and a joint of velocities alone costs an order. */
static double order_of(const work_case* c, const char* scheme)
{
  int is_explicit = !strcmp(scheme, "moreau"), is_late = !strcmp(scheme, "schatzman-paoli");
  int has_stages = !strcmp(scheme, "rattle") || !strcmp(scheme, "lobatto") ||
                   !strcmp(scheme, "generalized-alpha");
  if (!strcmp(scheme, "lobatto")) return 4;
  return is_late || (is_explicit && c->is_damped) || (c->has_joints && !has_stages) ? 1 : 2;
}

static double error_of(const work_case* c, const char* scheme, int steps)
{
  run r = open_text(c->text, scheme, 1.0 / steps, NULL, NULL);
  for (int k = 0; k < steps; k++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
  double work = pc_sim_summary(r.sim).balance.work;
  close_run(&r);
  return fabs(work - c->exact());
}

static void work_has_the_order_of_the_scheme(void** state)
{
  (void)state;
  for (int k = 0; k < CASES; k++)
    for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
      double coarse = error_of(&cases[k], *scheme, 40), fine = error_of(&cases[k], *scheme, 80);
      double order = log2(coarse / fine);
      if (!(order > order_of(&cases[k], *scheme) - 0.25))
        fail_msg("case %d under %s: errors of %g J and %g J, order %g", k, *scheme, coarse, fine,
                 order);
    }
}

/* Dampers that are far too stiff for dt take what there is, not more: the implicit schemes book
 * what they have done. */
static void a_stiff_damper_takes_the_motion_and_no_more(void** state)
{
  (void)state;
  static const char* const schemes[] = {"moreau-jean", "rattle", "generalized-alpha"};
  for (int k = 0; k < 3; k++) {
    run r = open_text(
        "percuss: 1\nspace: line\nbodies: {m: {kind: point, mass: 1, velocity: 2}}\n"
        "forces: {d: {force: {point: m, value: [-1e4*m.vx]}}}\n",
        schemes[k], 1e-2, NULL, NULL);
    run_until(&r, 1);
    pc_summary s = pc_sim_summary(r.sim);
    CHECK_NEAR(s.balance.work, s.energy_final - s.energy_initial, 1e-9);
    close_run(&r);
  }
}

/* A line that has no length yet, as a formula and as an element, in line with gravity: a damped
 * oscillation z'' = -g - 10 z - z'/2. */
static void a_line_may_begin_without_length(void** state)
{
  (void)state;
  static const char* const lines[] = {
      "line-force: {points: [ground, p], value: 10*length + speed/2}",
      "spring: {points: [ground, p], stiffness: 10, damping: 0.5,"
      " length: 0}"};
  const double g = 9.80665, w = sqrt(10 - 0.0625), t = 1;
  double z = -g / 10 * (1 - exp(-t / 4) * (cos(w * t) + sin(w * t) / (4 * w)));
  char text[400];
  for (int i = 0; i < 2; i++)
    for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
      snprintf(text, sizeof text,
               "percuss: 1\nspace: spatial\ngravity: [0, 0, -9.80665]\n"
               "bodies: {p: {mass: 1, inertia: [0.04, 0.1, 0.1]}}\nforces: {s: {%s}}\n",
               lines[i]);
      run r = open_text(text, *scheme, 1e-3, NULL, NULL);
      run_until(&r, t);
      CHECK_NEAR(value(&r, "p.z"), z, strcmp(*scheme, "schatzman-paoli") ? 1e-3 : 4e-3);
      CHECK_NEAR(value(&r, "p.x"), 0, 1e-12);
      close_run(&r);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(work_has_the_order_of_the_scheme),
      cmocka_unit_test(a_line_may_begin_without_length),
      cmocka_unit_test(a_stiff_damper_takes_the_motion_and_no_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
