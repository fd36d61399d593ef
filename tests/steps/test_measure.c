/* The measure of convergence: it knows neither kilograms nor metres, and a light body beside a
 * heavy one. */
#include "steps/measure.h"

#include <string.h>

#include "check.h"
#include "percuss/percuss.h"

typedef struct fixture {
  pc_model* model;
  pc_terms* terms;
  pc_measure measure;
  pc_error error;
} fixture;

/* A body of m kg that is r metres long, and another of 1e9 kg. */
static fixture measure_with(const char* m, const char* r, const char* key, const char* setting)
{
  static const char* const text =
      "percuss: 1\n"
      "parameters: {m: 1, r: 1}\n"
      "bodies:\n"
      "  a: {mass: m, inertia: m*r^2}\n"
      "  b: {mass: 1e9, inertia: 1e9, position: [5, 0]}\n"
      "forces:\n"
      "  s: {spring: {points: [ground, b], stiffness: 1e13, length: 5}}\n";
  fixture f = {0};
  pc_override override[] = {{"m", m}, {"r", r}};
  CHECK_OK(pc_model_read_text(text, strlen(text), override, 2, &f.model, &f.error), f.error);
  pc_scheme_settings settings = pc_default_scheme_settings();
  if (key) CHECK_OK(pc_set_setting(&settings, key, setting, &f.error), f.error);
  unsigned mask = PC_TERM_M | PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U;
  CHECK_OK(pc_terms_create(pc_model_system(f.model), mask, &f.terms, &f.error), f.error);
  CHECK_OK(pc_measure_create(&f.measure, f.terms, &settings, &f.error), f.error);
  pc_measure_begin(&f.measure);
  return f;
}

static void clear(fixture* f)
{
  pc_measure_clear(&f->measure);
  pc_terms_destroy(f->terms);
  pc_model_destroy(f->model);
}

/* Does the balance hold where velocities have changed by v, and these momenta are left? */
static int holds(fixture* f, const double* v, const double* rest)
{
  for (int i = 0; i < 6; i++) pc_measure_set(&f->measure, i, 0, f->measure.inertia[i] * v[i], 0);
  pc_iterate at = {f->terms, pc_system_q0(pc_model_system(f->model)), v, rest, 1e-3, NULL, NULL};
  return pc_measure_holds(&f->measure, &at);
}

/* 0.2 m/s to the body a, and a share of its momentum left in one of its equations. */
static int holds_with(const char* m, const char* r, int equation, double share)
{
  fixture f = measure_with(m, r, NULL, NULL);
  double v[6] = {0.2}, rest[6] = {0};
  rest[equation] = 0.2 * share * f.measure.root[0] * f.measure.root[equation];
  int result = holds(&f, v, rest);
  clear(&f);
  return result;
}

static void the_units_of_mass_and_length_do_not_matter(void** state)
{
  (void)state;
  static const char* const mass[] = {"1e-12", "1e-3", "1", "1e9"};
  static const char* const length[] = {"1e-6", "1e-3", "1"};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++)
      for (int equation = 0; equation < 3; equation++) {
        assert_true(holds_with(mass[i], length[j], equation, 0.99e-10));
        assert_false(holds_with(mass[i], length[j], equation, 1.01e-10));
      }
}

static void each_body_is_measured_by_itself(void** state)
{
  (void)state;
  fixture f = measure_with("1", "1", NULL, NULL);
  double v[6] = {0.2, 0, 0, 0.5}, rest[6] = {0, 0, 0, 0.04};
  assert_true(holds(&f, v, rest)); /* 1e-10 of 5e8 kg m/s are 0.05 */
  rest[0] = 1e-9;                  /* of 0.2 kg m/s */
  assert_false(holds(&f, v, rest));
  clear(&f);
}

/* A momentum that does not change is no term of its change: of a body that flies past at 1 km/s and
 * is pushed by 0.01 N s, 1e-10 of these may be left, and the round-off of 1000 kg m/s. */
static void a_uniform_motion_does_not_loosen_the_measure(void** state)
{
  (void)state;
  fixture f = measure_with("1", "1", NULL, NULL);
  const double push = 1e-2, speed[] = {0, 1, 1e3, 1e6};
  for (int k = 0; k < 4; k++) {
    double v[6] = {speed[k]}, round_off = PC_ROUND_OFF * speed[k];
    double limit = round_off > 1e-10 * push ? round_off : 1e-10 * push;
    for (int i = 0; i < 6; i++) pc_measure_set(&f.measure, i, i == 0 ? push : 0, 0, v[i]);
    for (int more = 0; more < 2; more++) {
      double rest[6] = {(more ? 1.01 : 0.99) * limit};
      pc_iterate at = {f.terms, pc_system_q0(pc_model_system(f.model)), v, rest, 1e-3, NULL, NULL};
      assert_int_equal(pc_measure_holds(&f.measure, &at), !more);
    }
  }
  clear(&f);
}

static void a_tolerance_that_was_asked_for_is_absolute(void** state)
{
  (void)state;
  fixture f = measure_with("1e-12", "1", "tol", "1e-8");
  double v[6] = {1e3}, rest[6] = {0.99e-8};
  assert_true(holds(&f, v, rest));
  rest[0] = 1.01e-8;
  assert_false(holds(&f, v, rest));
  clear(&f);
}

/* 1e-10 of 1000 m/s are more than what may be left of a velocity; of a percussion nothing of that
 * kind is said. */
static void fast_bodies_are_measured_absolutely(void** state)
{
  (void)state;
  fixture f = measure_with("2", "1", "abs-tol", "1e-9");
  double v[6] = {1e3}, rest[6] = {1.9e-9};
  assert_true(holds(&f, v, rest));
  rest[0] = 2.1e-9;
  assert_false(holds(&f, v, rest));
  f.measure.percussion[0] = 25;
  pc_iterate at = {f.terms, pc_system_q0(pc_model_system(f.model)), v, rest, 1e-3, NULL, NULL};
  assert_true(pc_measure_holds(&f.measure, &at));
  clear(&f);
}

/* The spring holds 5e13 N in balance: its last digits are 1e-2 N, 1e-5 N s in a step. */
static void the_round_off_of_stiff_forces_counts_for_their_body(void** state)
{
  (void)state;
  fixture f = measure_with("1", "1", NULL, NULL);
  double v[6] = {2}, rest[6] = {0, 0, 0, 1e-5};
  assert_true(holds(&f, v, rest));
  rest[3] = 1e-3;
  assert_false(holds(&f, v, rest));
  clear(&f);
}

/* Bodies may act on each other: 2e-10 are within the round-off of the spring, in units of the roots
 * of masses. */
static void where_a_loop_gets_no_further_the_largest_round_off_counts(void** state)
{
  (void)state;
  fixture f = measure_with("1", "1", NULL, NULL);
  double v[6] = {2}, rest[6] = {2.1e-10}, much[6] = {1e-8};
  for (int i = 0; i < 3; i++) assert_false(holds(&f, v, rest));
  assert_true(holds(&f, v, rest));
  pc_measure_begin(&f.measure);
  for (int i = 0; i < 9; i++) assert_false(holds(&f, v, much));
  clear(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_units_of_mass_and_length_do_not_matter),
      cmocka_unit_test(each_body_is_measured_by_itself),
      cmocka_unit_test(a_uniform_motion_does_not_loosen_the_measure),
      cmocka_unit_test(a_tolerance_that_was_asked_for_is_absolute),
      cmocka_unit_test(fast_bodies_are_measured_absolutely),
      cmocka_unit_test(the_round_off_of_stiff_forces_counts_for_their_body),
      cmocka_unit_test(where_a_loop_gets_no_further_the_largest_round_off_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
