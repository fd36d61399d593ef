# How every target of percuss is compiled. Nothing here reaches the targets of a project that
# contains percuss.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
  endif()
endif()

function(percuss_options target)
  # No contraction to fused multiply-add: the same bits from every compiler and machine.
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -ffp-contract=off)
  target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
  set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden
    C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  if(PERCUSS_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(PERCUSS_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PERCUSS_SANITIZE}
                           -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${PERCUSS_SANITIZE})
  endif()
endfunction()
