#include "record/attribute.h"

/* Creates an attribute in `space` and writes it; closes the space. */
static int write_attribute(hid_t object, const char* name, hid_t file_type, hid_t memory_type,
                           hid_t space, const void* value)
{
  if (space < 0) return -1;
  hid_t attribute = H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Sclose(space);
  if (attribute < 0) return -1;
  int ok = H5Awrite(attribute, memory_type, value) >= 0;
  return H5Aclose(attribute) >= 0 && ok ? 0 : -1;
}

int pc_write_integer(hid_t object, const char* name, int value)
{
  return write_attribute(object, name, H5T_STD_I32LE, H5T_NATIVE_INT, H5Screate(H5S_SCALAR),
                         &value);
}

int pc_write_long(hid_t object, const char* name, long value)
{
  return write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_LONG, H5Screate(H5S_SCALAR),
                         &value);
}

int pc_read_long(hid_t object, const char* name, long* value)
{
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) return -1;
  hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  int ok = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_INTEGER &&
           H5Sget_simple_extent_npoints(space) == 1 &&
           H5Aread(attribute, H5T_NATIVE_LONG, value) >= 0;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  H5Aclose(attribute);
  return ok ? 0 : -1;
}
