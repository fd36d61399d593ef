/* Preloaded: from call number FAIL_WRITE on (from 0), the program's writes fail as on a full disk;
 * if FAIL_ONCE is set, that call alone does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static long left = -1;

__attribute__((constructor)) static void begin(void)
{
  const char* number = getenv("FAIL_WRITE");
  if (number) left = strtol(number, NULL, 10);
}

static int fails(void)
{
  if (left != 0) {
    left -= left > 0;
    return 0;
  }
  if (getenv("FAIL_ONCE")) left = -1;
  errno = ENOSPC;
  return 1;
}

ssize_t write(int file, const void* bytes, size_t size)
{
  ssize_t (*next)(int, const void*, size_t) = dlsym(RTLD_NEXT, "write");
  return fails() ? -1 : next(file, bytes, size);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at)
{
  ssize_t (*next)(int, const void*, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite");
  return fails() ? -1 : next(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at)
{
  ssize_t (*next)(int, const void*, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  return fails() ? -1 : next(file, bytes, size, at);
}
