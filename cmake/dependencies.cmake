# What percuss stands on. Each becomes one interface target, private to the modules that use it. The
# names of variables begin with PERCUSS_, so that a project around percuss can look for the same.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# Only those parts of SuiteSparse that call no BLAS, whose digits depend on the processor.
find_path(PERCUSS_SUITESPARSE_INCLUDE klu.h PATH_SUFFIXES suitesparse REQUIRED)
foreach(part klu ldl amd)
  find_library(PERCUSS_SUITESPARSE_${part} ${part} REQUIRED)
endforeach()
mark_as_advanced(PERCUSS_SUITESPARSE_INCLUDE PERCUSS_SUITESPARSE_klu PERCUSS_SUITESPARSE_ldl
                 PERCUSS_SUITESPARSE_amd)
add_library(percuss-linear-algebra INTERFACE)
target_include_directories(percuss-linear-algebra SYSTEM INTERFACE ${PERCUSS_SUITESPARSE_INCLUDE})
target_link_libraries(percuss-linear-algebra INTERFACE
  ${PERCUSS_SUITESPARSE_klu} ${PERCUSS_SUITESPARSE_ldl} ${PERCUSS_SUITESPARSE_amd})

pkg_check_modules(PERCUSS_QHULL REQUIRED IMPORTED_TARGET qhull_r)
add_library(percuss-hull INTERFACE)
target_link_libraries(percuss-hull INTERFACE PkgConfig::PERCUSS_QHULL)

pkg_check_modules(PERCUSS_YAML REQUIRED IMPORTED_TARGET yaml-0.1)
add_library(percuss-yaml INTERFACE)
target_link_libraries(percuss-yaml INTERFACE PkgConfig::PERCUSS_YAML)

# Loaded on demand (src/record/hdf5.h): libpercuss-io needs the headers, and the name under which the loader
# finds the library. percuss-hdf5 is for tests that call it themselves.
pkg_check_modules(PERCUSS_HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
add_library(percuss-hdf5-headers INTERFACE)
target_include_directories(percuss-hdf5-headers SYSTEM INTERFACE ${PERCUSS_HDF5_INCLUDE_DIRS})
add_library(percuss-hdf5 INTERFACE)
target_link_libraries(percuss-hdf5 INTERFACE PkgConfig::PERCUSS_HDF5)
find_library(PERCUSS_HDF5_LIBRARY hdf5 HINTS ${PERCUSS_HDF5_LIBRARY_DIRS} NO_DEFAULT_PATH)
find_library(PERCUSS_HDF5_LIBRARY NAMES hdf5_serial hdf5 REQUIRED)
mark_as_advanced(PERCUSS_HDF5_LIBRARY)
if(NOT PERCUSS_HDF5_NAME)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${PERCUSS_HDF5_LIBRARY} OUTPUT_VARIABLE described
    COMMAND_ERROR_IS_FATAL ANY)
  if(NOT described MATCHES "SONAME +([^ \n]+)")
    message(FATAL_ERROR "${PERCUSS_HDF5_LIBRARY} is not a shared library with a name of its own")
  endif()
  set(PERCUSS_HDF5_NAME ${CMAKE_MATCH_1} CACHE INTERNAL "What the loader calls HDF5")
endif()

# Loading the shared library takes 6 ms, a tenth of a run of a second: the program contains HDF5 where there is a static library.
# Not under sanitizers, which are told to pass over what HDF5 does by the name of its library.
option(PERCUSS_LINK_HDF5 "the program contains HDF5 if there is a static library" ON)
if(PERCUSS_LINK_HDF5 AND NOT PERCUSS_SANITIZE)
  find_library(PERCUSS_HDF5_ARCHIVE NAMES libhdf5_serial.a libhdf5.a HINTS ${PERCUSS_HDF5_LIBRARY_DIRS})
  find_library(PERCUSS_SZIP_ARCHIVE NAMES libsz.a)
  find_library(PERCUSS_AEC_ARCHIVE NAMES libaec.a)
  find_library(PERCUSS_ZLIB_ARCHIVE NAMES libz.a)
  mark_as_advanced(PERCUSS_HDF5_ARCHIVE PERCUSS_SZIP_ARCHIVE PERCUSS_AEC_ARCHIVE PERCUSS_ZLIB_ARCHIVE)
  set(archives ${PERCUSS_HDF5_ARCHIVE} ${PERCUSS_SZIP_ARCHIVE} ${PERCUSS_AEC_ARCHIVE} ${PERCUSS_ZLIB_ARCHIVE})
  if(NOT archives MATCHES "NOTFOUND")
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_INCLUDES ${PERCUSS_HDF5_INCLUDE_DIRS})
    set(CMAKE_REQUIRED_LIBRARIES ${archives} m ${CMAKE_DL_LIBS})
    check_c_source_compiles("#include <hdf5.h>\nint main(void) { return H5open() < 0; }" PERCUSS_HDF5_LINKS)
    unset(CMAKE_REQUIRED_INCLUDES)
    unset(CMAKE_REQUIRED_LIBRARIES)
  endif()
  if(PERCUSS_HDF5_LINKS)
    add_library(percuss-hdf5-archive INTERFACE)
    target_link_libraries(percuss-hdf5-archive INTERFACE ${archives} m ${CMAKE_DL_LIBS})
  endif()
endif()

# Only for sweeps under mpirun; without it they are a matter of one machine, or of --shard.
pkg_check_modules(PERCUSS_MPI ompi-c)
