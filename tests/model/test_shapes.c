/* Shapes and materials of model files, and the models that live by them. */
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "example.h"

#define HEAD  "percuss: 1\n"
#define SPACE HEAD "space: spatial\n"

static run open_static(const char* text)
{
  return open_text(text, "moreau-jean", 0, NULL, NULL);
}

/* Kinetic energy of a body that turns, as a measure of its inertia. */
static double kinetic_energy(const char* text)
{
  run r = open_static(text);
  double T = pc_sim_observation(r.sim)->kinetic;
  close_run(&r);
  return T;
}

static void mass_and_inertia_follow_from_shapes(void** state)
{
  (void)state;
  /* a sphere: 4/3 pi r^3 rho, 2/5 m r^2 */
  double m = 4 / 3.0 * acos(-1) * 0.001 * 2500;
  CHECK_NEAR(kinetic_energy(SPACE "bodies: {a: {density: 2500, shape: {sphere: 0.1}, velocity: "
                                  "[2, 0, 0], angular_velocity: [0, 3, 0]}}\n"),
             m * 2 + 0.5 * 0.4 * m * 0.01 * 9, 1e-13);
  /* a box of given mass */
  CHECK_NEAR(kinetic_energy(SPACE "bodies: {a: {mass: 6, shape: {box: [1, 2, 3]}, "
                                  "angular_velocity: [0, 0, 2]}}\n"),
             0.5 * 6 * (1 + 4) / 12.0 * 4, 1e-13);
  /* its own inertia counts, whatever the shape */
  CHECK_NEAR(kinetic_energy(HEAD "bodies: {a: {mass: 6, inertia: 2, shape: {disc: 1}, spin: 3}}\n"),
             9, 1e-14);
  /* two discs on a rod without mass: the parallel axis theorem */
  CHECK_NEAR(kinetic_energy(HEAD "bodies: {a: {spin: 1, shapes: [{disc: 0.1, mass: 1, position: "
                                 "[1, 0]}, {disc: 0.1, mass: 1, position: [-1, 0]}]}}\n"),
             0.5 * (2 * 0.005 + 2), 1e-13);
  CHECK_NEAR(kinetic_energy(HEAD "bodies: {a: {kind: point, density: 2, velocity: [1, 0], shape: "
                                 "{box: [2, 3]}}}\n"),
             6, 1e-14);
}

static void the_frame_of_the_shapes_is_where_the_position_says(void** state)
{
  (void)state;
  run r = open_static(HEAD
                      "bodies:\n"
                      "  a: {density: 1, position: [10, 20], angle: pi/2,\n"
                      "      shapes: [{box: [2, 2], position: [1, 0]}, {box: [2, 2], "
                      "position: [3, 0]}]}\n"
                      "points: {p: [a, [4, 1]]}\n");
  CHECK_NEAR(value(&r, "a.x"), 10, 1e-14);
  CHECK_NEAR(value(&r, "a.y"), 22, 1e-14);
  CHECK_NEAR(value(&r, "p.x"), 9, 1e-14);
  CHECK_NEAR(value(&r, "p.y"), 24, 1e-14);
  close_run(&r);
}

static void bodies_can_be_ground(void** state)
{
  (void)state;
  run r = open_static(HEAD
                      "gravity: [0, -10]\n"
                      "bodies:\n"
                      "  table: {fixed: true, position: [0, 1], angle: pi/2, shape: {box: [1, "
                      "8]}}\n"
                      "  b: {mass: 1, shape: {box: [1, 1]}, position: [0, 2]}\n"
                      "  c: {mass: 1, inertia: 1, position: [5, 5]}\n"
                      "joints: {rod: {distance: {points: [[table, [0, 5]], c]}}}\n");
  assert_int_equal(pc_system_find_quantity(pc_model_system(r.model), "table.x"), -1);
  assert_int_equal(pc_system_u_count(pc_model_system(r.model)), 6);
  CHECK_NEAR(value(&r, "rod.position"), 0, 1e-14); /* from (-5, 1) to (5, 5) */
  run_until(&r, 0.1);
  CHECK_NEAR(value(&r, "b.y"), 2, 1e-12);
  close_run(&r);
}

static pc_material law_between(const pc_system* system, int a, int b)
{
  return pc_system_collider_law(system, a, b);
}

static void materials_and_groups_say_who_meets_and_how(void** state)
{
  (void)state;
  run r = open_static(HEAD
                      "materials: {default: {friction: 0.5}, ice: {friction: 0.02, "
                      "restitution: 0.5}, ice/default: {friction: 0.1, restitution: 0.3}}\n"
                      "bodies:\n"
                      "  a: {mass: 1, shape: {disc: 1}}\n"
                      "  b: {mass: 1, material: ice, group: up, shape: {disc: 1}}\n"
                      "  c: {mass: 1, group: [up, down], meets: [up], shape: {disc: 1}}\n"
                      "  d: {mass: 1, meets: [], shape: {disc: 1}}\n"
                      "joints:\n"
                      "  ab: {distance: {points: [[a, [3, 0]], b]}}\n"
                      "  bc: {distance: {points: [[b, [3, 0]], c]}, collide: true}\n"
                      "shapes: {floor: {half-plane: [0, 1], point: [0, -9]}}\n");
  const pc_system* s = pc_model_system(r.model);
  assert_int_equal(pc_system_collider_count(s), 5);
  CHECK_NEAR(law_between(s, 0, 4).mu, 0.5, 0);
  CHECK_NEAR(law_between(s, 0, 1).mu, 0.1, 0);
  CHECK_NEAR(law_between(s, 0, 1).e_N, 0.3, 0);
  CHECK_NEAR(law_between(s, 1, 1).mu, 0.02, 1e-15);
  assert_false(pc_system_colliders_meet(s, 0, 1)); /* a joint */
  assert_true(pc_system_colliders_meet(s, 1, 2));  /* a joint that allows it */
  assert_false(pc_system_colliders_meet(s, 0, 2)); /* c meets up alone */
  assert_false(pc_system_colliders_meet(s, 3, 4));
  assert_true(pc_system_colliders_meet(s, 0, 4));
  close_run(&r);
}

/* A tetrahedron as a file and by its corners. */
static void files_of_triangles_are_shapes(void** state)
{
  (void)state;
  char folder[] = "/tmp/percuss-shapes-XXXXXX", path[100], obj[100];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/m.yaml", folder);
  snprintf(obj, sizeof obj, "%s/t.obj", folder);
  FILE* file = fopen(obj, "wb");
  fputs("v 0 0 0\nv 3000 0 0\nv 0 3000 0\nv 0 0 3000\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", file);
  fclose(file);
  file = fopen(path, "wb");
  fputs(SPACE
        "bodies:\n"
        "  a(i): {repeat: {i: 2}, density: 2, shape: {polyhedron: t.obj, scale: 0.001}}\n"
        "  b: {density: 2, shape: {polyhedron: [[0, 0, 0], [3, 0, 0], [0, 3, 0], [0, 0, "
        "3]]}}\n"
        "shapes: {terrain: {mesh: t.obj, scale: 0.001, position: [0, 0, -9]}}\n",
        file);
  fclose(file);
  run r = {0};
  CHECK_OK(pc_model_read(path, NULL, 0, &r.model, &r.error), r.error);
  remove(path);
  remove(obj);
  rmdir(folder);
  const pc_system* s = pc_model_system(r.model);
  assert_ptr_equal(pc_system_collider(s, 0).geometry, pc_system_collider(s, 1).geometry);
  assert_int_equal(pc_geometry_describe(pc_system_collider(s, 3).geometry).kind, PC_GEOMETRY_MESH);
  make_sim(&r, "moreau-jean", 0, NULL);
  CHECK_NEAR(value(&r, "a1.x"), 0.75, 1e-14);
  CHECK_NEAR(value(&r, "b.z"), 0.75, 1e-14);
  const char* text = pc_model_text(r.model);
  pc_model* again = NULL; /* the file is gone, its copy is not */
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &again, &r.error), r.error);
  pc_model_destroy(again);
  close_run(&r);
}

/* --- errors --------------------------------------------------------------------------------- */

typedef struct bad_model {
  const char* text;
  int line, column;
  const char* fragment;
} bad_model;

static const bad_model bad_models[] = {
    {HEAD "bodies: {a: {shape: {disc: 1}}}\n", 2, 21,
     "body 'a': its mass is not given, and neither is the density of this shape"},
    {HEAD "bodies: {a: {density: 1}}\n", 2, 13, "'mass' is missing: mass of the body, or a shape"},
    {HEAD "bodies: {a: {density: 1, shape: {segment: 1}}}\n", 2, 33, "segment"},
    {HEAD "bodies: {a: {density: -1, shape: {disc: 1}}}\n", 2, 23,
     "body 'a', density: it is -1, but must be positive"},
    {HEAD "bodies: {a: {mass: 1, shape: {disk: 1}}}\n", 2, 30,
     "expected a shape such as {disc: 0.1}; did you mean 'disc'? shapes: disc, box, polygon"},
    {HEAD "bodies: {a: {mass: 1, shape: {sphere: 1}}}\n", 2, 30, "expected a shape"},
    {HEAD "bodies: {a: {mass: 1, shape: 3}}\n", 2, 30, "expected a shape"},
    {HEAD "bodies: {a: {mass: 1, shapes: {disc: 1}}}\n", 2, 31,
     "body 'a', shapes: expected a list of shapes, found a mapping"},
    {HEAD "bodies: {a: {mass: 1, shape: {disc: 1, radius: 2}}}\n", 2, 40,
     "body 'a', shape: unknown key 'radius'; "},
    {HEAD "bodies: {a: {mass: 1, shape: {disc: 0}}}\n", 2, 37, "must be positive"},
    {HEAD "bodies: {a: {mass: 1, shape: {capsule: 1}}}\n", 2, 30, "'length' is missing"},
    {HEAD "bodies: {a: {mass: 1, shape: {polygon: [[0, 0], [1, 0]]}}}\n", 2, 40, "corners"},
    {HEAD "bodies: {a: {mass: 1, inertia: 1, shape: {half-plane: [0, 1]}}}\n", 2, 42, "ground"},
    {HEAD "bodies: {a: {mass: 1, shape: {disc: 1, material: ice}}}\n", 2, 50,
     "there is no material 'ice'; the section materials has none"},
    {HEAD "materials: {ice: {friction: 1}}\nbodies: {a: {mass: 1, material: ise, shape: {disc: "
          "1}}}\n",
     3, 33, "there is no material 'ise'; did you mean 'ice'?"},
    {HEAD "materials: {ice: {mu: 1}}\n", 2, 19, "material 'ice': unknown key 'mu'"},
    {HEAD "materials: {ice/steel: {}}\n", 2, 13, "there is no material 'ice'"},
    {HEAD "materials: {ice: {restitution: 2}}\n", 2, 32, "must be from 0 to 1"},
    {HEAD "bodies: {a: {mass: 1, shape: {disc: 1, meets: dwn}}, b: {mass: 1, shape: {disc: 1, "
          "group: down}}}\n",
     2, 47, "no shape is in the group 'dwn'; did you mean 'down'?"},
    {HEAD "bodies: {a: {fixed: yes}}\n", 2, 21, "body 'a', fixed: expected true or false"},
    {HEAD "bodies: {a: {mass: 1, inertia: 1}}\nshapes: {s: {disc: 1, body: b}}\n", 3, 29,
     "shape 's', body: there is no body 'b'"},
    {SPACE "bodies: {a: {mass: 1, shape: {capsule: 1, length: 1, axis: [0, 0, 0]}}}\n", 3, 60,
     "the axis must not be zero"},
    {SPACE "bodies: {a: {mass: 1, shape: {mesh: a.stl}}}\n", 3, 37,
     "cannot read 'a.stl': a model that is not a file itself reads no files"},
    {SPACE "shapes: {s: {half-space: [0, 0, 0]}}\n", 3, 26, "the normal must not be zero"},
    {HEAD "bodies: {a: {mass: 1, inertia: 1}}\njoints: {j: {fixed: {bodies: [ground, a]}, collide: "
          "2}}\n",
     3, 53, "joint 'j', collide: expected true or false"},
};

static void shapes_that_make_no_sense_are_refused(void** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof bad_models / sizeof *bad_models; i++) {
    const bad_model* bad = &bad_models[i];
    pc_model* model = NULL;
    pc_error error = {0};
    pc_status status = pc_model_read_text(bad->text, strlen(bad->text), NULL, 0, &model, &error);
    if (status != PC_BAD_MODEL || error.line != bad->line || error.column != bad->column ||
        !strstr(error.text, bad->fragment))
      print_error("%s\ngives %d:%d: %s\n", bad->text, error.line, error.column, error.text);
    assert_int_equal(status, PC_BAD_MODEL);
    assert_int_equal(error.line, bad->line);
    assert_int_equal(error.column, bad->column);
    assert_non_null(strstr(error.text, bad->fragment));
  }
}

/* --- models --------------------------------------------------------------------------------- */

static void the_example_with_discs_stays_in_its_box(void** state)
{
  (void)state;
  run r = open_example("discs");
  run_until(&r, 0.05);
  for (int i = 0; i < 200; i += 20) {
    char name[20];
    snprintf(name, sizeof name, "disc%d.x", i);
    assert_true(fabs(value(&r, name)) < 0.25);
  }
  close_run(&r);
}

/* Newton and Coulomb: a = g (sin theta - mu cos theta). */
static void a_box_slides_on_an_incline_as_it_should(void** state)
{
  (void)state;
  const char* const stick[] = {"angle", "0.95", "direction", "0.7", NULL};
  run r = open_run("box-on-incline", "moreau-jean", 2e-3, stick, NULL);
  run_until(&r, 0.2);
  CHECK_NEAR(hypot(value(&r, "block.vx"), value(&r, "block.vy")), 0, 1e-12);
  close_run(&r);
  const char* const slide[] = {"angle", "1.05", "direction", "0.7", NULL};
  r = open_run("box-on-incline", "moreau-jean", 2e-3, slide, NULL);
  run_until(&r, 0.2);
  double theta = 1.05 * atan(0.5), a = 9.81 * (sin(theta) - 0.5 * cos(theta));
  CHECK_NEAR(value(&r, "block.vx"), 0.2 * a * cos(0.7), 1e-9);
  CHECK_NEAR(value(&r, "block.vy"), 0.2 * a * sin(0.7), 1e-9);
  close_run(&r);
}

/* The formulas of the scene, here by another program. */
static void spheres_start_where_the_scene_says(void** state)
{
  (void)state;
  run r = open_run("spheres-in-a-box", "moreau-jean", 2e-3, NULL, NULL);
  for (int i = 0; i < 100; i += 7) {
    char name[20];
    double x = (i % 5 + 0.5) * 0.12 - 0.3, f = (i + 1) * 0.7548776662466927;
    snprintf(name, sizeof name, "ball%d.x", i);
    CHECK_NEAR(value(&r, name), x + 0.008 * (f - floor(f) - 0.5), 1e-15);
    snprintf(name, sizeof name, "ball%d.z", i);
    CHECK_NEAR(value(&r, name), 0.06 + 0.12 * (i / 25), 1e-15);
  }
  close_run(&r);
}

static void a_wall_has_105_bricks(void** state)
{
  (void)state;
  const char* const none[] = {NULL};
  run r = open_run("brick-wall", "moreau-jean", 2e-3, none, NULL);
  assert_int_equal(pc_system_u_count(pc_model_system(r.model)), 6 * 105);
  CHECK_NEAR(value(&r, "brick0_0.x"), -4.5 * 0.402, 1e-15);
  CHECK_NEAR(value(&r, "brick1_0.x"), -1.909, 1e-15);
  CHECK_NEAR(value(&r, "brick9_10.x"), 1.909, 1e-15);
  CHECK_NEAR(value(&r, "brick9_1.x"), -4 * 0.402, 1e-15);
  CHECK_NEAR(value(&r, "brick9_1.z"), 1.9, 1e-15);
  close_run(&r);
}

static double after(const char* model, const char* const* set, double t, const char* quantity)
{
  static const char* const none[] = {NULL};
  run r = open_run(model, "combined-projection", 0, set ? set : none, NULL);
  run_until(&r, t);
  double end = value(&r, quantity);
  close_run(&r);
  return end;
}

static void an_arch_and_a_house_of_cards_stand_unless_something_is_missing(void** state)
{
  (void)state;
  const char* const missing[] = {"missing", "7", NULL};
  const char* const smooth[] = {"mu", "0.1", NULL};
  CHECK_NEAR(after("arch", NULL, 0.1, "arch.drop"), 0, 1e-12);
  assert_true(after("arch", missing, 0.3, "arch.drop") > 1e-3);
  CHECK_NEAR(after("card-house", NULL, 0.05, "house.drop"), 0, 1e-5);
  assert_true(after("card-house", smooth, 0.1, "house.drop") > 1e-3);
}

/* The exact motion has one freedom: J theta'' = W sin theta, here by fourth-order Runge-Kutta. */
static double upright_angle(int N, double t)
{
  double J = (N + 1) / 3.0 + N, W = 9.81 * ((N + 1) / 2.0 + N), h = t / 20000;
  double a = 0, w = 1;
  for (int i = 0; i < 20000; i++) {
    double k1 = W / J * sin(a), k2 = W / J * sin(a + h / 2 * w);
    double k3 = W / J * sin(a + h / 2 * (w + h / 2 * k1));
    double k4 = W / J * sin(a + h * (w + h / 2 * k2));
    a += h * w + h * h / 6 * (k1 + k2 + k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return a;
}

static void four_bars_side_by_side_pass_their_singular_position(void** state)
{
  (void)state;
  const char* const five[] = {"N", "5", NULL};
  CHECK_NEAR(upright_angle(2, 1), 3.3378708031, 1e-9); /* as published */
  run r = open_run("n-four-bar", "lobatto", 2.5e-3, five, NULL);
  run_until(&r, 1);
  CHECK_NEAR(value(&r, "upright0.angle"), -upright_angle(5, 1), 1e-7);
  CHECK_NEAR(value(&r, "upright5.angle"), -upright_angle(5, 1), 1e-7);
  CHECK_NEAR(value(&r, "coupler3.angle"), 0, 1e-9);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mass_and_inertia_follow_from_shapes),
      cmocka_unit_test(the_frame_of_the_shapes_is_where_the_position_says),
      cmocka_unit_test(bodies_can_be_ground),
      cmocka_unit_test(materials_and_groups_say_who_meets_and_how),
      cmocka_unit_test(files_of_triangles_are_shapes),
      cmocka_unit_test(shapes_that_make_no_sense_are_refused),
      cmocka_unit_test(the_example_with_discs_stays_in_its_box),
      cmocka_unit_test(a_box_slides_on_an_incline_as_it_should),
      cmocka_unit_test(spheres_start_where_the_scene_says),
      cmocka_unit_test(a_wall_has_105_bricks),
      cmocka_unit_test(an_arch_and_a_house_of_cards_stand_unless_something_is_missing),
      cmocka_unit_test(four_bars_side_by_side_pass_their_singular_position),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
