/* HDF5 as a part of the program: the functions of its static library. Not in libpercuss-io, but in
 * `percuss`, which then need not load the shared library and the forty others that it needs (see
 * hdf5.h). */
#define PC_HDF5_NAMES_ONLY
#include "record/hdf5.h"

#define FUNCTION(name) .name = name,
#define VARIABLE(name) .name = &name,

const pc_hdf5_table* pc_hdf5_linked(void)
{
  static const pc_hdf5_table table = {PC_HDF5_FUNCTIONS(FUNCTION) PC_HDF5_LINKS(FUNCTION)
                                          PC_HDF5_VARIABLES(VARIABLE)};
  return &table;
}
