// What the processor that runs the program can do. The only place that asks.
#pragma once

namespace pliant {

// True if AVX2 and FMA kernels are built in, the processor and the system run them, and nobody has
// switched them off. Asked once; constant afterwards except for set_avx2_allowed.
bool use_avx2();

// For tests and comparisons: false forces the portable kernels everywhere. Not to be called while
// detectors run. Setting the environment variable PLIANT_NO_AVX2 has the same effect from the start.
void set_avx2_allowed(bool allowed);

}  // namespace pliant
