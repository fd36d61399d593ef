# Where everything goes when it is installed. Nothing knows the prefix: the tree can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(percuss_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/percuss)
set(percuss_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(NOT PERCUSS_SHARED)
  # A static library brings its dependencies along.
  list(APPEND percuss_libraries percuss-linear-algebra percuss-hull percuss-yaml percuss-hdf5-headers)
endif()
install(TARGETS ${percuss_libraries} EXPORT percuss-targets
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/percuss ${PROJECT_BINARY_DIR}/include/percuss
  TYPE INCLUDE FILES_MATCHING PATTERN "*.h")

# For find_package(percuss): before 1.0 another minor version is another interface.
install(EXPORT percuss-targets NAMESPACE percuss:: DESTINATION ${percuss_cmake_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/percuss-config.cmake.in
  ${PROJECT_BINARY_DIR}/percuss-config.cmake INSTALL_DESTINATION ${percuss_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/percuss-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/percuss-config.cmake
  ${PROJECT_BINARY_DIR}/percuss-config-version.cmake DESTINATION ${percuss_cmake_dir})

# For pkg-config. What is below a static library has to be linked by its users.
file(RELATIVE_PATH percuss_up /${percuss_pkgconfig_dir} /)
string(REGEX REPLACE "/$" "" percuss_up "${percuss_up}")
if(NOT PERCUSS_SHARED)
  set(percuss_requires "qhull_r")
  set(percuss_libs " -lklu -lldl -lamd")
  set(percuss_io_requires ", yaml-0.1")
endif()
foreach(package percuss percuss-io)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc
    @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${percuss_pkgconfig_dir})
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/percuss
  FILES_MATCHING PATTERN "*.yaml")

# The program, with a manual page and a completion that it writes itself.
if(PERCUSS_PROGRAM)
  install(TARGETS percuss-cli)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/percuss.1 ${PROJECT_BINARY_DIR}/percuss.bash
    COMMAND percuss-cli help --man > ${PROJECT_BINARY_DIR}/percuss.1
    COMMAND percuss-cli help --completion > ${PROJECT_BINARY_DIR}/percuss.bash
    DEPENDS percuss-cli VERBATIM)
  add_custom_target(percuss-manual ALL
    DEPENDS ${PROJECT_BINARY_DIR}/percuss.1 ${PROJECT_BINARY_DIR}/percuss.bash)
  install(FILES ${PROJECT_BINARY_DIR}/percuss.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_BINARY_DIR}/percuss.bash RENAME percuss
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
