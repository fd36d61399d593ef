/* One frozen system, several simulations in several threads: each gives what it gives alone, to the
 * last bit. */
#include <pthread.h>
#include <string.h>

#include "run.h"

enum { THREADS = 4, N = 64 };

typedef struct job {
  const pc_system* system;
  const char* scheme;
  double final[N];
  pc_status status;
} job;

static void* work(void* user)
{
  job* j = user;
  pc_error error = {0};
  pc_sim* sim = NULL;
  pc_sim_def def = {j->system, j->scheme, pc_default_scheme_settings()};
  def.settings.dt = 1e-4;
  j->status = pc_sim_create(&def, &sim, &error);
  if (j->status == PC_OK) j->status = pc_sim_run(sim, 0.05, &error);
  int count = pc_system_quantity_count(j->system);
  for (int i = 0; sim && i < count && i < N; i++)
    j->final[i] = pc_observe_quantity(pc_sim_observation(sim), i);
  pc_sim_destroy(sim);
  return NULL;
}

static void check_threads(const char* model)
{
  run r = open_run(model, "moreau", 0, NULL, NULL);
  const char* schemes[] = {"moreau", "moreau-jean"};
  job alone[2] = {{0}}, together[THREADS] = {{0}};
  for (int i = 0; i < 2; i++) {
    alone[i] = (job){.system = pc_model_system(r.model), .scheme = schemes[i]};
    work(&alone[i]);
    assert_int_equal(alone[i].status, PC_OK);
  }
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++) {
    together[i] = (job){.system = pc_model_system(r.model), .scheme = schemes[i % 2]};
    assert_int_equal(pthread_create(&thread[i], NULL, work, &together[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(together[i].status, PC_OK);
    assert_memory_equal(together[i].final, alone[i % 2].final, sizeof alone[0].final);
  }
  close_run(&r);
}

static void simulations_in_threads_do_not_disturb_each_other(void** state)
{
  (void)state;
  check_threads("slider-crank");
  check_threads("slider-crank-minimal");
}

static void a_run_repeats_itself_to_the_last_bit(void** state)
{
  (void)state;
  run r = open_run("slider-crank", "moreau", 0, NULL, NULL);
  job first = {.system = pc_model_system(r.model), .scheme = "moreau-jean"}, second = first;
  work(&first);
  work(&second);
  assert_memory_equal(first.final, second.final, sizeof first.final);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simulations_in_threads_do_not_disturb_each_other),
      cmocka_unit_test(a_run_repeats_itself_to_the_last_bit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
