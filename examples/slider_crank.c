/* The slider-crank with clearance of models/slider-crank.yaml, built through the public headers.
 *
 *     cc slider_crank.c -lpercuss -lm && ./a.out
 *
 * Three rigid bodies, three pins, four corners of the slider between two walls (RATTLE 5.2). It
 * prints the final state; the numbers agree with the model file to the last bit. */
#include <percuss/elements.h>
#include <percuss/simulate.h>
#include <stdio.h>

static pc_error error;

/* Ends the program's work at the first thing that goes wrong. */
#define MUST(call)                                     \
  if ((call) != PC_OK) {                               \
    fprintf(stderr, "slider_crank: %s\n", error.text); \
    return 1;                                          \
  }

static const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, d = 0.052;

static pc_status pin(pc_system* s, const char* name, pc_part_id one, pc_part_id other, double x)
{
  pc_joint_def joint = pc_default_joint_def();
  joint.name = name;
  joint.part[0] = one;
  joint.part[1] = other;
  joint.at[0] = x;
  return pc_add_revolute(s, &joint, NULL, &error);
}

/* A corner of the slider against the wall at height y, which faces the other way. */
static pc_status corner(pc_system* s, const char* name, pc_part_id slider, double x, double y)
{
  pc_disc_plane_def contact = pc_default_disc_plane_def();
  contact.law = (pc_contact_law){.name = name, .mu = 0.01, .e_N = 0.4};
  contact.centre = (pc_point){slider, {x, y}};
  contact.plane.part = PC_GROUND;
  contact.plane.point[1] = y > 0 ? d / 2 : -d / 2;
  contact.plane.normal[1] = y > 0 ? -1 : 1;
  return pc_add_disc_plane(s, &contact, NULL, &error);
}

int main(void)
{
  pc_system_def plane = pc_default_system_def();
  plane.gravity[1] = -9.81;
  pc_system* system;
  MUST(pc_system_create(&plane, &system, &error));

  pc_part_id crank, rod, slider;
  MUST(pc_add_body(system,
                   &(pc_body_def){.name = "crank",
                                  .mass = 0.038,
                                  .inertia = 7.4e-5,
                                  .position = {l1 / 2, 0},
                                  .velocity = {0, l1 / 2 * 150},
                                  .spin = 150},
                   &crank, &error));
  MUST(pc_add_body(system,
                   &(pc_body_def){.name = "rod",
                                  .mass = 0.038,
                                  .inertia = 5.9e-4,
                                  .position = {l1 + l2 / 2, 0},
                                  .velocity = {0, l1 * 150 + l2 / 2 * -75},
                                  .spin = -75},
                   &rod, &error));
  MUST(pc_add_body(system,
                   &(pc_body_def){.name = "slider",
                                  .mass = 0.076,
                                  .inertia = 2.7e-6,
                                  .position = {l1 + l2, 0},
                                  .angle = 0.017,
                                  .velocity = {0, l1 * 150 + l2 * -75}},
                   &slider, &error));
  MUST(pin(system, "base", PC_GROUND, crank, 0));
  MUST(pin(system, "crank-pin", crank, rod, l1));
  MUST(pin(system, "wrist-pin", rod, slider, l1 + l2));
  MUST(corner(system, "corner1", slider, -a, b));
  MUST(corner(system, "corner2", slider, a, b));
  MUST(corner(system, "corner3", slider, -a, -b));
  MUST(corner(system, "corner4", slider, a, -b));
  MUST(pc_system_freeze(system, &error));

  pc_sim_def def = pc_default_sim_def();
  def.system = system;
  def.settings.dt = 1e-4;
  pc_sim* sim;
  MUST(pc_sim_create(&def, &sim, &error));
  MUST(pc_sim_run(sim, 0.08, &error));

  for (int i = 0; i < pc_system_quantity_count(system); i++)
    printf("%s: %.17g\n", pc_system_quantity(system, i).name,
           pc_observe_quantity(pc_sim_observation(sim), i));
  pc_sim_destroy(sim);
  pc_system_destroy(system);
  return 0;
}
