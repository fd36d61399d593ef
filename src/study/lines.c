#include "study/lines.h"

#include <stdlib.h>
#include <string.h>

#include "study/output.h"
#include "study/unit_text.h"

void begin_lines(lines* block, FILE* to)
{
  *block = (lines){.to = to};
  block->file = open_memstream(&block->text, &block->size);
  if (!block->file) block->file = to;
}

/* How many bytes of a line fit into `width` characters. */
static size_t fitting(const char* line, size_t length, int width)
{
  size_t fits = 0;
  for (int used = 0; fits < length; fits++) {
    used += !is_continuation(line[fits]);
    if (used > width) break;
  }
  return fits;
}

/* Where a line is broken: behind the last comma or semicolon of its second half, else at the
 * last space that does not part a number and its unit, else where the margin is. */
static size_t breaking_point(const char* line, size_t length, int width, size_t from)
{
  size_t end = fitting(line, length, width), any = 0, space = 0;
  if (end == length) return length;
  for (size_t i = end; i > from; i--) {
    if (line[i] != ' ') continue;
    if ((line[i - 1] == ',' || line[i - 1] == ';') && 2 * i > end) return i;
    if (!any) any = i;
    if (!space && !(line[i - 1] >= '0' && line[i - 1] <= '9')) space = i;
  }
  return space ? space : any ? any : end;
}

/* Prints a line in parts, or only counts them where `to` is NULL. */
static int break_line(const char* line, size_t length, int indent, FILE* to)
{
  int count = 0, margin = 0;
  do {
    size_t from = count ? 0 : strspn(line, " ");
    size_t part = breaking_point(line, length, LINE_WIDTH - margin, from);
    if (to) fprintf(to, "%*s%.*s\n", margin, "", (int)part, line);
    while (part < length && line[part] == ' ') part++;
    line += part;
    length -= part;
    margin = indent;
    count++;
  } while (length > 0);
  return count;
}

static int break_lines(const lines* block, int indent, FILE* to)
{
  int count = 0;
  const char *line = block->text, *end = block->text + block->size;
  while (line < end) {
    const char* next = memchr(line, '\n', (size_t)(end - line));
    if (!next) next = end;
    count += break_line(line, (size_t)(next - line), indent, to);
    line = next + 1;
  }
  return count;
}

int end_lines_within(lines* block, int indent, int most)
{
  if (block->file == block->to) return 0;
  int failed = fclose(block->file), count = 0;
  if (!failed && block->text) {
    count = break_lines(block, indent, NULL);
    if (count <= most) break_lines(block, indent, block->to);
  }
  free(block->text);
  *block = (lines){0};
  return count;
}

int end_lines(lines* block, int indent)
{
  return end_lines_within(block, indent, 1 << 30);
}

void print_label(FILE* to, const char* text)
{
  fprintf(to, "%-*s ", LABEL_WIDTH - 1, text);
}

const char* plural(long count)
{
  return count == 1 ? "" : "s";
}

static void print_warning(const pc_warning* warning, FILE* to)
{
  print_label(to, "warning");
  put_plain_text(to, warning->text);
  fputc('\n', to);
  print_label(to, "");
  put_plain_text(to, warning->remedy);
  fputc('\n', to);
}

void print_warning_lines(const pc_warning* warning, int count, int most, FILE* to)
{
  int shown = 0;
  for (; shown < count; shown++) {
    int left = most - (shown + 1 < count);
    lines block;
    begin_lines(&block, to);
    print_warning(&warning[shown], block.file);
    int taken = end_lines_within(&block, LABEL_WIDTH, left);
    if (taken > left) break;
    most -= taken;
  }
  if (shown == count) return;
  print_label(to, shown ? "" : "warning");
  fprintf(to, "%d%s warning%s: --full\n", count - shown, shown ? " more" : "",
          plural(count - shown));
}
