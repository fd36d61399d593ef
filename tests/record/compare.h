/* Two result files, bit for bit. */
#ifndef PC_TESTS_RECORD_COMPARE_H
#define PC_TESTS_RECORD_COMPARE_H

#include "record/sample.h"

static inline int compare_bytes(hid_t a, hid_t b, const char* path)
{
  hid_t in_a = H5Dopen2(a, path, H5P_DEFAULT), in_b = H5Dopen2(b, path, H5P_DEFAULT);
  assert_true(in_a >= 0 && in_b >= 0);
  hid_t space_a = H5Dget_space(in_a), space_b = H5Dget_space(in_b), type = H5Dget_type(in_a);
  if (H5Sextent_equal(space_a, space_b) <= 0) fail_msg("%s: shapes differ", path);
  size_t bytes = (size_t)H5Sget_simple_extent_npoints(space_a) * H5Tget_size(type);
  char *from_a = calloc(bytes + 1, 1), *from_b = calloc(bytes + 1, 1);
  H5Dread(in_a, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, from_a);
  H5Dread(in_b, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, from_b);
  if (memcmp(from_a, from_b, bytes) != 0) fail_msg("%s: numbers differ", path);
  free(from_a);
  free(from_b);
  H5Tclose(type);
  H5Sclose(space_a);
  H5Sclose(space_b);
  H5Dclose(in_a);
  H5Dclose(in_b);
  return 1;
}

static inline herr_t compare_dataset(hid_t file, const char* path, const H5O_info_t* info,
                                     void* user)
{
  if (info->type == H5O_TYPE_DATASET) compare_bytes(file, *(hid_t*)user, path);
  return 0;
}

/* Every dataset of one file, bit for bit, against the other. */
static inline void check_same(const char* path, const char* other)
{
  hid_t a = open_file(path), b = open_file(other);
  assert_true(H5Ovisit(a, H5_INDEX_NAME, H5_ITER_INC, compare_dataset, &b) >= 0);
  H5Fclose(a);
  H5Fclose(b);
}

#endif
