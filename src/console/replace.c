#define _XOPEN_SOURCE 700 /* realpath */

#include "console/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console/interrupt.h"
#include "console/message.h"

static int cannot_write(const replacement* r, int reason)
{
  return complain(EXIT_OUTPUT, "cannot write '%s': %s", r->argument, strerror(reason));
}

enum { SUFFIX_SIZE = 32 };

static int set_path(replacement* r, const char* path)
{
  if (strlen(path) + SUFFIX_SIZE >= sizeof r->path) return ENAMETOOLONG;
  strcpy(r->path, path);
  return 0;
}

/* The place of what is there already; a link is followed. */
static int follow(replacement* r)
{
  char* real = realpath(r->argument, NULL);
  if (!real) return errno;
  int reason = set_path(r, real);
  free(real);
  return reason;
}

/* Where to write, and with which permissions (0: the usual ones). Opens what is no regular file.
 * Returns an errno value. */
static int choose_place(replacement* r, mode_t* mode)
{
  struct stat what;
  *mode = 0;
  if (stat(r->argument, &what) != 0) return errno == ENOENT ? set_path(r, r->argument) : errno;
  if (S_ISDIR(what.st_mode)) return EISDIR;
  if (access(r->argument, W_OK) != 0) return errno;
  int reason = follow(r);
  if (reason) return reason;
  if (S_ISREG(what.st_mode))
    *mode = what.st_mode & 0777;
  else if (!(r->file = fopen(r->path, "w"))) /* a device or a pipe is written as it is */
    return errno;
  return 0;
}

int begin_replacement(replacement* r, const char* path)
{
  *r = (replacement){.argument = path};
  mode_t mode;
  int reason = choose_place(r, &mode);
  if (reason) return cannot_write(r, reason);
  if (r->file) return EXIT_DONE;
  snprintf(r->written, sizeof r->written, "%.*s.%ld.part", PATH_MAX - SUFFIX_SIZE, r->path,
           (long)getpid());
  int descriptor = open_unfinished(r->written);
  if (descriptor < 0) return cannot_write(r, errno);
  r->file = fdopen(descriptor, "w+");
  if (!r->file) {
    reason = errno;
    close(descriptor);
    unlink(r->written);
    keep_unfinished();
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
  ok = ok && (!*r->written || rename(r->written, r->path) == 0);
  int reason = errno ? errno : EIO;
  if (!ok && *r->written) unlink(r->written);
  keep_unfinished();
  return ok ? EXIT_DONE : cannot_write(r, reason);
}

void drop_replacement(replacement* r)
{
  if (r->file) fclose(r->file);
  r->file = NULL;
  if (*r->written) unlink(r->written);
  keep_unfinished();
}

int end_replacement(replacement* r, int code)
{
  if (code == EXIT_DONE) return finish_replacement(r);
  drop_replacement(r);
  return code;
}

int check_replacement(const char* path)
{
  replacement trial;
  int code = begin_replacement(&trial, path);
  if (code == EXIT_DONE) drop_replacement(&trial);
  return code;
}

int refuse_input(const char* out, const char* in)
{
  struct stat to, from;
  if (!out || !in || stat(out, &to) != 0 || stat(in, &from) != 0) return EXIT_DONE;
  int same = S_ISREG(to.st_mode) && to.st_dev == from.st_dev && to.st_ino == from.st_ino;
  if (!same) return EXIT_DONE;
  return complain(EXIT_USAGE,
                  "'%s' is read by this command, and would be lost; write to another file", out);
}
