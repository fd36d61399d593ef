# What percuss stands on. Each becomes one interface target, private to the rooms that use it.
find_package(PkgConfig REQUIRED)

pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)
find_path(SUITESPARSE_INCLUDE klu.h PATH_SUFFIXES suitesparse REQUIRED)
foreach(part klu cholmod amd)
  find_library(SUITESPARSE_${part} ${part} REQUIRED)
endforeach()
add_library(percuss-linear-algebra INTERFACE)
target_include_directories(percuss-linear-algebra SYSTEM INTERFACE ${SUITESPARSE_INCLUDE})
target_link_libraries(percuss-linear-algebra INTERFACE PkgConfig::LAPACKE PkgConfig::OPENBLAS
  ${SUITESPARSE_klu} ${SUITESPARSE_cholmod} ${SUITESPARSE_amd})

pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
add_library(percuss-yaml INTERFACE)
target_link_libraries(percuss-yaml INTERFACE PkgConfig::YAML)

pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
add_library(percuss-hdf5 INTERFACE)
target_link_libraries(percuss-hdf5 INTERFACE PkgConfig::HDF5)
