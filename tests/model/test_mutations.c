/* Good files, truncated and with changed bytes: whatever comes out, it is a model or a clear
 * error. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "percuss/model.h"

static const char* const models[] = {"bouncing-ball", "oscillator",       "rocking-block",
                                     "slider-roller", "slider-crank",     "slider-crank-minimal",
                                     "rotating-ball", "block-on-incline", "four-legged-table",
                                     "impacting-bar", "ring-pendulum",    "flexible-pendulum",
                                     "cantilever",    "bend-45",          "flexible-slider-crank"};

enum { MODEL_COUNT = sizeof models / sizeof *models, SIZE_MAX_OF_A_MODEL = 1 << 16 };

static size_t text_of(const char* name, char* text)
{
  char path[500];
  snprintf(path, sizeof path, "%s/models/%s.yaml", PC_SOURCE_DIR, name);
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  size_t size = fread(text, 1, SIZE_MAX_OF_A_MODEL, file);
  fclose(file);
  return size;
}

static unsigned random_number(unsigned* seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

static void read_it(const char* text, size_t size)
{
  pc_model* model = NULL;
  pc_error error = {0};
  pc_status status = pc_model_read_text(text, size, NULL, 0, &model, &error);
  if (status == PC_OK) {
    pc_model_destroy(model);
    return;
  }
  assert_null(model);
  assert_int_equal(status, PC_BAD_MODEL);
  assert_true(error.line >= 1 && error.column >= 1);
  assert_true(strlen(error.text) > 10);
}

static void truncated_files_give_a_model_or_a_clear_error(void** state)
{
  (void)state;
  char* text = malloc(SIZE_MAX_OF_A_MODEL);
  for (int m = 0; m < MODEL_COUNT; m++) {
    size_t size = text_of(models[m], text);
    for (size_t cut = 0; cut < size; cut += 7) read_it(text, cut);
  }
  free(text);
}

/* Bytes that mean something to YAML or to an expression do more damage than others. */
static void files_with_changed_bytes_give_a_model_or_a_clear_error(void** state)
{
  (void)state;
  static const char nasty[] = "{}[]:,&*!|>'\"%@`#-?\n\t ()+^/.0e9x\\";
  char* text = malloc(SIZE_MAX_OF_A_MODEL);
  unsigned seed = 3;
  for (int m = 0; m < MODEL_COUNT; m++) {
    size_t size = text_of(models[m], text);
    for (int trial = 0; trial < 400; trial++) {
      size_t at[3];
      char before[3];
      int count = 1 + (int)(random_number(&seed) % 3);
      for (int i = 0; i < count; i++) {
        at[i] = random_number(&seed) % size;
        before[i] = text[at[i]];
        text[at[i]] = trial % 2 ? (char)random_number(&seed)
                                : nasty[random_number(&seed) % (sizeof nasty - 1)];
      }
      read_it(text, size);
      for (int i = count - 1; i >= 0; i--) text[at[i]] = before[i];
    }
  }
  free(text);
}

/* A line that goes missing or comes twice is what an editor does. */
static void files_with_a_line_lost_or_doubled_give_a_model_or_a_clear_error(void** state)
{
  (void)state;
  char* text = malloc(SIZE_MAX_OF_A_MODEL);
  char* changed = malloc(2 * SIZE_MAX_OF_A_MODEL);
  for (int m = 0; m < MODEL_COUNT; m++) {
    size_t size = text_of(models[m], text);
    for (size_t from = 0; from < size;) {
      const char* end = memchr(text + from, '\n', size - from);
      size_t to = end ? (size_t)(end - text) + 1 : size;
      memcpy(changed, text, from);
      memcpy(changed + from, text + to, size - to);
      read_it(changed, size - (to - from));
      memcpy(changed, text, to);
      memcpy(changed + to, text + from, size - from);
      read_it(changed, size + (to - from));
      from = to;
    }
  }
  free(changed);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(truncated_files_give_a_model_or_a_clear_error),
      cmocka_unit_test(files_with_changed_bytes_give_a_model_or_a_clear_error),
      cmocka_unit_test(files_with_a_line_lost_or_doubled_give_a_model_or_a_clear_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
