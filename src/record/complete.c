#include "record/complete.h"

#include "record/checksum.h"
#include "record/sound.h"

enum { ROWS, EVENTS, CHECK, COUNT };

/* Of both numbers, against damage. */
static long check_of(const long numbers[COUNT])
{
  return (long)pc_checksum((const unsigned char*)numbers, CHECK * sizeof *numbers);
}

hid_t pc_complete_create(hid_t file)
{
  hid_t space = H5Screate_simple(1, &(hsize_t){COUNT}, NULL);
  if (space < 0) return space;
  hid_t dataset =
      H5Dcreate2(file, "complete", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Sclose(space);
  if (dataset >= 0 && pc_complete_write(dataset, (pc_complete){0, 0}) != 0) {
    H5Dclose(dataset);
    return H5I_INVALID_HID;
  }
  return dataset;
}

static int has_shape(hid_t dataset)
{
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  int ok = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_INTEGER &&
           H5Sget_simple_extent_npoints(space) == COUNT;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  return ok;
}

hid_t pc_complete_open(hid_t file)
{
  hid_t dataset = pc_open_dataset(file, "complete", H5P_DEFAULT);
  if (dataset < 0 || has_shape(dataset)) return dataset;
  H5Dclose(dataset);
  return H5I_INVALID_HID;
}

int pc_complete_write(hid_t dataset, pc_complete complete)
{
  long numbers[COUNT] = {[ROWS] = complete.rows, [EVENTS] = complete.events};
  numbers[CHECK] = check_of(numbers);
  herr_t result = H5Dwrite(dataset, H5T_NATIVE_LONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  return result >= 0 ? 0 : -1;
}

int pc_complete_read(hid_t file, pc_complete* complete)
{
  long numbers[COUNT];
  hid_t dataset = pc_complete_open(file);
  if (dataset < 0) return -1;
  int ok = H5Dread(dataset, H5T_NATIVE_LONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0 &&
           numbers[ROWS] >= 0 && numbers[EVENTS] >= 0 && numbers[CHECK] == check_of(numbers);
  H5Dclose(dataset);
  if (ok) *complete = (pc_complete){numbers[ROWS], numbers[EVENTS]};
  return ok ? 0 : -1;
}
