/* HDF5, loaded when the first result file is written or read.
 *
 * Together with the forty libraries that it needs, it takes several milliseconds to load, more than
 * a whole run of a small model. So nothing is linked to it: its functions are looked up by
 * pc_hdf5_load and called through a table, under their own names. The program `percuss` contains
 * HDF5 where there is a static library of it. Every public function that makes an object of this
 * module calls pc_hdf5_load first. What is missing in the list below does not link. */
#ifndef PC_RECORD_HDF5_H
#define PC_RECORD_HDF5_H

#include <hdf5.h>

#include "percuss/base.h"

/* Fails with `status`, and a text that names the library, where there is none. Any thread may call
 * it, any number of times. */
pc_status pc_hdf5_load(pc_status status, pc_error* error);

/* Every public function of this module calls HDF5 between these two. One thread at a time does,
 * since HDF5 is not safe for several; nested calls are fine. HDF5 prints its errors by default, and
 * the setting that decides on it belongs to the embedding program: it is switched off in between,
 * and what was found is given back. A recorder fills its rows outside, so that several simulations
 * wait for each other only while chunks are written. */
typedef struct pc_hdf5_use {
  H5E_auto2_t print;
  void* user;
} pc_hdf5_use;

pc_hdf5_use pc_hdf5_begin(void);
void pc_hdf5_end(pc_hdf5_use use);

/* HDF5 1.12 gives these the names of their successors. */
#if H5_VERSION_GE(1, 12, 0)
#define PC_HDF5_LINKS(X) X(H5Lget_info1) X(H5Literate1)
typedef H5L_info1_t pc_link_info;
#else
#define PC_HDF5_LINKS(X) X(H5Lget_info) X(H5Literate)
typedef H5L_info_t pc_link_info;
#endif

/* clang-format off */
#define PC_HDF5_FUNCTIONS(X) \
  X(H5Aclose) X(H5Acreate2) X(H5Aexists) X(H5Aget_space) X(H5Aget_type) X(H5Aopen) \
  X(H5Aread) X(H5Awrite) X(H5Dclose) X(H5Dcreate2) X(H5Dget_chunk_storage_size) \
  X(H5Dget_create_plist) X(H5Dget_space) X(H5Dread_chunk) \
  X(H5Dget_storage_size) X(H5Dget_type) X(H5Dopen2) X(H5Dread) X(H5Dset_extent) X(H5Dwrite) \
  X(H5Dwrite_chunk) X(H5Eget_auto2) X(H5Eset_auto2) X(H5Fclose) X(H5Fcreate) X(H5Fflush) \
  X(H5Fget_file_image) X(H5Fget_filesize) X(H5Fget_vfd_handle) X(H5Fincrement_filesize) \
  X(H5Fopen) X(H5Fset_libver_bounds) X(H5Gclose) X(H5Gcreate2) X(H5Gopen2) \
  X(H5Lexists) X(H5Pall_filters_avail) X(H5Pclose) X(H5Pcreate) X(H5Pget_chunk) \
  X(H5Pget_filter_by_id2) X(H5Pget_mdc_config) X(H5Pget_nfilters) X(H5Pset_alignment) \
  X(H5Pset_alloc_time) X(H5Pset_chunk) X(H5Pset_chunk_cache) \
  X(H5Pset_create_intermediate_group) X(H5Pset_est_link_info) X(H5Pset_fapl_core) \
  X(H5Pset_file_locking) X(H5Pset_file_space_strategy) X(H5Pset_fill_time) \
  X(H5Pset_fletcher32) X(H5Pset_libver_bounds) X(H5Pset_link_phase_change) \
  X(H5Pset_mdc_config) X(H5Pset_virtual) X(H5Sclose) X(H5Screate) X(H5Screate_simple) \
  X(H5Sget_simple_extent_dims) X(H5Sget_simple_extent_ndims) X(H5Sget_simple_extent_npoints) \
  X(H5Sselect_hyperslab) X(H5Tclose) X(H5Tcopy) X(H5Tcreate) X(H5Tequal) X(H5Tget_class) \
  X(H5Tget_member_index) X(H5Tget_member_type) X(H5Tget_size) X(H5Tinsert) \
  X(H5Tis_variable_str) X(H5Tset_cset) X(H5Tset_size) X(H5Tset_strpad) X(H5check_version) \
  X(H5dont_atexit) X(H5open)

/* Types and classes of properties are variables of the library. */
#define PC_HDF5_VARIABLES(X) \
  X(H5P_CLS_DATASET_ACCESS_ID_g) X(H5P_CLS_DATASET_CREATE_ID_g) X(H5P_CLS_FILE_ACCESS_ID_g) \
  X(H5P_CLS_FILE_CREATE_ID_g) X(H5P_CLS_LINK_CREATE_ID_g) X(H5T_C_S1_g) X(H5T_IEEE_F32LE_g) \
  X(H5T_IEEE_F64LE_g) X(H5T_NATIVE_DOUBLE_g) X(H5T_NATIVE_INT_g) X(H5T_NATIVE_LONG_g) \
  X(H5T_STD_I32LE_g) X(H5T_STD_I64LE_g) X(H5T_STD_I8LE_g)
/* clang-format on */

typedef struct pc_hdf5_table {
#define PC_MEMBER(name) __typeof__(name)* name;
  PC_HDF5_FUNCTIONS(PC_MEMBER)
  PC_HDF5_LINKS(PC_MEMBER)
  PC_HDF5_VARIABLES(PC_MEMBER)
#undef PC_MEMBER
} pc_hdf5_table;

/* Filled once, by pc_hdf5_load. */
extern pc_hdf5_table pc_hdf5;

/* The table of a program that contains HDF5 itself; in others there is no such function. */
__attribute__((weak, visibility("hidden"))) const pc_hdf5_table* pc_hdf5_linked(void);

#ifndef PC_HDF5_NAMES_ONLY
#define H5Aclose                         pc_hdf5.H5Aclose
#define H5Acreate2                       pc_hdf5.H5Acreate2
#define H5Aexists                        pc_hdf5.H5Aexists
#define H5Aget_space                     pc_hdf5.H5Aget_space
#define H5Aget_type                      pc_hdf5.H5Aget_type
#define H5Aopen                          pc_hdf5.H5Aopen
#define H5Aread                          pc_hdf5.H5Aread
#define H5Awrite                         pc_hdf5.H5Awrite
#define H5Dclose                         pc_hdf5.H5Dclose
#define H5Dcreate2                       pc_hdf5.H5Dcreate2
#define H5Dget_chunk_storage_size        pc_hdf5.H5Dget_chunk_storage_size
#define H5Dget_create_plist              pc_hdf5.H5Dget_create_plist
#define H5Dget_space                     pc_hdf5.H5Dget_space
#define H5Dget_storage_size              pc_hdf5.H5Dget_storage_size
#define H5Dget_type                      pc_hdf5.H5Dget_type
#define H5Dopen2                         pc_hdf5.H5Dopen2
#define H5Dread_chunk                    pc_hdf5.H5Dread_chunk
#define H5Dread                          pc_hdf5.H5Dread
#define H5Dset_extent                    pc_hdf5.H5Dset_extent
#define H5Dwrite                         pc_hdf5.H5Dwrite
#define H5Dwrite_chunk                   pc_hdf5.H5Dwrite_chunk
#define H5Eget_auto2                     pc_hdf5.H5Eget_auto2
#define H5Eset_auto2                     pc_hdf5.H5Eset_auto2
#define H5Fclose                         pc_hdf5.H5Fclose
#define H5Fcreate                        pc_hdf5.H5Fcreate
#define H5Fflush                         pc_hdf5.H5Fflush
#define H5Fget_file_image                pc_hdf5.H5Fget_file_image
#define H5Fget_filesize                  pc_hdf5.H5Fget_filesize
#define H5Fget_vfd_handle                pc_hdf5.H5Fget_vfd_handle
#define H5Fincrement_filesize            pc_hdf5.H5Fincrement_filesize
#define H5Fopen                          pc_hdf5.H5Fopen
#define H5Fset_libver_bounds             pc_hdf5.H5Fset_libver_bounds
#define H5Gclose                         pc_hdf5.H5Gclose
#define H5Gcreate2                       pc_hdf5.H5Gcreate2
#define H5Gopen2                         pc_hdf5.H5Gopen2
#define H5Lexists                        pc_hdf5.H5Lexists
#define H5Pall_filters_avail             pc_hdf5.H5Pall_filters_avail
#define H5Pclose                         pc_hdf5.H5Pclose
#define H5Pcreate                        pc_hdf5.H5Pcreate
#define H5Pget_chunk                     pc_hdf5.H5Pget_chunk
#define H5Pget_filter_by_id2             pc_hdf5.H5Pget_filter_by_id2
#define H5Pget_mdc_config                pc_hdf5.H5Pget_mdc_config
#define H5Pget_nfilters                  pc_hdf5.H5Pget_nfilters
#define H5Pset_alignment                 pc_hdf5.H5Pset_alignment
#define H5Pset_alloc_time                pc_hdf5.H5Pset_alloc_time
#define H5Pset_chunk                     pc_hdf5.H5Pset_chunk
#define H5Pset_chunk_cache               pc_hdf5.H5Pset_chunk_cache
#define H5Pset_create_intermediate_group pc_hdf5.H5Pset_create_intermediate_group
#define H5Pset_est_link_info             pc_hdf5.H5Pset_est_link_info
#define H5Pset_fapl_core                 pc_hdf5.H5Pset_fapl_core
#define H5Pset_file_locking              pc_hdf5.H5Pset_file_locking
#define H5Pset_file_space_strategy       pc_hdf5.H5Pset_file_space_strategy
#define H5Pset_fill_time                 pc_hdf5.H5Pset_fill_time
#define H5Pset_fletcher32                pc_hdf5.H5Pset_fletcher32
#define H5Pset_libver_bounds             pc_hdf5.H5Pset_libver_bounds
#define H5Pset_link_phase_change         pc_hdf5.H5Pset_link_phase_change
#define H5Pset_mdc_config                pc_hdf5.H5Pset_mdc_config
#define H5Pset_virtual                   pc_hdf5.H5Pset_virtual
#define H5Sclose                         pc_hdf5.H5Sclose
#define H5Screate                        pc_hdf5.H5Screate
#define H5Screate_simple                 pc_hdf5.H5Screate_simple
#define H5Sget_simple_extent_dims        pc_hdf5.H5Sget_simple_extent_dims
#define H5Sget_simple_extent_ndims       pc_hdf5.H5Sget_simple_extent_ndims
#define H5Sget_simple_extent_npoints     pc_hdf5.H5Sget_simple_extent_npoints
#define H5Sselect_hyperslab              pc_hdf5.H5Sselect_hyperslab
#define H5Tclose                         pc_hdf5.H5Tclose
#define H5Tcopy                          pc_hdf5.H5Tcopy
#define H5Tcreate                        pc_hdf5.H5Tcreate
#define H5Tequal                         pc_hdf5.H5Tequal
#define H5Tget_class                     pc_hdf5.H5Tget_class
#define H5Tget_member_index              pc_hdf5.H5Tget_member_index
#define H5Tget_member_type               pc_hdf5.H5Tget_member_type
#define H5Tget_size                      pc_hdf5.H5Tget_size
#define H5Tinsert                        pc_hdf5.H5Tinsert
#define H5Tis_variable_str               pc_hdf5.H5Tis_variable_str
#define H5Tset_cset                      pc_hdf5.H5Tset_cset
#define H5Tset_size                      pc_hdf5.H5Tset_size
#define H5Tset_strpad                    pc_hdf5.H5Tset_strpad
#define H5check_version                  pc_hdf5.H5check_version
#define H5dont_atexit                    pc_hdf5.H5dont_atexit
#define H5open                           pc_hdf5.H5open
#if H5_VERSION_GE(1, 12, 0)
#undef H5Lget_info
#define H5Lget_info pc_hdf5.H5Lget_info1
#undef H5Literate
#define H5Literate pc_hdf5.H5Literate1
#else
#define H5Lget_info pc_hdf5.H5Lget_info
#define H5Literate  pc_hdf5.H5Literate
#endif
#define H5P_CLS_DATASET_ACCESS_ID_g (*pc_hdf5.H5P_CLS_DATASET_ACCESS_ID_g)
#define H5P_CLS_DATASET_CREATE_ID_g (*pc_hdf5.H5P_CLS_DATASET_CREATE_ID_g)
#define H5P_CLS_FILE_ACCESS_ID_g    (*pc_hdf5.H5P_CLS_FILE_ACCESS_ID_g)
#define H5P_CLS_FILE_CREATE_ID_g    (*pc_hdf5.H5P_CLS_FILE_CREATE_ID_g)
#define H5P_CLS_LINK_CREATE_ID_g    (*pc_hdf5.H5P_CLS_LINK_CREATE_ID_g)
#define H5T_C_S1_g                  (*pc_hdf5.H5T_C_S1_g)
#define H5T_IEEE_F32LE_g            (*pc_hdf5.H5T_IEEE_F32LE_g)
#define H5T_IEEE_F64LE_g            (*pc_hdf5.H5T_IEEE_F64LE_g)
#define H5T_NATIVE_DOUBLE_g         (*pc_hdf5.H5T_NATIVE_DOUBLE_g)
#define H5T_NATIVE_INT_g            (*pc_hdf5.H5T_NATIVE_INT_g)
#define H5T_NATIVE_LONG_g           (*pc_hdf5.H5T_NATIVE_LONG_g)
#define H5T_STD_I32LE_g             (*pc_hdf5.H5T_STD_I32LE_g)
#define H5T_STD_I64LE_g             (*pc_hdf5.H5T_STD_I64LE_g)
#define H5T_STD_I8LE_g              (*pc_hdf5.H5T_STD_I8LE_g)
#endif

#endif
