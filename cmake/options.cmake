# How every target of percuss is compiled.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

function(percuss_options target)
  # No contraction to fused multiply-add: the same bits from every compiler and machine.
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -ffp-contract=off)
  target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
  set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden)
  if(PERCUSS_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(PERCUSS_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PERCUSS_SANITIZE}
                           -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${PERCUSS_SANITIZE})
  endif()
endfunction()
