// The numbers by which glTF names its types. Internal to io/.
#pragma once

#include <cstddef>

namespace pliant {

// 0 for a type that does not exist.
constexpr std::size_t gltf_component_size(int type) {
  switch (type) {
    case 5120:
    case 5121:
      return 1;
    case 5122:
    case 5123:
      return 2;
    case 5125:
    case 5126:
      return 4;
    default:
      return 0;
  }
}

}  // namespace pliant
