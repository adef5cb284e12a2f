// Settings of methods as the page gives them: { name: number or truth value }.
#pragma once

#include <string>
#include <vector>

#include "pliant/detect/method_settings.h"
#include "pliant/io/json_value.h"

namespace pliant::web {

// As the command takes them: NAME=VALUE.
std::vector<std::string> settings_in_words(const JsonValue& chosen);
// Throws Error for what the method does not have.
MethodSettings settings_of(const JsonValue& chosen, const MethodInfo& method);

}  // namespace pliant::web
