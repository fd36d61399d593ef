/* Problems of FCLib: both forms and all storages are the same problem; what does not fit is
 * refused. */
#include "percuss/fclib.h"

#include <unistd.h>

#include "check.h"
#include "fclib/fclib_file.h"
#include "record/hdf5_leaks.h"

static const char path[] = "test_fclib.hdf5", other[] = "test_fclib_other.hdf5";

static pc_fclib* read_file(const char* from)
{
  pc_error error = {0};
  pc_fclib* file = NULL;
  CHECK_OK(pc_fclib_read(from, &file, &error), error);
  return file;
}

static double* solve(const pc_problem* p)
{
  pc_error error = {0};
  pc_solver* solver = NULL;
  pc_solver_info info;
  double* z = calloc((size_t)judge_rows(p) + 1, sizeof *z);
  CHECK_OK(pc_solver_create("auto", NULL, &solver, &error), error);
  CHECK_OK(pc_solver_solve(solver, p, z, &info, &error), error);
  assert_true(info.converged);
  CHECK_NEAR(judge_problem(p, z), 0, 1.01e-12);
  pc_solver_destroy(solver);
  return z;
}

static void every_storage_is_the_same_problem(void** state)
{
  (void)state;
  for (int form = 0; form < 2; form++) {
    heap h;
    make_fclib_heap(&h, 0, 20, 3);
    double* first = NULL;
    int rows = 0;
    for (int how = 0; how < STORAGES; how++) {
      (form ? write_global : write_local)(&h, path, (storage)how);
      pc_fclib* file = read_file(path);
      const pc_problem* p = pc_fclib_problem(file);
      double* A = judge_matrix(p);
      rows = judge_rows(p);
      if (how == 0) {
        first = A;
      } else {
        assert_memory_equal(A, first, (size_t)rows * (size_t)rows * sizeof(double));
        free(A);
      }
      pc_fclib_about about = pc_fclib_describe(file);
      assert_int_equal(about.is_global, form);
      assert_int_equal(about.dimension, 2);
      assert_int_equal(about.velocity_count, form ? 48 : 0);
      assert_string_equal(about.title, "a heap");
      assert_true(about.contact_count > 3 && about.equality_count > 2);
      assert_int_equal(about.velocity_count + 3 * about.contact_count + about.equality_count, rows);
      pc_fclib_free(file);
    }
    free(first);
    heap_free(&h);
  }
}

/* The two forms of one heap have the same velocities at the contacts. */
static void both_forms_have_the_same_solution(void** state)
{
  (void)state;
  for (int planar = 0; planar < 2; planar++)
    for (int joints = 0; joints <= 20; joints += 20) {
      heap h;
      make_fclib_heap(&h, planar, joints, 4);
      write_local(&h, path, BY_COLUMNS);
      write_global(&h, other, TRIPLETS);
      pc_fclib *local = read_file(path), *global = read_file(other);
      const pc_problem *p = pc_fclib_problem(local), *q = pc_fclib_problem(global);
      double *x = solve(p), *z = solve(q);
      double* u = calloc((size_t)judge_rows(p) + 1, sizeof *u);
      double* v = calloc((size_t)judge_rows(q) + 1, sizeof *v);
      judge_dual(p, x, u);
      judge_dual(q, z, v);
      pc_fclib_about about = pc_fclib_describe(global);
      int contacts = (about.dimension + 1) * about.contact_count;
      for (int i = 0; i < contacts; i++) CHECK_NEAR(v[about.velocity_count + i], u[i], 1e-9);
      free(x), free(z), free(u), free(v);
      pc_fclib_free(local), pc_fclib_free(global);
      heap_free(&h);
    }
}

static void check_vector(hid_t file, const char* name, int count, const double* expected)
{
  double* x = calloc((size_t)count + 1, sizeof *x);
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
  assert_int_equal(H5Sget_simple_extent_npoints(space), count);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
  assert_memory_equal(x, expected, (size_t)count * sizeof *x);
  H5Sclose(space), H5Dclose(set);
  free(x);
}

static void a_solution_is_written_beside_its_problem(void** state)
{
  (void)state;
  for (int form = 0; form < 2; form++) {
    heap h;
    make_fclib_heap(&h, 0, 20, 3);
    (form ? write_global : write_local)(&h, path, BY_ROWS);
    pc_fclib* file = read_file(path);
    const pc_problem* p = pc_fclib_problem(file);
    double *z = solve(p), *u = calloc((size_t)judge_rows(p) + 1, sizeof *u);
    judge_dual(p, z, u);
    pc_error error = {0};
    FILE* to = fopen(other, "wb");
    CHECK_OK(pc_fclib_write_solution(file, z, to, &error), error);
    fclose(to);

    pc_fclib_about about = pc_fclib_describe(file);
    int v = about.velocity_count, c = 3 * about.contact_count;
    hid_t written = H5Fopen(other, H5F_ACC_RDONLY, H5P_DEFAULT);
    check_vector(written, "/solution/r", c, z + v);
    check_vector(written, "/solution/l", about.equality_count, z + v + c);
    if (form) check_vector(written, "/solution/v", v, z);
    assert_int_equal(H5Lexists(written, "/solution/v", H5P_DEFAULT) > 0, form);
    H5Fclose(written);
    pc_fclib* again = read_file(other); /* it is a problem still, and the same one */
    double *A = judge_matrix(p), *B = judge_matrix(pc_fclib_problem(again));
    assert_memory_equal(A, B, (size_t)judge_rows(p) * (size_t)judge_rows(p) * sizeof(double));
    free(A), free(B), free(z), free(u);
    pc_fclib_free(again);

    to = fopen("/dev/full", "wb");
    assert_int_equal(
        pc_fclib_write_solution(file, u ? pc_fclib_problem(file)->b : NULL, to, &error),
        PC_CANNOT_WRITE);
    fclose(to);
    pc_fclib_free(file);
    heap_free(&h);
  }
}

/* --- what is refused --- */

static void expect_refusal(const char* says)
{
  pc_error error = {0};
  pc_fclib* file = NULL;
  assert_int_equal(pc_fclib_read(path, &file, &error), PC_BAD_MODEL);
  assert_null(file);
  assert_non_null(strstr(error.text, path));
  if (!strstr(error.text, says)) fail_msg("'%s' does not say '%s'", error.text, says);
}

static void write_sound(void)
{
  heap h;
  make_fclib_heap(&h, 0, 20, 3);
  write_local(&h, path, BY_ROWS);
  heap_free(&h);
}

/* Replaces a dataset by other numbers. */
static void replace_ints(const char* name, int count, const int* x)
{
  write_sound();
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, name, H5P_DEFAULT);
  if (count >= 0) put_numbers(file, name, H5T_NATIVE_INT, (size_t)count, x);
  H5Fclose(file);
}

static void change_number(const char* name, int index, double value)
{
  write_sound();
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, name, H5P_DEFAULT);
  hid_t space = H5Dget_space(set), one = H5Screate(H5S_SCALAR);
  hsize_t at = (hsize_t)index;
  H5Sselect_elements(space, H5S_SELECT_SET, 1, &at);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value);
  H5Sclose(space), H5Sclose(one), H5Dclose(set), H5Fclose(file);
}

static void what_does_not_fit_is_refused(void** state)
{
  (void)state;
  unlink(path);
  expect_refusal("No such file");
  FILE* f = fopen(path, "w");
  fputs("simulate: {scheme: moreau}\n", f);
  fclose(f);
  expect_refusal("not an HDF5 file");
  hid_t empty = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(empty);
  expect_refusal("fclib_local");

  replace_ints("/fclib_local/spacedim", 1, (int[]){4});
  expect_refusal("spacedim");
  replace_ints("/fclib_local/spacedim", 2, (int[]){3, 3});
  expect_refusal("not one number");
  replace_ints("/fclib_local/spacedim", -1, NULL);
  expect_refusal("spacedim");
  const char* names[] = {"W/m", "W/n", "W/nz", "V/m", "R/n"};
  const int values[] = {-1, 0, 7, 2000000000, -3};
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 5; k++) {
      if (i == 2 && k < 3) continue; /* another storage of other numbers, but a matrix */
      char name[64];
      snprintf(name, sizeof name, "/fclib_local/%s", names[i]);
      replace_ints(name, 1, &values[k]);
      expect_refusal("fit together");
    }
  change_number("/fclib_local/W/p", 1, -5);
  expect_refusal("fit together");
  change_number("/fclib_local/W/p", 1, 2e9);
  expect_refusal("fit together");
  change_number("/fclib_local/W/i", 0, -1);
  expect_refusal("fit together");
  change_number("/fclib_local/W/i", 0, 1e6);
  expect_refusal("fit together");
  change_number("/fclib_local/W/x", 0, NAN);
  expect_refusal("finite");
  change_number("/fclib_local/vectors/q", 0, INFINITY);
  expect_refusal("finite");
  change_number("/fclib_local/vectors/mu", 0, -0.5);
  expect_refusal("friction coefficient");
  replace_ints("/fclib_local/vectors/mu", 1, (int[]){1});
  expect_refusal("friction coefficient");
  replace_ints("/fclib_local/vectors/q", 1, (int[]){1});
  expect_refusal("fit together");
  replace_ints("/fclib_local/vectors/q", -1, NULL);
  expect_refusal("'/fclib_local/vectors/q'");
  replace_ints("/fclib_local/R/x", -1, NULL);
  expect_refusal("'/fclib_local/R/x'");
}

/* q as a dataset of this size and layout that was never written. */
static void claim(H5D_layout_t layout)
{
  write_sound();
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "/fclib_local/vectors/q", H5P_DEFAULT);
  hsize_t size = 1000000000, chunk = 4096;
  hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &size, NULL);
  if (layout == H5D_CHUNKED) H5Pset_chunk(how, 1, &chunk);
  hid_t set = H5Dcreate2(file, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how,
                         H5P_DEFAULT);
  H5Dclose(set), H5Sclose(space), H5Pclose(how), H5Fclose(file);
}

/* A list of a thousand million zeros that takes no space in the file is none. */
static void a_claim_beyond_the_file_is_refused(void** state)
{
  (void)state;
  claim(H5D_CONTIGUOUS);
  expect_refusal("'/fclib_local/vectors/q' claims to hold 1000000000 elements of 8 bytes");
  claim(H5D_CHUNKED);
  expect_refusal("h5repack -f NONE -l CONTI");
}

/* Numbers of another size and order of bytes, in the file's header, in HDF5's newest structures. */
static void other_encodings_are_the_same_problem(void** state)
{
  (void)state;
  write_sound();
  pc_fclib* file = read_file(path);
  double* first = judge_matrix(pc_fclib_problem(file));
  size_t bytes = sizeof *first * (size_t)judge_rows(pc_fclib_problem(file)) *
                 (size_t)judge_rows(pc_fclib_problem(file));
  pc_fclib_free(file);
  file_access = H5Pcreate(H5P_FILE_ACCESS);
  for (int newest = 0; newest < 2; newest++) {
    H5Pset_libver_bounds(file_access, newest ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST,
                         H5F_LIBVER_LATEST);
    write_sound();
    const char* names[] = {"/fclib_local/W/x", "/fclib_local/W/p", "/fclib_local/W/i",
                           "/fclib_local/W/m"};
    const hid_t types[] = {H5T_IEEE_F64BE, H5T_STD_I64BE, H5T_STD_U16LE, H5T_IEEE_F32LE};
    hid_t h = H5Fopen(path, H5F_ACC_RDWR, file_access);
    for (int i = 0; i < 4; i++) {
      static double x[1 << 16];
      hid_t set = H5Dopen2(h, names[i], H5P_DEFAULT), space = H5Dget_space(set);
      assert_true(H5Sget_simple_extent_npoints(space) < 1 << 16);
      assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
      H5Dclose(set), H5Ldelete(h, names[i], H5P_DEFAULT);
      hid_t how = H5Pcreate(H5P_DATASET_CREATE);
      if (i == 3) H5Pset_layout(how, H5D_COMPACT);
      set = H5Dcreate2(h, names[i], types[i], space, H5P_DEFAULT, how, H5P_DEFAULT);
      assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
      H5Pclose(how), H5Sclose(space), H5Dclose(set);
    }
    H5Fclose(h);
    file = read_file(path);
    double* A = judge_matrix(pc_fclib_problem(file));
    assert_memory_equal(A, first, bytes);
    free(A);
    pc_fclib_free(file);
  }
  H5Pclose(file_access);
  file_access = 0;
  free(first);
}

/* Any prefix of a file, and any damaged byte: a problem, or a refusal with a text. */
static void damaged_files_are_read_or_refused(void** state)
{
  (void)state;
  write_sound();
  FILE* f = fopen(path, "rb");
  static unsigned char sound[1 << 20], damaged[1 << 20];
  size_t size = fread(sound, 1, sizeof sound, f);
  fclose(f);
  dice d = {21};
  int refused = 0;
  for (int trial = 0; trial < 1000; trial++) {
    size_t length = size;
    memcpy(damaged, sound, size);
    if (trial % 5 == 0) length = (size_t)below(&d, (int)size);
    for (int i = 0; i < 3 && trial % 5; i++)
      damaged[below(&d, (int)size)] = (unsigned char)below(&d, 256);
    f = fopen(path, "wb");
    fwrite(damaged, 1, length, f);
    fclose(f);
    pc_error error = {0};
    pc_fclib* file = NULL;
    pc_status status = pc_fclib_read(path, &file, &error);
    assert_true((status == PC_OK) == (file != NULL));
    if (status != PC_OK) assert_true(strlen(error.text) > 10);
    refused += status != PC_OK;
    pc_fclib_free(file);
  }
  assert_true(refused > 150);
}

static int clean_up(void** state)
{
  (void)state;
  unlink(path);
  unlink(other);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_storage_is_the_same_problem),
      cmocka_unit_test(both_forms_have_the_same_solution),
      cmocka_unit_test(a_solution_is_written_beside_its_problem),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(a_claim_beyond_the_file_is_refused),
      cmocka_unit_test(other_encodings_are_the_same_problem),
      cmocka_unit_test(damaged_files_are_read_or_refused),
  };
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, clean_up);
}
