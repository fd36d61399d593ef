/* Several recorders in several threads: rows are filled at the same time, HDF5 is used by one
 * thread at a time. */
#include <pthread.h>

#define PC_HDF5_NAMES_ONLY /* HDF5 itself, not the table of the library */
#include "record/hdf5.h"
#include "record/sample.h"

enum { THREADS = 4, STEPS = 3000 };

typedef struct job {
  pc_recorder* recorder;
  const pc_system* system;
  long first, count;
  int ok;
} job;

static pc_recorder* create(const char* path, const pc_system* system)
{
  pc_recorder_def def = pc_default_recorder_def();
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  def.path = path;
  def.system = system;
  CHECK_OK(pc_recorder_create(&def, &recorder, &error), error);
  return recorder;
}

static void* record(void* user)
{
  job* j = user;
  sample s = {0};
  j->ok = 1;
  for (long step = j->first; j->ok && step < j->first + j->count; step++)
    j->ok = pc_recorder_observe(j->recorder, observe(&s, j->system, step));
  return NULL;
}

/* A thread that had to wait for this one would wait for ever: it would be a deadlock, which the
 * time limit of ctest ends. */
static void rows_are_filled_while_another_thread_uses_hdf5(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  job j = {.recorder = create(p.path, system), .system = system, .count = 2};
  record(&j); /* the first states define datasets */
  assert_true(j.ok);
  j.first = 2;
  j.count = 100; /* fewer than a chunk has */
  pthread_t thread;
  pc_hdf5_use use = pc_hdf5_begin();
  assert_int_equal(pthread_create(&thread, NULL, record, &j), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  pc_hdf5_end(use);
  assert_true(j.ok);
  assert_int_equal(pc_recorder_close(j.recorder, NULL), PC_OK);
  hid_t file = open_file(p.path);
  double* time = read_dataset(file, "time", 102, -1);
  CHECK_NEAR(time[101], 0.101, 1e-15);
  free(time);
  H5Fclose(file);
  pc_system_destroy(system);
  forget_place(&p);
}

static void check_file(const char* path)
{
  hid_t file = open_file(path);
  double* q = read_dataset(file, "q", STEPS, N_Q);
  for (long k = 0; k < STEPS; k++)
    for (int i = 0; i < N_Q; i++) CHECK_NEAR(q[k * N_Q + i], number('q', i, k), 0);
  free(q);
  H5Fclose(file);
}

static void recorders_in_threads_do_not_disturb_each_other(void** state)
{
  (void)state;
  pc_system* system = make_system(1);
  place p[THREADS];
  job j[THREADS];
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++) {
    p[i] = make_place();
    j[i] = (job){.recorder = create(p[i].path, system), .system = system, .count = STEPS};
  }
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, record, &j[i]), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    assert_true(j[i].ok);
    assert_int_equal(pc_recorder_close(j[i].recorder, NULL), PC_OK);
    check_file(p[i].path);
    forget_place(&p[i]);
  }
  pc_system_destroy(system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_filled_while_another_thread_uses_hdf5),
      cmocka_unit_test(recorders_in_threads_do_not_disturb_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
