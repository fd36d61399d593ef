#include "record/found.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "percuss/collide.h"
#include "percuss/shape.h"
#include "record/columns.h"
#include "record/number.h"
#include "record/text.h"

enum { CAPACITY = 16384, DIRECTIONS = 3, IMPULSE = 4, PAGES = 3 * 4096 };

typedef struct found_column {
  const char* path;
  int width;
  pc_column_type type;
  const char* unit;
} found_column;

static const char OFFSET[] = "found/offset";
static const char SHAPE[] = "/found/shape";

static const found_column columns[PC_FOUND_COLUMN_COUNT] = {
    [PC_FOUND_KEY] = {"found/key", PC_KEY_WIDTH, PC_COLUMN_INTEGER, ""},
    [PC_FOUND_P] = {"found/P", DIRECTIONS, PC_COLUMN_REAL, "N s"},
    [PC_FOUND_SPIN] = {"found/spin", PC_SCALAR, PC_COLUMN_REAL, "N s"},
    [PC_FOUND_POINT] = {"found/point", DIRECTIONS, PC_COLUMN_REAL, "m"},
    [PC_FOUND_NORMAL] = {"found/normal", DIRECTIONS, PC_COLUMN_REAL, ""},
    [PC_FOUND_GAP] = {"found/gap", PC_SCALAR, PC_COLUMN_REAL, "m"},
    [PC_FOUND_MEMORY] = {"found/memory", 0, PC_COLUMN_REAL, ""},
};

void pc_key_to_numbers(const pc_contact_key* key, double number[PC_KEY_WIDTH])
{
  number[0] = key->shape[0];
  number[1] = key->shape[1];
  number[2] = (double)(int32_t)(uint32_t)(key->feature >> 32);
  number[3] = (double)(int32_t)(uint32_t)key->feature;
}

pc_contact_key pc_key_of_numbers(const double number[PC_KEY_WIDTH])
{
  uint64_t upper = (uint32_t)pc_int_of(number[2]), lower = (uint32_t)pc_int_of(number[3]);
  return (pc_contact_key){{pc_int_of(number[0]), pc_int_of(number[1])}, upper << 32 | lower};
}

/* ---- buffers and datasets -------------------------------------------------------------------- */

pc_status pc_found_allocate(pc_found_record* f, const pc_system* system, int rows)
{
  f->is_used = pc_system_collider_count(system) > 0;
  if (!f->is_used) return PC_OK;
  f->capacity = CAPACITY;
  pc_status status = pc_column_allocate(&f->offset, PC_SCALAR, PC_COLUMN_LONG, rows, 0);
  for (int i = 0; status == PC_OK && i < PC_FOUND_COLUMN_COUNT; i++)
    status = pc_column_allocate(&f->column[i], columns[i].width, columns[i].type, f->capacity, 0);
  return status;
}

/* Name and body of each shape; `text` has space for both. */
static void list_shapes(const pc_system* system, int count, const char** text)
{
  for (int i = 0; i < count; i++) {
    pc_collider_info c = pc_system_collider(system, i);
    text[i] = c.name;
    text[count + i] = c.part.index < 0 ? "ground" : pc_system_part_info(system, c.part).name;
  }
}

int pc_found_describe(hid_t file, const pc_system* system)
{
  int count = pc_system_collider_count(system);
  if (count == 0) return 0;
  const char** text = pc_alloc(2 * (size_t)count, sizeof *text);
  if (!text) return -1;
  list_shapes(system, count, text);
  const pc_columns table = {.count = count, .name = text, .body = text + count};
  int result = pc_columns_write(file, SHAPE, &table);
  free(text);
  return result;
}

size_t pc_found_header_bytes(const pc_system* system)
{
  int count = pc_system_collider_count(system);
  size_t longest = 0;
  if (count == 0) return 0;
  for (int i = 0; i < count; i++) {
    pc_collider_info c = pc_system_collider(system, i);
    size_t body = c.part.index < 0 ? 8 : strlen(pc_system_part_info(system, c.part).name);
    size_t length = strlen(c.name) + body;
    if (length > longest) longest = length;
  }
  return 2 * (size_t)count * longest + (size_t)(PC_FOUND_COLUMN_COUNT + 2) * PAGES;
}

/* A dataset of an empty file begins with offset 0. */
static int create_offset(pc_found_record* f, hid_t file)
{
  if (pc_column_create(&f->offset, file, OFFSET) != 0) return -1;
  *pc_column_row(&f->offset, 0) = 0;
  return pc_column_write(&f->offset, 0, 1);
}

static int create_column(pc_found_record* f, hid_t file, int which)
{
  if (pc_column_create(&f->column[which], file, columns[which].path) != 0) return -1;
  return pc_write_text(f->column[which].dataset, "unit", columns[which].unit);
}

int pc_found_create(pc_found_record* f, hid_t file)
{
  if (!f->is_used) return 0;
  if (create_offset(f, file) != 0) return -1;
  for (int i = 0; i < PC_FOUND_MEMORY; i++)
    if (create_column(f, file, i) != 0) return -1;
  return 0;
}

/* Buffers for a memory of so many numbers. */
static int set_memory_width(pc_found_record* f, int width)
{
  pc_column* column = &f->column[PC_FOUND_MEMORY];
  pc_column_close(column);
  f->sized = 1;
  return pc_column_allocate(column, width, PC_COLUMN_REAL, f->capacity, 0) == PC_OK ? 0 : -1;
}

/* The width of the memory is known to the file alone. */
static int open_memory(pc_found_record* f, hid_t file)
{
  const char* path = columns[PC_FOUND_MEMORY].path;
  if (H5Lexists(file, path, H5P_DEFAULT) <= 0) return set_memory_width(f, 0);
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  int width = dataset < 0 ? -1 : pc_dataset_width(dataset);
  if (dataset >= 0) H5Dclose(dataset);
  if (width < 1 || set_memory_width(f, width) != 0) return -1;
  return pc_column_open(&f->column[PC_FOUND_MEMORY], file, path);
}

int pc_found_open(pc_found_record* f, hid_t file)
{
  if (!f->is_used) return 0;
  if (pc_column_open(&f->offset, file, OFFSET) != 0) return -1;
  for (int i = 0; i < PC_FOUND_MEMORY; i++)
    if (pc_column_open(&f->column[i], file, columns[i].path) != 0) return -1;
  return open_memory(f, file);
}

int pc_found_size_memory(pc_found_record* f, hid_t file, const pc_found_contacts* seen)
{
  if (!f->is_used || !seen) return 0;
  int width = seen->memory_count - IMPULSE;
  if (f->sized) return f->column[PC_FOUND_MEMORY].width == width ? 0 : -1;
  if (set_memory_width(f, width) != 0) return -1;
  return width > 0 ? create_column(f, file, PC_FOUND_MEMORY) : 0;
}

int pc_found_close(pc_found_record* f)
{
  int ok = pc_column_close(&f->offset) == 0;
  for (int i = 0; i < PC_FOUND_COLUMN_COUNT; i++) ok = pc_column_close(&f->column[i]) == 0 && ok;
  return ok ? 0 : -1;
}

/* ---- writing --------------------------------------------------------------------------------- */

int pc_found_fits(const pc_found_record* f, const pc_found_contacts* seen)
{
  return !f->is_used || !seen || seen->count <= f->capacity - f->waiting;
}

int pc_found_reserve(pc_found_record* f, const pc_found_contacts* seen)
{
  if (pc_found_fits(f, seen)) return 0;
  int capacity = seen->count + seen->count / 2;
  for (int i = 0; i < PC_FOUND_COLUMN_COUNT; i++)
    if (pc_column_reserve(&f->column[i], capacity) != PC_OK) return -1;
  f->capacity = capacity;
  return 0;
}

static double* put(double* to, int count, const double* from)
{
  if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
  return to;
}

static void fill_one(const pc_found_record* f, const pc_shape_contact* c, const double* memory,
                     int at)
{
  const pc_column* column = f->column;
  pc_key_to_numbers(&c->key, pc_column_row(&column[PC_FOUND_KEY], at));
  put(pc_column_row(&column[PC_FOUND_P], at), DIRECTIONS, memory);
  *pc_column_row(&column[PC_FOUND_SPIN], at) = memory[DIRECTIONS];
  put(pc_column_row(&column[PC_FOUND_POINT], at), DIRECTIONS, c->point);
  put(pc_column_row(&column[PC_FOUND_NORMAL], at), DIRECTIONS, c->normal);
  *pc_column_row(&column[PC_FOUND_GAP], at) = c->gap;
  put(pc_column_row(&column[PC_FOUND_MEMORY], at), column[PC_FOUND_MEMORY].width, memory + IMPULSE);
}

void pc_found_fill(pc_found_record* f, const pc_found_contacts* seen, int row)
{
  if (!f->is_used) return;
  f->unkept = seen ? seen->count : 0;
  for (int i = 0; i < f->unkept; i++)
    fill_one(f, &seen->contact[i], seen->memory + (size_t)i * (size_t)seen->memory_count,
             f->waiting + i);
  *pc_column_row(&f->offset, row) = (double)(f->written + f->waiting + f->unkept);
}

void pc_found_keep(pc_found_record* f)
{
  f->waiting += f->unkept;
  f->unkept = 0;
}

int pc_found_write(pc_found_record* f, long rows, int count)
{
  if (!f->is_used) return 0;
  for (int i = 0; i < PC_FOUND_COLUMN_COUNT; i++)
    if (f->column[i].dataset >= 0 && f->waiting > 0 &&
        pc_column_write(&f->column[i], f->written, f->waiting) != 0)
      return -1;
  if (count > 0 && pc_column_write(&f->offset, rows + 1, count) != 0) return -1;
  f->written += f->waiting;
  f->waiting = 0;
  return 0;
}

size_t pc_found_chunk_bytes(const pc_found_record* f)
{
  size_t bytes = 0;
  if (!f->is_used) return 0;
  for (int i = 0; i < PC_FOUND_COLUMN_COUNT; i++)
    bytes += PAGES + pc_column_chunk_bytes(&f->column[i]);
  return bytes + PAGES + pc_column_chunk_bytes(&f->offset);
}

/* ---- going on -------------------------------------------------------------------------------- */

int pc_found_count(pc_found_record* f, long rows)
{
  double end;
  if (!f->is_used) return 0;
  if (!pc_column_holds(&f->offset, rows + 1) || pc_column_read(&f->offset, rows, &end) != 0)
    return -1;
  for (int i = 0; i < PC_FOUND_COLUMN_COUNT; i++)
    if (f->column[i].dataset >= 0 && !pc_column_holds(&f->column[i], (long)end)) return -1;
  f->written = (long)end;
  return 0;
}

int pc_found_trim(pc_found_record* f, long rows)
{
  if (!f->is_used) return 0;
  if (pc_column_renew(&f->offset, rows + 1) != 0 || pc_column_take_up(&f->offset, rows + 1) != 0)
    return -1;
  for (int i = 0; i < PC_FOUND_COLUMN_COUNT; i++)
    if (f->column[i].dataset >= 0 && (pc_column_renew(&f->column[i], f->written) != 0 ||
                                      pc_column_take_up(&f->column[i], f->written) != 0))
      return -1;
  return 0;
}

void pc_found_free(pc_found_contacts* restored)
{
  free((void*)restored->contact);
  free((void*)restored->memory);
  *restored = (pc_found_contacts){0};
}

/* The numbers of a contact in the arrays of all columns. */
static void take_one(double* const* number, int width, int i, pc_shape_contact* c, double* memory)
{
  c->key = pc_key_of_numbers(number[PC_FOUND_KEY] + PC_KEY_WIDTH * i);
  put(memory, DIRECTIONS, number[PC_FOUND_P] + DIRECTIONS * i);
  memory[DIRECTIONS] = number[PC_FOUND_SPIN][i];
  put(memory + IMPULSE, width, number[PC_FOUND_MEMORY] + (size_t)width * (size_t)i);
  put(c->P, DIRECTIONS, memory);
  c->spin = memory[DIRECTIONS];
  put(c->point, DIRECTIONS, number[PC_FOUND_POINT] + DIRECTIONS * i);
  put(c->normal, DIRECTIONS, number[PC_FOUND_NORMAL] + DIRECTIONS * i);
  c->gap = number[PC_FOUND_GAP][i];
  for (int k = 0; k < DIRECTIONS; k++) c->P_N += c->P[k] * c->normal[k];
}

/* `contact` and `memory` have space for `count`. */
static int read_contacts(const pc_found_record* f, long from, int count, pc_shape_contact* contact,
                         double* memory)
{
  double* number[PC_FOUND_COLUMN_COUNT] = {NULL};
  int ok = 1, width = f->column[PC_FOUND_MEMORY].width;
  for (int i = 0; i < PC_FOUND_COLUMN_COUNT && ok; i++) {
    number[i] = pc_alloc((size_t)count * (size_t)f->column[i].width, sizeof **number);
    ok = number[i] && pc_column_read_rows(&f->column[i], from, count, number[i]) == 0;
  }
  for (int i = 0; ok && i < count; i++)
    take_one(number, width, i, &contact[i], memory + (size_t)i * (size_t)(IMPULSE + width));
  for (int i = 0; i < PC_FOUND_COLUMN_COUNT; i++) free(number[i]);
  return ok ? 0 : -1;
}

int pc_found_restore(const pc_found_record* f, long rows, pc_found_contacts* restored)
{
  double from;
  *restored = (pc_found_contacts){0};
  if (!f->is_used) return 0;
  if (pc_column_read(&f->offset, rows - 1, &from) != 0) return -1;
  long count = f->written - (long)from;
  if (count < 0 || count > INT32_MAX) return -1;
  int width = IMPULSE + f->column[PC_FOUND_MEMORY].width;
  pc_shape_contact* contact = pc_alloc((size_t)count, sizeof *contact);
  double* memory = pc_alloc((size_t)count * (size_t)width, sizeof *memory);
  *restored = (pc_found_contacts){
      .count = (int)count, .contact = contact, .memory_count = width, .memory = memory};
  if (!contact || !memory) return -1;
  return read_contacts(f, (long)from, (int)count, contact, memory);
}
