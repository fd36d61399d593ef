/* percuss check as a user sees it: exit codes, keys, warnings. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* Runs `percuss ARGUMENTS`, standard error included; returns the exit code. */
static int percuss(const char* arguments, char* text, size_t size)
{
  char line[1024];
  snprintf(line, sizeof line, "cd '%s' && '%s' %s 2>&1", PC_SOURCE_DIR, PC_PROGRAM, arguments);
  FILE* pipe = popen(line, "r");
  assert_non_null(pipe);
  size_t used = fread(text, 1, size - 1, pipe);
  text[used] = '\0';
  int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect(const char* arguments, int code, const char* const* part)
{
  char text[16384];
  int got = percuss(arguments, text, sizeof text);
  int missing = 0;
  for (; *part; part++)
    if (!strstr(text, *part)) {
      print_error("missing: %s\n", *part);
      missing = 1;
    }
  if (got != code || missing)
    fail_msg("percuss %s: exit code %d, not %d:\n%s", arguments, got, code, text);
}

#define EXPECT(arguments, code, ...) \
  expect(arguments, code, (const char* const[]){__VA_ARGS__, NULL})

static void a_good_model_is_reported_in_lines(void** state)
{
  (void)state;
  EXPECT("check slider-crank --full", 0, "status: consistent\n", "dof: 3\n",
         "constraints.rank: 6\n", "joint.wrist-pin.force: ", "contact.corner2.state: open\n",
         "dt.decided_by: rotation\n", "scheme.recommended: rattle\n", "warnings.count: 0\n");
}

static void the_digest_has_what_matters(void** state)
{
  (void)state;
  EXPECT("check slider-crank", 0, "consistent: ready to run\n",
         "3 degrees of freedom: 9 velocities", "contacts  4, 0 of them closed\n",
         "is suggested (rotation); the model has 100 µs\n",
         "scheme    rattle is suggested: there are few contacts", "; the model has moreau-jean\n",
         "next      percuss run slider-crank\n");
  EXPECT("check pendulum", 0, "scheme    lobatto is suggested: there is no contact",
         "the model has generalized-alpha\n");
  EXPECT("check cantilever", 0, "scheme    generalized-alpha is suggested: there is no contact");
}

static void the_same_keys_are_nested_in_json(void** state)
{
  (void)state;
  EXPECT("check block-on-incline --json", 0, "{\n  \"model\": ", "\"status\": \"consistent\"",
         "\"dof\": 3", "\"contact\": {\n    \"A\": {\n      \"state\": \"resting\"",
         "\"force\": {\n        \"normal\": ", "\"dt\": {\n    \"estimate\": null",
         "\"warnings\": {\n    \"count\": 0\n  }\n}\n");
}

static void set_makes_a_start_inconsistent(void** state)
{
  (void)state;
  EXPECT("check rotating-ball --set y0=0.05", 1, "\ninconsistent: ", "penetration 50 mm (floor)",
         "warning   contact 'floor' penetrates by 0.05 m");
  EXPECT("check rotating-ball --set y0=0.05 --json", 1,
         "\"warnings\": {\n    \"count\": ", "\"text\": \"contact 'floor' penetrates",
         "\"remedy\": ");
}

static void an_inconsistent_velocity_names_the_joint(void** state)
{
  (void)state;
  char path[] = "/tmp/percuss-check-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  FILE* to = fdopen(file, "w");
  fputs(
      "percuss: 1\n"
      "bodies:\n"
      "  rod: {mass: 2, inertia: 0.5, position: [1, 0], velocity: [0, 2], spin: 1}\n"
      "joints:\n"
      "  pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}\n"
      "  twin: {revolute: {bodies: [ground, rod], at: [0, 0]}}\n",
      to);
  fclose(to);
  char arguments[64];
  snprintf(arguments, sizeof arguments, "check %s --full", path);
  EXPECT(arguments, 1, "velocity.joint: pin\n", "redundant.twin: 2\n", "dof: 1\n",
         "text: joint 'pin' does not admit the initial velocities",
         "text: joint 'twin' is redundant: 2 of its 2 rows");
  unlink(path);
}

static void usage_and_bad_models_have_their_codes(void** state)
{
  (void)state;
  EXPECT("check", 2, "check which model?");
  EXPECT("check slider-crank --sett w1=3", 2, "there is no option '--sett'", "'--set'");
  EXPECT("check slider-crank --set w7=3", 2, "w7");
  EXPECT("check slider-crank rotating-ball", 2, "one word too many");
  EXPECT("check nowhere.yaml", 3, "nowhere.yaml");
  EXPECT("check --help", 0, "usage: percuss check MODEL", "Exit code 0", "--json");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_model_is_reported_in_lines),
      cmocka_unit_test(the_digest_has_what_matters),
      cmocka_unit_test(the_same_keys_are_nested_in_json),
      cmocka_unit_test(set_makes_a_start_inconsistent),
      cmocka_unit_test(an_inconsistent_velocity_names_the_joint),
      cmocka_unit_test(usage_and_bad_models_have_their_codes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
