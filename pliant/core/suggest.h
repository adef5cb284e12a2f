// "Did you mean ...?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pliant {

// What to say of a name that is not in the list: "did you mean 'check'?" if one is near enough to be meant (by
// insertions, deletions and replacements), else "there are bench, check, run". Empty if the list is.
std::string suggestion(std::string_view given, std::span<const std::string_view> names);

}  // namespace pliant
