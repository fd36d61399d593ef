#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "percuss/result.h"
#include "record/hdf5_leaks.h"
#include "record/sample.h"

/* Records steps 0 to `steps` of the sample system; of its quantities, 'y' and 'floor.gap'. */
static void record(const char* path, const pc_system* system, long steps)
{
  int quantity[] = {pc_system_find_quantity(system, "y"),
                    pc_system_find_quantity(system, "floor.gap")};
  pc_recorder_def def = pc_default_recorder_def();
  def.path = path;
  def.system = system;
  def.quantity = quantity;
  def.quantity_count = pc_system_contact_count(system) ? 2 : 1;
  def.model_text = "percuss: 1\n";
  def.options = "scheme=moreau dt=0.001";
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  CHECK_OK(pc_recorder_create(&def, &recorder, &error), error);
  sample s;
  for (long step = 0; step <= steps; step++)
    assert_true(pc_recorder_observe(recorder, observe(&s, system, step)));
  CHECK_OK(pc_recorder_close(recorder, &error), error);
}

static pc_result* open_result(const char* path)
{
  pc_result* result = NULL;
  pc_error error = {0};
  CHECK_OK(pc_result_open(path, &result, &error), error);
  return result;
}

static void check_series(const pc_result* r, const char* name, const char* unit, int recorded,
                         char what, int index)
{
  int series = pc_result_find(r, name);
  assert_true(series > 0);
  pc_series s = pc_result_series(r, series);
  assert_string_equal(s.name, name);
  assert_string_equal(s.unit, unit);
  assert_int_equal(s.recorded != 0, recorded);
  long length = pc_result_length(r);
  double* values = calloc((size_t)length, sizeof *values);
  pc_error error = {0};
  CHECK_OK(pc_result_read(r, series, 0, length, values, &error), error);
  for (long k = 0; k < length; k++) CHECK_NEAR(values[k], number(what, index, k), 0);
  free(values);
}

/* Coordinates, velocities and percussions, which a run needs to go on, are there in any case; of
 * the rest, datasets that have a column in the list. */
static void the_state_and_the_listed_quantities_are_series(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 2500); /* more than two buffers */
  pc_result* r = open_result(p.path);
  assert_int_equal(pc_result_length(r), 2501);
  check_series(r, "x", "m", 0, 'q', 0);
  check_series(r, "y", "m", 1, 'q', 1);
  check_series(r, "a.spin", "rad/s", 0, 'u', 2);
  check_series(r, "floor.gap", "m", 1, 'y', 3);
  check_series(r, "ball.gap", "m", 0, 'y', 6);
  check_series(r, "ball.P_F.1", "N s", 0, 'P', 7);
  check_series(r, "tie.P.2", "N m s", 0, 'P', 1);
  assert_int_equal(pc_result_find(r, "ball.gap_velocity"), -1);
  assert_int_equal(pc_result_find(r, "tie.position.1"), -1);
  assert_int_equal(pc_result_find(r, "floor"), -1);
  assert_int_equal(pc_result_find(r, ""), -1);
  assert_int_equal(pc_result_find(r, "zzz"), -1);
  pc_result_close(r);
  pc_system_destroy(system);
  forget_place(&p);
}

static void without_a_list_every_quantity_is_a_series(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  pc_recorder_def def = pc_default_recorder_def();
  def.path = p.path;
  def.system = system;
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  CHECK_OK(pc_recorder_create(&def, &recorder, &error), error);
  sample s;
  for (long step = 0; step <= 5000; step++) /* more than a buffer */
    assert_true(pc_recorder_observe(recorder, observe(&s, system, step)));
  CHECK_OK(pc_recorder_close(recorder, &error), error);
  pc_result* r = open_result(p.path);
  for (int i = 0; i < pc_system_quantity_count(system); i++)
    assert_true(pc_result_find(r, pc_system_quantity(system, i).name) > 0);
  check_series(r, "ball.gap_velocity", "m/s", 0, 'v', 6);
  check_series(r, "ball.slip.2", "m/s", 0, 'v', 8);
  pc_result_close(r);
  pc_system_destroy(system);
  forget_place(&p);
}

static void time_energies_and_iterations_are_series_too(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 4);
  pc_result* r = open_result(p.path);
  static const char* const name[] = {"time", "energy.kinetic", "energy.potential", "energy.total",
                                     "iterations.solver"};
  static const char* const unit[] = {"s", "J", "J", "J", ""};
  static const double at_step_3[] = {3e-3, 6e-3, -9e-3, -3e-3, 103};
  assert_int_equal(pc_result_find(r, "time"), 0);
  pc_error error = {0};
  for (int i = 0; i < 5; i++) {
    int series = pc_result_find(r, name[i]);
    double value = NAN;
    assert_string_equal(pc_result_series(r, series).unit, unit[i]);
    CHECK_OK(pc_result_read(r, series, 3, 1, &value, &error), error);
    CHECK_NEAR(value, at_step_3[i], 1e-15);
  }
  pc_result_close(r);
  pc_system_destroy(system);
  forget_place(&p);
}

static void the_file_tells_contacts_model_and_options(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 3);
  pc_result* r = open_result(p.path);
  assert_string_equal(pc_result_path(r), p.path);
  assert_string_equal(pc_result_model(r), "percuss: 1\n");
  assert_string_equal(pc_result_options(r), "scheme=moreau dt=0.001");
  assert_int_equal(pc_result_contact_count(r), N_CONTACT);
  assert_string_equal(pc_result_contact(r, 0), "floor");
  assert_string_equal(pc_result_contact(r, 2), "ball");
  double P_N[2 * N_CONTACT];
  pc_error error = {0};
  CHECK_OK(pc_result_read_P_N(r, 1, 2, P_N, &error), error);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < N_CONTACT; i++)
      CHECK_NEAR(P_N[k * N_CONTACT + i], number('P', normal_row[i], k + 1), 0);
  pc_result_close(r);
  pc_system_destroy(system);
  forget_place(&p);
}

static void tables_are_read_by_rows(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 4);
  pc_result* r = open_result(p.path);
  pc_error error = {0};
  int n_q = pc_system_q_count(system);
  double q[2 * 16], P_N[2 * N_CONTACT];
  assert_int_equal(pc_result_table_width(r, "q"), n_q);
  assert_int_equal(pc_result_table_width(r, "contacts/nothing"), -1);
  CHECK_OK(pc_result_read_table(r, "q", 1, 2, n_q, q, &error), error);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < n_q; i++) CHECK_NEAR(q[k * n_q + i], number('q', i, k + 1), 0);
  CHECK_OK(pc_result_read_table(r, "contacts/P_N", 1, 2, N_CONTACT, P_N, &error), error);
  for (int i = 0; i < 2 * N_CONTACT; i++)
    CHECK_NEAR(P_N[i], number('P', normal_row[i % N_CONTACT], i / N_CONTACT + 1), 0);
  assert_int_equal(pc_result_read_table(r, "q", 0, 1, n_q + 1, q, NULL), PC_BAD_MODEL);
  assert_int_equal(pc_result_read_table(r, "nothing", 0, 1, 1, q, NULL), PC_BAD_MODEL);
  assert_int_equal(pc_result_read_table(r, "q", 100, 1, n_q, q, NULL), PC_BAD_ARGUMENT);
  pc_result_close(r);
  pc_system_destroy(system);
  forget_place(&p);
}

static void rows_and_series_that_do_not_exist_are_refused(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 3);
  pc_result* r = open_result(p.path);
  double values[8] = {0};
  int count = pc_result_series_count(r);
  assert_int_equal(pc_result_read(r, 0, 0, 5, values, NULL), PC_BAD_ARGUMENT);
  assert_int_equal(pc_result_read(r, 0, -1, 2, values, NULL), PC_BAD_ARGUMENT);
  assert_int_equal(pc_result_read(r, 0, 5, 0, values, NULL), PC_BAD_ARGUMENT);
  assert_int_equal(pc_result_read(r, 0, 1, -1, values, NULL), PC_BAD_ARGUMENT);
  assert_int_equal(pc_result_read(r, count, 0, 1, values, NULL), PC_BAD_ARGUMENT);
  assert_int_equal(pc_result_read(r, -1, 0, 1, values, NULL), PC_BAD_ARGUMENT);
  assert_int_equal(pc_result_read_P_N(r, 4, 1, values, NULL), PC_BAD_ARGUMENT);
  pc_balance balance;
  pc_error error = {0};
  CHECK_OK(pc_result_balance(r, 1, 3, &balance, &error), error);
  assert_int_equal(pc_result_balance(r, 1, 4, &balance, NULL), PC_BAD_ARGUMENT);
  assert_int_equal(pc_result_balance(r, 0, 2, &balance, NULL), PC_BAD_ARGUMENT);
  assert_int_equal(pc_result_balance(r, 5, 1, &balance, NULL), PC_BAD_ARGUMENT);
  assert_int_equal(pc_result_read(r, 0, 4, 0, values, NULL), PC_OK);
  pc_result_close(r);
  pc_result_close(NULL);
  pc_system_destroy(system);
  forget_place(&p);
}

static void a_system_without_contacts_has_no_impacts(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(0);
  record(p.path, system, 3);
  pc_result* r = open_result(p.path);
  pc_error error = {0};
  pc_impact* impact;
  int count;
  double nothing;
  assert_int_equal(pc_result_contact_count(r), 0);
  CHECK_OK(pc_result_read_P_N(r, 0, 4, &nothing, &error), error);
  CHECK_OK(pc_result_impacts(r, &impact, &count, &error), error);
  assert_int_equal(count, 0);
  free(impact);
  check_series(r, "y", "m", 1, 'q', 1);
  pc_result_close(r);
  pc_system_destroy(system);
  forget_place(&p);
}

/* A contact that is closed in steps that a rule tells. */
static int closed(int contact, long step)
{
  static const long period[N_CONTACT] = {2, 1000, 7}; /* the first closes at every second border */
  return step > 0 && step % period[contact] < (contact == 2 ? 4 : 1);
}

/* Enough rows for several blocks of the search, so that an impact may fall between two. */
static void impacts_are_the_steps_in_which_a_contact_closes(void** state)
{
  (void)state;
  enum { STEPS = 100000 };
  place p = make_place();
  pc_system* system = make_system(1);
  pc_recorder_def def = pc_default_recorder_def();
  def.path = p.path;
  def.system = system;
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  CHECK_OK(pc_recorder_create(&def, &recorder, &error), error);
  sample s;
  for (long step = 0; step <= STEPS; step++) {
    observe(&s, system, step);
    for (int i = 0; i < N_CONTACT; i++) s.P[normal_row[i]] = closed(i, step) ? 0.5 : 0;
    assert_true(pc_recorder_observe(recorder, &s.seen));
  }
  CHECK_OK(pc_recorder_close(recorder, &error), error);
  pc_result* r = open_result(p.path);
  pc_impact* impact;
  int count, k = 0;
  CHECK_OK(pc_result_impacts(r, &impact, &count, &error), error);
  for (long step = 1; step <= STEPS; step++)
    for (int i = 0; i < N_CONTACT; i++) {
      if (!closed(i, step) || closed(i, step - 1)) continue;
      assert_true(k < count);
      assert_int_equal(impact[k].row, step);
      assert_int_equal(impact[k++].contact, i);
    }
  assert_int_equal(k, count);
  free(impact);
  pc_result_close(r);
  pc_system_destroy(system);
  forget_place(&p);
}

/* The error must name the file and hold these words. */
static void check_refused(const char* path, const char* words)
{
  pc_result* result = (pc_result*)1;
  pc_error error = {0};
  assert_int_equal(pc_result_open(path, &result, &error), PC_BAD_MODEL);
  assert_null(result);
  if (!strstr(error.text, path) || !strstr(error.text, words))
    fail_msg("'%s' does not tell '%s'", error.text, words);
}

static void write_text(const char* path, const char* text)
{
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void what_is_no_result_is_refused(void** state)
{
  (void)state;
  place p = make_place();
  check_refused(p.path, "No such file");
  check_refused(p.directory, "directory");
  write_text(p.path, "");
  check_refused(p.path, "not a result of percuss");
  write_text(p.path, "percuss: 1\ntitle: a model\n");
  check_refused(p.path, "not a result of percuss");
  write_text(p.path, "\211HDF\r\n\032\n and then something else");
  check_refused(p.path, "not a result of percuss");
  H5Fclose(H5Fcreate(p.path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  check_refused(p.path, "made by another program");
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
  H5Fclose(H5Fcreate(p.path, H5F_ACC_TRUNC, H5P_DEFAULT, access));
  check_refused(p.path, "made by another program");
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110);
  hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_AGGR, 0, 1);
  H5Fclose(H5Fcreate(p.path, H5F_ACC_TRUNC, creation, access));
  H5Pclose(creation);
  H5Pclose(access);
  check_refused(p.path, "another HDF5 file");
  pc_result* result;
  assert_int_equal(pc_result_open("", &result, NULL), PC_BAD_ARGUMENT);
  assert_int_equal(pc_result_open(NULL, &result, NULL), PC_BAD_ARGUMENT);
  unlink(p.path);
  assert_int_equal(mkfifo(p.path, 0600), 0);
  check_refused(p.path, "not a regular file");
  forget_place(&p);
}

static void flip(const char* path, long at, int bit)
{
  FILE* file = fopen(path, "r+");
  assert_non_null(file);
  assert_int_equal(fseek(file, at, SEEK_SET), 0);
  int byte = fgetc(file);
  assert_int_equal(fseek(file, at, SEEK_SET), 0);
  assert_true(fputc(byte ^ 1 << bit, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static void a_result_of_another_format_version_is_refused(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 3);
  hid_t file = H5Fopen(p.path, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
  int version = 3;
  assert_true(H5Awrite(attribute, H5T_NATIVE_INT, &version) >= 0);
  H5Aclose(attribute);
  H5Fclose(file);
  check_refused(p.path, "format version 3");
  pc_system_destroy(system);
  forget_place(&p);
}

/* The checksum of a dataset's damaged chunk does not match: the error names the dataset. */
static void a_flipped_bit_is_found_and_its_dataset_named(void** state)
{
  (void)state;
  static const char* const names[] = {"y", "floor.gap", "a.spin", "energy.kinetic", "ball.P_F.1"};
  static const char* const paths[] = {"q", "contacts/gap", "u", "energy/kinetic", "contacts/P_F"};
  place p = make_place();
  pc_system* system = make_system(1);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    record(p.path, system, 1200);
    hid_t file = H5Fopen(p.path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, paths[i], H5P_DEFAULT), space = H5Dget_space(dataset);
    haddr_t place_of_chunk;
    hsize_t size;
    assert_true(H5Dget_chunk_info(dataset, space, 1, NULL, NULL, &place_of_chunk, &size) >= 0);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    flip(p.path, (long)place_of_chunk + (long)size / 2, 0);
    pc_result* r = open_result(p.path);
    double values[1201];
    pc_error error = {0};
    assert_int_equal(pc_result_read(r, pc_result_find(r, names[i]), 0, 1201, values, &error),
                     PC_BAD_MODEL);
    if (!strstr(error.text, paths[i])) fail_msg("'%s' does not tell '%s'", error.text, paths[i]);
    pc_result_close(r);
  }
  pc_system_destroy(system);
  forget_place(&p);
}

/* What has no chunks: the text of the model, and the number of complete rows. */
static void changed_texts_and_counts_are_found_too(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  for (int which = 0; which < 2; which++) {
    record(p.path, system, 30);
    hid_t file = H5Fopen(p.path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, which ? "model" : "complete", H5P_DEFAULT);
    hid_t type = H5Dget_type(dataset);
    char bytes[64] = {0};
    assert_true(H5Tget_size(type) <= 16);
    assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0);
    bytes[0] ^= 1;
    assert_true(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0);
    H5Tclose(type);
    H5Dclose(dataset);
    H5Fclose(file);
    check_refused(p.path, which ? "model" : "complete");
  }
  pc_system_destroy(system);
  forget_place(&p);
}

/* Times that somebody has written with checksums that are right. */
static void times_that_do_not_increase_are_refused(void** state)
{
  (void)state;
  static const double forged[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e300};
  place p = make_place();
  pc_system* system = make_system(1);
  for (size_t i = 0; i < sizeof forged / sizeof *forged; i++) {
    record(p.path, system, 30);
    hid_t file = H5Fopen(p.path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "time", H5P_DEFAULT), space = H5Dget_space(dataset);
    double time[64];
    assert_true(H5Sget_simple_extent_npoints(space) <= 64);
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, time) >= 0);
    time[7] = forged[i];
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, time) >= 0);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    check_refused(p.path, i < 5 ? "do not increase at row 7" : "do not increase at row 8");
  }
  pc_system_destroy(system);
  forget_place(&p);
}

/* A number made of all that a file tells, or -1 if it says that it is damaged. */
static double digest(const char* path)
{
  pc_result* r = NULL;
  pc_error error = {0};
  if (pc_result_open(path, &r, &error) != PC_OK) {
    assert_true(error.text[0]);
    return -1;
  }
  double sum = (double)pc_result_length(r), values[700];
  for (const char* c = pc_result_model(r); *c; c++) sum = sum * 1.0001 + *c;
  for (const char* c = pc_result_options(r); *c; c++) sum = sum * 1.0001 + *c;
  for (int i = 0; i < pc_result_series_count(r); i++) {
    for (const char* c = pc_result_series(r, i).name; *c; c++) sum = sum * 1.0001 + *c;
    if (pc_result_read(r, i, 0, pc_result_length(r), values, &error) != PC_OK) {
      pc_result_close(r);
      return -1;
    }
    for (long k = 0; k < pc_result_length(r); k++) sum = sum * 1.0001 + values[k];
    sum = fmod(sum, 1e9);
  }
  pc_result_close(r);
  return sum;
}

/* Whatever bit is wrong: what is read is what was written, or nothing. */
static void no_flipped_bit_goes_unnoticed(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 600);
  struct stat file;
  assert_int_equal(stat(p.path, &file), 0);
  double whole = digest(p.path);
  int found = 0, flips = 0;
  for (long at = 0; at < file.st_size; at += 9001, flips++) {
    int bit = (int)(at % 8);
    flip(p.path, at, bit);
    double seen = digest(p.path);
    if (seen != -1 && seen != whole) fail_msg("bit %d of byte %ld is not noticed", bit, at);
    found += seen == -1;
    flip(p.path, at, bit);
  }
  CHECK_NEAR(digest(p.path), whole, 0);
  if (!(found > flips / 20)) /* most of the file is space between its parts */
    fail_msg("%d of %d flips found in %ld bytes", found, flips, (long)file.st_size);
  pc_system_destroy(system);
  forget_place(&p);
}

/* Each dataset missing, and each table without its names. */
static void a_file_with_a_part_missing_is_refused_with_its_name(void** state)
{
  (void)state;
  static const char* const parts[] = {
      "time", "u", "contacts/P_N", "energy/potential", "columns/series", "complete"};
  place p = make_place();
  pc_system* system = make_system(1);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    record(p.path, system, 3);
    hid_t file = H5Fopen(p.path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, parts[i], H5P_DEFAULT) >= 0);
    H5Fclose(file);
    check_refused(p.path, parts[i]);
  }
  record(p.path, system, 3);
  hid_t file = H5Fopen(p.path, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(H5Ldelete(file, "columns/contacts/gap", H5P_DEFAULT) >= 0);
  H5Fclose(file);
  check_refused(p.path, "contacts/gap");
  record(p.path, system, 3);
  file = H5Fopen(p.path, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(H5Ldelete(file, "contacts/gap", H5P_DEFAULT) >= 0);
  H5Fclose(file);
  check_refused(p.path, "contacts/gap");
  pc_system_destroy(system);
  forget_place(&p);
}

static void a_truncated_file_is_refused(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 30);
  struct stat what;
  assert_int_equal(stat(p.path, &what), 0);
  for (off_t size = what.st_size - 1; size >= 0; size = size * 9 / 10 - 1) {
    assert_int_equal(truncate(p.path, size), 0);
    check_refused(p.path, size > 8192 ? "damaged" : "");
  }
  pc_system_destroy(system);
  forget_place(&p);
}

/* One bit of a header or index, wherever: refused on opening, or when the numbers are read. */
static void a_flipped_bit_in_the_structure_is_noticed(void** state)
{
  (void)state;
  enum { DEPTH = 72 }; /* [bytes] into each piece; an index header has 72 */
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 3);
  FILE* file = fopen(p.path, "r+b");
  char mark[4];
  int pieces = 0;
  for (long at = 0; fseek(file, at, SEEK_SET) == 0 && fread(mark, 1, 4, file) == 4; at++) {
    if (memcmp(mark, "OHDR", 4) != 0)
      continue; /* the readers' own check; HDF5 has that of the rest */
    for (long byte = at; byte < at + DEPTH; byte += 23) {
      fseek(file, byte, SEEK_SET);
      int was = fgetc(file);
      fseek(file, byte, SEEK_SET);
      fputc(was ^ 1 << byte % 8, file);
      fflush(file);
      pc_result* r = NULL;
      pc_status status = pc_result_open(p.path, &r, NULL);
      pc_result_close(r);
      fseek(file, byte, SEEK_SET);
      fputc(was, file);
      fflush(file);
      pieces += status == PC_BAD_MODEL;
    }
  }
  fclose(file);
  assert_true(pieces > 100); /* events and the like are not looked at */
  pc_result_close(open_result(p.path));
  pc_system_destroy(system);
  forget_place(&p);
}

/* Records without closing, as if killed. */
static void record_and_die(const char* path, const pc_system* system)
{
  pc_recorder_def def = pc_default_recorder_def();
  def.path = path;
  def.system = system;
  def.chunk_rows = 1024;
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  if (pc_recorder_create(&def, &recorder, &error) != PC_OK) _exit(1);
  sample s;
  for (long step = 0; step <= 1500; step++)
    pc_recorder_observe(recorder, observe(&s, system, step));
  _exit(0);
}

static void of_a_killed_run_the_flushed_rows_can_be_read(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  pid_t child = fork();
  if (child == 0) record_and_die(p.path, system);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  pc_result* r = open_result(p.path);
  assert_int_equal(pc_result_length(r), 1024);
  assert_string_equal(pc_result_model(r), "");
  check_series(r, "a.angle", "rad", 0, 'q', 2);
  check_series(r, "wall.P_N", "N s", 0, 'P', 5);
  pc_result_close(r);
  pc_system_destroy(system);
  forget_place(&p);
}

static void a_file_that_is_being_written_is_refused(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  pc_recorder_def def = pc_default_recorder_def();
  def.path = p.path;
  def.system = system;
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  CHECK_OK(pc_recorder_create(&def, &recorder, &error), error);
  check_refused(p.path, "another program is writing it");
  CHECK_OK(pc_recorder_close(recorder, &error), error);
  pc_system_destroy(system);
  forget_place(&p);
}

static void a_run_without_a_row_gives_an_empty_result(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, -1);
  pc_result* r = open_result(p.path);
  assert_int_equal(pc_result_length(r), 0);
  assert_int_equal(pc_result_find(r, "iterations.solver"), -1);
  pc_result_close(r);
  pc_system_destroy(system);
  forget_place(&p);
}

static void hdf5_prints_as_it_did_before(void** state)
{
  (void)state;
  H5E_auto2_t before, after;
  void *user_before, *user_after;
  H5Eget_auto2(H5E_DEFAULT, &before, &user_before);
  check_refused("/nonexistent", "No such file");
  H5Eget_auto2(H5E_DEFAULT, &after, &user_after);
  assert_true(before && before == after && user_before == user_after);
}

static void csv_gives_back_the_same_bits(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 10);
  pc_result* r = open_result(p.path);
  int series[] = {0, pc_result_find(r, "a.angle"), pc_result_find(r, "iterations.newton")};
  char* text = NULL;
  size_t size;
  FILE* to = open_memstream(&text, &size);
  pc_error error = {0};
  CHECK_OK(pc_result_write_csv(r, series, 3, 4, to, &error), error);
  fclose(to);
  char* line = strtok(text, "\n");
  assert_string_equal(line, "time [s],a.angle [rad],iterations.newton");
  static const long shown[] = {0, 4, 8, 10}; /* the last one always */
  for (int i = 0; i < 4; i++) {
    long step = shown[i];
    double time, angle;
    int newton;
    line = strtok(NULL, "\n");
    assert_int_equal(sscanf(line, "%lf,%lf,%d", &time, &angle, &newton), 3);
    assert_true(time == 1e-3 * (double)step && angle == number('q', 2, step));
    assert_int_equal(newton, step ? iterations(0, step) : 0);
  }
  assert_null(strtok(NULL, "\n"));
  free(text);
  assert_int_equal(pc_result_every(r, 4, 9), 10);
  assert_int_equal(pc_result_every(r, 5, 9), 10);
  assert_int_equal(pc_result_every(r, LONG_MAX, 1), 10);
  assert_int_equal(pc_result_every(r, 1, 11), 11);
  assert_int_equal(pc_result_write_csv(r, series, 0, 1, stdout, NULL), PC_BAD_ARGUMENT);
  assert_int_equal(pc_result_write_csv(r, series, 3, 0, stdout, NULL), PC_BAD_ARGUMENT);
  series[1] = -1;
  assert_int_equal(pc_result_write_csv(r, series, 3, 1, stdout, NULL), PC_BAD_ARGUMENT);
  pc_result_close(r);
  pc_system_destroy(system);
  forget_place(&p);
}

/* The coordinates of the sample, one of them with a name that no model file would allow. */
static pc_system* make_quoted_system(void)
{
  static const char* const q_name[N_Q] = {"x", "y", "a \"b\", c"};
  static const char* const u_name[N_Q] = {"x'", "y'", "spin"};
  static const char* const unit[N_Q] = {"m", "m", "rad"};
  static const double zero[N_Q] = {0};
  pc_system_def def = pc_default_system_def();
  pc_part_def part = {.name = "a", .q_count = N_Q, .u_count = N_Q, .q0 = zero, .u0 = zero};
  part.q_name = q_name;
  part.u_name = u_name;
  part.q_unit = part.u_unit = unit;
  pc_system* system = NULL;
  pc_part_id id;
  pc_error error = {0};
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  CHECK_OK(pc_system_add_part(system, &part, &id, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  return system;
}

/* RFC 4180: a field with a comma or a quote stands in quotes, and the quotes in it are doubled. */
static void csv_headings_are_quoted(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_quoted_system();
  pc_recorder_def def = pc_default_recorder_def();
  int quantity = pc_system_find_quantity(system, "a \"b\", c");
  def.path = p.path;
  def.system = system;
  def.quantity = &quantity;
  def.quantity_count = 1;
  pc_recorder* recorder = NULL;
  pc_error error = {0};
  sample s;
  CHECK_OK(pc_recorder_create(&def, &recorder, &error), error);
  assert_true(pc_recorder_observe(recorder, observe(&s, system, 0)));
  CHECK_OK(pc_recorder_close(recorder, &error), error);
  pc_result* r = open_result(p.path);
  int series = pc_result_find(r, "a \"b\", c");
  char* text = NULL;
  size_t size;
  FILE* to = open_memstream(&text, &size);
  CHECK_OK(pc_result_write_csv(r, &series, 1, 1, to, &error), error);
  fclose(to);
  assert_string_equal(strtok(text, "\n"), "\"a \"\"b\"\", c [rad]\"");
  free(text);
  pc_result_close(r);
  pc_system_destroy(system);
  forget_place(&p);
}

static void a_full_disk_is_noticed_when_writing_csv(void** state)
{
  (void)state;
  FILE* full = fopen("/dev/full", "w");
  if (!full) skip();
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 10);
  pc_result* r = open_result(p.path);
  assert_int_equal(pc_result_write_csv(r, (int[]){0}, 1, 1, full, NULL), PC_CANNOT_WRITE);
  fclose(full);
  pc_result_close(r);
  pc_system_destroy(system);
  forget_place(&p);
}

static void vtk_needs_bodies_and_a_positive_stride(void** state)
{
  (void)state;
  place p = make_place();
  pc_system* system = make_system(1);
  record(p.path, system, 3);
  pc_result* r = open_result(p.path);
  char directory[128];
  snprintf(directory, sizeof directory, "%s/vtk", p.directory);
  assert_int_equal(pc_result_write_vtk(r, directory, 1, NULL, NULL, NULL), PC_BAD_MODEL);
  assert_int_equal(pc_result_write_vtk(r, directory, 0, NULL, NULL, NULL), PC_BAD_ARGUMENT);
  assert_int_not_equal(access(directory, F_OK), 0);
  pc_result_close(r);
  pc_system_destroy(system);
  forget_place(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_state_and_the_listed_quantities_are_series),
      cmocka_unit_test(without_a_list_every_quantity_is_a_series),
      cmocka_unit_test(time_energies_and_iterations_are_series_too),
      cmocka_unit_test(the_file_tells_contacts_model_and_options),
      cmocka_unit_test(tables_are_read_by_rows),
      cmocka_unit_test(rows_and_series_that_do_not_exist_are_refused),
      cmocka_unit_test(a_system_without_contacts_has_no_impacts),
      cmocka_unit_test(impacts_are_the_steps_in_which_a_contact_closes),
      cmocka_unit_test(what_is_no_result_is_refused),
      cmocka_unit_test(a_result_of_another_format_version_is_refused),
      cmocka_unit_test(a_flipped_bit_is_found_and_its_dataset_named),
      cmocka_unit_test(changed_texts_and_counts_are_found_too),
      cmocka_unit_test(times_that_do_not_increase_are_refused),
      cmocka_unit_test(no_flipped_bit_goes_unnoticed),
      cmocka_unit_test(a_file_with_a_part_missing_is_refused_with_its_name),
      cmocka_unit_test(a_truncated_file_is_refused),
      cmocka_unit_test(a_flipped_bit_in_the_structure_is_noticed),
      cmocka_unit_test(of_a_killed_run_the_flushed_rows_can_be_read),
      cmocka_unit_test(a_file_that_is_being_written_is_refused),
      cmocka_unit_test(a_run_without_a_row_gives_an_empty_result),
      cmocka_unit_test(hdf5_prints_as_it_did_before),
      cmocka_unit_test(csv_gives_back_the_same_bits),
      cmocka_unit_test(csv_headings_are_quoted),
      cmocka_unit_test(a_full_disk_is_noticed_when_writing_csv),
      cmocka_unit_test(vtk_needs_bodies_and_a_positive_stride),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
