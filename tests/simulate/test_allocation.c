/* Steps do not allocate, in any model under any scheme with any solver, but where a contact problem
 * is met that is larger than any before: memory grows then, a few times in a run. */
#include "counting_allocator.h"

#include <malloc.h>

#include "run.h"

enum { WARM_UP = 5, STEPS = 1000, GROWTH = STEPS / 4 };

static const char* solver;

static int coupled;

static void choose_solver(pc_scheme_settings* settings)
{
  settings->solver = solver;
  settings->coupled = coupled;
}

static void check_steps(void)
{
  for (int m = 0; m < MODEL_COUNT; m++)
    for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++)
      for (const char* const* name = pc_solver_names(); *name; name++) {
        solver = *name;
        run r = open_run(models[m], *scheme, 0, suited(models[m]), choose_solver);
        for (int i = 0; i < WARM_UP; i++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
        long before = allocations;
        for (int i = 0; i < STEPS; i++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
        if (allocations - before > GROWTH)
          fail_msg("%s under %s with %s: %ld allocations in %d steps", models[m], *scheme, *name,
                   allocations - before, STEPS);
        close_run(&r);
      }
}

static void steps_do_not_allocate(void** state)
{
  (void)state;
  for (coupled = 0; coupled < 2; coupled++) check_steps();
}

/* A box that slides on a floor turns slowly: its contacts stay, their geometry changes. */
#define SLIDING_BOX                                                                \
  "percuss: 1\n"                                                                   \
  "space: spatial\n"                                                               \
  "gravity: [0, 0, -9.81]\n"                                                       \
  "materials: {default: {%s}}\n"                                                   \
  "bodies:\n"                                                                      \
  "  box: {density: 100, shape: {box: [0.2, 0.2, 0.1]}, position: [0, 0, 0.05],\n" \
  "        velocity: [1, 0, 0], angular_velocity: [0, 0, 0.5]}\n"                  \
  "shapes: {floor: {half-space: [0, 0, 1]}}\n"

static int has_friction(const char* scheme)
{
  return strcmp(scheme, "schatzman-paoli") != 0;
}

static void steps_with_the_same_found_contacts_do_not_allocate(void** state)
{
  enum { FOUND_STEPS = 100, FOUND_GROWTH = 4 };
  char text[1000];
  (void)state;
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
    snprintf(text, sizeof text, SLIDING_BOX,
             has_friction(*scheme) ? "friction: 0.1" : "restitution: 0");
    run r = open_text(text, *scheme, 1e-3, NULL, NULL);
    for (int i = 0; i < WARM_UP; i++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    long before = allocations;
    for (int i = 0; i < FOUND_STEPS; i++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    assert_true(pc_sim_observation(r.sim)->found->count > 0);
    if (allocations - before > FOUND_GROWTH)
      fail_msg("%s: %ld allocations in %d steps", *scheme, allocations - before, FOUND_STEPS);
    close_run(&r);
  }
}

/* Bytes that are allocated, and bodies and contacts, of spheres in a box once these have fallen. */
typedef struct crowd {
  double bytes, things;
} crowd;

static void choose_sweeps(pc_scheme_settings* settings)
{
  settings->sweeps = 20;
}

static crowd run_crowd(const char* spheres)
{
  enum { FALLING = 300 };
  struct mallinfo2 before = mallinfo2();
  const char* const set[] = {"N", spheres, NULL};
  run r = open_run("spheres-in-a-box", "moreau-jean", 2e-3, set, choose_sweeps);
  CHECK_OK(pc_sim_run_steps(r.sim, FALLING, &r.error), r.error);
  struct mallinfo2 after = mallinfo2();
  crowd c = {(double)(after.uordblks + after.hblkhd) - (double)(before.uordblks + before.hblkhd),
             atof(spheres) + pc_sim_summary(r.sim).contacts_active_max};
  close_run(&r);
  return c;
}

/* One more sphere and its contacts. What a solver has in advance for small problems is not counted:
 * it is the same for all that are not small. */
static void memory_of_bodies_and_contacts(void** state)
{
  static const double BYTES_MOST = 2000;
  (void)state;
  crowd few = run_crowd("500"), many = run_crowd("1500");
  double bytes = (many.bytes - few.bytes) / (many.things - few.things);
  if (!(bytes <= BYTES_MOST))
    fail_msg("%.0f bytes for each body and each active contact, at most %.0f", bytes, BYTES_MOST);
}

static void the_counter_counts(void** state)
{
  (void)state;
  long before = allocations;
  void* volatile memory = malloc(10);
  free(memory);
  assert_int_equal(allocations - before, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_counter_counts), cmocka_unit_test(steps_do_not_allocate),
      cmocka_unit_test(steps_with_the_same_found_contacts_do_not_allocate),
      cmocka_unit_test(memory_of_bodies_and_contacts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
