/* Numbers as attributes of a file, a group or a dataset. All return 0, or -1 if HDF5 refuses. */
#ifndef PC_RECORD_ATTRIBUTE_H
#define PC_RECORD_ATTRIBUTE_H

#include "record/hdf5.h"

int pc_write_integer(hid_t object, const char* name, int value);
int pc_write_long(hid_t object, const char* name, long value);

/* An integer of any size. -1 also if there is no such attribute, or if it is of another kind. */
int pc_read_long(hid_t object, const char* name, long* value);

#endif
