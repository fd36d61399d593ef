/* Every kind of element under the conformance test, with every kind of part on either side. */
#include <stdlib.h>

#include "conformance.h"
#include "scene.h"

/* Two parts of each kind of pairing. */
typedef enum pairing {
  BODY_BODY,
  GROUND_BODY,
  BODY_GROUND,
  BODY_MASS,
  MASS_BODY,
  MASS_MASS,
  GROUND_MASS,
  MASS_GROUND,
  PAIRING_COUNT
} pairing;

static pc_part_id make_side(pc_system* s, int kind, int side)
{
  const char* name = side ? "second" : "first";
  if (kind == 0) return PC_GROUND;
  if (kind == 1) return side ? make_body(s, name, 2, 0.5, 0.3) : make_body(s, name, 0.2, -1, -0.8);
  return side ? make_mass(s, name, 2, 0.5, 0.9) : make_mass(s, name, 0.2, -1, -0.4);
}

static pc_system* make_pair(int dimension, pairing p, pc_part_id part[2])
{
  static const int kind[PAIRING_COUNT][2] = {{1, 1}, {0, 1}, {1, 0}, {1, 2},
                                             {2, 1}, {2, 2}, {0, 2}, {2, 0}};
  pc_system* s = make_system(dimension);
  make_mass(s, "bystander", -3, 0, 0); /* so that local and global places differ */
  for (int i = 0; i < 2; i++) part[i] = make_side(s, kind[p][i], i);
  return s;
}

/* Pairings that are possible in a dimension: bodies are planar. */
static int first_pairing(int dimension)
{
  return dimension == 2 ? BODY_BODY : MASS_MASS;
}

static void finish(pc_system* s)
{
  check_conformance(s, default_conformance());
  pc_system_destroy(s);
}

static void bodies_and_point_masses_alone(void** state)
{
  (void)state;
  pc_system* s = make_system(2);
  make_body(s, "body", 1, 2, 3);
  finish(s);
  for (int dimension = 1; dimension <= 3; dimension++) {
    s = make_system(dimension);
    make_mass(s, "mass", 1, 2, 3);
    finish(s);
  }
}

typedef pc_status add_joint(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                            pc_error* error);

static void check_joint(add_joint* add, int last)
{
  for (int p = BODY_BODY; p <= last; p++) {
    pc_error error = {0};
    pc_joint_def def = pc_default_joint_def();
    def.name = "joint";
    def.axis[0] = 0.7;
    def.axis[1] = -0.4;
    def.at[0] = 0.8;
    def.at[1] = 0.35;
    pc_system* s = make_pair(2, (pairing)p, def.part);
    CHECK_OK(add(s, &def, NULL, &error), error);
    finish(s);
  }
}

static void revolute_joint(void** state)
{
  (void)state;
  check_joint(pc_add_revolute, MASS_GROUND);
}

static void prismatic_joint(void** state)
{
  (void)state;
  check_joint(pc_add_prismatic, BODY_GROUND);
}

static void fixed_joint(void** state)
{
  (void)state;
  check_joint(pc_add_fixed, BODY_GROUND);
}

/* Some points off the centres; of a ground, a point far from the other part. */
static pc_point make_end(pc_part_id part, int side)
{
  if (part.index < 0) return (pc_point){part, {-3, 4, 1.1}};
  return side ? (pc_point){part, {0.3, 0.2, 0.5}} : (pc_point){part, {-0.4, 0.5, -0.2}};
}

static void distance_joint(void** state)
{
  (void)state;
  for (int dimension = 1; dimension <= 3; dimension++)
    for (int p = first_pairing(dimension); p < PAIRING_COUNT; p++) {
      pc_error error = {0};
      pc_part_id part[2];
      pc_system* s = make_pair(dimension, (pairing)p, part);
      pc_distance_def def = pc_default_distance_def();
      def.name = "rod";
      for (int i = 0; i < 2; i++) def.point[i] = make_end(part[i], i);
      CHECK_OK(pc_add_distance(s, &def, NULL, &error), error);
      finish(s);
    }
}

static void check_springs(double length, double damping)
{
  for (int dimension = 1; dimension <= 3; dimension++)
    for (int p = first_pairing(dimension); p < PAIRING_COUNT; p++) {
      pc_error error = {0};
      pc_part_id part[2];
      pc_system* s = make_pair(dimension, (pairing)p, part);
      pc_spring_def def = pc_default_spring_def();
      def.name = "spring";
      def.stiffness = 3;
      def.damping = damping;
      def.length = length;
      for (int i = 0; i < 2; i++) def.point[i] = make_end(part[i], i);
      CHECK_OK(pc_add_spring(s, &def, &error), error);
      finish(s);
    }
}

static void spring_and_damper(void** state)
{
  (void)state;
  check_springs(0.8, 0.9);
  check_springs(-1, 0);
}

static void spring_of_length_zero(void** state)
{
  (void)state;
  check_springs(0, 0);
  check_springs(0, 0.6);
}

/* At the centres, with ends that meet: only the vector spring is smooth there. */
static void spring_of_length_zero_with_ends_that_meet(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(2);
  pc_part_id a = make_body(s, "a", 1, 1, 0.5), b = make_body(s, "b", 1, 1, 0.1);
  pc_spring_def def = pc_default_spring_def();
  def.name = "bush";
  def.stiffness = 5;
  def.length = 0;
  def.point[0].part = a;
  def.point[1].part = b;
  CHECK_OK(pc_add_spring(s, &def, &error), error);
  conformance options = default_conformance();
  options.spread = 0;
  check_conformance(s, options);
  pc_system_destroy(s);
}

static void rotational_spring(void** state)
{
  (void)state;
  for (int p = BODY_BODY; p <= BODY_GROUND; p++) {
    pc_error error = {0};
    pc_rotational_spring_def def = pc_default_rotational_spring_def();
    def.name = "twist";
    def.stiffness = 2;
    def.damping = 0.7;
    def.angle = 0.2;
    pc_system* s = make_pair(2, (pairing)p, def.part);
    CHECK_OK(pc_add_rotational_spring(s, &def, &error), error);
    finish(s);
  }
}

static double wave(const void* user, double t)
{
  return *(const double*)user * sin(3 * t);
}

static void applied_forces_and_torques(void** state)
{
  (void)state;
  static double amplitude = 1.5;
  for (int dimension = 1; dimension <= 3; dimension++)
    for (int body = 0; body <= (dimension == 2); body++) {
      pc_error error = {0};
      pc_system* s = make_system(dimension);
      make_mass(s, "bystander", 0, 0, 0);
      pc_part_id part = body ? make_body(s, "part", 1, 2, 3) : make_mass(s, "part", 1, 2, 3);
      pc_force_def def = pc_default_force_def();
      def.name = "push";
      def.point = (pc_point){part, {0.3, -0.2, 0}};
      def.force[0] = pc_constant_signal(2);
      def.force[dimension - 1] = (pc_signal){.value = wave, .user = &amplitude};
      CHECK_OK(pc_add_force(s, &def, &error), error);
      def.point.at[0] = def.point.at[1] = 0;
      def.name = "centred";
      CHECK_OK(pc_add_force(s, &def, &error), error);
      pc_torque_def torque = pc_default_torque_def();
      torque.name = "turn";
      torque.part = part;
      torque.torque[0] = (pc_signal){.value = wave, .user = &amplitude};
      if (body) CHECK_OK(pc_add_torque(s, &torque, &error), error);
      conformance options = default_conformance();
      options.applied = 1;
      check_conformance(s, options);
      pc_system_destroy(s);
    }
}

static pc_contact_law make_law(int dimension, int friction)
{
  pc_contact_law law = pc_default_contact_law();
  law.name = "touch";
  if (friction) law.mu = dimension > 1 ? 0.3 : 0;
  return law;
}

static void disc_against_plane(void** state)
{
  (void)state;
  for (int dimension = 1; dimension <= 3; dimension++)
    for (int p = first_pairing(dimension); p < PAIRING_COUNT; p++)
      for (int variant = 0; variant < 4; variant++) {
        pc_error error = {0};
        pc_part_id part[2];
        pc_system* s = make_pair(dimension, (pairing)p, part);
        pc_disc_plane_def def = pc_default_disc_plane_def();
        def.law = make_law(dimension, variant & 1);
        def.radius = variant & 2 ? 0.35 : 0;
        def.centre = make_end(part[0], 0);
        if (variant == 3) def.centre = (pc_point){part[0], {0, 0, 0}};
        def.plane = (pc_plane){part[1], {0.1, 0.2, 0.3}, {-1.2, 2, 0.7}};
        CHECK_OK(pc_add_disc_plane(s, &def, NULL, &error), error);
        finish(s);
      }
}

static void disc_against_disc(void** state)
{
  (void)state;
  for (int dimension = 1; dimension <= 3; dimension++)
    for (int p = first_pairing(dimension); p < PAIRING_COUNT; p++)
      for (int variant = 0; variant < 4; variant++) {
        pc_error error = {0};
        pc_part_id part[2];
        pc_system* s = make_pair(dimension, (pairing)p, part);
        pc_disc_disc_def def = pc_default_disc_disc_def();
        def.law = make_law(dimension, variant & 1);
        def.inside = variant & 2;
        def.radius[0] = 0.2;
        def.radius[1] = 0.5;
        for (int i = 0; i < 2; i++) def.centre[i] = make_end(part[i], i);
        CHECK_OK(pc_add_disc_disc(s, &def, NULL, &error), error);
        finish(s);
      }
}

/* y - exp(-x) over the length of its gradient: a distance near the curve only. */
static void slope(const void* user, const double at[2], double* gap, double gradient[2],
                  double hessian[4])
{
  (void)user;
  double e = exp(-at[0]), f = at[1] - e, s = 1 + e * e, r = sqrt(s);
  *gap = f / r;
  gradient[0] = e / r + f * e * e / (r * s);
  gradient[1] = 1 / r;
  double first = -e / r + e * e * e / (r * s);
  double second = (e * e * e - 2 * f * e * e) / (r * s) + 3 * f * e * e * e * e / (r * s * s);
  hessian[0] = first + second;
  hessian[1] = hessian[2] = e * e / (r * s);
  hessian[3] = 0;
}

static void point_against_curve(void** state)
{
  (void)state;
  for (int p = BODY_BODY; p < PAIRING_COUNT; p++)
    for (int friction = 0; friction < 2; friction++) {
      pc_error error = {0};
      pc_part_id part[2];
      pc_system* s = make_pair(2, (pairing)p, part);
      pc_point_curve_def def = pc_default_point_curve_def();
      def.law = make_law(2, friction);
      def.point = make_end(part[0], 0);
      if (part[0].index < 0) def.point.at[0] = 1;
      def.part = part[1];
      def.curve.value = slope;
      CHECK_OK(pc_add_point_curve(s, &def, NULL, &error), error);
      finish(s);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_and_point_masses_alone),
      cmocka_unit_test(revolute_joint),
      cmocka_unit_test(prismatic_joint),
      cmocka_unit_test(fixed_joint),
      cmocka_unit_test(distance_joint),
      cmocka_unit_test(spring_and_damper),
      cmocka_unit_test(spring_of_length_zero),
      cmocka_unit_test(spring_of_length_zero_with_ends_that_meet),
      cmocka_unit_test(rotational_spring),
      cmocka_unit_test(applied_forces_and_torques),
      cmocka_unit_test(disc_against_plane),
      cmocka_unit_test(disc_against_disc),
      cmocka_unit_test(point_against_curve),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
