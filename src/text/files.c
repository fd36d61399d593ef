#include "text/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/status.h"

enum { LINE_BYTES = 60, ATTACHED_MAX = 8 << 20 }; /* bytes of a line; of all copies */

#define MARKER "#percuss-file "

/* --- whole files ---------------------------------------------------------------------------- */

/* Reads up to one byte more than a file may have, so that a file that is too long is noticed. */
static pc_status read_stream(FILE* file, char** text, size_t* size, pc_error* error)
{
  size_t capacity = 1 << 16;
  char* buffer = malloc(capacity);
  *size = 0;
  while (buffer) {
    *size += fread(buffer + *size, 1, capacity - *size - 1, file);
    if (*size + 1 < capacity || *size > PC_TREE_SIZE_MAX) break;
    char* larger = realloc(buffer, capacity *= 2);
    if (!larger) free(buffer);
    buffer = larger;
  }
  if (!buffer) return pc_no_memory(error);
  *text = buffer;
  buffer[*size] = 0;
  if (ferror(file)) return pc_fail(error, PC_BAD_MODEL, "cannot read: %s", strerror(errno));
  if (*size > PC_TREE_SIZE_MAX)
    return pc_fail(error, PC_BAD_MODEL, "the model is larger than %d MiB", PC_TREE_SIZE_MAX >> 20);
  return PC_OK;
}

pc_status pc_read_whole_file(const char* path, char** text, size_t* size, pc_error* error)
{
  *text = NULL;
  FILE* file = fopen(path, "rb");
  if (!file) return pc_fail(error, PC_BAD_MODEL, "cannot open: %s", strerror(errno));
  pc_status status = read_stream(file, text, size, error);
  fclose(file);
  if (status == PC_OK) return PC_OK;
  free(*text);
  *text = NULL;
  return status;
}

/* --- copies behind a text ------------------------------------------------------------------- */

/* Lines of a copy begin with "#=" and hold bytes as two digits each. */
static int digit_value(char c)
{
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The bytes of the lines from `text` on; their number. `data` may be NULL, to count only. */
static size_t decode(const char* text, char* data)
{
  size_t size = 0;
  while (strncmp(text, "#=", 2) == 0) {
    for (text += 2; digit_value(text[0]) >= 0 && digit_value(text[1]) >= 0; text += 2, size++)
      if (data) data[size] = (char)(16 * digit_value(text[0]) + digit_value(text[1]));
    text = strchr(text, '\n');
    if (!text) return size;
    text++;
  }
  return size;
}

/* The first line of the copy of a file, or NULL. */
static const char* find_copy(const char* text, const char* name)
{
  size_t length = strlen(name);
  for (const char* line = strstr(text, "\n" MARKER); line; line = strstr(line, "\n" MARKER)) {
    line += strlen("\n" MARKER);
    if (strncmp(line, name, length) == 0 && line[length] == '\n') return line + length + 1;
  }
  return NULL;
}

static pc_status read_copy(const pc_files* files, const pc_node* place, const char* name,
                           pc_file* file, pc_error* error)
{
  const char* copy = files->text ? find_copy(files->text, name) : NULL;
  if (!copy)
    return pc_fail_at(error, place,
                      "cannot read '%.200s': a model that is not a file itself reads no files",
                      name);
  file->size = decode(copy, NULL);
  file->data = pc_alloc(file->size + 1, 1);
  if (!file->data) return pc_no_memory(error);
  decode(copy, file->data);
  return PC_OK;
}

static size_t encode(const pc_file* file, char* text)
{
  static const char digit[] = "0123456789abcdef";
  char* at = text + sprintf(text, MARKER "%s\n", file->name);
  for (size_t i = 0; i < file->size; i++) {
    if (i % LINE_BYTES == 0) at += sprintf(at, "%s#=", i ? "\n" : "");
    *at++ = digit[(unsigned char)file->data[i] >> 4];
    *at++ = digit[(unsigned char)file->data[i] & 15];
  }
  *at++ = '\n';
  *at = 0;
  return (size_t)(at - text);
}

char* pc_files_attach(const pc_files* files, const char* text)
{
  size_t length = strlen(text), bytes = 0, needed = length + 2;
  for (int i = 0; i < files->count; i++) {
    const pc_file* file = &files->item[i];
    bytes += file->size;
    needed +=
        strlen(file->name) + sizeof MARKER + 2 * file->size + 3 * (file->size / LINE_BYTES + 2);
  }
  int all = files->folder && bytes <= ATTACHED_MAX;
  char* attached = pc_alloc(needed, 1);
  if (!attached) return NULL;
  memcpy(attached, text, length + 1);
  if (!all || !files->count) return attached;
  if (length && text[length - 1] != '\n') attached[length++] = '\n';
  for (int i = 0; i < files->count; i++) length += encode(&files->item[i], attached + length);
  return attached;
}

/* --- files of a model ----------------------------------------------------------------------- */

pc_status pc_files_begin(pc_files* files, const char* path, pc_error* error)
{
  const char* slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) + 1 : 0;
  files->folder = pc_alloc(length + 1, 1);
  if (!files->folder) return pc_no_memory(error);
  memcpy(files->folder, path, length);
  return PC_OK;
}

void pc_files_clear(pc_files* files)
{
  for (int i = 0; i < files->count; i++) {
    free(files->item[i].name);
    free(files->item[i].data);
  }
  free(files->item);
  free(files->folder);
  *files = (pc_files){0};
}

/* A name that can be put on one line of a comment. */
static int is_file_name(const char* name)
{
  if (!name[0] || strlen(name) > 1000) return 0;
  for (const char* c = name; *c; c++)
    if ((unsigned char)*c < ' ') return 0;
  return 1;
}

/* Nothing but regular files: a pipe would wait for ever. */
static pc_status read_from_folder(const pc_files* files, const pc_node* place, const char* name,
                                  pc_file* file, pc_error* error)
{
  size_t needed = strlen(files->folder) + strlen(name) + 1;
  char* path = pc_alloc(needed, 1);
  if (!path) return pc_no_memory(error);
  snprintf(path, needed, "%s%s", name[0] == '/' ? "" : files->folder, name);
  struct stat info;
  pc_error found = {0};
  pc_status status = PC_OK;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
    status = pc_fail(&found, PC_BAD_MODEL, "it is not a file");
  else
    status = pc_read_whole_file(path, &file->data, &file->size, &found);
  free(path);
  if (status == PC_OK) return PC_OK;
  if (status == PC_OUT_OF_MEMORY) return pc_no_memory(error);
  return pc_fail_at(error, place, "'%.200s': %s", name, found.text);
}

pc_status pc_files_read(pc_files* files, const pc_node* place, const char* name,
                        const pc_file** file, pc_error* error)
{
  for (int i = 0; i < files->count; i++)
    if (strcmp(files->item[i].name, name) == 0) {
      *file = &files->item[i];
      return PC_OK;
    }
  if (!is_file_name(name)) return pc_fail_at(error, place, "expected the name of a file");
  if (pc_grow((void**)&files->item, &files->capacity, files->count, sizeof *files->item) != PC_OK)
    return pc_no_memory(error);
  pc_file read = {0};
  PC_TRY(files->folder ? read_from_folder(files, place, name, &read, error)
                       : read_copy(files, place, name, &read, error));
  read.name = pc_copy_text(name);
  if (!read.name) {
    free(read.data);
    return pc_no_memory(error);
  }
  files->item[files->count] = read;
  *file = &files->item[files->count++];
  return PC_OK;
}
