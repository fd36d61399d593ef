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

# Only for sweeps under mpirun; without it they are a matter of one machine, or of --shard.
pkg_check_modules(PERCUSS_MPI ompi-c)
