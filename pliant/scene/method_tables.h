// Settings of methods in scene files: a table [method.NAME] for each.
#pragma once

#include <string>

#include "pliant/detect/settings_by_name.h"
#include "pliant/scene/toml_value.h"

namespace pliant {

// `methods` is the value of the key `method`. Throws Error, naming file, line and key, for a method or a setting that
// there is not (with the nearest), and for a value of the wrong type or out of range.
MethodSettingsByName read_method_tables(const TomlValue& methods, const std::string& file);

}  // namespace pliant
