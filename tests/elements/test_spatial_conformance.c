/* Every element of space under the conformance test, with every kind of part on either side. The
 * random points have quaternions of any length. */
#include "conformance.h"
#include "scene.h"

/* Two parts of each kind of pairing; 0 the ground, 1 a body, 2 a point mass. */
static const int pairing[][2] = {{1, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 2}, {0, 2}, {2, 0}};
enum { PAIRINGS = sizeof pairing / sizeof *pairing, BODY_PAIRINGS = 3, ONE_BODY_PAIRINGS = 5 };

static pc_part_id make_side(pc_system* s, int kind, int side)
{
  static const double turn[2][4] = {{0.9, -0.4, 0.3, 0.5}, {-0.2, 0.8, 0.7, 0.6}};
  const char* name = side ? "second" : "first";
  if (kind == 0) return PC_GROUND;
  if (kind == 1)
    return side ? make_spatial_body(s, name, 2, 0.5, 0.3, turn[1])
                : make_spatial_body(s, name, 0.2, -1, -0.8, turn[0]);
  return side ? make_mass(s, name, 2, 0.5, 0.9) : make_mass(s, name, 0.2, -1, -0.4);
}

static pc_system* make_pair(int p, pc_part_id part[2])
{
  static const double turn[4] = {1, 0, 0, 0};
  pc_system* s = make_system(3);
  make_spatial_body(s, "bystander", -3, 0, 0, turn); /* so that q and u have different places */
  for (int i = 0; i < 2; i++) part[i] = make_side(s, pairing[p][i], i);
  return s;
}

static pc_point make_end(pc_part_id part, int side)
{
  if (part.index < 0) return (pc_point){part, {-3, 4, 1.1}};
  return side ? (pc_point){part, {0.3, 0.2, 0.5}} : (pc_point){part, {-0.4, 0.5, -0.2}};
}

static void finish(pc_system* s)
{
  check_conformance(s, default_conformance());
  pc_system_destroy(s);
}

/* A disc that lies flat and a blade that is upright have a kink, from which some random points are
 * not far: with a step of 1e-3 the differences are then good to a few 1e-9 only. */
static void finish_with_kink(pc_system* s)
{
  conformance options = default_conformance();
  options.spread = 0.2;
  options.step = 2e-4;
  check_conformance(s, options);
  pc_system_destroy(s);
}

static void bodies_alone(void** state)
{
  (void)state;
  static const double turn[4] = {0.4, 1.3, -0.3, 0.2};
  pc_system* s = make_system(3);
  make_spatial_body(s, "a", 1, 2, 3, turn);
  make_mass(s, "m", 1, 2, 3);
  make_spatial_body(s, "b", -1, 0, 0.5, turn);
  finish(s);
}

typedef pc_status add_joint(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                            pc_error* error);

static void check_joint(add_joint* add, int pairings)
{
  for (int p = 0; p < pairings; p++) {
    pc_error error = {0};
    pc_joint_def def = pc_default_joint_def();
    const double axis[3] = {0.7, -0.4, 1.2}, at[3] = {0.8, 0.35, -0.2};
    def.name = "joint";
    for (int i = 0; i < 3; i++) def.axis[i] = axis[i], def.at[i] = at[i];
    pc_system* s = make_pair(p, def.part);
    CHECK_OK(add(s, &def, NULL, &error), error);
    finish(s);
  }
}

static void spherical_joint(void** state)
{
  (void)state;
  check_joint(pc_add_spherical, PAIRINGS);
}

static void revolute_joint(void** state)
{
  (void)state;
  check_joint(pc_add_revolute, BODY_PAIRINGS);
}

static void prismatic_joint(void** state)
{
  (void)state;
  check_joint(pc_add_prismatic, BODY_PAIRINGS);
}

static pc_status add_universal(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                               pc_error* error)
{
  pc_joint_def own = *def;
  const double second[3] = {0.4, 0.7, 0}; /* at right angles to the axis of check_joint */
  for (int i = 0; i < 3; i++) own.second_axis[i] = second[i];
  return pc_add_universal(system, &own, id, error);
}

static void universal_joint(void** state)
{
  (void)state;
  check_joint(add_universal, BODY_PAIRINGS);
}

static void cylindrical_joint(void** state)
{
  (void)state;
  check_joint(pc_add_cylindrical, BODY_PAIRINGS);
}

static void planar_joint(void** state)
{
  (void)state;
  check_joint(pc_add_planar, BODY_PAIRINGS);
}

static void fixed_joint(void** state)
{
  (void)state;
  check_joint(pc_add_fixed, BODY_PAIRINGS);
}

static void distance_joint(void** state)
{
  (void)state;
  for (int p = 0; p < PAIRINGS; p++) {
    pc_error error = {0};
    pc_part_id part[2];
    pc_system* s = make_pair(p, part);
    pc_distance_def def = pc_default_distance_def();
    def.name = "rod";
    for (int i = 0; i < 2; i++) def.point[i] = make_end(part[i], i);
    CHECK_OK(pc_add_distance(s, &def, NULL, &error), error);
    finish(s);
  }
}

static void check_springs(double length, double damping)
{
  for (int p = 0; p < PAIRINGS; p++) {
    pc_error error = {0};
    pc_part_id part[2];
    pc_system* s = make_pair(p, part);
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

static void springs(void** state)
{
  (void)state;
  check_springs(0.8, 0.9);
  check_springs(-1, 0);
  check_springs(0, 0.6);
}

static void rotational_spring(void** state)
{
  (void)state;
  for (int variant = 0; variant < 3; variant++)
    for (int p = 0; p < BODY_PAIRINGS; p++) {
      pc_error error = {0};
      pc_rotational_spring_def def = pc_default_rotational_spring_def();
      const double axis[3] = {0.7, -0.4, 1.2};
      def.name = "twist";
      def.stiffness = variant == 2 ? 0 : 2;
      def.damping = variant == 0 ? 0 : 0.7;
      def.angle = variant == 0 ? -4 : 0.2;
      for (int i = 0; i < 3; i++) def.axis[i] = axis[i];
      pc_system* s = make_pair(p, def.part);
      CHECK_OK(pc_add_rotational_spring(s, &def, &error), error);
      finish_with_kink(s); /* where the axes are opposite */
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
  for (int in_body = 0; in_body < 2; in_body++) {
    pc_error error = {0};
    pc_part_id part[2];
    pc_system* s = make_pair(0, part);
    pc_force_def force = pc_default_force_def();
    force.name = "push";
    force.point = (pc_point){part[in_body], {0.3, -0.2, 0.7}};
    force.force[0] = pc_constant_signal(2);
    force.force[2] = (pc_signal){.value = wave, .user = &amplitude};
    CHECK_OK(pc_add_force(s, &force, &error), error);
    pc_torque_def torque = pc_default_torque_def();
    torque.name = "turn";
    torque.part = part[1];
    torque.torque[0] = pc_constant_signal(-1);
    torque.torque[1] = (pc_signal){.value = wave, .user = &amplitude};
    torque.in_body_frame = in_body;
    CHECK_OK(pc_add_torque(s, &torque, &error), error);
    conformance options = default_conformance();
    options.applied = 1;
    check_conformance(s, options);
    pc_system_destroy(s);
  }
}

/* Without friction, with Coulomb friction, with drilling friction. */
static pc_contact_law make_law(int variant)
{
  pc_contact_law law = pc_default_contact_law();
  law.name = "touch";
  if (variant > 0) law.mu = 0.3;
  if (variant > 1) law.contact_radius = 0.4;
  return law;
}

static pc_plane make_plane(pc_part_id part)
{
  return (pc_plane){part, {0.1, 0.2, 0.3}, {-1.2, 2, 0.7}};
}

/* How many pairings a law is possible for: drilling needs a body. */
static int pairings_of(int variant)
{
  return variant > 1 ? ONE_BODY_PAIRINGS : PAIRINGS;
}

static void sphere_and_point_against_plane(void** state)
{
  (void)state;
  for (int variant = 0; variant < 3; variant++)
    for (int p = 0; p < pairings_of(variant); p++) {
      pc_error error = {0};
      pc_part_id part[2];
      pc_system* s = make_pair(p, part);
      pc_disc_plane_def def = pc_default_disc_plane_def();
      def.law = make_law(variant);
      def.radius = p % 2 ? 0.35 : 0;
      def.centre = make_end(part[0], 0);
      def.plane = make_plane(part[1]);
      CHECK_OK(pc_add_disc_plane(s, &def, NULL, &error), error);
      finish(s);
    }
}

static void sphere_against_sphere(void** state)
{
  (void)state;
  for (int variant = 0; variant < 3; variant++)
    for (int p = 0; p < pairings_of(variant); p++) {
      pc_error error = {0};
      pc_part_id part[2];
      pc_system* s = make_pair(p, part);
      pc_disc_disc_def def = pc_default_disc_disc_def();
      def.law = make_law(variant);
      def.inside = p % 2;
      def.radius[0] = 0.2;
      def.radius[1] = 0.5;
      for (int i = 0; i < 2; i++) def.centre[i] = make_end(part[i], i);
      CHECK_OK(pc_add_disc_disc(s, &def, NULL, &error), error);
      finish(s);
    }
}

static void edge_against_plane(void** state)
{
  (void)state;
  for (int variant = 0; variant < 3; variant++)
    for (int p = 0; p < ONE_BODY_PAIRINGS; p++) {
      pc_error error = {0};
      pc_part_id part[2];
      pc_system* s = make_pair(p, part);
      pc_edge_plane_def def = pc_default_edge_plane_def();
      const double axis[3] = {0.2, -0.1, 1.4};
      def.law = make_law(variant);
      def.radius = 0.35;
      for (int i = 0; i < 3; i++) def.axis[i] = axis[i];
      def.centre = make_end(part[0], 0);
      def.plane = make_plane(part[1]);
      CHECK_OK(pc_add_edge_plane(s, &def, NULL, &error), error);
      finish_with_kink(s);
    }
}

static void ellipsoid_against_plane(void** state)
{
  (void)state;
  for (int variant = 0; variant < 3; variant++)
    for (int p = 0; p < pairings_of(variant); p++) {
      pc_error error = {0};
      pc_part_id part[2];
      pc_system* s = make_pair(p, part);
      pc_ellipsoid_plane_def def = pc_default_ellipsoid_plane_def();
      const double semi_axes[3] = {0.5, 0.8, 1.1};
      def.law = make_law(variant);
      for (int i = 0; i < 3; i++) def.semi_axes[i] = semi_axes[i];
      def.centre = make_end(part[0], 0);
      def.plane = make_plane(part[1]);
      CHECK_OK(pc_add_ellipsoid_plane(s, &def, NULL, &error), error);
      finish(s);
    }
}

static void rolling(void** state)
{
  (void)state;
  for (int edge = 0; edge < 2; edge++)
    for (int p = 0; p < BODY_PAIRINGS; p++) {
      pc_error error = {0};
      pc_part_id part[2];
      pc_system* s = make_pair(p, part);
      pc_rolling_def def = pc_default_rolling_def();
      def.name = "roll";
      def.radius = 0.35;
      def.axis[1] = edge;
      def.centre = make_end(part[0], 0);
      def.plane = make_plane(part[1]);
      CHECK_OK(pc_add_rolling(s, &def, NULL, &error), error);
      assert_int_equal(pc_system_contact_count(s), 0);
      finish_with_kink(s);
    }
}

static void skate_in_space(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_part_id part[2];
  pc_system* s = make_pair(0, part);
  pc_skate_def def = pc_default_skate_def();
  def.name = "blade";
  def.point = make_end(part[1], 1);
  def.normal[0] = 0.4;
  CHECK_OK(pc_add_skate(s, &def, NULL, &error), error);
  finish_with_kink(s);
}

static void skate_and_rolling_in_the_plane(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(2);
  make_mass(s, "bystander", -3, 0, 0);
  pc_skate_def skate = pc_default_skate_def();
  skate.name = "blade";
  skate.point = (pc_point){make_body(s, "sled", 1, 2, 0.3), {0.3, -0.2, 0}};
  skate.along[1] = 0.7;
  CHECK_OK(pc_add_skate(s, &skate, NULL, &error), error);
  pc_rolling_def wheel = pc_default_rolling_def();
  wheel.name = "roll";
  wheel.centre = (pc_point){make_body(s, "wheel", 0, 1, 0.3), {0.1, 0, 0}};
  wheel.radius = 0.5;
  wheel.plane = (pc_plane){skate.point.part, {0, 0.1, 0}, {0.2, 1, 0}};
  CHECK_OK(pc_add_rolling(s, &wheel, NULL, &error), error);
  finish(s);
}

/* Rings, arcs and surfaces of many proportions. Where two points of a ring are equally near, or the
 * nearest one leaves an arc or a face, the gap has a kink: the random points stay close to the
 * start. */
static void check_arc(pc_surface_kind surface, int whole, double size)
{
  for (int p = 0; p < ONE_BODY_PAIRINGS; p++) {
    pc_error error = {0};
    pc_part_id part[2];
    pc_system* s = make_pair(p, part);
    pc_arc_contact_def def = pc_default_arc_contact_def();
    def.law.name = "arc";
    def.law.mu = 0.3;
    def.centre = make_end(part[0], 0);
    def.radius = 0.7;
    def.axis[0] = 0.4, def.axis[1] = -0.3, def.axis[2] = 1;
    def.from[0] = -0.4, def.from[1] = 0.3, def.from[2] = 0.25;
    if (!whole) def.angle = 2.5;
    def.offset = 0.01;
    def.surface = surface;
    def.part = part[1];
    def.surface_point[1] = 0.2, def.surface_point[2] = -0.4;
    def.surface_axis[0] = 0.3, def.surface_axis[1] = 0.2, def.surface_axis[2] = 0.9;
    def.surface_second[0] = 0.2, def.surface_second[1] = -0.3;
    def.surface_radius = surface == PC_SURFACE_WEDGE ? size : 0.25;
    def.surface_angle = surface == PC_SURFACE_CYLINDER ? size : 0;
    def.size[0] = size, def.size[1] = 2 * size;
    for (int i = 0; i < 3 && surface == PC_SURFACE_WEDGE; i++) /* so that the arc is outside */
      def.surface_axis[i] *= -1, def.surface_second[i] *= -1;
    CHECK_OK(pc_add_arc_contact(s, &def, NULL, &error), error);
    conformance options = default_conformance();
    options.spread = 0.02;
    options.step = 2e-4;
    check_conformance(s, options);
    pc_system_destroy(s);
  }
}

static void arc_contacts(void** state)
{
  (void)state;
  for (int whole = 0; whole < 2; whole++) {
    check_arc(PC_SURFACE_CYLINDER, whole, 0);
    check_arc(PC_SURFACE_CYLINDER, whole, 3); /* its round face */
    check_arc(PC_SURFACE_CYLINDER, whole, 1); /* the edge at its end */
    check_arc(PC_SURFACE_BORE, whole, 0);
    check_arc(PC_SURFACE_FACE, whole, 100);   /* under the arc */
    check_arc(PC_SURFACE_FACE, whole, 0.1);   /* beside it */
    check_arc(PC_SURFACE_WEDGE, whole, 0.02); /* one of its planes */
    check_arc(PC_SURFACE_WEDGE, whole, 4);    /* its rounding */
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_alone),
      cmocka_unit_test(spherical_joint),
      cmocka_unit_test(revolute_joint),
      cmocka_unit_test(prismatic_joint),
      cmocka_unit_test(universal_joint),
      cmocka_unit_test(cylindrical_joint),
      cmocka_unit_test(planar_joint),
      cmocka_unit_test(fixed_joint),
      cmocka_unit_test(arc_contacts),
      cmocka_unit_test(distance_joint),
      cmocka_unit_test(springs),
      cmocka_unit_test(rotational_spring),
      cmocka_unit_test(applied_forces_and_torques),
      cmocka_unit_test(sphere_and_point_against_plane),
      cmocka_unit_test(sphere_against_sphere),
      cmocka_unit_test(edge_against_plane),
      cmocka_unit_test(ellipsoid_against_plane),
      cmocka_unit_test(rolling),
      cmocka_unit_test(skate_in_space),
      cmocka_unit_test(skate_and_rolling_in_the_plane),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
