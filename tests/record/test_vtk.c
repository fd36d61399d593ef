
#include "percuss/result.h"
#include "record/sample.h"

enum { N_S = 7 };

/* A body in space, a node that has nothing but a place, and a name that XML would misread. */
static const char* const spatial_q[N_S] = {"b.x", "b.y", "b.z", "b.qw", "b.qx", "b.qy", "b.qz"};
static const char* const spatial_u[N_S] = {"b.vx", "b.vy", "b.vz", "b.wx", "b.wy", "b.wz", "b.w0"};
static const char* const node_q[1] = {"a<&\"b.tip.x"};
static const char* const node_u[1] = {"a<&\"b.tip.vx"};
static const char* const unit[N_S] = {"", "", "", "", "", "", ""};

static void add_part(pc_system* system, const char* name, int count, const char* const* q,
                     const char* const* u)
{
  static const double zero[N_S] = {0};
  pc_part_def part = {.name = name, .q_count = count, .u_count = count, .q0 = zero, .u0 = zero};
  part.q_name = q;
  part.u_name = u;
  part.q_unit = part.u_unit = unit;
  pc_part_id id;
  pc_error error = {0};
  CHECK_OK(pc_system_add_part(system, &part, &id, &error), error);
}

static pc_system* make_bodies(void)
{
  pc_system* system = NULL;
  pc_error error = {0};
  pc_system_def def = pc_default_system_def();
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  add_part(system, "b", N_S, spatial_q, spatial_u);
  add_part(system, "a", 1, node_q, node_u);
  CHECK_OK(pc_system_freeze(system, &error), error);
  return system;
}

/* One row: the body at (1, 2, 3), turned by a right angle about its y axis; the node at 4. */
static void record_bodies(const char* path, const pc_system* system)
{
  double half = sqrt(0.5);
  double q[N_S + 1] = {1, 2, 3, half, 0, half, 0, 4}, u[N_S + 1] = {5, 6, 7, 0, 0, 0, 0, 8};
  pc_state state = {.q = q, .u = u};
  pc_step_info info = {0};
  pc_observation seen = {.system = system, .state = &state, .info = &info};
  pc_recorder_def def = pc_default_recorder_def();
  def.path = path;
  def.system = system;
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  CHECK_OK(pc_recorder_create(&def, &recorder, &error), error);
  assert_true(pc_recorder_observe(recorder, &seen));
  CHECK_OK(pc_recorder_close(recorder, &error), error);
}

/* The numbers of an array in a .vtp file. */
static void check_array(const char* text, const char* name, int count, const double* want)
{
  char heading[64];
  snprintf(heading, sizeof heading, "Name=\"%s\"", name);
  const char* at = strstr(text, heading);
  assert_non_null(at);
  char* next = strchr(at, '>') + 1;
  for (int i = 0; i < count; i++) CHECK_NEAR(strtod(next, &next), want[i], 1e-15);
  assert_int_equal(strncmp(next + strspn(next, " \n"), "</DataArray>", 12), 0);
}

static char* read_text(const char* path)
{
  static char text[8192];
  FILE* file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return text;
}

static void bodies_in_space_and_nodes_are_points(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_bodies();
  record_bodies(p.path, system);
  pc_result* r = NULL;
  pc_error error = {0};
  char folder[128], step[160], list[160];
  snprintf(folder, sizeof folder, "%s/vtk", p.directory);
  snprintf(step, sizeof step, "%s/step-00000000.vtp", folder);
  snprintf(list, sizeof list, "%s/bodies.pvd", folder);
  CHECK_OK(pc_result_open(p.path, &r, &error), error);
  CHECK_OK(pc_result_write_vtk(r, folder, 1, NULL, NULL, &error), error);
  const char* text = read_text(step);
  check_array(text, "position", 6, (const double[]){1, 2, 3, 4, 0, 0});
  check_array(text, "velocity", 6, (const double[]){5, 6, 7, 8, 0, 0});
  double half = sqrt(0.5);
  check_array(text, "quaternion", 8, (const double[]){half, 0, half, 0, 1, 0, 0, 0});
  check_array(text, "axis", 6, (const double[]){0, 0, -1, 1, 0, 0});
  check_array(text, "name", 12,
              (const double[]){'b', 0, 'a', '<', '&', '"', 'b', '.', 't', 'i', 'p', 0});
  pc_result_close(r);
  unlink(step);
  unlink(list);
  assert_int_equal(rmdir(folder), 0);
  pc_system_destroy(system);
  forget_place(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_in_space_and_nodes_are_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
