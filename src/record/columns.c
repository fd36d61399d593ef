#include "record/columns.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/sound.h"
#include "record/text.h"

enum { PATH_SIZE = 256, FIELDS_MAX = 6 };

static void path_of(const char* dataset, char* path)
{
  snprintf(path, PATH_SIZE, "%s%s", *dataset == '/' ? "" : "columns/", dataset);
}

/* --- writing ---------------------------------------------------------------------------------- */

/* A field of a row: where it begins, and its texts, or its numbers. */
typedef struct field {
  const char* name;
  size_t offset, length;
  const char* const* text;
  const int* number;
} field;

typedef struct table {
  field field[FIELDS_MAX];
  int field_count;
  size_t row; /* [bytes] */
} table;

/* A field as long as its longest text. */
static void add_texts(table* t, const char* name, int count, const char* const* text)
{
  size_t length = 1;
  if (!text) return;
  for (int i = 0; i < count; i++)
    if (strlen(text[i]) > length) length = strlen(text[i]);
  t->field[t->field_count++] = (field){name, t->row, length, text, NULL};
  t->row += length;
}

static void add_numbers(table* t, const char* name, const int* number)
{
  if (!number) return;
  t->field[t->field_count++] = (field){name, t->row, sizeof(int32_t), NULL, number};
  t->row += sizeof(int32_t);
}

static int insert_field(hid_t row, const field* f)
{
  if (f->number) return H5Tinsert(row, f->name, f->offset, H5T_STD_I32LE) >= 0 ? 0 : -1;
  hid_t type = pc_text_type(f->length);
  if (type < 0) return -1;
  int ok = H5Tinsert(row, f->name, f->offset, type) >= 0;
  H5Tclose(type);
  return ok ? 0 : -1;
}

static hid_t row_type(const table* t)
{
  hid_t row = H5Tcreate(H5T_COMPOUND, t->row);
  for (int i = 0; row >= 0 && i < t->field_count; i++)
    if (insert_field(row, &t->field[i]) != 0) {
      H5Tclose(row);
      return H5I_INVALID_HID;
    }
  return row;
}

/* Four bytes, the lowest first, on any machine. */
static void put_number(char* to, int number)
{
  uint32_t bits = (uint32_t)number;
  for (int i = 0; i < 4; i++) to[i] = (char)(unsigned char)(bits >> 8 * i);
}

static void fill(const table* t, int count, char* block)
{
  for (int i = 0; i < count; i++)
    for (int k = 0; k < t->field_count; k++) {
      const field* f = &t->field[k];
      char* to = block + (size_t)i * t->row + f->offset;
      if (f->number)
        put_number(to, f->number[i]);
      else
        memcpy(to, f->text[i], strlen(f->text[i]));
    }
}

/* With the groups on the way to it. */
static hid_t create(hid_t file, const char* path, hid_t row, int count)
{
  enum { CHUNK_MAX = 4096 }; /* rows */
  hsize_t chunk = count < 1 ? 1 : count > CHUNK_MAX ? CHUNK_MAX : (hsize_t)count;
  hid_t creation = pc_checked_properties(1, &chunk);
  hid_t space = H5Screate_simple(1, &(hsize_t){(hsize_t)count}, NULL);
  hid_t link = H5Pcreate(H5P_LINK_CREATE);
  hid_t dataset = H5I_INVALID_HID;
  if (space >= 0 && link >= 0 && creation >= 0 && H5Pset_create_intermediate_group(link, 1) >= 0)
    dataset = H5Dcreate2(file, path, row, space, link, creation, H5P_DEFAULT);
  if (creation >= 0) H5Pclose(creation);
  if (link >= 0) H5Pclose(link);
  if (space >= 0) H5Sclose(space);
  return dataset;
}

static int write_block(hid_t file, const char* path, hid_t row, int count, const char* block)
{
  hid_t dataset = create(file, path, row, count);
  if (dataset < 0) return -1;
  int ok = count == 0 || H5Dwrite(dataset, row, H5S_ALL, H5S_ALL, H5P_DEFAULT, block) >= 0;
  return H5Dclose(dataset) >= 0 && ok ? 0 : -1;
}

int pc_columns_write(hid_t file, const char* dataset, const pc_columns* c)
{
  table t = {0};
  char path[PATH_SIZE];
  path_of(dataset, path);
  add_texts(&t, "name", c->count, c->name);
  add_texts(&t, "unit", c->count, c->unit);
  add_texts(&t, "contact", c->count, c->contact);
  add_numbers(&t, "component", c->component);
  add_texts(&t, "column", c->count, c->column);
  add_texts(&t, "body", c->count, c->body);
  char* block = pc_alloc((size_t)c->count, t.row);
  hid_t row = row_type(&t);
  if (block) fill(&t, c->count, block);
  int ok = block && row >= 0 && write_block(file, path, row, c->count, block) == 0;
  if (row >= 0) H5Tclose(row);
  free(block);
  return ok ? 0 : -1;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* The type of texts of a field, or negative. */
static hid_t field_type(hid_t row, const char* name)
{
  int index = H5Tget_class(row) == H5T_COMPOUND ? H5Tget_member_index(row, name) : -1;
  hid_t type = index < 0 ? H5I_INVALID_HID : H5Tget_member_type(row, (unsigned)index);
  if (type < 0 || pc_is_text_type(type)) return type;
  H5Tclose(type);
  return H5I_INVALID_HID;
}

static int split(const char* block, size_t length, int count, char** text)
{
  for (int i = 0; i < count; i++) {
    text[i] = pc_text_of_field(block + (size_t)i * length, length);
    if (text[i]) continue;
    while (i-- > 0) free(text[i]);
    return -1;
  }
  return 0;
}

static int read_texts(hid_t dataset, hid_t type, const char* name, int count, char** text)
{
  size_t length = H5Tget_size(type);
  if (length == 0 || length > PC_TEXT_BYTES_MAX / (size_t)count) return -1;
  char* block = pc_alloc((size_t)count, length);
  hid_t row = H5Tcreate(H5T_COMPOUND, length); /* of this field alone */
  int ok = block && row >= 0 && H5Tinsert(row, name, 0, type) >= 0 &&
           H5Dread(dataset, row, H5S_ALL, H5S_ALL, H5P_DEFAULT, block) >= 0 &&
           split(block, length, count, text) == 0;
  if (row >= 0) H5Tclose(row);
  free(block);
  return ok ? 0 : -1;
}

int pc_columns_read(hid_t file, const char* dataset, const char* name, int count, char** text)
{
  char path[PATH_SIZE];
  path_of(dataset, path);
  hid_t from = pc_open_dataset(file, path, H5P_DEFAULT);
  if (from < 0) return -1;
  hid_t row = H5Dget_type(from), space = H5Dget_space(from);
  hid_t type = row >= 0 ? field_type(row, name) : H5I_INVALID_HID;
  int ok = type >= 0 && space >= 0 && H5Sget_simple_extent_npoints(space) == count;
  if (ok && count > 0) ok = read_texts(from, type, name, count, text) == 0;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  if (row >= 0) H5Tclose(row);
  H5Dclose(from);
  return ok ? 0 : -1;
}

int pc_columns_count(hid_t file, const char* dataset)
{
  char path[PATH_SIZE];
  path_of(dataset, path);
  hid_t from = pc_open_dataset(file, path, H5P_DEFAULT);
  if (from < 0) return -1;
  hid_t space = H5Dget_space(from);
  hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  if (space >= 0) H5Sclose(space);
  H5Dclose(from);
  return count >= 0 && count <= INT_MAX ? (int)count : -1;
}
