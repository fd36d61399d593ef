// The public headers from C++: a mass falls on the ground, built with every kind of macro.
#include <percuss/percuss.h>

#include <cmath>
#include <cstdio>
#include <cstring>

static int failures = 0;

static void check(bool holds, const char* what)
{
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  failures++;
}

static pc_system* ball_above_ground(pc_error* error)
{
  pc_system* system = nullptr;
  pc_system_def space = pc_default_system_def();
  space.gravity[1] = -10;
  check(pc_system_create(&space, &system, error) == PC_OK, "a system is created");
  pc_body_def def = pc_default_body_def();
  def.name = "ball";
  def.mass = def.inertia = 1;
  def.position[1] = 2;
  pc_part_id ball;
  check(pc_add_body(system, &def, &ball, error) == PC_OK, "a body is added");
  pc_disc_plane_def floor = pc_default_disc_plane_def();
  floor.law.name = "floor";
  floor.law.mu = PC_FRICTIONLESS;
  floor.centre.part = ball;
  floor.radius = 1;
  floor.plane.part = PC_GROUND;
  floor.plane.normal[1] = 1;
  check(pc_add_disc_plane(system, &floor, NULL, error) == PC_OK, "a contact is added");
  check(pc_system_freeze(system, error) == PC_OK, "the system freezes");
  return system;
}

int main()
{
  check(pc_version() == PC_VERSION, "headers and library have one version");
  check(std::strcmp(pc_version_text(), PC_VERSION_TEXT) == 0, "as text, too");
  pc_error error = {};
  pc_system* system = ball_above_ground(&error);
  pc_sim_def def = pc_default_sim_def();
  def.system = system;
  def.settings.dt = 1e-3;  // at 4.5 m/s it enters by at most one step and a half: 6.8 mm
  pc_sim* sim = nullptr;
  check(pc_sim_create(&def, &sim, &error) == PC_OK, "a simulation is created");
  check(pc_sim_run(sim, 3, &error) == PC_OK, "it runs");
  int y = pc_system_find_quantity(system, "ball.y");
  check(y >= 0 && std::fabs(pc_observe_quantity(pc_sim_observation(sim), y) - 1) < 6.8e-3,
        "the ball rests on the ground");
  pc_sim_destroy(sim);
  pc_system_destroy(system);
  if (failures && error.text[0]) std::fprintf(stderr, "%s\n", error.text);
  return failures ? 1 : 0;
}
