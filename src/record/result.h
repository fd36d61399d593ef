/* A result file that is open for reading, and the table of contents made on opening it. */
#ifndef PC_RECORD_RESULT_H
#define PC_RECORD_RESULT_H

#include "record/hdf5.h"

#include "percuss/result.h"

/* Where the numbers of a series are. */
typedef struct pc_source {
  const char* name; /* owned by the result */
  const char* unit; /* owned by the result */
  char* path;       /* of the dataset */
  char* added;      /* of another one, to be added to it; or NULL */
  int column;       /* -1: the dataset has rank 1 */
  int recorded;     /* under /series */
} pc_source;

/* For looking up by name. */
typedef struct pc_named {
  const char* name;
  int index;
} pc_named;

struct pc_result {
  char* path;
  char* model;
  char* options;
  hid_t file;  /* negative: none */
  long length; /* rows that every dataset has */
  pc_source* source;
  int source_count, source_capacity;
  pc_named* sorted; /* the first sources, by name: those that were there when it was made */
  int sorted_count;
  int everything; /* not 0: the run recorded all quantities */
  char** contact;
  int contact_count;
  char** shape; /* names of the shapes, then those of their bodies */
  int shape_count;
  char** text; /* names and units */
  int text_count, text_capacity;
};

/* Fills the table of contents of an open file. PC_BAD_MODEL names the dataset that is damaged. */
pc_status pc_result_catalogue(pc_result* result, pc_error* error);

/* Rows and columns of a dataset of numbers of this rank (1 or 2; columns are 1 then). -1 if it is
 * of another kind. */
int pc_dataset_shape(hid_t dataset, int rank, long* rows, int* columns);

/* Whether such a dataset has so many rows, and the file the bytes for them: what a dataset claims
 * is checked before memory is taken for it. */
int pc_dataset_holds(hid_t dataset, int rank, long rows);

/* Reads rows of the first of `count` series and of those after it that lie beside it in the file,
 * at one go: `done` of them, at least 1. Each becomes a line of `rows` numbers in `lines`;
 * `scratch` has space for as many. */
pc_status pc_result_read_neighbours(const pc_result* result, const int* series, int count,
                                    long first, long rows, double* lines, double* scratch,
                                    int* done, pc_error* error);

/* Rows of a dataset with so many columns (0: of rank 1); -1 if it is of another shape or cannot be
 * read. */
int pc_result_read_numbers(const pc_result* result, const char* path, long first, long count,
                           int width, double* values);

/* The contacts between shapes, where the model has any. */
pc_status pc_result_catalogue_found(pc_result* result, pc_error* error);
void pc_result_free_found(pc_result* result);

pc_status pc_result_damaged(const pc_result* result, const char* what, pc_error* error);

#endif
