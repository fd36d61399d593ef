/* The examples of docs/model-file.md that stand behind a line "<!-- example: NAME -->". */
#ifndef PC_TESTS_EXAMPLE_H
#define PC_TESTS_EXAMPLE_H

#include <stdlib.h>

#include "run.h"

/* The text of an example, the caller's to free. */
static inline char* read_example(const char* name)
{
  FILE* file = fopen(PC_SOURCE_DIR "/docs/model-file.md", "rb");
  assert_non_null(file);
  char* page = calloc(1, 1 << 18);
  assert_true(fread(page, 1, (1 << 18) - 1, file) > 1000);
  fclose(file);
  char mark[100];
  snprintf(mark, sizeof mark, "<!-- example: %s -->\n```yaml\n", name);
  const char* start = strstr(page, mark);
  if (!start) fail_msg("docs/model-file.md has no example '%s'", name);
  start += strlen(mark);
  size_t length = (size_t)(strstr(start, "```") - start);
  memmove(page, start, length);
  page[length] = 0;
  return page;
}

/* A simulation of an example with its own scheme and dt. */
static inline run open_example(const char* name)
{
  char* text = read_example(name);
  run r = {0};
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &r.model, &r.error), r.error);
  make_sim(&r, pc_model_scheme(r.model), 0, NULL);
  free(text);
  return r;
}

#endif
