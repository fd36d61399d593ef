/* compare_results A.h5 B.h5: do two result files hold the same? Every dataset and attribute of one
 * must be in the other, with the same shape, type and bits. `options` tells when a run should end
 * and may differ. Says what differs and exits with 1; 2 if a file cannot be read. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct comparison {
  hid_t other;
  int datasets;
  int differences;
} comparison;

static void differs(comparison* c, const char* path, const char* how)
{
  printf("%s: %s\n", path, how);
  c->differences++;
}

static int same_shape(hid_t a, hid_t b, hsize_t* points)
{
  *points = (hsize_t)H5Sget_simple_extent_npoints(a);
  return H5Sextent_equal(a, b) > 0;
}

/* Numbers are compared as bytes: a NaN equals itself, and 0 is not -0. */
static int same_numbers(hid_t a, hid_t b, hid_t type, hsize_t points)
{
  size_t bytes = (size_t)points * H5Tget_size(type);
  char *in_a = calloc(bytes + 1, 1), *in_b = calloc(bytes + 1, 1);
  int same = in_a && in_b && H5Dread(a, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, in_a) >= 0 &&
             H5Dread(b, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, in_b) >= 0 &&
             memcmp(in_a, in_b, bytes) == 0;
  free(in_a);
  free(in_b);
  return same;
}

static void compare_datasets(comparison* c, const char* path, hid_t a, hid_t b)
{
  hid_t space_a = H5Dget_space(a), space_b = H5Dget_space(b);
  hid_t type_a = H5Dget_type(a), type_b = H5Dget_type(b);
  hsize_t points;
  c->datasets++;
  if (H5Tequal(type_a, type_b) <= 0)
    differs(c, path, "another type");
  else if (!same_shape(space_a, space_b, &points))
    differs(c, path, "another shape");
  else if (!same_numbers(a, b, type_a, points))
    differs(c, path, "other numbers");
  H5Tclose(type_a);
  H5Tclose(type_b);
  H5Sclose(space_a);
  H5Sclose(space_b);
}

static int same_bytes(hid_t a, hid_t b, hid_t type, hsize_t points)
{
  size_t bytes = (size_t)points * H5Tget_size(type);
  char *in_a = calloc(bytes + 1, 1), *in_b = calloc(bytes + 1, 1);
  int same = in_a && in_b && H5Aread(a, type, in_a) >= 0 && H5Aread(b, type, in_b) >= 0 &&
             memcmp(in_a, in_b, bytes) == 0;
  free(in_a);
  free(in_b);
  return same;
}

static int same_attribute(hid_t a, hid_t b)
{
  hid_t space_a = H5Aget_space(a), space_b = H5Aget_space(b);
  hid_t type_a = H5Aget_type(a), type_b = H5Aget_type(b);
  hsize_t points;
  int same = same_shape(space_a, space_b, &points) && H5Tequal(type_a, type_b) > 0;
  same = same && same_bytes(a, b, type_a, points);
  H5Tclose(type_a);
  H5Tclose(type_b);
  H5Sclose(space_a);
  H5Sclose(space_b);
  return same;
}

static void compare_attributes(comparison* c, const char* path, hid_t a, hid_t b)
{
  int count = H5Aget_num_attrs(a);
  if (count != H5Aget_num_attrs(b)) differs(c, path, "another number of attributes");
  for (int i = 0; i < count; i++) {
    char name[64];
    hid_t in_a =
        H5Aopen_by_idx(a, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, H5P_DEFAULT, H5P_DEFAULT);
    H5Aget_name(in_a, sizeof name, name);
    hid_t in_b = H5Aopen(b, name, H5P_DEFAULT);
    if (in_b < 0 || !same_attribute(in_a, in_b)) differs(c, path, name);
    if (in_b >= 0) H5Aclose(in_b);
    H5Aclose(in_a);
  }
}

static herr_t compare_object(hid_t file, const char* path, const H5O_info_t* info, void* user)
{
  comparison* c = user;
  if (!strcmp(path, "options")) return 0;
  hid_t a = H5Oopen(file, path, H5P_DEFAULT);
  hid_t b = H5Oopen(c->other, path, H5P_DEFAULT);
  if (b < 0) {
    differs(c, path, "missing");
  } else {
    compare_attributes(c, path, a, b);
    if (info->type == H5O_TYPE_DATASET) compare_datasets(c, path, a, b);
    H5Oclose(b);
  }
  H5Oclose(a);
  return 0;
}

int main(int argc, char** argv)
{
  if (argc != 3) return 2;
  hid_t a = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t b = H5Fopen(argv[2], H5F_ACC_RDONLY, H5P_DEFAULT);
  if (a < 0 || b < 0) return 2;
  comparison there = {b, 0, 0}, back = {a, 0, 0};
  if (H5Ovisit(a, H5_INDEX_NAME, H5_ITER_INC, compare_object, &there) < 0 ||
      H5Ovisit(b, H5_INDEX_NAME, H5_ITER_INC, compare_object, &back) < 0)
    return 2;
  H5Fclose(a);
  H5Fclose(b);
  printf("%d datasets, %d differences\n", there.datasets, there.differences + back.differences);
  return there.differences + back.differences > 0 || there.datasets == 0;
}
