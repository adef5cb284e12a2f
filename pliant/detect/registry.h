// Methods by name.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "pliant/detect/detector.h"

namespace pliant {

// Every method of this library, in the order in which `pliant methods` lists them.
std::span<const MethodInfo* const> methods();

// Throws Error, naming the nearest method, if there is none of that name.
const MethodInfo& method_info(std::string_view name);

// Throws Error in the same case, for settings that the method does not have or that are out of range, and for a paper
// mode that it does not have.
std::unique_ptr<Detector> make_detector(std::string_view name, const DetectorSettings& settings = {});

}  // namespace pliant
