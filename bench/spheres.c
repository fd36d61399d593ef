/* Spheres that fall into a box, beside another program in the same run on the same core.
 *
 *     percuss-bench-spheres MODEL.yaml [SPHERES [STEPS [THREADS]]]
 *
 * The model is models/spheres-in-a-box.yaml. percuss takes steps of moreau-jean with 20
 * Gauss-Seidel sweeps, ODE its QuickStep with 20 iterations, from the same start, ten chunks of
 * steps in turn, so that what else the machine does disturbs both. The times are those of the
 * process, all threads together; mean and largest penetration are of the end, measured here.
 *
 * Then percuss alone, with the number of sweeps doubled until the residual of the last step is
 * 1e-4. */
#include <math.h>
#include <ode/ode.h>
#include <percuss/percuss.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SWEEPS = 20, CHUNKS = 10, CONTACTS = 4, COORDINATES = 7 };

static const double MU = 0.5, DENSITY = 2500, DT = 2e-3;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- ODE ----------------------------------------------------------------------------------- */

typedef struct ode_scene {
  dWorldID world;
  dSpaceID space;
  dJointGroupID joints;
  int count;
  dBodyID* body;
} ode_scene;

static void meet(void* user, dGeomID a, dGeomID b)
{
  ode_scene* s = user;
  dContact contact[CONTACTS];
  dBodyID of[2] = {dGeomGetBody(a), dGeomGetBody(b)};
  if (!of[0] && !of[1]) return;
  int count = dCollide(a, b, CONTACTS, &contact[0].geom, sizeof *contact);
  for (int i = 0; i < count; i++) {
    contact[i].surface.mode = dContactApprox1;
    contact[i].surface.mu = MU;
    dJointAttach(dJointCreateContact(s->world, s->joints, &contact[i]), of[0], of[1]);
  }
}

static void ode_run(ode_scene* s, long steps)
{
  for (long i = 0; i < steps; i++) {
    dSpaceCollide(s->space, s, meet);
    dWorldQuickStep(s->world, DT);
    dJointGroupEmpty(s->joints);
  }
}

static double radius_of(int i)
{
  double x = (i + 1) * 0.6180339887498949;
  return 0.045 + 0.010 * (x - floor(x));
}

static int ode_create(ode_scene* s, int count, const double* q)
{
  double half = 0.06 * ceil(cbrt(count) - 1e-9);
  dInitODE2(0);
  *s = (ode_scene){dWorldCreate(), dHashSpaceCreate(0), dJointGroupCreate(0), count,
                   malloc((size_t)count * sizeof(dBodyID))};
  if (!s->body) return 0;
  dWorldSetGravity(s->world, 0, 0, -9.81);
  dWorldSetQuickStepNumIterations(s->world, SWEEPS);
  dCreatePlane(s->space, 0, 0, 1, 0);
  for (int sign = -1; sign <= 1; sign += 2) {
    dCreatePlane(s->space, sign, 0, 0, -half);
    dCreatePlane(s->space, 0, sign, 0, -half);
  }
  for (int i = 0; i < count; i++, q += COORDINATES) {
    dMass mass;
    dGeomID shape = dCreateSphere(s->space, radius_of(i));
    s->body[i] = dBodyCreate(s->world);
    dMassSetSphere(&mass, DENSITY, radius_of(i));
    dBodySetMass(s->body[i], &mass);
    dBodySetPosition(s->body[i], q[0], q[1], q[2]);
    dGeomSetBody(shape, s->body[i]);
  }
  return 1;
}

static void ode_destroy(ode_scene* s)
{
  dJointGroupDestroy(s->joints);
  dSpaceDestroy(s->space);
  dWorldDestroy(s->world);
  dCloseODE();
  free(s->body);
}

/* ---- both ---------------------------------------------------------------------------------- */

/* Mean and largest penetration of the pairs that overlap [m]. */
static void measure(const char* name, double seconds, long steps, int count, const double* x)
{
  double sum = 0, largest = 0;
  long pairs = 0;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++) {
      const double *a = x + 3 * i, *b = x + 3 * j;
      double reach = radius_of(i) + radius_of(j);
      if (fabs(a[2] - b[2]) > reach || fabs(a[0] - b[0]) > reach) continue;
      double depth = reach - hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
      if (!(depth > 0)) continue;
      sum += depth;
      pairs++;
      if (depth > largest) largest = depth;
    }
  printf("%-8s %8.1f steps/s, penetration mean %.2e m, largest %.2e m, %ld pairs\n", name,
         (double)steps / seconds, pairs ? sum / (double)pairs : 0, largest, pairs);
}

static int run_both(pc_sim* sim, ode_scene* ode, long steps, double* seconds, pc_error* error)
{
  for (int i = 0; i < CHUNKS; i++) {
    double begin = now();
    if (pc_sim_run_steps(sim, steps / CHUNKS, error) != PC_OK) return 0;
    double middle = now();
    ode_run(ode, steps / CHUNKS);
    seconds[0] += middle - begin;
    seconds[1] += now() - middle;
  }
  return 1;
}

static int compare(const pc_system* system, const pc_scheme_settings* settings, int count,
                   long steps, pc_error* error)
{
  pc_sim_def def = {system, "moreau-jean", *settings};
  pc_sim* sim = NULL;
  ode_scene ode;
  double seconds[2] = {0, 0}, *x = malloc(3 * (size_t)count * sizeof *x);
  int done = x && pc_sim_create(&def, &sim, error) == PC_OK &&
             ode_create(&ode, count, pc_sim_observation(sim)->state->q);
  if (!done) {
    free(x);
    pc_sim_destroy(sim);
    return 0;
  }
  if ((done = run_both(sim, &ode, steps, seconds, error))) {
    const double* q = pc_sim_observation(sim)->state->q;
    steps -= steps % CHUNKS;
    for (int i = 0; i < 3 * count; i++) x[i] = q[COORDINATES * (i / 3) + i % 3];
    measure("percuss", seconds[0], steps, count, x);
    for (int i = 0; i < 3 * count; i++) x[i] = dBodyGetPosition(ode.body[i / 3])[i % 3];
    measure("ODE", seconds[1], steps, count, x);
  }
  ode_destroy(&ode);
  pc_sim_destroy(sim);
  free(x);
  return done;
}

/* Steps per second of a run with this number of sweeps, and the residual of its last step; 0 if it
 * fails. */
static double run_alone(const pc_system* system, const pc_scheme_settings* settings, long steps,
                        double* residual, pc_error* error)
{
  pc_sim_def def = {system, "moreau-jean", *settings};
  pc_sim* sim = NULL;
  double speed = 0;
  if (pc_sim_create(&def, &sim, error) == PC_OK) {
    double begin = now();
    if (pc_sim_run_steps(sim, steps, error) == PC_OK) speed = (double)steps / (now() - begin);
    *residual = pc_sim_observation(sim)->info->solver_residual;
  }
  pc_sim_destroy(sim);
  return speed;
}

static int sweep_until_small(const pc_system* system, const pc_scheme_settings* settings,
                             long steps, pc_error* error)
{
  enum { MOST = 1 << 14 };
  static const double SMALL = 1e-4;
  pc_scheme_settings own = *settings;
  double residual = 1;
  for (; residual > SMALL && own.sweeps <= MOST; own.sweeps *= 2) {
    double speed = run_alone(system, &own, steps, &residual, error);
    if (speed == 0) return 0;
    printf("percuss  %8.1f steps/s with %d sweeps, residual %.1e\n", speed, own.sweeps, residual);
  }
  return 1;
}

int main(int argc, char** argv)
{
  pc_error error = {0};
  pc_model* model = NULL;
  if (argc < 2)
    return fprintf(stderr, "usage: percuss-bench-spheres MODEL [SPHERES [STEPS [THREADS]]]\n"), 2;
  double count = argc > 2 ? strtod(argv[2], NULL) : 100;
  long steps = argc > 3 ? strtol(argv[3], NULL, 10) : 1000;
  const pc_override number = {"N", argc > 2 ? argv[2] : "100"};
  int done = pc_model_read(argv[1], &number, 1, &model, &error) == PC_OK;
  if (done) {
    pc_scheme_settings settings = pc_model_settings(model);
    settings.dt = DT;
    settings.sweeps = SWEEPS;
    settings.threads = argc > 4 ? atoi(argv[4]) : 1;
    done = compare(pc_model_system(model), &settings, (int)count, steps, &error) &&
           sweep_until_small(pc_model_system(model), &settings, steps, &error);
  }
  if (!done) fprintf(stderr, "%s\n", error.text[0] ? error.text : "out of memory");
  pc_model_destroy(model);
  return done ? 0 : 1;
}
