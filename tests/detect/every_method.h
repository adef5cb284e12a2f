// What tests that run with every method are made from.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "pliant/detect/registry.h"

namespace pliant::testing {

inline std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const MethodInfo* method : methods()) names.emplace_back(method->name);
  return names;
}

// GoogleTest takes letters, digits and underscores.
inline std::string test_name(const std::string& method) {
  std::string name = method;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace pliant::testing
