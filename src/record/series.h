/* The quantities that a model records, by their names: /series/<name>, a view of a column of
 * another dataset (a virtual dataset of HDF5, which stores no numbers of its own), for h5py and its
 * like.
 *
 * percuss itself reads /columns/series, a table with the fields `name`, `unit` and `column`: the
 * name of the column in its dataset. Virtual datasets have their description in a heap without a
 * checksum, which a reader had better not open. */
#ifndef PC_RECORD_SERIES_H
#define PC_RECORD_SERIES_H

#include "record/hdf5.h"
#include "record/layout.h"

/* Writes the table and the views of `count` quantities. -1 if HDF5 refuses or there is no
 * memory. */
int pc_series_write(hid_t file, const pc_layout* layout, const pc_quantity* quantity, int count);

#endif
