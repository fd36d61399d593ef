/* Runs that are interrupted anywhere and go on: the file must come out as if nothing had
 * happened. */
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "record/compare.h"
#include "run.h"

enum { STEPS = 3000 };

static pc_recorder_def def_of(const char* path, const pc_system* system, long every)
{
  pc_recorder_def def = pc_default_recorder_def();
  def.path = path;
  def.system = system;
  def.every = every;
  def.model_text = "first\nsecond\n";
  def.options = "scheme=moreau\ndt=0.001\nuntil=3\nset:mu=0.1";
  return def;
}

/* Shows the steps from `first` to `last` to a recorder. */
static void show(pc_recorder* recorder, const pc_system* system, long first, long last)
{
  sample s;
  for (long step = first; step <= last; step++)
    assert_true(pc_recorder_observe(recorder, observe(&s, system, step)));
}

static void record_whole(const pc_recorder_def* def, long last)
{
  pc_recorder* recorder;
  pc_error error = {0};
  CHECK_OK(pc_recorder_create(def, &recorder, &error), error);
  show(recorder, def->system, 0, last);
  CHECK_OK(pc_recorder_close(recorder, &error), error);
}

/* What was restored is what was observed at that step. */
static void check_state(const pc_resume_state* resume)
{
  CHECK_NEAR(resume->t, 1e-3 * (double)resume->step, 0);
  for (int i = 0; i < N_Q; i++) {
    CHECK_NEAR(resume->q[i], number('q', i, resume->step), 0);
    CHECK_NEAR(resume->u[i], number('u', i, resume->step), 0);
  }
  for (int i = 0; i < N_ROW; i++) CHECK_NEAR(resume->P[i], number('P', i, resume->step), 0);
  assert_int_equal(resume->memory_count, 0);
}

/* Goes on to step `last`; returns the step from which it went on. */
static long go_on(const pc_recorder_def* def, long last)
{
  pc_recorder* recorder;
  pc_resume_state resume;
  pc_error error = {0};
  CHECK_OK(pc_recorder_resume(def, last, &resume, &recorder, &error), error);
  assert_false(resume.finished);
  if (resume.step > 0) check_state(&resume);
  show(recorder, def->system, resume.step > 0 ? resume.step + 1 : 0, last);
  CHECK_OK(pc_recorder_close(recorder, &error), error);
  return resume.step;
}

static void stopped_run_goes_on_as_if_it_had_not_stopped(void** state)
{
  (void)state;
  static const struct {
    long every, stop, from;
  } cases[] = {{1, 1500, 1500},  {1, 0, 0},         {1, 1023, 1023}, {10, 1500, 1500},
               {10, 1503, 1500}, {10, 7, 0},        {700, 5, 0},     {700, 699, 0},
               {700, 700, 700},  {700, 2500, 2100}, {5000, 2000, 0}};
  place whole = make_place(), p = make_place();
  pc_system* system = make_system(1);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pc_recorder_def def = def_of(whole.path, system, cases[i].every);
    record_whole(&def, STEPS);
    def.path = p.path;
    record_whole(&def, cases[i].stop);
    assert_int_equal(go_on(&def, STEPS), cases[i].from);
    check_same(whole.path, p.path);
  }
  pc_system_destroy(system);
  forget_place(&p);
  forget_place(&whole);
}

static void run_may_be_stopped_many_times(void** state)
{
  (void)state;
  place whole = make_place(), p = make_place();
  pc_system* system = make_system(1);
  pc_recorder_def def = def_of(whole.path, system, 3);
  record_whole(&def, STEPS);
  def.path = p.path;
  record_whole(&def, 1);
  for (long last = 98; last < STEPS; last += 97) go_on(&def, last);
  go_on(&def, STEPS);
  check_same(whole.path, p.path);
  pc_system_destroy(system);
  forget_place(&p);
  forget_place(&whole);
}

/* Kills itself with SIGKILL after step `last`. */
static void record_and_die(pc_recorder_def def, int resume, long last)
{
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    pc_recorder* recorder = NULL;
    pc_resume_state from = {0};
    if (resume)
      pc_recorder_resume(&def, last, &from, &recorder, NULL);
    else
      pc_recorder_create(&def, &recorder, NULL);
    sample s;
    long first = from.step > 0 ? from.step + 1 : 0;
    for (long step = first; recorder && step <= last; step++)
      pc_recorder_observe(recorder, observe(&s, def.system, step));
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void killed_run_goes_on_as_if_it_had_not_been_killed(void** state)
{
  (void)state;
  place whole = make_place(), p = make_place();
  pc_system* system = make_system(1);
  for (long every = 1; every <= 10; every += 9)
    for (double seconds = 0; seconds <= 60; seconds += 60) {
      pc_recorder_def def = def_of(whole.path, system, every);
      record_whole(&def, STEPS);
      def.path = p.path;
      def.flush_seconds = seconds;
      record_and_die(def, 0, 1234);
      record_and_die(def, 1, 1235);
      record_and_die(def, 1, 2345);
      long from = go_on(&def, STEPS);
      if (seconds == 0) assert_int_equal(from, every == 1 ? 2344 : 2340);
      check_same(whole.path, p.path);
    }
  pc_system_destroy(system);
  forget_place(&p);
  forget_place(&whole);
}

/* Lengthens one dataset, as a kill in the middle of a flush does. */
static void lengthen(const char* path, const char* name, hsize_t rows, hsize_t width)
{
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  assert_true(H5Dset_extent(dataset, (const hsize_t[2]){rows, width}) >= 0);
  H5Dclose(dataset);
  H5Fclose(file);
}

static void rows_that_were_never_completed_are_dropped(void** state)
{
  (void)state;
  place whole = make_place(), p = make_place();
  pc_system* system = make_system(1);
  pc_recorder_def def = def_of(whole.path, system, 1);
  record_whole(&def, STEPS);
  def.path = p.path;
  record_whole(&def, 1500);
  lengthen(p.path, "time", 1900, 0);
  lengthen(p.path, "q", 3500, N_Q);
  lengthen(p.path, "iterations/newton", 1700, 0);
  lengthen(p.path, "ledger/events/P_F", 1700, 3);
  assert_int_equal(go_on(&def, STEPS), 1500);
  check_same(whole.path, p.path);
  record_whole(&def, 1500);
  lengthen(p.path, "u", 1200, N_Q); /* shorter: interrupted while rows were dropped */
  assert_int_equal(go_on(&def, STEPS), 1199);
  check_same(whole.path, p.path);
  pc_system_destroy(system);
  forget_place(&p);
  forget_place(&whole);
}

static void finished_run_is_left_as_it_is(void** state)
{
  (void)state;
  place p = make_place(), copy = make_place();
  pc_system* system = make_system(1);
  pc_recorder_def def = def_of(copy.path, system, 10);
  record_whole(&def, 105);
  def.path = p.path;
  record_whole(&def, 105);
  for (long until = 0; until <= 105; until += 21) {
    pc_recorder* recorder;
    pc_resume_state resume;
    pc_error error = {0};
    CHECK_OK(pc_recorder_resume(&def, until, &resume, &recorder, &error), error);
    assert_true(resume.finished);
    assert_int_equal(resume.step, 105);
    check_state(&resume);
    CHECK_OK(pc_recorder_close(recorder, &error), error);
    check_same(copy.path, p.path);
  }
  pc_system_destroy(system);
  forget_place(&p);
  forget_place(&copy);
}

static void another_step_than_the_next_is_refused(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  pc_recorder_def def = def_of(p.path, system, 1);
  record_whole(&def, 10);
  pc_recorder* recorder;
  pc_resume_state resume;
  pc_error error = {0};
  sample s;
  CHECK_OK(pc_recorder_resume(&def, 20, &resume, &recorder, &error), error);
  assert_false(pc_recorder_observe(recorder, observe(&s, system, 12)));
  assert_int_equal(pc_recorder_close(recorder, &error), PC_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "step 11"));
  pc_system_destroy(system);
  forget_place(&p);
}

/* Refused, with a text that says this. */
static void check_refused(const pc_recorder_def* def, pc_status want, const char* fragment)
{
  pc_recorder* recorder;
  pc_resume_state resume;
  pc_error error = {0};
  assert_int_equal(pc_recorder_resume(def, 100, &resume, &recorder, &error), want);
  assert_null(recorder);
  assert_non_null(strstr(error.text, def->path));
  if (!strstr(error.text, fragment)) fail_msg("'%s' does not say '%s'", error.text, fragment);
}

static void another_run_is_refused_and_its_file_not_touched(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  const pc_recorder_def good = def_of(p.path, system, 10);
  record_whole(&good, 15);
  struct stat before, after;
  assert_int_equal(stat(p.path, &before), 0);
  pc_recorder_def def = good;
  def.model_text = "first\n2nd\n";
  check_refused(&def, PC_BAD_ARGUMENT, "line 2");
  def = good;
  def.every = 5;
  check_refused(&def, PC_BAD_ARGUMENT, "every=10, this run has every=5");
  def = good;
  def.options = "scheme=rattle\ndt=0.001\nuntil=3\nset:mu=0.1";
  check_refused(&def, PC_BAD_ARGUMENT, "with scheme=moreau, this run has scheme=rattle");
  def.options = "scheme=moreau\ndt=0.002\nuntil=3\nset:mu=0.1";
  check_refused(&def, PC_BAD_ARGUMENT, "dt=0.001, this run has dt=0.002");
  def.options = "scheme=moreau\ndt=0.001\nuntil=3";
  check_refused(&def, PC_BAD_ARGUMENT, "with set:mu=0.1, this run is without");
  def.options = "scheme=moreau\ndt=0.001\nuntil=3\nset:mu=0.1\ntheta=1";
  check_refused(&def, PC_BAD_ARGUMENT, "without theta=1");
  assert_int_equal(stat(p.path, &after), 0);
  assert_int_equal(before.st_size, after.st_size);
  assert_int_equal(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
  assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
  def.options = "until=7\nset:mu=0.1\ndt=0.001\nscheme=moreau";
  go_on(&def, 100);
  pc_system_destroy(system);
  forget_place(&p);
}

static void files_that_are_no_results_are_refused(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  pc_recorder_def def = def_of(p.path, system, 1);
  check_refused(&def, PC_BAD_MODEL, "No such file");
  int descriptor = open(p.path, O_CREAT | O_RDWR, 0600);
  check_refused(&def, PC_BAD_MODEL, "not a result");
  assert_int_equal(write(descriptor, "percuss: 1\n", 11), 11);
  check_refused(&def, PC_BAD_MODEL, "not a result");
  assert_int_equal(flock(descriptor, LOCK_EX), 0);
  check_refused(&def, PC_CANNOT_WRITE, "another program");
  close(descriptor);
  H5Fclose(H5Fcreate(p.path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  check_refused(&def, PC_BAD_MODEL, "not a result");
  def.force = 1; /* what is there is no result, and may go */
  record_whole(&def, 3000);
  assert_int_equal(truncate(p.path, 20000), 0);
  check_refused(&def, PC_BAD_MODEL, "damaged");
  record_whole(&def, 30);
  hid_t file = H5Fopen(p.path, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "constraints/P", H5P_DEFAULT);
  H5Fclose(file);
  check_refused(&def, PC_BAD_MODEL, "constraints/P");
  def.path = p.directory;
  check_refused(&def, PC_BAD_MODEL, "not a regular file");
  if (geteuid() != 0) {
    def.path = p.path;
    chmod(p.path, 0400);
    check_refused(&def, PC_CANNOT_WRITE, "Permission denied");
  }
  pc_system_destroy(system);
  forget_place(&p);
}

static void replace_text_attribute(const char* path, const char* name, const char* text)
{
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1);
  hid_t space = H5Screate(H5S_SCALAR);
  assert_true(H5Adelete(file, name) >= 0 && H5Tset_size(type, strlen(text)) >= 0);
  hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Awrite(attribute, type, text) >= 0);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  H5Fclose(file);
}

/* The same numbers in single precision, or without checksums. */
static void replace_time(const char* path, hid_t type, int checked)
{
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t old = H5Dopen2(file, "time", H5P_DEFAULT), space = H5Dget_space(old);
  hid_t creation = checked ? H5Dget_create_plist(old) : H5Pcreate(H5P_DATASET_CREATE);
  hsize_t chunk = 64;
  if (!checked) H5Pset_chunk(creation, 1, &chunk);
  double values[STEPS + 1];
  assert_true(H5Dread(old, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(old);
  assert_true(H5Ldelete(file, "time", H5P_DEFAULT) >= 0);
  hid_t dataset = H5Dcreate2(file, "time", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
  H5Fclose(file);
}

static void another_version_or_type_is_refused_with_the_reason(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  pc_recorder_def def = def_of(p.path, system, 10);
  record_whole(&def, 200);
  replace_text_attribute(p.path, "percuss_version", "0.0.9");
  check_refused(&def, PC_BAD_MODEL, "percuss 0.0.9 wrote it, this is");
  record_whole(&def, 200);
  replace_time(p.path, H5T_IEEE_F32LE, 1);
  check_refused(&def, PC_BAD_MODEL, "/time has another shape, type or storage");
  record_whole(&def, 200);
  replace_time(p.path, H5T_IEEE_F64LE, 0);
  check_refused(&def, PC_BAD_MODEL, "/time has another shape, type or storage");
  pc_system_destroy(system);
  forget_place(&p);
}

/* Changes a byte of the last chunk of a dataset in the file. */
static void damage_last_chunk(const char* path, const char* name)
{
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
  hsize_t count = 0, bytes = 0;
  haddr_t at = 0;
  assert_true(H5Dget_num_chunks(dataset, space, &count) >= 0 && count > 0);
  assert_true(H5Dget_chunk_info(dataset, space, count - 1, NULL, NULL, &at, &bytes) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  FILE* raw = fopen(path, "r+b");
  assert_non_null(raw);
  assert_int_equal(fseek(raw, (long)at, SEEK_SET), 0);
  int byte = fgetc(raw);
  assert_int_equal(fseek(raw, (long)at, SEEK_SET), 0);
  assert_int_equal(fputc(byte ^ 4, raw), byte ^ 4);
  assert_int_equal(fclose(raw), 0);
}

/* Iterations are appended to by HDF5, which reads the chunk first: it must not look like a disk
 * that cannot be written. */
static void damage_where_rows_are_appended_is_named(void** state)
{
  (void)state;
  static const char* const names[] = {
      "iterations/newton",   "iterations/solver", "energy/kinetic", "contacts/gap", "time",
      "ledger/energy/impact"};
  place p = make_place();
  pc_system* system = make_system(1);
  pc_recorder_def def = def_of(p.path, system, 1);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (long last = 20; last < 90; last += 7) {
      record_whole(&def, last);
      damage_last_chunk(p.path, names[i]);
      check_refused(&def, PC_BAD_MODEL, names[i]);
    }
  def.expected_rows = 41; /* a full chunk: no row of it is needed, but its place in the index is */
  for (int i = 0; i < 2; i++) {
    record_whole(&def, 40);
    damage_last_chunk(p.path, names[i]);
    check_refused(&def, PC_BAD_MODEL, names[i]);
  }
  pc_system_destroy(system);
  forget_place(&p);
}

static void memory_of_the_scheme_is_restored(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  pc_recorder_def def = def_of(p.path, system, 1);
  pc_recorder* recorder;
  pc_resume_state resume = {0};
  pc_error error = {0};
  sample s;
  CHECK_OK(pc_recorder_create(&def, &recorder, &error), error);
  for (long step = 0; step <= 9; step++) {
    if (step == 5) {
      CHECK_OK(pc_recorder_close(recorder, &error), error);
      CHECK_OK(pc_recorder_resume(&def, 9, &resume, &recorder, &error), error);
      assert_int_equal(resume.memory_count, 2);
      CHECK_NEAR(resume.memory[0], 4, 0);
      CHECK_NEAR(resume.memory[1], -4, 0);
    }
    observe(&s, system, step);
    s.state.memory = (double[2]){(double)step, -(double)step};
    s.state.memory_count = 2;
    assert_true(pc_recorder_observe(recorder, &s.seen));
  }
  s.state.memory_count = 1;
  s.info.step = 10;
  assert_false(pc_recorder_observe(recorder, &s.seen));
  assert_int_equal(pc_recorder_close(recorder, &error), PC_BAD_ARGUMENT);
  pc_system_destroy(system);
  forget_place(&p);
}

/* --- a real simulation ------------------------------------------------------------------------ */

static double sum(hid_t file, const char* path, long rows)
{
  double* numbers = read_dataset(file, path, rows, -1);
  double total = 0;
  for (long k = 0; k < rows; k++) total += numbers[k];
  free(numbers);
  return total;
}

static void energy_balance_closes_over_the_rows_of_the_file(void** state)
{
  (void)state;
  place p = make_place();
  for (long every = 1; every <= 49; every += 48) {
    run r = open_run("slider-crank", "moreau-jean", 1e-4, NULL, NULL);
    pc_recorder_def def = def_of(p.path, pc_model_system(r.model), every);
    pc_recorder* recorder;
    CHECK_OK(pc_recorder_create(&def, &recorder, &r.error), r.error);
    CHECK_OK(pc_sim_add_observer(r.sim, pc_recorder_observe, recorder, &r.error), r.error);
    run_until(&r, 0.08);
    CHECK_OK(pc_recorder_close(recorder, &r.error), r.error);
    pc_summary total = pc_sim_summary(r.sim);
    long rows = every == 1 ? 801 : 800 / 49 + 2;
    hid_t file = open_file(p.path);
    double* T = read_dataset(file, "energy/kinetic", rows, -1);
    double* V = read_dataset(file, "energy/potential", rows, -1);
    double work = sum(file, "ledger/energy/work", rows);
    double impact = sum(file, "ledger/energy/impact", rows);
    double friction = sum(file, "ledger/energy/friction", rows);
    double scheme = sum(file, "ledger/energy/scheme", rows);
    double E = T[0] + V[0];
    assert_true(impact > 1e-4 && friction > 1e-6);
    CHECK_NEAR(T[rows - 1] + V[rows - 1], E + work - impact - friction - scheme, 1e-13 * E);
    CHECK_NEAR(impact, total.balance.impact, 1e-13 * E);
    long events = total.events_closed + total.events_opened;
    assert_true(events > 10);
    double* kind = read_dataset(file, "ledger/events/kind", events, -1);
    for (long i = 0; i < events; i++) total.events_closed -= kind[i] == 1;
    assert_int_equal(total.events_closed, 0);
    free(kind);
    free(T);
    free(V);
    H5Fclose(file);
    close_run(&r);
  }
  forget_place(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stopped_run_goes_on_as_if_it_had_not_stopped),
      cmocka_unit_test(run_may_be_stopped_many_times),
      cmocka_unit_test(killed_run_goes_on_as_if_it_had_not_been_killed),
      cmocka_unit_test(rows_that_were_never_completed_are_dropped),
      cmocka_unit_test(finished_run_is_left_as_it_is),
      cmocka_unit_test(another_step_than_the_next_is_refused),
      cmocka_unit_test(another_run_is_refused_and_its_file_not_touched),
      cmocka_unit_test(files_that_are_no_results_are_refused),
      cmocka_unit_test(another_version_or_type_is_refused_with_the_reason),
      cmocka_unit_test(damage_where_rows_are_appended_is_named),
      cmocka_unit_test(memory_of_the_scheme_is_restored),
      cmocka_unit_test(energy_balance_closes_over_the_rows_of_the_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
