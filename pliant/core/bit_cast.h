// std::bit_cast, which the C++ library of Emscripten 3.1 lacks; the compilers know how.
#pragma once

#include <type_traits>

namespace pliant {

template <class To, class From>
__attribute__((always_inline)) constexpr To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, from);
}

}  // namespace pliant
