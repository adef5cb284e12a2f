# How this project's own targets are compiled. Nothing here reaches users' builds.

find_program(PLIANT_CCACHE ccache)
if(PLIANT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness is what ccache asks for before it caches objects that use a precompiled header. Paths below the base
  # folder count as relative, so that several checkouts share what is cached; this is also why precompiled headers are
  # named <pliant/pch.h>, not by their full path.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${PLIANT_CCACHE})
endif()

if(PLIANT_SANITIZE)
  add_compile_options(-fsanitize=${PLIANT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PLIANT_SANITIZE})
endif()

# pliant_compile(TARGET): warnings, C++20, and floating point exactly as written.
function(pliant_compile target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wshadow -Wno-missing-field-initializers
    # Error-free transforms and error bounds hold for the operations as written, never for fused ones.
    -ffp-contract=off)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 warns about overlapping copies inside std::string's operator+ (GCC bug 105329).
    target_compile_options(${target} PRIVATE -fpch-preprocess -Wno-restrict)
  endif()
  # Instrumented code makes GCC 12 see overruns inside std::string that are not there (GCC bug 105651).
  if(PLIANT_WERROR AND NOT PLIANT_SANITIZE)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(PLIANT_ASSERTS)
    target_compile_options(${target} PRIVATE -UNDEBUG)
  endif()
endfunction()

# pliant_avx2_sources(TARGET FILE...): compiled for AVX2 + FMA; only entered after a run-time check (core/cpu.h).
function(pliant_avx2_sources target)
  if(PLIANT_AVX2)
    target_sources(${target} PRIVATE ${ARGN})
    # No precompiled header: it was compiled for another instruction set.
    # Called from a room, while the target lives one folder up: the properties must be set there.
    set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES
      COMPILE_OPTIONS "-mavx2;-mfma" SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
