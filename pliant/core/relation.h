// How two features meet: one word for every test and every contact.
#pragma once

#include <cstdint>

namespace pliant {

enum class Relation : std::uint8_t {
  none,      // they have no point in common (beyond what they share by construction)
  touching,  // they meet, but their relative interiors do not
  crossing,  // their relative interiors meet, and they do not lie in one plane
  coplanar,  // they lie in one plane and their relative interiors meet
  possible,  // not decided: they may or may not meet
  near,      // they come as near as a minimum separation, and have no point in common
};

constexpr const char* to_string(Relation relation) {
  switch (relation) {
    case Relation::none:
      return "none";
    case Relation::touching:
      return "touching";
    case Relation::crossing:
      return "crossing";
    case Relation::coplanar:
      return "coplanar";
    case Relation::possible:
      return "possible";
    case Relation::near:
      return "near";
  }
  return "possible";
}

}  // namespace pliant
