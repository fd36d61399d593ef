#include "cli/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output.h"

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

static int run(FILE* script, FILE* figure, FILE* messages)
{
  pid_t child;
  int reason = start(fileno(script), fileno(figure), fileno(messages), &child);
  if (reason == ENOENT)
    return complain(EXIT_OUTPUT,
                    "gnuplot is not installed; it draws the figures (Debian: apt install "
                    "gnuplot-nox)");
  if (reason) return complain(EXIT_OUTPUT, "cannot start gnuplot: %s", strerror(reason));
  if (await(child) == 0) return EXIT_DONE;
  char text[256];
  last_line(messages, text, sizeof text);
  return complain(EXIT_OUTPUT, "gnuplot cannot draw this: %s", *text ? text : "it gives no reason");
}

int find_gnuplot(void)
{
  FILE *script = tmpfile(), *figure = tmpfile();
  int code = script && figure ? run_gnuplot(script, figure)
                              : complain(EXIT_OUTPUT, "no temporary file: %s", strerror(errno));
  if (script) fclose(script);
  if (figure) fclose(figure);
  return code;
}

int run_gnuplot(FILE* script, FILE* figure)
{
  if (fflush(script) != 0 || ferror(script) || lseek(fileno(script), 0, SEEK_SET) != 0)
    return complain(EXIT_OUTPUT, "cannot write a temporary file for gnuplot: %s", strerror(errno));
  FILE* messages = tmpfile();
  if (!messages) return complain(EXIT_OUTPUT, "no temporary file: %s", strerror(errno));
  int code = run(script, figure, messages);
  fclose(messages);
  return code;
}
