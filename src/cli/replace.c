#define _XOPEN_SOURCE 700 /* realpath */

#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static int cannot_write(const replacement* r, int reason)
{
  return complain(EXIT_OUTPUT, "cannot write '%s': %s", r->argument, strerror(reason));
}

/* Where to write, and with which permissions. */
static int choose_place(replacement* r, mode_t* mode)
{
  struct stat what;
  *mode = 0;
  if (strlen(r->argument) + 32 >= PATH_MAX) return ENAMETOOLONG;
  if (stat(r->argument, &what) != 0) {
    strcpy(r->path, r->argument);
    return errno == ENOENT ? 0 : errno;
  }
  if (S_ISDIR(what.st_mode)) return EISDIR;
  if (access(r->argument, W_OK) != 0) return errno;
  if (S_ISREG(what.st_mode)) *mode = what.st_mode & 0777;
  char* real = realpath(r->argument, NULL);
  if (!real) return errno;
  int fits = strlen(real) + 32 < PATH_MAX;
  if (fits) strcpy(r->path, real);
  free(real);
  /* a device or a pipe is written as it is */
  if (fits && S_ISREG(what.st_mode)) return 0;
  r->file = fits ? fopen(r->path, "w") : NULL;
  return fits ? (r->file ? 0 : errno) : ENAMETOOLONG;
}

int begin_replacement(replacement* r, const char* path)
{
  *r = (replacement){.argument = path};
  mode_t mode;
  int reason = choose_place(r, &mode);
  if (reason) return cannot_write(r, reason);
  if (r->file) return EXIT_DONE;
  snprintf(r->written, sizeof r->written, "%.*s.%ld.part", PATH_MAX - 32, r->path, (long)getpid());
  int descriptor = open(r->written, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return cannot_write(r, errno);
  r->file = fdopen(descriptor, "w+");
  if (!r->file) {
    reason = errno;
    close(descriptor);
    unlink(r->written);
    return cannot_write(r, reason);
  }
  if (mode) (void)!fchmod(descriptor, mode); /* as it was; else as usual is fine too */
  return EXIT_DONE;
}

int finish_replacement(replacement* r)
{
  errno = 0;
  int ok = !ferror(r->file);
  ok = fclose(r->file) == 0 && ok;
  r->file = NULL;
  if (ok && (!*r->written || rename(r->written, r->path) == 0)) return EXIT_DONE;
  int reason = errno ? errno : EIO;
  if (*r->written) unlink(r->written);
  return cannot_write(r, reason);
}

void drop_replacement(replacement* r)
{
  if (r->file) fclose(r->file);
  r->file = NULL;
  if (*r->written) unlink(r->written);
}
