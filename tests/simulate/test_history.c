/* A run in memory: who is shown it afterwards sees what an observer of the run itself has seen. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

enum { ROWS_MAX = 128, VALUES = 512 };

/* Everything that an observation holds, as numbers. */
typedef struct diary {
  int count, width;
  double value[ROWS_MAX][VALUES];
  int stop_at; /* 0: never */
} diary;

static int put(double* to, int at, const double* from, int count)
{
  assert_true(at + count <= VALUES);
  for (int i = 0; i < count; i++) to[at + i] = from ? from[i] : 0;
  return at + count;
}

static int put_scalars(const pc_observation* seen, double* to)
{
  const double scalar[] = {seen->state->t,
                           seen->kinetic,
                           seen->potential,
                           seen->info->dt,
                           seen->balance.work,
                           seen->balance.impact,
                           seen->balance.friction,
                           seen->balance.scheme,
                           seen->info->residual,
                           seen->info->solver_residual,
                           (double)seen->info->step,
                           (double)seen->state->step,
                           seen->info->iterations[0],
                           seen->info->active_contacts,
                           seen->info->substeps};
  return put(to, 0, scalar, sizeof scalar / sizeof *scalar);
}

static int note(void* user, const pc_observation* seen)
{
  diary* d = user;
  assert_true(d->count < ROWS_MAX);
  double* to = d->value[d->count++];
  const pc_system* s = seen->system;
  int rows = pc_system_row_count(s), contacts = pc_system_contact_count(s);
  int at = put_scalars(seen, to);
  at = put(to, at, seen->state->q, pc_system_q_count(s));
  at = put(to, at, seen->state->u, pc_system_u_count(s));
  at = put(to, at, seen->state->P, rows);
  at = put(to, at, seen->state->memory, seen->state->memory_count);
  at = put(to, at, seen->y, rows);
  at = put(to, at, seen->y_dot, rows);
  at = put(to, at, seen->output, pc_system_output_count(s));
  at = put(to, at, seen->y_dot_before, rows);
  at = put(to, at, seen->P_before, rows);
  at = put(to, at, seen->info->impact_law, contacts);
  at = put(to, at, seen->info->friction_law, contacts);
  for (int i = 0; i < pc_system_quantity_count(s); i++)
    at = put(to, at, (double[]){pc_observe_quantity(seen, i)}, 1);
  for (int i = 0; i < contacts; i++) {
    pc_event event = pc_observe_event(seen, i);
    at = put(to, at, (double[]){event.kind, event.P_N, event.velocity_before}, 3);
  }
  d->width = at;
  return !d->stop_at || d->count < d->stop_at;
}

static void what_is_shown_again_is_what_was_seen(void** state)
{
  (void)state;
  static const char* const schemes[] = {"moreau-jean", "rattle", "generalized-alpha"};
  for (int i = 0; i < 3; i++) {
    run r = open_run("slider-crank", schemes[i], 1e-4, NULL, NULL);
    diary *live = calloc(1, sizeof *live), *later = calloc(1, sizeof *later);
    pc_history* history = NULL;
    CHECK_OK(pc_history_create(pc_model_system(r.model), &history, &r.error), r.error);
    CHECK_OK(pc_sim_add_observer(r.sim, note, live, &r.error), r.error);
    CHECK_OK(pc_sim_add_observer(r.sim, pc_history_observe, history, &r.error), r.error);
    run_until(&r, 0.01);
    assert_int_equal(pc_history_length(history), 101);
    CHECK_OK(pc_history_show(history, 0, note, later, &r.error), r.error);
    assert_int_equal(later->count, live->count);
    assert_int_equal(later->width, live->width);
    assert_memory_equal(later->value, live->value, sizeof live->value);
    close_run(&r);
    pc_history_destroy(history);
    free(live);
    free(later);
  }
}

/* What is kept of contacts that are found, step by step. */
typedef struct found_diary {
  int count;
  double memory[400];
} found_diary;

static int note_found(void* user, const pc_observation* seen)
{
  found_diary* d = user;
  int n = seen->found->count * seen->found->memory_count;
  assert_true(d->count + n <= 400);
  for (int i = 0; i < n; i++) d->memory[d->count++] = seen->found->memory[i];
  return 1;
}

static void the_memory_of_found_contacts_is_shown_again(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\ngravity: [0, -10]\nmaterials: {default: {friction: 0.3}}\n"
      "bodies: {block: {density: 1, shape: {box: [0.2, 0.1]}, position: [0, 0.05], velocity: [1, "
      "0]}}\n"
      "shapes: {floor: {half-plane: [0, 1]}}\n",
      "rattle", 1e-3, NULL, NULL);
  found_diary live = {0}, later = {0};
  pc_history* history = NULL;
  CHECK_OK(pc_history_create(pc_model_system(r.model), &history, &r.error), r.error);
  CHECK_OK(pc_sim_add_observer(r.sim, note_found, &live, &r.error), r.error);
  CHECK_OK(pc_sim_add_observer(r.sim, pc_history_observe, history, &r.error), r.error);
  run_until(&r, 0.005);
  CHECK_OK(pc_history_show(history, 0, note_found, &later, &r.error), r.error);
  assert_true(live.count > 20);
  assert_int_equal(later.count, live.count);
  assert_memory_equal(later.memory, live.memory, sizeof live.memory);
  close_run(&r);
  pc_history_destroy(history);
}

static void a_part_of_it_can_be_shown(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "moreau-jean", 0.1, NULL, NULL);
  pc_history* history = NULL;
  diary* d = calloc(1, sizeof *d);
  d->stop_at = 3;
  CHECK_OK(pc_history_create(pc_model_system(r.model), &history, &r.error), r.error);
  CHECK_OK(pc_sim_add_observer(r.sim, pc_history_observe, history, &r.error), r.error);
  assert_int_equal(pc_history_bytes(history), 0);
  run_until(&r, 1);
  assert_true(pc_history_bytes(history) > 0);
  assert_int_equal(pc_history_show(history, 5, note, d, &r.error), PC_STOPPED);
  assert_non_null(strstr(r.error.text, "step 7"));
  CHECK_NEAR(d->value[0][0], 0.5, 1e-15);
  pc_history_clear(history);
  assert_int_equal(pc_history_length(history), 0);
  run_until(&r, 1.2);
  assert_int_equal(pc_history_length(history), 2);
  close_run(&r);
  pc_history_destroy(history);
  pc_history_destroy(NULL);
  free(d);
}

static pc_recorder* open_recorder(const run* r, const char* path)
{
  pc_recorder_def def = pc_default_recorder_def();
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  def.path = path;
  def.system = pc_model_system(r->model);
  def.quantity = pc_model_record(r->model, &def.quantity_count);
  def.force = 1;
  CHECK_OK(pc_recorder_create(&def, &recorder, &error), error);
  return recorder;
}

static void compare_files(const char* a, const char* b)
{
  pc_result* result[2] = {0};
  pc_error error = {0};
  CHECK_OK(pc_result_open(a, &result[0], &error), error);
  CHECK_OK(pc_result_open(b, &result[1], &error), error);
  long rows = pc_result_length(result[0]);
  int count = pc_result_series_count(result[0]);
  assert_int_equal(rows, pc_result_length(result[1]));
  assert_int_equal(count, pc_result_series_count(result[1]));
  double* value[2] = {calloc((size_t)rows, sizeof(double)), calloc((size_t)rows, sizeof(double))};
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 2; k++)
      CHECK_OK(pc_result_read(result[k], i, 0, rows, value[k], &error), error);
    assert_memory_equal(value[0], value[1], (size_t)rows * sizeof(double));
  }
  for (int k = 0; k < 2; k++) {
    free(value[k]);
    pc_result_close(result[k]);
  }
}

static void a_file_written_afterwards_is_that_of_the_run(void** state)
{
  (void)state;
  run r = open_run("slider-crank", "rattle", 1e-4, NULL, NULL);
  char live[] = "/tmp/percuss-live-XXXXXX", later[] = "/tmp/percuss-later-XXXXXX";
  close(mkstemp(live));
  close(mkstemp(later));
  pc_history* history = NULL;
  CHECK_OK(pc_history_create(pc_model_system(r.model), &history, &r.error), r.error);
  pc_recorder* recorder = open_recorder(&r, live);
  CHECK_OK(pc_sim_add_observer(r.sim, pc_recorder_observe, recorder, &r.error), r.error);
  CHECK_OK(pc_sim_add_observer(r.sim, pc_history_observe, history, &r.error), r.error);
  run_until(&r, 0.01);
  CHECK_OK(pc_recorder_close(recorder, &r.error), r.error);
  recorder = open_recorder(&r, later);
  CHECK_OK(pc_history_show(history, 0, pc_recorder_observe, recorder, &r.error), r.error);
  CHECK_OK(pc_recorder_close(recorder, &r.error), r.error);
  compare_files(live, later);
  pc_history_destroy(history);
  close_run(&r);
  unlink(live);
  unlink(later);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_shown_again_is_what_was_seen),
      cmocka_unit_test(the_memory_of_found_contacts_is_shown_again),
      cmocka_unit_test(a_part_of_it_can_be_shown),
      cmocka_unit_test(a_file_written_afterwards_is_that_of_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
