# percuss::percuss and percuss::percuss-io, the libraries for users: shared ones where
# BUILD_SHARED_LIBS says so, and in a build of percuss itself where it says nothing.
if(DEFINED BUILD_SHARED_LIBS)
  set(PERCUSS_SHARED ${BUILD_SHARED_LIBS})
else()
  set(PERCUSS_SHARED ${PROJECT_IS_TOP_LEVEL})
endif()

if(NOT PERCUSS_SHARED)
  set(percuss_libraries percuss percuss-io)
  add_library(percuss::percuss ALIAS percuss)
  add_library(percuss::percuss-io ALIAS percuss-io)
  return()
endif()

# What the symbols are called. Those of the public headers get the version of the interface; those
# that libpercuss-io takes from the inside of libpercuss (PC_SIBLING_API) get the exact version, so
# that the loader never brings two libraries of different builds together.
function(percuss_version_script library)
  set(public "")
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/percuss/*.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  foreach(header ${headers})
    file(STRINGS ${header} lines REGEX "^PC_API ")
    foreach(line ${lines})
      string(REGEX REPLACE "^PC_API [^(]*[ *](pc_[A-Za-z0-9_]+)\\(.*" "\\1" name "${line}")
      if(NOT name MATCHES "^pc_[A-Za-z0-9_]+$")
        message(FATAL_ERROR "${header}: no name of a function in the line '${line}'")
      endif()
      string(APPEND public "    ${name};\n")
    endforeach()
  endforeach()
  set(map ${PROJECT_BINARY_DIR}/percuss.map)
  file(CONFIGURE OUTPUT ${map} CONTENT [[
PERCUSS_@PROJECT_VERSION_MAJOR@.@PROJECT_VERSION_MINOR@ {
  global:
@public@};
PERCUSS_PRIVATE_@PROJECT_VERSION@ {
  global: pc_*;
  local: *;
};
]] @ONLY)
  target_link_options(${library} PRIVATE LINKER:--version-script=${map})
  if(NOT PERCUSS_SANITIZE) # whose runtime comes with the program
    target_link_options(${library} PRIVATE LINKER:-z,defs)
  endif()
  set_target_properties(${library} PROPERTIES LINK_DEPENDS ${map})
endfunction()

function(percuss_shared library)
  set(shared ${library}-shared)
  add_library(${shared} SHARED $<TARGET_OBJECTS:${library}>)
  add_library(percuss::${library} ALIAS ${shared})
  target_include_directories(${shared} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
  set_target_properties(${shared} PROPERTIES OUTPUT_NAME ${library} EXPORT_NAME ${library}
    LINKER_LANGUAGE C VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN")
  if(PERCUSS_SANITIZE)
    target_link_options(${shared} PUBLIC -fsanitize=${PERCUSS_SANITIZE})
  endif()
  percuss_version_script(${shared})
  percuss_harden(${shared})
endfunction()

percuss_shared(percuss)
percuss_shared(percuss-io)
target_link_libraries(percuss-shared PRIVATE percuss-linear-algebra percuss-hull Threads::Threads PUBLIC m)
target_link_libraries(percuss-io-shared PUBLIC percuss-shared PRIVATE percuss-yaml Threads::Threads
  ${CMAKE_DL_LIBS})
set(percuss_libraries percuss-shared percuss-io-shared)
