/* No memory, at any moment: for every k the k-th allocation of a complete run fails. Each time
 * there must be a clean error, and nothing may be left behind. Only calls from percuss itself are
 * counted and failed; SuiteSparse and libyaml are linked as shared libraries and keep theirs. */
#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "percuss/percuss.h"

static long calls;   /* allocations since the beginning of a run */
static long failing; /* the one that fails, from 1; 0: none */
static long live;    /* blocks that are not yet released */

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void* memory);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);
void* __wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void* memory);

static int fails(void)
{
  if (++calls != failing) return 0;
  errno = ENOMEM;
  return 1;
}

static void* counted(void* memory)
{
  if (memory) live++;
  return memory;
}

void* __wrap_malloc(size_t size)
{
  return fails() ? NULL : counted(__real_malloc(size));
}

void* __wrap_calloc(size_t count, size_t size)
{
  return fails() ? NULL : counted(__real_calloc(count, size));
}

void* __wrap_realloc(void* memory, size_t size)
{
  if (fails()) return NULL;
  if (!memory) return counted(__real_malloc(size));
  return __real_realloc(memory, size);
}

void* __wrap_aligned_alloc(size_t alignment, size_t size)
{
  return fails() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void* memory)
{
  if (memory) live--;
  __real_free(memory);
}

enum { STEPS = 20 };

static int observe(void* user, const pc_observation* seen)
{
  (void)user;
  return seen->info->step >= 0;
}

static pc_status simulate(const pc_model* model, const char* scheme, pc_error* error)
{
  pc_sim* sim = NULL;
  pc_sim_def def = {pc_model_system(model), scheme, pc_model_settings(model)};
  pc_status status = pc_sim_create(&def, &sim, error);
  if (status == PC_OK) status = pc_sim_add_observer(sim, observe, NULL, error);
  for (int i = 0; status == PC_OK && i < STEPS; i++) status = pc_sim_step(sim, error);
  pc_sim_destroy(sim);
  return status;
}

static pc_status check(const pc_model* model, pc_error* error)
{
  pc_check_report report = {0};
  pc_scheme_settings settings = pc_model_settings(model);
  pc_status status =
      pc_check(pc_model_system(model), &settings, pc_model_until(model), &report, error);
  if (status == PC_OK) pc_check_free(&report); /* on failure nothing is left to free */
  return status;
}

/* From the file to the last step; a parameter is overridden on the way. */
static pc_status whole_run(const char* path, const pc_override* override, const char* scheme,
                           pc_error* error)
{
  pc_model* model = NULL;
  pc_status status = pc_model_read(path, override, override ? 1 : 0, &model, error);
  if (status != PC_OK) {
    assert_null(model);
    return status;
  }
  status = check(model, error);
  if (status == PC_OK) status = simulate(model, scheme, error);
  pc_model_destroy(model);
  return status;
}

/* The run with its k-th allocation failing; whether there was a k-th one. */
static int run_without(long k, const char* path, const pc_override* override, const char* scheme)
{
  pc_error error = {0};
  calls = live = 0;
  failing = k;
  pc_status status = whole_run(path, override, scheme, &error);
  failing = 0;
  if (live != 0) fail_msg("%s: %ld blocks left after allocation %ld failed", path, live, k);
  if (calls < k || k == 0) {
    CHECK_OK(status, error);
    return 0;
  }
  if (status != PC_OUT_OF_MEMORY || error.status != PC_OUT_OF_MEMORY || !error.text[0])
    fail_msg("%s: allocation %ld failed, and the status is '%s': %s", path, k,
             pc_status_text(status), error.text);
  return 1;
}

static void fail_everywhere(const char* file, const pc_override* override, const char* scheme)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s.yaml", PC_SOURCE_DIR, file);
  run_without(0, path, override, scheme);
  assert_true(calls > 20);
  long k = 1;
  while (run_without(k, path, override, scheme)) k++;
}

static void bodies_joints_and_contacts_survive_without_memory(void** state)
{
  (void)state;
  const pc_override mu = {"mu", "0.1"};
  fail_everywhere("models/slider-crank", &mu, "moreau-jean");
  fail_everywhere("models/slider-crank", NULL, "moreau");
}

static void formulas_survive_without_memory(void** state)
{
  (void)state;
  fail_everywhere("models/bouncing-ball", NULL, "moreau-jean");
  fail_everywhere("models/slider-crank-minimal", NULL, "moreau");
}

static void every_element_survives_without_memory(void** state)
{
  (void)state;
  fail_everywhere("fuzz/corpus/model/every-element", NULL, "moreau-jean");
  fail_everywhere("fuzz/corpus/model/every-element", NULL, "moreau");
}

static void sparse_factorisations_survive_without_memory(void** state)
{
  (void)state;
  fail_everywhere("fuzz/corpus/model/chain", NULL, "moreau-jean");
}

/* A recorder from its creation to the closed file; the first thing that goes wrong. Where memory is
 * missing while the file is made, the file cannot be written, and the text says why. */
static pc_status record(const pc_model* model, pc_error* error)
{
  int count = 0;
  pc_recorder_def def = pc_default_recorder_def();
  def.path = "failing_allocator.h5";
  def.system = pc_model_system(model);
  def.quantity = pc_model_record(model, &count);
  def.quantity_count = count;
  def.model_text = pc_model_text(model);
  pc_recorder* recorder = NULL;
  PC_TRY(pc_recorder_create(&def, &recorder, error));
  pc_sim* sim = NULL;
  pc_sim_def run = {def.system, "moreau-jean", pc_model_settings(model)};
  pc_status status = pc_sim_create(&run, &sim, error);
  if (status == PC_OK) status = pc_sim_add_observer(sim, pc_recorder_observe, recorder, error);
  if (status == PC_OK) status = pc_sim_run(sim, STEPS * run.settings.dt, error);
  pc_sim_destroy(sim);
  pc_error closing = {0};
  pc_status closed = pc_recorder_close(recorder, &closing);
  if (closed == PC_OK) return status;
  *error = closing; /* why the recorder had the run stopped */
  return closed;
}

/* Opens the recorded file, reads all of it, closes it. */
static pc_status read_result(const pc_model* model, pc_error* error)
{
  (void)model;
  pc_result* result = NULL;
  PC_TRY(pc_result_open("failing_allocator.h5", &result, error));
  double values[STEPS + 1];
  pc_status status = PC_OK;
  assert_int_equal(pc_result_length(result), STEPS + 1);
  for (int i = 0; status == PC_OK && i < pc_result_series_count(result); i++)
    status = pc_result_read(result, i, 0, STEPS + 1, values, error);
  pc_impact* impact = NULL;
  int count = 0;
  if (status == PC_OK) status = pc_result_impacts(result, &impact, &count, error);
  free(impact);
  pc_result_close(result);
  return status;
}

/* Fails every allocation of `work` in turn, up to the run that needs no more of them. */
static void fail_every_one(pc_status (*work)(const pc_model*, pc_error*), const pc_model* model)
{
  for (long k = 1;; k++) {
    pc_error error = {0};
    long before = live;
    calls = 0;
    failing = k;
    pc_status status = work(model, &error);
    failing = 0;
    assert_int_equal(live, before);
    if (calls < k) {
      CHECK_OK(status, error);
      break;
    }
    if (status != PC_OUT_OF_MEMORY && status != PC_CANNOT_WRITE)
      fail_msg("allocation %ld failed, and the status is '%s': %s", k, pc_status_text(status),
               error.text);
  }
}

static void results_survive_without_memory(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_model* model = NULL;
  CHECK_OK(pc_model_read(PC_SOURCE_DIR "/models/slider-crank.yaml", NULL, 0, &model, &error),
           error);
  fail_every_one(record, model);
  fail_every_one(read_result, model);
  remove("failing_allocator.h5");
  pc_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_joints_and_contacts_survive_without_memory),
      cmocka_unit_test(formulas_survive_without_memory),
      cmocka_unit_test(every_element_survives_without_memory),
      cmocka_unit_test(sparse_factorisations_survive_without_memory),
      cmocka_unit_test(results_survive_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
