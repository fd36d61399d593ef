#include "record/attribute.h"

#include <stdlib.h>

#include "base/memory.h"

/* Creates an attribute in `space` and writes it; closes the space. */
static int write_attribute(hid_t object, const char* name, hid_t file_type, hid_t memory_type,
                           hid_t space, const void* value)
{
  if (space < 0) return -1;
  hid_t attribute = H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
  /* an attribute without elements exists, but there is nothing to write into it */
  int empty = H5Sget_simple_extent_npoints(space) == 0;
  H5Sclose(space);
  if (attribute < 0) return -1;
  int ok = empty || H5Awrite(attribute, memory_type, value) >= 0;
  return H5Aclose(attribute) >= 0 && ok ? 0 : -1;
}

static hid_t line_of(int count)
{
  return H5Screate_simple(1, &(hsize_t){(hsize_t)count}, NULL);
}

/* Texts of any length, UTF-8: h5py and MATLAB read them as strings. */
static int write_texts(hid_t object, const char* name, hid_t space, const char* const* text)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  int ok =
      type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
  if (ok)
    ok = write_attribute(object, name, type, type, space, text) == 0;
  else if (space >= 0)
    H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return ok ? 0 : -1;
}

int pc_write_text(hid_t object, const char* name, const char* text)
{
  return write_texts(object, name, H5Screate(H5S_SCALAR), &text);
}

int pc_write_texts(hid_t object, const char* name, int count, const char* const* text)
{
  return write_texts(object, name, line_of(count), text);
}

int pc_write_integer(hid_t object, const char* name, int value)
{
  return write_attribute(object, name, H5T_STD_I32LE, H5T_NATIVE_INT, H5Screate(H5S_SCALAR),
                         &value);
}

int pc_write_integers(hid_t object, const char* name, int count, const int* value)
{
  return write_attribute(object, name, H5T_STD_I32LE, H5T_NATIVE_INT, line_of(count), value);
}

hid_t pc_create_longs(hid_t object, const char* name, int count, const long* value)
{
  if (write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_LONG, line_of(count), value) != 0)
    return H5I_INVALID_HID;
  return H5Aopen(object, name, H5P_DEFAULT);
}

/* Points of an attribute, -1 if that cannot be known. */
static long count_points(hid_t attribute)
{
  hid_t space = H5Aget_space(attribute);
  if (space < 0) return -1;
  long points = (long)H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  return points;
}

int pc_read_longs(hid_t object, const char* name, int count, long* value)
{
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) return -1;
  int ok = count_points(attribute) == count && H5Aread(attribute, H5T_NATIVE_LONG, value) >= 0;
  H5Aclose(attribute);
  return ok ? 0 : -1;
}

/* Copies of texts that HDF5 allocated; one that was never written is empty. */
static int copy_texts(int count, char* const* from, char** to)
{
  for (int i = 0; i < count; i++) {
    to[i] = pc_copy_text(from[i] ? from[i] : "");
    if (to[i]) continue;
    while (i-- > 0) free(to[i]);
    return -1;
  }
  return 0;
}

static int read_texts(hid_t attribute, hid_t type, hid_t space, int count, char** text)
{
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) <= 0) return -1;
  if (H5Sget_simple_extent_npoints(space) != count) return -1;
  if (count == 0) return 0;
  char** read = pc_alloc((size_t)count, sizeof *read);
  int ok = read && H5Aread(attribute, type, read) >= 0;
  if (ok) {
    ok = copy_texts(count, read, text) == 0;
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, read);
  }
  free(read);
  return ok ? 0 : -1;
}

int pc_read_texts(hid_t object, const char* name, int count, char** text)
{
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) return -1;
  hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  int ok = type >= 0 && space >= 0 && read_texts(attribute, type, space, count, text) == 0;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  H5Aclose(attribute);
  return ok ? 0 : -1;
}

int pc_read_text(hid_t object, const char* name, char** text)
{
  return pc_read_texts(object, name, 1, text);
}

int pc_read_integer(hid_t object, const char* name, int* value)
{
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) return -1;
  hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  int ok = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_INTEGER &&
           H5Sget_simple_extent_npoints(space) == 1 &&
           H5Aread(attribute, H5T_NATIVE_INT, value) >= 0;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  H5Aclose(attribute);
  return ok ? 0 : -1;
}
