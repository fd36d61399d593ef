#define _GNU_SOURCE /* for the path of the program */
#include "study/team.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/error.h"

static void meet_nobody(void)
{
}

static int finish_alone(double longest_silence, int (*stop)(void* user), void* user)
{
  (void)longest_silence;
  (void)stop;
  (void)user;
  return 0;
}

static void close_nothing(int broken)
{
  (void)broken;
}

/* Alone, rows are taken from a list; see sweep_session.c. */
static const team alone = {0, 1, meet_nobody, NULL, finish_alone, close_nothing};

/* mpirun of Open MPI sets the first, srun --mpi=pmix the second. */
static int is_started_by_mpi(void)
{
  const char *size = getenv("OMPI_COMM_WORLD_SIZE"), *step = getenv("PMIX_RANK");
  return (size && strtol(size, NULL, 10) > 1) || (!size && step);
}

/* Beside the program, where a build has it; or in the folder for libraries of its installation. */
static void* load(char* reason, size_t size)
{
  static const char* const folders[] = {"", "../" PC_MPI_FOLDER "/"};
  char program[PATH_MAX / 2] = "", path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  char* slash = length > 0 ? strrchr(program, '/') : NULL;
  if (slash) slash[1] = '\0';
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s%s%s", program, folders[i], PC_MPI_LIBRARY);
    void* library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (library) return library;
    const char* text = dlerror();
    snprintf(reason, size, "%s", text ? text : "");
  }
  return NULL;
}

pc_status team_open(const team** t, pc_error* error)
{
  char reason[300] = "";
  *t = &alone;
  if (!is_started_by_mpi()) return PC_OK;
  void* library = load(reason, sizeof reason);
  void* symbol = library ? dlsym(library, "percuss_mpi_team") : NULL;
  if (!symbol)
    return set_error(error, PC_BAD_ARGUMENT,
                     "several processes were started, but percuss was built without MPI (%s: %s); "
                     "install libopenmpi-dev and build again, or use --shard",
                     PC_MPI_LIBRARY, reason);
  const team* (*open)(void);
  memcpy(&open, &symbol, sizeof open);
  *t = open();
  return *t ? PC_OK : set_error(error, PC_BAD_ARGUMENT, "MPI cannot be initialised");
}
