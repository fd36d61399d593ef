/* Inputs of fuzz targets as files, for readers that open one by its name. */
#ifndef PC_FUZZ_FILE_H
#define PC_FUZZ_FILE_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FUZZ_PATH_SIZE = 64 };

/* In memory where there is such a folder: a disk is a hundred times slower. Returns a descriptor
 * or -1. The ending may be "". */
static inline int fuzz_make_file(char path[FUZZ_PATH_SIZE], const char* ending)
{
  static const char* const folder[] = {"/dev/shm", "/tmp"};
  int file = -1;
  for (int i = 0; i < 2 && file < 0; i++) {
    snprintf(path, FUZZ_PATH_SIZE, "%s/percuss-fuzz-%ld%s", folder[i], (long)getpid(), ending);
    file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
  }
  return file;
}

/* An HDF5 file of percuss has hundreds of pages that hold little each. So the input may list its
 * pieces: an offset (3 bytes, the lowest first), a length (2 bytes), so many bytes; and so on.
 * Between them the file is 0. An input that begins as HDF5 does is the file itself. */
static inline int fuzz_write_hdf5(int file, const uint8_t* data, size_t size)
{
  enum { HEAD = 5 };
  if (size >= 4 && !memcmp(data, "\x89HDF", 4)) return write(file, data, size) == (ssize_t)size;
  while (size > HEAD) {
    size_t offset = (size_t)data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16;
    size_t length = (size_t)data[3] | (size_t)data[4] << 8;
    if (length > size - HEAD) length = size - HEAD;
    if (pwrite(file, data + HEAD, length, (off_t)offset) != (ssize_t)length) return 0;
    data += HEAD + length;
    size -= HEAD + length;
  }
  return 1;
}

#endif
