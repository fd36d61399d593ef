/* The files that a model file names: other model files, tables, triangles.
 *
 * They are found relative to the folder of the model file. A model that is read from a text has no
 * folder, and reads no files. But a text may carry copies of files in comments behind it: that is
 * what a result file keeps of a model, so that a result can be drawn where the files are not. */
#ifndef PC_TEXT_FILES_H
#define PC_TEXT_FILES_H

#include "text/tree.h"

typedef struct pc_file {
  char* name; /* as the model calls it */
  char* data; /* a zero byte follows */
  size_t size;
} pc_file;

typedef struct pc_files {
  char* folder;     /* with a slash at its end; NULL: no files are read. Own memory. */
  const char* text; /* of the model, whose copies are used if there is no folder */
  pc_file* item;    /* read so far */
  int count, capacity;
} pc_files;

/* `path` is that of the model file. */
pc_status pc_files_begin(pc_files* files, const char* path, pc_error* error);
void pc_files_clear(pc_files* files);

/* Reads a file, or finds it among those that have been read. `place` is where the model names
 * it. */
pc_status pc_files_read(pc_files* files, const pc_node* place, const char* name,
                        const pc_file** file, pc_error* error);

/* The text of a model with copies of all files that it has read; the caller frees it. NULL without
 * memory. */
char* pc_files_attach(const pc_files* files, const char* text);

/* Reads a whole file of at most PC_TREE_SIZE_MAX bytes; the caller frees it. */
pc_status pc_read_whole_file(const char* path, char** text, size_t* size, pc_error* error);

#endif
