/* The processes of a sweep by MPI. The counter is in the memory of process 0, reached from one side
 * (MPI-3). */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "study/team.h"

enum { TAG_DONE = 1 };

/* MPI is one per process, and so is this. */
static team us;
static MPI_Win window;
static long* counter;
static pthread_t helper;
static int helping;
static atomic_int ended;

static void pause_for(double seconds)
{
  struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&t, NULL);
}

static void meet(void)
{
  MPI_Barrier(MPI_COMM_WORLD);
}

static long take(long count)
{
  long before = 0;
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
  MPI_Fetch_and_op(&count, &before, MPI_LONG, 0, 0, MPI_SUM, window);
  MPI_Win_unlock(0, window);
  return before;
}

/* Messages about the counter must be answered by process 0 where the network cannot do that, also
 * while it computes. */
static void* help(void* user)
{
  (void)user;
  while (!ended) {
    int there;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_DONE, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    pause_for(5e-4);
  }
  return NULL;
}

static double now(void)
{
  return MPI_Wtime();
}

/* Process 0 listens. */
static int wait_for_all(double longest_silence, int (*stop)(void* user), void* user)
{
  static const double grace = 0.5; /* [s], for the others to end, too; mpirun allows a second */
  int missing = us.size - 1, stopping = 0;
  double heard = now();
  while (missing > 0 && now() - heard < (stopping ? grace : longest_silence)) {
    int there = 0, nothing;
    if (!stopping && stop && stop(user)) {
      stopping = 1;
      heard = now();
    }
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_DONE, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (there) {
      MPI_Recv(&nothing, 1, MPI_INT, MPI_ANY_SOURCE, TAG_DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      missing--;
      heard = now();
    } else {
      pause_for(1e-3);
    }
  }
  return missing;
}

static int finish(double longest_silence, int (*stop)(void* user), void* user)
{
  int nothing = 0;
  if (us.rank == 0) return wait_for_all(longest_silence, stop, user);
  MPI_Send(&nothing, 1, MPI_INT, 0, TAG_DONE, MPI_COMM_WORLD);
  return 0;
}

static void close_team(int broken)
{
  ended = 1;
  if (helping) pthread_join(helper, NULL);
  if (broken) MPI_Abort(MPI_COMM_WORLD, 1); /* nobody would answer at the end */
  MPI_Win_free(&window);
  MPI_Finalize();
}

PC_API const team* percuss_mpi_team(void);

const team* percuss_mpi_team(void)
{
  int threads = 0;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &threads) != MPI_SUCCESS) return NULL;
  us = (team){.meet = meet, .take = take, .finish = finish, .close = close_team};
  MPI_Comm_rank(MPI_COMM_WORLD, &us.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &us.size);
  MPI_Aint bytes = us.rank == 0 ? (MPI_Aint)sizeof *counter : 0;
  if (MPI_Win_allocate(bytes, sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window) !=
      MPI_SUCCESS)
    return NULL;
  if (us.rank == 0) *counter = 0;
  helping = us.rank == 0 && threads == MPI_THREAD_MULTIPLE &&
            pthread_create(&helper, NULL, help, NULL) == 0;
  meet();
  return &us;
}
