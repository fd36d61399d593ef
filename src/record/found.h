/* Contacts between shapes in the result file, as ragged data: /found.
 *
 * /found/offset has a number more than there are rows: the contacts of row k are those from
 * offset[k] to offset[k+1] - 1 of all other datasets. They are those of pc_observation.found.
 * /found/shape has names. */
#ifndef PC_RECORD_FOUND_H
#define PC_RECORD_FOUND_H

#include "percuss/simulate.h"
#include "record/column.h"

enum {
  PC_FOUND_KEY,
  PC_FOUND_P,
  PC_FOUND_SPIN,
  PC_FOUND_POINT,
  PC_FOUND_NORMAL,
  PC_FOUND_GAP,
  PC_FOUND_MEMORY, /* of the scheme; its width is known with the first state */
  PC_FOUND_COLUMN_COUNT
};

enum { PC_KEY_WIDTH = 4 }; /* two shapes, the features of each */

typedef struct pc_found_record {
  int is_used; /* 0: the system has no shapes, nothing is recorded */
  int sized;   /* the scheme's memory is known */
  pc_column offset;
  pc_column column[PC_FOUND_COLUMN_COUNT];
  int capacity;        /* contacts in the buffers */
  int waiting, unkept; /* contacts of the rows that wait, and of the row after them */
  long written;        /* in the file */
} pc_found_record;

/* Buffers, without datasets; to be closed also on failure. `rows` may wait. */
pc_status pc_found_allocate(pc_found_record* found, const pc_system* system, int rows);

/* The rest returns 0, or -1 if HDF5 refuses, if there is no memory, or if what is there does not
 * fit. */

/* The table of shapes, which never changes. */
int pc_found_describe(hid_t file, const pc_system* system);

/* The empty datasets of a new file, or those of an existing one. */
int pc_found_create(pc_found_record* found, hid_t file);
int pc_found_open(pc_found_record* found, hid_t file);

/* The dataset of the scheme's memory, with the first state. */
int pc_found_size_memory(pc_found_record* found, hid_t file, const pc_found_contacts* seen);

/* Whether the contacts of a row fit beside those that wait; space for them if nothing waits. */
int pc_found_fits(const pc_found_record* found, const pc_found_contacts* seen);
int pc_found_reserve(pc_found_record* found, const pc_found_contacts* seen);

/* The contacts of the row that follows the `row` waiting ones; and that it waits, too. */
void pc_found_fill(pc_found_record* found, const pc_found_contacts* seen, int row);
void pc_found_keep(pc_found_record* found);

/* Writes what waits: the contacts, and the offsets of `count` rows after the first `rows`. */
int pc_found_write(pc_found_record* found, long rows, int count);

/* Counts as written what belongs to the first `rows` rows, and drops the rest. */
int pc_found_count(pc_found_record* found, long rows);
int pc_found_trim(pc_found_record* found, long rows);

/* The contacts of the last row that counts: keys and memory, both to be freed. */
int pc_found_restore(const pc_found_record* found, long rows, pc_found_contacts* restored);
void pc_found_free(pc_found_contacts* restored);

int pc_found_close(pc_found_record* found);

/* What writing full buffers adds to the file; what the table of shapes takes. */
size_t pc_found_chunk_bytes(const pc_found_record* found);
size_t pc_found_header_bytes(const pc_system* system);

/* A key as it is in the file, and back. */
void pc_key_to_numbers(const pc_contact_key* key, double number[PC_KEY_WIDTH]);
pc_contact_key pc_key_of_numbers(const double number[PC_KEY_WIDTH]);

#endif
