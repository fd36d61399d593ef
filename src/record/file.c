#include "record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

pc_silence pc_silence_begin(void)
{
  pc_silence silence = {0};
  H5Eget_auto2(H5E_DEFAULT, &silence.print, &silence.user);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return silence;
}

void pc_silence_end(pc_silence silence)
{
  H5Eset_auto2(H5E_DEFAULT, silence.print, silence.user);
}

pc_status pc_cannot_write(const char* path, int reason, pc_error* error)
{
  char text[128];
  if (reason == 0 || strerror_r(reason, text, sizeof text) != 0)
    snprintf(text, sizeof text, "the HDF5 library gives no reason");
  return pc_fail(error, PC_CANNOT_WRITE, "cannot write '%s': %s", path, text);
}

/* Another program may be writing this very file: HDF5 would find that out after truncating it. */
static int locked_by_another(int descriptor)
{
  return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/* Opens the path for writing without changing what is there. `made` tells whether the file is new.
 */
static pc_status try_path(const char* path, int* made, pc_error* error)
{
  *made = 0;
  int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor >= 0) {
    *made = 1;
    close(descriptor);
    return PC_OK;
  }
  if (errno != EEXIST) return pc_cannot_write(path, errno, error);
  struct stat what;
  if (stat(path, &what) != 0) return pc_cannot_write(path, errno, error);
  if (S_ISDIR(what.st_mode)) return pc_cannot_write(path, EISDIR, error);
  if (!S_ISREG(what.st_mode))
    return pc_fail(error, PC_CANNOT_WRITE, "cannot write '%s': not a regular file", path);
  descriptor = open(path, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return pc_cannot_write(path, errno, error);
  int locked = locked_by_another(descriptor);
  close(descriptor);
  if (!locked) return PC_OK;
  return pc_fail(error, PC_CANNOT_WRITE, "cannot write '%s': another program has it open", path);
}

/* The format of HDF5 1.8: read by everything in use, allows attributes above 64 KiB (names of many
 * columns), and has no mark "open for writing" that would make a killed run's file unreadable. */
static hid_t access_properties(void)
{
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access < 0) return access;
  if (H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) < 0 ||
      H5Pset_file_locking(access, 1, 1 /* go on where the file system has no locks */) < 0) {
    H5Pclose(access);
    return H5I_INVALID_HID;
  }
  return access;
}

pc_status pc_file_create(const char* path, hid_t* file, pc_error* error)
{
  int made;
  PC_TRY(try_path(path, &made, error));
  hid_t access = access_properties();
  errno = 0;
  *file = access < 0 ? access : H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  int reason = errno;
  if (access >= 0) H5Pclose(access);
  if (*file >= 0) return PC_OK;
  if (made) unlink(path);
  return pc_cannot_write(path, reason, error);
}
