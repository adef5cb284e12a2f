// "Did you mean ...?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pliant {

// The name of the list that takes the fewest insertions, deletions and replacements; the first of several.
// Empty if the list is.
std::string nearest_name(std::string_view given, std::span<const std::string_view> names);

// What to say of a name that is not in the list: "did you mean 'check'?" if one is near enough to be meant, else "there
// are bench, check, run".
std::string suggestion(std::string_view given, std::span<const std::string_view> names);

}  // namespace pliant
