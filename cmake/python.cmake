# The Python package: put together in ${PROJECT_BINARY_DIR}/python, and installed with the libraries. Nothing is compiled.
# It takes a Python with cffi, which writes the declarations; without one, everything else is built.
# Debian's own Python has the packages that tools/setup installs; another one that comes first in the PATH has not.
if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 COMPONENTS Interpreter)
set(PERCUSS_PYTHON_EXECUTABLE "")
foreach(candidate ${Python3_EXECUTABLE} /usr/bin/python3)
  if(NOT PERCUSS_PYTHON_EXECUTABLE)
    execute_process(COMMAND ${candidate} -c "import cffi, numpy" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
    if(missing EQUAL 0)
      set(PERCUSS_PYTHON_EXECUTABLE ${candidate})
    endif()
  endif()
endforeach()
if(NOT PERCUSS_PYTHON_EXECUTABLE)
  message(STATUS "No Python with cffi and numpy: the Python package is not built")
  return()
endif()

set(PERCUSS_PYTHON_EXECUTABLE ${PERCUSS_PYTHON_EXECUTABLE} CACHE INTERNAL "A Python with cffi and numpy")
set(percuss_python_source ${PROJECT_SOURCE_DIR}/python)
file(GLOB percuss_python_files CONFIGURE_DEPENDS ${percuss_python_source}/*.py ${percuss_python_source}/src/percuss/*.py*
     ${PROJECT_SOURCE_DIR}/include/percuss/*.h)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/python.stamp
  COMMAND ${PERCUSS_PYTHON_EXECUTABLE} ${percuss_python_source}/build.py ${PROJECT_BINARY_DIR}/python --library ../..
  COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/python.stamp
  DEPENDS ${percuss_python_files} ${PROJECT_SOURCE_DIR}/CMakeLists.txt VERBATIM)
add_custom_target(percuss-python ALL DEPENDS ${PROJECT_BINARY_DIR}/python.stamp)

if(PERCUSS_INSTALL)
  # Where this Python looks below a prefix: Debian's has dist-packages, others site-packages.
  execute_process(COMMAND ${PERCUSS_PYTHON_EXECUTABLE} -c "import os, sys, sysconfig; \
print(f'lib/python{sys.version_info[0]}.{sys.version_info[1]}/' + os.path.basename(sysconfig.get_path('purelib')))"
    OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND folder MATCHES "dist-packages$")
    set(folder lib/python3/dist-packages) # what Debian packages share between versions of Python
  endif()
  set(PERCUSS_PYTHON_DIR ${folder} CACHE STRING "Where the Python package goes, below the prefix")
  include(GNUInstallDirs)
  file(RELATIVE_PATH percuss_python_library /${PERCUSS_PYTHON_DIR}/percuss /${CMAKE_INSTALL_LIBDIR})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/python-installed/_place.py CONTENT [["""Where the libraries are; written on installing."""

#: relative to this folder
LIBRARY = "@percuss_python_library@"
]] @ONLY)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/python/percuss DESTINATION ${PERCUSS_PYTHON_DIR}
    PATTERN _place.py EXCLUDE PATTERN __pycache__ EXCLUDE)
  install(FILES ${PROJECT_BINARY_DIR}/python-installed/_place.py DESTINATION ${PERCUSS_PYTHON_DIR}/percuss)
endif()
