#include "console/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "console/message.h"

static volatile sig_atomic_t interrupted;
static const char* volatile unfinished;

/* Calls nothing but what a signal handler may call. */
static void interrupt(int number)
{
  static const char text[] = "percuss: interrupted\n";
  (void)number;
  if (!unfinished && !interrupted) {
    interrupted = 1;
    return;
  }
  if (unfinished) unlink(unfinished);
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  _exit(EXIT_INTERRUPTED);
}

/* What asks a program to end: Ctrl-C, kill and shutdown, a terminal that is closed. */
static const int requests[] = {SIGINT, SIGTERM, SIGHUP};

enum { REQUEST_COUNT = sizeof requests / sizeof *requests };

static void list_requests(sigset_t* set)
{
  sigemptyset(set);
  for (int i = 0; i < REQUEST_COUNT; i++) sigaddset(set, requests[i]);
}

/* What the caller ignores (nohup: SIGHUP) stays ignored; Ctrl-C never, for a shell ignores it on
 * behalf of what runs in the background. */
void catch_interrupts(void)
{
  struct sigaction action = {.sa_handler = interrupt};
  list_requests(&action.sa_mask);
  for (int i = 0; i < REQUEST_COUNT; i++) {
    struct sigaction before;
    int ignored = sigaction(requests[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN;
    if (!ignored || requests[i] == SIGINT) sigaction(requests[i], &action, NULL);
  }
}

int was_interrupted(void)
{
  return interrupted;
}

int open_unfinished(const char* path)
{
  sigset_t interrupts, before;
  list_requests(&interrupts);
  sigprocmask(SIG_BLOCK, &interrupts, &before);
  int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int reason = errno;
  if (descriptor >= 0) {
    unfinished = path;
    catch_interrupts();
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = reason;
  return descriptor;
}

void keep_unfinished(void)
{
  unfinished = NULL;
}
