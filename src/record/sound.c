#include "record/sound.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/checksum.h"
#include "record/file.h"

static uint64_t little_endian(const unsigned char* byte, int size)
{
  uint64_t value = 0;
  for (int i = size - 1; i >= 0; i--) value = value << 8 | byte[i];
  return value;
}

enum { HEADER_SIZE = 16384, CHECKSUM_SIZE = 4 };

/* The size of an object header of version 2 without its checksum, from its beginning: a mark, the
 * version, flags, then what these tell: four times, two limits, and the size of the messages that
 * follow. 0: it is none, or larger than any that percuss writes. */
static size_t header_size(const unsigned char* header)
{
  static const unsigned char beginning[5] = {'O', 'H', 'D', 'R', 2};
  if (memcmp(header, beginning, sizeof beginning) != 0) return 0;
  int flags = header[5], width = 1 << (flags & 3);
  size_t before = 6u + (flags & 0x20 ? 16u : 0u) + (flags & 0x10 ? 4u : 0u);
  uint64_t messages = little_endian(header + before, width);
  before += (size_t)width;
  return messages < HEADER_SIZE ? before + (size_t)messages : 0;
}

/* A header whose checksum is right. HDF5 would find out too, but not without losing memory, of
 * which it complains when the program ends. */
static int is_object(int descriptor, uint64_t address)
{
  unsigned char header[HEADER_SIZE] = {0};
  if (address > INT64_MAX - HEADER_SIZE) return 0;
  ssize_t read = pread(descriptor, header, sizeof header, (off_t)address);
  size_t size = read > 0 ? header_size(header) : 0;
  return size > 0 && size + CHECKSUM_SIZE <= (size_t)read &&
         pc_checksum(header, size) == little_endian(header + size, CHECKSUM_SIZE);
}

/* The superblock: a mark, version 2, sizes of addresses and of lengths, flags; then the addresses
 * of the file's base, of its extension, of its end and of the root. */
int pc_begins_as_result(int descriptor)
{
  static const unsigned char beginning[11] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 2, 8, 8};
  enum { BASE = 12, EXTENSION = 20, ROOT = 36, SIZE = 44 };
  unsigned char found[SIZE];
  if (pread(descriptor, found, SIZE, 0) != SIZE) return 0;
  return memcmp(found, beginning, sizeof beginning) == 0 && little_endian(found + BASE, 8) == 0 &&
         is_object(descriptor, little_endian(found + EXTENSION, 8)) &&
         is_object(descriptor, little_endian(found + ROOT, 8));
}

/* Where an object is, from the link to it; 0 if there is none, or if it leads out of the file. */
static int find_object(hid_t file, const char* path, haddr_t* address)
{
  pc_link_info link;
  if (H5Lget_info(file, path, &link, H5P_DEFAULT) < 0) return 0;
  *address = link.u.address;
  return link.type == H5L_TYPE_HARD;
}

enum { PATH_SIZE = 4096 };

/* Every object on the way, from the root on. */
static int is_sound(hid_t file, const char* path)
{
  char part[PATH_SIZE];
  int descriptor = pc_file_descriptor(file);
  if (strlen(path) >= sizeof part) return 0;
  for (const char* end = path; *end;) {
    end += strspn(end, "/");
    end += strcspn(end, "/");
    memcpy(part, path, (size_t)(end - path));
    part[end - path] = '\0';
    haddr_t address;
    if (!find_object(file, part, &address) || !is_object(descriptor, address)) return 0;
  }
  return 1;
}

hid_t pc_open_dataset(hid_t file, const char* path, hid_t access)
{
  return is_sound(file, path) ? H5Dopen2(file, path, access) : H5I_INVALID_HID;
}

hid_t pc_open_group(hid_t file, const char* path)
{
  return is_sound(file, path) ? H5Gopen2(file, path, H5P_DEFAULT) : H5I_INVALID_HID;
}

hid_t pc_checked_properties(int rank, const hsize_t* chunk)
{
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  if (creation >= 0 &&
      (H5Pset_chunk(creation, rank, chunk) < 0 || H5Pset_fletcher32(creation) < 0 ||
       H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY) < 0)) {
    H5Pclose(creation);
    return H5I_INVALID_HID;
  }
  return creation;
}

/* --- members of a group ----------------------------------------------------------------------- */

static herr_t add_name(hid_t group, const char* name, const pc_link_info* info, void* into)
{
  (void)group;
  (void)info;
  pc_names* names = into;
  char* copy = pc_copy_text(name);
  if (!copy ||
      pc_grow((void**)&names->name, &names->capacity, names->count, sizeof *names->name) != PC_OK) {
    free(copy);
    return -1;
  }
  names->name[names->count++] = copy;
  return 0;
}

static int compare(const void* a, const void* b)
{
  return strcmp(*(char* const*)a, *(char* const*)b);
}

/* In the order in which HDF5 keeps them: for any other it makes a list of its own first, and if the
 * group is damaged it reads beyond the end of that. */
int pc_list_members(hid_t file, const char* path, pc_names* names)
{
  *names = (pc_names){0};
  hid_t group = pc_open_group(file, path);
  if (group < 0) return -1;
  int ok = H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, add_name, names) >= 0;
  H5Gclose(group);
  if (!ok) pc_names_free(names);
  if (names->count > 0) qsort(names->name, (size_t)names->count, sizeof *names->name, compare);
  return ok ? 0 : -1;
}

void pc_names_free(pc_names* names)
{
  for (int i = 0; i < names->count; i++) free(names->name[i]);
  free(names->name);
  *names = (pc_names){0};
}
