#include "pliant/geometry/apart_filter.h"

#include "pliant/core/cpu.h"

namespace pliant {

DecidedFilter decided_filter() {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return apart::avx2::four_decided;
#endif
  return apart::portable::four_decided;
}

}  // namespace pliant
