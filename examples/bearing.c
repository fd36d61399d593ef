/* A journal falls in a bearing that is too large: a system from C, observed step by step, and the
 * same run by two threads that share it. docs/api.md walks through it.
 *
 *     cc bearing.c -lpercuss -lm -lpthread && ./a.out */
#include <percuss/elements.h>
#include <percuss/simulate.h>
#include <pthread.h>
#include <stdio.h>

/* A journal of radius 10 mm in a bearing on the ground that is 1 mm larger. */
static pc_status build(pc_system** system, pc_error* error)
{
  pc_system_def plane = pc_default_system_def();
  plane.gravity[1] = -9.81;
  pc_status status = pc_system_create(&plane, system, error);
  if (status != PC_OK) return status;

  pc_part_id journal;
  pc_body_def body = pc_default_body_def();
  body.name = "journal";
  body.mass = 0.3;
  body.inertia = 1.5e-5;
  body.spin = 100;
  status = pc_add_body(*system, &body, &journal, error);
  if (status != PC_OK) return status;

  pc_disc_disc_def bearing = pc_default_disc_disc_def();
  bearing.law = (pc_contact_law){.name = "bearing", .mu = 0.1, .e_N = 0.3};
  bearing.centre[0].part = journal;
  bearing.centre[1].part = PC_GROUND;
  bearing.radius[0] = 0.010;
  bearing.radius[1] = 0.011;
  bearing.inside = 1;
  status = pc_add_disc_disc(*system, &bearing, NULL, error);
  return status == PC_OK ? pc_system_freeze(*system, error) : status;
}

/* Called after every step; here it reports impacts, and ends the run after three. */
static int observe(void* user, const pc_observation* seen)
{
  int* impacts = user;
  pc_event event = pc_observe_event(seen, 0);
  if (event.kind != PC_CONTACT_CLOSED) return 1;
  printf("t = %.4f s: P_N = %.6f N s, velocity %.4f -> %.4f m/s\n", event.t, event.P_N,
         event.velocity_before, event.velocity_after);
  return ++*impacts < 3;
}

/* A run of one thread: its own simulation of the common system. */
typedef struct job {
  const pc_system* system;
  const char* scheme;
  pc_status status;
  pc_error error;
  double spin, penetration;
} job;

static void* work(void* user)
{
  job* j = user;
  pc_sim_def def = pc_default_sim_def();
  def.system = j->system;
  def.scheme = j->scheme;
  def.settings.dt = 1e-4;
  pc_sim* sim = NULL;
  j->status = pc_sim_create(&def, &sim, &j->error);
  if (j->status == PC_OK) j->status = pc_sim_run(sim, 0.2, &j->error);
  if (j->status == PC_OK) {
    int spin = pc_system_find_quantity(j->system, "journal.spin");
    j->spin = pc_observe_quantity(pc_sim_observation(sim), spin);
    j->penetration = pc_sim_summary(sim).penetration_max;
  }
  pc_sim_destroy(sim);
  return NULL;
}

static pc_status run_observed(const pc_system* system, pc_error* error)
{
  pc_sim_def def = pc_default_sim_def();
  def.system = system;
  def.scheme = "rattle";
  def.settings.dt = 1e-4;
  pc_sim* sim = NULL;
  int impacts = 0;
  pc_status status = pc_sim_create(&def, &sim, error);
  if (status == PC_OK) status = pc_sim_add_observer(sim, observe, &impacts, error);
  if (status == PC_OK) status = pc_sim_run(sim, 1, error);
  if (status == PC_STOPPED) {
    printf("stopped after %ld steps\n", pc_sim_summary(sim).steps);
    status = PC_OK;
  }
  pc_sim_destroy(sim);
  return status;
}

static int run_beside_each_other(const pc_system* system)
{
  job jobs[2] = {{.system = system, .scheme = "moreau-jean"},
                 {.system = system, .scheme = "rattle"}};
  pthread_t thread[2];
  for (int i = 0; i < 2; i++)
    if (pthread_create(&thread[i], NULL, work, &jobs[i]) != 0) return 1;
  for (int i = 0; i < 2; i++) {
    pthread_join(thread[i], NULL);
    if (jobs[i].status != PC_OK) {
      fprintf(stderr, "bearing: %s: %s\n", jobs[i].scheme, jobs[i].error.text);
      return 1;
    }
    printf("%s: spin %.3f rad/s, penetration %.2f um\n", jobs[i].scheme, jobs[i].spin,
           1e6 * jobs[i].penetration);
  }
  return 0;
}

int main(void)
{
  pc_error error = {0};
  pc_system* system = NULL;
  int failed = build(&system, &error) != PC_OK || run_observed(system, &error) != PC_OK;
  if (failed) fprintf(stderr, "bearing: %s\n", error.text);
  if (!failed) failed = run_beside_each_other(system);

  pc_body_def wrong = pc_default_body_def();
  wrong.name = "late";
  pc_part_id id;
  if (pc_add_body(system, &wrong, &id, &error) != PC_OK) printf("refused: %s\n", error.text);
  pc_system_destroy(system);
  return failed;
}
