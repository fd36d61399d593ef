#include "record/series.h"

#include <stdlib.h>

#include "base/memory.h"
#include "record/columns.h"
#include "record/text.h"

/* All rows of column `column` of a dataset of so many columns, however many rows there will be. */
static hid_t select_column(int width, int column)
{
  hsize_t size[2] = {1, (hsize_t)width}, largest[2] = {H5S_UNLIMITED, (hsize_t)width};
  hsize_t start[2] = {0, (hsize_t)column}, count[2] = {H5S_UNLIMITED, 1};
  hid_t space = H5Screate_simple(2, size, largest);
  if (space >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) < 0) {
    H5Sclose(space);
    return H5I_INVALID_HID;
  }
  return space;
}

static hid_t select_line(void)
{
  hid_t space = H5Screate_simple(1, &(hsize_t){1}, &(hsize_t){H5S_UNLIMITED});
  if (space >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, &(hsize_t){0}, NULL,
                                        &(hsize_t){H5S_UNLIMITED}, NULL) < 0) {
    H5Sclose(space);
    return H5I_INVALID_HID;
  }
  return space;
}

/* "." is the file itself, whatever it is called. */
static int create_view(hid_t group, const pc_quantity* quantity, const pc_dataset* d, int column)
{
  hid_t from = select_column(d->width, column), line = select_line();
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE), view = H5I_INVALID_HID;
  if (from >= 0 && line >= 0 && creation >= 0 &&
      H5Pset_virtual(creation, line, ".", d->path, from) >= 0)
    view =
        H5Dcreate2(group, quantity->name, H5T_IEEE_F64LE, line, H5P_DEFAULT, creation, H5P_DEFAULT);
  int ok = view >= 0 && pc_write_text(view, "unit", quantity->unit) == 0;
  if (view >= 0) H5Dclose(view);
  if (creation >= 0) H5Pclose(creation);
  if (line >= 0) H5Sclose(line);
  if (from >= 0) H5Sclose(from);
  return ok ? 0 : -1;
}

static int create_views(hid_t file, const pc_layout* layout, const pc_quantity* quantity, int count)
{
  hid_t group = H5Gcreate2(file, "series", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0) return -1;
  int ok = 1;
  for (int i = 0; i < count && ok; i++) {
    int column = 0;
    const pc_dataset* d = pc_layout_find(layout, &quantity[i], &column);
    ok = d && create_view(group, &quantity[i], d, column) == 0;
  }
  return H5Gclose(group) >= 0 && ok ? 0 : -1;
}

/* `text` has space for three of each quantity. */
static int write_table(hid_t file, const pc_layout* layout, const pc_quantity* quantity, int count,
                       const char** text)
{
  const char **name = text, **unit = text + count, **column = unit + count;
  if (pc_layout_name_columns(layout, quantity, count, column) != PC_OK) return -1;
  for (int i = 0; i < count; i++) {
    name[i] = quantity[i].name;
    unit[i] = quantity[i].unit;
  }
  pc_columns columns = {.count = count, .name = name, .unit = unit, .column = column};
  return pc_columns_write(file, "series", &columns);
}

int pc_series_write(hid_t file, const pc_layout* layout, const pc_quantity* quantity, int count)
{
  const char** text = pc_alloc(3 * (size_t)count, sizeof *text);
  int ok = text && write_table(file, layout, quantity, count, text) == 0 &&
           create_views(file, layout, quantity, count) == 0;
  free(text);
  return ok ? 0 : -1;
}
