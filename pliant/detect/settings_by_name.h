// Settings of several methods at once, as texts and scene files give them.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "pliant/detect/method_settings.h"

namespace pliant {

using MethodSettingsByName = std::map<std::string, MethodSettings, std::less<>>;  // by name of the method

// From texts NAME=VALUE, the later of two that name the same: for each of the methods the settings that it has. Throws
// Error for one that none of them has, naming the nearest, and what parse_setting() says.
MethodSettingsByName parse_settings(std::span<const std::string> texts, std::span<const MethodInfo* const> methods);

}  // namespace pliant
