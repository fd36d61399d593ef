/* Small systems that the tests of this module share. */
#ifndef PC_TESTS_SCENE_H
#define PC_TESTS_SCENE_H

#include "check.h"
#include "percuss/elements.h"

static inline pc_system* make_system(int dimension)
{
  pc_error error = {0};
  pc_system_def def = pc_default_system_def();
  def.dimension = dimension;
  def.gravity[0] = 0.3;
  def.gravity[1] = -9.81;
  def.gravity[2] = 1.7;
  pc_system* system;
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  return system;
}

static inline pc_part_id make_body(pc_system* system, const char* name, double x, double y,
                                   double angle)
{
  pc_error error = {0};
  pc_body_def def = pc_default_body_def();
  def.name = name;
  def.mass = 1.3;
  def.inertia = 0.7;
  def.position[0] = x;
  def.position[1] = y;
  def.angle = angle;
  pc_part_id id;
  CHECK_OK(pc_add_body(system, &def, &id, &error), error);
  return id;
}

/* A body with a full inertia tensor, turned by a quaternion of any length. */
static inline pc_part_id make_spatial_body(pc_system* system, const char* name, double x, double y,
                                           double z, const double quaternion[4])
{
  pc_error error = {0};
  pc_spatial_body_def def = pc_default_spatial_body_def();
  const double inertia[9] = {0.7, 0.1, -0.05, 0.1, 0.9, 0.2, -0.05, 0.2, 1.1};
  def.name = name;
  def.mass = 1.3;
  for (int i = 0; i < 9; i++) def.inertia[i] = inertia[i];
  for (int i = 0; i < 4; i++) def.orientation[i] = quaternion[i];
  def.position[0] = x;
  def.position[1] = y;
  def.position[2] = z;
  pc_part_id id;
  CHECK_OK(pc_add_spatial_body(system, &def, &id, &error), error);
  return id;
}

static inline pc_part_id make_mass(pc_system* system, const char* name, double x, double y,
                                   double z)
{
  pc_error error = {0};
  pc_point_mass_def def = pc_default_point_mass_def();
  def.name = name;
  def.mass = 2.1;
  def.position[0] = x;
  def.position[1] = y;
  def.position[2] = z;
  pc_part_id id;
  CHECK_OK(pc_add_point_mass(system, &def, &id, &error), error);
  return id;
}

static inline pc_part_id add_beam(pc_system* system, const pc_beam_def* def)
{
  pc_error error = {0};
  pc_part_id id;
  CHECK_OK(pc_add_beam(system, def, &id, &error), error);
  return id;
}

static inline pc_part_id beam_node(pc_system* system, pc_part_id beam, int node)
{
  pc_error error = {0};
  pc_part_id id;
  CHECK_OK(pc_beam_node(system, beam, node, &id, &error), error);
  return id;
}

#endif
