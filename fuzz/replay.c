/* Shows every file of the folders named on the command line to a fuzz target. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/target.h"

enum { BYTES_MAX = 1 << 20 };

static int replay_file(const char* path)
{
  FILE* file = fopen(path, "rb");
  uint8_t* data = malloc(BYTES_MAX);
  int good = file && data;
  if (good) {
    size_t size = fread(data, 1, BYTES_MAX, file);
    /* At its exact size, so that a sanitizer sees a read past the end. */
    uint8_t* exact = size ? realloc(data, size) : data;
    if (exact) data = exact;
    LLVMFuzzerTestOneInput(data, size);
  } else {
    fprintf(stderr, "replay: cannot read %s\n", path);
  }
  free(data);
  if (file) fclose(file);
  return good;
}

static int is_input(const struct dirent* entry)
{
  return entry->d_name[0] != '.';
}

/* The number of files, or -1. */
static int replay_folder(const char* folder)
{
  struct dirent** entry;
  int count = scandir(folder, &entry, is_input, alphasort), good = 1;
  for (int i = 0; i < count; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
    good = good && replay_file(path);
    free(entry[i]);
  }
  if (count >= 0) free(entry);
  return good ? count : -1;
}

int main(int argc, char** argv)
{
  for (int i = 1; i < argc; i++) {
    int count = replay_folder(argv[i]);
    if (count <= 0) {
      fprintf(stderr, "replay: nothing in %s\n", argv[i]);
      return 1;
    }
    printf("%s: %d inputs\n", argv[i], count);
  }
  return argc > 1 ? 0 : 2;
}
