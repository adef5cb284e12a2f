# For browsers: Debian's Emscripten, and those of Debian's header-only libraries that the library is made with.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)

# SIMD of 128 bits, and exceptions of the engine itself: both are in every browser since 2022.
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -fwasm-exceptions")

# Links to the libraries, since /usr/include also has the headers of this machine's own C library.
set(PLIANT_HEADERS "${CMAKE_BINARY_DIR}/headers")
file(MAKE_DIRECTORY "${PLIANT_HEADERS}")
foreach(name boost fast_float fmt nlohmann nanoflann.hpp)
  if(NOT EXISTS "/usr/include/${name}")
    message(FATAL_ERROR "/usr/include/${name} is not there: scripts/install-packages build installs it")
  endif()
  file(CREATE_LINK "/usr/include/${name}" "${PLIANT_HEADERS}/${name}" SYMBOLIC)
endforeach()
set(Eigen3_DIR /usr/share/eigen3/cmake CACHE PATH "")
set(Boost_NO_BOOST_CMAKE ON)
set(Boost_INCLUDE_DIR "${PLIANT_HEADERS}" CACHE PATH "")
set(PLIANT_FAST_FLOAT "${PLIANT_HEADERS}" CACHE PATH "")
set(PLIANT_FMT "${PLIANT_HEADERS}" CACHE PATH "")
set(PLIANT_NANOFLANN_INCLUDE "${PLIANT_HEADERS}" CACHE PATH "")
