#include <malloc.h>

#include "record/sample.h"

static pc_recorder* create(const char* path, const pc_system* system, long every)
{
  pc_recorder_def def = pc_default_recorder_def();
  def.path = path;
  def.system = system;
  def.every = every;
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  CHECK_OK(pc_recorder_create(&def, &recorder, &error), error);
  return recorder;
}

static void close_recorder(pc_recorder* recorder)
{
  pc_error error = {0};
  CHECK_OK(pc_recorder_close(recorder, &error), error);
}

/* Every number of a dataset against the observation it came from. */
static void check_rows(hid_t file, const char* path, char what, int width, const int* index,
                       int rows, const long* step)
{
  double* got = read_dataset(file, path, rows, width);
  for (int k = 0; k < rows; k++)
    for (int i = 0; i < width; i++)
      CHECK_NEAR(got[k * width + i], number(what, index ? index[i] : i, step[k]), 0);
  free(got);
}

static void check_scalars(hid_t file, int rows, const long* step)
{
  double* time = read_dataset(file, "time", rows, -1);
  double* kinetic = read_dataset(file, "energy/kinetic", rows, -1);
  double* potential = read_dataset(file, "energy/potential", rows, -1);
  double* newton = read_dataset(file, "iterations/newton", rows, -1);
  double* solver = read_dataset(file, "iterations/solver", rows, -1);
  for (int k = 0; k < rows; k++) {
    CHECK_NEAR(time[k], 1e-3 * (double)step[k], 0);
    CHECK_NEAR(kinetic[k], 2e-3 * (double)step[k], 1e-15);
    CHECK_NEAR(potential[k], -3e-3 * (double)step[k], 1e-15);
    CHECK_NEAR(newton[k], step[k] ? iterations(0, step[k]) : 0, 0);
    CHECK_NEAR(solver[k], step[k] ? iterations(1, step[k]) : 0, 0);
  }
  free(time);
  free(kinetic);
  free(potential);
  free(newton);
  free(solver);
}

/* A column of the tally against the steps since the row before. */
static void check_tally(hid_t file, const char* path, int which, int rows, const long* step)
{
  double* got = read_dataset(file, path, rows, -1);
  for (int k = 0; k < rows; k++) {
    double want = 0;
    for (long n = k ? step[k - 1] + 1 : 1; n <= step[k]; n++) {
      sample s = {0};
      fill_info(&s, n);
      pc_balance b = balance_of(n);
      const double sum[4] = {b.work, b.impact, b.friction, b.scheme};
      const double largest[6] = {s.info.residual,           s.info.solver_residual,
                                 s.info.impact_residual,    s.info.friction_residual,
                                 (double)s.info.inaccurate, (double)s.info.substeps};
      want = which < 4 ? want + sum[which] : fmax(want, largest[which - 4]);
    }
    int single = which >= 4 && which < 8; /* residuals have 32 bits */
    CHECK_NEAR(got[k], single ? (double)(float)want : want, 0);
  }
  free(got);
}

static void check_tallies(hid_t file, int rows, const long* step)
{
  static const char* const path[] = {"ledger/energy/work",
                                     "ledger/energy/impact",
                                     "ledger/energy/friction",
                                     "ledger/energy/scheme",
                                     "residual/step",
                                     "residual/solver",
                                     "residual/impact",
                                     "residual/friction",
                                     "inaccurate",
                                     "substeps"};
  for (int i = 0; i < 10; i++) check_tally(file, path[i], i, rows, step);
  double* number_of_step = read_dataset(file, "step", rows, -1);
  for (int k = 0; k < rows; k++) CHECK_NEAR(number_of_step[k], (double)step[k], 0);
  free(number_of_step);
}

/* The constraint on velocities has no position. */
static void check_constraint_positions(hid_t file, int rows, const long* step)
{
  double* got = read_dataset(file, "constraints/position", rows, N_BILATERAL);
  for (int k = 0; k < rows; k++) {
    CHECK_NEAR(got[k * N_BILATERAL], (float)number('y', 0, step[k]), 0);
    CHECK_NEAR(got[k * N_BILATERAL + 1], (float)number('y', 1, step[k]), 0);
    assert_true(isnan(got[k * N_BILATERAL + 2]));
  }
  free(got);
}

/* Residuals have 32 bits. */
static void check_constraint_velocities(hid_t file, int rows, const long* step)
{
  double* got = read_dataset(file, "constraints/velocity", rows, N_BILATERAL);
  for (int k = 0; k < rows; k++)
    for (int i = 0; i < N_BILATERAL; i++)
      CHECK_NEAR(got[k * N_BILATERAL + i], (float)number('v', i, step[k]), 0);
  free(got);
}

/* The largest of all steps, recorded or not, and the first time that it occurred. */
static void check_violations(hid_t file, long last)
{
  double* got = read_dataset(file, "ledger/violations", 2, N_LAW);
  for (int i = 0; i < N_LAW; i++) {
    double largest = 0;
    long when = 0;
    for (long n = 0; n <= last; n++)
      if (violation(i, n) > largest) {
        largest = violation(i, n);
        when = n;
      }
    CHECK_NEAR(got[i], largest, 0);
    CHECK_NEAR(got[N_LAW + i], 1e-3 * (double)when, 0);
  }
  free(got);
}

static void check_file(const char* path, int rows, const long* step)
{
  hid_t file = open_file(path);
  check_scalars(file, rows, step);
  check_tallies(file, rows, step);
  check_rows(file, "q", 'q', N_Q, NULL, rows, step);
  check_rows(file, "u", 'u', N_Q, NULL, rows, step);
  check_rows(file, "contacts/gap", 'y', N_CONTACT, normal_row, rows, step);
  check_rows(file, "contacts/gap_velocity", 'v', N_CONTACT, normal_row, rows, step);
  check_rows(file, "contacts/P_N", 'P', N_CONTACT, normal_row, rows, step);
  check_rows(file, "contacts/slip", 'v', N_FRICTION, friction_row, rows, step);
  check_rows(file, "contacts/P_F", 'P', N_FRICTION, friction_row, rows, step);
  check_constraint_positions(file, rows, step);
  check_constraint_velocities(file, rows, step);
  check_rows(file, "constraints/P", 'P', N_BILATERAL, NULL, rows, step);
  if (rows > 0) check_violations(file, step[rows - 1]);
  H5Fclose(file);
}

static void record(const char* path, const pc_system* system, long every, long steps)
{
  pc_recorder* recorder = create(path, system, every);
  sample s;
  for (long step = 0; step <= steps; step++)
    assert_true(pc_recorder_observe(recorder, observe(&s, system, step)));
  close_recorder(recorder);
}

static void every_dataset_holds_what_was_observed(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 1, 4);
  check_file(p.path, 5, (const long[]){0, 1, 2, 3, 4});
  pc_system_destroy(system);
  forget_place(&p);
}

static void each_nth_step_and_the_last_state_are_recorded_once(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 3, 8);
  check_file(p.path, 4, (const long[]){0, 3, 6, 8});
  record(p.path, system, 4, 8); /* over the file that is there */
  check_file(p.path, 3, (const long[]){0, 4, 8});
  record(p.path, system, 100, 8);
  check_file(p.path, 2, (const long[]){0, 8});
  pc_system_destroy(system);
  forget_place(&p);
}

/* A row of all datasets of events. */
static void check_event(hid_t file, long rows, long row, int k, long step)
{
  static const char* const path[] = {
      "time", "step", "contact", "kind", "P_N", "velocity_before", "velocity_after"};
  int r = normal_row[k];
  const double want[] = {1e-3 * (double)step, (double)step,         k,
                         PC_CONTACT_CLOSED,   number('P', r, step), number('b', r, step),
                         number('v', r, step)};
  for (int i = 0; i < 7; i++) {
    char name[64];
    snprintf(name, sizeof name, "ledger/events/%s", path[i]);
    double* got = read_dataset(file, name, rows, -1);
    CHECK_NEAR(got[row], want[i], 0);
    free(got);
  }
  static const int directions[N_CONTACT] = {1, 0, 2};
  double* P_F = read_dataset(file, "ledger/events/P_F", rows, 3);
  for (int d = 0; d < 3; d++)
    CHECK_NEAR(P_F[3 * row + d], d < directions[k] ? number('P', r + 1 + d, step) : 0, 0);
  free(P_F);
}

static void events_of_every_step_are_recorded(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 10, 30);
  hid_t file = open_file(p.path);
  long rows = 0, row = 0;
  for (long step = 0; step <= 30; step++)
    for (int k = 0; k < N_CONTACT; k++) rows += closes(k, step);
  assert_true(rows > 10);
  for (long step = 0; step <= 30; step++)
    for (int k = 0; k < N_CONTACT; k++)
      if (closes(k, step)) check_event(file, rows, row++, k, step);
  check_text(file, "ledger/events/time", "unit", "s");
  check_text(file, "ledger/events/P_N", "unit", "N s");
  check_text(file, "ledger/events/P_F", "unit", "N s");
  check_text(file, "ledger/events/velocity_before", "unit", "m/s");
  H5Fclose(file);
  pc_system_destroy(system);
  forget_place(&p);
}

/* More events than their buffer holds, between rows that are far apart. */
static void events_that_fill_their_buffer_are_all_kept(void** state)
{
  (void)state;
  enum { STEPS = 7000 };
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 4000, STEPS);
  check_file(p.path, 3, (const long[]){0, 4000, STEPS});
  hid_t file = open_file(p.path);
  double* step = read_dataset(file, "ledger/events/step", 3 * STEPS / 7, -1);
  double* contact = read_dataset(file, "ledger/events/contact", 3 * STEPS / 7, -1);
  for (long n = 0, row = 0; n <= STEPS; n++)
    for (int k = 0; k < N_CONTACT; k++)
      if (closes(k, n)) {
        CHECK_NEAR(step[row], (double)n, 0);
        CHECK_NEAR(contact[row++], k, 0);
      }
  free(step);
  free(contact);
  H5Fclose(file);
  pc_system_destroy(system);
  forget_place(&p);
}

static void memory_of_a_scheme_is_recorded(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  pc_recorder* recorder = create(p.path, system, 1);
  sample s;
  for (long step = 0; step < 3; step++) {
    observe(&s, system, step);
    s.state.memory = (double[2]){(double)step, -(double)step};
    s.state.memory_count = 2;
    assert_true(pc_recorder_observe(recorder, &s.seen));
  }
  close_recorder(recorder);
  hid_t file = open_file(p.path);
  double* memory = read_dataset(file, "memory", 3, 2);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(memory[2 * k], k, 0);
    CHECK_NEAR(memory[2 * k + 1], -k, 0);
  }
  free(memory);
  H5Fclose(file);
  pc_system_destroy(system);
  forget_place(&p);
}

static void check_names_of_contacts(hid_t file)
{
  const char* const contacts[N_CONTACT] = {"floor", "wall", "ball"};
  const char* const gaps[N_CONTACT] = {"floor.gap", "wall.gap", "ball.gap"};
  const char* const friction[N_FRICTION] = {"floor", "ball", "ball"};
  const char* const slips[N_FRICTION] = {"floor.slip", "ball.slip.1", "ball.slip.2"};
  const char *const lengths[] = {"m", "m", "m"}, *const percussions[] = {"N s", "N s", "N s"};
  const char* const speeds[] = {"m/s", "m/s", "m/s"};
  check_columns(file, "contacts/gap", "contact", N_CONTACT, contacts);
  check_columns(file, "contacts/gap", "name", N_CONTACT, gaps);
  check_columns(file, "contacts/gap", "unit", N_CONTACT, lengths);
  check_columns(file, "contacts/gap_velocity", "contact", N_CONTACT, contacts);
  check_columns(file, "contacts/gap_velocity", "unit", N_CONTACT, speeds);
  check_columns(file, "contacts/P_N", "contact", N_CONTACT, contacts);
  check_columns(file, "contacts/P_N", "unit", N_CONTACT, percussions);
  check_columns(file, "contacts/slip", "contact", N_FRICTION, friction);
  check_columns(file, "contacts/slip", "name", N_FRICTION, slips);
  check_columns(file, "contacts/slip", "unit", N_FRICTION, speeds);
  check_columns(file, "contacts/P_F", "contact", N_FRICTION, friction);
  check_columns(file, "contacts/P_F", "unit", N_FRICTION, percussions);
  size_t size;
  char* component = read_field(file, "columns/contacts/P_F", "component", N_FRICTION, &size);
  assert_int_equal(size, 4);
  assert_memory_equal(component, "\1\0\0\0\1\0\0\0\2\0\0\0", 12);
  free(component);
}

static void check_names_of_laws(hid_t file)
{
  static const char* const name[N_LAW] = {
      "tie.position.1.residual", "tie.position.2.residual", "tie.velocity.1.residual",
      "tie.velocity.2.residual", "tie.velocity.3.residual", "floor.penetration",
      "floor.impact_law",        "floor.friction_law",      "wall.penetration",
      "wall.impact_law",         "wall.friction_law",       "ball.penetration",
      "ball.impact_law",         "ball.friction_law"};
  static const char* const unit[N_LAW] = {"m",   "rad", "m/s", "rad/s", "m/s", "m",   "m/s",
                                          "m/s", "m",   "m/s", "m/s",   "m",   "m/s", "m/s"};
  check_columns(file, "ledger/violations", "name", N_LAW, name);
  check_columns(file, "ledger/violations", "unit", N_LAW, unit);
}

static void columns_have_names_and_units(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 1, 1);
  hid_t file = open_file(p.path);
  check_text(file, "time", "unit", "s");
  check_text(file, "energy/kinetic", "unit", "J");
  check_text(file, "energy/potential", "unit", "J");
  check_text(file, "iterations/newton", "unit", "");
  check_text(file, "step", "unit", "");
  check_text(file, "ledger/energy/work", "unit", "J");
  check_text(file, "ledger/energy/scheme", "unit", "J");
  check_text(file, "residual/step", "unit", "N s");
  check_text(file, "residual/impact", "unit", "m/s");
  check_columns(file, "q", "name", N_Q, (const char* const[]){"x", "y", "a.angle"});
  check_columns(file, "q", "unit", N_Q, (const char* const[]){"m", "m", "rad"});
  check_columns(file, "u", "name", N_Q, (const char* const[]){"x'", "y'", "a.spin"});
  check_columns(file, "u", "unit", N_Q, (const char* const[]){"m/s", "m/s", "rad/s"});
  check_columns(file, "constraints/position", "name", N_BILATERAL,
                (const char* const[]){"tie.position.1", "tie.position.2", ""});
  check_columns(file, "constraints/position", "unit", N_BILATERAL,
                (const char* const[]){"m", "rad", ""});
  check_columns(file, "constraints/velocity", "name", N_BILATERAL,
                (const char* const[]){"tie.velocity.1", "tie.velocity.2", "tie.velocity.3"});
  check_columns(file, "constraints/P", "unit", N_BILATERAL,
                (const char* const[]){"N s", "N m s", "N s"});
  check_names_of_laws(file);
  check_names_of_contacts(file);
  H5Fclose(file);
  pc_system_destroy(system);
  forget_place(&p);
}

static void file_tells_version_model_and_options(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  enum { LONG = 300000 }; /* far above HDF5's limit for small attributes */
  char* text = calloc(LONG + 1, 1);
  for (int i = 0; i < LONG; i++) text[i] = (char)('a' + i % 26);
  pc_recorder_def def = pc_default_recorder_def();
  def.path = p.path;
  def.system = system;
  def.model_text = text;
  def.options = "--dt 1e-3 --title \xc3\xa9";
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  CHECK_OK(pc_recorder_create(&def, &recorder, &error), error);
  close_recorder(recorder);
  hid_t file = open_file(p.path);
  check_text(file, "/", "percuss_version", pc_version_text());
  check_stored_text(file, "model", text);
  check_stored_text(file, "options", def.options);
  int version = 0;
  hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
  assert_true(H5Aread(attribute, H5T_NATIVE_INT, &version) >= 0);
  assert_int_equal(version, 4);
  H5Aclose(attribute);
  long every = 0, complete[3] = {-1, -1, -1};
  attribute = H5Aopen(file, "every", H5P_DEFAULT);
  assert_true(H5Aread(attribute, H5T_NATIVE_LONG, &every) >= 0);
  assert_int_equal(every, 1);
  H5Aclose(attribute);
  hid_t dataset = H5Dopen2(file, "complete", H5P_DEFAULT);
  assert_true(H5Dread(dataset, H5T_NATIVE_LONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, complete) >= 0);
  assert_int_equal(complete[0], 0);
  assert_int_equal(complete[1], 0);
  H5Dclose(dataset);
  H5Fclose(file);
  free(text);
  pc_system_destroy(system);
  forget_place(&p);
}

static void series_carry_the_names_of_quantities(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  const char* const name[] = {"x'", "a.angle", "ball.P_F.2", "floor.gap", "tie.velocity.3"};
  const char* const path[] = {"series/x'", "series/a.angle", "series/ball.P_F.2",
                              "series/floor.gap", "series/tie.velocity.3"};
  const char* const unit[] = {"m/s", "rad", "N s", "m", "m/s"};
  const double want[] = {number('u', 0, 1), number('q', 2, 1), number('P', 8, 1), number('y', 3, 1),
                         (float)number('v', 2, 1)};
  enum { COUNT = 5 };
  int quantity[COUNT + 1];
  for (int i = 0; i < COUNT; i++) quantity[i] = pc_system_find_quantity(system, name[i]);
  quantity[COUNT] = quantity[0]; /* asked for twice, recorded once */
  pc_recorder_def def = pc_default_recorder_def();
  def.path = p.path;
  def.system = system;
  def.quantity = quantity;
  def.quantity_count = COUNT + 1;
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  CHECK_OK(pc_recorder_create(&def, &recorder, &error), error);
  sample s;
  assert_true(pc_recorder_observe(recorder, observe(&s, system, 1)));
  close_recorder(recorder);
  hid_t file = open_file(p.path);
  for (int i = 0; i < COUNT; i++) {
    double* got = read_dataset(file, path[i], 1, -1);
    CHECK_NEAR(got[0], want[i], 0);
    free(got);
    check_text(file, path[i], "unit", unit[i]);
  }
  H5G_info_t group;
  H5Gget_info_by_name(file, "series", &group, H5P_DEFAULT);
  assert_int_equal(group.nlinks, COUNT);
  H5Fclose(file);
  pc_system_destroy(system);
  forget_place(&p);
}

static void file_without_any_state_is_readable(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  close_recorder(create(p.path, system, 1));
  hid_t file = open_file(p.path);
  free(read_dataset(file, "time", 0, -1));
  free(read_dataset(file, "q", 0, N_Q));
  free(read_dataset(file, "contacts/P_F", 0, N_FRICTION));
  assert_true(H5Lexists(file, "iterations", H5P_DEFAULT) > 0);
  assert_true(H5Lexists(file, "series", H5P_DEFAULT) > 0);
  H5Fclose(file);
  CHECK_OK(pc_recorder_close(NULL, NULL), (pc_error){0});
  pc_system_destroy(system);
  forget_place(&p);
}

static void system_without_contacts_has_empty_columns(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(0);
  record(p.path, system, 1, 2000);
  hid_t file = open_file(p.path);
  free(read_dataset(file, "contacts/gap", 2001, 0));
  free(read_dataset(file, "contacts/slip", 2001, 0));
  free(read_dataset(file, "constraints/P", 2001, 0));
  check_columns(file, "contacts/gap", "name", 0, NULL);
  double* q = read_dataset(file, "q", 2001, N_Q);
  CHECK_NEAR(q[2000 * N_Q + 1], number('q', 1, 2000), 0);
  free(q);
  H5Fclose(file);
  pc_system_destroy(system);
  forget_place(&p);
}

/* In use on the heap of this process; always 0 under a sanitizer. */
static size_t heap_in_use(void)
{
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static void long_run_needs_no_more_memory_than_a_short_one(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  pc_recorder* recorder = create(p.path, system, 1);
  enum { STEPS = 100000, EARLY = 10000 };
  sample s;
  size_t before_step_2 = 0, early = 0;
  for (long step = 0; step <= STEPS; step++) {
    assert_true(pc_recorder_observe(recorder, observe(&s, system, step)));
    if (step == 1) before_step_2 = heap_in_use();
    if (step == 1000) assert_int_equal(heap_in_use(), before_step_2); /* nothing per step */
    if (step == EARLY) early = heap_in_use();
  }
  size_t late = heap_in_use();
  assert_true(late <= early + (2u << 20)); /* HDF5's own cache may fill up; 90 000 rows are 50 MB */
  close_recorder(recorder);
  hid_t file = open_file(p.path);
  double* P = read_dataset(file, "contacts/P_F", STEPS + 1, N_FRICTION);
  for (long k = 0; k <= STEPS; k++)
    for (int i = 0; i < N_FRICTION; i++)
      if (P[k * N_FRICTION + i] != number('P', friction_row[i], k)) fail_msg("row %ld", k);
  free(P);
  H5Fclose(file);
  pc_system_destroy(system);
  forget_place(&p);
}

enum { WIDE = 10000 };

/* A system of one part with so many coordinates, all 0, of these names. */
static pc_system* make_wide_system(const char* const* name, const double* zero)
{
  const char** unit = calloc(WIDE, sizeof *unit);
  for (int i = 0; i < WIDE; i++) unit[i] = "m";
  pc_error error = {0};
  pc_system* system = NULL;
  pc_system_def def = pc_default_system_def();
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  pc_part_def part = {.name = "bar", .q_count = WIDE, .u_count = WIDE, .q0 = zero, .u0 = zero};
  part.q_name = name;
  part.u_name = name + WIDE;
  part.q_unit = part.u_unit = unit;
  pc_part_id id;
  CHECK_OK(pc_system_add_part(system, &part, &id, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  free(unit);
  return system;
}

/* Names above 64 KiB in all, and rows that are large against the buffer. */
static void many_columns_are_recorded_with_their_names(void** state)
{
  (void)state;
  enum { STEPS = 200 };
  place p = make_place();
  char(*text)[16] = calloc(WIDE, sizeof *text);
  const char** name = calloc((size_t)2 * WIDE, sizeof *name);
  double* q = calloc(WIDE, sizeof *q);
  for (int i = 0; i < WIDE; i++) {
    snprintf(text[i], sizeof text[i], "q.%d", i);
    name[i] = text[i];
    name[WIDE + i] = text[i] + 1; /* ".0": the velocities need other names */
  }
  pc_system* system = make_wide_system(name, q);
  pc_recorder* recorder = create(p.path, system, 1);
  pc_state moved = {.q = q, .u = q};
  pc_step_info info = {0};
  const pc_observation seen = {.system = system, .state = &moved, .info = &info};
  for (info.step = 0; info.step < STEPS; info.step++) {
    q[WIDE - 1] = (double)info.step;
    assert_true(pc_recorder_observe(recorder, &seen));
  }
  close_recorder(recorder);
  hid_t file = open_file(p.path);
  double* u = read_dataset(file, "u", STEPS, WIDE);
  for (int k = 0; k < STEPS; k++) CHECK_NEAR(u[(k + 1) * WIDE - 1], k, 0);
  check_columns(file, "q", "name", WIDE, name);
  H5Fclose(file);
  free(u);
  free(q);
  free(name);
  free(text);
  pc_system_destroy(system);
  forget_place(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_dataset_holds_what_was_observed),
      cmocka_unit_test(each_nth_step_and_the_last_state_are_recorded_once),
      cmocka_unit_test(events_of_every_step_are_recorded),
      cmocka_unit_test(events_that_fill_their_buffer_are_all_kept),
      cmocka_unit_test(memory_of_a_scheme_is_recorded),
      cmocka_unit_test(columns_have_names_and_units),
      cmocka_unit_test(file_tells_version_model_and_options),
      cmocka_unit_test(series_carry_the_names_of_quantities),
      cmocka_unit_test(file_without_any_state_is_readable),
      cmocka_unit_test(system_without_contacts_has_empty_columns),
      cmocka_unit_test(long_run_needs_no_more_memory_than_a_short_one),
      cmocka_unit_test(many_columns_are_recorded_with_their_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
