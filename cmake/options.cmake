# How every target of percuss is compiled. Nothing here reaches the targets of a project that
# contains percuss.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
  endif()
endif()

# Optimised builds are hardened: checked string functions, tables of addresses that are read-only once the
# program has started, code that may lie anywhere, and guarded stacks wherever foreign input is read: model
# and result files, the command line, expressions. A step of the mechanics reads none, and a guard in each of
# its small functions would take 2 % of its instructions (5 % for a bouncing ball).
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)

function(percuss_harden target)
  if(PERCUSS_SANITIZE)
    return() # which check more than this
  endif()
  set(optimised $<CONFIG:Release,RelWithDebInfo>)
  target_compile_options(${target} PRIVATE
    $<${optimised}:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>
    $<$<AND:${optimised},$<NOT:$<STREQUAL:${target},percuss>>>:-fstack-protector-strong>)
  target_link_options(${target} PRIVATE $<${optimised}:LINKER:-z,relro,-z,now>)
endfunction()

function(percuss_options target)
  percuss_harden(${target})
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
