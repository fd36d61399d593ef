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
  if(TARGET percuss-mpi)
    install(TARGETS percuss-mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/percuss COMPONENT mpi)
  endif()
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

# `make deb`: one package with everything. What is loaded at run time is named here, what is linked is found.
set(CPACK_PACKAGE_NAME percuss)
set(CPACK_PACKAGE_VENDOR "percuss")
set(CPACK_PACKAGE_CONTACT "the authors of percuss <percuss@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libhdf5-103-1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox, python3-cffi, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "librsvg2-bin, ffmpeg, xdg-utils")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/triggers)
set(CPACK_STRIP_FILES ON)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/percuss RENAME copyright)
if(TARGET percuss-hdf5-archive) # the program contains copies of these libraries
  foreach(library hdf5 aec zlib1g)
    string(REGEX REPLACE "^(hdf5|aec)$" "lib\\1" package ${library})
    if(EXISTS /usr/share/doc/${package}-dev/copyright)
      install(FILES /usr/share/doc/${package}-dev/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/percuss
        RENAME copyright.${library})
    endif()
  endforeach()
endif()
# Without the library for mpirun: everybody would have to install MPI with it.
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};${PROJECT_NAME};Unspecified;/")
include(CPack)
