// The version of the library. CMake and pkg-config read it from here.
#pragma once

#define PLIANT_VERSION_MAJOR 0
#define PLIANT_VERSION_MINOR 1
#define PLIANT_VERSION_PATCH 0
#define PLIANT_VERSION "0.1.0"
