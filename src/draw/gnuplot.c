#include "draw/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "study/control_character.h"
#include "study/error.h"

extern char** environ;

void put_quoted(FILE* script, const char* text)
{
  fputc('\'', script);
  for (int length = 1; *text; text += length) {
    if (*text == '\'') fputc('\'', script);
    fputc(is_control(text, &length) ? ' ' : *text, script);
  }
  fputc('\'', script);
}

/* Starts gnuplot on three files: script, figure, messages. Returns an errno value. No files of the
 * user's (-d): a figure looks the same for everybody. */
static int start(int script, int figure, int messages, pid_t* child)
{
  char name[] = "gnuplot", defaults[] = "-d";
  char* arguments[] = {name, defaults, NULL};
  posix_spawn_file_actions_t actions;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason) return reason;
  reason = posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
  if (!reason) reason = posix_spawn_file_actions_adddup2(&actions, figure, STDOUT_FILENO);
  if (!reason) reason = posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
  if (!reason) reason = posix_spawnp(child, name, &actions, NULL, arguments, environ);
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

/* The last line that gnuplot printed which is not blank: it says what is wrong. */
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

static pc_status run(FILE* script, FILE* figure, FILE* messages, pc_error* error)
{
  pid_t child;
  int reason = start(fileno(script), fileno(figure), fileno(messages), &child);
  if (reason == ENOENT)
    return set_error(error, PC_CANNOT_WRITE,
                     "gnuplot is not installed; it draws the figures (Debian: apt install "
                     "gnuplot-nox)");
  if (reason)
    return set_error(error, PC_CANNOT_WRITE, "cannot start gnuplot: %s", strerror(reason));
  if (await(child) == 0) return PC_OK;
  char text[256];
  last_line(messages, text, sizeof text);
  return set_error(error, PC_CANNOT_WRITE, "gnuplot cannot draw this: %s",
                   *text ? text : "it gives no reason");
}

pc_status find_gnuplot(pc_error* error)
{
  FILE *script = tmpfile(), *figure = tmpfile();
  pc_status status = script && figure ? run_gnuplot(script, figure, error)
                                      : set_error(error, PC_CANNOT_WRITE, "no temporary file: %s",
                                                  strerror(errno));
  if (script) fclose(script);
  if (figure) fclose(figure);
  return status;
}

pc_status run_gnuplot(FILE* script, FILE* figure, pc_error* error)
{
  if (fflush(script) != 0 || ferror(script) || lseek(fileno(script), 0, SEEK_SET) != 0)
    return set_error(error, PC_CANNOT_WRITE, "cannot write a temporary file for gnuplot: %s",
                     strerror(errno));
  FILE* messages = tmpfile();
  if (!messages) return set_error(error, PC_CANNOT_WRITE, "no temporary file: %s", strerror(errno));
  pc_status status = run(script, figure, messages, error);
  fclose(messages);
  return status;
}
