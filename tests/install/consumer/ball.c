/* A point mass falls on a floor; prints its height at the end. */
#include <percuss/elements.h>
#include <percuss/simulate.h>
#include <stdio.h>

static pc_status build(pc_system* system, pc_error* error)
{
  pc_point_mass_def def = pc_default_point_mass_def();
  def.name = "ball";
  def.mass = 1;
  def.position[1] = 1;
  pc_part_id ball;
  pc_status status = pc_add_point_mass(system, &def, &ball, error);
  if (status != PC_OK) return status;
  pc_disc_plane_def floor = pc_default_disc_plane_def();
  floor.law.name = "floor";
  floor.centre.part = ball;
  floor.plane.part = PC_GROUND;
  floor.plane.normal[1] = 1;
  status = pc_add_disc_plane(system, &floor, NULL, error);
  return status == PC_OK ? pc_system_freeze(system, error) : status;
}

int main(void)
{
  pc_error error = {0};
  pc_system* system = NULL;
  pc_sim* sim = NULL;
  pc_sim_def def = pc_default_sim_def();
  pc_system_def plane = pc_default_system_def();
  plane.gravity[1] = -10;
  int good = pc_system_create(&plane, &system, &error) == PC_OK && build(system, &error) == PC_OK;
  def.system = system;
  def.settings.dt = 1e-3;
  good = good && pc_sim_create(&def, &sim, &error) == PC_OK && pc_sim_run(sim, 1, &error) == PC_OK;
  if (good) {
    int y = pc_system_find_quantity(system, "ball.y");
    printf("%.17g\n", pc_observe_quantity(pc_sim_observation(sim), y));
  } else {
    fprintf(stderr, "ball: %s\n", error.text);
  }
  pc_sim_destroy(sim);
  pc_system_destroy(system);
  return good ? 0 : 1;
}
