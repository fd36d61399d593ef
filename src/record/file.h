/* The HDF5 file itself: opened with care for what is already there. */
#ifndef PC_RECORD_FILE_H
#define PC_RECORD_FILE_H

#include <stddef.h>
#include "record/hdf5.h"

#include "percuss/base.h"

/* Of the result file, written by the recorder and asked for by the reader. */
enum { PC_FORMAT_VERSION = 4 };

/* Creates an empty result file and reserves space for its first `bytes`. What is at `path` already
 * is truncated only once it is known to be a regular file that can be written, that nobody else has
 * locked, and that there is space; where there was no file and the creation fails, none is left. A
 * file that is not a result of percuss is replaced only by `force`. PC_CANNOT_WRITE names path and
 * reason. */
pc_status pc_file_create(const char* path, size_t bytes, int force, hid_t* file, pc_error* error);

/* Closes a new file whose description is complete (attributes, texts, names: what never changes and
 * is stored without gaps) and opens it for what grows, with space for `bytes`. Negative on failure;
 * then it is closed. */
hid_t pc_file_finish_description(hid_t file, const char* path, size_t bytes);

/* Can the file at `path` be resumed, as far as one sees from outside? PC_BAD_MODEL if there is none
 * or it is not HDF5, PC_CANNOT_WRITE if it may not be written or somebody else has locked it. */
pc_status pc_file_examine(const char* path, pc_error* error);

/* Opens an existing result file. What a kill left behind the end that the file states is taken in
 * as a part of it, if it is opened for writing: dropped rows may refer to it. Negative on
 * failure. */
hid_t pc_file_open(const char* path, int writable);

/* HDF5's own descriptor of the file, or -1. */
int pc_file_descriptor(hid_t file);

/* Makes sure that the file can grow by so many bytes. Returns 0 or an errno value.
 *
 * HDF5 (1.10) cannot close a file whose last writes failed, and then crashes when the program
 * exits. So a full disk must be noticed before HDF5 writes: then the file stays as it was, and can
 * be closed and read. */
int pc_file_reserve(hid_t file, size_t bytes);

/* Closes the file and gives back what was reserved and not used. -1 if that fails. */
int pc_file_close(hid_t file);

/* PC_CANNOT_WRITE with the path and the reason that the system gave (an errno value; 0: none). */
pc_status pc_cannot_write(const char* path, int reason, pc_error* error);

#endif
