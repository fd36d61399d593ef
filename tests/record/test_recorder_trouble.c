/* Files that cannot be written, disks that fill up, runs that are killed. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "record/sample.h"

static pc_status try_create(const char* path, const pc_system* system, pc_recorder** recorder,
                            pc_error* error)
{
  pc_recorder_def def = pc_default_recorder_def();
  def.path = path;
  def.system = system;
  def.chunk_rows = 1024;
  return pc_recorder_create(&def, recorder, error);
}

/* Refused with a text that names the path and the reason. */
static void check_refused(const char* path, const pc_system* system, const char* reason)
{
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  assert_int_equal(try_create(path, system, &recorder, &error), PC_CANNOT_WRITE);
  assert_null(recorder);
  assert_int_equal(error.status, PC_CANNOT_WRITE);
  assert_non_null(strstr(error.text, path));
  if (!strstr(error.text, reason)) fail_msg("'%s' does not say '%s'", error.text, reason);
}

static void paths_that_cannot_be_written_are_refused_with_the_reason(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  char path[128];
  snprintf(path, sizeof path, "%s/none/result.h5", p.directory);
  check_refused(path, system, strerror(ENOENT));
  check_refused(p.directory, system, strerror(EISDIR));
  assert_int_equal(mkfifo(p.path, 0600), 0);
  check_refused(p.path, system, "not a regular file");
  unlink(p.path);
  close(open(p.path, O_CREAT | O_WRONLY, 0600));
  snprintf(path, sizeof path, "%s/result.h5", p.path);
  check_refused(path, system, strerror(ENOTDIR));
  unlink(p.path);
  chmod(p.directory, 0500);
  if (geteuid() != 0) check_refused(p.path, system, strerror(EACCES));
  chmod(p.directory, 0700);
  assert_int_equal(access(p.path, F_OK), -1);
  pc_system_destroy(system);
  forget_place(&p);
}

static void file_in_use_is_left_as_it_is(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  int descriptor = open(p.path, O_CREAT | O_RDWR, 0600);
  assert_int_equal(write(descriptor, "results", 7), 7);
  assert_int_equal(flock(descriptor, LOCK_EX), 0);
  check_refused(p.path, system, "another program has it open");
  char text[16] = {0};
  assert_int_equal(pread(descriptor, text, sizeof text, 0), 7);
  assert_string_equal(text, "results");
  close(descriptor);
  pc_system_destroy(system);
  forget_place(&p);
}

static void definitions_that_make_no_sense_are_refused(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  pc_recorder_def good = pc_default_recorder_def(), def;
  good.path = p.path;
  good.system = system;
  def = good;
  def.every = 0;
  assert_int_equal(pc_recorder_create(&def, &recorder, &error), PC_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "every"));
  def = good;
  def.path = NULL;
  assert_int_equal(pc_recorder_create(&def, &recorder, &error), PC_BAD_ARGUMENT);
  def = good;
  def.system = NULL;
  assert_int_equal(pc_recorder_create(&def, &recorder, &error), PC_BAD_ARGUMENT);
  def = good;
  def.quantity = &(int){pc_system_quantity_count(system)};
  def.quantity_count = 1;
  assert_int_equal(pc_recorder_create(&def, &recorder, &error), PC_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "quantity"));
  def.quantity_count = -1;
  assert_int_equal(pc_recorder_create(&def, &recorder, NULL), PC_BAD_ARGUMENT);
  assert_null(recorder);
  assert_int_equal(access(p.path, F_OK), -1);
  pc_system_destroy(system);
  forget_place(&p);
}

static herr_t own_printer(hid_t stack, void* user)
{
  (void)stack;
  (void)user;
  return 0;
}

static void printing_of_errors_stays_the_programs_own(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  H5E_auto2_t kept;
  void* kept_user;
  H5Eget_auto2(H5E_DEFAULT, &kept, &kept_user);
  int mine;
  H5Eset_auto2(H5E_DEFAULT, own_printer, &mine);
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  CHECK_OK(try_create(p.path, system, &recorder, &error), error);
  pc_recorder* second = NULL; /* HDF5 itself refuses: this process has the file open */
  assert_int_equal(try_create(p.path, system, &second, &error), PC_CANNOT_WRITE);
  sample s;
  for (long step = 0; step < 3000; step++) pc_recorder_observe(recorder, observe(&s, system, step));
  CHECK_OK(pc_recorder_close(recorder, &error), error);
  H5E_auto2_t print;
  void* user;
  H5Eget_auto2(H5E_DEFAULT, &print, &user);
  assert_ptr_equal(print, own_printer);
  assert_ptr_equal(user, &mine);
  H5Eset_auto2(H5E_DEFAULT, kept, kept_user);
  pc_system_destroy(system);
  forget_place(&p);
}

/* Exit status of a child that runs `body`; what it writes to stderr goes to `noise`. */
static int in_child(int (*body)(const char* path, const pc_system* system), const char* path,
                    const pc_system* system, const char* noise)
{
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    int descriptor = open(noise, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    dup2(descriptor, STDERR_FILENO);
    _exit(body(path, system));
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static int record_and_vanish(const char* path, const pc_system* system)
{
  pc_recorder* recorder = NULL;
  if (try_create(path, system, &recorder, NULL) != PC_OK) return 1;
  sample s;
  for (long step = 0; step < 3000; step++)
    if (!pc_recorder_observe(recorder, observe(&s, system, step))) return 2;
  return 0; /* and the process ends, without closing anything */
}

/* The number of rows of /time, all of which must hold what was observed, in /contacts/P_N too. */
static long check_rows_that_are_there(const char* path)
{
  hid_t file = open_file(path);
  hid_t dataset = H5Dopen2(file, "time", H5P_DEFAULT);
  hid_t space = H5Dget_space(dataset);
  hsize_t rows = 0;
  H5Sget_simple_extent_dims(space, &rows, NULL);
  H5Sclose(space);
  H5Dclose(dataset);
  double* time = read_dataset(file, "time", (long)rows, -1);
  double* P = read_dataset(file, "contacts/P_N", (long)rows, N_CONTACT);
  for (long k = 0; k < (long)rows; k++) {
    CHECK_NEAR(time[k], 1e-3 * (double)k, 0);
    for (int i = 0; i < N_CONTACT; i++)
      CHECK_NEAR(P[k * N_CONTACT + i], number('P', normal_row[i], k), 0);
  }
  free(time);
  free(P);
  H5Fclose(file);
  return (long)rows;
}

static void killed_run_leaves_a_readable_file(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  assert_int_equal(in_child(record_and_vanish, p.path, system, "/dev/null"), 0);
  assert_int_equal(check_rows_that_are_there(p.path), 2048); /* two full buffers */
  pc_system_destroy(system);
  forget_place(&p);
}

static rlim_t disk_bytes; /* that a file may have */

static int record_until_full(const char* path, const pc_system* system)
{
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit limit = {disk_bytes, disk_bytes};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
  pc_recorder* recorder = NULL;
  if (try_create(path, system, &recorder, NULL) != PC_OK) return 2;
  sample s;
  long step = 0;
  while (step < 100000 && pc_recorder_observe(recorder, observe(&s, system, step))) step++;
  if (step == 100000) return 3;
  if (pc_recorder_observe(recorder, observe(&s, system, step + 1))) return 4;
  pc_error error = {0};
  if (pc_recorder_close(recorder, &error) != PC_CANNOT_WRITE) return 5;
  if (!strstr(error.text, path) || !strstr(error.text, strerror(EFBIG))) return 6;
  return H5close() < 0 ? 7 : 0; /* what HDF5 does when a program ends */
}

static void full_disk_stops_the_run_and_keeps_what_was_written(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  char noise[128];
  snprintf(noise, sizeof noise, "%s/noise", p.directory);
  for (disk_bytes = 2800000; disk_bytes < 4800000; disk_bytes += 130000) {
    assert_int_equal(in_child(record_until_full, p.path, system, noise), 0);
    struct stat said;
    assert_int_equal(stat(noise, &said), 0);
    assert_int_equal(said.st_size, 0);
    unlink(noise);
    assert_true(check_rows_that_are_there(p.path) >= 1024);
  }
  pc_system_destroy(system);
  forget_place(&p);
}

static int create_on_full_disk(const char* path, const pc_system* system)
{
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit limit = {1000, 1000};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
  pc_recorder* recorder = NULL;
  if (try_create(path, system, &recorder, NULL) != PC_CANNOT_WRITE) return 2;
  if (access(path, F_OK) == 0) return 3;
  return H5close() < 0 ? 4 : 0;
}

static void full_disk_leaves_no_file_without_datasets(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  assert_int_equal(in_child(create_on_full_disk, p.path, system, "/dev/null"), 0);
  pc_system_destroy(system);
  forget_place(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_that_cannot_be_written_are_refused_with_the_reason),
      cmocka_unit_test(file_in_use_is_left_as_it_is),
      cmocka_unit_test(definitions_that_make_no_sense_are_refused),
      cmocka_unit_test(printing_of_errors_stays_the_programs_own),
      cmocka_unit_test(killed_run_leaves_a_readable_file),
      cmocka_unit_test(full_disk_stops_the_run_and_keeps_what_was_written),
      cmocka_unit_test(full_disk_leaves_no_file_without_datasets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
