#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "cli/cli.h"

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

void watch_for_interrupt(void)
{
  struct sigaction action = {.sa_handler = interrupt};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
}

int was_interrupted(void)
{
  return interrupted;
}

void watch_unfinished(const char* path)
{
  unfinished = path;
  if (path) watch_for_interrupt();
}
