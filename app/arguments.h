// Words of the command line turned into values.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/command_line.h"
#include "pliant/detect/filters.h"
#include "pliant/detect/settings_by_name.h"

namespace pliant::app {

// "2ms", "500us", "1.5s", "100ns"; more than 292 years are as many. Throws Error for anything else.
std::chrono::nanoseconds parse_duration(const std::string& text);

// Numbers with a limit, refused in words.
Check at_least_zero();
Check above_zero();

// What shells offer for an option's value (Option::offers).
std::vector<std::string> method_names();
std::vector<std::string> scene_names();
std::vector<std::string> response_names();

// Adds --threads, which must outlive the command.
void add_threads(Command& command, int& threads);

// Adds --weld-tolerance, which must outlive the command.
void add_weld_tolerance(Command& command, double& tolerance);
// Throws Error if there is a tolerance, but no STL file among these, which alone have corners to weld.
void require_stl_to_weld(double tolerance, const std::vector<std::string>& meshes);

// Adds --set, whose texts must outlive the command.
void add_method_settings(Command& command, std::vector<std::string>& texts);
// What --set says for these methods. Throws Error for a setting that none of them has, and for a value that is not one.
MethodSettingsByName method_settings(const std::vector<std::string>& texts, const std::vector<std::string>& methods);

// "0:1,shirt:shirt": bodies by number or name. Throws Error for a body that is not there, naming the nearest, and for a
// name that several have, giving their numbers.
PairSet parse_pairs(const std::string& text, const std::vector<std::string>& body_names);

}  // namespace pliant::app
