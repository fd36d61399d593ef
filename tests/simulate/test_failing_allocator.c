/* No memory, at any moment: for every k the k-th allocation of a complete run fails. Each time there
 * must be a clean error, and nothing may be left behind. Only calls from percuss itself are counted
 * and failed; LAPACK, SuiteSparse and libyaml are linked as shared libraries and keep theirs. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

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
  return ++calls == failing;
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

static int watch(void* user, const pc_observation* seen)
{
  (void)user;
  return seen->info->step >= 0;
}

static pc_status simulate(const pc_model* model, const char* scheme, pc_error* error)
{
  pc_sim* sim = NULL;
  pc_sim_def def = {pc_model_system(model), scheme, pc_model_settings(model)};
  pc_status status = pc_sim_create(&def, &sim, error);
  if (status == PC_OK) status = pc_sim_add_observer(sim, watch, NULL, error);
  for (int i = 0; status == PC_OK && i < STEPS; i++) status = pc_sim_step(sim, error);
  pc_sim_destroy(sim);
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
  status = simulate(model, scheme, error);
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

static void fail_everywhere(const char* name, const pc_override* override, const char* scheme)
{
  char path[512];
  snprintf(path, sizeof path, "%s/models/%s.yaml", PC_SOURCE_DIR, name);
  run_without(0, path, override, scheme);
  assert_true(calls > 20);
  long k = 1;
  while (run_without(k, path, override, scheme)) k++;
}

static void bodies_joints_and_contacts_survive_without_memory(void** state)
{
  (void)state;
  const pc_override mu = {"mu", "0.1"};
  fail_everywhere("slider-crank", &mu, "moreau-jean");
  fail_everywhere("slider-crank", NULL, "moreau");
}

static void formulas_survive_without_memory(void** state)
{
  (void)state;
  fail_everywhere("bouncing-ball", NULL, "moreau-jean");
  fail_everywhere("slider-crank-minimal", NULL, "moreau");
}

static void every_model_survives_without_memory(void** state)
{
  (void)state;
  static const char* const models[] = {"block-on-incline", "four-legged-table", "oscillator",
                                       "rocking-block",    "rotating-ball",     "slider-roller"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++)
    fail_everywhere(models[i], NULL, "moreau-jean");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_joints_and_contacts_survive_without_memory),
      cmocka_unit_test(formulas_survive_without_memory),
      cmocka_unit_test(every_model_survives_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
