/* What the tests of the recorder share: a system with every kind of row, observations with a
 * different number in every place, and reading back through HDF5's own interface. */
#ifndef PC_TESTS_RECORD_SAMPLE_H
#define PC_TESTS_RECORD_SAMPLE_H

#include "check.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "percuss/record.h"
#include "system/element.h"

/* Coordinates x, x', a.angle; two position constraints (the second an angle) and one on velocity;
 * contacts 'floor' (one friction row), 'wall' (none) and 'ball' (two). */
enum { N_Q = 3, N_BILATERAL = 3, N_CONTACT = 3, N_FRICTION = 3, N_ROW = 9, N_STAGE = 2 };
enum { N_LAW = 2 + N_BILATERAL + 3 * N_CONTACT }; /* that can be violated */

static const int normal_row[N_CONTACT] = {3, 5, 6};
static const int friction_row[N_FRICTION] = {4, 7, 8};

static inline void no_terms(const void* data, pc_local* l)
{
  (void)data;
  (void)l;
}

static inline pc_part_id add_sample_part(pc_system* system)
{
  static const char* const q_name[N_Q] = {"x", "y", "a.angle"};
  static const char* const u_name[N_Q] = {"x'", "y'", "a.spin"};
  static const char* const q_unit[N_Q] = {"m", "m", "rad"};
  static const char* const u_unit[N_Q] = {"m/s", "m/s", "rad/s"};
  static const double zero[N_Q] = {0};
  pc_part_def part = {.name = "a", .q_count = N_Q, .u_count = N_Q, .q0 = zero, .u0 = zero};
  part.q_name = q_name;
  part.u_name = u_name;
  part.q_unit = q_unit;
  part.u_unit = u_unit;
  pc_part_id id;
  pc_error error = {0};
  CHECK_OK(pc_system_add_part(system, &part, &id, &error), error);
  return id;
}

/* Frozen; to be destroyed by the caller. Without rows if `rows` is 0. */
static inline pc_system* make_system(int rows)
{
  static const pc_element_ops ops = {.kind = "sample", .evaluate = no_terms};
  static const pc_contact_law law[N_CONTACT] = {
      {.name = "floor", .mu = 0.5}, {.name = "wall"}, {.name = "ball", .mu = 0.1}};
  static const int dimension[N_CONTACT] = {1, 0, 2};
  pc_error error = {0};
  pc_system* system = NULL;
  pc_system_def def = pc_default_system_def();
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  pc_part_id part = add_sample_part(system);
  pc_element_def element = {.ops = &ops, .name = "tie", .part_count = 1, .part = &part};
  if (rows) {
    element.g_count = 2;
    element.gamma_count = 1;
    element.angular = 1u << 1;
    element.contact_count = N_CONTACT;
    element.contact = law;
    element.contact_dimension = dimension;
  }
  CHECK_OK(pc_system_add_element(system, &element, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  return system;
}

/* An observation and the arrays it points into. */
typedef struct sample {
  double q[N_Q], u[N_Q], P[N_ROW], y[N_ROW], y_dot[N_ROW], P_before[N_ROW], y_dot_before[N_ROW];
  pc_state state;
  pc_step_info info;
  pc_violation violation[N_LAW];
  pc_observation seen;
} sample;

/* The number in place i of array `what` ('q', 'u', 'P', 'y', 'v') at a step: all are different. */
static inline double number(char what, int i, long step)
{
  return 1000.0 * what + 10.0 * i + 1e-7 * (double)step;
}

static inline int iterations(int stage, long step)
{
  return (int)(step % 50) + 100 * stage;
}

/* Contact k closes in each 7th step, each in another one. */
static inline int closes(int k, long step)
{
  return step > 0 && (step + k) % 7 == 0;
}

/* How the step went: whole numbers, so that sums are exact. */
static inline void fill_info(sample* s, long step)
{
  static const char* const stages[N_STAGE] = {"newton", "solver"};
  s->info = (pc_step_info){.step = step, .dt = 1e-3};
  if (step == 0) return; /* the initial state comes from no iteration */
  s->info.phase_count = N_STAGE;
  s->info.phase = stages;
  for (int i = 0; i < N_STAGE; i++) s->info.iterations[i] = iterations(i, step);
  s->info.residual = (double)(step * 7 % 11);
  s->info.solver_residual = (double)(step * 5 % 13);
  s->info.impact_residual = (double)(step * 3 % 17);
  s->info.friction_residual = (double)(step * 2 % 19);
  s->info.inaccurate = step % 5 == 0;
  s->info.substeps = step % 4 == 0 ? 8 : 1;
}

/* By how much law i is violated at a step. */
static inline double violation(int i, long step)
{
  return (double)(step * (i + 3) % 23);
}

static inline pc_balance balance_of(long step)
{
  double n = (double)step;
  return (pc_balance){.work = n, .impact = 2 * n, .friction = 3 * n + 1, .scheme = -n};
}

static inline const pc_observation* observe(sample* s, const pc_system* system, long step)
{
  for (int i = 0; i < N_Q; i++) s->q[i] = number('q', i, step), s->u[i] = number('u', i, step);
  for (int i = 0; i < N_ROW; i++) {
    s->P[i] = number('P', i, step);
    s->y[i] = number('y', i, step);
    s->y_dot[i] = number('v', i, step);
    s->P_before[i] = s->P[i];
    s->y_dot_before[i] = number('b', i, step);
  }
  for (int k = 0; k < N_CONTACT; k++)
    if (closes(k, step)) s->P_before[normal_row[k]] = 0;
  s->state = (pc_state){.step = step, .t = 1e-3 * (double)step, .q = s->q, .u = s->u, .P = s->P};
  fill_info(s, step);
  for (int i = 0; i < N_LAW; i++)
    s->violation[i] = (pc_violation){.value = violation(i, step), .t = s->state.t};
  s->seen = (pc_observation){.system = system,
                             .state = &s->state,
                             .info = &s->info,
                             .y = s->y,
                             .y_dot = s->y_dot,
                             .kinetic = 2.0 * s->state.t,
                             .potential = -3.0 * s->state.t,
                             .y_dot_before = s->y_dot_before,
                             .P_before = s->P_before,
                             .balance = step > 0 ? balance_of(step) : (pc_balance){0},
                             .violation = s->violation};
  return &s->seen;
}

/* A file in a directory of its own, which forget_path removes with the file. */
typedef struct place {
  char directory[64];
  char path[96];
} place;

static inline place make_place(void)
{
  place p = {.directory = "/tmp/percuss-record-XXXXXX"};
  assert_non_null(mkdtemp(p.directory));
  snprintf(p.path, sizeof p.path, "%s/result.h5", p.directory);
  return p;
}

static inline void forget_place(const place* p)
{
  unlink(p->path);
  assert_int_equal(rmdir(p->directory), 0);
}

static inline hid_t open_file(const char* path)
{
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  return file;
}

/* All numbers of a dataset, to be freed; its shape must be (rows) if width is -1, else
 * (rows, width). */
static inline double* read_dataset(hid_t file, const char* path, long rows, int width)
{
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  assert_true(dataset >= 0);
  hid_t space = H5Dget_space(dataset);
  hsize_t size[2] = {0, 1};
  assert_int_equal(H5Sget_simple_extent_ndims(space), width < 0 ? 1 : 2);
  H5Sget_simple_extent_dims(space, size, NULL);
  assert_int_equal(size[0], rows);
  if (width >= 0) assert_int_equal(size[1], width);
  double* numbers = calloc((size_t)(size[0] * size[1]) + 1, sizeof *numbers);
  assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
  return numbers;
}

/* The file's own type of a text, which ends where it is shorter than its field. */
static inline void check_field(const char* field, size_t length, const char* want)
{
  char* got = calloc(length + 1, 1);
  memcpy(got, field, length);
  assert_string_equal(got, want);
  free(got);
}

/* A text attribute of an object. */
static inline void check_text(hid_t file, const char* path, const char* name, const char* want)
{
  hid_t attribute = H5Aopen_by_name(file, path, name, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(attribute >= 0);
  hid_t type = H5Aget_type(attribute);
  assert_int_equal(H5Tget_class(type), H5T_STRING);
  assert_int_equal(H5Tis_variable_str(type), 0);
  char* got = calloc(H5Tget_size(type), 1);
  assert_true(H5Aread(attribute, type, got) >= 0);
  check_field(got, H5Tget_size(type), want);
  free(got);
  H5Tclose(type);
  H5Aclose(attribute);
}

/* A text that is a dataset. */
static inline void check_stored_text(hid_t file, const char* path, const char* want)
{
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  assert_true(dataset >= 0);
  hid_t type = H5Dget_type(dataset);
  assert_int_equal(H5Tget_class(type), H5T_STRING);
  char* got = calloc(H5Tget_size(type), 1);
  assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
  check_field(got, H5Tget_size(type), want);
  free(got);
  H5Tclose(type);
  H5Dclose(dataset);
}

/* One field of all rows of a table, at `size` bytes each; to be freed. */
static inline char* read_field(hid_t file, const char* path, const char* name, int count,
                               size_t* size)
{
  hid_t table = H5Dopen2(file, path, H5P_DEFAULT);
  assert_true(table >= 0);
  hid_t row = H5Dget_type(table), space = H5Dget_space(table);
  assert_int_equal(H5Sget_simple_extent_npoints(space), count);
  hid_t type = H5Tget_member_type(row, (unsigned)H5Tget_member_index(row, name));
  assert_true(type >= 0);
  *size = H5Tget_size(type);
  char* block = calloc((size_t)count + 1, *size);
  hid_t alone = H5Tcreate(H5T_COMPOUND, *size);
  H5Tinsert(alone, name, 0, type);
  if (count) assert_true(H5Dread(table, alone, H5S_ALL, H5S_ALL, H5P_DEFAULT, block) >= 0);
  H5Tclose(alone);
  H5Tclose(type);
  H5Sclose(space);
  H5Tclose(row);
  H5Dclose(table);
  return block;
}

/* What the file tells about the columns of a dataset. */
static inline void check_columns(hid_t file, const char* dataset, const char* field, int count,
                                 const char* const* want)
{
  char path[128];
  size_t size;
  snprintf(path, sizeof path, "columns/%s", dataset);
  char* block = read_field(file, path, field, count, &size);
  for (int i = 0; i < count; i++) check_field(block + (size_t)i * size, size, want[i]);
  free(block);
}

#endif
