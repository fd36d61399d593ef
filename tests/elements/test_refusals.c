/* Definitions that do not make sense: each is refused with a text that names the field, releases
 * what it was given, and leaves the system as it was. */
#include <string.h>

#include "scene.h"

/* The parts at hand: a planar system with a body, a point mass and plain coordinates. */
typedef struct scene {
  pc_system* system;
  pc_part_id body, mass, plain;
} scene;

static scene make_scene(void)
{
  pc_error error = {0};
  scene s = {.system = make_system(2)};
  s.body = make_body(s.system, "body", 1, 1, 0);
  s.mass = make_mass(s.system, "mass", 0, 0, 0);
  pc_coordinates_def def = pc_default_coordinates_def();
  def.name = "plain";
  def.q_count = def.u_count = 1;
  def.q0 = def.u0 = (const double[]){0};
  CHECK_OK(pc_add_coordinates(s.system, &def, &s.plain, &error), error);
  return s;
}

static void check_refused(pc_status status, const pc_error* error, const char* text,
                          const char* file, int line)
{
  if (status == PC_BAD_MODEL && !strcmp(error->text, text)) return;
  print_error("%s:%d: status %d, '%s'\n not '%s'\n", file, line, (int)status, error->text, text);
  _fail(file, line);
}

/* Adds `def` with one field changed, and puts the field back. */
#define REFUSED(add, text)                                     \
  do {                                                         \
    pc_error error_ = {0};                                     \
    pc_status status_ = add;                                   \
    check_refused(status_, &error_, text, __FILE__, __LINE__); \
  } while (0)
#define WITH(type, value, field, change, add, text) \
  do {                                              \
    type def = value;                               \
    def.field = change;                             \
    REFUSED(add, text);                             \
  } while (0)

static void bodies(void** state)
{
  (void)state;
  scene s = make_scene();
  pc_part_id id;
  pc_body_def good = pc_default_body_def();
  good.name = "b";
#define BODY(field, change, text) \
  WITH(pc_body_def, good, field, change, pc_add_body(s.system, &def, &id, &error_), text)
  BODY(name, NULL, "body: name is missing");
  BODY(name, "", "body: name is missing");
  BODY(name, "mass", "the name 'mass' is used twice");
  BODY(mass, 0, "body 'b': mass is 0; it must be positive and finite");
  BODY(mass, NAN, "body 'b': mass is nan; it must be positive and finite");
  BODY(inertia, -2, "body 'b': inertia is -2; it must be positive and finite");
  BODY(position[1], INFINITY, "body 'b': position is not finite");
  BODY(angle, NAN, "body 'b': angle is not finite");
  BODY(velocity[0], NAN, "body 'b': velocity is not finite");
  BODY(spin, NAN, "body 'b': spin is not finite");

  pc_point_mass_def point = pc_default_point_mass_def();
  point.name = "p";
#define MASS(field, change, text)                                                                \
  WITH(pc_point_mass_def, point, field, change, pc_add_point_mass(s.system, &def, &id, &error_), \
       text)
  MASS(name, "", "point mass: name is missing");
  MASS(mass, INFINITY, "point mass 'p': mass is inf; it must be positive and finite");
  MASS(position[0], NAN, "point mass 'p': position is not finite");
  MASS(velocity[1], NAN, "point mass 'p': velocity is not finite");
  pc_system_destroy(s.system);

  pc_system* space = make_system(3);
  REFUSED(pc_add_body(space, &good, &id, &error_),
          "body 'b' needs a planar system; this one has dimension 3");
  pc_system_destroy(space);
}

static void joints(void** state)
{
  (void)state;
  scene s = make_scene();
  pc_joint_def good = pc_default_joint_def();
  good.name = "j";
  good.part[1] = s.body;
#define JOINT(add, field, change, text) \
  WITH(pc_joint_def, good, field, change, add(s.system, &def, NULL, &error_), text)
  JOINT(pc_add_revolute, name, NULL, "revolute: name is missing");
  JOINT(pc_add_revolute, at[0], NAN, "revolute 'j': at is not finite");
  JOINT(pc_add_revolute, part[0], s.body, "revolute 'j': part[0] and part[1] are the same part");
  JOINT(pc_add_revolute, part[1], PC_GROUND,
        "revolute 'j': part[0] and part[1] are the same: the ground");
  JOINT(pc_add_revolute, part[1], ((pc_part_id){17}),
        "revolute 'j': part[1]: there is no part number 17");
  JOINT(pc_add_revolute, part[0], s.plain,
        "revolute 'j': part[0]: 'plain' is not a body or point mass");
  JOINT(pc_add_prismatic, name, "", "prismatic: name is missing");
  JOINT(pc_add_prismatic, at[1], NAN, "prismatic 'j': at is not finite");
  JOINT(pc_add_prismatic, axis[1], NAN, "prismatic 'j': axis is not finite");
  JOINT(pc_add_prismatic, axis[0], 0, "prismatic 'j': axis is zero; it must have a direction");
  JOINT(pc_add_prismatic, part[0], s.mass, "prismatic 'j': part[0]: 'mass' is not a rigid body");
  JOINT(pc_add_fixed, name, "", "fixed: name is missing");
  JOINT(pc_add_fixed, part[0], s.mass, "fixed 'j': part[0]: 'mass' is not a rigid body");

  pc_distance_def rod = pc_default_distance_def();
  rod.name = "d";
  rod.point[1].part = s.body;
#define DISTANCE(field, change, text) \
  WITH(pc_distance_def, rod, field, change, pc_add_distance(s.system, &def, NULL, &error_), text)
  DISTANCE(name, NULL, "distance: name is missing");
  DISTANCE(length, 0, "distance 'd': length is 0; points that stay together need a revolute joint");
  DISTANCE(length, NAN, "distance 'd': length is not finite");
  DISTANCE(point[0].at[0], NAN, "distance 'd': point[0].at is not finite");
  DISTANCE(point[1].at[1], NAN, "distance 'd': point[1].at is not finite");
  DISTANCE(point[1].part, s.mass,
           "distance 'd': point[0] and point[1] coincide in the initial configuration");
  DISTANCE(point[0].part, s.body,
           "distance 'd': point[0].part and point[1].part are the same part");
  pc_system_destroy(s.system);

  pc_system* line = make_system(1);
  REFUSED(pc_add_revolute(line, &good, NULL, &error_),
          "revolute 'j' needs a planar or spatial system; this one has dimension 1");
  REFUSED(pc_add_prismatic(line, &good, NULL, &error_),
          "prismatic 'j' needs a planar or spatial system; this one has dimension 1");
  REFUSED(pc_add_spherical(line, &good, NULL, &error_),
          "spherical 'j' needs a spatial system; this one has dimension 1");
  pc_system_destroy(line);
}

static void count_calls(void* user)
{
  ++*(int*)user;
}

static double zero_signal(const void* user, double t)
{
  (void)user, (void)t;
  return 0;
}

static void springs(void** state)
{
  (void)state;
  scene s = make_scene();
  pc_spring_def spring = pc_default_spring_def();
  spring.name = "s";
  spring.point[1].part = s.body;
#define SPRING(field, change, text) \
  WITH(pc_spring_def, spring, field, change, pc_add_spring(s.system, &def, &error_), text)
  SPRING(name, "", "spring: name is missing");
  SPRING(stiffness, -1, "spring 's': stiffness is -1; it must be finite and not negative");
  SPRING(damping, NAN, "spring 's': damping is nan; it must be finite and not negative");
  SPRING(length, INFINITY, "spring 's': length is not finite");
  SPRING(point[0].at[1], NAN, "spring 's': point[0].at is not finite");
  SPRING(point[1].at[0], NAN, "spring 's': point[1].at is not finite");
  SPRING(point[1].part, s.plain, "spring 's': point[1].part: 'plain' is not a body or point mass");

  pc_rotational_spring_def twist = pc_default_rotational_spring_def();
  twist.name = "r";
  twist.part[1] = s.body;
#define TWIST(field, change, text)                     \
  WITH(pc_rotational_spring_def, twist, field, change, \
       pc_add_rotational_spring(s.system, &def, &error_), text)
  TWIST(name, "", "rotational spring: name is missing");
  TWIST(stiffness, -1,
        "rotational spring 'r': stiffness is -1; it must be finite and not negative");
  TWIST(damping, -3, "rotational spring 'r': damping is -3; it must be finite and not negative");
  TWIST(angle, NAN, "rotational spring 'r': angle is not finite");
  TWIST(part[1], PC_GROUND, "rotational spring 'r': part[0] and part[1] are the same: the ground");
  TWIST(part[0], s.mass, "rotational spring 'r': part[0]: 'mass' is not a rigid body");
  pc_system_destroy(s.system);
}

static void applied_forces(void** state)
{
  (void)state;
  scene s = make_scene();
  int calls = 0;
  pc_force_def force = pc_default_force_def();
  force.name = "f";
  force.point.part = s.body;
  force.force[0] = (pc_signal){.user = &calls, .destroy = count_calls};
#define FORCE(field, change, text) \
  WITH(pc_force_def, force, field, change, pc_add_force(s.system, &def, &error_), text)
  FORCE(name, "", "force: name is missing");
  FORCE(point.at[0], NAN, "force 'f': point.at is not finite");
  FORCE(point.part, PC_GROUND, "force 'f': point.part is the ground, which cannot move");
  FORCE(point.part, s.plain, "force 'f': point.part: 'plain' is not a body or point mass");
  FORCE(force[1].constant, NAN, "force 'f': force[1] is not finite");
  FORCE(force[2].constant, 1, "force 'f': force[2] is given, but the system has dimension 2");
  FORCE(force[2].value, zero_signal,
        "force 'f': force[2] is given, but the system has dimension 2");
  assert_int_equal(calls, 7); /* released each time it was refused */

  pc_torque_def torque = pc_default_torque_def();
  torque.name = "t";
  torque.part = s.body;
  torque.torque[0] = (pc_signal){.user = &calls, .destroy = count_calls};
#define TORQUE(field, change, text) \
  WITH(pc_torque_def, torque, field, change, pc_add_torque(s.system, &def, &error_), text)
  TORQUE(name, NULL, "torque: name is missing");
  TORQUE(part, PC_GROUND, "torque 't': part is the ground, which cannot move");
  TORQUE(part, s.mass, "torque 't': part: 'mass' is not a rigid body");
  TORQUE(torque[0].constant, INFINITY, "torque 't': torque[0] is not finite");
  assert_int_equal(calls, 11);
  pc_system_destroy(s.system);
}

static void flat_field(const void* user, const double at[2], double* gap, double gradient[2],
                       double hessian[4])
{
  (void)user, (void)hessian;
  *gap = at[1];
  gradient[1] = 1;
}

static void contacts_with_planes_and_curves(void** state)
{
  (void)state;
  scene s = make_scene();
  pc_disc_plane_def plane = pc_default_disc_plane_def();
  plane.law.name = "c";
  plane.centre.part = s.body;
  plane.plane.normal[1] = 1;
#define PLANE(field, change, text)                                                                \
  WITH(pc_disc_plane_def, plane, field, change, pc_add_disc_plane(s.system, &def, NULL, &error_), \
       text)
  PLANE(law.name, NULL, "disc-plane: name is missing");
  PLANE(law.mu, -0.5,
        "disc-plane 'c': mu is -0.5; it must be finite and not negative, or PC_FRICTIONLESS");
  PLANE(law.mu, NAN,
        "disc-plane 'c': mu is nan; it must be finite and not negative, or PC_FRICTIONLESS");
  PLANE(law.e_N, 1.5, "disc-plane 'c': e_N is 1.5; it must be from 0 to 1");
  PLANE(law.e_F, -0.1, "disc-plane 'c': e_F is -0.1; it must be from 0 to 1");
  PLANE(radius, -1, "disc-plane 'c': radius is -1; it must be finite and not negative");
  PLANE(centre.at[0], NAN, "disc-plane 'c': centre.at is not finite");
  PLANE(plane.point[0], NAN, "disc-plane 'c': plane.point is not finite");
  PLANE(plane.normal[0], NAN, "disc-plane 'c': plane.normal is not finite");
  PLANE(plane.normal[1], 0, "disc-plane 'c': plane.normal is zero; it must have a direction");
  PLANE(centre.part, PC_GROUND,
        "disc-plane 'c': centre.part and plane.part are the same: the ground");
  PLANE(plane.part, s.plain, "disc-plane 'c': plane.part: 'plain' is not a body or point mass");

  int calls = 0;
  pc_point_curve_def curve = pc_default_point_curve_def();
  curve.law.name = "k";
  curve.point.part = s.body;
  curve.curve = (pc_gap_field){flat_field, &calls, count_calls};
#define CURVE(field, change, text)               \
  WITH(pc_point_curve_def, curve, field, change, \
       pc_add_point_curve(s.system, &def, NULL, &error_), text)
  CURVE(law.name, "", "point-curve: name is missing");
  CURVE(law.e_N, 2, "point-curve 'k': e_N is 2; it must be from 0 to 1");
  CURVE(point.at[1], NAN, "point-curve 'k': point.at is not finite");
  CURVE(curve.value, NULL, "point-curve 'k': curve.value is missing");
  CURVE(part, s.body, "point-curve 'k': point.part and part are the same part");
  assert_int_equal(calls, 5);
  pc_error error = {0};
  CHECK_OK(pc_add_point_curve(s.system, &curve, NULL, &error), error);
  pc_system_destroy(s.system);
  assert_int_equal(calls, 6);
}

static void contacts_of_discs_and_on_a_line(void** state)
{
  (void)state;
  scene s = make_scene();
  pc_disc_disc_def disc = pc_default_disc_disc_def();
  disc.law.name = "d";
  disc.centre[0].part = s.body;
  disc.radius[0] = disc.radius[1] = 1;
#define DISC(field, change, text) \
  WITH(pc_disc_disc_def, disc, field, change, pc_add_disc_disc(s.system, &def, NULL, &error_), text)
  DISC(law.name, NULL, "disc-disc: name is missing");
  DISC(radius[0], -1, "disc-disc 'd': radius[0] is -1; it must be finite and not negative");
  DISC(radius[1], 0, "disc-disc 'd': radius[1] is 0; it must be positive and finite");
  DISC(inside, 1,
       "disc-disc 'd': radius[0] is 1; to move inside, it must be less than radius[1], 1");
  DISC(centre[0].at[0], NAN, "disc-disc 'd': centre[0].at is not finite");
  DISC(centre[1].at[0], NAN, "disc-disc 'd': centre[1].at is not finite");
  DISC(centre[1].part, s.body,
       "disc-disc 'd': centre[0].part and centre[1].part are the same part");
  pc_system_destroy(s.system);

  pc_system* line = make_system(1);
  pc_disc_plane_def wall = pc_default_disc_plane_def();
  wall.law.name = "wall";
  wall.law.mu = 0.3;
  wall.centre.part = make_mass(line, "mass", 0, 0, 0);
  wall.plane.normal[0] = 1;
  REFUSED(pc_add_disc_plane(line, &wall, NULL, &error_),
          "disc-plane 'wall': mu is 0.3, but a line has no tangent");
  wall.plane.normal[0] = 0;
  wall.plane.normal[1] = 1; /* there is no second axis */
  REFUSED(pc_add_disc_plane(line, &wall, NULL, &error_),
          "disc-plane 'wall': plane.normal is zero; it must have a direction");
  pc_system_destroy(line);
}

static void any_q_dot(const void* user, double t, const double* q, const double* u, double* q_dot)
{
  (void)user, (void)t, (void)q;
  q_dot[0] = u[0];
}

static void coordinates(void** state)
{
  (void)state;
  scene s = make_scene();
  pc_part_id id;
  pc_coordinates_def good = pc_default_coordinates_def();
  good.name = "q";
  good.q_count = good.u_count = 1;
  good.q0 = good.u0 = (const double[]){0};
#define COORDINATES(field, change, text)                                                          \
  WITH(pc_coordinates_def, good, field, change, pc_add_coordinates(s.system, &def, &id, &error_), \
       text)
  COORDINATES(name, "", "coordinates: name is missing");
  COORDINATES(name, "plain", "the name 'plain' is used twice");
  COORDINATES(q_count, 0, "coordinates 'q': q_count is 0; it must be from 1 to 1000000");
  COORDINATES(u_count, -1, "coordinates 'q': u_count is -1; it must be from 1 to 1000000");
  COORDINATES(q_count, 2,
              "coordinates 'q': u_count is 1; without kinematics it must be q_count, 2");
  COORDINATES(kinematics.q_dot, any_q_dot, "coordinates 'q': kinematics.B is missing");
  COORDINATES(q0, NULL, "coordinates 'q': q0 is missing");
  COORDINATES(u0, NULL, "coordinates 'q': u0 is missing");
  COORDINATES(q0, ((const double[]){NAN}), "coordinates 'q': q0 is not finite");
  COORDINATES(u0, ((const double[]){INFINITY}), "coordinates 'q': u0 is not finite");
  pc_system_destroy(s.system);
}

static void any_y(const void* user, double t, const double* q, double* y)
{
  (void)user, (void)t;
  y[0] = q[0];
}

static void any_h(const void* user, double t, const double* q, const double* u, double* h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[0] = 1;
}

static void any_W_q(const void* user, double t, const double* q, double* W_q)
{
  (void)user, (void)t, (void)q, (void)W_q;
}

static void any_Ma_q(const void* user, double t, const double* q, const double* a, double* Ma_q)
{
  (void)user, (void)t, (void)q, (void)a, (void)Ma_q;
}

static void callbacks(void** state)
{
  (void)state;
  scene s = make_scene();
  int calls = 0;
  pc_contact_law law[2] = {{.name = "first", .mu = 0.1},
                           {.name = "second", .mu = PC_FRICTIONLESS, .e_N = 3}};
  pc_callback_def good = pc_default_callback_def();
  good.name = "c";
  good.part_count = 1;
  good.part = &s.plain;
  good.contact = law;
  good.y = any_y;
  good.user = &calls;
  good.destroy = count_calls;
#define CALLBACK(field, change, text) \
  WITH(pc_callback_def, good, field, change, pc_add_callback(s.system, &def, &error_), text)
  CALLBACK(name, NULL, "callback: name is missing");
  CALLBACK(part_count, 0, "callback 'c': part_count is 0; it must be at least 1");
  CALLBACK(part, NULL, "callback 'c': part is missing");
  CALLBACK(part, &PC_GROUND, "callback 'c': part[0] is the ground, which cannot move");
  CALLBACK(part, &(pc_part_id){9}, "callback 'c': part[0]: there is no part number 9");
  CALLBACK(g_count, -1, "callback 'c': g_count is -1; it must be at least 0");
  CALLBACK(gamma_count, 2, "callback 'c': W is missing, but there are 2 rows without a position");
  CALLBACK(contact_count, 1, "callback 'c': W is missing, but there are 1 rows without a position");
  CALLBACK(contact_count, 2, "callback 'second': e_N is 3; it must be from 0 to 1");
  CALLBACK(h_q, any_h, "callback 'c': h_q is given, but h is missing");
  CALLBACK(h_u, any_h, "callback 'c': h_u is given, but h is missing");
  CALLBACK(W_q, any_W_q, "callback 'c': W_q is given, but W is missing");
  CALLBACK(Ma_q, any_Ma_q, "callback 'c': Ma_q is given, but M is missing");
  law[0].contact_radius = 1;
  CALLBACK(contact_count, 1,
           "callback 'first': contact_radius is given, but the rows of a callback are its own");
  assert_int_equal(calls, 14);
  good.y = NULL;
  CALLBACK(g_count, 3, "callback 'c': y is missing, but there are 3 rows with a position");
  good.part_count = 2;
  CALLBACK(part, ((const pc_part_id[]){s.body, s.body}), "callback 'c' has 'body' on both sides");
  assert_int_equal(calls, 16);
  pc_system_destroy(s.system);
  assert_int_equal(calls, 16);
}

static void refused_elements_leave_the_system_as_it_was(void** state)
{
  (void)state;
  scene s = make_scene();
  pc_error error = {0};
  pc_body_def body = pc_default_body_def();
  body.name = "bad";
  body.mass = -1;
  pc_part_id id = {-7};
  assert_int_equal(pc_add_body(s.system, &body, &id, NULL), PC_BAD_MODEL);
  assert_int_equal(id.index, -7);
  pc_disc_plane_def plane = pc_default_disc_plane_def();
  plane.law.name = "bad";
  assert_int_equal(pc_add_disc_plane(s.system, &plane, NULL, NULL), PC_BAD_MODEL);
  CHECK_OK(pc_system_freeze(s.system, &error), error);
  assert_int_equal(pc_system_q_count(s.system), 3 + 2 + 1);
  assert_int_equal(pc_system_row_count(s.system), 0);
  pc_system_destroy(s.system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies),
      cmocka_unit_test(joints),
      cmocka_unit_test(springs),
      cmocka_unit_test(applied_forces),
      cmocka_unit_test(contacts_with_planes_and_curves),
      cmocka_unit_test(contacts_of_discs_and_on_a_line),
      cmocka_unit_test(coordinates),
      cmocka_unit_test(callbacks),
      cmocka_unit_test(refused_elements_leave_the_system_as_it_was),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
