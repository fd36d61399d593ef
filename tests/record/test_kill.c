/* Runs that are killed at any moment. A kill falls between two writes to the file, or into one that
 * crosses a page of memory: so every one of these places is tried, or each N-th of them (the
 * variable PERCUSS_KILL_EVERY; all take a few minutes). Whatever the place, the file opens and
 * holds the rows of all flushes before the last, and the resumed run ends with the same bits. */
#define _GNU_SOURCE
#include "record/compare.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "percuss/result.h"

enum { STEPS = 90, HALF = 47, CHUNK = 2, ROWS = 1500, PAGE = 4096, EVERY = 197 };

/* Shared between the test and the runs that it kills. */
typedef struct observed {
  long writes;    /* so far */
  long kill_at;   /* this one; 0: never */
  int tear;       /* not 0: in the middle of it, if it crosses a page */
  int torn;       /* that happened */
  long safe_rows; /* in the file for certain */
} observed;

static observed* seen;

/* In place of the C library's, for HDF5: it writes by this function alone. */
__attribute__((visibility("default"))) ssize_t pwrite(int file, const void* data, size_t size,
                                                      off_t offset)
{
  if (seen && ++seen->writes == seen->kill_at) {
    size_t left = PAGE - (size_t)offset % PAGE;
    seen->torn = seen->tear && size > left;
    if (seen->torn) syscall(SYS_pwrite64, file, data, left, offset);
    kill(getpid(), SIGKILL);
  }
  return syscall(SYS_pwrite64, file, data, size, offset);
}

/* Chunks of a page, or of several pages each. */
static pc_recorder_def def_of(const char* path, const pc_system* system, int large)
{
  pc_recorder_def def = pc_default_recorder_def();
  def.path = path;
  def.system = system;
  def.model_text = "a model";
  def.options = "dt=0.001";
  if (large)
    def.expected_rows = ROWS;
  else
    def.chunk_rows = CHUNK;
  def.flush_seconds = 0; /* with every step */
  return def;
}

static int record(const pc_recorder_def* def, long first, long last, pc_recorder* recorder)
{
  sample s;
  for (long step = first; step <= last; step++) {
    if (!pc_recorder_observe(recorder, observe(&s, def->system, step))) return 0;
    seen->safe_rows = step; /* the rows before this one were flushed */
  }
  return pc_recorder_close(recorder, NULL) == PC_OK;
}

static int record_all(const pc_recorder_def* def)
{
  pc_recorder* recorder = NULL;
  return pc_recorder_create(def, &recorder, NULL) == PC_OK && record(def, 0, STEPS, recorder);
}

/* A few steps more. */
static int record_more(const pc_recorder_def* def)
{
  pc_recorder* recorder = NULL;
  pc_resume_state from;
  return pc_recorder_resume(def, STEPS, &from, &recorder, NULL) == PC_OK &&
         record(def, from.step + 1, from.step + 3, recorder);
}

/* Runs in a child; 1 if it came to its end. */
static int run_in_child(int (*run)(const pc_recorder_def*), const pc_recorder_def* def,
                        long kill_at, int tear)
{
  *seen = (observed){.kill_at = kill_at, .tear = tear};
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) _exit(run(def) ? 0 : 1);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (WIFSIGNALED(status)) assert_int_equal(WTERMSIG(status), SIGKILL);
  return !WIFSIGNALED(status);
}

/* The file opens and its numbers are those that were observed. */
static void check_rows(const char* path, long rows)
{
  pc_result* result = NULL;
  pc_error error = {0};
  CHECK_OK(pc_result_open(path, &result, &error), error);
  assert_true(pc_result_length(result) >= rows);
  double* angle = calloc((size_t)pc_result_length(result) + 1, sizeof *angle);
  int series = pc_result_find(result, "a.angle");
  CHECK_OK(pc_result_read(result, series, 0, pc_result_length(result), angle, &error), error);
  for (long k = 0; k < pc_result_length(result); k++) CHECK_NEAR(angle[k], number('q', 2, k), 0);
  free(angle);
  pc_result_close(result);
}

/* Goes on to the end. A file that was never made is refused, with a reason. */
static int go_on(const pc_recorder_def* def, long safe)
{
  pc_recorder* recorder = NULL;
  pc_resume_state from;
  pc_error error = {0};
  pc_status status = pc_recorder_resume(def, STEPS, &from, &recorder, &error);
  if (status != PC_OK) {
    if (safe > 0)
      fail_msg("killed in write %ld, safe rows %ld: %s", seen->kill_at, safe, error.text);
    assert_int_equal(status, PC_BAD_MODEL);
    assert_true(error.text[0] && !recorder);
    return 0;
  }
  assert_true(from.step + 1 >= safe);
  long kill_at = seen->kill_at;
  *seen = (observed){0};
  if (from.finished)
    CHECK_OK(pc_recorder_close(recorder, &error), error);
  else if (!record(def, from.step > 0 ? from.step + 1 : 0, STEPS, recorder))
    fail_msg("killed in write %ld: the run could not go on", kill_at);
  return 1;
}

static long stride(void)
{
  const char* text = getenv("PERCUSS_KILL_EVERY");
  long every = text ? strtol(text, NULL, 10) : EVERY;
  return every > 0 ? every : EVERY;
}

static void kill_anywhere(int large)
{
  place whole = make_place(), p = make_place();
  pc_system* system = make_system(1);
  pc_recorder_def def = def_of(whole.path, system, large);
  assert_true(run_in_child(record_all, &def, 0, 0));
  long writes = seen->writes, kills = 0, torn = 0, refused = 0;
  def.path = p.path;
  for (int tear = 0; tear < 2; tear++)
    for (long at = 1 + tear; at <= writes; at += stride()) {
      unlink(p.path);
      if (run_in_child(record_all, &def, at, tear)) continue;
      long safe = seen->safe_rows;
      torn += seen->torn;
      kills++;
      if (tear && !seen->torn) continue; /* as without */
      if (safe > 0) check_rows(p.path, safe);
      if (go_on(&def, safe))
        check_same(whole.path, p.path);
      else
        refused++;
    }
  print_message("%ld writes, %ld kills, %ld of them within a write; %ld came too early\n", writes,
                kills, torn, refused);
  assert_true(kills > 0 && (torn > 0 || !large));
  pc_system_destroy(system);
  forget_place(&p);
  forget_place(&whole);
}

static void killed_anywhere_it_goes_on_to_the_same_bits(void** state)
{
  (void)state;
  kill_anywhere(0);
}

/* The last chunk, of several pages, is written again with each flush. */
static void likewise_with_chunks_of_several_pages(void** state)
{
  (void)state;
  kill_anywhere(1);
}

static void copy_file(const char* from, const char* to)
{
  char command[1024];
  snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
  assert_int_equal(system(command), 0);
}

/* A file that was closed in the middle of a chunk, whose checksum is there: going on is killed in
 * each of its writes, and nothing of what the file held is lost. */
static void killed_while_it_goes_on(void** state)
{
  (void)state;
  place whole = make_place(), half = make_place(), p = make_place();
  pc_system* system = make_system(1);
  pc_recorder_def def = def_of(whole.path, system, 1);
  assert_true(run_in_child(record_all, &def, 0, 0));
  pc_recorder* recorder = NULL;
  def.path = half.path;
  assert_int_equal(pc_recorder_create(&def, &recorder, NULL), PC_OK);
  *seen = (observed){0};
  assert_true(record(&def, 0, HALF, recorder));
  def.path = p.path;
  copy_file(half.path, p.path);
  assert_true(run_in_child(record_more, &def, 0, 0));
  long writes = seen->writes, torn = 0;
  for (int tear = 0; tear < 2; tear++)
    for (long at = 1; at <= writes; at += 1 + stride() / 20) {
      copy_file(half.path, p.path);
      assert_false(run_in_child(record_more, &def, at, tear));
      if (tear && !seen->torn) continue;
      torn += seen->torn;
      check_rows(p.path, HALF + 1);
      assert_true(go_on(&def, HALF + 1));
      check_same(whole.path, p.path);
    }
  print_message("%ld writes, torn %ld times\n", writes, torn);
  assert_true(torn > 0);
  pc_system_destroy(system);
  forget_place(&p);
  forget_place(&half);
  forget_place(&whole);
}

int main(void)
{
  seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (seen == MAP_FAILED) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(killed_anywhere_it_goes_on_to_the_same_bits),
      cmocka_unit_test(likewise_with_chunks_of_several_pages),
      cmocka_unit_test(killed_while_it_goes_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
