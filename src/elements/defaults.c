/* What a definition says before the caller says otherwise. */
#include "percuss/elements.h"

static pc_point ground_point(void)
{
  return (pc_point){.part = PC_GROUND};
}

pc_body_def pc_default_body_def(void)
{
  return (pc_body_def){.mass = 1, .inertia = 1};
}

pc_spatial_body_def pc_default_spatial_body_def(void)
{
  return (pc_spatial_body_def){
      .mass = 1, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .orientation = {1, 0, 0, 0}};
}

pc_point_mass_def pc_default_point_mass_def(void)
{
  return (pc_point_mass_def){.mass = 1};
}

pc_bar_def pc_default_bar_def(void)
{
  return (pc_bar_def){.elements = 1, .tip = {1}, .area = 1, .density = 1, .modulus = 1};
}

pc_beam_def pc_default_beam_def(void)
{
  return (pc_beam_def){.elements = 1,
                       .nodes = 2,
                       .tip = {1},
                       .up = {0, 0, 1},
                       .area = 1,
                       .inertia = 1,
                       .density = 1,
                       .modulus = 1,
                       .poisson = 0.3,
                       .shear_factor = 5.0 / 6};
}

pc_joint_def pc_default_joint_def(void)
{
  return (pc_joint_def){.part = {PC_GROUND, PC_GROUND}, .axis = {1, 0, 0}};
}

pc_skate_def pc_default_skate_def(void)
{
  return (pc_skate_def){.point = ground_point(), .along = {1, 0, 0}, .normal = {0, 0, 1}};
}

pc_rolling_def pc_default_rolling_def(void)
{
  return (pc_rolling_def){.centre = ground_point(), .plane = {.part = PC_GROUND}};
}

pc_distance_def pc_default_distance_def(void)
{
  return (pc_distance_def){.point = {ground_point(), ground_point()}, .length = -1};
}

pc_signal pc_constant_signal(double value)
{
  return (pc_signal){.constant = value};
}

pc_spring_def pc_default_spring_def(void)
{
  return (pc_spring_def){.point = {ground_point(), ground_point()}, .length = -1};
}

pc_rotational_spring_def pc_default_rotational_spring_def(void)
{
  return (pc_rotational_spring_def){.part = {PC_GROUND, PC_GROUND}};
}

pc_force_def pc_default_force_def(void)
{
  return (pc_force_def){.point = ground_point()};
}

pc_torque_def pc_default_torque_def(void)
{
  return (pc_torque_def){.part = PC_GROUND};
}

pc_contact_law pc_default_contact_law(void)
{
  return (pc_contact_law){.mu = PC_FRICTIONLESS, .compliance = {.exponent = 1}};
}

pc_disc_plane_def pc_default_disc_plane_def(void)
{
  return (pc_disc_plane_def){
      .law = pc_default_contact_law(), .centre = ground_point(), .plane = {.part = PC_GROUND}};
}

pc_arc_contact_def pc_default_arc_contact_def(void)
{
  return (pc_arc_contact_def){.law = pc_default_contact_law(),
                              .centre.part = PC_GROUND,
                              .axis = {0, 0, 1},
                              .angle = 7, /* more than a circle */
                              .part = PC_GROUND,
                              .surface_axis = {0, 0, 1}};
}

pc_clearance_def pc_default_clearance_def(void)
{
  return (pc_clearance_def){.law = pc_default_contact_law(), .part = {PC_GROUND, PC_GROUND}};
}

pc_edge_plane_def pc_default_edge_plane_def(void)
{
  return (pc_edge_plane_def){.law = pc_default_contact_law(),
                             .centre = ground_point(),
                             .axis = {0, 0, 1},
                             .plane = {.part = PC_GROUND}};
}

pc_ellipsoid_plane_def pc_default_ellipsoid_plane_def(void)
{
  return (pc_ellipsoid_plane_def){
      .law = pc_default_contact_law(), .centre = ground_point(), .plane = {.part = PC_GROUND}};
}

pc_disc_disc_def pc_default_disc_disc_def(void)
{
  return (pc_disc_disc_def){.law = pc_default_contact_law(),
                            .centre = {ground_point(), ground_point()}};
}

pc_point_curve_def pc_default_point_curve_def(void)
{
  return (pc_point_curve_def){
      .law = pc_default_contact_law(), .point = ground_point(), .part = PC_GROUND};
}

pc_coordinates_def pc_default_coordinates_def(void)
{
  return (pc_coordinates_def){0};
}

pc_callback_def pc_default_callback_def(void)
{
  return (pc_callback_def){0};
}
