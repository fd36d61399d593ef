/* What a projection of positions does where no position near by fulfils its rows. */
#include "steps/projection.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "percuss/percuss.h"

/* A point at (0.1, 0) on a floor and on a plane that rises from (-far, 0) with a slope of 1e-3.
 * Both are asked to be touched, as contacts with a percussion are: that is so at x = -far alone. */
typedef struct projected {
  double moved; /* [m] */
  double gap[2];
  int inaccurate;
} projected;

static projected project(double far)
{
  char text[512];
  pc_model* model;
  pc_theta_step* step;
  pc_projection* projection;
  pc_error error = {0};
  pc_step_info info = {0};
  pc_scheme_settings settings = pc_default_scheme_settings();
  snprintf(text, sizeof text,
           "percuss: 1\n"
           "bodies: {stone: {kind: point, mass: 1, position: [0.1, 0]}}\n"
           "contacts:\n"
           "  floor: {point: stone, plane: {point: [0, 0], normal: [0, 1]}}\n"
           "  slope: {point: stone, plane: {point: [%.17g, 0], normal: [-1e-3, 1]}}\n",
           -far);
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  const pc_system* system = pc_model_system(model);
  CHECK_OK(pc_theta_step_create(system, &settings, 1, &step, &error), error);
  CHECK_OK(pc_projection_create(system, &settings, &projection, &error), error);
  double q[2], u[2], P[2] = {0};
  memcpy(q, pc_system_q0(system), sizeof q);
  memcpy(u, pc_system_u0(system), sizeof u);
  pc_state state = {.q = q, .u = u, .P = P};
  CHECK_OK(pc_theta_step_begin(step, &state, 1e-3, &info, &error), error);
  pc_projection_begin(projection);
  for (int k = 0; k < 2; k++) pc_projection_roles(projection)[k] = PC_PROJECT_FREE;
  pc_theta_step_locate(step, &state);
  CHECK_OK(pc_theta_step_factor(step, &error), error); /* it is the metric */
  CHECK_OK(pc_projection_run(projection, step, &state, &info, &error), error);
  projected result = {hypot(step->q[0] - q[0], step->q[1] - q[1]),
                      {step->end.terms->y[0], step->end.terms->y[1]},
                      info.inaccurate};
  pc_projection_destroy(projection);
  pc_theta_step_destroy(step);
  pc_model_destroy(model);
  return result;
}

static void rows_that_meet_near_by_are_fulfilled(void** state)
{
  (void)state;
  projected at = project(-0.099);
  CHECK_NEAR(at.moved, 1e-3, 1e-9);
  CHECK_NEAR(at.gap[0], 0, 1e-12);
  CHECK_NEAR(at.gap[1], 0, 1e-12);
  assert_int_equal(at.inaccurate, 0);
}

/* Ten metres are no correction of a model of a decimetre: the point is lifted out of the higher
 * plane, where it is, and the step is counted. */
static void rows_that_meet_far_away_do_not_move_the_model(void** state)
{
  (void)state;
  projected at = project(10);
  CHECK_NEAR(at.moved, 1.01e-2, 1e-7);
  CHECK_NEAR(at.gap[0], 1.01e-2, 1e-7);
  CHECK_NEAR(at.gap[1], 0, 1e-12);
  assert_int_equal(at.inaccurate, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_that_meet_near_by_are_fulfilled),
      cmocka_unit_test(rows_that_meet_far_away_do_not_move_the_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
