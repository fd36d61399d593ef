# What percuss stands on. Each becomes one interface target, private to the modules that use it. The
# names of variables begin with PERCUSS_, so that a project around percuss can look for the same.
find_package(PkgConfig REQUIRED)

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

pkg_check_modules(PERCUSS_YAML REQUIRED IMPORTED_TARGET yaml-0.1)
add_library(percuss-yaml INTERFACE)
target_link_libraries(percuss-yaml INTERFACE PkgConfig::PERCUSS_YAML)

pkg_check_modules(PERCUSS_HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
add_library(percuss-hdf5 INTERFACE)
target_link_libraries(percuss-hdf5 INTERFACE PkgConfig::PERCUSS_HDF5)
