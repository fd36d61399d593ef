/* The processes of a sweep under mpirun: each takes rows from a counter that they share.
 *
 * MPI is in a library of its own, libpercuss-mpi, which is loaded if the environment says that
 * there is more than one process. */
#ifndef PC_STUDY_TEAM_H
#define PC_STUDY_TEAM_H

#include "percuss/base.h"

typedef struct team {
  int rank, size; /* 0 and 1 without MPI */
  /* All wait for each other. */
  void (*meet)(void);
  /* Adds `count` to the shared counter, which begins with 0; its value before. Any thread, one at a
   * time. */
  long (*take)(long count);
  /* Says that this process has done its rows; process 0 waits until all have, for `longest_silence`
   * seconds without news at most, or until `stop` (may be NULL) is not 0, and returns how many have
   * not. */
  int (*finish)(double longest_silence, int (*stop)(void* user), void* user);
  /* The end of MPI; `broken`: some processes are gone. */
  void (*close)(int broken);
} team;

/* The processes that this one belongs to. PC_BAD_ARGUMENT if there are several, but no library for
 * them. */
pc_status team_open(const team** t, pc_error* error);

#endif
