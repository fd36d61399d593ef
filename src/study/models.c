#include "study/models.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_folder(const char* path)
{
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Folders to look into: relative to the working directory, then to the program's own place, in a
 * build tree and installed. */
static const char* const beside_program[] = {"../../models", "../share/percuss/models"};

int model_folder(char* path, size_t size)
{
  snprintf(path, size, "models");
  if (is_folder(path)) return 1;
  char program[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return 0;
  program[length] = '\0';
  char* slash = strrchr(program, '/');
  if (!slash) return 0;
  *slash = '\0';
  for (size_t i = 0; i < sizeof beside_program / sizeof *beside_program; i++) {
    int written = snprintf(path, size, "%s/%s", program, beside_program[i]);
    if (written > 0 && (size_t)written < size && is_folder(path)) return 1;
  }
  return 0;
}

static int is_model(const struct dirent* file)
{
  const char* dot = strrchr(file->d_name, '.');
  return dot && !strcmp(dot, ".yaml");
}

static int looks_like_path(const char* argument)
{
  return strchr(argument, '/') || strchr(argument, '.');
}

int is_unknown_model(const char* argument, suggestion* near)
{
  char path[PATH_MAX];
  *near = suggestion_for(argument);
  model_path(argument, path, sizeof path);
  if (access(path, F_OK) == 0 || looks_like_path(argument)) return 0;
  struct dirent** file = NULL;
  int count = model_folder(path, sizeof path) ? scandir(path, &file, is_model, alphasort) : 0;
  for (int i = 0; i < count; i++) {
    *strrchr(file[i]->d_name, '.') = '\0';
    suggest(near, file[i]->d_name);
    free(file[i]);
  }
  near->name = NULL; /* it is in the text */
  free(file);
  return 1;
}

void model_path(const char* argument, char* path, size_t size)
{
  char folder[PATH_MAX];
  snprintf(path, size, "%s", argument);
  if (access(argument, F_OK) == 0 || looks_like_path(argument)) return;
  if (!model_folder(folder, sizeof folder)) return;
  char candidate[PATH_MAX + 64];
  int written = snprintf(candidate, sizeof candidate, "%s/%s.yaml", folder, argument);
  if (written > 0 && (size_t)written < sizeof candidate && access(candidate, F_OK) == 0)
    snprintf(path, size, "%s", candidate);
}
