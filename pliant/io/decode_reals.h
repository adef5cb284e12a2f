// Packed numbers of a file turned into doubles. Internal to io/.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "pliant/core/bit_cast.h"
#include "pliant/io/byte_reader.h"

namespace pliant {

// Returns whether all values are finite. The exponent bits tell; adding up differences would be a chain of additions
// that takes longer than everything else here.
template <class Real, std::endian order>
bool decode_reals(const char* from, std::size_t count, double* to) {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  constexpr auto kExponent = pliant::bit_cast<Bits>(std::numeric_limits<Real>::infinity());
  Bits not_finite = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Bits bits = load<Bits>(from + i * sizeof(Real), order);
    not_finite |= static_cast<Bits>((bits & kExponent) == kExponent);
    to[i] = static_cast<double>(pliant::bit_cast<Real>(bits));
  }
  return not_finite == 0;
}

}  // namespace pliant
