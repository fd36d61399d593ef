#include "record/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/attribute.h"
#include "record/checksum.h"
#include "record/sound.h"

hid_t pc_text_type(size_t length)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  if (type >= 0 &&
      (H5Tset_size(type, length ? length : 1) < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0 ||
       H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
    H5Tclose(type);
    return H5I_INVALID_HID;
  }
  return type;
}

int pc_is_text_type(hid_t type)
{
  return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
}

char* pc_text_of_field(const char* field, size_t length)
{
  size_t used = strnlen(field, length);
  char* text = pc_alloc(used + 1, 1);
  return text ? memcpy(text, field, used) : NULL;
}

int pc_write_text(hid_t object, const char* name, const char* text)
{
  hid_t type = pc_text_type(strlen(text)), space = H5Screate(H5S_SCALAR), attribute = -1;
  if (type >= 0 && space >= 0)
    attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  int ok = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return ok ? 0 : -1;
}

/* A single text cannot be stored in chunks, which would have checksums of their own. */
static uint32_t checksum_of(const char* text)
{
  return pc_checksum((const unsigned char*)text, strlen(text));
}

int pc_store_text(hid_t file, const char* path, const char* text)
{
  hid_t type = pc_text_type(strlen(text)), space = H5Screate(H5S_SCALAR), dataset = -1;
  if (type >= 0 && space >= 0)
    dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int ok = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0 &&
           pc_write_long(dataset, "checksum", (long)checksum_of(text)) == 0;
  if (dataset >= 0) H5Dclose(dataset);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return ok ? 0 : -1;
}

/* Reads one text of this type from a place that is an attribute, or else a dataset. */
static int read_field(hid_t place, int attribute, hid_t type, char** text)
{
  size_t length = H5Tget_size(type);
  if (length == 0 || length > PC_TEXT_BYTES_MAX) return -1;
  char* field = pc_alloc(length, 1);
  int ok = field && (attribute ? H5Aread(place, type, field)
                               : H5Dread(place, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, field)) >= 0;
  *text = ok ? pc_text_of_field(field, length) : NULL;
  free(field);
  return *text ? 0 : -1;
}

static int read_one(hid_t place, int attribute, char** text)
{
  hid_t type = attribute ? H5Aget_type(place) : H5Dget_type(place);
  hid_t space = attribute ? H5Aget_space(place) : H5Dget_space(place);
  int ok = type >= 0 && space >= 0 && pc_is_text_type(type) &&
           H5Sget_simple_extent_npoints(space) == 1 &&
           read_field(place, attribute, type, text) == 0;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  return ok ? 0 : -1;
}

int pc_read_text(hid_t object, const char* name, char** text)
{
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) return -1;
  int result = read_one(attribute, 1, text);
  H5Aclose(attribute);
  return result;
}

int pc_load_text(hid_t file, const char* path, char** text)
{
  hid_t dataset = pc_open_dataset(file, path, H5P_DEFAULT);
  if (dataset < 0) return -1;
  long checksum;
  int ok = read_one(dataset, 0, text) == 0;
  if (ok &&
      (pc_read_long(dataset, "checksum", &checksum) != 0 || checksum != (long)checksum_of(*text))) {
    free(*text);
    *text = NULL;
    ok = 0;
  }
  H5Dclose(dataset);
  return ok ? 0 : -1;
}
