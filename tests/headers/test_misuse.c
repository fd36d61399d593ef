/* Every public function survives NULL and indices out of range: it returns an error, or something
 * harmless. The calls come from the headers (misuse.py); each is made in a process of its own. */
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "percuss/percuss.h"

/* What valid arguments are made of. */
static struct misuse {
  pc_error error;
  pc_model* model;
  const pc_system* system; /* the model's: a body on the ground, a joint, a listed contact */
  pc_system* open_system;  /* not frozen yet */
  pc_sim* sim;
  pc_result* result;
  pc_history* history;
  pc_recorder* recorder;
  pc_table* table;
  pc_solver* solver;
  pc_fclib* fclib; /* a problem of one contact that is written here */
  pc_geometry* geometry;
  pc_problem problem;
  pc_sim_def sim_def;
  pc_recorder_def recorder_def;
  pc_table_def table_def;
  pc_table_row table_row;
  pc_output_at output_at;
  FILE* file;
} misuse;

static char folder[] = "/tmp/percuss-misuse-XXXXXX";

/* Zeroed memory, enough for whatever a function writes into. */
static void* misuse_memory(void)
{
  return calloc(1, 1 << 20);
}

static int misuse_observe(void* user, const pc_observation* seen)
{
  (void)user;
  return seen != NULL;
}

static int misuse_go_on(void* user)
{
  (void)user;
  return 0;
}

typedef struct misuse_call {
  const char* what;
  void (*make)(void);
} misuse_call;

#include "misuse_calls.h"

static const char model_text[] =
    "percuss: 1\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 1, position: [0, 1], shape: {disc: 0.1}}\n"
    "  b: {mass: 1, inertia: 1, position: [3, 1]}\n"
    "joints: {j: {revolute: {bodies: [ground, b], at: [2, 1]}}}\n"
    "contacts: {c: {disc: [b, [0, 0]], radius: 0.1, plane: {part: ground, point: [0, 0], normal: "
    "[0, 1]}}}\n"
    "shapes: {floor: {half-plane: [0, 1]}}\n"
    "simulate: {scheme: moreau-jean, dt: 1e-2, until: 0.05}\n";

static void must(pc_status status)
{
  if (status == PC_OK) return;
  fprintf(stderr, "test_misuse: cannot prepare: %s\n", misuse.error.text);
  exit(1);
}

static const char* in_folder(const char* name)
{
  static char path[8][128];
  static int used;
  char* text = path[used++ % 8];
  snprintf(text, sizeof path[0], "%s/%s", folder, name);
  return text;
}

static void prepare_files(void)
{
  pc_recorder* recorder = NULL;
  pc_sim* sim = NULL;
  pc_error* error = &misuse.error;
  misuse.recorder_def = pc_default_recorder_def();
  misuse.recorder_def.path = in_folder("a.h5");
  misuse.recorder_def.system = misuse.system;
  misuse.recorder_def.model_text = model_text;
  must(pc_recorder_create(&misuse.recorder_def, &recorder, error));
  must(pc_sim_create(&misuse.sim_def, &sim, error));
  must(pc_sim_add_observer(sim, pc_recorder_observe, recorder, error));
  must(pc_sim_run(sim, 0.05, error));
  must(pc_recorder_close(recorder, error));
  pc_sim_destroy(sim);
  must(pc_result_open(misuse.recorder_def.path, &misuse.result, error));
  misuse.recorder_def.path = in_folder("b.h5");
  must(pc_recorder_create(&misuse.recorder_def, &misuse.recorder, error));
  static const pc_table_column column = {"a", "m", 0};
  static const double number = 1;
  static const double* value = &number;
  static const int count = 1;
  misuse.table_def = (pc_table_def){in_folder("a.csv"), "a: b\n", &column, 1, 1};
  misuse.table_row = (pc_table_row){0, "done", "", &value, &count};
  must(pc_table_create(&misuse.table_def, &misuse.table, error));
}

static void prepare(const char* fclib)
{
  pc_error* error = &misuse.error;
  must(pc_model_read_text(model_text, sizeof model_text - 1, NULL, 0, &misuse.model, error));
  misuse.system = pc_model_system(misuse.model);
  misuse.sim_def = pc_default_sim_def();
  misuse.sim_def.system = misuse.system;
  misuse.sim_def.settings = pc_model_settings(misuse.model);
  pc_system_def system = pc_default_system_def();
  must(pc_system_create(&system, &misuse.open_system, error));
  pc_body_def body = pc_default_body_def();
  body.name = "a";
  body.mass = body.inertia = 1;
  pc_part_id part;
  must(pc_add_body(misuse.open_system, &body, &part, error));
  must(pc_sim_create(&misuse.sim_def, &misuse.sim, error));
  must(pc_history_create(misuse.system, &misuse.history, error));
  must(pc_sim_step(misuse.sim, error));
  pc_history_observe(misuse.history, pc_sim_observation(misuse.sim));
  must(pc_solver_create("auto", NULL, &misuse.solver, error));
  must(pc_fclib_read(fclib, &misuse.fclib, error));
  misuse.problem = *pc_fclib_problem(misuse.fclib);
  pc_geometry_def ball = {.kind = PC_GEOMETRY_SPHERE, .radius = 1};
  must(pc_geometry_create(&ball, &misuse.geometry, error));
  const pc_observation* seen = pc_sim_observation(misuse.sim);
  misuse.output_at = (pc_output_at){.t = 0, .q = seen->state->q, .u = seen->state->u};
  misuse.file = tmpfile();
  prepare_files();
}

/* Returns what went wrong, or NULL. */
static const char* outcome_of(const misuse_call* call)
{
  enum { SECONDS = 20 };
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(SECONDS);
    call->make();
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return "cannot be tried";
  if (WIFSIGNALED(status)) return strsignal(WTERMSIG(status));
  return WEXITSTATUS(status) ? "a sanitizer complains" : NULL;
}

int main(int argc, char** argv)
{
  enum { COUNT = sizeof misuse_calls / sizeof *misuse_calls };
  int failures = 0;
  if (argc < 2 || !mkdtemp(folder) || chdir(folder) != 0) return 2;
  prepare(argv[1]);
  for (int i = 0; i < COUNT; i++) {
    if (argc > 2 && !strstr(misuse_calls[i].what, argv[2])) continue;
    const char* trouble = outcome_of(&misuse_calls[i]);
    if (trouble) fprintf(stderr, "%s: %s\n", misuse_calls[i].what, trouble);
    failures += trouble != NULL;
  }
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command) != 0) failures++;
  printf("%d of %d calls fail\n", failures, COUNT);
  return failures > 0;
}
