/* What is seen of contacts between shapes: impulses, points, events, tallies, a state to go on
 * from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static const double G = 9.81, DT = 1e-3, MASS = 2;

/* A ball above a floor, without friction. */
static const char BALL[] =
    "percuss: 1\n"
    "space: spatial\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: {default: {restitution: 0.5}}\n"
    "bodies:\n"
    "  ball: {mass: 2, shape: {sphere: 0.1}, position: [0.3, -0.2, 0.5]}\n"
    "shapes:\n"
    "  floor: {half-space: [0, 0, 1]}\n"
    "simulate: {scheme: moreau-jean, dt: 1e-3, until: 1}\n";

/* Two boxes on a floor, one on the other, in the plane. */
static const char STACK[] =
    "percuss: 1\n"
    "gravity: [0, -9.81]\n"
    "materials: {default: {friction: 0.5}}\n"
    "bodies:\n"
    "  low: {mass: 2, shape: {box: [0.4, 0.2]}, position: [0, 0.1]}\n"
    "  high: {mass: 1, shape: {box: [0.2, 0.2]}, position: [0.05, 0.3]}\n"
    "shapes:\n"
    "  floor: {half-plane: [0, 1]}\n"
    "simulate: {scheme: moreau-jean, dt: 1e-3, until: 1}\n";

static void step(run* r)
{
  CHECK_OK(pc_sim_step(r->sim, &r->error), r->error);
}

static const pc_found_contacts* found_of(const run* r)
{
  return pc_sim_observation(r->sim)->found;
}

/* The ball falls freely until it touches; then it leaves with half of its speed. */
static void a_ball_that_hits_a_floor_is_one_contact(void** state)
{
  (void)state;
  run r = open_text(BALL, "moreau-jean", DT, NULL, NULL);
  assert_int_equal(found_of(&r)->count, 0);
  int steps = 0;
  while (found_of(&r)->count == 0 && ++steps < 1000) step(&r);
  const pc_found_contacts* found = found_of(&r);
  assert_int_equal(found->count, 1);
  const pc_shape_contact* c = found->contact;
  assert_string_equal(pc_system_collider(pc_model_system(r.model), c->key.shape[0]).name, "ball");
  double v = -G * DT * (steps - 1);
  CHECK_NEAR(c->velocity_before, v, 1e-9);
  CHECK_NEAR(c->velocity_after, -0.5 * v, 1e-9);
  CHECK_NEAR(c->P_N, MASS * (-1.5 * v + G * DT), 1e-9);
  CHECK_NEAR(c->P[2], c->P_N, 1e-12);
  CHECK_NEAR(c->normal[2], 1, 1e-12);
  CHECK_NEAR(c->point[0], 0.3, 1e-12);
  CHECK_NEAR(c->point[1], -0.2, 1e-12);
  CHECK_NEAR(c->point[2], c->gap / 2, 1e-12);
  CHECK_NEAR(c->gap, pc_sim_observation(r.sim)->state->q[2] - 0.1, 1e-12);
  assert_int_equal(c->closed, 1);
  pc_event event = pc_observe_found_event(pc_sim_observation(r.sim), 0);
  assert_int_equal(event.kind, PC_CONTACT_CLOSED);
  assert_int_equal(event.contact, PC_FOUND);
  step(&r);
  found = found_of(&r);
  assert_int_equal(found->opened_count, 1);
  assert_int_equal(pc_sim_summary(r.sim).events_closed, 1);
  assert_int_equal(pc_sim_summary(r.sim).events_opened, 1);
  assert_int_equal(pc_sim_event(r.sim, 1)->kind, PC_CONTACT_OPENED);
  close_run(&r);
}

static double sum_of(const pc_found_contacts* found, int shape, int other, int component)
{
  double sum = 0;
  for (int i = 0; i < found->count; i++)
    if (found->contact[i].key.shape[0] == shape && found->contact[i].key.shape[1] == other)
      sum += found->contact[i].P[component];
  return sum;
}

/* Weights: the floor carries both boxes, the lower one the upper. */
static void a_stack_at_rest_carries_its_weight(void** state)
{
  (void)state;
  static const char* const schemes[] = {
      "moreau", "moreau-jean", "direct-projection", "combined-projection",
      "rattle", "lobatto",     "generalized-alpha"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    run r = open_text(STACK, schemes[i], DT, NULL, NULL);
    for (int k = 0; k < 20; k++) step(&r);
    double on_low = sum_of(found_of(&r), 0, 2, 1), between = sum_of(found_of(&r), 0, 1, 1);
    CHECK_NEAR(on_low, 3 * G * DT, 1e-9);
    CHECK_NEAR(between, -1 * G * DT, 1e-9); /* on the lower box, the first shape */
    assert_int_equal(pc_sim_pair_count(r.sim), 2);
    pc_pair_tally low = pc_sim_pair(r.sim, 1);
    assert_int_equal(low.shape[0], 0);
    assert_int_equal(low.shape[1], 2);
    assert_int_equal(low.tally.closings, 1);
    assert_int_equal(low.tally.steps_closed, 20);
    CHECK_NEAR(low.tally.P_sum, 20 * 3 * G * DT, 1e-7);
    close_run(&r);
  }
}

/* A copy of what an observation has of contacts between shapes. */
static pc_found_contacts copy_found(const pc_found_contacts* f)
{
  pc_found_contacts c = *f;
  size_t numbers = (size_t)f->count * (size_t)f->memory_count;
  pc_shape_contact* contact = calloc((size_t)f->count + 1, sizeof *contact);
  double* memory = calloc(numbers + 1, sizeof *memory);
  if (f->count > 0) {
    memcpy(contact, f->contact, (size_t)f->count * sizeof *contact);
    memcpy(memory, f->memory, numbers * sizeof *memory);
  }
  c.contact = contact;
  c.memory = memory;
  return c;
}

/* Another simulation that takes up the state ends with the same bits. */
static void a_state_with_contacts_between_shapes_can_be_restored(void** state)
{
  (void)state;
  static const char* const schemes[] = {"moreau-jean", "combined-projection", "rattle", "lobatto",
                                        "generalized-alpha"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    run a = open_text(STACK, schemes[i], DT, NULL, NULL),
        b = open_text(STACK, schemes[i], DT, NULL, NULL);
    for (int k = 0; k < 10; k++) step(&a);
    const pc_state* s = pc_sim_observation(a.sim)->state;
    pc_found_contacts found = copy_found(found_of(&a));
    assert_true(found.count >= 2);
    CHECK_OK(pc_sim_restore(b.sim, s->step, s->q, s->u, s->P, s->memory, &b.error), b.error);
    CHECK_OK(pc_sim_restore_found(b.sim, &found, &b.error), b.error);
    for (int k = 0; k < 10; k++) {
      step(&a);
      step(&b);
    }
    const pc_state* t = pc_sim_observation(b.sim)->state;
    s = pc_sim_observation(a.sim)->state;
    assert_memory_equal(s->q, t->q, 6 * sizeof(double));
    assert_memory_equal(s->u, t->u, 6 * sizeof(double));
    assert_int_equal(found_of(&a)->count, found_of(&b)->count);
    assert_memory_equal(found_of(&a)->memory, found_of(&b)->memory,
                        (size_t)found.memory_count * sizeof(double) * (size_t)found_of(&a)->count);
    assert_int_equal(pc_sim_summary(b.sim).events_closed, 0);
    free((void*)found.contact);
    free((void*)found.memory);
    close_run(&a);
    close_run(&b);
  }
}

static void a_memory_of_another_system_is_refused(void** state)
{
  (void)state;
  run r = open_text(STACK, "moreau-jean", DT, NULL, NULL);
  const double memory[10] = {0};
  pc_shape_contact contact[2] = {{.key = {{0, 2}, 1}}, {.key = {{0, 1}, 1}}};
  pc_found_contacts found = {.count = 2, .contact = contact, .memory_count = 4, .memory = memory};
  assert_int_equal(pc_sim_restore_found(r.sim, &found, &r.error), PC_BAD_ARGUMENT); /* the order */
  found.count = 1;
  found.memory_count = 5;
  assert_int_equal(pc_sim_restore_found(r.sim, &found, &r.error), PC_BAD_ARGUMENT);
  found.memory_count = 4;
  contact[0].key.shape[1] = 3;
  assert_int_equal(pc_sim_restore_found(r.sim, &found, &r.error), PC_BAD_ARGUMENT);
  close_run(&r);
}

/* The numbers of an observer of the run, and of one that is shown it later. */
typedef struct sums {
  long contacts, opened, closed;
  double P, place, memory;
} sums;

static int add_up(void* user, const pc_observation* seen)
{
  sums* s = user;
  const pc_found_contacts* found = seen->found;
  s->contacts += found->count;
  s->opened += found->opened_count;
  for (int i = 0; i < found->count; i++) {
    s->closed += found->contact[i].closed;
    s->P += found->contact[i].P_N;
    s->place += found->contact[i].point[0] * (double)found->contact[i].key.shape[1];
  }
  for (int i = 0; i < found->count * found->memory_count; i++) s->memory += found->memory[i];
  return 1;
}

static void a_history_keeps_contacts_between_shapes(void** state)
{
  (void)state;
  run r = open_text(BALL, "rattle", DT, NULL, NULL);
  sums live = {0}, later = {0};
  pc_history* history;
  CHECK_OK(pc_history_create(pc_model_system(r.model), &history, &r.error), r.error);
  CHECK_OK(pc_sim_add_observer(r.sim, add_up, &live, &r.error), r.error);
  CHECK_OK(pc_sim_add_observer(r.sim, pc_history_observe, history, &r.error), r.error);
  CHECK_OK(pc_sim_run(r.sim, 1, &r.error), r.error);
  CHECK_OK(pc_history_show(history, 0, add_up, &later, &r.error), r.error);
  assert_true(live.closed >= 2 && live.opened >= 2);
  assert_memory_equal(&live, &later, sizeof live);
  pc_history_destroy(history);
  close_run(&r);
}

/* The upper box is 2 mm too low, the lower one 1 mm. */
static void overlaps_at_the_start_are_told(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\n"
      "gravity: [0, -9.81]\n"
      "bodies:\n"
      "  low: {mass: 2, shape: {box: [0.4, 0.2]}, position: [0, 0.099]}\n"
      "  high: {mass: 1, shape: {box: [0.2, 0.2]}, position: [0.05, 0.297]}\n"
      "  apart: {mass: 1, shape: {disc: 0.1}, position: [1, 0.5]}\n"
      "shapes:\n"
      "  floor: {half-plane: [0, 1]}\n"
      "simulate: {scheme: moreau-jean, dt: 1e-3, until: 1}\n";
  run r = open_text(text, "moreau-jean", DT, NULL, NULL);
  const pc_system* system = pc_model_system(r.model);
  pc_check_report report;
  pc_scheme_settings settings = pc_model_settings(r.model);
  CHECK_OK(pc_check(system, &settings, NAN, &report, &r.error), r.error);
  assert_int_equal(report.consistent, 0);
  assert_int_equal(report.found.shape_count, 4);
  assert_int_equal(report.found.pair_count, 2);
  assert_int_equal(report.found.overlap_count, 2);
  assert_int_equal(report.found.overlap[0].shape[0], 0);
  assert_int_equal(report.found.overlap[0].shape[1], 1);
  CHECK_NEAR(report.found.overlap[0].depth, 0.002, 1e-12);
  CHECK_NEAR(report.found.overlap[1].depth, 0.001, 1e-12);
  CHECK_NEAR(report.start.penetration_max, 0.002, 1e-12);
  assert_int_equal(report.warning_count, 1); /* and none of bodies that fly freely */
  assert_non_null(strstr(report.warning[0].text, "2 pairs of shapes overlap"));
  assert_non_null(strstr(report.warning[0].text, "'low' (body low) and 'high' (high)"));
  pc_check_free(&report);
  close_run(&r);
}

/* Friction of shapes that are far apart, and none where they do not meet. */
static void a_scheme_without_friction_refuses_it_at_the_start(void** state)
{
  (void)state;
  run r = {0};
  CHECK_OK(pc_model_read_text(STACK, strlen(STACK), NULL, 0, &r.model, &r.error), r.error);
  pc_sim_def def = pc_default_sim_def();
  def.system = pc_model_system(r.model);
  def.scheme = "schatzman-paoli";
  assert_int_equal(pc_sim_create(&def, &r.sim, &r.error), PC_BAD_ARGUMENT);
  assert_non_null(strstr(r.error.text, "between shapes 'low' and 'high' (mu = 0.5)"));
  def.settings.frictionless = 1;
  CHECK_OK(pc_sim_create(&def, &r.sim, &r.error), r.error);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_that_hits_a_floor_is_one_contact),
      cmocka_unit_test(a_stack_at_rest_carries_its_weight),
      cmocka_unit_test(a_state_with_contacts_between_shapes_can_be_restored),
      cmocka_unit_test(a_memory_of_another_system_is_refused),
      cmocka_unit_test(overlaps_at_the_start_are_told),
      cmocka_unit_test(a_scheme_without_friction_refuses_it_at_the_start),
      cmocka_unit_test(a_history_keeps_contacts_between_shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
