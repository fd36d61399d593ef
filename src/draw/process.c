#include "draw/process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "study/error.h"

extern char** environ;

/* Returns an errno value. */
static int connect_files(posix_spawn_file_actions_t* actions, int input, int output, int messages)
{
  int reason = input >= 0 ? posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO)
                          : posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null",
                                                             O_RDONLY, 0);
  if (!reason)
    reason = output >= 0 ? posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO)
                         : posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null",
                                                            O_WRONLY, 0);
  return reason ? reason : posix_spawn_file_actions_adddup2(actions, messages, STDERR_FILENO);
}

static int start(char* const* argument, int input, int output, int messages, pid_t* child)
{
  posix_spawn_file_actions_t actions;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason) return reason;
  reason = connect_files(&actions, input, output, messages);
  if (!reason) reason = posix_spawnp(child, argument[0], &actions, NULL, argument, environ);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

static int await(pid_t child)
{
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* The last line of the messages which is not blank: it says what is wrong. */
static void last_line(FILE* messages, char* text, int size)
{
  char line[256];
  text[0] = '\0';
  rewind(messages);
  while (fgets(line, sizeof line, messages)) {
    line[strcspn(line, "\r\n")] = '\0';
    if (line[strspn(line, " \t^")]) snprintf(text, (size_t)size, "%s", line + strspn(line, " \t"));
  }
}

static pc_status run(char* const* argument, int input, int output, FILE* messages, const char* what,
                     const char* package, pc_error* error)
{
  pid_t child;
  int reason = start(argument, input, output, fileno(messages), &child);
  if (reason == ENOENT)
    return set_error(error, PC_CANNOT_WRITE, "%s is not installed; it %s (Debian: apt install %s)",
                     argument[0], what, package);
  if (reason)
    return set_error(error, PC_CANNOT_WRITE, "cannot start %s: %s", argument[0], strerror(reason));
  if (await(child) == 0) return PC_OK;
  char text[256];
  last_line(messages, text, sizeof text);
  return set_error(error, PC_CANNOT_WRITE, "%s cannot draw this: %s", argument[0],
                   *text ? text : "it gives no reason");
}

pc_status run_program(char* const* argument, int input, int output, const char* what,
                      const char* package, pc_error* error)
{
  FILE* messages = tmpfile();
  if (!messages) return set_error(error, PC_CANNOT_WRITE, "no temporary file: %s", strerror(errno));
  pc_status status = run(argument, input, output, messages, what, package, error);
  fclose(messages);
  return status;
}
