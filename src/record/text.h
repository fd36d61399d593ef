/* Texts in the file: UTF-8, of fixed length, filled up with zeros; h5py, MATLAB and h5dump read
 * them.
 *
 * Texts of variable length would be handier; but HDF5 keeps those in a heap that has no checksum,
 * and a damaged one makes it crash. */
#ifndef PC_RECORD_TEXT_H
#define PC_RECORD_TEXT_H

#include "record/hdf5.h"

enum { PC_TEXT_BYTES_MAX = 1 << 30 }; /* texts that belong together; more is damage */

/* The type of a text of so many bytes (0 counts as 1: HDF5 has no empty type), to be closed;
 * negative if HDF5 refuses. */
hid_t pc_text_type(size_t length);

/* Is this a type of texts, and not of variable length? */
int pc_is_text_type(hid_t type);

/* The text in a field of `length` bytes, to be freed; NULL if there is no memory. */
char* pc_text_of_field(const char* field, size_t length);

/* The rest returns 0, or -1 if HDF5 refuses or there is no memory; reading also if there is no such
 * text. What was read is to be freed by the caller. */

/* A short text as an attribute. */
int pc_write_text(hid_t object, const char* name, const char* text);
int pc_read_text(hid_t object, const char* name, char** text);

/* A text of any length as a dataset. */
int pc_store_text(hid_t file, const char* path, const char* text);
int pc_load_text(hid_t file, const char* path, char** text);

#endif
