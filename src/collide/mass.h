/* Mass, centre and inertia of shapes of constant density. */
#ifndef PC_COLLIDE_MASS_H
#define PC_COLLIDE_MASS_H

#include "collide/shape.h"

typedef struct pc_mass_properties {
  double mass;      /* [kg] */
  double centre[3]; /* of mass [m] */
  double inertia
      [9]; /* about the centre of mass [kg m^2], along the axes of the frame; in the plane its
                      * last entry is the moment and the others are zero */
} pc_mass_properties;

/* Of a shape in its own frame. The density is in kg/m^3, in the plane in kg/m^2. Closed forms;
 * polygons and polyhedra by integrals over their sides. Shapes without a volume are refused. */
pc_status pc_geometry_mass(const pc_geometry* geometry, double density, pc_mass_properties* mass,
                           pc_error* error);

/* Adds another one, given in the frame `pose`, to a sum, which begins with zeros. Its mass may be
 * negative: a hole. */
void pc_mass_add(pc_mass_properties* sum, const pc_mass_properties* more, const pc_pose* pose);

/* Makes the mass this one, the density being whatever it then is. */
void pc_mass_scale(pc_mass_properties* properties, double mass);

#endif
