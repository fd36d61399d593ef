#include "record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "record/sound.h"

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

/* posix_fallocate; where the file system cannot reserve, there is taken to be space. */
static int reserve(int descriptor, off_t first, size_t bytes)
{
  int reason = posix_fallocate(descriptor, first, (off_t)bytes);
  return reason == EOPNOTSUPP ? 0 : reason;
}

/* Is there space? The file is `size` bytes long before and afterwards. Returns an errno value. */
static int try_space(int descriptor, off_t size, size_t bytes)
{
  int reason = reserve(descriptor, 0, bytes);
  if (ftruncate(descriptor, size) != 0 && reason == 0) reason = errno;
  return reason;
}

static pc_status try_new(const char* path, int descriptor, size_t bytes, pc_error* error)
{
  int reason = try_space(descriptor, 0, bytes);
  close(descriptor);
  if (reason == 0) return PC_OK;
  unlink(path);
  return pc_cannot_write(path, reason, error);
}

static pc_status try_existing(const char* path, size_t bytes, int force, pc_error* error)
{
  struct stat what;
  if (stat(path, &what) != 0) return pc_cannot_write(path, errno, error);
  if (S_ISDIR(what.st_mode)) return pc_cannot_write(path, EISDIR, error);
  if (!S_ISREG(what.st_mode))
    return pc_fail(error, PC_CANNOT_WRITE, "cannot write '%s': not a regular file", path);
  int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return pc_cannot_write(path, errno, error);
  int locked = locked_by_another(descriptor);
  int ours = force || what.st_size == 0 || pc_begins_as_result(descriptor);
  int reason = locked || !ours ? 0 : try_space(descriptor, what.st_size, bytes);
  close(descriptor);
  if (locked)
    return pc_fail(error, PC_CANNOT_WRITE, "cannot write '%s': another program has it open", path);
  if (!ours)
    return pc_fail(
        error, PC_CANNOT_WRITE,
        "cannot write '%s': there is a file that is no result of percuss, and it would be "
        "lost; --force replaces it",
        path);
  return reason ? pc_cannot_write(path, reason, error) : PC_OK;
}

/* Whether `bytes` can be written to the path, without changing what is there. `made` says whether
 * there is a file now where there was none. */
static pc_status try_path(const char* path, size_t bytes, int force, int* made, pc_error* error)
{
  int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  *made = descriptor >= 0;
  if (*made) return try_new(path, descriptor, bytes, error);
  if (errno != EEXIST) return pc_cannot_write(path, errno, error);
  return try_existing(path, bytes, force, error);
}

/* HDF5 keeps what it knows about the file's structure in a cache that by default may grow with the
 * number of rows to 32 MiB. Appending needs little of it. */
static int bound_cache(hid_t access)
{
  H5AC_cache_config_t config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  if (H5Pget_mdc_config(access, &config) < 0) return -1;
  config.set_initial_size = 1;
  config.initial_size = config.min_size = 1 << 20;
  config.max_size = 1 << 21;
  return H5Pset_mdc_config(access, &config) >= 0 ? 0 : -1;
}

/* A kill in the middle of a flush can part a write where it crosses a page of memory, never within
 * one. So what HDF5 rewrites in place, headers and index nodes, gets pages of its own. */
enum { ALIGNED_FROM = 64, PAGE = 4096 }; /* [bytes] */

static hid_t access_properties(H5F_libver_t format, int aligned)
{
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access < 0) return access;
  if (bound_cache(access) != 0 || H5Pset_libver_bounds(access, format, H5F_LIBVER_V110) < 0 ||
      (aligned && H5Pset_alignment(access, ALIGNED_FROM, PAGE) < 0) ||
      H5Pset_file_locking(access, 1, 1 /* go on where the file system has no locks */) < 0) {
    H5Pclose(access);
    return H5I_INVALID_HID;
  }
  return access;
}

/* The root's links in its header, with space for all of them from the beginning: what is contiguous
 * is written at once. No list of free space: a chunk with its checksum leaves four bytes of its
 * page, and to remember them all would take memory without end. */
static hid_t creation_properties(void)
{
  enum { LINKS_MAX = 64, LINKS_MIN = 32, LINK_LENGTH = 12 };
  hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  if (creation >= 0 && (H5Pset_link_phase_change(creation, LINKS_MAX, LINKS_MIN) < 0 ||
                        H5Pset_est_link_info(creation, LINKS_MIN, LINK_LENGTH) < 0 ||
                        H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_AGGR, 0, 1) < 0)) {
    H5Pclose(creation);
    return H5I_INVALID_HID;
  }
  return creation;
}

/* The superblock of HDF5 1.8, for it has no mark "open for writing" that would make a killed run's
 * file unreadable; and in the file the objects of 1.10, whose index of chunks has a checksum and
 * never moves an entry. */
static hid_t create(const char* path)
{
  hid_t access = access_properties(H5F_LIBVER_V18, 0), creation = creation_properties();
  hid_t file = H5I_INVALID_HID;
  errno = 0;
  if (access >= 0 && creation >= 0) file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
  int reason = errno;
  if (file >= 0 && H5Fset_libver_bounds(file, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0) {
    H5Fclose(file);
    file = H5I_INVALID_HID;
  }
  if (access >= 0) H5Pclose(access);
  if (creation >= 0) H5Pclose(creation);
  errno = reason;
  return file;
}

int pc_file_descriptor(hid_t file)
{
  void* handle = NULL;
  return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 ? *(int*)handle : -1;
}

int pc_file_reserve(hid_t file, size_t bytes)
{
  int descriptor = pc_file_descriptor(file);
  hsize_t size = 0;
  if (descriptor < 0 || H5Fget_filesize(file, &size) < 0) return EIO;
  return reserve(descriptor, (off_t)size, bytes);
}

int pc_file_close(hid_t file)
{
  hsize_t size = 0;
  int ok = H5Fflush(file, H5F_SCOPE_LOCAL) >= 0 && H5Fget_filesize(file, &size) >= 0;
  int descriptor = dup(pc_file_descriptor(file));
  ok = H5Fclose(file) >= 0 && ok;
  if (descriptor < 0) return -1;
  ok = ok && ftruncate(descriptor, (off_t)size) == 0;
  return close(descriptor) == 0 && ok ? 0 : -1;
}

pc_status pc_file_create(const char* path, size_t bytes, int force, hid_t* file, pc_error* error)
{
  int made;
  PC_TRY(try_path(path, bytes, force, &made, error));
  *file = create(path);
  int reason = errno;
  if (*file >= 0 && (reason = pc_file_reserve(*file, bytes)) != 0) {
    H5Fclose(*file);
    *file = H5I_INVALID_HID;
    made = 1; /* what was there is gone: leave nothing broken in its place */
  }
  if (*file >= 0) return PC_OK;
  if (made) unlink(path);
  return pc_cannot_write(path, reason, error);
}

pc_status pc_file_examine(const char* path, pc_error* error)
{
  struct stat what;
  char text[128];
  if (stat(path, &what) != 0) {
    if (strerror_r(errno, text, sizeof text) != 0) text[0] = '\0';
    return pc_fail(error, PC_BAD_MODEL, "cannot resume '%s': %s", path, text);
  }
  if (!S_ISREG(what.st_mode))
    return pc_fail(error, PC_BAD_MODEL, "cannot resume '%s': not a regular file", path);
  int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return pc_cannot_write(path, errno, error);
  int locked = locked_by_another(descriptor), begins = pc_begins_as_result(descriptor);
  close(descriptor);
  if (locked)
    return pc_fail(error, PC_CANNOT_WRITE, "cannot write '%s': another program has it open", path);
  if (!begins)
    return pc_fail(error, PC_BAD_MODEL,
                   "cannot resume '%s': it is not a result of percuss (no HDF5 file, or one "
                   "made by another program)",
                   path);
  return PC_OK;
}

hid_t pc_file_open(const char* path, int writable)
{
  hid_t access = access_properties(H5F_LIBVER_V110, 1);
  if (access < 0) return access;
  hid_t file = H5Fopen(path, writable ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
  H5Pclose(access);
  if (file >= 0 && writable && H5Fincrement_filesize(file, 0) < 0) {
    H5Fclose(file);
    return H5I_INVALID_HID;
  }
  return file;
}

hid_t pc_file_finish_description(hid_t file, const char* path, size_t bytes)
{
  if (H5Fclose(file) < 0) return H5I_INVALID_HID;
  file = pc_file_open(path, 1);
  int reason = file >= 0 ? pc_file_reserve(file, bytes) : 0;
  if (reason == 0) return file;
  H5Fclose(file);
  errno = reason;
  return H5I_INVALID_HID;
}
