/* Attributes of a file, a group or a dataset. All return 0, or -1 if HDF5 refuses. */
#ifndef PC_RECORD_ATTRIBUTE_H
#define PC_RECORD_ATTRIBUTE_H

#include <hdf5.h>

int pc_write_text(hid_t object, const char* name, const char* text);
int pc_write_texts(hid_t object, const char* name, int count, const char* const* text);
int pc_write_integer(hid_t object, const char* name, int value);
int pc_write_integers(hid_t object, const char* name, int count, const int* value);

/* Reading: -1 also if there is no such attribute, or if it is of another type or size. Texts are
 * copies, to be freed by the caller; on -1 there is nothing to free. */
int pc_read_text(hid_t object, const char* name, char** text);
int pc_read_texts(hid_t object, const char* name, int count, char** text);
int pc_read_integer(hid_t object, const char* name, int* value);

/* An attribute of `count` long integers with these values, open for more; negative on failure. */
hid_t pc_create_longs(hid_t object, const char* name, int count, const long* value);

/* `count` integers of any size. */
int pc_read_longs(hid_t object, const char* name, int count, long* value);

#endif
