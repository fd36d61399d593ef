/* HDF5 files as FCLib writes them, read without HDF5.
 *
 * FCLib uses the oldest structures of HDF5 (superblock 0, object headers 1, groups as trees of
 * symbols), which have no checksums; HDF5 (1.10) follows whatever it finds in them and may take the
 * program down, or take gigabytes for what a few bytes claim. To check a file before HDF5 sees it
 * means to follow the same structures to the same bytes, so these are taken from where they are.
 * Every address and length is compared with the size of the file before it is used.
 *
 * Superblocks 0 to 3, object headers 1 and 2, groups as trees of symbols or with their links in the
 * header, contiguous and compact datasets of numbers and of texts of fixed length. What is stored
 * in another way (chunks, filters, dense groups) is refused with a text that names h5repack. */
#ifndef PC_FCLIB_CONTAINER_H
#define PC_FCLIB_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "percuss/base.h"

typedef struct pc_container {
  const char* path; /* the caller's */
  int descriptor;
  uint64_t size; /* [bytes] */
  uint64_t root; /* address of its object header */
  pc_error* error;
} pc_container;

typedef enum pc_stored_kind {
  PC_STORED_NOTHING, /* there is no such object */
  PC_STORED_GROUP,
  PC_STORED_INTEGERS,
  PC_STORED_REALS,
  PC_STORED_TEXT, /* of fixed length, one or several */
  PC_STORED_OTHER /* a dataset of another type */
} pc_stored_kind;

enum { PC_STORED_RANK_MAX = 4 };

typedef struct pc_stored {
  pc_stored_kind kind;
  int rank;
  uint64_t extent[PC_STORED_RANK_MAX];
  size_t count; /* of elements */
  size_t size;  /* of an element [bytes] */
  int is_signed, is_big_endian;
  uint64_t address; /* of a group's object header, or where the elements begin; inside the file */
} pc_stored;

/* All return PC_BAD_MODEL with the file and the reason where it is damaged or of another kind, and
 * PC_OUT_OF_MEMORY. An open one is to be closed, also after an error. */
pc_status pc_container_open(pc_container* c, const char* path, pc_error* error);
void pc_container_close(pc_container* c);

/* What is at a path from the root on, such as "/fclib_local/W/x". */
pc_status pc_container_find(const pc_container* c, const char* path, pc_stored* found);

/* The elements from `first` on as doubles, as whole numbers, or as bytes. Numbers that are no whole
 * ones of 64 bits are refused as `longs`. */
pc_status pc_container_read_doubles(const pc_container* c, const pc_stored* s, size_t first,
                                    size_t count, double* to);
pc_status pc_container_read_longs(const pc_container* c, const pc_stored* s, size_t first,
                                  size_t count, int64_t* to);
pc_status pc_container_read_bytes(const pc_container* c, const pc_stored* s, char* to);

/* The members of a group, until `visit` returns something else than PC_OK. The name ends with 0. */
typedef pc_status pc_visit_member(void* user, const char* name, const pc_stored* member);
pc_status pc_container_visit(const pc_container* c, const pc_stored* group, pc_visit_member* visit,
                             void* user);

#endif
