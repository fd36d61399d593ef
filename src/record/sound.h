/* Opening what is in a file that may be damaged.
 *
 * HDF5 secures every structure that percuss writes (superblock 2, object headers 2, extensible
 * arrays, heaps and trees of groups) by a checksum, and refuses what does not match it. But older
 * versions of these structures have none, and a damaged byte can make a new one look old: then HDF5
 * (1.10) follows whatever it reads, and may take the program down. So nothing is opened before its
 * header has been seen to be of the kind that has a checksum, and the checksum to be right. */
#ifndef PC_RECORD_SOUND_H
#define PC_RECORD_SOUND_H

#include "record/hdf5.h"

/* Does the file begin as a result file does? 0: no. It is an open descriptor. */
int pc_begins_as_result(int descriptor);

/* Objects by their paths from the root on; links to other places or files are not followed.
 * Negative if there is none, or none of this kind. */
hid_t pc_open_dataset(hid_t file, const char* path, hid_t access);
hid_t pc_open_group(hid_t file, const char* path);

/* Creation properties of a dataset in chunks of these sizes, each with a checksum (Fletcher32) that
 * is verified when it is read. Negative if HDF5 refuses; to be closed. */
hid_t pc_checked_properties(int rank, const hsize_t* chunk);

typedef struct pc_names {
  char** name;
  int count, capacity;
} pc_names;

/* The names of a group's members, sorted. -1 if it cannot be read or there is no memory; then there
 * is nothing to free. */
int pc_list_members(hid_t file, const char* path, pc_names* names);
void pc_names_free(pc_names* names);

#endif
