#include "pliant/ccd/filter.h"

#include "pliant/core/cpu.h"

namespace pliant::ccd {

std::size_t filter(const FilterInput& input, std::uint32_t* survivors) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return avx2::filter(input, survivors);
#endif
  return portable::filter(input, survivors);
}

}  // namespace pliant::ccd
