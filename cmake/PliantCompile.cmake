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
    # A tenth of its time goes into collecting garbage as soon as 128 MB are used, which precompiled headers do at once.
    target_compile_options(${target} PRIVATE -fpch-preprocess -Wno-restrict --param=ggc-min-heapsize=400000)
  endif()
  # Instrumented code makes GCC 12 see overruns inside std::string that are not there (GCC bug 105651).
  if(PLIANT_WERROR AND NOT PLIANT_SANITIZE)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(PLIANT_ASSERTS)
    target_compile_options(${target} PRIVATE -UNDEBUG)
  endif()
endfunction()

# Rooms that do little for every frame, or only when something is opened: in a module for browsers their code is small rather than fast, since
# a page has to fetch it all the same. Not by -Os: Emscripten's inlines nothing at all then, and scenes take twenty times as long to open.
set(PLIANT_SELDOM pliant_io pliant_asset pliant_scene pliant_mesh pliant_motion pliant_response pliant_world)
set(PLIANT_SMALL -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -mllvm -inline-threshold=40)

# pliant_batches(TARGET): with PLIANT_UNITY, the sources that the target has so far are compiled up to twelve at a time, so that
# what they include is read once for all of them. A batch never spans two folders below pliant/ or app/: names in anonymous
# namespaces must differ within a room, whatever is listed before it.
function(pliant_batches target)
  if(NOT PLIANT_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${path}" is_generated)
    if(is_generated)
      continue()
    endif()
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    string(REGEX MATCH "^(pliant/)?[^/]+" room "${path}")
    string(MAKE_C_IDENTIFIER "${room}" room)
    math(EXPR batch "${count_${room}} + 0")
    math(EXPR count_${room} "${batch} + 1")
    math(EXPR batch "${batch} / 12")
    set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${room}_${batch})
    if(EMSCRIPTEN AND room IN_LIST PLIANT_SELDOM)
      set_source_files_properties("${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${room}_${batch}_cxx.cxx"
        TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${PLIANT_SMALL}")
    endif()
  endforeach()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # To the compiler a source within a batch is a header, whose types could be seen by others.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# pliant_simd_sources(TARGET HEADER...): the code in each header, compiled twice: portable, and for AVX2 + FMA. The second is
# only entered after a run-time check (core/cpu.h).
function(pliant_simd_sources target)
  set(ways portable)
  if(PLIANT_AVX2)
    list(APPEND ways avx2)
  endif()
  foreach(header IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH header)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    cmake_path(GET header STEM name)
    foreach(way IN LISTS ways)
      set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}_${way}.cpp")
      file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${header}\"\n" @ONLY)
      target_sources(${target} PRIVATE "${source}")
      # Called from a room, while the target lives one folder up: the properties must be set there.
      set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      if(way STREQUAL "avx2")
        # No precompiled header: it was compiled for another instruction set.
        set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES
          COMPILE_OPTIONS "-mavx2;-mfma" SKIP_PRECOMPILE_HEADERS ON)
      endif()
    endforeach()
  endforeach()
endfunction()
