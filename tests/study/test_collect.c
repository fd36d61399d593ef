/* What is collected of a run, against the exact motion of a pendulum-like oscillator and of a
 * bouncing ball. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "study/collect.h"

static const double pi = 3.14159265358979323846;

/* x = cos(2 pi t), an angle phi = 2 pi t, and a ball that falls from 1 m. */
static const char model_text[] =
    "percuss: 1\n"
    "space: line\n"
    "parameters: {T: 0.25, h: 1, g: 10}\n"
    "coordinates: {x: 1, ball: h}\n"
    "kinetic: x'^2/2 + ball'^2/2\n"
    "potential: (2*pi)^2*x^2/2 + g*ball\n"
    "contacts: {floor: {gap: ball, restitution: 0.5}}\n"
    "record: {phi: {value: 2*pi*t, unit: rad}}\n";

typedef struct collected {
  measures m;
  pc_model* model;
  pc_sim* sim;
  collector* c;
} collected;

/* Into k: the collector keeps pointers to k->m, which therefore must not move. */
static void collect(collected* k, const char* what, double dt, double until)
{
  *k = (collected){0};
  pc_error error = {0};
  CHECK_OK(measures_read(&k->m, what, &error), error);
  CHECK_OK(pc_model_read_text(model_text, strlen(model_text), NULL, 0, &k->model, &error), error);
  CHECK_OK(collector_create(&k->m, k->model, &k->c, &error), error);
  pc_sim_def def = pc_default_sim_def();
  def.system = pc_model_system(k->model);
  def.settings.dt = dt;
  CHECK_OK(pc_sim_create(&def, &k->sim, &error), error);
  CHECK_OK(pc_sim_add_observer(k->sim, collector_observe, k->c, &error), error);
  CHECK_OK(pc_sim_run(k->sim, until, &error), error);
  pc_summary summary = pc_sim_summary(k->sim);
  collector_finish(k->c, &summary);
}

static void forget(collected* k)
{
  collector_destroy(k->c);
  pc_sim_destroy(k->sim);
  pc_model_destroy(k->model);
  measures_free(&k->m);
}

static double number(const collected* k, int i)
{
  int count;
  const double* value = collector_values(k->c, i, &count);
  assert_int_equal(count, 1);
  return value[0];
}

static void numbers_of_a_whole_run(void** state)
{
  (void)state;
  collected k;
  collect(&k,
          "final.x,max(x),min(x),maxabs(x'),mean(x),std(x),sum(floor.P_N),final.time,steps,"
          "final.energy.kinetic",
          1e-4, 1);
  CHECK_NEAR(number(&k, 0), 1, 1e-5);
  CHECK_NEAR(number(&k, 1), 1, 1e-6);
  CHECK_NEAR(number(&k, 2), -1, 1e-6);
  CHECK_NEAR(number(&k, 3), 2 * pi, 1e-4);
  CHECK_NEAR(number(&k, 4), 0, 1e-4);
  CHECK_NEAR(number(&k, 5), sqrt(0.5), 1e-4);
  /* it hits with sqrt(20) m/s, then with half of that */
  CHECK_NEAR(number(&k, 6), 1.5 * 1.5 * sqrt(20), 3e-3);
  CHECK_NEAR(number(&k, 7), 1, 1e-12);
  CHECK_NEAR(number(&k, 8), 10000, 0);
  forget(&k);
}

static void sections_and_periods_are_lists(void** state)
{
  (void)state;
  collected k;
  collect(&k,
          "section(x=0: time),section(x=0: time, falling),section(phi=pi/2: time),every(T: x),"
          "every(T/2: x, last=2),section(x=0: time, first=1),section(x=0: time, after=1)",
          7e-4, 2.01);
  int count;
  const double* t = collector_values(k.c, 0, &count); /* x = 0 rising at 3/4, 7/4 */
  assert_int_equal(count, 2);
  for (int i = 0; i < 2; i++) CHECK_NEAR(t[i], 0.75 + i, 1e-5);
  t = collector_values(k.c, 1, &count);
  assert_int_equal(count, 2);
  for (int i = 0; i < 2; i++) CHECK_NEAR(t[i], 0.25 + i, 1e-5);
  t = collector_values(k.c, 2, &count); /* every turn */
  assert_int_equal(count, 2);
  for (int i = 0; i < 2; i++) CHECK_NEAR(t[i], 0.25 + i, 1e-12);
  const double* x = collector_values(k.c, 3, &count);
  assert_int_equal(count, 8);
  for (int i = 0; i < 8; i++) CHECK_NEAR(x[i], cos(pi / 2 * (i + 1)), 3e-5);
  x = collector_values(k.c, 4, &count);
  assert_int_equal(count, 2);
  CHECK_NEAR(x[0], cos(2 * pi * 1.875), 3e-5);
  CHECK_NEAR(x[1], 1, 3e-5);
  t = collector_values(k.c, 5, &count);
  assert_int_equal(count, 1);
  CHECK_NEAR(t[0], 0.75, 1e-5);
  t = collector_values(k.c, 6, &count);
  assert_int_equal(count, 1);
  CHECK_NEAR(t[0], 1.75, 1e-5);
  forget(&k);
}

/* It hits at t_1 = sqrt(2 h/g), then after 2 e t_1, 2 e^2 t_1 ... */
static void events_are_counted_and_listed(void** state)
{
  (void)state;
  double t_1 = sqrt(0.2), until = t_1 + t_1 + 0.25 * t_1;
  collected k;
  collect(&k, "count(floor.closed),at(floor.closed: time),at(floor.closed: ball')", 1e-5, until);
  int count;
  CHECK_NEAR(number(&k, 0), 2, 0);
  const double* t = collector_values(k.c, 1, &count);
  assert_int_equal(count, 2);
  CHECK_NEAR(t[0], t_1, 2e-5);
  CHECK_NEAR(t[1], 2 * t_1, 4e-5);
  const double* v = collector_values(k.c, 2, &count);
  CHECK_NEAR(v[0], 0.5 * sqrt(20), 3e-4);
  CHECK_NEAR(v[1], 0.25 * sqrt(20), 3e-4);
  forget(&k);
}

static void what_makes_no_sense_is_refused(void** state)
{
  (void)state;
  static const char* const text[] = {"final.nothing",
                                     "max(y)",
                                     "count(floor.hit)",
                                     "count(wall.closed)",
                                     "section(x: time)",
                                     "section(x=: time)",
                                     "every(0: x)",
                                     "every(S: x)",
                                     "at(floor.closed: )",
                                     "at(floor.closed: x, last=0)",
                                     "maximum(x)",
                                     "max(x",
                                     "final.x,,final.ball",
                                     "penetration",
                                     "section(x=0: x, rising=2)"};
  pc_model* model = NULL;
  pc_error error = {0};
  CHECK_OK(pc_model_read_text(model_text, strlen(model_text), NULL, 0, &model, &error), error);
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    measures m = {0};
    collector* c = NULL;
    error = (pc_error){0};
    pc_status status = measures_read(&m, text[i], &error);
    if (status == PC_OK) status = collector_create(&m, model, &c, &error);
    assert_int_equal(status, PC_BAD_ARGUMENT);
    assert_null(c);
    if (!strstr(error.text, "--collect")) fail_msg("'%s' of '%s'", error.text, text[i]);
    measures_free(&m);
  }
  pc_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_a_whole_run),
      cmocka_unit_test(sections_and_periods_are_lists),
      cmocka_unit_test(events_are_counted_and_listed),
      cmocka_unit_test(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
